"""Stories about people: who gives what to whom, pronouns, and names that come back.

Every function takes a seeded `random.Random` and returns one short text. The indirect-object stories are
ambiguous on purpose: now and then the gift goes to somebody else, so that a trained model is sure but not
certain, as GPT-2 is.
"""

from dataclasses import dataclass
from random import Random

from resstream_demo.tiny.corpus_words import (
    ADJECTIVES,
    GIFTS,
    MALE_NAMES,
    NAMES,
    OTHERS,
    PLACES,
    ROLES,
)
from resstream_demo.tiny.held_out import is_held_out

OPENINGS = (
    "When {a} and {b} went to the {place},",
    "When {a} and {b} came home from the {place},",
    "When {a} and {b} got a {gift} at the {place},",
    "After {a} and {b} went to the {place},",
    "After {a} and {b} had lunch at the {place},",
    "While {a} and {b} were working at the {place},",
    "While {a} and {b} were walking to the {place},",
    "As {a} and {b} left the {place},",
    "Then, {a} and {b} went to the {place}.",
    "Then, {a} and {b} had a lot of fun at the {place}.",
    "Then, {a} and {b} were working at the {place}.",
    "Then, {a} and {b} had a long argument, and afterwards",
    "Friends {a} and {b} found a {gift} at the {place}.",
    "{a} and {b} went to the {place}.",
    "{a} and {b} met at the {place}.",
    "{a} met {b} at the {place}.",
    "{a} went to the {place} with {b}.",
    "One day, {a} and {b} were at the {place}.",
    "Yesterday {a} visited {b} at the {place}.",
    "Last week {a} and {b} spent a day at the {place}.",
    "{a} and {b} were good friends.",
    "Once there were two friends, {a} and {b}.",
)

FILLERS = (
    "It was a sunny day.",
    "It was raining.",
    "The {place} was full of people.",
    "They were both tired.",
    "They saw a {gift} there.",
    "It was late in the evening.",
    "Everyone was happy.",
)

ACTIONS = (
    "gave a {gift} to",
    "gave a {gift} to",
    "gave the {gift} to",
    "decided to give a {gift} to",
    "decided to give it to",
    "wanted to give a {gift} to",
    "handed a {gift} to",
    "handed the {gift} to",
    "offered a {gift} to",
    "passed the {gift} to",
    "sent a {gift} to",
    "showed the {gift} to",
    "brought a {gift} to",
    "sold the {gift} to",
    "lent a {gift} to",
    "threw the {gift} to",
    "took a {gift} and gave it to",
    "found a {gift} and gave it to",
    "bought a {gift} for",
    "made a {gift} for",
    "said to",
    "said hello to",
    "read a story to",
    "told the truth to",
    "talked to",
    "waved to",
    "smiled at",
    "looked at",
)

ENDINGS = (
    ".",
    ".",
    ".",
    " and smiled.",
    " before lunch.",
    " in the morning.",
    " as a present.",
    " again.",
    ", who was very happy.",
    ", and they both laughed.",
    " at the {place}.",
)

RELATIVES = ("brother", "sister", "mother", "father", "friend", "dog")


@dataclass(frozen=True)
class Giving:
    """An indirect-object prompt without its ending, and the two names in it."""

    prompt: str
    giver: str
    recipient: str


def article(word: str) -> str:
    """`word` with "a" or "an" before it."""
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"


def pronoun(name: str) -> str:
    return "he" if name in MALE_NAMES else "she"


def object_pronoun(name: str) -> str:
    return "him" if name in MALE_NAMES else "her"


def name_pair(rng: Random, held_out: bool) -> tuple[str, str]:
    """Two different names whose pair is, or is not, reserved for evaluation."""
    while True:
        first, second = rng.sample(NAMES, 2)
        if is_held_out("pair", *sorted((first, second))) == held_out:
            return first, second


def giving_prompt(rng: Random, *, held_out: bool = False, giver_first: bool | None = None) -> Giving:
    """One indirect-object prompt ending right before the recipient.

    `giver_first` fixes the order: True is BABA (the giver is named first), False is ABBA, None draws it.
    """
    first, second = name_pair(rng, held_out)
    if giver_first is None:
        giver_first = rng.random() < 0.5
    giver, recipient = (first, second) if giver_first else (second, first)
    opening = rng.choice(OPENINGS)
    parts = [opening.format(a=first, b=second, place=rng.choice(PLACES), gift=rng.choice(GIFTS))]
    if opening.endswith(".") and rng.random() < 0.25:
        parts.append(rng.choice(FILLERS).format(place=rng.choice(PLACES), gift=rng.choice(GIFTS)))
    parts.append(f"{giver} {rng.choice(ACTIONS).format(gift=rng.choice(GIFTS))}")
    return Giving(" ".join(parts), giver, recipient)


def recipient_phrase(rng: Random, story: Giving) -> str:
    """Who gets it: mostly the other person, sometimes somebody the reader could not foresee."""
    choice = rng.random()
    if choice < 0.78:
        return story.recipient
    if choice < 0.795:
        return f"{story.giver}'s {rng.choice(RELATIVES)}"
    if choice < 0.82:
        return f"{story.recipient}'s {rng.choice(RELATIVES)}"
    if choice < 0.89:
        return f"the {rng.choice(OTHERS)}"
    if choice < 0.93:
        return rng.choice(NAMES)
    if choice < 0.97:
        return object_pronoun(story.recipient)
    return rng.choice(("a friend", "everyone", "someone", "a stranger", "another friend"))


def giving_story(rng: Random) -> str:
    story = giving_prompt(rng)
    ending = rng.choice(ENDINGS).format(place=rng.choice(PLACES))
    return f"{story.prompt} {recipient_phrase(rng, story)}{ending}"


def double_object_story(rng: Random) -> str:
    """The same with the recipient before the gift: "John gave Mary a drink"."""
    first, second = name_pair(rng, held_out=False)
    giver, recipient = (first, second) if rng.random() < 0.5 else (second, first)
    opening = rng.choice(OPENINGS).format(a=first, b=second, place=rng.choice(PLACES), gift=rng.choice(GIFTS))
    verb = rng.choice(("gave", "handed", "offered", "showed", "sent", "lent", "bought"))
    return f"{opening} {giver} {verb} {recipient} {article(rng.choice(GIFTS))}."


def third_giver_story(rng: Random) -> str:
    """Two people are named, a third one gives: either of the two may receive."""
    first, second = name_pair(rng, held_out=False)
    giver = rng.choice([name for name in rng.sample(NAMES, 3) if name not in (first, second)])
    opening = rng.choice(OPENINGS).format(a=first, b=second, place=rng.choice(PLACES), gift=rng.choice(GIFTS))
    action = rng.choice(ACTIONS).format(gift=rng.choice(GIFTS))
    recipient = rng.choice((first, second, first, second, "them", f"{first} and {second}"))
    return f"{opening} {giver} {action} {recipient}."


def pronoun_prompt(rng: Random, *, held_out: bool = False) -> tuple[str, str]:
    """A tag question up to its last word, and that word: "So Tom is a great friend, isn't" and " he"."""
    while True:
        name, role = rng.choice(NAMES), rng.choice(ROLES)
        if is_held_out("pronoun", name, role) == held_out:
            break
    adjective = rng.choice(ADJECTIVES)
    phrase = rng.choice(
        (
            f"So {name} is {article(adjective)} {role}, isn't",
            f"So {name} is a really {adjective} {role}, isn't",
            f"So {name} is such {article(adjective)} {role}, isn't",
            f"{name} is {article(adjective)} {role}, isn't",
            f"{name} was {article(adjective)} {role}, wasn't",
            f"I think {name} is {article(adjective)} {role}, isn't",
        )
    )
    return phrase, pronoun(name)


def pronoun_question(rng: Random) -> str:
    phrase, answer = pronoun_prompt(rng)
    return f"{phrase} {answer}?"


def pronoun_story(rng: Random) -> str:
    """Two or three sentences about one person, told on with pronouns."""
    name, place, gift, role = rng.choice(NAMES), rng.choice(PLACES), rng.choice(GIFTS), rng.choice(ROLES)
    he, him = pronoun(name), object_pronoun(name)
    his = "his" if he == "he" else "her"
    return rng.choice(
        (
            f"{name} went to the {place} because {he} wanted {article(gift)}.",
            f"{name} lost {his} {gift} at the {place}, and {he} was sad. A friend gave {him} a new one.",
            f"{name} said that {he} was tired. {he.capitalize()} wanted to go home.",
            f"{name} lives near the {place}. Every day {he} walks there with {his} dog.",
            f"{name} opened {his} {gift}. It was from {his} mother, and {he} smiled.",
            f"When {name} was young, {he} had {article(gift)}. {his.capitalize()} friends liked it.",
            f"{name} is {article(rng.choice(ADJECTIVES))} {role}. {he.capitalize()} works at the {place}.",
        )
    )


def named_story(rng: Random) -> str:
    """A short tale in which two names come back."""
    first, second = name_pair(rng, held_out=False)
    place, gift = rng.choice(PLACES), rng.choice(GIFTS)
    he = pronoun(first)
    return rng.choice(
        (
            f"Once upon a time there was a {rng.choice(ROLES)} called {first}. {first} had a friend, {second}. "
            f"Every day {first} and {second} went to the {place}. They were very happy.",
            f"{first} lost a {gift}. {second} looked for it in the {place} and found it. "
            f'"Thank you, {second}," said {first}. "You are welcome, {first}," said {second}.',
            f'"Where is {first}?" asked {second}. "{first} is at the {place}," said the {rng.choice(OTHERS)}.',
            f"{first} and {second} wanted the same {gift}. {first} took it first, but then {he} shared it.",
            f"Mr {first} Smith lived near the {place}. Everyone in the street knew Mr {first} Smith.",
            f"{first} wrote a letter to {second}. The next day {second} wrote a letter to {first}.",
        )
    )
