"""The patching tab: copy one activation from one run into the other and see how much of the answer follows."""

import gradio as gr
import numpy as np

from ..core.trace import HEAD_SITES
from ..core.words import say
from ..figures.derived import strongest_positions
from ..methods.inspect import patched_predictions, run_predictions
from . import patching_view as view
from . import session
from .inputs import PromptBar
from .patching_pairs import PairsBox
from .patching_view import Index, ThreeRuns
from .selection import Selection
from .session import PatchingOptions, Ready
from .tab import Cell, Outcome, Reaction, Tab, Updates
from .widgets import DetailData, Grid
from .widgets.ruler import Ruler

SHOWN = [(say("share recovered"), "recovered"), (say("the number itself"), "value")]
WHERE = [(say("all at once"), "all"), (say("one at a time"), "each")]
LISTED = 6  # likeliest tokens of the patched run, before those of the other runs and the answers


class PatchingTab(Tab):
    key = "patching"
    method = "activation_patching"
    title = say("Patching")
    says = say("Run one prompt, but copy one activation over from the other, and see how much of the answer follows.")
    compute = staticmethod(session.run_patching)
    cell_hint = say("Select a cell to see what the model says after that patch.")

    def __init__(self, bar: PromptBar, selection: gr.State):
        super().__init__(bar, selection)
        with self.page:
            self.pairs = PairsBox(self.key, bar, self.options)
        self.inputs = self.pairs.inputs
        self.outputs = (self.ruler, self.overview, *self.pairs.outputs)

    def build_options(self) -> None:
        self.site = gr.Dropdown(
            view.SITES, value="resid_pre", label=say("Copy"), elem_id="patching-site", min_width=260, filterable=False
        )
        self.direction = gr.Radio(
            view.DIRECTIONS, value="denoising", label=say("Direction"), elem_id="patching-direction", min_width=260
        )
        self.metric = gr.Dropdown(
            view.METRICS, value="logit_diff", label=say("Read off"), elem_id="patching-metric", min_width=180,
            filterable=False,
        )  # fmt: skip
        self.where = gr.Radio(
            WHERE, value="all", label=say("A head’s positions"), elem_id="patching-positions", min_width=200,
            visible=False,
        )  # fmt: skip
        self.show = gr.Radio(SHOWN, value="recovered", label=say("Show"), elem_id="patching-show", min_width=230)
        self.view_options, self.run_options = (self.show,), (self.site, self.direction, self.metric, self.where)

    def build_picture(self) -> None:
        self.ruler = Ruler(label=say("The two runs and the selected patch"), elem_id="patching-ruler")
        self.grid = self.make_grid(say("Patching"))
        self.overview = Grid(label=say("All heads, each at its strongest position"), elem_id="patching-heads")

    def reactions(self) -> tuple[Reaction, ...]:
        pairs = self.pairs
        return (
            Reaction(self.overview.select, self.head_chosen),
            Reaction(pairs.run.click, pairs.computed, computes=True),
            Reaction(pairs.grid.select, self.mean_chosen),
            Reaction(pairs.source.input, pairs.source_chosen),
            Reaction(pairs.file.select, pairs.file_chosen),
            *(Reaction(field.input, lambda data, event: pairs.aged(data)) for field in (pairs.chosen, pairs.pasted)),
            *(Reaction(button.click, pairs.saved(kind)) for kind, button in pairs.kinds.items()),
        )

    def options(self, data: Updates) -> PatchingOptions:
        return PatchingOptions(
            site=data[self.site],
            direction=data[self.direction],
            metric=data[self.metric],
            by_position=data[self.site] in HEAD_SITES and data[self.where] == "each",
        )

    def caveat_of(self, result) -> str:
        return view.caveat(result)

    # --- drawing ----------------------------------------------------------------------------------------------

    def picture(self, outcome: Outcome, data: Updates, cell: Cell) -> Updates:
        result, stale = outcome.result, self.is_stale(data)
        shares = data[self.show] == "recovered" and result.has_recovered
        index = index_of(result, cell, data[self.selection])
        by_head = result.values.ndim == 3
        heads = view.overview(result, shares) if by_head else None
        return {
            self.saying: view.says(self.says, result.site, result.direction),
            self.where: gr.update(visible=result.site in HEAD_SITES),
            self.grid: self.grid.show(view.draw(result, shares, index[0]), selected=cell, stale=stale),
            self.overview: self.overview.show(heads, selected=index[:2], stale=stale),
        }

    def marked(self, outcome: Outcome, cell: Cell, data: Updates) -> Updates:
        index, stale = index_of(outcome.result, cell, data[self.selection]), self.is_stale(data)
        return {
            self.ruler: self.ruler.show(view.ruler(outcome.result, index), stale=stale),
            self.overview: self.overview.mark(selected=index[:2], stale=stale),
        }

    def shown(self, outcome: Outcome, data: Updates) -> Updates:
        return {**super().shown(outcome, data), **self.pairs.shown(data)}

    def aged(self, data: Updates) -> Updates:
        updates = {**super().aged(data), **self.pairs.aged(data)}
        if data[self.outcome] is not None:
            stale = self.is_stale(data)
            updates |= {part: part.mark(stale=stale) for part in (self.ruler, self.overview)}
        return updates

    def followed(self, data: Updates) -> Updates:
        updates, outcome = super().followed(data), data[self.outcome]
        if outcome is not None and outcome.result.values.ndim == 3:  # the selected head may be of another layer
            updates |= self.picture(outcome, data, self.cell(outcome.result, data[self.selection]))
        return updates

    # --- the selection ----------------------------------------------------------------------------------------

    def cell(self, result, selection: Selection) -> Cell:
        if result.values.ndim == 3:
            layer, head, strongest = _strongest_of(result, selection)
            position = strongest if selection.position is None else min(selection.position, result.values.shape[2] - 1)
            return head, position
        layers, columns = result.values.shape
        if result.site in HEAD_SITES:
            if selection.head is not None and selection.head[0] < layers and selection.head[1] < columns:
                return selection.head
        elif selection.layer is not None and selection.position is not None and selection.layer < layers:
            return max(0, selection.layer), min(selection.position, columns - 1)
        effect = np.abs(result.values - result.base_value)
        if result.site not in HEAD_SITES and selection.position is not None:
            position = min(selection.position, columns - 1)
            return int(effect[:, position].argmax()), position
        return tuple(int(i) for i in np.unravel_index(effect.argmax(), effect.shape))

    def selected(self, result, cell: Cell, selection: Selection) -> Selection:
        if result.values.ndim == 3:
            layer, head, position = index_of(result, cell, selection)
            return selection.on_head(layer, head).at_position(position)
        return selection.on_head(*cell) if result.site in HEAD_SITES else selection.at(*cell)

    def head_chosen(self, data: Updates, event) -> Updates:
        """A head of the overview, at the position where it moves the number furthest."""
        outcome = data[self.outcome]
        if outcome is None or outcome.result.values.ndim != 3:
            return {}
        layer, head = int(event.index[0]), int(event.index[1])
        position = int(strongest_positions(outcome.result)[layer, head])
        selection = data[self.selection].on_head(layer, head).at_position(position)
        return {
            self.selection: selection,
            self.bar.strip: self.bar.strip.mark(selected=position),
            **self.followed({**data, self.selection: selection}),
        }

    def mean_chosen(self, data: Updates, event) -> Updates:
        """The pairs behind a mean; a head is selected in all pictures."""
        updates, run = self.pairs.cell_chosen(data, event), data[self.pairs.ran]
        if run is None or run.result.axis != "head":
            return updates
        selection = data[self.selection].on_head(*updates[self.pairs.cell])
        return {**updates, self.selection: selection, **self.followed({**data, self.selection: selection})}

    # --- the selected patch -----------------------------------------------------------------------------------

    def describe(self, outcome: Outcome, cell: Cell, data: Updates) -> DetailData:
        return view.detail(outcome.result, index_of(outcome.result, cell, data[self.selection]))

    def more(self, ready: Ready, outcome: Outcome, cell: Cell, data: Updates) -> Updates:
        index = index_of(outcome.result, cell, data[self.selection])
        detail = view.detail(outcome.result, index, three_runs(ready, outcome.result, index))
        offers = self.pairs.offers(ready, data)
        return {self.detail: self.detail.show(detail, stale=self.is_stale(data)), **offers}


def index_of(result, cell: Cell, selection: Selection) -> Index:
    """The index into a result's values of a cell of its picture, which may show one layer only."""
    return (_strongest_of(result, selection)[0], *cell) if result.values.ndim == 3 else cell


def _strongest_of(result, selection: Selection) -> Index:
    """Of values [L, H, T], the selected head at its strongest position, or the strongest head if none is selected."""
    layers, heads, _ = result.values.shape
    effect = np.abs(result.values - result.base_value)
    if selection.head is not None and selection.head[0] < layers and selection.head[1] < heads:
        return (*selection.head, int(effect[selection.head].argmax()))
    return tuple(int(i) for i in np.unravel_index(effect.argmax(), effect.shape))


def three_runs(ready: Ready, result, index: Index) -> ThreeRuns:
    """What the model says after a patch, and in the two runs that it is made of."""
    model, clean, corrupted = ready.model, ready.clean_run, ready.corrupted_run
    position = view.position_of(result, index)
    wanted = [token.id for token in (result.answer, result.contrast) if token is not None]
    wanted += [int(run_predictions(model, run, k=1).ids[0]) for run in (clean, corrupted)]
    patched = patched_predictions(
        model,
        clean,
        corrupted,
        site=result.site,
        layer=index[0],
        head=view.head_of(result, index),
        positions="all" if position is None else [position],
        direction=result.direction,
        k=LISTED,
        also=wanted,
    )
    ids = patched.ids.tolist()
    return ThreeRuns(
        run_predictions(model, clean, k=1, also=ids), patched, run_predictions(model, corrupted, k=1, also=ids)
    )
