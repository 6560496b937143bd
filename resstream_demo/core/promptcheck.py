"""The prompt check: things about an input that often surprise people, said before they do. It blocks nothing."""

import unicodedata
from dataclasses import dataclass

import torch

from .errors import ExplorerError, PromptError
from .metrics import log_probs
from .tokens import Prompt, align
from .trace import Trace


@dataclass(frozen=True)
class Remark:
    """One thing worth saying. level: "info", "warning" or "error" (cannot be run). part: what it is about."""

    level: str
    text: str
    part: str = ""


def check_prompts(
    model, clean: str, corrupted: str = "", answer: str = "", contrast: str = "", bos: bool = True
) -> tuple[Remark, ...]:
    """Look over what was typed. An empty corrupted prompt, answer or contrast counts as not given."""
    remarks: list[Remark] = []
    first = _prompt(model, clean, bos, "clean", remarks)
    second = _prompt(model, corrupted, bos, "corrupted", remarks) if corrupted else None
    if first and second:
        remarks += _check_pair(first, second)
    tokens = [_token(model, spec, first, what, remarks) for spec, what in ((answer, "answer"), (contrast, "contrast"))]
    if None not in tokens and tokens[0].id == tokens[1].id:
        remarks.append(
            Remark(
                "warning", "Answer and contrast are the same token, so their difference is always 0.", tokens[0].display
            )
        )
    return tuple(remarks)


@torch.no_grad()
def check_prediction(model, trace: Trace) -> tuple[Remark, ...]:
    """Say so if what the model predicts after the prompt is punctuation or white space, and why that happens."""
    token_id = int(log_probs(model.adapter, trace.final[-1:])[0].argmax())
    shown = model.show(token_id)
    text = model.tokenizer.decode([token_id])
    if any(unicodedata.category(char)[0] in "LNS" for char in text):
        return ()
    sentence = (
        "The likeliest next token is punctuation or white space: the model takes the text as finished here. "
        "A prompt that breaks off in mid-sentence asks for a word."
    )
    return (Remark("info", sentence, shown),)


def _prompt(model, text: str, bos: bool, which: str, remarks: list[Remark]) -> Prompt | None:
    try:
        prompt = model.tokenize(text, bos)
    except PromptError as error:
        remarks.append(Remark("error", f"The {which} prompt: {error}", text[:80]))
        return None
    if text != text.rstrip():
        remarks.append(
            Remark(
                "warning",
                f"The {which} prompt ends in white space. A word's space belongs to the word's own token, so the model "
                "now expects something unusual; delete it unless you mean it.",
                prompt.tokens[-1],
            )
        )
    specials = [t for t in prompt.ids[int(prompt.bos) :] if t in model.tokenizer.all_special_ids]
    if specials:
        remarks.append(
            Remark(
                "info",
                f"The {which} prompt holds a special token that was typed as text. It is read as one token, id "
                f"{specials[0]}, not as its letters.",
                model.show(specials[0]),
            )
        )
    if len(prompt) - int(prompt.bos) == 1:
        remarks.append(
            Remark("info", f"The {which} prompt is one token: attention has almost nothing to read.", text[:80])
        )
    return prompt


def _check_pair(clean: Prompt, corrupted: Prompt) -> list[Remark]:
    if clean.ids == corrupted.ids:
        return [Remark("warning", "The two prompts are the same, so patching between them changes nothing.")]
    alignment = align(clean, corrupted)
    if alignment.equal_length:
        return []
    parts = []
    for i, j in alignment.differing[:8]:
        left = clean.tokens[i] if i is not None else "∅"
        right = corrupted.tokens[j] if j is not None else "∅"
        parts.append(f"{left} | {right}")
    sentence = (
        f"The prompts have {len(clean)} and {len(corrupted)} tokens. Patching needs as many in both; the other "
        "three tabs work. Where they part, clean | corrupted:"
    )
    return [Remark("warning", sentence, "   ".join(parts))]


def _token(model, spec: str, prompt: Prompt | None, what: str, remarks: list[Remark]):
    if not spec:
        return None
    try:
        return model.answer(spec, prompt, what)
    except ExplorerError as error:
        remarks.append(Remark("error", str(error), spec[:80]))
        return None
