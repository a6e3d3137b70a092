"""Games played by the kernel, driven by hand, as plain rows for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simlib.games.columns import Column
from simlib.games.control import DEALS, ERROR, FULL, new_control
from simlib.games.king_george import kernel
from simlib.games.king_george.outcome import DEAL, DEAL_COLUMNS, GAME, GAME_COLUMNS
from simlib.games.king_george.policies import POLICIES
from simlib.games.king_george.rules import KingGeorgeRules, pack
from simlib.policy import Policy

SEATS = 5

#: Every other value of every option, as far as values differ in kind.
OTHER_VALUES: dict[str, tuple[Any, ...]] = {
    "hand_size": (1, 2, 10),
    "lead": ("run",),
    "wrap": (True,),
    "ace_fits": ("any",),
    "must_run": (True,),
    "draw": ("one",),
    "recycle": ("shuffle", "none"),
    "recycle_when": ("emptied",),
    "ace_resets": (0, 1, 2, 4),
    "ace_choice": (True,),
    "ace_scope": ("player",),
    "after_out": ("round", "none"),
    "out_tie": ("share",),
    "max_playoffs": (0, 1),
    "deadlock_tie": ("playoff",),
    "max_turns": (1, 7, 60),
    "endless": ("fewest",),
    "first": ("rotate",),
}
SINGLE: list[dict[str, Any]] = [{}] + [
    {name: value} for name, values in OTHER_VALUES.items() for value in values
]


def combination(chance: Any) -> dict[str, Any]:
    """Return options drawn at random, about half of them off their defaults."""
    return {
        name: chance.choice(values)
        for name, values in OTHER_VALUES.items()
        if chance.random() < 0.5
    }


@dataclass
class Played:
    """What the kernel left: rows, ``control[ERROR]``, and the STATE of the last deal."""

    games: np.ndarray
    deals: np.ndarray
    error: int
    state: Any


def play(
    options: Mapping[str, Any],
    policies: Sequence[str | Policy],
    *,
    first_game: int = 0,
    total: int = 1,
    seed: int = 0,
    play_seed: int | None = None,
    prove: bool = True,
    trusted: bool = False,
) -> Played:
    """Play games, one policy a seat; the number of policies is the number of players."""
    rules = pack(KingGeorgeRules(**options), len(policies), prove=prove, trusted=trusted)
    params = np.zeros((SEATS, 8))
    compiled = [(p if isinstance(p, Policy) else POLICIES[p]).compiled() for p in policies]
    compiled += compiled[:1] * (SEATS - len(compiled))
    work = kernel.scratch(rules, params)
    games = np.zeros(total, GAME)
    seeds = np.array([seed, seed if play_seed is None else play_seed], np.uint64)
    room = 4 * total + 64
    while True:
        deals = np.zeros(room, DEAL)
        control = new_control()
        kernel.simulate(
            rules, tuple(compiled), seeds, first_game, total, games, deals, work, control, None,
            None,
        )  # fmt: skip
        if not control[FULL]:
            return Played(games, deals[: control[DEALS]], int(control[ERROR]), work[0][0])
        room *= 4


def named(row: Any, columns: Sequence[Column], players: int) -> dict[str, Any]:
    """Return a row as tables show it: labels, shares, one entry a seat."""

    def shown(column: Column, value: Any) -> Any:
        if column.labels:
            return column.labels[value] if value >= 0 else None
        return value / column.scale if column.scale != 1 else value

    out: dict[str, Any] = {}
    for column in columns:
        value = row[column.name].tolist()
        if column.seats:
            for seat in range(players):
                out[f"{column.name}_{seat}"] = shown(column, value[seat])
        else:
            out[column.name] = shown(column, value)
    return out


def game_row(played: Played, game: int, players: int) -> dict[str, Any]:
    """Return one row of the table of games."""
    return named(played.games[game], GAME_COLUMNS, players)


def deal_rows(played: Played, index: int, players: int) -> list[dict[str, Any]]:
    """Return the rows of the deals of the game with this index."""
    rows = played.deals[played.deals["index"] == index]
    return [named(row, DEAL_COLUMNS, players) for row in rows]
