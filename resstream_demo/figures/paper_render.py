"""A page as the bytes of a PNG or SVG file. The same page gives the same bytes.

Nothing here uses pyplot or changes matplotlib's settings: every figure stands alone, so pictures can be made in many
threads at once. In an SVG, text is drawn as outlines: a file that named fonts would look different wherever they are
missing, and few fonts have all the signs that tokens are shown with. No text of a person stays in it as text but in
the title and the description, where it is escaped.
"""

import io
import re

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Text as Label
from matplotlib.transforms import Affine2D

from ..core.errors import OptionError
from ..core.words import say
from ..version import __version__
from .paper_page import WHITE, Blocks, Line, Page, Text
from .paper_type import font

POINTS = 72  # per inch
OVERLAP = 0.6  # points
MAX_PIXELS, MAX_SIDE = 120_000_000, 65_000
SOFTWARE = f"resstream_demo {__version__}"
_COMMENT = re.compile(r"<!--.*?-->\s*", re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")
_DEFINES = re.compile(r'(?<=\sid=")[^"]+(?=")')
_REFERS = re.compile(r'(?<=href="#)[^"]+(?=")|(?<=url\(#)[^)]+(?=\))')


def to_png(page: Page, dpi: int, title: str, description: str) -> bytes:
    """The page at `dpi` dots per inch. Raises OptionError if that would be too large an image."""
    wide, high = (round(side * dpi / POINTS) for side in (page.width, page.height))
    if wide * high > MAX_PIXELS or max(wide, high) > MAX_SIDE:
        raise OptionError(
            say("This picture would have {wide:,} × {high:,} pixels. Choose a lower dpi, or SVG.", wide=wide, high=high)
        )
    file = io.BytesIO()
    metadata = {"Title": title, "Description": description, "Software": SOFTWARE}
    FigureCanvasAgg(_figure(page, dpi)).print_png(file, metadata=metadata)
    return file.getvalue()


def to_svg(page: Page, title: str, description: str) -> bytes:
    """The page as vectors."""
    file = io.BytesIO()
    metadata = {"Title": title, "Description": description, "Creator": SOFTWARE, "Date": None}
    FigureCanvasSVG(_figure(page, POINTS)).print_svg(file, metadata=metadata)
    return _settled(file.getvalue().decode("utf-8")).encode("utf-8")


def _figure(page: Page, dpi: int) -> Figure:
    figure = Figure(
        figsize=(page.width / POINTS, page.height / POINTS),
        dpi=dpi,
        facecolor=WHITE,
        edgecolor=WHITE,
        linewidth=0,
        frameon=True,
        layout="none",
    )
    # Points from the top left corner, down, to pixels from the bottom left one, up.
    turned = Affine2D().scale(1 / POINTS, -1 / POINTS)
    places = turned + Affine2D().translate(0, page.height / POINTS) + figure.dpi_scale_trans
    sizes = turned + figure.dpi_scale_trans
    for order, item in enumerate(page.items):
        artist = _DRAW[type(item)](item, places, sizes)
        artist.set_zorder(order)
        figure.add_artist(artist)
    return figure


def _text(item: Text, places, sizes) -> Label:
    return Label(
        item.x,
        item.y,
        item.text,
        color=item.colour,
        fontproperties=font(item.size, mono=item.mono, bold=item.bold),
        horizontalalignment=item.align,
        verticalalignment="baseline",
        rotation=90 if item.upward else 0,
        rotation_mode="anchor",
        usetex=False,
        parse_math=False,
        antialiased=True,
        transform=places,
    )


def _blocks(item: Blocks, places, sizes) -> PolyCollection:
    overlap = OVERLAP if item.seam is None and len(item.x) > 1 else 0
    w, h = item.width + overlap, item.height + overlap
    colour, width = item.seam or ("none", 0)
    blocks = PolyCollection(
        [[(0, 0), (w, 0), (w, h), (0, h)]],
        offsets=list(zip(item.x, item.y, strict=True)),
        offset_transform=places,
        transform=sizes,
        facecolors=item.colours,
        edgecolors=colour,
        linewidths=width,
        antialiaseds=True,
    )
    if overlap:
        corner = (item.x.min(), item.y.min())
        size = (item.x.max() + item.width - corner[0], item.y.max() + item.height - corner[1])
        blocks.set_clip_path(Rectangle(corner, *size, transform=places))
    return blocks


def _line(item: Line, places, sizes) -> Line2D:
    xs, ys = zip(*item.points, strict=True)
    return Line2D(
        xs,
        ys,
        color=item.colour,
        linewidth=item.width,
        linestyle=(0, (2, 2)) if item.dashed else "-",
        marker="",
        solid_capstyle="butt",
        dash_capstyle="butt",
        antialiased=True,
        transform=places,
    )


_DRAW = {Text: _text, Blocks: _blocks, Line: _line}


def _settled(svg: str) -> str:
    """The SVG without matplotlib's comments, which repeat the texts, and with its random ids numbered in order."""
    svg = _COMMENT.sub("", svg)
    names: dict[str, str] = {}
    for tag in _TAG.findall(svg):
        for found in _DEFINES.findall(tag):
            names.setdefault(found, f"i{len(names)}")

    def renamed(match: re.Match) -> str:
        return names.get(match[0], match[0])

    return _TAG.sub(lambda tag: _REFERS.sub(renamed, _DEFINES.sub(renamed, tag[0])), svg)
