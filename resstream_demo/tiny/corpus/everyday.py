"""Everyday English for the small world: plain sentences, definitions and sayings."""

from random import Random

from resstream_demo.tiny.corpus.facts import DEFINITIONS, SAYINGS
from resstream_demo.tiny.corpus.lexicon.inflect import fix_articles, plural
from resstream_demo.tiny.corpus.words import (
    ADJECTIVES,
    ANIMALS,
    COLOURS,
    COMMON_WORDS,
    DAYS,
    FOODS,
    GIFTS,
    MONTHS,
    NAMES,
    NUMBERS,
    PLACES,
    ROLES,
    THINGS,
)

SENTENCES = (
    "The {adj} {animal} slept under the {thing}.",
    "The {animal} ran through the {place} and jumped over the {thing}.",
    "A {colour} {thing} stood in the middle of the {place}.",
    "I would like some {food} and a cup of tea, please.",
    "We bought {food} and {food2} at the market on {day}.",
    "She put the {gift} on the {thing} and went to the {place}.",
    "He looked at the {thing} for a long time, but he did not say a word.",
    "They walked along the river until they came to the {place}.",
    "My {role} has {number} books and a {colour} {gift}.",
    "In {month} the days are long and the nights are short.",
    "It was cold, so she closed the {thing} and made some soup.",
    "Can you tell me the way to the {place}?",
    "The {role} opened the door and said good morning.",
    "There are {number} chairs in the {place}.",
    "Do you know where my {gift} is? I think it is in the {place}.",
    "On {day} we will meet in front of the {place}.",
    "I do not like {food}, but my brother eats it every day.",
    "The {colour} {gift} is mine and the {colour2} one is yours.",
    "If it rains on {day}, we will stay at home and read a book.",
    "The {adj} {role} gave the {animal} some {food}.",
    "Please close the window, because it is cold outside.",
    "The weather was good, and the sky was {colour}.",
    "He is not only {adj}, but also very {adj2}.",
    "The more I read, the more I want to know.",
    "{name} works in the {place} from {day} to {day2}.",
    "{name} likes {food} more than {food2}.",
    "{name}, {name2} and {name3} sat at the {thing}.",
    "The answer is {number}, not {number2}.",
    "What is your name? My name is {name}.",
    "How old are you? I am {number} years old.",
    "One of the {roles} found a {gift} near the {thing}.",
    "The {animal} is {adj}, the {animal2} is not.",
)


def _fill(rng: Random, template: str) -> str:
    animal, animal2 = rng.sample(ANIMALS, 2)
    place, place2 = rng.sample(PLACES, 2)
    food, food2 = rng.sample(FOODS, 2)
    colour, colour2 = rng.sample(COLOURS, 2)
    adj, adj2 = rng.sample(ADJECTIVES, 2)
    number, number2 = rng.sample(NUMBERS[1:], 2)
    day, day2 = rng.sample(DAYS, 2)
    name, name2, name3 = rng.sample(NAMES, 3)
    role = rng.choice(ROLES)
    return fix_articles(
        template.format(
            animal=animal,
            animal2=animal2,
            place=place,
            place2=place2,
            food=food,
            food2=food2,
            colour=colour,
            colour2=colour2,
            adj=adj,
            adj2=adj2,
            number=number,
            number2=number2,
            day=day,
            day2=day2,
            name=name,
            name2=name2,
            name3=name3,
            gift=rng.choice(GIFTS),
            thing=rng.choice(THINGS),
            role=role,
            roles=plural(role),
            month=rng.choice(MONTHS),
        )
    )


def everyday_sentence(rng: Random) -> str:
    return _fill(rng, rng.choice(SENTENCES))


def definition(rng: Random) -> str:
    subject, meaning = rng.choice(DEFINITIONS)
    verb = rng.choice(("is", "is", "is", "means"))
    return f"{subject} {verb} {meaning}."


def saying(rng: Random) -> str:
    return rng.choice(SAYINGS)


def word_row(rng: Random) -> str:
    """Loose common words, without a sentence, so that each of them is met in many surroundings."""
    return " ".join(rng.choices(COMMON_WORDS, k=rng.randint(4, 9))).capitalize() + "."
