"""Eliminations name what is left, and no set of things asked about later is ever listed in training."""

import re
from itertools import combinations
from random import Random

import pytest

from resstream_demo.tiny.corpus import elimination, elimination_wordings
from resstream_demo.tiny.corpus.held_out import is_held_out

ELIMINATIONS = (
    *elimination_wordings.PEOPLE_TEMPLATES,
    *elimination_wordings.THING_TEMPLATES,
    *elimination_wordings.OTHER_TEMPLATES,
    *elimination_wordings.BARE_TEMPLATES,
)


def words_of(text: str) -> list[str]:
    return re.findall(r"[\w'-]+", text)


def test_what_is_left_is_listed_but_not_used_and_the_wrong_answer_is_used():
    rng = Random(20)
    for held_out in (False, True):
        for _ in range(1_000):
            prompt, answer, wrong = elimination.elimination_prompt(rng, held_out=held_out)
            words = [word.lower() for word in words_of(prompt)]
            assert words.count(answer.lower()) == 1, (prompt, answer)
            assert words.count(wrong.lower()) == 2, (prompt, wrong)


def test_there_are_many_templates():
    assert len(set(ELIMINATIONS)) >= 60


@pytest.mark.parametrize("template", ELIMINATIONS, ids=lambda template: template.prompt)
def test_every_elimination_uses_all_members_but_one_and_sets_are_withheld(template):
    listed = {int(index) for index in re.findall(r"\{a?i(\d)\}", template.prompt)}
    used = {int(index) for index in re.findall(r"\{a?u(\d)\}", template.prompt)}
    assert listed == set(range(template.size)) and used == set(range(template.size - 1))
    for pool in template.pools:
        assert len(set(pool)) == len(pool) > template.size
    sets = [is_held_out("left", *sorted(items)) for items in combinations(template.pools[0][:20], template.size)]
    assert any(sets) and not all(sets)
    assert not is_held_out("left", *sorted(elimination.draw_round(Random(1), template, False).members))
    assert is_held_out("left", *sorted(elimination.draw_round(Random(1), template, True).members))


def test_withheld_sets_are_never_listed_together_in_eliminations():
    rng, asked, chained = Random(21), 0, 0
    for _ in range(3_000):
        rounds = elimination.elimination_rounds(rng)
        for one in rounds:
            assert {one.answer, one.wrong} <= set(one.members)
            assert not is_held_out("left", *sorted(one.members)), one.text
        text = elimination.elimination_text(rng)
        for pair in re.findall(r"Was it (\w+) or (\w+)\?|(\w+) and (\w+) played chess", text):
            assert not is_held_out("left", *sorted(filter(None, pair))), text
            asked += 1
        chained += len(rounds) > 1
    assert asked > 30 and chained > 200


def test_drill_rows_name_the_one_member_that_is_left():
    rng, checked = Random(22), 0
    for _ in range(3_000):
        row = elimination.elimination_row(rng)
        for listed, ruled_out, left in re.findall(r"([\w, ]+): ((?:not \w+, )*not \w+), so (\w+)\.", row):
            members = {word.strip().lower() for word in listed.strip().removeprefix("From ").split(",")}
            used = {word.removeprefix("not ").lower() for word in ruled_out.split(", ")}
            assert members - used == {left.lower()}, row
            checked += 1
    assert checked > 100
