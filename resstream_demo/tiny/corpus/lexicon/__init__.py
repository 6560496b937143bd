"""The word list of the small world, with inflections, kinds and word classes."""

from functools import cache

from resstream_demo.tiny.corpus import words
from resstream_demo.tiny.corpus.lexicon import modifiers, nouns
from resstream_demo.tiny.corpus.lexicon.inflect import plural
from resstream_demo.tiny.corpus.lexicon.modifiers import ADJECTIVES, ADVERBS, DEGREES
from resstream_demo.tiny.corpus.lexicon.nouns import NOUNS
from resstream_demo.tiny.corpus.lexicon.verbs import VERBS

__all__ = ["NOUNS", "VERBS", "all_words", "word_classes"]

PUNCTUATION = ". , ? ! \" : ; '".split()


def _split(groups: dict[str, str]) -> frozenset[str]:
    return frozenset(word for listed in groups.values() for word in listed.split())


def _noun_classes() -> dict[str, frozenset[str]]:
    masses = {n.singular for n in NOUNS if n.mass}
    singulars = {n.singular for n in NOUNS if not n.mass}
    elsewhere = (*words.GIFTS, *words.PLACES, *words.FOODS, *words.ANIMALS, *words.THINGS, *words.ROLES, *words.OTHERS)
    singulars |= {word for word in elsewhere if word not in masses and word != "children"}
    return {
        "noun_singular": frozenset(singulars),
        "noun_plural": frozenset(plural(word) for word in singulars - nouns.UNIQUE),
        "noun_mass": frozenset(masses),
        "name": frozenset(words.NAMES),
        "place_name": frozenset(),
        "day": frozenset((*words.DAYS, *(day + "s" for day in words.DAYS))),
        "month": frozenset((*words.MONTHS, *words.SEASONS)),
    }


def _verb_classes() -> dict[str, frozenset[str]]:
    full = [v for v in VERBS if v.base != "be"]
    names = ("base", "s", "past", "participle", "ing")
    return {"verb_" + name: frozenset(getattr(v, name) for v in full) for name in names}


@cache
def word_classes() -> dict[str, frozenset[str]]:
    """Class -> its words, without leading spaces; a word may stand in several classes."""
    added = _split_each(modifiers.CONSTRUCTION_FORMS)
    return {name: members | added.get(name, frozenset()) for name, members in _listed_classes().items()}


def _split_each(groups: dict[str, str]) -> dict[str, frozenset[str]]:
    return {name: frozenset(listed.split()) for name, listed in groups.items()}


def _listed_classes() -> dict[str, frozenset[str]]:
    return {
        **_noun_classes(),
        **_verb_classes(),
        "adjective": _split(ADJECTIVES) | frozenset(modifiers.COMPARED) | frozenset(words.ADJECTIVES),
        "comparative": frozenset(low for low, _ in DEGREES.values()),
        "superlative": frozenset(high for _, high in DEGREES.values()),
        "adverb": _split(ADVERBS) - {"a"},
        "auxiliary": frozenset(modifiers.AUXILIARIES),
        "determiner": frozenset((*modifiers.DETERMINERS, *words.NUMBERS)),
        "preposition": frozenset(modifiers.PREPOSITIONS),
        "conjunction": frozenset(modifiers.CONJUNCTIONS),
        "subject_pronoun": frozenset((*modifiers.SUBJECT_PRONOUNS, "I")) - {"i"},
        "object_pronoun": frozenset(modifiers.OBJECT_PRONOUNS),
        "possessive": frozenset(modifiers.POSSESSIVES),
        "reflexive": frozenset(modifiers.REFLEXIVES),
        "indefinite": frozenset(modifiers.INDEFINITE),
        "number": frozenset((*words.NUMBERS, *modifiers.BIG_NUMBERS, *words.ORDINALS)),
        "question_word": frozenset(modifiers.QUESTION_WORDS),
        "particle": frozenset(modifiers.PARTICLES),
        "negation": frozenset(("not", "never")),
        "interjection": frozenset(modifiers.INTERJECTIONS),
        "set_phrase": frozenset(modifiers.SET_PHRASES),
        "punctuation": frozenset(PUNCTUATION),
    }


@cache
def all_words() -> tuple[str, ...]:
    """Every word form of the small world, sorted."""
    classes = word_classes()
    return tuple(sorted({word for name, words in classes.items() if name != "punctuation" for word in words}))
