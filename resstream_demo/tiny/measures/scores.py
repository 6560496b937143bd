"""What an evaluation finds: shares and other numbers, each with its goal if it has one, as rows of a table."""

from collections.abc import Sequence
from dataclasses import dataclass

HEADER = ("goal", "measured", "result", "of", "wanted", "more")
MARKS = {True: "met", False: "MISSED", None: ""}


@dataclass(frozen=True)
class Score:
    """One measured skill: the share answered right (0 to 1) of n.

    goal: the least share wanted, None where the share is only reported. extra: a sentence with further measured
    values, or "". kind: "accuracy", or "probability" where the share is a mean probability.
    """

    skill: str
    share: float
    n: int
    goal: float | None = None
    extra: str = ""
    kind: str = "accuracy"

    @property
    def met(self) -> bool | None:
        """Whether the goal is reached; None without a goal."""
        return None if self.goal is None else self.share >= self.goal

    @property
    def value(self) -> float:
        return self.share

    def row(self) -> tuple[str, ...]:
        wanted = "" if self.goal is None else f"≥ {percent(self.goal)}"
        return (MARKS[self.met], self.skill, f"{percent_down(self.share)}", f"{self.n:,}", wanted, self.extra)


@dataclass(frozen=True)
class Reading:
    """A measured number that is not a share of right answers.

    low, high: the bounds it should lie within, ends included; None where there is none.
    """

    skill: str
    value: float
    n: int
    low: float | None = None
    high: float | None = None
    extra: str = ""
    kind: str = "mean"

    @property
    def met(self) -> bool | None:
        """Whether the value lies within its bounds; None if it has none."""
        if self.low is None and self.high is None:
            return None
        return (self.low is None or self.value >= self.low) and (self.high is None or self.value <= self.high)

    def row(self) -> tuple[str, ...]:
        ends = [f"{number:g}" for number in (self.low, self.high) if number is not None]
        wanted = " to ".join(ends) if len(ends) == 2 else f"≥ {ends[0]}" if self.low is not None else ""
        if self.low is None and self.high is not None:
            wanted = f"≤ {ends[0]}"
        shown = f"{self.value:g}" if float(self.value).is_integer() else f"{self.value:.3f}"
        return (MARKS[self.met], self.skill, shown, f"{self.n:,}", wanted, self.extra)


Finding = Score | Reading


def percent(share: float) -> str:
    """A share as a goal is written: no more digits than it has."""
    return f"{100 * share:.4g} %"


def percent_down(share: float) -> str:
    """A share in per cent with two digits, never rounded up: 99.996 % must not read as 100 %."""
    return f"{int(share * 10_000 + 1e-7) / 100:.2f} %"


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A Markdown table whose columns also line up in a terminal: one line each for header, rule and rows."""
    cells = [[str(cell).replace("|", "\\|").replace("\n", "↵") for cell in row] for row in (header, *rows)]
    widths = [max(3, *(len(row[column]) for row in cells)) for column in range(len(header))]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |" for row in cells
    ]
    rule = "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    return [lines[0], rule, *lines[1:]]


def findings_table(findings: Sequence[Finding]) -> list[str]:
    return table(HEADER, [finding.row() for finding in findings])
