"""Training is reproducible step by step, goes on where it was interrupted, and learns."""

import json
import subprocess
import sys
from itertools import combinations

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from resstream_demo.tiny import batches, train
from resstream_demo.tiny.batches import IGNORED, TrainingBatches
from resstream_demo.tiny.checkpoints import Checkpoint
from resstream_demo.tiny.optimizers import FINAL_SHARE, rate_share
from resstream_demo.tiny.tokenizer import build_tokenizer

SMALL_SHAPES = (batches.BatchShape(4, 24, 1.0),)


@pytest.fixture(scope="module")
def tokenizer():
    return build_tokenizer(0)


@pytest.fixture
def small(monkeypatch):
    """Runs of a few rows on one thread, saved after every second step."""
    monkeypatch.setattr(batches, "SHAPES", SMALL_SHAPES)
    monkeypatch.setattr(train, "THREADS", 1)
    monkeypatch.setattr(train, "SAVE_EVERY", 2)


def weights(model) -> torch.Tensor:
    return torch.cat([p.detach().flatten() for p in model.parameters()])


def test_a_batch_depends_on_its_number_and_the_seed_alone(tokenizer):
    one, other = TrainingBatches(tokenizer, 3), TrainingBatches(tokenizer, 3)
    other.batch(0)
    for left, right in zip(one.batch(5), other.batch(5), strict=True):
        assert torch.equal(left, right)
    rows = {(seed, n): TrainingBatches(tokenizer, seed).batch(n)[0][:16, :64] for seed in (3, 4) for n in range(6)}
    for a, b in combinations(rows, 2):
        assert (rows[a] != rows[b]).any(1).all(), f"batches {a} and {b} share a row"


def test_a_fifth_of_the_rows_are_repeated_random_tokens_and_nothing_else_is_skipped(tokenizer):
    source = TrainingBatches(tokenizer, 0)
    random_rows = names_rows = rows = 0
    for number in range(30):
        ids, labels = source.batch(number)
        assert (ids[:, 0] == tokenizer.bos_token_id).all()
        repeated = labels[:, 1] == IGNORED
        assert torch.equal(ids[~repeated], labels[~repeated])
        names = np.isin(ids[repeated][:, 1:4], source._names).all(1)
        random_rows, names_rows, rows = random_rows + (~names).sum(), names_rows + names.sum(), rows + len(ids)
    assert 0.15 < random_rows / rows < 0.26
    assert 0 < names_rows < random_rows


def test_a_repeated_row_says_its_period_again_and_asks_for_nothing_unforeseeable():
    rng = np.random.default_rng(1)
    row = batches.repeated_row(rng, 999, np.arange(500), 30, 7)
    assert row[0] == 999 and (row[1:23] == row[8:30]).all()
    labels = batches.repeated_labels(row, 7)
    assert (labels[:9] == IGNORED).all() and (labels[9:] == row[9:]).all()


def test_the_rate_rises_then_falls_to_its_last_share():
    shares = [rate_share(step, 1_000) for step in range(1_000)]
    assert shares[0] < 0.05 and max(shares) == pytest.approx(1) and shares[-1] == pytest.approx(FINAL_SHARE, rel=0.01)
    assert shares[:50] == sorted(shares[:50]) and shares[50:] == sorted(shares[50:], reverse=True)


def test_an_interrupted_run_ends_with_the_same_weights_as_one_that_was_not(small, tmp_path, monkeypatch):
    whole = weights(train.train(5, 1, tmp_path / "whole", Checkpoint(tmp_path / "a.pt")))
    checkpoint = Checkpoint(tmp_path / "b.pt")
    loss = train.next_token_losses
    calls = []

    def dies_in_the_fourth_step(*args):
        calls.append(args)
        if len(calls) == 4:
            raise KeyboardInterrupt
        return loss(*args)

    monkeypatch.setattr(train, "next_token_losses", dies_in_the_fourth_step)
    with pytest.raises(KeyboardInterrupt):
        train.train(5, 1, tmp_path / "broken", checkpoint)
    assert checkpoint.path.exists() and not (tmp_path / "broken").exists()
    resumed = weights(train.train(5, 1, tmp_path / "broken", checkpoint))
    assert len(calls) == 4 + 3  # steps 3, 4 and 5 again
    assert torch.allclose(resumed, whole, atol=1e-6)
    assert not checkpoint.path.exists() and not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "cannot be read"), (b"not a checkpoint", "cannot be read"), ("other plan", "is of another run")],
)
def test_a_checkpoint_that_does_not_fit_is_refused_in_one_sentence(small, tmp_path, content, said):
    path = tmp_path / "c.pt"
    path.write_bytes(content) if isinstance(content, bytes) else torch.save({"plan": {"steps": 9, "seed": 0}}, path)
    with pytest.raises(SystemExit, match=said) as error:
        train.train(5, 1, tmp_path / "out", Checkpoint(path))
    assert "--restart" in str(error.value) and str(path) in str(error.value)


def test_another_corpus_is_another_plan(small, tmp_path, monkeypatch):
    """A run does not go on with text that it did not begin with."""
    path = tmp_path / "d.pt"
    monkeypatch.setattr(train, "SAVE_EVERY", 1)
    monkeypatch.setattr(Checkpoint, "remove", lambda self: None)
    train.train(1, 1, tmp_path / "out", Checkpoint(path))
    assert json.loads((tmp_path / "out" / "config.json").read_text())["training"]["steps"] == 1
    monkeypatch.setattr(batches, "REPEATED_SHARE", 0.9)
    with pytest.raises(SystemExit, match="another version of the corpus"):
        train.train(1, 1, tmp_path / "out", Checkpoint(path))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--quick"], "say with --out"),
        (["--steps", "10"], "say with --out"),
        (["--steps", "0", "--out", "x"], "not a whole number from 1 on"),
        (["--steps", "-1", "--out", "x"], "not a whole number from 1 on"),
        (["--seed", "-1"], "not a whole number from 0 on"),
        (["--quick", "--steps", "5", "--out", "x"], "not allowed with"),
    ],
)
def test_odd_options_are_refused(capsys, options, said):
    with pytest.raises(SystemExit) as error:
        train.main(options)
    assert error.value.code == 2 and said in capsys.readouterr().err


def test_the_quick_run_learns(tmp_path):
    """Two minutes of training from the command line: grammar and copying begin, and the files are usable."""
    command = [sys.executable, "-m", "resstream_demo.tiny.train", "--quick", "--out", str(tmp_path / "quick")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=1_800)
    assert run.returncode == 0, run.stderr[-2_000:]
    model = AutoModelForCausalLM.from_pretrained(tmp_path / "quick", dtype=torch.float32).eval()
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "quick")
    ids, labels = TrainingBatches(tokenizer, seed=12_345).batch(0)
    text = labels[:, 1] != IGNORED
    with torch.no_grad():
        loss = model(ids[text], labels=ids[text]).loss.item()
    print(f"loss after the quick run: {loss:.2f} nats a token")
    assert loss < 0.5 * np.log(len(tokenizer))  # an even guess loses log V; a guess by frequency alone about 0.7 log V
