"""The page in a real browser: what a visitor does, and what must not happen to him."""

import csv
import json
import re

import pytest

pytestmark = pytest.mark.browser

TABS = {"lens": "Logit lens", "attribution": "Attribution", "patching": "Patching", "ablation": "Ablation"}
HOSTILE = "<b>x</b> &lt; ${alert(1)} {{alert(2)}} %{x} </script><img src=x onerror=alert(3)> | ` <!--"
STALE = "The inputs have changed since"
GRID_STALE = "The inputs or options have changed since"


def test_the_first_example_is_on_screen_without_a_click(visit):
    seen = visit()
    assert seen.page.locator("#clean-prompt textarea").input_value().startswith("When Mary and John")
    assert "tiny" in seen.text("#status") and "checked" in seen.text("#status")
    for key, name in TABS.items():
        seen.tab(name)
        seen.cells(key).first.wait_for()
        assert seen.page.locator(f"#{key}-detail h3").inner_text()
        assert seen.page.locator(f"#{key}-receipts .rs-ok").first.is_visible()
        assert not seen.page.locator(f"#{key}-receipts .rs-fail").count()
        assert "What this does not show:" in seen.page.locator(f"#tab-{key} .block.not-shown").inner_text()
    assert STALE not in seen.text("body") and GRID_STALE not in seen.text("body")


def test_a_click_on_a_cell_shows_what_is_behind_it(visit):
    seen = visit()
    for key, name in TABS.items():
        seen.tab(name)
        seen.cells(key).nth(9).click()
        expected = {
            "lens": "position 9",
            "attribution": "MLP of layer 5",
            "patching": "position 9",
            "ablation": "L4H1",
        }[key]
        seen.page.locator(f"#{key}-detail h3", has_text=expected).wait_for()
    seen.tab("Patching")
    seen.page.locator("#patching-detail", has_text="What the model says after this patch").wait_for()


def test_a_head_picked_in_one_tab_is_picked_in_the_others(visit):
    seen = visit()
    seen.tab("Ablation")
    seen.cells("ablation").nth(2 * 8 + 5).click()  # second row from the top of four-and-two: layer 3, head 5
    seen.page.locator("#ablation-detail h3", has_text="L3H5").wait_for()
    seen.tab("Attribution")
    seen.page.locator("#attribution-detail h3", has_text="L3H5").wait_for()
    assert seen.page.locator("#attribution-grid .rs-selected").count() == 1


def test_own_prompts_run_in_all_tabs(visit):
    seen = visit()
    seen.page.locator("#clean-prompt textarea").fill("The capital of France is the city of")
    seen.page.locator("#corrupted-prompt textarea").fill("The capital of Italy is the city of")
    seen.page.locator("#answer input, #answer textarea").fill(" Paris")
    seen.page.locator("#contrast input, #contrast textarea").fill("Rome")
    seen.page.locator("#tokens", has_text="France").wait_for()
    seen.page.locator("#prompt-check", has_text=STALE).wait_for()
    assert GRID_STALE in seen.text("#lens-grid")
    seen.page.locator("#contrast input, #contrast textarea").press("Enter")
    seen.page.locator("#lens-grid tfoot", has_text="France").wait_for()
    seen.settle()
    for key, name in TABS.items():
        seen.tab(name)
        seen.cells(key).first.wait_for()
        assert not seen.page.locator(f"#{key}-error .rs-notice").count()
    assert "␣Paris" in seen.page.locator("#ablation-grid").inner_text()
    assert STALE not in seen.text("body") and GRID_STALE not in seen.text("body")


def test_options_recompute_their_own_tab(visit):
    seen = visit()
    seen.tab("Patching")
    seen.page.locator("#patching-site input").click()
    seen.page.get_by_role("option", name="a head’s output (z)").click()
    seen.page.locator("#patching-grid tfoot", has_text="H7").wait_for()
    seen.settle()
    seen.page.get_by_label("the number itself").click()
    seen.page.locator("#patching-grid .rs-legend-label", has_text="logit of").wait_for()
    seen.tab("Ablation")
    seen.page.locator("#ablation-kind input").click()
    seen.page.get_by_role("option", name="average over").click()
    seen.page.locator("#tab-ablation .block.numbers", has_text="everyday").wait_for()
    seen.settle()


def test_an_error_leaves_the_last_result_on_screen_marked_stale(visit):
    seen = visit()
    before = seen.cells("lens").all_inner_texts()
    seen.page.locator("#answer input, #answer textarea").fill("Mary John")
    seen.run()
    notice = seen.page.locator("#prompt-check .rs-notice-error").first
    notice.wait_for()
    assert "2 tokens" in notice.inner_text() and "␣John" in notice.inner_text()
    assert seen.cells("lens").all_inner_texts() == before
    assert GRID_STALE in seen.text("#lens-grid")
    assert seen.page.locator("#answer input, #answer textarea").input_value() == "Mary John"
    assert seen.page.locator("#clean-prompt textarea").input_value().startswith("When Mary")


def test_an_option_that_cannot_be_had_leaves_the_last_result_marked_stale(visit):
    seen = visit()
    seen.page.locator("#corrupted-prompt textarea").fill("")
    seen.page.locator("#lens-grid .rs-stale-note").wait_for()
    seen.run()
    seen.tab("Ablation")
    seen.page.locator("#ablation-grid .rs-stale-note").wait_for(state="hidden")
    seen.page.locator("#ablation-kind input").click()
    seen.page.get_by_role("option", name="resample").click()
    seen.page.locator("#ablation-error .rs-notice-error", has_text="no corrupted prompt").wait_for()
    seen.settle()
    seen.page.wait_for_timeout(300)  # what follows a run has its say
    assert seen.page.locator("#ablation-grid .rs-stale-note").is_visible()
    seen.cells("ablation").nth(9).click()
    seen.page.locator("#ablation-detail h3", has_text="L4H1").wait_for()
    assert GRID_STALE in seen.text("#ablation-grid")


def test_prompts_of_unequal_length_stop_patching_only(visit):
    seen = visit()
    seen.page.locator("#corrupted-prompt textarea").fill(
        "When Mary and John went to the store, the girl gave a drink to"
    )
    seen.page.locator("#prompt-check", has_text="tokens").wait_for()
    seen.run()
    seen.tab("Patching")
    error = seen.page.locator("#patching-error .rs-notice-error")
    error.wait_for()
    assert "15 tokens" in error.inner_text() and "16" in error.inner_text()
    seen.page.locator("#patching-grid .rs-stale-note").wait_for()
    assert seen.cells("patching").count() == 6 * 15
    seen.tab("Ablation")
    seen.cells("ablation").first.wait_for()
    assert GRID_STALE not in seen.text("#ablation-grid")


def test_a_model_that_cannot_be_had_leaves_everything_as_it_was(visit):
    seen = visit()
    seen.page.locator("#clean-prompt textarea").fill("My own prompt about a cat")
    seen.page.locator("#model input").click()
    seen.page.get_by_role("option", name="distilgpt2").click()
    seen.page.locator("#not-loaded .rs-notice-error", has_text="distilgpt2 was not loaded").wait_for(timeout=40_000)
    assert "tiny" in seen.page.locator("#model input").input_value()
    assert seen.page.locator("#clean-prompt textarea").input_value() == "My own prompt about a cat"
    seen.page.locator("#answer input, #answer textarea").fill(" and")
    seen.run()
    seen.page.locator("#lens-grid tfoot", has_text="cat").wait_for()


def test_hostile_text_is_only_ever_text(visit):
    seen = visit()
    made = (
        "[...document.querySelectorAll('b, img')].filter((e) => e.textContent === 'x' || e.matches('[src=x]')).length"
    )
    seen.page.locator("#clean-prompt textarea").fill(HOSTILE)
    seen.page.locator("#corrupted-prompt textarea").fill(HOSTILE.replace("x", "y", 1))
    seen.page.locator("#answer input, #answer textarea").fill("<")
    seen.page.locator("#contrast input, #contrast textarea").fill("{")
    seen.page.locator("#tokens", has_text="%").wait_for()
    seen.run()
    for key, name in TABS.items():
        seen.tab(name)
        seen.cells(key).nth(3).click()
        seen.page.wait_for_timeout(250)
        assert not seen.page.locator(f"#{key}-error .rs-notice").count()
    seen.tab("Logit lens")
    shown = "".join(seen.page.locator("#lens-grid tfoot .rs-token").all_text_contents())
    assert shown.removeprefix("⟨bos⟩").replace("␣", " ") == HOSTILE
    assert seen.page.evaluate(made) == 0


def test_a_phone_scrolls_only_the_picture_sideways(visit):
    seen = visit(width=390, height=844)
    for key, name in TABS.items():
        seen.tab(name)
        seen.cells(key).first.wait_for()
        seen.page.wait_for_timeout(300)
        assert seen.overflow() <= 0, key
        picture, detail = (seen.page.locator(f"#{key}-{part}").bounding_box() for part in ("grid", "detail"))
        assert detail["y"] >= picture["y"] + picture["height"] - 1, key


def test_dark_mode_is_dark(visit):
    seen = visit(query="?__theme=dark")
    red, green, blue = map(
        int,
        re.findall(
            r"\d+", seen.page.evaluate("getComputedStyle(document.querySelector('.gradio-container')).backgroundColor")
        )[:3],
    )
    assert max(red, green, blue) < 60


def test_the_lens_says_what_its_top_row_is(visit):
    seen = visit()
    assert "real output" in seen.text("#tab-lens .block.says")
    seen.page.locator("#lens-site input").click()
    seen.page.get_by_role("option", name="mlp_out").click()
    seen.page.locator("#tab-lens .block.says", has_text="what the last layer’s MLP adds").wait_for()
    assert "real output" not in seen.text("#tab-lens .block.says")


def test_downloads_hold_the_result(visit, tmp_path):
    seen = visit()
    with seen.page.expect_download() as got:
        seen.page.locator("#lens-json").click()
    got.value.save_as(tmp_path / "lens.json")
    result = json.loads((tmp_path / "lens.json").read_text("utf-8"))
    assert result["info"]["model"] == "tiny" and len(result["entropy"]) == 7
    seen.tab("Ablation")
    with seen.page.expect_download() as got:
        seen.page.locator("#ablation-csv").click()
    got.value.save_as(tmp_path / "heads.csv")
    rows = list(csv.DictReader((tmp_path / "heads.csv").open(encoding="utf-8")))
    assert len(rows) == 48 and rows[0]["heads"] == "L0H0" and rows[0]["run_kind"] == "zero"
    assert got.value.suggested_filename == "head_ablation-tiny.csv"


def test_visitors_do_not_see_each_other(visit):
    first, second = visit(), visit()
    first.page.locator("#clean-prompt textarea").fill("The keys to the door")
    first.page.locator("#corrupted-prompt textarea").fill("The key to the door")
    first.page.locator("#answer input, #answer textarea").fill(" are")
    first.page.locator("#contrast input, #contrast textarea").fill(" is")
    first.run()
    first.page.locator("#lens-grid tfoot", has_text="keys").wait_for()
    second.cells("lens").nth(5).click()
    second.page.locator("#lens-detail h3", has_text="position 5 ␣went").wait_for()


def test_examples_fill_the_bar_and_run(visit):
    seen = visit()
    seen.example("Chinese, in bytes")
    seen.page.locator("#lens-grid tfoot", has_text="⟨E7⟩").wait_for()
    assert seen.page.locator("#clean-prompt textarea").input_value().startswith("猫")
    assert "byte" in seen.text("#look-for")
    seen.tab("Patching")
    assert not seen.page.locator("#patching-error .rs-notice").count()


def test_the_gallery_marks_no_example_for_own_text(visit):
    seen = visit()
    chosen = seen.page.locator("#gallery [role=option][aria-selected=true]")
    assert chosen.inner_text().startswith("Who gets the drink?")
    seen.page.locator("#clean-prompt textarea").fill("My own prompt about a drink for")
    seen.run()
    seen.page.locator("#lens-grid tfoot", has_text="about").wait_for()
    assert chosen.count() == 0
    seen.example("The capital of a country")
    seen.page.locator("#lens-grid tfoot", has_text="France").wait_for()
    assert chosen.inner_text().startswith("The capital of a country")


@pytest.mark.parametrize("width", [1400, 390])
def test_the_bars_of_a_table_share_one_scale(visit, width):
    seen = visit(width=width)
    for key, name in TABS.items():
        seen.tab(name)
        seen.page.locator(f"#{key}-detail .rs-marked .rs-track").first.wait_for()
        widths = seen.page.evaluate(
            """(key) => [...document.querySelectorAll(`#${key}-detail table`)].flatMap((table) => {
              const columns = {};
              for (const track of table.querySelectorAll(".rs-track")) {
                const at = track.closest("td").cellIndex;
                (columns[at] ||= []).push(track.getBoundingClientRect().width);
              }
              return Object.values(columns);
            })""",
            key,
        )
        assert widths and all(max(column) - min(column) < 0.5 for column in widths), key


def test_columns_out_of_view_are_hinted_at(visit):
    seen = visit(width=390)
    seen.tab("Attribution")
    seen.page.locator("#attribution-grid .rs-scroller.rs-more").wait_for()
    seen.settle()
    # Scrolled again and again, for a picture that arrives late is scrolled to its selected cell.
    seen.page.wait_for_function(
        """() => {
          const scroller = document.querySelector("#attribution-grid .rs-scroller");
          scroller.scrollLeft = scroller.scrollWidth;
          return !scroller.classList.contains("rs-more");
        }""",
        polling=250,
    )


def test_menus_keep_their_text_clear_of_the_arrow(visit):
    seen = visit()
    overlaps = """() => [...document.querySelectorAll('input[role="combobox"]')].filter((box) => {
      const arrow = box.parentElement.querySelector(".icon-wrap").getBoundingClientRect();
      const style = getComputedStyle(box);
      const end = box.getBoundingClientRect().right - parseFloat(style.paddingRight);
      return arrow.width && (end > arrow.left + 1 || style.textOverflow !== "ellipsis");
    }).map((box) => box.ariaLabel)"""
    assert seen.page.evaluate(overlaps) == []


def test_a_paste_beyond_all_bounds_gets_a_sentence(visit):
    seen = visit()
    seen.page.locator("#clean-prompt textarea").fill("word " * 140_000)
    seen.page.locator("#run").click()
    seen.page.get_by_text("What was sent is too large").first.wait_for()
    seen.trouble[:] = [trouble for trouble in seen.trouble if "413" not in trouble]


def test_a_guided_walk_leads_through_the_tabs(visit):
    seen = visit()
    for key, title in list(TABS.items())[1:]:
        current = seen.page.get_by_role("tab", selected=True)
        assert len(seen.page.locator(".block.what-to-see:visible").inner_text()) > 40
        seen.page.locator(".next:visible").click()
        seen.page.get_by_role("tab", name=title, selected=True).wait_for()
        seen.cells(key).first.wait_for()
        assert current.inner_text() == title
    seen.page.locator(".next:visible").click()
    seen.page.get_by_role("tab", name="Logit lens", selected=True).wait_for()


def test_answer_and_contrast_are_picked_from_the_predictions(visit):
    seen = visit()
    offered = seen.page.locator("#next-tokens")
    offered.get_by_text("␣her").first.click()
    answer, contrast = (seen.page.locator(f"#{name} input, #{name} textarea") for name in ("answer", "contrast"))
    seen.page.wait_for_function("document.querySelector('#answer input, #answer textarea').value === ' her'")
    offered.get_by_role("button", name=re.compile("contrast.*␣the|␣the.*contrast")).first.click()
    seen.page.wait_for_function("document.querySelector('#contrast input, #contrast textarea').value === ' the'")
    seen.page.locator("#swap").click()
    seen.page.wait_for_function("document.querySelector('#answer input, #answer textarea').value === ' the'")
    assert contrast.input_value() == " her" and answer.input_value() == " the"


def test_the_first_piece_of_an_answer_of_several_tokens_is_offered(visit):
    seen = visit()
    seen.page.locator("#answer input, #answer textarea").fill("Marymary")
    offer = seen.page.locator("#answer-offer")
    offer.get_by_text("More than one token").wait_for()
    offer.get_by_role("button").first.click()
    seen.page.wait_for_function("/^#[0-9]+$/.test(document.querySelector('#answer input, #answer textarea').value)")


def test_a_link_opens_what_was_on_screen(visit, url):
    first = visit()
    first.page.locator("#clean-prompt textarea").fill("The keys to the old door & <b>")
    first.page.locator("#corrupted-prompt textarea").fill("The key to the old door & <b>")
    first.page.locator("#answer input, #answer textarea").fill(" are")
    first.page.locator("#contrast input, #contrast textarea").fill(" is")
    first.page.locator("#tokens", has_text="keys").wait_for()
    first.run()
    first.tab("Patching")
    first.cells("patching").first.wait_for()
    first.settle()
    first.page.wait_for_timeout(2500)  # the server is told which tab is open
    first.page.get_by_role("button", name="Link").click()
    field = first.page.locator("#link-box input")
    field.wait_for()
    link = field.input_value()
    assert link.startswith(url) and "tab=patching" in link and "bos" not in link and first.page.url == link
    second = visit(query=link.removeprefix(url))
    second.page.get_by_role("tab", name="Patching", selected=True).wait_for()
    second.page.locator("#patching-grid tfoot", has_text="keys").wait_for()
    second.settle()
    assert second.page.locator("#answer input, #answer textarea").input_value() == " are"
    texts = [seen.cells("patching").evaluate_all("cells => cells.map(c => c.ariaLabel)") for seen in (first, second)]
    assert texts[0] == texts[1] and texts[0]


def test_a_link_that_asks_for_what_there_is_not_says_so_and_opens(visit):
    seen = visit(query="?tab=<script>alert(1)</script>&lens-colour=entropy&evil=1")
    notice = seen.page.locator("#link-notice .rs-notice")
    notice.get_by_text("Part of the link was left out").wait_for()
    assert "<script>" in notice.inner_text() and "evil" in notice.inner_text()
    seen.page.locator("#lens-grid .rs-legend-label", has_text="entropy").wait_for()


def test_the_page_speaks_the_readers_language_and_can_be_switched(visit):
    seen = visit(locale="zh-CN")
    seen.page.get_by_role("tab", name="Logit 透镜").wait_for()
    seen.page.locator("#run", has_text="运行").wait_for()
    assert "␣Mary" in seen.text("#tab-lens .block.what-to-see") and "残差流" in seen.text("#subtitle")
    seen.page.get_by_label("English").click()
    seen.page.get_by_role("tab", name="Logit lens").wait_for()
    seen.page.locator("#run", has_text="Run").wait_for()
    seen.page.get_by_label("简体中文").click()
    seen.page.get_by_role("tab", name="Logit 透镜").wait_for()


def test_a_program_is_shown_that_makes_the_result(visit):
    seen = visit()
    seen.page.locator("#lens-reproduce").click()
    seen.page.locator("#lens-code pre", has_text="logit_lens(").wait_for()
    for kind in ("png", "svg"):
        with seen.page.expect_download() as got:
            seen.page.locator(f"#lens-{kind}").click()
        start = got.value.path().read_bytes()[:300]
        assert start.startswith(b"\x89PNG") if kind == "png" else b"<svg" in start
