"""The tasks that parts of the model are taken out under, each read off as one logit difference.

A task's difference is the log-sum-exp of the wanted tokens' logits minus that of the unwanted ones: with one token on
each side the plain logit difference, with several the log ratio of the two groups' probabilities.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

import torch
from torch import Tensor

from resstream_demo.tiny.corpus import fact_sentences
from resstream_demo.tiny.corpus.giving import giving_prompt
from resstream_demo.tiny.corpus.years import year_prompt
from resstream_demo.tiny.measures import questions
from resstream_demo.tiny.measures.bundle import Bundle
from resstream_demo.tiny.measures.questions import PERIOD, Question


@dataclass(frozen=True)
class Example:
    """One prompt: its token ids, and the ids whose logits are compared after its last token."""

    ids: tuple[int, ...]
    wanted: tuple[int, ...]
    unwanted: tuple[int, ...]


@dataclass(frozen=True)
class Task:
    """One kind of prompt: examples to measure on, and others of the same kind, whose activations are averaged."""

    name: str
    examples: tuple[Example, ...]
    reference: tuple[tuple[int, ...], ...]


def difference(adapter, example: Example) -> Callable[[Tensor], Tensor]:
    """A measure for `core.sweep`: from final streams [n, P, d_model] to the task's logit difference [n]."""
    columns = torch.tensor([*example.wanted, *example.unwanted])
    n_wanted = len(example.wanted)

    def measure(finals: Tensor) -> Tensor:
        logits = adapter.unembed(adapter.final_norm(finals[:, -1]), columns)
        return logits[:, :n_wanted].logsumexp(-1) - logits[:, n_wanted:].logsumexp(-1)

    return measure


def all_tasks(bundle: Bundle, n: int) -> tuple[Task, ...]:
    """The seven tasks, each with up to `n` examples and as many reference prompts."""
    return (
        _of_questions(bundle, "indirect object", _giving(Random(201), 2 * n)),
        _of_questions(
            bundle, "capital", _shuffled(questions.against_each_other(fact_sentences.capital_prompts()), 2 * n)
        ),
        _of_questions(bundle, "pronoun", questions.pronouns(Random(202), 2 * n)),
        _of_questions(bundle, "agreement", questions.agreement(Random(203), 2 * n)),
        _halved("later year", _years(bundle, Random(204), 2 * n)),
        _of_questions(bundle, "sequence", _shuffled(questions.successors(Random(205), 20 * n), 2 * n)),
        _halved("induction", _repeated(bundle, 2 * n)),
    )


def _halved(name: str, examples: Sequence[Example]) -> Task:
    half = len(examples) // 2
    return Task(name, tuple(examples[:half]), tuple(example.ids for example in examples[half:]))


def _of_questions(bundle: Bundle, name: str, asked: Sequence[Question]) -> Task:
    def token(word: str) -> tuple[int, ...]:
        return (bundle.token(f" {word}"),)

    rows = bundle.ids([one.prompt for one in asked])
    return _halved(
        name,
        [Example(tuple(ids), token(one.answer), token(one.wrong)) for one, ids in zip(asked, rows, strict=True)],
    )


def _shuffled(asked: Sequence[Question], n: int) -> list[Question]:
    return Random(206).sample(asked, min(n, len(asked)))


def _giving(rng: Random, n: int) -> list[Question]:
    drawn = (giving_prompt(rng, held_out=True, listed=True) for _ in range(n))
    return [Question(story.prompt, story.recipient, story.giver) for story in drawn]


def _years(bundle: Bundle, rng: Random, n: int) -> list[Example]:
    """Every later two-digit ending against every other one."""
    endings = [bundle.token(f"{year:02d}") for year in range(100)]
    drawn = [year_prompt(rng, held_out=True) for _ in range(n)]
    rows = bundle.ids([prompt for prompt, _ in drawn])
    return [
        Example(tuple(ids), tuple(endings[start + 1 :]), tuple(endings[: start + 1]))
        for ids, (_, start) in zip(rows, drawn, strict=True)
    ]


def _repeated(bundle: Bundle, n: int) -> list[Example]:
    """Random tokens said again up to somewhere in the second half; the wrong token is one from elsewhere in them."""
    rng, examples = Random(207), []
    for row in questions.repeated_rows(bundle.tokenizer, 208, n, PERIOD).tolist():
        end = PERIOD + rng.randint(2, PERIOD)  # the first token of the second half is unforeseeable
        others = [token for token in row[1 : PERIOD + 1] if token != row[end]]
        examples.append(Example(tuple(row[:end]), (row[end],), (rng.choice(others),)))
    return examples
