"""CSV and JSON of a result, saved by the browser: no file is ever made on the server."""

import re

import gradio as gr

from ..figures.export import result_to_csv, result_to_json

FORMATS = {"csv": ("text/csv;charset=utf-8", result_to_csv), "json": ("application/json", result_to_json)}


class DownloadButtons:
    """The two buttons of a tab."""

    def __init__(self, key: str):
        with gr.Row(elem_classes="files"):
            self.csv = gr.Button("Download CSV", size="sm", scale=0, min_width=140, elem_id=f"{key}-csv")
            self.json = gr.Button("Download JSON", size="sm", scale=0, min_width=140, elem_id=f"{key}-json")


def file_of(result, kind: str) -> tuple[str, str, str]:
    """(name, type, text) of a result's file. kind: "csv" or "json"."""
    content_type, write = FORMATS[kind]
    model = re.sub(r"[^A-Za-z0-9.-]+", "-", result.info.model)
    return f"{result.info.method}-{model}.{kind}", content_type, write(result)
