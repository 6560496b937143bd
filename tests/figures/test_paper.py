"""Pictures for paper as files: they are whole, say how they were made, share nothing, and draw text literally."""

import io
import re
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from xml.etree import ElementTree

import matplotlib
import pytest
from matplotlib.font_manager import FontProperties, findfont, get_font
from PIL import Image

from resstream_demo import __version__
from resstream_demo.core.errors import MetricError, OptionError
from resstream_demo.figures import paper_render
from resstream_demo.figures.paper import picture
from resstream_demo.figures.paper_page import Page
from resstream_demo.figures.paper_type import families, font, literal
from tests.figures.paper_results import HOSTILE, MADE, lens_by_hand, make_all, page_of


@pytest.fixture(scope="module")
def made():
    return make_all()


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def notes(page: Page) -> str:
    return " ".join(item.text for item in page.texts())


# ---- files --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MADE)
def test_a_png_has_the_size_asked_for(made, name):
    small, large = (Image.open(io.BytesIO(picture(made[name], dpi=dpi))) for dpi in (50, 100))
    assert small.format == "PNG" and all(abs(2 * a - b) <= 2 for a, b in zip(small.size, large.size, strict=True))
    given = Image.open(io.BytesIO(picture(made[name], dpi=100, width_inches=6)))
    assert given.size[0] == 600
    assert given.convert("RGB").getpixel((0, 0)) == (255, 255, 255)


@pytest.mark.parametrize("name", MADE)
def test_an_svg_is_drawn_in_outlines_and_asks_for_nothing(made, name):
    text = picture(made[name], format="svg").decode("utf-8")
    root = ElementTree.fromstring(text)
    tags = {element.tag.split("}")[1] for element in root.iter()}
    assert "path" in tags and not tags & {"text", "image", "script", "foreignObject"}
    assert "<!--" not in text
    for reference in re.findall(r'href="([^"]*)"', text) + re.findall(r"url\(([^)]*)\)", text):
        assert reference.startswith("#") and f'id="{reference[1:]}"' in text


@pytest.mark.parametrize("format", ["png", "svg"])
def test_the_file_says_how_it_was_made(made, format):
    for name, result in made.items():
        file = picture(result, format=format)
        if format == "png":
            facts = Image.open(io.BytesIO(file)).text
            description, maker = facts["Description"], facts["Software"]
        else:
            dublin = "{http://purl.org/dc/elements/1.1/}"
            root = ElementTree.fromstring(file)
            description = root.find(f".//{dublin}description").text
            maker = root.find(f".//{dublin}creator//{dublin}title").text
            assert root.find(f".//{dublin}date") is None
        assert maker == f"resstream_demo {__version__}"
        prompts = [getattr(result, field) for field in ("prompt", "clean", "corrupted") if hasattr(result, field)]
        for fact in ("plain", "abc123", "float32", __version__, *(p.text.strip() for p in prompts), "Not shown"):
            assert fact in description, name
        assert ("BOS in front" in description) == result.info.bos or name == "lens of one token"


def test_a_long_prompt_is_shortened_on_the_page_only(monkeypatch):
    words = " ".join(f"word{n}" for n in range(500))
    result = lens_by_hand(2, ["a", "b"], prompt=words)
    page = page_of(result, monkeypatch)
    assert "word499" not in notes(page) and "more characters" in notes(page)
    assert "word499" in Image.open(io.BytesIO(picture(result))).text["Description"]


# ---- the same every time, and alone -------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["png", "svg"])
def test_many_threads_get_the_bytes_that_one_gets(made, format):
    one_by_one = [picture(result, format=format, dpi=60) for result in made.values()]
    settings = dict(matplotlib.rcParams)
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(lambda result: picture(result, format=format, dpi=60), list(made.values()) * 3))
    assert together == one_by_one * 3
    assert dict(matplotlib.rcParams) == settings


def test_a_notebooks_settings_do_not_show(made):
    style = {"axes.facecolor": "black", "text.color": "red", "font.size": 30, "savefig.bbox": "tight",
             "figure.facecolor": "black", "font.family": "serif", "font.weight": "bold", "svg.hashsalt": "x",
             "lines.linewidth": 9, "text.usetex": True, "text.parse_math": True, "figure.dpi": 33}  # fmt: skip
    plain = [picture(made["lens"], format=format) for format in ("png", "svg")]
    with matplotlib.rc_context(style):
        assert [picture(made["lens"], format=format) for format in ("png", "svg")] == plain


def test_pyplot_is_never_imported_and_matplotlib_only_when_needed():
    program = (
        "import sys\nfrom resstream_demo.figures import paper, colours, reproduce\n"
        "assert 'matplotlib' not in sys.modules\n"
        "from tests.figures.test_paper import lens_by_hand\n"
        "paper.picture(lens_by_hand(2, ['a', 'b']), format='svg'); paper.picture(lens_by_hand(2, ['a', 'b']))\n"
        "assert 'matplotlib.figure' in sys.modules and 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


# ---- hostile text -------------------------------------------------------------------------------------------


def test_hostile_tokens_are_drawn_literally(monkeypatch):
    result = lens_by_hand(len(HOSTILE), HOSTILE, top=HOSTILE, prompt=" ".join(HOSTILE))
    page = page_of(result, monkeypatch)
    drawn = [item.text for item in page.texts()]
    for token in HOSTILE:
        shown = literal(token)
        assert any(text == shown or text.endswith("…") and shown.startswith(text[:-1]) for text in drawn), token
    figure = paper_render._figure(page, 72)
    labels = [artist for artist in figure.get_children() if isinstance(artist, matplotlib.text.Text)]
    assert [label.get_text() for label in labels] == drawn
    assert not any(label.get_parse_math() or label.get_usetex() for label in labels)


def test_hostile_text_stays_text_in_the_files():
    result = lens_by_hand(2, HOSTILE, top=HOSTILE, prompt=" ".join(HOSTILE))
    result = replace(result, info=replace(result.info, model="m</title><script>alert(1)</script>"))
    root = ElementTree.fromstring(picture(result, format="svg"))
    assert not [e.tag for e in root.iter() if e.tag.endswith("}script")]
    (description,) = [e.text for e in root.iter() if e.tag.endswith("description")]
    known = [token for token in HOSTILE if token.isprintable()]  # by this Python; the rest is written by its code
    assert len(known) > 30 and " ".join(known).replace("◌́", "◌◌́") in description
    image = Image.open(io.BytesIO(picture(result, dpi=40)))
    assert image.text["Description"] == description


@pytest.mark.parametrize(
    "text", ["\x00\x1b[31m", "\ud800", "\ufffe\uffff", "a\u202eb\u2028c", "x\r\ny\tz\n", "  two  "]
)
def test_characters_that_no_file_can_hold_are_named(text):
    result = lens_by_hand(1, ["a", text], top=[text], prompt=text)
    root = ElementTree.fromstring(picture(result, format="svg"))
    (description,) = [e.text for e in root.iter() if e.tag.endswith("description")]
    assert all(char.isprintable() or char == "\n" for char in description)
    picture(result, dpi=40)


def test_what_no_font_has_is_written_by_its_code():
    assert literal("ab $ 中") == "ab $ 中" or not families(False)[2:]
    assert literal("a\u0378\n") == "a⟨U+0378⟩⟨U+000A⟩"
    for char in literal("".join(HOSTILE)):
        fonts = [findfont(FontProperties(family=[name])) for name in font(7).get_family()]
        assert any(get_font(path).get_char_index(ord(char)) for path in fonts), char


# ---- what cannot be drawn -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("lens", {"format": "pdf"}, "format 'pdf'.*png, svg"),
        ("lens", {"statistic": "recovered"}, "statistic 'recovered'.*entropy"),
        ("lens", {"statistic": "target_rank", "target": 2}, "no target 2.*0–1"),
        ("lens", {"statistic": "target_rank", "target": True}, "no target True"),
        ("lens of two sites", {"statistic": "target_prob"}, "followed no target"),
        ("lens", {"position": 3}, "Only patched heads"),
        ("lens", {"dpi": 0}, "dpi.*30 to 1200"),
        ("lens", {"dpi": "200"}, "dpi"),
        ("lens", {"dpi": float("nan")}, "dpi"),
        ("lens", {"width_inches": 1000}, "3 to 60 inches"),
        ("lens", {"width_inches": 60, "dpi": 1200}, "pixels.*SVG"),
        ("lens", {"limit": 0}, "above 0"),
        ("patching together", {"limit": 1}, "made of bars"),
        ("attribution", {"statistic": "value"}, "Choose one of: logits"),
        ("patching heads by position", {"position": 99}, "no position 99"),
        ("patching heads by position", {"layer": 3}, "no layer 3.*0–2"),
        ("patching heads by position", {"layer": 1.0}, "no layer 1.0"),
        ("patching heads by position", {"layer": 0, "position": 0}, "one layer or one position"),
    ],
)
def test_impossible_pictures_are_refused_in_a_sentence(made, name, options, says):
    with pytest.raises(OptionError, match=says):
        picture(made[name], **options)


def test_shares_of_nothing_and_numbers_that_are_none_are_refused(made):
    with pytest.raises(MetricError, match="same logprob"):
        picture(made["patching nothing"], statistic="recovered")
    broken = made["ablation"].values.copy()
    broken[1, 2] = float("nan")
    with pytest.raises(MetricError, match="not finite"):
        picture(replace(made["ablation"], values=broken))
    with pytest.raises(OptionError, match="no picture of a dict"):
        picture({})


def test_too_many_columns_for_the_width_are_refused():
    with pytest.raises(OptionError, match="300 columns needs more width"):
        picture(lens_by_hand(2, ["a"] * 300), width_inches=3)
