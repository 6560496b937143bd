"""The program that makes a result again: it is run, and must give every number again."""

import ast
import contextlib
import dataclasses
import io

import numpy as np
import pytest

from resstream_demo import (
    activation_patching,
    direct_logit_attribution,
    head_ablation,
    load_model,
    logit_lens,
)
from resstream_demo.core.errors import OptionError
from resstream_demo.core.models import HUB_IDS, wrap_model
from resstream_demo.figures.reproduce import reproduce
from tests.models_under_test import ANSWER, CLEAN_TEXT, CONTRAST, build, tokenizer

CLEAN = "When Mary and John went to the store, John gave a drink to"
CORRUPTED = "When Mary and John went to the store, Mary gave a drink to"
PAIR = (CLEAN, CORRUPTED, " Mary", " John")
ALONE = (CLEAN, " Mary", " John")

# Text that would end a literal, a comment or a line, or be read as code, if it were pasted into a program.
HOSTILE = {
    "quotes": "'single' \"double\" '''three''' \"\"\"three\"\"\"",
    "ends the literal": "')\nraise SystemExit('injected')\n('",
    "ends three quotes": '""")\nraise SystemExit("injected")\n("""',
    "backslashes": "\\ \\\\ \\n \\N{BELL} \\x41 C:\\new\\ ends with \\",
    "lines": "one\ntwo\r\nthree\rfour\x0bfive\x0csix\x85seven\u2028eight\u2029nine",
    "controls": "\x00\x07\x1b[31m\x7f tab\there",
    "templates": "{} {0} {x!r} {{y}} ${z} %s %(name)s $(ls) `id`",
    "comment": "# not a comment\n# coding: latin-1\n#!/bin/sh",
    "code": "__import__('os').abort()",
    "other scripts": "é e\u0301 中文 العربية \u202e reversed \u200b 🙂👩‍👩‍👧",
    "spaces": "  two before, two after  ",
}


@pytest.fixture(scope="module")
def tiny():
    return load_model("tiny")


def run(program: str) -> tuple[object, str]:
    """The `result` that a program makes, and what it prints."""
    names, printed = {"__name__": "__main__"}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(program, "reproduced", "exec"), names)
    return names["result"], printed.getvalue()


def assert_equal(made, result) -> None:
    """Every field, arrays bit for bit, and how it was made."""
    assert type(made) is type(result)
    arrays = 0
    for field in dataclasses.fields(result):
        again, before = getattr(made, field.name), getattr(result, field.name)
        if isinstance(before, np.ndarray):
            assert again.dtype == before.dtype and np.array_equal(again, before), field.name
            arrays += before.size > 0
        elif field.name in ("answer", "contrast", "targets"):
            assert ids(again) == ids(before), field.name
        elif field.name in ("prompt", "clean", "corrupted"):
            assert again.ids == before.ids and again.tokens == before.tokens and again.bos == before.bos
        else:
            assert again == before, field.name
    assert arrays


def ids(tokens) -> list:
    return [token and token.id for token in (tokens if isinstance(tokens, tuple) else [tokens])]


METHODS = {
    "lens": lambda m: logit_lens(m, CLEAN),
    "lens, all options": lambda m: logit_lens(
        m, CLEAN, sites=("resid_mid", "attn_out"), top_k=3, targets=(" Mary", "#7", 7, ","), norm="final", bos=False
    ),
    "lens, more tokens than there are": lambda m: logit_lens(m, CLEAN, top_k=10**6),
    "attribution": lambda m: direct_logit_attribution(m, *ALONE),
    "attribution, one logit": lambda m: direct_logit_attribution(m, CLEAN, " Mary"),
    "attribution, all options": lambda m: direct_logit_attribution(
        m, *ALONE, position=5, value_bias="in_heads", bos=False
    ),
    "patching": lambda m: activation_patching(m, *PAIR),
    "patching, all options": lambda m: activation_patching(
        m, *PAIR, site="attn_out", positions=[3, -1], direction="noising", metric="logprob", bos=False
    ),
    "patching heads": lambda m: activation_patching(m, *PAIR, site="z", positions="all", metric="rank"),
    "patching without an answer": lambda m: activation_patching(
        m, CLEAN, CORRUPTED, site="v", positions=[4], metric="kl"
    ),
    "ablation": lambda m: head_ablation(m, *ALONE),
    "ablation, all options": lambda m: head_ablation(
        m, *ALONE, kind="bias_only", positions=[2, -2], metric="prob", bos=False
    ),
    "ablation without an answer": lambda m: head_ablation(m, CLEAN, metric="loss"),
    "ablation together": lambda m: head_ablation(m, *ALONE, heads=["L1H1", "L0H2"]),
    "ablation to the usual mean": lambda m: head_ablation(m, *ALONE, kind="mean"),
    "ablation to a mean of one's own": lambda m: head_ablation(
        m, *ALONE, kind="mean", reference=("mine", ["The cat sat.", "He went home. She did not."])
    ),
    "ablation to a mean that borrows a name": lambda m: head_ablation(
        m, *ALONE, heads=["L1H1"], kind="mean", reference=("everyday", ["The cat sat."])
    ),
    "ablation to another run": lambda m: head_ablation(m, *ALONE, kind="resample", reference=CORRUPTED),
    "ablation together to another run": lambda m: head_ablation(
        m, *ALONE, heads=["L2H0"], kind="resample", reference=CORRUPTED, bos=False
    ),
}


@pytest.mark.parametrize("name", METHODS)
def test_the_program_gives_every_number_again(tiny, name):
    result = METHODS[name](tiny)
    made, printed = run(reproduce(result))
    assert_equal(made, result)
    table = result.frame() if name.startswith("lens") else result.top()
    assert printed.strip() == str(table).strip()


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_prompts_come_back_as_they_were(tiny, text):
    result = logit_lens(tiny, text, top_k=2, targets=[tiny.tokenize(text).ids[-1]])
    made, _ = run(reproduce(result))
    assert_equal(made, result)
    assert made.prompt.text == text


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_references_come_back_as_they_were(tiny, text):
    mean = head_ablation(tiny, *ALONE, heads=["L0H0"], kind="mean", reference=(text, [text, "The cat sat."]))
    made, _ = run(reproduce(mean))
    assert_equal(made, mean)
    pair = head_ablation(tiny, text + " a", heads=["L0H0"], kind="resample", reference=text + " b", metric="kl")
    assert_equal(run(reproduce(pair))[0], pair)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_program_holds_text_in_literals_only(tiny, text):
    """The parsed program is the same, whatever the text, but for the texts in it."""

    def shape(text: str) -> str:
        tree = ast.parse(reproduce(activation_patching(tiny, text + " a", text + " b", " Mary")))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant):
                node.value = type(node.value).__name__
        return ast.dump(tree)

    assert shape(text) == shape("When")


def test_a_text_with_a_mind_of_its_own_stays_a_literal(tiny):
    class Text(str):
        def __repr__(self):
            return "print('injected')"

        __str__ = __repr__

    made, printed = run(reproduce(logit_lens(tiny, Text("When Mary"))))
    assert made.prompt.text == "When Mary" and "injected" not in printed


# ---- prompts that were given as ids -------------------------------------------------------------------------


def odd_ids(model) -> list[int]:
    """Ids that no text gives: a word in pieces that the tokenizer would have joined."""
    letters = [model.tokenize(letter, bos=False).ids[0] for letter in "store"]
    assert model.tokenize("store", bos=False).ids != tuple(letters)
    return letters


def test_a_prompt_known_by_its_ids_is_given_as_ids(tiny):
    for ids_given in (odd_ids(tiny), [tiny.tokenizer.bos_token_id, *odd_ids(tiny)], [tiny.tokenizer.bos_token_id]):
        result = logit_lens(tiny, ids_given)
        assert result.info.options["given_as_ids"] == ["prompt"]
        assert_equal(run(reproduce(result))[0], result)
        shares = direct_logit_attribution(tiny, ids_given, " Mary")
        assert_equal(run(reproduce(shares))[0], shares)


def test_ids_that_their_text_gives_back_are_given_as_text(tiny):
    result = logit_lens(tiny, list(tiny.tokenize(CLEAN).ids))
    assert "given_as_ids" not in result.info.options and repr(CLEAN) in reproduce(result)
    assert_equal(run(reproduce(result))[0], result)


def test_each_prompt_of_a_pair_is_given_in_its_own_way(tiny):
    text = "store"
    length = len(odd_ids(tiny))
    other = tiny.tokenize(" ".join(["a"] * 20), bos=False).ids[:length]
    result = activation_patching(tiny, list(other), odd_ids(tiny), " Mary", " John")
    assert "corrupted" in result.info.options["given_as_ids"]
    assert_equal(run(reproduce(result))[0], result)
    ablated = head_ablation(tiny, list(other), " Mary", kind="resample", reference=odd_ids(tiny), heads=["L1H1"])
    assert_equal(run(reproduce(ablated))[0], ablated)
    mean = head_ablation(tiny, CLEAN, " Mary", kind="mean", reference=("odd", [text, odd_ids(tiny)]))
    assert_equal(run(reproduce(mean))[0], mean)


def test_prompts_that_differ_in_their_beginning(tiny):
    with_bos, without = tiny.tokenize("When Mary"), tiny.tokenize("When Mary and", bos=False)
    result = activation_patching(tiny, with_bos, without, " Mary")
    assert_equal(run(reproduce(result))[0], result)


# ---- models -------------------------------------------------------------------------------------------------


def loading(result, **info) -> ast.Call:
    """The call that makes the model, for a result that was made with a model as described."""
    changed = dataclasses.replace(result, info=dataclasses.replace(result.info, **info))
    tree = ast.parse(reproduce(changed))
    (call,) = [n.value for n in tree.body if isinstance(n, ast.Assign) and n.targets[0].id == "model"]
    return call


def facts(call: ast.Call) -> tuple:
    values = [ast.literal_eval(argument) for argument in call.args if not isinstance(argument, ast.Name)]
    return call.func.id, *values, {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}


@pytest.fixture(scope="module")
def result(tiny):
    return logit_lens(tiny, "When Mary", top_k=1)


def test_the_model_is_named_with_its_dtype(result):
    assert facts(loading(result, dtype="bfloat16")) == ("load_model", "tiny", {"dtype": "bfloat16"})
    assert "device=" not in reproduce(result), "whatever device there is"


@pytest.mark.parametrize("name", [*HUB_IDS, *HUB_IDS.values()])
def test_a_model_of_the_hub_is_named_with_its_commit(result, name):
    expected = ("load_model", name, {"revision": "607a30d7", "dtype": "float32"})
    assert facts(loading(result, model=name, revision="607a30d7")) == expected


@pytest.mark.parametrize("folder", ["/models/mine", "./mine", "C:\\new\\'x'", "~/m\nimport os", "a/b')#"])
def test_a_folder_is_named_as_it_was(result, folder):
    assert facts(loading(result, model=folder, revision=None)) == ("load_model", folder, {"dtype": "float32"})


def test_a_folder_beside_the_program_is_found(result, tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path)
    assert facts(loading(result, model="mine", revision=None))[:2] == ("load_model", "mine")


@pytest.mark.parametrize(
    ("name", "revision"), [("custom", None), ("custom", "abc"), ("gpt2", None), ("x')\nprint('injected", None)]
)
def test_a_model_that_was_in_memory_is_asked_for(result, name, revision):
    expected = {"name": name} | ({"revision": revision} if revision else {})
    assert facts(loading(result, model=name, revision=revision)) == ("wrap_model", expected)


def test_a_program_for_a_model_in_memory_runs_once_it_is_there():
    hf_model = build("plain")
    result = direct_logit_attribution(wrap_model(hf_model, tokenizer(), name="mine"), CLEAN_TEXT, ANSWER, CONTRAST)
    program = "from tests.models_under_test import build, tokenizer as made\n"
    program += "hf_model, tokenizer = build('plain'), made()\n" + reproduce(result)
    assert_equal(run(program)[0], result)


# ---- what is written out ------------------------------------------------------------------------------------


def arguments(program: str) -> dict:
    """The keyword arguments of the method's call."""
    call = next(n.value for n in ast.parse(program).body if isinstance(n, ast.Assign) and n.targets[0].id == "result")
    return {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}


def test_tokens_are_named_by_id_and_shown_in_a_comment(tiny):
    program = reproduce(direct_logit_attribution(tiny, *ALONE))
    mary, john = (tiny.answer(name) for name in (" Mary", " John"))
    assert arguments(program) == {"answer": f"#{mary.id}", "contrast": f"#{john.id}"}
    assert "# '␣Mary'" in program and "# '␣John'" in program


def test_only_what_differs_from_the_defaults_is_written(tiny):
    assert arguments(reproduce(logit_lens(tiny, CLEAN))) == {}
    assert arguments(reproduce(logit_lens(tiny, CLEAN, top_k=3))) == {"top_k": 3}
    assert set(arguments(reproduce(activation_patching(tiny, *PAIR)))) == {"answer", "contrast"}
    assert set(arguments(reproduce(head_ablation(tiny, *ALONE, metric="rank")))) == {"answer", "contrast", "metric"}
    last = len(tiny.tokenize(CLEAN)) - 1
    assert "position" not in arguments(reproduce(direct_logit_attribution(tiny, *ALONE, position=last)))
    assert arguments(reproduce(direct_logit_attribution(tiny, *ALONE, position=last - 1)))["position"] == last - 1


def test_a_bundled_reference_is_named_and_not_copied(tiny):
    program = reproduce(head_ablation(tiny, *ALONE, heads=["L0H0"], kind="mean"))
    assert arguments(program)["reference"] == "everyday" and len(program) < 800


def test_other_things_have_no_program():
    with pytest.raises(OptionError, match="no program for a dict"):
        reproduce({})
