"""The scripted players of Royal Corners."""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib.cards import count, highest, lowest
from simlib.games.royal_corners.moves import (
    KINGS,
    PILE,
    STOCK,
    below,
    fits_least,
    move,
    nth_move,
)
from simlib.games.royal_corners.planner import plan
from simlib.jit import helper
from simlib.policy import STOP, Policy, policy
from simlib.rng import below as draw_below

__all__ = ["POLICIES"]

U = np.uint64
#: When another player has so few cards left, ``holder`` keeps nothing back.
NEARLY_OUT = 2


@policy("royal-corners", builtin=True)
def random(view: Any, rng: Any) -> int:
    """Picks blindly among every move and stopping."""
    index = draw_below(rng, view.moves + 1)
    if index == view.moves:
        return STOP
    return nth_move(view, index)


@policy("royal-corners", builtin=True)
def eager(view: Any, rng: Any) -> int:
    """Makes any move there is, picked blindly, and never stops while there is one."""
    index = 0
    if view.moves > 1:
        index = draw_below(rng, view.moves)
    return nth_move(view, index)


@helper
def first_pile_move(view: Any) -> int:
    """Return the first move of a pile, or STOP if there is none."""
    piles = view.sources >> U(PILE)
    if piles == U(0):
        return STOP
    source = PILE + lowest(piles)
    return move(source, lowest(view.options[source]))


@helper
def highest_card_move(view: Any) -> int:
    """Return the move of the highest card of the hand that fits, or STOP if none does."""
    cards = view.sources & view.hand
    if cards == U(0):
        return STOP
    card = highest(cards)
    # a king leaves corners 0-3 free where there is a king corner for him
    corners = view.options[card]
    return move(card, highest(corners) if card >= 48 else lowest(corners))


@policy("royal-corners", name="kings-first", builtin=True)
def kings_first(view: Any, rng: Any) -> int:
    """Gets rid of kings before anything else, and moves piles to open corners for them."""
    kings = view.hand & KINGS
    if kings != U(0) and (view.sources & kings) == U(0):
        opening = first_pile_move(view)
        if opening != STOP:
            return opening
    answer = highest_card_move(view)
    if answer != STOP:
        return answer
    # an open king that he would have to draw is put down from the stock
    if view.open_card >= 48 and view.options[STOCK] != 0:
        return move(STOCK, highest(view.options[STOCK]))
    return STOP


@helper
def last_cards(view: Any) -> Any:
    """Return the last cards of all piles, a mask (uint64)."""
    found = U(0)
    for corner in range(8):
        if view.last_cards[corner] >= 0:
            found |= U(1) << U(view.last_cards[corner])
    return found


@policy("royal-corners", name="merge-first", builtin=True)
def merge_first(view: Any, rng: Any) -> int:
    """Moves piles first, and puts the card that fits least elsewhere on a vacated corner."""
    if view.any_corners != 0:
        card = fits_least(view.hand, view.unseen | last_cards(view))
        return move(card, lowest(view.any_corners))
    answer = first_pile_move(view)
    return answer if answer != STOP else highest_card_move(view)


@policy("royal-corners", builtin=True)
def holder(view: Any, rng: Any) -> int:
    """Keeps cards that block others: plays a card only if it opens no more than it covers."""
    for place in range(1, view.players):
        if 0 < view.counts[place] <= NEARLY_OUT:
            return highest_card_move(view)
    least = 1
    answer = np.int64(STOP)
    cards = view.sources & view.hand
    while cards != U(0):  # from the top, so that kings go first
        card = highest(cards)
        cards ^= U(1) << U(card)
        opens = count(view.unseen & below(card))
        corners = U(view.options[card])
        while corners != U(0):
            corner = lowest(corners)
            corners &= corners - U(1)
            last = view.last_cards[corner]
            covers = 9 if last < 0 else count(view.unseen & below(last))
            if opens - covers < least:
                least = opens - covers
                answer = move(card, corner)
    return answer


@policy("royal-corners", builtin=True, allocates=True, params={"keep_corners": -1})
def planner(view: Any, rng: Any) -> int:
    """Thinks his whole turn through and plays what leaves him the fewest penalty points.

    Where the whole stock comes into the hands however little is played, and kings have no corners
    of their own, it costs fewer penalty points in the end to give a vacated corner to a card that
    fits nowhere else than to one that more of the hand could follow now: there he plans to put
    nothing on it but kings and the card that fits least elsewhere. Parameter `keep_corners`: 0
    never does so, 1 does so under all rules, -1 (default) does so under those (RC-8, RC-14).
    """
    keeps = view.params[0] > 0.0
    if view.params[0] < 0.0:
        keeps = view.draw != 0 and view.corners == 4
    answer, _, _ = plan(view, keeps)
    return answer


#: All of them by name.
POLICIES: dict[str, Policy] = {
    found.name: found for found in (random, eager, kings_first, merge_first, holder, planner)
}
