"""Pictures of results fit for a paper, as PNG or SVG: `picture(result, format="svg")`.

The picture shows what the screen shows, in the same colours and with the same direction (depth grows upward), and
carries under it how it was made. matplotlib is imported only when a picture is made.
"""

import math

from ..core.errors import OptionError
from ..core.names import choose, excerpt, parse_position, whole_number
from ..core.words import say
from ..methods.ablation import AblationResult
from ..methods.attribution import AttributionResult
from ..methods.lens import LensResult
from ..methods.patching import PatchingResult
from ..methods.results import finite
from . import paper_specs as specs
from .paper_words import caption, token_words

FORMATS = ("png", "svg")
STATISTICS = {  # for each result what its colours can show; the first is the default
    LensResult: ("top_prob", "entropy", "kl", "target_prob", "target_rank"),
    AttributionResult: ("logits",),
    PatchingResult: ("recovered", "value"),
    AblationResult: ("effect", "value"),
}
MIN_DPI, MAX_DPI = 30, 1200
MIN_WIDTH, MAX_WIDTH = 3.0, 60.0  # inches


def picture(
    result,
    *,
    format: str = "png",
    dpi: int = 200,
    width_inches: float | None = None,
    statistic: str | None = None,
    target: int = 0,
    layer: int | None = None,
    position: int | None = None,
    limit: float | None = None,
) -> bytes:
    """A picture of a lens, attribution, patching or ablation result, as the bytes of a file.

    format: "png" or "svg". dpi: of a PNG. width_inches: of the whole picture; by default it follows the grid.
    statistic: what the colours show; a lens: "top_prob" (the likeliest token's probability), "entropy", "kl",
    "target_prob" or "target_rank" (of target number `target`); patching: "recovered" or "value"; ablation: "effect" or
    "value". layer or position: which slice to show of patched heads × positions; by default the position with the
    largest effect. limit: the end of the colour scale, for pictures that will be compared (a rank for "target_rank");
    the picture says how many cells lie beyond. The same result gives the same bytes. Raises OptionError for an unknown
    or impossible option, MetricError for shares of a difference that is zero.
    """
    choose(format, FORMATS, say("format"))
    if type(result) not in STATISTICS:
        raise OptionError(
            say(
                "There is no picture of a {kind}. Give the result of one of the four methods.",
                kind=type(result).__name__,
            )
        )
    _check_sizes(dpi, width_inches, limit)
    statistic = _statistic(result, statistic, target)
    spec, *more = _spec(result, statistic, target, _slice(result, layer, position), limit)
    words = caption(result, *more)
    page = _laid_out(words, spec, None if width_inches is None else width_inches * 72)
    from .paper_render import to_png, to_svg

    if format == "svg":
        return to_svg(page, words.title, words.whole)
    return to_png(page, int(dpi), words.title, words.whole)


def _check_sizes(dpi, width_inches, limit) -> None:
    if not _is_number(dpi) or not MIN_DPI <= dpi <= MAX_DPI:
        raise OptionError(
            say(
                "dpi must be a number from {low} to {high}, not {value}.", low=MIN_DPI, high=MAX_DPI, value=excerpt(dpi)
            )
        )
    if width_inches is not None and not (_is_number(width_inches) and MIN_WIDTH <= width_inches <= MAX_WIDTH):
        raise OptionError(
            say(
                "The width of a picture is {low} to {high} inches, not {value}.",
                low=int(MIN_WIDTH),
                high=int(MAX_WIDTH),
                value=excerpt(width_inches),
            )
        )
    if limit is not None and not (_is_number(limit) and limit > 0):
        raise OptionError(say("The end of a colour scale must be a number above 0, not {value}.", value=excerpt(limit)))


def _is_number(value) -> bool:
    try:
        return not isinstance(value, (bool, str)) and math.isfinite(value)
    except TypeError:
        return False


def _statistic(result, statistic: str | None, target: int) -> str:
    """The statistic to show. Raises OptionError if the result has no such numbers."""
    known = STATISTICS[type(result)]
    if statistic is None:
        return "value" if isinstance(result, PatchingResult) and not result.has_recovered else known[0]
    choose(statistic, known, say("statistic"))
    if statistic.startswith("target"):
        _check_target(result, target)
    return statistic


def _check_target(result: LensResult, target: int) -> None:
    count = len(result.targets)
    if not count:
        raise OptionError(say("This lens followed no target token. Run it with targets, or choose another statistic."))
    try:
        known = 0 <= whole_number(target) < count
    except TypeError:
        known = False
    if not known:
        raise OptionError(
            say("There is no target {value}: this lens has targets 0–{last}.", value=excerpt(target), last=count - 1)
        )


def _slice(result, layer: int | None, position: int | None) -> tuple[str, int] | None:
    """Which slice of values [L, H, T] to show; None for a result of another shape, which has none."""
    sliced = isinstance(result, PatchingResult) and result.values.ndim == 3
    if not sliced and (layer is not None or position is not None):
        raise OptionError(say("Only patched heads × positions are shown by layer or position. Leave it out."))
    if not sliced:
        return None
    if layer is not None and position is not None:
        raise OptionError(say("A picture shows one layer or one position. Name only one of them."))
    if layer is None:
        chosen = position is not None
        return "position", parse_position(position, len(result.clean)) if chosen else specs.strongest_position(result)
    try:
        number = whole_number(layer)
    except TypeError:
        number = -1
    last = result.values.shape[0] - 1
    if not 0 <= number <= last:
        raise OptionError(
            say("There is no layer {value}: this model has layers 0–{last}.", value=excerpt(layer), last=last)
        )
    return "layer", number


def _spec(result, statistic: str, target: int, slice_, limit: float | None) -> tuple:
    """What to draw, and notes on how it is drawn."""
    if isinstance(result, AttributionResult):
        spec = specs.waterfall(result, limit)
        finite(result.values, say("picture"))
        return spec, *_noted(spec.heads)
    notes = []
    if isinstance(result, LensResult):
        spec = specs.lens_grid(result, statistic, target, limit)
        notes += [f"Target {token_words(result.targets[target])}."] if statistic.startswith("target") else []
    elif isinstance(result, PatchingResult):
        spec = specs.patching(result, statistic, slice_, limit)
    else:
        spec = specs.ablation(result, statistic, limit)
    if isinstance(result, PatchingResult) and statistic == "recovered":
        notes.append(
            "Share recovered = (patched − corrupted) / (clean − corrupted): 0 is the corrupted run, 1 the clean."
        )
    if slice_ is not None:
        count = result.values.shape[2 if slice_[0] == "position" else 0]
        notes.append(f"One {slice_[0]} of {count} is shown.")
    finite(spec.values, say("picture"))
    if limit is not None and isinstance(spec, specs.Bars):
        raise OptionError(say("This picture is made of bars and has no colour scale to end. Leave the limit out."))
    return spec, *notes, *(_noted(spec) if isinstance(spec, specs.Grid) else ())


def _noted(grid: specs.Grid) -> list[str]:
    note = specs.beyond_note(grid)
    return [note] if note else []


def _laid_out(words, spec, width: float | None):
    from .paper_bars import bars_page, waterfall_page
    from .paper_layout import grid_page
    from .paper_type import Ruler

    lay_out = {specs.Grid: grid_page, specs.Bars: bars_page, specs.Waterfall: waterfall_page}[type(spec)]
    return lay_out(words, spec, Ruler(), width)
