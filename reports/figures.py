"""Figures on a page: inline SVG that follows the page's colours, and PNG for elsewhere."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from matplotlib.figure import Figure

from analyses import style
from analyses.results import FigureOut

__all__ = ["Rendered", "css_variables", "render"]

_SVG = "{http://www.w3.org/2000/svg}"
_HREF = "{http://www.w3.org/1999/xlink}href"
_NUMBER = re.compile(r"-?\d+\.\d{3,}")
_REFERENCE = re.compile(r"#([A-Za-z][\w.-]*)")
_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_FONT = re.compile(r"font-family:[^;]*;?\s*")
_NAMES = {light: name for name, (light, _) in style.COLOURS.items()}


def css_variables(scheme: int) -> str:
    """Return the house's colours as CSS variables.

    Parameters
    ----------
    scheme : int
        0 light, 1 dark.
    """
    return "".join(f"--{name}:{values[scheme]};" for name, values in style.COLOURS.items())


@dataclass(frozen=True)
class Rendered:
    """A figure as a page and a folder need it: inline SVG, and PNG on white paper."""

    svg: str
    png: bytes


def render(figure: FigureOut, ident: str) -> Rendered:
    """Draw a figure, once for a page's column and once for a phone.

    The page shows one of the two drawings. Colours of the house are variables of the page, so
    that a dark page has a dark figure; text is text, in the page's font. The same figure
    gives the same bytes.

    Parameters
    ----------
    figure : FigureOut
        Title and alternative text become ``title`` and ``desc``.
    ident : str
        Begins every id, so that ids are unique on the page.
    """
    with style.house():
        drawn = figure.draw()
        wide = _svg(figure, drawn, ident, "wide")
        drawn.set_layout_engine("none")  # it has its places by now
        image = io.BytesIO()
        drawn.savefig(image, format="png", dpi=160, metadata={"Software": None})
        with style.narrow():
            narrow = _svg(figure, figure.draw(), ident, "narrow")
    return Rendered(wide + narrow, image.getvalue())


def _svg(figure: FigureOut, drawn: Figure, ident: str, kind: str) -> str:
    ident = f"{ident}-{kind[0]}"
    text = io.StringIO()
    drawn.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    root = ET.fromstring(text.getvalue())
    svg = _tidy(root, ident)
    svg.attrib = {
        "class": kind,
        "viewBox": root.attrib["viewBox"],
        "role": "img",
        "aria-labelledby": f"{ident}-t {ident}-d",
    }
    for place, (tag, mark, words) in enumerate(
        (("title", "t", figure.title), ("desc", "d", figure.alt))
    ):
        element = ET.Element(tag, {"id": f"{ident}-{mark}"})
        element.text = words.replace("`", "")
        svg.insert(place, element)
    return ET.tostring(svg, encoding="unicode")


def _tidy(root: ET.Element, ident: str) -> ET.Element:
    """Return the drawing without what a page does not need, and with ids of its own."""
    used = dict.fromkeys(
        name
        for element in root.iter()
        for value in (
            element.get(_HREF, ""),
            element.get("clip-path", ""),
            element.get("style", ""),
        )
        if "url(" in value or value.startswith("#")
        for name in _REFERENCE.findall(value)
    )
    ids = {old: f"{ident}-{number}" for number, old in enumerate(used)}
    for element in list(root.iter()):
        _drop_useless(element)
        element.attrib = dict(_attributes(element, ids))
        element.tag = element.tag.removeprefix(_SVG)
        element.tail = None
        if element.tag not in ("text", "tspan"):
            element.text = None
    return root


def _drop_useless(element: ET.Element) -> None:
    """Remove metadata, matplotlib's style sheet (the page has it) and invisible backgrounds."""
    for child in list(element):
        invisible = child.tag == f"{_SVG}path" and child.get("style") == "fill: none"
        if child.tag in (f"{_SVG}metadata", f"{_SVG}style") or invisible:
            element.remove(child)


def _attributes(element: ET.Element, ids: dict[str, str]) -> Iterator[tuple[str, str]]:
    css = element.get("style", "")
    for name in ("fill", "stroke"):
        if element.get(name, "").startswith("#"):  # variables work in CSS only
            css = f"{css}; {name}: {element.attrib[name]}".lstrip("; ")
    for name, value in element.attrib.items():
        if name == "id":
            if value in ids:
                yield "id", ids[value]
        elif name == _HREF:
            yield "href", "#" + ids[value[1:]] if value.startswith("#") else value
        elif name == "transform" and value.startswith(("rotate(-0 ", "rotate(0 ")):
            continue
        elif name != "style" and not (name in ("fill", "stroke") and value.startswith("#")):
            yield name, _shorten(_refer(value, ids))
    if css:
        yield "style", _refer(_COLOUR.sub(_variable, _FONT.sub("", css)), ids).strip("; ")


def _variable(match: re.Match[str]) -> str:
    name = _NAMES.get(match.group())
    return f"var(--{name})" if name else match.group()


def _refer(value: str, ids: dict[str, str]) -> str:
    if "url(" not in value:
        return value
    return _REFERENCE.sub(lambda match: "#" + ids.get(match.group(1), match.group(1)), value)


def _shorten(value: str) -> str:
    """Write coordinates to a hundredth of a point and paths on one line."""
    return " ".join(_NUMBER.sub(lambda m: f"{float(m.group()):.2f}", value).split())
