"""The budgets of the design, one function a group of rows."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.measure import best_of, enough, on_one_core, wall_time
from benchmarks.yardsticks import YARDSTICKS, Kernel, Yardstick, build, compiler, same
from simlib.setup import prepare
from simlib.simulate import run_setup

__all__ = ["GROUPS", "Row", "Size"]

ROOT = Path(__file__).parents[1]
GAMES = ("king-george-iii", "royal-corners", "king")


@dataclass(frozen=True)
class Size:
    """How thorough to be: rounds of each ratio, and of rows that take seconds each."""

    rounds: int = 5
    slow_rounds: int = 1
    memory_games: int = 10_000_000


@dataclass(frozen=True)
class Row:
    """One budget: `measured` must be at least, or at most, `bound`; None: not measured."""

    what: str
    measured: float | None
    bound: float
    at_least: bool = True
    unit: str = ""
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Tell whether the budget is kept."""
        if self.measured is None:
            return None
        return self.measured >= self.bound if self.at_least else self.measured <= self.bound


def against_c(size: Size) -> Iterator[Row]:
    """Each game with ``random`` against C with a view, and against C without."""
    for yardstick in YARDSTICKS:
        seen = f"{yardstick.label}: kernel / C with the same view"
        inlined = f"{yardstick.label}: kernel / C inlined, no view"
        if compiler() is None:
            yield Row(seen, None, 0.8, note="no C compiler")
            yield Row(inlined, None, 0.55, note="no C compiler")
            continue
        with on_one_core():
            ratios, note = _against_c(yardstick, size)
        yield Row(seen, ratios[0], 0.8, note=note)
        yield Row(inlined, ratios[1], 0.55, note=note)


def _against_c(yardstick: Yardstick, size: Size) -> tuple[tuple[float, float], str]:
    kernel = Kernel(yardstick.setup)
    programs = [build(yardstick, inlined=inlined) for inlined in (False, True)]
    games = enough(programs[1])
    ours, *theirs = best_of(
        size.rounds,
        lambda: kernel(games),
        lambda: programs[0](games),
        lambda: programs[1](games),
    )
    totals = kernel.totals(yardstick, games)
    for program in programs:
        if not same(totals, program.totals):
            raise AssertionError(
                f"{yardstick.label}: the kernel's totals {totals} are not those of"
                f" {program.path.name}: {program.totals}"
            )
    return (theirs[0] / ours, theirs[1] / ours), f"{games / ours / 1e3:.0f} k games/s, equal totals"


def varieties(size: Size) -> Iterator[Row]:
    """Seconds per card of the other varieties of King against ``simple``."""
    from simlib import games

    described = games.get("king")
    base = _seconds_per_card(Kernel({"game": "king", "variety": "simple"}), "simple")
    with on_one_core():
        for variety in described.varieties[1:]:
            one, simple = best_of(
                size.rounds,
                _seconds_per_card(Kernel({"game": "king", "variety": variety}), variety),
                base,
            )
            what = f"king {variety}: time per card against simple"
            yield Row(what, one / simple, 1.6, at_least=False)


def _seconds_per_card(kernel: Kernel, variety: str) -> Any:
    games = enough(kernel, 0.5)
    cards = 0

    def see(batch: Any) -> None:
        nonlocal cards
        row = batch.deals
        cards += int(_cards_played(row))

    kernel(games, see)
    return lambda: kernel(games) / cards


def _cards_played(rows: Any) -> int:
    """Return the cards played in some deals: all but those left in the hands."""
    return int((rows["tricks_played"].astype(int) * 4).sum())


def threads(size: Size) -> Iterator[Row]:
    """Two threads against one, in seconds that pass."""
    if len(os.sched_getaffinity(0)) < 2:
        yield Row("two threads / one", None, 1.9, note="one processor")
        return
    for game in GAMES:
        setup = prepare(game)
        games = enough(lambda count: run_setup(setup, games=count, threads=1).elapsed, 1.5)  # noqa: B023
        one, two = best_of(
            size.rounds,
            lambda: run_setup(setup, games=games, threads=1).elapsed,  # noqa: B023
            lambda: run_setup(setup, games=games, threads=2).elapsed,  # noqa: B023
        )
        yield Row(f"{game}: two threads / one", one / two, 1.9)


def whole_run(size: Size) -> Iterator[Row]:
    """Chunks, kernel and reducers against the bare kernel, in processor time."""
    with on_one_core():
        for game in GAMES:
            setup = prepare(game)
            kernel = Kernel({"game": game})
            games = enough(kernel)

            def run(games: int = games, setup: Any = setup) -> float:
                begun = time.process_time()
                run_setup(setup, games=games, threads=1)
                return time.process_time() - begun

            bare, whole = best_of(size.rounds, lambda: kernel(games), run)  # noqa: B023
            yield Row(f"{game}: whole run / bare kernel", bare / whole, 0.7)


def memory(size: Size) -> Iterator[Row]:
    """Peak memory of a long run with a summary only, against a short one."""
    code = (
        "import resource, sys, simlib; simlib.simulate('king', games=int(sys.argv[1]));"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    few, many = (
        int(_python("-c", code, str(games)).split()[-1]) for games in (1_000_000, size.memory_games)
    )
    yield Row(
        f"memory of {size.memory_games:.0e} games / 1e+06 games", many / few, 1.1, at_least=False,
        note=f"{many / 1024:.0f} MB",
    )  # fmt: skip


def small_run(size: Size) -> Iterator[Row]:
    """The whole process of ``simlib run`` with 1000 games, caches warm."""
    for game in GAMES:
        arguments = ("-m", "simlib", "run", game, "--games", "1000", "--json")
        _python(*arguments)
        (seconds,) = best_of(5, lambda: wall_time(lambda: _python(*arguments)))  # noqa: B023
        yield Row(f"{game}: simlib run of 1000 games", seconds, 1.5, at_least=False, unit="s")


def cold(size: Size) -> Iterator[Row]:
    """All that one game compiles, with an empty cache."""
    code = (
        "import sys, time; from simlib.setup import prepare; from simlib.sums import Folder;"
        "begun = time.perf_counter(); setup = prepare(sys.argv[1]); setup.compiled();"
        "setup.game.simulate.build(); setup.game.record.build(); Folder(setup).build();"
        "print(time.perf_counter() - begun)"
    )
    for game in GAMES:
        seconds = []
        for _ in range(size.slow_rounds):
            folder = tempfile.mkdtemp()
            try:
                seconds.append(float(_python("-c", code, game, SIMLIB_CACHE_DIR=folder)))
            finally:
                shutil.rmtree(folder)
        yield Row(
            f"{game}: all kernels, cold", min(seconds), 20, at_least=False, unit="s",
            note=f"best of {len(seconds)}",
        )  # fmt: skip


def proofs(size: Size) -> Iterator[Row]:
    """King George III, two players: games/s with the proofs of KG-12 against the cap of 2000."""
    with on_one_core():
        for policy in ("random", "eager"):
            setup = {"game": "king-george-iii", "players": 2, "policies": policy}
            proved, capped = Kernel(setup), Kernel(setup, prove=False)
            games = enough(proved)
            fast, slow = best_of(size.rounds, lambda: proved(games), lambda: capped(games))  # noqa: B023
            yield Row(f"king-george-iii, 2 {policy}: proofs / cap of 2000", slow / fast, 5)


def _python(*arguments: str, **variables: str) -> str:
    """Run Python in the checkout, and return what it prints."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


#: What ``--only`` chooses from, in the order printed.
GROUPS = {
    "c": against_c,
    "varieties": varieties,
    "threads": threads,
    "run": whole_run,
    "memory": memory,
    "start": small_run,
    "cold": cold,
    "proofs": proofs,
}


def as_json(rows: list[Row]) -> str:
    """Return rows as a JSON list."""
    return json.dumps([{**row.__dict__, "met": row.met} for row in rows], indent=1)
