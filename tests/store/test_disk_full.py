"""No room on the disk: one clear line, exit 1, finished parts kept, and on it goes."""

from __future__ import annotations

import errno
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simlib.errors import RunFailure
from simlib.run import Run
from simlib.store import check, disk, extend, load, resume
from simlib.store.disk import is_locked
from tests.store.helpers import BLOCK, GAMES, assert_same_rows, names, stored
from tests.store.test_kill import child


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Return a folder on a disk of 300 kB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "tmpfs", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("mount is not permitted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk(small_disk: Path, memory: Run) -> None:
    filler = small_disk / "filler"
    filler.write_bytes(bytes(220_000))
    process = child(small_disk / "run")
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert errors.count("\n") == 1
    assert "no room left on the disk" in errors
    assert "games are stored" in errors
    assert "simlib resume" in errors
    run = load(small_disk / "run")
    assert 0 < len(run) < GAMES
    assert len(run) % BLOCK == 0
    assert check(small_disk / "run", sample=50).ok
    with pytest.raises(RunFailure, match="no room left on the disk"):
        resume(small_disk / "run")
    filler.unlink()
    resume(small_disk / "run")
    assert_same_rows(small_disk / "run", memory)


def fails_at(monkeypatch: pytest.MonkeyPatch, name: str, at: int, code: int) -> None:
    """Let one act on the disk fail from its `at`-th call on."""
    act, count = getattr(disk, name), 0

    def failing(*arguments: Any) -> Any:
        nonlocal count
        count += 1
        if count >= at:
            if name == "write":
                act(arguments[0], arguments[1][: len(arguments[1]) // 2])
            raise OSError(code, "No space left on device")
        return act(*arguments)

    monkeypatch.setattr(disk, name, failing)


@pytest.mark.parametrize("name", ["write", "sync", "rename"])
@pytest.mark.parametrize("at", [3, 6, 7, 8, 14])
def test_every_write_may_fail(
    name: str, at: int, tmp_path: Path, memory: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        fails_at(patch, name, at, errno.ENOSPC)
        with pytest.raises(RunFailure, match="no room left on the disk") as failure:
            stored(tmp_path)
    assert "\n" not in str(failure.value)
    assert not is_locked(tmp_path)
    assert not any(file.endswith(".tmp") for file in names(tmp_path))
    assert check(tmp_path, sample=20).ok
    assert len(load(tmp_path)) % BLOCK == 0
    resume(tmp_path)
    assert_same_rows(tmp_path, memory)


def test_the_last_manifest_may_fail(
    tmp_path: Path, memory: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from simlib.store import journal

    def full(*arguments: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    stored(tmp_path, games=1700)
    write, count = journal.write, 0

    def second_fails(folder: Path, manifest: Any) -> None:
        nonlocal count
        count += 1
        (write if count == 1 else full)(folder, manifest)

    with monkeypatch.context() as patch:
        patch.setattr(journal, "write", second_fails)
        says = f"{GAMES} of {GAMES} games are stored"
        with pytest.raises(RunFailure, match=says):
            extend(tmp_path, GAMES)
    resume(tmp_path)
    assert_same_rows(tmp_path, memory)


def test_another_reason_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*arguments: Any) -> None:
        raise OSError(errno.EIO, "Input/output error")

    stored(tmp_path, games=10)
    monkeypatch.setattr(disk, "sync", broken)
    with pytest.raises(RunFailure, match="input/output error; "):
        extend(tmp_path, 20)
