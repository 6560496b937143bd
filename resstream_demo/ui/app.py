"""Serving the page."""

import os
from pathlib import Path

import gradio as gr
from starlette.middleware import Middleware

from ..core.settings import Settings
from .environment import address, check_free, not_free
from .limits import BodyLimit, body_limit
from .page import Page

CSS_FILE = Path(__file__).parent / "static" / "page.css"
QUEUE_SIZE = 100
SESSIONS_KEPT = 500


def build(settings: Settings | None = None) -> gr.Blocks:
    """The page, with the first example computed."""
    return Page(settings or Settings.from_env()).blocks


def launch_options(settings: Settings, env=os.environ) -> dict:
    """How the page is served: where `environment.address` says, and by Gradio's options for it."""
    name, port = address(settings, env)
    return {
        "server_name": name,
        "server_port": port,
        "theme": gr.themes.Default(
            primary_hue="blue",
            neutral_hue="slate",
            font=["system-ui", "sans-serif"],
            font_mono=["ui-monospace", "monospace"],
        ),
        "css": CSS_FILE.read_text("utf-8"),
        "footer_links": ["api"],
        "state_session_capacity": SESSIONS_KEPT,
        "max_file_size": "1kb",
        "ssr_mode": False,
        "app_kwargs": {"openapi_url": None, "middleware": [Middleware(BodyLimit, limit=body_limit(settings))]},
    }


def serve(settings: Settings | None = None, *, host: str | None = None, port: int | None = None, **options):
    """Build the page and serve it.

    host, port: where, over what the environment says. options: whatever else `gr.Blocks.launch` takes. Raises
    OptionError for settings that make no sense, and if nothing can be served there.
    """
    settings = settings or Settings.from_env()
    place = {"server_name": host, "server_port": port}
    options = launch_options(settings) | {name: value for name, value in place.items() if value is not None} | options
    check_free(options["server_name"], options["server_port"])  # before the model is read, which takes a while
    blocks = build(settings).queue(max_size=QUEUE_SIZE)
    try:
        return blocks.launch(**options)
    except OSError as error:  # somebody was faster
        raise not_free(options["server_name"], options["server_port"]) from error
