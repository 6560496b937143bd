"""For each method, one sentence on what its picture does not show."""

_NOT_SHOWN = {
    "logit_lens": "A row is not a belief: it is what the model would say if no later layer wrote anything, read in the "
    "basis of the last layer, which early layers need not use.",
    "direct_logit_attribution": "Only the direct path to the logits: what a component changes by way of later ones is "
    "not counted, and the scale of ln_final, which all parts share, is held fixed.",
    "activation_patching": "An effect says that the swapped activation matters for this pair of prompts, not that it "
    "is the only carrier: components that back one another up each look weak when swapped alone.",
    "head_ablation": "A small effect does not mean that a head does nothing: later heads can make up for it "
    "(self-repair).",
}
_OFF_DISTRIBUTION = {
    "zero": " Zero is an output the head may never give, so part of an effect can come from the strangeness of it.",
    "bias_only": " The head's constant part is an output it may never give, so part of an effect can come from the "
    "strangeness of it.",
}


def not_shown(method: str, kind: str = "") -> str:
    """What a result of `method` (the name in its `info`) does not show. kind: of an ablation."""
    return _NOT_SHOWN[method] + _OFF_DISTRIBUTION.get(kind, "")
