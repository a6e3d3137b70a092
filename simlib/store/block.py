"""One block of a run: rows and sums gathered in memory, written as the files of a part."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterable
from typing import Literal, Protocol

import numpy as np

from simlib.engine import Batch
from simlib.errors import RunFailure
from simlib.manifest import FileNote, Part, digest_of_sums
from simlib.setup import Setup
from simlib.store.disk import reason
from simlib.store.parquet import Sink, read
from simlib.store.place import Place
from simlib.store.rows import fields, has_deals, values
from simlib.sums import Folder, Sums

__all__ = [
    "Block",
    "Files",
    "Rows",
    "damage",
    "file_name",
    "pack_sums",
    "read_file",
    "read_sums",
    "tables",
    "total",
    "unpack",
]

Table = Literal["games", "deals"]
What = Literal["games", "deals", "sums"]
#: Name of a file to its bytes.
Files = dict[str, bytes]
NAMES = {
    "games": "part-{:06d}{}.parquet",
    "deals": "deals-{:06d}{}.parquet",
    "sums": "sums-{:06d}{}.npz",
}


class Rows(Protocol):
    """What a chunk of games brings."""

    @property
    def first(self) -> int: ...
    @property
    def count(self) -> int: ...
    @property
    def sums(self) -> Sums: ...
    @property
    def games(self) -> np.ndarray | None: ...
    @property
    def deals(self) -> np.ndarray | None: ...


def tables(setup: Setup, keep: str) -> tuple[Table, ...]:
    """Return the tables that a run of this kind has on disk."""
    if keep == "summary":
        return ()
    return ("games", "deals") if has_deals(setup) else ("games",)


def file_name(what: What, block: int, beside: Part | None = None) -> str:
    """Return the name of a file of a part: another than that of the part it will replace."""
    plain = NAMES[what].format(block, "")
    if beside is None or beside.files[what].name != plain:
        return plain
    return NAMES[what].format(block, "-b")


class Block:
    """One block on its way to the disk.

    Parameters
    ----------
    setup : Setup
    folder : Folder
    number, size : int
        It holds the games from ``number * size``, at most `size` of them.
    keep : {"games", "summary"}
    """

    def __init__(self, setup: Setup, folder: Folder, number: int, size: int, keep: str) -> None:
        self.number = number
        self.first = number * size
        self.games = 0
        self.seconds = 0.0
        self.sums = folder.new()
        self._folder = folder
        self._setup = setup
        self._sinks = {table: Sink(setup, table, self.first) for table in tables(setup, keep)}

    @property
    def stop(self) -> int:
        """Return the index of the game after its last one."""
        return self.first + self.games

    def add(self, chunk: Rows, seconds: float) -> None:
        """Add the next games."""
        if chunk.first != self.stop:
            raise ValueError(f"block {self.number}: game {chunk.first} after {self.stop - 1}")
        self.games += chunk.count
        self.seconds += seconds
        self.sums.add(chunk.sums)
        for table, sink in self._sinks.items():
            assert chunk.games is not None
            assert chunk.deals is not None
            batch = Batch(chunk.first, chunk.games, chunk.deals)
            sink.add(values(self._setup, table, batch), self.stop)

    def grow(self, where: Place, part: Part) -> None:
        """Begin with the games of a part that is on the disk."""
        self.games, self.seconds = part.games, part.seconds
        self.sums.add(read_sums(where, part, self._folder))
        for table, sink in self._sinks.items():
            wanted = fields(self._setup, table)
            data = read_file(where, part.files[table])
            for rows in read(io.BytesIO(data), wanted, self.first, self.stop):
                sink.add(rows, int(rows["index"][-1]))
            sink.add({name: column[:0] for name, column in rows.items()}, self.stop)

    def pack(self, beside: Part | None = None) -> tuple[Part, Files]:
        """Return what has to be entered in the journal, and its files.

        They have other names than those of the part that it replaces, which stays as it is
        until this one is entered.
        """
        notes: dict[What, FileNote] = {}
        files: Files = {}

        def add(what: What, data: bytes, content: str, rows: int | None) -> None:
            name = file_name(what, self.number, beside)
            files[name] = data
            notes[what] = FileNote(
                name=name,
                rows=rows,
                bytes=len(data),
                sha256=hashlib.sha256(data).hexdigest(),
                content=content,
            )

        for table, sink in self._sinks.items():
            add(table, *sink.close(), sink.rows)
        add("sums", pack_sums(self.sums), digest_of_sums(self.sums), None)
        part = Part(
            block=self.number, first=self.first, games=self.games, seconds=self.seconds, files=notes
        )
        return part, files


def pack_sums(sums: Sums) -> bytes:
    """Return sums as the bytes of an npz file."""
    buffer = io.BytesIO()
    arrays = {f"array_{place}": array for place, array in enumerate(sums.arrays)}
    np.savez_compressed(buffer, allow_pickle=False, games=np.int64(sums.games), **arrays)
    return buffer.getvalue()


# --- reading back --------------------------------------------------------------------------


def damage(where: Place, note: FileNote) -> str | None:
    """Say what is wrong with a file of a part, or None."""
    try:
        size = where.size(note.name)
        if size != note.bytes:
            return f"{note.name}: {size} bytes instead of {note.bytes}"
        if where.sha256(note.name) != note.sha256:
            return f"{note.name}: damaged (its checksum differs)"
    except FileNotFoundError:
        return f"{note.name}: missing"
    except OSError as error:
        return f"{note.name}: cannot be read: {reason(error)}"
    return None


def read_file(where: Place, note: FileNote) -> bytes:
    """Return the bytes of a file of a part.

    Raises
    ------
    RunFailure
        If they are not those that were written.
    """
    try:
        data = where.read(note.name)
    except OSError as error:
        raise _damaged(where, f"{note.name}: {reason(error)}") from None
    if hashlib.sha256(data).hexdigest() != note.sha256:
        raise _damaged(where, f"{note.name}: damaged (its checksum differs)")
    return data


def _damaged(where: Place, what: str) -> RunFailure:
    return RunFailure(f"{where}: {what}; simlib resume {where} plays that part again")


def read_sums(where: Place, part: Part, folder: Folder) -> Sums:
    """Return the sums of a part.

    Raises
    ------
    RunFailure
        If the file is damaged, or its figures are those of another version.
    """
    note = part.files["sums"]
    try:
        sums = unpack(read_file(where, note), folder)
    except ValueError as error:
        raise RunFailure(f"{where}: {note.name}: {error}") from None
    if digest_of_sums(sums) != note.content:
        raise _damaged(where, f"{note.name}: damaged")
    return sums


def unpack(data: bytes, folder: Folder) -> Sums:
    """Return the sums in the bytes of an npz file.

    Raises
    ------
    ValueError
        If they are of other figures.
    """
    empty = folder.new()
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = [file[f"array_{place}"] for place in range(len(empty.arrays))]
            sums = Sums(int(file["games"]), arrays)
    except (KeyError, OSError, zipfile.BadZipFile) as error:
        raise ValueError(f"no sums ({error})") from None
    if [array.shape for array in arrays] != [array.shape for array in empty.arrays]:
        raise ValueError("its figures are those of another version of simlib")
    return sums


def total(where: Place, parts: Iterable[Part], folder: Folder) -> Sums:
    """Return the sums of several parts."""
    sums = folder.new()
    for part in parts:
        sums.add(read_sums(where, part, folder))
    return sums
