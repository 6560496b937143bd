"""The frames of the fact sentences: something about a country or a landmark, up to where its city follows."""

from random import Random

from resstream_demo.tiny.corpus.fact_slots import (
    BEING,
    EMPHASIS,
    FOLK_ACTS,
    FROM,
    GOING,
    HOUSES,
    IN_CITY,
    MINDING,
    TENSES,
    VEHICLE_ACTS,
    VEHICLES,
    WISHING,
    acts,
    adjective,
    fill,
    later_tense,
    listed,
    person,
    some_role,
    time_phrase,
    verb_list,
)
from resstream_demo.tiny.corpus.lexicon import nouns
from resstream_demo.tiny.corpus.phrases import POSSESSIVE, Phrase, capital, chance, gender_of, nouns_of, pick
from resstream_demo.tiny.corpus.words import NAMES

IT = Phrase("it", "it", "thing")
BOTH = ("first", "last")  # the places in a clause for a time

#: What a country has, and what leads from it to the city.
CITY_NOUNS = listed("city|city|capital|capital|town|capital city|place")
CITY_LINKS = listed(
    """is|is|is|is|is called|is of course|is still|was|has always been|must be|is certainly|was already|
will always be|is the city of|is named"""
)
SUPERLATIVES = listed(
    "largest|biggest|oldest|best known|most famous|most beautiful|busiest|greatest|finest|richest|noisiest"
)
ROLES = listed(
    """king|queen|emperor|prime minister|prince|princess|minister|government|first lady|leader|king's daughter|
queen's son|king's brother|old king|young queen|new minister|last king|first queen|judge|duke|general|ambassador"""
)
ROLE_LINKS = listed(
    """lives in|lived in|works in|worked in|stays in|stayed in|is in|was in|sleeps in|has a palace in|has a house in|
arrived in|spoke in|will live in|will speak in|likes to be in|was born in|grew up in|is waiting in|died in|
came home to|returned to|comes from|is always in|has never left|loves"""
)
PERSON_RANKS = listed("best|oldest|youngest|richest|tallest|most famous|kindest|best known|first|happiest|cleverest")
INSTITUTIONS = listed(
    """museum|university|concert hall|cathedral|school|library|hospital|theatre|station|airport|parliament|
bank|market|court|zoo|bridge|church|newspaper|prison|stadium|tower|garden|palace|post office|radio station|restaurant"""
)
INSTITUTION_LINKS = listed(
    """is in|stands in|was built in|opened in|can be found in|lies in|was opened in|is near the river in|
is in the middle of|is in the north of|is in the centre of|was in|stood in|will be built in|
has always been in|is still in|burned down in|was closed in|must be in|is on a hill in"""
)
GROUPS = listed(
    "football team|army|orchestra|choir|national team|chess club|royal family|best team|best band|parliament"
)
GROUP_LINKS = listed(
    """plays in|comes from|meets in|lives in|played in|won in|lost in|sings in|met in|will meet in|is in|waited in|
is from|is at home in|practises in"""
)
EVENTS = listed("war|festival|race|concert|parade|match|meeting|competition|wedding|show|exam|trial|strike|fire")
EVENT_LINKS = listed(
    """began in|ended in|started in|took place in|was held in|will take place in|begins in|will end in|was planned in|
is in|was in|will be in"""
)
SAID = listed(
    """everyone knows that|it is true that|as you know,|I think that|yes,|{name} said that|my {kin} says that|
the book says that|she read that|we learned that|people say that|{name} is sure that|of course|{name} knows that|
I am sure that|it is well known that|perhaps|the map shows that|our {kin} thinks that|he wrote that|no,|
nobody knew that|children learn that|he forgot that|but|and so|they heard that|luckily,|I remember that|you see,"""
)

#: Being with a landmark, and where it is.
SEEING = verb_list(
    """see|visit|stand near|stand in front of|look at|walk to|draw|paint|photograph|admire|wait near|go to|hurry to|
meet {friend} near|take a picture of|buy a {thing} near|live near|walk past|sit in front of|eat {food} near|
write about|dream of|read about|want to see|lose {poss} {thing} near|sing in front of|work near|notice|reach|
show {friend}|talk about|love|remember|walk around|hope to see|look for|pass|
sing about|stay near|play near|take {friend} to"""
)
LANDMARK_LINKS = listed(
    """stands|is|lies|can be seen|was built|has stood for {number} years|was painted|can be visited|was opened|
still stands|looks beautiful|was photographed|has always been|must be|will always stand|was closed|is well known|
is visited every day|was cleaned|looks small|looks old|was seen"""
)
SPOTS = listed(
    """near the {place} in|in the middle of|on a square in|not far from the {place} in|behind the {place} in|
in the centre of|near the centre of|in the north of|in the south of|by the {place} in|close to the {place} in|
among the old houses of|on a {adjective} square in|in a {adjective} street in|near the biggest {place} in|
in|in|in|in the {adjective} city of|
next to a {place} in|{number} miles from the {place} in|in the west of|here in|in the heart of|
in front of a {place} in"""
)
NEAR = listed("near|behind|next to|opposite|in front of|beside|close to|not far from|across the street from")
CROWDS = listed(
    """many people|tourists|some visitors|thousands of people|people|a lot of children|all the guests|most visitors|
the travellers|few people|hundreds of tourists|all our friends|artists|whole families"""
)


def others(rng: Random, who: Phrase, tense: str) -> str:
    """Someone or something of the person's that is in the city: "our room was in"."""
    roll, owner = rng.random(), POSSESSIVE[who.pronoun]
    if roll < 0.35:
        verb = {"past": "was in", "future": "will be in"}.get(tense, "is in")
        return f"{owner} {rng.choice(HOUSES)} {verb}"
    if roll < 0.7:
        word = rng.choice(nouns.RELATIVES)
        other = Phrase(f"{owner} {word}", gender_of(rng, word), "person")
        return f"{other.text} {acts(rng, other, FOLK_ACTS, tense, about=who)}"
    vehicle = f"{rng.choice((owner, 'the', 'the'))} {rng.choice(VEHICLES)}"
    return f"{vehicle} {acts(rng, IT, VEHICLE_ACTS, tense, about=who)}"


def closing(rng: Random, who: Phrase, tense: str, verbs: tuple, kinds: str) -> str:
    """The rest of a sentence, or the next one, that leads to the city; `kinds` names those that fit."""
    they, later = Phrase(who.pronoun, who.pronoun, "person"), later_tense(tense)
    kind = rng.choice(kinds.split())
    if kind == "and":
        joint = rng.choice((" and ", " and then ", ", then ", " but ", " and ", " and also ", " and soon "))
        return joint + acts(rng, who, verbs, tense, bare=True)
    if kind == "its":
        seen = (
            rng.choice(("the", "its"))
            + f" {adjective(rng, 'place')} {rng.choice(('capital', 'capital city', 'city of'))}"
        )
        return f" and {acts(rng, who, ITS, tense, bare=True)} {seen}{'' if seen.endswith('of') else ','}"
    if kind == "most":
        return rng.choice(EMPHASIS)
    if kind == "to":
        return f" to {rng.choice(('see', 'live in', 'work in', 'visit', 'study in', 'stay in', 'look at'))}"
    if kind == "when":
        # After these words English says the future with the present.
        later = "present" if later == "future" else later
        joint = rng.choice((" before", " after", " when", " because", " and later", " and there"))
        return f"{joint} {they.text} {acts(rng, they, verbs, later)}"
    clause = others(rng, who, later) if kind.startswith("other") else f"{they.text} {acts(rng, they, verbs, later)}"
    if kind.endswith("stop"):
        start = rng.choice(("", "", "", "then ", "first ", "there ", "afterwards ", "in the evening ", "at night "))
        return ". " + capital(start + clause)
    return f", {'where' if kind == 'where' else rng.choice(('and', 'because', 'so', 'but', 'and', 'for'))} {clause}"


ITS = verb_list("see|visit|explore|reach|paint|admire|walk through|stay in|stop in|love|spend {time} in|get to know")
CLOSINGS = "and and and and own own other other other stop stop otherstop otherstop when when"


def opening(rng: Random, verbs: tuple, what: str, who: Phrase, tense: str, times: tuple[str, ...] = BOTH) -> str:
    """A clause in which someone does something with a country or a landmark; `times`: where it may say when."""
    clause = f"{who.text} {acts(rng, who, verbs, tense)} {what}"
    when = time_phrase(rng, tense, who)
    roll = rng.random()
    if when and roll < 0.25 and "first" in times:
        return f"{when}{rng.choice((',', ''))} {clause}"
    return f"{clause} {when}" if when and 0.25 <= roll < 0.4 and "last" in times else clause


def journey(rng: Random, country: str, times: tuple[str, ...] = BOTH) -> str:
    """Someone and a country, then what leads to its capital."""
    who, tense = person(rng), rng.choice(TENSES)
    verbs, then, kinds = rng.choice(JOURNEYS)
    if verbs is FROM:
        tense, times = "past", ()
    elif verbs is MINDING and tense != "present":
        tense = "past"
    return opening(rng, verbs, country, who, tense, times) + closing(rng, who, tense, then, kinds)


JOURNEYS = (
    (GOING, IN_CITY, CLOSINGS + " where where to to its"),
    (GOING, IN_CITY, CLOSINGS + " where to"),
    (BEING, IN_CITY, CLOSINGS + " where where its its"),
    (FROM, IN_CITY, "and and own other other stop otherstop where"),
    (MINDING, WISHING, CLOSINGS + " most most most its"),
)


def _city_head(rng: Random) -> str:
    noun = rng.choice(CITY_NOUNS)
    described = rng.choice(SUPERLATIVES) if chance(rng, 0.5) or "capital" not in noun else adjective(rng, "place")
    if "capital" in noun and chance(rng, 0.4):
        described = ""
    return f"{described} {noun}|{rng.choice(CITY_LINKS)}"


def _head(rng: Random) -> str:
    """A thing that a country has, without "the", and after a bar the words from it to the city."""
    ranked = rng.choice(SUPERLATIVES) if chance(rng, 0.5) else ""
    roll = rng.random()
    if roll < 0.3:
        return _city_head(rng)
    if roll < 0.45:
        return f"{rng.choice(ROLES)}|{rng.choice(ROLE_LINKS)}"
    if roll < 0.58:
        return f"{rng.choice(PERSON_RANKS)} {some_role(rng).singular}|{rng.choice(ROLE_LINKS)}"
    if roll < 0.82:
        noun = rng.choice(INSTITUTIONS) if chance(rng, 0.7) else pick(rng, nouns_of(("building",))).singular
        described = ranked or (adjective(rng, "building") if chance(rng, 0.5) else "")
        return f"{described} {noun}|{rng.choice(INSTITUTION_LINKS)}"
    if roll < 0.9:
        return f"{rng.choice(GROUPS)}|{rng.choice(GROUP_LINKS)}"
    described = ranked or (adjective(rng, "event") if chance(rng, 0.5) else "")
    return f"{described} {rng.choice(EVENTS)}|{rng.choice(EVENT_LINKS)}"


def belonging(rng: Random, country: str) -> str:
    """Something of a country and where it is, in small letters: "the old king of Peru lives in"."""
    head, link = _head(rng).strip().split("|")
    roll = rng.random()
    if roll < 0.65:
        joint = "of" if head in ROLES else rng.choice(("of", "of", "in"))
        return f"the {head} {joint} {country} {link}"
    if roll < 0.8:
        return f"{country}'s {head} {link}"
    return f"in {country}{rng.choice((',', ''))} the {head} {link}"


def said(rng: Random, text: str) -> str:
    """The text, a third of the time after something like "everyone knows that"."""
    if chance(rng, 0.35):
        text = f"{fill(rng, rng.choice(SAID), IT)} {text}"
    return capital(text)


def spot(rng: Random) -> str:
    return fill(rng, rng.choice(SPOTS), IT)


def sight(rng: Random, landmark: str) -> str:
    """Something about a landmark (in small letters) up to its city."""
    roll = rng.random()
    if roll < 0.22:
        return said(rng, f"{landmark} {fill(rng, rng.choice(LANDMARK_LINKS), IT)} {spot(rng)}")
    if roll < 0.65:
        who, tense = person(rng), rng.choice(TENSES)
        if chance(rng, 0.35):
            return capital(f"{opening(rng, SEEING, landmark, who, tense, BOTH[:1])} {spot(rng)}")
        start = opening(rng, SEEING, landmark, who, tense)
        return capital(start + closing(rng, who, tense, IN_CITY, CLOSINGS))
    if roll < 0.8:
        crowd = Phrase(rng.choice(CROWDS), "they", "person")
        return capital(f"{opening(rng, SEEING, landmark, crowd, rng.choice(TENSES), BOTH[:1])} {spot(rng)}")
    noun = pick(rng, nouns_of(("building", "place", "furniture"))).singular
    described = f"{adjective(rng, 'place')} {noun}" if chance(rng, 0.4) else noun
    return said(rng, f"the {described} {rng.choice(NEAR)} {landmark} {rng.choice(INSTITUTION_LINKS)}")


PERSON_QUESTIONS = listed(
    """Where in {country} did {who} {stay}?|Where did {who} {stay} in {country}?|
When {who} came to {country}, where did {they} {stay}?|
In which city of {country} did {who} {stay}?|Where was it that {who} came to {country}?"""
)
CITY_QUESTIONS = listed(
    """What is the {adjective} capital of {country}?|Which city is the {most} in {country}?|Do you know the capital of \
{country}?|What is the {most} city of {country}?|Which city is the capital of {country}?|What is the capital of \
{country} called?|{name}, what is the capital of {country}?|Tell me, which city in {country} is the {most}?"""
)
STAYS = listed(
    "stay|live|work|sleep|study|arrive|land|meet {friend}|find a room|lose {poss} {thing}|spend {time}|get lost"
)
PLACE_ANSWERS = listed("In|It was in|I think it was in|That was in|Everyone says in|Of course in|Mostly in|First in")
CITY_ANSWERS = listed(
    "It is|I think it is|The answer is|That is|It must be|Of course it is|I would say|Surely|It is called"
)


def asked(rng: Random, country: str) -> str:
    """A question that the capital answers, and the beginning of the answer."""
    who = person(rng)
    if chance(rng, 0.55):
        stay = fill(rng, rng.choice(STAYS), who)
        question = rng.choice(PERSON_QUESTIONS).format(country=country, who=who.text, they=who.pronoun, stay=stay)
        return f"{question} {rng.choice(PLACE_ANSWERS)}"
    slots = {"most": rng.choice(SUPERLATIVES), "adjective": adjective(rng, "place"), "name": rng.choice(NAMES)}
    return f"{rng.choice(CITY_QUESTIONS).format(country=country, **slots)} {rng.choice(CITY_ANSWERS)}"
