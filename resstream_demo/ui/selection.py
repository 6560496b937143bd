"""What is selected, shared by all tabs: a head picked in one is picked in the others."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

Head = tuple[int, int]  # layer, head


@dataclass(frozen=True)
class Selection:
    """What a person has clicked on so far; None, or nothing, where nothing was clicked.

    layer: of the stream, −1 for the embedding. position: of a token. head: (layer, head). part: another
    component of the attribution, such as (3, "mlp"). heads: those to be removed together. pinned: ids of the tokens
    that are followed through the layers, in groups that count as one.
    """

    layer: int | None = None
    position: int | None = None
    head: Head | None = None
    part: tuple[int, str] | None = None
    heads: tuple[Head, ...] = ()
    pinned: tuple[tuple[int, ...], ...] = ()

    def at(self, layer: int, position: int) -> "Selection":
        return replace(self, layer=layer, position=position)

    def at_position(self, position: int) -> "Selection":
        return replace(self, position=position)

    def on_head(self, layer: int, head: int) -> "Selection":
        return replace(self, head=(layer, head), part=None)

    def on_part(self, layer: int, part: str) -> "Selection":
        return replace(self, part=(layer, part))

    def with_heads(self, heads: Iterable[Head]) -> "Selection":
        """Exactly these heads, each once, in order."""
        return replace(self, heads=tuple(sorted({(int(layer), int(head)) for layer, head in heads})))

    def heads_of(self, n_layers: int, n_heads: int) -> tuple[Head, ...]:
        """The set of heads as far as a model has them."""
        return tuple(head for head in self.heads if head[0] < n_layers and head[1] < n_heads)

    def pin(self, ids: Iterable[int]) -> "Selection":
        """Follow a group of tokens as well; a group that is followed already stays where it is."""
        group = tuple(sorted({int(i) for i in ids}))
        return self if group in self.pinned else replace(self, pinned=(*self.pinned, group))

    def unpin(self, place: int) -> "Selection":
        """No longer follow the group at a place; nothing if there is none."""
        return replace(self, pinned=tuple(group for n, group in enumerate(self.pinned) if n != place))
