"""The web API: the four methods as typed endpoints, JSON in and out, named as in Python.

    from gradio_client import Client
    client = Client("http://127.0.0.1:7860")
    client.predict("tiny", "The capital of France is", targets=[" Paris"], api_name="/logit_lens")

The first argument is a model that the page offers; all others mean what they mean in Python. Prompts are texts. The
answer is the result as `figures.export.result_to_dict` writes it. What is wrong with an input comes back as one
sentence. The page's limits on prompts and sweeps hold here too.
"""

import logging
from collections.abc import Callable

import gradio as gr

from ..core.errors import ExplorerError, OptionError
from ..core.names import excerpt, listed
from ..core.settings import Settings
from ..core.tokens import AnswerToken, Prompt
from ..figures.export import result_to_dict
from ..methods import ablation, attribution, lens, patching
from . import session
from .inputs import explain
from .store import ModelStore

MAX_TARGETS = 20
MAX_SITES = 20
log = logging.getLogger(__name__)


class Endpoints:
    """The four endpoints over one store of models."""

    def __init__(self, store: ModelStore, settings: Settings):
        self.store, self.settings = store, settings

    def logit_lens(
        self,
        model: str,
        prompt: str,
        sites: list[str] = ["resid_post"],  # noqa: B006  read by Gradio as the documented default
        top_k: int = 10,
        targets: list[str] = [],  # noqa: B006
        norm: str = "fresh",
        bos: bool = True,
    ) -> dict:
        """What every layer would predict if it were the last. sites: resid_pre, resid_mid, resid_post, attn_out,
        mlp_out. top_k: tokens kept per cell. targets: tokens to follow, such as " Paris" or "#5335". norm: fresh or
        final."""

        def job():
            loaded, tokens = self._prompt(model, prompt, "", bos)
            if isinstance(top_k, int) and top_k > session.MAX_TOP_K:
                raise OptionError(f"top_k is {top_k:,}; the web API gives at most {session.MAX_TOP_K}.")
            places = _texts(sites, "sites", MAX_SITES)
            named = _texts(targets, "targets", MAX_TARGETS)
            followed = [session.read_token(loaded, target, tokens, "target") for target in named]
            return lens.logit_lens(loaded, tokens, sites=places, top_k=top_k, targets=followed, norm=norm)

        return _answered(job)

    def direct_logit_attribution(
        self,
        model: str,
        prompt: str,
        answer: str,
        contrast: str = "",
        position: int = -1,
        value_bias: str = "folded",
        bos: bool = True,
    ) -> dict:
        """Split the logit of `answer` (minus that of `contrast`, if given) at `position` into what each component
        wrote. value_bias: folded or in_heads."""

        def job():
            loaded, tokens = self._prompt(model, prompt, "", bos)
            chosen, other = self._tokens(loaded, answer, contrast, tokens)
            if chosen is None:
                raise OptionError("The answer is empty. Name one token, such as “ Paris”.")
            return attribution.direct_logit_attribution(
                loaded, tokens, chosen, other, position=position, value_bias=value_bias
            )

        return _answered(job)

    def activation_patching(
        self,
        model: str,
        clean: str,
        corrupted: str,
        answer: str = "",
        contrast: str = "",
        site: str = "resid_pre",
        positions: str | list[int] = "each",
        direction: str = "denoising",
        metric: str = "logit_diff",
        bos: bool = True,
    ) -> dict:
        """Copy one activation between two runs of equal length and read the metric. site: resid_pre, resid_mid,
        resid_post, attn_out, mlp_out, z, q, k, v, pattern. positions: each, all, or a list. direction: denoising or
        noising. metric: logit_diff, prob, logprob, rank, kl."""

        def job():
            loaded, first = self._prompt(model, clean, "clean", bos)
            second = session.tokenize(loaded, _text(corrupted, "corrupted"), "corrupted", bos, self.settings)
            session.check_patching(loaded, len(first), site, positions, self.settings)
            chosen, other = self._tokens(loaded, answer, contrast, first)
            return patching.activation_patching(
                loaded, first, second, chosen, other,
                site=site, positions=positions, direction=direction, metric=metric,
            )  # fmt: skip

        return _answered(job)

    def head_ablation(
        self,
        model: str,
        prompt: str,
        answer: str = "",
        contrast: str = "",
        heads: str | list[str] = "each",
        kind: str = "zero",
        positions: str | list[int] = "all",
        reference: str = "",
        metric: str = "logit_diff",
        bos: bool = True,
    ) -> dict:
        """Take heads away and read the metric. heads: each, or a list such as ["L3H6", "L4H1"]. kind: zero, bias_only,
        mean (reference: a bundled set) or resample (reference: a prompt of equal length). positions: all, or a list.
        metric: logit_diff, prob, logprob, rank, kl, loss."""

        def job():
            loaded, tokens = self._prompt(model, prompt, "", bos)
            session.check_cells(loaded.n_layers * loaded.n_heads, "layers × heads", self.settings)
            chosen, other = self._tokens(loaded, answer, contrast, tokens)
            source = _text(reference, "reference") or None
            if kind == "resample" and source:
                source = session.tokenize(loaded, source, "reference", bos, self.settings)
            return ablation.head_ablation(
                loaded, tokens, chosen, other,
                heads=heads, kind=kind, positions=positions, reference=source, metric=metric, bos=bos,
            )  # fmt: skip

        return _answered(job)

    def _prompt(self, model: str, text: str, which: str, bos: bool) -> tuple[object, Prompt]:
        loaded = self.store.get(model)
        return loaded, session.tokenize(loaded, _text(text, which or "prompt"), which, bos, self.settings)

    @staticmethod
    def _tokens(model, answer: str, contrast: str, prompt: Prompt) -> tuple[AnswerToken | None, AnswerToken | None]:
        return (
            session.read_token(model, _text(answer, "answer"), prompt, "answer"),
            session.read_token(model, _text(contrast, "contrast"), prompt, "contrast"),
        )


def _text(value: object, name: str) -> str:
    """An argument that is a text; null is the empty one. Raises OptionError for anything else."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise OptionError(f"{name} must be a text, not {excerpt(value)}.")
    return value


def _texts(values: object, name: str, most: int) -> tuple[str, ...]:
    """An argument that is a list of texts. Raises OptionError for anything else, and for more than `most`."""
    found = listed(values, name)
    if len(found) > most:
        raise OptionError(f"There are {len(found):,} {name}; the web API takes at most {most}.")
    if any(value is None for value in found):
        raise OptionError(f"Each of the {name} must be a text, not null.")
    return tuple(_text(value, f"Each of the {name}") for value in found)


def _answered(job: Callable) -> dict:
    """The result as plain data, or the sentence that says what was wrong."""
    try:
        return result_to_dict(job())
    except ExplorerError as error:
        raise gr.Error(str(error), print_exception=False) from None
    except Exception as error:
        log.exception("A request to the web API failed.")
        raise gr.Error(explain(error), print_exception=False) from None


def offer(store: ModelStore, settings: Settings, *, concurrency_id: str) -> None:
    """Add the endpoints to the Blocks being built."""
    endpoints = Endpoints(store, settings)
    for name in ("logit_lens", "direct_logit_attribution", "activation_patching", "head_ablation"):
        gr.api(getattr(endpoints, name), api_name=name, concurrency_id=concurrency_id, concurrency_limit=1)
