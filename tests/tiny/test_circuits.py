"""Scores that say what a head is, on patterns and models whose answer is known, and the removal of heads."""

import dataclasses
from random import Random

import numpy as np
import pytest
import torch
from transformers import GPT2Config, GPT2LMHeadModel

from resstream_demo.core.models import load_model, wrap_model
from resstream_demo.methods.ablation import head_ablation
from resstream_demo.methods.attribution import direct_logit_attribution
from resstream_demo.methods.references import mean_reference
from resstream_demo.tiny.corpus.giving import giving_prompt
from resstream_demo.tiny.measures import circuits, removal, report
from resstream_demo.tiny.measures.circuits import GivingExample, MoverScores
from resstream_demo.tiny.measures.removal import Outcome, Removal
from tests import models_under_test

PERIOD = 6
T = 1 + 2 * PERIOD


@pytest.fixture(scope="module")
def tiny():
    return load_model("tiny")


@pytest.fixture(scope="module")
def stories(tiny):
    return circuits.giving_examples(tiny.tokenizer, 1, 3)


@pytest.fixture(scope="module")
def others(tiny):
    return circuits.giving_examples(tiny.tokenizer, 2, 4)


# --- patterns ------------------------------------------------------------------------------------------------


def pattern_to(target) -> np.ndarray:
    """[T, T]: all attention of t at `target(t)`, or at position 0 if that is not before or at t."""
    pattern = np.zeros((T, T))
    for t in range(T):
        source = target(t)
        pattern[t, source if 0 <= source <= t else 0] = 1
    return pattern


PREVIOUS = pattern_to(lambda t: t - 1)
DUPLICATE = pattern_to(lambda t: t - PERIOD)
INDUCTION = pattern_to(lambda t: t - PERIOD + 1)
SELF = pattern_to(lambda t: t)


def scores(pattern: np.ndarray) -> tuple[float, float, float]:
    return (
        float(circuits.previous_token_score(pattern)),
        float(circuits.duplicate_token_score(pattern, PERIOD)),
        float(circuits.induction_score(pattern, PERIOD)),
    )


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [(PREVIOUS, (1, 0, 0)), (DUPLICATE, (0, 1, 0)), (INDUCTION, (0, 0, 1)), (SELF, (0, 0, 0))],
    ids=["previous", "duplicate", "induction", "self"],
)
def test_each_pattern_has_its_own_score_and_no_other(pattern, expected):
    assert scores(pattern) == pytest.approx(expected)


def test_even_attention_scores_what_is_even():
    even = np.tril(np.ones((T, T)))
    even /= even.sum(1, keepdims=True)
    second_half = np.mean([1 / (t + 1) for t in range(PERIOD + 1, T)])
    assert scores(even) == pytest.approx((np.mean([1 / (t + 1) for t in range(2, T)]), second_half, second_half))


def test_heads_are_scored_each_by_itself():
    stacked = np.stack([np.stack([PREVIOUS, SELF]), np.stack([INDUCTION, PREVIOUS])])
    np.testing.assert_allclose(circuits.previous_token_score(stacked), [[1, 0], [0, 1]])
    np.testing.assert_allclose(circuits.induction_score(stacked, PERIOD), [[0, 0], [1, 0]])


def attends_back(distance: int) -> GPT2LMHeadModel:
    """One head whose query at t matches the key at t − `distance` alone: positions are one-hot, tokens are silent."""
    n = 32
    model = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(models_under_test.tokenizer()), n_positions=n, n_embd=n, n_layer=1, n_head=1, bos_token_id=0
        )
    )
    attention = model.transformer.h[0].attn
    with torch.no_grad():
        for parameter in attention.parameters():
            parameter.zero_()
        model.transformer.wte.weight.mul_(1e-3)
        model.transformer.wpe.weight.copy_(torch.eye(n) * 10)
        attention.c_attn.weight[:, :n] = torch.roll(torch.eye(n), -distance, dims=1) * 5  # t asks for t − distance
        attention.c_attn.weight[:, n : 2 * n] = torch.eye(n) * 5
    return model.eval()


@pytest.mark.parametrize(
    ("distance", "name"), [(1, "previous"), (PERIOD, "duplicate"), (PERIOD - 1, "induction")], ids=str
)
def test_a_head_built_to_look_back_is_found_in_a_model(monkeypatch, distance, name):
    monkeypatch.setattr(circuits, "PERIOD", PERIOD)
    model = wrap_model(attends_back(distance), models_under_test.tokenizer(), name="built")
    found = circuits.measure_patterns(model, 2)
    values = {field: float(getattr(found, field)[0, 0]) for field in ("previous", "duplicate", "induction")}
    assert values.pop(name) > 0.95
    assert max(values.values()) < 0.15  # tokens with nothing so far back look everywhere alike


# --- names ---------------------------------------------------------------------------------------------------


def test_names_are_found_where_they_stand(tiny, stories):
    for story in stories:
        for token, places in ((story.recipient, story.recipient_at), (story.giver, story.giver_at)):
            assert places
            for at in places:
                assert tiny.tokenizer.decode([story.ids[at]]).strip() == tiny.tokenizer.decode([token]).strip()
        assert len(story.giver_at) >= 2  # the giver is named again as the one who gives
        assert story.ids[0] == tiny.tokenizer.bos_token_id


def test_a_name_of_several_tokens_makes_a_story_unusable(tiny):
    story = giving_prompt(Random(0))
    assert circuits.read_story(tiny.tokenizer, story) is not None
    odd = "Xzqwv" + story.giver
    assert circuits.read_story(
        tiny.tokenizer, dataclasses.replace(story, prompt=story.prompt.replace(story.giver, odd), giver=odd)
    ) is None  # fmt: skip


def copier(sign: float) -> GPT2LMHeadModel:
    """Layer 0 does nothing; layer 1's single head writes what it reads, times `sign`."""
    n = 32
    torch.manual_seed(0)
    model = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(models_under_test.tokenizer()), n_positions=32, n_embd=n, n_layer=2, n_head=1, bos_token_id=0
        )
    )
    with torch.no_grad():
        model.transformer.wte.weight.normal_()
        model.transformer.wpe.weight.zero_()
        for block in model.transformer.h:
            for parameter in (*block.attn.parameters(), *block.mlp.parameters()):
                parameter.zero_()
        model.transformer.h[1].attn.c_attn.weight[:, 2 * n :] = torch.eye(n)
        model.transformer.h[1].attn.c_proj.weight.copy_(sign * torch.eye(n))
    return model.eval()


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_head_that_writes_the_name_it_reads_copies_and_its_negative_copies_negated(sign):
    model = wrap_model(copier(sign), models_under_test.tokenizer(), name="built")
    story = GivingExample((0, 5, 6, 7, 6), recipient=5, giver=6, recipient_at=(1,), giver_at=(2, 4))
    ranks, negated = circuits.copying_ranks(model, model.trace(story.ids), story)
    copying, against = (ranks, negated) if sign > 0 else (negated, ranks)
    assert copying[1, 0] == 0
    assert against[1, 0] == model.vocab_size - 1


def mover_scores(**changes) -> MoverScores:
    """Four heads: a name mover, a negative one, one that writes without copying, one that does nothing."""
    values = {
        "to_recipient": [[0.6, 0.5], [0.5, 0.0]],
        "to_giver": [[0.1, 0.2], [0.1, 0.0]],
        "contribution": [[1.0, -1.0], [2.0, 0.01]],
        "copying": [[0.9, 0.0], [0.1, 0.9]],
        "copying_negated": [[0.0, 0.9], [0.0, 0.0]],
    } | changes
    return MoverScores(**{k: np.array(v) for k, v in values.items()}, difference=4.0, n=10, first_layer=2.0, ranked=9)


def test_a_name_mover_writes_copies_and_attends():
    found = mover_scores()
    assert found.name_movers == ((0, 0),)
    assert found.negative_movers == ((0, 1),)
    assert mover_scores(to_giver=[[0.7, 0.2], [0.1, 0.0]]).name_movers == ()
    assert mover_scores(copying=[[0.4, 0.0], [0.9, 0.9]]).name_movers == ((1, 0),)
    assert mover_scores(contribution=[[0.19, -0.19], [2.0, 0.01]]).name_movers == ()
    assert mover_scores(contribution=[[0.19, -0.19], [2.0, 0.01]]).negative_movers == ()


def test_the_strongest_are_name_movers_first():
    assert mover_scores().strongest(3) == ((0, 0), (1, 0), (1, 1))


def test_contributions_are_those_of_the_attribution(tiny, stories):
    found = circuits.measure_movers(tiny, stories)
    parts = [direct_logit_attribution(tiny, list(s.ids), s.recipient, s.giver) for s in stories]
    np.testing.assert_allclose(found.contribution, np.mean([part.heads for part in parts], axis=0), atol=1e-5)
    assert found.difference == pytest.approx(np.mean([part.logit for part in parts]), abs=1e-4)
    assert ((0 <= found.to_recipient) & (found.to_recipient + found.to_giver <= 1 + 1e-5)).all()


# --- removal -------------------------------------------------------------------------------------------------


def reference(model, others):
    return mean_reference(model, ("others", [list(other.ids) for other in others]), True)


def test_removing_nothing_leaves_the_models_own_difference(tiny, stories, others):
    (found,) = removal.without(tiny, stories, [()], reference(tiny, others)).T
    for value, story in zip(found, stories, strict=True):
        logits = tiny.logits(list(story.ids))[-1]
        assert value == pytest.approx(logits[story.recipient] - logits[story.giver], abs=1e-3)


def test_removing_heads_together_is_mean_ablation(tiny, stories, others):
    heads = [(3, 1), (1, 0), (4, 7)]
    found = removal.without(tiny, stories, [heads], reference(tiny, others))[:, 0]
    means = ("others", [list(other.ids) for other in others])
    for value, story in zip(found, stories, strict=True):
        options = {"heads": heads, "kind": "mean", "reference": means}
        expected = head_ablation(tiny, list(story.ids), story.recipient, story.giver, **options)
        assert value == pytest.approx(float(expected.values), abs=1e-4)


def test_a_head_without_effect_goes_first_and_the_curve_begins_untouched():
    hf_model = models_under_test.build("plain")
    width = hf_model.config.n_embd // hf_model.config.n_head
    with torch.no_grad():
        hf_model.transformer.h[1].attn.c_proj.weight[2 * width : 3 * width] = 0  # L1H2 writes nothing
    model = wrap_model(hf_model, models_under_test.tokenizer(), name="one silent head")
    draw = np.random.default_rng(3).integers(1, 20, size=(8, 7)).tolist()
    examples = [GivingExample(tuple(row), 3, 4, (1,), (2,)) for row in draw]
    found = removal.measure_removal(model, examples[:4], examples[4:], ((0, 0), (2, 3)))
    assert found.order[0] == (1, 2) and found.single[1, 2] == pytest.approx(0, abs=1e-6)
    assert sorted(found.order) == [(layer, head) for layer in range(3) for head in range(4)]
    sizes = [abs(found.single[head]) for head in found.order]
    assert sizes == sorted(sizes) and sizes[-1] > 0.01
    assert len(found.curve) == 13
    assert found.curve[1].difference == pytest.approx(found.curve[0].difference, abs=1e-5)
    ids = [list(example.ids) for example in examples[:4]]
    own = [model.logits(row)[-1][3] - model.logits(row)[-1][4] for row in ids]
    assert found.curve[0].difference == pytest.approx(np.mean(own), abs=1e-3)
    assert found.curve[0].accuracy == np.mean(np.array(own) > 0)
    assert found.without_movers.difference != pytest.approx(found.curve[0].difference, abs=1e-3)


@pytest.mark.parametrize(
    ("accuracies", "removable"),
    [((1.0, 0.9, 0.89, 1.0), 1), ((1.0, 1.0, 1.0), 2), ((0.8, 1.0), -1)],
)
def test_heads_are_removable_up_to_the_first_fall_under_the_floor(accuracies, removable):
    curve = tuple(Outcome(1.0, accuracy) for accuracy in accuracies)
    order = tuple((0, head) for head in range(len(accuracies) - 1))
    found = Removal(5, "r", np.zeros((1, 1)), ((0, 0),), Outcome(0.5, 1.0), order, curve)
    assert found.removable == removable
    sentence = report.removable_sentence(found)
    assert ("already" in sentence) if removable < 0 else sentence.startswith(f"{removable} of {len(order)} heads")
