"""The bundled tokenizer has GPT-2's form, loses nothing, and keeps names and year pieces whole."""

import pytest
from transformers import AutoTokenizer, GPT2Tokenizer

from resstream_demo.tiny import ASSETS
from resstream_demo.tiny.corpus.words import DAYS, NAMES
from resstream_demo.tiny.tokenizer import END_OF_TEXT, build_tokenizer, required_openers, required_words


@pytest.fixture(scope="module")
def tokenizer():
    return AutoTokenizer.from_pretrained(ASSETS, local_files_only=True)


def test_it_loads_as_a_fast_gpt2_tokenizer_with_one_special_token_at_the_end(tokenizer):
    assert isinstance(tokenizer, GPT2Tokenizer) and tokenizer.is_fast
    assert tokenizer.bos_token == tokenizer.eos_token == tokenizer.unk_token == END_OF_TEXT
    assert tokenizer.bos_token_id == len(tokenizer) - 1
    assert tokenizer.all_special_tokens == [END_OF_TEXT]
    assert tokenizer.model_max_length == 256


@pytest.mark.parametrize(
    "text",
    [
        "When Mary and John went to the store, John gave a drink to",
        "emoji 😀👩‍👩‍👧 and flags 🇫🇷",
        "中文也可以，日本語も。",
        "controls \x00\x01\x1b\x7f and \t tabs\r\n\n lines",
        "  spaces   before, between and after  ",
        "café naïve Ωmega ﬁ \u200b\ufeff\u202e",
        "code: {x} <b>&lt;</b> ${y} don't can't I'll",
        "1732 17 100 3.14 ² ½ ٣",
        "",
    ],
)
def test_every_text_comes_back_unchanged(tokenizer, text):
    assert tokenizer.decode(tokenizer.encode(text)) == text


def test_no_token_is_added_that_was_not_typed(tokenizer):
    assert tokenizer.encode("Mary") == tokenizer.encode("Mary", add_special_tokens=False)


def test_all_256_bytes_have_a_token(tokenizer):
    characters = "".join(map(chr, range(256))) + "\u4e2d\U0001f600"
    assert tokenizer.unk_token_id not in tokenizer.encode(characters)
    assert {tokenizer.convert_ids_to_tokens(id_) for id_ in range(256)} == set(
        tokenizer.backend_tokenizer.pre_tokenizer.alphabet()
    )


def test_names_and_listed_words_are_one_token_with_a_leading_space(tokenizer):
    assert [word for word in required_words() if len(tokenizer.encode(f" {word}")) != 1] == []
    assert set(NAMES) <= set(required_words())


def test_names_and_days_are_one_token_at_the_start_of_a_text_too(tokenizer):
    assert [word for word in required_openers() if len(tokenizer.encode(word)) != 1] == []
    assert {*NAMES, *DAYS} <= set(required_openers())


@pytest.mark.parametrize("century", range(10, 21))
def test_a_year_splits_into_its_century_and_two_digits(tokenizer, century):
    for year in range(100):
        pieces = [tokenizer.decode([id_]) for id_ in tokenizer.encode(f" {century}{year:02d}")]
        assert pieces == [f" {century}", f"{year:02d}"]


def test_the_bundled_vocabulary_is_the_one_the_code_builds(tokenizer):
    built = build_tokenizer(seed=0)
    assert built.get_vocab() == tokenizer.get_vocab()
    text = "When Mary and John went to the store, it was unforeseeably 1732. 😀"
    assert built.encode(text) == tokenizer.encode(text)
