"""Train the bundled model: `python -m resstream_demo.tiny.train [--steps N] [--out DIR] [--seed S]`.

Writes a folder that transformers loads offline: config.json, model.safetensors (float16), tokenizer.json,
tokenizer_config.json, generation_config.json. The model is a GPT-2 of 6 layers and 8 heads, d_model 192,
256 positions, tied embeddings; the text is `resstream_demo.tiny.corpus`. Matrix products run in bfloat16,
the weights stay float32. With the defaults this takes a quarter to half an hour on two CPU cores that have
bfloat16 instructions, longer elsewhere. A checkpoint is written every few hundred steps, each file whole or
not at all.
`python -m resstream_demo.tiny.evaluate --card` measures the result and writes its model card.
"""

import argparse
import math
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import torch
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerBase

from resstream_demo.tiny import ASSETS
from resstream_demo.tiny.batches import IGNORED, training_batches
from resstream_demo.tiny.tokenizer import CONTEXT_LENGTH, build_tokenizer

DEFAULT_STEPS = 2_000
#: Peak learning rates: of the layers' matrices (Muon), and of everything else (AdamW).
MATRIX_RATE = 0.02
OTHER_RATE = 3e-3
FINAL_SHARE = 0.01  # of the peak rates, at the last step
WARMUP_STEPS = 50
WEIGHT_DECAY = 0.01
GRADIENT_NORM = 1.0
INITIAL_SPREAD = 0.04  # standard deviation of the first weights; GPT-2's 0.02 is small for this width
LONGEST_WAVE = 1_000  # tokens (over 2 pi), of the sinusoids that the position embeddings start as
REPORT_EVERY = 50
SAVE_EVERY = 300
THREADS = 2


def new_model(tokenizer: PreTrainedTokenizerBase) -> GPT2LMHeadModel:
    """A freshly initialised GPT-2 of the bundled size (no dropout: the text never ends).

    The position embeddings start as sinusoids, in which "one token back" is the same rotation everywhere;
    they are trained from there like any other weight.
    """
    model = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(tokenizer),
            n_positions=CONTEXT_LENGTH,
            n_embd=192,
            n_layer=6,
            n_head=8,
            activation_function="gelu_new",
            resid_pdrop=0.0,
            embd_pdrop=0.0,
            attn_pdrop=0.0,
            initializer_range=INITIAL_SPREAD,
            bos_token_id=tokenizer.bos_token_id,
            eos_token_id=tokenizer.eos_token_id,
            tie_word_embeddings=True,
            attn_implementation="eager",  # faster than the fused kernel on CPU at this size
        )
    )
    position = torch.arange(CONTEXT_LENGTH)[:, None]
    half = model.config.n_embd // 2
    frequency = torch.exp(-math.log(LONGEST_WAVE) * torch.arange(half) / half)
    waves = torch.cat([torch.sin(position * frequency), torch.cos(position * frequency)], dim=1)
    with torch.no_grad():
        model.transformer.wpe.weight.copy_(waves * INITIAL_SPREAD * math.sqrt(2))
    return model


def next_token_losses(model: GPT2LMHeadModel, ids: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Cross-entropy (nats) of every next token, 0 where its label does not count: [rows, tokens - 1]."""
    targets = labels[:, 1:]
    counted = targets != IGNORED
    with torch.autocast("cpu", torch.bfloat16):
        hidden = model.transformer(ids).last_hidden_state[:, :-1]
        logits = model.lm_head(hidden[counted])
    losses = torch.zeros(targets.shape)
    losses[counted] = torch.nn.functional.cross_entropy(logits.float(), targets[counted], reduction="none")
    return losses


def rate_share(step: int, steps: int) -> float:
    """Share of the peak learning rates at `step` (from 0): linear warm-up, then half a cosine."""
    warmup = min(WARMUP_STEPS, steps // 4)
    if step < warmup:
        return (step + 1) / warmup
    progress = (step - warmup) / max(1, steps - warmup)
    return FINAL_SHARE + (1 - FINAL_SHARE) * 0.5 * (1 + math.cos(math.pi * progress))


def new_optimizers(model: GPT2LMHeadModel) -> tuple[torch.optim.Optimizer, ...]:
    """Muon for the layers' matrices, AdamW for embeddings, gains and biases.

    Attention to a particular earlier token starts as a faint direction of the gradient. Muon gives every
    direction of a matrix the same weight, and heads form in a few hundred steps instead of thousands.
    """
    matrices = [p for p in model.transformer.h.parameters() if p.ndim == 2]
    chosen = {id(p) for p in matrices}
    others = [p for p in model.parameters() if id(p) not in chosen]
    return (
        torch.optim.Muon(matrices, lr=MATRIX_RATE, momentum=0.95, weight_decay=WEIGHT_DECAY),
        torch.optim.AdamW(others, lr=OTHER_RATE, betas=(0.9, 0.98), weight_decay=0.0),
    )


def save(model: GPT2LMHeadModel, tokenizer: PreTrainedTokenizerBase, folder: Path) -> None:
    """Write model and tokenizer into `folder`, one finished file after another.

    Everything is written next to `folder` first and then moved, so that a reader never meets half a file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as scratch:
        half = GPT2LMHeadModel(model.config)
        half.load_state_dict(model.state_dict())
        half.to(torch.float16).save_pretrained(scratch)
        half.config.dtype = torch.float32  # half precision is for the disk only, not to compute in
        half.config.save_pretrained(scratch)
        tokenizer.save_pretrained(scratch)
        for file in sorted(Path(scratch).iterdir()):
            file.chmod(0o644)  # the weights are written for their owner alone
            os.replace(file, folder / file.name)


class Progress:
    """Prints the mean loss on text and on repeated tokens since the last report, and the time taken."""

    def __init__(self) -> None:
        self._started = time.perf_counter()
        self._text: list[float] = []
        self._repeated: list[float] = []

    def add(self, losses: torch.Tensor, labels: torch.Tensor) -> None:
        """Note one batch's `losses` [rows, tokens - 1]; in repeated rows the first label does not count."""
        repeated, counted = labels[:, 1] == IGNORED, labels[:, 1:] != IGNORED
        for rows, means in ((~repeated, self._text), (repeated, self._repeated)):
            if rows.any():
                means.append((losses[rows].sum() / counted[rows].sum()).item())

    def report(self, step: int) -> None:
        text, repeated = (sum(means) / max(1, len(means)) for means in (self._text, self._repeated))
        seconds = time.perf_counter() - self._started
        losses = f"loss on text {text:.3f}, on repeats {repeated:.3f}"
        print(f"step {step:>5}  {losses}  {seconds:6.0f} s", flush=True)
        self._text.clear()
        self._repeated.clear()


def train(steps: int, out: Path, seed: int) -> GPT2LMHeadModel:
    """Train for `steps` batches, printing the losses and saving as it goes; returns the model."""
    torch.set_num_threads(THREADS)
    torch.manual_seed(seed)
    tokenizer = build_tokenizer(seed)
    model = new_model(tokenizer).train()
    optimizers = new_optimizers(model)
    peaks = [group["lr"] for optimizer in optimizers for group in optimizer.param_groups]
    batches = training_batches(tokenizer, seed)
    print(f"{model.num_parameters():,} parameters, {len(tokenizer):,} tokens, {steps:,} steps", flush=True)
    progress = Progress()
    for done in range(1, steps + 1):
        groups = (group for optimizer in optimizers for group in optimizer.param_groups)
        for group, peak in zip(groups, peaks, strict=True):
            group["lr"] = peak * rate_share(done - 1, steps)
        ids, labels = next(batches)
        losses = next_token_losses(model, ids, labels)
        model.zero_grad(set_to_none=True)
        (losses.sum() / (labels[:, 1:] != IGNORED).sum()).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), GRADIENT_NORM)
        for optimizer in optimizers:
            optimizer.step()
        progress.add(losses.detach(), labels)
        if done % REPORT_EVERY == 0 or done == steps:
            progress.report(done)
        if done % SAVE_EVERY == 0 or done == steps:
            save(model, tokenizer, out)
    return model.eval()


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m resstream_demo.tiny.train", description=__doc__)
    parser.add_argument("--steps", type=int, default=DEFAULT_STEPS, help="batches to train on")
    parser.add_argument("--out", type=Path, default=ASSETS, help="folder to write")
    parser.add_argument("--seed", type=int, default=0, help="of the text, the batches and the first weights")
    options = parser.parse_args(argv)
    train(options.steps, options.out, options.seed)


if __name__ == "__main__":
    main()
