"""Verbs that agree with their subject, whatever noun stands between the two."""

from random import Random

from resstream_demo.tiny.corpus.held_out import is_held_out
from resstream_demo.tiny.corpus.words import AGREEMENT_NOUNS, NAMES

#: Verb pairs, after a singular subject and after a plural one, by how often.
VERB_PAIRS = (
    (("is", "are"), 6),
    (("was", "were"), 3),
    (("has", "have"), 2),
    (("looks", "look"), 0.5),
    (("seems", "seem"), 0.5),
    (("belongs", "belong"), 0.5),
)
PREDICATES = {
    "is": ("old", "new", "on the table", "very small", "missing", "red", "blue", "beautiful", "here", "not mine"),
    "was": ("old", "new", "on the floor", "very small", "lost", "red", "blue", "beautiful", "there", "too big"),
    "has": ("been found", "been lost", "a long story", "gone", "changed", "a new colour", "not come back"),
    "looks": ("old", "new", "beautiful", "good", "strange", "clean"),
    "seems": ("old", "new", "lost", "too small", "very good"),
    "belongs": ("to my sister", "to the school", "to all of us", "to nobody"),
}
LINKS = ("to", "near", "of", "beside", "behind", "in", "by", "with", "on", "under", "from")
DISTRACTORS = tuple(
    (word, f"{word}s")
    for word in (
        "cabinet table door window house garden car tower king teacher doctor boat bed wall river "
        "room farmer sister shop road"
    ).split()
)
CLAUSES = (
    "that the {other} bought",
    "that the {other} wanted",
    "that my {other} liked",
    "that {name} gave to the {other}",
    "who lived with the {other}",
)
PEOPLE = frozenset("child dog friend teacher boy girl bird student".split())
BUYERS = tuple(pair for pair in DISTRACTORS if pair[0] in "king teacher doctor farmer sister".split())


def pair_is_held_out(noun: str, distractor: tuple[str, str]) -> bool:
    """Whether this noun (in the singular) never stands before this distractor in a training subject."""
    return is_held_out("agreement", noun, ":".join(distractor))


def _distractor(rng: Random, pool: tuple[tuple[str, str], ...], *before: str) -> str:
    """A noun of the pool in either number, other than those `before` and not reserved after the first."""
    while True:
        pair = rng.choice(pool)
        if pair[0] not in before and not pair_is_held_out(before[0], pair):
            return rng.choice(pair)


def agreement_prompt(rng: Random, *, held_out: bool = False) -> tuple[str, bool]:
    """A subject with one distractor after it or two, and whether the subject is plural.

    `held_out` draws a noun and a first distractor that no training subject has together.
    """
    while True:
        (singular, plural), pair = rng.choice(AGREEMENT_NOUNS), rng.choice(DISTRACTORS)
        if singular != pair[0] and pair_is_held_out(singular, pair) == held_out:
            break
    is_plural = rng.random() < 0.5
    noun = plural if is_plural else singular
    subject = f"The {noun} {rng.choice(LINKS)} the {rng.choice(pair)}"
    if rng.random() < 0.15:
        subject += f" {rng.choice(LINKS)} the {_distractor(rng, DISTRACTORS, singular, pair[0])}"
    return subject, is_plural


def _clause_subject(rng: Random) -> tuple[str, bool]:
    """The same with a clause between noun and verb."""
    singular, plural = rng.choice(AGREEMENT_NOUNS)
    is_plural = rng.random() < 0.5
    clauses = CLAUSES if singular in PEOPLE else CLAUSES[:-1]
    clause = rng.choice(clauses).format(other=_distractor(rng, BUYERS, singular), name=rng.choice(NAMES))
    return f"The {plural if is_plural else singular} {clause}", is_plural


def _finish(rng: Random, subject: str, is_plural: bool) -> str:
    pairs, weights = zip(*VERB_PAIRS, strict=True)
    forms = rng.choices(pairs, weights)[0]
    return f"{subject} {forms[is_plural]} {rng.choice(PREDICATES[forms[0]])}."


def agreement_sentence(rng: Random) -> str:
    """A subject, something of either number that stands between, and the verb that agrees with the subject."""
    subject, is_plural = _clause_subject(rng) if rng.random() < 0.2 else agreement_prompt(rng)
    return _finish(rng, subject, is_plural)


def plain_agreement_sentence(rng: Random) -> str:
    """Number agreement without a distractor."""
    is_plural = rng.random() < 0.5
    return _finish(rng, f"The {rng.choice(AGREEMENT_NOUNS)[is_plural]}", is_plural)
