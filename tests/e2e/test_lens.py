"""The logit lens in a real browser: hovering, the selected cell, followed tokens, two norms, fewer rows."""

from urllib.parse import parse_qs, urlparse

import pytest

from resstream_demo import load_model, logit_lens
from resstream_demo.methods.lens_detail import lens_change
from resstream_demo.ui.examples import examples

pytestmark = pytest.mark.browser

PROMPT = examples()[0].clean
ROWS = 7  # of the bundled model: the embedding and six layers
HOSTILE = "<b>x</b> &lt; ${alert(1)} {{x}} </script> ` |"


@pytest.fixture(scope="module")
def tiny():
    return load_model("tiny")


def opened(visit, **how):
    """The page when nothing on it moves any more."""
    seen = visit(**how)
    detail(seen).locator("caption", has_text="Raised most").wait_for()
    seen.settle()
    seen.page.wait_for_timeout(500)
    seen.settle()
    return seen


def cell(seen, row: int, position: int, key: str = "lens-grid"):
    """A cell by the row and column of the data, whatever is drawn."""
    return seen.page.locator(f'#{key} table[role="grid"] tr[data-row="{row}"] > td').nth(position)


def detail(seen):
    return seen.page.locator("#lens-detail")


def tables(seen):
    """The tables of the detail, and the texts in one of them."""
    return detail(seen).locator("table")


def texts(seen, table: int) -> list[list[str]]:
    rows = tables(seen).nth(table).locator("tbody tr")
    return [row.locator("td").all_inner_texts() for row in rows.all()]


def lines(seen) -> list[str]:
    """The names of the curves."""
    return seen.page.locator("#lens-curves .rs-key-entry .rs-token").all_inner_texts()


def looked_at(seen, row: int, position: int) -> None:
    """Select a cell and wait for all there is to say about it."""
    cell(seen, row, position).click()
    detail(seen).locator("h3", has_text=f"position {position} ").wait_for()
    detail(seen).locator("caption", has_text="Raised most").wait_for()


def hovers(seen, row: int, position: int) -> None:
    """Point at a cell that is in view, for scrolling closes what hovering has opened."""
    cell(seen, row, position).scroll_into_view_if_needed()
    seen.page.wait_for_timeout(300)
    cell(seen, row, position).hover()


def choose(seen, label: str, option: str) -> None:
    seen.page.get_by_label(label).click()
    seen.page.get_by_role("option", name=option, exact=True).click()
    seen.settle()


def test_hovering_shows_the_likeliest_tokens_and_the_path_of_the_first(visit, tiny):
    seen, result = opened(visit), logit_lens(tiny, PROMPT)
    hovers(seen, 4, 12)
    popup = seen.page.get_by_role("tooltip")
    popup.wait_for()
    shown = popup.locator(".rs-token").all_inner_texts()
    for name in result.top_tokens(4, 12)[:5]:
        assert name in shown
    assert f"{result.top_tokens(4, 12)[0]} through the layers" in popup.inner_text()
    assert popup.locator(".rs-trail-own").count() == 1 and popup.locator(".rs-trail-ends").inner_text().split() == [
        "embed", "L5",
    ]  # fmt: skip


def test_a_click_shows_tokens_with_ids_moves_and_what_changed(visit, tiny):
    seen = opened(visit)
    looked_at(seen, 4, 9)
    change = lens_change(tiny, PROMPT, 4, position=9, k=10)
    likeliest = texts(seen, 0)
    assert [row[0] for row in likeliest] == list(change.tokens)
    assert [row[3] for row in likeliest] == [str(i) for i in change.ids]
    moves = change.ranks_below - change.ranks
    expected = ["=" if not m else f"↑{m:,}" if m > 0 else f"↓{-m:,}" for m in moves.tolist()]
    assert [row[2] for row in likeliest] == expected
    assert [row[0] for row in texts(seen, 1)] == list(change.promoted.tokens[:6])
    assert [row[0] for row in texts(seen, 2)] == list(change.suppressed.tokens[:6])
    assert "␣John" in detail(seen).get_by_text("the prompt goes on with").locator("xpath=following::dd[1]").inner_text()


def test_a_chosen_token_is_followed_until_it_is_let_go(visit):
    seen = opened(visit)
    looked_at(seen, 5, 10)
    before = lines(seen)
    name = texts(seen, 0)[2][0]
    tables(seen).nth(0).locator("tbody tr").nth(2).click()
    detail(seen).locator("td", has_text="★").wait_for()
    assert lines(seen) == [name] and texts(seen, 0)[2][3].endswith("★")
    seen.settle()
    raised = texts(seen, 1)[0][0]
    row = tables(seen).nth(1).locator("tbody tr").first
    row.focus()
    seen.page.keyboard.press("Enter")
    seen.page.locator("#lens-curves .rs-key-entry").nth(1).wait_for()
    assert lines(seen) == [name, raised]
    seen.settle()
    cell(seen, 2, 4).click()
    seen.page.locator("#lens-curves h3", has_text="position 4 ").wait_for()
    assert lines(seen) == [name, raised], "they are followed at every position"
    remove = seen.page.locator("#lens-curves").get_by_role("button", name="Remove")
    remove.first.click()
    remove.nth(1).wait_for(state="detached")
    assert lines(seen) == [raised]
    remove.first.click()
    remove.first.wait_for(state="detached")
    cell(seen, 5, 10).click()
    seen.page.locator("#lens-curves h3", has_text="Leading tokens").and_(
        seen.page.locator("#lens-curves h3", has_text="position 10 ")
    ).wait_for()
    assert lines(seen) == before


def test_tokens_named_with_a_plus_are_one_line(visit):
    seen = opened(visit)
    field = seen.page.get_by_label("Follow tokens", exact=True)
    field.fill("Mary + John")
    seen.page.get_by_role("button", name="Follow", exact=True).click()
    seen.page.get_by_role("img", name="sum of several tokens").wait_for()
    assert sorted(lines(seen)[0].split(" + ")) == ["␣John", "␣Mary"] and field.input_value() == ""
    seen.settle()
    field.fill("Mary John")
    field.press("Enter")
    seen.page.locator("#lens-error .rs-notice-error", has_text="2 tokens").wait_for()
    seen.settle()
    assert field.input_value() == "Mary John" and len(lines(seen)) == 1
    choose(seen, "Colour shows", "probability of the followed token")
    seen.page.locator("#lens-grid .rs-legend", has_text="␣John + ␣Mary").wait_for()


def test_the_curves_show_places_and_select_rows(visit):
    seen = opened(visit)
    looked_at(seen, 6, 13)
    seen.page.locator("#lens-curve").get_by_text("place").click()
    seen.page.locator("#lens-curves", has_text="1 is first").wait_for()
    plot = seen.page.locator("#lens-curves").get_by_role("slider")
    plot.focus()
    for key in ("ArrowLeft", "ArrowLeft", "Enter"):
        seen.page.keyboard.press(key)
    detail(seen).locator("h3", has_text="L3 · position 13 ").wait_for()
    assert cell(seen, 4, 13).get_attribute("aria-selected") == "true"
    seen.page.locator("#lens-curves").get_by_role("button", name="Table").click()
    heads = seen.page.locator("#lens-curves table th[scope=row]").all_inner_texts()
    assert heads == ["L5", "L4", "L3", "L2", "L1", "L0", "embed"]


@pytest.mark.parametrize("width", [1400, 390])
def test_two_norms_stand_under_one_another_with_one_selection(visit, width):
    seen = opened(visit, width=width)
    seen.page.locator("#lens-norm").get_by_text("both").click()
    seen.settle()
    cell(seen, 0, 0, "lens-beside").wait_for()
    first, second = seen.page.evaluate(  # both at once, for what is above them may still move
        "['#lens-grid', '#lens-beside'].map((key) => document.querySelector(key).getBoundingClientRect().toJSON())"
    )
    assert second["y"] >= first["y"] + first["height"] - 1 and abs(first["width"] - second["width"]) < 1
    ticks = [seen.page.locator(f"#{key} .rs-ticks").inner_text() for key in ("lens-grid", "lens-beside")]
    assert ticks[0] == ticks[1]
    cell(seen, 2, 1, "lens-beside").click()
    detail(seen).get_by_role("paragraph").filter(has_text="final norm").wait_for()
    seen.page.wait_for_selector('#lens-grid tr[data-row="2"] > td:nth-child(3)[aria-selected="true"]')
    cell(seen, 3, 1).click()
    detail(seen).get_by_role("paragraph").filter(has_text="fresh norm").wait_for()
    seen.page.wait_for_selector('#lens-beside tr[data-row="3"] > td:nth-child(3)[aria-selected="true"]')
    assert seen.overflow() <= 0
    seen.page.locator("#lens-norm").get_by_text("its own").click()
    seen.page.locator("#lens-beside").wait_for(state="hidden")


def test_fewer_rows_keep_the_first_and_the_last(visit):
    seen = opened(visit)
    choose(seen, "Rows", "one in 4")
    seen.page.wait_for_function("document.querySelectorAll('#lens-grid tbody tr').length === 3")
    assert seen.page.locator("#lens-grid tbody th").all_inner_texts() == ["L5", "L1", "embed"]
    cell(seen, 1, 6).click()
    detail(seen).locator("h3", has_text="L1 · position 6 ").wait_for()


def test_words_only_leaves_what_is_no_word_out_of_the_lists(visit, tiny):
    seen = opened(visit)
    looked_at(seen, 5, 8)
    every, words = (lens_change(tiny, PROMPT, 5, position=8, k=10, words_only=only) for only in (False, True))
    assert every.tokens != words.tokens and [row[0] for row in texts(seen, 0)] == list(every.tokens)
    seen.page.get_by_label("Words only").check()
    detail(seen).locator("caption", has_text="words").first.wait_for()
    assert [row[0] for row in texts(seen, 0)] == list(words.tokens)


def test_a_link_opens_the_same_colours_rows_and_followed_tokens(visit):
    seen = opened(visit)
    looked_at(seen, 3, 11)
    choose(seen, "Colour shows", "probability of the followed token")
    choose(seen, "Rows", "one in 2")
    seen.page.get_by_label("Follow tokens", exact=True).fill("Mary + John")
    seen.page.get_by_label("Follow tokens", exact=True).press("Enter")
    seen.page.get_by_role("img", name="sum of several tokens").wait_for()
    seen.settle()
    seen.page.get_by_role("button", name="Link").click()
    address = seen.page.locator("#link-box input").input_value()
    query = parse_qs(urlparse(address).query)
    assert query["lens-colour"] == ["pinned"] and query["lens-rows"] == ["2"] and query["position"] == ["11"]
    other = visit(query="?" + urlparse(address).query)
    other.page.get_by_role("img", name="sum of several tokens").wait_for()
    other.page.locator("#lens-grid .rs-legend", has_text="␣John + ␣Mary").wait_for()
    assert lines(other) == lines(seen)
    assert other.page.locator("#lens-detail h3").inner_text() == seen.page.locator("#lens-detail h3").inner_text()


def test_hostile_tokens_are_text_in_every_part(visit):
    seen = opened(visit)
    seen.page.get_by_label("Clean prompt").fill(HOSTILE)
    seen.page.get_by_label("Corrupted prompt").fill("")
    seen.page.get_by_role("textbox", name="Answer").fill("<")
    seen.page.get_by_role("textbox", name="Contrast").fill("{")
    seen.run()
    seen.page.locator("#lens-grid tfoot", has_text="$").wait_for()
    cell(seen, 6, 3).click()
    detail(seen).locator("caption", has_text="Raised most").wait_for()
    seen.page.get_by_label("Follow tokens", exact=True).fill("#4 + <")
    seen.page.get_by_label("Follow tokens", exact=True).press("Enter")
    seen.page.get_by_role("img", name="sum of several tokens").wait_for()
    hovers(seen, 5, 3)
    seen.page.get_by_role("tooltip").wait_for()
    assert seen.page.evaluate("document.querySelectorAll('#tab-lens b b, #tab-lens script').length") == 0
