"""How much faster the sweep engine is than a loop of hooked forwards: a ratio, measured in one process.

    python -m resstream_demo bench

Both sides patch resid_pre at every layer and position between two runs that differ from the first word on, with
random weights in GPT-2 small's shape, and read the logit difference. They are timed in turn, so that a machine
whose speed drifts slows both alike, and the numbers they give are compared cell by cell.
"""

import statistics
import time
from dataclasses import dataclass

import torch

from .core.cells import copy_cells
from .core.metrics import answer_measure
from .core.models import Model, Progress, wrap_model
from .core.sweep import sweep

N_TOKENS = 15  # BOS and fourteen more: 12 × 14 cells can change
ANSWER, CONTRAST = 11, 29  # any two columns of W_U


@dataclass(frozen=True)
class BenchRow:
    """Seconds of both sides, median over rounds; ratio: median of the rounds' ratios. difference: the largest
    between the two sides' numbers. cells: how many cells can change."""

    name: str
    cells: int
    ours_s: float
    hooks_s: float
    ratio: float
    difference: float


def random_gpt2(seed: int = 0, **shape) -> Model:
    """A GPT-2 of the given shape (default: small) with random weights, LayerNorm gains and biases included."""
    from transformers import GPT2Config, GPT2LMHeadModel

    torch.manual_seed(seed)
    hf_model = GPT2LMHeadModel(GPT2Config(**shape)).eval()
    with torch.no_grad():
        for parameter in hf_model.parameters():
            if parameter.ndim == 1:
                parameter.add_(0.1 * torch.randn_like(parameter))
    return wrap_model(hf_model, _NumberTokenizer(), name="random weights")


class _NumberTokenizer:
    """Shows ids as they are: these prompts are numbers, not text."""

    bos_token_id = None
    all_special_ids = ()

    def convert_ids_to_tokens(self, token_id: int) -> str:
        return str(token_id)

    def decode(self, ids) -> str:
        return " ".join(map(str, ids))


def bench_residual_sweep(model: Model, rounds: int = 5, progress: Progress | None = None) -> BenchRow:
    """Time the resid_pre sweep against a loop of plain transformers forwards with one hook each."""
    generator = torch.Generator().manual_seed(1)
    clean, corrupted = torch.randint(100, 20_000, (2, N_TOKENS), generator=generator).tolist()
    corrupted[0] = clean[0]
    source, base = model.trace(clean), model.trace(corrupted)
    measure = answer_measure(model.adapter, "logit_diff", ANSWER, CONTRAST)
    positions = range(1, N_TOKENS)

    def ours() -> torch.Tensor:
        return sweep(model, base, copy_cells(base, source, "resid_pre", [(p,) for p in positions]), measure)

    def hooks() -> torch.Tensor:
        ids = torch.tensor([corrupted], device=model.device)
        return torch.stack(
            [
                _hooked(model, ids, layer, p, source.resid_pre[layer, p])
                for layer in range(model.n_layers)
                for p in positions
            ]
        )

    times: list[tuple[float, float]] = []
    ours(), _hooked(model, torch.tensor([corrupted], device=model.device), 0, 1, source.resid_pre[0, 1])  # warm up
    for done in range(rounds):
        if progress:
            progress(f"Round {done + 1} of {rounds}", None)
        (mine, t_ours), (theirs, t_hooks) = _timed(ours), _timed(hooks)
        times.append((t_ours, t_hooks))
    return BenchRow(
        name="resid_pre sweep, prompts differ from the first word",
        cells=len(mine),
        ours_s=statistics.median(t for t, _ in times),
        hooks_s=statistics.median(t for _, t in times),
        ratio=statistics.median(t_hooks / t_ours for t_ours, t_hooks in times),
        difference=float((mine - theirs).abs().max()),
    )


@torch.no_grad()
def _hooked(model: Model, ids: torch.Tensor, layer: int, position: int, value: torch.Tensor) -> torch.Tensor:
    """One forward of the transformers model with the stream replaced before a layer; the logit difference."""

    def replace(module, args):
        stream = args[0].clone()
        stream[:, position] = value
        return (stream, *args[1:])

    hf_model = model.adapter.hf_model
    handle = model.adapter.block(layer).register_forward_pre_hook(replace)
    try:
        logits = hf_model(ids, use_cache=False).logits[0, -1]
    finally:
        handle.remove()
    return logits[ANSWER] - logits[CONTRAST]


def _timed(run) -> tuple[torch.Tensor, float]:
    start = time.perf_counter()
    result = run()
    return result, time.perf_counter() - start


def report(row: BenchRow) -> str:
    """A row in words."""
    return (
        f"{row.name}: {row.cells} cells\n"
        f"  this engine               {row.ours_s:8.3f} s\n"
        f"  loop of hooked forwards   {row.hooks_s:8.3f} s\n"
        f"  ratio                     {row.ratio:8.1f} ×\n"
        f"  largest difference        {row.difference:8.1e}"
    )
