"""From what was typed and chosen to results, within the limits of the deployment.

Nothing here knows of Gradio: the page and the web API both call these functions, so a limit holds however a
request arrives.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

from ..core.errors import ExplorerError, OptionError, PromptError, TokenError
from ..core.names import parse_heads
from ..core.promptcheck import Remark, check_prediction, check_prompts
from ..core.settings import Settings
from ..core.tokens import AnswerToken, Prompt
from ..core.trace import HEAD_SITES, Trace
from ..core.words import joined, say
from ..methods.ablation import AblationResult, head_ablation
from ..methods.attribution import AttributionResult, direct_logit_attribution
from ..methods.lens import LensResult, logit_lens
from ..methods.patching import PatchingResult, activation_patching, check_equal_length
from ..methods.repair import VALUE_BIAS_OF, RepairResult, direct_and_total
from .runs import RunCache

MAX_TOP_K = 100
LENS_TOP_K = 10  # tokens kept for each cell of the page's lens
_ROLES = {"answer": say("answer"), "contrast": say("contrast"), "target": say("target")}
MAX_SPEC_CHARS = 200  # of an answer or a contrast; a list of heads may have ten times as many
FEW_HEADS = 150  # all heads of a model are swept once more without being asked for as long as there are no more

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
    """Inputs that were read with their model: the clean prompt and the tokens are usable.

    runs: where recorded runs are kept; None records anew for every method.
    """

    model: object
    inputs: Inputs
    settings: Settings
    clean: Prompt
    answer: AnswerToken | None
    contrast: AnswerToken | None
    runs: RunCache | None = None

    @cached_property
    def clean_run(self) -> Trace:
        """The clean prompt's run, recorded once for all methods."""
        return self._recorded(self.clean)

    @cached_property
    def corrupted_run(self) -> Trace:
        """The corrupted prompt's run. Raises PromptError if there is no usable corrupted prompt."""
        return self._recorded(self.corrupted)

    def recalled(self, kind: str, options, make: Callable[[], object]) -> object:
        """A result of these inputs: one that is kept, or what `make` computes. kind: which result of the options."""
        return make() if self.runs is None else self.runs.result((kind, self.inputs, options), make)

    def _recorded(self, prompt: Prompt) -> Trace:
        return self.model.trace(prompt) if self.runs is None else self.runs.trace(prompt)

    @property
    def corrupted(self) -> Prompt:
        """Raises PromptError if there is no usable corrupted prompt."""
        if not self.inputs.corrupted:
            raise PromptError(say("There is no corrupted prompt. Type one: the clean prompt with one thing changed."))
        return tokenize(self.model, self.inputs.corrupted, "corrupted", self.inputs.bos, self.settings)

    def targets(self) -> tuple[AnswerToken, ...]:
        """Answer and contrast, as far as they are given."""
        return tuple(token for token in (self.answer, self.contrast) if token is not None)

    def needed_answer(self) -> AnswerToken:
        """Raises TokenError if no answer is given."""
        if self.answer is None:
            raise TokenError(say("The answer is empty. Type the token that should come next, such as “ Paris”."))
        return self.answer


@dataclass(frozen=True)
class LensOptions:
    """follow: groups of token ids, followed beside answer and contrast."""

    site: str = "resid_post"
    norm: str = "fresh"
    follow: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class AttributionOptions:
    """explain: "difference" of answer and contrast (where there is no contrast, the answer), "answer" or "contrast"."""

    position: int = -1
    explain: str = "difference"
    value_bias: str = "folded"


@dataclass(frozen=True)
class PatchingOptions:
    """by_position: a head's site is copied at one position at a time, not at all of them at once."""

    site: str = "resid_pre"
    direction: str = "denoising"
    metric: str = "logit_diff"
    by_position: bool = False


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
        if not which:
            raise
        raise PromptError(say("{prompt}: {error}", prompt=_called(which), error=error.sentence)) from None
    check_tokens(prompt, which, settings)
    return prompt


def check_chars(text: str, which: str, settings: Settings) -> None:
    """Raise PromptError for a text longer than this deployment reads."""
    if len(text) > settings.max_chars:
        raise PromptError(
            say(
                "{prompt} has {count:,} characters; this page reads at most {most:,}. Shorten it by {over:,}.",
                prompt=_called(which),
                count=len(text),
                most=settings.max_chars,
                over=len(text) - settings.max_chars,
            )
        )


def check_tokens(prompt: Prompt, which: str, settings: Settings) -> None:
    """Raise PromptError for a prompt with more tokens than this deployment runs."""
    if len(prompt) > settings.max_tokens:
        raise PromptError(
            say(
                "{prompt} has {count:,} tokens; this page runs at most {most:,}. Shorten it by {over:,}. "
                "The Python package has no such limit.",
                prompt=_called(which),
                count=len(prompt),
                most=settings.max_tokens,
                over=len(prompt) - settings.max_tokens,
            )
        )


def _called(which: str) -> str:
    """A prompt at the beginning of a sentence."""
    named = {"clean": say("The clean prompt"), "corrupted": say("The corrupted prompt"), "": say("The prompt")}
    return named[which] if which in named else say("The {which} prompt", which=which)


def check_cells(cells: int, made_of: str, settings: Settings) -> None:
    """Raise OptionError for a sweep of more runs than this deployment allows."""
    if cells > settings.max_cells:
        raise OptionError(
            say(
                "This would take {cells:,} edited runs ({made_of}); this page allows {most:,}. "
                "Use a shorter prompt, a smaller model, or positions “all”.",
                cells=cells,
                made_of=made_of,
                most=settings.max_cells,
            )
        )


def check_spec(text: str, what: str) -> None:
    """Raise TokenError for an answer or contrast too long to be a token."""
    if len(text) > MAX_SPEC_CHARS:
        raise TokenError(
            say(
                "The {what} has {count:,} characters. It must be one token, such as “ Paris”.",
                what=_ROLES.get(what, what),
                count=len(text),
            )
        )


def read_token(model, spec: str, prompt: Prompt | None, what: str) -> AnswerToken | None:
    """The token that an answer field names, None if the field is empty. Raises TokenError."""
    if not spec:
        return None
    check_spec(spec, what)
    return model.answer(spec, prompt, what)


def read_inputs(model, inputs: Inputs, settings: Settings, runs: RunCache | None = None) -> Ready:
    """Read what every method needs. runs: where recorded runs are kept. Raises PromptError or TokenError."""
    clean = tokenize(model, inputs.clean, "clean", inputs.bos, settings)
    answer = read_token(model, inputs.answer, clean, "answer")
    contrast = read_token(model, inputs.contrast, clean, "contrast")
    return Ready(model, inputs, settings, clean, answer, contrast, runs)


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
    """The logit lens of the clean prompt, following answer, contrast and the tokens asked for."""
    targets = ready.targets()
    known = {token.id for token in targets}
    more = dict.fromkeys(i for group in options.follow for i in group if i not in known)
    return logit_lens(
        ready.model,
        ready.clean_run,
        sites=(options.site,),
        norm=options.norm,
        top_k=LENS_TOP_K,
        targets=(*targets, *more),
    )


def run_attribution(ready: Ready, options: AttributionOptions, progress: Progress | None = None) -> AttributionResult:
    """Attribution on the clean prompt of the answer, of the contrast, or of the difference of the two.

    Raises TokenError if a token that is asked for is not given.
    """
    if options.explain == "contrast":
        if ready.contrast is None:
            raise TokenError(say("There is no contrast to explain. Type one, or explain the answer."))
        answer, contrast = ready.contrast, None
    else:
        answer, contrast = ready.needed_answer(), ready.contrast if options.explain == "difference" else None
    return direct_logit_attribution(
        ready.model,
        ready.clean_run,
        answer,
        contrast,
        position=position_within(options.position, ready.clean),
        value_bias=options.value_bias,
    )


def run_patching(ready: Ready, options: PatchingOptions, progress: Progress | None = None) -> PatchingResult:
    """Patching between the two prompts: layers × positions for the stream, for a head's site layers × heads, or by
    position layers × heads × positions."""
    positions = "all" if options.site in HEAD_SITES and not options.by_position else "each"
    corrupted = ready.corrupted
    check_patching(ready.model, len(ready.clean), options.site, positions, ready.settings)
    answer = ready.answer if options.metric == "kl" else ready.needed_answer()
    check_equal_length(ready.clean, corrupted)  # before the second run is recorded
    return activation_patching(
        ready.model,
        ready.clean_run,
        ready.corrupted_run,
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
    check_cells(
        ready.model.n_layers * ready.model.n_heads,
        say("{layers} layers × {heads} heads", layers=ready.model.n_layers, heads=ready.model.n_heads),
        ready.settings,
    )
    needs_answer = options.metric not in ("kl", "loss")
    return head_ablation(
        ready.model,
        ready.clean_run,
        ready.needed_answer() if needs_answer else ready.answer,
        ready.contrast,
        heads=heads,
        metric=options.metric,
        bos=ready.inputs.bos,
        progress=progress,
        **removal(ready, options),
    )


def removal(ready: Ready, options: AblationOptions) -> dict:
    """How heads are removed, in the words of every method that does: kind, positions and reference."""
    return {
        "kind": options.kind,
        "positions": [len(ready.clean) - 1] if options.last_only else "all",
        "reference": ready.corrupted_run if options.kind == "resample" else None,
    }


def read_heads(text: str, n_layers: int, n_heads: int) -> tuple[tuple[int, int], ...]:
    """The heads listed in a text, such as “L3H6, L4H1”; () if there is nothing in it. Raises OptionError."""
    if len(text) > MAX_SPEC_CHARS * 10:
        raise OptionError(say("The list of heads has {count:,} characters. Name fewer heads.", count=len(text)))
    return parse_heads(text, n_layers, n_heads) if text.strip(" ,;\t\n") else ()


def run_joint_ablation(ready: Ready, options: AblationOptions, heads: str | Sequence) -> AblationResult:
    """Remove these heads together: a list of (layer, head), or a text as `read_heads` takes it. Raises OptionError
    if none is named."""
    if isinstance(heads, str):
        heads = read_heads(heads, ready.model.n_layers, ready.model.n_heads)
    return run_ablation(ready, options, heads=parse_heads(heads, ready.model.n_layers, ready.model.n_heads))


def run_repair(ready: Ready, ablation: AblationResult, progress: Progress | None = None) -> RepairResult:
    """The direct effect of every head beside its effect in an ablation of each. Raises OptionError for a metric other
    than logit_diff.

    Where it costs little, or nothing else gives the direct effects, one more sweep tells what later layers make of a
    head's absence from what the final norm makes of it.
    """
    attribution = direct_logit_attribution(
        ready.model,
        ready.clean_run,
        ablation.answer,
        ablation.contrast,
        value_bias=VALUE_BIAS_OF.get(ablation.kind, "folded"),
    )
    swept = ablation.values.size <= FEW_HEADS or ablation.kind not in VALUE_BIAS_OF
    return direct_and_total(attribution, ablation, ready.model if swept else None, progress=progress)


def check_patching(model, n_tokens: int, site: str, positions, settings: Settings) -> None:
    """Raise OptionError if patching would take more edited runs than this deployment allows."""
    parts = [(model.n_layers, say("{count} layers", count=model.n_layers))]
    if site in HEAD_SITES:
        parts.append((model.n_heads, say("{count} heads", count=model.n_heads)))
    if positions == "each":
        parts.append((n_tokens, say("{count} positions", count=n_tokens)))
    check_cells(prod(count for count, _ in parts), joined([words for _, words in parts], " × "), settings)
