"""How the bundled model's weights move: Muon for the layers' matrices, AdamW for the rest, and the rates."""

import math
from collections.abc import Sequence

import torch
from transformers import GPT2LMHeadModel

#: Peak learning rates: of the layers' matrices (Muon), and of everything else (AdamW).
MATRIX_RATE = 0.02
OTHER_RATE = 3e-3
FINAL_SHARE = 0.01  # of the peak rates, at the last step
WARMUP_STEPS = 50
WEIGHT_DECAY = 0.05  # of matrices


def new_optimizers(model: GPT2LMHeadModel) -> tuple[torch.optim.Optimizer, ...]:
    """Muon for the layers' matrices, AdamW for embeddings, gains and biases.

    Attention to a particular earlier token starts as a faint direction of the gradient. Muon gives every
    direction of a matrix the same weight, and heads form in a few hundred steps instead of thousands.
    """
    if not hasattr(torch.optim, "Muon"):
        raise SystemExit(f"Training needs torch 2.9 or newer; this is {torch.__version__}.")
    matrices = [p for p in model.transformer.h.parameters() if p.ndim == 2]
    chosen = {id(p) for p in matrices}
    others = [p for p in model.parameters() if id(p) not in chosen]
    optimizers = (
        torch.optim.Muon(matrices, lr=MATRIX_RATE, momentum=0.95, weight_decay=WEIGHT_DECAY),
        torch.optim.AdamW(others, lr=OTHER_RATE, betas=(0.9, 0.98), weight_decay=0.0),
    )
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            group["peak_rate"] = group["lr"]
    return optimizers


def rate_share(step: int, steps: int) -> float:
    """Share of the peak learning rates at `step` (from 0): linear warm-up, then half a cosine."""
    warmup = min(WARMUP_STEPS, steps // 4)
    if step < warmup:
        return (step + 1) / warmup
    progress = (step - warmup) / max(1, steps - warmup)
    return FINAL_SHARE + (1 - FINAL_SHARE) * 0.5 * (1 + math.cos(math.pi * progress))


def set_rates(optimizers: Sequence[torch.optim.Optimizer], step: int, steps: int) -> None:
    """Give every group its rate for `step` (from 0) of `steps`."""
    for optimizer in optimizers:
        for group in optimizer.param_groups:
            group["lr"] = group["peak_rate"] * rate_share(step, steps)
