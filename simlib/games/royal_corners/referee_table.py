"""What lies on the table of Royal Corners, and which moves fit on it (RC-3 to RC-7, RC-14).

Part of the referee: plain Python on card texts, written from RULES.md alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

__all__ = ["DECK", "KING", "Bar", "Table"]

RANKS = "A23456789TJQK"
SUITS = "SHDC"
KING = "K"
DECK = frozenset(rank + suit for rank in RANKS for suit in SUITS)
ORDINARY = 4  # corners 0-3; any corner from this number on is a king corner (RC-14)


class Bar(NamedTuple):
    """Why a move is not allowed: the clause that forbids it, and a sentence for a person."""

    clause: str
    reason: str


# Bars are constants, since every count of the options asks for them again and again.
_NO_FIT = Bar("RC-3", "the card is not one lower and of the other colour than the corner's last")
_NO_KING = Bar("RC-4", "only a king may start an empty corner")
_LAPSED = Bar("RC-6", "this empty corner's right to any card has lapsed; it takes kings only")
_KINGS_ONLY = Bar("RC-14", "an empty king corner takes kings only, never any card")
_FACE_DOWN = Bar("RC-7", "the stock lies face down and cannot be played from")
_NO_STOCK = Bar("RC-7", "the stock is empty, nothing can be played from it")
_NOT_OPEN = Bar("RC-7", "the card is not the stock's open card")
_NOT_HELD = Bar("C-7", "the card is not in this player's hand")
_NO_PILE = Bar("RC-5", "the corner to be moved is empty")
_ITSELF = Bar("RC-5", "a pile cannot be put on itself")
_EMPTY = Bar("RC-5", "a pile is not moved to an empty corner")
_NO_JOIN = Bar("RC-5", "the pile's first card does not join the other corner's last card")
_NO_KING_PILE = Bar("RC-14", "piles are not moved to king corners without king_pile")
_NOT_KINGS_PILE = Bar("RC-14", "only a pile that starts with a king moves to an empty king corner")
_FROM_KING_CORNER = Bar("RC-14", "only a pile on corners 0-3 moves to an empty king corner")


def _rank(card: str) -> int:
    return RANKS.index(card[0])


def _is_one_lower(card: str, other: str) -> bool:
    """Tell whether `card` is one rank lower than, and of the other colour from, `other`."""
    return _rank(card) + 1 == _rank(other) and (card[1] in "HD") != (other[1] in "HD")


class Table:
    """The cards of one deal, where they are now, and the rights of emptied corners.

    Parameters
    ----------
    hands, corners, stock : sequences of card texts
        As the deal begins (RC-1); `stock` next card first.
    rules : Mapping
        Every option of the game.

    Attributes
    ----------
    turn : int
        Number of the turn being played; the reader of the deal moves it on.
    """

    def __init__(
        self,
        hands: Sequence[Sequence[str]],
        corners: Sequence[Sequence[str]],
        stock: Sequence[str],
        rules: Mapping[str, Any],
    ) -> None:
        self.hands = [set(hand) for hand in hands]
        self.corners = [list(corner) for corner in corners]
        self.stock = list(stock)
        self.rules = rules
        self.turn = 0
        self._emptied_last: int | None = None  # by the last move made, whoever made it
        self._emptied_in: dict[int, int] = {}  # corner -> turn in which it was last emptied

    def takes_any(self, corner: int) -> bool:
        """Tell whether the empty `corner` takes any card as the next move (RC-6)."""
        vacated = self.rules["vacated"]
        if corner >= ORDINARY or vacated == "never":
            return False
        if vacated == "always":
            return True
        if vacated == "next_move":
            return corner == self._emptied_last
        lasts = 0 if vacated == "turn" else 1
        return corner in self._emptied_in and self.turn - self._emptied_in[corner] <= lasts

    def bar_to_card(self, card: str, corner: int) -> Bar | None:
        """Return what keeps `card`, wherever it comes from, off `corner` (RC-3, 4, 6, 14)."""
        pile = self.corners[corner]
        if pile:
            return None if _is_one_lower(card, pile[-1]) else _NO_FIT
        if card[0] == KING or self.takes_any(corner):
            return None
        if corner >= ORDINARY:
            return _KINGS_ONLY
        return _NO_KING if self.rules["vacated"] == "never" else _LAPSED

    def bar_to_play(self, seat: int, card: str, source: str, corner: int) -> Bar | None:
        """Return what forbids `seat` to put `card` from hand or stock on `corner`."""
        if source == "hand":
            if card not in self.hands[seat]:
                return _NOT_HELD
        elif self.rules["stock_face"] == "down":
            return _FACE_DOWN
        elif not self.stock:
            return _NO_STOCK
        elif card != self.stock[0]:
            return _NOT_OPEN
        return self.bar_to_card(card, corner)

    def bar_to_move(self, source: int, target: int) -> Bar | None:
        """Return what forbids to put the pile on `source` on `target` (RC-5, RC-14)."""
        pile, other = self.corners[source], self.corners[target]
        if not pile:
            return _NO_PILE
        if source == target:
            return _ITSELF
        if not other:
            return self._bar_to_king_corner(source, target)
        if self.rules["merge"] == "down":
            joins = _is_one_lower(pile[0], other[-1])
        else:
            joins = _is_one_lower(other[-1], pile[0])
        return None if joins else _NO_JOIN

    def _bar_to_king_corner(self, source: int, target: int) -> Bar | None:
        if target < ORDINARY:
            return _EMPTY
        if not self.rules["king_pile"]:
            return _NO_KING_PILE
        if source >= ORDINARY:
            return _FROM_KING_CORNER
        return None if self.corners[source][0][0] == KING else _NOT_KINGS_PILE

    def count_moves(self, seat: int) -> int:
        """Return the number of moves that `seat` may choose from, without `stop` (RC-12)."""
        everywhere = range(len(self.corners))
        cards = list(self.hands[seat])
        if self.stock and self.rules["stock_face"] == "up":
            cards.append(self.stock[0])
        plays = sum(self.bar_to_card(card, to) is None for card in cards for to in everywhere)
        piles = sum(self.bar_to_move(a, b) is None for a in everywhere for b in everywhere)
        return plays + piles

    def play(self, seat: int, card: str, source: str, corner: int) -> None:
        """Put a card on a corner; no emptied corner is the last move's any more (RC-6)."""
        if source == "hand":
            self.hands[seat].remove(card)
        else:
            self.stock.pop(0)
        self.corners[corner].append(card)
        self._emptied_last = None

    def move(self, source: int, target: int) -> None:
        """Put a whole corner on another one; the emptied corner gets its right (RC-6)."""
        self.corners[target] += self.corners[source]
        self.corners[source] = []
        self._emptied_last = source
        self._emptied_in[source] = self.turn

    def draw(self, seat: int) -> None:
        """Give the stock's top card to `seat`; this is no move (RC-6, RC-8)."""
        self.hands[seat].add(self.stock.pop(0))
