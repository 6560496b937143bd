"""The two colour scales, the same on screen and on paper.

Each has a light and a dark version whose weakest colour lies near the page's background, so that "more colour" always
means "further from zero". Both keep their order for people with red-green or blue-yellow colour blindness: the
diverging one runs orange to blue, the sequential one also darkens (or brightens) steadily.
"""

import numpy as np

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
DARK_INK, LIGHT_INK = "#111318", "#ffffff"


def colours(kind: str, shares: np.ndarray, theme: str = "light") -> np.ndarray:
    """The colours (red, green, blue; 0 to 1) at `shares` of the way along a scale, 0 to 1: [..., 3]."""
    stops = np.array([rgb(stop) for stop in STOPS[kind][theme]])
    places = np.linspace(0, 1, len(stops))
    return np.stack([np.interp(shares, places, stops[:, channel]) for channel in range(3)], axis=-1)


def rgb(text: str) -> tuple[float, float, float]:
    """A colour written as #rrggbb in numbers from 0 to 1."""
    return tuple(int(text[n : n + 2], 16) / 255 for n in (1, 3, 5))


def ink_on(colour) -> str:
    """Near-black or white, whichever stands out more on this colour (relative luminance as WCAG 2 defines it)."""
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in colour]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return DARK_INK if luminance > 0.194 else LIGHT_INK  # here both have a contrast of 4.3
