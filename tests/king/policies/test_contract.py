"""The contract that every built-in policy keeps (C-5, C-6, DESIGN: Policies)."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import simlib.games.king as king_folder
from simlib.cards import LANES, SUITS
from simlib.errors import BadInput
from simlib.games.king.house import read_house
from simlib.games.king.policies import POLICIES
from simlib.games.king.view import BID, CONTRACT, DISCARD, PLAY, SUIT, TRUMP
from simlib.rng import new
from tests.king.kernel_rows import GAMES, Played, combination, play, singles

from .table import LANE, Table

NAMES = ["random", "low", "high", "duck", "grab", "sensible", "counting"]
PLANNED = [name for name in NAMES if name != "random"]
EXAMPLE = Path(king_folder.__file__).parent / "examples" / "house_king.toml"


def test_the_policies_in_order() -> None:
    assert list(POLICIES) == NAMES
    for name, policy in POLICIES.items():
        assert policy.name == name
        assert policy.game == "king"
        assert policy.builtin
        assert policy.says.endswith(".")
        assert policy.uses_chance == (name == "random")


# Legal answers


def agree(variety: str, options: dict[str, Any], names: list[str], seed: int) -> None:
    """Play with every view rewritten and with trust; no answer is refused, nothing differs."""
    for unit, total in (("deal", 14), ("match", 1)):
        options = {"max_deals": 30, **options}
        checked, trusted = (
            play(variety, options, names, unit=unit, total=total, seed=seed, trusted=trust)
            for trust in (False, True)
        )
        assert checked.error == 0, (variety, options, names, seed)
        assert (checked.games == trusted.games).all()
        assert (checked.deals == trusted.deals).all()


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_options_under_every_option(name: str) -> None:
    for variety, players in GAMES:
        for number, options in enumerate(singles(variety, players)):
            agree(variety, options, [name] * players, number)


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_options_under_random_options(name: str) -> None:
    chance = random.Random(name)
    for number in range(60):
        variety, players = chance.choice(GAMES)
        names = [name, *chance.choices(NAMES, k=players - 1)]
        chance.shuffle(names)
        agree(variety, combination(variety, players, chance), names, number)


def random_house(chance: random.Random) -> dict[str, Any]:
    """Return a house variety drawn at random; it may not be valid."""
    ranks = chance.sample("789TJQKA", 3)
    contracts = [
        {
            "name": f"number-{number}",
            "trick": chance.choice((0, 0, -4, 3)),
            "last_two": chance.choice((0, 0, -10, 7)),
            "ranks": {rank: chance.choice((-5, 5)) for rank in ranks[: chance.randint(0, 3)]},
            "suits": {chance.choice(SUITS): chance.choice((-2, 2))},
            "held_back": chance.sample(SUITS, chance.randint(0, 2)),
            "duty": chance.choice(([], ["KH"], ["QS", "KH"])),
            "trump": chance.random() < 0.5,
            "slam": chance.choice((0, 40)),
            "times": chance.randint(1, 2),
        }
        for number in range(chance.randint(1, 5))
    ]
    return {
        "players": chance.randint(2, 4),
        "deck": chance.choice((32, 36, 52)),
        "jokers": chance.randint(0, 2),
        "hand_size": chance.choice((None, 5)),
        "talon": chance.choice((0, 2)),
        "reserve": chance.random() < 0.3,
        "choice": chance.choice(("fixed", "declarer", "auction")),
        "declarer": chance.choice(("leader", "next")),
        "order_when": chance.choice(("look", "blind")),
        "must_trump": chance.random() < 0.5,
        "bid": chance.choice(("cost", "gain")),
        "auction": chance.choice(("round", "open")),
        "most_bid": chance.choice((3, 13, 60)),
        "limit": -100,
        "contracts": contracts,
    }


def houses(chance: random.Random, number: int) -> Iterator[dict[str, Any]]:
    """Yield the example and some valid houses drawn at random."""
    yield tomllib.loads(EXAMPLE.read_text())["custom"]
    while number:
        house = random_house(chance)
        try:
            read_house(house)
        except BadInput:
            continue
        number -= 1
        yield house


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_options_in_houses(name: str) -> None:
    for number, house in enumerate(houses(random.Random(name), 40)):
        agree("house", {"custom": house}, [name] * int(house["players"]), number)


# One decision, from the machine code and from the plain Python


def laid_out(chance: random.Random) -> Table:
    """Return a table in the middle of a random deal."""
    variety, players = chance.choice(GAMES)
    table = Table("", variety=variety, players=players, **combination(variety, players, chance))
    table.chosen = chance.randrange(len(table.plan.contracts))
    if table.plan.contracts[table.chosen].trump and chance.random() < 0.7:
        table.trump = chance.choice(SUITS)
    table.contract = table.names[table.chosen] or None
    table.declares = table.plan.choice == "declarer" and chance.random() < 0.5
    return table


def deal_out(table: Table, chance: random.Random) -> list[str]:
    """Deal a hand, some tricks and part of another; return the cards on the table."""
    cards = chance.sample(table.plan.deck, len(table.plan.deck))
    done = chance.randrange(table.plan.hand_size - 1)
    held = table.plan.hand_size - done
    table.hand = sum(1 << card for card in cards[:held])
    del cards[:held]
    for _ in range(done):
        trick = sum(1 << cards.pop() for _ in range(table.players))
        winner = chance.randrange(table.players)
        table.gone |= trick
        table.taken[winner] |= trick
        table.tricks[winner] += 1
    for place in range(1, table.players):
        if chance.random() < 0.3:
            table.lacks[place] = LANE << 16 * chance.randrange(4)
    return [LANES.text(cards.pop()) for _ in range(chance.randrange(table.players))]


def decisions(chance: random.Random, number: int) -> Iterator[Any]:
    """Yield views of random decisions of every kind, under random options."""
    for _ in range(number):
        table = laid_out(chance)
        down = deal_out(table, chance)
        options = table.legal(down)
        if options & (options - 1):
            yield table.view(PLAY, options, down)
        if chance.random() < 0.5:
            table.gone, table.tricks = 0, [0] * table.players
            kind = chance.choice((TRUMP, DISCARD))
            yield table.view(kind, table.hand if kind == DISCARD else 0b11111, [])
            names_suit = table.plan.names_suit
            rows = (1 << len(table.names)) - 1
            table.chosen = -1
            kind = SUIT if names_suit else CONTRACT
            yield table.view(kind, rows, [])
            if table.plan.choice == "auction":
                yield table.view(BID, (1 << 14) - (1 << chance.randrange(1, 13)) | 1, [])


def position(rng: Any) -> tuple[int, ...]:
    return tuple(int(rng[name]) for name in ("s0", "s1", "s2", "s3"))


@pytest.mark.parametrize("name", NAMES)
def test_machine_code_and_python_decide_alike(name: str) -> None:
    policy = POLICIES[name]
    compiled = policy.compiled()
    kinds = set()
    for number, view in enumerate(decisions(random.Random(name), 300)):
        streams = [new(number), new(number)]
        start = position(streams[0])
        before = view.tobytes()
        answer = int(compiled(view, streams[0]))
        assert policy(view, streams[1]) == answer
        assert int(view.options) >> answer & 1
        # it reads its view only, and only `random` its stream, once
        assert view.tobytes() == before
        assert position(streams[0]) == position(streams[1])
        assert (position(streams[0]) != start) == (name == "random")
        kinds.add(int(view.decision))
    assert kinds == {PLAY, CONTRACT, TRUMP, DISCARD, BID, SUIT}


@pytest.mark.parametrize("name", NAMES)
def test_play_seed_matters_to_random_only(name: str) -> None:
    for variety, players in GAMES:
        one = play(variety, {}, [name] * players, total=60, seed=3)
        other = play(variety, {}, [name] * players, total=60, seed=3, play_seed=4)
        assert (one.games == other.games).all() == (name != "random")


# Relabelling the seats


def turned(played: Played, steps: int, players: int) -> Played:
    """Return the rows with every seat moved on by some steps."""
    games, deals = played.games.copy(), played.deals.copy()
    for rows, columns in ((games, ("win_share", "total")), (deals, ("score", "tricks", "taken"))):
        before = rows.copy()
        for column in columns:
            for seat in range(players):
                rows[column][:, (seat + steps) % players] = before[column][:, seat]
    deals["first"] = (deals["first"] + steps) % players
    named = deals["declarer"] >= 0
    deals["declarer"][named] = (deals["declarer"][named] + steps) % players
    return Played(games, deals, played.error)


def relabels(variety: str, options: dict[str, Any], names: list[str], seed: int) -> None:
    """Turn the table: the same cards, the policies moved on, the rows move on with them."""
    players = len(names)
    total = 14 * players
    still = play(variety, {**options, "first": "zero"}, names, total=total, seed=seed)
    for steps in range(players):
        moved = names[-steps:] + names[:-steps] if steps else names
        rotated = play(variety, {**options, "first": "rotate"}, moved, total=total, seed=seed)
        expected = turned(still, steps, players)
        mine = np.arange(total) % players == steps
        assert (rotated.games[mine] == expected.games[mine]).all()
        assert (rotated.deals[mine] == expected.deals[mine]).all()


@pytest.mark.parametrize("name", PLANNED)
def test_relabelling_the_seats_permutes_the_outcome(name: str) -> None:
    for variety, players in GAMES:
        relabels(variety, {}, [name] * players, players)


def test_relabelling_mixed_tables_and_options() -> None:
    chance = random.Random(5)
    for number in range(40):
        variety, players = chance.choice(GAMES)
        options = combination(variety, players, chance)
        relabels(variety, options, chance.choices(PLANNED, k=players), number)


def test_a_match_turns_with_the_table() -> None:
    # game g of first=rotate starts at seat g: the whole match moves on
    names = ["counting", "sensible", "grab", "duck"]
    for variety, players in GAMES:
        mine = names[:players]
        still = play(variety, {}, mine, unit="match", total=2, seed=9)
        moved = play(
            variety, {"first": "rotate"}, mine[-1:] + mine[:-1], unit="match", total=2, seed=9
        )
        expected = turned(still, 1, players)
        assert moved.games[1] == expected.games[1]
        kept = expected.deals[expected.deals["index"] == 1]
        assert (moved.deals[moved.deals["index"] == 1] == kept).all()
