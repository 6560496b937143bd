"""Message boxes that stay on the page: the prompt check, and errors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ...core.words import say
from .base import Widget

Kind = Literal["ok", "info", "warning", "error"]
_KIND_WORDS = {"ok": say("OK"), "info": say("Note"), "warning": say("Warning"), "error": say("Error")}


@dataclass(frozen=True)
class NoticeData:
    """One box. title: what happened, printed bold as far as its first sentence goes. lines: what to do, and why.
    part: the offending piece, in monospace. kind_word: the kind in words, so that it does not rest on colour; "" takes
    the usual one."""

    kind: Kind
    title: str
    lines: Sequence[str] = ()
    part: str = ""
    kind_word: str = ""

    def __post_init__(self) -> None:
        if self.kind not in _KIND_WORDS:
            raise ValueError(f"Unknown kind of notice {self.kind!r}; use one of {list(_KIND_WORDS)}.")
        if not self.kind_word:
            object.__setattr__(self, "kind_word", _KIND_WORDS[self.kind])

    def payload(self) -> dict[str, Any]:
        """JSON-able form."""
        title, rest = split_sentence(self.title)
        return {
            "kind": self.kind,
            "kindWord": self.kind_word,
            "title": title,
            "lines": [*rest, *self.lines],
            "part": self.part,
        }


def split_sentence(text: str) -> tuple[str, list[str]]:
    """The first sentence, and the rest; in any language that is written with full stops."""
    first, *rest = re.split(r"(?<=[.!?…])\s+(?=[A-Z“])|(?<=[。！？])(?=.)", text, maxsplit=1)
    return first, rest


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
