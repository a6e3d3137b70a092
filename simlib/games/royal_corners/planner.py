"""Searches a whole turn of Royal Corners for the policy ``planner``.

A sequence of moves is worth

1. the penalty that the turn leaves in hand, the card drawn at its end included: the open card if
   that is what will be drawn, else ``UNKNOWN`` points;
2. then the number of *future fits*: pairs of an own card and a card that it would go on, which
   lies open on a corner or is unseen;
3. then its place in a fixed order: hand cards from the highest down, for each its corners
   ascending, then the open stock card, then piles as in RC-12; a sequence before its own
   continuations.

With `keeps`, sequences put nothing on a vacated corner but kings and the card that fits least
elsewhere (`fits_least`): see the policy.

What lies under the open stock card is unknown, so that after playing it a sequence goes on
without a stock card. The search walks through the sequences in the fixed order and keeps the
first best one. It goes on from a position only when it comes there for the first time: the same
position reached later can only repeat what was found, by a later sequence. Positions that differ
in the names of corners of one kind, or by a card against the other of its rank and colour, count
as the same: in both, the same is possible for the same worth. So hand cards that go to different
corners are not tried in every order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from simlib.cards import FULL_DECK, count, highest, lowest
from simlib.games.royal_corners.moves import (
    KINGS,
    NEVER,
    NEXT_MOVE,
    PILE,
    STOCK,
    fits_least,
    move,
)
from simlib.jit import OPTIONS as JIT
from simlib.jit import helper
from simlib.policy import STOP
from simlib.rng import GOLDEN, finish

__all__ = ["LIMIT", "fits_after", "left_after", "plan"]

U = np.uint64

#: Positions looked at in one search before it is content with the best so far.
LIMIT = 1 << 18
#: Words of one entry of the stack: hand, last and first cards (a byte a corner), hash of the
#: position, and the rest: corners that take any card (bits 0-7), whether the open card is still
#: there (8), the first move of the sequence (from bit 16).
HAND, LASTS, FIRSTS, KEY, REST, WORDS = range(6)
#: The byte of an empty corner, and a sequence without a move.
EMPTY, NO_MOVE = 0xFF, 0xFFFF
#: Points that an unknown card counts for: all 52 come to 88.
UNKNOWN = 2
#: Room at the start, in entries; both grow.
STACK_ROOM, TABLE_ROOM = 512, 64


# Everything that is asked of a card, by the card; 0xFF stands for an empty corner. The tables are
# made in plain Python: a call of a helper would have it compiled while the module is imported.
def _red(card: int) -> bool:
    return card % 4 in (1, 2)


def _neighbours(step: int) -> np.ndarray:
    """Return for each card those so many ranks higher and of the other colour, as masks."""
    masks = [
        sum(
            1 << other
            for other in range(52)
            if (other >> 2) - (card >> 2) == step and _red(other) != _red(card)
        )
        for card in range(52)
    ]
    return np.array(masks + [0] * 204, np.uint64)


def _hashes(numbers: list[int]) -> np.ndarray:
    return finish.py_func(np.array(numbers, np.uint64) + GOLDEN)  # type: ignore[attr-defined]


BELOW, ABOVE = _neighbours(-1), _neighbours(1)
# Hashes of a card in hand, first of a pile, last of a pile: equal for equal rank and colour.
_KIND = [(card >> 2) * 2 + _red(card) for card in range(52)] + [30] * 204
IN_HAND, AS_FIRST, AS_LAST = (_hashes([place + kind for kind in _KIND]) for place in (32, 64, 96))
RIGHT, OPEN, KING_CORNER = _hashes([1, 2, 3])
SPREAD = U(0x94D049BB133111EB)
#: One bit a rank, at the lowest suit.
ONES = U(0x1111111111111)


@helper
def byte(word: Any, corner: int) -> Any:
    """Return the card of a corner from a packed word (uint64)."""
    return (word >> U(corner << 3)) & U(0xFF)


@helper
def with_byte(word: Any, corner: int, card: Any) -> Any:
    """Return a packed word with another card at a corner (uint64)."""
    place = U(corner << 3)
    return (word & ~(U(0xFF) << place)) | (U(card) << place)


@helper
def corner_key(first: Any, last: Any, corner: int) -> Any:
    """Return the part of a hash for a corner (uint64); the parts are added up."""
    key = (AS_FIRST[first] ^ (AS_LAST[last] + KING_CORNER * U(corner >> 2))) * SPREAD
    return key ^ (key >> U(29))


@helper
def right_key(rights: Any) -> Any:
    """Return the part of a hash for the corners that take any card (uint64)."""
    return U(count(rights)) * RIGHT


@helper
def left_after(view: Any, hand: Any, open_there: Any, stock: int) -> int:
    """Return the penalty that a turn leaves, its last draw included (int64, RC-8, RC-11).

    Parameters
    ----------
    hand : uint64
        Cards left in hand.
    open_there : uint64
        Whether the open card of the view is still there to be drawn.
    stock : int
        Cards in the stock.
    """
    points = count(hand) + 9 * count(hand & KINGS)
    draws = view.draw == 1 or (view.draw == 0 and (view.hand_plays > 0 or hand != view.hand))
    if draws and hand != U(0) and stock > 0:
        if open_there:
            points += 10 if view.open_card >= 48 else 1
        else:
            points += UNKNOWN
    return points


@helper
def last_cards(lasts: Any) -> Any:
    """Return the last cards of all piles, a mask (uint64)."""
    found = U(0)
    rest = ~lasts  # empty corners are zero bytes here
    while rest != U(0):
        corner = lowest(rest) >> 3
        found |= U(1) << byte(lasts, corner)
        rest &= ~(U(0xFF) << U(corner << 3))
    return found


@helper
def fits_after(view: Any, hand: Any, lasts: Any) -> int:
    """Return the future fits (int64): pairs of an own card and a card that it would go on, which
    lies open on a corner or is unseen.
    """
    hosts = (view.unseen | last_cards(lasts)) >> U(4)  # moved to the rank of what fits on them
    black = (hosts & ONES) | ((hosts >> U(2)) & (ONES << U(1)))  # suits 0 and 3, as two bits
    red = (hosts >> U(1)) & (ONES * U(3))  # suits 1 and 2, as two bits
    black *= U(5)  # both pairs of bits twice, against both cards of the other colour
    red *= U(5)
    reds = ((hand >> U(1)) & ONES) * U(3) | (((hand >> U(2)) & ONES) * U(12))
    blacks = (hand & ONES) * U(3) | (((hand >> U(3)) & ONES) * U(12))
    return count(reds & black) + count(blacks & red)


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
    stack: Any, top: int, hand: Any, lasts: Any, firsts: Any, key: Any, rest: Any
) -> int:  # fmt: skip
    """Put a position on the stack; return the new top."""
    stack[top + HAND] = hand
    stack[top + LASTS] = lasts
    stack[top + FIRSTS] = firsts
    stack[top + KEY] = key
    stack[top + REST] = rest
    return top + WORDS


@helper
def push_pile(
    view: Any, stack: Any, top: int, hand: Any, lasts: Any, firsts: Any, key: Any, rest: Any,
    source: int, corner: int,
) -> int:  # fmt: skip
    """Push what the move of a pile leads to (RC-5, RC-14)."""
    first = byte(firsts, source)
    last = byte(lasts, source)
    other_first = byte(firsts, corner)
    other_last = byte(lasts, corner)
    start = first if other_last == U(EMPTY) else other_first
    empty = U(EMPTY)
    key -= corner_key(first, last, source) + corner_key(other_first, other_last, corner)
    key += corner_key(empty, empty, source) + corner_key(start, last, corner)
    rights = U(0) if view.vacated == NEXT_MOVE else rest & U(0xFF)
    if source < 4 and view.vacated != NEVER:
        rights |= U(1) << U(source)
    return push(
        stack, top, hand,
        with_byte(with_byte(lasts, source, empty), corner, last),
        with_byte(with_byte(firsts, source, empty), corner, start),
        key + right_key(rights),
        with_first(rest, move(PILE + source, corner)) | rights,
    )  # fmt: skip


@helper
def with_first(rest: Any, answer: int) -> Any:
    """Return the rest of an entry without rights, a first move entered if there was none."""
    if rest >> U(16) == U(NO_MOVE):
        return (rest & U(0x100)) | (U(answer) << U(16))
    return rest & ~U(0xFF)


@helper
def push_piles(
    view: Any, stack: Any, top: int, hand: Any, lasts: Any, firsts: Any, key: Any, rest: Any,
    joining: Any, king_corner: int, corners: int,
) -> int:  # fmt: skip
    """Push what every move of a pile leads to, the last move first (RC-5, RC-14).

    A pile that starts with a king may go to `king_corner`; 8: to none.
    """
    kings_join = KINGS if king_corner < 8 else U(0)
    for source in range(corners - 1, -1, -1):
        first = byte(firsts, source)
        hosts = joining | kings_join if source < 4 else joining
        if first == U(EMPTY) or not (hosts >> first) & U(1):
            continue
        hosts = BELOW[first] if view.merge else ABOVE[first]
        for corner in range(corners - 1, -1, -1):
            last = byte(lasts, corner)
            if last == U(EMPTY):
                fits = corner == king_corner and source < 4 and first >= U(48)
            else:
                fits = corner != source and (hosts >> last) & U(1)
            if fits:
                top = push_pile(view, stack, top, hand, lasts, firsts, key, rest, source, corner)
    return top


@helper
def push_card(
    view: Any, stack: Any, top: int, hand: Any, lasts: Any, firsts: Any, key: Any, rest: Any,
    source: int, card: Any, corner: int,
) -> int:  # fmt: skip
    """Push what the play of a card leads to; `hand` and `key` are without it (RC-3, RC-6)."""
    last = byte(lasts, corner)
    first = byte(firsts, corner)
    start = card if last == U(EMPTY) else first
    rights = U(0)
    if view.vacated != NEXT_MOVE:
        rights = rest & U(0xFF) & ~(U(1) << U(corner))
    return push(
        stack, top, hand, with_byte(lasts, corner, card), with_byte(firsts, corner, start),
        key - corner_key(first, last, corner) + corner_key(start, card, corner)
        + right_key(rights),
        with_first(rest, move(source, corner)) | rights,
    )  # fmt: skip


@helper
def push_plays(
    view: Any, stack: Any, top: int, hand: Any, lasts: Any, firsts: Any, key: Any, rest: Any,
    takes: Any, source: int, card: Any, corners: Any,
) -> int:  # fmt: skip
    """Push what the plays of one card lead to; `hand`, `key`, `rest` are without the card."""
    while corners != U(0):
        corner = highest(corners)
        corners ^= U(1) << U(corner)
        if (takes[corner] >> card) & U(1):
            top = push_card(view, stack, top, hand, lasts, firsts, key, rest, source, card, corner)
    return top


@helper
def push_cards(
    view: Any, stack: Any, top: int, hand: Any, lasts: Any, firsts: Any, key: Any, rest: Any,
    takes: Any, sources: Any, corners: Any,
) -> int:  # fmt: skip
    """Push what every play of a hand card leads to, the highest last (RC-3, RC-4, RC-6)."""
    while sources != U(0):
        card = U(lowest(sources))
        bit = sources & (~sources + U(1))
        sources ^= bit
        top = push_plays(
            view, stack, top, hand ^ bit, lasts, firsts, key - IN_HAND[card], rest, takes,
            np.int64(card), card, corners,
        )  # fmt: skip
    return top


@helper
def king_about(firsts: Any) -> bool:
    """Tell whether a pile on one of the corners 0-3 starts with a king."""
    for corner in range(4):
        if byte(firsts, corner) - U(48) < U(4):
            return True
    return False


@helper
def push_next(
    view: Any, stack: Any, top: int, hand: Any, lasts: Any, firsts: Any, key: Any, rest: Any,
    takes: Any, corners: int, keeps: bool,
) -> int:  # fmt: skip
    """Push what every move of a position leads to, so that the first move comes off first."""
    heads = U(0)
    fitting = U(0)
    joining = U(0)
    king_corner = np.int64(8)
    alike = U(0)
    open_corners = U(0)
    playable = hand
    if rest & U(0x100):
        playable |= U(1) << U(view.open_card)
    left = (U(1) << U(corners)) - U(1)
    while left != U(0):
        corner = lowest(left)
        left &= left - U(1)
        last = byte(lasts, corner)
        if last == U(EMPTY):
            # of empty corners that take the same, the first will do: the others repeat it
            kind = U(1) << (U(corner >> 2) * U(2) + ((rest >> U(corner)) & U(1)))
            if alike & kind:
                takes[corner] = U(0)
                continue
            alike |= kind
        if last != U(EMPTY):
            heads |= U(1) << byte(firsts, corner)
            takes[corner] = BELOW[last]
            joining |= ABOVE[last] if view.merge else BELOW[last]
        elif (rest >> U(corner)) & U(1):
            takes[corner] = FULL_DECK
            if keeps:
                hosts = view.unseen | last_cards(lasts)
                takes[corner] = KINGS | (U(1) << U(fits_least(hand, hosts)))
        else:
            takes[corner] = KINGS
            if view.king_pile and corner >= 4:
                king_corner = corner
        if takes[corner] & playable:
            fitting |= takes[corner]
            open_corners |= U(1) << U(corner)
    if heads & joining or (king_corner < 8 and king_about(firsts)):
        top = push_piles(
            view, stack, top, hand, lasts, firsts, key, rest, joining, king_corner, corners
        )  # fmt: skip
    if rest & U(0x100) and (fitting >> U(view.open_card)) & U(1):
        top = push_plays(
            view, stack, top, hand, lasts, firsts, key - OPEN, rest & ~U(0x100), takes, STOCK,
            U(view.open_card), open_corners,
        )  # fmt: skip
    cards = hand & fitting
    # of two cards of one rank and colour the higher will do
    cards &= ~(((cards >> U(3)) & ONES) | ((cards >> U(1)) & (ONES << U(1))))
    return push_cards(view, stack, top, hand, lasts, firsts, key, rest, takes, cards, open_corners)


@helper
def push_root(view: Any, stack: Any) -> int:
    """Put the position of the view on the stack; return the new top."""
    key = U(0)
    lasts = U(0)
    firsts = U(0)
    for corner in range(8):
        last = U(np.uint8(view.last_cards[corner]))
        first = U(np.uint8(view.first_cards[corner]))
        lasts |= last << U(corner << 3)
        firsts |= first << U(corner << 3)
        key += corner_key(first, last, corner)
    cards = view.hand
    while cards != U(0):
        key += IN_HAND[lowest(cards)]
        cards &= cards - U(1)
    rights = U(view.any_corners)
    rest = rights | (U(NO_MOVE) << U(16))
    if view.open_card >= 0:
        rest |= U(0x100)
        key += OPEN
    return push(stack, 0, view.hand, lasts, firsts, key + right_key(rights), rest)


@njit(**{**JIT, "_nrt": True})
def plan(view: Any, keeps: bool) -> tuple[int, int, bool]:
    """Return the best first move of this turn, or STOP (see the top of this file).

    Parameters
    ----------
    view : record of dtype VIEW
    keeps : bool
        Whether vacated corners are kept for kings and the card that fits least elsewhere.

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
    best = U(NO_MOVE)
    complete = True
    while top > 0:
        top -= WORDS
        key = stack[top + KEY]
        if seen_before(table, key | U(1)):
            continue
        if positions == LIMIT:
            complete = False
            break
        positions += 1
        if positions * 2 > table.shape[0]:
            table = grown_table(table)
        hand = stack[top + HAND]
        lasts = stack[top + LASTS]
        rest = stack[top + REST]
        stock = np.int64(view.stock_count)
        if view.open_card >= 0 and not rest & U(0x100):
            stock -= 1
        points = left_after(view, hand, rest & U(0x100), stock)
        if points <= least:
            fits = fits_after(view, hand, lasts)
            if points < least or fits > most:
                least = points
                most = fits
                best = rest >> U(16)
        if hand != U(0):
            while top + WORDS * corners * (count(hand) + 1 + corners) > stack.shape[0]:
                stack = grown_stack(stack, top)
            top = push_next(
                view, stack, top, hand, lasts, stack[top + FIRSTS],
                key - right_key(rest & U(0xFF)), rest, takes, corners,
                keeps,
            )  # fmt: skip
    return STOP if best == U(NO_MOVE) else np.int64(best), positions, complete
