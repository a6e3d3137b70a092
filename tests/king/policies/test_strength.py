"""`sensible` beats the simple policies in every contract, `counting` beats `sensible` everywhere.

With four players two of each sit crosswise, with three one sits against two. A normal run plays a
fixed share of the deals.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from simlib.games.king.contracts import FOURTEEN
from tests.strength import Edge, all_hold, edge, weakest

SIMPLE = ("random", "low", "high", "duck", "grab")
#: Variety and players: the ten, and those for three or four with three as well.
VARIETIES = (
    ("simple", 4),
    ("threesome", 3),
    ("ordered", 4),
    ("minsk", 3),
    ("minsk-declarer", 3),
    ("domino", 4),
    ("jokers", 4),
    ("trade", 4),
    ("omnibus", 4),
    ("atomic", 3),
    ("jokers", 3),
    ("trade", 3),
    ("omnibus", 3),
)
#: Matches of one deal's worth of time each.
DEALS = {"simple": 14, "threesome": 14, "ordered": 56, "minsk": 27, "minsk-declarer": 27,
         "domino": 5, "jokers": 4, "trade": 30, "omnibus": 20, "atomic": 42}  # fmt: skip


def sensible_in_contracts(deals: int, seed: int) -> dict[str, Edge]:
    """Compare `sensible` with each simple policy in each contract; keep the least sure."""
    return {
        contract: weakest(
            [
                edge(
                    "king",
                    ["sensible", other] * 2,
                    "score",
                    rules={"contracts": [contract]},
                    games=deals,
                    seed=seed,
                )
                for other in SIMPLE
            ]
        )
        for contract in FOURTEEN
    }


def counting_in_varieties(deals: int, metric: str, seed: int) -> dict[str, Edge]:
    """Compare `counting` with `sensible` over matches of about so many deals in all."""
    return {
        f"{variety} {players}": edge(
            "king",
            ["counting", "sensible"] * 2 if players == 4 else ["counting", "sensible", "sensible"],
            metric,
            variety=variety,
            unit="match",
            games=max(deals // DEALS[variety], 60),
            seed=seed,
        )
        for variety, players in VARIETIES
    }


def test_sensible_beats_each_simple_policy_in_each_contract() -> None:
    found = sensible_in_contracts(2500, seed=3)
    assert all_hold(found), found


def test_counting_beats_sensible_over_a_match_in_every_variety() -> None:
    found = counting_in_varieties(8000, "total", seed=3)
    assert all_hold(found), found


@pytest.mark.slow
def test_sensible_beats_each_simple_policy_at_full_size(scaled: Callable[[int], int]) -> None:
    found = sensible_in_contracts(max(scaled(40_000), 2000), seed=4)
    assert all_hold(found), found


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["win_share", "total"])
def test_counting_beats_sensible_at_full_size(metric: str, scaled: Callable[[int], int]) -> None:
    found = counting_in_varieties(max(scaled(400_000), 20_000), metric, seed=4)
    assert all_hold(found), found
