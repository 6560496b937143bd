"""Names in running text: their gender's words, pairs and groups of them, and a place's preposition."""

from random import Random

from resstream_demo.tiny.corpus.held_out import is_held_out
from resstream_demo.tiny.corpus.words import MALE_NAMES, NAMES

_MALE = frozenset(MALE_NAMES)

#: Words that differ by gender: the form for a man, the form for a woman, under the man's form.
GENDERED = {
    male: (male, female)
    for male, female in (
        pair.split(":")
        for pair in """
he:she him:her his:her himself:herself boy:girl man:woman Mr:Mrs brother:sister son:daughter father:mother
uncle:aunt nephew:niece grandfather:grandmother actor:actress prince:princess king:queen gentleman:lady
wife:husband waiter:waitress
""".split()
    )
}

_IN = frozenset("park garden house forest castle village kitchen".split())
_ON = frozenset("beach farm bridge mountain island".split())
_BY = frozenset("river lake".split())


def at(place: str) -> str:
    """The place with the preposition for being there: "at the store", "on the island"."""
    for words, preposition in ((_IN, "in"), (_ON, "on"), (_BY, "by")):
        if place in words:
            return f"{preposition} the {place}"
    return f"at the {place}"


def is_male(name: str) -> bool:
    return name in _MALE


def pronoun(name: str) -> str:
    return "he" if is_male(name) else "she"


def object_pronoun(name: str) -> str:
    return "him" if is_male(name) else "her"


def possessive(name: str) -> str:
    return "his" if is_male(name) else "her"


def gender_words(name: str, prefix: str = "") -> dict[str, str]:
    """Every word of `GENDERED` in the form for this name, for `str.format`.

    Keys are the man's forms, each also with a capital ("he", "He"); `prefix` goes before each key. The woman's
    form of a noun is the key of the opposite: under "girl", a boy's name finds "girl" and a girl's name "boy".
    """
    words = {}
    for male, forms in GENDERED.items():
        form, opposite = forms if is_male(name) else forms[::-1]
        if male not in ("he", "him", "his", "himself"):
            words[prefix + forms[1]] = opposite
        words[prefix + male] = form
        words[prefix + male.capitalize()] = form.capitalize()
    return words


def name_pair(rng: Random, held_out: bool) -> tuple[str, str]:
    """Two different names whose pair is, or is not, reserved for evaluation."""
    while True:
        first, second = rng.sample(NAMES, 2)
        if pair_is_held_out(first, second) == held_out:
            return first, second


def pair_is_held_out(first: str, second: str) -> bool:
    """Whether two names, in either order, never meet in the giving stories of the training text."""
    return is_held_out("pair", *sorted((first, second)))


def name_group(rng: Random, *start: str, size: int) -> tuple[str, ...]:
    """`start` and further names, `size` together, none of whose new pairs is reserved for evaluation."""
    group = list(start)
    while len(group) < size:
        name = rng.choice(NAMES)
        if name not in group and not any(pair_is_held_out(name, other) for other in group):
            group.append(name)
    return tuple(group)


def mixed_pair(rng: Random) -> tuple[str, str]:
    """A man's and a woman's name, in either order, not reserved for evaluation."""
    while True:
        first, second = name_pair(rng, held_out=False)
        if is_male(first) != is_male(second):
            return first, second
