"""Training batches: token ids of corpus text, and of random tokens said again.

Every row starts with `<|endoftext|>`, as the product's prompts do. About a fifth of the rows are uniformly
random tokens repeated, some more are random first names repeated; only attention heads that look for "what
came after this last time" can predict their second half, so training on them makes induction heads form.
A batch depends on nothing but the seed and its number, so training can go on where it stopped.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from transformers import PreTrainedTokenizerBase

from resstream_demo.tiny.corpus.families import documents
from resstream_demo.tiny.corpus.words import NAMES

IGNORED = -100  # label that the loss skips
#: What stands between two texts of a row, by how often.
SEPARATORS = (" ", " ", "\n", "\n", "<|endoftext|>")


@dataclass(frozen=True)
class BatchShape:
    """Rows and tokens per row of one batch, and how often that shape is drawn (relative)."""

    rows: int
    tokens: int
    weight: float


#: Mostly short rows; a few that use every position the model has.
SHAPES = (BatchShape(64, 64, 0.75), BatchShape(32, 128, 0.1), BatchShape(16, 256, 0.15))
REPEATED_SHARE = 0.25
#: Of the repeated rows, how many consist of first names only.
NAMES_SHARE = 0.2
SHORTEST_PERIOD = 4


class TrainingBatches:
    """Batch number n of a seed, for any n: ids and labels, both [rows, tokens]."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase, seed: int) -> None:
        self._tokenizer = tokenizer
        self._seed = seed
        self._every_token = np.arange(len(tokenizer) - 1)  # all but `<|endoftext|>`, the last
        self._names = np.array([tokenizer.encode(f" {name}")[0] for name in NAMES])

    def batch(self, number: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Ids and labels of one batch; labels of tokens that nothing can predict are `IGNORED`."""
        rng = np.random.default_rng([self._seed, number])
        texts = documents(f"{self._seed}/{number}")
        weights = np.array([shape.weight for shape in SHAPES])
        shape = SHAPES[rng.choice(len(SHAPES), p=weights / weights.sum())]
        rows = [
            self._repeated(rng, shape.tokens) if rng.random() < REPEATED_SHARE else self._text(rng, texts, shape.tokens)
            for _ in range(shape.rows)
        ]
        ids, labels = (np.stack(part) for part in zip(*rows, strict=True))
        return torch.from_numpy(ids), torch.from_numpy(labels)

    def _text(self, rng: np.random.Generator, texts: Iterator[str], length: int) -> tuple[np.ndarray, np.ndarray]:
        """A row of texts from the beginning of one, cut at its end."""
        ids, text = [self._tokenizer.bos_token_id], next(texts)
        while len(ids) < length:
            ids += self._tokenizer.encode(text)
            text = SEPARATORS[rng.integers(len(SEPARATORS))] + next(texts)
        row = np.array(ids[:length])
        return row, row

    def _repeated(self, rng: np.random.Generator, length: int) -> tuple[np.ndarray, np.ndarray]:
        period = draw_period(rng, length // 2)
        pool = self._names if rng.random() < NAMES_SHARE else self._every_token
        row = repeated_row(rng, self._tokenizer.bos_token_id, pool, length, period)
        return row, repeated_labels(row, period)


def draw_period(rng: np.random.Generator, longest: int) -> int:
    """A period from the shortest to `longest`, even on a log scale: short ones repeat more often."""
    return int(np.exp(rng.uniform(np.log(SHORTEST_PERIOD), np.log(longest + 1))))


def repeated_row(rng: np.random.Generator, bos: int, pool: np.ndarray, length: int, period: int) -> np.ndarray:
    """`bos`, then `period` tokens drawn evenly from `pool` (ids), over and over: [length]."""
    segment = rng.choice(pool, size=period)
    repeats = -(-(length - 1) // period)
    return np.concatenate(([bos], np.tile(segment, repeats)))[:length]


def repeated_labels(row: np.ndarray, period: int) -> np.ndarray:
    """The row as labels, without the part nothing can predict: its first `period` tokens and the next one."""
    labels = row.copy()
    labels[: period + 2] = IGNORED
    return labels
