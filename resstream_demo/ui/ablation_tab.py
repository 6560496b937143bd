"""The ablation tab: take away what heads add, alone or together, and see what changes."""

from dataclasses import dataclass

import gradio as gr
import numpy as np

from ..core.errors import ExplorerError
from ..core.names import head_label
from ..core.words import say
from ..figures.caveats import not_shown
from ..methods.repair import RepairResult
from . import ablation_together as together
from . import ablation_view as view
from . import session
from .ablation_together import Together
from .inputs import failure_notice
from .line import Line
from .selection import Head, Selection
from .session import AblationOptions, Ready
from .tab import Cell, Outcome, Reaction, Tab, Updates
from .widgets import Detail, DetailData, Receipts, Scatter

TOPS = (1, 3, 5, 10)


@dataclass(frozen=True, eq=False)
class Measured(Outcome):
    """An ablation of every head, with the direct effects to hold against it where the metric has such."""

    repair: RepairResult | None = None


class AblationTab(Tab):
    key = "ablation"
    method = "head_ablation"
    title = say("Ablation")
    says = view.SAYS
    compute = staticmethod(session.run_ablation)
    cell_hint = say("Select a head to see what its removal does.")

    # --- components -------------------------------------------------------------------------------------------

    def build_options(self) -> None:
        self.kind = gr.Dropdown(
            view.KINDS, value="zero", label=say("A removed head writes"), elem_id="ablation-kind", min_width=240
        )
        self.metric = gr.Dropdown(
            view.METRICS, value="logit_diff", label=say("Read off"), elem_id="ablation-metric", min_width=200
        )
        self.where = gr.Radio(view.WHERE, value="all", label=say("Removed at"), elem_id="ablation-where", min_width=210)
        self.view_options, self.run_options = (), (self.kind, self.metric, self.where)

    def build_picture(self) -> None:
        self.baseline = Line(elem_classes="numbers")
        self.grid = self.make_grid(say("Ablation by head"))
        with gr.Row(elem_id="joint", equal_height=False):
            self.heads = gr.Textbox(
                label=say("Remove these heads together"),
                placeholder=say("such as L3H6, L4H1"), lines=1, max_lines=1, elem_id="ablation-heads", scale=3,
                min_width=260,
            )  # fmt: skip
            self.tops = {
                k: gr.Button(say("Top {count}", count=k), size="sm", scale=0, min_width=64, elem_id=f"ablation-top-{k}")
                for k in TOPS
            }
            self.clear = gr.Button(say("Clear"), size="sm", scale=0, min_width=64, elem_id="ablation-clear")
        self.together = gr.State(None)  # what is shown of heads removed together
        self.due = gr.State(0)  # counts up whenever that has to be computed anew

    def build_side(self) -> None:
        self.scatter = Scatter(
            label=say("Direct against real effect"),
            empty=say("Direct and real effects can be compared where the number read off is the logit difference."),
            elem_id="ablation-scatter",
        )
        self.scatter_note = Line(elem_id="ablation-scatter-note")

    def build_foot(self) -> None:
        with gr.Row(equal_height=False):
            with gr.Column(min_width=300):
                self.joint = Detail(label=say("Heads removed together"), elem_id="ablation-joint")
                self.joint_receipts = Receipts(elem_id="ablation-joint-receipts")
                self.predictions = Detail(label=say("What comes next, before and after"), elem_id="ablation-next-token")
            with gr.Column(min_width=300):
                self.texts = Detail(label=say("How the text goes on, before and after"), elem_id="ablation-texts")
                self.write = gr.Button(
                    say("Write on, before and after"), size="sm", visible=False, elem_id="ablation-write", scale=0
                )
                self.texts_receipts = Receipts(elem_id="ablation-texts-receipts")
        self.inputs = (self.heads, self.together, self.due)
        self.outputs = (
            self.baseline, self.heads, self.together, self.due, self.scatter, self.scatter_note, self.write,
            *self._parts_of_the_set,
        )  # fmt: skip

    def reactions(self) -> tuple[Reaction, ...]:
        choices = (
            (self.heads.submit, self.heads_typed),
            (self.heads.blur, self.heads_typed),
            *((button.click, self.top_chosen(k)) for k, button in self.tops.items()),
            (self.clear.click, self.none_chosen),
            (self.scatter.select, self.dot_clicked),
        )
        return (
            *(Reaction(queued(listen), answer) for listen, answer in choices),
            Reaction(self.due.change, self.set_changed, computes=True),
            Reaction(self.write.click, self.written, computes=True),
        )

    # --- the result -------------------------------------------------------------------------------------------

    def options(self, data: Updates) -> AblationOptions:
        return AblationOptions(kind=data[self.kind], metric=data[self.metric], last_only=data[self.where] == "last")

    def run(self, ready: Ready, data: Updates, progress=None) -> Measured:
        found = super().run(ready, data, progress)
        repair = None
        if found.result.metric == "logit_diff":
            repair = ready.recalled("repair", found.options, lambda: session.run_repair(ready, found.result, progress))
        return Measured(found.inputs, found.options, found.result, repair)

    def picture(self, outcome: Measured, data: Updates, cell: Cell) -> Updates:
        result, repair, stale = outcome.result, outcome.repair, self.is_stale(data)
        chosen = self._set(result, data)
        return {
            self.saying: view.says(result),
            self.grid: self.grid.show(view.draw(result, repair), selected=cell, stale=stale, chosen=chosen),
            self.baseline: view.baseline(result),
            self.scatter: self.scatter.show(
                None if repair is None else view.scatter(repair), stale=stale, **self._dots(result, cell, chosen)
            ),
            self.scatter_note: "" if repair is None else view.scatter_note(repair),
            **self._drawn(data[self.together], stale=self._set_is_stale(outcome, data)),
        }

    def shown(self, outcome: Measured, data: Updates) -> Updates:
        updates = super().shown(outcome, data)
        if outcome.repair is not None:  # its receipts are those of the ablation, and those of the comparison
            stale = self.is_stale({**data, self.outcome: outcome})
            updates[self.receipts] = self.receipts.show(outcome.repair.receipts, stale=stale)
        return updates

    def cell(self, result, selection: Selection) -> Cell:
        layers, heads = result.values.shape
        if selection.head is not None and selection.head[0] < layers and selection.head[1] < heads:
            return selection.head
        return tuple(int(i) for i in np.unravel_index(np.abs(result.effect).argmax(), result.effect.shape))

    def selected(self, result, cell: Cell, selection: Selection) -> Selection:
        return selection.on_head(*cell)

    def chosen(self, result, cells: list[Cell], selection: Selection) -> Selection:
        return selection.with_heads(cells)

    def describe(self, outcome: Measured, cell: Cell, data: Updates) -> DetailData:
        return view.detail(outcome.result, cell, outcome.repair)

    def caveat_of(self, result) -> str:
        return not_shown(self.method, result.kind)

    def marked(self, outcome: Measured, cell: Cell, data: Updates) -> Updates:
        chosen, stale = self._set(outcome.result, data), self._set_is_stale(outcome, data)
        return {
            **{part: part.mark(stale=stale) for part in self._parts_of_the_set},
            self.heads: ", ".join(head_label(*head) for head in chosen),
            self.scatter: self.scatter.mark(**self._dots(outcome.result, cell, chosen)),
        }

    def followed(self, data: Updates) -> Updates:
        updates = super().followed(data)
        if updates:
            updates[self.grid] = self._grid_marks(data)
        return updates

    def aged(self, data: Updates) -> Updates:
        updates = super().aged(data)
        if updates:
            updates[self.scatter] = self.scatter.mark(stale=self.is_stale(data))
            stale = self._set_is_stale(data[self.outcome], data)
            updates |= {part: part.mark(stale=stale) for part in self._parts_of_the_set}
        return updates

    # --- heads removed together -------------------------------------------------------------------------------

    def more(self, ready: Ready, outcome: Measured, cell: Cell, data: Updates) -> Updates:
        """What happens without the chosen heads, or without the selected one as long as none is chosen."""
        return self._removed(ready, {**data, self.outcome: outcome})

    def set_changed(self, ready: Ready, data: Updates, event, progress) -> Updates:
        """The same after a choice elsewhere than in the picture, which is brought up to date first."""
        updates, data = self._up_to_date(ready, data, progress)
        return {**updates, **self._removed(ready, data, progress)}

    def written(self, ready: Ready, data: Updates, event, progress) -> Updates:
        """The texts before and after, where they are too much work to come by themselves."""
        updates, data = self._up_to_date(ready, data, progress)
        return {**updates, **self._removed(ready, data, progress, write=True)}

    def heads_typed(self, data: Updates, event) -> Updates:
        """The heads in the field become the set; what is no head is refused in a sentence and left standing."""
        if data[self.outcome] is None:
            return {}
        result = data[self.outcome].result
        try:
            heads = session.read_heads(data[self.heads] or "", *result.values.shape)
        except ExplorerError as error:
            return {self.error: self.error.show(failure_notice(error))}
        return {} if heads == self._set(result, data) else self._with_set(data, heads)

    def none_chosen(self, data: Updates, event) -> Updates:
        return self._with_set(data, ())

    def top_chosen(self, k: int):
        """A handler that chooses the k heads with the largest effects."""

        def handler(data: Updates, event) -> Updates:
            if data[self.outcome] is None:
                return {}
            top = data[self.outcome].result.top(k)
            return self._with_set(data, zip(top["layer"], top["head"], strict=True))

        return handler

    def dot_clicked(self, data: Updates, event) -> Updates:
        """A dot of the scatter plot selects its head everywhere."""
        outcome = data[self.outcome]
        if outcome is None or not 0 <= int(event.index) < outcome.result.values.size:
            return {}
        updates = self.clicked(data, divmod(int(event.index), outcome.result.values.shape[1]))
        data = {**data, **updates}
        updates[self.grid] = self._grid_marks(data)
        if not self._set(outcome.result, data):
            updates[self.due] = data[self.due] + 1
        return updates

    def _with_set(self, data: Updates, heads) -> Updates:
        """Another set of heads on screen; what happens without them is due."""
        outcome = data[self.outcome]
        if outcome is None:
            return {}
        data = {**data, self.selection: data[self.selection].with_heads(heads)}
        return {
            self.selection: data[self.selection],
            self.error: None,
            self.due: data[self.due] + 1,
            self.grid: self._grid_marks(data),
            **self.marked(outcome, self.cell(outcome.result, data[self.selection]), data),
        }

    def _up_to_date(self, ready: Ready, data: Updates, progress) -> tuple[Updates, Updates]:
        """Updates that bring the picture up to date, and the data with its result."""
        if data[self.outcome] is not None and not self.is_stale(data):
            return {}, data
        outcome = self.run(ready, data, progress)
        return self.shown(outcome, data), {**data, self.outcome: outcome}

    def _removed(self, ready: Ready, data: Updates, progress=None, write: bool | None = None) -> Updates:
        outcome = data[self.outcome]
        heads, is_set = self._wanted(outcome.result, data)
        write = together.is_light(ready.model, is_set) if write is None else write
        found = together.remove(ready, outcome, heads, write=write, progress=progress)
        return {self.together: found, **self._drawn(found, stale=self.is_stale(data))}

    def _drawn(self, found: Together | None, *, stale: bool) -> Updates:
        """Updates that draw what happens without some heads."""
        if found is None:
            return {part: part.show(None) for part in self._parts_of_the_set} | {self.write: gr.update(visible=False)}
        proofs = None if found.texts is None else found.texts.receipts
        return {
            self.joint: self.joint.show(together.joint_detail(found), stale=stale),
            self.joint_receipts: self.joint_receipts.show(found.joint.receipts, stale=stale),
            self.predictions: self.predictions.show(together.predictions_detail(found), stale=stale),
            self.texts: self.texts.show(together.texts_detail(found), stale=stale),
            self.texts_receipts: self.texts_receipts.show(proofs, stale=stale),
            self.write: gr.update(visible=found.texts is None and not found.no_texts),
        }

    @property
    def _parts_of_the_set(self) -> tuple:
        return self.joint, self.joint_receipts, self.predictions, self.texts, self.texts_receipts

    def _set(self, result, data: Updates) -> tuple[Head, ...]:
        """The chosen heads that this model has."""
        return data[self.selection].heads_of(*result.values.shape)

    def _wanted(self, result, data: Updates) -> tuple[tuple[Head, ...], bool]:
        """The heads to remove together, and whether they were chosen: if none was, it is the selected one."""
        chosen = self._set(result, data)
        return chosen or (self.cell(result, data[self.selection]),), bool(chosen)

    def _set_is_stale(self, outcome: Measured, data: Updates) -> bool:
        """Whether what is shown of heads removed together belongs to another result or other heads."""
        found = data[self.together]
        if found is None:
            return False
        wanted, _ = self._wanted(outcome.result, data)
        return self.is_stale(data) or not found.belongs(outcome, wanted)

    def _grid_marks(self, data: Updates) -> dict:
        result = data[self.outcome].result
        selected = self.cell(result, data[self.selection])
        return self.grid.mark(selected=selected, stale=self.is_stale(data), chosen=self._set(result, data))

    @staticmethod
    def _dots(result, cell: Cell, chosen) -> dict:
        """Marks of the scatter plot, whose dots are numbered layer by layer."""
        width = result.values.shape[1]
        return {
            "selected": cell[0] * width + cell[1],
            "chosen": [layer * width + head for layer, head in chosen],
        }


def queued(listen):
    """The event by way of the queue: what a state's new value sets off, the page learns from there only."""
    return lambda *given, **how: listen(*given, **{**how, "queue": True})
