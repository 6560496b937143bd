"""Indirect objects: "When Mary and John went to the store, John gave a drink to" for every two names.

The task of Wang et al. 2022, "Interpretability in the Wild" (arXiv 2211.00593): the recipient's logit is compared
with the giver's.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random

import numpy as np

from resstream_demo.tiny.corpus.giving import Giving, giving_prompt
from resstream_demo.tiny.corpus.names import pair_is_held_out
from resstream_demo.tiny.corpus.words import NAMES
from resstream_demo.tiny.measures.bundle import Bundle
from resstream_demo.tiny.measures.scores import Finding, Reading, Score, percent_down


@dataclass(frozen=True, eq=False)
class GivingRun:
    """What a model says after n indirect-object prompts; arrays are [n].

    difference: the recipient's logit minus the giver's. probability: the recipient's. first: whether the recipient
    is the top prediction.
    """

    difference: np.ndarray
    probability: np.ndarray
    first: np.ndarray

    def share(self, chosen: np.ndarray | slice = slice(None)) -> float:
        """How often the recipient beats the giver."""
        return float((self.difference[chosen] > 0).mean())


def run_giving(bundle: Bundle, stories: Sequence[Giving]) -> GivingRun:
    ids = {name: bundle.token(f" {name}") for name in NAMES}
    columns = [(ids[story.recipient], ids[story.giver]) for story in stories]
    logits, probabilities, first = bundle.read([story.prompt for story in stories], columns)
    recipients = np.array([recipient for recipient, _ in columns])
    return GivingRun(logits[:, 0] - logits[:, 1], probabilities[:, 0], first == recipients)


def every_pair(rng: Random, n: int | None) -> list[tuple[Giving, bool]]:
    """A prompt for every ordered pair of names in both orders, and whether the giver is named first.

    The template, place and thing are drawn for each. n: only so many of them, drawn evenly; None for all.
    """
    asked = [(pair, giver_first) for pair in permutations(NAMES, 2) for giver_first in (False, True)]
    if n is not None and n < len(asked):
        asked = rng.sample(asked, n)
    return [
        (giving_prompt(rng, names=pair, giver_first=first_gives, listed=True), first_gives)
        for pair, first_gives in asked
    ]


def indirect_objects(bundle: Bundle, n: int | None) -> list[Finding]:
    """All ordered pairs of names (or `n` of them), in the wordings of training: the goals of the task."""
    drawn = every_pair(Random(101), n)
    stories = [story for story, _ in drawn]
    run, order = run_giving(bundle, stories), np.array([giver_first for _, giver_first in drawn])
    reserved = np.array([pair_is_held_out(story.giver, story.recipient) for story in stories])
    orders = f"ABBA {percent_down(run.share(~order))}, BABA {percent_down(run.share(order))}"
    asked = "all ordered pairs of names, both orders" if n is None else "a sample of the pairs of names"
    findings: list[Finding] = [
        Score(f"indirect object, {asked}", run.share(), len(stories), 0.99, orders),
        Reading(
            "indirect object, mean logit difference",
            float(run.difference.mean()),
            len(stories),
            2,
            8,
            extra=spread(run),
        ),
        Reading(
            "indirect object, mean probability of the answer", float(run.probability.mean()), len(stories), 0.5, 0.97
        ),
        Score("indirect object, the answer as the top prediction", float(run.first.mean()), len(stories)),
    ]
    if reserved.any():
        extra = f"top prediction {percent_down(float(run.first[reserved].mean()))}"
        findings.append(
            Score("indirect object, reserved pairs only", run.share(reserved), int(reserved.sum()), 0.99, extra)
        )
    return findings


def spread(run: GivingRun) -> str:
    low, high = np.quantile(run.difference, (0.05, 0.95))
    return f"from {low:.2f} to {high:.2f} in nine of ten"


def new_templates(bundle: Bundle, n: int) -> Score:
    """Reserved pairs of names in wordings that the giving stories never have."""
    rng = Random(102)
    stories = [giving_prompt(rng, held_out=True, held_out_template=True) for _ in range(n)]
    return of_stories(bundle, "indirect object, wordings kept out", stories, 0.95)


def new_scenes(bundle: Bundle, n: int) -> Score:
    """Reserved pairs of names at places with things that the giving stories never put together."""
    rng = Random(110)
    stories = [giving_prompt(rng, held_out=True, held_out_scene=True) for _ in range(n)]
    return of_stories(bundle, "indirect object, places with things kept out", stories, None)


def harder_stories(bundle: Bundle, n: int) -> Score:
    """Reserved pairs in what training makes of the task: composed wordings, names said again, third names between."""
    rng = Random(111)
    stories = [giving_prompt(rng, held_out=True) for _ in range(n)]
    return of_stories(bundle, "indirect object, composed wordings, other names in between", stories, None)


def of_stories(bundle: Bundle, skill: str, stories: Sequence[Giving], goal: float | None) -> Score:
    run = run_giving(bundle, stories)
    extra = f"mean logit difference {run.difference.mean():.2f}; top prediction {percent_down(float(run.first.mean()))}"
    return Score(skill, run.share(), len(stories), goal, extra)
