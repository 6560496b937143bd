"""How numbers become colours on screen, and the legend that goes with them. The colours are `figures.colours`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from ...figures.colours import STOPS
from ...figures.numbers import format_number
from .format import drop_zeros, largest_magnitude, round_significant


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
