"""What the analyses of Royal Corners have in common: their cells, and the order of rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from analyses.base import identity
from analyses.tables import groups
from simlib import games
from simlib.setup import Setup, prepare

__all__ = [
    "DEALS",
    "FAMILY",
    "GAME",
    "PLAYERS",
    "PRESETS",
    "by_cell",
    "cells",
    "label",
    "policies",
    "under",
]

GAME = "royal-corners"
#: Analyses that share their runs.
FAMILY = ("analyses.corners_penalties", "analyses.corners_stalls")
PLAYERS = (2, 3, 4)
#: Deals at a table: a share of one half has a half-width of 0.0031; three games share the
#: minutes that a report may take, and the pages say which intervals are wider than 0.002.
DEALS = 100_000
PRESETS = ("seed", "every-turn", "pagat")
CELL = ("preset", "players", "policy")


def policies() -> tuple[str, ...]:
    """Return the game's policies in their order."""
    return tuple(games.get(GAME).policies)


def cells(
    presets: Iterable[str] = PRESETS,
    players: Iterable[int] = PLAYERS,
    names: Sequence[str] | None = None,
    *,
    seed: int = 0,
) -> list[Setup]:
    """Return the tables that are played; all seats of a table play alike.

    Every number of players is played by the first policy, the largest table by every policy.
    """
    chosen = policies() if names is None else tuple(names)
    sizes = tuple(players)
    found, known = [], set()
    for preset in presets:
        for n in sizes:
            for policy in chosen if n == max(sizes) else chosen[:1]:
                setup = prepare(GAME, players=n, policies=policy, preset=preset, seed=seed)
                if identity(setup) not in known:
                    known.add(identity(setup))
                    found.append(setup)
    return found


def under(preset: str) -> str:
    """Name the rules of a preset in a sentence."""
    if preset == "seed":
        return "under the source's rules (preset `seed`)"
    return f"under preset `{preset}`"


def label(setup: Setup) -> dict[str, Any]:
    """Return preset, players and policy of a table."""
    rules = setup.table.rules.changed()
    presets = games.get(GAME).presets(None)
    preset = next((name for name in presets if dict(presets[name]) == rules), "own rules")
    specs = [policy.spec for policy in setup.policies]
    policy = specs[0] if len(set(specs)) == 1 else ",".join(specs)
    return {"preset": preset, "players": setup.players, "policy": policy}


def by_cell(part: pd.DataFrame) -> list[tuple[dict[str, Any], pd.DataFrame]]:
    """Return the cells of a merged table in the order of presets, players and policies."""
    order = {name: place for place, name in enumerate(policies())}
    presets = {name: place for place, name in enumerate(PRESETS)}
    found = [
        (dict(zip(CELL, key, strict=True)), group.droplevel(list(CELL)))
        for key, group in groups(part, *CELL)
    ]
    return sorted(
        found,
        key=lambda cell: (
            presets.get(cell[0]["preset"], len(presets)),
            cell[0]["players"],
            order.get(cell[0]["policy"], len(order)),
        ),
    )
