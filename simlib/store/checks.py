"""Looks a stored run over: every file, and some of its games played again."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from simlib.engine import Batch, Player
from simlib.errors import RunFailure
from simlib.manifest import Manifest, Part, digest_of_sums
from simlib.setup import Policies, Setup, count_argument
from simlib.simulate import default_threads
from simlib.store import journal
from simlib.store.again import tallies
from simlib.store.block import read_file, read_sums, tables
from simlib.store.opening import strays, whole_parts
from simlib.store.parquet import GROUP, read, schema
from simlib.store.place import Place, place_of
from simlib.store.rows import Values, fields, join, values
from simlib.store.setups import foreign, setup_to_play, setup_to_read
from simlib.sums import Folder

__all__ = ["Check", "check"]

#: Parts that are looked into for games to play again.
MOST_PARTS = 16


@dataclass(frozen=True)
class Check:
    """What a check found.

    Attributes
    ----------
    path : Path or str
    games, parts, files, bytes : int
        What the run has.
    played : int
        Games that were played again.
    problems : tuple of str
        What is wrong; empty if nothing is.
    notes : tuple of str
        What is not wrong, but good to know.
    """

    path: Path | str
    games: int
    parts: int
    files: int
    bytes: int
    played: int
    problems: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Tell whether nothing is wrong."""
        return not self.problems

    def lines(self) -> list[str]:
        """Return the report as lines for people."""
        what = (
            f"{_count(self.games, 'game')} in {_count(self.parts, 'part')},"
            f" {_count(self.files, 'file')}, {_count(self.bytes, 'byte')};"
            f" {_count(self.played, 'game')} played again"
        )
        state = "ok" if self.ok else f"{len(self.problems)} wrong"
        return [f"{self.path}: {state}: {what}", *self.problems, *self.notes]


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def check(
    path: str | os.PathLike[str],
    *,
    sample: int = 1000,
    policies: Policies | None = None,
    trust: bool = False,
    threads: int | None = None,
    seed: int | None = None,
) -> Check:
    """Look a stored run over: checksums, schema, sums, and a random sample played again.

    Parameters
    ----------
    path : path or address
        Folder of the run.
    sample : int
        Games that are played again and compared row by row; 0 for none. Where sums alone
        were kept, it is all games of one part.
    policies, trust, threads
        As in :func:`simlib.store.resume`; without policies that may be executed no games are
        played again.
    seed : int, optional
        Of the sample.

    Returns
    -------
    Check

    Raises
    ------
    BadInput
        If the folder holds no run, or one of another version.
    """
    place = place_of(path)
    wanted = count_argument(sample, "sample", least=0)
    count = default_threads() if threads is None else count_argument(threads, "threads")
    found = journal.read_run(place)
    manifest = found.manifest
    whole, problems = whole_parts(place, manifest)
    problems += _wrong_tables(place, manifest, whole)
    problems += _wrong_sums(place, manifest, whole)
    notes = [*found.notes, *_notes(place, manifest)]
    played = 0
    if wanted and whole:
        if foreign(manifest) and policies is None and not trust:
            name = next(iter(foreign(manifest)))
            notes.append(f"no game was played again: policy {name!r} is not part of simlib")
        else:
            setup = setup_to_play(manifest, str(place), policies=policies, trust=trust)
            random = np.random.default_rng(seed)
            play = _play_rows if manifest.keep == "games" else _play_part
            played, wrong = play(place, setup, whole, wanted, count, random)
            problems += wrong
    files = [note for part in manifest.parts for note in part.files.values()]
    return Check(
        place.path,
        sum(part.games for part in manifest.parts),
        len(manifest.parts),
        len(files),
        sum(note.bytes for note in files),
        played,
        tuple(problems),
        tuple(notes),
    )


def _notes(place: Place, manifest: Manifest) -> list[str]:
    notes = []
    there = sum(part.games for part in manifest.parts)
    if who := place.writer():
        notes.append(f"running: {who}")
    elif manifest.state != "complete":
        asked = manifest.games_asked
        notes.append(f"unfinished: {there} of {asked} games; simlib resume {place} goes on")
    if extra := strays(place, manifest.parts):
        notes.append(f"{len(extra)} files that do not count: {', '.join(extra[:3])}")
    return notes


def _wrong_tables(place: Place, manifest: Manifest, parts: Sequence[Part]) -> list[str]:
    """Compare the columns and the number of rows of each file with what they should be."""
    import pyarrow.parquet as pq

    setup = setup_to_read(manifest, str(place))
    problems = []
    for part in parts:
        for table in tables(setup, manifest.keep):
            note = part.files.get(table)
            if note is None:
                problems.append(f"part {part.block}: no table of {table}")
                continue
            file = pq.ParquetFile(place.open(note.name))
            if not file.schema_arrow.equals(schema(setup, table)):
                problems.append(f"{note.name}: its columns are not those of this version")
            rows = file.metadata.num_rows
            if rows != note.rows or (table == "games" and rows != part.games):
                problems.append(f"{note.name}: {rows} rows instead of {note.rows}")
    return problems


def _wrong_sums(place: Place, manifest: Manifest, parts: Sequence[Part]) -> list[str]:
    setup = setup_to_read(manifest, str(place))
    reader = Folder(setup)
    sums = reader.new()
    problems = []
    for part in parts:
        try:
            sums.add(read_sums(place, part, reader))
        except RunFailure as error:
            problems.append(str(error).removeprefix(f"{place}: "))
    if not problems and len(parts) == len(manifest.parts) and manifest.sums is not None:
        if digest_of_sums(sums) != manifest.sums.content:
            problems.append("the sums of the parts are not those of the run")
        if sums.games != manifest.games:
            problems.append(f"{sums.games} games in the parts instead of {manifest.games}")
    return problems


# --- playing again -------------------------------------------------------------------------


def _play_rows(
    place: Place,
    setup: Setup,
    parts: Sequence[Part],
    sample: int,
    threads: int,
    random: np.random.Generator,
) -> tuple[int, list[str]]:
    """Play random games again and compare them row by row."""
    chosen = random.choice(len(parts), min(len(parts), MOST_PARTS), replace=False)
    player = Player(setup, deals=True)
    played, problems = 0, []
    for left, number in zip(range(len(chosen), 0, -1), chosen, strict=True):
        part = parts[number]
        count = -(-(sample - played) // left)
        low = part.first + int(random.integers(max(1, part.games - GROUP + 1)))
        high = min(low + GROUP, part.first + part.games)
        drawn = random.choice(high - low, min(count, high - low), replace=False)
        indexes = np.sort(drawn) + low
        batches = [_one(player, int(index)) for index in indexes]
        for table in tables(setup, "games"):
            there = _stored(place, setup, part, table, indexes)
            again = join([values(setup, table, batch) for batch in batches])
            problems += _compare(part.files[table].name, there, again)
        played += len(indexes)
    return played, problems


def _one(player: Player, index: int) -> Batch:
    (batch,) = player.play(index, 1)
    return Batch(index, batch.games.copy(), batch.deals.copy())


def _stored(place: Place, setup: Setup, part: Part, table: str, indexes: np.ndarray) -> Values:
    source = io.BytesIO(read_file(place, part.files[table]))  # type: ignore[index]
    low, high = int(indexes[0]), int(indexes[-1]) + 1
    data = join(list(read(source, fields(setup, table), low, high)))
    chosen = np.isin(data["index"], indexes)
    return {name: column[chosen] for name, column in data.items()}


def _compare(name: str, there: Values, again: Values) -> list[str]:
    if len(there["index"]) != len(again["index"]):
        return [f"{name}: {len(there['index'])} rows, and {len(again['index'])} when played again"]
    for column in again:
        wrong = np.flatnonzero(there[column] != again[column])
        if len(wrong):
            game = again["index"][wrong[0]]
            return [f"{name}: game {game}: {column} is another when it is played again"]
    return []


def _play_part(
    place: Place,
    setup: Setup,
    parts: Sequence[Part],
    sample: int,
    threads: int,
    random: np.random.Generator,
) -> tuple[int, list[str]]:
    """Play a random part again and compare its sums."""
    part = parts[int(random.integers(len(parts)))]
    problems = [
        problem
        for _, tally in tallies(setup, [part], (), threads, part.games)
        for problem in tally.compare(part)
    ]
    return part.games, problems
