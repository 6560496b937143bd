"""The prompt check speaks up about what surprises people, and keeps quiet about an ordinary pair."""

import math

import pytest
import torch

from resstream_demo.core.promptcheck import NOISE_SHARE, check_prediction, check_prompts
from tests import models_under_test as under_test

CLEAN, CORRUPTED = under_test.CLEAN_TEXT, under_test.CORRUPTED_TEXT


@pytest.fixture(scope="module")
def model():
    return under_test.explored(next(iter(under_test.SHAPES)))


def said(model, *inputs, **options) -> str:
    return "\n".join(f"{r.level}: {r.text} [{r.part}]" for r in check_prompts(model, *inputs, **options))


def test_an_ordinary_pair_needs_no_remark(model):
    assert check_prompts(model, CLEAN, CORRUPTED, " Mary", " John") == ()


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        ((CLEAN + " ", CORRUPTED), "warning: The clean prompt ends in white space"),
        ((CLEAN, CORRUPTED, " Mary", "Mary"), "warning: Answer and contrast are the same token"),
        ((CLEAN, CLEAN), "warning: The two prompts are the same"),
        ((CLEAN, "When Mary"), "warning: The prompts have"),
        ((CLEAN + "<|endoftext|>",), "info: The clean prompt holds a special token"),
        (("",), "error: The clean prompt: The prompt is empty"),
        (("Mary " * 200,), "error: The clean prompt: The prompt has"),
        (("a\ud800b",), "error: The clean prompt: Character 2"),
        ((" Mary",), "info: The clean prompt is one token"),
        ((CLEAN, CORRUPTED, " Mary John"), "error: The answer “ Mary John” is"),
        ((CLEAN, CORRUPTED, " Mary", " Mary John"), "error: The contrast “ Mary John” is"),
    ],
)
def test_it_says(model, inputs, sentence):
    assert sentence in said(model, *inputs)


def test_unequal_lengths_show_the_tokens_that_have_no_partner(model):
    shown = said(model, " Mary and John went", " Mary went")
    assert "␣and | ∅" in shown and "␣John | ∅" in shown


def test_a_prediction_that_is_a_word_needs_no_remark_and_others_are_explained(model):
    seen = set()
    for ids in ([n] for n in range(model.vocab_size)):
        trace = model.trace(ids)
        token = int(model.logits(trace)[-1].argmax())
        remarks = check_prediction(model, trace)
        text = model.tokenizer.decode([token])
        if any(char.isalnum() for char in text):
            kind, said = "word", ""
        elif "\ufffd" in text:
            kind, said = "byte", "a piece of a character"
        else:
            kind, said = "other", "punctuation or white space"
        if kind == "word":
            assert remarks == ()
        elif remarks:  # a symbol that stands for something, such as +, needs none
            assert remarks[0].part == model.show(token) and said in remarks[0].text
        seen.add((kind, bool(remarks)))
    assert {("word", False), ("byte", True), ("other", True)} <= seen, "the prompts tried did not show all cases"


def surprise(model, ids) -> float:
    """Mean nats at a prompt's own tokens, from the model's plain logits."""
    logp = torch.log_softmax(torch.tensor(model.logits(ids)), -1)
    return -sum(float(logp[t, token]) for t, token in enumerate(ids[1:])) / (len(ids) - 1)


def test_text_that_surprises_the_model_as_much_as_guessing_is_called_noise(model):
    generator = torch.Generator().manual_seed(3)
    told = set()
    for _ in range(40):
        ids = torch.randint(0, model.vocab_size - 1, (6,), generator=generator).tolist()
        nats = surprise(model, ids)
        noise = [remark.text for remark in check_prediction(model, model.trace(ids)) if "noise" in remark.text]
        assert bool(noise) == (nats >= NOISE_SHARE * math.log(model.vocab_size))
        assert not noise or f"probability of 1 in {math.exp(nats):,.0f}," in noise[0]
        told.add(bool(noise))
    assert True in told


def test_two_tokens_are_too_few_to_call_a_text_strange(model):
    assert not [r for r in check_prediction(model, model.trace([5, 9])) if "noise" in r.text]


def test_text_the_model_foresees_is_not_called_noise(model):
    """The greedy continuation is what the model expects most, so no text surprises it less."""
    ids = [7]
    for _ in range(6):
        ids.append(int(model.logits(ids)[-1].argmax()))
    assert surprise(model, ids) < NOISE_SHARE * math.log(model.vocab_size)
    assert not [r for r in check_prediction(model, model.trace(ids)) if "noise" in r.text]
