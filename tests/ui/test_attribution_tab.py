"""The attribution tab on its page: what it is asked for, and how one selection leads to the next."""

from types import SimpleNamespace

import numpy as np
import pytest

from resstream_demo import direct_logit_attribution, load_model
from resstream_demo.core.errors import TokenError
from resstream_demo.core.settings import Settings
from resstream_demo.methods.components import head_detail, mlp_detail
from resstream_demo.ui import attribution_parts as parts
from resstream_demo.ui import attribution_view as view
from resstream_demo.ui import session
from resstream_demo.ui.attribution_parts import Part
from resstream_demo.ui.attribution_tab import PositionMenu, quietly
from resstream_demo.ui.page import Page
from resstream_demo.ui.selection import Selection
from resstream_demo.ui.session import AttributionOptions, Inputs
from tests.models_under_test import ANSWER, CLEAN_TEXT, CONTRAST, explored
from tests.ui.test_attribution_view import attribution, id_of, plain_logits
from tests.ui.test_stale import Visitor

# --- what is asked for ---------------------------------------------------------------------------------------


def ready_for(contrast: str = CONTRAST) -> session.Ready:
    inputs = Inputs(CLEAN_TEXT, "", ANSWER, contrast, "plain", True)
    return session.read_inputs(explored("plain"), inputs, Settings())


@pytest.mark.parametrize("position", [-1, 5])
def test_the_difference_is_what_the_two_tokens_have_apart(position):
    ready = ready_for()
    found = {
        explain: session.run_attribution(ready, AttributionOptions(position=position, explain=explain))
        for explain in ("difference", "answer", "contrast")
    }
    logits = plain_logits("plain")[position]
    assert found["answer"].total == pytest.approx(float(logits[id_of(ANSWER)]), abs=2e-4)
    assert found["contrast"].total == pytest.approx(float(logits[id_of(CONTRAST)]), abs=2e-4)
    np.testing.assert_allclose(found["answer"].values - found["contrast"].values, found["difference"].values, atol=1e-4)
    assert view.what(found["contrast"]) == "logit of ␣John"


def test_without_a_contrast_there_is_none_to_explain():
    ready = ready_for("")
    with pytest.raises(TokenError, match="no contrast to explain"):
        session.run_attribution(ready, AttributionOptions(explain="contrast"))
    assert session.run_attribution(ready, AttributionOptions()).contrast is None


def test_every_position_is_on_the_menu_once_the_last_one_first():
    result = attribution()
    choices = view.positions(result)
    assert choices[0] == ("13 ␣to", -1)
    assert [value for _, value in choices[1:]] == list(range(len(result.prompt) - 1))
    assert choices[3] == ("2 ␣Mary", 2)


def test_a_position_that_comes_by_a_link_before_the_menu_is_filled_is_kept():
    menu = PositionMenu([("…", -1)], value=-1)
    assert [menu.preprocess(given) for given in (5, -1, "5", None, True, [3])] == [5, -1, -1, -1, -1, -1]
    assert menu.get_block_name() == "dropdown"


# --- on the page ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page():
    return Page(Settings())


@pytest.fixture
def visitor(page):
    found = Visitor(page)
    found.run(page.run_tab(page.attribution))
    return found


@pytest.fixture(scope="module")
def tiny():
    return load_model("tiny")


def event(index, value=None):
    return SimpleNamespace(index=index, value=value)


def picks(page, visitor, answer, index) -> None:
    """An event of the tab's own, and what takes the model about it."""
    tab = page.attribution
    visitor.take(answer(visitor.data, event(index)))
    kept = (tab.known, tab.detail, tab.checks)
    reaction = next(r for r in tab.reactions() if r.computes)
    for updates in quietly(page.react(tab, reaction), kept)(dict(visitor.data)):
        assert not set(updates) - set(kept) or "__type__" in updates, "nothing else on the page moves"
        visitor.take(updates)


def test_a_run_looks_into_the_largest_head(page, visitor, tiny):
    tab = page.attribution
    result = visitor.data[tab.outcome].result
    part = parts.selected(result, Selection())
    found = head_detail(tiny, result.prompt.text, part.layer, part.head, result.answer, result.contrast)
    assert visitor.drawn[tab.detail].title == f"Head L{part.layer}H{part.head}"
    assert [row[2] for row in visitor.drawn[tab.detail].tables[0].rows] == pytest.approx(found.pattern.tolist())
    assert [r.name for r in visitor.drawn[tab.checks].receipts] == [r.name for r in found.receipts[:-1]]
    assert visitor.marks[tab.waterfall]["selected"] == parts.bar_of(result, part)


def test_a_click_on_an_mlps_bar_shows_its_neurons_and_selects_its_cell(page, visitor, tiny):
    tab = page.attribution
    result = visitor.data[tab.outcome].result
    picks(page, visitor, tab.bar_picked, parts.bar_of(result, Part("mlp", 2)))
    found = mlp_detail(tiny, result.prompt.text, 2, result.answer, result.contrast, neurons=view.NEURONS)
    shown = visitor.drawn[tab.detail]
    assert shown.title == "MLP of layer 2" and [row[0] for row in shown.tables[0].rows[:8]] == list(
        map(str, found.neurons)
    )
    assert visitor.marks[tab.grid]["selected"] == [2, tiny.n_heads + 1]
    assert visitor.data[page.selection].part == (2, "mlp") and not visitor.sees_stale(tab)


def test_a_click_on_attention_leads_to_a_head_and_the_head_to_a_token(page, visitor):
    tab = page.attribution
    result = visitor.data[tab.outcome].result
    picks(page, visitor, tab.bar_picked, parts.bar_of(result, Part("attention", 3)))
    assert visitor.drawn[tab.detail].title == "Attention of layer 3"
    assert visitor.marks[tab.grid]["selected"] is None and visitor.drawn[tab.checks] is None
    first = parts.of_layer(result, 3)[0]
    picks(page, visitor, tab.row_picked, [0, 0])
    assert parts.selected(result, visitor.data[page.selection]) == first
    head = next(n for n, part in enumerate(parts.of_layer(result, 3)) if part.kind == "head")
    picks(page, visitor, tab.bar_picked, parts.bar_of(result, Part("attention", 3)))
    picks(page, visitor, tab.row_picked, [0, head])
    chosen = parts.of_layer(result, 3)[head]
    assert visitor.data[page.selection].head == (chosen.layer, chosen.head)
    assert visitor.marks[tab.grid]["selected"] == [chosen.layer, chosen.head]
    picks(page, visitor, tab.row_picked, [0, 4])
    assert visitor.data[page.selection].position == 4 and visitor.marks[page.bar.strip]["selected"] == 4
    assert list(visitor.drawn[tab.detail].tables[0].marked) == [4]
    assert all(row[2] is not None for row in visitor.drawn[tab.detail].tables[0].rows), "what is known stays"


def test_a_click_in_the_table_of_the_largest_selects_the_part(page, visitor):
    tab = page.attribution
    result = visitor.data[tab.outcome].result
    for row, part in enumerate(view.largest_of(result)[:6]):
        picks(page, visitor, tab.largest_picked, [0, row])
        assert parts.selected(result, visitor.data[page.selection]) == part
        assert list(visitor.drawn[tab.largest].tables[0].marked) == [row]


def test_a_click_in_the_grid_marks_the_bar_of_its_layer(page, visitor):
    tab = page.attribution
    result = visitor.data[tab.outcome].result
    visitor.take(page.cell_clicked(tab)(visitor.data, event([1, 5])))
    assert visitor.marks[tab.waterfall]["selected"] == parts.bar_of(result, Part("attention", 1))
    assert visitor.drawn[tab.detail].title == "Head L1H5" and visitor.data[page.selection].head == (1, 5)
    visitor.take(page.cell_more(tab)(visitor.data))
    assert len(visitor.drawn[tab.detail].tables) == 2


def test_a_token_selected_above_is_marked_among_the_sources(page, visitor):
    tab = page.attribution
    visitor.take(tab.token_picked(visitor.data, event([0, 2])))
    assert list(visitor.drawn[tab.detail].tables[0].marked) == [2]


def test_all_of_the_tab_ages_with_the_inputs(page, visitor):
    tab = page.attribution
    visitor.sets(page.bar.clean, "Something else")
    visitor.take(page.edited(visitor.data))
    for part in (tab.grid, tab.waterfall, tab.detail, tab.largest, tab.checks, tab.receipts):
        assert visitor.marks[part]["stale"]
    visitor.take(tab.bar_picked(visitor.data, event(1)))
    assert visitor.marks[tab.waterfall]["stale"] and visitor.marks[tab.detail]["stale"]
    assert visitor.drawn[tab.detail].title == "Position embedding"
    assert tab.looked_into(None, visitor.data, None, None) == {}, "the model is asked about what is on screen, or not"
    assert len(visitor.drawn[tab.detail].notes) == 1, "there is no more of it"
    result = visitor.data[tab.outcome].result
    visitor.take(tab.bar_picked(visitor.data, event(parts.bar_of(result, Part("mlp", 1)))))
    assert "Run again to see the rest" in visitor.drawn[tab.detail].notes[-1]


def test_before_the_first_result_a_click_does_nothing(page):
    tab = page.attribution
    data = {component: getattr(component, "value", None) for component in page.everything()}
    for answer in (tab.bar_picked, tab.row_picked, tab.largest_picked, tab.token_picked):
        assert answer(data, event([0, 0])) == {}


def test_another_position_is_explained_as_the_method_does(page, visitor, tiny):
    tab = page.attribution
    visitor.sets(tab.position, 6)
    visitor.sets(tab.explain, "contrast")
    visitor.run(page.run_tab(tab))
    result, asked = visitor.data[tab.outcome].result, visitor.data[tab.outcome].inputs
    expected = direct_logit_attribution(tiny, asked.clean, asked.contrast, position=6)
    np.testing.assert_allclose(result.values, expected.values, atol=1e-6)
    assert "position 6" in visitor.drawn[tab.sums] and visitor.data[tab.position] == 6
    assert not visitor.sees_stale(tab)


def test_a_position_picked_while_the_tab_computes_is_not_taken_back(page, visitor):
    tab = page.attribution
    began = dict(visitor.data)
    visitor.sets(tab.position, 4)
    for updates in page.run_tab(tab)(began):
        visitor.take(updates)
    assert visitor.data[tab.position] == 4 and visitor.data[tab.outcome].result.position == 14
    visitor.take(page.caught_up(visitor.data))
    assert visitor.sees_stale(tab), "until its own run is through"


def test_a_quiet_handler_gives_only_what_it_is_to_and_is_closed():
    closed = []

    def handler(data, sent):
        try:
            yield {"a": 1, "b": 2}
            yield {"b": 3}
            yield {"a": 4}
        finally:
            closed.append(True)

    assert list(quietly(handler, ("a",))({})) == [{"a": 1}, {"a": 4}] and closed == [True]
    (nothing,) = quietly(handler, ("c",))({})
    assert nothing["__type__"] == "update", "a handler that yields nothing would empty its outputs"
    first = quietly(handler, ("a",))({})
    next(first)
    first.close()
    assert len(closed) == 3
