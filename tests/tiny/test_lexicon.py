"""The word list: inflections, classes and size."""

import pytest

from resstream_demo.tiny.corpus import words
from resstream_demo.tiny.corpus.lexicon import NOUNS, VERBS, all_words, word_classes
from resstream_demo.tiny.corpus.lexicon.inflect import article, degrees, fix_articles, plural, verb


@pytest.mark.parametrize(
    "singular, expected",
    [
        ("child", "children"),
        ("mouse", "mice"),
        ("knife", "knives"),
        ("box", "boxes"),
        ("city", "cities"),
        ("day", "days"),
        ("sheep", "sheep"),
        ("church", "churches"),
        ("stomach", "stomachs"),
        ("postman", "postmen"),
        ("piano", "pianos"),
        ("roof", "roofs"),
    ],
)
def test_plurals(singular, expected):
    assert plural(singular) == expected


@pytest.mark.parametrize(
    "base, forms",
    [
        ("go", "go goes went gone going"),
        ("lie", "lie lies lay lain lying"),
        ("stop", "stop stops stopped stopped stopping"),
        ("open", "open opens opened opened opening"),
        ("carry", "carry carries carried carried carrying"),
        ("play", "play plays played played playing"),
        ("travel", "travel travels travelled travelled travelling"),
        ("fix", "fix fixes fixed fixed fixing"),
        ("have", "have has had had having"),
        ("wear", "wear wears wore worn wearing"),
        ("begin", "begin begins began begun beginning"),
        ("agree", "agree agrees agreed agreed agreeing"),
        ("knit", "knit knits knitted knitted knitting"),
        ("dye", "dye dyes dyed dyed dyeing"),
    ],
)
def test_verb_forms(base, forms):
    made = verb(base, "transitive")
    assert " ".join((made.base, made.s, made.past, made.participle, made.ing)) == forms


@pytest.mark.parametrize(
    "word, low, high",
    [
        ("big", "bigger", "biggest"),
        ("happy", "happier", "happiest"),
        ("nice", "nicer", "nicest"),
        ("good", "better", "best"),
        ("quiet", "quieter", "quietest"),
        ("deep", "deeper", "deepest"),
        ("slow", "slower", "slowest"),
    ],
)
def test_degrees(word, low, high):
    assert degrees(word) == (low, high)


@pytest.mark.parametrize("word, expected", [("apple", "an"), ("hour", "an"), ("uniform", "a"), ("umbrella", "an")])
def test_article(word, expected):
    assert article(word) == expected
    assert article(word.capitalize()) == expected


def test_articles_are_put_right_wherever_they_stand():
    assert fix_articles("A owl saw a uniform, a big egg and a hour.") == "An owl saw a uniform, a big egg and an hour."


def test_enough_words_and_not_too_many():
    assert 3000 <= len(all_words()) <= 4000
    assert list(all_words()) == sorted(set(all_words()))


def test_the_existing_lists_are_in_the_classes():
    classes = word_classes()
    nouns = classes["noun_singular"] | classes["noun_mass"]
    lists = (words.GIFTS, words.PLACES, words.FOODS, words.ANIMALS, words.THINGS, words.ROLES)
    assert {word for part in lists for word in part} <= nouns
    assert set(words.NAMES) == classes["name"]
    assert set(words.DAYS) <= classes["day"] and set(words.MONTHS) <= classes["month"]
    assert set(words.NUMBERS) <= classes["number"]


def test_no_noun_stands_twice_in_one_kind():
    counted = [(n.singular, n.kind, n.mass) for n in NOUNS]
    assert len(counted) == len(set(counted))


def test_no_verb_stands_twice_in_one_frame():
    framed = [(v.base, v.frame, v.objects, v.link) for v in VERBS]
    assert [entry for entry in framed if framed.count(entry) > 1] == []


def test_words_are_plain_and_classes_are_filled():
    for name, members in word_classes().items():
        assert all(word == word.strip() and word for word in members), name
        if name != "punctuation":
            assert all(word.isalpha() for word in members), name
    assert {"mice", "children"} <= word_classes()["noun_plural"]
    assert "mouses" not in all_words() and "goed" not in all_words()
