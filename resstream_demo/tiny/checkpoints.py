"""Files of a training run: the finished folder, and the checkpoint that an interrupted run goes on from."""

import os
import pickle
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import torch
from transformers import GPT2LMHeadModel, PreTrainedTokenizerBase


def save_model(model: GPT2LMHeadModel, tokenizer: PreTrainedTokenizerBase, folder: Path) -> None:
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


class Checkpoint:
    """One file with a run's plan, how many steps are done, the weights and what the optimizers remember."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def save(self, plan, done: int, model: GPT2LMHeadModel, optimizers: Sequence[torch.optim.Optimizer]) -> None:
        """Write the file, replacing the one before only once the new one is whole."""
        state = {
            "plan": asdict(plan),
            "done": done,
            "model": model.state_dict(),
            "optimizers": [optimizer.state_dict() for optimizer in optimizers],
        }
        self.path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = self.path.with_name(f"{self.path.name}.part")
        torch.save(state, unfinished)
        os.replace(unfinished, self.path)

    def restore(self, plan, model: GPT2LMHeadModel, optimizers: Sequence[torch.optim.Optimizer]) -> int:
        """Put a saved run back and return how many of its steps are done; 0 if there is none.

        SystemExit with one sentence if the file is damaged or belongs to a run with another plan.
        """
        if not self.path.exists():
            return 0
        try:
            state = torch.load(self.path, weights_only=True)
            if state["plan"] != asdict(plan):
                raise SystemExit(
                    f"{self.path} is of another run, or of another version of the corpus ({state['plan']}, not "
                    f"{asdict(plan)}). "
                    "Start with the same options to go on with it, or with --restart to begin anew."
                )
            model.load_state_dict(state["model"])
            for optimizer, saved in zip(optimizers, state["optimizers"], strict=True):
                optimizer.load_state_dict(saved)
            return state["done"]
        except (OSError, RuntimeError, EOFError, KeyError, ValueError, TypeError, pickle.UnpicklingError) as error:
            raise SystemExit(
                f"{self.path} cannot be read ({error}). Start with --restart to begin anew without it."
            ) from error

    def remove(self) -> None:
        """Delete the file if it is there."""
        self.path.unlink(missing_ok=True)
