"""Runs of King: the same rows however they are cut up, and games replayed alone."""

from __future__ import annotations

from typing import Any

import pytest

import simlib
from simlib.simulate import simulate
from tests.king.house_tables import example
from tests.king.kernel_rows import GAMES, play

POLICIES = ("random", "counting", "sensible", "duck")
#: Variety, players and options; the example of a house among them.
TABLES: list[tuple[str, int, dict[str, Any]]] = [
    *((variety, players, {}) for variety, players in GAMES),
    ("house", 4, example()),
]


def settings(variety: str, players: int, rules: dict[str, Any], unit: str) -> dict[str, Any]:
    if unit == "match":
        rules = {**rules, "max_deals": 12}
    return {
        "variety": variety, "players": players, "unit": unit, "rules": rules, "seed": 5,
        "policies": list(POLICIES[:players]),
    }  # fmt: skip


@pytest.mark.parametrize("unit", ["deal", "match"])
@pytest.mark.parametrize(("variety", "players", "rules"), TABLES)
def test_c_4_threads_and_chunks_change_nothing(
    variety: str, players: int, rules: dict[str, Any], unit: str
) -> None:
    games = 120 if unit == "deal" else 12
    table = settings(variety, players, rules, unit)
    wanted = simulate("king", games=games, keep="games", threads=1, **table)
    for threads, chunk in ((2, None), (2, 7), (1, 1), (1, 100_000)):
        got = simulate("king", games=games, keep="games", threads=threads, chunk=chunk, **table)
        assert got.games.equals(wanted.games)
        assert got.deals.equals(wanted.deals)
        assert got.sums == wanted.sums


@pytest.mark.parametrize("unit", ["deal", "match"])
@pytest.mark.parametrize(("variety", "players", "rules"), TABLES)
def test_c_4_one_game_replayed_alone_is_the_same_row(
    variety: str, players: int, rules: dict[str, Any], unit: str
) -> None:
    table = settings(variety, players, rules, unit)
    games = simulate("king", games=20, keep="games", **table).games
    for index in (0, 7, 19):
        record = simlib.replay("king", index=index, **table)
        row = games.iloc[index]
        for key, value in record["outcome"].items():
            assert row[key] == value or (value is None and row[key] != row[key]), key
        verdict = simlib.verify(record)[0]
        assert verdict.fault is None


def test_the_leader_of_no_tricks_loses_a_little_more_than_his_share() -> None:
    rules = {"contracts": ["no-tricks"], "play_out": True}
    scores = play("simple", rules, ["random"] * 4, total=400_000, seed=2).deals["score"]
    error = scores[:, 0].std() / len(scores) ** 0.5
    assert error < 0.006
    assert abs(scores[:, 0].mean() + 4.13) < 0.005 + 4.5 * error
    assert scores.sum() == -16 * len(scores)
