"""The grammar's sentences and the tales: English that is right, finished, repeatable and covers the word list."""

import re
from random import Random

import pytest

from resstream_demo.tiny.corpus import grammar, tales
from resstream_demo.tiny.corpus.lexicon import all_words, word_classes
from resstream_demo.tiny.corpus.names import is_male

WRITERS = (
    grammar.grammar_sentence,
    grammar.grammar_paragraph,
    tales.story,
    tales.dialogue,
)
CAPITALISED = word_classes()["name"] | word_classes()["day"] | word_classes()["month"] | {"I"}


def texts(write, count, seed="grammar"):
    rng = Random(seed)
    return [write(rng) for _ in range(count)]


def in_lower_case(word):
    return word if word in CAPITALISED else word.lower()


@pytest.mark.parametrize("write", WRITERS)
def test_the_same_seed_writes_the_same(write):
    assert texts(write, 30, "x") == texts(write, 30, "x")
    assert texts(write, 30, "x") != texts(write, 30, "y")


@pytest.mark.parametrize("write", WRITERS)
def test_texts_are_finished(write):
    for text in texts(write, 1500):
        assert text[-1] in '.?!"' and (text[0].isupper() or text[0] == '"'), text
        assert "  " not in text and "{" not in text and text == text.strip(), text
        assert not re.search(r" [.,?!]|,\.|\.\.|\.,", text), text
        assert text.count('"') % 2 == 0, text


@pytest.mark.parametrize("write", WRITERS)
def test_lengths(write):
    longest = 25 if write is grammar.grammar_sentence else 110
    counts = [len(text.split()) for text in texts(write, 1500)]
    assert 3 <= min(counts) and max(counts) <= longest
    assert len(set(counts)) >= 10


@pytest.mark.parametrize("write", WRITERS)
def test_articles_fit_the_next_word(write):
    """Judged by the letter, with the words whose sound differs named here."""
    like_consonants = ("uniform", "useful", "useless", "usual", "one", "university")
    seen = set()
    for text in texts(write, 2000):
        for which, following in re.findall(r"\b([Aa]n?) (\w+)", text):
            vowel = (
                following[0].lower() in "aeiou" and following not in like_consonants or following in ("hour", "honest")
            )
            assert (which.lower() == "an") == vowel, text
            seen.add(which.lower())
    assert seen == {"a", "an"}


BE_ERRORS = (
    r"\b(I|You|you|We|we|They|they) (is|has|does)\b",
    r"\b(He|he|She|she|It|it) (are|were|have|do|am)\b",
    r"\b(?:We|we|They|they|You|you) (was|wasn|isn|hasn|doesn)\b",
    r"\bI (are|is|were)\b",
    r"\b(a|an|every|each|another|this|that) \w+ (are|were)\b",
    r"\b(two|three|many|several|these|those) \w+ (is|was|has|does)\b",
)


@pytest.mark.parametrize("pattern", BE_ERRORS)
def test_verbs_agree_with_their_subjects(pattern):
    """Statements whose subject opens the text, so that nothing before it can be the real subject."""
    opening = re.compile("^" + pattern)
    wrong = [text for text in texts(grammar.grammar_sentence, 12000) if opening.search(text[:1].lower() + text[1:])]
    wrong += [text for text in texts(grammar.grammar_sentence, 12000) if opening.search(text)]
    assert wrong == []


def test_a_negation_or_question_takes_the_base_form():
    past = word_classes()["verb_past"] - word_classes()["verb_base"]
    found = 0
    for text in texts(grammar.grammar_sentence, 8000):
        for verb in re.findall(r"\b(?:didn't|did not|doesn't|don't|won't) (\w+)", text):
            assert verb not in past, text
            found += 1
    assert found > 200


def test_pronouns_fit_the_name_they_go_back_to():
    found = 0
    for text in texts(grammar.grammar_paragraph, 1500):
        match = re.match(r"(\w+) \w.*?\. (He|She) ", text)
        if match and match[1] in word_classes()["name"]:
            assert is_male(match[1]) == (match[2] == "He"), text
            found += 1
    assert found > 100


@pytest.fixture(scope="module")
def written():
    rng, counts = Random("coverage"), {}
    for number in range(120_000):
        write = grammar.grammar_sentence if number % 10 < 8 else WRITERS[number % 3 + 1]
        for word in re.findall(r"[A-Za-z]+", write(rng)):
            counts[in_lower_case(word)] = counts.get(in_lower_case(word), 0) + 1
    return counts


def test_every_word_of_the_list_is_written(written):
    assert [word for word in all_words() if word not in written] == []


def test_every_written_word_is_in_the_list(written):
    endings = {"t", "s", "ll", "re", "ve", "m"}
    assert set(written) - set(all_words()) - endings == set()


@pytest.mark.parametrize("name", ["noun_singular", "verb_base", "verb_past", "adjective"])
def test_no_word_is_much_rarer_than_its_class(written, name):
    counts = sorted(written[word] for word in word_classes()[name])
    assert counts[0] >= counts[len(counts) // 2] / 25
