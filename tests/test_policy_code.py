"""A policy that cannot be played is refused in one line that says where and what to write."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import simlib
from simlib.policy import STOP, Policy, policy

GAME = "king-george-iii"
HEAD = """
import ctypes
import random
import time
import numba
import numpy as np
import simlib as sl

counter = 0
memory = np.zeros(3, np.int64)
c_rand = ctypes.CDLL(None).rand
c_rand.argtypes = []
c_rand.restype = ctypes.c_int

def plain(mask):
    return 5

@numba.njit
def hidden(n):
    return np.random.randint(0, n)

@sl.policy("king-george-iii"{options})
def mine(view, rng):
    {body}
"""


def refusal(tmp_path: Path, body: str, options: str = "") -> str:
    """Return in what words a policy of this body is refused."""
    file = tmp_path / "own.py"
    file.write_text(HEAD.format(body=body, options=options))
    with pytest.raises(simlib.BadInput) as found:
        simlib.simulate(GAME, games=1, policies=f"{file}:mine", out=tmp_path / "run")
    assert not (tmp_path / "run").exists()
    assert f"{file}:mine" in str(found.value) and "\n" not in str(found.value)
    return str(found.value)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return sl.nth(view.options, np.random.randint(0, 2))", "takes chance from random or"),
        ("return int(random.random())", "takes chance from random or"),
        ("return hidden(sl.count(view.options))", "takes chance from random or"),
        ("return sl.nth(view.options, c_rand() % 2)", "calls a C library"),
        ("with numba.objmode(x='int64'): x = 5\n    return x", r"back to Python \(objmode\)"),
        ("return int(time.time())", r"line 24 \(return int\(time.time\(\)\)\): Unknown attribute"),
    ],
)
def test_what_would_not_be_repeatable_is_refused(tmp_path: Path, body: str, says: str) -> None:
    assert re.search(says, refusal(tmp_path, body))


def test_the_hash_of_a_text_is_refused(tmp_path: Path) -> None:
    body = 'return hash("a" + str(view.hand)) % 2'
    assert "hash of a text" in refusal(tmp_path, body, ", allocates=True")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return view.nope", r"line 24 \(return view.nope\): .*no view.nope.* fields hand, opt"),
        ("return rng.integers(5)", r"no rng.integers; chance is taken with sl.below\(rng, n\)"),
        ("global counter; counter += 1; return 5", "keeps no state"),
        ("memory[0] += 1; return memory[0]", "keeps no state"),
        ("import os; return 5", "imports at the top"),
        ("class A: pass\n    return 5", "no such Python"),
        ("return int(np.zeros(5)[0])", r"line 24 .*allocates=True"),
        ("found = [5]; return found[0]", "allocates=True"),
        ('view.params[0] = "a"; return 5', r"on these types: setitem\(.*Literal\[str\]\(a\)\)"),
        ("return sl.lowest(view)", r"on these types: a call with \(view\)"),
        ("return plain(view.hand)", "plain is plain Python; a helper needs @numba.njit"),
        ("return 0.5", "returns float64"),
        ("yield 5", "returns a generator"),
    ],
)
def test_what_does_not_compile_is_explained(tmp_path: Path, body: str, says: str) -> None:
    assert re.search(says, refusal(tmp_path, body))


def closure() -> Callable[[Any, Any], int]:
    counter = 0

    def decide(view, rng):  # type: ignore[no-untyped-def]
        nonlocal counter
        counter += 1
        return STOP

    return decide


def test_a_closure_that_counts_is_refused() -> None:
    with pytest.raises(simlib.BadInput, match="keeps no state"):
        policy(GAME)(closure()).compiled()


def divides(view, rng):  # type: ignore[no-untyped-def]
    return 5 // (view.players - view.players)


def divides_parts(view, rng):  # type: ignore[no-untyped-def]
    return int(1.0 / view.params[0])


def overreaches(view, rng):  # type: ignore[no-untyped-def]
    return view.counts[view.players + 20]


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (divides, "ZeroDivisionError"),
        (divides_parts, "ZeroDivisionError"),
        (overreaches, "IndexError"),
    ],
)
def test_what_stops_plain_python_stops_the_run(
    function: Callable[[Any, Any], int], says: str
) -> None:
    where = f"game 0, seat 0, policy '{function.__name__}'"
    with pytest.raises(simlib.PolicyFailure, match=f"{where}.*{says}"):
        simlib.simulate(GAME, games=1, policies=policy(GAME)(function))


def shows(view, rng):  # type: ignore[no-untyped-def]
    if view.position > 90:
        raise ValueError("no such seat")
    print("hand", view.hand)
    return simlib.nth(view.options, simlib.below(rng, simlib.count(view.options)))


def test_print_and_an_error_of_its_own_are_allowed() -> None:
    found = policy(GAME)(shows)
    assert isinstance(found, Policy) and found.compiled() is not None
