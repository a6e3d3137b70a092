"""The card that `sensible` and `counting` play in a trick of King (K-8)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from simlib.cards import lowest
from simlib.games.king.kernel_tricks import LANE, NATURAL, lane_of
from simlib.games.king.policies_cards import points
from simlib.games.king.policies_odds import (
    brings,
    chance_beats,
    chance_each,
    costliest,
    last_to_come,
)
from simlib.games.king.policies_weights import DUCK, LEAD, WEIGHTS
from simlib.games.king.policies_worth import I64, ONE, gain_without, look_at
from simlib.jit import OPTIONS as JIT
from simlib.jit import helper

__all__ = ["best_card"]

U = np.uint64


@helper
def look_round(view: Any, counting: int) -> Any:
    """Return the outlook on the contract in the middle of play.

    Who does not count takes every card that he does not see for one that may be out.
    """
    seen = view.hand | view.table
    unknown = view.unseen if counting else view.deck & ~(seen | view.away | view.taken[0])
    held = I64(0)
    for place in range(1, view.players):
        held += view.counts[place]
    left = max(I64(view.counts[0]), 1)
    return look_at(view, I64(view.row), I64(view.trump), unknown, held, left, seen)


@helper
def worth_of_lead(view: Any, look: Any) -> int:
    """Return what it may bring to lead to the next trick, in 1024ths (int64)."""
    left = max(I64(view.counts[0]), 1)
    if left == 1:
        return I64(0)
    last = I64(view.last_value) << 10
    worth = look.late - 2 * last // left
    if left <= 3:  # the next is one of the last two
        worth += last
    return worth * WEIGHTS[look.style, LEAD] >> 8


@njit(**JIT)
def trick_worth(
    view: Any, look: Any, card: int, counting: int, worst: int, now: int, lead: int
) -> int:
    """Return what the trick may bring with a card that would hold it as it stands (int64).

    Parameters
    ----------
    card : int
        The card.
    worst : int
        The costliest card out; -1: none.
    now : int
        Points on the table, and of the trick itself.
    lead : int
        As from :func:`worth_of_lead`.
    """
    stake = now + I64(view.values[card])
    total = stake << 10
    wins = ONE
    if U(1) << U(card) & NATURAL:
        pays = I64(1) if stake > 0 else I64(0) if stake < 0 else look.style & 1
        lane = lane_of(card) if view.led < 0 else LANE << U(16 * I64(view.led))
        bane = (view.table | U(1) << U(card)) & view.bane[lowest(lane) >> 4]
        for place in range(1, last_to_come(view) + 1):
            cards = view.may_hold[place] if counting else look.unknown
            if cards == U(0) or view.counts[place] <= 0:
                continue
            each = chance_each(view, look, place, lane, counting)
            beats = chance_beats(view, look, cards, each, lane, card, pays)
            wins = wins * (ONE - min(beats, ONE)) >> 10
            if bane == U(0):  # a joker would take the trick (K-J)
                cards &= NATURAL
            total += brings(view, look, cards, each, lane, worst)
    return wins * (total + lead) >> 10


@njit(**JIT)
def best_card(view: Any, counting: int) -> int:
    """Return the card after which trick and hand together may bring most (int64).

    Of equals the higher where tricks cost, the lower where they pay.

    Parameters
    ----------
    counting : int
        Whether cards played and voids shown are used; else only what lies open.
    """
    look = look_round(view, counting)
    worst = costliest(view, look.unknown & view.scoring)
    now = points(view, look.row, view.table) + I64(view.trick_value)
    if view.counts[0] <= 2:
        now += I64(view.last_value)
    lead = worth_of_lead(view, look)
    best = I64(-1)
    most = I64(0)
    cards = view.options
    while cards:
        card = lowest(cards)
        cards &= cards - U(1)
        worth = gain_without(view, look, view.hand, card)
        if (view.winning >> U(card)) & U(1):
            worth += trick_worth(view, look, card, counting, worst, now, lead)
        if best < 0 or worth > most or (worth == most and look.style & 1 == DUCK):
            best = card
            most = worth
    return best
