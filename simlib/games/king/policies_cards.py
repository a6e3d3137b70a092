"""Cards of a mask by rank, for policies of King."""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib.cards import highest, lowest
from simlib.games.king.kernel_tricks import LANE, NATURAL, lane_of
from simlib.jit import helper

__all__ = ["above", "contract_total", "highest_rank", "lowest_rank", "points"]

U = np.uint64
#: One bit a lane: the cards of rank 0.
EVERY_SUIT = U(0x0001000100010001)


@helper
def ranks_of(cards: Any) -> Any:
    """Return the ranks among some natural cards, as 13 bits (uint64)."""
    halves = cards | (cards >> U(32))
    return (halves | (halves >> U(16))) & LANE


@helper
def lowest_rank(cards: Any) -> int:
    """Return the card of lowest rank (int64); ties by suit, S H D C; jokers stand highest."""
    natural = cards & NATURAL
    if natural == U(0):
        return lowest(cards)
    return lowest(natural & (EVERY_SUIT << U(lowest(ranks_of(natural)))))


@helper
def highest_rank(cards: Any) -> int:
    """Return the card of highest rank (int64); ties by suit, S H D C; jokers stand highest."""
    jokers = cards & ~NATURAL
    if jokers != U(0):
        return lowest(jokers)
    return lowest(cards & (EVERY_SUIT << U(highest(ranks_of(cards)))))


@helper
def above(card: int) -> Any:
    """Return the cards of a natural card's suit that are higher (uint64)."""
    return lane_of(card) & (U(0xFFFFFFFFFFFFFFFE) << U(card))


@helper
def points(view: Any, row: int, cards: Any) -> int:
    """Return what some cards score together in a contract of the variety (int64)."""
    total = np.int64(0)
    cards &= view.choice_scoring[row]
    while cards:
        total += view.choice_values[row, lowest(cards)]
        cards &= cards - U(1)
    return total


@helper
def contract_total(view: Any, row: int) -> int:
    """Return what all players together score in a contract of the variety (int64)."""
    tricks = np.int64(view.choice_trick[row]) * view.hand_size + 2 * view.choice_last[row]
    return tricks + points(view, row, view.deck)
