"""What every result carries: how it was made, and how its rows are ranked."""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from ..core.errors import MetricError
from ..core.names import positive
from ..core.tokens import AnswerToken, Prompt
from ..version import __version__


@dataclass(frozen=True)
class RunInfo:
    """Everything needed to make a result again: model, its revision and dtype, BOS, options, package version."""

    method: str
    model: str
    revision: str | None
    dtype: str
    device: str
    bos: bool
    package_version: str = __version__
    options: dict = field(default_factory=dict)


def run_info(model, method: str, prompt: Prompt, **options) -> RunInfo:
    """Describe a run of `method`."""
    return RunInfo(
        method=method,
        model=model.name,
        revision=model.revision,
        dtype=model.dtype,
        device=str(model.device),
        bos=prompt.bos,
        options=options,
    )


def finite(array: np.ndarray, what: str) -> np.ndarray:
    """Return `array` if every number in it is finite; otherwise raise MetricError, for a blank cell says nothing."""
    bad = ~np.isfinite(array)
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        raise MetricError(
            f"{int(bad.sum())} of {array.size} numbers of the {what} are not finite (the first at {where}). "
            "The model overflows on this prompt in its precision: load it with dtype float32."
        )
    return array


def top_rows(frame: pd.DataFrame, column: str, k: int) -> pd.DataFrame:
    """The k rows with the largest magnitude in `column`, largest first; ties keep their order."""
    k = positive(k, "k")
    order = frame[column].abs().sort_values(ascending=False, kind="stable").index
    return frame.loc[order[:k]].reset_index(drop=True)


def answer_tokens(
    model, prompt: Prompt, answer, contrast, metric: str, without: tuple[str, ...] = ("kl",)
) -> tuple[AnswerToken | None, AnswerToken | None]:
    """The tokens that a metric is about. Raises MetricError if it is missing and the metric not in `without`."""
    if answer is None and metric not in without:
        others = " or ".join(without)
        raise MetricError(
            f"The metric {metric} is about an answer token. Name one, such as “ Paris”, or choose {others}."
        )
    answer = None if answer is None else model.answer(answer, prompt)
    return answer, None if contrast is None else model.answer(contrast, prompt, "contrast")


def answer_options(answer: AnswerToken | None, contrast: AnswerToken | None) -> dict:
    """Both tokens as a result records them."""
    return {
        "answer": answer and answer.id,
        "contrast": contrast and contrast.id,
        "answer_token": token_name(answer),
        "contrast_token": token_name(contrast),
    }


def token_name(answer: AnswerToken | None) -> str:
    """A token for a title or an export."""
    return "" if answer is None else answer.display


def to_numpy(tensor) -> np.ndarray:
    """A float32 numpy copy of a tensor."""
    return tensor.detach().float().cpu().numpy()
