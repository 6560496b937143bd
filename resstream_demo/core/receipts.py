"""Receipts: numbers that show a result is what it says it is, carried by every result and printed by every tab."""

from dataclasses import dataclass

from .words import say

TOLERANCES = {  # absolute and relative, by the model's dtype; half precision has 8 or 11 bits
    "float32": (1e-4, 1e-3),
    "float16": (2e-2, 1e-2),
    "bfloat16": (1.5e-1, 5e-2),
}


@dataclass(frozen=True)
class Receipt:
    """One check: `value` is a difference that should be zero, `tolerance` how far from zero it may be.

    name: a few words. ok: whether it holds. detail: one sentence saying what was compared.
    """

    name: str
    value: float
    tolerance: float
    ok: bool
    detail: str


def tolerance(dtype: str, reference: float) -> float:
    """How far a number may be from `reference` when it was computed in `dtype`."""
    absolute, relative = TOLERANCES[dtype]
    return absolute + relative * abs(reference)


def receipt(name: str, measured: float, expected: float, dtype: str, detail: str) -> Receipt:
    """Compare two numbers that should be equal."""
    difference, allowed = float(measured) - float(expected), tolerance(dtype, float(expected))
    return Receipt(name, difference, allowed, abs(difference) <= allowed, detail)


def load_receipt(model) -> Receipt:
    """The check made when the model was loaded, repeated on every result."""
    return Receipt(
        say("engine − model"),
        model.self_check,
        model.self_check_tolerance,
        model.self_check <= model.self_check_tolerance,
        say("Largest difference between this engine's logits and the model's own forward, on a probe at load."),
    )
