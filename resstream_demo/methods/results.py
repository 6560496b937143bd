"""What every result carries: how it was made, and how its rows are ranked."""

from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from ..core.errors import MetricError, PromptError
from ..core.names import positive
from ..core.tokens import AnswerToken, Prompt
from ..core.words import joined, say
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


def reads_back(model, prompt: Prompt, bos: bool) -> bool:
    """Whether the text of a prompt, read with or without BOS, gives its ids; that of a prompt given as ids may not."""
    try:
        return model.tokenize(prompt.text, bos).ids == prompt.ids
    except PromptError:
        return False


def given_as_ids(model, bos: bool, **prompts: Prompt) -> dict[str, list[str]]:
    """As an option of a run: which prompts are known by their ids only, {} if none. `bos`: how the texts are read."""
    names = [name for name, prompt in prompts.items() if not reads_back(model, prompt, bos)]
    return {"given_as_ids": names} if names else {}


def finite(array: np.ndarray, what: str) -> np.ndarray:
    """Return `array` if every number in it is finite; otherwise raise MetricError, for a blank cell says nothing."""
    bad = ~np.isfinite(array)
    if bad.any():
        where = tuple(int(i) for i in np.argwhere(bad)[0])
        raise MetricError(
            say(
                "{bad} of {all} numbers of the {what} are not finite (the first at {where}). The model overflows on "
                "this prompt in its precision: load it with dtype float32.",
                bad=int(bad.sum()),
                all=array.size,
                what=what,
                where=where,
            )
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
        raise MetricError(
            say(
                "The metric {metric} is about an answer token. Name one, such as “ Paris”, or choose {others}.",
                metric=metric,
                others=joined(without, " or "),
            )
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
