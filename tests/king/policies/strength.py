"""How much better one policy of King plays than another, on common deals (C-4).

Two designs. With four players two of each sit crosswise, ``a b a b``, and both rotations are
played on every deal; with three, ``a`` sits against two of ``b``, in all three rotations. The unit
is the deal (or match), averaged over rotations and over the seats that a policy had; a difference
is paired by deal.
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
    a: str,
    b: str,
    metric: str,
    *,
    variety: str,
    games: int,
    players: int | None = None,
    unit: str = "deal",
    rules: Mapping[str, Any] | None = None,
    seed: int = 1,
) -> Edge:
    """Play `games` deals or matches in every rotation."""
    three = prepare("king", variety=variety, players=players).players == 3
    setup = prepare(
        "king",
        variety=variety,
        players=players,
        unit=unit,
        rules=rules,
        policies=[a, b, b] if three else [a, b, a, b],
        seed=seed,
    )
    found = play_rotations(setup, games=games, metrics=[metric], threads=1).differences.iloc[0]
    assert (found["policy"], found["other"]) == (a, b)
    mean, se = float(found["difference"]), float(found["se"])
    return Edge(mean, float(found["low"]), float(found["high"]), float(norm.sf(mean / se)))


def weakest(edges: Sequence[Edge]) -> Edge:
    """Return the least sure of some edges: a policy beats all of several if it beats each."""
    return max(edges, key=lambda one: one.p)


def all_hold(edges: Mapping[str, Edge], level: float = 0.05) -> bool:
    """Tell whether every interval lies above zero, and every edge holds after Holm's method."""
    adjusted = holm([one.p for one in edges.values()])
    return all(one.low > 0 for one in edges.values()) and all(p < level for p in adjusted)
