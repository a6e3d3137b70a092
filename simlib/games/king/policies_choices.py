"""Contract, trump, cards laid away, bid and penalty suit, as `sensible` chooses them (K-9)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from simlib.cards import count, highest, lowest
from simlib.games.king.house import MOST_CONTRACTS
from simlib.games.king.policies_cards import contract_total
from simlib.games.king.policies_weights import PATIENCE, TRUE_SIZE, WEIGHTS
from simlib.games.king.policies_worth import I64, gain_without, hand_worth, look_at
from simlib.games.king.view import BID, DISCARD, TRUMP
from simlib.jit import OPTIONS as JIT
from simlib.jit import helper

__all__ = ["choose"]

U = np.uint64


@helper
def look_ahead(view: Any, row: int, trump: int, unknown: Any, hand: Any) -> Any:
    """Return the outlook on a contract before its first trick."""
    size = I64(view.hand_size)
    return look_at(view, row, trump, unknown, size * (view.players - 1), size, hand)


@njit(**JIT)
def worth_with(view: Any, row: int, trump: int, hand: Any) -> int:
    """Return what a hand may bring in a contract with a trump, in 1024ths (int64)."""
    look = look_ahead(view, row, trump, view.deck & ~hand, hand)
    return hand_worth(view, look, hand) * WEIGHTS[look.style, TRUE_SIZE] >> 8


@njit(**JIT)
def worth_in(view: Any, row: int, hand: Any) -> int:
    """Return what a hand may bring in a contract whose trump, if any, it names (int64)."""
    best = worth_with(view, row, I64(-1), hand)
    if view.choice_trump[row]:
        for trump in range(4):
            best = max(best, worth_with(view, row, I64(trump), hand))
    return best


@helper
def every_nth(cards: Any, first: int, step: int) -> Any:
    """Return every `step`-th of some cards, from number `first` on (uint64)."""
    found = U(0)
    number = I64(0)
    while cards:
        if number == first:
            found |= cards & (~cards + U(1))
        number += 1
        if number == step:
            number = I64(0)
        cards &= cards - U(1)
    return found


@njit(**JIT)
def edge(view: Any, row: int) -> int:
    """Return how much more this hand may bring in a contract than another, in 1024ths (int64).

    The others are taken to share the rest of the cards evenly.
    """
    rest = view.deck & ~view.hand
    others = I64(view.players) - 1
    theirs = I64(0)
    for place in range(others):
        theirs += worth_in(view, row, every_nth(rest, I64(place), others))
    theirs = theirs * view.hand_size // max(count(rest), 1)
    return worth_in(view, row, view.hand) - theirs


@njit(**JIT)
def best_row(view: Any, rows: Any) -> int:
    """Return the contract among some in which this hand is best (int64).

    Where contracts are left for later deals, one with more at stake waits for a better hand.
    """
    left = I64(0)
    for row in range(MOST_CONTRACTS):
        left += view.left[row]
    best = I64(-1)
    most = I64(0)
    while rows:
        row = lowest(rows)
        rows &= rows - U(1)
        value = edge(view, row)
        if left > 1:
            stake = abs(contract_total(view, row)) // view.players
            value -= stake * PATIENCE * (left - 1) // left
        if best < 0 or value > most:
            best = row
            most = value
    return best


@njit(**JIT)
def best_trump(view: Any) -> int:
    """Return the trump with which this hand may bring most (int64)."""
    best = I64(-1)
    most = I64(0)
    trumps = view.options
    while trumps:
        trump = lowest(trumps)
        trumps &= trumps - U(1)
        worth = worth_with(view, I64(view.row), I64(trump - 1), view.hand)
        if best < 0 or worth > most:
            best = trump
            most = worth
    return best


@njit(**JIT)
def laid_away(view: Any) -> int:
    """Return the card without which this hand may bring most (int64)."""
    hand = view.hand
    unknown = view.deck & ~(hand | view.away)
    look = look_ahead(view, I64(view.row), I64(view.trump), unknown, hand)
    best = I64(-1)
    most = I64(0)
    cards = view.options
    while cards:
        card = lowest(cards)
        cards &= cards - U(1)
        # what scores counts as taken by who lays it away (K-X)
        worth = gain_without(view, look, hand, card) + (I64(view.values[card]) << 10)
        if best < 0 or worth > most:
            best = card
            most = worth
    return best


@njit(**JIT)
def bid(view: Any) -> int:
    """Return the lowest bid allowed, as long as naming is worth more than it, else a pass."""
    rows = U(0)
    for row in range(MOST_CONTRACTS):
        scores = view.choice_trick[row] != 0 or view.choice_last[row] != 0
        if scores or view.choice_scoring[row] != U(0):
            rows |= U(1) << U(row)
    # if another names it he has such an edge over all others: to each of them a loss
    gain = edge(view, best_row(view, rows)) * view.players // (view.players - 1)
    bids = view.options & ~U(1)
    if view.bid_gain:
        most = I64(highest(bids))
        return most if gain > -most << 10 else I64(0)
    least = I64(lowest(bids))
    return least if gain > least << 10 else I64(0)


@njit(**JIT)
def choose(view: Any) -> int:
    """Return the answer to any decision but a play (int64)."""
    if view.decision == DISCARD:
        return laid_away(view)
    if view.decision == TRUMP:
        return best_trump(view)
    if view.decision == BID:
        return bid(view)
    if view.hand == U(0):  # the contract is named before the deal (K-O)
        return lowest(view.options)
    return best_row(view, view.options)
