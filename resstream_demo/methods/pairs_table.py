"""Pairs of prompts as a table: what a CSV file must hold, and what is said of one that does not."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from ..core.errors import OptionError
from ..core.names import excerpt, positive
from ..core.words import Say, joined, say

REQUIRED = ("clean", "corrupted", "answer")
OPTIONAL = ("contrast", "label")
DELIMITERS = ",;\t"
MAX_ROWS = 100
MAX_SPELT = 20  # faults spelt out in one message
MAX_NAMED = 200  # faults that it names at all


@dataclass(frozen=True)
class Pair:
    """Two prompts and the token that follows the clean one. contrast: "" for none. label: a name to show."""

    clean: str
    corrupted: str
    answer: str
    contrast: str = ""
    label: str = ""


def read_pairs(csv_text: str, *, max_rows: int = MAX_ROWS) -> tuple[Pair, ...]:
    """The pairs of a CSV text with columns clean, corrupted, answer and, if wanted, contrast and label.

    Columns may come in any order and letter case and be parted by commas, semicolons or tabs; columns of other names
    are left aside and blank rows skipped. Cells are taken as they stand, leading spaces included. A pair without a
    label is called by its line. All rows are checked first: raises one OptionError naming every bad row by its line.
    """
    max_rows = positive(max_rows, "max_rows")
    if not isinstance(csv_text, str):
        raise OptionError(say("The table is a text, not {type}. Decode it as UTF-8.", type=type(csv_text).__name__))
    text = csv_text.removeprefix("\ufeff")
    delimiter = _delimiter(text)
    rows = _rows(text, delimiter)
    _, header = next(rows, (0, []))
    places = _places(header)
    pairs, faults = [], []
    for line, cells in rows:
        name = say("line {line}", line=line)
        cells += [""] * (len(header) - len(cells))
        fault = _row_fault(line, cells, len(header), places, delimiter)
        if fault:
            faults.append((name, fault))
        found = {column: cells[place] for column, place in places.items()}
        pairs.append(Pair(**(found | {"label": found.get("label") or name})))
    if not pairs:
        raise OptionError(say("The table has column names and no pairs below them. Add at least one."))
    if len(pairs) > max_rows:
        many = say("It has {count:,} pairs; at most {most:,} are read.", count=len(pairs), most=max_rows)
        faults.insert(0, ("", many))
    if faults:
        raise OptionError(say("The table cannot be used as it is. {faults}", faults=all_faults(faults)))
    return tuple(pairs)


def all_faults(faults: Sequence[tuple[str, str]]) -> Say:
    """Faults (where, a sentence) in one text: the first spelt out, the others named as far as there is room."""
    told = [sentence for _, sentence in faults[:MAX_SPELT]]
    names = [where for where, _ in faults[MAX_SPELT:MAX_NAMED]]
    if names and len(faults) <= MAX_NAMED:
        told.append(say("There is also something wrong with {names}.", names=joined(names, ", ")))
    elif names:
        more = len(faults) - MAX_NAMED
        told.append(
            say("There is also something wrong with {names} and {more:,} more.", names=joined(names, ", "), more=more)
        )
    return joined(told)


def _delimiter(text: str) -> str:
    """Whichever of the delimiters finds most of the required columns; the comma if none is better."""

    def found(delimiter: str) -> int:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        header = next((row for row in rows if any(row)), [])
        return len({cell.strip().lower() for cell in header} & set(REQUIRED))

    return max(DELIMITERS, key=found)


def _rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """(line on which it begins, cells) of every row that is not blank. Raises OptionError for stray quotation marks."""
    reader, line = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True), 1
    try:
        for cells in reader:
            if any(cells):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise OptionError(
            say(
                "The table cannot be read from line {line} on: {reason}. Look at the quotation marks there; one inside "
                "a quoted text is written twice.",
                line=line,
                reason=str(error),
            )
        ) from None


def _places(header: list[str]) -> dict[str, int]:
    """Where each known column stands. Raises OptionError if one is missing, doubled, or seems to be misspelt."""
    names = [cell.strip().lower() for cell in header]
    known = (*REQUIRED, *OPTIONAL)
    wanted = say("It needs clean, corrupted and answer, and may have contrast and label.")
    if not names:
        raise OptionError(joined([say("The table is empty. Its first line names the columns."), wanted]))
    there = joined([excerpt(cell) for cell in header[:MAX_SPELT]], ", ")
    missing = [name for name in REQUIRED if name not in names]
    if missing:
        lacks = say("The table has no column {names}; it has {there}.", names=joined(missing, ", "), there=there)
        raise OptionError(joined([lacks, wanted]))
    doubled = [name for name in known if names.count(name) > 1]
    if doubled:
        raise OptionError(
            say("The table has more than one column {name}; it has {there}. Keep one.", name=doubled[0], there=there)
        )
    for name in names:
        meant = get_close_matches(name, [one for one in OPTIONAL if one not in names], n=1, cutoff=0.75)
        if name not in known and meant:
            raise OptionError(
                say(
                    "The table has a column {name}. If {meant} is meant, write it so; if not, rename the column.",
                    name=excerpt(name),
                    meant=meant[0],
                )
            )
    return {name: names.index(name) for name in known if name in names}


def _row_fault(line: int, cells: list[str], width: int, places: dict[str, int], delimiter: str) -> Say | None:
    """What is wrong with a row, as a sentence; None if nothing is."""
    if any(cells[width:]):
        return say(
            "Line {line} has {cells} cells where there are {width} columns: put a text with {sign} in it in quotation "
            "marks.",
            line=line,
            cells=len(cells),
            width=width,
            sign=say("a tab") if delimiter == "\t" else f"“{delimiter}”",
        )
    texts = {name: cells[place] for name, place in places.items()}
    empty = [name for name in REQUIRED if not (texts[name] if name == "answer" else texts[name].strip())]
    if empty:
        return say("Line {line} has nothing for {names}.", line=line, names=joined(empty, ", "))
    quoted = [name for name, cell in texts.items() if re.fullmatch(r'\s+".*"\s*', cell, re.DOTALL)]
    if quoted:
        return say(
            "Line {line} has a space before the quotation mark of {names}: delete that space.",
            line=line,
            names=joined(quoted, ", "),
        )
    return None
