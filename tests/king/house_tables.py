"""House varieties for tests: the example, whole tables as records hold them, tables at random."""

from __future__ import annotations

import random
import tomllib
from pathlib import Path
from typing import Any

import simlib
from simlib.errors import BadInput
from simlib.games.king.house import read_house

Table = dict[str, Any]

EXAMPLE = Path(simlib.games.__file__).parent / "king" / "examples" / "house_king.toml"
SUITS = "SHDC"
RANKS = "23456789TJQKA"
CARDS = [rank + suit for rank in RANKS for suit in SUITS]


def example() -> dict[str, Any]:
    """Return the options of the example file."""
    with EXAMPLE.open("rb") as file:
        return tomllib.load(file)


def whole(table: Table) -> Table:
    """Return a table with every key, as a record holds it."""
    return read_house(table).model_dump()


def random_table(chance: random.Random) -> Table:
    """Return a valid table in which anything may go with anything."""
    while True:
        table = _table(chance)
        try:
            read_house(table)
        except BadInput:  # too few cards for so many players, or no end to a match
            continue
        return table


def _table(chance: random.Random) -> Table:
    choice = chance.choice(["fixed", "declarer", "auction"])
    table: Table = {
        "players": chance.choice([2, 3, 4]),
        "deck": chance.choice([32, 36, 52]),
        "without": chance.sample(CARDS, chance.choice([0, 0, 1, 3])),
        "jokers": chance.choice([0, 0, 1, 2]),
        "hand_size": chance.choice([None, None, 5, 6, 9]),
        "reserve": chance.random() < 0.3,
        "kept_as": chance.choice(["cards", "trick"]),
        "choice": choice,
        "declarer": chance.choice(["leader", "next"]),
        "order_when": chance.choice(["look", "blind"]),
        "no_trump": chance.random() < 0.5,
        "must_trump": chance.random() < 0.5,
        "auction": chance.choice(["round", "open"]),
        "bid": chance.choice(["cost", "gain"]),
        "most_bid": chance.choice([1, 5, 13, 40]),
        "joker_play": chance.choice(["void_or_hearts", "void", "any"]),
        "joker_loses": chance.choice(["contains", "led"]),
        "limit": chance.choice([None, -30, -200]),
        "limit_high": chance.choice([None, 40]),
        "contracts": [_row(chance, i, choice) for i in range(chance.choice([1, 3, 6]))],
    }
    if choice != "fixed":
        table |= {"talon": chance.choice([0, 2]), "bidder_leads": chance.random() < 0.5}
    if choice != "declarer":
        table["deals"] = chance.choice([0, 3] if choice == "auction" else [None, 0, 2])
    return table


def _row(chance: random.Random, number: int, choice: str) -> Table:
    def points() -> int:
        return chance.choice([-20, -3, -1, 1, 2, 15])

    row: Table = {"name": f"row-{number}", "times": chance.choice([1, 1, 2])}
    if chance.random() < 0.5:
        row["trick"] = points()
    if chance.random() < 0.3:
        row["last_two"] = points()
    if len(row) == 2 or chance.random() < 0.4:
        row["ranks"] = {rank: points() for rank in chance.sample(RANKS[5:], 2)}
    if chance.random() < 0.4:
        row["suits"] = {chance.choice(SUITS): points()}
    if chance.random() < 0.5:
        row["cards"] = {card: points() for card in chance.sample([*CARDS, "X1", "X2"], 3)}
    if chance.random() < 0.4:
        row["held_back"] = chance.sample(SUITS, chance.choice([1, 1, 2]))
    if chance.random() < 0.4:
        row["duty"] = chance.sample(CARDS, chance.choice([1, 2]))
    if choice != "fixed":
        row["trump"] = chance.random() < 0.6
        row["declarer_leads_trumps"] = chance.random() < 0.4
    if not row.keys() & {"trick", "last_two"} and chance.random() < 0.5:
        row["slam"] = chance.choice([5, 100])
    return row
