"""A saved model and its tokenizer, read with plain transformers in float32, and its logits for many prompts at once."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from transformers import AutoTokenizer, GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerBase

BATCH_TOKENS = 2048  # tokens run at once: enough to keep one core busy, little enough for its cache

#: GPT-2's activation, and the same formula in one pass over memory instead of eight.
SLOW_GELU, FUSED_GELU = "gelu_new", "gelu_pytorch_tanh"


@dataclass(frozen=True)
class Bundle:
    """A loaded model with its tokenizer. Every prompt is read with `<|endoftext|>` before it."""

    model: GPT2LMHeadModel
    tokenizer: PreTrainedTokenizerBase

    @classmethod
    def load(cls, folder: Path) -> "Bundle":
        config = GPT2Config.from_pretrained(folder, local_files_only=True)
        if config.activation_function == SLOW_GELU:
            config.activation_function = FUSED_GELU
        model = GPT2LMHeadModel.from_pretrained(folder, config=config, dtype=torch.float32, local_files_only=True)
        return cls(model.eval(), AutoTokenizer.from_pretrained(folder, local_files_only=True))

    def ids(self, prompts: Sequence[str]) -> list[list[int]]:
        """Each prompt's token ids, with the one that stands before every text."""
        if not prompts:
            return []
        return [[self.tokenizer.bos_token_id, *ids] for ids in self.tokenizer(list(prompts))["input_ids"]]

    def token(self, text: str) -> int:
        """The id of a text that is one token; ValueError if it is not."""
        ids = self.tokenizer.encode(text)
        if len(ids) != 1:
            raise ValueError(f"{text!r} is not one token")
        return ids[0]

    @torch.inference_mode()
    def batches(self, prompts: Sequence[str]) -> Iterator[tuple[np.ndarray, Tensor]]:
        """(numbers [n] of prompts, logits [n, V] after their last tokens), until every prompt has had its turn.

        Prompts of equal length run together, so that nothing is padded.
        """
        encoded = self.ids(prompts)
        by_length: dict[int, list[int]] = defaultdict(list)
        for number, ids in enumerate(encoded):
            by_length[len(ids)].append(number)
        for length, numbers in sorted(by_length.items()):
            rows = max(1, BATCH_TOKENS // length)
            for begin in range(0, len(numbers), rows):
                chosen = numbers[begin : begin + rows]
                ids = torch.tensor([encoded[number] for number in chosen])
                yield np.array(chosen), self.model(ids, use_cache=False, logits_to_keep=1).logits[:, -1].float()

    def read(
        self, prompts: Sequence[str], columns: Sequence[Sequence[int]]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Only what is asked about each of n prompts, each asking for as many token ids as the others (k).

        Returns those tokens' logits and their probabilities, both [n, k] float32, and the likeliest token [n].
        """
        wanted = torch.tensor([list(ids) for ids in columns])
        logits, probabilities = np.empty(wanted.shape, np.float32), np.empty(wanted.shape, np.float32)
        first = np.empty(len(prompts), np.int64)
        for numbers, found in self.batches(prompts):
            here = wanted[torch.from_numpy(numbers)]
            asked = found.gather(1, here)
            logits[numbers] = asked.numpy()
            probabilities[numbers] = (asked - found.logsumexp(-1, keepdim=True)).exp().numpy()
            first[numbers] = found.argmax(-1).numpy()
        return logits, probabilities, first
