"""What the ablation tab draws: the grid of effects, the details of a head, and its direct against its real effect."""

import numpy as np

from ..core.names import head_label
from ..core.words import joined, say
from ..figures.caveats import not_shown
from ..figures.derived import reaction
from .widgets import Column, DetailData, GridData, Point, Scale, ScatterData, Table, format_number
from .wording import logit_words

KINDS = [
    (say("nothing at all (zero)"), "zero"),
    (say("only its constant part (bias only)"), "bias_only"),
    (say("its average over everyday sentences (mean)"), "mean"),
    (say("its output on the corrupted prompt (resample)"), "resample"),
]
METRICS = [
    (say("logit difference"), "logit_diff"),
    (say("probability of the answer"), "prob"),
    (say("log-probability of the answer"), "logprob"),
    (say("rank of the answer"), "rank"),
    (say("KL from the untouched run"), "kl"),
    (say("loss over the whole prompt"), "loss"),
]
WHERE = [(say("all positions"), "all"), (say("last position"), "last")]
SAYS = say(
    "Take one head’s output away and run the rest. Orange: without this head the number falls, so the head was "
    "supporting it. Blue: it rises."
)
SAYS_OF_HARM = say(
    "Take one head’s output away and run the rest. Blue: without this head the number rises, so the model does worse. "
    "Orange: it falls."
)
HARM = ("rank", "kl", "loss")  # metrics that rise as the model gets worse
LABELLED = 6  # heads named in the scatter plot


def says(result) -> str:
    """What the picture shows."""
    return SAYS_OF_HARM if result.metric in HARM else SAYS


def words(result) -> str:
    """The metric of an ablation, with its tokens."""
    answer = result.answer.display if result.answer else ""
    if result.metric == "logit_diff":
        return logit_words(result)
    return {
        "prob": say("probability of {answer}", answer=answer),
        "logprob": say("log-probability of {answer}", answer=answer),
        "rank": say("rank of {answer} (0 is first)", answer=answer),
        "kl": say("KL from the untouched run (nats)"),
        "loss": say("loss over the whole prompt (nats)"),
    }[result.metric]


def digits(result) -> int:
    """Decimals of the metric's numbers: ranks are whole."""
    return 0 if result.metric == "rank" else 4


def shown(result, value: float, signed: bool = False) -> str:
    """A number of the result's metric."""
    return format_number(float(value), digits(result), signed=signed)


# --- the picture ---------------------------------------------------------------------------------------------


def draw(result, repair=None) -> GridData:
    """Each head's effect when it alone is removed. repair: its direct effects, for the hover text."""
    layers, heads = result.values.shape
    return GridData(
        rows=[f"L{layer}" for layer in range(layers)],
        columns=[f"H{head}" for head in range(heads)],
        values=result.effect,
        hover=[[_hover(result, repair, (layer, head)) for head in range(heads)] for layer in range(layers)],
        scale=Scale("diverging", say("change of {metric}", metric=words(result)), digits=digits(result)),
        row_title=say("layer"),
        column_title=say("head that is removed, each alone"),
        multi=True,
    )


def _hover(result, repair, head: tuple[int, int]) -> list:
    lines = [(say("without it"), shown(result, result.values[head]))]
    if repair is not None:
        lines.append((say("taking its own share away"), format_number(float(repair.direct[head]), signed=True)))
    return lines


def baseline(result) -> str:
    """The number nothing was removed from, and what stands in a head's place."""
    untouched = say("{metric}, nothing removed: {value}.", metric=words(result), value=shown(result, result.baseline))
    return joined([untouched, _replaced(result)])


def _replaced(result) -> str:
    where = say("at all positions") if isinstance(result.positions, str) else say("at the last position only")
    if result.kind == "zero":
        return say("A removed head writes nothing (z := 0), {where}.", where=where)
    if result.kind == "bias_only":
        return say("Of a removed head only the part is left that no input changes, {where}.", where=where)
    if result.kind == "mean":
        return say(
            "A removed head writes its average output instead, {where}: {reference}.",
            where=where,
            reference=result.reference,
        )
    return say(
        "A removed head writes what it writes on the corrupted prompt, {where}: {reference}.",
        where=where,
        reference=result.reference,
    )


# --- a head --------------------------------------------------------------------------------------------------


def detail(result, head: tuple[int, int], repair=None) -> DetailData:
    """What the removal of one head does. repair: the direct effects beside these, where there are any."""
    effect = float(result.effect[head])
    size = int((np.abs(result.effect) > abs(effect)).sum()) + 1
    tables = [_layer_table(result, *head)]
    if repair is not None:
        tables.insert(0, _reaction_table(repair, head))
    return DetailData(
        title=say("Without head {head}", head=head_label(*head)),
        subtitle=say("{metric} changes by {change}", metric=words(result), change=shown(result, effect, signed=True)),
        facts=[
            (say("untouched"), shown(result, result.baseline)),
            (say("without it"), shown(result, result.values[head])),
            (say("change"), shown(result, effect, signed=True)),
            (say("size among heads"), say("number {place} of {count}", place=size, count=result.values.size)),
        ],
        tables=tables,
        notes=[] if repair is None else [_reaction(repair, head)],
    )


def _reaction_table(repair, head: tuple[int, int]) -> Table:
    rows = [(say("taking its own share away"), float(repair.direct[head]))]
    if repair.frozen is not None:
        rows += [
            (say("what later layers then do"), float(repair.by_later_layers[head])),
            (say("the final norm’s new scale"), float(repair.by_final_scale[head])),
        ]
    rows.append((say("really removing it"), float(repair.total[head])))
    return Table(
        columns=[Column(""), Column(say("logits"), "signed")],
        rows=rows,
        caption=say("Direct effect (attribution) against real effect"),
        marked=[len(rows) - 1],
    )


def _reaction(repair, head: tuple[int, int]) -> str:
    return {
        "none": say("The two are close: little else reacts to its absence."),
        "repairs": say(
            "Self-repair: less changes than its own share would make. Later layers, or the final norm, make up for it."
        ),
        "adds": say(
            "More changes than its own share: later layers had read what this head wrote, and write something else now."
        ),
    }[reaction(repair, head)]


def _layer_table(result, layer: int, head: int) -> Table:
    largest = float(np.abs(result.effect).max()) or None
    return Table(
        columns=[Column(say("head")), Column(say("change"), "signed", maximum=largest, digits=digits(result))],
        rows=[(head_label(layer, h), float(effect)) for h, effect in enumerate(result.effect[layer])],
        caption=say("The heads of layer {layer}, each removed alone", layer=layer),
        marked=[head],
    )


# --- direct against real effect ------------------------------------------------------------------------------


def scatter(repair) -> ScatterData:
    """One dot per head: the effect of taking its own share away, and that of really removing it."""
    named = set(repair.labelled(LABELLED))
    return ScatterData(
        points=[
            Point(
                head_label(*head),
                float(repair.direct[head]),
                float(repair.total[head]),
                labelled=head in named,
                hover=_scatter_hover(repair, head),
            )
            for head in np.ndindex(repair.total.shape)
        ],
        x_label=say("taking its own share away (logits)"),
        y_label=say("really removing it (logits)"),
        title=say("Direct against real effect of each head"),
        diagonal=say("nothing else reacts"),
        above=say("others push it up"),
        below=say("others push it down"),
    )


def _scatter_hover(repair, head: tuple[int, int]) -> list:
    lines = [(say("difference"), format_number(float(repair.difference[head]), signed=True))]
    return [*lines, say("self-repair")] if reaction(repair, head) == "repairs" else lines


def scatter_note(repair) -> str:
    """Which heads are repaired, and what the dots do not show."""
    found = [head for head in repair.labelled(repair.total.size) if reaction(repair, head) == "repairs"]
    if not found:
        sentence = say("Self-repair, less change in all than by a head’s own share, does not stand out here.")
    else:
        sentence = say(
            "Self-repair at {names}: really removing such a head changes less than its own share would, since the rest "
            "makes up for it.",
            names=names(found),
        )
    limit = say("What this does not show: {limit}", limit=not_shown("direct_and_total"))
    return joined([sentence, limit])


def names(heads, most: int = 6) -> str:
    """Heads in a sentence; those beyond `most` are counted."""
    labels = joined([head_label(*head) for head in heads[:most]], ", ")
    rest = len(heads) - most
    return labels if rest <= 0 else say("{heads} and {count} more", heads=labels, count=rest)
