"""The corpus is seeded, keeps its promises about what it withholds, and is ambiguous where it says so."""

import re
from random import Random

import pytest

from resstream_demo.tiny.corpus import agreement, fact_sentences, patterns, years
from resstream_demo.tiny.corpus.facts import (
    CAPITAL_TEMPLATES,
    COUNTRIES,
    HELD_OUT_CAPITAL_TEMPLATES,
    HELD_OUT_LANDMARK_TEMPLATES,
    LANDMARK_TEMPLATES,
    LANDMARKS,
)
from resstream_demo.tiny.corpus.families import FAMILIES, corpus_text
from resstream_demo.tiny.corpus.held_out import HELD_OUT_ONE_IN, is_held_out
from resstream_demo.tiny.corpus.words import AGREEMENT_NOUNS, FEMALE_NAMES, MALE_NAMES, NAMES

REQUESTED_NAMES = "Mary John Tom James Dan Martin Amy Paul Anna Peter Kate Lucy Mark Jane Alice Bob".split()


def test_the_same_seed_gives_the_same_text_and_another_seed_another():
    assert corpus_text(300, seed=7) == corpus_text(300, seed=7)
    assert corpus_text(300, seed=7) != corpus_text(300, seed=8)


def test_there_are_at_least_150_distinct_names_with_one_pronoun_each():
    assert len(NAMES) == len(set(NAMES)) >= 150
    assert not set(MALE_NAMES) & set(FEMALE_NAMES)
    assert set(REQUESTED_NAMES) <= set(NAMES)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_family_writes_varied_finished_text(family):
    rng = Random(3)
    texts = [family.write(rng) for _ in range(60)]
    assert len(set(texts)) >= 20
    for text in texts:
        assert text[-1] in '.?!"'
        assert "{" not in text and "  " not in text


def test_the_checksum_withholds_about_one_combination_in_ten():
    withheld = sum(is_held_out("test", str(n)) for n in range(5_000))
    assert withheld == pytest.approx(5_000 / HELD_OUT_ONE_IN, rel=0.15)


@pytest.mark.parametrize(
    ("write", "held_out", "shown"),
    [
        (fact_sentences.capital_sentence, fact_sentences.held_out_capitals, fact_sentences.capital_prompts),
        (fact_sentences.landmark_sentence, fact_sentences.held_out_landmarks, fact_sentences.landmark_prompts),
    ],
    ids=["capitals", "landmarks"],
)
def test_no_reserved_wording_of_a_fact_is_written_but_every_fact_is(write, held_out, shown):
    rng = Random(9)
    sentences = [write(rng) for _ in range(20_000)]
    everything = "\n".join(sentences).lower()
    assert not [prompt for prompt, _ in held_out() if prompt.lower() + " " in everything]
    assert all(f"{prompt} {answer}".lower() in everything for prompt, answer in shown())


#: What makes a reserved wording recognisable, whoever and whatever else stands in it.
NEAR_COPIES = (
    r"president", r"hotel", r"most of all", r"main (city|town|capital)", r"came? to see the", r"old(est)? part of",
    r"\btold [^.]* that", r"proud of", r"would like to see", r"Big Ben( still| always)? st(ands|ood) in",
    r"will find the", r"[Ee]very year,? (many )?tourists",
)  # fmt: skip


@pytest.mark.parametrize(
    "write", [fact_sentences.capital_sentence, fact_sentences.landmark_sentence, fact_sentences.language_sentence]
)
def test_no_sentence_comes_near_a_reserved_wording_of_a_fact(write):
    rng, near = Random(22), re.compile("|".join(NEAR_COPIES))
    assert not [text for text in (write(rng) for _ in range(12_000)) if near.search(text)]


def test_the_search_for_near_copies_finds_them_and_lets_the_listed_wordings_through():
    for copy in (
        "The new president of Italy lives in Rome.", "Sweden, most of all Stockholm.", "Their hotel was in Dublin.",
        "The main old city of Peru is Lima.", "My aunt told all of us that Big Ben is in London.",
        "They are very proud of their old capital, Oslo.", "Big Ben still stands in London.",
        "He lived in the oldest part of London.", "They will find Big Ben in London.",
        "We would like to see Italy, above all Rome.",
    ):  # fmt: skip
        assert fact_sentences.RESERVED.search(copy), copy
    for template in CAPITAL_TEMPLATES:
        assert not fact_sentences.RESERVED.search(fact_sentences.fill_country(template, COUNTRIES[0])), template
    for template in LANDMARK_TEMPLATES:
        assert not fact_sentences.RESERVED.search(fact_sentences.fill_landmark(template, *LANDMARKS[0])), template


@pytest.mark.parametrize("write", [fact_sentences.capital_sentence, fact_sentences.landmark_sentence])
def test_sentences_about_facts_seldom_share_a_frame(write):
    places = {part for country in COUNTRIES for part in (country.name, country.capital, country.language)}
    sights = {sight.removeprefix("The ") for sight, _ in LANDMARKS}
    masked = re.compile(rf"\b(?:{'|'.join(sorted(places | sights | set(NAMES), key=len, reverse=True))})\b")
    rng = Random(15)
    assert len({masked.sub("*", write(rng)) for _ in range(8_000)}) >= 5_000


@pytest.mark.parametrize(
    ("write", "facts"),
    [
        (fact_sentences.capital_sentence, [(country.name, country.capital) for country in COUNTRIES]),
        (fact_sentences.landmark_sentence, [(sight.removeprefix("The "), city) for sight, city in LANDMARKS]),
        (fact_sentences.language_sentence, [(country.name, country.language) for country in COUNTRIES]),
    ],
    ids=["capitals", "landmarks", "languages"],
)
def test_facts_are_told_about_equally_often(write, facts):
    rng = Random(16)
    sentences = [write(rng) for _ in range(8_000)]
    counts = [sum(thing in text and answer in text for text in sentences) for thing, answer in facts]
    assert min(counts) > 0.5 * sum(counts) / len(counts)
    assert max(counts) < 2.5 * sum(counts) / len(counts)


def test_every_fact_is_asked_about_in_every_reserved_wording():
    assert len(fact_sentences.capital_prompts()) == len(COUNTRIES)
    assert len(set(fact_sentences.held_out_capitals())) == len(COUNTRIES) * len(HELD_OUT_CAPITAL_TEMPLATES)
    assert ("The capital of France is", "Paris") in fact_sentences.capital_prompts()
    assert ("The Eiffel Tower is in the city of", "Paris") in fact_sentences.landmark_prompts()
    assert not set(CAPITAL_TEMPLATES) & set(HELD_OUT_CAPITAL_TEMPLATES)
    assert not set(LANDMARK_TEMPLATES) & set(HELD_OUT_LANDMARK_TEMPLATES)


@pytest.mark.parametrize("write", [years.year_sentence, years.life_sentence])
def test_years_end_at_least_two_years_after_they_begin_and_in_the_same_century(write):
    rng = Random(10)
    for _ in range(500):
        begin, end = (int(year) for year in re.findall(r"\d+", write(rng)))
        assert begin + years.SHORTEST_SPAN <= end and begin // 100 == end // 100


def test_rows_of_years_rise():
    rng = Random(11)
    for _ in range(200):
        row = [int(year) for year in re.findall(r"\d+", years.year_row(rng))]
        assert row == sorted(set(row)) and row[0] // 100 == row[-1] // 100


def test_reserved_spans_of_years_are_never_written():
    rng = Random(12)
    for held_out in (False, True):
        for _ in range(300):
            prompt, start = years.year_prompt(rng, held_out=held_out)
            event, begin = prompt.split()[1], re.search(r"\d{4}", prompt)[0]
            assert int(begin[2:]) == start
            assert is_held_out("years", event, begin[:2], str(start)) == held_out


def test_no_sentence_names_an_event_with_a_year_reserved_for_it():
    rng, seen = Random(17), 0
    for _ in range(6_000):
        sentence = years.life_sentence(rng)
        begin = re.search(r"\d{4}", sentence)[0]
        for event in set(years.EVENTS).intersection(re.findall(r"[a-z]+", sentence)):
            assert not is_held_out("years", event, begin[:2], str(int(begin[2:]))), sentence
            seen += 1
    assert seen > 1_000


def test_verbs_agree_with_the_first_noun():
    rng = Random(13)
    number = {form: forms.index(form) for forms in AGREEMENT_NOUNS for form in forms}
    for _ in range(1_000):
        words = agreement.agreement_sentence(rng).rstrip(".").split()
        verbs = [verb for forms, _ in agreement.VERB_PAIRS for verb in forms]
        verb = next(word for word in words[2:] if word in verbs)
        assert any(forms[number[words[1]]] == verb for forms, _ in agreement.VERB_PAIRS)


def subject_of(sentence: str) -> list[str]:
    """The words of an agreement sentence up to its verb."""
    verbs = {verb for forms, _ in agreement.VERB_PAIRS for verb in forms}
    words = sentence.rstrip(".").split()
    end = next(at for at, word in enumerate(words) if word in verbs)
    return words[:end]


def test_no_agreement_sentence_holds_a_reserved_pair_of_nouns_or_a_noun_twice():
    rng, several = Random(18), 0
    singular = {form: forms[0] for forms in (*AGREEMENT_NOUNS, *agreement.DISTRACTORS) for form in forms}
    pairs = {pair[0]: ":".join(pair) for pair in agreement.DISTRACTORS}
    for _ in range(6_000):
        sentence = agreement.agreement_sentence(rng)
        first, *later = [singular[word] for word in subject_of(sentence) if word in singular]
        assert later and len({first, *later}) == 1 + len(later), sentence
        assert not [noun for noun in later if is_held_out("agreement", first, pairs[noun])], sentence
        several += len(later) > 1
    assert several > 300


def test_questions_about_agreement_have_a_reserved_pair_of_nouns():
    rng = Random(19)
    number = {form: forms.index(form) for forms in AGREEMENT_NOUNS for form in forms}
    for held_out in (False, True):
        for _ in range(300):
            prompt, plural = agreement.agreement_prompt(rng, held_out=held_out)
            words = prompt.split()
            assert number[words[1]] == plural
            singular = next(forms[0] for forms in AGREEMENT_NOUNS if words[1] in forms)
            distractor = next(pair for pair in agreement.DISTRACTORS if words[4] in pair)
            assert is_held_out("agreement", singular, ":".join(distractor)) == held_out


def test_a_parameter_list_names_its_parameters_again_in_order():
    rng = Random(14)
    for _ in range(100):
        text = patterns.parameter_list(rng)
        parameters = re.search(r"\((.*?)\)", text)[1].split(", ")
        assert re.findall(r"(\w+): the \w+\.", text) == parameters


def test_cycles_go_round_and_other_sequences_stop():
    assert patterns.run_of("days", 6, 2) == ["Sunday", "Monday"]
    assert patterns.run_of("letters", 24, 5) == ["Y", "Z"]


def test_every_sequence_has_reserved_starts_and_about_one_in_ten_is():
    for name, starts in patterns.RESERVED_STARTS.items():
        assert 1 <= len(starts) <= max(1, len(patterns.SEQUENCES[name]) / 5), name
    rng = Random(20)
    asked = {patterns.successor_run(rng, held_out=True)[0] for _ in range(3_000)}
    assert asked == set().union(*patterns.RESERVED_STARTS.values())


def test_no_counting_text_begins_with_a_reserved_member():
    rng, seen = Random(21), set()
    for _ in range(10_000):
        text = patterns.counting_text(rng)
        first = re.match(r"(?:We counted: |She said: |Repeat after me: )?(\w+),", text)[1]
        assert not any(first in starts for starts in patterns.RESERVED_STARTS.values()), text
        seen.add(first)
    assert set(patterns.SEASONS) - seen == patterns.RESERVED_STARTS["seasons"]
    assert set(patterns.DAYS) - seen == patterns.RESERVED_STARTS["days"]
