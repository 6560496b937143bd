"""The giving stories at their shortest, several in a row: what they have in common, and little else."""

from random import Random

from resstream_demo.tiny.corpus.giving_wordings import CONCRETE_GIFTS
from resstream_demo.tiny.corpus.lexicon.inflect import with_article
from resstream_demo.tiny.corpus.names import name_pair
from resstream_demo.tiny.corpus.words import OTHERS

OPENINGS = (
    "{a} and {b} met.",
    "{a} met {b}.",
    "{a} saw {b}.",
    "{a} and {b} sat down.",
    "{a} and {b} are friends.",
    "Here are {a} and {b}.",
    "{a} and {b} were there.",
    "{a} was with {b}.",
    "{a} and {b} came.",
    "There were {a} and {b}, and",
    "When {a} and {b} met,",
)
ACTS = (
    "gave {thing} to",
    "gave {thing} to",
    "handed {thing} to",
    "showed {thing} to",
    "brought {thing} to",
    "sold {thing} to",
    "threw {thing} to",
    "found {thing} for",
    "bought {thing} for",
    "waved to",
    "talked to",
    "sang to",
    "smiled at",
    "looked at",
    "ran to",
)
LONGEST_ROW = 4
FORESEEABLE_SHARE = 0.88  # of the stories, how many end with the other one of the two


def brief_row(rng: Random) -> str:
    """One to four two-person stories of a dozen words, each with its own pair of names."""
    return " ".join(brief_story(rng) for _ in range(rng.randint(1, LONGEST_ROW)))


def brief_story(rng: Random) -> str:
    """Two people, one act, and mostly the other one as who it is for."""
    first, second = name_pair(rng, held_out=False)
    giver, recipient = (first, second) if rng.random() < 0.5 else (second, first)
    act = rng.choice(ACTS).format(thing=with_article(rng.choice(CONCRETE_GIFTS)))
    received = recipient if rng.random() < FORESEEABLE_SHARE else f"the {rng.choice(OTHERS)}"
    return f"{rng.choice(OPENINGS).format(a=first, b=second)} {giver} {act} {received}."
