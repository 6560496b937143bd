"""Small gr.HTML components with static templates: a line of plain text, a saver of files, a keeper of widths."""

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
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([file.text], { type: file.type }));
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
});
"""

# Plotly draws what arrives in a hidden tab at a width of its own, and measures again only when the window changes.
# A plot comes to the page at its own pace, before or after its column is shown; so look again until it fits.
_REFIT_JS = """
const block = element.closest(".block");
const column = block.parentElement;
block.style.display = "none";
let waiting = 0;
const misfit = () => [...column.querySelectorAll(".js-plotly-plot")].some((plot) => {
  const drawn = plot.querySelector(".main-svg");
  return plot.clientWidth && drawn && Math.abs(drawn.clientWidth - plot.clientWidth) > 1;
});
const fit = (tries) => {
  clearTimeout(waiting);
  if (misfit()) window.dispatchEvent(new Event("resize"));
  waiting = tries ? setTimeout(() => fit(tries - 1), 250) : 0;
};
new ResizeObserver(() => fit(8)).observe(column);
new MutationObserver(() => waiting || fit(8)).observe(column, { childList: true, subtree: true });
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
    """Makes the browser save a text as a file, without a file on the server. Value: (name, type, text)."""

    def __init__(self, value: tuple[str, str, str] | None = None, *, render: bool = True):
        super().__init__(
            value,
            html_template="<span></span>",
            css_template="",
            js_on_load=_SAVER_JS,
            apply_default_css=False,
            render=render,
        )

    def postprocess(self, value: tuple[str, str, str] | None) -> str:
        if value is None:
            return ""
        name, kind, text = value
        return encode({"name": name, "type": kind, "text": text, "stamp": uuid4().hex})

    def preprocess(self, payload: str | None) -> None:
        return None

    def api_info(self) -> dict:
        return {"type": "string"}


class Refit(gr.HTML, metaclass=WidgetMeta):
    """Makes the plots beside it fit their column whenever that gets another width, as when its tab is opened."""

    def __init__(self, *, render: bool = True):
        super().__init__(
            "",
            html_template="<span></span>",
            css_template="",
            js_on_load=_REFIT_JS,
            apply_default_css=False,
            render=render,
        )
