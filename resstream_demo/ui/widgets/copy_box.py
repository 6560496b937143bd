"""Texts to be copied: the address of what is on screen, and the program that makes a result again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...core.words import say
from .base import Widget

COPY, COPIED = say("Copy"), say("Copied")


@dataclass(frozen=True)
class LinkData:
    """What a `LinkBox` shows. query: the part of the address that says what is on screen, without its "?".

    page: the address before it; "" takes the one the browser has. caption: what the address is. copy, copied: the
    button before and after.
    """

    query: str
    page: str = ""
    caption: str = say("This address opens what is on screen, computed anew for whoever opens it.")
    copy: str = COPY
    copied: str = COPIED

    def payload(self) -> dict[str, Any]:
        """JSON-able form."""
        words = [self.copy, self.copied]
        return {"query": self.query, "page": self.page, "caption": self.caption, "copyWords": words}


@dataclass(frozen=True)
class CodeData:
    """What a `CodeBox` shows. caption: what the program does. copy, copied: the button before and after."""

    code: str
    caption: str = say("This program makes the same numbers.")
    copy: str = COPY
    copied: str = COPIED

    def payload(self) -> dict[str, Any]:
        """JSON-able form."""
        return {"code": self.code, "caption": self.caption, "copyWords": [self.copy, self.copied]}


class LinkBox(Widget):
    """A read-only field with an address and a button that copies it. Value: `LinkData`, or None for nothing."""

    SCRIPTS = ("copy.js", "link_box.js")
    STYLE = "copy.css"
    ACCEPTS = LinkData


class CodeBox(Widget):
    """A program with a button that copies it. Value: `CodeData`, or None for nothing."""

    SCRIPTS = ("copy.js", "code_box.js")
    STYLE = "copy.css"
    ACCEPTS = CodeData
