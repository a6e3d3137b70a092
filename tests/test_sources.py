"""A policy as text, with everything it uses, and back again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit

import simlib as sl
from simlib import lowest as smallest
from simlib.errors import BadInput
from simlib.jit import helper
from simlib.policy import Policy, load_file, policy
from simlib.simulate import simulate
from simlib.sources import capture, normal, revive

GAME = "king-george-iii"
NUMBERS = (3, -1.5, float("inf"), np.uint64(7))
TABLE = np.array([[1, 2], [3, 4]], np.int16)
U = np.uint64


@helper
def doubled(number: Any) -> Any:
    return number * NUMBERS[0]


@njit
def tripled(number):  # type: ignore[no-untyped-def]
    return doubled(number) + number


@policy(GAME, params={"risk": 0.5, "more": 1.0})
def everything(view, rng):  # type: ignore[no-untyped-def]
    """Uses helpers, constants, arrays and libraries."""
    weight: float = tripled(view.pile_count) + TABLE[1, 0]
    if view.may_stop and weight * view.params[0] > NUMBERS[1] and view.options & U(1) == U(0):
        return sl.STOP
    return smallest(view.options)


def back(found: Policy) -> Policy:
    source = capture(found)
    assert source.missing == ()
    return revive(
        source.text,
        game=found.game,
        function=found.function.__name__,
        name=found.name,
        says=found.says,
        params=found.params,
        uses_chance=found.uses_chance,
    )


def test_a_policy_comes_back_and_plays_the_same() -> None:
    again = back(everything)
    assert again.says == everything.says
    assert again.params == everything.params
    assert not again.uses_chance
    plays = [simulate(GAME, games=200, policies=p, seed=3).sums for p in (everything, again)]
    assert plays[0] == plays[1]
    assert normal(capture(again).text) == normal(capture(everything).text)


def test_a_closure_keeps_its_values() -> None:
    def make(limit: int) -> Policy:
        @policy(GAME, name="limited")
        def limited(view, rng):  # type: ignore[no-untyped-def]
            """Stops at a limit."""
            if view.may_stop and view.run >= limit:
                return -1
            return smallest(view.options)

        return limited

    one, two = make(1), make(3)
    assert "limit = 3" in capture(two).text
    assert normal(capture(one).text) != normal(capture(two).text)
    plays = [simulate(GAME, games=100, policies=p).sums for p in (two, back(two))]
    assert plays[0] == plays[1]


def test_a_name_of_its_own_and_a_wrapped_function() -> None:
    def plain(view, rng):  # type: ignore[no-untyped-def]
        return smallest(view.options)

    made = policy(GAME, name="my-own", says="Puts the lowest.")(plain)
    again = back(made)
    assert (again.name, again.says) == ("my-own", "Puts the lowest.")


def test_layout_and_comments_change_nothing() -> None:
    assert normal("def f(a):\n    return a  # so\n") == normal("def f(a):\n\n    return (a)\n")
    assert normal("def f(a):\n    return a\n") != normal("def f(a):\n    return a + 1\n")
    assert normal("def (") == "def ("


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    secret = object()

    @policy(GAME)
    def strange(view, rng):  # type: ignore[no-untyped-def]
        """Uses what has no text."""
        return smallest(view.options) if secret else nowhere  # type: ignore[name-defined]  # noqa: F821

    assert capture(strange).missing == ("nowhere", "secret")
    (tmp_path / "own.py").write_text("X = 1\n")
    made = policy(GAME, name="lambda")(lambda view, rng: 0)
    assert "write it with def" in capture(made).missing[0]


def test_two_meanings_of_a_name_are_said(tmp_path: Path) -> None:
    text = """
import simlib as sl
from simlib.jit import helper

LIMIT = {limit}

@helper
def {name}(n):
    return n + LIMIT
"""
    scope_one: dict[str, Any] = {}
    for name, limit in (("one", 1), ("two", 2)):
        file = tmp_path / f"{name}.py"
        file.write_text(text.format(name=name, limit=limit))
    import importlib.util

    for name in ("one", "two"):
        spec = importlib.util.spec_from_file_location(f"own_{name}", tmp_path / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        scope_one[name] = getattr(module, name)
    one, two = scope_one["one"], scope_one["two"]

    @policy(GAME)
    def both(view, rng):  # type: ignore[no-untyped-def]
        """Uses both."""
        return smallest(view.options) + one(0) - two(-1)

    assert capture(both).missing == ("LIMIT (it means two things)",)


def test_a_file_is_captured(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import simlib as sl\n\nEDGE = 4\n\n\n@sl.policy('king-george-iii')\n"
        "def low(view, rng):\n    '''Low.'''\n    return sl.lowest(view.options) + 0 * EDGE\n\n\n"
        "raise_me = 1\n"
    )
    text = capture(load_file(f"{file}:low")).text
    assert "EDGE = 4" in text
    assert "import simlib as sl" in text
    assert "raise_me" not in text


def test_a_builtin_policy_is_its_function() -> None:
    found = sl.games.get(GAME).policies["random"]
    assert capture(found).text.startswith("@policy(")
    assert capture(found).missing == ()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def (", "its source stops with SyntaxError"),
        ("1 / 0", "its source stops with ZeroDivisionError"),
        ("raise SystemExit", "its source stops with SystemExit"),
        ("x = 1", "its source has no function 'low'"),
        ("low = 3", "its source has no function 'low'"),
    ],
)
def test_a_text_that_is_no_policy_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        revive(text, game=GAME, function="low", name="low")
