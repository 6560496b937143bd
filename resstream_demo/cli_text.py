"""Plain text for terminals: columns that line up whatever is in them, and no control characters."""

import unicodedata
from collections.abc import Sequence

GAP = "  "  # between columns


def width_of(text: str) -> int:
    """Columns that a terminal gives to a text: two for East Asian wide characters, none for combining ones."""
    return sum(_char_width(char) for char in text)


def _char_width(char: str) -> int:
    if (
        unicodedata.category(char) in ("Mn", "Me", "Cf") or "\u1160" <= char <= "\u11ff"
    ):  # or the tail of a Hangul block
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def shorten(text: str, width: int) -> str:
    """The text, cut with “…” if it takes more than `width` columns."""
    if width_of(text) <= width:
        return text
    kept = ""
    for char in text:
        if width_of(kept + char) > width - 1:
            break
        kept += char
    return kept + "…"


def right(text: str, width: int) -> str:
    """The text, filled up on the left."""
    return " " * (width - width_of(text)) + text


def left(text: str, width: int) -> str:
    """The text, filled up on the right."""
    return text + " " * (width - width_of(text))


def printable(text: str) -> str:
    """The text on one line, with control characters and broken ones written as escapes."""
    return "".join(
        c if c.isprintable() else " " if c in "\r\n\t" else c.encode("unicode_escape").decode() for c in text
    )


def wrap(words: Sequence[str], width: int, *, first: str = "", indent: str = "") -> list[str]:
    """Words in lines of at most `width` columns. first, indent: what the first and the other lines start with."""
    lines, line = [], first
    for word in words:
        empty = line in (first, indent)
        if not empty and width_of(line) + 1 + width_of(word) > width:
            lines.append(line)
            line, empty = indent, True
        line += word if empty else " " + word
    return [*lines, line]


def sentence(text: str, width: int, *, first: str = "", indent: str | None = None) -> list[str]:
    """A sentence in lines. indent: what those after the first start with; by default they stand under the first."""
    return wrap(text.split(), width, first=first, indent=" " * width_of(first) if indent is None else indent)


def grid(
    names: Sequence[str], headers: Sequence[Sequence[str]], cells: Sequence[Sequence[str]], width: int
) -> list[str]:
    """A grid of R rows and C columns, drawn upward: the first row is the lowest.

    names: [R]. headers: lines of C column heads each. cells: [R][C]. Where the columns do not fit into `width`, they
    go on below, under their own heads.
    """
    margin = max(width_of(name) for name in names)
    sizes = [max(width_of(line[c]) for line in (*headers, *cells)) for c in range(len(cells[0]))]
    lines: list[str] = []
    for band in _bands(sizes, width - margin):
        if lines:
            lines.append("")
        drawn = [("", header) for header in headers]
        drawn += reversed(list(zip(names, cells, strict=True)))
        for name, row in drawn:
            lines.append((left(name, margin) + "".join(GAP + right(row[c], sizes[c]) for c in band)).rstrip())
    return lines


def _bands(sizes: Sequence[int], width: int) -> list[range]:
    """Consecutive columns that fit side by side; at least one each."""
    bands, start, used = [], 0, 0
    for column, size in enumerate(sizes):
        if column > start and used + len(GAP) + size > width:
            bands.append(range(start, column))
            start, used = column, 0
        used += len(GAP) + size
    return [*bands, range(start, len(sizes))]


def table(titles: Sequence[str], rows: Sequence[Sequence[str]], *, texts: Sequence[int] = (0,)) -> list[str]:
    """Rows under titles. texts: the columns that are words and stand to the left; numbers stand to the right."""
    lines = [list(titles), *rows]
    sizes = [max(width_of(line[c]) for line in lines) for c in range(len(titles))]
    return [
        GAP.join((left if c in texts else right)(cell, sizes[c]) for c, cell in enumerate(line)).rstrip()
        for line in lines
    ]
