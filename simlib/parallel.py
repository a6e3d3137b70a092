"""Cuts a range of games into chunks and hands them to threads, each with tools of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from typing import Protocol, TypeVar

from simlib.errors import BadInput

__all__ = ["Progress", "Worker", "chunks", "in_threads", "reporter"]

#: Called with (games done, games asked, seconds, note).
Progress = Callable[[int, int, float, str], None]

T = TypeVar("T", covariant=True)
R = TypeVar("R")


class Worker(Protocol[T]):
    """What one thread needs: it plays a range of games and says what came of them."""

    def work(self, first: int, count: int) -> T:
        """Play games ``first`` … ``first + count - 1``."""
        ...

    def stop(self) -> None:
        """Stop before the next game; called from another thread."""
        ...


def chunks(games: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield (first, count) of consecutive chunks of games 0 … `games` - 1."""
    for first in range(0, games, size):
        yield first, min(size, games - first)


def in_threads(
    make: Callable[[], Worker[R]], ranges: Iterator[tuple[int, int]], threads: int
) -> Iterator[R]:
    """Let workers work on ranges of games and yield what they return, in the order given.

    Parameters
    ----------
    make : callable
        Makes the worker of one thread; called in the calling thread.
    ranges : iterator of (first, count)
        Read only a little ahead of the work, so that memory does not grow with the games.
    threads : int
        Number of threads, at least 1.

    Notes
    -----
    Where a worker raises, or the caller goes away (Ctrl-C), every worker is told to stop.
    """
    free: SimpleQueue[Worker[R]] = SimpleQueue()
    everyone: list[Worker[R]] = []

    def work(first: int, count: int) -> R:
        worker = free.get()
        try:
            return worker.work(first, count)
        finally:
            free.put(worker)

    pending: deque[Future[R]] = deque()
    pool = ThreadPoolExecutor(threads)
    try:
        for first, count in ranges:
            if len(everyone) < threads:
                worker = make()
                everyone.append(worker)
                free.put(worker)
            pending.append(pool.submit(work, first, count))
            if len(pending) > threads:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for worker in everyone:
            worker.stop()
        pool.shutdown(wait=True, cancel_futures=True)


def reporter(progress: Progress | bool | None) -> Progress | None:
    """Return the function that shows progress: True draws a line on standard error.

    Raises
    ------
    BadInput
        If it is no function and no truth value.
    """
    if progress is True:
        from simlib.progress import line

        return line()
    if progress is None or progress is False:
        return None
    if not callable(progress):
        raise BadInput(f"progress {progress!r}: give True, or a function of games done")
    return progress
