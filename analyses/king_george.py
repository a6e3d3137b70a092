"""What the analyses of King George III have in common: their cells, and the order of rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd

from analyses import style
from analyses.tables import groups, records
from simlib import games
from simlib.setup import Setup, prepare

__all__ = [
    "FAMILY",
    "GAME",
    "PLAYERS",
    "POLICIES",
    "by_cell",
    "cells",
    "look",
    "ordered",
    "table_words",
]

GAME = "king-george-iii"
#: Analyses that look at the same cells.
FAMILY = ("analyses.endings", "analyses.lengths", "analyses.orphans", "analyses.seats")
PLAYERS = (2, 3, 4, 5)
POLICIES = (
    "random",
    "one-card",
    "eager",
    "longest-run",
    "ace-early",
    "ace-late",
    "no-orphans",
)


def cells(
    players: Iterable[int] = PLAYERS, policies: Iterable[str] = POLICIES, *, seed: int = 0
) -> list[Setup]:
    """Return one setup for each number of players and policy, all seats playing alike."""
    return [
        prepare(GAME, players=n, policies=policy, seed=seed) for n in players for policy in policies
    ]


def ordered(frame: pd.DataFrame, *more: str) -> pd.DataFrame:
    """Sort a frame by players, policies in the game's order, then by other columns."""
    known = list(games.get(GAME).policies)
    places = {name: place for place, name in enumerate(known)}
    keys = frame["policy"].map(lambda name: (places.get(name, len(known)), name))
    return (
        frame.assign(_place=keys)
        .sort_values(["players", "_place", *more], kind="stable")
        .drop(columns="_place")
        .reset_index(drop=True)
    )


def by_cell(part: pd.DataFrame) -> list[tuple[int, str, pd.DataFrame]]:
    """Return players, policy and the rest of each cell of a table, in order."""
    cells = {
        (int(players), str(policy)): group.droplevel(["players", "policy"])
        for (players, policy), group in groups(part, "players", "policy")
    }
    frame = ordered(pd.DataFrame(list(cells), columns=["players", "policy"]))
    keys = [(int(row["players"]), str(row["policy"])) for row in records(frame)]
    return [(players, policy, cells[players, policy]) for players, policy in keys]


def table_words(players: int, policy: str) -> str:
    """Name the players of a cell in words."""
    number = {2: "two", 3: "three", 4: "four", 5: "five"}.get(players, str(players))
    return f"{number} `{policy}` players"


def look(place: int) -> dict[str, Any]:
    """Return how a policy's line looks; with more policies than series, open markers."""
    found = style.line(place)
    if place >= len(style.SERIES):
        found |= {"markerfacecolor": style.PAPER, "linestyle": (0, (2, 2)), "linewidth": 1.0}
    return found
