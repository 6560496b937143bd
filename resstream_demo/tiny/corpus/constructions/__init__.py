"""The constructions of a school grammar: templates for each, filled with common words that suit one another."""

from random import Random

from resstream_demo.tiny.corpus.constructions import (
    clause_templates,
    life_templates,
    noun_templates,
    verb_templates,
)
from resstream_demo.tiny.corpus.constructions.actors import fill


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.replace("\n", "|").split("|") if part.strip())


#: Construction -> its templates, from noun phrases to everyday life.
CONSTRUCTIONS = {
    name: _split(text)
    for module in (noun_templates, verb_templates, clause_templates, life_templates)
    for name, text in module.TEMPLATES.items()
}
NAMES = tuple(CONSTRUCTIONS)
#: Constructions that open or carry most sentences of a story, written more than twice as often as the others.
FREQUENT = frozenset(
    ("time first", "long subject", "past", "present", "progressive", "manner adverb", "indirect question")
)
#: Constructions of many forms, each of which is to be met.
VARIED = frozenset(
    (
        "resultative", "object complement", "ages", "prices", "clock", "one of the, all of the", "comparative",
        "perfect", "future", "used to, had to, would like to",
    )
)  # fmt: skip
WEIGHTS = tuple(2.5 if name in FREQUENT else 2 if name in VARIED else 1 for name in NAMES)


def write(rng: Random, name: str) -> str:
    """A finished sentence in a construction, without its capital."""
    text = fill(rng, rng.choice(CONSTRUCTIONS[name]))
    return text if text[-1] in "?!" else text + "."


def construction(rng: Random) -> str:
    """A sentence in one of the constructions."""
    return write(rng, rng.choices(NAMES, WEIGHTS)[0])
