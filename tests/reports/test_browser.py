"""The pages as a person sees them: in a real browser, on a phone and on a desk, by day and night.

``CHROME_BIN`` names the browser (else see :mod:`tests.reports.chrome`). ``SIMLIB_REPORTS`` may
name a folder of report pages that are opened as well.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reports import builder
from tests.reports import chrome, made_up

BINARY = chrome.find()
pytestmark = pytest.mark.skipif(
    BINARY is None, reason="no browser: install Debian's chromium, or set CHROME_BIN"
)

WIDTHS = (400, 1400)

#: Figures: whether one drawing of each is seen, and which text lies outside it, or on other text.
FIGURES = """
[...document.querySelectorAll('figure')].map(figure => {
  const seen = [...figure.querySelectorAll('svg')].filter(svg => svg.getClientRects().length)
  const svg = seen[0], box = svg?.getBoundingClientRect()
  const out = svg ? [...svg.querySelectorAll('text')].filter(text => {
    const own = text.getBoundingClientRect()
    return own.left < box.left - 1 || own.right > box.right + 1 ||
           own.top < box.top - 1 || own.bottom > box.bottom + 1
  }).map(text => text.textContent) : []
  const texts = svg ? [...svg.querySelectorAll('text')] : []
  const boxes = texts.map(text => text.getBoundingClientRect())
  const over = texts.flatMap((text, i) => texts.slice(0, i).filter((other, j) =>
    Math.min(boxes[i].right, boxes[j].right) - Math.max(boxes[i].left, boxes[j].left) > 1 &&
    Math.min(boxes[i].bottom, boxes[j].bottom) - Math.max(boxes[i].top, boxes[j].top) > 4)
    .map(other => text.textContent + ' / ' + other.textContent))
  return {id: figure.id, over, seen: seen.map(svg => svg.getAttribute('class')), out,
          width: box?.width, height: box?.height, marks: svg?.querySelectorAll('path').length}
})
"""

#: Text whose contrast with what lies behind it is below 4.5.
CONTRAST = """
(() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true})
  const rgba = colour => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  }
  const light = c => { const [r, g, b] = c.map(v => (v /= 255) <= 0.04045 ? v / 12.92 :
    ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b }
  const behind = element => {
    for (let e = element; e; e = e.parentElement) {
      const c = rgba(getComputedStyle(e).backgroundColor)
      if (c[3] === 255) return c
    }
    return [255, 255, 255, 255]
  }
  const bad = []
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node; node = walk.nextNode();) {
    const e = node.parentElement
    if (!node.data.trim() || !e.getClientRects().length || e.closest('title, desc')) continue
    const style = getComputedStyle(e)
    const [a, b] = [light(rgba(e.closest('svg') ? style.fill : style.color)), light(behind(e))]
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    if (ratio < 4.5) bad.push([node.data.trim().slice(0, 40), Math.round(ratio * 100) / 100])
  }
  return bad
})()
"""

#: What sticks out of the document's width, outside of boxes that scroll.
OVERFLOW = """
({page: document.documentElement.scrollWidth, window: innerWidth,
  out: [...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll, .skip, .hidden')
    && e.getBoundingClientRect().right > innerWidth + 0.5).map(e => e.outerHTML.slice(0, 80))})
"""


@pytest.fixture(scope="module")
def tab() -> Iterator[chrome.Tab]:
    assert BINARY is not None
    with chrome.start(BINARY) as browser:
        yield browser.tab()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("pages")
    builder.build([made_up.page(), made_up.page("another-game")], folder)
    found = sorted(folder.glob("*.html"))
    assert len(found) == 3
    if "SIMLIB_REPORTS" in os.environ:
        more = sorted(Path(os.environ["SIMLIB_REPORTS"]).glob("*.html"))
        assert more, "SIMLIB_REPORTS holds no page"
        found += more
    return found


def complaints(events: list[dict[str, Any]]) -> list[Any]:
    """Return console messages, errors, and requests for anything but the page itself."""
    told = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
    found: list[Any] = [event["params"] for event in events if event["method"] in told]
    urls = [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    ]
    return found + [url for url in urls[1:] if not url.startswith("data:")]


def inspect(tab: chrome.Tab, path: Path, width: int, dark: bool) -> None:
    """Open a page and look at everything that must hold of every page."""
    tab.look(width, dark=dark)
    assert complaints(tab.open(path)) == [], path.name
    overflow = tab.evaluate(OVERFLOW)
    assert overflow == {"page": width, "window": width, "out": []}, path.name
    figures = tab.evaluate(FIGURES)
    assert len(figures) == path.read_text("utf-8").count("<figure ")
    for figure in figures:
        assert figure["seen"] == ["narrow" if width < 640 else "wide"], figure
        assert figure["width"] > 0.8 * min(width, 700), figure
        assert figure["height"] > 100, figure
        assert figure["marks"] > 3, figure
        assert figure["out"] == [], figure
        assert figure["over"] == [], figure
    assert tab.evaluate(CONTRAST) == [], path.name
    paper = tab.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == ("rgb(20, 25, 30)" if dark else "rgb(255, 255, 255)")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_every_page(tab: chrome.Tab, pages: list[Path], width: int, dark: bool) -> None:
    for path in pages:
        inspect(tab, path, width, dark)


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_every_real_page(tab: chrome.Tab, real_pages: Path, width: int, dark: bool) -> None:
    for path in sorted(real_pages.glob("*.html")):
        inspect(tab, path, width, dark)


def test_a_game_page_shows_all_its_figures(tab: chrome.Tab, pages: list[Path]) -> None:
    tab.look(1400)
    for path in pages[:1]:
        tab.open(path)
        assert len(tab.evaluate(FIGURES)) == 3


def test_a_wide_table_scrolls_in_its_own_box(tab: chrome.Tab, pages: list[Path]) -> None:
    tab.look(400)
    tab.open(pages[-1] if len(pages) == 3 else pages[2])
    box = "document.querySelector('#table-endings .scroll')"
    inside, outside = tab.evaluate(f"[{box}.scrollWidth, {box}.clientWidth]")
    assert inside > outside
    # the caption stays where it can be read while the table moves beneath it
    left = tab.evaluate(
        f"({box}.scrollLeft = 80, {box}.querySelector('caption span').getBoundingClientRect().left)"
    )
    assert left == pytest.approx(16, abs=2)


def test_the_contents_stand_beside_the_text_on_a_desk(tab: chrome.Tab, pages: list[Path]) -> None:
    for width, beside in ((1400, True), (400, False)):
        tab.look(width)
        tab.open(pages[0])
        nav, lead = tab.evaluate(
            "['nav', '.lead'].map(s => document.querySelector(s).getBoundingClientRect().toJSON())"
        )
        assert (nav["right"] < lead["left"]) == beside
        assert beside or nav["top"] > lead["bottom"]


def test_the_keyboard_reaches_the_text(tab: chrome.Tab, pages: list[Path]) -> None:
    tab.look(1400)
    tab.open(pages[0])
    tab.call("Input.dispatchKeyEvent", type="keyDown", key="Tab", windowsVirtualKeyCode=9)
    assert tab.evaluate("document.activeElement.className") == "skip"
    assert tab.evaluate("document.activeElement.getBoundingClientRect().left") >= 0


def test_folded_rules_are_printed(tab: chrome.Tab, tmp_path: Path) -> None:
    rules = [*made_up.light().rules] * 3
    builder.build([dataclasses.replace(made_up.light(), rules=rules)], tmp_path)
    row = "document.querySelector('.rules tbody tr').checkVisibility({contentVisibilityAuto: true})"
    for media, seen in (("screen", False), ("print", True)):
        tab.look(680, media=media)
        tab.open(tmp_path / "king-george-iii.html")
        assert tab.evaluate(row) == seen, media


def test_print(tab: chrome.Tab, pages: list[Path]) -> None:
    for path in pages:
        tab.look(680, dark=True, media="print")
        assert complaints(tab.open(path)) == []
        assert tab.evaluate(OVERFLOW)["out"] == []
        assert all(figure["seen"] == ["wide"] for figure in tab.evaluate(FIGURES))
        assert tab.evaluate("getComputedStyle(document.body).color") == "rgb(29, 39, 48)"
        assert tab.evaluate(
            "[...document.querySelectorAll('nav')].every("
            "n => getComputedStyle(n).display === 'none')"
        )
        assert tab.pdf().startswith(b"%PDF")
