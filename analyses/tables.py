"""Tables of sufficient statistics: whole numbers that merge by addition."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from simlib.stats import Estimate

__all__ = [
    "NONE",
    "Record",
    "Table",
    "estimates",
    "groups",
    "histogram",
    "largest",
    "null",
    "records",
    "smallest",
]

#: One row of a frame.
Record = dict[str, Any]


#: What a label reads where there is none (no proof): keys of tables are never null.
NONE = "none"
#: Keys up to this range are counted with one place each.
DENSE = 1 << 20


class Table:
    """Named frames of whole numbers; ``a + b`` is the table of both samples.

    Parameters
    ----------
    parts : mapping of str to DataFrame
        Keys in the index, sums in int64 columns. Values are counts, sums, sums of squares and
        products: whatever merges by addition.

    Notes
    -----
    Everything is whole numbers and the keys are kept sorted, so that merged tables are equal
    to the bit whatever the order.
    """

    def __init__(self, parts: Mapping[str, pd.DataFrame]) -> None:
        self.parts = dict(parts)

    def __getitem__(self, name: str) -> pd.DataFrame:
        return self.parts[name]

    def __add__(self, other: Table) -> Table:
        return Table.total([self, other])

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Table)
            and self.parts.keys() == other.parts.keys()
            and all(part.equals(other.parts[name]) for name, part in self.parts.items())
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}: {len(part)} rows" for name, part in self.parts.items())
        return f"<Table: {inside}>"

    @staticmethod
    def total(tables: Iterable[Table]) -> Table:
        """Add tables of the same parts."""
        every = list(tables)
        if not every:
            raise ValueError("there is no table to add")
        return Table(
            {name: _sum([table.parts[name] for table in every]) for name in every[0].parts}
        )

    def labelled(self, **labels: Any) -> Table:
        """Put the same labels before the keys of every row: the run a table came from."""
        return Table(
            {
                name: pd.concat([part], keys=[tuple(labels.values())], names=list(labels))
                for name, part in self.parts.items()
            }
        )


def _sum(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
    joined = pd.concat(frames) if len(frames) > 1 else frames[0]
    if joined.index.nlevels == 1 and joined.index.name is None:
        raise ValueError("the keys of a table need names")
    levels = list(range(joined.index.nlevels))
    return joined.groupby(level=levels, sort=True).sum().astype(np.int64)


def histogram(frame: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Count the rows of a frame by the values of some columns.

    Parameters
    ----------
    frame : DataFrame
        Columns of whole numbers, truth values or categories.
    columns : str
        What to count by.

    Returns
    -------
    DataFrame
        Column ``count``, by the values that occur; a missing label reads ``"none"``.
    """
    codes: list[NDArray[np.int64]] = []
    names: list[Any] = []
    for column in columns:
        code, name = _codes(frame[column])
        codes.append(code)
        names.append(name)
    sizes = [int(code.max()) + 1 if len(code) else 1 for code in codes]
    key = np.zeros(len(frame), np.int64)
    for code, size in zip(codes, sizes, strict=True):
        key = key * size + code
    if np.prod(sizes, dtype=float) <= DENSE:
        counts = np.bincount(key, minlength=1)
        keys = np.flatnonzero(counts)
        counts = counts[keys]
    else:
        keys, counts = np.unique(key, return_counts=True)
    levels = []
    for name, size in zip(reversed(names), reversed(sizes), strict=True):
        levels.append(name(keys % size))
        keys = keys // size
    index = pd.MultiIndex.from_arrays(levels[::-1], names=list(columns))
    if len(columns) == 1:
        index = pd.Index(levels[0], name=columns[0])
    return pd.DataFrame({"count": counts.astype(np.int64)}, index=index)


def _codes(series: pd.Series[Any]) -> tuple[NDArray[np.int64], Any]:
    """Return codes from 0, and a function that turns codes back into values."""
    if isinstance(series.dtype, pd.CategoricalDtype):
        labels = np.array([NONE, *series.cat.categories], object)
        codes = np.asarray(series.cat.codes, np.int64) + 1
        return codes, lambda places: labels[places]
    values = np.asarray(series, np.int64)
    least = int(values.min()) if len(values) else 0
    return values - least, lambda places: places + least


def estimates(keys: pd.DataFrame, found: Sequence[Estimate]) -> pd.DataFrame:
    """Put estimates beside their keys: ``estimate se low high half_width n``.

    Parameters
    ----------
    keys : DataFrame
        One row an estimate.
    found : sequence of Estimate
    """
    frame = keys.reset_index(drop=True).copy()
    for name in ("estimate", "se", "low", "high", "half_width"):
        frame[name] = pd.array([null(getattr(one, name)) for one in found], dtype="float64")
    frame["n"] = pd.array([one.n for one in found], dtype="int64")
    return frame


def null(value: float | None) -> float:
    """Return a number as frames of floats hold it: what is not known is missing."""
    return float("nan") if value is None else float(value)


def records(frame: pd.DataFrame) -> list[Record]:
    """Return the rows of a frame as dicts."""
    names = [str(name) for name in frame.columns]
    return [dict(zip(names, row, strict=True)) for row in frame.itertuples(index=False)]


def largest(frame: pd.DataFrame, column: str) -> Record:
    """Return the (first) row with the largest value of a column."""
    return records(frame)[int(np.argmax(frame[column].to_numpy()))]


def smallest(frame: pd.DataFrame, column: str) -> Record:
    """Return the (first) row with the smallest value of a column."""
    return records(frame)[int(np.argmin(frame[column].to_numpy()))]


def groups(frame: pd.DataFrame, *by: str) -> list[tuple[tuple[Any, ...], pd.DataFrame]]:
    """Return the groups of a frame by columns or levels of its index, in order of appearance.

    Where `by` are levels, they ascend, since the keys of tables are sorted.
    """
    found: list[tuple[tuple[Any, ...], pd.DataFrame]] = []
    for key, part in frame.groupby(list(by), sort=False):
        found.append((tuple(key) if isinstance(key, tuple) else (key,), part))
    return found
