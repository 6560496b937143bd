"""A link holds what differs from the defaults, comes back as it went out, and is as little trusted as a prompt."""

from random import Random
from urllib.parse import parse_qsl

import pytest

from resstream_demo.core.errors import OptionError
from resstream_demo.ui.link import MAX_LINK, Schema, one_of, switch, text, whole

SCHEMA = Schema(
    (
        text("clean", "The capital of France is", 500),
        text("answer", " Paris", 200),
        switch("bos", True),
        one_of("tab", "lens", ("lens", "patching")),
        whole("position", None, 0, 1023),
    )
)
DEFAULTS = {field.key: field.default for field in SCHEMA.fields}


def read(query: str):
    return SCHEMA.read(dict(parse_qsl(query, keep_blank_values=True)))


def test_defaults_make_an_empty_link():
    assert SCHEMA.query(DEFAULTS) == ""
    assert read("") == ({}, ())


@pytest.mark.parametrize(
    "prompt", [" leading and trailing ", "", "a&b=c#d?e+f%20", "猫🐱 \n\t é", "<b>&lt;${x}{{y}}", "نص"]
)
def test_what_goes_out_comes_back(prompt):
    values = {**DEFAULTS, "clean": prompt, "answer": "", "bos": False, "tab": "patching", "position": 0}
    found, refused = read(SCHEMA.query(values))
    assert refused == () and {**DEFAULTS, **found} == values
    assert SCHEMA.query(values).isascii() and " " not in SCHEMA.query(values)


def test_only_what_differs_is_in_the_link():
    assert SCHEMA.query({**DEFAULTS, "tab": "patching"}) == "tab=patching"


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ("tab=<script>", "<script>"),
        ("tab=", "tab="),
        ("bos=yes", "yes"),
        ("position=1024", "1024"),
        ("position=-1", "-1"),
        ("position=1e3", "1e3"),
        ("position=٣", "٣"),
        ("position=" + "9" * 400, "999"),
        ("clean=" + "a" * 501, "501 characters"),
        ("__class__=x", "__class__"),
    ],
)
def test_what_is_out_of_bounds_is_refused_with_a_sentence(query, part):
    values, (sentence,) = read(query)
    assert values == {} and part in sentence and sentence.endswith(".") and len(sentence) < 300


def test_the_rest_of_a_link_is_still_read():
    values, refused = read("tab=nothing&bos=0&lang=zh&__theme=dark")
    assert values == {"bos": False} and len(refused) == 1


def test_a_link_too_long_to_travel_is_not_made():
    with pytest.raises(OptionError, match="characters"):
        Schema((text("clean", "", 10 * MAX_LINK),)).query({"clean": "猫" * MAX_LINK})


def test_any_query_is_answered():
    rng = Random(0)
    alphabet = "abtpos=&%<>{}$`'\"\\\x00\ud800猫٣-0123456789"
    for _ in range(2_000):
        pairs = {"".join(rng.choices(alphabet, k=rng.randrange(8))): "".join(rng.choices(alphabet, k=6))
                 for _ in range(3)}  # fmt: skip
        values, refused = SCHEMA.read({**pairs, "tab": "".join(rng.choices(alphabet, k=4))})
        assert set(values) <= set(DEFAULTS) and all(isinstance(sentence, str) for sentence in refused)
