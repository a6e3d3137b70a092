"""How much better one policy plays than another, on common deals with seats rotated (C-4).

The unit is the deal (or match), averaged over all rotations of the seats and over the seats that a
policy had; a difference is paired by deal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scipy.stats import norm

from simlib.rotation import play_rotations
from simlib.setup import prepare
from simlib.stats import holm


@dataclass(frozen=True)
class Edge:
    """The mean of a - b in one figure, with its 95 % interval and one-sided p-value."""

    mean: float
    low: float
    high: float
    p: float


def edge(
    game: str,
    policies: Sequence[str],
    metric: str,
    *,
    games: int,
    variety: str | None = None,
    unit: str | None = None,
    rules: Mapping[str, Any] | None = None,
    preset: str | None = None,
    seed: int = 1,
) -> Edge:
    """Return the edge of the first of two policies over the other, in games of every rotation."""
    setup = prepare(
        game,
        variety=variety,
        players=len(policies),
        unit=unit,
        rules=rules,
        preset=preset,
        policies=policies,
        seed=seed,
    )
    played = play_rotations(setup, games=games, metrics=[metric], threads=1)
    found = played.differences.iloc[0]
    assert {found["policy"], found["other"]} == set(policies)
    assert found["policy"] == policies[0]
    mean, se = float(found["difference"]), float(found["se"])
    return Edge(mean, float(found["low"]), float(found["high"]), float(norm.sf(mean / se)))


def weakest(edges: Sequence[Edge]) -> Edge:
    """Return the least sure of some edges: a policy beats all of several if it beats each."""
    return max(edges, key=lambda one: one.p)


def all_hold(edges: Mapping[str, Edge], level: float = 0.05) -> bool:
    """Tell whether every interval lies above zero, and every edge holds after Holm's method."""
    adjusted = holm([one.p for one in edges.values()])
    return all(one.low > 0 for one in edges.values()) and all(p < level for p in adjusted)
