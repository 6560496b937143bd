"""A grammar of everyday English that writes sentences and short connected paragraphs."""

from random import Random

from resstream_demo.tiny.corpus import clauses
from resstream_demo.tiny.corpus.asking import OBJECTS, TIMED, wh_question, yes_no_question
from resstream_demo.tiny.corpus.constructions import construction
from resstream_demo.tiny.corpus.degrees import comparison, measured, weather_report
from resstream_demo.tiny.corpus.every_word import adjective_sentence, noun_sentence, verb_sentence
from resstream_demo.tiny.corpus.lexicon import modifiers, verbs
from resstream_demo.tiny.corpus.lexicon.inflect import with_article
from resstream_demo.tiny.corpus.lexicon.nouns import COUNTABLE, RELATIVES, UNIQUE
from resstream_demo.tiny.corpus.phrases import (
    OBJECT,
    POSSESSIVE,
    Phrase,
    adjective_text,
    any_place,
    be_form,
    capital,
    chance,
    finite,
    gender_of,
    joined,
    name,
    noun_phrase,
    nouns_of,
    pick,
    place_phrase,
    pronoun_subject,
    the,
    time_phrase,
    verb_text,
)
from resstream_demo.tiny.corpus.words import DAYS, NAMES, NUMBERS, ORDINALS

ALL_KINDS = tuple(COUNTABLE)
STARTERS = "Luckily Suddenly Finally Sadly Fortunately Also First Next However Soon Then Now Later Today".split()
BIG = modifiers.BIG_NUMBERS


def statement(rng: Random) -> str:
    subject, tense = clauses.person_subject(rng), rng.choice(clauses.TENSES)
    if tense in TIMED and chance(rng, 0.18):
        when = time_phrase(rng, tense)
        if when not in ("yet", "already", "again", "twice", "still", "many times", "before", "twice a week"):
            return f"{when}, {clauses.clause(rng, subject, tense)}."
    if chance(rng, 0.12) and tense == "past":
        return f"{rng.choice(STARTERS[:11])}, {clauses.clause(rng, subject, tense)}."
    if chance(rng, 0.04):
        return f"{rng.choice(('perhaps', 'maybe'))} {clauses.clause(rng, subject, tense)}."
    return clauses.clause(rng, subject, tense, 0.35) + "."


def about_thing(rng: Random) -> str:
    """A sentence whose subject is no person."""
    kind = rng.choices(
        clauses.DOERS, [len(nouns_of((k,))) / 3 + 2 * len(verbs.BY_FRAME["thing:" + k]) for k in clauses.DOERS]
    )[0]
    subject = clauses.subject_of(rng, kind)
    tense = rng.choice(("past", "past", "present", "present", "future", "perfect", "past progressive", "progressive"))
    act = clauses.activity(rng, subject)
    text = f"{subject.text} {verb_text(rng, subject, act.verb, tense, chance(rng, 0.12))} {act.tail}".strip()
    ending = rng.choice(("", "", time_phrase(rng, tense) if tense in TIMED else "", pick(rng, MANNER_OF_THINGS)))
    return f"{text} {'' if ending in ('yet', 'twice a week') else ending}".strip() + "."


MANNER_OF_THINGS = ("slowly", "suddenly", "quickly", "again", "at once", "too late", "early", "completely", "at last")


def about_animal(rng: Random) -> str:
    word = pick(rng, nouns_of(("animal",)))
    if "act:" + word.singular not in verbs.BY_FRAME and chance(rng, 0.45):
        word = pick(rng, ACTING)
    subject = noun_phrase(rng, word)
    return clauses.clause(rng, subject, rng.choice(clauses.TENSES), 0.3) + "."


#: The animals with sounds and habits of their own.
ACTING = tuple(n for n in nouns_of(("animal",)) if "act:" + n.singular in verbs.BY_FRAME)


def is_something(rng: Random) -> str:
    kind = rng.choices(ALL_KINDS, [len(nouns_of((k,))) for k in ALL_KINDS])[0]
    subject = clauses.person_subject(rng) if kind == "person" else clauses.subject_of(rng, kind)
    past = chance(rng, 0.45)
    verb = clauses.not_be(rng, subject, past) if chance(rng, 0.15) else be_form(subject, past)
    return f"{subject.text} {verb} {clauses.complement(rng, subject)}."


def there_is(rng: Random) -> str:
    word = pick(rng, nouns_of((*OBJECTS, "person", "vehicle", "sky", "limb")))
    many = not word.mass and chance(rng, 0.45)
    past = chance(rng, 0.4)
    be = ("were" if past else "are") if many else ("was" if past else "is")
    if many:
        roll = rng.random()
        number = (
            pick(rng, NUMBERS[1:]) if roll < 0.5 else rng.choice(("many", "some", "several", "a few", "no", "a lot of"))
        )
        number = rng.choice(("a hundred", "a thousand", *BIG[:7])) if roll < 0.16 else number
        what = f"{number} {adjective_text(rng, word.kind)}{word.plural}"
    else:
        rest = adjective_text(rng, word.kind) + word.singular
        what = f"some {rest}" if word.mass else with_article(rest)
    if word.singular in UNIQUE:
        return (
            f"the {word.singular} {be if not many else 'was'} {clauses.complement(rng, Phrase('it', 'it', word.kind))}."
        )
    where = place_phrase(rng) if word.kind not in ("limb", "sky") else "in the picture"
    if where in ("there", "here", "away"):
        where = "outside"
    if chance(rng, 0.15):
        asked = f"any {word.plural}" if many else f"any {word.singular}" if word.mass else what
        return f"{be} there {asked} {where}?"
    return f"there {be} {what} {where}."


def imperative(rng: Random) -> str:
    act = clauses.activity(rng, Phrase("you", "you", "person"), plain=True)
    start = rng.choice(("please ", "", "", "don't ", "do not ", "never ", "let us ", "always "))
    return f"{start}{act.infinitive}{rng.choice(('', '', ', please' if not start else '', ' today', ' now'))}."


def suggestion(rng: Random) -> str:
    act = clauses.activity(rng, Phrase("we", "we", "person"), plain=True)
    return rng.choice(
        (f"shall we {act.infinitive}?", f"let's {act.infinitive}.", f"we could {act.infinitive} together.")
    )


def compound(rng: Random) -> str:
    subject = clauses.person_subject(rng, long=False)
    roll = rng.random()
    other = clauses.shorter(subject) if chance(rng, 0.6) else clauses.person_subject(rng, long=False)
    if roll < 0.45:
        joint = rng.choice((", and", ", but", " because", ", so", " although", " while", " when", ", or"))
        tense = "past" if joint != ", or" else "future"
        return f"{clauses.clause(rng, subject, tense)}{joint} {clauses.clause(rng, other, tense)}."
    if roll < 0.65:
        joint = rng.choice(("when", "while", "after", "before", "although", "because", "as", "since"))
        return f"{joint} {clauses.clause(rng, subject, 'past')}, {clauses.clause(rng, other, 'past')}."
    if roll < 0.8:
        return f"if {clauses.clause(rng, subject, 'present')}, {clauses.clause(rng, other, 'future')}."
    joint = rng.choice(("until", "before", "after", "when", "if"))
    return f"{clauses.clause(rng, subject, 'future')} {joint} {clauses.clause(rng, other, 'present')}."


def with_verb(rng: Random) -> str:
    """Verbs that take a verb: "wants to buy", "enjoys swimming", "went out to look for"."""
    subject, tense = clauses.person_subject(rng), rng.choice(("past", "past", "present", "future", "perfect"))
    act = clauses.activity(rng, subject, plain=True)
    roll = rng.random()
    negative = chance(rng, 0.12)
    if roll < 0.4:
        verb = pick(rng, verbs.BY_FRAME["infinitive"])
        return f"{subject.text} {verb_text(rng, subject, verb, tense, negative)} to {act.infinitive}."
    if roll < 0.6:
        verb = pick(rng, verbs.BY_FRAME["gerund"])
        return f"{subject.text} {verb_text(rng, subject, verb, tense, negative)} {act.gerund}."
    if roll < 0.8:
        verb = pick(rng, verbs.BY_FRAME["ask"])
        other = clauses.person_subject(rng, long=False)
        if other.pronoun == subject.pronoun or other.text in subject.text:
            other = Phrase("everyone", "they", "person")
        act = clauses.activity(rng, other, plain=True)
        whom = OBJECT.get(other.text, other.text)
        return f"{subject.text} {verb_text(rng, subject, verb, tense, negative)} {whom} to {act.infinitive}."
    if roll < 0.9:
        verb = verbs.BY_FRAME["motion"][rng.randrange(4)]
        return f"{subject.text} {verb_text(rng, subject, verb, tense, False)} {place_or_out(rng)} to {act.infinitive}."
    return f"{subject.text} {verb_text(rng, subject, clauses.BE, 'past', False)} tired after {act.gerund}."


def place_or_out(rng: Random) -> str:
    word = any_place(rng)
    return rng.choice(("out", "home", "off", "to " + the(rng, word, 0, 0.1)))


def that_clause(rng: Random) -> str:
    subject = clauses.person_subject(rng, long=False)
    other = (
        clauses.person_subject(rng, long=False)
        if chance(rng, 0.6)
        else clauses.subject_of(rng, rng.choice(clauses.DOERS))
    )
    tense = rng.choice(("past", "past", "present", "perfect"))
    inner = rng.choice(
        ("past", "past perfect", "past progressive") if tense == "past" else ("present", "future", "past")
    )
    roll = rng.random()
    if roll < 0.25:
        verb = pick(rng, verbs.BY_FRAME["tell"])
        whom = OBJECT[pronoun_subject(rng, subject.pronoun).text] if chance(rng, 0.5) else rng.choice(NAMES)
        if whom in subject.text:
            whom = "everyone"
        told = f"{subject.text} {verb_text(rng, subject, verb, tense, False)} {whom}"
        return f"{told} that {clauses.clause(rng, other, inner)}."
    verb = pick(rng, verbs.BY_FRAME["think" if roll < 0.7 else "say"])
    if roll > 0.95:
        doubt = verb_text(rng, subject, verbs.BY_FRAME["think"][1], tense, True)
        return f"{subject.text} {doubt} whether {clauses.clause(rng, other, inner)}."
    negative = chance(rng, 0.1) and roll < 0.7
    return f"{subject.text} {verb_text(rng, subject, verb, tense, negative)} that {clauses.clause(rng, other, inner)}."


SPEECH_VERBS = ("said", "said", "asked", "shouted", "whispered", "answered", "replied", "cried")
GREETINGS = (
    "Hello",
    "Goodbye",
    "Good morning",
    "Thank you",
    "Thanks",
    "Sorry",
    "Oh no",
    "Well done",
    "Come in",
    "Good night",
)


def spoken(rng: Random) -> str:
    """Something that someone might say, finished."""
    roll = rng.random()
    if roll < 0.3:
        return capital(yes_no_question(rng).split("?")[0] + "?")
    if roll < 0.5:
        return capital(imperative(rng))
    if roll < 0.6:
        return rng.choice(GREETINGS) + ", " + rng.choice(NAMES) + "!"
    if roll < 0.7:
        return capital(wh_question(rng))
    return capital(
        clauses.clause(rng, pronoun_subject(rng), rng.choice(("present", "future", "past", "perfect", "modal"))) + "."
    )


def direct_speech(rng: Random) -> str:
    speaker = name(rng).text if chance(rng, 0.6) else the(rng, pick(rng, nouns_of(("person",))))
    words = spoken(rng)
    verb = "asked" if words.endswith("?") else rng.choice(SPEECH_VERBS[:2] + SPEECH_VERBS[3:])
    if chance(rng, 0.3):
        return f'{speaker} {verb}, "{words}"'
    inside = words[:-1] + "," if words.endswith(".") else words
    return f'"{inside}" {verb} {speaker}.'


def listing(rng: Random) -> str:
    kind = rng.choice(OBJECTS)
    items = [noun_phrase(rng, pick(rng, nouns_of((kind,))), None, 0.2, 0.5).text for _ in range(3)]
    subject = clauses.person_subject(rng, long=False)
    if len(set(items)) < 3:
        return statement(rng)
    verb = rng.choice(("bought", "saw", "brought", "drew", "wanted", "found", "needed", "chose"))
    if chance(rng, 0.15):
        people = joined(rng.sample(NAMES, 3))
        return f"{people} {clauses.predicate(rng, Phrase(people, 'they', 'person'), 'past')}."
    return f"{subject.text} {verb} {joined(items)}."


def passive(rng: Random) -> str:
    """ "The cake was eaten by the children." """
    group, pool = rng.choices(clauses.transitive_groups(), clauses.group_weights())[0]
    verb = pick(rng, group)
    thing = noun_phrase(rng, pick(rng, pool), None, 0.3)
    if verb.base in ("like", "have", "try", "turn", "reach") or thing.kind in ("weather", "time", "body", "limb"):
        return statement(rng)
    tense = rng.choice(("past", "past", "perfect", "future", "modal"))
    helper, rest = finite(rng, thing, clauses.BE, tense)
    agent = rng.choice(
        ("", " by " + the(rng, pick(rng, nouns_of(("person", "group"))), 0.3), " by " + rng.choice(NAMES))
    )
    tail = f"{verb.participle} {verb.link}".strip()
    when = " " + time_phrase(rng, "past") if tense == "past" and not agent else ""
    return " ".join(w for w in (thing.text, helper, rest, tail) if w) + agent + when + "."


MENTAL = tuple(v for frame in ("think", "say") for v in verbs.BY_FRAME[frame])
WANTING = verbs.BY_FRAME["infinitive"]


THEY = Phrase("they", "they", "person")
BEING = tuple(v for v in verbs.BY_FRAME["gerund"] if v.base in ("like", "enjoy", "hate"))


def without_doing(rng: Random) -> str:
    """A verb in -ing after a preposition: "without noticing that", "after deciding to"."""
    subject = clauses.person_subject(rng, long=False)
    act = clauses.activity(rng, subject, plain=True)
    main = clauses.clause(rng, subject, "past")
    where = rng.choice(("without", "after", "before", "without"))
    roll = rng.random()
    if roll < 0.35:
        other = clauses.person_subject(rng, long=False)
        return f"{main} {where} {pick(rng, MENTAL).ing} that {clauses.clause(rng, other, 'past')}."
    if roll < 0.6:
        return f"{main} {where} {pick(rng, WANTING).ing} to {act.infinitive}."
    if roll < 0.7:
        return f"{main} {where} {pick(rng, verbs.BY_FRAME['gerund']).ing} {act.gerund}."
    if roll < 0.85:
        verb = pick(rng, (*verbs.BY_FRAME["ask"], *verbs.BY_FRAME["tell"]))
        if verb.frame == "tell":
            topic = noun_phrase(rng, pick(rng, nouns_of(("event", "idea")))).text
            return f"{main} {where} {verb.ing} {rng.choice(NAMES)} about {topic}."
        return f"{main} {where} {verb.ing} them to {clauses.activity(rng, THEY, plain=True).infinitive}."
    if roll < 0.93:
        return f"{main} without {clauses.state(rng, subject).gerund}."
    if roll < 0.97:
        liking = verb_text(rng, subject, rng.choice(BEING), "present", False)
        return f"{subject.text} {liking} being {place_phrase(rng)}."
    return f"{main} without {pick(rng, verbs.BY_FRAME['link']).ing} {pick(rng, clauses.FEELINGS)}."


def belonging(rng: Random) -> str:
    word = pick(rng, nouns_of((*OBJECTS, "vehicle", "building")))
    subject = pronoun_subject(rng)
    if word.mass:
        return f"the {word.singular} is {clauses.mine(subject)}."
    which = adjective_text(rng, word.kind, 0.6)
    relative = rng.choice(RELATIVES)
    whose = f"{rng.choice(NAMES)}'s" if chance(rng, 0.5) else f"{POSSESSIVE[subject.text]} {relative}'s"
    return rng.choice(
        (
            f"the {which}{word.singular} is {clauses.mine(subject)}.",
            f"these {which}{word.plural} are {clauses.mine(subject)}, not {whose}.",
            f"{whose} {which}{word.singular} is {place_phrase(rng)}.",
            f"the {which}{word.singular} was made for {OBJECT[subject.text]}.",
            f"that is {whose} {ORDINALS[rng.randrange(10)]} {word.singular}.",
            f"only {whose} {word.singular} was {rng.choice(('broken', 'clean', 'new', 'ready', 'lost'))}.",
            f"even {whose} {word.plural} were {rng.choice(('wet', 'dirty', 'old', 'gone', 'beautiful'))}.",
        )
    )


KINDS_OF_SENTENCE = (
    (statement, 26), (about_thing, 11), (about_animal, 8), (is_something, 7), (there_is, 5), (yes_no_question, 6),
    (wh_question, 5), (imperative, 3), (suggestion, 1), (comparison, 7), (weather_report, 2), (without_doing, 4),
    (measured, 5), (compound, 9), (with_verb, 6), (that_clause, 7), (direct_speech, 6), (listing, 2), (passive, 6),
    (belonging, 3), (verb_sentence, 45), (noun_sentence, 20), (adjective_sentence, 5),
    (construction, 155),
)  # fmt: skip
WRITERS = tuple(write for write, _ in KINDS_OF_SENTENCE)
WRITER_WEIGHTS = tuple(weight for _, weight in KINDS_OF_SENTENCE)


def polished(text: str) -> str:
    return capital(text.replace("  ", " ").replace(" that that ", " that this ").replace(" i ", " I "))


def grammar_sentence(rng: Random) -> str:
    """One sentence of four to about twenty-five words."""
    while True:
        text = polished(rng.choices(WRITERS, WRITER_WEIGHTS)[0](rng))
        if 3 <= text.count(" ") <= 24:
            return text


def grammar_paragraph(rng: Random) -> str:
    """Two to four sentences about one person, animal or thing, taken up again by a pronoun."""
    roll = rng.random()
    if roll < 0.7:
        word = pick(rng, nouns_of(("person",)))
        subject = name(rng) if roll < 0.45 else Phrase("the " + word.singular, gender_of(rng, word.singular), "person")
    else:
        kind = "animal" if roll < 0.9 else rng.choice(("vehicle", "machine", "plant"))
        subject = noun_phrase(rng, pick(rng, nouns_of((kind,))), None, 0.5, 0.2)
    tense = rng.choice(("past", "past", "past", "present"))
    again = clauses.shorter(subject)
    out = [_opening(rng, subject, tense)]
    for _ in range(rng.randint(1, 3)):
        text = clauses.clause(rng, again, tense)
        if chance(rng, 0.25):
            start = rng.choice(
                ("then", "after that,", "later,", "so", "but", "soon") if tense == "past" else ("also,", "but")
            )
            text = f"{start} {text}"
        elif chance(rng, 0.2):
            text = f"{text}{rng.choice((', and', ', but', ' because', ', so'))} {clauses.clause(rng, again, tense)}"
        out.append(text)
    return " ".join(polished(text) + "." for text in out)


def _opening(rng: Random, subject: Phrase, tense: str) -> str:
    if chance(rng, 0.3):
        when = (
            rng.choice((f"one {rng.choice(DAYS)}", "one day", "last week", "once")) if tense == "past" else "every day"
        )
        return f"{when}, {clauses.clause(rng, subject, tense)}"
    return clauses.clause(rng, subject, tense)
