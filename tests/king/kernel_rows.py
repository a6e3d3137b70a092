"""Games of King played by the kernel, driven by hand, as plain rows for tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simlib.games.control import DEALS, ERROR, FULL, new_control
from simlib.games.king import kernel
from simlib.games.king.outcome import DEAL, DEAL_COLUMNS, GAME, GAME_COLUMNS
from simlib.games.king.policies import POLICIES
from simlib.games.king.rules import VARIETIES, pack, rules_model
from simlib.games.recording import row_values
from simlib.policy import Policy

SEATS = 4
GAMES = [(name, n) for name, variety in VARIETIES.items() for n in variety.players]

#: Every other value of every option, as far as values differ in kind.
OTHER_VALUES: dict[str, tuple[Any, ...]] = {
    "first": ("rotate",),
    "play_out": (True,),
    "max_deals": (1, 3),
    "must_trump": (True,),
    "no_trump": (False,),
    "order_when": ("blind",),
    "trump_in": ("positive", "all", "none"),
    "trump_lead": ("declarer",),
    "removed": ("sevens",),
    "kept_as": ("trick",),
    "deck": (52,),
    "jokers": (2,),
    "joker_play": ("void", "any"),
    "joker_loses": ("led",),
    "deals": (1, 5),
    "bid": ("gain",),
    "auction": ("open",),
    "bidder_leads": (True,),
    "limit": (-1, -9),
    "eralash": (False,),
    "hvalenki": (0, 2),
    "kings_as_boys": (True,),
}


def options_of(variety: str, players: int) -> dict[str, tuple[Any, ...]]:
    """Return the values that differ from the default, for each option of a variety."""
    model = rules_model(variety)
    found = {
        name: tuple(v for v in OTHER_VALUES[name] if v != info.default)
        for name, info in model.model_fields.items()
        if name in OTHER_VALUES
    }
    if "jokers" in found and players == 4:
        del found["jokers"]
    if "contracts" in model.model_fields:
        names = VARIETIES[variety].names
        found["contracts"] = ((names[0],), (names[-1], names[4], names[4], names[0]))
    return found


def singles(variety: str, players: int) -> list[dict[str, Any]]:
    """Return the defaults, and each single value changed from them."""
    found = options_of(variety, players)
    return [{}] + [{name: value} for name, values in found.items() for value in values]


def combination(variety: str, players: int, chance: Any) -> dict[str, Any]:
    """Return options drawn at random, about half of them off their defaults."""
    return {
        name: chance.choice(values)
        for name, values in options_of(variety, players).items()
        if values and chance.random() < 0.5
    }


@dataclass
class Played:
    """What the kernel left: rows and ``control[ERROR]``."""

    games: np.ndarray
    deals: np.ndarray
    error: int


def play(
    variety: str,
    options: Mapping[str, Any],
    policies: Sequence[str | Policy],
    *,
    unit: str = "deal",
    first_game: int = 0,
    total: int = 1,
    seed: int = 0,
    play_seed: int | None = None,
    trusted: bool = False,
) -> Played:
    """Play games, one policy a seat; the number of policies is the number of players."""
    model = rules_model(variety)(**options)
    rules = pack(model, len(policies), match=unit == "match", trusted=trusted)
    compiled = [(p if isinstance(p, Policy) else POLICIES[p]).compiled() for p in policies]
    compiled += compiled[:1] * (SEATS - len(compiled))
    params = np.zeros((SEATS, 8))
    for seat, policy in enumerate(policies):
        if isinstance(policy, Policy):
            params[seat] = policy.packed_params()
    work = kernel.scratch(rules, params)
    games = np.zeros(total, GAME)
    seeds = np.array([seed, seed if play_seed is None else play_seed], np.uint64)
    room = total if unit == "deal" else 64 * total
    while True:
        deals = np.zeros(room, DEAL)
        control = new_control()
        kernel.simulate(
            rules, tuple(compiled), seeds, first_game, total, games, deals, work, control, None,
            None,
        )  # fmt: skip
        if not control[FULL]:
            return Played(games, deals[: control[DEALS]], int(control[ERROR]))
        room *= 4


def game_row(played: Played, game: int, players: int) -> dict[str, Any]:
    """Return one row of the table of games."""
    return row_values(played.games[game], GAME_COLUMNS, players)


def deal_rows(played: Played, index: int, players: int) -> list[dict[str, Any]]:
    """Return the rows of the deals of the game with this index."""
    rows = played.deals[played.deals["index"] == index]
    return [row_values(row, DEAL_COLUMNS, players) for row in rows]
