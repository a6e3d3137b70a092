"""A run read from its folder: figures, and frames that are read when they are wanted."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simlib.errors import BadInput, RunFailure
from simlib.manifest import Manifest, Part
from simlib.run import Run
from simlib.store import journal
from simlib.store.block import read_file, total
from simlib.store.parquet import frame, read
from simlib.store.place import Place, place_of
from simlib.store.rows import Field, Values, fields, has_deals, join, values_like
from simlib.store.setups import setup_to_read
from simlib.sums import Folder, Sums

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["StoredRun", "load", "read_table"]

TABLES = ("games", "deals")


class StoredRun(Run):
    """A run in a folder; see :class:`simlib.run.Run` for what it has beside this.

    Attributes
    ----------
    complete : bool
        Whether all its games are there; else the figures are those of the games that are.
    notes : tuple of str
        What was found wrong in the folder.
    """

    path: Path | str

    def __init__(
        self,
        place: Place,
        manifest: Manifest,
        *,
        verify: bool = True,
        notes: Sequence[str] = (),
    ) -> None:
        setup = setup_to_read(manifest, str(place))
        folder = Folder(setup)
        precision = manifest.precision
        super().__init__(
            setup=setup,
            folder=folder,
            sums=folder.new(),
            elapsed=manifest.timings.seconds,
            precision=dict(precision.asked) if precision else None,
            met=precision is None or bool(precision.met),
            path=place.path,
        )
        del self.sums  # read when it is wanted
        self.complete = manifest.state == "complete"
        self.notes = tuple(notes)
        self._place = place
        self._manifest = manifest
        self._verify = verify

    @cached_property
    def sums(self) -> Sums:  # type: ignore[override]
        """Return the sums of all parts: equal to the bit to those of the run when played."""
        return total(self._place, self._manifest.parts, self._folder)

    def __len__(self) -> int:
        return sum(part.games for part in self._manifest.parts)

    def __reduce__(self) -> Any:
        """Pickle the address alone: the folder has the rest."""
        return partial(load, verify=self._verify), (self.path,)

    @property
    def manifest(self) -> dict[str, Any]:
        """Return how the run was made: enough to play it again."""
        return self._manifest.model_dump(mode="json")

    def read(
        self,
        table: str = "games",
        *,
        columns: Sequence[str] | None = None,
        first: int = 0,
        stop: int | None = None,
    ) -> pd.DataFrame:
        """Return a table, or some columns of some games of it.

        Parameters
        ----------
        table : {"games", "deals"}
        columns : sequence of str, optional
            Only these, in this order.
        first, stop : int
            Only games ``first`` … ``stop - 1``.

        Returns
        -------
        DataFrame
            As ``run.games`` and ``run.deals`` of a run in memory.

        Raises
        ------
        BadInput
            If there is no such table or column, or the rows were not kept.
        RunFailure
            If a part is damaged.
        """
        wanted = self._wanted(table, columns)
        parts = list(self._rows_of(table, wanted, first, stop))
        data = join(parts) if parts else values_like(wanted)
        return frame(data, wanted)

    def frames(
        self,
        table: str = "games",
        *,
        columns: Sequence[str] | None = None,
        first: int = 0,
        stop: int | None = None,
    ) -> Iterator[pd.DataFrame]:
        """Yield a table in pieces of whole games, so that memory does not grow with the run.

        Parameters, errors
            As :meth:`read`.
        """
        wanted = self._wanted(table, columns)
        for data in self._rows_of(table, wanted, first, stop):
            yield frame(data, wanted)

    def _wanted(self, table: str, columns: Sequence[str] | None) -> list[Field]:
        if table not in TABLES:
            raise BadInput(f"table {table!r}: a run has {', '.join(TABLES)}")
        if self._manifest.keep == "summary":
            raise BadInput(f"{self.path}: holds sums alone (keep=summary), no rows")
        known = {field.name: field for field in fields(self.setup, table)}
        if columns is None:
            return list(known.values())
        for name in columns:
            if name not in known:
                raise BadInput(f"column {name!r}: the table of {table} has {', '.join(known)}")
        return [known[name] for name in columns]

    def _rows_of(
        self, table: str, wanted: Sequence[Field], first: int, stop: int | None
    ) -> Iterator[Values]:
        file = table if table == "games" or has_deals(self.setup) else "games"
        for part in self._manifest.parts:
            end = part.first + part.games
            low, high = max(first, part.first), end if stop is None else min(stop, end)
            if low < high:
                yield from self._read(part, file, wanted, low, high)

    def _read(
        self, part: Part, file: str, wanted: Sequence[Field], first: int, stop: int
    ) -> Iterator[Values]:
        note = part.files[file]  # type: ignore[index]
        source: Any
        try:
            if self._verify:
                source = io.BytesIO(read_file(self._place, note))
            else:
                source = self._place.open(note.name)
            yield from read(source, wanted, first, stop)
        except (OSError, ValueError) as error:  # Arrow's own errors are of these kinds too
            reason = str(error).split("\n")[0]
            name = self._place.at(note.name)
            raise RunFailure(f"{name}: cannot be read: {reason}") from None


def load(path: str | os.PathLike[str], *, verify: bool = True) -> StoredRun:
    """Return a run from its folder.

    Parameters
    ----------
    path : path or address
        The folder that was given as ``out``.
    verify : bool
        Whether the checksum of each part is looked at before it is read. Without it, some
        columns of a big run are read faster, and a changed byte may go unnoticed.

    Raises
    ------
    BadInput
        If the folder holds no run, a damaged one, or one of another version.

    Examples
    --------
    >>> import simlib as sl, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> run = sl.simulate("king-george-iii", players=2, games=500, out=folder)
    >>> sl.load(folder).read("games", columns=["index", "turns"], stop=3).shape
    (3, 2)
    """
    place = place_of(path)
    found = journal.read_run(place)
    return StoredRun(place, found.manifest, verify=verify, notes=found.notes)


def read_table(path: str | os.PathLike[str], table: str) -> pd.DataFrame:
    """Return a whole table of a stored run."""
    return load(path).read(table)
