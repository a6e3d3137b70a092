"""One process writes to a folder; the lock goes with the process, however it ends."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from simlib.errors import BadInput
from simlib.run import Run
from simlib.store import check, load, resume, runs
from simlib.store.disk import Lock, is_locked
from tests.store.helpers import assert_same_rows, stored
from tests.store.test_kill import child


def test_a_second_process_is_refused_until_the_first_is_dead(tmp_path: Path, memory: Run) -> None:
    process = child(tmp_path, 0, "before", "games", 30)
    assert process.stdout is not None
    process.stdout.readline()
    try:
        says = rf"another process \(process {process.pid}\) is writing to this run"
        for act in (stored, resume):
            with pytest.raises(BadInput, match=says):
                act(tmp_path)
        assert runs(tmp_path)[0]["state"] == "running"
        assert "running: a process is writing to it" in check(tmp_path).notes
        load(tmp_path)  # reading is free
        second = child(tmp_path)
        _, errors = second.communicate(timeout=60)
        assert second.returncode == 2
        assert errors.count("\n") == 1
        assert "another process" in errors
    finally:
        process.kill()
        process.communicate()
    assert not is_locked(tmp_path)
    stored(tmp_path)
    assert_same_rows(tmp_path, memory)


def test_a_lock_is_let_go(tmp_path: Path) -> None:
    first = Lock(tmp_path)
    assert is_locked(tmp_path)
    with pytest.raises(BadInput, match=f"process {os.getpid()}"):
        Lock(tmp_path)
    first.release()
    assert not is_locked(tmp_path)
    Lock(tmp_path).release()


def test_a_refusal_lets_go_too(tmp_path: Path) -> None:
    stored(tmp_path, games=10)
    with pytest.raises(BadInput, match="another run"):
        stored(tmp_path, games=10, seed=99)
    assert not is_locked(tmp_path)
