"""Rates, means, ratios, strata and quantiles against scipy, statsmodels and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from simlib import stats
from simlib.stats import Estimate
from tests.stats.helpers import assert_interval, covers, number, pair_sums, share_covered, sums

VALUES = st.lists(st.integers(-50, 50), min_size=2, max_size=30)


class TestEstimate:
    def test_half_width_is_half_the_interval(self) -> None:
        assert Estimate(2.0, 0.5, 1.0, 4.0, 9).half_width == 1.5

    @pytest.mark.parametrize(("low", "high"), [(None, 1.0), (1.0, None), (1.0, math.inf)])
    def test_no_half_width_without_a_bounded_interval(
        self, low: float | None, high: float | None
    ) -> None:
        assert Estimate(1.0, None, low, high, 9).half_width is None

    def test_two_infinite_ends_do_not_give_nan(self) -> None:
        assert Estimate(math.inf, None, math.inf, math.inf, 9).half_width is None

    @pytest.mark.parametrize("place", range(4))
    def test_nan_is_refused(self, place: int) -> None:
        estimate, se, low, high = (math.nan if i == place else 0.0 for i in range(4))
        with pytest.raises(ValueError, match="never NaN"):
            Estimate(estimate, se, low, high, 3)

    def test_as_dict_has_the_keys_of_run_json(self) -> None:
        found = Estimate(0.5, None, None, None, 1).as_dict()
        assert found == {"estimate": 0.5, "se": None, "low": None, "high": None, "n": 1}

    def test_an_interval_is_cut_to_the_range_of_its_values(self) -> None:
        shares = stats.mean(3, 60, 3600, scale=60)  # 1, 0, 0
        assert shares.low is not None and shares.low < 0 and (shares.high or 0) > 1
        cut = shares.within(0, 1)
        assert (cut.low, cut.high) == (0.0, 1.0)
        assert (cut.estimate, cut.se, cut.n) == (shares.estimate, shares.se, 3)
        assert stats.mean(3, 6, 30).within(0, None).high == stats.mean(3, 6, 30).high
        inside = stats.mean(1000, 500, 500)
        assert inside.within(0, 1) == inside

    def test_a_share_without_spread_has_the_interval_of_a_rate(self) -> None:
        for total, hits in ((0, 0), (40 * 60, 40)):
            found = stats.mean(40, total, total * 60, scale=60).within(0, 1)
            rate = stats.wilson(hits, 40)
            assert (found.low, found.high) == pytest.approx((rate.low, rate.high))
            assert found.se == 0
        gap = stats.mean(40, -40, 40).within(-1, 1)
        assert gap.low == -1.0
        assert gap.high == pytest.approx(-1 + 2 * (stats.wilson(0, 40).high or 0))
        constant = stats.mean(40, 80, 160)
        assert constant.within(0, None) == constant

    def test_equal_values_inside_the_range_do_not_rule_out_others(self) -> None:
        found = stats.mean(40, 40, 40, scale=4).within(0, 1)  # a quarter each
        unseen = stats.wilson(0, 40).high or 0
        assert found.low == pytest.approx(0.25 * (1 - unseen))
        assert found.high == pytest.approx(0.25 + 0.75 * unseen)

    def test_nothing_is_made_up_for_one_value(self) -> None:
        assert stats.mean(1, 0, 0).within(0, 1) == stats.mean(1, 0, 0)
        assert stats.mean(0, 0, 0).within(0, 1) == stats.mean(0, 0, 0)


class TestWilson:
    @pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
    @pytest.mark.parametrize(("hits", "n"), [(0, 2), (2, 2), (1, 7), (50, 10_000), (3, 10**9)])
    def test_equals_statsmodels(self, hits: int, n: int, level: float) -> None:
        low, high = proportion_confint(hits, n, 1 - level, "wilson")
        found = stats.wilson(hits, n, level=level)
        assert_interval(found, low, high)
        assert found.estimate == hits / n
        assert found.se == pytest.approx(math.sqrt(hits * (n - hits) / n**3))

    def test_ends_exactly_at_zero_and_one(self) -> None:
        for n in (2, 3, 7, 10, 999, 10**12):
            assert stats.wilson(0, n).low == 0.0
            assert stats.wilson(n, n).high == 1.0

    def test_nothing_is_known_of_no_game_and_little_of_one(self) -> None:
        assert stats.wilson(0, 0) == Estimate(None, None, None, None, 0)
        assert stats.wilson(1, 1) == Estimate(1.0, None, None, None, 1)

    @given(st.integers(2, 10**15), st.floats(0, 1), st.floats(0.01, 0.9999))
    def test_interval_holds_the_estimate_and_stays_a_share(
        self, n: int, share: float, level: float
    ) -> None:
        found = stats.wilson(min(n, int(share * n)), n, level=level)
        low, p, high = number(found.low), number(found.estimate), number(found.high)
        assert 0.0 <= low <= p <= high <= 1.0

    @given(st.integers(2, 10**6), st.floats(0, 1))
    def test_failures_mirror_successes(self, n: int, share: float) -> None:
        hits = int(share * n)
        one, other = stats.wilson(hits, n), stats.wilson(n - hits, n)
        assert number(one.low) == pytest.approx(1 - number(other.high), abs=1e-12)

    @pytest.mark.parametrize("hits", [-1, 4])
    def test_impossible_counts_are_refused(self, hits: int) -> None:
        with pytest.raises(ValueError, match="successes"):
            stats.wilson(hits, 3)

    def test_float_counts_are_refused(self) -> None:
        with pytest.raises(TypeError, match="successes must be a whole number"):
            stats.wilson(2.0, 3)  # type: ignore[arg-type]

    @pytest.mark.parametrize("level", [0.0, 1.0, -1.0, math.nan])
    def test_levels_outside_are_refused(self, level: float) -> None:
        with pytest.raises(ValueError, match="level"):
            stats.wilson(1, 3, level=level)

    @pytest.mark.parametrize("p", [0.005, 0.1, 0.5])
    def test_covers(self, p: float) -> None:
        n = 4000
        seen = np.arange(n + 1)
        chances = scipy.stats.binom.pmf(seen, n, p)
        likely = seen[chances > 1e-12]
        inside = [covers(stats.wilson(int(hits), n), p) for hits in likely]
        assert 0.94 < chances[likely][inside].sum() < 0.96


class TestMean:
    @given(VALUES, st.sampled_from([0.8, 0.95, 0.99]))
    def test_equals_scipy(self, values: list[int], level: float) -> None:
        found = stats.mean(*sums(values), level=level)
        se = np.std(values, ddof=1) / math.sqrt(len(values))
        assert found.estimate == pytest.approx(np.mean(values))
        assert found.se == pytest.approx(se, abs=1e-12)
        if se > 0:
            low, high = scipy.stats.t.interval(level, len(values) - 1, np.mean(values), se)
            assert_interval(found, low, high)

    def test_by_hand(self) -> None:
        found = stats.mean(4, 10, 30)  # 1, 2, 3, 4: s² = 5/3, se² = 5/12, t(3) = 3.1824
        assert found.se == pytest.approx(math.sqrt(5 / 12))
        assert found.half_width == pytest.approx(3.182446 * math.sqrt(5 / 12), rel=1e-6)

    def test_two_values(self) -> None:
        found = stats.mean(2, 1, 1)  # 0 and 1: t(1) = 12.7062
        assert (found.estimate, found.se) == (0.5, 0.5)
        assert found.high == pytest.approx(0.5 + 12.706205 / 2)

    def test_equal_values_have_no_width(self) -> None:
        assert stats.mean(5, -15, 45) == Estimate(-3.0, 0.0, -3.0, -3.0, 5)

    def test_nothing_is_known_of_no_game_and_little_of_one(self) -> None:
        assert stats.mean(0, 0, 0) == Estimate(None, None, None, None, 0)
        assert stats.mean(1, 7, 49) == Estimate(7.0, None, None, None, 1)

    def test_no_cancellation_beside_a_huge_level(self) -> None:
        level = 10**17  # its square is far beyond what a float keeps
        values = [level, level + 1, level + 2, level + 3]
        found = stats.mean(*sums(values))
        assert found.se == math.sqrt(5 / 12)

    def test_int64_scalars_do_not_overflow(self) -> None:
        n, total, squares = 10**8, 2 * 10**16, 4 * 10**18
        with pytest.raises(ValueError, match="sum of squares"):
            stats.mean(np.int64(n), np.int64(total * 2), np.int64(squares))
        found = stats.mean(np.int64(n), np.int64(10**13), np.int64(squares))
        assert found.se == pytest.approx(math.sqrt((4e10 - 1e10) / 1e8), rel=1e-6)

    @given(VALUES)
    def test_scale_divides(self, values: list[int]) -> None:
        plain, scaled = stats.mean(*sums(values)), stats.mean(*sums(values), scale=60)
        assert scaled.estimate == pytest.approx(number(plain.estimate) / 60)
        assert scaled.se == pytest.approx(number(plain.se) / 60)

    @pytest.mark.parametrize("bad", [(3, 10, 30), (1, 2, 5), (0, 1, 1), (0, 0, 1), (-1, 0, 0)])
    def test_impossible_sums_are_refused(self, bad: tuple[int, int, int]) -> None:
        with pytest.raises(ValueError):
            stats.mean(*bad)

    def test_covers(self) -> None:
        rng = np.random.default_rng(1)
        draws = rng.binomial(3, 0.3, size=(4000, 12))
        found = (stats.mean(*sums(row.tolist())) for row in draws)
        assert 0.935 < share_covered(found, 0.9) < 0.965


class TestHistogram:
    @given(VALUES)
    def test_equals_the_mean_of_the_values(self, values: list[int]) -> None:
        distinct = sorted(set(values))
        counts = [values.count(v) for v in distinct]
        assert stats.mean_from_histogram(distinct, counts) == stats.mean(*sums(values))
        assert stats.histogram_moments(np.array(distinct), np.array(counts)) == sums(values)

    def test_empty(self) -> None:
        assert stats.mean_from_histogram([], []).estimate is None
        assert stats.mean_from_histogram([4, 5], [0, 0]).n == 0

    def test_columns_of_unequal_length_are_refused(self) -> None:
        with pytest.raises(ValueError, match="same length"):
            stats.mean_from_histogram([1, 2], [3])

    def test_negative_counts_are_refused(self) -> None:
        with pytest.raises(ValueError, match="counts must be at least 0"):
            stats.mean_from_histogram([1, 2], [3, -1])


class TestRatio:
    def test_by_hand(self) -> None:
        # R = 6/6, residuals -1, 1, 0: se² = 3 * 2 / (2 * 36)
        found = stats.ratio(*pair_sums([0, 3, 3], [1, 2, 3]))
        assert found.estimate == 1.0
        assert found.se == pytest.approx(math.sqrt(3 * 2 / (2 * 36)))
        assert found.half_width == pytest.approx(4.302653 * math.sqrt(1 / 12), rel=1e-6)

    @given(VALUES, st.integers(1, 7))
    def test_with_equal_denominators_it_is_the_mean(self, values: list[int], size: int) -> None:
        found = stats.ratio(*pair_sums(values, [size] * len(values)))
        plain = stats.mean(*sums(values), scale=size)
        assert found.estimate == plain.estimate
        assert found.se == pytest.approx(plain.se, rel=1e-9, abs=1e-15)

    @given(st.lists(st.tuples(st.integers(-9, 9), st.integers(1, 9)), min_size=2, max_size=20))
    def test_equals_the_residual_formula(self, pairs: list[tuple[int, int]]) -> None:
        x, y = [a for a, _ in pairs], [b for _, b in pairs]
        found = stats.ratio(*pair_sums(x, y), scale=2)
        r = sum(x) / sum(y)
        scatter = sum((a - r * b) ** 2 for a, b in pairs)
        n = len(pairs)
        assert found.estimate == pytest.approx(r / 2, abs=1e-12)
        assert found.se == pytest.approx(math.sqrt(n / (n - 1) * scatter) / sum(y) / 2, abs=1e-9)

    def test_edges(self) -> None:
        assert stats.ratio(0, 0, 0, 0, 0, 0) == Estimate(None, None, None, None, 0)
        assert stats.ratio(1, 3, 2, 9, 6, 4) == Estimate(1.5, None, None, None, 1)
        assert stats.ratio(2, 3, 0, 5, 0, 0) == Estimate(None, None, None, None, 2)

    def test_impossible_sums_are_refused(self) -> None:
        with pytest.raises(ValueError, match="sxy"):
            stats.ratio(2, 2, 2, 2, 5, 2)

    def test_covers(self) -> None:
        rng = np.random.default_rng(2)
        inside = 0
        for _ in range(1000):  # matches of 3 to 9 deals, each deal worth 2 on average
            y = rng.integers(3, 10, size=60)
            x = rng.poisson(2.0 * y)
            found = stats.ratio(*pair_sums(x.tolist(), y.tolist()))
            inside += covers(found, 2.0)
        assert 930 < inside < 970


class TestStratified:
    def test_one_stratum_is_the_mean(self) -> None:
        found, plain = stats.stratified([(4, 10, 30)]), stats.mean(4, 10, 30)
        assert found.estimate == plain.estimate
        assert_interval(found, plain.low, plain.high)

    def test_by_hand(self) -> None:
        # means 1/2 and 10 1/2, both s² = 1/3 * (4 * 1/4) = 1/3
        strata = [(4, 2, 2), (4, 42, 442)]
        found = stats.stratified(strata)
        assert found.estimate == 5.5
        assert found.se == pytest.approx(math.sqrt(2 * 0.25 * (1 / 3) / 4))
        # equal variances and sizes: Satterthwaite's degrees of freedom are 3 + 3
        assert found.half_width == pytest.approx(2.446912 * math.sqrt(1 / 24), rel=1e-6)
        pooled = stats.mean(8, 44, 444)
        assert number(found.se) < number(pooled.se) / 5

    def test_the_default_weights_give_the_mean_of_the_run(self) -> None:
        strata = [(3, 6, 20), (9, 9, 11), (0, 0, 0)]
        assert stats.stratified(strata).estimate == pytest.approx(15 / 12)

    def test_weights_are_normalised(self) -> None:
        strata = [(3, 6, 20), (9, 9, 11)]
        one, other = stats.stratified(strata, [1, 3]), stats.stratified(strata, [0.25, 0.75])
        assert one == other
        assert one.estimate == 1.25

    def test_edges(self) -> None:
        assert stats.stratified([]) == Estimate(None, None, None, None, 0)
        assert stats.stratified([(0, 0, 0)]) == Estimate(None, None, None, None, 0)
        assert stats.stratified([(3, 6, 20), (0, 0, 0)], [1, 1]).estimate is None
        assert stats.stratified([(3, 6, 20), (0, 0, 0)], [1, 0]).estimate == 2.0
        single = stats.stratified([(3, 6, 20), (1, 4, 16)], [1, 1])
        assert single == Estimate(3.0, None, None, None, 4)
        equal = stats.stratified([(3, 6, 12), (2, 8, 32)], [1, 1])
        assert equal == Estimate(3.0, 0.0, 3.0, 3.0, 5)

    @pytest.mark.parametrize("weights", [[1], [0, 0], [1, -1], [1, math.nan]])
    def test_bad_weights_are_refused(self, weights: list[float]) -> None:
        with pytest.raises(ValueError, match="weights"):
            stats.stratified([(3, 6, 20), (2, 8, 32)], weights)

    def test_covers(self) -> None:
        rng = np.random.default_rng(13)
        inside = 0
        for _ in range(1000):
            strata = [sums(rng.poisson(m, size=8).tolist()) for m in (1, 5, 30)]
            inside += covers(stats.stratified(strata), 12)
        assert 930 < inside < 970


class TestQuantile:
    @given(VALUES, st.integers(1, 99))
    def test_equals_numpys_inverted_cdf(self, values: list[int], percent: int) -> None:
        distinct = sorted(set(values))
        found = stats.quantile(distinct, [values.count(v) for v in distinct], percent / 100)
        # Numpy's own 0.07 * 100 is a little above 7: ask it half a step below.
        q = percent / 100 - 1e-9
        assert found.estimate == np.quantile(values, q, method="inverted_cdf")

    def test_interval_by_hand(self) -> None:
        # B(10, 1/2): P(B <= 1) = 0.0107, P(B <= 2) = 0.0547: from X(2) to X(9)
        found = stats.quantile(range(1, 11), [1] * 10, 0.5)
        assert found == Estimate(5.0, None, 2.0, 9.0, 10)

    def test_interval_is_the_narrowest_with_that_much_outside(self) -> None:
        n, q = 57, 0.3
        found = stats.quantile(range(1, n + 1), [1] * n, q, level=0.9)
        low, high = number(found.low), number(found.high)
        cdf = scipy.stats.binom(n, q).cdf
        assert cdf(low - 1) < 0.05 <= cdf(low)
        assert 1 - cdf(high - 1) <= 0.05 < 1 - cdf(high - 2)

    def test_a_small_sample_has_no_ends(self) -> None:
        found = stats.quantile([1, 2, 3], [1, 1, 1], 0.5)
        assert found == Estimate(2.0, None, None, None, 3)
        upper = stats.quantile(range(1, 21), [1] * 20, 0.95)
        assert upper.low is not None and upper.high is None

    def test_order_and_empty_bins_do_not_matter(self) -> None:
        assert stats.quantile([3, 1, 2], [10, 80, 0], 0.8) == stats.quantile([1, 3], [80, 10], 0.8)

    def test_endless_games_have_infinite_length(self) -> None:
        found = stats.quantile([5, 9, math.inf], [10, 30, 60], 0.5)
        assert found.estimate == math.inf and found.half_width is None
        early = stats.quantile([5, 9, math.inf], [10, 45, 45], 0.5)
        assert (early.estimate, early.low, early.high) == (9.0, 9.0, math.inf)

    def test_edges(self) -> None:
        assert stats.quantile([], [], 0.5) == Estimate(None, None, None, None, 0)
        assert stats.quantile([4], [1], 0.5) == Estimate(4.0, None, None, None, 1)
        assert stats.quantile([4], [10**12], 0.5) == Estimate(4.0, None, 4.0, 4.0, 10**12)
        with pytest.raises(ValueError, match="q must lie"):
            stats.quantile([4], [1], 1.0)
        with pytest.raises(ValueError, match="NaN"):
            stats.quantile([math.nan], [1], 0.5)

    def test_covers(self) -> None:
        rng = np.random.default_rng(4)
        truth = scipy.stats.geom(0.05).ppf(0.9)
        inside = 0
        for _ in range(300):
            values, counts = np.unique(rng.geometric(0.05, size=400), return_counts=True)
            inside += covers(stats.quantile(values, counts, 0.9), truth)
        assert inside >= 280
