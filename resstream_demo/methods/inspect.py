"""A closer look at one cell of a sweep: what the model would say after that one edit."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from ..core.cells import Cell, Edit, head_first
from ..core.errors import OptionError
from ..core.metrics import log_probs
from ..core.names import choose, parse_head, parse_heads, parse_positions
from ..core.sweep import sweep
from ..core.trace import HEAD_SITES, SITES
from ..core.words import say
from .ablation import KINDS, ablation_cell, reference_of, replacement_of
from .patching import DIRECTIONS, check_equal_length


@dataclass(frozen=True, eq=False)
class Predictions:
    """The k likeliest next tokens after a run, likeliest first, and any others asked for. ids, probs: [k or more].
    tokens: display strings."""

    ids: np.ndarray
    probs: np.ndarray
    tokens: tuple[str, ...]


@torch.no_grad()
def run_predictions(model, prompt, *, k: int = 8, also: Sequence[int] = (), bos: bool = True) -> Predictions:
    """The k likeliest tokens after a prompt, as it is. also: ids that are listed too, wherever they come."""
    return _predictions(model, log_probs(model.adapter, model.trace(prompt, bos).final[-1:])[0], k, also)


@torch.no_grad()
def patched_predictions(
    model,
    clean,
    corrupted,
    *,
    site: str,
    layer: int,
    head: int | None = None,
    positions="all",
    direction: str = "denoising",
    k: int = 8,
    also: Sequence[int] = (),
    bos: bool = True,
) -> Predictions:
    """The k likeliest tokens after one patched run of `activation_patching`.

    site, layer, head (sites of heads only), positions ("all" or a list), direction: the cell, named as there. also:
    ids that are listed too, wherever they come. Raises PromptError if the prompts differ in length, OptionError for a
    cell that does not exist.
    """
    choose(site, SITES, say("site"))
    choose(direction, DIRECTIONS, say("direction"))
    runs = [model.trace(prompt, bos) for prompt in (clean, corrupted)]
    check_equal_length(*(run.prompt for run in runs))
    source, base = runs if direction == "denoising" else reversed(runs)
    place = _head(model, site, layer, head)
    T = len(base.prompt)
    where = tuple(range(T)) if positions == "all" else parse_positions(positions, T)
    values = head_first(source, site, layer)[place or 0, list(where)]
    cell = Cell((Edit(site, layer, place, where, values),))
    return _predictions(model, sweep(model, base, [cell], _last_log_probs(model))[0], k, also)


@torch.no_grad()
def ablated_predictions(
    model,
    prompt,
    heads: str | Sequence,
    *,
    kind: str = "zero",
    positions: str | Sequence[int] = "all",
    reference=None,
    k: int = 8,
    also: Sequence[int] = (),
    bos: bool = True,
) -> Predictions:
    """The k likeliest tokens after a prompt with these heads removed together.

    heads, kind, positions, reference: as in `head_ablation`. also: ids that are listed too, wherever they come. Raises
    OptionError or PromptError for their inputs.
    """
    choose(kind, KINDS, say("ablation kind"))
    run = model.trace(prompt, bos)
    removed = parse_heads(heads, model.n_layers, model.n_heads)
    T = len(run.prompt)
    if isinstance(positions, str):
        choose(positions, ("all",), say("positions"))
        positions = range(T)
    replacement = replacement_of(model, run, kind, reference_of(model, run, kind, reference))
    cell = ablation_cell(run, removed, parse_positions(positions, T), replacement)
    return _predictions(model, sweep(model, run, [cell], _last_log_probs(model))[0], k, also)


def _head(model, site: str, layer: int, head: int | None) -> int | None:
    """The head of a cell, checked: None for a site of the stream."""
    if site in HEAD_SITES:
        if head is None:
            raise OptionError(
                say("The site {site} belongs to a head. Name one, 0–{last}.", site=site, last=model.n_heads - 1)
            )
        return parse_head((layer, head), model.n_layers, model.n_heads)[1]
    if head is not None:
        raise OptionError(say("The site {site} has no heads. Leave the head out.", site=site))
    parse_head((layer, 0), model.n_layers, model.n_heads)
    return None


def _last_log_probs(model):
    return lambda finals: log_probs(model.adapter, finals[:, -1])


def _predictions(model, logp: torch.Tensor, k: int, also: Sequence[int] = ()) -> Predictions:
    first = logp.topk(min(k, len(logp))).indices.tolist()
    rest = sorted(set(also) - set(first), key=lambda i: -float(logp[i]))
    ids = [*first, *rest]
    return Predictions(np.array(ids), logp[ids].exp().cpu().numpy(), tuple(model.show(i) for i in ids))
