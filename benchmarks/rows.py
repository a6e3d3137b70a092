"""The budgets of the design, one function a group of rows."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

from benchmarks.measure import best_of, enough, on_one_core, processor_time
from benchmarks.yardsticks import YARDSTICKS, Kernel, Yardstick, build, compiler, same
from simlib import games as registry
from simlib.engine import record_log
from simlib.games.king.events import PLAY
from simlib.setup import Setup, prepare
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
        whats = ("kernel / C with the same view", "kernel / C inlined, no view")
        ratios: tuple[float | None, ...] = (None, None)
        note = "no C compiler"
        if compiler() is not None:
            with on_one_core():
                ratios, note = _against_c(yardstick, size)
        for what, ratio, bound in zip(whats, ratios, (0.8, 0.55), strict=True):
            yield Row(f"{yardstick.label}: {what}", ratio, bound, note=note)


def _against_c(yardstick: Yardstick, size: Size) -> tuple[tuple[float, float], str]:
    kernel = Kernel(yardstick.setup)
    seen, inlined = (build(yardstick, inlined=inlined) for inlined in (False, True))
    games = enough(inlined)
    ours, *theirs = best_of(
        size.rounds, lambda: kernel(games), lambda: seen(games), lambda: inlined(games)
    )
    totals = kernel.totals(yardstick, games)
    for program in (seen, inlined):
        if not same(totals, program.totals):
            raise AssertionError(f"{program.path.name}: {program.totals}, but we have {totals}")
    return (theirs[0] / ours, theirs[1] / ours), f"{games / ours / 1e3:.0f} k games/s, equal totals"


def varieties(size: Size) -> Iterator[Row]:
    """Time per card played of the other varieties of King against ``simple``."""
    with on_one_core():
        simple = _time_per_card("simple")
        for variety in registry.get("king").varieties[1:]:
            if variety == "house":  # whatever its file says
                continue
            one, base = best_of(size.rounds, _time_per_card(variety), simple)
            what = f"king {variety}: time per card / simple"
            yield Row(what, one / base, 1.6, at_least=False)


def _time_per_card(variety: str) -> Callable[[], float]:
    setup = {"game": "king", "variety": variety}
    kernel = Kernel(setup)
    games = enough(kernel)
    counted = 36 * 14  # a log says how many cards a game has; so many go through all contracts
    logs = (record_log(kernel.player.setup, game)[2] for game in range(counted))
    played = sum(int((log[:, 0] == PLAY).sum()) for log in logs)
    return lambda: kernel(games) / (games * played / counted)


def threads(size: Size) -> Iterator[Row]:
    """Two threads against one, in seconds that pass."""
    for game in GAMES:
        what = f"{game}: two threads / one"
        if len(os.sched_getaffinity(0)) > 1:
            yield Row(what, *_two_threads(prepare(game), size))
        else:
            yield Row(what, None, 1.9, note="one processor")


def _two_threads(setup: Setup, size: Size) -> tuple[float, float, bool, str, str]:
    used: dict[int, float] = {}

    def run(games: int, threads: int) -> float:
        begun = time.process_time()
        elapsed = run_setup(setup, games=games, threads=threads).elapsed
        used[threads] = min(used.get(threads, inf), time.process_time() - begun)
        return elapsed

    games = enough(lambda count: run(count, 1), 1.5)
    used.clear()
    one, two = best_of(size.rounds, lambda: run(games, 1), lambda: run(games, 2))
    note = f"processor time of two threads / one {used[2] / used[1]:.2f}"
    return one / two, 1.9, True, "", note


def whole_run(size: Size) -> Iterator[Row]:
    """Chunks, kernel and reducers against the bare kernel, in processor time."""
    for game in GAMES:
        with on_one_core():
            yield Row(f"{game}: whole run / bare kernel", _whole_run(game, size), 0.7)


def _whole_run(game: str, size: Size) -> float:
    setup, kernel = prepare(game), Kernel({"game": game})
    games = enough(kernel)
    bare, whole = best_of(
        size.rounds,
        lambda: kernel(games),
        lambda: processor_time(lambda: run_setup(setup, games=games, threads=1))[0],
    )
    return bare / whole


def parquet(size: Size) -> Iterator[Row]:
    """A run on two threads that writes every row, against two bare kernels, in time that passes."""
    for game in GAMES:
        what = f"{game}: full rows to Parquet / bare kernels"
        if len(os.sched_getaffinity(0)) > 1:
            yield Row(what, _parquet(game, size), 0.5, note="two threads")
        else:
            yield Row(what, None, 0.5, note="one processor")


def _parquet(game: str, size: Size) -> float:
    setup, kernels = prepare(game), [Kernel({"game": game}) for _ in range(2)]
    games = 2 * enough(kernels[0], 2.0)

    def bare() -> float:
        begun = time.perf_counter()
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda kernel: kernel(games // 2), kernels))
        return time.perf_counter() - begun

    def stored() -> float:
        with tempfile.TemporaryDirectory() as folder:
            return run_setup(setup, games=games, threads=2, out=folder).elapsed

    kernel, run = best_of(size.rounds, bare, stored)
    return kernel / run


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
    """The whole process of ``simlib run`` with 1000 games, caches warm: the best of 5."""
    for game in GAMES:
        run = partial(_python, "-m", "simlib", "run", game, "--games", "1000", "--json")
        yield _seconds(f"{game}: simlib run of 1000 games", 1.5, 6, run)


def cold(size: Size) -> Iterator[Row]:
    """The whole process that compiles all that one game has, with an empty cache."""
    code = (
        "import sys; from simlib.setup import prepare; from simlib.sums import Folder;"
        "setup = prepare(sys.argv[1]); setup.compiled(); Folder(setup).build();"
        "setup.game.simulate.build(); setup.game.record.build()"
    )

    def compile_all(game: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            _python("-c", code, game, SIMLIB_CACHE_DIR=folder)

    for game in GAMES:
        what = f"{game}: all kernels, cold"
        yield _seconds(what, 20, size.slow_rounds, partial(compile_all, game))


def _seconds(what: str, bound: float, rounds: int, run: Callable[[], object]) -> Row:
    """Time processes: those that pass count, those of the processor are noted."""
    passed, used = float("inf"), float("inf")
    for _ in range(rounds):
        begun, before = time.perf_counter(), os.times()
        run()
        after = os.times()
        passed = min(passed, time.perf_counter() - begun)
        mine = after.children_user - before.children_user
        used = min(used, mine + after.children_system - before.children_system)
    note = f"{used:.2f}s of processor time"
    return Row(what, passed, bound, at_least=False, unit="s", note=note)


def proofs(size: Size) -> Iterator[Row]:
    """King George III, two players: games/s with the proofs of KG-12 against the cap of 2000."""
    for policy in ("random", "eager"):
        with on_one_core():
            ratio = _proofs({"game": "king-george-iii", "players": 2, "policies": policy}, size)
        yield Row(f"king-george-iii, 2 {policy}: proofs / cap of 2000", ratio, 5)


def _proofs(setup: dict[str, Any], size: Size) -> float:
    proved, capped = Kernel(setup), Kernel(setup, prove=False)
    games = enough(proved)
    fast, slow = best_of(size.rounds, lambda: proved(games), lambda: capped(games))
    return slow / fast


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
    "parquet": parquet,
    "memory": memory,
    "start": small_run,
    "cold": cold,
    "proofs": proofs,
}
