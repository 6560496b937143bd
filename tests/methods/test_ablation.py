"""Head ablation: a head's output z is replaced and the run repeated; one hooked forward per cell says the truth."""

import numpy as np
import pytest

from resstream_demo import head_ablation
from resstream_demo.core.errors import ExplorerError, OptionError, PromptError
from tests.agreement import assert_agree, assert_ranks_agree, exact_twin
from tests.models_under_test import BOS, CLEAN_TEXT, CORRUPTED_TEXT, FLOAT32, explored, ids_of, reference, tokenizer
from tests.oracle import METRICS, ablate, ablated_z, mean_z, metric, run

BOS_ID = tokenizer().convert_tokens_to_ids(BOS)
IDS = [BOS_ID, 91, 17, 64, 17, 33, 80]
OTHER = [BOS_ID, 12, 88, 21, 90, 33, 41]
REFERENCE = [OTHER, [BOS_ID, 8, 30, 55], [BOS_ID, 61, 62, 63, 64, 65, 66, 67, 68, 69]]
KINDS = {"zero": None, "bias_only": None, "mean": ("three of mine", REFERENCE), "resample": OTHER}

every_model = pytest.mark.parametrize("name", FLOAT32)
every_kind = pytest.mark.parametrize("kind", KINDS)
every_metric = pytest.mark.parametrize("metric_name", (*METRICS, "loss"))


def ablation(name, kind, **options):
    options = dict(contrast=77, reference=KINDS[kind]) | options
    return head_ablation(explored(name), IDS, 41, kind=kind, **options)


def all_heads(hf_model):
    return [(layer, head) for layer in range(hf_model.config.n_layer) for head in range(hf_model.config.n_head)]


def new_z(hf_model, kind):
    """What each head's z becomes, [L, H, T, dh]."""
    return ablated_z(hf_model, IDS, kind, REFERENCE if kind == "mean" else OTHER)


def naive_each(hf_model, kind, positions=None):
    """Logits [T, V] with each head ablated alone, layer by layer."""
    replacement = new_z(hf_model, kind)
    return [ablate(hf_model, IDS, [head], replacement, positions) for head in all_heads(hf_model)]


def measured(metric_name, logits, hf_model, contrast=77):
    return metric(metric_name, logits, answer=41, contrast=contrast, clean=run(hf_model, IDS), ids=IDS)


@every_model
@every_kind
@pytest.mark.parametrize("positions", [None, [2, 6]], ids=["all", "listed"])
def test_each_head_alone_equals_its_own_hooked_forward(name, kind, positions):
    hf_model = reference(name)
    shape = (hf_model.config.n_layer, hf_model.config.n_head)
    expected = naive_each(hf_model, kind, positions)
    for metric_name in (*METRICS, "loss"):
        result = ablation(name, kind, metric=metric_name, positions="all" if positions is None else positions)
        what = f"{kind} {metric_name}"
        if metric_name == "rank":
            last = np.stack([logits[-1].numpy() for logits in expected]).reshape(*shape, -1)
            assert_ranks_agree(result.values, last, 41, what=what)
            continue
        values = np.reshape([measured(metric_name, logits, hf_model) for logits in expected], shape)
        baseline = measured(metric_name, run(hf_model, IDS), hf_model)
        assert_agree(result.values, values, what=what)
        assert_agree(result.baseline, baseline, what=what + " baseline")
        assert_agree(result.effect, values - baseline, what=what + " effect")


@every_model
@every_kind
@every_metric
def test_heads_listed_are_removed_together(name, kind, metric_name):
    hf_model = reference(name)
    heads = all_heads(hf_model)[:: 1 + len(all_heads(hf_model)) // 4]  # across layers and within one
    replacement = new_z(hf_model, kind)
    logits = ablate(hf_model, IDS, heads, replacement)
    result = ablation(name, kind, heads=heads, metric=metric_name)
    assert np.shape(result.values) == () and tuple(result.heads) == tuple(heads)
    if metric_name == "rank":
        assert_ranks_agree(result.values, logits[-1], 41, what="together")
    else:
        assert_agree(result.values, measured(metric_name, logits, hf_model), what="together")


@pytest.mark.parametrize("positions", [[0], [3], [6], [-1], [1, 2, 5]], ids=str)
@every_kind
def test_heads_listed_at_listed_positions(kind, positions):
    hf_model, heads = reference("plain"), [(0, 1), (0, 3), (2, 0)]
    replacement = new_z(hf_model, kind)
    logits = ablate(hf_model, IDS, heads, replacement, positions)
    for metric_name in ("logit_diff", "loss", "kl"):
        result = ablation("plain", kind, heads=heads, positions=positions, metric=metric_name)
        assert_agree(result.values, measured(metric_name, logits, hf_model), what=metric_name)


def test_heads_are_named_in_any_of_three_ways():
    tuples = ablation("plain", "zero", heads=[(1, 2), (2, 0)])
    for names in (["L1H2", "L2H0"], ["1.2", "2.0"], [("1.2"), (2, 0)]):
        same = ablation("plain", "zero", heads=names)
        assert same.heads == tuples.heads == ((1, 2), (2, 0)) and same.values == tuples.values


def test_one_head_listed_is_that_cell_of_each():
    each = ablation("plain", "mean").values
    for head in ((0, 0), (1, 3), (2, 1)):
        assert_agree(ablation("plain", "mean", heads=[head]).values, each[head], what=str(head))


def test_without_contrast_the_metric_is_the_answers_own_logit():
    logits = naive_each(reference("plain"), "zero")
    result = ablation("plain", "zero", contrast=None)
    values = np.reshape([measured("logit_diff", x, reference("plain"), contrast=None) for x in logits], (3, 4))
    assert_agree(result.values, values, what="single logit")
    assert result.contrast is None


def test_zero_takes_biases_away_and_bias_only_leaves_them():
    zero, bias_only = (ablation("plain", kind).values for kind in ("zero", "bias_only"))
    assert np.abs(zero - bias_only).max() > 1e-2


def test_bos_is_replaced_by_the_mean_of_bos_which_is_itself():
    """Every run begins with the same BOS, so at position 0 the mean is what was there and nothing changes."""
    assert np.abs(ablation("plain", "mean", positions=[0]).effect).max() < 1e-5
    assert np.abs(ablation("plain", "mean", positions=[1]).effect).max() > 1e-2
    alone = head_ablation(explored("plain"), [BOS_ID], 41, 77, kind="mean", reference=KINDS["mean"])
    assert_agree(alone.effect, np.zeros((3, 4)), what="BOS alone")


def test_mean_over_words_reads_them_with_or_without_bos_as_the_prompt_is_read():
    prompts = ["When Mary went to Paris", "John gave", "and the store"]
    for bos in (True, False):
        result = head_ablation(
            explored("plain"), CLEAN_TEXT, "Mary", "John", kind="mean", reference=("words", prompts), bos=bos
        )
        ids = ids_of(CLEAN_TEXT, bos=bos)
        replacement = mean_z(reference("plain"), [ids_of(prompt, bos=bos) for prompt in prompts], len(ids))
        answer, contrast = ids_of(" Mary John", bos=False)
        values = [
            metric("logit_diff", ablate(reference("plain"), ids, [head], replacement), answer=answer, contrast=contrast)
            for head in all_heads(reference("plain"))
        ]
        assert_agree(result.values, np.reshape(values, (3, 4)), what=f"bos={bos}")


@pytest.mark.parametrize(
    ("kind", "words"), [("mean", ("words", ["When Mary went", "John gave"])), ("resample", CLEAN_TEXT)]
)
@pytest.mark.parametrize("bos", [True, False])
def test_a_reference_is_read_as_the_prompt_was_whatever_form_the_prompt_has(kind, words, bos):
    model = explored("plain")
    options = {"kind": kind, "reference": words, "positions": [0, -1]}
    as_text = head_ablation(model, CORRUPTED_TEXT, "Mary", "John", **options, bos=bos)
    as_prompt = head_ablation(model, model.tokenize(CORRUPTED_TEXT, bos=bos), "Mary", "John", **options)
    assert (as_text.values == as_prompt.values).all() and np.abs(as_text.effect).max() > 1e-3


def test_resampling_from_the_prompt_itself_changes_nothing():
    result = ablation("plain", "resample", reference=IDS)
    assert (result.values == np.float32(result.baseline)).all() and (result.effect == 0).all()


def test_the_reference_is_said_in_the_result():
    assert "three of mine" in ablation("plain", "mean").reference
    words = head_ablation(explored("plain"), CLEAN_TEXT, "Mary", "John", kind="resample", reference=CORRUPTED_TEXT)
    assert CORRUPTED_TEXT in words.reference
    replacement = ablated_z(reference("plain"), ids_of(CLEAN_TEXT), "resample", ids_of(CORRUPTED_TEXT))
    answer, contrast = ids_of(" Mary John", bos=False)
    logits = ablate(reference("plain"), ids_of(CLEAN_TEXT), [(1, 1)], replacement)
    assert words.values[1, 1] == pytest.approx((logits[-1, answer] - logits[-1, contrast]).item(), abs=1e-4)


@every_kind
def test_bfloat16_is_as_close_to_the_truth_as_transformers_itself(kind):
    truth, hooked = (
        np.array([measured("logit_diff", x, model) for x in naive_each(model, kind)])
        for model in (exact_twin("bfloat16"), reference("bfloat16"))
    )
    result = ablation("bfloat16", kind)
    assert_agree(result.values.ravel(), truth, what=kind, atol=2 * np.abs(hooked - truth).max(), rtol=0)


def test_receipts_hold():
    for kind in KINDS:
        receipts = ablation("plain", kind).receipts
        assert receipts and all(receipt.ok for receipt in receipts)


def test_frame_has_a_row_a_head_and_top_leads_with_the_largest_effect():
    result = ablation("plain", "zero")
    assert len(result.frame()) == 12
    layer, head = np.unravel_index(np.abs(result.effect).argmax(), (3, 4))
    first = result.top(1).iloc[0]
    assert (first["layer"], first["head"]) == (layer, head)
    assert len(ablation("plain", "zero", heads=[(0, 0)]).frame()) >= 1


@pytest.mark.parametrize(
    "options, offending, error",
    [
        (dict(kind="noise"), "noise", OptionError),
        (dict(metric="accuracy"), "accuracy", OptionError),
        (dict(heads=[(3, 0)]), "L3H0", OptionError),
        (dict(heads=["L0H4"]), "L0H4", OptionError),
        (dict(heads="every"), "every", OptionError),
        (dict(heads=[]), "head", OptionError),
        (dict(positions=[9]), "9", OptionError),
        (dict(positions="last"), "last", OptionError),
        (dict(kind="mean", reference="nobody's"), "nobody's", OptionError),
        (dict(kind="mean", reference=("mine", [])), "reference", OptionError),
        (dict(kind="mean", reference=[OTHER]), "reference", OptionError),
        (dict(kind="zero", reference=OTHER), "reference", OptionError),
        (dict(kind="resample"), "reference", OptionError),
        (dict(kind="resample", reference=OTHER + [5]), "8", PromptError),
    ],
)
def test_a_wrong_option_is_named(options, offending, error):
    with pytest.raises(error) as caught:
        head_ablation(explored("plain"), IDS, 41, 77, **options)
    assert isinstance(caught.value, ExplorerError)
    assert offending in str(caught.value)


def test_loss_needs_a_next_token():
    with pytest.raises(ExplorerError):
        head_ablation(explored("plain"), [BOS_ID], 41, 77, metric="loss")
