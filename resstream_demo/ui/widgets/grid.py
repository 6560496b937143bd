"""A heat map over the residual stream: layers × tokens, or layers × heads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...figures.numbers import format_number
from .base import Widget
from .format import round_significant
from .scales import Scale

HoverLine = str | tuple[str, str]  # a sentence, or a (name, number) pair set in two columns


@dataclass(frozen=True)
class GridWords:
    """The few words the grid itself says; replace them to translate it."""

    no_value: str = "no value"
    beyond: str = "beyond the colour scale"
    cone: str = "outlined: what a change at the selected cell can reach"
    stale: str = "The inputs or options have changed since this was computed. Run again to update it."


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
    reasons: why a cell has no value: one sentence for all, or [R][C].
    cone: outline what an edit at the selected cell can reach (same or later column, same or higher row).
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
    words: GridWords = GridWords()

    def __post_init__(self) -> None:
        shape = (len(self.rows), len(self.columns))
        for name in ("values", "text", "hover", "reasons"):
            part = getattr(self, name)
            if part is not None and not isinstance(part, str):
                _check_shape(name, part, shape)
        for name in ("column_numbers", "column_marks"):
            part = getattr(self, name)
            if part is not None and len(part) != shape[1]:
                raise ValueError(f"{name} has {len(part)} entries for {shape[1]} columns.")

    def payload(self) -> dict[str, Any]:
        """JSON-able form. Raises ValueError if a value is NaN or infinite, naming the cell."""
        for r, row in enumerate(self.values):
            for c, v in enumerate(row):
                if v is not None and not math.isfinite(float(v)):
                    raise ValueError(
                        f"The value at row {self.rows[r]!r}, column {c} ({self.columns[c]!r}) is {float(v)}. "
                        "Pass None and a reason to draw a cell without a value."
                    )
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
            "hover": None if self.hover is None else [[_lines(cell) for cell in row] for row in self.hover],
            "reasons": self.reasons if isinstance(self.reasons, str) else [list(row) for row in self.reasons],
            "scale": self.scale.payload(v for row in self.values for v in row),
            "cone": self.cone,
            "words": {
                "noValue": self.words.no_value,
                "beyond": self.words.beyond,
                "cone": self.words.cone,
                "stale": self.words.stale,
            },
        }


class Grid(Widget):
    """Clickable heat map. Value: `GridData`. Marks: `selected=(row, column)`, `stale`.

    `grid.select(handler)` calls `handler(event: gr.SelectData)` with `event.index == [row, column]` (indices
    into the data: row 0 is the bottom row) and `event.value` the cell's number or None. Mouse, touch and
    keyboard (arrows, Home, End, Page Up, Page Down, Enter) all select.
    """

    SCRIPTS = ("colour.js", "popup.js", "grid.js")
    STYLE = "grid.css"
    ACCEPTS = GridData


def _check_shape(name: str, part: Sequence[Sequence[Any]], shape: tuple[int, int]) -> None:
    rows, columns = shape
    if len(part) != rows or any(len(row) != columns for row in part):
        found = sorted({len(row) for row in part})
        raise ValueError(f"{name} must be {rows} rows of {columns}; it is {len(part)} rows of {found}.")


def _lines(cell: Sequence[HoverLine]) -> list[str | list[str]]:
    return [line if isinstance(line, str) else list(line) for line in cell]
