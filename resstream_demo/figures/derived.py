"""Numbers that follow from a result's own by one step, for the pictures and tables that show them."""

from collections.abc import Iterable, Sequence

import numpy as np


def log_rank(ranks: np.ndarray) -> np.ndarray:
    """log₁₀(1 + rank), for ranks counted from 0: 0 is the first place, 1 the tenth, in the shape of `ranks`."""
    return np.log10(1 + ranks)


def followed_group(lens, ids: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray] | None:
    """[R, T] twice: the summed probability of some of a lens's targets, and the best rank among them (0 = first).

    None if the lens does not follow all of them. ids: one or more.
    """
    places = {token.id: n for n, token in enumerate(lens.targets)}
    if any(i not in places for i in ids):
        return None
    chosen = [places[i] for i in dict.fromkeys(ids)]
    return lens.target_probs[:, :, chosen].sum(-1), lens.target_ranks[:, :, chosen].min(-1)


def attention_shares(result) -> np.ndarray:
    """[L] float64 logits: what each layer's attention writes, its heads and its bias together (an attribution)."""
    return result.heads.sum(-1, dtype=np.float64) + result.attn_bias


def strongest_positions(result) -> np.ndarray:
    """[L, H]: of patched values [L, H, T], the position at which each head moves the number furthest."""
    return np.abs(result.values - result.base_value).argmax(-1)


def sum_of_single_effects(singles, heads: Iterable[tuple[int, int]]) -> float:
    """The effects of removing each of these (layer, head) alone, added up. singles: an ablation of every head."""
    return sum(float(singles.effect[head]) for head in heads)


def interaction(together: float, singles: Sequence[float], small: float = 0.1) -> str:
    """How the effect of heads removed together compares with the sum of their single effects.

    "nothing" if no effect is other than 0; "adds up" if the two differ by at most `small` of the larger; "opposite" if
    they have other signs; "mixed" if the single effects themselves have both signs, those below `small` of the largest
    left out; else "more" or "less", as the effect together is the larger or the smaller one.
    """
    if together == 0 and not any(singles):
        return "nothing"
    alone = sum(singles)
    if abs(together - alone) <= small * max(abs(together), abs(alone)):
        return "adds up"
    if together * alone < 0:
        return "opposite"
    largest = max(map(abs, singles))
    if len({single > 0 for single in singles if abs(single) > small * largest}) > 1:
        return "mixed"
    return "more" if abs(together) > abs(alone) else "less"


def reaction(repair, head: tuple[int, int], small: float = 0.05) -> str:
    """What the rest of the model makes of a head's absence: "none" if its direct and total effect differ by at most
    `small` of the untouched number, "repairs" if the total is the smaller of the two, else "adds". repair: a
    RepairResult."""
    if abs(float(repair.difference[head])) <= small * abs(repair.baseline):
        return "none"
    return "repairs" if repair.repaired[head] else "adds"


def place_by_size(value: float, values: np.ndarray) -> int:
    """The place of a value among values (itself one of them), the largest magnitude first; counted from 1."""
    return int((np.abs(values) > abs(value)).sum()) + 1


def largest(values: np.ndarray, k: int) -> list[int]:
    """Indices of the k values [n] of the largest magnitude, the largest first; ties keep their order."""
    return [int(i) for i in np.argsort(-np.abs(values), kind="stable")[:k]]
