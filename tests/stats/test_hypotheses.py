"""Seats, counts and shuffles: statistics by hand, and sizes of the tests by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from simlib import stats
from simlib.stats import ChiSquare
from tests.stats.helpers import number


def seat_sums(games: NDArray[np.int64]) -> tuple[int, list[int], list[list[int]]]:
    """Sums of an array (games, seats)."""
    return len(games), games.sum(axis=0).tolist(), (games.T @ games).tolist()


def winners(rng: np.random.Generator, chances: list[float], n: int) -> NDArray[np.int64]:
    """Win shares in sixtieths; the last chance is that nobody wins."""
    seats = len(chances) - 1
    table = np.vstack([60 * np.eye(seats, dtype=np.int64), np.zeros((1, seats), dtype=np.int64)])
    return table[rng.choice(seats + 1, size=n, p=chances)]


class TestSeats:
    def test_two_seats_by_hand(self) -> None:
        # 60 : 40 of 100 games. d = 0.2, s² = (1 - 0.04) 100/99, W = 100 d² / s²
        found = stats.seats_test(100, [60, 40], [[60, 0], [0, 40]])
        assert found.statistic == pytest.approx(100 * 0.04 / (0.96 * 100 / 99))
        assert found.p == pytest.approx(scipy.stats.chi2.sf(4.125, 1))
        assert (found.df, found.n) == (1, 100)

    @given(st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3), min_size=8, max_size=30))
    def test_equals_the_textbook_formula(self, rows: list[list[int]]) -> None:
        games = np.array(rows)
        contrasts = np.array([[1, -1, 0], [0, 1, -1]])  # any basis gives the same statistic
        spread = contrasts @ np.cov(games.T) @ contrasts.T
        if np.linalg.cond(spread) > 1e6:
            return
        gaps = contrasts @ games.mean(axis=0)
        found = stats.seats_test(*seat_sums(games))
        assert found.statistic == pytest.approx(len(games) * gaps @ np.linalg.solve(spread, gaps))
        assert found.df == 2

    def test_shares_that_sum_to_one_keep_their_degrees_of_freedom(self) -> None:
        rng = np.random.default_rng(1)
        games = winners(rng, [0.25, 0.25, 0.25, 0.25, 0.0], 4000)
        found = stats.seats_test(*seat_sums(games))
        assert found.df == 3
        # Pearson's test of the same hypothesis agrees for large n.
        pearson = scipy.stats.chisquare(games.sum(axis=0) / 60)
        assert found.statistic == pytest.approx(pearson.statistic, rel=0.05)

    def test_the_unit_does_not_matter(self) -> None:
        games = np.random.default_rng(2).integers(0, 9, size=(50, 4))
        one, other = stats.seats_test(*seat_sums(games)), stats.seats_test(*seat_sums(games * 60))
        assert one.statistic == pytest.approx(other.statistic)

    def test_seats_tied_to_each_other_lose_a_degree(self) -> None:
        games = np.random.default_rng(3).integers(0, 9, size=(50, 2))
        partners = np.column_stack([games[:, 0], games[:, 1], games[:, 0]])
        found = stats.seats_test(*seat_sums(partners))
        assert found.df == 1
        assert found.statistic == pytest.approx(stats.seats_test(*seat_sums(games)).statistic)

    def test_a_difference_without_variance_is_certain(self) -> None:
        always = np.zeros((50, 3), dtype=np.int64)
        always[:, 1] = 60
        assert stats.seats_test(*seat_sums(always)) == ChiSquare(math.inf, 0, 0.0, 50)

    def test_nobody_ever_wins(self) -> None:
        never = np.zeros((50, 3), dtype=np.int64)
        assert stats.seats_test(*seat_sums(never)) == ChiSquare(0.0, 0, 1.0, 50)

    def test_a_huge_common_level_costs_no_digits(self) -> None:
        games = np.random.default_rng(4).integers(0, 9, size=(60, 3))
        plain = stats.seats_test(*seat_sums(games))
        lifted = games.astype(object) + 10**15
        sums = lifted.sum(axis=0).tolist()
        products = [[int((a * b).sum()) for b in lifted.T] for a in lifted.T]
        assert stats.seats_test(60, sums, products).statistic == pytest.approx(plain.statistic)

    @pytest.mark.parametrize("n", [0, 1, 2, 3])
    def test_too_few_games(self, n: int) -> None:
        games = np.random.default_rng(5).integers(0, 9, size=(n, 3))
        assert stats.seats_test(*seat_sums(games)) == ChiSquare(None, 2, None, n)

    @pytest.mark.parametrize(
        ("totals", "products"),
        [
            ([1], [[1]]),
            ([1, 2], [[1, 0]]),
            ([1, 2], [[1, 0], [1, 2]]),
            ([50, 50], [[1, 0], [0, 1]]),
            ([5, 5], [[5, 90], [90, 5]]),
        ],
    )
    def test_impossible_sums_are_refused(
        self, totals: list[int], products: list[list[int]]
    ) -> None:
        with pytest.raises(ValueError):
            stats.seats_test(20, totals, products)

    def test_rejects_equal_seats_as_often_as_it_says(self) -> None:
        rng = np.random.default_rng(6)
        found = [
            stats.seats_test(*seat_sums(winners(rng, [0.2, 0.2, 0.2, 0.4], 400)))
            for _ in range(1500)
        ]
        ps = np.array([test.p for test in found])
        assert 0.035 < (ps < 0.05).mean() < 0.065
        assert np.mean([test.statistic for test in found]) == pytest.approx(2.0, abs=0.2)

    def test_sees_unequal_seats(self) -> None:
        games = winners(np.random.default_rng(7), [0.25, 0.2, 0.15, 0.4], 4000)
        assert number(stats.seats_test(*seat_sums(games)).p) < 1e-6


class TestUniform:
    def test_equals_scipy(self) -> None:
        counts = [18, 22, 25, 15]
        reference = scipy.stats.chisquare(counts)
        found = stats.uniform_test(counts)
        assert found.statistic == pytest.approx(reference.statistic)
        assert found.p == pytest.approx(reference.pvalue)
        assert (found.df, found.n) == (3, 80)

    def test_given_probabilities(self) -> None:
        # 30, 10 against 3 : 1
        assert stats.uniform_test([30, 10], [3, 1]) == ChiSquare(0.0, 1, 1.0, 40)

    def test_no_counts(self) -> None:
        assert stats.uniform_test([0, 0]) == ChiSquare(None, 1, None, 0)

    @pytest.mark.parametrize(
        ("counts", "expected"),
        [
            ([5], None),
            ([5, 5], [1.0]),
            ([5, 5], [1.0, 0.0]),
            ([5, 5], [1.0, math.inf]),
            ([5, -5], None),
        ],
    )
    def test_bad_input(self, counts: list[int], expected: list[float] | None) -> None:
        with pytest.raises(ValueError):
            stats.uniform_test(counts, expected)


class TestShuffle:
    @staticmethod
    def table(rng: np.random.Generator, k: int, n: int, biased: bool = False) -> NDArray[np.int64]:
        decks, rows = np.tile(np.arange(k), (n, 1)), np.arange(n)
        for place in range(k - 1, 0, -1):
            # Swapping with any place, not only those not yet settled, is the usual mistake.
            other = rng.integers(0, k if biased else place + 1, size=n)
            decks[rows, place], decks[rows, other] = decks[rows, other], decks[rows, place]
        counts = np.zeros((k, k), dtype=np.int64)
        np.add.at(counts, (decks.ravel(), np.tile(np.arange(k), n)), 1)
        return counts

    def test_two_cards_are_a_coin(self) -> None:
        found = stats.shuffle_test([[60, 40], [40, 60]])
        assert found.statistic == pytest.approx(4.0)
        assert found.p == pytest.approx(scipy.stats.chi2.sf(4, 1))
        assert (found.df, found.n) == (1, 100)

    def test_the_statistic_is_chi_square(self) -> None:
        rng = np.random.default_rng(8)
        found = [stats.shuffle_test(self.table(rng, 6, 200)) for _ in range(800)]
        assert found[0].df == 25
        values = np.array([test.statistic for test in found])
        assert values.mean() == pytest.approx(25, abs=1)
        assert values.var() == pytest.approx(50, rel=0.2)
        assert 0.03 < np.mean([number(test.p) < 0.05 for test in found]) < 0.07

    def test_a_biased_shuffle_fails(self) -> None:
        rng = np.random.default_rng(9)
        fair, biased = self.table(rng, 8, 30_000), self.table(rng, 8, 30_000, biased=True)
        assert number(stats.shuffle_test(fair).p) > 1e-3
        assert number(stats.shuffle_test(biased).p) < 1e-6

    def test_edges(self) -> None:
        assert stats.shuffle_test([[0, 0], [0, 0]]) == ChiSquare(None, 1, None, 0)
        for bad in ([[1]], [[1, 2]], [[1, 2], [3, 4]]):
            with pytest.raises(ValueError):
                stats.shuffle_test(bad)
