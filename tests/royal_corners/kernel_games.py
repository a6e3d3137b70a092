"""Games from the kernel and from the slow engine as rows that can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from simlib.games.control import DEALS, DONE, ERROR, new_control
from simlib.games.recording import row_values
from simlib.games.royal_corners import kernel
from simlib.games.royal_corners.outcome import DEAL, DEAL_COLUMNS, GAME, GAME_COLUMNS
from simlib.games.royal_corners.policies import POLICIES
from simlib.games.royal_corners.rules import RoyalCornersRules, pack
from simlib.policy import PARAMS, Policy
from tests.slow import royal_corners as slow

Row = dict[str, Any]

#: Each single value of an option that is not its default, as one rule set.
SINGLES: list[dict[str, Any]] = [
    *({"hand_size": size} for size in (1, 2, 4, 10, 12)),
    {"starter": "left"},
    {"merge": "up"},
    *({"vacated": value} for value in ("turn", "next_turn", "always", "never")),
    {"stock_face": "down"},
    *({"draw": value} for value in ("every_turn", "turn_start")),
    *({"end": value} for value in ("first_out", "last_holder")),
    *({"target": value} for value in (1, 20, 200)),
    *({"max_deals": value} for value in (1, 3)),
    *({"max_turns": value} for value in (1, 5, 12)),
    {"king_corners": 4},
    {"king_pile": True},
    {"first": "rotate"},
]

#: Values that random rule sets are put together from.
CHOICES: dict[str, list[Any]] = {
    "hand_size": [None, 1, 3, 5, 9, 12],
    "starter": ["dealer", "left"],
    "merge": ["down", "up"],
    "vacated": ["next_move", "turn", "next_turn", "always", "never"],
    "stock_face": ["up", "down"],
    "draw": ["after_play", "every_turn", "turn_start"],
    "end": ["play_on", "first_out", "last_holder"],
    "target": [10, 50, 120],
    "max_deals": [2, 200],
    "max_turns": [4, 30, 1000],
    "king_corners": [0, 4],
    "king_pile": [False, True],
    "first": ["zero", "rotate"],
}


def dealable(options: dict[str, Any], players: int) -> bool:
    """Tell whether hands and corners do not take more than the deck (RC-1)."""
    return players * (options.get("hand_size") or 7) <= 48


class Played(NamedTuple):
    """What the kernel left behind."""

    games: np.ndarray
    deals: np.ndarray
    params: np.ndarray
    control: np.ndarray


def play(
    options: dict[str, Any],
    policies: Sequence[str | Policy],
    *,
    unit: str = "deal",
    seed: int = 0,
    play_seed: int | None = None,
    first: int = 0,
    total: int,
    trusted: bool = False,
) -> Played:
    """Play some consecutive games; built-in policies by name."""
    players = len(policies)
    rules = pack(RoyalCornersRules(**options), players, match=unit == "match", trusted=trusted)
    found = [POLICIES[who] if isinstance(who, str) else who for who in policies]
    compiled = [policy.compiled() for policy in found]
    games, deals = np.zeros(total, GAME), np.zeros(total * (201 if unit == "match" else 1), DEAL)
    control = new_control()
    seeds = np.array([seed, seed if play_seed is None else play_seed], np.uint64)
    params = np.zeros((4, PARAMS))
    params[:players] = [policy.packed_params() for policy in found]
    work = kernel.scratch(rules, params)
    kernel.simulate(
        rules, tuple(compiled + compiled[:1] * (4 - players)), seeds, first, total, games, deals,
        work, control, None, None,
    )  # fmt: skip
    assert (control[DONE], control[ERROR]) == (total, 0)
    return Played(games, deals[: control[DEALS]], work[2]["params"], control)


def kernel_rows(
    options: dict[str, Any], policies: Sequence[str], **where: Any
) -> tuple[list[Row], list[Row]]:
    """Return the table of games and the table of deals of some consecutive games."""
    played = play(options, policies, **where)
    players = len(policies)
    return (
        [row_values(row, GAME_COLUMNS, players) for row in played.games],
        [row_values(row, DEAL_COLUMNS, players) for row in played.deals],
    )


def slow_rows(
    options: dict[str, Any],
    policies: Sequence[str],
    *,
    unit: str = "deal",
    seed: int = 0,
    play_seed: int | None = None,
    first: int = 0,
    total: int,
) -> tuple[list[Row], list[Row]]:
    """Return the same tables as the slow engine plays them."""
    games: list[Row] = []
    deals: list[Row] = []
    for index in range(first, first + total):
        played = slow.play(
            players=len(policies), unit=unit, rules=slow.DEFAULTS | options,
            policies=policies, seed=seed, play_seed=play_seed, index=index,
        )  # fmt: skip
        games.append(_game_row(played["record"], unit))
        pairs = zip(played["record"]["deals"], played["deals_rows"], strict=True)
        deals.extend({**row, **_went_out(deal, len(policies))} for deal, row in pairs)
    for row in games + deals:
        row.pop("seed", None)
    return games, deals


def _game_row(record: dict[str, Any], unit: str) -> Row:
    """Return the row of the table of games; a deal on its own is a match of one, without losers."""
    outcome = record["outcome"]
    seats = range(record["players"])
    single = {
        "deals": 1,
        **{f"total_{seat}": outcome.get(f"penalty_{seat}") for seat in seats},
        **{f"loser_{seat}": False for seat in seats},
    }
    names = ["ending", "censored", "deals", "decisions", "options"]
    names += [f"{name}_{seat}" for name in ("win_share", "total", "loser") for seat in seats]
    merged = {**single, **outcome} if unit == "deal" else outcome
    return {name: merged[name] for name in names}


def _went_out(deal: dict[str, Any], players: int) -> Row:
    """Read off the events who went out when (RC-13)."""
    order = {f"out_order_{seat}": -1 for seat in range(players)}
    turns, first_turn, gone = 0, -1, 0
    for event in deal["events"]:
        if event["do"] == "out":
            order[f"out_order_{event['seat']}"] = gone
            first_turn = turns if gone == 0 else first_turn
            gone += 1
        turns += event["do"] == "end"
    return {**order, "first_out_turn": first_turn}
