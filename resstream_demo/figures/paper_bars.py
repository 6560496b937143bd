"""Pictures made of bars: the waterfall of an attribution beside the grid of its heads, and plain signed bars."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .colours import STOPS, rgb
from .numbers import format_number
from .paper_layout import (
    GAP,
    LABEL,
    LEADING,
    LEAST,
    LEAST_WIDTH,
    MARGIN,
    SMALL,
    Cells,
    cell_size,
    colour_bar,
    column_labels,
    draw_cells,
    footnotes,
    heading,
    label_width,
    line_of,
    lines_of,
    row_labels,
    within,
)
from .paper_page import INK, RULE, SOFT, Page
from .paper_specs import Bars, Step, Waterfall, axis_ticks
from .paper_type import ASCENT, Ruler, literal
from .paper_words import Caption

KIND_COLOURS = {"attention": "#7a5ea8", "MLP": "#2a9d8f", "other": "#8b93a1", "whole": "#111318"}
KIND_NAMES = {"attention": "attention (heads and bias)", "MLP": "MLP", "other": "embeddings, final bias"}
BAND = rgb("#f2f4f8")  # behind every other layer
MORE, LESS = STOPS["diverging"]["light"][7], STOPS["diverging"]["light"][1]  # above and below zero
STEPS_WIDTH = 240.0
LEAST_ABREAST = 320.0  # of a page with both panels side by side
BETWEEN = 22.0  # the two panels
BARS_WIDTH = 260.0


@dataclass(frozen=True)
class Axis:
    """A horizontal axis: numbers from `low` to `high` lie between `left` and `right` points. All bars lie within."""

    low: float
    high: float
    left: float
    right: float

    def at(self, number: float) -> float:
        """Where a number lies."""
        return self.left + (number - self.low) / (self.high - self.low) * (self.right - self.left)


def _axis(numbers: Sequence[float], left: float, right: float) -> Axis:
    """An axis that holds zero and all the numbers."""
    low, high = min(0.0, *numbers), max(0.0, *numbers)
    if high <= low:
        low, high = -1.0, 1.0
    return Axis(low, high, left, right)


# --- the waterfall -------------------------------------------------------------------------------------------


def waterfall_page(caption: Caption, steps: Waterfall, ruler: Ruler, width: float | None) -> Page:
    """The sum growing upward and the heads: side by side sharing the layers' heights, or, on a narrow page, the heads
    below."""
    names = [step.name for step in (*steps.below, *steps.above)]
    left = MARGIN + label_width([*names, *steps.heads.rows], ruler) + GAP
    if width is not None and width < LEAST_ABREAST:
        return _stacked(caption, steps, ruler, width, left)
    heads = steps.heads.values.shape[1]
    head_labels = label_width(steps.heads.rows, ruler) + GAP
    panel, cells = _panels(steps, ruler, width, left + BETWEEN + head_labels + MARGIN)
    heads_left = left + panel + BETWEEN + head_labels
    page = Page(width or heads_left + max(cells.width * heads, 120) + MARGIN)
    y = heading(page, caption.title, ruler)
    bar_width = min(150, page.width - heads_left - 2 * MARGIN)
    y = max(_legend(page, steps.axis_title, ruler, left, y, panel),
            colour_bar(page, steps.heads.scale, ruler, heads_left, y, bar_width))  # fmt: skip
    y = line_of(page, MARGIN, y, steps.heads.row_title, LABEL, SOFT) + GAP / 2
    top = y + 0.5 * cells.height * len(steps.above)  # of the last layer
    end = _steps(page, steps, ruler, (left, left + panel), top, cells.height / 2)
    heads_end = _heads(page, steps, ruler, heads_left, top, cells)
    footnotes(page, caption.notes, caption.alarms, ruler, max(end, heads_end) + 2 * GAP)
    return page


def _stacked(caption: Caption, steps: Waterfall, ruler: Ruler, width: float, left: float) -> Page:
    page, height = Page(width), _layer_height(steps)
    cells = Cells(cell_size(steps.heads, ruler, width - left - MARGIN).width, min(height, 15), 0)
    y = heading(page, caption.title, ruler)
    y = _legend(page, steps.axis_title, ruler, left, y, width - left - MARGIN)
    y = line_of(page, MARGIN, y, steps.heads.row_title, LABEL, SOFT) + GAP / 2
    y = _steps(page, steps, ruler, (left, width - MARGIN), y + 0.5 * height * len(steps.above), height / 2) + 3 * GAP
    y = colour_bar(page, steps.heads.scale, ruler, left, y, min(150, width - left - 2 * MARGIN))
    y = _heads(page, steps, ruler, left, y, cells)
    footnotes(page, caption.notes, caption.alarms, ruler, y + 2 * GAP)
    return page


def _heads(page: Page, steps: Waterfall, ruler: Ruler, left: float, top: float, cells: Cells) -> float:
    """The heads' grid with its labels; returns the height below."""
    draw_cells(page, steps.heads, ruler, left, top, cells)
    row_labels(page, steps.heads.rows, ruler, left - GAP, top, cells.height)
    bottom = top + cells.height * len(steps.heads.rows)
    return column_labels(page, steps.heads, ruler, left, bottom, cells.width)[0]


def _layer_height(steps: Waterfall) -> float:
    return within(420 / len(steps.layers), 13, 28)


def _panels(steps: Waterfall, ruler: Ruler, width: float | None, fixed: float) -> tuple[float, Cells]:
    """The width of the waterfall and the size of the heads' cells."""
    height = _layer_height(steps)
    if width is None:
        natural = cell_size(steps.heads, ruler, None)
        return STEPS_WIDTH, Cells(within(natural.width, 12, 24), height, 0)
    room = width - fixed
    panel = 0.5 * room
    return panel, Cells(cell_size(steps.heads, ruler, room - panel).width, height, 0)


def _legend(page: Page, title: str, ruler: Ruler, x: float, y: float, width: float) -> float:
    """What the waterfall adds up, and its colours; returns the height below."""
    y = lines_of(page, ruler, x, y, title, width, INK) + 2
    start = x
    for kind, name in KIND_NAMES.items():
        needed = 10 + ruler.width(name, SMALL)
        if x > start and x + needed > start + width:
            x, y = start, y + LEADING * SMALL
        page.block(x, y + 0.5, 7, 7, rgb(KIND_COLOURS[kind]))
        page.beside(x + 10, y + 4, name, SMALL)
        x += needed + 10
    return y + LEADING * SMALL + GAP


def _steps(page: Page, steps: Waterfall, ruler: Ruler, sides: tuple[float, float], top: float, half: float) -> float:
    """The floating bars; returns the height below their axis. sides: left and right ends. top: of the last layer."""
    in_layers = [step for layer in steps.layers for step in layer]
    rising = [*steps.below, *in_layers, *steps.above]
    starts, ends = _running(rising)
    size = min(SMALL, half * 0.9) if half * 0.9 >= LEAST else 0
    values = [literal(format_number(step.value, 3, signed=True)) for step in rising]
    room = max(ruler.width(text, size) for text in values) + 4 if size else 4
    axis = _axis([*starts, *ends], sides[0] + 4, sides[1] - room)
    bottom = top + half * len(in_layers) + half * len(steps.below)  # of the first step

    def y_of(n: int) -> float:
        return bottom - (n + 1) * half

    for layer in range(0, len(steps.layers), 2):
        first = y_of(len(steps.below) + 2 * layer + 1)
        page.block(sides[0], first, sides[1] - sides[0], 2 * half, BAND)
    page.line((axis.at(0), y_of(len(rising) - 1)), (axis.at(0), bottom))
    for n, step in enumerate(rising):
        low, high = sorted((axis.at(starts[n]), axis.at(ends[n])))
        page.block(low, y_of(n) + 0.14 * half, max(high - low, 0.4), 0.72 * half, rgb(KIND_COLOURS[step.kind]))
        if n + 1 < len(rising):
            page.line((axis.at(ends[n]), y_of(n) + 0.14 * half), (axis.at(ends[n]), y_of(n + 1) + 0.86 * half))
        page.beside(max(high, low + 0.4) + 2, y_of(n) + half / 2, values[n] if size else "", size)
    _step_labels(page, steps, ruler, sides[0] - GAP, y_of, half)
    return _axis_below(page, axis, ruler, bottom, "logits")


def _running(steps: Sequence[Step]) -> tuple[list[float], list[float]]:
    """Where each step starts and ends; a whole starts at zero."""
    starts, ends, total = [], [], 0.0
    for step in steps:
        starts.append(0.0 if step.kind == "whole" else total)
        total = starts[-1] + step.value
        ends.append(total)
    return starts, ends


def _step_labels(page: Page, steps: Waterfall, ruler: Ruler, right: float, y_of: Callable, half: float) -> None:
    below, layers = len(steps.below), len(steps.layers)
    row_labels(page, steps.heads.rows, ruler, right, y_of(below + 2 * layers - 1), 2 * half)
    for n, step in enumerate((*steps.below, *steps.above)):
        row = n if n < below else n + 2 * layers
        size = min(SMALL, half * 0.95)
        page.beside(right, y_of(row) + half / 2, literal(step.name), size, align="right", mono=True)


def _axis_below(page: Page, axis: Axis, ruler: Ruler, y: float, title: str) -> float:
    """Ticks and title of an axis whose line is at y; returns the height below."""
    page.line((axis.left, y), (axis.right, y))
    for number, text in axis_ticks(axis.low, axis.high):
        page.line((axis.at(number), y), (axis.at(number), y + 2.5))
        page.text(axis.at(number), y + 3 + ASCENT * SMALL, literal(text), SMALL, align="center")
    y += 3 + LEADING * SMALL
    return lines_of(page, ruler, axis.left, y, title, page.width - axis.left - MARGIN, SOFT)


# --- plain bars ----------------------------------------------------------------------------------------------


def bars_page(caption: Caption, bars: Bars, ruler: Ruler, width: float | None) -> Page:
    """Signed bars from zero, the first at the bottom."""
    rows = len(bars.rows)
    labels = [ruler.cut(label, SMALL, 0.4 * (width or LEAST_WIDTH), mono=True) for label in bars.rows]
    left = MARGIN + label_width(labels, ruler) + GAP
    page = Page(width or max(LEAST_WIDTH, left + BARS_WIDTH + MARGIN))
    height = within(300 / rows, 9, 18)
    values = [literal(format_number(float(value), 3, signed=True)) for value in bars.values]
    room = max(ruler.width(text, SMALL) for text in values) + 4
    numbers = [*map(float, bars.values), *(number for number, _ in bars.lines)]
    axis = _axis(numbers, left + (room if min(numbers) < 0 else 4), page.width - MARGIN - room)
    y = heading(page, caption.title, ruler)
    if bars.row_title:
        y = lines_of(page, ruler, MARGIN, y, bars.row_title, page.width - 2 * MARGIN, SOFT) + GAP
    y, bottom = _named_lines(page, bars, axis, ruler, y, rows * height)
    for n, value in enumerate(map(float, bars.values)):
        top = bottom - (n + 1) * height
        low, high = sorted((axis.at(0), axis.at(value)))
        page.block(low, top + 0.12 * height, max(high - low, 0.4), 0.76 * height, rgb(MORE if value >= 0 else LESS))
        where, align = (high + 2, "left") if value >= 0 else (low - 2, "right")
        page.beside(where, top + height / 2, values[n], SMALL, align=align)
    page.line((axis.at(0), y), (axis.at(0), bottom))
    row_labels(page, labels, ruler, left - GAP, y, height)
    y = _axis_below(page, axis, ruler, bottom, bars.axis_title)
    footnotes(page, caption.notes, caption.alarms, ruler, y + 2 * GAP)
    return page


def _named_lines(page: Page, bars: Bars, axis: Axis, ruler: Ruler, y: float, height: float) -> tuple[float, float]:
    """Dashed lines across the bars, each with its name above them; the bars' top and bottom."""
    top = y + len(bars.lines) * LEADING * SMALL + 2
    for n, (number, name) in enumerate(bars.lines):
        half = ruler.width(name, SMALL) / 2
        middle = within(axis.at(number), MARGIN + half, page.width - MARGIN - half)
        page.text(middle, y + n * LEADING * SMALL + ASCENT * SMALL, name, SMALL, align="center", colour=SOFT)
        page.line((axis.at(number), y + (n + 1) * LEADING * SMALL), (axis.at(number), top + height),
                  colour=RULE, width=0.7, dashed=True)  # fmt: skip
    return top, top + height
