"""Estimates with intervals from sufficient statistics: rates, means, ratios, quantiles.

Sums are exact integers. Values that are no whole numbers are kept as whole multiples of
``1 / scale`` (win shares in sixtieths: ``scale=60``), so that merged tables are equal to
the bit and a variance never suffers from cancellation.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import NamedTuple, SupportsIndex

from simlib.stats._lazy import (
    LEVEL,
    check_level,
    normal_quantile,
    same_length,
    scipy_stats,
    t_quantile,
    whole,
    wholes,
)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its error; what is not known is ``None``, never NaN.

    Attributes
    ----------
    estimate : float or None
        The figure; ``None`` without a single observation.
    se : float or None
        Standard error; ``None`` for fewer than two observations, and for figures whose
        interval does not come from one (quantiles).
    low, high : float or None
        Ends of the confidence interval; ``None`` for fewer than two observations.
    n : int
        Number of observations behind the figure (games, or deals with rotated seats).

    Raises
    ------
    ValueError
        If a number is NaN.
    """

    estimate: float | None
    se: float | None
    low: float | None
    high: float | None
    n: int

    def __post_init__(self) -> None:
        if any(x is not None and math.isnan(x) for x in (self.estimate, self.se)):
            raise ValueError("an estimate is a number or None, never NaN")
        if any(x is not None and math.isnan(x) for x in (self.low, self.high)):
            raise ValueError("an interval ends in numbers or None, never NaN")

    @property
    def half_width(self) -> float | None:
        """Half the length of the interval; ``None`` without a bounded interval."""
        if self.low is None or self.high is None or math.isinf(self.low + self.high):
            return None
        return (self.high - self.low) / 2

    def within(self, least: float | None, most: float | None, *, level: float = LEVEL) -> Estimate:
        """Return the same figure with its interval cut to the values that it can have.

        Parameters
        ----------
        least, most : float or None
            Range of the single values, and so of their mean; None: no such end.
        level : float
            Confidence level of the interval.

        Returns
        -------
        Estimate
            Where all n values were the same, a t interval of no width would claim that there are
            no others. With Wilson's upper bound u for something never seen in n, a share u of the
            values may lie at an end of the range: so far the mean may go, if both ends are known.

        Examples
        --------
        >>> mean(3, 1, 1).within(0, 1).low
        0.0
        >>> round(mean(3, 0, 0).within(0, 1).high, 2)
        0.56
        """
        if self.estimate is None or self.low is None or self.high is None:
            return self
        low = self.low if least is None else max(self.low, float(least))
        high = self.high if most is None else min(self.high, float(most))
        if (
            least is not None
            and most is not None
            and (self.low == self.high or self.estimate in (least, most))
        ):
            unseen = wilson_bounds(0.0, self.n, normal_quantile(level))[1]
            low = self.estimate - unseen * (self.estimate - least)
            high = self.estimate + unseen * (most - self.estimate)
        return replace(self, low=low, high=high)

    def as_dict(self) -> dict[str, float | int | None]:
        """Return ``{"estimate", "se", "low", "high", "n"}``."""
        return asdict(self)


class Moments(NamedTuple):
    """Sufficient statistics of a mean: number of values, sum, and sum of squares."""

    n: int
    total: int
    squares: int


def interval(estimate: float, se: float, df: float, n: int, level: float) -> Estimate:
    """Return the t interval ``estimate ± t(level, df) se``; of zero width if `se` is zero."""
    reach = t_quantile(level, df) * se if se > 0 else 0.0
    return Estimate(estimate, se, estimate - reach, estimate + reach, n)


def check_moments(
    n: SupportsIndex, total: SupportsIndex, squares: SupportsIndex
) -> tuple[Moments, int]:
    """Return exact moments and the scatter ``n squares - total²``.

    Raises
    ------
    ValueError
        If no `n` numbers have these sums, as after an overflow.
    """
    sums = Moments(whole(n, "n", 0), whole(total, "total"), whole(squares, "squares", 0))
    scatter = sums.n * sums.squares - sums.total**2
    impossible = scatter < 0 or (sums.n == 1 and scatter) or (sums.n == 0 and sums.squares)
    if impossible:
        raise ValueError(f"no {sums.n} values have sum {total} and sum of squares {squares}")
    return sums, scatter


def wilson_bounds(p: float, n: float, z: float) -> tuple[float, float]:
    """Return Wilson's interval for an observed share `p` of `n`, as two numbers in [0, 1]."""
    shrink = 1.0 + z * z / n
    centre = (p + z * z / (2 * n)) / shrink
    reach = z / shrink * math.sqrt(p * (1.0 - p) / n + (z / (2 * n)) ** 2)
    # p = 0 and p = 1 end exactly there; rounding must not say otherwise.
    return max(0.0, min(p, centre - reach)), min(1.0, max(p, centre + reach))


def wilson(successes: SupportsIndex, n: SupportsIndex, *, level: float = LEVEL) -> Estimate:
    """Estimate a rate, with Wilson's score interval.

    Parameters
    ----------
    successes, n : int
        Number of games that show the feature, and of all games.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        ``p = successes / n``, ``se = sqrt(p (1 - p) / n)`` and, with the normal quantile
        z, the interval ``(p + z²/2n ± z sqrt(p (1 - p)/n + z²/4n²)) / (1 + z²/n)``.

    Raises
    ------
    ValueError
        If there are more successes than games, or a number is negative.

    References
    ----------
    E. B. Wilson (1927), Probable inference, the law of succession, and statistical
    inference. JASA 22, 209-212.

    Examples
    --------
    >>> rate = wilson(0, 100)
    >>> rate.low, round(rate.high, 4)
    (0.0, 0.037)
    """
    hits, games = whole(successes, "successes", 0), whole(n, "n", 0)
    check_level(level)
    if hits > games:
        raise ValueError(f"{hits} successes in only {games} games")
    if games == 0:
        return Estimate(None, None, None, None, 0)
    p = hits / games
    if games == 1:
        return Estimate(p, None, None, None, 1)
    low, high = wilson_bounds(p, games, normal_quantile(level))
    if hits == 0:
        low = 0.0
    if hits == games:
        high = 1.0
    return Estimate(p, math.sqrt(p * (1.0 - p) / games), low, high, games)


def mean(
    n: SupportsIndex,
    total: SupportsIndex,
    squares: SupportsIndex,
    *,
    scale: SupportsIndex = 1,
    level: float = LEVEL,
) -> Estimate:
    """Estimate a mean, with Student's t interval.

    Parameters
    ----------
    n, total, squares : int
        Number of values, their sum and the sum of their squares, in units of 1 / scale.
    scale : int
        The values are whole multiples of 1 / scale.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        ``m = total / (n scale)``, ``se² = (n squares - total²) / (n² (n - 1) scale²)``
        computed in exact integers, ``m ± t(n - 1) se``.

    Raises
    ------
    ValueError
        If no `n` values have these sums.

    Notes
    -----
    If all values are equal the interval has no width. Stopping by precision does not
    believe it (`MeanSums`). Where the range of the values is known, see `Estimate.within`.

    References
    ----------
    Student (1908), The probable error of a mean. Biometrika 6, 1-25.

    Examples
    --------
    >>> mean(4, 10, 30).estimate  # 1, 2, 3, 4
    2.5
    """
    sums, scatter = check_moments(n, total, squares)
    unit = whole(scale, "scale", 1)
    check_level(level)
    if sums.n == 0:
        return Estimate(None, None, None, None, 0)
    centre = sums.total / (sums.n * unit)
    if sums.n == 1:
        return Estimate(centre, None, None, None, 1)
    se = math.sqrt(scatter / (sums.n**2 * (sums.n - 1) * unit**2))
    return interval(centre, se, sums.n - 1, sums.n, level)


def histogram_moments(values: Iterable[SupportsIndex], counts: Iterable[SupportsIndex]) -> Moments:
    """Return number, sum and sum of squares of a histogram, exactly.

    Parameters
    ----------
    values, counts : iterable of int
        Values (in any order, repeats allowed) and how often each was seen.

    Returns
    -------
    Moments

    Examples
    --------
    >>> histogram_moments([0, 1, 5], [7, 2, 1])
    Moments(n=10, total=7, squares=27)
    """
    xs, cs = wholes(values, "values"), wholes(counts, "counts", 0)
    same_length(values=xs, counts=cs)
    pairs = list(zip(xs, cs, strict=True))
    return Moments(sum(cs), sum(x * c for x, c in pairs), sum(x * x * c for x, c in pairs))


def mean_from_histogram(
    values: Iterable[SupportsIndex],
    counts: Iterable[SupportsIndex],
    *,
    scale: SupportsIndex = 1,
    level: float = LEVEL,
) -> Estimate:
    """Estimate a mean from a histogram of whole numbers; see `mean`.

    Parameters
    ----------
    values, counts : iterable of int
        Values in units of 1 / scale, and how often each was seen.
    scale : int
        The values are whole multiples of 1 / scale.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
    """
    return mean(*histogram_moments(values, counts), scale=scale, level=level)


def ratio(
    n: SupportsIndex,
    sx: SupportsIndex,
    sy: SupportsIndex,
    sxx: SupportsIndex,
    sxy: SupportsIndex,
    syy: SupportsIndex,
    *,
    scale: SupportsIndex = 1,
    level: float = LEVEL,
) -> Estimate:
    """Estimate a ratio of means Σx / Σy by the delta method.

    For figures per deal inside matches: x is a match's total, y its number of deals, and
    the match is the unit, since the deals of one match are not independent.

    Parameters
    ----------
    n : int
        Number of pairs (x, y).
    sx, sy, sxx, sxy, syy : int
        Sums of x, y, x², xy and y², x in units of 1 / scale.
    scale : int
        The x are whole multiples of 1 / scale.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        ``R = sx / sy``; with the residuals e = x - R y, whose sum is zero,
        ``se² = n Σe² / ((n - 1) sy²)``; ``R ± t(n - 1) se``. All ``None`` if sy is zero.

    References
    ----------
    W. G. Cochran (1977), Sampling Techniques, 3rd edition, section 2.11.

    Examples
    --------
    >>> ratio(3, 12, 6, 56, 28, 14).se  # y = 1, 2, 3 and x = 2 y: no error
    0.0
    """
    xs, _ = check_moments(n, sx, sxx)
    ys, _ = check_moments(n, sy, syy)
    cross, unit = whole(sxy, "sxy"), whole(scale, "scale", 1)
    check_level(level)
    if cross**2 > xs.squares * ys.squares:
        raise ValueError(f"no {xs.n} pairs have these sums: sxy {cross} is too large")
    if ys.total == 0:
        return Estimate(None, None, None, None, xs.n)
    value = xs.total / (ys.total * unit)
    if xs.n == 1:
        return Estimate(value, None, None, None, 1)
    # Σe² sy², still in whole numbers
    residual = xs.squares * ys.total**2 - 2 * xs.total * ys.total * cross
    residual += xs.total**2 * ys.squares
    se = math.sqrt(xs.n * residual / ((xs.n - 1) * ys.total**4 * unit**2))
    return interval(value, se, xs.n - 1, xs.n, level)


def quantile(
    values: Iterable[float],
    counts: Iterable[SupportsIndex],
    q: float,
    *,
    level: float = LEVEL,
) -> Estimate:
    """Estimate a quantile from a histogram, with an order-statistic interval.

    Parameters
    ----------
    values, counts : iterable
        Values and how often each was seen. ``inf`` is a value: an endless game's length.
    q : float
        Which quantile, strictly between 0 and 1; taken as the decimal it is written as.
    level : float
        Confidence level, at least reached whatever the distribution.

    Returns
    -------
    Estimate
        The smallest value v with F(v) >= q (no interpolation: lengths are whole turns);
        from the order statistics X(l) to X(u), with l the lower and u - 1 the upper
        (1 - level)/2 quantile of the binomial distribution B(n, q). An end that the
        sample is too small to give is ``None``; so is `se`.

    References
    ----------
    H. A. David and H. N. Nagaraja (2003), Order Statistics, 3rd edition, section 7.1.

    Examples
    --------
    >>> quantile([1, 2, 3], [10, 80, 10], 0.5)
    Estimate(estimate=2.0, se=None, low=2.0, high=2.0, n=100)
    """
    from fractions import Fraction

    xs, cs = [float(x) for x in values], wholes(counts, "counts", 0)
    same_length(values=xs, counts=cs)
    check_level(level)
    if any(math.isnan(x) for x in xs):
        raise ValueError("a value of a histogram is NaN")
    if not 0.0 < q < 1.0:
        raise ValueError(f"q must lie between 0 and 1, not {q}")
    seen = sorted((x, c) for x, c in zip(xs, cs, strict=True) if c)
    n = sum(c for _, c in seen)
    if n == 0:
        return Estimate(None, None, None, None, 0)
    # As a fraction, since 0.07 * 100 is a little more than 7 in floats.
    rank = math.ceil(Fraction(str(float(q))) * n)
    value = _order_statistic(seen, rank)
    if n == 1:
        return Estimate(value, None, None, None, 1)
    tail = (1.0 - level) / 2
    binomial = scipy_stats().binom(n, q)
    lower, upper = int(binomial.ppf(tail)), int(binomial.isf(tail)) + 1
    low = _order_statistic(seen, lower) if lower >= 1 else None
    high = _order_statistic(seen, upper) if upper <= n else None
    return Estimate(value, None, low, high, n)


def _order_statistic(seen: Sequence[tuple[float, int]], rank: int) -> float:
    """Return the `rank`-th smallest value (from 1) of a sorted histogram."""
    reached = itertools.accumulate(c for _, c in seen)
    return next(x for (x, _), r in zip(seen, reached, strict=True) if r >= rank)
