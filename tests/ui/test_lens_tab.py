"""What people pick on the logit lens tab is there in all of its parts."""

from types import SimpleNamespace

import gradio as gr
import numpy as np
import pytest

from resstream_demo.methods.lens_detail import lens_change, lens_trajectories
from resstream_demo.ui import lens_tab
from resstream_demo.ui.lens_tab import read_group
from resstream_demo.ui.page import Page
from resstream_demo.ui.selection import Selection
from tests.models_under_test import explored
from tests.ui.lens_outcomes import SETTINGS, ready
from tests.ui.test_stale import Visitor


@pytest.fixture(scope="module")
def page():
    return Page(SETTINGS)


@pytest.fixture
def visitor(page):
    return Visitor(page)


@pytest.fixture
def tab(page):
    return page.lens


def event(index, value=None) -> SimpleNamespace:
    return SimpleNamespace(index=index, value=value)


def sets_off(page, visitor, answer, index=None) -> None:
    """One of the tab's own events, as the page answers it."""
    reaction = next(r for r in page.lens.reactions() if r.answer == answer)
    handler = page.react(page.lens, reaction)
    if reaction.computes:
        visitor.run(lambda data: handler(data, event(index)))
    else:
        visitor.take(handler(dict(visitor.data), event(index)))


def clicks(page, visitor, cell) -> None:
    """A click on the picture, and what is computed after it."""
    visitor.take(page.cell_clicked(page.lens)(dict(visitor.data), event(list(cell))))
    visitor.take(page.cell_more(page.lens)(dict(visitor.data)))


def names(visitor, tab) -> list[str]:
    return [curve.name for curve in visitor.drawn[tab.curves].series]


# --- cells ---------------------------------------------------------------------------------------------------------


def test_a_click_on_a_thinned_picture_selects_the_row_that_is_there(page, visitor, tab):
    visitor.sets(tab.every, "4")
    visitor.take(tab.redrawn(visitor.data))
    drawn = visitor.drawn[tab.grid].rows
    assert len(drawn) < len(visitor.data[tab.outcome].result.row_names)
    for row, name in enumerate(drawn):
        clicks(page, visitor, (row, 3))
        assert visitor.drawn[tab.detail].title.startswith(f"{name} · position 3")
        assert visitor.drawn[tab.curves].x[visitor.marks[tab.curves]["selected"]] == name
        visitor.take(tab.followed(visitor.data))
        assert visitor.marks[tab.grid]["selected"] == [row, 3]
    visitor.sets(page.selection, visitor.data[page.selection].at(0, 3))  # a layer that is left out
    visitor.take(tab.followed(visitor.data))
    assert visitor.marks[tab.grid]["selected"] is None and visitor.drawn[tab.detail].title.startswith("L0")


def test_a_click_on_a_picture_that_has_been_replaced_is_let_pass(visitor, tab):
    for cell in ((99, 0), (0, 99), (-1, 0)):
        assert tab.clicked(visitor.data, cell) == {}


def test_another_position_shows_what_is_at_hand_until_it_is_computed(page, visitor, tab):
    clicks(page, visitor, (3, 4))
    assert len(visitor.drawn[tab.detail].tables) == 3
    visitor.take(page.cell_clicked(tab)(visitor.data, event([4, 4])))  # same position: all rows are known
    assert len(visitor.drawn[tab.detail].tables) == 3 and visitor.drawn[tab.detail].title.startswith("L3")
    visitor.take(page.cell_clicked(tab)(visitor.data, event([4, 7])))
    assert len(visitor.drawn[tab.detail].tables) == 1
    visitor.take(page.cell_more(tab)(visitor.data))
    assert len(visitor.drawn[tab.detail].tables) == 3


def test_the_page_opens_with_all_there_is_to_say_about_the_last_token(visitor, tab):
    assert visitor.data[tab.closer] is None and len(visitor.drawn[tab.detail].tables) == 3
    visitor.take(tab.shown(visitor.data[tab.outcome], visitor.data))
    assert len(visitor.drawn[tab.detail].tables) == 3


def test_what_takes_long_is_computed_when_the_picture_is_there(page, tab, monkeypatch):
    monkeypatch.setattr(lens_tab, "QUICK", 0)
    data = {component: getattr(component, "value", None) for component in page.everything()}
    outcome, asked = tab.run(ready(), data), ready()
    data[tab.outcome] = outcome
    cell = tab.cell(outcome.result, data[page.selection])
    assert outcome.closer is None and len(tab.describe(outcome, cell, data).tables) == 1
    assert len(tab.more(asked, outcome, cell, data)[tab.detail]["value"].tables) == 3


def test_the_filter_changes_the_detail_at_once(page, visitor, tab):
    clicks(page, visitor, (1, 14))
    visitor.sets(tab.words, True)
    visitor.take(tab.redrawn(visitor.data))
    differing = 0
    for row in range(1, 7):
        visitor.take(page.cell_clicked(tab)(visitor.data, event([row, 14])))
        how = {"row": row, "position": 14, "k": 10}
        every, words = (
            lens_change(page.store.get("tiny"), visitor.data[page.bar.clean], **how, words_only=only)
            for only in (False, True)
        )
        for table, part in zip(
            visitor.drawn[tab.detail].tables, (words, words.promoted, words.suppressed), strict=True
        ):
            assert [cells[0] for cells in table.rows] == list(part.tokens[: len(table.rows)])
        differing += every.suppressed.tokens != words.suppressed.tokens
    assert differing and "words" in visitor.drawn[tab.detail].tables[0].caption


def test_a_place_on_the_curves_selects_that_row_everywhere(page, visitor, tab):
    clicks(page, visitor, (6, 8))
    sets_off(page, visitor, tab.curve_chosen, ["x", 2])
    assert visitor.data[page.selection].layer == 1 and visitor.data[page.selection].position == 8
    assert visitor.drawn[tab.detail].title.startswith("L1 · position 8") and len(visitor.drawn[tab.detail].tables) == 3
    assert visitor.marks[tab.grid]["selected"] == [2, 8] and visitor.marks[tab.curves]["selected"] == 2
    assert visitor.marks[page.bar.strip]["selected"] == 8
    sets_off(page, visitor, tab.curve_chosen, ["x", 99])
    assert visitor.data[page.selection].layer == 1


def test_curves_follow_the_position(page, visitor, tab):
    clicks(page, visitor, (4, 3))
    assert "position 3" in visitor.drawn[tab.curves].title
    visitor.take(page.token_clicked(visitor.data, event(["clean", 9])))
    assert "position 9" in visitor.drawn[tab.curves].title and "position 9" in visitor.drawn[tab.detail].title


# --- following tokens ----------------------------------------------------------------------------------------------


def test_a_row_of_the_list_is_followed_and_let_go(page, visitor, tab):
    clicks(page, visitor, (4, 6))
    chosen = visitor.data[tab.listed][0][3]
    name = visitor.drawn[tab.detail].tables[0].rows[3][0]
    sets_off(page, visitor, tab.row_chosen, [0, 3])
    assert visitor.data[page.selection].pinned == ((chosen,),) and names(visitor, tab) == [name]
    assert visitor.drawn[tab.curves].removable and visitor.drawn[tab.detail].tables[0].rows[3][3] == f"{chosen} ★"
    assert len(visitor.drawn[tab.detail].tables) == 3 and not visitor.sees_stale(tab)
    result = visitor.data[tab.outcome].result
    assert chosen in [token.id for token in result.targets], "so that files hold it, too"
    raised = visitor.data[tab.listed][1][0]
    sets_off(page, visitor, tab.row_chosen, [1, 0])
    assert visitor.data[page.selection].pinned == ((chosen,), (raised,))
    sets_off(page, visitor, tab.row_chosen, [0, 3])
    assert visitor.data[page.selection].pinned == ((raised,),)
    for nothing in ([9, 0], [0, 99], [-1, 0]):
        sets_off(page, visitor, tab.row_chosen, nothing)
    assert visitor.data[page.selection].pinned == ((raised,),)


def test_tokens_named_together_are_added_up(page, visitor, tab):
    visitor.sets(tab.follow, " Mary+John ")
    sets_off(page, visitor, tab.named)
    (group,) = visitor.data[page.selection].pinned
    assert len(group) == 2 and names(visitor, tab) == [" + ".join(f"␣{n}" for n in ("John", "Mary"))]
    assert visitor.data[tab.follow] == "" and "leading space" in visitor.drawn[tab.note]
    model = page.store.get("tiny")
    truth = lens_trajectories(model, visitor.data[page.bar.clean], [group])
    np.testing.assert_allclose(visitor.drawn[tab.curves].series[0].values, truth.probs[:, 0], atol=1e-6)


@pytest.mark.parametrize("text", ["", "  ", "Mary + ", "Mary John", "+".join(["Mary"] * 11), "x" * 300])
def test_what_names_no_token_gets_a_sentence_and_changes_nothing(page, visitor, tab, text):
    before = visitor.data[page.selection]
    visitor.sets(tab.follow, text)
    sets_off(page, visitor, tab.named)
    assert visitor.drawn[tab.error] is not None and visitor.data[page.selection] == before
    assert visitor.data[tab.follow] == text and not visitor.sees_stale(tab)


def test_a_plus_by_itself_is_a_token():
    assert [token.text for token in read_group(ready(), " + ")] == ["+"]
    assert [token.text for token in read_group(ready(), "#41+#17")] == [
        explored("plain").answer(i).text for i in (41, 17)
    ]


def test_no_more_than_a_link_can_hold_are_followed(page, visitor, tab):
    visitor.sets(page.selection, Selection(pinned=tuple((n,) for n in range(20))))
    visitor.sets(tab.follow, "Mary")
    sets_off(page, visitor, tab.named)
    assert "already" in visitor.drawn[tab.error].title and len(visitor.data[page.selection].pinned) == 20


def test_a_removed_line_takes_no_run_and_makes_nothing_stale(page, visitor, tab, monkeypatch):
    for row in (0, 1):
        sets_off(page, visitor, tab.row_chosen, [0, row])
    kept = visitor.data[page.selection].pinned[1]
    monkeypatch.setattr(type(tab), "run", lambda *args: pytest.fail("nothing has to be computed"))
    sets_off(page, visitor, tab.curve_chosen, ["remove", 0])
    assert visitor.data[page.selection].pinned == (kept,) and len(names(visitor, tab)) == 1
    assert not visitor.sees_stale(tab)
    sets_off(page, visitor, tab.curve_chosen, ["remove", 5])
    assert visitor.data[page.selection].pinned == (kept,)
    sets_off(page, visitor, tab.curve_chosen, ["remove", 0])
    assert not visitor.data[page.selection].pinned and len(names(visitor, tab)) > 1


def test_what_is_pinned_elsewhere_is_computed_when_the_tab_is_opened(page, visitor, tab):
    visitor.sets(page.selection, Selection(pinned=((11,), (12, 13))))
    visitor.take(page.tab_opened(tab)(visitor.data))
    assert not visitor.sees_stale(tab)
    assert all(value is None for curve in visitor.drawn[tab.curves].series for value in curve.values)
    visitor.take(page.cell_more(tab)(visitor.data))
    assert all(value is not None for curve in visitor.drawn[tab.curves].series for value in curve.values)


def test_following_runs_what_is_in_the_bar_if_that_has_changed(page, visitor, tab):
    visitor.sets(page.bar.clean, "When Mary and John went to the store")
    visitor.take(page.edited(visitor.data))
    assert visitor.sees_stale(tab) and visitor.marks[tab.curves]["stale"]
    sets_off(page, visitor, tab.row_chosen, [0, 0])
    assert not visitor.sees_stale(tab) and not visitor.marks[tab.curves]["stale"]
    assert len(visitor.data[tab.outcome].result.prompt) == 9


def test_a_link_may_follow_tokens_and_what_the_model_lacks_is_said(page, visitor):
    tab = page.lens
    visitor.sets(page.selection, Selection(pinned=((11,), (9_999_999,), (11, 9_999_999))))
    visitor.run(page.run_tab(tab))
    assert visitor.data[page.selection].pinned == ((11,),) and len(names(visitor, tab)) == 1
    assert "#9999999" in visitor.drawn[tab.error].title and "#11 + #9999999" in visitor.drawn[tab.error].title
    assert not visitor.sees_stale(tab)


def test_tokens_that_are_others_to_another_model_are_let_go(page, visitor, tab):
    own, other = page.store.get("tiny"), explored("plain")
    ids = range(min(own.vocab_size, other.vocab_size))
    changed = next(i for i in ids if own.show(i) != other.show(i))
    shared = next(i for i in ids if own.show(i) == other.show(i))
    visitor.sets(tab.follow, f"#{changed}")
    sets_off(page, visitor, tab.named)
    data = {**visitor.data, page.selection: Selection(pinned=((changed,), (shared,)))}
    outcome = tab.run(ready(), data)
    assert outcome.dropped == ((changed,),) and outcome.options.follow == ((shared,),)
    shown = tab.shown(outcome, {**data, tab.outcome: outcome})
    assert shown[page.selection].pinned == ((shared,),) and shown[tab.error]["value"].kind == "warning"
    assert [curve.name for curve in shown[tab.curves]["value"].series] == [other.show(shared)]


# --- two norms -----------------------------------------------------------------------------------------------------


def test_a_click_on_either_norm_is_described_by_that_norm(page, visitor, tab):
    visitor.sets(tab.norm, "both")
    visitor.run(page.run_tab(tab))
    assert visitor.drawn[tab.beside] is not None
    cell = [2, 12]
    clicks(page, visitor, cell)
    fresh = visitor.drawn[tab.detail]
    assert visitor.marks[tab.beside]["selected"] == cell
    sets_off(page, visitor, tab.beside_clicked, cell)
    final = visitor.drawn[tab.detail]
    assert "own scale" in fresh.subtitle and "last layer’s scale" in final.subtitle
    assert visitor.marks[tab.grid]["selected"] == cell and visitor.marks[page.bar.strip]["selected"] == 12
    model = page.store.get("tiny")
    for detail, norm in ((fresh, "fresh"), (final, "final")):
        truth = lens_change(model, visitor.data[page.bar.clean], 2, position=12, norm=norm, k=10)
        assert [cells[0] for cells in detail.tables[0].rows] == list(truth.tokens)
        assert [cells[0] for cells in detail.tables[1].rows] == list(truth.promoted.tokens[:6])
    assert "final norm" in visitor.drawn[tab.curves].title
    visitor.sets(tab.norm, "final")
    visitor.run(page.run_tab(tab))
    assert visitor.drawn[tab.beside] is None and visitor.data[tab.outcome].result.norm == "final"
    assert "scale" not in visitor.drawn[tab.detail].subtitle


def test_another_norm_never_meets_what_was_computed_of_the_first(page, visitor, tab, monkeypatch):
    monkeypatch.setattr(lens_tab, "QUICK", 0)
    for norm in ("fresh", "final", "both", "fresh", "both"):
        visitor.sets(tab.norm, norm)
        visitor.run(page.run_tab(tab))
        assert visitor.drawn[tab.error] is None and len(visitor.drawn[tab.detail].tables) == 3
        clicks(page, visitor, (3, 4))
        truth = lens_change(page.store.get("tiny"), visitor.data[page.bar.clean], 3, position=4, k=10,
                            norm="final" if norm == "final" else "fresh")  # fmt: skip
        assert [cells[0] for cells in visitor.drawn[tab.detail].tables[1].rows] == list(truth.promoted.tokens[:6])


def test_switching_between_norms_computes_each_once(page, visitor, tab, monkeypatch):
    computed = []
    compute = type(tab).compute
    monkeypatch.setattr(
        type(tab), "compute", staticmethod(lambda ready, *rest: computed.append(rest[0].norm) or compute(ready, *rest))
    )
    visitor.sets(page.bar.clean, "Nobody else has asked for the norms of this")
    for norm in ("fresh", "both", "final", "both"):
        visitor.sets(tab.norm, norm)
        visitor.run(page.run_tab(tab))
    assert computed == ["fresh", "final"]


# --- layout --------------------------------------------------------------------------------------------------------


def test_every_option_can_travel_in_a_link(page, tab):
    options = [*tab.run_options, *tab.view_options]
    assert all(option.elem_id.startswith("lens-") for option in options)
    assert {option.elem_id for option in options} <= set(page.share.components)
    for option in options:
        assert isinstance(option, gr.Checkbox) or all(isinstance(value, str) for _, value in option.choices)
