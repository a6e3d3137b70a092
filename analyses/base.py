"""What an analysis is, and how its games are played, shared and folded.

An analysis says which runs it needs, reduces a frame of rows to a table of sufficient
statistics, and finishes the merged table into tidy frames; figures and sentences come from
those. Rows are reduced chunk by chunk as they are played, or read, and dropped, so that memory
does not grow with the number of games. Analyses of one family play their common runs once.
"""

from __future__ import annotations

import math
import shlex
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, Literal

import numpy as np
import pandas as pd

from analyses.results import Result, RunNote
from analyses.tables import Table
from simlib.engine import Player
from simlib.frames import deals_frame, games_frame
from simlib.manifest import head
from simlib.parallel import chunks, in_threads
from simlib.run import Run
from simlib.setup import Setup, count_argument, rule_text
from simlib.simulate import default_threads
from simlib.stats import Estimate, mean_from_histogram
from simlib.sums import Folder, Sums

__all__ = [
    "GAMES",
    "HALF_WIDTH",
    "Analysis",
    "Collected",
    "Say",
    "between",
    "clear_cache",
    "collect",
    "command",
    "frames_of",
    "identity",
    "interval",
    "listed",
    "mean_count",
    "note",
    "number",
    "percent",
    "signed",
    "widths_missed",
]

#: Half-width that every printed rate over all games of a cell shall reach at 95 %.
HALF_WIDTH = 0.002
#: Games a cell: a rate of one half has a half-width of 0.002, z² / 4 h² = 240 100.
GAMES = 240_100
#: Games in a chunk.
CHUNK = 1 << 15
#: Cells whose tables are remembered; a table takes some 100 kB at most.
REMEMBERED = 512

#: Called with a line on what is done now.
Say = Callable[[str], None]


@dataclass(frozen=True)
class Collected:
    """The merged table of an analysis, and the runs it came from."""

    table: Table
    runs: tuple[RunNote, ...]
    games: int


class Analysis(ABC):
    """One question, from rows to a result.

    Attributes
    ----------
    name, title, question : str
    family : tuple of str
        Modules of analyses that want the same runs, this one among them; each has its
        ``ANALYSIS``. When one of them plays a cell, all reduce its rows, so that it is played
        only once.
    rows : {"games", "deals"}
        Which table is reduced.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    question: ClassVar[str]
    family: ClassVar[tuple[str, ...]] = ()
    rows: ClassVar[Literal["games", "deals"]] = "games"

    def labels(self, setup: Setup) -> dict[str, Any]:
        """Return the labels of a run's rows in the merged table."""
        specs = [policy.spec for policy in setup.policies]
        same = len(set(specs)) == 1
        return {"players": setup.players, "policy": specs[0] if same else ",".join(specs)}

    @abstractmethod
    def reduce(self, frame: pd.DataFrame) -> Table:
        """Return the sufficient statistics of some rows of one run."""

    @abstractmethod
    def finish(self, table: Table) -> dict[str, pd.DataFrame]:
        """Return tidy frames, with estimate, se, low, high, half_width and n."""

    @abstractmethod
    def result(self, collected: Collected) -> Result:
        """Return the answer with tables and figures."""

    def over(self, runs: Iterable[Run]) -> Result:
        """Answer from runs that have been played: with rows in memory, or stored.

        Raises
        ------
        BadInput
            If a run has no rows.
        """
        tables, notes, games = [], [], 0
        for run in runs:
            labels = self.labels(run.setup)
            parts = [self.reduce(frame) for frame in frames_of(run, self.rows)]
            tables.append(Table.total(parts).labelled(**labels))
            notes.append(RunNote(command(run.setup, len(run)), run.manifest))
            games = max(games, len(run))
        return self.result(Collected(Table.total(tables), tuple(notes), games))


def frames_of(run: Run, rows: str, size: int = CHUNK) -> Iterator[pd.DataFrame]:
    """Yield the rows of a run as frames of whole games, a chunk at a time.

    A stored run is read piece by piece, so that memory does not grow with its games.

    Raises
    ------
    BadInput
        If the run has no rows.
    """
    if run.path is not None:
        from simlib.store import StoredRun, load

        stored = run if isinstance(run, StoredRun) else load(run.path)
        yield from stored.frames(rows)
        return
    frame = run.games if rows == "games" else run.deals
    index = frame["index"].to_numpy()
    for first in range(0, len(run), size):
        low, high = np.searchsorted(index, [first, first + size])
        yield frame.iloc[low:high]


# --- playing ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _Played:
    """A cell as it is remembered: tables by analysis, and how it was played."""

    tables: dict[str, Table]
    note: RunNote


_CACHE: OrderedDict[tuple[Any, ...], _Played] = OrderedDict()


def clear_cache() -> None:
    """Forget all cells that have been played."""
    _CACHE.clear()


def collect(
    analysis: Analysis,
    setups: Sequence[Setup],
    *,
    games: float | Sequence[float],
    threads: int | None = None,
    progress: Say | None = None,
) -> Collected:
    """Play the cells of an analysis, or take them from its family, and merge their tables.

    Parameters
    ----------
    analysis : Analysis
    setups : sequence of Setup
        One a cell.
    games : int or sequence of int
        Games of every cell, or of each.
    threads : int, optional
        Changes the speed only.
    progress : callable, optional
        Called with a line for each cell that is played.
    """
    asked = games if isinstance(games, Sequence) else [games] * len(setups)
    counts = [count_argument(one, "games") for one in asked]
    workers = default_threads() if threads is None else count_argument(threads, "threads")
    tables, notes = [], []
    for place, (setup, count) in enumerate(zip(setups, counts, strict=True), 1):
        key = (identity(setup), count)
        played = _CACHE.get(key)
        if played is None or analysis.name not in played.tables:
            if progress is not None:
                progress(f"{analysis.name}: cell {place} of {len(setups)}, {_words(setup)}")
            played = _play(_wanted(analysis), setup, count, workers, played)
            _CACHE[key] = played
            while len(_CACHE) > REMEMBERED:
                _CACHE.popitem(last=False)
        tables.append(played.tables[analysis.name].labelled(**analysis.labels(setup)))
        notes.append(played.note)
    return Collected(Table.total(tables), tuple(notes), max(counts))


def identity(setup: Setup) -> tuple[Any, ...]:
    """Return what makes two setups play the same games in this process."""
    functions = tuple((policy.spec, id(policy.function)) for policy in setup.policies)
    return (repr(sorted(setup.describe().items())), functions)


def _wanted(analysis: Analysis) -> list[Analysis]:
    """Return the analyses that reduce the rows of a cell while they are there."""
    family: list[Analysis] = [import_module(module).ANALYSIS for module in analysis.family]
    return [analysis, *(one for one in family if one.name != analysis.name)]


def _play(
    wanted: Sequence[Analysis], setup: Setup, games: int, threads: int, before: _Played | None
) -> _Played:
    missing = [one for one in wanted if before is None or one.name not in before.tables]
    setup.compiled()  # compile once, before threads meet
    setup.game.simulate.build()
    folder = Folder(setup)
    sums, parts = folder.new(), []
    begun = time.perf_counter()
    size = min(CHUNK, -(-games // (2 * threads)))
    for part in in_threads(
        lambda: _Worker(setup, folder, missing), chunks(games, max(1, size)), threads
    ):
        sums.add(part.sums)
        parts.append(part.tables)
    elapsed = time.perf_counter() - begun
    tables = {one.name: Table.total([part[one.name] for part in parts]) for one in missing}
    if before is not None:
        return _Played({**before.tables, **tables}, before.note)
    run = Run(setup=setup, folder=folder, sums=sums, elapsed=elapsed)
    return _Played(tables, RunNote(command(setup, games), run.manifest))


@dataclass(frozen=True)
class _Part:
    sums: Sums
    tables: dict[str, Table]


class _Worker:
    """Plays a range of games and reduces its rows for several analyses."""

    def __init__(self, setup: Setup, folder: Folder, analyses: Sequence[Analysis]) -> None:
        self._setup, self._folder, self._analyses = setup, folder, analyses
        self._player = Player(setup, deals=any(one.rows == "deals" for one in analyses))

    def stop(self) -> None:
        """Ask the kernel to stop before its next game."""
        self._player.stop()

    def work(self, first: int, count: int) -> _Part:
        """Play some games; return their sums and tables."""
        sums, found = self._folder.new(), []
        for batch in self._player.play(first, count):
            self._folder.fold(batch, sums)
            frames: dict[str, pd.DataFrame] = {}
            for one in self._analyses:
                if one.rows not in frames:
                    frames[one.rows] = (
                        deals_frame(self._setup, batch.deals)
                        if one.rows == "deals"
                        else games_frame(self._setup, batch.first, batch.games, batch.deals)
                    )
            found.append({one.name: one.reduce(frames[one.rows]) for one in self._analyses})
        if len(found) == 1:
            return _Part(sums, found[0])
        return _Part(
            sums,
            {one.name: Table.total([part[one.name] for part in found]) for one in self._analyses},
        )


# --- words -------------------------------------------------------------------------------


def command(setup: Setup, games: int) -> str:
    """Return the command that plays a run again."""
    words = ["simlib", "run", setup.game.name]
    default = setup.game.varieties[0] if setup.game.varieties else None
    if setup.table.variety != default:
        words += ["--variety", str(setup.table.variety)]
    if setup.table.unit != setup.game.units[0]:
        words += ["--unit", setup.table.unit]
    specs = [policy.spec for policy in setup.policies]
    words += ["--players", str(setup.players)]
    words += ["--policies", specs[0] if len(set(specs)) == 1 else ",".join(specs)]
    for name, value in setup.table.rules.changed().items():
        words += ["--rule", f"{name}={rule_text(value)}"]
    words += ["--games", str(games), "--seed", str(setup.seed)]
    if setup.play_seed != setup.seed:
        words += ["--play-seed", str(setup.play_seed)]
    return shlex.join(words)


def note(setup: Setup, games: int, **more: Any) -> RunNote:
    """Return the command and the manifest of games that were played without a run's sums."""
    return RunNote(command(setup, games), {**head(setup), "games": games, **more})


def _words(setup: Setup) -> str:
    rules = setup.rules_text()
    specs = list(dict.fromkeys(policy.spec for policy in setup.policies))
    return f"{setup.players} players, {', '.join(specs)}" + (f", {rules}" if rules else "")


def listed(words: Sequence[str]) -> str:
    """Join words as a list in a sentence."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def mean_count(values: Iterable[int], times: Iterable[int]) -> Estimate:
    """Return the mean of what is counted, and so never below 0.

    Parameters
    ----------
    values, times : iterable of int
        Counts, and how often each was seen.
    """
    return mean_from_histogram(values, times).within(0, None)


#: What is written for a figure of which nothing is known.
UNKNOWN = "\u2013"
PER_CENT = "\u00a0%"
MINUS = "\u2212"


def number(value: float, digits: int = 0) -> str:
    """Return a number with this many decimals, or a dash where it is not known."""
    if math.isnan(value):
        return UNKNOWN
    text = f"{abs(value):,.{digits}f}"
    return MINUS + text if value < 0 and text.strip("0.,") else text


def signed(value: float, digits: int = 0) -> str:
    """Return a change: a number with its sign, but none where it reads zero."""
    text = number(value, digits)
    return "+" + text if value > 0 and text.strip("0.,") else text


def percent(value: float, half_width: float | None = None) -> str:
    """Return a share in per cent, with the decimals that its half-width deserves.

    Only none and all read 0 and 100 %: what would be rounded to one of them reads less than
    the smallest, or more than the largest, share with these decimals (``< 0.1 %``).
    """
    if math.isnan(value):
        return UNKNOWN
    decimals = _decimals(value, half_width)
    text = _hundredths(value, decimals)
    if 0 < value < 1 and text in ("0", "100"):
        least = 10.0**-decimals
        text = f"< {least:.{decimals}f}" if text == "0" else f"> {100 - least:.{decimals}f}"
    return text + PER_CENT


def _decimals(value: float, half_width: float | None) -> int:
    if half_width is not None and half_width > 0:
        return min(3, max(0, math.ceil(-math.log10(half_width * 100))))
    rest = min(abs(value), abs(1 - value))  # near 0 and near 1 alike
    return math.ceil(-math.log10(rest * 100)) + 1 if 0 < rest < 0.001 else 1


def _hundredths(value: float, decimals: int) -> str:
    """Return a share times 100; none and all have no decimals."""
    rounded = round(100 * value, decimals)
    return number(rounded, 0 if rounded in (0, 100) else decimals)


def between(low: float, high: float, written: Callable[[float], str] = number) -> str:
    """Return a 95 % interval in words; of fewer than two games there is none.

    Parameters
    ----------
    low, high : float
        Its ends; NaN where frames hold none.
    written : callable
        Writes one end.
    """
    if math.isnan(low) or math.isnan(high):
        return "no interval"
    return f"95\u00a0% interval {written(low)} to {written(high)}"


def interval(row: Mapping[str, Any]) -> str:
    """Return an estimated share with its interval in words, from a row of a tidy frame."""
    width = float(row["half_width"])
    share, low, high = (float(row[name]) for name in ("estimate", "low", "high"))
    ends = between(low, high, lambda end: _hundredths(end, _decimals(share, width)))
    return f"{percent(share, width)} ({ends}{'' if ends == 'no interval' else PER_CENT})"


def widths_missed(
    frame: pd.DataFrame, what: str, games: int, limit: float = HALF_WIDTH
) -> list[str]:
    """Say where rates over all games of a cell have a wider interval than `limit`.

    Parameters
    ----------
    frame : DataFrame
        Rates with their ``half_width``; NaN where nothing is known.
    what : str
        Whose rates these are.
    games : int
        Games of each cell.
    limit : float
        Half-width, as a share.
    """
    widths = frame["half_width"].fillna(0.5)  # nothing is known of a rate of one game
    missed = int((widths > limit * (1 + 1e-9)).sum())
    if not missed:
        return []
    widest = float(widths.max())
    needed = games * (widest / limit) ** 2
    round_up = 10.0 ** max(0, math.floor(math.log10(needed)) - 2)
    needed = math.ceil(needed / round_up) * round_up
    return [
        f"{what}: {missed} of {len(frame)} rates are known less closely than"
        f" \u00b1{100 * limit:g} percentage points (the widest"
        f" \u00b1{100 * widest:.2g}); `--games {needed:.0f}` would give that."
    ]
