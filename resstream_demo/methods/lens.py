"""The logit lens: what every layer would predict if it were the last.

Any vector of the stream is decoded by the final norm and the unembedding:
`softmax(ln_final(x) @ W_U)`. Source: nostalgebraist 2020, "interpreting GPT: the logit lens"; for its limits,
Belrose et al. 2023, "Eliciting Latent Predictions from Transformers with the Tuned Lens" (arXiv 2303.08112).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from ..core.errors import OptionError
from ..core.metrics import BLOCK_FLOATS, kl
from ..core.names import choose, listed, positive
from ..core.receipts import Receipt, load_receipt, tolerance
from ..core.tokens import AnswerToken, Prompt
from ..core.trace import Trace
from ..core.words import joined, say
from .results import RunInfo, finite, given_as_ids, run_info

NORMS = ("fresh", "final")
LENS_SITES = ("resid_pre", "attn_out", "resid_mid", "mlp_out", "resid_post")  # in the order in which a layer has them


@dataclass(frozen=True, eq=False)
class LensResult:
    """A decoded stream. R rows from the embedding to the output, T positions; a cell predicts the token after it.

    row_names, row_layers (−1 for the embedding), row_sites: [R]. top_ids, top_probs: [R, T, k]. entropy (nats) and
    kl_to_final (nats, KL(final ‖ row)): [R, T]. target_probs, target_ranks (0 = first): [R, T, n_targets].
    """

    prompt: Prompt
    sites: tuple[str, ...]
    norm: str
    row_names: tuple[str, ...]
    row_layers: tuple[int, ...]
    row_sites: tuple[str, ...]
    top_ids: np.ndarray
    top_probs: np.ndarray
    entropy: np.ndarray
    kl_to_final: np.ndarray
    targets: tuple[AnswerToken, ...]
    target_probs: np.ndarray
    target_ranks: np.ndarray
    receipts: tuple[Receipt, ...]
    info: RunInfo
    shown: dict[int, str] = field(repr=False, default_factory=dict)  # display strings of the ids in top_ids

    def top_tokens(self, row: int, position: int) -> list[str]:
        """Display strings of the k likeliest tokens of one cell, likeliest first."""
        return [self.shown[int(i)] for i in self.top_ids[row, position]]

    def frame(self) -> pd.DataFrame:
        """One line per row and position: entropy, KL, the likeliest token, and each target's probability and rank."""
        R, T = self.entropy.shape
        rows, positions = np.repeat(np.arange(R), T), np.tile(np.arange(T), R)
        first = self.top_ids[:, :, 0].ravel()
        columns = {
            "row": [self.row_names[r] for r in rows],
            "layer": [self.row_layers[r] for r in rows],
            "site": [self.row_sites[r] for r in rows],
            "position": positions,
            "token": [self.prompt.tokens[t] for t in positions],
            "top_id": first,
            "top_token": [self.shown[int(i)] for i in first],
            "top_prob": self.top_probs[:, :, 0].ravel(),
            "entropy": self.entropy.ravel(),
            "kl_to_final": self.kl_to_final.ravel(),
        }
        for n, target in enumerate(self.targets):
            columns[f"prob {target.display} #{target.id}"] = self.target_probs[:, :, n].ravel()
            columns[f"rank {target.display} #{target.id}"] = self.target_ranks[:, :, n].ravel()
        return pd.DataFrame(columns)

    def top(self, k: int = 10) -> pd.DataFrame:
        """One line per row, position and place (first `k` places kept): token, id and probability."""
        k = min(positive(k, "k"), self.top_ids.shape[2])
        R, T, _ = self.top_ids.shape
        r, t, place = (axis.ravel() for axis in np.meshgrid(range(R), range(T), range(k), indexing="ij"))
        ids = self.top_ids[r, t, place]
        return pd.DataFrame(
            {
                "row": [self.row_names[n] for n in r],
                "position": t,
                "token": [self.prompt.tokens[n] for n in t],
                "place": place,
                "id": ids,
                "predicted": [self.shown[int(i)] for i in ids],
                "prob": self.top_probs[r, t, place],
            }
        )


@torch.no_grad()
def logit_lens(
    model,
    prompt,
    *,
    sites: Sequence[str] = ("resid_post",),
    top_k: int = 10,
    targets: Sequence = (),
    norm: str = "fresh",
    bos: bool = True,
) -> LensResult:
    """Decode the stream at every layer and position.

    prompt: a text, Prompt, Trace or list of ids. sites: any of resid_pre, attn_out, resid_mid, mlp_out, resid_post;
    the first row is always the embedding, then come the sites of each layer in order. top_k: how many tokens to keep
    per cell. targets: tokens to follow (as `answer` elsewhere). norm: "fresh" normalises each vector by its own
    scale, "final" by the last layer's at the same position. Raises OptionError for an unknown site or norm, PromptError
    and TokenError for their inputs. The last row of the default sites equals the model's logits.
    """
    sites = lens_sites(sites)
    choose(norm, NORMS, say("norm"))
    top_k = positive(top_k, "top_k")
    trace = model.trace(prompt, bos)
    followed = tuple(model.answer(target, trace.prompt, "target") for target in listed(targets, say("Targets")))
    rows = lens_rows(trace, sites)
    read = _read(model, trace, rows, norm, min(top_k, model.vocab_size), [t.id for t in followed])
    ids = read["top_ids"]
    options = {"sites": list(sites), "norm": norm, "top_k": top_k}
    return LensResult(
        prompt=trace.prompt,
        sites=sites,
        norm=norm,
        row_names=tuple(name for name, *_ in rows),
        row_layers=tuple(layer for _, layer, *_ in rows),
        row_sites=tuple(site for *_, site, _ in rows),
        targets=followed,
        receipts=(*_receipts(model, trace, find_output_row(rows), read), load_receipt(model)),
        info=run_info(
            model, "logit_lens", trace.prompt, **options, **given_as_ids(model, trace.prompt.bos, prompt=trace.prompt)
        ),
        shown={int(i): model.show(i) for i in np.unique(ids)},
        **read,
    )


def lens_sites(sites: Sequence[str]) -> tuple[str, ...]:
    """The sites asked for, each once, in the order in which a layer has them. Raises OptionError if none or unknown."""
    sites = listed(sites, say("Sites"))
    if not sites:
        raise OptionError(say("Name at least one site: {sites}.", sites=joined(LENS_SITES, ", ")))
    for site in sites:
        choose(site, LENS_SITES, say("lens site"))
    return tuple(site for site in LENS_SITES if site in sites)


def lens_rows(trace: Trace, sites: tuple[str, ...]) -> list[tuple[str, int, str, Tensor]]:
    """(name, layer, site, vectors [T, d_model]) of every row, from the embedding up."""
    rows = [("embed", -1, "embed", trace.embed + trace.pos_embed)]
    for layer in range(len(trace.scales)):
        rows += [(f"L{layer} {site}", layer, site, trace.site(site, layer)) for site in sites]
    return rows


def find_output_row(rows) -> int | None:
    """The row that is the model's output: the stream after the last layer, if it was asked for."""
    last_layer = rows[-1][1]
    found = [n for n, (_, layer, site, _) in enumerate(rows) if layer == last_layer and site == "resid_post"]
    return found[0] if found else None


def _read(model, trace: Trace, rows, norm: str, k: int, target_ids: list[int]) -> dict[str, np.ndarray]:
    """All numbers of all rows. Blocks of positions bound the memory, since a row holds T × V logits."""
    T, block = len(trace.prompt), max(1, BLOCK_FLOATS // model.vocab_size)
    blocks = []
    for start in range(0, T, block):
        here = slice(start, min(T, start + block))
        final = trace.final[here]
        scale = model.adapter.final_scale(final) if norm == "final" else None
        expected = torch.log_softmax(decode(model, final, None), dim=-1)
        blocks.append([_read_row(decode(model, x[here], scale), expected, k, target_ids) for *_, x in rows])
    names = ("top_ids", "top_probs", "entropy", "kl_to_final", "target_probs", "target_ranks")
    joined = {}
    for n, name in enumerate(names):
        by_row = [torch.cat([block[r][n] for block in blocks]) for r in range(len(rows))]
        joined[name] = torch.stack(by_row).cpu().numpy()
    for name in ("top_probs", "entropy", "kl_to_final"):
        finite(joined[name], say("lens"))
    return joined


def decode(model, stream: Tensor, scale: Tensor | None) -> Tensor:
    """Vectors of the stream [..., d_model] as logits [..., V]. scale: ln_final's divisor [...]; None for their own."""
    return model.adapter.unembed(model.adapter.final_norm(stream, scale))


def _read_row(logits: Tensor, expected: Tensor, k: int, target_ids: list[int]) -> tuple[Tensor, ...]:
    """From logits [n, V] and the output's log-probabilities [n, V] to the row's numbers."""
    logp = torch.log_softmax(logits, dim=-1)
    top_logp, top_ids = logp.topk(k, dim=-1)
    entropy = -(logp.exp() * logp).sum(-1)
    wanted = logp[:, target_ids]
    ranks = torch.stack([(logp > column[:, None]).sum(-1) for column in wanted.T], dim=-1) if target_ids else wanted
    return top_ids, top_logp.exp(), entropy, kl(expected, logp), wanted.exp(), ranks.long()


def _receipts(model, trace: Trace, output_row: int | None, read: dict[str, np.ndarray]) -> list[Receipt]:
    """Compare with the model's own forward: the decoded final stream at every position and token, and the numbers
    shown in the row that is the output, if there is one."""
    own = torch.as_tensor(model.logits(trace), device=trace.final.device)
    worst, largest = 0.0, 0.0
    for rows, expected in zip(trace.final.split(256), own.split(256), strict=True):
        worst = max(worst, float((decode(model, rows, None) - expected).abs().max()))
        largest = max(largest, float(expected.abs().max()))
    detail = say("Largest difference between the decoded final stream and the logits of the model's own forward.")
    found = [_difference(say("final stream − model"), worst, tolerance(model.dtype, largest), detail)]
    if output_row is not None:
        top = torch.log_softmax(own, -1).topk(read["top_probs"].shape[-1], dim=-1).values.exp().cpu().numpy()
        ids = torch.as_tensor(read["top_ids"][output_row], device=own.device)
        at_ids = torch.softmax(own, -1).gather(1, ids).cpu().numpy()
        shown = read["top_probs"][output_row]
        worst = float(max(abs(shown - top).max(), abs(shown - at_ids).max()))
        detail = say("Largest difference between the probabilities in the output row and the model's own.")
        found.append(_difference(say("last row − model"), worst, tolerance(model.dtype, float(top.max())), detail))
    return found


def _difference(name: str, value: float, allowed: float, detail: str) -> Receipt:
    return Receipt(name, value, allowed, value <= allowed, detail)
