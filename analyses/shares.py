"""Win shares by seat: their sums in sixtieths, their means, the test that all are equal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analyses.tables import estimates
from simlib.stats import holm, mean, seats_test

__all__ = ["SCALE", "share_parts", "share_tables"]

#: Win shares are kept in sixtieths (C-9).
SCALE = 60

Cells = Sequence[tuple[dict[str, Any], pd.DataFrame]]


def share_parts(frame: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the parts ``totals`` and ``products`` of a table of games."""
    names = [name for name in frame if str(name).startswith("win_share_")]
    shares = np.rint(frame[names].to_numpy(np.float64) * SCALE).astype(np.int64)
    seats = range(len(names))
    products = pd.DataFrame(shares.T @ shares, index=seats, columns=seats).stack()
    return {
        "totals": pd.DataFrame(
            {"total": shares.sum(axis=0), "n": len(shares)}, index=pd.Index(seats, name="seat")
        ),
        "products": pd.DataFrame({"product": products.astype(np.int64)}).rename_axis(
            ["seat", "other"]
        ),
    }


def share_tables(totals: Cells, products: Cells) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return win shares by seat, and a test a cell: spread, Wald's statistic, Holm's p.

    Parameters
    ----------
    totals, products : sequence of (labels of the cell, its part)
        In the same order.
    """
    keys, found, tests = [], [], []
    for (cell, part), (_, squares) in zip(totals, products, strict=True):
        matrix = squares["product"].unstack("other").to_numpy(np.int64)
        sums = [int(total) for total in part["total"]]
        n = int(part["n"].iloc[0])
        for seat, total in enumerate(sums):
            keys.append({**cell, "seat": seat})
            found.append(mean(n, total, int(matrix[seat, seat]), scale=SCALE).within(0, 1))
        test = seats_test(n, sums, matrix.tolist())
        spread = (max(sums) - min(sums)) / (n * SCALE)
        tests.append(
            {**cell, "spread": spread, "chi_square": test.statistic, "df": test.df, "p": test.p}
        )
    frame = pd.DataFrame(tests)
    frame["p_holm"] = holm(frame["p"].tolist())
    return estimates(pd.DataFrame(keys), found), frame
