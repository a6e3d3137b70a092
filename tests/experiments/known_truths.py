"""Small games of King George III whose figures can be worked out exactly."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from math import comb

__all__ = ["BOTH_OUT", "FOUR_TIES", "draws_of_the_second", "out_at_once", "share_of_the_first"]

RANKS = range(13)
ACE = 12


def fits(card: int, top: int) -> bool:
    """KG-3: equal rank, or one above or below."""
    return abs(card - top) <= 1


def cards_that_fit(top: int, without: int = 1) -> int:
    """Return how many cards fit a card, of a pack that lacks `without` of its own rank."""
    return sum(4 for rank in RANKS if fits(rank, top)) - without


#: With one card each, and players who never run on, the second is out too if his card fits, or if
#: the first led an ace: the pile is set aside, and he leads.
BOTH_OUT = Fraction(1, 13) + Fraction(1, 13) * sum(
    Fraction(cards_that_fit(top), 51) for top in RANKS if top != ACE
)
#: They tie again in every playoff, each a fresh deal: four ties in a row.
FOUR_TIES = BOTH_OUT**4


def share_of_the_first(ties: int = 4) -> Fraction:
    """Return seat 0's win share where at most ``ties - 1`` playoffs are played (KG-10).

    Who begins wins unless both are out; the other begins the next playoff; the last tie is
    shared.
    """
    won = sum((BOTH_OUT**deal * (1 - BOTH_OUT) for deal in range(0, ties, 2)), start=Fraction(0))
    return won + BOTH_OUT**ties / 2


def draws_of_the_second() -> Fraction:
    """Return how many cards the second draws on average until one fits (KG-5).

    Of 50 cards in stock f fit: the first of them stands at place 51 / (f + 1).
    """
    total = Fraction(0)
    for top in RANKS:
        if top == ACE:
            continue
        f = cards_that_fit(top)
        total += Fraction(1, 13) * Fraction(51 - f, 51) * Fraction(51, f + 1)
    return total


def out_at_once(hand_size: int) -> Fraction:
    """Return how often a leader who may run on puts his whole hand down in his first turn.

    A hand does if some order of it is a run. An ace ends the turn, so that it has to come last.
    """
    out = 0
    for hand in itertools.combinations_with_replacement(RANKS, hand_size):
        if is_run(hand):
            ways = 1
            for rank in set(hand):
                ways *= comb(4, hand.count(rank))
            out += ways
    return Fraction(out, comb(52, hand_size))


def is_run(hand: Sequence[int]) -> bool:
    """Tell whether some order of the cards is a run, an ace only at its end."""
    return any(
        all(fits(b, a) for a, b in itertools.pairwise(order))
        and all(card != ACE for card in order[:-1])
        for order in set(itertools.permutations(hand))
    )
