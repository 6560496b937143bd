"""A result is marked as soon as the inputs or options on the page are others than those it was computed from."""

import pytest

from resstream_demo import head_ablation, load_model
from resstream_demo.core.settings import Settings
from resstream_demo.ui import app

HEADS = [(0, 0), (3, 6), (4, 1)]


class Visitor:
    """Somebody on the page: the values of its components, and the marks of what is drawn."""

    def __init__(self, page: app.Page):
        self.page, self.marks, self.drawn = page, {}, {}
        self.data = {component: getattr(component, "value", None) for component in page.everything()}
        self.data.update({tab.outcome: outcome for tab, outcome in page.opening.items()})
        self.take(page.opened(self.data))

    def take(self, updates) -> None:
        for component, update in (updates if isinstance(updates, dict) else {}).items():
            changed = update if isinstance(update, dict) else {"value": update}
            self.marks.setdefault(component, {}).update(changed.get("marks", {}))
            if "value" in changed:
                self.drawn[component] = changed["value"]
            if component in self.data and "value" in changed:
                self.data[component] = changed["value"]

    def sets(self, component, value) -> None:
        self.data[component] = value

    def run(self, handler) -> None:
        """An event that computes, and what follows it."""
        for updates in handler(dict(self.data)):  # an event knows what was there when it began
            self.take(updates)
        self.take(self.page.caught_up(self.data))

    def sees_stale(self, tab) -> bool:
        marks = {self.marks[part]["stale"] for part in (tab.grid, tab.detail, tab.receipts)}
        assert len(marks) == 1, "the parts of a tab agree"
        return marks.pop()


@pytest.fixture(scope="module")
def page():
    return app.Page(Settings())


@pytest.fixture
def visitor(page):
    return Visitor(page)


@pytest.fixture(scope="module")
def tiny():
    return load_model("tiny")


def test_an_option_that_fails_leaves_the_result_marked(page, visitor):
    tab = page.ablation
    visitor.sets(page.bar.corrupted, "")
    visitor.run(page.run_all)
    assert not visitor.sees_stale(tab)
    visitor.sets(tab.kind, "resample")
    visitor.run(page.run_tab(tab))
    assert visitor.drawn[tab.error] is not None and visitor.sees_stale(tab)
    visitor.take(tab.clicked(visitor.data, (1, 1)))
    assert visitor.sees_stale(tab)
    visitor.sets(tab.kind, "zero")
    visitor.run(page.run_tab(tab))
    assert visitor.drawn[tab.error] is None and not visitor.sees_stale(tab)


def test_an_option_set_while_its_tab_waits_is_seen_on_every_tab(page, visitor):
    changes = {page.lens.norm: "final", page.attribution.biases: "in_heads", page.patching.direction: "noising",
               page.ablation.where: "last"}  # fmt: skip
    for tab, (option, value) in zip(page.tabs, changes.items(), strict=True):
        visitor.sets(option, value)
        visitor.take(page.caught_up(visitor.data))
        assert visitor.sees_stale(tab)
        visitor.run(page.run_tab(tab))
        assert not visitor.sees_stale(tab)


def test_a_failure_with_nothing_changed_does_not_doubt_the_result(page, visitor, monkeypatch):
    def fail(*args):
        raise MemoryError

    monkeypatch.setattr(type(page.lens), "compute", staticmethod(fail))
    visitor.run(page.run_tab(page.lens))
    assert visitor.drawn[page.lens.error] is not None and not visitor.sees_stale(page.lens)


def test_a_position_beyond_a_shorter_prompt_becomes_the_last_one(page, visitor):
    tab, bar = page.attribution, page.bar
    visitor.sets(tab.position, 9)
    visitor.run(page.run_tab(tab))
    assert visitor.data[tab.outcome].result.position == 9 and not visitor.sees_stale(tab)
    for prompt, last in (("When Mary and John went to the store", 8), ("When Mary and John went to the store,", 9)):
        visitor.sets(tab.position, 9)
        visitor.sets(bar.clean, prompt)
        visitor.sets(bar.corrupted, prompt)
        visitor.run(page.run_all)
        assert visitor.data[tab.outcome].result.position == last == len(visitor.data[tab.outcome].result.prompt) - 1
        assert visitor.data[tab.position] == -1, "no choice of the menu has the last position's own number"
        assert not visitor.sees_stale(tab)


def test_heads_removed_together_are_compared_with_effects_of_the_same_kind(page, visitor, tiny):
    tab, asked = page.ablation, visitor.data[page.ablation.outcome].inputs
    visitor.sets(tab.heads, "L0H0, L3H6, L4H1")
    visitor.sets(tab.kind, "bias_only")
    visitor.sets(tab.metric, "prob")
    visitor.run(page.run_joint)
    options = {"kind": "bias_only", "metric": "prob"}
    each = head_ablation(tiny, asked.clean, asked.answer, asked.contrast, **options)
    together = head_ablation(tiny, asked.clean, asked.answer, asked.contrast, heads=HEADS, **options)
    changes = dict(visitor.drawn[tab.joint].tables[0].rows)
    assert changes["L3H6"] == pytest.approx(float(each.effect[3, 6]), abs=1e-6)
    assert changes["sum of these"] == pytest.approx(sum(float(each.effect[head]) for head in HEADS), abs=1e-6)
    assert changes["removed together"] == pytest.approx(float(together.effect), abs=1e-6)
    assert visitor.data[tab.outcome].result.kind == "bias_only" and not visitor.sees_stale(tab)


def test_the_receipts_of_heads_removed_together_are_printed_and_age_with_them(page, visitor):
    tab = page.ablation
    assert tab.joint_receipts in page._outputs() and not visitor.drawn.get(tab.joint_receipts)
    visitor.sets(tab.heads, "L3H6, L4H1")
    visitor.run(page.run_joint)
    printed = [receipt.name for receipt in visitor.drawn[tab.joint_receipts]]
    assert printed and printed == [receipt.name for receipt in visitor.data[tab.outcome].result.receipts]
    visitor.sets(page.bar.clean, "Something else")
    visitor.take(page.edited(visitor.data))
    assert visitor.marks[tab.joint_receipts]["stale"] and visitor.marks[tab.joint]["stale"]
    visitor.sets(page.bar.clean, visitor.data[tab.outcome].inputs.clean)
    visitor.sets(tab.where, "last")
    visitor.run(page.run_tab(tab))
    assert visitor.drawn[tab.joint_receipts] is None and visitor.drawn[tab.joint] is None


def test_a_run_of_everything_computes_the_single_effects_once(page, visitor, monkeypatch):
    computed = []
    compute = type(page.ablation).compute
    monkeypatch.setattr(
        type(page.ablation), "compute", staticmethod(lambda *args: computed.append(1) or compute(*args))
    )
    visitor.sets(page.bar.answer, " John")
    visitor.sets(page.ablation.heads, "L3H6")
    visitor.run(page.run_all)
    assert len(computed) == 1 and visitor.drawn[page.ablation.joint] is not None
