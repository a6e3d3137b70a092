"""What plays a deal of Royal Corners, piece by piece: dealing, corners, views, errors.

Of a pile only its first and its last card and the set of its cards matter. For each corner the
state keeps the set of cards that fit on it, so that the moves of a hand are a few intersections;
a corner's set changes only when the corner, or its right to any card, does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib.cards import FULL_DECK, count
from simlib.games.control import ANSWER, ERROR, KIND, OPTIONS
from simlib.games.dealing import order_deck
from simlib.games.royal_corners.moves import (
    ALWAYS,
    KINGS,
    NEXT_MOVE,
    NEXT_TURN,
    any_corners,
    joins_on,
    takes_on,
)
from simlib.jit import helper
from simlib.policy import PARAMS
from simlib.rng import SEAT as SEAT_PURPOSE
from simlib.rng import start

__all__ = [
    "ANY",
    "CHOOSE",
    "END",
    "FIRSTS",
    "LASTS",
    "NO_ANSWER",
    "OPEN",
    "TURN",
    "deal_cards",
    "fill_view",
    "holders",
    "look_again",
    "look_at",
    "penalty",
    "put_card",
    "put_pile",
    "report",
    "start_seat_streams",
]

U = np.uint64

#: Where in a turn a deal stands.
TURN, CHOOSE, END = range(3)
#: No answer waits to be played.
NO_ANSWER = -9
#: Places of the control array that say after a C-5 error what lay on the table: last and first
#: cards (a byte a corner: 0xFF empty, ANY empty and taking any card), the open card.
LASTS, FIRSTS, OPEN = 11, 12, 13
ANY = 0xFE


@helper
def look(rules: Any, state: Any, corner: int) -> None:
    """Find again what fits on a corner (RC-3 … RC-6, RC-14)."""
    last = np.int64(state.last_cards[corner])
    rights = any_corners(rules.vacated, state.fresh, state.old)
    state.takes[corner] = takes_on(last, (rights >> corner) & 1)
    state.joins[corner] = joins_on(last, rules.merge, corner >= 4, rules.king_pile)


@helper
def look_at(rules: Any, state: Any, corners: int) -> None:
    """Find again what fits on these corners, given as bits."""
    rest = U(corners)
    corner = 0
    while rest != U(0):
        if rest & U(1):
            look(rules, state, corner)
        rest >>= U(1)
        corner += 1


@helper
def look_again(rules: Any, state: Any) -> None:
    """Find everything that follows from the first and last cards on the corners."""
    state.heads = U(0)
    for corner in range(8):
        if state.first_cards[corner] >= 0:
            state.heads |= U(1) << U(state.first_cards[corner])
        look(rules, state, corner)


@helper
def deal_cards(
    rules: Any, state: Any, streams: Any, seed: Any, game: int, deal: int, given: Any
) -> None:
    """Shuffle and deal (RC-1, RC-14, C-4, C-4a); ``state.first`` is set."""
    n = rules.players
    deck = state.deck
    for card in range(52):  # as in a new pack: here the ace is the lowest card, there the last
        deck[card] = card + 4 if card < 48 else card - 48
    order_deck(streams[0], deck, 52, seed, game, deal, given)
    for p in range(4):
        state.hands[p] = U(0)
        state.out_order[p] = -1
    head = 0
    for _ in range(rules.hand_size):
        p = state.first
        for _ in range(n):
            state.hands[p] |= U(1) << U(deck[head])
            head += 1
            p += 1
            if p == n:
                p = 0
    state.fresh = 0
    state.old = 0
    for corner in range(8):
        state.cards[corner] = U(0)
        state.first_cards[corner] = -1
        state.last_cards[corner] = -1
    for corner in range(4):
        card = deck[head]
        head += 1
        state.cards[corner] = U(1) << U(card)
        state.first_cards[corner] = card
        state.last_cards[corner] = card
    look_again(rules, state)
    state.head = head
    state.player = state.first
    state.phase = TURN
    state.turn_hand_plays = 0
    state.turn_stock_plays = 0
    state.turn_pile_moves = 0
    state.turn_drawn = 0
    state.stopped = 0
    state.idle = 0
    state.declined = 0
    state.turns = 0
    state.hand_plays = 0
    state.stock_plays = 0
    state.pile_moves = 0
    state.draws = 0
    state.decisions = 0
    state.options = 0
    state.outs = 0
    state.first_out_turn = -1
    state.pending = NO_ANSWER


@helper
def copy_options(view: Any, template: Any) -> None:
    """Write the rules in force into a view."""
    view.decision = 0
    view.may_stop = 1
    view.corners = template.corners
    view.match = template.match
    view.merge = template.merge
    view.vacated = template.vacated
    view.stock_face = template.stock_face
    view.draw = template.draw
    view.end = template.end
    view.king_pile = template.king_pile
    view.target = template.target
    view.players = template.players
    for i in range(PARAMS):
        view.params[i] = template.params[i]


@helper
def empty_corners(state: Any) -> int:
    """Return the empty corners among 0-3, as bits (int64)."""
    empty = np.int64(0)
    for corner in range(4):
        if state.last_cards[corner] < 0:
            empty |= 1 << corner
    return empty


@helper
def fill_view(
    rules: Any,
    state: Any,
    view: Any,
    templates: Any,
    p: int,
    hand: Any,
    sources: Any,
    moves: int,
    open_card: int,
    head: int,
    idle: int,
) -> None:
    """Write every field of the view of player `p` (C-6) but ``options``, which are there."""
    n = rules.players
    if not rules.trusted:  # a policy of a user may have written over rules and parameters
        copy_options(view, templates[p])
    seen = hand
    for corner in range(8):
        view.corner_cards[corner] = state.cards[corner]
        seen |= state.cards[corner]
    for corner in range(8):
        view.first_cards[corner] = state.first_cards[corner]
    for corner in range(8):
        view.last_cards[corner] = state.last_cards[corner]
    view.hand = hand
    view.sources = sources
    if open_card >= 0:
        seen |= U(1) << U(open_card)
    view.unseen = FULL_DECK & ~seen
    view.moves = moves
    empty = empty_corners(state)
    rights = empty & any_corners(rules.vacated, state.fresh, state.old)
    view.any_corners = rights
    lasting = rights
    if rules.vacated != NEXT_MOVE and rules.vacated != ALWAYS:
        lasting = rights & state.fresh if rules.vacated == NEXT_TURN else 0
    view.lasting_corners = lasting
    view.open_card = open_card
    view.stock_count = 52 - head
    position = p - state.first
    view.position = position + n if position < 0 else position
    view.idle = idle
    view.hand_plays = state.turn_hand_plays
    view.stock_plays = state.turn_stock_plays
    view.pile_moves = state.turn_pile_moves
    view.drawn = state.turn_drawn
    q = p
    for k in range(n):
        view.counts[k] = count(state.hands[q])
        view.totals[k] = state.totals[q]
        q += 1
        if q == n:
            q = 0
    for k in range(n, 4):
        view.counts[k] = -1
        view.totals[k] = 0


@helper
def put_card(state: Any, corner: int, card: int) -> None:
    """Put a card on a corner; what fits there has still to be found."""
    if state.last_cards[corner] < 0:
        state.first_cards[corner] = card
        state.heads |= U(1) << U(card)
    state.last_cards[corner] = card
    state.cards[corner] |= U(1) << U(card)


@helper
def put_pile(state: Any, source: int, corner: int) -> None:
    """Put the pile on one corner on another corner (RC-5, RC-14)."""
    if state.last_cards[corner] < 0:
        state.first_cards[corner] = state.first_cards[source]
    else:
        state.heads &= ~(U(1) << U(state.first_cards[source]))
    state.last_cards[corner] = state.last_cards[source]
    state.cards[corner] |= state.cards[source]
    state.cards[source] = U(0)
    state.first_cards[source] = -1
    state.last_cards[source] = -1


@helper
def holders(rules: Any, state: Any) -> int:
    """Return how many players have cards (int64)."""
    found = np.int64(0)
    for p in range(rules.players):
        if state.hands[p] != U(0):
            found += 1
    return found


@helper
def report(
    rules: Any, state: Any, control: Any, hand: Any, open_card: int, sources: Any, answer: int
) -> None:
    """Leave in the control array what names a C-5 error: the answer, and the table."""
    control[ERROR] = 1
    control[ANSWER] = answer
    control[OPTIONS] = np.int64(hand)
    control[KIND] = np.int64(sources)
    control[OPEN] = open_card
    rights = any_corners(rules.vacated, state.fresh, state.old)
    lasts = U(0)
    firsts = U(0)
    for corner in range(8):
        last = U(np.uint8(state.last_cards[corner]))
        if last == U(0xFF) and (rights >> corner) & 1:
            last = U(ANY)
        lasts |= last << U(8 * corner)
        firsts |= U(np.uint8(state.first_cards[corner])) << U(8 * corner)
    control[LASTS] = np.int64(lasts)
    control[FIRSTS] = np.int64(firsts)


@helper
def start_seat_streams(rules: Any, streams: Any, play_seed: Any, game: int, deal: int) -> None:
    """Start the streams of the seats for this deal (C-4); the table uses no chance."""
    for seat in range(rules.players):
        start(streams[1 + seat], play_seed, game, SEAT_PURPOSE + seat, deal)


@helper
def penalty(hand: Any) -> int:
    """Return the penalty points of a hand (RC-11)."""
    return count(hand) + 9 * count(hand & KINGS)
