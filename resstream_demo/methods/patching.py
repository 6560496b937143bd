"""Activation patching: copy one activation from one run into another and see how much of the answer follows.

Sources: Meng et al. 2022, "Locating and Editing Factual Associations in GPT" (arXiv 2202.05262, causal tracing); Wang
et al. 2022 (arXiv 2211.00593); Heimersheim & Nanda 2024, "How to use and interpret activation patching" (arXiv
2404.15255) for denoising and noising.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch

from ..core.cells import copy_cells
from ..core.errors import MetricError, PromptError
from ..core.metrics import METRICS, answer_measure
from ..core.names import choose, parse_positions
from ..core.receipts import Receipt, load_receipt
from ..core.sweep import Progress, sweep
from ..core.tokens import AnswerToken, Prompt, align
from ..core.trace import HEAD_SITES, SITES, Trace
from ..core.words import joined, say
from .proofs import Proof, head_proof, proof_cells, proof_receipts, self_proof, transfer_proof
from .results import RunInfo, answer_options, answer_tokens, finite, given_as_ids, run_info, to_numpy, top_rows

DIRECTIONS = ("denoising", "noising")
ROUNDING = 1e-6  # a difference of baselines below this share of them is rounding, and no share of it can be given


@dataclass(frozen=True, eq=False)
class PatchingResult:
    """What each patched run gives.

    values: the metric of each patched run; [L, T] or, for positions patched together, [L] for a site of the stream;
    [L, H, T] or [L, H] for a site of the heads. positions: "each", "all" or the positions patched together.
    clean_value, corrupted_value: the metric of the two unpatched runs.
    """

    clean: Prompt
    corrupted: Prompt
    answer: AnswerToken | None
    contrast: AnswerToken | None
    site: str
    positions: str | tuple[int, ...]
    direction: str
    metric: str
    values: np.ndarray
    clean_value: float
    corrupted_value: float
    receipts: tuple[Receipt, ...]
    info: RunInfo

    @property
    def has_recovered(self) -> bool:
        """Whether the two baselines differ, so that a share of their difference means something."""
        # Logits are sums of larger numbers, so a difference of them near zero still has their rounding.
        floor = 0.0 if self.metric == "prob" else 1.0
        scale = max(abs(self.clean_value), abs(self.corrupted_value), floor)
        return abs(self.clean_value - self.corrupted_value) > ROUNDING * scale

    @property
    def recovered(self) -> np.ndarray:
        """(values − corrupted) / (clean − corrupted), never clipped; shape of values. 1 is the clean run, 0 the
        corrupted one. Raises MetricError if the two baselines are equal."""
        if not self.has_recovered:
            raise MetricError(
                say(
                    "The clean and corrupted runs give the same {metric} ({value:.6g}), so no share of their "
                    "difference can be given. Look at the values, or choose prompts that differ in this metric.",
                    metric=self.metric,
                    value=self.clean_value,
                )
            )
        return (self.values - self.corrupted_value) / (self.clean_value - self.corrupted_value)

    @property
    def base_value(self) -> float:
        """The metric of the run that was patched: the corrupted one when denoising, the clean one when noising."""
        return self.corrupted_value if self.direction == "denoising" else self.clean_value

    def frame(self) -> pd.DataFrame:
        """One line per cell: layer, head and position where there is one, value, and the share recovered."""
        index = np.indices(self.values.shape).reshape(self.values.ndim, -1)
        columns: dict[str, object] = {"layer": index[0]}
        if self.site in HEAD_SITES:
            columns["head"] = index[1]
        if self.positions == "each":
            columns["position"] = index[-1]
            columns["clean_token"] = [self.clean.tokens[t] for t in index[-1]]
            columns["corrupted_token"] = [self.corrupted.tokens[t] for t in index[-1]]
        columns["value"] = self.values.ravel()
        if self.has_recovered:
            columns["recovered"] = self.recovered.ravel()
        return pd.DataFrame(columns)

    def top(self, k: int = 10) -> pd.DataFrame:
        """The k cells that move the metric furthest from the run that was patched."""
        frame = self.frame()
        frame["effect"] = frame["value"] - self.base_value
        return top_rows(frame, "effect", k)


@torch.no_grad()
def activation_patching(
    model,
    clean,
    corrupted,
    answer=None,
    contrast=None,
    *,
    site: str = "resid_pre",
    positions: str | Sequence[int] = "each",
    direction: str = "denoising",
    metric: str = "logit_diff",
    bos: bool = True,
    progress: Progress | None = None,
) -> PatchingResult:
    """Patch `site` between two runs of equal length, for every layer (and head), and read the metric at the end.

    site: resid_pre, resid_mid, resid_post, attn_out, mlp_out, or per head z, q, k, v, pattern (rows by destination).
    positions: "each" patches one position at a time, "all" every position at once, a list those together.
    direction: "denoising" copies from the clean run into the corrupted one, "noising" the reverse. metric: logit_diff
    (answer minus contrast), prob, logprob or rank of the answer, or kl = KL(clean ‖ patched), at the last position.
    progress: called with (cells done, cells in all). Raises PromptError if the prompts differ in length, TokenError,
    OptionError or MetricError for their inputs.
    """
    choose(site, SITES, say("site"))
    choose(direction, DIRECTIONS, say("direction"))
    choose(metric, METRICS, say("metric"))
    runs = clean, corrupted  # as given: recorded ones are not recorded again
    clean, corrupted = (model.prompt(run, bos) for run in runs)
    check_equal_length(clean, corrupted)
    sets, positions = _position_sets(positions, len(clean))
    answer, contrast = answer_tokens(model, clean, answer, contrast, metric)
    clean_run, corrupted_run = (model.trace(run, bos) for run in runs)
    base, source = (corrupted_run, clean_run) if direction == "denoising" else (clean_run, corrupted_run)
    measure = answer_measure(
        model.adapter, metric, answer and answer.id, contrast and contrast.id, reference=clean_run.final[-1]
    )
    base_value, source_value = (float(measure(run.final[None, -1:])[0]) for run in (base, source))
    proofs = _proofs(model, base, source, site, base_value, source_value)
    cells = copy_cells(base, source, site, sets)
    values = to_numpy(sweep(model, base, [*cells, *proof_cells(proofs)], measure, progress=progress))
    shape = (model.n_layers, model.n_heads if site in HEAD_SITES else 1, len(sets))
    options = {
        "site": site,
        "positions": positions if isinstance(positions, str) else list(positions),
        "direction": direction,
        "metric": metric,
        **given_as_ids(model, clean.bos, clean=clean, corrupted=corrupted),
    }
    return PatchingResult(
        clean=clean,
        corrupted=corrupted,
        answer=answer,
        contrast=contrast,
        site=site,
        positions=positions,
        direction=direction,
        metric=metric,
        values=_squeezed(finite(values[: len(cells)], say("patched runs")).reshape(shape), site, positions),
        clean_value=source_value if direction == "denoising" else base_value,
        corrupted_value=base_value if direction == "denoising" else source_value,
        receipts=(*proof_receipts(proofs, values[len(cells) :], model.dtype), load_receipt(model)),
        info=run_info(model, "activation_patching", clean, **options, **answer_options(answer, contrast)),
    )


def check_equal_length(clean: Prompt, corrupted: Prompt) -> None:
    """Raise PromptError, showing where the prompts part, unless they have the same number of tokens."""
    if len(clean) == len(corrupted):
        return
    pieces = []
    for i, j in align(clean, corrupted).differing[:6]:
        left = f"{i}:{clean.tokens[i]}" if i is not None else say("nothing")
        right = f"{j}:{corrupted.tokens[j]}" if j is not None else say("nothing")
        pieces.append(say("{left} against {right}", left=left, right=right))
    raise PromptError(
        say(
            "The clean prompt has {clean} tokens and the corrupted one {corrupted}; patching needs as many. They "
            "differ at {places}. Reword one of them so that each token has a partner.",
            clean=len(clean),
            corrupted=len(corrupted),
            places=joined(pieces, "; "),
        )
    )


def _position_sets(positions, n_tokens: int) -> tuple[list[tuple[int, ...]], str | tuple[int, ...]]:
    """The sets of positions to patch, one cell each, and the option in its normal form."""
    if isinstance(positions, str):
        choose(positions, ("each", "all"), say("positions"))
        everywhere = tuple(range(n_tokens))
        return ([(t,) for t in everywhere] if positions == "each" else [everywhere]), positions
    together = parse_positions(positions, n_tokens)
    return [together], together


def _squeezed(values: np.ndarray, site: str, positions) -> np.ndarray:
    """[L, H or 1, sets] without the axes that this site and these positions do not have."""
    values = values if site in HEAD_SITES else values[:, 0]
    return values if positions == "each" else values[..., 0]


def _proofs(model, base: Trace, source: Trace, site: str, base_value: float, source_value: float) -> list[Proof]:
    """What must come out if edits of this site are made where and as they should be."""
    if site in HEAD_SITES:
        return [self_proof(base, site, base_value), head_proof(model.adapter, base, site)]
    return [self_proof(base, site, base_value), transfer_proof(base, source, site, source_value)]
