"""The cards of a deal of King George III: dealing, recycling, resets (KG-1, KG-6, KG-8)."""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib.games.control import note
from simlib.games.dealing import order_deck
from simlib.games.king_george import events as ev
from simlib.jit import helper
from simlib.rng import SEAT as SEAT_PURPOSE
from simlib.rng import TABLE, shuffle, start

__all__ = [
    "NO_ANSWER",
    "TURN",
    "any_resets_left",
    "deal_cards",
    "recycle",
    "resets_left",
    "start_play_streams",
]

U = np.uint64
#: Where in a turn a deal stands that has just been dealt.
TURN = 0
#: No answer waits to be played.
NO_ANSWER = -9


@helper
def deal_cards(
    rules: Any, state: Any, streams: Any, seed: Any, game: int, deal: int, given: Any
) -> None:
    """Shuffle and deal (KG-1, C-4, C-4a): ``state.seats``, ``players``, ``first`` are set."""
    ring = state.ring
    for card in range(52):
        ring[card] = card
    order_deck(streams[0], ring, 52, seed, game, deal, given)
    n = state.players
    for p in range(5):
        state.hands[p] = U(0)
        state.used[p] = 0
    head = 0
    for _ in range(rules.hand_sizes[n]):
        p = state.first
        for _ in range(n):
            state.hands[p] |= U(1) << U(ring[head])
            head += 1
            p += 1
            if p == n:
                p = 0
    state.head = head
    state.edge = 52
    state.tail = 52
    state.aside = U(0)
    state.pile = U(0)
    state.player = state.first
    state.phase = TURN
    state.card = -1
    state.run = 0
    state.drawn = 0
    state.lap = -1
    state.passed = 0
    state.out = 0
    state.turns = 0
    state.plays = 0
    state.draws = 0
    state.recycles = 0
    state.resets = 0
    state.passes = 0
    state.longest_draw = 0
    state.longest_run = 0
    state.last_reset = -1
    state.first_out = -1
    state.decisions = 0
    state.options = 0
    state.pending = NO_ANSWER


@helper
def start_play_streams(state: Any, streams: Any, play_seed: Any, game: int, deal: int) -> None:
    """Start the table's stream and those of the seats of this deal (C-4)."""
    start(streams[0], play_seed, game, TABLE, deal)
    for p in range(state.players):
        seat = state.seats[p]
        start(streams[1 + seat], play_seed, game, SEAT_PURPOSE + seat, deal)


@helper
def resets_left(rules: Any, state: Any, player: int, resets: int) -> int:
    """Return how many aces of this player would still set a pile aside (KG-8)."""
    if rules.ace_scope:
        return rules.ace_resets - state.used[player]
    return rules.ace_resets - resets


@helper
def any_resets_left(rules: Any, state: Any, resets: int) -> bool:
    """Tell whether any player has a reset left (KG-12)."""
    if rules.ace_scope:
        for p in range(state.players):
            if state.used[p] < rules.ace_resets:
                return True
        return False
    return resets < rules.ace_resets


@helper
def recycle(
    rules: Any, state: Any, streams: Any, control: Any, log: Any,
    seat: int, head: int, edge: int, tail: int,
) -> int:  # fmt: skip
    """Turn the pile below its top card over to be the stock; return the new edge (KG-6)."""
    new_edge = tail - 1
    cards = state.ring
    if rules.recycle == 1:
        size = new_edge - edge
        # the ring may wrap: bring the cards to be shuffled to a straight place
        straight = state.spare
        for i in range(size):
            straight[i] = cards[(edge + i) & 63]
        shuffle(streams[0], straight, size)
        for i in range(size):
            cards[(edge + i) & 63] = straight[i]
    if log is not None:
        note(log, control, ev.RECYCLE, seat, new_edge - head)
        for i in range(head, new_edge):
            note(log, control, ev.CARD, seat, cards[i & 63])
    return new_edge
