"""Everything one evaluation measures, and its lines as printed and as written into the model card."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from resstream_demo.core.models import wrap_model
from resstream_demo.core.names import head_label
from resstream_demo.tiny.measures import circuits, removal
from resstream_demo.tiny.measures.bundle import Bundle
from resstream_demo.tiny.measures.circuits import MoverScores, PatternScores, labels
from resstream_demo.tiny.measures.layer_importance import LayerImportance, measure_layers
from resstream_demo.tiny.measures.removal import Outcome, Removal
from resstream_demo.tiny.measures.scores import Finding, Reading, findings_table, percent_down, table
from resstream_demo.tiny.measures.skills import EverydayWord, Sizes, everyday, measure_skills
from resstream_demo.tiny.measures.tasks import all_tasks

MOVERS_WANTED = 2


@dataclass(frozen=True)
class Amounts:
    """How much is measured. sizes: for the skills. layer_prompts: for each task. rows: of random tokens for the
    attention patterns. stories: indirect-object prompts for the circuits, and as many others for means."""

    sizes: Sizes = Sizes()
    layer_prompts: int = 60
    rows: int = 20
    stories: int = 100


FULL = Amounts()
FAST = Amounts(Sizes(pairs=400, prompts=60, rows=5), layer_prompts=8, rows=3, stories=8)


@dataclass(frozen=True)
class Report:
    """The results, as measured."""

    findings: tuple[Finding, ...]
    words: tuple[EverydayWord, ...]
    layers: LayerImportance
    patterns: PatternScores
    movers: MoverScores
    removal: Removal

    @property
    def missed(self) -> tuple[Finding, ...]:
        """The findings whose goal is not reached."""
        return tuple(finding for finding in self.findings if finding.met is False)

    def skill_lines(self) -> list[str]:
        return findings_table(self.findings)

    def word_lines(self) -> list[str]:
        rows = [(one.prompt, repr(one.predicted), "yes" if one.fits else "no") for one in self.words]
        return table(("everyday sentence", "first predicted token", "grammatical"), rows)

    def head_lines(self) -> list[str]:
        """One row per head: every score."""
        header = (
            *("head", "previous token", "duplicate token", "induction", "to recipient", "to giver"),
            *("contribution", "copies", "copies negated", "effect of removal"),
        )
        scores = (
            *(self.patterns.previous, self.patterns.duplicate, self.patterns.induction),
            *(self.movers.to_recipient, self.movers.to_giver, self.movers.contribution),
            *(self.movers.copying, self.movers.copying_negated, self.removal.single),
        )
        signed = (5, 8)
        rows = [
            (head_label(*head), *(f"{x[head]:+.2f}" if n in signed else f"{x[head]:.2f}" for n, x in enumerate(scores)))
            for head in np.ndindex(self.movers.contribution.shape)
        ]
        return table(header, rows)

    def circuit_lines(self) -> list[str]:
        """What is so, in sentences."""
        scores, movers, gone = self.patterns, self.movers, self.removal
        whole = gone.curve[0]
        return [
            *(
                f"{name} heads (score above {circuits.PATTERN_HEAD:g}): {called(values)}."
                for name, values in (
                    ("Previous-token", scores.previous),
                    ("Duplicate-token", scores.duplicate),
                    ("Induction", scores.induction),
                )
            ),
            f"Name movers: {contributors(movers, movers.name_movers)}.",
            f"Negative name movers: {contributors(movers, movers.negative_movers)}.",
            f"Removing the top {len(gone.movers)} ({labels(gone.movers)}; name movers first, then by direct "
            f"contribution) changes the mean logit difference from {whole.difference:.2f} to "
            f"{gone.without_movers.difference:.2f}, and accuracy from {percent_down(whole.accuracy)} to "
            f"{percent_down(gone.without_movers.accuracy)}.",
            removable_sentence(gone),
            lens_sentence(movers),
        ]

    def curve_lines(self) -> list[str]:
        """Accuracy against the number of heads removed, where it changes."""
        curve = self.removal.curve
        kept = [k for k in range(len(curve)) if k in (0, len(curve) - 1) or changes_at(curve, k)]
        rows = [(str(k), percent_down(curve[k].accuracy), f"{curve[k].difference:.2f}") for k in kept]
        return table(("heads removed", "accuracy", "mean logit difference"), rows)

    def sections(self) -> list[tuple[str, list[str]]]:
        """(title, lines) of everything that is printed."""
        return [
            ("Skills", self.skill_lines()),
            ("Everyday sentences", self.word_lines()),
            ("Layers", self.layers.lines()),
            ("Heads", self.head_lines()),
            ("Circuits", self.circuit_lines()),
            ("Heads removed one after another", self.curve_lines()),
        ]


def called(scores: np.ndarray) -> str:
    """The heads above the threshold with their scores, or the highest one if there is none."""
    heads = circuits.ranked_heads(scores, scores > circuits.PATTERN_HEAD)
    if heads:
        return ", ".join(f"{head_label(*head)} {scores[head]:.2f}" for head in heads)
    best = tuple(int(n) for n in np.unravel_index(scores.argmax(), scores.shape))
    return f"none; the highest score is {scores[best]:.2f}, of {head_label(*best)}"


def contributors(movers: MoverScores, heads: Sequence[circuits.Head]) -> str:
    """Heads with what they write and where they look."""
    named = (
        f"{head_label(*head)} ({movers.contribution[head]:+.2f} logits directly, attention to the recipient "
        f"{movers.to_recipient[head]:.2f})"
        for head in heads
    )
    return ", ".join(named) or "none"


def lens_sentence(movers: MoverScores) -> str:
    if not movers.ranked:
        return f"The lens ranks the recipient first after no layer in any of {movers.n} prompts."
    return (
        f"The lens ranks the recipient first after some layer in {movers.ranked} of {movers.n} prompts; the first such "
        f"layer is {movers.first_layer:.2f} on average, layers counted from 0."
    )


def removable_sentence(gone: Removal) -> str:
    floor = percent_down(removal.ACCURACY_FLOOR)
    if gone.removable < 0:
        return f"With every head in place accuracy is below {floor} already."
    return (
        f"{gone.removable} of {len(gone.order)} heads can be removed, the least important first, before accuracy on "
        f"indirect objects falls under {floor}."
    )


def changes_at(curve: tuple[Outcome, ...], k: int) -> bool:
    """Whether the k-th removal is worth a row: it changes accuracy, or a round number of heads is gone."""
    return curve[k].accuracy != curve[k - 1].accuracy or k % 8 == 0


def evaluate(bundle: Bundle, amounts: Amounts = FULL) -> Report:
    """Measure everything."""
    skills = measure_skills(bundle, amounts.sizes)
    probed, words = everyday(bundle)
    model = wrap_model(bundle.model, bundle.tokenizer, name="tiny")
    layers = measure_layers(model, all_tasks(bundle, amounts.layer_prompts))
    stories = circuits.giving_examples(bundle.tokenizer, 302, amounts.stories)
    others = circuits.giving_examples(bundle.tokenizer, 303, amounts.stories)
    movers = circuits.measure_movers(model, stories)
    names = Reading(
        "heads that move names",
        len(movers.name_movers),
        movers.contribution.size,
        low=MOVERS_WANTED,
        extra=labels(movers.name_movers),
        kind="count",
    )
    return Report(
        findings=(*skills, probed, layers.finding(), names),
        words=words,
        layers=layers,
        patterns=circuits.measure_patterns(model, amounts.rows),
        movers=movers,
        removal=removal.measure_removal(model, stories, others, movers.strongest(removal.MOVERS_REMOVED)),
    )
