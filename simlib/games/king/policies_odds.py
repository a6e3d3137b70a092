"""What the players still to come in a trick of King may do to it, in whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from simlib.cards import count, lowest
from simlib.games.king.kernel_tricks import lane_of
from simlib.games.king.policies_cards import above, points
from simlib.games.king.policies_weights import (
    DUCK,
    FALLS,
    ONLY_LAST,
    RUFFS,
    WEIGHTS,
    WILLING,
)
from simlib.games.king.policies_worth import I64, ONE, trumps_of
from simlib.jit import OPTIONS as JIT
from simlib.jit import helper

__all__ = ["brings", "chance_beats", "chance_each", "costliest", "last_to_come"]

U = np.uint64


@helper
def last_to_come(view: Any) -> int:
    """Return the last place that is still to play in this trick (int64); 0: none is."""
    place = I64(view.players) - 1
    played = I64(view.on_table)
    while played > 0 and place > 0:
        if view.counts[place] > 0 or view.draws == 0:  # else he dropped out before (K-D)
            played -= 1
        place -= 1
    return place


@helper
def none_of(each: int, many: int) -> int:
    """Return the chance that somebody has none of some cards, in 1024ths (int64).

    Parameters
    ----------
    each : int
        Chance that he has a given one, in 64ths.
    many : int
        How many cards.
    """
    chance = ONE
    for _ in range(many):
        chance = chance * (64 - each) >> 6
    return chance


@njit(**JIT)
def chance_each(view: Any, look: Any, place: int, lane: Any, counting: int) -> int:
    """Return the chance that a player holds a given card that he may hold, in 64ths (int64).

    Who counts looks for cards of this suit with those players alone who may have it.
    """
    held = I64(view.counts[place])
    if not counting:
        return min(64 * held // max(count(look.unknown), 1), 64)
    cards = view.may_hold[place]
    each = 64 * held // max(count(cards), 1)
    if cards & lane:
        room = count(look.unknown)
        for other in range(1, view.players):
            if view.may_hold[other] & lane == U(0):
                room -= view.counts[other]
        each = max(each, 64 * held // max(room, 1))
    return min(each, 64)


@njit(**JIT)
def chance_beats(
    view: Any, look: Any, cards: Any, each: int, lane: Any, card: int, pays: int
) -> int:
    """Return the chance that a player takes the trick from the card that holds it (int64).

    Parameters
    ----------
    cards : uint64
        Cards that he may hold.
    each : int
        As from :func:`chance_each`.
    lane : uint64
        The suit of the trick.
    card : int
        The card that holds it.
    pays : int
        1 where he is taken to want the trick, 0 where he takes it only if he must.

    Returns
    -------
    int64
        In 1024ths.
    """
    style = (look.style & ONLY_LAST) + pays
    trumps = trumps_of(look)
    missing = none_of(each, count(cards & lane))
    higher = cards & above(card)
    beats = I64(0)
    if lane_of(card) == lane:
        willing = I64(WEIGHTS[style, WILLING])
        if not pays:
            forced = none_of(each, count(cards & lane & ~higher))
            willing = (forced * ONE + (ONE - forced) * willing) >> 10
        beats = (ONE - none_of(each, count(higher))) * willing >> 10
        if view.draws and view.reserve > 0:  # he draws until the suit comes (K-D)
            suit = max(count(look.unknown & lane), 1)
            beats += missing * count(look.unknown & above(card)) // suit
        if trumps == U(0) or lane == trumps:
            return beats
        higher = cards & trumps
    ruffs = missing * (ONE - none_of(each, count(higher))) >> 10
    return beats + (ruffs if view.must_trump else ruffs * WEIGHTS[style, RUFFS] >> 10)


@helper
def costliest(view: Any, cards: Any) -> int:
    """Return the card that costs most (int64); -1 if none costs."""
    worst = I64(-1)
    value = I64(0)
    while cards:
        card = lowest(cards)
        cards &= cards - U(1)
        if view.values[card] < value:
            value = I64(view.values[card])
            worst = card
    return worst


@njit(**JIT)
def throws(view: Any, look: Any, cards: Any, each: int, lane: Any, worst: int) -> int:
    """Return the points that a player void in the suit will throw on the trick (int64).

    Where tricks cost: his costliest card. Where they pay: only what he must play (K-5).
    """
    scoring = cards & view.scoring & ~lane
    if look.style & 1 != DUCK:
        return each * 16 * points(view, look.row, scoring & view.duty)
    if scoring == U(0):
        return I64(0)
    many = count(scoring)
    rest = points(view, look.row, look.unknown & ~lane)
    if worst < 0 or (scoring >> U(worst)) & U(1) == U(0):
        return (ONE - none_of(each, many)) * (rest // many)
    value = I64(view.values[worst])
    others = (rest - value) // (many - 1) if many > 1 else I64(0)
    return each * 16 * value + (ONE - each * 16) * others


@njit(**JIT)
def brings(view: Any, look: Any, cards: Any, each: int, lane: Any, worst: int) -> int:
    """Return the points that a player will add to a trick that he does not take (int64).

    Parameters
    ----------
    cards, each, lane
        As in :func:`chance_beats`.
    worst : int
        The costliest card out; -1: none.

    Returns
    -------
    int64
        In 1024ths.
    """
    missing = none_of(each, count(cards & lane))
    if view.draws and view.reserve > 0:
        missing = I64(0)
    out = look.unknown & lane
    follows = points(view, look.row, out) * WEIGHTS[look.style, FALLS] // max(count(out), 1)
    thrown = throws(view, look, cards, each, lane, worst)
    return ((ONE - missing) * follows >> 7) + (missing * thrown >> 10)
