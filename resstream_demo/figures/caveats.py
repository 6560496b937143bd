"""For each method, one sentence on what its picture does not show."""

from ..core.words import Say, joined, say

_NOT_SHOWN = {
    "logit_lens": say(
        "A row is not a belief: it is what the model would say if no later layer wrote anything, read in the basis of "
        "the last layer, which early layers need not use."
    ),
    "direct_logit_attribution": say(
        "Only the direct path to the logits: what a component changes by way of later ones is not counted, and the "
        "scale of ln_final, which all parts share, is held fixed."
    ),
    "activation_patching": say(
        "An effect says that the swapped activation matters for this pair of prompts, not that it is the only carrier: "
        "components that back one another up each look weak when swapped alone."
    ),
    "patch_pairs": say(
        "A mean speaks for these pairs and hides how they differ: look at the spread, and at the pairs one by one. For "
        "each of them, an effect says that the swapped activation matters, not that it is the only carrier."
    ),
    "head_ablation": say(
        "A small effect does not mean that a head does nothing: later heads can make up for it (self-repair)."
    ),
    "direct_and_total": say(
        "Far from the line is not always repair: an early head with a small share of its own and a large real effect "
        "works by way of later heads and MLPs."
    ),
    "continue_text": say(
        "At every step the likeliest token is taken, so a change that leaves the same token in front is not seen; and "
        "once the texts differ, each goes on from its own words."
    ),
}
_OFF_DISTRIBUTION = {
    "zero": say("Zero is an output the head may never give, so part of an effect can come from the strangeness of it."),
    "bias_only": say(
        "The head's constant part is an output it may never give, so part of an effect can come from the strangeness "
        "of it."
    ),
}


def not_shown(method: str, kind: str = "") -> Say:
    """What a result of `method` (the name in its `info`) does not show. kind: of an ablation."""
    sentence = _NOT_SHOWN[method]
    return joined([sentence, _OFF_DISTRIBUTION[kind]]) if kind in _OFF_DISTRIBUTION else sentence
