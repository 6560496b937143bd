"""What the logit lens tab draws is the methods' own numbers."""

import numpy as np
import pytest

from resstream_demo import logit_lens
from resstream_demo.core.tokens import is_word
from resstream_demo.figures.derived import followed_group
from resstream_demo.figures.numbers import format_number
from resstream_demo.methods.lens_detail import always_first, lens_change, lens_trajectories
from resstream_demo.ui.lens_cell import moved
from resstream_demo.ui.lens_view import ROWS_AT_ONCE, View, curves, draw, followed, rows_shown
from resstream_demo.ui.page import Page
from tests.models_under_test import CLEAN_TEXT, explored
from tests.ui.lens_outcomes import SETTINGS, data_of, outcome_of, ready

COLOURS = ("top", "answer", "rank", "pinned", "entropy", "kl")
POSITION = 5


@pytest.fixture(scope="module")
def page():
    return Page(SETTINGS)


# --- the picture -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("site", ["resid_pre", "resid_mid", "resid_post", "attn_out", "mlp_out"])
@pytest.mark.parametrize("norm", ["fresh", "final"])
def test_the_colours_show_the_methods_numbers(page, site, norm):
    model, pinned = explored("plain"), ((41, 77),)
    outcome = outcome_of(page, pinned, site=site, norm=norm)
    result = logit_lens(model, CLEAN_TEXT, sites=(site,), norm=norm, targets=(" Mary", 41, 77))
    expected = {
        "top": result.top_probs[:, :, 0],
        "answer": result.target_probs[:, :, 0],
        "rank": np.log10(1 + result.target_ranks[:, :, 0]),
        "pinned": result.target_probs[:, :, 1] + result.target_probs[:, :, 2],
        "entropy": result.entropy,
        "kl": result.kl_to_final,
    }
    assert set(expected) == set(COLOURS) == {value for _, value in page.lens.colour.choices}
    for colour, values in expected.items():
        grid = draw(outcome, View(colour=colour), pinned)
        np.testing.assert_allclose(grid.values, values, atol=1e-6, err_msg=colour)
        assert grid.payload()["scale"]["beyond"] == 0
        assert grid.text == [[result.top_tokens(r, t)[0] for t in range(len(result.prompt))] for r in range(4)]


def test_the_pinned_colour_is_the_first_groups_and_else_the_answers(page):
    outcome = outcome_of(page, ((41,), (17,)))
    first = draw(outcome, View(colour="pinned"), ((41,), (17,))).values
    assert np.array_equal(first, followed_group(outcome.result, (41,))[0])
    assert not np.array_equal(first, followed_group(outcome.result, (17,))[0])
    answer = draw(outcome, View(colour="pinned"), ())
    assert np.array_equal(answer.values, outcome.result.target_probs[:, :, 0]) and "␣Mary" in answer.scale.label


def test_without_an_answer_the_picture_says_why_it_is_empty(page):
    outcome = outcome_of(page, asked=ready("", ""))
    for colour, reason in (("answer", "No answer"), ("rank", "No answer"), ("pinned", "No token is followed")):
        grid = draw(outcome, View(colour=colour), ())
        assert all(value is None for row in grid.values for value in row) and reason in grid.reasons
        assert grid.payload()["text"] is not None


@pytest.mark.parametrize("colour", COLOURS)
def test_two_norms_are_drawn_on_one_scale(page, colour):
    outcome = outcome_of(page, norm="both")
    assert [lens.result.norm for lens in outcome.lenses] == ["fresh", "final"] and outcome.result.norm == "fresh"
    grids = [draw(outcome, View(colour=colour), (), which) for which in (0, 1)]
    scales = [grid.payload()["scale"] for grid in grids]
    assert scales[0] == scales[1] and scales[0]["beyond"] == 0
    assert grids[0].title != grids[1].title and not np.array_equal(grids[0].values[0], grids[1].values[0])
    assert draw(outcome_of(page), View(colour=colour), ()).title == ""


# --- rows ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [2, 3, 7, 13, 25, 26, 37, 49, 97])
@pytest.mark.parametrize("every", ["auto", "1", "2", "4", "8"])
def test_a_stride_keeps_the_first_and_the_last_row(rows, every):
    shown = rows_shown(rows, every)
    assert shown[0] == 0 and shown[-1] == rows - 1
    steps = set(np.diff(shown[1:]).tolist())
    assert len(steps) <= 1 and shown[1] - shown[0] <= max(steps, default=rows)
    if every == "auto":
        assert len(shown) <= ROWS_AT_ONCE and (rows > ROWS_AT_ONCE or len(shown) == rows)
    else:
        assert steps <= {int(every)}


def test_a_thinned_picture_shows_the_same_cells(page):
    outcome = outcome_of(page)
    whole, thin = (draw(outcome, View(every=every), ()) for every in ("1", "2"))
    rows = rows_shown(4, "2")
    assert rows == [0, 1, 3] and list(thin.rows) == [whole.rows[r] for r in rows] and "one row in 2" in thin.row_title
    assert np.array_equal(thin.values, np.array(whole.values)[rows]) and thin.text == [whole.text[r] for r in rows]
    for position, trails in enumerate(thin.trails.columns):
        for (name, few), (other, all_rows) in zip(trails, whole.trails.columns[position], strict=True):
            assert name == other and np.array_equal(few, all_rows[rows])


# --- what hovering shows -------------------------------------------------------------------------------------------


def test_hovering_lists_the_likeliest_tokens_and_the_path_of_the_first(page):
    outcome, model = outcome_of(page), explored("plain")
    grid = draw(outcome, View(colour="entropy"), ())
    for row, position in ((0, 0), (2, POSITION), (3, 3)):
        expected = zip(outcome.result.top_tokens(row, position), outcome.result.top_probs[row, position], strict=True)
        assert grid.hover[row][position] == [(name, format_number(p)) for name, p in list(expected)[:5]]
        name, path = grid.trails.columns[position][grid.trails.keys[row][position]]
        first = int(outcome.result.top_ids[row, position, 0])
        assert name == model.show(first) == grid.text[row][position]
        np.testing.assert_allclose(
            path, lens_trajectories(model, CLEAN_TEXT, [first], position=position).probs[:, 0], atol=1e-6
        )
    assert [len(trails) for trails in grid.trails.columns] == [
        len(always_first(outcome.result, t)) for t in range(len(outcome.result.prompt))
    ]


def test_the_rank_is_told_in_words_beside_its_logarithm(page):
    outcome = outcome_of(page)
    line = draw(outcome, View(colour="rank"), ()).hover[0][POSITION][-1]
    assert f"place {outcome.result.target_ranks[0, POSITION, 0] + 1:,}" in line


def test_words_only_keeps_words_and_the_true_first_which_it_names(page):
    outcome, model = outcome_of(page), explored("plain")
    grid = draw(outcome, View(colour="entropy", words=True), ())
    marked = 0
    for row, position in np.ndindex(*outcome.result.entropy.shape):
        ids = outcome.result.top_ids[row, position].tolist()
        words = [is_word(model.answer(i).text) for i in ids]
        expected = [model.show(i) for n, i in enumerate(ids) if not n or words[n]][:5]
        assert [name for name, _ in grid.hover[row][position]] == expected
        assert ("no word" in grid.hover[row][position][0][1]) == (not words[0])
        marked += not words[0]
    assert 0 < marked < outcome.result.entropy.size


# --- the selected cell ---------------------------------------------------------------------------------------------


def test_moves_are_told_from_ranks():
    assert [moved(0, 0), moved(0, 312), moved(4, 1), moved(2, None)] == ["=", "↑312", "↓3", "new"]
    assert moved(0, 1234) == "↑1,234"


@pytest.mark.parametrize("words", [False, True])
@pytest.mark.parametrize("norm", ["fresh", "final"])
def test_the_detail_is_complete_once_the_moment_has_passed(page, words, norm):
    tab, model = page.lens, explored("plain")
    data = data_of(page, words=words, norm=norm)
    outcome, asked = outcome_of(page, words=words, norm=norm), ready()
    data[tab.outcome] = outcome
    row, position = 2, POSITION
    quick = tab.describe(outcome, (row, position), data)
    assert len(quick.tables) == 1
    updates = tab.more(asked, outcome, (row, position), data)
    full = updates[tab.detail]["value"]
    change = lens_change(model, CLEAN_TEXT, row, position=position, norm=norm, k=10, words_only=words)
    likeliest, raised, lowered = full.tables
    below = zip(change.ranks.tolist(), change.ranks_below.tolist(), strict=True)
    assert [cells[0] for cells in likeliest.rows] == list(change.tokens)
    assert [cells[2] for cells in likeliest.rows] == [moved(*pair) for pair in below]
    assert [cells[3] for cells in likeliest.rows] == [str(i) for i in change.ids]
    np.testing.assert_allclose([cells[1] for cells in likeliest.rows], change.probs, atol=1e-6)
    for table, part in ((raised, change.promoted), (lowered, change.suppressed)):
        for n, (token, value, before, after) in enumerate(table.rows):
            assert token == part.tokens[n] and value == format_number(float(part.values[n]), 2, signed=True)
            assert (before, after) == pytest.approx((part.probs_below[n], part.probs[n]), abs=1e-6)
    assert updates[tab.listed][0] == tuple(change.ids.tolist())
    for cells in quick.tables[0].rows:  # what was shown at once was true
        sure = next(other for other in likeliest.rows if other[3] == cells[3])
        assert cells[2] == "new" and int(sure[2][1:].replace(",", "")) > 0 or cells[2] == sure[2]


def test_the_lowest_row_has_nothing_below_it(page):
    tab, outcome, asked = page.lens, outcome_of(page), ready()
    data = {**data_of(page), page.lens.outcome: outcome}
    detail = tab.more(asked, outcome, (0, POSITION), data)[tab.detail]["value"]
    assert len(detail.tables) == 1 and len(detail.tables[0].columns) == 3 and "lowest row" in detail.notes[0]


def test_the_detail_says_how_answer_and_contrast_and_the_prompts_own_token_stand(page):
    outcome = outcome_of(page)
    result, row = outcome.result, 3
    facts = dict(page.lens.describe(outcome, (row, POSITION), data_of(page)).facts)
    for n, name in enumerate(("answer ␣Mary", "contrast ␣John")):
        chance, place = facts[name].split(", place ")
        assert chance == format_number(result.target_probs[row, POSITION, n])
        assert int(place.replace(",", "")) == result.target_ranks[row, POSITION, n] + 1
    following = result.prompt.ids[POSITION + 1]
    ids = result.top_ids[row, POSITION].tolist()
    stands = f"place {ids.index(following) + 1}" if following in ids else "not among the 10 likeliest"
    assert facts["the prompt goes on with"] == f"{result.prompt.tokens[POSITION + 1]}, {stands}"
    last = dict(page.lens.describe(outcome, (row, len(result.prompt) - 1), data_of(page)).facts)
    assert "the prompt goes on with" not in last


# --- curves --------------------------------------------------------------------------------------------------------


def test_nobody_having_pinned_anything_answer_contrast_and_leaders_are_followed(page):
    outcome = outcome_of(page)
    for position in range(len(outcome.result.prompt)):
        groups = followed(outcome, outcome.lenses[0], (), position, False)
        given = [(token.id,) for token in outcome.result.targets]
        assert list(groups[:2]) == given and len(groups) <= 6 and len(set(groups)) == len(groups)
        leaders = {(i,) for i in always_first(outcome.result, position)}
        assert set(groups[2:]) <= leaders and (len(groups) == 6 or leaders <= set(groups))
    assert followed(outcome, outcome.lenses[0], ((3, 4),), 0, False) == ((3, 4),)
    for (token,) in followed(outcome, outcome.lenses[0], (), POSITION, True)[2:]:
        assert is_word(explored("plain").answer(token).text)


@pytest.mark.parametrize("norm", ["fresh", "final"])
def test_curves_are_the_methods_numbers(page, norm):
    tab, model, asked = page.lens, explored("plain"), ready()
    for pinned in ((), ((41, 77), (17,))):
        outcome = outcome_of(page, pinned, norm=norm)
        data = {**data_of(page, pinned, norm=norm), tab.outcome: outcome}
        closer = tab.more(asked, outcome, (3, POSITION), data)[tab.closer]
        groups = followed(outcome, outcome.lenses[0], pinned, POSITION, False)
        truth = lens_trajectories(model, CLEAN_TEXT, groups, position=POSITION, norm=norm)
        chances, places = (
            curves(outcome, 0, pinned, POSITION, View(curve=curve), closer) for curve in ("prob", "rank")
        )
        assert [c.name for c in chances.series] == list(truth.names) and chances.removable == bool(pinned)
        assert [c.group for c in chances.series] == [len(group) > 1 for group in groups]
        np.testing.assert_allclose(np.transpose([c.values for c in chances.series]), truth.probs, atol=1e-6)
        assert np.array_equal(np.transpose([c.values for c in places.series]), truth.ranks + 1)
        assert places.payload() and chances.payload()


def test_places_not_known_yet_are_gaps(page):
    outcome = outcome_of(page)
    truth = lens_trajectories(
        explored("plain"), CLEAN_TEXT, followed(outcome, outcome.lenses[0], (), POSITION, False), position=POSITION
    )
    quick = curves(outcome, 0, (), POSITION, View(curve="rank"), None)
    gaps = 0
    for curve, ranks in zip(quick.series, truth.ranks.T, strict=True):
        for shown, rank in zip(curve.values, ranks, strict=True):
            assert shown is None and rank >= 10 or shown == rank + 1
            gaps += shown is None
    assert gaps
