"""A panel of facts and small tables: what the selected element is, in words and numbers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ...figures.numbers import format_number
from .base import Widget
from .format import largest_magnitude, round_significant

CellValue = str | float | int | None


@dataclass(frozen=True)
class Column:
    """A table column. kind: "text", "token" (monospace, isolated), "number", "bar" (number with a bar from
    0), "signed" (number with a bar to the left or right of 0). maximum: value of a full bar; None takes the
    largest magnitude in the column. digits: precision of the numbers.
    """

    name: str
    kind: Literal["text", "token", "number", "bar", "signed"] = "text"
    maximum: float | None = None
    digits: int = 4

    @property
    def numeric(self) -> bool:
        return self.kind in ("number", "bar", "signed")


@dataclass(frozen=True)
class Table:
    """A table: columns and rows of cells. marked: rows to emphasise. caption: what it shows.
    clickable: rows can be selected, which emits `select` with index [table, row]."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[CellValue]]
    caption: str = ""
    marked: Collection[int] = ()
    clickable: bool = False

    def __post_init__(self) -> None:
        for number, row in enumerate(self.rows):
            if len(row) != len(self.columns):
                raise ValueError(f"Row {number} has {len(row)} cells for {len(self.columns)} columns.")

    def payload(self) -> dict[str, Any]:
        """JSON-able form; numeric cells become [text, share of a full bar in −1…1] or [text, None]."""
        full = [self._full_bar(i) for i in range(len(self.columns))]
        return {
            "caption": self.caption,
            "columns": [{"name": c.name, "kind": c.kind} for c in self.columns],
            "rows": [
                [_cell(v, column, full[i]) for i, (v, column) in enumerate(zip(row, self.columns, strict=True))]
                for row in self.rows
            ],
            "marked": sorted(int(i) for i in self.marked),
            "clickable": self.clickable,
        }

    def _full_bar(self, index: int) -> float:
        column = self.columns[index]
        if column.kind not in ("bar", "signed"):
            return 0.0
        return column.maximum or largest_magnitude(_number(row[index]) for row in self.rows)


@dataclass(frozen=True)
class DetailData:
    """What a `Detail` draws, from top to bottom.

    title, subtitle: what is selected, in words. facts: (name, value) pairs; numbers are formatted.
    tables: small tables. notes: sentences at the end (what this does not show).
    """

    title: str
    subtitle: str = ""
    facts: Sequence[tuple[str, CellValue]] = ()
    tables: Sequence[Table] = ()
    notes: Sequence[str] = ()

    def payload(self) -> dict[str, Any]:
        """JSON-able form."""
        return {
            "title": self.title,
            "subtitle": self.subtitle,
            "facts": [[name, v if isinstance(v, str) else format_number(v)] for name, v in self.facts],
            "tables": [table.payload() for table in self.tables],
            "notes": list(self.notes),
        }


class Detail(Widget):
    """Panel for the selected element. Value: `DetailData`. Marks: `stale`.

    Give `empty="Select a cell to see …"`. With a `clickable` table, `detail.select(handler)` calls
    `handler(event: gr.SelectData)` with `event.index == [table, row]` and `event.value` the first cell's text.
    """

    SCRIPTS = ("table.js", "detail.js")
    SHARED_STYLES = ("table.css",)
    STYLE = "detail.css"
    ACCEPTS = DetailData


def _number(value: CellValue) -> float | None:
    return None if value is None or isinstance(value, str) else float(value)


def _cell(value: CellValue, column: Column, full: float) -> str | list[Any]:
    if not column.numeric:
        return value if isinstance(value, str) else format_number(value)
    number = _number(value)
    text = value if isinstance(value, str) else format_number(value, column.digits, signed=column.kind == "signed")
    if not full or number is None:
        return [text, None]
    return [text, round_significant(max(-1.0, min(1.0, number / full)))]
