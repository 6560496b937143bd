"""Which layers matter for what: each layer's writes are replaced by their mean, and the tasks are measured again.

A layer's heads and MLP are ablated together: at every position of a prompt, `attn_out` and `mlp_out` of the layer
become their means over other prompts of the same task. As in `methods.references`, position 0 (`<|endoftext|>`, the
same in every prompt) is averaged by itself, and all other positions of all reference prompts with one another; so what
is taken away is everything the layer writes that depends on the prompt or the position.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from resstream_demo.core.cells import Cell, Edit
from resstream_demo.core.models import Model
from resstream_demo.core.sweep import sweep
from resstream_demo.core.trace import Trace
from resstream_demo.tiny.measures.scores import Reading, percent, table
from resstream_demo.tiny.measures.tasks import Task, difference

CHANGE = 0.05  # a layer matters for a task if its removal changes the logit difference by more than this share
LAYERS_WANTED = 5
WRITES = ("attn_out", "mlp_out")


@dataclass(frozen=True, eq=False)
class LayerImportance:
    """tasks, counts: [n_tasks], names and how many prompts each mean is over. baseline: [n_tasks], mean logit
    differences of the untouched model. ablated: [L, n_tasks], the same without a layer."""

    tasks: tuple[str, ...]
    counts: tuple[int, ...]
    baseline: np.ndarray
    ablated: np.ndarray

    @property
    def change(self) -> np.ndarray:
        """[L, n_tasks]: relative change of the mean logit difference, −1 where all of it is gone."""
        return (self.ablated - self.baseline) / np.abs(self.baseline)

    @property
    def busy(self) -> tuple[int, ...]:
        """The layers whose removal changes some task by more than `CHANGE`."""
        return tuple(int(layer) for layer in np.flatnonzero((np.abs(self.change) > CHANGE).any(1)))

    def finding(self) -> Reading:
        named = ", ".join(f"L{layer}" for layer in self.busy)
        return Reading(
            f"layers whose removal changes some task by more than {percent(CHANGE)}",
            len(self.busy),
            len(self.ablated),
            low=LAYERS_WANTED,
            extra=named,
            kind="count",
        )

    def lines(self) -> list[str]:
        """A table: a row per layer, a column per task, relative changes in per cent."""
        whole = ["untouched", *(f"{value:.2f}" for value in self.baseline)]
        rows = [[f"without L{layer}", *(f"{100 * x:+.1f} %" for x in row)] for layer, row in enumerate(self.change)]
        header = ["", *(f"{name} ({n})" for name, n in zip(self.tasks, self.counts, strict=True))]
        return table(header, [whole, *rows])


def measure_layers(model: Model, tasks: Sequence[Task]) -> LayerImportance:
    """Every task without each layer in turn."""
    measured = [_without_each(model, task) for task in tasks]
    return LayerImportance(
        tasks=tuple(task.name for task in tasks),
        counts=tuple(len(task.examples) for task in tasks),
        baseline=np.array([baseline for baseline, _ in measured]),
        ablated=np.stack([ablated for _, ablated in measured], axis=1),
    )


def _without_each(model: Model, task: Task) -> tuple[float, np.ndarray]:
    """The task's mean logit difference, and [L] without each layer."""
    means = mean_writes(model, task.reference)
    values = []
    for example in task.examples:
        base = model.trace(example.ids)
        cells = [Cell(()), *(_without(base, means, layer) for layer in range(model.n_layers))]
        values.append(sweep(model, base, cells, difference(model.adapter, example)))
    mean = torch.stack(values).double().mean(0).cpu().numpy()
    return float(mean[0]), mean[1:]


def mean_writes(model: Model, prompts: Sequence[Sequence[int]]) -> dict[str, tuple[Tensor, Tensor]]:
    """For `attn_out` and `mlp_out`: means [L, d_model] at position 0, and at all other positions together."""
    first, rest, n_rest = dict.fromkeys(WRITES, 0.0), dict.fromkeys(WRITES, 0.0), 0
    for ids in prompts:
        run = model.trace(ids)
        n_rest += len(ids) - 1
        for site in WRITES:
            written = getattr(run, site).float()
            first[site] = first[site] + written[:, 0]
            rest[site] = rest[site] + written[:, 1:].sum(1)
    return {site: (first[site] / len(prompts), rest[site] / n_rest) for site in WRITES}


def _without(base: Trace, means: dict[str, tuple[Tensor, Tensor]], layer: int) -> Cell:
    positions = tuple(range(len(base.prompt)))
    edits = []
    for site, (first, rest) in means.items():
        values = torch.cat([first[layer][None], rest[layer].expand(len(positions) - 1, -1)])
        edits.append(Edit(site, layer, None, positions, values.to(base.final)))
    return Cell(tuple(edits))
