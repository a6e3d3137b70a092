"""Ctrl-C ends a command with one line and exit code 130, whatever it was doing."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from simlib.jit import undisturbed

ROOT = Path(__file__).parents[1]
#: A run that takes hours, from the moment on at which Ctrl-C is listened to.
RUN = """
import os, signal, sys, time
from simlib.cli import interrupt, main
interrupt.listen()
{first}
print("ready", flush=True)
main(["run", "king-george-iii", "--games", "1e11"])
"""


def start(first: str, cache: Path | None = None) -> subprocess.Popen[str]:
    """Start a run in a process of its own, and wait until it has begun."""
    if cache is not None:
        first = f"os.environ['SIMLIB_CACHE_DIR'] = {str(cache)!r}\n{first}"
    process = subprocess.Popen(
        [sys.executable, "-c", RUN.format(first=first)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def assert_stopped(process: subprocess.Popen[str]) -> None:
    try:
        _, errors = process.communicate(timeout=120)
    finally:
        process.kill()
    assert (process.returncode, errors) == (130, "simlib: stopped\n")


def test_a_compilation_is_not_waited_for(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    sleeps = f"""
from simlib.jit import Compiled
def sleep(self):
    open({str(begun)!r}, "w").close()
    time.sleep(3600)
Compiled._compile = sleep
"""
    process = start(sleeps)
    while not begun.exists():
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    assert_stopped(process)


def test_what_a_destructor_loses_is_found_again() -> None:
    loses = """
from simlib.jit import Compiled
class Loses:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(3600)
def lose(self):
    Loses()
    time.sleep(3600)
Compiled.build = lose
"""
    assert_stopped(start(loses))


def test_what_became_another_error_is_ctrl_c_all_the_same() -> None:
    renames = """
from simlib.jit import Compiled
def rename(self):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(3600)
    except KeyboardInterrupt:
        raise ImportError("half a module") from None
Compiled.build = rename
"""
    assert_stopped(start(renames))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(40))
def test_ctrl_c_while_everything_is_compiled(
    number: int, tmp_path: Path, scaled: Callable[[int], int]
) -> None:
    if number >= max(3, scaled(40)):
        return  # a share of them in CI
    process = start("", cache=tmp_path)
    time.sleep(random.Random(number).uniform(0, 8))
    process.send_signal(signal.SIGINT)
    assert_stopped(process)


def test_nothing_slow_is_loaded_before_it_is_listened_to() -> None:
    code = "import sys, simlib.cli; print(sorted({'numba', 'numpy', 'typer'} & set(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert found.stdout == "[]\n"


def test_numba_works_apart_and_says_what_came_of_it() -> None:
    import threading

    assert undisturbed(threading.current_thread) is not threading.current_thread()
    with pytest.raises(ZeroDivisionError):
        undisturbed(lambda: 1 // 0)
