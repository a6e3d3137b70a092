"""The longest run that a hand of King George III allows, found exactly (KG-3, KG-4, KG-8).

A *run* is a walk from rank to rank: each card's rank fits on the one before. Which suits are
put down changes nothing, so a hand is a number of cards at each rank. Two facts make the
search small.

**A longest run empties every rank it visits.** If it left a card at a rank that it visits,
that card could be put down during the visit, on a card of equal rank, and the run would be
longer. So a longest run is known by the *set of ranks* it empties, and so are the cards that it
leaves. (An ace that ends the turn is the exception: exactly one is put down, as the last card.)

**On a line, only two sets can be longest.** Without the wrap the walk goes up and down a line, so
the ranks it visits are an interval around the rank on top, with no empty rank in it. If it
reaches the lower end before the upper one, it crosses every rank strictly between the lower end
and the rank on top twice, which needs two cards there, and it comes back through the rank on
top, which needs one card there (the card on top is no longer in the hand). This is also enough:
go down with one card a rank, lay everything that is left on the way up. A lower end further
down always empties more, and so does an upper end further up. So the best such run turns
round at the first rank with a single card (or before the first empty one) and ends where the cards
end: `up_last`. The mirror image is `down_last`; a run that never turns round is a case of these.

The options change the line:

- ``wrap``: the ranks are a circle. If no rank but the one on top is empty, going once round
  puts every card down. Else an empty rank other than that on top cannot be crossed, nor
  started from: the circle is cut there, and what is left is a line (`along_ranks`).
- An ace with a reset left (``ends``) can only come last. It is a last step beyond the king, with
  ``wrap`` also below the two, with ``ace_fits=any`` after any card (`up_to_an_ace`).
- ``ace_fits=any`` with ordinary aces: an ace can be put on every card, and leads on to a king,
  with ``wrap`` also to a two: a jump that costs an ace (`with_jumps`, where the cases are argued).

Each is a handful of steps on bit masks, whatever the size of the hand: no search, no table.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from simlib.cards import FULL_DECK, count, highest, lowest
from simlib.games.king_george.proofs import RANKS, reachable_from, whole_ranks
from simlib.jit import OPTIONS as JIT
from simlib.jit import helper

__all__ = ["ACES", "beside", "best_card", "best_run", "cut_off"]

U = np.uint64
NONE = U(0)
RANK = U(15)
ACES = U(0xF << 48)
#: A score is ``length * 64 + cards left beside another``, so that length goes first.
CARD = np.int64(64)

# Lines are kept two ranks higher in the word than hands: lane 0 and lane 15 stay empty and end
# every stretch of ranks; lane 1 and lane 14 are where a line may go on to an ace.
SHIFT = U(8)
LOW_ACE = U(0xF << 4)
HIGH_ACE = U(0xF << 56)


@helper
def pairs(cards: Any) -> Any:
    """Return the whole ranks of which `cards` holds two or more (uint64)."""
    either = cards | (cards >> U(1))
    both = cards & (cards >> U(1))
    return ((both | (both >> U(2)) | (either & (either >> U(2)))) & RANKS) * RANK


@helper
def beside(cards: Any, wrap: int) -> int:
    """Return how many of these cards have another of them one rank above or below (int64)."""
    ranks = whole_ranks(cards)
    near = (ranks << U(4)) | (ranks >> U(4))
    if wrap:
        near |= (ranks >> U(48)) | (ranks << U(48))
    return count(cards & near)


@helper
def stretch(low: int, high: int) -> Any:
    """Return the mask of the bits from `low` up to, not including, `high` (uint64)."""
    return (U(1) << U(high)) - (U(1) << U(low))


@helper
def bits_above(full: Any, start: int) -> int:
    """Return how far the full lanes reach up from this bit (int64); `start` is at most 60."""
    return lowest(~full >> U(start))


@helper
def bits_below(full: Any, start: int) -> int:
    """Return how far the full lanes reach down from this bit (int64); `start` is 4 to 60."""
    return 63 - highest(~full << U(64 - start))


@helper
def up_last(some: Any, two: Any, lane: int, home: int) -> Any:
    """Return the lanes emptied by the best run on a line that goes down first (uint64).

    Parameters
    ----------
    some, two : uint64
        Lanes with a card, and with two or more.
    lane : int
        The lane of the card on top.
    home : int
        Whether a card of that rank is left, to come back through.
    """
    low = lane << 2
    high = low + 4
    high += bits_above(some, high)
    if home:
        low -= bits_below(two, low)
        low -= np.int64((some >> U(low - 4)) & U(1)) << 2
    return stretch(low, high)


@helper
def down_last(some: Any, two: Any, lane: int, home: int) -> Any:
    """Return the lanes emptied by the best run on a line that goes up first (uint64)."""
    low = lane << 2
    high = low + 4
    low -= bits_below(some, low)
    if home:
        high += bits_above(two, high)
        high += np.int64((some >> U(high)) & U(1)) << 2
    return stretch(low, high)


@helper
def score(cards: Any, laid: Any, kept: Any, wrap: int) -> int:
    """Return the score of putting down the cards within a mask (int64)."""
    return count(cards & laid) * CARD + beside((cards & ~laid) | kept, wrap)


@helper
def along_ranks(cards: Any, rank: int, kept: Any, wrap: int) -> int:
    """Return the best score where an ace is a card like any other (int64)."""
    some = whole_ranks(cards)
    two = pairs(cards)
    turn = np.int64(0)
    if wrap:
        gaps = FULL_DECK & ~(some | (RANK << U(4 * rank)))
        if gaps == NONE:  # once round the circle
            return count(cards) * CARD + beside(kept, wrap)
        turn = lowest(gaps)  # turn the circle until an empty rank is at the bottom
        back = 52 - turn
        some = ((some >> U(turn)) | (some << U(back))) & FULL_DECK
        two = ((two >> U(turn)) | (two << U(back))) & FULL_DECK
        rank -= turn >> 2
        if rank < 0:
            rank += 13
    some <<= SHIFT
    two <<= SHIFT
    lane = rank + 2
    home = np.int64((some >> U(lane << 2)) & U(1))
    rising = up_last(some, two, lane, home) >> SHIFT
    falling = down_last(some, two, lane, home) >> SHIFT
    if wrap:
        rising = ((rising << U(turn)) | (rising >> U(52 - turn))) & FULL_DECK
        falling = ((falling << U(turn)) | (falling >> U(52 - turn))) & FULL_DECK
    return max(score(cards, rising, kept, wrap), score(cards, falling, kept, wrap))


@helper
def ending_score(others: Any, aces: Any, laid: Any, used: Any, wrap: int, bonus: int) -> int:
    """Return the score of a run on a line with an ace as its last card, if `used` (int64)."""
    if used == NONE:
        return score(others, laid >> SHIFT, aces, wrap)
    left = aces & (aces - U(1))
    return score(others, laid >> SHIFT, left, wrap) + CARD + bonus


@helper
def up_to_an_ace(cards: Any, rank: int, wrap: int, ace_any: int, bonus: int) -> int:
    """Return the best score where an ace ends the turn and one is in the hand (int64).

    With ``ace_fits=any`` every run on the other ranks can end with an ace, so the longest
    do. Else the aces stand as a last lane at the upper end of the line, with ``wrap`` also at
    the lower end; a run can arrive there, at the end it reaches last, but not turn round.
    With an ace on top it may start at either of these lanes; coming back to the lane it
    started from is a way to arrive.
    """
    aces = cards & ACES
    others = cards & ~ACES
    some = whole_ranks(others) << SHIFT
    two = pairs(others) << SHIFT
    home = np.int64((others >> U(rank << 2)) & RANK != NONE)
    high_end = NONE
    low_end = NONE
    always = NONE
    if ace_any:
        always = U(1)
    else:
        high_end = HIGH_ACE
        if wrap:
            low_end = LOW_ACE
        some |= high_end | low_end
        if rank == 12:
            home = np.int64(1)
    best = np.int64(0)
    lane = rank + 2
    while True:
        rising = up_last(some, two, lane, home)
        falling = down_last(some, two, lane, home)
        value = ending_score(others, aces, rising, always | (rising & high_end), wrap, bonus)
        best = max(best, value)
        value = ending_score(others, aces, falling, always | (falling & low_end), wrap, bonus)
        best = max(best, value)
        if lane != 14 or not wrap:
            return best
        lane = 1


@helper
def with_jumps(cards: Any, rank: int, wrap: int) -> int:
    """Return the best score with ``ace_fits=any`` and ordinary aces in the hand (int64).

    An ace fits on every card, so a longest run puts down all of them, and each visit to the aces
    is a jump: on to the kings, with ``wrap`` also to the twos. Call the *block* of a rank the
    ranks that can be walked to from it, without aces. The run is one walk inside the block
    of the card on top, and after each visit a walk from the king or the two inside their
    blocks, where one walk from each suffices: it empties the block, one card a rank is enough.

    If the block of the card on top is the king's, jumping to the king empties it whole: first
    walk down to its lower end, jump, walk from the king down to the card on top. The same with
    the two. Else only the first walk is ever in that block, so it ends as on a line: two sets.
    So what is open is only where to jump: with one ace and ``wrap`` to the king or to the two,
    with more aces to both, without ``wrap`` to the king. An ace on top is a visit more.
    """
    others = cards & ~ACES
    visits = count(cards & ACES)
    some = whole_ranks(others) << SHIFT
    two = pairs(others) << SHIFT
    kings = stretch(56 - bits_below(some, 56), 56)
    twos = NONE
    if wrap:
        twos = stretch(8, 8 + bits_above(some, 8))
    lane = rank + 2
    home = np.int64((some >> U(lane << 2)) & U(1))
    rising = NONE
    falling = NONE
    whole = NONE
    if rank < 12:
        rising = up_last(some, two, lane, home)
        falling = down_last(some, two, lane, home)
        low = (lane << 2) - bits_below(some, lane << 2)
        high = (lane << 2) + 4
        high += bits_above(some, high)
        whole = stretch(low, high)
    both = rank == 12 or visits > 1 or not wrap
    to_kings = kings | twos if both else kings
    to_twos = kings | twos if both else twos
    # the block on top is emptied whole by a jump to an end that it reaches
    if whole & (RANK << U(52)) != NONE:
        to_kings |= whole
        if both:
            to_twos |= whole
    if wrap and whole & (RANK << U(8)) != NONE:
        to_twos |= whole
        if both:
            to_kings |= whole
    best = score(others, (rising | to_kings) >> SHIFT, NONE, wrap)
    best = max(best, score(others, (falling | to_kings) >> SHIFT, NONE, wrap))
    best = max(best, score(others, (rising | to_twos) >> SHIFT, NONE, wrap))
    best = max(best, score(others, (falling | to_twos) >> SHIFT, NONE, wrap))
    return best + visits * CARD


@njit(**JIT)
def best_run(
    cards: Any, rank: int, kept: Any, wrap: int, ace_any: int, ends: int, bonus: int
) -> int:
    """Return the best score of a run on a card of this rank (int64).

    Parameters
    ----------
    cards : uint64
        The cards that may be put down.
    rank : int
        Rank of the card on top.
    kept : uint64
        Cards that stay in the hand whatever happens; they count as cards left.
    wrap, ace_any : int
        The options of KG-3.
    ends : int
        Whether an ace put down ends the turn (KG-8).
    bonus : int
        Added to the score of a run that ends with such an ace.

    Returns
    -------
    int64
        ``length * 64 + cards left that are beside another``, the highest of all runs; plus `bonus`.
    """
    if cards & ACES != NONE:
        if ends:
            return up_to_an_ace(cards, rank, wrap, ace_any, bonus)
        if ace_any:
            return with_jumps(cards, rank, wrap)
    return along_ranks(cards, rank, kept, wrap)


@njit(**JIT)
def best_card(
    cards: Any,
    options: Any,
    kept: Any,
    wrap: int,
    ace_any: int,
    ends: int,
    single: int,
    bonus: int,
) -> int:
    """Return the card with which the best run begins, and the score of that run (int64).

    Of equal runs the one with the lower card now is taken; asked again after each card, this
    plays the first of the best runs in the order of their cards.

    Parameters
    ----------
    cards, kept, wrap, ace_any, ends, bonus
        As for ``best_run``.
    options : uint64
        The cards that may be put down now: of each rank the lowest is looked at.
    single : int
        Whether the turn is over after this card (a lead with ``lead=one``, KG-2).

    Returns
    -------
    int64
        ``score * 64 + card``.
    """
    best = np.int64(-1)
    answer = np.int64(0)
    rest = options
    while rest != NONE:
        card = lowest(rest)
        rank = card >> 2
        rest &= ~(RANK << U(rank << 2))
        after = cards & ~(U(1) << U(card))
        if ends and rank == 12:
            value = CARD + bonus + beside(after | kept, wrap)
        elif single:
            value = CARD + beside(after | kept, wrap)
        else:
            value = CARD + best_run(after, rank, kept, wrap, ace_any, ends, bonus)
        if value > best:
            best = value
            answer = card
    return best * CARD + answer


@njit(**JIT)
def cut_off(own: Any, in_play: Any, wrap: int, ace_any: int) -> int:
    """Return how many of one's own cards lie outside the largest island (int64).

    An island is what can be reached from one of its cards (KG-12): if no further pile is set aside,
    play goes on in one of them, most likely in the one that holds most of the cards
    in play; of equally large ones the one with more of the own cards is taken.
    """
    best = np.int64(-1)
    rest = in_play
    while rest != NONE:
        island = reachable_from(in_play, U(lowest(rest) >> 2), wrap, ace_any)
        best = max(best, count(island) * CARD + count(island & own))
        rest &= ~island
    return count(own) - (best & 63) if best >= 0 else count(own)
