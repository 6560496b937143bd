"""The questions an evaluation asks: each a prompt with a right and a wrong next word, mostly kept out of training."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from transformers import PreTrainedTokenizerBase

from resstream_demo.tiny.batches import repeated_row
from resstream_demo.tiny.corpus.agreement import agreement_prompt
from resstream_demo.tiny.corpus.elimination import elimination_prompt
from resstream_demo.tiny.corpus.patterns import successor_run
from resstream_demo.tiny.corpus.pronouns import pronoun_prompt

PERIOD = 30  # random tokens in a row, then the same again
#: Prompts that are also used with other GPT-2 models, and the token expected first.
CANONICAL = (
    ("When Mary and John went to the store, John gave a drink to", " Mary"),
    ("The Eiffel Tower is in the city of", " Paris"),
    ("The capital of France is", " Paris"),
    ("So Mary is a really good friend, isn't", " she"),
    ("The keys on the table", " are"),
)


@dataclass(frozen=True)
class Question:
    """A prompt without its ending, the word that should come next and one that should not (no leading spaces)."""

    prompt: str
    answer: str
    wrong: str


def pronouns(rng: Random, n: int, *, new_frames: bool = False) -> list[Question]:
    """He or she, for reserved pairs of name and role; `new_frames`: any pair, in frames that training never shows."""
    drawn = (pronoun_prompt(rng, held_out=not new_frames, held_out_frame=new_frames) for _ in range(n))
    return [Question(prompt, answer, "she" if answer == "he" else "he") for prompt, answer in drawn]


def agreement(rng: Random, n: int) -> list[Question]:
    """Is or are, after a subject with a distractor it never has in training."""
    drawn = (agreement_prompt(rng, held_out=True) for _ in range(n))
    return [Question(prompt, *(("are", "is") if plural else ("is", "are"))) for prompt, plural in drawn]


def suppression(rng: Random, n: int) -> list[Question]:
    return [Question(*elimination_prompt(rng, held_out=True)) for _ in range(n)]


def successors(rng: Random, n: int) -> list[Question]:
    """Runs that begin where no training run begins, each once; the wrong next member is the last one said."""
    runs = sorted({tuple(successor_run(rng, held_out=True)) for _ in range(n)})
    return [Question(", ".join(run[:-1]) + ",", run[-1], run[-2]) for run in runs]


def against_each_other(prompts: Sequence[tuple[str, str]]) -> list[Question]:
    """Facts as questions: the wrong answer is the next one in the list that is another."""
    answers = [answer for _, answer in prompts]
    others = [
        next(other for other in answers[number + 1 :] + answers if other != answer)
        for number, answer in enumerate(answers)
    ]
    return [Question(prompt, answer, other) for (prompt, answer), other in zip(prompts, others, strict=True)]


def repeated_rows(tokenizer: PreTrainedTokenizerBase, seed: int, n: int, period: int) -> np.ndarray:
    """`n` rows of `<|endoftext|>` and `period` uniformly random tokens said twice: [n, 1 + 2 · period] ids."""
    rng, bos = np.random.default_rng(seed), tokenizer.bos_token_id
    pool = np.delete(np.arange(len(tokenizer)), bos)
    return np.stack([repeated_row(rng, bos, pool, 1 + 2 * period, period) for _ in range(n)])
