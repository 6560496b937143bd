"""Checking and shortening what travels to a browser. How a number is written is in `figures.numbers`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from numbers import Integral

from ...figures.numbers import MINUS

HoverLine = str | tuple[str, str]  # a sentence, or a (name, number) pair set in two columns


def drop_zeros(text: str) -> str:
    """A formatted number without decimals that are all zero at the end: "0.5000" reads "0.5"."""
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text and "<" not in text else text


def fixed(x: float, decimals: int) -> str:
    """`x` with its sign and so many decimals; what would round to zero says that it is small: "+<0.01"."""
    if x == 0:
        return "0"
    least = 10.0**-decimals
    size = f"<{least:.{decimals}f}" if abs(x) < least / 2 else f"{abs(x):,.{decimals}f}"
    return (MINUS if x < 0 else "+") + size


def round_significant(x: float | None, figures: int = 4) -> float | int | None:
    """`x` shortened to `figures` significant figures, for sending to a browser; None stays None.

    Raises ValueError for NaN and infinities: a picture has no honest colour for them, so whoever draws one
    says why there is no value instead.
    """
    if x is None:
        return None
    if isinstance(x, Integral):
        return int(x)
    x = float(x)
    if not math.isfinite(x):
        raise ValueError(f"{x} cannot be drawn; pass None and give the reason.")
    return float(f"{x:.{figures - 1}e}")


def largest_magnitude(values: Iterable[float | None]) -> float:
    """The largest |v|, ignoring None; 0.0 when there is none."""
    return max((abs(float(v)) for v in values if v is not None), default=0.0)


def check_finite(value: float | None, where: str, advice: str = "") -> None:
    """Raise ValueError, saying where and what to do, if `value` is NaN or infinite."""
    if value is not None and not math.isfinite(float(value)):
        raise ValueError(f"The value {where} is {float(value)}; it cannot be drawn. {advice}".rstrip())


def hover_lines(lines: Sequence[HoverLine]) -> list[str | list[str]]:
    """The JSON-able form of a popup's lines."""
    return [line if isinstance(line, str) else list(line) for line in lines]
