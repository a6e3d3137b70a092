"""Codes of the events in the kernel's log: rows of (code, seat, value).

``TALON``, ``DISCARD`` and ``KEEP`` are followed by one ``CARD`` row for each card.
"""

from __future__ import annotations

__all__ = [
    "BID",
    "CARD",
    "CONTRACT",
    "DEAL",
    "DISCARD",
    "DRAW",
    "KEEP",
    "PLAY",
    "SUIT",
    "TALON",
    "TRICK",
    "TRUMP",
]

DEAL, BID, CONTRACT, TRUMP, SUIT, TALON, DISCARD, CARD, PLAY, DRAW, TRICK, KEEP = range(12)
