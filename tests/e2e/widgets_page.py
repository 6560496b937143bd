"""A page with one of each picture, drawn from made-up numbers, that prints what its clicks tell Python."""

import json
from collections.abc import Callable

import gradio as gr
import numpy as np

from resstream_demo.figures.numbers import format_number
from resstream_demo.ui.widgets import (
    Curve,
    Curves,
    CurvesData,
    Grid,
    GridData,
    GridTrails,
    Point,
    Scale,
    Scatter,
    ScatterData,
    Waterfall,
    WaterfallData,
    WaterfallItem,
)

LAYERS, HEADS = 12, 12
PROMPT = "⟨bos⟩ When ␣Mary ␣and ␣John ␣went ␣to ␣the ␣store , ␣John ␣gave ␣a ␣drink ␣to".split()
GUESSES = ["␣the", "␣Mary", "␣John", "␣them", "␣her"]
HOSTILE = (
    "<b>", "&lt;", "%{x}", "${alert(1)}", "{{x}}", "<!--", "</script>", "`", "|", "العربية", "⟨F0⟩⟨9F⟩", "\ud83d",
    "<img src=x onerror=alert(1)>", "{name}", "$&",
)  # fmt: skip
LABELS = ["embed", *(f"L{layer}" for layer in range(LAYERS))]


def lens(columns=PROMPT, guesses=GUESSES, layers: int = LAYERS, seed: int = 0) -> GridData:
    """Probabilities that grow with depth, with the paths of a few tokens."""
    rows, places = layers + 1, len(columns)
    random = np.random.default_rng(seed)
    depth = np.linspace(0, 1, rows)[:, None]
    logits = random.normal(0, 1.4, (places, rows, len(guesses))).cumsum(1) * 0.7 + random.normal(0, 1, (places, 1, 1))
    probs = np.exp(logits) / (np.exp(logits).sum(-1, keepdims=True) + 9 * (1 - depth) ** 2)
    keys = probs.argmax(-1).T
    return GridData(
        rows=["embed", *(f"L{layer}" for layer in range(layers))],
        columns=columns,
        column_numbers=range(places),
        values=probs.max(-1).T,
        scale=Scale("sequential", "probability of the top token", low=0, high=1),
        text=[[guesses[k] for k in row] for row in keys],
        hover=[[_top(probs[c, r], guesses) for c in range(places)] for r in range(rows)],
        trails=GridTrails([list(zip(guesses, probs[c].T, strict=True)) for c in range(places)], keys),
        row_title="layer, read after it; the top row is the output",
        column_title="position; a cell predicts the token after it",
    )


def _top(probs, guesses) -> list[tuple[str, str]]:
    return [(guesses[k], format_number(float(probs[k]))) for k in np.argsort(-probs)[:5]]


def head_effects() -> np.ndarray:
    """Small effects of all heads, large ones of a few."""
    values = np.random.default_rng(1).normal(0, 0.06, (LAYERS, HEADS))
    values[9, 6], values[9, 9], values[10, 0], values[10, 7], values[11, 10] = 1.9, 1.1, 0.6, -1.3, -0.8
    return values


def heads(labels=None) -> GridData:
    """One effect per head, of which several can be chosen."""
    return GridData(
        rows=[f"L{layer}" for layer in range(LAYERS)],
        columns=labels or [f"H{head}" for head in range(HEADS)],
        values=head_effects(),
        scale=Scale("diverging", "change of the logit difference"),
        row_title="layer",
        column_title="head",
        title="Effect of removing one head",
        multi=True,
    )


def curves(names=("␣Mary", "␣John", "␣the", "any ␣name"), ranks: bool = False) -> CurvesData:
    """A token that rises late, one that rises and falls, one that fades, and a sum; missing at the embedding."""
    x = np.linspace(0, 1, LAYERS + 1)
    shapes = [x**4 * 0.93, np.exp(-(((x - 0.75) / 0.14) ** 2)) * 0.4, 0.55 * (1 - x) ** 1.5, x**3 * 0.96]
    lines = [shapes[n % 4] * 0.93 ** (n // 4) for n in range(len(names))]
    if ranks:
        lines = [np.round(1 / (line + 2e-5)) for line in lines]
    series = [
        Curve(name, [None, *line[1:]] if n == 2 else list(line), group=n == 3)
        for n, (name, line) in enumerate(zip(names, lines, strict=True))
    ]
    if ranks:
        return CurvesData(LABELS, series, "place among all tokens", "layer", "Pinned tokens: place", scale="rank")
    return CurvesData(LABELS, series, "probability", "layer", "Pinned tokens", high=1)


def waterfall(layers: int = LAYERS, names: tuple[str, ...] = ()) -> WaterfallData:
    """Embeddings, then the attention and the MLP of each layer, then the final bias."""
    random = np.random.default_rng(3)
    items = [WaterfallItem("embed", 0.31, "embedding"), WaterfallItem("pos_embed", -0.002, "embedding")]
    for layer in range(layers):
        size = 0.15 + 1.4 * (layer / layers) ** 3
        for part, kind in (("attention", "attention"), ("MLP", "mlp")):
            name = names[layer % len(names)] if names else f"L{layer} {part}"
            items.append(WaterfallItem(name, random.normal(0.1, size), kind, f"L{layer}"))
    items.append(WaterfallItem("ln_final bias", 0.04, "bias", "final"))
    total = sum(item.value for item in items)
    return WaterfallData(
        items, [("sum of parts", total), ("model’s own", total + 1e-6)], "logits", "From embedding to logit"
    )


def scatter(layers: int = LAYERS, names: tuple[str, ...] = ()) -> ScatterData:
    """Total against direct effect; heads whose two numbers differ most have their name beside them."""
    random = np.random.default_rng(4)
    direct = random.normal(0, 0.08, (layers, HEADS))
    direct[layers - 3, 6], direct[layers - 3, 9], direct[layers - 2, 7] = 1.9, 1.2, -1.4
    total = 0.9 * direct + random.normal(0, 0.05, (layers, HEADS))
    total[layers - 3, 6], total[layers - 2, 7], total[7 % layers, 3], total[5 % layers, 5] = 0.9, -0.4, 0.8, 0.75
    gap = np.abs(total - direct)
    label = set(np.argsort(-gap, axis=None)[:8].tolist())
    points = [
        Point(names[i % len(names)] if names else f"L{i // HEADS}H{i % HEADS}", x, y, i in label)
        for i, (x, y) in enumerate(zip(direct.flat, total.flat, strict=True))
    ]
    return ScatterData(
        points, "direct effect (logits)", "effect of removing it (logits)", "Direct effect against removal",
        diagonal="equal", above="more than it writes itself", below="others step in",
    )  # fmt: skip


def build() -> gr.Blocks:
    """The page. What a widget sends is printed in the box under its name, with the number of events before it."""

    def logged(widget, elem_id: str, effect: Callable | None = None) -> None:
        log = gr.Textbox(elem_id=f"{elem_id}-log", label=f"{elem_id} tells", value="")

        def on_select(told: str, event: gr.SelectData):
            number = json.loads(told)["n"] + 1 if told else 1
            return json.dumps({"n": number, "index": event.index, "value": event.value})

        widget.select(on_select, log, log, show_progress="hidden")

    with gr.Blocks(title="Widgets") as page:
        with gr.Row():
            redraw = gr.Button("Redraw", elem_id="redraw")
            mark = gr.Button("Mark", elem_id="mark")
            stale = gr.Button("Stale", elem_id="stale")
            spite = gr.Button("Hostile", elem_id="hostile")
            big = gr.Button("Big", elem_id="big")
            ranks = gr.Button("Ranks", elem_id="ranks")
        drawn = [
            Grid(lens(), label="Lens", elem_id="lens"),
            Grid(heads(), label="Heads", elem_id="heads"),
            Curves(curves(), label="Curves", elem_id="curves"),
            Waterfall(waterfall(), label="Waterfall", elem_id="waterfall"),
            Scatter(scatter(), label="Scatter", elem_id="scatter"),
        ]
        lens_grid, head_grid, chart, fall, dots = drawn
        for widget in drawn:
            logged(widget, widget.elem_id)
        redraw.click(
            lambda: [lens(seed=5), heads(), curves(), waterfall(), scatter()], outputs=drawn, show_progress="hidden"
        )
        mark.click(
            lambda: [
                lens_grid.mark(selected=(10, 14)),
                head_grid.mark(selected=(9, 6), chosen=[(9, 6), (np.int64(9), 9), (10, 7)]),
                chart.mark(selected=9),
                fall.mark(selected=20),
                dots.mark(selected=9 * HEADS + 6, chosen=[9 * HEADS + 6, 9 * HEADS + 9, 10 * HEADS + 7]),
            ],
            outputs=drawn,
            show_progress="hidden",
        )
        stale.click(lambda: [widget.mark(stale=True) for widget in drawn], outputs=drawn, show_progress="hidden")
        spite.click(
            lambda: [
                lens(HOSTILE, HOSTILE[:5]), heads((HOSTILE * 2)[:HEADS]), curves(HOSTILE),
                waterfall(names=HOSTILE), scatter(names=HOSTILE),
            ],
            outputs=drawn, show_progress="hidden",
        )  # fmt: skip
        big.click(
            lambda: [lens((PROMPT * 9)[:128], layers=48), heads(), curves(), waterfall(48), scatter(48)],
            outputs=drawn,
            show_progress="hidden",
        )
        ranks.click(lambda: curves(ranks=True), outputs=chart)
    return page
