"""What can be done with a stored run: go on with it, let it grow, list runs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from simlib.errors import BadInput
from simlib.parallel import Progress
from simlib.setup import Policies, count_argument
from simlib.simulate import play_run
from simlib.store import journal
from simlib.store.disk import LOCK
from simlib.store.opening import is_part, reopen
from simlib.store.place import Place, place_of
from simlib.store.setups import setup_to_play
from simlib.store.stored import StoredRun, load

__all__ = ["extend", "resume", "runs"]

#: How deep below a folder runs are looked for.
DEPTH = 3


def resume(
    path: str | os.PathLike[str],
    *,
    policies: Policies | None = None,
    trust: bool = False,
    threads: int | None = None,
    progress: Progress | bool | None = None,
) -> StoredRun:
    """Play what a stored run lacks: games that were not reached, and damaged or missing parts.

    Parameters
    ----------
    path : path or address
        Folder of the run.
    policies : optional
        The run's policies, where they are not part of simlib; else the manifest's are taken.
    trust : bool
        Execute the source text of such policies in the manifest.
    threads, progress
        As in :func:`simlib.simulate`.

    Returns
    -------
    StoredRun
        Complete; ``notes`` says what was damaged or missing.

    Raises
    ------
    BadInput
        If it is no run, cannot go on in this version, or another process writes to it.
    RunFailure
        If the disk is full, or a policy fails (C-5).
    """
    return _continue(place_of(path), None, policies, trust, threads, progress)


def extend(
    path: str | os.PathLike[str],
    games: float,
    *,
    policies: Policies | None = None,
    trust: bool = False,
    threads: int | None = None,
    progress: Progress | bool | None = None,
) -> StoredRun:
    """Play on with a stored run until it has `games` games in all.

    A run that was stopped by precision goes on to that number.

    Parameters
    ----------
    path : path or address
    games : int
        How many games it is to have, those that are there included.
    policies, trust, threads, progress
        As in :func:`resume`.

    Returns
    -------
    StoredRun

    Raises
    ------
    BadInput
        If the run has more games already; else as :func:`resume`.
    RunFailure
        As :func:`resume`.
    """
    count = count_argument(games, "games")
    return _continue(place_of(path), count, policies, trust, threads, progress)


def _continue(
    place: Place,
    games: int | None,
    policies: Policies | None,
    trust: bool,
    threads: int | None,
    progress: Progress | bool | None,
) -> StoredRun:
    threads = None if threads is None else count_argument(threads, "threads")
    manifest = journal.read_run(place).manifest
    setup = setup_to_play(manifest, str(place), policies=policies, trust=trust)
    writer = reopen(place, setup, games=games, drop_precision=games is not None)
    play_run(
        setup,
        games=writer.games,
        threads=threads,
        chunk=None,
        keep=manifest.keep,
        precision={},
        writer=writer,
        progress=progress,
    )
    run = load(place.path)
    run.notes = writer.notes
    return run


# --- listing -------------------------------------------------------------------------------


def runs(path: str | os.PathLike[str] = ".") -> list[dict[str, Any]]:
    """List the runs in a folder and in those below it.

    Returns
    -------
    list of dict
        ``path``, ``state`` ("complete", "unfinished", "running", "damaged"), and of those
        that can be read ``game variety players unit policies seed games games_asked keep
        bytes seconds started``; of others ``problem``.

    Raises
    ------
    BadInput
        If there is no such folder.
    """
    root = place_of(path)
    if not root.exists():
        raise BadInput(f"{root}: there is no such folder")
    return [_entry(place) for place in _run_folders(root, DEPTH)]


def _run_folders(place: Place, depth: int) -> Iterator[Place]:
    try:
        names, below = place.names(), place.below()
    except OSError:
        return
    if _is_ours(place, names):
        yield place
    elif depth > 0:
        for folder in below:
            yield from _run_folders(folder, depth - 1)


def _is_ours(place: Place, names: Sequence[str]) -> bool:
    """Tell whether a folder is a run, if perhaps a damaged one."""
    if journal.JOURNAL in names:
        return True
    if LOCK in names:
        return journal.MANIFEST in names or any(map(is_part, names))
    if journal.MANIFEST not in names:
        return False
    try:
        start = place.read(journal.MANIFEST)[:4096]
    except OSError:
        return False
    return b"simlib-run/" in start


def _entry(place: Place) -> dict[str, Any]:
    try:
        manifest = journal.read_run(place).manifest
    except BadInput as error:
        problem = str(error).removeprefix(f"{place.at(journal.MANIFEST)}: ")
        return {"path": str(place), "state": "damaged", "problem": problem}
    state: str = manifest.state
    if place.writer():
        state = "running"
    return {
        "path": str(place),
        "state": state,
        "game": manifest.game,
        "variety": manifest.variety,
        "players": manifest.players,
        "unit": manifest.unit,
        "policies": [note.spec for note in manifest.policies],
        "seed": manifest.seed,
        "games": sum(part.games for part in manifest.parts),
        "games_asked": manifest.games_asked,
        "keep": manifest.keep,
        "bytes": sum(note.bytes for part in manifest.parts for note in part.files.values()),
        "seconds": manifest.timings.seconds,
        "started": manifest.timings.started,
    }
