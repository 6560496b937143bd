"""Direct logit attribution as bars: the layers from the embedding at the bottom to the output at the top."""

import plotly.graph_objects as go

from .derived import attention_shares
from .numbers import format_number

ROW = 34  # pixels per row
INK = "#808896"  # readable on white and on near-black
ATTENTION, MLP, OTHER, WHOLE = "#7a5ea8", "#2a9d8f", "#a3a9b5", "#5f6b80"


def component_bars(result) -> go.Figure:
    """One row per layer with its attention (heads and bias together) and its MLP; embeddings below, final biases,
    the sum and the model's own number above. Holds no text that came from a prompt or a model."""
    rows = _rows(result)
    figure = go.Figure()
    for name, colour, offset, width in (
        ("attention", ATTENTION, -0.2, 0.36),
        ("MLP", MLP, 0.2, 0.36),
        ("embeddings and final bias", OTHER, 0.0, 0.44),
        ("all parts, and the model", WHOLE, 0.0, 0.44),
    ):
        bars = [(y, value) for y, (_, parts) in enumerate(rows) for kind, value in parts if kind == name]
        places, values = [y + offset for y, _ in bars], [float(value) for _, value in bars]
        figure.add_bar(
            x=values,
            y=places,
            width=width,
            orientation="h",
            name=name,
            marker={"color": colour, "line": {"width": 0}},
            showlegend=name in ("attention", "MLP"),
            text=[_short(value) for value in values],
            textposition="outside",
            textfont_size=11,
            cliponaxis=False,
            hovertext=[f"{rows[y][0]}, {name}: {format_number(value, signed=True)} logits" for y, value in bars],
            hoverinfo="text",
        )
    return _styled(figure, rows)


def _rows(result) -> list[tuple[str, list[tuple[str, float]]]]:
    """(row label, [(kind, value)]) from the bottom up."""
    by_name = dict(zip(result.components, result.values, strict=True))
    other, whole = "embeddings and final bias", "all parts, and the model"
    rows = [("embed", [(other, by_name["embed"])]), ("pos_embed", [(other, by_name["pos_embed"])])]
    attention = attention_shares(result)
    for layer in range(len(result.mlps)):
        rows.append((f"L{layer}", [("attention", attention[layer]), ("MLP", result.mlps[layer])]))
    rows += [(name, [(other, by_name[name])]) for name in ("ln_final bias", "unembed bias") if name in by_name]
    return [*rows, ("sum of parts", [(whole, result.total)]), ("model’s own", [(whole, result.logit)])]


def _short(value: float) -> str:
    """Two decimals with a sign; what would round to zero says that it is small, not that it is nothing."""
    if value == 0 or abs(value) >= 0.005:
        return f"{value:+.2f}".replace("-", "−") if value else "0"
    return "+<0.01" if value > 0 else "−<0.01"


def _styled(figure: go.Figure, rows: list) -> go.Figure:
    values = [value for _, parts in rows for _, value in parts]
    low, high = min(0.0, *values), max(0.0, *values)
    room = 0.24 * (high - low or 1.0)  # for the numbers at the ends of the bars
    figure.update_layout(
        barmode="overlay",
        height=ROW * len(rows) + 80,
        margin={"l": 92, "r": 8, "t": 26, "b": 40},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        font={"family": "system-ui, sans-serif", "size": 12, "color": INK},
        legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom", "font_size": 11},
        dragmode=False,
        modebar_remove=["select2d", "lasso2d"],
    )
    figure.update_xaxes(
        title_text="logits", range=[low - room, high + room], zeroline=True, zerolinecolor=INK, zerolinewidth=1,
        gridcolor="rgba(128,136,150,0.18)", fixedrange=True, nticks=5,
    )  # fmt: skip
    figure.update_yaxes(
        tickvals=list(range(len(rows))), ticktext=[label for label, _ in rows], range=[-0.6, len(rows) - 0.4],
        showgrid=False, zeroline=False, fixedrange=True,
    )  # fmt: skip
    figure.add_hline(y=len(rows) - 2.5, line={"color": INK, "width": 1, "dash": "dot"})
    return figure
