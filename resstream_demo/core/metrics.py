"""What is read off a final stream: one number for each edited run."""

from collections.abc import Callable

import torch
from torch import Tensor

from .errors import MetricError
from .names import choose
from .words import say

METRICS = ("logit_diff", "prob", "logprob", "rank", "kl")
BLOCK_FLOATS = 16 * 1024 * 1024  # logits held at once when a metric needs the whole vocabulary


def answer_measure(
    adapter, metric: str, answer: int | None, contrast: int | None, reference: Tensor | None = None
) -> Callable[[Tensor], Tensor]:
    """A function from final streams [n, P, d_model] to [n], read at the last of the P positions.

    metric: `logit_diff` is the answer's logit minus the contrast's (the answer's logit alone if there is no
    contrast); `prob`, `logprob` (nats) and `rank` (0 = first; ties count as the answer being ahead) are the
    answer's; `kl` (nats) is KL(reference ‖ run), `reference` [d_model] being the reference run's final stream.
    Raises MetricError if the metric lacks the token or run it needs.
    """
    choose(metric, METRICS, say("metric"))
    if metric == "kl":
        if reference is None:
            raise MetricError(say("The metric kl compares with a reference run, and none was given."))
        expected = log_probs(adapter, reference[None])[0]
        return lambda finals: _in_blocks(adapter, finals[:, -1], lambda logp: kl(expected, logp))
    if answer is None:
        raise MetricError(say("The metric {metric} is about an answer token, and none was given.", metric=metric))
    if metric == "logit_diff":
        return lambda finals: _logit_diff(adapter, finals[:, -1], answer, contrast)
    reads = {
        "prob": lambda logp: logp[:, answer].exp(),
        "logprob": lambda logp: logp[:, answer],
        "rank": lambda logp: (logp > logp[:, answer : answer + 1]).sum(-1).float(),
    }
    return lambda finals: _in_blocks(adapter, finals[:, -1], reads[metric])


def loss_measure(adapter, ids: tuple[int, ...]) -> Callable[[Tensor], Tensor]:
    """A function from final streams [n, T, d_model] at all positions to the mean next-token loss [n], in nats.

    Raises MetricError if there is no second token to predict.
    """
    if len(ids) < 2:
        raise MetricError(
            say("The loss needs at least two tokens: the first predicts the second. Type a longer prompt.")
        )
    targets = torch.tensor(ids[1:])

    def measure(finals: Tensor) -> Tensor:
        n, T, d_model = finals.shape
        wanted = targets.to(finals.device).repeat(n)
        rows = finals[:, :-1].reshape(n * (T - 1), d_model)
        size = max(1, BLOCK_FLOATS // adapter.vocab_size)
        pieces = []
        for block, target in zip(rows.split(size), wanted.split(size), strict=True):
            pieces.append(log_probs(adapter, block).gather(1, target[:, None])[:, 0])
        return -torch.cat(pieces).view(n, T - 1).mean(-1)

    return measure


def log_probs(adapter, finals: Tensor) -> Tensor:
    """Log-probabilities (nats, float32) of final streams [n, d_model]: [n, V]."""
    return torch.log_softmax(adapter.unembed(adapter.final_norm(finals)), dim=-1)


def _logit_diff(adapter, finals: Tensor, answer: int, contrast: int | None) -> Tensor:
    columns = torch.tensor([answer] if contrast is None else [answer, contrast])
    logits = adapter.unembed(adapter.final_norm(finals), columns)
    return logits[:, 0] if contrast is None else logits[:, 0] - logits[:, 1]


def kl(expected: Tensor, logp: Tensor) -> Tensor:
    """KL(expected ‖ other) in nats from log-probabilities [..., V] of both: [...]."""
    # Rounding can take a divergence of zero a hair below it.
    return (expected.exp() * (expected - logp)).sum(-1).clamp_min(0.0)


def _in_blocks(adapter, rows: Tensor, read: Callable[[Tensor], Tensor]) -> Tensor:
    size = max(1, BLOCK_FLOATS // adapter.vocab_size)
    return torch.cat([read(log_probs(adapter, block)) for block in rows.split(size)])
