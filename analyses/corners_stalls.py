"""How deals of Royal Corners end: who goes out, and what is left where play stalls."""

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
    interval,
    mean_count,
    number,
    percent,
    widths_missed,
)
from analyses.results import FigureOut, Result, TableOut
from analyses.tables import Table, estimates, histogram
from simlib.setup import Setup
from simlib.stats import wilson

__all__ = ["ANALYSIS", "Stalls", "run"]

#: Endings where play came to a stop with cards in hand (RC-10).
STALLS = ("blocked", "declined")


class Stalls(Analysis):
    """Endings, how often and when somebody goes out, and what stalled deals leave."""

    name = "stalls"
    title = "How deals end"
    question = "How often does play stall, what is left then, and how often is somebody out?"
    family = corners.FAMILY

    def labels(self, setup: Setup) -> dict[str, Any]:
        """Return preset, players and policy."""
        return corners.label(setup)

    def reduce(self, frame: pd.DataFrame) -> Table:
        """Count endings, turns, stock left and the turn in which somebody went out."""
        names = [name for name in frame if str(name).startswith("cards_left_")]
        kinds = frame.assign(hands=frame[names].sum(axis=1))
        return Table(
            {
                "endings": histogram(kinds, "ending", "someone_out"),
                "stock": histogram(kinds, "ending", "stock_left"),
                "hands": histogram(kinds, "ending", "hands"),
                "turns": histogram(kinds, "turns"),
                "out": histogram(kinds, "first_out_turn"),
            }
        )

    def finish(self, table: Table) -> dict[str, pd.DataFrame]:
        """Return ``endings``, ``left`` (stalled deals) and ``out`` (when somebody went out)."""
        return {
            "endings": _endings(table),
            "left": _left(table),
            "out": _out(table),
        }

    def result(self, collected: Collected) -> Result:
        """Return the answer with tables and figures."""
        found = self.finish(collected.table)
        endings, left = found["endings"], found["left"]
        n = f"n = {collected.games:,} deals a table"
        truncated = endings[(endings["ending"] == "truncated") & (endings["count"] > 0)]
        capped = [
            f"{int(row['count'])} deals were stopped at `max_turns` ({row['preset']},"
            f" {row['players']} × `{row['policy']}`); they are counted as they stood."
            for row in truncated.to_dict(orient="records")
        ]
        return Result(
            name=self.name,
            title=self.title,
            question=self.question,
            answer=_answer(endings, left),
            tables=(
                TableOut(
                    "endings",
                    "How deals end, and deals in which somebody goes out: share of all deals",
                    endings,
                    percent=["estimate"],
                ),
                TableOut(
                    "left",
                    "What stalled deals leave: cards in the stock and in all hands together",
                    left,
                    digits={"estimate": 2, "low": 2, "high": 2, "half_width": 2},
                    notes=("Given that the deal ended `blocked` or `declined`; n says how many.",),
                ),
                TableOut(
                    "going-out",
                    "Turn in which the first player goes out, given that somebody does, and turns"
                    " of all deals",
                    found["out"],
                    digits={"estimate": 2, "low": 2, "high": 2, "half_width": 2},
                ),
            ),
            figures=(
                FigureOut(
                    "corner-endings",
                    f"Endings, share of all deals, a panel a preset;"
                    f" {max(corners.PLAYERS)} players; {n}",
                    _alt(endings),
                    partial(draw, endings),
                ),
            ),
            runs=collected.runs,
            methods=(
                "Shares are of all deals, with Wilson intervals. A deal stalls when every player"
                " in succession had a turn without a move or a draw (RC-10): `blocked` if none of"
                " them could have moved, `declined` if somebody could.",
            ),
            warnings=[*widths_missed(endings, "Endings", collected.games), *capped],
        )


def _endings(table: Table) -> pd.DataFrame:
    keys, found = [], []
    for cell, part in corners.by_cell(table["endings"]):
        frame = part.reset_index()
        n = int(frame["count"].sum())
        counts = frame.groupby("ending")["count"].sum()
        rates = {str(name): int(count) for name, count in counts.items()}
        rates["stalled"] = sum(rates.get(name, 0) for name in STALLS)
        rates["someone_out"] = int(frame.loc[frame["someone_out"] == 1, "count"].sum())
        for name, hits in rates.items():
            keys.append({**cell, "ending": name, "count": hits})
            found.append(wilson(hits, n))
    return estimates(pd.DataFrame(keys), found)


def _left(table: Table) -> pd.DataFrame:
    keys, found = [], []
    for part_name, column in (("stock", "stock_left"), ("hands", "hands")):
        for cell, part in corners.by_cell(table[part_name]):
            frame = part.reset_index()
            stalled = frame[frame["ending"].isin(STALLS)]
            counts = stalled.groupby(column)["count"].sum()
            keys.append({**cell, "what": part_name})
            found.append(mean_count(counts.index.tolist(), counts.tolist()))
    return estimates(pd.DataFrame(keys), found)


def _out(table: Table) -> pd.DataFrame:
    keys, found = [], []
    for part_name, column in (("out", "first_out_turn"), ("turns", "turns")):
        for cell, part in corners.by_cell(table[part_name]):
            frame = part.reset_index()
            given = frame[frame[column] >= 0]
            keys.append({**cell, "what": {"out": "first out", "turns": "turns"}[part_name]})
            found.append(mean_count(given[column].tolist(), given["count"].tolist()))
    return estimates(pd.DataFrame(keys), found)


def _answer(endings: pd.DataFrame, left: pd.DataFrame) -> str:
    most = endings["players"].max()

    def row(frame: pd.DataFrame, preset: str, **which: object) -> dict[str, Any]:
        mask = (frame["preset"] == preset) & (frame["players"] == most)
        for key, value in {"policy": "random", **which}.items():
            mask &= frame[key] == value
        return dict(frame[mask].iloc[0])

    parts = []
    for preset in dict.fromkeys(endings["preset"]):
        stalled = row(endings, str(preset), ending="stalled")
        stock = row(left, str(preset), what="stock")
        if stock["n"]:
            parts.append(
                f"{corners.under(str(preset))} {interval(stalled)} of deals stall, with"
                f" {_cards(stock['estimate'])} left in the stock"
            )
        else:
            parts.append(f"{corners.under(str(preset))} none of {stalled['n']:,} deals stalls")
    out = row(endings, "seed", ending="someone_out") if "seed" in set(endings["preset"]) else None
    parts[0] = parts[0].replace("deals stall", "deals stall (end `blocked` or `declined`)", 1)
    text = f"Between {most} `random` players {'; '.join(parts)}."
    if out is not None:
        text += (
            " By the source's rules somebody goes out in"
            f" {percent(out['estimate'], out['half_width'])} of their deals."
        )
    return text


def _cards(mean: float) -> str:
    """Return a mean number of cards; only none reads none."""
    if mean == 0:
        return "no card"
    return f"{number(mean, 1)} cards" if mean >= 0.05 else "fewer than 0.1 cards"


def _alt(endings: pd.DataFrame) -> str:
    most = endings[(endings["players"] == endings["players"].max())]
    stalled = most[most["ending"] == "stalled"]
    parts = [
        f"{preset}: {percent(group['estimate'].min())} to {percent(group['estimate'].max())}"
        for preset, group in stalled.groupby("preset", sort=False)
    ]
    return "Stacked bars, one a policy; shares of deals that stall by preset: " + "; ".join(parts)


def draw(endings: pd.DataFrame) -> Figure:
    """Draw the endings as stacked bars, a panel a preset."""
    most = endings[endings["players"] == endings["players"].max()]
    shown = [
        name
        for name in dict.fromkeys(most["ending"])
        if name not in ("stalled", "someone_out")
        and most.loc[most["ending"] == name, "count"].any()
    ]
    presets = list(dict.fromkeys(most["preset"]))
    fig, axes = style.panels(len(presets), height=2.6, columns=min(3, len(presets)), share=False)
    for ax, preset in zip(axes, presets, strict=True):
        part = most[most["preset"] == preset]
        names = list(dict.fromkeys(part["policy"]))
        left = np.zeros(len(names))
        for place, ending in enumerate(shown):
            one = part[part["ending"] == ending].set_index("policy")["estimate"]
            width = one.reindex(names).fillna(0.0).to_numpy()
            ax.barh(range(len(names)), width, left=left, label=ending, **style.bar(place))
            left += width
        ax.set_yticks(range(len(names)), names)
        ax.set_ylim(len(names) - 0.5, -0.5)
        ax.set_xlim(0, 1)
        ax.set_title(preset)
        style.percent(ax.xaxis)
    return style.finish(fig)


ANALYSIS = Stalls()


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
    """Answer the question by playing; see :func:`analyses.corners_penalties.run`."""
    setups = corners.cells(presets, players, policies, seed=seed)
    return ANALYSIS.result(
        collect(ANALYSIS, setups, games=games, threads=threads, progress=progress)
    )
