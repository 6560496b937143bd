"""Where models come from, and the sentence each kind of broken checkpoint gets."""

import json
import shutil

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import BertConfig, BertForMaskedLM

from resstream_demo import load_model
from resstream_demo.core.errors import ExplorerError, ModelError, OptionError
from resstream_demo.core.models import wrap_model
from tests.agreement import assert_agree
from tests.models_under_test import CLEAN_TEXT, SHAPES, build, explored, ids_of, reference, tokenizer
from tests.oracle import run


@pytest.fixture
def folder(tmp_path):
    """A checkpoint as `save_pretrained` leaves it, free to be damaged."""
    build("plain").save_pretrained(tmp_path / "checkpoint")
    tokenizer().save_pretrained(tmp_path / "checkpoint")
    return tmp_path / "checkpoint"


def refusal(name, **options) -> str:
    with pytest.raises(ModelError) as caught:
        load_model(str(name), device="cpu", **options)
    message = str(caught.value)
    assert isinstance(caught.value, ExplorerError) and message.endswith(".") and "Traceback" not in message
    return message


def edit_weights(folder, change):
    file = folder / "model.safetensors"
    weights = load_file(file)
    change(weights)
    save_file(weights, file, metadata={"format": "pt"})


# ---- what works ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [s for s in SHAPES if s not in ("unembedding bias", "bfloat16")])
def test_a_local_folder_is_the_model_that_was_saved(tmp_path, shape):
    build(shape).save_pretrained(tmp_path)
    tokenizer().save_pretrained(tmp_path)
    model = load_model(str(tmp_path), device="cpu")
    assert_agree(model.logits(CLEAN_TEXT), run(reference(shape), ids_of(CLEAN_TEXT)), what="logits", atol=1e-5)
    assert model.n_ctx == reference(shape).config.n_positions, "not the tokenizer's 1e30"
    assert model.self_check < 1e-4


def test_a_checkpoint_in_several_shards_is_read_whole(folder):
    shutil.rmtree(folder)
    build("plain").save_pretrained(folder, max_shard_size="20KB")
    tokenizer().save_pretrained(folder)
    assert len(list(folder.glob("*.safetensors"))) > 1
    own = run(reference("plain"), ids_of(CLEAN_TEXT))
    assert_agree(load_model(str(folder), device="cpu").logits(CLEAN_TEXT), own, what="logits", atol=1e-5)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_half_precision_is_loaded_on_request(folder, dtype):
    model = load_model(str(folder), device="cpu", dtype=dtype)
    assert dtype in str(model.dtype)
    assert model.trace(CLEAN_TEXT).final.dtype == getattr(torch, dtype)
    assert model.logits(CLEAN_TEXT).dtype == np.float32
    assert_agree(model.logits(CLEAN_TEXT), run(reference("plain"), ids_of(CLEAN_TEXT)), what="logits", atol=0.15)


def test_a_model_in_memory_is_wrapped_as_it_is():
    hf_model = build("plain")
    before = {name: tensor.clone() for name, tensor in hf_model.state_dict().items()}
    model = wrap_model(hf_model, tokenizer(), name="mine")
    assert model.name == "mine" and str(model.device) == "cpu" and "float32" in str(model.dtype)
    assert all(torch.equal(tensor, before[name]) for name, tensor in hf_model.state_dict().items())


@pytest.mark.parametrize("shape", SHAPES)
def test_the_engine_was_checked_against_the_models_own_forward(shape):
    assert 0 <= explored(shape).self_check < (0.2 if shape == "bfloat16" else 1e-4)


def test_a_model_whose_forward_the_engine_does_not_follow_is_refused():
    hf_model = build("plain")
    hf_model.transformer.h[1].register_forward_hook(lambda _, __, output: 1.01 * output)
    with pytest.raises(ModelError, match="plain-but-not-quite"):
        wrap_model(hf_model, tokenizer(), name="plain-but-not-quite")


# ---- what does not ------------------------------------------------------------------------------------------


def test_an_unknown_name_lists_the_known_ones_and_guesses():
    message = refusal("gtp2")
    assert "gtp2" in message and "gpt2" in message and "tiny" in message


@pytest.mark.parametrize("name", ["someone/some-model", "../nowhere", "/no/such/folder"])
def test_a_folder_that_does_not_exist_is_named(name):
    assert name.strip("./") in refusal(name)


def test_a_device_that_does_not_exist_is_named(folder):
    with pytest.raises(OptionError, match="abacus"):
        load_model(str(folder), device="abacus")


def test_a_dtype_that_does_not_exist_is_named(folder):
    with pytest.raises(OptionError, match="int8"):
        load_model(str(folder), dtype="int8")


def test_a_folder_without_config(folder):
    (folder / "config.json").unlink()
    assert "config.json" in refusal(folder)


def test_a_config_that_is_no_json(folder):
    (folder / "config.json").write_text("{", "utf-8")
    assert "config.json" in refusal(folder)


def test_a_pickle_is_never_opened(folder):
    weights = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    torch.save(weights, folder / "pytorch_model.bin")
    message = refusal(folder)
    assert "pickle" in message and "safetensors" in message


def test_a_pickle_beside_safetensors_is_not_read(folder):
    (folder / "pytorch_model.bin").write_bytes(b"not even a pickle")
    assert load_model(str(folder), device="cpu").n_layers == 3


def test_code_in_a_checkpoint_is_not_run(folder):
    marker = folder / "was_run"
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config["auto_map"] = {"AutoModelForCausalLM": "evil.Model", "AutoConfig": "evil.Config"}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    (folder / "evil.py").write_text(f"open({str(marker)!r}, 'w')", "utf-8")
    assert load_model(str(folder), device="cpu").n_layers == 3
    assert not marker.exists()


@pytest.mark.parametrize("damage", ["cut short", "garbage", "empty"])
def test_corrupt_weights(folder, damage):
    file = folder / "model.safetensors"
    content = file.read_bytes()
    kept = {"cut short": content[: len(content) // 2], "garbage": b"\x07" * len(content), "empty": b""}[damage]
    file.write_bytes(kept)
    assert str(folder.name) in refusal(folder)


def test_weights_with_a_tensor_missing_are_refused_not_filled_with_random_numbers(folder):
    edit_weights(folder, lambda weights: weights.pop("transformer.h.1.mlp.c_fc.weight"))
    assert "h.1.mlp.c_fc.weight" in refusal(folder)


def test_weights_of_the_wrong_shape_are_refused(folder):
    edit_weights(folder, lambda weights: weights.update({"transformer.ln_f.weight": torch.ones(5)}))
    assert "ln_f.weight" in refusal(folder)


def test_weights_that_are_not_finite_are_refused(folder):
    edit_weights(folder, lambda weights: weights["transformer.h.0.mlp.c_fc.bias"].fill_(float("nan")))
    assert "finite" in refusal(folder)


def test_a_missing_shard_is_refused(folder):
    shutil.rmtree(folder)
    build("plain").save_pretrained(folder, max_shard_size="20KB")
    tokenizer().save_pretrained(folder)
    sorted(folder.glob("*.safetensors"))[-1].unlink()
    assert str(folder.name) in refusal(folder)


def test_another_architecture_is_named(tmp_path):
    sizes = dict(hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32, vocab_size=50)
    BertForMaskedLM(BertConfig(**sizes)).save_pretrained(tmp_path)
    tokenizer().save_pretrained(tmp_path)
    message = refusal(tmp_path)
    assert "bert" in message and "gpt2" in message


def test_a_bert_in_memory_is_refused():
    sizes = dict(hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32, vocab_size=50)
    with pytest.raises(ModelError, match="bert"):
        wrap_model(BertForMaskedLM(BertConfig(**sizes)), tokenizer())


def test_a_missing_tokenizer(folder):
    for file in ("tokenizer.json", "tokenizer_config.json"):
        (folder / file).unlink()
    assert "tokenizer" in refusal(folder)


def test_a_corrupt_tokenizer(folder):
    (folder / "tokenizer.json").write_text("{", "utf-8")
    assert "tokenizer" in refusal(folder)


def test_the_hub_being_out_of_reach_is_said():
    message = refusal("gpt2-xl")
    assert "gpt2-xl" in message and "tiny" in message


def test_memory_that_runs_out_at_load_has_its_own_sentence(monkeypatch):
    """The CPU's allocator raises a plain RuntimeError, so it is a real one that is raised here."""
    from transformers import AutoModelForCausalLM

    monkeypatch.setattr(AutoModelForCausalLM, "from_pretrained", lambda *args, **kwargs: torch.empty(10**15))
    with pytest.raises(ModelError, match="not enough memory for tiny. Choose a smaller model"):
        load_model("tiny")


def test_a_revision_belongs_to_the_hub():
    with pytest.raises(OptionError, match="revision belongs to a model from the hub; “tiny” is not one"):
        load_model("tiny", revision="main")


def test_a_prompt_or_trace_of_another_model_is_refused():
    tiny, other = load_model("tiny"), explored("plain")
    with pytest.raises(ExplorerError, match="tokenised for another model"):
        tiny.prompt(other.tokenize(CLEAN_TEXT))
    with pytest.raises(ExplorerError):
        tiny.trace(other.trace(CLEAN_TEXT))
    mine = tiny.tokenize(CLEAN_TEXT)
    assert tiny.prompt(mine) is mine
