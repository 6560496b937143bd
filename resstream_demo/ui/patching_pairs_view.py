"""What is drawn and said of patching over many pairs: the grid of means, and the pairs behind one of its cells."""

import numpy as np

from ..core.words import Say, joined, plural, say
from ..figures.export import described_frame
from ..figures.notice import column_words
from ..figures.numbers import format_number
from .patching_view import METRICS, what
from .widgets import Column, DetailData, GridData, Scale, Table

METRIC_NAMES = {metric: name for name, metric in METRICS}
ROLES = {"differing": say("differing"), "between": say("between"), "last": say("last")}
TWO_MEANS = say(
    "In the mean of the shares every pair counts alike, and one whose two runs hardly differ can be loud; in the share "
    "of the mean a pair counts by how much its two runs differ."
)


def draw(result) -> GridData:
    """The mean share recovered: layers × positions, × roles of positions, or × heads."""
    layers, columns = result.mean.shape
    by_position = result.axis == "position"
    return GridData(
        rows=[f"L{layer}" for layer in range(layers)],
        columns=[ROLES.get(name, name) for name in result.columns] if result.axis == "role" else result.columns,
        column_numbers=range(columns) if by_position else None,
        column_marks=_differing(result) if by_position else None,
        values=result.mean,
        scale=Scale("diverging", say("mean share recovered")),
        title=plural(len(result.used), "One pair", "Mean of {count} pairs"),
        row_title=say("layer whose {site} is copied", site=result.site),
        column_title=_column_title(result.axis),
        hover=[[_hover(result, layer, column) for column in range(columns)] for layer in range(layers)],
        cone=by_position,
    )


def _differing(result) -> list[str]:
    """A mark for each position at which the prompts of a pair differ."""
    runs = [result.results[n] for n in result.used]
    places = zip(*(zip(run.clean.ids, run.corrupted.ids, strict=True) for run in runs), strict=True)
    return ["≠" if any(clean != corrupted for clean, corrupted in tokens) else "" for tokens in places]


def _column_title(axis: str) -> Say:
    return {
        "position": say("position that is copied; ≠ where the prompts differ, … where the pairs do"),
        "role": say(
            "tokens that are copied together: those that differ; those between the first of these and the last token; "
            "the last token"
        ),
        "head": say("head, copied at all positions at once"),
    }[axis]


def _hover(result, layer: int, column: int) -> list[tuple[str, str]]:
    lines = [(say("pairs"), format_number(int(result.counts[column])))]
    spread = cell_number(result.std, layer, column)
    if spread is not None:
        lines.insert(0, (say("standard deviation"), format_number(spread)))
    share = cell_number(result.ratio_of_means, layer, column)
    if share is not None:
        lines.append((say("share of the mean"), format_number(share, signed=True)))
    return lines


def cell_number(array, layer: int, column: int) -> float | None:
    """A number of a statistic that a cell may not have."""
    if array is None or np.ma.getmaskarray(array)[layer, column]:
        return None
    return float(array[layer, column])


def strongest(result) -> tuple[int, int]:
    """The cell whose mean lies furthest from that of the run that was patched."""
    moved = np.abs(result.mean - (0.0 if result.direction == "denoising" else 1.0))
    return tuple(int(i) for i in np.unravel_index(moved.argmax(), moved.shape))


def detail(result, layer: int, column: int) -> DetailData:
    """The statistics of a cell, and each pair's own number."""
    of_head = result.axis == "head"
    place = say("all positions") if of_head else column_words(result, column)
    title = say("{what}: {place}", what=what(result.site, layer, column if of_head else None), place=place)
    facts = [(say("mean of the shares"), format_number(float(result.mean[layer, column]), signed=True))]
    for name, array in ((say("standard deviation"), result.std),
                        (say("standard error"), result.standard_error)):  # fmt: skip
        number = cell_number(array, layer, column)
        facts.append((name, say("none for a single pair") if number is None else format_number(number)))
    share = cell_number(result.ratio_of_means, layer, column)
    none = say("none: the pairs’ differences cancel out")
    facts.append((say("share of the mean"), none if share is None else format_number(share, signed=True)))
    facts.append((say("pairs"), f"{int(result.counts[column])}"))
    return DetailData(title=title, facts=facts, tables=[_pairs(result, layer, column)], notes=[TWO_MEANS])


def _pairs(result, layer: int, column: int) -> Table:
    kept = ~np.ma.getmaskarray(result.values)[:, layer, column]
    rows = [
        (
            result.names[pair],
            format_number(float(result.values[n, layer, column]), signed=result.metric == "logit_diff"),
            float(result.recovered[n, layer, column]),
        )
        for n, pair in enumerate(result.used)
        if kept[n]
    ]
    full = max([1.0, *(abs(row[2]) for row in rows)])  # so that rounding draws no bar
    columns = [
        Column(say("pair")),
        Column(say("patched run"), "number"),
        Column(say("share recovered"), "signed", maximum=full, digits=3),
    ]
    return Table(columns=columns, rows=rows, caption=say("Each pair by itself"))


def left_out(result) -> Say | str:
    """Which pairs are not in the mean, "" if all are."""
    if not result.excluded:
        return ""
    return say(
        "Not in the mean, for their two runs give the same number: {names}.", names=joined(result.excluded, ", ")
    )


def made_with(result) -> Say:
    """What was copied where and read how, for the options above may be others by now."""
    way = (
        say("from the clean into the corrupted runs")
        if result.direction == "denoising"
        else say("from the corrupted into the clean runs")
    )
    return say(
        "{site} copied {way}, read off: {metric}.", site=result.site, way=way, metric=METRIC_NAMES[result.metric]
    )


def pairs_csv(result) -> str:
    """The numbers of each pair as CSV text, with the same facts of how they were made as the means have."""
    facts = described_frame(result).filter(regex="^run_").iloc[0]
    return result.pair_frame().assign(**facts.to_dict()).to_csv(index=False)
