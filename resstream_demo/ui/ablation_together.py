"""Heads removed together: their joint effect, what the model predicts without them, and how it then writes on."""

from dataclasses import dataclass
from itertools import zip_longest

from ..core.errors import ExplorerError
from ..core.words import joined, say
from ..figures.caveats import not_shown
from ..figures.derived import interaction, sum_of_single_effects
from ..figures.numbers import format_share
from ..methods.ablation import AblationResult
from ..methods.continuation import CONTEXT_FULL, END_OF_TEXT, ContinuationPair, continue_text
from ..methods.inspect import Predictions, ablated_predictions, run_predictions
from . import session
from .ablation_view import digits, names, shown, words
from .selection import Head
from .session import AblationOptions, Inputs, Progress, Ready
from .tab import Outcome
from .widgets import Column, DetailData, Table

N_TOKENS = 12  # written before and after
TOP_K = 6
SINGLES_SHOWN = 8
#: Weights in the layers up to which the texts are written without being asked for: each token is a run of its own.
LIGHT, LIGHT_FOR_A_SET = 20_000_000, 100_000_000


@dataclass(frozen=True, eq=False)
class Together:
    """What happens without some heads, as a state keeps it: everything is English here.

    singles: the ablation of every head by itself. heads: those removed. no_texts: why there are no texts, as a
    sentence; "" also if they just have not been written yet.
    """

    inputs: Inputs
    options: AblationOptions
    singles: AblationResult
    heads: tuple[Head, ...]
    joint: AblationResult
    before: Predictions
    after: Predictions
    texts: ContinuationPair | None = None
    no_texts: str = ""

    def belongs(self, outcome: Outcome, heads: tuple[Head, ...]) -> bool:
        """Whether this is about the result on screen and these heads."""
        return (self.inputs, self.options, self.heads) == (outcome.inputs, outcome.options, heads)


def remove(
    ready: Ready, outcome: Outcome, heads: tuple[Head, ...], *, write: bool, progress: Progress | None = None
) -> Together:
    """Remove these heads together. outcome: the ablation of every head. write: whether to write the texts.

    progress: called with (tokens written, tokens to write) of the text without the heads.
    """
    options = outcome.options
    joint = ready.recalled("joint", (options, heads), lambda: session.run_joint_ablation(ready, options, heads))
    before, after = ready.recalled("predictions", (options, heads), lambda: _predictions(ready, options, heads))
    texts, why_not = None, ""
    if write:
        try:
            texts = _texts(ready, options, heads, progress)
        except ExplorerError as error:  # resampling has no partner for the tokens being written
            why_not = error.sentence
    return Together(ready.inputs, options, outcome.result, heads, joint, before, after, texts, why_not)


def is_light(model, is_set: bool) -> bool:
    """Whether writing two dozen tokens is so little work that it need not be asked for."""
    weights = 12 * model.n_layers * model.d_model**2
    return weights <= (LIGHT_FOR_A_SET if is_set else LIGHT)


def _predictions(ready: Ready, options: AblationOptions, heads) -> tuple[Predictions, Predictions]:
    """The likeliest tokens untouched and with the heads removed: the same tokens in both."""
    model, run, wanted = ready.model, ready.clean_run, [token.id for token in ready.targets()]
    how = session.removal(ready, options)
    top = run_predictions(model, run, k=TOP_K, also=wanted)
    after = ablated_predictions(model, run, heads, k=TOP_K, also=top.ids.tolist(), **how)
    return run_predictions(model, run, k=TOP_K, also=after.ids.tolist()), after


def _texts(ready: Ready, options: AblationOptions, heads, progress: Progress | None) -> ContinuationPair:
    how = session.removal(ready, options)
    del how["positions"]  # a text is written with the heads removed wherever they are
    made = (options.kind, heads)
    after = ready.recalled("text", made, lambda: continue_text(
        ready.model, ready.clean_run, n_tokens=N_TOKENS, heads=heads, progress=progress, **how
    ))  # fmt: skip
    before = ready.recalled("text", None, lambda: continue_text(ready.model, ready.clean_run, n_tokens=N_TOKENS))
    return ContinuationPair(before, after)


# --- the joint effect ----------------------------------------------------------------------------------------


def joint_detail(found: Together) -> DetailData:
    """Heads removed together beside the sum of their single effects."""
    singles, joint, heads = found.singles, found.joint, found.heads
    change = shown(joint, joint.effect, signed=True)
    subtitle = say(
        "{metric}: {before} → {after} ({change})",
        metric=words(joint),
        before=shown(joint, joint.baseline),
        after=shown(joint, joint.values),
        change=change,
    )
    if len(heads) == 1:
        note = say("One head by itself. Choose more in the picture to remove them together.")
        return DetailData(say("Without {names}", names=names(heads)), subtitle, notes=[note])
    return DetailData(
        title=say("Without {names}, removed together", names=names(heads)),
        subtitle=subtitle,
        tables=[_sum_table(singles, joint, heads)],
        notes=_compared(singles, joint, heads),
    )


def _sum_table(singles, joint, heads: tuple[Head, ...]) -> Table:
    ranked = sorted(heads, key=lambda head: -abs(float(singles.effect[head])))
    kept = ranked if len(ranked) <= SINGLES_SHOWN else ranked[: SINGLES_SHOWN - 1]
    rows = [(names([head]), float(singles.effect[head])) for head in kept]
    rest = ranked[len(kept) :]
    if rest:
        rows.append((say("{count} more", count=len(rest)), sum_of_single_effects(singles, rest)))
    rows += [
        (say("sum of these"), sum_of_single_effects(singles, heads)),
        (say("removed together"), float(joint.effect)),
    ]
    return Table(
        columns=[Column(say("removed")), Column(say("change"), "signed", digits=digits(joint))],
        rows=rows,
        caption=say("Each alone, the sum of that, and all at once"),
        marked=[len(rows) - 1],
    )


def _compared(singles, joint, heads) -> list[str]:
    """What it means that the joint effect is, or is not, the sum of the single ones."""
    sentence = {
        "nothing": say("Neither one by one nor together do they change this number."),
        "adds up": say("Together they change about what they change one by one in sum: each acts for itself."),
        "more": say(
            "Together they change more than one by one in sum: they back one another up, so removing one alone shows "
            "too little."
        ),
        "less": say(
            "Together they change less than one by one in sum: they work through one another, or towards the same "
            "thing, and the sum counts that twice."
        ),
        "mixed": say(
            "Together they do not change what they change one by one in sum: what one of them does depends on whether "
            "the others are there."
        ),
        "opposite": say(
            "Together they change the number the other way than one by one in sum: what one of them does depends on "
            "whether the others are there."
        ),
    }[interaction(float(joint.effect), [float(singles.effect[head]) for head in heads])]
    if joint.metric == "logit_diff":
        return [sentence]
    return [
        sentence,
        say(
            "This number need not add up even for heads that have nothing to do with each other; the logit difference "
            "comes closest to it."
        ),
    ]


# --- what it predicts ----------------------------------------------------------------------------------------


def predictions_detail(found: Together) -> DetailData:
    """The likeliest next tokens untouched, beside those with the heads removed."""
    before, after = found.before, found.after
    shares = {"before": format_share(before.probs[0]), "after": format_share(after.probs[0])}
    if int(before.ids[0]) == int(after.ids[0]):
        subtitle = say("{token} stays first: {before} → {after}", token=before.tokens[0], **shares)
    else:
        subtitle = say(
            "{token} ({before}) was first, now it is {other} ({after})",
            token=before.tokens[0],
            other=after.tokens[0],
            **shares,
        )
    return DetailData(say("What comes next, before and after"), subtitle, tables=[_predictions_table(found)])


def _predictions_table(found: Together) -> Table:
    before, after = found.before, found.after
    left = dict(zip(after.ids.tolist(), map(float, after.probs), strict=True))
    wanted = {token.id for token in (found.joint.answer, found.joint.contrast) if token is not None}
    ids = before.ids.tolist()
    alike = {token for token in before.tokens if before.tokens.count(token) > 1}
    names_of = [f"{token} #{i}" if token in alike else token for token, i in zip(before.tokens, ids, strict=True)]
    rows = [
        (token, chance, left[i], left[i] - chance)
        for token, i, chance in zip(names_of, ids, map(float, before.probs), strict=True)
    ]
    return Table(
        columns=[
            Column(say("token"), "token"),
            Column(say("before"), "number", digits=2),
            Column(say("after"), "number", digits=2),
            Column(say("change"), "signed"),
        ],
        rows=rows,
        caption=say("Probability of the next token; answer and contrast are marked"),
        marked=[n for n, i in enumerate(ids) if i in wanted],
    )


# --- how it writes on ----------------------------------------------------------------------------------------


def texts_detail(found: Together) -> DetailData | None:
    """Both texts side by side, their first difference marked; None if they have not been written."""
    title = say("How the text goes on, before and after")
    if found.texts is None:
        return DetailData(title, notes=[found.no_texts]) if found.no_texts else None
    pair = found.texts
    facts = [(say("before"), _text(pair.before)), (say("after"), _text(pair.after))]
    notes = [say("What this does not show: {limit}", limit=not_shown("continue_text"))]
    if found.options.last_only:
        notes.insert(0, say("The heads are removed at all positions here, for what is written has new last positions."))
    return DetailData(title, _parting(pair), facts, [_texts_table(pair)], notes)


def _text(one) -> str:
    """The text, and why it ends before its time."""
    if one.stopped == END_OF_TEXT:
        return joined([one.text, say("(end of text)")])
    if one.stopped == CONTEXT_FULL:
        return joined([one.text, say("(the model reads no more)")])
    return one.text


def _parting(pair: ContinuationPair) -> str:
    step = pair.first_difference
    if step is None:
        return say("Both texts are the same, {count} tokens long.", count=len(pair.before.ids))
    return say(
        "They part at token {step}, marked ≠: {before} against {after}.",
        step=step + 1,
        before=_token(pair.before, step),
        after=_token(pair.after, step),
    )


def _token(one, step: int) -> str:
    return one.tokens[step] if step < len(one.tokens) else say("the end")


def _texts_table(pair: ContinuationPair) -> Table:
    apart = pair.first_difference
    sides = (list(zip(one.tokens, map(float, one.probs), strict=True)) for one in (pair.before, pair.after))
    rows = [
        (*left, "≠" if n == apart else "", *right)
        for n, (left, right) in enumerate(zip_longest(*sides, fillvalue=("", None)))
    ]
    side = [Column(say("chance"), "number", digits=2)]
    return Table(
        columns=[Column(say("before"), "token"), *side, Column(""), Column(say("after"), "token"), *side],
        rows=rows,
        caption=say("Token by token; each is the likeliest after its own text"),
        marked=[] if apart is None else [apart],
    )
