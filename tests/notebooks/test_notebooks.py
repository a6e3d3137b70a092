"""The notebooks: stored without outputs, run from top to bottom, readable as pages."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from tests.notebooks.running import FOLDER, NAMES, ROOT, execute, page, read, shortened
from tests.reports import chrome
from tests.reports.test_browser import complaints

#: Run with every ``make test``; the others are marked slow.
FIRST = "01_quickstart"
#: Numbers that look like results, which belong into code: per cents and decimals.
RESULT = re.compile(r"\d\s*(%|per ?cent)|\d[.,]\d", re.IGNORECASE)


def texts(notebook: NotebookNode) -> list[str]:
    return [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]


def code(notebook: NotebookNode) -> list[str]:
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


def test_all_are_there() -> None:
    assert [name[:2] for name in NAMES] == ["01", "02", "03", "04", "05", "06"]


@pytest.mark.parametrize("name", NAMES)
def test_source_holds_no_outputs(name: str) -> None:
    notebook = read(name)
    nbformat.validate(notebook)
    assert notebook.nbformat == 4
    assert notebook.metadata.kernelspec.name == "python3"
    assert set(notebook.metadata) == {"kernelspec", "language_info", "title"}
    assert set(notebook.metadata.language_info) == {"name"}  # no version of this or that machine
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    for cell in notebook.cells:
        assert not cell.metadata
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None
    assert (FOLDER / f"{name}.ipynb").stat().st_size < 40_000


@pytest.mark.parametrize("name", NAMES)
def test_source_reads_like_an_essay(name: str) -> None:
    notebook = read(name)
    assert notebook.cells[0].source == f"# {notebook.metadata.title}\n" + "".join(
        notebook.cells[0].source.partition("\n")[2:]
    )
    for text in texts(notebook):
        assert not RESULT.search(text.replace("95 %", "")), text
        for paragraph in text.split("\n\n"):
            assert len(paragraph.split()) <= 90, paragraph
    for source in code(notebook):
        assert "fmt: skip" not in source and "noqa" not in source
        assert not re.search(r"/(home|root|tmp|work|Users)/", source)


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_to_other_notebooks(name: str) -> None:
    for text in texts(read(name)):
        for target in re.findall(r"\]\(([^)]+)\)", text):
            assert (FOLDER / target).is_file(), target


def test_the_policy_of_the_examples_is_the_one_that_a_notebook_shows() -> None:
    file = (ROOT / "examples" / "plain.py").read_text(encoding="utf-8")
    function = file[file.index("@sl.policy") :].rstrip()
    assert function in code(read("05_your_own_policy"))


def all_html(notebook: NotebookNode) -> list[str]:
    return [
        output.data["text/html"]
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "text/html" in output.get("data", {})
    ]


def check(name: str, notebook: NotebookNode, path: Path) -> None:
    """What must hold of every notebook that was run."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [o.text for o in outputs if o.output_type == "stream" and o.name == "stderr"]
    images = [image for text in all_html(notebook) for image in re.findall(r"<img[^>]*>", text)]
    assert images
    for image in images:
        alt = re.search(r'alt="([^"]*)"', image)
        assert alt and len(html.unescape(alt[1])) > 20
        assert "nan" not in alt[1].lower()
    said = [o.data["text/markdown"] for o in outputs if "text/markdown" in o.get("data", {})]
    assert said or name.startswith("06")
    assert not [text for text in said if re.search(r"\bnan\b|None|\binf\b", text)]

    text = page(notebook, path)
    # one file, which asks nobody for scripts, and leads from page to page
    assert not re.search(r"<(script|link|img)[^>]*(src|href)=\"https?:", text)
    assert ".ipynb" not in text
    assert "<title>" + html.escape(notebook.metadata.title, quote=False) in text


def run_and_check(
    name: str, scaled: Callable[[int], int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    before = (FOLDER / f"{name}.ipynb").read_bytes()
    path = tmp_path / f"{name}.html"
    check(name, execute(shortened(read(name), scaled), tmp_path, monkeypatch), path)
    assert (FOLDER / f"{name}.ipynb").read_bytes() == before
    return path


def test_the_first_runs(
    scaled: Callable[[int], int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_and_check(FIRST, scaled, tmp_path, monkeypatch)


@pytest.fixture(scope="module")
def tab() -> Iterator[chrome.Tab | None]:
    binary = chrome.find()
    if binary is None:
        yield None
        return
    with chrome.start(binary) as browser:
        yield browser.tab()


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name != FIRST])
def test_every_notebook_runs(
    name: str,
    scaled: Callable[[int], int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    tab: chrome.Tab | None,
) -> None:
    path = run_and_check(name, scaled, tmp_path, monkeypatch)
    for width in (400, 1400) if tab else ():
        assert tab
        tab.look(width)
        assert complaints(tab.open(path)) == []
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert tab.evaluate("[...document.images].every(image => image.naturalWidth > 0)")
