"""Numbers that follow from a result's own by one step, for the pictures and tables that show them."""

from collections.abc import Iterable

import numpy as np


def log_rank(ranks: np.ndarray) -> np.ndarray:
    """log₁₀(1 + rank), for ranks counted from 0: 0 is the first place, 1 the tenth, in the shape of `ranks`."""
    return np.log10(1 + ranks)


def attention_shares(result) -> np.ndarray:
    """[L] float64 logits: what each layer's attention writes, its heads and its bias together (an attribution)."""
    return result.heads.sum(-1, dtype=np.float64) + result.attn_bias


def sum_of_single_effects(singles, heads: Iterable[tuple[int, int]]) -> float:
    """The effects of removing each of these (layer, head) alone, added up. singles: an ablation of every head."""
    return sum(float(singles.effect[head]) for head in heads)
