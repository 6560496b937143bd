"""One dot per head: two numbers of each, compared with each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...core.words import say
from ...figures.numbers import format_number
from .axis import linear_axis
from .base import Widget
from .format import HoverLine, check_finite, hover_lines
from .words import FrameWords


@dataclass(frozen=True)
class ScatterWords(FrameWords):
    """The few words the chart itself says."""

    point: str = say("point")
    chosen: str = say("in the selected set")
    keys: str = say(
        "Left and right arrow keys move along the x axis, up and down along the y axis, Enter selects a point."
    )


@dataclass(frozen=True)
class Point:
    """One dot. name: as printed. x, y: its two numbers. labelled: its name stands beside it. hover: more lines for
    its popup."""

    name: str
    x: float
    y: float
    labelled: bool = False
    hover: Sequence[HoverLine] = ()


@dataclass(frozen=True)
class ScatterData:
    """What a `Scatter` draws: both axes with the same scale, the lines x = 0 and y = 0, and the diagonal y = x.

    x_label, y_label: the axes in words, with the unit. diagonal: what it means to lie on the diagonal, printed along
    it. above, below: what it means to lie on either side, printed in the corners. digits: precision of the numbers.
    """

    points: Sequence[Point]
    x_label: str
    y_label: str
    title: str = ""
    diagonal: str = ""
    above: str = ""
    below: str = ""
    digits: int = 4
    words: ScatterWords = field(default_factory=ScatterWords)

    def __post_init__(self) -> None:
        for point in self.points:
            check_finite(point.x, f"x of {point.name!r}")
            check_finite(point.y, f"y of {point.name!r}")

    def payload(self) -> dict[str, Any]:
        """JSON-able form; numbers become their place on the axes and their text."""
        axis = linear_axis(v for point in self.points for v in (point.x, point.y))
        return {
            "title": self.title,
            "axis": axis.payload(),
            "xLabel": self.x_label,
            "yLabel": self.y_label,
            "diagonal": self.diagonal,
            "above": self.above,
            "below": self.below,
            "points": [
                {
                    "name": point.name,
                    "at": [axis.share(float(point.x)), axis.share(float(point.y))],
                    "shown": [format_number(float(v), self.digits, signed=True) for v in (point.x, point.y)],
                    "labelled": point.labelled,
                    "hover": hover_lines(point.hover),
                }
                for point in self.points
            ],
            "words": self.words.payload(),
        }


class Scatter(Widget):
    """Scatter plot, with a table of the same numbers. Value: `ScatterData`. Marks: `selected=point` (an index),
    `chosen=[point, …]`, `stale`.

    `scatter.select(handler)` calls `handler(event: gr.SelectData)` with `event.index` the point's index and
    `event.value` its name. A click takes the nearest dot; arrow keys and Enter do the same.
    """

    SCRIPTS = ("popup.js", "svg.js", "table.js", "frame.js", "options.js", "scatter_parts.js", "scatter.js")
    SHARED_STYLES = ("frame.css", "table.css", "chart.css")
    STYLE = "scatter.css"
    ACCEPTS = ScatterData
