"""The few words that widgets say by themselves. Replace them to translate a widget.

A "{n}", "{x}" or "{name}" in them is replaced in the browser, as text.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ...core.words import say


@dataclass(frozen=True)
class FrameWords:
    """Words around every picture. table: the button that swaps the picture for a table of its numbers."""

    table: str = say("Table")
    stale: str = say("The inputs or options have changed since this was computed. Run again to update it.")

    def payload(self) -> dict[str, Any]:
        """JSON-able form."""
        return asdict(self)
