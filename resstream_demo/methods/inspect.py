"""A closer look at one cell of a sweep: what the model would say after that one edit."""

from dataclasses import dataclass

import numpy as np
import torch

from ..core.cells import Cell, Edit, head_first
from ..core.errors import OptionError
from ..core.metrics import log_probs
from ..core.names import choose, parse_head, parse_positions
from ..core.sweep import sweep
from ..core.trace import HEAD_SITES, SITES
from .patching import DIRECTIONS, check_equal_length


@dataclass(frozen=True, eq=False)
class Predictions:
    """The k likeliest next tokens after a run, likeliest first. ids, probs: [k]. tokens: display strings."""

    ids: np.ndarray
    probs: np.ndarray
    tokens: tuple[str, ...]


@torch.no_grad()
def run_predictions(model, prompt, *, k: int = 8, bos: bool = True) -> Predictions:
    """The k likeliest tokens after a prompt, as it is."""
    return _predictions(model, log_probs(model.adapter, model.trace(prompt, bos).final[-1:])[0], k)


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
    bos: bool = True,
) -> Predictions:
    """The k likeliest tokens after one patched run of `activation_patching`.

    site, layer, head (sites of heads only), positions ("all" or a list), direction: the cell, named as there. Raises
    PromptError if the prompts differ in length, OptionError for a cell that does not exist.
    """
    choose(site, SITES, "site")
    choose(direction, DIRECTIONS, "direction")
    runs = [model.trace(prompt, bos) for prompt in (clean, corrupted)]
    check_equal_length(*(run.prompt for run in runs))
    source, base = runs if direction == "denoising" else reversed(runs)
    place = _head(model, site, layer, head)
    T = len(base.prompt)
    where = tuple(range(T)) if positions == "all" else parse_positions(positions, T)
    values = head_first(source, site, layer)[place or 0, list(where)]
    cell = Cell((Edit(site, layer, place, where, values),))
    return _predictions(model, sweep(model, base, [cell], _last_log_probs(model))[0], k)


def _head(model, site: str, layer: int, head: int | None) -> int | None:
    """The head of a cell, checked: None for a site of the stream."""
    if site in HEAD_SITES:
        if head is None:
            raise OptionError(f"The site {site} belongs to a head. Name one, 0–{model.n_heads - 1}.")
        return parse_head((layer, head), model.n_layers, model.n_heads)[1]
    if head is not None:
        raise OptionError(f"The site {site} has no heads. Leave the head out.")
    parse_head((layer, 0), model.n_layers, model.n_heads)
    return None


def _last_log_probs(model):
    return lambda finals: log_probs(model.adapter, finals[:, -1])


def _predictions(model, logp: torch.Tensor, k: int) -> Predictions:
    top, ids = logp.topk(min(k, len(logp)))
    ids = ids.cpu().numpy()
    return Predictions(ids, top.exp().cpu().numpy(), tuple(model.show(i) for i in ids))
