"""The kernel and the slow engine play identical games, column by column."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from simlib.games.royal_corners.rules import PRESETS

from .kernel_games import CHOICES, SINGLES, dealable, kernel_rows, slow_rows


def name(options: dict[str, Any]) -> str:
    return " ".join(f"{key}={value}" for key, value in options.items()) or "defaults"


def compare(options: dict[str, Any], policies: list[str], unit: str, **where: Any) -> None:
    fast = kernel_rows(options, policies, unit=unit, **where)
    slow = slow_rows(options, policies, unit=unit, **where)
    for ours, theirs in zip(fast, slow, strict=True):
        assert len(ours) == len(theirs)
        for row, wanted in zip(ours, theirs, strict=True):
            assert row == wanted, {key: (row[key], wanted[key]) for key in wanted
                                   if row[key] != wanted[key]}  # fmt: skip


def play_both(options: dict[str, Any], games: int, seed: int = 0) -> None:
    """Play all numbers of players, both units, and both policies that the two engines share."""
    for players in (2, 3, 4):
        if not dealable(options, players):
            continue
        mixed = ["eager" if (seat + seed) % 2 else "random" for seat in range(players)]
        single = games // 3
        compare(options, ["random"] * players, "deal", seed=seed, total=single)
        compare(options, mixed, "deal", seed=seed, play_seed=9, first=2**40, total=single // 4)
        longest = min(options.get("max_deals", 200), options.get("target", 50) // 8 + 1)
        matches = max(1, single // (8 * longest))
        compare(options, mixed, "match", seed=seed + 1, first=5, total=matches)


ALL_SETS = [{}, *SINGLES, *(dict(preset) for preset in PRESETS.values() if preset)]


def random_options(seed: int) -> dict[str, Any]:
    dice = random.Random(seed)
    return {key: dice.choice(values) for key, values in CHOICES.items()}


@pytest.mark.parametrize("options", ALL_SETS, ids=name)
def test_equal_rows_for_every_option(options: dict[str, Any]) -> None:
    play_both(options, 60)


@pytest.mark.parametrize("seed", range(20))
def test_equal_rows_for_options_together(seed: int) -> None:
    play_both(random_options(seed), 36, seed)


@pytest.mark.slow
@pytest.mark.parametrize("options", ALL_SETS, ids=name)
def test_equal_rows_for_every_option_full_size(
    options: dict[str, Any], scaled: Callable[[int], int]
) -> None:
    play_both(options, scaled(2000), 77)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_equal_rows_for_options_together_full_size(seed: int, scaled: Callable[[int], int]) -> None:
    play_both(random_options(1000 + seed), scaled(2000), seed)
