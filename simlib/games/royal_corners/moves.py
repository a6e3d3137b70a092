"""Which moves a position of Royal Corners allows (RC-3 … RC-7, RC-12, RC-14).

One set of jitted functions for the kernel, for policies and for people. A *source* is what
may be moved: 0-51 that card of the hand, 52 the open stock card, 53 + c the pile on corner c.
A move is ``source * 8 + corner``. All moves of a position are one mask of corners for each
source.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib.cards import FULL_DECK, count, highest, lowest, nth
from simlib.jit import helper

__all__ = [
    "KINGS",
    "MOVES",
    "PILE",
    "SOURCES",
    "STOCK",
    "above",
    "any_corners",
    "below",
    "corner_of",
    "find_moves",
    "fits_least",
    "is_move",
    "joins_on",
    "move",
    "nth_move",
    "source_of",
    "takes_on",
    "write_moves",
    "write_options",
]

U = np.uint64
KINGS = U(0xF << 48)

#: Sources besides the cards of the hand: the open stock card, and the pile on corner 0.
STOCK, PILE = 52, 53
#: How many sources and moves there can be.
SOURCES = 61
MOVES = SOURCES * 8
#: Codes of options that the functions below read (see rules.CODES).
UP = 1
NEXT_MOVE, TURN, NEXT_TURN, ALWAYS, NEVER = range(5)


# --- the codec ------------------------------------------------------------------------


@helper
def move(source: int, corner: int) -> int:
    """Return the move of a source to a corner (int64)."""
    return (source << 3) | corner


@helper
def source_of(answer: int) -> int:
    """Return the source of a move (int64): a card, ``STOCK``, or ``PILE`` + corner."""
    return answer >> 3


@helper
def corner_of(answer: int) -> int:
    """Return the corner that a move goes to (int64)."""
    return answer & 7


@helper
def nth_move(view: Any, index: int) -> int:
    """Return the move at this index among the options of a view, without stop (int64, RC-12).

    Sources stand in ascending order, for each its corners ascending. `index` runs from 0 to
    ``view.moves - 1``.
    """
    sources = view.sources
    source = lowest(sources)
    corners = U(view.options[source])
    rest = index
    while rest >= count(corners):
        rest -= count(corners)
        sources &= sources - U(1)
        source = lowest(sources)
        corners = U(view.options[source])
    return move(source, nth(corners, rest))


# --- what fits ------------------------------------------------------------------------


@helper
def is_red(card: int) -> int:
    """Return 1 for a heart or a diamond, else 0 (int64)."""
    return ((card + 1) >> 1) & 1  # suits S H D C = 0 1 2 3


@helper
def pair_of_other_colour(card: int) -> Any:
    """Return the suits of the other colour as bits of one rank (uint64)."""
    return U(6) + U(3) * U(is_red(card))


@helper
def below(card: int) -> Any:
    """Return the cards one rank lower and of the other colour, a mask (uint64, RC-3)."""
    return (pair_of_other_colour(card) << U(card & 60)) >> U(4)


@helper
def above(card: int) -> Any:
    """Return the cards one rank higher and of the other colour, a mask (uint64, RC-5)."""
    return ((pair_of_other_colour(card) << U(card & 60)) << U(4)) & FULL_DECK


@helper
def fits_least(hand: Any, hosts: Any) -> int:
    """Return the card of a hand that fits on the fewest of some cards, the highest of several.

    A king fits on nothing, so that he comes first. Of one rank black goes before red, whatever
    the suit: cards of one rank and colour stay alike.

    Parameters
    ----------
    hand : uint64
        At least one card.
    hosts : uint64
        The cards that it might go on.

    Returns
    -------
    int64
    """
    least = 9
    found = np.int64(-1)
    while hand != U(0):
        card = highest(hand)
        hand ^= U(1) << U(card)
        places = count(hosts & above(card))
        ahead = card >> 2 == found >> 2 and is_red(card) < is_red(found)
        if places < least or (places == least and ahead):
            least = places
            found = np.int64(card)
    return found


@helper
def takes_on(last_card: int, takes_any: int) -> Any:
    """Return the cards that may be put on a corner, a mask (uint64, RC-3, RC-4, RC-6).

    Parameters
    ----------
    last_card : int
        The last card there; -1: the corner is empty.
    takes_any : int
        Whether it then takes any card, not kings only.
    """
    if last_card >= 0:
        return below(last_card)
    return FULL_DECK if takes_any else KINGS


@helper
def joins_on(last_card: int, merge: int, king_corner: int, king_pile: int) -> Any:
    """Return the first cards of piles that may be put on a corner (uint64, RC-5, RC-14).

    Parameters
    ----------
    last_card : int
        The last card there; -1: the corner is empty.
    merge, king_pile : int
        Options.
    king_corner : int
        Whether it is one of corners 4-7. Empty, it takes a king's pile of corners 0-3 only.
    """
    if last_card >= 0:
        return above(last_card) if merge == UP else below(last_card)
    return KINGS if king_corner and king_pile else U(0)


@helper
def any_corners(vacated: int, fresh: int, old: int) -> int:
    """Return the corners 0-3 that take any card when empty, as bits (int64, RC-6).

    Parameters
    ----------
    vacated : int
        Option.
    fresh : int
        Corners emptied by the last move (``next_move``), or in this turn, as bits.
    old : int
        Corners emptied in the turn before, as bits (``next_turn``).
    """
    if vacated == ALWAYS:
        return 15
    return fresh | old


# --- all moves of a position ----------------------------------------------------------


@helper
def holder_of(first_cards: Any, card: int) -> int:
    """Return the corner whose pile starts with this card (int64)."""
    corner = 0
    while first_cards[corner] != card:
        corner += 1
    return corner


@helper
def find_moves(
    hand: Any,
    open_card: int,
    corners: int,
    takes: Any,
    joins: Any,
    heads: Any,
    first_cards: Any,
    moves: Any,
) -> Any:
    """Find for each corner the sources that may go there (RC-12); return all of them (uint64).

    Parameters
    ----------
    hand : uint64
        Cards in hand.
    open_card : int
        The stock's open card; -1: none, or face down.
    corners : int
        Number of corners, 4 or 8.
    takes, joins : uint64[8]
        For each corner what :func:`takes_on` and :func:`joins_on` say.
    heads : uint64
        First cards of all piles.
    first_cards : int8[8]
        First card of the pile on each corner; -1: empty.
    moves : uint64[8]
        Overwritten: for each corner a mask of sources.
    """
    sources = U(0)
    for corner in range(corners):
        found = hand & takes[corner]
        if open_card >= 0:
            found |= ((takes[corner] >> U(open_card)) & U(1)) << U(STOCK)
        piles = heads & joins[corner]
        while piles != U(0):
            other = holder_of(first_cards, lowest(piles))
            piles &= piles - U(1)
            # a king's pile does not go from one king corner to another (RC-14)
            if other != corner and (first_cards[corner] >= 0 or other < 4):
                found |= U(1) << U(PILE + other)
        moves[corner] = found
        sources |= found
    return sources


@helper
def write_options(corners: int, moves: Any, options: Any) -> int:
    """Turn the moves round: write for each source its corners; return the number (int64).

    Parameters
    ----------
    corners, moves
        As in :func:`find_moves`.
    options : uint8[64]
        Overwritten: for each source the corners it may go to, a mask.
    """
    for source in range(64):
        options[source] = 0
    number = np.int64(0)
    for corner in range(corners):
        bit = np.uint8(1 << corner)
        rest = moves[corner]
        number += count(rest)
        while rest != U(0):
            options[lowest(rest)] |= bit
            rest &= rest - U(1)
    return number


@helper
def is_move(answer: int, corners: int, moves: Any) -> bool:
    """Tell whether an answer is a move of this position (parameters as in find_moves)."""
    if answer < 0 or answer >= MOVES or corner_of(answer) >= corners:
        return False
    return (moves[corner_of(answer)] >> U(source_of(answer))) & U(1) != U(0)


def write_moves(
    hand: Any,
    open_card: int,
    corners: int,
    merge: int,
    king_pile: int,
    any_corners: int,
    first_cards: Any,
    last_cards: Any,
    work: Any,
    options: Any,
    found: Any,
) -> int:
    """Write all moves of a position in the order of RC-12; return their number.

    For people: see ``faces.list_moves``. ``work`` is scratch memory, uint64[3, 8]; ``options``
    is uint8[64] and ``found`` int64[MOVES].
    """
    takes, joins, moves = work[0], work[1], work[2]
    heads = U(0)
    for corner in range(corners):
        last = np.int64(last_cards[corner])
        takes[corner] = takes_on(last, (any_corners >> corner) & 1)
        joins[corner] = joins_on(last, merge, corner >= 4, king_pile)
        if last >= 0:
            heads |= U(1) << U(first_cards[corner])
    find_moves(hand, open_card, corners, takes, joins, heads, first_cards, moves)
    write_options(corners, moves, options)
    number = np.int64(0)
    for source in range(64):
        for corner in range(8):
            if (options[source] >> corner) & 1:
                found[number] = move(source, corner)
                number += 1
    return number
