"""Sums of products of the values of games, over setups that met the same deals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simlib.stats import Estimate, mean, rate_difference, ratio, stratified, stratified_rate
from simlib.stats.estimates import interval
from simlib.stats.pairs import paired_rate_difference, ratio_contrast
from simlib.stats.strata import satterthwaite
from simlib.values import Ints, Measure, Meter, Values

__all__ = ["At", "Strata", "arm_estimate", "difference", "gap", "product_sums", "worth"]

Products = NDArray[np.object_]


class Strata:
    """Which games are alike: those at the same place of every setup's cycle (K-7).

    Parameters
    ----------
    meters : sequence of Meter
    """

    def __init__(self, meters: Sequence[Meter]) -> None:
        self.cycle = math.lcm(*(meter.cycle for meter in meters))
        kinds = [
            tuple(meter.codes[g % meter.cycle] if meter.codes else 0 for meter in meters)
            for g in range(self.cycle)
        ]
        self._kinds = sorted(set(kinds))
        names = {kind: number for number, kind in enumerate(self._kinds)}
        self.count = len(names)
        self._places = np.array([names[kind] for kind in kinds], np.int64)

    def of(self, first: int, games: int) -> Ints | None:
        """Return the stratum of each of some consecutive games; None if there is one only."""
        if self.count == 1:
            return None
        return self._places[np.arange(first, first + games) % self.cycle]

    def own(self, products: Products, setup: int) -> Products:
        """Merge the strata that are alike for one of the setups."""
        codes = [kind[setup] for kind in self._kinds]
        merged = [
            products[[i for i, code in enumerate(codes) if code == kind]].sum(axis=0)
            for kind in sorted(set(codes))
        ]
        return np.array(merged, object)


def product_sums(columns: Sequence[Ints], strata: Ints | None, count: int) -> Products:
    """Return the sums of products of the columns ``1, v1, v2, …``, a matrix a stratum.

    Parameters
    ----------
    columns : sequence of int64 arrays of one length, at least one
    strata : int64 array, optional
        Stratum of each row, 0 … `count` - 1.
    count : int
        Number of strata.

    Returns
    -------
    object array, (count, k + 1, k + 1)
        Exact whole numbers: sums of many chunks cannot overflow.
    """
    rows = np.vstack([np.ones(len(columns[0]), np.int64), *columns])
    size = len(rows)
    found = np.zeros((count, size, size), object)
    for stratum in range(count):
        part = rows if strata is None else rows[:, strata == stratum]
        for i in range(size):
            for j in range(i, size):
                found[stratum, i, j] = found[stratum, j, i] = int(part[i] @ part[j])
    return found


def columns_of(values: Sequence[Values]) -> list[Ints]:
    """Return x, y and z of some figures as columns: x1, y1, z1, x2, …; those that they have."""
    return [column for one in values for column in (one.x, one.y, one.z) if column is not None]


class At(NamedTuple):
    """Which columns a figure has: x, y (0: every game counts once), z (whether a game enters)."""

    x: int
    y: int
    z: int


def places(columns: Sequence[int], deals: bool) -> list[At]:
    """Return the columns of each figure, given how many it has, and whether it is per deal."""
    found, place = [], 1
    for count in columns:
        y = place + 1 if count > 1 else 0
        # per deal inside matches y counts deals: all matches enter, or z says which
        z = place + 2 if count > 2 else 0 if deals else y
        found.append(At(place, y, z))
        place += count
    return found


def arm_estimate(
    measure: Measure, products: Products, at: At, *, scale: int, deals: bool, level: float
) -> Estimate:
    """Return a figure of one setup, as ``Run.metrics`` gives it.

    Parameters
    ----------
    measure : Measure
    products : object array
        From :func:`product_sums`.
    at : At
        Its columns.
    scale : int
    deals : bool
        Whether it is per deal inside matches.
    level : float
    """
    found = _arm(measure, products, at, scale=scale, deals=deals, level=level)
    return found.within(*measure.metric.range, level=level)


def _arm(
    measure: Measure, products: Products, at: At, *, scale: int, deals: bool, level: float
) -> Estimate:
    total = products.sum(axis=0)
    x, y, z = at
    if deals:
        sums = (total[0, z], total[0, x], total[0, y], total[x, x], total[x, y], total[y, y])
        return ratio(*sums, scale=scale, level=level)
    if measure.metric.kind == "rate":
        counts = [(m[0, x], m[0, y]) for m in products if m[0, y]]
        return stratified_rate(counts, level=level)
    parts = [(m[0, y], m[0, x], m[x, x]) for m in products if m[0, y]]
    if len(parts) > 1:
        return stratified(parts, scale=scale, level=level)
    return mean(*(parts[0] if parts else (0, 0, 0)), scale=scale, level=level)


def difference(
    measure: Measure,
    products: Products,
    a: At,
    b: At,
    *,
    scale: int,
    level: float,
) -> Estimate:
    """Return a - b for two figures over the same games."""
    plain = measure.metric.kind == "rate" and a.y == b.y == 0 and len(products) == 1
    if plain:
        m = products[0]
        both = m[a.x, b.x]
        return paired_rate_difference(m[0, 0], m[0, a.x] - both, m[0, b.x] - both, level=level)
    found = _contrast(products, (1, a), (-1, b), scale=scale, level=level)
    return found.within(*measure.metric.range_of_difference, level=level)


def _contrast(products: Products, *terms: tuple[int, At], **more: Any) -> Estimate:
    ratios = [(weight, at.x, at.y) for weight, at in terms]
    return ratio_contrast(list(products), ratios, enters=[at.z for _, at in terms], **more)


def worth(products: Products, a: At, b: At) -> float | None:
    """Return how many independent games of each setup one pair is worth (variance ratio)."""
    arms = [_contrast(products, (1, arm)).se for arm in (a, b)]
    gap = _contrast(products, (1, a), (-1, b)).se
    if gap is None or gap == 0 or arms[0] is None or arms[1] is None:
        return None
    return (arms[0] ** 2 + arms[1] ** 2) / gap**2


def gap(measure: Measure, a: Estimate, b: Estimate, *, plain: bool, level: float) -> Estimate:
    """Return a - b for two independent figures.

    Parameters
    ----------
    measure : Measure
    a, b : Estimate
    plain : bool
        Whether both are shares of all their rows.
    level : float

    Returns
    -------
    Estimate
        Newcombe's interval for rates, Welch's for all else.
    """
    n = min(a.n, b.n)
    if a.estimate is None or b.estimate is None:
        return Estimate(None, None, None, None, n)
    if plain and measure.metric.kind == "rate":
        hits = (round(a.estimate * a.n), round(b.estimate * b.n))
        return rate_difference(hits[0], a.n, hits[1], b.n, level=level)
    between = a.estimate - b.estimate
    if a.se is None or b.se is None:
        return Estimate(between, None, None, None, n)
    freedom = satterthwaite([a.se**2, b.se**2], [a.n, b.n])
    found = interval(between, math.hypot(a.se, b.se), freedom, n, level)
    return found.within(*measure.metric.range_of_difference, level=level)
