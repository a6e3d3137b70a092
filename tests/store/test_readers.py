"""The parts are plain Parquet: others read them without this package."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from simlib.run import Run
from tests.store.helpers import stored


@pytest.fixture
def parts(tmp_path: Path) -> str:
    stored(tmp_path)
    return str(tmp_path / "part-*.parquet")


def test_pandas(parts: str, memory: Run) -> None:
    files = sorted(Path(parts).parent.glob("part-*.parquet"))
    frame = pd.concat([pd.read_parquet(file) for file in files], ignore_index=True)
    pd.testing.assert_frame_equal(frame, memory.games)


def test_pyarrow(parts: str, memory: Run) -> None:
    import pyarrow.dataset as ds
    import pyarrow.parquet as pq

    folder = Path(parts).parent
    files = [str(file) for file in sorted(folder.glob("part-*.parquet"))]
    table = ds.dataset(files).to_table(columns=["turns", "ending"])
    assert table.column("turns").to_pylist() == memory.games["turns"].tolist()
    assert table.column("ending").to_pylist() == memory.games["ending"].astype(str).tolist()
    schema = pq.read_schema(files[0])
    assert b"simlib-run/1" in schema.metadata[b"simlib"]
    assert b"how the deal ended" in schema.field("ending").metadata[b"says"]
    for place in range(len(schema)):  # small whole numbers stay small
        kind = schema.field(place).type
        assert kind == "double" or kind.bit_width <= 64


def test_duckdb(parts: str, memory: Run) -> None:
    duckdb = pytest.importorskip("duckdb")
    text = f"select count(*), sum(turns), count(proof), sum(win_share_1) from '{parts}'"
    ((count, turns, proofs, shares),) = duckdb.sql(text).fetchall()
    frame = memory.games
    assert (count, turns) == (len(frame), frame["turns"].sum())
    assert proofs == frame["proof"].notna().sum()
    assert np.isclose(shares, frame["win_share_1"].sum())


def test_polars(parts: str, memory: Run) -> None:
    polars = pytest.importorskip("polars")
    frame = polars.read_parquet(parts)
    for name in ("index", "turns", "resets", "last_reset", "win_share_0", "censored"):
        assert frame[name].to_list() == memory.games[name].tolist(), name
    endings = memory.games["ending"].astype(str).tolist()
    assert frame["ending"].cast(polars.String).to_list() == endings
