"""Arguments of odd types and values are refused with a sentence, or mean what they look like: never something else."""

import dataclasses
import json

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from resstream_demo import direct_logit_attribution, head_ablation, load_model, logit_lens
from resstream_demo.core.errors import ExplorerError, ModelError, OptionError, PromptError, TokenError
from resstream_demo.core.models import TINY_FOLDER, wrap_model
from resstream_demo.core.settings import Settings
from resstream_demo.core.tokens import AnswerToken, Prompt
from tests.models_under_test import CLEAN_TEXT, build, explored, tokenizer


@pytest.fixture
def model():
    return explored("plain")


def ablate(model, **options):
    return head_ablation(model, CLEAN_TEXT, " Mary", " John", **options)


def test_one_target_given_as_a_text_is_one_target(model):
    assert [t.text for t in logit_lens(model, CLEAN_TEXT, targets=" Mary").targets] == [" Mary"]


@pytest.mark.parametrize(
    "reference", [["One prompt.", "Another prompt."], ("x", "abcdef"), ("x", []), 5, ("", ["a b"]), ["x"]]
)
def test_prompts_without_a_name_are_no_reference_set(model, reference):
    with pytest.raises(OptionError, match="reference set"):
        ablate(model, kind="mean", reference=reference)


@pytest.mark.parametrize(
    "prompt", [b"abc", None, 5, 1.5, {"a": 1}, "", [], [1.5], [True], [-1], [10**9], torch.tensor(1.5)]
)
def test_what_is_no_prompt_is_refused(model, prompt):
    with pytest.raises(PromptError):
        logit_lens(model, prompt)


@pytest.mark.parametrize("ids", [np.array([1, 2, 3]), torch.tensor([1, 2, 3]), (1, np.int64(2), 3), range(1, 4)])
def test_ids_may_come_in_any_list_of_whole_numbers(model, ids):
    assert model.prompt(ids).ids == (1, 2, 3)


@pytest.mark.parametrize(
    "spec",
    [5.5, True, None, b"x", np.array(5.5), torch.tensor(5.5), torch.tensor(True), np.array([3, 4]), "#" + "1" * 50],
)
def test_what_is_no_token_is_refused(model, spec):
    with pytest.raises(TokenError):
        model.answer(spec)


def test_a_token_of_another_model_is_refused(model):
    with pytest.raises(TokenError, match="There is no token 99999"):
        model.answer(AnswerToken(99999, "x", "x"))


@pytest.mark.parametrize("bos", ["no", "false", 0, 1, None, float("nan")])
def test_bos_is_true_or_false_and_nothing_that_looks_like_it(model, bos):
    with pytest.raises(PromptError, match="bos is True or False"):
        logit_lens(model, CLEAN_TEXT, bos=bos)


@pytest.mark.parametrize("bad", [Prompt("", (), (), False), Prompt("x", (-1,), ("x",), False)])
def test_a_prompt_made_by_hand_is_checked(model, bad):
    with pytest.raises(PromptError):
        logit_lens(model, bad)


def test_a_trace_of_a_model_of_the_same_shape_is_refused(model):
    twin = wrap_model(build("plain", seed=5), tokenizer())
    with pytest.raises(PromptError, match="another model"):
        ablate(model, kind="resample", reference=twin.trace(CLEAN_TEXT))


@pytest.mark.parametrize(
    "options",
    [
        {"heads": None}, {"heads": 5}, {"heads": [(float("inf"), 0)]}, {"heads": [(0.9, 1.9)]}, {"heads": np.array(5)},
        {"positions": [float("inf")]}, {"positions": np.array(5)}, {"positions": {0: 1}}, {"kind": np.array(["zero"])},
    ],
)  # fmt: skip
def test_odd_options_are_refused(model, options):
    with pytest.raises(OptionError):
        ablate(model, **options)


def test_heads_may_be_an_array(model):
    assert ablate(model, heads=np.array([[0, 1], [2, 3]])).heads == ((0, 1), (2, 3))


@pytest.mark.parametrize("options", [{"sites": None}, {"sites": 5}, {"targets": None}, {"targets": 5}, {"top_k": 0}])
def test_odd_options_of_the_lens_are_refused(model, options):
    with pytest.raises(OptionError):
        logit_lens(model, CLEAN_TEXT, **options)


@pytest.mark.parametrize("k", [0, -1, None, 1.5])
def test_top_takes_a_whole_number_of_at_least_one(model, k):
    for result in (logit_lens(model, CLEAN_TEXT), direct_logit_attribution(model, CLEAN_TEXT, " Mary"), ablate(model)):
        with pytest.raises(OptionError, match="at least 1"):
            result.top(k)


@pytest.mark.parametrize("name", [[], {}, None, 5, b"tiny"])
def test_a_models_name_is_a_text(name):
    with pytest.raises(OptionError):
        load_model(name)


@pytest.mark.parametrize("name", ["", "x" * 300, "./" + "x" * 300, "~nobody-of-that-name/x"])
def test_a_name_that_is_no_folder_is_refused(name):
    with pytest.raises(ModelError):
        load_model(name)


@pytest.mark.parametrize(
    "device", [None, True, 0.5, [], 10**30, "hpu", "privateuseone", "meta", "cuda:99", "x" * 10**5]
)
def test_a_device_that_is_not_there_is_refused_in_a_short_sentence(device):
    with pytest.raises(OptionError) as caught:
        load_model("tiny", device=device)
    assert len(str(caught.value)) < 200


def test_a_folder_may_be_a_path():
    assert load_model(TINY_FOLDER).n_layers == load_model("tiny").n_layers


def test_auto_cannot_stand_for_itself():
    with pytest.raises(OptionError, match="RESSTREAM_DEFAULT_MODEL"):
        load_model("auto", settings=Settings(default_model="auto"))


@pytest.fixture
def folder(tmp_path):
    build("plain").save_pretrained(tmp_path)
    tokenizer().save_pretrained(tmp_path)
    return tmp_path


@pytest.mark.parametrize("n_layer", [0, 1, 2])
def test_layers_that_config_json_does_not_count_are_not_dropped_in_silence(folder, n_layer):
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "n_layer": n_layer}))
    with pytest.raises(ModelError, match=r"tensors not used: .*h\.\d"):
        load_model(str(folder))


def test_causal_masks_of_old_checkpoints_are_no_layers(folder):
    weights = load_file(folder / "model.safetensors")
    masks = {f"transformer.h.{layer}.attn.bias": torch.ones(1, 1, 4, 4) for layer in range(3)}
    masks |= {f"transformer.h.{layer}.attn.masked_bias": torch.tensor(-1e4) for layer in range(3)}
    save_file({**weights, **masks}, folder / "model.safetensors", metadata={"format": "pt"})
    assert load_model(str(folder)).n_layers == 3


@pytest.mark.parametrize("text", ["[" * 100_000, "[]", "", "\xff"])
def test_a_config_that_is_no_json_object_is_refused(folder, text):
    (folder / "config.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(ModelError, match="config.json"):
        load_model(str(folder))


def test_a_config_that_is_a_folder_is_refused(folder):
    (folder / "config.json").unlink()
    (folder / "config.json").mkdir()
    with pytest.raises(ModelError, match="config.json"):
        load_model(str(folder))


def test_a_tokenizer_that_knows_more_than_the_model_is_refused_where_it_matters(model):
    small = build("plain")
    small.resize_token_embeddings(60)
    cut = wrap_model(small, tokenizer())
    beyond = next(i for i in range(60, model.vocab_size) if model.tokenizer.decode([i]).strip().isalpha())
    text = model.tokenizer.decode([beyond])
    with pytest.raises(ExplorerError, match=r"the model has ids 0–59"):
        logit_lens(cut, text, bos=False)
    with pytest.raises(TokenError, match=r"the model has ids 0–59"):
        cut.answer(text)


def test_a_result_is_frozen(model):
    with pytest.raises(dataclasses.FrozenInstanceError):
        ablate(model).baseline = 0.0
