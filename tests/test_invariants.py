"""What must hold whatever the weights are, with no reference to compare with."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from resstream_demo import activation_patching, direct_logit_attribution, head_ablation, logit_lens
from resstream_demo.core.errors import ExplorerError
from resstream_demo.core.models import wrap_model
from tests.agreement import assert_agree
from tests.models_under_test import FLOAT32, PAIRS, SHAPES, build, explored, tokenizer
from tests.oracle import SITES

CLEAN, CORRUPTED = PAIRS["different from the first token on"]
LATE_CLEAN, LATE_CORRUPTED = PAIRS["one late difference"]
every_model = pytest.mark.parametrize("name", SHAPES)
every_float32_model = pytest.mark.parametrize("name", FLOAT32)
every_site = pytest.mark.parametrize("site", SITES)


def patch(model, clean=CLEAN, corrupted=CORRUPTED, **options):
    return activation_patching(model, clean, corrupted, 41, 77, **options)


# ---- patching -----------------------------------------------------------------------------------------------


@every_model
@every_site
@pytest.mark.parametrize("direction", ["denoising", "noising"])
def test_patching_a_run_into_itself_changes_exactly_nothing(name, site, direction):
    for positions in ("each", "all", [0, 2]):
        result = patch(explored(name), CLEAN, CLEAN, site=site, positions=positions, direction=direction)
        assert (result.values == np.float32(result.clean_value)).all()
        assert result.clean_value == result.corrupted_value


@every_model
@pytest.mark.parametrize("direction, whole", [("denoising", 1), ("noising", 0)])
def test_one_differing_position_carries_the_whole_difference_at_layer_0(name, direction, whole):
    """resid_pre of layer 0 is embedding plus position, so only the differing token can matter there."""
    first_row = patch(explored(name), LATE_CLEAN, LATE_CORRUPTED, direction=direction).recovered[0]
    expected = np.full(len(LATE_CLEAN), 1 - whole)
    expected[np.not_equal(LATE_CLEAN, LATE_CORRUPTED)] = whole
    tolerance = 0.05 if name == "bfloat16" else 1e-4
    assert_agree(first_row, expected, what="layer 0", atol=tolerance, rtol=0)
    assert (first_row[expected == 1 - whole] == 1 - whole).all(), "identical positions are exactly the baseline"


@every_model
@pytest.mark.parametrize("site", ["resid_pre", "resid_post"])
@pytest.mark.parametrize("direction, whole", [("denoising", 1), ("noising", 0)])
def test_patching_the_whole_stream_at_any_layer_gives_the_other_run(name, site, direction, whole):
    result = patch(explored(name), site=site, positions="all", direction=direction)
    tolerance = 0.05 if name == "bfloat16" else 1e-4
    assert_agree(result.recovered, np.full(explored(name).n_layers, whole), what=site, atol=tolerance, rtol=0)


@every_float32_model
def test_the_last_position_of_the_last_resid_post_is_all_that_is_read(name):
    last_row = patch(explored(name), site="resid_post").recovered[-1]
    assert (last_row[:-1] == 0).all() and last_row[-1] == pytest.approx(1, abs=1e-5)


# ---- sums ---------------------------------------------------------------------------------------------------


@every_float32_model
@pytest.mark.parametrize("position", range(len(CLEAN)))
def test_attribution_sums_to_the_logit_at_every_position(name, position):
    result = direct_logit_attribution(explored(name), CLEAN, 41, 77, position=position)
    own = explored(name).logits(CLEAN)[position]
    assert result.total == pytest.approx(float(own[41] - own[77]), abs=1e-4)


@every_model
def test_the_last_lens_row_is_the_model(name):
    result = logit_lens(explored(name), CLEAN, top_k=5)
    own = torch.tensor(explored(name).logits(CLEAN)).softmax(-1)
    tolerance = 0.02 if name == "bfloat16" else 1e-5
    assert_agree(
        result.top_probs[-1], own.gather(-1, torch.tensor(result.top_ids[-1])), what="last row", atol=tolerance
    )
    if name != "bfloat16":
        assert (result.top_ids[-1, :, 0] == own.argmax(-1).numpy()).all()


@every_model
def test_every_receipt_of_every_method_holds(name):
    model = explored(name)
    results = [
        logit_lens(model, CLEAN),
        logit_lens(model, CLEAN, norm="final"),
        direct_logit_attribution(model, CLEAN, 41, 77),
        direct_logit_attribution(model, CLEAN, 41, value_bias="in_heads"),
        patch(model),
        patch(model, site="z", direction="noising", metric="kl"),
        head_ablation(model, CLEAN, 41, 77),
        head_ablation(model, CLEAN, 41, 77, kind="bias_only", metric="loss"),
    ]
    for result in results:
        assert result.receipts
        broken = [receipt for receipt in result.receipts if not receipt.ok]
        assert not broken, broken


# ---- nothing is changed, nothing is remembered ------------------------------------------------------------------


@every_model
def test_repeating_gives_the_same_numbers_and_leaves_trace_and_weights_untouched(name):
    model = wrap_model(build(name), tokenizer(), name=name)
    weights = {key: value.clone() for key, value in model.adapter.hf_model.state_dict().items()}
    base = model.trace(CORRUPTED)
    recorded = {site: getattr(base, site).clone() for site in (*SITES, "final")}
    source = model.trace(CLEAN)

    def everything():
        sweeps = [patch(model, source, base, site=site).values for site in SITES]
        ablations = [head_ablation(model, base, 41, 77, kind=kind).values for kind in ("zero", "bias_only")]
        return [*sweeps, *ablations, direct_logit_attribution(model, base, 41).values, logit_lens(model, base).entropy]

    first, second = everything(), everything()
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))
    assert all(torch.equal(getattr(base, site), kept) for site, kept in recorded.items())
    after = model.adapter.hf_model.state_dict()
    assert all(torch.equal(after[key], kept) for key, kept in weights.items())


def test_results_are_not_windows_onto_the_trace():
    """Writing into what one caller got must not change what the next one gets."""
    model = explored("plain")
    base = model.trace(CLEAN)
    before = base.final.clone()
    for result in (logit_lens(model, base), patch(model, base), direct_logit_attribution(model, base, 41)):
        for value in vars(result).values():
            if isinstance(value, np.ndarray) and value.flags.writeable:
                value.fill(0)
    assert torch.equal(base.final, before)
    assert_agree(model.logits(CLEAN), explored("plain").logits(list(CLEAN)), what="logits", atol=0, rtol=0)


# ---- how the work is cut up does not show ------------------------------------------------------------------------


@every_float32_model
@every_site
def test_results_do_not_depend_on_chunk_size(name, site):
    """One cell at a time, a few, or all at once: with a budget of one token every cell is a chunk of its own."""
    from resstream_demo.core.cells import copy_cells
    from resstream_demo.core.metrics import answer_measure
    from resstream_demo.core.sweep import sweep

    model = explored(name)
    base, source = model.trace(CORRUPTED), model.trace(CLEAN)
    cells = copy_cells(base, source, site, [(p,) for p in range(len(CLEAN))])
    measure = answer_measure(model.adapter, "logit_diff", 41, 77)
    one, few, all_ = (sweep(model, base, cells, measure, chunk_tokens=n) for n in (1, 19, 10**6))
    assert_agree(one, all_, what="one at a time", atol=1e-5, rtol=1e-5)
    assert_agree(few, all_, what="a few at a time", atol=1e-5, rtol=1e-5)


@every_float32_model
@every_site
def test_results_do_not_depend_on_the_other_cells_of_the_sweep(name, site):
    """A cell swept in any company gives what it gives alone."""
    each = patch(explored(name), site=site).values
    for position in range(len(CLEAN)):
        alone = patch(explored(name), site=site, positions=[position]).values
        assert_agree(alone, each[..., position], what=f"position {position}", atol=1e-5, rtol=1e-5)


@every_float32_model
def test_removing_one_head_is_the_same_alone_and_among_all(name):
    each = head_ablation(explored(name), CLEAN, 41, 77).values
    for layer, head in np.ndindex(each.shape):
        alone = head_ablation(explored(name), CLEAN, 41, 77, heads=[(layer, head)]).values
        assert_agree(alone, each[layer, head], what=f"L{layer}H{head}", atol=1e-5, rtol=1e-5)


def test_results_do_not_depend_on_other_users():
    """Many at once on one model: everybody gets what he would have got alone, and a failing one harms nobody."""
    model = explored("plain")
    questions = [
        lambda site=site, d=direction: patch(model, site=site, direction=d).values
        for site in SITES
        for direction in ("denoising", "noising")
    ] + [lambda kind=kind: head_ablation(model, CLEAN, 41, 77, kind=kind).values for kind in ("zero", "bias_only")]

    def failing():
        with pytest.raises(ExplorerError):
            patch(model, CLEAN, CORRUPTED[:-1])

    alone = [question() for question in questions]
    with ThreadPoolExecutor(4) as pool:
        crowd = [pool.submit(question) for question in questions * 3]
        failures = [pool.submit(failing) for _ in range(8)]
        for failure in failures:
            failure.result()
        for n, answer in enumerate(crowd):
            assert_agree(answer.result(), alone[n % len(alone)], what=str(n), atol=1e-6, rtol=1e-6)


# ---- a number that is none is an error, not a blank cell -----------------------------------------------------------


@pytest.mark.parametrize("method", ["lens", "attribution", "patching", "ablation"])
def test_numbers_that_are_not_finite_are_an_error(method):
    """One damaged embedding row that no probe happens to read must not be drawn as an empty cell."""
    model = wrap_model(build("untied, resized vocabulary"), tokenizer())
    with torch.no_grad():
        model.adapter.hf_model.transformer.wte.weight[CLEAN[2]] = float("nan")
    with pytest.raises(ExplorerError):
        {
            "lens": lambda: logit_lens(model, CLEAN),
            "attribution": lambda: direct_logit_attribution(model, CLEAN, 41, 77),
            "patching": lambda: patch(model),
            "ablation": lambda: head_ablation(model, CLEAN, 41, 77),
        }[method]()
