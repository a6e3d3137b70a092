"""Scripted policies for King, in the order listed (K-8, K-9)."""

from __future__ import annotations

from typing import Any

from simlib.cards import count, highest, lowest, nth
from simlib.games.king.policies_cards import highest_rank, lowest_rank
from simlib.games.king.policies_sensible import counting, sensible
from simlib.games.king.policies_tricks import duck, grab
from simlib.games.king.view import PLAY
from simlib.policy import Policy, policy
from simlib.rng import below

__all__ = ["POLICIES", "counting", "duck", "grab", "high", "low", "random", "sensible"]


@policy("king", builtin=True)
def random(view: Any, rng: Any) -> int:
    """Picks any of the options, each as likely."""
    return nth(view.options, below(rng, count(view.options)))


@policy("king", builtin=True)
def low(view: Any, rng: Any) -> int:
    """Always plays the lowest legal card, and takes the first option elsewhere."""
    return lowest_rank(view.options) if view.decision == PLAY else lowest(view.options)


@policy("king", builtin=True)
def high(view: Any, rng: Any) -> int:
    """Always plays the highest legal card, and takes the last option elsewhere."""
    return highest_rank(view.options) if view.decision == PLAY else highest(view.options)


#: Built-in policies by name, in the order listed.
POLICIES: dict[str, Policy] = {
    policy.name: policy for policy in (random, low, high, duck, grab, sensible, counting)
}
