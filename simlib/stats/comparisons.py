"""Differences between two setups: paired on common deals, or independent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import SupportsIndex

from simlib.stats._lazy import LEVEL, check_level, normal_quantile, whole
from simlib.stats.estimates import (
    Estimate,
    Moments,
    check_moments,
    interval,
    mean,
    wilson,
)
from simlib.stats.strata import satterthwaite


def difference_moments(
    n: SupportsIndex,
    sa: SupportsIndex,
    sb: SupportsIndex,
    saa: SupportsIndex,
    sab: SupportsIndex,
    sbb: SupportsIndex,
) -> Moments:
    """Return the moments of a - b from the sums of the pairs (a, b).

    Parameters
    ----------
    n : int
        Number of pairs.
    sa, sb, saa, sab, sbb : int
        Sums of a, b, a², ab and b².

    Returns
    -------
    Moments
        ``n``, ``sa - sb`` and ``saa - 2 sab + sbb``, exactly.
    """
    a, _ = check_moments(n, sa, saa)
    b, _ = check_moments(n, sb, sbb)
    cross = whole(sab, "sab")
    return check_moments(a.n, a.total - b.total, a.squares - 2 * cross + b.squares)[0]


def paired_difference(
    n: SupportsIndex,
    sa: SupportsIndex,
    sb: SupportsIndex,
    saa: SupportsIndex,
    sab: SupportsIndex,
    sbb: SupportsIndex,
    *,
    scale: SupportsIndex = 1,
    level: float = LEVEL,
) -> Estimate:
    """Estimate the mean of a - b over pairs from common deals.

    Parameters
    ----------
    n : int
        Number of pairs (deals that both setups played).
    sa, sb, saa, sab, sbb : int
        Sums of a, b, a², ab and b², values in units of 1 / scale. For a rate the values
        are 0 and 1 and `sab` counts the deals where both show the feature.
    scale : int
        The values are whole multiples of 1 / scale.
    level : float
        Confidence level; for several differences see `bonferroni_level`.

    Returns
    -------
    Estimate
        `mean` of the differences d = a - b: ``Σd = sa - sb``, ``Σd² = saa - 2 sab + sbb``.

    References
    ----------
    A. M. Law (2015), Simulation Modeling and Analysis, 5th edition, section 11.2
    (common random numbers).

    Examples
    --------
    >>> paired_difference(3, 6, 3, 14, 8, 5).estimate  # a = 1, 2, 3 and b = 0, 1, 2
    1.0
    """
    return mean(*difference_moments(n, sa, sb, saa, sab, sbb), scale=scale, level=level)


def independent_difference(
    a: tuple[int, int, int],
    b: tuple[int, int, int],
    *,
    scale: SupportsIndex = 1,
    level: float = LEVEL,
) -> Estimate:
    """Estimate mean(a) - mean(b) of two independent samples, by Welch.

    Parameters
    ----------
    a, b : (n, total, squares)
        Sums of each sample, in units of 1 / scale.
    scale : int
        The values are whole multiples of 1 / scale.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        ``se² = se_a² + se_b²``, t with the Welch-Satterthwaite degrees of freedom; `n` is
        the size of the smaller sample.

    References
    ----------
    B. L. Welch (1947), The generalization of Student's problem when several different
    population variances are involved. Biometrika 34, 28-35.
    """
    first, second = mean(*a, scale=scale, level=level), mean(*b, scale=scale, level=level)
    n = min(first.n, second.n)
    if first.estimate is None or second.estimate is None:
        return Estimate(None, None, None, None, n)
    gap = first.estimate - second.estimate
    if first.se is None or second.se is None:
        return Estimate(gap, None, None, None, n)
    errors = [first.se**2, second.se**2]
    df = satterthwaite(errors, [first.n, second.n])
    return interval(gap, math.hypot(first.se, second.se), df, n, level)


def rate_difference(
    successes_a: SupportsIndex,
    n_a: SupportsIndex,
    successes_b: SupportsIndex,
    n_b: SupportsIndex,
    *,
    level: float = LEVEL,
) -> Estimate:
    """Estimate the difference of two independent rates, by Newcombe.

    Parameters
    ----------
    successes_a, n_a, successes_b, n_b : int
        Games that show the feature, and all games, of each setup.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        ``p_a - p_b``; with the Wilson intervals (l, u) of both, from
        ``d - sqrt((p_a - l_a)² + (u_b - p_b)²)`` to
        ``d + sqrt((u_a - p_a)² + (p_b - l_b)²)``; `n` is that of the smaller sample.

    References
    ----------
    R. G. Newcombe (1998), Interval estimation for the difference between independent
    proportions: comparison of eleven methods. Statistics in Medicine 17, 873-890
    (method 10).
    """
    a, b = wilson(successes_a, n_a, level=level), wilson(successes_b, n_b, level=level)
    n = min(a.n, b.n)
    if a.estimate is None or b.estimate is None:
        return Estimate(None, None, None, None, n)
    gap = a.estimate - b.estimate
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return Estimate(gap, None, None, None, n)
    below = math.hypot(a.estimate - a.low, b.high - b.estimate)
    above = math.hypot(a.high - a.estimate, b.estimate - b.low)
    return Estimate(gap, math.hypot(a.se or 0.0, b.se or 0.0), gap - below, gap + above, n)


def variance_ratio(
    n: SupportsIndex,
    sa: SupportsIndex,
    sb: SupportsIndex,
    saa: SupportsIndex,
    sab: SupportsIndex,
    sbb: SupportsIndex,
) -> float | None:
    """Return how many independent games of each setup one pair is worth.

    Parameters
    ----------
    n, sa, sb, saa, sab, sbb : int
        As in `paired_difference`.

    Returns
    -------
    float or None
        ``(s_a² + s_b²) / s_(a-b)²``, which is ``1 / (1 - correlation)`` for equal
        variances; below 1 where pairing did harm. ``None`` for fewer than two pairs, and
        where all differences are equal (no finite number of games is worth that).

    References
    ----------
    A. M. Law (2015), Simulation Modeling and Analysis, 5th edition, section 11.2.
    """
    _, scatter_a = check_moments(n, sa, saa)
    _, scatter_b = check_moments(n, sb, sbb)
    _, scatter = check_moments(*difference_moments(n, sa, sb, saa, sab, sbb))
    return None if scatter == 0 else (scatter_a + scatter_b) / scatter


def games_saved(n: SupportsIndex, ratio: float | None) -> int | None:
    """Return how many games of each setup pairing saved.

    Parameters
    ----------
    n : int
        Number of pairs played.
    ratio : float or None
        From `variance_ratio`.

    Returns
    -------
    int or None
        ``n (ratio - 1)``, rounded: independent setups would need ``n ratio`` games each
        for the same error. Negative where pairing did harm.
    """
    pairs = whole(n, "n", 0)
    return None if ratio is None else round(pairs * (ratio - 1.0))


def minimum_detectable_difference(
    se: float | None, *, level: float = LEVEL, power: float = 0.8
) -> float | None:
    """Return the smallest true difference that an experiment would have shown.

    Parameters
    ----------
    se : float or None
        Standard error of the estimated difference, paired or not.
    level : float
        Confidence level of the interval that must leave out zero.
    power : float
        Probability with which it does.

    Returns
    -------
    float or None
        ``(z(1 - (1 - level)/2) + z(power)) se``; ``None`` without a standard error.

    References
    ----------
    J. M. Lachin (1981), Introduction to sample size determination and power analysis for
    clinical trials. Controlled Clinical Trials 2, 93-113.

    Examples
    --------
    >>> round(minimum_detectable_difference(1.0), 3)
    2.802
    """
    check_level(level)
    if not 0.5 <= power < 1.0:
        raise ValueError(f"power must be at least 0.5 and below 1, not {power}")
    if se is None:
        return None
    if not (se >= 0 and math.isfinite(se)):
        raise ValueError(f"a standard error is not negative: {se}")
    reach = normal_quantile(2 * power - 1) if power > 0.5 else 0.0
    return (normal_quantile(level) + reach) * se


def z_score(a: Estimate, b: Estimate | float) -> float | None:
    """Return by how many combined standard errors two figures differ.

    Parameters
    ----------
    a : Estimate
        A figure with its error.
    b : Estimate or float
        An independent figure with its error, or a value known exactly.

    Returns
    -------
    float or None
        ``(a - b) / sqrt(se_a² + se_b²)``; ``None`` if a figure or its error is unknown.
        Without any error 0 for equal figures, else infinite with the sign of a - b.
    """
    other = b if isinstance(b, Estimate) else Estimate(float(b), 0.0, None, None, 0)
    if a.estimate is None or other.estimate is None or a.se is None or other.se is None:
        return None
    gap, se = a.estimate - other.estimate, math.hypot(a.se, other.se)
    if se > 0:
        return gap / se
    return math.copysign(math.inf, gap) if gap else 0.0


def holm(pvalues: Sequence[float | None]) -> list[float | None]:
    """Adjust p-values of a family of tests by Holm's step-down method.

    Parameters
    ----------
    pvalues : sequence of float or None
        ``None`` stands for a test that could not be made: it stays ``None`` and does not
        count as a member of the family.

    Returns
    -------
    list of float or None
        In the given order: the i-th smallest of m becomes
        ``max over j <= i of min(1, (m - j + 1) p(j))``. Reject where it is at most 1 - level.

    References
    ----------
    S. Holm (1979), A simple sequentially rejective multiple test procedure. Scandinavian
    Journal of Statistics 6, 65-70.

    Examples
    --------
    >>> holm([0.01, None, 0.04])
    [0.02, None, 0.04]
    """
    made = sorted((p, i) for i, p in enumerate(pvalues) if p is not None)
    if not all(0.0 <= p <= 1.0 for p, _ in made):
        raise ValueError("p-values must lie between 0 and 1")
    adjusted: list[float | None] = [None] * len(pvalues)
    worst = 0.0
    for rank, (p, place) in enumerate(made):
        worst = max(worst, min(1.0, (len(made) - rank) * p))
        adjusted[place] = worst
    return adjusted


def bonferroni_level(comparisons: SupportsIndex, *, level: float = LEVEL) -> float:
    """Return the level of each of several intervals that shall hold all at once.

    Parameters
    ----------
    comparisons : int
        Number of intervals in the family, at least 1.
    level : float
        Level of the whole family.

    Returns
    -------
    float
        ``1 - (1 - level) / comparisons``.

    References
    ----------
    O. J. Dunn (1961), Multiple comparisons among means. JASA 56, 52-64.
    """
    return 1.0 - (1.0 - check_level(level)) / whole(comparisons, "comparisons", 1)
