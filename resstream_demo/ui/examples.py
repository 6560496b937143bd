"""The bundled examples: pairs of prompts with something to see in them."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

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
    """All examples in the order of the menu; the first is the one the page opens on."""
    return tuple(Example(**entry) for entry in json.loads(EXAMPLES_FILE.read_text("utf-8")))
