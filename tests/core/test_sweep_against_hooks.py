"""A packed sweep equals the naive one, cell by cell: one hooked transformers forward for every cell.

The public route is compared, so the whole way from prompt to number is covered: every site, both directions,
positions one by one, all, and a chosen few, on every model under test and with every metric.
"""

from functools import cache

import numpy as np
import pytest
import torch

from resstream_demo import activation_patching
from tests.agreement import assert_agree, assert_ranks_agree, exact_twin
from tests.models_under_test import FLOAT32, PAIRS, explored, reference
from tests.oracle import HEAD_SITES, METRICS, RESID_SITES, SITES, metric, patched_logits, run

ANSWER, CONTRAST = 41, 77
FEW = [1, 4]  # positions patched together
every_site = pytest.mark.parametrize("site", SITES)
both_directions = pytest.mark.parametrize("direction", ["denoising", "noising"])
both_pairs = pytest.mark.parametrize("pair", PAIRS)


def base_and_source(pair: str, direction: str):
    """Denoising puts clean activations into the corrupted run, noising the reverse."""
    clean, corrupted = PAIRS[pair]
    return (corrupted, clean) if direction == "denoising" else (clean, corrupted)


def naive(hf_model, pair: str, site: str, direction: str, positions):
    """Last-position logits of every cell in the shape of the result, [*S, V]."""
    cells = patched_logits(hf_model, *base_and_source(pair, direction), site, positions)
    last = torch.stack([logits[-1] for logits in cells.values()])
    return last.unflatten(0, [1 + max(axis) for axis in zip(*cells, strict=True)])


def in_metric(name: str, last_logits, clean_logits) -> np.ndarray:
    """The metric of every cell's last-position logits [*S, V], as an array [*S]."""
    flat = last_logits.flatten(0, -2)
    values = [metric(name, row[None], answer=ANSWER, contrast=CONTRAST, clean=clean_logits[-1:]) for row in flat]
    return np.array(values).reshape(last_logits.shape[:-1])


@pytest.mark.parametrize("name", FLOAT32)
@both_pairs
@every_site
@both_directions
def test_every_cell_equals_its_own_hooked_forward(name, pair, site, direction):
    clean, corrupted = PAIRS[pair]
    plain = {"clean": run(reference(name), clean), "corrupted": run(reference(name), corrupted)}
    for positions in ("each", "all", FEW):
        expected_logits = naive(reference(name), pair, site, direction, positions)
        for metric_name in METRICS:
            result = activation_patching(
                explored(name), clean, corrupted, ANSWER, CONTRAST,
                site=site, positions=positions, direction=direction, metric=metric_name,
            )  # fmt: skip
            what = f"{site} {direction} positions={positions} {metric_name}"
            baselines = [in_metric(metric_name, plain[run_][-1:], plain["clean"])[0] for run_ in plain]
            if metric_name == "rank":
                assert_ranks_agree(result.values, expected_logits, ANSWER, what=what)
                continue
            assert_agree(result.values, in_metric(metric_name, expected_logits, plain["clean"]), what=what)
            assert_agree([result.clean_value, result.corrupted_value], baselines, what=what + " baselines")


@every_site
@both_pairs
@pytest.mark.parametrize("direction", ["denoising", "noising"])
def test_bfloat16_is_as_close_to_the_truth_as_transformers_itself(site, pair, direction):
    """The same weights in float32 are the truth. bfloat16 keeps 8 bits, so two correct orders of summation
    differ by a per cent; what can be asked is to stray no further than twice what hooks on the bfloat16 model do
    at worst."""
    clean, corrupted = PAIRS[pair]
    truths, noise = {}, 0.0
    for positions in ("each", "all"):
        truths[positions], hooked = (
            in_metric("logit_diff", naive(model, pair, site, direction, positions), run(model, clean))
            for model in (exact_twin("bfloat16"), reference("bfloat16"))
        )
        noise = max(noise, np.abs(hooked - truths[positions]).max())
    assert 0 < noise < 0.3
    for positions, truth in truths.items():
        result = activation_patching(
            explored("bfloat16"),
            clean,
            corrupted,
            ANSWER,
            CONTRAST,
            site=site,
            direction=direction,
            positions=positions,
        )
        assert_agree(result.values, truth, what=f"{site} in bfloat16, {positions}", atol=2 * noise, rtol=0)


@pytest.mark.parametrize("site", RESID_SITES)
def test_stream_sites_give_layers_by_positions(site):
    clean, corrupted = PAIRS["one late difference"]
    for positions, shape in (("each", (3, len(clean))), ("all", (3,)), (FEW, (3,))):
        result = activation_patching(
            explored("plain"), clean, corrupted, ANSWER, CONTRAST, site=site, positions=positions
        )
        assert result.values.shape == shape and result.values.dtype == np.float32


@pytest.mark.parametrize("site", HEAD_SITES)
def test_head_sites_give_layers_by_heads_by_positions(site):
    clean, corrupted = PAIRS["one late difference"]
    for positions, shape in (("each", (3, 4, len(clean))), ("all", (3, 4)), (FEW, (3, 4))):
        result = activation_patching(
            explored("plain"), clean, corrupted, ANSWER, CONTRAST, site=site, positions=positions
        )
        assert result.values.shape == shape and result.values.dtype == np.float32


@cache
def late_difference(site: str):
    return activation_patching(explored("plain"), *PAIRS["one late difference"], ANSWER, CONTRAST, site=site)


@every_site
def test_cells_before_the_first_difference_are_exactly_the_baseline(site):
    """Attention looks back only, so up to the differing position both runs are the same run."""
    first_difference = 5
    values = late_difference(site).values
    assert (values[..., :first_difference] == np.float32(late_difference(site).corrupted_value)).all()
    assert (values[..., first_difference:] != np.float32(late_difference(site).corrupted_value)).any()


@pytest.mark.parametrize("site", [s for s in SITES if s not in ("k", "v", "resid_pre")])
def test_the_last_layer_reaches_the_answer_only_from_the_last_position(site):
    """What the last layer writes elsewhere is read by nobody; only keys, values and what they are made of are."""
    last_layer = late_difference(site).values[-1]
    assert (last_layer[..., :-1] == np.float32(late_difference(site).corrupted_value)).all()
