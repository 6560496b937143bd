"""What the attribution tab draws: the running sum, the grid of heads, and the detail of each part."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..core.receipts import Receipt
from ..core.words import joined, say
from ..figures.derived import largest, place_by_size
from ..figures.numbers import format_number, format_share
from ..methods.attribution import AttributionResult
from ..methods.components import HeadDetail, MLPDetail, TokenEffects
from . import attribution_parts as parts
from .attribution_parts import Part
from .widgets import Column, DetailData, GridData, Scale, Table, WaterfallData, WaterfallItem
from .widgets.detail import CellValue
from .wording import logit_words

LookedInto = HeadDetail | MLPDetail
LOOKED_INTO = ("head", "mlp")  # kinds of parts of which the model has more to say than the attribution

SOURCES = 24  # positions listed for a head
NEURONS = 8  # named for an MLP
TOKENS = 6  # that a write raises, and as many that it lowers
TOKENS_OF_NEURON = 3
NAMED_HEADS = 3  # of a layer, at its bar
LARGEST = 12  # parts in the table of all
KINDS = {"attention": "attention", "mlp": "mlp", **dict.fromkeys(parts.BELOW, "embedding")}  # of bars; others: a bias


def what(result: AttributionResult) -> str:
    """The number that is split, in words."""
    return logit_words(result)


def place(result: AttributionResult) -> str:
    """The position whose prediction is explained."""
    token = result.prompt.tokens[result.position]
    return say("position {position} ({token})", position=result.position, token=token)


def sums(result: AttributionResult) -> str:
    """The number, where it is read, and that the parts make it up."""
    return say(
        "{what}, for the token after {place}: all parts together {total}, the model’s own number {logit}",
        what=what(result), place=place(result), total=_signed(result.total), logit=_signed(result.logit),
    )  # fmt: skip


def positions(result: AttributionResult) -> list[tuple[str, int]]:
    """The choices of positions, the last one, which is −1, first. No words, so they are the same in every language."""
    tokens = result.prompt.tokens
    last = len(tokens) - 1
    return [(f"{last} {tokens[last]}", -1), *((f"{t} {tokens[t]}", t) for t in range(last))]


# --- pictures ------------------------------------------------------------------------------------------------


def waterfall(result: AttributionResult) -> WaterfallData:
    """The running sum from the embedding to the total; a layer's attention is its heads and its bias together."""
    return WaterfallData(
        items=[
            WaterfallItem(
                part.name,
                parts.value(result, part),
                KINDS.get(part.kind, "bias"),
                group="" if part.layer == parts.OUTSIDE else str(part.layer),
                hover=_strongest(result, part),
            )
            for part in parts.bars(result)
        ],
        totals=[(say("sum of parts"), result.total), (say("the model’s own"), result.logit)],
        label=say("logits"),
        title=say("The sum, from the embedding up"),
    )


def _strongest(result: AttributionResult, part: Part) -> list[tuple[str, str]]:
    """The strongest parts in a layer's attention."""
    if part.kind != "attention":
        return []
    within = parts.of_layer(result, part.layer)[:NAMED_HEADS]
    return [(one.name, _signed(parts.value(result, one))) for one in within]


def grid(result: AttributionResult) -> GridData:
    """Every head's contribution, with the bias of the layer's attention and its MLP in two more columns."""
    layers, heads = result.heads.shape
    return GridData(
        rows=[f"L{layer}" for layer in range(layers)],
        columns=[*(f"H{head}" for head in range(heads)), say("bias"), say("MLP")],
        values=np.column_stack([result.heads, result.attn_bias, result.mlps]),
        scale=Scale("diverging", say("added to: {what}", what=what(result))),
        row_title=say("layer"),
        column_title=say("head of the attention, its bias, the MLP"),
        title=say("Who in each layer writes it"),
    )


def largest_parts(result: AttributionResult, part: Part) -> DetailData:
    """The largest components of all, either sign. part: the selected one, which is marked."""
    listed = largest_of(result)
    return DetailData(
        title=say("The largest contributions"),
        tables=[
            Table(
                columns=[Column(say("place")), Column(say("part")), Column(say("contribution"), "signed")],
                rows=[(str(n), one.name, parts.value(result, one)) for n, one in enumerate(listed, 1)],
                caption=say(
                    "Of {count:,} parts, with either sign; select one to look into it", count=len(result.values)
                ),
                marked=[n for n, one in enumerate(listed) if one == part],
                clickable=True,
            )
        ],
    )


def largest_of(result: AttributionResult) -> list[Part]:
    """The parts of that table, in its order."""
    found = dict(zip(result.components, parts.components(result), strict=True))
    return [found[name] for name in result.top(LARGEST)["component"]]


# --- the detail of a part ------------------------------------------------------------------------------------


def fits(found: LookedInto | None, result: AttributionResult, part: Part) -> bool:
    """Whether what was looked into is this part of this result."""
    if isinstance(found, HeadDetail):
        same = part == Part("head", found.layer, found.head) and found.value_bias == result.value_bias
    else:
        same = isinstance(found, MLPDetail) and part == Part("mlp", found.layer)
    return same and all(
        (getattr(found, name) == getattr(result, name)) for name in ("prompt", "answer", "contrast", "position")
    ) and (found.info.model, found.info.revision) == (result.info.model, result.info.revision)  # fmt: skip


def checks(result: AttributionResult, part: Part, found: LookedInto | None) -> list[Receipt] | None:
    """The receipts of what was looked into, without those that the result has itself; None where there are none."""
    return [r for r in found.receipts if r not in result.receipts] if fits(found, result, part) else None


def detail(result: AttributionResult, part: Part, found: LookedInto | None = None, at: int | None = None) -> DetailData:
    """The detail panel of a part.

    found: what the model has to say about it, once that is known. at: the selected position, which is marked.
    """
    found = found if fits(found, result, part) else None
    if part.kind == "head":
        return _head(result, part, found, at)
    if part.kind == "mlp":
        return _mlp(result, part, found)
    if part.kind == "attention":
        return _attention(result, part)
    return _constant(result, part)


def incomplete(shown: DetailData) -> DetailData:
    """A panel of which the rest will not come by itself, for its result is not what the page asks for now."""
    note = say("The inputs or options have changed since this was computed. Run again to see the rest.")
    return replace(shown, notes=[*shown.notes, note])


def _headed(result, part: Part, title: str, facts: Sequence = (), tables: Sequence[Table] = (), notes: Sequence = ()):
    """A panel with what is said of every part: what it adds to which number, read where."""
    subtitle = say(
        "adds {value} logits to: {what}, read at {place}",
        value=_signed(parts.value(result, part)), what=what(result), place=place(result),
    )  # fmt: skip
    return DetailData(title=title, subtitle=subtitle, facts=facts, tables=tables, notes=notes)


def _head(result: AttributionResult, part: Part, found: HeadDetail | None, at: int | None) -> DetailData:
    contribution = parts.value(result, part)
    rank = place_by_size(contribution, result.heads)
    notes = [say("Attention is where a head looks; the contribution is what it brings from there. Either can be large "
                 "without the other.")]  # fmt: skip
    if result.value_bias == "folded":
        notes.append(say("What it writes whatever the prompt is counted to the bias of its layer, not here."))
    return _headed(
        result,
        part,
        say("Head {head}", head=part.name),
        [
            (say("size among heads"), say("number {place} of {count}", place=rank, count=result.heads.size)),
            *_of_its_layer(result, part),
            *_length(found),
        ],
        [_source_table(result, part, found, at), *_token_tables(result, found)],
        notes,
    )


def _of_its_layer(result: AttributionResult, part: Part) -> list[tuple[str, str]]:
    """What all of its layer's attention adds."""
    return [(say("whole attention of L{layer}", layer=part.layer),
             _signed(parts.value(result, Part("attention", part.layer))))]  # fmt: skip


def _length(found: LookedInto | None) -> list[tuple[str, str]]:
    """How long the vector is that it writes, against the stream that it is added to."""
    if found is None:
        return []
    text = say(
        "{length}, the stream it is added to {stream}",
        length=format_number(found.write_norm), stream=format_number(found.stream_norm),
    )  # fmt: skip
    if found.stream_norm > 0:
        share = format_share(found.write_norm / found.stream_norm)
        text = say("{length}, {share} of the stream’s {stream}", length=format_number(found.write_norm), share=share,
                   stream=format_number(found.stream_norm))  # fmt: skip
    return [(say("length of what it writes"), text)]


def sources(result: AttributionResult, part: Part, found: HeadDetail | None, at: int | None) -> list[int]:
    """The source positions that are listed for a head, in order: of many, those that bring most, those that it looks
    at most, and the selected one."""
    count = result.position + 1
    if count <= SOURCES:
        return list(range(count))
    shares = result.by_source[part.layer, part.head, :count]
    chosen = largest(shares, SOURCES if found is None else SOURCES // 2)
    chosen += [] if found is None else largest(found.pattern[:count], SOURCES // 2)
    return sorted({*chosen, *([at] if at is not None and at < count else [])})


def _source_table(result: AttributionResult, part: Part, found: HeadDetail | None, at: int | None) -> Table:
    listed, count = sources(result, part, found, at), result.position + 1
    shares, tokens = result.by_source[part.layer, part.head], result.prompt.tokens
    caption = say("Where it looks from {place}, and what it brings from each token", place=place(result))
    if len(listed) < count:
        caption = say("{caption}: {shown} of {count:,} tokens", caption=caption, shown=len(listed), count=count)
    return Table(
        columns=[
            Column("#", "number"),
            Column(say("token"), "token"),
            Column(say("attention"), "bar", maximum=1.0),
            Column(say("contribution"), "signed"),
        ],
        rows=[(t, tokens[t], None if found is None else float(found.pattern[t]), float(shares[t])) for t in listed],
        caption=caption,
        marked=[n for n, t in enumerate(listed) if t == at],
        clickable=True,
    )


def _token_tables(result: AttributionResult, found: LookedInto | None) -> list[Table]:
    """The tokens whose logits a write raises most, then those that it lowers most."""
    if found is None:
        return []
    asked = {token.id for token in (result.answer, result.contrast) if token is not None}
    rows = [*_effects(found.promoted), *reversed(_effects(found.suppressed))]
    return [
        Table(
            columns=[Column(say("token"), "token"), Column(say("id")), Column(say("change of its logit"), "signed")],
            rows=[(token, str(i), effect) for token, i, effect in rows],
            caption=say("What it writes, read as tokens: those it raises most, then those it lowers most, against the "
                        "mean of all tokens"),
            marked=[n for n, (_, i, _) in enumerate(rows) if i in asked],
        )
    ]  # fmt: skip


def _effects(effects: TokenEffects) -> list[tuple[str, int, float]]:
    return [(token, int(i), float(v)) for token, i, v in zip(effects.tokens, effects.ids, effects.values, strict=True)]


def _mlp(result: AttributionResult, part: Part, found: MLPDetail | None) -> DetailData:
    rank = place_by_size(parts.value(result, part), result.mlps)
    notes = [say("An MLP reads and writes at one position only: what it uses from other tokens, attention brought.")]
    return _headed(
        result,
        part,
        say("MLP of layer {layer}", layer=part.layer),
        [(say("size among MLPs"), say("number {place} of {count}", place=rank, count=result.mlps.size)),
         *_length(found)],
        [] if found is None else [_neuron_table(result, part, found), *_token_tables(result, found)],
        notes,
    )  # fmt: skip


def _neuron_table(result: AttributionResult, part: Part, found: MLPDetail) -> Table:
    """The strongest neurons, and all the rest, so that the column adds up."""
    named = zip(found.neurons, found.activations, found.contributions, found.neuron_promoted, strict=True)
    rows: list[tuple[CellValue, ...]] = [
        (str(int(n)), float(activation), _signed(float(share)), " ".join(written.tokens[:TOKENS_OF_NEURON]))
        for n, activation, share, written in named
    ]
    whole = parts.value(result, part)
    for name, share in ((say("others"), found.rest), (say("bias"), found.bias), (say("all"), whole)):
        rows.append((name, "", _signed(share), ""))
    return Table(
        columns=[
            Column(say("neuron"), "token"),  # a token does not break within its line
            Column(say("active"), "number"),
            Column(say("adds"), "number"),
            Column(say("raises most")),
        ],
        rows=rows,
        caption=say("Its strongest neurons: how active each is, what it adds, and the tokens that it raises most"),
        marked=[len(rows) - 1],
    )


def _attention(result: AttributionResult, part: Part) -> DetailData:
    rows = [(one.name, parts.value(result, one)) for one in parts.of_layer(result, part.layer)]
    return _headed(
        result,
        part,
        say("Attention of layer {layer}", layer=part.layer),
        tables=[
            Table(
                columns=[Column(say("part")), Column(say("contribution"), "signed")],
                rows=rows,
                caption=say("Its heads and its bias, the largest first; select one to look into it"),
                clickable=True,
            )
        ],
    )


def _constant(result: AttributionResult, part: Part) -> DetailData:
    """A part that does not depend on other tokens: an embedding or a bias."""
    rank = place_by_size(parts.value(result, part), result.values)
    facts = [(say("size among all parts"), say("number {place} of {count}", place=rank, count=len(result.values)))]
    facts += _of_its_layer(result, part) if part.kind == "bias" else []
    return _headed(result, part, _TITLES[part.kind](part), facts, notes=[_meaning(result, part)])


_TITLES = {
    "bias": lambda part: say("Attention bias of layer {layer}", layer=part.layer),
    "embed": lambda part: say("Token embedding"),
    "pos_embed": lambda part: say("Position embedding"),
    "ln_final bias": lambda part: say("Bias of the final LayerNorm"),
    "unembed bias": lambda part: say("Bias of the unembedding"),
}


def _meaning(result: AttributionResult, part: Part) -> str:
    """What such a part is."""
    if part.kind == "bias":
        own = say("The output bias of this layer’s attention, the same for every prompt.")
        more = say("With it are counted the parts of its heads that do not depend on the prompt.")
        return joined([own, more]) if result.value_bias == "folded" else own
    return {
        "embed": say("What the token at this position itself says about the next one, before any layer has read it."),
        "pos_embed": say("What the place in the prompt says about the next token, whatever stands there."),
        "ln_final bias": say("Added after the last layer, the same for every prompt and position."),
        "unembed bias": say("Added to the logits themselves, the same for every prompt and position."),
    }[part.kind]


def _signed(number: float) -> str:
    return format_number(number, signed=True)
