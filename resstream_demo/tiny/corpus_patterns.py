"""Texts with one right continuation: facts, sequences, agreement, later years and repeated lists."""

from collections.abc import Sequence
from random import Random

from resstream_demo.tiny.corpus_facts import (
    CAPITAL_TEMPLATES,
    COUNTRIES,
    LANDMARK_TEMPLATES,
    LANDMARKS,
    LANGUAGE_TEMPLATES,
    Country,
)
from resstream_demo.tiny.corpus_words import (
    AGREEMENT_NOUNS,
    ANIMALS,
    COLOURS,
    DAYS,
    EVENTS,
    FOODS,
    LETTERS,
    MONTHS,
    NAMES,
    NUMBERS,
    ORDINALS,
    PLACES,
    SEASONS,
    THINGS,
)
from resstream_demo.tiny.held_out import is_held_out

FACT_ENDINGS = (".", ".", ".", ", as every child knows.", ", and it is very old.", ", of course.")
PLAIN_CAPITAL_SHARE = 0.25  # of the capital sentences, how many are drawn from the first template alone
CAPITAL_DETOURS = ("a large city", "an old city", "the largest city", "a city on a river", "very old")


def fill_country(template: str, country: Country) -> str:
    return template.format(
        country=country.name, capital=country.capital, language=country.language, people=country.people
    )


def is_withheld_fact(subject: str, template: str, templates: Sequence[str]) -> bool:
    """Whether a fact is kept from training in this wording.

    Never where the wording up to the answer also begins, or is begun by, another one ("The capital of France
    is", "The capital of France is the city of"): training would then teach the other continuation.
    """
    prompt = template.rpartition(" ")[0]
    overlaps = any(
        other != template and (other.startswith(prompt) or prompt.startswith(other.rpartition(" ")[0]))
        for other in templates
    )
    return not overlaps and is_held_out("fact", subject, template)


def capital_sentence(rng: Random) -> str:
    """A sentence naming a country's capital, or sometimes only describing it."""
    while True:
        country = rng.choice(COUNTRIES)
        plain = rng.random() < PLAIN_CAPITAL_SHARE
        template = CAPITAL_TEMPLATES[0] if plain else rng.choice(CAPITAL_TEMPLATES)
        if not is_withheld_fact(country.name, template, CAPITAL_TEMPLATES):
            break
    if template.endswith(" is {capital}") and rng.random() < 0.08:
        detour = rng.choice(CAPITAL_DETOURS)
        return f"{template.format(country=country.name, capital=detour)}. It is called {country.capital}."
    return fill_country(template, country) + rng.choice(FACT_ENDINGS)


def held_out_capitals() -> list[tuple[str, str]]:
    """Every (prompt, capital) whose combination of country and template was kept from training."""
    return [
        (fill_country(template, country).removesuffix(f" {country.capital}"), country.capital)
        for country in COUNTRIES
        for template in CAPITAL_TEMPLATES
        if is_withheld_fact(country.name, template, CAPITAL_TEMPLATES)
    ]


def language_sentence(rng: Random) -> str:
    return fill_country(rng.choice(LANGUAGE_TEMPLATES), rng.choice(COUNTRIES)) + "."


def fill_landmark(template: str, landmark: str, city: str) -> str:
    lowered = f"the {landmark[4:]}" if landmark.startswith("The ") else landmark
    return template.format(landmark=landmark, landmark_low=lowered, city=city)


def landmark_sentence(rng: Random) -> str:
    while True:
        (landmark, city), template = rng.choice(LANDMARKS), rng.choice(LANDMARK_TEMPLATES)
        if not is_withheld_fact(landmark, template, LANDMARK_TEMPLATES):
            return fill_landmark(template, landmark, city) + rng.choice(FACT_ENDINGS)


def held_out_landmarks() -> list[tuple[str, str]]:
    """Every (prompt, city) whose combination of landmark and template was kept from training."""
    return [
        (fill_landmark(template, landmark, city).removesuffix(f" {city}"), city)
        for landmark, city in LANDMARKS
        for template in LANDMARK_TEMPLATES
        if is_withheld_fact(landmark, template, LANDMARK_TEMPLATES)
    ]


SEQUENCES: tuple[tuple[str, ...], ...] = (
    DAYS,
    MONTHS,
    NUMBERS,
    ORDINALS,
    SEASONS,
    LETTERS,
    tuple(str(n) for n in range(1, 100)),
)
#: Sequences that start again after their last member.
CYCLES = (DAYS, MONTHS, SEASONS)


def run_of(sequence: Sequence[str], start: int, length: int) -> list[str]:
    """`length` members in order from `start`, going round where the sequence is a cycle."""
    if sequence in CYCLES:
        return [sequence[(start + step) % len(sequence)] for step in range(length)]
    return list(sequence[start : start + length])


def successor_run(rng: Random, *, held_out: bool = False) -> list[str]:
    """Four to nine members of a known sequence, in order. Some members never begin a run in training."""
    while True:
        sequence = rng.choice(SEQUENCES)
        start, length = rng.randrange(len(sequence)), rng.randint(4, 9)
        run = run_of(sequence, start, length)
        if len(run) >= 4 and is_held_out("first of a run", run[0]) == held_out:
            return run


def counting_text(rng: Random) -> str:
    return ", ".join(successor_run(rng)) + "."


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


#: Verb pairs: after a singular subject, after a plural one.
BE_FORMS = (("is", "are"), ("is", "are"), ("was", "were"), ("has", "have"))
PREDICATES = {
    "is": ("old", "new", "on the table", "very small", "missing", "red", "blue", "beautiful", "here"),
    "was": ("old", "new", "on the table", "very small", "lost", "red", "blue", "beautiful", "there"),
    "has": ("been found", "been lost", "a long story", "gone", "changed"),
}
LINKS = ("to", "near", "of", "beside", "behind", "in", "by", "with")
DISTRACTORS = (
    "cabinet:cabinets",
    *(
        f"{word}:{word}s"
        for word in (
            "table",
            "door",
            "window",
            "house",
            "garden",
            "car",
            "tower",
            "king",
            "teacher",
            "doctor",
            "boat",
            "bed",
        )
    ),
)


def agreement_prompt(rng: Random, *, held_out: bool = False) -> tuple[str, bool]:
    """A subject with a distractor after it, and whether the subject is plural."""
    while True:
        (singular, plural), distractor = rng.choice(AGREEMENT_NOUNS), rng.choice(DISTRACTORS)
        if is_held_out("agreement", singular, distractor) == held_out:
            break
    is_plural = rng.random() < 0.5
    noun = plural if is_plural else singular
    other = rng.choice(distractor.split(":"))
    return f"The {noun} {rng.choice(LINKS)} the {other}", is_plural


def agreement_sentence(rng: Random) -> str:
    subject, is_plural = agreement_prompt(rng)
    forms = rng.choice(BE_FORMS)
    return f"{subject} {forms[is_plural]} {rng.choice(PREDICATES[forms[0]])}."


def plain_agreement_sentence(rng: Random) -> str:
    """Number agreement without a distractor."""
    is_plural = rng.random() < 0.5
    noun, forms = rng.choice(AGREEMENT_NOUNS)[is_plural], rng.choice(BE_FORMS)
    return f"The {noun} {forms[is_plural]} {rng.choice(PREDICATES[forms[0]])}."


def year_prompt(rng: Random, *, held_out: bool = False) -> tuple[str, int]:
    """A span of years up to the last two digits, and the two digits it began with (2 to 97)."""
    while True:
        event, century, start = rng.choice(EVENTS), rng.randint(11, 19), rng.randint(2, 97)
        if is_held_out("years", event, str(century), str(start)) == held_out:
            break
    verb = rng.choice(("lasted", "lasted", "ran", "went on"))
    return f"The {event} {verb} from the year {century}{start:02d} to the year {century}", start


def year_sentence(rng: Random) -> str:
    """Half of the spans are short, the others reach anywhere into the rest of the century."""
    prompt, start = year_prompt(rng)
    latest = min(99, start + rng.choice((5, 12, 25))) if rng.random() < 0.5 else 99
    return f"{prompt}{rng.randint(start + 1, latest):02d}."


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
        )
    )
