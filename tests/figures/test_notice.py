"""The sentence about a result says what its numbers say."""

from dataclasses import replace

import numpy as np
import pytest

from resstream_demo import activation_patching, direct_logit_attribution, head_ablation, logit_lens
from resstream_demo.figures.notice import what_to_see
from resstream_demo.figures.numbers import format_share
from tests.models_under_test import CLEAN_TEXT as CLEAN
from tests.models_under_test import CORRUPTED_TEXT as CORRUPTED
from tests.models_under_test import explored


@pytest.fixture(scope="module")
def model():
    return explored("plain")


@pytest.fixture(scope="module")
def patched(model):
    return activation_patching(model, CLEAN, CORRUPTED, 5, 7)


def with_recovered(result, recovered):
    """The result with these shares of the difference, from 0 (corrupted) to 1 (clean)."""
    clean, corrupted = 3.0, 1.0
    values = np.asarray(recovered, dtype=np.float32) * (clean - corrupted) + corrupted
    return replace(result, values=values, clean_value=clean, corrupted_value=corrupted)


def test_the_lens_says_from_where_the_final_answer_stays_first(model):
    lens = logit_lens(model, CLEAN)
    last = len(lens.prompt) - 1
    ids, rows = lens.top_ids.copy(), len(lens.row_names)
    ids[:, last, 0] = [9] * (rows - 2) + [7, 7]
    shown = {**lens.shown, 7: "seven", 9: "nine"}
    text = what_to_see(replace(lens, top_ids=ids, shown=shown))
    assert "seven comes out on top from " + lens.row_names[-2].split()[0] in text
    ids[:, last, 0] = [7] + [9] * (rows - 2) + [7]
    assert f"on top from {lens.row_names[-1].split()[0]} on" in what_to_see(replace(lens, top_ids=ids, shown=shown))
    ids[:, last, 0] = 7
    assert "on top from embed on" in what_to_see(replace(lens, top_ids=ids, shown=shown))


def test_the_lens_says_where_an_answer_comes_that_is_not_first(model):
    ranks = logit_lens(model, CLEAN).top_ids[-1, -1]
    text = what_to_see(logit_lens(model, CLEAN, targets=[int(ranks[2])]))
    assert "is in place 3" in text and model.show(ranks[2]) in text and model.show(ranks[0]) in text


def test_the_attribution_names_the_ends(model):
    result = direct_logit_attribution(model, CLEAN, 5, 7)
    text = what_to_see(result)
    assert text.startswith(result.components[result.values.argmax()])
    assert result.components[result.values.argmin()] in text
    lifted = replace(result, values=np.abs(result.values))
    assert "nothing pushes against it" in what_to_see(lifted)


def test_patching_says_where_the_difference_is_carried_and_when_it_moves(patched):
    layers, positions = patched.values.shape
    assert layers >= 2
    shares = np.zeros((layers, positions))
    shares[0, 3], shares[1:, -1] = 1, 0.9
    text = what_to_see(with_recovered(patched, shares))
    assert "Up to L0" in text and "position 3" in text and f"from L1 on, at position {positions - 1}" in text
    noising = with_recovered(replace(patched, direction="noising"), 1 - shares)
    assert what_to_see(noising) == text


def test_patching_says_when_there_is_nothing_to_point_at(patched):
    assert "No single cell" in what_to_see(with_recovered(patched, np.full(patched.values.shape, 0.05)))
    equal = replace(patched, clean_value=1.0, corrupted_value=1.0)
    assert "no difference to follow" in what_to_see(equal)


def test_patching_of_heads_names_the_head(model):
    result = activation_patching(model, CLEAN, CORRUPTED, 5, 7, site="z", positions="all")
    shares = np.zeros(result.values.shape)
    shares[1, 2] = 0.5
    assert "z of head L1H2 alone moves 50 %" in what_to_see(with_recovered(result, shares))
    assert "No single head" in what_to_see(with_recovered(result, shares / 10))


def test_ablation_names_the_head_that_matters_and_counts_those_that_do_not(model):
    result = head_ablation(model, CLEAN, 5, 7)
    values = np.full(result.values.shape, 2.0, dtype=np.float32)
    values[0, 1], values[1, 0] = 5.0, 2.2
    text = what_to_see(replace(result, values=values, baseline=2.0))
    assert "Without head L0H1" in text and "from 2.000 to 5.000" in text
    assert f"{values.size - 2} of {values.size} heads" in text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0, "0 %"), (1, "100 %"), (0.84, "84 %"), (0.0324, "3.2 %"), (0.0004, "<0.1 %"), (0.99999, ">99.9 %"),
        (0.996, "99.6 %"), (1.234, "123 %"), (-0.2, "−20 %"), (-0.0001, "−<0.1 %"), (12.5, "1,250 %"),
        (float("nan"), "not a number"),
    ],
)  # fmt: skip
def test_shares_are_in_per_cent_and_only_all_of_it_is_a_hundred(share, text):
    assert format_share(share) == text
