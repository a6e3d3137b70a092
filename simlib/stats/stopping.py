"""Stopping by precision: when a run looks, and when what it sees is precise enough.

A run that stops as soon as its interval looks narrow enough stops too early where the
spread happens to be underestimated: a rare payoff that has not been seen yet has none.
Therefore it looks seldom (each look is half as late again), and a figure may be believed
only once enough of what makes its spread has been seen: 200 values off the mode, and so many
values that a mean of values as skew as these is near enough to normal. The second is what
protects a rare payoff on top of values that vary anyway, none of which is the mode.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, SupportsIndex

from simlib.stats._lazy import LEVEL, check_width, normal_quantile, whole, wholes
from simlib.stats.estimates import (
    Estimate,
    histogram_moments,
    mean,
    ratio,
    wilson,
    wilson_bounds,
)
from simlib.stats.strata import stratified, stratified_rate

FIRST_LOOK = 10_000
OFF_MODE = 200
SKEW = 100
"""A mean needs SKEW × skewness² values. A payoff that comes with a small probability p has
the skewness 1 / √p, so that this is then implied by `OFF_MODE`."""
SUCCESSES = 50


class MetricSums(Protocol):
    """Sufficient statistics of one metric that a run can be stopped by."""

    def estimate(self, level: float = LEVEL) -> Estimate:
        """Return the metric's estimate so far."""
        ...

    def is_settled(self, half_width: float, level: float = LEVEL) -> bool:
        """Return whether the metric is known to ± `half_width`, and may be believed."""
        ...


@dataclass(frozen=True, slots=True)
class RateSums:
    """A rate: number of successes, and of games."""

    successes: int
    n: int

    def estimate(self, level: float = LEVEL) -> Estimate:
        """Return the rate, see `wilson`."""
        return wilson(self.successes, self.n, level=level)

    def is_settled(self, half_width: float, level: float = LEVEL) -> bool:
        """Return whether the Wilson interval is narrow enough.

        With fewer than 50 successes, or failures, the share of the rarer is taken at the
        upper end of its own Wilson interval (at most 1/2), and the interval must be
        narrow enough for that share too.
        """
        check_width(half_width)
        now = self.estimate(level).half_width
        if now is None or now > half_width:
            return False
        rarer = min(self.successes, self.n - self.successes)
        if rarer >= SUCCESSES:
            return True
        z = normal_quantile(level)
        upper = min(0.5, wilson_bounds(rarer / self.n, self.n, z)[1])
        low, high = wilson_bounds(upper, self.n, z)
        return (high - low) / 2 <= half_width


@dataclass(frozen=True, slots=True)
class MeanSums:
    """A mean: moments in units of 1 / scale, and how many values are not the mode.

    `skewness` is that of the values, for `is_settled` alone; ``None`` if it is not known.
    """

    n: int
    total: int
    squares: int
    off_mode: int
    scale: int = 1
    skewness: float | None = None

    @classmethod
    def from_histogram(
        cls,
        values: Iterable[SupportsIndex],
        counts: Iterable[SupportsIndex],
        scale: SupportsIndex = 1,
    ) -> MeanSums:
        """Return the sums of a histogram whose `values` are all different."""
        xs, cs = wholes(values, "values"), wholes(counts, "counts", 0)
        if len(set(xs)) < len(xs):
            raise ValueError("the values of the histogram must all be different")
        n, total, squares = histogram_moments(xs, cs)
        off_mode = n - max(cs, default=0)
        return cls(n, total, squares, off_mode, whole(scale, "scale", 1), skewness(xs, cs))

    def estimate(self, level: float = LEVEL) -> Estimate:
        """Return the mean, see `mean`."""
        return mean(self.n, self.total, self.squares, scale=self.scale, level=level)

    def is_settled(self, half_width: float, level: float = LEVEL) -> bool:
        """Return whether 200 values are off the mode and the t interval is narrow enough.

        Where the skewness is known, there must also be 100 skewness² values.
        """
        narrow = _narrow(self.estimate(level), self.off_mode, half_width)
        return narrow and self.n >= SKEW * (self.skewness or 0.0) ** 2


@dataclass(frozen=True, slots=True)
class RatioSums:
    """A figure per deal inside matches: sums as in `ratio`, and x values off the mode."""

    n: int
    sx: int
    sy: int
    sxx: int
    sxy: int
    syy: int
    off_mode: int
    scale: int = 1

    def estimate(self, level: float = LEVEL) -> Estimate:
        """Return the ratio, see `ratio`."""
        sums = (self.n, self.sx, self.sy, self.sxx, self.sxy, self.syy)
        return ratio(*sums, scale=self.scale, level=level)

    def is_settled(self, half_width: float, level: float = LEVEL) -> bool:
        """Return whether 200 values are off the mode and the interval is narrow enough."""
        return _narrow(self.estimate(level), self.off_mode, half_width)


@dataclass(frozen=True, slots=True)
class StratifiedSums:
    """A mean over strata: one `MeanSums` each, of one scale, off its own mode."""

    strata: tuple[MeanSums, ...]
    weights: tuple[float, ...] | None = None

    def estimate(self, level: float = LEVEL) -> Estimate:
        """Return the stratified mean, see `stratified`."""
        scales = {part.scale for part in self.strata}
        if len(scales) > 1:
            raise ValueError(f"strata must share one scale, not {sorted(scales)}")
        sums = [(part.n, part.total, part.squares) for part in self.strata]
        return stratified(sums, self.weights, scale=max(scales, default=1), level=level)

    def is_settled(self, half_width: float, level: float = LEVEL) -> bool:
        """Return whether 200 values are off their stratum's mode, and the interval narrow.

        The skewness that counts is that of the weighted mean itself.
        """
        off_mode = sum(part.off_mode for part in self.strata)
        narrow = _narrow(self.estimate(level), off_mode, half_width)
        return narrow and SKEW * self._mean_skewness() ** 2 <= 1.0

    def _mean_skewness(self) -> float:
        """Return the skewness of the mean: of one stratum its skewness over √n."""
        n = sum(part.n for part in self.strata)
        weights = self.weights or [part.n / max(n, 1) for part in self.strata]
        parts = list(zip(weights, self.strata, strict=True))
        errors = [weight * (part.estimate().se or 0.0) for weight, part in parts]
        spread = math.fsum(error**2 for error in errors)
        third = math.fsum(
            error**3 * (part.skewness or 0.0) / math.sqrt(part.n)
            for error, part in zip(errors, self.strata, strict=True)
            if part.n
        )
        return third / spread**1.5 if spread > 0 else 0.0


@dataclass(frozen=True, slots=True)
class StratifiedRateSums:
    """A rate over strata, such as the contracts a run cycles through: one `RateSums` each."""

    strata: tuple[RateSums, ...]
    weights: tuple[float, ...] | None = None

    def estimate(self, level: float = LEVEL) -> Estimate:
        """Return the stratified rate, see `stratified_rate`."""
        counts = [(part.successes, part.n) for part in self.strata]
        return stratified_rate(counts, self.weights, level=level)

    def is_settled(self, half_width: float, level: float = LEVEL) -> bool:
        """Return whether the interval is narrow enough, and may be believed.

        With fewer than 50 successes, or failures, the rate of all games together, whose interval
        is wider, must be settled as well.
        """
        check_width(half_width)
        now = self.estimate(level).half_width
        if now is None or now > half_width:
            return False
        pooled = RateSums(sum(p.successes for p in self.strata), sum(p.n for p in self.strata))
        rarer = min(pooled.successes, pooled.n - pooled.successes)
        return rarer >= SUCCESSES or pooled.is_settled(half_width, level)


def skewness(values: Iterable[float], counts: Iterable[float]) -> float | None:
    """Return the skewness of a histogram, ``None`` if its values do not differ.

    Parameters
    ----------
    values, counts : iterables of numbers
        Values in any unit, and how often each was seen.

    Examples
    --------
    >>> skewness([0, 1], [50, 50])
    0.0
    >>> round(skewness([0, 100], [99, 1]), 2)  # (1 - 2p) / √(p (1 - p))
    9.85
    """
    pairs = [(float(x), float(c)) for x, c in zip(values, counts, strict=True) if c]
    n = math.fsum(c for _, c in pairs)
    if not n:
        return None
    centre = math.fsum(x * c for x, c in pairs) / n
    spread = math.fsum((x - centre) ** 2 * c for x, c in pairs) / n
    third = math.fsum((x - centre) ** 3 * c for x, c in pairs) / n
    return third / spread**1.5 if spread > 0 else None


def _narrow(estimate: Estimate, off_mode: int, half_width: float) -> bool:
    check_width(half_width)
    width = estimate.half_width
    return off_mode >= OFF_MODE and width is not None and width <= half_width


def looks(games: SupportsIndex, *, cycle: SupportsIndex = 1) -> Iterator[int]:
    """Yield the numbers of games at which a run looks at its precision.

    Parameters
    ----------
    games : int
        The most games the run may play; the last look.
    cycle : int
        Looks are put off to whole cycles of so many games (contracts in turn). Only the
        last one, at `games`, is where the caller says.

    Yields
    ------
    int
        10 000 × 1.5^k, rounded down, k = 0, 1, …; then `games`. They depend on nothing
        else, therefore a run stops at the same game for any number of threads.

    Examples
    --------
    >>> list(looks(40_000))
    [10000, 15000, 22500, 33750, 40000]
    """
    most, period = whole(games, "games", 0), whole(cycle, "cycle", 1)
    last = k = 0
    while True:
        plain = FIRST_LOOK * 3**k // 2**k
        look = -(-plain // period) * period
        k += 1
        if look >= most:
            break
        if look > last:
            yield look
            last = look
    if most:
        yield most


def may_stop(targets: Sequence[tuple[MetricSums, float]], *, level: float = LEVEL) -> bool:
    """Return whether a run may stop at this look: every metric is precise enough.

    Parameters
    ----------
    targets : sequence of (sums, half_width)
        The sums so far (`RateSums`, `MeanSums`, `RatioSums`, `StratifiedSums`) and the
        half-width asked for, in the metric's own unit.
    level : float
        Confidence level.

    Returns
    -------
    bool
        A mean passes with 200 values off its mode, 100 skewness² values and a narrow enough
        t interval; a rate with a narrow enough Wilson interval, for fewer than 50 successes or
        failures also at the upper Wilson bound of the rarer; all must pass.

    Raises
    ------
    ValueError
        Without any target, or with a half-width that is not positive.

    References
    ----------
    Y. S. Chow and H. Robbins (1965), On the asymptotic theory of fixed-width sequential
    confidence intervals for the mean. Annals of Mathematical Statistics 36, 457-462.
    W. G. Cochran (1977), Sampling Techniques, 3rd edition, section 2.15 (how many values of a
    skew distribution the normal approximation needs: more than 25 skewness²; a run that
    chooses when to stop needs more).
    P. W. Glynn and W. Whitt (1992), The asymptotic validity of sequential stopping rules
    for stochastic simulations. Annals of Applied Probability 2, 180-198.

    Examples
    --------
    >>> may_stop([(RateSums(5_000, 10_000), 0.01)])
    True
    >>> may_stop([(RateSums(5_000, 10_000), 0.01), (MeanSums(10_000, 0, 0, 0), 0.1)])
    False
    """
    if not targets:
        raise ValueError("may_stop needs at least one metric")
    # Every width is checked, not only those before the first metric that fails.
    widths = [check_width(width) for _, width in targets]
    return all(
        sums.is_settled(width, level) for (sums, _), width in zip(targets, widths, strict=True)
    )
