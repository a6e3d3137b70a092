"""Differences, paired and independent, and families of them."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep

from simlib import stats
from simlib.stats import Estimate
from tests.stats.helpers import assert_interval, covers, number, pair_sums, sums

PAIRS = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=2, max_size=20)


class TestPairedDifference:
    @given(PAIRS)
    def test_equals_the_mean_of_differences(self, pairs: list[tuple[int, int]]) -> None:
        a, b = [x for x, _ in pairs], [y for _, y in pairs]
        gaps = [x - y for x, y in pairs]
        assert stats.difference_moments(*pair_sums(a, b)) == sums(gaps)
        found = stats.paired_difference(*pair_sums(a, b), scale=3)
        assert found == stats.mean(*sums(gaps), scale=3)

    def test_interval_equals_scipys_paired_t(self) -> None:
        a, b = [5, 7, 3, 9, 4], [4, 5, 4, 6, 1]
        reference = scipy.stats.ttest_rel(a, b).confidence_interval(0.95)
        found = stats.paired_difference(*pair_sums(a, b))
        assert_interval(found, reference.low, reference.high)

    def test_the_same_games_differ_by_exactly_nothing(self) -> None:
        found = stats.paired_difference(*pair_sums([1, 5, 2], [1, 5, 2]))
        assert found == Estimate(0.0, 0.0, 0.0, 0.0, 3)

    def test_edges(self) -> None:
        assert stats.paired_difference(0, 0, 0, 0, 0, 0).estimate is None
        assert stats.paired_difference(1, 3, 1, 9, 3, 1) == Estimate(2.0, None, None, None, 1)
        with pytest.raises(ValueError):
            stats.paired_difference(2, 2, 2, 2, 9, 2)


class TestIndependentDifference:
    def test_equals_scipys_welch(self) -> None:
        a, b = [5, 7, 3, 9, 4, 4], [4, 15, 4, 6, 1, 22, 8, 0]
        reference = scipy.stats.ttest_ind(a, b, equal_var=False).confidence_interval(0.9)
        found = stats.independent_difference(sums(a), sums(b), level=0.9)
        assert_interval(found, reference.low, reference.high)
        assert found.n == 6

    def test_edges(self) -> None:
        assert stats.independent_difference((0, 0, 0), (3, 3, 5)).estimate is None
        assert stats.independent_difference((1, 4, 16), (2, 2, 4)) == Estimate(
            3.0, None, None, None, 1
        )
        constant = stats.independent_difference((2, 4, 8), (3, 3, 3))
        assert constant == Estimate(1.0, 0.0, 1.0, 1.0, 2)


class TestRateDifference:
    @pytest.mark.parametrize("counts", [(56, 70, 48, 80), (0, 10, 0, 20), (10, 10, 0, 20)])
    def test_equals_statsmodels(self, counts: tuple[int, int, int, int]) -> None:
        low, high = confint_proportions_2indep(*counts, method="newcomb", compare="diff")
        found = stats.rate_difference(*counts)
        assert_interval(found, low, high)

    def test_the_published_example(self) -> None:
        found = stats.rate_difference(56, 70, 48, 80)  # Newcombe 1998, table II (a)
        assert found.low == pytest.approx(0.0524, abs=5e-5)
        assert found.high == pytest.approx(0.3339, abs=5e-5)

    def test_edges(self) -> None:
        assert stats.rate_difference(0, 0, 1, 2).estimate is None
        assert stats.rate_difference(1, 1, 1, 2) == Estimate(0.5, None, None, None, 1)


class TestVarianceRatio:
    def test_by_hand(self) -> None:
        # a = 0, 2, 4 (s² = 4), b = 0, 1, 5 (s² = 7), a - b = 0, 1, -1 (s² = 1)
        assert stats.variance_ratio(*pair_sums([0, 2, 4], [0, 1, 5])) == pytest.approx(11.0)
        assert stats.games_saved(3, 11.0) == 30

    def test_independent_pairs_save_nothing(self) -> None:
        rng = np.random.default_rng(5)
        a, b = rng.integers(0, 9, size=(2, 20_000)).tolist()
        assert stats.variance_ratio(*pair_sums(a, b)) == pytest.approx(1.0, abs=0.03)

    def test_it_is_what_an_independent_comparison_would_need(self) -> None:
        rng = np.random.default_rng(6)
        common = rng.integers(0, 50, size=5000)
        a, b = (common + rng.integers(0, 5, size=(2, 5000))).tolist()
        found = stats.variance_ratio(*pair_sums(a, b))
        paired = stats.paired_difference(*pair_sums(a, b))
        apart = stats.independent_difference(sums(a), sums(b))
        assert found == pytest.approx((number(apart.se) / number(paired.se)) ** 2)
        assert number(found) > 50

    def test_edges(self) -> None:
        assert stats.variance_ratio(*pair_sums([1, 2], [1, 2])) is None
        assert stats.variance_ratio(1, 2, 1, 4, 2, 1) is None
        assert stats.variance_ratio(0, 0, 0, 0, 0, 0) is None
        assert stats.games_saved(3, None) is None
        assert stats.games_saved(100, 0.5) == -50  # pairing did harm


class TestMinimumDetectableDifference:
    def test_the_power_is_reached(self) -> None:
        smallest = number(stats.minimum_detectable_difference(2.0, level=0.9, power=0.7))
        reach = scipy.stats.norm.ppf(0.95) * 2.0
        assert scipy.stats.norm(smallest, 2.0).sf(reach) == pytest.approx(0.7)

    def test_edges(self) -> None:
        assert stats.minimum_detectable_difference(None) is None
        assert stats.minimum_detectable_difference(0.0) == 0.0
        half = stats.minimum_detectable_difference(1.0, power=0.5)
        assert half == pytest.approx(1.959964)
        with pytest.raises(ValueError, match="power"):
            stats.minimum_detectable_difference(1.0, power=1.0)
        with pytest.raises(ValueError, match="standard error"):
            stats.minimum_detectable_difference(-1.0)


class TestZScore:
    def test_combines_the_errors(self) -> None:
        a, b = Estimate(10.0, 3.0, None, None, 9), Estimate(5.0, 4.0, None, None, 9)
        assert stats.z_score(a, b) == 1.0
        assert stats.z_score(b, a) == -1.0

    def test_a_known_value_has_no_error(self) -> None:
        assert stats.z_score(Estimate(10.0, 2.0, None, None, 9), 4.0) == 3.0

    def test_edges(self) -> None:
        exact = Estimate(1.0, 0.0, 1.0, 1.0, 9)
        assert stats.z_score(exact, exact) == 0.0
        assert stats.z_score(exact, 2.0) == -math.inf
        assert stats.z_score(Estimate(1.0, None, None, None, 1), exact) is None
        assert stats.z_score(exact, Estimate(None, None, None, None, 0)) is None


class TestFamilies:
    @settings(max_examples=20)  # the reference is slow
    @given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
    def test_holm_equals_statsmodels(self, pvalues: list[float]) -> None:
        reference = multipletests(pvalues, method="holm")[1]
        assert stats.holm(pvalues) == pytest.approx(reference.tolist(), abs=1e-12)

    def test_holm_by_hand(self) -> None:
        assert stats.holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])

    def test_a_test_that_was_not_made_is_no_member(self) -> None:
        assert stats.holm([None, 0.02, None, 0.5]) == [None, 0.04, None, 0.5]
        assert stats.holm([]) == []

    @pytest.mark.parametrize("p", [-0.1, 1.1, math.nan])
    def test_holm_refuses_what_is_no_probability(self, p: float) -> None:
        with pytest.raises(ValueError, match="p-values"):
            stats.holm([0.5, p])

    def test_bonferroni(self) -> None:
        assert stats.bonferroni_level(1) == pytest.approx(0.95)
        assert stats.bonferroni_level(10, level=0.9) == pytest.approx(0.99)
        with pytest.raises(ValueError, match="comparisons"):
            stats.bonferroni_level(0)

    def test_bonferroni_covers_all_at_once(self) -> None:
        rng = np.random.default_rng(7)
        level = stats.bonferroni_level(5)
        whole = 0
        for _ in range(600):
            found = [
                stats.mean(*sums(row.tolist()), level=level) for row in rng.poisson(4, (5, 40))
            ]
            whole += all(covers(estimate, 4) for estimate in found)
        assert whole > 0.93 * 600
