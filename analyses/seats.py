"""Who wins King George III: win shares by seat, the test that all are equal, playoffs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analyses import king_george as kg
from analyses import style
from analyses.base import (
    GAMES,
    Analysis,
    Collected,
    Say,
    collect,
    percent,
    widths_missed,
)
from analyses.results import FigureOut, Result, TableOut
from analyses.tables import (
    Table,
    estimates,
    groups,
    histogram,
    largest,
    null,
    smallest,
)
from simlib.stats import ChiSquare, holm, mean, seats_test, wilson

__all__ = ["ANALYSIS", "Seats", "run"]

#: Win shares are kept in sixtieths (C-9).
SCALE = 60
LEVEL = 0.05


class Seats(Analysis):
    """Win share by seat, Wald test of equal seats with Holm, rates of playoffs and no winner."""

    name = "seats"
    title = "Who wins"
    question = "Is it an advantage to act first, and how often must the win be played off?"
    family = kg.FAMILY

    def reduce(self, frame: pd.DataFrame) -> Table:
        """Sum win shares and their products, and count playoffs and games without a winner."""
        names = [name for name in frame if str(name).startswith("win_share_")]
        shares = np.rint(frame[names].to_numpy(np.float64) * SCALE).astype(np.int64)
        seats = range(len(names))
        products = pd.DataFrame(shares.T @ shares, index=seats, columns=seats).stack()
        winners = (shares > 0).sum(axis=1)
        kinds = frame.assign(winners=np.minimum(winners, 2), playoff=frame["playoffs"] > 0)
        return Table(
            {
                "totals": pd.DataFrame(
                    {"total": shares.sum(axis=0), "n": len(shares)},
                    index=pd.Index(seats, name="seat"),
                ),
                "products": pd.DataFrame({"product": products.astype(np.int64)}).rename_axis(
                    ["seat", "other"]
                ),
                "games": histogram(kinds, "winners", "playoff", "censored"),
                "playoffs": histogram(frame, "playoffs"),
            }
        )

    def finish(self, table: Table) -> dict[str, pd.DataFrame]:
        """Return ``shares`` by seat, ``tests`` by cell, and ``rates`` by cell."""
        return {
            "shares": _shares(table),
            "tests": _tests(table),
            "rates": _rates(table),
        }

    def result(self, collected: Collected) -> Result:
        """Return the answer with tables and figures."""
        found = self.finish(collected.table)
        shares, tests, rates = found["shares"], found["tests"], found["rates"]
        n = f"n = {collected.games:,} games a cell"
        return Result(
            name=self.name,
            title=self.title,
            question=self.question,
            answer=_answer(tests, rates),
            tables=(
                TableOut(
                    "seat-tests",
                    "Are all seats equal? Difference between the best and the worst seat, and the"
                    " Wald test that all seats have the same win share",
                    tests,
                    percent=["spread", "best", "worst"],
                    digits={"chi_square": 1},
                    notes=(
                        "The hypothesis is that all seats equal each other, not that each has"
                        " 1/k: a share of games has no winner. `p_holm` holds over the whole"
                        " table.",
                    ),
                ),
                TableOut(
                    "win-shares",
                    "Share of the win by seat, 95 % intervals; seat 0 acts first",
                    shares,
                    percent=["estimate"],
                ),
                TableOut(
                    "playoffs",
                    "Games with a playoff, games without a winner, games in which the win is"
                    " shared, and games whose winner is not known",
                    rates,
                    percent=["estimate"],
                ),
            ),
            figures=(
                FigureOut(
                    "win-shares",
                    "Win share of each seat less the mean of all seats of the table, percentage"
                    f" points, with 95 % intervals; seat 0 acts first; {n}",
                    _alt(tests),
                    partial(draw_shares, shares),
                ),
                FigureOut(
                    "playoffs",
                    f"Games in which several players are out and play the win off; {n}",
                    _alt_playoffs(rates),
                    partial(draw_playoffs, rates),
                ),
            ),
            runs=collected.runs,
            methods=(
                "Win shares are 1/k for each of k winners (C-9) and 0 where nobody wins; their"
                " means have t intervals over games.",
                "The test of equal seats is Wald's with the seats' covariance and k − 1 degrees"
                " of freedom (Wald 1943, Transactions of the AMS 54); p-values are adjusted over"
                " all tables by Holm's method (Holm 1979, Scandinavian Journal of Statistics 6).",
                "All seats play the same policy, therefore whatever differs comes from the seat.",
            ),
            warnings=[
                *widths_missed(shares, "Win shares", collected.games),
                *widths_missed(rates, "Playoffs", collected.games),
            ],
        )


# --- tidy frames -------------------------------------------------------------------------


def _squares(part: pd.DataFrame) -> np.ndarray:
    """Return the matrix of sums of products of one cell."""
    return part["product"].unstack("other").to_numpy(np.int64)


def _shares(table: Table) -> pd.DataFrame:
    keys, found = [], []
    products = {(n, policy): _squares(part) for n, policy, part in kg.by_cell(table["products"])}
    for players, policy, part in kg.by_cell(table["totals"]):
        squares = products[players, policy]
        for seat, total, n in part.reset_index()[["seat", "total", "n"]].itertuples(index=False):
            keys.append({"players": players, "policy": policy, "seat": int(seat)})
            one = mean(int(n), int(total), int(squares[seat, seat]), scale=SCALE).within(0, 1)
            found.append(one)
    return estimates(pd.DataFrame(keys), found)


def _tests(table: Table) -> pd.DataFrame:
    rows: list[dict[str, Any]] = []
    tests: list[ChiSquare] = []
    products = {(n, policy): _squares(part) for n, policy, part in kg.by_cell(table["products"])}
    for players, policy, part in kg.by_cell(table["totals"]):
        n = int(part["n"].iloc[0])
        totals = [int(total) for total in part["total"]]
        test = seats_test(n, totals, products[players, policy].tolist())
        shares = [total / (n * SCALE) for total in totals]
        tests.append(test)
        rows.append(
            {
                "players": players,
                "policy": policy,
                "best_seat": int(np.argmax(shares)),
                "best": max(shares),
                "worst_seat": int(np.argmin(shares)),
                "worst": min(shares),
                "spread": max(shares) - min(shares),
                "chi_square": null(test.statistic),
                "df": test.df,
                "p": null(test.p),
            }
        )
    frame = pd.DataFrame(rows)
    frame["p_holm"] = [null(p) for p in holm([test.p for test in tests])]
    frame["n"] = [test.n for test in tests]
    return frame


#: Rate -> which games it counts.
RATES = {
    "rate_playoff": "playoff == 1",
    "rate_no_winner": "winners == 0",
    "rate_shared": "winners == 2",
    "rate_censored": "censored == 1",
}


def _rates(table: Table) -> pd.DataFrame:
    keys, found = [], []
    for players, policy, part in kg.by_cell(table["games"]):
        frame = part.reset_index()
        n = int(frame["count"].sum())
        for metric, which in RATES.items():
            hits = int(frame.query(which)["count"].sum())
            keys.append({"players": players, "policy": policy, "metric": metric, "count": hits})
            found.append(wilson(hits, n))
    return estimates(pd.DataFrame(keys), found)


# --- words and pictures --------------------------------------------------------------------


def _answer(tests: pd.DataFrame, rates: pd.DataFrame) -> str:
    unequal = tests[tests["p_holm"] < LEVEL]
    widest = largest(tests, "spread")
    text = (
        f"The seats differ in {len(unequal)} of {len(tests)} tables (Holm, 5 %); the widest gap"
        f" is {100 * widest['spread']:.1f} percentage points, with {widest['players']}"
        f" `{widest['policy']}` players, for seat {widest['best_seat']} over seat"
        f" {widest['worst_seat']}."
    )
    first = int((unequal["best_seat"] == 0).sum())
    if len(unequal):
        text += f" Acting first is best in {first} of these {len(unequal)}."
    playoff = rates[rates["metric"] == "rate_playoff"]
    least, most = smallest(playoff, "estimate"), largest(playoff, "estimate")
    return text + (
        f" The win is played off in {percent(least['estimate'], least['half_width'])}"
        f" ({least['players']} × `{least['policy']}`) to"
        f" {percent(most['estimate'], most['half_width'])} ({most['players']} ×"
        f" `{most['policy']}`) of games."
    )


def _alt(tests: pd.DataFrame) -> str:
    parts = [
        f"{int(n)} players: gaps of {100 * group['spread'].min():.1f} to"
        f" {100 * group['spread'].max():.1f} points"
        for (n,), group in groups(tests, "players")
    ]
    return "Points with intervals, a panel a number of players, a series a seat; " + "; ".join(
        parts
    )


def _alt_playoffs(rates: pd.DataFrame) -> str:
    playoff = rates[rates["metric"] == "rate_playoff"]
    parts = [
        f"{int(n)} players: {percent(group['estimate'].min())} to"
        f" {percent(group['estimate'].max())}"
        for (n,), group in groups(playoff, "players")
    ]
    return "One line a policy, over the number of players; " + "; ".join(parts)


def draw_shares(shares: pd.DataFrame) -> Figure:
    """Draw each seat's win share less the table's mean, a panel a number of players."""
    players = sorted(shares["players"].unique())
    policies = list(dict.fromkeys(shares["policy"]))
    fig, axes = style.panels(
        len(players), height=max(1.7, 0.26 * len(policies) + 0.8), columns=2, share=False
    )
    for ax, n in zip(axes, players, strict=True):
        part = shares[shares["players"] == n]
        level = part.groupby("policy")["estimate"].mean()
        for seat in range(int(n)):
            one = part[part["seat"] == seat].set_index("policy").reindex(policies)
            gap = one["estimate"] - level.reindex(policies)
            height = np.arange(len(policies)) + 0.14 * (seat - (n - 1) / 2)
            ax.errorbar(
                100 * gap,
                height,
                xerr=100 * one["half_width"],
                label=f"seat {seat}",
                **style.points(seat),
            )
        ax.axvline(0, color=style.MUTED, linewidth=0.7)
        ax.set_yticks(range(len(policies)), policies)
        ax.set_ylim(len(policies) - 0.5, -0.5)
        ax.set_title(f"{n} players")
        ax.set_xlabel("percentage points")
    return style.finish(fig)


def draw_playoffs(rates: pd.DataFrame) -> Figure:
    """Draw the rate of playoffs over the number of players, a line a policy."""
    fig, ax = style.figure(height=3.0)
    playoff = rates[rates["metric"] == "rate_playoff"]
    for place, ((policy,), group) in enumerate(groups(playoff, "policy")):
        ax.plot(group["players"], group["estimate"], label=policy, **kg.look(place))
    ax.set_xticks(sorted(playoff["players"].unique()))
    ax.set_ylim(bottom=0)
    ax.set(xlabel="players", ylabel="games with a playoff")
    style.percent(ax.yaxis)
    return style.finish(fig)


ANALYSIS = Seats()


def run(
    *,
    games: float = GAMES,
    threads: int | None = None,
    seed: int = 0,
    players: Sequence[int] = kg.PLAYERS,
    policies: Sequence[str] = kg.POLICIES,
    progress: Say | None = None,
) -> Result:
    """Answer the question by playing; see :func:`analyses.endings.run`."""
    setups = kg.cells(players, policies, seed=seed)
    return ANALYSIS.result(
        collect(ANALYSIS, setups, games=games, threads=threads, progress=progress)
    )
