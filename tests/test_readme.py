"""README is true: its Python runs as written, its commands exist, and its card fits what a Space accepts."""

import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_the_python_example_runs_as_written(capsys):
    (code,) = blocks("python")
    assert len(code.strip().splitlines()) <= 12
    exec(compile(code, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "receipt" in printed.lower() and "ok=True" in printed and "ok=False" not in printed


COMMANDS = [
    line
    for block in blocks("bash")
    for line in block.splitlines()
    if line.startswith("python -m resstream_demo") and not line.endswith(("serve", "bench"))
]


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_runs_as_written(command, capsys):
    from resstream_demo.cli import main

    assert main(shlex.split(command)[3:]) == 0
    assert capsys.readouterr().out.strip()


def test_there_are_commands_for_all_four_methods():
    assert [shlex.split(command)[3] for command in COMMANDS] == ["lens", "dla", "patch", "ablate"]


def test_the_space_card_is_acceptable():
    card = dict(re.findall(r"^(\w+): (.+)$", README.split("---")[1], flags=re.MULTILINE))
    assert card["sdk"] == "gradio" and card["app_file"] == "app.py" and (ROOT / "app.py").exists()
    assert len(card["short_description"]) <= 60
    assert card["python_version"] in ('"3.11"', '"3.12"', '"3.13"')
    low, high = re.search(r"^gradio>=([\d.]+),<(\d+)$", (ROOT / "requirements.txt").read_text(), re.MULTILINE).groups()
    version = tuple(int(part) for part in card["sdk_version"].split("."))
    assert tuple(int(part) for part in low.split(".")) <= version < (int(high),)


@pytest.mark.parametrize("path", re.findall(r"\]\((?!http)([^)]+)\)", README))
def test_every_file_that_readme_points_to_exists(path):
    assert (ROOT / path).exists()
