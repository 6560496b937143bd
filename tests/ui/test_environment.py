"""Where the page is served, and what a deployment is told whose settings make no sense."""

import os
import runpy
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from resstream_demo.core.errors import OptionError
from resstream_demo.core.settings import Settings
from resstream_demo.ui import app, environment
from resstream_demo.ui.store import ModelStore

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = Settings()


@pytest.fixture
def taken():
    """A port of this machine on which something listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_the_page_is_served_to_this_machine_unless_told_otherwise():
    assert app.launch_options(SETTINGS, env={})["server_name"] == "127.0.0.1"
    assert app.launch_options(SETTINGS, env={"SPACE_ID": "a/b"})["server_name"] == "0.0.0.0"
    told = app.launch_options(SETTINGS, env={"GRADIO_SERVER_NAME": "10.0.0.1", "GRADIO_SERVER_PORT": "8000"})
    assert (told["server_name"], told["server_port"]) == ("10.0.0.1", 8000)
    assert app.launch_options(SETTINGS, env={})["server_port"] == 7860
    assert app.launch_options(Settings(port=9000), env={"GRADIO_SERVER_PORT": ""})["server_port"] == 9000


@pytest.mark.parametrize(
    ("settings", "env", "name"),
    [
        (SETTINGS, {"GRADIO_SERVER_PORT": "abc"}, "GRADIO_SERVER_PORT .* 'abc'"),
        (SETTINGS, {"GRADIO_SERVER_PORT": "-1"}, "GRADIO_SERVER_PORT .* '-1'"),
        (SETTINGS, {"GRADIO_SERVER_PORT": "65536"}, "GRADIO_SERVER_PORT is 65536"),
        (Settings(port=70_000), {}, "RESSTREAM_PORT is 70000"),
    ],
)
def test_what_is_no_port_is_refused_by_the_variables_name(settings, env, name):
    with pytest.raises(OptionError, match=name):
        app.launch_options(settings, env)


def test_what_gradio_would_stumble_over_when_imported_is_put_in_order():
    env = {"GRADIO_SERVER_PORT": " ", "GRADIO_NUM_PORTS": "5"}
    environment.prepare(env)
    assert env == {"GRADIO_NUM_PORTS": "5", "GRADIO_ANALYTICS_ENABLED": "False"}
    with pytest.raises(OptionError, match="GRADIO_NUM_PORTS must be a whole number, not 'many'"):
        environment.prepare({"GRADIO_NUM_PORTS": "many"})


def test_a_port_that_is_taken_is_refused_before_the_page_is_built(monkeypatch, taken):
    monkeypatch.setattr(app, "build", lambda settings: pytest.fail("built"))
    with pytest.raises(OptionError, match=f"127.0.0.1:{taken}: the port is in use"):
        app.serve(SETTINGS, port=taken)
    with pytest.raises(OptionError, match="no.such.host.invalid:7860"):
        app.serve(SETTINGS, host="no.such.host.invalid", port=7860)


def test_a_port_that_is_taken_at_the_last_moment_is_refused_too(monkeypatch, taken):
    monkeypatch.setattr(app, "check_free", lambda name, port: None)
    with pytest.raises(OptionError, match=f"127.0.0.1:{taken}: the port is in use"):
        app.serve(SETTINGS, port=taken, quiet=True)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (Settings(web_models="tiny, gtp2"), "RESSTREAM_WEB_MODELS names “gtp2”.*gpt2-xl"),
        (Settings(web_model="gtp2"), "RESSTREAM_WEB_MODEL names “gtp2”"),
        (Settings(web_models="/no/such/folder"), "RESSTREAM_WEB_MODELS names “/no/such/folder”"),
    ],
)
def test_a_model_that_there_is_not_cannot_be_offered(settings, message):
    with pytest.raises(OptionError, match=message):
        ModelStore(settings)


def test_known_models_and_folders_can_be_offered(tmp_path):
    names = f"gpt2, openai-community/gpt2-large, {tmp_path}"
    assert ModelStore(Settings(web_models=names)).names[1:] == tuple(names.split(", "))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RESSTREAM_MAX_TOKENS", "abc"),
        ("RESSTREAM_DTYPE", "int8"),
        ("RESSTREAM_DEVICE", "abacus"),
        ("RESSTREAM_WEB_MODELS", "gtp2"),
        ("GRADIO_SERVER_PORT", "70000"),
    ],
)
def test_the_start_file_gives_one_sentence(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    if name != "GRADIO_SERVER_PORT":
        with socket.create_server(("127.0.0.1", 0)) as free:
            monkeypatch.setenv("GRADIO_SERVER_PORT", str(free.getsockname()[1]))
    with pytest.raises(SystemExit) as left:
        runpy.run_path(str(ROOT / "app.py"), run_name="__main__")
    assert left.value.code.startswith("error: ") and value in left.value.code and "\n" not in left.value.code


def test_a_port_that_gradio_itself_cannot_read_gives_one_sentence():
    done = subprocess.run(
        [sys.executable, "app.py"], cwd=ROOT, env={**os.environ, "GRADIO_SERVER_PORT": "abc"}, capture_output=True,
        text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "error: GRADIO_SERVER_PORT must be a whole number, not 'abc'.\n"
