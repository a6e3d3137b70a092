"""Ratings of policies: Bradley-Terry with ties, Plackett-Luce; intervals by deals.

A rating sums up a table of who beat whom by one number each. It stands beside the table,
never in its place: who beats whom need not be transitive.

Deals that were played in several seat arrangements are not independent games, so the
bootstrap draws whole deals. What it needs is a list of different result patterns of a
deal and how many deals showed each, which merges by addition.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simlib.stats._fits import Floats, davidson, luce
from simlib.stats._lazy import LEVEL, check_level, whole, wholes
from simlib.stats.estimates import Estimate

BATCH = 4_000_000
"""Most resampled counts held at a time."""
ELO = 400 / math.log(10)
"""Elo points of a rating difference of 1."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """Ratings on the natural-log scale, of mean zero.

    Attributes
    ----------
    ratings : tuple of Estimate
        One for each policy: log strength; `n` is the number of deals. ``None`` where the
        results do not determine it.
    tie : Estimate or None
        Davidson's ν: two equal policies tie with probability ν / (2 + ν). ``None`` in a
        model without ties.
    resamples : int
        Number of bootstrap samples behind the intervals.
    """

    ratings: tuple[Estimate, ...]
    tie: Estimate | None
    resamples: int


class Ranking(NamedTuple):
    """One result: policies best first, then those known only to come after them.

    Attributes
    ----------
    order : tuple of int
        Policies from the best on. A game of which only the winner is known has one.
    rest : tuple of int
        The others that played. The same policy may sit at several seats.
    weight : float
        How often it was seen.
    """

    order: tuple[int, ...]
    rest: tuple[int, ...] = ()
    weight: float = 1.0


def break_ties(groups: Sequence[Sequence[int]]) -> list[Ranking]:
    """Return the rankings a result with ties stands for, of total weight 1.

    Parameters
    ----------
    groups : sequence of sequence of int
        Policies by place, best first; those of one group are tied.

    Returns
    -------
    list of Ranking
        Every order that agrees with the groups, all of equal weight.

    Examples
    --------
    >>> break_ties([[2], [0, 1]])[0]
    Ranking(order=(2, 0, 1), rest=(), weight=0.5)
    """
    orders = itertools.product(*(itertools.permutations(group) for group in groups))
    seen = [tuple(itertools.chain.from_iterable(order)) for order in orders]
    return [Ranking(order, (), 1.0 / len(seen)) for order in seen]


def bradley_terry(
    wins: ArrayLike,
    ties: ArrayLike | None = None,
    counts: Iterable[SupportsIndex] | None = None,
    *,
    prior: float = 0.0,
    resamples: int = 500,
    seed: int = 0,
    level: float = LEVEL,
) -> Ratings:
    """Rate policies from paired results, by Davidson's Bradley-Terry model with ties.

    Parameters
    ----------
    wins : array, (patterns, k, k)
        Entry (d, i, j): how often i beat j in a deal of pattern d, over its seat
        arrangements.
    ties : array, (patterns, k, k), symmetric, optional
        How often i and j tied. Without it, or if there are none, ν = 0.
    counts : iterable of int, optional
        How many deals showed each pattern; 1 each by default.
    prior : float
        Fictional wins of each policy over each other, to keep the ratings finite where
        one never loses; none by default.
    resamples, seed : int
        Bootstrap samples and the seed they are drawn with.
    level : float
        Confidence level.

    Returns
    -------
    Ratings
        Maximum likelihood of ``P(i beats j) = π_i / D``, ``P(tie) = ν sqrt(π_i π_j) / D``,
        ``D = π_i + π_j + ν sqrt(π_i π_j)``; ratings log π of mean zero. `se` is the
        standard deviation over the resampled deals, the interval their percentiles.
        All ``None`` where the likelihood has no maximum: the graph of "did not lose
        against" must lead from everyone to everyone, and with ties the wins must
        contain a cycle. No interval for one deal, nor if a resample has no maximum.

    References
    ----------
    R. R. Davidson (1970), On extending the Bradley-Terry model to accommodate ties in
    paired comparison experiments. JASA 65, 317-328.
    D. R. Hunter (2004), MM algorithms for generalized Bradley-Terry models. Annals of
    Statistics 32, 384-406. L. R. Ford (1957), Solution of a ranking problem from binary
    comparisons. American Mathematical Monthly 64 (8), 28-33.
    B. Efron and R. J. Tibshirani (1993), An Introduction to the Bootstrap. Chapman & Hall,
    chapter 13 (percentile intervals).
    """
    won, tied = _paired(wins, ties)
    k = won.shape[1]
    extra = _check_prior(prior) * (1.0 - np.eye(k))
    deals = _deal_counts(counts, len(won))
    has_ties = bool(tied.any())

    def fit(weights: Floats) -> Floats:
        shape = (len(weights), k, k)
        w = (weights @ won.reshape(len(won), -1)).reshape(shape) + extra
        t = (weights @ tied.reshape(len(won), -1)).reshape(shape)
        return davidson(w, t)

    found = _bootstrap(fit, deals, resamples, seed, level)
    return Ratings(tuple(found[:k]), found[k] if has_ties else None, resamples)


def plackett_luce(
    patterns: Sequence[Sequence[Ranking]],
    policies: SupportsIndex,
    counts: Iterable[SupportsIndex] | None = None,
    *,
    prior: float = 0.0,
    resamples: int = 500,
    seed: int = 0,
    level: float = LEVEL,
) -> Ratings:
    """Rate policies from rankings of several players, by the Plackett-Luce model.

    Parameters
    ----------
    patterns : sequence of sequence of Ranking
        For each result pattern of a deal the rankings of its seat arrangements (ties:
        `break_ties`).
    policies : int
        Number of policies; they are 0 … policies - 1.
    counts : iterable of int, optional
        How many deals showed each pattern; 1 each by default.
    prior, resamples, seed, level
        As in `bradley_terry`.

    Returns
    -------
    Ratings
        Maximum likelihood where each place goes to one of those not yet placed, with
        probability proportional to strength, found by Hunter's MM iteration
        ``π_i <- (places won by i) / Σ (choices with i) 1 / Σ π of those present``.
        ``None`` as in `bradley_terry`: everyone must be placed before everyone, if by way
        of others.

    References
    ----------
    R. L. Plackett (1975), The analysis of permutations. Applied Statistics 24, 193-202.
    R. D. Luce (1959), Individual Choice Behavior. Wiley.
    D. R. Hunter (2004), MM algorithms for generalized Bradley-Terry models. Annals of
    Statistics 32, 384-406, section 5.
    """
    k = whole(policies, "policies", 2)
    deals = _deal_counts(counts, len(patterns))
    choices = _Choices(k)
    seen = [choices.read(pattern) for pattern in patterns]
    fictional = choices.pairs(_check_prior(prior))
    winners, members = choices.arrays()
    table = _table(seen, len(winners))
    extra = _table([fictional], len(winners))

    def fit(weights: Floats) -> Floats:
        return luce(weights @ table + extra, winners, members)

    found = _bootstrap(fit, deals, resamples, seed, level)
    return Ratings(tuple(found), None, resamples)


def _paired(wins: ArrayLike, ties: ArrayLike | None) -> tuple[Floats, Floats]:
    """Check the arrays of paired results and return them as floats."""
    won = np.asarray(wins, dtype=np.float64)
    tied = np.zeros_like(won) if ties is None else np.asarray(ties, dtype=np.float64)
    if won.ndim != 3 or won.shape[1] != won.shape[2] or won.shape[1] < 2 or len(won) == 0:
        raise ValueError(f"wins must have the shape (patterns, k, k), k >= 2, not {won.shape}")
    if tied.shape != won.shape or not np.array_equal(tied, tied.transpose(0, 2, 1)):
        raise ValueError("ties must have the shape of wins and be symmetric")
    for name, array in (("wins", won), ("ties", tied)):
        if not (np.isfinite(array).all() and (array >= 0).all()):
            raise ValueError(f"{name} must be finite and not negative")
        if np.diagonal(array, axis1=1, axis2=2).any():
            raise ValueError(f"{name} of a policy against itself say nothing: leave them 0")
    return won, tied


def _check_prior(prior: float) -> float:
    if not (prior >= 0 and math.isfinite(prior)):
        raise ValueError(f"prior must be finite and not negative, not {prior}")
    return prior


def _deal_counts(counts: Iterable[SupportsIndex] | None, patterns: int) -> NDArray[np.int64]:
    """Return how many deals showed each pattern."""
    seen = [1] * patterns if counts is None else wholes(counts, "counts", 0)
    if len(seen) != patterns or sum(seen) == 0:
        raise ValueError(f"{len(seen)} counts for {patterns} patterns, of {sum(seen)} deals")
    return np.array(seen, dtype=np.int64)


class _Choices:
    """The different choices in a set of rankings: who was taken out of whom."""

    def __init__(self, policies: int) -> None:
        self.policies = policies
        self._index: dict[tuple[int, tuple[int, ...]], int] = {}

    def read(self, rankings: Iterable[Ranking]) -> dict[int, float]:
        """Return the weight of each choice in `rankings`."""
        seen: dict[int, float] = {}
        for ranking in rankings:
            order, rest, weight = Ranking(*ranking)
            self._check(order + tuple(rest), weight)
            for place, winner in enumerate(order):
                number = self._number(winner, order[place:] + tuple(rest))
                if number is not None:
                    seen[number] = seen.get(number, 0.0) + weight
        return seen

    def pairs(self, weight: float) -> dict[int, float]:
        """Return `weight` on each policy taken out of each pair."""
        if weight == 0:
            return {}
        both = itertools.permutations(range(self.policies), 2)
        return self.read(Ranking((i,), (j,), weight) for i, j in both)

    def arrays(self) -> tuple[NDArray[np.int64], Floats]:
        """Return who was chosen, and how many seats each policy had in the choice."""
        winners = np.array([winner for winner, _ in self._index], dtype=np.int64)
        members = np.zeros((len(self._index), self.policies))
        for row, (_, present) in zip(members, self._index, strict=True):
            np.add.at(row, list(present), 1.0)
        return winners, members

    def _check(self, players: Sequence[int], weight: float) -> None:
        if not all(0 <= player < self.policies for player in players):
            raise ValueError(f"policies are 0 to {self.policies - 1}, not {tuple(players)}")
        if not (weight >= 0 and math.isfinite(weight)):
            raise ValueError(f"the weight of a ranking must not be negative: {weight}")

    def _number(self, winner: int, present: Sequence[int]) -> int | None:
        """Return the number of a choice, ``None`` if there was only one to choose."""
        if len(set(present)) < 2:
            return None
        key = (winner, tuple(sorted(present)))
        return self._index.setdefault(key, len(self._index))


def _table(rows: Sequence[dict[int, float]], width: int) -> Floats:
    """Return the weights of choices as an array, (rows, width)."""
    table = np.zeros((len(rows), width))
    for row, seen in zip(table, rows, strict=True):
        for number, weight in seen.items():
            row[number] = weight
    return table


def _bootstrap(
    fit: Callable[[Floats], Floats],
    deals: NDArray[np.int64],
    resamples: int,
    seed: int,
    level: float,
) -> list[Estimate]:
    """Fit the sample and `resamples` draws of as many deals, with replacement."""
    check_level(level)
    whole(resamples, "resamples", 0)
    n = int(deals.sum())
    point = fit(deals[None].astype(np.float64))[0]
    if np.isnan(point).any():
        return [Estimate(None, None, None, None, n)] * len(point)
    figures = None
    if n > 1 and resamples > 1:
        batches = _resampled(deals, resamples, seed)
        figures = np.concatenate([fit(batch) for batch in batches])
    if figures is None or np.isnan(figures).any():
        return [Estimate(float(x), None, None, None, n) for x in point]
    low, high = np.quantile(figures, [(1 - level) / 2, (1 + level) / 2], axis=0)
    rows = zip(point, figures.std(axis=0, ddof=1), low, high, strict=True)
    return [Estimate(float(x), float(s), float(a), float(b), n) for x, s, a, b in rows]


def _resampled(deals: NDArray[np.int64], resamples: int, seed: int) -> Iterator[Floats]:
    """Yield batches of resampled counts, small enough for any number of patterns."""
    rng = np.random.default_rng(seed)
    n = int(deals.sum())
    size = max(1, BATCH // len(deals))
    for start in range(0, resamples, size):
        drawn = rng.multinomial(n, deals / n, size=min(size, resamples - start))
        yield drawn.astype(np.float64)
