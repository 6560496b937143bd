"""The ablation tab shows the methods' own numbers, and what it shows of heads removed together belongs to them."""

from types import SimpleNamespace

import numpy as np
import pytest

from resstream_demo import direct_logit_attribution, head_ablation, load_model
from resstream_demo.core.settings import Settings
from resstream_demo.figures.derived import interaction, reaction
from resstream_demo.methods.ablation import KINDS
from resstream_demo.methods.continuation import compare_continuations
from resstream_demo.methods.references import bundled_sets
from resstream_demo.methods.repair import VALUE_BIAS_OF
from resstream_demo.ui import ablation_together as together
from resstream_demo.ui import ablation_view as view
from resstream_demo.ui import session
from resstream_demo.ui.page import Page
from resstream_demo.ui.tab import Outcome
from tests.ui.test_stale import Visitor

CLEAN = "When Mary and John went to the store, John gave a drink to"
CORRUPTED = "When Mary and John went to the store, Mary gave a drink to"
TOKENS = (" Mary", " John")
HEADS = ((0, 2), (3, 3), (4, 4))


@pytest.fixture(scope="module")
def tiny():
    return load_model("tiny")


@pytest.fixture(scope="module")
def page():
    return Page(Settings())


@pytest.fixture
def visitor(page):
    """Somebody who has opened the tab."""
    someone = Visitor(page)
    someone.take(page.tab_opened(page.ablation)(someone.data))
    someone.take(page.cell_more(page.ablation)(someone.data))
    return someone


def ready_for(model, **changes) -> session.Ready:
    inputs = {"clean": CLEAN, "corrupted": CORRUPTED, "answer": " Mary", "contrast": " John", "model": "tiny"}
    return session.read_inputs(model, session.Inputs(**{**inputs, "bos": True, **changes}), Settings())


def removed(model, heads=HEADS, write=True, **options) -> together.Together:
    ready, chosen = ready_for(model), session.AblationOptions(**options)
    outcome = Outcome(ready.inputs, chosen, session.run_ablation(ready, chosen))
    return together.remove(ready, outcome, heads, write=write)


def told(model, kind: str) -> dict:
    """Options of a method for a kind."""
    return {"kind": kind, "reference": CORRUPTED if kind == "resample" else None}


def rows(table) -> dict:
    return {row[0]: row[1:] for row in table.rows}


# --- the picture ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_the_grid_holds_every_heads_effect_and_takes_several(tiny, kind):
    result = head_ablation(tiny, CLEAN, *TOKENS, **told(tiny, kind))
    grid = view.draw(result)
    np.testing.assert_array_equal(grid.values, result.effect)
    assert grid.multi and grid.scale.signed and grid.rows[0] == "L0" and grid.columns[-1] == "H7"
    assert grid.hover[3][6][0][1] == view.shown(result, result.values[3, 6])


@pytest.mark.parametrize(("kind", "named"), [
    ("zero", "writes nothing"), ("bias_only", "no input changes"), ("mean", "“everyday”: 20 prompts"),
    ("resample", f"resampled from “{CORRUPTED}”"),
])  # fmt: skip
def test_what_stands_in_a_heads_place_is_named(tiny, kind, named):
    line = view.baseline(head_ablation(tiny, CLEAN, *TOKENS, **told(tiny, kind)))
    assert named in line and "at all positions" in line
    last = view.baseline(head_ablation(tiny, CLEAN, *TOKENS, positions=[14], **told(tiny, kind)))
    assert "at the last position only" in last
    if kind == "mean":
        count = sum(len(tiny.tokenize(text)) for text in bundled_sets()["everyday"])
        assert f"{count} positions" in line


@pytest.mark.parametrize("metric", [name for _, name in view.METRICS])
def test_every_number_that_can_be_read_off_is_named_and_said_right(tiny, metric):
    result = head_ablation(tiny, CLEAN, *TOKENS, metric=metric)
    assert view.words(result) and "{" not in view.words(result)
    assert ("does worse" in view.says(result)) == (metric in ("rank", "kl", "loss"))
    if metric == "rank":
        assert "." not in view.shown(result, 12.0) and "." not in view.draw(result).scale.payload([12.0])["ticks"][-1]


def test_a_heads_parts_add_up_to_its_real_effect(tiny):
    ready = ready_for(tiny)
    result = session.run_ablation(ready, session.AblationOptions())
    repair = session.run_repair(ready, result)
    for head in HEADS:
        table = rows(view.detail(result, head, repair).tables[0])
        total = table.pop("really removing it")[0]
        assert len(table) == 3 and sum(value for (value,) in table.values()) == pytest.approx(total, abs=1e-4)
        assert total == pytest.approx(float(result.effect[head]), abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_a_dot_is_a_heads_direct_and_real_effect(tiny, kind):
    ready = ready_for(tiny)
    result = session.run_ablation(ready, session.AblationOptions(kind=kind))
    repair = session.run_repair(ready, result)
    points = view.scatter(repair).points
    assert [point.name for point in points[:9]] == [*(f"L0H{head}" for head in range(8)), "L1H0"]
    np.testing.assert_allclose([point.y for point in points], result.effect.ravel())
    if kind in VALUE_BIAS_OF:
        shares = direct_logit_attribution(tiny, CLEAN, *TOKENS, value_bias=VALUE_BIAS_OF[kind])
        np.testing.assert_allclose([point.x for point in points], -shares.heads.ravel(), atol=1e-4)
    named = {point.name for point in points if point.labelled}
    assert named == {f"L{layer}H{head}" for layer, head in repair.labelled(view.LABELLED)}
    assert min(abs(p.y - p.x) for p in points if p.labelled) >= max(abs(p.y - p.x) for p in points if not p.labelled)


def test_self_repair_is_claimed_only_of_heads_that_lose_less_than_their_share():
    def made(direct, total):
        direct, total = np.array(direct), np.array(total)
        return SimpleNamespace(
            direct=direct, total=total, difference=total - direct, repaired=abs(total) < abs(direct), baseline=3.0,
            labelled=lambda k: [tuple(map(int, head)) for head in np.argwhere(abs(total - direct) > 1e-6)[:k]],
        )  # fmt: skip

    repair = made([[-2.0, 0.0, 1.0]], [[-0.5, -2.0, 0.99]])
    assert [reaction(repair, (0, head)) for head in range(3)] == ["repairs", "adds", "none"]
    assert "at L0H0:" in view.scatter_note(repair)
    assert "does not stand out" in view.scatter_note(made([[0.0]], [[-2.0]]))


# --- heads removed together ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("joint", "singles", "meaning"), [
    (-3.0, [-1.0, -2.0], "adds up"), (-3.2, [-1.0, -2.0], "adds up"), (-5.0, [-1.0, -2.0], "more"),
    (-2.0, [-1.0, -2.0], "less"), (1.0, [-1.0, -2.0], "opposite"), (5.0, [-1.0, 4.0], "mixed"),
    (5.0, [-0.01, 4.0], "more"), (0.0, [0.0, 0.0], "nothing"), (0.0, [-1.0, -1.0], "less"),
])  # fmt: skip
def test_what_the_sum_and_the_joint_effect_mean(joint, singles, meaning):
    assert interaction(joint, singles) == meaning


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("metric", ["logit_diff", "prob", "loss"])
def test_the_joint_effect_stands_beside_the_sum_of_single_ones(tiny, kind, metric):
    each = head_ablation(tiny, CLEAN, *TOKENS, metric=metric, **told(tiny, kind))
    joint = head_ablation(tiny, CLEAN, *TOKENS, metric=metric, heads=HEADS, **told(tiny, kind))
    found = removed(tiny, kind=kind, metric=metric, write=False)
    shown = rows(together.joint_detail(found).tables[0])
    for layer, head in HEADS:
        assert shown[f"L{layer}H{head}"][0] == pytest.approx(float(each.effect[layer, head]), abs=1e-5)
    assert shown["sum of these"][0] == pytest.approx(sum(float(each.effect[head]) for head in HEADS), abs=1e-5)
    assert shown["removed together"][0] == pytest.approx(float(joint.effect), abs=1e-5)
    assert len(together.joint_detail(found).notes) == (1 if metric == "logit_diff" else 2)
    assert found.joint.receipts and all(receipt.ok for receipt in found.joint.receipts)


def test_a_large_set_is_listed_in_part_and_summed_whole(tiny):
    heads = tuple((layer, head) for layer in range(3) for head in range(8))
    found = removed(tiny, heads, write=False)
    table = together.joint_detail(found).tables[0]
    *listed, total, _ = (row[1] for row in table.rows)
    assert len(listed) == together.SINGLES_SHOWN and "17 more" in table.rows[together.SINGLES_SHOWN - 1][0]
    assert sum(listed) == pytest.approx(total, abs=1e-4)
    assert total == pytest.approx(float(found.singles.effect[:3].sum()), abs=1e-4)
    assert (
        together.joint_detail(found).title == "Without L0H0, L0H1, L0H2, L0H3, L0H4, L0H5 and 18 more, removed together"
    )


@pytest.mark.parametrize("last_only", [False, True])
def test_predictions_before_and_after_are_the_models(tiny, last_only):
    found = removed(tiny, last_only=last_only, write=False)
    logits = tiny.logits(CLEAN)[-1].astype(np.float64)
    expected = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    table = together.predictions_detail(found).tables[0]
    ids = found.before.ids.tolist()
    np.testing.assert_allclose([row[1] for row in table.rows], expected[ids], atol=1e-5)
    assert set(ids) == set(found.after.ids.tolist()) and ids[:6] == np.argsort(-logits)[:6].tolist()
    where = [14] if last_only else "all"
    for token in TOKENS:
        answer = tiny.answer(token)
        row = table.rows[ids.index(answer.id)]
        joint = head_ablation(tiny, CLEAN, token, heads=HEADS, positions=where, metric="prob")
        assert row[0] == answer.display and row[2] == pytest.approx(float(joint.values), abs=1e-5)
        assert row[3] == pytest.approx(row[2] - row[1]) and ids.index(answer.id) in table.marked


def test_tokens_that_look_alike_are_told_apart_by_their_ids(tiny):
    found = removed(tiny, write=False)
    same = SimpleNamespace(ids=np.array([5, 9]), probs=np.array([0.6, 0.1]), tokens=("a", "a"))
    other = together.Together(found.inputs, found.options, found.singles, found.heads, found.joint, same, same)
    assert [row[0] for row in together.predictions_detail(other).tables[0].rows] == ["a #5", "a #9"]
    assert "stays first" in together.predictions_detail(other).subtitle


@pytest.mark.parametrize("kind", ["zero", "bias_only", "mean"])
def test_texts_stand_side_by_side_with_their_first_difference_marked(tiny, kind):
    pair = compare_continuations(tiny, CLEAN, HEADS, n_tokens=12, kind=kind)
    found = removed(tiny, kind=kind)
    assert (found.texts.before.ids, found.texts.after.ids) == (pair.before.ids, pair.after.ids)
    detail = together.texts_detail(found)
    table = detail.tables[0]
    assert tuple(row[0] for row in table.rows) == pair.before.tokens
    assert tuple(row[3] for row in table.rows) == pair.after.tokens
    marks = [n for n, row in enumerate(table.rows) if row[2] == "≠"]
    assert marks == list(table.marked) == [pair.first_difference]
    assert dict(detail.facts)["before"].startswith(pair.before.text) and not any(
        "removed at all" in n for n in detail.notes
    )


def test_texts_of_other_lengths_and_equal_texts_are_drawn(tiny):
    def text(*tokens, stopped=""):
        return SimpleNamespace(
            ids=tokens, tokens=tokens, probs=np.full(len(tokens), 0.5), text="".join(tokens), stopped=stopped
        )

    def drawn(before, after, first):
        pair = SimpleNamespace(before=before, after=after, first_difference=first)
        base = removed(tiny, write=False)
        made = (base.inputs, base.options, base.singles, base.heads, base.joint, base.before, base.after, pair)
        return together.texts_detail(together.Together(*made))

    short = drawn(text("a", "b"), text("a", stopped=together.END_OF_TEXT), 1)
    assert short.tables[0].rows[1] == ("b", 0.5, "≠", "", None) and "the end" in short.subtitle
    assert "(end of text)" in dict(short.facts)["after"]
    same = drawn(text("a"), text("a"), None)
    assert "are the same" in same.subtitle and not same.tables[0].marked


def test_where_there_is_no_text_a_sentence_says_why(tiny):
    found = removed(tiny, kind="resample")
    (why,) = together.texts_detail(found).notes
    assert found.texts is None and "no partner" in why
    assert together.texts_detail(removed(tiny, write=False)) is None
    assert "at all positions here" in together.texts_detail(removed(tiny, last_only=True)).notes[0]


# --- what a visitor does -------------------------------------------------------------------------------------


def pressed(visitor, answer, **event) -> None:
    """A quick event of the tab, and the computation that follows if one is due."""
    tab = visitor.page.ablation
    before = visitor.data[tab.due]
    visitor.take(answer(visitor.data, SimpleNamespace(**event)) or {})
    if visitor.data[tab.due] != before:
        (follows,) = (reaction for reaction in tab.reactions() if reaction.answer == tab.set_changed)
        visitor.run(lambda data: visitor.page.react(tab, follows)(data, None))


def typed(visitor, text: str) -> None:
    visitor.sets(visitor.page.ablation.heads, text)
    pressed(visitor, visitor.page.ablation.heads_typed)


def clicked(visitor, cell, chosen) -> None:
    """A click on the grid that leaves these cells chosen."""
    page = visitor.page
    event = SimpleNamespace(index=list(cell), value={"value": 0.0, "chosen": [list(head) for head in chosen]})
    visitor.take(page.cell_clicked(page.ablation)(visitor.data, event))
    visitor.take(page.cell_more(page.ablation)(visitor.data))


def about(visitor) -> tuple:
    """The heads that the panels are about, checked to agree with one another and with what is drawn."""
    tab = visitor.page.ablation
    found = visitor.data[tab.together]
    assert visitor.drawn[tab.joint] == together.joint_detail(found)
    assert visitor.drawn[tab.predictions] == together.predictions_detail(found)
    assert found.joint.heads == found.heads
    return found.heads


def test_a_head_that_is_looked_at_is_removed_as_long_as_no_set_is_chosen(visitor):
    tab = visitor.page.ablation
    result = visitor.data[tab.outcome].result
    assert about(visitor) == (tab.cell(result, visitor.data[tab.selection]),)
    clicked(visitor, (2, 5), [])
    assert about(visitor) == ((2, 5),) and visitor.data[tab.heads] == ""
    clicked(visitor, (1, 1), [(1, 1), (3, 6)])
    assert about(visitor) == ((1, 1), (3, 6)) and visitor.data[tab.heads] == "L1H1, L3H6"
    clicked(visitor, (2, 5), [(1, 1), (3, 6)])
    assert about(visitor) == ((1, 1), (3, 6)) and visitor.data[tab.selection].head == (2, 5)


def test_until_a_set_is_computed_the_former_one_is_marked_and_the_grid_left_as_the_browser_drew_it(visitor):
    page, tab = visitor.page, visitor.page.ablation
    event = SimpleNamespace(index=[1, 1], value={"value": 0.0, "chosen": [[1, 1], [2, 2]]})
    updates = page.cell_clicked(tab)(visitor.data, event)
    assert tab.grid not in updates
    visitor.take(updates)
    assert all(visitor.marks[part]["stale"] for part in parts(tab))
    visitor.take(page.cell_more(tab)(visitor.data))
    assert about(visitor) == ((1, 1), (2, 2)) and not any(visitor.marks[part]["stale"] for part in parts(tab))


@pytest.mark.parametrize("k", [1, 3, 5, 10])
def test_top_k_chooses_the_largest_effects(visitor, k):
    tab = visitor.page.ablation
    effect = abs(visitor.data[tab.outcome].result.effect)
    pressed(visitor, tab.top_chosen(k))
    heads = visitor.data[tab.selection].heads
    assert len(heads) == k and min(effect[head] for head in heads) >= np.sort(effect.ravel())[-k]
    assert about(visitor) == heads and visitor.marks[tab.grid]["chosen"] == [list(head) for head in heads]
    assert visitor.marks[tab.scatter]["chosen"] == [layer * 8 + head for layer, head in heads]
    pressed(visitor, tab.none_chosen)
    assert visitor.data[tab.selection].heads == () and visitor.marks[tab.grid]["chosen"] == []
    assert len(about(visitor)) == 1


def test_heads_are_typed_and_what_is_none_is_refused_in_place(visitor):
    tab = visitor.page.ablation
    typed(visitor, "4.1; l3h6 L0H0")
    assert about(visitor) == ((0, 0), (3, 6), (4, 1)) and visitor.data[tab.heads] == "L0H0, L3H6, L4H1"
    for wrong, why in (("L3H6, L9H9", "no head L9H9"), ("Mary", "is not a head"), ("L0H0 " * 500, "Name fewer")):
        typed(visitor, wrong)
        assert why in str(visitor.drawn[tab.error].title) + str(visitor.drawn[tab.error].lines)
        assert visitor.data[tab.heads] == wrong and about(visitor) == ((0, 0), (3, 6), (4, 1))
    due = visitor.data[tab.due]
    typed(visitor, "L0H0, L3H6, L4H1")
    assert visitor.data[tab.due] == due, "the same set again costs nothing"
    typed(visitor, "")
    assert visitor.data[tab.selection].heads == () and visitor.drawn[tab.error] is None


def test_a_dot_selects_its_head_in_every_tab(visitor):
    page, tab = visitor.page, visitor.page.ablation
    pressed(visitor, tab.dot_clicked, index=3 * 8 + 6)
    assert visitor.data[tab.selection].head == (3, 6) and "L3H6" in visitor.drawn[tab.detail].title
    assert visitor.marks[tab.grid]["selected"] == [3, 6] and about(visitor) == ((3, 6),)
    visitor.take(page.tab_opened(page.attribution)(visitor.data))
    assert visitor.marks[page.attribution.grid]["selected"] == [3, 6]
    for outside in (-1, 48):
        assert tab.dot_clicked(visitor.data, SimpleNamespace(index=outside)) == {}


def test_the_set_is_kept_and_its_effect_computed_anew_by_every_run(visitor):
    page, tab = visitor.page, visitor.page.ablation
    typed(visitor, "L3H6, L4H1")
    visitor.sets(tab.metric, "prob")
    visitor.run(page.run_tab(tab))
    assert about(visitor) == ((3, 6), (4, 1)) and visitor.data[tab.together].joint.metric == "prob"
    assert visitor.drawn[tab.scatter] is None and visitor.drawn[tab.scatter_note] == ""
    visitor.sets(page.bar.clean, "When Mary and John went to the park, John gave a drink to")
    visitor.run(page.run_all)
    assert about(visitor) == ((3, 6), (4, 1))
    assert visitor.data[tab.together].joint.prompt.text.endswith("park, John gave a drink to")
    assert not any(visitor.marks[part]["stale"] for part in parts(tab))
    visitor.take(page.tab_opened(tab)(visitor.data))
    assert visitor.marks[tab.grid]["chosen"] == [[3, 6], [4, 1]]


def parts(tab) -> tuple:
    return tab.joint, tab.joint_receipts, tab.predictions, tab.texts, tab.texts_receipts


def test_what_is_shown_of_the_set_is_marked_as_soon_as_it_belongs_to_something_else(visitor):
    page, tab = visitor.page, visitor.page.ablation
    typed(visitor, "L3H6, L4H1")
    visitor.sets(page.bar.clean, "Something else")
    visitor.take(page.edited(visitor.data))
    assert all(visitor.marks[part]["stale"] for part in (*parts(tab), tab.scatter))
    clicked(visitor, (1, 1), [(1, 1)])
    assert about(visitor) == ((3, 6), (4, 1)) and all(visitor.marks[part]["stale"] for part in parts(tab))
    visitor.sets(page.bar.clean, CLEAN)
    visitor.take(page.edited(visitor.data))
    assert not visitor.sees_stale(tab) and all(visitor.marks[part]["stale"] for part in parts(tab)), "other heads"
    visitor.take(page.cell_more(tab)(visitor.data))
    assert about(visitor) == ((1, 1),) and not any(visitor.marks[part]["stale"] for part in parts(tab))


def test_a_result_drawn_before_its_set_is_computed_shows_the_old_one_marked(visitor):
    page, tab = visitor.page, visitor.page.ablation
    typed(visitor, "L3H6, L4H1")
    old = visitor.drawn[tab.joint]
    data = {**visitor.data, tab.kind: "mean"}
    ready = page._read(page.store.get("tiny"), page.bar.read(data))
    visitor.take(tab.shown(tab.run(ready, data), data))
    assert visitor.drawn[tab.joint] == old and visitor.marks[tab.joint]["stale"]


def test_a_choice_brings_a_stale_picture_up_to_date_first(visitor):
    page, tab = visitor.page, visitor.page.ablation
    visitor.sets(page.bar.clean, "When Mary and John went to the park, John gave a drink to")
    pressed(visitor, tab.top_chosen(3))
    assert visitor.data[tab.outcome].result.prompt.text.endswith("park, John gave a drink to")
    assert visitor.data[tab.together].inputs == visitor.data[tab.outcome].inputs and not visitor.sees_stale(tab)
    assert about(visitor) == visitor.data[tab.selection].heads


def test_receipts_of_the_comparison_of_the_set_and_of_the_texts_are_printed(visitor):
    tab = visitor.page.ablation
    names = {part: [receipt.name for receipt in visitor.drawn[part].receipts] for part in (
        tab.receipts, tab.joint_receipts, tab.texts_receipts)}  # fmt: skip
    assert "logit − baseline" in names[tab.receipts] and "parts − whole" in names[tab.receipts]
    assert {receipt.name for receipt in visitor.data[tab.outcome].result.receipts} <= set(names[tab.receipts])
    assert "self-patch effect" in names[tab.joint_receipts] and "steps − model" in names[tab.texts_receipts]


def test_on_a_large_model_texts_are_written_when_asked_for(visitor, monkeypatch):
    tab = visitor.page.ablation
    monkeypatch.setattr(together, "LIGHT", 0)
    clicked(visitor, (2, 2), [])
    assert visitor.drawn[tab.texts] is None and visitor.data[tab.together].heads == ((2, 2),)
    shown = tab.more(*asked(visitor))[tab.write]
    assert shown["visible"] is True
    (write,) = (reaction for reaction in tab.reactions() if reaction.answer == tab.written)
    visitor.run(lambda data: visitor.page.react(tab, write)(data, None))
    assert visitor.drawn[tab.texts].tables and visitor.data[tab.together].texts is not None


def asked(visitor) -> tuple:
    """What the page hands to `more`."""
    page, tab = visitor.page, visitor.page.ablation
    outcome = visitor.data[tab.outcome]
    ready = page._read(page.store.get("tiny"), outcome.inputs)
    return ready, outcome, tab.cell(outcome.result, visitor.data[tab.selection]), visitor.data


def test_heads_that_the_model_lacks_are_left_out(visitor):
    tab = visitor.page.ablation
    visitor.sets(tab.selection, visitor.data[tab.selection].with_heads([(1, 1), (40, 3), (2, 20)]))
    visitor.take(tab.followed(visitor.data))
    visitor.take(tab.more(*asked(visitor)))
    assert about(visitor) == ((1, 1),) and visitor.marks[tab.grid]["chosen"] == [[1, 1]]


def test_before_there_is_a_result_nothing_happens(page):
    tab = page.ablation
    data = {component: getattr(component, "value", None) for component in page.everything()}
    for answer in (tab.heads_typed, tab.none_chosen, tab.top_chosen(3), tab.dot_clicked):
        assert answer(data, SimpleNamespace(index=0)) == {}
