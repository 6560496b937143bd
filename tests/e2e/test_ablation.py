"""The ablation tab in a browser: sets of heads are chosen in every way there is, and all that hangs on them follows."""

import re

import pytest

from resstream_demo import head_ablation, load_model
from resstream_demo.figures.numbers import format_number

CLEAN = "When Mary and John went to the store, John gave a drink to"
LAYERS, HEADS = 6, 8


@pytest.fixture(scope="module")
def tiny():
    return load_model("tiny")


class Heads:
    """The tab of somebody who has opened it, and what is chosen there."""

    def __init__(self, seen):
        self.seen, self.page = seen, seen.page
        seen.tab("Ablation")
        self.about(r"Without L\d+H\d+$")

    def cell(self, layer: int, head: int):
        return self.seen.cells("ablation").nth((LAYERS - 1 - layer) * HEADS + head)

    @property
    def field(self):
        return self.page.get_by_label("Remove these heads together")

    def press(self, name: str) -> None:
        self.page.locator("#joint").get_by_role("button", name=name, exact=True).click()

    def about(self, title: str) -> None:
        """Wait until what is shown of heads removed together is about these."""
        self.page.locator("#ablation-joint").get_by_role("heading", name=re.compile(title)).wait_for()

    def chosen(self) -> int:
        return self.page.locator("#ablation-grid td[aria-selected=true]").count()

    def typed(self, text: str) -> None:
        self.field.fill(text)
        self.field.press("Enter")

    def option(self, label: str, name: str) -> None:
        """Another choice in a menu of the tab."""
        self.page.locator("#tab-ablation").get_by_label(label).click()
        self.page.get_by_role("option", name=name).click()
        self.seen.settle()


@pytest.fixture
def heads(visit):
    return lambda **how: Heads(visit(**how))


def test_heads_are_chosen_by_click_rectangle_row_and_key(heads):
    tab = heads()
    tab.cell(3, 3).click()
    tab.about(r"Without L3H3$")
    tab.cell(1, 6).click(modifiers=["Control"])
    tab.about(r"Without L1H6$")
    tab.cell(2, 7).click(modifiers=["Shift"])
    tab.about("L1H6, L1H7, L2H6, L2H7, removed together")
    assert tab.field.input_value() == "L1H6, L1H7, L2H6, L2H7" and tab.chosen() == 4
    tab.page.locator("#ablation-grid tr[data-row='5'] th").click()
    tab.about("and 6 more, removed together")
    assert tab.chosen() == 12
    tab.cell(4, 4).click()
    tab.page.locator("#ablation-detail").get_by_role("heading", name="L4H4").wait_for()
    assert tab.chosen() == 12, "to look at a head leaves the set as it is"
    tab.page.keyboard.press("x")
    tab.about("and 7 more, removed together")
    tab.press("Clear")
    tab.about(r"Without L4H4$")
    assert tab.chosen() == 0 and tab.field.input_value() == ""


def test_quick_clicks_end_in_what_was_clicked(heads):
    tab = heads()
    for head in range(6):
        tab.cell(2, head).click(modifiers=["Control"])
    tab.about("L2H0, L2H1, L2H2, L2H3, L2H4, L2H5, removed together")
    assert tab.chosen() == 6


def test_top_k_and_the_joint_effect_are_the_methods_own(heads, tiny):
    tab = heads()
    each = head_ablation(tiny, CLEAN, " Mary", " John")
    tab.press("Top 3")
    named = sorted(each.top(3)["heads"])
    tab.about(", ".join(named) + ", removed together")
    assert tab.field.input_value() == ", ".join(named) and tab.chosen() == 3
    joint = head_ablation(tiny, CLEAN, " Mary", " John", heads=named)
    text = tab.seen.text("#ablation-joint")
    alone = sum(float(each.effect[head]) for head in joint.heads)
    for number in (float(joint.effect), alone):
        assert format_number(number, signed=True)[:5] in text
    assert tab.page.locator("#ablation-joint-receipts .rs-ok").count() >= 3
    assert not tab.page.locator("#ablation-joint-receipts .rs-fail").count()


def test_heads_are_typed_and_what_is_none_is_refused_in_place(heads):
    tab = heads()
    tab.typed("4.1; l3h6")
    tab.about("Without L3H6, L4H1, removed together")
    assert tab.field.input_value() == "L3H6, L4H1" and tab.chosen() == 2
    tab.typed("L3H6, L9H9")
    tab.page.locator("#ablation-error").get_by_role("alert").filter(has_text="no head L9H9").wait_for()
    assert tab.field.input_value() == "L3H6, L9H9" and tab.chosen() == 2
    tab.field.fill("L0H0, L1H1")
    tab.field.press("Tab")
    tab.about("Without L0H0, L1H1, removed together")
    assert not tab.page.locator("#ablation-error").get_by_role("alert").count()


def test_predictions_and_texts_stand_before_and_after(heads):
    tab = heads()
    tab.press("Top 3")
    tab.about("removed together")
    table = tab.page.locator("#ablation-next-token").get_by_role("table")
    assert table.get_by_role("row").filter(has_text="␣Mary").count() == 1
    texts = tab.page.locator("#ablation-texts")
    assert texts.get_by_role("row").count() >= 2 and "≠" in texts.get_by_role("table").inner_text()
    assert texts.locator("tr.rs-marked").count() == 1
    assert tab.page.locator("#ablation-texts-receipts .rs-ok").count() >= 3


def test_a_dot_of_the_scatter_plot_selects_its_head_everywhere(heads):
    tab = heads()
    dot = tab.page.locator("#ablation-scatter").get_by_role("option", name=re.compile("^L3H6:"))
    dot.focus()
    tab.page.keyboard.press("Enter")
    tab.page.locator("#ablation-detail").get_by_role("heading", name="Without head L3H6").wait_for()
    tab.about(r"Without L3H6$")
    assert tab.cell(3, 6).get_attribute("aria-current") == "true"
    tab.seen.tab("Attribution")
    tab.page.locator("#attribution-detail").get_by_role("heading", name="L3H6").wait_for()


def test_kinds_name_their_reference_and_say_what_cannot_be_had(heads):
    tab = heads()
    tab.press("Top 3")
    tab.about("removed together")
    tab.option("A removed head writes", "average over everyday")
    line = tab.page.locator("#tab-ablation .block.numbers")
    line.filter(has_text=re.compile(r"“everyday”: 20 prompts, \d+ positions")).wait_for()
    tab.option("A removed head writes", "its output on the corrupted prompt")
    line.filter(has_text="resampled from “When Mary").wait_for()
    tab.page.locator("#ablation-texts", has_text="no partner there").wait_for()
    assert tab.page.locator("#ablation-scatter").get_by_role("option").count() == LAYERS * HEADS
    tab.option("Read off", "KL from the untouched run")
    tab.page.locator("#ablation-scatter", has_text="the logit difference").wait_for()
    assert not tab.page.locator("#ablation-scatter").get_by_role("option").count()


def test_the_set_survives_other_tabs_and_runs_and_is_marked_meanwhile(heads):
    tab = heads()
    tab.typed("L3H6, L4H1")
    tab.about("Without L3H6, L4H1, removed together")
    panels = "#ablation-joint .rs-stale, #ablation-next-token .rs-stale, #ablation-texts .rs-stale"
    assert tab.page.locator(panels).count() == 0
    tab.page.locator("#clean-prompt textarea").fill(CLEAN.replace("store", "park"))
    tab.page.locator("#ablation-joint .rs-stale").wait_for()
    assert tab.page.locator(panels).count() == 3
    tab.seen.tab("Logit lens")
    tab.seen.run()
    tab.seen.tab("Ablation")
    tab.about("Without L3H6, L4H1, removed together")
    tab.page.locator("#ablation-joint .rs-stale").wait_for(state="hidden")
    assert tab.chosen() == 2 and tab.page.locator(panels).count() == 0


def test_a_link_brings_the_set_along(visit):
    seen = visit(query="?tab=ablation&heads=L3H6+L4H1")
    seen.page.locator("#ablation-joint").get_by_role("heading", name="L3H6, L4H1, removed together").wait_for()
    assert seen.page.get_by_label("Remove these heads together").input_value() == "L3H6, L4H1"


@pytest.mark.parametrize("how", [{"width": 390, "height": 844}, {"query": "?__theme=dark"}])
def test_a_phone_and_the_dark_show_all_of_it(heads, how):
    tab = heads(**how)
    tab.press("Top 10")
    tab.about("removed together")
    assert tab.seen.overflow() <= 0
    for part in ("grid", "detail", "scatter", "joint", "next-token", "texts"):
        box = tab.page.locator(f"#ablation-{part}").bounding_box()
        assert box["x"] >= 0 and box["width"] > 250, part


def test_hostile_text_stays_text(heads):
    tab = heads()
    for prompt in ("#clean-prompt", "#corrupted-prompt"):
        tab.page.locator(f"{prompt} textarea").fill("<b>x</b> %{x} ${alert(1)} {{x}} <!-- </script> the")
    tab.page.get_by_label("Answer", exact=True).fill("<")
    tab.page.get_by_label("Contrast", exact=True).fill("{")
    tab.seen.run()
    tab.press("Top 5")
    tab.about("removed together")
    assert not tab.page.locator("#ablation-error .rs-notice").count()
    assert tab.page.locator("#tab-ablation b").count() == 0
