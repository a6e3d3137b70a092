"""The house style, and figures on a page."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest

from analyses import style
from analyses.results import FigureOut
from reports import figures
from tests.reports import made_up

EVERY = [*made_up.endings().figures, *made_up.lengths().figures]


def drawings(figure: FigureOut) -> list[ET.Element]:
    return list(ET.fromstring(f"<p>{figures.render(figure, 'f').svg}</p>"))


@pytest.mark.parametrize("figure", EVERY, ids=lambda figure: figure.key)
def test_inline_svg(figure: FigureOut) -> None:
    text = figures.render(figure, "f").svg
    wide, narrow = drawings(figure)
    assert (wide.get("class"), narrow.get("class")) == ("wide", "narrow")
    for svg in (wide, narrow):
        assert svg[0].text == figure.title
        assert svg[1].text == figure.alt
        assert svg.findall(".//text")
    assert not re.search("font-family|xmlns|metadata|<style|https?:", text)
    # every colour is a variable of the page
    assert not re.search(r"#[0-9a-f]{6}\b", re.sub(r"url\(#[^)]*\)|href=\"#[^\"]*\"", "", text))
    ids = re.findall(r'id="([^"]*)"', text)
    assert len(ids) == len(set(ids))
    assert all(name.startswith("f-") for name in ids)
    used = re.findall(r'url\(#([^)]*)\)|href="#([^"]*)"', text)
    assert {name for pair in used for name in pair if name} <= set(ids)
    assert figures.render(figure, "f") == figures.render(figure, "f")


def test_narrow_figures_fit_a_phone() -> None:
    for figure in EVERY:
        wide, narrow = (float(svg.attrib["viewBox"].split()[2]) for svg in drawings(figure))
        assert narrow == pytest.approx(style.NARROW * 72, abs=1)
        assert wide == pytest.approx(style.WIDE * 72, abs=1)


def test_settings_outside_are_left_alone() -> None:
    before = dict(mpl.rcParams)
    EVERY[0].draw()
    figures.render(EVERY[0], "f")
    assert dict(mpl.rcParams) == before


def test_series_differ_without_colour() -> None:
    for of in ("marker", "dashes", "hatch"):
        assert len({getattr(series, of) for series in style.SERIES}) == len(style.SERIES)


def test_panels_are_rows_of_equal_length() -> None:
    for count, rows in ((1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 2)):
        fig, axes = style.panels(count)
        assert len(axes) == count
        assert fig.axes == axes
        assert axes[0].get_subplotspec().get_gridspec().nrows == rows
    with style.narrow():
        fig, _ = style.panels(4)
    assert fig.get_figwidth() == style.NARROW


def test_finish_gathers_legends_and_lifts_the_label() -> None:
    fig, axes = style.panels(2)
    for place, ax in enumerate(axes):
        ax.plot([1, 2], [1, 2], label="one", **style.line(0))
        ax.plot([1, 2], [2, 1], label="two", **style.line(1))
        if place:
            ax.legend(title="policy")
    axes[0].set_ylabel("share")
    style.finish(fig)
    assert [text.get_text() for text in fig.legends[0].get_texts()] == ["one", "two"]
    assert fig.legends[0].get_title().get_text() == "policy"
    assert axes[0].get_ylabel() == ""
    assert axes[0].get_title(loc="left") == "share"
    assert axes[1].get_legend() is None


def test_numbers_on_axes() -> None:
    _, ax = style.figure()
    style.percent(ax.yaxis)
    style.thousands(ax.xaxis)
    assert ax.yaxis.get_major_formatter()(0.35, 0) == "35\u00a0%"
    assert ax.yaxis.get_major_formatter()(-0.025, 0) == "−2.5\u00a0%"
    assert ax.xaxis.get_major_formatter()(250_000, 0) == "250,000"


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", [0, 1])
def test_contrast_with_the_paper(scheme: int) -> None:
    paper = luminance(style.COLOURS["paper"][scheme])
    for name, values in style.COLOURS.items():
        if name in ("paper", "grid"):
            continue
        low, high = sorted([paper, luminance(values[scheme])])
        assert (high + 0.05) / (low + 0.05) >= 4.5, name
