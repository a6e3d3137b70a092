"""Tests of whole hypotheses: all seats equal, counts uniform, shuffles unbiased."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from simlib.stats._lazy import scipy_special, scipy_stats, whole, wholes

RANK_TOLERANCE = 1e-10
"""Eigenvalues below this share of the largest count as zero; the sums are exact."""


class ChiSquare(NamedTuple):
    """Result of a test whose statistic is chi-square distributed under the hypothesis.

    Attributes
    ----------
    statistic : float or None
        ``None`` without enough data; infinite where the data contradict the hypothesis
        without any error (then p is 0).
    df : int
        Degrees of freedom.
    p : float or None
        Probability of a statistic at least as large.
    n : int
        Number of observations.
    """

    statistic: float | None
    df: int
    p: float | None
    n: int


def _upper_tail(statistic: float, df: int) -> float:
    return float(scipy_special().chdtrc(df, statistic))


def seats_test(
    n: SupportsIndex,
    totals: Iterable[SupportsIndex],
    cross_products: Iterable[Iterable[SupportsIndex]],
) -> ChiSquare:
    """Test that all seats equal each other, by Wald with the seats' covariance.

    The hypothesis is not "each seat has 1/k": a share of games has no winner.

    Parameters
    ----------
    n : int
        Number of games.
    totals : k integers
        Sum of each seat's value (win shares in sixtieths, scores): any common unit.
    cross_products : k x k integers
        Sums over games of value of seat i times value of seat j.

    Returns
    -------
    ChiSquare
        With the seats' means m, their sample covariance S and the (k-1) x k matrix C of
        orthonormal contrasts: ``W = n (C m)' (C S C')⁺ (C m)``, `df` the rank of C S C',
        which is k - 1 unless seats are tied to each other. Shares that always sum to one
        make S singular, but not C S C'. Where a contrast has no variance and is not zero
        the statistic is infinite. ``None`` for n <= k.

    References
    ----------
    A. Wald (1943), Tests of statistical hypotheses concerning several parameters when the
    number of observations is large. Transactions of the AMS 54, 426-482.

    Examples
    --------
    >>> seats_test(100, [50, 50], [[50, 0], [0, 50]])
    ChiSquare(statistic=0.0, df=1, p=1.0, n=100)
    """
    games, sums = whole(n, "n", 0), wholes(totals, "totals")
    products = [wholes(row, "cross_products") for row in cross_products]
    k = len(sums)
    if k < 2 or len(products) != k or any(len(row) != k for row in products):
        raise ValueError("seats_test needs k >= 2 totals and k x k cross products")
    if any(products[i][j] != products[j][i] for i in range(k) for j in range(i)):
        raise ValueError("cross products must be symmetric")
    if games <= k:
        return ChiSquare(None, k - 1, None, games)
    covariance = _covariance(games, sums, products)
    contrasts = _contrasts(k)
    # From the first seat's total, so that a common level costs no digits.
    gaps = contrasts @ np.array([(t - sums[0]) / games for t in sums])
    return _wald(games, gaps, contrasts @ covariance @ contrasts.T)


def _covariance(
    n: int, sums: Sequence[int], products: Sequence[Sequence[int]]
) -> NDArray[np.float64]:
    """Return the sample covariance, its numerators in exact integers."""
    k, divisor = len(sums), n * (n - 1)
    rows = [
        [(n * products[i][j] - sums[i] * sums[j]) / divisor for j in range(k)] for i in range(k)
    ]
    if any(rows[i][i] < 0 for i in range(k)):
        raise ValueError(f"no {n} games have these sums and cross products")
    return np.array(rows, dtype=np.float64)


def _contrasts(k: int) -> NDArray[np.float64]:
    """Return Helmert's k - 1 orthonormal contrasts of k values."""
    rows = np.zeros((k - 1, k))
    for i in range(1, k):
        rows[i - 1, :i] = 1.0
        rows[i - 1, i] = -i
        rows[i - 1] /= math.sqrt(i * (i + 1))
    return rows


def _wald(n: int, gaps: NDArray[np.float64], covariance: NDArray[np.float64]) -> ChiSquare:
    """Return the Wald test that `gaps` are zero, by the pseudo-inverse of `covariance`."""
    values, vectors = np.linalg.eigh(covariance)
    if values[0] < -1e-8 * max(abs(values[-1]), 1e-300):
        raise ValueError(f"no {n} games have these sums and cross products")
    kept = values > RANK_TOLERANCE * max(values[-1], 0.0)
    along = vectors.T @ gaps
    rank = int(kept.sum())
    if np.any(np.abs(along[~kept]) > 1e-9 * (1e-300 + float(np.abs(gaps).max()))):
        return ChiSquare(math.inf, rank, 0.0, n)
    if rank == 0:
        return ChiSquare(0.0, 0, 1.0, n)
    statistic = float(n * np.sum(along[kept] ** 2 / values[kept]))
    return ChiSquare(statistic, rank, _upper_tail(statistic, rank), n)


def uniform_test(
    counts: Iterable[SupportsIndex], expected: Sequence[float] | None = None
) -> ChiSquare:
    """Test counts against equal, or given, probabilities by Pearson's chi-square.

    Parameters
    ----------
    counts : iterable of int
        How often each of at least two outcomes was seen. The chi-square distribution is
        good from about five expected in each.
    expected : sequence of float, optional
        Probability of each outcome, positive, normalised to sum 1; equal by default.

    Returns
    -------
    ChiSquare
        ``Σ (observed - expected)² / expected``, one degree of freedom less than outcomes.

    References
    ----------
    K. Pearson (1900), On the criterion that a given system of deviations ... is such that
    it can be reasonably supposed to have arisen from random sampling. Philosophical
    Magazine 50, 157-175. Computed by `scipy.stats.chisquare`.
    """
    seen = wholes(counts, "counts", 0)
    chances = np.ones(len(seen)) if expected is None else np.asarray(expected, dtype=np.float64)
    if len(seen) < 2 or chances.shape != (len(seen),):
        raise ValueError("uniform_test needs two or more counts, and a probability for each")
    if not (np.all(chances > 0) and np.all(np.isfinite(chances))):
        raise ValueError("probabilities must be positive and finite")
    n = sum(seen)
    if n == 0:
        return ChiSquare(None, len(seen) - 1, None, 0)
    result = scipy_stats().chisquare(np.array(seen, dtype=float), n * (chances / chances.sum()))
    return ChiSquare(float(result.statistic), len(seen) - 1, float(result.pvalue), n)


def shuffle_test(table: Iterable[Iterable[SupportsIndex]]) -> ChiSquare:
    """Test that a shuffle puts every card in every place equally often.

    Parameters
    ----------
    table : k x k integers
        Entry (i, j) counts the shuffles that put card i in place j: every row and every
        column sums to the number of shuffles.

    Returns
    -------
    ChiSquare
        ``(k - 1)/k Σ (observed - n/k)² / (n/k)`` with (k - 1)² degrees of freedom. The
        factor belongs there: the cells of one shuffle are a permutation matrix, their
        covariance is ``(I - J/k) ⊗ (I - J/k) / (k - 1)``, not that of independent draws.

    Raises
    ------
    ValueError
        If the table is not square or its rows and columns do not all have the same sum.

    References
    ----------
    W. Hoeffding (1951), A combinatorial central limit theorem. Annals of Mathematical
    Statistics 22, 558-566 (covariance of the cells).
    """
    cells = [wholes(row, "table", 0) for row in table]
    k = len(cells)
    if k < 2 or any(len(row) != k for row in cells):
        raise ValueError("shuffle_test needs a square table of two or more cards")
    sums = {sum(row) for row in cells} | {sum(column) for column in zip(*cells, strict=True)}
    if len(sums) != 1:
        raise ValueError("each card and each place must have been seen once a shuffle")
    n, df = sums.pop(), (k - 1) ** 2
    if n == 0:
        return ChiSquare(None, df, None, 0)
    # Σ (k o - n)² / (n k) is Σ (o - n/k)² / (n/k), in whole numbers
    scatter = sum((k * seen - n) ** 2 for row in cells for seen in row)
    statistic = scatter * (k - 1) / (n * k * k)
    return ChiSquare(statistic, df, _upper_tail(statistic, df), n)
