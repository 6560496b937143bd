"""A closer look at the logit lens: tokens followed through its rows, and what changes from one row to the next.

Rows are those of `logit_lens`, read at one position: see there for what they mean and for the sources.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from ..core.errors import OptionError
from ..core.metrics import BLOCK_FLOATS
from ..core.names import choose, excerpt, listed, parse_position, positive, whole_number
from ..core.receipts import Receipt, load_receipt, receipt
from ..core.tokens import AnswerToken, Prompt, is_word
from ..core.words import say
from .lens import NORMS, LensResult, decode, find_output_row, lens_rows, lens_sites
from .results import RunInfo, finite, given_as_ids, run_info, to_numpy


@dataclass(frozen=True, eq=False)
class LensTrajectories:
    """Tokens, or groups of tokens, followed through R rows of the lens at one position, from the embedding up.

    row_names, row_layers (−1 for the embedding), row_sites: [R]. groups: n groups of tokens; names: n, their display
    strings joined by " + ". probs: [R, n], summed over a group. ranks: [R, n], those of a group's best member
    (0 = first).
    """

    prompt: Prompt
    position: int
    sites: tuple[str, ...]
    norm: str
    row_names: tuple[str, ...]
    row_layers: tuple[int, ...]
    row_sites: tuple[str, ...]
    groups: tuple[tuple[AnswerToken, ...], ...]
    names: tuple[str, ...]
    probs: np.ndarray
    ranks: np.ndarray
    receipts: tuple[Receipt, ...]
    info: RunInfo

    def frame(self) -> pd.DataFrame:
        """One line per row and group: row, layer, site, group, its token ids, probability and rank."""
        R, n = self.probs.shape
        rows, groups = np.repeat(np.arange(R), n), np.tile(np.arange(n), R)
        ids = [" ".join(str(token.id) for token in group) for group in self.groups]
        return pd.DataFrame(
            {
                "row": [self.row_names[r] for r in rows],
                "layer": [self.row_layers[r] for r in rows],
                "site": [self.row_sites[r] for r in rows],
                "group": [self.names[g] for g in groups],
                "ids": [ids[g] for g in groups],
                "prob": self.probs.ravel(),
                "rank": self.ranks.ravel(),
            }
        )


@dataclass(frozen=True, eq=False)
class TokenChanges:
    """The tokens that one row of the lens raises, or lowers, most against the row below it; largest change first.

    ids: [k]. values: [k], the change of each token's centred logit (its logit minus the mean over the vocabulary), in
    logits. probs_below, probs: [k], its probability in the row below and in this one. tokens: k display strings.
    """

    ids: np.ndarray
    values: np.ndarray
    probs_below: np.ndarray
    probs: np.ndarray
    tokens: tuple[str, ...]

    def frame(self) -> pd.DataFrame:
        """One line per token: token, id, change, and its probability below and here."""
        columns = {"token": self.tokens, "id": self.ids, "change": self.values}
        return pd.DataFrame(columns | {"prob_below": self.probs_below, "prob": self.probs})


@dataclass(frozen=True, eq=False)
class LensChange:
    """One cell of the lens beside the cell below it, the previous row of the same lens.

    row: its number, 0 for the embedding; row_name, below_name: names of the two rows. ids, probs: [k], the likeliest
    tokens of this row, likeliest first. ranks, ranks_below: [k], their ranks in this row and in the row below
    (0 = first); probs_below: [k]. promoted, suppressed: the tokens that changed most. below_name, ranks_below,
    probs_below, promoted and suppressed are None for the lowest row. tokens: k display strings.
    """

    prompt: Prompt
    position: int
    sites: tuple[str, ...]
    norm: str
    words_only: bool
    row: int
    row_name: str
    below_name: str | None
    ids: np.ndarray
    probs: np.ndarray
    ranks: np.ndarray
    probs_below: np.ndarray | None
    ranks_below: np.ndarray | None
    tokens: tuple[str, ...]
    promoted: TokenChanges | None
    suppressed: TokenChanges | None
    receipts: tuple[Receipt, ...]
    info: RunInfo

    def frame(self) -> pd.DataFrame:
        """One line per likely token: token, id, probability and rank, and both in the row below if there is one."""
        columns = {"token": self.tokens, "id": self.ids, "prob": self.probs, "rank": self.ranks}
        if self.ranks_below is not None:
            columns |= {"prob_below": self.probs_below, "rank_below": self.ranks_below}
        return pd.DataFrame(columns)


@torch.no_grad()
def lens_trajectories(
    model,
    prompt,
    groups: Sequence,
    *,
    position: int = -1,
    sites: Sequence[str] = ("resid_post",),
    norm: str = "fresh",
    bos: bool = True,
) -> LensTrajectories:
    """Follow tokens through the rows of the lens at one position.

    groups: tokens (texts, ids or AnswerTokens, as `answer` elsewhere) or lists of them; the probabilities of a list add
    up, as for " Paris" and "Paris", and a token named twice in a list counts once. sites, norm: as for `logit_lens`.
    Raises OptionError for no groups, an empty group, a site, norm or position that does not exist, TokenError and
    PromptError for their inputs.
    """
    sites, norm = lens_sites(sites), choose(norm, NORMS, say("norm"))
    trace = model.trace(prompt, bos)
    position = parse_position(position, len(trace.prompt))
    members = _groups(model, trace.prompt, groups)
    ids = [[token.id for token in group] for group in members]
    rows = lens_rows(trace, sites)
    read = [_read_groups(logits, ids) for logits in _decoded(model, trace, rows, position, norm)]
    probs, ranks = (torch.cat(parts).cpu().numpy() for parts in zip(*read, strict=True))
    finite(probs, say("lens"))
    output, receipts = find_output_row(rows), []
    if output is not None:
        own = _own_probs(model, trace, position)
        receipts = [_receipt(model, probs[output], np.array([own[group].sum() for group in ids]))]
    options = {"sites": list(sites), "norm": norm, "position": position, "groups": ids}
    options |= given_as_ids(model, trace.prompt.bos, prompt=trace.prompt)
    return LensTrajectories(
        prompt=trace.prompt,
        position=position,
        sites=sites,
        norm=norm,
        row_names=tuple(name for name, *_ in rows),
        row_layers=tuple(layer for _, layer, *_ in rows),
        row_sites=tuple(site for *_, site, _ in rows),
        groups=members,
        names=tuple(" + ".join(token.display for token in group) for group in members),
        probs=probs,
        ranks=ranks,
        receipts=(*receipts, load_receipt(model)),
        info=run_info(model, "lens_trajectories", trace.prompt, **options),
    )


@torch.no_grad()
def lens_change(
    model,
    prompt,
    row: int | str,
    *,
    position: int = -1,
    sites: Sequence[str] = ("resid_post",),
    norm: str = "fresh",
    k: int = 8,
    words_only: bool = False,
    bos: bool = True,
) -> LensChange:
    """One cell of the lens: its likeliest tokens, and what the step from the row below changed.

    row: a number, 0 for the embedding and −1 for the top row, or a name such as "L3 resid_post"; the row below is the
    previous row of a lens over these sites. words_only: leave out tokens that are no words (see `is_word`), except the
    one that is truly first in its list; ranks always count all tokens. Raises OptionError for a row, site, norm,
    position or k that does not exist, PromptError for its input.

    A change is that of the centred logit. It puts tokens into the same order as the change in log-probability, for the
    two differ by one number for the whole row; but its zero is the mean over the vocabulary, as in `head_detail` and
    `mlp_detail`, so that one token taking all the probability does not make every other look suppressed; and with
    norm="final" the changes are the sums of what the components between the two rows add.
    """
    asked = _Asked(*_checked(sites, norm, k), words_only)
    trace = model.trace(prompt, bos)
    position = parse_position(position, len(trace.prompt))
    rows = lens_rows(trace, asked.sites)
    row = _row(row, [name for name, *_ in rows])
    seen = torch.cat(list(_decoded(model, trace, rows[max(0, row - 1) : row + 1], position, norm)))  # [1 or 2, V]
    finite(to_numpy(seen.abs().amax(-1)), say("lens"))
    return _change(model, trace, rows, row, position, seen, asked)


@torch.no_grad()
def lens_changes(
    model,
    prompt,
    *,
    position: int = -1,
    sites: Sequence[str] = ("resid_post",),
    norm: str = "fresh",
    k: int = 8,
    words_only: bool = False,
    bos: bool = True,
) -> tuple[LensChange, ...]:
    """`lens_change` of every row at a position, the lowest row first, each row decoded once."""
    asked = _Asked(*_checked(sites, norm, k), words_only)
    trace = model.trace(prompt, bos)
    position = parse_position(position, len(trace.prompt))
    rows = lens_rows(trace, asked.sites)
    seen = torch.cat(list(_decoded(model, trace, rows, position, norm)))  # [R, V]
    finite(to_numpy(seen.abs().amax(-1)), say("lens"))
    return tuple(
        _change(model, trace, rows, row, position, seen[max(0, row - 1) : row + 1], asked) for row in range(len(rows))
    )


def word_places(model, result: LensResult, row: int, position: int) -> tuple[int, ...]:
    """The places, among the tokens that a lens kept for one cell, that hold words; the first is always one of them.

    For showing a cell without its non-words: `result.top_ids[row, position][list(places)]`. Runs nothing; for k words
    however deep they lie, see `lens_change`.
    """
    ids = result.top_ids[row, position].tolist()
    return (0, *(place for place, i in enumerate(ids) if place and _is_word(model, i)))


def word_ids(model, result: LensResult) -> frozenset[int]:
    """Those of all tokens that a lens kept which are words: `word_places` for every cell at once."""
    return frozenset(i for i in np.unique(result.top_ids).tolist() if _is_word(model, i))


def always_first(result: LensResult, position: int = -1) -> tuple[int, ...]:
    """The ids that are first in any row at a position, each once, in the order in which they come first going up.

    Good tokens to follow when nobody has named any. Raises OptionError for a position outside the prompt.
    """
    position = parse_position(position, len(result.prompt))
    return tuple(dict.fromkeys(result.top_ids[:, position, 0].tolist()))


# --- what was asked for --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Asked:
    """The options of a change, checked."""

    sites: tuple[str, ...]
    norm: str
    k: int
    words_only: bool


def _checked(sites: Sequence[str], norm: str, k: int) -> tuple[tuple[str, ...], str, int]:
    return lens_sites(sites), choose(norm, NORMS, say("norm")), positive(k, "k")


def _groups(model, prompt: Prompt, groups) -> tuple[tuple[AnswerToken, ...], ...]:
    """Every group as the tokens it names, each once."""
    found = []
    for group in listed(groups, say("Groups")):
        specs = group if isinstance(group, (tuple, list, set, frozenset)) else (group,)
        if not specs:
            raise OptionError(
                say("Group {number} of the tokens to follow is empty. Put a token into it.", number=len(found) + 1)
            )
        tokens = (model.answer(spec, prompt, "target") for spec in specs)
        found.append(tuple({token.id: token for token in tokens}.values()))
    if not found:
        raise OptionError(say("No token was named to follow. Name at least one, such as “ Paris”."))
    return tuple(found)


def _row(row, names: list[str]) -> int:
    """A row's number from its name or number."""
    if isinstance(row, str):
        if row in names:
            return names.index(row)
        raise _no_row(excerpt(row), names)
    try:
        number = whole_number(row)
    except TypeError:
        raise _no_row(excerpt(row), names) from None
    if not -len(names) <= number < len(names):
        raise _no_row(str(number), names)
    return number % len(names)


def _no_row(row: str, names: list[str]) -> OptionError:
    return OptionError(
        say(
            "There is no row {row}: this lens has rows 0–{last}, from {lowest} to {top}. Give a number or a name.",
            row=row,
            last=len(names) - 1,
            lowest=names[0],
            top=names[-1],
        )
    )


# --- numbers -------------------------------------------------------------------------------------------------


def _decoded(model, trace, rows, position: int, norm: str) -> Iterator[Tensor]:
    """The logits of rows at one position, in blocks [n, V] that bound the memory."""
    scale = model.adapter.final_scale(trace.final[position]) if norm == "final" else None
    streams = torch.stack([x[position] for *_, x in rows])
    for block in streams.split(max(1, BLOCK_FLOATS // model.vocab_size)):
        yield decode(model, block, scale)


def _change(model, trace, rows, row: int, position: int, seen: Tensor, asked: _Asked) -> LensChange:
    """One row beside the one below it. seen: their logits, [2, V], or [1, V] for the lowest row."""
    logp = torch.log_softmax(seen, -1)
    here, below = logp[-1], logp[0] if row else None
    ids = _leading(model, here, asked.k, asked.words_only)
    promoted = suppressed = None
    if below is not None:
        change = seen[1] - seen[1].mean() - (seen[0] - seen[0].mean())
        promoted = _changes(model, change, logp, _leading(model, change, asked.k, asked.words_only))
        suppressed = _changes(model, change, logp, _leading(model, -change, asked.k, asked.words_only))
    probs, receipts = to_numpy(here[ids].exp()), []
    if row == find_output_row(rows):
        receipts = [_receipt(model, probs, _own_probs(model, trace, position)[ids.cpu().numpy()])]
    options = {"sites": list(asked.sites), "norm": asked.norm, "position": position, "row": rows[row][0]}
    options |= {"words_only": asked.words_only} | given_as_ids(model, trace.prompt.bos, prompt=trace.prompt)
    return LensChange(
        prompt=trace.prompt,
        position=position,
        sites=asked.sites,
        norm=asked.norm,
        words_only=asked.words_only,
        row=row,
        row_name=rows[row][0],
        below_name=rows[row - 1][0] if row else None,
        ids=ids.cpu().numpy(),
        probs=probs,
        ranks=_ranks(here, ids),
        probs_below=None if below is None else to_numpy(below[ids].exp()),
        ranks_below=None if below is None else _ranks(below, ids),
        tokens=tuple(model.show(i) for i in ids.tolist()),
        promoted=promoted,
        suppressed=suppressed,
        receipts=(*receipts, load_receipt(model)),
        info=run_info(model, "lens_change", trace.prompt, **options, k=asked.k),
    )


def _read_groups(logits: Tensor, groups: list[list[int]]) -> tuple[Tensor, Tensor]:
    """From logits [n, V] to each group's summed probability and its best member's rank, both [n, groups]."""
    logp = torch.log_softmax(logits, dim=-1)
    probs = torch.stack([logp[:, ids].exp().sum(-1) for ids in groups], dim=-1)
    best = [logp[:, ids].amax(-1, keepdim=True) for ids in groups]
    return probs, torch.stack([(logp > own).sum(-1) for own in best], dim=-1)


def _leading(model, scores: Tensor, k: int, words_only: bool) -> Tensor:
    """Ids [k] of the highest of scores [V]; of words only, if asked, but for the very first."""
    wanted = n = min(k, len(scores))
    while True:
        ids = scores.topk(n).indices
        if not words_only:
            return ids
        kept = [place for place, i in enumerate(ids.tolist()) if place == 0 or _is_word(model, i)]
        if len(kept) >= wanted or n == len(scores):
            return ids[kept[:wanted]]
        n = min(8 * n, len(scores))


def _is_word(model, token_id: int) -> bool:
    return is_word(model.answer(token_id).text)


def _ranks(logp: Tensor, ids: Tensor) -> np.ndarray:
    return (logp[None] > logp[ids, None]).sum(-1).cpu().numpy()


def _changes(model, change: Tensor, logp: Tensor, ids: Tensor) -> TokenChanges:
    below, here = (to_numpy(row[ids].exp()) for row in logp)
    tokens = tuple(model.show(i) for i in ids.tolist())
    return TokenChanges(ids.cpu().numpy(), to_numpy(change[ids]), below, here, tokens)


def _own_probs(model, trace, position: int) -> np.ndarray:
    """[V]: the probabilities after `position` by the model's own forward."""
    ids = torch.tensor(trace.prompt.ids[: position + 1], device=model.device)
    return to_numpy(model.adapter.plain_logits(ids, last_only=True)[-1].softmax(-1))


def _receipt(model, shown: np.ndarray, own: np.ndarray) -> Receipt:
    """Probabilities shown in the output row against the model's own, where they differ most."""
    i = int(np.abs(shown - own).argmax())
    detail = say("Largest difference between the probabilities in the output row and the model's own.")
    return receipt(say("last row − model"), shown[i], own[i], model.dtype, detail)
