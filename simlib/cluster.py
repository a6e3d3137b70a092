"""The same runs on Dask: blocks of games as tasks, each folded where it is played.

A worker plays a block and returns one small table of sums. Its part it writes into the run's
folder if it sees that folder; else the part is sent back. Rows and figures are those of a local
run, to the bit. What is lost with a worker is played again by another; nothing that has been
entered in the journal is. User policies travel as source text.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from simlib.engine import Player
from simlib.errors import BadInput, PolicyFailure, RunFailure
from simlib.manifest import Part, code, head, parse, sealed, text_of
from simlib.setup import Setup
from simlib.simulate import Chunk, play_one
from simlib.store.block import Block, Files, pack_sums, read_sums, unpack
from simlib.store.place import Place, place_of
from simlib.store.setups import setup_to_play
from simlib.store.writer import BLOCK, Writer
from simlib.sums import Folder, Sums

__all__ = ["Crew", "crew"]

CHUNK = 1 << 15
#: How often a task is tried again that fails other than by its games.
RETRIES = 3
#: Tasks a thread that are under way or waiting; each may bring a part's bytes with it.
AHEAD = 3
#: How long a scheduler may take to answer.
CONNECT = "10s"

_compiling = threading.Lock()


class Task(NamedTuple):
    """What a worker is to play.

    Attributes
    ----------
    order : str
        A manifest as text: what is played, with the policies' sources.
    first, stop : int
        Games ``first`` … ``stop - 1``; of a stored run they begin a block.
    block : int or None
        Games a block; None if sums alone are wanted.
    folder, token : str
        Folder or address of the run, and the name of a file in it by which a worker knows that
        it sees the same folder.
    beside : Part or None
        The part that the new one will replace.
    """

    order: str
    first: int
    stop: int
    block: int | None = None
    folder: str = ""
    token: str = ""
    beside: Part | None = None


class Done(NamedTuple):
    """What a worker returns: sums, and of a stored run the part, with its files if need be."""

    sums: bytes
    part: Part | None = None
    files: Files | None = None
    failure: tuple[str, int, int, str] | None = None


# --- on a worker ---------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _ordered(order: str) -> tuple[Setup, str]:
    """Return the setup of an order, and what is kept."""
    manifest = parse(order, "order")
    if manifest.code != code():
        raise BadInput("a worker has another version of simlib than the one that asks")
    return setup_to_play(manifest, "order", trust=True), manifest.keep


def play_task(task: Task) -> Done:
    """Play a task; runs on a worker."""
    with _compiling:
        setup, keep = _ordered(task.order)
        folder = Folder(setup)
        folder.build()
        player = Player(setup, deals=keep == "games")
    try:
        if task.block is None:
            sums = folder.new()
            for chunk, _ in _chunks(player, folder, task, rows=False):
                sums.add(chunk.sums)
            return Done(pack_sums(sums))
        block = Block(setup, folder, task.first // task.block, task.block, keep)
        for chunk, seconds in _chunks(player, folder, task, rows=keep == "games"):
            block.add(chunk, seconds)
    except PolicyFailure as failure:
        where = (str(failure), failure.game, failure.seat, failure.policy)
        return Done(b"", failure=where)
    part, files = block.pack(task.beside)
    sums_file = files[part.files["sums"].name]
    place = _seen(task)
    if place is None:
        return Done(sums_file, part, files)
    for name, data in files.items():
        place.put(name, data, token=secrets.token_hex(8))
    return Done(sums_file, part)


def _seen(task: Task) -> Place | None:
    """Return the folder of the run, if this worker sees it."""
    try:
        place = place_of(task.folder)
        return place if place.has(task.token) else None
    except (BadInput, OSError):  # no package for such an address, or nobody lets it in
        return None


def _chunks(
    player: Player, folder: Folder, task: Task, *, rows: bool
) -> Iterator[tuple[Chunk, float]]:
    for first in range(task.first, task.stop, CHUNK):
        begun = time.perf_counter()
        chunk = play_one(player, folder, first, min(CHUNK, task.stop - first), rows)
        yield chunk, time.perf_counter() - begun


# --- where the run is asked for ------------------------------------------------------------


class Crew:
    """The workers of a Dask cluster, as a run sees them.

    Parameters
    ----------
    client : distributed.Client
    setup : Setup
    keep : {"games", "summary"}

    Raises
    ------
    BadInput
        If a policy cannot travel.
    """

    def __init__(self, client: Any, setup: Setup, keep: str) -> None:
        self._client = client
        self._folder = Folder(setup)
        fields = head(setup)
        for note in fields["policies"]:
            if note["missing"]:
                raise BadInput(
                    f"policy {note['spec']!r} cannot travel to the workers: its source text"
                    f" lacks {', '.join(note['missing'])}"
                )
        timings = {"started": None, "finished": None, "seconds": 0.0, "sessions": 1}
        self._order = text_of(
            sealed(
                {
                    **fields,
                    "state": "unfinished",
                    "games_asked": 0,
                    "games": 0,
                    "keep": keep,
                    "block": None,
                    "precision": None,
                    "probe": None,
                    "timings": timings,
                    "parts": [],
                    "sums": None,
                }
            )
        )

    def play(self, writer: Writer | None, done: int, stop: int) -> Iterator[Chunk]:
        """Play what is missing of games ``0`` … ``stop - 1``; yield what it adds to the sums.

        Parameters
        ----------
        writer : Writer or None
            Of a stored run.
        done : int
            Without a writer, the games that have been played.

        Raises
        ------
        PolicyFailure
            If a policy fails (C-5).
        RunFailure
            If the disk is full, or workers die over and over.
        """
        if writer is None:
            tasks = self._loose_tasks(done, stop)
            yield from (self._loose(finished) for finished in self._results(tasks))
            return
        token = f".shared-{secrets.token_hex(8)}"
        writer.place.put(token, b"")
        try:
            tasks = self._block_tasks(writer, stop, token)
            yield from (self._stored(writer, finished) for finished in self._results(tasks))
            writer.tidy()
        except OSError as error:
            raise writer.cannot_write(error) from None
        finally:
            writer.place.remove(token)

    def _threads(self) -> int:
        return max(1, int(sum(self._client.nthreads().values())))

    def _loose_tasks(self, first: int, stop: int) -> Iterator[Task]:
        size = min(BLOCK, max(CHUNK, -(-(stop - first) // (4 * self._threads()))))
        for start in range(first, stop, size):
            yield Task(self._order, start, min(start + size, stop))

    def _block_tasks(self, writer: Writer, stop: int, token: str) -> Iterator[Task]:
        """Yield a task a block: a block that is there in part is played from its beginning."""
        size, folder = writer.block, writer.place.absolute()
        numbers = {
            number: None
            for first, end in writer.missing(stop)
            for number in range(first // size, -(-end // size))
        }
        for number in numbers:
            first, end = number * size, min((number + 1) * size, stop)
            yield Task(self._order, first, end, size, folder, token, writer.part(number))

    def _loose(self, finished: Done) -> Chunk:
        sums = unpack(finished.sums, self._folder)
        return Chunk(0, sums.games, sums, None, None)

    def _stored(self, writer: Writer, finished: Done) -> Chunk:
        part = finished.part
        assert part is not None
        sums = unpack(finished.sums, self._folder)
        old = writer.part(part.block)
        if old is not None:
            sums = _minus(sums, read_sums(writer.place, old, self._folder))
        writer.enter(part, finished.files or {})
        return Chunk(part.first, sums.games, sums, None, None)

    def _results(self, tasks: Iterator[Task]) -> Iterator[Done]:
        """Yield results as they come, with a few tasks waiting for each thread."""
        from distributed import as_completed
        from distributed.scheduler import KilledWorker

        futures: set[Any] = set()

        def submit(some: int) -> list[Any]:
            new = [
                self._client.submit(play_task, task, pure=False, retries=RETRIES)
                for task in islice(tasks, some)
            ]
            futures.update(new)
            return new

        waiting = as_completed(submit(AHEAD * self._threads()))
        try:
            for future in waiting:
                finished: Done = future.result()
                futures.discard(future)
                for new in submit(1):
                    waiting.add(new)
                if finished.failure is not None:
                    message, game, seat, policy = finished.failure
                    raise PolicyFailure(message, game=game, seat=seat, policy=policy)
                yield finished
        except (KilledWorker, CancelledError) as error:
            reason = str(error).split("\n")[0]
            raise RunFailure(f"the cluster gave the run up: {reason}") from None
        finally:
            self._client.cancel(list(futures))


def _minus(sums: Sums, others: Sums) -> Sums:
    arrays = [a - b for a, b in zip(sums.arrays, others.arrays, strict=True)]
    return Sums(sums.games - others.games, arrays)


@contextmanager
def crew(client: Any, setup: Setup, keep: str) -> Iterator[Crew]:
    """Return the workers of a client, or of a scheduler's address.

    Parameters
    ----------
    client : distributed.Client or str
        ``"tcp://…:8786"``, or a client.

    Raises
    ------
    BadInput
        If Dask is not installed, the scheduler cannot be reached, or a policy cannot travel.
    """
    try:
        from distributed import Client
    except ImportError:
        raise BadInput('a scheduler needs Dask: pip install "king-simlib[cluster]"') from None
    if not isinstance(client, str | Client):
        raise BadInput(f"client {client!r}: give a distributed.Client, or a scheduler's address")
    if not isinstance(client, str):
        yield Crew(client, setup, keep)
        return
    try:
        own = Client(client, timeout=CONNECT)
    except (OSError, ValueError, TypeError) as error:
        reason = str(error).split("\n")[0]
        raise BadInput(f"scheduler {client!r} cannot be reached: {reason}") from None
    with own:
        yield Crew(own, setup, keep)
