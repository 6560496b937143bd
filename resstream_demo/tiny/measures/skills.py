"""Measure what a model can do, mostly on inputs kept out of its training; the goals that the bundled one should reach.

Everything runs in float32 through plain transformers, with `<|endoftext|>` before each prompt. Indirect objects have
a module of their own, `skills_giving`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import torch

from resstream_demo.tiny.corpus import fact_sentences
from resstream_demo.tiny.corpus.lexicon import word_classes
from resstream_demo.tiny.corpus.years import year_prompt
from resstream_demo.tiny.measures import questions, skills_giving
from resstream_demo.tiny.measures.bundle import Bundle
from resstream_demo.tiny.measures.probes import PROBES, Probe, is_grammatical
from resstream_demo.tiny.measures.questions import Question
from resstream_demo.tiny.measures.scores import Finding, Reading, Score, percent_down

INDUCTION_PERIODS = (questions.PERIOD, 60, 120)  # the goal is for the first
EVERYDAY_GOAL = 25  # of the thirty sentences


@dataclass(frozen=True)
class Sizes:
    """How much is asked. pairs: indirect-object prompts over all pairs of names, None for every one."""

    pairs: int | None = None
    prompts: int = 1000
    rows: int = 50


@dataclass(frozen=True)
class EverydayWord:
    """What a model says first after an everyday beginning, and whether a word of that class can stand there."""

    prompt: str
    predicted: str
    fits: bool


def induction(bundle: Bundle, n_rows: int) -> Score:
    """Uniformly random tokens said twice: is each token of the second half the top prediction?"""
    shares = [induction_share(bundle, n_rows, period) for period in INDUCTION_PERIODS]
    rest = zip(INDUCTION_PERIODS[1:], shares[1:], strict=True)
    extra = ", ".join(f"period {period} {percent_down(share)}" for period, share in rest)
    n = n_rows * (INDUCTION_PERIODS[0] - 1)
    return Score(f"induction, random tokens, period {INDUCTION_PERIODS[0]}", shares[0], n, 0.95, extra)


@torch.inference_mode()
def induction_share(bundle: Bundle, n_rows: int, period: int) -> float:
    """The share of the second half's tokens that are the top prediction, without its first: nothing foretells it."""
    rows = questions.repeated_rows(bundle.tokenizer, 103, n_rows, period)
    batches = torch.from_numpy(rows).split(10)
    predicted = np.concatenate([bundle.model(ids, use_cache=False).logits.argmax(-1).numpy() for ids in batches])
    begin = period + 2
    return float((predicted[:, begin - 1 : -1] == rows[:, begin:]).mean())


def top_words(bundle: Bundle, skill: str, prompts: Sequence[tuple[str, str]], goal: float | None) -> Score:
    """Is the right word the top prediction? `extra` names the first few that are not."""
    answers = [bundle.token(f" {answer}") for _, answer in prompts]
    _, _, first = bundle.read([prompt for prompt, _ in prompts], [(answer,) for answer in answers])
    wrong = [number for number, (said, answer) in enumerate(zip(first, answers, strict=True)) if said != answer]
    missed = "; ".join(f"“{prompts[number][0]}” → {bundle.tokenizer.decode(first[number])!r}" for number in wrong[:3])
    return Score(skill, 1 - len(wrong) / len(prompts), len(prompts), goal, f"not {missed}" if missed else "")


def best_of(bundle: Bundle, skill: str, prompts: Sequence[tuple[str, str]], goal: float | None) -> Score:
    """Is the right word likelier than every other answer of the list? A new wording can leave open whether an answer
    comes at once ("stands in the middle of Paris"); `extra` tells how often it is the top prediction."""
    choices = sorted({answer for _, answer in prompts})
    ids = [bundle.token(f" {answer}") for answer in choices]
    logits, _, first = bundle.read([prompt for prompt, _ in prompts], [ids] * len(prompts))
    right = np.array([choices.index(answer) for _, answer in prompts])
    top = float((first == np.array(ids)[right]).mean())
    extra = f"of {len(choices)} answers; top prediction {percent_down(top)}"
    return Score(skill, float((logits.argmax(1) == right).mean()), len(prompts), goal, extra)


def preferences(bundle: Bundle, skill: str, asked: Sequence[Question], goal: float | None) -> Score:
    """Does the right word get a higher logit than the wrong one?"""
    columns = [(bundle.token(f" {one.answer}"), bundle.token(f" {one.wrong}")) for one in asked]
    logits, _, first = bundle.read([one.prompt for one in asked], columns)
    difference = logits[:, 0] - logits[:, 1]
    top = float((first == np.array(columns)[:, 0]).mean())
    extra = f"mean logit difference {difference.mean():.2f}; top prediction {percent_down(top)}"
    return Score(skill, float((difference > 0).mean()), len(asked), goal, extra)


def later_years(bundle: Bundle, n: int) -> list[Finding]:
    """The probability of all later two-digit endings together, and whether the likeliest ending is a later one."""
    rng = Random(107)
    asked = [year_prompt(rng, held_out=True) for _ in range(n)]
    endings = [bundle.token(f"{year:02d}") for year in range(100)]
    logits, probabilities, _ = bundle.read([prompt for prompt, _ in asked], [endings] * n)
    starts = np.array([start for _, start in asked])
    later = np.arange(100)[None] > starts[:, None]
    mass = (probabilities * later).sum(1)
    even = (99 - starts) / 100
    extra = f"an even guess among all endings would give {percent_down(float(even.mean()))}"
    return [
        Score("later years, their probability together", float(mass.mean()), n, 0.90, extra, kind="probability"),
        Score("later years, the likeliest ending", float((logits.argmax(1) > starts).mean()), n),
    ]


def canonical(bundle: Bundle) -> list[Finding]:
    """The well-known prompts: is the expected token first?"""
    answers = [bundle.token(expected) for _, expected in questions.CANONICAL]
    prompts = [prompt for prompt, _ in questions.CANONICAL]
    _, probabilities, first = bundle.read(prompts, [(answer,) for answer in answers])
    findings: list[Finding] = []
    for (prompt, expected), answer, p, said in zip(
        questions.CANONICAL, answers, probabilities[:, 0], first, strict=True
    ):
        found = "" if said == answer else f"; first is {bundle.tokenizer.decode(said)!r}"
        extra = f"probability {p:.3f}{found}"
        findings.append(Score(f"“{prompt}” → “{expected.strip()}”", float(said == answer), 1, 1.0, extra))
    return findings


def fits(probe: Probe, predicted: str, words: Mapping[str, frozenset[str]]) -> bool:
    """Whether a predicted token can stand right after the probe's beginning.

    A word begins with a space; a letter or digit without one would lengthen the word before it.
    """
    if not predicted or predicted[0].isalnum():
        return False
    return is_grammatical(probe, predicted.removeprefix(" "), words)


def everyday(bundle: Bundle) -> tuple[Reading, tuple[EverydayWord, ...]]:
    """Sentences of another kind than the corpus: can the first predicted word stand there?"""
    words = word_classes()
    _, _, first = bundle.read([probe.prompt for probe in PROBES], [(0,)] * len(PROBES))
    said = [bundle.tokenizer.decode(token) for token in first]
    found = tuple(
        EverydayWord(probe.prompt, text, fits(probe, text, words)) for probe, text in zip(PROBES, said, strict=True)
    )
    count = sum(one.fits for one in found)
    skill = "everyday sentences, a grammatical next word"
    return Reading(skill, count, len(found), low=EVERYDAY_GOAL, kind="count"), found


def measure_skills(bundle: Bundle, sizes: Sizes) -> list[Finding]:
    """All skills but the everyday sentences, in the order of the model card."""
    n = sizes.prompts
    he_or_she = "pronoun, he or she"
    return [
        *skills_giving.indirect_objects(bundle, sizes.pairs),
        skills_giving.new_templates(bundle, n),
        skills_giving.new_scenes(bundle, n),
        skills_giving.harder_stories(bundle, n),
        induction(bundle, sizes.rows),
        top_words(bundle, "capitals, the main wording", fact_sentences.capital_prompts(), 1.0),
        best_of(bundle, "capitals, wordings kept out", fact_sentences.held_out_capitals(), 0.90),
        top_words(bundle, "landmarks, the main wording", fact_sentences.landmark_prompts(), 1.0),
        best_of(bundle, "landmarks, wordings kept out", fact_sentences.held_out_landmarks(), 0.90),
        preferences(bundle, he_or_she, questions.pronouns(Random(104), n), 0.98),
        preferences(bundle, f"{he_or_she}, frames kept out", questions.pronouns(Random(109), n, new_frames=True), None),
        preferences(bundle, "agreement across a distractor, is or are", questions.agreement(Random(105), n), 0.97),
        top_words(
            bundle,
            "next in a sequence",
            [(one.prompt, one.answer) for one in questions.successors(Random(106), n)],
            1.0,
        ),
        *later_years(bundle, n),
        preferences(bundle, "copy suppression", questions.suppression(Random(108), n), None),
        *canonical(bundle),
    ]
