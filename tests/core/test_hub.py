"""Fetching a model from the hub, against a stand-in on the loopback interface."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from huggingface_hub import close_session, constants
from transformers import BertConfig

from resstream_demo import load_model
from resstream_demo.core.errors import ModelError
from resstream_demo.core.settings import Settings
from tests.agreement import assert_agree
from tests.hub_standin import COMMIT, serve
from tests.models_under_test import CLEAN_TEXT, build, ids_of, reference, tokenizer
from tests.oracle import run

REPO = "openai-community/gpt2"
SETTINGS = replace(Settings(), hub_timeout=2)


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory) -> dict[str, bytes]:
    """The files of a small GPT-2 repository, with some that nobody needs."""
    folder = tmp_path_factory.mktemp("checkpoint")
    build("plain").save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    files = {file.name: file.read_bytes() for file in folder.iterdir()}
    return {**files, "README.md": b"# A model", "pytorch_model.bin": b"a pickle", "onnx/model.safetensors": b"other"}


@pytest.fixture
def hub(checkpoint, tmp_path, monkeypatch):
    """A running hub that the client asks, with an empty cache."""
    with serve(REPO, dict(checkpoint)) as running:
        monkeypatch.setattr(constants, "ENDPOINT", running.url)
        template = running.url + "/{repo_id}/resolve/{revision}/{filename}"
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        close_session()
        yield running
        close_session()


def load(name="gpt2", **options):
    return load_model(name, device="cpu", settings=SETTINGS, **options)


def refusal(name="gpt2", **options) -> str:
    """The sentence that a failed load gives, checked to be one for people."""
    with pytest.raises(ModelError) as caught:
        load(name, **options)
    message = str(caught.value)
    assert "gpt2" in message and message.endswith(".")
    assert not any(word in message for word in ("Traceback", "http://", "https://", "\n", "Error(")), message
    return message


def downloads(hub) -> list[str]:
    return [
        request.rpartition("/")[2] for request in hub.requests if request.startswith("GET") and "resolve" in request
    ]


# ---- what works ---------------------------------------------------------------------------------------------


def test_a_model_is_fetched_and_says_which_commit_it_is(hub):
    model = load()
    assert model.name == "gpt2" and model.revision == COMMIT
    assert_agree(model.logits(CLEAN_TEXT), run(reference("plain"), ids_of(CLEAN_TEXT)), what="logits", atol=1e-5)


def test_only_the_files_that_reading_needs_are_fetched_and_the_weights_last(hub):
    load()
    fetched = downloads(hub)
    assert fetched[0] == "config.json" and fetched[-1] == "model.safetensors"
    assert len(fetched) == len(set(fetched)) and not {"README.md", "pytorch_model.bin"} & set(fetched)


def test_progress_counts_the_bytes_of_all_files_up_to_the_whole(hub):
    steps = []
    load(progress=lambda sentence, share: steps.append((sentence, share)))
    shares = [share for sentence, share in steps if sentence.startswith("Downloading")]
    assert shares == sorted(shares) and shares[-1] == 1.0
    assert all("openai-community/gpt2" in sentence and "MB" in sentence for sentence, share in steps if share)


def test_a_second_load_asks_the_hub_nothing(hub):
    load()
    hub.requests.clear()
    assert load().revision == COMMIT
    assert hub.requests == []


def test_the_cache_serves_when_the_hub_is_down(hub):
    load()
    hub.mode = "down"
    assert load().revision == COMMIT


def test_a_commit_can_be_named_and_is_found_again_in_the_cache(hub):
    assert load(revision=COMMIT).revision == COMMIT
    hub.requests.clear()
    assert load(revision=COMMIT).revision == COMMIT
    assert hub.requests == []


def test_a_checkpoint_in_shards_is_fetched_whole(hub, tmp_path):
    build("plain").save_pretrained(tmp_path / "shards", max_shard_size="20KB")
    del hub.files["model.safetensors"]
    hub.files |= {file.name: file.read_bytes() for file in (tmp_path / "shards").iterdir()}
    assert_agree(load().logits(CLEAN_TEXT), run(reference("plain"), ids_of(CLEAN_TEXT)), what="logits", atol=1e-5)
    hub.mode = "down"
    load()


@pytest.mark.parametrize("lost", ["model.safetensors", "tokenizer.json", "config.json"])
def test_a_cache_that_lacks_a_file_is_completed(hub, lost):
    load()
    next(Path(constants.HF_HUB_CACHE).rglob(lost)).unlink()
    for blob in Path(constants.HF_HUB_CACHE).rglob("blobs/*"):
        blob.unlink() if blob.read_bytes() == hub.files[lost] else None
    hub.requests.clear()
    assert load().revision == COMMIT
    assert downloads(hub) == [lost]


def test_a_download_that_broke_off_is_not_taken_for_a_whole_one(hub):
    hub.mode = "cut short"
    refusal()
    hub.mode = "normal"
    hub.requests.clear()
    assert load().revision == COMMIT
    assert downloads(hub) == ["model.safetensors"], "what had arrived whole is kept"


# ---- what does not ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("not found", ("no repository", "Check the name")),
        ("private", ("refuses access", "401", "HF_TOKEN")),
        ("gated", ("gated", "terms", "HF_TOKEN")),
        ("down", ("503", "try again", "tiny")),
        ("silent", ("did not answer", "2 seconds", "tiny")),
        ("login page", ("not the hub", "login page", "tiny")),
        ("cut short", ("broke off", "Try again")),
    ],
)
def test_a_hub_that_does_not_give_the_model_gets_its_own_sentence_soon(hub, mode, words):
    hub.mode = mode
    started = time.monotonic()
    message = refusal()
    assert time.monotonic() - started < 10
    assert all(word in message for word in words), message


def test_a_connection_that_keeps_breaking_is_given_up(hub, monkeypatch):
    monkeypatch.setattr(time, "sleep", lambda seconds: None)  # the client waits a second between attempts
    hub.mode = "breaking off"
    assert "broke off" in refusal()
    assert downloads(hub).count("model.safetensors") > 1, "it tried to go on"


def test_a_hub_that_cannot_be_reached(hub, monkeypatch):
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    message = refusal()
    assert "could not be reached" in message and "tiny" in message


def test_being_offline_with_nothing_in_the_cache(hub, monkeypatch):
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    close_session()
    assert "HF_HUB_OFFLINE" in refusal()
    assert hub.requests == []


def test_being_offline_with_the_model_in_the_cache(hub, monkeypatch):
    load()
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    close_session()
    assert load().revision == COMMIT


def test_a_revision_that_does_not_exist(hub):
    message = refusal(revision="no-such-branch")
    assert "no-such-branch" in message and "revision" in message


def test_a_repository_with_pickles_only_is_refused_before_anything_is_fetched(hub):
    del hub.files["model.safetensors"], hub.files["onnx/model.safetensors"]
    message = refusal()
    assert "pickle" in message and "safetensors" in message
    assert downloads(hub) == []


def test_a_repository_without_tokenizer_is_refused_before_anything_is_fetched(hub):
    del hub.files["tokenizer.json"]
    assert "tokenizer" in refusal()
    assert downloads(hub) == []


def test_another_architecture_is_refused_before_its_weights_are_fetched(hub):
    hub.files["config.json"] = BertConfig().to_json_string().encode()
    assert "'bert'" in refusal()
    assert downloads(hub) == ["config.json"]


def test_damaged_weights_are_named_and_deleting_them_helps(hub):
    whole = hub.files["model.safetensors"]
    hub.files["model.safetensors"] = whole[:-1000]  # published like that: the length is right
    message = refusal()
    assert "damaged" in message
    damaged = Path(message.partition("Delete ")[2].partition(" and get")[0])
    assert damaged.read_bytes() == whole[:-1000]
    damaged.unlink()
    hub.files["model.safetensors"] = whole
    assert load().revision == COMMIT


def test_a_full_disk(hub, monkeypatch):
    import huggingface_hub.file_download as client

    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(client, "_download_to_tmp_and_move", full)
    message = refusal()
    assert "disk is full" in message and "Free" in message


def test_a_cache_that_cannot_be_written_to(hub, tmp_path, monkeypatch):
    (tmp_path / "a file").write_text("not a folder", "utf-8")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "a file" / "cache"))
    message = refusal()
    assert "cannot be written" in message and "HF_HOME" in message


# ---- auto ---------------------------------------------------------------------------------------------------


def test_auto_takes_the_default_model_from_the_hub(hub):
    model = load("auto")
    assert model.name == "gpt2" and model.note == ""


@pytest.mark.parametrize(("mode", "reason"), [("down", "503"), ("not found", "no repository"), ("silent", "2 seconds")])
def test_auto_falls_back_to_the_bundled_model_and_says_why(hub, mode, reason):
    hub.mode = mode
    with pytest.warns(UserWarning, match=reason):
        model = load("auto")
    assert model.name == "tiny" and "gpt2" in model.note and reason in model.note
    assert torch.is_tensor(model.trace("The cat").final)


# ---- through the environment, as a person does it -----------------------------------------------------------


def test_the_environment_names_the_hub_and_the_cache(checkpoint, tmp_path):
    script = "from resstream_demo import load_model; m = load_model('gpt2', device='cpu'); print(m.name, m.revision)"
    with serve(REPO, checkpoint) as running:
        env = {**os.environ, "HF_ENDPOINT": running.url, "HF_HOME": str(tmp_path), "NO_PROXY": "127.0.0.1"}
        for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_CACHE"):
            env.pop(name, None)
        first = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, timeout=120)
        assert first.stdout.split() == ["gpt2", COMMIT], first.stderr
        running.requests.clear()
        env["HF_HUB_OFFLINE"] = "1"
        again = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, timeout=120)
        assert again.stdout == first.stdout, again.stderr
        assert running.requests == []
