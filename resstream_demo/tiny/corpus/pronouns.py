"""Gendered names with their pronouns: tag questions, introductions, and stories about one person or two.

Every function takes a seeded `random.Random`; the text functions return one short text.
"""

from random import Random

from resstream_demo.tiny.corpus.giving import Scene
from resstream_demo.tiny.corpus.giving_wordings import CONCRETE_GIFTS
from resstream_demo.tiny.corpus.held_out import is_held_out
from resstream_demo.tiny.corpus.lexicon.inflect import with_article
from resstream_demo.tiny.corpus.names import (
    gender_words,
    is_male,
    mixed_pair,
    name_group,
    name_pair,
    pronoun,
)
from resstream_demo.tiny.corpus.pronoun_wordings import (
    COUPLE_STORIES,
    INTRODUCTIONS,
    NAMED_STORIES,
    PRONOUN_STORIES,
    PRONOUN_TAILS,
)
from resstream_demo.tiny.corpus.words import ADJECTIVES, COLOURS, DAYS, NAMES, OTHERS, PLACES, ROLES

#: Roles that are work, for wordings that would be odd with "friend".
TRADES = tuple(role for role in ROLES if role not in ("friend", "neighbour", "person"))
SPEAKERS = tuple(other for other in OTHERS if other not in ("dog", "children"))

#: What somebody can do, and what somebody likes.
ABILITIES = tuple("swim dance sing cook drive ski paint draw ride climb read write run fly sail".split())
LIKINGS = tuple(
    "music tea coffee football tennis chess snow rain bread cheese honey milk cats dogs horses flowers books".split()
)

#: What stands before a clause; "" is drawn as often as all others together.
LEADS = (
    "So ",
    "So ",
    "But ",
    "And ",
    "Well, ",
    "Oh, ",
    "Now ",
    "I think ",
    "I hear ",
    "I suppose ",
    "I see ",
    "People say ",
    "You know, ",
    "As you know, ",
    "Of course ",
)

#: A clause and its tag up to the pronoun; {role}, {ability} or {liking} is the word that pairs with the name.
FRAMES = (
    "{name} is {a_role}, isn't",
    "{name} is {a_adj} {role}, isn't",
    "{name} is {a_adj} {role}, isn't",
    "{name} is a really {adj} {role}, isn't",
    "{name} is a really {adj} {role}, isn't",
    "{name} is a very {adj} {role}, isn't",
    "{name} is such {a_adj} {role}, isn't",
    "{name} is the best {role} here, isn't",
    "{name} is going to be {a_role}, isn't",
    "{name} was {a_adj} {role}, wasn't",
    "{name} was once {a_role}, wasn't",
    "{name} works as {a_role}, doesn't",
    "{name} wanted to be {a_role}, didn't",
    "{name} met {a_adj} {role} {at}, didn't",
    "{name} has been {a_role} for years, hasn't",
    "{name} will make {a_adj} {role}, won't",
    "{name} isn't {a_role}, is",
    "{name} wasn't {a_adj} {role}, was",
    "{name} likes {liking}, doesn't",
    "{name} loves {liking}, doesn't",
    "{name} never liked {liking}, did",
    "{name} doesn't like {liking}, does",
    "{name} can {ability}, can't",
    "{name} can {ability} very well, can't",
    "{name} can't {ability}, can",
    "{name} could {ability} at the age of five, couldn't",
    "{name} will {ability} tomorrow, won't",
    "{name} has learned to {ability}, hasn't",
)

#: Never in training text.
HELD_OUT_FRAMES = (
    "Everyone agrees that {name} makes {a_adj} {role}, doesn't",
    "If I remember rightly, {name} used to be {a_role}, didn't",
    "Tell me, {name} would be {a_adj} {role}, wouldn't",
    "Surely {name} must be the tallest {role} in town, mustn't",
    "By the way, {name} has become quite {a_adj} {role}, hasn't",
    "Our neighbour {name} looks like {a_role}, doesn't",
)


def _slots(rng: Random, roles: tuple[str, ...] = TRADES) -> dict[str, str]:
    """Words for every placeholder that is not about a person."""
    scene = Scene(tuple(rng.sample(PLACES, 2)), tuple(rng.sample(CONCRETE_GIFTS, 2)))
    adjective, role, colour = rng.choice(ADJECTIVES), rng.choice(roles), rng.choice(COLOURS)
    return {
        **scene.words(),
        "adj": adjective,
        "a_adj": with_article(adjective),
        "role": role,
        "a_role": with_article(role),
        "colour": colour,
        "other": rng.choice(SPEAKERS),
        "day": rng.choice(DAYS),
        "ability": rng.choice(ABILITIES),
        "liking": rng.choice(LIKINGS),
    }


def _pronoun_frame(rng: Random, held_out: bool, held_out_frame: bool) -> tuple[str, str]:
    """A tag question up to its pronoun, and the name in it."""
    frame = rng.choice(HELD_OUT_FRAMES if held_out_frame else FRAMES)
    roles = ROLES if "adj} {role}" in frame else TRADES
    while True:
        name, slots = rng.choice(NAMES), _slots(rng, roles)
        key = next((word for word in ("ability", "liking") if f"{{{word}}}" in frame), "role")
        if is_held_out("pronoun", name, slots[key]) == held_out:
            break
    lead = "" if held_out_frame or rng.random() < 0.5 else rng.choice(LEADS)
    return lead + frame.format(name=name, **slots), name


def pronoun_prompt(rng: Random, *, held_out: bool = False, held_out_frame: bool = False) -> tuple[str, str]:
    """A tag question up to its last word, and that word: "So Tom is a great friend, isn't" and "he".

    `held_out` draws a name with a role (or liking, or ability) and `held_out_frame` a frame that training text
    never has.
    """
    prompt, name = _pronoun_frame(rng, held_out, held_out_frame)
    return prompt, pronoun(name)


def pronoun_question(rng: Random) -> str:
    """A whole tag question, often with the answer to it."""
    prompt, he = pronoun_prompt(rng)
    verb = prompt.rsplit(" ", 1)[1].removesuffix("n't")
    verb = {"wo": "will", "ca": "can"}.get(verb, verb)
    answer = rng.choice(("", "", "", f" Yes, {he} {verb}.", f" I think {he} {verb}.", f" Of course {he} {verb}."))
    return f"{prompt} {he}?{answer}"


def pronoun_story(rng: Random) -> str:
    """One to three sentences about one person, told on with pronouns."""
    name = rng.choice(NAMES)
    words = gender_words(name) | _slots(rng)
    text = rng.choice(PRONOUN_STORIES)
    if rng.random() < 0.35:
        text += " " + rng.choice(PRONOUN_TAILS)
    return text.format(name=name, **words)


def introduction(rng: Random) -> str:
    """A short dense fact about somebody's gender and family."""
    name, other = name_pair(rng, held_out=False)
    while is_male(name) == is_male(other):
        name, other = name_pair(rng, held_out=False)
    (_, third) = name_group(rng, name, size=2)
    words = gender_words(name) | gender_words(third, "t_") | _slots(rng)
    return rng.choice(INTRODUCTIONS).format(name=name, spouse=other, third=third, **words)


def couple_story(rng: Random) -> str:
    """A man and a woman, each told on with a pronoun that only one of them can have."""
    first, second = mixed_pair(rng)
    words = gender_words(first, "a_") | gender_words(second, "b_") | _slots(rng)
    return rng.choice(COUPLE_STORIES).format(a=first, b=second, **words)


def named_story(rng: Random) -> str:
    """A short tale in which two names come back."""
    first, second = name_pair(rng, held_out=False)
    words = gender_words(first, "a_") | gender_words(second, "b_") | _slots(rng)
    return rng.choice(NAMED_STORIES).format(a=first, b=second, **words)
