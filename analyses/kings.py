"""What the analyses of King have in common: varieties, tables, and the order of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analyses.tables import groups
from simlib import games
from simlib.setup import Setup, prepare

__all__ = ["GAME", "POLICIES", "VARIETIES", "beside", "by_cell", "cells", "label", "positions"]

GAME = "king"
#: The varieties of the source text, in its order.
VARIETIES = (
    "simple",
    "threesome",
    "ordered",
    "minsk",
    "minsk-declarer",
    "domino",
    "jokers",
    "trade",
    "omnibus",
    "atomic",
)
#: A player without a plan, one who weighs what lies open, one who also remembers.
POLICIES = ("random", "sensible", "counting")
CELL = ("variety", "policy")


def cells(
    varieties: Sequence[str] = VARIETIES,
    policies: Sequence[str] = POLICIES,
    *,
    unit: str = "deal",
    rules: dict[str, Any] | None = None,
    seed: int = 0,
) -> list[Setup]:
    """Return one table for each variety and policy; all seats of a table play alike."""
    known = games.get(GAME).policies
    return [
        prepare(GAME, variety=variety, unit=unit, policies=policy, rules=rules, seed=seed)
        for variety in varieties
        for policy in policies
        if policy in known
    ]


def label(setup: Setup) -> dict[str, Any]:
    """Return variety and policy of a table."""
    specs = [policy.spec for policy in setup.policies]
    same = len(set(specs)) == 1
    return {"variety": setup.table.variety, "policy": specs[0] if same else ",".join(specs)}


def positions(frame: pd.DataFrame, column: str) -> np.ndarray:
    """Return a per-seat column by position: 0 is first, then in turn order (K-10)."""
    names = [name for name in frame if str(name).startswith(f"{column}_")]
    names = [name for name in names if str(name)[len(column) + 1 :].isdigit()]
    values = frame[names].to_numpy(np.int64)
    n = len(names)
    places = (frame["first"].to_numpy(np.int64)[:, None] + np.arange(n)) % n
    return np.asarray(np.take_along_axis(values, places, axis=1))


def beside(place: int, count: int, gap: float = 0.24) -> float:
    """Return how far series `place` of `count` stands from the middle of its row."""
    return gap * (place - (count - 1) / 2)


def by_cell(part: pd.DataFrame) -> list[tuple[dict[str, Any], pd.DataFrame]]:
    """Return the cells of a merged table in the order of varieties and policies."""
    varieties = {name: place for place, name in enumerate(VARIETIES)}
    policies = {name: place for place, name in enumerate(games.get(GAME).policies)}
    found = [
        (dict(zip(CELL, key, strict=True)), group.droplevel(list(CELL)))
        for key, group in groups(part, *CELL)
    ]
    return sorted(
        found,
        key=lambda cell: (
            varieties.get(cell[0]["variety"], len(varieties)),
            policies.get(cell[0]["policy"], len(policies)),
        ),
    )
