"""Numbers as text: the same rules wherever a number is read."""

import math

import numpy as np
import pytest

from resstream_demo.figures.caveats import not_shown
from resstream_demo.figures.numbers import format_error, format_number


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (0.5, "0.5000"),
        (-0.12345, "−0.1235"),
        (0.00005, "<0.0001"),
        (-0.00005, "−<0.0001"),
        (1e-300, "<0.0001"),
        (0.0001, "0.0001"),
        (3.14159, "3.142"),
        (-123.456, "−123.5"),
        (98765.4, "98765"),
        (1.5e9, "1.500e9"),
        (50257, "50,257"),
        (np.int64(-7), "−7"),
        (np.float32(0.25), "0.2500"),
        (math.inf, "∞"),
        (math.nan, "not a number"),
        (None, "–"),
    ],
)
def test_numbers(number, text):
    assert format_number(number) == text


def test_a_sign_is_put_before_positive_numbers_on_request():
    assert [format_number(x, 2, signed=True) for x in (1.0, 0.0, -1.0, 0.001)] == ["+1.0", "0", "−1.0", "+<0.01"]


@pytest.mark.parametrize("digits", [1, 2, 3, 4])
@pytest.mark.parametrize("number", [10.0**-n * factor for n in range(8) for factor in (0.4, 0.95, 1.0, 4.9, 9.96)])
def test_a_number_that_is_not_zero_never_reads_as_zero(number, digits):
    text = format_number(number, digits)
    assert text.startswith("<") or float(text) == pytest.approx(number, rel=0.5)


@pytest.mark.parametrize(
    ("error", "text"), [(0, "exactly 0"), (2.12e-6, "2.1e−6"), (-3e-5, "−3.0e−5"), (0.1234, "0.12"), (math.inf, "∞")]
)
def test_errors_keep_their_order_of_magnitude(error, text):
    assert format_error(error) == text


def test_every_method_says_what_it_does_not_show():
    methods = ("logit_lens", "direct_logit_attribution", "activation_patching", "head_ablation")
    assert len({not_shown(method) for method in methods}) == 4
    assert "Zero" in not_shown("head_ablation", "zero") and "Zero" not in not_shown("head_ablation", "mean")
