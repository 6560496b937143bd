"""The page in its reader's language: looks up the templates of what was said in English and fills them again.

A catalogue is a file `assets/translations/<language>.json`: English template → template in that language, with the
same placeholders. English needs none. What a catalogue lacks stays English.
"""

import dataclasses
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from ..core.words import Say

LANGUAGES = {"en": "English", "zh": "简体中文"}
ENGLISH = "en"
FOLDER = Path(__file__).resolve().parents[2] / "assets" / "translations"
_LONGEST_HEADER = 1000  # characters read of an Accept-Language header
_WEIGHT = re.compile(r"[01](\.[0-9]{0,3})?")
_NUMBERS = (int, float, bool, np.float32, np.float64, np.int64, np.bool_)
_PLAIN = frozenset({str, bytes, type(None), np.ndarray, *_NUMBERS})  # types of what holds no Say


@dataclass(frozen=True)
class Catalogue:
    """How to say things in one language. templates: English template → that language's."""

    language: str
    templates: Mapping[str, str]


@cache
def catalogue_of(language: str) -> Catalogue:
    """The catalogue of one of LANGUAGES, read once. Raises KeyError for any other."""
    if language not in LANGUAGES:
        raise KeyError(language)
    if language == ENGLISH:
        return Catalogue(language, MappingProxyType({}))
    entries = json.loads((FOLDER / f"{language}.json").read_text("utf-8"))
    return Catalogue(language, MappingProxyType(entries))


def translate(text: str, catalogue: Catalogue) -> str:
    """A Say in the catalogue's language, and so the Says among its values; any other text as it is.

    Only templates are looked up: a value that is plain text, such as a token or a prompt, is never translated, whatever
    it says, nor read as a template.
    """
    if not isinstance(text, Say) or not catalogue.templates:
        return text
    template = catalogue.templates.get(text.template, text.template)
    values = {name: translate(value, catalogue) for name, value in text.values.items()}
    return template.format(**values)


def translated(value: Any, catalogue: Catalogue) -> Any:
    """The value with every Say in it translated; dataclasses, dicts (their values), lists and tuples are walked.

    Nothing is changed in place, and what holds no Say is not copied: the result shares it. Arrays, tensors, frames and
    other objects are not looked into.
    """
    return _walked(value, catalogue) if catalogue.templates else value


def _walked(value: Any, catalogue: Catalogue) -> Any:
    if isinstance(value, Say):
        return translate(value, catalogue)
    if type(value) in _PLAIN:
        return value
    if isinstance(value, (list, tuple)):
        return _walked_sequence(value, catalogue)
    if isinstance(value, dict):
        items = _changed(value, catalogue)
        return {**value, **items} if items else value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {field.name: getattr(value, field.name) for field in dataclasses.fields(value) if field.init}
        items = _changed(fields, catalogue)
        return dataclasses.replace(value, **items) if items else value
    return value


def _walked_sequence(value: list | tuple, catalogue: Catalogue) -> list | tuple:
    if _PLAIN.issuperset(map(type, value)):  # without a step of Python per item: a grid's rows are long
        return value
    items = [_walked(item, catalogue) for item in value]
    if all(new is old for new, old in zip(items, value, strict=True)):
        return value
    if isinstance(value, list):
        return items
    return type(value)(*items) if hasattr(value, "_fields") else tuple(items)


def _changed(items: Mapping[str, Any], catalogue: Catalogue) -> dict[str, Any]:
    """The items that translation changes, translated."""
    if _PLAIN.issuperset(map(type, items.values())):
        return {}
    found = {name: _walked(item, catalogue) for name, item in items.items()}
    return {name: item for name, item in found.items() if item is not items[name]}


def language_of(header: str | None, query: str | None) -> str:
    """One of LANGUAGES: the one the link asks for (`?lang=`), else the browser's first, else English.

    header: Accept-Language. All kinds of Chinese count as the one there is.
    """
    asked = _known((query or "").strip())
    return asked or next(filter(None, map(_known, _by_preference(header or ""))), ENGLISH)


def _known(tag: str) -> str | None:
    """The language of a tag such as zh-Hant-TW or zh_CN, if it is one of LANGUAGES."""
    language = tag.replace("_", "-").split("-")[0].lower()
    return language if language in LANGUAGES else None


def _by_preference(header: str) -> list[str]:
    """The tags of an Accept-Language header, best first; equals in their order, refused ones left out."""
    wanted = []
    for entry in header[:_LONGEST_HEADER].split(","):
        tag, *parameters = (part.strip() for part in entry.split(";"))
        weight = _weight(parameters)
        if tag and weight > 0:
            wanted.append((weight, tag))
    return [tag for _, tag in sorted(wanted, key=lambda item: -item[0])]


def _weight(parameters: list[str]) -> float:
    """The q of an entry: 1 if it has none, 0 if it cannot be read."""
    for parameter in parameters:
        name, _, number = parameter.partition("=")
        if name.strip().lower() == "q":
            return float(number) if _WEIGHT.fullmatch(number.strip()) else 0.0
    return 1.0
