"""The cache of machine code on disk: what is damaged is made again, for everybody after."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from numba import types

from simlib.jit import Compiled

SOURCE = "def twice(number):\n    return 2 * number\n"


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Compiled]:
    """Return what makes the function anew, as a new process would."""
    monkeypatch.setenv("SIMLIB_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "twice.py").write_text(SOURCE)
    found = importlib.util.spec_from_file_location("twice", tmp_path / "twice.py")
    assert found is not None and found.loader is not None
    module: Any = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return lambda: Compiled(module.twice, lambda: types.int64(types.int64))


def hits(made: Compiled) -> int:
    return sum(made.build().stats.cache_hits.values())


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", [lambda b: b[:100], lambda b: b"", lambda b: b"\x81" + b[1:]])
def test_a_damaged_file_is_made_again(
    tmp_path: Path, compiled: Callable[[], Compiled], kind: str, damage: Callable[[bytes], bytes]
) -> None:
    assert compiled()(21) == 42 and hits(compiled()) == 1
    (file,) = (tmp_path / "cache").rglob(f"*.{kind}")
    file.write_bytes(damage(file.read_bytes()))
    again = compiled()
    assert again(21) == 42 and hits(again) == 0
    assert hits(compiled()) == 1


def test_a_folder_in_place_of_a_file_hinders_nobody(
    tmp_path: Path, compiled: Callable[[], Compiled]
) -> None:
    assert compiled()(21) == 42
    (file,) = (tmp_path / "cache").rglob("*.nbi")
    file.unlink()
    file.mkdir()
    assert compiled()(21) == 42
