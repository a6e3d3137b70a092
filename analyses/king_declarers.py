"""Who chooses in King: what choosing is worth, bids against what they bring, slams."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analyses import kings, style
from analyses.base import (
    Analysis,
    Collected,
    Say,
    between,
    collect,
    percent,
    signed,
    widths_missed,
)
from analyses.results import FigureOut, Result, TableOut
from analyses.tables import (
    NONE,
    Record,
    Table,
    estimates,
    groups,
    histogram,
    largest,
    records,
    smallest,
)
from simlib.games.king.contracts import LABELS
from simlib.setup import Setup
from simlib.stats import mean, mean_from_histogram, wilson

__all__ = ["ANALYSIS", "Declarers", "run"]

#: Varieties in which somebody chooses, or in which one seat can take everything.
VARIETIES = ("ordered", "minsk", "minsk-declarer", "atomic", "trade", "omnibus")
DEALS = 100_000
NO_TRUMP = "no trump"
#: Contracts by their place in the rules (K-3).
ORDER = {name: place for place, name in enumerate(LABELS)}


class Declarers(Analysis):
    """Score of the declarer and of the others, by contract and by trump; bids; slams."""

    name = "declarers"
    title = "What choosing is worth"
    question = "What does the declarer gain, by contract and trump, and do bids pay?"

    def labels(self, setup: Setup) -> dict[str, Any]:
        """Return variety and policy."""
        return kings.label(setup)

    def reduce(self, frame: pd.DataFrame) -> Table:
        """Count scores of the declarer and of the others."""
        names = [name for name in frame if str(name).startswith("score_")]
        scores = frame[names].to_numpy(np.int64)
        declarer = frame["declarer"].to_numpy(np.int64)
        rows = np.flatnonzero(declarer >= 0)
        own = scores[rows, declarer[rows]]
        rest = scores[rows].sum(axis=1) - own
        contract = frame["contract"].astype(object).fillna(NONE).to_numpy()[rows]
        trump = frame["trump"].astype(object).fillna(NO_TRUMP).to_numpy()[rows]
        chosen = pd.DataFrame(
            {
                "contract": pd.Categorical(contract),
                "trump": pd.Categorical(trump),
                "bid": frame["bid"].to_numpy(np.int64)[rows],
                "score": own,
                "rest": rest,
                "others": len(names) - 1,
                "gap": (len(names) - 1) * own - rest,
            }
        )
        return Table(
            {
                "contracts": histogram(chosen, "contract", "score"),
                "others": histogram(chosen, "contract", "rest"),
                "gaps": histogram(chosen, "contract", "others", "gap"),
                "trumps": histogram(chosen, "trump", "score"),
                "bids": histogram(chosen, "bid", "score"),
                "deals": histogram(frame, "ending", "slam"),
            }
        )

    def finish(self, table: Table) -> dict[str, pd.DataFrame]:
        """Return ``contracts``, ``gaps``, ``trumps``, ``bids`` (means) and ``rates``."""
        return {
            "contracts": pd.concat(
                [
                    _means(table["contracts"], "contract", "score", side="declarer"),
                    _means(table["others"], "contract", "rest", side="all others together"),
                ],
                ignore_index=True,
            ),
            "gaps": _gaps(table["gaps"]),
            "trumps": _means(table["trumps"], "trump", "score"),
            "bids": _means(table["bids"], "bid", "score"),
            "rates": _rates(table["deals"]),
        }

    def result(self, collected: Collected) -> Result:
        """Return the answer with tables and figures."""
        found = self.finish(collected.table)
        gaps, bids = found["gaps"], found["bids"]
        bids = bids[bids["variety"] == "trade"]
        n = f"n = {collected.games:,} deals a table"
        points = {"estimate": 2, "low": 2, "high": 2, "half_width": 2}
        return Result(
            name=self.name,
            title=self.title,
            question=self.question,
            answer=_answer(gaps, bids, found["rates"]),
            tables=(
                TableOut(
                    "declarer-contracts",
                    "Points a deal of the declarer and of the others, by contract",
                    found["contracts"],
                    digits=points,
                    notes=("In a single deal the contract is imposed and the trump chosen (K-7).",),
                ),
                TableOut(
                    "declarer-gains",
                    "Points a deal of the declarer less the mean of the others in the same deal",
                    gaps,
                    digits=points,
                ),
                TableOut(
                    "declarer-trumps",
                    "Points of the declarer by the trump that he named",
                    found["trumps"],
                    digits=points,
                ),
                TableOut(
                    "trade-bids",
                    "Trade: points of the highest bidder in all, his bid included, by his bid",
                    bids,
                    digits=points,
                ),
                TableOut(
                    "choice-rates",
                    "Deals in which one seat takes everything (slam), and void deals",
                    found["rates"],
                    percent=["estimate"],
                ),
            ),
            figures=(
                FigureOut(
                    "declarer-contracts",
                    "Points a deal of the declarer less the mean of the others, by contract, 95 %"
                    f" intervals; {n}",
                    _alt(gaps),
                    partial(draw, gaps),
                ),
            ),
            runs=collected.runs,
            methods=(
                "Means have t intervals over deals. What choosing is worth is the declarer's score"
                " less the mean of the others in the same deal; among `random` players the choice"
                " itself is random, among the better ones it follows the hand.",
            ),
            warnings=widths_missed(found["rates"], "Slams and void deals", collected.games),
        )


def _means(part: pd.DataFrame, key: str, value: str, **more: Any) -> pd.DataFrame:
    keys, found = [], []
    for cell, rows in kings.by_cell(part):
        frame = rows.reset_index()
        # contracts in the order of the rules, other things as they come
        parts = sorted(frame.groupby(key, sort=False), key=lambda part: ORDER.get(str(part[0]), 0))
        for name, one in parts:
            keys.append({**cell, key: name, **more})
            found.append(mean_from_histogram(one[value].tolist(), one["count"].tolist()))
    return estimates(pd.DataFrame(keys), found)


def _rates(part: pd.DataFrame) -> pd.DataFrame:
    keys, found = [], []
    for cell, rows in kings.by_cell(part):
        frame = rows.reset_index()
        n = int(frame["count"].sum())
        hits = {
            "slam": int(frame.loc[frame["slam"] == 1, "count"].sum()),
            "void": int(frame.loc[frame["ending"] == "void", "count"].sum()),
        }
        for what, count in hits.items():
            keys.append({**cell, "what": what, "count": count})
            found.append(wilson(count, n))
    return estimates(pd.DataFrame(keys), found)


def _gaps(part: pd.DataFrame) -> pd.DataFrame:
    """Return the declarer's score less the mean of the others, paired within the deal."""
    keys, found = [], []
    for cell, rows in kings.by_cell(part):
        parts = sorted(
            groups(rows.reset_index(), "contract"), key=lambda one: ORDER.get(one[0][0], 0)
        )
        for (contract,), one in parts:
            gap, counts = one["gap"].to_numpy(), one["count"].to_numpy()
            keys.append({**cell, "contract": contract})
            found.append(
                mean(
                    int(counts.sum()),
                    int((gap * counts).sum()),
                    int((gap * gap * counts).sum()),
                    scale=int(one["others"].iloc[0]),
                )
            )
    return estimates(pd.DataFrame(keys), found)


def _answer(gaps: pd.DataFrame, bids: pd.DataFrame, rates: pd.DataFrame) -> str:
    chosen = gaps[gaps["variety"] != "trade"]
    best, worst = largest(chosen, "estimate"), smallest(chosen, "estimate")
    text = (
        f"The declarer gains most on the others in `{best['contract']}` ({best['variety']},"
        f" `{best['policy']}`), {_gain(best)}, and least in"
        f" `{worst['contract']}` ({worst['variety']}, `{worst['policy']}`),"
        f" {_gain(worst)}."
    )
    if len(bids):
        some = bids[bids["n"] >= 100]
        best_bid = largest(some if len(some) else bids, "estimate")
        text += (
            f" In Trade the best bid in these deals is {best_bid['bid']} (`{best_bid['policy']}`),"
            f" {_gain(best_bid, 2)} in all."
        )
    slam = rates[(rates["variety"] == "omnibus") & (rates["what"] == "slam")]
    if len(slam):
        parts = [
            f"{percent(row['estimate'], row['half_width'])} among `{row['policy']}`"
            for row in records(slam)
        ]
        text += f" One seat takes all fifteen cards of Omnibus in {', '.join(parts)} players."
    return text


def _gain(row: Record, digits: int = 1) -> str:
    reach = between(row["low"], row["high"], lambda end: signed(end, digits))
    return f"{signed(row['estimate'], digits)} points a deal ({reach})"


def _alt(gaps: pd.DataFrame) -> str:
    gaps = gaps[gaps["variety"] != "trade"]
    parts = [
        f"{r['variety']} {r['contract']} {r['policy']} {signed(r['estimate'], 1)}"
        for r in records(gaps)
    ]
    return "Points with intervals, a panel a variety, a series a policy: " + ", ".join(parts)


def draw(gaps: pd.DataFrame) -> Figure:
    """Draw the declarer's gain by contract, a panel a variety, a series a policy."""
    gaps = gaps[gaps["variety"] != "trade"]
    varieties = list(dict.fromkeys(gaps["variety"]))
    most = max(len(set(gaps.loc[gaps["variety"] == name, "contract"])) for name in varieties)
    fig, axes = style.panels(len(varieties), height=0.24 * most + 1.0, columns=2, share=False)
    for ax, variety in zip(axes, varieties, strict=True):
        part = gaps[gaps["variety"] == variety]
        names = list(dict.fromkeys(part["contract"]))
        policies = list(dict.fromkeys(part["policy"]))
        for place, policy in enumerate(policies):
            one = part[part["policy"] == policy].set_index("contract").reindex(names)
            ax.errorbar(
                one["estimate"],
                np.arange(len(names)) + kings.beside(place, len(policies)),
                xerr=one["half_width"],
                label=str(policy),
                **style.points(place),
            )
        ax.axvline(0, color=style.MUTED, linewidth=0.7)
        ax.set_yticks(range(len(names)), names)
        ax.set_ylim(len(names) - 0.5, -0.5)
        ax.set_title(str(variety))
        ax.set_xlabel("points")
    return style.finish(fig)


ANALYSIS = Declarers()


def run(
    *,
    games: float | None = None,
    threads: int | None = None,
    seed: int = 0,
    varieties: Sequence[str] = VARIETIES,
    policies: Sequence[str] = kings.POLICIES,
    progress: Say | None = None,
) -> Result:
    """Answer the question by playing; see :func:`analyses.king_contracts.run`."""
    setups = kings.cells(varieties, policies, seed=seed)
    count = DEALS if games is None else games
    return ANALYSIS.result(
        collect(ANALYSIS, setups, games=count, threads=threads, progress=progress)
    )
