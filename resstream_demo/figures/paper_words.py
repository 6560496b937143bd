"""The words of a picture for paper: its title, and the lines under it that say how the result was made."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import starmap

from ..core.names import head_label
from ..core.tokens import AnswerToken, Prompt, display_bytes
from ..methods.ablation import AblationResult
from ..methods.attribution import AttributionResult
from ..methods.lens import LensResult
from ..methods.patching import PatchingResult
from .caveats import not_shown
from .numbers import format_error, format_number

TITLES = {
    LensResult: "Logit lens",
    AttributionResult: "Direct logit attribution",
    PatchingResult: "Activation patching",
    AblationResult: "Head ablation",
}
METRICS = {
    "prob": "probability of {answer}",
    "logprob": "log-probability of {answer} (nats)",
    "rank": "rank of {answer} (0 is first)",
    "kl": "KL({whole} ‖ {edited}) (nats)",
    "loss": "mean next-token loss (nats)",
}
NORMS = {"fresh": "each vector by its own scale", "final": "each vector by the last layer’s scale"}
KINDS = {
    "zero": "z := 0",
    "bias_only": "z := its part that does not depend on the input",
    "mean": "z := its mean over a reference set",
    "resample": "z := its value on a reference prompt",
}
PROMPT_SHOWN = 400  # characters of a prompt under the picture; the file's metadata has the whole


@dataclass(frozen=True)
class Caption:
    """title: the picture's heading. notes: lines under it. alarms: lines about checks that failed. whole: all of
    these in full length with what the picture does not show, for the file's metadata."""

    title: str
    notes: tuple[str, ...]
    alarms: tuple[str, ...]
    whole: str


def caption(result, *more: str) -> Caption:
    """Title and notes of a result. more: further notes, on how it was drawn."""
    title = f"{TITLES[type(result)]} · {printable(result.info.model)}"
    facts = [*_FACTS[type(result)](result), *more, _made(result.info)]
    alarms = tuple(_alarm(receipt) for receipt in result.receipts if not receipt.ok)
    caveat = "Not shown: " + not_shown(result.info.method, getattr(result, "kind", ""))
    whole = [title, *_prompts(result), *facts, *alarms, caveat]
    notes = (*_prompts(result, PROMPT_SHOWN), *facts)
    return Caption(title, notes, alarms, "\n".join("".join(map(visible, line)) for line in whole))


def visible(char: str) -> str:
    """A character, or its code if it is none that can be seen."""
    return char if char.isprintable() else f"⟨U+{ord(char):04X}⟩"


def printable(text: str) -> str:
    """A person's text on one line: control and invisible characters by code, spaces that would be lost as ␣."""
    shown = " ".join(display_bytes(part.encode("utf-8", "surrogatepass")) for part in text.split(" "))
    return re.sub(r"^ +| +$| {2,}", lambda spaces: "␣" * len(spaces[0]), shown)


def metric_words(result: PatchingResult | AblationResult) -> str:
    """The metric of a result with its tokens and its unit."""
    if result.metric == "logit_diff":
        contrast = f" − logit of {result.contrast.display}" if result.contrast else ""
        return f"logit of {result.answer.display}{contrast} (logits)"
    whole, edited = ("clean", "patched") if isinstance(result, PatchingResult) else ("untouched", "ablated")
    answer = result.answer.display if result.answer else ""
    return METRICS[result.metric].format(answer=answer, whole=whole, edited=edited)


def token_words(token: AnswerToken) -> str:
    """A token with its id, for several tokens may look alike."""
    return f"{token.display} (id {token.id})"


# --- the lines -----------------------------------------------------------------------------------------------


def _prompts(result, limit: int | None = None) -> list[str]:
    names = ("clean", "corrupted") if isinstance(result, PatchingResult) else ("prompt",)
    return [f"{name.capitalize()}: {_quoted(getattr(result, name), limit)}" for name in names]


def _quoted(prompt: Prompt, limit: int | None) -> str:
    text, over = printable(prompt.text), ""
    if limit is not None and len(text) > limit:
        text, over = text[:limit] + "…", f" ({len(text) - limit:,} more characters are in the file’s metadata)"
    return f"“{text}”{over}"


def _lens(result: LensResult) -> list[str]:
    return [f"Stream at {', '.join(result.sites)}; ln_final normalises {NORMS[result.norm]}."]


def _attribution(result: AttributionResult) -> list[str]:
    token = result.prompt.tokens[result.position]
    biases = "in its layer’s attention bias" if result.value_bias == "folded" else "with the head"
    return [
        f"{_answers(result)}, predicted after position {result.position} ({token}).",
        f"Sum of all parts {_number(result.total, True)}, the model’s own number {_number(result.logit, True)}. "
        f"ln_final’s scale is held fixed; a head’s constant part is counted {biases}.",
    ]


def _patching(result: PatchingResult) -> list[str]:
    source, target = ("clean", "corrupted") if result.direction == "denoising" else ("corrupted", "clean")
    where = {"each": "one position at a time", "all": "at all positions"}.get(result.positions)
    where = where or f"at positions {_listed(result.positions)}"
    signed = result.metric == "logit_diff"
    clean, corrupted = (_number(value, signed) for value in (result.clean_value, result.corrupted_value))
    return [
        f"{result.direction.capitalize()}: {result.site} copied from the {source} run into the {target} run, {where}.",
        f"{_answers(result)}. Metric: {metric_words(result)}; clean run {clean}, corrupted run {corrupted}.",
    ]


def _ablation(result: AblationResult) -> list[str]:
    where = "all positions" if isinstance(result.positions, str) else "positions " + _listed(result.positions)
    reference = f": {printable(result.reference)}" if result.reference else ""
    signed = result.metric == "logit_diff"
    together = (
        [] if isinstance(result.heads, str) else [f"Removed together: {_listed(starmap(head_label, result.heads))}."]
    )
    return [
        *together,
        f"Ablation {result.kind} ({KINDS[result.kind]}{reference}) at {where}.",
        f"{_answers(result)}. Metric: {metric_words(result)}; untouched run {_number(result.baseline, signed)}.",
    ]


_FACTS = {LensResult: _lens, AttributionResult: _attribution, PatchingResult: _patching, AblationResult: _ablation}


def _made(info) -> str:
    revision = f", revision {printable(info.revision)}" if info.revision else ""
    bos = "BOS in front" if info.bos else "no BOS"
    return f"{printable(info.model)}{revision}, {info.dtype}, {bos}. resstream_demo {info.package_version}."


def _alarm(receipt) -> str:
    found, allowed = format_error(receipt.value), format_error(receipt.tolerance)
    return f"Check failed: {receipt.name} is {found}, more than the {allowed} allowed. {printable(receipt.detail)}"


def _answers(result) -> str:
    if result.answer is None:
        return "No answer token"
    contrast = f", contrast {token_words(result.contrast)}" if result.contrast else ", no contrast"
    return f"Answer {token_words(result.answer)}{contrast}"


def _number(value: float, signed: bool) -> str:
    return format_number(value, signed=signed)


def _listed(things: Iterable) -> str:
    return ", ".join(map(str, things))
