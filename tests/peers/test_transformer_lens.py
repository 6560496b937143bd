"""The same questions put to TransformerLens, on a random GPT-2 of four layers and four heads.

TransformerLens folds LayerNorm and value biases and centres what is written, which leaves every probability, every
logit difference and the effect of every patch as it was. It does so in place, so it gets a copy of its own.
"""

import numpy as np
import pytest
import torch
from transformer_lens import patching
from transformer_lens.model_bridge import TransformerBridge
from transformers import AutoTokenizer, GPT2Config, GPT2LMHeadModel

from resstream_demo import activation_patching, direct_logit_attribution, head_ablation, logit_lens
from resstream_demo.core.models import wrap_model
from tests.agreement import assert_agree
from tests.models_under_test import N_CTX, randomise, tokenizer

LAYERS, HEADS, WIDTH = 4, 4, 64
CLEAN, CORRUPTED = [303, 91, 17, 64, 17, 33, 80, 2], [303, 91, 52, 64, 17, 77, 80, 2]
ANSWER, CONTRAST = 41, 77
LAST = -1


def gpt2():
    sizes = dict(n_layer=LAYERS, n_head=HEADS, n_embd=WIDTH, n_positions=N_CTX, vocab_size=len(tokenizer()))
    special = dict(bos_token_id=tokenizer().bos_token_id, eos_token_id=tokenizer().bos_token_id)
    model = GPT2LMHeadModel(GPT2Config(**sizes, **special))
    randomise(model, seed=0)
    return model.eval().requires_grad_(False)


@pytest.fixture(scope="module")
def ours():
    return wrap_model(gpt2(), tokenizer(), name="random")


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tokenizer")
    tokenizer().save_pretrained(folder)
    bridge = TransformerBridge.boot_transformers(
        "gpt2",
        hf_model=gpt2(),
        tokenizer=AutoTokenizer.from_pretrained(folder, add_bos_token=True),
        device="cpu",
    )
    bridge.enable_compatibility_mode(disable_warnings=True)  # folds LayerNorm and value biases, centres the rest
    return bridge


@pytest.fixture(scope="module")
def clean_cache(theirs):
    return theirs.run_with_cache(torch.tensor([CLEAN]))[1]


def logit_difference(logits):
    return logits[0, LAST, ANSWER] - logits[0, LAST, CONTRAST]


def log_softmax(logits):
    """Unaffected by the centring of W_U."""
    return torch.as_tensor(logits).log_softmax(-1)


@torch.no_grad()
def test_both_hold_the_same_model(ours, theirs):
    for ids in (CLEAN, CORRUPTED):
        expected = log_softmax(theirs(torch.tensor([ids]))[0])
        assert_agree(log_softmax(ours.logits(ids)), expected, what="log-probabilities")


SWEEPS = {  # site, positions -> TransformerLens's sweep, and the axes that turn its result into ours
    ("resid_pre", "each"): (patching.get_act_patch_resid_pre, (0, 1)),
    ("resid_mid", "each"): (patching.get_act_patch_resid_mid, (0, 1)),
    ("attn_out", "each"): (patching.get_act_patch_attn_out, (0, 1)),
    ("mlp_out", "each"): (patching.get_act_patch_mlp_out, (0, 1)),
    ("z", "each"): (patching.get_act_patch_attn_head_out_by_pos, (0, 2, 1)),
    ("q", "each"): (patching.get_act_patch_attn_head_q_by_pos, (0, 2, 1)),
    ("k", "each"): (patching.get_act_patch_attn_head_k_by_pos, (0, 2, 1)),
    ("v", "each"): (patching.get_act_patch_attn_head_v_by_pos, (0, 2, 1)),
    ("pattern", "each"): (patching.get_act_patch_attn_head_pattern_by_pos, (0, 1, 2)),
    ("z", "all"): (patching.get_act_patch_attn_head_out_all_pos, (0, 1)),
    ("q", "all"): (patching.get_act_patch_attn_head_q_all_pos, (0, 1)),
    ("k", "all"): (patching.get_act_patch_attn_head_k_all_pos, (0, 1)),
    ("v", "all"): (patching.get_act_patch_attn_head_v_all_pos, (0, 1)),
    ("pattern", "all"): (patching.get_act_patch_attn_head_pattern_all_pos, (0, 1)),
}


@torch.no_grad()
@pytest.mark.parametrize("site, positions", SWEEPS)
def test_a_patching_sweep_gives_the_same_table(ours, theirs, clean_cache, site, positions):
    sweep, axes = SWEEPS[site, positions]
    table = sweep(theirs, torch.tensor([CORRUPTED]), clean_cache, logit_difference)
    result = activation_patching(ours, CLEAN, CORRUPTED, ANSWER, CONTRAST, site=site, positions=positions)
    assert np.ptp(result.values) > 0.1
    assert_agree(result.values, table.permute(axes), what=f"{site} {positions}")


@torch.no_grad()
def test_attribution_by_head_and_mlp_is_the_same(ours, clean_cache):
    result = direct_logit_attribution(ours, CLEAN, ANSWER, CONTRAST, value_bias="folded")
    heads = clean_cache.stack_head_results(layer=-1, pos_slice=LAST)
    shares = clean_cache.logit_attrs(heads, ANSWER, CONTRAST, pos_slice=LAST)
    assert_agree(result.heads, shares.reshape(LAYERS, HEADS), what="heads")

    parts, labels = clean_cache.decompose_resid(layer=-1, mode="mlp", pos_slice=LAST, return_labels=True)
    shares = dict(zip(labels, clean_cache.logit_attrs(parts, ANSWER, CONTRAST, pos_slice=LAST)[:, 0], strict=True))
    assert_agree(result.mlps, [shares[f"{layer}_mlp_out"] for layer in range(LAYERS)], what="MLPs")
    of = dict(zip(result.components, result.values, strict=True))
    assert_agree([of["embed"], of["pos_embed"]], [shares["embed"], shares["pos_embed"]], what="embeddings")

    layers, labels = clean_cache.decompose_resid(layer=-1, mode="attn", pos_slice=LAST, return_labels=True)
    shares = dict(zip(labels, clean_cache.logit_attrs(layers, ANSWER, CONTRAST, pos_slice=LAST)[:, 0], strict=True))
    attention = [shares[f"{layer}_attn_out"] for layer in range(LAYERS)]
    assert_agree(result.heads.sum(1) + result.attn_bias, attention, what="attention layers with their biases")


@torch.no_grad()
def test_the_lens_with_a_fresh_norm_is_the_same(ours, theirs, clean_cache):
    rows = clean_cache.logit_lens(positions=None, incl_mid=False).values
    expected = log_softmax(rows)[:, 0].exp()  # embedding, then the stream after each layer: [L + 1, T, V]
    result = logit_lens(ours, CLEAN, targets=range(0, 300, 7), norm="fresh")
    assert_agree(result.target_probs, expected[..., range(0, 300, 7)], what="fresh")


@torch.no_grad()
def test_the_lens_with_the_final_norm_is_the_same(ours, theirs, clean_cache):
    rows = clean_cache.accumulated_resid(layer=-1)
    scaled = clean_cache.apply_ln_to_stack(rows, layer=-1)  # divided by the scale cached at the output
    expected = log_softmax(scaled @ theirs.W_U + theirs.b_U)[:, 0].exp()
    result = logit_lens(ours, CLEAN, targets=range(0, 300, 7), norm="final")
    assert_agree(result.target_probs, expected[..., range(0, 300, 7)], what="final")


@torch.no_grad()
@pytest.mark.parametrize("positions", ["all", [3, 7]], ids=str)
def test_bias_only_ablation_is_what_it_calls_zero(ours, theirs, positions):
    at = list(range(len(CLEAN))) if positions == "all" else positions

    def without(layer, head):
        def zero(z, hook):
            z[:, at, head] = 0.0
            return z

        return theirs.run_with_hooks(torch.tensor([CLEAN]), fwd_hooks=[(f"blocks.{layer}.attn.hook_z", zero)])

    expected = [[logit_difference(without(layer, head)) for head in range(HEADS)] for layer in range(LAYERS)]
    result = head_ablation(ours, CLEAN, ANSWER, CONTRAST, kind="bias_only", positions=positions)
    assert np.abs(result.effect).max() > 0.1
    assert_agree(result.values, expected, what="bias_only")


@torch.no_grad()
def test_the_loss_is_the_same(ours, theirs):
    own = theirs(torch.tensor([CLEAN]), return_type="loss").item()
    assert head_ablation(ours, CLEAN, metric="loss").baseline == pytest.approx(own, abs=1e-4)
