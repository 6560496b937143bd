"""The logit lens tab: what the stream would predict at every layer and position."""

import gradio as gr
import numpy as np

from ..figures.derived import log_rank
from . import session
from .selection import Selection
from .session import LensOptions
from .tab import Cell, Outcome, Tab, Updates
from .widgets import Column, DetailData, GridData, Scale, Table, format_number

SITES = [
    ("after each layer (resid_post)", "resid_post"),
    ("before each layer (resid_pre)", "resid_pre"),
    ("between attention and MLP (resid_mid)", "resid_mid"),
    ("only what attention adds (attn_out)", "attn_out"),
    ("only what the MLP adds (mlp_out)", "mlp_out"),
]
SITE_WORDS = {
    "embed": "the token and position embeddings, before any layer",
    "resid_pre": "the stream as layer {layer} finds it",
    "resid_mid": "the stream inside layer {layer}, after its attention and before its MLP",
    "resid_post": "the stream after layer {layer}",
    "attn_out": "what the attention of layer {layer} adds, on its own",
    "mlp_out": "what the MLP of layer {layer} adds, on its own",
}
ROW_TITLES = {
    "resid_pre": "layer, read before it",
    "resid_mid": "layer, read between its attention and its MLP",
    "resid_post": "layer, read after it; the top row is the output",
    "attn_out": "layer, only what its attention adds",
    "mlp_out": "layer, only what its MLP adds",
}
SAYS = (
    "What would the model predict if it stopped here? Each cell decodes the stream at one layer and one token; {top}."
)
SAYS_OF_PARTS = (
    "What does one part say by itself? Each cell decodes only what it adds, at one layer and one token; {top}."
)
TOP_ROWS = {
    "resid_pre": "the top row is what the last layer finds, not yet the model’s output",
    "resid_mid": "the top row lacks only the last layer’s MLP, so it is not yet the model’s output",
    "resid_post": "the top row is the model’s real output",
    "attn_out": "the top row is what the last layer’s attention adds, not the model’s output",
    "mlp_out": "the top row is what the last layer’s MLP adds, not the model’s output",
}
COLOURS = [
    ("probability of the top token", "top"),
    ("probability of the answer", "answer"),
    ("rank of the answer", "rank"),
    ("entropy", "entropy"),
    ("distance from the output (KL)", "kl"),
]
NORMS = [("each vector’s own", "fresh"), ("the last layer’s", "final")]


class LensTab(Tab):
    key = "lens"
    method = "logit_lens"
    title = "Logit lens"
    says = SAYS.format(top=TOP_ROWS["resid_post"])
    compute = staticmethod(session.run_lens)
    cell_hint = "Select a cell to see what it predicts."

    def build_options(self) -> None:
        self.colour = gr.Dropdown(COLOURS, value="top", label="Colour shows", elem_id="lens-colour", min_width=200)
        self.site = gr.Dropdown(SITES, value="resid_post", label="Stream at", elem_id="lens-site", min_width=240)
        self.norm = gr.Radio(NORMS, value="fresh", label="Scale of the final norm", elem_id="lens-norm", min_width=240)
        self.view_options, self.run_options = (self.colour,), (self.site, self.norm)

    def build_picture(self) -> None:
        self.grid = self.make_grid("Logit lens")

    def options(self, data: Updates) -> LensOptions:
        return LensOptions(site=data[self.site], norm=data[self.norm])

    def picture(self, outcome: Outcome, data: Updates, cell: Cell) -> Updates:
        grid = draw(outcome.result, data[self.colour])
        return {
            self.saying: says(outcome.result.sites[0]),
            self.grid: self.grid.show(grid, selected=cell, stale=self.is_stale(data)),
        }

    def cell(self, result, selection: Selection) -> Cell:
        rows, positions = result.entropy.shape
        row = rows - 1
        if selection.layer is not None and selection.layer in result.row_layers:
            row = result.row_layers.index(selection.layer)
        position = positions - 1 if selection.position is None else min(selection.position, positions - 1)
        return row, position

    def selected(self, result, cell: Cell, selection: Selection) -> Selection:
        return selection.at(result.row_layers[cell[0]], cell[1])

    def describe(self, outcome: Outcome, cell: Cell, data: Updates) -> DetailData:
        return detail(outcome.result, *cell)


# --- the picture ---------------------------------------------------------------------------------------------


def says(site: str) -> str:
    """What the picture of a site shows, and what its top row is."""
    return (SAYS_OF_PARTS if site in ("attn_out", "mlp_out") else SAYS).format(top=TOP_ROWS[site])


def draw(result, colour: str) -> GridData:
    """The lens as a grid whose cells name their top token."""
    values, scale = _values(result, colour)
    rows, positions = result.entropy.shape
    return GridData(
        rows=[row_label(result, r) for r in range(rows)],
        columns=result.prompt.tokens,
        column_numbers=range(positions),
        values=values,
        scale=scale,
        row_title=ROW_TITLES[result.sites[0]],
        column_title="position; a cell predicts the token after it",
        text=[[result.top_tokens(r, t)[0] for t in range(positions)] for r in range(rows)],
        hover=[[_hover(result, r, t) for t in range(positions)] for r in range(rows)],
        reasons="No answer is given. Type one above and press Run.",
    )


def row_label(result, row: int) -> str:
    """A row's layer; the site is the same in all rows of the picture, and named beside it."""
    return "embed" if result.row_layers[row] < 0 else f"L{result.row_layers[row]}"


def _values(result, colour: str) -> tuple[np.ndarray | list, Scale]:
    if colour in ("answer", "rank") and not result.targets:
        empty = [[None] * result.entropy.shape[1]] * result.entropy.shape[0]
        return empty, Scale("sequential", "probability of the answer", low=0, high=1)
    if colour == "answer":
        name = result.targets[0].display
        return result.target_probs[:, :, 0], Scale("sequential", f"probability of {name}", low=0, high=1)
    if colour == "rank":
        label = f"log₁₀(1 + rank) of {result.targets[0].display}; 0 is first"
        return log_rank(result.target_ranks[:, :, 0]), Scale("sequential", label, low=0, digits=2)
    if colour == "entropy":
        return result.entropy, Scale("sequential", "entropy (nats)", low=0)
    if colour == "kl":
        return result.kl_to_final, Scale("sequential", "KL from the output (nats)", low=0)
    return result.top_probs[:, :, 0], Scale("sequential", "probability of the top token", low=0, high=1)


def _hover(result, row: int, position: int) -> list:
    """The likeliest tokens, fewer where the picture is large, for each line travels to the browser."""
    cells = result.entropy.size
    lines = 5 if cells <= 1500 else 3 if cells <= 5000 else 1
    probs = result.top_probs[row, position]
    names = result.top_tokens(row, position)[:lines]
    return [(name, format_number(p)) for name, p in zip(names, probs, strict=False)]


# --- the selected cell ---------------------------------------------------------------------------------------


def detail(result, row: int, position: int) -> DetailData:
    """A cell in words and numbers: its likeliest tokens, and the answer's way through the layers."""
    prompt, token = result.prompt, result.prompt.tokens[position]
    words = SITE_WORDS[result.row_sites[row]].format(layer=result.row_layers[row])
    facts = [("what", words), *_target_facts(result, row, position)]
    following = prompt.ids[position + 1] if position + 1 < len(prompt) else None
    if following is not None:
        facts.append(("the prompt goes on with", prompt.tokens[position + 1]))
    facts += [
        ("entropy", f"{format_number(result.entropy[row, position])} nats"),
        ("KL from the output", f"{format_number(result.kl_to_final[row, position])} nats"),
    ]
    tables = [_top_table(result, row, position, following)]
    if result.targets:
        tables.append(_journey_table(result, row, position))
    return DetailData(
        title=f"{result.row_names[row]} · position {position} {token}",
        subtitle=f"predicts the token after position {position} ({token})",
        facts=facts,
        tables=tables,
    )


def _target_facts(result, row: int, position: int) -> list[tuple[str, str]]:
    facts = []
    for n, target in enumerate(result.targets):
        name = ("answer", "contrast")[n]
        chance = format_number(result.target_probs[row, position, n])
        rank = int(result.target_ranks[row, position, n])
        facts.append((f"{name} {target.display}", f"{chance}, {place(rank)}"))
    return facts


def place(rank: int) -> str:
    """A rank counted from 0, in words that count from 1."""
    return "the first" if rank == 0 else f"{rank:,} {'is' if rank == 1 else 'are'} likelier"


def _top_table(result, row: int, position: int, following: int | None) -> Table:
    ids = [int(i) for i in result.top_ids[row, position]]
    names, probs = result.top_tokens(row, position), result.top_probs[row, position]
    wanted = {target.id for target in result.targets} | ({following} - {None})
    return Table(
        columns=[Column("token", "token"), Column("id"), Column("probability", "bar", maximum=1.0)],
        rows=[(name, str(i), float(p)) for name, i, p in zip(names, ids, probs, strict=True)],
        caption=f"The {len(ids)} likeliest tokens here",
        marked=[n for n, i in enumerate(ids) if i in wanted],
    )


def _journey_table(result, row: int, position: int) -> Table:
    """Every row's top token and the answer's probability at this position, output first as in the picture."""
    answer = result.targets[0]
    order = range(len(result.row_names) - 1, -1, -1)
    return Table(
        columns=[Column("layer"), Column("top token", "token"), Column(f"{answer.display}", "bar", maximum=1.0)],
        rows=[
            (row_label(result, r), result.top_tokens(r, position)[0], float(result.target_probs[r, position, 0]))
            for r in order
        ],
        caption=f"Through the layers at position {position}: probability of {answer.display}",
        marked=[n for n, r in enumerate(order) if r == row],
    )
