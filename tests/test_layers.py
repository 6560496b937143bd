"""Who may import whom, and that one module alone knows the names of GPT-2's parts."""

import ast
import re
from pathlib import Path

import pytest

import resstream_demo

PACKAGE = "resstream_demo"
ROOT = Path(__file__).resolve().parents[1]
ABOVE = {  # for each layer, those that it must not know of
    "core": ("methods", "figures", "ui", "cli"),
    "methods": ("figures", "ui", "cli"),
    "figures": ("ui", "cli"),
    "ui": ("cli",),
}
GPT2_NAMES = re.compile(r"(?<![A-Za-z0-9_])(c_attn|c_proj|c_fc|ln_1|ln_2|ln_f|wte|wpe)(?![A-Za-z0-9_])")
KNOW_GPT2 = (f"{PACKAGE}/core/gpt2.py", f"{PACKAGE}/tiny/")


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def imported(source: str, package: str) -> set[str]:
    """Full names of all that a module of `package` imports, wherever in it the import stands."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*parents, *filter(None, [node.module])])
            found |= {f"{base}.{alias.name}" for alias in node.names}
    return found


def part(name: str) -> str:
    """The part of the package that a full name belongs to; "" for another package's."""
    top, _, rest = name.partition(".")
    if top != PACKAGE:
        return ""
    first = rest.split(".")[0]
    return "cli" if first.startswith("cli") or first == "__main__" else first


def code_words(source: str) -> set[str]:
    """Every identifier and every string of a module that is not a docstring."""
    tree, found = ast.parse(source), set()
    docs = {
        node.body[0].value
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        and ast.get_docstring(node, clean=False) is not None
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str) and node not in docs:
                found.add(node.value)
            continue
        for _, value in ast.iter_fields(node):
            found |= {item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str)}
    return found


@pytest.mark.parametrize("layer", ABOVE)
def test_imports_point_downwards(layer):
    files = sources(f"{PACKAGE}/{layer}")
    assert len(files) > 4
    for path in files:
        package = ".".join(path.parent.relative_to(ROOT).parts)
        for name in imported(path.read_text("utf-8"), package):
            assert part(name) not in ABOVE[layer], f"{path.relative_to(ROOT)} imports {name}"
            assert part(name) not in resstream_demo.__all__, f"{path.relative_to(ROOT)} imports {name} from the top"


@pytest.mark.parametrize("path", sources(PACKAGE), ids=lambda path: path.relative_to(ROOT / PACKAGE).as_posix())
def test_no_other_module_names_parts_of_gpt2(path):
    if path.relative_to(ROOT).as_posix().startswith(KNOW_GPT2):
        return
    named = {word for word in code_words(path.read_text("utf-8")) if GPT2_NAMES.search(word)}
    assert not named


def test_the_module_that_knows_gpt2_names_them_all():
    words = " ".join(code_words((ROOT / KNOW_GPT2[0]).read_text("utf-8")))
    assert set(GPT2_NAMES.findall(words)) == {"c_attn", "c_proj", "c_fc", "ln_1", "ln_2", "ln_f", "wte", "wpe"}


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("import resstream_demo.ui.app", "ui"), ("from resstream_demo import cli_text", "cli"),
        ("from ..ui import app", "ui"), ("from .. import ui", "ui"), ("from ..cli import main", "cli"),
        ("def f():\n    from ..methods.lens import logit_lens", "methods"), ("from . import hub", "core"),
        ("from .hub import fetch", "core"), ("import ui.cli", ""), ("from .. import load_model", "load_model"),
    ],
)  # fmt: skip
def test_imports_are_found_however_they_are_written(line, name):
    assert {part(found) for found in imported(line, f"{PACKAGE}.core")} == {name}


@pytest.mark.parametrize(
    "line",
    [
        "block.attn.c_attn", "ln_1 = 0", "f(wte=1)", "def wpe(): pass", "from x import c_proj", "n = 'h.0.ln_2.weight'",
        "f'{x}.ln_f'", "global c_fc", "x: 'wte'",
    ],
)  # fmt: skip
def test_names_are_found_however_they_are_written(line):
    assert any(GPT2_NAMES.search(word) for word in code_words(line))


def test_docstrings_comments_and_longer_names_may_hold_them():
    source = '"""About ln_1."""\nln_final = 1  # ln_f there\n\ndef f():\n    """Uses wte."""\n    return "ln_final"\n'
    assert not any(GPT2_NAMES.search(word) for word in code_words(source))
