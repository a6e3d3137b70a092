"""Maximum likelihood of the rating models, for a batch of samples at a time.

Every fit gives one row of figures a sample, NaN where the likelihood has no maximum; the
public functions turn that into ``None``.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

TOLERANCE = 1e-9
"""A fit ends when no log strength moved by more than this in a round."""
ROUNDS = 20_000


def reach(edges: Flags) -> Flags:
    """Return the transitive closure of a batch of graphs, (batch, k, k)."""
    paths = edges.copy()
    for _ in range(max(1, edges.shape[-1].bit_length())):
        paths |= (paths[:, :, :, None] & paths[:, None, :, :]).any(axis=2)
    return paths


def _connected(edges: Flags) -> Flags:
    """Return for each graph whether every node leads to every other (Ford 1957)."""
    own = np.eye(edges.shape[-1], dtype=np.bool_)
    paths = (reach(edges) | own).reshape(len(edges), -1)
    return np.asarray(paths.all(axis=1))


def davidson(wins: Floats, ties: Floats) -> Floats:
    """Fit Davidson's model to totals (batch, k, k).

    Returns
    -------
    array, (batch, k + 1)
        Log strengths of mean zero, and ν.

    Notes
    -----
    Davidson's iteration is an MM algorithm, so the likelihood never falls: the log of the
    denominator lies below its tangent, and sqrt(π_i π_j) below
    ``(π_i sqrt(p_j/p_i) + π_j sqrt(p_i/p_j)) / 2`` with p the last round's strengths.
    """
    batch, k, _ = wins.shape
    drawn = ties.sum(axis=(1, 2)) / 2
    determined = _connected((wins + ties) > 0)
    # With ties but no cycle of wins a larger ν could always be made up for by spreading
    # the strengths: the likelihood may have no maximum.
    cycles = np.diagonal(reach(wins > 0), axis1=1, axis2=2).any(axis=1)
    determined &= cycles | (drawn == 0)
    found = np.full((batch, k + 1), np.nan)
    if determined.any():
        found[determined] = _davidson_rounds(wins[determined], ties[determined], drawn[determined])
    return found


def _davidson_rounds(wins: Floats, ties: Floats, drawn: Floats) -> Floats:
    games = wins + wins.transpose(0, 2, 1) + ties
    points = wins.sum(axis=2) + ties.sum(axis=2) / 2
    logs, nu = np.zeros(points.shape), np.where(drawn > 0, 1.0, 0.0)
    for _ in range(ROUNDS):
        strengths = np.exp(logs)
        rates, roots = _rates(games, strengths, nu)
        pulls = 1.0 + nu[:, None, None] / 2 * roots / strengths[:, :, None]
        moved = np.log(points / (rates * pulls).sum(axis=2))
        moved -= moved.mean(axis=1, keepdims=True)
        rates, roots = _rates(games, np.exp(moved), nu)
        tied = 2 * drawn / (rates * roots).sum(axis=(1, 2))
        change = max(np.abs(moved - logs).max(), np.abs(tied - nu).max())
        logs, nu = moved, tied
        if change < TOLERANCE:
            return np.column_stack([logs, nu])
    return np.full((len(logs), logs.shape[1] + 1), np.nan)


def _rates(games: Floats, strengths: Floats, nu: Floats) -> tuple[Floats, Floats]:
    """Return games over the model's denominator, and sqrt(π_i π_j)."""
    roots = np.sqrt(strengths[:, :, None] * strengths[:, None, :])
    below = strengths[:, :, None] + strengths[:, None, :] + nu[:, None, None] * roots
    return games / below, roots


def luce(weights: Floats, winners: NDArray[np.int64], members: Floats) -> Floats:
    """Fit the Plackett-Luce model to weighted choices.

    Parameters
    ----------
    weights : array, (batch, choices)
        How often each choice was made.
    winners : array, (choices,)
        Who was chosen.
    members : array, (choices, k)
        How many seats each policy had among those chosen from.

    Returns
    -------
    array, (batch, k)
        Log strengths of mean zero.
    """
    k = members.shape[1]
    chosen = np.eye(k)[winners]
    beats = (chosen[:, :, None] * members[:, None, :]).reshape(-1, k * k)
    edges = ((weights @ beats) > 0).reshape(-1, k, k)
    determined = _connected(edges)
    found = np.full((len(weights), k), np.nan)
    if determined.any():
        found[determined] = _luce_rounds(weights[determined], chosen, members)
    return found


def _luce_rounds(weights: Floats, chosen: Floats, members: Floats) -> Floats:
    won = weights @ chosen
    logs = np.zeros(won.shape)
    for _ in range(ROUNDS):
        strengths = np.exp(logs)
        moved = np.log(won / ((weights / (strengths @ members.T)) @ members))
        moved -= moved.mean(axis=1, keepdims=True)
        change = np.abs(moved - logs).max()
        logs = moved
        if change < TOLERANCE:
            return logs
    return np.full(logs.shape, np.nan)
