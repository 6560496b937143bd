"""The page in each visitor's language: what handlers say is translated on its way to the browser."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import gradio as gr

from ..core.words import Say
from .translation import ENGLISH, LANGUAGES, Catalogue, catalogue_of, translate, translated
from .widgets.base import Widget, encode


class _Anything(dict):
    """A catalogue's templates in which every template has another form."""

    def get(self, template: str, default: str = "") -> str:
        return template


_ANY = Catalogue("", _Anything({"": ""}))
#: Properties of Gradio's own components that hold words.
WORDED = ("label", "info", "placeholder", "choices")


class Speaker:
    """Says what handlers return in the language that the page's switch is set to.

    States keep what they hold: results stay English, whoever looks at them. language: the switch, whose value is a key
    of `translation.LANGUAGES`.
    """

    def __init__(self, blocks: gr.Blocks, language: gr.Radio):
        self.language = language
        words = {component: words_of(component) for component in blocks.blocks.values()}
        self._words = {component: found for component, found in words.items() if found}

    @property
    def labelled(self) -> tuple:
        """The components whose labels can be said in another language."""
        return tuple(self._words)

    def with_labels(self, updates: dict) -> dict:
        """Updates, and every word that stands on the page by itself; what an update says of a component goes first."""
        found = dict(updates)
        for component, words in self._words.items():
            own = updates.get(component, {})
            own = own if isinstance(own, dict) and own.get("__type__") == "update" else {"value": own}
            found[component] = gr.update(**words) | (own if component in updates else {})
        return found

    def spoken(self, data: dict) -> str:
        """The language that the switch is set to; English if it was sent as none there is."""
        chosen = data[self.language]
        return chosen if chosen in LANGUAGES else ENGLISH

    def said(self, updates: Any, language: str) -> Any:
        """Updates in a language."""
        catalogue = catalogue_of(language)
        if not isinstance(updates, dict) or "__type__" in updates:
            return updates
        return {component: _told(component, value, catalogue) for component, value in updates.items()}

    def answering(self, handler: Callable, event: bool = False) -> Callable:
        """A handler of `data` (and of the event's data, if `event`) as Gradio calls it, its updates translated."""
        call = _streamed if inspect.isgeneratorfunction(handler) else _once
        if event:

            def heard(data: dict, sent: gr.EventData):
                return call(self, handler, data, sent)

            def streamed(data: dict, sent: gr.EventData):
                yield from call(self, handler, data, sent)
        else:

            def heard(data: dict):
                return call(self, handler, data)

            def streamed(data: dict):
                yield from call(self, handler, data)

        return streamed if call is _streamed else heard


def _once(speaker: Speaker, handler: Callable, data: dict, *event) -> Any:
    return speaker.said(handler(data, *event), speaker.spoken(data))


def _streamed(speaker: Speaker, handler: Callable, data: dict, *event) -> Iterator[Any]:
    with closing(handler(data, *event)) as steps:  # a visitor who leaves closes the handler, too
        for updates in steps:
            yield speaker.said(updates, speaker.spoken(data))


def _told(component: Any, value: Any, catalogue: Catalogue) -> Any:
    """One update in the catalogue's language; a widget that is emptied says so in that language, too."""
    if isinstance(component, gr.State):
        return value
    value = translated(value, catalogue)
    if not isinstance(component, Widget) or not isinstance(component.empty, Say):
        return value
    nothing = encode({"empty": translate(component.empty, catalogue)})
    if value is None:
        return nothing
    return {**value, "value": nothing} if isinstance(value, dict) and value.get("value", "") is None else value


def words_of(component: Any) -> dict[str, Any]:
    """The properties of a component that hold sentences which can be translated."""
    found = {}
    for name in WORDED:
        value = getattr(component, name, None)
        if holds_words(value):
            found[name] = value
    if isinstance(component, (gr.Button, gr.HTML)):
        # Both keep what they are given in another form: plain text, or what their script reads.
        for given in (component.value, component.constructor_args.get("value")):
            if translated(given, _ANY) is not given:
                found["value"] = given
    return found


def holds_words(value: Any) -> bool:
    """Whether there is a sentence in a text, or in a list of choices."""
    if isinstance(value, (list, tuple)):
        return any(holds_words(item) for item in value)
    return isinstance(value, Say)
