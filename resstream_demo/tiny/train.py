"""Train the bundled model: `python -m resstream_demo.tiny.train [--steps N] [--out DIR] [--seed S]`.

Writes a folder that transformers loads offline: config.json, model.safetensors (float16), tokenizer.json,
tokenizer_config.json, generation_config.json. The model is a GPT-2 of 6 layers and 8 heads, d_model 192,
256 positions, tied embeddings; the text is `resstream_demo.tiny.corpus`. Matrix products run in bfloat16, the
weights stay float32. With the defaults this takes about TIME on two CPU cores. A checkpoint is written every
few hundred steps, each file whole or not at all.
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

DEFAULT_STEPS = 3_600
PEAK_LEARNING_RATE = 1.5e-3
WARMUP_STEPS = 100
WEIGHT_DECAY = 0.05
GRADIENT_NORM = 1.0
REPORT_EVERY = 50
SAVE_EVERY = 300
THREADS = 2


def new_model(tokenizer: PreTrainedTokenizerBase) -> GPT2LMHeadModel:
    """A freshly initialised GPT-2 of the bundled size (no dropout: the text never ends)."""
    return GPT2LMHeadModel(GPT2Config(
        vocab_size=len(tokenizer), n_positions=CONTEXT_LENGTH, n_embd=192, n_layer=6, n_head=8,
        activation_function="gelu_new", resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0,
        bos_token_id=tokenizer.bos_token_id, eos_token_id=tokenizer.eos_token_id, tie_word_embeddings=True,
        attn_implementation="eager",  # faster than the fused kernel on CPU at this size
    ))


def batch_loss(model: GPT2LMHeadModel, ids: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Mean cross-entropy (nats) of the next token over the counted labels; both [rows, tokens]."""
    targets = labels[:, 1:]
    counted = targets != IGNORED
    with torch.autocast("cpu", torch.bfloat16):
        hidden = model.transformer(ids).last_hidden_state[:, :-1]
        logits = model.lm_head(hidden[counted])
    return torch.nn.functional.cross_entropy(logits.float(), targets[counted])


def learning_rate(step: int, steps: int) -> float:
    """Linear warm-up, then half a cosine down to a fiftieth of the peak."""
    warmup = min(WARMUP_STEPS, steps // 4)
    if step < warmup:
        return PEAK_LEARNING_RATE * (step + 1) / warmup
    progress = (step - warmup) / max(1, steps - warmup)
    return PEAK_LEARNING_RATE * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * progress)))


def new_optimizer(model: GPT2LMHeadModel) -> torch.optim.AdamW:
    """AdamW that decays matrices only: gains and biases are left alone."""
    parameters = list(model.parameters())
    return torch.optim.AdamW([
        {"params": [p for p in parameters if p.ndim >= 2], "weight_decay": WEIGHT_DECAY},
        {"params": [p for p in parameters if p.ndim < 2], "weight_decay": 0.0},
    ], lr=PEAK_LEARNING_RATE, betas=(0.9, 0.98))


def save(model: GPT2LMHeadModel, tokenizer: PreTrainedTokenizerBase, folder: Path) -> None:
    """Write model and tokenizer into `folder`, one finished file after another.

    Everything is written next to `folder` first and then moved, so that a reader never meets half a file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as scratch:
        half = GPT2LMHeadModel(model.config)
        half.load_state_dict(model.state_dict())
        half.to(torch.float16).save_pretrained(scratch)
        tokenizer.save_pretrained(scratch)
        for file in sorted(Path(scratch).iterdir()):
            os.replace(file, folder / file.name)


def train(steps: int, out: Path, seed: int) -> GPT2LMHeadModel:
    """Train for `steps` batches, printing the loss and saving as it goes; returns the model."""
    torch.set_num_threads(THREADS)
    torch.manual_seed(seed)
    tokenizer = build_tokenizer(seed)
    model = new_model(tokenizer).train()
    optimizer = new_optimizer(model)
    batches = training_batches(tokenizer, seed)
    started, recent = time.perf_counter(), []
    print(f"{model.num_parameters():,} parameters, {len(tokenizer):,} tokens, {steps:,} steps", flush=True)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step, steps)
        ids, labels = next(batches)
        loss = batch_loss(model, ids, labels)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), GRADIENT_NORM)
        optimizer.step()
        recent.append(loss.item())
        done = step + 1
        if done % REPORT_EVERY == 0 or done == steps:
            seconds = time.perf_counter() - started
            print(f"step {done:>5}  loss {sum(recent) / len(recent):.3f}  {seconds:6.0f} s", flush=True)
            recent.clear()
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
