"""Pictures for paper on the page: what is where, in which colour, and that nothing covers anything else."""

import io
import warnings
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from PIL import Image

from resstream_demo.core.receipts import Receipt
from resstream_demo.figures.colours import STOPS, colours, ink_on, rgb
from resstream_demo.figures.paper import picture
from resstream_demo.figures.paper_page import ALARM, Blocks, Line, Page, Text
from resstream_demo.figures.paper_specs import kept_labels, nice_ticks
from resstream_demo.figures.paper_type import ASCENT, DESCENT, Ruler
from tests.figures.paper_results import HOSTILE, MADE, lens_by_hand, make_all, page_of

WIDE = {
    "48 layers, 128 tokens": lambda: lens_by_hand(48, [f"␣tok{n}" for n in range(128)]),
    "300 tokens": lambda: lens_by_hand(3, [f"␣tok{n}" for n in range(300)]),
    "48 layers": lambda: lens_by_hand(48, ["␣the"] * 12, top=HOSTILE),
    "240 layers": lambda: lens_by_hand(240, ["␣the"] * 3),
    "hostile tokens": lambda: lens_by_hand(4, HOSTILE, top=HOSTILE),
}
WIDTHS = [None, 3.0, 5.5, 12.0]


@pytest.fixture(scope="module")
def made():
    return make_all()


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def box(item: Text, ruler: Ruler) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of a line of text."""
    width = ruler.width(item.text, item.size, mono=item.mono, bold=item.bold)
    before = {"left": 0, "center": width / 2, "right": width}[item.align]
    up, down = ASCENT * item.size, DESCENT * item.size
    if item.upward:
        return item.x - up, item.y - (width - before), item.x + down, item.y + before
    return item.x - before, item.y - up, item.x - before + width, item.y + down


def overlapping(page: Page, slack: float = 1.0) -> list:
    ruler = Ruler()
    boxes = [(item.text, *box(item, ruler)) for item in page.texts()]
    return [
        (a[0], b[0])
        for a, b in combinations(boxes, 2)
        if min(a[3], b[3]) - max(a[1], b[1]) > slack and min(a[4], b[4]) - max(a[2], b[2]) > slack
    ]


def outside(page: Page) -> list:
    ruler = Ruler()
    found = []
    for item in page.texts():
        left, top, right, bottom = box(item, ruler)
        if left < 0 or top < 0 or right > page.width + 0.01 or bottom > page.height + 0.01:
            found.append(item.text)
    return found


def grid_blocks(page: Page, count: int) -> Blocks:
    """The cells of a grid."""
    (found,) = [item for item in page.items if isinstance(item, Blocks) and len(item.x) == count]
    return found


def in_order(blocks: Blocks, rows: int, columns: int) -> np.ndarray:
    """Colours [rows, columns, 3] by place on the page, the lowest row first."""
    order = np.lexsort((blocks.x, -blocks.y))
    return blocks.colours[order].reshape(rows, columns, 3)


def drawn_at(result, item: Blocks, page: Page, **options) -> np.ndarray:
    """The colours that a PNG has near the top left corner of blocks, 0 to 1: [n, 3]."""
    scale = 4  # pixels per point
    image = np.asarray(Image.open(io.BytesIO(picture(result, dpi=72 * scale, **options))).convert("RGB")) / 255
    xs, ys = ((start + 0.2 * size) * scale for start, size in ((item.x, item.width), (item.y, item.height)))
    assert abs(image.shape[0] - page.height * scale) < 2 and abs(image.shape[1] - page.width * scale) < 2
    return image[ys.astype(int), xs.astype(int)]


def notes(page: Page) -> str:
    return " ".join(item.text for item in page.texts())


# ---- nothing covers anything else ---------------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", MADE)
def test_texts_lie_on_the_page_and_apart(made, monkeypatch, name, width):
    page = page_of(made[name], monkeypatch, width_inches=width)
    assert outside(page) == [] and overlapping(page) == []
    assert width is None or page.width == width * 72


@pytest.mark.parametrize("width", [None, 7.0])
@pytest.mark.parametrize("name", WIDE)
def test_large_and_hostile_grids_stay_legible(monkeypatch, name, width):
    page = page_of(WIDE[name](), monkeypatch, width_inches=width)
    assert outside(page) == [] and overlapping(page) == []
    assert min(item.size for item in page.texts()) >= 5
    assert max(page.width, page.height) <= 20 * 72


def test_text_in_cells_stays_in_them_and_what_is_cut_is_said(monkeypatch):
    result, ruler = lens_by_hand(4, HOSTILE, top=HOSTILE), Ruler()
    page = page_of(result, monkeypatch)
    cells = grid_blocks(page, result.entropy.size)
    right, bottom = cells.x.max() + cells.width, cells.y.max() + cells.height
    inside = [t for t in page.texts() if cells.x.min() < t.x < right and cells.y.min() < t.y < bottom]
    assert len(inside) == result.entropy.size
    for item in inside:
        left, top, end, low = box(item, ruler)
        column = int((item.x - cells.x.min()) / cells.width)
        start = cells.x.min() + column * cells.width
        assert start <= left and end <= start + cells.width
    assert any(item.text.endswith("…") for item in inside) and "… stands for" in notes(page)
    assert "… stands for" not in notes(page_of(lens_by_hand(4, ["a", "b"]), monkeypatch))


def test_cells_too_small_for_text_have_none_and_that_is_said(monkeypatch):
    result = lens_by_hand(48, [f"␣tok{n}" for n in range(128)], top=["␣inside"])
    page = page_of(result, monkeypatch)
    assert "␣inside" not in notes(page) and "too small for their top tokens" in notes(page)
    assert "␣inside" in notes(page_of(lens_by_hand(48, ["a"] * 12, top=["␣inside"]), monkeypatch))


# ---- depth grows upward, colours mean numbers ---------------------------------------------------------------


@pytest.mark.parametrize("statistic", ["effect", "value"])
def test_heads_have_their_colours_on_the_page_and_in_the_file(made, monkeypatch, statistic):
    result = made["ablation"]
    values = result.effect if statistic == "effect" else result.values
    page = page_of(result, monkeypatch, statistic=statistic)
    cells = grid_blocks(page, values.size)
    bound = abs(values).max()
    expected = colours("diverging", (values / bound + 1) / 2)
    assert np.allclose(in_order(cells, *values.shape), expected, atol=1e-6)
    drawn = drawn_at(result, cells, page, statistic=statistic)
    assert np.allclose(drawn, cells.colours, atol=0.01)


@pytest.mark.parametrize(
    ("statistic", "numbers", "high"),
    [
        ("top_prob", lambda r: r.top_probs[..., 0], 1.0),
        ("entropy", lambda r: r.entropy, None),
        ("kl", lambda r: r.kl_to_final, None),
        ("target_prob", lambda r: r.target_probs[..., 1], 1.0),
        ("target_rank", lambda r: np.log10(1 + r.target_ranks[..., 1]), None),
    ],
)
def test_a_lens_is_coloured_by_what_was_asked_for(made, monkeypatch, statistic, numbers, high):
    result = made["lens"]
    values = numbers(result)
    page = page_of(result, monkeypatch, statistic=statistic, target=1)
    cells = grid_blocks(page, values.size)
    expected = colours("sequential", values / (high or values.max()))
    assert np.allclose(in_order(cells, *values.shape), expected, atol=1e-5)
    assert np.allclose(drawn_at(result, cells, page, statistic=statistic, target=1), cells.colours, atol=0.01)
    shown = result.targets[1].display
    assert (f"of {shown}" in notes(page)) == statistic.startswith("target")


def test_patching_is_coloured_by_share_or_by_number(made, monkeypatch):
    result = made["patching"]
    for statistic, values in (("recovered", result.recovered), ("value", result.values)):
        cells = grid_blocks(page_of(result, monkeypatch, statistic=statistic), values.size)
        expected = colours("diverging", (values / abs(values).max() + 1) / 2)
        assert np.allclose(in_order(cells, *values.shape), expected, atol=1e-5)
    page = page_of(made["patching nothing"], monkeypatch)
    values = made["patching nothing"].values
    assert "recovered" not in notes(page) and grid_blocks(page, values.size).colours.std(0).max() < 1e-6


@pytest.mark.parametrize("options", [{"layer": 1}, {"position": 4}, {"position": -1}, {}])
def test_a_slice_of_heads_and_positions_is_the_one_asked_for(made, monkeypatch, options):
    result = made["patching heads by position"]
    page = page_of(result, monkeypatch, **options)
    strongest = np.unravel_index(abs(result.values - result.corrupted_value).argmax(), result.values.shape)[2]
    position = options.get("position", strongest) % result.values.shape[2]
    part = result.recovered[1] if "layer" in options else result.recovered[:, :, position]
    bound = abs(result.recovered).max()  # of all slices, so that they can be compared
    expected = colours("diverging", (part / bound + 1) / 2)
    assert np.allclose(in_order(grid_blocks(page, part.size), *part.shape), expected, atol=1e-5)
    named = "layer 1" if "layer" in options else f"position {position} ({result.clean.tokens[position]})"
    assert named in notes(page)


def test_rows_and_columns_are_labelled_beside_themselves(made, monkeypatch):
    result = made["lens"]
    page = page_of(result, monkeypatch)
    cells = grid_blocks(page, result.entropy.size)
    places = {t.text: t for t in page.texts() if t.align == "right" and not t.upward}
    for row, label in enumerate(["embed", "L0", "L1", "L2"]):
        middle = cells.y.max() - row * cells.height + cells.height / 2
        assert abs(places[label].y - middle) < cells.height / 2
    numbers = {t.text: t.x for t in page.texts() if t.y > cells.y.max() + cells.height and t.text.isdigit()}
    for t in range(len(result.prompt)):
        assert cells.x.min() + t * cells.width < numbers[str(t)] < cells.x.min() + (t + 1) * cells.width
    assert "position (a cell predicts the next token)" in notes(page)


def test_equal_tokens_keep_their_own_columns(monkeypatch):
    page = page_of(lens_by_hand(2, ["␣the"] * 6), monkeypatch)
    cells = grid_blocks(page, 18)
    below = [t for t in page.texts() if t.text == "␣the" and t.y > cells.y.max() + cells.height]
    assert len({round(t.x) for t in below}) == 6


def test_tokens_that_differ_are_marked(made, monkeypatch):
    text = notes(page_of(made["patching"], monkeypatch))
    assert "≠ ␣Mary" in text and "clean ≠ corrupted" in text
    assert "≠" not in notes(page_of(made["patching nothing"], monkeypatch))


def test_no_number_is_clipped_in_silence(made, monkeypatch):
    result = made["ablation"]
    sizes = np.sort(abs(result.effect).ravel())
    limit = float(sizes[-3:-1].mean())  # two are larger
    page = page_of(result, monkeypatch, limit=limit)
    assert f"2 of {result.effect.size} cells lie beyond the colour scale" in notes(page)
    expected = colours("diverging", np.clip((result.effect / limit + 1) / 2, 0, 1))
    assert np.allclose(in_order(grid_blocks(page, result.effect.size), *result.effect.shape), expected, atol=1e-5)
    assert "beyond" not in notes(page_of(result, monkeypatch))
    ranks = page_of(made["lens"], monkeypatch, statistic="target_rank", limit=1)
    furthest = int(made["lens"].target_ranks[..., 0].max())
    assert f"the furthest is {furthest}." in notes(ranks)


def test_a_failed_check_is_said_in_red(made, monkeypatch):
    failed = Receipt("parts − whole", 0.5, 1e-4, False, "Sum of all rows minus the model's own logit.")
    page = page_of(replace(made["attribution"], receipts=(failed,)), monkeypatch)
    red = " ".join(t.text for t in page.texts() if t.colour == ALARM)
    assert "Check failed: parts − whole is 0.50" in red
    assert not any(t.colour == ALARM for t in page_of(made["attribution"], monkeypatch).texts())


# ---- bars ---------------------------------------------------------------------------------------------------


def single_blocks(page: Page) -> list[Blocks]:
    return [item for item in page.items if isinstance(item, Blocks) and len(item.x) == 1]


def axis_of(page: Page) -> tuple[float, float]:
    """Points per unit, and where zero is, from the ticks that are written under an axis."""
    lowest = max(line.points[0][1] for line in page.items if isinstance(line, Line) and line.width == 0.5 and
                 line.points[0][0] == line.points[1][0] and len(line.points) == 2)  # fmt: skip
    ticks = {}
    for line in page.items:
        if isinstance(line, Line) and len(line.points) == 2 and line.points[0] == (line.points[1][0], lowest):
            (label,) = [t for t in page.texts() if t.align == "center" and abs(t.x - line.points[0][0]) < 0.01 and
                        lowest < t.y < lowest + 12]  # fmt: skip
            ticks[float(label.text.replace("−", "-"))] = label.x
    (a, b), (x, z) = list(ticks)[:2], list(ticks.values())[:2]
    unit = (z - x) / (b - a)
    return unit, x - a * unit


@pytest.mark.parametrize("name", ["attribution", "attribution of one logit"])
def test_a_waterfall_adds_up_from_the_bottom_to_the_total(made, monkeypatch, name):
    result = made[name]
    page = page_of(result, monkeypatch)
    unit, zero = axis_of(page)
    frame = result.frame()
    groups = frame["component"].str.replace(r"H\d+$| attn_bias$", "", regex=True)  # L0H3, L0 attn_bias → L0
    sums = frame.groupby(groups, sort=False)["value"].sum()
    ends = np.cumsum(sums.to_numpy(dtype=np.float64))
    starts = np.concatenate([[0.0], ends[:-1]])
    height = min(block.height for block in single_blocks(page) if block.x[0] > 30)
    bars = [b for b in single_blocks(page) if b.height != 7 and not np.allclose(b.colours, rgb("#f2f4f8"))]
    bars.sort(key=lambda block: -block.y[0])
    assert len(bars) == len(sums) + 1 and height > 0
    expected = [*zip(starts, ends, strict=True), (0.0, result.total)]
    for bar, (start, end) in zip(bars, expected, strict=True):
        assert bar.x[0] == pytest.approx(zero + unit * min(start, end), abs=0.05)
        assert bar.width == pytest.approx(max(0.4, unit * abs(end - start)), abs=0.05)


def test_the_heads_of_a_waterfall_stand_beside_their_layers(made, monkeypatch):
    result = made["attribution"]
    page = page_of(result, monkeypatch)
    cells = grid_blocks(page, result.heads.size)
    expected = colours("diverging", (result.heads / abs(result.heads).max() + 1) / 2)
    assert np.allclose(in_order(cells, *result.heads.shape), expected, atol=1e-5)
    labels = [t for t in page.texts() if t.text == "L1" and t.align == "right"]
    assert len(labels) == 2 and labels[0].y == pytest.approx(labels[1].y)


def test_bars_reach_their_numbers(made, monkeypatch):
    result = made["patching together"]
    page = page_of(result, monkeypatch)
    unit, zero = axis_of(page)
    bars = sorted(single_blocks(page), key=lambda block: -block.y[0])
    for bar, value in zip(bars, result.recovered, strict=True):
        assert bar.x[0] == pytest.approx(zero + unit * min(0, value), abs=0.05)
        assert bar.width == pytest.approx(max(0.4, unit * abs(value)), abs=0.05)
        assert tuple(bar.colours[0]) == rgb(STOPS["diverging"]["light"][7 if value >= 0 else 1])
    joint = notes(page_of(made["ablation together"], monkeypatch))
    assert "untouched" in joint and "without L0H1 L2H3" in joint and "Removed together: L0H1, L2H3" in joint


# ---- colours, ticks, labels ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", STOPS)
def test_colours_are_those_of_the_screen(kind):
    stops = STOPS[kind]["light"]
    at_stops = colours(kind, np.linspace(0, 1, len(stops)))
    assert np.allclose(at_stops, [rgb(stop) for stop in stops])
    between = colours(kind, np.array([0.5 / (len(stops) - 1)]))[0]
    assert np.allclose(between, (np.array(rgb(stops[0])) + rgb(stops[1])) / 2)
    assert kind != "diverging" or np.allclose(colours(kind, np.array(0.5)), rgb(stops[len(stops) // 2]))


@pytest.mark.parametrize("kind", STOPS)
def test_ink_can_be_read_on_every_colour(kind):
    def luminance(colour) -> float:
        linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in colour]
        return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))

    for colour in colours(kind, np.linspace(0, 1, 200)):
        pair = sorted((luminance(colour), luminance(rgb(ink_on(colour)))))
        assert (pair[1] + 0.05) / (pair[0] + 0.05) > 4.2


@pytest.mark.parametrize("low, high", [(0, 1), (-3.2, 3.2), (-1e-6, 2e-6), (0, 12345), (-7, -2), (0.98, 1.02)])
def test_ticks_are_round_and_within(low, high):
    ticks = nice_ticks(low, high, 4)
    assert 2 <= len(ticks) <= 6 and low - 1e-9 * abs(high) <= ticks[0] and ticks[-1] <= high + 1e-9 * abs(high)
    assert np.allclose(np.diff(ticks), ticks[1] - ticks[0])
    step = f"{ticks[1] - ticks[0]:.3e}"
    assert step[:4] in ("1.00", "2.00", "2.50", "5.00")
    assert not low < 0 < high or 0.0 in ticks


def test_one_number_has_one_tick():
    assert nice_ticks(2.0, 2.0, 4) == [2.0]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 48, 49, 300])
@pytest.mark.parametrize("room", [1.0, 2.5, 7.0, 30.0])
def test_labels_that_are_kept_have_room_and_include_both_ends(count, room):
    kept = list(kept_labels(count, room, 7.15))
    assert kept[0] == 0 and (kept[-1] == count - 1 or (count - 1) * room < 7.15)
    assert all((b - a) * room >= 7.15 for a, b in zip(kept, kept[1:], strict=False))
