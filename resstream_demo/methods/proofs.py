"""Cells whose results are known beforehand. They run in the same sweep as the others and become its receipts.

A sweep whose edits were lost, put at the wrong place or taken from the wrong run would still give plausible
numbers. These cells would not.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from ..core.cells import Cell, Edit, head_first
from ..core.receipts import Receipt, receipt
from ..core.trace import HEAD_SITES, Trace
from ..core.words import say


@dataclass(frozen=True, eq=False)
class Proof:
    """One receipt to be: a cell, and what its value must equal: a number, or another cell's value."""

    name: str
    detail: str
    cell: Cell
    expected: float | Cell

    @property
    def cells(self) -> list[Cell]:
        return [self.cell, self.expected] if isinstance(self.expected, Cell) else [self.cell]


def proof_cells(proofs: list[Proof]) -> list[Cell]:
    """The cells to append to a sweep."""
    return [cell for proof in proofs for cell in proof.cells]


def proof_receipts(proofs: list[Proof], values, dtype: str) -> tuple[Receipt, ...]:
    """Receipts from the values of `proof_cells`, in that order."""
    found, at = [], 0
    for proof in proofs:
        expected = float(values[at + 1]) if isinstance(proof.expected, Cell) else proof.expected
        found.append(receipt(proof.name, float(values[at]), expected, dtype, proof.detail))
        at += len(proof.cells)
    return tuple(found)


def self_proof(base: Trace, site: str, base_value: float) -> Proof:
    """The site's own values put back at all positions (and heads) of the middle layer: must change nothing."""
    layer = _middle(base)
    return Proof(
        say("self-patch effect"),
        say(
            "The run's own {site} put back at layer {layer}, all positions: must change nothing.",
            site=site,
            layer=layer,
        ),
        _everywhere(base, site, layer, head_first(base, site, layer)),
        base_value,
    )


def transfer_proof(base: Trace, source: Trace, site: str, source_value: float) -> Proof:
    """A site of the stream set so that the stream becomes the other run's: must give the other run's value."""
    layer = _middle(base)
    missing = {
        "attn_out": source.resid_mid[layer] - base.resid_pre[layer],
        "mlp_out": source.resid_post[layer] - base.resid_mid[layer],
    }
    values = missing[site] if site in missing else source.site(site, layer)
    how = say("set so that the stream becomes the other run's") if site in missing else say("copied from the other run")
    return Proof(
        say("whole-stream patch − other run"),
        say(
            "{site} {how} at layer {layer}, all positions: must give the other run's value.",
            site=site,
            how=how,
            layer=layer,
        ),
        _everywhere(base, site, layer, values[None]),
        source_value,
    )


def head_proof(adapter, base: Trace, site: str) -> Proof:
    """A site of all heads set to zero, against the same state brought about at another site.

    Without z, v or pattern a layer's attention writes its bias and nothing else; without q or k every head attends
    to all it may see alike.
    """
    layer = _middle(base)
    zero = torch.zeros_like(head_first(base, site, layer))
    cell = _everywhere(base, site, layer, zero)
    if site in ("q", "k"):
        alike = _everywhere(base, "pattern", layer, _uniform(base, layer))
        detail = say(
            "All {site} of layer {layer} set to zero, against every head attending to all positions alike.",
            site=site,
            layer=layer,
        )
        return Proof(say("{site} zeroed − uniform pattern", site=site), detail, cell, alike)
    write = adapter.attn_write(layer, torch.zeros_like(base.z[layer].transpose(0, 1)))
    detail = say(
        "All {site} of layer {layer} set to zero, against attn_out set to the layer's bias.", site=site, layer=layer
    )
    alone = _everywhere(base, "attn_out", layer, write.to(base.final.device)[None])
    return Proof(say("{site} zeroed − bias alone", site=site), detail, cell, alone)


def replaced_layer_proof(adapter, base: Trace, replacement: Tensor) -> Proof:
    """All heads of the middle layer replaced, against attn_out set to what the replacements would write.

    replacement: [L, H, T, d_head].
    """
    layer = _middle(base)
    cell = _everywhere(base, "z", layer, replacement[layer])
    write = adapter.attn_write(layer, replacement[layer].transpose(0, 1).contiguous())
    return Proof(
        say("all heads of a layer − their write"),
        say(
            "All heads of layer {layer} replaced one by one, against attn_out set to what the replacements write.",
            layer=layer,
        ),
        cell,
        _everywhere(base, "attn_out", layer, write.to(base.final.device)[None]),
    )


def _middle(base: Trace) -> int:
    return len(base.scales) // 2


def _everywhere(base: Trace, site: str, layer: int, values: Tensor) -> Cell:
    """A cell that edits a site at all positions, for all heads where it has them; values: [H or 1, T, width]."""
    positions = tuple(range(len(base.prompt)))
    heads = range(len(values)) if site in HEAD_SITES else (None,)
    return Cell(tuple(Edit(site, layer, head, positions, values[head or 0]) for head in heads))


def _uniform(base: Trace, layer: int) -> Tensor:
    """[H, T, T]: every row spread evenly over the positions it may see."""
    H, T = base.z.shape[1:3]
    seen = torch.ones(T, T, device=base.z.device).tril()
    return (seen / seen.sum(-1, keepdim=True)).to(base.z.dtype).expand(H, T, T)
