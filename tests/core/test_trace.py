"""A trace holds what a transformers forward with hooks would have recorded."""

import numpy as np
import pytest
import torch

from tests.agreement import assert_agree, exact_twin
from tests.models_under_test import BOS, CLEAN_TEXT, FLOAT32, PAIRS, SHAPES, build, explored, ids_of, reference
from tests.oracle import SITES, record, run

IDS = PAIRS["different from the first token on"][0]
every_model = pytest.mark.parametrize("name", SHAPES)


@pytest.mark.parametrize("name", FLOAT32)
@pytest.mark.parametrize("site", SITES)
def test_every_site_is_what_hooks_record(name, site):
    recorded = record(reference(name), IDS)[site]
    assert_agree(getattr(explored(name).trace(IDS), site), recorded, what=site)


@pytest.mark.parametrize("name", FLOAT32)
def test_the_final_stream_is_the_last_resid_post_before_the_final_norm(name):
    trace = explored(name).trace(IDS)
    assert_agree(trace.final, record(reference(name), IDS)["resid_post"][-1], what="final")
    assert torch.equal(trace.final, trace.resid_post[-1])


@pytest.mark.parametrize("site", SITES)
def test_bfloat16_records_as_near_the_truth_as_transformers_does(site):
    truth, hooked = (record(m, IDS)[site].float() for m in (exact_twin("bfloat16"), reference("bfloat16")))
    noise = (hooked - truth).abs().max().item()
    measured = getattr(explored("bfloat16").trace(IDS), site)
    assert measured.dtype == torch.bfloat16 or site == "pattern"
    assert_agree(measured.float(), truth, what=site, atol=2 * noise, rtol=0)


@every_model
def test_shapes_are_layers_heads_positions(name):
    model, trace = explored(name), explored(name).trace(IDS)
    layers, heads, length = model.n_layers, model.n_heads, len(IDS)
    for site in ("resid_pre", "resid_mid", "resid_post", "attn_out", "mlp_out"):
        assert getattr(trace, site).shape == (layers, length, model.d_model), site
    for site in ("q", "k", "v", "z"):
        assert getattr(trace, site).shape == (layers, heads, length, model.d_head), site
    assert trace.pattern.shape == (layers, heads, length, length)
    assert trace.final.shape == (length, model.d_model)


@every_model
def test_attention_rows_are_distributions_over_earlier_positions(name):
    pattern = explored(name).trace(IDS).pattern.float()
    assert_agree(pattern.sum(-1), torch.ones(pattern.shape[:-1]), what="row sums", atol=0.02)
    assert pattern.triu(diagonal=1).abs().max() == 0 and pattern.min() >= 0


@pytest.mark.parametrize("name", FLOAT32)
def test_the_stream_is_the_sum_of_what_was_written(name):
    trace = explored(name).trace(IDS)
    total = trace.resid_pre[0] + trace.attn_out.sum(0) + trace.mlp_out.sum(0)
    assert_agree(trace.final, total, what="embedding plus every write")


@pytest.mark.parametrize("name", FLOAT32)
def test_logits_are_the_models_own(name):
    logits = explored(name).logits(IDS)
    assert logits.dtype == np.float32
    assert_agree(logits, run(reference(name), IDS), what="logits", atol=1e-5, rtol=1e-5)


@every_model
def test_sizes_are_read_from_the_model(name):
    model, config = explored(name), reference(name).config
    assert (model.n_layers, model.n_heads, model.d_model) == (config.n_layer, config.n_head, config.n_embd)
    assert model.d_head == config.n_embd // config.n_head
    assert model.d_mlp == (config.n_inner or 4 * config.n_embd)
    assert (model.n_ctx, model.vocab_size) == (config.n_positions, config.vocab_size)
    assert model.dtype == reference(name).dtype or str(model.dtype) in str(reference(name).dtype)
    assert model.name == name


def test_a_string_a_prompt_and_a_list_of_ids_are_the_same_run():
    model = explored("plain")
    prompt = model.tokenize(CLEAN_TEXT)
    assert list(prompt.ids) == ids_of(CLEAN_TEXT)
    for same in (CLEAN_TEXT, ids_of(CLEAN_TEXT), tuple(ids_of(CLEAN_TEXT)), prompt):
        assert model.trace(same).prompt.ids == prompt.ids
        assert torch.equal(model.trace(same).final, model.trace(prompt).final)
        assert np.array_equal(model.logits(same), model.logits(prompt))


def test_bos_is_put_in_front_unless_refused():
    model = explored("plain")
    assert model.tokenize(CLEAN_TEXT).ids[0] == model.tokenizer.convert_tokens_to_ids(BOS)
    assert list(model.tokenize(CLEAN_TEXT, bos=False).ids) == ids_of(CLEAN_TEXT, bos=False)


def test_a_model_left_in_train_mode_is_run_without_dropout():
    from resstream_demo.core.models import wrap_model

    hf_model = build("plain").train()
    model = wrap_model(hf_model, explored("plain").tokenizer)
    assert_agree(model.logits(IDS), run(reference("plain"), IDS), what="logits", atol=1e-5)
    assert_agree(model.trace(IDS).final, record(reference("plain"), IDS)["resid_post"][-1], what="final")
