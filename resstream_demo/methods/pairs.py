"""Activation patching over several pairs of prompts, with mean and spread.

One pair shows one case; what a circuit does is said of a distribution of prompts. Sources: Wang et al. 2022 (arXiv
2211.00593), who average over such a distribution; Heimersheim & Nanda 2024, "How to use and interpret activation
patching" (arXiv 2404.15255).

Position 5 of one pair and position 5 of another need have nothing in common, so a mean over pairs is taken by position
only where the pairs have the same shape, and otherwise by the role that positions play. The positions of a role are
patched together, as one cell:

    differing   the tokens in which the two prompts differ
    between     the tokens after the first difference that are the same in both, the last one left out
    last        the last token, where the metric is read

So resid_pre of layer 0 recovers 1 at "differing" and the last resid_post 1 at "last", for every pair. Tokens before
the first difference have no role: by causality a patch there changes nothing. A last token that differs has both
outer roles. A pair whose last difference stands next to its last token has nothing "between" and does not count there.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd
import torch

from ..core.errors import ExplorerError, MetricError, OptionError
from ..core.metrics import METRICS
from ..core.names import choose, excerpt, head_label, listed
from ..core.receipts import Receipt
from ..core.sweep import Progress
from ..core.tokens import AnswerToken, Prompt
from ..core.trace import HEAD_SITES, SITES
from ..core.words import joined, say
from .pairs_table import Pair, all_faults, read_pairs
from .patching import DIRECTIONS, ROUNDING, PatchingResult, activation_patching, check_equal_length
from .results import RunInfo, run_info, top_rows

__all__ = ["Pair", "PairsResult", "patch_pairs", "read_pairs", "role_positions"]

ROLES = ("differing", "between", "last")
COLUMNS = ("auto", "positions", "roles")
STEPS = 100  # of progress, per pair


@dataclass(frozen=True, eq=False)
class PairsResult:
    """What patching gives over n pairs, m of which have a difference to recover.

    names: [n], labels, or "pair 3" for the third if it has none. results: [n], each pair's own patching result, with
    positions "each" ([L, T_i]) for a site of the stream and "all" ([L, H]) for a site of the heads. used: [m] indices
    of the pairs behind all that follows; the others' two baselines are equal. axis: "position", "role" or "head",
    what the K columns are; columns: [K] how they are called. values: the metric, and recovered: each pair's share of
    its own difference, both [m, L, K], masked (None in exports) where a pair has no position of a role. counts: [K]
    pairs behind each column.

    Two means that differ (both [L, K], float64): mean is the mean of the pairs' shares, in which every pair counts
    alike and one with a small difference can be loud; ratio_of_means is the share of the mean difference that the
    mean value recovers, in which pairs count by their difference; None if the differences cancel out. std (ddof = 1)
    and standard_error belong to mean, are None for a single pair, and masked in a column that one pair alone has.
    """

    pairs: tuple[Pair, ...]
    names: tuple[str, ...]
    results: tuple[PatchingResult, ...]
    used: tuple[int, ...]
    site: str
    direction: str
    metric: str
    axis: str
    columns: tuple[str, ...]
    values: np.ma.MaskedArray
    recovered: np.ma.MaskedArray
    counts: np.ndarray
    mean: np.ndarray
    ratio_of_means: np.ndarray | None
    std: np.ma.MaskedArray | None
    standard_error: np.ma.MaskedArray | None
    receipts: tuple[Receipt, ...]
    info: RunInfo

    @property
    def excluded(self) -> tuple[str, ...]:
        """Names of the pairs whose clean and corrupted runs give the same metric, so that no share can be given."""
        return tuple(name for n, name in enumerate(self.names) if n not in self.used)

    def frame(self) -> pd.DataFrame:
        """One line per layer and column: how many pairs, the two means, and the spread over pairs (NaN for one)."""
        layers, columns = (axis.ravel() for axis in np.indices(self.mean.shape))
        nothing = np.full(self.mean.shape, np.nan)
        return pd.DataFrame(
            {
                "layer": layers,
                **self._column_names(layers, columns),
                "pairs": self.counts[columns],
                "mean_of_ratios": self.mean.ravel(),
                "std": _filled(self.std, nothing).ravel(),
                "standard_error": _filled(self.standard_error, nothing).ravel(),
                "ratio_of_means": _filled(self.ratio_of_means, nothing).ravel(),
            }
        )

    def pair_frame(self) -> pd.DataFrame:
        """One line per pair that counts, layer and column: the pair's prompts and tokens, value and share recovered."""
        kept = ~np.ma.getmaskarray(self.values)
        which, layers, columns = (axis[kept] for axis in np.indices(self.values.shape))
        runs = [self.results[self.used[n]] for n in which]
        return pd.DataFrame(
            {
                "pair": [self.names[self.used[n]] for n in which],
                "clean": [run.clean.text for run in runs],
                "corrupted": [run.corrupted.text for run in runs],
                "answer": ["" if run.answer is None else run.answer.text for run in runs],
                "contrast": ["" if run.contrast is None else run.contrast.text for run in runs],
                "layer": layers,
                **self._column_names(layers, columns),
                "value": self.values.data[kept],
                "recovered": self.recovered.data[kept],
            }
        )

    def top(self, k: int = 10) -> pd.DataFrame:
        """The k cells whose mean share lies furthest from that of the run that was patched (effect)."""
        frame = self.frame()
        frame["effect"] = frame["mean_of_ratios"] - (0.0 if self.direction == "denoising" else 1.0)
        return top_rows(frame, "effect", k)

    def _column_names(self, layers, columns) -> dict[str, object]:
        if self.axis == "head":
            names = [head_label(layer, head) for layer, head in zip(layers, columns, strict=True)]
            return {"head": columns, "name": names}
        names = [self.columns[column] for column in columns]
        return {"position": columns, "token": names} if self.axis == "position" else {"role": names}


def _filled(array, nothing: np.ndarray) -> np.ndarray:
    return nothing if array is None else np.ma.filled(array, np.nan)


# --- patching ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Ready:
    """A pair that can be patched, read for one model."""

    name: str
    clean: Prompt
    corrupted: Prompt
    answer: AnswerToken
    contrast: AnswerToken | None


@torch.no_grad()
def patch_pairs(
    model,
    pairs: Sequence[Pair],
    *,
    site: str = "resid_pre",
    direction: str = "denoising",
    metric: str = "logit_diff",
    columns: str = "auto",
    bos: bool = True,
    progress: Progress | None = None,
) -> PairsResult:
    """Run `activation_patching` for each pair and give the mean and spread of the shares recovered.

    site, direction, metric, bos: as there, the same for all pairs; heads are patched at all positions. columns (sites
    of the stream): "positions" is for pairs of equal length, "roles" for all (see above), "auto" takes positions if
    all pairs are equally long and differ at the same positions, else roles. Pairs whose two baselines are equal have
    no share; they are left out of the statistics and named (`excluded`). progress: called with (hundredths of pairs
    done, in all). Raises one OptionError for all pairs that cannot be patched, MetricError if no pair has a share.
    """
    choose(site, SITES, say("site"))
    choose(direction, DIRECTIONS, say("direction"))
    choose(metric, METRICS, say("metric"))
    choose(columns, COLUMNS, say("columns"))
    pairs = listed(pairs, say("Pairs"))
    ready = _read(model, pairs, metric, bos)
    axis = "head" if site in HEAD_SITES else _stream_axis(columns, ready)
    options = {"site": site, "direction": direction, "metric": metric}
    results, cells, receipts = [], [], defaultdict(list)
    for n, pair in enumerate(ready):
        tick = progress and partial(_tick, progress, n, len(ready))
        result, values, made = _patch(model, pair, axis, options, tick)
        results.append(result)
        cells.append(values)
        for receipt in made:
            receipts[receipt.name].append((pair.name, receipt))
    used = _used(results, metric)
    return PairsResult(
        pairs=pairs,
        names=tuple(pair.name for pair in ready),
        results=tuple(results),
        used=used,
        **options,
        axis=axis,
        **_statistics([results[n] for n in used], [cells[n] for n in used], _column_names(axis, ready, model)),
        receipts=tuple(_worst(found) for found in receipts.values()),
        info=run_info(model, "patch_pairs", ready[0].clean, **options, columns=columns, pairs=len(pairs)),
    )


def role_positions(clean: Prompt, corrupted: Prompt) -> dict[str, tuple[int, ...]]:
    """The positions of each role in a pair of equal length; () for a role that it does not have."""
    T = len(clean)
    differing = tuple(t for t in range(T) if clean.ids[t] != corrupted.ids[t])
    first = differing[0] if differing else T
    between = tuple(t for t in range(first, T - 1) if t not in differing)
    return dict(zip(ROLES, (differing, between, (T - 1,)), strict=True))


def _read(model, pairs: tuple[Pair, ...], metric: str, bos: bool) -> list[_Ready]:
    """All pairs, read. Raises one OptionError that names each pair which cannot be patched."""
    if not pairs:
        raise OptionError(say("There are no pairs to patch. Give at least one."))
    ready, faults = [], []
    for n, pair in enumerate(pairs, 1):
        if not isinstance(pair, Pair):
            raise OptionError(
                say("Pairs are a list of Pair, and pair {number} is {value}.", number=n, value=excerpt(pair))
            )
        name = pair.label or say("pair {number}", number=n)
        try:
            ready.append(_read_pair(model, pair, name, bos))
        except ExplorerError as error:
            faults.append((name, say("{name}: {reason}", name=name, reason=error.sentence)))
    without = [pair.name for pair in ready if pair.contrast is None]
    if metric == "logit_diff" and 0 < len(without) < len(ready):
        faults += [
            (name, say("{name}: It has no contrast, and others have one. Give all one or none.", name=name))
            for name in without
        ]
    if faults:
        raise OptionError(
            say(
                "{bad:,} of {all:,} pairs cannot be patched. {faults}",
                bad=len(faults),
                all=len(pairs),
                faults=all_faults(faults),
            )
        )
    return ready


def _read_pair(model, pair: Pair, name: str, bos: bool) -> _Ready:
    clean, corrupted = model.prompt(pair.clean, bos), model.prompt(pair.corrupted, bos)
    check_equal_length(clean, corrupted)
    answer = model.answer(pair.answer, clean)
    contrast = None if pair.contrast == "" else model.answer(pair.contrast, clean, "contrast")
    return _Ready(name, clean, corrupted, answer, contrast)


def _stream_axis(columns: str, ready: list[_Ready]) -> str:
    lengths = {len(pair.clean) for pair in ready}
    if columns == "auto":
        where = {role_positions(pair.clean, pair.corrupted)["differing"] for pair in ready}
        return "position" if len(lengths) == 1 and len(where - {()}) <= 1 else "role"
    if columns == "positions" and len(lengths) > 1:
        raise OptionError(
            say(
                "The pairs have {least} to {most} tokens, so their positions do not match one another. Take columns "
                "“roles”, or pairs of equal length.",
                least=min(lengths),
                most=max(lengths),
            )
        )
    return columns.removesuffix("s")


def _patch(model, pair: _Ready, axis: str, options: dict, tick) -> tuple[PatchingResult, np.ndarray, list[Receipt]]:
    """A pair's result, its values by column [L, K], NaN where it has no such position, and all receipts made."""
    runs = model.trace(pair.clean), model.trace(pair.corrupted)
    patch = partial(activation_patching, model, *runs, pair.answer, pair.contrast, **options)
    result = patch(positions="all" if axis == "head" else "each", progress=tick)
    if axis != "role" or not result.has_recovered:
        return result, result.values, list(result.receipts)
    still = tick and (lambda *_: tick(1, 1))  # the runs of a role are few: not counted, but a cancel reaches them
    columns, receipts = [], list(result.receipts)
    for positions in role_positions(pair.clean, pair.corrupted).values():
        if len(positions) > 1:
            together = patch(positions=positions, progress=still)
            receipts += together.receipts
            columns.append(together.values)
        else:
            columns.append(result.values[:, positions[0]] if positions else np.full(model.n_layers, np.nan))
    return result, np.stack(columns, axis=-1), receipts


def _tick(progress: Progress, pair: int, n_pairs: int, done: int, total: int) -> None:
    progress(STEPS * pair + STEPS * done // max(1, total), STEPS * n_pairs)


def _used(results: list[PatchingResult], metric: str) -> tuple[int, ...]:
    used = tuple(n for n, result in enumerate(results) if result.has_recovered)
    if not used:
        raise MetricError(
            say(
                "In none of the {count} pairs do the clean and the corrupted run differ in {metric}, so there is "
                "nothing to recover. Choose prompts that differ in it.",
                count=len(results),
                metric=metric,
            )
        )
    return used


def _column_names(axis: str, ready: list[_Ready], model) -> tuple[str, ...]:
    if axis == "head":
        return tuple(f"H{head}" for head in range(model.n_heads))
    if axis == "role":
        return ROLES
    tokens = [set(column) for column in zip(*(pair.clean.tokens for pair in ready), strict=True)]
    return tuple(column.pop() if len(column) == 1 else "…" for column in tokens)


def _statistics(results: list[PatchingResult], cells: list[np.ndarray], columns: tuple[str, ...]) -> dict:
    """The numbers of a PairsResult from the used pairs' results and their values by column, each [L, K]."""
    values = np.ma.masked_invalid(np.stack(cells).astype(np.float64))  # [m, L, K]
    counts = values.count(axis=0)[0]
    kept = counts > 0  # a role that no pair has is no column
    values, counts = values[:, :, kept], counts[kept]
    clean, corrupted = (
        np.array([getattr(result, name) for result in results])[:, None, None]
        for name in ("clean_value", "corrupted_value")
    )
    recovered = (values - corrupted) / (clean - corrupted)
    std = recovered.std(axis=0, ddof=1) if len(results) > 1 else None
    return {
        "columns": tuple(name for name, keep in zip(columns, kept, strict=True) if keep),
        "values": values,
        "recovered": recovered,
        "counts": counts,
        "mean": recovered.mean(axis=0).filled(np.nan),
        "ratio_of_means": _ratio_of_means(values, clean, corrupted),
        "std": std,
        "standard_error": None if std is None else std / np.sqrt(counts),
    }


def _ratio_of_means(values: np.ma.MaskedArray, clean: np.ndarray, corrupted: np.ndarray) -> np.ndarray | None:
    """The mean way gone over the mean way to go, in each column over the pairs that have it: [L, K]."""
    to_go = np.ma.array(np.broadcast_to(clean - corrupted, values.shape), mask=np.ma.getmaskarray(values))
    mean_to_go = to_go.mean(axis=0)
    if (abs(mean_to_go) <= ROUNDING * abs(to_go).mean(axis=0)).any():
        return None
    return ((values - corrupted).mean(axis=0) / mean_to_go).filled(np.nan)


def _worst(found: list[tuple[str, Receipt]]) -> Receipt:
    """Of one receipt made for several pairs, the one that is furthest out of its tolerance."""
    name, worst = max(found, key=lambda entry: _looseness(entry[1]))
    if all(receipt == worst for _, receipt in found):
        return worst
    which = say("The worst of {count} such checks, that of {name}.", count=len(found), name=name)
    return replace(worst, detail=joined([worst.detail, which]))


def _looseness(receipt: Receipt) -> float:
    share = abs(receipt.value) / receipt.tolerance
    return np.inf if np.isnan(share) else share
