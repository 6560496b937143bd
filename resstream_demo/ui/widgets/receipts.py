"""Receipts: numerical checks every result carries, printed whether they pass or not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from ...core.words import say
from ...figures.numbers import format_error
from .base import Widget


class ReceiptLike(Protocol):
    """A check: `value` is an error that must stay within `tolerance`; `ok` is the verdict."""

    name: str
    value: float
    tolerance: float
    ok: bool
    detail: str


@dataclass(frozen=True)
class ReceiptsData:
    """What a `Receipts` draws: checks in order, and the words around them."""

    receipts: Sequence[ReceiptLike]
    out_of_tolerance: str = say("out of tolerance")
    limit: str = say("limit")
    nothing: str = say("exactly 0")

    def payload(self) -> dict[str, Any]:
        """JSON-able form. A NaN or infinite value stays a visible failure."""
        return {
            "receipts": [
                {
                    "name": r.name,
                    "value": self.nothing if r.value == 0 else format_error(r.value),
                    "tolerance": format_error(r.tolerance),
                    "ok": bool(r.ok),
                    "detail": r.detail,
                }
                for r in self.receipts
            ],
            "words": {"bad": self.out_of_tolerance, "limit": self.limit},
        }


class Receipts(Widget):
    """Row of ✓ and ✗ with the explanations underneath. Value: `ReceiptsData`, or any iterable of receipts."""

    SCRIPTS = ("receipts.js",)
    STYLE = "receipts.css"
    ACCEPTS = ReceiptsData

    def show(self, data: ReceiptsData | Iterable[ReceiptLike] | None, **marks: Any) -> dict[str, Any]:
        """As for every widget; receipts by themselves get their words, so that these can be translated."""
        if data is not None and not isinstance(data, ReceiptsData):
            data = ReceiptsData(tuple(data))
        return super().show(data, **marks)

    def payload_of(self, value: Any) -> dict[str, Any]:
        if isinstance(value, Iterable):
            value = ReceiptsData(tuple(value))
        return super().payload_of(value)
