"""The oracle is checked before anything is checked against it: with transformers, and with itself."""

import math

import pytest
import torch

from tests.models_under_test import PAIRS, SHAPES, reference, tokenizer
from tests.oracle import (
    HEAD_SITES,
    METRICS,
    RESID_SITES,
    SITES,
    W_O,
    Edit,
    attribution,
    lens_rows,
    metric,
    record,
    run,
)

CLEAN, CORRUPTED = PAIRS["different from the first token on"]
every_model = pytest.mark.parametrize("name", SHAPES)


@torch.no_grad()
def plain_forward(model, ids, **options):
    return model(torch.tensor([ids]), **options)


@every_model
def test_models_differ_visibly_between_prompts_and_attend_unevenly(name):
    model = reference(name)
    apart = (plain_forward(model, CLEAN).logits - plain_forward(model, CORRUPTED).logits)[0, -1].float().std()
    assert apart > 0.5
    attentions = plain_forward(model, CLEAN, output_attentions=True).attentions
    last_rows = torch.stack([pattern[0, :, -1] for pattern in attentions])
    assert last_rows.float().amax(-1).mean() > 1.5 / len(CLEAN)
    assert last_rows.float().amax(-1).mean() < 0.9


@every_model
def test_every_layernorm_and_bias_is_far_from_its_default(name):
    for parameter_name, parameter in reference(name).named_parameters():
        if ".ln_" in parameter_name and parameter_name.endswith("weight"):
            assert (parameter - 1).abs().float().mean() > 0.1, parameter_name
        elif parameter_name.endswith("bias"):
            assert parameter.abs().float().mean() > 0.1, parameter_name


@every_model
def test_what_is_recorded_adds_up_as_the_stream_does(name):
    model = reference(name)
    seen = {site: value.float() for site, value in record(model, CLEAN).items()}
    close = dict(atol=0.05 if name == "bfloat16" else 1e-5, rtol=0.02 if name == "bfloat16" else 1e-5)
    torch.testing.assert_close(seen["resid_pre"] + seen["attn_out"], seen["resid_mid"], **close)
    torch.testing.assert_close(seen["resid_mid"] + seen["mlp_out"], seen["resid_post"], **close)
    assert torch.equal(seen["resid_post"][:-1], seen["resid_pre"][1:])
    torch.testing.assert_close(seen["pattern"] @ seen["v"], seen["z"], **close)
    for layer, block in enumerate(model.transformer.h):
        written = torch.einsum("htd,hde->te", seen["z"][layer], W_O(model, layer)) + block.attn.c_proj.bias
        torch.testing.assert_close(written, seen["attn_out"][layer], **close)
    attentions = plain_forward(model, CLEAN, output_attentions=True).attentions
    assert torch.equal(seen["pattern"], torch.cat(attentions).float())


@every_model
def test_without_edits_the_oracle_is_the_model_and_leaves_no_hook_behind(name):
    model = reference(name)
    edit = Edit("mlp_out", 0, torch.zeros(len(CLEAN), model.config.n_embd))
    hooks = hook_count(model)
    before = plain_forward(model, CLEAN).logits[0].float()
    assert not torch.equal(run(model, CLEAN, [edit]), before)
    assert torch.equal(run(model, CLEAN), before)
    record(model, CLEAN)
    assert hook_count(model) == hooks


def hook_count(model):
    return sum(len(m._forward_hooks) + len(m._forward_pre_hooks) for m in model.modules())


@every_model
@pytest.mark.parametrize("site", SITES)
def test_patching_a_run_into_itself_changes_nothing_and_into_another_does(name, site):
    model = reference(name)
    own, other = record(model, CLEAN)[site], record(model, CORRUPTED)[site]
    plain = run(model, CLEAN)
    tolerance = 0.05 if name == "bfloat16" else 1e-5
    for layer in range(model.config.n_layer):
        for head in range(model.config.n_head) if site in HEAD_SITES else [None]:
            pick = (layer,) if head is None else (layer, head)
            torch.testing.assert_close(
                run(model, CLEAN, [Edit(site, layer, own[pick], head)]), plain, atol=tolerance, rtol=0.0
            )
            assert (run(model, CLEAN, [Edit(site, layer, other[pick], head)]) - plain).abs().max() > 1e-2


@pytest.mark.parametrize("site", RESID_SITES)
def test_an_edit_reaches_only_its_own_and_later_positions(site):
    model = reference("plain")
    value = record(model, CORRUPTED)[site][0]
    changed = (run(model, CLEAN, [Edit(site, 0, value, positions=[3])]) - run(model, CLEAN)).abs().amax(-1)
    assert changed[:3].max() == 0 and changed[3:].min() > 1e-3


def test_taking_the_whole_stream_from_another_run_gives_that_run():
    model = reference("plain")
    for site in ("resid_pre", "resid_mid", "resid_post"):
        edits = [Edit(site, 1, record(model, CORRUPTED)[site][1])]
        if site == "resid_mid":  # attention of layer 1 has already happened, later layers see only the edit
            assert torch.allclose(run(model, CLEAN, edits), run(model, CORRUPTED), atol=1e-5)
        else:
            assert torch.equal(run(model, CLEAN, edits), run(model, CORRUPTED))


def test_patterns_and_values_edited_together_multiply():
    model, other = reference("plain"), record(reference("plain"), CORRUPTED)
    for_z = [Edit("z", 1, other["z"][1, 2], 2)]
    for_both = [Edit("v", 1, other["v"][1, 2], 2), Edit("pattern", 1, other["pattern"][1, 2], 2)]
    assert torch.allclose(run(model, CLEAN, for_z), run(model, CLEAN, for_both), atol=1e-5)


@every_model
@pytest.mark.parametrize("norm", ["fresh", "final"])
def test_the_last_lens_row_is_the_model(name, norm):
    labels, logits = lens_rows(reference(name), CLEAN, ("resid_mid", "resid_post"), norm)
    assert labels[-1] == (reference(name).config.n_layer - 1, "resid_post")
    tolerance = 0.1 if name == "bfloat16" else 1e-4
    torch.testing.assert_close(logits[-1], run(reference(name), CLEAN), atol=tolerance, rtol=0.0)


@every_model
@pytest.mark.parametrize("value_bias", ["folded", "in_heads"])
def test_attribution_sums_to_the_logit(name, value_bias):
    model, logits = reference(name), run(reference(name), CLEAN)
    tolerance = 0.1 if name == "bfloat16" else 1e-4
    parts, by_source = attribution(model, CLEAN, 41, 77, 4, value_bias)
    assert sum(parts.values()) == pytest.approx((logits[4, 41] - logits[4, 77]).item(), abs=tolerance)
    assert by_source[0, 0].sum().item() == pytest.approx(parts["L0H0"], abs=tolerance)
    alone, _ = attribution(model, CLEAN, 41, None, -1, value_bias)
    assert sum(alone.values()) == pytest.approx(logits[-1, 41].item(), abs=tolerance)


def test_metrics_on_a_distribution_worked_out_by_hand():
    logits = torch.tensor([[0.0, 1.0, 2.0], [1.0, 3.0, 2.0]]).log()  # last row: probabilities 1/6, 3/6, 2/6
    clean = torch.tensor([[1.0, 1.0, 2.0]]).log()
    values = {m: metric(m, logits, answer=2, contrast=0, clean=clean) for m in METRICS}
    divergence = 0.25 * math.log(0.25 * 6) + 0.25 * math.log(0.25 * 2) + 0.5 * math.log(0.5 * 3)
    expected = dict(logit_diff=math.log(2), prob=1 / 3, logprob=math.log(1 / 3), rank=1, kl=divergence)
    assert values == pytest.approx(expected, abs=1e-6)
    assert metric("loss", logits, ids=[0, 2]) == pytest.approx(math.log(3 / 2), abs=1e-6)


def test_the_toy_tokenizer_behaves_like_gpt2s():
    tok = tokenizer()
    assert tok.convert_ids_to_tokens(tok.bos_token_id) == "<|endoftext|>" and tok.bos_token_id == len(tok) - 1
    assert tok.tokenize("When Mary") == ["When", "ĠMary"]
    assert len(tok.tokenize("\N{GRINNING FACE}")) == 4
    for text in ("a <b>\t\n é 漢", "  two  spaces"):
        assert tok.decode(tok(text)["input_ids"]) == text
