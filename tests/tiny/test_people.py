"""The stories about people keep what they withhold, are ambiguous where they say so, and get genders right."""

import re
from itertools import combinations
from random import Random

import pytest

from resstream_demo.tiny.corpus import elimination, fact_sentences, giving, giving_brief, pronouns
from resstream_demo.tiny.corpus import giving_wordings as templates
from resstream_demo.tiny.corpus.families import FAMILIES, documents
from resstream_demo.tiny.corpus.held_out import is_held_out
from resstream_demo.tiny.corpus.lexicon.inflect import plural, with_article
from resstream_demo.tiny.corpus.names import (
    at,
    gender_words,
    mixed_pair,
    name_group,
    name_pair,
    pair_is_held_out,
    pronoun,
)
from resstream_demo.tiny.corpus.pronoun_wordings import PRONOUN_STORIES
from resstream_demo.tiny.corpus.words import MALE_NAMES, NAMES, PLACES, ROLES

GIVING_FUNCTIONS = (
    giving.giving_story,
    giving.double_object_story,
    giving.third_giver_story,
    giving.trio_story,
    giving.return_story,
)
TEXT_FUNCTIONS = (
    *GIVING_FUNCTIONS,
    giving_brief.brief_row,
    pronouns.pronoun_question,
    pronouns.pronoun_story,
    pronouns.introduction,
    pronouns.couple_story,
    pronouns.named_story,
    elimination.elimination_text,
    elimination.elimination_row,
)
ACTIONS = sorted({action for actions in templates.ACTIONS.values() for action in actions})
MALE_PRONOUNS, FEMALE_PRONOUNS = {"he", "him", "his", "himself"}, {"she", "her", "hers", "herself"}


def words_of(text: str) -> list[str]:
    return re.findall(r"[A-Za-z]+", text)


def by_name(function):
    return function.__name__


def fixed_part(template: str) -> str:
    """The longest run of a template's words that no placeholder fills."""
    return max(re.split(r"\{\w+\}", template), key=len)


def as_pattern(template: str) -> re.Pattern[str]:
    """A template with anything short in its placeholders."""
    return re.compile(re.sub(r"\{\w+\}", r"[\\w ]+", template.replace(".", r"\.")) + r"(?!\w)")


@pytest.fixture(scope="module")
def giving_texts() -> list[str]:
    rng = Random(11)
    return [function(rng) for _ in range(3_000) for function in GIVING_FUNCTIONS]


@pytest.mark.parametrize("function", TEXT_FUNCTIONS, ids=by_name)
def test_texts_are_finished_varied_and_the_same_for_the_same_seed(function):
    texts = [function(Random(seed)) for seed in range(400)]
    assert texts == [function(Random(seed)) for seed in range(400)]
    assert len(set(texts)) > 200
    for text in texts:
        assert text[-1] in '.?!"' and text[0] in '"' + text[0].upper()
        assert not re.search(r"[{}]|  |\.\.|,\.| \.", text), text
        assert not re.search(r"\b[Aa] [aeio]\w|\b[Aa]n [^aeiouh]", text), text
        assert not re.search(r"\bit it\b|picked up it\b|held out it\b", text), text


def test_articles_and_prepositions_fit_the_word_that_follows():
    assert [with_article(word) for word in ("apple", "pear", "honest", "horse", "honey", "uniform", "umbrella")] == [
        "an apple",
        "a pear",
        "an honest",
        "a horse",
        "a honey",
        "a uniform",
        "an umbrella",
    ]
    assert [at("store"), at("park"), at("lake"), at("island")] == [
        "at the store",
        "in the park",
        "by the lake",
        "on the island",
    ]


def test_gendered_words_name_the_opposite_too():
    assert {key: gender_words("Tom")[key] for key in ("he", "His", "boy", "girl", "wife", "husband")} == {
        "he": "he",
        "His": "His",
        "boy": "boy",
        "girl": "girl",
        "wife": "wife",
        "husband": "husband",
    }
    assert {key: gender_words("Mary", "x_")["x_" + key] for key in ("he", "His", "boy", "girl", "wife")} == {
        "he": "she",
        "His": "Her",
        "boy": "girl",
        "girl": "boy",
        "wife": "husband",
    }


def test_there_are_many_wordings_and_the_canonical_one_is_among_them():
    assert len(set(templates.OPENINGS)) == len(templates.OPENINGS) >= 60
    assert len(ACTIONS) >= 45
    assert len(templates.HELD_OUT_OPENINGS) == 12 and len(templates.HELD_OUT_ACTIONS) == 8
    assert len(set(PRONOUN_STORIES)) == len(PRONOUN_STORIES) >= 40
    assert "When {a} and {b} went to the {place}," in templates.OPENINGS
    assert "gave {thing} to" in templates.ACTIONS["gift"]


def test_the_canonical_wording_is_written():
    canonical = re.compile(r"^When (\w+) and \w+ went to the \w+, (\w+) gave a \w+ to$")
    rng = Random(4)
    prompts = [giving.giving_prompt(rng).prompt for _ in range(15_000)]
    found = [match.groups() for match in map(canonical.match, prompts) if match]
    assert {first == giver for first, giver in found} == {True, False}


def test_openings_name_both_people_once_and_in_order():
    for opening in templates.OPENINGS + templates.HELD_OUT_OPENINGS:
        assert re.findall(r"\{([abc])\}", opening) == ["a", "b"], opening
    for opening in templates.TRIO_OPENINGS:
        assert re.findall(r"\{([abc])\}", opening) == ["a", "b", "c"], opening


@pytest.mark.parametrize("held_out_template", [False, True])
@pytest.mark.parametrize("giver_first", [True, False])
def test_giving_prompts_come_in_both_orders_and_end_before_the_recipient(giver_first, held_out_template):
    rng = Random(5)
    for _ in range(1_000):
        story = giving.giving_prompt(rng, giver_first=giver_first, held_out_template=held_out_template)
        words = words_of(story.prompt)
        assert words.count(story.recipient) >= 1 and words.count(story.giver) >= 2
        assert (words.index(story.giver) < words.index(story.recipient)) == giver_first
        assert set(NAMES).intersection(words) == {story.giver, story.recipient, story.third} - {""}, story.prompt
        if held_out_template:
            assert words.count(story.recipient) == 1 and words.count(story.giver) == 2 and not story.third


def test_neither_the_last_name_nor_the_commonest_tells_who_receives():
    rng, n = Random(23), 4_000
    third = last_is_giver = last_is_recipient = as_often = 0
    for _ in range(n):
        story = giving.giving_prompt(rng)
        told = [word for word in words_of(story.prompt) if word in NAMES]
        third += bool(story.third)
        last_is_giver += told[-1] == story.giver
        last_is_recipient += told[-1] == story.recipient
        as_often += told.count(story.recipient) >= told.count(story.giver)
    assert 0.08 < third / n < 0.16
    assert 0.70 < last_is_giver / n < 0.90 and 0.04 < last_is_recipient / n
    assert 0.05 < as_often / n


def test_a_third_person_is_named_once_and_mostly_after_the_two():
    rng, after, stories = Random(24), 0, []
    while len(stories) < 500:
        story = giving.giving_prompt(rng)
        if story.third:
            stories.append(story)
    for story in stories:
        told = [word for word in words_of(story.prompt) if word in NAMES]
        assert told.count(story.third) == 1 and story.third not in (story.giver, story.recipient)
        assert told.index(story.third) >= 2, story.prompt
        after += told[-1] == story.third
    assert after / len(stories) > 0.6


def test_about_half_of_the_openings_and_actions_are_composed():
    openings = [as_pattern(opening) for opening in templates.OPENINGS]
    ends = [re.compile(as_pattern(action).pattern + "$") for action in ACTIONS]
    rng, n = Random(25), 1_500
    prompts = [giving.giving_prompt(rng).prompt for _ in range(n)]
    new_opening = sum(not any(opening.match(prompt) for opening in openings) for prompt in prompts) / n
    new_action = sum(not any(end.search(prompt) for end in ends) for prompt in prompts) / n
    assert 0.40 < new_opening < 0.60 and 0.25 < new_action < 0.60
    assert len({" ".join(prompt.split()[-3:]) for prompt in prompts}) > n / 3


def test_many_things_are_not_it_and_the_present_stays_the_present():
    rng, many, present = Random(26), 0, 0
    for _ in range(6_000):
        story = giving.giving_prompt(rng)
        tail = giving.ending(rng, story, story.recipient)
        many += story.many
        assert not (story.many and re.search(r"(want|needed|keep) it\b", tail)), tail
        if story.tense == "present":
            present += 1
            assert not re.search(r"\b(was|were|had|did|smiled|thanked|liked|laughed)\b", tail), tail
    assert many > 100 and present > 200


def test_both_orders_are_drawn_equally():
    rng = Random(6)
    stories = [giving.giving_prompt(rng) for _ in range(2_000)]
    first = sum(words_of(s.prompt).index(s.giver) < words_of(s.prompt).index(s.recipient) for s in stories)
    assert 0.45 < first / len(stories) < 0.55


def test_names_can_be_fixed_in_the_order_they_are_told():
    rng = Random(7)
    for giver_first in (True, False):
        story = giving.giving_prompt(rng, names=("Mary", "John"), giver_first=giver_first)
        assert (story.giver, story.recipient) == (("Mary", "John") if giver_first else ("John", "Mary"))
        assert story.prompt.index("Mary") < story.prompt.index("John")


def test_withheld_pairs_never_meet_in_the_giving_stories(giving_texts):
    names = set(NAMES)
    for text in giving_texts:
        for pair in combinations(sorted(names.intersection(words_of(text))), 2):
            assert not pair_is_held_out(*pair), text
    rng = Random(8)
    for _ in range(50):
        story = giving.giving_prompt(rng, held_out=True)
        assert pair_is_held_out(story.recipient, story.giver)


def test_brief_stories_give_to_the_other_one_and_never_pair_withheld_names():
    rng, foreseeable = Random(26), 0
    for _ in range(3_000):
        words = words_of(giving_brief.brief_story(rng))
        first, second = dict.fromkeys(word for word in words if word in NAMES)
        assert not pair_is_held_out(first, second)
        named = [word for word in words if word in NAMES]
        if len(named) == 4:
            assert named[2] != named[3] == words[-1]
        foreseeable += len(named) == 4
    assert 0.85 < foreseeable / 3_000 < 0.91


def test_withheld_scenes_never_meet_in_the_giving_stories(giving_texts):
    places, gifts = set(PLACES), set(templates.CONCRETE_GIFTS)
    met = 0
    for text in giving_texts:
        words = set(words_of(text))
        for place in {place for place in places if place in words or plural(place) in words}:
            for gift in {gift for gift in gifts if gift in words or plural(gift) in words}:
                met += 1
                assert not giving.scene_is_held_out(place, gift), text
    assert met > 2_000
    rng = Random(9)
    for _ in range(100):
        words = set(words_of(giving.giving_prompt(rng, held_out_scene=True).prompt))
        assert any(giving.scene_is_held_out(place, gift) for place in places & words for gift in gifts & words)


def test_withheld_wordings_never_occur_in_the_giving_stories(giving_texts):
    openings = [as_pattern(opening) for opening in templates.HELD_OUT_OPENINGS]
    actions = [as_pattern(action) for action in templates.HELD_OUT_ACTIONS]
    rng = Random(10)
    asked = [giving.giving_prompt(rng, held_out_template=True).prompt for _ in range(600)]
    for pattern in openings + actions:
        assert not [text for text in giving_texts if pattern.search(text)]
        assert any(pattern.search(prompt) for prompt in asked)
    new_opening = [any(opening.search(prompt) for opening in openings) for prompt in asked]
    new_action = [any(action.search(prompt) for action in actions) for prompt in asked]
    assert all(a or b for a, b in zip(new_opening, new_action, strict=True))
    both = sum(a and b for a, b in zip(new_opening, new_action, strict=True))
    assert 0.26 < both / len(asked) < 0.40
    assert 0.60 < sum(new_opening) / len(asked) < 0.73


def test_no_family_writes_a_withheld_opening_frame_or_wording_of_a_fact():
    stream, frames = documents("withheld"), (*templates.HELD_OUT_OPENINGS, *pronouns.HELD_OUT_FRAMES)
    everything = "\n".join(next(stream) for _ in range(20_000))
    everything += "".join("\n" + family.write(Random(seed)) for family in FAMILIES for seed in range(50))
    for frame in frames:
        pattern = as_pattern(frame)
        assert not pattern.search(everything), frame
        assert pattern.search(re.sub(r"\{\w+\}", "some word", frame))
    asked = [prompt for prompt, _ in fact_sentences.held_out_capitals() + fact_sentences.held_out_landmarks()]
    assert not [prompt for prompt in asked if prompt.lower() + " " in everything.lower()]


def test_a_reserved_gift_inside_another_word_is_no_gift():
    place = next(place for place in PLACES if giving.scene_is_held_out(place, "hat"))
    assert giving.meets_reserved(f"At the {place} she lost her hat.")
    assert giving.meets_reserved(f"At the {place} they sold hats.")
    assert not giving.meets_reserved(f"What is that at the {place}?")


def test_no_adverb_is_said_twice_in_a_row(giving_texts):
    assert not [text for text in giving_texts if re.search(r"\bthen,? (\w+ )?then\b", text)]


def test_the_recipient_is_likely_but_not_certain_and_the_giver_rare_but_possible():
    rng = Random(8)
    stories = [giving.giving_prompt(rng) for _ in range(4_000)]
    first_words = [(words_of(giving.recipient_phrase(rng, story))[0], story) for story in stories]
    assert 0.77 < sum(word == story.recipient for word, story in first_words) / 4_000 < 0.83
    assert 0.007 < sum(word == story.giver for word, story in first_words) / 4_000 < 0.025


def test_four_of_ten_endings_tell_on_with_a_pronoun():
    rng, told_on = Random(12), 0
    for _ in range(2_000):
        story = giving.giving_prompt(rng)
        received = giving.recipient_phrase(rng, story)
        tail = {word.lower() for word in words_of(giving.ending(rng, story, received))}
        told_on += bool(tail & (MALE_PRONOUNS | FEMALE_PRONOUNS))
        if (story.giver in MALE_NAMES) == (story.recipient in MALE_NAMES):
            assert not tail & (FEMALE_PRONOUNS if story.giver in MALE_NAMES else MALE_PRONOUNS)
    assert 0.33 < told_on / 2_000 < 0.47


@pytest.mark.parametrize("table", ["NEUTRAL_ENDINGS", "CROSSED_ENDINGS", "BOUND_ENDINGS"])
def test_every_kind_of_action_has_endings(table):
    assert set(getattr(templates, table)) == set(templates.ACTIONS) == set(templates.ACTION_SHARES)


def test_all_names_are_used_about_equally_often(giving_texts):
    counts = dict.fromkeys(NAMES, 0)
    for text in giving_texts:
        for name in counts.keys() & set(words_of(text)):
            counts[name] += 1
    mean = sum(counts.values()) / len(counts)
    assert 0.7 * mean < min(counts.values()) and max(counts.values()) < 1.35 * mean


def test_groups_and_pairs_avoid_what_is_withheld():
    rng = Random(13)
    for _ in range(300):
        assert not any(pair_is_held_out(*pair) for pair in combinations(name_group(rng, size=4), 2))
        assert pair_is_held_out(*name_pair(rng, True))
        assert len({pronoun(name) for name in mixed_pair(rng)}) == 2


def test_stories_about_one_person_use_one_gender_the_right_one():
    rng = Random(14)
    for _ in range(3_000):
        text = pronouns.pronoun_story(rng)
        words = words_of(text)
        (name,) = set(NAMES).intersection(words)
        spoken = {word.lower() for word in words}
        assert not spoken & (FEMALE_PRONOUNS if name in MALE_NAMES else MALE_PRONOUNS), text
        assert spoken & (MALE_PRONOUNS if name in MALE_NAMES else FEMALE_PRONOUNS), text


def test_stories_about_a_couple_use_both_genders():
    rng = Random(15)
    texts = [pronouns.couple_story(rng) for _ in range(500)]
    for text in texts:
        assert len({pronoun(name) for name in set(NAMES).intersection(words_of(text))}) == 2, text
    spoken = [{word.lower() for word in words_of(text)} for text in texts]
    assert all(words & (MALE_PRONOUNS | FEMALE_PRONOUNS) for words in spoken)
    assert sum(bool(words & MALE_PRONOUNS and words & FEMALE_PRONOUNS) for words in spoken) > 400


def test_introductions_give_the_name_its_gender():
    nouns = {"boy": "he", "man": "he", "girl": "she", "woman": "she"}
    rng, checked = Random(16), 0
    for _ in range(2_000):
        match = re.match(r"(\w+) is a (boy|man|girl|woman)\b", pronouns.introduction(rng))
        if match:
            assert nouns[match[2]] == pronoun(match[1])
            checked += 1
    assert checked > 200


def test_tag_questions_withhold_combinations_and_frames():
    held_out_parts = [fixed_part(frame) for frame in pronouns.HELD_OUT_FRAMES]
    assert len(held_out_parts) == 6
    rng = Random(17)
    for _ in range(3_000):
        text = pronouns.pronoun_question(rng)
        assert not [part for part in held_out_parts if part in text]
        words = words_of(text)
        (name,) = set(NAMES).intersection(words)
        assert f" {pronoun(name)}?" in text
        for role in set(ROLES).intersection(words):
            assert not is_held_out("pronoun", name, role), text
    for _ in range(100):
        prompt, he = pronouns.pronoun_prompt(rng, held_out_frame=True)
        assert any(part in prompt for part in held_out_parts)
        (name,) = set(NAMES).intersection(words_of(prompt))
        assert he == pronoun(name)


def test_withheld_tag_questions_pair_a_name_with_a_word_of_its_own():
    rng, words_about = Random(18), {*ROLES, *pronouns.ABILITIES, *pronouns.LIKINGS}
    for _ in range(300):
        prompt, _ = pronouns.pronoun_prompt(rng, held_out=True)
        words = words_of(prompt)
        (name,) = set(NAMES).intersection(words)
        assert any(is_held_out("pronoun", name, word) for word in words_about.intersection(words)), prompt


def test_the_canonical_tag_question_is_a_training_frame():
    assert "So " in pronouns.LEADS
    assert "{name} is a really {adj} {role}, isn't" in pronouns.FRAMES


def test_answers_to_tag_questions_use_the_verb_of_the_tag():
    rng, answered = Random(19), 0
    for _ in range(2_000):
        text = pronouns.pronoun_question(rng)
        tag, _, answer = text.partition("? ")
        if answer:
            verb = tag.split()[-2].removesuffix("n't")
            assert answer.endswith(f" {({'wo': 'will', 'ca': 'can'}).get(verb, verb)}.")
            answered += 1
    assert answered > 500
