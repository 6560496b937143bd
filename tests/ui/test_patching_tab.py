"""The patching tab: what it draws and says is what its results hold, and each event answers with what it should."""

from types import SimpleNamespace

import numpy as np
import pytest

from resstream_demo import activation_patching, load_model
from resstream_demo.core.errors import OptionError
from resstream_demo.core.metrics import METRICS
from resstream_demo.core.names import head_label
from resstream_demo.core.settings import Settings
from resstream_demo.core.trace import HEAD_SITES, SITES
from resstream_demo.figures.derived import strongest_positions
from resstream_demo.figures.numbers import format_number, format_share
from resstream_demo.methods.inspect import patched_predictions, run_predictions
from resstream_demo.ui import patching_view as view
from resstream_demo.ui import session
from resstream_demo.ui.examples import examples
from resstream_demo.ui.page import Page
from resstream_demo.ui.patching_tab import index_of, three_runs
from resstream_demo.ui.selection import Selection
from resstream_demo.ui.session import Inputs, PatchingOptions
from resstream_demo.ui.widgets.ruler import RulerData, RulerMark
from tests.models_under_test import ANSWER, CLEAN_TEXT, CONTRAST, CORRUPTED_TEXT, explored
from tests.ui.test_stale import Visitor

SETTINGS = Settings()


@pytest.fixture(scope="module")
def tiny():
    return load_model("tiny")


@pytest.fixture(scope="module")
def page():
    return Page(SETTINGS)


@pytest.fixture
def visitor(page):
    return Visitor(page)


def patched(site="resid_pre", positions="each", direction="denoising", metric="logit_diff", name="plain", **more):
    tokens = {"answer": ANSWER, "contrast": CONTRAST} | more
    return activation_patching(
        explored(name), CLEAN_TEXT, CORRUPTED_TEXT, tokens["answer"], tokens["contrast"], site=site,
        positions=positions, direction=direction, metric=metric,
    )  # fmt: skip


def results():
    """Every site in both directions, heads at all positions and at each."""
    for site in SITES:
        for direction in ("denoising", "noising"):
            yield patched(site, "all" if site in HEAD_SITES else "each", direction)
    yield patched("z", "each")
    yield patched("pattern", "each", "noising")


# --- grids ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shares", [True, False])
def test_each_picture_holds_its_results_numbers(shares):
    for result in results():
        whole = result.recovered if shares else result.values
        own = whole[1] if whole.ndim == 3 else whole
        grid = view.draw(result, shares, 1)
        np.testing.assert_array_equal(grid.values, own)
        assert grid.cone == (result.site not in HEAD_SITES), "only layers × positions have a cone"
        assert grid.payload() and result.site in grid.row_title
        if result.positions == "all":
            assert grid.columns == [f"H{n}" for n in range(own.shape[1])] and "all positions" in grid.column_title
        else:
            source = result.clean if result.direction == "denoising" else result.corrupted
            assert grid.columns == source.tokens and list(grid.column_numbers) == list(range(len(source)))
            differs = [a != b for a, b in zip(result.clean.ids, result.corrupted.ids, strict=True)]
            assert [mark == "≠" for mark in grid.column_marks] == differs and any(differs)


def test_hovering_tells_the_other_number():
    result = patched()
    for shares, other in ((True, result.values), (False, result.recovered)):
        hover = view.draw(result, shares).hover
        shown = [[lines[0][1] for lines in row] for row in hover]
        assert shown == [[format_number(v, signed=True) for v in row] for row in other.tolist()]


def test_all_heads_are_drawn_at_their_strongest_position_in_the_colours_of_the_layers():
    result = patched("z", "each")
    layers, heads, _ = result.values.shape
    grid = view.overview(result, shares=True)
    effect = np.abs(result.values - result.base_value)
    for layer in range(layers):
        for head in range(heads):
            best = int(effect[layer, head].argmax())
            assert grid.values[layer][head] == result.recovered[layer, head, best]
            assert grid.hover[layer][head][-1][1].startswith(f"{best} ")
            assert strongest_positions(result)[layer, head] == best
    scales = [view.draw(result, True, layer).payload()["scale"] for layer in range(layers)]
    ends = {(scale["low"], scale["high"]) for scale in (*scales, grid.payload()["scale"])}
    assert len(ends) == 1, "pictures of one result share one scale"


@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_is_named_and_scaled(metric):
    result = patched(metric=metric)
    grid = view.draw(result, shares=False)
    assert grid.scale.label == view.metric_words(result)
    assert (grid.scale.kind == "diverging") == (metric == "logit_diff")
    low, high = grid.scale.ends([])
    assert low <= result.values.min() and result.values.max() <= high + 1e-6
    if metric != "kl":
        assert "␣Mary" in view.metric_words(result)


# --- the scale of the baselines ------------------------------------------------------------------------------


def test_the_scale_runs_from_the_corrupted_to_the_clean_run_and_holds_the_patch():
    for result in (patched(), patched(direction="noising"), patched("z", "each"), patched("v", "all")):
        index = (1,) * result.values.ndim
        drawn = view.ruler(result, index)
        marks = {mark.kind: mark for mark in drawn.marks}
        assert marks["start"].value == result.corrupted_value and marks["start"].share == 0
        assert marks["end"].value == result.clean_value and marks["end"].share == 1
        assert marks["moved"].value == float(result.values[index])
        assert marks["moved"].share == pytest.approx(float(result.recovered[index]))
        assert drawn.origin == ("start" if result.direction == "denoising" else "end"), "the run that is patched"
        assert "(patched − corrupted) / (clean − corrupted)" in drawn.lines[0]


def test_equal_baselines_have_numbers_and_no_scale():
    result = patched(metric="rank", name="one layer, one head")
    result = type(result)(**{**vars(result), "clean_value": 3.0, "corrupted_value": 3.0})
    drawn = view.ruler(result, (0, 1))
    assert all(mark.share is None for mark in drawn.marks) and len(drawn.marks) == 3
    assert "Both runs give the same number" in drawn.lines[0]
    detail = view.detail(result, (0, len(result.clean) - 1))
    assert "same number" in detail.subtitle and "share recovered" not in dict(detail.facts)


@pytest.mark.parametrize("share", [0.3, -0.5, 1.7, 0.0, 1.0])
def test_what_lies_beyond_the_two_runs_stays_on_the_drawn_scale(share):
    marks = [
        RulerMark("a", 1.0, 0.0, "start"), RulerMark("b", 1.0 + share, share, "moved"), RulerMark("c", 2.0, 1.0, "end"),
    ]  # fmt: skip
    drawn = RulerData("t", marks).payload()["marks"]
    at = {mark["kind"]: mark["at"] for mark in drawn}
    assert all(0 <= place <= 1 for place in at.values())
    along = (at["moved"] - at["start"]) / (at["end"] - at["start"])
    assert along == pytest.approx(share, abs=1e-3)
    assert [mark["at"] for mark in drawn] == sorted(mark["at"] for mark in drawn), "names stand in their order"


def test_a_scale_refuses_what_it_cannot_draw():
    with pytest.raises(ValueError, match="one mark of each kind"):
        RulerData("t", [RulerMark("a", 1.0, 0.0, "start"), RulerMark("b", 1.0, 0.0, "start")])
    with pytest.raises(ValueError, match="of 'a'"):
        RulerData("t", [RulerMark("a", float("nan"), 0.0, "start")])


# --- the selected patch --------------------------------------------------------------------------------------


def test_a_patch_is_described_with_its_numbers_and_tokens():
    for result in results():
        index = tuple(size - 1 for size in result.values.shape)
        detail = view.detail(result, index)
        facts = dict(detail.facts)
        assert facts[view.metric_words(result)] == format_number(float(result.values[index]), signed=True)
        assert facts["clean run"] == format_number(result.clean_value, signed=True)
        assert facts["corrupted run"] == format_number(result.corrupted_value, signed=True)
        assert facts["share recovered"] == format_number(float(result.recovered[index]), signed=True)
        assert f"{result.site} copied from the" in detail.subtitle
        if result.site in HEAD_SITES:
            assert head_label(*index[:2]) in detail.title
        position = view.position_of(result, index)
        assert ("all positions" in detail.title) == (position is None)
        if position is not None:
            assert f"position {position}" in detail.title and facts["token in both prompts"] == "␣to"
        assert detail.payload()


def test_both_tokens_are_shown_where_the_prompts_differ():
    result = patched()
    position = next(t for t, (a, b) in enumerate(zip(result.clean.ids, result.corrupted.ids, strict=True)) if a != b)
    facts = dict(view.detail(result, (0, position)).facts)
    assert (facts["clean token"], facts["corrupted token"]) == ("␣John", "␣Mary")


def test_where_the_prompts_are_still_the_same_nothing_was_copied():
    result = patched()
    first = next(t for t, (a, b) in enumerate(zip(result.clean.ids, result.corrupted.ids, strict=True)) if a != b)
    for layer in range(len(result.values)):
        for position in range(len(result.clean)):
            said = view.reading(result, (layer, position))
            assert ("nothing to copy" in said) == (position < first)


@pytest.mark.parametrize(
    ("direction", "share", "words"),
    [
        ("denoising", 1.0, "Enough by itself"), ("denoising", 0.5, "Partly enough"),
        ("denoising", 0.02, "Not enough by itself"), ("denoising", -0.4, "the other way"),
        ("noising", 0.0, "Needed:"), ("noising", 0.5, "Partly needed"), ("noising", 0.98, "Not needed here"),
        ("noising", 1.4, "difference grows"),
    ],
)  # fmt: skip
def test_a_number_is_read_as_enough_or_needed(direction, share, words):
    result = patched(direction=direction)
    values = result.values.copy()
    values[0, -1] = result.corrupted_value + share * (result.clean_value - result.corrupted_value)
    result = type(result)(**{**vars(result), "values": values})
    said = view.reading(result, (0, values.shape[1] - 1))
    moved = float(result.recovered[0, -1]) if direction == "denoising" else 1 - float(result.recovered[0, -1])
    assert words in said and format_share(abs(moved)) in said


def test_the_page_says_for_each_site_what_a_cell_copies_and_for_each_direction_what_it_asks(page):
    said = {view.says(page.patching.says, site, way) for site in SITES for way in ("denoising", "noising")}
    assert len(said) == 2 * len(SITES)
    assert [value for _, value in view.SITES] == list(SITES)
    assert [value for _, value in view.METRICS] == list(METRICS)
    limits = {view.caveat(patched(direction=way)) for way in ("denoising", "noising")}
    assert len(limits) == 2


@pytest.mark.parametrize(
    ("site", "positions", "index"),
    [("resid_mid", "each", (2, 11)), ("z", "all", (3, 6)), ("pattern", "all", (1, 0)), ("v", "each", (2, 5, 10))],
)
@pytest.mark.parametrize("direction", ["denoising", "noising"])
def test_the_patched_run_stands_beside_both_others(tiny, site, positions, index, direction):
    example = examples()[0]
    inputs = Inputs(example.clean, example.corrupted, example.answer, example.contrast, "tiny", True)
    ready = session.read_inputs(tiny, inputs, SETTINGS)
    options = PatchingOptions(site, direction, by_position=positions == "each")
    result = session.run_patching(ready, options)
    table = view.detail(result, index, three_runs(ready, result, index)).tables[0]
    head = index[1] if site in HEAD_SITES else None
    where = "all" if positions == "all" else [index[-1]]
    everything = {"k": tiny.vocab_size}
    after = patched_predictions(
        tiny, example.clean, example.corrupted, site=site, layer=index[0], head=head, positions=where,
        direction=direction, **everything,
    )  # fmt: skip
    runs = [run_predictions(tiny, prompt, **everything) for prompt in (example.clean, example.corrupted)]
    for token, *chances in table.rows:
        expected = [float(run.probs[run.tokens.index(token)]) for run in (runs[0], after, runs[1])]
        np.testing.assert_allclose(chances, expected, atol=1e-6)
    tokens = [row[0] for row in table.rows]
    assert set(after.tokens[:6]) | {runs[0].tokens[0], runs[1].tokens[0]} <= set(tokens)
    assert {tokens[n] for n in table.marked} == {result.answer.display, result.contrast.display}
    assert [row[2] for row in table.rows] == sorted((row[2] for row in table.rows), reverse=True)


# --- options and the selection -------------------------------------------------------------------------------


def test_heads_are_patched_by_position_only_when_asked(page, visitor, tiny):
    tab = page.patching
    assert visitor.data[tab.outcome].result.values.shape == (6, 15)
    visitor.sets(tab.where, "each")
    visitor.take(page.caught_up(visitor.data))
    assert not visitor.sees_stale(tab), "the stream is patched by position in any case"
    visitor.sets(tab.site, "z")
    visitor.run(page.run_tab(tab))
    result = visitor.data[tab.outcome].result
    assert result.values.shape == (tiny.n_layers, tiny.n_heads, 15)
    direct = activation_patching(
        tiny, result.clean.text, result.corrupted.text, result.answer.text, result.contrast.text, site="z"
    )
    np.testing.assert_allclose(result.values, direct.values, atol=1e-5)
    layer = index_of(result, (0, 0), Selection())[0]
    np.testing.assert_array_equal(visitor.drawn[tab.grid].values, result.recovered[layer])
    assert visitor.drawn[tab.overview].values.shape == (tiny.n_layers, tiny.n_heads)
    visitor.sets(tab.where, "all")
    assert tab.is_stale(visitor.data)
    visitor.run(page.run_tab(tab))
    assert visitor.data[tab.outcome].result.values.shape == (tiny.n_layers, tiny.n_heads)
    assert visitor.drawn[tab.overview] is None


def test_a_head_of_the_overview_shows_its_layer_at_its_strongest_position(page, visitor):
    tab = page.patching
    visitor.sets(tab.site, "z")
    visitor.sets(tab.where, "each")
    visitor.run(page.run_tab(tab))
    result = visitor.data[tab.outcome].result
    visitor.take(tab.head_chosen(visitor.data, SimpleNamespace(index=[2, 5])))
    position = int(strongest_positions(result)[2, 5])
    selection = visitor.data[page.selection]
    assert selection.head == (2, 5) and selection.position == position
    np.testing.assert_array_equal(visitor.drawn[tab.grid].values, result.recovered[2])
    assert visitor.marks[tab.grid]["selected"] == [5, position] and visitor.marks[tab.overview]["selected"] == [2, 5]
    assert f"L2H5, position {position}" in visitor.drawn[tab.detail].title
    visitor.take(tab.clicked(visitor.data, (1, 3)))
    assert visitor.data[page.selection].head == (2, 1) and visitor.data[page.selection].position == 3
    assert visitor.drawn[tab.ruler].marks[1].value == float(result.values[2, 1, 3])


def test_a_head_picked_on_another_tab_brings_its_layer_here(page, visitor):
    tab = page.patching
    visitor.sets(tab.site, "v")
    visitor.sets(tab.where, "each")
    visitor.run(page.run_tab(tab))
    result = visitor.data[tab.outcome].result
    visitor.sets(page.selection, visitor.data[page.selection].on_head(4, 1))
    visitor.take(page.tab_opened(tab)(visitor.data))
    np.testing.assert_array_equal(visitor.drawn[tab.grid].values, result.recovered[4])
    assert visitor.marks[tab.grid]["selected"][0] == 1


def test_a_selection_from_a_larger_model_or_a_longer_prompt_finds_a_cell(page):
    tab = page.patching
    far = Selection(layer=40, position=200, head=(40, 20))
    for result in results():
        cell = tab.cell(result, far)
        index = index_of(result, cell, far)
        assert all(0 <= at < size for at, size in zip(index, result.values.shape, strict=True))


def test_the_scale_follows_the_selected_cell_and_ages_with_the_result(page, visitor):
    tab = page.patching
    result = visitor.data[tab.outcome].result
    visitor.take(tab.clicked(visitor.data, (3, 12)))
    assert visitor.drawn[tab.ruler].marks[1].value == float(result.values[3, 12])
    visitor.sets(page.bar.clean, "Something else")
    visitor.take(page.edited(visitor.data))
    assert visitor.marks[tab.ruler]["stale"] and visitor.sees_stale(tab)


def test_too_many_heads_and_positions_get_a_sentence_before_anything_is_run(tiny):
    example = examples()[0]
    inputs = Inputs(example.clean, example.corrupted, example.answer, example.contrast, "tiny", True)
    ready = session.read_inputs(tiny, inputs, Settings(max_cells=700))
    assert session.run_patching(ready, PatchingOptions("z")).values.shape == (6, 8)
    with pytest.raises(OptionError, match="720 edited runs .6 layers × 8 heads × 15 positions.*allows 700"):
        session.run_patching(ready, PatchingOptions("z", by_position=True))
