"""The slots of the fact sentences: who does what where and when, as tables and the functions that fill them."""

from random import Random

from resstream_demo.tiny.corpus.lexicon import nouns
from resstream_demo.tiny.corpus.lexicon.inflect import Verb, article, plural, verb, with_article
from resstream_demo.tiny.corpus.phrases import (
    OBJECT,
    POSSESSIVE,
    Phrase,
    adjective_text,
    adjectives_for,
    chance,
    finite,
    gender_of,
    name,
    nouns_of,
    pick,
    pronoun_subject,
)
from resstream_demo.tiny.corpus.words import DAYS, MONTHS, NAMES, NUMBERS, SEASONS


def listed(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split("|"))


def verb_list(words: str) -> tuple[Verb, ...]:
    """Verbs from "base rest of the phrase|…"; the rest may hold slots."""
    return tuple(verb(entry.replace(" ", "@", 1).replace(" ", "+"), "fact") for entry in listed(words))


#: What a person does with a country, by what may follow.
GOING = verb_list(
    """move to|fly to|travel to|come to|go to|drive to|sail to|return to|hurry to|walk to|ride to|go back to|
run away to|escape to|go with {friend} to|take the train to|take a boat to|send {friend} to|follow {friend} to|
bring {poss} {thing} to|carry the {thing} to|cycle to|wander to|rush to|get to"""
)
BEING = verb_list(
    """live in|stay in|work in|study in|be in|spend {time} in|have a house in|camp in|teach in|get lost in|
visit|see|explore|travel through|drive through|walk across|cycle across|wander through|arrive in|
rest in|sing in|sell {things} in|look for {friend} in|meet {friend} in|reach"""
)
FROM = verb_list(
    "come from|be born in|be from|grow up in|live as a child in|learn to walk in|go to school in|begin life in"
)
MINDING = verb_list(
    """dream of|write about|like|love|know|read about|hear about|talk about|think of|miss|remember|dream about|
draw a map of|read a book about|write a letter about|buy a map of|want to see|hope to visit|learn about|ask about|
tell {friend} about|sing about|see a film about|want to live in|wish to know|prefer|describe|admire|visit|see|explore|
like to travel through|
plan to see|hope to live in|speak about|love to visit|want to know|need to see|ask {friend} about"""
)
#: What the same person does with the city.
IN_CITY = verb_list(
    """stay in|arrive in|land in|see|visit|live in|work in|find a room in|rent a house in|meet {friend} in|
buy a {thing} in|lose {poss} {thing} in|spend {time} in|walk through|get off the train in|go to|come to|sleep in|
stop in|study in|take a picture of|open a shop in|begin {poss} journey in|wait for {friend} in|look at the houses of|
like|love|explore|write a letter from|stay with {friend} in|get lost in|find work in|play football in|teach in|
look for {friend} in|leave {poss} {thing} in|have lunch in|eat {food} in|sell {poss} {thing} in|reach|
sing in the streets of|stay for {time} in|wake up in|get married in|go to school in|build a house in|travel to"""
)
WISHING = verb_list(
    """want to see|hope to live in|wish to visit|plan to work in|dream of|buy a map of|draw the streets of|go to|
fly to|move to|travel to|learn to love|read a lot about|know every street of|paint the roofs of|think about|
talk about|like|want to study in|look for a job in|ask {friend} about|have a picture of|visit|come from|miss"""
)
#: Who and what else there is in the city, and what that does there.
HOUSES = listed(
    "room|house|guest room|flat|school|office|garden|shop|bed|home|bank|kitchen|old school|new house|boat|bag"
)
FOLK_ACTS = verb_list(
    "live in|work in|wait for {obj} in|be in|have a house in|study in|come from|stay in|meet {obj} in|teach in|sing in"
)
VEHICLES = listed("ship|train|bus|plane|boat|car|ferry|taxi|first train|last bus|old car|helicopter")
VEHICLE_ACTS = verb_list(
    "arrive in|stop in|leave from|break down in|go as far as|take {obj} to|wait in|bring {obj} to|start in"
)
CITY_STATES = listed(
    "old|beautiful|busy|famous|large|quiet|lovely|crowded|noisy|clean|ancient|great|modern|rich|pretty"
)
EMPHASIS = listed(
    """, above all|, above all|, especially|, first of all|, mostly|, but above all|, and especially|, perhaps even|
, chiefly"""
)

#: When it is: phrases that may stand first or last, by tense.
TIMES = {
    "past": listed(
        """last year|last week|last {season}|in {month}|{number} years ago|long ago|one day|on {day}|last month|
in the holidays|after the war|before the war|after the wedding|yesterday|many years ago|last {day}|one {season}|
two days later|after school|that {season}|in the end|at last|this morning|at the age of {number}"""
    ),
    "present": listed(
        """every year|every {season}|in {month}|on {day}s|these days|twice a year|in the holidays|every {day}|now|
sometimes|in the {season}|every {month}|at the weekend|this week|today"""
    ),
    "future": listed(
        """next year|next {season}|in {month}|tomorrow|one day|in {number} days|soon|after the wedding|next week|
on {day}|in {number} years|later|after school|next {month}|this {season}|in the end"""
    ),
}
TIMES_OF = {"going": "future", "modal": "future"}
TENSES = ("past",) * 6 + ("present",) * 3 + ("future", "going", "modal", "perfect")
NOT_FACT_FOLK = frozenset(
    "person partner owner passenger customer twin giant witch winner guest stranger adult president tourist".split()
)


def person(rng: Random) -> Phrase:
    """Whoever a sentence is about: a pronoun, one or two names, a relative or someone of the lexicon."""
    roll = rng.random()
    if roll < 0.4:
        return pronoun_subject(rng)
    if roll < 0.62:
        return name(rng)
    if roll < 0.69:
        first, second = rng.sample(NAMES, 2)
        return Phrase(f"{first} and {second}", "they", "person")
    if roll < 0.87:
        word = rng.choice(nouns.RELATIVES)
        owner = rng.choice(("my", "our", "his", "her", "their", "your", rng.choice(NAMES) + "'s"))
        if chance(rng, 0.2):
            return Phrase(f"{owner} {plural(word)}", "they", "person")
        return Phrase(f"{owner} {word}", gender_of(rng, word), "person")
    word = some_role(rng)
    if chance(rng, 0.3):
        return Phrase(f"{rng.choice(('the', 'two', 'some', 'three', 'many'))} {word.plural}", "they", "person")
    described = adjective_text(rng, "person", 0.4) + word.singular
    return Phrase(f"{rng.choice(('the', article(described)))} {described}", gender_of(rng, word.singular), "person")


def some_role(rng: Random):
    """A noun for a person who can be someone of a country."""
    return rng.choice([word for word in nouns_of(("person",)) if word.singular not in NOT_FACT_FOLK])


def stay_length(rng: Random) -> str:
    unit = rng.choice(("day", "week", "month", "year", "night"))
    return rng.choice(
        (f"a {unit}", f"a whole {unit}", f"{pick(rng, NUMBERS[1:])} {unit}s", f"some {unit}s", f"a few {unit}s")
    )


def friend_of(rng: Random, who: Phrase) -> str:
    """Somebody else than the person: a relative or a name."""
    other = rng.choice(NAMES)
    if chance(rng, 0.5) or other in who.text:
        return f"{POSSESSIVE[who.pronoun]} {rng.choice(nouns.RELATIVES)}"
    return other


def fill(rng: Random, text: str, who: Phrase) -> str:
    """The small slots of a wording, as fits whom it is about."""
    if "{" not in text:
        return text
    return text.format(
        poss=POSSESSIVE[who.pronoun],
        obj=OBJECT[who.pronoun],
        friend=friend_of(rng, who),
        thing=pick(rng, nouns_of(("thing",))).singular,
        things=pick(rng, nouns_of(("thing", "clothing"))).plural,
        food=pick(rng, nouns_of(("food",))).plural,
        time=stay_length(rng),
        place=pick(rng, nouns_of(("building", "place"))).singular,
        adjective=adjective(rng, "place"),
        kin=rng.choice(nouns.RELATIVES),
        name=rng.choice(NAMES),
        season=rng.choice(SEASONS),
        month=rng.choice(MONTHS),
        day=rng.choice(DAYS),
        number=pick(rng, NUMBERS[1:]),
    )


def acts(
    rng: Random,
    subject: Phrase,
    verbs: tuple[Verb, ...],
    tense: str,
    *,
    bare: bool = False,
    about: Phrase | None = None,
) -> str:
    """One of the verbs with what goes with it, of the subject itself or `about` somebody.

    `bare` leaves out the helper, as after "and".
    """
    chosen = rng.choice(verbs)
    helper, rest = finite(rng, subject, chosen, tense)
    if bare and helper and rest:
        helper, rest = "", chosen.base if tense == "going" else rest
    return " ".join(part for part in (helper, rest, fill(rng, chosen.link, about or subject)) if part)


def time_phrase(rng: Random, tense: str, who: Phrase) -> str:
    """When it is, as fits a tense; "" for a tense that says so by itself."""
    tense = TIMES_OF.get(tense, tense)
    return fill(rng, rng.choice(TIMES[tense]), who) if tense in TIMES else ""


def later_tense(tense: str) -> str:
    """The tense of a second clause with a subject of its own."""
    return {"perfect": "present", "going": "future", "modal": "present"}.get(tense, tense)


def state_of_city(rng: Random) -> str:
    """A noun phrase that any city fits: "a busy town"."""
    described = f"{rng.choice(CITY_STATES)} {rng.choice(('city', 'city', 'town', 'place'))}"
    return with_article(described)


def adjective(rng: Random, kind: str) -> str:
    """An adjective for a kind of noun; never "main", which a reserved wording has before "city"."""
    return pick(rng, [word for word in adjectives_for(kind) if word != "main"])
