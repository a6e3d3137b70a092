"""What a deal of King scores, and who won (K-3, K-10, K-B, C-9)."""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib.cards import lowest
from simlib.jit import helper

__all__ = ["captured", "card_points", "find_slam", "seat_score", "share_win"]

U = np.uint64


@helper
def captured(state: Any, scoring: Any, seat: int) -> Any:
    """Return the scoring cards that count for a seat: taken, or laid away by it (K-X)."""
    cards = state.taken[seat]
    if seat == state.declarer:
        cards |= state.away
    return cards & scoring


@helper
def card_points(rules: Any, row: int, cards: Any) -> int:
    """Return the points of some scoring cards in a contract."""
    points = np.int64(0)
    while cards:
        points += rules.value[row, lowest(cards)]
        cards &= cards - U(1)
    return points


@helper
def seat_score(
    rules: Any, row: int, cards: Any, tricks: int, seat: int, last: int, before_last: int
) -> int:
    """Return the points of a seat for tricks, the last two tricks and scoring cards (K-3)."""
    points = tricks * rules.trick[row] + card_points(rules, row, cards)
    if rules.last[row]:
        points += rules.last[row] * ((last == seat) + (before_last == seat))
    return points


@helper
def find_slam(rules: Any, state: Any, scoring: Any) -> int:
    """Return the seat that took everything that scores, -1 if none did (K-10).

    Judged by the tricks where a trick scores, else by the last two where they do, else by
    the cards.
    """
    row = state.contract
    last = state.last
    if rules.trick[row]:
        total = np.int64(0)
        for seat in range(rules.players):
            total += state.tricks[seat]
        return last if state.tricks[last] == total else -1
    if rules.last[row]:
        return last if state.before_last == last or state.before_last < 0 else -1
    for seat in range(rules.players):
        if captured(state, scoring, seat) == scoring:
            return seat
    return -1


@helper
def share_win(row: Any, points: Any, players: int) -> None:
    """Give the win to the most points, in equal parts, in sixtieths (C-9)."""
    most = points[0]
    for seat in range(1, players):
        if points[seat] > most:
            most = points[seat]
    winners = 0
    for seat in range(players):
        if points[seat] == most:
            winners += 1
    part = 60 // winners
    for seat in range(players):
        row.win_share[seat] = part if points[seat] == most else 0
