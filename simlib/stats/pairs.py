"""Differences of figures that were measured on the same units, from sums of products.

The sufficient statistics are one matrix a stratum: the sums of products of the columns
``1, v1, v2, …`` over all units (games, or deals averaged over rotated seats). Entry (0, 0) is
the number of units, (0, i) the sum of column i. Matrices merge by addition.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, SupportsIndex

from simlib.stats._lazy import LEVEL, check_level, normal_quantile, whole
from simlib.stats.estimates import Estimate, interval
from simlib.stats.strata import satterthwaite

__all__ = ["Matrix", "Term", "paired_rate_difference", "ratio_contrast"]

#: Sums of products of the columns 1, v1, v2, …: whole numbers, symmetric.
Matrix = Any
#: (weight, x, y): ``weight Σ v_x / Σ v_y``; column 0 is the constant 1.
Term = tuple[int, int, int]


def ratio_contrast(
    strata: Sequence[Matrix],
    terms: Sequence[Term],
    *,
    scale: SupportsIndex = 1,
    level: float = LEVEL,
    enters: Sequence[int] = (),
) -> Estimate:
    """Estimate a weighted sum of ratios of totals, all measured on the same units.

    A paired difference of means is ``[(1, 1, 0), (-1, 2, 0)]``; of figures given an ending, or
    per deal inside matches, ``[(1, 1, 2), (-1, 3, 4)]``; one ratio alone ``[(1, 1, 2)]``.

    Parameters
    ----------
    strata : sequence of square matrices of int
        Sums of products of the columns ``1, v1, …, vk``; one matrix where the units are all
        alike.
    terms : sequence of (weight, x, y)
    scale : int
        The columns x are whole multiples of 1 / scale.
    level : float
        Confidence level.
    enters : sequence of int
        Columns that are 1 where a unit enters one of the ratios, else 0. Where units enter only
        some of the time, as few stand behind the figure as enter the rarest ratio.

    Returns
    -------
    Estimate
        By the delta method: with ``R_t = Σx_t / Σy_t`` and the residual of a unit
        ``e = Σ_t w_t (x_t - R_t y_t) n / Σy_t``, whose sum is zero,
        ``se² = Σ_h n_h s_h²(e) / n²`` over the strata h (what lies between them is no error),
        in exact fractions; t with n - 1, or Satterthwaite's, degrees of freedom. `n` is the
        number of units, or of those that enter. ``None`` if some Σy is zero; no error if fewer
        than two units enter.

    References
    ----------
    W. G. Cochran (1977), Sampling Techniques, 3rd edition, sections 2.11, 5.3, 6.11.
    A. M. Law (2015), Simulation Modeling and Analysis, 5th edition, section 11.2.

    Examples
    --------
    >>> ratio_contrast([[[3, 6, 3], [6, 14, 8], [3, 8, 5]]], [(1, 1, 0), (-1, 2, 0)]).estimate
    1.0
    """
    check_level(level)
    unit = whole(scale, "scale", 1)
    used = [_wholes(matrix) for matrix in strata if whole(matrix[0][0], "n", 0)]
    n = sum(matrix[0][0] for matrix in used)
    if n == 0:
        return Estimate(None, None, None, None, 0)
    size = len(used[0])
    sums = [sum(matrix[0][i] for matrix in used) for i in range(size)]
    few = min([n, *(sums[column] for column in enters)])
    value = Fraction(0)
    weights = [Fraction(0)] * size
    for weight, x, y in terms:
        if sums[y] == 0:
            return Estimate(None, None, None, None, few)
        share = Fraction(sums[x], sums[y])
        value += weight * share
        weights[x] += Fraction(weight * n, sums[y])
        weights[y] -= weight * share * Fraction(n, sums[y])
    centre = float(value / unit)
    if few == 1 or any(matrix[0][0] == 1 for matrix in used):
        return Estimate(centre, None, None, None, few)
    errors = [float(_error(matrix, weights) / (n * unit) ** 2) for matrix in used]
    variance = math.fsum(errors)
    sizes = [matrix[0][0] for matrix in used]
    freedom = n - 1.0 if len(used) == 1 else satterthwaite(errors, sizes)
    if few < n:  # the others say nothing of the spread
        if len(used) == 1:
            variance *= (few / (few - 1.0)) / (n / (n - 1.0))
        freedom = min(freedom, few - 1.0)
    return interval(centre, math.sqrt(variance), freedom, few, level)


def _wholes(matrix: Matrix) -> list[list[int]]:
    return [[whole(value, "a sum of products") for value in row] for row in matrix]


def _error(matrix: list[list[int]], weights: list[Fraction]) -> Fraction:
    """Return ``n s²`` of the weighted sum of the columns within one stratum."""
    n = matrix[0][0]
    used = [i for i, weight in enumerate(weights) if weight]
    total = sum((weights[i] * matrix[0][i] for i in used), Fraction(0))
    squares = sum((weights[i] * weights[j] * matrix[i][j] for i in used for j in used), Fraction(0))
    scatter = squares - total**2 / n
    if scatter < 0:
        raise ValueError(f"no {n} units have these sums of products")
    return scatter * n / (n - 1)


def paired_rate_difference(
    n: SupportsIndex, only_a: SupportsIndex, only_b: SupportsIndex, *, level: float = LEVEL
) -> Estimate:
    """Estimate the difference of two rates over the same games.

    Parameters
    ----------
    n : int
        Number of pairs.
    only_a, only_b : int
        Pairs in which only a, or only b, shows the feature.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        ``(only_a - only_b) / n`` with its standard error. The interval is Wald's with half a
        pair added to each of the four cells of the table, so that it has a width also where
        no pair differs: that none was seen does not say that there is none.

    References
    ----------
    A. Agresti and Y. Min (2005), Simple improved confidence intervals for comparing matched
    proportions. Statistics in Medicine 24, 729-740.

    Examples
    --------
    >>> found = paired_rate_difference(1000, 0, 0)
    >>> found.estimate, round(found.high, 4)
    (0.0, 0.002)
    """
    pairs = whole(n, "n", 0)
    a, b = whole(only_a, "only_a", 0), whole(only_b, "only_b", 0)
    check_level(level)
    if a + b > pairs:
        raise ValueError(f"{a} + {b} pairs differ, of only {pairs}")
    if pairs == 0:
        return Estimate(None, None, None, None, 0)
    gap = (a - b) / pairs
    if pairs == 1:
        return Estimate(gap, None, None, None, 1)
    se = math.sqrt((pairs * (a + b) - (a - b) ** 2) / (pairs**2 * (pairs - 1)))
    more = pairs + 2
    centre = (a - b) / more
    reach = normal_quantile(level) * math.sqrt(a + b + 1 - (a - b) ** 2 / more) / more
    # rounding apart the estimate lies inside; where nearly all pairs differ it may not
    low, high = max(-1.0, centre - reach), min(1.0, centre + reach)
    return Estimate(gap, se, min(low, gap), max(high, gap), pairs)
