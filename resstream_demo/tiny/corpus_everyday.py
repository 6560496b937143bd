"""Everyday English for the small world: plain sentences, short stories, definitions and sayings."""

from random import Random

from resstream_demo.tiny.corpus_facts import DEFINITIONS, SAYINGS
from resstream_demo.tiny.corpus_people import article
from resstream_demo.tiny.corpus_words import (
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
    "One of the {role}s found a {gift} near the {thing}.",
    "The {animal} is {adj}, the {animal2} is not.",
)

TALES = (
    "Once upon a time there was a {adj} {animal} who lived near a {place}. One day the {animal} met a "
    '{animal2}. "Come with me," said the {animal2}. So the {animal} and the {animal2} went to the {place2} '
    "together, and they became good friends.",
    "A {role} lived in a small house by the {place}. Every morning the {role} walked to the market to buy "
    "{food}. One morning there was no {food}, so the {role} bought {food2} and went home.",
    "It was {day}. {name} woke up early and looked out of the window. The {place} was white with snow. "
    '"Look!" said {name}. "It is winter." {name} took a {gift} and ran outside.',
    "{name} had a {colour} {gift}. One day the {gift} was gone. {name} looked behind the {thing}, but it was "
    "not there. At last {name} found the {gift} in the {place}.",
    "The {animal} was hungry. It looked for {food} in the {place}, but there was only {food2}. So the "
    "{animal} ate the {food2} and fell asleep under a {thing}.",
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
    text = template.format(
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
        role=rng.choice(ROLES),
        month=rng.choice(MONTHS),
    )
    for word in (animal, animal2, colour, colour2, adj, food, place):
        text = text.replace(f" a {word}", f" {article(word)}")
        text = text.replace(f"A {word}", article(word).capitalize())
    return text


def everyday_sentence(rng: Random) -> str:
    return _fill(rng, rng.choice(SENTENCES))


def tale(rng: Random) -> str:
    return _fill(rng, rng.choice(TALES))


def definition(rng: Random) -> str:
    subject, meaning = rng.choice(DEFINITIONS)
    verb = rng.choice(("is", "is", "is", "means"))
    return f"{subject} {verb} {meaning}."


def saying(rng: Random) -> str:
    return rng.choice(SAYINGS)


def word_row(rng: Random) -> str:
    """Loose common words, so that every whole word of the vocabulary is met in running text."""
    return " ".join(rng.choices(COMMON_WORDS, k=rng.randint(4, 9))).capitalize() + "."
