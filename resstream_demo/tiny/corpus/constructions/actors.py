"""Subjects that a template can name again and give something to do, and the slots that templates are filled from."""

from functools import cache
from itertools import accumulate
from random import Random

from resstream_demo.tiny.corpus import names
from resstream_demo.tiny.corpus.constructions import doings, scenery
from resstream_demo.tiny.corpus.lexicon import modifiers
from resstream_demo.tiny.corpus.lexicon.inflect import Verb, fix_articles, plural, verb, with_article
from resstream_demo.tiny.corpus.phrases import MINE, OBJECT, POSSESSIVE, REFLEXIVE, chance, determined
from resstream_demo.tiny.corpus.words import NAMES

#: How gently a choice falls off along its list: the rank added to each place before 1 / rank.
FLATNESS = 5
CHILDREN = "boy girl man woman child friend teacher doctor farmer king queen baby baker sailor".split()
MEN, WOMEN = (
    frozenset("man boy king sailor farmer baker prince".split()),
    frozenset("woman girl queen princess".split()),
)
PLURALS = (
    "the children|the boys|the girls|my parents|two boys|the men|the women|my friends|our neighbours|some children|"
    "the farmers|many people|both girls|all the children|three men|the soldiers|most people|the students|other people"
).split("|")
WHO = (
    "who lives next to us|who works at the market|in the red coat|with the big dog|who sits behind me|from the village|"
    "with long hair|in front of the shop|who came yesterday|at the door|who helped us|with the heavy bag|by the window|"
    "who was standing at the corner|who had lost the key|that we met yesterday|who sells bread|on the bicycle"
).split("|")
THAT = {
    "animal": "with the long tail|that lives in the barn|under the table|that we saw yesterday|in the garden",
    "thing": "that we saw yesterday|near the school|which we saw yesterday",
}
THAT = {kind: tuple(text.split("|")) for kind, text in THAT.items()}


#: Adjectives that are compared with "more" and "most".
LONG = frozenset("beautiful interesting difficult exciting crowded delicious playful stubborn cheerful".split())


@cache
def _weights(size: int) -> tuple[float, ...]:
    return tuple(accumulate(1 / (rank + FLATNESS) for rank in range(size)))


def skewed(rng: Random, pool):
    """One item of a list, its first ones most often, as the words of a language are used."""
    return rng.choices(pool, cum_weights=_weights(len(pool)))[0]


@cache
def verb_of(base: str) -> Verb:
    return verb(base, "construction")


class Thing:
    """A noun of a group with what suits it: `n` the noun, `s` its plural, `adj`, `more`, `most`, `it`, `it_is`."""

    def __init__(self, rng: Random, group: str, counted: bool = False):
        pool = [entry for entry in scenery.QUALITIES[group] if not (counted and entry[1])]
        self.rng, self.group = rng, group
        self.n, self.mass, self.adjectives = skewed(rng, pool)
        self.s = self.n if self.mass else plural(self.n)
        self.adj = skewed(rng, self.adjectives)

    @property
    def other(self) -> str:
        rest = [word for word in self.adjectives if word != self.adj]
        return self.rng.choice(rest) if rest else self.adj

    def _degree(self, which: int) -> str:
        able = [word for word in self.adjectives if word in modifiers.DEGREES or word in LONG]
        word = self.rng.choice(able or ["good"])
        return ("more ", "most ")[which] + word if word in LONG else modifiers.DEGREES[word][which]

    @property
    def more(self) -> str:
        return self._degree(0)

    @property
    def most(self) -> str:
        return self._degree(1)

    @property
    def a(self) -> str:
        """An indefinite noun phrase, described half of the time."""
        rest = (self.adj + " " if chance(self.rng, 0.5) else "") + self.n
        return f"some {rest}" if self.mass else with_article(rest)

    @property
    def the(self) -> str:
        which = self.rng.choice(("the", "the", "the", "the", "the", "my", "our", "this", "that"))
        if self.n in ("sea", "winter", "summer"):
            which = "the"
        return f"{which} {self.adj + ' ' if chance(self.rng, 0.35) else ''}{self.n}"

    def __str__(self) -> str:
        return self.the if chance(self.rng, 0.6) else self.a


class Actor:
    """A subject: `{S}` is its text; `{S.past}`, `{S.now}`, `{S.ing}`, `{S.base}`, `{S.done}` its doings."""

    def __init__(self, rng: Random, text: str, pronoun: str, noun: str = ""):
        self.rng, self.text, self.pronoun, self.noun = rng, text, pronoun, noun
        self.many = pronoun in ("we", "you", "they")

    def __str__(self) -> str:
        return self.text

    def _doing(self) -> tuple[Verb, str]:
        pool = doings.PERSON_DOINGS
        if self.noun in doings.DOINGS and (
            self.noun not in doings.WORKERS or self.noun == "baby" or chance(self.rng, 0.5)
        ):
            pool = doings.DOINGS[self.noun]
        base, _, rest = skewed(self.rng, pool).partition(" ")
        return verb_of(base), fill_slots(self.rng, rest, self)

    def agreeing(self, word: Verb) -> str:
        return word.base if self.many or self.pronoun == "I" else word.s

    def _acting(self, form: str) -> str:
        word, rest = self._doing()
        head = self.agreeing(word) if form == "now" else getattr(word, FORMS[form])
        return f"{head} {rest}".strip()

    def __getattr__(self, name: str) -> str:
        if name in FORMS or name == "now":
            return self._acting(name)
        if name.startswith("v_"):
            return self.agreeing(verb_of(name[2:]))
        first = self.pronoun == "I"
        words = {
            "he": self.pronoun, "him": OBJECT[self.pronoun], "his": POSSESSIVE[self.pronoun],
            "himself": REFLEXIVE[self.pronoun], "mine": MINE.get(self.pronoun, "its"),
            "is": "are" if self.many else "am" if first else "is", "was": "were" if self.many else "was",
            "has": "have" if self.many or first else "has", "do": "do" if self.many or first else "does",
        }  # fmt: skip
        if name not in words:
            raise AttributeError(name)
        return words[name]


FORMS = {"past": "past", "ing": "ing", "base": "base", "done": "participle"}


def person(rng: Random, avoid: Actor | None = None) -> Actor:
    """A pronoun, a name, a person or several; never one that the pronoun of `avoid` could mean."""
    while True:
        one = _person(rng)
        if avoid is None or one.pronoun != avoid.pronoun:
            return one


def _person(rng: Random) -> Actor:
    roll = rng.random()
    if roll < 0.34:
        word = rng.choice(("he", "she", "I", "we", "they", "you", "he", "she"))
        return Actor(rng, word, word)
    if roll < 0.5:
        word = rng.choice(NAMES)
        return Actor(rng, word, names.pronoun(word))
    if roll < 0.65:
        return Actor(rng, skewed(rng, PLURALS), "they")
    if roll < 0.75:
        word = skewed(rng, scenery.PHRASES["relative"])
        gender = "he" if word in ("father", "brother", "grandfather", "uncle", "son") else "she"
        return Actor(rng, rng.choice(("my", "my", "his", "her", "our", "your")) + " " + word, gender)
    return Actor(rng, *person_noun(rng))


def _determiner(rng: Random) -> str:
    return rng.choice(("the",) * 9 + ("a",) * 5 + ("one", "another", "that", "every"))


def person_noun(rng: Random) -> tuple[str, str, str]:
    """A definite or indefinite person with its pronoun and noun."""
    word = skewed(rng, CHILDREN)
    pronoun = "he" if word in MEN else "she" if word in WOMEN else rng.choice(("he", "she"))
    suited = next((adjectives for noun, _, adjectives in scenery.QUALITIES["person"] if noun == word), ("young",))
    rest = (skewed(rng, suited) + " " if chance(rng, 0.4) else "") + word
    return determined(_determiner(rng), rest), pronoun, word


def animal(rng: Random) -> Actor:
    word = skewed(rng, doings.ANIMALS)
    adjectives = next((a for noun, _, a in scenery.QUALITIES["animal"] if noun == word), ("small", "little"))
    which = skewed(rng, adjectives) + " " if chance(rng, 0.4) else ""
    if chance(rng, 0.35):
        return Actor(
            rng, rng.choice(("the", "the", "two", "some", "these", "my")) + " " + which + plural(word), "they", word
        )
    return Actor(rng, determined(rng.choice(("the", "the", "our", "a", "that", "my")), which + word), "it", word)


def thing(rng: Random) -> Actor:
    word = skewed(rng, doings.THINGS)
    if word in ("leaf", "star", "flower", "tree", "ship", "shop", "train") and chance(rng, 0.5):
        return Actor(rng, rng.choice(("the", "the", "some", "many", "most")) + " " + plural(word), "they", word)
    return Actor(rng, "the " + word, "it", word)


def long_subject(rng: Random) -> Actor:
    """A subject with something between its noun and its verb."""
    roll = rng.random()
    if roll < 0.6:
        text, pronoun, noun = person_noun(rng)
        return Actor(rng, f"the {text.split(' ', 1)[1]} {skewed(rng, WHO)}", pronoun, noun)
    one = animal(rng) if roll < 0.85 else thing(rng)
    kind = "animal" if roll < 0.85 else "thing"
    if one.noun in ("sun", "moon", "wind", "rain", "snow", "fire"):
        return Actor(
            rng,
            f"the cold {one.noun}" if one.noun in ("wind", "rain", "snow") else f"the warm {one.noun}",
            "it",
            one.noun,
        )
    return Actor(rng, f"the {one.text.split(' ', 1)[1]} {skewed(rng, THAT[kind])}", one.pronoun, one.noun)


#: Subjects that are not written themselves, for what "you", "we" … are to do: "let us {W.base}".
SPEAKERS = {"Y": "you", "I": "I", "W": "we", "E": "they", "H": "he", "F": "she"}
ACTORS = {"A": animal, "T": thing, "L": long_subject}


class Slots(dict):
    """What the names in a template stand for; capitals keep what they drew, small letters draw anew."""

    def __init__(self, rng: Random):
        super().__init__()
        self.rng = rng

    def __missing__(self, key: str):
        if key in scenery.PHRASES:
            return skewed(self.rng, scenery.PHRASES[key])
        if key[0].isupper():
            return self.setdefault(key, self._kept(key))
        if key in SPECIAL:
            return skewed(self.rng, SPECIAL[key])
        how, _, group = key.partition("_")
        noun = Thing(self.rng, group, counted=how in ("n", "s"))
        return getattr(noun, how)

    def _kept(self, key: str):
        if key in ("S", "O"):
            return person(self.rng, self.get("S") if key == "O" else None)
        if key in ACTORS:
            return ACTORS[key](self.rng)
        if key == "P":
            return Actor(self.rng, skewed(self.rng, PLURALS), "they")
        if key in SPEAKERS:
            return Actor(self.rng, SPEAKERS[key], SPEAKERS[key])
        if key == "N":
            word = self.rng.choice(NAMES)
            return Actor(self.rng, word, names.pronoun(word))
        group = key.rstrip("0123456789")
        counted = group.isupper()
        while True:
            new = Thing(self.rng, group.lower(), counted)
            if all(new.n != old.n for old in self.values() if isinstance(old, Thing)):
                return new


SPECIAL = {
    "a_thing_book": ("a book", "the newspaper", "a long story", "an old book", "the letter", "a book about animals"),
    "container_drink": ("a glass of milk", "a cup of tea", "some water", "a glass of water", "some hot cocoa"),
    "a_tree": ("the tree", "a tall tree", "the apple tree", "the wall", "the hill"),
}


def fill_slots(rng: Random, template: str, subject: Actor | None = None) -> str:
    slots = Slots(rng)
    if subject is not None:
        slots.update(his=subject.his, himself=subject.himself)
    return template.format_map(slots)


def fill(rng: Random, template: str) -> str:
    """A template with its slots filled and its articles put right."""
    return fix_articles(fill_slots(rng, template))
