"""Rates over strata: the error within them alone, and an interval that covers."""

from __future__ import annotations

import math

import numpy as np
import pytest

from simlib.simulate import simulate
from simlib.stats import stratified_rate, wilson
from simlib.stats.stopping import RateSums, StratifiedRateSums


def test_what_lies_between_the_strata_is_no_error() -> None:
    found = stratified_rate([(30, 100), (90, 100)])
    assert found.estimate == pytest.approx(0.6)
    assert found.se == pytest.approx(math.sqrt((0.3 * 0.7 + 0.9 * 0.1) / 100) / 2)
    plain = wilson(120, 200)
    assert found.half_width is not None and plain.half_width is not None
    assert found.half_width < plain.half_width


def test_weights_count_not_the_sizes_of_unequal_strata() -> None:
    assert stratified_rate([(1, 2), (0, 8)], [0.5, 0.5]).estimate == 0.25
    assert stratified_rate([(1, 2), (0, 8)]).estimate == 0.1


@pytest.mark.parametrize("hits", [0, 100])
def test_strata_that_agree_on_nothing_or_all_have_wilsons_interval(hits: int) -> None:
    assert stratified_rate([(hits, 100), (hits, 100)]) == wilson(2 * hits, 200)
    assert stratified_rate([(hits, 100)]) == wilson(hits, 100)


def test_one_game_a_stratum_tells_of_no_error() -> None:
    found = stratified_rate([(1, 1), (0, 1)])
    assert (found.estimate, found.se, found.low, found.n) == (0.5, None, None, 2)
    assert stratified_rate([(1, 2), (0, 0)]).estimate == 0.5
    assert stratified_rate([(1, 2), (0, 0)], [1, 1]).estimate is None


@pytest.mark.parametrize(
    ("shares", "size"),
    [((0.0, 0.0, 1.0, 0.3), 40), ((0.02, 0.5), 100), ((0.01, 0.0, 0.0), 150), ((0.9, 1.0), 30)],
)
def test_the_interval_covers(shares: tuple[float, ...], size: int) -> None:
    rng = np.random.default_rng(5)
    truth = float(np.mean(shares))
    drawn = rng.binomial(size, shares, size=(4000, len(shares)))
    found = [stratified_rate([(int(x), size) for x in row]) for row in drawn]
    covered = np.mean([one.low <= truth <= one.high for one in found])  # type: ignore[operator]
    assert 0.93 <= covered <= 1.0
    spread = np.std([one.estimate for one in found])  # type: ignore[arg-type]
    squares = np.mean([one.se**2 for one in found])  # type: ignore[operator]
    assert math.sqrt(squares) == pytest.approx(spread, rel=0.1)


def test_a_run_that_cycles_has_such_rates() -> None:
    runs = [simulate("king", games=420, seed=seed) for seed in range(60)]
    rates = [run.figure("rate_slam").estimate() for run in runs]
    spread = np.std([rate.estimate for rate in rates])  # type: ignore[arg-type]
    mean_se = float(np.mean([rate.se for rate in rates]))  # type: ignore[arg-type]
    assert mean_se == pytest.approx(spread, rel=0.35)
    pooled = [math.sqrt(r.estimate * (1 - r.estimate) / 420) for r in rates]  # type: ignore[operator]
    assert mean_se < 0.7 * np.mean(pooled)  # which would be most of it


def test_a_rare_success_is_not_believed_at_once() -> None:
    few = StratifiedRateSums((RateSums(0, 5000), RateSums(3, 5000)))
    half = few.estimate().half_width
    assert half is not None
    assert not few.is_settled(half * 1.01)
    many = StratifiedRateSums((RateSums(0, 5000), RateSums(300, 5000)))
    half = many.estimate().half_width
    assert half is not None and many.is_settled(half * 1.01) and not many.is_settled(half * 0.99)
