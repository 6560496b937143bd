"""Custom Gradio widgets: pure presentation of plain data.

Each widget is a component (`Grid`) with a frozen data class (`GridData`):

    grid = Grid(label="Logit lens", empty="Press Run to fill this picture.")
    detail = Detail(empty="Select a cell to see what it predicts.")
    run.click(lambda …: grid.show(GridData(…)), …, outputs=grid)
    grid.select(on_select, outputs=detail, show_progress="hidden")   # on_select(event: gr.SelectData)
    prompt.change(lambda: grid.mark(stale=True), outputs=grid)
"""

from ...figures.numbers import format_error, format_number
from .base import KEEP, Widget
from .detail import Column, Detail, DetailData, Table
from .format import round_significant
from .grid import Grid, GridData, GridWords
from .notice import Notice, NoticeData
from .receipts import Receipts, ReceiptsData
from .scales import STOPS, Scale
from .token_strip import TokenStrip, TokenStripData

__all__ = [
    "KEEP",
    "STOPS",
    "Column",
    "Detail",
    "DetailData",
    "Grid",
    "GridData",
    "GridWords",
    "Notice",
    "NoticeData",
    "Receipts",
    "ReceiptsData",
    "Scale",
    "Table",
    "TokenStrip",
    "TokenStripData",
    "Widget",
    "format_error",
    "format_number",
    "round_significant",
]
