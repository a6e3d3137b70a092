"""Tables as Parquet: plain files that pandas, pyarrow, DuckDB and Polars read on their own.

Labels are dictionary columns, win shares floats, everything else whole numbers. Measured on one
core, a value: split bytes with zstd at level 1 take 6 ns and half a byte to a byte, dictionaries
10 to 15 ns and as much room, lz4 instead of zstd 4 ns and half as much room again. A column that
may be null takes 2 ns more, so that only labels may.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.manifest import FORMAT
from simlib.setup import Setup
from simlib.store.rows import Digest, Field, Values, cut, fields, join

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

__all__ = ["Sink", "frame", "read", "schema", "values_of"]

#: Games in a row group: the least that is decoded for one row.
GROUP = 1 << 17
CODEC, LEVEL = "zstd", 1
#: Values that the encoder takes at a time.
BATCH = 1 << 14


def schema(setup: Setup, table: str) -> pa.Schema:
    """Return the Arrow schema of a table; it says what was played."""
    import pyarrow as pa

    asked = setup.describe()
    about = {key: asked[key] for key in ("game", "variety", "players", "unit", "rules")}
    about |= {"seed": setup.seed, "play_seed": setup.play_seed}
    return pa.schema(
        [
            pa.field(
                field.name,
                _type(field),
                nullable=bool(field.column.labels),  # no other column can be without a value
                metadata={"says": field.column.says},
            )
            for field in fields(setup, table)
        ],
        metadata={"simlib": json.dumps({"format": FORMAT, "table": table, **about})},
    )


def _type(field: Field) -> Any:
    import pyarrow as pa

    if field.column.labels:
        return pa.dictionary(pa.int8(), pa.string())
    if field.column.scale != 1:
        return pa.float64()
    return pa.from_numpy_dtype(np.dtype(field.column.code))


def _array(column: np.ndarray, field: Field) -> pa.Array:
    import pyarrow as pa

    if field.column.labels:
        codes = pa.array(column, type=pa.int8(), mask=column < 0)
        return pa.DictionaryArray.from_arrays(codes, pa.array(field.column.labels, pa.string()))
    if field.column.scale != 1:
        return pa.array(column / float(field.column.scale))
    return pa.array(column)


def _encoding(field: Field) -> str | None:
    """Return the encoding of a column of whole numbers; None for a dictionary."""
    column = field.column
    if column.labels or column.scale != 1 or column.code == "?" or field.name == "seed":
        return None
    # differences suit what always grows, and what is below zero as often as above
    return "DELTA_BINARY_PACKED" if column.code in ("i2", "i8") else "BYTE_STREAM_SPLIT"


class Sink:
    """A Parquet file that grows in memory, a row group at a time.

    Row groups end at fixed games, so that the bytes do not depend on the chunks.

    Parameters
    ----------
    setup : Setup
    table : {"games", "deals"}
    first : int
        The first game of its block.
    """

    def __init__(self, setup: Setup, table: str, first: int) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.rows = self._written = 0
        self._fields = fields(setup, table)
        self._digest = Digest(field.name for field in self._fields)
        self._schema = schema(setup, table)
        self._buffer = pa.BufferOutputStream()
        encodings = {f.name: code for f in self._fields if (code := _encoding(f))}
        self._writer = pq.ParquetWriter(
            self._buffer,
            self._schema,
            compression=CODEC,
            compression_level=LEVEL,
            use_dictionary=[f.name for f in self._fields if f.name not in encodings],
            column_encoding=encodings,
            write_statistics=["index"],
            write_batch_size=BATCH,
        )
        self._waiting: list[Values] = []
        self._edge = first + GROUP

    def add(self, data: Values, stop: int) -> None:
        """Add rows; of games up to ``stop - 1`` there are no more to come."""
        self._digest.add(data)
        self.rows += len(data["index"])
        while self._edge <= stop:
            self._waiting.append(cut(data, None, self._edge))
            data = cut(data, self._edge, None)
            self._flush()
            self._edge += GROUP
        if len(data["index"]):
            self._waiting.append(data)

    def _flush(self) -> None:
        import pyarrow as pa

        data = join(self._waiting) if self._waiting else {}
        self._waiting = []
        if data and len(data["index"]):
            arrays = [_array(data[field.name], field) for field in self._fields]
            table = pa.Table.from_arrays(arrays, schema=self._schema)
            self._writer.write_table(table, row_group_size=len(table))
            self._written += len(table)

    def close(self) -> tuple[bytes, str]:
        """Return the file and the digest of its rows."""
        self._flush()
        self._writer.close()
        if self._written != self.rows:
            raise RuntimeError(f"{self._written} of {self.rows} rows were written")
        return self._buffer.getvalue().to_pybytes(), self._digest.hexdigest()


# --- reading -------------------------------------------------------------------------------


def read(
    source: Any, wanted: Sequence[Field], first: int, stop: int, *, names: Iterable[str] = ()
) -> Iterator[Values]:
    """Read games ``first`` … ``stop - 1`` of a file, a row group at a time.

    Parameters
    ----------
    source : path, file or buffer
    wanted : sequence of Field
    first, stop : int
    names : iterable of str
        Columns that the file must have beside those wanted.

    Raises
    ------
    ValueError
        If the file has not these columns.
    """
    import pyarrow.parquet as pq

    file = pq.ParquetFile(source)
    have = set(file.schema_arrow.names)
    missing = [name for name in [*(f.name for f in wanted), *names] if name not in have]
    if missing:
        raise ValueError(f"no column {missing[0]!r}")
    columns = list(dict.fromkeys(["index", *(field.name for field in wanted)]))
    at = file.schema_arrow.names.index("index")
    for group in range(file.metadata.num_row_groups):
        range_of = file.metadata.row_group(group).column(at).statistics
        if range_of.max < first or range_of.min >= stop:
            continue
        data = values_of(file.read_row_group(group, columns=columns), wanted)
        yield data if first <= range_of.min and range_of.max < stop else cut(data, first, stop)


def values_of(table: pa.Table, wanted: Sequence[Field]) -> Values:
    """Return the numbers behind an Arrow table: the way back from :class:`Sink`."""
    found = {"index": table.column("index").to_numpy()}
    for field in wanted:
        column, code = table.column(field.name), field.column.code
        if field.column.labels:
            parts = [_codes(chunk, field) for chunk in column.chunks]
            found[field.name] = np.concatenate(parts) if parts else np.zeros(0, code)
        elif field.column.scale != 1:
            found[field.name] = np.rint(column.to_numpy() * field.column.scale).astype(code)
        else:
            found[field.name] = column.to_numpy().astype(code, copy=False)
    return found


def _codes(chunk: pa.Array, field: Field) -> np.ndarray:
    """Return the numbers of labels, whatever dictionary a reader made."""
    labels = [*field.column.labels, None]
    known = [labels.index(label) for label in chunk.dictionary.to_pylist()]
    codes = np.array([*known, -1], field.column.code)
    places = chunk.indices.fill_null(len(known)).to_numpy(zero_copy_only=False)
    return np.asarray(codes[places])


def frame(data: Values, wanted: Sequence[Field]) -> pd.DataFrame:
    """Return columns as the frame that a run in memory shows."""
    import pandas as pd

    from simlib.frames import shown

    return pd.DataFrame({f.name: shown(data[f.name], f.column) for f in wanted}, copy=False)
