"""Scripted policies for King, in the order listed (K-8, K-9)."""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib.cards import count, highest, lowest, nth
from simlib.games.king.kernel_tricks import LANE, NATURAL
from simlib.games.king.view import PLAY
from simlib.jit import helper
from simlib.policy import Policy, policy
from simlib.rng import below

__all__ = ["POLICIES", "high", "highest_rank", "low", "lowest_rank", "random"]

U = np.uint64
#: One bit a lane: the cards of rank 0.
EVERY_SUIT = U(0x0001000100010001)


@helper
def ranks_of(cards: Any) -> Any:
    """Return the ranks among some natural cards, as 13 bits (uint64)."""
    halves = cards | (cards >> U(32))
    return (halves | (halves >> U(16))) & LANE


@helper
def lowest_rank(cards: Any) -> int:
    """Return the card of lowest rank (int64); ties by suit, S H D C; jokers stand highest."""
    natural = cards & NATURAL
    if natural == U(0):
        return lowest(cards)
    return lowest(natural & (EVERY_SUIT << U(lowest(ranks_of(natural)))))


@helper
def highest_rank(cards: Any) -> int:
    """Return the card of highest rank (int64); ties by suit, S H D C; jokers stand highest."""
    jokers = cards & ~NATURAL
    if jokers != U(0):
        return lowest(jokers)
    return lowest(cards & (EVERY_SUIT << U(highest(ranks_of(cards)))))


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
POLICIES: dict[str, Policy] = {policy.name: policy for policy in (random, low, high)}
