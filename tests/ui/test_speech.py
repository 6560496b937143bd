"""What handlers say reaches each visitor in his language, and what they keep stays as it is."""

import gradio as gr
import pytest

from resstream_demo.core.settings import Settings
from resstream_demo.core.words import say
from resstream_demo.ui.line import Line
from resstream_demo.ui.page import Page
from resstream_demo.ui.speech import Speaker, holds_words
from resstream_demo.ui.translation import catalogue_of
from resstream_demo.ui.widgets import NoticeData

RUN = catalogue_of("zh").templates["Run"]


@pytest.fixture(scope="module")
def small():
    """A page with one of everything, and its speaker."""
    with gr.Blocks() as blocks:
        language = gr.Radio(["en", "zh"], value="en")
        parts = {
            "button": gr.Button(say("Run")), "box": gr.Textbox(label=say("Answer")), "state": gr.State(None),
            "menu": gr.Dropdown([(say("Run"), "run"), ("x", "x")]), "plain": gr.Textbox(label="Run"),
            "line": Line(say("Run")),
        }  # fmt: skip
    return Speaker(blocks, language), parts


def test_labels_are_said_anew_and_plain_text_is_left(small):
    speaker, parts = small
    said = speaker.said(speaker.with_labels({}), "zh")
    assert set(said) == {parts["button"], parts["box"], parts["menu"], parts["line"]}
    assert said[parts["button"]]["value"] == RUN and said[parts["menu"]]["choices"] == [(RUN, "run"), ("x", "x")]
    assert said[parts["line"]]["value"] == RUN


def test_what_an_update_says_of_a_component_goes_before_its_label(small):
    speaker, parts = small
    asked = {
        parts["box"]: "typed",
        parts["line"]: say("Answer"),
        parts["menu"]: gr.update(value="x"),
        parts["plain"]: 1,
    }
    said = speaker.said(speaker.with_labels(asked), "zh")
    assert said[parts["box"]]["value"] == "typed" and said[parts["box"]]["label"] != "Answer"
    assert said[parts["menu"]]["value"] == "x" and said[parts["menu"]]["choices"][0][0] == RUN
    assert said[parts["line"]]["value"] == catalogue_of("zh").templates["Answer"] and said[parts["plain"]] == 1


def test_a_state_keeps_what_it_holds(small):
    speaker, parts = small
    sentence = say("Run")
    said = speaker.said({parts["state"]: sentence, parts["box"]: sentence}, "zh")
    assert said[parts["state"]] is sentence and said[parts["box"]] == RUN


def test_handlers_answer_in_the_language_of_the_switch(small):
    speaker, parts = small
    closed = []

    def streamed(data):
        try:
            yield {parts["box"]: say("Run")}
            yield {parts["box"]: say("Run")}
        finally:
            closed.append(True)

    once = speaker.answering(lambda data: {parts["box"]: say("Run")})
    for language, word in (("en", "Run"), ("zh", RUN), (None, "Run"), ("xx", "Run")):
        assert once({speaker.language: language})[parts["box"]] == word
    steps = speaker.answering(streamed)({speaker.language: "zh"})
    assert next(steps)[parts["box"]] == RUN
    steps.close()
    assert closed == [True], "a visitor who leaves closes the handler"
    heard = speaker.answering(lambda data, event: {parts["box"]: event}, event=True)
    assert heard({speaker.language: "zh"}, say("Run"))[parts["box"]] == RUN


def test_nothing_typed_is_translated(small):
    speaker, parts = small
    notice = NoticeData("error", say("{prompt}: {error}", prompt="Run", error=say("Run")), ("Run",), part="Run")
    said = speaker.said({parts["box"]: notice}, "zh")[parts["box"]]
    assert said.title.startswith("Run") and said.title.endswith(RUN) and (said.lines, said.part) == (("Run",), "Run")


def test_everything_with_words_on_the_page_is_labelled():
    page = Page(Settings())
    spoken = set(page.speaker.labelled)
    for component in page.blocks.blocks.values():
        for name in ("label", "placeholder", "info"):
            text = getattr(component, name, None)
            if isinstance(component, (gr.Dropdown, gr.Radio, gr.Textbox, gr.Button, gr.Tab, gr.Checkbox)) and text:
                plain = text == "BOS" or (name == "placeholder" and not holds_words(text))  # an example to type
                assert plain or component in spoken, (component.elem_id, name, text)


def test_words_are_found_in_lists():
    assert holds_words([("a", "b"), (say("Run"), "r")]) and not holds_words([("a", "b")]) and not holds_words(None)
