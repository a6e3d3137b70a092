"""Plays a run again from its manifest alone, and says whether it comes out as before."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simlib.engine import Batch
from simlib.errors import BadInput
from simlib.manifest import Manifest, Part, digest_of_sums, parse
from simlib.parallel import Progress, reporter
from simlib.setup import Policies, Setup, count_argument
from simlib.simulate import default_threads, play_chunks
from simlib.store import journal
from simlib.store.block import Rows, Table, tables
from simlib.store.disk import reason
from simlib.store.place import file_at, place_of
from simlib.store.probe import same_games
from simlib.store.rows import Digest, fields, values
from simlib.store.setups import foreign, setup_to_play
from simlib.sums import Folder

__all__ = ["Rerun", "Tally", "policy_sources", "rerun", "tallies"]

CHUNK = 1 << 15


@dataclass(frozen=True)
class Rerun:
    """What came of playing a run again from its manifest.

    Attributes
    ----------
    games : int
        How many were played.
    rows : bool
        Whether rows were compared; else sums.
    differences : tuple of str
        Where it came out otherwise; empty if all is equal.
    """

    games: int
    rows: bool
    differences: tuple[str, ...]

    @property
    def equal(self) -> bool:
        """Tell whether everything came out as before."""
        return not self.differences

    def text(self) -> str:
        """Return one line for people."""
        what = "rows and sums" if self.rows else "sums"
        if self.equal:
            return f"equal: {what} of {self.games} games"
        return f"different: {self.differences[0]}" + (
            f" (and {len(self.differences) - 1} more)" if len(self.differences) > 1 else ""
        )


def policy_sources(manifest: str | os.PathLike[str] | Mapping[str, Any]) -> dict[str, str]:
    """Return the policies in a manifest that are not part of simlib, with their source texts.

    They would be executed by ``rerun(…, trust=True)``: show them first.
    """
    return foreign(_read_manifest(manifest)[0])


def rerun(
    manifest: str | os.PathLike[str] | Mapping[str, Any],
    *,
    policies: Policies | None = None,
    trust: bool = False,
    threads: int | None = None,
    progress: Progress | bool | None = None,
) -> Rerun:
    """Play the run of a manifest again and say whether everything comes out as before.

    Nothing is read but the manifest, and nothing is written.

    Parameters
    ----------
    manifest : path or mapping
        A ``manifest.json``, the folder of one (an address is fine), or ``run.manifest``.
    policies, trust, threads, progress
        As in :func:`resume`.

    Returns
    -------
    Rerun

    Raises
    ------
    BadInput
        If the manifest is damaged or cannot be played by this version.
    PolicyFailure
        If a policy fails (C-5).
    """
    read, where = _read_manifest(manifest)
    count = default_threads() if threads is None else count_argument(threads, "threads")
    setup = setup_to_play(read, where, policies=policies, trust=trust)
    if read.probe is not None and not same_games(setup, read):
        return Rerun(read.probe.games, True, ("the first games go another way",))
    rows = read.keep == "games" and bool(read.parts)
    wanted = tables(setup, "games") if rows else ()
    report = reporter(progress)
    begun = time.perf_counter()
    sums = Folder(setup).new()
    differ: list[str] = []
    for part, tally in tallies(setup, read.parts or [None], wanted, count, read.games):
        sums.add(tally.sums)
        if part is not None:
            differ += tally.compare(part)
        if report:
            report(sums.games, read.games, time.perf_counter() - begun, "")
    if read.sums is not None and read.sums.content != digest_of_sums(sums) and not differ:
        differ.append("the sums of the run differ")
    return Rerun(sums.games, rows, tuple(differ))


def _read_manifest(
    manifest: str | os.PathLike[str] | Mapping[str, Any],
) -> tuple[Manifest, str]:
    if isinstance(manifest, Mapping):
        return parse(manifest, "manifest"), "manifest"
    place = place_of(manifest)
    if place.exists():
        return journal.read_run(place).manifest, str(place)
    folder, name = file_at(manifest)
    where = folder.at(name)
    try:
        return parse(folder.read(name), where), where
    except OSError as error:
        raise BadInput(f"{where}: cannot be read: {reason(error)}") from None


class Tally:
    """Digests and sums of some games in a row."""

    def __init__(self, setup: Setup, folder: Folder, wanted: Sequence[Table]) -> None:
        self.sums = folder.new()
        self._setup = setup
        self._digests = {
            table: Digest(field.name for field in fields(setup, table)) for table in wanted
        }

    def add(self, chunk: Rows) -> None:
        """Add the next games."""
        self.sums.add(chunk.sums)
        for table, digest in self._digests.items():
            assert chunk.games is not None
            assert chunk.deals is not None
            digest.add(values(self._setup, table, Batch(chunk.first, chunk.games, chunk.deals)))

    def compare(self, part: Part) -> list[str]:
        """Say where a part is not the same."""
        where = f"games {part.first} to {part.first + part.games - 1}"
        found = [
            f"{where}: the rows of the table of {table} differ"
            for table, digest in self._digests.items()
            if digest.hexdigest() != part.files[table].content
        ]
        if digest_of_sums(self.sums) != part.files["sums"].content:
            found.append(f"{where}: the sums differ")
        return found


def tallies(
    setup: Setup,
    parts: Sequence[Part | None],
    wanted: Sequence[Table],
    threads: int,
    games: int,
) -> Iterator[tuple[Part | None, Tally]]:
    """Play the games of parts again and yield what each comes to.

    Parameters
    ----------
    parts : sequence of Part or None
        None stands for a run that has no parts: games 0 … `games` - 1.
    wanted : sequence of str
        The tables whose rows are digested.
    """
    folder = Folder(setup)
    folder.build()
    setup.compiled()
    setup.game.simulate.build()
    ranges = [(p.first, p.first + p.games) if p else (0, games) for p in parts]
    cut = ((a, min(CHUNK, stop - a)) for low, stop in ranges for a in range(low, stop, CHUNK))
    chunks = play_chunks(setup, cut, folder, threads=threads, rows=bool(wanted))
    for part, (_, stop) in zip(parts, ranges, strict=True):
        tally = Tally(setup, folder, wanted)
        for chunk in chunks:
            tally.add(chunk)
            if chunk.first + chunk.count == stop:
                break
        yield part, tally
