"""A tiny King player that writes records (C-10) for the tests of the referee.

It shares no code with simlib. Each rule is one short method, so that a test can break a
single rule by overriding it: the rest of the record is then what an honest table with
that one wrong rule would have written.
"""

from __future__ import annotations

import random
from typing import Any

from tests.king.tiny_tables import (
    ATOMIC,
    BIG,
    MINSK,
    NEGATIVE,
    ORDERED,
    POINTS,
    POSITIVE,
    RANKS,
    TALON,
    TRIOS,
    default_rules,
)


class TinyKing:
    """Plays one game at random; `record()` gives it in the form of C-10.

    Parameters
    ----------
    variety, players, unit, seed, index
        As in a record; `seed` also feeds this player's own chance.
    hands, talon
        Cards to be dealt, by seat; the rest of the deck is dealt at random.
    say
        Answers to give, by kind of decision, allowed or not; None: at random.
    rules
        Options changed from the defaults.
    """

    def __init__(
        self,
        variety: str,
        *,
        players: int | None = None,
        unit: str = "deal",
        seed: int = 0,
        index: int = 0,
        hands: dict[int, str] | None = None,
        talon: str = "",
        say: dict[str, list[Any]] | None = None,
        **rules: Any,
    ) -> None:
        self.variety, self.unit, self.seed, self.index = variety, unit, seed, index
        self.n = players or (3 if variety in TRIOS else 4)
        self.rules = default_rules(variety) | rules
        self.rng = random.Random(f"{variety} {seed}")
        self.wanted = {seat: cards.split() for seat, cards in (hands or {}).items()}
        self.wanted_talon = talon.split()
        self.say = {kind: list(answers) for kind, answers in (say or {}).items()}
        self.totals = [0] * self.n
        self.left = [self.contract_list() for _ in range(self.n)]
        self.counts: list[int] = []

    # --- the game -------------------------------------------------------------------

    def record(self) -> dict[str, Any]:
        deals: list[dict[str, Any]] = []
        ending = None
        while ending is None:
            deals.append(self.play_deal(len(deals)))
            scores = deals[-1]["scores"]
            self.totals = [a + b for a, b in zip(self.totals, scores, strict=True)]
            ending = self.game_ending(deals)
        return {
            "format": "simlib-record/1",
            "game": "king",
            "variety": self.variety,
            "players": self.n,
            "unit": self.unit,
            "rules": self.rules,
            "seed": self.seed,
            "play_seed": self.seed,
            "index": self.index,
            "policies": ["random"] * self.n,
            "uses_chance": [True] * self.n,
            "deals": deals,
            "outcome": self.row(deals, ending),
        }

    def game_ending(self, deals: list[dict[str, Any]]) -> str | None:
        if self.unit == "deal":
            return str(deals[0]["ending"])
        low, high = min(self.totals), max(self.totals)
        limit = self.rules.get("limit")
        if limit is not None and low <= limit:
            return "limit"
        if self.rules.get("bid") == "gain" and high >= -self.rules["limit"]:
            return "limit"
        if len(deals) == self.match_length():
            return "complete"
        return "censored" if len(deals) == self.rules["max_deals"] else None

    def match_length(self) -> int:
        if self.variety == "jokers":
            return self.rules["deals"] or self.n
        if self.variety in BIG:
            return 0
        return len(self.contract_list()) * (self.n if self.variety in ORDERED else 1)

    def win_shares(self, ending: str) -> list[float]:
        if ending in ("void", "censored"):
            return [0.0] * self.n
        best = max(self.totals)
        return [(t == best) / self.totals.count(best) for t in self.totals]

    def row(self, deals: list[dict[str, Any]], ending: str) -> dict[str, Any]:
        row: dict[str, Any] = {"seed": self.seed, "index": self.index, "ending": ending}
        row |= {"censored": ending == "censored"}
        row |= {"decisions": len(self.counts), "options": sum(self.counts)}
        for seat, share in enumerate(self.win_shares(ending)):
            row[f"win_share_{seat}"] = share
        if self.unit == "match":
            row["deals"] = len(deals)
            return row | {f"total_{seat}": total for seat, total in enumerate(self.totals)}
        row |= {"deal": 0, "first": self.first, "contract": self.contract, "trump": self.trump}
        row |= {"declarer": -1 if self.declarer is None else self.declarer}
        row |= {"bid": self.bid or -1, "tricks_played": len(self.winners)}
        row |= {"cards_drawn": self.drawn, "slam": self.slam() is not None}
        for seat in range(self.n):
            row[f"score_{seat}"] = deals[0]["scores"][seat]
            row[f"tricks_{seat}"] = self.winners.count(seat)
        return row

    # --- one deal -------------------------------------------------------------------

    def play_deal(self, number: int) -> dict[str, Any]:
        self.events: list[dict[str, Any]] = []
        self.declarer: int | None = None
        self.contract: str | None = None
        self.trump: str | None = None
        self.suit: str | None = None
        self.bid = self.drawn = 0
        self.taken: list[list[str]] = [[] for _ in range(self.n)]
        self.winners: list[int] = []
        self.away: list[str] = []
        self.first = self.first_seat(number)
        self.hands, self.stock, middle = self.deal_cards()
        dealt = {"hands": [list(h) for h in self.hands], "stock": list(self.stock)}
        self.begin(number, middle)
        ending = "void" if self.variety == "trade" and not self.bid else self.play()
        return {
            "deal": number,
            "first": self.first,
            "seats": list(range(self.n)),
            "declarer": self.declarer,
            "contract": self.contract,
            "trump": self.trump,
            **dealt,
            "table": middle,
            "events": self.events,
            "ending": ending,
            "scores": [0] * self.n if ending == "void" else self.scores(),
        }

    def first_seat(self, number: int) -> int:
        return ((self.index if self.rules["first"] == "rotate" else 0) + number) % self.n

    def deck(self) -> list[str]:
        big = self.variety in BIG or self.rules.get("deck") == 52
        cards = [r + s for r in (RANKS if big else RANKS[5:]) for s in "SHDC"]
        out: list[str] = []
        if self.variety == "threesome":
            out = ["AS", "AC"] if self.rules["removed"] == "aces" else ["7S", "7C"]
        elif self.variety == "jokers":
            out = ["2C", "3C"][: 5 - self.n]
            cards += ["X1", "X2"][: self.rules["jokers"]]
        elif self.variety in BIG and self.n == 3:
            out = ["2C"]
        return [card for card in cards if card not in out]

    def hand_sizes(self) -> list[int]:
        if self.variety == "domino":
            return [6] * self.n
        talon = 2 if self.variety in TALON else 0
        return [(len(self.deck()) - talon) // self.n] * self.n

    def deal_cards(self) -> tuple[list[list[str]], list[str], dict[str, Any]]:
        cards = self.deck()
        self.rng.shuffle(cards)
        meant = {card for hand in self.wanted.values() for card in hand} | {*self.wanted_talon}
        cards = [card for card in cards if card not in meant]
        hands = []
        for seat, size in enumerate(self.hand_sizes()):
            hand = list(self.wanted.get(seat, []))
            while len(hand) < size:
                hand.append(cards.pop())
            hands.append(hand)
        if self.variety in TALON:
            return hands, [], {"talon": [*self.wanted_talon, *cards][:2]}
        if self.variety == "jokers" and self.rules["jokers"] == 2:
            return hands, [], {"aside": cards}
        return hands, cards, {}

    def answer(self, kind: str, options: list[Any]) -> Any:
        """Take an answer as told, else at random; count the point (K-8, K-9)."""
        if len(options) > 1:
            self.counts.append(len(options))
        told = self.say.get(kind)
        picked = told.pop(0) if told else None
        return self.rng.choice(options) if picked is None else picked

    def act(self, seat: int, do: str, **more: Any) -> None:
        self.events.append({"seat": seat, "do": do, **more})

    # --- before the first lead --------------------------------------------------------

    def contract_list(self) -> list[str]:
        if self.variety in BIG:
            return []
        if self.rules["contracts"] is not None:
            return list(self.rules["contracts"])
        if self.variety in ("minsk", "minsk-declarer"):
            return MINSK + ["win-back"] * 3
        if self.variety == "atomic":
            both = ["no-all", "all"] if self.rules["eralash"] else []
            return ATOMIC + both + ["tricks"] * self.rules["hvalenki"]
        return NEGATIVE + POSITIVE

    def imposed(self, number: int) -> str | None:
        names = self.contract_list()
        if self.unit == "deal":
            return names[self.index % len(names)]
        return None if self.variety in ORDERED else names[number]

    def declarer_seat(self) -> int:
        return (self.first + (self.variety == "atomic")) % self.n

    def begin(self, number: int, middle: dict[str, Any]) -> None:
        if self.variety == "trade":
            self.auction()
            if self.bid:
                self.suit = self.answer("suit", list("SHDC"))
                self.act(self.declarer or 0, "name", suit=self.suit)
        if self.variety in BIG:
            return
        self.contract = self.imposed(number)
        if self.variety not in ORDERED:
            return
        self.declarer = self.declarer_seat()
        self.name_contract()
        if self.trump_is_named():
            self.name_trump()
        if self.variety in TALON:
            self.act(self.declarer, "talon", cards=list(middle["talon"]))
            self.hands[self.declarer] += middle["talon"]
            self.lay_away()

    def name_contract(self) -> None:
        assert self.declarer is not None
        if self.contract is None:
            left = self.left[self.declarer]
            self.contract = self.answer("contract", sorted(set(left)))
            if self.contract in left:
                left.remove(self.contract)
        self.act(self.declarer, "name", contract=self.contract)

    def trump_is_named(self) -> bool:
        when = self.rules["trump_in"]
        return when == "all" or (when == "positive" and not str(self.contract).startswith("no-"))

    def name_trump(self) -> None:
        options = [*(["none"] if self.rules["no_trump"] else []), *"SHDC"]
        named = self.answer("trump", options)
        self.act(self.declarer or 0, "name", trump=named)
        self.trump = None if named == "none" else named

    def may_lay_away(self) -> list[str]:
        return [card for card in self.hands[self.declarer or 0] if not self.card_points(card)]

    def lay_away(self) -> None:
        hand = self.hands[self.declarer or 0]
        few = len(self.may_lay_away()) < 2
        for place in range(2):
            free = self.may_lay_away()
            card = self.answer("discard", list(hand) if few and (place or not free) else free)
            if card in hand:
                hand.remove(card)
            self.away.append(card)
        self.act(self.declarer or 0, "discard", cards=list(self.away))

    def auction(self) -> None:
        turns = [(self.first + k) % self.n for k in range(self.n)]
        while turns:
            seat = turns.pop(0)
            points = self.answer("bid", self.may_bid())
            self.act(seat, "bid", points=points)
            if points:
                self.bid, self.declarer = points, seat
                if self.rules["auction"] == "open":
                    turns.append(seat)
            if turns == [self.declarer] and self.rules["auction"] == "open":
                return

    def may_bid(self) -> list[int]:
        return [0, *range(self.bid + 1, 14)]

    # --- the play ---------------------------------------------------------------------

    def opening_leader(self) -> int:
        if self.rules.get("bidder_leads"):
            return self.declarer or 0
        return self.first

    def play(self) -> str:
        leader = self.opening_leader()
        while True:
            trick: list[tuple[int, str]] = []
            for seat in self.order(leader):
                if trick:
                    self.draw(seat, trick)
                card = self.answer("play", self.may_play(seat, trick))
                self.act(seat, "play", card=card)
                if card in self.hands[seat]:
                    self.hands[seat].remove(card)
                trick.append((seat, card))
            winner = self.winner(trick)
            self.act(winner, "trick")
            self.taken[winner] += [card for _, card in trick]
            self.winners.append(winner)
            ending = self.deal_ending()
            if ending:
                return ending
            leader = self.next_leader(winner)

    def order(self, leader: int) -> list[int]:
        seats = [(leader + k) % self.n for k in range(self.n)]
        return [seat for seat in seats if self.hands[seat]]

    def next_leader(self, winner: int) -> int:
        return self.order(winner)[0]

    def may_play(self, seat: int, trick: list[tuple[int, str]]) -> list[str]:
        hand = self.hands[seat]
        if not trick:
            return self.may_lead(seat) or list(hand)
        if self.variety == "jokers":
            return self.may_follow_jokers(hand, trick)
        suited = [card for card in hand if card[1] == trick[0][1][1]]
        return suited or self.when_void(hand)

    def may_lead(self, seat: int) -> list[str]:
        hand = list(self.hands[seat])
        if self.hearts_held():
            return [card for card in hand if card[1] != "H"]
        if self.trumps_held(seat):
            return [card for card in hand if card[1] != self.trump]
        return hand

    def hearts_held(self) -> bool:
        shy = ("no-hearts", "no-king", "no-all", "hearts", "king", "all")
        return self.variety != "domino" and self.contract in shy

    def trumps_held(self, seat: int) -> bool:
        reserved = self.rules.get("trump_lead") == "declarer" and self.contract == "win-back"
        return reserved and seat != self.declarer

    def when_void(self, hand: list[str]) -> list[str]:
        if self.king_duty() and "KH" in hand:
            return ["KH"]
        trumps = [card for card in hand if card[1] == self.trump]
        return trumps if trumps and self.rules.get("must_trump") else list(hand)

    def king_duty(self) -> bool:
        return self.contract in ("no-king", "no-all", "king", "all")

    def may_follow_jokers(self, hand: list[str], trick: list[tuple[int, str]]) -> list[str]:
        natural = [card for _, card in trick if card[0] != "X"]
        led = natural[0][1] if natural else "?"
        suited = [card for card in hand if card[1] == led and card[0] != "X"]
        how = self.rules["joker_play"]
        if suited and (how == "any" or (how == "void_or_hearts" and led == "H")):
            suited += [card for card in hand if card[0] == "X"]
        return suited or list(hand)

    def winner(self, trick: list[tuple[int, str]]) -> int:
        natural = [card for _, card in trick if card[0] != "X"]
        led = natural[0][1]
        jokers = [seat for seat, card in trick if card[0] == "X"]
        if jokers and not self.joker_beaten(led, natural):
            return jokers[0]
        if any(card[1] == self.trump for card in natural):
            led = str(self.trump)
        rows = [(RANKS.find(card[0]), seat) for seat, card in trick if card[1] == led]
        return max(rows)[1]

    def joker_beaten(self, led: str, natural: list[str]) -> bool:
        high = {"JH", "QH", "KH", "AH"} & set(natural)
        return bool(high) and (self.rules["joker_loses"] == "contains" or led == "H")

    def draw(self, seat: int, trick: list[tuple[int, str]]) -> None:
        led = trick[0][1][1]
        while self.must_draw(seat, led):
            card = self.stock.pop(0)
            self.act(seat, "draw", card=card)
            self.hands[seat].append(card)
            self.drawn += 1

    def must_draw(self, seat: int, led: str) -> bool:
        if self.variety != "domino" or not self.stock:
            return False
        return all(card[1] != led for card in self.hands[seat])

    def deal_ending(self) -> str | None:
        holders = [seat for seat in range(self.n) if self.hands[seat]]
        if self.domino_over(holders):
            for seat in holders:
                self.keep(seat)
            return "played"
        if not holders:
            return "played"
        return "early" if self.stops_early() else None

    def domino_over(self, holders: list[int]) -> bool:
        return self.variety == "domino" and len(holders) <= 1

    def keep(self, seat: int) -> None:
        self.act(seat, "keep", cards=list(self.hands[seat]))
        self.taken[seat] += self.hands[seat]
        if self.rules["kept_as"] == "trick":
            self.winners.append(seat)

    def stops_early(self) -> bool:
        whole = ("tricks", "last-two", "all", "win-back")
        if self.rules["play_out"] or str(self.contract).removeprefix("no-") in whole:
            return False
        out = [card for hand in [*self.hands, self.stock] for card in hand]
        return not any(self.card_points(card) for card in out)

    # --- points -----------------------------------------------------------------------

    def units(self) -> tuple[int, ...]:
        return POINTS.get(self.variety, (2, 4, 4, 2, 16, 8))

    def about(self) -> tuple[int, list[str]]:
        """Return the sign of the contract and the things it counts."""
        name = str(self.contract)
        sign = -1 if name.startswith("no-") else 1
        name = name.removeprefix("no-")
        parts = ["tricks", "jacks", "queens", "hearts", "king", "last-two"]
        return sign, parts if name == "all" else [name]

    def card_points(self, card: str) -> int:
        if self.variety == "jokers":
            big = {"A": 14, "K": 13, "Q": 12, "J": 11, "T": 10}
            if card[0] == "X":
                return -20
            return -(big.get(card[0]) or int(card[0])) if card[1] == "H" else 0
        if self.variety == "trade":
            return -(card[1] == self.suit)
        if self.variety == "omnibus":
            return {"QS": -13, "TD": 10}.get(card, -(card[1] == "H"))
        return self.contract_card_points(card)

    def contract_card_points(self, card: str) -> int:
        sign, parts = self.about()
        _, jack, queen, heart, king, _ = self.units()
        points = 0
        if "jacks" in parts and self.rules.get("kings_as_boys"):
            points += 5 * (card[0] in "JK")
        elif "jacks" in parts:
            points += jack * (card[0] == "J")
        points += queen * ("queens" in parts and card[0] == "Q")
        points += heart * ("hearts" in parts and card[1] == "H")
        points += king * ("king" in parts and card == "KH")
        return sign * points

    def trick_points(self) -> int:
        sign, parts = self.about()
        if self.contract == "win-back":
            return 8
        return sign * self.units()[0] * ("tricks" in parts)

    def last_points(self) -> int:
        sign, parts = self.about()
        return sign * self.units()[5] * ("last-two" in parts)

    def slam(self) -> int | None:
        if self.variety == "omnibus":
            need = {r + "H" for r in RANKS} | {"QS", "TD"}
            for seat, cards in enumerate(self.taken):
                if need <= set(cards):
                    return seat
        return None

    def scores(self) -> list[int]:
        if self.slam() is not None:
            return [26 * (seat == self.slam()) for seat in range(self.n)]
        scores = []
        for seat in range(self.n):
            points = sum(self.card_points(card) for card in self.taken[seat])
            if self.variety not in BIG:
                points += self.trick_points() * self.winners.count(seat)
                points += self.last_points() * self.winners[-2:].count(seat)
            if seat == self.declarer:
                points += self.declarer_points()
            scores.append(points)
        return scores

    def declarer_points(self) -> int:
        if self.variety == "trade":
            return self.bid if self.rules["bid"] == "gain" else -self.bid
        return sum(self.card_points(card) for card in self.away)
