"""Cells: what a sweep changes. A cell is a set of edits made in one run; a sweep is many cells."""

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor

from .trace import HEAD_SITES, Trace

# Where inside a layer an edit takes hold; what comes before it in the layer is as in the base run.
STAGE_PRE, STAGE_ATTENTION, STAGE_Z, STAGE_MID, STAGE_POST = range(5)
STAGES = {
    "resid_pre": STAGE_PRE,
    "q": STAGE_ATTENTION,
    "k": STAGE_ATTENTION,
    "v": STAGE_ATTENTION,
    "pattern": STAGE_ATTENTION,
    "z": STAGE_Z,
    "attn_out": STAGE_MID,
    "resid_mid": STAGE_MID,
    "mlp_out": STAGE_POST,
    "resid_post": STAGE_POST,
}


@dataclass(frozen=True, eq=False)
class Edit:
    """Replace an activation of one layer, and for head sites of one head, at some positions.

    positions: ascending. values: [len(positions), width], width d_model, d_head, or T for pattern rows.
    """

    site: str
    layer: int
    head: int | None
    positions: tuple[int, ...]
    values: Tensor


@dataclass(frozen=True, eq=False)
class Cell:
    """Edits made together in one run. A cell without edits is the base run."""

    edits: tuple[Edit, ...]


def head_first(trace: Trace, site: str, layer: int) -> Tensor:
    """A layer of any site with a head axis: [H or 1, T, width]."""
    values = trace.site(site, layer)
    return values if site in HEAD_SITES else values[None]


def copy_cells(base: Trace, source: Trace, site: str, position_sets: Iterable[tuple[int, ...]]) -> list[Cell]:
    """Cells that copy `site` from one run into another of equal length, for every layer, head and position set.

    Order: layers, then heads (head sites only), then position sets. Positions where nothing changes are
    left out, so a cell that would change nothing has no edits: positions before the prompts' first
    difference, by causality, and any position where the two activations are equal.
    """
    position_sets = list(position_sets)
    first = _first_difference(base.prompt.ids, source.prompt.ids)
    cells = []
    for layer in range(len(base.scales)):
        new, old = head_first(source, site, layer), head_first(base, site, layer)
        changed = (new != old).any(-1)
        changed[:, :first] = False
        for head, changed_here in enumerate(changed.tolist()):
            for positions in position_sets:
                kept = tuple(p for p in positions if changed_here[p])
                edit = Edit(site, layer, head if site in HEAD_SITES else None, kept, _rows(new[head], kept))
                cells.append(Cell((edit,) if kept else ()))
    return cells


def _rows(values: Tensor, positions: tuple[int, ...]) -> Tensor:
    if len(positions) == 1:
        return values[positions[0] : positions[0] + 1]
    return values[torch.tensor(positions, dtype=torch.long, device=values.device)]


def _first_difference(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y), len(a))
