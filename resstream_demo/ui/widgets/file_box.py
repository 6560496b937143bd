"""A text file from the visitor's machine, read by the browser: no file is ever put on the server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...core.words import say
from .base import Widget


@dataclass(frozen=True)
class FileBoxData:
    """What a `FileBox` shows. label: on the button. accept: the kinds of file that the dialogue offers. most: bytes;
    a larger file is not read. hint: what to drop or choose, beside the button. drop: what a file held over it meets.
    """

    label: str
    accept: str = ".csv"
    most: int = 64 * 1024
    hint: str = ""
    drop: str = say("Drop the file here")

    def payload(self) -> dict[str, Any]:
        """JSON-able form."""
        return {"label": self.label, "accept": self.accept, "most": self.most, "hint": self.hint, "drop": self.drop}


class FileBox(Widget):
    """A button that reads a text file, which may also be dropped on it. Value: `FileBoxData`.

    `box.select(handler)` calls `handler(event: gr.SelectData)` with `event.index` the file's name and `event.value`
    a dict: {"text": its text}, or {"fault": "size", "bytes": n} for one that is too large, or {"fault": "encoding"}
    for one that is not UTF-8. What comes may have any content: it is the visitor's.
    """

    SCRIPTS = ("file_box.js",)
    STYLE = "file_box.css"
    ACCEPTS = FileBoxData
