"""From what was typed and chosen to results, within the limits of the deployment.

Nothing here knows of Gradio: the page and the web API both call these functions, so a limit holds however a
request arrives.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..core.errors import ExplorerError, OptionError, PromptError, TokenError
from ..core.names import parse_heads
from ..core.promptcheck import Remark, check_prediction, check_prompts
from ..core.settings import Settings
from ..core.tokens import AnswerToken, Prompt
from ..core.trace import HEAD_SITES, Trace
from ..methods.ablation import AblationResult, head_ablation
from ..methods.attribution import AttributionResult, direct_logit_attribution
from ..methods.lens import LensResult, logit_lens
from ..methods.patching import PatchingResult, activation_patching

MAX_TOP_K = 100
MAX_SPEC_CHARS = 200  # of an answer, a contrast or a list of heads

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Inputs:
    """What the prompt bar holds. An empty corrupted prompt, answer or contrast counts as not given."""

    clean: str
    corrupted: str
    answer: str
    contrast: str
    model: str
    bos: bool


@dataclass(frozen=True, eq=False)
class Ready:
    """Inputs that were read with their model: the clean prompt and the tokens are usable."""

    model: object
    inputs: Inputs
    settings: Settings
    clean: Prompt
    answer: AnswerToken | None
    contrast: AnswerToken | None

    @cached_property
    def clean_run(self) -> Trace:
        """The clean prompt's run, recorded once for all methods."""
        return self.model.trace(self.clean)

    @property
    def corrupted(self) -> Prompt:
        """Raises PromptError if there is no usable corrupted prompt."""
        if not self.inputs.corrupted:
            raise PromptError("There is no corrupted prompt. Type one: the clean prompt with one thing changed.")
        return tokenize(self.model, self.inputs.corrupted, "corrupted", self.inputs.bos, self.settings)

    def targets(self) -> tuple[AnswerToken, ...]:
        """Answer and contrast, as far as they are given."""
        return tuple(token for token in (self.answer, self.contrast) if token is not None)

    def needed_answer(self) -> AnswerToken:
        """Raises TokenError if no answer is given."""
        if self.answer is None:
            raise TokenError("The answer is empty. Type the token that should come next, such as “ Paris”.")
        return self.answer


@dataclass(frozen=True)
class LensOptions:
    site: str = "resid_post"
    norm: str = "fresh"


@dataclass(frozen=True)
class AttributionOptions:
    position: int = -1
    against_contrast: bool = True
    value_bias: str = "folded"


@dataclass(frozen=True)
class PatchingOptions:
    site: str = "resid_pre"
    direction: str = "denoising"
    metric: str = "logit_diff"


@dataclass(frozen=True)
class AblationOptions:
    kind: str = "zero"
    metric: str = "logit_diff"
    last_only: bool = False


# --- reading inputs ------------------------------------------------------------------------------------------


def tokenize(model, text: str, which: str, bos: bool, settings: Settings) -> Prompt:
    """Tokens of a prompt. Raises PromptError, saying which prompt, if it is empty or over a limit.

    which: "clean", "corrupted" …, or "" where there is only one.
    """
    check_chars(text, which, settings)
    try:
        prompt = model.tokenize(text, bos)
    except PromptError as error:
        raise PromptError(f"{_called(which)}: {error}" if which else str(error)) from None
    check_tokens(prompt, which, settings)
    return prompt


def check_chars(text: str, which: str, settings: Settings) -> None:
    """Raise PromptError for a text longer than this deployment reads."""
    if len(text) > settings.max_chars:
        raise PromptError(
            f"{_called(which)} has {len(text):,} characters; this page reads at most {settings.max_chars:,}. "
            f"Shorten it by {len(text) - settings.max_chars:,}."
        )


def check_tokens(prompt: Prompt, which: str, settings: Settings) -> None:
    """Raise PromptError for a prompt with more tokens than this deployment runs."""
    if len(prompt) > settings.max_tokens:
        raise PromptError(
            f"{_called(which)} has {len(prompt):,} tokens; this page runs at most {settings.max_tokens:,}. "
            f"Shorten it by {len(prompt) - settings.max_tokens:,}. The Python package has no such limit."
        )


def _called(which: str) -> str:
    return f"The {which} prompt" if which else "The prompt"


def check_cells(cells: int, made_of: str, settings: Settings) -> None:
    """Raise OptionError for a sweep of more runs than this deployment allows."""
    if cells > settings.max_cells:
        raise OptionError(
            f"This would take {cells:,} edited runs ({made_of}); this page allows {settings.max_cells:,}. "
            "Use a shorter prompt, a smaller model, or positions “all”."
        )


def check_spec(text: str, what: str) -> None:
    """Raise TokenError for an answer or contrast too long to be a token."""
    if len(text) > MAX_SPEC_CHARS:
        raise TokenError(f"The {what} has {len(text):,} characters. It must be one token, such as “ Paris”.")


def read_token(model, spec: str, prompt: Prompt | None, what: str) -> AnswerToken | None:
    """The token that an answer field names, None if the field is empty. Raises TokenError."""
    if not spec:
        return None
    check_spec(spec, what)
    return model.answer(spec, prompt, what)


def read_inputs(model, inputs: Inputs, settings: Settings) -> Ready:
    """Read what every method needs. Raises PromptError or TokenError."""
    clean = tokenize(model, inputs.clean, "clean", inputs.bos, settings)
    answer = read_token(model, inputs.answer, clean, "answer")
    contrast = read_token(model, inputs.contrast, clean, "contrast")
    return Ready(model, inputs, settings, clean, answer, contrast)


def remarks(model, inputs: Inputs, settings: Settings) -> tuple[Remark, ...]:
    """The prompt check, limits of this deployment included. Raises nothing."""
    over = []
    for text, which in ((inputs.clean, "clean"), (inputs.corrupted, "corrupted")):
        try:
            check_chars(text, which, settings)
        except ExplorerError as error:
            over.append(Remark("error", str(error), text[:80] + "…"))
    for text, what in ((inputs.answer, "answer"), (inputs.contrast, "contrast")):
        try:
            check_spec(text, what)
        except ExplorerError as error:
            over.append(Remark("error", str(error), text[:80] + "…"))
    if over:
        return tuple(over)
    found = check_prompts(model, inputs.clean, inputs.corrupted, inputs.answer, inputs.contrast, inputs.bos)
    return (*found, *_too_many_tokens(model, inputs, settings))


def _too_many_tokens(model, inputs: Inputs, settings: Settings) -> list[Remark]:
    """What this deployment's own limit has to say of prompts that the model could read."""
    found = []
    for text, which in ((inputs.clean, "clean"), (inputs.corrupted, "corrupted")):
        try:
            prompt = model.tokenize(text, inputs.bos)
        except PromptError:
            continue  # said by the prompt check already, or an empty corrupted prompt
        try:
            check_tokens(prompt, which, settings)
        except PromptError as error:
            found.append(Remark("error", str(error)))
    return found


def prediction_remarks(ready: Ready) -> tuple[Remark, ...]:
    """What the model's own prediction has to say about the prompt."""
    return check_prediction(ready.model, ready.clean_run)


def position_within(position: int, prompt: Prompt) -> int:
    """A position chosen for an earlier prompt as it counts for this one: -1, the last, from its last token on."""
    return position if position < len(prompt) - 1 else -1


# --- running methods -----------------------------------------------------------------------------------------


def run_lens(ready: Ready, options: LensOptions, progress: Progress | None = None) -> LensResult:
    """The logit lens of the clean prompt, following answer and contrast."""
    return logit_lens(
        ready.model, ready.clean_run, sites=(options.site,), norm=options.norm, top_k=10, targets=ready.targets()
    )


def run_attribution(ready: Ready, options: AttributionOptions, progress: Progress | None = None) -> AttributionResult:
    """Attribution on the clean prompt, against the contrast if there is one and it is wanted."""
    return direct_logit_attribution(
        ready.model,
        ready.clean_run,
        ready.needed_answer(),
        ready.contrast if options.against_contrast else None,
        position=position_within(options.position, ready.clean),
        value_bias=options.value_bias,
    )


def run_patching(ready: Ready, options: PatchingOptions, progress: Progress | None = None) -> PatchingResult:
    """Patching between the two prompts: layers × positions for the stream, layers × heads for a head's site."""
    positions = "all" if options.site in HEAD_SITES else "each"
    corrupted = ready.corrupted
    check_patching(ready.model, len(ready.clean), options.site, positions, ready.settings)
    answer = ready.answer if options.metric == "kl" else ready.needed_answer()
    return activation_patching(
        ready.model,
        ready.clean,
        corrupted,
        answer,
        ready.contrast,
        site=options.site,
        positions=positions,
        direction=options.direction,
        metric=options.metric,
        progress=progress,
    )


def run_ablation(
    ready: Ready, options: AblationOptions, progress: Progress | None = None, heads: str | Sequence = "each"
) -> AblationResult:
    """Remove heads on the clean prompt; resampling takes its values from the corrupted prompt."""
    check_cells(ready.model.n_layers * ready.model.n_heads, "layers × heads", ready.settings)
    needs_answer = options.metric not in ("kl", "loss")
    return head_ablation(
        ready.model,
        ready.clean_run,
        ready.needed_answer() if needs_answer else ready.answer,
        ready.contrast,
        heads=heads,
        kind=options.kind,
        positions=[len(ready.clean) - 1] if options.last_only else "all",
        reference=ready.corrupted if options.kind == "resample" else None,
        metric=options.metric,
        bos=ready.inputs.bos,
        progress=progress,
    )


def run_joint_ablation(ready: Ready, options: AblationOptions, heads: str) -> AblationResult:
    """Remove the heads listed in a text, such as “L3H6, L4H1”, together. Raises OptionError for a bad list."""
    if len(heads) > MAX_SPEC_CHARS * 10:
        raise OptionError(f"The list of heads has {len(heads):,} characters. Name fewer heads.")
    return run_ablation(ready, options, heads=parse_heads(heads, ready.model.n_layers, ready.model.n_heads))


def check_patching(model, n_tokens: int, site: str, positions, settings: Settings) -> None:
    """Raise OptionError if patching would take more edited runs than this deployment allows."""
    cells, made_of = model.n_layers, f"{model.n_layers} layers"
    if site in HEAD_SITES:
        cells, made_of = cells * model.n_heads, f"{made_of} × {model.n_heads} heads"
    if positions == "each":
        cells, made_of = cells * n_tokens, f"{made_of} × {n_tokens} positions"
    check_cells(cells, made_of, settings)
