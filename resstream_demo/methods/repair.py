"""Direct effect against total effect of removing a head: how much later layers make up.

Direct logit attribution says what a head writes towards the answer. Taking that share away, everything else held fixed,
is the head's direct effect. Really removing the head also changes what later layers read, and so what they write; the
difference of the two is what they, and ln_final's scale, made of its absence. If the total is the smaller one, they
made up for the head: self-repair. A head that later layers build upon lies on the other side: its total is larger, and
an early head may have nearly all of its effect by way of others.

Sources: Wang et al. 2022 (arXiv 2211.00593) for backup name movers, which step in when name movers are removed;
McGrath et al. 2023, "The Hydra Effect" (arXiv 2307.15771); Rushing & Nanda 2024, "Explorations of Self-Repair in
Language Models" (arXiv 2402.15390), whose self-repair is `difference` here and who tell ln_final's part from that of
later layers.

The comparison is fair only if both sides take the same thing away, so each kind of ablation has its attribution:
zero removes the part of z that no input changes with the rest, which is value_bias="in_heads"; bias_only leaves it,
which is "folded"; mean and resample put another z there, so what is taken away is z minus that, read from a trace.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from ..core.errors import OptionError
from ..core.metrics import answer_measure
from ..core.names import head_label, positive
from ..core.receipts import Receipt, receipt, tolerance
from ..core.sweep import Progress, sweep
from ..core.tokens import AnswerToken, Prompt
from ..core.trace import Trace
from ..core.words import Say, joined, say
from .ablation import AblationResult, ablation_cell, reference_of, replacement_of
from .attribution import AttributionResult
from .results import RunInfo, answer_options, finite, to_numpy, top_rows

VALUE_BIAS_OF = {"zero": "in_heads", "bias_only": "folded"}  # the attribution that takes away what the ablation does


@dataclass(frozen=True, eq=False)
class RepairResult:
    """For each head the direct and the total effect of removing it on the logit (difference) at `position`.

    direct, total: [L, H] in logits; negative where the answer loses. frozen: [L, H], the total effect with ln_final's
    scale held at the untouched run's, None if no model was given. baseline: the untouched logit (difference).
    kind, reference, positions: of the ablation.
    """

    prompt: Prompt
    answer: AnswerToken
    contrast: AnswerToken | None
    position: int
    kind: str
    reference: str
    positions: str | tuple[int, ...]
    direct: np.ndarray
    total: np.ndarray
    frozen: np.ndarray | None
    baseline: float
    receipts: tuple[Receipt, ...]
    info: RunInfo

    @property
    def difference(self) -> np.ndarray:
        """[L, H]: total − direct, what later layers and ln_final's scale made of the head's absence."""
        return self.total - self.direct

    @property
    def repaired(self) -> np.ndarray:
        """[L, H] bool: whether less is lost (or gained) in all than directly, |total| < |direct|: self-repair."""
        return abs(self.total) < abs(self.direct)

    @property
    def by_later_layers(self) -> np.ndarray | None:
        """[L, H]: the part of `difference` that later layers wrote; None if no model was given."""
        return None if self.frozen is None else self.frozen - self.direct

    @property
    def by_final_scale(self) -> np.ndarray | None:
        """[L, H]: the part of `difference` that is due to ln_final's new scale; None if no model was given."""
        return None if self.frozen is None else self.total - self.frozen

    def frame(self) -> pd.DataFrame:
        """One line per head: direct and total effect, their difference and, where known, its two parts."""
        layers, heads = (axis.ravel() for axis in np.indices(self.total.shape))
        columns = {
            "heads": [head_label(layer, head) for layer, head in zip(layers, heads, strict=True)],
            "layer": layers,
            "head": heads,
            "direct": self.direct.ravel(),
            "total": self.total.ravel(),
            "difference": self.difference.ravel(),
            "repaired": self.repaired.ravel(),
        }
        if self.frozen is not None:
            columns |= {"by_later_layers": self.by_later_layers.ravel(), "by_final_scale": self.by_final_scale.ravel()}
        return pd.DataFrame(columns)

    def top(self, k: int = 10) -> pd.DataFrame:
        """The k heads whose two effects differ most, either sign."""
        return top_rows(self.frame(), "difference", k)

    def labelled(self, k: int = 5) -> tuple[tuple[int, int], ...]:
        """(layer, head) of at most k heads furthest from the line total = direct; none that rounding may put there."""
        far = self.top(positive(k, "k"))
        far = far[far["difference"].abs() > tolerance(self.info.dtype, self.baseline)]
        return tuple((int(layer), int(head)) for layer, head in zip(far["layer"], far["head"], strict=True))


@torch.no_grad()
def direct_and_total(
    attribution: AttributionResult, ablation: AblationResult, model=None, *, progress: Progress | None = None
) -> RepairResult:
    """Put each head's direct effect beside its total effect.

    attribution: at the last position, with value_bias "in_heads" for zero ablation and "folded" for bias_only.
    ablation: of each head, metric logit_diff, at all positions or at some with the last among them; same model, prompt,
    answer and contrast. model: the one both were made with. It is needed for mean and resample, whose direct effect is
    in no attribution, and adds `frozen` for all kinds, at the price of one more sweep, which `progress` follows. Raises
    OptionError, saying what does not fit, if the results and the model are not about the same thing.
    """
    _check(attribution, ablation)
    direct, frozen, made = -attribution.heads, None, []
    if model is not None:
        direct, frozen, made = _with_model(attribution, ablation, model, progress)
    elif ablation.kind not in VALUE_BIAS_OF:
        raise OptionError(
            say(
                "The direct effect of {kind} ablation is that of z minus what is put there, and no attribution holds "
                "it. Give the model as well, or use zero or bias_only.",
                kind=ablation.kind,
            )
        )
    detail = say("The model's logit (difference) in the attribution minus that of the ablation's untouched run.")
    same = receipt(say("logit − baseline"), attribution.logit, ablation.baseline, attribution.info.dtype, detail)
    return RepairResult(
        prompt=attribution.prompt,
        answer=attribution.answer,
        contrast=attribution.contrast,
        position=attribution.position,
        kind=ablation.kind,
        reference=ablation.reference,
        positions=ablation.positions,
        direct=direct,
        total=ablation.effect,
        frozen=frozen,
        baseline=ablation.baseline,
        receipts=tuple(dict.fromkeys((same, *made, *attribution.receipts, *ablation.receipts))),
        info=_info(attribution, ablation),
    )


# --- are they about the same thing? --------------------------------------------------------------------------


def _check(attribution: AttributionResult, ablation: AblationResult) -> None:
    """Raise OptionError, naming all that does not fit, unless the two results can be compared head by head."""
    apart = _apart(attribution, ablation)
    if apart:
        raise OptionError(
            say(
                "The attribution and the ablation are not about the same thing: {faults}. Run both on the same inputs.",
                faults=joined(apart, "; "),
            )
        )
    unfit = _unfit(attribution, ablation)
    if unfit:
        raise OptionError(joined(unfit))


def _apart(attribution: AttributionResult, ablation: AblationResult) -> list[Say]:
    """What the two results were asked about that is not the same: "answer ␣Mary against ␣John" …"""
    sides = []
    for result in (attribution, ablation):
        info = result.info
        sides.append(
            {
                say("model"): (info.model, info.revision, info.dtype),
                say("prompt"): (f"“{result.prompt.text[:80]}”", result.prompt.ids),
                say("answer"): _named(result.answer),
                say("contrast"): _named(result.contrast),
            }
        )
    return [
        say("{what} {one} against {other}", what=what, one=_told(one), other=_told(sides[1][what]))
        for what, one in sides[0].items()
        if one != sides[1][what]
    ]


def _named(token: AnswerToken | None) -> tuple:
    return (say("none"),) if token is None else (token.display, token.id)


def _told(facts: tuple) -> Say:
    """A name and what else tells it from another of that name."""
    name, *rest = facts
    rest = [str(fact)[:80] for fact in rest if fact is not None]
    return say("{name} ({facts})", name=name, facts=joined(rest, ", ")) if rest else joined([name])


def _unfit(attribution: AttributionResult, ablation: AblationResult) -> list[Say]:
    """Why one of the results, or the two together, cannot be compared head by head."""
    last, found = len(attribution.prompt) - 1, []
    if ablation.metric != "logit_diff":
        found.append(
            say(
                "The ablation measured {metric}, and an attribution splits a logit. Ablate with logit_diff.",
                metric=ablation.metric,
            )
        )
    if ablation.heads != "each":
        found.append(say("The ablation removed a set of heads together. Ablate each head alone."))
    if attribution.position != last:
        found.append(
            say(
                "The attribution is about position {position}, and an ablation is read at the last, {last}. Attribute "
                "at position -1.",
                position=attribution.position,
                last=last,
            )
        )
    if ablation.positions != "all" and last not in ablation.positions:
        found.append(
            say(
                "The heads were removed at positions {positions} only, so what they write at the last position, "
                "{last}, was not taken away. Ablate at all positions.",
                positions=joined([str(position) for position in ablation.positions], ", "),
                last=last,
            )
        )
    needed = VALUE_BIAS_OF.get(ablation.kind, attribution.value_bias)
    if attribution.value_bias != needed:
        found.append(
            say(
                "Ablation kind {kind} goes with value_bias {needed}, and the attribution has {given}: they take "
                "different things away. Attribute with {needed}.",
                kind=ablation.kind,
                needed=needed,
                given=attribution.value_bias,
            )
        )
    return found


# --- effects -------------------------------------------------------------------------------------------------


def _with_model(attribution, ablation, model, progress) -> tuple[np.ndarray, np.ndarray, list[Receipt]]:
    """Direct effects and, with ln_final's scale held fixed, total effects of what the ablation did: each [L, H]."""
    if (model.name, model.revision, model.dtype) != (ablation.info.model, ablation.info.revision, ablation.info.dtype):
        raise OptionError(
            say(
                "The model given is {given}, and the results are of {model}. Give the one they were made with.",
                given=_told((model.name, model.revision, model.dtype)),
                model=_told((ablation.info.model, ablation.info.revision, ablation.info.dtype)),
            )
        )
    run = model.trace(attribution.prompt)
    replacement = replacement_of(model, run, ablation.kind, reference_of(model, run, ablation.kind, _source(ablation)))
    read = _direction(model.adapter, run, attribution)
    direct = to_numpy(_direct(model.adapter, run, replacement, read))
    frozen, total = _totals(model, run, attribution, ablation, replacement, read, progress)
    detail = say("Total effects found anew with this model minus the ablation's, at the head where they differ most.")
    receipts = [_compared(say("total − ablation"), total, ablation.effect, detail, model.dtype)]
    if ablation.kind in VALUE_BIAS_OF:
        detail = say("Direct effects from the trace plus the attribution's shares, at the head with the largest sum.")
        receipts.append(_compared(say("direct + share"), direct, -attribution.heads, detail, model.dtype))
    return direct, frozen, receipts


def _source(ablation: AblationResult):
    """The reference of an ablation, as `head_ablation` takes it; None for a kind without one."""
    options = ablation.info.options
    prompts = [list(ids) for ids in options.get("reference_ids", ())] or options["reference_prompts"]
    if ablation.kind == "mean":
        return options["reference_name"], prompts
    return prompts[0] if prompts else None


def _direction(adapter, run: Trace, attribution: AttributionResult) -> Tensor:
    """[d_model]: what reads a part of the last stream as its share, ln_final's scale held at this run's."""
    contrast = attribution.contrast
    direction, _ = adapter.unembed_direction(attribution.answer.id, contrast and contrast.id)
    return adapter.frozen_direction(direction.to(run.final.device), adapter.final_scale(run.final[-1]))


def _direct(adapter, run: Trace, replacement: Tensor, read: Tensor) -> Tensor:
    """[L, H]: the share of what each head writes at the last position once replaced, minus that of what it wrote."""
    change = (replacement[:, :, -1] - run.z[:, :, -1]).float()  # [L, H, d_head]
    per_z = torch.stack([adapter.W_O(layer).float().to(read.device) @ read for layer in range(adapter.n_layers)])
    return (change * per_z).sum(-1)


def _totals(model, run: Trace, attribution, ablation, replacement: Tensor, read: Tensor, progress) -> np.ndarray:
    """[2, L, H]: the effects of removing each head, ln_final's scale held fixed, and as they are."""
    where = tuple(range(len(run.prompt))) if ablation.positions == "all" else ablation.positions
    heads = [(layer, head) for layer in range(model.n_layers) for head in range(model.n_heads)]
    contrast = attribution.contrast
    own = answer_measure(model.adapter, "logit_diff", attribution.answer.id, contrast and contrast.id)
    base = run.final[None, -1:]

    def measure(finals: Tensor) -> Tensor:
        return torch.stack([(finals - base)[:, -1].float() @ read, own(finals) - own(base)], dim=-1)

    cells = [ablation_cell(run, [head], where, replacement) for head in heads]
    values = finite(to_numpy(sweep(model, run, cells, measure, progress=progress)), say("ablated runs"))
    return values.T.reshape(2, model.n_layers, model.n_heads)


def _compared(name: str, measured: np.ndarray, expected: np.ndarray, detail: str, dtype: str) -> Receipt:
    worst = np.unravel_index(abs(measured - expected).argmax(), expected.shape)
    return receipt(name, measured[worst], expected[worst], dtype, detail)


def _info(attribution: AttributionResult, ablation: AblationResult) -> RunInfo:
    info = attribution.info
    options = {
        "kind": ablation.kind,
        "value_bias": attribution.value_bias if ablation.kind in VALUE_BIAS_OF else "",
        "positions": ablation.positions if isinstance(ablation.positions, str) else list(ablation.positions),
        "position": attribution.position,
        "reference": ablation.reference,
        **answer_options(attribution.answer, attribution.contrast),
    }
    kept = ("reference_name", "reference_prompts", "reference_ids", "given_as_ids")
    options |= {name: ablation.info.options[name] for name in kept if name in ablation.info.options}
    return RunInfo("direct_and_total", info.model, info.revision, info.dtype, info.device, info.bos, options=options)
