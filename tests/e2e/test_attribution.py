"""The attribution tab in a real browser: bars, heads, neurons and tokens, each leading to the next."""

import re

import pytest

pytestmark = pytest.mark.browser

LAYERS, HEADS = 6, 8  # of the bundled model


class Tab:
    """The attribution tab of an open page."""

    def __init__(self, seen):
        self.seen, self.page = seen, seen.page
        seen.tab("Attribution")
        self.bars = self.page.get_by_role("listbox", name="The sum, from the embedding up, logits")
        self.bars.wait_for()
        self.detail = self.page.locator("#attribution-detail")

    def bar(self, name: str):
        return self.bars.get_by_role("option", name=name)

    def cell(self, layer: int, column: int):
        return self.seen.cells("attribution").nth((LAYERS - 1 - layer) * (HEADS + 2) + column)

    def heading(self, text: str):
        return self.detail.get_by_role("heading", name=text)

    def rows(self, table: int = 0):
        return self.detail.get_by_role("table").nth(table).locator("tbody tr")

    def pick_position(self, name: str) -> None:
        self.page.locator("#attribution-position input").click()
        self.page.get_by_role("option", name=name, exact=True).click()

    def sum_of(self, token: str, after: int) -> None:
        """Wait until it is the logit of this token alone that is explained, after this position."""
        line = self.page.locator("#tab-attribution .block.numbers")
        line.get_by_text(re.compile(f"^logit of {token}, for the token after position {after} ")).wait_for()

    def known(self, what: str = "What it writes, read as tokens") -> None:
        """Wait for what takes the model."""
        self.detail.get_by_text(what).wait_for()


@pytest.fixture
def tab(visit):
    return lambda **options: Tab(visit(**options))


def test_the_sum_grows_from_the_embedding_to_the_models_own_number(tab):
    found = tab()
    found.known()
    names = found.bars.get_by_role("option").all_inner_texts()
    assert [name.split("\n")[0] for name in reversed(names)][:4] == [
        "token embedding", "position embedding", "L0 attention", "L0 MLP",
    ]  # fmt: skip
    assert len(names) == 2 + 2 * LAYERS + 1
    totals = found.page.locator("#attribution-waterfall .rs-fall-total").all_inner_texts()
    assert [text.split("\n")[0] for text in totals] == ["the model’s own", "sum of parts"]
    assert totals[0].split("\n")[1] == totals[1].split("\n")[1]
    assert found.seen.cells("attribution").count() == LAYERS * (HEADS + 2)
    assert found.bars.locator("[aria-selected=true]").count() == 1


def test_an_mlp_shows_its_neurons_from_bar_and_grid_alike(tab):
    found = tab()
    found.bar("L5 MLP").click()
    found.heading("MLP of layer 5").wait_for()
    found.known("Its strongest neurons")
    assert found.cell(5, HEADS + 1).get_attribute("aria-selected") == "true"
    assert found.rows().last.inner_text().split("\t")[0].strip() == "all"
    found.page.locator("#attribution-checks", has_text="neurons − MLP").wait_for()
    neurons = found.rows().all_inner_texts()
    found.cell(2, HEADS + 1).click()
    found.heading("MLP of layer 2").wait_for()
    found.known("Its strongest neurons")
    assert found.bar("L2 MLP").get_attribute("aria-selected") == "true"
    assert found.rows().all_inner_texts() != neurons
    assert not found.page.locator("#attribution-checks .rs-fail").count()


def test_attention_leads_to_a_head_and_the_head_to_a_token(tab):
    found = tab()
    found.bar("L3 attention").click()
    found.heading("Attention of layer 3").wait_for()
    assert found.rows().count() == HEADS + 1
    assert not found.page.locator("#attribution-grid [aria-selected=true]").count()
    row = found.rows().filter(has_text="L3H").first
    name = row.locator("td").first.inner_text()
    row.click()
    found.heading(f"Head {name}").wait_for()
    found.known()
    assert found.cell(3, int(name[3:])).get_attribute("aria-selected") == "true"
    assert found.bar("L3 attention").get_attribute("aria-selected") == "true"
    found.rows().nth(4).click()
    found.detail.locator("tr.rs-marked", has_text="␣John").first.wait_for()
    found.page.locator("#tokens .rs-selected").first.wait_for()
    found.seen.tab("Logit lens")
    found.page.locator("#lens-detail h3", has_text="position 4").wait_for()
    found.seen.tab("Ablation")
    found.page.locator("#ablation-detail h3", has_text=name).wait_for()


def test_looking_into_a_part_does_not_look_like_a_run(tab):
    found = tab()
    found.known()
    found.seen.settle()
    found.page.evaluate("""() => {
      window.signs = new Set();
      const shown = (node) => node && node.getClientRects().length > 0;
      const look = () => {
        if (shown(document.querySelector("#stop"))) window.signs.add("stop");
        if (!shown(document.querySelector("#run"))) window.signs.add("no run");
        if (shown(document.querySelector("#busy .rs-notice"))) window.signs.add("busy");
        requestAnimationFrame(look);
      };
      look();
    }""")
    found.bar("L4 MLP").click()
    found.known("Its strongest neurons")
    found.page.wait_for_timeout(500)
    assert found.page.evaluate("[...window.signs]") == []


def test_a_token_of_the_prompts_is_marked_among_the_sources(tab):
    found = tab()
    found.known()
    found.page.locator("#tokens").get_by_text("␣store").first.click()
    found.detail.locator("tr.rs-marked", has_text="␣store").wait_for()


def test_the_largest_parts_can_be_selected(tab):
    found = tab()
    table = found.page.locator("#attribution-largest")
    row = table.locator("tbody tr").nth(4)
    name = row.locator("td").nth(1).inner_text()
    row.click()
    table.locator("tr.rs-marked", has_text=name).wait_for()
    shown = f"MLP of layer {name[1]}" if "MLP" in name else f"Head {name}"
    found.heading(shown).wait_for()


def test_the_question_and_the_position_are_options_of_their_own(tab):
    found = tab()
    found.page.get_by_label("contrast alone").click()
    found.sum_of("␣John", after=14)
    found.pick_position("4 ␣John")
    found.sum_of("␣John", after=4)
    found.seen.settle()
    found.page.get_by_label("to the head").click()
    found.seen.settle()
    assert "inputs or options have changed" not in found.page.locator("#attribution-grid").inner_text()
    assert found.page.locator("#attribution-position input").input_value() == "4 ␣John"


def test_options_set_one_after_the_other_all_hold(tab):
    found = tab()
    found.page.get_by_label("contrast alone").click()
    found.pick_position("4 ␣John")
    found.page.get_by_label("answer alone").click()
    found.sum_of("␣Mary", after=4)
    found.seen.settle()
    found.page.locator("#attribution-grid .rs-stale-note").wait_for(state="hidden")
    assert found.page.locator("#attribution-position input").input_value() == "4 ␣John"


def test_a_link_brings_the_position_and_the_head(tab):
    found = tab(query="?tab=attribution&attribution-position=5&attribution-explain=answer&head=L2H7&position=3")
    found.heading("Head L2H7").wait_for()
    found.page.locator("#tab-attribution .block.numbers").get_by_text("for the token after position 5").wait_for()
    found.detail.locator("tr.rs-marked", has_text="␣and").wait_for()
    assert found.page.locator("#attribution-position input").input_value() == "5 ␣went"


def test_bars_and_details_are_reached_by_keyboard(tab):
    found = tab()
    found.known()
    selected = found.bars.locator("[aria-selected=true]")
    selected.focus()
    name = selected.inner_text()
    found.page.keyboard.press("ArrowDown")
    found.page.keyboard.press("Enter")
    found.page.wait_for_function(
        "(old) => document.querySelector('#attribution-waterfall [aria-selected=true]').innerText !== old", arg=name
    )
    assert found.page.evaluate("document.activeElement.getAttribute('role')") == "option"
    found.bar("L3 attention").click()
    found.heading("Attention of layer 3").wait_for()
    found.rows().first.focus()
    found.page.keyboard.press("Enter")
    found.page.locator("#attribution-detail h3", has_not_text="Attention of layer").wait_for()


def test_the_bars_have_a_table_of_the_same_numbers(tab):
    found = tab()
    box = found.page.locator("#attribution-waterfall")
    before = found.bar("L0 MLP").inner_text().split("\n")[-1]
    box.get_by_role("button", name="Table").click()
    row = box.locator("tbody tr", has_text="L0 MLP")
    value = row.locator("td").first.inner_text()
    assert abs(float(value.replace("−", "-")) - float(before.replace("−", "-"))) < 0.006
    row.click()
    found.heading("MLP of layer 0").wait_for()


@pytest.mark.parametrize("width", [1400, 390])
def test_pictures_and_details_fit_their_place(tab, width):
    found = tab(width=width, height=900)
    found.known()
    for name in ("L5 MLP", "L4 attention"):
        found.bar(name).click()
        found.page.wait_for_timeout(400)
        assert found.seen.overflow() <= 0
    found.cell(4, 1).click()
    found.known()
    wide = "(box) => box.scrollWidth - box.clientWidth"
    for box in found.detail.locator(".rs-table-box").all():
        assert box.evaluate(wide) <= 1
    assert found.bars.bounding_box()["width"] > 250
