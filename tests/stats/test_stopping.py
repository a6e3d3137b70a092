"""Stopping by precision: looks, guards, and that intervals still cover when stopped."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from simlib import stats
from simlib.stats import MeanSums, MetricSums, RateSums, RatioSums, StratifiedSums
from tests.stats.helpers import number, share_covered

Counts = NDArray[np.int64]


class TestLooks:
    def test_each_is_half_as_late_again(self) -> None:
        assert list(stats.looks(100_000)) == [
            10_000, 15_000, 22_500, 33_750, 50_625, 75_937, 100_000,
        ]  # fmt: skip

    @given(st.integers(0, 10**8), st.integers(1, 30_000))
    def test_whole_cycles_and_the_last_game(self, games: int, cycle: int) -> None:
        found = list(stats.looks(games, cycle=cycle))
        assert found == sorted(set(found))
        assert all(look % cycle == 0 for look in found[:-1])
        assert found[-1:] == ([games] if games else [])

    @pytest.mark.parametrize(("games", "expected"), [(0, []), (1, [1]), (10_000, [10_000])])
    def test_small_runs(self, games: int, expected: list[int]) -> None:
        assert list(stats.looks(games)) == expected

    def test_a_larger_run_looks_at_the_same_games(self) -> None:
        assert list(stats.looks(10**6))[:5] == list(stats.looks(10**8))[:5]


class TestRates:
    def test_with_fifty_of_each_the_wilson_interval_decides(self) -> None:
        sums = RateSums(50, 10_000)
        width = number(stats.wilson(50, 10_000).half_width)
        assert sums.is_settled(width * 1.0001)
        assert not sums.is_settled(width * 0.9999)

    def test_with_fewer_the_upper_bound_decides(self) -> None:
        few, mirror = RateSums(49, 10_000), RateSums(9951, 10_000)
        upper = number(stats.wilson(49, 10_000).high)
        careful = number(stats.wilson(round(upper * 10_000), 10_000).half_width)
        naive = number(few.estimate().half_width)
        assert careful > 1.1 * naive
        for sums in (few, mirror):
            assert not sums.is_settled(naive * 1.01)
            assert not sums.is_settled(careful * 0.99)
            assert sums.is_settled(careful * 1.01)

    def test_a_rate_never_seen_still_has_a_width(self) -> None:
        assert not RateSums(0, 10_000).is_settled(1e-4)
        assert RateSums(0, 10_000).is_settled(1e-3)
        assert RateSums(10_000, 10_000).is_settled(1e-3)

    @given(st.integers(2, 10**6), st.floats(0, 1), st.floats(1e-4, 0.5))
    def test_a_settled_rate_is_as_narrow_as_asked(self, n: int, share: float, width: float) -> None:
        sums = RateSums(int(share * n), n)
        if sums.is_settled(width):
            assert number(sums.estimate().half_width) <= width

    def test_too_little_to_say(self) -> None:
        assert not RateSums(0, 0).is_settled(10.0)
        assert not RateSums(1, 1).is_settled(10.0)


class TestMeans:
    def test_the_guard_counts_values_off_the_mode(self) -> None:
        for others, expected in [(199, False), (200, True)]:
            sums = MeanSums.from_histogram([0, 60], [10_000 - others, others], scale=60)
            assert sums.off_mode == others
            assert sums.is_settled(1.0) is expected

    def test_the_width_is_in_the_metrics_own_unit(self) -> None:
        sums = MeanSums.from_histogram([0, 60], [5000, 5000], scale=60)
        assert sums.is_settled(0.01) and not sums.is_settled(0.0097)

    def test_a_constant_never_settles(self) -> None:
        assert not MeanSums.from_histogram([7], [10**6]).is_settled(100.0)
        assert not MeanSums.from_histogram([], []).is_settled(100.0)

    def test_values_must_be_different(self) -> None:
        with pytest.raises(ValueError, match="different"):
            MeanSums.from_histogram([1, 1], [3, 4])

    def test_ratios(self) -> None:
        sums = RatioSums(400, 800, 400, 2000, 800, 400, off_mode=200)
        assert sums.estimate() == stats.mean(400, 800, 2000)
        assert sums.is_settled(0.1) and not sums.is_settled(0.09)
        assert not RatioSums(400, 800, 400, 2000, 800, 400, off_mode=199).is_settled(0.1)

    def test_strata_add_up_their_guards(self) -> None:
        part = MeanSums.from_histogram([0, 1], [300, 100])
        constant = MeanSums.from_histogram([5], [400])
        both = StratifiedSums((part, part, constant))
        assert both.is_settled(0.021) and not both.is_settled(0.01)
        assert not StratifiedSums((part, constant)).is_settled(0.1)
        weighted = StratifiedSums((part, part, constant), (1.0, 1.0, 2.0))
        assert weighted.estimate().estimate == pytest.approx(0.5 * 0.25 + 0.5 * 5)

    def test_strata_share_one_scale(self) -> None:
        with pytest.raises(ValueError, match="scale"):
            StratifiedSums((MeanSums(2, 1, 1, 1), MeanSums(2, 1, 1, 1, 60))).estimate()


class TestMayStop:
    good = RateSums(5000, 10_000)

    def test_all_must_pass(self) -> None:
        assert stats.may_stop([(self.good, 0.01), (self.good, 0.02)])
        assert not stats.may_stop([(self.good, 0.01), (self.good, 0.001)])
        assert not stats.may_stop([(self.good, 0.001), (self.good, 0.01)])

    def test_the_level_counts(self) -> None:
        assert not stats.may_stop([(self.good, 0.01)], level=0.99)

    @pytest.mark.parametrize("width", [0.0, -1.0, float("nan"), float("inf")])
    def test_bad_widths_are_refused_wherever_they_stand(self, width: float) -> None:
        with pytest.raises(ValueError, match="half_width"):
            stats.may_stop([(self.good, 0.001), (self.good, width)])

    def test_nothing_asked(self) -> None:
        with pytest.raises(ValueError, match="at least one"):
            stats.may_stop([])


def run(
    draw: Callable[[int], Counts], sums: Callable[[Counts], MetricSums], width: float
) -> tuple[stats.Estimate, int]:
    """Play until the precision is reached; return the estimate and the number of the look."""
    counts, last = draw(0), 0
    for visit, look in enumerate(stats.looks(10**7), 1):
        counts, last = counts + draw(look - last), look
        if stats.may_stop([(sums(counts), width)]):
            return sums(counts).estimate(), visit
    raise AssertionError("the run never reached its precision")


@pytest.mark.parametrize(
    ("values", "chances", "width"),
    [
        pytest.param(None, [0.995, 0.005], 0.0009, id="rate 0.005"),
        pytest.param(None, [0.5, 0.5], 0.0063, id="rate one half"),
        pytest.param([0, 100], [0.99, 0.01], 0.125, id="rare payoff"),
        pytest.param([0, 12, 15, 20, 30, 60], [0.4, 0.1, 0.1, 0.1, 0.1, 0.2], 0.3, id="win share"),
    ],
)
def test_a_stopped_interval_covers(
    values: list[int] | None, chances: list[float], width: float
) -> None:
    rng = np.random.default_rng(20)

    def sums(counts: Counts) -> MetricSums:
        if values is None:
            return RateSums(int(counts[1]), int(counts.sum()))
        return MeanSums.from_histogram(values, counts)

    truth = float(np.dot([0, 1] if values is None else values, chances))
    found = [run(lambda n: rng.multinomial(n, chances), sums, width) for _ in range(1200)]
    assert np.median([look for _, look in found]) >= 3
    assert 0.93 < share_covered((estimate for estimate, _ in found), truth) < 0.97
