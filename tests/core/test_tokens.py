"""Tokens are keyed by id and position, shown so that nothing is invisible, and an answer is exactly one of them."""

import os
import re
import unicodedata
from functools import cache
from pathlib import Path

import pytest

from resstream_demo import load_model
from resstream_demo.core.errors import PromptError, TokenError
from resstream_demo.core.tokens import align, display_token, resolve_answer
from tests.models_under_test import BOS, CLEAN_TEXT, CORRUPTED_TEXT, PADDING_ROWS, explored, ids_of, tokenizer

GPT2_VOCABULARY = Path(os.environ.get("GPT2_VOCABULARY", ""))  # a folder with GPT-2's vocab.json and merges.txt
needs_gpt2 = pytest.mark.skipif(
    not (GPT2_VOCABULARY / "vocab.json").exists(), reason="GPT2_VOCABULARY names no folder with GPT-2's vocabulary"
)


@cache
def gpt2():
    from transformers import GPT2TokenizerFast

    return GPT2TokenizerFast(vocab=str(GPT2_VOCABULARY / "vocab.json"), merges=str(GPT2_VOCABULARY / "merges.txt"))


def prompt(text, bos=True):
    return explored("plain").tokenize(text, bos)


def answer(spec, text=CLEAN_TEXT):
    return explored("plain").answer(spec, prompt(text))


# ---- how a token is shown ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, shown",
    [
        (" Mary", ["␣Mary"]),
        ("Mary", ["Mary"]),
        ("\n", ["↵"]),
        ("\t", ["⇥"]),
        ("é", ["⟨C3⟩", "⟨A9⟩"]),
        ("漢", ["⟨E6⟩", "⟨BC⟩", "⟨A2⟩"]),
        ("\N{GRINNING FACE}", ["⟨F0⟩", "⟨9F⟩", "⟨98⟩", "⟨80⟩"]),
        ("<b>", ["<", "b", ">"]),
        ("${x}", ["$", "{", "x", "}"]),
    ],
)
def test_display_form_of(text, shown):
    assert list(prompt(text).tokens) == ["⟨bos⟩", *shown]


@pytest.mark.parametrize("control", ["\x00", "\x07", "\x1b", "\x7f", "\r"])
def test_a_control_character_is_shown_by_a_visible_sign_of_its_own(control):
    (shown,) = prompt(control, bos=False).tokens
    assert control not in shown and shown.isprintable()
    assert shown not in ("␣", "↵", "⇥")


def test_a_typed_end_of_text_is_told_apart_from_the_bos_that_was_added():
    typed = prompt(BOS, bos=False)
    added = prompt("a")
    assert typed.tokens[0] != "" and added.tokens[0] == "⟨bos⟩"
    twice = prompt(f"{BOS}a")
    assert twice.tokens[0] == "⟨bos⟩" and twice.tokens[1] != "⟨bos⟩"


def test_every_token_of_the_vocabulary_shows_something_visible():
    for token_id in range(len(tokenizer())):
        assert_visible(tokenizer(), token_id)


def test_an_id_that_no_token_owns_is_shown_as_that_id():
    model = explored("untied, resized vocabulary")
    shown = [model.show(i) for i in range(model.vocab_size - PADDING_ROWS, model.vocab_size)]
    assert len(set(shown)) == PADDING_ROWS
    assert all(str(model.vocab_size - PADDING_ROWS + n) in text for n, text in enumerate(shown))


def assert_visible(of, token_id):
    shown = display_token(of, token_id)
    assert shown, token_id
    invisible = [c for c in shown if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Cn", "Zs", "Zl", "Zp")]
    assert not invisible, (token_id, shown)
    means_it = "ï¿½" in of.convert_ids_to_tokens(token_id)  # the three bytes of U+FFFD itself: id 4210 of GPT-2
    assert means_it or "\N{REPLACEMENT CHARACTER}" not in shown, (token_id, shown)


@needs_gpt2
def test_every_one_of_gpt2s_tokens_shows_something_visible():
    for token_id in range(len(gpt2())):
        assert_visible(gpt2(), token_id)


@needs_gpt2
def test_gpt2_ids_that_decode_alike_are_shown_apart():
    by_decoded = {}
    for token_id in range(len(gpt2())):
        by_decoded.setdefault(gpt2().decode([token_id]), []).append(token_id)
    alike = [ids for ids in by_decoded.values() if len(ids) > 1]
    assert sum(map(len, alike)) > 300
    for ids in alike:
        shown = [display_token(gpt2(), token_id) for token_id in ids]
        assert len(set(shown)) == len(ids)


@needs_gpt2
@pytest.mark.parametrize(
    "word, token_id", [(" Mary", 5335), (" John", 1757), (" Paris", 6342), ("Paris", 40313), ("<|endoftext|>", 50256)]
)
def test_gpt2_answers_have_their_published_ids(word, token_id):
    exactly = word if word.startswith((" ", "<")) else f"#{token_id}"
    assert resolve_answer(gpt2(), exactly, vocab_size=50257).id == token_id
    assert resolve_answer(gpt2(), token_id, vocab_size=50257).text == word


@needs_gpt2
def test_gpt2_emoji_and_chinese_are_shown_byte_by_byte_where_split():
    shown = [display_token(gpt2(), i) for i in gpt2()(" 漢字\N{GRINNING FACE}")["input_ids"]]
    assert "".join(shown).startswith("␣") and all(re.search("⟨[0-9A-F]{2}⟩|漢|字", part) for part in shown)


# ---- prompts ------------------------------------------------------------------------------------------------


def test_a_prompt_keeps_repeated_tokens_apart_and_counts_bos():
    repeated = prompt(" Mary Mary Mary")
    assert list(repeated.ids) == ids_of(" Mary Mary Mary") and len(repeated) == 4
    assert repeated.tokens == ("⟨bos⟩", "␣Mary", "␣Mary", "␣Mary")


def test_the_longest_prompt_is_the_models_context_with_bos_counted():
    model = explored("plain")
    fits = "a" * (model.n_ctx - 1)
    assert len(model.tokenize(fits)) == model.n_ctx
    assert len(model.tokenize(fits + "a", bos=False)) == model.n_ctx
    with pytest.raises(PromptError) as caught:
        model.tokenize(fits + "a")
    assert str(model.n_ctx + 1) in str(caught.value) and str(model.n_ctx) in str(caught.value)


@pytest.mark.parametrize("bad", ["", [], [-1], [10**6], [1.5], [True], ["a"], None, "\ud800"])
def test_what_is_no_prompt_is_refused_with_a_sentence(bad):
    with pytest.raises(PromptError) as caught:
        explored("plain").trace(bad)
    assert " " in str(caught.value) and str(caught.value).endswith(".")


def test_one_token_is_a_prompt():
    assert explored("plain").logits([5]).shape == (1, explored("plain").vocab_size)


def test_display_strings_are_never_used_as_keys():
    """Two prompts that look alike when decoded are different prompts."""
    model = explored("plain")
    whole = ids_of("Mary", bos=False)
    pieces = [tokenizer().convert_tokens_to_ids(c) for c in "Mary"]
    assert model.tokenizer.decode(whole) == model.tokenizer.decode(pieces)
    assert model.trace(whole).prompt.ids != model.trace(pieces).prompt.ids


# ---- alignment ----------------------------------------------------------------------------------------------


def test_a_token_put_into_a_repeated_list_is_one_gap():
    """The longest common run of the two would be one shifted by a period."""
    listed = [11, 12, 13, 14] * 3
    first, second = (explored("plain").prompt([1, 2, *listed[:6], *extra, *listed[6:]]) for extra in ([], [99]))
    columns = align(first, second).columns
    assert [column for column in columns if None in column] == [(None, 8)]
    assert align(second, first).columns == tuple((j, i) for i, j in columns)


def test_equal_lengths_align_column_by_column():
    clean, corrupted = prompt(CLEAN_TEXT), prompt(CORRUPTED_TEXT)
    aligned = align(clean, corrupted)
    assert aligned.equal_length
    assert aligned.columns == tuple((i, i) for i in range(len(clean)))
    different = [i for i in range(len(clean)) if clean.ids[i] != corrupted.ids[i]]
    assert aligned.differing == tuple((i, i) for i in different) and len(different) == 1


def test_unequal_lengths_show_which_tokens_have_no_partner():
    short, long = prompt(" Mary and John"), prompt(" Mary and the John")
    aligned = align(short, long)
    assert not aligned.equal_length
    assert aligned.differing == ((None, 3),)
    assert align(long, short).differing == ((3, None),)
    assert [i for i, _ in aligned.columns if i is not None] == list(range(len(short)))
    assert [j for _, j in aligned.columns if j is not None] == list(range(len(long)))


# ---- answers ------------------------------------------------------------------------------------------------


def test_a_word_is_read_with_its_leading_space_and_the_other_form_is_offered():
    chosen = answer("Mary")
    assert chosen.id == ids_of(" Mary", bos=False)[0] and chosen.display == "␣Mary"
    assert chosen.other.id == ids_of("Mary", bos=False)[0] and chosen.other.display == "Mary"
    assert "␣Mary" in chosen.note


def test_a_word_typed_with_its_space_is_taken_as_typed_and_the_other_form_is_offered():
    chosen = answer(" Mary")
    assert chosen.id == ids_of(" Mary", bos=False)[0]
    assert chosen.other.id == ids_of("Mary", bos=False)[0]


def test_after_a_prompt_that_ends_in_a_space_the_word_comes_without_one():
    assert answer("Mary", "When ").id == ids_of("Mary", bos=False)[0]


@pytest.mark.parametrize("spec", [41, "#41"])
def test_an_id_is_taken_as_that_token(spec):
    assert answer(spec).id == 41 and answer(spec).display == display_token(tokenizer(), 41)


def test_an_answer_that_was_resolved_stays_resolved():
    assert answer(answer("Mary")) == answer("Mary")


@pytest.mark.parametrize("typed", ["Marygave", "xyz", " Peter", "漢", "!?"])
@pytest.mark.parametrize("text, after_space", [("When", False), ("When ", True)])
def test_more_than_one_token_is_refused_with_its_pieces_and_the_first_offered(typed, text, after_space):
    """The pieces are those of the reading a single token would have had: a word with its space in front."""
    with pytest.raises(TokenError) as caught:
        answer(typed, text)
    read = " " + typed if typed.isascii() and typed.isalpha() and not after_space else typed
    pieces = ids_of(read, bos=False)
    message = str(caught.value)
    assert all(f"{display_token(tokenizer(), i)} (id {i})" in message for i in pieces)
    assert f"{len(pieces)} tokens" in message and f"#{pieces[0]}" in message


@pytest.mark.parametrize("spec", ["", -1, 10**6, "#999999", 1.5, None, True, ["Mary"]])
def test_what_is_no_token_is_refused_with_a_sentence(spec):
    with pytest.raises(TokenError) as caught:
        answer(spec)
    assert " " in str(caught.value) and str(caught.value).endswith(".")


@pytest.mark.parametrize("text", ["\n", ".", " ", "<", "$", "|", "`"])
def test_punctuation_and_white_space_are_answers_as_typed(text):
    assert answer(text).id == ids_of(text, bos=False)[0] and answer(text).text == text


def test_digits_after_a_digit_go_on_with_the_number():
    tiny = load_model("tiny")
    number = tiny.answer("45", tiny.tokenize("from the year 1732 to the year 17"))
    assert number.text == "45" and number.other.text == " 45"
    assert tiny.answer("45", tiny.tokenize("He counted to")).text == " 45"
