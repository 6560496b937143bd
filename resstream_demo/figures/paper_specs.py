"""What a picture for paper shows: grids and bars made of a result's numbers, before anything is laid out or drawn."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..core.names import head_label
from ..core.tokens import align
from ..core.trace import HEAD_SITES
from .derived import attention_shares, log_rank
from .numbers import format_number
from .paper_words import metric_words

DEPTH = "↑ depth: "
RECOVERED = "share recovered (0: corrupted run, 1: clean run)"
PREDICTS = "position (a cell predicts the next token)"


@dataclass(frozen=True)
class Scale:
    """How numbers become colours. kind: "diverging" (symmetric about 0) or "sequential". label: quantity and unit.
    ticks: (number on the scale, its text). of_ranks: its numbers are log₁₀(1 + rank)."""

    kind: str
    label: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    of_ranks: bool = False

    def shares(self, values: np.ndarray) -> np.ndarray:
        """How far along the scale numbers lie, 0 to 1."""
        if self.high <= self.low:
            return np.full(values.shape, 0.5 if self.kind == "diverging" else 0.0)
        return np.clip((values - self.low) / (self.high - self.low), 0, 1)


@dataclass(frozen=True, eq=False)
class Grid:
    """A heat map of R rows (row 0 at the bottom) and C columns.

    values [R, C] finite. rows [R] and columns [C]: labels; equal ones stay apart. numbers [C]: positions, written with
    the columns' labels. against [C]: second labels, "" for none. text [R][C]: what stands in the cells. by_head:
    columns are heads, not positions.
    """

    rows: tuple[str, ...]
    row_title: str
    columns: tuple[str, ...]
    column_title: str
    values: np.ndarray
    scale: Scale
    numbers: tuple[int, ...] | None = None
    against: tuple[str, ...] | None = None
    text: tuple[tuple[str, ...], ...] | None = None
    by_head: bool = False


@dataclass(frozen=True, eq=False)
class Bars:
    """Signed bars from zero, the first at the bottom. lines: (number, its name), drawn across all bars."""

    rows: tuple[str, ...]
    row_title: str
    values: np.ndarray
    axis_title: str
    lines: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True)
class Step:
    """One bar of a waterfall. kind: "attention", "MLP", "other" or "whole" (drawn from zero, not from the sum)."""

    name: str
    kind: str
    value: float


@dataclass(frozen=True, eq=False)
class Waterfall:
    """A sum built up from the bottom, beside a grid of its heads.

    below, above: steps before the first and after the last layer. layers: for each layer its attention and its MLP.
    """

    below: tuple[Step, ...]
    layers: tuple[tuple[Step, Step], ...]
    above: tuple[Step, ...]
    axis_title: str
    heads: Grid


# --- scales --------------------------------------------------------------------------------------------------


def diverging(label: str, values: np.ndarray, limit: float | None = None) -> Scale:
    """Symmetric about zero, to the largest magnitude or to `limit`."""
    bound = float(np.abs(values).max(initial=0.0)) if limit is None else limit
    ticks = tuple((t, _tick(t, signed=True)) for t in nice_ticks(-bound, bound, 4))
    return Scale("diverging", label, -bound, bound, ticks)


def sequential(
    label: str, values: np.ndarray, *, low: float | None = 0.0, high: float | None = None, limit: float | None = None
) -> Scale:
    """From `low` (None: the smallest number) to at least `high` and the largest number, or to `limit`."""
    bottom, largest = float(values.min()) if low is None else low, float(values.max())
    top = limit if limit is not None else largest if high is None else max(high, largest)
    ticks = tuple((t, _tick(t)) for t in nice_ticks(bottom, max(top, bottom), 4))
    return Scale("sequential", label, bottom, max(top, bottom), ticks)


def ranks(label: str, found: np.ndarray, limit: float | None = None) -> Scale:
    """For log₁₀(1 + rank) of the ranks found; its ticks are ranks. limit: a rank."""
    last = int(found.max(initial=0)) if limit is None else limit
    marks = [mark for mark in (0, *(10**n for n in range(12))) if mark <= last]
    ticks = tuple((float(log_rank(np.array(mark))), f"{mark:,}") for mark in marks)
    return Scale("sequential", label, 0.0, float(log_rank(np.array(last))), ticks, of_ranks=True)


def axis_ticks(low: float, high: float) -> list[tuple[float, str]]:
    """(number, text) of the ticks of an axis."""
    return [(tick, _tick(tick)) for tick in nice_ticks(low, high, 5)]


def nice_ticks(low: float, high: float, count: int) -> list[float]:
    """About `count` round numbers within [low, high], zero among them if it lies there; [low] if there is no room."""
    if not high > low:
        return [low]
    raw = (high - low) / count
    unit = 10.0 ** math.floor(math.log10(raw))
    step = next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor >= raw * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [n * step for n in range(first, last + 1)]


def _tick(number: float, signed: bool = False) -> str:
    """A round number with as many decimals as it has."""
    if number and not 1e-4 <= abs(number) < 1e6:
        text = f"{abs(number):g}".replace("e-0", "e−").replace("e-", "e−").replace("e+0", "e").replace("e+", "e")
    else:
        text = f"{abs(number):.6f}".rstrip("0").rstrip(".")
    return ("−" if number < 0 else "+" if signed and number > 0 else "") + text


# --- the four methods ----------------------------------------------------------------------------------------


def lens_grid(result, statistic: str, target: int, limit: float | None) -> Grid:
    """Rows × positions, each cell with its likeliest token."""
    rows, positions = result.entropy.shape
    values, scale = _lens_values(result, statistic, target, limit)
    one_site = len(result.sites) == 1
    return Grid(
        rows=tuple(_lens_row(result, r, one_site) for r in range(rows)),
        row_title=DEPTH + (f"layer, read at {result.sites[0]}" if one_site else "layer and site"),
        columns=result.prompt.tokens,
        column_title=PREDICTS,
        values=values,
        scale=scale,
        numbers=tuple(range(positions)),
        text=tuple(tuple(result.top_tokens(r, t)[0] for t in range(positions)) for r in range(rows)),
    )


def _lens_row(result, row: int, one_site: bool) -> str:
    layer = result.row_layers[row]
    return "embed" if layer < 0 else f"L{layer}" if one_site else result.row_names[row]


def _lens_values(result, statistic: str, target: int, limit: float | None) -> tuple[np.ndarray, Scale]:
    if statistic == "entropy":
        return result.entropy, sequential("entropy (nats)", result.entropy, limit=limit)
    if statistic == "kl":
        return result.kl_to_final, sequential("KL(output ‖ row) (nats)", result.kl_to_final, limit=limit)
    if statistic == "top_prob":
        values, label = result.top_probs[:, :, 0], "probability of the top token"
        return values, sequential(label, values, high=1.0, limit=limit)
    name = result.targets[target].display
    if statistic == "target_rank":
        found = result.target_ranks[:, :, target]
        return log_rank(found), ranks(f"rank of {name} (0 is first; log scale)", found, limit)
    values = result.target_probs[:, :, target]
    return values, sequential(f"probability of {name}", values, high=1.0, limit=limit)


def waterfall(result, limit: float | None) -> Waterfall:
    """The sum of an attribution, layer by layer, and its heads."""
    by_name = dict(zip(result.components, map(float, result.values), strict=True))
    attention, goal = attention_shares(result), result.answer.display
    what = f"logit of {goal}" + (f" − logit of {result.contrast.display}" if result.contrast else "")
    layers = tuple(
        (Step(f"L{n} attention", "attention", float(attention[n])), Step(f"L{n} MLP", "MLP", float(result.mlps[n])))
        for n in range(len(result.mlps))
    )
    biases = [Step(name, "other", by_name[name]) for name in ("ln_final bias", "unembed bias") if name in by_name]
    return Waterfall(
        below=tuple(Step(name, "other", by_name[name]) for name in ("embed", "pos_embed")),
        layers=layers,
        above=(*biases, Step("total", "whole", result.total)),
        axis_title=f"{what} (logits), summed upward",
        heads=_heads(result.heads, diverging("each head’s share (logits)", result.heads, limit), "layer"),
    )


def _heads(values: np.ndarray, scale: Scale, row_title: str, column_title: str = "head") -> Grid:
    layers, heads = values.shape
    return Grid(
        rows=tuple(f"L{layer}" for layer in range(layers)),
        row_title=DEPTH + row_title,
        columns=tuple(f"H{head}" for head in range(heads)),
        column_title=column_title,
        values=values,
        scale=scale,
        by_head=True,
    )


def patching(result, statistic: str, slice_: tuple[str, int] | None, limit: float | None) -> Grid | Bars:
    """Layers × positions, layers × heads, heads × positions of a layer, or one bar per layer.

    slice_: of values [L, H, T], ("layer", l) or ("position", t).
    """
    values = result.recovered if statistic == "recovered" else result.values
    values = np.asarray(values, dtype=np.float64)
    label = RECOVERED if statistic == "recovered" else metric_words(result)
    signed = statistic == "recovered" or result.metric == "logit_diff"
    title = f"layer whose {result.site} is patched"
    if values.ndim == 1:
        lines = ((0.0, "corrupted run"), (1.0, "clean run")) if statistic == "recovered" else _baselines(result)
        return Bars(tuple(f"L{n}" for n in range(len(values))), DEPTH + title, values, label, lines)
    scale = _metric_scale(result.metric, label, values, signed, limit)
    if result.site not in HEAD_SITES:
        rows = tuple(f"L{layer}" for layer in range(len(values)))
        return _by_position(result, rows, DEPTH + title, values, scale)
    if values.ndim == 2:
        return _heads(values, scale, title, "head, patched at " + _where(result.positions))
    axis, index = slice_
    if axis == "position":
        where = f"position {index} ({result.clean.tokens[index]})"
        return _heads(values[:, :, index], scale, title, f"head, patched at {where}")
    rows = tuple(head_label(index, head) for head in range(values.shape[1]))
    return _by_position(result, rows, f"head of layer {index} whose {result.site} is patched", values[index], scale)


def _where(positions) -> str:
    return "all positions" if positions == "all" else "positions " + ", ".join(map(str, positions))


def _baselines(result) -> tuple[tuple[float, str], ...]:
    return (result.corrupted_value, "corrupted run"), (result.clean_value, "clean run")


def _metric_scale(metric: str, label: str, values: np.ndarray, signed: bool, limit: float | None) -> Scale:
    if signed:
        return diverging(label, values, limit)
    if metric == "logprob":
        return sequential(label, values, low=None, limit=limit)
    return sequential(label, values, high=1.0 if metric == "prob" else None, limit=limit)


def _by_position(result, rows: tuple[str, ...], row_title: str, values: np.ndarray, scale: Scale) -> Grid:
    clean, corrupted = result.clean.tokens, result.corrupted.tokens
    differs = {i for i, _ in align(result.clean, result.corrupted).differing}
    against = tuple(f"≠ {token}" if t in differs else "" for t, token in enumerate(corrupted))
    title = "position that is patched" + (" (clean ≠ corrupted token)" if differs else "")
    numbers = tuple(range(len(clean)))
    return Grid(rows, row_title, clean, title, values, scale, numbers, against if differs else None)


def strongest_position(result) -> int:
    """Of values [L, H, T], the position with the largest effect."""
    return int(np.unravel_index(np.abs(result.values - result.base_value).argmax(), result.values.shape)[2])


def ablation(result, statistic: str, limit: float | None) -> Grid | Bars:
    """Layers × heads, or the heads removed together against the untouched run."""
    words = metric_words(result)
    if result.values.ndim == 0:
        names = " ".join(head_label(*head) for head in result.heads)
        values = np.array([result.baseline, float(result.values)])
        return Bars(("untouched", f"without {names}"), "", values, words)
    if statistic == "effect":
        return _heads(
            result.effect, diverging(f"change of {words}", result.effect, limit), "layer", "head that is removed"
        )
    scale = _metric_scale(result.metric, words, result.values, result.metric == "logit_diff", limit)
    return _heads(result.values, scale, "layer", "head that is removed")


def beyond_note(grid: Grid) -> str:
    """What to say of numbers outside the scale; "" if there are none."""
    values, scale = grid.values, grid.scale
    beyond = int(((values < scale.low) | (values > scale.high)).sum())
    if not beyond:
        return ""
    extreme = float(values.flat[np.abs(values).argmax()])
    extreme = round(10**extreme - 1) if scale.of_ranks else extreme
    return (
        f"{beyond:,} of {values.size:,} cells lie beyond the colour scale and have the colour of its end; the furthest "
        f"is {format_number(extreme, signed=scale.kind == 'diverging')}."
    )


def without_text(grid: Grid) -> Grid:
    """The same grid with empty cells."""
    return replace(grid, text=None)


def kept_labels(count: int, room: float, needed: float) -> Sequence[int]:
    """Which of `count` labels to write when each has `room` and takes `needed`: evenly spaced, with the
    last one if there is room for two."""
    step = max(1, math.ceil(needed / room))
    kept = list(range(0, count, step))
    while len(kept) > 1 and 0 < (count - 1 - kept[-1]) * room < needed:
        kept.pop()
    if (count - 1 - kept[-1]) * room >= needed:
        kept.append(count - 1)
    return kept
