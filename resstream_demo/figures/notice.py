"""What there is to see in a result, in one sentence made of its own numbers."""

from collections.abc import Sequence

import numpy as np

from ..core.names import head_label
from ..core.trace import HEAD_SITES
from ..core.words import plural, say
from .numbers import format_number, format_share

SMALL = 0.05  # of the untouched metric: an effect below this share of it is called small
CLEAR = 0.1  # of the whole difference: a share recovered below this is nothing to point at


def what_to_see(result) -> str:
    """The sentence for a result of any of the four methods, or of patching over pairs."""
    return _SENTENCES[result.info.method](result)


def _lens(result) -> str:
    """From which row on the answer, or else the output's own first token, stays on top at the last position."""
    last = len(result.prompt) - 1
    first = result.top_ids[:, last, 0]
    top, chance = result.top_tokens(-1, last)[0], format_share(result.top_probs[-1, last, 0])
    since = _since(first == first[-1])
    if not result.targets or int(first[-1]) == result.targets[0].id:
        return say(
            "At the last token, {top} comes out on top from {row} on and stays there; the top row gives it {chance}.",
            top=top, row=result.row_names[since].split(" ")[0], chance=chance,
        )  # fmt: skip
    answer, rank = result.targets[0], int(result.target_ranks[-1, last, 0])
    return say(
        "At the last token the top row puts {top} first ({chance}); {answer} is in place {place:,}, with {own}.",
        top=top, chance=chance, answer=answer.display, place=rank + 1,
        own=format_share(result.target_probs[-1, last, 0]),
    )  # fmt: skip


def _since(holds: np.ndarray) -> int:
    """The first index from which on all of `holds` is true; its last is."""
    misses = np.flatnonzero(~holds)
    return int(misses[-1]) + 1 if len(misses) else 0


def _attribution(result) -> str:
    """The component that pushes most for the answer, and the one that pushes most against it."""
    best, worst = int(result.values.argmax()), int(result.values.argmin())
    goal = result.answer.display
    most = say(
        "{name} pushes {answer} most ({value} of {total} logits)",
        name=result.components[best], answer=goal,
        value=format_number(float(result.values[best]), signed=True),
        total=format_number(result.total, signed=True),
    )  # fmt: skip
    if result.values[worst] >= 0:
        return say("{most}; nothing pushes against it.", most=most)
    return say(
        "{most}; {name} pushes hardest against it ({value}).",
        most=most, name=result.components[worst], value=format_number(float(result.values[worst]), signed=True),
    )  # fmt: skip


def _patching(result) -> str:
    """Where the difference between the two runs is carried, early and late."""
    if not result.has_recovered:
        return say("Both runs give the same number, so there is no difference to follow.")
    moved = result.recovered if result.direction == "denoising" else 1 - result.recovered
    if moved.ndim == 3:
        return _head_and_position_that_move(result, moved)
    if result.site in HEAD_SITES:
        return _head_that_moves(result.site, moved)
    return _carried(result.site, moved, [_place(result, t) for t in range(moved.shape[1])])


def _carried(site: str, moved: np.ndarray, places: Sequence[str]) -> str:
    """Where shares [L, K] of the difference are carried, K places in words."""
    best = moved.argmax(1)
    share = moved[np.arange(len(best)), best]
    if share.max() < CLEAR:
        return say("No single cell moves the answer by as much as a tenth of the difference.")
    early, late = int(best[0]), int(best[-1])
    leaves = int(np.argmin(best == early)) if (best != early).any() else len(best)
    if leaves == len(best) or share[0] < CLEAR:
        layer, place = (int(i) for i in np.unravel_index(moved.argmax(), moved.shape))
        return say(
            "{site} of L{layer} at {place} moves the answer most: {share} of the difference.",
            site=site, layer=layer, place=places[place], share=format_share(moved[layer, place]),
        )  # fmt: skip
    return say(
        "Up to L{until} what tells the prompts apart is carried at {here}; from L{since} on, at {there}.",
        until=leaves - 1, here=places[early], since=_since(best == late), there=places[late],
    )  # fmt: skip


def _place(result, position: int) -> str:
    return say("position {position} ({token})", position=position, token=result.clean.tokens[position])


def _head_that_moves(site: str, moved: np.ndarray) -> str:
    layer, head = (int(i) for i in np.unravel_index(moved.argmax(), moved.shape))
    if moved[layer, head] < CLEAR:
        return say("No single head moves the answer by as much as a tenth of the difference.")
    return say(
        "{site} of head {head} alone moves {share} of the difference, more than any other head.",
        site=site, head=head_label(layer, head), share=format_share(moved[layer, head]),
    )  # fmt: skip


def _head_and_position_that_move(result, moved: np.ndarray) -> str:
    layer, head, position = (int(i) for i in np.unravel_index(moved.argmax(), moved.shape))
    if moved[layer, head, position] < CLEAR:
        return say("No head moves the answer at one position by as much as a tenth of the difference.")
    return say(
        "{site} of head {head} at {place} alone moves {share} of the difference, more than any other head at any one "
        "position.",
        site=result.site, head=head_label(layer, head), place=_place(result, position),
        share=format_share(moved[layer, head, position]),
    )  # fmt: skip


def _pairs(result) -> str:
    """What holds of the mean over pairs."""
    moved = result.mean if result.direction == "denoising" else 1 - result.mean
    if result.axis == "head":
        found = _head_that_moves(result.site, moved)
    else:
        found = _carried(result.site, moved, [column_words(result, k) for k in range(len(result.columns))])
    return plural(len(result.used), "One pair. {found}", "Mean of {count} pairs. {found}", found=found)


def column_words(result, column: int) -> str:
    """What a column of a mean over pairs is, in words."""
    name = result.columns[column]
    if result.axis != "role":
        return name if result.axis == "head" else say("position {position} ({token})", position=column, token=name)
    return {
        "differing": say("the tokens that differ"),
        "between": say("the tokens between them and the last"),
        "last": say("the last token"),
    }[name]


def _ablation(result) -> str:
    """The head whose loss changes most, and how many heads hardly matter."""
    layer, head = (int(i) for i in np.unravel_index(np.abs(result.effect).argmax(), result.effect.shape))
    small = int((np.abs(result.effect) < SMALL * abs(result.baseline)).sum())
    return say(
        "Without head {head} the number goes from {before} to {after}, the largest change; "
        "{small} of {count} heads change it by less than a twentieth.",
        head=head_label(layer, head), before=format_number(result.baseline),
        after=format_number(float(result.values[layer, head])), small=small, count=result.effect.size,
    )  # fmt: skip


_SENTENCES = {
    "logit_lens": _lens,
    "direct_logit_attribution": _attribution,
    "activation_patching": _patching,
    "patch_pairs": _pairs,
    "head_ablation": _ablation,
}
