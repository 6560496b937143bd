"""What the four tabs have in common: a result, its picture, the selected cell, receipts, errors and files."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import gradio as gr

from ..core.words import say
from ..figures.caveats import not_shown
from ..figures.notice import what_to_see
from .downloads import FileButtons
from .inputs import PromptBar, failure_notice
from .line import Line
from .selection import Selection
from .session import Inputs, Ready
from .widgets import Detail, DetailData, Grid, GridData, Notice, Receipts
from .widgets.copy_box import CodeBox

Cell = tuple[int, int]
Updates = dict[Any, Any]  # component → new value


@dataclass(frozen=True, eq=False)
class Outcome:
    """A result with the inputs and run options it was computed from; it is stale as soon as others are set."""

    inputs: Inputs
    options: Any
    result: Any


@dataclass(frozen=True, eq=False)
class Reaction:
    """Something of its own that a tab does when a person sets it off.

    listen: the event's method, such as `button.click`. answer: what it does; a quick one is `answer(data, event)` and
    gives Updates, one that computes is `answer(ready, data, event, progress)`, where an error it raises is shown on
    the tab. event: what the component sent, with `index` and `value` for a selection.
    """

    listen: Callable
    answer: Callable[..., Updates]
    computes: bool = False


class Tab(ABC):
    """One tab. Subclasses build their options and pictures and describe a cell; the rest is here.

    Handlers get `data`, the values of all inputs of the page by component. `view_options` change only how a
    result is drawn, `run_options` what is computed; `inputs` and `outputs` are what else handlers read and update.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    says: ClassVar[str]  # one line: what the picture shows
    method: ClassVar[str]  # the method behind it, by its name in results
    compute: ClassVar[Callable]
    cell_hint: ClassVar[str] = say("Select a cell to see what is behind it.")

    def __init__(self, bar: PromptBar, selection: gr.State):
        self.bar, self.selection = bar, selection
        with gr.Tab(self.title, id=self.key, elem_id=f"tab-{self.key}", render_children=False) as self.page:
            self.outcome = gr.State(None)
            self.drawn = gr.State(())  # the view options that the picture on screen was drawn with
            self.saying = Line(self.says, elem_classes="says")
            with gr.Row(elem_classes="notice-row", equal_height=False):
                self.notice = Line(elem_classes="what-to-see", scale=1)
                self.next = gr.Button("", size="sm", elem_classes="next", elem_id=f"{self.key}-next", scale=0)
            with gr.Row(elem_classes="options", equal_height=False):
                self.build_options()
            self.error = Notice(elem_id=f"{self.key}-error")
            with gr.Row(elem_classes="tab-body", equal_height=False):
                with gr.Column(elem_classes="picture", min_width=0):
                    self.build_picture()
                with gr.Column(elem_classes="side", min_width=0):
                    self.detail = Detail(label=say("Selected cell"), empty=self.cell_hint, elem_id=f"{self.key}-detail")
                    self.build_side()
                with gr.Column(elem_classes="foot", min_width=0):
                    self.build_foot()
                    self.receipts = Receipts(elem_id=f"{self.key}-receipts")
                    self.caveat = Line(elem_classes="not-shown")
                    self.files = FileButtons(self.key)
                    self.code = CodeBox(elem_id=f"{self.key}-code")

    def make_grid(self, label: str) -> Grid:
        """The tab's clickable picture."""
        return Grid(label=label, empty=say("Press Run to fill this picture."), elem_id=f"{self.key}-grid")

    # --- for subclasses ---------------------------------------------------------------------------------------

    run_options: tuple = ()
    view_options: tuple = ()
    inputs: tuple = ()
    outputs: tuple = ()
    grid: Grid

    @abstractmethod
    def build_options(self) -> None: ...

    @abstractmethod
    def build_picture(self) -> None: ...

    def build_side(self) -> None:
        """More beside the picture, under the selected cell."""
        return

    def build_foot(self) -> None:
        """More under the picture, above the receipts."""
        return

    def reactions(self) -> tuple[Reaction, ...]:
        """What else can be set off on this tab."""
        return ()

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

    def chosen(self, result, cells: list[Cell], selection: Selection) -> Selection:
        """The shared selection after several cells were chosen; where a tab has no sets, as it was."""
        return selection

    @abstractmethod
    def describe(self, outcome: Outcome, cell: Cell, data: Updates) -> DetailData:
        """The detail panel of a cell."""

    def caveat_of(self, result) -> str:
        """What the picture does not show, in one sentence."""
        return not_shown(self.method)

    def marked(self, outcome: Outcome, cell: Cell, data: Updates) -> Updates:
        """Updates beyond the detail panel that follow a cell's selection and cost next to nothing."""
        return {}

    def more(self, ready: Ready, outcome: Outcome, cell: Cell, data: Updates) -> Updates:
        """Updates that follow a cell's selection and take a moment to compute."""
        return {}

    # --- what handlers return ---------------------------------------------------------------------------------

    def run(self, ready: Ready, data: Updates, progress=None) -> Outcome:
        """Compute, unless the same was computed lately. Raises what the session function raises."""
        options = self.options(data)
        result = ready.recalled(self.key, options, lambda: type(self).compute(ready, options, progress))
        return Outcome(ready.inputs, options, result)

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
            self.code: None,
            self.notice: what_to_see(outcome.result),
            self.receipts: self.receipts.show(outcome.result.receipts, stale=stale),
            self.caveat: say("What this does not show: {limit}", limit=self.caveat_of(outcome.result)),
            self.detail: self.detail.show(self.describe(outcome, cell, data), stale=stale),
            **self.marked(outcome, cell, data),
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

    def clicked(self, data: Updates, cell: Cell, cells: list[Cell] | None = None) -> Updates:
        """The shared selection and the detail panel after a click; nothing if there is no result.

        cells: all that are chosen now, where the picture lets several be.
        """
        outcome = data[self.outcome]
        if outcome is None:
            return {}
        selection = self.selected(outcome.result, cell, data[self.selection])
        if cells is not None:
            selection = self.chosen(outcome.result, cells, selection)
        data = {**data, self.selection: selection}
        return {
            self.selection: selection,
            self.detail: self.detail.show(self.describe(outcome, cell, data), stale=self.is_stale(data)),
            **self.marked(outcome, cell, data),
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
            **self.marked(outcome, cell, data),
        }

    def parts(self) -> list:
        """Everything on the tab that handlers may update."""
        own = [self.outcome, self.drawn, self.error, self.code, self.notice, self.receipts, self.caveat, self.saying]
        return [*own, self.detail, self.grid, *self.outputs]


__all__ = ["Cell", "GridData", "Outcome", "Reaction", "Tab", "Updates"]
