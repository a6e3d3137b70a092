"""The C programs: built, run, and their totals compared with our kernel's.

Each plays the default rules with ``random`` (King: ``simple``, contract ``no-tricks``) on the
same streams as the kernel, fills the same view, makes the same checks and leaves the same rows.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simlib.engine import Batch, Player
from simlib.setup import prepare
from simlib.simulate import CHUNK

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
    """One C program and the run that it is compared with."""

    label: str
    source: str  #: name of the C file
    arguments: tuple[str, ...]  #: before the number of games and the seed
    setup: dict[str, Any]  #: arguments of ``prepare``
    totals: tuple[tuple[str, str], ...]  #: (column, table) of what both add up


def _columns(table: str, names: str) -> tuple[tuple[str, str], ...]:
    return (("win_share", "games"), *((name, table) for name in names.split()))


def _by_players(game: str, players: tuple[int, ...], *columns: str) -> list[Yardstick]:
    return [
        Yardstick(
            f"{game}, {n} players",
            game.replace("-", "_").removesuffix("_iii"),
            (str(n),),
            {"game": game, "players": n},
            _columns(*columns),
        )
        for n in players
    ]


YARDSTICKS = (
    *_by_players("king-george-iii", (2, 3, 4, 5), "games", "ending turns plays draws decisions"),
    *_by_players(
        "royal-corners",
        (2, 4),
        "deals",
        "penalty ending turns hand_plays stock_plays pile_moves draws decisions",
    ),
    Yardstick(
        "king simple, no-tricks",
        "king",
        (),
        {"game": "king", "variety": "simple", "rules": {"contracts": ["no-tricks"]}},
        _columns("deals", "score tricks slam decisions options"),
    ),
)


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

    def __call__(self, games: int) -> float:
        """Play; return the seconds of processor time in the kernel."""
        begun = time.process_time()
        for _ in self.batches(games):
            pass
        return time.process_time() - begun

    def batches(self, games: int) -> Iterator[Batch]:
        """Play in chunks, as a run does."""
        for first in range(0, games, CHUNK):
            yield from self.player.play(first, min(CHUNK, games - first))

    def totals(self, yardstick: Yardstick, games: int) -> Totals:
        """Return what the C program prints."""
        sums: dict[str, Any] = dict.fromkeys((name for name, _ in yardstick.totals), 0)
        for batch in self.batches(games):
            for name, table in yardstick.totals:
                values = getattr(batch, table)[name].astype(np.int64)
                if name == "ending":  # counted by code
                    values = np.eye(16, dtype=np.int64)[values]
                sums[name] += values.sum(axis=0)
        return {name: np.atleast_1d(value).tolist() for name, value in sums.items()}


def same(ours: Totals, theirs: Totals) -> bool:
    """Tell whether both played the same games. Ours have places for more seats and endings."""
    return all(ours[name][: len(values)] == values for name, values in theirs.items())
