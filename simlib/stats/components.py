"""Luck and skill: variance components of the crossed design deal × rotation × replicate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simlib.stats._lazy import LEVEL, check_level
from simlib.stats.estimates import Estimate, interval

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Components:
    """Variance of one score, split; each an `Estimate` whose `n` is the number of deals.

    Unbiased estimates of a component that is (nearly) zero may be negative; they are left
    so, since cutting them off would bias every mean over them.

    Attributes
    ----------
    seat : Estimate
        What the seat is worth by itself.
    policy : Estimate
        Skill: what the policy is worth, in the named population of policies.
    seat_policy : Estimate
        Policies that do better in some seats than in others.
    deal : Estimate
        Deals that are worth more for everybody; zero in a game of constant sum.
    hand : Estimate
        Luck of the hand: the deal × seat component.
    deal_policy : Estimate
        Deals that suit a policy, wherever it sits.
    deal_seat_policy : Estimate
        Hands that suit a policy (who sits where else included).
    play : Estimate
        Chance in the play: what still differs between replicates of the same deal, seat
        and policy.
    total : Estimate
        The sum of all: the variance of the score of a random seat in a random game.
    """

    seat: Estimate
    policy: Estimate
    seat_policy: Estimate
    deal: Estimate
    hand: Estimate
    deal_policy: Estimate
    deal_seat_policy: Estimate
    play: Estimate
    total: Estimate

    def shares(self) -> dict[str, float | None]:
        """Return each component's share of the total; ``None`` where there is no spread."""
        total = self.total.estimate
        parts: dict[str, float | None] = {}
        for name in (field.name for field in fields(self) if field.name != "total"):
            part = getattr(self, name).estimate
            parts[name] = None if not total or part is None else part / total
        return parts


class _Deals(NamedTuple):
    """Per deal: mean table over replicates, its squares, their noise, chance in play."""

    tables: Floats  # (deals, seats, policies)
    squares: Floats  # (deals, 4)
    noise: Floats  # (deals, 4)
    play: Floats  # (deals,)


def variance_components(
    scores: ArrayLike,
    arrangement: Sequence[Sequence[int]] | None = None,
    *,
    level: float = LEVEL,
) -> Components:
    """Split the variance of a score into seat, skill, luck of the hand and chance in play.

    Parameters
    ----------
    scores : array, (deals, rotations, seats, replicates)
        Score of every seat in every game: each of D >= 2 deals is played in R rotations
        of the policies over the S seats, each E >= 2 times with another `play_seed`.
    arrangement : (rotations, seats), optional
        Which policy (0, 1, …) sits where. Every policy must sit in every seat exactly
        once. By default rotation r moves policy p from seat p to seat (p + r) mod S,
        R = S. One policy everywhere is ``[[0, 0, …]]`` with R = 1.
    level : float
        Confidence level.

    Returns
    -------
    Components

    Raises
    ------
    ValueError
        If the shape or the arrangement is not as above, or a score is not finite.

    Notes
    -----
    **Definition.** Let ``y[d, s, p, e]`` be the score in seat s of policy p, in deal d and
    replicate e, and ``m_d[s, p] = E(y | d, s, p)`` its mean over the chance in play, with
    the rotation that seats p at s. Deals and replicates are random, seats and policies are
    the S seats and P policies themselves, each taken with equal probability. A table is
    split into orthogonal parts, and Q of a part is the mean of its squared entries over all
    S P cells::

        a[s, p] = ā + (ā_s - ā) + (ā_p - ā) + (a[s, p] - ā_s - ā_p + ā)

    With ``M = E m_d``, `seat`, `policy` and `seat_policy` are Q of the parts of M; `deal`,
    `hand`, `deal_policy` and `deal_seat_policy` are E Q of the parts of ``m_d - M``; and
    `play` is ``E (y - m_d[s, p])²``. They sum to the variance of y.

    **Estimators.** Moments that multiply only what is independent, so they are unbiased
    whatever the distributions, and whatever the scores of one game have to do with each
    other (in most games they sum to a constant, which a textbook analysis of variance
    with independent errors would get wrong). With ȳ_d the mean table of deal d over
    replicates and ȳ over all::

        N_d = Σ_e Q(y_de - ȳ_d) / (E (E - 1))           noise of Q(ȳ_d)
        B   = Σ_d Q(ȳ_d - ȳ) / (D - 1)                  between deals
        deal components   B - mean N_d
        fixed components  Q(ȳ) - B / D
        play              mean over d, s, p of the sample variance over e

    For one policy, `hand` is the classical ``(MS_deal×seat - MS_error) / E`` times
    (S - 1)/S, the error taken from the seat contrasts. Standard errors are by jackknife
    over deals, t with D - 1 degrees of freedom; none for two deals.

    References
    ----------
    S. R. Searle, G. Casella and C. E. McCulloch (1992), Variance Components. Wiley,
    chapters 4 and 5. J. Cornfield and J. W. Tukey (1956), Average values of mean squares in
    factorials. Annals of Mathematical Statistics 27, 907-949.
    B. Efron and C. Stein (1981), The jackknife estimate of variance. Annals of Statistics
    9, 586-596.
    """
    check_level(level)
    deals = _summarise(_by_policy(np.asarray(scores, dtype=np.float64), arrangement))
    n = len(deals.tables)
    figures = _components(
        deals.tables.mean(axis=0),
        _between(deals),
        deals.noise.mean(axis=0),
        deals.play.mean(),
        n,
    )
    if n == 2:
        return Components(*(Estimate(float(x), None, None, None, n) for x in figures))
    left_out = _without_each(deals)
    spread = ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0)
    errors = np.sqrt(spread * (n - 1) / n)
    parts = zip(figures, errors, strict=True)
    return Components(*(interval(float(x), float(se), n - 1, n, level) for x, se in parts))


def _by_policy(scores: Floats, arrangement: Sequence[Sequence[int]] | None) -> Floats:
    """Return the scores as (deals, seats, policies, replicates), around their mean."""
    if scores.ndim != 4 or scores.shape[0] < 2 or scores.shape[3] < 2 or 0 in scores.shape:
        raise ValueError(
            "scores must have the shape (deals >= 2, rotations, seats, replicates >= 2), "
            f"not {scores.shape}"
        )
    if not np.isfinite(scores).all():
        raise ValueError("every score must be a finite number")
    _, rotations, seats, _ = scores.shape
    plan = np.asarray(_rotated(seats) if arrangement is None else arrangement)
    if plan.shape != (rotations, seats):
        raise ValueError(f"the arrangement has the shape {plan.shape}, not {rotations, seats}")
    if not np.array_equal(np.sort(plan, axis=0), np.arange(rotations)[:, None] + 0 * plan):
        raise ValueError("every policy must sit in every seat exactly once")
    order = np.argsort(plan, axis=0)  # (policies, seats) -> rotation
    table = scores[:, order, np.arange(seats)]  # (deals, policies, seats, replicates)
    centred: Floats = table.transpose(0, 2, 1, 3) - scores.mean()
    return centred


def _rotated(seats: int) -> list[list[int]]:
    return [[(seat - turn) % seats for seat in range(seats)] for turn in range(seats)]


def _summarise(table: Floats) -> _Deals:
    """Return per deal what the estimators need."""
    replicates = table.shape[3]
    means = table.mean(axis=3)
    residuals = np.moveaxis(table - means[..., None], 3, 1)
    noise = _parts(residuals).sum(axis=1) / (replicates * (replicates - 1))
    play = table.var(axis=3, ddof=1).mean(axis=(1, 2))
    return _Deals(means, _parts(means), noise, play)


def _parts(table: Floats) -> Floats:
    """Return Q of the four parts of tables (..., seats, policies): (..., 4)."""
    grand = table.mean(axis=(-2, -1), keepdims=True)
    seat = table.mean(axis=-1, keepdims=True) - grand
    policy = table.mean(axis=-2, keepdims=True) - grand
    both = table - grand - seat - policy
    parts = [(part**2).mean(axis=(-2, -1)) for part in (grand, seat, policy, both)]
    return np.stack(parts, axis=-1)


def _between(deals: _Deals) -> Floats:
    """Return the four mean squares between deals."""
    spread = _parts(deals.tables - deals.tables.mean(axis=0)).sum(axis=0)
    between: Floats = spread / (len(deals.tables) - 1)
    return between


def _components(mean: Floats, between: Floats, noise: Floats, play: Floats, n: int) -> Floats:
    """Return the eight components and their sum, (..., 9), in the order of `Components`."""
    fixed = (_parts(mean) - between / n)[..., 1:]
    random = between - noise
    rows = np.concatenate([fixed, random, np.asarray(play)[..., None]], axis=-1)
    return np.concatenate([rows, rows.sum(axis=-1, keepdims=True)], axis=-1)


def _without_each(deals: _Deals) -> Floats:
    """Return the components without each deal in turn, (deals, 9)."""
    n = len(deals.tables)
    means = (deals.tables.sum(axis=0) - deals.tables) / (n - 1)
    # Σ Q(ȳ_d - ȳ) = Σ Q(ȳ_d) - n Q(ȳ), over the deals that are left
    left = deals.squares.sum(axis=0) - deals.squares - (n - 1) * _parts(means)
    noise = (deals.noise.sum(axis=0) - deals.noise) / (n - 1)
    play = (deals.play.sum() - deals.play) / (n - 1)
    return _components(means, left / (n - 2), noise, play, n - 1)
