"""What every widget shares: static assets, the encoding of values, and the marks drawn over them.

A widget is a `gr.HTML` whose template never changes. Its value travels as one JSON *string* (Gradio wraps
nested values in reactive proxies and stringifies them several times per update, which is slow for large
grids), and its JavaScript builds the DOM with `textContent` only. So nothing a user types or a model emits
is ever parsed as HTML, as a template or as code.

Two kinds of state, kept apart:
- the *value*: what was computed; replaced as a whole.
- the *marks*: which element is selected, which set is chosen, and whether the value is stale; small, and
  changed often. A tab that has never been opened keeps only the latest set it was sent (unless
  `gr.Tab(render_children=True)`), so name all marks when that matters.
"""

from __future__ import annotations

import json
from abc import ABCMeta
from collections.abc import Iterable, Sequence
from numbers import Integral
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol
from uuid import uuid4

import gradio as gr
from gradio.component_meta import ComponentMeta, updateable

from .scales import STOPS

KEEP: Final = object()  # "leave this mark as it is"

_STATIC = Path(__file__).parent / "static"

# Characters escaped although JSON does not ask for it: a value must survive being put inside a <script>
# element, and must not contain the marker Gradio's front end takes for a translation key.
_ESCAPES = (("<", "\\u003c"), (">", "\\u003e"), ("&", "\\u0026"), ("__i18n__", "\\u005f_i18n__"))


class Payload(Protocol):
    """Data a widget can draw."""

    def payload(self) -> dict[str, Any]: ...


def read_asset(name: str) -> str:
    """The text of a file in `static/`."""
    return (_STATIC / name).read_text(encoding="utf-8")


def encode(payload: dict[str, Any]) -> str:
    """`payload` as ASCII JSON, safe inside HTML and scripts. Raises ValueError for NaN and infinities."""
    text = json.dumps(payload, allow_nan=False, separators=(",", ":"))
    for raw, escaped in _ESCAPES:
        text = text.replace(raw, escaped)
    return text


class WidgetMeta(ComponentMeta):
    """Gradio's metaclass without its habit of writing a .pyi file next to each subclass's source."""

    def __new__(mcls, name: str, bases: tuple[type, ...], attrs: dict[str, Any]):
        if "__init__" in attrs:
            attrs["__init__"] = updateable(attrs["__init__"])
        return ABCMeta.__new__(mcls, name, bases, attrs)


class Widget(gr.HTML, metaclass=WidgetMeta):
    """Base of the widgets. Subclasses name their scripts and style sheet and what they accept.

    label: accessible name. empty: the sentence shown while there is no value.
    A handler returns `widget.show(data, …)` for value and marks, `widget.mark(…)` for the marks alone, or
    just a data object (or None). A new value is not stale, and leaves the selection where it is. Use
    `show_progress="hidden"` on handlers of `select`, or the widget fades at every click. Gradio gives HTML
    components no `scale` in a row: put the widget in a `gr.Column(scale=…)`.
    """

    SCRIPTS: ClassVar[tuple[str, ...]] = ()
    STYLE: ClassVar[str] = ""
    SHARED_STYLES: ClassVar[tuple[str, ...]] = ()  # sheets that several widgets use, before the widget's own
    ACCEPTS: ClassVar[type] = object

    def __init__(
        self,
        value: Payload | None = None,
        *,
        label: str = "",
        empty: str = "",
        marks: dict[str, Any] | None = None,
        visible: bool | str = True,
        elem_id: str | None = None,
        elem_classes: Sequence[str] | str | None = None,
        render: bool = True,
        key: int | str | None = None,
    ) -> None:
        self.empty = empty
        self.marks = marks or make_marks()
        super().__init__(
            value,
            label=label,
            html_template='<div class="rs-root"></div>',
            css_template="".join(map(read_asset, ("shared.css", *self.SHARED_STYLES, self.STYLE))),
            js_on_load=script(*self.SCRIPTS),
            apply_default_css=False,
            visible=visible,
            elem_id=elem_id,
            elem_classes=elem_classes,
            render=render,
            key=key,
            marks=self.marks,
        )

    def show(
        self, data: Payload | None, *, selected: Any = KEEP, stale: bool = False, chosen: Any = KEEP
    ) -> dict[str, Any]:
        """An update with a new value, and its marks."""
        return gr.update(value=data, marks=make_marks(selected, stale, chosen))

    def mark(self, *, selected: Any = KEEP, stale: bool | Any = KEEP, chosen: Any = KEEP) -> dict[str, Any]:
        """An update of the marks alone: cheap, whatever the size of the value. `selected=None` deselects,
        `chosen=()` empties the set; what is not given stays as it is."""
        return gr.update(marks=make_marks(selected, stale, chosen))

    def payload_of(self, value: Any) -> dict[str, Any]:
        """The JSON-able form of `value`, which is an instance of `ACCEPTS`."""
        if not isinstance(value, self.ACCEPTS):
            raise TypeError(f"{type(self).__name__} draws {self.ACCEPTS.__name__}, not {type(value).__name__}.")
        return value.payload()

    def postprocess(self, value: Any) -> str:
        """Encode a data object. A string is a value encoded earlier (a cached example) and passes."""
        if isinstance(value, str):
            return encode(json.loads(value))
        return encode({"empty": self.empty} if value is None else self.payload_of(value))

    def preprocess(self, payload: str | None) -> dict[str, Any] | None:
        """The payload as a dict, should a handler ask for a widget's value."""
        return json.loads(payload) if payload else None

    def api_info(self) -> dict[str, Any]:
        return {"type": "string", "description": f"JSON text of a {type(self).__name__}"}

    def example_payload(self) -> str:
        return self.example_value()

    def example_value(self) -> str:
        return encode({"empty": self.empty})


def make_marks(
    selected: Any = KEEP, stale: bool | Any = KEEP, chosen: Iterable[Any] | Any | None = KEEP
) -> dict[str, Any]:
    """Marks as sent to the browser. The stamp makes two equal marks in a row both arrive, so that the
    server has the last word after a click has moved the selection in the browser."""
    marks: dict[str, Any] = {"stamp": uuid4().hex[:8]}
    if selected is not KEEP:
        marks["selected"] = _plain(selected)
    if stale is not KEEP:
        marks["stale"] = bool(stale)
    if chosen is not KEEP:
        marks["chosen"] = sorted(_plain(place) for place in chosen or ())
    return marks


def _plain(place: Any) -> Any:
    """An index, or a row and a column, as JSON takes it: NumPy's integers and tuples are not."""
    if isinstance(place, Integral) and not isinstance(place, bool):
        return int(place)
    return [int(i) for i in place] if isinstance(place, tuple | list) else place


def script(*names: str) -> str:
    """The shared helpers followed by one widget's scripts."""
    return f"const SCALE_STOPS = {json.dumps(STOPS)};\n" + "\n".join(map(read_asset, ("shared.js", *names)))
