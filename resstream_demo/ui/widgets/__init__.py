"""Custom Gradio widgets: pure presentation of plain data.

Each widget is a component (`Grid`) with a frozen data class (`GridData`):

    grid = Grid(label="Logit lens", empty="Press Run to fill this picture.")
    detail = Detail(empty="Select a cell to see what it predicts.")
    run.click(lambda …: grid.show(GridData(…)), …, outputs=grid)
    grid.select(on_select, outputs=detail, show_progress="hidden")   # on_select(event: gr.SelectData)
    prompt.change(lambda: grid.mark(stale=True), outputs=grid)

`Grid`, `Curves`, `Waterfall` and `Scatter` are pictures; a button shows each as a table of the same numbers.
"""

from ...figures.numbers import format_error, format_number
from .base import KEEP, Widget
from .curves import Curve, Curves, CurvesData, CurvesWords
from .detail import Column, Detail, DetailData, Table
from .format import round_significant
from .grid import Grid, GridData, GridTrails, GridWords
from .notice import Notice, NoticeData
from .receipts import Receipts, ReceiptsData
from .scales import STOPS, Scale
from .scatter import Point, Scatter, ScatterData, ScatterWords
from .waterfall import Waterfall, WaterfallData, WaterfallItem, WaterfallWords
from .words import FrameWords

__all__ = [
    "KEEP",
    "STOPS",
    "Column",
    "Curve",
    "Curves",
    "CurvesData",
    "CurvesWords",
    "Detail",
    "DetailData",
    "FrameWords",
    "Grid",
    "GridData",
    "GridTrails",
    "GridWords",
    "Notice",
    "NoticeData",
    "Point",
    "Receipts",
    "ReceiptsData",
    "Scale",
    "Scatter",
    "ScatterData",
    "ScatterWords",
    "Table",
    "Waterfall",
    "WaterfallData",
    "WaterfallItem",
    "WaterfallWords",
    "Widget",
    "format_error",
    "format_number",
    "round_significant",
]
