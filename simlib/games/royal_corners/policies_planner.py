"""Searches a whole turn of Royal Corners for the policy ``planner``.

A sequence of moves is worth the penalty that the turn leaves in hand, then the number of future
fits, then its place in the order of RC-12 (a sequence before its own continuations). The search
walks through the sequences in that order and keeps the first best one. It goes on from a
position only when it comes there for the first time: the same position reached later can only
repeat what was found, by a later sequence. Positions that differ in the names of corners of one
kind, or by a card against the other of its rank and colour, count as the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from simlib.cards import count, highest, lowest
from simlib.games.royal_corners.moves import (
    ALL,
    KINGS,
    NEXT_MOVE,
    NEVER,
    PILE,
    STOCK,
    above,
    below,
    move,
)
from simlib.jit import OPTIONS as JIT
from simlib.jit import helper
from simlib.policy import STOP
from simlib.rng import mix

__all__ = ["LIMIT", "fits_after", "left_after", "plan"]

U = np.uint64

#: Positions looked at in one search before it is content with the best so far.
LIMIT = 1 << 18
#: Words of one entry of the stack: hand, last and first cards (a byte a corner, 0xFF: empty),
#: hash of the position, and the rest: rights (bits 0-7), the open card is there (8), the first
#: move of the sequence (from bit 16; 0xFFFF: none).
HAND, LASTS, FIRSTS, KEY, REST, WORDS = range(6)
EMPTY = 0xFF
NO_MOVE = 0xFFFF
#: Room at the start, in entries; both grow.
STACK_ROOM = 512
TABLE_ROOM = 64
#: A card of no suit and rank to stand for an empty corner in hashes, and a right's mark.
NOBODY = U(26)
RIGHT = U(1 << 20)
OPEN = U(1 << 21)


@helper
def byte(word: Any, corner: int) -> int:
    """Return the card of a corner from a packed word (int64)."""
    return np.int64((word >> U(corner << 3)) & U(0xFF))


@helper
def with_byte(word: Any, corner: int, card: int) -> Any:
    """Return a packed word with another card at a corner (uint64)."""
    place = U(corner << 3)
    return (word & ~(U(0xFF) << place)) | (U(card) << place)


@helper
def kind(card: int) -> Any:
    """Return rank and colour of a card as one number (uint64)."""
    return U(((card >> 2) << 1) | (((card + 1) >> 1) & 1))


@helper
def card_key(card: int) -> Any:
    """Return the part of a hash for a card in hand (uint64)."""
    return mix(U(1 << 24) | kind(card))


@helper
def corner_key(first: int, last: int, corner: int) -> Any:
    """Return the part of a hash for a corner (uint64); all parts are added up."""
    if last == EMPTY:
        return mix(NOBODY | (U(corner >> 2) << U(16)))
    return mix(kind(last) | (kind(first) << U(8)) | (U(corner >> 2) << U(16)))


@helper
def right_key(rights: int) -> Any:
    """Return the part of a hash for the corners that take any card (uint64)."""
    return U(count(U(rights))) * mix(RIGHT)


@helper
def two_below(card: int) -> Any:
    """Return the cards two ranks lower and of the same colour, a mask (uint64)."""
    return below(lowest(below(card))) if card >= 8 else U(0)


@helper
def left_after(view: Any, hand: Any, open_there: int, stock: int) -> int:
    """Return the penalty that a turn leaves, its last draw included (int64, RC-8, RC-11).

    Parameters
    ----------
    hand : uint64
        Cards left in hand.
    open_there : int
        Whether the open card of the view is still there to be drawn.
    stock : int
        Cards in the stock. An unknown card counts as one point.
    """
    points = count(hand) + 9 * count(hand & KINGS)
    draws = view.draw == 1 or (view.draw == 0 and (view.hand_plays > 0 or hand != view.hand))
    if draws and hand != U(0) and stock > 0:
        points += 10 if open_there and view.open_card >= 48 else 1
    return points


@helper
def fits_after(view: Any, hand: Any, lasts: Any, corners: int) -> int:
    """Return the future fits: pairs of an unseen card that fits on a corner and an own card that
    fits on that one (int64).
    """
    fits = np.int64(0)
    for corner in range(corners):
        last = byte(lasts, corner)
        if last != EMPTY:
            fits += count(view.unseen & below(last)) * count(hand & two_below(last))
    return fits


@helper
def seen_before(table: Any, key: Any) -> bool:
    """Look a position up, and enter it if it is new."""
    mask = U(table.shape[0] - 1)
    place = (key >> U(20)) & mask
    while table[place] != U(0):
        if table[place] == key:
            return True
        place = (place + U(1)) & mask
    table[place] = key
    return False


@njit(**{**JIT, "_nrt": True})
def grown_table(table: Any) -> Any:
    """Return a table of four times the room with the same positions."""
    larger = np.zeros(table.shape[0] * 4, np.uint64)
    for key in table:
        if key != U(0):
            seen_before(larger, key)
    return larger


@njit(**{**JIT, "_nrt": True})
def grown_stack(stack: Any, size: int) -> Any:
    """Return a stack of twice the room with the same entries."""
    larger = np.empty(stack.shape[0] * 2, np.uint64)
    for i in range(size):
        larger[i] = stack[i]
    return larger


@helper
def push(
    stack: Any, top: int, hand: Any, lasts: Any, firsts: Any, key: Any, rights: int,
    open_there: int, first_move: int,
) -> int:  # fmt: skip
    """Put a position on the stack; return the new top."""
    stack[top + HAND] = hand
    stack[top + LASTS] = lasts
    stack[top + FIRSTS] = firsts
    stack[top + KEY] = key + right_key(rights)
    stack[top + REST] = U(rights | (open_there << 8) | (first_move << 16))
    return top + WORDS


@helper
def push_piles(
    view: Any, stack: Any, top: int, hand: Any, lasts: Any, firsts: Any, key: Any,
    rights: int, open_there: int, first_move: int,
) -> int:  # fmt: skip
    """Push what every move of a pile leads to, the last move first (RC-5, RC-14)."""
    corners = np.int64(view.corners)
    for source in range(corners - 1, -1, -1):
        first = byte(firsts, source)
        if first == EMPTY:
            continue
        last = byte(lasts, source)
        joins = below(first) if view.merge else above(first)  # last cards that it goes on
        for corner in range(corners - 1, -1, -1):
            other = byte(lasts, corner)
            start = byte(firsts, corner)
            if other == EMPTY:
                if not (view.king_pile and corner >= 4 and source < 4 and first >= 48):
                    continue
                start = first
            elif corner == source or not (joins >> U(other)) & U(1):
                continue
            new_key = (
                key
                - corner_key(first, last, source)
                - corner_key(byte(firsts, corner), other, corner)
                + corner_key(EMPTY, EMPTY, source)
                + corner_key(start, last, corner)
            )
            new_rights = 0 if view.vacated == NEXT_MOVE else rights
            if source < 4 and view.vacated != NEVER:
                new_rights |= 1 << source
            top = push(
                stack, top, hand,
                with_byte(with_byte(lasts, source, EMPTY), corner, last),
                with_byte(with_byte(firsts, source, EMPTY), corner, start),
                new_key, new_rights, open_there,
                move(PILE + source, corner) if first_move == NO_MOVE else first_move,
            )  # fmt: skip
    return top


@helper
def push_cards(
    view: Any, stack: Any, top: int, hand: Any, lasts: Any, firsts: Any, key: Any,
    rights: int, open_there: int, first_move: int, takes: Any,
) -> int:  # fmt: skip
    """Push what every play of a card leads to, the last one first (RC-3, RC-4, RC-6, RC-7)."""
    corners = np.int64(view.corners)
    fitting = U(0)
    for corner in range(corners):
        last = byte(lasts, corner)
        if last != EMPTY:
            takes[corner] = below(last)
        else:
            takes[corner] = ALL if (rights >> corner) & 1 else KINGS
        fitting |= takes[corner]
    sources = hand & fitting
    if open_there and (fitting >> U(view.open_card)) & U(1):
        sources |= U(1 << STOCK)
    while sources != U(0):
        source = highest(sources)
        sources ^= U(1) << U(source)
        card = source
        new_hand = hand
        new_key = key
        new_open = open_there
        if source == STOCK:
            card = np.int64(view.open_card)
            new_open = 0
            new_key -= mix(OPEN)
        else:
            new_hand ^= U(1) << U(card)
            new_key -= card_key(card)
        for corner in range(corners - 1, -1, -1):
            if not (takes[corner] >> U(card)) & U(1):
                continue
            last = byte(lasts, corner)
            start = byte(firsts, corner)
            new_start = card if last == EMPTY else start
            new_rights = 0 if view.vacated == NEXT_MOVE else rights & ~(1 << corner)
            top = push(
                stack, top, new_hand, with_byte(lasts, corner, card),
                with_byte(firsts, corner, new_start),
                new_key - corner_key(start, last, corner) + corner_key(new_start, card, corner),
                new_rights, new_open,
                move(source, corner) if first_move == NO_MOVE else first_move,
            )  # fmt: skip
    return top


@helper
def push_root(view: Any, stack: Any) -> int:
    """Put the position of the view on the stack; return the new top."""
    key = U(0)
    lasts = U(0)
    firsts = U(0)
    for corner in range(8):
        last = np.int64(view.last_cards[corner]) & 0xFF
        first = np.int64(view.first_cards[corner]) & 0xFF
        lasts |= U(last) << U(corner << 3)
        firsts |= U(first) << U(corner << 3)
        key += corner_key(first, last, corner)
    rest = view.hand
    while rest != U(0):
        key += card_key(lowest(rest))
        rest &= rest - U(1)
    open_there = np.int64(view.open_card >= 0)
    if open_there:
        key += mix(OPEN)
    rights = np.int64(view.any_corners)
    return push(stack, 0, view.hand, lasts, firsts, key, rights, open_there, NO_MOVE)


@njit(**{**JIT, "_nrt": True})
def plan(view: Any) -> tuple[int, int, bool]:
    """Return the best first move of this turn, or STOP (see the top of this file).

    Returns
    -------
    move : int64
    positions : int64
        How many different positions were looked at.
    complete : bool
        False where LIMIT stopped the search.
    """
    corners = np.int64(view.corners)
    takes = np.empty(8, np.uint64)
    stack = np.empty(STACK_ROOM * WORDS, np.uint64)
    table = np.zeros(TABLE_ROOM, np.uint64)
    top = push_root(view, stack)
    positions = np.int64(0)
    least = np.int64(1 << 30)
    most = np.int64(-1)
    best = np.int64(NO_MOVE)
    while top > 0:
        top -= WORDS
        hand = stack[top + HAND]
        lasts = stack[top + LASTS]
        firsts = stack[top + FIRSTS]
        key = stack[top + KEY]
        rest = np.int64(stack[top + REST])
        if seen_before(table, key | U(1)):
            continue
        if positions == LIMIT:
            return best if best != NO_MOVE else STOP, positions, False
        positions += 1
        if positions * 2 > table.shape[0]:
            table = grown_table(table)
        rights = rest & 0xFF
        open_there = (rest >> 8) & 1
        first_move = rest >> 16
        stock = np.int64(view.stock_count)
        if view.open_card >= 0 and not open_there:
            stock -= 1
        points = left_after(view, hand, open_there, stock)
        if points <= least:
            fits = fits_after(view, hand, lasts, corners)
            if points < least or fits > most:
                least = points
                most = fits
                best = first_move
        if hand == U(0):
            continue
        while top + WORDS * corners * (count(hand) + 1 + corners) > stack.shape[0]:
            stack = grown_stack(stack, top)
        key -= right_key(rights)
        top = push_piles(
            view, stack, top, hand, lasts, firsts, key, rights, open_there, first_move
        )
        top = push_cards(
            view, stack, top, hand, lasts, firsts, key, rights, open_there, first_move, takes
        )
    return best if best != NO_MOVE else STOP, positions, True
