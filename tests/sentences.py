"""What the package says to people, read off its source: the templates, and the places where a sentence must stand."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter

from resstream_demo.core import errors

PACKAGE = Path(__file__).resolve().parents[1] / "resstream_demo"
WORDS = "core/words.py"  # makes templates of templates; every other file writes them out
SPEAKERS = {"say": slice(0, 1), "plural": slice(1, 3), "joined": slice(1, 2)}  # which of its arguments are templates
ERRORS = {
    kind.__name__ for kind in vars(errors).values() if isinstance(kind, type) and kind.__module__ == errors.__name__
}
#: Arguments, by position, that a person reads.
SHOWN = {name: (0,) for name in ERRORS} | {"Remark": (1,), "Proof": (0, 1), "Receipt": (0, 4), "receipt": (0, 4)}
SHOWN |= {"choose": (2,), "positive": (1,), "listed": (1,), "finite": (1,)}
CODE = re.compile(r"k|dtype|[a-z]+(_[a-z]+)+")  # options that have no other name in any language
PASSED_ON = {name: frozenset({"name", "detail"}) for name in ("Receipt", "receipt")}  # arguments said by the caller


@dataclass(frozen=True)
class Call:
    """A call of say, plural or joined. templates: None for one that is no literal. values: the names of its values."""

    where: str
    templates: tuple[str | None, ...]
    values: frozenset[str]
    open: bool  # whether there are more values, in a **mapping


def files(*folders: str) -> list[str]:
    """Python files of the package, or of some of its folders, named from it."""
    paths = [path for folder in folders or ("",) for path in (PACKAGE / folder).rglob("*.py")]
    return sorted(path.relative_to(PACKAGE).as_posix() for path in paths)


@cache
def module(file: str) -> ast.Module:
    return ast.parse((PACKAGE / file).read_text("utf-8"))


def name_of(node: ast.AST) -> str:
    """The name of what a call calls, without what it is an attribute of; "" for any other node."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def calls(tree: ast.AST, file: str = "") -> Iterator[Call]:
    """Every call of say, plural and joined."""
    for node in ast.walk(tree):
        name = name_of(node)
        if name not in SPEAKERS or not isinstance(node.func, ast.Name):
            continue
        given = {word.arg: word.value for word in node.keywords if word.arg}
        texts = node.args[SPEAKERS[name]]
        if name == "joined":
            texts, given = [*texts, *filter(None, [given.get("separator")])], {}
        yield Call(
            where=f"{file}:{node.lineno}",
            templates=tuple(text.value if isinstance(text, ast.Constant) else None for text in texts),
            values=frozenset(given) | ({"count"} if name == "plural" else set()),
            open=any(word.arg is None for word in node.keywords),
        )


def all_calls() -> list[Call]:
    """Every call of say, plural and joined in the package."""
    return [call for file in files() if file != WORDS for call in calls(module(file), file)]


def templates() -> set[str]:
    """Every template in the package, and the separator that `joined` has by itself."""
    return {template for call in all_calls() for template in call.templates} - {None} | {" "}


def placeholders(template: str) -> Counter:
    """(name, format) of every placeholder, and how often. Raises ValueError for one that is more than that."""
    found = Counter()
    for _, name, spec, conversion in Formatter().parse(template):
        if name is None:
            continue
        if not name.isidentifier() or conversion or "{" in spec:
            raise ValueError(f"{template!r} does more with {name!r} than to put it in")
        found[name, spec] += 1
    return found


def unspoken(tree: ast.AST, file: str = "") -> list[str]:
    """Places where a person would read something that cannot be translated: no say, plural or joined made it."""
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    return [
        f"{file}:{node.lineno} {name_of(node)}"
        for node, function in _with_function(tree, None)
        for place in SHOWN.get(name_of(node), ())
        if not _Reader(functions, PASSED_ON.get(name_of(node), frozenset())).spoken(_argument(node, place), function)
    ]


@dataclass(frozen=True)
class _Reader:
    """Tells what is a sentence. functions: of the module, by name. passed_on: names of what was said elsewhere."""

    functions: dict[str, ast.FunctionDef]
    passed_on: frozenset[str]
    seen: tuple[ast.FunctionDef, ...] = ()

    def spoken(self, node: ast.AST | None, function: ast.FunctionDef | None) -> bool:
        """Whether an expression in a function is a Say, whichever way it is come by, or a name in the code."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, str) and bool(CODE.fullmatch(node.value))
        if isinstance(node, ast.IfExp):
            return self.all_spoken([node.body, node.orelse], function)
        if isinstance(node, ast.Attribute):
            return node.attr == "sentence" or node.attr in self.passed_on
        if isinstance(node, ast.Name):
            return node.id in self.passed_on or self.all_spoken(_assigned(node.id, function), function)
        if name_of(node) in SPEAKERS:
            return True
        helper = self.functions.get(name_of(node))
        if helper is None or helper in self.seen:
            return helper is not None
        return _Reader(self.functions, frozenset(), (*self.seen, helper)).all_spoken(_returned(helper), helper)

    def all_spoken(self, nodes: list[ast.AST | None], function: ast.FunctionDef | None) -> bool:
        return bool(nodes) and all(self.spoken(node, function) for node in nodes)


def _with_function(node: ast.AST, function: ast.FunctionDef | None) -> Iterator[tuple[ast.AST, ast.FunctionDef | None]]:
    """Every node under this one with the innermost function that it stands in."""
    for child in ast.iter_child_nodes(node):
        yield child, function
        yield from _with_function(child, child if isinstance(child, ast.FunctionDef) else function)


def _argument(call: ast.Call, place: int) -> ast.AST | None:
    return call.args[place] if place < len(call.args) else None


def _assigned(name: str, function: ast.FunctionDef | None) -> list[ast.AST | None]:
    """What a local name is set to; None for a value that cannot be told."""
    return [
        node.value if isinstance(target, ast.Name) and isinstance(node, ast.Assign) else None
        for node in ast.walk(function or ast.Module([], []))
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.For))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(target))
    ]


def _returned(function: ast.FunctionDef) -> list[ast.AST | None]:
    return [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
