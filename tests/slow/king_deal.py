"""One deal of King in the slow engine: from the deck to the scores."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .king_policies import Ask, IllegalAnswer, Policy
from .king_tables import (
    KING_MUST_GO,
    NAMED,
    SUITS,
    WITH_TALON,
    Rules,
    Values,
    card_set,
    contract_values,
    hand_size,
    hearts_lead_closed,
    is_positive,
    joker_values,
    omnibus_values,
    suit,
    text,
    texts,
    trade_values,
)
from .king_tricks import Law, legal_follows, legal_leads, winning_place
from .streams import Stream, seat_purpose


@dataclass(frozen=True)
class Table:
    """What stays the same through all deals of a game."""

    players: int
    variety: str
    rules: Rules
    policies: list[Policy]
    names: list[str]
    seed: int
    play_seed: int
    index: int


@dataclass
class Deal:
    """One deal while it is played.

    Attributes
    ----------
    number, first
        Number of the deal in the game; the seat that is `first` (C-3).
    choices
        Distinct contracts that may be named (or the one imposed); empty without contracts.
    taken
        Cards captured by each seat, also scoring cards laid away and cards kept.
    tricks
        Winner of each trick, in order; with `kept_as=trick` the kept one too.
    """

    table: Table
    number: int
    first: int
    choices: list[str]
    deck: list[int]
    hands: list[list[int]] = field(default_factory=list)
    dealt: list[list[int]] = field(default_factory=list)
    reserve: list[int] = field(default_factory=list)
    reserve_dealt: list[int] = field(default_factory=list)
    talon: list[int] = field(default_factory=list)
    aside: list[int] = field(default_factory=list)
    contract: str | None = None
    trump: int | None = None
    declarer: int | None = None
    bid: int = -1
    values: Values = field(default_factory=lambda: Values(0, 0, {}))
    law: Law = field(default_factory=Law)
    taken: list[list[int]] = field(default_factory=list)
    laid_away: list[int] = field(default_factory=list)
    tricks: list[int] = field(default_factory=list)
    drawn: int = 0
    ending: str = ""
    events: list[dict[str, Any]] = field(default_factory=list)
    decisions: int = 0
    options: int = 0
    streams: list[Stream] = field(default_factory=list)

    # ------------------------------------------------------------ helpers

    @property
    def seats(self) -> range:
        """All seats, ascending."""
        return range(self.table.players)

    def turn_order(self, start: int) -> list[int]:
        """All seats clockwise from `start`."""
        return [(start + k) % self.table.players for k in self.seats]

    def event(self, seat: int, do: str, **more: Any) -> None:
        """Write one act down (C-10)."""
        self.events.append({"seat": seat, "do": do, **more})

    def ask(
        self,
        seat: int,
        kind: str,
        options: list[Any],
        trick: list[tuple[int, int]] | None = None,
        blind: bool = False,
    ) -> Any:
        """Let a seat decide; a single option is not asked for (C-5)."""
        if len(options) == 1:
            return options[0]
        self.decisions += 1
        self.options += len(options)
        hand = None if blind else tuple(self.hands[seat])
        question = Ask(kind, seat, list(options), hand, tuple(trick or ()), self.streams[seat])
        answer = self.table.policies[seat](question)
        if answer not in options:
            raise IllegalAnswer(
                f"game {self.table.index}, seat {seat}, policy {self.table.names[seat]}: "
                f"{answer!r} is none of {kind} options {options!r}"
            )
        return answer

    # ------------------------------------------------------------ the course of a deal

    def run(self) -> None:
        """Play the deal to its end."""
        table = self.table
        self.streams = [
            Stream(table.play_seed, table.index, seat_purpose(s), self.number) for s in self.seats
        ]
        self.taken = [[] for _ in self.seats]
        self.deal_out()
        self.prepare()
        if self.table.variety == "trade" and not self.hold_auction():
            self.ending = "void"
            return
        self.set_law()
        if self.table.variety in WITH_TALON:
            self.take_talon()
        self.play_tricks()

    def deal_out(self) -> None:
        """Hands, talon, reserve and the card set aside from the deck order (C-4a)."""
        players, variety = self.table.players, self.table.variety
        rest = list(self.deck)
        if variety in WITH_TALON:
            self.talon = rest[15:17]
            del rest[15:17]
        dealt = players * hand_size(variety, players)
        self.hands = [[] for _ in self.seats]
        for k, number in enumerate(rest[:dealt]):
            self.hands[(self.first + k) % players].append(number)
        if variety == "domino":
            self.reserve = rest[dealt:]
        else:
            self.aside = rest[dealt:]
        self.reserve_dealt = list(self.reserve)
        self.dealt = [list(hand) for hand in self.hands]

    def prepare(self) -> None:
        """Contract, trump and values, as far as they are known before an auction."""
        variety, rules = self.table.variety, self.table.rules
        if variety in NAMED:
            self.declarer = self.turn_order(self.first)[1 if variety == "atomic" else 0]
            self.name_contract(self.declarer)
            self.name_trump(self.declarer)
        elif self.choices:
            self.contract = self.choices[0]
        if self.contract is not None:
            self.values = contract_values(variety, rules, self.contract, self.deck)
        elif variety == "jokers":
            # The card set aside is out of this deal: nobody can take it.
            self.values = joker_values([c for c in self.deck if c not in self.aside])
        elif variety == "omnibus":
            self.values = omnibus_values(self.deck)

    def name_contract(self, seat: int) -> None:
        """The declarer names a contract; an imposed or last one is named too (K-O)."""
        blind = self.table.rules["order_when"] == "blind"
        self.contract = self.ask(seat, "contract", self.choices, blind=blind)
        self.event(seat, "name", contract=self.contract)

    def name_trump(self, seat: int) -> None:
        """The declarer names a trump suit or none, where `trump_in` says so."""
        rules = self.table.rules
        assert self.contract is not None
        wanted = rules["trump_in"]
        if wanted == "none" or (wanted == "positive" and not is_positive(self.contract)):
            return
        options = (["none"] if rules["no_trump"] else []) + list(SUITS)
        answer = self.ask(seat, "trump", options)
        self.trump = None if answer == "none" else SUITS.index(answer)
        self.event(seat, "name", trump=answer)

    def set_law(self) -> None:
        """The clauses that bind play in this deal."""
        variety, rules = self.table.variety, self.table.rules
        only_declarer = self.contract == "win-back" and rules.get("trump_lead") == "declarer"
        self.law = Law(
            trump=self.trump,
            closed_hearts=hearts_lead_closed(variety, self.contract),
            king_must_go=self.contract in KING_MUST_GO,
            must_trump=bool(rules.get("must_trump", False)),
            trump_leader=self.declarer if only_declarer else None,
            joker_play=rules.get("joker_play", "void_or_hearts"),
            joker_loses=rules.get("joker_loses", "contains"),
        )

    # ------------------------------------------------------------ talon and auction

    def take_talon(self) -> None:
        """The declarer takes the talon and lays two cards away (K-M, K-X)."""
        seat = self.declarer
        assert seat is not None
        self.event(seat, "talon", cards=texts(self.talon))
        hand = self.hands[seat]
        hand += self.talon
        for _ in range(2):
            harmless = [c for c in sorted(hand) if c not in self.values.cards]
            # With one harmless card it goes first and then any; with none, any twice (K-X).
            away = self.ask(seat, "discard", harmless or sorted(hand))
            hand.remove(away)
            self.laid_away.append(away)
        self.event(seat, "discard", cards=texts(self.laid_away))
        self.taken[seat] += [c for c in self.laid_away if c in self.values.cards]

    def hold_auction(self) -> bool:
        """Bidding and the penalty suit (K-A); False if all passed."""
        self.bid = 0
        if self.table.rules["auction"] == "round":
            for seat in self.turn_order(self.first):
                self.take_bid(seat)
        else:
            self.open_auction()
        if self.declarer is None:
            return False
        penalty = self.ask(self.declarer, "suit", list(SUITS))
        self.event(self.declarer, "name", suit=penalty)
        self.values = trade_values(self.deck, SUITS.index(penalty))
        return True

    def open_auction(self) -> None:
        """Bid on and on until the highest bidder is alone, or all have passed."""
        waiting = self.turn_order(self.first)
        while waiting and waiting != [self.declarer]:
            seat = waiting.pop(0)
            if self.take_bid(seat):
                waiting.append(seat)

    def take_bid(self, seat: int) -> bool:
        """One seat bids or passes; whether it bid."""
        points = self.ask(seat, "bid", [0, *range(self.bid + 1, 14)])
        self.event(seat, "bid", points=points)
        if points == 0:
            return False
        self.bid, self.declarer = points, seat
        return True

    # ------------------------------------------------------------ tricks

    def play_tricks(self) -> None:
        """Trick after trick until the deal ends."""
        leader = self.opening_leader()
        while not self.ending:
            trick = self.play_trick(leader)
            place = winning_place(self.law, [c for _, c in trick])
            winner = trick[place][0]
            self.event(winner, "trick")
            self.tricks.append(winner)
            self.taken[winner] += [c for _, c in trick]
            self.ending = self.end_after_trick()
            if not self.ending:
                leader = next(s for s in self.turn_order(winner) if self.hands[s])

    def opening_leader(self) -> int:
        """Who leads to the first trick."""
        if self.table.rules.get("bidder_leads", False):
            assert self.declarer is not None
            return self.declarer
        return self.first

    def play_trick(self, leader: int) -> list[tuple[int, int]]:
        """One card from each seat that has any, clockwise from the leader."""
        trick: list[tuple[int, int]] = []
        for seat in self.turn_order(leader):
            hand = self.hands[seat]
            if not hand:
                continue
            if not trick:
                options = legal_leads(self.law, seat, hand)
            else:
                options = self.options_of_follower(seat, trick)
            played = self.ask(seat, "play", options, trick)
            hand.remove(played)
            self.event(seat, "play", card=text(played))
            trick.append((seat, played))
        return trick

    def options_of_follower(self, seat: int, trick: list[tuple[int, int]]) -> list[int]:
        """Legal cards of a follower; in Domino he draws first if he cannot follow (K-D)."""
        hand = self.hands[seat]
        led = suit(trick[0][1])
        if self.table.variety == "domino":
            while self.reserve and all(suit(c) != led for c in hand):
                fresh = self.reserve.pop(0)
                hand.append(fresh)
                self.drawn += 1
                self.event(seat, "draw", card=text(fresh))
        return legal_follows(self.law, [c for _, c in trick], hand)

    # ------------------------------------------------------------ endings

    def end_after_trick(self) -> str:
        """Ending of the deal after a trick, or "" if it goes on (K-6, K-D)."""
        holders = [s for s in self.seats if self.hands[s]]
        if not holders:
            return "played"
        if self.table.variety == "domino" and len(holders) == 1:
            self.keep(holders[0])
            return "played"
        if self.may_end_early() and not self.scoring_cards_left():
            return "early"
        return ""

    def keep(self, seat: int) -> None:
        """The last holder takes his own cards (K-D)."""
        kept = sorted(self.hands[seat])
        self.event(seat, "keep", cards=texts(kept))
        self.hands[seat] = []
        self.taken[seat] += kept
        if self.table.rules["kept_as"] == "trick":
            self.tricks.append(seat)

    def may_end_early(self) -> bool:
        """Whether only cards score in this deal, and `play_out` is off."""
        return self.values.only_cards and not self.table.rules["play_out"]

    def scoring_cards_left(self) -> bool:
        """Whether a scoring card is still in a hand or in the reserve."""
        left = [c for hand in self.hands for c in hand] + self.reserve
        return any(c in self.values.cards for c in left)

    # ------------------------------------------------------------ the outcome

    def all_taken_by(self) -> int | None:
        """The seat that took everything that scores, or None (the column `slam`)."""
        if self.ending == "void":
            return None
        if self.values.trick:
            # Also `no-all` and `all`, which are judged by their tricks alone.
            winners = set(self.tricks)
            return self.tricks[0] if len(winners) == 1 else None
        if self.values.last:
            last_two = self.tricks[-2:]
            return last_two[0] if len(set(last_two)) == 1 else None
        for seat in self.seats:
            if set(self.values.cards) <= set(self.taken[seat]):
                return seat
        return None

    def scores(self) -> list[int]:
        """Score of each seat."""
        if self.ending == "void":
            return [0 for _ in self.seats]
        slam = self.all_taken_by()
        if self.table.variety == "omnibus" and slam is not None:
            return [26 if s == slam else 0 for s in self.seats]
        scores = [self.units(s) for s in self.seats]
        if self.table.variety == "trade" and self.declarer is not None:
            scores[self.declarer] += self.bid if self.table.rules["bid"] == "gain" else -self.bid
        return scores

    def units(self, seat: int) -> int:
        """Points of the tricks and cards that a seat took."""
        tricks = self.values.trick * self.tricks.count(seat)
        last = self.values.last * self.tricks[-2:].count(seat)
        return tricks + last + sum(self.values.cards.get(c, 0) for c in self.taken[seat])

    def trump_text(self) -> str | None:
        """Trump suit letter, or None."""
        return None if self.trump is None else SUITS[self.trump]

    def check_cards(self) -> None:
        """Each card is in one place at the end (C-7)."""
        places = [c for hand in (*self.hands, *self.taken) for c in hand]
        away = [c for c in self.laid_away if c not in self.values.cards]
        found = sorted([*places, *self.reserve, *self.aside, *away])
        whole = card_set(self.table.variety, self.table.players, self.table.rules)
        assert found == whole, "a card was lost or doubled"

    def record(self) -> dict[str, Any]:
        """The deal as it stands in the game record (C-10)."""
        places: dict[str, Any] = {}
        if self.talon:
            places["talon"] = texts(self.talon)
        if self.aside:
            places["aside"] = texts(self.aside)
        return {
            "deal": self.number,
            "first": self.first,
            "seats": list(self.seats),
            "declarer": self.declarer,
            "contract": self.contract,
            "trump": self.trump_text(),
            "hands": [texts(hand) for hand in self.dealt],
            "stock": texts(self.reserve_dealt),
            "table": places,
            "events": self.events,
            "ending": self.ending,
            "scores": self.scores(),
        }

    def row(self) -> dict[str, Any]:
        """The deal's row in the table of deals."""
        row: dict[str, Any] = {
            "seed": self.table.seed,
            "index": self.table.index,
            "deal": self.number,
            "first": self.first,
            "contract": self.contract,
            "declarer": -1 if self.declarer is None else self.declarer,
            "trump": self.trump_text(),
            "bid": self.bid,
        }
        row |= {f"score_{s}": score for s, score in enumerate(self.scores())}
        row |= {f"tricks_{s}": self.tricks.count(s) for s in self.seats}
        return row | {
            "tricks_played": len(self.tricks),
            "cards_drawn": self.drawn,
            "slam": self.all_taken_by() is not None,
            "ending": self.ending,
            "decisions": self.decisions,
            "options": self.options,
        }
