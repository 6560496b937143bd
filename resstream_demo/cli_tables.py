"""Results as text for a terminal: what was run, the picture, its receipts and its limits."""

from collections.abc import Callable, Sequence

import numpy as np

from .cli_text import grid, sentence, shorten, table, wrap
from .core.names import head_label
from .core.tokens import AnswerToken, Prompt
from .figures.caveats import not_shown
from .figures.numbers import format_error, format_number

TOKEN_WIDTH = 12  # a longer token is cut in grids
LABEL = 10  # columns for the words in front of the lines at the top


def report(result, *, note: str, top: int, width: int) -> str:
    """A result as text. note: how the model was chosen. top: rows of rankings. width: columns of the terminal."""
    body = _BODIES[result.info.method](result, top, width)
    kind = result.info.options.get("kind", "")
    parts = [_heading(result, note, width), *body, _receipts(result, width)]
    parts.append(sentence(not_shown(result.info.method, kind), width, first="What this does not show: ", indent="  "))
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def failed_receipts(result) -> list[str]:
    """A line for each receipt that is out of tolerance."""
    return [
        f"{receipt.name} is {format_error(receipt.value)}, more than the {format_error(receipt.tolerance)} allowed: do "
        "not trust this result"
        for receipt in result.receipts
        if not receipt.ok
    ]


def _heading(result, note: str, width: int) -> list[str]:
    info = result.info
    facts = [info.method.replace("_", " "), f"model {info.model}", info.device, info.dtype]
    facts += [f"revision {info.revision}"] if info.revision else []
    facts.append(f"BOS {'on' if info.bos else 'off'}")
    lines = wrap(" · ".join(facts).split(" "), width)
    if note:
        lines += sentence(note, width, first=_label("note"))
    if hasattr(result, "clean"):
        lines += _tokens("clean", result.clean, width) + _tokens("corrupted", result.corrupted, width)
    else:
        lines += _tokens("prompt", result.prompt, width)
    named = [("answer", getattr(result, "answer", None)), ("contrast", getattr(result, "contrast", None))]
    named += [("target", target) for target in getattr(result, "targets", ())]
    for name, token in named:
        if token is not None:
            lines += sentence(answer_text(token), width, first=_label(name))
    return lines


def _label(name: str) -> str:
    return name.ljust(LABEL - 1) + " "


def _tokens(name: str, prompt: Prompt, width: int) -> list[str]:
    pieces = [f"{t}:{token}" for t, token in enumerate(prompt.tokens)]
    return wrap(pieces, width, first=_label(name), indent=_label(""))


def answer_text(token: AnswerToken) -> str:
    """A token, its id, and how it was chosen."""
    return f"{token.display} (id {token.id})" + (f": {token.note}" if token.note else "")


def _receipts(result, width: int) -> list[str]:
    lines = []
    for receipt in result.receipts:
        mark = "✓" if receipt.ok else "✗"
        allowed = f"(allowed: {format_error(receipt.tolerance)})"
        lines += sentence(
            f"{receipt.name} {format_error(receipt.value)} {allowed} {receipt.detail}", width, first=f"{mark} "
        )
    return lines


def _position_heads(prompt: Prompt) -> list[list[str]]:
    return [[str(t) for t in range(len(prompt))], [shorten(token, TOKEN_WIDTH) for token in prompt.tokens]]


def _lens(result, top: int, width: int) -> list[list[str]]:
    R, T = result.entropy.shape
    heads = _position_heads(result.prompt)

    def cell(r: int, t: int) -> str:
        return f"{shorten(result.top_tokens(r, t)[0], TOKEN_WIDTH)} {format_number(result.top_probs[r, t, 0], 3)}"

    caption = "Each cell: the likeliest token after the position above it, and its probability. Depth grows upward."
    parts = [sentence(caption, width), grid(result.row_names, heads, _cells(cell, R, T), width)]
    for n, target in enumerate(result.targets):
        caption = f"Probability of {target.display} after each position, and its rank (0 is first)."
        parts += [sentence(caption, width), grid(result.row_names, heads, _cells(_target_cell(result, n), R, T), width)]
    rows = [
        [str(place), result.top_tokens(-1, -1)[place], str(token_id), format_number(prob)]
        for place, (token_id, prob) in enumerate(zip(result.top_ids[-1, -1], result.top_probs[-1, -1], strict=True))
    ]
    caption = f"Likeliest tokens after the last position, at {result.row_names[-1]}:"
    return [*parts, [caption, *table(["place", "token", "id", "probability"], rows[:top], texts=(1,))]]


def _target_cell(result, n: int) -> Callable[[int, int], str]:
    return lambda r, t: f"{format_number(result.target_probs[r, t, n], 3)} ({int(result.target_ranks[r, t, n]):,})"


def _cells(cell: Callable[[int, int], str], R: int, C: int) -> list[list[str]]:
    return [[cell(r, c) for c in range(C)] for r in range(R)]


def _attribution(result, top: int, width: int) -> list[list[str]]:
    what = f"logit of {result.answer.display}"
    if result.contrast is not None:
        what += f" minus logit of {result.contrast.display}"
    where = f"after position {result.position} ({result.prompt.tokens[result.position]})"
    ranking = result.top(top)
    running = np.cumsum(ranking["value"].to_numpy(), dtype=np.float64)
    rows = [
        [name, _signed(value), _signed(total)]
        for name, value, total in zip(ranking["component"], ranking["value"], running, strict=True)
    ]
    others = len(result.values) - len(ranking)
    if others:
        rows.append([f"the other {others}", _signed(result.total - running[-1]), _signed(result.total)])
    rows.append(["sum of all parts", "", _signed(result.total)])
    rows.append(["the model's own number", "", _signed(result.logit)])
    caption = f"Who wrote the {what}, {where}: the largest shares, in logits, either sign."
    return [sentence(caption, width), table(["component", "share", "running sum"], rows)]


def _patching(result, top: int, width: int) -> list[list[str]]:
    source, base = ("clean", "corrupted") if result.direction == "denoising" else ("corrupted", "clean")
    caption = f"{result.direction.capitalize()}: {result.site} of the {source} run copied into the {base} run"
    caption += {"each": ", one position at a time.", "all": ", all positions at once."}.get(
        result.positions if isinstance(result.positions, str) else "",
        f", positions {_listed(result.positions)} together.",
    )
    runs = f"{result.metric}: {_signed(result.clean_value)} clean, {_signed(result.corrupted_value)} corrupted."
    lines = sentence(f"{caption} {runs}", width)
    if result.has_recovered:
        shown = result.recovered
        lines += sentence("Each cell: share recovered, 1 as in the clean run, 0 as in the corrupted one.", width)
    else:
        shown = result.values
        lines += sentence(f"Both runs give the same {result.metric}, so each cell is its value.", width)
    return [lines, _patching_grid(result, shown, width), _ranking(result.top(top), "The largest changes:")]


def _patching_grid(result, shown: np.ndarray, width: int) -> list[str]:
    layers = [f"L{layer}" for layer in range(len(shown))]
    if "head" in result.frame():
        heads = [[f"H{head}" for head in range(shown.shape[1])]]
        if shown.ndim == 2:
            return grid(layers, heads, [[_short(x) for x in row] for row in shown], width)
        start = result.corrupted_value if result.direction == "denoising" else result.clean_value
        strongest = np.abs(result.values - start).argmax(-1)
        lines = ["For each head its strongest position, after the @:"]
        cells = _cells(lambda r, h: f"{_short(shown[r, h, strongest[r, h]])} @{strongest[r, h]}", *strongest.shape)
        return lines + grid(layers, heads, cells, width)
    if shown.ndim == 1:
        return grid(layers, [["all" if result.positions == "all" else "together"]], [[_short(x)] for x in shown], width)
    heads = _position_heads(result.clean)
    pairs = list(zip(result.clean.tokens, result.corrupted.tokens, strict=True))
    if any(a != b for a, b in pairs):
        heads.append(["" if a == b else "≠" + shorten(b, TOKEN_WIDTH - 1) for a, b in pairs])
    return grid(layers, heads, [[_short(x) for x in row] for row in shown], width)


def _ablation(result, top: int, width: int) -> list[list[str]]:
    each = result.heads == "each"
    heads = "each head alone" if each else ", ".join(head_label(*head) for head in result.heads)
    where = "all positions" if result.positions == "all" else f"positions {_listed(result.positions)}"
    caption = f"Ablation ({result.kind}) of {heads}, at {where}."
    if result.reference:
        caption += f" In its place: {result.reference}."
    caption += f" {result.metric} of the untouched run: {_signed(result.baseline)}."
    if not each:
        rows = [[_signed(float(result.values)), _signed(result.baseline), _signed(float(result.effect))]]
        return [sentence(caption, width), table(["without them", "untouched", "change"], rows, texts=())]
    layers, columns = [f"L{n}" for n in range(len(result.values))], [[f"H{n}" for n in range(result.values.shape[1])]]
    picture = grid(layers, columns, [[_short(x) for x in row] for row in result.effect], width)
    lines = sentence(caption, width) + [f"Each cell: change of {result.metric}."]
    return [lines, picture, _ranking(result.top(top), "The largest changes:")]


def _ranking(frame, caption: str) -> list[str]:
    """A result's ranking with all its columns."""
    frame = frame.drop(columns=[c for c in ("layer", "head") if "heads" in frame])
    if "head" in frame:
        frame.insert(0, "heads", [head_label(a, b) for a, b in zip(frame["layer"], frame["head"], strict=True)])
        frame = frame.drop(columns=["layer", "head"])
    elif "layer" in frame:
        frame["layer"] = [f"L{layer}" for layer in frame["layer"]]
    rows = [[x if isinstance(x, str) else _signed(x) for x in row] for row in frame.itertuples(index=False)]
    words = [n for n, name in enumerate(frame.columns) if name in ("layer", "heads", "clean_token", "corrupted_token")]
    return [caption, *table([name.replace("_", " ") for name in frame.columns], rows, texts=words)]


def _signed(x) -> str:
    return format_number(x, signed=not isinstance(x, (int, np.integer)))


def _short(x: float) -> str:
    return format_number(float(x), 3, signed=True)


def _listed(positions: Sequence[int]) -> str:
    return ", ".join(map(str, positions))


_BODIES = {
    "logit_lens": _lens,
    "direct_logit_attribution": _attribution,
    "activation_patching": _patching,
    "head_ablation": _ablation,
}
