"""Royal Corners, played slowly: an engine of its own to hold against the fast one.

Written from the rules page (clauses RC and C) alone. It shares the streams with the kernel and
nothing else, so that equal rows mean that two readings of the rules agree. A deal is played in
``royal_corners_deal``; here are the policies, deals and matches, the record and the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .royal_corners_deal import CORNERS, NUMBER, PACK, STOP, Deal, Option, is_king
from .streams import DECK, Stream, seat_purpose

DEFAULTS: dict[str, Any] = {
    "hand_size": None,
    "starter": "dealer",
    "merge": "down",
    "vacated": "next_move",
    "stock_face": "up",
    "draw": "after_play",
    "end": "play_on",
    "target": 50,
    "max_deals": 200,
    "max_turns": 1000,
    "king_corners": 0,
    "king_pile": False,
    "first": "zero",
}
CHOICES: dict[str, tuple[Any, ...]] = {
    "starter": ("dealer", "left"),
    "merge": ("down", "up"),
    "vacated": ("next_move", "turn", "next_turn", "always", "never"),
    "stock_face": ("up", "down"),
    "draw": ("after_play", "every_turn", "turn_start"),
    "end": ("play_on", "first_out", "last_holder"),
    "king_corners": (0, 4),
    "king_pile": (False, True),
    "first": ("zero", "rotate"),
}

Row = dict[str, Any]
Decider = Callable[[list[Option], dict[str, Any]], Option]


# ------------------------------------------------------------------------------------- policies


def random(options: list[Option], info: dict[str, Any]) -> Option:
    """Choose uniformly among all options (C-5)."""
    choice: Option = options[info["below"](len(options))]
    return choice


def eager(options: list[Option], info: dict[str, Any]) -> Option:
    """Move as long as there is a move, a random one; never stop of one's own will."""
    moves = [option for option in options if option != STOP]
    choice: Option = moves[info["below"](len(moves))] if len(moves) > 1 else moves[0]
    return choice


BUILT_IN: dict[str, Decider] = {"random": random, "eager": eager}


def uses_chance(name: str, decider: Decider) -> bool:
    """A caller's own policy says so by an attribute ``uses_chance``; without one it uses none."""
    return name in BUILT_IN or bool(getattr(decider, "uses_chance", False))


# --------------------------------------------------------------------------------------- a game


@dataclass
class Game:
    """What stays the same over the deals of one game, and the totals so far."""

    players: int
    rules: Mapping[str, Any]
    policies: Sequence[str]
    deciders: Sequence[Decider]
    seed: int
    play_seed: int
    index: int
    forced_decks: Mapping[int, Sequence[str]]
    watch: Callable[[Deal], None] | None
    totals: list[int] = field(default_factory=list)

    def deck(self, number: int) -> list[str]:
        if number in self.forced_decks:
            return list(self.forced_decks[number])
        cards = [card for card in PACK if card[0] != "A"]  # a new pack ends with the aces
        cards += [card for card in PACK if card[0] == "A"]
        Stream(self.seed, self.index, DECK, number).shuffle(cards)
        return cards

    def first_of(self, number: int) -> int:
        """C-3."""
        start = self.index if self.rules["first"] == "rotate" else 0
        return (start + number) % self.players

    def lay_out(self, number: int) -> Deal:
        """C-4a, RC-1: cards one by one from ``first``, then the corners, then the stock."""
        deck = self.deck(number)
        first = self.first_of(number)
        size = 7 if self.rules["hand_size"] is None else self.rules["hand_size"]
        dealt = size * self.players
        if len(set(deck)) != len(deck) or not set(deck) <= set(PACK):
            raise ValueError(f"deal {number}: a deck holds distinct cards of the pack")
        if len(deck) < dealt + CORNERS:
            raise ValueError(f"deal {number}: {len(deck)} cards do not fill hands and corners")
        hands: list[list[str]] = [[] for _ in range(self.players)]
        for position, card in enumerate(deck[:dealt]):
            hands[(first + position) % self.players].append(card)
        corners = [[card] for card in deck[dealt : dealt + CORNERS]]
        corners += [[] for _ in range(self.rules["king_corners"])]
        stock = deck[dealt + CORNERS :]
        return Deal(self.rules, first, hands, corners, stock, self.decider_of(number))

    def decider_of(self, number: int) -> Callable[[Deal, int, list[Option]], Option]:
        streams = [
            Stream(self.play_seed, self.index, seat_purpose(seat), number)
            for seat in range(self.players)
        ]

        def decide(deal: Deal, seat: int, options: list[Option]) -> Option:
            if self.watch is not None:
                self.watch(deal)
            info = self.seen_by(deal, seat)
            info["below"] = streams[seat].below
            answer = self.deciders[seat](list(options), info)
            if answer not in options:
                raise ValueError(
                    f"game {self.index}, seat {seat}, policy {self.policies[seat]}: "
                    f"answer {answer!r} is not among the options {options!r} (C-5)"
                )
            return answer

        return decide

    def seen_by(self, deal: Deal, seat: int) -> dict[str, Any]:
        """C-6: copies, so that a policy cannot touch the table."""
        face_up = deal.stock and self.rules["stock_face"] == "up"
        return {
            "seat": seat,
            "rules": dict(self.rules),
            "hand": sorted(deal.hands[seat], key=NUMBER.__getitem__),
            "corners": [list(pile) for pile in deal.corners],
            "any_card": [c for c in range(len(deal.corners)) if deal.takes_any_card(c)],
            "open_card": deal.stock[0] if face_up else None,
            "stock_left": len(deal.stock),
            "cards_left": [len(hand) for hand in deal.hands],
            "this_turn": list(deal.this_turn),
            "totals": list(self.totals),
        }

    def play_deal(self, number: int) -> tuple[dict[str, Any], Row]:
        """Play deal ``number``; its entry in the record and its row in the table of deals."""
        deal = self.lay_out(number)
        entry: dict[str, Any] = {
            "deal": number,
            "first": deal.first,
            "seats": list(range(self.players)),
            "declarer": None,
            "contract": None,
            "trump": None,
            "hands": [list(hand) for hand in deal.hands],
            "stock": list(deal.stock),
            "table": {"corners": [list(pile) for pile in deal.corners]},
        }
        deal.play_out()
        if self.watch is not None:
            self.watch(deal)
        entry["events"] = deal.events
        entry["ending"] = deal.ending
        entry["scores"] = [-penalty for penalty in deal.penalties()]
        return entry, self.deal_row(number, deal)

    def deal_row(self, number: int, deal: Deal) -> Row:
        """RC-13."""
        return {
            "seed": self.seed,
            "index": self.index,
            "deal": number,
            "first": deal.first,
            "ending": deal.ending,
            "decisions": deal.counts["decisions"],
            "options": deal.counts["options"],
            **per_seat("penalty", deal.penalties()),
            **per_seat("cards_left", [len(hand) for hand in deal.hands]),
            **per_seat("kings_left", [sum(map(is_king, hand)) for hand in deal.hands]),
            "turns": deal.turn,
            "hand_plays": deal.counts["hand_plays"],
            "stock_plays": deal.counts["stock_plays"],
            "pile_moves": deal.counts["pile_moves"],
            "draws": deal.counts["draws"],
            "stock_left": len(deal.stock),
            "someone_out": bool(deal.out_order),
        }

    def play_single(self) -> tuple[list[dict[str, Any]], list[Row], Row]:
        """C-3, ``unit=deal``: the lowest penalty wins; the cap censors (C-8)."""
        entry, row = self.play_deal(0)
        penalties = [row[f"penalty_{seat}"] for seat in range(self.players)]
        outcome = {
            **row,
            **per_seat("win_share", shares_of_lowest(penalties)),
            "censored": row["ending"] == "truncated",
        }
        return [entry], [row], outcome

    def play_match(self) -> tuple[list[dict[str, Any]], list[Row], Row]:
        """RC-11: deals until somebody reaches the target."""
        target = self.rules["target"]
        entries: list[dict[str, Any]] = []
        rows: list[Row] = []
        ending = ""
        while not ending:
            entry, row = self.play_deal(len(rows))
            entries.append(entry)
            rows.append(row)
            for seat in range(self.players):
                self.totals[seat] += row[f"penalty_{seat}"]
            if max(self.totals) >= target:
                ending = "complete"
            elif len(rows) >= self.rules["max_deals"]:
                ending = "censored"
        complete = ending == "complete"
        lowest = min(self.totals)
        shares = shares_of_lowest(self.totals) if complete else [0.0] * self.players
        losers = [total >= target and total > lowest for total in self.totals]
        outcome = {
            "seed": self.seed,
            "index": self.index,
            "ending": ending,
            "decisions": sum(row["decisions"] for row in rows),
            "options": sum(row["options"] for row in rows),
            "deals": len(rows),
            **per_seat("total", self.totals),
            **per_seat("loser", losers),
            **per_seat("win_share", shares),
            "censored": not complete,
        }
        return entries, rows, outcome


def per_seat(name: str, values: Sequence[Any]) -> Row:
    return {f"{name}_{seat}": value for seat, value in enumerate(values)}


def shares_of_lowest(values: Sequence[int]) -> list[float]:
    """C-9: those with the lowest value share the win."""
    winners = [value == min(values) for value in values]
    return [1 / sum(winners) if won else 0.0 for won in winners]


def check_arguments(players: int, unit: str, rules: Mapping[str, Any], seats: int) -> None:
    if players not in (2, 3, 4):
        raise ValueError(f"players: 2, 3 or 4, not {players}")
    if unit not in ("deal", "match"):
        raise ValueError(f"unit: deal or match, not {unit}")
    if seats != players:
        raise ValueError(f"policies: one for each of {players} seats, not {seats}")
    if set(rules) != set(DEFAULTS):
        raise ValueError(f"rules: not the options {sorted(set(rules) ^ set(DEFAULTS))}")
    for name, allowed in CHOICES.items():
        if rules[name] not in allowed:
            raise ValueError(f"rules: {name} is one of {allowed}, not {rules[name]!r}")


def play(
    *,
    players: int,
    variety: str | None = None,
    unit: str = "deal",
    rules: Mapping[str, Any],
    policies: Sequence[str],
    seed: int,
    play_seed: int | None = None,
    index: int,
    deck: Mapping[int, Sequence[str]] | None = None,
    deciders: Mapping[str, Decider] | None = None,
    watch: Callable[[Deal], None] | None = None,
) -> dict[str, Any]:
    """Play one game and return ``{"record": C-10, "deals_rows": [row, ...]}``.

    Parameters
    ----------
    rules : mapping
        Every option of the game (RC), as in ``DEFAULTS``.
    policies : sequence of str
        One name a seat: ``random``, ``eager`` or a key of `deciders`.
    deck : mapping of int to sequence of str, optional
        Deck orders to use instead of the shuffled ones, by deal; a deck of fewer cards is allowed.
    deciders : mapping of str to callable, optional
        Further policies ``f(options, info) -> option``. ``info`` is what the seat sees (C-6), and
        ``info["below"]`` its stream; an attribute ``uses_chance`` of ``f`` goes into the record.
    watch : callable, optional
        Called with the deal at every decision and at its end; for tests.
    """
    if variety is not None:
        raise ValueError("Royal Corners has no varieties")
    check_arguments(players, unit, rules, len(policies))
    known = {**BUILT_IN, **(deciders or {})}
    game = Game(
        players=players,
        rules=dict(rules),
        policies=list(policies),
        deciders=[known[name] for name in policies],
        seed=seed,
        play_seed=seed if play_seed is None else play_seed,
        index=index,
        forced_decks=deck or {},
        watch=watch,
        totals=[0] * players,
    )
    entries, rows, outcome = game.play_single() if unit == "deal" else game.play_match()
    record = {
        "format": "simlib-record/1",
        "game": "royal-corners",
        "variety": None,
        "players": players,
        "unit": unit,
        "rules": dict(rules),
        "seed": seed,
        "play_seed": game.play_seed,
        "index": index,
        "policies": list(policies),
        "uses_chance": [uses_chance(name, known[name]) for name in policies],
        "deals": entries,
        "outcome": outcome,
    }
    return {"record": record, "deals_rows": rows}
