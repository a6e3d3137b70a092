"""What a hand may still bring in a contract of King, as `sensible` and `counting` see it.

All in whole numbers: points and chances are counted in 1024ths (``ONE``).

A card of a suit is taken to win its trick with a chance that falls with the cards out above it
and rises with those out below it; what it is then worth is the points of a trick to come, and
its own. So the same few lines say which cards are dangerous in a contract that costs, which are
winners in one that pays, what laying a card away or naming a trump is worth, and how good a hand
is in a contract.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from simlib.cards import count, lowest
from simlib.games.king.kernel_tricks import LANE, NATURAL
from simlib.games.king.policies_cards import above, points
from simlib.games.king.policies_weights import (
    ALONE,
    DUCK,
    FLOOR,
    GRAB,
    HELD_BACK,
    HIGHER_OUT,
    JOKER,
    LOWER_MINE,
    ONLY_LAST,
    RUFFED,
    TRUMP_WINS,
    TRUST,
    VOID,
    WEIGHTS,
)
from simlib.jit import OPTIONS as JIT
from simlib.jit import helper

__all__ = ["I64", "ONE", "Outlook", "gain_without", "hand_worth", "look_at"]

U = np.uint64
I64 = np.int64
ONE = np.int64(1024)


class Outlook(NamedTuple):
    """What a player makes of a contract at one moment, whichever card he then plays.

    Attributes
    ----------
    row : int
        The contract, a row of the variety.
    style : int
        Whether tricks cost or pay: a row of ``WEIGHTS``.
    trump : int
        Trump suit; -1: none.
    unknown : uint64
        Cards that others may hold, as far as he remembers.
    share : int
        What part of them others do hold, in 1024ths.
    late : int
        Points of a trick to come, in 1024ths.
    """

    row: int
    style: int
    trump: int
    unknown: Any
    share: int
    late: int


@helper
def look_at(
    view: Any, row: int, trump: int, unknown: Any, held: int, left: int, mine: Any
) -> Outlook:
    """Return the outlook on a contract.

    Parameters
    ----------
    row, trump, unknown
        As in :class:`Outlook`.
    held : int
        How many cards others hold.
    left : int
        Tricks left, this one included; at least 1.
    mine : uint64
        Cards of which he knows where they are, and that may still score.
    """
    trick = I64(view.choice_trick[row]) << 10
    last = I64(view.choice_last[row]) << 10
    share = ONE * held // max(count(unknown), 1)
    out = points(view, row, unknown) * share
    total = trick * left + 2 * last + out + (points(view, row, mine) << 10)
    style = I64(DUCK) if total <= 0 else I64(GRAB)
    if trick == 0 and view.choice_scoring[row] == U(0):
        style += ONLY_LAST
    return Outlook(I64(row), style, I64(trump), unknown, share, trick + (2 * last + out) // left)


@helper
def trumps_of(look: Any) -> Any:
    """Return all cards of the trump suit (uint64); 0 where there is none."""
    return LANE << U(16 * look.trump) if look.trump >= 0 else U(0)


@helper
def trust(view: Any, look: Any, suit: int) -> int:
    """Return how far a card of this suit that should win does win (int64).

    It may be ruffed (K-2), or its suit may never be led (K-4).
    """
    known = I64(WEIGHTS[look.style, TRUST])
    if view.held_back & (LANE << U(16 * suit)):
        known = known * WEIGHTS[look.style, HELD_BACK] >> 10
    if look.trump >= 0 and suit != look.trump:
        trumps = min(count(look.unknown & trumps_of(look)) * look.share >> 10, 4)
        known = known * (ONE - WEIGHTS[look.style, RUFFED] * trumps // 4) >> 10
    return known


@njit(**JIT)
def suit_worth(view: Any, look: Any, mine: Any, suit: int) -> int:
    """Return what some cards of one suit may bring together, in 1024ths (int64)."""
    out = look.unknown & (LANE << U(16 * suit))
    certain = trust(view, look, suit)
    part = look.share >> 6
    total = I64(0)
    lower = I64(0)
    cards = mine
    while cards:
        card = lowest(cards)
        cards &= cards - U(1)
        if out == U(0):
            wins = ONE if suit == look.trump else I64(WEIGHTS[look.style, ALONE])
        else:
            over = count(out & above(card))
            under = (count(out) - over) * part - lower * WEIGHTS[look.style, LOWER_MINE]
            under = 16 * (max(under, 0) + WEIGHTS[look.style, FLOOR])
            wins = ONE * under // max(under + over * part * WEIGHTS[look.style, HIGHER_OUT], 1)
        if suit == look.trump:
            wins = max(wins, I64(WEIGHTS[look.style, TRUMP_WINS]))
        else:
            wins = wins * certain >> 10
        total += wins * (look.late + (I64(view.choice_values[look.row, card]) << 10)) >> 10
        lower += 1
    return total


@helper
def void_worth(look: Any, hand: Any) -> int:
    """Return what it may bring to have none of a suit, in 1024ths (int64).

    Where tricks cost, dangerous cards can be thrown away; where they pay, trumps can ruff.
    """
    gain = look.late * WEIGHTS[look.style, VOID] >> 7
    if look.style & 1 == DUCK:
        return -gain
    return gain if hand & trumps_of(look) else I64(0)


@njit(**JIT)
def hand_worth(view: Any, look: Any, hand: Any) -> int:
    """Return what a hand may bring, in 1024ths (int64)."""
    total = points(view, look.row, hand & view.jokers) * WEIGHTS[look.style, JOKER]
    for suit in range(4):
        lane = LANE << U(16 * suit)
        if hand & lane:
            total += suit_worth(view, look, hand & lane, I64(suit))
        elif look.unknown & lane:
            total += void_worth(look, hand)
    return total


@njit(**JIT)
def gain_without(view: Any, look: Any, hand: Any, card: int) -> int:
    """Return how much more a hand may bring once a card has left it, in 1024ths (int64)."""
    bit = U(1) << U(card)
    if bit & NATURAL == U(0):
        return -points(view, look.row, bit) * WEIGHTS[look.style, JOKER]
    rest = hand & ~bit
    suit = I64(card >> 4)
    lane = LANE << U(16 * suit)
    before = suit_worth(view, look, hand & lane, suit)
    if rest & lane:
        return suit_worth(view, look, rest & lane, suit) - before
    if look.unknown & lane:
        return void_worth(look, rest) - before
    return -before
