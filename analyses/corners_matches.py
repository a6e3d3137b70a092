"""Matches of Royal Corners to 50: how long they last, and whether who begins gains."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analyses import corners, style
from analyses.base import (
    Analysis,
    Collected,
    Say,
    collect,
    mean_count,
    number,
    percent,
    widths_missed,
)
from analyses.results import FigureOut, Result, TableOut
from analyses.shares import share_parts, share_tables
from analyses.tables import Table, estimates, histogram, largest, smallest
from simlib.setup import Setup, prepare
from simlib.stats import wilson

__all__ = ["ANALYSIS", "Matches", "run"]

LEVEL = 0.05
#: Matches a table: each is many deals, so that fewer are played than of deals alone.
MATCHES = 20_000
POLICIES = ("random", "kings-first")


class Matches(Analysis):
    """Length of a match, win share of each seat (seat 0 begins), matches without end."""

    name = "matches"
    title = "Matches to 50"
    question = "How many deals does a match take, and does who begins the first deal gain by it?"

    def labels(self, setup: Setup) -> dict[str, Any]:
        """Return preset, players and policy."""
        return corners.label(setup)

    def reduce(self, frame: pd.DataFrame) -> Table:
        """Count lengths and endings; sum win shares and their products."""
        return Table(
            {
                "deals": histogram(frame, "ending", "deals"),
                **share_parts(frame),
            }
        )

    def finish(self, table: Table) -> dict[str, pd.DataFrame]:
        """Return ``deals`` (length), ``shares`` by seat and ``tests``."""
        shares, tests = share_tables(
            corners.by_cell(table["totals"]), corners.by_cell(table["products"])
        )
        lengths, length_keys, rates, rate_keys = [], [], [], []
        for cell, part in corners.by_cell(table["deals"]):
            counts = part.reset_index()
            done = counts[counts["ending"] == "complete"]
            length_keys.append(cell)
            lengths.append(mean_count(done["deals"].tolist(), done["count"].tolist()))
            n = int(counts["count"].sum())
            rate_keys.append({**cell, "what": "censored at max_deals"})
            rates.append(wilson(n - int(done["count"].sum()), n))
        return {
            "deals": estimates(pd.DataFrame(length_keys), lengths),
            "censored": estimates(pd.DataFrame(rate_keys), rates),
            "shares": shares,
            "tests": tests,
        }

    def result(self, collected: Collected) -> Result:
        """Return the answer with tables and figures."""
        found = self.finish(collected.table)
        shares = found["shares"]
        n = f"n = {collected.games:,} matches a table"
        censored = found["censored"]
        capped = [
            f"{percent(row['estimate'])} of the matches of {row['players']} × `{row['policy']}`"
            f" ({row['preset']}) reached `max_deals` and have no winner."
            for row in censored.to_dict(orient="records")
            if row["estimate"] > 0
        ]
        return Result(
            name=self.name,
            title=self.title,
            question=self.question,
            answer=_answer(found),
            tables=(
                TableOut(
                    "match-length",
                    "Deals of a match that reaches the target, 95 % intervals",
                    found["deals"],
                    digits={"estimate": 3, "low": 3, "high": 3, "half_width": 3},
                ),
                TableOut(
                    "match-shares",
                    "Share of the win by seat; seat 0 acts first in the first deal: the dealer,"
                    " under `pagat` the player left of him (RC-2)",
                    shares,
                    percent=["estimate"],
                ),
                TableOut(
                    "match-tests",
                    "Do all seats win equally often? Wald test, Holm over the table",
                    found["tests"],
                    percent=["spread"],
                    digits={"chi_square": 1},
                ),
                TableOut(
                    "match-censored",
                    "Matches stopped at `max_deals`",
                    censored,
                    percent=["estimate"],
                ),
            ),
            figures=(
                FigureOut(
                    "match-shares",
                    f"Win share by seat, less the mean of its table; seat 0 begins; {n}",
                    _alt(shares),
                    partial(draw, shares),
                ),
            ),
            runs=collected.runs,
            methods=(
                "A match is one game: its win shares have t intervals over matches. Deals rotate"
                " who acts first (C-3), so that only the first deals favour a seat.",
            ),
            warnings=[*widths_missed(shares, "Win shares", collected.games), *capped],
        )


def _answer(found: dict[str, pd.DataFrame]) -> str:
    deals, tests = found["deals"], found["tests"]
    short, long = smallest(deals, "estimate"), largest(deals, "estimate")
    unequal = tests[tests["p_holm"] < LEVEL]
    widest = largest(tests, "spread")
    return (
        f"A match to 50 takes from {number(short['estimate'], 1)} deals ({short['players']} ×"
        f" `{short['policy']}`, `{short['preset']}`) to {number(long['estimate'], 1)}"
        f" ({long['players']} × `{long['policy']}`, `{long['preset']}`). The seats win unequally"
        f" often in {len(unequal)} of {len(tests)} tables (Holm, 5 %); the widest gap is"
        f" {number(100 * widest['spread'], 1)} percentage points."
    )


def _alt(shares: pd.DataFrame) -> str:
    first = shares[shares["seat"] == 0]
    parts = [
        f"{row['preset']}, {row['players']} × {row['policy']}: {percent(row['estimate'])}"
        for row in first.to_dict(orient="records")
    ]
    return "Points with 95 % intervals, a series a seat; win share of seat 0: " + ", ".join(parts)


def draw(shares: pd.DataFrame) -> Figure:
    """Draw each seat's win share less an equal share, a row a table."""
    names = list(
        dict.fromkeys(zip(shares["preset"], shares["players"], shares["policy"], strict=True))
    )
    fig, ax = style.figure(height=0.34 * len(names) + 1.2)
    keys = ["preset", "players", "policy"]
    for seat in sorted(shares["seat"].unique()):
        one = shares[shares["seat"] == seat].set_index(keys).reindex(names)
        level = shares.groupby(keys)["estimate"].mean().reindex(names)
        ax.errorbar(
            100 * (one["estimate"] - level),
            np.arange(len(names)) + 0.14 * (seat - 1.5),
            xerr=100 * one["half_width"],
            label=f"seat {seat}",
            **style.points(int(seat)),
        )
    ax.axvline(0, color=style.MUTED, linewidth=0.7)
    ax.set_yticks(range(len(names)), [f"{preset}, {n} × {policy}" for preset, n, policy in names])
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlabel("win share less the table's mean, percentage points")
    return style.finish(fig)


ANALYSIS = Matches()


def run(
    *,
    games: float | None = None,
    threads: int | None = None,
    seed: int = 0,
    players: Sequence[int] = corners.PLAYERS,
    presets: Sequence[str] = corners.PRESETS,
    policies: Sequence[str] = POLICIES,
    progress: Say | None = None,
) -> Result:
    """Answer the question by playing matches; see :func:`analyses.corners_penalties.run`."""
    setups = [
        prepare(corners.GAME, players=n, policies=policy, preset=preset, unit="match", seed=seed)
        for preset in presets
        for n in players
        for policy in policies
    ]
    count = MATCHES if games is None else games
    return ANALYSIS.result(
        collect(ANALYSIS, setups, games=count, threads=threads, progress=progress)
    )
