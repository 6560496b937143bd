"""What a patching result says about the two runs; that every cell is right is tested in test_sweep_against_hooks."""

import dataclasses

import numpy as np
import pytest

from resstream_demo import activation_patching
from resstream_demo.core.errors import ExplorerError, MetricError, OptionError, PromptError, TokenError
from tests.agreement import assert_agree
from tests.models_under_test import (
    ANSWER,
    CLEAN_TEXT,
    CONTRAST,
    CORRUPTED_TEXT,
    PAIRS,
    explored,
    ids_of,
    reference,
)
from tests.oracle import METRICS, metric, run

CLEAN, CORRUPTED = PAIRS["different from the first token on"]
every_metric = pytest.mark.parametrize("metric_name", METRICS)
both_directions = pytest.mark.parametrize("direction", ["denoising", "noising"])


def patch(clean=CLEAN, corrupted=CORRUPTED, answer=41, contrast=77, name="plain", **options):
    return activation_patching(explored(name), clean, corrupted, answer, contrast, **options)


@every_metric
@both_directions
def test_baselines_are_the_two_runs_whatever_the_direction(metric_name, direction):
    clean, corrupted = run(reference("plain"), CLEAN), run(reference("plain"), CORRUPTED)
    own = [metric(metric_name, run_, answer=41, contrast=77, clean=clean) for run_ in (clean, corrupted)]
    result = patch(metric=metric_name, direction=direction)
    assert_agree([result.clean_value, result.corrupted_value], own, what=metric_name)


@every_metric
@both_directions
def test_recovered_is_the_share_of_the_way_from_corrupted_to_clean_unclipped(metric_name, direction):
    result = patch(metric=metric_name, direction=direction, site="resid_mid")
    share = (result.values - result.corrupted_value) / (result.clean_value - result.corrupted_value)
    assert result.has_recovered
    assert_agree(result.recovered, share, what="recovered")
    assert share.min() < 0 or share.max() > 1, "these prompts should show that nothing is clipped"


@both_directions
def test_the_two_directions_are_each_others_mirror(direction):
    """Putting clean into corrupted is noising with the names of the prompts exchanged."""
    one = patch(direction=direction)
    other = patch(CORRUPTED, CLEAN, direction={"denoising": "noising", "noising": "denoising"}[direction])
    assert_agree(one.values, other.values, what="mirror")


def test_positions_may_count_from_the_end_and_repeat_in_any_order():
    named = patch(positions=[1, 5], site="z").values
    assert np.array_equal(named, patch(positions=[-2, 1, 5], site="z").values)
    assert np.array_equal(named, patch(positions=(5, 1), site="z").values)


def test_one_listed_position_is_that_column_of_each():
    each = patch(positions="each", site="v").values
    for position in (0, 3, 6):
        assert_agree(patch(positions=[position], site="v").values, each[..., position], what=str(position))


def test_every_position_listed_is_all():
    for site in ("attn_out", "pattern"):
        listed, everything = patch(positions=range(len(CLEAN)), site=site), patch(positions="all", site=site)
        assert_agree(listed.values, everything.values, what=site)


def test_words_find_their_tokens():
    result = activation_patching(explored("plain"), CLEAN_TEXT, CORRUPTED_TEXT, "Mary", "John")
    assert list(result.clean.ids) == ids_of(CLEAN_TEXT) and list(result.corrupted.ids) == ids_of(CORRUPTED_TEXT)
    assert [result.answer.id, result.contrast.id] == ids_of(ANSWER + CONTRAST, bos=False)
    assert result.values.shape == (3, len(ids_of(CLEAN_TEXT)))


def test_without_bos_there_is_one_column_less():
    with_bos, without = (patch(CLEAN_TEXT, CORRUPTED_TEXT, ANSWER, CONTRAST, bos=bos) for bos in (True, False))
    assert without.values.shape[1] == with_bos.values.shape[1] - 1
    clean = run(reference("plain"), ids_of(CLEAN_TEXT, bos=False))
    answer, contrast = ids_of(ANSWER + CONTRAST, bos=False)
    assert without.clean_value == pytest.approx(metric("logit_diff", clean, answer=answer, contrast=contrast), abs=1e-4)


def test_the_self_patch_and_all_positions_receipts_are_printed_and_hold():
    receipts = {receipt.name: receipt for receipt in patch().receipts}
    assert len(receipts) >= 2 and all(receipt.ok for receipt in receipts.values())
    assert any("self" in name.lower() for name in receipts)
    assert all(receipt.detail for receipt in receipts.values())


@pytest.mark.parametrize("metric_name", ["logit_diff", "prob", "kl"])
def test_a_share_of_no_difference_is_an_error_not_a_picture(metric_name):
    same = patch(CLEAN, CLEAN, metric=metric_name)
    assert not same.has_recovered and (same.values == np.float32(same.clean_value)).all()
    with pytest.raises(MetricError):
        _ = same.recovered


def test_two_small_but_different_probabilities_have_a_share_and_two_logits_a_rounding_apart_have_none():
    result = patch(metric="prob")
    tiny = dataclasses.replace(result, values=np.full((3, 1), 2e-8), clean_value=5e-8, corrupted_value=1e-8)
    assert tiny.recovered == pytest.approx(0.25)
    logits = dataclasses.replace(tiny, metric="logit_diff")
    assert not logits.has_recovered


def test_frame_has_a_row_a_cell_and_top_leads_with_the_largest_effect():
    result = patch(site="z")
    frame = result.frame()
    assert len(frame) == result.values.size
    numbers = frame.select_dtypes("number")
    assert any(np.allclose(numbers[column], result.values.ravel(), atol=1e-6) for column in numbers)
    effect = np.abs(result.values - result.corrupted_value)
    layer, head, position = np.unravel_index(effect.argmax(), effect.shape)
    first = result.top(1).iloc[0]
    assert (first["layer"], first["head"], first["position"]) == (layer, head, position)


def test_prompts_of_different_lengths_are_refused_and_shown_side_by_side():
    with pytest.raises(PromptError) as caught:
        patch(CLEAN_TEXT, CLEAN_TEXT + " the", ANSWER, CONTRAST)
    lengths = (len(ids_of(CLEAN_TEXT)), len(ids_of(CLEAN_TEXT + " the")))
    assert all(str(length) in str(caught.value) for length in lengths)


@pytest.mark.parametrize(
    "options, offending, error",
    [
        (dict(site="residual"), "residual", OptionError),
        (dict(metric="accuracy"), "accuracy", OptionError),
        (dict(metric="loss"), "loss", OptionError),
        (dict(direction="sideways"), "sideways", OptionError),
        (dict(positions="some"), "some", OptionError),
        (dict(positions=[7]), "7", OptionError),
        (dict(positions=[]), "position", OptionError),
        (dict(answer=-1), "-1", TokenError),
        (dict(clean=[]), "empty", PromptError),
        (dict(clean=[1, 2, 10**6, 4, 5, 6, 7]), "1000000", PromptError),
    ],
)
def test_a_wrong_option_is_named(options, offending, error):
    with pytest.raises(error) as caught:
        patch(**options)
    assert isinstance(caught.value, ExplorerError)
    assert offending in str(caught.value).replace(",", "")


@pytest.mark.parametrize("number_of_tokens", [1, 2])
def test_the_shortest_prompts_are_patched_too(number_of_tokens):
    clean, corrupted = CLEAN[:number_of_tokens], CORRUPTED[:number_of_tokens]
    for site in ("resid_pre", "resid_post", "z", "pattern", "k"):
        assert np.isfinite(patch(clean, corrupted, site=site).values).all()
    assert_agree(patch(clean, corrupted, positions="all").recovered, np.ones(3), what="recovered")
