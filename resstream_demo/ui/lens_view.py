"""What the logit lens tab draws: the picture, the curves of followed tokens, and what each of its rows is."""

from dataclasses import dataclass

import numpy as np

from ..core.tokens import AnswerToken
from ..core.words import Say, joined, say
from ..figures.derived import followed_group, log_rank
from ..methods.lens import LensResult
from ..methods.lens_detail import LensChange
from ..methods.lens_paths import LensPaths
from .session import Inputs
from .tab import Outcome
from .widgets import Curve, CurvesData, GridData, GridTrails, Scale, format_number

EVERY = (1, 2, 4, 8)  # strides on offer
ROWS_AT_ONCE = 26  # as many rows, at most, does the automatic stride leave
LEADING = 6  # tokens followed where nobody has named any
SMALL, LARGE = 1500, 5000  # cells up to which a popup says much, or little

Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class View:
    """How a result is drawn. colour: what the colours show. every: a stride, or "auto". words: leave out of lists what
    is no word. curve: "prob" or "rank"."""

    colour: str = "top"
    every: str = "auto"
    words: bool = False
    curve: str = "prob"


@dataclass(frozen=True, eq=False)
class Lens:
    """A lens with one of the two norms, and the paths of the tokens that it puts first."""

    result: LensResult
    paths: LensPaths


@dataclass(frozen=True, eq=False)
class Closer:
    """What takes a moment to compute about one position. changes: by norm and `View.words`, one for each row.
    ranks: by norm, those [R] of the tokens that are first in any row, by id."""

    inputs: Inputs
    site: str
    position: int
    changes: dict[tuple[str, bool], tuple[LensChange, ...]]
    ranks: dict[str, dict[int, np.ndarray]]

    def about(self, outcome: "LensOutcome", position: int) -> bool:
        """Whether this says all there is to say about an outcome at a position."""
        asked = (outcome.inputs, outcome.options.site, position)
        return (self.inputs, self.site, self.position) == asked and {
            lens.result.norm for lens in outcome.lenses
        } <= self.ranks.keys()


@dataclass(frozen=True, eq=False)
class LensOutcome(Outcome):
    """What the tab shows. lenses: one, or fresh and final norm; `result` is the first one's. words: those of the tokens
    named in them that are words. dropped: groups that were to be followed, but are other tokens to this model. closer:
    about the position that was selected, if that was quick to compute."""

    lenses: tuple[Lens, ...]
    answer: AnswerToken | None
    contrast: AnswerToken | None
    words: frozenset[int]
    dropped: Groups = ()
    closer: Closer | None = None


# --- words ---------------------------------------------------------------------------------------------------


def says(site: str) -> Say:
    """What the picture of a site shows, and what its top row is."""
    top = {
        "resid_pre": say("the top row is what the last layer finds, not yet the model’s output"),
        "resid_mid": say("the top row lacks only the last layer’s MLP, so it is not yet the model’s output"),
        "resid_post": say("the top row is the model’s real output"),
        "attn_out": say("the top row is what the last layer’s attention adds, not the model’s output"),
        "mlp_out": say("the top row is what the last layer’s MLP adds, not the model’s output"),
    }[site]
    if site in ("attn_out", "mlp_out"):
        return say(
            "What does one part say by itself? Each cell decodes only what it adds, at one layer and one token; {top}.",
            top=top,
        )
    return say(
        "What would the model predict if it stopped here? Each cell decodes the stream at one layer and one token; "
        "{top}.",
        top=top,
    )


def row_title(site: str, every: int) -> Say:
    """What the rows of the picture are."""
    what = {
        "resid_pre": say("layer, read before it"),
        "resid_mid": say("layer, read between its attention and its MLP"),
        "resid_post": say("layer, read after it; the top row is the output"),
        "attn_out": say("layer, only what its attention adds"),
        "mlp_out": say("layer, only what its MLP adds"),
    }[site]
    if every == 1:
        return what
    return say("{what} (one row in {every}, the first and the last always there)", what=what, every=every)


def row_label(result: LensResult, row: int) -> str:
    """A row's layer; the site is the same in all rows of the picture, and named beside it."""
    return "embed" if result.row_layers[row] < 0 else f"L{result.row_layers[row]}"


def norm_title(norm: str) -> Say:
    """Which of two pictures this is."""
    if norm == "final":
        return say("Divided by the last layer’s scale (final norm)")
    return say("Each vector divided by its own scale (fresh norm)")


def token_name(result: LensResult, ids: tuple[int, ...]) -> str:
    """The tokens of a group as they are shown."""
    shown = result.shown | {token.id: token.display for token in result.targets}
    return " + ".join(shown.get(i, f"#{i}") for i in ids)


# --- rows ----------------------------------------------------------------------------------------------------


def stride(rows: int, every: str) -> int:
    """How many rows on the next one shown is. rows: all there are."""
    if every != "auto":
        return int(every)
    return next((n for n in EVERY if len(rows_shown(rows, str(n))) <= ROWS_AT_ONCE), EVERY[-1])


def rows_shown(rows: int, every: str) -> list[int]:
    """The rows that are drawn: each that lies so many under the last, the last itself and the first."""
    return sorted({0, *range(rows - 1, -1, -stride(rows, every))})


# --- the picture ---------------------------------------------------------------------------------------------


def draw(outcome: LensOutcome, view: View, pinned: Groups, which: int = 0) -> GridData:
    """One of the outcome's lenses as a grid whose cells name their top token; all of them are coloured alike."""
    lens = outcome.lenses[which]
    result = lens.result
    rows, positions = rows_shown(len(result.row_names), view.every), range(len(result.prompt))
    values, scale, reason = _coloured(outcome, view.colour, pinned)
    own = values[which]
    return GridData(
        rows=[row_label(result, r) for r in rows],
        columns=result.prompt.tokens,
        column_numbers=positions,
        values=[[None] * len(positions)] * len(rows) if own is None else own[rows],
        scale=scale,
        title=norm_title(result.norm) if len(outcome.lenses) > 1 else "",
        row_title=row_title(result.sites[0], stride(len(result.row_names), view.every)),
        column_title=say("position; a cell predicts the token after it"),
        text=[[result.top_tokens(r, t)[0] for t in positions] for r in rows],
        hover=[[_hover(outcome, result, r, t, view) for t in positions] for r in rows],
        reasons=reason,
        trails=_trails(lens, rows),
    )


def _coloured(outcome: LensOutcome, colour: str, pinned: Groups) -> tuple[list, Scale, Say | str]:
    """For each lens the numbers [R, T] that its colours show, or None; the scale they share; why there are none."""
    results = [lens.result for lens in outcome.lenses]
    if colour == "entropy":
        return _shared([r.entropy for r in results], say("entropy (nats)"))
    if colour == "kl":
        return _shared([r.kl_to_final for r in results], say("KL from the output (nats)"))
    if colour == "top":
        return [r.top_probs[:, :, 0] for r in results], _chances(say("probability of the top token")), ""
    group, reason = _subject(outcome, colour, pinned)
    found = [followed_group(r, group) if group else None for r in results]
    if any(part is None for part in found):
        return [None] * len(results), _chances(say("probability")), reason
    name = token_name(results[0], group)
    if colour == "rank":
        label = say("log₁₀(1 + rank) of {name}; 0 is first", name=name)
        return _shared([log_rank(ranks) for _, ranks in found], label, digits=2)
    return [probs for probs, _ in found], _chances(say("probability of {name}", name=name)), ""


def _subject(outcome: LensOutcome, colour: str, pinned: Groups) -> tuple[tuple[int, ...], Say]:
    """The tokens that the colours are about, and what to do if there are none."""
    if colour == "pinned" and pinned:
        return pinned[0], say("This is not followed yet. Press Run.")
    answer = () if outcome.answer is None else (outcome.answer.id,)
    if colour == "pinned":
        return answer, say("No token is followed. Choose one in the list of a cell, or name one under the picture.")
    return answer, say("No answer is given. Type one above and press Run.")


def _chances(label: Say) -> Scale:
    return Scale("sequential", label, low=0, high=1)


def _shared(values: list[np.ndarray], label: Say, digits: int = 4) -> tuple[list[np.ndarray], Scale, str]:
    high = max(float(v.max()) for v in values)
    return values, Scale("sequential", label, low=0, high=high, digits=digits), ""


def places_kept(outcome: LensOutcome, result: LensResult, row: int, position: int, words: bool) -> list[int]:
    """The places of a cell's likeliest tokens that are listed: with `words`, of words and of the true first."""
    ids = result.top_ids[row, position].tolist()
    return [n for n, i in enumerate(ids) if not n or not words or i in outcome.words]


def _hover(outcome: LensOutcome, result: LensResult, row: int, position: int, view: View) -> list:
    """The likeliest tokens, fewer where the picture is large, for each line travels to the browser."""
    lines = 5 if result.entropy.size <= SMALL else 3 if result.entropy.size <= LARGE else 1
    names, probs = result.top_tokens(row, position), result.top_probs[row, position]
    kept = places_kept(outcome, result, row, position, view.words)[:lines]
    found: list = [(names[n], format_number(probs[n])) for n in kept]
    if view.words and int(result.top_ids[row, position, 0]) not in outcome.words:
        found[0] = (names[0], say("{chance}, no word", chance=format_number(probs[0])))
    elif view.colour == "top":
        del found[0]  # the popup's own line
    if view.colour == "rank" and outcome.answer is not None:
        place = int(result.target_ranks[row, position, 0]) + 1
        found.append(say("{token} is in place {place:,} here.", token=outcome.answer.display, place=place))
    return found


def _trails(lens: Lens, rows: list[int]) -> GridTrails:
    """The paths of the tokens that are first somewhere in a column; in a large picture of the foremost only."""
    result = lens.result
    most = 100 if result.entropy.size <= SMALL else 8 if result.entropy.size <= LARGE else 4
    columns, keys = [], np.full((len(rows), len(result.prompt)), -1)
    for t, (ids, probs) in enumerate(zip(lens.paths.ids, lens.paths.probs, strict=True)):
        kept = np.sort(np.argsort(-probs.max(0), kind="stable")[:most])
        columns.append([(result.shown[ids[n]], probs[rows, n]) for n in kept])
        place = {ids[n]: number for number, n in enumerate(kept)}
        keys[:, t] = [place.get(int(i), -1) for i in result.top_ids[rows, t, 0]]
    return GridTrails(columns, keys.tolist())


# --- the curves ----------------------------------------------------------------------------------------------


def followed(outcome: LensOutcome, lens: Lens, pinned: Groups, position: int, words: bool) -> Groups:
    """The groups that curves are drawn for: those that were pinned, or else answer, contrast and the tokens that are
    first in some row at the position, those that come to the highest probability before the others."""
    if pinned:
        return pinned
    given = [token.id for token in (outcome.answer, outcome.contrast) if token is not None]
    ids, probs = lens.paths.ids[position], lens.paths.probs[position]
    leading = [ids[n] for n in np.argsort(-probs.max(0), kind="stable")]
    if words:
        leading = [i for i in leading if i in outcome.words]
    return tuple((i,) for i in dict.fromkeys([*given, *leading]))[:LEADING]


def curves(outcome: LensOutcome, which: int, pinned: Groups, position: int, view: View, closer: Closer | None):
    """The followed tokens' probability, or place, in every row at one position, as a `CurvesData`. closer: about that
    position."""
    lens = outcome.lenses[which]
    result, token = lens.result, lens.result.prompt.tokens[position]
    series = [
        Curve(token_name(result, group), _line(lens, group, position, view.curve, closer), group=len(group) > 1)
        for group in followed(outcome, lens, pinned, position, view.words)
    ]
    title = (
        say("Followed tokens, as predicted after position {position} ({token})", position=position, token=token)
        if pinned
        else say("Leading tokens, as predicted after position {position} ({token})", position=position, token=token)
    )
    if len(outcome.lenses) > 1:
        title = joined([title, norm_title(result.norm)], " · ")
    ranked = view.curve == "rank"
    return CurvesData(
        x=[row_label(result, r) for r in range(len(result.row_names))],
        series=series,
        y_label=say("place among all tokens, 1 is first") if ranked else say("probability"),
        x_label=say("layer"),
        title=title,
        scale="rank" if ranked else "linear",
        high=None if ranked else 1.0,
        removable=bool(pinned),
    )


def _line(lens: Lens, group: tuple[int, ...], position: int, curve: str, closer: Closer | None) -> list:
    """A group's numbers from the lowest row up; None where they are not known."""
    result, firsts = lens.result, lens.paths.ids[position]
    found = followed_group(result, group)
    if found is not None:
        probs, ranks = (array[:, position] for array in found)
        return list(probs) if curve == "prob" else [int(rank) + 1 for rank in ranks]
    if len(group) > 1 or group[0] not in firsts:
        return [None] * len(result.row_names)
    if curve == "prob":
        return list(lens.paths.probs[position][:, firsts.index(group[0])])
    if closer is not None:
        return [int(rank) + 1 for rank in closer.ranks[result.norm][group[0]]]
    kept = [ids.tolist() for ids in result.top_ids[:, position]]
    return [ids.index(group[0]) + 1 if group[0] in ids else None for ids in kept]
