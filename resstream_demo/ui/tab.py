"""What the four tabs have in common: a result, its picture, the selected cell, receipts, errors and files."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import gradio as gr

from ..figures.caveats import not_shown
from .downloads import DownloadButtons
from .inputs import PromptBar, failure_notice
from .line import Line
from .selection import Selection
from .session import Inputs, Ready
from .widgets import Detail, DetailData, Grid, Notice, Receipts

Cell = tuple[int, int]
Updates = dict[Any, Any]  # component → new value


@dataclass(frozen=True, eq=False)
class Outcome:
    """A result with the inputs and run options it was computed from; it is stale as soon as others are set."""

    inputs: Inputs
    options: Any
    result: Any


class Tab(ABC):
    """One tab. Subclasses build their options and pictures and describe a cell; the rest is here.

    Handlers get `data`, the values of all inputs of the page by component. `view_options` change only how a
    result is drawn, `run_options` what is computed.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    says: ClassVar[str]  # one line: what the picture shows
    method: ClassVar[str]  # the method behind it, by its name in results
    compute: ClassVar[Callable]
    cell_hint: ClassVar[str] = "Select a cell to see what is behind it."

    def __init__(self, bar: PromptBar, selection: gr.State):
        self.bar, self.selection = bar, selection
        with gr.Tab(self.title, id=self.key, elem_id=f"tab-{self.key}", render_children=False) as self.page:
            self.outcome = gr.State(None)
            self.drawn = gr.State(())  # the view options that the picture on screen was drawn with
            self.saying = Line(self.says, elem_classes="says")
            with gr.Row(elem_classes="options", equal_height=False):
                self.build_options()
            self.error = Notice(elem_id=f"{self.key}-error")
            with gr.Row(elem_classes="tab-body", equal_height=False):
                with gr.Column(elem_classes="picture", min_width=0):
                    self.build_picture()
                with gr.Column(elem_classes="side", min_width=0):
                    self.detail = Detail(label="Selected cell", empty=self.cell_hint, elem_id=f"{self.key}-detail")
                with gr.Column(elem_classes="foot", min_width=0):
                    self.receipts = Receipts(elem_id=f"{self.key}-receipts")
                    self.caveat = Line(elem_classes="not-shown")
                    self.files = DownloadButtons(self.key)

    def make_grid(self, label: str) -> Grid:
        """The tab's clickable picture."""
        return Grid(label=label, empty="Press Run to fill this picture.", elem_id=f"{self.key}-grid")

    # --- for subclasses ---------------------------------------------------------------------------------------

    run_options: tuple = ()
    view_options: tuple = ()
    grid: Grid

    @abstractmethod
    def build_options(self) -> None: ...

    @abstractmethod
    def build_picture(self) -> None: ...

    @abstractmethod
    def options(self, data: Updates) -> Any:
        """The run options as the session function takes them."""

    def effective(self, options: Any, result) -> Any:
        """Options as far as they decide this result: two that come to the same compare equal."""
        return options

    @abstractmethod
    def picture(self, outcome: Outcome, data: Updates, cell: Cell) -> Updates:
        """Updates that draw the result."""

    @abstractmethod
    def cell(self, result, selection: Selection) -> Cell:
        """The grid cell that the shared selection means here, or a telling one if nothing was selected."""

    @abstractmethod
    def selected(self, result, cell: Cell, selection: Selection) -> Selection:
        """The shared selection after a click on a cell."""

    @abstractmethod
    def describe(self, outcome: Outcome, cell: Cell, data: Updates) -> DetailData:
        """The detail panel of a cell."""

    def caveat_of(self, result) -> str:
        """What the picture does not show, in one sentence."""
        return not_shown(self.method)

    def more(self, ready: Ready, outcome: Outcome, cell: Cell, data: Updates) -> DetailData | None:
        """A richer detail panel that takes a moment to compute; None if there is none."""
        return None

    # --- what handlers return ---------------------------------------------------------------------------------

    def run(self, ready: Ready, data: Updates, progress=None) -> Outcome:
        """Compute. Raises what the session function raises."""
        options = self.options(data)
        return Outcome(ready.inputs, options, type(self).compute(ready, options, progress))

    def view(self, data: Updates) -> tuple:
        """The view options as they are set."""
        return tuple(data[option] for option in self.view_options)

    def drawn_otherwise(self, data: Updates) -> bool:
        """Whether the picture on screen was drawn with other view options than are set now."""
        return data[self.drawn] != self.view(data)

    def is_stale(self, data: Updates) -> bool:
        """Whether the result on screen belongs to other inputs or run options than are set now."""
        outcome = data[self.outcome]
        if outcome is None:
            return False
        asked, now = (self.effective(options, outcome.result) for options in (outcome.options, self.options(data)))
        return outcome.inputs != self.bar.read(data) or asked != now

    def shown(self, outcome: Outcome, data: Updates) -> Updates:
        """A new result on screen."""
        data = {**data, self.outcome: outcome}
        cell = self.cell(outcome.result, data[self.selection])
        stale = self.is_stale(data)
        return {
            self.outcome: outcome,
            self.drawn: self.view(data),
            self.error: None,
            self.receipts: self.receipts.show(outcome.result.receipts, stale=stale),
            self.caveat: f"What this does not show: {lower_first(self.caveat_of(outcome.result))}",
            self.detail: self.detail.show(self.describe(outcome, cell, data), stale=stale),
            **self.picture(outcome, data, cell),
        }

    def redrawn(self, data: Updates) -> Updates:
        """The result on screen, drawn with the view options of now."""
        outcome = data[self.outcome]
        if outcome is None:
            return gr.skip()
        cell = self.cell(outcome.result, data[self.selection])
        return {self.drawn: self.view(data), **self.picture(outcome, data, cell)}

    def failed(self, error: BaseException, data: Updates) -> Updates:
        """An error in place, with the previous result left on screen, marked if it is not what was asked for."""
        return {self.error: self.error.show(failure_notice(error)), **self.aged(data)}

    def aged(self, data: Updates) -> Updates:
        """Marks that say whether the result on screen still belongs to the inputs and options."""
        if data[self.outcome] is None:
            return {}
        stale = self.is_stale(data)
        selected = self.cell(data[self.outcome].result, data[self.selection])
        return {
            self.grid: self.grid.mark(selected=selected, stale=stale),
            self.detail: self.detail.mark(stale=stale),
            self.receipts: self.receipts.mark(stale=stale),
        }

    def clicked(self, data: Updates, cell: Cell) -> Updates:
        """The shared selection and the detail panel after a click; nothing if there is no result."""
        outcome = data[self.outcome]
        if outcome is None:
            return {}
        return {
            self.selection: self.selected(outcome.result, cell, data[self.selection]),
            self.detail: self.detail.show(self.describe(outcome, cell, data), stale=self.is_stale(data)),
        }

    def followed(self, data: Updates) -> Updates:
        """Mark and describe the cell that the shared selection means here; nothing if there is no result."""
        outcome = data[self.outcome]
        if outcome is None:
            return {}
        cell, stale = self.cell(outcome.result, data[self.selection]), self.is_stale(data)
        return {
            self.grid: self.grid.mark(selected=cell, stale=stale),
            self.detail: self.detail.show(self.describe(outcome, cell, data), stale=stale),
        }


def lower_first(sentence: str) -> str:
    """A sentence as it goes on after a colon."""
    return sentence[:1].lower() + sentence[1:]
