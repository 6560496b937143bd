"""Axes of the drawn charts: their ends, their ticks, and where along them a value lies.

Positions travel to the browser as shares of the axis (0 at its start, 1 at its end), so that the scripts draw and
compute nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from ...figures.numbers import MINUS, format_error


@dataclass(frozen=True)
class Axis:
    """An axis. kind: "linear", or "rank": places counted from 1 on a logarithmic axis that ends at the first place.

    low, high: its ends, with low < high. step: distance of the ticks of a linear axis. label: what it measures.
    """

    kind: Literal["linear", "rank"]
    low: float
    high: float
    step: float
    label: str = ""

    def share(self, value: float) -> float:
        """Where `value` lies: 0 at the start of the axis, 1 at its end, to four digits."""
        if self.kind == "rank":
            along = 1 - math.log(value) / math.log(self.high)
        else:
            along = (value - self.low) / (self.high - self.low)
        return round(along, 4)

    def payload(self) -> dict[str, Any]:
        """JSON-able form: the label, the ticks as [share, text], and the share of zero if it is on the axis."""
        return {
            "label": self.label,
            "ticks": [[self.share(v), text] for v, text in self.ticks()],
            "zero": self.share(0.0) if self.kind == "linear" and self.low <= 0 <= self.high else None,
        }

    def ticks(self) -> list[tuple[float, str]]:
        """Round values from end to end, and their text."""
        if self.kind == "rank":
            powers = range(int(math.log10(self.high)) + 1)
            return [(10**n, f"{10**n:,}") for n in powers]
        first, last = math.ceil(self.low / self.step - 1e-9), math.floor(self.high / self.step + 1e-9)
        return [(n * self.step, _tick_text(n * self.step, self.step)) for n in range(first, last + 1)]


def linear_axis(
    values: Iterable[float | None],
    label: str = "",
    *,
    low: float | None = None,
    high: float | None = None,
    tight: bool = False,
) -> Axis:
    """An axis that holds all `values`, zero, and the ends asked for. Ends not asked for are widened to a tick, unless
    it is to be tight."""
    present = [0.0, *(float(v) for v in values if v is not None)]
    least = min(present if low is None else [low, *present])
    most = max(present if high is None else [high, *present])
    if least == most:
        most = least + 1.0
    step = _nice_step(most - least)
    if not tight and (low is None or least < low):
        least = math.floor(least / step + 1e-9) * step
    if not tight and (high is None or most > high):
        most = math.ceil(most / step - 1e-9) * step
    return Axis("linear", least, most, step, label)


def rank_axis(values: Iterable[float | None], label: str = "") -> Axis:
    """A logarithmic axis for places, which are counted from 1; the first place is at its end."""
    return Axis("rank", 1.0, max([10.0, *(float(v) for v in values if v is not None)]), 1.0, label)


def _nice_step(span: float, about: int = 5) -> float:
    """The round number that splits `span` into about so many parts."""
    power = 10.0 ** math.floor(math.log10(span / about))
    return next(m * power for m in (1, 2, 2.5, 5, 10) if span / (m * power) <= about + 0.5)


def _tick_text(value: float, step: float) -> str:
    if abs(value) < step / 2:
        return "0"
    if step >= 1e6 or step < 1e-4:
        return format_error(value)
    decimals = next(d for d in range(8) if math.isclose(round(step, d), step, rel_tol=1e-6))
    return (MINUS if value < 0 else "") + f"{abs(value):,.{decimals}f}"
