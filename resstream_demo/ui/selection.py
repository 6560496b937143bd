"""What is selected, shared by all tabs: a head picked in one is picked in the others."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Selection:
    """What a person has clicked on so far; None where nothing was clicked.

    layer: of the stream, −1 for the embedding. position: of a token. head: (layer, head). part: another
    component of the attribution, such as (3, "mlp").
    """

    layer: int | None = None
    position: int | None = None
    head: tuple[int, int] | None = None
    part: tuple[int, str] | None = None

    def at(self, layer: int, position: int) -> "Selection":
        return replace(self, layer=layer, position=position)

    def at_position(self, position: int) -> "Selection":
        return replace(self, position=position)

    def on_head(self, layer: int, head: int) -> "Selection":
        return replace(self, head=(layer, head), part=None)

    def on_part(self, layer: int, part: str) -> "Selection":
        return replace(self, part=(layer, part))
