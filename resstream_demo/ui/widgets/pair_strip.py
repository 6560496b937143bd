"""The tokens of both prompts in one block, aligned column by column, each with its own position number."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ...core.tokens import Alignment, Prompt, align
from ...core.words import joined, plural, say
from .base import Widget

Pair = tuple[int | None, int | None]  # a position in the clean prompt and one in the corrupted; None is a gap

PLACES_NAMED = 3  # a summary that names more places than this is no longer short


@dataclass(frozen=True)
class PairWords:
    """The words of a `PairStrip` that stand on it whatever the prompts are.

    clean, corrupted: names of the rows. group: name of the whole, for screen readers. hint: said where the selected
    token's detail will stand. differs, alone, gap: what a token that differs, a token without a partner and an
    empty place are.
    """

    clean: str = say("clean")
    corrupted: str = say("corrupted")
    group: str = say("Tokens of the prompts, position by position")
    hint: str = say("Select a token to look at its position.")
    differs: str = say("differs from the other prompt")
    alone: str = say("has no partner in the other prompt")
    gap: str = say("no token here")


@dataclass(frozen=True)
class TokenRow:
    """The T tokens of one prompt. tokens: T display strings. details: T sentences with the raw token and its id.
    special: positions of special tokens such as BOS, drawn with a dashed border."""

    tokens: Sequence[str]
    details: Sequence[str] | None = None
    special: Collection[int] = ()

    def __post_init__(self) -> None:
        if not self.tokens:
            raise ValueError("A row has at least one token; leave the row out where there is no prompt.")
        if self.details is not None and len(self.details) != len(self.tokens):
            raise ValueError(f"details has {len(self.details)} entries for {len(self.tokens)} tokens.")
        for position in self.special:
            if not 0 <= position < len(self.tokens):
                raise ValueError(f"special names position {position} of {len(self.tokens)} tokens.")

    def payload(self, name: str) -> dict[str, Any]:
        """JSON-able form."""
        return {
            "name": name,
            "tokens": list(self.tokens),
            "details": list(self.tokens if self.details is None else self.details),
            "special": sorted(int(p) for p in self.special),
        }


@dataclass(frozen=True)
class PairStripData:
    """What a `PairStrip` draws.

    clean, corrupted: the rows; one of them may be missing. columns: pairs of positions, from left to right, each
    position of a row exactly once and in order; None where a row has no token. differs: indices of the columns in
    which the prompts differ, those with a gap among them. summary: one short line about the lengths.
    """

    clean: TokenRow | None
    corrupted: TokenRow | None
    columns: Sequence[Pair]
    differs: Collection[int] = ()
    summary: str = ""
    words: PairWords = PairWords()

    def __post_init__(self) -> None:
        rows = (self.clean, self.corrupted)
        if rows == (None, None):
            raise ValueError("A pair has at least one row; draw None where there is no prompt.")
        for index, column in enumerate(self.columns):
            if len(column) != 2 or tuple(column) == (None, None):
                raise ValueError(f"Column {index} is {column!r}; it is two positions, at most one of them None.")
        for side, (name, row) in enumerate(zip(("clean", "corrupted"), rows, strict=True)):
            found = [column[side] for column in self.columns if column[side] is not None]
            expected = [] if row is None else list(range(len(row.tokens)))
            if found != expected:
                raise ValueError(
                    f"The columns name the {name} positions {found[:12]}; they must name each of the "
                    f"{len(expected)} once and in order."
                )
        gaps = {i for i, column in enumerate(self.columns) if None in column} if None not in rows else set()
        wrong = set(self.differs) - set(range(len(self.columns)) if None not in rows else ())
        if wrong or gaps - set(self.differs):
            raise ValueError(
                f"differs has {sorted(wrong)} too many and lacks {sorted(gaps - set(self.differs))}: it names columns "
                "of two prompts, and every one with a gap."
            )

    def payload(self) -> dict[str, Any]:
        """JSON-able form. A missing row is None."""
        words = self.words
        return {
            "rows": [
                None if row is None else row.payload(name)
                for row, name in ((self.clean, words.clean), (self.corrupted, words.corrupted))
            ],
            "columns": [[None if p is None else int(p) for p in column] for column in self.columns],
            "differs": sorted(int(i) for i in self.differs),
            "summary": self.summary,
            "words": {name: getattr(words, name) for name in ("group", "hint", "differs", "alone", "gap")},
        }


class PairStrip(Widget):
    """Two aligned rows of clickable tokens, which wrap together. Value: `PairStripData`.

    Marks: `selected`, a position of the clean prompt (or `(row, position)`, row 0 for clean, 1 for corrupted), and
    `stale`. `strip.select(handler)` calls `handler(event: gr.SelectData)` with `event.index == [row, position]` and
    `event.value` the token's display string. Arrow keys move in both directions, Home and End along the row; Enter
    selects.
    """

    SCRIPTS = ("pair_strip.js",)
    STYLE = "pair_strip.css"
    ACCEPTS = PairStripData


def pair_strip(clean: Prompt | None, corrupted: Prompt | None, detail: Callable[[int], str]) -> PairStripData | None:
    """The tokens of one or two prompts side by side; None if there is neither.

    detail: the sentence about a token id (the token, its raw text, its id). Equally long prompts are paired position
    by position; where one is longer, the other has a gap at the place where the extra tokens are.
    """
    rows = (_row(clean, detail), _row(corrupted, detail))
    if clean is None and corrupted is None:
        return None
    if corrupted is None:
        return PairStripData(*rows, [(i, None) for i in range(len(clean))], summary=_count(len(clean)))
    if clean is None:
        line = say("corrupted: {tokens}", tokens=_count(len(corrupted)))
        return PairStripData(*rows, [(None, i) for i in range(len(corrupted))], summary=line)
    alignment = align(clean, corrupted)
    differs = [i for i, same in enumerate(alignment.same) if not same]
    return PairStripData(*rows, alignment.columns, differs, summary(alignment, len(clean), len(corrupted)))


def summary(alignment: Alignment, clean: int, corrupted: int) -> str:
    """How two prompts of `clean` and `corrupted` tokens compare, in one line."""
    if alignment.equal_length:
        positions = [column[0] for column in alignment.differing]
        return say("{tokens} each, {difference}", tokens=_count(clean), difference=_difference(positions))
    changes = _changes(alignment.columns)
    text = joined(changes, ", ")
    if len(changes) > PLACES_NAMED:
        text = say("longer or shorter in {n} places", n=len(changes))
    return say("clean {tokens}, corrupted {n:,}: {changes}", tokens=_count(clean), n=corrupted, changes=text)


def _count(n: int) -> str:
    return plural(n, "1 token", "{count:,} tokens")


def _difference(positions: Sequence[int | None]) -> str:
    if not positions:
        return say("no difference")
    if len(positions) > PLACES_NAMED:
        return say("different at {n:,} positions", n=len(positions))
    named = joined([str(position) for position in positions], ", ")
    if len(positions) == 1:
        return say("different at position {positions}", positions=named)
    return say("different at positions {positions}", positions=named)


def _changes(columns: Sequence[Pair]) -> list[str]:
    """Each run of gaps: how many tokens the corrupted prompt has more or fewer, after which clean position."""
    found, before = [], None  # before: the last clean position to the left
    for gap, run in groupby(columns, key=lambda column: next((s for s in (0, 1) if column[s] is None), None)):
        run = list(run)
        if gap is not None:
            place = say("at the start") if before is None else say("after position {position}", position=before)
            if gap == 0:
                found.append(plural(len(run), "one more {place}", "{count:,} more {place}", place=place))
            else:
                found.append(plural(len(run), "one fewer {place}", "{count:,} fewer {place}", place=place))
        before = next((column[0] for column in reversed(run) if column[0] is not None), before)
    return found


def _row(prompt: Prompt | None, detail: Callable[[int], str]) -> TokenRow | None:
    if prompt is None:
        return None
    return TokenRow(prompt.tokens, [detail(i) for i in prompt.ids], special=(0,) if prompt.bos else ())
