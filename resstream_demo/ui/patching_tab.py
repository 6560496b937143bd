"""The patching tab: copy one activation from one run into the other and see how much of the answer follows."""

import gradio as gr
import numpy as np

from ..core.names import head_label
from ..core.tokens import align
from ..core.trace import HEAD_SITES
from ..methods.inspect import Predictions, patched_predictions
from . import session
from .line import Line
from .selection import Selection
from .session import PatchingOptions, Ready
from .tab import Cell, Outcome, Tab, Updates
from .widgets import Column, DetailData, GridData, Scale, Table, format_number

SITES = [
    ("resid_pre: before a layer", "resid_pre"),
    ("resid_mid: inside a layer", "resid_mid"),
    ("resid_post: after a layer", "resid_post"),
    ("attn_out: what attention adds", "attn_out"),
    ("mlp_out: what the MLP adds", "mlp_out"),
    ("z: a head’s output", "z"),
    ("q: a head’s queries", "q"),
    ("k: a head’s keys", "k"),
    ("v: a head’s values", "v"),
    ("pattern: a head’s attention", "pattern"),
]
DIRECTIONS = [("clean into corrupted", "denoising"), ("corrupted into clean", "noising")]
METRICS = [
    ("logit difference", "logit_diff"),
    ("probability of the answer", "prob"),
    ("log-probability of the answer", "logprob"),
    ("rank of the answer", "rank"),
    ("KL from the clean run", "kl"),
]
SHOWN = [("share recovered", "recovered"), ("the number itself", "value")]
FORMULA = (
    "recovered = (patched − corrupted) / (clean − corrupted): 0 is the corrupted run, 1 the clean run, never clipped"
)


class PatchingTab(Tab):
    key = "patching"
    method = "activation_patching"
    title = "Patching"
    says = (
        "Run one prompt, but copy one activation over from the other. Where that alone brings the answer back, the "
        "information that tells the two prompts apart is there."
    )
    compute = staticmethod(session.run_patching)
    cell_hint = "Select a cell to see what the model says after that patch."

    def build_options(self) -> None:
        self.site = gr.Dropdown(SITES, value="resid_pre", label="Copy", elem_id="patching-site", min_width=220)
        self.direction = gr.Radio(
            DIRECTIONS, value="denoising", label="Direction", elem_id="patching-direction", min_width=260
        )
        self.metric = gr.Dropdown(
            METRICS, value="logit_diff", label="Read off", elem_id="patching-metric", min_width=180
        )
        self.show = gr.Radio(SHOWN, value="recovered", label="Show", elem_id="patching-show", min_width=230)
        self.view_options, self.run_options = (self.show,), (self.site, self.direction, self.metric)

    def build_picture(self) -> None:
        self.baselines = Line(elem_classes="numbers")
        self.grid = self.make_grid("Patching")
        self.formula = Line()

    def options(self, data: Updates) -> PatchingOptions:
        return PatchingOptions(site=data[self.site], direction=data[self.direction], metric=data[self.metric])

    def picture(self, outcome: Outcome, data: Updates, cell: Cell) -> Updates:
        result = outcome.result
        shares = data[self.show] == "recovered" and result.has_recovered
        return {
            self.grid: self.grid.show(draw(result, shares), selected=cell, stale=self.is_stale(data)),
            self.baselines: _baselines(result),
            self.formula: FORMULA if shares else _no_share(result),
        }

    def cell(self, result, selection: Selection) -> Cell:
        layers, columns = result.values.shape
        if result.site in HEAD_SITES:
            if selection.head is not None and selection.head[0] < layers and selection.head[1] < columns:
                return selection.head
        elif selection.layer is not None and selection.position is not None and selection.layer < layers:
            return max(0, selection.layer), min(selection.position, columns - 1)
        effect = np.abs(result.values - base_value(result))
        if result.site not in HEAD_SITES and selection.position is not None:
            position = min(selection.position, columns - 1)
            return int(effect[:, position].argmax()), position
        return tuple(int(i) for i in np.unravel_index(effect.argmax(), effect.shape))

    def selected(self, result, cell: Cell, selection: Selection) -> Selection:
        return selection.on_head(*cell) if result.site in HEAD_SITES else selection.at(*cell)

    def describe(self, outcome: Outcome, cell: Cell, data: Updates) -> DetailData:
        return detail(outcome.result, *cell)

    def more(self, ready: Ready, outcome: Outcome, cell: Cell, data: Updates) -> DetailData:
        result = outcome.result
        by_head = result.site in HEAD_SITES
        after = patched_predictions(
            ready.model,
            result.clean,
            result.corrupted,
            site=result.site,
            layer=cell[0],
            head=cell[1] if by_head else None,
            positions="all" if by_head else [cell[1]],
            direction=result.direction,
        )
        return detail(result, *cell, after)


# --- the picture ---------------------------------------------------------------------------------------------


def base_value(result) -> float:
    """The metric of the run that is patched."""
    return result.corrupted_value if result.direction == "denoising" else result.clean_value


def metric_words(result) -> str:
    """The metric, with its tokens."""
    answer = result.answer.display if result.answer else ""
    if result.metric == "logit_diff":
        contrast = f" − logit of {result.contrast.display}" if result.contrast else ""
        return f"logit of {answer}{contrast}"
    if result.metric == "kl":
        return "KL (nats)"
    return {"prob": "probability", "logprob": "log-probability", "rank": "rank"}[result.metric] + f" of {answer}"


def value_scale(metric: str, label: str, values) -> Scale:
    """How raw numbers of a metric are coloured."""
    if metric == "logit_diff":
        return Scale("diverging", label)
    if metric == "logprob":
        return Scale("sequential", label, low=float(np.min(values)), high=float(np.max(values)))
    return Scale("sequential", label, low=0, high=1 if metric == "prob" else None)


def draw(result, shares: bool) -> GridData:
    """Layers × tokens or layers × heads; shares of the difference, or the metric itself."""
    layers, columns = result.values.shape
    words = metric_words(result)
    scale = Scale("diverging", "share recovered") if shares else value_scale(result.metric, words, result.values)
    common = {
        "rows": [f"L{layer}" for layer in range(layers)],
        "values": result.recovered if shares else result.values,
        "scale": scale,
        "row_title": f"layer whose {result.site} is copied",
    }
    if result.site in HEAD_SITES:
        return GridData(
            columns=[f"H{head}" for head in range(columns)], column_title="head, all positions at once", **common
        )
    source = result.clean if result.direction == "denoising" else result.corrupted
    differs = {i for i, _ in align(result.clean, result.corrupted).differing}
    return GridData(
        columns=source.tokens,
        column_numbers=range(columns),
        column_marks=["≠" if t in differs else "" for t in range(columns)],
        column_title="position that is copied; ≠ where the prompts differ",
        cone=True,
        **common,
    )


def _baselines(result) -> str:
    clean, corrupted = (format_number(v, signed=result.metric == "logit_diff") for v in
                        (result.clean_value, result.corrupted_value))  # fmt: skip
    return f"{metric_words(result)}: clean run {clean}, corrupted run {corrupted}"


def _no_share(result) -> str:
    if result.has_recovered:
        return ""
    return (
        "Both runs give the same number, so no share of their difference exists; the numbers themselves are shown. "
        "Choose prompts, or a metric, in which the two runs differ."
    )


# --- the selected cell ---------------------------------------------------------------------------------------


def detail(result, layer: int, column: int, after: Predictions | None = None) -> DetailData:
    """A patch in words and numbers, with what the model says after it if that was computed."""
    by_head = result.site in HEAD_SITES
    value = float(result.values[layer, column])
    facts = [] if by_head else _token_facts(result, column)
    facts += [
        (metric_words(result), format_number(value, signed=result.metric == "logit_diff")),
        ("without the patch", format_number(base_value(result), signed=result.metric == "logit_diff")),
    ]
    if result.has_recovered:
        facts.append(("share recovered", format_number(float(result.recovered[layer, column]), signed=True)))
    place = head_label(layer, column) if by_head else f"L{layer} · position {column} {result.clean.tokens[column]}"
    return DetailData(
        title=f"{result.site} of {place}" if by_head else f"{result.site} · {place}",
        subtitle=_deed(result, by_head),
        facts=facts,
        tables=[] if after is None else [_after_table(result, after)],
    )


def _deed(result, by_head: bool) -> str:
    source, target = ("clean", "corrupted") if result.direction == "denoising" else ("corrupted", "clean")
    where = "all positions" if by_head else "this position"
    return f"copied from the {source} run into the {target} run, at {where}"


def _token_facts(result, position: int) -> list[tuple[str, str]]:
    clean, corrupted = result.clean.tokens[position], result.corrupted.tokens[position]
    if result.clean.ids[position] == result.corrupted.ids[position]:
        return [("token in both prompts", clean)]
    return [("clean token", clean), ("corrupted token", corrupted)]


def _after_table(result, after: Predictions) -> Table:
    wanted = {token.id for token in (result.answer, result.contrast) if token is not None}
    return Table(
        columns=[Column("token", "token"), Column("id"), Column("probability", "bar", maximum=1.0)],
        rows=[(t, str(int(i)), float(p)) for t, i, p in zip(after.tokens, after.ids, after.probs, strict=True)],
        caption="What the model says after this patch",
        marked=[n for n, i in enumerate(after.ids) if int(i) in wanted],
    )
