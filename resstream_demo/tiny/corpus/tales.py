"""Short stories with simple plots, in which the same names and things come back, and short dialogues."""

from functools import cache
from random import Random

from resstream_demo.tiny.corpus.lexicon.inflect import plural, with_article
from resstream_demo.tiny.corpus.lexicon.nouns import PAIRED, UNIQUE
from resstream_demo.tiny.corpus.names import pronoun
from resstream_demo.tiny.corpus.phrases import (
    LOOSE_MONTHS,
    OBJECT,
    POSSESSIVE,
    adjectives_for,
    capital,
    nouns_of,
    pick,
    preposition_at,
)
from resstream_demo.tiny.corpus.tale_plots import DIALOGUES, PLOTS
from resstream_demo.tiny.corpus.words import DAYS, NAMES, NUMBERS

#: Slots that stand for several kinds of noun; any other noun slot is a kind itself.
SLOT_KINDS = {"where": ("building", "place", "nature"), "town": ("building", "place")}
PETS = tuple("cat dog bird rabbit puppy kitten pony duck lamb horse hedgehog mouse turtle goat parrot squirrel".split())
MAY_BE_MASS = ("drink", "game")


class Word(str):
    """A slot's word; the format "a" puts its article before it, "s" makes it plural."""

    def __format__(self, spec: str) -> str:
        if spec == "a":
            return with_article(self)
        return plural(self) if spec == "s" else str(self)


@cache
def _words(slot: str) -> tuple[str, ...]:
    """What may fill a slot, common words first."""
    if slot == "pet":
        return PETS
    if slot == "day":
        return DAYS
    if slot == "month":
        return LOOSE_MONTHS
    if slot == "number":
        return NUMBERS[1:]
    if slot.startswith("adj_"):
        return adjectives_for(slot[4:])
    words = [n for n in nouns_of(SLOT_KINDS.get(slot, (slot,))) if n.singular not in UNIQUE]
    if slot in MAY_BE_MASS:
        return tuple(n.singular for n in words)
    return tuple(n.singular for n in words if not n.mass and n.singular not in PAIRED)


@cache
def _places() -> dict:
    return {n.singular: n for n in nouns_of(SLOT_KINDS["where"])}


class Slots(dict):
    """The words of one story: each slot is filled when it is first met, and keeps its word."""

    def __init__(self, rng: Random):
        super().__init__()
        self.rng = rng
        for number, person in enumerate(rng.sample(NAMES, 3), 1):
            he = pronoun(person)
            for key, word in (("n", person), ("he", he), ("his", POSSESSIVE[he]), ("him", OBJECT[he])):
                self[f"{key}{number}"] = Word(word)
            self[f"He{number}"] = Word(capital(he))
            self[f"His{number}"] = Word(capital(POSSESSIVE[he]))

    def __missing__(self, slot: str) -> Word:
        kind = slot.rstrip("23")
        if kind == "at":  # the preposition and article of the place
            word = self["where" + slot[2:]]
            self[slot] = Word(f"{preposition_at(self.rng, _places()[word])} the {word}")
            return self[slot]
        pool = _words(kind)
        word = pick(self.rng, pool)
        while word in self.values():
            word = pick(self.rng, pool)
        self[slot] = Word(word)
        return self[slot]


def _filled(rng: Random, steps: tuple[tuple[str, ...], ...]) -> str:
    slots = Slots(rng)
    return " ".join(capital(rng.choice(step).format_map(slots)) for step in steps)


def story(rng: Random) -> str:
    """A story of three to seven sentences."""
    return _filled(rng, rng.choice(PLOTS))


def dialogue(rng: Random) -> str:
    """Two people who exchange a few sentences."""
    return _filled(rng, rng.choice(DIALOGUES))
