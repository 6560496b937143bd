"""The prompt bar: the two prompts with their tokens, answer and contrast, the model, examples and Run."""

import re
from collections.abc import Iterable

import gradio as gr

from ..core.errors import ExplorerError, out_of_memory
from ..core.models import TINY
from ..core.promptcheck import Remark
from ..core.settings import Settings
from ..core.tokens import Prompt, align
from . import session
from .examples import Example, examples
from .line import Line
from .session import Inputs
from .widgets import Notice, NoticeData, TokenStrip, TokenStripData

MODEL_LABELS = {
    TINY: "tiny · bundled, no download",
    "gpt2": "gpt2 · 124M parameters",
    "distilgpt2": "distilgpt2 · 82M parameters",
    "gpt2-medium": "gpt2-medium · 355M parameters",
    "gpt2-large": "gpt2-large · 774M parameters",
    "gpt2-xl": "gpt2-xl · 1.6B parameters",
}
STALE = "The inputs have changed since this run. Press Run to update the pictures below."


class PromptBar:
    """The components of the bar, and what is drawn in them. Build it inside a Blocks context.

    model: the model's menu, which sits in the page's header.
    """

    def __init__(self, model: gr.Dropdown, opening: Example):
        self.model = model
        with gr.Column(elem_id="prompt-bar"):
            self.clean, self.clean_strip = _prompt_field(
                "Clean prompt", opening.clean, "the text whose run is looked into", "clean"
            )
            self.corrupted, self.corrupted_strip = _prompt_field(
                "Corrupted prompt", opening.corrupted, "the same text with one thing changed, for Patching", "corrupted"
            )
            with gr.Row(elem_id="controls", equal_height=False):
                with gr.Column(scale=3, min_width=110):
                    self.answer, self.answer_note = _token_field("Answer", opening.answer, "answer")
                self.swap = gr.Button("⇄", elem_id="swap", size="sm", min_width=44, scale=0)
                with gr.Column(scale=3, min_width=110):
                    self.contrast, self.contrast_note = _token_field("Contrast", opening.contrast, "contrast")
                self.example = gr.Dropdown(
                    [(example.title, example.id) for example in examples()],
                    value=opening.id, label="Example", elem_id="example", scale=4, min_width=190, filterable=False,
                )  # fmt: skip
                self.bos = gr.Checkbox(True, label="BOS", elem_id="bos", scale=0, min_width=76, container=False)
                self.run = gr.Button("Run", variant="primary", elem_id="run", scale=1, min_width=90)
                self.stop = gr.Button("Stop", elem_id="stop", scale=1, min_width=90, visible=False)
            self.look_for = Line(elem_id="look-for")
            self.check = Notice(elem_id="prompt-check")
            self.busy = Notice(elem_id="busy")
            self.not_loaded = Notice(elem_id="not-loaded")  # apart from `busy`, which a run clears when it ends
        self.looked = gr.State(None)  # the inputs that the strips and the check on screen belong to
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

    def looked_over(self, model, inputs: Inputs, settings: Settings, *, extra: Iterable[Remark] = (),
                    failure: BaseException | None = None, stale: bool = False) -> dict:  # fmt: skip
        """Tokens, notes under the answers, and the prompt check, with the reason why nothing was run on top."""
        clean, corrupted = (
            _shown_prompt(model, text, inputs.bos, settings) for text in (inputs.clean, inputs.corrupted)
        )
        example = _example_of(inputs)
        found = [*session.remarks(model, inputs, settings), *extra]
        notices = [] if failure is None else [failure_notice(failure, "Nothing was run. ")]
        notices += [remark_notice(r) for r in found if failure is None or r.text not in str(failure)]
        if stale and failure is None:
            notices.append(NoticeData("warning", STALE))
        notices.sort(key=lambda notice: ("error", "warning", "info").index(notice.kind))
        return {
            self.looked: inputs,
            self.look_for: "" if example is None else f"Look for: {example.look_for}",
            self.example: None if example is None else example.id,
            self.clean_strip: self.clean_strip.show(_strip(model, clean, corrupted, 0)),
            self.corrupted_strip: self.corrupted_strip.show(_strip(model, corrupted, clean, 1)),
            self.answer_note: _note(model, inputs.answer, clean, "answer"),
            self.contrast_note: _note(model, inputs.contrast, clean, "contrast"),
            self.check: self.check.show(notices or None),
        }


def model_menu(names: tuple[str, ...]) -> gr.Dropdown:
    """The menu of models."""
    choices = [(MODEL_LABELS.get(name, name), name) for name in names]
    return gr.Dropdown(choices, value=TINY, label="Model", elem_id="model", min_width=240, filterable=False)


def _prompt_field(label: str, value: str, hint: str, name: str) -> tuple[gr.Textbox, TokenStrip]:
    box = gr.Textbox(value, label=f"{label}: {hint}", lines=1, max_lines=5, elem_id=f"{name}-prompt", container=True)
    return box, TokenStrip(label=f"Tokens of the {name} prompt", elem_id=f"{name}-strip")


def _token_field(label: str, value: str, name: str) -> tuple[gr.Textbox, Line]:
    box = gr.Textbox(value, label=label, lines=1, max_lines=1, elem_id=name, min_width=100)
    return box, Line(elem_id=f"{name}-note")


# --- drawing -------------------------------------------------------------------------------------------------


def _shown_prompt(model, text: str, bos: bool, settings: Settings) -> Prompt | None:
    try:
        return session.tokenize(model, text, "", bos, settings)
    except ExplorerError:
        return None  # the prompt check says why


def _strip(model, prompt: Prompt | None, other: Prompt | None, side: int) -> TokenStripData | None:
    """`side`: which end of an alignment this prompt is, 0 for clean."""
    if prompt is None:
        return None
    pairs = () if other is None else align(*((prompt, other) if side == 0 else (other, prompt))).differing
    return TokenStripData(
        prompt.tokens,
        details=[token_detail(model, i) for i in prompt.ids],
        differs=[pair[side] for pair in pairs if pair[side] is not None],
        special=[0] if prompt.bos else (),
    )


def token_detail(model, token_id: int) -> str:
    """A token with its raw text and id, and what the sign for a space in it means."""
    shown = model.show(token_id)
    space = " · ␣ stands for a space" if "␣" in shown else ""
    return f"{shown} · {model.tokenizer.decode([token_id])!r} · id {token_id}{space}"


def _example_of(inputs: Inputs) -> Example | None:
    """The example whose prompts these are."""
    return next((e for e in examples() if (e.clean, e.corrupted) == (inputs.clean, inputs.corrupted)), None)


def _note(model, spec: str, prompt: Prompt | None, what: str) -> str:
    """Which token a field names; "" if it names none (the prompt check says why)."""
    try:
        token = session.read_token(model, spec, prompt, what)
    except ExplorerError:
        return ""
    if token is None:
        return "none"
    name = f"{token.display} · id {token.id}"
    note = token.note.replace(f", as {token.display} (id {token.id})", "")  # that much is said already
    return f"{name}; {note}" if note else name


def remark_notice(remark: Remark) -> NoticeData:
    """A remark of the prompt check as a box."""
    title, lines = split_sentence(remark.text)
    return NoticeData(remark.level, title, lines, remark.part)


def failure_notice(error: BaseException, lead: str = "") -> NoticeData:
    """An error as a box: what was wrong, then what to do."""
    title, lines = split_sentence(explain(error))
    return NoticeData("error", lead + title, lines)


def explain(error: BaseException) -> str:
    """The sentences a person reads; for a fault of the program itself, that it is one."""
    if isinstance(error, ExplorerError):
        return str(error)
    if out_of_memory(error):
        return "There is not enough memory for this run. Shorten the prompts, or choose a smaller model."
    return (
        f"Something went wrong inside the program ({type(error).__name__}). What you typed is kept; the log of the "
        "server has the details. Try again, or change the prompts."
    )


def split_sentence(text: str) -> tuple[str, list[str]]:
    """The first sentence, and the rest."""
    first, *rest = re.split(r"(?<=[.!?…])\s+(?=[A-Z“])", text, maxsplit=1)
    return first, rest
