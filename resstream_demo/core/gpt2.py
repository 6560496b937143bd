"""GPT-2's adapter: the only file that knows the names of GPT-2's modules.

Another model family is another such class with the same methods. The engine asks an adapter for the first
stream, the normalised read of each sublayer, queries, keys and values, the attention scale, the write of the
heads, the MLP, the final norm and the unembedding. All maps work on packed rows: a matrix [N, d_model] whose
rows are tokens in any order. They go through the Hugging Face submodules, so that devices, dtypes and
offloading that accelerate has set up on them keep working.
"""

import torch
import torch.nn.functional as F
from torch import Tensor

from .errors import ModelError
from .words import say

# GPT-2's three spellings of one formula.
_FUSED_TANH_GELU = ("gelu_new", "gelu_pytorch_tanh", "gelu_fast")


def _weights(module, *names: str) -> list[Tensor | None]:
    """Parameters of a module for reading; fetched for the moment where accelerate keeps them elsewhere."""
    found = [getattr(module, name) for name in names]
    if not any(tensor is not None and tensor.is_meta for tensor in found):
        return found
    from accelerate.utils import align_module_device

    with align_module_device(module):
        return [getattr(module, name) for name in names]


def _device(module) -> torch.device:
    """Where a module computes: where its weights are, or where accelerate brings them."""
    device = module.weight.device
    return device if device.type != "meta" else torch.device(module._hf_hook.execution_device)


class GPT2Adapter:
    """Reads a transformers `GPT2LMHeadModel`. L layers, H heads of width d_head; d_model = H · d_head."""

    family = "gpt2"

    def __init__(self, hf_model):
        config = hf_model.config
        if config.model_type != self.family:
            raise ModelError(
                say("This is a {kind} model; only GPT-2 models can be read.", kind=repr(config.model_type))
            )
        if getattr(config, "add_cross_attention", False):
            raise ModelError(
                say("This GPT-2 has cross-attention layers, which the residual stream here does not cover.")
            )
        self.hf_model = hf_model
        self._body = hf_model.transformer
        self._blocks = list(self._body.h)
        if not self._blocks:
            raise ModelError(say("This GPT-2 has no layers to look into. Check n_layer in its config.json."))
        self._head = hf_model.get_output_embeddings()
        self.n_layers = config.n_layer
        self.n_heads = config.n_head
        self.d_model = config.n_embd
        self.d_head = config.n_embd // config.n_head
        self.d_mlp = config.n_inner or 4 * config.n_embd
        self.n_ctx = config.n_positions
        self.vocab_size = self._head.weight.shape[0]
        self.device = _device(self._body.wte)
        self._tanh_gelu = config.activation_function in _FUSED_TANH_GELU

    # --- into the stream -------------------------------------------------------------------------------------

    def token_embed(self, ids: Tensor) -> Tensor:
        """[N] ids → [N, d_model]."""
        return self._body.wte(ids)

    def pos_embed(self, positions: Tensor) -> Tensor:
        """[N] positions → [N, d_model]."""
        return self._body.wpe(positions)

    # --- attention -------------------------------------------------------------------------------------------

    def qkv(self, layer: int, stream: Tensor, positions: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Read the stream [N, d_model] through ln_1; queries, keys and values, each [N, H, d_head].

        `positions` [N] is for families that rotate; GPT-2 has put positions into the stream already.
        """
        block = self._blocks[layer]
        joint = block.attn.c_attn(block.ln_1(stream))
        q, k, v = joint.split(self.d_model, dim=-1)
        shape = (-1, self.n_heads, self.d_head)
        return q.reshape(shape), k.reshape(shape), v.reshape(shape)

    def attention_scale(self, layer: int) -> float:
        """What q·k is multiplied by before the softmax."""
        return float(self._blocks[layer].attn.scaling)

    def attn_write(self, layer: int, z: Tensor) -> Tensor:
        """Head outputs z [N, H, d_head] → attn_out [N, d_model], bias included."""
        return self._blocks[layer].attn.c_proj(z.reshape(-1, self.d_model))

    def W_O(self, layer: int) -> Tensor:
        """[H, d_head, d_model]: a head's z @ W_O is what it adds to the stream."""
        (weight,) = _weights(self._blocks[layer].attn.c_proj, "weight")
        return weight.reshape(self.n_heads, self.d_head, self.d_model)

    def b_O(self, layer: int) -> Tensor:
        """[d_model]: the attention sublayer's own bias."""
        return _weights(self._blocks[layer].attn.c_proj, "bias")[0]

    def value_bias(self, layer: int) -> Tensor:
        """[H, d_head]: the part of z that does not depend on the input, b_V + ln_1.bias @ W_V.

        A head's pattern sums to one over source positions, so whatever every value vector contains reaches z
        unchanged (Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits").
        """
        block = self._blocks[layer]
        weight, b = _weights(block.attn.c_attn, "weight", "bias")
        (beta,) = _weights(block.ln_1, "bias")
        bias = b[2 * self.d_model :].float() + beta.float() @ weight[:, 2 * self.d_model :].float()
        return bias.reshape(self.n_heads, self.d_head)

    # --- MLP -------------------------------------------------------------------------------------------------

    def mlp(self, layer: int, stream: Tensor) -> Tensor:
        """Read the stream [N, d_model] through ln_2; mlp_out [N, d_model]."""
        return self._blocks[layer].mlp.c_proj(self.mlp_hidden(layer, stream))

    def mlp_hidden(self, layer: int, stream: Tensor) -> Tensor:
        """Read the stream [N, d_model] through ln_2; every neuron's activation [N, d_mlp], after the nonlinearity."""
        block = self._blocks[layer]
        hidden = block.mlp.c_fc(block.ln_2(stream))
        # The same formula as the module's own activation, in one pass over memory instead of eight.
        return F.gelu(hidden, approximate="tanh") if self._tanh_gelu else block.mlp.act(hidden)

    def W_out(self, layer: int) -> Tensor:
        """[d_mlp, d_model]: a neuron's activation times its row is what it adds to the stream."""
        return _weights(self._blocks[layer].mlp.c_proj, "weight")[0]

    def b_out(self, layer: int) -> Tensor:
        """[d_model]: the MLP's own bias."""
        return _weights(self._blocks[layer].mlp.c_proj, "bias")[0]

    # --- out of the stream -----------------------------------------------------------------------------------

    def final_norm(self, stream: Tensor, scale: Tensor | None = None) -> Tensor:
        """ln_final in float32 on [..., d_model]; with `scale` [...], that divisor instead of the fresh one."""
        x = stream.float()
        norm = self._body.ln_f
        weight, bias = (w.float().to(x.device) for w in _weights(norm, "weight", "bias"))
        if scale is None:
            return F.layer_norm(x, norm.normalized_shape, weight, bias, norm.eps)
        return (x - x.mean(-1, keepdim=True)) / scale.unsqueeze(-1) * weight + bias

    def final_scale(self, stream: Tensor) -> Tensor:
        """The divisor that ln_final uses on [..., d_model]: [...], float32."""
        variance = stream.float().var(-1, unbiased=False)
        return (variance + self._body.ln_f.eps).sqrt()

    def unembed(self, normed: Tensor, columns: Tensor | None = None) -> Tensor:
        """Logits in float32 of normalised rows [..., d_model]: [..., V], or only the given columns."""
        weight, bias = _weights(self._head, "weight", "bias")
        if columns is not None:
            columns = columns.to(weight.device)
            weight, bias = weight[columns], None if bias is None else bias[columns]
        weight = weight.float().to(normed.device)
        return F.linear(normed, weight, None if bias is None else bias.float().to(normed.device))

    def frozen_direction(self, direction: Tensor, scale: Tensor) -> Tensor:
        """The vector g [d_model] such that `part · g` is what a part of the stream adds to `logits · direction`.

        direction: [d_model], a combination of columns of W_U. scale: ln_final's divisor at the position,
        held fixed. Centring is linear, so it is applied to g once and not to every part.
        """
        (gain,) = _weights(self._body.ln_f, "weight")
        weighted = direction.float() * gain.float().to(direction.device)
        return (weighted - weighted.mean()) / scale

    def logit_effect(self, parts: Tensor, scale: Tensor) -> Tensor:
        """What parts of the stream [..., d_model] add to every logit [..., V], ln_final's divisor held at `scale`.

        float32; as for `frozen_direction`, and without the biases of ln_final and the unembedding, which no part wrote.
        """
        x = parts.float()
        (gain,), (weight,) = _weights(self._body.ln_f, "weight"), _weights(self._head, "weight")
        normed = (x - x.mean(-1, keepdim=True)) / scale * gain.float().to(x.device)
        return F.linear(normed, weight.float().to(x.device))

    def final_bias_effect(self, direction: Tensor) -> Tensor:
        """What ln_final's bias adds to `logits · direction`; a scalar tensor."""
        (bias,) = _weights(self._body.ln_f, "bias")
        return bias.float().to(direction.device) @ direction.float()

    def unembed_direction(self, answer: int, contrast: int | None) -> tuple[Tensor, Tensor | None]:
        """W_U[:, answer] − W_U[:, contrast] as [d_model], and the same of the head's bias if it has one."""
        weight, bias = _weights(self._head, "weight", "bias")
        direction = weight[answer].float()
        bias_part = None if bias is None else bias[answer].float()
        if contrast is not None:
            direction = direction - weight[contrast].float()
            bias_part = None if bias is None else bias_part - bias[contrast].float()
        return direction, bias_part

    def block(self, layer: int):
        """The transformers module of a layer, whose input is resid_pre; for comparing with plain hooks."""
        return self._blocks[layer]

    def plain_logits(self, ids: Tensor, last_only: bool = False) -> Tensor:
        """The model's own forward on [T] ids, nothing of ours in between: [T, V] or [1, V], float32."""
        output = self.hf_model(ids[None], use_cache=False, logits_to_keep=1 if last_only else 0)
        return output.logits[0].float()
