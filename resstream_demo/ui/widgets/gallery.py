"""A row of cards to choose from, each with a title and one line of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .base import Widget


@dataclass(frozen=True)
class Card:
    """One thing to choose. key: its name for the program; every card of a gallery has its own."""

    key: str
    title: str
    line: str = ""


@dataclass(frozen=True)
class GalleryData:
    """What a `Gallery` draws. title: what is chosen here, printed before the cards."""

    cards: Sequence[Card]
    title: str = ""

    def __post_init__(self) -> None:
        keys = [card.key for card in self.cards]
        if len(set(keys)) != len(keys):
            raise ValueError(f"Two cards have the same key: {sorted(k for k in keys if keys.count(k) > 1)[0]!r}.")

    def payload(self) -> dict[str, Any]:
        """JSON-able form."""
        return {"title": self.title, "cards": [[card.key, card.title, card.line] for card in self.cards]}


class Gallery(Widget):
    """Cards in a row that scrolls sideways. Value: `GalleryData`. Marks: `selected=key` (None for none).

    `gallery.select(handler)` calls `handler(event: gr.SelectData)` with `event.index` the card's place and
    `event.value` its key. Arrow keys move between cards, Enter chooses.
    """

    SCRIPTS = ("gallery.js",)
    STYLE = "gallery.css"
    ACCEPTS = GalleryData
