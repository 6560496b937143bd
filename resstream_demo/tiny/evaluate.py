"""Measure the bundled model on inputs kept out of its training: `python -m resstream_demo.tiny.evaluate`.

Prints one line per skill. `--card` also writes these numbers, and no others, into the model card.
Everything is run in float32 through plain transformers, with `<|endoftext|>` before each prompt.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import torch
from transformers import AutoTokenizer, GPT2LMHeadModel, PreTrainedTokenizerBase

from resstream_demo.tiny import ASSETS
from resstream_demo.tiny import corpus_patterns as patterns
from resstream_demo.tiny import corpus_people as people
from resstream_demo.tiny.batches import repeated_row
from resstream_demo.tiny.card import write_card

EXAMPLES = 500
INDUCTION_ROWS = 50
INDUCTION_PERIOD = 30  # random tokens in a row, then the same again


@dataclass(frozen=True)
class Score:
    """One measured skill: what was asked, the share answered right (0 to 1), of how many.

    `extra` is a sentence with further measured values, or "".
    """

    skill: str
    accuracy: float
    n: int
    extra: str = ""

    def line(self) -> str:
        tail = f"  {self.extra}" if self.extra else ""
        return f"{self.skill:<42} {self.accuracy:6.1%} of {self.n}{tail}"


@dataclass(frozen=True)
class Bundle:
    """A loaded model with its tokenizer."""

    model: GPT2LMHeadModel
    tokenizer: PreTrainedTokenizerBase

    @classmethod
    def load(cls, folder: Path) -> "Bundle":
        model = GPT2LMHeadModel.from_pretrained(folder, dtype=torch.float32, local_files_only=True).eval()
        return cls(model, AutoTokenizer.from_pretrained(folder, local_files_only=True))

    def last_logits(self, prompt: str) -> np.ndarray:
        """Logits after the prompt's last token: [V], float32."""
        ids = [self.tokenizer.bos_token_id, *self.tokenizer.encode(prompt)]
        with torch.no_grad():
            return self.model(torch.tensor([ids])).logits[0, -1].numpy()

    def token(self, text: str) -> int:
        """The id of a text that is one token; ValueError if it is not."""
        ids = self.tokenizer.encode(text)
        if len(ids) != 1:
            raise ValueError(f"{text!r} is not one token")
        return ids[0]


def indirect_objects(bundle: Bundle, *, giver_first: bool) -> Score:
    """Does the recipient's name get a higher logit than the giver's? Held-out pairs of names."""
    rng = Random(101 + giver_first)
    differences, first = [], 0
    for _ in range(EXAMPLES):
        story = people.giving_prompt(rng, held_out=True, giver_first=giver_first)
        logits = bundle.last_logits(story.prompt)
        recipient = bundle.token(f" {story.recipient}")
        differences.append(logits[recipient] - logits[bundle.token(f" {story.giver}")])
        first += int(logits.argmax() == recipient)
    order = "BABA" if giver_first else "ABBA"
    return Score(
        f"indirect object, {order}",
        float(np.mean(np.array(differences) > 0)),
        EXAMPLES,
        f"mean logit difference {np.mean(differences):.2f}; top prediction in {first / EXAMPLES:.1%}",
    )


def induction(bundle: Bundle) -> Score:
    """Uniformly random tokens said twice: is each token of the second half the top prediction?"""
    rng = np.random.default_rng(103)
    bos, pool = bundle.tokenizer.bos_token_id, np.arange(len(bundle.tokenizer) - 1)
    length = 1 + 2 * INDUCTION_PERIOD
    rows = np.stack([repeated_row(rng, bos, pool, length, INDUCTION_PERIOD) for _ in range(INDUCTION_ROWS)])
    with torch.no_grad():
        predicted = bundle.model(torch.from_numpy(rows)).logits.argmax(-1).numpy()
    begin = INDUCTION_PERIOD + 2  # the second half's first token cannot be foreseen
    right = predicted[:, begin - 1 : -1] == rows[:, begin:]
    return Score("induction, random tokens repeated", float(right.mean()), right.size)


def choices(bundle: Bundle, skill: str, prompts: Sequence[tuple[str, str]], extra: str = "") -> Score:
    """Is the right word the top prediction?"""
    right = [bundle.last_logits(prompt).argmax() == bundle.token(f" {answer}") for prompt, answer in prompts]
    return Score(skill, float(np.mean(right)), len(right), extra)


def pairs(bundle: Bundle, skill: str, prompts: Sequence[tuple[str, str, str]]) -> Score:
    """Does the right word get a higher logit than the wrong one?"""
    right = []
    for prompt, answer, wrong in prompts:
        logits = bundle.last_logits(prompt)
        right.append(logits[bundle.token(f" {answer}")] > logits[bundle.token(f" {wrong}")])
    return Score(skill, float(np.mean(right)), len(right))


def pronouns(bundle: Bundle) -> Score:
    rng = Random(104)
    drawn = [people.pronoun_prompt(rng, held_out=True) for _ in range(EXAMPLES)]
    return pairs(
        bundle, "pronoun (he or she)", [(prompt, answer, "she" if answer == "he" else "he") for prompt, answer in drawn]
    )


def agreement(bundle: Bundle) -> Score:
    rng = Random(105)
    drawn = [patterns.agreement_prompt(rng, held_out=True) for _ in range(EXAMPLES)]
    return pairs(
        bundle,
        "agreement across a distractor (is or are)",
        [(prompt, *(("are", "is") if plural else ("is", "are"))) for prompt, plural in drawn],
    )


def successors(bundle: Bundle) -> Score:
    """The next member of a sequence, for runs that begin with a member no training run begins with."""
    rng = Random(106)
    runs = sorted({tuple(patterns.successor_run(rng, held_out=True)) for _ in range(EXAMPLES)})
    return choices(bundle, "next in a sequence", [(", ".join(run[:-1]) + ",", run[-1]) for run in runs])


def later_years(bundle: Bundle) -> Score:
    """Is the top two-digit ending later than the start? And how much probability do later years get?"""
    rng = Random(107)
    endings = [bundle.token(f"{year:02d}") for year in range(100)]
    right, later, even = [], [], []
    for _ in range(EXAMPLES):
        prompt, start = patterns.year_prompt(rng, held_out=True)
        logits = bundle.last_logits(prompt).astype(np.float64)
        probabilities = np.exp(logits - logits.max())
        probabilities /= probabilities.sum()
        years = probabilities[endings]
        right.append(years.argmax() > start)
        later.append(years[start + 1 :].sum() - years[: start + 1].sum())
        even.append((98 - 2 * start) / 100)
    return Score(
        "later year",
        float(np.mean(right)),
        EXAMPLES,
        f"P(later) − P(not later) {np.mean(later):.2f}; an even guess {np.mean(even):.2f}",
    )


def evaluate(bundle: Bundle) -> list[Score]:
    """All scores, in the order of the model card."""
    return [
        indirect_objects(bundle, giver_first=False),
        indirect_objects(bundle, giver_first=True),
        induction(bundle),
        choices(bundle, "capital of a country", patterns.held_out_capitals()),
        choices(bundle, "city of a landmark", patterns.held_out_landmarks()),
        pronouns(bundle),
        agreement(bundle),
        successors(bundle),
        later_years(bundle),
    ]


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m resstream_demo.tiny.evaluate", description=__doc__)
    parser.add_argument("--folder", type=Path, default=ASSETS, help="the model to measure")
    parser.add_argument("--card", action="store_true", help="write the model card with these numbers")
    options = parser.parse_args(argv)
    torch.set_num_threads(2)
    bundle = Bundle.load(options.folder)
    lines = [score.line() for score in evaluate(bundle)]
    print("\n".join(lines))
    if options.card:
        write_card(options.folder, bundle.model.config, lines)


if __name__ == "__main__":
    main()
