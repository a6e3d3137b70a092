"""The referee accepts what the kernel recorded, over all options and policies (rung 2)."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from simlib.games import get
from simlib.games.royal_corners.rules import PLAYERS, PRESETS, RoyalCornersRules
from simlib.record import check_record, record_of
from simlib.setup import prepare

from .kernel_games import CHOICES, SINGLES, dealable

GAME = "royal-corners"
POLICIES = list(get(GAME).policies)


def test_every_option_is_varied() -> None:
    assert list(CHOICES) == list(RoyalCornersRules.model_fields)


def accept(
    rules: dict[str, Any], policies: list[str], games: range, unit: str = "deal", seed: int = 11
) -> None:
    setup = prepare(
        GAME, players=len(policies), policies=policies, rules=rules, unit=unit, seed=seed,
        play_seed=seed + 1,
    )  # fmt: skip
    for index in games:
        record = record_of(setup, index)
        fault = check_record(json.loads(record.to_json()))
        assert fault is None, (fault, rules, policies, unit, seed, index)
        assert record.text()


@pytest.mark.parametrize("rules", [{}, *SINGLES, *PRESETS.values()], ids=str)
def test_every_option_value_with_random(rules: dict[str, Any]) -> None:
    for players in PLAYERS:
        if dealable(rules, players):
            accept(rules, ["random"] * players, range(4))
            accept({"target": 20, **rules}, ["random"] * players, range(1), "match")


@pytest.mark.parametrize("policy", POLICIES)
def test_every_policy(policy: str) -> None:
    for players in PLAYERS:
        for preset in PRESETS.values():
            accept(dict(preset), [policy] * players, range(6))
        accept({"king_corners": 4, "merge": "up"}, [policy] * players, range(6))
        accept({"draw": "every_turn", "target": 15}, [policy] * players, range(1), "match")


def mixed(seed: int, games: int) -> None:
    chance = random.Random(seed)
    rules = {name: chance.choice(values) for name, values in CHOICES.items()}
    players = chance.choice([n for n in PLAYERS if dealable(rules, n)])
    policies = [chance.choice(POLICIES) for _ in range(players)]
    accept(rules, policies, range(games), seed=seed)
    accept({**rules, "max_deals": 3}, policies, range(1), "match", seed)


@pytest.mark.parametrize("seed", range(60))
def test_options_and_policies_together(seed: int) -> None:
    mixed(seed, 4)


@pytest.mark.slow
def test_twenty_thousand_games(scaled: Callable[[int], int]) -> None:
    for seed in range(scaled(2000)):
        mixed(10_000 + seed, 10)
