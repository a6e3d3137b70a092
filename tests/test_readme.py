"""The README's commands and its Python do what it says."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
COMMANDS = [
    line.split("#")[0].strip()
    for kind, text in BLOCKS
    if kind == "sh"
    for line in text.splitlines()
    if line.startswith("simlib ")
]
PYTHON = [text for kind, text in BLOCKS if kind == "python"]


def test_the_readme_has_commands_and_python() -> None:
    assert len(COMMANDS) >= 5
    assert PYTHON


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_readme(command: str, tmp_path: Path) -> None:
    shutil.copytree(README.parent / "examples", tmp_path / "examples")
    words = [sys.executable, "-m", "simlib", *shlex.split(command)[1:]]
    root = str(README.parent)
    done = subprocess.run(
        words, capture_output=True, text=True, cwd=tmp_path, env=_with_path(root), timeout=600
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


@pytest.mark.slow
@pytest.mark.parametrize("code", PYTHON)
def test_python_of_the_readme(code: str, tmp_path: Path) -> None:
    file = tmp_path / "readme.py"
    file.write_text(code)
    done = subprocess.run(
        [sys.executable, str(file)],
        capture_output=True,
        text=True,
        env=_with_path(str(README.parent)),
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


@pytest.mark.slow
def test_the_picture_of_the_readme_is_what_is_played() -> None:
    spec = importlib.util.spec_from_file_location("picture", README.parent / "docs" / "picture.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    drawing, words = module.picture()
    stored = module.FILE.read_text(encoding="utf-8")
    assert words in README.read_text(encoding="utf-8")
    # another processor may round a coordinate otherwise
    assert re.sub(r"(\.\d)\d+", r"\1", drawing) == re.sub(r"(\.\d)\d+", r"\1", stored)


def _with_path(root: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": root}
