"""The tokens of a prompt, each with its position, as a row of chips."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from .base import Widget


@dataclass(frozen=True)
class TokenStripData:
    """What a `TokenStrip` draws. T tokens, keyed by position, so equal tokens stay apart.

    tokens: T display strings. label: whose tokens these are ("Clean").
    details: T sentences with the raw token and its id, shown on hover.
    differs: positions that differ from the other prompt; shown by "≠" and an underline.
    special: positions of special tokens such as BOS; shown with a dashed border.
    differs_word: what "≠" means, for screen readers.
    """

    tokens: Sequence[str]
    label: str = ""
    details: Sequence[str] | None = None
    differs: Collection[int] = ()
    special: Collection[int] = ()
    differs_word: str = "differs from the other prompt"

    def __post_init__(self) -> None:
        if self.details is not None and len(self.details) != len(self.tokens):
            raise ValueError(f"details has {len(self.details)} entries for {len(self.tokens)} tokens.")

    def payload(self) -> dict[str, Any]:
        """JSON-able form."""
        return {
            "label": self.label,
            "tokens": list(self.tokens),
            "details": None if self.details is None else list(self.details),
            "differs": sorted(int(p) for p in self.differs),
            "special": sorted(int(p) for p in self.special),
            "differsWord": self.differs_word,
        }


class TokenStrip(Widget):
    """Clickable token chips. Value: `TokenStripData`. Marks: `selected=position`, `stale`.

    `strip.select(handler)` calls `handler(event: gr.SelectData)` with `event.index` the position and
    `event.value` the token's display string.
    """

    SCRIPTS = ("options.js", "token_strip.js")
    STYLE = "token_strip.css"
    ACCEPTS = TokenStripData
