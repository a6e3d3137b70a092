"""The scripted players of Royal Corners."""

from __future__ import annotations

from typing import Any

from simlib.games.royal_corners.moves import nth_move
from simlib.policy import STOP, Policy, policy
from simlib.rng import below

__all__ = ["POLICIES"]


@policy("royal-corners", builtin=True)
def random(view: Any, rng: Any) -> int:
    """Picks blindly among every move and stopping."""
    index = below(rng, view.moves + 1)
    if index == view.moves:
        return STOP
    return nth_move(view, index)


@policy("royal-corners", builtin=True)
def eager(view: Any, rng: Any) -> int:
    """Makes any move there is, never stopping of his own will."""
    index = 0
    if view.moves > 1:
        index = below(rng, view.moves)
    return nth_move(view, index)


#: All of them by name.
POLICIES: dict[str, Policy] = {found.name: found for found in (random, eager)}
