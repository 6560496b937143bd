"""Yes/no questions and wh-questions of the grammar."""

from random import Random

from resstream_demo.tiny.corpus import clauses
from resstream_demo.tiny.corpus.lexicon import verbs
from resstream_demo.tiny.corpus.lexicon.inflect import with_article
from resstream_demo.tiny.corpus.phrases import (
    Phrase,
    adjective_text,
    be_form,
    chance,
    finite,
    nouns_of,
    pick,
    place_phrase,
    time_phrase,
)
from resstream_demo.tiny.corpus.words import NAMES

TIMED = ("present", "past", "future", "progressive", "past progressive", "perfect")
OBJECTS = ("thing", "food", "clothing", "tool", "text", "music", "machine", "furniture", "art", "plant", "animal")


def yes_no_question(rng: Random) -> str:
    subject = clauses.person_subject(rng, long=False)
    tense = rng.choice((*clauses.SIMPLE, "progressive", "perfect", "modal"))
    act = clauses.activity(rng, subject, plain=True)
    if chance(rng, 0.15):
        past = chance(rng, 0.4)
        return f"{be_form(subject, past)} {subject.text} {clauses.complement(rng, subject)}?"
    helper, rest = finite(rng, subject, act.verb, tense, helper=True)
    if helper in ("may", "might"):
        helper = "could"
    ever = "ever " if tense == "perfect" and chance(rng, 0.5) else ""
    when = " " + time_phrase(rng, tense) if tense in TIMED and not ever and chance(rng, 0.25) else ""
    if when in (" already", " twice a week"):
        when = " yet" if tense == "perfect" else ""
    asked = f"{helper} {subject.text} {ever}{rest} {act.tail}".strip() + when + "?"
    if chance(rng, 0.25):
        answer = rng.choice(("Yes", "No"))
        again = clauses.shorter(subject)
        if again.pronoun not in ("I", "you", "we"):
            tail = helper if answer == "Yes" else helper + " not"
            return f"{asked} {answer}, {again.text} {tail}."
    return asked


def wh_question(rng: Random) -> str:
    subject = clauses.person_subject(rng, long=False)
    tense = rng.choice(("past", "past", "present", "future", "progressive"))
    act = clauses.activity(rng, subject, plain=True)
    helper, rest = finite(rng, subject, act.verb, tense, helper=True)
    roll = rng.random()
    if roll < 0.4:
        word = rng.choice(("why", "when", "how", "how often", "why", "where"))
        if word == "where":
            act = clauses.transitive(rng, subject)
            helper, rest = finite(rng, subject, act.verb, "past" if tense == "progressive" else tense, helper=True)
        return f"{word} {helper} {subject.text} {rest} {act.tail}".strip() + "?"
    if roll < 0.55:
        who = Phrase("who", "he", "person")
        return f"who {clauses.predicate(rng, who, rng.choice(('past', 'present', 'future', 'progressive')))}?".replace(
            " his ", " the "
        )
    if roll < 0.8:
        return of_thing_question(rng)
    verb = rng.choice(("want", "see", "find", "need", "buy", "say", "bring", "mean", "choose"))
    do = finite(rng, subject, verbs.BY_FRAME["motion"][0], "past" if tense == "past" else "present", True)[0]
    return f"what {rng.choice(('', '', 'else '))}{do} {subject.text} {verb}?"


def of_thing_question(rng: Random) -> str:
    word = pick(rng, nouns_of(OBJECTS))
    if word.mass:
        return f"how much {word.singular} do {rng.choice(('you', 'we', 'they'))} need?"
    which = adjective_text(rng, word.kind)
    whose = rng.choice(("my", "your", "the", "our", rng.choice(NAMES) + "'s"))
    return rng.choice(
        (
            f"where is {whose} {which}{word.singular}?",
            f"whose {which}{word.singular} is this?",
            f"how many {which}{word.plural} are there {place_phrase(rng)}?".replace("there there", "there"),
            f"which {word.singular} do you like {rng.choice(('best', 'most', 'more'))}?",
            f"what colour is the {word.singular}?",
            f"how old {rng.choice(('is', 'was'))} the {word.singular}?",
            f"have you got {with_article(which + word.singular)}?",
        )
    )
