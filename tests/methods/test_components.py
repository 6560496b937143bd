"""One head or one MLP at one position: read with hooks on a plain forward, and written out on what they saw."""

import json

import numpy as np
import pytest
import torch
from accelerate import cpu_offload

from resstream_demo import direct_logit_attribution
from resstream_demo.core.errors import ExplorerError, OptionError, PromptError, TokenError
from resstream_demo.core.gpt2 import GPT2Adapter
from resstream_demo.core.models import wrap_model
from resstream_demo.figures.export import result_to_csv, result_to_json
from resstream_demo.methods import components
from resstream_demo.methods.components import head_detail, mlp_detail
from tests.agreement import assert_agree, exact_twin
from tests.models_under_test import (
    CLEAN_TEXT,
    FLOAT32,
    PADDING_ROWS,
    PAIRS,
    SHAPES,
    build,
    explored,
    ids_of,
    reference,
    tokenizer,
)
from tests.oracle import W_O, attribution, constant_value, record, run

IDS = PAIRS["different from the first token on"][0]
ALL = 10**6  # more tokens, or neurons, than there are
every_model = pytest.mark.parametrize("name", FLOAT32)
both_biases = pytest.mark.parametrize("value_bias", ["folded", "in_heads"])
both_questions = pytest.mark.parametrize("contrast", [77, None], ids=["difference", "single logit"])
positions = pytest.mark.parametrize("position", [-1, 3, 0])


def heads_of(name):
    """A head of the first and one of the last layer."""
    model = explored(name)
    return [(0, 0), (model.n_layers - 1, model.n_heads - 1)]


# ---- the plain answer ---------------------------------------------------------------------------------------


def effects(hf_model, write, position, ids=IDS):
    """What a write [..., d] adds to every logit [..., V], the final norm's divisor held, minus the mean over V."""
    ln = hf_model.transformer.ln_f
    final = record(hf_model, ids)["resid_post"][-1, position].float()
    std = (final.var(unbiased=False) + ln.eps).sqrt()
    scaled = (write - write.mean(-1, keepdim=True)) / std * ln.weight.float()
    added = scaled @ hf_model.lm_head.weight.float().T
    return (added - added.mean(-1, keepdim=True)).detach()


def head_write(hf_model, layer, head, position, value_bias, ids=IDS):
    z = record(hf_model, ids)["z"][layer, head, position].float()
    constant = constant_value(hf_model, layer)[head] if value_bias == "folded" else 0.0
    return (z - constant) @ W_O(hf_model, layer)[head]


@torch.no_grad()
def neuron_writes(hf_model, layer, position, ids=IDS):
    """Activations [d_mlp] as the MLP's last map receives them, what each neuron writes [d_mlp, d], and the bias."""
    last_map, seen = hf_model.transformer.h[layer].mlp.c_proj, []
    handle = last_map.register_forward_pre_hook(lambda _, args: seen.append(args[0][0, position].float()))
    hf_model(torch.tensor([list(ids)]))
    handle.remove()
    return seen[0], seen[0][:, None] * last_map.weight.float(), last_map.bias.float()


def share(hf_model, write, position, contrast):
    """The share of a write in logit 41, or in the difference to another."""
    added = effects(hf_model, write, position)
    if contrast is not None:
        return (added[..., 41] - added[..., contrast]).numpy()
    ln = hf_model.transformer.ln_f
    std = (record(hf_model, IDS)["resid_post"][-1, position].var(unbiased=False) + ln.eps).sqrt()
    centred = write - write.mean(-1, keepdim=True)
    return (centred / std * ln.weight @ hf_model.lm_head.weight[41]).detach().numpy()


def assert_strongest(shown, expected, k, what):
    """The shown tokens are the k that expected effects [V] raise most, and each shows its own effect."""
    assert_agree(shown.values, expected.topk(min(k, len(expected))).values, what=what)
    assert_agree(shown.values, expected[torch.tensor(shown.ids)], what=f"{what}, by id")
    assert len(set(shown.ids.tolist())) == len(shown.ids) == len(shown.tokens)


def assert_weakest(shown, expected, k, what):
    assert_agree(shown.values, -(-expected).topk(min(k, len(expected))).values, what=what)
    assert_agree(shown.values, expected[torch.tensor(shown.ids)], what=f"{what}, by id")


# ---- heads --------------------------------------------------------------------------------------------------


@every_model
@positions
def test_the_attention_row_is_the_models(name, position):
    pattern = record(reference(name), IDS)["pattern"]
    for layer, head in heads_of(name):
        result = head_detail(explored(name), IDS, layer, head, position=position)
        assert_agree(result.pattern, pattern[layer, head, position], what="attention row")
        assert (result.pattern[result.position + 1 :] == 0).all() and result.pattern.dtype == np.float32
        assert result.position == position % len(IDS)


@every_model
@both_biases
@both_questions
@positions
def test_shares_by_source_are_the_oracles_and_attributions(name, value_bias, contrast, position):
    options = dict(contrast=contrast, position=position, value_bias=value_bias)
    _, by_source = attribution(reference(name), IDS, 41, **options)
    whole = direct_logit_attribution(explored(name), IDS, 41, **options)
    for layer, head in heads_of(name):
        result = head_detail(explored(name), IDS, layer, head, 41, **options)
        assert_agree(result.by_source, by_source[layer, head], what="by source")
        assert_agree(result.by_source, whole.by_source[layer, head], what="attribution's by_source", atol=1e-5)
        assert result.share == pytest.approx(whole.heads[layer, head], abs=1e-5)
        assert all(receipt.ok for receipt in result.receipts)


@every_model
@both_biases
@positions
def test_a_heads_tokens_are_those_whose_logits_its_write_moves_most(name, value_bias, position):
    for layer, head in heads_of(name):
        expected = effects(reference(name), head_write(reference(name), layer, head, position, value_bias), position)
        for k in (5, ALL):
            result = head_detail(explored(name), IDS, layer, head, position=position, value_bias=value_bias, k=k)
            assert_strongest(result.promoted, expected, k, "promoted")
            assert_weakest(result.suppressed, expected, k, "suppressed")


@every_model
def test_a_heads_norms_are_those_of_its_write_and_of_the_stream_it_reads(name):
    for layer, head in heads_of(name):
        write = head_write(reference(name), layer, head, 3, "folded")
        stream = record(reference(name), IDS)["resid_pre"][layer, 3]
        result = head_detail(explored(name), IDS, layer, head, position=3)
        assert result.write_norm == pytest.approx(write.norm().item(), rel=1e-4)
        assert result.stream_norm == pytest.approx(stream.norm().item(), rel=1e-4)


@every_model
@positions
def test_all_effects_and_the_biases_add_up_to_the_models_own_logits(name, position):
    """Softmax sees nothing else: embeddings, heads, attention biases, MLPs and the last two biases are all there is."""
    model, own = explored(name), reference(name)
    embeddings = record(own, IDS)["resid_pre"][0, position]
    biases = sum(block.attn.c_proj.bias for block in own.transformer.h)
    total = effects(own, embeddings + biases, position).numpy()
    last = own.transformer.ln_f.bias @ own.lm_head.weight.T + (0.0 if own.lm_head.bias is None else own.lm_head.bias)
    total = total + (last - last.mean()).detach().numpy()
    for layer in range(model.n_layers):
        details = [
            head_detail(model, IDS, layer, head, position=position, value_bias="in_heads", k=ALL)
            for head in range(model.n_heads)
        ]
        for detail in (*details, mlp_detail(model, IDS, layer, position=position, k=ALL)):
            total[detail.promoted.ids] += detail.promoted.values
    logits = run(own, IDS)[position]
    assert_agree(total, logits - logits.mean(), what="logits above their mean", atol=3e-4)


def test_without_an_answer_a_head_has_no_shares():
    result = head_detail(explored("plain"), IDS, 1, 2)
    assert result.by_source is None and result.share is None and result.answer is None
    assert list(result.frame()) == ["position", "token", "weight"]
    assert "sources − write" in [receipt.name for receipt in result.receipts if receipt.ok]


# ---- MLPs ---------------------------------------------------------------------------------------------------


def layers_of(name):
    return sorted({0, explored(name).n_layers - 1})


@every_model
@both_questions
@positions
def test_every_neurons_contribution_is_its_own_projection(name, contrast, position):
    for layer in layers_of(name):
        activations, writes, bias = neuron_writes(reference(name), layer, position)
        result = mlp_detail(explored(name), IDS, layer, 41, contrast, position=position, neurons=ALL, k=1)
        expected = share(reference(name), writes, position, contrast)
        assert sorted(result.neurons) == torch.nonzero(activations).ravel().tolist()
        assert_agree(result.activations, activations[result.neurons], what="activations")
        assert_agree(result.contributions, expected[result.neurons], what="contributions")
        assert_agree(result.write_norms, writes[result.neurons].norm(dim=-1), what="lengths")
        assert result.bias == pytest.approx(share(reference(name), bias, position, contrast), abs=1e-4)
        assert result.rest == pytest.approx(0.0, abs=1e-4)


@every_model
@both_questions
@positions
def test_neurons_rest_and_bias_add_up_to_attributions_row(name, contrast, position):
    whole = direct_logit_attribution(explored(name), IDS, 41, contrast, position=position)
    for layer in layers_of(name):
        result = mlp_detail(explored(name), IDS, layer, 41, contrast, position=position, neurons=6)
        assert result.total == pytest.approx(whole.mlps[layer], abs=1e-4)
        parts = result.contributions.sum(dtype=np.float64) + result.rest + result.bias
        assert parts == pytest.approx(result.total, abs=1e-5) and abs(result.rest) > 1e-4
        assert {"neurons − MLP", "neurons − write", "shares − effect"} <= {r.name for r in result.receipts if r.ok}
        assert all(receipt.ok for receipt in result.receipts)


@every_model
def test_the_strongest_neurons_come_first(name):
    for layer in layers_of(name):
        activations, writes, _ = neuron_writes(reference(name), layer, -1)
        by_share = np.abs(share(reference(name), writes, -1, 77))
        result = mlp_detail(explored(name), IDS, layer, 41, 77, neurons=7)
        assert_agree(np.abs(result.contributions), np.sort(by_share)[::-1][:7], what="largest contributions")
        result = mlp_detail(explored(name), IDS, layer, neurons=7)
        assert_agree(result.write_norms, writes.norm(dim=-1).topk(7).values, what="longest writes")
        assert_agree(result.activations, activations[result.neurons], what="their activations")
        assert result.contributions is result.rest is result.bias is result.total is None
        assert all(receipt.ok for receipt in result.receipts)


@every_model
@positions
def test_a_neuron_promotes_what_its_row_points_to_with_the_sign_of_its_activation(name, position):
    layer = layers_of(name)[-1]
    activations, writes, _ = neuron_writes(reference(name), layer, position)
    rows = reference(name).transformer.h[layer].mlp.c_proj.weight
    result = mlp_detail(explored(name), IDS, layer, 41, position=position, neurons=ALL, k=4)
    assert len(result.neuron_promoted) == len(result.neurons) > 10
    for neuron, shown in list(zip(result.neurons, result.neuron_promoted, strict=True))[::5]:
        assert_strongest(shown, effects(reference(name), writes[neuron], position), 4, f"neuron {neuron}")
        pointed = effects(reference(name), rows[neuron].detach() * activations[neuron].sign(), position)
        assert_agree(pointed[torch.tensor(shown.ids)], pointed.topk(4).values, what=f"row of neuron {neuron}")


def test_negative_activations_are_among_those_tested():
    """Otherwise the sign in the test above would not matter."""
    result = mlp_detail(explored("plain"), IDS, 2, 41, neurons=ALL, k=1)
    assert (result.activations < 0).sum() > 20 and (result.activations > 0).sum() > 20


def test_silent_neurons_are_not_named():
    activations, *_ = neuron_writes(reference("unscaled attention, relu"), 1, -1)
    result = mlp_detail(explored("unscaled attention, relu"), IDS, 1, 41, neurons=ALL)
    assert 0 < len(result.neurons) == int((activations != 0).sum()) < len(activations)


@every_model
@positions
def test_the_whole_mlp_promotes_what_all_it_wrote_moves(name, position):
    for layer in layers_of(name):
        seen = record(reference(name), IDS)
        write = seen["mlp_out"][layer, position]
        expected = effects(reference(name), write, position)
        result = mlp_detail(explored(name), IDS, layer, position=position, neurons=1, k=6)
        assert_strongest(result.promoted, expected, 6, "promoted")
        assert_weakest(result.suppressed, expected, 6, "suppressed")
        assert result.write_norm == pytest.approx(write.norm().item(), rel=1e-4)
        assert result.stream_norm == pytest.approx(seen["resid_mid"][layer, position].norm().item(), rel=1e-4)


def test_only_a_few_neurons_are_spread_over_the_vocabulary_at_a_time(monkeypatch):
    model = explored("plain")
    usual = mlp_detail(model, IDS, 1, 41, neurons=9)
    own, seen = GPT2Adapter.logit_effect, []

    def watched(adapter, parts, scale):
        seen.append(parts.shape[:-1].numel())
        return own(adapter, parts, scale)

    monkeypatch.setattr(GPT2Adapter, "logit_effect", watched)
    monkeypatch.setattr(components, "BLOCK_FLOATS", 2 * model.vocab_size)
    blocked = mlp_detail(model, IDS, 1, 41, neurons=9)
    assert max(seen) == 2 and sum(seen) == 10  # nine neurons and the whole
    for one, other in zip(usual.neuron_promoted, blocked.neuron_promoted, strict=True):
        assert_agree(one.values, other.values, what="effects", atol=1e-5)


# ---- both ---------------------------------------------------------------------------------------------------


def details(name, prompt=IDS, answer=41, contrast=77, **options):
    model = explored(name)
    layer = model.n_layers - 1
    return (
        head_detail(model, prompt, layer, 0, answer, contrast, **options),
        mlp_detail(model, prompt, layer, answer, contrast, **options),
    )


def test_bfloat16_is_read_in_float32():
    def errors(hf_model):
        write = head_write(hf_model, 2, 0, -1, "folded")
        _, writes, _ = neuron_writes(hf_model, 2, -1)
        return effects(hf_model, write, -1), effects(hf_model, writes, -1)

    truth, hooked = errors(exact_twin("bfloat16")), errors(reference("bfloat16"))
    noise = [(a - b).abs().max().item() for a, b in zip(truth, hooked, strict=True)]
    head = head_detail(explored("bfloat16"), IDS, 2, 0, 41, 77, k=ALL)
    mlp = mlp_detail(explored("bfloat16"), IDS, 2, 41, 77, neurons=ALL, k=ALL)
    shown = np.zeros(len(truth[0]))
    shown[head.promoted.ids] = head.promoted.values
    assert_agree(shown, truth[0], what="effects of a head", atol=2 * noise[0], rtol=0)
    for neuron, promoted in zip(mlp.neurons, mlp.neuron_promoted, strict=True):
        shown[promoted.ids] = promoted.values
        assert_agree(shown, truth[1][neuron], what=f"effects of neuron {neuron}", atol=2 * noise[1], rtol=0)
    for array in (head.pattern, head.by_source, mlp.activations, mlp.contributions, mlp.write_norms):
        assert array.dtype == np.float32 and np.isfinite(array).all()
    assert all(receipt.ok for receipt in (*head.receipts, *mlp.receipts))


def test_weights_that_are_kept_elsewhere_give_the_same_numbers():
    hf_model = build("plain")
    cpu_offload(hf_model, execution_device="cpu")
    assert next(hf_model.parameters()).is_meta, "nothing was offloaded, so this would test nothing"
    model = wrap_model(hf_model, tokenizer())
    for one, other in zip(
        details("plain"), (head_detail(model, IDS, 2, 0, 41, 77), mlp_detail(model, IDS, 2, 41, 77)), strict=True
    ):
        numbers = one.frame().select_dtypes("number")
        assert_agree(other.frame()[list(numbers)], numbers, what="numbers", atol=1e-5)
        assert_agree(other.promoted.values, one.promoted.values, what="promoted", atol=1e-5)


def test_words_are_resolved_and_a_recorded_run_does_as_well_as_its_text():
    model = explored("plain")
    answer, contrast = (ids_of(f" {word}", bos=False)[0] for word in ("Mary", "John"))
    trace = model.trace(CLEAN_TEXT)
    for one, other in zip(
        details("plain", CLEAN_TEXT, "Mary", "John"), details("plain", trace, answer, contrast), strict=True
    ):
        assert (one.answer.id, one.contrast.id) == (answer, contrast) and one.prompt == other.prompt
        assert one.frame().equals(other.frame()) and one.info.options == other.info.options


def test_without_bos_the_first_source_is_the_first_word():
    for result in details("plain", CLEAN_TEXT, bos=False):
        assert list(result.prompt.ids) == ids_of(CLEAN_TEXT, bos=False) and result.info.bos is False


def test_the_vocabulary_past_the_tokenizer_has_names_too():
    model = explored("untied, resized vocabulary")
    unowned = range(model.vocab_size - PADDING_ROWS, model.vocab_size)
    for result in details("untied, resized vocabulary", k=ALL):
        names = dict(zip(result.promoted.ids.tolist(), result.promoted.tokens, strict=True))
        assert set(names) == set(range(model.vocab_size))
        assert all(str(i) in names[i] for i in unowned)


@pytest.mark.parametrize("name", SHAPES)
def test_frames_and_exports_hold_what_the_arrays_hold(name):
    head, mlp = details(name, k=3)
    assert np.array_equal(head.frame()["weight"], head.pattern)
    assert np.array_equal(head.frame()["share"], head.by_source) and len(head.frame()) == len(IDS)
    assert np.array_equal(mlp.frame()["neuron"], mlp.neurons)
    assert np.array_equal(mlp.frame()["contribution"], mlp.contributions)
    assert mlp.frame()["promotes"][0] == " ".join(mlp.neuron_promoted[0].tokens)
    assert np.array_equal(head.promoted.frame()["effect"], head.promoted.values)
    for result in (head, mlp):
        plain = json.loads(result_to_json(result))
        assert plain["promoted"]["ids"] == result.promoted.ids.tolist()
        assert len(result_to_csv(result).splitlines()) == len(result.frame()) + 1
        assert plain["info"]["options"]["layer"] == result.layer and plain["info"]["options"]["answer"] == 41


@pytest.mark.parametrize(
    "method, factor, of_head, of_mlp",
    [
        ("W_out", 1.2, set(), {"neurons − write", "neurons − MLP", "shares − effect"}),
        ("b_out", 1.5, set(), {"neurons − write", "neurons − MLP", "shares − effect"}),
        ("logit_effect", 1.2, {"shares − effect"}, {"shares − effect"}),
        ("frozen_direction", 1.2, {"shares − effect"}, {"shares − effect"}),
    ],
)
def test_receipts_turn_red_when_a_part_is_wrong(method, factor, of_head, of_mlp, monkeypatch):
    own = getattr(GPT2Adapter, method)
    monkeypatch.setattr(GPT2Adapter, method, lambda adapter, *args: own(adapter, *args) * factor)
    for result, expected in zip(details("plain"), (of_head, of_mlp), strict=True):
        assert {receipt.name for receipt in result.receipts if not receipt.ok} == expected


def test_a_receipt_turns_red_when_attention_is_read_in_the_wrong_order(monkeypatch):
    own = components._attention_row
    monkeypatch.setattr(components, "_attention_row", lambda *args: own(*args).flip(0))
    head, _ = details("plain")
    assert "sources − write" in {receipt.name for receipt in head.receipts if not receipt.ok}


@pytest.mark.parametrize(
    "method, arguments, options, offending, error",
    [
        (head_detail, (3, 0), {}, "layers 0–2", OptionError),
        (head_detail, (0, 4), {}, "L0H4", OptionError),
        (head_detail, (-1, 0), {}, "L-1H0", OptionError),
        (head_detail, (0, 1.0), {}, "1.0", OptionError),
        (head_detail, (0, 0), dict(value_bias="unfolded"), "unfolded", OptionError),
        (mlp_detail, (3,), {}, "layers 0–2", OptionError),
        (mlp_detail, (-1,), {}, "-1", OptionError),
        (mlp_detail, ("L0",), {}, "'L0'", OptionError),
        (mlp_detail, (True,), {}, "True", OptionError),
        (mlp_detail, (0,), dict(neurons=0), "neurons", OptionError),
    ],
)
def test_a_part_that_does_not_exist_is_named(method, arguments, options, offending, error):
    with pytest.raises(error) as caught:
        method(explored("plain"), IDS, *arguments, **options)
    assert isinstance(caught.value, ExplorerError)
    assert offending in str(caught.value) and str(caught.value).endswith(".")


@pytest.mark.parametrize(
    "options, offending, error",
    [
        (dict(position=7), "7", OptionError),
        (dict(position=-8), "-8", OptionError),
        (dict(position=1.5), "1.5", OptionError),
        (dict(k=0), "k must be", OptionError),
        (dict(answer=99_999), "99999", TokenError),
        (dict(answer=41, contrast="Marygave"), "tokens", TokenError),
        (dict(contrast=77), "77", TokenError),
        (dict(prompt=""), "empty", PromptError),
    ],
)
@pytest.mark.parametrize("method, arguments", [(head_detail, (0, 0)), (mlp_detail, (0,))], ids=["head", "mlp"])
def test_a_wrong_option_is_named(method, arguments, options, offending, error):
    options = dict(options)
    with pytest.raises(error) as caught:
        method(explored("plain"), options.pop("prompt", IDS), *arguments, **options)
    assert isinstance(caught.value, ExplorerError)
    assert offending in str(caught.value).replace(",", "") and str(caught.value).endswith(".")


def test_numbers_that_are_not_finite_are_an_error_and_no_blank(monkeypatch):
    own = GPT2Adapter.logit_effect
    monkeypatch.setattr(GPT2Adapter, "logit_effect", lambda *args: own(*args) * float("nan"))
    for method, arguments in ((head_detail, (0, 0)), (mlp_detail, (0,))):
        with pytest.raises(ExplorerError, match="not finite"):
            method(explored("plain"), IDS, *arguments)
