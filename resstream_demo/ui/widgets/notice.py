"""Message boxes that stay on the page: the prompt check, and errors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from .base import Widget

Kind = Literal["ok", "info", "warning", "error"]
_KIND_WORDS: dict[str, str] = {"ok": "OK", "info": "Note", "warning": "Warning", "error": "Error"}


@dataclass(frozen=True)
class NoticeData:
    """One box. title: what happened. lines: what to do, and why. part: the offending piece, in monospace.
    kind_word: the kind in words, so that it does not rest on colour; "" takes the English one."""

    kind: Kind
    title: str
    lines: Sequence[str] = ()
    part: str = ""
    kind_word: str = ""

    def __post_init__(self) -> None:
        if self.kind not in _KIND_WORDS:
            raise ValueError(f"Unknown kind of notice {self.kind!r}; use one of {list(_KIND_WORDS)}.")

    def payload(self) -> dict[str, Any]:
        """JSON-able form."""
        return {
            "kind": self.kind,
            "kindWord": self.kind_word or _KIND_WORDS[self.kind],
            "title": self.title,
            "lines": list(self.lines),
            "part": self.part,
        }


class Notice(Widget):
    """Message boxes. Value: a `NoticeData`, an iterable of them, or None for nothing at all.

    Errors are announced by screen readers at once (role "alert"), other kinds politely.
    """

    SCRIPTS = ("notice.js",)
    STYLE = "notice.css"
    ACCEPTS = NoticeData

    def payload_of(self, value: Any) -> dict[str, Any]:
        notices = tuple(value) if isinstance(value, Iterable) else (value,)
        return {"notices": [super(Notice, self).payload_of(notice) for notice in notices]}
