"""English inflection: plurals, verb forms, comparatives and the indefinite article, by rule and by table."""

import re
from dataclasses import dataclass

VOWELS = "aeiou"

#: Plurals that no rule gives.
IRREGULAR_PLURALS = {
    "man": "men", "woman": "women", "child": "children", "person": "people", "mouse": "mice", "goose": "geese",
    "foot": "feet", "tooth": "teeth", "sheep": "sheep", "deer": "deer", "fish": "fish", "wolf": "wolves",
    "knife": "knives", "wife": "wives", "thief": "thieves", "leaf": "leaves", "loaf": "loaves", "shelf": "shelves",
    "calf": "calves", "scarf": "scarves", "policeman": "policemen", "postman": "postmen", "fireman": "firemen",
    "fisherman": "fishermen", "potato": "potatoes", "tomato": "tomatoes", "hero": "heroes", "life": "lives",
    "aircraft": "aircraft", "mango": "mangoes", "grandchild": "grandchildren", "snowman": "snowmen",
}  # fmt: skip

#: Past tense and participle of the irregular verbs.
IRREGULAR_VERBS = {
    word[0]: (word[1], word[-1])
    for word in (
        entry.split("/")
        for entry in """
be/was/been have/had do/did/done go/went/gone come/came/come run/ran/run get/got see/saw/seen know/knew/known
think/thought say/said tell/told take/took/taken make/made give/gave/given find/found leave/left feel/felt
put/put bring/brought begin/began/begun keep/kept hold/held write/wrote/written stand/stood hear/heard let/let
mean/meant meet/met pay/paid sit/sat speak/spoke/spoken lie/lay/lain lead/led read/read grow/grew/grown lose/lost
fall/fell/fallen send/sent build/built understand/understood draw/drew/drawn break/broke/broken spend/spent
cut/cut rise/rose/risen drive/drove/driven buy/bought wear/wore/worn choose/chose/chosen eat/ate/eaten
drink/drank/drunk sleep/slept sing/sang/sung swim/swam/swum fly/flew/flown throw/threw/thrown catch/caught
teach/taught sell/sold ride/rode/ridden win/won forget/forgot/forgotten hide/hid/hidden hurt/hurt lend/lent
feed/fed fight/fought shine/shone shake/shook/shaken steal/stole/stolen ring/rang/rung wake/woke/woken
bite/bit/bitten blow/blew/blown creep/crept hang/hung sweep/swept dig/dug freeze/froze/frozen sink/sank/sunk
set/set shut/shut hit/hit swear/swore/sworn tear/tore/torn bend/bent kneel/knelt weep/wept lay/laid
sew/sewed/sewn show/showed/shown beat/beat/beaten cost/cost light/lit stick/stuck swing/swung spin/spun
become/became/become forgive/forgave/forgiven
spread/spread sting/stung swell/swelled/swollen
""".split()
    )
}

#: Verbs of two or more syllables, stressed on the last, that double their final consonant.
DOUBLING = frozenset("prefer admit regret forget begin travel cancel label quarrel refer permit occur signal".split())
#: Short verbs that end like doubling ones but do not double.
NOT_DOUBLING = frozenset(
    """
open listen offer answer visit remember wander enter discover deliver whisper gather order cover water wonder
suffer shiver bother repair explain shout hear need hope happen limit follow borrow show throw grow allow swallow
""".split()
)

AN_EXCEPTIONS = ("hour", "honest", "honour", "heir")
A_EXCEPTIONS = ("uni", "use", "usual", "one", "once", "euro")


def article(word: str) -> str:
    """The indefinite article that goes before a word."""
    lower = word.lower()
    if lower.startswith(AN_EXCEPTIONS):
        return "an"
    if lower.startswith(A_EXCEPTIONS) or lower[:1] not in VOWELS:
        return "a"
    return "an"


def with_article(phrase: str) -> str:
    """The phrase with "a" or "an" before it."""
    return f"{article(phrase)} {phrase}"


def fix_articles(text: str) -> str:
    """The text with each "a" made "an" where the word after it wants that, which a template cannot know."""
    return re.sub(r"\b([Aa]) (?=(\w+))", lambda found: found[1] + article(found[2])[1:] + " ", text)


def ends_with_consonant_y(word: str) -> bool:
    return word.endswith("y") and len(word) > 1 and word[-2] not in VOWELS


def add_s(word: str) -> str:
    """The regular -s form, of a noun or of a verb."""
    if ends_with_consonant_y(word):
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "z", "ch", "sh")) and word != "stomach":
        return word + "es"
    return word + "s"


def plural(word: str) -> str:
    return IRREGULAR_PLURALS.get(word) or add_s(word)


def doubles(word: str) -> bool:
    """Whether the last consonant is doubled before -ed, -ing and -er."""
    if word in DOUBLING:
        return True
    if word in NOT_DOUBLING or len(word) < 3 or word[-1] in VOWELS + "wxy":
        return False
    groups = sum(1 for i, c in enumerate(word) if c in VOWELS + "y" and (i == 0 or word[i - 1] not in VOWELS + "y"))
    starts_with_y = word.startswith("y")
    after_q = word[-3:-1] in ("ui",) and word[-4:-3] == "q"
    return groups - starts_with_y == 1 and word[-2] in VOWELS and (word[-3] not in VOWELS or after_q)


def past_form(word: str) -> str:
    if word.endswith("e"):
        return word + "d"
    if ends_with_consonant_y(word):
        return word[:-1] + "ied"
    return word + (word[-1] if doubles(word) else "") + "ed"


def ing_form(word: str) -> str:
    if word.endswith("ie"):
        return word[:-2] + "ying"
    if word.endswith("e") and not word.endswith(("ee", "ye", "oe")) and word != "be":
        return word[:-1] + "ing"
    return word + (word[-1] if doubles(word) else "") + "ing"


def degrees(word: str) -> tuple[str, str]:
    """Comparative and superlative of a short adjective."""
    irregular = {"good": ("better", "best"), "bad": ("worse", "worst"), "far": ("further", "furthest")}
    if word in irregular:
        return irregular[word]
    stem = word[:-1] if word.endswith("e") else word
    if ends_with_consonant_y(word):
        stem = word[:-1] + "i"
    elif doubles(word):
        stem = word + word[-1]
    return stem + "er", stem + "est"


@dataclass(frozen=True)
class Noun:
    """A noun with its plural (the singular again for a mass noun), its kind, and whether it is a mass noun."""

    singular: str
    plural: str
    kind: str
    mass: bool = False


@dataclass(frozen=True)
class Verb:
    """A verb's five forms, its frame, the noun kinds of its object, and what follows it (`link`: "at", "up" …)."""

    base: str
    s: str
    past: str
    participle: str
    ing: str
    frame: str
    objects: tuple[str, ...] = ()
    link: str = ""


def noun(word: str, kind: str, mass: bool = False) -> Noun:
    return Noun(word, word if mass else plural(word), kind, mass)


def verb(entry: str, frame: str, objects: tuple[str, ...] = ()) -> Verb:
    """A verb from its base form, or from "base@link"."""
    base, _, link = entry.partition("@")
    past, participle = IRREGULAR_VERBS.get(base) or (past_form(base), past_form(base))
    third = {"have": "has", "be": "is", "go": "goes", "do": "does"}.get(base) or add_s(base)
    return Verb(base, third, past, participle, ing_form(base), frame, objects, link.replace("+", " "))
