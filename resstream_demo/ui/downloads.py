"""Files of a result, saved by the browser: no file is ever made on the server."""

import re

import gradio as gr

from ..core.words import say
from ..figures.export import result_to_csv, result_to_json


def _drawn(kind: str):
    def write(result) -> bytes:
        from ..figures.paper import picture  # matplotlib takes a second to import, and few ask for a drawing

        return picture(result, format=kind)

    return write


FORMATS = {
    "csv": ("text/csv;charset=utf-8", result_to_csv),
    "json": ("application/json", result_to_json),
    "png": ("image/png", _drawn("png")),
    "svg": ("image/svg+xml", _drawn("svg")),
}


class FileButtons:
    """The buttons under a picture: its numbers, its drawing for a paper, and the program that makes it again."""

    def __init__(self, key: str):
        with gr.Row(elem_classes="files"):
            self.kinds = {
                kind: gr.Button(kind.upper(), size="sm", scale=0, min_width=64, elem_id=f"{key}-{kind}")
                for kind in FORMATS
            }
            self.reproduce = gr.Button(say("Reproduce"), size="sm", scale=0, min_width=110, elem_id=f"{key}-reproduce")


def file_of(result, kind: str) -> tuple[str, str, str | bytes]:
    """(name, type, content) of a result's file. kind: a key of `FORMATS`."""
    content_type, write = FORMATS[kind]
    model = re.sub(r"[^A-Za-z0-9.-]+", "-", result.info.model)
    return f"{result.info.method}-{model}.{kind}", content_type, write(result)
