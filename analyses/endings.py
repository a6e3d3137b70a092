"""How deals of King George III end: out, deadlock, endless (by which proof), truncated."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

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
    interval,
    listed,
    percent,
    widths_missed,
)
from analyses.results import FigureOut, Result, TableOut
from analyses.tables import (
    Record,
    Table,
    estimates,
    groups,
    histogram,
    largest,
    records,
    smallest,
)
from simlib.setup import Setup
from simlib.stats import wilson

__all__ = ["ANALYSIS", "Endings", "run"]

#: Metric -> (ending, proof) that it counts; None: any.
RATES: dict[str, tuple[str, str | None]] = {
    "rate_out": ("out", None),
    "rate_deadlock": ("deadlock", None),
    "rate_endless": ("endless", None),
    "rate_orphans": ("endless", "orphans"),
    "rate_cycle": ("endless", "cycle"),
    "rate_truncated": ("truncated", None),
}


class Endings(Analysis):
    """Rates of the endings of first deals, by players and policy."""

    name = "endings"
    title = "How deals end"
    question = "How often is somebody out, how often can nobody play, how often does it never end?"
    family = kg.FAMILY

    def reduce(self, frame: pd.DataFrame) -> Table:
        """Count endings and proofs."""
        return Table({"endings": histogram(frame, "ending", "proof")})

    def finish(self, table: Table) -> dict[str, pd.DataFrame]:
        """Return ``rates``: one row a cell and rate, with Wilson intervals."""
        keys, found = [], []
        for players, policy, part in kg.by_cell(table["endings"]):
            counts = part["count"]
            n = int(counts.sum())
            for metric, (ending, proof) in RATES.items():
                same = counts.index.get_level_values("ending") == ending
                if proof is not None:
                    same &= counts.index.get_level_values("proof") == proof
                hits = int(counts[same].sum())
                keys.append({"players": players, "policy": policy, "metric": metric, "count": hits})
                found.append(wilson(hits, n))
        return {"rates": estimates(pd.DataFrame(keys), found)}

    def result(self, collected: Collected) -> Result:
        """Return the answer with tables and figures."""
        rates = self.finish(collected.table)["rates"]
        wide = _wide(rates)
        n = f"n = {collected.games:,} deals a bar"
        return Result(
            name=self.name,
            title=self.title,
            question=self.question,
            answer=_answer(rates),
            tables=(
                TableOut(
                    "endings",
                    "Endings of first deals, % of all games, by players and policy",
                    wide,
                    percent=[*RATES, "half_width"],
                    notes=(
                        "`rate_endless` is the sum of `rate_orphans` and `rate_cycle`; the"
                        " half-width is the widest 95 % half-width of the row.",
                    ),
                ),
                TableOut(
                    "endings-intervals",
                    "The same with counts and 95 % Wilson intervals",
                    rates,
                    percent=["estimate"],
                ),
            ),
            figures=(
                FigureOut(
                    "endings",
                    f"Endings of first deals, share of all games; {n}",
                    _alt(rates),
                    partial(draw, rates),
                ),
                FigureOut(
                    "endless-by-players",
                    "Share of deals that provably never end, over the number of players, with"
                    f" 95 % intervals; {n.removesuffix(' a bar')} a point",
                    _alt_lines(rates),
                    partial(draw_lines, rates),
                ),
            ),
            runs=collected.runs,
            methods=(
                "An ending is that of a game's first deal (KG-14). A deal counts as endless only"
                " with one of the two proofs of KG-12, never because it is long; `deadlock` is"
                " the strict ending of KG-11. Rates are shares of all games, none left out (C-8),"
                " with Wilson's score intervals (Wilson 1927, JASA 22).",
                "All seats of a table play the same policy; cells with the same number of players"
                " meet the same deals (C-4).",
            ),
            warnings=[*widths_missed(rates, "Endings", collected.games), *caps_hit(rates)],
        )


def _wide(rates: pd.DataFrame) -> pd.DataFrame:
    """Return one row a cell, one column a rate."""
    cell = ["players", "policy"]
    wide = rates.pivot(index=cell, columns="metric", values="estimate")[list(RATES)]
    wide["half_width"] = rates.groupby(cell)["half_width"].max()
    wide["n"] = rates.groupby(cell)["n"].first()
    return kg.ordered(wide.reset_index().rename_axis(columns=None))


def caps_hit(rates: pd.DataFrame) -> list[str]:
    """Say in which cells deals were cut off at the cap without a proof."""
    cut = rates[(rates["metric"] == "rate_truncated") & (rates["count"] > 0)]
    if cut.empty:
        return []
    cells = [
        f"{row['players']} × `{row['policy']}` {percent(row['estimate'])}"
        for row in records(cut.sort_values("estimate", ascending=False))
    ]
    more = f" and {len(cells) - 5} cells more" if len(cells) > 5 else ""
    return [
        "Some deals reached `max_turns` with neither proof and are `truncated`: "
        + listed(cells[:5])
        + f"{more}. They may end later or never."
    ]


def pick(rates: pd.DataFrame, metric: str, players: int, policy: str) -> Record | None:
    """Return one row, or None."""
    same = (rates["metric"] == metric) & (rates["players"] == players)
    found = rates[same & (rates["policy"] == policy)]
    return None if found.empty else records(found)[0]


def _answer(rates: pd.DataFrame) -> str:
    policy = "random" if (rates["policy"] == "random").any() else str(rates["policy"].iloc[0])
    few, many = int(rates["players"].min()), int(rates["players"].max())
    endless, dead = (
        pick(rates, "rate_endless", few, policy),
        pick(rates, "rate_deadlock", few, policy),
    )
    assert endless is not None and dead is not None
    text = (
        f"Between {kg.table_words(few, policy)} {interval(endless)} of deals provably never end"
        f" and {percent(dead['estimate'], dead['half_width'])} end in deadlock"
    )
    if many > few:
        last = pick(rates, "rate_endless", many, policy)
        if last is not None:
            text += (
                f"; with {kg.table_words(many, policy).split()[0]} of them"
                f" {percent(last['estimate'], last['half_width'])} never end"
            )
    text += "."
    every = rates[rates["metric"] == "rate_endless"]
    worst, best = largest(every, "estimate"), smallest(every, "estimate")
    if len(every) > 2:
        text += (
            f" Over all tables it runs from"
            f" {percent(best['estimate'], best['half_width'])} ({best['players']} ×"
            f" `{best['policy']}`) to {percent(worst['estimate'], worst['half_width'])}"
            f" ({worst['players']} × `{worst['policy']}`)."
        )
    return text


def _alt(rates: pd.DataFrame) -> str:
    every = rates[rates["metric"] == "rate_endless"]
    return (
        "Stacked bars, one a policy in a panel a number of players: shares of deals that end out,"
        " in deadlock, endless by orphans, endless by a cycle, truncated. The endless part is"
        f" between {percent(every['estimate'].min())} and {percent(every['estimate'].max())}."
    )


def _alt_lines(rates: pd.DataFrame) -> str:
    every = rates[rates["metric"] == "rate_endless"]
    parts = [
        f"{policy}: " + ", ".join(percent(value) for value in group["estimate"])
        for (policy,), group in groups(every, "policy")
    ]
    players = ", ".join(map(str, sorted(every["players"].unique())))
    return f"One line a policy over {players} players; " + "; ".join(parts) + "."


def draw(rates: pd.DataFrame) -> Figure:
    """Draw stacked bars of the endings, a panel for each number of players."""
    players = sorted(rates["players"].unique())
    policies = list(dict.fromkeys(rates["policy"]))
    parts = ["rate_out", "rate_deadlock", "rate_orphans", "rate_cycle", "rate_truncated"]
    fig, axes = style.panels(len(players), height=max(1.7, 0.24 * len(policies) + 0.7), columns=2)
    for ax, n in zip(axes, players, strict=True):
        cell = rates[rates["players"] == n].pivot(
            index="policy", columns="metric", values="estimate"
        )
        left = pd.Series(0.0, index=policies)
        for metric in parts:
            name = metric.removeprefix("rate_")
            width = cell[metric].reindex(policies).fillna(0.0)
            ax.barh(
                policies,
                width,
                left=left,
                label=name if name in ("out", "deadlock", "truncated") else f"endless: {name}",
                **style.bar(style.ENDINGS[name]),
            )
            left = left + width
        ax.set_title(f"{n} players")
        ax.set_xlim(0, 1)
        ax.invert_yaxis() if ax is axes[0] else None
        ax.grid(visible=False, axis="y")
        style.percent(ax.xaxis)
    return style.finish(fig)


def draw_lines(rates: pd.DataFrame) -> Figure:
    """Draw the share of endless deals over the number of players, a line a policy."""
    fig, ax = style.figure(height=3.4)
    every = rates[rates["metric"] == "rate_endless"]
    for place, ((policy,), group) in enumerate(groups(every, "policy")):
        look = kg.look(place)
        ax.plot(group["players"], group["estimate"], label=policy, **look)
        ax.errorbar(
            group["players"],
            group["estimate"],
            yerr=[group["estimate"] - group["low"], group["high"] - group["estimate"]],
            color=look["color"],
            linestyle="none",
            elinewidth=1.0,
        )
    ax.set_xticks(sorted(every["players"].unique()))
    ax.set_yscale("log")
    ax.set_yticks([0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0], minor=False)
    ax.set_yticks([], minor=True)
    low = every.loc[every["estimate"] > 0, "estimate"].min()
    ax.set_ylim(min(0.01, 0.8 * low) if low > 0 else 0.01, 1.1)
    ax.set(xlabel="players", ylabel="deals that provably never end (log scale)")
    style.percent(ax.yaxis, 0)
    return style.finish(fig)


ANALYSIS = Endings()


def run(
    *,
    games: float = GAMES,
    threads: int | None = None,
    seed: int = 0,
    players: Sequence[int] = kg.PLAYERS,
    policies: Sequence[str] = kg.POLICIES,
    progress: Say | None = None,
) -> Result:
    """Answer the question by playing.

    Parameters
    ----------
    games : int
        Games a cell; 240 100 give every rate a 95 % half-width of 0.002 or less.
    threads : int, optional
        Changes the speed only.
    seed : int
        All chance comes from it (C-4).
    players, policies : sequence
        The cells: every number of players with every policy at all seats.
    progress : callable, optional
        Called with a line for each cell that is played.
    """
    setups: list[Setup] = kg.cells(players, policies, seed=seed)
    return ANALYSIS.result(
        collect(ANALYSIS, setups, games=games, threads=threads, progress=progress)
    )
