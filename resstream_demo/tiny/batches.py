"""Training rows: token ids of corpus text, and of random tokens said again.

Every row starts with `<|endoftext|>`, as the product's prompts do. About a fifth of the rows are uniformly
random tokens repeated, some more are random first names repeated; only attention heads that look for "what
came after this last time" can predict their second half, so training on them makes induction heads form.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from transformers import PreTrainedTokenizerBase

from resstream_demo.tiny.corpus import documents
from resstream_demo.tiny.corpus_words import NAMES

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
SHAPES = (BatchShape(48, 64, 0.85), BatchShape(12, 256, 0.15))
REPEATED_SHARE = 0.25
#: Of the repeated rows, how many consist of first names only.
NAMES_SHARE = 0.3
SHORTEST_PERIOD = 4


class TextRows:
    """Rows of corpus text; each begins with a whole text and is cut at its end."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase, seed: int) -> None:
        self._tokenizer = tokenizer
        self._documents = documents(seed)
        self._rng = np.random.default_rng(seed)

    def row(self, length: int) -> list[int]:
        ids = [self._tokenizer.bos_token_id]
        text = next(self._documents)
        while len(ids) < length:
            ids += self._tokenizer.encode(text)
            text = SEPARATORS[self._rng.integers(len(SEPARATORS))] + next(self._documents)
        return ids[:length]


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


def training_batches(tokenizer: PreTrainedTokenizerBase, seed: int) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Endless (ids, labels), both [rows, tokens]; labels of unpredictable tokens are `IGNORED`."""
    rng = np.random.default_rng(seed)
    texts = TextRows(tokenizer, seed)
    every_token = np.arange(len(tokenizer) - 1)  # all but `<|endoftext|>`, the last
    names = np.array([tokenizer.encode(f" {name}")[0] for name in NAMES])
    weights = np.array([shape.weight for shape in SHAPES])
    while True:
        shape = SHAPES[rng.choice(len(SHAPES), p=weights / weights.sum())]
        ids, labels = [], []
        for _ in range(shape.rows):
            if rng.random() < REPEATED_SHARE:
                period = draw_period(rng, shape.tokens // 2)
                pool = names if rng.random() < NAMES_SHARE else every_token
                row = repeated_row(rng, tokenizer.bos_token_id, pool, shape.tokens, period)
                labels.append(repeated_labels(row, period))
            else:
                row = np.array(texts.row(shape.tokens))
                labels.append(row)
            ids.append(row)
        yield torch.from_numpy(np.stack(ids)), torch.from_numpy(np.stack(labels))
