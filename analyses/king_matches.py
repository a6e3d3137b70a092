"""Matches of King: totals, win shares by seat, and how long open-ended matches last."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analyses import kings, style
from analyses.base import Analysis, Collected, Say, between, collect, number, percent, widths_missed
from analyses.results import FigureOut, Result, TableOut
from analyses.shares import share_parts, share_tables
from analyses.tables import Record, Table, estimates, histogram, largest, records
from simlib.setup import Setup
from simlib.stats import mean_from_histogram, quantile, wilson

__all__ = ["ANALYSIS", "Matches", "run"]

LEVEL = 0.05
MATCHES = 4_000
#: Numbers of deals on a logarithmic axis.
TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
#: Negative contracts of Domino, which come first (K-D).
NEGATIVE = 7


class Matches(Analysis):
    """Length, endings, totals and win share by seat of matches of every variety."""

    name = "matches"
    title = "Matches"
    question = "How long is a match, who wins it, and how far apart do the totals end?"

    def labels(self, setup: Setup) -> dict[str, Any]:
        """Return variety and policy."""
        return kings.label(setup)

    def reduce(self, frame: pd.DataFrame) -> Table:
        """Count lengths, endings and gaps between totals; sum win shares and products."""
        totals = np.sort(
            frame[[name for name in frame if str(name).startswith("total_")]].to_numpy(np.int64),
            axis=1,
        )
        ends = frame.assign(gap=totals[:, -1] - totals[:, -2], best=totals[:, -1])
        return Table(
            {
                "deals": histogram(frame, "ending", "deals"),
                "gaps": histogram(ends, "gap"),
                "best": histogram(ends, "best"),
                **share_parts(frame),
            }
        )

    def finish(self, table: Table) -> dict[str, pd.DataFrame]:
        """Return ``lengths``, ``endings``, ``totals``, ``shares`` and ``tests``."""
        shares, tests = share_tables(
            kings.by_cell(table["totals"]), kings.by_cell(table["products"])
        )
        return {
            "lengths": _lengths(table["deals"]),
            "endings": _endings(table["deals"]),
            "totals": _totals(table),
            "shares": shares,
            "tests": tests,
        }

    def result(self, collected: Collected) -> Result:
        """Return the answer with tables and figures."""
        found = self.finish(collected.table)
        lengths, tests = found["lengths"], found["tests"]
        n = f"n = {collected.games:,} matches a table"
        censored = found["endings"][found["endings"]["ending"] == "censored"]
        capped = [
            f"{percent(row['estimate'])} of the matches of `{row['variety']}`"
            f" (`{row['policy']}`) reached `max_deals`: they have no winner and their length is"
            " at least that."
            for row in records(censored)
        ]
        points = {"estimate": 2, "low": 2, "high": 2, "half_width": 2}
        return Result(
            name=self.name,
            title=self.title,
            question=self.question,
            answer=_answer(found),
            tables=(
                TableOut(
                    "match-lengths",
                    "Deals of a match: mean, median, 90 % quantile",
                    lengths,
                    digits={**points, "median": 0, "q90": 0},
                ),
                TableOut(
                    "match-endings",
                    "How matches end: share of all matches",
                    found["endings"],
                    percent=["estimate"],
                ),
                TableOut(
                    "match-totals",
                    "Points at the end: the winner's total, and its lead over the second",
                    found["totals"],
                    digits=points,
                ),
                TableOut(
                    "match-shares",
                    "Share of the win by seat",
                    found["shares"],
                    percent=["estimate"],
                ),
                TableOut(
                    "match-tests",
                    "Do all seats win equally often? Wald test, Holm over the table",
                    tests,
                    percent=["spread"],
                    digits={"chi_square": 1},
                ),
            ),
            figures=(
                FigureOut(
                    "match-lengths",
                    f"Deals of a match, median to 90 % quantile, logarithmic; {n}",
                    _alt(lengths),
                    partial(draw, lengths),
                ),
            ),
            runs=collected.runs,
            methods=(
                "A match is one game. Lengths have t intervals over matches; seats are tested by"
                " Wald's test with their covariance, adjusted by Holm's method.",
                "Domino plays contracts 1 to 14 in order, but ends when somebody is at the limit"
                " (K-D): matches that end within the first seven deals never reach a positive"
                " contract.",
            ),
            warnings=[*widths_missed(found["shares"], "Win shares", collected.games), *capped],
        )


def _lengths(part: pd.DataFrame) -> pd.DataFrame:
    keys, found = [], []
    for cell, rows in kings.by_cell(part):
        counts = rows.reset_index().groupby("deals")["count"].sum()
        values, times = [int(str(v)) for v in counts.index], [int(n) for n in counts]
        points = {
            name: quantile(values, times, q).estimate for name, q in (("median", 0.5), ("q90", 0.9))
        }
        keys.append({**cell, **points})
        found.append(mean_from_histogram(values, times))
    return estimates(pd.DataFrame(keys), found)


def _endings(part: pd.DataFrame) -> pd.DataFrame:
    keys, found = [], []
    for cell, rows in kings.by_cell(part):
        frame = rows.reset_index()
        n = int(frame["count"].sum())
        hits = {
            str(name): int(one["count"].sum()) for name, one in frame.groupby("ending", sort=False)
        }
        if cell["variety"] == "domino":
            early = frame["deals"] <= NEGATIVE
            hits["without a positive contract"] = int(frame.loc[early, "count"].sum())
        for name, count in hits.items():
            keys.append({**cell, "ending": name, "count": count})
            found.append(wilson(count, n))
    return estimates(pd.DataFrame(keys), found)


def _totals(table: Table) -> pd.DataFrame:
    keys, found = [], []
    for name, column, words in (("best", "best", "winner"), ("gaps", "gap", "lead")):
        for cell, rows in kings.by_cell(table[name]):
            frame = rows.reset_index()
            keys.append({**cell, "what": words})
            found.append(mean_from_histogram(frame[column].tolist(), frame["count"].tolist()))
    return estimates(pd.DataFrame(keys), found)


def _answer(found: dict[str, pd.DataFrame]) -> str:
    endings, lengths, tests = found["endings"], found["lengths"], found["tests"]
    longest = largest(lengths, "estimate")
    unequal = int((tests["p_holm"] < LEVEL).sum())
    text = (
        f"The longest matches are those of `{longest['variety']}`{_long(longest)}. The seats win"
        f" unequally often in {unequal} of {len(tests)} tables (Holm, 5 %)."
    )
    early = endings[endings["ending"] == "without a positive contract"]
    if len(early):
        parts = [
            f"{percent(row['estimate'], row['half_width'])} (`{row['policy']}`)"
            for row in records(early)
        ]
        text += f" A match of Domino never reaches a positive contract in {', '.join(parts)}."
    return text


def _long(row: Record) -> str:
    """Say how long matches are: of a fixed number of deals, or on average."""
    if row["low"] == row["high"]:
        return f", always {number(row['estimate'])} deals"
    reach = between(row["low"], row["high"], lambda end: number(end, 1))
    return (
        f" among `{row['policy']}` players, {number(row['estimate'], 1)} deals on average ({reach})"
    )


def _alt(lengths: pd.DataFrame) -> str:
    parts = [
        f"{row['variety']} {row['policy']}: median {row['median']:.0f}, 90 % {row['q90']:.0f}"
        for row in records(lengths)
    ]
    return "Bars from median to 90 % quantile, a row a variety: " + "; ".join(parts)


def draw(lengths: pd.DataFrame) -> Figure:
    """Draw median and 90 % quantile of the deals of a match, a series a policy."""
    names = list(dict.fromkeys(lengths["variety"]))
    fig, ax = style.figure(height=0.32 * len(names) + 1.2)
    policies = list(dict.fromkeys(lengths["policy"]))
    for place, policy in enumerate(policies):
        one = lengths[lengths["policy"] == policy].set_index("variety").reindex(names)
        median = one["median"].to_numpy(np.float64)
        above = one["q90"].to_numpy(np.float64) - median
        ax.errorbar(
            median,
            np.arange(len(names)) + kings.beside(place, len(policies)),
            xerr=[np.zeros(len(names)), above],
            label=str(policy),
            **style.points(place),
        )
    ax.set_xscale("log")
    low, high = lengths["median"].min() / 1.6, lengths["q90"].max() * 1.3
    ax.set_xticks([deals for deals in TICKS if low <= deals <= high])
    ax.set_xlim(low, high)
    ax.set_xticks([], minor=True)
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlabel("deals")
    style.thousands(ax.xaxis)
    return style.finish(fig)


ANALYSIS = Matches()


def run(
    *,
    games: float | None = None,
    threads: int | None = None,
    seed: int = 0,
    varieties: Sequence[str] = kings.VARIETIES,
    policies: Sequence[str] = kings.POLICIES,
    progress: Say | None = None,
) -> Result:
    """Answer the question by playing matches; see :func:`analyses.king_contracts.run`."""
    setups = kings.cells(varieties, policies, unit="match", seed=seed)
    count = MATCHES if games is None else games
    return ANALYSIS.result(
        collect(ANALYSIS, setups, games=count, threads=threads, progress=progress)
    )
