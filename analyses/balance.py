"""Balance metrics, defined once for all games: what each is, where it comes from, an example.

Metrics of a rule set come from sufficient statistics of its games; metrics of the course of a
game (drama, lead changes, when it was settled, comebacks) from how the players stood at each
moment, and are defined in ``analyses.balance_course``. All games are counted
(C-8); a metric over a part of them says over which. Policies are part of every figure: a game
is balanced, long or dramatic *for players who play like this*.

Sources that several of them share: C. Browne (2008), Automatic generation and evaluation of
recombination games, PhD thesis, Queensland University of Technology; C. Browne and F. Maire
(2010), Evolutionary game design, IEEE Transactions on Computational Intelligence and AI in
Games 2, 1-16; J. M. Thompson (2000), Defining the abstract, The Games Journal.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import ArrayLike

from analyses.balance_course import Course, comeback, course, drama, lead_changes, settled
from simlib.stats import (
    ChiSquare,
    Components,
    Estimate,
    bonferroni_level,
    mean,
    quantile,
    ratio,
    seats_test,
    variance_components,
    wilson,
)
from simlib.stats.pairs import ratio_contrast
from simlib.tally import SeatSums, Tally

if TYPE_CHECKING:
    from analyses.results import Result

__all__ = [
    "MEASURES",
    "Course",
    "branching_factor",
    "comeback",
    "completion",
    "course",
    "decision_share",
    "drama",
    "fairness",
    "first_advantage",
    "lead_changes",
    "length",
    "luck_and_skill",
    "run",
    "seat_spread",
    "settled",
    "skill_step",
]

#: Endings by which play never stops, and those by which a guard stopped it; all others are
#: natural ends.
NEVER = ("endless",)
CUT = ("truncated", "censored")
LEVEL = 0.95


# --- how games end -----------------------------------------------------------------------


def completion(counts: Mapping[str, int], *, level: float = LEVEL) -> dict[str, Estimate]:
    """Return how often a game ends by its rules, never ends, or is cut off by a guard.

    Parameters
    ----------
    counts : mapping of ending to number of games
    level : float

    Returns
    -------
    dict
        ``completed``, ``never_ending``, ``cut_off``: games with such an ending / all games,
        Wilson. They sum to one: endless is proved (KG-12), cut off is not known.

    References
    ----------
    Browne (2008), *completion*: games that reach a result / games played. Here a draw that
    nobody wins is an end, a proof that play goes on for ever is none.

    Examples
    --------
    Of eight games four ended out, one in deadlock, two were proved endless, one was cut off:

    >>> found = completion({"out": 4, "deadlock": 1, "endless": 2, "truncated": 1})
    >>> [found[name].estimate for name in ("completed", "never_ending", "cut_off")]
    [0.625, 0.25, 0.125]
    """
    games = sum(counts.values())
    never = sum(counts.get(name, 0) for name in NEVER)
    cut = sum(counts.get(name, 0) for name in CUT)
    parts = {"completed": games - never - cut, "never_ending": never, "cut_off": cut}
    return {name: wilson(count, games, level=level) for name, count in parts.items()}


def length(
    values: Sequence[int], counts: Sequence[int], *, level: float = LEVEL
) -> dict[str, Estimate]:
    """Return how long the games that ended were.

    Parameters
    ----------
    values, counts : sequences
        Turns (tricks, deals) of the completed games, and how many had each.
    level : float

    Returns
    -------
    dict
        ``mean`` (t interval), and the quantiles ``q10 median q90`` (order statistics), given
        that the game ended: an endless one has no length, and how many those are stands in
        `completion`.

    References
    ----------
    Browne (2008), *duration*; quantiles: Hahn and Meeker (1991), Statistical Intervals, 5.2.

    Examples
    --------
    Three games of 4 turns and one of 12:

    >>> length([4, 12], [3, 1])["mean"].estimate
    6.0
    """
    n = sum(counts)
    total = sum(value * count for value, count in zip(values, counts, strict=True))
    squares = sum(value * value * count for value, count in zip(values, counts, strict=True))
    found = {"mean": mean(n, total, squares, level=level).within(0, None)}
    for name, q in (("q10", 0.1), ("median", 0.5), ("q90", 0.9)):
        found[name] = (
            quantile(values, counts, q, level=level) if n else Estimate(None, None, None, None, 0)
        )
    return found


# --- what there is to decide -----------------------------------------------------------------


def branching_factor(
    n: int, options: int, decisions: int, oo: int, od: int, dd: int, *, level: float = LEVEL
) -> Estimate:
    """Return the mean number of options at a real decision.

    Parameters
    ----------
    n : int
        Games.
    options, decisions : int
        Sums over games of the option counts at points with more than one option, and of the
        number of such points.
    oo, od, dd : int
        Sums of their squares and products.
    level : float

    Returns
    -------
    Estimate
        ``Σ options / Σ decisions``, a ratio estimate over games (delta method): every decision
        counts the same, so that long games count more.

    References
    ----------
    L. V. Allis (1994), Searching for solutions in games and artificial intelligence, PhD
    thesis, University of Limburg (average branching factor); Cochran (1977), 2.11.

    Examples
    --------
    One game with 2 decisions of 3 options each, one with a single decision of 4:

    >>> round(branching_factor(2, 10, 3, 52, 16, 5).estimate, 4)
    3.3333
    """
    return ratio(n, options, decisions, oo, od, dd, level=level).within(0, None)


def decision_share(
    n: int, decisions: int, points: int, dd: int, dp: int, pp: int, *, level: float = LEVEL
) -> Estimate:
    """Return the share of a player's acts at which he had a choice.

    Parameters
    ----------
    n : int
        Games (records).
    decisions, points : int
        Sums over games of decision points with more than one option, and of all of them.
    dd, dp, pp : int
        Sums of their squares and products.
    level : float

    Returns
    -------
    Estimate
        ``Σ decisions / Σ points``, a ratio estimate over games.

    References
    ----------
    The metric *decision moves* of the Ludii general game system (Browne and others, Maastricht
    University): the share of moves where more than one was possible.

    Examples
    --------
    3 of 4 acts in one game, 1 of 4 in another:

    >>> decision_share(2, 4, 8, 10, 16, 32).estimate
    0.5
    """
    return ratio(n, decisions, points, dd, dp, pp, level=level).within(0, 1, level=level)


# --- seats -----------------------------------------------------------------------------------


def first_advantage(seats: SeatSums, *, level: float = LEVEL) -> Estimate:
    """Return what it is worth to begin, all players playing alike.

    Parameters
    ----------
    seats : SeatSums
        Win shares (or scores), seats in turn order from ``first``.
    level : float

    Returns
    -------
    Estimate
        Mean over games of ``x_0 - (x_0 + … + x_{n-1}) / n``: the first player's share above
        that of a player who is seated by lot. t interval; paired, since the seats of a game
        share one win.

    References
    ----------
    Browne (2008), *advantage*: wins of the first player beyond his fair share. Here the fair
    share is that of the games somebody won, so that games without a winner do not count as
    an advantage of anybody.

    Examples
    --------
    Ten games of two: seat 0 wins six, seat 1 two, nobody two; 0.6 against a mean of 0.4:

    >>> import numpy as np
    >>> products = np.array([[10, 6, 2], [6, 6, 0], [2, 0, 2]])
    >>> round(first_advantage(SeatSums(10, products, 1)).estimate, 12)
    0.2
    """
    players = len(seats.totals)
    terms = [(players * (seat == 0) - 1, seat + 1, 0) for seat in range(players)]
    return ratio_contrast([seats.products], terms, scale=players * seats.scale, level=level)


def seat_spread(seats: SeatSums, *, level: float = LEVEL) -> Estimate:
    """Return by how much the best seat is better than the worst, all players playing alike.

    Parameters
    ----------
    seats : SeatSums
        Win shares (or scores), seats in turn order from ``first``.
    level : float

    Returns
    -------
    Estimate
        ``max_ij (m_i - m_j)`` of the seats' means. The interval runs over the paired t
        intervals of all pairs, each at Bonferroni's level: the spread is at most the largest
        upper end and at least the largest lower end. `se` is that of the pair in front. With
        equal seats the estimate is above zero by chance alone; the interval says so.

    References
    ----------
    O. J. Dunn (1961), Multiple comparisons among means, JASA 56, 52-64.

    Examples
    --------
    As in `first_advantage`: 0.6 and 0.2 of ten games.

    >>> import numpy as np
    >>> products = np.array([[10, 6, 2], [6, 6, 0], [2, 0, 2]])
    >>> found = seat_spread(SeatSums(10, products, 1))
    >>> round(found.estimate, 12), found.low
    (0.4, 0.0)
    """
    players = len(seats.totals)
    pairs = list(itertools.permutations(range(players), 2))
    each = bonferroni_level(len(pairs) // 2, level=level)
    gaps = [
        ratio_contrast(
            [seats.products], [(1, i + 1, 0), (-1, j + 1, 0)], scale=seats.scale, level=each
        )
        for i, j in pairs
    ]
    front = max(gaps, key=lambda gap: -math.inf if gap.estimate is None else gap.estimate)
    if front.low is None or front.high is None:
        return Estimate(front.estimate, None, None, None, front.n)
    low = max(gap.low for gap in gaps if gap.low is not None)
    high = max(gap.high for gap in gaps if gap.high is not None)
    return Estimate(front.estimate, front.se, max(0.0, low), high, front.n)


def fairness(seats: SeatSums) -> ChiSquare:
    """Test that equal players do equally well at every seat.

    Parameters
    ----------
    seats : SeatSums

    Returns
    -------
    ChiSquare
        Wald's test with the seats' covariance, n - 1 degrees of freedom; the hypothesis is
        "all seats equal each other", since nobody wins a share of the games. A small p says
        that the game is not fair; how unfair, `seat_spread` says.

    References
    ----------
    Wald (1943), see :func:`simlib.stats.seats_test`.

    Examples
    --------
    Five wins each of ten games are no reason to doubt:

    >>> import numpy as np
    >>> fairness(SeatSums(10, np.array([[10, 5, 5], [5, 5, 0], [5, 0, 5]]), 1)).p
    1.0
    """
    return seats_test(seats.n, seats.totals, seats.cross)


# --- skill and luck --------------------------------------------------------------------------


def skill_step(n: int, total: int, squares: int, *, unit: int, level: float = LEVEL) -> Estimate:
    """Return how much better one policy is than another at the same table, on the same deals.

    Parameters
    ----------
    n : int
        Deals, each played with the one policy at every seat in turn and the other at all the
        others.
    total, squares : int
        Sum and sum of squares over deals of ``Σ (x_one - mean of the others' x)``.
    unit : int
        Values are whole multiples of 1 / unit.
    level : float

    Returns
    -------
    Estimate
        Mean difference of win shares, paired by deal and averaged over seats: 0 for equal
        policies, 1 for a policy that always wins. The rungs of a *skill ladder* are these
        differences against `random` and against the next policy below.

    References
    ----------
    G. S. Elias, R. Garfield and K. R. Gutschera (2012), Characteristics of Games, MIT Press,
    5 (skill chains); Browne (2008), *skill trace*.

    Examples
    --------
    Two deals, two seats: in one the policy wins from both seats (1 each), in the other from
    one of them (1 and -1); per deal the sums are 2 and 0, a unit is 1 / 2 game:

    >>> skill_step(2, 2, 4, unit=2).estimate
    0.5
    """
    return mean(n, total, squares, scale=unit, level=level)


def luck_and_skill(
    scores: ArrayLike, arrangement: Sequence[Sequence[int]] | None = None, *, level: float = LEVEL
) -> Components:
    """Split the variance of a score into seat, skill, luck of the hand and chance in play.

    Parameters
    ----------
    scores : array, (deals, rotations, seats, replicates)
        Each deal in every rotation of the policies, each again with other luck in play
        (``play_seed``).
    arrangement : (rotations, seats), optional
        Which policy sits where.
    level : float

    Returns
    -------
    Components
        Unbiased variance components of the crossed design deal × rotation × replicate; the
        luck of the hand is the deal × seat component. Shares of the total say how much of a
        result is skill *in this population of policies*.

    References
    ----------
    Searle, Casella and McCulloch (1992), Variance Components, Wiley; see
    :func:`simlib.stats.variance_components`.

    Examples
    --------
    Two seats, one policy, no chance in play; in half of the deals seat 0 wins (1 to 0), in
    the other half seat 1: all is luck of the hand, with the variance 1/4 of a fair coin.

    >>> deals = [[[[1, 1], [0, 0]]], [[[0, 0], [1, 1]]]] * 500
    >>> found = luck_and_skill(deals, [[0, 0]])
    >>> round(found.hand.estimate, 3), found.play.estimate
    (0.25, 0.0)
    """
    return variance_components(scores, arrangement, level=level)


# --- for searches ----------------------------------------------------------------------------


def _share(tally: Tally, level: float, labels: Sequence[str], *, others: bool) -> Estimate:
    """Return the share of games with, or without, endings of these labels."""
    counts = tally.endings()
    n = sum(counts.values())
    hits = sum(counts.get(label, 0) for label in labels)
    return wilson(n - hits if others else hits, n, level=level)


def _branching(tally: Tally, level: float) -> Estimate:
    n, options, decisions, oo, od, dd = tally.decision_sums()
    return branching_factor(n, options, decisions, oo, od, dd, level=level)


#: Figures that ``simlib balance`` and :func:`simlib.balance_search.search` take as targets,
#: beside every metric of the game.
MEASURES: dict[str, Any] = {
    "seat_spread": lambda tally, level: seat_spread(tally.seat_sums(), level=level),
    "first_advantage": lambda tally, level: first_advantage(tally.seat_sums(), level=level),
    "completed": lambda tally, level: _share(tally, level, (*NEVER, *CUT), others=True),
    "never_ending": lambda tally, level: _share(tally, level, NEVER, others=False),
    "cut_off": lambda tally, level: _share(tally, level, CUT, others=False),
    "branching_factor": _branching,
}


def run(**options: Any) -> Result:
    """Measure the balance of a game; see :func:`analyses.balance_report.run`."""
    from analyses.balance_report import run as play

    return play(**options)
