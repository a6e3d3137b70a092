"""What each contract of King is worth, to which seat, under which way of playing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.transforms import ScaledTranslation

from analyses import kings, style
from analyses.base import Analysis, Collected, Say, between, collect, note, number, widths_missed
from analyses.results import FigureOut, Result, RunNote, TableOut
from analyses.tables import NONE, Table, estimates, histogram, largest, records, smallest
from simlib.games.king.contracts import LABELS
from simlib.setup import Setup, prepare
from simlib.simulate import run_setup
from simlib.stats import mean_from_histogram, quantile, wilson

__all__ = ["ANALYSIS", "Contracts", "correlations", "run"]

#: Deals of each contract at a table: a share has a half-width of 0.01 or less.
DEALS_A_CONTRACT = 10_000
#: Deals on which all contracts of `simple` are played for their correlations.
COMMON = 10_000
#: Varieties without contracts: one way of scoring.
NO_CONTRACT = "all deals"


class Contracts(Analysis):
    """Score by contract and position: mean, spread, quantiles, zeros, taking everything."""

    name = "contracts"
    title = "What each contract is worth"
    question = "What does each contract bring to each position, and how much does it vary?"

    def labels(self, setup: Setup) -> dict[str, Any]:
        """Return variety and policy."""
        return kings.label(setup)

    def reduce(self, frame: pd.DataFrame) -> Table:
        """Count scores by contract and position, and deals in which one seat took all."""
        scores = kings.positions(frame, "score")
        seats = scores.shape[1]
        long = pd.DataFrame(
            {
                "contract": np.repeat(frame["contract"].cat.codes.to_numpy(np.int64), seats),
                "position": np.tile(np.arange(seats), len(scores)),
                "score": scores.reshape(-1),
            }
        )
        kinds = frame.assign(contract=frame["contract"].cat.codes.to_numpy(np.int64))
        return Table(
            {
                "scores": histogram(long, "contract", "position", "score"),
                "slams": histogram(kinds, "contract", "slam"),
            }
        )

    def finish(self, table: Table) -> dict[str, pd.DataFrame]:
        """Return ``positions`` (means) and ``spread`` (a row a contract)."""
        keys, found, spread = [], [], []
        slams: dict[Any, pd.DataFrame] = {}
        for cell, part in kings.by_cell(table["slams"]):
            slams[tuple(cell.values())] = part
        for cell, part in kings.by_cell(table["scores"]):
            frame = part.reset_index()
            taken = slams[tuple(cell.values())].reset_index()
            for code, one in frame.groupby("contract"):
                contract = _name(int(str(code)))
                for position, scores in one.groupby("position"):
                    keys.append({**cell, "contract": contract, "position": int(str(position))})
                    found.append(
                        mean_from_histogram(scores["score"].tolist(), scores["count"].tolist())
                    )
                counts = one.groupby("score")["count"].sum()
                deals = taken[taken["contract"] == code]
                spread.append({**cell, "contract": contract, **_spread(counts, deals)})
        return {
            "positions": estimates(pd.DataFrame(keys), found),
            "spread": pd.DataFrame(spread),
        }

    def result(self, collected: Collected) -> Result:
        """Return the answer with tables and figures."""
        return self._result(collected, pd.DataFrame(), [])

    def _result(
        self, collected: Collected, correlation: pd.DataFrame, notes: list[RunNote]
    ) -> Result:
        found = self.finish(collected.table)
        positions, spread = found["positions"], found["spread"]
        simple = positions[positions["variety"] == "simple"]
        tables = [
            TableOut(
                "contract-scores",
                "Mean score a deal by contract and position, 95 % intervals; position 0 leads",
                positions,
                digits={"estimate": 3, "low": 3, "high": 3, "half_width": 3},
                notes=(
                    "With equal policies the mean over all positions is the contract's sum / n by"
                    " symmetry (K-10): the position is what there is to see.",
                ),
            ),
            TableOut(
                "contract-spread",
                "Score of a seat in a deal: spread, quantiles, share of zeros, and deals in which"
                " one seat takes everything that scores",
                spread,
                percent=["zero", "takes_all", "takes_all_half_width"],
                digits={"mean": 2, "sd": 2, "q10": 0, "median": 0, "q90": 0},
            ),
        ]
        if len(correlation):
            tables.append(
                TableOut(
                    "contract-correlations",
                    "Correlation of the leader's scores in two contracts of `simple` played on"
                    f" the same deals by `random`; n = {COMMON:,} deals",
                    correlation,
                    digits={str(name): 2 for name in correlation if name != "contract"},
                )
            )
        n = f"n = {collected.games:,} deals a table, all contracts in turn"
        return Result(
            name=self.name,
            title=self.title,
            question=self.question,
            answer=_answer(simple if len(simple) else positions, spread),
            tables=tables,
            figures=(
                FigureOut(
                    "contract-positions",
                    f"Mean score by contract and position in `simple`, `random`; {n}",
                    _alt(simple),
                    partial(draw_heat, simple),
                ),
                FigureOut(
                    "contract-spread",
                    "Scores of a seat: 10 %, 50 % and 90 % quantiles (marks) and mean (cross), a"
                    f" row a contract of `simple`; {n}",
                    _alt_spread(spread),
                    partial(draw_spread, spread),
                ),
            ),
            runs=[*collected.runs, *notes],
            methods=(
                "Contracts are played in turn (K-7), so that every contract has the same number of"
                " deals; means have t intervals over deals, shares Wilson intervals. Quantiles are"
                " those of all seats together.",
            ),
            warnings=widths_missed(
                spread.rename(columns={"takes_all_half_width": "half_width"}),
                "Taking everything",
                0.01,
            ),
        )


def _name(code: int) -> str:
    return LABELS[code] if 0 <= code < len(LABELS) else NO_CONTRACT


def _spread(counts: pd.Series[int], deals: pd.DataFrame) -> dict[str, Any]:
    values, times = [int(str(v)) for v in counts.index], [int(n) for n in counts]
    mean = mean_from_histogram(values, times)
    n = sum(times)
    points = [quantile(values, times, q).estimate for q in (0.1, 0.5, 0.9)]
    total = int(deals["count"].sum())
    slam = wilson(int(deals.loc[deals["slam"] == 1, "count"].sum()), total)
    return {
        "mean": mean.estimate,
        "sd": None if mean.se is None else mean.se * n**0.5,
        "q10": points[0],
        "median": points[1],
        "q90": points[2],
        "zero": int(counts.get(0, 0)) / n,
        "takes_all": slam.estimate,
        "takes_all_half_width": slam.half_width,
        "n": total,
    }


def correlations(
    *, games: int = COMMON, threads: int | None = None, seed: int = 0
) -> tuple[pd.DataFrame, list[RunNote]]:
    """Play every contract of `simple` on the same deals; return the leader's correlations."""
    scores: dict[str, np.ndarray] = {}
    notes: list[RunNote] = []
    for contract in [name for name in LABELS[:14] if name != NONE]:
        setup = prepare(kings.GAME, rules={"contracts": [contract]}, seed=seed)
        run = run_setup(setup, games=games, threads=threads, keep="games")
        scores[contract] = run.games["score_0"].to_numpy(np.float64)
        notes.append(note(setup, games))
    frame = pd.DataFrame(scores).corr().rename_axis("contract").reset_index()
    return frame, notes


# --- words and pictures --------------------------------------------------------------------


def _answer(positions: pd.DataFrame, spread: pd.DataFrame) -> str:
    plain = positions[positions["policy"] == "random"]
    leader = plain[plain["position"] == 0]
    first = leader[leader["contract"] == "no-tricks"]
    text = ""
    if len(first):
        row = records(first)[0]
        reach = between(row["low"], row["high"], lambda end: number(end, 2))
        text = (
            f"With `random` players the leader scores {row['estimate']:.2f} ({reach}) in contract"
            " 1, `no-tricks`. "
        )
    gaps = plain.groupby("contract", sort=False)["estimate"].agg(lambda v: v.max() - v.min())
    text += (
        f"The position matters most in `{gaps.idxmax()}`, by {gaps.max():.2f} points between the"
        f" best and the worst, least in `{gaps.idxmin()}` ({gaps.min():.2f})."
    )
    skilled = positions[(positions["policy"] != "random") & (positions["position"] == 0)]
    if len(skilled):
        best = largest(skilled, "estimate")
        text += (
            f" Among `{best['policy']}` players the leader's best contract is"
            f" `{best['contract']}` ({best['estimate']:+.2f})."
        )
    return text


def _alt(simple: pd.DataFrame) -> str:
    plain = simple[simple["policy"] == "random"]
    if not len(plain):
        return "No deals of `simple` were played."
    low, high = smallest(plain, "estimate"), largest(plain, "estimate")
    return (
        "A grid of mean scores, contracts down and positions across; lowest"
        f" {low['estimate']:.2f} ({low['contract']}, position {low['position']}), highest"
        f" {high['estimate']:.2f} ({high['contract']}, position {high['position']})"
    )


def _alt_spread(spread: pd.DataFrame) -> str:
    part = spread[(spread["variety"] == "simple") & (spread["policy"] == "random")]
    words = [f"{row['contract']} {row['q10']:.0f} to {row['q90']:.0f}" for row in records(part)]
    return "Quantiles of the score of a seat, a row a contract: " + "; ".join(words)


def draw_heat(simple: pd.DataFrame) -> Figure:
    """Draw contract × position as a grid of numbers, each with a mark for what is unusual."""
    plain = simple[simple["policy"] == "random"]
    grid = plain.pivot(index="contract", columns="position", values="estimate")
    grid = grid.reindex(list(dict.fromkeys(plain["contract"])))
    values = grid.to_numpy()
    gaps = values - values.mean(axis=1, keepdims=True)
    top = float(np.abs(gaps).max()) if gaps.size and np.abs(gaps).max() > 0 else 1.0
    fig, ax = style.figure(height=0.3 * len(grid) + 1.0)
    ax.grid(visible=False)  # a line through a number would hide it
    beside = ax.transData + ScaledTranslation(-19 / 72, 0, fig.dpi_scale_trans)
    for row, column in np.ndindex(values.shape):
        gap = gaps[row, column]
        ax.scatter(
            column,
            row,
            s=10 + 110 * abs(gap) / top,
            transform=beside,
            marker="o" if gap >= 0 else "s",
            facecolor="none",
            edgecolor=style.SERIES[0 if gap >= 0 else 1].colour,
            linewidth=1.0,
        )
        text = f"{values[row, column]:+.2f}".replace("-", "\u2212")
        ax.annotate(
            text,
            (column, row),
            (20, 0),
            textcoords="offset points",
            ha="right",
            va="center",
            size=8,
        )
    ax.set_xticks(range(values.shape[1]))
    ax.set_yticks(range(len(grid)), list(grid.index))
    ax.set_xlim(-0.5, values.shape[1] - 0.5)
    ax.set_ylim(len(grid) - 0.5, -0.5)
    ax.set_xlabel("position; circle: above the contract's mean, square: below; size: by how much")
    return style.finish(fig)


def draw_spread(spread: pd.DataFrame) -> Figure:
    """Draw quantiles and means, a row a contract, a series a policy."""
    part = spread[spread["variety"] == "simple"]
    names = list(dict.fromkeys(part["contract"]))
    fig, ax = style.figure(height=0.3 * len(names) + 1.2)
    policies = list(dict.fromkeys(part["policy"]))
    for place, policy in enumerate(policies):
        one = part[part["policy"] == policy].set_index("contract").reindex(names)
        height = np.arange(len(names)) + kings.beside(place, len(policies))
        median = one["median"].to_numpy(np.float64)
        low = median - one["q10"].to_numpy(np.float64)
        high = one["q90"].to_numpy(np.float64) - median
        ax.errorbar(median, height, xerr=[low, high], label=str(policy), **style.points(place))
        ax.plot(one["mean"], height, linestyle="none", marker="x", color=style.MUTED, markersize=4)
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlabel("points")
    return style.finish(fig)


ANALYSIS = Contracts()


def run(
    *,
    games: float | None = None,
    threads: int | None = None,
    seed: int = 0,
    varieties: Sequence[str] = kings.VARIETIES,
    policies: Sequence[str] = kings.POLICIES,
    progress: Say | None = None,
) -> Result:
    """Answer the question by playing.

    Parameters
    ----------
    games : int, optional
        Deals at each table; by default `DEALS_A_CONTRACT` a contract.
    threads : int, optional
        Changes the speed only.
    seed : int
        All chance comes from it (C-4).
    varieties, policies : sequence
        The tables; all seats of a table play alike.
    progress : callable, optional
        Called with a line for each table.
    """
    setups = kings.cells(varieties, policies, seed=seed)
    count = 14 * DEALS_A_CONTRACT if games is None else games
    collected = collect(ANALYSIS, setups, games=count, threads=threads, progress=progress)
    if "simple" not in varieties:
        return ANALYSIS.result(collected)
    frame, notes = correlations(games=min(COMMON, int(count)), threads=threads, seed=seed)
    return ANALYSIS._result(collected, frame, notes)
