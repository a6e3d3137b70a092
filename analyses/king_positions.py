"""Scores of King by contract and position: sums of products, and the test that all are equal."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from analyses import kings
from analyses.tables import Table, estimates, groups, null
from simlib.games.king.contracts import LABELS
from simlib.stats import Estimate, holm, mean, seats_test

__all__ = ["LEVEL", "NO_CONTRACT", "clear", "contract_name", "gaps", "parts", "tests"]

#: Level of the tests, after Holm's adjustment over all of them.
LEVEL = 0.05
#: Deals of a contract from which it is tested: the test holds for many.
FEWEST = 100
#: Varieties without contracts: one way of scoring.
NO_CONTRACT = "all deals"

Sums = tuple[dict[str, Any], int, list[int], list[list[int]]]


def contract_name(code: int) -> str:
    """Return the name of a contract from its code in a frame of deals."""
    return LABELS[code] if 0 <= code < len(LABELS) else NO_CONTRACT


def parts(codes: np.ndarray, scores: np.ndarray) -> dict[str, pd.DataFrame]:
    """Return the parts ``totals`` and ``products`` of a table of deals.

    Parameters
    ----------
    codes : int64 array
        Contract of each deal.
    scores : int64 array
        Points by deal and position.
    """
    places = range(scores.shape[1])
    totals, products = {}, {}
    for code in np.unique(codes):
        mine = scores[codes == code]
        totals[int(code)] = pd.DataFrame(
            {"total": mine.sum(axis=0), "n": len(mine)}, index=pd.Index(places, name="position")
        )
        square = pd.DataFrame(mine.T @ mine, index=places, columns=places).stack()
        products[int(code)] = pd.DataFrame({"product": square.astype(np.int64)}).rename_axis(
            ["position", "other"]
        )
    return {
        "totals": pd.concat(totals, names=["contract"]),
        "products": pd.concat(products, names=["contract"]),
    }


def _sums(table: Table) -> list[Sums]:
    """Return labels, deals, totals and products of each cell and contract."""
    squares = {
        (*cell.values(), code): group["product"].unstack("other").to_numpy(np.int64).tolist()
        for cell, part in kings.by_cell(table["products"])
        for (code,), group in groups(part, "contract")
    }
    found: list[Sums] = []
    for cell, part in kings.by_cell(table["totals"]):
        for (code,), group in groups(part, "contract"):
            totals = [int(total) for total in group["total"]]
            labels = {**cell, "contract": contract_name(int(code))}
            n = int(group["n"].iloc[0])
            found.append((labels, n, totals, squares[(*cell.values(), code)]))
    return found


def _gap(sums: Sums, position: int, scale: int) -> Estimate:
    """Return (k × a position's score - all k scores) / scale, paired within the deal."""
    _, n, totals, squares = sums
    k = len(totals)
    weights = [k * (place == position) - 1 for place in range(k)]
    total = sum(w * t for w, t in zip(weights, totals, strict=True))
    square = sum(weights[i] * weights[j] * squares[i][j] for i in range(k) for j in range(k))
    return mean(n, total, square, scale=scale)


def gaps(table: Table) -> pd.DataFrame:
    """Return how far each position lies from the mean of all: ``gap gap_low gap_high``."""
    rows = []
    for sums in _sums(table):
        k = len(sums[2])
        for position in range(k):
            gap = _gap(sums, position, k)
            rows.append(
                {
                    **sums[0],
                    "position": position,
                    "gap": null(gap.estimate),
                    "gap_low": null(gap.low),
                    "gap_high": null(gap.high),
                }
            )
    return pd.DataFrame(rows)


def tests(table: Table) -> pd.DataFrame:
    """Return the leader's score less the mean of the others, and the test of all positions.

    One row a cell and contract: ``estimate … n`` of the difference, ``chi_square df p`` of
    Wald's test that all positions equal each other, ``p_holm`` over all rows. Of fewer than
    `FEWEST` deals there is no test.
    """
    keys, found, rows = [], [], []
    for sums in _sums(table):
        labels, n, totals, squares = sums
        test = seats_test(n, totals, squares)
        if n < FEWEST:
            test = test._replace(statistic=None, p=None)
        keys.append(labels)
        found.append(_gap(sums, 0, len(totals) - 1))
        rows.append({"chi_square": null(test.statistic), "df": test.df, "p": test.p})
    frame = pd.concat([estimates(pd.DataFrame(keys), found), pd.DataFrame(rows)], axis=1)
    frame["p_holm"] = [null(p) for p in holm([row["p"] for row in rows])]
    return frame.astype({"p": "float64"})


def clear(gaps: pd.DataFrame, tests: pd.DataFrame) -> np.ndarray:
    """Return which positions differ: the contract's test holds, and the interval leaves out 0."""
    keys = ["variety", "policy", "contract"]
    holds = tests.set_index(keys)["p_holm"] < LEVEL
    own = holds.reindex(pd.MultiIndex.from_frame(gaps[keys])).to_numpy(np.bool_)
    off = (gaps["gap_low"] > 0) | (gaps["gap_high"] < 0)
    return own & off.to_numpy(np.bool_)
