"""Small gr.HTML components with static templates: a line of plain text, a saver of files."""

import base64
import json
from uuid import uuid4

import gradio as gr

from .widgets.base import WidgetMeta, encode

_LINE_CSS = """
color: var(--quiet, var(--body-text-color)); font-size: 13px; line-height: 1.45;
p { margin: 0; overflow-wrap: anywhere; white-space: pre-line; }
p:empty { display: none; }
"""

_LINE_JS = """
element.parentElement.style.padding = "0";
const block = element.closest(".block");
const show = () => {
  const text = typeof props.value === "string" && props.value ? JSON.parse(props.value) : "";
  element.querySelector("p").textContent = text;
  if (block) block.style.display = text ? "" : "none";
};
watch("value", show);
show();
"""

_SAVER_JS = """
element.closest(".block").style.display = "none";
watch("value", () => {
  if (!props.value) return;
  const file = JSON.parse(props.value);
  const content = file.bytes ? Uint8Array.from(atob(file.bytes), (c) => c.charCodeAt(0)) : file.text;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: file.type }));
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
});
"""


class Line(gr.HTML, metaclass=WidgetMeta):
    """A line of plain text. Whatever the text, it is only ever shown, never parsed."""

    def __init__(self, value: str = "", *, elem_classes=None, elem_id=None, scale=None, min_width=None, render=True):
        super().__init__(
            value,
            html_template='<p dir="auto"></p>',
            css_template=_LINE_CSS,
            js_on_load=_LINE_JS,
            apply_default_css=False,
            elem_classes=elem_classes,
            elem_id=elem_id,
            scale=scale,
            min_width=min_width,
            render=render,
        )

    def postprocess(self, value: str | None) -> str:
        return encode(value or "")

    def preprocess(self, payload: str | None) -> str:
        return json.loads(payload) if payload else ""

    def api_info(self) -> dict:
        return {"type": "string"}


class Saver(gr.HTML, metaclass=WidgetMeta):
    """Makes the browser save a text or bytes as a file, without a file on the server. Value: (name, type, content)."""

    def __init__(self, value: tuple[str, str, str | bytes] | None = None, *, render: bool = True):
        super().__init__(
            value,
            html_template="<span></span>",
            css_template="",
            js_on_load=_SAVER_JS,
            apply_default_css=False,
            render=render,
        )

    def postprocess(self, value: tuple[str, str, str | bytes] | None) -> str:
        if value is None:
            return ""
        name, kind, content = value
        part = {"text": content} if isinstance(content, str) else {"bytes": base64.b64encode(content).decode("ascii")}
        return encode({"name": name, "type": kind, **part, "stamp": uuid4().hex})

    def preprocess(self, payload: str | None) -> None:
        return None

    def api_info(self) -> dict:
        return {"type": "string"}
