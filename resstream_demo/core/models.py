"""Models: where they come from, and the object that every method takes."""

import difflib
import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from . import checkpoint, hub
from .cells import Cell, Edit
from .errors import ModelError, OptionError, PromptError
from .gpt2 import GPT2Adapter
from .names import choose, excerpt
from .receipts import tolerance
from .settings import MIB, Settings
from .sweep import sweep
from .tokens import AnswerToken, Prompt, display_token, make_prompt, prompt_from_ids, resolve_answer
from .trace import Trace, record
from .words import joined, say

TINY = "tiny"
TINY_FOLDER = Path(__file__).resolve().parents[2] / "assets" / "tiny"
HUB_IDS = {
    "gpt2": "openai-community/gpt2",
    "distilgpt2": "distilbert/distilgpt2",
    "gpt2-medium": "openai-community/gpt2-medium",
    "gpt2-large": "openai-community/gpt2-large",
    "gpt2-xl": "openai-community/gpt2-xl",
}
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
PROBE_TOKENS = 8

Progress = Callable[[str, float | None], None]  # a sentence, and the share done if known


@dataclass(frozen=True, eq=False)
class Model:
    """A model ready to be looked into. Read-only: nothing that is done with it changes it.

    name: as asked for. revision: the commit of a hub model. note: anything to say about how it was chosen.
    self_check: largest difference between the engine's logits and the model's own forward on a probe.
    """

    name: str
    adapter: GPT2Adapter = field(repr=False)
    tokenizer: object = field(repr=False)
    device: torch.device
    dtype: str
    revision: str | None = None
    note: str = ""
    sweep_mib: int = 192
    self_check: float = float("nan")
    self_check_tolerance: float = float("nan")
    _shown: dict[int, str] = field(default_factory=dict, repr=False)  # display strings met so far

    @property
    def n_layers(self) -> int:
        return self.adapter.n_layers

    @property
    def n_heads(self) -> int:
        return self.adapter.n_heads

    @property
    def d_model(self) -> int:
        return self.adapter.d_model

    @property
    def d_head(self) -> int:
        return self.adapter.d_head

    @property
    def d_mlp(self) -> int:
        return self.adapter.d_mlp

    @property
    def n_ctx(self) -> int:
        return self.adapter.n_ctx

    @property
    def vocab_size(self) -> int:
        return self.adapter.vocab_size

    def tokenize(self, text: str, bos: bool = True) -> Prompt:
        """Tokens of a text, with the BOS put before them. Raises PromptError if empty or too long."""
        return make_prompt(
            self.tokenizer, text, bos=bos, n_ctx=self.n_ctx, vocab_size=self.vocab_size, display=self.show
        )

    def prompt(self, prompt: "str | Prompt | Trace | Sequence[int]", bos: bool = True) -> Prompt:
        """Whatever names a prompt, as a Prompt: a text, a Prompt, a Trace, or token ids (taken as they are)."""
        if isinstance(prompt, Trace):
            prompt = prompt.prompt
        if isinstance(prompt, Prompt):
            return self._own_prompt(prompt)
        if isinstance(prompt, (np.ndarray, torch.Tensor)):
            prompt = prompt.reshape(-1).tolist() if prompt.ndim == 0 else prompt.tolist()
        if isinstance(prompt, (str, bytes)) or not isinstance(prompt, Sequence):
            return self.tokenize(prompt, bos)
        return prompt_from_ids(self.tokenizer, prompt, n_ctx=self.n_ctx, vocab_size=self.vocab_size, display=self.show)

    def _own_prompt(self, prompt: Prompt) -> Prompt:
        """A Prompt if it was tokenised for this model. Raises PromptError if its ids mean something else here."""
        own = self.prompt(list(prompt.ids))
        if own.tokens[prompt.bos :] != prompt.tokens[prompt.bos :]:
            raise PromptError(
                say(
                    "The prompt “{text}” was tokenised for another model; its ids mean something else to {model}. Give "
                    "the text, or tokenize it with this model.",
                    text=prompt.text[:80],
                    model=self.name,
                )
            )
        return prompt

    def trace(self, prompt: "str | Prompt | Trace | Sequence[int]", bos: bool = True) -> Trace:
        """Run a prompt once and keep everything it wrote and read; a Trace is given back as it is."""
        if not isinstance(prompt, Trace):
            return record(self.adapter, self.prompt(prompt, bos), self.device)
        if prompt.hf_model is not self.adapter.hf_model:
            raise PromptError(
                say("This trace was recorded on another model than {model}. Record it again.", model=self.name)
            )
        return prompt

    @torch.no_grad()
    def logits(self, prompt: "str | Prompt | Trace | Sequence[int]", bos: bool = True) -> np.ndarray:
        """[T, V] float32 logits by the model's own forward, with nothing of the engine in between."""
        ids = torch.tensor(self.prompt(prompt, bos).ids, device=self.device)
        return self.adapter.plain_logits(ids).cpu().numpy()

    def answer(
        self, spec: "str | int | AnswerToken", prompt: Prompt | None = None, what: str = "answer"
    ) -> AnswerToken:
        """The single token that `spec` names; see `tokens.resolve_answer`."""
        return resolve_answer(self.tokenizer, spec, vocab_size=self.vocab_size, prompt=prompt, what=what)

    def show(self, token_id: int) -> str:
        """The display string of a token."""
        token_id = int(token_id)
        if token_id not in self._shown:
            self._shown[token_id] = display_token(self.tokenizer, token_id)
        return self._shown[token_id]

    def chunk_tokens(self, n_tokens: int) -> int:
        """How many tokens a sweep over prompts of `n_tokens` runs at once within its memory budget."""
        per_token = 4 * (10 * self.d_model + 2 * self.d_mlp + 2 * self.n_heads * n_tokens)
        return max(n_tokens, self.sweep_mib * MIB // per_token)


def load_model(
    name: str = "auto",
    *,
    device: str = "auto",
    dtype: str = "float32",
    revision: str | None = None,
    progress: Progress | None = None,
    settings: Settings | None = None,
) -> Model:
    """Load a model.

    name: `tiny` (bundled), `gpt2`, `distilgpt2`, `gpt2-medium`, `gpt2-large`, `gpt2-xl` or their full hub ids,
    a local folder with `config.json`, safetensors and tokenizer files, or `auto`: the configured default if it
    is cached or the hub answers, else `tiny`, with a warning saying why. device: `auto` (cuda, mps, cpu in
    that order) or a torch device. dtype: `float32`, `bfloat16`, `float16`. revision: a hub commit, branch or
    tag. progress: called with a sentence and, where known, the share done. Only safetensors are read and no
    code from a checkpoint is run. Raises ModelError or OptionError saying what is wrong and what to do.
    """
    settings = settings or Settings.from_env()
    report = progress or (lambda sentence, share: None)
    choose(dtype, tuple(DTYPES), "dtype")
    target = pick_device(device)
    if isinstance(name, Path):
        name = str(name.absolute())
    if not isinstance(name, str):
        raise OptionError(
            say("A model's name is a text, not {value}. Use tiny, gpt2 or a folder.", value=excerpt(name))
        )
    if name == "auto":
        return _load_auto(settings, device=device, dtype=dtype, revision=revision, progress=progress)
    repo = HUB_IDS.get(name, name if name in HUB_IDS.values() else None)
    if repo is None and revision is not None:
        raise OptionError(
            say("A revision belongs to a model from the hub; “{name}” is not one. Leave it out.", name=name)
        )
    if name == TINY:
        return _from_folder(TINY_FOLDER, TINY, None, target, dtype, report, settings)
    if repo is None:
        if not _names_a_folder(name):
            raise _unknown_name(name)
        return _from_folder(Path(os.path.expanduser(name)), name, None, target, dtype, report, settings)
    folder, commit = hub.fetch(repo, revision=revision, timeout=settings.hub_timeout, progress=report)
    return _from_folder(folder, name, commit, target, dtype, report, settings)


def wrap_model(
    hf_model, tokenizer, *, name: str = "custom", revision: str | None = None, note: str = "", sweep_mib: int = 192
) -> Model:
    """Make a Model of a transformers GPT-2 and its tokenizer that are in memory already.

    The module is put into evaluation mode. Raises ModelError if it is no GPT-2, or if the engine's logits on a
    probe differ from the module's own.
    """
    hf_model.eval()
    dtype = str(next(hf_model.parameters()).dtype).removeprefix("torch.")
    if dtype not in DTYPES:
        raise ModelError(
            say(
                "The weights of {name} are {dtype}; load them as {dtypes}.",
                name=name,
                dtype=dtype,
                dtypes=joined(DTYPES, ", "),
            )
        )
    adapter = GPT2Adapter(hf_model)
    model = Model(
        name=name,
        adapter=adapter,
        tokenizer=tokenizer,
        device=adapter.device,
        dtype=dtype,
        revision=revision,
        note=note,
        sweep_mib=sweep_mib,
    )
    return _checked(model)


@torch.no_grad()
def _checked(model: Model) -> Model:
    """Compare the engine with the model's own forward on a probe; refuse the model if they differ."""
    n = min(PROBE_TOKENS, model.n_ctx)
    generator = torch.Generator().manual_seed(0)
    ids = torch.randint(0, model.vocab_size, (n + 1,), generator=generator).tolist()
    ids, other = ids[:n], ids[n]
    swapped = [*ids[: n // 2], other, *ids[n // 2 + 1 :]]
    plain = [model.adapter.plain_logits(torch.tensor(tokens, device=model.device)) for tokens in (ids, swapped)]
    if not all(torch.isfinite(logits).all() for logits in plain):
        raise ModelError(
            say(
                "{model} gives numbers that are not finite on a probe in {dtype}. Its weights are damaged, or the "
                "precision is too low: try dtype float32.",
                model=model.name,
                dtype=model.dtype,
            )
        )
    base = model.trace(ids)
    engine = _logits(model, base.final), _swapped_by_sweep(model, base, n // 2, other)
    own = torch.cat([plain[0], plain[1][-1:]])
    error = float((torch.cat(engine).to(own.device) - own).abs().max())
    allowed = tolerance(model.dtype, float(own.abs().max()))
    if not error <= allowed:
        raise ModelError(
            say(
                "{model} was refused: on a probe this engine's logits differ from the model's own by {error:.3g}, more "
                "than the {allowed:.3g} allowed. The checkpoint uses something that the engine does not follow.",
                model=model.name,
                error=error,
                allowed=allowed,
            )
        )
    return replace(model, self_check=error, self_check_tolerance=allowed)


def _swapped_by_sweep(model: Model, base: Trace, position: int, token_id: int) -> Tensor:
    """[1, V]: the last logits of the base run with one token swapped, brought about by the sweep.

    Before the first layer the stream is token and position embedding, so replacing it there is replacing the token.
    """
    ids = torch.tensor([token_id], device=model.device)
    stream = model.adapter.token_embed(ids).to(model.device) + base.pos_embed[position : position + 1]
    cell = Cell((Edit("resid_pre", 0, None, (position,), stream),))
    return sweep(model, base, [cell], lambda finals: _logits(model, finals[:, -1]))


def _logits(model: Model, stream: Tensor) -> Tensor:
    return model.adapter.unembed(model.adapter.final_norm(stream))


def pick_device(device: str) -> torch.device:
    """`auto` or a torch device name as a device that exists here. Raises OptionError if it does not."""
    if device == "auto":
        if torch.cuda.is_available():
            return torch.device("cuda")
        return torch.device("mps" if torch.backends.mps.is_available() else "cpu")
    try:
        found = torch.device(device)
        torch.zeros(1, device=found).item()  # fails on a device that is not there, and on meta, which holds no numbers
    except Exception:  # torch has a different kind for each device it lacks
        raise OptionError(say("There is no device {device} here. Use auto or cpu.", device=excerpt(device))) from None
    return found


def _load_auto(settings: Settings, **options) -> Model:
    wanted = settings.default_model
    if wanted == "auto":
        raise OptionError(
            say("RESSTREAM_DEFAULT_MODEL is what auto stands for, so it must name a model, such as gpt2.")
        )
    try:
        return load_model(wanted, settings=settings, **options)
    except ModelError as error:
        if wanted == TINY:
            raise
        note = say(
            "Using the bundled model “{bundled}”, since “{wanted}” could not be had: {reason}",
            bundled=TINY,
            wanted=wanted,
            reason=error.sentence,
        )
    warnings.warn(note, stacklevel=3)
    bundled = load_model(TINY, settings=settings, **{**options, "revision": None})
    return replace(bundled, note=note)


def _names_a_folder(name: str) -> bool:
    return bool(name) and ("/" in name or "\\" in name or name.startswith(("~", ".")) or os.path.isdir(name))


def _unknown_name(name) -> ModelError:
    known = (TINY, *HUB_IDS)
    near = difflib.get_close_matches(str(name), known, n=1)
    sentences = [say("Unknown model “{name}”.", name=str(name)[:80])]
    if near:
        sentences.append(say("Did you mean {name}?", name=near[0]))
    sentences.append(say("Choose one of {names}, or a local folder.", names=joined(known, ", ")))
    return ModelError(joined(sentences))


def _from_folder(folder: Path, name: str, commit, device, dtype: str, report: Progress, settings: Settings) -> Model:
    report(say("Reading {name} …", name=name), None)
    hf_model, tokenizer = checkpoint.read_folder(folder, name=name, dtype=DTYPES[dtype], device=device)
    report(say("Checking {name} against its own forward …", name=name), None)
    return wrap_model(hf_model, tokenizer, name=name, revision=commit, sweep_mib=settings.sweep_mib)
