"""One deal of King George III, slowly: KG-2 … KG-9 and the proofs of KG-12.

It keeps every complete state of a deal in a dict and looks each one up: no hashing tricks, no
cycle finding on the sly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from .streams import Stream

RANKS = "23456789TJQKA"
SUITS = "SHDC"
ACE = 12

STOP = "stop"
SET_ASIDE = "set_aside"
KEEP = "keep"

Option = int | str
Info = dict[str, Any]
Policy = Callable[[tuple[int, ...], list[Option], int | None, Info], Option]


def text(card: int) -> str:
    """Return a card's two characters (C-1)."""
    return RANKS[card // 4] + SUITS[card % 4]


def card_of(name: str) -> int:
    """Return the card number of two characters."""
    return RANKS.index(name[0]) * 4 + SUITS.index(name[1])


def fits(rank: int, top: int, rules: Mapping[str, Any]) -> bool:
    """Whether a card of ``rank`` fits on a top card of rank ``top`` (KG-3)."""
    if abs(rank - top) <= 1:
        return True
    if rules["wrap"] and {rank, top} == {0, ACE}:
        return True
    return bool(rules["ace_fits"] == "any" and rank == ACE)


@dataclass
class Counts:
    """The counts of KG-14 for one deal."""

    decisions: int = 0
    options: int = 0
    turns: int = 0
    plays: int = 0
    draws: int = 0
    recycles: int = 0
    resets: int = 0
    passes: int = 0
    longest_draw: int = 0
    longest_run: int = 0
    last_reset: int = -1
    first_out: int = -1


@dataclass
class Deal:
    """A deal in play. Seats are the game's; piles and stock are lists of card numbers.

    ``pile`` has its oldest card first and its top card last; ``stock`` has the next card to
    be drawn first. ``order`` is the turn order from ``first``.
    """

    rules: Mapping[str, Any]
    order: list[int]
    hands: dict[int, set[int]]
    stock: list[int]
    policies: Mapping[int, Policy]
    table: Stream
    streams: Mapping[int, Stream]
    where: str = "deal"
    names: Mapping[int, str] = field(default_factory=dict)
    pile: list[int] = field(default_factory=list)
    aside: set[int] = field(default_factory=set)
    resets_of: dict[int, int] = field(default_factory=dict)
    out: list[int] = field(default_factory=list)
    lap: list[int] | None = None
    barren: int = 0
    counts: Counts = field(default_factory=Counts)
    events: list[dict[str, Any]] = field(default_factory=list)
    proof: str | None = None
    cycle_of: int = -1
    put: int = 0
    drawn: int = 0

    def __post_init__(self) -> None:
        for seat in self.order:
            self.resets_of.setdefault(seat, 0)

    # The deal as a whole

    def run(self, prove: bool = True) -> str:
        """Play to the end and return the ending."""
        seen: dict[Any, int] = {}
        seat = self.order[0]
        while True:
            if prove and self.proved_endless(seat, seen):
                return "endless"
            if self.counts.turns >= self.rules["max_turns"]:
                return "truncated"
            self.turn(seat)
            self.counts.turns += 1
            if self.lap is None and self.out:
                self.lap = self.last_lap(self.out[0])
            if self.lap is not None and not self.lap:
                return "out"
            if self.barren >= len(self.order) and not self.can_draw():
                return "deadlock"
            seat = self.lap.pop(0) if self.lap is not None else self.after(seat)

    def after(self, seat: int) -> int:
        """Return who sits next in the turn order."""
        return self.order[(self.order.index(seat) + 1) % len(self.order)]

    def last_lap(self, seat: int) -> list[int]:
        """Return who still has a turn after ``seat`` went out first (KG-9)."""
        place = self.order.index(seat)
        if self.rules["after_out"] == "none":
            return []
        if self.rules["after_out"] == "round":
            return self.order[place + 1 :]
        return self.order[place + 1 :] + self.order[:place]

    # One turn

    def turn(self, seat: int) -> None:
        """Play one whole turn of ``seat``."""
        self.put = 0
        self.drawn = 0
        card = self.first_card(seat)
        if card is None:
            self.note(seat, "pass")
            self.counts.passes += 1
            self.barren += 1
        else:
            self.barren = 0
            led = not self.pile
            turn_over = self.put_down(seat, card)
            if not turn_over and not (led and self.rules["lead"] == "one"):
                self.run_on(seat)
        self.note(seat, "end")
        self.counts.longest_draw = max(self.counts.longest_draw, self.drawn)
        self.counts.longest_run = max(self.counts.longest_run, self.put)

    def first_card(self, seat: int) -> int | None:
        """Choose the first card of a turn, drawing for it if need be; None is a pass."""
        if not self.pile:
            return self.choose_card(seat, "lead", sorted(self.hands[seat]))
        fitting = self.fitting(seat)
        if fitting:
            return self.choose_card(seat, "play", fitting)
        while self.can_draw():
            card = self.draw(seat)
            if self.fits_top(card):
                return card
            if self.rules["draw"] == "one":
                break
        return None

    def run_on(self, seat: int) -> None:
        """Go on laying cards while the player can and likes to (KG-4)."""
        while True:
            options: list[Option] = list(self.fitting(seat))
            if not options:
                return
            if not self.rules["must_run"]:
                options.append(STOP)
            answer = self.choose(seat, "run", options)
            if answer == STOP:
                self.note(seat, "stop")
                return
            assert isinstance(answer, int)
            if self.put_down(seat, answer):
                return

    def put_down(self, seat: int, card: int) -> bool:
        """Put a card on the pile; return whether that ends the turn (KG-8, KG-9)."""
        self.hands[seat].remove(card)
        self.pile.append(card)
        self.put += 1
        self.counts.plays += 1
        self.note(seat, "play", card=text(card))
        turn_over = False
        if card // 4 == ACE and self.has_resets(seat) and self.wants_reset(seat):
            self.aside |= set(self.pile)
            self.pile = []
            self.resets_of[seat] += 1
            self.counts.resets += 1
            self.counts.last_reset = self.counts.turns
            self.note(seat, "set_aside")
            turn_over = True
        if not self.hands[seat]:
            self.out.append(seat)
            if self.counts.first_out < 0:
                self.counts.first_out = seat
            self.note(seat, "out")
            turn_over = True
        return turn_over

    def wants_reset(self, seat: int) -> bool:
        """Whether the ace just put down sets the pile aside, asking if it is a choice."""
        if not self.rules["ace_choice"]:
            return True
        return self.choose(seat, "ace", [SET_ASIDE, KEEP]) == SET_ASIDE

    def has_resets(self, seat: int) -> bool:
        """Whether an ace of ``seat`` may still set the pile aside (``ace_scope``)."""
        if self.rules["ace_scope"] == "player":
            return bool(self.resets_of[seat] < self.rules["ace_resets"])
        return bool(sum(self.resets_of.values()) < self.rules["ace_resets"])

    def fits_top(self, card: int) -> bool:
        """Whether a card fits on the pile."""
        return fits(card // 4, self.pile[-1] // 4, self.rules)

    def fitting(self, seat: int) -> list[int]:
        """Return the cards of a hand that fit on the pile, ascending."""
        return [card for card in sorted(self.hands[seat]) if self.fits_top(card)]

    # Stock

    def can_recycle(self) -> bool:
        """Whether there is anything under the top card to turn over (KG-6)."""
        return self.rules["recycle"] != "none" and len(self.pile) > 1

    def can_draw(self) -> bool:
        """Whether a card can be drawn, after a recycle if need be."""
        return bool(self.stock) or self.can_recycle()

    def draw(self, seat: int) -> int:
        """Draw one card into the hand."""
        if not self.stock:
            self.recycle(seat)
        card = self.stock.pop(0)
        self.hands[seat].add(card)
        self.drawn += 1
        self.counts.draws += 1
        self.note(seat, "draw", card=text(card))
        if not self.stock and self.rules["recycle_when"] == "emptied" and self.can_recycle():
            self.recycle(seat)
        return card

    def recycle(self, seat: int) -> None:
        """Turn the pile over to be the stock; its top card stays (KG-6)."""
        self.stock = self.pile[:-1]
        self.pile = self.pile[-1:]
        if self.rules["recycle"] == "shuffle":
            self.table.shuffle(self.stock)
        self.counts.recycles += 1
        self.note(seat, "recycle", stock=[text(card) for card in self.stock])

    # Decisions

    def choose_card(self, seat: int, decision: str, cards: list[int]) -> int:
        """Let a seat choose one of some cards."""
        answer = self.choose(seat, decision, list(cards))
        assert isinstance(answer, int)
        return answer

    def choose(self, seat: int, decision: str, options: list[Option]) -> Option:
        """Ask the policy of a seat, unless there is only one option (C-5)."""
        if len(options) == 1:
            return options[0]
        self.counts.decisions += 1
        self.counts.options += len(options)
        hand = tuple(sorted(self.hands[seat]))
        top = self.pile[-1] if self.pile else None
        answer = self.policies[seat](hand, list(options), top, self.info(seat, decision))
        if answer not in options:
            who = f"{self.where}, seat {seat}, {self.names.get(seat, '?')}"
            raise ValueError(f"{who}, {decision}: {answer!r} is not among {options}")
        return answer

    def info(self, seat: int, decision: str) -> Info:
        """Return what else a player sees (C-6); ``below`` draws from the seat's stream."""
        return {
            "decision": decision,
            "seat": seat,
            "order": tuple(self.order),
            "counts": {other: len(self.hands[other]) for other in self.order},
            "stock": len(self.stock),
            "pile": len(self.pile),
            "aside": frozenset(self.aside),
            "resets_of": dict(self.resets_of),
            "put": self.put,
            "drawn": self.drawn,
            "out": tuple(self.out),
            "rules": self.rules,
            "below": self.streams[seat].below,
        }

    def note(self, seat: int, act: str, **keys: Any) -> None:
        """Write an event down (C-10)."""
        self.events.append({"seat": seat, "do": act, **keys})

    # Proofs (KG-12)

    def in_play(self) -> list[int]:
        """Return the cards in hands, stock and pile."""
        cards = self.stock + self.pile
        for hand in self.hands.values():
            cards.extend(hand)
        return cards

    def reachable(self) -> set[int]:
        """Return the ranks that can ever be played again on the pile that lies."""
        present = {card // 4 for card in self.in_play()}
        reached = {self.pile[-1] // 4}
        while True:
            more = {
                rank
                for rank in present - reached
                if any(fits(rank, top, self.rules) for top in reached)
            }
            if not more:
                return reached
            reached |= more

    def pile_is_final(self) -> bool:
        """Whether a pile lies that can never be set aside any more."""
        if not self.pile:
            return False
        if not any(self.has_resets(seat) for seat in self.order):
            return True
        return ACE not in self.reachable()

    def orphans(self) -> dict[int, int]:
        """Return how many orphans each seat holds; 0 while a pile can be set aside or none lies."""
        if not self.pile_is_final():
            return dict.fromkeys(self.order, 0)
        reached = self.reachable()
        return {
            seat: sum(1 for card in self.hands[seat] if card // 4 not in reached)
            for seat in self.order
        }

    def orphans_prove(self) -> bool:
        """Whether orphans prove that play never ends."""
        if self.out or self.rules["recycle"] == "none" or not self.pile_is_final():
            return False
        reached = self.reachable()
        if sum(1 for card in self.in_play() if card // 4 in reached) < 2:
            return False
        return all(count > 0 for count in self.orphans().values())

    def complete_state(self, seat: int) -> Any:
        """Return everything the rest of the deal depends on, streams included."""
        return (
            seat,
            tuple(frozenset(self.hands[other]) for other in self.order),
            tuple(self.stock),
            tuple(self.pile),
            frozenset(self.aside),
            tuple(self.resets_of[other] for other in self.order),
            tuple(self.out),
            None if self.lap is None else tuple(self.lap),
            self.barren,
            self.table.position,
            tuple(self.streams[other].position for other in self.order),
        )

    def proved_endless(self, seat: int, seen: dict[Any, int]) -> bool:
        """Look for a proof at the start of a turn, orphans first; remember the state."""
        if self.orphans_prove():
            self.proof = "orphans"
            return True
        state = self.complete_state(seat)
        if state in seen:
            self.proof = "cycle"
            self.cycle_of = seen[state]
            return True
        seen[state] = self.counts.turns
        return False

    # What is left

    def cards_left(self) -> dict[int, int]:
        """Return the number of cards in each hand."""
        return {seat: len(self.hands[seat]) for seat in self.order}

    def fewest(self) -> list[int]:
        """Return the seats with the fewest cards, ascending."""
        left = self.cards_left()
        return sorted(seat for seat in self.order if left[seat] == min(left.values()))
