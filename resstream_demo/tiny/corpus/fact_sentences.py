"""Sentences about capitals, landmarks and languages, put together so that no wording is worth learning by heart.

Some wordings are reserved (`facts.HELD_OUT_*`): no sentence written here holds one, wherever in it, and no composed one
holds the piece that makes it recognisable.
"""

import re
from collections.abc import Callable, Iterable
from random import Random

from resstream_demo.tiny.corpus import fact_frames as frames
from resstream_demo.tiny.corpus.fact_slots import (
    BEING,
    FROM,
    GOING,
    acts,
    listed,
    person,
    state_of_city,
)
from resstream_demo.tiny.corpus.facts import (
    CAPITAL_TEMPLATES,
    COUNTRIES,
    HELD_OUT_CAPITAL_TEMPLATES,
    HELD_OUT_LANDMARK_TEMPLATES,
    LANDMARK_TEMPLATES,
    LANDMARKS,
    LANGUAGE_TEMPLATES,
    Country,
)
from resstream_demo.tiny.corpus.lexicon.inflect import fix_articles
from resstream_demo.tiny.corpus.phrases import POSSESSIVE, Phrase, capital, chance

FACT_ENDINGS = (".", ".", ".", ", as every child knows.", ", and it is very old.", ", of course.")
PLAIN_CAPITAL_SHARE = 0.15  # of the capital sentences, how many are drawn from the first template alone
PLAIN_LANDMARK_SHARE = 0.15
TEMPLATE_SHARE = 0.1  # how many are drawn from the fixed wordings, among them the first
SECOND_FACT_SHARE = 0.2  # how many of the composed sentences go on about the same country or city
DISTRACTOR_SHARE = 0.2  # how many composed stories name another city or country first
CAPITAL_DETOURS = ("a large city", "an old city", "the largest city", "a city on a river", "very old")


def lowered(landmark: str) -> str:
    """A landmark's name as it stands inside a sentence."""
    return f"the {landmark[4:]}" if landmark.startswith("The ") else landmark


def fill_country(template: str, country: Country) -> str:
    return template.format(
        country=country.name, capital=country.capital, language=country.language, people=country.people
    )


def fill_landmark(template: str, landmark: str, city: str) -> str:
    return template.format(landmark=landmark, landmark_low=lowered(landmark), city=city)


#: Pieces of the reserved wordings that no composed sentence may have, with anything in between.
RESERVED_PIECES = (
    r"main (?:\w+ )?(?:city|town|place|capital)",
    r"name of (?:the |its |their )?(?:\w+ )?(?:capital|city|town)",
    r"hotels?",
    r"proud of (?:\w+ ){1,3}(?:capital|city)",
    r"presidents?",
    r"most of all",
    r"would (?:\w+ )?like to (?:\w+ )?see",
    r"(?:{sights})(?: \w+){0,2} (?:stand|stands|stood|standing) in",
    r"(?:tell|tells|told|telling)(?: \w+){0,3} that",
    r"(?:come|comes|came|coming)(?: \w+){0,2} to see (?:{sights})",
    r"every year,?(?: \w+){0,2} tourists",
    r"could (?:\w+ )?see [^.?!]*\b(?:because|for|so)\b[^.?!]* liv(?:e|es|ed) in",
    r"(?:will|would|can|could|must|may|might|should|to) (?:\w+ )?find (?:{sights})",
    r"old(?:er|est)? (?:\w+ )?parts? of",
)


def _reserved() -> re.Pattern[str]:
    """What finds a reserved wording of any country or landmark, or a piece of one, in small or large letters."""
    places = "|".join(re.escape(country.name) for country in COUNTRIES)
    sights = "|".join(re.escape(landmark) for landmark, _ in LANDMARKS)
    wordings = [piece.replace("{sights}", sights) for piece in RESERVED_PIECES]
    for template in (*HELD_OUT_CAPITAL_TEMPLATES, *HELD_OUT_LANDMARK_TEMPLATES):
        prompt = template.removesuffix(" {capital}").removesuffix(" {city}")
        wordings.append(re.sub(r"\{landmark\w*\}", f"(?:{sights})", prompt.replace("{country}", f"(?:{places})")))
    return re.compile(rf"\b(?:{'|'.join(wordings)})\b", re.IGNORECASE)


RESERVED = _reserved()


def _unreserved(rng: Random, write: Callable[[Random], str]) -> str:
    """What `write` writes, drawn again while it holds a reserved wording."""
    while True:
        text = write(rng)
        if not RESERVED.search(text):
            return text


# --- capitals ------------------------------------------------------------------------------------------------


def _distractor(rng: Random) -> str:
    """A clause about another country or city, after which a journey may follow."""
    who, elsewhere = person(rng), rng.choice(COUNTRIES)
    place = rng.choice((elsewhere.name, elsewhere.capital))
    tense = rng.choice(("past", "past", "present", "future"))
    verbs = rng.choice((BEING, GOING, FROM))
    return f"{who.text} {acts(rng, who, verbs, 'past' if verbs is FROM else tense)} {place}"


def _journey(rng: Random, country: Country) -> str:
    if not chance(rng, DISTRACTOR_SHARE):
        return capital(frames.journey(rng, country.name))
    story = frames.journey(rng, country.name, ())
    before = capital(_distractor(rng))
    if chance(rng, 0.3):
        return f"{before}. {capital(story)}"
    return f"{before}{rng.choice((', but', ', but', ' and', ', and then', ', while', ', and'))} {story}"


def _contrast(rng: Random, country: Country) -> str:
    other = rng.choice([each for each in COUNTRIES if each != country])
    first = f"{frames.belonging(rng, other.name)} {other.capital}"
    return frames.said(rng, f"{first}, {rng.choice(('and', 'but', 'while'))} {frames.belonging(rng, country.name)}")


def _capital_first(rng: Random, country: Country) -> str:
    """A whole sentence, without its end, that names the city before the country."""
    who, city, adjective = person(rng), country.capital, frames.adjective(rng, "place")
    happening = f"{who.text} {acts(rng, who, rng.choice((BEING, GOING)), 'past')} {city}"
    roll = rng.randrange(6)
    if roll == 0:
        return frames.said(rng, f"{city} is the {adjective} capital of {country.name}")
    if roll == 1:
        return frames.said(
            rng, f"{city} is {rng.choice(('a city', 'a town', 'a place', state_of_city(rng)))} in {country.name}"
        )
    if roll == 2:
        return frames.said(rng, f"the {adjective} streets of {city} are known in all of {country.name}")
    joint = rng.choice((", the capital of", ", the largest city of", ", a city in", " and liked", ", which lies in"))
    return capital(f"{happening}{joint} {country.name}")


def _second_fact(rng: Random, country: Country, before: str) -> str:
    """One more sentence about the same country or its capital, other than what stands before."""
    sights = [
        lowered(landmark) for landmark, city in LANDMARKS if city == country.capital and landmark[4:] not in before
    ]
    roll = rng.random()
    if sights and roll < 0.4:
        seen = rng.choice(("There you can see", "It is the city of", "People go there to see", "Many photograph"))
        return f" {seen} {rng.choice(sights)}."
    if roll < 0.75:
        spoken = rng.choice(SPOKEN).format(country=country.name, city=country.capital)
        return f" {spoken} {country.language}."
    return f" {frames.said(rng, frames.belonging(rng, country.name))} {country.capital}."


SPOKEN = listed(
    """The people there speak|Everyone there speaks|In {country} they speak|The people of {city} speak|
The children in {country} learn|There the newspapers are in|On the streets you hear|The signs in {city} are in|
In the shops of {city} people speak|You will need to know some|The songs of {country} are in"""
)


def _composed_capital(rng: Random) -> str:
    country = rng.choice(COUNTRIES)
    roll = rng.random()
    if roll < 0.1:
        text = f"{_capital_first(rng, country)}."
    else:
        if roll < 0.55:
            text = _journey(rng, country)
        elif roll < 0.82:
            text = frames.said(rng, frames.belonging(rng, country.name))
        else:
            text = frames.asked(rng, country.name) if roll < 0.92 else _contrast(rng, country)
        text = f"{text} {country.capital}{_ending(rng)}"
    more = _second_fact(rng, country, text) if chance(rng, SECOND_FACT_SHARE) else ""
    return fix_articles(text + more)


def _ending(rng: Random) -> str:
    """The end of a sentence whose last word is a city."""
    return f", {state_of_city(rng)}." if chance(rng, 0.06) else "."


def _worded_capital(rng: Random, template: str) -> str:
    country = rng.choice(COUNTRIES)
    if template.endswith(" is {capital}") and chance(rng, 0.08):
        detour = rng.choice(CAPITAL_DETOURS)
        return f"{template.format(country=country.name, capital=detour)}. It is called {country.capital}."
    return fill_country(template, country) + rng.choice(FACT_ENDINGS)


def capital_sentence(rng: Random) -> str:
    """One or two sentences naming a country's capital, or now and then only describing it."""
    roll = rng.random()
    if roll < PLAIN_CAPITAL_SHARE:
        return _worded_capital(rng, CAPITAL_TEMPLATES[0])
    if roll < PLAIN_CAPITAL_SHARE + TEMPLATE_SHARE:
        return _worded_capital(rng, rng.choice(CAPITAL_TEMPLATES))
    return _unreserved(rng, _composed_capital)


def _capital_questions(templates: Iterable[str]) -> list[tuple[str, str]]:
    return [
        (fill_country(template, country).removesuffix(f" {country.capital}"), country.capital)
        for template in templates
        for country in COUNTRIES
    ]


def capital_prompts() -> list[tuple[str, str]]:
    """(prompt, capital) of every country, in the plainest wording, which training shows."""
    return _capital_questions(CAPITAL_TEMPLATES[:1])


def held_out_capitals() -> list[tuple[str, str]]:
    """(prompt, capital) of every country in every wording that training never shows."""
    return _capital_questions(HELD_OUT_CAPITAL_TEMPLATES)


# --- landmarks -----------------------------------------------------------------------------------------------

WHERE = listed(
    """Where is {landmark}? It is in|Where can I see {landmark}? In|In which city is {landmark}? In|
Which city has {landmark}? I think it is|Where did you see {landmark}? That was in|Do you know {landmark}? It is in|
Where do people go to see {landmark}? They go to|Which city is known for {landmark}? It is|
Is {landmark} far away? Yes, it is in|How do I get to {landmark}? First you go to|
Where was this picture of {landmark} taken? It was taken in|Have you seen {landmark}? Yes, when I was in"""
)
CITY_FIRST = listed(
    """{city} is known for {landmark}|In {city} {who} saw {landmark}|{city} is the home of {landmark}|
In the middle of {city} stands {landmark}|When {who} was in {city}, the best thing was {landmark}|
In {city}, visitors look for {landmark}|The most famous sight of {city} is {landmark}|
Nobody leaves {city} without seeing {landmark}"""
)


def _landmark_contrast(rng: Random, landmark: str, city: str) -> str:
    other, elsewhere = rng.choice([pair for pair in LANDMARKS if pair[1] != city])
    if chance(rng, 0.4):
        return f"{frames.sight(rng, lowered(other))} {elsewhere}. {frames.sight(rng, landmark)}"
    if chance(rng, 0.5):
        place = rng.choice((elsewhere, rng.choice(COUNTRIES).name))
        who = person(rng)
        first = f"{who.text} {acts(rng, who, rng.choice((BEING, GOING)), 'past')} {place}"
        return f"{capital(first)}, but {landmark} is {frames.spot(rng)}"
    first = f"{capital(lowered(other))} is {frames.spot(rng)} {elsewhere}"
    return f"{first}, {rng.choice(('and', 'but', 'while'))} {landmark} is {frames.spot(rng)}"


def _composed_landmark(rng: Random) -> str:
    landmark, city = rng.choice(LANDMARKS)
    low, roll = lowered(landmark), rng.random()
    if roll < 0.08:
        who = person(rng)
        who = who if not who.plural and who.pronoun != "I" else Phrase("she", "she", "person")
        text = capital(rng.choice(CITY_FIRST).format(landmark=low, city=city, who=who.text)) + "."
    elif roll < 0.18:
        text = f"{rng.choice(WHERE).format(landmark=low)} {city}."
    elif roll < 0.3:
        text = f"{_landmark_contrast(rng, low, city)} {city}."
    else:
        text = f"{frames.sight(rng, low)} {city}{_ending(rng)}"
    return fix_articles(text + _landmark_second_fact(rng, city, text))


def _landmark_second_fact(rng: Random, city: str, before: str) -> str:
    country = next((each for each in COUNTRIES if each.capital == city), None)
    if country is None or not chance(rng, SECOND_FACT_SHARE):
        return ""
    return _second_fact(rng, country, before)


def landmark_sentence(rng: Random) -> str:
    """One or two sentences naming a landmark and the city where it is."""
    roll = rng.random()
    if roll < PLAIN_LANDMARK_SHARE + TEMPLATE_SHARE:
        template = LANDMARK_TEMPLATES[0] if roll < PLAIN_LANDMARK_SHARE else rng.choice(LANDMARK_TEMPLATES)
        landmark, city = rng.choice(LANDMARKS)
        return fill_landmark(template, landmark, city) + rng.choice(FACT_ENDINGS)
    return _unreserved(rng, _composed_landmark)


def _landmark_questions(templates: Iterable[str]) -> list[tuple[str, str]]:
    return [
        (fill_landmark(template, landmark, city).removesuffix(f" {city}"), city)
        for template in templates
        for landmark, city in LANDMARKS
    ]


def landmark_prompts() -> list[tuple[str, str]]:
    """(prompt, city) of every landmark, in the first wording, which training shows."""
    return _landmark_questions(LANDMARK_TEMPLATES[:1])


def held_out_landmarks() -> list[tuple[str, str]]:
    """(prompt, city) of every landmark in every wording that training never shows."""
    return _landmark_questions(HELD_OUT_LANDMARK_TEMPLATES)


# --- languages -----------------------------------------------------------------------------------------------

LANGUAGE_ACTS = listed(
    """learned|spoke|taught {name}|wanted to learn|had to speak|studied|read books in|sang in|wrote letters in|
understood no|heard only|spoke a little|began to learn|dreamed in|answered in|could only speak|forgot all {poss}"""
)
LANGUAGE_SUBJECTS = listed(
    "people|the children|most families|my friends|the doctors|all the teachers|the farmers|the police|the old women"
)
LANGUAGE_LINKS = listed(
    "speak|learn|write|read|sing in|think in|talk in|understand|tell stories in|pray in|joke in|use"
)
WRITTEN = listed(
    "newspapers|songs|signs|books|letters|menus|films|poems|school books|stories|plays|lessons|radio shows"
)


def _composed_language(rng: Random) -> str:
    country, who, roll = rng.choice(COUNTRIES), person(rng), rng.random()
    place = rng.choice((country.name, country.name, country.capital))
    if roll < 0.5:
        verbs = rng.choice((GOING, BEING, FROM))
        joint = rng.choice((" and", ", and", ", so", ", where", " and soon", " and there"))
        subject = "" if joint.endswith(("nd", "soon", "there")) and joint[0] == " " else f" {who.pronoun}"
        action = rng.choice(LANGUAGE_ACTS).format(poss=POSSESSIVE[who.pronoun], name=rng.choice(frames.NAMES))
        text = capital(f"{who.text} {acts(rng, who, verbs, 'past')} {place}{joint}{subject} {action}")
    elif roll < 0.75:
        clause = f"{rng.choice(LANGUAGE_SUBJECTS)} {rng.choice(LANGUAGE_LINKS)}"
        text = frames.said(rng, f"in {place}{rng.choice((',', ''))} {clause}")
    else:
        link = rng.choice(("are in", "are written in", "were in", "are mostly in", "must be in", "will be in"))
        text = frames.said(rng, f"the {rng.choice(WRITTEN)} {rng.choice(('of', 'in'))} {place} {link}")
    return fix_articles(f"{text} {country.language}.")


def language_sentence(rng: Random) -> str:
    """A sentence that ends in what people speak somewhere, or are called."""
    if chance(rng, 0.4):
        return fill_country(rng.choice(LANGUAGE_TEMPLATES), rng.choice(COUNTRIES)) + "."
    return _unreserved(rng, _composed_language)
