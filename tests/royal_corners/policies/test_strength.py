"""`planner` leaves fewer penalty points than each other policy, on common deals (C-4).

One seat is the planner's, all others play the other policy.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from simlib.games.royal_corners.policies import POLICIES
from simlib.games.royal_corners.rules import PLAYERS, PRESETS
from tests.strength import Edge, all_hold, edge

OTHERS = tuple(name for name in POLICIES if name != "planner")


def over_others(preset: str, players: int, deals: int, seed: int) -> dict[str, Edge]:
    """Return how many more points each other policy keeps in hand than `planner`."""
    return {
        other: edge(
            "royal-corners",
            [other] * (players - 1) + ["planner"],
            "penalty",
            preset=preset,
            games=deals,
            seed=seed,
        )
        for other in OTHERS
    }


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("preset", ["seed", "every-turn"])
def test_planner_beats_each_other_policy(preset: str, players: int) -> None:
    found = over_others(preset, players, 1500, seed=3)
    assert all_hold(found), found


@pytest.mark.slow
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("preset", list(PRESETS))
def test_planner_beats_each_other_policy_at_full_size(
    preset: str, players: int, scaled: Callable[[int], int]
) -> None:
    least = 20_000 if preset == "pagat" else 6000  # there `merge-first` plays nearly as well
    found = over_others(preset, players, max(scaled(20_000), least), seed=4)
    assert all_hold(found), found


@pytest.mark.slow
@pytest.mark.parametrize("players", PLAYERS)
def test_a_vacated_corner_is_worth_more_to_what_fits_nowhere_else(players: int) -> None:
    """Where every turn draws, `planner` gives up his plan of this turn for that."""
    only_this_turn = edge(
        "royal-corners",
        ["planner(keep_corners=0)"] * (players - 1) + ["planner"],
        "penalty",
        preset="every-turn",
        games=6000,
        seed=4,
    )
    assert only_this_turn.low > 0
