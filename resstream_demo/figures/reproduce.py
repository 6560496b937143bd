"""A result as the Python program that makes it again.

Text that came from a person, a file or a model enters the program as a Python literal (`repr`) and in no other way, in
comments as well, so that it can never be read as code.
"""

import inspect
import os
from collections.abc import Callable

from ..core.errors import OptionError
from ..core.models import HUB_IDS, TINY
from ..core.names import excerpt, head_label
from ..core.tokens import AnswerToken, Prompt
from ..core.words import say
from ..methods.ablation import AblationResult, head_ablation
from ..methods.attribution import AttributionResult, direct_logit_attribution
from ..methods.lens import LensResult, logit_lens
from ..methods.patching import PatchingResult, activation_patching
from ..methods.references import bundled_sets

INDENT = "    "
Argument = tuple[str, str]  # its source, and a comment or ""


def reproduce(result) -> str:
    """A complete program that makes a lens, attribution, patching or ablation again and prints it.

    The model is loaded by the name, revision and dtype it had, on whatever device there is; tokens are named by id;
    options are written out where they differ from the defaults. A model that was in memory already (`wrap_model`)
    has no name to load it by: the program then asks for it in a comment. Raises OptionError for other results.
    """
    if type(result) not in _CALLS:
        raise OptionError(
            say(
                "There is no program for a {kind}. Give the result of one of the four methods.",
                kind=type(result).__name__,
            )
        )
    method, arguments = _CALLS[type(result)](result)
    load, needs = _model(result.info)
    shown = "result.frame()" if isinstance(result, LensResult) else "result.top()"
    info = result.info
    lines = [
        f"# Made with version {literal(info.package_version)} of resstream_demo on {literal(info.device)}.",
        *_imports(method.__name__, needs),
        "",
        *load,
        f"result = {method.__name__}(",
        *(_line(source, comment) for source, comment in [("model", ""), *arguments]),
        ")",
        f"print({shown})",
    ]
    return "\n".join(lines) + "\n"


def literal(value) -> str:
    """A value as Python source: text by `str`'s own rules, whatever class it is of."""
    return str.__repr__(value) if isinstance(value, str) else repr(value)


def _imports(method: str, needs: str) -> list[str]:
    if needs == "load_model":
        return [f"from resstream_demo import {', '.join(sorted([method, needs]))}"]
    return [f"from resstream_demo import {method}", f"from resstream_demo.core.models import {needs}"]


def _line(source: str, comment: str) -> str:
    """One argument of the call; the comment stands behind its last line."""
    return INDENT + source.replace("\n", "\n" + INDENT) + "," + (f"  # {comment}" if comment else "")


# --- the model -----------------------------------------------------------------------------------------------


def _model(info) -> tuple[list[str], str]:
    """The lines that make the model, and the function they call."""
    options = f"dtype={literal(info.dtype)}"
    of_the_hub = info.model in (*HUB_IDS, *HUB_IDS.values())
    if of_the_hub and info.revision:
        return [
            f"model = load_model({literal(info.model)}, revision={literal(info.revision)}, {options})"
        ], "load_model"
    if info.model == TINY or (not of_the_hub and not info.revision and _is_folder(info.model)):
        return [f"model = load_model({literal(info.model)}, {options})"], "load_model"
    named = f"name={literal(info.model)}" + (f", revision={literal(info.revision)}" if info.revision else "")
    return [
        "# The model was in memory; put your transformers GPT-2 and its tokenizer here.",
        f"model = wrap_model(hf_model, tokenizer, {named})",
    ], "wrap_model"


def _is_folder(name: str) -> bool:
    return "/" in name or "\\" in name or name.startswith(("~", ".")) or os.path.isdir(name)


# --- the arguments -------------------------------------------------------------------------------------------


def _lens(result: LensResult) -> tuple[Callable, list[Argument]]:
    arguments = [_prompt(result, "prompt")]
    if result.targets:
        ids = ", ".join(literal(f"#{target.id}") for target in result.targets)
        names = ", ".join(literal(target.display) for target in result.targets)
        arguments.append((f"targets=[{ids}]", names))
    options = {"sites": tuple(result.sites), "top_k": result.info.options["top_k"], "norm": result.norm}
    return logit_lens, arguments + _changed(logit_lens, result, options)


def _attribution(result: AttributionResult) -> tuple[Callable, list[Argument]]:
    last = result.position == len(result.prompt) - 1
    options = {"position": -1 if last else result.position, "value_bias": result.value_bias}
    arguments = [_prompt(result, "prompt"), *_tokens(result)]
    return direct_logit_attribution, arguments + _changed(direct_logit_attribution, result, options)


def _patching(result: PatchingResult) -> tuple[Callable, list[Argument]]:
    positions = result.positions if isinstance(result.positions, str) else list(result.positions)
    options = {
        "site": result.site,
        "positions": positions,
        "direction": result.direction,
        "metric": result.metric,
    }
    arguments = [_prompt(result, "clean"), _prompt(result, "corrupted"), *_tokens(result)]
    return activation_patching, arguments + _changed(activation_patching, result, options)


def _ablation(result: AblationResult) -> tuple[Callable, list[Argument]]:
    options = {
        "heads": "each" if isinstance(result.heads, str) else [head_label(*head) for head in result.heads],
        "kind": result.kind,
        "positions": "all" if isinstance(result.positions, str) else list(result.positions),
        "metric": result.metric,
    }
    arguments = [_prompt(result, "prompt"), *_tokens(result), *_changed(head_ablation, result, options)]
    return head_ablation, arguments + _reference(result)


_CALLS = {
    LensResult: _lens,
    AttributionResult: _attribution,
    PatchingResult: _patching,
    AblationResult: _ablation,
}


def _prompt(result, name: str) -> Argument:
    """A prompt as its text, or as its ids where the text would give others."""
    prompt: Prompt = getattr(result, name)
    if name in result.info.options.get("given_as_ids", ()):
        return literal(list(prompt.ids)), excerpt(str.__str__(prompt.text))
    return literal(prompt.text), ""


def _tokens(result) -> list[Argument]:
    """Answer and contrast by id, for a text may be read as another token beside another prompt."""
    tokens: dict[str, AnswerToken | None] = {"answer": result.answer, "contrast": result.contrast}
    given = [(name, token) for name, token in tokens.items() if token is not None]
    return [(f"{name}={literal(f'#{token.id}')}", literal(token.display)) for name, token in given]


def _changed(method: Callable, result, options: dict) -> list[Argument]:
    """The options that are not the method's defaults."""
    defaults = inspect.signature(method).parameters
    options = {**options, "bos": result.info.bos}
    return [(f"{name}={literal(value)}", "") for name, value in options.items() if value != defaults[name].default]


def _reference(result: AblationResult) -> list[Argument]:
    """What was put in the heads' place, where it has a source."""
    options = result.info.options
    texts, ids = options["reference_prompts"], options.get("reference_ids", ())
    prompts = [literal(list(one)) for one in ids] or [literal(text) for text in texts]
    if result.kind == "resample":
        return [(f"reference={prompts[0]}", excerpt(str.__str__(texts[0])) if ids else "")]
    if result.kind != "mean":
        return []
    name = options["reference_name"]
    if not ids and bundled_sets().get(name) == tuple(texts):
        return [(f"reference={literal(name)}", "")]
    listed = "".join(f"{2 * INDENT}{prompt},\n" for prompt in prompts)
    return [(f"reference=(\n{INDENT}{literal(name)},\n{INDENT}[\n{listed}{INDENT}],\n)", "")]
