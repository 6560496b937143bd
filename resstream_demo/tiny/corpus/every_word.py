"""Sentences around a word drawn evenly from the word list, so that its rare words are met often enough too."""

from random import Random

from resstream_demo.tiny.corpus import clauses
from resstream_demo.tiny.corpus.lexicon import modifiers, verbs
from resstream_demo.tiny.corpus.lexicon.inflect import Verb
from resstream_demo.tiny.corpus.lexicon.nouns import NOUNS, UNIQUE
from resstream_demo.tiny.corpus.phrases import (
    Phrase,
    be_form,
    chance,
    goal_phrase,
    name,
    noun_phrase,
    nouns_of,
    pick,
    place_phrase,
    time_phrase,
    verb_text,
)

#: Each base form once, with all its uses.
USES = tuple(
    tuple(v for v in verbs.VERBS if v.base == base)
    for base in dict.fromkeys(v.base for v in verbs.VERBS)
    if base != "be"
)
TENSES = ("present", "past", "perfect", "progressive", "future", "past progressive", "present", "modal")
FITTING = tuple(
    (word, kind)
    for kind, groups in modifiers.FITS.items()
    for group in groups.split()
    for word in modifiers.ADJECTIVES[group].split()
)
TASKS = tuple(modifiers.ADJECTIVES["task"].split())


def _subject(rng: Random, verb: Verb) -> Phrase:
    frame, _, which = verb.frame.partition(":")
    if frame == "act":
        word = next(n for n in nouns_of(("animal",)) if n.singular == which)
        return noun_phrase(rng, word)
    if frame == "thing":
        return noun_phrase(rng, pick(rng, nouns_of((which,))))
    if frame in ("animal", "animal_motion"):
        return noun_phrase(rng, pick(rng, nouns_of(("animal",))))
    return clauses.person_subject(rng, long=False)


def _completion(rng: Random, verb: Verb, subject: Phrase) -> str:
    """What must or may follow a verb in its frame."""
    frame = verb.frame
    if frame in ("transitive", "state"):
        return noun_phrase(rng, pick(rng, nouns_of(verb.objects)), subject).text
    if frame == "giving":
        return f"{noun_phrase(rng, pick(rng, nouns_of(('text',))), subject).text} to everyone"
    if frame in ("motion", "animal_motion"):
        return goal_phrase(rng)
    if frame in ("posture", "animal"):
        return place_phrase(rng)
    if frame in ("say", "think"):
        return "that " + clauses.clause(rng, clauses.person_subject(rng, long=False), "past")
    if frame == "tell":
        return f"the children that {clauses.clause(rng, name(rng), 'past')}"
    if frame in ("infinitive", "ask"):
        act = clauses.activity(rng, Phrase("they", "they", "person") if frame == "ask" else subject, plain=True)
        return ("the children " if frame == "ask" else "") + "to " + act.infinitive
    if frame == "gerund":
        return clauses.activity(rng, subject, plain=True).gerund
    return pick(rng, clauses.FEELINGS) if frame == "link" else ""


def verb_sentence(rng: Random) -> str:
    """A plain sentence with any verb in any form."""
    verb = rng.choice(rng.choice(USES))
    subject, tense = _subject(rng, verb), rng.choice(TENSES)
    rest = f"{verb.link} {_completion(rng, verb, subject)}".strip()
    going_on = tense in ("progressive", "past progressive")
    if going_on and (verb.frame in ("state", "link") or verb.base in clauses.STILL):
        main = clauses.clause(rng, subject, "past")
        return f"{main} without {verb.ing} {rest}.".replace(" .", ".")
    negative = chance(rng, 0.3 if tense == "modal" else 0.08)
    text = f"{subject.text} {verb_text(rng, subject, verb, tense, negative)} {rest}".strip()
    if not rest and chance(rng, 0.6) and tense in ("past", "present", "future"):
        text += " " + time_phrase(rng, tense)
    return text.replace("  ", " ") + "."


def noun_sentence(rng: Random) -> str:
    """A plain sentence with any noun in either number."""
    word = rng.choice(NOUNS)
    phrase = noun_phrase(rng, word, None, 0.35, 0.5)
    subject = clauses.person_subject(rng, long=False)
    if chance(rng, 0.4) and word.singular not in UNIQUE:
        return f"{phrase.text} {be_form(phrase, chance(rng, 0.5))} {clauses.complement(rng, phrase)}."
    verb = rng.choice([v for v in verbs.BY_FRAME["state"] if v.base in ("like", "see", "think", "notice", "dream")])
    rest = f"{verb.link} {phrase.text}".strip()
    tense = rng.choice(("past", "present", "future", "modal"))
    return f"{subject.text} {verb_text(rng, subject, verb, tense, chance(rng, 0.2))} {rest}."


def adjective_sentence(rng: Random) -> str:
    """A plain sentence with any adjective, after the verb or before its noun."""
    if chance(rng, 0.12):
        act = clauses.activity(rng, Phrase("you", "you", "person"), plain=True)
        return f"it {rng.choice(('is', 'was', 'will be'))} {rng.choice(TASKS)} to {act.infinitive}.".replace(
            "your ", "the "
        )
    word, kind = rng.choice(FITTING)
    if chance(rng, 0.1):
        word, kind = rng.choice(clauses.FEELINGS), "person"
    subject = noun_phrase(rng, pick(rng, nouns_of((kind,))), None, 0.0)
    return f"{subject.text} {be_form(subject, chance(rng, 0.5))} {word}."
