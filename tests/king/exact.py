"""Exact answers for tiny decks of King: every deal and every choice, counted in fractions.

A tiny game is a house table (see ``house_tables``) with most cards taken out. This is code of its
own: it shares nothing with the kernel, the referee or the slow engine, and plays every deal to its
last card. Whoever plays at random takes each option with the same chance; ``low`` and ``high`` are
known too, where no two cards have the same rank.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np

RANKS = "23456789TJQKA"
Cards = tuple[str, ...]
Scores = tuple[int, ...]


def tiny(cards: str, *rows: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return the table of a house variety with these cards and no others."""
    kept = cards.split()
    without = [r + s for r in RANKS for s in "SHDC" if r + s not in kept]
    jokers = sum(card[0] == "X" for card in kept)
    table = {"players": 3, "deck": 52, "without": without, "jokers": jokers}
    return table | changes | {"contracts": list(rows)}


@dataclass(frozen=True)
class Start:
    """A deal before the first lead."""

    hands: tuple[Cards, ...]
    stock: Cards
    row: dict[str, Any]
    leader: int = 0
    declarer: int | None = None
    trump: str | None = None
    bid: int = 0
    away: Cards = ()
    ways: int = 1  # one over the chance that it comes to this


class Course(NamedTuple):
    """What was played since."""

    hands: tuple[Cards, ...]
    stock: Cards
    leader: int
    trick: tuple[tuple[int, str], ...]
    taken: tuple[Cards, ...]
    winners: tuple[int, ...]


class TinyGame:
    """Counts every course of a deal.

    Parameters
    ----------
    table : dict
        See :func:`tiny`; the first contract is played, or in an auction any may be named.
    policies : sequence of str
        ``random``, ``low`` or ``high``, one a seat; default: all at random.
    """

    def __init__(self, table: dict[str, Any], policies: Sequence[str] = ()) -> None:
        self.table = table
        self.n: int = table["players"]
        self.policies = policies or ["random"] * self.n
        deck = [r + s for r in RANKS for s in "SHDC" if r + s not in table["without"]]
        self.deck = [*deck, *["X1", "X2"][: table["jokers"]]]

    def distribution(self) -> dict[Scores, Fraction]:
        """Return the chance of every list of scores."""
        found: Counter[tuple[Scores, int]] = Counter()
        deals = 0
        for hands, talon, stock in self._deals():
            deals += 1
            for start in self._start(hands, talon, stock):
                course = Course(start.hands, stock, start.leader, (), ((),) * self.n, ())
                self._count(start, course, start.ways, found)
        chances: dict[Scores, Fraction] = {}
        for (scores, ways), count in found.items():
            chances[scores] = chances.get(scores, Fraction(0)) + Fraction(count, ways * deals)
        assert sum(chances.values()) == 1
        return chances

    def rule(self, name: str, otherwise: Any = None) -> Any:
        return self.table.get(name, otherwise)

    def _choices(self, seat: int, options: Sequence[Any], rank: Any = None) -> list[Any]:
        """Return the options that a seat may take, all with the same chance."""
        name = self.policies[seat]
        if name == "random":
            return list(options)
        return [(min if name == "low" else max)(options, key=rank)]

    # --- before the first lead --------------------------------------------------------

    def _deals(self) -> Iterator[tuple[tuple[Cards, ...], Cards, Cards]]:
        """Deal in every way that differs: hands, talon, and the rest in every order."""
        talon = self.rule("talon", 0)
        size = self.rule("hand_size") or (len(self.deck) - talon) // self.n

        def hand_out(left: Cards, hands: tuple[Cards, ...]) -> Iterator[Any]:
            if len(hands) == self.n:
                for shown in combinations(left, talon):
                    rest = tuple(card for card in left if card not in shown)
                    for stock in permutations(rest) if self.rule("reserve") else [()]:
                        yield hands, shown, stock
                return
            for hand in combinations(left, size):
                yield from hand_out(tuple(c for c in left if c not in hand), (*hands, hand))

        yield from hand_out(tuple(self.deck), ())

    def _start(self, hands: tuple[Cards, ...], talon: Cards, stock: Cards) -> Iterator[Start]:
        rows = self.table["contracts"]
        deal = Start(hands, stock, rows[0])
        choice = self.rule("choice", "fixed")
        if choice == "fixed":
            yield deal
        elif choice == "declarer":
            seat = 1 if self.rule("declarer") == "next" else 0
            yield from self._orders(replace(deal, declarer=seat), talon)
        else:
            for bid in self._auction(deal, tuple(range(self.n))):
                if bid.declarer is None:
                    yield bid
                    continue
                named = self._choices(bid.declarer, rows, rank=rows.index)
                for row in named:
                    ways = bid.ways * len(named)
                    yield from self._orders(replace(bid, row=row, ways=ways), talon)

    def _auction(self, deal: Start, waiting: tuple[int, ...]) -> Iterator[Start]:
        """Bid in every way; `waiting` are the seats still to be asked, in turn (K-A)."""
        is_open = self.rule("auction") == "open"
        if not waiting or (is_open and waiting == (deal.declarer,)):
            yield deal
            return
        seat, *others = waiting
        bids = self._choices(seat, [0, *range(deal.bid + 1, self.rule("most_bid", 13) + 1)])
        for bid in bids:
            after = replace(deal, ways=deal.ways * len(bids))
            if bid:
                after = replace(after, bid=bid, declarer=seat)
            again = (seat,) if bid and is_open else ()
            yield from self._auction(after, (*others, *again))

    def _orders(self, deal: Start, talon: Cards) -> Iterator[Start]:
        """Name a trump, lay cards away, and turn to the first lead (K-O, K-M)."""
        assert deal.declarer is not None
        leader = deal.declarer if self.rule("bidder_leads") else 0
        trumps: list[str | None] = [None]
        if deal.row.get("trump"):
            listed = [*([None] if self.rule("no_trump", True) else []), *"SHDC"]
            trumps = self._choices(deal.declarer, listed, rank=listed.index)
        for trump in trumps:
            named = replace(deal, trump=trump, leader=leader, ways=deal.ways * len(trumps))
            yield from self._lay_away(named, talon) if talon else [named]

    def _lay_away(self, deal: Start, talon: Cards) -> Iterator[Start]:
        seat = deal.declarer
        assert seat is not None
        hand = (*deal.hands[seat], *talon)
        for first in self._may_lay_away(deal, hand):
            rest = tuple(card for card in hand if card != first)
            for second in self._may_lay_away(deal, rest):
                kept = tuple(card for card in rest if card != second)
                ways = len(self._may_lay_away(deal, hand)) * len(self._may_lay_away(deal, rest))
                yield replace(
                    deal,
                    hands=(*deal.hands[:seat], kept, *deal.hands[seat + 1 :]),
                    away=(first, second),
                    ways=deal.ways * ways,
                )

    def _may_lay_away(self, deal: Start, hand: Cards) -> list[str]:
        assert deal.declarer is not None
        free = [card for card in hand if not self._worth(deal.row, card)]
        return self._choices(deal.declarer, free or hand, rank=_height)

    # --- the tricks -------------------------------------------------------------------

    def _count(self, start: Start, now: Course, ways: int, found: Counter[Any]) -> None:
        """Play on in every way, and count the scores by one over their chance."""
        holders = [seat for seat in range(self.n) if now.hands[seat]]
        void = self.rule("choice") == "auction" and start.declarer is None
        alone = self.rule("reserve") and len(holders) == 1 and not now.trick and now.winners
        if alone and not void:
            now = self._keep(now, holders[0])
        if void or alone or not holders:
            found[(0,) * self.n if void else self._scores(start, now), ways] += 1
            return
        hands, stock, leader, trick, taken, winners = now
        played = [seat for seat, _ in trick]
        turns = [(leader + k) % self.n for k in range(self.n)]
        if not trick and not self.rule("reserve") and all(len(hand) == 1 for hand in hands):
            last = tuple((seat, hands[seat][0]) for seat in turns)  # it plays itself
            course = Course(((),) * self.n, stock, leader, last, taken, winners)
            self._count(start, self._gather(start, course), ways, found)
            return
        seat, *later = [s for s in turns if hands[s] and s not in played]
        hand = hands[seat]
        if trick and self.rule("reserve"):
            hand, stock = self._draw(hand, stock, _led(trick))
        cards = self._choices(seat, self._legal(start, seat, hand, trick), rank=_height)
        for card in cards:
            rest = tuple(other for other in hand if other != card)
            after = (*hands[:seat], rest, *hands[seat + 1 :])
            down = (*trick, (seat, card))
            course = Course(after, stock, leader, down, taken, winners)
            if not later:
                course = self._gather(start, course)
            self._count(start, course, ways * len(cards), found)

    def _gather(self, start: Start, now: Course) -> Course:
        """Give a whole trick to its winner."""
        winner = self._winner(start, now.trick)
        taken = list(now.taken)
        taken[winner] += tuple(card for _, card in now.trick)
        return Course(now.hands, now.stock, winner, (), tuple(taken), (*now.winners, winner))

    def _legal(self, start: Start, seat: int, hand: Cards, trick: Any) -> Sequence[str]:
        row = start.row
        if not trick:
            closed = list(row.get("held_back", []))
            if row.get("declarer_leads_trumps") and seat != start.declarer:
                closed.append(start.trump)
            return [card for card in hand if card[1] not in closed] or hand
        led = _led(trick)
        if led is None:
            return hand
        same = [card for card in hand if card[1] == led]
        if same:
            how = self.rule("joker_play", "void_or_hearts")
            instead = how == "any" or (how == "void_or_hearts" and led == "H")
            return same + [card for card in hand if instead and card[0] == "X"]
        duty = [card for card in hand if card in row.get("duty", [])]
        if duty:
            return duty
        trumps = [card for card in hand if card[1] == start.trump]
        return trumps if trumps and self.rule("must_trump") else hand

    def _winner(self, start: Start, trick: Any) -> int:
        led, trump = _led(trick), start.trump
        jokers = [seat for seat, card in trick if card[0] == "X"]
        if jokers:
            high = {"JH", "QH", "KH", "AH"} & {card for _, card in trick}
            if not high or (self.rule("joker_loses") == "led" and led != "H"):
                return int(jokers[0])
        suit = trump if any(card[1] == trump for _, card in trick) else led
        return int(max((_height(card), seat) for seat, card in trick if card[1] == suit)[1])

    def _draw(self, hand: Cards, stock: Cards, led: str | None) -> tuple[Cards, Cards]:
        """Draw until a card of the suit led comes (K-D)."""
        while stock and all(card[1] != led for card in hand):
            hand, stock = (*hand, stock[0]), stock[1:]
        return hand, stock

    def _keep(self, now: Course, holder: int) -> Course:
        """Give the last holder his own cards (K-D)."""
        taken = list(now.taken)
        taken[holder] += now.hands[holder]
        extra = (holder,) if self.rule("kept_as") == "trick" else ()
        return now._replace(taken=tuple(taken), winners=now.winners + extra)

    # --- points -----------------------------------------------------------------------

    def _worth(self, row: dict[str, Any], card: str) -> int:
        points: int = row.get("cards", {}).get(card, 0)
        if card[0] != "X":
            points += row.get("ranks", {}).get(card[0], 0) + row.get("suits", {}).get(card[1], 0)
        return points

    def _scores(self, start: Start, now: Course) -> Scores:
        row, scores, slams = start.row, [], []
        scoring = {card for card in self.deck if self._worth(row, card)}
        for seat in range(self.n):
            cards = now.taken[seat] + (start.away if seat == start.declarer else ())
            points = sum(self._worth(row, card) for card in cards)
            points += row.get("trick", 0) * now.winners.count(seat)
            scores.append(points + row.get("last_two", 0) * now.winners[-2:].count(seat))
            slams.append(scoring <= set(cards))
        if row.get("slam") and any(slams):
            scores = [row["slam"] * swept for swept in slams]
        if self.rule("choice") == "auction" and start.declarer is not None:
            scores[start.declarer] += start.bid if self.rule("bid") == "gain" else -start.bid
        return tuple(scores)


def _led(trick: Any) -> str | None:
    return next((card[1] for _, card in trick if card[0] != "X"), None)


def _height(card: str) -> int:
    return RANKS.find(card[0])


# --- against a simulation -------------------------------------------------------------


def moments(chances: dict[Scores, Fraction], seat: int) -> tuple[Fraction, Fraction, Fraction]:
    """Return the exact mean, variance and fourth central moment of a seat's score."""
    mean = sum((p * scores[seat] for scores, p in chances.items()), Fraction(0))
    second = sum((p * (s[seat] - mean) ** 2 for s, p in chances.items()), Fraction(0))
    fourth = sum((p * (s[seat] - mean) ** 4 for s, p in chances.items()), Fraction(0))
    return mean, second, fourth


def worst_z(chances: dict[Scores, Fraction], found: np.ndarray) -> float:
    """Return the largest deviation of scores found from their exact distribution, in errors.

    Looked at are each seat's mean and variance, and how often each list of scores came, as far as
    20 or more are expected; one that cannot come counts as infinite.

    Parameters
    ----------
    chances : dict
        See :meth:`TinyGame.distribution`.
    found : int array (games, players)
    """
    n = len(found)
    times = Counter(map(tuple, found.tolist()))
    if times.keys() - chances.keys():
        return math.inf
    worst = 0.0
    for seat in range(found.shape[1]):
        mean, variance, fourth = map(float, moments(chances, seat))
        scores = found[:, seat].astype(float)
        for seen, wanted, spread in (
            (scores.mean(), mean, variance),
            (scores.var(), variance, fourth - variance**2),
        ):
            error = math.sqrt(max(spread, 0.0) / n)
            worst = max(worst, abs(seen - wanted) / max(error, 1e-9))
    for scores, p in chances.items():
        expected = float(p) * n
        if expected >= 20 and p < 1:
            error = math.sqrt(expected * (1 - float(p)))
            worst = max(worst, abs(times[scores] - expected) / error)
    return worst
