"""Views as a deal of the slow engine gives them, and many positions to look at."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from simlib.cards import ACE_LOW
from simlib.games.royal_corners.rules import CODES
from simlib.games.royal_corners.view import VIEW
from tests.slow import royal_corners as slow
from tests.slow.royal_corners_deal import CORNERS, STOP, Deal, Option

from .kernel_games import CHOICES, dealable

NO_CARD = -1


class Position(NamedTuple):
    """One decision of a slow game: what is seen, what is there, what was answered."""

    deal: int
    seat: int
    view: np.ndarray
    options: list[Option]
    info: dict[str, Any]
    answer: int


def number(card: str) -> int:
    return ACE_LOW.number(card)


def mask(cards: Sequence[str]) -> int:
    return ACE_LOW.mask(cards)


def code(option: Option) -> int:
    """Return the answer that stands for an option of the slow engine."""
    if option == STOP:
        return -1
    if option[0] == "move":
        return (53 + int(option[1])) * 8 + int(option[2])
    source = 52 if option[2] == "stock" else number(option[1])
    return source * 8 + int(option[3])


def view_of(deal: Deal, seat: int, totals: Sequence[int], *, match: bool = False) -> np.ndarray:
    """Return what the seat sees as an array of one view, every field written."""
    rules, players = deal.rules, len(deal.hands)
    view = np.zeros(1, VIEW).view(np.recarray)
    v = view[0]
    moves = deal.moves(seat)
    for option in moves:
        answer = code(option)
        v["options"][answer >> 3] |= 1 << (answer & 7)
    v["sources"] = sum(1 << source for source in range(61) if v["options"][source])
    v["moves"] = len(moves)
    open_card = deal.stock[0] if deal.stock and rules["stock_face"] == "up" else None
    seen = [*deal.hands[seat], *(card for pile in deal.corners for card in pile)]
    v["hand"] = mask(deal.hands[seat])
    v["unseen"] = ((1 << 52) - 1) & ~mask([*seen, *([open_card] if open_card else [])])
    v["open_card"] = number(open_card) if open_card else NO_CARD
    v["first_cards"] = v["last_cards"] = NO_CARD
    for corner, pile in enumerate(deal.corners):
        v["corner_cards"][corner] = mask(pile)
        if pile:
            v["first_cards"][corner], v["last_cards"][corner] = number(pile[0]), number(pile[-1])
    v["any_corners"] = _bits(c for c in range(CORNERS) if deal.takes_any_card(c))
    deal.turn += 1
    v["lasting_corners"] = _bits(c for c in range(CORNERS) if deal.takes_any_card(c))
    deal.turn -= 1
    around = [(seat + place) % players for place in range(players)]
    v["counts"] = [*(len(deal.hands[s]) for s in around), *[-1] * (4 - players)]
    v["totals"] = [*(totals[s] for s in around), *[0] * (4 - players)]
    v["stock_count"] = len(deal.stock)
    v["position"] = (seat - deal.first) % players
    v["idle"] = len(deal.idle)
    _this_turn(deal, v)
    v["players"], v["may_stop"], v["corners"] = players, 1, len(deal.corners)
    v["match"] = match
    for name in ("merge", "vacated", "stock_face", "draw", "end"):
        v[name] = CODES[name].index(rules[name])
    v["king_pile"], v["target"] = rules["king_pile"], rules["target"]
    return view


def _bits(places: Any) -> int:
    return sum(1 << place for place in places)


def _this_turn(deal: Deal, view: Any) -> None:
    for event in reversed(deal.events):
        if event["do"] == "end":
            break
        if event["do"] == "play":
            view[f"{event['from']}_plays"] += 1
        elif event["do"] == "move":
            view["pile_moves"] += 1
        elif event["do"] == "draw":
            view["drawn"] += 1


def slow_game(
    rules: dict[str, Any], players: int, chance: random.Random, *, unit: str = "deal", stops: float
) -> tuple[dict[str, Any], list[Position]]:
    """Play a slow game that stops now and then; return its record and all its decisions."""
    found: list[Position] = []
    table: list[Deal] = []
    deals: list[int] = []

    def watch(deal: Deal) -> None:
        if not table or table[0] is not deal:
            deals.append(len(deals))
        table[:] = [deal]

    def decide(options: list[Option], info: dict[str, Any]) -> Option:
        moves = options[:-1]
        answer = STOP if chance.random() < stops else chance.choice(moves)
        view = view_of(table[0], info["seat"], info["totals"], match=unit == "match")
        found.append(Position(deals[-1], info["seat"], view, options, info, code(answer)))
        return answer

    played = slow.play(
        players=players, unit=unit, rules=slow.DEFAULTS | rules, policies=["own"] * players,
        seed=chance.randrange(1 << 60), index=chance.randrange(1000), watch=watch,
        deciders={"own": decide},
    )  # fmt: skip
    return played["record"], found


def random_rules(chance: random.Random, players: int) -> dict[str, Any]:
    """Return a random option set that goes with this number of players."""
    while True:
        rules = {name: chance.choice(values) for name, values in CHOICES.items()}
        if dealable(rules, players):
            return rules


def positions(chance: random.Random, wanted: int, **rules: Any) -> Iterator[Position]:
    """Yield decisions of slow games, under random options where none are given."""
    while wanted > 0:
        players = chance.choice((2, 3, 4))
        options = rules or random_rules(chance, players)
        _, found = slow_game(options, players, chance, stops=chance.choice((0.1, 0.5)))
        yield from found[:wanted]
        wanted -= len(found)
