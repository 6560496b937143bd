"""The prompt check: things about an input that often surprise people, said before they do. It blocks nothing."""

import math
import unicodedata
from dataclasses import dataclass

import torch

from .errors import ExplorerError, PromptError
from .metrics import log_probs
from .tokens import Prompt, align
from .trace import Trace
from .words import Say, say

#: Mean surprise at a prompt's tokens, as a share of log V, from which its continuation is called noise. Text of a
#: model's own kind stays under two thirds; what it never met comes near 1 or beyond, since it expects other tokens.
NOISE_SHARE = 0.8
READ_BACK = 64  # positions, so that a long prompt costs no more than a middling one
LEAST_READ = 2  # tokens; the first after the beginning is always a surprise


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
    first = _prompt(model, clean, bos, say("clean"), remarks)
    second = _prompt(model, corrupted, bos, say("corrupted"), remarks) if corrupted else None
    if first and second:
        remarks += _check_pair(first, second)
    tokens = [_token(model, spec, first, what, remarks) for spec, what in ((answer, "answer"), (contrast, "contrast"))]
    if None not in tokens and tokens[0].id == tokens[1].id:
        remarks.append(
            Remark(
                "warning",
                say("Answer and contrast are the same token, so their difference is always 0."),
                tokens[0].display,
            )
        )
    return tuple(remarks)


@torch.no_grad()
def check_prediction(model, trace: Trace) -> tuple[Remark, ...]:
    """Say so if what the model predicts after the prompt means little, and why: foreign text, or a finished one."""
    logp = log_probs(model.adapter, trace.final[-READ_BACK:])
    # What a token of noise would mean is not worth a second remark.
    remark = _strange_text(model, trace.prompt, logp) or _strange_token(model, int(logp[-1].argmax()))
    return (remark,) if remark else ()


def _strange_text(model, prompt: Prompt, logp: torch.Tensor) -> Remark | None:
    """The model's surprise at the prompt's own last tokens, compared with that of guessing among all tokens."""
    ids = torch.tensor(prompt.ids[-len(logp) :], device=logp.device)
    if len(ids) <= LEAST_READ:
        return None
    surprise = -float(logp[:-1].gather(1, ids[1:, None]).mean())
    if surprise < NOISE_SHARE * math.log(model.vocab_size):
        return None
    whole = len(logp) == len(prompt)
    which = say("token of the prompt") if whole else say("of the last {count} tokens", count=len(logp) - 1)
    sentence = say(
        "The model has hardly seen text like this: on average it gave each {which} a probability of 1 in {odds:,.0f}, "
        "where blind guessing gives 1 in {vocabulary:,}. What it predicts here is noise, and so is where that comes "
        "from.",
        which=which,
        odds=math.exp(min(surprise, 30)),  # of the mean: the geometric mean of how many tokens each was one of
        vocabulary=model.vocab_size,
    )
    return Remark("info", sentence, model.name)


def _strange_token(model, token_id: int) -> Remark | None:
    text = model.tokenizer.decode([token_id])
    if "\ufffd" in text:
        sentence = say(
            "The likeliest next token is a piece of a character, not yet a character: the model splits this script or "
            "sign into bytes and predicts them one by one."
        )
        return Remark("info", sentence, model.show(token_id))
    if any(unicodedata.category(char)[0] in "LNS" for char in text):
        return None
    sentence = say(
        "The likeliest next token is punctuation or white space: the model takes the text as finished here. "
        "A prompt that breaks off in mid-sentence asks for a word."
    )
    return Remark("info", sentence, model.show(token_id))


def _prompt(model, text: str, bos: bool, which: Say, remarks: list[Remark]) -> Prompt | None:
    try:
        prompt = model.tokenize(text, bos)
    except PromptError as error:
        remarks.append(
            Remark("error", say("The {which} prompt: {reason}", which=which, reason=error.sentence), text[:80])
        )
        return None
    if text != text.rstrip():
        remarks.append(
            Remark(
                "warning",
                say(
                    "The {which} prompt ends in white space. A word's space belongs to the word's own token, so the "
                    "model now expects something unusual; delete it unless you mean it.",
                    which=which,
                ),
                prompt.tokens[-1],
            )
        )
    specials = [t for t in prompt.ids[int(prompt.bos) :] if t in model.tokenizer.all_special_ids]
    if specials:
        remarks.append(
            Remark(
                "info",
                say(
                    "The {which} prompt holds a special token that was typed as text. It is read as one token, id "
                    "{id}, not as its letters.",
                    which=which,
                    id=specials[0],
                ),
                model.show(specials[0]),
            )
        )
    if len(prompt) - int(prompt.bos) == 1:
        remarks.append(
            Remark(
                "info",
                say("The {which} prompt is one token: attention has almost nothing to read.", which=which),
                text[:80],
            )
        )
    return prompt


def _check_pair(clean: Prompt, corrupted: Prompt) -> list[Remark]:
    if clean.ids == corrupted.ids:
        sentence = say("The two prompts are the same, so patching between them changes nothing.")
        return [Remark("warning", sentence)]
    alignment = align(clean, corrupted)
    if alignment.equal_length:
        return []
    parts = []
    for i, j in alignment.differing[:8]:
        left = clean.tokens[i] if i is not None else "∅"
        right = corrupted.tokens[j] if j is not None else "∅"
        parts.append(f"{left} | {right}")
    sentence = say(
        "The prompts have {clean} and {corrupted} tokens. Patching needs as many in both; the other three tabs work. "
        "Where they part, clean | corrupted:",
        clean=len(clean),
        corrupted=len(corrupted),
    )
    return [Remark("warning", sentence, "   ".join(parts))]


def _token(model, spec: str, prompt: Prompt | None, what: str, remarks: list[Remark]):
    if not spec:
        return None
    try:
        return model.answer(spec, prompt, what)
    except ExplorerError as error:
        remarks.append(Remark("error", error.sentence, spec[:80]))
        return None
