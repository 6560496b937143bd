"""What the model says after one patch or removal agrees with the sweep, with the runs it is made of, and with hooks."""

import numpy as np
import pytest

from resstream_demo import activation_patching, load_model
from resstream_demo.core.errors import OptionError, PromptError
from resstream_demo.methods.ablation import KINDS
from resstream_demo.methods.inspect import ablated_predictions, patched_predictions, run_predictions
from tests.models_under_test import CLEAN_TEXT, CORRUPTED_TEXT, FLOAT32, explored, ids_of, reference
from tests.oracle import Edit, ablated_z, run

CLEAN = "When Mary and John went to the store, John gave a drink to"
CORRUPTED = "When Mary and John went to the store, Mary gave a drink to"


@pytest.fixture(scope="module")
def tiny():
    return load_model("tiny")


@pytest.mark.parametrize(("direction", "source"), [("denoising", CLEAN), ("noising", CORRUPTED)])
def test_patching_everything_gives_the_other_run(tiny, direction, source):
    after = patched_predictions(tiny, CLEAN, CORRUPTED, site="resid_pre", layer=2, direction=direction, k=5)
    own = run_predictions(tiny, source, k=5)
    assert after.tokens == own.tokens and (after.ids == own.ids).all()
    np.testing.assert_allclose(after.probs, own.probs, atol=1e-5)
    logits = tiny.logits(source)[-1].astype(np.float64)
    expected = np.exp(logits - logits.max())
    np.testing.assert_allclose(own.probs, np.sort(expected / expected.sum())[::-1][:5], rtol=1e-4)


@pytest.mark.parametrize(
    ("site", "layer", "head", "positions"),
    [("resid_pre", 1, None, [10]), ("mlp_out", 4, None, [14]), ("z", 3, 6, "all"), ("pattern", 2, 1, [11, 14])],
)
def test_one_cell_agrees_with_the_sweep(tiny, site, layer, head, positions):
    after = patched_predictions(
        tiny, CLEAN, CORRUPTED, site=site, layer=layer, head=head, positions=positions, k=tiny.vocab_size
    )
    swept = activation_patching(tiny, CLEAN, CORRUPTED, " Mary", site=site, positions=positions, metric="prob")
    mary = after.probs[after.ids == tiny.answer(" Mary").id][0]
    assert mary == pytest.approx(swept.values[layer if head is None else (layer, head)], abs=1e-6)
    assert after.probs.sum() == pytest.approx(1.0, abs=1e-4)


def test_cells_that_do_not_exist_are_refused(tiny):
    for wrong in ({"site": "z"}, {"site": "resid_pre", "head": 1}, {"site": "z", "head": 99}, {"site": "nowhere"}):
        with pytest.raises(OptionError):
            patched_predictions(tiny, CLEAN, CORRUPTED, layer=0, **wrong)
    with pytest.raises(OptionError, match="layers 0–5"):
        patched_predictions(tiny, CLEAN, CORRUPTED, site="resid_pre", layer=6)
    with pytest.raises(PromptError, match="15 tokens"):
        patched_predictions(tiny, CLEAN, "short", site="resid_pre", layer=0)


# --- heads removed -------------------------------------------------------------------------------------------

REFERENCE = [ids_of("When Mary went to Paris"), ids_of("John gave")]


@pytest.mark.parametrize("positions", ["all", [2, -1]])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FLOAT32)
def test_predictions_without_heads_are_those_of_hooked_forwards(name, kind, positions):
    config, ids = reference(name).config, ids_of(CLEAN_TEXT)
    heads = [(layer, h) for layer, h in ((0, 0), (0, 2), (1, 1)) if layer < config.n_layer and h < config.n_head]
    source = {"mean": REFERENCE, "resample": ids_of(CORRUPTED_TEXT)}.get(kind)
    new = ablated_z(reference(name), ids, kind, source)
    at = None if positions == "all" else [2, len(ids) - 1]
    logits = run(reference(name), ids, [Edit("z", layer, new[layer, h], h, at) for layer, h in heads])
    expected = logits[-1].double().softmax(-1)
    told = {"mean": ("words", REFERENCE), "resample": source}.get(kind)
    found = ablated_predictions(
        explored(name), CLEAN_TEXT, heads, kind=kind, positions=positions, reference=told, k=5, also=(3,)
    )
    top = expected.topk(5).indices.tolist()
    assert found.ids[:5].tolist() == top and set(found.ids.tolist()) == {*top, 3}
    np.testing.assert_allclose(found.probs, expected[found.ids.tolist()], atol=1e-4)
    assert found.tokens == tuple(explored(name).show(i) for i in found.ids)


def test_no_heads_and_heads_that_do_not_exist_are_refused():
    model = explored("plain")
    for heads in ([], "", "L9H0", [(0, 99)]):
        with pytest.raises(OptionError):
            ablated_predictions(model, CLEAN_TEXT, heads)
    for wrong in ({"kind": "gone"}, {"positions": "each"}, {"positions": [99]}, {"kind": "resample"}):
        with pytest.raises(OptionError):
            ablated_predictions(model, CLEAN_TEXT, "L0H0", **wrong)
    with pytest.raises(PromptError, match="equally long"):
        ablated_predictions(model, CLEAN_TEXT, "L0H0", kind="resample", reference="short")
