"""Several pairs at once: each pair's numbers by plain hooks, and what is made of them."""

import io
import json
import statistics

import numpy as np
import pandas as pd
import pytest

from resstream_demo.core import sweep as engine
from resstream_demo.core.errors import MetricError, OptionError
from resstream_demo.figures.export import result_to_csv, result_to_json
from resstream_demo.methods.pairs import Pair, patch_pairs, role_positions
from tests.agreement import assert_agree
from tests.models_under_test import FLOAT32, explored, ids_of, reference
from tests.oracle import Edit, metric, patched_logits, record, run

# Equally long, and different at the same two positions.
ALIKE = (
    Pair(
        "When Mary went to the store John gave a drink to",
        "When John went to the store Mary gave a drink to",
        " Mary",
        " John",
    ),
    Pair(
        "When Paris went to the drink Rome gave a store to",
        "When Rome went to the drink Paris gave a store to",
        " Paris",
        " Rome",
        "cities",
    ),
    Pair(
        "and John went to a store Mary gave the drink to",
        "and Mary went to a store John gave the drink to",
        " John",
        " Mary",
    ),
)
# Longer and shorter, one difference and two, and one with nothing between the difference and the end.
UNLIKE = (
    *ALIKE[:2],
    Pair("Mary gave the drink to", "John gave the drink to", " Mary", " John", "short"),
    Pair(
        "When Mary and John went to the store to Paris to",
        "When Mary and John went to the store to Rome to",
        " Mary",
        " John",
        "late",
    ),
)
SAME = Pair("Mary gave a drink to", "Mary gave a drink to", " Mary", " John", "the same twice")


def patch(pairs=ALIKE, name="plain", **options):
    return patch_pairs(explored(name), pairs, **options)


class Oracle:
    """One pair by plain transformers: baselines, and the share recovered by any edits."""

    def __init__(self, pair, name="plain", metric_name="logit_diff", direction="denoising", bos=True):
        self.hf_model, self.name, self.direction = reference(name), metric_name, direction
        self.clean, self.corrupted = ids_of(pair.clean, bos), ids_of(pair.corrupted, bos)
        self.answer = ids_of(pair.answer, bos=False)[0]
        self.contrast = ids_of(pair.contrast, bos=False)[0] if pair.contrast else None
        self.clean_run = run(self.hf_model, self.clean)
        self.base, self.source = (
            (self.corrupted, self.clean) if direction == "denoising" else (self.clean, self.corrupted)
        )
        self.clean_value, self.corrupted_value = (
            self.number(run(self.hf_model, ids)) for ids in (self.clean, self.corrupted)
        )

    def number(self, logits):
        return metric(self.name, logits, answer=self.answer, contrast=self.contrast, clean=self.clean_run)

    def share(self, value):
        return (value - self.corrupted_value) / (self.clean_value - self.corrupted_value)

    def values(self, site, positions):
        cells = patched_logits(self.hf_model, self.base, self.source, site, positions)
        shape = tuple(max(axis) + 1 for axis in zip(*cells, strict=True))
        return np.reshape([self.number(cells[index]) for index in sorted(cells)], shape)

    def together(self, site, positions):
        """[L] values with the positions patched together."""
        source = record(self.hf_model, self.source)[site]
        layers = range(self.hf_model.config.n_layer)
        edits = [Edit(site, layer, source[layer], positions=positions) for layer in layers]
        return np.array([self.number(run(self.hf_model, self.base, [edit])) for edit in edits])


# --- each pair's numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FLOAT32)
@pytest.mark.parametrize("direction", ["denoising", "noising"])
def test_by_position_mean_and_spread_are_those_of_the_hooked_runs(name, direction):
    result = patch(name=name, site="resid_mid", direction=direction)
    oracles = [Oracle(pair, name, direction=direction) for pair in ALIKE]
    values = np.stack([one.values("resid_mid", "each") for one in oracles])
    check_statistics(result, oracles, values)
    assert result.axis == "position" and result.names == ("pair 1", "cities", "pair 3") and result.excluded == ()
    assert result.columns[0] == "⟨bos⟩" and result.columns[2] == "…" and result.columns[3] == "␣went"


@pytest.mark.parametrize("site, metric_name", [("z", "logit_diff"), ("pattern", "prob"), ("v", "kl")])
def test_by_head_mean_and_spread_are_those_of_the_hooked_runs(site, metric_name):
    name = "odd heads, n_inner, erf gelu, scaled by layer"
    result = patch(UNLIKE, name, site=site, metric=metric_name)
    oracles = [Oracle(pair, name, metric_name) for pair in UNLIKE]
    check_statistics(result, oracles, np.stack([one.values(site, "all") for one in oracles]))
    assert result.axis == "head" and result.columns == ("H0", "H1", "H2")


def check_statistics(result, oracles, values):
    """values: [n, L, K] by plain transformers; the statistics cell by cell with Python's own module."""
    shares = np.stack([one.share(value) for one, value in zip(oracles, values, strict=True)])
    assert_agree(result.values, values, what="values")
    assert_agree(result.recovered, shares, what="recovered", atol=1e-3)
    cells = list(np.ndindex(values.shape[1:]))
    by = {
        "mean": lambda column: statistics.mean(column),
        "std": lambda column: statistics.stdev(column),
        "standard_error": lambda column: statistics.stdev(column) / len(column) ** 0.5,
    }
    for name, formula in by.items():
        expected = np.reshape([formula(shares[:, *cell].tolist()) for cell in cells], values.shape[1:])
        assert_agree(getattr(result, name), expected, what=name, atol=1e-3)
    clean, corrupted = (
        statistics.mean(getattr(one, which) for one in oracles) for which in ("clean_value", "corrupted_value")
    )
    assert_agree(result.ratio_of_means, (values.mean(0) - corrupted) / (clean - corrupted), what="ratio", atol=1e-3)
    assert (result.counts == len(oracles)).all()


@pytest.mark.parametrize("site", ["resid_pre", "resid_post", "mlp_out"])
def test_by_role_the_positions_of_a_role_are_patched_together(site):
    result = patch(UNLIKE, site=site)
    assert result.axis == "role" and result.columns == ("differing", "between", "last")
    assert result.counts.tolist() == [4, 3, 4], "the late pair has nothing between"
    for n, pair in enumerate(UNLIKE):
        oracle = Oracle(pair)
        T = len(oracle.clean)
        differing = [t for t in range(T) if oracle.clean[t] != oracle.corrupted[t]]
        between = [t for t in range(differing[0], T - 1) if t not in differing]
        for column, positions in enumerate((differing, between, [T - 1])):
            if positions:
                share = oracle.share(oracle.together(site, positions))
                assert_agree(result.recovered[n, :, column], share, what=f"{pair.label} {column}", atol=1e-3)
            else:
                assert (
                    result.recovered.mask[n, :, column].all()
                    and np.isnan(np.asarray(result.recovered)[n, :, column]).all()
                )
    have_it = np.asarray(result.recovered)[:3, :, 1]
    assert_agree(result.mean[:, 1], have_it.mean(0), what="mean over those that have it")
    assert_agree(result.std[:, 1], have_it.std(0, ddof=1), what="std over those that have it")
    assert_agree(result.standard_error[:, 1], have_it.std(0, ddof=1) / 3**0.5, what="error over those that have it")


def test_the_ratio_of_means_is_over_the_pairs_that_have_the_column():
    result = patch(UNLIKE, site="resid_mid", columns="roles")
    oracles = [Oracle(pair) for pair in UNLIKE[:3]]  # the fourth has nothing between
    gone = result.values[:3, :, 1].data.mean(0) - np.mean([one.corrupted_value for one in oracles])
    to_go = np.mean([one.clean_value - one.corrupted_value for one in oracles])
    assert_agree(result.ratio_of_means[:, 1], gone / to_go, what="ratio")


def test_at_both_ends_of_the_stream_a_role_carries_everything():
    first, last = (patch(UNLIKE, site=site) for site in ("resid_pre", "resid_post"))
    assert_agree(first.recovered[:, 0, 0], np.ones(4), what="differing tokens, before the first layer")
    assert_agree(first.recovered[:, 0, 2], np.zeros(4), what="last token, before the first layer")
    assert_agree(last.recovered[:, -1, 2], np.ones(4), what="last token, after the last layer")
    assert_agree(last.recovered[:, -1, 0], np.zeros(4), what="differing tokens, after the last layer")


def test_roles_of_a_pair_whose_last_token_differs():
    model = explored("plain")
    roles = lambda clean, corrupted: role_positions(model.prompt(clean), model.prompt(corrupted))  # noqa: E731
    assert roles([5, 6, 7, 8], [5, 9, 7, 9]) == {"differing": (1, 3), "between": (2,), "last": (3,)}
    assert roles([5, 6, 7], [5, 6, 9]) == {"differing": (2,), "between": (), "last": (2,)}
    assert roles([5, 6, 7], [5, 6, 7]) == {"differing": (), "between": (), "last": (2,)}


def test_a_role_that_no_pair_has_is_no_column():
    result = patch([UNLIKE[3], Pair("Mary gave Paris to", "Mary gave Rome to", " a", " the")])
    assert result.columns == ("differing", "last") and result.mean.shape == (3, 2)


# --- what is made of them ------------------------------------------------------------------------------------


def test_the_two_means_differ_and_both_are_named():
    result = patch()
    assert np.abs(result.mean - result.ratio_of_means).max() > 1e-2
    frame = result.frame()
    assert_agree(frame["mean_of_ratios"], result.mean.ravel(), what="mean of ratios")
    assert_agree(frame["ratio_of_means"], result.ratio_of_means.ravel(), what="ratio of means")


def test_differences_that_cancel_out_have_no_ratio_of_means():
    one = ALIKE[0]
    mirrored = Pair(one.corrupted, one.clean, one.answer, one.contrast)
    result = patch([one, mirrored])
    assert result.ratio_of_means is None and np.isfinite(result.mean).all()
    assert result.frame()["ratio_of_means"].isna().all()
    json.loads(result_to_json(result))


def test_pairs_without_a_difference_are_left_out_and_named():
    result, without = patch([ALIKE[0], SAME, ALIKE[1]], columns="roles"), patch(ALIKE[:2], columns="roles")
    assert result.excluded == ("the same twice",) and result.used == (0, 2) and len(result.results) == 3
    for name in ("recovered", "mean", "std", "ratio_of_means"):
        assert_agree(getattr(result, name), getattr(without, name), what=name)
    same_length = Pair(ALIKE[0].clean, ALIKE[0].clean, " Mary", " John")
    assert patch([*ALIKE[:2], same_length]).axis == "position", "a pair left out does not forbid positions"
    with pytest.raises(MetricError, match="none of the 2 pairs"):
        patch([SAME, SAME])


def test_a_single_pair_is_its_own_mean_and_has_no_spread():
    result = patch(ALIKE[:1])
    assert_agree(result.mean, result.results[0].recovered, what="mean")
    assert_agree(result.ratio_of_means, result.mean, what="ratio of means")
    assert result.std is None and result.standard_error is None
    assert result.frame()["std"].isna().all()


def test_columns_are_positions_only_where_the_pairs_have_one_shape():
    longer = Pair(
        "When Mary and John went to the store to", "When John and John went to the store to", " Mary", " John"
    )
    elsewhere = Pair(
        "Mary and John went to the store and gave a drink",
        "John and John went to the store and gave a drink",
        " to",
        " a",
    )
    assert len(ids_of(elsewhere.clean)) == len(ids_of(ALIKE[0].clean))
    assert patch(ALIKE).axis == "position"
    assert patch([ALIKE[0], elsewhere]).axis == "role"
    assert patch([ALIKE[0], elsewhere], columns="positions").axis == "position"
    assert patch(ALIKE, columns="roles").axis == "role"
    with pytest.raises(OptionError, match="10 to 12 tokens"):
        patch([ALIKE[0], longer], columns="positions")


@pytest.mark.parametrize("direction, untouched", [("denoising", 0.0), ("noising", 1.0)])
def test_top_leads_with_what_moves_the_metric_furthest(direction, untouched):
    result = patch(direction=direction)
    layer, column = np.unravel_index(abs(result.mean - untouched).argmax(), result.mean.shape)
    first = result.top(1).iloc[0]
    assert (first["layer"], first["position"]) == (layer, column)
    assert first["effect"] == pytest.approx(result.mean[layer, column] - untouched)


def test_the_pairs_own_frame_has_a_row_for_each_pair_and_cell_that_counts():
    result = patch([*UNLIKE, SAME])
    frame = result.pair_frame()
    assert len(frame) == 3 * (4 + 3 + 4) and set(frame["pair"]) == {"pair 1", "cities", "short", "late"}
    assert np.isfinite(frame["recovered"]).all()
    heads = patch(site="z").pair_frame()
    row = heads[(heads["pair"] == "cities") & (heads["name"] == "L2H1")].iloc[0]
    assert row["value"] == pytest.approx(float(result_of(ALIKE[1], "z")[2, 1]), abs=1e-4)
    assert row["clean"] == ALIKE[1].clean and row["answer"] == " Paris" and row["contrast"] == " Rome"


def result_of(pair, site):
    return Oracle(pair).values(site, "all")


def test_exports_hold_no_number_that_is_none():
    result = patch(UNLIKE)
    held = json.loads(result_to_json(result))
    assert held["recovered"][3][0][1] is None and held["mean"][0][1] is not None
    table = pd.read_csv(io.StringIO(result_to_csv(result)))
    assert len(table) == 9 and table["run_site"].eq("resid_pre").all()


def test_bos_is_as_asked():
    result = patch(bos=False)
    oracles = [Oracle(pair, bos=False) for pair in ALIKE]
    check_statistics(result, oracles, np.stack([one.values("resid_pre", "each") for one in oracles]))
    assert result.info.bos is False


def test_receipts_are_the_worst_of_all_pairs_and_turn_red(monkeypatch):
    good = patch(UNLIKE)
    assert good.receipts and all(receipt.ok for receipt in good.receipts)
    own = [receipt for one in good.results for receipt in one.receipts]
    for receipt in good.receipts:
        alike = [abs(one.value) / one.tolerance for one in own if one.name == receipt.name]
        assert abs(receipt.value) / receipt.tolerance >= max(alike)
    # One run of each pair, and one more for every role with several positions: two, two, one and none.
    assert "The worst of 9 such checks" in good.receipts[0].detail
    edit = engine._Walk._edit
    monkeypatch.setattr(
        engine._Walk,
        "_edit",
        lambda walk, layer, site, rows: rows if site == "resid_pre" else edit(walk, layer, site, rows),
    )
    assert not all(receipt.ok for receipt in patch(UNLIKE).receipts)


def test_progress_rises_to_its_end_and_can_stop_the_work():
    seen = []
    patch(UNLIKE, progress=lambda done, total: seen.append((done, total)))
    assert {total for _, total in seen} == {400} and seen[-1] == (400, 400)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen) and len({done for done, _ in seen}) > 4

    class Cancelled(Exception):
        pass

    def stop(done, total):
        raise Cancelled

    with pytest.raises(Cancelled):
        patch(progress=stop)


def test_all_pairs_that_cannot_be_patched_are_named_in_one_error(monkeypatch):
    bad = (
        Pair("Mary gave a drink to", "John gave a drink to Mary", " Mary", " John", "longer"),
        ALIKE[0],
        Pair("Mary gave a drink to", "John gave a drink to", " Mary John", " John"),
        Pair("", "John gave a drink to", " Mary", " John", "empty"),
        Pair("Mary gave a drink to", "John gave a drink to", " Mary", " unheard of", "contrast"),
    )
    monkeypatch.setattr("resstream_demo.methods.pairs.activation_patching", None)  # nothing is run before all is read
    with pytest.raises(OptionError) as caught:
        patch(bad)
    message = str(caught.value)
    assert "4 of 5 pairs" in message and "pair 2" not in message
    for part in (
        "longer: ",
        "6 tokens",
        "pair 3: ",
        " 2 tokens",
        "empty: The prompt is empty",
        "contrast: The contrast",
    ):
        assert part in message, message


def test_logits_and_logit_differences_are_not_mixed():
    mixed = [ALIKE[0], Pair(ALIKE[1].clean, ALIKE[1].corrupted, " Paris", "", "alone")]
    with pytest.raises(OptionError, match="alone: It has no contrast"):
        patch(mixed)
    assert patch(mixed, metric="prob").mean.shape == (3, 12)
    alone = [Pair(pair.clean, pair.corrupted, pair.answer) for pair in ALIKE]
    oracles = [Oracle(pair) for pair in alone]
    check_statistics(patch(alone), oracles, np.stack([one.values("resid_pre", "each") for one in oracles]))


@pytest.mark.parametrize(
    "options, offending",
    [
        (dict(site="residual"), "residual"),
        (dict(metric="loss"), "loss"),
        (dict(direction="sideways"), "sideways"),
        (dict(columns="each"), "each"),
        (dict(pairs=[]), "no pairs"),
        (dict(pairs=7), "7"),
        (dict(pairs=["clean"]), "'clean'"),
    ],
)
def test_a_wrong_option_is_named(options, offending):
    with pytest.raises(OptionError) as caught:
        patch(**options)
    assert offending in str(caught.value)
