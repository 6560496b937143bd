"""The byte-level BPE tokenizer of the bundled model, in GPT-2's own form.

GPT-2's pre-tokenisation, all 256 bytes, `<|endoftext|>` as the only special token and the last id. What
differs is where the merges come from: the digits' are written down here, so that a year such as " 1732"
splits into " 17" and "32" as GPT-2 splits it; the words' are learnt from the generated corpus.
"""

import json
import re
from collections.abc import Iterator

from tokenizers import Tokenizer, models, pre_tokenizers, trainers
from transformers import GPT2Tokenizer

from resstream_demo.tiny.corpus import facts, lexicon, words
from resstream_demo.tiny.corpus.families import documents

END_OF_TEXT = "<|endoftext|>"
SPACE = "Ġ"  # how byte-level BPE writes a leading space
VOCAB_SIZE = 6912
CORPUS_DOCUMENTS = 20_000
#: How often each required word is said, so that it is whole before rarer corpus words are.
REQUIRED_REPEATS = 300
CONTEXT_LENGTH = 256


def required_words() -> list[str]:
    """Words that must be one token with a leading space: names, places, things, facts, common words."""
    listed = [
        *words.NAMES,
        *words.PLACES,
        *words.GIFTS,
        *words.FOODS,
        *words.ANIMALS,
        *words.THINGS,
        *words.COLOURS,
        *words.ADJECTIVES,
        *words.ROLES,
        *words.DAYS,
        *words.MONTHS,
        *words.NUMBERS,
        *words.ORDINALS,
        *words.SEASONS,
        *words.LETTERS,
        *words.EVENTS,
        *words.COMMON_WORDS,
        *(form for pair in words.AGREEMENT_NOUNS for form in pair),
        *lexicon.all_words(),
    ]
    for country in facts.COUNTRIES:
        listed += [country.name, country.capital, country.language]
    return sorted(set(listed))


def required_openers() -> list[str]:
    """Words that must be one token without a leading space too: what texts and lists begin with."""
    countries = (country.name for country in facts.COUNTRIES)
    return sorted({*words.NAMES, *words.DAYS, *words.MONTHS, *countries})


def digit_merges() -> list[tuple[str, str]]:
    """Merges for one and two digits, with a leading space first: a space always belongs to two digits."""
    digits = "0123456789"
    return (
        [(SPACE, digit) for digit in digits]
        + [(SPACE + tens, ones) for tens in digits for ones in digits]
        + [(tens, ones) for tens in digits for ones in digits]
    )


def _training_text(seed: int) -> Iterator[str]:
    """The corpus without its digits, then every required word many times over."""
    stream = documents(seed)
    for _ in range(CORPUS_DOCUMENTS):
        yield re.sub(r"[, ]*\d+", "", next(stream))
    for word in required_words():
        yield f" {word}" * REQUIRED_REPEATS
    for word in required_openers():
        yield f"{word}\n" * REQUIRED_REPEATS


def _learn_word_merges(seed: int, n_merges: int) -> list[tuple[str, str]]:
    """Byte-pair merges of the words, most frequent first."""
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    learner = Tokenizer(models.BPE())
    learner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    learner.train_from_iterator(
        _training_text(seed),
        trainers.BpeTrainer(
            vocab_size=len(alphabet) + n_merges,
            initial_alphabet=sorted(alphabet),
            show_progress=False,
        ),
    )
    return [tuple(pair) for pair in json.loads(learner.to_str())["model"]["merges"]]


def build_tokenizer(seed: int = 0) -> GPT2Tokenizer:
    """Learn the tokenizer from the corpus of `seed`; the same seed gives the same vocabulary.

    Ids run as GPT-2's do: 256 bytes, then one per merge in order, then `<|endoftext|>`.
    """
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    merges = digit_merges()
    merges += _learn_word_merges(seed, VOCAB_SIZE - len(alphabet) - len(merges) - 1)
    pieces = [*alphabet, *(left + right for left, right in merges), END_OF_TEXT]
    return GPT2Tokenizer(
        vocab={piece: index for index, piece in enumerate(pieces)},
        merges=merges,
        bos_token=END_OF_TEXT,
        eos_token=END_OF_TEXT,
        unk_token=END_OF_TEXT,
        add_prefix_space=False,
        model_max_length=CONTEXT_LENGTH,
        clean_up_tokenization_spaces=False,
    )
