"""A process that is killed at any moment loses nothing that was finished, and adds nothing."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from simlib.errors import BadInput
from simlib.run import Run
from simlib.store import check, load, resume
from simlib.store.opening import strays
from tests.store.child import MOMENTS
from tests.store.helpers import BLOCK, GAMES, assert_same_figures, assert_same_rows, stored

ROOT = Path(__file__).parents[2]
#: Acts on the disk of the whole run: two files of the head, five blocks, the end.
STEPS = 4 + 1 + 4 + 5 * (3 * 4 + 2) + 5


def child(*words: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.store.child", *map(str, words)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run_child(*words: object) -> int:
    process = child(*words)
    process.communicate(timeout=120)
    return process.returncode


def assert_sound(folder: Path) -> int:
    """Assert that what the folder says it has is there; return how many games that are."""
    if not (folder / "manifest.json").exists():  # killed before there was one
        with pytest.raises(BadInput, match="no run"):
            load(folder)
        return 0
    run = load(folder)
    report = check(folder, sample=50, seed=1)
    assert report.ok, report.problems
    if len(run):
        frame = run.read("games", columns=["index"])
        assert list(frame["index"]) == list(range(len(run)))
    return len(run)


def finish(folder: Path, memory: Run) -> None:
    """Go on with the run and assert that it is as if nothing had happened."""
    stored(folder)
    run = assert_same_rows(folder, memory)
    assert not strays(folder, run._manifest.parts)
    assert not (folder / "journal.jsonl").exists()
    assert check(folder, sample=100).ok


def kill_at_steps(folder: Path, steps: list[tuple[int, str]], memory: Run) -> None:
    """Kill one run again and again, then let it end."""
    before = 0
    for step, moment in steps:
        code = run_child(folder, step, moment)
        assert code in (-signal.SIGKILL, 0)
        now = assert_sound(folder)
        assert now >= before
        before = now
        if code == 0:
            break
    finish(folder, memory)


@pytest.mark.parametrize(
    ("step", "moment"),
    [
        (22, "half"),
        (25, "before"),
        pytest.param(3, "before", marks=pytest.mark.slow),
        pytest.param(80, "after", marks=pytest.mark.slow),
    ],
)
def test_a_process_killed_at_a_step(step: int, moment: str, tmp_path: Path, memory: Run) -> None:
    kill_at_steps(tmp_path / "run", [(step, moment)], memory)


def test_a_process_killed_again_and_again(tmp_path: Path, memory: Run) -> None:
    draw = random.Random(5)
    steps = [(draw.randint(15, 40), draw.choice(MOMENTS)) for _ in range(2)]
    kill_at_steps(tmp_path / "run", steps, memory)


@pytest.mark.parametrize(
    ("step", "moment"),
    [
        (22, "after"),
        pytest.param(11, "after", marks=pytest.mark.slow),
        pytest.param(20, "after", marks=pytest.mark.slow),
    ],
)
def test_a_process_killed_while_a_part_grows(
    step: int, moment: str, tmp_path: Path, memory: Run
) -> None:
    stored(tmp_path, games=777)
    assert run_child(tmp_path, step, moment) == -signal.SIGKILL
    assert assert_sound(tmp_path) == (1000 if step == 22 else 777)
    finish(tmp_path, memory)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(50))
def test_a_process_killed_at_fifty_random_steps(
    number: int, tmp_path: Path, memory: Run, scaled: Callable[[int], int]
) -> None:
    if number >= max(5, scaled(50)):
        return  # a share of them in CI
    draw = random.Random(number)
    kill_at_steps(tmp_path / "run", [(draw.randint(1, STEPS), draw.choice(MOMENTS))], memory)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(10))
def test_a_process_killed_from_outside(
    number: int, tmp_path: Path, memory: Run, scaled: Callable[[int], int]
) -> None:
    if number >= max(2, scaled(10)):
        return  # a share of them in CI
    draw = random.Random(number)
    process = child(tmp_path, 0, "before", "games", 0.02)
    assert process.stdout is not None
    process.stdout.readline()
    time.sleep(draw.uniform(0, 0.5))
    process.kill()
    process.communicate()
    assert_sound(tmp_path)
    finish(tmp_path, memory)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_process_asked_to_stop_keeps_its_last_block_too(
    number: signal.Signals, tmp_path: Path, memory: Run
) -> None:
    process = child(tmp_path, 0, "before", "games", 0.05)
    assert process.stdout is not None
    while int(process.stdout.readline()) < 2 * BLOCK + 150:
        pass
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == (-signal.SIGINT if number == signal.SIGINT else 143)
    games = assert_sound(tmp_path)
    assert 2 * BLOCK + 150 <= games < GAMES
    assert (tmp_path / "journal.jsonl").exists()
    resume(tmp_path)
    assert_same_rows(tmp_path, memory)


def test_a_killed_summary_run(tmp_path: Path, memory: Run) -> None:
    assert run_child(tmp_path, 20, "half", "summary") == -signal.SIGKILL
    assert 0 < len(load(tmp_path)) < GAMES
    run = resume(tmp_path)
    assert_same_figures(run, memory)
    assert check(tmp_path).ok
