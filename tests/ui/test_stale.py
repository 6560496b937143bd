"""A result is marked as soon as the inputs or options on the page are others than those it was computed from."""

import pytest

from resstream_demo.core.settings import Settings
from resstream_demo.ui import session
from resstream_demo.ui.page import Page


class Visitor:
    """Somebody on the page: the values of its components, and the marks of what is drawn."""

    def __init__(self, page: Page):
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
    return Page(Settings())


@pytest.fixture
def visitor(page):
    return Visitor(page)


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
    monkeypatch.setattr(session.Ready, "recalled", lambda self, kind, options, make: make())  # no kept result
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


def test_a_run_of_everything_computes_the_single_effects_once(page, visitor, monkeypatch):
    computed = []
    compute = type(page.ablation).compute
    monkeypatch.setattr(
        type(page.ablation), "compute", staticmethod(lambda *args: computed.append(1) or compute(*args))
    )
    visitor.sets(page.bar.answer, " John")
    visitor.run(page.run_all)
    assert len(computed) == 1 and visitor.drawn[page.ablation.joint] is not None
