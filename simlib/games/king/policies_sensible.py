"""Policies for King that know what scores (K-8, K-9)."""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib.games.king.policies_choices import choose
from simlib.games.king.policies_play import best_card
from simlib.games.king.view import PLAY
from simlib.policy import policy

__all__ = ["counting", "sensible"]

NO, YES = np.int64(0), np.int64(1)


@policy("king", builtin=True)
def sensible(view: Any, rng: Any) -> int:
    """Weighs what a trick may bring against what the cards kept may, from what lies open."""
    return best_card(view, NO) if view.decision == PLAY else choose(view)


@policy("king", builtin=True)
def counting(view: Any, rng: Any) -> int:
    """Plays like `sensible`, and remembers every card played and every void shown."""
    return best_card(view, YES) if view.decision == PLAY else choose(view)
