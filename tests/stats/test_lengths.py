"""Lengths of games that may never end (KG-12): at risk for ever, or censored at the cap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlib import stats
from simlib.stats import Estimate, Incidence
from tests.stats.helpers import covers

TURNS = [3, 5, 5, 7, 20, 2, 20]
ENDINGS = ["out", "out", "deadlock", "out", "deadlock", "endless", "truncated"]
COUNTS = [10, 20, 5, 5, 1, 50, 9]

TABLES = st.lists(
    st.tuples(
        st.integers(0, 30),
        st.sampled_from(["out", "deadlock", "endless", "truncated"]),
        st.integers(0, 50),
    ),
    max_size=20,
)


def columns(rows: list[tuple[int, str, int]]) -> tuple[list[int], list[str], list[int]]:
    """Columns of a histogram whose truncated games all stopped at the cap 30."""
    turns = [30 if ending == "truncated" else turn for turn, ending, _ in rows]
    return turns, [ending for _, ending, _ in rows], [count for _, _, count in rows]


def shares(found: Incidence, ending: str) -> list[float | None]:
    return [share.estimate for share in found.curves[ending]]


class TestCumulativeIncidence:
    def test_by_hand(self) -> None:
        found = stats.cumulative_incidence(TURNS, ENDINGS, COUNTS)
        assert found.n == 100
        assert found.turns == (0, 3, 5, 7, 20)
        assert shares(found, "out") == [0.0, 0.1, 0.3, 0.35, 0.35]
        assert shares(found, "deadlock") == [0.0, 0.0, 0.05, 0.05, 0.06]
        assert found.endless == stats.wilson(50, 100)
        assert found.truncated == stats.wilson(9, 100)

    def test_the_bands_are_wilsons(self) -> None:
        found = stats.cumulative_incidence(TURNS, ENDINGS, COUNTS, level=0.8)
        assert found.curves["out"][2] == stats.wilson(30, 100, level=0.8)

    @given(TABLES)
    def test_all_shares_sum_to_one_at_the_cap(self, rows: list[tuple[int, str, int]]) -> None:
        found = stats.cumulative_incidence(*columns(rows), cap=30)
        if found.n == 0:
            assert found.endless.estimate is None
            return
        last = [curve[-1].estimate or 0.0 for curve in found.curves.values()]
        total = sum(last) + (found.endless.estimate or 0.0) + (found.truncated.estimate or 0.0)
        assert total == pytest.approx(1.0)
        assert found.turns[-1] == 30

    @given(TABLES)
    def test_curves_never_fall(self, rows: list[tuple[int, str, int]]) -> None:
        found = stats.cumulative_incidence(*columns(rows), cap=30)
        for curve in found.curves.values():
            hits = [share.estimate or 0.0 for share in curve]
            assert hits == sorted(hits)

    def test_the_turn_of_the_proof_does_not_matter(self) -> None:
        one = stats.cumulative_incidence([4, 9], ["out", "endless"], [5, 5])
        other = stats.cumulative_incidence([4, -1], ["out", "endless"], [5, 5])
        assert one == other
        assert one.turns == (0, 4)

    def test_equals_the_aalen_johansen_product(self) -> None:
        found = stats.cumulative_incidence(TURNS, ENDINGS, COUNTS)
        at_risk, alive, out = 100, 1.0, 0.0
        for turn, hits, others in [(3, 10, 0), (5, 20, 5), (7, 5, 0), (20, 0, 1)]:
            out += alive * hits / at_risk
            alive *= 1 - (hits + others) / at_risk
            at_risk -= hits + others
            assert shares(found, "out")[found.turns.index(turn)] == pytest.approx(out)

    def test_a_wanted_grid(self) -> None:
        found = stats.cumulative_incidence(TURNS, ENDINGS, COUNTS, at=[6, 4, 20])
        assert found.turns == (4, 6, 20)
        assert shares(found, "out") == [0.1, 0.3, 0.35]
        with pytest.raises(ValueError, match="nothing is known"):
            stats.cumulative_incidence(TURNS, ENDINGS, COUNTS, at=[21])

    def test_several_kinds_of_endless(self) -> None:
        found = stats.cumulative_incidence(
            [2, 3, 4], ["out", "orphans", "cycle"], [1, 1, 2], endless=["orphans", "cycle"]
        )
        assert found.endless.estimate == 0.75
        assert list(found.curves) == ["out"]

    def test_an_ending_not_seen_keeps_its_curve(self) -> None:
        found = stats.cumulative_incidence([3, 0], ["out", "deadlock"], [4, 0])
        assert shares(found, "deadlock") == [0.0, 0.0]

    def test_rows_are_tidy(self) -> None:
        rows = list(stats.cumulative_incidence(TURNS, ENDINGS, COUNTS).rows())
        assert len(rows) == 10
        assert (rows[1].turn, rows[1].ending, rows[1].share.estimate) == (3, "out", 0.1)

    def test_edges(self) -> None:
        empty = stats.cumulative_incidence([], [], [])
        assert (empty.n, empty.curves, empty.turns) == (0, {}, (0,))
        single = stats.cumulative_incidence([3], ["out"], [1])
        assert single.curves["out"][1] == Estimate(1.0, None, None, None, 1)

    @pytest.mark.parametrize(
        ("turns", "endings", "cap"),
        [
            ([19, 20], ["truncated", "truncated"], None),
            ([19, 5], ["truncated", "out"], 20),
            ([21, 20], ["out", "truncated"], None),
            ([-1, 20], ["out", "truncated"], None),
        ],
    )
    def test_only_one_common_cap(
        self, turns: list[int], endings: list[str], cap: int | None
    ) -> None:
        with pytest.raises(ValueError, match="cap"):
            stats.cumulative_incidence(turns, endings, [1, 1], cap=cap)

    def test_bands_cover_a_known_curve(self) -> None:
        rng = np.random.default_rng(1)
        inside = 0
        for _ in range(400):  # half never end, the others after a geometric number of turns
            lengths = rng.geometric(0.1, size=200)
            endless = rng.random(200) < 0.5
            endings = np.where(endless, "endless", np.where(lengths > 15, "truncated", "out"))
            turns = np.minimum(lengths, 15)
            found = stats.cumulative_incidence(turns, endings.tolist(), [1] * 200, at=[5])
            inside += covers(found.curves["out"][0], 0.5 * (1 - 0.9**5))
        assert 365 < inside < 395


class TestMeanLengths:
    def test_given_that_it_ended(self) -> None:
        found = stats.turns_ended(TURNS, ENDINGS, COUNTS)
        expected = stats.mean_from_histogram([3, 5, 7, 20], [10, 25, 5, 1])
        assert found == expected
        assert found.n == 41

    def test_restricted_counts_all_games(self) -> None:
        found = stats.turns_restricted(TURNS, ENDINGS, COUNTS, cap=20)
        assert found == stats.mean_from_histogram([3, 5, 7, 20], [10, 25, 5, 60])
        assert found.n == 100

    @given(TABLES)
    def test_restricted_is_the_area_above_the_incidence(
        self, rows: list[tuple[int, str, int]]
    ) -> None:
        table = columns(rows)
        found = stats.turns_restricted(*table, cap=30)
        curves = stats.cumulative_incidence(*table, cap=30, at=range(30)).curves
        if found.estimate is None:
            return
        ended = sum(share.estimate or 0.0 for curve in curves.values() for share in curve)
        assert found.estimate == pytest.approx(30 - ended)

    def test_edges(self) -> None:
        never = stats.turns_ended([4], ["endless"], [7])
        assert never == Estimate(None, None, None, None, 0)
        assert stats.turns_restricted([], [], [], cap=9).estimate is None
        assert stats.turns_restricted([4], ["endless"], [7], cap=9).estimate == 9.0
        assert stats.turns_ended([4], ["out"], [1]) == Estimate(4.0, None, None, None, 1)
        assert stats.turns_ended([4, 5], ["out", "open"], [1, 1], truncated="open").n == 1
