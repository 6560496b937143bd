"""The pictures in a real browser: choosing by pointer, touch and keyboard, their tables, and text that stays text."""

import pytest

from . import widgets_page
from .widgets_visitor import PICTURES, Seen

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address():
    """Address of the page of `widgets_page`, served by this process."""
    page = widgets_page.build()
    page.launch(prevent_thread_lock=True, quiet=True, footer_links=[])
    yield page.local_url
    page.close()


@pytest.fixture
def opened(browser, address):
    """A function that opens the page; what goes wrong in it fails the test."""
    contexts, all_seen = [], []

    def open_page(width: int = 1180, height: int = 1000, query: str = "", touch: bool = False) -> Seen:
        context = browser.new_context(viewport={"width": width, "height": height}, has_touch=touch, is_mobile=touch)
        contexts.append(context)
        seen = Seen(context.new_page())
        all_seen.append(seen)
        seen.page.goto(address + query)
        for name in PICTURES:
            seen.part(name, ".rs-card").wait_for()
        return seen

    yield open_page
    for context in contexts:
        context.close()
    assert [trouble for seen in all_seen for trouble in seen.trouble] == []


# ---- the grid: one cell, and a set of them ----


def test_a_click_selects_one_cell_and_leaves_the_set_alone(opened):
    seen = opened()
    seen.cell("lens", 12, 3).click()
    index, value = seen.told("lens")
    assert index == [12, 3] and isinstance(value, float)
    assert seen.cells_of("lens", ".rs-selected") == seen.cells_of("lens", '[aria-selected="true"]') == [[12, 3]]
    assert seen.part("lens", "table").get_attribute("aria-multiselectable") is None
    assert seen.button("lens", "Select several").count() == 0

    seen.press("mark")
    seen.wait_marked("heads", ".rs-chosen")
    seen.cell("heads", 2, 5).click()
    index, value = seen.told("heads")
    assert index == [2, 5] and value["chosen"] == [[9, 6], [9, 9], [10, 7]]
    assert value["value"] == pytest.approx(widgets_page.head_effects()[2, 5], rel=1e-3)
    assert seen.cells_of("heads", ".rs-selected") == seen.cells_of("heads", '[aria-current="true"]') == [[2, 5]]


def test_ctrl_shift_and_row_names_make_a_set(opened):
    seen = opened()
    assert seen.part("heads", "table").get_attribute("aria-multiselectable") == "true"
    seen.cell("heads", 5, 5).click()
    assert seen.told("heads")[1]["chosen"] == []
    seen.cell("heads", 7, 4).click(modifiers=["Shift"])
    rectangle = [[r, c] for r in (5, 6, 7) for c in (4, 5)]
    index, value = seen.told("heads")
    assert index == [7, 4] and value["chosen"] == rectangle
    seen.cell("heads", 4, 5).click(modifiers=["Shift"])
    assert seen.told("heads")[1]["chosen"] == [[4, 5], [5, 5]], "the rectangle starts from the same cell again"
    seen.cell("heads", 0, 11).click(modifiers=["Control"])
    assert seen.told("heads")[1]["chosen"] == [[0, 11], [4, 5], [5, 5]]
    seen.cell("heads", 4, 5).click(modifiers=["Control"])
    assert seen.told("heads")[1]["chosen"] == [[0, 11], [5, 5]]
    row = seen.part("heads", 'tr[data-row="3"] > th')
    row.click()
    everything = [[0, 11], *([3, c] for c in range(12)), [5, 5]]
    assert seen.told("heads")[1]["chosen"] == everything
    assert seen.cells_of("heads", ".rs-chosen") == seen.cells_of("heads", '[aria-selected="true"]') == everything
    row.click()
    assert seen.told("heads")[1]["chosen"] == [[0, 11], [5, 5]]
    assert seen.part("heads", ".rs-count").inner_text() == "2 selected"
    assert seen.page.locator("#heads [role=status]", has_text="2 selected").count() == 1
    seen.button("heads", "Clear").click()
    assert seen.told("heads")[1]["chosen"] == [] and seen.cells_of("heads", ".rs-chosen") == []
    assert seen.button("heads", "Clear").count() == 0, "there is nothing to clear"


def test_the_keyboard_can_do_all_that(opened):
    seen = opened()
    keys = seen.page.keyboard
    seen.cell("heads", 0, 0).focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowRight", "Enter"):
        keys.press(key)
    assert seen.told("heads") == ([2, 1], {"value": seen_value(2, 1), "chosen": []})
    keys.press("x")
    assert seen.told("heads")[1]["chosen"] == [[2, 1]]
    keys.press("ArrowRight")
    keys.press("Control+Enter")
    assert seen.told("heads")[1]["chosen"] == [[2, 1], [2, 2]]
    keys.press("x")
    assert seen.told("heads")[1]["chosen"] == [[2, 1]]
    keys.press("End")
    seen.page.evaluate(  # one after the other without a pause: they make one event
        """() => ["ArrowUp", "ArrowLeft", "ArrowDown"].forEach((key) => document.activeElement.dispatchEvent(
          new KeyboardEvent("keydown", { key, shiftKey: true, bubbles: true, cancelable: true })))"""
    )
    index, value = seen.told("heads")
    assert index == [2, 10] and value["chosen"] == [[2, 1], [2, 10], [2, 11]]
    keys.press("Shift+Space")
    assert seen.told("heads")[1]["chosen"] == [[2, c] for c in range(12)]
    assert seen.page.evaluate("document.activeElement.getAttribute('aria-label')").startswith("L2, H10: ")


def test_without_a_ctrl_key_a_switch_lets_taps_add_and_remove(opened):
    seen = opened(390, 844, touch=True)
    switch = seen.button("heads", "Select several")
    switch.tap()
    assert switch.get_attribute("aria-pressed") == "true"
    for column, chosen in ((1, [[11, 1]]), (3, [[11, 1], [11, 3]]), (1, [[11, 3]])):
        seen.cell("heads", 11, column).tap()
        assert seen.told("heads")[1]["chosen"] == chosen
    seen.press("redraw")
    seen.page.wait_for_timeout(1000)
    assert switch.get_attribute("aria-pressed") == "true" and seen.cells_of("heads", ".rs-chosen") == [[11, 3]]
    switch.tap()
    seen.cell("heads", 10, 2).tap()
    assert seen.told("heads") == ([10, 2], {"value": seen_value(10, 2), "chosen": [[11, 3]]})


def seen_value(row: int, column: int) -> float:
    """The number of a head as the browser has it."""
    return widgets_page.heads().payload()["values"][row][column]


def test_the_popup_draws_the_way_of_the_cells_token(opened):
    seen = opened()
    data = widgets_page.lens().payload()
    seen.cell("lens", 4, 9).hover()
    trail = seen.part("lens", ".rs-popup.rs-open .rs-trail")
    trail.wait_for()
    own = data["trails"]["keys"][4][9]
    assert trail.locator(".rs-token").first.inner_text() == data["text"][4][9] == widgets_page.GUESSES[own]
    dot = trail.locator(".rs-trail-dot").get_attribute("transform")
    x, y = (float(part) for part in dot.removeprefix("translate(").removesuffix(")").split())
    assert x == pytest.approx(5 + 4 / 12 * 242, abs=0.1)
    assert y == pytest.approx(41 - 36 * data["trails"]["columns"][9]["tokens"][own][1][4], abs=0.1)
    assert trail.locator(".rs-trail-other").count() == len(widgets_page.GUESSES) - 1


# ---- tables in the place of pictures ----


def test_the_grids_table_has_the_same_numbers_and_selects_too(opened):
    seen = opened()
    data = widgets_page.lens().payload()
    seen.press("mark")
    seen.wait_marked("lens", ".rs-selected")
    assert seen.part("lens", ".rs-twin-grid").count() == 0, "built when it is asked for"
    seen.button("lens", "Table").click()
    table = seen.part("lens", "table")
    assert table.count() == 1 and table.get_attribute("role") is None
    assert seen.part("lens", "tbody th[scope=row]").all_inner_texts() == data["rows"][::-1]
    heads = seen.part("lens", "thead th[scope=col]").all_inner_texts()
    assert heads == [f"{n} {token}" for n, token in enumerate(data["columns"])]
    told = [cell.split() for cell in seen.part("lens", 'tr[data-row="7"] > td').all_inner_texts()]
    assert told == [list(pair) for pair in zip(data["text"][7], data["shown"][7], strict=True)]
    assert seen.cells_of("lens", '[aria-current="true"]') == [[10, 14]]
    seen.cell("lens", 12, 0).click()
    assert seen.told("lens")[0] == [12, 0]
    seen.page.keyboard.press("ArrowRight")
    seen.page.keyboard.press("ArrowDown")
    seen.page.keyboard.press("Enter")
    assert seen.told("lens") == ([11, 1], data["values"][11][1])

    seen.press("redraw")
    seen.page.wait_for_function(
        "text => document.querySelector('#lens tr[data-row=\"7\"] > td').textContent.includes(text)",
        arg=widgets_page.lens(seed=5).payload()["shown"][7][0],
    )
    assert seen.button("lens", "Table").get_attribute("aria-pressed") == "true", "the choice outlives a redrawing"
    assert seen.cells_of("lens", '[aria-current="true"]') == [[11, 1]]
    seen.button("lens", "Table").click()
    assert seen.cells_of("lens", ".rs-cell.rs-selected") == [[11, 1]]


def test_a_set_can_be_chosen_in_the_table(opened):
    seen = opened()
    seen.button("heads", "Table").click()
    seen.cell("heads", 3, 3).click()
    seen.told("heads")
    seen.cell("heads", 4, 4).click(modifiers=["Shift"])
    assert seen.told("heads")[1]["chosen"] == [[3, 3], [3, 4], [4, 3], [4, 4]]
    seen.page.keyboard.press("x")
    assert seen.told("heads")[1]["chosen"] == [[3, 3], [3, 4], [4, 3]]
    seen.button("heads", "Table").click()
    assert seen.cells_of("heads", ".rs-cell.rs-chosen") == [[3, 3], [3, 4], [4, 3]]


def test_a_large_grids_table_opens(opened):
    seen = opened()
    seen.press("big")
    seen.page.wait_for_function("document.querySelectorAll('#lens td.rs-cell').length === 49 * 128")
    seen.button("lens", "Table").click()
    assert seen.part("lens", ".rs-twin-grid tbody td").count() == 49 * 128
    seen.cell("lens", 48, 2).click()
    assert seen.told("lens")[0] == [48, 2]
    assert seen.part("waterfall", "[role=option]").count() == 2 + 2 * 48 + 1
    assert seen.part("scatter", "[role=option]").count() == 48 * widgets_page.HEADS


@pytest.mark.parametrize(("name", "row", "index"), [("curves", 0, ["x", 12]), ("waterfall", 2, 26), ("scatter", 5, 5)])
def test_the_charts_have_tables_whose_rows_select(opened, name, row, index):
    seen = opened()
    seen.button(name, "Table").click()
    rows = seen.part(name, "tbody tr")
    expected = {"curves": 13, "waterfall": 2 + 27, "scatter": 144}[name]
    assert rows.count() == expected and seen.part(name, "tbody th[scope=row]").count() == expected
    rows.nth(row).focus()
    seen.page.keyboard.press("Enter")
    assert seen.told(name)[0] == index
    assert rows.nth(row).get_attribute("aria-current") == "true"


def test_the_waterfalls_table_tells_the_running_sum(opened):
    seen = opened()
    data = widgets_page.waterfall().payload()
    seen.button("waterfall", "Table").click()
    rows = [row.split("\t") for row in seen.part("waterfall", "tbody tr").all_inner_texts()]
    assert [row[0] for row in rows[:2]] == ["model’s own", "sum of parts"]
    items = [[item["name"], item["shown"], item["after"]] for item in data["items"]]
    assert rows[2:] == items[::-1]


# ---- charts ----


def test_curves_read_out_the_place_under_the_pointer_and_select_it(opened):
    seen = opened()
    data = widgets_page.curves().payload()
    plot = seen.part("curves", "[role=slider]")
    plot.scroll_into_view_if_needed()
    key = seen.part("curves", ".rs-key-number")
    assert key.all_inner_texts() == [series["shown"][12] for series in data["series"]], (
        "the output, as long as nothing is looked at"
    )
    box = plot.bounding_box()
    seen.page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 60)
    place = data["x"].index(seen.part("curves", ".rs-key-place").inner_text().removeprefix("at "))
    assert 4 < place < 9 and key.all_inner_texts() == [series["shown"][place] for series in data["series"]]
    seen.page.mouse.down()
    seen.page.mouse.up()
    assert seen.told("curves") == (["x", place], data["x"][place])
    plot.focus()
    for key in ("Home", "ArrowRight", "ArrowUp", "ArrowLeft", "Enter"):
        seen.page.keyboard.press(key)
    assert seen.told("curves") == (["x", 1], "L0")
    assert plot.get_attribute("aria-valuenow") == "1"
    assert plot.get_attribute("aria-valuetext").startswith(f"L0. ␣Mary: {data['series'][0]['shown'][1]}, ")


def test_a_curve_asks_to_be_removed_and_its_button_keeps_the_focus(opened):
    seen = opened()
    seen.button("curves", "Remove ␣John").click()
    assert seen.told("curves") == (["remove", 1], "␣John")
    seen.press("redraw")
    seen.button("curves", "Remove any ␣name").focus()
    seen.page.keyboard.press("Enter")
    assert seen.told("curves") == (["remove", 3], "any ␣name")
    seen.page.evaluate("document.querySelector('#ranks').click()")
    seen.page.locator("#curves", has_text="Pinned tokens: place").wait_for()
    assert seen.page.evaluate("document.activeElement.dataset.keep") == "remove-3"


def test_curves_differ_by_more_than_colour(opened):
    seen = opened()
    marks = seen.part("curves", ".rs-plot .rs-line").evaluate_all(
        "lines => lines.map((g) => [g.querySelector('.rs-stroke').getAttribute('stroke-dasharray'),"
        " g.querySelector('.rs-marker').getAttribute('d')])"
    )
    assert len(marks) == 4 and len({dash for dash, _ in marks}) == len({shape for _, shape in marks}) == 4
    gap = seen.part("curves", ".rs-plot .rs-line").nth(2).locator(".rs-marker").count()
    assert gap == 12, "nothing is drawn where there is no value"


def test_bars_start_where_the_one_below_ended_and_can_be_selected(opened):
    seen = opened()
    data = widgets_page.waterfall().payload()
    bars = seen.part("waterfall", "[role=option] .rs-step").evaluate_all(
        "bars => bars.map((bar) => { const b = bar.getBoundingClientRect(); return [b.left, b.right, b.top]; })"
    )[::-1]
    assert [top for *_, top in bars] == sorted((top for *_, top in bars), reverse=True), "depth grows upwards"
    for n, (below, above) in enumerate(zip(bars, bars[1:], strict=False)):
        end = below[0] if data["items"][n]["minus"] else below[1]
        start = above[1] if data["items"][n + 1]["minus"] else above[0]
        assert abs(end - start) < 2.5  # the smallest bar is two pixels wide
    option = seen.part("waterfall", "[role=option]").nth(3)
    option.click()
    assert seen.told("waterfall") == (23, "L10 MLP")
    seen.page.keyboard.press("ArrowDown")
    assert seen.part("waterfall", ".rs-popup.rs-open").inner_text().startswith("L10 attention · attention")
    seen.page.keyboard.press("Home")
    seen.page.keyboard.press("Enter")
    assert seen.told("waterfall") == (26, "ln_final bias")
    assert seen.part("waterfall", '[aria-selected="true"]').inner_text().startswith("ln_final bias")


def test_dots_are_found_by_pointer_and_by_keys(opened):
    seen = opened()
    points = widgets_page.scatter().payload()["points"]
    seen.press("mark")
    seen.wait_marked("scatter", ".rs-in-set")
    dot = seen.part("scatter", "[role=option]").nth(9 * 12 + 9)
    assert dot.get_attribute("aria-label").endswith("in the selected set")
    assert dot.get_attribute("d") != seen.part("scatter", "[role=option]").nth(0).get_attribute("d")
    dot.scroll_into_view_if_needed()
    box = dot.bounding_box()
    seen.hover_until(box["x"] - 6, box["y"] + 4, "#scatter .rs-popup.rs-open", "L9H9")
    seen.page.mouse.down()
    seen.page.mouse.up()
    assert seen.told("scatter") == (117, "L9H9")
    order = sorted(range(len(points)), key=lambda i: (points[i]["at"][0], i))
    seen.page.keyboard.press("ArrowRight")
    seen.page.keyboard.press("Enter")
    right = order[order.index(117) + 1]
    assert seen.told("scatter") == (right, points[right]["name"])
    seen.page.keyboard.press("Home")
    seen.page.keyboard.press("Enter")
    assert seen.told("scatter")[0] == order[0]
    labels = seen.part("scatter", ".rs-labels text").all_text_contents()
    assert "L9H6" in labels and points[order[0]]["name"] in labels


def test_labels_of_dots_do_not_cover_each_other(opened):
    seen = opened()
    boxes = seen.part("scatter", ".rs-labels text").evaluate_all(
        "texts => texts.map((t) => { const b = t.getBoundingClientRect(); return [b.left, b.right, b.top, b.bottom]; })"
    )
    assert len(boxes) >= 6
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            across, down = min(a[1], b[1]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[2], b[2])
            assert across <= 0.5 or down <= 3


# ---- what all of them promise ----


@pytest.mark.parametrize("query", ["?__theme=light", "?__theme=dark"])
def test_hostile_text_is_shown_and_nothing_else(opened, query):
    seen = opened(query=query)
    seen.press("hostile")
    seen.page.locator("#lens", has_text="</script>").wait_for()
    seen.page.locator("#scatter", has_text="&lt;").wait_for()
    for name, count in (("curves", len(widgets_page.HOSTILE)), ("waterfall", widgets_page.LAYERS)):
        texts = seen.part(name, ".rs-token").all_text_contents()
        assert {text for text in widgets_page.HOSTILE[:count] if text.isprintable()} <= set(texts)
    seen.cell("lens", 4, 3).hover()
    seen.part("lens", ".rs-popup.rs-open").wait_for()
    for name in PICTURES:
        seen.button(name, "Table").click()
    heads = seen.part("lens", "thead th .rs-token").all_text_contents()
    assert heads[:5] == list(widgets_page.HOSTILE[:5])
    assert seen.button("curves", "Remove ${alert(1)}").count() == 0, "the table has no such button"
    assert seen.page.locator(".rs-root b:not(.rs-popup b), .rs-root img, .rs-root script").count() == 0
    seen.button("curves", "Table").click()
    seen.button("curves", "Remove $&").click()
    assert seen.told("curves") == (["remove", widgets_page.HOSTILE.index("$&")], "$&")


def test_a_phone_shows_all_of_it_without_a_wider_page(opened):
    seen = opened(390, 844, touch=True)
    for _ in range(2):
        wide = seen.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 0
        for name in PICTURES:
            seen.button(name, "Table").tap()
    seen.part("waterfall", "[role=option]").nth(2).tap()
    assert seen.told("waterfall")[0] == 24
    seen.part("curves", "[role=slider]").tap()
    assert seen.told("curves")[0][0] == "x"


def test_a_stale_picture_says_so_and_stays(opened):
    seen = opened()
    for name in PICTURES:
        assert not seen.part(name, ".rs-stale-note").is_visible()
    seen.press("stale")
    for name in PICTURES:
        seen.part(name, ".rs-stale-note").wait_for()
    assert seen.part("waterfall", "[role=option]").count() == 27
