"""The widgets' data: what reaches the browser, and that none of it can be executed on the way."""

from __future__ import annotations

import dataclasses
import json
import math
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import gradio as gr
import numpy as np
import pytest

from resstream_demo.ui import widgets
from resstream_demo.ui.widgets import (
    STOPS,
    Column,
    Curve,
    Curves,
    CurvesData,
    CurvesWords,
    Detail,
    DetailData,
    FrameWords,
    Grid,
    GridData,
    GridTrails,
    GridWords,
    Notice,
    NoticeData,
    Point,
    Receipts,
    ReceiptsData,
    Scale,
    Scatter,
    ScatterData,
    ScatterWords,
    Table,
    Waterfall,
    WaterfallData,
    WaterfallItem,
    WaterfallWords,
    format_error,
    format_number,
    round_significant,
)

COMPONENTS = (Grid, Detail, Receipts, Notice, Curves, Waterfall, Scatter)
DATA = (
    GridData, GridTrails, DetailData, ReceiptsData, NoticeData, Table, Column, Scale, CurvesData, Curve,
    WaterfallData, WaterfallItem, ScatterData, Point, FrameWords, GridWords, CurvesWords, WaterfallWords, ScatterWords,
)  # fmt: skip
HOSTILE = (
    "<b>", "&lt;", "${alert(1)}", "{{x}}", "</script>", "<!--", "%{x}", "|`", "\u2028", "\ud800", "שלום",
    '__i18n__{"key":"common.submit"}',
)  # fmt: skip
STATIC = Path(widgets.__file__).parent / "static"


def grid_data(values=((0.5, -0.25), (1.0, None)), **changes) -> GridData:
    settings = {
        "rows": ["embed", "L0"],
        "columns": ["␣the", "␣the"],
        "values": values,
        "scale": Scale("diverging", "effect"),
    }
    return GridData(**{**settings, **changes})


def trails(columns=(("␣a", (0.5, 0.25)),), keys=((0, 0), (-1, 0))) -> GridTrails:
    """The same trails in both columns of `grid_data()`."""
    return GridTrails([list(columns)] * 2, keys)


def sent(component: gr.HTML, value) -> dict:
    """What the browser reads after `value` went through the component."""
    return json.loads(component.postprocess(value))


# ---- numbers ----


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (0.0, "0"), (-0.0, "0"), (0.5, "0.5000"), (0.0001, "0.0001"), (0.000099, "<0.0001"), (-3e-6, "−<0.0001"),
        (3.14159, "3.142"), (-12.34567, "−12.35"), (123.456, "123.5"), (12345.6, "12346"), (-2.5e7, "−2.500e7"),
        (math.inf, "∞"), (-math.inf, "−∞"), (math.nan, "not a number"), (None, "–"), (50257, "50,257"), (-3, "−3"),
    ],
)  # fmt: skip
def test_numbers_read_as_a_person_would_write_them(x, text):
    assert format_number(x) == text


@pytest.mark.parametrize("digits", [1, 2, 4, 6])
def test_a_non_zero_number_never_reads_as_zero(digits):
    for x in (10.0**-k for k in range(0, 12)):
        for value in (x, -x, 0.49 * x, np.float32(x)):
            assert re.search("[1-9]", format_number(value, digits)), (value, digits)


def test_signed_numbers_carry_a_plus():
    assert [format_number(x, signed=True) for x in (0.5, -0.5, 0.0, 1e-9)] == ["+0.5000", "−0.5000", "0", "+<0.0001"]


def test_errors_keep_their_order_of_magnitude():
    assert [format_error(x) for x in (0, 2.13e-6, -5e-12, 0.12, math.nan)] == [
        "exactly 0", "2.1e−6", "−5.0e−12", "0.12", "not a number",
    ]  # fmt: skip


def test_rounding_keeps_four_significant_figures():
    assert round_significant(0.000123456) == 0.0001235
    assert round_significant(-98765.4) == -98770.0
    assert round_significant(None) is None
    assert json.dumps(round_significant(np.float32(0.1))) == "0.1"


@pytest.mark.parametrize("x", [math.nan, math.inf, -math.inf])
def test_rounding_refuses_what_cannot_be_drawn(x):
    with pytest.raises(ValueError, match="cannot be drawn"):
        round_significant(x)


# ---- scales ----


def test_a_diverging_scale_is_symmetric_about_zero():
    assert Scale("diverging", "x").ends([-1, 3, None]) == (-3, 3)
    assert Scale("diverging", "x", low=-5).ends([-1, 3]) == (-5, 5)
    assert Scale("diverging", "x", low=-1, high=2).payload([0])["ticks"] == ["−2", "0", "+2"]


def test_a_sequential_scale_starts_at_zero_unless_told():
    assert Scale("sequential", "p").ends([0.2, 0.4]) == (0.0, 0.4)
    assert Scale("sequential", "p", low=0.1, high=1).ends([0.2]) == (0.1, 1.0)


@pytest.mark.parametrize("kind", ["diverging", "sequential"])
def test_scales_survive_empty_and_constant_values(kind):
    for values in ([], [None], [0.0, 0.0]):
        legend = Scale(kind, "x").payload(values)
        assert (legend["low"], legend["high"], legend["ticks"], legend["beyond"]) == (0, 0, ["0"], 0)


def test_clipping_is_counted_and_the_extreme_value_is_not_clipped():
    assert Scale("sequential", "p", high=0.5).payload([0.1, 0.6, 0.7, None])["beyond"] == 2
    assert Scale("sequential", "p").payload([0.1, 3.89964])["beyond"] == 0


def test_the_colours_order_by_lightness_in_both_themes():
    def lightness(colour):
        return sum(w * int(colour[i : i + 2], 16) for w, i in ((0.2126, 1), (0.7152, 3), (0.0722, 5)))

    for theme, direction in (("light", -1), ("dark", 1)):
        steps = np.diff([lightness(c) for c in STOPS["sequential"][theme]]) * direction
        assert (steps > 0).all()
        away = [lightness(c) for c in STOPS["diverging"][theme]]
        middle = len(away) // 2
        assert (np.diff(away[middle:]) * direction > 0).all()
        assert (np.diff(away[: middle + 1]) * direction < 0).all()


def test_an_unknown_scale_is_refused():
    with pytest.raises(ValueError, match="jet"):
        Scale("jet", "x")


# ---- grid ----


def test_equal_tokens_stay_two_columns_and_missing_values_stay_missing():
    payload = grid_data(reasons="not computed").payload()
    assert payload["columns"] == ["␣the", "␣the"]
    assert payload["values"] == [[0.5, -0.25], [1.0, None]]
    assert payload["shown"] == [["+0.5000", "−0.2500"], ["+1.000", "–"]]
    assert payload["reasons"] == "not computed"


def test_a_grid_takes_arrays_and_sends_short_numbers():
    array = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3) / 3
    payload = grid_data(array, columns=["a", "b", "c"], column_numbers=np.arange(3)).payload()
    text = json.dumps(payload["values"])
    assert max(len(n) for n in re.findall(r"\d+\.(\d+)", text)) <= 5
    assert payload["numbers"] == [0, 1, 2]


def test_a_nan_is_an_error_naming_its_cell_never_a_blank():
    with pytest.raises(ValueError, match=r"row 'L0', column 1 \('␣the'\) is nan"):
        grid_data([[0, 0], [0, math.nan]]).payload()


@pytest.mark.parametrize(
    "changes",
    [
        {"values": [[1, 2]]}, {"values": [[1, 2], [1]]}, {"text": [["a", "b"]]}, {"hover": [[[]], [[]]]},
        {"reasons": [["x"]]}, {"column_numbers": [0]}, {"column_marks": ["", "", ""]},
    ],
)  # fmt: skip
def test_shapes_that_do_not_match_are_refused(changes):
    with pytest.raises(ValueError, match=next(iter(changes))):
        grid_data(**changes)


def test_hover_lines_are_sentences_or_pairs():
    hover = [[["one", ("␣a", "0.1")], []], [[], []]]
    assert grid_data(hover=hover).payload()["hover"][0][0] == ["one", ["␣a", "0.1"]]


# ---- the other widgets ----


def test_bars_are_shares_of_the_largest_magnitude():
    table = Table([Column("name"), Column("writes", "signed")], [("a", 2.0), ("b", -4.0), ("c", 0), ("d", None)])
    cells = [row[1] for row in table.payload()["rows"]]
    assert cells == [["+2.000", 0.5], ["−4.000", -1.0], ["0", 0.0], ["–", None]]


def test_a_bar_with_a_maximum_never_leaves_its_track():
    table = Table([Column("p", "bar", maximum=0.5)], [(0.25,), (0.75,)])
    assert [row[0][1] for row in table.payload()["rows"]] == [0.5, 1.0]


def test_a_table_row_of_the_wrong_length_is_refused():
    with pytest.raises(ValueError, match="Row 1 has 1 cells for 2 columns"):
        Table([Column("a"), Column("b")], [("x", "y"), ("z",)])


def test_detail_formats_numbers_and_leaves_text_alone():
    data = DetailData("T", facts=[("p", 1e-9), ("token", "␣a"), ("rank", 3)], notes=["n"])
    assert data.payload()["facts"] == [["p", "<0.0001"], ["token", "␣a"], ["rank", "3"]]


def test_a_failed_receipt_says_so_even_when_it_is_not_a_number():
    receipt = SimpleNamespace(name="sum", value=math.nan, tolerance=1e-4, ok=False, detail="d")
    payload = sent(Receipts(), [receipt])
    assert payload["receipts"][0] == {
        "name": "sum", "value": "not a number", "tolerance": "1.0e−4", "ok": False, "detail": "d",
    }  # fmt: skip
    assert payload["words"]["bad"] == "out of tolerance"
    assert sent(Receipts(), ReceiptsData((receipt,))) == payload


def test_notices_come_alone_or_in_numbers_and_name_their_kind():
    one = NoticeData("error", "T", ["do this"], part="x")
    assert sent(Notice(), one) == sent(Notice(), [one])
    assert [n["kindWord"] for n in sent(Notice(), [one, NoticeData("warning", "W")])["notices"]] == ["Error", "Warning"]
    with pytest.raises(ValueError, match="fatal"):
        NoticeData("fatal", "T")


# ---- what all widgets promise ----


@pytest.mark.parametrize("cls", DATA)
def test_data_classes_are_frozen(cls):
    assert dataclasses.is_dataclass(cls) and cls.__dataclass_params__.frozen


def hostile_values(text: str) -> dict[type, object]:
    receipt = SimpleNamespace(name=text, value=0.0, tolerance=1.0, ok=True, detail=text)
    table = Table([Column(text, "token")], [(text,)], caption=text)
    return {
        Grid: grid_data(
            columns=[text] * 2,
            title=text,
            text=[[text] * 2] * 2,
            hover=[[[text]] * 2] * 2,
            reasons=text,
            trails=trails([(text, (0.5, 0.25))]),
        ),
        Detail: DetailData(text, text, [(text, text)], [table], [text]),
        Receipts: [receipt],
        Notice: NoticeData("error", text, [text], part=text),
        Curves: CurvesData([text, text], [Curve(text, [0.1, None])], text, text, text),
        Waterfall: WaterfallData([WaterfallItem(text, 1.0, hover=[text])], [(text, 1.0)], text, text),
        Scatter: ScatterData([Point(text, 1.0, 2.0, True, [(text, text)])], text, text, text, text, text, text),
    }


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("cls", COMPONENTS)
def test_hostile_text_travels_as_inert_text_and_arrives_unchanged(cls, text):
    value = cls().postprocess(hostile_values(text)[cls])
    assert value.isascii() and not re.search("[<>&]|__i18n__", value)

    def strings(node):
        if isinstance(node, str):
            yield node
        elif isinstance(node, (list, dict)):
            for child in node.values() if isinstance(node, dict) else node:
                yield from strings(child)

    assert text in set(strings(json.loads(value)))


@pytest.mark.parametrize("cls", COMPONENTS)
def test_templates_are_the_same_whatever_the_data(cls):
    config = cls(hostile_values("${alert(1)}{{x}}")[cls], label="a").get_config()
    assert config["html_template"] == '<div class="rs-root"></div>'
    assert config["css_template"] == cls().css_template and config["js_on_load"] == cls().js_on_load
    # The style sheet passes through two template engines and must mean nothing to either.
    assert not re.search(r"\$\{|\{\{|`|\\", config["css_template"])


def test_scripts_put_text_on_the_page_only_as_text():
    scripts = sorted(STATIC.glob("*.js"))
    assert len(scripts) >= 6
    for path in scripts:
        source = path.read_text(encoding="utf-8").replace('"http://www.w3.org/2000/svg"', "")  # a name, never asked for
        forbidden = r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function|fetch\(|https?:"
        assert not re.search(forbidden, source), path.name


@pytest.mark.parametrize("cls", COMPONENTS)
def test_no_value_shows_the_empty_sentence(cls):
    assert sent(cls(empty="Press Run."), None) == {"empty": "Press Run."}
    assert json.loads(cls(empty="Press Run.").value) == {"empty": "Press Run."}


@pytest.mark.parametrize("cls", COMPONENTS)
def test_an_encoded_value_survives_the_round_trip_through_flags_and_the_api(cls):
    component = cls()
    value = component.postprocess(hostile_values("<b>")[cls])
    assert component.postprocess(component.read_from_flag(value)) == value
    assert component.preprocess(value) == json.loads(value)
    assert component.preprocess("") is None
    assert component.api_info()["type"] == "string"
    assert json.loads(component.example_payload()) == {"empty": ""}


@pytest.mark.parametrize("cls", COMPONENTS)
def test_data_of_another_kind_is_refused(cls):
    with pytest.raises(TypeError, match=cls.__name__):
        cls().postprocess(SimpleNamespace(payload=dict))


def test_marks_travel_without_the_value():
    grid = Grid(grid_data())
    update = grid.mark(selected=(3, 4), stale=True)
    assert "value" not in update
    assert {k: update["marks"][k] for k in ("selected", "stale")} == {"selected": [3, 4], "stale": True}
    chosen = grid.mark(chosen=[(9, 1), (np.int64(2), 3)])["marks"]
    assert json.dumps(chosen["chosen"]) == "[[2, 3], [9, 1]]" and "selected" not in chosen
    assert grid.mark(chosen=None)["marks"]["chosen"] == grid.show(None, chosen=())["marks"]["chosen"] == []
    assert grid.show(grid_data())["marks"]["stale"] is False
    assert grid.mark(selected=None)["marks"]["selected"] is None
    assert not {"selected", "stale", "chosen"} & grid.mark()["marks"].keys(), "what is not named stays as it is"
    assert grid.mark()["marks"] != grid.mark()["marks"], "a repeated mark must still reach the browser"


def test_select_reaches_python():
    def on_select(event: gr.SelectData):
        return str(event.index)

    with gr.Blocks() as demo:
        grid, out = Grid(grid_data()), gr.Textbox()
        grid.select(on_select, outputs=out)
    assert [target for fn in demo.fns.values() for target in fn.targets] == [(grid._id, "select")]


def test_importing_the_widgets_writes_no_stub_files():
    package = Path(widgets.__file__).parent
    subprocess.run([sys.executable, "-c", "import resstream_demo.ui.widgets"], check=True, cwd=package.parents[2])
    assert not list(package.glob("*.pyi"))
