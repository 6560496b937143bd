"""Tokens to pick from: what is offered, how it is marked, and what a click reports."""

import json
import math
import re
from dataclasses import fields

import numpy as np
import pytest

from resstream_demo.ui.widgets.choices import ChoiceItem, Choices, ChoicesData, ChoicesWords, percent
from tests.ui.test_pair_strip import FOCUS, SAID, in_browser, reporting, wait_until
from tests.ui.test_widgets import HOSTILE


def test_items_say_token_share_and_role():
    items = [
        ChoiceItem("␣Mary", 0.62, detail="id 5335", role="answer"),
        ChoiceItem("␣John", np.float32(0.2134), role="contrast"),
        ChoiceItem("↵", 1e-7),
    ]
    payload = ChoicesData("Next tokens", items, hint="click", with_contrast=True).payload()
    assert (payload["caption"], payload["hint"], payload["withContrast"]) == ("Next tokens", "click", True)
    assert payload["items"][0] == {
        "token": "␣Mary", "share": 0.62, "note": "62%", "detail": "id 5335",
        "pressed": True, "answer": True, "contrast": False,
    }  # fmt: skip
    assert [(i["share"], i["note"], i["answer"], i["contrast"]) for i in payload["items"][1:]] == [
        (0.2134, "21%", False, True), (1e-7, "<0.1%", False, False),
    ]  # fmt: skip


def test_offers_without_probabilities_have_no_bar():
    offers = ChoicesData("Did you mean", [ChoiceItem("␣W", note="first piece"), ChoiceItem("W", pressed=True)])
    first, second = offers.payload()["items"]
    assert (first["share"], first["note"], first["pressed"]) == (None, "first piece", False)
    assert (second["share"], second["note"], second["pressed"], second["answer"]) == (None, "", True, False)
    assert offers.payload()["withContrast"] is False


def test_one_token_may_be_answer_and_contrast_at_once():
    item = ChoiceItem("a", role="both").payload()
    assert (item["pressed"], item["answer"], item["contrast"]) == (True, True, True)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0%"), (1.0, "100%"), (0.62, "62%"), (0.031, "3.1%"), (0.004, "0.4%"), (0.001, "0.1%"),
        (0.000999, "<0.1%"), (1e-30, "<0.1%"), (0.0994, "9.9%"), (0.09951, "10%"), (0.994, "99%"), (0.9999, ">99%"),
    ],
)  # fmt: skip
def test_percentages_never_round_to_nothing_or_to_certainty(share, text):
    assert percent(share) == text


def test_every_share_between_the_ends_reads_as_one():
    for share in np.concatenate([np.logspace(-30, -1e-9, 400), 1 - np.logspace(-12, -1, 100)]):
        assert percent(float(share)) not in ("0%", "0.0%", "100%"), share


@pytest.mark.parametrize("share", [math.nan, -0.1, 1.1, math.inf])
def test_what_is_no_probability_is_refused(share):
    with pytest.raises(ValueError, match="'a' is .* probability"):
        ChoiceItem("a", share)
    with pytest.raises(ValueError, match="no probability"):
        percent(share)


def test_a_sum_of_floats_a_hair_over_one_is_one():
    item = ChoiceItem("a", np.float32(1) + np.float32(2e-6)).payload()
    assert (item["share"], item["note"]) == (1.0, "100%")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ChoiceItem("a", role="rival"), "rival"),
        (lambda: ChoicesData("Top", []), "'Top' offers nothing"),
        (lambda: ChoicesData("Top", [ChoiceItem("a", role="answer"), ChoiceItem("b", role="both")]), "answer.*a, b"),
        (lambda: ChoicesData("Top", [ChoiceItem("a", role="contrast")] * 2), "contrast"),
    ],
)  # fmt: skip
def test_contradictions_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_every_word_on_screen_can_be_replaced():
    words = ChoicesWords(**{f.name: f"«{f.name}»" for f in fields(ChoicesWords)})
    sent = ChoicesData("c", [ChoiceItem("a")], words=words).payload()["words"]
    assert sent == {f.name: f"«{f.name}»" for f in fields(ChoicesWords)}
    assert set(re.findall(r"words\.(\w+)", Choices().js_on_load)) == set(sent)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_tokens_travel_as_text(text):
    value = Choices().postprocess(ChoicesData(text, [ChoiceItem(text, 0.5, text, text)], hint=text))
    assert value.isascii() and not re.search("[<>&]|__i18n__", value)
    payload = json.loads(value)
    item = payload["items"][0]
    assert {payload["caption"], payload["hint"], item["token"], item["note"], item["detail"]} == {text}


def test_the_templates_are_the_same_whatever_the_data():
    config = Choices(ChoicesData("${alert(1)}{{x}}", [ChoiceItem("{{x}}")])).get_config()
    assert config["html_template"] == '<div class="rs-root"></div>'
    assert config["css_template"] == Choices().css_template and config["js_on_load"] == Choices().js_on_load
    assert not re.search(r"\$\{|\{\{|`|\\", config["css_template"])
    assert json.loads(Choices().value) == {"empty": ""}
    with pytest.raises(TypeError, match="Choices draws ChoicesData"):
        Choices().postprocess(ChoiceItem("a"))


# ---- in a browser ----


@pytest.mark.browser
def test_a_token_can_be_picked_as_answer_or_contrast_by_mouse_and_keys():
    items = [ChoiceItem("␣Mary", 0.5, role="answer"), ChoiceItem("<b>x</b>", 0.25), ChoiceItem("c", 0.1)]

    def act(page):
        page.get_by_role("button", name="vs <b>x</b>, contrast").click()
        wait_until(page, SAID, '[[1, "contrast"], "<b>x</b>"]')
        assert page.locator("[aria-pressed=true]").count() == 1, "a click alone presses nothing"
        assert page.get_by_role("button", name="␣Mary, 50%, answer").get_attribute("aria-pressed") == "true"
        assert page.locator(".rs-tag").all_inner_texts() == ["✓ answer"]
        assert page.locator("b").count() == 0, "a token became an element"
        widths = page.evaluate("[...document.querySelectorAll('.rs-fill')].map(e => e.getBoundingClientRect().width)")
        assert widths[0] == pytest.approx(2 * widths[1], abs=0.2) and widths[0] == pytest.approx(5 * widths[2], abs=0.2)
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        wait_until(page, SAID, '[[2, "answer"], "c"]')
        page.keyboard.press("End")
        wait_until(page, FOCUS, "vs c, contrast")
        page.keyboard.press("Home")
        page.keyboard.press(" ")
        wait_until(page, SAID, '[[0, "answer"], "␣Mary"]'.encode("ascii", "backslashreplace").decode())

    in_browser(reporting(Choices, ChoicesData("Next tokens", items, with_contrast=True)), act, width=390)


@pytest.mark.browser
def test_an_offer_reports_its_number():
    offers = ChoicesData("Did you mean", [ChoiceItem("␣W", note="first piece"), ChoiceItem("W", pressed=True)])

    def act(page):
        page.get_by_role("button", name="W, in use", exact=True).click()
        wait_until(page, SAID, '[1, "W"]')
        assert page.locator(".rs-versus, .rs-track").count() == 0
        page.get_by_role("toolbar", name="Did you mean").get_by_role("button", name="␣W, first piece").wait_for()

    in_browser(reporting(Choices, offers), act)
