"""Royal Corners: options, and what people and policies ask of a position (RC).

For people: :func:`moves`. For policies: the jitted :func:`move`, :func:`source_of`,
:func:`corner_of`, :func:`nth_move`, :func:`below`, :func:`above`, :func:`fits_least`, and the
sources ``STOCK`` and ``PILE`` (+ corner).
"""

from __future__ import annotations

from simlib.games.royal_corners.faces import moves
from simlib.games.royal_corners.moves import (
    KINGS,
    PILE,
    STOCK,
    above,
    below,
    corner_of,
    fits_least,
    move,
    nth_move,
    source_of,
)
from simlib.games.royal_corners.rules import PRESETS, RoyalCornersRules

__all__ = [
    "KINGS",
    "PILE",
    "PRESETS",
    "STOCK",
    "RoyalCornersRules",
    "above",
    "below",
    "corner_of",
    "fits_least",
    "move",
    "moves",
    "nth_move",
    "source_of",
]
