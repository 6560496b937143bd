"""Freely composed actions for the giving stories: all that stands between the giver and the recipient.

A verb of giving, making, taking, saying or meeting, in one of many forms, with whatever the lexicon lets it give.
"""

from dataclasses import dataclass
from random import Random

from resstream_demo.tiny.corpus.giving_openings import MOTION
from resstream_demo.tiny.corpus.lexicon import modifiers
from resstream_demo.tiny.corpus.lexicon.inflect import Verb, verb
from resstream_demo.tiny.corpus.names import object_pronoun, possessive, pronoun
from resstream_demo.tiny.corpus.phrases import adjective_text, chance, determined, goal_phrase, nouns_of, pick

GIVEN = ("thing", "food", "drink", "clothing", "tool", "text", "art", "music", "animal", "plant", "machine", "material")
CARRIED = ("thing", "food", "tool", "clothing", "furniture")


@dataclass(frozen=True)
class Act:
    """Verbs that share what they take (noun `kinds`, or none) and the preposition before the recipient."""

    verbs: tuple[Verb, ...]
    link: str
    kinds: tuple[str, ...]
    kind: str


def _act(verbs: str, link: str, kinds: str, kind: str) -> Act:
    return Act(tuple(verb(entry, "giving") for entry in verbs.split()), link, tuple(kinds.split()), kind)


#: Share -> what can be done; `kind` says which endings follow, as in the listed actions.
ACTS = (
    (30, _act("give give send show bring offer lend hand pass sell", "to", " ".join(GIVEN), "gift")),
    (6, _act("throw carry push roll lift", "to", " ".join(CARRIED), "gift")),
    (3, _act("feed lead give show sell bring", "to", "animal", "gift")),
    (3, _act("cook bake prepare make order", "for", "dish", "gift")),
    (3, _act("pour make heat fetch order", "for", "drink", "gift")),
    (3, _act("sew mend wash iron knit buy", "for", "clothing", "gift")),
    (7, _act("buy find get keep choose fetch wrap hold leave hide carry", "for", "thing tool text food", "gift")),
    (2, _act("pick cut plant water", "for", "plant", "gesture")),
    (3, _act("repair paint clean build move", "for", "furniture vehicle part", "gesture")),
    (5, _act("borrow take get buy hide steal", "from", "thing tool text clothing animal", "gesture")),
    (4, _act("share", "with", "food drink dish", "gesture")),
    (2, _act("discuss plan remember prepare", "with", "event idea", "gesture")),
    (5, _act("explain describe mention read present", "to", "text idea art", "gesture")),
    (6, _act("say whisper explain announce shout admit complain mention reply", "to", "", "say")),
    (6, _act("smile look laugh shout point stare wink nod wave", "at", "", "gesture")),
    (7, _act("talk speak listen wave whisper nod sing apologise run walk hurry swim write", "to", "", "gesture")),
    (4, _act("talk dance play sing work argue joke chat quarrel speak", "with", "", "gesture")),
    (4, _act("wait look care pray work cheer sing cook", "for", "", "gesture")),
    (2, _act("sit stand wait hide walk", "behind", "", "gesture")),
    (2, _act("sit stand rest sleep", "next to", "", "gesture")),
    (6, _act("help thank hug follow call answer greet praise trust visit teach kiss invite", "", "", "gesture")),
)  # fmt: skip
GIVING_ACT = ACTS[0][1]
SHOWING_ACT = _act("explain describe show read", "to", "idea", "gesture")
#: Instead of a noun: what is given, and what is told.
LOOSE_GIFTS = (
    "what {he} had found", "everything", "something to eat", "all {his} money", "half of the {food}",
    "one of {his} {things}",
    "the rest of the {food}", "the one {he} liked best", "what was left", "a few of the {things}", "a piece of {food}",
    "both of the {things}", "the {thing} {he} had bought", "what the {person} had brought", "a box of {things}",
)  # fmt: skip
TOLD = (
    "what {he} had found", "how the {thing} worked", "everything", "the way to the {place}", "where {he} lived",
    "why {he} was late", "what the {person} had said", "how to find the {thing}", "the story of the {person}",
    "where the {thing} was", "what had happened {day}", "who the {person} was",
)  # fmt: skip
AFTER_NOUN = (
    " that {he} had found", " from the {place}", " that the {person} had made", " with the {thing} on it",
    " of {his} own",
    " that was still new", " in a {thing}", " for the {event}", " {he} had bought {day}",
)  # fmt: skip
AFTER_THIRD = (" that {third} had made", " {third} had found", " from {third}", " that belonged to {third}",
               " that {third} had left there", " {third} had sent", " of {third}'s")  # fmt: skip
DAYS_AGO = ("yesterday", "that morning", "the day before", "last week")

BEFORE_VERB = tuple(w for w in modifiers.ADVERBS["manner"].split() if w not in ("fast", "hard", "well", "badly"))
BEFORE_VERB += ("then", "later", "then", "later", "soon", "also", "finally", "still", "often", "always", "once")
TO_PAST = tuple(
    """
wanted|tried|had|began|decided|was about|was going|managed|hoped|forgot|agreed|offered|was ready|was asked|started|
planned|needed|liked|was happy|refused|learned|wished|was the first|chose|was told|was too shy
""".replace("\n", "").split("|")
)
TO_PRESENT = tuple(
    "wants|tries|has|is going|is going|is about|likes|hopes|needs|plans|is ready|is happy|would like|is able".split("|")
)
MODALS = ("will", "will", "can", "must", "should", "may", "might", "would", "could")
PRELUDES = (
    "stood up", "got up", "sat down", "turned around", "opened the door", "took a step", "smiled", "nodded", "laughed",
    "came back", "put down the {thing}", "picked up the {thing}", "opened the {thing}", "looked for the {thing}",
)  # fmt: skip


def _filled(rng: Random, text: str, giver: str) -> str:
    """A loose wording with the giver's pronouns and nouns from the lexicon."""

    def word(*kinds: str) -> str:
        return pick(rng, nouns_of(kinds)).singular

    things = pick(rng, nouns_of(("thing", "tool", "clothing"))).plural
    thing = word("thing", "tool")
    text = text.replace("a {thing}", determined("a", thing))
    return text.format(
        he=pronoun(giver),
        his=possessive(giver),
        him=object_pronoun(giver),
        food=pick(rng, [noun for noun in nouns_of(("food",)) if noun.mass]).singular,
        thing=thing,
        things=things,
        person=word("person"),
        place=word("building", "place"),
        event=word("event"),
        day=rng.choice(DAYS_AGO),
    )


def _determiner(rng: Random, giver: str, mass: bool, many: bool) -> str:
    his = possessive(giver)
    if mass:
        return rng.choice(("some", "some", "the", "the", f"{his}", "a little", "a lot of", "this"))
    if many:
        return rng.choice(("the", "the", "two", "three", "some", "a few", his, "these", "many", "all the"))
    return rng.choice(("a", "a", "a", "a", "a", "the", "the", "the", his, his, "this", "another", "the other", "that"))


def object_phrase(
    rng: Random, giver: str, kinds: tuple[str, ...], third: str = "", owned: bool = False
) -> tuple[str, bool]:
    """What is given, and whether it is many; a third person's name may be in it ("Tom's cup", "a cup from Tom").

    `owned` keeps to the first of these.
    """
    word = pick(rng, nouns_of(kinds))
    many = not word.mass and word.plural != word.singular and chance(rng, 0.14)
    words = adjective_text(rng, word.kind, 0.42) + (word.plural if many else word.singular)
    if third and (owned or chance(rng, 0.4)):
        return f"{third}'s {words}", many
    if third:
        text = determined("the" if word.mass or many else rng.choice(("a", "the")), words)
        after = rng.choice(AFTER_THIRD)
        return text + (" from {third}" if word.mass and after.startswith(" of") else after).format(third=third), many
    text = determined(_determiner(rng, giver, word.mass, many), words)
    if chance(rng, 0.12):
        text += _filled(rng, rng.choice(AFTER_NOUN), giver)
    return text, many


def _present(rng: Random, one: Verb) -> tuple[str, bool]:
    roll = rng.random()
    if roll < 0.3:
        adverb = rng.choice(BEFORE_VERB) + " " if chance(rng, 0.3) else ""
        return adverb + one.s, False
    if roll < 0.6:
        return f"{rng.choice(MODALS)} {one.base}", True
    if roll < 0.85:
        return f"{rng.choice(TO_PRESENT)} to {one.base}", True
    return (f"is {one.ing}" if roll < 0.95 else f"has {one.participle}"), False


def conjugated(rng: Random, giver: str, one: Verb, tense: str, simple: bool = False) -> tuple[str, bool]:
    """The verb with its helpers and adverbs, and whether it is still only planned."""
    if tense == "present":
        return _present(rng, one)
    roll = rng.random()
    if simple or roll < 0.5:
        adverb = rng.choice(BEFORE_VERB) + " " if chance(rng, 0.3) else ""
        return adverb + one.past, False
    if roll < 0.74:
        return f"{rng.choice(TO_PAST)} to {one.base}", True
    if roll < 0.8:
        return rng.choice((f"could {one.base}", f"would {one.base}", f"might {one.base}")), True
    if roll < 0.86:
        return rng.choice((f"had {one.participle}", f"had already {one.participle}", f"was {one.ing}")), False
    if roll < 0.93:
        return f"{_filled(rng, rng.choice(PRELUDES), giver)} and {rng.choice(('', 'then ', ''))}{one.past}", False
    return f"{pick(rng, MOTION).past} {goal_phrase(rng)} and {one.past}", False


def composed_action(
    rng: Random, giver: str, tense: str = "past", third: str = "", simple: bool = False
) -> tuple[str, str, bool]:
    """An action up to the recipient, its kind, and whether what is given is many.

    With `third` the action has an object, and that person's name is in it; `simple` asks for a plain past tense.
    """
    roll = 1.0 if third else rng.random()
    if roll < 0.1:
        loose, act = (LOOSE_GIFTS, GIVING_ACT) if roll < 0.06 else (TOLD, SHOWING_ACT)
        given, many = _filled(rng, rng.choice(loose), giver), False
        if tense == "present":
            given = given.replace(" had ", " has ").replace(" was ", " is ")
    else:
        acts = [(share, act) for share, act in ACTS if act.kinds or not third]
        (act,) = rng.choices([act for _, act in acts], [share for share, _ in acts])
        given, many = object_phrase(rng, giver, act.kinds, third, act.link != "to") if act.kinds else ("", False)
    said, planned = conjugated(rng, giver, rng.choice(act.verbs), tense, simple)
    kind = "plan" if planned and act.kind != "say" else act.kind
    return " ".join(part for part in (said, given, act.link) if part), kind, many
