"""Lines over the layers: the probability or the rank of a few tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ...core.words import say
from ...figures.numbers import format_number
from .axis import Axis, linear_axis, rank_axis
from .base import Widget
from .format import check_finite
from .words import FrameWords


@dataclass(frozen=True)
class CurvesWords(FrameWords):
    """The few words the chart itself says."""

    at: str = say("at {x}", x="{x}")
    remove: str = say("Remove {name}", name="{name}")
    group: str = say("sum of several tokens")
    no_value: str = say("no value")
    none: str = say("Nothing is pinned.")
    keys: str = say("Left and right arrow keys move along the layers, Enter selects one.")


@dataclass(frozen=True)
class Curve:
    """One line. name: whose it is. values: one number for each x, None where there is none. group: the line is the
    sum of several tokens."""

    name: str
    values: Sequence[float | None]
    group: bool = False


@dataclass(frozen=True)
class CurvesData:
    """What a `Curves` draws, one line for each of `series`, told apart by dashes and markers as well as by colour.

    x: the labels along the x axis, from the embedding to the output. x_label, y_label: the axes in words.
    scale: "linear", or "rank": numbers are places counted from 1, on a logarithmic axis with the first place on top.
    low, high: ends that a linear axis has at least; zero is always on it. digits: precision of the numbers.
    removable: each line has a button that asks to remove it.
    """

    x: Sequence[str]
    series: Sequence[Curve]
    y_label: str
    x_label: str = ""
    title: str = ""
    scale: Literal["linear", "rank"] = "linear"
    low: float | None = None
    high: float | None = None
    digits: int = 4
    removable: bool = True
    words: CurvesWords = field(default_factory=CurvesWords)

    def __post_init__(self) -> None:
        if self.scale not in ("linear", "rank"):
            raise ValueError(f"Unknown scale {self.scale!r}; use 'linear' or 'rank'.")
        if not self.x:
            raise ValueError("A chart needs at least one x.")
        for curve in self.series:
            if len(curve.values) != len(self.x):
                raise ValueError(f"The line of {curve.name!r} has {len(curve.values)} values for {len(self.x)} x.")
            for label, v in zip(self.x, curve.values, strict=True):
                check_finite(v, f"of {curve.name!r} at {label!r}", "Pass None to leave a gap.")
                if self.scale == "rank" and v is not None and v < 1:
                    raise ValueError(f"The place of {curve.name!r} at {label!r} is {v}; places are counted from 1.")

    def axis(self) -> Axis:
        """The y axis."""
        values = [v for curve in self.series for v in curve.values]
        if self.scale == "rank":
            return rank_axis(values, self.y_label)
        return linear_axis(values, self.y_label, low=self.low, high=self.high)

    def payload(self) -> dict[str, Any]:
        """JSON-able form; numbers become their place on the axis and their text."""
        axis = self.axis()
        return {
            "title": self.title,
            "x": list(self.x),
            "xLabel": self.x_label,
            "y": axis.payload(),
            "series": [
                {
                    "name": curve.name,
                    "group": curve.group,
                    "at": [None if v is None else axis.share(float(v)) for v in curve.values],
                    "shown": [self._text(v) for v in curve.values],
                }
                for curve in self.series
            ],
            "removable": self.removable,
            "words": self.words.payload(),
        }

    def _text(self, value: float | None) -> str:
        whole = self.scale == "rank" and value is not None and float(value).is_integer()
        return format_number(int(value) if whole else value, self.digits)


class Curves(Widget):
    """Line chart, with a table of the same numbers. Value: `CurvesData`. Marks: `selected=x` (an index), `stale`.

    `curves.select(handler)` calls `handler(event: gr.SelectData)`: with `event.index == ["x", i]` and
    `event.value` the label when a place along the x axis is chosen (click, or arrow keys and Enter), and with
    `["remove", n]` and the name when line n is to be removed, which the handler then has to do.
    """

    SCRIPTS = ("svg.js", "table.js", "frame.js", "options.js", "curves_parts.js", "curves.js")
    SHARED_STYLES = ("frame.css", "table.css", "chart.css")
    STYLE = "curves.css"
    ACCEPTS = CurvesData
