"""The attribution tab: which component wrote the answer's logit into the stream."""

from dataclasses import replace

import gradio as gr
import numpy as np

from ..core.names import head_label
from ..figures.components import component_bars
from ..figures.derived import attention_shares
from . import session
from .line import Line, Refit
from .selection import Selection
from .session import AttributionOptions
from .tab import Cell, Outcome, Tab, Updates
from .widgets import Column, DetailData, GridData, Scale, Table, format_number

AGAINST = [("answer − contrast", "difference"), ("answer alone", "alone")]
BIASES = [("in the layer’s bias", "folded"), ("with each head", "in_heads")]
PARTS = ("bias", "mlp")  # columns after the heads
SOURCES_SHOWN = 24


class AttributionTab(Tab):
    key = "attribution"
    method = "direct_logit_attribution"
    title = "Attribution"
    says = (
        "The final stream is a sum, so the answer’s logit splits into what each head and MLP wrote. Blue pushes "
        "towards the answer, orange away from it."
    )
    compute = staticmethod(session.run_attribution)
    cell_hint = "Select a head to see which tokens it read its share from."

    def build_options(self) -> None:
        self.against = gr.Radio(AGAINST, value="difference", label="Explain", elem_id="attribution-against")
        self.position = gr.Dropdown([("last", -1)], value=-1, label="At position", elem_id="attribution-position")
        self.biases = gr.Radio(BIASES, value="folded", label="Constant part of a head", elem_id="attribution-bias")
        self.view_options, self.run_options = (), (self.against, self.position, self.biases)

    def build_picture(self) -> None:
        self.sentence = Line(elem_classes="numbers")
        with gr.Row(equal_height=False):
            with gr.Column(scale=4, min_width=300):
                self.plot = gr.Plot(show_label=False, container=False, elem_id="attribution-plot", elem_classes="fresh")
                Refit()
            with gr.Column(scale=5, min_width=300):
                self.grid = self.make_grid("Attribution by head")

    def options(self, data: Updates) -> AttributionOptions:
        position = data[self.position]
        return AttributionOptions(
            position=position if isinstance(position, int) else -1,
            against_contrast=data[self.against] == "difference",
            value_bias=data[self.biases],
        )

    def picture(self, outcome: Outcome, data: Updates, cell: Cell) -> Updates:
        result, stale = outcome.result, self.is_stale(data)
        return {
            self.grid: self.grid.show(draw(result), selected=cell, stale=stale),
            self.plot: gr.update(value=component_bars(result), elem_classes="aged" if stale else "fresh"),
            self.sentence: _sentence(result),
            self.position: gr.update(
                choices=_positions(result), value=self.effective(self.options(data), result).position
            ),
        }

    def effective(self, options: AttributionOptions, result) -> AttributionOptions:
        return replace(options, position=session.position_within(options.position, result.prompt))

    def aged(self, data: Updates) -> Updates:
        updates = super().aged(data)
        if updates:
            updates[self.plot] = gr.update(elem_classes="aged" if self.is_stale(data) else "fresh")
        return updates

    def cell(self, result, selection: Selection) -> Cell:
        layers, heads = result.heads.shape
        if selection.part is not None and selection.part[0] < layers:
            return selection.part[0], heads + PARTS.index(selection.part[1])
        if selection.head is not None and selection.head[0] < layers and selection.head[1] < heads:
            return selection.head
        return tuple(int(i) for i in np.unravel_index(np.abs(result.heads).argmax(), result.heads.shape))

    def selected(self, result, cell: Cell, selection: Selection) -> Selection:
        layer, column = cell
        heads = result.heads.shape[1]
        return selection.on_head(layer, column) if column < heads else selection.on_part(layer, PARTS[column - heads])

    def describe(self, outcome: Outcome, cell: Cell, data: Updates) -> DetailData:
        layer, column = cell
        result = outcome.result
        if column < result.heads.shape[1]:
            return head_detail(result, layer, column)
        return layer_detail(result, layer, PARTS[column - result.heads.shape[1]])


# --- the picture ---------------------------------------------------------------------------------------------


def draw(result) -> GridData:
    """Every head's share, with the layer's attention bias and MLP in two more columns."""
    layers, heads = result.heads.shape
    return GridData(
        rows=[f"L{layer}" for layer in range(layers)],
        columns=[*(f"H{head}" for head in range(heads)), "bias", "MLP"],
        values=np.column_stack([result.heads, result.attn_bias, result.mlps]),
        scale=Scale("diverging", "logits"),
        row_title="layer",
        column_title="head, attention bias, MLP",
    )


def what(result) -> str:
    """The number that is split, in words."""
    answer = f"logit of {result.answer.display}"
    return answer if result.contrast is None else f"{answer} − logit of {result.contrast.display}"


def _sentence(result) -> str:
    token = result.prompt.tokens[result.position]
    return (
        f"{what(result)}, predicted after position {result.position} ({token}): "
        f"sum of all parts {format_number(result.total, signed=True)}, "
        f"the model’s own number {format_number(result.logit, signed=True)}"
    )


def _positions(result) -> list[tuple[str, int]]:
    tokens = result.prompt.tokens
    last = len(tokens) - 1
    return [(f"last: {last} {tokens[last]}", -1), *((f"{t} {tokens[t]}", t) for t in range(last))]


# --- the selected cell ---------------------------------------------------------------------------------------


def head_detail(result, layer: int, head: int) -> DetailData:
    """A head's share, split by the token it was read from."""
    share, name = float(result.heads[layer, head]), head_label(layer, head)
    rank = int((np.abs(result.heads) > abs(share)).sum()) + 1
    return DetailData(
        title=f"Head {name}",
        subtitle=f"writes {format_number(share, signed=True)} into the {what(result)}",
        facts=[
            ("share", f"{format_number(share, signed=True)} logits"),
            ("size among heads", f"number {rank} of {result.heads.size}"),
            ("all heads and bias of its layer", format_number(float(attention_shares(result)[layer]), signed=True)),
        ],
        tables=[_source_table(result, layer, head)],
    )


def _source_table(result, layer: int, head: int) -> Table:
    shares, tokens = result.by_source[layer, head], result.prompt.tokens
    count = result.position + 1
    shown = range(count)
    caption = "Its share by the position it was read from"
    if count > SOURCES_SHOWN:
        shown = sorted(np.argsort(-np.abs(shares[:count]))[:SOURCES_SHOWN].tolist())
        caption += f": the {SOURCES_SHOWN} largest of {count}"
    largest = int(np.abs(shares).argmax())
    return Table(
        columns=[Column("position"), Column("token", "token"), Column("share", "signed")],
        rows=[(str(t), tokens[t], float(shares[t])) for t in shown],
        caption=caption,
        marked=[n for n, t in enumerate(shown) if t == largest],
    )


def layer_detail(result, layer: int, part: str) -> DetailData:
    """One layer's parts in order of size, for its bias or MLP."""
    value = float((result.attn_bias if part == "bias" else result.mlps)[layer])
    name = f"L{layer} attention bias" if part == "bias" else f"L{layer} MLP"
    rows = [(head_label(layer, head), float(share)) for head, share in enumerate(result.heads[layer])]
    rows += [("attention bias", float(result.attn_bias[layer])), ("MLP", float(result.mlps[layer]))]
    whole = float(attention_shares(result)[layer] + result.mlps[layer])
    own = rows[-2 if part == "bias" else -1]
    rows.sort(key=lambda row: -abs(row[1]))
    return DetailData(
        title=name,
        subtitle=f"writes {format_number(value, signed=True)} into the {what(result)}",
        facts=[
            ("share", f"{format_number(value, signed=True)} logits"),
            ("whole layer", format_number(whole, signed=True)),
        ],
        tables=[
            Table(
                columns=[Column("part"), Column("share", "signed")],
                rows=rows,
                caption=f"All parts of layer {layer}, largest first",
                marked=[rows.index(own)],
            )
        ],
    )
