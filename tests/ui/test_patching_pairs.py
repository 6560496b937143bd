"""Patching over many pairs: where they come from, what is said of bad ones, and what is drawn of their means."""

import csv
import io
import json
from types import SimpleNamespace

import numpy as np
import pytest

from resstream_demo import load_model
from resstream_demo.core.errors import OptionError
from resstream_demo.core.names import head_label
from resstream_demo.core.settings import Settings
from resstream_demo.figures.export import result_to_csv
from resstream_demo.figures.notice import what_to_see
from resstream_demo.figures.numbers import format_number
from resstream_demo.methods.pairs import Pair, patch_pairs
from resstream_demo.ui import patching_pairs_view as pairs_view
from resstream_demo.ui import session
from resstream_demo.ui.examples import examples
from resstream_demo.ui.page import Page
from resstream_demo.ui.pair_runs import check_pairs, run_pairs
from resstream_demo.ui.patching_pairs import MOST_BYTES
from resstream_demo.ui.running import Runner
from resstream_demo.ui.session import Inputs, PatchingOptions
from resstream_demo.ui.widgets.file_box import FileBoxData
from tests.models_under_test import CLEAN_TEXT, CORRUPTED_TEXT, explored
from tests.ui.test_stale import Visitor

SETTINGS = Settings()
TABLE = (
    "clean,corrupted,answer,contrast,label\n"
    '"When Mary and John went to the store, John gave a drink to","When Mary and John went to the store, Mary gave a '
    'drink to", Mary, John,far\n'
    "Mary and John went to the store. Mary saw,John and Mary went to the store. Mary saw, John, Mary,near\n"
)


@pytest.fixture(scope="module")
def tiny():
    return load_model("tiny")


@pytest.fixture(scope="module")
def page():
    return Page(SETTINGS)


@pytest.fixture
def visitor(page):
    return Visitor(page)


def every(*parts):
    return " ".join(str(part) for part in parts)


def over_pairs(**options):
    pairs = (
        Pair(CLEAN_TEXT, CORRUPTED_TEXT, " Mary", " John", "one"),
        Pair(CORRUPTED_TEXT, CLEAN_TEXT, " John", " Mary", "two"),
        Pair("Mary gave the drink to", "John gave the drink to", " Mary", " John", "short"),
        Pair("John went to the store to Paris to", "John went to the store to Rome to", " Mary", " John", "late"),
    )  # the last has nothing between its difference and its end
    return patch_pairs(explored("plain"), pairs[: options.pop("count", 4)], **options)


@pytest.mark.parametrize(
    ("options", "axis"),
    [({}, "role"), ({"count": 2}, "position"), ({"site": "z"}, "head"), ({"count": 1, "direction": "noising"}, None)],
)
def test_the_grid_of_means_holds_means_spreads_and_counts(options, axis):
    result = over_pairs(**options)
    assert axis in (None, result.axis)
    grid = pairs_view.draw(result)
    np.testing.assert_array_equal(grid.values, result.mean)
    assert grid.payload() and grid.cone == (result.axis == "position")
    for layer in range(len(result.mean)):
        for column in range(result.mean.shape[1]):
            lines = dict(grid.hover[layer][column])
            assert lines["pairs"] == str(result.counts[column])
            spread = None if result.std is None else result.std[layer, column]
            if spread is None or np.ma.is_masked(spread):
                assert "standard deviation" not in lines
            else:
                assert lines["standard deviation"] == format_number(float(spread))
    if result.axis == "role":
        assert list(grid.columns) == ["differing", "between", "last"]
    if result.axis == "position":
        differs = [t for t, (a, b) in enumerate(zip(CLEAN_TEXT.split(), CORRUPTED_TEXT.split(), strict=True)) if a != b]
        assert [t for t, mark in enumerate(grid.column_marks) if mark] == [t + 1 for t in differs], "after the BOS"


def test_a_mean_is_described_with_both_means_and_each_pair():
    result = over_pairs(site="resid_mid")
    for column in range(len(result.columns)):
        detail = pairs_view.detail(result, 1, column)
        facts = dict(detail.facts)
        assert facts["mean of the shares"] == format_number(float(result.mean[1, column]), signed=True)
        assert facts["share of the mean"] == format_number(float(result.ratio_of_means[1, column]), signed=True)
        assert facts["pairs"] == str(result.counts[column]) and pairs_view.TWO_MEANS in detail.notes
        kept = [n for n in range(4) if not np.ma.getmaskarray(result.values)[n, 1, column]]
        assert len(kept) == (3 if result.columns[column] == "between" else 4)
        assert [row[0] for row in detail.tables[0].rows] == [result.names[n] for n in kept]
        assert [row[2] for row in detail.tables[0].rows] == [float(result.recovered[n, 1, column]) for n in kept]
        assert detail.payload()


def test_a_single_pair_has_no_spread_and_pairs_without_a_difference_are_named():
    single = over_pairs(count=1)
    facts = dict(pairs_view.detail(single, 0, 0).facts)
    assert facts["standard deviation"] == "none for a single pair"
    assert pairs_view.left_out(single) == ""
    same = Pair(CLEAN_TEXT, CLEAN_TEXT, " Mary", " John", "the same twice")
    with_same = patch_pairs(explored("plain"), [same, *single.pairs])
    assert "the same twice" in pairs_view.left_out(with_same)
    assert dict(pairs_view.detail(with_same, 0, 0).facts)["pairs"] == "1"


def test_the_sentence_about_pairs_comes_from_their_mean():
    result = over_pairs(count=2)
    said = what_to_see(result)
    assert said.startswith("Mean of 2 pairs.")
    heads = over_pairs(site="z")
    best = head_label(*(int(i) for i in np.unravel_index(heads.mean.argmax(), heads.mean.shape)))
    assert heads.mean.max() < 0.1 or best in what_to_see(heads)
    assert what_to_see(over_pairs(count=1)).startswith("One pair.")


def test_each_pairs_table_says_how_it_was_made():
    result = over_pairs(site="z")
    rows = list(csv.DictReader(io.StringIO(pairs_view.pairs_csv(result))))
    assert len(rows) == result.values.size
    assert [float(row["recovered"]) for row in rows] == pytest.approx(result.recovered.ravel().tolist(), abs=1e-6)
    assert {row["run_model"] for row in rows} == {"plain"} and {row["run_site"] for row in rows} == {"z"}


def read(model="tiny", **changes):
    example = examples()[0]
    inputs = Inputs(example.clean, example.corrupted, example.answer, example.contrast, "tiny", True)
    return session.read_inputs(load_model(model), inputs, Settings(**changes))


def test_all_bad_pairs_are_named_at_once():
    good = Pair(CLEAN_TEXT, CORRUPTED_TEXT, " Mary", " John", "good")
    bad = [
        Pair("Mary gave a drink to", "The big dog gave a drink to", " Mary", label="line 3"),
        Pair(CLEAN_TEXT, CORRUPTED_TEXT, " Mary and John went", label="line 4"),
        Pair(" the" * 300, " the" * 300, " Mary", label="line 5"),
    ]
    with pytest.raises(OptionError, match="^3 of 4 pairs cannot be patched.") as caught:
        run_pairs(read(), PatchingOptions(), [good, *bad])
    told = str(caught.value)
    assert (
        "line 3: The clean prompt has" in told and "line 4: The answer" in told and "line 5: The clean prompt" in told
    )
    assert "good" not in told.replace("good:", "")


def test_pairs_count_towards_the_limit_of_edited_runs():
    pairs = [Pair(one.clean, one.corrupted, one.answer, one.contrast) for one in examples()[:2]]
    needed = 2 * 6 * 15
    with pytest.raises(OptionError, match=f"These 2 pairs would take {needed} edited runs.*allows {needed - 1}"):
        run_pairs(read(max_cells=needed - 1), PatchingOptions(), pairs)
    assert check_pairs(load_model("tiny"), pairs, "resid_pre", True, Settings(max_cells=needed)) == needed
    assert check_pairs(load_model("tiny"), pairs, "z", True, SETTINGS) == 2 * 6 * 8


def test_progress_over_pairs_is_counted_in_edited_runs():
    pairs = [Pair(one.clean, one.corrupted, one.answer, one.contrast) for one in examples()[:2]]
    told = []
    run_pairs(read(), PatchingOptions(), pairs, lambda done, total: told.append((done, total)))
    assert {total for _, total in told} == {2 * 6 * 15} and told == sorted(told) and told[-1][0] == 2 * 6 * 15


def press(page, visitor, reaction_of) -> None:
    """Set off a reaction of the tab as the page does."""
    tab = page.patching
    reaction = next(r for r in tab.reactions() if r.listen == reaction_of)
    assert reaction.computes
    handler = Runner.react(page, tab, reaction)
    visitor.run(lambda data: handler(data, None))


def test_the_chosen_examples_are_patched_and_shown(page, visitor, tiny):
    pairs = page.patching.pairs
    press(page, visitor, pairs.run.click)
    run = visitor.data[pairs.ran]
    chosen = [one for one in examples() if one.id in visitor.data[pairs.chosen]]
    assert len(chosen) == 2 and run.result.names == tuple(one.title for one in chosen)
    direct = patch_pairs(tiny, [Pair(one.clean, one.corrupted, one.answer, one.contrast) for one in chosen])
    np.testing.assert_allclose(visitor.drawn[pairs.grid].values, direct.mean, atol=1e-5)
    assert visitor.drawn[pairs.error] is None and visitor.drawn[pairs.receipts].receipts == run.result.receipts
    assert visitor.drawn[pairs.notice] == what_to_see(run.result)
    assert "What this does not show: A mean speaks for these pairs" in visitor.drawn[pairs.caveat]
    visitor.take(pairs.cell_chosen(visitor.data, SimpleNamespace(index=[2, 4])))
    assert visitor.marks[pairs.grid]["selected"] == [2, 4]
    assert "layer 2: position 4" in visitor.drawn[pairs.detail].title


def test_a_head_of_the_means_is_selected_everywhere(page, visitor):
    tab, pairs = page.patching, page.patching.pairs
    visitor.sets(tab.site, "z")
    visitor.run(page.run_tab(tab))
    press(page, visitor, pairs.run.click)
    visitor.take(tab.mean_chosen(visitor.data, SimpleNamespace(index=[5, 3])))
    assert visitor.data[page.selection].head == (5, 3) and visitor.marks[tab.grid]["selected"] == [5, 3]
    assert "L5H3" in visitor.drawn[tab.detail].title and "L5H3" in visitor.drawn[pairs.detail].title


def test_the_means_age_with_options_pairs_and_model_but_not_with_the_prompts(page, visitor):
    tab, pairs = page.patching, page.patching.pairs
    press(page, visitor, pairs.run.click)

    def stale():
        visitor.take(tab.aged(visitor.data))
        return visitor.marks[pairs.grid]["stale"]

    assert not stale()
    visitor.sets(page.bar.clean, "Something else")
    visitor.sets(tab.where, "each")
    assert not stale()
    for component, other in ((tab.direction, "noising"), (pairs.chosen, ["capital"]), (pairs.chosen, []),
                             (pairs.source, "text"), (page.bar.bos, False), (page.bar.in_use, "gpt2")):  # fmt: skip
        before = visitor.data[component]
        visitor.sets(component, other)
        assert stale(), component.elem_id
        visitor.sets(component, before)
    assert not stale()


def test_where_a_heads_positions_are_copied_does_not_age_means_over_heads(page, visitor):
    tab, pairs = page.patching, page.patching.pairs
    visitor.sets(tab.site, "q")
    press(page, visitor, pairs.run.click)
    visitor.sets(tab.where, "each")
    visitor.take(tab.aged(visitor.data))
    assert not visitor.marks[pairs.grid]["stale"] and visitor.data[pairs.ran].options.by_position is False


def test_a_table_is_pasted_or_read_from_a_file(page, visitor):
    pairs = page.patching.pairs
    visitor.sets(pairs.source, "text")
    visitor.sets(pairs.pasted, TABLE)
    press(page, visitor, pairs.run.click)
    pasted = visitor.data[pairs.ran]
    assert pasted.result.names == ("far", "near") and visitor.drawn[pairs.error] is None
    visitor.sets(pairs.source, "file")
    visitor.take(pairs.source_chosen(visitor.data, None))
    assert visitor.marks[pairs.grid]["stale"], "no file was read yet"
    visitor.take(pairs.file_chosen(visitor.data, SimpleNamespace(index="my.csv", value={"text": TABLE})))
    assert visitor.drawn[pairs.file_said] == "my.csv: 2 pairs were read."
    assert not visitor.marks[pairs.grid]["stale"], "the same pairs"
    press(page, visitor, pairs.run.click)
    assert visitor.data[pairs.ran].pairs == pasted.pairs


@pytest.mark.parametrize(
    ("sent", "words"),
    [
        ({"fault": "encoding"}, "not text in UTF-8"),
        ({"fault": "size", "bytes": 10**9}, f"larger than {MOST_BYTES // 1024} KB"),
        ({"text": "x" * (MOST_BYTES + 1)}, "larger than"),
        ({"text": "a,b\n1,2\n"}, "no column clean, corrupted, answer"),
        ({"text": "clean,corrupted,answer\na,b,\n,d,e\n"}, "nothing for answer. Line 3 has nothing for clean"),
        ({"text": 5}, "larger than"), ("text", "larger than"), (None, "larger than"),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_used_gets_a_sentence_and_leaves_the_one_before(page, visitor, sent, words):
    pairs = page.patching.pairs
    visitor.take(pairs.file_chosen(visitor.data, SimpleNamespace(index="good.csv", value={"text": TABLE})))
    visitor.take(pairs.file_chosen(visitor.data, SimpleNamespace(index="bad.csv", value=sent)))
    error = visitor.drawn[pairs.error]
    assert error.title.startswith("bad.csv was not taken.") and words in every(error.title, *error.lines)
    assert visitor.data[pairs.table] == TABLE


def test_at_most_a_hundred_pairs_are_read(page, visitor):
    pairs = page.patching.pairs
    many = "clean,corrupted,answer\n" + "a b,a c, d\n" * 101
    visitor.take(pairs.file_chosen(visitor.data, SimpleNamespace(index="many.csv", value={"text": many})))
    assert "at most 100 are read" in visitor.drawn[pairs.error].title


@pytest.mark.parametrize(
    ("source", "field", "value", "words"),
    [
        ("examples", "chosen", [], "No example is chosen"), ("text", "pasted", " ", "no table yet"),
        ("file", "table", "", "No file has been read"), ("text", "pasted", TABLE + "a,b,\n", "Line 4 has nothing"),
        ("text", "pasted", TABLE + "Mary went,Mary, x y\n", "In line 4: "),
    ],
)  # fmt: skip
def test_what_is_wrong_with_the_pairs_is_said_beside_their_button(page, visitor, source, field, value, words):
    tab, pairs = page.patching, page.patching.pairs
    press(page, visitor, pairs.run.click)
    before = visitor.data[pairs.ran]
    visitor.sets(pairs.source, source)
    visitor.sets(getattr(pairs, field), value)
    press(page, visitor, pairs.run.click)
    assert words in visitor.drawn[pairs.error].title and not visitor.drawn.get(tab.error)
    assert visitor.data[pairs.ran] is before and visitor.marks[pairs.grid]["stale"]


def test_only_examples_that_suit_the_model_are_on_offer(page, visitor):
    pairs = page.patching.pairs
    ready = read()
    assert pairs.offers(ready, visitor.data) == {}, "all suit the bundled model, and all are there from the start"
    assert [value for _, value in pairs.chosen.choices] == [one.id for one in examples()]
    bytes_only = SimpleNamespace(model=explored("plain"), inputs=ready.inputs, settings=SETTINGS)
    visitor.sets(pairs.chosen, [one.id for one in examples()])
    fewer = pairs.offers(bytes_only, visitor.data)
    offered = [value for _, value in fewer[pairs.chosen]["choices"]]
    assert 0 < len(offered) < len(examples()) and fewer[pairs.chosen]["value"] == offered
    left = [one for one in examples() if one.id not in offered]
    assert all(one.title in fewer[pairs.unsuited] for one in left)
    for one in examples():
        if one.id in offered:
            assert len({len(bytes_only.model.tokenize(text)) for text in (one.clean, one.corrupted)}) == 1
    visitor.take(fewer)
    for source, said in (("text", ""), ("examples", fewer[pairs.unsuited])):
        visitor.sets(pairs.source, source)
        visitor.take(pairs.source_chosen(visitor.data, None))
        assert visitor.drawn[pairs.unsuited] == said
    assert pairs.offers(bytes_only, visitor.data) == {}, "said once"
    again = pairs.offers(ready, visitor.data)
    assert "value" not in again[pairs.chosen] and len(again[pairs.chosen]["choices"]) == len(examples())


@pytest.mark.parametrize("sent", [None, "capital", [], ["capital", "no such example", 5, None]])
def test_examples_that_a_browser_names_wrongly_do_not_stop_the_page(page, sent):
    read_as = page.patching.pairs.chosen.preprocess(sent)
    assert read_as == (["capital"] if isinstance(sent, list) and sent else [])


def test_all_that_is_shown_or_hidden_can_be(page, visitor):
    """Gradio makes a component anew to show or hide it, so each must take what it is updated with."""
    pairs = page.patching.pairs
    for source in ("file", "text", "examples"):
        visitor.sets(pairs.source, source)
        for component, update in pairs.source_chosen(visitor.data, None).items():
            if isinstance(update, dict):
                component.__class__(**{name: value for name, value in update.items() if name == "visible"})


@pytest.mark.parametrize("kind", ["csv", "pairs", "json"])
def test_files_of_the_means_hold_them(page, visitor, kind):
    pairs = page.patching.pairs
    nothing = pairs.saved(kind)(visitor.data, None)
    assert "no result yet" in nothing[pairs.error]["value"].title
    press(page, visitor, pairs.run.click)
    result = visitor.data[pairs.ran].result
    name, content_type, text = pairs.saved(kind)(visitor.data, None)[pairs.saver]
    if kind == "json":
        assert json.loads(text)["mean"] == result.mean.tolist() and name == "patch_pairs-tiny.json"
    else:
        expected = {"csv": result_to_csv, "pairs": pairs_view.pairs_csv}[kind]
        assert text == expected(result) and name.endswith(".csv") and content_type.startswith("text/csv")


def test_the_means_are_drawn_anew_with_the_tab(page, visitor):
    tab = page.patching
    press(page, visitor, tab.pairs.run.click)
    updates = tab.shown(visitor.data[tab.outcome], visitor.data)
    assert updates[tab.pairs.grid]["value"].scale.label and set(updates) <= {*page._outputs()}


def test_the_file_box_says_what_it_takes():
    assert FileBoxData("Choose", most=5, hint="h").payload() == {
        "label": "Choose", "accept": ".csv", "most": 5, "hint": "h", "drop": "Drop the file here",
    }  # fmt: skip
