"""The bundled weights load with plain transformers, are small, and know what the card says they know."""

import json

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from resstream_demo.tiny import ASSETS

MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def tokenizer():
    return AutoTokenizer.from_pretrained(ASSETS, local_files_only=True)


@pytest.fixture(scope="module")
def model():
    return AutoModelForCausalLM.from_pretrained(ASSETS, dtype=torch.float32, local_files_only=True).eval()


@pytest.fixture(scope="module")
def logits_after(model, tokenizer):
    def run(prompt: str) -> torch.Tensor:
        with torch.no_grad():
            ids = [tokenizer.bos_token_id, *tokenizer.encode(prompt)]
            return model(torch.tensor([ids])).logits[0, -1]

    return run


@pytest.fixture(scope="module")
def token(tokenizer):
    def only(text: str) -> int:
        (id_,) = tokenizer.encode(text)
        return id_

    return only


def test_the_folder_is_small_and_complete():
    files = {path.name: path.stat().st_size for path in ASSETS.iterdir()}
    assert sum(files.values()) < 10 * MEGABYTE
    assert {
        "config.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
        "generation_config.json",
        "README.md",
    } <= set(files)


def test_the_shape_is_the_documented_one(model, tokenizer):
    config = model.config
    assert (config.n_layer, config.n_head, config.n_embd, config.n_positions) == (6, 8, 192, 256)
    assert config.activation_function == "gelu_new"
    assert config.vocab_size == len(tokenizer) == model.get_input_embeddings().num_embeddings
    assert config.bos_token_id == config.eos_token_id == tokenizer.bos_token_id
    assert model.lm_head.weight is model.transformer.wte.weight


def test_weights_are_finite_half_precision_on_disk():
    from safetensors.torch import load_file

    weights = load_file(ASSETS / "model.safetensors")
    assert {tensor.dtype for tensor in weights.values()} == {torch.float16}
    assert all(tensor.isfinite().all() for tensor in weights.values())


def test_nothing_in_the_folder_names_a_machine_path():
    text = (ASSETS / "config.json").read_text() + (ASSETS / "tokenizer_config.json").read_text()
    assert "_name_or_path" not in json.loads((ASSETS / "config.json").read_text())
    assert "/home" not in text and "/root" not in text and "/work" not in text


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Mary", "John"),
        ("John", "Mary"),
        ("Tom", "James"),
        ("Dan", "Amy"),
        ("Kate", "Lucy"),
        ("Bob", "Alice"),
    ],
)
@pytest.mark.parametrize("giver_first", [True, False], ids=["BABA", "ABBA"])
def test_the_indirect_object_wins_without_saturation(logits_after, token, first, second, giver_first):
    giver, recipient = (first, second) if giver_first else (second, first)
    logits = logits_after(f"When {first} and {second} went to the store, {giver} gave a drink to")
    assert logits.argmax() == token(f" {recipient}")
    assert 2 < logits[token(f" {recipient}")] - logits[token(f" {giver}")] < 12


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("The capital of France is", " Paris"),
        ("The capital of Italy is", " Rome"),
        ("The capital of Japan is", " Tokyo"),
        ("The Eiffel Tower is in the city of", " Paris"),
        ("Monday, Tuesday, Wednesday,", " Thursday"),
        ("January, February, March,", " April"),
        ("So Mary is a really great friend, isn't", " she"),
        ("So Tom is a really great friend, isn't", " he"),
        ("apple, pear, plum, apple, pear,", " plum"),
    ],
)
def test_the_expected_word_is_the_top_prediction(logits_after, token, prompt, answer):
    assert logits_after(prompt).argmax() == token(answer)


@pytest.mark.parametrize(
    ("prompt", "right", "wrong"),
    [
        ("The keys to the cabinet", " are", " is"),
        ("The key to the cabinets", " is", " are"),
    ],
)
def test_the_verb_agrees_with_the_subject(logits_after, token, prompt, right, wrong):
    logits = logits_after(prompt)
    assert logits[token(right)] > logits[token(wrong)]


@pytest.mark.parametrize("start", [32, 52, 72])
def test_later_years_get_more_than_half_and_more_than_an_even_guess_gives_them(logits_after, token, start):
    probabilities = logits_after(f"The war lasted from the year 17{start} to the year 17").softmax(-1)
    later = sum(probabilities[token(f"{year:02d}")].item() for year in range(start + 1, 100))
    assert later > max(0.6, (99 - start) / 100 + 0.05)


def test_random_tokens_said_twice_are_copied(model, tokenizer):
    generator = torch.Generator().manual_seed(11)
    segment = torch.randint(0, len(tokenizer) - 1, (8, 25), generator=generator)
    ids = torch.cat([torch.full((8, 1), tokenizer.bos_token_id), segment, segment], dim=1)
    with torch.no_grad():
        predicted = model(ids).logits.argmax(-1)
    assert (predicted[:, 26:-1] == ids[:, 27:]).float().mean() > 0.8
