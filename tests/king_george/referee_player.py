"""A tiny player of King George III that writes records (C-10) for the tests of its referee.

It asks nothing of simlib. Hands and choices can be given, and each rule is a method of its own,
so that a test can play by a wrong rule and leave everything else, the outcome too, in order.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

RANKS = "23456789TJQKA"
VALUE = {rank: value for value, rank in enumerate(RANKS)}
DECK = [rank + suit for rank in RANKS for suit in "SHDC"]
DEFAULTS: dict[str, Any] = {
    "hand_size": None,
    "lead": "one",
    "wrap": False,
    "ace_fits": "neighbour",
    "must_run": False,
    "draw": "until_fits",
    "recycle": "turn",
    "recycle_when": "needed",
    "ace_resets": 3,
    "ace_choice": False,
    "ace_scope": "deal",
    "after_out": "lap",
    "out_tie": "playoff",
    "max_playoffs": 32,
    "deadlock_tie": "share",
    "max_turns": 2000,
    "endless": "none",
    "first": "zero",
}


class Deal:
    """One deal: the table, the events so far, and what was counted."""

    def __init__(self, number: int, seats: Sequence[int], first: int, each: int, deck: list[str]):
        self.number, self.seats, self.first = number, list(seats), first
        at = self.seats.index(first)
        self.order = self.seats[at:] + self.seats[:at]
        size = len(self.order)
        self.dealt = {seat: deck[k : each * size : size] for k, seat in enumerate(self.order)}
        self.dealt_stock = deck[each * size :]
        self.hands = {seat: list(cards) for seat, cards in self.dealt.items()}
        self.stock = list(self.dealt_stock)
        self.pile: list[str] = []
        self.aside = 0
        self.used = dict.fromkeys(self.order, 0)
        self.turn = self.blank = 0
        self.lap: int | None = None
        self.outs: list[int] = []
        self.events: list[dict[str, Any]] = []
        self.seen: dict[Any, int] = {}
        self.moves = [0] * 6  # draws on each seat's stream and, last, on the table's
        self.proof: str | None = None
        self.cycle_of = -1
        self.decisions = self.options = 0

    @property
    def seat(self) -> int:
        return self.order[self.turn % len(self.order)]

    @property
    def hand(self) -> list[str]:
        return self.hands[self.seat]

    def log(self, do: str, **more: object) -> None:
        self.events.append({"seat": self.seat, "do": do, **more})


class Player:
    """Plays one game and returns its record.

    `hands` (texts, by seat) and `stock` (its first cards) fix deal 0; `script` lists the first
    choices made at points with more than one option: cards, `stop`, `aside`, `keep`. Later ones
    are made by policy: `random`, `first` (the lowest card, never stops; no chance), or `dice`
    (like `first`, but now and then throws dice).
    """

    def __init__(
        self,
        players: int = 2,
        rules: dict[str, Any] | None = None,
        *,
        hands: Sequence[str] | None = None,
        stock: str = "",
        script: str = "",
        policies: str | Sequence[str] = "random",
        seed: int = 0,
        index: int = 0,
    ):
        self.players, self.seed, self.index = players, seed, index
        self.rules = DEFAULTS | (rules or {})
        self.hands = None if hands is None else [hand.split() for hand in hands]
        self.stock, self.script = stock.split(), script.split()
        self.policies = [policies] * players if isinstance(policies, str) else list(policies)
        self.dice = random.Random(f"{seed} {index}")
        self.deals: list[Deal] = []

    # The rules, one method each, to be bent by a test

    def cards_each(self, size: int) -> int:
        return self.rules["hand_size"] or {2: 13, 3: 9, 4: 7, 5: 6}[size]

    def fits(self, card: str, top: str) -> bool:
        a, b = VALUE[card[0]], VALUE[top[0]]
        if self.rules["ace_fits"] == "any" and a == 12:
            return True
        return abs(a - b) < 2 or (self.rules["wrap"] and {a, b} == {0, 12})

    def fitting(self, deal: Deal) -> list[str]:
        return [card for card in deal.hand if self.fits(card, deal.pile[-1])]

    def lead_ends(self, deal: Deal) -> bool:
        return self.rules["lead"] == "one"

    def must_go_on(self, deal: Deal) -> bool:
        return self.rules["must_run"]

    def notes_stop(self, deal: Deal, asked: bool) -> bool:
        return asked

    def can_recycle(self, deal: Deal) -> bool:
        return self.rules["recycle"] != "none" and len(deal.pile) > 1

    def can_draw(self, deal: Deal) -> bool:
        return bool(deal.stock) or self.can_recycle(deal)

    def may_draw(self, deal: Deal, drawn: int) -> bool:
        return self.can_draw(deal) and (drawn == 0 or self.rules["draw"] == "until_fits")

    def drawn_from(self, deal: Deal) -> int:
        return 0

    def turned_over(self, deal: Deal, rest: list[str]) -> list[str]:
        if self.rules["recycle"] == "shuffle" and len(rest) > 1:
            self.dice.shuffle(rest)
            deal.moves[5] += 1
        return rest

    def at_once(self, deal: Deal) -> bool:
        return self.rules["recycle_when"] == "emptied" and not deal.stock and self.can_recycle(deal)

    def resets_left(self, deal: Deal, seat: int) -> bool:
        used = deal.used[seat] if self.rules["ace_scope"] == "player" else sum(deal.used.values())
        return used < self.rules["ace_resets"]

    def turns_left(self, deal: Deal) -> int:
        size = len(deal.order)
        later = size - 1 - deal.order.index(deal.seat)
        return {"lap": size - 1, "round": later, "none": 0}[self.rules["after_out"]]

    def deadlocked(self, deal: Deal) -> bool:
        return deal.blank >= len(deal.order) and not self.can_draw(deal)

    def proved(self, deal: Deal) -> str | None:
        if self.orphaned(deal):
            return "orphans"
        return "cycle" if self.repeats(deal) else None

    def orphaned(self, deal: Deal) -> bool:
        if not deal.pile or deal.outs or self.rules["recycle"] == "none":
            return False
        live = self.reachable(deal)
        return all(self.orphans(deal).values()) and len(live) > 1

    def repeats(self, deal: Deal) -> bool:
        state = (
            deal.turn % len(deal.order),
            deal.blank,
            deal.lap,
            tuple(tuple(sorted(deal.hands[seat])) for seat in deal.order),
            tuple(deal.stock),
            tuple(deal.pile),
            deal.aside,
            tuple(deal.moves),
        )
        deal.cycle_of = deal.seen.get(state, -1)
        deal.seen[state] = deal.turn
        return deal.cycle_of >= 0

    def next_first(self, deal: Deal, seats: list[int]) -> int:
        after = [(deal.first + step) % self.players for step in range(1, self.players + 1)]
        return next(seat for seat in after if seat in seats)

    def playoff_seats(self, deal: Deal, tied: list[int]) -> list[int]:
        return sorted(tied)

    def plays_on(self, deal: Deal, tie: str) -> bool:
        return self.rules[tie] == "playoff"

    # Who can still play what

    def reachable(self, deal: Deal) -> set[str]:
        cards = {*deal.stock, *deal.pile}.union(*deal.hands.values())
        of_rank = {card[0]: card for card in cards}
        live, new = set(), {deal.pile[-1][0]}
        while new:
            live |= new
            tops = [of_rank[rank] for rank in new]
            rest = set(of_rank) - live
            new = {rank for rank in rest if any(self.fits(of_rank[rank], top) for top in tops)}
        return {card for card in cards if card[0] in live}

    def orphans(self, deal: Deal) -> dict[int, int]:
        if not deal.pile:
            return dict.fromkeys(deal.seats, 0)
        live = self.reachable(deal)
        more = any(self.resets_left(deal, seat) for seat in deal.order)
        if more and any(card[0] == "A" for card in live):
            return dict.fromkeys(deal.seats, 0)
        return {seat: len(set(deal.hands[seat]) - live) for seat in deal.seats}

    # Play

    def choose(self, deal: Deal, options: list[str]) -> str:
        if len(options) == 1:
            return options[0]
        deal.decisions += 1
        deal.options += len(options)
        if self.script:
            # A script speaks for the policy, whose stream moves as it would have.
            answer = self.script.pop(0)
            deal.moves[deal.seat] += self.policies[deal.seat] == "random"
            assert answer in options, f"{answer} is not among {options}"
            return answer
        policy = self.policies[deal.seat]
        if policy == "random" or (policy == "dice" and self.dice.random() < 0.03):
            deal.moves[deal.seat] += 1
            return self.dice.choice(options)
        return options[0]

    def put(self, deal: Deal, card: str) -> bool:
        deal.hand.remove(card)
        deal.pile.append(card)
        deal.log("play", card=card)
        over = False
        if card[0] == "A" and self.resets_left(deal, deal.seat):
            asked = self.rules["ace_choice"]
            if not asked or self.choose(deal, ["aside", "keep"]) == "aside":
                deal.log("set_aside")
                deal.aside += len(deal.pile)
                deal.pile = []
                deal.used[deal.seat] += 1
                over = True
        if not deal.hand:
            deal.log("out")
            deal.outs.append(deal.seat)
            if deal.lap is None:
                deal.lap = self.turns_left(deal) + 1
            over = True
        return over

    def recycle(self, deal: Deal) -> None:
        deal.stock = self.turned_over(deal, deal.pile[:-1])
        deal.pile = deal.pile[-1:]
        deal.log("recycle", stock=list(deal.stock))

    def draw(self, deal: Deal) -> bool:
        drawn = 0
        while self.may_draw(deal, drawn):
            if not deal.stock:
                self.recycle(deal)
            card = deal.stock.pop(self.drawn_from(deal))
            drawn += 1
            deal.log("draw", card=card)
            deal.hand.append(card)
            if self.at_once(deal):
                self.recycle(deal)
            if self.fits(card, deal.pile[-1]):
                return self.put(deal, card)
        deal.log("pass")
        return True

    def acts(self, deal: Deal) -> None:
        if not deal.pile:
            over = self.put(deal, self.choose(deal, sorted(deal.hand)))
            over = over or self.lead_ends(deal)
        elif self.fitting(deal):
            over = self.put(deal, self.choose(deal, sorted(self.fitting(deal))))
        else:
            over = self.draw(deal)
        while not over:
            cards = sorted(self.fitting(deal))
            stop = bool(cards) and not self.must_go_on(deal)
            if not cards:
                if self.notes_stop(deal, False):
                    deal.log("stop")
                return
            answer = self.choose(deal, cards + ["stop"] * stop)
            if answer == "stop":
                if self.notes_stop(deal, True):
                    deal.log("stop")
                return
            over = self.put(deal, answer)

    def play_turn(self, deal: Deal) -> None:
        start = len(deal.events)
        self.acts(deal)
        deal.log("end")
        played = any(event["do"] == "play" for event in deal.events[start:])
        deal.turn += 1
        deal.blank = 0 if played else deal.blank + 1
        if deal.lap is not None:
            deal.lap -= 1

    def ending(self, deal: Deal) -> str | None:
        if deal.lap == 0:
            return "out"
        if self.deadlocked(deal):
            return "deadlock"
        deal.proof = self.proved(deal)
        if deal.proof:
            return "endless"
        return "truncated" if deal.turn >= self.rules["max_turns"] else None

    def deal_out(self, seats: Sequence[int], first: int) -> Deal:
        number = len(self.deals)
        each = self.cards_each(len(seats))
        deck = list(DECK)
        random.Random(f"deck {self.seed} {self.index} {number}").shuffle(deck)
        if number == 0 and self.hands is not None:
            turn = [*range(first, self.players), *range(first)]
            front = [self.hands[seat][k] for k in range(each) for seat in turn] + self.stock
            deck = front + [card for card in DECK if card not in front]
        return Deal(number, seats, first, each, deck)

    def play(self) -> dict[str, Any]:
        """Play the game to its end; the record."""
        first = self.index % self.players if self.rules["first"] == "rotate" else 0
        seats: list[int] = list(range(self.players))
        entries: list[dict[str, Any]] = []
        while True:
            deal = self.deal_out(seats, first)
            self.deals.append(deal)
            while (ending := self.ending(deal)) is None:
                self.play_turn(deal)
            entries.append(self.entry(deal, ending))
            winners, censored, again = self.decide(deal, ending)
            if not again:
                break
            first = self.next_first(deal, again)
            seats = self.playoff_seats(deal, again)
        return self.record(entries, winners, censored)

    def decide(self, deal: Deal, ending: str) -> tuple[list[int], bool, list[int]]:
        """Winners, whether the game is censored, and who plays it off."""
        if ending == "out":
            tied, tie = deal.outs, "out_tie"
        elif ending == "deadlock" or (ending == "endless" and self.rules["endless"] == "fewest"):
            least = min(len(deal.hands[seat]) for seat in deal.seats)
            tied = [seat for seat in deal.seats if len(deal.hands[seat]) == least]
            tie = "deadlock_tie"
        else:
            return (deal.seats, True, []) if deal.number else ([], ending == "truncated", [])
        if len(tied) == 1 or not self.plays_on(deal, tie):
            return tied, False, []
        if deal.number >= self.rules["max_playoffs"]:
            return tied, True, []
        return [], False, sorted(tied)

    # Writing

    def entry(self, deal: Deal, ending: str) -> dict[str, Any]:
        more: dict[str, Any] = {}
        if deal.proof:
            more["proof"] = deal.proof
        if deal.proof == "cycle":
            more["cycle_of"] = deal.cycle_of
        return {
            "deal": deal.number,
            "first": deal.first,
            "seats": deal.seats,
            "declarer": None,
            "contract": None,
            "trump": None,
            "hands": [deal.dealt[seat] for seat in deal.seats],
            "stock": deal.dealt_stock,
            "table": {},
            "events": deal.events,
            "ending": ending,
            "scores": [-len(deal.hands[seat]) for seat in deal.seats],
            **more,
        }

    def record(self, entries: list[Any], winners: list[int], censored: bool) -> dict[str, Any]:
        deal, entry = self.deals[0], entries[0]
        orphans = self.orphans(deal)
        outcome: dict[str, Any] = {
            "seed": self.seed,
            "index": self.index,
            "ending": entry["ending"],
            "final_ending": entries[-1]["ending"],
            "proof": deal.proof,
            "cycle_of": deal.cycle_of if deal.proof == "cycle" else -1,
            "playoffs": len(entries) - 1,
            "winner": winners[0] if len(winners) == 1 else -1,
            "censored": censored,
            "decisions": deal.decisions,
            "options": deal.options,
            "first_out": deal.outs[0] if deal.outs else -1,
            **count(deal.events),
        }
        for seat in range(self.players):
            outcome[f"win_share_{seat}"] = 1 / len(winners) if seat in winners else 0.0
            outcome[f"cards_left_{seat}"] = len(deal.hands[seat])
            outcome[f"orphans_{seat}"] = orphans[seat]
        return {
            "format": "simlib-record/1",
            "game": "king-george-iii",
            "variety": None,
            "players": self.players,
            "unit": "deal",
            "rules": dict(self.rules),
            "seed": self.seed,
            "play_seed": self.seed,
            "index": self.index,
            "policies": self.policies,
            "uses_chance": [policy != "first" for policy in self.policies],
            "deals": entries,
            "outcome": outcome,
        }


def count(events: list[dict[str, Any]]) -> dict[str, int]:
    """The counts of KG-14 that the events alone show."""
    turns: list[list[str]] = [[]]
    for event in events:
        turns[-1].append(event["do"])
        if event["do"] == "end":
            turns.append([])
    resets = [number for number, acts in enumerate(turns) if "set_aside" in acts]
    flat = [event["do"] for event in events]
    names = {"plays": "play", "draws": "draw", "recycles": "recycle", "passes": "pass"}
    return {name: flat.count(act) for name, act in names.items()} | {
        "turns": flat.count("end"),
        "resets": len(resets),
        "longest_draw": max(acts.count("draw") for acts in turns),
        "longest_run": max(acts.count("play") for acts in turns),
        "last_reset": resets[-1] if resets else -1,
    }
