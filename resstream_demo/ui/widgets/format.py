"""Shortening numbers for transport and for legends. How a number is written is in `figures.numbers`."""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Integral


def drop_zeros(text: str) -> str:
    """A formatted number without decimals that are all zero at the end: "0.5000" reads "0.5"."""
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text and "<" not in text else text


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
