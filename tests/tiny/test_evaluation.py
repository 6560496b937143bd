"""What the bundled model's evaluation measures, prints, marks and writes down."""

import dataclasses
import math
import re
from itertools import permutations
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
import torch
import yaml
from transformers import AutoModelForCausalLM, AutoTokenizer

from resstream_demo.core.models import wrap_model
from resstream_demo.tiny import ASSETS, evaluate
from resstream_demo.tiny.corpus.lexicon import word_classes
from resstream_demo.tiny.corpus.words import NAMES
from resstream_demo.tiny.measures import card, layer_importance, questions, report, skills, skills_giving
from resstream_demo.tiny.measures.bundle import Bundle
from resstream_demo.tiny.measures.probes import Probe
from resstream_demo.tiny.measures.scores import Reading, Score, percent_down, table
from resstream_demo.tiny.measures.tasks import Example, Task, difference
from tests import models_under_test

PROMPTS = (
    "The capital of France is",
    "When Mary and John went to the store, John gave a drink to",
    "The keys on the table",
    "The capital of Italy is",
    "Hello",
    "The capital of Spain is",
)


@pytest.fixture(scope="module")
def bundle():
    return Bundle.load(ASSETS)


@pytest.fixture(scope="module")
def measured(bundle):
    return report.evaluate(bundle, report.FAST)


@pytest.fixture(scope="module")
def alone():
    """Logits after one prompt by itself, from the model as its folder says."""
    model = AutoModelForCausalLM.from_pretrained(ASSETS, dtype=torch.float32, local_files_only=True).eval()
    tokenizer = AutoTokenizer.from_pretrained(ASSETS, local_files_only=True)

    def run(prompt: str) -> np.ndarray:
        with torch.no_grad():
            return model(torch.tensor([[tokenizer.bos_token_id, *tokenizer.encode(prompt)]])).logits[0, -1].numpy()

    return run


# --- many prompts at once ------------------------------------------------------------------------------------


def test_prompts_run_together_give_each_the_logits_it_has_alone(bundle, alone, monkeypatch):
    monkeypatch.setattr(
        "resstream_demo.tiny.measures.bundle.BATCH_TOKENS", 12
    )  # so that equal lengths need several batches
    seen = {}
    for numbers, logits in bundle.batches(PROMPTS):
        assert len(numbers) == len(logits)
        seen |= dict(zip(numbers.tolist(), logits.numpy(), strict=True))
    assert sorted(seen) == list(range(len(PROMPTS)))
    for number, prompt in enumerate(PROMPTS):
        np.testing.assert_allclose(seen[number], alone(prompt), atol=2e-4)


def test_what_is_read_belongs_to_its_prompt_and_its_columns(bundle, alone):
    likeliest = [int(alone(prompt).argmax()) for prompt in PROMPTS]
    columns = [(number, token) for number, token in enumerate(likeliest)]
    logits, probabilities, first = bundle.read(PROMPTS, columns)
    for number, prompt in enumerate(PROMPTS):
        whole = alone(prompt)
        shares = torch.from_numpy(whole).softmax(-1).numpy()
        np.testing.assert_allclose(logits[number], whole[list(columns[number])], atol=2e-4)
        np.testing.assert_allclose(probabilities[number], shares[list(columns[number])], atol=1e-5)
        assert first[number] == whole.argmax()


def test_a_word_of_several_tokens_is_refused(bundle):
    with pytest.raises(ValueError, match="not one token"):
        bundle.token(" Mary went home")


# --- scores and their goals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("finding", "met"),
    [
        (Score("s", 0.99, 100, 0.99), True),
        (Score("s", 0.9899, 10_000, 0.99), False),
        (Score("s", 0.2, 10), None),
        (Reading("r", 2.0, 10, 2, 8), True),
        (Reading("r", 8.01, 10, 2, 8), False),
        (Reading("r", 1.99, 10, 2, 8), False),
        (Reading("r", 5, 6, low=5), True),
        (Reading("r", 4, 6, low=5), False),
        (Reading("r", 9, 6, high=5), False),
        (Reading("r", 9, 6), None),
    ],
)
def test_a_goal_is_met_at_its_bound_and_not_below(finding, met):
    assert finding.met is met
    assert finding.row()[0] == {True: "met", False: "MISSED", None: ""}[met]


def test_a_share_short_of_everything_never_reads_as_everything():
    assert percent_down(82_823 / 82_824) == "99.99 %"
    assert percent_down(1.0) == "100.00 %"
    assert percent_down(0.29) == "29.00 %"  # 0.29 in binary is a hair less


def test_a_table_keeps_its_columns_whatever_stands_in_them():
    lines = table(("a", "b"), [("x|y", "1"), ("line\nbreak", "22")])
    assert lines[2].count("|") - lines[2].count("\\|") == 3
    assert len({len(line) for line in lines}) == 1 and not any("\n" in line for line in lines)


# --- what is asked -------------------------------------------------------------------------------------------


def test_every_ordered_pair_of_names_is_asked_about_in_both_orders():
    drawn = skills_giving.every_pair(Random(0), None)
    asked = {(story.giver, story.recipient, giver_first) for story, giver_first in drawn}
    assert asked == {(*pair, order) for pair in permutations(NAMES, 2) for order in (True, False)}
    assert len(drawn) == len(asked)
    for story, giver_first in drawn[:200]:
        giver, recipient = (re.search(rf"\b{name}\b", story.prompt).start() for name in (story.giver, story.recipient))
        assert (giver < recipient) == giver_first


def test_a_sample_of_the_pairs_has_the_size_asked_for():
    assert len({(s.giver, s.recipient, order) for s, order in skills_giving.every_pair(Random(0), 50)}) == 50


def test_random_tokens_are_said_twice_and_none_of_them_begins_a_text(bundle):
    rows = questions.repeated_rows(bundle.tokenizer, 5, 40, 30)
    bos = bundle.tokenizer.bos_token_id
    assert rows.shape == (40, 61)
    assert (rows[:, 0] == bos).all() and (rows[:, 1:] != bos).all()
    assert (rows[:, 1:31] == rows[:, 31:]).all()
    assert len(np.unique(rows)) > 1000


def test_a_fact_is_set_against_another_answer():
    asked = questions.against_each_other([("p", "Paris"), ("q", "Paris"), ("r", "Rome")])
    assert [(one.answer, one.wrong) for one in asked] == [("Paris", "Rome"), ("Paris", "Rome"), ("Rome", "Paris")]


class _Copier(torch.nn.Module):
    """Predicts what came after the last token's earlier copy, or `offset` places from there."""

    def __init__(self, vocab: int, period: int, offset: int = 0):
        super().__init__()
        self.vocab, self.period, self.offset = vocab, period, offset

    def forward(self, ids, use_cache=False):
        said = torch.roll(ids, self.period - 1 - self.offset, dims=1)
        said[:, self.period] = 0  # nothing says that the tokens begin again, nor with which
        return SimpleNamespace(logits=torch.nn.functional.one_hot(said, self.vocab).float())


def test_induction_is_the_share_of_tokens_copied_from_the_first_half(bundle):
    vocab = len(bundle.tokenizer)
    perfect, shifted = (Bundle(_Copier(vocab, 30, offset), bundle.tokenizer) for offset in (0, 1))
    assert skills.induction_share(perfect, 12, 30) == 1.0
    assert skills.induction_share(shifted, 12, 30) < 0.01


def test_only_a_whole_word_of_a_fitting_class_is_grammatical():
    words, probe = word_classes(), Probe("The bird flew over the", ("noun_singular",))
    noun = next(word for word in sorted(words["noun_singular"]) if word.islower())
    assert skills.fits(probe, f" {noun}", words)
    assert not skills.fits(probe, noun, words)  # it would lengthen "the"
    assert not skills.fits(probe, " quickly", words)
    assert not skills.fits(probe, "", words)
    assert skills.fits(Probe("She ran", ("punctuation",)), ".", words)


# --- layers --------------------------------------------------------------------------------------------------


def _silent_in(layer: int):
    """A random model whose `layer` writes nothing."""
    hf_model = models_under_test.build("plain")
    with torch.no_grad():
        for module in (hf_model.transformer.h[layer].attn.c_proj, hf_model.transformer.h[layer].mlp.c_proj):
            module.weight.zero_()
            module.bias.zero_()
    return wrap_model(hf_model, models_under_test.tokenizer(), name="silent")


def _task(model) -> Task:
    draw = np.random.default_rng(0)
    rows = draw.integers(1, 20, size=(6, 7)).tolist()
    return Task("made up", tuple(Example(tuple(row), (3,), (4, 5)) for row in rows[:3]), tuple(map(tuple, rows[3:])))


def test_a_layer_that_writes_nothing_is_not_missed_and_the_others_are():
    model = _silent_in(1)
    measured = layer_importance.measure_layers(model, [_task(model)])
    assert measured.change.shape == (3, 1)
    assert abs(measured.change[1, 0]) < 1e-5
    assert (np.abs(measured.change[[0, 2], 0]) > 0.01).all()
    assert 1 not in measured.busy and measured.busy


def test_a_layer_is_replaced_by_its_means_position_0_apart():
    model = _silent_in(2)
    task = _task(model)
    means = layer_importance.mean_writes(model, task.reference)
    runs = [model.trace(ids) for ids in task.reference]
    stacked = torch.stack([run.mlp_out for run in runs])  # [prompts, L, T, d_model]
    torch.testing.assert_close(means["mlp_out"][0], stacked[:, :, 0].mean(0))
    torch.testing.assert_close(means["mlp_out"][1], stacked[:, :, 1:].mean((0, 2)))

    # The last layer that writes, replaced by hand: its writes are the stream's last parts.
    example = task.examples[0]
    run = model.trace(example.ids)
    final = run.resid_pre[1, -1] + means["attn_out"][1][1] + means["mlp_out"][1][1]
    logits = model.adapter.unembed(model.adapter.final_norm(final))
    expected = logits[3] - logits[[4, 5]].logsumexp(0)
    one = dataclasses.replace(task, examples=task.examples[:1])
    assert layer_importance.measure_layers(model, [one]).ablated[1, 0] == pytest.approx(expected.item(), abs=1e-4)


def test_a_difference_of_single_tokens_is_the_plain_logit_difference():
    model = _silent_in(0)
    run = model.trace([1, 2, 3])
    found = difference(model.adapter, Example((1, 2, 3), (7,), (9,)))(run.final[None])
    logits = model.logits([1, 2, 3])[-1]
    assert found.item() == pytest.approx(logits[7] - logits[9], abs=1e-4)


# --- the command and the card --------------------------------------------------------------------------------


def _with(measured, *findings):
    return dataclasses.replace(measured, findings=findings)


@pytest.mark.parametrize(
    ("options", "share", "status"),
    [(["--check"], 0.5, 1), (["--check"], 1.0, 0), ([], 0.5, 0)],
)
def test_the_exit_status_tells_a_missed_goal_only_when_asked(monkeypatch, capsys, measured, options, share, status):
    reached = _with(measured, Score("fine", 1.0, 3, 1.0), Score("in question", share, 2, 0.9))
    monkeypatch.setattr(evaluate, "evaluate", lambda bundle, amounts: reached)
    assert evaluate.main(options) == status
    printed = capsys.readouterr().out
    assert ("Missed: in question" in printed) == (share < 0.9)


def test_a_quick_look_is_not_written_into_the_card(capsys):
    with pytest.raises(SystemExit):
        evaluate.main(["--fast", "--card"])
    assert "--fast" in capsys.readouterr().err


def test_everything_measured_is_printed(monkeypatch, capsys, measured):
    monkeypatch.setattr(evaluate, "evaluate", lambda bundle, amounts: measured)
    evaluate.main(["--fast"])
    printed = capsys.readouterr().out.splitlines()
    assert len(measured.words) == 30
    for _, lines in measured.sections():
        assert set(lines) <= set(printed)
    for finding in measured.findings:
        assert any(finding.skill in line for line in printed)


def test_the_card_holds_every_printed_line(bundle, measured):
    text = card.card_text(bundle.model.config, measured)
    for _, lines in measured.sections():
        for line in lines:
            assert line in text


def test_the_card_gives_the_hub_every_finding(bundle, measured):
    _, front, body = card.card_text(bundle.model.config, measured).split("---\n", 2)
    data = yaml.safe_load(front)
    assert (data["license"], data["library_name"], data["pipeline_tag"]) == ("mit", "transformers", "text-generation")
    metrics = [metric for result in data["model-index"][0]["results"] for metric in result["metrics"]]
    expected = {finding.skill: math.floor(finding.value * 10_000 + 1e-7) / 10_000 for finding in measured.findings}
    assert {metric["name"]: metric["value"] for metric in metrics} == expected
    for heading in ("Data", "Architecture", "Training", "Evaluation", "Layers", "Circuits", "Intended use", "Limits"):
        assert f"\n## {heading}\n" in body
    assert "do not read its facts as facts" in body and "push_to_hub" in body


def test_the_shares_of_the_kinds_of_text_add_up():
    shares = [float(line.split("|")[2].strip(" %")) for line in card.family_lines()[2:]]
    assert sum(shares) == pytest.approx(100, abs=0.05 * len(shares))


def test_the_card_is_written_beside_the_model(tmp_path, measured):
    (tmp_path / "config.json").write_text((ASSETS / "config.json").read_text("utf-8"), "utf-8")
    card.write_card(tmp_path, measured)
    assert "`gelu_new`" in (tmp_path / "README.md").read_text("utf-8")  # as stored, not as measured
