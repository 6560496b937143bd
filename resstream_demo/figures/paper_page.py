"""A page on which a picture is laid out: text, blocks of colour and lines, in points from the top left corner."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

INK, SOFT, ALARM, RULE, WHITE = "#111318", "#4a5160", "#b00020", "#9aa1ad", "#ffffff"
BASELINE = 0.36  # of the size, below the middle of a line of text


@dataclass(frozen=True)
class Text:
    """One line of literal text. (x, y): where its baseline starts, for align "right" where it ends, for "center" its
    middle. upward: turned to read from below to above."""

    x: float
    y: float
    text: str
    size: float
    colour: str = INK
    align: str = "left"
    mono: bool = False
    bold: bool = False
    upward: bool = False


@dataclass(frozen=True, eq=False)
class Blocks:
    """n rectangles of one size. x, y [n]: their top left corners. colours [n, 3]. seam: the colour and width of the
    lines between them; None for none, each then reaches a little under those after it to its right and below it, so
    that nothing shines through between them."""

    x: np.ndarray
    y: np.ndarray
    width: float
    height: float
    colours: np.ndarray
    seam: tuple[str, float] | None = None


@dataclass(frozen=True)
class Line:
    """A line through points (x, y)."""

    points: tuple[tuple[float, float], ...]
    colour: str = RULE
    width: float = 0.5
    dashed: bool = False


@dataclass
class Page:
    """What is to be drawn, in order; `width` and `height` in points."""

    width: float
    height: float = 0.0
    items: list[Text | Blocks | Line] = field(default_factory=list)

    def text(self, x: float, y: float, text: str, size: float, **style) -> None:
        """A line of text on the baseline y."""
        if text:
            self.items.append(Text(x, y, text, size, **style))

    def beside(self, x: float, middle: float, text: str, size: float, **style) -> None:
        """A line of text whose letters are centred on the height `middle`."""
        self.text(x, middle + BASELINE * size, text, size, **style)

    def below(self, middle: float, y: float, text: str, size: float, **style) -> None:
        """Text that reads upward, ends at the height y and is centred on the abscissa `middle`."""
        self.text(middle + BASELINE * size, y, text, size, align="right", upward=True, **style)

    def block(self, x: float, y: float, width: float, height: float, colour) -> None:
        """One rectangle."""
        self.items.append(Blocks(np.array([x]), np.array([y]), width, height, np.array([colour], dtype=float)))

    def blocks(self, x, y, width: float, height: float, colours, seam=None) -> None:
        """Rectangles of one size."""
        self.items.append(Blocks(np.asarray(x, float), np.asarray(y, float), width, height, colours, seam))

    def line(self, *points: tuple[float, float], **style) -> None:
        """A line through points."""
        self.items.append(Line(points, **style))

    def texts(self) -> Sequence[Text]:
        """All lines of text."""
        return [item for item in self.items if isinstance(item, Text)]
