"""The bundled examples: pairs of prompts with something to see in them."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..core.words import Say

EXAMPLES_FILE = Path(__file__).resolve().parents[2] / "assets" / "examples.json"


@dataclass(frozen=True)
class Example:
    """Two prompts, the token to ask about, its contrast ("" for none), and what to look for."""

    id: str
    title: str
    clean: str
    corrupted: str
    answer: str
    contrast: str
    look_for: str


@cache
def examples() -> tuple[Example, ...]:
    """All examples in the order of the gallery; the first is the one the page opens on."""
    found = []
    for entry in json.loads(EXAMPLES_FILE.read_text("utf-8")):
        worded = {name: _sentence(entry[name]) for name in ("title", "look_for")}
        found.append(Example(**{**entry, **worded}))
    return tuple(found)


def _sentence(text: str) -> Say:
    """A text of the file as one that can be translated: its own template."""
    return Say(text, text.replace("{", "{{").replace("}", "}}"), {})
