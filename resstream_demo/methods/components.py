"""What one head or one MLP wrote at one position: where it came from, and which tokens it speaks for.

A write is read as logits: with ln_final's scale held fixed at the position, `((write − mean(write)) / σ · γ) @ W_U` is
what it adds to every logit. Softmax does not see what all logits share, so an effect on a token is measured against
the mean effect over the vocabulary. Sources: Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits",
for what a head reads and writes; Geva et al. 2022, "Transformer Feed-Forward Layers Build Predictions by Promoting
Concepts in the Vocabulary Space" (arXiv 2203.14680), for an MLP as a sum of neurons, each of which promotes the tokens
that its output row points to.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from ..core.attention import attention_pattern
from ..core.errors import OptionError, TokenError
from ..core.metrics import BLOCK_FLOATS
from ..core.names import choose, excerpt, head_label, parse_head, parse_position, positive, whole_number
from ..core.receipts import Receipt, load_receipt, receipt
from ..core.tokens import AnswerToken, Prompt
from ..core.words import say
from .attribution import VALUE_BIAS
from .results import RunInfo, answer_options, finite, given_as_ids, run_info, to_numpy


@dataclass(frozen=True, eq=False)
class TokenEffects:
    """The tokens that a write promotes, or suppresses, most; strongest first.

    ids: [k]. values: [k], what is added to each token's logit, in logits above the mean over the vocabulary. tokens:
    k display strings.
    """

    ids: np.ndarray
    values: np.ndarray
    tokens: tuple[str, ...]

    def frame(self) -> pd.DataFrame:
        """One line per token: token, id and effect."""
        return pd.DataFrame({"token": self.tokens, "id": self.ids, "effect": self.values})


@dataclass(frozen=True, eq=False)
class HeadDetail:
    """One head at one destination position.

    pattern: [T], its attention row there: weights over source positions, zero after it. by_source: [T], its share of
    the answer's logit (minus the contrast's) by the position it was read from, in logits; None without an answer.
    share: the sum of by_source. promoted, suppressed: the tokens whose logits its write raises and lowers most.
    write_norm: length of its write; stream_norm: of the stream that the write is added to, resid_pre.
    """

    prompt: Prompt
    layer: int
    head: int
    position: int
    answer: AnswerToken | None
    contrast: AnswerToken | None
    value_bias: str
    pattern: np.ndarray
    by_source: np.ndarray | None
    share: float | None
    promoted: TokenEffects
    suppressed: TokenEffects
    write_norm: float
    stream_norm: float
    receipts: tuple[Receipt, ...]
    info: RunInfo

    def frame(self) -> pd.DataFrame:
        """One line per source position: token, attention weight and, with an answer, the share read from there."""
        columns = {"position": range(len(self.prompt)), "token": self.prompt.tokens, "weight": self.pattern}
        return pd.DataFrame(columns if self.by_source is None else columns | {"share": self.by_source})


@dataclass(frozen=True, eq=False)
class MLPDetail:
    """One MLP at one position, its strongest neurons first.

    neurons: [n] indices. activations: [n], after the nonlinearity. write_norms: [n], |activation| · length of the
    output row. contributions: [n], each neuron's share of the answer's logit (minus the contrast's), in logits.
    neuron_promoted: for each neuron the tokens that its own write promotes most. rest: share of all other neurons
    together; bias: of the MLP's output bias; total: of all neurons and the bias. contributions, rest, bias and total
    are None without an answer. promoted, suppressed: the tokens that the whole write, bias included, raises and lowers
    most. write_norm: its length; stream_norm: that of the stream it is added to, resid_mid.
    """

    prompt: Prompt
    layer: int
    position: int
    answer: AnswerToken | None
    contrast: AnswerToken | None
    neurons: np.ndarray
    activations: np.ndarray
    write_norms: np.ndarray
    contributions: np.ndarray | None
    neuron_promoted: tuple[TokenEffects, ...]
    rest: float | None
    bias: float | None
    total: float | None
    promoted: TokenEffects
    suppressed: TokenEffects
    write_norm: float
    stream_norm: float
    receipts: tuple[Receipt, ...]
    info: RunInfo

    def frame(self) -> pd.DataFrame:
        """One line per neuron: index, activation, length of its write, contribution (with an answer), its tokens."""
        columns = {"neuron": self.neurons, "activation": self.activations, "write_norm": self.write_norms}
        if self.contributions is not None:
            columns["contribution"] = self.contributions
        return pd.DataFrame(columns | {"promotes": [" ".join(effects.tokens) for effects in self.neuron_promoted]})


@torch.no_grad()
def head_detail(
    model,
    prompt,
    layer: int,
    head: int,
    answer=None,
    contrast=None,
    *,
    position: int = -1,
    value_bias: str = "folded",
    k: int = 8,
    bos: bool = True,
) -> HeadDetail:
    """What a head attends to at `position`, what it brings from there, and which tokens its write speaks for.

    answer, contrast: as for `direct_logit_attribution`, whose by_source this agrees with; without an answer, shares are
    None. value_bias: "folded" leaves the head's part that does not depend on the input out of its write (attribution
    counts it to the layer's bias); "in_heads" keeps it in. k: how many tokens to name on each side. Raises OptionError
    for a head, position, value_bias or k that does not exist, PromptError and TokenError for their inputs.
    """
    choose(value_bias, VALUE_BIAS, "value_bias")
    layer, head = parse_head((layer, head), model.n_layers, model.n_heads)
    k = positive(k, "k")
    spot = _Spot(model, prompt, answer, contrast, position, bos)
    trace, at = spot.trace, spot.position
    W_O = model.adapter.W_O(layer)[head].float().to(trace.final.device)  # [d_head, d_model]
    pattern = _attention_row(trace, layer, head, at)
    z, values = trace.z[layer, head, at].float(), trace.v[layer, head].float()  # [d_head], [T, d_head]
    if value_bias == "folded":
        constant = model.adapter.value_bias(layer)[head].to(values.device)
        z, values = z - constant, values - constant
    write = z @ W_O
    by_source = None if spot.read is None else pattern * (values @ (W_O @ spot.read))
    share = None if by_source is None else float(by_source.double().sum())
    effects = spot.effects(write)
    options = {"layer": layer, "head": head, "value_bias": value_bias, "k": k}
    detail = say(
        "What {head} brings from all sources, minus what it wrote, in the coordinate where they differ most.",
        head=head_label(layer, head),
    )
    return HeadDetail(
        prompt=trace.prompt,
        layer=layer,
        head=head,
        position=at,
        answer=spot.answer,
        contrast=spot.contrast,
        value_bias=value_bias,
        pattern=finite(to_numpy(pattern), say("attention")),
        by_source=None if by_source is None else finite(to_numpy(by_source), say("attribution")),
        share=share,
        promoted=spot.strongest(effects, k),
        suppressed=spot.strongest(effects, k, largest=False),
        write_norm=float(write.norm()),
        stream_norm=float(trace.resid_pre[layer, at].float().norm()),
        receipts=(
            _worst(say("sources − write"), (pattern @ values) @ W_O, write, model.dtype, detail),
            *spot.receipts(effects, share),
            load_receipt(model),
        ),
        info=run_info(model, "head_detail", trace.prompt, **options, **spot.options()),
    )


@torch.no_grad()
def mlp_detail(
    model,
    prompt,
    layer: int,
    answer=None,
    contrast=None,
    *,
    position: int = -1,
    neurons: int = 10,
    k: int = 8,
    bos: bool = True,
) -> MLPDetail:
    """Which neurons of an MLP wrote at `position`, how much of the logit each, and which tokens they speak for.

    mlp_out is a sum of activation · output row over the neurons, and a bias, so it splits as the stream does. answer,
    contrast: as for `direct_logit_attribution`, whose mlps[layer] the total equals. neurons: how many to name: those
    with the largest contribution, either sign; without an answer, those with the longest write. Fewer are named if
    fewer are active. k: how many tokens to name for each neuron and for the whole. Raises OptionError for a layer,
    position or count that does not exist, PromptError and TokenError for their inputs.
    """
    layer, count, k = _layer(layer, model.n_layers), positive(neurons, say("neurons")), positive(k, "k")
    spot = _Spot(model, prompt, answer, contrast, position, bos)
    trace, at = spot.trace, spot.position
    device = trace.final.device
    stream = trace.resid_pre[layer, at] + trace.attn_out[layer, at]
    hidden = model.adapter.mlp_hidden(layer, stream[None])[0].float().to(device)  # [d_mlp]
    W_out = model.adapter.W_out(layer).float().to(device)  # [d_mlp, d_model]
    b_out = model.adapter.b_out(layer).float().to(device)
    split = None if spot.read is None else _Split(hidden * (W_out @ spot.read), b_out @ spot.read)
    chosen = _strongest_neurons(hidden, W_out, split, count)
    writes = hidden[chosen, None] * W_out[chosen]  # [n, d_model]
    write = trace.mlp_out[layer, at].float()
    effects = spot.effects(write)
    options = {"layer": layer, "neurons": count, "k": k}
    return MLPDetail(
        prompt=trace.prompt,
        layer=layer,
        position=at,
        answer=spot.answer,
        contrast=spot.contrast,
        neurons=chosen.cpu().numpy(),
        activations=finite(to_numpy(hidden[chosen]), say("activations")),
        write_norms=to_numpy(writes.norm(dim=-1)),
        contributions=None if split is None else finite(to_numpy(split.neurons[chosen]), say("attribution")),
        neuron_promoted=spot.strongest_each(writes, k),
        rest=None if split is None else split.without(chosen),
        bias=None if split is None else float(split.bias),
        total=None if split is None else split.total,
        promoted=spot.strongest(effects, k),
        suppressed=spot.strongest(effects, k, largest=False),
        write_norm=float(write.norm()),
        stream_norm=float(stream.float().norm()),
        receipts=(
            *_mlp_receipts(spot, hidden @ W_out + b_out, write, split),
            *spot.receipts(effects, None if split is None else split.total),
            load_receipt(model),
        ),
        info=run_info(model, "mlp_detail", trace.prompt, **options, **spot.options()),
    )


class _Spot:
    """One position of one run, as seen from the logits: ln_final's scale there, and the answer asked about."""

    def __init__(self, model, prompt, answer, contrast, position: int, bos: bool):
        if answer is None and contrast is not None:
            raise TokenError(
                say("The contrast {value} has no answer to stand against. Name an answer too.", value=excerpt(contrast))
            )
        self.model = model
        self.trace = model.trace(prompt, bos)
        tokens, final = self.trace.prompt, self.trace.final
        self.position = parse_position(position, len(tokens))
        self.answer = None if answer is None else model.answer(answer, tokens)
        self.contrast = None if contrast is None else model.answer(contrast, tokens, "contrast")
        self.scale = model.adapter.final_scale(final[self.position])
        self.read = None  # [d_model]: a part's share is part · read
        if self.answer is not None:
            direction, _ = model.adapter.unembed_direction(self.answer.id, self.contrast and self.contrast.id)
            self.read = model.adapter.frozen_direction(direction.to(final.device), self.scale)

    def effects(self, write: Tensor) -> Tensor:
        """What a write [d_model] adds to every logit: [V]."""
        return self.model.adapter.logit_effect(write, self.scale)

    def strongest(self, effects: Tensor, k: int, largest: bool = True) -> TokenEffects:
        """The k tokens that effects [V] raise most, or lower most."""
        values, ids = (effects - effects.mean()).topk(min(k, len(effects)), largest=largest)
        values, ids = finite(to_numpy(values), say("effects on the logits")), ids.cpu().numpy()
        return TokenEffects(ids, values, tuple(self.model.show(i) for i in ids))

    def strongest_each(self, writes: Tensor, k: int) -> tuple[TokenEffects, ...]:
        """The k tokens that each of several writes [n, d_model] raises most. Blocks bound the memory: n × V effects."""
        size = max(1, BLOCK_FLOATS // self.model.vocab_size)
        blocks = (self.effects(block) for block in writes.split(size)) if len(writes) else ()
        return tuple(self.strongest(effects, k) for block in blocks for effects in block)

    def options(self) -> dict:
        """What was asked, as a result records it."""
        prompt = self.trace.prompt
        by_ids = given_as_ids(self.model, prompt.bos, prompt=prompt)
        return {"position": self.position, **answer_options(self.answer, self.contrast), **by_ids}

    def receipts(self, effects: Tensor, share: float | None) -> list[Receipt]:
        """The share against the same number read off the effects on all logits, if an answer was named."""
        if share is None:
            return []
        own = effects[self.answer.id] - (0.0 if self.contrast is None else effects[self.contrast.id])
        detail = say(
            "The sum of its shares minus what its write adds to the logit or the logit difference asked about."
        )
        return [receipt(say("shares − effect"), share, float(own), self.model.dtype, detail)]


@dataclass(frozen=True, eq=False)
class _Split:
    """An MLP's share of a logit by neuron [d_mlp], and its bias's."""

    neurons: Tensor
    bias: Tensor

    @property
    def total(self) -> float:
        return float(self.neurons.double().sum() + self.bias.double())

    def without(self, chosen: Tensor) -> float:
        """The share of all neurons but the chosen."""
        others = self.neurons.double().clone()
        others[chosen] = 0
        return float(others.sum())


def _strongest_neurons(hidden: Tensor, W_out: Tensor, split: _Split | None, count: int) -> Tensor:
    """Indices [n] of the neurons to name, strongest first; one that is silent wrote nothing and has no place there."""
    strength = (hidden * W_out.norm(dim=-1) if split is None else split.neurons).abs()
    order = strength.topk(min(count, len(strength))).indices
    return order[hidden[order] != 0]


def _mlp_receipts(spot: _Spot, summed: Tensor, write: Tensor, split: _Split | None) -> list[Receipt]:
    """Neurons and bias against what the MLP wrote: the vectors [d_model], and their shares of the logit."""
    detail = say("All neurons and the bias of the MLP minus its mlp_out, in the coordinate where they differ most.")
    found = [_worst(say("neurons − write"), summed, write, spot.model.dtype, detail)]
    if split is not None:
        detail = say("The shares of all neurons and the bias of the MLP minus its own share.")
        found.append(receipt(say("neurons − MLP"), split.total, float(write @ spot.read), spot.model.dtype, detail))
    return found


def _worst(name: str, measured: Tensor, expected: Tensor, dtype: str, detail: str) -> Receipt:
    """Compare two vectors that should be equal, where they differ most."""
    i = int((measured - expected).abs().argmax())
    return receipt(name, float(measured[i]), float(expected[i]), dtype, detail)


def _attention_row(trace, layer: int, head: int, position: int) -> Tensor:
    """[T]: one row of one head's attention, float32; the whole pattern of a long prompt is not needed for it."""
    q, k = trace.q[layer, head], trace.k[layer, head, None, :, None]  # [T, d_head], [1, T, 1, d_head]
    at = torch.tensor([position], device=q.device)
    row = attention_pattern(q[position][None, None, None], k[0, :0], k, at, trace.scales[layer])
    return row[0, 0, 0].float()


def _layer(layer: int, n_layers: int) -> int:
    try:
        number = whole_number(layer)
    except TypeError:
        raise OptionError(say("{value} is not a layer. Layers are whole numbers.", value=excerpt(layer))) from None
    if not 0 <= number < n_layers:
        raise OptionError(
            say("There is no layer {value}: this model has layers 0–{last}.", value=number, last=n_layers - 1)
        )
    return number
