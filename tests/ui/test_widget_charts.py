"""The drawn charts' data: axes, lines, running sums and dots, as they reach the browser."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from resstream_demo.ui import widgets
from resstream_demo.ui.widgets import (
    Curve,
    Curves,
    CurvesData,
    Detail,
    Grid,
    Point,
    Scatter,
    ScatterData,
    Waterfall,
    WaterfallData,
    WaterfallItem,
)
from resstream_demo.ui.widgets.axis import linear_axis, rank_axis
from resstream_demo.ui.widgets.base import script
from resstream_demo.ui.widgets.format import fixed

STATIC = Path(widgets.__file__).parent / "static"


def texts(axis) -> list[str]:
    return [text for _, text in axis.payload()["ticks"]]


# ---- axes ----


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([0.93], ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]), ([-1.4, 1.9], ["−2", "−1", "0", "1", "2"]),
        ([12_345], ["0", "2,500", "5,000", "7,500", "10,000", "12,500"]),
        ([0.0], ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        ([-0.3], ["−0.3", "−0.2", "−0.1", "0"]),
        ([3e-7], ["0", "1.0e−7", "2.0e−7", "3.0e−7"]),
    ],
)  # fmt: skip
def test_ticks_are_round_and_written_out(values, ticks):
    assert texts(linear_axis(values)) == ticks


@pytest.mark.parametrize("size", [1e-9, 0.003, 0.7, 1.0, 4.4, 26.0, 1e5])
def test_an_axis_holds_all_values_and_zero_and_few_ticks(size):
    values = [-0.4 * size, 0.1 * size, size]
    axis = linear_axis(values)
    assert axis.low <= min(values) and axis.high >= max(values)
    assert 3 <= len(axis.ticks()) <= 8
    shares = [axis.share(v) for v in (axis.low, *values, axis.high)]
    assert shares == sorted(shares) and (shares[0], shares[-1]) == (0, 1)
    assert axis.payload()["zero"] == pytest.approx(-axis.low / (axis.high - axis.low), abs=1e-4)


def test_ends_that_are_asked_for_are_kept_unless_a_value_lies_beyond():
    assert (linear_axis([0.2], high=1).low, linear_axis([0.2], high=1).high) == (0, 1)
    assert linear_axis([1.2], high=1).high >= 1.2
    tight = linear_axis([-0.37, 4.43], tight=True)
    assert (tight.low, tight.high) == (-0.37, 4.43) and texts(tight) == ["0", "1", "2", "3", "4"]


def test_the_first_place_is_at_the_end_of_a_rank_axis():
    axis = rank_axis([1, 50_257])
    assert (axis.share(1), axis.share(50_257)) == (1, 0)
    assert axis.share(10) - axis.share(100) == pytest.approx(axis.share(100) - axis.share(1000), abs=2e-4)
    assert texts(axis) == ["1", "10", "100", "1,000", "10,000"] and axis.payload()["zero"] is None
    assert texts(rank_axis([1, 1])) == ["1", "10"]


def test_small_numbers_never_read_as_zero():
    assert [fixed(x, 2) for x in (0, 0.004, -0.004, 0.006, -1.234, 1234.5)] == [
        "0", "+<0.01", "−<0.01", "+0.01", "−1.23", "+1,234.50",
    ]  # fmt: skip


# ---- curves ----


def curves(**changes) -> CurvesData:
    settings = {"x": ["embed", "L0", "L1"], "series": [Curve("␣a", [None, 0.25, 1e-9])], "y_label": "probability"}
    return CurvesData(**{**settings, **changes})


def test_a_line_is_sent_as_places_and_text():
    sent = curves(high=1, series=[Curve("␣a", [None, 0.25, 1e-9]), Curve("␣a", [0, 1, 1], group=True)]).payload()
    first, second = sent["series"]
    assert (first["at"], first["shown"]) == ([None, 0.25, 0.0], ["–", "0.2500", "<0.0001"])
    assert (second["name"], second["group"], second["at"]) == ("␣a", True, [0, 1, 1])


def test_places_are_counted_from_one_with_the_first_on_top():
    sent = curves(scale="rank", series=[Curve("␣a", np.array([100.0, 10.0, 1.0]))]).payload()
    assert sent["series"][0]["at"] == [0, 0.5, 1] and sent["series"][0]["shown"] == ["100", "10", "1"]
    with pytest.raises(ValueError, match="'␣a' at 'L1' is 0; places are counted from 1"):
        curves(scale="rank", series=[Curve("␣a", [3, 2, 0])])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"series": [Curve("␣a", [0, 1])]}, "'␣a' has 2 values for 3 x"), ({"scale": "log2"}, "'log2'"),
        ({"series": [Curve("␣a", [0, 1, math.nan])]}, "of '␣a' at 'L1' is nan"),
        ({"x": [], "series": []}, "at least one x"),
        ({"series": [Curve("␣a", [0, math.inf, 0])]}, "at 'L0' is inf"),
    ],
)  # fmt: skip
def test_lines_that_cannot_be_drawn_are_refused(changes, words):
    with pytest.raises(ValueError, match=words):
        curves(**changes)


def test_no_line_at_all_is_a_chart_that_says_so():
    sent = curves(series=[]).payload()
    assert sent["series"] == [] and sent["words"]["none"]


# ---- waterfall ----


def waterfall(*values: float, **changes) -> WaterfallData:
    return WaterfallData([WaterfallItem(f"p{i}", v) for i, v in enumerate(values)], **changes)


def test_every_bar_starts_where_the_one_below_it_ended():
    sent = waterfall(1.0, -0.25, 2.0, totals=[("sum", 2.75)]).payload()
    bars = sent["items"]
    assert bars[0]["from"] == sent["axis"]["zero"] == 0
    assert [bar["to"] for bar in bars[:-1]] == [bar["from"] for bar in bars[1:]]
    assert bars[-1]["to"] == sent["totals"][0]["to"] == 1 and sent["totals"][0]["from"] == 0
    assert [bar["minus"] for bar in bars] == [False, True, False]
    assert [(bar["before"], bar["after"]) for bar in bars] == [
        ("0", "+1.000"),
        ("+1.000", "+0.7500"),
        ("+0.7500", "+2.750"),
    ]
    assert [bar["short"] for bar in bars] == ["+1.00", "−0.25", "+2.00"]


def test_a_sum_that_goes_below_zero_moves_the_zero_line():
    sent = waterfall(-3.0, 4.0).payload()
    assert sent["axis"]["zero"] == 0.75 and [bar["to"] for bar in sent["items"]] == [0, 1]


def test_parts_that_cannot_be_drawn_are_refused():
    with pytest.raises(ValueError, match="of 'p1' is nan"):
        waterfall(1.0, math.nan)
    with pytest.raises(ValueError, match="of 'sum' is inf"):
        waterfall(1.0, totals=[("sum", math.inf)])
    with pytest.raises(ValueError, match="'head' of 'x'.*'attention'"):
        WaterfallData([WaterfallItem("x", 1.0, "head")])


# ---- scatter ----


def test_both_axes_of_a_scatter_have_one_scale():
    sent = ScatterData([Point("L0H0", 2.0, -0.5), Point("L0H1", 0.5, 0.5)], "x", "y").payload()
    assert [point["at"] for point in sent["points"]][1][0] == sent["points"][1]["at"][1], "x = y lies on the diagonal"
    assert sent["points"][0]["shown"] == ["+2.000", "−0.5000"]
    assert sent["axis"]["zero"] == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("x", "y", "words"), [(math.nan, 0, "x of 'L1H2' is nan"), (0, -math.inf, "y of 'L1H2' is -inf")]
)
def test_dots_that_cannot_be_drawn_are_refused(x, y, words):
    with pytest.raises(ValueError, match=words):
        ScatterData([Point("L1H2", x, y)], "x", "y")


# ---- what their scripts and styles promise ----


@pytest.mark.parametrize("cls", [Grid, Detail, Curves, Waterfall, Scatter])
def test_no_name_of_a_script_is_given_twice(cls):
    names = re.findall(r"^(?:function|const|let)\s+(\w+)", script(*cls.SCRIPTS), re.MULTILINE)
    assert len(names) > 8 and sorted(names) == sorted(set(names))


@pytest.mark.parametrize("path", sorted(STATIC.iterdir()), ids=lambda path: path.name)
def test_static_files_stay_short(path):
    assert len(path.read_text("utf-8").splitlines()) < 450


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * p for weight, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize(("place", "background"), [(0, "#ffffff"), (1, "#1e293b")])
def test_lines_stand_out_from_the_page_in_both_themes(place, background):
    sheet = (STATIC / "chart.css").read_text("utf-8").split(".dark &")[place]
    colours = re.findall(r"--rs-colour-\d: (#[0-9a-f]{6})", sheet)
    assert len(set(colours)) == 8
    for colour in colours:
        light, dark = sorted((luminance(colour), luminance(background)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, colour


def test_neighbouring_lines_differ_by_dash_and_by_marker():
    source = (STATIC / "curves_parts.js").read_text("utf-8")
    dashes = re.findall(r'"([^"]*)"', re.search(r"const DASHES = \[(.*?)\]", source).group(1))
    markers = re.findall(r'"(\w+)"', re.search(r"const MARKERS = \[(.*?)\]", source).group(1))
    pairs = [(dashes[n % len(dashes)], markers[n % len(markers)]) for n in range(24)]
    assert len(set(dashes)) == len(dashes) == 8 and len(set(pairs)) == 24
