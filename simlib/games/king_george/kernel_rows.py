"""What a deal of King George III leaves behind: its row, and who has won (KG-10, KG-14)."""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib.cards import FULL_DECK, count
from simlib.games.king_george.kernel_cards import any_resets_left
from simlib.games.king_george.outcome import CYCLE, ENDLESS, ORPHANS
from simlib.games.king_george.proofs import ACE_RANK, reachable
from simlib.jit import helper

__all__ = ["fewest", "next_players", "share_win", "write_counts"]

U = np.uint64


@helper
def write_counts(rules: Any, state: Any, row: Any, ending: int) -> None:
    """Copy what a deal leaves behind into a row (KG-14)."""
    row.ending = ending
    row.proof = -1
    if ending == ENDLESS:
        row.proof = CYCLE if state.cycle_of >= 0 else ORPHANS
    row.cycle_of = state.cycle_of
    row.decisions = state.decisions
    row.options = state.options
    row.turns = state.turns
    row.plays = state.plays
    row.draws = state.draws
    row.recycles = state.recycles
    row.resets = state.resets
    row.passes = state.passes
    row.longest_draw = state.longest_draw
    row.longest_run = state.longest_run
    row.last_reset = state.last_reset
    row.first_out = state.first_out
    live = FULL_DECK
    if state.tail != state.edge:
        found = reachable(
            rules, FULL_DECK & ~state.aside, U(state.ring[(state.tail - 1) & 63]) >> U(2)
        )
        if (found & ACE_RANK) == U(0) or not any_resets_left(rules, state, state.resets):
            live = found
    for seat in range(5):
        row.cards_left[seat] = -1
        row.orphans[seat] = -1
    for p in range(state.players):
        seat = state.seats[p]
        row.cards_left[seat] = count(state.hands[p])
        row.orphans[seat] = count(state.hands[p] & ~live)


@helper
def fewest(state: Any) -> int:
    """Return the players with the fewest cards, as bits (KG-11)."""
    least = 64
    winners = 0
    for p in range(state.players):
        left = count(state.hands[p])
        if left < least:
            least = left
            winners = 0
        if left == least:
            winners |= 1 << p
    return winners


@helper
def share_win(state: Any, row: Any, winners: int) -> None:
    """Give the win to these players in equal parts, in sixtieths (C-9)."""
    part = 60 // count(U(winners))
    for p in range(state.players):
        if (winners >> p) & 1:
            row.win_share[state.seats[p]] = part
            if part == 60:
                row.winner = state.seats[p]


@helper
def next_players(state: Any, winners: int) -> None:
    """Seat the players of a playoff; the first of them after the old first leads (KG-10)."""
    old_first = state.seats[state.first]
    n = 0
    for p in range(state.players):
        if (winners >> p) & 1:
            state.seats[n] = state.seats[p]
            n += 1
    state.players = n
    state.first = 0
    for p in range(n - 1, -1, -1):
        if state.seats[p] > old_first:
            state.first = p
