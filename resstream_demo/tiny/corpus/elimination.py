"""Texts in which what was said before is not what comes next: the thing that is left, the other one, the last.

Whoever only copies gets these wrong: of the members of a list, those already used are ruled out.
"""

import re
from dataclasses import dataclass
from random import Random

from resstream_demo.tiny.corpus.elimination_wordings import (
    BARE_TEMPLATES,
    LISTS,
    OTHER_TEMPLATES,
    PEOPLE_TEMPLATES,
    ROW_LEFT,
    ROW_LISTS,
    ROW_RULED_OUT,
    THING_TEMPLATES,
    Elimination,
)
from resstream_demo.tiny.corpus.giving_mentions import LOOKS
from resstream_demo.tiny.corpus.held_out import is_held_out
from resstream_demo.tiny.corpus.lexicon.inflect import with_article
from resstream_demo.tiny.corpus.lexicon.verbs import BY_FRAME
from resstream_demo.tiny.corpus.names import gender_words, name_group
from resstream_demo.tiny.corpus.phrases import capital, nouns_of, pick, place_phrase

#: How often a text that may be followed by another like it is; and how often by one more each time.
CHAIN_SHARE = 0.6
#: How often a text is drawn from the bare forms: short texts in which little else can be learnt.
BARE_SHARE = 0.3


@dataclass(frozen=True)
class Round:
    """One elimination: the text before the answer, the answer, a used member, what follows, and all the members."""

    prompt: str
    answer: str
    wrong: str
    end: str
    members: tuple[str, ...]

    @property
    def text(self) -> str:
        return f"{self.prompt} {self.answer}{self.end}"


def elimination_prompt(rng: Random, *, held_out: bool = False) -> tuple[str, str, str]:
    """A text up to the one member that is left, that member, and one that is already used.

    `held_out` draws a set of members that training text never lists together.
    """
    one = draw_round(rng, _template(rng), held_out)
    return one.prompt, one.answer, one.wrong


def elimination_rounds(rng: Random) -> list[Round]:
    """One elimination or, in a template that `chains`, often several of the same kind."""
    template = _template(rng)
    rounds = [draw_round(rng, template, held_out=False)]
    while template.chains and len(rounds) < 5 and rng.random() < CHAIN_SHARE:
        rounds.append(draw_round(rng, template, held_out=False))
    return rounds


def elimination_text(rng: Random) -> str:
    return " ".join(one.text for one in elimination_rounds(rng))


def elimination_row(rng: Random) -> str:
    """A dense drill: two to five short lists in one form, each with one member that is left."""
    size, lead = rng.choice((2, 2, 3, 3, 4)), rng.choice(ROW_LISTS)
    (ruled_out, comma), left = rng.choice(ROW_RULED_OUT), rng.choice(ROW_LEFT)
    # A word is another token at the start of a sentence, so half of the rows have no capitals to get in the way.
    begin = capital if lead[0] in "of" or rng.random() < 0.5 else str
    same = rng.choice(LISTS)
    parts = []
    for _ in range(rng.choice((2, 3, 3, 4, 5))):
        members = draw_members(rng, same if rng.random() < 0.5 else rng.choice(LISTS), size, held_out=False)
        *used, answer = rng.sample(members, size)
        listed = lead.format(list=", ".join(members))
        parts.append(f"{begin(listed)} {comma.join(ruled_out.format(word) for word in used)}{left.format(answer)}")
    return capital(" ".join(parts))


def _template(rng: Random) -> Elimination:
    if rng.random() < BARE_SHARE:
        return rng.choice(BARE_TEMPLATES)
    return rng.choice((*PEOPLE_TEMPLATES, *THING_TEMPLATES, *OTHER_TEMPLATES))


def draw_members(rng: Random, pool: tuple[str, ...], size: int, held_out: bool) -> list[str]:
    """`size` words of a pool whose set is, or is not, reserved for evaluation."""
    while True:
        members = rng.sample(pool, size)
        if is_held_out("left", *sorted(members)) == held_out:
            return members


def draw_round(rng: Random, template: Elimination, held_out: bool) -> Round:
    """The template filled, such that its free words do not say a member once more."""
    while True:
        members = draw_members(rng, rng.choice(template.pools), template.size, held_out)
        *used, answer = rng.sample(members, template.size)
        prompt = capital(template.prompt.format(**_words(rng, members, used)))
        said = [word.lower() for word in re.findall(r"[A-Za-z]+", prompt)]
        if said.count(answer.lower()) == 1 and all(said.count(word.lower()) == 2 for word in used):
            return Round(prompt, answer, rng.choice(used), template.end, tuple(members))


def _words(rng: Random, members: list[str], used: list[str]) -> dict[str, str]:
    name, name2 = name_group(rng, size=2)
    thing = pick(rng, [noun for noun in nouns_of(("thing", "tool", "text")) if noun.singular[0] not in "aeiou"])
    words = {
        "name": name,
        "name2": name2,
        **gender_words(name),
        "place": place_phrase(rng),
        "feeling": rng.choice(LOOKS),
        "verb": pick(rng, [v for v in BY_FRAME["intransitive"] if not v.link]).past,
        "thing": thing.singular,
    }
    for letter, listed in (("i", members), ("u", used)):
        for place, member in enumerate(listed):
            words[f"{letter}{place}"] = member
            words[f"a{letter}{place}"] = with_article(member)
    return words
