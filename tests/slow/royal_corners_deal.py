"""One deal of Royal Corners, played slowly (RC-2 to RC-10).

Cards are their texts (``"KH"``) throughout, and every act at the table is written down as the
event of C-10.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

RANKS = "A23456789TJQK"  # low to high
SUITS = "SHDC"
PACK = [rank + suit for rank in RANKS for suit in SUITS]  # ascending card number
NUMBER = {card: number for number, card in enumerate(PACK)}

CORNERS = 4  # corners 0-3; king corners, if any, follow them

# ("play", card, "hand" or "stock", corner), ("move", from corner, to corner) or ("stop",)
Option = tuple[Any, ...]
Event = dict[str, Any]

STOP: Option = ("stop",)


def rank(card: str) -> int:
    return RANKS.index(card[0])


def is_red(card: str) -> bool:
    return card[1] in "HD"


def is_king(card: str) -> bool:
    return card[0] == "K"


def one_lower_other_colour(card: str, than: str) -> bool:
    return rank(card) == rank(than) - 1 and is_red(card) != is_red(than)


@dataclass
class Deal:
    """One deal: the table as it stands, and what has happened on it."""

    rules: Mapping[str, Any]
    first: int
    hands: list[list[str]]
    corners: list[list[str]]
    stock: list[str]
    decide: Callable[[Deal, int, list[Option]], Option]

    turn: int = 0  # the turn being played, from 0
    emptied_last: int | None = None  # the corner that the last move made has emptied
    emptied_in: dict[int, int] = field(default_factory=dict)  # corner -> turn of its last emptying
    idle: list[bool] = field(default_factory=list)  # idle turns in a row: could he have moved?
    this_turn: list[str] = field(default_factory=list)  # the acts of this turn, in order
    out_order: list[int] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(
            ["hand_plays", "stock_plays", "pile_moves", "draws", "decisions", "options"], 0
        )
    )
    ending: str = ""

    # What may be done

    def takes_any_card(self, corner: int) -> bool:
        """RC-6: an empty corner that takes any card, not kings only."""
        if self.corners[corner] or corner >= CORNERS:  # RC-14: never on a king corner
            return False
        how = self.rules["vacated"]
        if how == "always":
            return True
        if how == "never" or corner not in self.emptied_in:
            return False
        if how == "next_move":
            return corner == self.emptied_last
        turns_since = self.turn - self.emptied_in[corner]
        return turns_since == 0 if how == "turn" else turns_since <= 1

    def card_fits(self, card: str, corner: int) -> bool:
        """RC-3, RC-4, RC-6."""
        pile = self.corners[corner]
        if pile:
            return one_lower_other_colour(card, pile[-1])
        return is_king(card) or self.takes_any_card(corner)

    def pile_fits(self, source: int, target: int) -> bool:
        """RC-5, and RC-14 for a king's pile that moves to a king corner."""
        if source == target or not self.corners[source]:
            return False
        first_card = self.corners[source][0]
        if self.corners[target]:
            last_card = self.corners[target][-1]
            if self.rules["merge"] == "down":
                return one_lower_other_colour(first_card, last_card)
            return one_lower_other_colour(last_card, first_card)
        return bool(self.rules["king_pile"]) and source < CORNERS <= target and is_king(first_card)

    def moves(self, seat: int) -> list[Option]:
        """Every move of RC-12, in the fixed order, without ``stop``."""
        corners = range(len(self.corners))
        cards = [(card, "hand") for card in sorted(self.hands[seat], key=NUMBER.__getitem__)]
        if self.stock and self.rules["stock_face"] == "up":  # RC-7
            cards.append((self.stock[0], "stock"))
        found: list[Option] = []
        for card, source in cards:
            found += [("play", card, source, to) for to in corners if self.card_fits(card, to)]
        for start in corners:
            found += [("move", start, to) for to in corners if self.pile_fits(start, to)]
        return found

    def holders(self) -> list[int]:
        """The seats that still have cards."""
        return [seat for seat, hand in enumerate(self.hands) if hand]

    # Doing it

    def note(self, seat: int, do: str, **more: Any) -> None:
        self.events.append({"seat": seat, "do": do, **more})
        self.this_turn.append(do)

    def carry_out(self, seat: int, option: Option) -> None:
        if option[0] == "play":
            self.play_card(seat, *option[1:])
        else:
            self.move_pile(seat, *option[1:])

    def play_card(self, seat: int, card: str, source: str, to: int) -> None:
        if source == "hand":
            self.hands[seat].remove(card)
        else:
            self.stock.pop(0)
        self.corners[to].append(card)
        self.emptied_last = None
        self.counts[source + "_plays"] += 1
        self.note(seat, "play", card=card, **{"from": source, "to": to})

    def move_pile(self, seat: int, start: int, to: int) -> None:
        self.corners[to] += self.corners[start]
        self.corners[start] = []
        self.emptied_last = start
        self.emptied_in[start] = self.turn
        self.counts["pile_moves"] += 1
        self.note(seat, "move", **{"from": start, "to": to})

    def draw(self, seat: int) -> None:
        if not self.stock:
            return
        card = self.stock.pop(0)
        self.hands[seat].append(card)
        self.counts["draws"] += 1
        self.note(seat, "draw", card=card)

    # The course of the deal

    def play_turn(self, seat: int) -> None:
        self.this_turn = []
        hand_plays_before = self.counts["hand_plays"]
        if self.rules["draw"] == "turn_start":
            self.draw(seat)
        could_move = bool(self.moves(seat))

        while self.hands[seat]:
            moves = self.moves(seat)
            if not moves:
                break
            choice = self.decide(self, seat, [*moves, STOP])
            self.counts["decisions"] += 1
            self.counts["options"] += len(moves) + 1
            if choice == STOP:
                self.note(seat, "stop")
                break
            self.carry_out(seat, choice)

        if self.hands[seat]:
            played_from_hand = self.counts["hand_plays"] > hand_plays_before
            after_play = self.rules["draw"] == "after_play" and played_from_hand
            if after_play or self.rules["draw"] == "every_turn":  # RC-8
                self.draw(seat)
        else:
            self.out_order.append(seat)  # RC-9
            self.note(seat, "out")

        if {"play", "move", "draw"} & set(self.this_turn):
            self.idle = []
        else:
            self.idle.append(could_move)
        self.note(seat, "end")
        self.turn += 1

    def how_it_ended(self) -> str:
        """RC-10 and RC-12, looked at after a turn; empty while play goes on."""
        holders = self.holders()
        if self.rules["end"] == "first_out" and self.out_order:
            return "first_out"
        if self.rules["end"] == "last_holder" and len(holders) == 1:
            return "last_holder"
        if not holders:
            return "all_out"
        if len(self.idle) >= len(holders):
            return "declined" if any(self.idle) else "blocked"
        if self.turn >= self.rules["max_turns"]:
            return "truncated"
        return ""

    def play_out(self) -> None:
        seat = self.first
        while not self.ending:
            self.play_turn(seat)
            self.ending = self.how_it_ended()
            if not self.ending:
                seat = self.next_holder(seat)

    def next_holder(self, seat: int) -> int:
        players = len(self.hands)
        following = [(seat + step) % players for step in range(1, players + 1)]
        return next(other for other in following if self.hands[other])

    def penalties(self) -> list[int]:
        """RC-11."""
        return [sum(10 if is_king(card) else 1 for card in hand) for hand in self.hands]
