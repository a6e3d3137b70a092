"""Games of one setup, played bit by bit: figures, and how the seats go together.

A run says what each seat gets; whether seats differ needs their covariance too, since the seats
of one game share one win. Seats are counted from ``first`` (C-3), so that ``first=rotate`` does
not hide what it is worth to begin.
"""

from __future__ import annotations

import hashlib
import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simlib.engine import Batch, Player
from simlib.games.columns import Metric
from simlib.run import Run
from simlib.setup import Setup
from simlib.sums import Figure, Folder
from simlib.values import KernelRows, Measure, Meter

__all__ = ["SeatSums", "Tally", "seat_values"]

#: Games between two looks at whether to stop.
CHUNK = 1 << 13


class SeatSums(NamedTuple):
    """Sufficient statistics of one value a seat, seats in turn order from ``first``.

    Attributes
    ----------
    n : int
        Games.
    products : int64 array, (seats + 1, seats + 1)
        Sums of products of 1 and the seats' values.
    scale : int
        Values are whole multiples of 1 / scale.
    """

    n: int
    products: NDArray[np.int64]
    scale: int

    @property
    def totals(self) -> list[int]:
        """Return each seat's total."""
        return [int(value) for value in self.products[0, 1:]]

    @property
    def cross(self) -> list[list[int]]:
        """Return the sums of products of two seats' values."""
        return [[int(value) for value in row] for row in self.products[1:, 1:]]


def seat_values(meter: Meter, name: str, batch: Batch) -> NDArray[np.int64]:
    """Return a metric of each seat and game, seats in turn order from ``first`` (C-3).

    Parameters
    ----------
    meter : Meter
    name : str
        A metric with a value a seat that is counted in every game.
    batch : Batch

    Returns
    -------
    int64 array, (seats, games)
    """
    rows = KernelRows(batch)
    values = np.vstack([meter.values(measure, rows).x for measure in meter.measures([name])])
    if getattr(meter.setup.table.rules, "first", "zero") != "rotate":
        return values
    players, games = values.shape
    first = (batch.first + np.arange(games)) % players
    seats = (first + np.arange(players)[:, None]) % players
    return np.take_along_axis(values, seats, axis=0)


class Tally:
    """Plays one setup on, from the game where it stopped.

    Parameters
    ----------
    setup : Setup
    seats : str
        The metric whose seats are compared; empty: none.

    Attributes
    ----------
    setup : Setup
    elapsed : float
        Seconds of play.
    """

    def __init__(self, setup: Setup, *, seats: str = "win_share") -> None:
        self.setup = setup
        self.elapsed = 0.0
        self._folder = Folder(setup)
        self._sums = self._folder.new()
        self._meter = Meter(setup)
        self._seats = seats
        size = setup.players + 1
        self._products = np.zeros((size, size), np.int64)
        self._ending = next(c for c in setup.game.game_columns if c.name == "ending")
        self._endings = np.zeros(len(self._ending.labels), np.int64)
        self._choices = np.zeros((3, 3), np.int64)
        self._stopped = False

    @property
    def games(self) -> int:
        """Return how many games have been played."""
        return self._sums.games

    def play(self, upto: int) -> None:
        """Play games until there are `upto`, or until stopped."""
        begun = time.perf_counter()
        player = Player(self.setup)  # not kept: thousands of tallies may wait for their turn
        while self.games < upto and not self._stopped:
            for batch in player.play(self.games, min(CHUNK, upto - self.games)):
                if self._seats:
                    ones = np.ones((1, len(batch.games)), np.int64)
                    rows = np.vstack([ones, seat_values(self._meter, self._seats, batch)])
                    self._products += rows @ rows.T
                self._count(batch)
                self._folder.fold(batch, self._sums)
        self.elapsed += time.perf_counter() - begun

    def _count(self, batch: Batch) -> None:
        """Count endings, options and decisions."""
        rows = KernelRows(batch)
        options, decisions, ending = (
            self._meter.values(Measure(Metric(name, "mean", name, "")), rows).x
            for name in ("options", "decisions", "ending")
        )
        self._endings += np.bincount(ending, minlength=len(self._endings))
        columns = np.vstack([np.ones_like(options), options, decisions])
        self._choices += columns @ columns.T

    def stop(self) -> None:
        """Stop after the chunk that is being played; called from another thread."""
        self._stopped = True

    def figures(self) -> list[Figure]:
        """Return the figures of all games so far."""
        return self._folder.figures(self._sums)

    def seat_sums(self) -> SeatSums:
        """Return how the seats went together so far."""
        name = self._seats
        scale = self._meter.scale(self._meter.measures([name])[0])
        return SeatSums(self.games, self._products.copy(), scale)

    def endings(self) -> dict[str, int]:
        """Return how many games had each ending."""
        counts = zip(self._ending.labels, self._endings.tolist(), strict=True)
        return {label: count for label, count in counts if count}

    def decision_sums(self) -> tuple[int, int, int, int, int, int]:
        """Return games, Σ options, Σ decisions, and the sums of their squares and products."""
        (n, o, d), (_, oo, od), (_, _, dd) = self._choices.tolist()
        return n, o, d, oo, od, dd

    def fingerprint(self) -> bytes:
        """Return what two tallies of the same deals share only if they were played alike."""
        digest = hashlib.blake2b(self._products.tobytes(), digest_size=16)
        for array in self._sums.arrays:
            digest.update(array.tobytes())
        return digest.digest()

    def run(self) -> Run:
        """Return the games so far as a run."""
        return Run(setup=self.setup, folder=self._folder, sums=self._sums, elapsed=self.elapsed)
