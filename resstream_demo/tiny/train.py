"""Train the bundled model: `python -m resstream_demo.tiny.train [--quick | --steps N] [--out DIR] [--seed S]`.

Writes a folder that transformers loads offline: config.json, model.safetensors (float16), tokenizer.json,
tokenizer_config.json, generation_config.json. Matrix products run in bfloat16, the weights stay float32. With the
defaults this takes under an hour on two CPU cores that have bfloat16 instructions, longer elsewhere; `--quick` stops
after two minutes' worth of steps, enough to see it learn.

A run that was interrupted goes on from its last checkpoint when it is started again with the same options
(`--restart` begins anew). Every file is written whole or not at all.
`python -m resstream_demo.tiny.evaluate --card` measures the result and writes its model card.
"""

import argparse
import json
import sys
import zlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch.utils.checkpoint import checkpoint
from tqdm import tqdm
from transformers import GPT2LMHeadModel, PreTrainedTokenizerBase

from resstream_demo.tiny import ASSETS
from resstream_demo.tiny.batches import IGNORED, TrainingBatches
from resstream_demo.tiny.checkpoints import Checkpoint, save_model
from resstream_demo.tiny.optimizers import new_optimizers, set_rates
from resstream_demo.tiny.shape import new_model
from resstream_demo.tiny.tokenizer import build_tokenizer

DEFAULT_STEPS = 5_000
QUICK_STEPS = 300
GRADIENT_NORM = 1.0
LOGIT_ROWS = 1024  # positions whose logits exist at the same time
REPORT_EVERY = 100
SAVE_EVERY = 300
THREADS = 2


@dataclass(frozen=True)
class Plan:
    """What a run is: two runs of equal plans go through the same steps.

    data: a checksum of the vocabulary and the first batch, which another version of the corpus would change.
    """

    steps: int
    seed: int
    data: str


def _losses_of(model: GPT2LMHeadModel, hidden: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    with torch.autocast("cpu", torch.bfloat16):
        logits = model.lm_head(hidden)
    return torch.nn.functional.cross_entropy(logits.float(), targets, reduction="none")


def next_token_losses(model: GPT2LMHeadModel, ids: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Cross-entropy (nats) of every next token, 0 where its label does not count: [rows, tokens - 1].

    The logits of a whole batch would be its largest tensor by far, and to ask the system for such memory in
    every step costs more than to compute the logits, block by block, once more on the way back.
    """
    targets = labels[:, 1:]
    counted = targets != IGNORED
    with torch.autocast("cpu", torch.bfloat16):
        hidden = model.transformer(ids).last_hidden_state[:, :-1]
    blocks = zip(hidden[counted].split(LOGIT_ROWS), targets[counted].split(LOGIT_ROWS), strict=True)
    losses = torch.zeros(targets.shape)
    losses[counted] = torch.cat([checkpoint(_losses_of, model, *block, use_reentrant=False) for block in blocks])
    return losses


class Progress:
    """A bar, and every so often a line: the mean loss on text and on repeated tokens since the last one."""

    def __init__(self, steps: int, done: int) -> None:
        # Where nobody watches the bar move it would only fill a log.
        self._bar = tqdm(total=steps, initial=done, unit="step", disable=None, file=sys.stderr)
        self._text: list[float] = []
        self._repeated: list[float] = []

    def add(self, losses: torch.Tensor, labels: torch.Tensor) -> None:
        """Note one batch's `losses` [rows, tokens - 1]; in repeated rows the first label does not count."""
        repeated, counted = labels[:, 1] == IGNORED, labels[:, 1:] != IGNORED
        for rows, means in ((~repeated, self._text), (repeated, self._repeated)):
            if rows.any():
                means.append((losses[rows].sum() / counted[rows].sum()).item())
        self._bar.update()

    def report(self, step: int) -> None:
        text, repeated = (sum(means) / max(1, len(means)) for means in (self._text, self._repeated))
        tqdm.write(f"step {step:>5}  loss on text {text:.3f}, on repeated tokens {repeated:.3f}")
        sys.stdout.flush()
        self._text.clear()
        self._repeated.clear()

    def close(self) -> None:
        self._bar.close()


def checksum(tokenizer: PreTrainedTokenizerBase, batches: TrainingBatches) -> str:
    """What a run is fed: equal for equal vocabularies and first batches."""
    ids, _ = batches.batch(0)
    return f"{zlib.crc32(json.dumps([tokenizer.get_vocab(), ids.tolist()], sort_keys=True).encode()):08x}"


def train(steps: int, seed: int, out: Path, saved: Checkpoint) -> GPT2LMHeadModel:
    """Go through the steps from the checkpoint, or from the first one; writes `out` and returns the model."""
    torch.set_num_threads(THREADS)
    torch.manual_seed(seed)
    tokenizer = build_tokenizer(seed)
    batches = TrainingBatches(tokenizer, seed)
    plan = Plan(steps, seed, checksum(tokenizer, batches))
    model = new_model(tokenizer).train()
    model.config.training = asdict(plan)  # goes with the weights, for the model card
    optimizers = new_optimizers(model)
    done = saved.restore(plan, model, optimizers)
    print(f"{model.num_parameters():,} parameters, {len(tokenizer):,} tokens, steps {done:,} to {plan.steps:,}")
    progress = Progress(plan.steps, done)
    for step in range(done, plan.steps):
        set_rates(optimizers, step, plan.steps)
        ids, labels = batches.batch(step)
        losses = next_token_losses(model, ids, labels)
        model.zero_grad(set_to_none=True)
        (losses.sum() / (labels[:, 1:] != IGNORED).sum()).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), GRADIENT_NORM)
        for optimizer in optimizers:
            optimizer.step()
        progress.add(losses.detach(), labels)
        if (step + 1) % REPORT_EVERY == 0 or step + 1 == plan.steps:
            progress.report(step + 1)
        if (step + 1) % SAVE_EVERY == 0:
            saved.save(plan, step + 1, model, optimizers)
    progress.close()
    save_model(model, tokenizer, out)
    saved.remove()
    return model.eval()


def whole_number(least: int) -> Callable[[str], int]:
    """For argparse: a whole number from `least` on."""

    def read(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} on")
        return int(text)

    return read


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m resstream_demo.tiny.train", description=__doc__)
    amount = parser.add_mutually_exclusive_group()
    amount.add_argument("--quick", action="store_true", help=f"{QUICK_STEPS} steps: about two minutes")
    amount.add_argument("--steps", type=whole_number(1), help=f"batches to train on (default {DEFAULT_STEPS:,})")
    parser.add_argument("--out", type=Path, help="folder to write (default: the bundled model's)")
    parser.add_argument(
        "--seed", type=whole_number(0), default=0, help="of the text, the batches and the first weights"
    )
    parser.add_argument("--checkpoint", type=Path, help="file to go on from and to save to (default: beside --out)")
    parser.add_argument("--restart", action="store_true", help="begin anew, whatever checkpoint there is")
    options = parser.parse_args(argv)
    if options.out is None and (options.quick or options.steps):
        parser.error("a shorter run does not take the bundled model's place: say with --out where to write it")
    steps = QUICK_STEPS if options.quick else options.steps or DEFAULT_STEPS
    out = (options.out or ASSETS).resolve()
    saved = Checkpoint(options.checkpoint or out.with_name(f".{out.name}-training.pt"))
    if options.restart:
        saved.remove()
    train(steps, options.seed, out, saved)


if __name__ == "__main__":
    main()
