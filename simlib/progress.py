"""A line that shows games done, games a second and the time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

__all__ = ["line"]


def line() -> Callable[[int, int, float, str], None]:
    """Return a function that shows progress on standard error.

    On a terminal one line is drawn over and over; elsewhere a plain line is printed every
    ten seconds.
    """
    terminal = sys.stderr.isatty()
    last = [time.perf_counter()]

    def show(done: int, total: int, seconds: float, note: str) -> None:
        now = time.perf_counter()
        finished = done >= total
        if now - last[0] < (0.1 if terminal else 10.0) and not (finished and terminal):
            return
        last[0] = now
        rate = done / seconds if seconds > 0 else 0.0
        left = (total - done) / rate if rate else float("inf")
        text = f"{done:,} of {total:,} games, {rate:,.0f} games/s, {_duration(left)} left"
        if note:
            text += f"; {note}"
        if terminal:
            sys.stderr.write("\r\x1b[2K" + text + ("\n" if finished else ""))
        else:
            sys.stderr.write(text + "\n")
        sys.stderr.flush()

    return show


def _duration(seconds: float) -> str:
    if seconds == float("inf"):
        return "?"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
