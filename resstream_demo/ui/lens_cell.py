"""The selected cell of the logit lens: what it is, its likeliest tokens, and what changed since the row below."""

from dataclasses import dataclass

from ..core.words import Say, joined, say
from ..methods.lens import LensResult
from ..methods.lens_detail import LensChange, TokenChanges
from .lens_view import Closer, Groups, Lens, LensOutcome, View, norm_title, places_kept, row_label
from .widgets import Column, DetailData, Table, format_number

CHANGED = 6  # tokens listed as raised, and as lowered


@dataclass(frozen=True, eq=False)
class Panel:
    """The panel of a cell. ids: for each of its tables the token of each row."""

    data: DetailData
    ids: tuple[tuple[int, ...], ...]


def panel(outcome: LensOutcome, which: int, cell: tuple[int, int], view: View, pinned: Groups,
          closer: Closer | None) -> Panel:  # fmt: skip
    """A cell in words and numbers; with `closer`, which is about its position, also what the row changed."""
    row, position = cell
    result, token = outcome.lenses[which].result, outcome.result.prompt.tokens[position]
    change = None if closer is None else closer.changes[result.norm, view.words][row]
    tables = [_likeliest(outcome, outcome.lenses[which], cell, view, pinned, change)]
    if change is not None and change.promoted is not None:
        tables += _changed(result, row, change)
    where = say("{row} · position {position} {token}", row=row_label(result, row), position=position, token=token)
    data = DetailData(
        title=where,
        subtitle=_what(outcome, result, row),
        facts=_facts(outcome, result, row, position),
        tables=[table for table, _ in tables],
        notes=[] if row else [say("This is the lowest row, so there is none below it to compare with.")],
    )
    return Panel(data, tuple(ids for _, ids in tables))


def _what(outcome: LensOutcome, result: LensResult, row: int) -> Say:
    """What is decoded here, and by which norm where there are two."""
    layer = result.row_layers[row]
    what = {
        "embed": say("The token and position embeddings, before any layer (embed)."),
        "resid_pre": say("The stream as layer {layer} finds it (resid_pre).", layer=layer),
        "resid_mid": say(
            "The stream inside layer {layer}, between its attention and its MLP (resid_mid).", layer=layer
        ),
        "resid_post": say("The stream after layer {layer} (resid_post).", layer=layer),
        "attn_out": say("What the attention of layer {layer} adds, on its own (attn_out).", layer=layer),
        "mlp_out": say("What the MLP of layer {layer} adds, on its own (mlp_out).", layer=layer),
    }[result.row_sites[row]]
    return joined([what, say("{norm}.", norm=norm_title(result.norm))]) if len(outcome.lenses) > 1 else what


def _facts(outcome: LensOutcome, result: LensResult, row: int, position: int) -> list[tuple[str, str]]:
    following = following_id(result, position)
    facts = []
    for token, label in ((outcome.answer, say("answer")), (outcome.contrast, say("contrast"))):
        if token is not None:
            n = next(n for n, target in enumerate(result.targets) if target.id == token.id)
            chance = format_number(result.target_probs[row, position, n])
            where = place(int(result.target_ranks[row, position, n]))
            name = say("{label} {token}", label=label, token=token.display)
            facts.append((name, joined([chance, where], ", ")))
    if following is not None:
        facts.append((say("the prompt goes on with"), _goes_on(result, row, position, following)))
    facts += [
        (say("entropy"), say("{value} nats", value=format_number(result.entropy[row, position]))),
        (say("KL from the output"), say("{value} nats", value=format_number(result.kl_to_final[row, position]))),
    ]
    return facts


def following_id(result: LensResult, position: int) -> int | None:
    """The token that the prompt really has after a position."""
    ids = result.prompt.ids
    return ids[position + 1] if position + 1 < len(ids) else None


def _goes_on(result: LensResult, row: int, position: int, following: int) -> Say:
    ids, token = result.top_ids[row, position].tolist(), result.prompt.tokens[position + 1]
    if following not in ids:
        return say("{token}, not among the {count} likeliest", token=token, count=len(ids))
    return say("{token}, place {place}", token=token, place=ids.index(following) + 1)


def place(rank: int) -> Say:
    """A rank counted from 0, in words."""
    return say("place {place:,}", place=rank + 1)


def moved(rank: int, below: int | None) -> Say | str:
    """How a token's rank changed against the row below; None if it is not known there."""
    if below is None:
        return say("new")
    if rank == below:
        return "="
    return f"↑{below - rank:,}" if rank < below else f"↓{rank - below:,}"


# --- the likeliest tokens ------------------------------------------------------------------------------------


def _likeliest(outcome: LensOutcome, lens: Lens, cell: tuple[int, int], view: View, pinned: Groups,
               change: LensChange | None) -> tuple[Table, tuple[int, ...]]:  # fmt: skip
    """The table of a cell's likeliest tokens, and their ids. Of a row's own result, the moves of those are known that
    were among the likeliest below as well; `change` knows all."""
    row, position = cell
    result = lens.result
    ids, names, probs, moves = _from(change) if change else _at_hand(outcome, result, row, position, view.words)
    wanted = {token.id for token in (outcome.answer, outcome.contrast) if token is not None}
    wanted |= {following_id(result, position)}
    followed = {i for group in pinned for i in group}
    columns = [Column(say("token"), "token"), Column(say("probability"), "bar", maximum=1.0)]
    rows: list[list] = [[name, float(p)] for name, p in zip(names, probs, strict=True)]
    if row:
        columns.append(Column(say("since {row}", row=row_label(result, row - 1))))
        rows = [[*cells, move] for cells, move in zip(rows, moves, strict=True)]
    columns.append(Column("id", "token"))
    rows = [[*cells, f"{i} ★" if i in followed else f"{i}"] for cells, i in zip(rows, ids, strict=True)]
    table = Table(
        columns=columns,
        rows=rows,
        caption=_caption(outcome, ids, names, view.words),
        marked=[n for n, i in enumerate(ids) if i in wanted],
        clickable=True,
    )
    return table, tuple(ids)


def _from(change: LensChange) -> tuple[list, list, list, list]:
    below = change.ranks if change.ranks_below is None else change.ranks_below
    moves = [moved(int(rank), int(before)) for rank, before in zip(change.ranks, below, strict=True)]
    return change.ids.tolist(), list(change.tokens), change.probs.tolist(), moves


def _at_hand(outcome: LensOutcome, result: LensResult, row: int, position: int, words: bool) -> tuple:
    kept = places_kept(outcome, result, row, position, words)
    ids, names = result.top_ids[row, position].tolist(), result.top_tokens(row, position)
    below = result.top_ids[row - 1, position].tolist() if row else ids
    moves = [moved(n, below.index(ids[n]) if ids[n] in below else None) for n in kept]
    return [ids[n] for n in kept], [names[n] for n in kept], result.top_probs[row, position][kept].tolist(), moves


def _caption(outcome: LensOutcome, ids: list[int], names: list[str], words: bool) -> Say:
    if not words:
        what = say("The {count} likeliest tokens here.", count=len(ids))
    elif ids[0] in outcome.words:
        what = say("The {count} likeliest words here.", count=len(ids))
    else:
        what = say(
            "The likeliest token {token}, which is no word, and the {count} likeliest words.",
            token=names[0], count=len(ids) - 1,
        )  # fmt: skip
    return joined([what, say("Choose one to follow it through the layers (★).")])


# --- what changed --------------------------------------------------------------------------------------------


def _changed(result: LensResult, row: int, change: LensChange) -> list[tuple[Table, tuple[int, ...]]]:
    """The tokens that the row raised, and those that it lowered, against the row below."""
    below, here = row_label(result, row - 1), row_label(result, row)
    raised = say(
        "Raised most since {below}: change in logits, probability at {below} and {here}", below=below, here=here
    )
    lowered = say(
        "Lowered most since {below}: change in logits, probability at {below} and {here}", below=below, here=here
    )
    return [
        _changes(part, below, here, caption)
        for part, caption in ((change.promoted, raised), (change.suppressed, lowered))
    ]


def _changes(part: TokenChanges, below: str, here: str, caption: Say) -> tuple[Table, tuple[int, ...]]:
    ids, probs = part.ids[:CHANGED].tolist(), (part.probs_below, part.probs)
    table = Table(
        columns=[
            Column(say("token"), "token"),
            Column(say("change"), "number"),
            Column(below, "number", digits=3),
            Column(here, "number", digits=3),
        ],
        rows=[
            (part.tokens[n], format_number(float(part.values[n]), 2, signed=True), *(float(p[n]) for p in probs))
            for n in range(len(ids))
        ],
        caption=caption,
        clickable=True,
    )
    return table, tuple(ids)
