"""Differences of figures on the same units, against other formulas and other packages."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from simlib.stats import Estimate, mean, paired_difference, ratio, stratified
from simlib.stats.pairs import paired_rate_difference, ratio_contrast

A, B = [3, 1, 4, 1, 5, 9, 2, 6], [2, 7, 1, 8, 2, 8, 1, 8]
Y, Z = [1, 1, 0, 1, 1, 1, 0, 1], [1, 0, 0, 1, 1, 1, 1, 1]


def products(*columns: list[int]) -> list[list[int]]:
    """Return the sums of products of the columns 1, v1, v2, …"""
    rows = np.vstack([np.ones(len(columns[0]), np.int64), np.array(columns, np.int64)])
    return [[int(value) for value in row] for row in rows @ rows.T]


def same(found: Estimate, wanted: Estimate) -> None:
    """Check that two estimates are equal but for rounding."""
    assert found.n == wanted.n
    for name in ("estimate", "se", "low", "high"):
        assert getattr(found, name) == pytest.approx(getattr(wanted, name), abs=1e-12)


def test_one_mean_is_the_mean() -> None:
    found = ratio_contrast([products(A)], [(1, 1, 0)], scale=60)
    same(found, mean(8, sum(A), sum(a * a for a in A), scale=60))


def test_one_ratio_is_the_ratio() -> None:
    y = [1, 2, 3, 1, 2, 2, 1, 4]
    found = ratio_contrast([products(A, y)], [(1, 1, 2)], level=0.9)
    xy, yy = sum(a * b for a, b in zip(A, y, strict=True)), sum(b * b for b in y)
    same(found, ratio(8, sum(A), sum(y), sum(a * a for a in A), xy, yy, level=0.9))


def test_a_difference_of_means_is_the_paired_difference() -> None:
    found = ratio_contrast([products(A, B)], [(1, 1, 0), (-1, 2, 0)])
    m = products(A, B)
    same(found, paired_difference(8, m[0][1], m[0][2], m[1][1], m[1][2], m[2][2]))
    test = scipy_stats.ttest_rel(A, B).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((test.low, test.high))


def test_strata_are_the_stratified_mean() -> None:
    parts = [A[:3], A[3:]]
    found = ratio_contrast([products(part) for part in parts], [(1, 1, 0)])
    same(found, stratified([(len(p), sum(p), sum(a * a for a in p)) for p in parts]))


def test_a_difference_of_ratios_is_near_the_jackknife() -> None:
    rng = np.random.default_rng(1)
    n = 400
    y, z = rng.integers(0, 2, n), rng.integers(0, 2, n)
    base = rng.integers(0, 30, n)
    x, w = (base + rng.integers(0, 9, n)) * y, (base + rng.integers(0, 9, n)) * z
    columns = [list(map(int, column)) for column in (x, y, w, z)]
    found = ratio_contrast([products(*columns)], [(1, 1, 2), (-1, 3, 4)])
    left_out = [
        (x.sum() - x[i]) / (y.sum() - y[i]) - (w.sum() - w[i]) / (z.sum() - z[i]) for i in range(n)
    ]
    jackknife = math.sqrt((n - 1) / n * np.sum((left_out - np.mean(left_out)) ** 2))
    assert found.estimate == pytest.approx(x.sum() / y.sum() - w.sum() / z.sum())
    assert found.se == pytest.approx(jackknife, rel=0.02)


def test_merged_matrices_are_those_of_the_whole() -> None:
    parts = [products(A[:3], B[:3]), products(A[3:], B[3:])]
    whole = [[a + b for a, b in zip(*rows, strict=True)] for rows in zip(*parts, strict=True)]
    assert whole == products(A, B)


def test_what_is_not_known_is_none() -> None:
    assert ratio_contrast([], [(1, 1, 0)]).estimate is None
    assert ratio_contrast([products([5])], [(1, 1, 0)]) == Estimate(5.0, None, None, None, 1)
    nobody = ratio_contrast([products([0, 0], [0, 0])], [(1, 1, 2)])
    assert nobody == Estimate(None, None, None, None, 2)


def test_impossible_sums_are_refused() -> None:
    with pytest.raises(ValueError, match="no 2 units"):
        ratio_contrast([[[2, 10], [10, 3]]], [(1, 1, 0)])
    with pytest.raises(TypeError):
        ratio_contrast([[[2, 1.5], [1.5, 3]]], [(1, 1, 0)])


def test_a_paired_rate_has_agresti_and_mins_interval() -> None:
    n, b, c = 100, 15, 7
    found = paired_rate_difference(n, b, c)
    # half a pair in each of the four cells
    p_b, p_c, more = (b + 0.5) / (n + 2), (c + 0.5) / (n + 2), n + 2
    reach = 1.959963984540054 * math.sqrt((p_b + p_c - (p_b - p_c) ** 2) / more)
    assert found.estimate == pytest.approx(0.08)
    assert (found.low, found.high) == pytest.approx((p_b - p_c - reach, p_b - p_c + reach))
    d = [1] * b + [-1] * c + [0] * (n - b - c)
    assert found.se == pytest.approx(np.std(d, ddof=1) / math.sqrt(n))


def test_no_differing_pair_does_not_say_that_there_is_none() -> None:
    found = paired_rate_difference(240_100, 0, 0)
    assert found.estimate == 0.0
    assert found.se == 0.0
    assert found.low is not None and found.low < 0 < (found.high or 0.0) < 1e-4


def test_the_interval_of_a_paired_rate_covers_the_truth() -> None:
    rng = np.random.default_rng(7)
    p_b, p_c, n = 0.03, 0.01, 300
    hits = 0
    for b, c, _ in rng.multinomial(n, [p_b, p_c, 1 - p_b - p_c], 1000):
        found = paired_rate_difference(n, int(b), int(c))
        assert found.low is not None and found.high is not None
        hits += found.low <= p_b - p_c <= found.high
    assert 0.935 <= hits / 1000 <= 0.985


def test_more_differing_pairs_than_pairs_are_refused() -> None:
    with pytest.raises(ValueError, match="of only 3"):
        paired_rate_difference(3, 2, 2)
