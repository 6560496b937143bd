"""Direct logit attribution: which component wrote a logit into the stream.

The final stream is a sum of parts, and with ln_final's scale held fixed the logit is linear in it, so each part has
its own share: `part → ((part − mean(part)) / σ · γ) · (W_U[:, answer] − W_U[:, contrast])`. Sources: Elhage et al.
2021, "A Mathematical Framework for Transformer Circuits"; Wang et al. 2022, "Interpretability in the Wild"
(arXiv 2211.00593), section 3.1.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from ..core.names import choose, head_label, parse_position
from ..core.receipts import Receipt, load_receipt, receipt
from ..core.tokens import AnswerToken, Prompt
from ..core.trace import Trace
from ..core.words import say
from .results import RunInfo, answer_options, finite, given_as_ids, run_info, to_numpy, top_rows

VALUE_BIAS = ("folded", "in_heads")


@dataclass(frozen=True, eq=False)
class AttributionResult:
    """A logit, or a difference of two, split into who wrote it.

    components, values: [n] names and shares in logits: embed, pos_embed, then for every layer its heads, its
    attention bias and its MLP, then the bias of ln_final and, if the checkpoint has one, of the unembedding.
    heads: [L, H]. by_source: [L, H, T], each head's share by the position it was read from (sums to heads).
    attn_bias, mlps: [L]. total: sum of values. logit: the model's own number.
    """

    prompt: Prompt
    answer: AnswerToken
    contrast: AnswerToken | None
    position: int
    value_bias: str
    components: tuple[str, ...]
    values: np.ndarray
    heads: np.ndarray
    by_source: np.ndarray
    attn_bias: np.ndarray
    mlps: np.ndarray
    total: float
    logit: float
    receipts: tuple[Receipt, ...]
    info: RunInfo

    def frame(self) -> pd.DataFrame:
        """One line per component, in the order in which they are added to the stream, with the running sum."""
        layers = [int(name[1:].split("H")[0].split(" ")[0]) if name[0] == "L" else -1 for name in self.components]
        return pd.DataFrame(
            {
                "component": self.components,
                "layer": layers,
                "value": self.values,
                "running_sum": np.cumsum(self.values, dtype=np.float64),
            }
        )

    def top(self, k: int = 10) -> pd.DataFrame:
        """The k components with the largest share, either sign."""
        return top_rows(self.frame()[["component", "layer", "value"]], "value", k)


@torch.no_grad()
def direct_logit_attribution(
    model,
    prompt,
    answer,
    contrast=None,
    *,
    position: int = -1,
    value_bias: str = "folded",
    bos: bool = True,
) -> AttributionResult:
    """Split the logit of `answer` (minus that of `contrast`, if given) at `position` into the components' shares.

    value_bias: "folded" moves each head's part that does not depend on the input (b_V, and ln_1's bias through W_V)
    to its layer's bias row; "in_heads" leaves it with the head. ln_final's scale is frozen at `position`. Raises
    TokenError, PromptError or OptionError for their inputs.
    """
    choose(value_bias, VALUE_BIAS, "value_bias")
    trace = model.trace(prompt, bos)
    position = parse_position(position, len(trace.prompt))
    answer = model.answer(answer, trace.prompt)
    contrast = None if contrast is None else model.answer(contrast, trace.prompt, "contrast")
    direction, head_bias = model.adapter.unembed_direction(answer.id, contrast and contrast.id)
    direction = direction.to(trace.final.device)
    shares = _Shares(model.adapter, trace, position, direction)
    by_source, attn_bias = shares.by_source_and_bias(folded=value_bias == "folded")
    heads, mlps = by_source.sum(-1), shares.of(trace.mlp_out[:, position])
    parts = [("embed", shares.of(trace.embed[position])), ("pos_embed", shares.of(trace.pos_embed[position]))]
    for layer in range(model.n_layers):
        parts += [(head_label(layer, head), heads[layer, head]) for head in range(model.n_heads)]
        parts += [(f"L{layer} attn_bias", attn_bias[layer]), (f"L{layer} mlp", mlps[layer])]
    parts.append(("ln_final bias", model.adapter.final_bias_effect(direction)))
    if head_bias is not None:
        parts.append(("unembed bias", head_bias))
    values = finite(np.array([float(value) for _, value in parts], dtype=np.float32), say("attribution"))
    total, logit = float(values.sum(dtype=np.float64)), _own_number(model, trace, position, answer, contrast)
    what = say("logit") if contrast is None else say("logit difference")
    detail = say("Sum of all rows minus the model's own {what}.", what=what)
    options = {"value_bias": value_bias, "position": position, **answer_options(answer, contrast)}
    options |= given_as_ids(model, trace.prompt.bos, prompt=trace.prompt)
    return AttributionResult(
        prompt=trace.prompt,
        answer=answer,
        contrast=contrast,
        position=position,
        value_bias=value_bias,
        components=tuple(name for name, _ in parts),
        values=values,
        heads=to_numpy(heads),
        by_source=to_numpy(by_source),
        attn_bias=to_numpy(attn_bias),
        mlps=to_numpy(mlps),
        total=total,
        logit=logit,
        receipts=(receipt(say("parts − whole"), total, logit, model.dtype, detail), load_receipt(model)),
        info=run_info(model, "direct_logit_attribution", trace.prompt, **options),
    )


class _Shares:
    """The shares that parts of the stream at one position have in one direction of the logits."""

    def __init__(self, adapter, trace: Trace, position: int, direction: Tensor):
        self.adapter, self.trace, self.position = adapter, trace, position
        self.read = adapter.frozen_direction(direction, adapter.final_scale(trace.final[position]))  # [d_model]

    def of(self, parts: Tensor) -> Tensor:
        """[..., d_model] parts of the stream → [...] their shares."""
        return parts.float() @ self.read

    def by_source_and_bias(self, folded: bool) -> tuple[Tensor, Tensor]:
        """Each head's share by source position [L, H, T], and each layer's attention bias [L]."""
        by_source, bias = [], []
        for layer in range(self.adapter.n_layers):
            W = (self.adapter.W_O(layer).float() @ self.read).to(self.read.device)  # [H, d_head]: share per unit of z
            values = self.trace.v[layer].float()  # [H, T, d_head]
            own_bias = self.of(self.adapter.b_O(layer).to(self.read.device))
            if folded:
                constant = self.adapter.value_bias(layer).to(values.device)  # [H, d_head]
                values = values - constant[:, None]
                own_bias = own_bias + (constant * W).sum()
            weights = self.trace.layer_pattern(layer)[:, self.position].float()  # [H, T]
            by_source.append(weights * (values @ W[:, :, None])[..., 0])
            bias.append(own_bias)
        return torch.stack(by_source), torch.stack(bias)


def _own_number(model, trace: Trace, position: int, answer: AnswerToken, contrast: AnswerToken | None) -> float:
    """The same number by the model's own forward, on the prompt up to `position`."""
    ids = torch.tensor(trace.prompt.ids[: position + 1], device=model.device)
    logits = model.adapter.plain_logits(ids, last_only=True)[-1]
    return float(logits[answer.id] if contrast is None else logits[answer.id] - logits[contrast.id])
