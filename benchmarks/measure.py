"""Measuring: processor time on one core, interleaved, the best of several rounds."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

__all__ = ["best_of", "enough", "on_one_core", "processor_time"]

T = TypeVar("T")


@contextmanager
def on_one_core() -> Iterator[None]:
    """Keep this process and its children on one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def processor_time(work: Callable[[], T]) -> tuple[float, T]:
    """Return the seconds of processor time of this process, and what came of it.

    What other programs take of a shared core does not count.
    """
    begun = time.process_time()
    found = work()
    return time.process_time() - begun, found


def best_of(rounds: int, *measures: Callable[[], float]) -> list[float]:
    """Return the least seconds of each, measured in turns: A B A B …"""
    best = [float("inf")] * len(measures)
    for _ in range(rounds):
        for i, measure in enumerate(measures):
            best[i] = min(best[i], measure())
    return best


def enough(measure: Callable[[int], float], seconds: float = 0.6) -> int:
    """Return how many games this takes so many seconds for, at least 20 000."""
    games = 20_000
    while (took := measure(games)) < seconds / 4:
        games *= 2
    return max(games, int(games * seconds / took))
