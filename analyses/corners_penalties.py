"""What a deal of Royal Corners costs: penalties by position, players, policy and preset."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analyses import corners, style
from analyses.base import Analysis, Collected, Say, collect, mean_count, number
from analyses.results import FigureOut, Result, TableOut
from analyses.tables import Table, estimates, histogram, largest, smallest
from simlib.setup import Setup
from simlib.stats import holm, quantile, seats_test

__all__ = ["ANALYSIS", "Penalties", "run"]

LEVEL = 0.05


class Penalties(Analysis):
    """Penalty of each position, the spread, and whether the positions are equal."""

    name = "penalties"
    title = "What a deal costs"
    question = "How many penalty points does each position take, and does acting first help?"
    family = corners.FAMILY

    def labels(self, setup: Setup) -> dict[str, Any]:
        """Return preset, players and policy."""
        return corners.label(setup)

    def reduce(self, frame: pd.DataFrame) -> Table:
        """Count penalties by position, and sum their products."""
        names = [name for name in frame if str(name).startswith("penalty_")]
        n = len(names)
        values = frame[names].to_numpy(np.int64)
        # positions count from who acts first (C-3)
        places = (frame["first"].to_numpy(np.int64)[:, None] + np.arange(n)) % n
        values = np.take_along_axis(values, places, axis=1)
        long = pd.DataFrame(
            {"position": np.tile(np.arange(n), len(values)), "penalty": values.reshape(-1)}
        )
        products = pd.DataFrame(values.T @ values, index=range(n), columns=range(n)).stack()
        return Table(
            {
                "penalties": histogram(long, "position", "penalty"),
                "products": pd.DataFrame({"product": products.astype(np.int64)}).rename_axis(
                    ["position", "other"]
                ),
            }
        )

    def finish(self, table: Table) -> dict[str, pd.DataFrame]:
        """Return ``penalties`` by position, ``spread`` and ``tests`` by table."""
        products = {tuple(cell.values()): part for cell, part in corners.by_cell(table["products"])}
        keys, found, spread, tests = [], [], [], []
        for cell, part in corners.by_cell(table["penalties"]):
            frame = part.reset_index()
            totals, n = [], 0
            for position, one in frame.groupby("position"):
                values, counts = one["penalty"].tolist(), one["count"].tolist()
                keys.append({**cell, "position": int(str(position))})
                found.append(mean_count(values, counts))
                totals.append(int((one["penalty"] * one["count"]).sum()))
                n = int(one["count"].sum())
            squares = products[tuple(cell.values())]["product"].unstack("other")
            test = seats_test(n, totals, squares.to_numpy(np.int64).tolist())
            tests.append({**cell, "chi_square": test.statistic, "df": test.df, "p": test.p, "n": n})
            every = frame.groupby("penalty")["count"].sum()
            points = [quantile(every.index, every.tolist(), q).estimate for q in (0.1, 0.5, 0.9)]
            zero = int(every.get(0, 0))
            mean = mean_count(every.index.tolist(), every.tolist())
            spread.append(
                {
                    **cell,
                    "mean": mean.estimate,
                    "q10": points[0],
                    "median": points[1],
                    "q90": points[2],
                    "no_penalty": zero / int(every.sum()),
                    "n": n,
                }
            )
        test_frame = pd.DataFrame(tests)
        test_frame["p_holm"] = holm(test_frame["p"].tolist())
        return {
            "penalties": estimates(pd.DataFrame(keys), found),
            "spread": pd.DataFrame(spread),
            "tests": test_frame,
        }

    def result(self, collected: Collected) -> Result:
        """Return the answer with tables and figures."""
        found = self.finish(collected.table)
        penalties = found["penalties"]
        n = f"n = {collected.games:,} deals a table"
        return Result(
            name=self.name,
            title=self.title,
            question=self.question,
            answer=_answer(found),
            tables=(
                TableOut(
                    "penalties",
                    "Penalty points a deal by position, 95 % intervals; position 0 acts first",
                    penalties,
                    digits={"estimate": 3, "low": 3, "high": 3, "half_width": 3},
                ),
                TableOut(
                    "penalty-spread",
                    "Penalty points of a seat in a deal: mean, quantiles, share without a penalty",
                    found["spread"],
                    percent=["no_penalty"],
                    digits={"mean": 2, "q10": 0, "median": 0, "q90": 0},
                ),
                TableOut(
                    "position-tests",
                    "Do all positions take equal penalties? Wald test, Holm over the table",
                    found["tests"],
                    digits={"chi_square": 1},
                ),
            ),
            figures=(
                FigureOut(
                    "penalties",
                    "Penalty points a deal by position (0 acts first), a panel a preset, with"
                    f" 95 % intervals; {max(corners.PLAYERS)} players; {n}",
                    _alt(penalties),
                    partial(draw, penalties),
                ),
            ),
            runs=collected.runs,
            methods=(
                "Means of penalties have t intervals over deals; positions count from the player"
                " who acts first (C-3). Their equality is tested by Wald's test with the"
                " covariance of the positions.",
            ),
        )


def _answer(found: dict[str, pd.DataFrame]) -> str:
    spread, tests = found["spread"], found["tests"]
    largest_table = spread[spread["players"] == spread["players"].max()]
    parts = []
    for preset, group in largest_table.groupby("preset", sort=False):
        best, worst = smallest(group, "mean"), largest(group, "mean")
        parts.append(
            f"{corners.under(str(preset))} a seat takes from {number(best['mean'], 2)}"
            f" (`{best['policy']}`) to {number(worst['mean'], 2)} (`{worst['policy']}`) penalty"
            " points"
        )
    unequal = int((tests["p_holm"] < LEVEL).sum())
    players = int(spread["players"].max())
    return (
        f"With {players} players who all play alike, {'; '.join(parts)}. The positions are unequal"
        f" in {unequal} of {len(tests)} tables (Holm, 5 %). Who plays best at one table is"
        " another question: `simlib tournament royal-corners`."
    )


def _alt(penalties: pd.DataFrame) -> str:
    most = penalties[penalties["players"] == penalties["players"].max()]
    parts = []
    for preset, group in most.groupby("preset", sort=False):
        low, high = smallest(group, "estimate"), largest(group, "estimate")
        parts.append(
            f"{preset}: from {number(low['estimate'], 2)} ({low['policy']}, position"
            f" {low['position']}) to {number(high['estimate'], 2)}"
            f" ({high['policy']}, position {high['position']})"
        )
    return "Points with intervals, a series a position; " + "; ".join(parts)


def draw(penalties: pd.DataFrame) -> Figure:
    """Draw the penalty of each position, a panel a preset."""
    most = penalties[penalties["players"] == penalties["players"].max()]
    presets = list(dict.fromkeys(most["preset"]))
    fig, axes = style.panels(len(presets), height=2.8, columns=min(3, len(presets)), share=False)
    for ax, preset in zip(axes, presets, strict=True):
        part = most[most["preset"] == preset]
        names = list(dict.fromkeys(part["policy"]))
        for position in sorted(part["position"].unique()):
            one = part[part["position"] == position]
            height = np.arange(len(one)) + 0.15 * (position - 1.5)
            ax.errorbar(
                one["estimate"],
                height,
                xerr=one["half_width"],
                label=f"position {position}",
                **style.points(int(position)),
            )
        ax.set_yticks(range(len(names)), names)
        ax.set_ylim(len(names) - 0.5, -0.5)
        ax.set_title(preset)
        ax.set_xlabel("penalty points")
    return style.finish(fig)


ANALYSIS = Penalties()


def run(
    *,
    games: float = corners.DEALS,
    threads: int | None = None,
    seed: int = 0,
    players: Sequence[int] = corners.PLAYERS,
    presets: Sequence[str] = corners.PRESETS,
    policies: Sequence[str] | None = None,
    progress: Say | None = None,
) -> Result:
    """Answer the question by playing.

    Parameters
    ----------
    games : int
        Deals at each table.
    threads : int, optional
        Changes the speed only.
    seed : int
        All chance comes from it (C-4).
    players, presets, policies : sequence, optional
        The tables; every policy is played at the largest one.
    progress : callable, optional
        Called with a line for each table.
    """
    setups = corners.cells(presets, players, policies, seed=seed)
    return ANALYSIS.result(
        collect(ANALYSIS, setups, games=games, threads=threads, progress=progress)
    )
