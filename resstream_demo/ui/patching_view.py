"""What the patching tab draws and says of a result: its grids, the scale of its baselines, and a selected patch.

A patch is named by its index into the result's values: (layer, position), (layer, head) or (layer, head, position).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..core.names import head_label
from ..core.tokens import align
from ..core.trace import HEAD_SITES
from ..core.words import Say, joined, say
from ..figures.caveats import not_shown
from ..figures.derived import strongest_positions
from ..figures.numbers import format_number, format_share
from ..methods.inspect import Predictions
from .widgets import Column, DetailData, GridData, Scale, Table
from .widgets.ruler import RulerData, RulerMark
from .wording import logit_words

Index = tuple[int, ...]

SITES = [
    (say("stream before a layer (resid_pre)"), "resid_pre"),
    (say("stream inside a layer (resid_mid)"), "resid_mid"),
    (say("stream after a layer (resid_post)"), "resid_post"),
    (say("what attention adds (attn_out)"), "attn_out"),
    (say("what the MLP adds (mlp_out)"), "mlp_out"),
    (say("a head’s output (z)"), "z"),
    (say("a head’s queries (q)"), "q"),
    (say("a head’s keys (k)"), "k"),
    (say("a head’s values (v)"), "v"),
    (say("a head’s attention (pattern)"), "pattern"),
]
DIRECTIONS = [
    (say("clean into corrupted: enough?"), "denoising"),
    (say("corrupted into clean: needed?"), "noising"),
]
METRICS = [
    (say("logit difference"), "logit_diff"),
    (say("probability of the answer"), "prob"),
    (say("log-probability of the answer"), "logprob"),
    (say("rank of the answer"), "rank"),
    (say("KL from the clean run"), "kl"),
]
CELLS = {  # what a cell of each site's picture copies
    "resid_pre": say(
        "A cell copies the whole stream of one token just before one layer: everything that has been written there so "
        "far."
    ),
    "resid_mid": say(
        "A cell copies the whole stream of one token inside one layer, when its attention has written and its MLP has "
        "not."
    ),
    "resid_post": say("A cell copies the whole stream of one token after one layer."),
    "attn_out": say(
        "A cell copies only what one layer’s attention adds to one token: what it has fetched from other tokens."
    ),
    "mlp_out": say(
        "A cell copies only what one layer’s MLP adds to one token: what it makes of what is there already."
    ),
    "z": say("A cell copies what one head gathers, before it is written into the stream."),
    "q": say("A cell copies what one head looks for. Where it finds it may change, and so what it reads."),
    "k": say("A cell copies what one head can find at each token. Where it looks may change, and so what it reads."),
    "v": say("A cell copies what one head reads at each token. It goes on looking at the same places."),
    "pattern": say("A cell copies where one head looks. What it reads there stays that of the run that is patched."),
}
QUESTIONS = {
    "denoising": say("Clean into corrupted (denoising) asks: is this alone enough to bring the answer back?"),
    "noising": say("Corrupted into clean (noising) asks: is this needed, so that without it the answer is lost?"),
}
LIMITS = {
    "denoising": say("What is enough need not be needed: another part may do the same."),
    "noising": say("What is needed need not be enough: it may only work together with other parts."),
}
FORMULA = say("share recovered = (patched − corrupted) / (clean − corrupted), never clipped")
NO_SHARE = say(
    "Both runs give the same number, so no share of their difference exists; the numbers themselves are shown. Choose "
    "prompts, or a metric, in which the two runs differ."
)
NEARLY_ALL, CLEAR = 0.9, 0.1  # shares of the difference from which a patch is called enough, and worth speaking of


@dataclass(frozen=True, eq=False)
class ThreeRuns:
    """The next tokens after the patched run and the two it is made of. Each holds at least the tokens of `patched`."""

    clean: Predictions
    patched: Predictions
    corrupted: Predictions


# --- words ---------------------------------------------------------------------------------------------------


def metric_words(result) -> Say:
    """The metric of a result, with its tokens and its unit."""
    answer = result.answer.display if result.answer else ""
    if result.metric == "logit_diff":
        return logit_words(result)
    return {
        "prob": say("probability of {answer}", answer=answer),
        "logprob": say("log-probability of {answer} (nats)", answer=answer),
        "rank": say("rank of {answer} (0 is first)", answer=answer),
        "kl": say("KL from the clean run (nats)"),
    }[result.metric]


def is_signed(metric: str) -> bool:
    """Whether zero of a metric is a middle."""
    return metric == "logit_diff"


def says(general: str, site: str, direction: str) -> Say:
    """The line over the picture: what patching is, what a cell is, and what the direction asks."""
    return joined([general, CELLS[site], QUESTIONS[direction]])


def caveat(result) -> Say:
    """What a patching picture does not show."""
    return joined([not_shown("activation_patching"), LIMITS[result.direction]])


def what(site: str, layer: int, head: int | None = None) -> Say:
    """What is copied, in words."""
    name = "" if head is None else head_label(layer, head)
    return {
        "resid_pre": say("Stream before layer {layer}", layer=layer),
        "resid_mid": say("Stream inside layer {layer}", layer=layer),
        "resid_post": say("Stream after layer {layer}", layer=layer),
        "attn_out": say("What layer {layer}’s attention adds", layer=layer),
        "mlp_out": say("What layer {layer}’s MLP adds", layer=layer),
        "z": say("Output of head {head}", head=name),
        "q": say("Queries of head {head}", head=name),
        "k": say("Keys of head {head}", head=name),
        "v": say("Values of head {head}", head=name),
        "pattern": say("Attention of head {head}", head=name),
    }[site]


def position_of(result, index: Index) -> int | None:
    """The position that a patch is at, None if it is at all of them."""
    return None if result.positions == "all" else index[-1]


def head_of(result, index: Index) -> int | None:
    """The head that a patch belongs to, None for a site of the stream."""
    return index[1] if result.site in HEAD_SITES else None


# --- grids ---------------------------------------------------------------------------------------------------


def draw(result, shares: bool, layer: int | None = None) -> GridData:
    """Layers × positions, layers × heads or, of values [L, H, T], one layer's heads × positions.

    shares: of the difference between the two runs, rather than the metric itself.
    """
    if result.values.ndim == 3:
        own = np.s_[layer]
        rows = [head_label(layer, head) for head in range(result.values.shape[1])]
        title = say("The heads of layer {layer}, at each position", layer=layer)
        row_title = say("head whose {site} is copied", site=result.site)
    else:
        own = np.s_[:]
        rows = [f"L{n}" for n in range(len(result.values))]
        title, row_title = "", say("layer whose {site} is copied", site=result.site)
    by_position = result.positions != "all"
    return GridData(
        rows=rows,
        title=title,
        row_title=row_title,
        cone=result.site not in HEAD_SITES,
        **_cells(result, shares, own),
        **(_positions(result) if by_position else _heads(result)),
    )


def overview(result, shares: bool) -> GridData:
    """Of values [L, H, T], layers × heads: each head at the position where it moves the number furthest."""
    places = strongest_positions(result)
    layers, heads = np.indices(places.shape)
    drawn = _cells(result, shares, (layers, heads, places))
    tokens = _tokens(result)
    drawn["hover"] = [
        [
            [*lines, (say("position"), f"{place} {tokens[place]}")]
            for lines, place in zip(row, places[n].tolist(), strict=True)
        ]
        for n, row in enumerate(drawn["hover"])
    ]
    return GridData(
        rows=[f"L{layer}" for layer in range(len(places))],
        columns=[f"H{head}" for head in range(places.shape[1])],
        title=say("All heads, each at its strongest position"),
        row_title=say("layer; select a head to see its layer above"),
        column_title=say("head, at the one position where it moves the number furthest"),
        **drawn,
    )


def _cells(result, shares: bool, own) -> dict:
    """Numbers, colours and hover text of a picture; own: which of the result's values it shows. The colours are those
    of all of them, so that two pictures of one result can be compared."""
    words, signed = metric_words(result), is_signed(result.metric)
    numbers = result.values[own]
    recovered = result.recovered[own] if result.has_recovered else None
    if shares:
        ends = {"low": float(result.recovered.min()), "high": float(result.recovered.max())}
        left = say("share recovered: how much of the difference is left")
        label = say("share recovered") if result.direction == "denoising" else left
        scale = Scale("diverging", label, **ends)
        others = [[[(words, format_number(v, signed=signed))] for v in row] for row in numbers.tolist()]
        return {"values": recovered, "scale": scale, "hover": others}
    others = [[[] for _ in row] for row in numbers]
    if recovered is not None:
        name = say("share recovered")
        others = [[[(name, format_number(v, signed=True))] for v in row] for row in recovered.tolist()]
    return {"values": numbers, "scale": value_scale(result.metric, words, result.values), "hover": others}


def value_scale(metric: str, label: str, values) -> Scale:
    """How raw numbers of a metric are coloured."""
    ends = {"low": float(np.min(values)), "high": float(np.max(values))}
    if is_signed(metric):
        return Scale("diverging", label, **ends)
    if metric == "logprob":
        return Scale("sequential", label, **ends)
    return Scale("sequential", label, low=0, high=1 if metric == "prob" else ends["high"])


def _tokens(result) -> tuple[str, ...]:
    """The tokens of the prompt that is copied from."""
    return (result.clean if result.direction == "denoising" else result.corrupted).tokens


def _positions(result) -> dict:
    tokens = _tokens(result)
    differs = {i for i, _ in align(result.clean, result.corrupted).differing}
    return {
        "columns": tokens,
        "column_numbers": range(len(tokens)),
        "column_marks": ["≠" if t in differs else "" for t in range(len(tokens))],
        "column_title": say("position that is copied; ≠ where the prompts differ"),
    }


def _heads(result) -> dict:
    columns = [f"H{head}" for head in range(result.values.shape[1])]
    return {"columns": columns, "column_title": say("head, copied at all positions at once")}


# --- the scale of the baselines ------------------------------------------------------------------------------


def ruler(result, index: Index) -> RulerData:
    """The two runs as the ends of a scale, and the selected patch on it."""
    has = result.has_recovered
    value = float(result.values[index])
    marks = [
        RulerMark(say("corrupted run"), result.corrupted_value, 0.0 if has else None, "start"),
        RulerMark(say("selected patch"), value, float(result.recovered[index]) if has else None, "moved"),
        RulerMark(say("clean run"), result.clean_value, 1.0 if has else None, "end"),
    ]
    return RulerData(
        title=metric_words(result),
        marks=marks,
        origin="start" if result.direction == "denoising" else "end",
        lines=[FORMULA if has else NO_SHARE],
        signed=is_signed(result.metric),
    )


# --- the selected patch --------------------------------------------------------------------------------------


def detail(result, index: Index, runs: ThreeRuns | None = None) -> DetailData:
    """A patch in words and numbers, with what the model says after it if that was computed."""
    layer, head, position = index[0], head_of(result, index), position_of(result, index)
    named = what(result.site, layer, head)
    if position is None:
        title = say("{what}, at all positions", what=named)
    else:
        token = _tokens(result)[position]
        title = say("{what}, position {position} {token}", what=named, position=position, token=token)
    return DetailData(
        title=title,
        subtitle=joined([deed(result), reading(result, index)]),
        facts=_facts(result, index, position),
        tables=[] if runs is None else [_three_runs(result, runs)],
        notes=[CELLS[result.site], *_reach(result, layer, position)],
    )


def deed(result) -> Say:
    """What was done, in one sentence."""
    if result.direction == "denoising":
        return say("{site} copied from the clean run into the corrupted run.", site=result.site)
    return say("{site} copied from the corrupted run into the clean run.", site=result.site)


def reading(result, index: Index) -> Say:
    """What a patch's number means, in one sentence."""
    position = position_of(result, index)
    if position is not None and result.clean.ids[: position + 1] == result.corrupted.ids[: position + 1]:
        return say("Up to here both prompts are the same, and so are both runs: there was nothing to copy.")
    if not result.has_recovered:
        return say("Both runs give the same number, so nothing can be brought back or lost.")
    moved = float(result.recovered[index])
    return _enough(moved) if result.direction == "denoising" else _needed(1 - moved)


def _enough(share: float) -> Say:
    amount = format_share(share)
    if share >= NEARLY_ALL:
        return say("Enough by itself: it brings back {share} of the difference.", share=amount)
    if share >= CLEAR:
        return say("Partly enough: it brings back {share} of the difference.", share=amount)
    if share > -CLEAR:
        return say("Not enough by itself: it brings back next to nothing ({share}).", share=amount)
    return say("It moves the number the other way, by {share} of the difference.", share=format_share(-share))


def _needed(share: float) -> Say:
    amount = format_share(share)
    if share >= NEARLY_ALL:
        return say("Needed: without it {share} of the difference is gone.", share=amount)
    if share >= CLEAR:
        return say("Partly needed: without it {share} of the difference is gone.", share=amount)
    if share > -CLEAR:
        return say("Not needed here: without it next to nothing is lost ({share}).", share=amount)
    return say("Without it the difference grows, by {share}.", share=format_share(-share))


def _facts(result, index: Index, position: int | None) -> list[tuple[str, str]]:
    signed = is_signed(result.metric)
    facts: list[tuple[str, str]] = []
    if position is not None:
        clean, corrupted = result.clean.tokens[position], result.corrupted.tokens[position]
        same = result.clean.ids[position] == result.corrupted.ids[position]
        tokens = [(say("token in both prompts"), clean)]
        facts += tokens if same else [(say("clean token"), clean), (say("corrupted token"), corrupted)]
    numbers = [float(result.values[index]), result.clean_value, result.corrupted_value]
    patched, clean_value, corrupted_value = (format_number(number, signed=signed) for number in numbers)
    facts.append((metric_words(result), patched))
    facts += [(say("clean run"), clean_value), (say("corrupted run"), corrupted_value)]
    if result.has_recovered:
        facts.append((say("share recovered"), format_number(float(result.recovered[index]), signed=True)))
    return facts


def _reach(result, layer: int, position: int | None) -> list[str]:
    """Where the change can go from the patch, and where it cannot."""
    if position is None:
        return [
            say("From here the change can reach only what layer {layer} writes, and the layers above it.", layer=layer)
        ]
    return [
        say(
            "From here the change can reach only this and higher layers, at position {position} and later ones: a "
            "token never sees what comes after it.",
            position=position,
        )
    ]


def _three_runs(result, runs: ThreeRuns) -> Table:
    """The patched run's likeliest tokens with their chances in all three runs."""
    chances = [dict(zip(run.ids.tolist(), run.probs.tolist(), strict=True)) for run in _in_order(runs)]
    ids = sorted(runs.patched.ids.tolist(), key=lambda i: -chances[1][i])
    names = dict(zip(runs.patched.ids.tolist(), runs.patched.tokens, strict=True))
    wanted = {token.id for token in (result.answer, result.contrast) if token is not None}
    numbers = [Column(name, "number", digits=3) for name in (say("clean"), say("corrupted"))]
    return Table(
        columns=[
            Column(say("token"), "token"), numbers[0], Column(say("patched"), "bar", maximum=1.0, digits=3), numbers[1],
        ],
        rows=[(names[i], *(run[i] for run in chances)) for i in ids],
        caption=say("What the model says after this patch, beside the two runs: probability of the next token"),
        marked=[n for n, i in enumerate(ids) if i in wanted],
    )  # fmt: skip


def _in_order(runs: ThreeRuns) -> Sequence[Predictions]:
    return runs.clean, runs.patched, runs.corrupted
