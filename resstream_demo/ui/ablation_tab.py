"""The ablation tab: take away what a head adds and see what changes."""

import gradio as gr
import numpy as np

from ..core.names import head_label
from ..figures.caveats import not_shown
from ..figures.derived import sum_of_single_effects
from . import session
from .line import Line
from .patching_tab import METRICS, metric_words
from .selection import Selection
from .session import AblationOptions, Ready
from .tab import Cell, Outcome, Tab, Updates
from .widgets import Column, Detail, DetailData, GridData, Receipts, Scale, Table, format_number

KINDS = [
    ("zero: nothing is written", "zero"),
    ("bias only: its constant part stays", "bias_only"),
    ("mean over everyday sentences", "mean"),
    ("resample from the corrupted prompt", "resample"),
]
ALL_METRICS = [
    *((label, name) for label, name in METRICS if name != "kl"),
    ("KL from the untouched run", "kl"),
    ("loss over the whole prompt", "loss"),
]
WHERE = [("all positions", "all"), ("last position", "last")]


class AblationTab(Tab):
    key = "ablation"
    method = "head_ablation"
    title = "Ablation"
    says = (
        "Take one head’s output away and run the rest. Orange: without this head the number falls, so the head was "
        "supporting it. Blue: it rises."
    )
    compute = staticmethod(session.run_ablation)
    cell_hint = "Select a head to see what its removal does."

    def build_options(self) -> None:
        self.kind = gr.Dropdown(
            KINDS, value="zero", label="Replace the output by", elem_id="ablation-kind", min_width=240
        )
        self.metric = gr.Dropdown(
            ALL_METRICS, value="logit_diff", label="Read off", elem_id="ablation-metric", min_width=200
        )
        self.where = gr.Radio(WHERE, value="all", label="At", elem_id="ablation-where", min_width=210)
        self.view_options, self.run_options = (), (self.kind, self.metric, self.where)

    def build_picture(self) -> None:
        self.baseline = Line(elem_classes="numbers")
        self.grid = self.make_grid("Ablation by head")
        with gr.Row(elem_id="joint", equal_height=False):
            self.heads = gr.Textbox(
                label="Remove these heads together", placeholder="such as L3H6, L4H1", lines=1, max_lines=1,
                elem_id="joint-heads", scale=3, min_width=220,
            )  # fmt: skip
            self.together = gr.Button("Remove together", size="sm", scale=0, min_width=150, elem_id="joint-run")
        self.joint = Detail(label="Heads removed together", elem_id="joint-detail")
        self.joint_receipts = Receipts(elem_id="joint-receipts")

    def options(self, data: Updates) -> AblationOptions:
        return AblationOptions(kind=data[self.kind], metric=data[self.metric], last_only=data[self.where] == "last")

    def picture(self, outcome: Outcome, data: Updates, cell: Cell) -> Updates:
        result = outcome.result
        return {
            self.grid: self.grid.show(draw(result), selected=cell, stale=self.is_stale(data)),
            self.baseline: _baseline(result),
            self.joint: self.joint.show(None),
            self.joint_receipts: self.joint_receipts.show(None),
        }

    def aged(self, data: Updates) -> Updates:
        updates = super().aged(data)
        if updates:
            for part in (self.joint, self.joint_receipts):
                updates[part] = part.mark(stale=self.is_stale(data))
        return updates

    def cell(self, result, selection: Selection) -> Cell:
        layers, heads = result.values.shape
        if selection.head is not None and selection.head[0] < layers and selection.head[1] < heads:
            return selection.head
        return tuple(int(i) for i in np.unravel_index(np.abs(result.effect).argmax(), result.effect.shape))

    def selected(self, result, cell: Cell, selection: Selection) -> Selection:
        return selection.on_head(*cell)

    def describe(self, outcome: Outcome, cell: Cell, data: Updates) -> DetailData:
        return detail(outcome.result, *cell, direct=self._direct_effect(outcome, cell, data))

    def _direct_effect(self, outcome: Outcome, cell: Cell, data: Updates) -> float | None:
        """The head's share in the attribution on screen, where it is a share of the same number."""
        other = data.get(self.attribution.outcome) if self.attribution is not None else None
        if other is None or other.inputs != outcome.inputs or outcome.result.metric != "logit_diff":
            return None
        shares, result = other.result, outcome.result
        same = shares.position == len(result.prompt) - 1 and shares.contrast == result.contrast
        return float(shares.heads[cell]) if same else None

    attribution: Tab | None = None  # the tab whose direct effects are set beside the real ones

    def caveat_of(self, result) -> str:
        return not_shown(self.method, result.kind)

    def run_joint(self, ready: Ready, data: Updates) -> Updates:
        """Remove the heads named in the field together. Raises OptionError for a bad list."""
        singles = self.run(ready, data) if self._needs_singles(data) else data[self.outcome]
        together = session.run_joint_ablation(ready, self.options(data), data[self.heads] or "")
        updates = {} if singles is data[self.outcome] else self.shown(singles, data)
        return {
            **updates,
            self.error: None,
            self.joint: self.joint.show(joint_detail(singles.result, together)),
            self.joint_receipts: self.joint_receipts.show(together.receipts),
        }

    def _needs_singles(self, data: Updates) -> bool:
        return data[self.outcome] is None or self.is_stale(data)


# --- the picture ---------------------------------------------------------------------------------------------


def draw(result) -> GridData:
    """Each head's effect when it alone is removed."""
    layers, heads = result.values.shape
    return GridData(
        rows=[f"L{layer}" for layer in range(layers)],
        columns=[f"H{head}" for head in range(heads)],
        values=result.effect,
        scale=Scale("diverging", f"change of {words(result)}"),
        row_title="layer",
        column_title="head that is removed",
    )


def words(result) -> str:
    """The metric, with its tokens."""
    return "loss (nats)" if result.metric == "loss" else metric_words(result)


def _baseline(result) -> str:
    reference = f" · replaced by: {result.reference}" if result.reference else ""
    return f"{words(result)}, nothing removed: {format_number(result.baseline)}{reference}"


# --- details -------------------------------------------------------------------------------------------------


def detail(result, layer: int, head: int, direct: float | None = None) -> DetailData:
    """What the removal of one head does."""
    effect = float(result.effect[layer, head])
    rank = int((np.abs(result.effect) > abs(effect)).sum()) + 1
    facts = [
        ("untouched", format_number(result.baseline)),
        ("without this head", format_number(float(result.values[layer, head]))),
        ("change", format_number(effect, signed=True)),
        ("size among heads", f"number {rank} of {result.values.size}"),
    ]
    tables, notes = [], []
    if direct is not None:
        tables.append(
            Table(
                columns=[Column(""), Column("logits", "signed")],
                rows=[("taking its direct share away", -direct), ("really removing it", effect)],
                caption="Direct share (attribution) against the real change",
            )
        )
        notes.append("Where the two differ, later layers react to the missing head: they repair it or depended on it.")
    return DetailData(
        title=f"Without head {head_label(layer, head)}",
        subtitle=f"{words(result)} changes by {format_number(effect, signed=True)}",
        facts=facts,
        tables=[*tables, _layer_table(result, layer, head)],
        notes=notes,
    )


def _layer_table(result, layer: int, head: int) -> Table:
    return Table(
        columns=[Column("head"), Column("change", "signed", maximum=float(np.abs(result.effect).max()) or None)],
        rows=[(head_label(layer, h), float(e)) for h, e in enumerate(result.effect[layer])],
        caption=f"The heads of layer {layer}, each removed alone",
        marked=[head],
    )


def joint_detail(singles, together) -> DetailData:
    """Heads removed together beside the sum of their single effects."""
    rows = [(head_label(*head), float(singles.effect[head])) for head in together.heads]
    total, joint = sum_of_single_effects(singles, together.heads), float(together.effect)
    count = len(rows)
    return DetailData(
        title=f"{count} head{'s' if count > 1 else ''} removed together",
        subtitle=f"{words(together)}: {format_number(together.baseline)} → {format_number(float(together.values))}",
        tables=[
            Table(
                columns=[Column(""), Column("change", "signed")],
                rows=[*rows, ("sum of these", total), ("removed together", joint)],
                marked=[count + 1],
            )
        ],
        notes=["If the last two differ, the heads do not act alone: they back each other up or build on each other."],
    )
