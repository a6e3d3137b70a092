"""Codes of the events in the kernel's log: rows of (code, seat, value).

The value of a play is ``card * 8 + corner``, that of a move ``corner * 8 + corner``.
"""

from __future__ import annotations

__all__ = ["DEAL", "DRAW", "END", "MOVE", "OUT", "PLAY_HAND", "PLAY_STOCK", "STOP"]

DEAL, PLAY_HAND, PLAY_STOCK, MOVE, STOP, DRAW, OUT, END = range(8)
