"""Direct against total effect, both by plain hooks, and what their difference is made of."""

import dataclasses
import json
from functools import cache

import numpy as np
import pytest
import torch

from resstream_demo import direct_logit_attribution, head_ablation
from resstream_demo.core.errors import OptionError
from resstream_demo.core.models import wrap_model
from resstream_demo.figures.export import result_to_csv, result_to_json
from resstream_demo.methods.repair import VALUE_BIAS_OF, direct_and_total
from tests.agreement import assert_agree
from tests.models_under_test import BOS, FLOAT32, build, explored, reference, tokenizer
from tests.oracle import W_O, Edit, ablated_z, record, run

BOS_ID = tokenizer().convert_tokens_to_ids(BOS)
IDS = [BOS_ID, 91, 17, 64, 17, 33, 80]
OTHER = [BOS_ID, 12, 88, 21, 90, 33, 41]
REFERENCE = [OTHER, [BOS_ID, 8, 30, 55], [BOS_ID, 61, 62, 63, 64, 65, 66]]
KINDS = {"zero": None, "bias_only": None, "mean": ("three of mine", REFERENCE), "resample": OTHER}
every_model = pytest.mark.parametrize("name", FLOAT32)
every_kind = pytest.mark.parametrize("kind", KINDS)


def both(model, kind="zero", contrast=77, **options):
    """An attribution and an ablation that go together."""
    value_bias = VALUE_BIAS_OF.get(kind, "folded")
    return (
        direct_logit_attribution(model, IDS, 41, contrast, value_bias=value_bias),
        head_ablation(model, IDS, 41, contrast, kind=kind, reference=KINDS[kind], **options),
    )


def compared(model, kind="zero", contrast=77, **options):
    return direct_and_total(*both(model, kind, contrast, **options), model)


@cache
def without_last_mlp():
    """A transformers model whose last MLP writes nothing, so that nothing reads what its last heads write."""
    hf_model = build("plain")
    with torch.no_grad():
        for parameter in hf_model.transformer.h[-1].mlp.c_proj.parameters():
            parameter.zero_()
    return hf_model


class Oracle:
    """Effects of removing each head, by plain transformers: [L, H] each."""

    def __init__(self, hf_model, kind, contrast=77, positions=None):
        self.hf_model, self.ln = hf_model, hf_model.transformer.ln_f
        weight = hf_model.lm_head.weight.detach()
        self.direction = weight[41] - (0 if contrast is None else weight[contrast])
        self.number = lambda logits: (logits[-1, 41] - (0 if contrast is None else logits[-1, contrast])).item()
        self.z = record(hf_model, IDS)["z"]
        self.new_z = ablated_z(hf_model, IDS, kind, REFERENCE if kind == "mean" else OTHER)
        self.positions = positions
        self.final, self.baseline = self.last_stream(), self.number(run(hf_model, IDS))

    def each(self, effect):
        layers, heads = self.z.shape[:2]
        return np.array([[effect(layer, head) for head in range(heads)] for layer in range(layers)])

    def edit(self, layer, head):
        return Edit("z", layer, self.new_z[layer, head], head, self.positions)

    def last_stream(self, *edits):
        """[d]: what enters ln_f at the last position."""
        seen = []
        handle = self.ln.register_forward_pre_hook(lambda _, args: seen.append(args[0][0, -1].clone()))
        try:
            run(self.hf_model, IDS, edits)
        finally:
            handle.remove()
        return seen[-1]

    def scale(self, stream):
        return (stream.var(unbiased=False) + self.ln.eps).sqrt()

    def frozen_share(self, part):
        """What a part of the last stream adds to the number, ln_f's scale being that of the untouched run."""
        with torch.no_grad():
            return (((part - part.mean()) / self.scale(self.final) * self.ln.weight) @ self.direction).item()

    def direct(self):
        change = self.new_z[:, :, -1] - self.z[:, :, -1]
        return self.each(lambda layer, head: self.frozen_share(change[layer, head] @ W_O(self.hf_model, layer)[head]))

    def total(self):
        return self.each(lambda *head: self.number(run(self.hf_model, IDS, [self.edit(*head)])) - self.baseline)

    def frozen(self):
        return self.each(lambda *head: self.frozen_share(self.last_stream(self.edit(*head)) - self.final))


@every_model
@every_kind
@pytest.mark.parametrize("contrast", [77, None], ids=["difference", "single logit"])
def test_every_effect_is_that_of_hooked_forwards(name, kind, contrast):
    oracle, result = Oracle(reference(name), kind, contrast), compared(explored(name), kind, contrast)
    direct, total, frozen = oracle.direct(), oracle.total(), oracle.frozen()
    assert_agree(result.direct, direct, what="direct")
    assert_agree(result.total, total, what="total")
    assert_agree(result.frozen, frozen, what="frozen")
    assert_agree(result.difference, total - direct, what="difference")
    assert_agree(result.by_later_layers, frozen - direct, what="by later layers")
    assert_agree(result.by_final_scale, total - frozen, what="by final scale")
    assert result.baseline == pytest.approx(oracle.baseline, abs=1e-4)


@every_model
@pytest.mark.parametrize("kind", VALUE_BIAS_OF)
def test_without_the_model_the_direct_effect_is_minus_the_share(name, kind):
    result = direct_and_total(*both(explored(name), kind))
    assert_agree(result.direct, Oracle(reference(name), kind).direct(), what="direct")
    assert result.frozen is None and result.by_later_layers is None and result.by_final_scale is None
    assert "by_later_layers" not in result.frame()


@every_kind
def test_where_nothing_reads_a_head_only_the_final_scale_tells_total_from_direct(kind):
    """Nothing comes after the last layer's heads if its MLP writes nothing. With ln_f's scale held fixed, taking a
    head's part out of the stream then changes the number by exactly the part's share; with the new scale σ′ the rest
    of the number, which is linear in the stream, is multiplied by σ/σ′ as well."""
    hf_model = without_last_mlp()
    oracle, result = Oracle(hf_model, kind), compared(wrap_model(hf_model, tokenizer()), kind)
    assert_agree(result.frozen[-1], result.direct[-1], what="total with the scale frozen")
    assert_agree(result.by_later_layers[-1], np.zeros(4), what="by later layers")
    bias = float(oracle.ln.bias.detach() @ oracle.direction)
    for head in range(4):
        ratio = float(oracle.scale(oracle.final) / oracle.scale(oracle.last_stream(oracle.edit(2, head))))
        expected = ratio * (oracle.baseline - bias + result.direct[-1, head]) + bias - oracle.baseline
        assert result.total[-1, head] == pytest.approx(expected, abs=1e-4)
        assert abs(ratio - 1) > 1e-3
    assert np.abs(result.by_later_layers[:-1]).min() > 1e-4, "heads below are read by later ones"
    assert np.abs(result.by_final_scale).max() > 1e-2


@pytest.mark.parametrize("positions", [[-1], [2, 6]])
def test_heads_may_be_removed_at_some_positions_if_the_last_is_among_them(positions):
    result = compared(explored("plain"), positions=positions)
    oracle = Oracle(reference("plain"), "zero", positions=positions)
    assert_agree(result.direct, oracle.direct(), what="direct")
    assert_agree(result.total, oracle.total(), what="total")
    assert_agree(result.frozen, oracle.frozen(), what="frozen")


def test_a_head_is_repaired_if_less_is_lost_than_it_gave():
    result = compared(explored("plain"))
    made = dataclasses.replace(
        result, direct=np.array([[-2.0, -2.0, -2.0, 2.0]]), total=np.array([[-0.5, -3.0, 1.0, 2.5]]), frozen=None
    )
    assert made.repaired.tolist() == [[True, False, True, False]]
    assert made.difference.tolist() == [[1.5, -1.0, 3.0, 0.5]]
    assert made.labelled(2) == ((0, 2), (0, 0))


def test_no_head_is_labelled_for_a_rounding_error():
    result = compared(explored("plain"))
    same = dataclasses.replace(result, total=result.direct + 1e-5)
    assert same.labelled() == ()
    assert len(result.labelled(3)) == 3 and len(result.labelled(99)) <= 12


def test_top_and_labels_lead_with_the_largest_difference():
    result = compared(explored("plain"))
    order = np.argsort(-abs(result.difference.ravel()))[:4]
    expected = [tuple(int(i) for i in np.unravel_index(n, (3, 4))) for n in order]
    assert list(zip(result.top(4)["layer"], result.top(4)["head"], strict=True)) == expected
    assert list(result.labelled(4)) == expected
    frame = result.frame()
    assert len(frame) == 12 and frame["heads"].iloc[5] == "L1H1"
    assert_agree(frame["by_later_layers"] + frame["by_final_scale"], frame["difference"], what="two parts")


@every_kind
def test_receipts_hold_and_exports_tell_what_was_compared(kind):
    result = compared(explored("plain"), kind)
    names = [receipt.name for receipt in result.receipts]
    assert all(receipt.ok for receipt in result.receipts) and names.count("engine − model") == 1
    assert ("direct + share" in names) == (kind in VALUE_BIAS_OF) and "total − ablation" in names
    assert json.loads(result_to_json(result))["kind"] == kind
    assert f",{kind}," in result_to_csv(result)


@pytest.mark.parametrize("kind", ["zero", "mean"])
def test_a_model_of_the_same_name_but_other_weights_turns_a_receipt_red(kind):
    results = both(explored("plain"), kind)
    other = wrap_model(build("plain", seed=1), tokenizer(), name="plain")
    red = {receipt.name for receipt in direct_and_total(*results, other).receipts if not receipt.ok}
    assert red == {"total − ablation"} | ({"direct + share"} if kind == "zero" else set())


def test_an_ablation_of_another_run_turns_a_receipt_red():
    attribution, ablation = both(explored("plain"))
    result = direct_and_total(attribution, dataclasses.replace(ablation, baseline=ablation.baseline + 1))
    assert "logit − baseline" in [receipt.name for receipt in result.receipts if not receipt.ok]


def test_bfloat16_is_compared_within_its_precision():
    result = compared(explored("bfloat16"))
    assert all(receipt.ok for receipt in result.receipts)
    oracle = Oracle(build("bfloat16").float(), "zero")
    assert_agree(result.direct, oracle.direct(), what="direct", atol=0.1)
    assert_agree(result.total, oracle.total(), what="total", atol=0.3)


def attribution_of(ids=IDS, answer=41, contrast=77, name="plain", **options):
    return direct_logit_attribution(explored(name), ids, answer, contrast, **{"value_bias": "in_heads"} | options)


def ablation_of(ids=IDS, answer=41, contrast=77, name="plain", **options):
    return head_ablation(explored(name), ids, answer, contrast, **options)


@pytest.mark.parametrize(
    "attribution, ablation, told",
    [
        (dict(), dict(ids=OTHER), ["prompt"]),
        (dict(), dict(answer=42), ["answer", "41", "42"]),
        (dict(), dict(contrast=None), ["contrast", "77", "none"]),
        (dict(), dict(name="unscaled attention, relu"), ["model", "plain", "unscaled attention, relu"]),
        (dict(answer=42), dict(ids=OTHER), ["prompt", "answer"]),
        (dict(position=3), dict(), ["position 3", "last, 6"]),
        (dict(), dict(metric="prob"), ["prob", "logit_diff"]),
        (dict(), dict(heads=["L0H0"]), ["alone"]),
        (dict(), dict(positions=[1, 2]), ["positions 1, 2", "last position, 6"]),
        (dict(value_bias="folded"), dict(), ["zero", "in_heads", "folded"]),
        (dict(), dict(kind="bias_only"), ["bias_only", "folded", "in_heads"]),
        (dict(), dict(kind="mean", reference=KINDS["mean"]), ["mean", "Give the model"]),
        (dict(), dict(kind="resample", reference=OTHER), ["resample", "Give the model"]),
        (dict(position=3), dict(metric="kl"), ["position 3", "kl"]),
    ],
)
def test_results_that_are_not_about_the_same_thing_are_refused(attribution, ablation, told):
    with pytest.raises(OptionError) as caught:
        direct_and_total(attribution_of(**attribution), ablation_of(**ablation))
    assert all(part in str(caught.value) for part in told), str(caught.value)


def test_prompts_of_one_text_but_other_tokens_are_told_apart():
    bytes_of_mary, mary = tokenizer().convert_tokens_to_ids(list("Mary")), tokenizer()("Mary")["input_ids"]
    with pytest.raises(OptionError) as caught:
        direct_and_total(attribution_of(bytes_of_mary), ablation_of(mary))
    assert "prompt" in str(caught.value) and str(mary[0]) in str(caught.value)


def test_another_model_is_refused():
    with pytest.raises(OptionError, match="unscaled attention, relu"):
        direct_and_total(attribution_of(), ablation_of(), explored("unscaled attention, relu"))


def test_the_sweep_can_be_followed_and_stopped():
    seen = []
    direct_and_total(*both(explored("plain")), explored("plain"), progress=lambda *told: seen.append(told))
    assert seen and seen[-1] == (12, 12)
