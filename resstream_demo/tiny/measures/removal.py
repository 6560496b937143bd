"""What indirect objects survive: heads are taken out by mean ablation, the name movers first, then all in one order.

A removed head's output z becomes its mean over other indirect-object prompts, by `methods.references.mean_reference`
(position 0 averaged by itself, the other positions with one another), at every position; the sublayer's bias stays.
Wang et al. 2022 (arXiv 2211.00593) ablate in this way, with means by position in a fixed template.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from resstream_demo.core.cells import Cell, Edit
from resstream_demo.core.models import Model
from resstream_demo.core.sweep import sweep
from resstream_demo.methods.references import Reference, mean_reference
from resstream_demo.tiny.measures.circuits import GivingExample, Head, ranked_heads
from resstream_demo.tiny.measures.tasks import Example, difference

ACCURACY_FLOOR = 0.90
MOVERS_REMOVED = 3


@dataclass(frozen=True, eq=False)
class Outcome:
    """Recipient minus giver over the prompts: the mean logit difference, and how often it is above zero."""

    difference: float
    accuracy: float

    @classmethod
    def of(cls, differences: np.ndarray) -> "Outcome":
        return cls(float(differences.mean()), float((differences > 0).mean()))


@dataclass(frozen=True, eq=False)
class Removal:
    """Heads removed over n prompts.

    single: [L, H], change of the mean logit difference without each head. movers: the heads removed first, together.
    order: all heads in the order in which they are then removed, one more each time: by rising absolute `single`.
    curve: after removing the first 0, 1, 2 … of them, n_heads + 1 outcomes. reference: what the means were over.
    """

    n: int
    reference: str
    single: np.ndarray
    movers: tuple[Head, ...]
    without_movers: Outcome
    order: tuple[Head, ...]
    curve: tuple[Outcome, ...]

    @property
    def removable(self) -> int:
        """How many heads can go, in that order, before accuracy first falls under `ACCURACY_FLOOR`; −1 if the
        untouched model is under it."""
        return (
            next((k for k, outcome in enumerate(self.curve) if outcome.accuracy < ACCURACY_FLOOR), len(self.curve)) - 1
        )


def measure_removal(
    model: Model, examples: Sequence[GivingExample], others: Sequence[GivingExample], movers: tuple[Head, ...]
) -> Removal:
    """Measured on `examples`; means, and the order of removal, come from `others`."""
    prompts = tuple(list(example.ids) for example in others)
    reference = mean_reference(model, ("other indirect-object prompts", prompts), True)
    each = [(layer, head) for layer in range(model.n_layers) for head in range(model.n_heads)]
    single = without(model, others, [(), *((head,) for head in each)], reference).mean(0)
    effects = (single[1:] - single[0]).reshape(model.n_layers, model.n_heads)
    order = ranked_heads(-np.abs(effects), np.ones(effects.shape, dtype=bool))
    sets = [movers, *(order[:k] for k in range(len(order) + 1))]
    outcomes = [Outcome.of(column) for column in without(model, examples, sets, reference).T]
    return Removal(
        n=len(examples),
        reference=reference.description,
        single=effects,
        movers=movers,
        without_movers=outcomes[0],
        order=order,
        curve=tuple(outcomes[1:]),
    )


def without(
    model: Model, examples: Sequence[GivingExample], sets: Sequence[Sequence[Head]], reference: Reference
) -> np.ndarray:
    """Recipient minus giver [n, len(sets)] in logits, with each set of heads replaced by the reference's means."""
    differences = []
    for example in examples:
        base = model.trace(example.ids)
        values = reference.z_for(len(example.ids)).to(base.z)
        positions = tuple(range(len(example.ids)))
        cells = [
            Cell(tuple(Edit("z", layer, head, positions, values[layer, head]) for layer, head in sorted(heads)))
            for heads in sets
        ]
        measure = difference(model.adapter, Example(example.ids, (example.recipient,), (example.giver,)))
        differences.append(sweep(model, base, cells, measure).double().cpu().numpy())
    return np.stack(differences)
