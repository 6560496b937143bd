"""The patching tab in a real browser: one pair, one head position by position, and many pairs."""

import csv
import io
import re

import pytest

pytestmark = pytest.mark.browser

TABLE = (
    "clean,corrupted,answer,contrast,label\n"
    '"When Mary and John went to the store, John gave a drink to","When Mary and John went to the store, Mary gave a '
    'drink to", Mary, John,<b>far</b> ${alert(1)}\n'
    "Mary and John went to the store. Mary saw,John and Mary went to the store. Mary saw, John, Mary,near\n"
)
AFTER = "What the model says after this patch"


def opened(visit, **size):
    seen = visit(**size)
    seen.tab("Patching")
    seen.page.locator("#patching-detail", has_text=AFTER).wait_for()
    return seen


def choose_site(seen, name: str) -> None:
    seen.page.locator("#patching-site input").click()
    seen.page.get_by_role("option", name=name).click()
    seen.settle()


def open_pairs(seen, source: str = "") -> None:
    seen.page.get_by_role("button", name="Many pairs at once").click()
    seen.page.get_by_role("button", name="Patch these pairs").wait_for()
    if source:
        seen.page.get_by_label(source).click()


def patch_pairs(seen) -> None:
    seen.page.get_by_role("button", name="Patch these pairs").click()
    seen.settle()


def test_a_click_shows_the_patched_run_beside_both_others_and_the_cone(visit):
    seen = opened(visit)
    seen.cells("patching").nth(12).click()
    seen.page.locator("#patching-detail h3", has_text="Stream before layer 5, position 12").wait_for()
    table = seen.page.locator("#patching-detail table", has_text=AFTER)
    table.wait_for()
    assert [head.strip() for head in table.locator("th").all_inner_texts()] == [
        "token", "clean", "patched", "corrupted",
    ]  # fmt: skip
    assert table.locator("tr.rs-marked").count() == 2, "answer and contrast"
    assert "outlined" in seen.text("#patching-grid")
    ruler = seen.text("#patching-ruler")
    assert all(name in ruler for name in ("corrupted run", "clean run", "selected patch", "(patched − corrupted)"))
    assert "token never sees what comes after it" in seen.text("#patching-detail")


def test_both_directions_ask_their_question(visit):
    seen = opened(visit)
    assert "is this alone enough" in seen.text("#tab-patching .block.says")
    seen.page.get_by_label("corrupted into clean: needed?").click()
    seen.page.locator("#tab-patching .block.says", has_text="is this needed").wait_for()
    seen.settle()
    assert "copied from the corrupted run into the clean run" in seen.text("#patching-detail")
    assert not seen.page.locator("#patching-receipts .rs-fail").count()


def test_heads_by_position_on_demand(visit):
    seen = opened(visit)
    assert not seen.page.locator("#patching-positions").is_visible(), "the stream has positions in any case"
    choose_site(seen, "a head’s attention (pattern)")
    seen.page.locator("#patching-grid tfoot", has_text="H7").wait_for()
    assert not seen.page.locator("#patching-heads td.rs-cell").count()
    seen.page.get_by_label("one at a time").click()
    overview = seen.page.locator("#patching-heads td.rs-cell")
    overview.first.wait_for()
    seen.settle()
    assert overview.count() == 6 * 8 and seen.cells("patching").count() == 8 * 15
    overview.nth(8 + 2).click()  # the second row from the top
    seen.page.locator("#patching-grid h3", has_text="The heads of layer 4").wait_for()
    title = seen.page.locator("#patching-detail h3", has_text="Attention of head L4H2, position")
    title.wait_for()
    position = re.search(r"position (\d+)", title.inner_text())[1]
    selected = seen.page.locator("#patching-grid td.rs-selected")
    assert selected.count() == 1 and "L4H2" in selected.evaluate("cell => cell.parentNode.innerText")
    seen.cells("patching").nth(3).click()
    seen.page.locator("#patching-detail", has_text=AFTER).wait_for()
    assert int(position) < 15
    with seen.page.expect_download() as got:
        seen.page.locator("#patching-csv").click()
    rows = list(csv.DictReader(io.StringIO(got.value.path().read_text("utf-8"))))
    assert len(rows) == 6 * 8 * 15 and {row["position"] for row in rows} == {str(n) for n in range(15)}
    choose_site(seen, "what the MLP adds (mlp_out)")
    seen.page.locator("#patching-heads td.rs-cell").first.wait_for(state="detached")
    assert not seen.page.locator("#patching-positions").is_visible()


def test_a_link_opens_heads_by_position(visit):
    seen = visit(query="?tab=patching&patching-site=z&patching-positions=each&head=L2H1")
    seen.page.locator("#patching-grid h3", has_text="The heads of layer 2").wait_for()
    seen.settle()
    assert seen.page.locator("#patching-heads td.rs-selected").count() == 1


def test_several_examples_at_once(visit):
    seen = opened(visit)
    open_pairs(seen)
    patch_pairs(seen)
    grid = seen.page.locator("#patching-pairs-grid")
    grid.locator("td.rs-cell").first.wait_for()
    assert "Mean of 2 pairs" in grid.inner_text() and not seen.page.locator("#patching-pairs-error .rs-notice").count()
    grid.locator("td.rs-cell").nth(14).click()
    seen.page.locator("#patching-pairs-detail h3", has_text="layer 5: position 14").wait_for()
    detail = seen.text("#patching-pairs-detail")
    assert "mean of the shares" in detail and "share of the mean" in detail and "(Mary gives)" in detail
    seen.page.locator("#patching-pairs").get_by_label("The capital of a country").check()
    grid.locator(".rs-stale-note").wait_for()
    patch_pairs(seen)
    grid.locator("tfoot", has_text="differing").wait_for()
    assert "Mean of 3 pairs" in grid.inner_text() and not grid.locator(".rs-stale-note").is_visible()
    assert seen.page.locator("#patching-pairs").get_by_label("The capital of a country").is_checked()
    with seen.page.expect_download() as got:
        seen.page.get_by_role("button", name="CSV of each pair").click()
    rows = list(csv.DictReader(io.StringIO(got.value.path().read_text("utf-8"))))
    assert len({row["pair"] for row in rows}) == 3 and rows[0]["run_model"] == "tiny"


def test_a_file_of_pairs_is_read_and_its_text_stays_text(visit, tmp_path):
    seen = opened(visit)
    open_pairs(seen, "a CSV file")
    good, bad, odd, large = (tmp_path / name for name in ("good.csv", "bad.csv", "odd.csv", "large.csv"))
    good.write_text("\ufeff" + TABLE, "utf-8")
    bad.write_text(TABLE + "a,,\nb,b\n", "utf-8")
    odd.write_bytes("clean,corrupted,answer\nMünchen,Köln,x\n".encode("latin-1"))
    large.write_text(TABLE + "x" * 300_000, "utf-8")
    field = seen.page.locator("#patching-pairs-file input[type=file]")
    error = seen.page.locator("#patching-pairs-error")
    field.set_input_files(good)
    seen.page.locator("#patching-pairs-file-said", has_text="good.csv: 2 pairs were read").wait_for()
    for file, words in ((odd, "not text in UTF-8"), (large, "larger than 256 KB"), (bad, "Line 4 has nothing")):
        field.set_input_files(file)
        error.locator(".rs-notice-error", has_text=words).wait_for()
    assert "Line 5" in error.inner_text(), "all bad rows are named together"
    patch_pairs(seen)
    seen.page.locator("#patching-pairs-grid", has_text="Mean of 2 pairs").wait_for()
    assert "<b>far</b> ${alert(1)}" in seen.text("#patching-pairs-detail")


def test_a_pasted_table_that_cannot_be_used_says_why_and_leaves_the_last_means(visit):
    seen = opened(visit)
    open_pairs(seen, "a pasted table")
    box = seen.page.locator("#patching-pairs-text textarea")
    assert box.get_attribute("placeholder").startswith("clean,corrupted,answer,contrast,label")
    box.fill(TABLE)
    patch_pairs(seen)
    seen.page.locator("#patching-pairs-grid", has_text="Mean of 2 pairs").wait_for()
    box.fill(TABLE + "Mary went home,Mary went, x\n")
    patch_pairs(seen)
    seen.page.locator("#patching-pairs-error", has_text="In line 4: The clean prompt has").wait_for()
    assert seen.page.locator("#patching-pairs-grid .rs-stale-note").is_visible()


@pytest.mark.parametrize("theme", ["", "?__theme=dark"])
def test_the_tab_fits_a_phone(visit, theme):
    seen = opened(visit, width=390, query=theme)
    choose_site(seen, "a head’s output (z)")
    seen.page.get_by_label("one at a time").click()
    seen.page.locator("#patching-heads td.rs-cell").first.wait_for()
    open_pairs(seen)
    patch_pairs(seen)
    seen.page.locator("#patching-pairs-grid td.rs-cell").first.wait_for()
    assert seen.overflow() <= 0
