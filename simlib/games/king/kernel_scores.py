"""What a deal of King scores, and who won (K-3, K-10, K-B, C-9)."""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib.cards import lowest
from simlib.games.king.kernel_seats import seat_byte
from simlib.jit import helper

__all__ = ["captured", "deal_scores", "share_win"]

U = np.uint64
#: Sixtieths of a win for each of so many winners (C-9).
PARTS = (0, 60, 30, 20, 15)


@helper
def captured(rules: Any, state: Any, seat: int) -> Any:
    """Return the scoring cards that count for a seat: taken, or laid away by it (K-X)."""
    cards = state.taken[seat]
    if seat == state.declarer:
        cards |= state.away
    return cards & rules.scoring[state.contract]


@helper
def card_points(rules: Any, row: int, cards: Any) -> int:
    """Return the points of some scoring cards in a contract."""
    points = 0
    while cards:
        points += rules.value[row, lowest(cards)]
        cards &= cards - U(1)
    return points


@helper
def find_slam(rules: Any, state: Any) -> int:
    """Return the seat that took everything that scores, -1 if none did (K-10).

    Judged by the tricks where a trick scores, else by the last two where they do, else by
    the cards.
    """
    row = state.contract
    last = state.last
    if rules.trick[row]:
        return last if seat_byte(state.tricks, last) == state.trick else -1
    if rules.last[row]:
        return last if state.before_last == last or state.before_last < 0 else -1
    scoring = rules.scoring[row] & state.in_play
    if scoring == U(0):  # all that scores is set aside
        return -1
    for seat in range(rules.players):
        if captured(rules, state, seat) == scoring:
            return seat
    return -1


@helper
def deal_scores(rules: Any, state: Any, auction: bool) -> int:
    """Write ``state.scores`` (K-3, K-A, K-B); return the seat that took everything, or -1."""
    row = state.contract
    slam = find_slam(rules, state)
    swept = slam >= 0 and rules.slam[row] != 0
    for seat in range(rules.players):
        if swept:
            score = rules.slam[row] if seat == slam else 0
        else:
            score = seat_byte(state.tricks, seat) * rules.trick[row]
            score += card_points(rules, row, captured(rules, state, seat))
            if rules.last[row]:
                score += rules.last[row] * ((state.last == seat) + (state.before_last == seat))
        if auction and seat == state.declarer:
            score += state.bid if rules.bid else -state.bid
        state.scores[seat] = score
    return slam


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
    part = PARTS[winners]
    for seat in range(players):
        row.win_share[seat] = part if points[seat] == most else 0
