"""The longest run by looking at every run there is (KG-3, KG-4, KG-8)."""

from __future__ import annotations

from .table import ACE_RANK, fits

#: (length, cards left beside another, cards put down)
Run = tuple[int, int, tuple[int, ...]]


def beside(cards: frozenset[int], wrap: bool) -> int:
    """Return how many cards have another of them one rank above or below."""
    steps = {1, 12} if wrap else {1}
    return sum(any(abs(a // 4 - b // 4) in steps for b in cards) for a in cards)


def longest_run(
    hand: frozenset[int],
    top: int | None,
    *,
    wrap: bool = False,
    ace_any: bool = False,
    ends: bool = False,
    single: bool = False,
    every_suit: bool = False,
) -> Run:
    """Return the longest run; among equals the most cards left beside another, then the lowest.

    Parameters
    ----------
    hand : frozenset of int
    top : int or None
        Rank of the card on top; None for a lead.
    wrap, ace_any
        The options of KG-3.
    ends : bool
        Whether an ace ends the turn.
    single : bool
        Whether the turn is one card long (a lead with ``lead=one``).
    every_suit : bool
        Whether all cards are tried. Else of equal ranks only the lowest card is, which
        changes nothing but the time.
    """
    known: dict[tuple[frozenset[int], int | None], Run] = {}

    def best(cards: frozenset[int], rank: int | None) -> Run:
        key = (cards, rank)
        if key not in known:
            known[key] = find(cards, rank)
        return known[key]

    def find(cards: frozenset[int], rank: int | None) -> Run:
        found: Run = (0, beside(cards, wrap), ())
        tried = set()
        for card in sorted(cards):
            other = card // 4
            if rank is not None and not fits(other, rank, wrap=wrap, ace_any=ace_any):
                continue
            if other in tried and not every_suit:
                continue
            tried.add(other)
            rest = cards - {card}
            if single or (ends and other == ACE_RANK):
                length, near, after = 0, beside(rest, wrap), ()
            else:
                length, near, after = best(rest, other)
            if (1 + length, near) > found[:2]:
                found = (1 + length, near, (card, *after))
        return found

    return best(hand, top)
