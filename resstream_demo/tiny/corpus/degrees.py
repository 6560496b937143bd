"""Sentences that compare and measure: bigger than, the oldest of all, too tired to, a foggy morning."""

from random import Random

from resstream_demo.tiny.corpus import clauses
from resstream_demo.tiny.corpus.lexicon import modifiers
from resstream_demo.tiny.corpus.lexicon.inflect import with_article
from resstream_demo.tiny.corpus.lexicon.nouns import UNIQUE
from resstream_demo.tiny.corpus.phrases import (
    Phrase,
    be_form,
    chance,
    noun_phrase,
    nouns_of,
    pick,
    place_phrase,
    pronoun_subject,
    the,
)
from resstream_demo.tiny.corpus.words import NAMES

TASKS = tuple(dict.fromkeys(modifiers.ADJECTIVES["task"].split()))


def _compared(rng: Random) -> tuple[str, tuple[str, ...]]:
    groups = tuple(modifiers.COMPARED_FOR)
    kind = rng.choices(groups, [len(words.split()) for words in modifiers.COMPARED_FOR.values()])[0]
    return kind, tuple(modifiers.COMPARED_FOR[kind].split())


def comparison(rng: Random) -> str:
    kind, pool = _compared(rng)
    word = rng.choice(pool)
    low, high = modifiers.DEGREES[word]
    subject = (
        clauses.person_subject(rng, long=False)
        if kind == "person"
        else noun_phrase(rng, pick(rng, nouns_of((kind,))), None, 0.2)
    )
    be = be_form(subject, chance(rng, 0.3))
    other = pick(rng, nouns_of((kind,)))
    roll = rng.random()
    if roll < 0.4:
        than = the(rng, other, 0.2, 0.15)
        if kind == "person" and chance(rng, 0.5):
            than = rng.choice(NAMES)
        if than not in subject.text:
            return f"{subject.text} {be} {rng.choice(('', '', '', 'much ', 'a little '))}{low} than {than}."
    if roll < 0.5:
        return f"{subject.text} {be} as {word} as {the(rng, other, 0.0, 0.0)}."
    if other.mass or other.singular in UNIQUE:
        return f"{subject.text} {be} {low} than before."
    if roll < 0.58:
        verb = rng.choice(("wanted", "needed", "saw"))
        return f"{pronoun_subject(rng).text} {verb} {with_article(low)} {other.singular}."
    head = rng.choice((f"this is the {high} {other.singular}", f"the {high} {other.singular} was"))
    if head.startswith("this"):
        return f"{head} {rng.choice(('of all', 'in the town', 'in the country', 'in the city'))}."
    return f"{head} {place_phrase(rng)}."


ONE = Phrase("he", "he", "person")
CONDITIONS = ("ready", "wet", "different", "strange", "wrong")


def measured(rng: Random) -> str:
    """Degrees of an adjective: too, so … that, enough, more … than."""
    subject, tense = clauses.person_subject(rng, long=False), chance(rng, 0.5)
    feeling = pick(rng, clauses.FEELINGS)
    act = clauses.activity(rng, subject, plain=True)
    be = be_form(subject, tense)
    word = rng.choice("tall big old strong young clever rich brave".split())
    again = clauses.shorter(subject)
    everyone = rng.choice(("everyone", "nobody", "someone", "almost everyone"))
    everything = rng.choice(("everything", "nothing", "something", "it"))
    return rng.choice(
        (
            f"{subject.text} {be} too {feeling} to {act.infinitive}.",
            f"{subject.text} {be_form(subject, True)} so {feeling} that {clauses.clause(rng, again, 'past')}.",
            f"{subject.text} {be} {word} enough to {act.infinitive}.",
            f"it {'was' if tense else 'is'} {pick(rng, TASKS)} to {act.infinitive}.".replace(" his ", " the "),
            f"there {'were' if tense else 'are'} more {pick(rng, nouns_of(('animal',))).plural} than "
            f"{pick(rng, nouns_of(('person',))).plural} {place_phrase(rng)}.",
            f"most of the {pick(rng, nouns_of(('person', 'animal'))).plural} {'were' if tense else 'are'} {feeling}.",
            f"{everyone} {clauses.predicate(rng, ONE, 'past')}."
            .replace(" his ", " the ").replace("himself", "the dog"),
            f"{everything} was {pick(rng, CONDITIONS)} {place_phrase(rng)}.",
            f"{'did' if tense else 'do'} you see {rng.choice(('anything', 'something'))} {place_phrase(rng)}?",
        )
    )  # fmt: skip


def weather_report(rng: Random) -> str:
    """ "It was a foggy morning." """
    word = pick(rng, nouns_of(("time",)))
    day = pick(rng, modifiers.ADJECTIVES["time"].split())
    if word.singular in ("hour", "minute", "second", "moment", "century") or day == "whole":
        return f"it was {pick(rng, ('cold', 'warm', 'wet', 'dark', 'windy', 'foggy'))} {place_phrase(rng)}."
    be = rng.choice(("is", "was", "will be"))
    return f"it {be} {with_article(day)} {word.singular}{rng.choice(('', ' again', ' ' + place_phrase(rng)))}."
