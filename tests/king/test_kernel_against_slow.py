"""The kernel and the slow engine leave identical rows, every column of both tables."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

import simlib
from simlib.games.king.referee import check as referee_check
from tests.king.kernel_rows import (
    GAMES,
    combination,
    deal_rows,
    game_row,
    play,
    singles,
)
from tests.slow import king as slow
from tests.slow.king_tables import card, contract_values, joker_values, omnibus_values

POLICIES = ("random", "low", "high")
COMBINATIONS = 200
#: Games of one option set in the full check.
FULL = 2000
TAKEN = "taken_"


def lineup(players: int, number: int) -> list[str]:
    """Return who sits where: each policy alone, then mixtures."""
    if number < len(POLICIES):
        return [POLICIES[number]] * players
    return random.Random(number).choices(POLICIES, k=players)


def differing(mine: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns that are not equal, or are in one row only."""
    none = object()
    return {
        name: (mine.get(name), other.get(name))
        for name in mine.keys() | other.keys()
        if mine.get(name, none) != other.get(name, none)
    }


def captured(record: Mapping[str, Any], deal: Mapping[str, Any]) -> dict[str, int]:
    """Count the scoring cards that each seat took or laid away, from the events alone."""
    variety, rules = record["variety"], record["rules"]
    deck = [card(c) for hand in deal["hands"] for c in hand]
    deck += [card(c) for c in (*deal["stock"], *deal["table"].get("talon", ()))]
    named = [event["suit"] for event in deal["events"] if "suit" in event]
    if deal["contract"] is not None:
        scoring = set(contract_values(variety, rules, deal["contract"], deck).cards)
    elif variety == "jokers":
        scoring = set(joker_values(deck).cards)
    elif variety == "omnibus":
        scoring = set(omnibus_values(deck).cards)
    else:
        scoring = {c for c in deck if named and c // 16 == "SHDC".index(named[0])}
    counts = {f"{TAKEN}{seat}": 0 for seat in deal["seats"]}
    trick: list[str] = []
    for event in deal["events"]:
        if event["do"] == "play":
            trick.append(event["card"])
        won = trick if event["do"] == "trick" else []
        if event["do"] in ("discard", "keep"):
            won = event["cards"]
        counts[f"{TAKEN}{event['seat']}"] += sum(card(c) in scoring for c in won)
        if event["do"] == "trick":
            trick = []
    return counts


def differences(
    variety: str,
    options: Mapping[str, Any],
    policies: Sequence[str],
    *,
    unit: str,
    total: int,
    seed: int,
    play_seed: int | None = None,
    first_game: int = 0,
    trusted: bool = False,
) -> Iterator[str]:
    """Play the same games twice and say where their rows differ."""
    players = len(policies)
    fast = play(
        variety,
        options,
        policies,
        unit=unit,
        first_game=first_game,
        total=total,
        seed=seed,
        play_seed=play_seed,
        trusted=trusted,
    )
    assert fast.error == 0
    for game in range(total):
        index = first_game + game
        other = slow.play(
            players=players,
            variety=variety,
            unit=unit,
            rules=slow.default_rules(variety, players) | dict(options),
            policies=list(policies),
            seed=seed,
            play_seed=play_seed,
            index=index,
        )
        record = other["record"]
        row = {"seed": seed, "index": index, **game_row(fast, game, players)}
        outcome = record["outcome"]
        if unit == "deal":
            outcome = {name: outcome[name] for name in outcome if name in row}
            totals = [f"total_{seat}" for seat in range(players)]
            row = {k: v for k, v in row.items() if k not in ("deals", *totals)}
        pairs = [(row, outcome)]
        mine = [{"seed": seed, **deal} for deal in deal_rows(fast, index, players)]
        for mine_row, slow_row, deal in zip(
            mine, other["deals_rows"], record["deals"], strict=True
        ):
            pairs.append((mine_row, slow_row | captured(record, deal)))
        for one, two in pairs:
            if found := differing(one, two):
                yield f"{variety} {options} {policies} {unit} seed {seed} game {index}: {found}"


def check(variety: str, players: int, options: Mapping[str, Any], total: int, *, seed: str) -> None:
    """Play `total` games in all, spread over units and lineups; a match counts as ten."""
    chance = random.Random(seed)
    for number in range(5):
        for unit, weight in (("deal", 1), ("match", 20)):
            share = max(1, total // (10 * weight))
            # a match that goes on and on says nothing new: most are capped
            capped = unit == "match" and "max_deals" not in options and chance.random() < 0.8
            play_seed = None if chance.random() < 0.5 else chance.randrange(1 << 64)
            found = differences(
                variety,
                {**options, "max_deals": 8} if capped else options,
                lineup(players, number),
                unit=unit,
                total=share,
                seed=chance.randrange(1 << 64),
                play_seed=play_seed,
                first_game=chance.choice((0, 1, 4_000_000_007)),
                trusted=chance.random() < 0.5,
            )
            assert next(found, None) is None


@pytest.mark.parametrize(("variety", "players"), GAMES)
def test_each_option(variety: str, players: int) -> None:
    for options in singles(variety, players):
        check(variety, players, options, 60, seed=f"{variety} {options}")


def drawn(number: int) -> tuple[str, int, dict[str, Any]]:
    """Return one of the fixed random option sets with its variety and number of players."""
    chance = random.Random(f"combination {number}")
    variety, players = chance.choice(GAMES)
    return variety, players, combination(variety, players, chance)


@pytest.mark.parametrize("tens", range(COMBINATIONS // 20))
def test_random_combinations(tens: int) -> None:
    for number in range(20 * tens, 20 * tens + 20):
        check(*drawn(number), 20, seed=f"combination {number}")


@pytest.mark.parametrize(("variety", "players"), GAMES)
def test_whole_records(variety: str, players: int) -> None:
    # events and all; and the referee accepts them
    chance = random.Random(f"records {variety} {players}")
    for options in singles(variety, players):
        for unit in ("deal", "match"):
            policies = chance.choices(POLICIES, k=players)
            seed, play_seed, index = (chance.randrange(1 << 62) for _ in range(3))
            capped = {"max_deals": 6} | options if unit == "match" else options
            lists = {k: list(v) if isinstance(v, tuple) else v for k, v in capped.items()}
            record = simlib.replay(
                "king",
                index=index,
                variety=variety,
                players=players,
                unit=unit,
                seed=seed,
                play_seed=play_seed,
                policies=policies,
                rules=lists,
            )
            other = slow.play(
                players=players,
                variety=variety,
                unit=unit,
                rules=slow.default_rules(variety, players) | lists,
                policies=policies,
                seed=seed,
                play_seed=play_seed,
                index=index,
            )["record"]
            mine = json.loads(record.to_json())
            assert referee_check(mine) is None
            for name in [n for n in mine["outcome"] if n.startswith(TAKEN)]:
                del mine["outcome"][name]
            assert mine == other


def test_play_seed_moves_the_play_and_not_the_deal() -> None:
    one = play("simple", {}, ["random"] * 4, total=200, seed=5)
    same = play("simple", {}, ["random"] * 4, total=200, seed=5, play_seed=5)
    other = play("simple", {}, ["random"] * 4, total=200, seed=5, play_seed=6)
    assert (one.deals == same.deals).all()
    assert (one.deals != other.deals).any()
    low = play("simple", {}, ["low"] * 4, total=200, seed=5)
    assert (
        low.deals == play("simple", {}, ["low"] * 4, total=200, seed=5, play_seed=6).deals
    ).all()


@pytest.mark.slow
@pytest.mark.parametrize(("variety", "players"), GAMES)
def test_each_option_at_full_size(variety: str, players: int, scaled: Callable[[int], int]) -> None:
    for options in singles(variety, players):
        check(variety, players, options, scaled(FULL), seed=f"full {variety} {options}")


@pytest.mark.slow
@pytest.mark.parametrize("number", range(COMBINATIONS))
def test_each_random_combination_at_full_size(number: int, scaled: Callable[[int], int]) -> None:
    check(*drawn(number), scaled(FULL), seed=f"full {number}")
