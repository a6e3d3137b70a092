"""Estimates over strata: what lies between the strata is no error."""

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
    wilson_bounds,
)

__all__ = ["satterthwaite", "stratified", "stratified_rate"]


def stratified(
    strata: Sequence[tuple[int, int, int]],
    weights: Sequence[float] | None = None,
    *,
    scale: SupportsIndex = 1,
    level: float = LEVEL,
) -> Estimate:
    """Estimate a mean over strata, such as the contracts a run cycles through.

    Parameters
    ----------
    strata : sequence of (n, total, squares)
        Sums of each stratum, in units of 1 / scale.
    weights : sequence of float, optional
        Weight of each stratum, normalised to sum 1. By default its share of all values,
        which gives the run's own mean; after whole cycles that is the share by design.
    scale : int
        The values are whole multiples of 1 / scale.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        ``Σ w m``, ``se² = Σ w² s² / n`` over the strata (what lies between them is no
        error), t with Satterthwaite's degrees of freedom. ``None`` if a stratum that
        weighs something is empty; no error if one has a single value.

    References
    ----------
    W. G. Cochran (1977), Sampling Techniques, 3rd edition, sections 5.3 and 5.4.
    F. E. Satterthwaite (1946), An approximate distribution of estimates of variance
    components. Biometrics Bulletin 2, 110-114.
    """
    parts = [check_moments(*stratum)[0] for stratum in strata]
    n = sum(part.n for part in parts)
    shares = _shares(weights, parts)
    check_level(level)
    used = [(part, w) for part, w in zip(parts, shares, strict=True) if w > 0]
    if not used or any(part.n == 0 for part, _ in used):
        return Estimate(None, None, None, None, n)
    means = [mean(*part, scale=scale, level=level) for part, _ in used]
    centre = math.fsum(w * (m.estimate or 0.0) for m, (_, w) in zip(means, used, strict=True))
    if any(m.se is None for m in means):
        return Estimate(centre, None, None, None, n)
    errors = [(w * (m.se or 0.0)) ** 2 for m, (_, w) in zip(means, used, strict=True)]
    variance = math.fsum(errors)
    return interval(
        centre, math.sqrt(variance), satterthwaite(errors, [p.n for p, _ in used]), n, level
    )


def stratified_rate(
    strata: Sequence[tuple[int, int]],
    weights: Sequence[float] | None = None,
    *,
    level: float = LEVEL,
) -> Estimate:
    """Estimate a rate over strata, such as the contracts a run cycles through.

    Parameters
    ----------
    strata : sequence of (successes, n)
        Counts of each stratum.
    weights : sequence of float, optional
        As in `stratified`.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        ``p = Σ w p_h``, ``se² = Σ w² p_h (1 - p_h) / n_h``: what lies between the strata is no
        error. Wilson's interval for so many games as a plain sample of this precision would
        have, ``p (1 - p) / se²``; there the share of a stratum is taken as ``(x + 1/2) / (n + 1)``,
        so that one that never, or always, showed the feature has an error too. The plain Wilson
        interval where every stratum agrees that the rate is 0 or 1. ``None`` if a stratum that
        weighs something is empty; no error if one has a single game.

    References
    ----------
    W. G. Cochran (1977), Sampling Techniques, 3rd edition, section 5.10.
    E. L. Korn and B. I. Graubard (1998), Confidence intervals for proportions with small expected
    number of positive counts estimated from survey data. Survey Methodology 24, 193-201 (the
    effective size of a sample).

    Examples
    --------
    >>> stratified_rate([(0, 100), (100, 100)]).se  # known by the strata
    0.0
    """
    hits = [whole(x, "successes", 0) for x, _ in strata]
    parts = [Moments(whole(n, "n", 0), x, x) for x, (_, n) in zip(hits, strata, strict=True)]
    if any(part.total > part.n for part in parts):
        raise ValueError("more successes than games in a stratum")
    n = sum(part.n for part in parts)
    check_level(level)
    used = [(part, w) for part, w in zip(parts, _shares(weights, parts), strict=True) if w > 0]
    if not used or any(part.n == 0 for part, _ in used):
        return Estimate(None, None, None, None, n)
    total = sum(part.total for part, _ in used)
    if len(used) == 1 or total in (0, sum(part.n for part, _ in used)):
        return wilson(total, n, level=level)
    p = math.fsum(w * part.total / part.n for part, w in used)
    if any(part.n == 1 for part, _ in used):
        return Estimate(p, None, None, None, n)

    def error(more: float) -> float:
        """Return Σ w² q (1 - q) / n, with the shares q after `more` games of either kind."""
        shares = [((part.total + more) / (part.n + 2 * more), part.n, w) for part, w in used]
        return math.fsum(w * w * q * (1.0 - q) / size for q, size, w in shares)

    low, high = wilson_bounds(p, p * (1.0 - p) / error(0.5), normal_quantile(level))
    return Estimate(p, math.sqrt(error(0.0)), low, high, n)


def satterthwaite(errors: Sequence[float], sizes: Sequence[int]) -> float:
    """Return the degrees of freedom of a sum of estimated squared errors."""
    variance = math.fsum(errors)
    if variance == 0:
        return 1.0  # not used: the interval has no width
    spread = math.fsum(
        (e / variance) ** 2 / (size - 1) for e, size in zip(errors, sizes, strict=True)
    )
    return 1.0 / spread


def _shares(weights: Sequence[float] | None, parts: Sequence[Moments]) -> list[float]:
    """Return weights of sum 1, by default the strata's shares of all values."""
    given = [float(part.n) for part in parts] if weights is None else [float(w) for w in weights]
    if len(given) != len(parts):
        raise ValueError(f"{len(given)} weights for {len(parts)} strata")
    if not all(math.isfinite(w) and w >= 0 for w in given):
        raise ValueError("weights must be finite and not negative")
    whole_weight = math.fsum(given)
    if whole_weight == 0:
        if weights is None:
            return [0.0] * len(parts)
        raise ValueError("weights must not all be zero")
    return [w / whole_weight for w in given]
