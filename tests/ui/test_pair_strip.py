"""Two prompts side by side: which token stands over which, what is said of their lengths, and what a click reports."""

import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace

import gradio as gr
import pytest

from resstream_demo.core.tokens import Prompt
from resstream_demo.core.words import Say
from resstream_demo.ui.translation import Catalogue, translated
from resstream_demo.ui.widgets.pair_strip import PairStrip, PairStripData, PairWords, TokenRow, pair_strip
from tests.e2e.conftest import FLAGS, absent, chromium_path
from tests.models_under_test import explored
from tests.ui.test_widgets import HOSTILE

STORE = "When Mary and John went to the store John gave a drink to"


def words_of(text: str, bos: bool = False) -> Prompt:
    """A prompt of one token per word; equal words have equal ids."""
    tokens = tuple(text.split())
    ids = tuple(int.from_bytes(token.encode("utf-8", "surrogatepass"), "big") for token in tokens)
    return Prompt(text=text, ids=ids, tokens=tokens, bos=bos)


def paired(clean: str, corrupted: str) -> PairStripData:
    return pair_strip(words_of(clean), words_of(corrupted), str)


def drawn(data: PairStripData) -> list[str]:
    """The columns as one reads them: position and token of either row, "≠" where they are marked as different."""
    payload = data.payload()

    def cell(side: int, position: int | None) -> str:
        return "–" if position is None else f"{position}{payload['rows'][side]['tokens'][position]}"

    return [
        f"{cell(0, i)}/{cell(1, j)}" + ("≠" if index in payload["differs"] else "")
        for index, (i, j) in enumerate(payload["columns"])
    ]


# ---- which token stands over which ----


@pytest.mark.parametrize(
    ("clean", "corrupted", "columns", "summary"),
    [
        ("a b c", "a b c", ["0a/0a", "1b/1b", "2c/2c"], "3 tokens each, no difference"),
        ("a b c", "a x c", ["0a/0a", "1b/1x≠", "2c/2c"], "3 tokens each, different at position 1"),
        ("a b c", "x b y", ["0a/0x≠", "1b/1b", "2c/2y≠"], "3 tokens each, different at positions 0, 2"),
        ("a b c d", "w x y z", ["0a/0w≠", "1b/1x≠", "2c/2y≠", "3d/3z≠"], "4 tokens each, different at 4 positions"),
        ("a b c", "a b x c", ["0a/0a", "1b/1b", "–/2x≠", "2c/3c"],
         "clean 3 tokens, corrupted 4: one more after position 1"),
        ("a b c", "a x y b c", ["0a/0a", "–/1x≠", "–/2y≠", "1b/3b", "2c/4c"],
         "clean 3 tokens, corrupted 5: 2 more after position 0"),
        ("a b c", "a c", ["0a/0a", "1b/–≠", "2c/1c"], "clean 3 tokens, corrupted 2: one fewer after position 0"),
        ("a b", "x a b", ["–/0x≠", "0a/1a", "1b/2b"], "clean 2 tokens, corrupted 3: one more at the start"),
        ("a b c", "c", ["0a/–≠", "1b/–≠", "2c/0c"], "clean 3 tokens, corrupted 1: 2 fewer at the start"),
        ("a", "a b", ["0a/0a", "–/1b≠"], "clean 1 token, corrupted 2: one more after position 0"),
        ("a b c", "a x y c", ["0a/0a", "1b/1x≠", "–/2y≠", "2c/3c"],
         "clean 3 tokens, corrupted 4: one more after position 1"),
        ("a b c d", "a x b d", ["0a/0a", "1b/1x≠", "2c/2b≠", "3d/3d"], "4 tokens each, different at positions 1, 2"),
        ("a b c d e", "a x b e", ["0a/0a", "–/1x≠", "1b/2b", "2c/–≠", "3d/–≠", "4e/3e"],
         "clean 5 tokens, corrupted 4: one more after position 0, 2 fewer after position 1"),
        ("a b c d e", "a 1 b 2 c 3 d 4 e", ["0a/0a", "–/11≠", "1b/2b", "–/32≠", "2c/4c", "–/53≠", "3d/6d", "–/74≠",
         "4e/8e"], "clean 5 tokens, corrupted 9: longer or shorter in 4 places"),
    ],
)  # fmt: skip
def test_every_token_stands_over_its_partner_and_counts_in_its_own_row(clean, corrupted, columns, summary):
    data = paired(clean, corrupted)
    assert drawn(data) == columns
    assert data.summary == summary


def test_repeated_tokens_stay_apart():
    data = paired("the the the cat", "the the the the cat")
    assert [column[0] for column in data.columns if column[0] is not None] == [0, 1, 2, 3]
    assert [column[1] for column in data.columns] == [0, 1, 2, 3, 4]
    assert len(data.differs) == 1 and data.columns[-1] == (3, 4)
    assert "one more" in data.summary


def test_tokens_are_compared_by_id_not_by_what_is_shown():
    first, second = words_of("a b"), replace(words_of("a b"), ids=(97, 5))
    data = pair_strip(first, second, str)
    assert data.payload()["rows"][0]["tokens"] == data.payload()["rows"][1]["tokens"]
    assert list(data.differs) == [1]


def test_an_emoji_in_bytes_is_aligned_byte_by_byte():
    model = explored("plain")
    # 🙂 is F0 9F 99 82 and 🙃 is F0 9F 99 83: only the last byte differs
    data = pair_strip(model.tokenize("🙂 to"), model.tokenize("🙃 to"), str)
    assert drawn(data) == ["0⟨bos⟩/0⟨bos⟩", "1⟨F0⟩/1⟨F0⟩", "2⟨9F⟩/2⟨9F⟩", "3⟨99⟩/3⟨99⟩", "4⟨82⟩/4⟨83⟩≠", "5␣to/5␣to"]
    data = pair_strip(model.tokenize("a🙂 to"), model.tokenize("a to"), str)
    assert data.summary == "clean 7 tokens, corrupted 3: 4 fewer after position 1"


def test_long_prompts_are_drawn_whole():
    tokens = [f"w{i}" for i in range(1023)]
    data = paired(" ".join(tokens), " ".join([*tokens[:500], "new", *tokens[500:]]))
    assert data.columns[500] == (None, 500) and data.columns[-1] == (1022, 1023)
    assert data.summary == "clean 1,023 tokens, corrupted 1,024: one more after position 499"


def test_one_prompt_is_one_row_and_none_is_nothing():
    clean = pair_strip(words_of("a b"), None, str)
    assert clean.payload()["rows"][1] is None
    assert (list(clean.columns), clean.differs, clean.summary) == ([(0, None), (1, None)], (), "2 tokens")
    corrupted = pair_strip(None, words_of("a"), str)
    assert corrupted.payload()["rows"][0] is None
    assert (list(corrupted.columns), corrupted.summary) == ([(None, 0)], "corrupted: 1 token")
    assert pair_strip(None, None, str) is None


def test_rows_tell_each_token_and_its_bos():
    model = explored("plain")
    prompt = model.tokenize(STORE)
    row = pair_strip(prompt, model.tokenize(STORE, bos=False), lambda i: f"id {i}").payload()["rows"]
    assert row[0]["details"] == [f"id {i}" for i in prompt.ids]
    assert (row[0]["special"], row[1]["special"]) == ([0], [])
    assert (row[0]["name"], row[1]["name"]) == ("clean", "corrupted")


def test_every_word_on_screen_can_be_replaced():
    data = pair_strip(words_of("a b"), words_of("a b c"), str)
    assert all(isinstance(field.default, Say) for field in fields(PairWords)) and isinstance(data.summary, Say)
    told = {
        "clean {tokens}, corrupted {n:,}: {changes}": "<{changes}> <{n}> <{tokens}>",
        "one more {place}": "+ {place}",
    }
    told |= {"{count:,} tokens": "{count} T", "after position {position}": "@{position}", "clean": "C", "differs": "D"}
    data = translated(data, Catalogue("xx", told))
    assert data.summary == "<+ @1> <3> <2 T>"
    payload = data.payload()
    assert [row["name"] for row in payload["rows"]] == ["C", "corrupted"]
    script = PairStrip().js_on_load
    said = set(re.findall(r"words\.(\w+)", script))
    assert said == set(payload["words"]), "the script says words that are not sent, or the other way round"


# ---- what is refused ----

ROW = TokenRow(["a", "b"])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TokenRow([]), "at least one token"),
        (lambda: TokenRow(["a"], ["x", "y"]), "details has 2 entries for 1 tokens"),
        (lambda: TokenRow(["a"], special=[1]), "special names position 1 of 1"),
        (lambda: PairStripData(None, None, []), "at least one row"),
        (lambda: PairStripData(ROW, None, [(0, None)]), "clean positions"),
        (lambda: PairStripData(ROW, ROW, [(1, 1), (0, 0)]), "once and in order"),
        (lambda: PairStripData(ROW, ROW, [(0, 0), (1, 0)]), "corrupted positions"),
        (lambda: PairStripData(ROW, None, [(0, 0), (1, 1)]), "corrupted positions"),
        (lambda: PairStripData(ROW, ROW, [(0, 0), (None, None), (1, 1)]), "Column 1 is"),
        (lambda: PairStripData(ROW, ROW, [(0, 0, 0), (1, 1, 1)]), "Column 0 is"),
        (lambda: PairStripData(ROW, ROW, [(0, 0), (1, 1)], differs=[2]), r"differs has \[2\] too many"),
        (lambda: PairStripData(ROW, None, [(0, None), (1, None)], differs=[1]), "too many"),
        (lambda: PairStripData(ROW, TokenRow(["a"]), [(0, 0), (1, None)]), r"lacks \[1\]"),
    ],
)  # fmt: skip
def test_data_that_contradict_themselves_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


# ---- as a component ----


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_tokens_travel_as_text(text):
    row = TokenRow([text], [text])
    value = PairStrip().postprocess(PairStripData(row, row, [(0, 0)], differs=[0], summary=text))
    assert value.isascii() and not re.search("[<>&]|__i18n__", value)
    payload = json.loads(value)
    assert payload["rows"][1]["tokens"] == payload["rows"][1]["details"] == [text] and payload["summary"] == text


def test_the_templates_are_the_same_whatever_the_data():
    config = PairStrip(paired("${alert(1)} {{x}}", "a {{x}}")).get_config()
    assert config["html_template"] == '<div class="rs-root"></div>'
    assert config["css_template"] == PairStrip().css_template and config["js_on_load"] == PairStrip().js_on_load
    assert not re.search(r"\$\{|\{\{|`|\\", config["css_template"])
    assert json.loads(PairStrip(empty="Type a prompt.").value) == {"empty": "Type a prompt."}
    with pytest.raises(TypeError, match="PairStrip draws PairStripData"):
        PairStrip().postprocess(TokenRow(["a"]))


# ---- in a browser ----


def in_browser(blocks: gr.Blocks, act: Callable, width: int = 1000) -> None:
    """Serve `blocks`, and call `act(page)` on it. Nothing may go wrong on the page meanwhile."""
    path = chromium_path()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        absent("playwright")
    trouble = []

    def visit(url: str) -> None:
        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=path, args=FLAGS)
            page = browser.new_page(viewport={"width": width, "height": 800})
            page.set_default_timeout(20_000)
            page.on("console", lambda m: trouble.append(m.text) if m.type == "error" else None)
            page.on("pageerror", lambda e: trouble.append(str(e)))
            page.on("dialog", lambda d: (trouble.append(d.message), d.dismiss()))
            page.goto(url)
            act(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is too wide"
            browser.close()

    blocks.launch(prevent_thread_lock=True, quiet=True, server_port=None)
    try:
        with ThreadPoolExecutor(1) as thread:  # Playwright takes only one driver per thread, and e2e's lives in ours
            thread.submit(visit, blocks.local_url).result()
    finally:
        blocks.close()
    assert not trouble


def reporting(widget_of: Callable, data) -> gr.Blocks:
    """A page with one widget, and under it what its last click told Python."""

    def report(event: gr.SelectData) -> str:
        return json.dumps([event.index, event.value])

    with gr.Blocks(analytics_enabled=False) as blocks:
        widget, said = widget_of(data), gr.Textbox(label="said")
        widget.select(report, outputs=said, show_progress="hidden")
        gr.Button("mark 1").click(lambda: widget.mark(selected=1, stale=True), outputs=widget)
        gr.Button("renew").click(lambda: widget.show(data), outputs=widget)
    return blocks


def wait_until(page, script: str, expected) -> None:
    """Wait until `script` evaluates to `expected`."""
    try:
        page.wait_for_function(f"expected => JSON.stringify({script}) === expected", arg=json.dumps(
            expected, ensure_ascii=False, separators=(",", ":")))  # fmt: skip
    except Exception:
        assert page.evaluate(script) == expected


FOCUS = "document.activeElement.getAttribute('aria-label')"
SAID = "document.querySelector('textarea').value"


@pytest.mark.browser
def test_clicks_and_keys_report_row_and_position():
    prompts = words_of("<bos> <b>x</b> ${alert(1)} c d", bos=True), words_of("<bos> <b>x</b> new {{x}} c D", bos=True)
    data = pair_strip(*prompts, lambda i: f"id {i} <img src=x onerror=alert(1)>")
    assert [column for column in data.columns if None in column] == [(None, 3)]

    def act(page):
        token = page.get_by_role("option", name="clean 2 ${alert(1)}, differs from the other prompt", exact=True)
        at_rest = token.bounding_box()
        token.hover()
        readout = page.locator(".rs-pair-readout").inner_text()
        assert "clean 2" in readout and f"id {prompts[0].ids[2]} <img src=x" in readout
        assert token.bounding_box() == at_rest, "a token moves away under the pointer"
        token.click()
        wait_until(page, SAID, '[[0, 2], "${alert(1)}"]')
        assert page.locator(".rs-mark").count() == 3 and page.locator(".rs-gap").all_inner_texts() == ["–"]
        assert page.locator("b, img[src=x]").count() == 0, "a token became an element"
        page.keyboard.press("ArrowDown")
        wait_until(page, FOCUS, "corrupted 2 new, differs from the other prompt")
        page.keyboard.press("ArrowRight")
        wait_until(page, FOCUS, "corrupted 3 {{x}}, has no partner in the other prompt")
        page.keyboard.press("Enter")
        wait_until(page, SAID, '[[1, 3], "{{x}}"]')
        for key, place in (("ArrowRight", "corrupted 4 c"), ("ArrowUp", "clean 3 c"), ("Home", "clean 0 <bos>"),
                           ("ArrowLeft", "clean 0 <bos>"), ("ArrowDown", "corrupted 0 <bos>")):  # fmt: skip
            page.keyboard.press(key)
            wait_until(page, FOCUS, place)
        page.keyboard.press("End")
        page.keyboard.press(" ")
        wait_until(page, SAID, '[[1, 5], "D"]')
        page.get_by_role("button", name="mark 1").click()
        selected = "[...document.querySelectorAll('[aria-selected=true]')].map(e => e.getAttribute('aria-label'))"
        wait_until(page, selected, ["clean 1 <b>x</b>"])
        assert page.locator(".rs-stale").count() == 1
        page.get_by_role("button", name="renew").click()
        page.locator(".rs-stale").wait_for(state="detached")
        wait_until(page, selected, ["clean 1 <b>x</b>"])

    in_browser(reporting(PairStrip, data), act)


@pytest.mark.browser
def test_on_a_phone_the_rows_wrap_together_and_arrows_follow_the_eye():
    tokens = [f"word{i}" for i in range(30)]
    data = paired(" ".join(tokens), " ".join(tokens[:-1]))

    def act(page):
        cells = page.get_by_role("option")
        cells.first.wait_for()
        boxes = page.evaluate(
            """[...document.querySelectorAll('.rs-pair-column')].map(c => [...c.children].slice(0, 2).map(e => {
                 const b = e.getBoundingClientRect(); return [Math.round(b.left), Math.round(b.top)]; }))"""
        )
        assert len(boxes) == 30 and all(upper[0] == lower[0] and 0 < lower[1] - upper[1] < 40 for upper, lower in boxes)
        bands = sorted({upper[1] for upper, _ in boxes})
        assert len(bands) > 5
        second = next(i for i, (upper, _) in enumerate(boxes) if upper[1] == bands[1])
        page.get_by_role("option", name=f"clean {second} word{second}", exact=True).click()
        page.keyboard.press("ArrowUp")
        assert page.evaluate(FOCUS).startswith("corrupted "), "above a band stands the lower row of the one before"
        page.keyboard.press("ArrowDown")
        assert page.evaluate(FOCUS).startswith("clean ")

    in_browser(reporting(PairStrip, data), act, width=390)
