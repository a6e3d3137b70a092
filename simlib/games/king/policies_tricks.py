"""Policies for King that want to lose every trick, or to win every trick (K-8, K-9)."""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib.cards import count, lowest
from simlib.games.king.kernel_tricks import LANE
from simlib.games.king.policies_cards import contract_total, highest_rank, lowest_rank
from simlib.games.king.view import BID, DISCARD, PLAY, SUIT, TRUMP
from simlib.jit import helper
from simlib.policy import policy

__all__ = ["duck", "grab"]

U = np.uint64


@helper
def least_points(view: Any, cards: Any) -> Any:
    """Return those of some cards that cost most, or where none costs, pay least (uint64)."""
    least = U(0)
    fewest = np.int64(0)
    while cards:
        card = lowest(cards)
        cards &= cards - U(1)
        points = np.int64(view.values[card])
        if least == U(0) or points < fewest:
            fewest = points
            least = U(0)
        if points == fewest:
            least |= U(1) << U(card)
    return least


@helper
def contract_most(view: Any, sign: int) -> int:
    """Return the contract to choose from that pays most, or with `sign` -1 costs most (int64)."""
    best = np.int64(-1)
    most = np.int64(0)
    rows = view.options
    while rows:
        row = lowest(rows)
        rows &= rows - U(1)
        total = sign * contract_total(view, row)
        if best < 0 or total > most:
            best = row
            most = total
    return best


@helper
def suit_most(view: Any, first: int, sign: int) -> int:
    """Return the choice that is the longest suit in hand, or with `sign` -1 the shortest (int64).

    Suit 0 is the choice `first`; of equal suits the first in the order S H D C.
    """
    best = np.int64(-1)
    most = np.int64(0)
    for suit in range(4):
        cards = sign * count(view.hand & (LANE << U(16 * suit)))
        if best < 0 or cards > most:
            best = np.int64(first + suit)
            most = cards
    return best


@policy("king", builtin=True)
def duck(view: Any, rng: Any) -> int:
    """Tries to win no trick: goes as high as still loses, and throws away what costs most."""
    cards = view.options
    if view.decision == PLAY:
        if view.table == U(0):
            return lowest_rank(cards)
        losing = cards & ~view.winning
        if losing == U(0):
            return highest_rank(cards)
        if view.led >= 0 and (losing & (LANE << U(16 * view.led))) == U(0):
            losing = least_points(view, losing)
        return highest_rank(losing)
    if view.decision == TRUMP:
        return 0 if cards & U(1) else suit_most(view, 1, -1)
    if view.decision == DISCARD:
        return highest_rank(cards)
    if view.decision == BID:
        return 0
    if view.decision == SUIT:
        return suit_most(view, 0, -1)
    return contract_most(view, -1)


@policy("king", builtin=True)
def grab(view: Any, rng: Any) -> int:
    """Tries to win every trick: wins as cheaply as it can, and throws away what pays least."""
    cards = view.options
    if view.decision == PLAY:
        if view.table == U(0):
            return highest_rank(cards)
        won = cards & view.winning
        if won != U(0):
            return lowest_rank(won)
        if view.led >= 0 and (cards & (LANE << U(16 * view.led))) == U(0):
            cards = least_points(view, cards)
        return lowest_rank(cards)
    if view.decision == TRUMP:
        return suit_most(view, 1, 1)
    if view.decision == DISCARD:
        return lowest_rank(cards)
    if view.decision == BID:
        return lowest(cards & ~U(1))
    if view.decision == SUIT:
        return suit_most(view, 0, 1)
    return contract_most(view, 1)
