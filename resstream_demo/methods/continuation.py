"""What the model goes on to write, and what it writes without some heads.

A metric at one position says how much an answer suffers; a text says what becomes of it. Greedy: at every step the
likeliest token is taken, so the two texts part only where the removal changes the first place.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from ..core.errors import OptionError
from ..core.metrics import answer_measure, log_probs
from ..core.names import choose, head_label, listed, parse_heads, positive
from ..core.receipts import Receipt, load_receipt, receipt
from ..core.sweep import Progress, sweep
from ..core.tokens import Prompt
from ..core.trace import Trace
from ..core.words import say
from .ablation import KINDS, ablation_cell, reference_of, replacement_of
from .proofs import proof_cells, proof_receipts, replaced_layer_proof, self_proof
from .references import Reference
from .results import RunInfo, finite, given_as_ids, run_info, to_numpy

END_OF_TEXT, CONTEXT_FULL = "end of text", "context full"


@dataclass(frozen=True, eq=False)
class Continuation:
    """The n tokens that follow a prompt.

    heads: the (layer, head) removed at all positions, () for none; kind and reference: how, "" for none. ids, tokens
    (display strings): [n]. probs: [n], the probability each token had when it was chosen. text: the tokens decoded
    together, so that characters spread over several tokens are whole; without the end-of-text token. stopped: "" if
    as many tokens as asked for were written, else "end of text" or "context full".
    """

    prompt: Prompt
    heads: tuple[tuple[int, int], ...]
    kind: str
    reference: str
    ids: tuple[int, ...]
    tokens: tuple[str, ...]
    probs: np.ndarray
    text: str
    stopped: str
    receipts: tuple[Receipt, ...]
    info: RunInfo

    def frame(self) -> pd.DataFrame:
        """One line per token: its position in the whole text, token, id and probability."""
        first = len(self.prompt)
        return pd.DataFrame(
            {
                "position": range(first, first + len(self.ids)),
                "token": self.tokens,
                "id": self.ids,
                "prob": self.probs,
            }
        )


@dataclass(frozen=True, eq=False)
class ContinuationPair:
    """The continuation of one prompt before and after heads were removed."""

    before: Continuation
    after: Continuation

    @property
    def first_difference(self) -> int | None:
        """The first step (counted from 0) at which the two texts have different tokens; None if they are the same."""
        steps = zip(self.before.ids, self.after.ids, strict=False)
        apart = [step for step, (one, other) in enumerate(steps) if one != other]
        lengths = {len(self.before.ids), len(self.after.ids)}
        return apart[0] if apart else min(lengths) if len(lengths) > 1 else None

    @property
    def receipts(self) -> tuple[Receipt, ...]:
        """Of both texts, the check at load once."""
        return tuple(dict.fromkeys((*self.before.receipts, *self.after.receipts)))

    @property
    def info(self) -> RunInfo:
        """Of the text after the removal, which says what was removed and how."""
        return self.after.info

    def frame(self) -> pd.DataFrame:
        """One line per step: the position, and the token, id and probability of both texts side by side."""
        before, after = (text.frame().set_index("position") for text in (self.before, self.after))
        return before.add_suffix("_before").join(after.add_suffix("_after"), how="outer").reset_index()


@torch.no_grad()
def continue_text(
    model,
    prompt,
    *,
    n_tokens: int = 12,
    heads: str | Sequence = (),
    kind: str = "zero",
    reference=None,
    bos: bool = True,
    progress: Progress | None = None,
) -> Continuation:
    """The `n_tokens` likeliest tokens one after the other, with `heads` removed at all positions in every step.

    heads: such as ["L9H6", (9, 9)]; () removes none. kind, reference: as in `head_ablation`; "resample" is refused,
    since a text that grows has no partner of equal length. Writing stops early after an end-of-text token, and when
    the text is longer than the model reads (n_ctx). Each step records the text anew, so this is meant for a few tokens.
    progress: called with (tokens written, n_tokens). Raises OptionError or PromptError for their inputs, MetricError
    if the model overflows.
    """
    n_tokens = positive(n_tokens, say("n_tokens"))
    removed = _removed(heads, model)
    _check_kind(kind, removed, reference)
    run = model.trace(prompt, bos)
    prompt = run.prompt
    ref = reference_of(model, run, kind, reference) if removed else None
    ids, probs, stopped = [], [], None
    while stopped is None:
        if ids:
            run = model.trace([*prompt.ids, *ids])
        logp = _next_log_probs(model, run, removed, kind, ref)
        ids.append(int(logp.argmax()))
        probs.append(float(finite(to_numpy(logp[ids[-1]].exp()), say("continuation"))))
        stopped = _stopped(model, len(prompt), ids, n_tokens)
        if progress:
            progress(len(ids), n_tokens)
    probs = np.array(probs, dtype=np.float32)
    return Continuation(
        prompt=prompt,
        heads=removed,
        kind=kind if removed else "",
        reference=ref.description if ref else "",
        ids=tuple(ids),
        tokens=tuple(model.show(i) for i in ids),
        probs=probs,
        text=_decoded(model, ids),
        stopped=stopped,
        receipts=(*_receipts(model, run, removed, kind, ref, ids, probs), load_receipt(model)),
        info=run_info(model, "continue_text", prompt, n_tokens=n_tokens, **_options(model, prompt, removed, kind, ref)),
    )


def compare_continuations(
    model,
    prompt,
    heads: str | Sequence,
    *,
    n_tokens: int = 12,
    kind: str = "zero",
    reference=None,
    bos: bool = True,
    progress: Progress | None = None,
) -> ContinuationPair:
    """The continuation before and after `heads` are removed; options as in `continue_text`.

    progress: called with (tokens written, tokens of both texts). Raises OptionError if no head is named, and what
    `continue_text` raises.
    """
    heads = parse_heads(heads, model.n_layers, model.n_heads)
    _check_kind(kind, heads, reference)
    run = model.trace(prompt, bos)
    first = progress and (lambda done, total: progress(done, 2 * total))
    second = progress and (lambda done, total: progress(total + done, 2 * total))
    before = continue_text(model, run, n_tokens=n_tokens, progress=first)
    after = continue_text(model, run, n_tokens=n_tokens, heads=heads, kind=kind, reference=reference, progress=second)
    return ContinuationPair(before, after)


def _removed(heads: str | Sequence, model) -> tuple[tuple[int, int], ...]:
    """The heads named, () if none is."""
    nothing = not heads.strip() if isinstance(heads, str) else not listed(heads, say("Heads"))
    return () if nothing else parse_heads(heads, model.n_layers, model.n_heads)


def _options(model, prompt: Prompt, removed, kind: str, ref: Reference | None) -> dict:
    """What was removed and how, as a result records it."""
    return {
        "heads": [head_label(*head) for head in removed],
        "kind": kind if removed else "",
        "reference": ref.description if ref else "",
        "reference_name": ref.name if ref else "",
        "reference_prompts": list(ref.prompts) if ref else [],
        **({"reference_ids": [list(ids) for ids in ref.ids]} if ref and ref.ids else {}),
        **given_as_ids(model, prompt.bos, prompt=prompt),
    }


def _check_kind(kind: str, removed: tuple, reference) -> None:
    choose(kind, KINDS, say("ablation kind"))
    if kind == "resample":
        raise OptionError(
            say(
                "Resampling takes each position's values from the same position of a prompt of equal length, and the "
                "tokens that are being written have no partner there. Choose zero, bias_only or mean."
            )
        )
    if reference is not None and not removed:
        raise OptionError(
            say("A reference says what a head is replaced by, and no head was named. Name one, or leave it out.")
        )


def _next_log_probs(model, run: Trace, removed, kind: str, ref: Reference | None) -> Tensor:
    """[V]: log-probabilities (nats) of the token after a run, the heads removed."""
    if not removed:
        return log_probs(model.adapter, run.final[-1:])[0]
    cell = ablation_cell(run, removed, tuple(range(len(run.prompt))), replacement_of(model, run, kind, ref))
    return sweep(model, run, [cell], lambda finals: log_probs(model.adapter, finals[:, -1]))[0]


def _stopped(model, n_prompt: int, ids: list[int], n_tokens: int) -> str | None:
    """Why writing stops after these tokens ("" if all are written); None if it goes on."""
    if ids[-1] == model.tokenizer.eos_token_id:
        return END_OF_TEXT
    if len(ids) == n_tokens:
        return ""
    return CONTEXT_FULL if n_prompt + len(ids) > model.n_ctx else None


def _decoded(model, ids: list[int]) -> str:
    shown = ids[:-1] if ids[-1] == model.tokenizer.eos_token_id else ids
    return model.tokenizer.decode(shown, clean_up_tokenization_spaces=False)


def _receipts(model, run: Trace, removed, kind: str, ref: Reference | None, ids: list[int], probs) -> list[Receipt]:
    """Without removal, all steps against the model's own forward; with it, the proofs of an ablation at the last step.

    run: the text before the last token.
    """
    if not removed:
        own = torch.softmax(torch.as_tensor(model.logits(run))[-len(ids) :], -1)
        chosen = own.gather(1, torch.tensor(ids)[:, None])[:, 0]
        worst = float(max(abs(to_numpy(chosen) - probs).max(), abs(to_numpy(own.max(-1).values) - probs).max()))
        detail = say("Largest difference between the tokens' probabilities and the model's own largest ones.")
        return [receipt(say("steps − model"), worst, 0.0, model.dtype, detail)]
    measure = answer_measure(model.adapter, "logprob", ids[-1], None)
    value = float(measure(run.final[None, -1:])[0])
    proofs = [
        self_proof(run, "z", value),
        replaced_layer_proof(model.adapter, run, replacement_of(model, run, kind, ref)),
    ]
    return list(proof_receipts(proofs, to_numpy(sweep(model, run, proof_cells(proofs), measure)), model.dtype))
