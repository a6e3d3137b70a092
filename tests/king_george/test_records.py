"""The referee accepts what the kernel recorded, over all options and policies (rung 2)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from simlib.games import get
from simlib.games.king_george.rules import PLAYERS, PRESETS, KingGeorgeRules
from simlib.record import check_record, record_of
from simlib.setup import prepare

GAME = "king-george-iii"
CHOICES: dict[str, list[Any]] = {
    "hand_size": [None, 1, 2, 5, 10],
    "lead": ["one", "run"],
    "wrap": [False, True],
    "ace_fits": ["neighbour", "any"],
    "must_run": [False, True],
    "draw": ["until_fits", "one"],
    "recycle": ["turn", "shuffle", "none"],
    "recycle_when": ["needed", "emptied"],
    "ace_resets": [0, 1, 2, 3, 4],
    "ace_choice": [False, True],
    "ace_scope": ["deal", "player"],
    "after_out": ["lap", "round", "none"],
    "out_tie": ["playoff", "share"],
    "max_playoffs": [0, 1, 32],
    "deadlock_tie": ["share", "playoff"],
    "max_turns": [1, 7, 40, 2000],
    "endless": ["none", "fewest"],
    "first": ["zero", "rotate"],
}


def test_every_option_is_varied() -> None:
    assert list(CHOICES) == list(KingGeorgeRules.model_fields)


def single_changes() -> Iterator[dict[str, Any]]:
    yield {}
    yield from PRESETS.values()
    for name, values in CHOICES.items():
        for value in values:
            yield {name: value}


def accept(rules: dict[str, Any], players: int, policies: list[str], games: range) -> None:
    setup = prepare(GAME, players=players, policies=policies, rules=rules, seed=len(str(rules)))
    for index in games:
        record = record_of(setup, index)
        fault = check_record(record)
        assert fault is None, (fault, rules, players, policies, setup.seed, index)


@pytest.mark.parametrize("rules", list(single_changes()), ids=str)
def test_every_option_value_with_random(rules: dict[str, Any]) -> None:
    for players in PLAYERS:
        accept(rules, players, ["random"] * players, range(4))


@pytest.mark.parametrize("policy", list(get(GAME).policies))
def test_every_policy(policy: str) -> None:
    for players in PLAYERS:
        accept({}, players, [policy] * players, range(8))
        accept({"ace_choice": True, "lead": "run"}, players, [policy] * players, range(8))


def _mixed(seed: int, games: int) -> None:
    chance = random.Random(seed)
    rules = {name: chance.choice(values) for name, values in CHOICES.items()}
    players = chance.choice(PLAYERS)
    policies = [chance.choice(list(get(GAME).policies)) for _ in range(players)]
    accept(rules, players, policies, range(games))


@pytest.mark.parametrize("seed", range(60))
def test_options_and_policies_together(seed: int) -> None:
    _mixed(seed, 4)


@pytest.mark.slow
def test_twenty_thousand_games(scaled: Callable[[int], int]) -> None:
    for seed in range(scaled(2000)):
        _mixed(10_000 + seed, 10)
