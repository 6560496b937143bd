"""The school grammar's constructions: each is written often, with fitting words, agreement and a continuation."""

import re
from collections import Counter
from random import Random

import pytest

from resstream_demo.tiny.corpus import constructions, grammar
from resstream_demo.tiny.corpus.constructions import CONSTRUCTIONS, NAMES, actors, doings, scenery
from resstream_demo.tiny.corpus.constructions.actors import fill
from resstream_demo.tiny.corpus.lexicon import all_words

#: Construction -> a sign of it in the finished text.
SIGNS = {
    "enough": r"\benough\b",
    "much, many": r"\b(much|many)\b",
    "each, every": r"\b([Ee]ach|[Ee]very|[Bb]oth|[Nn]either)\b",
    "one of the": r"\b(one|all|most|none|two|half|each|many|some) of (the|us|my|her|our)\b",
    "partitive": r"\b(cup|glass|piece|bottle|slice|pair|bag|bowl|basket)s? of\b",
    "resultative": r"\b(paint\w*|push\w*|cut|wash\w*|ate|swept) the \w+ (red|blue|green|white|open|clean)\b",
    "object complement": r"\b(made|found|kept|left|called) \w+( \w+)? \w+",
    "indefinite": r"\b\w*(body|thing|one)\b",
    "indirect": r"\b(asked|know|knew|wonder\w*|tell me) (\w+ )?(where|why|how|if|whether|when|who|what)\b",
    "comparative": r"\w than\b",
    "superlative": r"\bthe \w+est\b",
    "purpose": r"\bto \w+",
    "exclamation": r"^(what|how) .*!$",
    "tag": r"n't (he|she|it|they|you|we|I)\?$|(did|will|shall|have) (he|she|you|we|they|I)\?$",
    "passive": r"\b(was|were) \w+(ed|en|ld|lt)\b",
    "conditional": r"\b([Ii]f|[Uu]nless)\b",
    "relative": r"\b(who|which|whose|where)\b",
    "very": r"\bvery \w+",
    "frequency": r"\b(always|often|never|usually|sometimes|seldom|rarely)\b",
    "clock": r"o'clock|past \w+",
    "price": r"\b(pounds|costs?|paid|expensive|cheaper|cheap)\b",
    "age": r"\b(years|months) old(er)?\b|[Hh]ow old|at the age of",
    "weather": r"\b(rain|snow|wind)\w*",
    "going to": r"\bgoing to\b",
    "used to": r"\bused to\b",
}


@pytest.fixture(scope="module")
def written():
    rng = Random("constructions")
    return [grammar.grammar_sentence(rng) for _ in range(12_000)]


@pytest.fixture(scope="module")
def in_each():
    rng = Random("each")
    return {name: [constructions.write(rng, name) for _ in range(120)] for name in NAMES}


@pytest.mark.parametrize("sign", SIGNS)
def test_every_construction_is_met_once_in_three_hundred_sentences(written, sign):
    assert sum(bool(re.search(SIGNS[sign], text[:1].lower() + text[1:])) for text in written) >= len(written) / 300


def test_the_grammar_chooses_each_construction_once_in_three_hundred_sentences(monkeypatch):
    counts, write = Counter(), constructions.write
    monkeypatch.setattr(constructions, "write", lambda rng, name: counts.update([name]) or write(rng, name))
    rng = Random("share")
    for _ in range(12_000):
        grammar.grammar_sentence(rng)
    assert set(counts) == set(NAMES)
    assert min(counts.values()) >= 12_000 / 300


@pytest.mark.parametrize("name", NAMES)
def test_every_template_can_be_filled_and_varies(name):
    for template in CONSTRUCTIONS[name]:
        texts = [fill(Random(seed), template) for seed in range(12)]
        assert not re.search(r"[{}|]|  ", " ".join(texts)), template
        assert len(set(texts)) > 1 or "{" not in template


def test_every_word_is_in_the_word_list(in_each):
    known = set(all_words()) | {word.capitalize() for word in all_words()} | {"s", "t"}
    used = {word for texts in in_each.values() for text in texts for word in re.findall("[A-Za-z]+", text)}
    assert used - known == set()


def test_subjects_agree_with_their_verbs():
    rng = Random("agree")
    for _ in range(3_000):
        subject = rng.choice((actors.person, actors.animal, actors.thing))(rng)
        singular = subject.pronoun in ("he", "she", "it")
        assert subject.agreeing(actors.verb_of("carry")) == ("carries" if singular else "carry")
        assert getattr(subject, "is") == ("is" if singular else "am" if subject.pronoun == "I" else "are")
        plural_start = re.match(r"(two|three|some|these|many|most|both|all)\b", subject.text)
        assert not (plural_start and singular), subject.text


def test_a_capital_slot_keeps_what_it_drew_and_another_of_its_group_differs():
    rng = Random("kept")
    for _ in range(300):
        first, again, other = fill(rng, "{ANIMAL.n} {ANIMAL.n} {ANIMAL2.n}").split()
        assert first == again != other
        one, two = fill(rng, "{S.he} {O.he}").split()
        assert one != two


def test_adjectives_fit_their_nouns():
    rng = Random("fit")
    suited = {noun: adjectives for noun, _, adjectives in scenery.QUALITIES["food"]}
    for _ in range(500):
        noun, adjective = fill(rng, "{Food.n} {Food.adj}").split()
        assert adjective in suited[noun]


def test_comparison_uses_words_that_have_degrees():
    rng = Random("degrees")
    for _ in range(1_000):
        assert re.fullmatch(r"more \w+|\w+er|worse", fill(rng, "{PLACE.more}"))
        assert re.fullmatch(r"most \w+|\w+est|worst", fill(rng, "{PLACE.most}"))
        assert not re.search(r"more (new|red|green|white|old)", fill(rng, "{ANIMAL.more} {THING.more}"))


def test_common_words_are_drawn_most_but_rare_ones_too():
    rng = Random("skew")
    counts = Counter(actors.skewed(rng, doings.THINGS) for _ in range(20_000))
    assert counts[doings.THINGS[0]] > 3 * counts[doings.THINGS[-1]] > 0


def test_what_people_do_goes_on_past_the_verb():
    assert all(" " in doing for doing in doings.PERSON_DOINGS)
