"""Results as JSON and CSV. Both say how the result was made, so that it can be made again."""

import dataclasses
import json
from collections.abc import Mapping

import numpy as np
import pandas as pd

from ..core.tokens import Prompt

_EXTRA = ("recovered", "effect")  # derived arrays worth exporting beside the stored ones


def result_to_dict(result) -> dict:
    """A result as plain dicts, lists, strings and numbers. Arrays become nested lists in index order.

    Adds `recovered` or `effect` where the result has them and, for a lens, `top_tokens` beside `top_ids`.
    """
    fields = {f.name: _plain(getattr(result, f.name)) for f in dataclasses.fields(result) if f.name != "shown"}
    for name in _EXTRA:
        if hasattr(type(result), name):
            defined = name != "recovered" or result.has_recovered
            fields[name] = _plain(getattr(result, name)) if defined else None
    if hasattr(result, "top_tokens"):
        rows, positions = result.entropy.shape
        fields["top_tokens"] = [[result.top_tokens(r, t) for t in range(positions)] for r in range(rows)]
    return fields


def result_to_json(result) -> str:
    """`result_to_dict` as JSON text; refuses numbers that JSON cannot hold."""
    return json.dumps(result_to_dict(result), ensure_ascii=False, allow_nan=False)


def result_to_csv(result) -> str:
    """The result's tidy frame as CSV text, with one constant column for each fact of how it was made."""
    return described_frame(result).to_csv(index=False)


def described_frame(result) -> pd.DataFrame:
    """The result's frame with constant columns for prompts, model, revision, dtype, BOS, version and options."""
    info = dataclasses.asdict(result.info)
    options = info.pop("options")
    prompts = {f.name: getattr(result, f.name) for f in dataclasses.fields(result)}
    prompts = {name: value.text for name, value in prompts.items() if isinstance(value, Prompt)}
    facts = {f"run_{name}": value for name, value in {**info, **prompts, **options}.items()}
    frame = result.frame()
    constants = {name: [_cell(value)] * len(frame) for name, value in facts.items()}
    return pd.concat([frame, pd.DataFrame(constants, index=frame.index)], axis=1)


def _cell(value) -> object:
    return json.dumps(value) if isinstance(value, (list, dict)) else value


def _plain(value):
    if dataclasses.is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
