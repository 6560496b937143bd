"""Sentences keep what they were made of, and everything that a person reads is such a sentence."""

import ast
import copy
import json
import pickle

import numpy as np
import orjson
import pytest

from resstream_demo.core import errors
from resstream_demo.core.errors import ExplorerError, OptionError
from resstream_demo.core.names import parse_head
from resstream_demo.core.words import Say, joined, plural, say
from tests.sentences import files, module, unspoken

HOSTILE = (
    "{0.__class__}",
    "{",
    "}",
    "{}",
    "{{x}}",
    "{name}",
    "{name.__init__}",
    "%s %(name)s",
    "${name}",
    "<b>",
    "\\{",
)
PAIR = say("{left} against {right:,}", left=say("nothing at {place}", place="7:{x}"), right=1200)


def same(one: Say, other: Say) -> bool:
    """The same text, made of the same things, all the way down."""
    if type(one) is not type(other) or one != other:
        return False
    return not isinstance(one, Say) or (
        one.template == other.template
        and one.values.keys() == other.values.keys()
        and all(same(value, other.values[name]) for name, value in one.values.items())
    )


def test_a_sentence_is_its_english_text():
    said = say("There are {count:,} tokens, not {wanted}.", count=1024, wanted="“7”")
    assert said == "There are 1,024 tokens, not “7”." and isinstance(said, str)
    assert said.template == "There are {count:,} tokens, not {wanted}."
    assert said.values == {"count": 1024, "wanted": "“7”"}


@pytest.mark.parametrize("carry", [
    copy.copy, copy.deepcopy, lambda said: copy.deepcopy({"state": [said]})["state"][0],
    *[lambda said, p=protocol: pickle.loads(pickle.dumps(said, p)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)],
])  # fmt: skip
def test_it_keeps_template_and_values_wherever_it_is_carried(carry):
    assert same(carry(PAIR), PAIR)
    assert same(carry(PAIR).values["left"], PAIR.values["left"])


def test_json_is_the_text():
    assert json.loads(json.dumps({"said": PAIR})) == {"said": str(PAIR)}
    assert orjson.loads(orjson.dumps({"said": [PAIR]})) == {"said": [str(PAIR)]}
    assert orjson.dumps(PAIR, option=orjson.OPT_SERIALIZE_NUMPY) == orjson.dumps(str(PAIR))


def test_str_gives_plain_text():
    assert type(str(PAIR)) is str and type(f"{PAIR}") is str and str(PAIR) == PAIR
    assert {PAIR: 1}[str(PAIR)] == 1


@pytest.mark.parametrize("value", HOSTILE)
def test_a_value_is_put_in_and_never_read_as_a_template(value):
    said = say("The {name} is not a head.", name=value)
    assert said == "The " + value + " is not a head."
    assert say("{reason} Try again.", reason=said) == said + " Try again."
    assert joined([value, said, value], " · ") == " · ".join([value, said, value])


@pytest.mark.parametrize(("value", "kept"), [
    (np.int64(3), 3), (np.float64(0.5), 0.5), (np.float32(0.5), 0.5), (np.str_("x"), "x"), (True, "True"),
    (None, "None"), ((1, 2), "(1, 2)"),
])  # fmt: skip
def test_values_are_kept_as_numbers_and_text_only(value, kept):
    (found,) = say("{value}", value=value).values.values()
    assert found == kept and type(found) is type(kept)


def test_a_value_that_changes_later_leaves_the_sentence_as_it_was():
    ids = [1, 2]
    said = say("ids {ids}", ids=ids)
    ids.append(3)
    assert said == "ids [1, 2]" == said.template.format(**said.values)


def test_a_placeholder_without_a_value_is_an_error():
    with pytest.raises(KeyError):
        say("There is no {what}.")


def test_plural_goes_by_the_count():
    words = "{count:,} prompt of {of}", "{count:,} prompts of {of}"
    assert [plural(count, *words, of="x") for count in (0, 1, 2, 1000)] == [
        "0 prompts of x", "1 prompt of x", "2 prompts of x", "1,000 prompts of x"
    ]  # fmt: skip
    assert plural(1, *words, of="x").template == words[0]


def test_joined_parts_stay_what_they_were():
    parts = [say("Unknown model “{name}”.", name="{x}"), "plain {0}", say("Choose another.")]
    said = joined(iter(parts))
    assert said == "Unknown model “{x}”. plain {0} Choose another."
    assert said.template.format(**said.values) == said
    kept = [value for value in said.values.values() if value in parts]
    assert all(same(value, part) for value, part in zip(kept, parts, strict=True))
    assert (joined([]), joined(["one"], ", "), joined(("a", "b"), ", ")) == ("", "one", "a, b")


def test_an_error_is_its_text_and_hands_on_its_sentence():
    with pytest.raises(OptionError) as caught:
        parse_head("L9H9", 4, 8)
    assert str(caught.value) == "There is no head L9H9: this model has layers 0–3 with heads 0–7 each."
    assert type(str(caught.value)) is str
    assert caught.value.sentence.values == {"head": "L9H9", "last_layer": 3, "last_head": 7}
    assert same(pickle.loads(pickle.dumps(caught.value)).sentence, caught.value.sentence)
    assert (ExplorerError("plain").sentence, ExplorerError().sentence) == ("plain", "")


# --- the source ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", files("core", "methods", "figures"))
def test_whatever_a_person_reads_was_said(file):
    assert not unspoken(module(file), file)


@pytest.mark.parametrize("source", [
    'raise OptionError("No head was named.")', 'raise PromptError(f"{n} tokens")', "raise ModelError(str(error))",
    'raise TokenError("The " + what)', 'raise MetricError("{}".format(x))', "raise errors.OptionError(text)",
    'Remark("info", "Fine.", say("part"))', 'Receipt("parts − whole", 0, 0, True, say("x"))',
    'Proof(say("x"), "y", cell, 0)',
    'def f():\n    text = say("a") if x else "b"\n    raise ModelError(text)', "raise OptionError()",
    'def f():\n    text = say("a")\n    text += "b"\n    raise ModelError(text)',
    "def f(text):\n    raise ModelError(text)",
    'def g():\n    return "a"\ndef f():\n    raise ModelError(g())', "raise ModelError(unknown())",
    "for text in texts:\n    raise ModelError(text)", 'choose(site, SITES, "site")', 'finite(values, f"{n} runs")',
])  # fmt: skip
def test_what_was_not_said_is_found_however_it_is_written(source):
    assert len(unspoken(ast.parse(source))) == 1


@pytest.mark.parametrize("source", [
    'raise OptionError(say("a"))', 'raise OptionError(plural(n, "a", "b")) from None',
    "raise OptionError(joined(parts))", "raise PromptError(error.sentence)", 'raise ValueError("for programmers")',
    'def f():\n    text = say("a") if x else say("b")\n    raise ModelError(text)',
    'def g():\n    return say("a")\ndef f():\n    raise ModelError(g())',
    'def g(x):\n    return g(x[1:]) if x else say("a")\nraise ModelError(g(y))',
    'choose(bias, BIASES, "value_bias")', 'finite(values, say("lens"))',
    'def receipt(name, detail):\n    return Receipt(name, 0, 0, True, detail)',
])  # fmt: skip
def test_what_was_said_passes(source):
    assert not unspoken(ast.parse(source))


def test_every_kind_of_error_is_looked_for():
    def below(kind):
        return {kind.__name__}.union(*map(below, kind.__subclasses__()))

    for name in below(ExplorerError):
        if hasattr(errors, name):
            assert len(unspoken(ast.parse(f'raise {name}("x")'))) == 1
