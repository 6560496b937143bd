"""The prompt check speaks up about what surprises people, and keeps quiet about an ordinary pair."""

import pytest

from resstream_demo.core.promptcheck import check_prediction, check_prompts
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


def test_a_prediction_that_is_a_word_needs_no_remark_and_punctuation_is_explained(model):
    seen = set()
    for ids in ([n] for n in range(model.vocab_size)):
        trace = model.trace(ids)
        token = int(model.logits(trace)[-1].argmax())
        remarks = check_prediction(model, trace)
        is_word = any(char.isalnum() for char in model.tokenizer.decode([token]))
        if is_word:
            assert remarks == ()
        elif remarks:
            assert remarks[0].part == model.show(token) and "punctuation or white space" in remarks[0].text
        seen.add((is_word, bool(remarks)))
    assert {(True, False), (False, True)} <= seen, "the prompts tried did not show both cases"
