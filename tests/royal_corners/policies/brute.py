"""The planner's task solved by trying every sequence of moves, in plain Python on card texts.

Two ways: `by_enumeration` walks through all sequences one by one; `by_position` remembers what is
best from each exact position (no hashes, no symmetries), for turns with too many sequences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tests.slow.royal_corners_deal import (
    CORNERS,
    NUMBER,
    PACK,
    RANKS,
    is_king,
    is_red,
    one_lower_other_colour,
    rank,
)

UNKNOWN = 2
#: The cards that a card goes on.
HOSTS = {
    card: frozenset(host for host in PACK if one_lower_other_colour(card, host)) for card in PACK
}
Worth = tuple[int, int]  # penalty left, minus future fits: the lower the better


class TooManyError(Exception):
    """There are more sequences than one wants to try."""


class Place(NamedTuple):
    """A position within a turn: of a pile only the first and the last card matter."""

    hand: frozenset[str]
    piles: tuple[tuple[str, str] | None, ...]
    rights: frozenset[int]
    open_card: str | None


class Turn:
    """What does not change within a turn, from what a seat sees (`info` of the slow engine)."""

    def __init__(self, info: Mapping[str, Any], keeps: bool = False) -> None:
        self.rules = info["rules"]
        self.keeps = keeps
        piles = info["corners"]
        self.start = Place(
            frozenset(info["hand"]),
            tuple((pile[0], pile[-1]) if pile else None for pile in piles),
            frozenset(info["any_card"]),
            info["open_card"],
        )
        self.stock = info["stock_left"]
        seen = {*info["hand"], *(card for pile in piles for card in pile), info["open_card"]}
        unseen = {card for card in PACK if card not in seen}
        self.unseen_hosts = {card: len(HOSTS[card] & unseen) for card in info["hand"]}

    # What a sequence is worth

    def worth(self, place: Place) -> Worth:
        left = sum(10 if is_king(card) else 1 for card in place.hand)
        played_stock = self.start.open_card is not None and place.open_card is None
        played_hand = place.hand != self.start.hand
        draw = self.rules["draw"]
        draws = draw == "every_turn" or (draw == "after_play" and played_hand)
        if draws and place.hand and self.stock - played_stock > 0:
            if place.open_card is None:
                left += UNKNOWN
            else:
                left += 10 if is_king(place.open_card) else 1
        lasts = {pile[1] for pile in place.piles if pile}
        fits = sum(self.unseen_hosts[card] + len(HOSTS[card] & lasts) for card in place.hand)
        return left, -fits

    # Moves, in the planner's fixed order

    def moves(self, place: Place) -> Iterator[tuple[int, Place]]:
        corners = range(len(place.piles))
        for card in sorted(place.hand, key=NUMBER.__getitem__, reverse=True):
            for to in corners:
                if self.takes(place, to, card):
                    after = self.put(place, to, card)
                    yield NUMBER[card] * 8 + to, after._replace(hand=place.hand - {card})
        if place.open_card is not None:
            for to in corners:
                if self.takes(place, to, place.open_card):
                    after = self.put(place, to, place.open_card)
                    yield 52 * 8 + to, after._replace(open_card=None)
        for source in corners:
            for to in corners:
                if self.joins(place, source, to):
                    yield (53 + source) * 8 + to, self.join(place, source, to)

    def takes(self, place: Place, to: int, card: str) -> bool:
        pile = place.piles[to]
        if pile:
            return pile[1] in HOSTS[card]
        if is_king(card) or to not in place.rights:
            return is_king(card)
        return not self.keeps or card == self.fits_least(place)

    def fits_least(self, place: Place) -> str:
        lasts = {pile[1] for pile in place.piles if pile}
        return min(
            place.hand,
            key=lambda card: (
                self.unseen_hosts[card] + len(HOSTS[card] & lasts),
                -RANKS.index(card[0]),
                is_red(card),
                -NUMBER[card],
            ),
        )

    def joins(self, place: Place, source: int, to: int) -> bool:
        pile, other = place.piles[source], place.piles[to]
        if not pile or source == to:
            return False
        if other:
            if self.rules["merge"] == "down":
                return other[1] in HOSTS[pile[0]]
            return pile[0] in HOSTS[other[1]]
        return self.rules["king_pile"] and source < CORNERS <= to and is_king(pile[0])

    def kept_rights(self, place: Place) -> frozenset[int]:
        return frozenset() if self.rules["vacated"] == "next_move" else place.rights

    def put(self, place: Place, to: int, card: str) -> Place:
        piles = list(place.piles)
        pile = piles[to]
        piles[to] = (pile[0] if pile else card, card)
        return place._replace(piles=tuple(piles), rights=self.kept_rights(place) - {to})

    def join(self, place: Place, source: int, to: int) -> Place:
        piles = list(place.piles)
        pile, other = piles[source], piles[to]
        assert pile
        piles[to] = (other[0] if other else pile[0], pile[1])
        piles[source] = None
        rights = self.kept_rights(place)
        if source < CORNERS and self.rules["vacated"] != "never":
            rights |= {source}
        return place._replace(piles=tuple(piles), rights=rights)


def by_enumeration(
    info: Mapping[str, Any], most: int, keeps: bool = False
) -> tuple[Worth, list[int], int]:
    """Try all sequences; return the best worth, its sequence, and how many there were."""
    turn = Turn(info, keeps)
    best: tuple[Worth, list[int]] | None = None
    tried = 0

    def go(place: Place, path: list[int]) -> None:
        nonlocal best, tried
        tried += 1
        if tried > most:
            raise TooManyError
        worth = turn.worth(place)
        if best is None or worth < best[0]:
            best = worth, path
        if place.hand:
            for answer, after in turn.moves(place):
                go(after, [*path, answer])

    go(turn.start, [])
    assert best is not None
    return *best, tried


def by_position(info: Mapping[str, Any], keeps: bool = False) -> tuple[Worth, list[int], int]:
    """Find the same with a memory of exact positions; return how many there were."""
    turn = Turn(info, keeps)
    known: dict[Place, tuple[Worth, list[int]]] = {}

    def solve(place: Place) -> tuple[Worth, list[int]]:
        if place in known:
            return known[place]
        best: tuple[Worth, list[int]] = turn.worth(place), []
        if place.hand:
            for answer, after in turn.moves(place):
                worth, rest = solve(after)
                if worth < best[0]:
                    best = worth, [answer, *rest]
        known[place] = best
        return best

    return *solve(turn.start), len(known)


def kinds(place: Place) -> Any:
    """Return the position up to the names of corners of one kind and of equal cards."""

    def kind(card: str) -> tuple[int, bool]:
        return rank(card), is_red(card)

    piles = [
        (corner >= CORNERS, pile and (kind(pile[0]), kind(pile[1])), corner in place.rights)
        for corner, pile in enumerate(place.piles)
    ]
    hand = sorted(map(kind, place.hand))
    return tuple(hand), tuple(sorted(piles, key=str)), place.open_card


def different_positions(info: Mapping[str, Any], keeps: bool = False) -> int:
    """Count the positions of a turn that differ in more than names."""
    turn = Turn(info, keeps)
    met: set[Any] = set()
    rest = [turn.start]
    while rest:
        place = rest.pop()
        name = kinds(place)
        if name not in met:
            met.add(name)
            if place.hand:
                rest.extend(after for _, after in turn.moves(place))
    return len(met)
