"""The tokens that the logit lens puts first, followed through all its rows at every position at once.

Only the columns of the unembedding that belong to these tokens are read, so this costs next to nothing beside the lens
itself. For ranks, and for any other tokens, see `lens_detail.lens_trajectories`.
"""

from dataclasses import dataclass

import numpy as np
import torch

from ..core.errors import OptionError
from ..core.words import say
from .lens import LensResult, lens_rows
from .lens_detail import always_first
from .results import finite, to_numpy


@dataclass(frozen=True, eq=False)
class LensPaths:
    """For each of T positions, the tokens that are first in any row there, each once, in the order in which they come
    first going up.

    ids: T tuples of token ids. probs: T arrays [R, n], the probabilities of these n tokens in every row.
    """

    ids: tuple[tuple[int, ...], ...]
    probs: tuple[np.ndarray, ...]


@torch.no_grad()
def first_paths(model, prompt, result: LensResult) -> LensPaths:
    """The paths of the tokens that a lens puts first.

    prompt: what `result` was made from, a recorded run best of all. Raises OptionError if it is another prompt.

    A cell's softmax divides by exp(logit of its first token) / p(first token), both of which are known; so a few logits
    are enough for exact probabilities.
    """
    trace = model.trace(prompt, result.prompt.bos)
    if trace.prompt.ids != result.prompt.ids:
        raise OptionError(say("This lens was made from another prompt. Give the prompt it was made from."))
    streams = torch.stack([x for *_, x in lens_rows(trace, result.sites)])
    scale = model.adapter.final_scale(trace.final) if result.norm == "final" else None
    normed = model.adapter.final_norm(streams, scale)  # [R, T, d_model]
    ids = tuple(always_first(result, t) for t in range(len(trace.prompt)))
    probs = tuple(_probs(model, normed[:, t], result, t, columns) for t, columns in enumerate(ids))
    for column in probs:
        finite(column, say("lens"))
    return LensPaths(ids, probs)


def _probs(model, normed: torch.Tensor, result: LensResult, position: int, ids: tuple[int, ...]) -> np.ndarray:
    """[R, n]: the probabilities of tokens at one position, from normalised rows [R, d_model]."""
    logits = to_numpy(model.adapter.unembed(normed, torch.tensor(ids))).astype(np.float64)
    place = np.array([ids.index(i) for i in result.top_ids[:, position, 0].tolist()])
    rows = np.arange(len(logits))
    divisor = logits[rows, place] - np.log(result.top_probs[:, position, 0].astype(np.float64))
    with np.errstate(invalid="ignore"):  # what is not finite is refused by name
        return np.exp(logits - divisor[:, None]).astype(np.float32)
