"""What holds for the layer as a whole: loaded late, leaning on nothing of ours, documented."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

from simlib import stats

FOLDER = Path(stats.__file__).parent
MODULES = [f"simlib.stats.{module.name}" for module in pkgutil.iter_modules([str(FOLDER)])]
PUBLIC = [getattr(stats, name) for name in stats.__all__ if callable(getattr(stats, name))]


def loaded_after(code: str) -> set[str]:
    """Names of the slow modules a fresh interpreter holds after `code`."""
    watched = "{'scipy.stats', 'statsmodels', 'pandas', 'matplotlib'}"
    script = f"import sys\n{code}\nprint(*({watched} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=FOLDER.parents[1],
    )
    return set(done.stdout.split())


def test_what_every_run_needs_loads_nothing_slow() -> None:
    code = "from simlib import stats\nstats.wilson(3, 9)\nstats.mean(3, 3, 5)\nstats.may_stop"
    assert loaded_after(code) == set()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.name)
def test_at_import_only_the_standard_library_and_numpy(path: Path) -> None:
    for node in ast.parse(path.read_text()).body:
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        for name in names:
            top = name.split(".")[0]
            assert (
                top in sys.stdlib_module_names or top == "numpy" or name.startswith("simlib.stats.")
            )


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.name)
def test_imports_nothing_of_ours(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("simlib"):
            assert (node.module or "").startswith("simlib.stats")


@pytest.mark.parametrize("thing", PUBLIC, ids=lambda thing: thing.__name__)
def test_every_public_name_is_documented(thing: type) -> None:
    text = inspect.getdoc(thing)
    assert text and text.splitlines()[0].endswith(".")
    if inspect.isfunction(thing):
        assert "Parameters\n-----" in text
        assert "Returns\n-----" in text or "Yields\n-----" in text


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
