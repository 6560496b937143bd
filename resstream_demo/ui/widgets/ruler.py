"""A small scale from one number to another, and where a third lies on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ...figures.numbers import format_number
from .axis import linear_axis
from .base import Widget
from .format import check_finite


@dataclass(frozen=True)
class RulerMark:
    """One number on the scale. share: where it lies, 0 at the scale's start and 1 at its end; None leaves it off."""

    name: str
    value: float
    share: float | None
    kind: Literal["start", "end", "moved"]


@dataclass(frozen=True)
class RulerData:
    """What a `Ruler` draws. title: what the numbers measure. marks: in any order; those without a share are only
    printed. origin: the kind of the mark that the moved one comes from. lines: sentences under the scale. signed:
    positive numbers are written with their sign."""

    title: str
    marks: Sequence[RulerMark]
    origin: Literal["start", "end"] = "start"
    lines: Sequence[str] = ()
    signed: bool = False

    def __post_init__(self) -> None:
        kinds = [mark.kind for mark in self.marks]
        if len(set(kinds)) != len(kinds):
            raise ValueError(f"A scale has one mark of each kind; these are {kinds}.")
        for mark in self.marks:
            check_finite(mark.value, f"of {mark.name!r}")
            check_finite(mark.share, f"that places {mark.name!r}")

    def payload(self) -> dict[str, Any]:
        """JSON-able form; shares become places along the drawn line, which also holds what lies beyond the ends."""
        axis = linear_axis([0.0, 1.0, *(mark.share for mark in self.marks)], tight=True)
        marks = sorted(self.marks, key=lambda mark: (mark.share is None, mark.share or 0.0, mark.kind != "start"))
        return {
            "title": self.title,
            "marks": [
                {
                    "name": mark.name,
                    "kind": mark.kind,
                    "shown": format_number(mark.value, signed=self.signed),
                    "at": None if mark.share is None else axis.share(mark.share),
                }
                for mark in marks
            ],
            "origin": self.origin,
            "lines": list(self.lines),
        }


class Ruler(Widget):
    """A scale with two ends and a mark that moves along it. Value: `RulerData`. Marks: `stale`."""

    SCRIPTS = ("ruler.js",)
    STYLE = "ruler.css"
    ACCEPTS = RulerData
