"""Codes of the events in the kernel's log: rows of (code, seat, value)."""

from __future__ import annotations

__all__ = ["CARD", "DEAL", "DRAW", "END", "OUT", "PASS", "PLAY", "RECYCLE", "SET_ASIDE", "STOP"]

DEAL, PLAY, DRAW, RECYCLE, CARD, SET_ASIDE, STOP, PASS, OUT, END = range(10)
