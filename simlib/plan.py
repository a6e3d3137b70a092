"""Before a run: how many games, how long, how many bytes, from a short trial."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simlib.run import games_needed
from simlib.setup import Setup, count_argument
from simlib.simulate import run_setup
from simlib.stats import looks

__all__ = ["Plan", "plan"]

#: Games of the trial.
TRIAL = 10_000


@dataclass(frozen=True)
class Plan:
    """What a run is expected to take; estimates, not promises.

    Attributes
    ----------
    trial : int
        Games of the trial that this rests on.
    games : int
        Games expected: those asked for, or those that the precision needs.
    reached : bool
        Whether the precision is expected to be reached within the games asked for.
    seconds : float
        Seconds of play.
    games_per_s : float
        Speed of the trial.
    bytes_per_game : float
        Bytes of a stored run that keeps its rows.
    """

    trial: int
    games: int
    reached: bool
    seconds: float
    games_per_s: float
    bytes_per_game: float

    def as_dict(self) -> dict[str, Any]:
        """Return the fields of ``--json``."""
        return {
            "trial": self.trial,
            "games": self.games,
            "reached": self.reached,
            "seconds": self.seconds,
            "games_per_s": self.games_per_s,
            "bytes_per_game": self.bytes_per_game,
            "bytes": round(self.bytes_per_game * self.games),
        }

    def text(self) -> str:
        """Return one line for people."""
        size = self.bytes_per_game * self.games / 1e6
        line = (
            f"about {self.games:,} games, {self.seconds:,.0f} s, {size:,.0f} MB if the rows are"
            f" stored (from a trial of {self.trial:,} games)"
        )
        return line if self.reached else f"{line}; the precision asked for needs more games"


def plan(
    setup: Setup,
    *,
    games: int,
    precision: Mapping[str, float] | None = None,
    threads: int | None = None,
) -> Plan:
    """Play a short trial and estimate what a run takes.

    Parameters
    ----------
    setup : Setup
    games : int
        Games asked for; with `precision`, at most.
    precision : mapping, optional
        Metric name to half-width: the number of games grows with the square of the ratio of
        the trial's half-width to the one asked for, up to the next look.
    threads : int, optional
        As in the run.

    Raises
    ------
    BadInput, PolicyFailure
        As :func:`simlib.simulate`.
    """
    count = count_argument(games, "games")
    size = min(TRIAL, count)
    # played once for what is compiled, then once for time and bytes
    run_setup(setup, games=min(100, size), threads=threads, precision=precision)
    with tempfile.TemporaryDirectory() as folder:
        run = run_setup(setup, games=size, threads=threads, keep="games", out=Path(folder) / "run")
        stored = sum(file.stat().st_size for file in (Path(folder) / "run").glob("*.parquet"))
    rate = size / max(run.elapsed, 1e-9)
    needed = float(count)
    if precision:
        needed = games_needed(run.figures, size, precision)
    stop = next((look for look in looks(count) if look >= needed), count)
    return Plan(
        trial=size,
        games=stop if precision else count,
        reached=needed <= count,
        seconds=(stop if precision else count) / rate,
        games_per_s=rate,
        bytes_per_game=stored / size,
    )
