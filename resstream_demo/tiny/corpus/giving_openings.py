"""Freely composed openings for the giving stories: two people are named, and the giving may follow.

An opening is put together from a connective or a time, the two names, a verb phrase and a place, all drawn from the
lexicon, so that hardly any of them is read twice: what helps to foretell the recipient is the structure alone.
"""

from random import Random

from resstream_demo.tiny.corpus.lexicon import modifiers
from resstream_demo.tiny.corpus.lexicon.inflect import Verb
from resstream_demo.tiny.corpus.lexicon.nouns import BY_KIND, FEMALE, MALE
from resstream_demo.tiny.corpus.lexicon.verbs import BY_FRAME
from resstream_demo.tiny.corpus.phrases import (
    Phrase,
    be_form,
    capital,
    chance,
    goal_phrase,
    nouns_of,
    pick,
    place_phrase,
    the,
    time_phrase,
    verb_text,
)

#: Verbs of the wordings that are kept for evaluation.
WITHHELD_VERBS = frozenset("deliver return promise slip save toss".split())
#: What one person does to another before there is something to give.
_UNFIT = WITHHELD_VERBS | frozenset("marry beat fight kiss miss".split())


def _frame(name: str) -> tuple[Verb, ...]:
    return tuple(v for v in BY_FRAME[name] if v.base not in WITHHELD_VERBS)


MOTION = _frame("motion")
POSTURE = tuple(v for v in _frame("posture") if v.base not in ("arrive", "fish"))
ALONE = _frame("intransitive")
MEETING = tuple(v for v in BY_FRAME["transitive"] if v.objects == ("person",) and v.base not in _UNFIT)
#: Transitive verbs whose object need not be a person or something that a feeling or a thought is about.
DOING = tuple(
    v
    for v in BY_FRAME["transitive"]
    if v.base not in WITHHELD_VERBS and not {"person", "body", "time", "weather", "group", "game"} & set(v.objects)
)
#: Nouns for anybody.
PEOPLE = tuple(noun for noun in BY_KIND["person"] if noun.singular not in MALE | FEMALE)
FEELINGS = tuple(w for w in modifiers.ADJECTIVES["feeling"].split() if w not in ("sure", "certain", "well"))
COMPARED = tuple(modifiers.DEGREES[w][0] for w in modifiers.COMPARED_FOR["person"].split())

CONNECTIVES = {
    "past": "When|When|When|After|After|While|While|As|Because|Although|Once|Just as|Soon after|Even though",
    "present": "When|When|While|As|Because|Although|If|Every time|Once|Even if",
}
CONNECTIVES = {tense: tuple(words.split("|")) for tense, words in CONNECTIVES.items()}
#: Between the opening and the giving.
COUPLINGS = {
    "past": """
, and|, and then|, so|, but|, and later|, but then|, and at last|; then|; after that|. Then|. Later|. After a while|
. Suddenly|. At last|. That evening|. The next day|. A moment later|. First|. In the end|. Of course| before| until|
, and a little later|. So|. But|. An hour later
""",
    "present": ", and|, so|, but|, and sometimes|. Now|. Today|. Sometimes|. Often|. Soon|. So|. But|. Perhaps|; now",
}
COUPLINGS = {tense: tuple(w.strip("\n") for w in words.split("|")) for tense, words in COUPLINGS.items()}
_EVENT = {
    "past": "went to|came from|heard about|talked about|came back from|waited for|were late for|arrived at|enjoyed",
    "present": "go to|hear about|talk about|come back from|wait for|are late for|arrive at|enjoy|think about",
}
_EVENT = {tense: tuple(words.split("|")) for tense, words in _EVENT.items()}


def with_link(verb: Verb, text: str) -> str:
    return f"{text} {verb.link}" if verb.link else text


def _verb(rng: Random, subject: Phrase, verb: Verb, tense: str) -> str:
    """The verb in the tense or, now and then, in its progressive form."""
    if chance(rng, 0.25):
        tense = {"past": "past progressive", "present": "progressive"}[tense]
    return with_link(verb, verb_text(rng, subject, verb, tense, negative=False))


def _doing(rng: Random, subject: Phrase, tense: str) -> str:
    verb = pick(rng, DOING)
    word = pick(rng, nouns_of(verb.objects))
    return f"{_verb(rng, subject, verb, tense)} {the(rng, word, plural=0.2)}"


def _act(rng: Random, subject: Phrase, tense: str) -> str:
    """A verb phrase that one may also do with somebody: going, being, working somewhere, doing something."""
    roll = rng.random()
    if roll < 0.32:
        return f"{_verb(rng, subject, pick(rng, MOTION), tense)} {goal_phrase(rng)}"
    if roll < 0.5:
        return f"{_verb(rng, subject, pick(rng, POSTURE), tense)} {place_phrase(rng)}"
    if roll < 0.68:
        return f"{be_form(subject, tense == 'past')} {place_phrase(rng)}"
    if roll < 0.9:
        return _doing(rng, subject, tense)
    return _verb(rng, subject, pick(rng, ALONE), tense)


def _joint_clause(rng: Random, a: str, b: str, tense: str) -> str:
    """Both names as the subject: "Tom and Anna were hiding behind the barn"."""
    pair = Phrase(f"{a} and {b}", "they", "person")
    roll = rng.random()
    if roll < 0.1:
        act = f"{be_form(pair, tense == 'past')} {rng.choice(('', 'both ', 'very ', 'so '))}{pick(rng, FEELINGS)}"
        act = act.replace("very lost", "lost").replace("very alone", "alone").replace("so alone", "alone")
    elif roll < 0.25:
        event = pick(rng, nouns_of(("event",))).singular
        act = f"{rng.choice(_EVENT[tense])} the {event}"
    else:
        act = _act(rng, pair, tense)
    return f"{pair.text} {act}"


def _crossing_clause(rng: Random, a: str, b: str, tense: str) -> str:
    """A verb between the names: "Tom followed Anna", "Tom knew that Anna was ill"."""
    one, past = Phrase(a, "he", "person"), tense == "past"
    is_ = be_form(one, past)
    roll = rng.random()
    if roll < 0.45:
        where = f" {place_phrase(rng)}" if chance(rng, 0.4) else ""
        return f"{a} {_verb(rng, one, pick(rng, MEETING), tense)} {b}{where}"
    if roll < 0.6:
        return f"{a} {is_} {pick(rng, COMPARED)} than {b}"
    if roll < 0.75:
        beside = rng.choice(("next to", "behind", "near", "with", "opposite", "beside"))
        how = rng.choice(("", "", "sitting ", "standing ", "working ", "waiting "))
        return f"{a} {is_} {how}{beside} {b} {place_phrase(rng)}"
    knew = rng.choice(("knew", "heard", "saw", "thought", "noticed") if past else ("knows", "hears", "sees", "thinks"))
    state = pick(rng, FEELINGS) if chance(rng, 0.6) else place_phrase(rng)
    return f"{a} {knew} that {b} {is_} {state}"


def _clause(rng: Random, a: str, b: str, tense: str) -> str:
    roll = rng.random()
    if roll < 0.5:
        return _joint_clause(rng, a, b, tense)
    if roll < 0.7:
        return f"{a} {_act(rng, Phrase(a, 'he', 'person'), tense)} {rng.choice(('with', 'with', 'together with'))} {b}"
    return _crossing_clause(rng, a, b, tense)


def _presented(rng: Random, a: str, b: str, tense: str) -> str:
    """Two people who are only said to be there."""
    people = pick(rng, PEOPLE).plural
    were = "were" if tense == "past" else "are"
    return rng.choice(
        (
            f"There {were} two {people} {place_phrase(rng)}, {a} and {b}",
            f"{capital(place_phrase(rng))} {were} {a} and {b}",
            f"The two {people} {were} called {a} and {b}",
            f"{a} and {b} {were} {rng.choice(('good', 'old', 'two', 'both', 'young'))} {people}",
            f"The {people} {were} {a} and {b}",
        )
    )


def composed_opening(rng: Random, a: str, b: str, tense: str = "past") -> str:
    """An opening that names `a` and then `b`, once each; it ends where the giver's name may follow."""
    roll = rng.random()
    if roll < 0.36:
        when = f" {time_phrase(rng, tense)}" if chance(rng, 0.15) else ""
        return f"{rng.choice(CONNECTIVES[tense])} {_clause(rng, a, b, tense)}{when},"
    if roll < 0.46:
        return _presented(rng, a, b, tense) + "."
    clause = _clause(rng, a, b, tense)
    lead = rng.random()
    if lead < 0.3:
        clause = f"{capital(time_phrase(rng, tense))}{rng.choice((',', ''))} {clause}"
    elif lead < 0.38:
        clause = f"{capital(place_phrase(rng))}, {clause}"
    elif lead < 0.55:
        clause += f" {time_phrase(rng, tense)}"
    return clause + ("." if chance(rng, 0.45) else rng.choice(COUPLINGS[tense]))
