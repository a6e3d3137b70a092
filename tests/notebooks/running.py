"""Runs notebooks in a kernel of their own, and turns them into pages."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat import NotebookNode

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "notebooks"
NAMES = sorted(path.stem for path in FOLDER.glob("*.ipynb"))

#: Numbers of games, as the first code cell of a notebook sets them.
COUNTS = re.compile(r"^(GAMES|HOUSE|FEW|DEALS) = ([\d_]+)", re.MULTILINE)
#: With fewer games there may be no deal of the kind that a notebook shows.
LEAST = 500


def read(name: str) -> NotebookNode:
    """Return a notebook as it is stored."""
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def shortened(notebook: NotebookNode, scaled: Callable[[int], int]) -> NotebookNode:
    """Return a notebook that plays fewer games."""

    def fewer(match: re.Match[str]) -> str:
        count = int(match[2].replace("_", ""))
        return f"{match[1]} = {min(count, max(LEAST, scaled(count)))}"

    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = COUNTS.sub(fewer, cell.source)
    return notebook


def execute(
    notebook: NotebookNode,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    more: Sequence[str] = (),
) -> NotebookNode:
    """Run a notebook and then some more cells; an error in a cell is raised.

    The kernel is this Python, whatever kernels are installed, and leaves nothing at home.
    """
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    monkeypatch.setenv("PYTHONPATH", path)
    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    notebook.cells += [nbformat.v4.new_code_cell(source) for source in more]
    client = NotebookClient(
        notebook,
        timeout=1800,
        kernel_name="python3",
        resources={"metadata": {"path": str(FOLDER)}},
    )
    executed: NotebookNode = client.execute()
    return executed


def page(notebook: NotebookNode, path: Path) -> str:
    """Write an executed notebook as the page that ``make notebooks`` makes of it."""
    exporter = HTMLExporter(template_name="page", extra_template_basedirs=[str(FOLDER)])
    text: str = exporter.from_notebook_node(notebook)[0]
    path.write_text(text, encoding="utf-8")
    return text
