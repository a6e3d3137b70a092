"""An argument of a wrong type is bad input, said in one line, wherever Python is called."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simlib as sl
from simlib.policy import policy
from simlib.setup import prepare

GAME = "king-george-iii"
TABLE = {"game": GAME, "players": 2}
PAIR = ["random", "eager"]


def decide(view, rng):  # type: ignore[no-untyped-def]
    return 5


def run(**more: Any) -> Any:
    return sl.simulate(GAME, games=2, **more)


def compare(**more: Any) -> Any:
    return sl.compare(TABLE, TABLE, games=2, **more)


def tournament(**more: Any) -> Any:
    return sl.tournament(GAME, PAIR, deals=2, players=2, **more)


def rotation(**more: Any) -> Any:
    return sl.play_rotations(prepare(GAME, policies=PAIR), games=2, **more)


def made(game: Any = GAME, function: Any = decide, **more: Any) -> Any:
    return policy(game, **more)(function)


ANY: Any = None
CASES: dict[str, Callable[[], Any]] = {
    "folder 5": lambda: run(out=5),
    "folder b'x'": lambda: run(out=b"x"),
    "client 5": lambda: run(client=5),
    "progress 5": lambda: run(progress=5),
    "folder 6": lambda: sl.load(6),  # type: ignore[arg-type]
    "folder None": lambda: sl.load(ANY),
    "folder 7": lambda: sl.resume(7),  # type: ignore[arg-type]
    "folder 8": lambda: sl.extend(8, games=5),  # type: ignore[arg-type]
    "verify None": lambda: sl.verify(ANY),
    "verify 'text'": lambda: sl.verify("text"),  # type: ignore[arg-type]
    "rotations 5": lambda: sl.rotations(5),  # type: ignore[arg-type]
    "rotations []": lambda: sl.rotations([]),
    "play_rotations 5": lambda: sl.play_rotations(5, games=2),  # type: ignore[arg-type]
    "level 2.0": lambda: compare(level=2.0),
    "level 0": lambda: compare(level=0),
    "level nan": lambda: compare(level=float("nan")),
    "level '0.9'": lambda: compare(level="0.9"),
    "level 7": lambda: tournament(level=7),
    "level None": lambda: tournament(level=None),
    "level 3": lambda: rotation(level=3),
    "metrics 5": lambda: compare(metrics=5),
    "metrics 6": lambda: rotation(metrics=6),
    "metrics 7": lambda: sl.sweep(GAME, {"players": [2]}, games=2, metrics=7),  # type: ignore[arg-type]
    "policy params ['a']": lambda: made(params=["a"]),
    "parameter a=None": lambda: made(params={"a": None}),
    "parameter a=nan": lambda: made(params={"a": float("nan")}),
    "parameter a='x'": lambda: made(params={"a": "x"}),
    "policy parameter 5": lambda: made(params={5: 1.0}),
    "policy parameter 'a,b'": lambda: made(params={"a,b": 1.0}),
    "policy for 5": lambda: made(5),
    "policy for 'nosuch'": lambda: made("nosuch"),
    "policy for <function decide": lambda: policy(decide),  # type: ignore[arg-type]
    "policy 5": lambda: made(function=5),
    "policy <built-in function max>": lambda: made(function=max),
    "policy name 5": lambda: made(name=5),
    "policy says 5": lambda: made(says=5),
    "parameters ['a']": lambda: made(params={"a": 1.0}).with_params(["a"]),
}


@pytest.mark.parametrize("says", CASES)
def test_what_is_not_valid_is_named(
    says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if says == "client 5":
        pytest.importorskip("distributed")
    with pytest.raises(sl.BadInput) as found:
        CASES[says]()
    assert says in str(found.value) and "\n" not in str(found.value)


def test_numpy_values_are_as_good_as_plain_ones() -> None:
    plain = run(rules={"wrap": True, "max_turns": 500, "lead": "one"})
    numpy = run(rules={"wrap": np.True_, "max_turns": np.int64(500), "lead": np.str_("one")})
    assert numpy.setup.table == plain.setup.table


def test_one_metric_may_be_given_alone() -> None:
    assert set(compare(metrics="win_share").frame["name"]) == {"win_share"}
    found = sl.sweep(GAME, {"players": [2]}, games=2, metrics="win_share")
    assert set(found.frame["name"]) == {"win_share"}
