"""Numbers as people read them: one set of rules for screens, tables and figures.

Nothing here computes a result; these functions only turn numbers into text.
"""

import math
from numbers import Integral

from ..core.words import say

MINUS = "−"  # U+2212, as wide as "+", so that signed columns line up
LARGEST_PLAIN = 1e6  # from here on a number is written with an exponent


def format_number(x: float | None, digits: int = 4, *, signed: bool = False) -> str:
    """Text for `x`: `digits` decimals below 1, `digits` significant figures above.

    A non-zero number too small for the printed precision reads "<0.0001" (negative: "−<0.0001", "minus less than"),
    never "0.0000"; zero itself reads "0". Integers keep every figure ("50,257"). `signed` puts a "+" before positive
    numbers. None reads "–".
    """
    if x is None:
        return "–"
    if isinstance(x, Integral):
        return _sign(x, signed) + f"{abs(int(x)):,}"
    x = float(x)
    if math.isnan(x):
        return say("not a number")
    return "0" if x == 0 else _sign(x, signed) + _magnitude(abs(x), digits)


def format_error(x: float) -> str:
    """Text for a numerical error such as a receipt's: "exactly 0", "2.1e−6", "0.12"."""
    x = float(x)
    if not math.isfinite(x) or x == 0 or abs(x) >= 0.01:
        return say("exactly 0") if x == 0 else format_number(x, 2)
    mantissa, exponent = f"{abs(x):.1e}".split("e")
    return f"{_sign(x, False)}{mantissa}e{MINUS if int(exponent) < 0 else ''}{abs(int(exponent))}"


def format_share(x: float) -> str:
    """Text for a share of a whole, in per cent: "84 %", "3.2 %", "<0.1 %".

    What is not all of it never reads "100 %".
    """
    x = float(x)
    if not math.isfinite(x):
        return format_number(x)
    percent = abs(x) * 100
    if percent == 0:
        return "0 %"
    if percent < 0.1:
        return f"{_sign(x, False)}<0.1 %"
    decimals = 1 if percent < 10 else 0
    if percent < 100 <= round(percent, decimals):
        return (
            f"{_sign(x, False)}{math.floor(percent * 10) / 10:.1f} %"
            if percent < 99.95
            else f"{_sign(x, False)}>99.9 %"
        )
    return f"{_sign(x, False)}{percent:,.{decimals}f} %"


def _sign(x: float, signed: bool) -> str:
    if x < 0:
        return MINUS
    return "+" if signed and x > 0 else ""


def _magnitude(x: float, digits: int) -> str:
    if math.isinf(x):
        return "∞"
    if x < 10**-digits:
        return f"<{10**-digits:.{digits}f}"
    if x >= LARGEST_PLAIN:
        mantissa, exponent = f"{x:.{max(digits - 1, 0)}e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    whole_figures = max(math.floor(math.log10(x)), 0)
    return f"{x:.{max(digits - whole_figures - (x >= 1), 0)}f}"
