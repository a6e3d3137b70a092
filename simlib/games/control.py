"""What a kernel shares with its caller: the control array and the event log.

The control array is int64, one place a meaning; the log has one row an event: code, seat, value.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib.jit import helper

__all__ = [
    "ANSWER",
    "CONTROL_SIZE",
    "DEALS",
    "DONE",
    "ERROR",
    "FULL",
    "GAME",
    "KIND",
    "LOGGED",
    "OPTIONS",
    "SEAT",
    "STOPPED",
    "new_control",
    "note",
]

STOPPED = 0  # set by the caller: stop before the next game
DONE = 1  # games finished in this call
DEALS = 2  # rows written to the table of deals in this call
LOGGED = 3  # events written, also beyond the end of the log
FULL = 4  # 1: the table of deals had no room for this game's deals
ERROR = 5  # 1: an answer outside the options (C-5)
GAME = 6  # index of the game being played
SEAT = 7  # seat that was asked last
ANSWER = 8  # the answer that was no option
OPTIONS = 9  # the options it was not among
KIND = 10  # the game's own code of the decision
CONTROL_SIZE = 16


def new_control() -> np.ndarray:
    """Return a zeroed control array."""
    return np.zeros(CONTROL_SIZE, np.int64)


@helper
def note(log: Any, control: Any, code: int, seat: int, value: int) -> None:
    """Write one event; a log that is full only counts on, and the caller plays again."""
    if log is not None:
        n = control[LOGGED]
        if n < log.shape[0]:
            log[n, 0] = code
            log[n, 1] = seat
            log[n, 2] = value
        control[LOGGED] = n + 1
