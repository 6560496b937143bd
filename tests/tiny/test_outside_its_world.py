"""Text from outside the bundled model's small world runs, and where its prediction is noise the page says so."""

import pytest

from resstream_demo.core.models import load_model
from resstream_demo.core.promptcheck import check_prediction
from resstream_demo.methods.lens import logit_lens

INSIDE = [
    "When Mary and John went to the store, John gave a drink to",
    "The capital of France is",
    "The Eiffel Tower is in the city of",
    "The keys on the table",
    "So Mary is a really good friend, isn't",
    "Monday, Tuesday, Wednesday,",
    "The war lasted from the year 1732 to the year 17",
    "The little dog ran into the",
    "apple, pear, plum, apple, pear,",
]
OUTSIDE = [
    "def fibonacci(n): return",
    "asdf qwer zxcv uiop",
    "SELECT * FROM users WHERE",
    "The mitochondria is the powerhouse of the",
    "Quantum chromodynamics describes",
    "Le chat est sur la",
    "Вчера я пошёл в",
    "我喜欢吃苹果，因为",
    "!!!??? ~~~ ###",
    "In 1997 the stock market",
]


@pytest.fixture(scope="module")
def tiny():
    return load_model("tiny", device="cpu")


def noise(model, prompt: str) -> list[str]:
    return [remark.text for remark in check_prediction(model, model.trace(prompt)) if "noise" in remark.text]


@pytest.mark.parametrize("prompt", INSIDE)
def test_text_of_its_world_gets_no_such_remark(tiny, prompt):
    assert noise(tiny, prompt) == []


@pytest.mark.parametrize("prompt", OUTSIDE)
def test_text_from_elsewhere_runs_and_its_prediction_is_called_noise(tiny, prompt):
    (said,) = noise(tiny, prompt)
    assert "blind guessing gives 1 in" in said
    assert all(receipt.ok for receipt in logit_lens(tiny, prompt).receipts)


def test_a_sign_that_is_split_into_bytes_is_copied_and_its_piece_explained(tiny):
    """Copying works on any bytes, so this is not noise; but the next token is no sign yet, and that is said."""
    remarks = check_prediction(tiny, tiny.trace("😀😺😀😺😀😺"))
    assert ["a piece of a character" in remark.text for remark in remarks] == [True]
