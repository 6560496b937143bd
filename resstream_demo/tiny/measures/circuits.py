"""What each head is: previous-token, duplicate-token, induction, name mover, by score.

Sources: Olsson et al. 2022, "In-context Learning and Induction Heads" (arXiv 2209.11895) for the patterns on random
tokens said twice; Wang et al. 2022, "Interpretability in the Wild" (arXiv 2211.00593) for name movers, negative name
movers, and the copying score.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
import torch
from torch import Tensor

from resstream_demo.core.models import Model
from resstream_demo.core.names import head_label
from resstream_demo.core.trace import Trace
from resstream_demo.methods.attribution import direct_logit_attribution
from resstream_demo.tiny.corpus.giving import Giving, giving_prompt
from resstream_demo.tiny.measures.questions import PERIOD, repeated_rows

PATTERN_HEAD = 0.5  # a head is called by a pattern if more than half of its attention goes there
MOVER_SHARE = 0.05  # of the mean logit difference, that a name mover's direct contribution is at least
COPY_TOP = 5  # the copying score asks whether the name is among so many
COPIES = 0.5  # a head copies names if its copying score is at least this

Head = tuple[int, int]


@dataclass(frozen=True, eq=False)
class PatternScores:
    """Mean attention on random tokens said twice, each [L, H]: from t to t − 1, from a token to its earlier copy, and
    from a token to what came after its earlier copy. n_rows: how many rows of tokens the means are over."""

    previous: np.ndarray
    duplicate: np.ndarray
    induction: np.ndarray
    n_rows: int


@dataclass(frozen=True)
class GivingExample:
    """An indirect-object prompt as tokens: its ids, the two names' ids with a leading space, and where they stand."""

    ids: tuple[int, ...]
    recipient: int
    giver: int
    recipient_at: tuple[int, ...]
    giver_at: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class MoverScores:
    """What heads do with names over n indirect-object prompts; each [L, H], a mean.

    to_recipient, to_giver: attention from the last position to the names. contribution: direct logit attribution to
    recipient minus giver; difference is the whole mean logit difference. copying: share of prompts in which the head,
    attending to nothing but the recipient's name, would put that name among the top five; copying_negated: the same
    with its write negated. first_layer: the mean over `ranked` prompts of the first layer after which the lens has the
    recipient first; `ranked` is the number of prompts in which some layer does.
    """

    to_recipient: np.ndarray
    to_giver: np.ndarray
    contribution: np.ndarray
    copying: np.ndarray
    copying_negated: np.ndarray
    difference: float
    n: int
    first_layer: float
    ranked: int

    @property
    def name_movers(self) -> tuple[Head, ...]:
        """Heads that write the recipient's name: at least `MOVER_SHARE` of the logit difference directly, more
        attention to the recipient than to the giver, and a copying score of `COPIES`. Largest contribution first."""
        chosen = (
            (self.contribution >= MOVER_SHARE * abs(self.difference))
            & (self.to_recipient > self.to_giver)
            & (self.copying >= COPIES)
        )
        return ranked_heads(self.contribution, chosen)

    @property
    def negative_movers(self) -> tuple[Head, ...]:
        """Heads that write against the name they attend to: as `name_movers`, with contribution and write negated."""
        chosen = (
            (self.contribution <= -MOVER_SHARE * abs(self.difference))
            & (self.to_recipient > self.to_giver)
            & (self.copying_negated >= COPIES)
        )
        return ranked_heads(-self.contribution, chosen)

    def strongest(self, n: int) -> tuple[Head, ...]:
        """The top `n` name movers; where there are fewer, the heads of the largest contribution come after them."""
        rest = ranked_heads(self.contribution, np.ones_like(self.contribution, dtype=bool))
        return tuple(dict.fromkeys((*self.name_movers, *rest)))[:n]


def ranked_heads(scores: np.ndarray, chosen: np.ndarray) -> tuple[Head, ...]:
    """The heads `chosen` [L, H], by falling score [L, H]."""
    order = np.argsort(-scores, axis=None, kind="stable")
    n_heads = scores.shape[1]
    heads = [(int(flat) // n_heads, int(flat) % n_heads) for flat in order]
    return tuple(head for head in heads if chosen[head])


def labels(heads: Sequence[Head]) -> str:
    return ", ".join(head_label(*head) for head in heads) or "none"


# --- patterns on random tokens -------------------------------------------------------------------------------


def previous_token_score(pattern: np.ndarray) -> np.ndarray:
    """[..., T, T] attention → [...]: mean from t to t − 1, for t ≥ 2 (before it there is only `<|endoftext|>`)."""
    return np.diagonal(pattern, -1, -2, -1)[..., 1:].mean(-1)


def duplicate_token_score(pattern: np.ndarray, period: int) -> np.ndarray:
    """[..., T, T] on 1 + 2 · period tokens → [...]: mean from each token of the second half to its earlier copy."""
    return np.diagonal(pattern, -period, -2, -1)[..., 1:].mean(-1)


def induction_score(pattern: np.ndarray, period: int) -> np.ndarray:
    """[..., T, T] on 1 + 2 · period tokens → [...]: mean from each token of the second half to what came after its
    earlier copy."""
    return np.diagonal(pattern, 1 - period, -2, -1)[..., 2:].mean(-1)


def measure_patterns(model: Model, n_rows: int) -> PatternScores:
    rows = repeated_rows(model.tokenizer, 301, n_rows, PERIOD).tolist()
    patterns = [model.trace(ids).pattern.float().cpu().numpy() for ids in rows]
    return PatternScores(
        previous=np.mean([previous_token_score(pattern) for pattern in patterns], axis=0),
        duplicate=np.mean([duplicate_token_score(pattern, PERIOD) for pattern in patterns], axis=0),
        induction=np.mean([induction_score(pattern, PERIOD) for pattern in patterns], axis=0),
        n_rows=n_rows,
    )


# --- names ---------------------------------------------------------------------------------------------------


def giving_examples(tokenizer, seed: int, n: int) -> tuple[GivingExample, ...]:
    """`n` indirect-object prompts with reserved pairs of names, each name a single token wherever it stands."""
    rng, found = Random(seed), []
    while len(found) < n:
        example = read_story(tokenizer, giving_prompt(rng, held_out=True, listed=True))
        if example is not None:
            found.append(example)
    return tuple(found)


def read_story(tokenizer, story: Giving) -> GivingExample | None:
    """The story as tokens; None if a name is more than one token where it stands."""
    encoded = tokenizer(story.prompt, return_offsets_mapping=True)
    spans = encoded["offset_mapping"]
    names = [tokenizer.encode(f" {name}") for name in (story.recipient, story.giver)]
    places = [_mentions(story.prompt, name, spans) for name in (story.recipient, story.giver)]
    if any(len(ids) != 1 for ids in names) or None in places:
        return None
    ids = (tokenizer.bos_token_id, *encoded["input_ids"])
    return GivingExample(ids, names[0][0], names[1][0], *places)


def _mentions(text: str, name: str, spans: Sequence[tuple[int, int]]) -> tuple[int, ...] | None:
    """Positions, counted with the token before the text, of a name's mentions; None if one is not a single token."""
    found = []
    for match in re.finditer(rf"\b{re.escape(name)}\b", text):
        # Whether a token's span begins with its leading space is up to the tokenizer's settings.
        at = [n for n, (begin, end) in enumerate(spans) if end == match.end() and match.start() - begin in (0, 1)]
        if len(at) != 1:
            return None
        found.append(at[0] + 1)
    return tuple(found)


def copying_ranks(model: Model, run: Trace, example: GivingExample) -> tuple[np.ndarray, np.ndarray]:
    """The recipient's rank (0 = first) in what each head would write if it saw nothing but the recipient's name.

    As in Wang et al. 2022, section 3.2: the stream at the name after the first layer goes through the head's value
    and output matrices, the final norm and the unembedding. (Heads of the first layer read the stream before it.)
    Returns [L, H] for the write as it is, and [L, H] for its negative.
    """
    at = example.recipient_at[0]
    ranks = []
    for layer in range(model.n_layers):
        stream = run.resid_pre[min(layer, 1), at : at + 1]
        _, _, values = model.adapter.qkv(layer, stream, torch.tensor([at], device=stream.device))
        written = torch.einsum("hd,hdm->hm", values[0].float(), model.adapter.W_O(layer).float())
        ranks.append(torch.stack([_rank(model, sign * written, example.recipient) for sign in (1, -1)]))
    both = torch.stack(ranks, dim=1).cpu().numpy()
    return both[0], both[1]


def _rank(model: Model, streams: Tensor, token: int) -> Tensor:
    """[n, d_model] → [n]: how many tokens are ahead of `token` in the logits of a stream."""
    logits = model.adapter.unembed(model.adapter.final_norm(streams))
    return (logits > logits[:, token : token + 1]).sum(-1)


@torch.no_grad()
def measure_movers(model: Model, examples: Sequence[GivingExample]) -> MoverScores:
    to_recipient, to_giver, contribution, copying, negated, differences, first = ([] for _ in range(7))
    for example in examples:
        run = model.trace(example.ids)
        attribution = direct_logit_attribution(model, run, example.recipient, example.giver)
        attention = np.stack([run.layer_pattern(layer)[:, -1].cpu().numpy() for layer in range(model.n_layers)])
        to_recipient.append(attention[:, :, list(example.recipient_at)].sum(-1))
        to_giver.append(attention[:, :, list(example.giver_at)].sum(-1))
        contribution.append(attribution.heads)
        differences.append(attribution.logit)
        ranks, negated_ranks = copying_ranks(model, run, example)
        copying.append(ranks < COPY_TOP)
        negated.append(negated_ranks < COPY_TOP)
        leads = (_rank(model, run.resid_post[:, -1], example.recipient) == 0).nonzero()
        first += [int(leads[0])] if len(leads) else []
    return MoverScores(
        to_recipient=np.mean(to_recipient, axis=0),
        to_giver=np.mean(to_giver, axis=0),
        contribution=np.mean(contribution, axis=0),
        copying=np.mean(copying, axis=0),
        copying_negated=np.mean(negated, axis=0),
        difference=float(np.mean(differences)),
        n=len(examples),
        first_layer=float(np.mean(first)) if first else float("nan"),
        ranked=len(first),
    )
