"""Where everything of a picture goes: title, colour bar, grid with its labels, notes.

Sizes are in points. The page follows the grid: cells have a natural size within bounds, and a width asked for is
shared out among them. What does not fit is left out whole (text in cells), thinned out (labels) or cut with an ellipsis
(long tokens), and a note says so.
"""

from dataclasses import dataclass

import numpy as np

from ..core.errors import OptionError
from ..core.words import say
from .colours import colours, ink_on
from .paper_page import ALARM, INK, SOFT, WHITE, Page
from .paper_specs import Grid, Scale, kept_labels, without_text
from .paper_type import ASCENT, DESCENT, Ruler, literal
from .paper_words import Caption

MARGIN, GAP = 8.0, 4.0
TITLE, LABEL, SMALL = 9.5, 7.5, 6.5  # sizes of type
LEAST = 5.0  # below this size nobody can read
LEADING = 1.3  # of the size, from one line to the next
BAR_HEIGHT, BAR_WIDTH = 7.0, 170.0
LEAST_WIDTH = 300.0  # of a page whose grid is narrower
LONGEST_LABEL = 64.0
WIDEST, TALLEST = 1100.0, 700.0  # of a grid whose cells may still shrink
CUT_NOTE = "… stands for the rest of a token that is too long for its place."
DROPPED_NOTE = "The cells are too small for their top tokens; the CSV and JSON files have them."


@dataclass(frozen=True)
class Cells:
    """The size of a grid's cells and of the type in them (0: no text)."""

    width: float
    height: float
    type_size: float


def grid_page(caption: Caption, grid: Grid, ruler: Ruler, width: float | None) -> Page:
    """A grid with all that belongs to it."""
    left = MARGIN + label_width(grid.rows, ruler) + GAP
    cells = cell_size(grid, ruler, None if width is None else width - left - MARGIN)
    notes = list(caption.notes)
    if grid.text is not None and not cells.type_size:
        grid, notes = without_text(grid), [*notes, DROPPED_NOTE]
    grid_width = cells.width * len(grid.columns)
    page = Page(width or max(LEAST_WIDTH, left + grid_width + MARGIN))
    y = heading(page, caption.title, ruler)
    y = colour_bar(page, grid.scale, ruler, left, y, min(BAR_WIDTH, page.width - left - 2 * MARGIN))
    y = lines_of(page, ruler, MARGIN, y, grid.row_title, page.width - 2 * MARGIN, SOFT) + GAP / 2
    was_cut = draw_cells(page, grid, ruler, left, y, cells)
    row_labels(page, grid.rows, ruler, left - GAP, y, cells.height)
    y, cut = column_labels(page, grid, ruler, left, y + cells.height * len(grid.rows), cells.width)
    notes += [CUT_NOTE] if was_cut or cut else []
    footnotes(page, notes, caption.alarms, ruler, y + 2 * GAP)
    return page


# --- sizes ---------------------------------------------------------------------------------------------------


def label_width(labels, ruler: Ruler) -> float:
    """The room that row labels need."""
    return max((ruler.width(literal(label), SMALL, mono=True) for label in labels), default=0.0)


def cell_size(grid: Grid, ruler: Ruler, room: float | None) -> Cells:
    """The cells' size: natural, or such that the columns share `room`. Raises OptionError if that leaves nothing."""
    rows, columns = len(grid.rows), len(grid.columns)
    if room is not None and room < columns:
        raise OptionError(
            say("A picture of {columns:,} columns needs more width than that. Give a larger one.", columns=columns)
        )
    if grid.by_head:
        width, height = within(480 / columns, 14, 30), within(420 / rows, 10, 22)
        return Cells(width if room is None else room / columns, height, 0)
    if grid.text is None:
        width = within(480 / columns, 9, 30) if columns * 9 <= WIDEST else max(1.0, WIDEST / columns)
        return Cells(width if room is None else room / columns, _height(rows, 300), 0)
    if room is not None:
        width = room / columns
    elif columns * 24 > WIDEST:
        width = max(1.0, WIDEST / columns)
    else:
        width = within(_widest_text(grid, ruler), 24, min(46, max(24, WIDEST / columns)))
    height = _height(rows, 280, least=13)
    size = SMALL if width >= 24 else LEAST if width >= 15 else 0
    if not size or height < size * LEADING:
        return Cells(width, _height(rows, 300), 0)
    return Cells(width, height, size)


def _widest_text(grid: Grid, ruler: Ruler) -> float:
    in_cells = {text for row in grid.text for text in row}
    return max(ruler.width(literal(text), SMALL, mono=True) for text in in_cells | set(grid.columns)) + 4


def _height(rows: int, wanted: float, least: float = 8) -> float:
    """The height of a row: as wanted for all together, but no row under `least` unless the grid would be too tall."""
    return within(wanted / rows, least, 20) if rows * least <= TALLEST else max(1.0, TALLEST / rows)


def within(value: float, low: float, high: float) -> float:
    """The value, or the nearer bound."""
    return max(low, min(high, value))


# --- parts ---------------------------------------------------------------------------------------------------


def heading(page: Page, title: str, ruler: Ruler) -> float:
    """The title; returns the height below it."""
    y = MARGIN
    for line in ruler.wrap(title, TITLE, page.width - 2 * MARGIN, bold=True):
        page.text(MARGIN, y + ASCENT * TITLE, line, TITLE, bold=True)
        y += LEADING * TITLE
    return y + GAP


def line_of(page: Page, x: float, y: float, text: str, size: float, colour: str = INK, **style) -> float:
    """One line of text whose top is at y; returns the height below it."""
    page.text(x, y + ASCENT * size, text, size, colour=colour, **style)
    return y + LEADING * size


def lines_of(page: Page, ruler: Ruler, x: float, y: float, text: str, room: float, colour: str) -> float:
    """A label in as many lines as it takes, their top at y; returns the height below them."""
    for line in ruler.wrap(text, LABEL, room):
        y = line_of(page, x, y, line, LABEL, colour)
    return y


def colour_bar(page: Page, scale: Scale, ruler: Ruler, x: float, y: float, width: float) -> float:
    """What the colours mean; returns the height below it."""
    y = lines_of(page, ruler, x, y, scale.label, page.width - x - MARGIN, INK) + 1
    shares = np.linspace(0, 1, 128)
    step = width / len(shares)
    lefts = x + step * np.arange(len(shares))
    page.blocks(lefts, np.full(len(shares), y), step, BAR_HEIGHT, colours(scale.kind, shares))
    bottom = y + BAR_HEIGHT
    page.line((x, y), (x + width, y), (x + width, bottom), (x, bottom), (x, y))
    last_end = -1e9
    for number, text in scale.ticks:
        where = x + width * float(scale.shares(np.array([number]))[0])
        half = ruler.width(literal(text), SMALL) / 2
        page.line((where, bottom), (where, bottom + 2))
        if where - half > last_end + 3:
            page.text(where, bottom + 2 + LEADING * SMALL - 1, literal(text), SMALL, align="center")
            last_end = where + half
    return bottom + 2 + LEADING * SMALL + 1.5 * GAP


def draw_cells(page: Page, grid: Grid, ruler: Ruler, x: float, y: float, cells: Cells) -> bool:
    """The coloured cells, row 0 at the bottom, and the text in them; says whether any text was cut."""
    rows, columns = grid.values.shape
    filled = colours(grid.scale.kind, grid.scale.shares(np.asarray(grid.values, dtype=np.float64)))
    lefts = x + cells.width * np.arange(columns)
    tops = y + cells.height * (rows - 1 - np.arange(rows))
    seam = (WHITE, 0.5) if min(cells.width, cells.height) >= 6 else None
    from_the_top = filled[::-1].reshape(-1, 3)
    page.blocks(np.tile(lefts, rows), np.repeat(tops[::-1], columns), cells.width, cells.height, from_the_top, seam)
    bottom, right = y + rows * cells.height, x + columns * cells.width
    page.line((x, y), (right, y), (right, bottom), (x, bottom), (x, y))
    if grid.text is None or not cells.type_size:
        return False
    was_cut = False
    for r in range(rows):
        for c in range(columns):
            shown = ruler.cut(grid.text[r][c], cells.type_size, cells.width - 2, mono=True)
            was_cut |= shown != literal(grid.text[r][c])
            page.beside(lefts[c] + cells.width / 2, tops[r] + cells.height / 2, shown, cells.type_size,
                        align="center", mono=True, colour=ink_on(filled[r, c]))  # fmt: skip
    return was_cut


def row_labels(page: Page, labels, ruler: Ruler, right: float, y: float, height: float) -> None:
    """Labels that end at `right`, beside rows of this height, the first at the bottom."""
    for n in kept_labels(len(labels), height, SMALL * 1.1):
        middle = y + (len(labels) - 1 - n) * height + height / 2
        page.beside(right, middle, literal(labels[n]), SMALL, align="right", mono=True)


def column_labels(page: Page, grid: Grid, ruler: Ruler, x: float, y: float, width: float) -> tuple[float, bool]:
    """Position numbers and labels under the columns, and the axis in words; returns the height below, and whether a
    label was cut. Where not all labels fit side by side they read upward."""
    y += 2
    lines = [line for line in (grid.columns, grid.against) if line is not None]
    labels = [[ruler.cut(label, SMALL, LONGEST_LABEL, mono=True) for label in line] for line in lines]
    cut = any(label != literal(full) for line, whole in zip(labels, lines, strict=True)
              for label, full in zip(line, whole, strict=True))  # fmt: skip
    flat = all(ruler.width(label, SMALL, mono=True) <= width - 2 for line in labels for label in line)
    kept = range(len(grid.columns)) if flat else kept_labels(len(grid.columns), width, SMALL * 1.1)
    middles = {c: x + (c + 0.5) * width for c in kept}
    if grid.numbers is not None:
        y = _position_numbers(page, grid.numbers, ruler, middles, y, width)
    if flat:
        for line in labels:
            for c, middle in middles.items():
                page.text(middle, y + ASCENT * SMALL, line[c], SMALL, align="center", mono=True)
            y += LEADING * SMALL
    else:
        upward = {c: " ".join(filter(None, (line[c] for line in labels))) for c in kept}
        for c, middle in middles.items():
            page.below(middle, y + 1, upward[c], SMALL, mono=True)
        y += max(ruler.width(label, SMALL, mono=True) for label in upward.values()) + GAP
    return lines_of(page, ruler, x, y, grid.column_title, page.width - x - MARGIN, SOFT), cut


def _position_numbers(page: Page, numbers, ruler: Ruler, middles: dict[int, float], y: float, width: float) -> float:
    texts = {c: str(numbers[c]) for c in middles}
    widest = max(ruler.width(text, SMALL) for text in texts.values())
    spacing = width if len(middles) == len(numbers) else SMALL * 1.1
    if widest <= spacing - 1:
        for c, middle in middles.items():
            page.text(middle, y + ASCENT * SMALL, texts[c], SMALL, align="center", colour=SOFT)
        return y + LEADING * SMALL
    for c, middle in middles.items():
        page.below(middle, y + 1, texts[c], SMALL, colour=SOFT)
    return y + widest + GAP


def footnotes(page: Page, notes, alarms, ruler: Ruler, y: float) -> None:
    """The lines that say how the result was made, failed checks in red; ends the page."""
    page.line((MARGIN, y), (page.width - MARGIN, y))
    y += GAP
    for texts, colour in ((alarms, ALARM), (notes, SOFT)):
        for text in texts:
            for line in ruler.wrap(text, SMALL, page.width - 2 * MARGIN):
                y = line_of(page, MARGIN, y, line, SMALL, colour)
    page.height = y - (LEADING - ASCENT - DESCENT) * SMALL + MARGIN
