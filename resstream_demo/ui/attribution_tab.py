"""The attribution tab: which component wrote the answer's logit into the stream."""

from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from dataclasses import replace

import gradio as gr

from ..core.words import say
from ..methods.components import head_detail, mlp_detail
from . import attribution_parts as parts
from . import attribution_view as view
from . import session
from .attribution_parts import Part
from .line import Line
from .selection import Selection
from .session import AttributionOptions, Ready
from .tab import Cell, Outcome, Reaction, Tab, Updates
from .widgets import Detail, DetailData, Receipts, Waterfall
from .widgets.base import WidgetMeta

EXPLAIN = [
    (say("answer − contrast"), "difference"),
    (say("answer alone"), "answer"),
    (say("contrast alone"), "contrast"),
]
BIASES = [(say("to its layer’s bias"), "folded"), (say("to the head"), "in_heads")]


class PositionMenu(gr.Dropdown, metaclass=WidgetMeta):
    """A menu of positions, which come with each run; −1 is the last. A link may ask for one before they have come."""

    is_template = True  # on the page it is Gradio's own menu

    def preprocess(self, payload) -> int:
        return payload if isinstance(payload, int) and not isinstance(payload, bool) else -1

    def postprocess(self, value) -> int | None:
        return value


class AttributionTab(Tab):
    key = "attribution"
    method = "direct_logit_attribution"
    title = say("Attribution")
    says = say(
        "Who wrote the answer? Its logit is the sum of what the embeddings, every head and every MLP added to the "
        "stream. Blue pushes towards it, orange away."
    )
    compute = staticmethod(session.run_attribution)
    cell_hint = say("Select a head, an MLP or a bar to see what is behind it.")

    def build_options(self) -> None:
        self.explain = gr.Radio(EXPLAIN, value="difference", label=say("Explain"), elem_id="attribution-explain")
        self.position = PositionMenu(
            [("…", -1)], value=-1, label=say("After which token (the last one first)"), elem_id="attribution-position",
            filterable=False,
        )  # fmt: skip
        self.biases = gr.Radio(
            BIASES, value="folded", label=say("Count what a head always writes"), elem_id="attribution-bias"
        )
        self.view_options, self.run_options = (), (self.explain, self.position, self.biases)

    def build_picture(self) -> None:
        self.sums = Line(elem_classes="numbers")
        with gr.Row(equal_height=False):
            with gr.Column(scale=4, min_width=300):
                self.waterfall = Waterfall(label=say("Running sum of the parts"), elem_id="attribution-waterfall")
            with gr.Column(scale=5, min_width=300):
                self.grid = self.make_grid(say("Attribution by head"))

    def build_side(self) -> None:
        self.checks = Receipts(elem_id="attribution-checks")
        self.known = gr.State(None)  # what the model had to say about the part last looked into

    def build_foot(self) -> None:
        self.largest = Detail(label=say("The largest contributions"), elem_id="attribution-largest")
        self.inputs = (self.known,)
        self.outputs = (self.known, self.sums, self.waterfall, self.checks, self.largest)

    def options(self, data: Updates) -> AttributionOptions:
        return AttributionOptions(
            position=data[self.position], explain=data[self.explain], value_bias=data[self.biases]
        )

    def effective(self, options: AttributionOptions, result) -> AttributionOptions:
        return replace(options, position=session.position_within(options.position, result.prompt))

    # --- drawing ----------------------------------------------------------------------------------------------

    def picture(self, outcome: Outcome, data: Updates, cell: Cell) -> Updates:
        result, stale = outcome.result, self.is_stale(data)
        bar = parts.bar_of(result, self._part(result, data))
        return {
            self.grid: self.grid.show(view.grid(result), selected=cell, stale=stale),
            self.waterfall: self.waterfall.show(view.waterfall(result), selected=bar, stale=stale),
            self.sums: view.sums(result),
            self.position: self._menu(result, data),
        }

    def _menu(self, result, data: Updates) -> Updates:
        """The positions of a result. What is set stays, for another may be set by now, unless there is none such."""
        asked = self.options(data)
        possible = self.effective(asked, result)
        update = {} if asked == possible else {"value": possible.position}
        return gr.update(choices=view.positions(result), **update)

    def cell(self, result, selection: Selection) -> Cell | None:
        """None for a part that has no cell of its own: a layer's whole attention, or what is outside the layers."""
        return parts.cell_of(result, parts.selected(result, selection))

    def selected(self, result, cell: Cell, selection: Selection) -> Selection:
        return parts.select(selection, parts.part_of(result, cell))

    def _part(self, result, data: Updates) -> Part:
        return parts.selected(result, data[self.selection])

    def describe(self, outcome: Outcome, cell: Cell | None, data: Updates) -> DetailData:
        result, known = outcome.result, data[self.known]
        part = self._part(result, data)
        shown = view.detail(result, part, known, data[self.selection].position)
        lacking = part.kind in view.LOOKED_INTO and not view.fits(known, result, part)
        return view.incomplete(shown) if lacking and self.is_stale(data) else shown

    def marked(self, outcome: Outcome, cell: Cell | None, data: Updates) -> Updates:
        result, stale = outcome.result, self.is_stale(data)
        part = self._part(result, data)
        return {
            self.waterfall: self.waterfall.mark(selected=parts.bar_of(result, part), stale=stale),
            self.largest: self.largest.show(view.largest_parts(result, part), stale=stale),
            self.checks: self.checks.show(view.checks(result, part, data[self.known]), stale=stale),
            self.position: gr.update(choices=view.positions(result)),
        }

    def aged(self, data: Updates) -> Updates:
        updates = super().aged(data)
        if updates:
            stale = self.is_stale(data)
            updates |= {part: part.mark(stale=stale) for part in (self.waterfall, self.largest, self.checks)}
        return updates

    def more(self, ready: Ready, outcome: Outcome, cell: Cell | None, data: Updates) -> Updates:
        result = outcome.result
        part = self._part(result, data)
        found = data[self.known] if view.fits(data[self.known], result, part) else look_into(ready, result, part)
        data, stale = {**data, self.known: found}, self.is_stale(data)
        return {
            self.known: found,
            self.detail: self.detail.show(self.describe(outcome, cell, data), stale=stale),
            self.checks: self.checks.show(view.checks(result, part, found), stale=stale),
        }

    # --- what can be selected besides cells -------------------------------------------------------------------

    def reactions(self) -> tuple[Reaction, ...]:
        return (
            *self._then_more(self.waterfall.select, self.bar_picked),
            *self._then_more(self.detail.select, self.row_picked),
            *self._then_more(self.largest.select, self.largest_picked),
            Reaction(self.bar.strip.select, self.token_picked),
        )

    def _then_more(self, listen: Callable, answer: Callable[..., Updates]) -> tuple[Reaction, Reaction]:
        """A selection that is answered at once, and what takes the model about it as soon as that is there.

        The page listens in the order of the reactions, so the second can follow the first.
        """
        heard = []

        def first(handler, data, screen, **how):
            heard.append(listen(handler, data, screen, trigger_mode="multiple", **how))
            return heard[0]

        def then(handler, data, screen, **how):
            return heard[0].then(quietly(handler, (self.known, self.detail, self.checks)), data, screen, **how)

        return Reaction(first, answer), Reaction(then, self.looked_into, computes=True)

    def looked_into(self, ready: Ready, data: Updates, event, progress) -> Updates:
        """What the model has to say about the selected part; nothing if the result is not of these inputs."""
        outcome = data[self.outcome]
        if outcome is None or self.is_stale(data):
            return {}
        return self.more(ready, outcome, self.cell(outcome.result, data[self.selection]), data)

    def bar_picked(self, data: Updates, event) -> Updates:
        """A bar of the running sum."""
        if data[self.outcome] is None:
            return {}
        return self._picked(data, parts.bars(data[self.outcome].result)[int(event.index)])

    def largest_picked(self, data: Updates, event) -> Updates:
        """A row of the table of the largest parts."""
        if data[self.outcome] is None:
            return {}
        return self._picked(data, view.largest_of(data[self.outcome].result)[int(event.index[1])])

    def row_picked(self, data: Updates, event) -> Updates:
        """A row of the detail: of a head, a token that it reads; of a layer's attention, one of its parts."""
        if data[self.outcome] is None:
            return {}
        result, row = data[self.outcome].result, int(event.index[1])
        part = self._part(result, data)
        if part.kind == "attention":
            return self._picked(data, parts.of_layer(result, part.layer)[row])
        listed = view.sources(result, part, data[self.known], data[self.selection].position)
        selection = data[self.selection].at_position(listed[row])
        return {
            self.selection: selection,
            self.bar.strip: self.bar.strip.mark(selected=listed[row]),
            **self._redescribed({**data, self.selection: selection}),
        }

    def token_picked(self, data: Updates, event) -> Updates:
        """A token of the prompts: its row is marked where a head's sources are listed."""
        if data[self.outcome] is None:
            return {}
        selection = data[self.selection].at_position(int(event.index[1]))
        return self._redescribed({**data, self.selection: selection})

    def _picked(self, data: Updates, part: Part) -> Updates:
        """The shared selection with a part, and the marks that follow."""
        selection = parts.select(data[self.selection], part)
        return {self.selection: selection, **self.followed({**data, self.selection: selection})}

    def _redescribed(self, data: Updates) -> Updates:
        outcome = data[self.outcome]
        description = self.describe(outcome, self.cell(outcome.result, data[self.selection]), data)
        return {self.detail: self.detail.show(description, stale=self.is_stale(data))}


def look_into(ready: Ready, result, part: Part):
    """What the model has to say about a head or an MLP; None about any other part."""
    asked = {"answer": result.answer, "contrast": result.contrast, "position": result.position, "k": view.TOKENS}
    if part.kind == "head":
        return head_detail(ready.model, ready.clean_run, part.layer, part.head, value_bias=result.value_bias, **asked)
    if part.kind == "mlp":
        return mlp_detail(ready.model, ready.clean_run, part.layer, neurons=view.NEURONS, **asked)
    return None


def quietly(handler: Callable, kept: Collection) -> Callable:
    """The handler of a computation without the signs of a run: of what it gives, only what is for these components."""

    def answer(data: dict) -> Iterator[Updates]:
        given = False
        with closing(handler(data, None)) as steps:
            for updates in steps:
                found = {part: update for part, update in updates.items() if part in kept}
                if found:
                    given = True
                    yield found
        if not given:
            yield gr.skip()  # a handler that yields nothing would empty its outputs

    return answer
