"""Rows as columns of plain numbers: what is digested, written, compared and shown.

A column of labels is its numbers, -1 for none; a win share is in sixtieths: nothing here is
rounded, so that rows are equal or they are not.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from simlib.engine import Batch
from simlib.frames import frame_columns, sources
from simlib.games.columns import Column
from simlib.setup import Setup

__all__ = [
    "Digest",
    "Field",
    "Values",
    "cut",
    "fields",
    "has_deals",
    "join",
    "values",
    "values_like",
]

#: Name of a frame's column to its values.
Values = dict[str, np.ndarray]


class Field(NamedTuple):
    """One column of a frame: a column of the game at one seat, or at none."""

    name: str
    column: Column


def has_deals(setup: Setup) -> bool:
    """Tell whether the deals have a table of their own: not where a game's row has it all."""
    return not (setup.game.merges_deals and setup.table.unit == "deal")


def fields(setup: Setup, table: str) -> list[Field]:
    """Return the columns of the table of games or deals, as they stand in frames and files."""
    found = []
    for column in frame_columns(setup, table):
        if column.seats:
            found += [Field(f"{column.name}_{seat}", column) for seat in range(setup.players)]
        else:
            found.append(Field(column.name, column))
    return found


def values(setup: Setup, table: str, batch: Batch) -> Values:
    """Return the columns of one table of consecutive games."""
    if table == "games":
        count = len(batch.games)
        index = np.arange(batch.first, batch.first + count, dtype=np.int64)
        pairs = list(sources(setup.game.game_columns, setup, batch.games, batch.deals))
    else:
        count = len(batch.deals)
        index = batch.deals["index"].astype(np.int64)
        pairs = [(c, batch.deals) for c in setup.game.deal_columns if c.name != "index"]
    found = {"seed": np.full(count, setup.seed, np.uint64), "index": index}
    for column, rows in pairs:
        data = rows[column.name]
        if column.seats:
            for seat in range(setup.players):
                found[f"{column.name}_{seat}"] = np.ascontiguousarray(data[:, seat])
        else:
            found[column.name] = np.ascontiguousarray(data)
    return found


def cut(data: Mapping[str, np.ndarray], first: int | None, stop: int | None) -> Values:
    """Return the rows of games ``first`` … ``stop - 1``; rows are in order of games."""
    index = data["index"]
    low = 0 if first is None else int(np.searchsorted(index, first))
    high = len(index) if stop is None else int(np.searchsorted(index, stop))
    return {name: column[low:high] for name, column in data.items()}


def join(parts: Sequence[Values]) -> Values:
    """Return the rows of several, one after the other."""
    if len(parts) == 1:
        return parts[0]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def values_like(wanted: Sequence[Field]) -> Values:
    """Return no rows of some columns."""
    return {field.name: np.zeros(0, field.column.code) for field in wanted}


class Digest:
    """SHA-256 of a table, column by column: the same for any chunks and any file."""

    def __init__(self, names: Iterable[str]) -> None:
        self._columns = {name: hashlib.sha256() for name in names}

    def add(self, data: Mapping[str, np.ndarray]) -> None:
        """Add the next rows."""
        for name, digest in self._columns.items():
            column = data[name]
            little = column.astype(column.dtype.newbyteorder("<"), copy=False)
            digest.update(np.ascontiguousarray(little).data)

    def hexdigest(self) -> str:
        """Return the digest of all columns."""
        lines = [f"{name}:{digest.hexdigest()}\n" for name, digest in self._columns.items()]
        return hashlib.sha256("".join(lines).encode()).hexdigest()
