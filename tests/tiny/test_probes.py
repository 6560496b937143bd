"""The everyday sentences are thirty, well formed, and strict about what may follow them."""

import dataclasses

import pytest

from resstream_demo.tiny.measures.probes import PROBES, WORD_CLASSES, Probe, is_grammatical

# A small made-up vocabulary, its words in the classes a grammar would put them in.
WORDS = {
    "noun_singular": "house apple hour uniform run",
    "noun_plural": "houses apples dogs",
    "noun_mass": "water bread",
    "name": "Lucy",
    "place_name": "Norway",
    "adjective": "green old useful unimportant fast",
    "comparative": "greener older",
    "superlative": "greenest",
    "adverb": "slowly here very fast always",
    "verb_base": "see run be have",
    "verb_s": "sees runs is",
    "verb_past": "saw ran was were",
    "verb_participle": "seen run been",
    "verb_ing": "seeing running",
    "auxiliary": "is are was were has have will isn",
    "determiner": "the a an two",
    "preposition": "of in with",
    "conjunction": "and because",
    "subject_pronoun": "I he they",
    "object_pronoun": "him them",
    "possessive": "his their",
    "reflexive": "himself",
    "number": "two seven",
    "question_word": "who where",
    "particle": "up away",
    "negation": "not never",
    "punctuation": ". , ?",
}
CLASSES = {name: frozenset(words.split()) for name, words in WORDS.items()}

BY_HAND = [  # prompt, what may follow, what may not
    ("The bird flew over the", "house houses water old older greenest seven", "see sees ran slowly the Lucy him of ."),
    ("We put all the apples in a", "house green useful uniform", "apple hour old unimportant houses water the see"),
    ("For breakfast the old man ate an", "apple hour old unimportant", "house useful uniform apples the see"),
    ("My kind old grandmother has two", "dogs green .", "house water the him sees"),
    ("After the party there was not much", "water green left", "house dogs the sees him"),
    ("Our school is one of the", "greenest houses two", "house water the is"),
    ("The soup on the stove was very", "green old", "house slowly greener greenest seen the"),
    ("The old turtle walked very", "slowly fast", "here always green house the"),
    ("All day long the children were", "running seen green here not the away in", "house see sees Lucy him been"),
    ("My big brother has already", "seen run been", "see sees running the slowly"),
    ("After school tomorrow we can", "see be slowly never always", "sees saw seeing here very the house is"),
    ("My little brother wants to", "see be have", "sees saw seeing the house is"),
    ("She washed her hands before", "running the they him lunch", "see sees house isn"),
    ("The cat that lives next door", "sees saw is was will isn never", "see are were have house the"),
    ("The birds in the tall tree", "see saw are were have", "sees is was has house the"),
    ("Late last night the baby", "saw was had", "sees see is were will"),
    ("Every day after lunch I", "see saw am have", "sees is are were the"),
    ("The boy was sad because", "the he Lucy dogs of I", "him house see sees is"),
    ("Where did the old woman", "see run have", "sees saw seeing be is the"),
    ("Can you tell me why", "the he they ?", "is are him see house"),
    ("Last night someone opened the window", ". slowly and in", "the house he sees green"),
    ("A horse can run faster than", "the him he Lucy dogs", "house sees ran greenest"),
    ("This new box is much", "greener older more", "green greenest house slowly"),
]


def probe_at(prompt):
    return next(probe for probe in PROBES if probe.prompt == prompt)


def test_there_are_thirty_and_no_two_alike():
    assert len(PROBES) == 30
    assert len({probe.prompt for probe in PROBES}) == 30
    with pytest.raises(dataclasses.FrozenInstanceError):
        PROBES[0].prompt = "Another"


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.prompt)
def test_each_is_an_unfinished_sentence_and_what_follows_is_well_named(probe):
    assert probe.prompt.split(" ") == probe.prompt.split()  # single spaces, none at either end
    assert 5 <= len(probe.prompt.split()) <= 14
    assert probe.prompt[0].isupper()
    assert probe.prompt[-1].isalpha()
    assert set(probe.classes) <= set(WORD_CLASSES)
    assert len(set(probe.classes)) == len(probe.classes) > 0
    assert all(word and word == word.strip() and " " not in word for word in probe.words)


@pytest.mark.parametrize("probe", PROBES, ids=lambda probe: probe.prompt)
def test_each_accepts_its_own_words_and_refuses_what_it_does_not_know(probe):
    assert [word for word in probe.words if not is_grammatical(probe, word, CLASSES)] == []
    for word in ("xyzzy", "", " the", "house.", "�"):
        assert not is_grammatical(probe, word, CLASSES)


@pytest.mark.parametrize(("prompt", "good", "bad"), BY_HAND, ids=[row[0] for row in BY_HAND])
def test_accepts_and_rejects_by_hand(prompt, good, bad):
    probe = probe_at(prompt)
    assert [word for word in good.split() if not is_grammatical(probe, word, CLASSES)] == []
    assert [word for word in bad.split() if is_grammatical(probe, word, CLASSES)] == []


def test_the_classes_here_are_those_the_probes_may_name():
    assert set(CLASSES) == set(WORD_CLASSES)
    assert len(set(WORD_CLASSES)) == len(WORD_CLASSES)


def test_case_counts_except_where_a_sentence_starts():
    inside = probe_at("The boy was sad because")
    assert is_grammatical(inside, "Lucy", CLASSES) and not is_grammatical(inside, "lucy", CLASSES)
    assert is_grammatical(inside, "the", CLASSES) and not is_grammatical(inside, "The", CLASSES)
    start = Probe("It rained.", ("determiner", "name"))
    assert is_grammatical(start, "The", CLASSES) and is_grammatical(start, "Lucy", CLASSES)
    assert not is_grammatical(start, "lucy", CLASSES) and not is_grammatical(start, "Green", CLASSES)


def test_a_class_missing_from_the_table_is_an_error_and_not_a_refusal():
    with pytest.raises(KeyError):
        is_grammatical(PROBES[0], "house", {})
