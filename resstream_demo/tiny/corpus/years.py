"""Texts about years: spans that end later than they begin, and years in order.

A span ends at least two years after it begins and stays within its century, so that "later" is a clear
idea; half of the spans are short, as most are in the world.
"""

from random import Random

from resstream_demo.tiny.corpus.held_out import is_held_out
from resstream_demo.tiny.corpus.words import EVENTS, NAMES, THINGS

CENTURIES = range(11, 20)
EARLIEST, LATEST = 2, 99  # the two digits that a span begins with at the earliest, and ends with at the latest
SHORTEST_SPAN = 2  # years
LAST_START = 90
SHORT_SPANS = (8, 15, 30)
SPAN_PHRASES = (
    ("from the year {begin} to the year", 4),
    ("from {begin} to", 4),
    ("from {begin} until", 1),
    ("from the spring of {begin} to the winter of", 1),
)
SPAN_VERBS = ("lasted", "lasted", "ran", "went on")
BUILDINGS = "school station hospital library museum church bakery hotel bank theatre bridge castle".split()
LIVES = (
    "{name} was born in {begin} and died in {end}.",
    "{name} lived here from {begin} to {end}.",
    "The old {building} was built in {begin} and closed in {end}.",
    "The first {thing} was made in {begin}, the last one in {end}.",
    "The {event} began in {begin} and ended in {end}.",
    "It began in {begin}, but it was not finished until {end}.",
    "Between {begin} and {end} there was a long {event}.",
    "The {event} of {begin} was long over in {end}.",
    "In {begin} they were poor, but in {end} they were rich.",
)


def span_is_held_out(event: str, century: int, start: int) -> bool:
    """Whether no training sentence says that this event began in this year."""
    return is_held_out("years", event, str(century), str(start))


def year_prompt(rng: Random, *, held_out: bool = False) -> tuple[str, int]:
    """A span of years up to its last two digits, and the two digits it began with."""
    while True:
        event, century = rng.choice(EVENTS), rng.choice(CENTURIES)
        start = rng.randint(EARLIEST, LAST_START)
        if span_is_held_out(event, century, start) == held_out:
            break
    phrases, weights = zip(*SPAN_PHRASES, strict=True)
    phrase = rng.choices(phrases, weights)[0].format(begin=f"{century}{start:02d}")
    return f"The {event} {rng.choice(SPAN_VERBS)} {phrase} {century}", start


def later_year(rng: Random, start: int) -> int:
    """Two digits at least two after `start`: half of them soon after it, half anywhere in the century."""
    latest = min(LATEST, start + rng.choice(SHORT_SPANS)) if rng.random() < 0.5 else LATEST
    return rng.randint(start + SHORTEST_SPAN, latest)


def year_sentence(rng: Random) -> str:
    prompt, start = year_prompt(rng)
    return f"{prompt}{later_year(rng, start):02d}."


def life_sentence(rng: Random) -> str:
    """Two years of one century told in order, in other words than a span's."""
    template = rng.choice(LIVES)
    while True:
        event, century, start = rng.choice(EVENTS), rng.choice(CENTURIES), rng.randint(EARLIEST, LAST_START)
        if "{event}" not in template or not span_is_held_out(event, century, start):
            break
    return template.format(
        name=rng.choice(NAMES),
        building=rng.choice(BUILDINGS),
        thing=rng.choice(THINGS),
        event=event,
        begin=f"{century}{start:02d}",
        end=f"{century}{later_year(rng, start):02d}",
    )


def year_row(rng: Random) -> str:
    """Years in rising order: one after another, or with gaps."""
    century, n = rng.choice(CENTURIES), rng.randint(4, 7)
    if rng.random() < 0.6:
        start = rng.randint(0, 99 - n)
        years = range(start, start + n)
    else:
        years = sorted(rng.sample(range(100), n))
    written = [f"{century}{year:02d}" for year in years]
    return rng.choice(("", "The years were ", "It happened in ", "He wrote letters in ")) + ", ".join(written) + "."
