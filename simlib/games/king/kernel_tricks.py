"""Which cards a hand may play, who takes a trick, what a deal scores (K-2 … K-6, K-J).

Cards are masks in suit lanes: 13 bits of 16 a suit; the jokers, 61 and 62, are in no lane.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib.cards import lowest
from simlib.jit import helper

__all__ = [
    "NATURAL",
    "NO_SUIT",
    "beaten_by",
    "either",
    "lane_of",
    "may_play",
    "rank",
    "shown",
    "suit",
    "suit_of_lane",
    "takes_trick",
    "winning",
]

U = np.uint64
#: All cards of one suit, in lane 0.
LANE = U(0x1FFF)
#: All cards but the jokers.
NATURAL = U(0x1FFF1FFF1FFF1FFF)
#: Suit of a trick while only jokers lie.
NO_SUIT = 4


@helper
def suit(card: int) -> int:
    """Return the suit 0 … 3 (S H D C) of a card (int64); 4 for a joker, which has none (K-J)."""
    return card >> 4 if (NATURAL >> U(card)) & U(1) else 4


@helper
def rank(card: int) -> int:
    """Return the rank 0 … 12 (2 … A) of a natural card (int64); 13 for a joker."""
    return card & 15 if (NATURAL >> U(card)) & U(1) else 13


@helper
def lane_of(card: int) -> Any:
    """Return all cards of a natural card's suit (uint64)."""
    return LANE << (U(card) & U(48))


@helper
def suit_of_lane(lane: Any) -> int:
    """Return the suit 0 … 3 of a lane (int64); 4 for none."""
    return lowest(lane) >> 4


@helper
def either(condition: bool, yes: Any, no: Any) -> Any:
    """Return one of two words (uint64) without a branch, which a processor would guess."""
    mask = U(0) - U(condition)
    return (yes & mask) | (no & ~mask)


@helper
def beaten_by(card: int, trump: Any) -> Any:
    """Return the natural cards that beat a natural card which holds the trick (K-2).

    Parameters
    ----------
    card : int
    trump : uint64
        All cards of the trump suit; 0 for none.
    """
    lane = lane_of(card)
    above = lane & (U(0xFFFFFFFFFFFFFFFE) << U(card))
    return above | U(trump) if lane != U(trump) else above


@helper
def may_play(hand: Any, lane: Any, instead: Any, barred: Any, duty: Any, ruff: Any) -> Any:
    """Return the cards that a hand may play (uint64): one place for kernel and people.

    Parameters
    ----------
    hand : uint64
        Not empty.
    lane : uint64
        All cards of the suit of the trick; 0 for a leader, and while only jokers lie.
    instead : uint64
        Jokers that may be played instead of following this suit (K-J).
    barred : uint64
        Cards that this leader may lead only if he has no others (K-4, K-M); 0 for a follower.
    duty : uint64
        Cards that a player void in the suit must play (K-5).
    ruff : uint64
        Trumps, where a player void in the suit must play one (K-2); else 0.
    """
    cards = U(hand)
    other = cards
    if U(barred) | U(duty) | U(ruff):
        if U(lane) == U(0):
            other = cards & ~U(barred)
        elif cards & U(duty):
            other = cards & U(duty)
        else:
            other = cards & U(ruff)
        other = other if other else cards
    # a choice of values and no branch: whether a hand can follow, no processor can guess
    follow = cards & (U(lane) | U(instead))
    return follow if cards & U(lane) else other


@helper
def shown(bit: Any, lane: Any, instead: Any, barred: Any, duty: Any, ruff: Any) -> Any:
    """Return the cards that a player shows not to hold by playing one (uint64).

    The parameters are those of :func:`may_play`, with the card's bit in place of the hand.
    """
    absent = lane
    if barred | duty | ruff:
        if lane == U(0):
            absent = ~barred if bit & barred else U(0)
        elif (bit & duty) == U(0):
            absent |= duty if bit & ruff else duty | ruff
    return U(0) if bit & (lane | instead) else absent


@helper
def takes_trick(table: Any, bane: Any, best: int, joker: int) -> int:
    """Return who takes a trick (K-2, K-J).

    Parameters
    ----------
    table : uint64
        The cards of the trick.
    bane : uint64
        Cards that keep a joker from winning this trick.
    best, joker : int
        Who played the best natural card; who played the first joker, -1 for nobody.
    """
    if joker >= 0 and (U(table) & U(bane)) == U(0):
        return joker
    return best


@helper
def winning(table: Any, beats: Any, bane: Any, joker: int, jokers: Any) -> Any:
    """Return the cards that would hold the trick as it stands, if played now (uint64).

    Parameters
    ----------
    table : uint64
        The cards on the table.
    beats : uint64
        Natural cards that would be the best natural card.
    bane : uint64
        Cards that keep a joker from winning. While only jokers lie: those that set a suit in
        which they do.
    joker : int
        Who played the first joker; -1 for nobody.
    jokers : uint64
        The jokers of the deck.
    """
    held = U(beats) & U(bane) if joker >= 0 else U(beats) | U(jokers)
    return U(beats) if U(table) & U(bane) else held
