"""Further names in a giving story: a third person is told, or one of the two once more, and the answer stays."""

from dataclasses import dataclass, replace
from random import Random

from resstream_demo.tiny.corpus import giving_mentions as mentions
from resstream_demo.tiny.corpus.giving_openings import COMPARED, PEOPLE
from resstream_demo.tiny.corpus.lexicon.inflect import fix_articles
from resstream_demo.tiny.corpus.names import gender_words, is_male
from resstream_demo.tiny.corpus.phrases import capital, nouns_of, pick

COMPANIONS = ("cousin", "neighbour", "friend", "teacher", "boss", "partner")


@dataclass(frozen=True)
class Told:
    """A giving story in its parts: the opening, the giver, an aside after the giver's name, and the action."""

    opening: str
    giver: str
    action: str
    kind: str
    tense: str = "past"
    many: bool = False
    third: str = ""
    aside: str = ""

    @property
    def text(self) -> str:
        return f"{self.opening} {self.giver}{self.aside} {self.action}"

    def opened(self, opening: str) -> "Told":
        return replace(self, opening=opening)

    def followed_by(self, clause: str) -> "Told":
        """With a clause or a sentence between the opening and the giver's name."""
        return self.opened(f"{self.opening} {capital(clause) if self.opening.endswith('.') else clause}")


def _words(rng: Random, giver: str, recipient: str = "", third: str = "") -> dict[str, str]:
    relatives = (*COMPANIONS, *(("brother", "uncle") if is_male(giver) else ("sister", "aunt")))
    feelings, people = rng.sample(mentions.LOOKS, 2), rng.sample(PEOPLE, 2)
    thing = pick(rng, [noun for noun in nouns_of(("thing", "tool")) if noun.singular[0] not in "aeiou"])
    return {
        "g": giver,
        "r": recipient,
        "third": third,
        "feeling": feelings[0],
        "feeling2": feelings[1],
        "look": feelings[0],
        "thing": thing.singular,
        "person": people[0].singular,
        "person2": people[1].singular,
        "comparative": pick(rng, COMPARED),
        "g_relative": rng.choice(relatives),
        **gender_words(giver, "g_"),
        **(gender_words(recipient, "r_") if recipient else {}),
    }


def add_third(rng: Random, told: Told) -> Told:
    """With the third person's name in an aside after the giver's, or in a clause that says they are away."""
    words = _words(rng, told.giver, third=told.third)
    if told.tense == "past" and told.opening[-1] in ".," and rng.random() < 0.4:
        return told.followed_by(rng.choice(mentions.THIRD_AWAY).format(**words))
    asides = mentions.THIRD_ASIDES if told.tense == "past" else mentions.THIRD_ASIDES_NOW
    return replace(told, aside=fix_articles(rng.choice(asides).format(**words)))


def add_mention(rng: Random, told: Told, recipient: str) -> Told:
    """With the giver or the recipient named once more: in sentences, in a clause, or after the giver's name."""
    words, past, end = _words(rng, told.giver, recipient), told.tense == "past", told.opening[-1]
    roll = rng.random()
    if end == "." and past and roll < 0.4:
        sentences = rng.sample(mentions.MENTION_SENTENCES, rng.choice((1, 1, 2)))
        return told.followed_by(fix_articles(" ".join(sentences).format(**words)))
    if end in ".," and roll < 0.75:
        clauses = mentions.MENTION_CLAUSES if past else mentions.PRESENT_CLAUSES
        return told.followed_by(fix_articles(rng.choice(clauses).format(**words)))
    asides = mentions.MENTION_ASIDES if past else mentions.PRESENT_ASIDES
    return replace(told, aside=rng.choice(asides).format(**words))
