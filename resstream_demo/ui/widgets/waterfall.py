"""A sum built up step by step: what each part of the model adds, from the embedding to the total."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ...core.words import say
from ...figures.numbers import format_number
from .axis import linear_axis
from .base import Widget
from .format import HoverLine, check_finite, fixed, hover_lines
from .words import FrameWords

Kind = Literal["embedding", "attention", "mlp", "bias"]
KINDS: tuple[Kind, ...] = ("embedding", "attention", "mlp", "bias")


@dataclass(frozen=True)
class WaterfallWords(FrameWords):
    """The few words the chart itself says. The last four name the kinds of parts."""

    adds: str = say("adds")
    takes: str = say("takes away")
    part: str = say("part")
    before: str = say("sum before it")
    after: str = say("sum with it")
    keys: str = say("Up and down arrow keys move from part to part, Enter selects one.")
    embedding: str = say("embedding")
    attention: str = say("attention")
    mlp: str = say("MLP")
    bias: str = say("bias")


@dataclass(frozen=True)
class WaterfallItem:
    """One part. name: as printed. value: what it adds. kind: what sort of part it is, shown by its marker.
    group: parts of one group (a layer) stand together; a thin line is drawn where it changes. hover: more lines
    for its popup."""

    name: str
    value: float
    kind: Kind = "bias"
    group: str = ""
    hover: Sequence[HoverLine] = ()


@dataclass(frozen=True)
class WaterfallData:
    """What a `Waterfall` draws. The first item is at the bottom, each bar starts where the one below it ended.

    label: what the numbers are, with their unit ("logits"). totals: (name, value) rows that stay on top, as bars
    from zero, the uppermost last: the sum of all parts, the model's own number. decimals: of the numbers at the
    bars; popup and table give four figures.
    """

    items: Sequence[WaterfallItem]
    totals: Sequence[tuple[str, float]] = ()
    label: str = ""
    title: str = ""
    decimals: int = 2
    words: WaterfallWords = field(default_factory=WaterfallWords)

    def __post_init__(self) -> None:
        for item in self.items:
            if item.kind not in KINDS:
                raise ValueError(f"Unknown kind {item.kind!r} of {item.name!r}; use one of {list(KINDS)}.")
            check_finite(item.value, f"of {item.name!r}")
        for name, value in self.totals:
            check_finite(value, f"of {name!r}")

    def sums(self) -> list[float]:
        """The running sum before each item and after the last: one number more than there are items."""
        running = [0.0]
        for item in self.items:
            running.append(running[-1] + float(item.value))
        return running

    def payload(self) -> dict[str, Any]:
        """JSON-able form; ends of bars are places on the axis."""
        sums = self.sums()
        axis = linear_axis([*sums, *(value for _, value in self.totals)], self.label, tight=True)
        return {
            "title": self.title,
            "axis": axis.payload(),
            "items": [
                {
                    "name": item.name,
                    "kind": item.kind,
                    "group": item.group,
                    "minus": item.value < 0,
                    "from": axis.share(before),
                    "to": axis.share(after),
                    "short": fixed(float(item.value), self.decimals),
                    "shown": format_number(float(item.value), signed=True),
                    "before": format_number(before, signed=True),
                    "after": format_number(after, signed=True),
                    "hover": hover_lines(item.hover),
                }
                for item, before, after in zip(self.items, sums, sums[1:], strict=False)
            ],
            "totals": [
                {
                    "name": name,
                    "minus": value < 0,
                    "from": axis.share(0.0),
                    "to": axis.share(float(value)),
                    "short": fixed(float(value), self.decimals),
                    "shown": format_number(float(value), signed=True),
                }
                for name, value in self.totals
            ],
            "words": self.words.payload(),
        }


class Waterfall(Widget):
    """Bars of a running sum, with a table of the same numbers. Value: `WaterfallData`. Marks: `selected=item`
    (an index), `stale`.

    `waterfall.select(handler)` calls `handler(event: gr.SelectData)` with `event.index` the item's index (0 is the
    bottom one) and `event.value` its name. Click, or arrow keys and Enter. Totals cannot be selected.
    """

    SCRIPTS = ("popup.js", "svg.js", "table.js", "frame.js", "options.js", "waterfall.js")
    SHARED_STYLES = ("frame.css", "table.css", "chart.css")
    STYLE = "waterfall.css"
    ACCEPTS = WaterfallData
