"""Direct logit attribution: what each component wrote, read along one direction of the unembedding."""

import numpy as np
import pytest

from resstream_demo import direct_logit_attribution
from resstream_demo.core.errors import ExplorerError, OptionError, TokenError
from tests.agreement import assert_agree, exact_twin
from tests.models_under_test import ANSWER, CLEAN_TEXT, CONTRAST, FLOAT32, PAIRS, explored, ids_of, reference
from tests.oracle import attribution, run

IDS = PAIRS["different from the first token on"][0]
every_model = pytest.mark.parametrize("name", FLOAT32)
both_biases = pytest.mark.parametrize("value_bias", ["folded", "in_heads"])
both_questions = pytest.mark.parametrize("contrast", [77, None], ids=["difference", "single logit"])


def attribute(name, **options):
    return direct_logit_attribution(explored(name), IDS, 41, **options)


@every_model
@both_biases
@both_questions
@pytest.mark.parametrize("position", [-1, 3, 0])
def test_every_component_is_its_own_projection(name, value_bias, contrast, position):
    parts, by_source = attribution(reference(name), IDS, 41, contrast, position, value_bias)
    result = attribute(name, contrast=contrast, position=position, value_bias=value_bias)
    assert list(result.components) == list(parts)
    assert_agree(result.values, list(parts.values()), what="components")
    assert_agree(result.by_source, by_source, what="by_source")
    assert result.position == position % len(IDS)


@every_model
@both_biases
@both_questions
def test_the_parts_sum_to_the_models_own_logit(name, value_bias, contrast):
    logits = run(reference(name), IDS)[-1]
    own = (logits[41] - (0 if contrast is None else logits[contrast])).item()
    result = attribute(name, contrast=contrast, value_bias=value_bias)
    assert result.logit == pytest.approx(own, abs=1e-4)
    assert result.total == pytest.approx(own, abs=1e-4)
    assert result.total == pytest.approx(result.values.sum(), abs=1e-4)
    assert result.receipts and all(receipt.ok for receipt in result.receipts)


@every_model
@both_biases
def test_the_views_by_head_layer_and_source_show_the_same_numbers(name, value_bias):
    result = attribute(name, contrast=77, value_bias=value_bias)
    of = dict(zip(result.components, result.values, strict=True))
    layers, heads = result.heads.shape
    assert_agree(
        result.heads, [[of[f"L{layer}H{head}"] for head in range(heads)] for layer in range(layers)], what="heads"
    )
    assert_agree(result.mlps, [of[f"L{layer} mlp"] for layer in range(layers)], what="mlps")
    assert_agree(result.attn_bias, [of[f"L{layer} attn_bias"] for layer in range(layers)], what="attn_bias")
    assert_agree(result.by_source.sum(-1), result.heads, what="sources of each head")


@every_model
def test_folding_moves_a_constant_from_the_heads_of_a_layer_to_its_bias_row(name):
    folded, in_heads = (attribute(name, contrast=77, value_bias=bias) for bias in ("folded", "in_heads"))
    moved = folded.heads - in_heads.heads
    assert np.abs(moved).max() > 1e-2
    assert_agree(folded.attn_bias - in_heads.attn_bias, -moved.sum(1), what="bias rows")
    assert_agree(folded.mlps, in_heads.mlps, what="mlps")


@every_model
def test_the_constant_a_head_writes_is_the_same_everywhere(name):
    """Its share differs between positions by one factor, the final norm's scale."""
    moved = {
        position: attribute(name, contrast=77, position=position, value_bias="in_heads").heads
        - attribute(name, contrast=77, position=position, value_bias="folded").heads
        for position in (1, 5)
    }
    largest = np.abs(moved[1]).argmax()
    assert_agree(moved[5], moved[1] * (moved[5].flat[largest] / moved[1].flat[largest]), what="constant parts")


@every_model
def test_no_source_after_the_position_is_read(name):
    result = attribute(name, contrast=77, position=3)
    assert result.by_source.shape == (*result.heads.shape, len(IDS))
    assert (result.by_source[..., 4:] == 0).all() and (result.by_source[..., :4] != 0).all()


def test_only_a_biased_unembedding_has_a_bias_row():
    assert "unembed bias" not in attribute("plain").components
    assert "unembed bias" in attribute("unembedding bias").components


@both_biases
def test_bfloat16_sums_in_float32(value_bias):
    truth, hooked = (
        attribution(model, IDS, 41, 77, -1, value_bias)[0] for model in (exact_twin("bfloat16"), reference("bfloat16"))
    )
    noise = max(abs(hooked[part] - truth[part]) for part in truth)
    result = attribute("bfloat16", contrast=77, value_bias=value_bias)
    assert_agree(result.values, list(truth.values()), what="components", atol=2 * noise, rtol=0)
    assert result.total == pytest.approx(result.logit, abs=0.1)


def test_words_are_resolved_and_kept():
    result = direct_logit_attribution(explored("plain"), CLEAN_TEXT, "Mary", "John")
    answer, contrast = ids_of(ANSWER, bos=False)[0], ids_of(CONTRAST, bos=False)[0]
    assert (result.answer.id, result.contrast.id) == (answer, contrast)
    parts, _ = attribution(reference("plain"), ids_of(CLEAN_TEXT), answer, contrast)
    assert_agree(result.values, list(parts.values()), what="components")


def test_top_ranks_by_size_whatever_the_sign():
    result = attribute("plain", contrast=77)
    order = np.argsort(-np.abs(result.values))[:5]
    top = result.top(5)
    shown = list(top.iloc[:, 0]) if hasattr(top, "iloc") else [row[0] for row in top]
    assert shown == [result.components[i] for i in order]


def test_the_frame_has_one_row_a_component():
    result = attribute("plain", contrast=77)
    frame = result.frame()
    assert len(frame) == len(result.components)
    assert frame.select_dtypes("number").sum().tolist().count(pytest.approx(result.total, abs=1e-4)) >= 1


@pytest.mark.parametrize(
    "options, offending, error",
    [
        (dict(value_bias="unfolded"), "unfolded", OptionError),
        (dict(position=7), "7", OptionError),
        (dict(position=-8), "-8", OptionError),
        (dict(position=1.5), "1.5", OptionError),
        (dict(contrast=99_999), "99999", TokenError),
    ],
)
def test_a_wrong_option_is_named(options, offending, error):
    with pytest.raises(error) as caught:
        attribute("plain", **options)
    assert isinstance(caught.value, ExplorerError)
    assert offending in str(caught.value).replace(",", "")
