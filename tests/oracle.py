"""The slow, plain answer: a transformers forward per question, with torch hooks, and nothing of the package.

`record` reads the ten activations of a run; `run` repeats the run with some of them replaced. The rest is a
handful of formulas written out on those two. Shapes: L layers, H heads, T positions, d width, dh width of one
head, V vocabulary.
"""

from collections.abc import Iterable
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

import torch
import torch.nn.functional as F

RESID_SITES = ("resid_pre", "resid_mid", "resid_post", "attn_out", "mlp_out")
HEAD_SITES = ("z", "q", "k", "v", "pattern")
SITES = RESID_SITES + HEAD_SITES
METRICS = ("logit_diff", "prob", "logprob", "rank", "kl")


@dataclass(frozen=True)
class Edit:
    """Replace `site` of one layer, at `positions`, with the same positions of `value`.

    value is [T, d] for the stream and the sublayer outputs, [T, dh] for one head's q, k, v or z, and [T, T]
    for one head's pattern, whose positions are destination rows.
    """

    site: str
    layer: int
    value: torch.Tensor
    head: int | None = None
    positions: Iterable[int] | None = None  # None: every position


@torch.no_grad()
def record(hf_model, ids) -> dict[str, torch.Tensor]:
    """All ten sites of one run: [L, T, d], heads [L, H, T, dh], pattern [L, H, T, T]."""
    seen = {site: [] for site in SITES}
    heads = hf_model.config.n_head

    def of_heads(x):  # [1, T, d] -> [H, T, dh]
        return x[0].unflatten(-1, (heads, -1)).transpose(0, 1).clone()

    def keep_qkv(_, __, output):
        for site, part in zip("qkv", output.chunk(3, dim=-1), strict=True):
            seen[site].append(of_heads(part))

    def keep_attention(_, __, output):
        seen["attn_out"].append(output[0][0].clone())
        seen["pattern"].append(output[1][0].clone())

    with ExitStack() as stack:
        for block in hf_model.transformer.h:
            for handle in (
                block.register_forward_pre_hook(lambda _, args: seen["resid_pre"].append(args[0][0].clone())),
                block.ln_2.register_forward_pre_hook(lambda _, args: seen["resid_mid"].append(args[0][0].clone())),
                block.register_forward_hook(lambda _, __, out: seen["resid_post"].append(out[0].clone())),
                block.attn.register_forward_hook(keep_attention),
                block.mlp.register_forward_hook(lambda _, __, out: seen["mlp_out"].append(out[0].clone())),
                block.attn.c_attn.register_forward_hook(keep_qkv),
                block.attn.c_proj.register_forward_pre_hook(lambda _, args: seen["z"].append(of_heads(args[0]))),
            ):
                stack.callback(handle.remove)
        hf_model(torch.tensor([list(ids)]))
    return {site: torch.stack(parts) for site, parts in seen.items()}


@torch.no_grad()
def run(hf_model, ids, edits: Iterable[Edit] = ()) -> torch.Tensor:
    """The logits [T, V], in float32, of a run in which the edits hold."""
    with ExitStack() as stack:
        for edit in edits:
            stack.enter_context(_applied(hf_model, edit, len(ids)))
        return hf_model(torch.tensor([list(ids)])).logits[0].float()


@contextmanager
def _applied(hf_model, edit: Edit, length: int):
    """Hooks on this model instance for one edit, removed on the way out whatever happens."""
    block = hf_model.transformer.h[edit.layer]
    at = list(range(length)) if edit.positions is None else list(edit.positions)
    n_heads = hf_model.config.n_head

    def write(x, part=0, parts=1, value=edit.value):
        """x [1, T, ...] with the value written into the head's slice of the given part of its last axis."""
        x = x.clone()
        if edit.head is None:
            x[0, at] = value[at].to(x.dtype)
        else:
            slices = x.unflatten(-1, (parts, n_heads, -1))  # a view of x: [1, T, parts, H, dh]
            slices[0, at, part, edit.head] = value[at].to(x.dtype)
        return x

    def write_in_place(_, args):
        # ln_2's input is also what the MLP's output is added to: only writing into it changes both.
        args[0][0, at] = edit.value[at].to(args[0].dtype)

    def write_mixed_values(_, args):
        values = latest_values[-1][edit.head]  # of this very run: other edits may have changed them
        return (write(args[0], value=edit.value.to(values.dtype) @ values),)

    latest_values = []

    def keep_values(_, __, output):
        latest_values.append(output[0].unflatten(-1, (3, n_heads, -1))[:, 2].transpose(0, 1))

    attention, mlp = block.attn, block.mlp
    hooks = {
        "resid_pre": lambda: [block.register_forward_pre_hook(lambda _, args: (write(args[0]), *args[1:]))],
        "resid_mid": lambda: [block.ln_2.register_forward_pre_hook(write_in_place)],
        "resid_post": lambda: [block.register_forward_hook(lambda _, __, out: write(out))],
        "attn_out": lambda: [attention.register_forward_hook(lambda _, __, out: (write(out[0]), *out[1:]))],
        "mlp_out": lambda: [mlp.register_forward_hook(lambda _, __, out: write(out))],
        "q": lambda: [attention.c_attn.register_forward_hook(lambda _, __, out: write(out, 0, 3))],
        "k": lambda: [attention.c_attn.register_forward_hook(lambda _, __, out: write(out, 1, 3))],
        "v": lambda: [attention.c_attn.register_forward_hook(lambda _, __, out: write(out, 2, 3))],
        "z": lambda: [attention.c_proj.register_forward_pre_hook(lambda _, args: (write(args[0]),))],
        "pattern": lambda: [
            attention.c_attn.register_forward_hook(keep_values),
            attention.c_proj.register_forward_pre_hook(write_mixed_values),
        ],
    }
    handles = hooks[edit.site]()
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


# ---- metrics: one number of a patched run's logits [T, V] -------------------------------------------------


def metric(name: str, logits, *, answer=None, contrast=None, clean=None, ids=None) -> float:
    """One of METRICS at the last position, or `loss`: mean next-token cross-entropy over the whole prompt."""
    if name == "loss":
        return F.cross_entropy(logits[:-1], torch.tensor(list(ids)[1:])).item()
    last = logits[-1].double()
    logprobs = last.log_softmax(-1)
    if name == "logit_diff":
        return (last[answer] - (0.0 if contrast is None else last[contrast])).item()
    if name == "prob":
        return logprobs[answer].exp().item()
    if name == "logprob":
        return logprobs[answer].item()
    if name == "rank":
        return (last > last[answer]).sum().item()
    if name == "kl":
        return kl(clean[-1], logits[-1]).item()
    raise ValueError(name)


def kl(p_logits, q_logits):
    """KL(p ‖ q) in nats over the last axis."""
    p, q = p_logits.double().log_softmax(-1), q_logits.double().log_softmax(-1)
    return (p.exp() * (p - q)).sum(-1)


# ---- patching: every cell its own forward ------------------------------------------------------------------


def patch_cells(shape: dict, site: str, positions) -> dict[tuple, dict]:
    """index into the result array -> which layer, head and positions that cell patches.

    shape: n_layer, n_head, length. positions: "each", "all" or a list patched together.
    """
    heads = [None] if site in RESID_SITES else range(shape["n_head"])
    each = range(shape["length"]) if positions == "each" else [None]
    cells = {}
    for layer in range(shape["n_layer"]):
        for head in heads:
            for position in each:
                index = tuple(i for i in (layer, head, position) if i is not None)
                at = [position] if position is not None else None if positions == "all" else list(positions)
                cells[index] = dict(layer=layer, head=head, positions=at)
    return cells


def patched_logits(hf_model, base_ids, source_ids, site: str, positions) -> dict[tuple, torch.Tensor]:
    """Cell index -> logits [T, V] of the base run with that cell taken from the source run."""
    source = record(hf_model, source_ids)[site]
    config = hf_model.config
    shape = dict(n_layer=config.n_layer, n_head=config.n_head, length=len(base_ids))
    result = {}
    for index, cell in patch_cells(shape, site, positions).items():
        value = source[cell["layer"]] if cell["head"] is None else source[cell["layer"], cell["head"]]
        result[index] = run(hf_model, base_ids, [Edit(site, value=value, **cell)])
    return result


# ---- what heads write --------------------------------------------------------------------------------------


def W_O(hf_model, layer: int) -> torch.Tensor:
    """[H, dh, d]: rows of c_proj belong to heads."""
    config = hf_model.config
    return hf_model.transformer.h[layer].attn.c_proj.weight.detach().float().unflatten(0, (config.n_head, -1))


def constant_value(hf_model, layer: int) -> torch.Tensor:
    """[H, dh]: the part of every head's value that no input changes, b_V and ln_1's bias through W_V."""
    block = hf_model.transformer.h[layer]
    d = hf_model.config.n_embd
    weight, bias = (p.detach().float() for p in (block.attn.c_attn.weight, block.attn.c_attn.bias))
    constant = block.ln_1.bias.detach().float() @ weight[:, 2 * d :] + bias[2 * d :]
    return constant.unflatten(-1, (hf_model.config.n_head, -1))


# ---- logit lens --------------------------------------------------------------------------------------------


@torch.no_grad()
def lens_rows(hf_model, ids, sites=("resid_post",), norm="fresh") -> tuple[list, torch.Tensor]:
    """Row labels ("embed" or (layer, site)) and float32 logits [rows, T, V] decoded from each."""
    seen = record(hf_model, ids)
    labels, streams = ["embed"], [seen["resid_pre"][0].float()]
    for layer in range(hf_model.config.n_layer):
        for site in sites:
            labels.append((layer, site))
            streams.append(seen[site][layer].float())
    return labels, torch.stack([decode(hf_model, x, norm, seen["resid_post"][-1].float()) for x in streams])


@torch.no_grad()
def decode(hf_model, x, norm, final) -> torch.Tensor:
    """ln_f and the unembedding, spelled out in float32: x [T, d] -> [T, V].

    norm="final" divides by the standard deviation of the final stream instead of x's own.
    """
    ln = hf_model.transformer.ln_f
    scaled_by = x if norm == "fresh" else final
    std = (scaled_by.var(-1, unbiased=False, keepdim=True) + ln.eps).sqrt()
    normed = (x - x.mean(-1, keepdim=True)) / std * ln.weight.float() + ln.bias.float()
    bias = hf_model.lm_head.bias
    return normed @ hf_model.lm_head.weight.float().T + (0.0 if bias is None else bias.float())


# ---- direct logit attribution ------------------------------------------------------------------------------


@torch.no_grad()
def attribution(hf_model, ids, answer, contrast=None, position=-1, value_bias="folded"):
    """Component name -> its share of the logit (difference), and by source position [L, H, T].

    Each vector that was added to the final stream is centred, divided by the final stream's standard
    deviation at the position, scaled by ln_f's gain and read along the unembedding direction.
    """
    seen = {site: value.float() for site, value in record(hf_model, ids).items()}
    transformer, ln = hf_model.transformer, hf_model.transformer.ln_f
    position = position % len(ids)
    unembed = hf_model.lm_head.weight.float()
    direction = unembed[answer] - (0.0 if contrast is None else unembed[contrast])
    final = seen["resid_post"][-1, position]
    std = (final.var(unbiased=False) + ln.eps).sqrt()

    def share(vector):  # [..., d] -> [...]
        return ((vector - vector.mean(-1, keepdim=True)) / std * ln.weight.float()) @ direction

    parts = {
        "embed": share(transformer.wte.weight[ids[position]].float()),
        "pos_embed": share(transformer.wpe.weight[position].float()),
    }
    by_source = []
    for layer, block in enumerate(transformer.h):
        constant = constant_value(hf_model, layer)  # [H, dh]
        folded = constant if value_bias == "folded" else torch.zeros_like(constant)
        heads = torch.einsum("hd,hde->he", seen["z"][layer, :, position] - folded, W_O(hf_model, layer))
        moved = torch.einsum("hd,hde->e", folded, W_O(hf_model, layer))
        for head, vector in enumerate(heads):
            parts[f"L{layer}H{head}"] = share(vector)
        parts[f"L{layer} attn_bias"] = share(block.attn.c_proj.bias.float() + moved)
        parts[f"L{layer} mlp"] = share(seen["mlp_out"][layer, position])
        values = seen["v"][layer] - folded[:, None]  # [H, T, dh]
        weighted = seen["pattern"][layer, :, position, :, None] * values
        by_source.append(share(torch.einsum("htd,hde->hte", weighted, W_O(hf_model, layer))))
    parts["ln_final bias"] = ln.bias.float() @ direction
    if hf_model.lm_head.bias is not None:
        bias = hf_model.lm_head.bias.float()
        parts["unembed bias"] = bias[answer] - (0.0 if contrast is None else bias[contrast])
    return {name: float(value) for name, value in parts.items()}, torch.stack(by_source)


# ---- ablation ----------------------------------------------------------------------------------------------


@torch.no_grad()
def ablated_z(hf_model, ids, kind: str, reference=None) -> torch.Tensor:
    """[L, H, T, dh]: what every head's z becomes under the kind of ablation.

    reference: for "mean", lists of ids, averaged as `mean_z` says; for "resample", ids of the same length.
    """
    own = record(hf_model, ids)["z"]
    if kind == "zero":
        return torch.zeros_like(own)
    if kind == "bias_only":
        constants = torch.stack([constant_value(hf_model, layer) for layer in range(own.shape[0])])
        return constants[:, :, None].expand_as(own)
    if kind == "resample":
        return record(hf_model, reference)["z"]
    if kind == "mean":
        return mean_z(hf_model, reference, len(ids))
    raise ValueError(kind)


def mean_z(hf_model, reference, length: int) -> torch.Tensor:
    """[L, H, T, dh]: means over all positions of all reference prompts.

    Position 0 is averaged with its like only: a head there sees nothing but itself, and with BOS there no other
    stream is like it.
    """
    seen = [record(hf_model, ids)["z"].float() for ids in reference]  # each [L, H, T', dh]
    first = torch.stack([z[:, :, 0] for z in seen]).mean(0)
    rest = torch.cat([z[:, :, 1:] for z in seen], dim=2).mean(2)
    return torch.cat([first[:, :, None], rest[:, :, None].expand(-1, -1, length - 1, -1)], dim=2)


def ablate(hf_model, ids, heads, replacement, positions=None) -> torch.Tensor:
    """Logits [T, V] with the z of every (layer, head) in heads replaced at the positions (None: all)."""
    edits = [Edit("z", layer, replacement[layer, head], head, positions) for layer, head in heads]
    return run(hf_model, ids, edits)
