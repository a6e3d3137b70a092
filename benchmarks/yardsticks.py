"""The C programs: built, run, and their totals compared with our kernel's.

Each plays the default rules with ``random`` (King: ``simple``, contract ``no-tricks``) on the
same streams as the kernel, fills the same view, makes the same checks and leaves the same rows.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.measure import processor_time
from simlib.engine import Batch, Player
from simlib.setup import prepare

__all__ = ["YARDSTICKS", "Kernel", "Program", "Yardstick", "build", "compiler"]

HERE = Path(__file__).parent
BUILD = HERE / "build"
#: The second set is a remedy: where gcc's model of a new processor makes it keep whole numbers in
#: vector registers, plain -march=native is up to a third slower. The faster program counts.
FLAGS = (
    ("-O3", "-march=native"),
    ("-O3", "-march=native", "-mtune=generic", "-fno-tree-slp-vectorize"),
)

Totals = dict[str, list[int]]


@dataclass(frozen=True)
class Yardstick:
    """One C program and the run that it is compared with.

    Attributes
    ----------
    label : str
        As printed.
    source : str
        Name of the C file.
    arguments : tuple of str
        Before the number of games and the seed.
    setup : mapping
        Arguments of ``prepare``.
    totals : tuple of (name, table, column)
        What both print; the table is "games" or "deals". ``ending`` is counted by code.
    """

    label: str
    source: str
    arguments: tuple[str, ...]
    setup: dict[str, Any] = field(hash=False)
    totals: tuple[tuple[str, str], ...]


def _tables(table: str, *names: str) -> tuple[tuple[str, str], ...]:
    return (("win_share", "games"), *((name, table) for name in names))


YARDSTICKS = (
    *(
        Yardstick(
            f"king-george-iii, {players} players",
            "king_george",
            (str(players),),
            {"game": "king-george-iii", "players": players},
            _tables("games", "ending", "turns", "plays", "draws", "decisions"),
        )
        for players in (2, 3, 4, 5)
    ),
    *(
        Yardstick(
            f"royal-corners, {players} players",
            "royal_corners",
            (str(players),),
            {"game": "royal-corners", "players": players},
            _tables(
                "deals", "penalty", "ending", "turns", "hand_plays", "stock_plays", "pile_moves",
                "draws", "decisions",
            ),
        )
        for players in (2, 4)
    ),
    Yardstick(
        "king simple, no-tricks",
        "king",
        (),
        {"game": "king", "variety": "simple", "rules": {"contracts": ["no-tricks"]}},
        _tables("deals", "score", "tricks", "slam", "decisions", "options"),
    ),
)  # fmt: skip


def compiler() -> str | None:
    """Return the C compiler: ``$CC``, gcc or cc; None if there is none."""
    names = [os.environ.get("CC", ""), "gcc", "cc"]
    return next((found for name in names if name and (found := shutil.which(name))), None)


class Program:
    """A compiled C program; a call plays games and returns its seconds."""

    def __init__(self, path: Path, yardstick: Yardstick) -> None:
        self.path = path
        self.yardstick = yardstick
        self.totals: Totals = {}

    def __call__(self, games: int) -> float:
        """Play; return the seconds of processor time that the program says it took."""
        done = subprocess.run(
            [str(self.path), *self.yardstick.arguments, str(games), "0"],
            capture_output=True,
            text=True,
            check=True,
        )
        lines = [line.split() for line in done.stdout.splitlines()]
        said = {name: values for name, *values in lines}
        elapsed = float(said.pop("seconds")[0])
        self.totals = {name: [int(value) for value in said[name]] for name in said}
        return elapsed


def build(yardstick: Yardstick, *, inlined: bool, try_games: int = 30_000) -> Program:
    """Compile a program with each set of flags, and return the fastest."""
    command = compiler()
    assert command is not None
    BUILD.mkdir(exist_ok=True)
    programs = []
    for number, flags in enumerate(FLAGS):
        path = BUILD / f"{yardstick.source}{'_inlined' if inlined else ''}_{number}"
        source = HERE / f"{yardstick.source}.c"
        more = ["-DINLINED"] if inlined else []
        subprocess.run([command, *flags, *more, "-o", str(path), str(source)], check=True)
        programs.append(Program(path, yardstick))
    return min(programs, key=lambda program: min(program(try_games) for _ in range(3)))


class Kernel:
    """Our kernel on the same games."""

    def __init__(self, setup: dict[str, Any], *, prove: bool = True) -> None:
        self.player = Player(prepare(**setup), prove=prove)
        self.player.setup.game.simulate.build()
        self.chunk = 1 << 15

    def __call__(self, games: int, see: Callable[[Batch], None] = lambda batch: None) -> float:
        """Play; return the seconds of processor time in the kernel."""
        elapsed = 0.0
        for first in range(0, games, self.chunk):
            count = min(self.chunk, games - first)
            seconds, batches = processor_time(lambda: self.player.play(first, count))  # noqa: B023
            elapsed += seconds
            for batch in batches:
                see(batch)
        return elapsed

    def totals(self, yardstick: Yardstick, games: int) -> Totals:
        """Return what the C program prints."""
        sums: dict[str, np.ndarray] = {}
        players = self.player.setup.players

        def see(batch: Batch) -> None:
            for name, table in yardstick.totals:
                values = getattr(batch, table)[name].astype(np.int64)
                if name == "ending":
                    values = np.eye(16, dtype=np.int64)[values]
                sums[name] = sums.get(name, 0) + values.sum(axis=0)

        self(games, see)
        out = {}
        for name, value in sums.items():
            listed = np.atleast_1d(value).tolist()
            out[name] = listed if name == "ending" else listed[:players]
        return out


def same(ours: Totals, theirs: Totals) -> bool:
    """Tell whether both played the same games."""
    return all(
        ours[name][: len(values)] == values and not any(ours[name][len(values) :])
        for name, values in theirs.items()
    )
