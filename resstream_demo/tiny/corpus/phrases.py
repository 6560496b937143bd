"""The parts of the grammar's sentences: skewed choices, noun phrases, finite verbs and adverbials."""

from dataclasses import dataclass
from functools import cache
from random import Random

from resstream_demo.tiny.corpus.lexicon import modifiers, nouns
from resstream_demo.tiny.corpus.lexicon.inflect import Noun, Verb, with_article
from resstream_demo.tiny.corpus.names import pronoun
from resstream_demo.tiny.corpus.words import DAYS, MONTHS, NAMES, NUMBERS, ORDINALS, SEASONS

#: How far choices lean towards the head of a list: 1 is even; at 1.35 the last word still has 3/4 of the mean.
SKEW = 1.35

POSSESSIVE = {"I": "my", "you": "your", "he": "his", "she": "her", "it": "its", "we": "our", "they": "their"}
OBJECT = {"I": "me", "you": "you", "he": "him", "she": "her", "it": "it", "we": "us", "they": "them"}
MINE = {"I": "mine", "you": "yours", "he": "his", "she": "hers", "we": "ours", "they": "theirs"}
REFLEXIVE = {
    "I": "myself", "you": "yourself", "he": "himself", "she": "herself", "it": "itself", "we": "ourselves",
    "they": "themselves",
}  # fmt: skip
NEGATED = {
    "is": "isn't", "are": "aren't", "was": "wasn't", "were": "weren't", "has": "hasn't", "have": "haven't",
    "had": "hadn't", "do": "don't", "does": "doesn't", "did": "didn't", "will": "won't", "would": "wouldn't",
    "can": "can't", "could": "couldn't", "should": "shouldn't", "must": "mustn't",
}  # fmt: skip
MODALS = "can could must should might may would".split()
LOOSE_MONTHS = (*MONTHS, *SEASONS)

TIMES = {
    "present": """
every day|every morning|on {Day}s|every week|in {month}|after school|in the evening|these days|at night|every {Day}|
before breakfast|at the weekend|every year|twice a week
""",
    "past": """
yesterday|last week|last night|on {Day}|this morning|two days ago|last {month}|a long time ago|in {month}|
{number} years ago|an hour ago|after lunch|at {number} o'clock|last year|the day before yesterday|again|once
""",
    "future": """
tomorrow|next week|soon|on {Day}|tonight|next year|
in {number} days|in {month}|later|after dinner|one day
""",
    "progressive": "now|at the moment|today|again|right now|still",
    "past progressive": "all day|at {number} o'clock|yesterday evening|all morning|when the rain began|the whole night",
    "perfect": "already|many times|twice|today|before|this week|since {Day}|for {number} years|yet",
}
TIMES = {tense: tuple(w.strip() for w in words.split("|")) for tense, words in TIMES.items()}


@dataclass(frozen=True)
class Phrase:
    """A noun phrase: its text, the pronoun that stands for it, and the kind of its noun."""

    text: str
    pronoun: str
    kind: str
    noun: str = ""

    @property
    def plural(self) -> bool:
        return self.pronoun in ("we", "you", "they")


def pick(rng: Random, pool):
    """One item, the first ones of the pool somewhat more often."""
    return pool[int(len(pool) * rng.random() ** SKEW)]


def chance(rng: Random, probability: float) -> bool:
    return rng.random() < probability


@cache
def nouns_of(kinds: tuple[str, ...]) -> tuple[Noun, ...]:
    return nouns.of_kinds(*kinds)


@cache
def adjectives_for(kind: str) -> tuple[str, ...]:
    groups = modifiers.FITS[kind].split()
    words = nouns.interleave(tuple(tuple(modifiers.ADJECTIVES[group].split()) for group in groups))
    kept = (w for w in words if w not in modifiers.PREDICATE_ONLY)
    if kind in ("material", "drink"):
        kept = (w for w in kept if w not in modifiers.NOT_FOR_MATERIAL)
    if kind == "clothing":
        kept = (w for w in kept if w not in modifiers.NOT_FOR_CLOTHING)
    return tuple(dict.fromkeys(kept))


def name(rng: Random) -> Phrase:
    word = rng.choice(NAMES)
    return Phrase(word, pronoun(word), "person", word)


def pronoun_subject(rng: Random, exclude: str = "it") -> Phrase:
    word = rng.choice([p for p in ("I", "you", "he", "she", "we", "they") if p != exclude])
    return Phrase(word, word, "person")


def gender_of(rng: Random, word: str) -> str:
    if word in nouns.MALE:
        return "he"
    return "she" if word in nouns.FEMALE or rng.random() < 0.5 else "he"


def owner(rng: Random, subject: Phrase | None) -> str:
    """A possessive: mostly the subject's, else a speaker's or a name's."""
    if subject and subject.kind == "person" and chance(rng, 0.65):
        return POSSESSIVE[subject.pronoun]
    return rng.choice(("my", "your", "our", "his", "her", "their", rng.choice(NAMES) + "'s", "the teacher's"))


def _singular_determiner(rng: Random, subject: Phrase | None) -> str:
    roll = rng.random()
    if roll < 0.03:
        return "the " + rng.choice(ORDINALS)
    if roll < 0.40:
        return "the"
    if roll < 0.68:
        return "a"
    if roll < 0.84:
        return owner(rng, subject)
    return rng.choice("this that this that this that another one every each".split())


def _plural_determiner(rng: Random, subject: Phrase | None) -> str:
    roll = rng.random()
    if roll < 0.28:
        return "the"
    if roll < 0.46:
        return rng.choice(("some", "many", "several", "a few", "all the", "most", "both", "a lot of"))
    if roll < 0.62:
        return pick(rng, NUMBERS[1:])
    if roll < 0.78:
        return owner(rng, subject)
    return rng.choice(("these", "those", "these", "those", "no", "", "", ""))


def _mass_determiner(rng: Random, subject: Phrase | None, kind: str) -> str:
    if kind in ("weather", "game"):
        return "the" if kind == "weather" else ""
    if kind == "drink" and chance(rng, 0.3):
        return rng.choice(("a cup of", "a glass of", "two cups of", "a bottle of"))
    return rng.choice(("the", "some", "this", "", "the", owner(rng, subject), "a little", "all the", "that"))


def adjective_text(rng: Random, kind: str, chance_of_one: float = 0.4) -> str:
    """None, one or two adjectives that fit a kind of noun, with a space after each."""
    if rng.random() > chance_of_one:
        return ""
    pool = adjectives_for(kind)
    first = pick(rng, pool)
    if chance(rng, 0.1) and first not in modifiers.UNGRADED:
        return rng.choice(("very", "rather", "really", "very")) + f" {first} "
    if chance(rng, 0.12) and kind not in ("game", "weather"):
        second = pick(rng, modifiers.ADJECTIVES["colour"].split()) if kind in COLOURED else pick(rng, pool)
        if second != first and first not in COLOUR_WORDS:
            return f"{first}, {second} "
    return first + " "


COLOUR_WORDS = frozenset(modifiers.ADJECTIVES["colour"].split())
COLOURED = frozenset("thing clothing vehicle furniture plant part".split())


def determined(determiner: str, rest: str) -> str:
    """The rest of a noun phrase after its determiner, "a" in the form that fits, or "" for none."""
    if determiner == "a":
        return with_article(rest)
    return f"{determiner} {rest}" if determiner else rest


def noun_phrase(
    rng: Random, word: Noun, subject: Phrase | None = None, adjectives: float = 0.4, plural: float = 0.35
) -> Phrase:
    """A determiner, perhaps adjectives, and a noun in one of its numbers."""
    describing = adjective_text(rng, word.kind, adjectives)
    if word.mass:
        text = determined(_mass_determiner(rng, subject, word.kind), describing + word.singular)
        return Phrase(text, "it", word.kind, word.singular)
    if word.singular in nouns.UNIQUE:
        return Phrase(determined("the", describing + word.singular), "it", word.kind, word.singular)
    if word.singular in nouns.PAIRED:
        plural = 0.65
    if rng.random() < plural:
        text = determined(_plural_determiner(rng, subject), describing + word.plural)
        return Phrase(text, "they", word.kind, word.singular)
    determiner = _singular_determiner(rng, subject)
    text = determined(determiner, describing + word.singular)
    return Phrase(text, gender_of(rng, word.singular) if word.kind == "person" else "it", word.kind, word.singular)


def the(rng: Random, word: Noun, plural: float = 0.0, adjectives: float = 0.25) -> str:
    """A definite noun phrase."""
    many = not word.mass and word.singular not in nouns.UNIQUE and rng.random() < plural
    return "the " + adjective_text(rng, word.kind, adjectives) + (word.plural if many else word.singular)


def preposition_at(rng: Random, word: Noun) -> str:
    """The preposition that says where one is, for a place."""
    if chance(rng, 0.25):
        return rng.choice("near near behind outside by opposite inside around beside".split())
    if word.singular in nouns.ON_PLACES:
        return "on"
    if word.singular in ("river", "lake", "pool", "sea", "ocean", "pond", "stream", "waterfall"):
        return rng.choice(("by", "near"))
    if word.singular in nouns.AT_PLACES:
        return "at"
    return "in"


def any_place(rng: Random) -> Noun:
    return pick(rng, nouns_of(("building", "place", "nature")))


def place_phrase(rng: Random) -> str:
    """Where something is or happens: "in the old park", "between the school and the lake"."""
    roll = rng.random()
    if roll < 0.06:
        return rng.choice(
            ("at home", "outside", "here", "there", "upstairs", "downstairs", "abroad", "indoors", "inside")
        )
    if roll < 0.08:
        word = pick(rng, nouns_of(("plant",)))
        return f"among the {word.plural}"
    if roll < 0.1:
        return rng.choice(ON_SOMETHING)
    if roll < 0.13:
        first, second = any_place(rng), any_place(rng)
        if first != second:
            return f"between the {first.singular} and the {second.singular}"
    if roll < 0.3:
        word = pick(rng, nouns_of(("furniture", "plant", "part")))
        if not word.mass and word.singular not in ("root", "seed", "leaf", "step", "ceiling", "floor", "weed", "herb"):
            return rng.choice(("near", "under", "behind", "by", "beside", "next to")) + " " + the(rng, word)
    word = any_place(rng)
    return f"{preposition_at(rng, word)} {the(rng, word)}"


OVER = (
    "over the fence", "onto the roof", "over the wall", "along the path", "along the river", "onto the bench",
    "over the bridge",
)  # fmt: skip
ON_SOMETHING = (
    "against the wall", "against the door", "below the hill", "above the valley", "above the door", "below the window",
)  # fmt: skip


def goal_phrase(rng: Random) -> str:
    """Where a movement leads: "to the station", "through the forest"."""
    if chance(rng, 0.06):
        return rng.choice(OVER)
    if chance(rng, 0.08):
        return rng.choice(
            ("home", "outside", "away", "upstairs", "downstairs", "there", "inside", "everywhere", "abroad")
        )
    word = any_place(rng)
    preposition = rng.choice(("to", "to", "to", "towards", "past", "into", "out of", "from", "along", "around"))
    if preposition in ("into", "out of") and word.kind == "nature" and word.singular not in nouns.THROUGH:
        preposition = "to"
    if preposition == "along" and word.singular not in ("road", "street", "path", "river", "beach", "coast", "shore"):
        preposition = rng.choice(("to", "from"))
    if preposition in ("into", "out of") and word.singular in nouns.ON_PLACES:
        preposition = "to"
    if chance(rng, 0.4) and word.singular in nouns.CROSSED:
        preposition = "across"
    if chance(rng, 0.4) and word.singular in nouns.THROUGH:
        preposition = "through"
    return f"{preposition} {the(rng, word)}"


def time_phrase(rng: Random, tense: str) -> str:
    """When it is, as fits a tense."""
    if tense in ("past", "future") and chance(rng, 0.15):
        return rng.choice(("during", "during", "before", "after")) + " the " + pick(rng, nouns_of(("event",))).singular
    phrase = rng.choice(TIMES[tense])
    if "{" in phrase:
        phrase = phrase.format(Day=rng.choice(DAYS), month=pick(rng, LOOSE_MONTHS), number=rng.choice(NUMBERS[1:12]))
    return phrase


def be_form(subject: Phrase, past: bool) -> str:
    if past:
        return "were" if subject.plural else "was"
    return "am" if subject.pronoun == "I" and subject.text == "I" else "are" if subject.plural else "is"


def negate(rng: Random, helper: str) -> str:
    if helper == "can" and chance(rng, 0.3):
        return "cannot"
    return NEGATED[helper] if helper in NEGATED and chance(rng, 0.6) else helper + " not"


def finite(rng: Random, subject: Phrase, verb: Verb, tense: str, helper: bool = False) -> tuple[str, str]:
    """The helping verb ("" where there is none) and the rest of the verb, agreeing with the subject.

    `helper` asks for one even in the simple tenses, as questions and negations need it.
    """
    third = not subject.plural and subject.pronoun != "I"
    if tense in ("present", "past"):
        past = tense == "past"
        if verb.base == "be":
            return be_form(subject, past), ""
        if helper:
            return ("did" if past else "does" if third else "do"), verb.base
        return "", verb.past if past else verb.s if third else verb.base
    if tense == "progressive":
        return be_form(subject, False), verb.ing
    if tense == "past progressive":
        return be_form(subject, True), verb.ing
    if tense == "perfect":
        return ("has" if third else "have"), verb.participle
    if tense == "past perfect":
        return "had", verb.participle
    if tense == "going":
        return be_form(subject, False), "going to " + verb.base
    return ("will" if tense == "future" else rng.choice(MODALS)), verb.base


def verb_text(rng: Random, subject: Phrase, verb: Verb, tense: str, negative: bool, adverb: str = "") -> str:
    """The whole finite verb, with an adverb in the middle where one is given."""
    helper, rest = finite(rng, subject, verb, tense, helper=negative)
    if negative:
        helper = negate(rng, helper)
    return " ".join(part for part in (helper, adverb, rest) if part)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def joined(words: list[str]) -> str:
    """Words as a list: "a, b and c"."""
    return ", ".join(words[:-1]) + " and " + words[-1]
