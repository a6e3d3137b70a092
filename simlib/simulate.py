"""A run: games cut into chunks, played on threads, folded into figures.

The result is the same to the bit for any number of threads and any size of chunks: a game
depends on its seed and index alone, and sums are whole numbers added in any order.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from simlib.engine import Player
from simlib.errors import BadInput
from simlib.parallel import Progress, reporter
from simlib.run import Run, games_needed
from simlib.setup import Policies, Setup, count_argument, prepare
from simlib.stats import looks, may_stop
from simlib.sums import Figure, Folder, Sums

if TYPE_CHECKING:
    from simlib.cluster import Crew
    from simlib.store import Writer

__all__ = ["Chunk", "Progress", "play_chunks", "play_run", "run_setup", "simulate"]

#: Games in a chunk unless told otherwise.
CHUNK = 1 << 15
#: So many chunks a thread keep all of them busy to the end, but no chunk is smaller than this.
CHUNKS_A_THREAD, LEAST_CHUNK = 16, 250
#: Games in a block on disk: a chunk never crosses its edge.
BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Chunk:
    """What one chunk of games left: sums, and copies of its rows where they are wanted."""

    first: int
    count: int
    sums: Sums
    games: np.ndarray | None
    deals: np.ndarray | None


def default_threads() -> int:
    """Return the number of processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def simulate(
    game: str,
    *,
    variety: str | None = None,
    players: int | None = None,
    unit: str | None = None,
    games: float = 10_000,
    seed: int = 0,
    play_seed: int | None = None,
    policies: Policies = "random",
    rules: Mapping[str, Any] | None = None,
    preset: str | None = None,
    threads: int | None = None,
    chunk: int | None = None,
    keep: Literal["summary", "games"] | None = None,
    precision: Mapping[str, float] | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | bool | None = None,
    client: Any = None,
) -> Run:
    """Play many games and return what came of them.

    Parameters
    ----------
    game : str
        ``"king-george-iii"``, ``"royal-corners"`` or ``"king"``.
    variety, players, unit, rules, preset
        What is played; see ``simlib games``. None takes the default.
    games : int
        How many games; with `precision`, at most.
    seed, play_seed : int
        The same (seed, index) is the same game everywhere and always (C-4).
    policies : str, Policy or a sequence
        One for all seats, or one a seat.
    threads, chunk : int, optional
        Change the speed only.
    keep : {"summary", "games"}
        Whether rows are kept in memory; ``"games"`` if `out` is given, else ``"summary"``.
    precision : mapping, optional
        Metric name to half-width of its 95 % interval: the run stops once all are met.
    out : path or address, optional
        Folder to write the run to; an address (``"s3://bucket/run"``) is opened by fsspec.
    progress : callable or bool, optional
        Called after each chunk with games done, games expected, seconds, and a note; True
        draws a line. With `precision` the games expected follow from the widths so far.
    client : distributed.Client or str, optional
        A Dask cluster, or the address of its scheduler, to play it on.

    Returns
    -------
    Run

    Raises
    ------
    BadInput
        If anything given is not valid.
    PolicyFailure
        If a policy answers outside its options or raises (C-5).

    Examples
    --------
    >>> run = simulate("king-george-iii", players=2, games=1000, seed=7)
    >>> len(run.metrics) > 10
    True
    """
    setup = prepare(
        game,
        variety=variety,
        players=players,
        unit=unit,
        rules=rules,
        preset=preset,
        policies=policies,
        seed=seed,
        play_seed=play_seed,
    )
    return run_setup(
        setup,
        games=games,
        threads=threads,
        chunk=chunk,
        keep=keep,
        precision=precision,
        out=out,
        progress=progress,
        client=client,
    )


def run_setup(
    setup: Setup,
    *,
    games: float,
    threads: int | None = None,
    chunk: int | None = None,
    keep: str | None = None,
    precision: Mapping[str, float] | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: Progress | bool | None = None,
    client: Any = None,
) -> Run:
    """Play a setup that has been prepared; see :func:`simulate`.

    Parameters
    ----------
    client : distributed.Client or str, optional
        A Dask cluster, or the address of its scheduler, to play it on.
    """
    count = count_argument(games, "games")
    if keep not in (None, "summary", "games"):
        raise BadInput(f"keep {keep!r}: summary or games")
    keep = keep or ("games" if out is not None else "summary")
    if threads is not None:
        threads = count_argument(threads, "threads")
    if chunk is not None:
        chunk = count_argument(chunk, "chunk")
    targets = _targets(Folder(setup), precision)
    with _crew(client, setup, keep, out) as crew:
        writer = None
        if out is not None:
            from simlib.store import Writer

            setup.compiled()  # a policy that is refused leaves no folder
            writer = Writer.create(out, setup, games=count, keep=keep, precision=targets)
        return play_run(
            setup,
            games=count,
            threads=threads,
            chunk=chunk,
            keep=keep,
            precision=targets,
            writer=writer,
            crew=crew,
            progress=progress,
        )


def _crew(client: Any, setup: Setup, keep: str, out: object) -> AbstractContextManager[Crew | None]:
    if client is None:
        return nullcontext()
    if keep == "games" and out is None:
        raise BadInput("keep games: rows that are played on a cluster are stored: give out")
    from simlib.cluster import crew

    return crew(client, setup, keep)


def play_run(
    setup: Setup,
    *,
    games: int,
    threads: int | None,
    chunk: int | None,
    keep: str,
    precision: Mapping[str, float],
    writer: Writer | None = None,
    crew: Crew | None = None,
    progress: Progress | bool | None = None,
) -> Run:
    """Play a run, or what a stored run lacks; see :func:`simulate`.

    Parameters
    ----------
    writer : Writer, optional
        Where it is stored; then `games` and `precision` are those of the writer.
    crew : Crew, optional
        Who plays it, if not threads of this process.
    """
    sums = None
    try:
        if writer is not None:
            games, precision = writer.games, writer.precision
        threads = threads or default_threads()
        folder = Folder(setup)
        targets = _targets(folder, precision)
        report = reporter(progress)
        rows: list[Chunk] = []
        sums = folder.new()
        setup.compiled()  # compiled once, before threads meet and before the clock runs
        setup.game.simulate.build()
        folder.build()
        begun = time.perf_counter()
        if writer is not None:  # the clock goes on where it stood
            begun -= writer.seconds
            sums.add(writer.sums)
        note = ""
        met = not targets
        stops = list(looks(games, cycle=folder.cycle)) if targets else [games]
        played, expected = 0, stops[0]
        for stop in stops:
            if writer is not None and stop < writer.reach:
                continue  # the run went past this look
            if crew is not None:
                parts = crew.play(writer, sums.games, stop)
            else:
                size = _chunk_size(chunk, stop - sums.games, threads)
                ranges = _ranges(sums, stop, size, writer)
                parts = play_chunks(setup, ranges, folder, threads=threads, rows=keep == "games")
            for part in parts:
                sums.add(part.sums)
                played += part.sums.games
                if crew is not None:
                    pass  # its parts are stored already
                elif writer is not None:
                    writer.add(part)
                elif keep == "games":
                    rows.append(part)
                if report and sums.games < games:
                    total = max(expected, sums.games + 1)
                    report(sums.games, total, time.perf_counter() - begun, note)
            if targets:
                figures = folder.figures(sums)
                note = _precision_note(figures, targets)
                met = _met(figures, targets)
                if met:
                    break
                needed = games_needed(figures, sums.games, targets)
                expected = next((s for s in stops if s > sums.games and s >= needed), games)
        elapsed = time.perf_counter() - begun
        if report:
            report(sums.games, sums.games, elapsed, note)
    except BaseException:
        if writer is not None:
            writer.abandon(sums)
        raise
    run = Run(
        setup=setup,
        folder=folder,
        sums=sums,
        elapsed=elapsed,
        rows=[(part.first, part.games, part.deals) for part in rows] if rows else None,
        precision=dict(targets) or None,
        met=met,
        played=played,
    )
    if writer is not None:
        writer.finish(run)
    return run


def _chunk_size(chunk: int | None, games: int, threads: int) -> int:
    if chunk is not None:
        return min(chunk, BLOCK)
    return max(LEAST_CHUNK, min(CHUNK, -(-games // (CHUNKS_A_THREAD * threads))))


def _ranges(sums: Sums, stop: int, size: int, writer: Writer | None) -> Iterator[tuple[int, int]]:
    """Cut what is not played of games ``0`` … ``stop - 1`` into chunks.

    A chunk never crosses the edge of a block on disk.
    """
    gaps = [(sums.games, stop)] if writer is None else writer.missing(stop)
    block = BLOCK if writer is None else writer.block
    for first, end in gaps:
        while first < end:
            edge = (first // block + 1) * block
            count = min(size, end - first, edge - first)
            yield first, count
            first += count


def play_chunks(
    setup: Setup,
    ranges: Iterator[tuple[int, int]],
    folder: Folder,
    *,
    threads: int,
    rows: bool,
) -> Iterator[Chunk]:
    """Play ranges of games on threads and yield their chunks in order."""
    players: SimpleQueue[Player] = SimpleQueue()
    everyone: list[Player] = []

    def work(first: int, count: int) -> Chunk:
        player = players.get()
        try:
            return play_one(player, folder, first, count, rows)
        finally:
            players.put(player)

    pending: deque[Future[Chunk]] = deque()
    pool = ThreadPoolExecutor(threads)
    try:
        for first, count in ranges:
            if len(everyone) < threads:
                player = Player(setup, deals=rows)
                everyone.append(player)
                players.put(player)
            pending.append(pool.submit(work, first, count))
            if len(pending) > threads:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for player in everyone:
            player.stop()
        pool.shutdown(wait=True, cancel_futures=True)


def play_one(player: Player, folder: Folder, first: int, count: int, rows: bool) -> Chunk:
    """Play one chunk of games and return what it left."""
    sums = folder.new()
    games, deals = [], []
    for batch in player.play(first, count):
        folder.fold(batch, sums)
        if rows:
            games.append(_raw(batch.games).copy())
            deals.append(_raw(batch.deals).copy())
    if not rows:
        return Chunk(first, count, sums, None, None)
    kinds = player.setup.game.game_dtype, player.setup.game.deal_dtype
    return Chunk(first, count, sums, _join(games).view(kinds[0]), _join(deals).view(kinds[1]))


def _raw(rows: np.ndarray) -> np.ndarray:
    """Return rows as plain bytes: numpy copies records field by field, five times slower."""
    return rows.view(np.dtype((np.void, rows.dtype.itemsize)))


def _join(parts: list[np.ndarray]) -> np.ndarray:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


# --- stopping by precision -------------------------------------------------------------


def _targets(folder: Folder, precision: Mapping[str, float] | None) -> dict[str, float]:
    if precision is None:
        return {}
    if not isinstance(precision, Mapping):
        raise BadInput(f"precision {precision!r}: give metric names with half-widths")
    names = list(dict.fromkeys(f.metric.name for f in folder.figures(folder.new())))
    targets = {}
    for name, width in precision.items():
        if name not in names:
            raise BadInput(f"precision {name!r}: this run has the metrics {', '.join(names)}")
        try:
            targets[name] = float(width)
        except (TypeError, ValueError):
            targets[name] = float("nan")
        if not targets[name] > 0 or not np.isfinite(targets[name]):
            raise BadInput(f"precision {name}={width!r}: give a half-width above 0")
    return targets


def _met(figures: list[Figure], targets: Mapping[str, float]) -> bool:
    return may_stop(
        [
            (figure.sums, targets[figure.metric.name])
            for figure in figures
            if figure.metric.name in targets and figure.group is None
        ]
    )


def _precision_note(figures: list[Figure], targets: Mapping[str, float]) -> str:
    widest: dict[str, float] = {}
    for figure in figures:
        name = figure.metric.name
        if name in targets and figure.group is None:
            width = figure.sums.estimate().half_width
            widest[name] = max(widest.get(name, 0.0), float("inf") if width is None else width)
    return ", ".join(f"{name} ±{width:.2g}" for name, width in widest.items())
