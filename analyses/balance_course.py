"""The course of a game with one winner: drama, lead changes, when it was settled, comebacks.

All are computed from how the players stood at each moment (``simlib.games.standings``): cards in
hand, points so far, totals of a match. Sources: C. Browne (2008), Automatic generation and
evaluation of recombination games, PhD thesis, Queensland University of Technology; J. M. Thompson
(2000), Defining the abstract, The Games Journal.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

__all__ = ["Course", "comeback", "course", "drama", "lead_changes", "settled"]


@dataclass(frozen=True)
class Course:
    """How a game with one winner went.

    Attributes
    ----------
    drama : float
        See `drama`.
    deficit : int
        The winner's largest deficit, in cards or points.
    lead_changes : int
    settled : float
        See `settled`.
    behind_at_half : bool
        See `comeback`.
    """

    drama: float
    deficit: int
    lead_changes: int
    settled: float
    behind_at_half: bool


def course(standings: ArrayLike, winner: int) -> Course:
    """Return all of these figures for one game.

    Parameters
    ----------
    standings : array, (moments, seats)
        From :func:`simlib.games.standings.standings`; more is better.
    winner : int
    """
    rows = np.asarray(standings, np.int64)
    behind = rows.max(axis=1) - rows[:, winner]
    return Course(
        drama=drama(rows, winner),
        deficit=int(behind[:-1].max()) if len(rows) > 1 else 0,
        lead_changes=lead_changes(rows),
        settled=settled(rows, winner),
        behind_at_half=comeback(rows, winner),
    )


def drama(standings: ArrayLike, winner: int) -> float:
    """Return how far behind the later winner was, while he was.

    Parameters
    ----------
    standings : array, (moments, seats)
    winner : int

    Returns
    -------
    float
        Mean over the moments before the end at which the winner was behind of
        ``sqrt((best - winner's) / S)``, S the largest spread between two players that the
        game saw; 0 if he never was behind. From 0 to 1.

    References
    ----------
    Browne (2008), *drama (average)*: the root gives small deficits more weight. His positions
    are valued by a player's evaluation; here by the standing that all can see, over S in place
    of the evaluation's fixed range.

    Examples
    --------
    Seat 0 has 4, 4 and then 0 cards, seat 1 has 4, 3, 3: the winner was behind once, by 1, and
    the largest spread was 3.

    >>> round(drama([[-4, -4], [-4, -3], [0, -3]], 0), 4)  # the root of 1/3
    0.5774
    """
    rows = np.asarray(standings, np.int64)
    spread = int((rows.max(axis=1) - rows.min(axis=1)).max())
    behind = (rows.max(axis=1) - rows[:, winner])[:-1]
    behind = behind[behind > 0]
    return float(np.sqrt(behind / spread).mean()) if len(behind) else 0.0


def lead_changes(standings: ArrayLike) -> int:
    """Return how often another player came to lead alone.

    Parameters
    ----------
    standings : array, (moments, seats)

    Returns
    -------
    int
        Number of moments at which one player leads alone who is not the last to have done so;
        the first leader counts as no change, being level in between neither.

    References
    ----------
    Browne (2008), *lead change*; there per move, here per game.

    Examples
    --------
    Level, seat 0, level, seat 0 again, seat 1, seat 0: two changes.

    >>> lead_changes([[0, 0], [1, 0], [1, 1], [2, 1], [2, 3], [4, 3]])
    2
    """
    rows = np.asarray(standings, np.int64)
    best = rows.max(axis=1, keepdims=True)
    alone = (rows == best).sum(axis=1) == 1
    leaders = rows.argmax(axis=1)[alone]
    return int((leaders[1:] != leaders[:-1]).sum())


def settled(standings: ArrayLike, winner: int) -> float:
    """Return after which part of the game the winner led alone for good (decisiveness).

    Parameters
    ----------
    standings : array, (moments, seats)
    winner : int

    Returns
    -------
    float
        ``t / T`` of the first moment t from which he leads alone at every moment up to the
        end T; 1 if that is only the end, or not even that. A game is *decisive* early where
        this is small, and open to the last where it is near 1.

    References
    ----------
    Thompson (2000), *decisiveness*: a player can reach an advantage that the other cannot make
    good any more. Browne (2008), *permanence* and *uncertainty*, ask the same of evaluations.

    Examples
    --------
    Seat 0 leads from moment 3 of 4 on:

    >>> settled([[0, 0], [1, 0], [1, 2], [3, 2], [4, 2]], 0)
    0.75
    """
    rows = np.asarray(standings, np.int64)
    end = len(rows) - 1
    if end < 1:
        return 1.0
    others = np.delete(rows, winner, axis=1).max(axis=1)
    not_ahead = np.flatnonzero(rows[:, winner] <= others)
    first = int(not_ahead[-1]) + 1 if len(not_ahead) else 0
    return min(first, end) / end


def comeback(standings: ArrayLike, winner: int) -> bool:
    """Tell whether the later winner was behind at half-time.

    Parameters
    ----------
    standings : array, (moments, seats)
    winner : int

    Returns
    -------
    bool
        Whether somebody stood better at moment ``T // 2``. The *comeback rate* is the share of
        games with one winner in which he was (Wilson); with n equal players whose standing at
        half-time said nothing it would be up to 1 - 1/n.

    References
    ----------
    Thompson (2000), *drama*: who is in the weaker position can still come to win.

    Examples
    --------
    >>> comeback([[0, 0], [1, 2], [3, 2]], 0), comeback([[0, 0], [1, 1], [3, 2]], 0)
    (True, False)
    """
    rows = np.asarray(standings, np.int64)
    half = rows[(len(rows) - 1) // 2]
    return bool(half.max() > half[winner])
