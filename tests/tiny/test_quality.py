"""The bundled weights reach the goals of the evaluation, and the model card tells of these weights."""

import json
import re

import numpy as np
import pytest

from resstream_demo.tiny import ASSETS
from resstream_demo.tiny.batches import TrainingBatches
from resstream_demo.tiny.measures.bundle import Bundle
from resstream_demo.tiny.measures.report import Amounts, evaluate
from resstream_demo.tiny.measures.scores import Score
from resstream_demo.tiny.measures.skills import Sizes
from resstream_demo.tiny.tokenizer import build_tokenizer
from resstream_demo.tiny.train import checksum

#: Less than the card is measured on, where that is much.
SAMPLE = Amounts(Sizes(pairs=4_000, prompts=1_000, rows=50), layer_prompts=20, rows=20, stories=30)
#: Goals that these weights miss, and what they reach all the same.
KNOWN_SHORT = {"indirect object, wordings kept out": 0.91, "heads that move names": 0}
CARD = (ASSETS / "README.md").read_text("utf-8")


@pytest.fixture(scope="module")
def report():
    return evaluate(Bundle.load(ASSETS), SAMPLE)


def card_row(text: str, column: int = 0) -> list[str]:
    """The cells of the only row of the card's tables with that text in that column."""
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in CARD.splitlines() if line.startswith("|")]
    found = [row for row in rows if row[column] == text]
    assert len(found) == 1, f"{text} stands in {len(found)} rows of the card"
    return found[0]


def test_goals_are_reached_but_for_those_known_to_be_missed(report):
    missed = {finding.skill: finding.value for finding in report.missed}
    assert set(missed) <= set(KNOWN_SHORT)
    assert {skill: value for skill, value in missed.items() if value < KNOWN_SHORT[skill]} == {}


def test_the_card_marks_what_is_missed_and_nothing_else():
    marked = [line.split("|")[2].strip() for line in CARD.splitlines() if line.startswith("| MISSED ")]
    assert set(marked) == set(KNOWN_SHORT)


def test_the_weights_were_trained_on_this_corpus():
    """A changed corpus needs new weights: the vocabulary and the first batch are those of the run."""
    run = json.loads((ASSETS / "config.json").read_text("utf-8"))["training"]
    tokenizer = build_tokenizer(run["seed"])
    assert checksum(tokenizer, TrainingBatches(tokenizer, run["seed"])) == run["data"]


def test_the_card_tells_the_shares_of_these_weights(report):
    """Only the pairs of names are a sample here, which differs a little from the whole."""
    shares = [finding for finding in report.findings if isinstance(finding, Score)]
    assert len(shares) > 15
    for finding in shares:
        skill = finding.skill.replace("a sample of the pairs of names", "all ordered pairs of names, both orders")
        told = float(card_row(skill, 1)[2].rstrip(" %")) / 100
        assert finding.share == pytest.approx(told, abs=0.01 if skill.startswith("indirect") else 0.002), skill


def test_the_card_tells_the_patterns_of_these_heads(report):
    for name, scores in (("previous", report.patterns.previous), ("induction", report.patterns.induction)):
        column = {"previous": 1, "induction": 3}[name]  # of the card's table of heads
        for (layer, head), score in np.ndenumerate(scores):
            assert float(card_row(f"L{layer}H{head}")[column]) == pytest.approx(score, abs=0.01)


def test_the_card_lists_what_the_model_says_after_the_everyday_sentences(report):
    for one in report.words:
        assert re.search(rf"^\| {re.escape(one.prompt)} +\| {re.escape(repr(one.predicted))} ", CARD, re.MULTILINE)


def test_the_card_is_in_the_hubs_form_and_says_what_a_reader_needs():
    front, body = CARD.removeprefix("---\n").split("\n---\n", 1)
    assert "license: mit" in front and "model-index:" in front and "pipeline_tag: text-generation" in front
    for heading in ("Data", "Architecture", "Training", "Evaluation", "Layers", "Circuits", "Intended use", "Limits"):
        assert f"\n## {heading}\n" in body
    assert "push_to_hub" in body and "@misc" in body and "do not read its facts as facts" in body
