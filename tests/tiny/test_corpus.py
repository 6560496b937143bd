"""The corpus is seeded, keeps its promises about what it withholds, and is ambiguous where it says so."""

from random import Random

import pytest

from resstream_demo.tiny import corpus_patterns as patterns
from resstream_demo.tiny import corpus_people as people
from resstream_demo.tiny.corpus import FAMILIES, corpus_text
from resstream_demo.tiny.corpus_facts import CAPITAL_TEMPLATES, COUNTRIES
from resstream_demo.tiny.corpus_words import FEMALE_NAMES, MALE_NAMES, NAMES
from resstream_demo.tiny.held_out import HELD_OUT_ONE_IN, is_held_out

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


def test_giving_prompts_come_in_both_orders_and_name_the_recipient_once():
    for giver_first in (True, False):
        rng = Random(5)
        for _ in range(100):
            story = people.giving_prompt(rng, giver_first=giver_first)
            assert story.prompt.split().count(story.recipient) <= 1
            assert story.recipient != story.giver
            first_is_giver = story.prompt.index(story.giver) < story.prompt.index(story.recipient)
            assert first_is_giver == giver_first


def test_withheld_pairs_of_names_never_give_in_training_text():
    rng = Random(6)
    for _ in range(500):
        story = people.giving_prompt(rng)
        assert not is_held_out("pair", *sorted((story.giver, story.recipient)))
    story = people.giving_prompt(rng, held_out=True)
    assert is_held_out("pair", *sorted((story.giver, story.recipient)))


def test_the_recipient_is_likely_but_not_certain():
    rng = Random(8)
    stories = [people.giving_prompt(rng) for _ in range(2_000)]
    expected = sum(people.recipient_phrase(rng, story) == story.recipient for story in stories)
    assert 0.74 < expected / len(stories) < 0.82


def test_withheld_capital_sentences_are_not_written_but_every_capital_is():
    withheld = {f"{prompt} {capital}" for prompt, capital in patterns.held_out_capitals()}
    assert 0 < len(withheld) < len(COUNTRIES) * len(CAPITAL_TEMPLATES) / 4
    rng = Random(9)
    text = "\n".join(patterns.capital_sentence(rng) for _ in range(4_000))
    assert not [sentence for sentence in withheld if f"{sentence}." in text]
    assert all(country.capital in text for country in COUNTRIES)


def test_no_wording_is_withheld_whose_beginning_another_wording_shares():
    prompts = {prompt for prompt, _ in patterns.held_out_capitals()}
    assert not [prompt for prompt in prompts if prompt.startswith("The capital of")]
    cities = {prompt for prompt, _ in patterns.held_out_landmarks()}
    assert cities and not [prompt for prompt in cities if prompt.endswith((" is in", " is in the city of"))]


def test_years_end_later_than_they_begin():
    rng = Random(10)
    for _ in range(300):
        sentence = patterns.year_sentence(rng)
        begin, end = (int(word.strip(".")) for word in sentence.split() if word.strip(".").isdigit())
        assert begin < end and begin // 100 == end // 100


def test_cycles_go_round_and_other_sequences_stop():
    assert patterns.run_of(patterns.DAYS, 6, 2) == ["Sunday", "Monday"]
    assert patterns.run_of(patterns.LETTERS, 24, 5) == ["Y", "Z"]
