"""Head ablation: take away what a head adds to the stream and see what changes.

Sources: Michel et al. 2019, "Are Sixteen Heads Really Better than One?" (arXiv 1905.10650); Wang et al. 2022 (arXiv
2211.00593) for mean ablation over a reference distribution; Chan et al. 2022, "Causal Scrubbing", for resampling. In
every kind the head's output z is replaced before W_O, so the sublayer's own bias stays.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from ..core.cells import Cell, Edit
from ..core.errors import OptionError
from ..core.metrics import METRICS, answer_measure, loss_measure
from ..core.names import choose, head_label, parse_heads, parse_positions
from ..core.receipts import Receipt, load_receipt
from ..core.sweep import Progress, sweep
from ..core.tokens import AnswerToken, Prompt
from ..core.trace import Trace
from ..core.words import say
from .proofs import proof_cells, proof_receipts, replaced_layer_proof, self_proof
from .references import Reference, mean_reference, resample_reference
from .results import RunInfo, answer_options, answer_tokens, finite, given_as_ids, run_info, to_numpy, top_rows

KINDS = ("zero", "bias_only", "mean", "resample")
ABLATION_METRICS = (*METRICS, "loss")


@dataclass(frozen=True, eq=False)
class AblationResult:
    """What is left without a head.

    values: the metric with each head removed alone [L, H], or with the named heads removed together (shape ()).
    baseline: the metric of the untouched run. heads: "each" or the heads removed together. reference: what the mean
    was taken over or the values resampled from; "" for the other kinds.
    """

    prompt: Prompt
    answer: AnswerToken | None
    contrast: AnswerToken | None
    heads: str | tuple[tuple[int, int], ...]
    kind: str
    positions: str | tuple[int, ...]
    reference: str
    metric: str
    values: np.ndarray
    baseline: float
    receipts: tuple[Receipt, ...]
    info: RunInfo

    @property
    def effect(self) -> np.ndarray:
        """values − baseline; shape of values."""
        return self.values - self.baseline

    def frame(self) -> pd.DataFrame:
        """One line per head, or one for the set removed together: value, baseline and effect."""
        columns: dict[str, object] = {}
        if self.heads == "each":
            layers, heads = (axis.ravel() for axis in np.indices(self.values.shape))
            columns = {"layer": layers, "head": heads}
            names = [head_label(layer, head) for layer, head in zip(layers, heads, strict=True)]
        else:
            names = [" ".join(head_label(*head) for head in self.heads)]
        values, effect = self.values.reshape(-1), self.effect.reshape(-1)
        return pd.DataFrame({"heads": names, **columns, "value": values, "baseline": self.baseline, "effect": effect})

    def top(self, k: int = 10) -> pd.DataFrame:
        """The k heads whose removal changes the metric most, either sign."""
        return top_rows(self.frame(), "effect", k)


@torch.no_grad()
def head_ablation(
    model,
    prompt,
    answer=None,
    contrast=None,
    *,
    heads: str | Sequence = "each",
    kind: str = "zero",
    positions: str | Sequence[int] = "all",
    reference=None,
    metric: str = "logit_diff",
    bos: bool = True,
    progress: Progress | None = None,
) -> AblationResult:
    """Remove each head alone, or a set of heads together, and read the metric.

    heads: "each", or heads such as ["L9H6", (9, 9)]. kind: "zero" puts z := 0; "bias_only" leaves the head's part that
    does not depend on the input (what TransformerLens's zero ablation does after folding); "mean" puts the head's mean
    over a reference set (`reference`: the name of a bundled set, or (name, prompts); default "everyday"), position 0
    averaged with position 0 and the other positions with one another; "resample" puts the head's z on a reference
    prompt of equal length. positions: "all" or a list. metric: logit_diff (the answer's logit alone without a
    contrast), prob, logprob, rank of the answer, kl = KL(untouched ‖ ablated) at the last position, or loss, the mean
    next-token loss over the prompt. Raises OptionError, PromptError, TokenError or MetricError for their inputs.
    """
    choose(kind, KINDS, say("ablation kind"))
    choose(metric, ABLATION_METRICS, say("metric"))
    base = model.trace(prompt, bos)
    tokens = base.prompt
    where = _positions(positions, len(tokens))
    removed = _heads(heads, model)
    answer, contrast = answer_tokens(model, tokens, answer, contrast, metric, without=("kl", "loss"))
    measure, read = _measure(model, base, metric, answer, contrast)
    ref = reference_of(model, base, kind, reference)
    replacement = replacement_of(model, base, kind, ref)
    baseline = float(measure(base.final[None, list(read)])[0])
    proofs = [self_proof(base, "z", baseline), replaced_layer_proof(model.adapter, base, replacement)]
    cells = [ablation_cell(base, group, where, replacement) for group in removed]
    values = to_numpy(sweep(model, base, [*cells, *proof_cells(proofs)], measure, read=read, progress=progress))
    each = isinstance(heads, str) and heads == "each"
    shape = (model.n_layers, model.n_heads) if each else ()
    chosen = heads if each else removed[0]
    options = {
        "heads": chosen if each else [head_label(*head) for head in chosen],
        "kind": kind,
        "positions": "all" if isinstance(positions, str) else list(where),
        "reference": ref.description if ref else "",
        "reference_name": ref.name if ref else "",
        "reference_prompts": list(ref.prompts) if ref else [],
        "metric": metric,
        **given_as_ids(model, tokens.bos, prompt=tokens),
        **({"reference_ids": [list(ids) for ids in ref.ids]} if ref and ref.ids else {}),
    }
    return AblationResult(
        prompt=tokens,
        answer=answer,
        contrast=contrast,
        heads=chosen,
        kind=kind,
        positions="all" if isinstance(positions, str) else where,
        reference=ref.description if ref else "",
        metric=metric,
        values=finite(values[: len(cells)], say("ablated runs")).reshape(shape),
        baseline=baseline,
        receipts=(*proof_receipts(proofs, values[len(cells) :], model.dtype), load_receipt(model)),
        info=run_info(model, "head_ablation", tokens, **options, **answer_options(answer, contrast)),
    )


def _positions(positions, n_tokens: int) -> tuple[int, ...]:
    if isinstance(positions, str):
        choose(positions, ("all",), say("positions"))
        return tuple(range(n_tokens))
    return parse_positions(positions, n_tokens)


def _heads(heads, model) -> list[tuple[tuple[int, int], ...]]:
    """The sets of heads to remove, one cell each."""
    if isinstance(heads, str) and heads == "each":
        return [((layer, head),) for layer in range(model.n_layers) for head in range(model.n_heads)]
    return [parse_heads(heads, model.n_layers, model.n_heads)]


def _measure(model, base: Trace, metric: str, answer, contrast):
    """The measure, and the positions it reads."""
    T = len(base.prompt)
    if metric == "loss":
        return loss_measure(model.adapter, base.prompt.ids), range(T)
    ids = (answer and answer.id, contrast and contrast.id)
    return answer_measure(model.adapter, metric, *ids, reference=base.final[-1]), (T - 1,)


def reference_of(model, base: Trace, kind: str, reference) -> Reference | None:
    """What an ablation of `kind` takes its values from; None for the kinds that need nothing. Raises OptionError."""
    bos = base.prompt.bos  # a reference is read as the prompt was, whatever form the prompt was given in
    if kind == "mean":
        return mean_reference(model, "everyday" if reference is None else reference, bos)
    if kind == "resample":
        if reference is None:
            raise OptionError(say("Resampling needs a reference prompt of equal length. Give one as `reference`."))
        return resample_reference(model, base, reference, bos)
    if reference is not None:
        raise OptionError(
            say("Ablation kind {kind} takes no reference. Leave it out, or choose mean or resample.", kind=kind)
        )
    return None


def replacement_of(model, base: Trace, kind: str, reference: Reference | None) -> Tensor:
    """What every head's z becomes: [L, H, T, d_head]."""
    if reference is not None:
        return reference.z_for(len(base.prompt)).to(base.z)
    if kind == "zero":
        return torch.zeros_like(base.z)
    constant = torch.stack([model.adapter.value_bias(layer).to(base.z) for layer in range(model.n_layers)])
    return constant[:, :, None].expand_as(base.z)


def ablation_cell(base: Trace, heads, positions: tuple[int, ...], replacement: Tensor) -> Cell:
    """One run with these heads replaced; positions where nothing changes are left out."""
    edits = []
    for layer, head in heads:
        changed = (replacement[layer, head] != base.z[layer, head]).any(-1).tolist()
        kept = tuple(p for p in positions if changed[p])
        if kept:
            edits.append(Edit("z", layer, head, kept, replacement[layer, head, list(kept)]))
    return Cell(tuple(edits))
