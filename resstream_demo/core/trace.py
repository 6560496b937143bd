"""A trace: everything one run wrote and read, recorded once and never changed."""

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property

import torch
from torch import Tensor

from .attention import attention_output, attention_pattern
from .tokens import Prompt

STREAM_SITES = ("resid_pre", "resid_mid", "resid_post", "attn_out", "mlp_out")
HEAD_SITES = ("z", "q", "k", "v", "pattern")
SITES = STREAM_SITES + HEAD_SITES


@dataclass(frozen=True, eq=False)
class Trace:
    """One recorded run over T tokens; tensors on the model's device, in the model's dtype. Treat as read-only.

    resid_pre, attn_out, mlp_out: [L, T, d_model], the stream before each layer and what its two sublayers
    add. q, k, v, z: [L, H, T, d_head], z before W_O. final: [T, d_model], the stream after the last layer,
    before ln_final. embed, pos_embed: [T, d_model], the two vectors whose sum is resid_pre[0]. hf_model: whose run
    it is.
    """

    prompt: Prompt
    embed: Tensor
    pos_embed: Tensor
    resid_pre: Tensor
    attn_out: Tensor
    mlp_out: Tensor
    q: Tensor
    k: Tensor
    v: Tensor
    z: Tensor
    final: Tensor
    scales: tuple[float, ...]
    hf_model: object = field(repr=False)

    @cached_property
    def resid_mid(self) -> Tensor:
        """[L, T, d_model]: the stream between attention and MLP."""
        return self.resid_pre + self.attn_out

    @cached_property
    def resid_post(self) -> Tensor:
        """[L, T, d_model]: the stream after each layer."""
        return torch.cat([self.resid_pre[1:], self.final[None]])

    def layer_pattern(self, layer: int) -> Tensor:
        """[H, T, T]: one layer's attention, rows destinations, columns sources. Recomputed from q and k, since
        the patterns of all layers of a long prompt would take more room than everything else together."""
        q, k = (x[layer].transpose(0, 1)[None] for x in (self.q, self.k))
        positions = torch.arange(len(self.prompt), device=q.device)
        return attention_pattern(q, k[0, :0], k, positions, self.scales[layer])[:, 0]

    @property
    def pattern(self) -> Tensor:
        """[L, H, T, T]: attention of every head; see `layer_pattern`."""
        return torch.stack([self.layer_pattern(layer) for layer in range(len(self.scales))])

    def site(self, name: str, layer: int) -> Tensor:
        """One layer of a site: [T, d_model], [H, T, d_head], or [H, T, T] for the pattern."""
        return self.layer_pattern(layer) if name == "pattern" else getattr(self, name)[layer]


@torch.no_grad()
def record(adapter, prompt: Prompt, device: torch.device) -> Trace:
    """Run a prompt once through the adapter and keep everything."""
    ids = torch.tensor(prompt.ids, device=device)
    positions = torch.arange(len(prompt), device=device)
    embed, pos_embed = adapter.token_embed(ids), adapter.pos_embed(positions)
    stream = embed + pos_embed
    kept: dict[str, list[Tensor]] = defaultdict(list)
    scales = []
    for layer in range(adapter.n_layers):
        q, k, v = adapter.qkv(layer, stream, positions)
        scale = adapter.attention_scale(layer)
        pattern = attention_pattern(q[None], k[:0], k[None], positions.to(q.device), scale)
        z = attention_output(pattern, v[:0], v[None])[0]
        attn_out = adapter.attn_write(layer, z)
        mid = stream + attn_out
        mlp_out = adapter.mlp(layer, mid)
        scales.append(scale)
        written = {"resid_pre": stream, "attn_out": attn_out, "mlp_out": mlp_out}
        by_head = {name: value.transpose(0, 1) for name, value in (("q", q), ("k", k), ("v", v), ("z", z))}
        for name, value in (written | by_head).items():
            kept[name].append(value.to(device))
        stream = mid + mlp_out
    stacked = {name: torch.stack(values) for name, values in kept.items()}
    return Trace(
        prompt=prompt,
        embed=embed,
        pos_embed=pos_embed,
        final=stream.to(device),
        scales=tuple(scales),
        hf_model=adapter.hf_model,
        **stacked,
    )
