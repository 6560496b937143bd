"""A heat map over the residual stream: layers × tokens, or layers × heads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ...core.words import say
from ...figures.numbers import format_number
from .base import Widget
from .format import HoverLine, check_finite, hover_lines, round_significant
from .scales import Scale
from .words import FrameWords

Trail = tuple[str, Sequence[float]]  # a token, and its number in each row


@dataclass(frozen=True)
class GridWords(FrameWords):
    """The few words the grid itself says; replace them to translate it."""

    no_value: str = say("no value")
    beyond: str = say("beyond the colour scale")
    cone: str = say("outlined: what a change at the selected cell can reach")
    trail: str = say("{name} through the layers", name="{name}")
    several: str = say("Select several")
    count: str = say("{n} selected", n="{n}")
    clear: str = say("Clear")
    row: str = say("{name}: select the whole row, or none of it", name="{name}")
    how: str = say("Shift+click selects a rectangle, Ctrl+click one more, a row’s name the whole row.")
    keys: str = say("Arrow keys move, Enter selects.")
    keys_several: str = say("X adds or removes a cell, Shift with arrow keys a rectangle, Shift with Space the row.")


@dataclass(frozen=True)
class GridTrails:
    """The numbers of a few tokens in all rows of each column: what the popup draws as a token's path.

    columns: for each of the C columns its trails, each a token and R unsigned numbers, bottom row first.
    keys: [R][C] which of its column's trails a cell belongs to; -1 for none.
    digits: precision of the numbers.
    """

    columns: Sequence[Sequence[Trail]]
    keys: Sequence[Sequence[int]]
    digits: int = 4

    def check(self, shape: tuple[int, int]) -> None:
        """Raise ValueError if a part does not fit a grid of this shape, or a number cannot be drawn."""
        rows, columns = shape
        check_shape("trails.keys", self.keys, shape)
        if len(self.columns) != columns:
            raise ValueError(f"trails.columns has {len(self.columns)} entries for {columns} columns.")
        for c, trails in enumerate(self.columns):
            for name, values in trails:
                if len(values) != rows:
                    raise ValueError(f"The trail of {name!r} in column {c} has {len(values)} values for {rows} rows.")
                for r, v in enumerate(values):
                    check_finite(v, f"of the trail of {name!r} at row {r}, column {c}")
                    if v < 0:
                        raise ValueError(f"The trail of {name!r} in column {c} is negative at row {r}: {v}.")
            for r in range(rows):
                if not -1 <= self.keys[r][c] < len(trails):
                    raise ValueError(f"Row {r}, column {c} has trail {self.keys[r][c]}; there are {len(trails)}.")

    def payload(self) -> dict[str, Any]:
        """JSON-able form. Numbers become shares of the column's largest, to three decimals: enough for a line of
        forty pixels, and short."""
        return {
            "keys": [[int(k) for k in row] for row in self.keys],
            "columns": [self._column(trails) for trails in self.columns],
        }

    def _column(self, trails: Sequence[Trail]) -> dict[str, Any]:
        high = max((float(v) for _, values in trails for v in values), default=0.0)
        scale = 1 / high if high > 0 else 0.0
        return {
            "high": format_number(high, self.digits),
            "tokens": [[name, [_three_decimals(float(v) * scale) for v in values]] for name, values in trails],
        }


@dataclass(frozen=True)
class GridData:
    """What a `Grid` draws. R rows, C columns; row 0 is drawn at the bottom, since depth grows upward.

    rows: R labels. columns: C labels (token displays, or heads); equal labels stay separate columns.
    values: [R][C] numbers (a numpy array will do); None where there is no value.
    scale: kind of scale, ends, and what the numbers are.
    row_title, column_title: the axes in words ("a cell predicts the token after its position").
    title: heading of the picture.
    column_numbers: C position numbers, printed with the labels. column_marks: C short marks ("≠").
    text: [R][C] text inside the cells (such as the top token); "" for none.
    hover: [R][C] lists of `HoverLine` for the popup.
    trails: numbers of a few tokens through all rows, drawn small in the popup.
    reasons: why a cell has no value: one sentence for all, or [R][C].
    cone: outline what an edit at the selected cell can reach (same or later column, same or higher row).
    multi: a set of cells can be chosen, beside the one cell that is selected.
    """

    rows: Sequence[str]
    columns: Sequence[str]
    values: Sequence[Sequence[float | None]]
    scale: Scale
    row_title: str = ""
    column_title: str = ""
    title: str = ""
    column_numbers: Sequence[int] | None = None
    column_marks: Sequence[str] | None = None
    text: Sequence[Sequence[str]] | None = None
    hover: Sequence[Sequence[Sequence[HoverLine]]] | None = None
    reasons: str | Sequence[Sequence[str | None]] = ""
    cone: bool = False
    trails: GridTrails | None = None
    multi: bool = False
    words: GridWords = field(default_factory=GridWords)

    def __post_init__(self) -> None:
        shape = (len(self.rows), len(self.columns))
        for name in ("values", "text", "hover", "reasons"):
            part = getattr(self, name)
            if part is not None and not isinstance(part, str):
                check_shape(name, part, shape)
        for name in ("column_numbers", "column_marks"):
            part = getattr(self, name)
            if part is not None and len(part) != shape[1]:
                raise ValueError(f"{name} has {len(part)} entries for {shape[1]} columns.")
        if self.trails is not None:
            self.trails.check(shape)

    def payload(self) -> dict[str, Any]:
        """JSON-able form. Raises ValueError if a value is NaN or infinite, naming the cell."""
        for r, row in enumerate(self.values):
            for c, v in enumerate(row):
                if v is not None and not math.isfinite(v):
                    where = f"at row {self.rows[r]!r}, column {c} ({self.columns[c]!r})"
                    check_finite(v, where, "Pass None and a reason to draw a cell without a value.")
        digits, signed = self.scale.digits, self.scale.signed
        return {
            "title": self.title,
            "rows": list(self.rows),
            "columns": list(self.columns),
            "numbers": None if self.column_numbers is None else [int(n) for n in self.column_numbers],
            "columnMarks": None if self.column_marks is None else list(self.column_marks),
            "rowTitle": self.row_title,
            "columnTitle": self.column_title,
            "values": [[round_significant(v) for v in row] for row in self.values],
            "shown": [[format_number(v, digits, signed=signed) for v in row] for row in self.values],
            "text": None if self.text is None else [list(row) for row in self.text],
            "hover": None if self.hover is None else [[hover_lines(cell) for cell in row] for row in self.hover],
            "reasons": self.reasons if isinstance(self.reasons, str) else [list(row) for row in self.reasons],
            "scale": self.scale.payload(v for row in self.values for v in row),
            "cone": self.cone,
            "trails": None if self.trails is None else self.trails.payload(),
            "multi": self.multi,
            "words": self.words.payload(),
        }


class Grid(Widget):
    """Clickable heat map, with a table of the same numbers. Value: `GridData`. Marks: `selected=(row, column)`,
    `stale`, and with `GridData(multi=True)` `chosen=[(row, column), …]`.

    `grid.select(handler)` calls `handler(event: gr.SelectData)` with `event.index == [row, column]` (indices
    into the data: row 0 is the bottom row) and `event.value` the cell's number or None. Mouse, touch and
    keyboard (arrows, Home, End, Page Up, Page Down, Enter) all select.

    With `multi=True` there is also a set of chosen cells, kept apart: selecting a cell, to look at it, leaves the
    set as it is. Ctrl or Cmd+click, X, Ctrl+Enter, or any click while "Select several" is on adds or removes one
    cell; Shift+click and Shift+arrows add the rectangle from the last cell; a row's name or Shift+Space adds or
    removes a row; "Clear" empties it. Each of these, and a plain selection too, emits one `select` with
    `event.index == [row, column]`, the cell acted on, which becomes the selected one ("Clear" leaves that as it is),
    and `event.value == {"value": its number or None, "chosen": [[row, column], …]}`, the whole set in order of
    rows. The browser has drawn the set already: a handler need not send it back.
    """

    SCRIPTS = (
        "colour.js", "popup.js", "svg.js", "table.js", "frame.js",
        "grid_parts.js", "grid_popup.js", "grid_twin.js", "grid_pick.js", "grid.js",
    )  # fmt: skip
    SHARED_STYLES = ("frame.css", "table.css")
    STYLE = "grid.css"
    ACCEPTS = GridData


def check_shape(name: str, part: Sequence[Sequence[Any]], shape: tuple[int, int]) -> None:
    """Raise ValueError unless `part` is [R][C]."""
    rows, columns = shape
    if len(part) != rows or any(len(row) != columns for row in part):
        found = sorted({len(row) for row in part})
        raise ValueError(f"{name} must be {rows} rows of {columns}; it is {len(part)} rows of {found}.")


def _three_decimals(share: float) -> float | int:
    rounded = round(share, 3)
    return int(rounded) if rounded == int(rounded) else rounded
