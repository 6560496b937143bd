"""The seeded corpus: which kinds of text there are, how often each is drawn, and endless text from them.

The same seed gives the same text on every machine. Combinations named by `held_out.is_held_out` never occur
in the family that asks about them; `evaluate` measures on exactly those.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from resstream_demo.tiny import corpus_everyday as everyday
from resstream_demo.tiny import corpus_patterns as patterns
from resstream_demo.tiny import corpus_people as people


@dataclass(frozen=True)
class Family:
    """One kind of text: its name, its share of the corpus (relative), and the function that writes one."""

    name: str
    weight: float
    write: Callable[[Random], str]


FAMILIES = (
    Family("giving", 20, people.giving_story),
    Family("double object", 3, people.double_object_story),
    Family("third giver", 3, people.third_giver_story),
    Family("pronoun question", 9, people.pronoun_question),
    Family("pronoun story", 6, people.pronoun_story),
    Family("named story", 5, people.named_story),
    Family("capital", 8, patterns.capital_sentence),
    Family("language", 4, patterns.language_sentence),
    Family("landmark", 4, patterns.landmark_sentence),
    Family("counting", 6, patterns.counting_text),
    Family("calendar", 3, patterns.calendar_sentence),
    Family("agreement", 7, patterns.agreement_sentence),
    Family("plain agreement", 2, patterns.plain_agreement_sentence),
    Family("years", 9, patterns.year_sentence),
    Family("repeated list", 6, patterns.repeated_list),
    Family("everyday", 10, everyday.everyday_sentence),
    Family("tale", 3, everyday.tale),
    Family("definition", 4, everyday.definition),
    Family("saying", 3, everyday.saying),
    Family("word row", 2, everyday.word_row),
)


def documents(seed: int) -> Iterator[str]:
    """Endless short texts, drawn by the families' weights."""
    rng = Random(seed)
    weights = [family.weight for family in FAMILIES]
    while True:
        (family,) = rng.choices(FAMILIES, weights)
        yield family.write(rng)


def corpus_text(n_documents: int, seed: int = 0) -> str:
    """The first `n_documents` texts of a seed, one to a line."""
    stream = documents(seed)
    return "\n".join(next(stream) for _ in range(n_documents))
