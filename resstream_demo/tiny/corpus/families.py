"""The seeded corpus: which kinds of text there are, how often each is drawn, and endless text from them.

The same seed gives the same text on every machine. What `held_out.is_held_out` reserves, and the wordings
called held out, never occur in the family that asks about them, on which an evaluation asks about exactly those.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from resstream_demo.tiny.corpus import (
    agreement,
    elimination,
    everyday,
    fact_sentences,
    giving,
    giving_brief,
    grammar,
    patterns,
    pronouns,
    tales,
    years,
)


@dataclass(frozen=True)
class Family:
    """One kind of text: its name, its share of the corpus (relative), and the function that writes one."""

    name: str
    weight: float
    write: Callable[[Random], str]


FAMILIES = (
    Family("giving", 26, giving.giving_story),
    Family("brief giving", 8, giving_brief.brief_row),
    Family("double object", 2, giving.double_object_story),
    Family("third giver", 1.5, giving.third_giver_story),
    Family("three people", 1.5, giving.trio_story),
    Family("giving back", 2.5, giving.return_story),
    Family("pronoun question", 8, pronouns.pronoun_question),
    Family("pronoun story", 7, pronouns.pronoun_story),
    Family("introduction", 4, pronouns.introduction),
    Family("couple", 3, pronouns.couple_story),
    Family("named story", 3, pronouns.named_story),
    Family("elimination", 10, elimination.elimination_text),
    Family("elimination row", 5, elimination.elimination_row),
    Family("capital", 10, fact_sentences.capital_sentence),
    Family("language", 3, fact_sentences.language_sentence),
    Family("landmark", 8, fact_sentences.landmark_sentence),
    Family("counting", 6, patterns.counting_text),
    Family("calendar", 2.5, patterns.calendar_sentence),
    Family("agreement", 7, agreement.agreement_sentence),
    Family("plain agreement", 2, agreement.plain_agreement_sentence),
    Family("years", 9, years.year_sentence),
    Family("two years", 3, years.life_sentence),
    Family("row of years", 2, years.year_row),
    Family("repeated list", 5, patterns.repeated_list),
    Family("parameter list", 1.5, patterns.parameter_list),
    Family("grammar", 34, grammar.grammar_sentence),
    Family("paragraph", 5, grammar.grammar_paragraph),
    Family("story", 4, tales.story),
    Family("dialogue", 3, tales.dialogue),
    Family("everyday", 4, everyday.everyday_sentence),
    Family("definition", 3, everyday.definition),
    Family("saying", 1.5, everyday.saying),
    Family("word row", 1, everyday.word_row),
)


def documents(seed: int | str) -> Iterator[str]:
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
