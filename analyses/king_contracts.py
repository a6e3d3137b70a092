"""What each contract of King is worth, to which seat, under which way of playing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.transforms import ScaledTranslation

from analyses import king_positions, kings, style
from analyses.base import (
    Analysis,
    Collected,
    Say,
    between,
    collect,
    listed,
    note,
    number,
    signed,
    widths_missed,
)
from analyses.king_positions import LEVEL, contract_name
from analyses.results import FigureOut, Result, RunNote, TableOut
from analyses.tables import (
    NONE,
    Record,
    Table,
    estimates,
    histogram,
    records,
)
from simlib.games.king.contracts import LABELS
from simlib.setup import Setup, prepare
from simlib.simulate import run_setup
from simlib.stats import mean_from_histogram, quantile, wilson

__all__ = ["ANALYSIS", "Contracts", "correlations", "run"]

#: Deals of each contract at a table: a share has a half-width of 0.01 or less.
DEALS_A_CONTRACT = 10_000
#: Deals of the varieties that score in one way only.
DEALS_IN_ALL = 40_000
#: Deals of each contract of `simple`, of which the sentences speak: a position is worth less
#: than a point where one deal moves a score by twenty. Who picks blindly plays fastest.
DEALS_OF_SIMPLE = {"random": 300_000}
DEALS_OF_SIMPLE_ELSE = 60_000
#: Deals on which all contracts of `simple` are played for their correlations.
COMMON = 10_000
#: So many contracts are named one by one.
FEW = 3


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
        codes = frame["contract"].cat.codes.to_numpy(np.int64)
        long = pd.DataFrame(
            {
                "contract": np.repeat(codes, seats),
                "position": np.tile(np.arange(seats), len(scores)),
                "score": scores.reshape(-1),
            }
        )
        kinds = pd.DataFrame({"contract": codes, "slam": frame["slam"].to_numpy()})
        return Table(
            {
                "scores": histogram(long, "contract", "position", "score"),
                "slams": histogram(kinds, "contract", "slam"),
                **king_positions.parts(codes, scores),
            }
        )

    def finish(self, table: Table) -> dict[str, pd.DataFrame]:
        """Return ``positions`` (means), ``tests`` and ``spread`` (a row a contract)."""
        keys, found, spread = [], [], []
        slams: dict[Any, pd.DataFrame] = {}
        for cell, part in kings.by_cell(table["slams"]):
            slams[tuple(cell.values())] = part
        for cell, part in kings.by_cell(table["scores"]):
            frame = part.reset_index()
            taken = slams[tuple(cell.values())].reset_index()
            for code, one in frame.groupby("contract"):
                contract = contract_name(int(str(code)))
                for position, scores in one.groupby("position"):
                    keys.append({**cell, "contract": contract, "position": int(str(position))})
                    found.append(
                        mean_from_histogram(scores["score"].tolist(), scores["count"].tolist())
                    )
                counts = one.groupby("score")["count"].sum()
                deals = taken[taken["contract"] == code]
                spread.append({**cell, "contract": contract, **_spread(counts, deals)})
        tests, gaps = king_positions.tests(table), king_positions.gaps(table)
        gaps["clear"] = king_positions.clear(gaps, tests)
        return {
            "positions": estimates(pd.DataFrame(keys), found).merge(gaps),
            "tests": tests,
            "spread": pd.DataFrame(spread),
        }

    def result(self, collected: Collected) -> Result:
        """Return the answer with tables and figures."""
        return self._result(collected, pd.DataFrame(), [])

    def _result(
        self, collected: Collected, correlation: pd.DataFrame, notes: list[RunNote]
    ) -> Result:
        found = self.finish(collected.table)
        positions, tests, spread = found["positions"], found["tests"], found["spread"]
        simple = positions[positions["variety"] == "simple"]
        points = {"estimate": 3, "low": 3, "high": 3, "half_width": 3}
        tables = [
            TableOut(
                "contract-scores",
                "Mean score a deal by contract and position, 95 % intervals; position 0 leads",
                positions,
                digits={**points, "gap": 3},
                notes=(
                    "With equal policies the mean over all positions is the contract's sum / n by"
                    " symmetry (K-10): the position is what there is to see.",
                    "`gap`: how far the position lies from the mean of all positions of the deal;"
                    " `clear`: the contract's test holds (next table) and the interval of the gap"
                    " leaves out 0.",
                ),
            ),
            TableOut(
                "position-tests",
                "Leader's score less the mean of the others in the same deal, 95 % intervals, and"
                " the test that all positions are equal: Wald, Holm over the table",
                tests,
                digits={**points, "chi_square": 1},
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
        return Result(
            name=self.name,
            title=self.title,
            question=self.question,
            answer=_answer(positions, tests),
            tables=tables,
            figures=(
                FigureOut(
                    "contract-positions",
                    "Mean score by contract and position in `simple`, `random`; a dot: within"
                    f" the error; {_deals(_plain(simple))}",
                    _alt(simple),
                    partial(draw_heat, simple),
                ),
                FigureOut(
                    "contract-spread",
                    "Scores of a seat: 10 %, 50 % and 90 % quantiles (marks) and mean (cross), a"
                    f" row a contract of `simple`; {_deals(simple)}",
                    _alt_spread(spread),
                    partial(draw_spread, spread),
                ),
            ),
            runs=[*collected.runs, *notes],
            methods=(
                "Contracts are played in turn (K-7), so that every contract has the same number of"
                " deals; means have t intervals over deals, shares Wilson intervals. Quantiles are"
                " those of all seats together.",
                "That all positions are equal is tested by Wald's test with the positions'"
                " covariance and n - 1 degrees of freedom, adjusted over all tables and contracts"
                " by Holm's method; differences between positions are paired within the deal.",
            ),
            warnings=widths_missed(
                spread.rename(columns={"takes_all_half_width": "half_width"}),
                "Taking everything",
                collected.games,
                0.01,
            ),
        )


def _plain(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[frame["policy"] == "random"]


def _deals(simple: pd.DataFrame) -> str:
    """Return in words how many deals of a contract there are, by policy where they differ."""
    least = simple.groupby("policy", sort=False)["n"].min()
    if least.empty:
        return "no deals"
    counts = [
        (int(n), ", ".join(f"`{policy}`" for policy in least.index[least == n]))
        for n in dict.fromkeys(least)
    ]
    if len(counts) == 1:
        return f"n = {counts[0][0]:,} deals a contract"
    words = ", ".join(f"{n:,} ({policies})" for n, policies in counts)
    return f"n = {words} deals a contract"


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


def _answer(positions: pd.DataFrame, tests: pd.DataFrame) -> str:
    simple = tests[tests["variety"] == "simple"]
    if simple.empty:
        simple = tests
    sentences = [_king(positions), *(_positions(part) for part in _by_policy(simple))]
    return " ".join(filter(None, sentences))


def _by_policy(tests: pd.DataFrame) -> list[pd.DataFrame]:
    return [tests[tests["policy"] == policy] for policy in dict.fromkeys(tests["policy"])]


def _king(positions: pd.DataFrame) -> str:
    """Say what the king of hearts is worth to the leader."""
    names = list(dict.fromkeys(positions["policy"]))
    policy = next((name for name in ("sensible", *names) if name in names), "")
    mine = positions[(positions["variety"] == "simple") & (positions["policy"] == policy)]
    words = []
    for contract in ("no-king", "king"):
        part = mine[mine["contract"] == contract]
        if part.empty:
            return ""
        row, equal = records(part)[0], _points(float(part["estimate"].mean()))
        words.append((f"{_points(row['estimate'])} points ({_reach(row)})", contract, equal))
    (costs, first, less), (brings, second, more) = words
    return (
        f"Among `{policy}` players the king of hearts is worth {costs} to the leader in contract"
        f" `{first}`, where an equal share is {less}, and {brings} in `{second}`, where it is"
        f" {more}."
    )


def _positions(tests: pd.DataFrame) -> str:
    """Say in which contracts the position makes a difference that the test shows."""
    policy, variety = tests["policy"].iloc[0], tests["variety"].iloc[0]
    holds = tests["p_holm"] < LEVEL
    unequal, others = tests[holds], [f"`{name}`" for name in tests.loc[~holds, "contract"]]
    if unequal.empty:
        return (
            f"Among `{policy}` players no contract of `{variety}` shows that the position matters."
        )
    text = (
        f"Among `{policy}` players the position matters in {len(unequal)} of {len(tests)} contracts"
        f" of `{variety}` (Holm, 5 %)"
    )
    if 0 < len(others) <= FEW:
        text += f", not shown in {listed(others)}"
    shown = unequal[(unequal["low"] > 0) | (unequal["high"] < 0)]
    return text + (f"; {_most(shown)}." if len(shown) else ".")


def _most(shown: pd.DataFrame) -> str:
    """Name the contracts where the leader differs most, as far as they can be told apart."""
    size = shown["estimate"].abs()
    order = shown.assign(size=size).sort_values("size", ascending=False, kind="stable")
    top = records(order)[0]
    least = top["size"] - top["half_width"]
    ahead = records(order[order["size"] + order["half_width"] >= least])
    text = "the leader differs most from the mean of the others"
    if len(ahead) > FEW:
        ahead, text = ahead[:1], text.replace("most", "by the largest figure")
    words = [f"in `{row['contract']}` {_points(row['estimate'])} ({_reach(row)})" for row in ahead]
    return f"{text}: {listed(words)}"


def _points(value: float) -> str:
    return signed(value, 2)


def _reach(row: Record) -> str:
    return between(row["low"], row["high"], _points)


def _alt(simple: pd.DataFrame) -> str:
    plain = _plain(simple)
    if not len(plain):
        return "No deals of `simple` were played."
    text = (
        "A grid of mean scores, contracts down and positions across, from"
        f" {number(plain['estimate'].min(), 2)} to {number(plain['estimate'].max(), 2)}."
    )
    sure = plain[plain["clear"]]
    if sure.empty:
        return f"{text} No position differs clearly from the others."
    leader = [
        f"{row['contract']} {_points(row['gap'])}" for row in records(sure[sure["position"] == 0])
    ]
    return (
        f"{text} {len(sure)} of {len(plain)} lie clearly off the mean of their contract; position"
        f" 0: {', '.join(leader) or 'none'}."
    )


def _alt_spread(spread: pd.DataFrame) -> str:
    part = spread[(spread["variety"] == "simple") & (spread["policy"] == "random")]
    words = [
        f"{row['contract']} {number(row['q10'])} to {number(row['q90'])}" for row in records(part)
    ]
    return "Quantiles of the score of a seat, a row a contract: " + "; ".join(words)


def draw_heat(simple: pd.DataFrame) -> Figure:
    """Draw contract × position as a grid of numbers, with marks where the position matters."""
    plain = _plain(simple)
    names = list(dict.fromkeys(plain["contract"]))
    grid, gap_grid, clear = (
        plain.pivot(index="contract", columns="position", values=name).reindex(names)
        for name in ("estimate", "gap", "clear")
    )
    values, gaps, shown = grid.to_numpy(), gap_grid.to_numpy(), clear.to_numpy(np.bool_)
    top = float(np.abs(gaps[shown]).max()) if shown.any() else 1.0
    fig, ax = style.figure(height=0.3 * len(grid) + 1.0)
    ax.grid(visible=False)  # a line through a number would hide it
    beside = ax.transData + ScaledTranslation(-19 / 72, 0, fig.dpi_scale_trans)
    for row, column in np.ndindex(values.shape):
        gap = gaps[row, column]
        look = style.SERIES[0 if gap >= 0 else 1]
        mark: dict[str, Any] = {"s": 6, "marker": "o", "color": style.MUTED, "linewidth": 0}
        if shown[row, column]:
            mark = {"s": 10 + 110 * abs(gap) / top, "marker": "o" if gap >= 0 else "s"}
            mark |= {"facecolor": "none", "edgecolor": look.colour, "linewidth": 1.0}
        ax.scatter(column, row, transform=beside, **mark)
        ax.annotate(
            _points(float(values[row, column])),
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
    ax.set_xlabel(
        "position; circle: above the contract's mean, square: below; size: by how much;"
        " dot: within the error"
    )
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


def deals(setup: Setup) -> int:
    """Return how many deals a table plays by default."""
    contracts = setup.game.strata(setup.table)
    if contracts is None:
        return DEALS_IN_ALL
    if setup.table.variety != "simple":
        return DEALS_A_CONTRACT * len(contracts)
    policy = setup.policies[0].spec
    return DEALS_OF_SIMPLE.get(policy, DEALS_OF_SIMPLE_ELSE) * len(contracts)


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
        Deals at each table; by default as many as :func:`deals` says.
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
    counts = [deals(setup) if games is None else games for setup in setups]
    collected = collect(ANALYSIS, setups, games=counts, threads=threads, progress=progress)
    if "simple" not in varieties:
        return ANALYSIS.result(collected)
    frame, notes = correlations(games=min(COMMON, int(counts[0])), threads=threads, seed=seed)
    return ANALYSIS._result(collected, frame, notes)
