"""Patching over many pairs of prompts: where they come from, the run, and its mean and spread."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import gradio as gr

from ..core.errors import ExplorerError, OptionError
from ..core.words import joined, plural, say
from ..figures.caveats import not_shown
from ..figures.export import result_to_csv, result_to_json
from ..figures.notice import what_to_see
from ..methods.pairs import Pair, PairsResult
from ..methods.pairs_table import MAX_ROWS, read_pairs
from . import patching_pairs_view as view
from .examples import examples
from .inputs import PromptBar, failure_notice
from .line import Line, Saver
from .pair_runs import read_pair, run_pairs
from .session import PatchingOptions, Ready
from .tab import Cell, Updates
from .widgets import Detail, Grid, Notice, NoticeData, Receipts
from .widgets.base import WidgetMeta
from .widgets.file_box import FileBox, FileBoxData

MOST_BYTES = 256 * 1024  # of a table
MOST_PASTED = 50_000  # characters; what stands in the field travels with every click
SOURCES = [
    (say("examples"), "examples"),
    (say("a CSV file"), "file"),
    (say("a pasted table"), "text"),
]
HEADER = "clean,corrupted,answer,contrast,label\n"
SAMPLE = (
    '"When Mary and John went out, John gave a drink to","When Mary and John went out, Mary gave a drink to",'
    '" Mary"," John",out'
)
FIRST = tuple(example.id for example in examples()[:2])  # the same shape, so that positions match
FILES = {  # of a result: kind → its type, and what makes it
    "csv": ("text/csv;charset=utf-8", result_to_csv),
    "pairs": ("text/csv;charset=utf-8", view.pairs_csv),
    "json": ("application/json", result_to_json),
}


@dataclass(frozen=True, eq=False)
class PairsRun:
    """A result over pairs, and all that it was made from."""

    model: str
    bos: bool
    options: PatchingOptions
    pairs: tuple[Pair, ...]
    result: PairsResult


class ExampleChoice(gr.CheckboxGroup, metaclass=WidgetMeta):
    """Boxes for the examples. What comes from a browser is read leniently: it is an input of every event of the page,
    and one that knows other examples, or none, must not stop them all."""

    def preprocess(self, payload: object) -> list[str]:
        known = {example.id for example in examples()}
        return [one for one in payload if one in known] if isinstance(payload, list) else []

    def get_block_name(self) -> str:
        return "checkboxgroup"


class PairsBox:
    """The part of the patching tab that takes many pairs. Build it inside a Blocks context.

    options: the patching options that `data` holds. Handlers get `data`, as those of a tab do.
    """

    def __init__(self, key: str, bar: PromptBar, options: Callable[[Updates], PatchingOptions]):
        self.bar, self._options = bar, options
        self.ran = gr.State(None)
        self.cell = gr.State(None)
        self.table = gr.State("")  # the text of the file that was read
        self.offered = gr.State(tuple(example.id for example in examples()))  # ids
        with gr.Accordion(say("Many pairs at once"), open=False, elem_id=f"{key}-pairs"):
            Line(
                say(
                    "One pair is one case. Here several pairs are patched with the options above, and each cell is "
                    "their mean, with its spread."
                )
            )
            self._build_sources(key)
            with gr.Row(elem_classes="files"):
                self.run = gr.Button(
                    say("Patch these pairs"), variant="primary", size="sm", scale=0, elem_id=f"{key}-pairs-run"
                )
            self.error = Notice(elem_id=f"{key}-pairs-error")
            self.notice = Line(elem_classes="what-to-see", elem_id=f"{key}-pairs-notice")
            with gr.Row(elem_classes="tab-body", equal_height=False):
                self._build_result(key)
        self.saver = Saver()
        self.inputs = (self.ran, self.cell, self.table, self.offered, self.source, self.chosen, self.pasted)
        self.outputs = (
            *self.inputs, self.unsuited, self.file, self.file_said, self.error, self.notice, self.grid, self.detail,
            self.made, self.left_out, self.receipts, self.caveat, self.files, self.saver,
        )  # fmt: skip

    def _build_sources(self, key: str) -> None:
        with gr.Row(elem_classes="options", equal_height=False):
            self.source = gr.Radio(SOURCES, value="examples", label=say("Pairs from"), elem_id=f"{key}-pairs-from")
        with gr.Row(elem_classes="options", equal_height=False):
            self.chosen = ExampleChoice(
                [(example.title, example.id) for example in examples()], value=list(FIRST),
                label=say("Examples to take"), elem_id=f"{key}-pairs-examples",
            )  # fmt: skip
            self.pasted = gr.Textbox(
                label=say("Table: columns clean, corrupted, answer, and, if wanted, contrast and label"),
                placeholder=HEADER + SAMPLE, lines=4, max_lines=10, max_length=MOST_PASTED,
                elem_id=f"{key}-pairs-text", min_width=720, visible=False,
            )  # fmt: skip
        self.unsuited = Line()
        box = FileBoxData(
            label=say("Choose a CSV file"),
            accept=".csv,text/csv",
            most=MOST_BYTES,
            hint=say(
                "columns clean, corrupted, answer, and, if wanted, contrast and label; at most {most} pairs",
                most=MAX_ROWS,
            ),
        )
        self.file = FileBox(box, label=say("CSV file"), elem_id=f"{key}-pairs-file", visible=False)
        self.file_said = Line(elem_id=f"{key}-pairs-file-said")

    def _build_result(self, key: str) -> None:
        with gr.Column(elem_classes="picture", min_width=0):
            self.grid = Grid(label=say("Mean over the pairs"), elem_id=f"{key}-pairs-grid")
        with gr.Column(elem_classes="side", min_width=0):
            self.detail = Detail(label=say("Selected mean"), elem_id=f"{key}-pairs-detail")
        with gr.Column(elem_classes="foot", min_width=0):
            self.made, self.left_out = Line(), Line(elem_id=f"{key}-pairs-left-out")
            self.receipts = Receipts(elem_id=f"{key}-pairs-receipts")
            self.caveat = Line(elem_classes="not-shown")
            with gr.Row(elem_classes="files", visible=False) as self.files:
                names = {"csv": say("CSV of the means"), "pairs": say("CSV of each pair"), "json": say("JSON")}
                self.kinds = {
                    kind: gr.Button(name, size="sm", scale=0, min_width=64, elem_id=f"{key}-pairs-{kind}")
                    for kind, name in names.items()
                }

    # --- reading ----------------------------------------------------------------------------------------------

    def read(self, data: Updates) -> tuple[Pair, ...]:
        """The pairs that are chosen now. Raises OptionError if there are none, or for a table that cannot be used."""
        source = data[self.source]
        if source == "examples":
            chosen = [example for example in examples() if example.id in (data[self.chosen] or ())]
            if not chosen:
                raise OptionError(say("No example is chosen. Choose at least one."))
            return tuple(Pair(one.clean, one.corrupted, one.answer, one.contrast, one.title) for one in chosen)
        text = data[self.table] if source == "file" else data[self.pasted] or ""
        if not text.strip():
            raise OptionError(
                say("No file has been read yet. Choose a CSV file.")
                if source == "file"
                else say("There is no table yet. Paste one: its first line names the columns.")
            )
        return read_pairs(text)

    def options(self, data: Updates) -> PatchingOptions:
        """The patching options as far as they hold for pairs."""
        return replace(self._options(data), by_position=False)

    def is_stale(self, data: Updates) -> bool:
        """Whether the result on screen belongs to other pairs, options or another model than are set now."""
        run, bar = data[self.ran], self.bar.read(data)
        if (run.model, run.bos, run.options) != (bar.model, bar.bos, self.options(data)):
            return True
        try:
            return run.pairs != self.read(data)
        except ExplorerError:
            return True

    # --- answers ----------------------------------------------------------------------------------------------

    def computed(self, ready: Ready, data: Updates, event, progress) -> Updates:
        """The pairs' mean; what is wrong with them is said beside the button that was pressed."""
        options = self.options(data)
        try:
            pairs = self.read(data)
            result = ready.recalled("pairs", (options, pairs), lambda: run_pairs(ready, options, pairs, progress))
        except ExplorerError as error:
            return {self.error: self.error.show(failure_notice(error)), **self.aged(data)}
        run = PairsRun(ready.inputs.model, ready.inputs.bos, options, pairs, result)
        return {self.error: None, **self.shown({**data, self.ran: run, self.cell: None})}

    def shown(self, data: Updates) -> Updates:
        """The result on screen, drawn anew; nothing if there is none."""
        run = data[self.ran]
        if run is None:
            return {}
        result, stale = run.result, self.is_stale(data)
        cell = self._cell(data)
        return {
            self.ran: run,
            self.cell: cell,
            self.notice: what_to_see(result),
            self.grid: self.grid.show(view.draw(result), selected=cell, stale=stale),
            self.detail: self.detail.show(view.detail(result, *cell), stale=stale),
            self.made: view.made_with(result),
            self.left_out: view.left_out(result),
            self.receipts: self.receipts.show(result.receipts, stale=stale),
            self.caveat: say("What this does not show: {limit}", limit=not_shown("patch_pairs")),
            self.files: gr.update(visible=True),
        }

    def _cell(self, data: Updates) -> Cell:
        result, cell = data[self.ran].result, data[self.cell]
        inside = cell is not None and all(0 <= at < most for at, most in zip(cell, result.mean.shape, strict=True))
        return cell if inside else view.strongest(result)

    def aged(self, data: Updates) -> Updates:
        """Marks that say whether the result on screen still belongs to what is set."""
        if data[self.ran] is None:
            return {}
        stale = self.is_stale(data)
        return {part: part.mark(stale=stale) for part in (self.grid, self.detail, self.receipts)}

    def cell_chosen(self, data: Updates, event) -> Updates:
        """The pairs behind a cell."""
        if data[self.ran] is None:
            return {}
        data = {**data, self.cell: (int(event.index[0]), int(event.index[1]))}
        cell, stale = self._cell(data), self.is_stale(data)
        return {
            self.cell: cell,
            self.grid: self.grid.mark(selected=cell, stale=stale),
            self.detail: self.detail.show(view.detail(data[self.ran].result, *cell), stale=stale),
        }

    def source_chosen(self, data: Updates, event) -> Updates:
        """Only the fields of the source that was chosen."""
        source = data[self.source]
        return {
            self.chosen: gr.update(visible=source == "examples"),
            self.unsuited: _unsuited(data[self.offered]) if source == "examples" else "",
            self.file: gr.update(visible=source == "file"),
            self.file_said: self._file_said("", data[self.table]) if source == "file" else "",
            self.pasted: gr.update(visible=source == "text"),
            self.error: None,
            **self.aged(data),
        }

    def file_chosen(self, data: Updates, event) -> Updates:
        """A table from the visitor's machine; a bad one leaves the one before it."""
        name = str(event.index)[:80]
        try:
            text = _text_of(event.value)
            read_pairs(text)
        except ExplorerError as error:
            notice = failure_notice(error, say("{name} was not taken.", name=name))
            return {self.error: self.error.show(notice)}
        data = {**data, self.table: text}
        return {self.table: text, self.file_said: self._file_said(name, text), self.error: None, **self.aged(data)}

    def _file_said(self, name: str, text: str) -> str:
        """How many pairs the file has that was read."""
        if not text:
            return ""
        pairs = plural(len(read_pairs(text)), "{count} pair was read.", "{count} pairs were read.")
        return joined([say("{name}:", name=name), pairs]) if name else pairs

    def offers(self, ready: Ready, data: Updates) -> Updates:
        """The examples that suit a model, if they are others than those on offer."""
        suited = [example for example in examples() if _suits(ready, example)]
        ids = tuple(example.id for example in suited)
        if ids == data[self.offered]:
            return {}
        chosen = data[self.chosen] or []
        kept = [one for one in chosen if one in ids]
        value = {} if kept == chosen else {"value": kept}  # a choice made meanwhile is not undone without need
        choices = [(example.title, example.id) for example in suited]
        return {
            self.offered: ids,
            self.chosen: gr.update(choices=choices, **value),
            self.unsuited: _unsuited(ids) if data[self.source] == "examples" else "",
        }

    def saved(self, kind: str) -> Callable[[Updates, object], Updates]:
        """A handler that hands a file of the result to the browser."""

        def handler(data: Updates, event) -> Updates:
            if data[self.ran] is None:
                nothing = NoticeData("warning", say("There is no result yet. Press “Patch these pairs”."))
                return {self.error: self.error.show(nothing)}
            result, (content_type, write) = data[self.ran].result, FILES[kind]
            model = re.sub(r"[^A-Za-z0-9.-]+", "-", result.info.model)
            which = "-each" if kind == "pairs" else ""
            ending = "json" if kind == "json" else "csv"
            return {self.saver: (f"patch_pairs{which}-{model}.{ending}", content_type, write(result))}

        return handler


def _text_of(sent: object) -> str:
    """The text of a file as the browser has read it. Raises OptionError for one that it could not read."""
    sent = sent if isinstance(sent, dict) else {}
    text = sent.get("text")
    if isinstance(text, str) and len(text) <= MOST_BYTES:
        return text
    if sent.get("fault") == "encoding":
        raise OptionError(
            say("The file is not text in UTF-8. Save it anew as CSV in UTF-8; a spreadsheet offers that by name.")
        )
    raise OptionError(
        say(
            "The file is larger than {most} KB, which is more than {pairs} pairs need. Leave other columns and rows "
            "out.",
            most=MOST_BYTES // 1024,
            pairs=MAX_ROWS,
        )
    )


def _suits(ready: Ready, example) -> bool:
    """Whether an example's pair can be patched with a model."""
    pair = Pair(example.clean, example.corrupted, example.answer, example.contrast)
    try:
        read_pair(ready.model, pair, ready.inputs.bos, ready.settings)
    except ExplorerError:
        return False
    return True


def _unsuited(offered: tuple[str, ...]) -> str:
    """Which examples are not on offer, and why; "" if all are."""
    others = [example.title for example in examples() if example.id not in offered]
    if not others:
        return ""
    return say(
        "Not on offer, for with this model their prompts differ in length or their answers are several tokens: "
        "{names}.",
        names=joined(others, ", "),
    )
