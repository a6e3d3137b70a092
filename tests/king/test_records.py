"""The referee accepts what the kernel recorded, in every variety with every policy (rung 2)."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from simlib.games import get
from simlib.record import check_record, record_of
from simlib.setup import prepare

GAME = "king"
VARIETIES = [name for name in get(GAME).varieties if name != "house"]
POLICIES = list(get(GAME).policies)
CHOICES: dict[str, list[Any]] = {
    "play_out": [False, True],
    "must_trump": [False, True],
    "first": ["zero", "rotate"],
    "removed": ["aces", "sevens"],
    "trump_in": ["positive", "all", "none"],
    "no_trump": [False, True],
    "order_when": ["look", "blind"],
    "kept_as": ["cards", "trick"],
    "deck": [32, 52],
    "joker_play": ["void_or_hearts", "void", "any"],
    "joker_loses": ["contains", "led"],
    "bid": ["cost", "gain"],
    "auction": ["round", "open"],
    "bidder_leads": [False, True],
    "eralash": [False, True],
    "kings_as_boys": [False, True],
}


def accept(variety: str, rules: dict[str, Any], unit: str, policies: Any, games: range) -> None:
    setup = prepare(
        GAME, variety=variety, unit=unit, rules=rules, policies=policies, seed=len(str(rules))
    )
    for index in games:
        fault = check_record(record_of(setup, index))
        assert fault is None, (fault, variety, rules, unit, policies, setup.seed, index)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("variety", VARIETIES)
def test_every_variety_and_policy(variety: str, policy: str) -> None:
    accept(variety, {}, "deal", policy, range(15))
    accept(variety, {}, "match", policy, range(1))


def mixed(seed: int, games: int) -> None:
    chance = random.Random(seed)
    variety = chance.choice(VARIETIES)
    known = get(GAME).rules_model(variety).model_fields
    rules = {name: chance.choice(values) for name, values in CHOICES.items() if name in known}
    players = get(GAME).players(variety)[1]
    policies = [chance.choice(POLICIES) for _ in range(players)]
    accept(variety, rules, "deal", policies, range(games))


@pytest.mark.parametrize("seed", range(40))
def test_options_and_policies_together(seed: int) -> None:
    mixed(seed, 6)


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("variety", VARIETIES)
def test_five_thousand_games(variety: str, policy: str, scaled: Callable[[int], int]) -> None:
    accept(variety, {}, "deal", policy, range(1000, 1000 + scaled(5000)))
