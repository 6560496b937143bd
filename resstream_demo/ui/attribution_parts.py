"""The parts that an attribution adds up: what they are called, and where each stands on the tab."""

from dataclasses import dataclass

import numpy as np

from ..core.names import head_label
from ..core.words import say
from ..figures.derived import attention_shares
from ..methods.attribution import AttributionResult
from .selection import Selection

Cell = tuple[int, int]  # of the grid: a layer, and a head or one of COLUMNS

OUTSIDE = -1  # the layer of what belongs to none
COLUMNS = ("bias", "mlp")  # of the grid, after the heads
BELOW, ABOVE = ("embed", "pos_embed"), ("ln_final bias", "unembed bias")  # components under and over the layers
NAMES = {
    "embed": say("token embedding"),
    "pos_embed": say("position embedding"),
    "ln_final bias": say("final norm’s bias"),
    "unembed bias": say("unembedding’s bias"),
}


@dataclass(frozen=True)
class Part:
    """A part of the sum.

    kind: "head"; of a layer "attention" (its heads and its bias together), "bias" (of its attention) or "mlp"; outside
    the layers, the component's own name. layer: OUTSIDE for those. head: of a head only.
    """

    kind: str
    layer: int = OUTSIDE
    head: int | None = None

    @property
    def name(self) -> str:
        """What it is called, in few words."""
        if self.kind == "head":
            return head_label(self.layer, self.head)
        if self.kind == "attention":
            return say("L{layer} attention", layer=self.layer)
        if self.kind == "bias":
            return say("L{layer} attention bias", layer=self.layer)
        return say("L{layer} MLP", layer=self.layer) if self.kind == "mlp" else NAMES[self.kind]


def components(result: AttributionResult) -> list[Part]:
    """The parts that the result names, in its order."""
    layers, heads = result.heads.shape
    found = [Part(kind) for kind in BELOW]
    for layer in range(layers):
        found += [Part("head", layer, head) for head in range(heads)]
        found += [Part("bias", layer), Part("mlp", layer)]
    return found + [Part(kind) for kind in ABOVE if kind in result.components]


def bars(result: AttributionResult) -> list[Part]:
    """The parts that the running sum is drawn in, from the embedding up: a layer's attention is one."""
    layers = range(len(result.mlps))
    found = [Part(kind) for kind in BELOW]
    found += [Part(kind, layer) for layer in layers for kind in ("attention", "mlp")]
    return found + [Part(kind) for kind in ABOVE if kind in result.components]


def of_layer(result: AttributionResult, layer: int) -> list[Part]:
    """The heads of a layer and the bias of its attention, the largest contribution first."""
    found = [*(Part("head", layer, head) for head in range(result.heads.shape[1])), Part("bias", layer)]
    return sorted(found, key=lambda part: -abs(value(result, part)))


def value(result: AttributionResult, part: Part) -> float:
    """What a part contributes, in logits."""
    if part.kind == "head":
        return float(result.heads[part.layer, part.head])
    if part.layer == OUTSIDE:
        return float(result.values[result.components.index(part.kind)])
    by_layer = {"attention": attention_shares, "bias": lambda r: r.attn_bias, "mlp": lambda r: r.mlps}
    return float(by_layer[part.kind](result)[part.layer])


# --- where a part stands -------------------------------------------------------------------------------------


def part_of(result: AttributionResult, cell: Cell) -> Part:
    """The part in a cell of the grid."""
    layer, column = cell
    heads = result.heads.shape[1]
    return Part("head", layer, column) if column < heads else Part(COLUMNS[column - heads], layer)


def cell_of(result: AttributionResult, part: Part) -> Cell | None:
    """The cell of a part in the grid; None where it has none of its own."""
    if part.kind == "head":
        return part.layer, part.head
    return (part.layer, result.heads.shape[1] + COLUMNS.index(part.kind)) if part.kind in COLUMNS else None


def bar_of(result: AttributionResult, part: Part) -> int:
    """The index of the bar that a part is, or is in."""
    within = Part("attention", part.layer) if part.kind in ("head", "bias") else part
    return bars(result).index(within)


# --- the shared selection ------------------------------------------------------------------------------------


def selected(result: AttributionResult, selection: Selection) -> Part:
    """The part that the shared selection means here: the largest head if it means none."""
    layers, heads = result.heads.shape
    if selection.part is not None:
        layer, kind = selection.part
        part = Part(kind, layer)
        if part in bars(result) or (kind == "bias" and 0 <= layer < layers):
            return part
    if selection.head is not None and selection.head[0] < layers and selection.head[1] < heads:
        return Part("head", *selection.head)
    return Part("head", *(int(i) for i in np.unravel_index(np.abs(result.heads).argmax(), result.heads.shape)))


def select(selection: Selection, part: Part) -> Selection:
    """The shared selection with this part."""
    return selection.on_head(part.layer, part.head) if part.kind == "head" else selection.on_part(part.layer, part.kind)
