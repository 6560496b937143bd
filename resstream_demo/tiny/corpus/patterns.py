"""Texts with one right continuation: sequences and lists said again."""

from random import Random

from resstream_demo.tiny.corpus.held_out import checksum, is_held_out
from resstream_demo.tiny.corpus.words import (
    ANIMALS,
    COLOURS,
    DAYS,
    FOODS,
    GIFTS,
    LETTERS,
    MONTHS,
    NAMES,
    NUMBERS,
    ORDINALS,
    PLACES,
    SEASONS,
    THINGS,
)

SEQUENCES = {
    "days": DAYS,
    "months": MONTHS,
    "numbers": NUMBERS,
    "ordinals": ORDINALS,
    "seasons": SEASONS,
    "letters": LETTERS,
    "numerals": tuple(str(n) for n in range(1, 100)),
}
#: Sequences that start again after their last member.
CYCLES = frozenset(("days", "months", "seasons"))
SHORTEST_RUN, LONGEST_RUN = 4, 9


def run_of(name: str, start: int, length: int) -> list[str]:
    """`length` members of a sequence in order from `start`, going round where it is a cycle."""
    sequence = SEQUENCES[name]
    if name in CYCLES:
        return [sequence[(start + step) % len(sequence)] for step in range(length)]
    return list(sequence[start : start + length])


def _reserved_starts(name: str) -> frozenset[str]:
    """One in ten of the members that can begin a run, by checksum; the lowest checksum where that gives none."""
    starts = [word for at, word in enumerate(SEQUENCES[name]) if len(run_of(name, at, SHORTEST_RUN)) == SHORTEST_RUN]
    reserved = [word for word in starts if is_held_out("start of a run", name, word)]
    return frozenset(reserved or [min(starts, key=lambda word: checksum("start of a run", name, word))])


#: The members of each sequence with which no run begins in training.
RESERVED_STARTS = {name: _reserved_starts(name) for name in SEQUENCES}


def successor_run(rng: Random, *, held_out: bool = False) -> list[str]:
    """Four to nine members of a known sequence, in order.

    No run in training begins with a reserved member, so that none has a `held_out` run's start and goes on as it does.
    A reserved run's members may still follow one another inside a training run that begins before them: what training
    never shows is the run as a whole, from this start to this last step.
    """
    while True:
        name = rng.choice(tuple(SEQUENCES))
        start, length = rng.randrange(len(SEQUENCES[name])), rng.randint(SHORTEST_RUN, LONGEST_RUN)
        run = run_of(name, start, length)
        if len(run) >= SHORTEST_RUN and (run[0] in RESERVED_STARTS[name]) == held_out:
            return run


def counting_text(rng: Random) -> str:
    """A run of a sequence, bare or in a sentence."""
    run = successor_run(rng)
    opening = rng.choice(("", "", "", "We counted: ", "She said: ", "Repeat after me: "))
    if rng.random() < 0.2:
        return f"{opening}{', '.join(run[:-1])} and {run[-1]}."
    return f"{opening}{', '.join(run)}."


def calendar_sentence(rng: Random) -> str:
    day, month, number = rng.randrange(7), rng.randrange(12), rng.randrange(19)
    return rng.choice(
        (
            f"If today is {DAYS[day]}, tomorrow is {DAYS[(day + 1) % 7]}.",
            f"Today is {DAYS[day]}, so yesterday was {DAYS[day - 1]}.",
            f"The day after {DAYS[day]} is {DAYS[(day + 1) % 7]}.",
            f"The month after {MONTHS[month]} is {MONTHS[(month + 1) % 12]}.",
            f"After {MONTHS[month]} comes {MONTHS[(month + 1) % 12]}.",
            f"After {NUMBERS[number]} comes {NUMBERS[number + 1]}.",
            f"The number after {NUMBERS[number]} is {NUMBERS[number + 1]}.",
        )
    )


def repeated_list(rng: Random) -> str:
    """A list said twice (or a little more), in prose or bare."""
    words = rng.choice((FOODS, ANIMALS, COLOURS, THINGS, NAMES, PLACES))
    items = rng.sample(words, rng.randint(3, min(6, len(words))))
    joined = ", ".join(items)
    return rng.choice(
        (
            f"{joined}, {joined}.",
            f"{joined}, {joined}, {joined}.",
            f"I need {joined}. Do not forget: {joined}.",
            f"First came {joined}. Then again came {joined}.",
            f"The list says {joined}. I will read it again: {joined}.",
            f"{' '.join(items)} {' '.join(items)} {' '.join(items)}.",
        )
    )


def parameter_list(rng: Random) -> str:
    """A function of a program and its parameters, each named again in order, as documentation does."""
    name, *words = rng.sample((*FOODS, *ANIMALS, *THINGS, *GIFTS), rng.randint(3, 5))
    heading = f"def {name}({', '.join(words)}):"
    if rng.random() < 0.5:
        return f'{heading} """' + " ".join(f":param {word}: the {word}." for word in words) + '"""'
    return f"{heading} " + " ".join(f"{word}: the {word}." for word in words) + " end."
