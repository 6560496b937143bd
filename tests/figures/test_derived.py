"""Numbers one step from a result's own: each against the sum or formula that it stands for."""

import numpy as np
import pytest

from resstream_demo import direct_logit_attribution, head_ablation, load_model
from resstream_demo.figures.derived import attention_shares, log_rank, sum_of_single_effects

PROMPT = "When Mary and John went to the store, John gave a drink to"
HEADS = [(0, 0), (3, 6), (4, 1)]


@pytest.fixture(scope="module")
def tiny():
    return load_model("tiny")


def test_the_first_place_is_zero_and_ten_times_further_is_one_more():
    assert log_rank(np.array([0, 9, 99])).tolist() == [0, 1, 2]


def test_a_layers_attention_is_its_heads_and_its_bias(tiny):
    result = direct_logit_attribution(tiny, PROMPT, " Mary", " John")
    by_name = dict(zip(result.components, result.values, strict=True))
    assert len(attention_shares(result)) == tiny.n_layers
    for layer, share in enumerate(attention_shares(result)):
        parts = [by_name[f"L{layer}H{head}"] for head in range(tiny.n_heads)]
        assert share == pytest.approx(sum(parts) + by_name[f"L{layer} attn_bias"], abs=1e-5)


def test_single_effects_add_up(tiny):
    singles = head_ablation(tiny, PROMPT, " Mary", " John")
    effects = (singles.values - singles.baseline)[[0, 3, 4], [0, 6, 1]]
    assert sum_of_single_effects(singles, HEADS) == pytest.approx(effects.sum(), abs=1e-5)
    assert sum_of_single_effects(singles, ()) == 0
