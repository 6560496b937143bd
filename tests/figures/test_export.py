"""JSON and CSV of results: everything comes back, and says how it was made."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest

from resstream_demo import (
    __version__,
    activation_patching,
    direct_logit_attribution,
    head_ablation,
    logit_lens,
)
from resstream_demo.core.models import wrap_model
from resstream_demo.figures.export import result_to_csv, result_to_dict, result_to_json
from tests.models_under_test import ANSWER, CLEAN_TEXT, CONTRAST, CORRUPTED_TEXT, build, tokenizer

# Text that a file format, a spreadsheet or a page could take for something of its own.
HOSTILE = ("a,b;\"c\"\t'd'\r\n=1+1 -1 @x", "</script><!-- ${x} {{y}} %{z} &lt;", "| `q` \\n é中🙂 \x00\x1b[31m NA nan")


@pytest.fixture(scope="module")
def model():
    return wrap_model(build("plain"), tokenizer(), name="plain", revision="abc123")


PAIR = (CLEAN_TEXT, CORRUPTED_TEXT, ANSWER, CONTRAST)
ALONE = (CLEAN_TEXT, ANSWER, CONTRAST)
RESULTS = {
    "lens": lambda m: logit_lens(m, CLEAN_TEXT, sites=("resid_mid", "resid_post"), top_k=4, targets=(ANSWER, 40)),
    "dla": lambda m: direct_logit_attribution(m, *ALONE, position=5, value_bias="in_heads"),
    "dla without contrast": lambda m: direct_logit_attribution(m, CLEAN_TEXT, ANSWER),
    "patching": lambda m: activation_patching(m, *PAIR, site="attn_out", direction="noising", metric="logprob"),
    "patching of heads": lambda m: activation_patching(m, *PAIR, site="pattern"),
    "patching together": lambda m: activation_patching(m, *PAIR, site="z", positions=[3, 10]),
    "patching nothing": lambda m: activation_patching(m, CLEAN_TEXT, CLEAN_TEXT, ANSWER, CONTRAST),
    "ablation": lambda m: head_ablation(m, *ALONE, kind="mean", reference=("mine", [CLEAN_TEXT]), positions=[2, 4]),
    "ablation of a set": lambda m: head_ablation(m, *ALONE, heads=["L0H1", (2, 3)], kind="bias_only", metric="loss"),
}


@pytest.fixture(scope="module")
def made(model):
    return {name: make(model) for name, make in RESULTS.items()}


def read_csv(result) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(result_to_csv(result)), keep_default_na=False)


# ---- round trips --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RESULTS)
def test_json_gives_every_array_back_bit_for_bit(made, name):
    result, read = made[name], json.loads(result_to_json(made[name]))
    arrays = {field: value for field, value in vars(result).items() if isinstance(value, np.ndarray)}
    assert arrays
    for field, value in arrays.items():
        back = np.array(read[field], dtype=value.dtype)
        assert back.shape == value.shape and np.array_equal(back, value), field


@pytest.mark.parametrize("name", RESULTS)
def test_json_holds_prompts_tokens_and_receipts(made, name):
    result, read = made[name], json.loads(result_to_json(made[name]))
    for field in {"prompt", "clean", "corrupted"} & set(vars(result)):
        prompt = getattr(result, field)
        assert read[field]["text"] == prompt.text and read[field]["ids"] == list(prompt.ids)
        assert read[field]["tokens"] == list(prompt.tokens) and read[field]["bos"] is True
    for field in {"answer", "contrast"} & set(vars(result)):
        token = getattr(result, field)
        assert (read[field] and read[field]["id"]) == (token and token.id)
    assert [receipt["ok"] for receipt in read["receipts"]] == [receipt.ok for receipt in result.receipts]
    assert [receipt["value"] for receipt in read["receipts"]] == [receipt.value for receipt in result.receipts]


def test_json_adds_what_the_arrays_mean(made):
    read = {name: result_to_dict(result) for name, result in made.items()}
    patching, ablation, lens = made["patching"], made["ablation"], made["lens"]
    assert np.array_equal(np.array(read["patching"]["recovered"], np.float32), patching.recovered)
    assert read["patching nothing"]["recovered"] is None, "no share of nothing"
    assert np.allclose(np.array(read["ablation"]["effect"]), ablation.values - ablation.baseline, atol=1e-6)
    assert read["lens"]["top_tokens"][2][5] == lens.top_tokens(2, 5)
    assert "shown" not in read["lens"]


@pytest.mark.parametrize("name", RESULTS)
def test_csv_gives_the_frame_back(made, name):
    frame, read = made[name].frame(), read_csv(made[name])
    assert len(read) == len(frame) and list(read.columns[: frame.shape[1]]) == list(frame.columns)
    for column in frame:
        if frame[column].dtype.kind in "fi":
            assert np.array_equal(read[column].to_numpy(frame[column].dtype), frame[column].to_numpy()), column
        else:
            assert list(read[column].astype(str)) == list(frame[column].astype(str)), column


# ---- how it was made ----------------------------------------------------------------------------------------

OPTIONS = {
    "lens": {"sites": ["resid_mid", "resid_post"], "norm": "fresh", "top_k": 4},
    "dla": {"position": 5, "value_bias": "in_heads", "answer_token": ANSWER.replace(" ", "␣")},
    "dla without contrast": {"position": 13, "value_bias": "folded"},
    "patching": {"site": "attn_out", "positions": "each", "direction": "noising", "metric": "logprob"},
    "patching of heads": {"site": "pattern", "positions": "each", "direction": "denoising", "metric": "logit_diff"},
    "patching together": {"site": "z", "positions": [3, 10]},
    "patching nothing": {"site": "resid_pre"},
    "ablation": {"heads": "each", "kind": "mean", "positions": [2, 4], "metric": "logit_diff"},
    "ablation of a set": {"heads": ["L0H1", "L2H3"], "kind": "bias_only", "positions": "all", "metric": "loss"},
}


@pytest.mark.parametrize("name", RESULTS)
def test_both_formats_say_how_the_result_was_made(made, name):
    expected = {
        "model": "plain",
        "revision": "abc123",
        "dtype": "float32",
        "device": "cpu",
        "package_version": __version__,
        "method": made[name].info.method,
    }
    info, row = json.loads(result_to_json(made[name]))["info"], read_csv(made[name]).iloc[0]
    assert info["bos"] is True and str(row["run_bos"]) == "True"
    for fact, value in expected.items():
        assert info[fact] == value and row[f"run_{fact}"] == value, fact
    for option, value in OPTIONS[name].items():
        in_csv = row[f"run_{option}"]
        assert info["options"][option] == value, option
        assert (json.loads(in_csv) if isinstance(value, list) else in_csv) == value, option


def test_the_reference_of_a_mean_is_named(made):
    assert "mine" in read_csv(made["ablation"])["run_reference"][0]
    assert "mine" in result_to_dict(made["ablation"])["info"]["options"]["reference"]


def test_without_bos_the_export_says_so(model):
    result = logit_lens(model, CLEAN_TEXT, bos=False)
    assert result_to_dict(result)["info"]["bos"] is False and set(read_csv(result)["run_bos"].astype(str)) == {"False"}


# ---- hostile text -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_tokens_survive_both_formats(model, text):
    result = logit_lens(model, text, top_k=len(tokenizer()), targets=[",", '"'])
    read = json.loads(result_to_json(result))
    assert read["prompt"]["text"] == text and read["prompt"]["tokens"] == list(result.prompt.tokens)
    assert {token for cell in read["top_tokens"][0] for token in cell} == {
        model.show(int(i)) for i in np.unique(result.top_ids)
    }
    frame = read_csv(result)
    T = len(result.prompt)
    assert list(frame["token"][:T].astype(str)) == list(result.prompt.tokens)
    assert [column for column in frame if column.startswith("prob ")] == [
        f"prob , #{result.targets[0].id}",
        f'prob " #{result.targets[1].id}',
    ]


@pytest.mark.parametrize("text", HOSTILE)
def test_every_row_of_a_csv_has_as_many_cells_as_its_head(model, text):
    rows = list(csv.reader(io.StringIO(result_to_csv(logit_lens(model, text, top_k=2)))))
    assert len(rows) > 1 and len({len(row) for row in rows}) == 1


def test_numbers_that_json_cannot_hold_are_refused(made):
    broken = result_to_dict(made["dla"])
    assert "NaN" not in json.dumps(broken)
    values = made["dla"].values.copy()
    values[0] = np.nan
    with pytest.raises(ValueError, match="JSON"):
        result_to_json(type(made["dla"])(**{**vars(made["dla"]), "values": values}))
