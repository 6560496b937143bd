"""Thirty unfinished everyday sentences that ask whether the model's next word is grammatical.

These sentences are no part of the training text, nor made by its rules. Each breaks off where grammar says much about
the next word and meaning says little, and lists what may follow: whole word classes, and single words or marks whose
class as a whole would not do. A class is listed where a reader would take its words without a stumble; doubtful
readings (a bare noun before another noun, a participle after its noun) are left out. Grammar is all that is asked:
"very wooden" passes.
"""

from collections.abc import Mapping
from dataclasses import dataclass

WORD_CLASSES = (
    *("noun_singular", "noun_plural", "noun_mass", "name", "place_name"),
    *("adjective", "comparative", "superlative", "adverb"),
    *("verb_base", "verb_s", "verb_past", "verb_participle", "verb_ing", "auxiliary"),
    *("determiner", "preposition", "conjunction", "number", "question_word", "particle", "negation", "punctuation"),
    *("subject_pronoun", "object_pronoun", "possessive", "reflexive"),
)


@dataclass(frozen=True)
class Probe:
    """prompt: the unfinished sentence, no space at its end. classes: the word classes that may follow at once, names
    from WORD_CLASSES. words: single words or marks that may follow too, without a leading space."""

    prompt: str
    classes: tuple[str, ...]
    words: tuple[str, ...] = ()


# A noun phrase after its determiner, and one from its start.
_AFTER_THE = ("noun_singular", "noun_plural", "noun_mass", "adjective", "comparative", "superlative", "number")
_PHRASE = (
    *("determiner", "possessive", "name", "place_name", "noun_plural", "noun_mass"),
    *("adjective", "comparative", "number"),
)
_PHRASE_WORDS = (
    *("some", "all", "both", "many", "most", "more", "very", "only", "other", "another", "people"),
    *("everyone", "everybody", "everything", "someone", "somebody", "something"),
    *("nobody", "nothing", "anyone", "anything"),
)
_ORDERING = ("very", "other", "same", "first", "second", "last", "next", "only", "few", "most", "more")

# "isn", "didn" and so on are how a tokenizer begins "isn't" and "didn't".
_PAST_AUXILIARIES = ("had", "did", "could", "would", "might", "hadn", "didn", "couldn", "wouldn")
_MODALS = ("will", "can", "should", "must", "may", "won", "shouldn", "mustn")
_SINGULAR = ("is", "was", "has", "does", "isn", "wasn", "hasn", "doesn", *_PAST_AUXILIARIES, *_MODALS)
_PLURAL = ("are", "were", "have", "do", "aren", "weren", "haven", "don", *_PAST_AUXILIARIES, *_MODALS)
_FIRST_PERSON = (
    "am",
    "was",
    "have",
    "do",
    "wasn",
    "haven",
    "don",
    *_PAST_AUXILIARIES,
    *_MODALS,
    "'m",
    "'ve",
    "'ll",
    "'d",
)

# Adverbs that stand before the main verb, as "quickly" does and "here" does not.
_BEFORE_VERB = (
    *("always", "never", "often", "usually", "sometimes", "soon", "now", "then", "still"),
    *("also", "just", "only", "even", "really", "finally"),
)
_WHERE_WHEN = (
    *("here", "there", "everywhere", "outside", "inside", "home", "upstairs", "downstairs", "nearby"),
    *("away", "back", "up", "down", "out", "off", "early", "late", "together", "alone", "again", "already"),
)
_PLACE_PREPOSITIONS = (
    *("in", "on", "at", "by", "near", "with", "under", "behind", "beside", "between", "above", "below"),
    *("inside", "outside", "around", "across", "over", "from"),
)
_JOINERS = (
    *("and", "but", "or", "so", "because", "when", "while", "as", "before", "after", "until", "since"),
    *("if", "though", "although"),
)

PROBES = (
    # After determiners and possessives.
    Probe("The bird flew over the", _AFTER_THE, _ORDERING),
    Probe(
        "We put all the apples in a",
        ("noun_singular", "adjective", "comparative"),
        ("very", "lot", "few", "little", "hundred", "thousand", "second", "single", "different"),
    ),
    Probe(
        "For breakfast the old man ate an",
        ("noun_singular", "adjective", "comparative"),
        ("extra", "entire", "extremely"),
    ),
    Probe(
        "My kind old grandmother has two",
        ("noun_plural", "adjective", "comparative"),
        ("more", "other", "very", "hundred", "thousand", "of", "and", "or", "."),
    ),
    Probe("Every morning the farmer feeds his", _AFTER_THE, ("own", *_ORDERING, "many")),
    Probe(
        "After the party there was not much",
        ("noun_mass", "adjective"),
        ("of", "left", "to", "for", "in", "on", "more", "else", "time", "very", ".", ","),
    ),
    Probe(
        "Excuse me, is there any",
        ("noun_singular", "noun_mass", "adjective", "comparative"),
        ("more", "other", "of", "left", "such", "chance", "way", "very"),
    ),
    Probe(
        "Our school is one of the",
        ("superlative", "comparative", "adjective", "noun_plural", "number"),
        ("most", "more", "very", "few", "first", "last", "other", "only", "many"),
    ),
    # After an adjective and after "very".
    Probe("They live in a small", ("noun_singular", "adjective"), (",", "and", "but", "little")),
    Probe(
        "The soup on the stove was very",
        ("adjective",),
        ("much", "nearly", "well", "nice", "good", "little", "very", ","),
    ),
    Probe(
        "The old turtle walked very",
        ("adverb",),
        ("far", "fast", "well", "close", "near", "early", "late", "hard", "often", "much", "little", "very"),
    ),
    # After auxiliaries, modals and the infinitive's "to".
    Probe(
        "All day long the children were",
        (
            *("verb_ing", "verb_participle", "adjective", "comparative", "superlative", "adverb", "particle"),
            *("determiner", "possessive", "number", "noun_plural", "negation"),
        ),
        (
            *("being", "having", "doing", "gone", "done", "very", "so", "too", "quite", "rather", "almost", "as"),
            *("more", "most", "all", "both", "like", "to"),
            *_BEFORE_VERB,
            *_WHERE_WHEN,
            *_PLACE_PREPOSITIONS,
        ),
    ),
    Probe("My big brother has already", ("verb_participle",), ("been", "had", "done", "gone")),
    Probe(
        "After school tomorrow we can",
        ("verb_base", "adverb", "negation"),
        ("be", "have", "do", "all", "both", "'t", *_BEFORE_VERB),
    ),
    Probe("My little brother wants to", ("verb_base", "adverb", "negation"), ("be", "have", "do", *_BEFORE_VERB)),
    # After prepositions.
    Probe(
        "She washed her hands before",
        (*_PHRASE, "subject_pronoun", "object_pronoun", "verb_ing"),
        (
            *("having", "being", "doing", "breakfast", "lunch", "dinner", "supper", "bed", "school", "work", "church"),
            *("long", "and", ".", ","),
            *_PHRASE_WORDS,
        ),
    ),
    Probe("The two friends walked home with", (*_PHRASE, "object_pronoun"), ("each", "no", *_PHRASE_WORDS)),
    # After a subject: the verb agrees.
    Probe(
        "The cat that lives next door",
        ("verb_s", "verb_past", "adverb"),
        ("to", "and", "with", *_SINGULAR, *_BEFORE_VERB),
    ),
    Probe(
        "The birds in the tall tree",
        ("verb_base", "verb_past", "adverb"),
        (
            *("and", "that", "which", ",", "by", "near", "behind", "beside", "outside", "at", "on", "in"),
            *("all", "both"),
            *_PLURAL,
            *_BEFORE_VERB,
        ),
    ),
    Probe(
        "Late last night the baby",
        ("verb_past", "adverb"),
        ("was", "wasn", "and", ",", "in", "with", "next", "who", "that", *_PAST_AUXILIARIES, *_BEFORE_VERB),
    ),
    Probe("Every day after lunch I", ("verb_base", "verb_past", "adverb"), (*_FIRST_PERSON, *_BEFORE_VERB)),
    # After conjunctions.
    Probe(
        "The boy was sad because",
        (*_PHRASE, "subject_pronoun"),
        (
            "of",
            "there",
            "when",
            "what",
            "if",
            "after",
            "in",
            "on",
            "at",
            "now",
            "then",
            "even",
            "suddenly",
            *_PHRASE_WORDS,
        ),
    ),
    Probe(
        "My father was cooking dinner when",
        (*_PHRASE, "subject_pronoun"),
        ("there", "suddenly", "in", "out", "from", "at", *_PHRASE_WORDS),
    ),
    # Questions.
    Probe(
        "Where did the old woman",
        ("verb_base", "adverb"),
        ("have", "do", "and", "with", "from", "in", "who", "that", "next", "first", *_BEFORE_VERB),
    ),
    Probe(
        "Can you tell me why",
        (*_PHRASE, "subject_pronoun"),
        ("there", "not", "?", ",", "in", "on", "at", *_PHRASE_WORDS),
    ),
    # Objects and what follows them.
    Probe(
        "At the market my aunt bought",
        (*_PHRASE, "object_pronoun"),
        ("herself", "back", "up", "a", "an", *_PHRASE_WORDS),
    ),
    Probe(
        "The heavy rain made the road",
        ("adjective", "comparative", "verb_base"),
        (
            *("very", "so", "too", "quite", "rather", "even", "much", "more", "less", "almost", "as", "a", "an"),
            *("into", "to", "in", "by", "near", "outside", "and", "all", "have"),
        ),
    ),
    Probe(
        "Last night someone opened the window",
        ("adverb",),
        (
            *(".", "!", ",", "to", "for", "of", "that", "which", "again", "twice", "once", "wide", "up", "too"),
            *("instead", "early", "just", "very", "only", "a", "without"),
            *_JOINERS,
            *_PLACE_PREPOSITIONS,
        ),
    ),
    # Comparison.
    Probe(
        "A horse can run faster than",
        (*_PHRASE, "subject_pronoun", "object_pronoun"),
        ("any", "ever", "before", "usual", "what", "even", "that", *_PHRASE_WORDS),
    ),
    Probe("This new box is much", ("comparative",), ("more", "less", "too", "better", "worse", "the", "like")),
)

# Words no class name can decide, by the classes they might stand in: "be", "have" and "do" agree or join as few verbs
# do, and only adverbs of manner fit wherever this file says "adverb". They follow where a probe's `words` has them.
_BE_HAVE_DO = frozenset(
    ("be", "am", "is", "are", "was", "were", "been", "being", "have", "has", "had", "having")
    + ("do", "does", "did", "done", "doing")
)
_NOT_OF_MANNER = frozenset(
    (
        "very",
        "so",
        "too",
        "quite",
        "rather",
        "almost",
        "nearly",
        "enough",
        "as",
        "more",
        "most",
        "less",
        "much",
        "hardly",
    )
    + (*_WHERE_WHEN, *_BEFORE_VERB, "far", "close", "near", "somewhere", "anywhere", "nowhere", "abroad", "ahead")
    + (
        "first",
        "completely",
        "today",
        "tonight",
        "tomorrow",
        "yesterday",
        "later",
        "before",
        "ago",
        "yet",
        "ever",
        "once",
        "twice",
        "forever",
    )
    + ("fast", "hard", "well", "high", "low", "straight", "either", "neither", "maybe", "perhaps", "probably")
    + ("certainly", "surely", "indeed", "else", "instead", "however", "therefore", "not", "how", "when", "where", "why")
)
# Adjectives and determiners that stand in fewer places than others do: "the same", but not "a same" or "very same".
_LIMITING = frozenset(
    ("same", "other", "another", "such", "next", "last", "half", "less", "neither", "either", "mine", "yours", "hers")
    + ("ours", "theirs", "asleep", "awake", "afraid", "alone", "alive")
)
_DECIDED_SINGLY: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("adjective", "determiner", "possessive", "comparative"), _LIMITING),
    **dict.fromkeys(("verb_base", "verb_s", "verb_past", "verb_participle", "verb_ing"), _BE_HAVE_DO),
    "adverb": _NOT_OF_MANNER,
}

# Spelled with a vowel and said with a consonant, or the other way round: what "a" and "an" go by.
_VOWEL_SPELLINGS = ("a", "e", "i", "o", "u", "hour", "honest", "honour", "honor", "heir")
_CONSONANT_SOUNDS = ("uni", "use", "usu", "uten", "eu", "ewe", "one", "once")
_VOWEL_AFTER_ALL = ("unin", "unim")


def is_grammatical(probe: Probe, word: str, classes: Mapping[str, frozenset[str]]) -> bool:
    """Whether `word` (no leading space) may be the very next word of the probe's sentence.

    classes: word class -> its words; a class that the probe names and `classes` lacks raises KeyError. A word that
    neither the probe nor its classes know is not grammatical. Letter case counts, except at the start of a sentence.
    """
    spellings = {word}
    if not probe.prompt or probe.prompt.endswith((".", "?", "!")):
        spellings.add(word[:1].lower() + word[1:])
    if not _fits_article(probe.prompt, word):
        return False
    return any(
        spelling in probe.words
        or any(spelling in classes[name] and spelling not in _DECIDED_SINGLY.get(name, ()) for name in probe.classes)
        for spelling in spellings
    )


def _fits_article(prompt: str, word: str) -> bool:
    """False where the prompt ends in "a" or "an" and the word's first sound asks for the other one."""
    article = prompt.lower().rpartition(" ")[2]
    if article not in ("a", "an"):
        return True
    return (article == "an") == _starts_with_vowel_sound(word.lower())


def _starts_with_vowel_sound(word: str) -> bool:
    if word.startswith(_CONSONANT_SOUNDS) and not word.startswith(_VOWEL_AFTER_ALL):
        return False
    return word.startswith(_VOWEL_SPELLINGS)
