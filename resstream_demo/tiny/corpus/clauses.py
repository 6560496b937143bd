"""Subjects, activities that fit them, and the clauses made of both."""

from dataclasses import dataclass, replace
from functools import cache
from random import Random

from resstream_demo.tiny.corpus.lexicon import modifiers, nouns, verbs
from resstream_demo.tiny.corpus.lexicon.inflect import Verb, verb, with_article
from resstream_demo.tiny.corpus.phrases import (
    MINE,
    OBJECT,
    POSSESSIVE,
    REFLEXIVE,
    Phrase,
    adjective_text,
    be_form,
    chance,
    goal_phrase,
    joined,
    name,
    negate,
    noun_phrase,
    nouns_of,
    pick,
    place_phrase,
    pronoun_subject,
    the,
    time_phrase,
    verb_text,
)

REFLEXIVES = frozenset(REFLEXIVE.values())
BE = verb("be", "be")
MANNER = tuple(modifiers.ADVERBS["manner"].split())
WITH_LY = tuple(w for w in MANNER if w.endswith("ly"))
FREQUENCY = tuple(modifiers.ADVERBS["frequency"].split())
FEELINGS = tuple(modifiers.ADJECTIVES["feeling"].split())
PERSONAL = tuple(dict.fromkeys(modifiers.ADJECTIVES["person"].split()))
#: Kinds of noun of which no sentence says where they are.
NOWHERE = frozenset("idea event time weather game body limb place nature sky building part".split())
#: Kinds that do something by themselves, with verbs of their own.
DOERS = tuple(f.split(":")[1] for f in verbs.BY_FRAME if f.startswith("thing:"))
SIMPLE = ("past", "past", "past", "present", "present", "future")
TENSES = (
    *SIMPLE,
    "past",
    "progressive",
    "past progressive",
    "perfect",
    "past perfect",
    "modal",
    "going",
    "present",
    "progressive",
    "past progressive",
)
STILL = frozenset("know believe understand realise suppose hate own like love need prefer notice afford".split())


@dataclass(frozen=True)
class Activity:
    """What a subject does: a verb, what follows it, and whether it can be going on (progressive)."""

    verb: Verb
    tail: str
    ongoing: bool = True

    @property
    def reflexive(self) -> bool:
        return not REFLEXIVES.isdisjoint(self.tail.split())

    @property
    def infinitive(self) -> str:
        return f"{self.verb.base} {self.tail}".strip()

    @property
    def gerund(self) -> str:
        return f"{self.verb.ing} {self.tail}".strip()


@cache
def transitive_groups() -> tuple[tuple[tuple, tuple], ...]:
    """The transitive verbs by the kinds of their objects, with those objects."""
    groups = dict.fromkeys(v.objects for v in verbs.BY_FRAME["transitive"])
    return tuple(
        (tuple(v for v in verbs.BY_FRAME["transitive"] if v.objects == kinds), nouns_of(kinds)) for kinds in groups
    )


@cache
def group_weights() -> tuple[float, ...]:
    """How often a verb with an object is drawn from each group: by its size, and more for the rarer kinds."""
    rare = ("idea", "body", "time", "event", "sky", "group", "weather", "music")
    return tuple(
        max(len(group), len(pool)) * (1.7 if pool[0].kind in rare else 1) for group, pool in transitive_groups()
    )


def linked(verb_: Verb, rest: str) -> Activity:
    return Activity(verb_, f"{verb_.link} {rest}".strip(), verb_.base not in STILL)


def transitive(rng: Random, subject: Phrase) -> Activity:
    group, pool = rng.choices(transitive_groups(), group_weights())[0]
    verb_, word = pick(rng, group), pick(rng, pool)
    if word.kind == "person" and chance(rng, 0.4):
        other = name(rng) if chance(rng, 0.6) else pronoun_subject(rng, subject.pronoun)
        if other.text not in subject.text:
            return linked(verb_, OBJECT.get(other.text, other.text))
    if word.kind in ("body", "limb") and subject.kind == "person":
        number = (
            word.plural
            if not word.mass and chance(rng, 0.5) and word.kind == "body" and word.singular in nouns.SEVERAL
            else word.singular
        )
        return linked(verb_, f"{POSSESSIVE[subject.pronoun]} {number}")
    if word.kind in ("food", "clothing") and chance(rng, 0.08):
        others = [noun_phrase(rng, pick(rng, pool), subject, 0.2).text for _ in range(2)]
        return linked(verb_, joined([noun_phrase(rng, word, subject, 0.2).text, *others]))
    return linked(verb_, noun_phrase(rng, word, subject).text)


def intransitive(rng: Random, subject: Phrase) -> Activity:
    return linked(pick(rng, verbs.BY_FRAME["intransitive"]), pick(rng, WITH_LY) if chance(rng, 0.3) else "")


def motion(rng: Random, subject: Phrase) -> Activity:
    goal = goal_phrase(rng)
    if chance(rng, 0.15):
        goal = pick(rng, WITH_LY) + " " + goal
    return linked(pick(rng, verbs.BY_FRAME["motion"]), goal)


def posture(rng: Random, subject: Phrase) -> Activity:
    return linked(pick(rng, verbs.BY_FRAME["posture"]), place_phrase(rng))


def state(rng: Random, subject: Phrase) -> Activity:
    word = pick(rng, nouns_of(("thing", "clothing", "tool", "animal", "text", "music", "food", "machine", "vehicle")))
    activity = linked(pick(rng, verbs.BY_FRAME["state"]), noun_phrase(rng, word).text)
    return replace(activity, ongoing=bool(activity.verb.link))


def giving(rng: Random, subject: Phrase) -> Activity:
    verb_ = pick(rng, verbs.BY_FRAME["giving"])
    kinds = (
        ("text",) if verb_.base in ("read", "describe", "explain") else ("thing", "clothing", "tool", "text", "food")
    )
    gift = "a song" if verb_.base == "sing" else noun_phrase(rng, pick(rng, nouns_of(kinds)), subject).text
    other = pronoun_subject(rng, subject.pronoun)
    receiver = name(rng).text if chance(rng, 0.4) else OBJECT[other.text]
    if chance(rng, 0.3):
        receiver = the(rng, pick(rng, nouns_of(("person",))), 0.3)
    if receiver in subject.text:
        receiver = "everyone"
    if verb_.base in "give send show bring offer lend hand pass sell throw read".split() and chance(rng, 0.5):
        return linked(verb_, f"{receiver} {gift}")
    return linked(verb_, f"{gift} to {receiver}")


def reflexive(rng: Random, subject: Phrase) -> Activity:
    verb_ = rng.choice([v for v in verbs.BY_FRAME["transitive"] if v.base in ("hurt", "enjoy", "wash", "dry", "hide")])
    return Activity(
        verb_, REFLEXIVE[subject.pronoun] + rng.choice(("", " " + place_phrase(rng), " " + place_phrase(rng)))
    )


WINGED = frozenset(
    """
duck hen bird owl goose chicken turkey swan eagle crow pigeon parrot sparrow robin bat bee butterfly beetle penguin gull
""".split()
)
LIMB_VERBS = tuple(verb(word, "transitive") for word in ("hurt", "wash", "clean", "touch", "bite"))


def animal_activity(rng: Random, subject: Phrase) -> Activity:
    if chance(rng, 0.1):
        own = REFLEXIVE[subject.pronoun]
        if chance(rng, 0.75):
            limb = pick(rng, [n for n in nouns_of(("limb",)) if (n.singular == "wing") == (subject.noun in WINGED)])
            own = (
                f"{POSSESSIVE[subject.pronoun]} {limb.plural if chance(rng, 0.5) or subject.plural else limb.singular}"
            )
        return Activity(rng.choice(LIMB_VERBS), own)
    own = verbs.BY_FRAME.get("act:" + subject.noun)
    if own and chance(rng, 0.65):
        return linked(pick(rng, own), rng.choice(("", "loudly", place_phrase(rng), place_phrase(rng))))
    if chance(rng, 0.45):
        return linked(pick(rng, verbs.BY_FRAME["animal_motion"]), goal_phrase(rng))
    return linked(pick(rng, verbs.BY_FRAME["animal"]), place_phrase(rng) if chance(rng, 0.6) else "")


ACTIVITIES = (transitive, motion, posture, intransitive, state, giving, reflexive)
ACTIVITY_WEIGHTS = (50, 12, 10, 11, 7, 9, 1.5)


def activity(rng: Random, subject: Phrase, plain: bool = False) -> Activity:
    """Something that fits the subject; `plain` leaves out states, which cannot be ordered or begun."""
    if subject.kind == "animal":
        return animal_activity(rng, subject)
    if subject.kind != "person":
        return linked(pick(rng, verbs.BY_FRAME["thing:" + subject.kind]), "")
    while True:
        chosen = rng.choices(ACTIVITIES, ACTIVITY_WEIGHTS)[0](rng, subject)
        if not plain or (chosen.ongoing and not chosen.reflexive):
            return chosen


def described_person(rng: Random) -> str:
    """What follows a person to tell them from others: "in the red hat", "with a dog"."""
    roll = rng.random()
    if roll < 0.4:
        word = pick(rng, nouns_of(("clothing",)))
        text = word.plural if word.singular in nouns.PAIRED else word.singular
        return f"in the {adjective_text(rng, 'clothing', 0.7)}{text}"
    if roll < 0.7:
        return "with " + noun_phrase(rng, pick(rng, nouns_of(("thing", "animal", "music"))), None, 0.4, 0.1).text
    return place_phrase(rng)


def relative_clause(rng: Random, head: Phrase) -> str:
    who = "who" if head.kind == "person" else "that"
    if chance(rng, 0.3) and head.kind in ("person", "animal"):
        return f"{who} {be_form(head, False)} {place_phrase(rng)}"
    tense = rng.choice(("present", "past", "progressive", "past"))
    act = activity(rng, head, plain=True)
    return f"{who} {verb_text(rng, head, act.verb, tense, False)} {act.tail}".strip()


def person_subject(rng: Random, long: bool = True) -> Phrase:
    roll = rng.random()
    if roll < 0.3:
        return name(rng)
    if roll < 0.55:
        return pronoun_subject(rng)
    if roll < 0.6:
        one = name(rng)
        other = name(rng)
        if one.text != other.text:
            return Phrase(f"{one.text} and {other.text}", "they", "person")
    phrase = noun_phrase(rng, pick(rng, nouns_of(("person",))))
    if not long:
        return phrase
    roll = rng.random()
    if roll < 0.14:
        return replace(phrase, text=f"{phrase.text} {described_person(rng)}")
    if roll < 0.24:
        return replace(phrase, text=f"{phrase.text} {relative_clause(rng, phrase)}")
    return phrase


def subject_of(rng: Random, kind: str) -> Phrase:
    phrase = noun_phrase(rng, pick(rng, nouns_of((kind,))))
    if chance(rng, 0.12) and kind in ("thing", "clothing", "tool", "text", "food"):
        maker = pronoun_subject(rng)
        word = rng.choice(("bought", "found", "wanted", "brought", "chose", "lost"))
        return replace(phrase, text=f"{phrase.text} that {maker.text} {word}")
    return phrase


def complement(rng: Random, subject: Phrase) -> str:
    """What one can say a subject is: an adjective, a noun or a place."""
    roll = rng.random()
    if roll < 0.25 and subject.kind not in NOWHERE:
        return place_phrase(rng)
    if roll < 0.45 and subject.kind == "person":
        word = pick(rng, nouns_of(("person",)))
        if subject.plural:
            return adjective_text(rng, "person") + word.plural
        rest = adjective_text(rng, "person") + word.singular
        return with_article(rest)
    pool = FEELINGS if subject.kind == "person" and chance(rng, 0.6) else None
    word = (
        pick(rng, pool or PERSONAL) if subject.kind == "person" else adjective_text(rng, subject.kind, 1.0).split()[-1]
    )
    if roll > 0.93 and subject.kind not in ("idea", "person"):
        other = adjective_text(rng, subject.kind, 1.0).split()[-1]
        return f"{word} and {other}" if other != word else word
    degree = rng.choice(
        ("", "", "", "", "very ", "so ", "too ", "quite ", "really ", "rather ", "a little ", "almost ")
    )
    return word if word in modifiers.UNGRADED else degree + word


def linking(rng: Random, subject: Phrase, tense: str) -> str:
    """ "looks tired", "felt very happy"."""
    verb_ = pick(rng, verbs.BY_FRAME["link"])
    word = pick(rng, FEELINGS)
    if tense in ("progressive", "past progressive"):
        tense = "past"
    return f"{verb_text(rng, subject, verb_, tense, chance(rng, 0.1))} {rng.choice(('', '', 'very ', 'so '))}{word}"


def predicate(rng: Random, subject: Phrase, tense: str, adverbial: float = 0.3) -> str:
    """A finite verb with all that follows it."""
    negative = chance(rng, 0.12)
    if chance(rng, 0.14) and tense not in ("progressive", "past progressive"):
        if subject.kind == "person" and chance(rng, 0.4):
            return linking(rng, subject, tense)
        return f"{verb_text(rng, subject, BE, tense, negative)} {complement(rng, subject)}"
    act = activity(rng, subject, plain=tense in ("progressive", "past progressive", "going"))
    middle = ""
    if tense in ("present", "past") and chance(rng, 0.12) and not negative:
        middle = pick(rng, FREQUENCY)
    elif tense == "perfect" and chance(rng, 0.3):
        middle = rng.choice(("just", "already", "never", "often")) if not negative else ""
    text = f"{verb_text(rng, subject, act.verb, tense, negative, middle)} {act.tail}".strip()
    if chance(rng, 0.08) and not text.endswith("ly") and subject.kind == "person":
        text += " " + pick(rng, MANNER)
    if rng.random() < adverbial and tense in (
        "present",
        "past",
        "future",
        "progressive",
        "past progressive",
        "perfect",
    ):
        if not middle:
            text += " " + fitting_time(rng, tense, negative)
    return text


def fitting_time(rng: Random, tense: str, negative: bool) -> str:
    phrase = time_phrase(rng, tense)
    if phrase == "yet" and not negative:
        return "already"
    if phrase == "already" and negative:
        return "yet"
    if phrase == "twice" and negative:
        return "today"
    return phrase


def clause(rng: Random, subject: Phrase, tense: str, adverbial: float = 0.0) -> str:
    return f"{subject.text} {predicate(rng, subject, tense, adverbial)}"


def shorter(subject: Phrase) -> Phrase:
    """The pronoun that takes a subject up again."""
    if subject.pronoun == subject.text:
        return subject
    return replace(subject, text=subject.pronoun)


def mine(subject: Phrase) -> str:
    return MINE.get(subject.pronoun, "theirs")


def not_be(rng: Random, subject: Phrase, past: bool) -> str:
    return negate(rng, be_form(subject, past))
