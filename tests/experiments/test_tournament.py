"""Tournaments: arrangements, paired differences, ratings, intervals by resampling deals."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from typing import Any

import numpy as np
import pytest

from simlib.errors import BadInput
from simlib.setup import prepare
from simlib.simulate import run_setup
from simlib.tournament import tournament
from simlib.tournament_play import arrangements, lineups

GAME = "king-george-iii"
TWO: list[Any] = ["random", "eager"]


def shares(order: list[str], deals: int, seed: int) -> np.ndarray:
    """Return the win shares of every seat and deal, from the rows of a plain run."""
    setup = prepare(GAME, players=len(order), policies=order, seed=seed)
    frame = run_setup(setup, games=deals, keep="games").games
    return frame[[f"win_share_{seat}" for seat in range(len(order))]].to_numpy()


class TestArrangements:
    @pytest.mark.parametrize("members", [[0, 1], [0, 0, 1], [0, 1, 2], [0, 0, 1, 1], [0, 1, 2, 3]])
    def test_all_distinct_ones(self, members: list[int]) -> None:
        found = arrangements(members, 1000)
        assert set(found) == set(itertools.permutations(members))
        assert len(found) == len(set(found))

    @pytest.mark.parametrize("most", [1, 4, 5, 8, 12, 23])
    def test_fewer_are_whole_sets_of_rotations(self, most: int) -> None:
        found = arrangements([0, 1, 2, 3], most)
        assert len(found) == max(4, most // 4 * 4) and len(set(found)) == len(found)
        for seat in range(4):  # everyone sits everywhere equally often
            assert set(Counter(order[seat] for order in found).values()) == {len(found) // 4}

    def test_line_ups(self) -> None:
        assert [one.members for one in lineups(3, 2, "round-robin", 9)] == [(0, 1), (0, 2), (1, 2)]
        assert [one.members for one in lineups(2, 4, "round-robin", 9)] == [(0, 0, 1, 1)]
        assert [one.members for one in lineups(2, 5, "round-robin", 9)] == [
            (0, 0, 0, 1, 1), (0, 0, 1, 1, 1),
        ]  # fmt: skip
        assert len(lineups(4, 3, "all-in", 9)) == 4
        for count, seats, mode in [(1, 2, "round-robin"), (2, 3, "all-in"), (2, 2, "swiss")]:
            with pytest.raises(BadInput):
                lineups(count, seats, mode, 9)


class TestDifferences:
    def test_against_the_rows_of_plain_runs(self) -> None:
        found = tournament(GAME, TWO, players=2, deals=300, seed=8, resamples=400)
        first, second = shares(TWO, 300, 8), shares(TWO[::-1], 300, 8)
        gaps = ((first[:, 0] - first[:, 1]) + (second[:, 1] - second[:, 0])) / 2
        row = found.pairs.iloc[0]
        assert row["difference"] == pytest.approx(gaps.mean(), abs=1e-12)
        error = gaps.std(ddof=1) / 300**0.5
        assert row["se"] == pytest.approx(error, rel=0.12)
        assert row["low"] == pytest.approx(gaps.mean() - 1.96 * error, abs=0.35 * error)
        won = (first[:, 0] > first[:, 1]).sum() + (second[:, 1] > second[:, 0]).sum()
        assert row["wins"] == won
        assert row[["wins", "losses", "ties", "nobody"]].sum() == 600
        share = (first[:, 0].mean() + second[:, 1].mean()) / 2
        mine = found.standings.set_index("policy").loc["random", "win_share"]
        assert mine == pytest.approx(share, abs=1e-12)

    def test_with_more_of_one_policy_at_the_table(self) -> None:
        found = tournament(GAME, TWO, players=3, deals=60, seed=2, resamples=20)
        gaps = []
        for members in ([0, 0, 1], [0, 1, 1]):
            for order in set(itertools.permutations(members)):
                x = shares([TWO[i] for i in order], 60, 2)
                seats = np.array(order)
                gaps.append(x[:, seats == 0].mean(axis=1) - x[:, seats == 1].mean(axis=1))
        assert found.arrangements == 6 and found.complete
        assert found.pairs.iloc[0]["difference"] == pytest.approx(np.mean(gaps), abs=1e-12)

    def test_all_in(self) -> None:
        names = ["random", "eager", "one-card"]
        found = tournament(
            GAME, names, mode="all-in", players=3, deals=40, arrangements=3, resamples=20
        )
        assert found.arrangements == 3 and not found.complete and found.games == 120
        matrix = found.matrix()
        assert np.allclose(np.nan_to_num(matrix + matrix.T), 0)
        total = found.standings["win_share"].sum()
        seats = [shares([names[i] for i in order], 40, 0).sum()
                 for order in arrangements([0, 1, 2], 3)]  # fmt: skip
        assert total == pytest.approx(sum(seats) / 120, abs=1e-12)

    def test_threads_change_nothing(self) -> None:
        one, two = (
            tournament(GAME, TWO, players=2, deals=2500, threads=n, resamples=30).as_dict()
            for n in (1, 2)
        )
        for found in (one, two):
            found.pop("elapsed_s")
        assert one == two

    def test_scores_of_king(self) -> None:
        found = tournament("king", ["random", "low"], variety="simple", deals=56, resamples=20)
        assert found.metrics == ("score", "win_share")
        assert set(found.pairs["name"]) == {"score", "win_share"}
        with pytest.raises(BadInput, match="value a seat"):
            tournament("king", ["random", "low"], deals=10, score="rate_slam")


class TestRatings:
    def test_the_better_policy_stands_higher(self) -> None:
        found = tournament(
            GAME, ["one-card", "random", "eager"], players=2, deals=400, resamples=100
        )
        ranks = found.standings
        assert ranks["policy"].tolist()[0] == "eager"
        assert ranks["rating"].is_monotonic_decreasing
        assert abs(ranks["rating"].sum()) < 1e-9
        assert (ranks["rating_low"] < ranks["rating"]).all()
        assert np.allclose(ranks["elo"], ranks["rating"] * 400 / np.log(10))

    def test_with_several_seats_the_winner_counts(self) -> None:
        found = tournament(GAME, ["random", "eager"], players=4, deals=60, resamples=30)
        assert found.model.startswith("Plackett-Luce")
        assert found.standings.iloc[0]["policy"] == "eager"
        assert found.standings["rating"].notna().all()

    def test_a_single_deal_has_no_interval(self) -> None:
        found = tournament(GAME, TWO, players=2, deals=1, resamples=10)
        assert found.pairs["se"].isna().all()
        json.dumps(found.as_dict(), allow_nan=False)


def test_it_shows_itself() -> None:
    found = tournament(GAME, TWO, players=2, deals=50, resamples=20)
    assert "<table" in found._repr_html_() and "round-robin" in repr(found)
    assert found.circles == []
    low = found.matrix(value="low").to_numpy(np.float64)
    assert low[0, 1] > 0 > low[1, 0]


@pytest.mark.parametrize(
    "options",
    [
        {"policies": ["random", "random"]},
        {"policies": ["random", "nobody"]},
        {"policies": TWO, "deals": 0},
        {"policies": TWO, "resamples": 1},
        {"policies": TWO, "score": "rate_out"},
        {"policies": TWO, "score": "cards_left"},
    ],
)
def test_bad_input(options: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        tournament(GAME, **{"players": 2, **options})
