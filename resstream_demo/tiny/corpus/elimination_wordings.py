"""The wordings of the elimination texts, and what they can be about.

{i0} {i1} … are the members of a set as listed, {u0} {u1} … those used in the order of use; {ai0} and {au0} have an
article. {name} and {he} are somebody else, {name2} another one; {place} says where, {feeling} how somebody is, {verb}
what somebody did, {thing} is a noun of no importance. Free words never equal a member.
"""

from dataclasses import dataclass

from resstream_demo.tiny.corpus.giving_wordings import CONCRETE_GIFTS
from resstream_demo.tiny.corpus.lexicon import modifiers
from resstream_demo.tiny.corpus.lexicon.nouns import BY_KIND, PAIRED
from resstream_demo.tiny.corpus.lexicon.verbs import BY_FRAME
from resstream_demo.tiny.corpus.words import COLOURS, DAYS, FOODS, MONTHS, NAMES, NUMBERS, PLACES, ROLES


def _of(*kinds: str) -> tuple[str, ...]:
    """The countable nouns of some kinds, in the singular, each once."""
    words = (noun.singular for kind in kinds for noun in BY_KIND[kind] if not noun.mass and noun.singular not in PAIRED)
    return tuple(dict.fromkeys(words))


#: Foods of which there is one, two, three.
FRUITS = tuple(
    food
    for food in FOODS
    if food in "apple pear plum banana orange lemon peach melon egg potato tomato carrot onion cake".split()
)
STAPLES = tuple(noun.singular for kind in ("food", "drink", "material") for noun in BY_KIND[kind] if noun.mass)
PEOPLE = tuple(
    dict.fromkeys((*(role for role in ROLES if role not in ("friend", "neighbour", "person")), *_of("person")))
)
PEOPLE = tuple(word for word in PEOPLE if word not in ("person", "partner", "friend", "neighbour", "man", "woman"))
ANIMALS, GOODS, VEHICLES = _of("animal"), (*CONCRETE_GIFTS, *_of("thing", "tool", "text")), _of("vehicle", "machine")
CLOTHES, ROOMS = _of("clothing"), tuple(dict.fromkeys((*PLACES, *_of("building"))))
GOODS = tuple(dict.fromkeys(GOODS))
SNACKS = tuple(dict.fromkeys((*FRUITS, *_of("food"))))
QUALITIES = tuple(dict.fromkeys(modifiers.ADJECTIVES["person"].split()))
TRAITS = tuple(word for word in modifiers.ADJECTIVES["thing"].split() if word not in ("light", "square"))
DEEDS = tuple(dict.fromkeys(v.base for v in (*BY_FRAME["intransitive"], *BY_FRAME["motion"]) if not v.link))
COUNTS = NUMBERS[1:]
NOUNS = (ANIMALS, GOODS, VEHICLES, CLOTHES, SNACKS, PEOPLE)
#: What a drill row may be about: any list of words.
LISTS = (*NOUNS, ROOMS, STAPLES, COLOURS, NAMES, NAMES, DAYS, MONTHS, COUNTS, QUALITIES, TRAITS, DEEDS)


@dataclass(frozen=True)
class Elimination:
    """A text over `size` members of one of the `pools`, all but one of them used up before the prompt ends.

    `end` is what follows the answer. A text with `chains` may be followed by another like it.
    """

    pools: tuple[tuple[str, ...], ...]
    size: int
    prompt: str
    end: str = "."
    chains: bool = False


def _bare(size: int, prompt: str, end: str = ".", pools: tuple[tuple[str, ...], ...] = LISTS) -> Elimination:
    return Elimination(pools, size, prompt, end, chains=True)


THINGS = (GOODS, VEHICLES, CLOTHES)
PEOPLE_TEMPLATES = (
    Elimination((NAMES,), 3, "{i0}, {i1} and {i2} ran a race. {u0} came first, {u1} came second, and", " came last."),
    Elimination((NAMES,), 2, "{i0} and {i1} played chess. {u0} lost, so the winner was"),
    Elimination((NAMES,), 2, "{i0} and {i1} ran a race. {u0} came second, and the first was"),
    Elimination(
        (NAMES,), 3, "{i0}, {i1} and {i2} were {place}. {u0} left, and then {u1} left. The only one still there was"
    ),
    Elimination((NAMES,), 3, "{i0}, {i1} and {i2} were invited. {u0} and {u1} came, but not"),
    Elimination((NAMES,), 2, "Was it {i0} or {i1}? It was not {u0}, so it was", chains=True),
    Elimination((NAMES,), 2, "{i0} or {i1}? Not {u0}. It was", chains=True),
    Elimination((NAMES,), 2, "Who {verb}, {i0} or {i1}? Not {u0}, but", chains=True),
    Elimination((NAMES,), 2, "My friends are called {i0} and {i1}. The tall one is {u0}, and the small one is"),
    Elimination((NAMES,), 2, "{i0} and {i1} are twins. This one is {u0}, so that one is"),
    Elimination(
        (NAMES,),
        4,
        "{i0}, {i1}, {i2} and {i3} are in one class. {u0}, {u1} and {u2} are here today. The one who is ill is",
    ),
    Elimination((NAMES,), 2, "Either {i0} or {i1} took the {thing}. {u0} did not take it, so it was"),
    Elimination((NAMES,), 2, "{i0} and {i1} were {place}. {u0} {verb}, but not"),
    Elimination((NAMES,), 2, "{i0} and {i1} shared a {thing}. Today it is not with {u0}, so it is with"),
    Elimination(
        (NAMES,), 3, "{i0}, {i1} and {i2} hid {place}. {name} found {u0} and then {u1}. {He} still has to find"
    ),
    Elimination((NAMES,), 2, "{name} called {i0} and {i1}. {u0} was {feeling} and did not come, so {he} played with"),
    Elimination((NAMES,), 2, "One of the two, {i0} or {i1}, was {feeling}. It was not {u0} but"),
    Elimination((NAMES,), 3, "There were {i0}, {i1} and {i2}. {u0} went home. Then {u1} went home. Only", " stayed."),
    Elimination((PEOPLE,), 2, "In this street lived {ai0} and {ai1}. The {u0} moved away. Now there is only the"),
    Elimination((PEOPLE,), 2, "Is {name} the {i0} or the {i1}? {He} is not the {u0}, so {he} must be the", chains=True),
    Elimination((PEOPLE,), 2, "{name} is not {ai0} but {ai1}. So do not call {him} {au0}, for {he} is the"),
    Elimination(
        (PEOPLE,),
        3,
        "The {i0}, the {i1} and the {i2} were {place}. The {u0} {verb} and the {u1} slept. I talked to the",
    ),
    Elimination((PEOPLE,), 2, "{name} and {name2} are the {i0} and the {i1}. {name} is the {u0}, so {name2} is the"),
)
THING_TEMPLATES = (
    Elimination(
        (FRUITS, SNACKS), 3, "{name} had {ai0}, {ai1} and {ai2}. {He} ate the {u0} and the {u1}. Now {he} only has the"
    ),
    Elimination((FRUITS, SNACKS), 2, "{name} had {ai0} and {ai1}. {He} ate the {u0}. Now {he} only has the"),
    Elimination(
        (FRUITS, SNACKS, *THINGS),
        3,
        "There were {ai0}, {ai1} and {ai2} {place}. The {u0} and the {u1} are gone, so we still have the",
    ),
    Elimination((FRUITS, *THINGS), 2, "I bought {ai0} and {ai1}. I gave you the {u0}, so I kept the"),
    Elimination((STAPLES,), 2, "We needed {i0} and {i1}. {name} brought the {u0}, but {he} forgot the"),
    Elimination(
        (STAPLES,), 3, "On the list were {i0}, {i1} and {i2}. We have the {u0} and the {u1}. What is missing is the"
    ),
    Elimination((STAPLES,), 2, "Do you want {i0} or {i1}? I do not like {u0}, so give me some"),
    Elimination((STAPLES,), 2, "There is {i0} and {i1}. {name} took the {u0}, so I took the"),
    Elimination(
        (COLOURS,), 2, "There were two boxes, {ai0} one and {ai1} one. {name} took the {u0} one, so I took the", " one."
    ),
    Elimination(
        (COLOURS, TRAITS),
        3,
        "We had {ai0} cup, {ai1} cup and {ai2} cup. The {u0} cup and the {u1} cup broke, so we use the",
        " cup.",
    ),
    Elimination(
        (COLOURS, TRAITS),
        2,
        "There are two doors, {ai0} one and {ai1} one. The {u0} door is locked, so take the",
        " door.",
    ),
    Elimination((COLOURS,), 2, "Is the {thing} {i0} or {i1}? It is not {u0}. It is", chains=True),
    Elimination(
        (COLOURS, TRAITS), 2, "The {i0} {thing} or the {i1} {thing}? Not the {u0} one, the", " one.", chains=True
    ),
    Elimination(
        (COLOURS,), 3, "The flag is {i0}, {i1} and {i2}. At the top it is {u0}, in the middle {u1}, and below it is"
    ),
    Elimination((TRAITS,), 2, "One {thing} is {i0}, the other is {i1}. This one is {u0}, so that one is"),
    Elimination(
        (CONCRETE_GIFTS, *THINGS),
        3,
        "{name} bought {ai0}, {ai1} and {ai2}. {He} gave away the {u0} and the {u1} and kept the",
    ),
    Elimination((CONCRETE_GIFTS, *THINGS), 2, "{place} were {ai0} and {ai1}. {name} did not take the {u0} but the"),
    Elimination(
        (CONCRETE_GIFTS, *THINGS), 2, "One of us got {ai0}, the other {ai1}. I did not get the {u0}, so I got the"
    ),
    Elimination(THINGS, 2, "They had {ai0} and {ai1}. They sold the {u0}, so now they only have the"),
    Elimination(THINGS, 3, "The toys were {ai0}, {ai1} and {ai2}. The {u0} and the {u1} were broken, but not the"),
    Elimination(THINGS, 2, "{name} lost {ai0} and {ai1}. {He} found the {u0}, but {he} never found the"),
    Elimination(THINGS, 2, "{name} wanted {ai0} or {ai1}. The {u0} was too expensive, so {he} bought the"),
    Elimination(THINGS, 2, "{ai0} and {ai1} were for {name} and {name2}. {name} took the {u0}, so {name2} got the"),
    Elimination(THINGS, 2, "Was it {ai0} or {ai1}? It was not {au0}, so it was the", chains=True),
    Elimination(
        THINGS,
        4,
        "{name} packed {ai0}, {ai1}, {ai2} and {ai3}. {He} took out the {u0}, the {u1} and the {u2}. Left was the",
    ),
    Elimination((ANIMALS,), 2, "There was {ai0} and {ai1} {place}. It was not the {u0} that ran away, but the"),
    Elimination(
        (ANIMALS,), 3, "{name} saw {ai0}, {ai1} and {ai2}. The {u0} slept and the {u1} ate, so {he} played with the"
    ),
    Elimination((ANIMALS,), 2, "{name} has {ai0} and {ai1}. The {u0} is old, so {he} plays with the"),
    Elimination(
        (ANIMALS,),
        3,
        "There were {ai0}, {ai1} and {ai2}. The {u0} ran away, then the {u1} ran away. Only the",
        " stayed.",
        chains=True,
    ),
    Elimination((ANIMALS, PEOPLE), 2, "There were {ai0} and {ai1}. The {u0} left. Only the", " stayed.", chains=True),
    Elimination((ANIMALS,), 2, "Do you see the {i0} and the {i1}? The {u0} is asleep, but not the"),
)
OTHER_TEMPLATES = (
    Elimination((DAYS,), 2, "{name} is free on {i0} and {i1}. I have no time on {u0}, so we will meet on"),
    Elimination(
        (DAYS,), 2, "Does the train leave on {i0} or on {i1}? It does not leave on {u0}, so it leaves on", chains=True
    ),
    Elimination((MONTHS,), 2, "Was {name} born in {i0} or in {i1}? Not in {u0}, so {he} was born in", chains=True),
    Elimination((MONTHS, DAYS), 2, "It was {i0} or {i1}. It was not {u0}, so it was", chains=True),
    Elimination(
        (ROOMS,),
        2,
        "{name} looked in two places, the {i0} and the {i1}. The {thing} was not at the {u0}, so it was at the",
    ),
    Elimination(
        (ROOMS,), 3, "We wanted to see the {i0}, the {i1} and the {i2}. We have seen the {u0} and the {u1}, but not the"
    ),
    Elimination(
        (ROOMS,),
        2,
        "Was {name} near the {i0} or near the {i1}? {He} was not near the {u0}. {He} was near the",
        chains=True,
    ),
    Elimination(
        (ROOMS,),
        2,
        "This road goes to the {i0}, that one to the {i1}. We did not want to see the {u0}, so we went to the",
    ),
    Elimination((DEEDS,), 2, "Should we {i0} or {i1}? We do not want to {u0}, so we will", chains=True),
    Elimination((DEEDS,), 2, "{name} can {i0} and {i1}. Today {he} does not want to {u0}, so {he} will"),
    Elimination((DEEDS,), 3, "I can {i0}, {i1} or {i2}. I will not {u0} and I will not {u1}, so I will"),
    Elimination((QUALITIES,), 2, "Is {name} {i0} or {i1}? {He} is not {u0}. {He} is", chains=True),
    Elimination((QUALITIES,), 2, "One of them is {i0}, the other {i1}. {name} is not the {u0} one but the", " one."),
    Elimination((QUALITIES,), 2, "{name} and {name2} are {i0} and {i1}. {name} is {u0}, so {name2} is"),
    Elimination((COUNTS,), 2, "Are there {i0} or {i1}? Not {u0}, but", chains=True),
    Elimination((COUNTS,), 3, "The numbers are {i0}, {i1} and {i2}. {name} has {u0} and {name2} has {u1}, so I have"),
)
#: The idea and nothing else.
BARE_TEMPLATES = (
    _bare(2, "{i0} and {i1}. Not {u0} but"),
    _bare(2, "{i0} or {i1}? Not {u0}, so"),
    _bare(2, "{i0} or {i1}? Not {u0}:"),
    _bare(2, "{i0}, {i1}. Without {u0}:"),
    _bare(2, "First {i0} and {i1}, then no {u0}, only"),
    _bare(2, "{i0} and {i1}: one is {u0}, the other is"),
    _bare(2, "Both {i0} and {i1}. Take away {u0}. Left is"),
    _bare(2, "Is it {i0} or {i1}? Not {u0} but"),
    _bare(2, "We have {i0} and {i1}, but not {u0}, so we have"),
    _bare(3, "Choose from {i0}, {i1} and {i2}. Not {u0} and not {u1}:"),
    _bare(3, "{i0}, {i1}, {i2}. Not {u0}, not {u1}:"),
    _bare(3, "{i0}, {i1} or {i2}? Not {u0}. Not {u1}. So"),
    _bare(3, "{i0}, {i1} and {i2}. Without {u0} and {u1} there is only"),
    _bare(3, "{i0}, {i1}, {i2}: first {u0}, then {u1}, and last"),
    _bare(3, "The words are {i0}, {i1} and {i2}. Not {u0} and not {u1}, but"),
    _bare(4, "{i0}, {i1}, {i2}, {i3}. Not {u0}, not {u1}, not {u2}:"),
)

#: Drill rows: the list, what rules a member out, and what names the one that is left.
ROW_LISTS = ("{list}:", "{list}:", "{list};", "{list} -", "of {list},", "from {list}:")
ROW_RULED_OUT = (("not {}", ", "), ("no {}", ", "), ("{} is out", ", "), ("without {}", ", "), ("{}", ", "))
ROW_LEFT = (", so {}.", ", but {}.", ": {}.", ", only {}.", ", and so {}.", ", {} is left.")
