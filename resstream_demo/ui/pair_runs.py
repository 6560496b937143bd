"""Patching over many pairs, within the limits of the deployment.

As in `session`, nothing here knows of Gradio.
"""

from collections.abc import Sequence

from ..core.errors import ExplorerError, OptionError
from ..core.settings import Settings
from ..core.tokens import Prompt
from ..core.trace import HEAD_SITES
from ..core.words import say
from ..methods.pairs import Pair, PairsResult, patch_pairs
from ..methods.pairs_table import all_faults
from ..methods.patching import check_equal_length
from .session import PatchingOptions, Progress, Ready, read_token, tokenize


def run_pairs(
    ready: Ready, options: PatchingOptions, pairs: Sequence[Pair], progress: Progress | None = None
) -> PairsResult:
    """Patching over several pairs, whatever the two prompts of the bar are; heads at all positions at once.

    Raises one OptionError for all pairs that cannot be patched, and one if they take more edited runs than allowed.
    """
    cells = check_pairs(ready.model, pairs, options.site, ready.inputs.bos, ready.settings)
    chosen = {"site": options.site, "direction": options.direction, "metric": options.metric}
    told = progress and (lambda done, total: progress(done * cells // total, cells))
    return patch_pairs(ready.model, pairs, **chosen, bos=ready.inputs.bos, progress=told)


def check_pairs(model, pairs: Sequence[Pair], site: str, bos: bool, settings: Settings) -> int:
    """The edited runs that patching these pairs takes, about. Raises one OptionError that names all unusable pairs,
    and one if there are more runs than this deployment allows."""
    faults, cells = [], 0
    for n, pair in enumerate(pairs, 1):
        name = pair.label or say("pair {number}", number=n)
        try:
            width = len(read_pair(model, pair, bos, settings)) if site not in HEAD_SITES else model.n_heads
            cells += model.n_layers * width
        except ExplorerError as error:
            faults.append((name, say("In {name}: {reason}", name=name, reason=error.sentence)))
    if faults:
        raise OptionError(
            say(
                "{bad:,} of {all:,} pairs cannot be patched. {faults}",
                bad=len(faults),
                all=len(pairs),
                faults=all_faults(faults),
            )
        )
    if cells > settings.max_cells:
        raise OptionError(
            say(
                "These {pairs:,} pairs would take {cells:,} edited runs; this page allows {most:,}. Give fewer pairs, "
                "shorter ones, or choose a smaller model.",
                pairs=len(pairs),
                cells=cells,
                most=settings.max_cells,
            )
        )
    return cells


def read_pair(model, pair: Pair, bos: bool, settings: Settings) -> Prompt:
    """The clean prompt of a pair that can be patched. Raises PromptError or TokenError for one that cannot."""
    clean = tokenize(model, pair.clean, "clean", bos, settings)
    check_equal_length(clean, tokenize(model, pair.corrupted, "corrupted", bos, settings))
    for spec, what in ((pair.answer, "answer"), (pair.contrast, "contrast")):
        read_token(model, spec, clean, what)
    return clean
