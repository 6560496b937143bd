"""Type for pictures: fonts that have the characters, text measured and cut to fit.

Every text is drawn literally. A character that no font at hand has is written by its code, `⟨U+1F642⟩`, for an empty
box would say nothing. The first two families come with matplotlib, so that pictures look the same everywhere.
"""

from functools import cache, lru_cache

from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font

from .paper_words import visible

SANS, MONO = "DejaVu Sans", "DejaVu Sans Mono"
OTHERS = (  # for scripts that the two lack; whichever are installed. No colour fonts: matplotlib cannot draw them
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans SC", "Source Han Sans SC", "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei", "Droid Sans Fallback", "Microsoft YaHei", "PingFang SC", "Hiragino Sans GB", "SimHei",
    "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari", "Noto Sans Thai", "Noto Sans Symbols",
    "Noto Sans Symbols 2", "Noto Emoji", "Symbola", "Segoe UI Symbol", "Arial Unicode MS",
)  # fmt: skip
ASCENT, DESCENT, CAPITAL = 0.76, 0.24, 0.73  # of the size, for the first two families
_MEASURE_DPI = 576  # fine enough that rounding to whole pixels does not matter


@cache
def families(mono: bool) -> tuple[str, ...]:
    """The families to look for a character in, in order; all of them are installed."""
    installed = set(fontManager.get_font_names())
    return ((MONO, SANS) if mono else (SANS, MONO)) + tuple(name for name in OTHERS if name in installed)


@lru_cache(maxsize=1 << 16)
def _has_glyph(char: str) -> bool:
    return any(
        get_font(findfont(_properties((family,), 10, False))).get_char_index(ord(char)) for family in families(False)
    )


def literal(text: str) -> str:
    """The text with each character that cannot be drawn written by its code."""
    return "".join(visible(char) if _has_glyph(char) else f"⟨U+{ord(char):04X}⟩" for char in text)


@lru_cache(maxsize=256)
def font(size: float, *, mono: bool = False, bold: bool = False) -> FontProperties:
    """A font of `size` points with all fallbacks. Independent of matplotlib's settings."""
    return _properties(families(mono), size, bold)


def _properties(names: tuple[str, ...], size: float, bold: bool) -> FontProperties:
    return FontProperties(
        family=list(names),
        style="normal",
        variant="normal",
        weight="bold" if bold else "normal",
        stretch="normal",
        size=size,
        math_fontfamily="dejavusans",
    )


class Ruler:
    """Measures text in points. One for each picture; nothing is shared."""

    def __init__(self):
        self._renderer = RendererAgg(1, 1, _MEASURE_DPI)
        self._widths: dict[tuple[str, float, bool, bool], float] = {}

    def width(self, text: str, size: float, *, mono: bool = False, bold: bool = False) -> float:
        """The width of a text, which must be `literal`."""
        key = (text, size, mono, bold)
        if key not in self._widths:
            prop = font(size, mono=mono, bold=bold)
            pixels = self._renderer.get_text_width_height_descent(text, prop, ismath=False)[0] if text else 0.0
            self._widths[key] = pixels * 72 / _MEASURE_DPI
        return self._widths[key]

    def cut(self, text: str, size: float, room: float, *, mono: bool = False) -> str:
        """The text if it fits into `room`, else its beginning with “…”, or "" if not even one character fits."""
        text = literal(text)
        if self.width(text, size, mono=mono) <= room:
            return text
        fits, too_long = 0, len(text)
        while too_long - fits > 1:
            middle = (fits + too_long) // 2
            if self.width(text[:middle] + "…", size, mono=mono) <= room:
                fits = middle
            else:
                too_long = middle
        return text[:fits] + "…" if fits else ""

    def wrap(self, text: str, size: float, room: float, *, bold: bool = False) -> list[str]:
        """The text in lines that fit into `room`, broken at spaces where there are any."""
        lines, line = [], ""
        for word in literal(text).split(" "):
            longer = f"{line} {word}" if line else word
            if self.width(longer, size, bold=bold) <= room:
                line = longer
                continue
            if line:
                lines.append(line)
            *full, line = self._broken(word, size, room, bold)
            lines += full
        return [*lines, line]

    def _broken(self, word: str, size: float, room: float, bold: bool) -> list[str]:
        """A word in pieces that fit."""
        pieces, piece = [], ""
        for char in word:
            if piece and self.width(piece + char, size, bold=bold) > room:
                pieces.append(piece)
                piece = ""
            piece += char
        return [*pieces, piece]
