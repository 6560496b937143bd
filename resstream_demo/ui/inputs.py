"""The prompt bar: the two prompts with their tokens, answer and contrast, the model, examples and Run."""

from collections.abc import Iterable

import gradio as gr

from ..core.errors import ExplorerError, out_of_memory
from ..core.models import TINY
from ..core.promptcheck import Remark
from ..core.settings import Settings
from ..core.tokens import Prompt
from ..core.words import joined, say
from . import offers, session
from .examples import Example, examples
from .line import Line
from .runs import RunCache
from .session import Inputs
from .widgets import Notice, NoticeData
from .widgets.choices import Choices
from .widgets.copy_box import LinkBox
from .widgets.gallery import Card, Gallery, GalleryData
from .widgets.pair_strip import PairStrip, pair_strip

MODEL_LABELS = {
    TINY: say("tiny · bundled, no download"),
    "gpt2": say("gpt2 · 124M parameters"),
    "distilgpt2": say("distilgpt2 · 82M parameters"),
    "gpt2-medium": say("gpt2-medium · 355M parameters"),
    "gpt2-large": say("gpt2-large · 774M parameters"),
    "gpt2-xl": say("gpt2-xl · 1.6B parameters"),
}
STALE = say("The inputs have changed since this run. Press Run to update the pictures below.")
CLEAN_LABEL = say("Clean prompt: the text whose run is looked into")
CORRUPTED_LABEL = say("Corrupted prompt: the same text with one thing changed")


class PromptBar:
    """The components of the bar, and what is drawn in them. Build it inside a Blocks context.

    model: the model's menu, which sits in the page's header.
    """

    def __init__(self, model: gr.Dropdown, opening: Example):
        self.model = model
        with gr.Column(elem_id="prompt-bar"):
            self.gallery = Gallery(cards(), label=say("Examples"), elem_id="gallery")
            with gr.Row(elem_id="prompts", equal_height=False):
                self.clean = _prompt_field(CLEAN_LABEL, opening.clean, "clean-prompt")
                self.corrupted = _prompt_field(CORRUPTED_LABEL, opening.corrupted, "corrupted-prompt")
            self.strip = PairStrip(label=say("Tokens of the prompts"), elem_id="tokens")
            with gr.Row(elem_id="controls", equal_height=False):
                with gr.Column(scale=3, min_width=110):
                    self.answer, self.answer_note, self.answer_offer = _token_field(
                        say("Answer"), opening.answer, "answer"
                    )
                self.swap = gr.Button("⇄", elem_id="swap", size="sm", min_width=44, scale=0)
                with gr.Column(scale=3, min_width=110):
                    self.contrast, self.contrast_note, self.contrast_offer = _token_field(
                        say("Contrast"), opening.contrast, "contrast"
                    )
                self.bos = gr.Checkbox(True, label="BOS", elem_id="bos", scale=0, min_width=76, container=False)
                self.run = gr.Button(say("Run"), variant="primary", elem_id="run", scale=1, min_width=90)
                self.stop = gr.Button(say("Stop"), elem_id="stop", scale=1, min_width=90, visible=False)
                self.link = gr.Button(say("Link"), elem_id="link", scale=0, min_width=72)
            self.next_tokens = Choices(label=say("Likeliest next tokens"), elem_id="next-tokens")
            self.link_box = LinkBox(elem_id="link-box")
            self.link_notice = Notice(elem_id="link-notice")  # what of a link was not followed
            self.look_for = Line(elem_id="look-for")
            self.check = Notice(elem_id="prompt-check")
            self.busy = Notice(elem_id="busy")
            self.not_loaded = Notice(elem_id="not-loaded")  # apart from `busy`, which a run clears when it ends
        self.looked = gr.State(None)  # the inputs that the tokens and the check on screen belong to
        self.in_use = gr.State(TINY)  # the model that is loaded; the menu may be ahead of it
        self.fields = (self.clean, self.corrupted, self.answer, self.contrast, self.bos)

    def read(self, data: dict) -> Inputs:
        """What the bar holds now."""
        return Inputs(
            clean=data[self.clean] or "",
            corrupted=data[self.corrupted] or "",
            answer=data[self.answer] or "",
            contrast=data[self.contrast] or "",
            model=data[self.in_use],
            bos=bool(data[self.bos]),
        )

    def filled(self, example: Example) -> dict:
        """An example put into the fields."""
        return {
            self.clean: example.clean,
            self.corrupted: example.corrupted,
            self.answer: example.answer,
            self.contrast: example.contrast,
        }

    def looked_over(self, model, inputs: Inputs, settings: Settings, *, runs: RunCache, extra: Iterable[Remark] = (),
                    failure: BaseException | None = None, stale: bool = False) -> dict:  # fmt: skip
        """Tokens, offers under the answers, and the prompt check, with the reason why nothing was run on top."""
        clean, corrupted = (
            _shown_prompt(model, text, inputs.bos, settings) for text in (inputs.clean, inputs.corrupted)
        )
        example = _example_of(inputs)
        found = [*session.remarks(model, inputs, settings), *extra]
        notices = [] if failure is None else [failure_notice(failure, say("Nothing was run."))]
        notices += [remark_notice(r) for r in found if failure is None or r.text not in str(failure)]
        if stale and failure is None:
            notices.append(NoticeData("warning", STALE))
        notices.sort(key=lambda notice: ("error", "warning", "info").index(notice.kind))
        return {
            self.looked: inputs,
            self.link_box: None,
            self.look_for: "" if example is None else say("Look for: {line}", line=example.look_for),
            self.gallery: self.gallery.mark(selected=None if example is None else example.id),
            self.strip: self.strip.show(pair_strip(clean, corrupted, lambda i: token_detail(model, i))),
            **self._offers(model, inputs, clean, runs),
            self.check: self.check.show(notices or None),
        }

    def _offers(self, model, inputs: Inputs, prompt: Prompt | None, runs: RunCache) -> dict:
        """What each answer field is read as, and what else could be picked."""

        def about(token_id: int) -> str:
            return token_detail(model, token_id)

        updates: dict = {}
        chosen = []
        for spec, what, note, offer in (
            (inputs.answer, "answer", self.answer_note, self.answer_offer),
            (inputs.contrast, "contrast", self.contrast_note, self.contrast_offer),
        ):
            token = _token(model, spec, prompt, what)
            choice = offers.did_you_mean(model, spec, prompt, what, about)
            chosen.append(token and token.id)
            updates[offer] = offer.show(choice)
            updates[note] = _note(token, spec) if choice is None else ""
        known = [i for i in chosen if i is not None]
        found = offers.predictions(model, prompt, runs, known)
        updates[self.next_tokens] = self.next_tokens.show(offers.next_tokens(found, about, *chosen))
        return updates

    def parts(self) -> list:
        """Everything in the bar that handlers may update."""
        return [
            *self.fields, self.model, self.in_use, self.looked, self.run, self.stop, self.look_for, self.check,
            self.busy, self.not_loaded, self.gallery, self.strip, self.answer_note, self.contrast_note,
            self.answer_offer, self.contrast_offer, self.next_tokens, self.link_box, self.link_notice,
        ]  # fmt: skip


def cards() -> GalleryData:
    """The examples as cards."""
    return GalleryData([Card(example.id, example.title, example.look_for) for example in examples()], say("Examples"))


def model_menu(names: tuple[str, ...]) -> gr.Dropdown:
    """The menu of models."""
    choices = [(MODEL_LABELS.get(name, name), name) for name in names]
    return gr.Dropdown(choices, value=TINY, label=say("Model"), elem_id="model", min_width=240, filterable=False)


def _prompt_field(label: str, value: str, elem_id: str) -> gr.Textbox:
    return gr.Textbox(value, label=label, lines=1, max_lines=5, elem_id=elem_id, container=True, min_width=300)


def _token_field(label: str, value: str, name: str) -> tuple[gr.Textbox, Line, Choices]:
    box = gr.Textbox(value, label=label, lines=1, max_lines=1, elem_id=name, min_width=100)
    return box, Line(elem_id=f"{name}-note"), Choices(label=label, elem_id=f"{name}-offer")


# --- drawing -------------------------------------------------------------------------------------------------


def _shown_prompt(model, text: str, bos: bool, settings: Settings) -> Prompt | None:
    try:
        return session.tokenize(model, text, "", bos, settings)
    except ExplorerError:
        return None  # the prompt check says why


def token_detail(model, token_id: int) -> str:
    """A token with its raw text and id, and what the sign for a space in it means."""
    shown = model.show(token_id)
    detail = f"{shown} · {model.tokenizer.decode([token_id])!r} · id {token_id}"
    return joined([detail, say("␣ stands for a space")], " · ") if "␣" in shown else detail


def _example_of(inputs: Inputs) -> Example | None:
    """The example whose prompts these are."""
    return next((e for e in examples() if (e.clean, e.corrupted) == (inputs.clean, inputs.corrupted)), None)


def _token(model, spec: str, prompt: Prompt | None, what: str):
    """The token that a field names, None if it names none (the prompt check says why)."""
    try:
        return session.read_token(model, spec, prompt, what)
    except ExplorerError:
        return None


def _note(token, spec: str) -> str:
    if token is None:
        return "" if spec else say("none")
    return f"{token.display} · id {token.id}"


def remark_notice(remark: Remark) -> NoticeData:
    """A remark of the prompt check as a box."""
    return NoticeData(remark.level, remark.text, (), remark.part)


def failure_notice(error: BaseException, lead: str = "") -> NoticeData:
    """An error as a box: what was wrong, then what to do."""
    return NoticeData("error", joined([lead, explain(error)]) if lead else explain(error))


def explain(error: BaseException) -> str:
    """The sentences a person reads; for a fault of the program itself, that it is one."""
    if isinstance(error, ExplorerError):
        return error.sentence
    if out_of_memory(error):
        return say("There is not enough memory for this run. Shorten the prompts, or choose a smaller model.")
    return say(
        "Something went wrong inside the program ({kind}). What you typed is kept; the log of the server has the "
        "details. Try again, or change the prompts.",
        kind=type(error).__name__,
    )
