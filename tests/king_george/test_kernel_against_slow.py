"""The kernel and the slow engine leave identical rows, every column of both tables."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from simlib.games.king_george.rules import PLAYERS, PRESETS
from tests.king_george.kernel_rows import (
    SINGLE,
    combination,
    deal_rows,
    game_row,
    play,
)
from tests.slow import king_george as slow

POLICIES = ("random", "one-card", "eager")
COMBINATIONS = 200
#: Games of one option set in the full check.
FULL = 2000


def lineup(players: int, number: int) -> list[str]:
    """Return who sits where: each policy alone, then mixtures."""
    if number < len(POLICIES):
        return [POLICIES[number]] * players
    return random.Random(number).choices(POLICIES, k=players)


def differing(mine: dict[str, Any], other: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Return the columns that are not equal, or are in one row only."""
    none = object()
    return {
        name: (mine.get(name), other.get(name))
        for name in mine.keys() | other.keys()
        if mine.get(name, none) != other.get(name, none)
    }


def differences(
    options: Mapping[str, Any],
    policies: Sequence[str],
    *,
    total: int,
    seed: int,
    play_seed: int | None = None,
    first_game: int = 0,
) -> Iterator[str]:
    """Play the same games twice and say where their rows differ."""
    players = len(policies)
    fast = play(
        options, policies, first_game=first_game, total=total, seed=seed, play_seed=play_seed
    )
    assert fast.error == 0
    for game in range(total):
        index = first_game + game
        game_slow = slow.play(
            players=players,
            rules={**slow.DEFAULTS, **options},
            policies=policies,
            seed=seed,
            play_seed=play_seed,
            index=index,
        )
        pairs = [
            (
                {"seed": seed, "index": index, **game_row(fast, game, players)},
                game_slow["record"]["outcome"],
            )
        ]
        deals = [{"seed": seed, **row} for row in deal_rows(fast, index, players)]
        pairs += zip(deals, game_slow["deals_rows"], strict=True)
        for mine, other in pairs:
            if found := differing(mine, other):
                yield f"{options} {policies} seed {seed} game {index}: {found}"


def check(
    options: Mapping[str, Any], players: Sequence[int], total: int, *, seed: int, lineups: int = 5
) -> None:
    """Play `total` games in all, spread over numbers of players and lineups."""
    cells = [(n, number) for number in range(lineups) for n in players]
    chance = random.Random(seed)
    chance.shuffle(cells)
    for place, (n, number) in enumerate(cells):
        share = total // len(cells) + (place < total % len(cells))
        if not share:
            continue
        play_seed = None if chance.random() < 0.5 else chance.randrange(1 << 64)
        found = differences(
            options,
            lineup(n, number),
            total=share,
            seed=chance.randrange(1 << 64),
            play_seed=play_seed,
            first_game=chance.choice((0, 1, 4_000_000_007)),
        )
        assert next(found, None) is None


def label(options: Mapping[str, Any]) -> str:
    return ",".join(f"{name}={value}" for name, value in options.items()) or "seed"


@pytest.mark.parametrize("options", SINGLE, ids=label)
def test_each_option(options: dict[str, Any]) -> None:
    check(options, PLAYERS, 16, seed=1)


@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset(preset: str) -> None:
    check(PRESETS[preset], PLAYERS, 20, seed=2)


def drawn(number: int) -> tuple[dict[str, Any], int]:
    """Return one of the fixed random option sets and a number of players."""
    chance = random.Random(f"combination {number}")
    return combination(chance), chance.choice(PLAYERS)


@pytest.mark.parametrize("tens", range(COMBINATIONS // 10))
def test_random_combinations(tens: int) -> None:
    for number in range(10 * tens, 10 * tens + 10):
        options, players = drawn(number)
        check(options, [players], 4, seed=number)


def test_shuffles_of_one_card_use_no_chance() -> None:
    # KG-6, KG-12: such a carousel is a cycle; the seeds were found by searching
    options = {"recycle": "shuffle", "wrap": True, "ace_choice": True, "endless": "fewest"}
    lone = {**options, "ace_resets": 1, "ace_scope": "player", "hand_size": 2, "lead": "run"}
    mixed = ["one-card", "one-card", "one-card", "eager"]
    for rules, policies, seed, game in (
        (lone, ["one-card"] * 2, 3270210845, 1012),
        ({**options, "first": "rotate"}, mixed, 2795036095, 3),
    ):
        found = differences(rules, policies, total=1, seed=seed, first_game=game)
        assert next(found, None) is None
        played = play(rules, policies, total=1, seed=seed, first_game=game)
        assert game_row(played, 0, len(policies))["proof"] == "cycle"


def test_play_seed_moves_the_play_and_not_the_deal() -> None:
    one = play({}, ["random"] * 4, total=200, seed=5)
    same = play({}, ["random"] * 4, total=200, seed=5, play_seed=5)
    other = play({}, ["random"] * 4, total=200, seed=5, play_seed=6)
    assert (one.games == same.games).all()
    assert (one.games != other.games).any()
    deck = play({}, ["one-card"] * 4, total=200, seed=5)
    assert (deck.games == play({}, ["one-card"] * 4, total=200, seed=5, play_seed=6).games).all()


@pytest.mark.slow
@pytest.mark.parametrize("options", SINGLE, ids=label)
def test_each_option_at_full_size(options: dict[str, Any], scaled: Callable[[int], int]) -> None:
    check(options, PLAYERS, scaled(FULL), seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset_at_full_size(preset: str, scaled: Callable[[int], int]) -> None:
    check(PRESETS[preset], PLAYERS, scaled(FULL), seed=4)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(COMBINATIONS))
def test_each_random_combination_at_full_size(number: int, scaled: Callable[[int], int]) -> None:
    options, players = drawn(number)
    check(options, [players], scaled(FULL), seed=1000 + number)
