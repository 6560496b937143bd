"""Colour scales and the legend that goes with them.

Two scales, each with a light and a dark version whose weakest colour lies near the page's background, so
that "more colour" always means "further from zero". Both keep their order for people with red-green or
blue-yellow colour blindness: the diverging one runs orange to blue, the sequential one also darkens (or
brightens) steadily.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from ...figures.numbers import format_number
from .format import drop_zeros, largest_magnitude, round_significant

STOPS: dict[str, dict[str, tuple[str, ...]]] = {
    "diverging": {
        "light": ("#8a3800", "#c4600f", "#eaa25c", "#fad9b8", "#f7f7f5",
                  "#cadff0", "#86b4dc", "#3478b5", "#0d3f76"),
        "dark": ("#ffc07a", "#ea8c35", "#b3621b", "#63391a", "#23262e",
                 "#1f4468", "#2569a6", "#4f9ce0", "#a9d3ff"),
    },
    "sequential": {
        "light": ("#fbfbf4", "#e2f0d2", "#b4dcc3", "#74c0bd", "#3d9db6", "#2672a6", "#1f4687", "#16275a"),
        "dark": ("#20222c", "#2d3163", "#2f578b", "#28808e", "#2aa584", "#6cc862", "#bfdd45", "#fbe94a"),
    },
}  # fmt: skip


@dataclass(frozen=True)
class Scale:
    """How values become colours.

    kind: "diverging" (signed; symmetric about 0) or "sequential" (unsigned).
    label: what the numbers are, with their unit ("logit difference recovered", "probability").
    low, high: ends of the scale; None takes them from the values. A diverging scale uses the larger
      magnitude of the two on both sides. Pass the same ends to two pictures that will be compared.
    digits: precision of the numbers in the legend and in the cells' labels.
    """

    kind: Literal["diverging", "sequential"]
    label: str
    low: float | None = None
    high: float | None = None
    digits: int = 4

    def __post_init__(self) -> None:
        if self.kind not in STOPS:
            raise ValueError(f"Unknown kind of scale {self.kind!r}; use one of {sorted(STOPS)}.")

    @property
    def signed(self) -> bool:
        return self.kind == "diverging"

    def ends(self, values: Iterable[float | None]) -> tuple[float, float]:
        """(low, high) for these values."""
        present = [float(v) for v in values if v is not None]
        if self.signed:
            given = [v for v in (self.low, self.high) if v is not None]
            bound = largest_magnitude(given or present)
            return -bound, bound
        low = self.low if self.low is not None else min([0.0, *present])
        high = self.high if self.high is not None else max(present, default=low)
        return float(low), float(max(low, high))

    def payload(self, values: Iterable[float | None]) -> dict[str, Any]:
        """The legend: ends, three ticks with their text, and how many values lie beyond the ends."""
        values = [round_significant(v) for v in values]
        # Rounded like the values, so that the extreme value itself is never "beyond".
        low, high = (round_significant(end) for end in self.ends(values))
        ticks = [low, (low + high) / 2, high] if high > low else [low]
        return {
            "kind": self.kind,
            "label": self.label,
            "low": low,
            "high": high,
            "ticks": [drop_zeros(format_number(t, self.digits, signed=self.signed)) for t in ticks],
            "beyond": sum(v is not None and not low <= v <= high for v in values),
        }
