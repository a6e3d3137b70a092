"""The longest run by looking at every run there is (KG-3, KG-4, KG-8)."""

from __future__ import annotations

from dataclasses import dataclass, field

from .table import ACE_RANK, fits

Cards = frozenset[int]
#: (ends with an ace, if that goes first; length; cards left beside another), the cards put down
Run = tuple[tuple[bool, int, int], tuple[int, ...]]


def beside(cards: Cards, wrap: bool) -> int:
    """Return how many cards have another of them one rank above or below."""
    steps = {1, 12} if wrap else {1}
    return sum(any(abs(a // 4 - b // 4) in steps for b in cards) for a in cards)


@dataclass
class Search:
    """Finds the best run of a hand.

    Attributes
    ----------
    wrap, ace_any
        The options of KG-3.
    ends : bool
        Whether an ace ends the turn.
    single : bool
        Whether the turn is one card long (a lead with ``lead=one``).
    ace_first : bool
        Whether a run that ends with such an ace goes before all others.
    kept : frozenset of int
        Cards that stay in the hand and count as cards left.
    every_suit : bool
        Whether all cards are tried. Else of equal ranks only the lowest card is, which
        changes nothing but the time.
    """

    wrap: bool = False
    ace_any: bool = False
    ends: bool = False
    single: bool = False
    ace_first: bool = False
    kept: Cards = frozenset()
    every_suit: bool = False
    known: dict[tuple[Cards, int | None], Run] = field(default_factory=dict)

    def best(self, hand: Cards, top: int | None) -> Run:
        """Return the longest run; among equals as the policies say, then the lowest cards."""
        key = (hand, top)
        if key not in self.known:
            self.known[key] = self._find(hand, top)
        return self.known[key]

    def _find(self, hand: Cards, top: int | None) -> Run:
        found: Run = ((False, 0, self._left(hand)), ())
        tried = set()
        for card in sorted(hand):
            rank = card // 4
            if top is not None and not fits(rank, top, wrap=self.wrap, ace_any=self.ace_any):
                continue
            if rank in tried and not self.every_suit:
                continue
            tried.add(rank)
            rest = hand - {card}
            last = self.ends and rank == ACE_RANK
            if last or self.single:
                (by_ace, length, left), after = (last, 0, self._left(rest)), ()
            else:
                (by_ace, length, left), after = self.best(rest, rank)
            value = (by_ace and self.ace_first, 1 + length, left)
            if value > found[0]:
                found = (value, (card, *after))
        return found

    def _left(self, hand: Cards) -> int:
        return beside(hand | self.kept, self.wrap)
