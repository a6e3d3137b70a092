"""Why deals of King George III never end: which cards are cut off, and by which piles.

Two sources. The rows of all games say how endlessness goes with the number of piles set aside,
and how many orphans the players hold. What lay in those piles, and which ranks were cut off, is
in the event log only: a stated number of games is played again with it (:mod:`analyses.replays`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

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
    mean_count,
    percent,
    widths_missed,
)
from analyses.replays import RANKS, collect_replays, reduce
from analyses.results import FigureOut, Result, TableOut
from analyses.tables import (
    Record,
    Table,
    estimates,
    groups,
    histogram,
    largest,
    null,
    records,
)
from simlib.setup import count_argument
from simlib.simulate import default_threads
from simlib.stats import quantile, wilson

__all__ = ["ANALYSIS", "Orphans", "run"]

#: Policies whose games are played again with the log.
REPLAYED = ("random", "longest-run", "no-orphans")
#: Numbers of players of these cells.
REPLAYED_PLAYERS = (2, 4)
#: Cards set aside are grouped by so many.
STEP = 3


class Orphans(Analysis):
    """Endlessness by piles set aside, orphans in hand; from replays the ranks and the sizes."""

    name = "orphans"
    title = "Why deals never end"
    question = "Which cards are cut off, after which pile, and what has its size to do with it?"
    family = kg.FAMILY

    def reduce(self, frame: pd.DataFrame) -> Table:
        """Count games by ending, proof, piles set aside and orphans in all hands."""
        names = [name for name in frame if str(name).startswith("orphans_")]
        held = frame[names].sum(axis=1)
        return Table(
            {"held": histogram(frame.assign(held=held), "ending", "proof", "resets", "held")}
        )

    def finish(self, table: Table) -> dict[str, pd.DataFrame]:
        """Return ``resets`` and ``held``, and from replays ``cards gone sizes ranks``."""
        found = {"resets": _resets(table["held"]), "held": _held(table["held"])}
        if "ranks" in table.parts:
            found |= {
                "cards": _cards(table["cards"]),
                "gone": _shares(table["gone"], "orphans", 1, "ranks_gone"),
                "sizes": _sizes(table["sizes"]),
                "ranks": _ranks(table["ranks"]),
            }
        return found

    def result(self, collected: Collected) -> Result:
        """Return the answer with tables and figures."""
        found = self.finish(collected.table)
        tables = [
            TableOut(
                "endless-by-resets",
                "Deals that are endless by orphans, by the number of piles set aside when the deal"
                " ended or the proof held: share of the deals with so many piles, and share of all"
                " deals that are endless by orphans",
                found["resets"],
                percent=["estimate", "of_endless"],
                notes=("n is the number of deals with so many piles set aside.",),
            ),
            TableOut(
                "orphans-held",
                "Orphans in all hands together when the proof held: mean with 95 % interval,"
                " median, 90th percentile, most; deals endless by orphans",
                found["held"],
                digits={"estimate": 2, "median": 0, "p90": 0, "most": 0},
            ),
        ]
        figures = []
        if "ranks" in found:
            more_tables, more_figures = _replay_parts(found)
            tables += more_tables
            figures += more_figures
        return Result(
            name=self.name,
            title=self.title,
            question=self.question,
            answer=_answer(found),
            tables=tables,
            figures=figures,
            runs=collected.runs,
            methods=_methods(found),
            warnings=_warnings(found),
        )


# --- tidy frames -------------------------------------------------------------------------


def _shares(part: pd.DataFrame, hit: str, value: Any, *by: str) -> pd.DataFrame:
    """Return in each cell and group the share of games whose level `hit` is `value`."""
    keys, found = [], []
    for players, policy, cell in kg.by_cell(part):
        for key, group in groups(cell.reset_index(), *by):
            hits = int(group.loc[group[hit] == value, "count"].sum())
            labels = {name: int(one) for name, one in zip(by, key, strict=True)}
            keys.append({"players": players, "policy": policy, **labels, "count": hits})
            found.append(wilson(hits, int(group["count"].sum())))
    return estimates(pd.DataFrame(keys), found)


def _resets(part: pd.DataFrame) -> pd.DataFrame:
    """Return the share of endless deals by piles set aside, and what share of them that is."""
    frame = _shares(part, "proof", "orphans", "resets")
    every = frame.groupby(["players", "policy"])["count"].transform("sum")
    frame.insert(4, "of_endless", frame["count"] / every.where(every > 0))
    return frame


def _cards(part: pd.DataFrame) -> pd.DataFrame:
    """Return the share of endless deals by cards set aside, for each number of piles."""
    grouped = part.reset_index()
    grouped["cards_from"] = grouped["cards"] // STEP * STEP
    keys = ["players", "policy", "resets", "cards_from", "orphans"]
    frame = _shares(grouped.groupby(keys)[["count"]].sum(), "orphans", 1, "resets", "cards_from")
    frame.insert(4, "cards_to", frame["cards_from"] + STEP - 1)
    return frame


def _mean(values: Sequence[int], counts: Sequence[int]) -> dict[str, Any]:
    one = mean_count(values, counts)
    return {
        "estimate": null(one.estimate),
        "low": null(one.low),
        "high": null(one.high),
        "n": one.n,
    }


def _held(part: pd.DataFrame) -> pd.DataFrame:
    """Return how many orphans all hands hold together when the proof holds."""
    rows = []
    for players, policy, cell in kg.by_cell(part):
        frame = cell.reset_index()
        proved = frame[frame["proof"] == "orphans"].groupby("held")["count"].sum()
        values, seen = [int(v) for v in proved.index], [int(c) for c in proved]
        rows.append(
            {
                "players": players,
                "policy": policy,
                "median": null(quantile(values, seen, 0.5).estimate),
                "p90": null(quantile(values, seen, 0.9).estimate),
                "most": float(max(values, default=0)),
                **_mean(values, seen),
            }
        )
    return pd.DataFrame(rows)


def _sizes(part: pd.DataFrame) -> pd.DataFrame:
    """Return the mean size of the first, second … pile, in endless deals and in the others."""
    rows = []
    for players, policy, cell in kg.by_cell(part):
        for (pile, orphans), group in groups(cell.reset_index(), "pile", "orphans"):
            rows.append(
                {
                    "players": players,
                    "policy": policy,
                    "pile": int(pile) + 1,
                    "deals": "endless by orphans" if orphans else "all others",
                    **_mean(group["size"].tolist(), group["count"].tolist()),
                }
            )
    return pd.DataFrame(rows)


def _ranks(part: pd.DataFrame) -> pd.DataFrame:
    """Return by rank how often it is cut off or gone, in deals endless by orphans."""
    keys, found = [], []
    for players, policy, cell in kg.by_cell(part):
        rows = {row["rank"]: row for row in records(cell.reset_index())}
        for rank in RANKS:
            row, n = rows[rank], int(rows[rank]["endless"])
            keys.append(
                {
                    "players": players,
                    "policy": policy,
                    "rank": "10" if rank == "T" else rank,
                    "gone": null(wilson(int(row["gone"]), n).estimate),
                    "cards": int(row["cards"]) / n if n else float("nan"),
                    "count": int(row["cut_off"]),
                }
            )
            found.append(wilson(int(row["cut_off"]), n))
    return estimates(pd.DataFrame(keys), found)


# --- words and pictures --------------------------------------------------------------------


def _replay_parts(
    found: dict[str, pd.DataFrame],
) -> tuple[list[TableOut], list[FigureOut]]:
    cards, ranks, gone, sizes = (found[name] for name in ("cards", "ranks", "gone", "sizes"))
    games = int(gone.groupby(["players", "policy"])["n"].sum().max())
    n = f"n = {games:,} replayed deals a panel"
    tables = [
        TableOut(
            "endless-by-cards",
            "Deals that are endless by orphans, by the number of cards in all piles set aside"
            " (replayed games)",
            cards,
            percent=["estimate"],
        ),
        TableOut(
            "endless-by-ranks",
            "Deals that are endless by orphans, by the number of ranks of which all four cards"
            " were set aside (replayed games)",
            gone,
            percent=["estimate"],
        ),
        TableOut(
            "pile-sizes",
            "Cards in the first, second … pile set aside, its ace included (replayed games);"
            " means with 95 % intervals",
            sizes,
            digits={"estimate": 2},
        ),
        TableOut(
            "ranks-cut-off",
            "By rank, in deals endless by orphans (replayed games): estimate, the share in which"
            " a card of that rank is cut off; gone, the share in which all four were set aside;"
            " cards, how many are cut off on average",
            ranks,
            percent=["estimate", "gone"],
            digits={"cards": 2},
        ),
    ]
    figures = [
        FigureOut(
            "endless-by-cards",
            "Share of deals that are endless by orphans, over the number of cards in all piles"
            " set aside, for deals with one, two and three piles; 95 % intervals; groups of at"
            f" least 100 deals; {n}",
            _alt_cards(cards),
            partial(draw_cards, cards),
        ),
        FigureOut(
            "ranks-cut-off",
            "Deals endless by orphans: share in which cards of a rank are cut off (bars), and in"
            " which all four cards of the rank were set aside (line); replayed games",
            _alt_ranks(ranks),
            partial(draw_ranks, ranks),
        ),
    ]
    return tables, figures


def _cell(frame: pd.DataFrame) -> tuple[int, str]:
    """Return the cell that sentences speak of: fewest players, `random` if it is there."""
    policies = list(dict.fromkeys(frame["policy"]))
    policy = "random" if "random" in policies else str(policies[0])
    return int(frame.loc[frame["policy"] == policy, "players"].min()), policy


def _of(frame: pd.DataFrame, cell: tuple[int, str]) -> pd.DataFrame:
    return frame[(frame["players"] == cell[0]) & (frame["policy"] == cell[1])]


def _answer(found: dict[str, pd.DataFrame]) -> str:
    cell = _cell(found["ranks"] if "ranks" in found else found["resets"])
    resets = _of(found["resets"], cell)
    proved = resets[resets["count"] > 0]
    if proved.empty:
        return "No deal was endless by orphans."
    who = kg.table_words(*cell)
    text = ""
    if "ranks" in found:
        some, whole = _gone_or_not(_of(found["gone"], cell))
        ranks = _of(found["ranks"], cell)
        aces = next(row for row in records(ranks) if row["rank"] == "A")
        text = (
            f"{_need(some, whole)}: between {who} {interval(some)} of the deals in"
            f" which all four cards of some rank are gone are endless by orphans, of the others"
            f" {_number(whole)}. What is left falls into islands, and in"
            f" {percent(aces['estimate'], aces['half_width'])} of these endless deals the aces"
            " themselves are cut off. "
        )
    parts = [
        f"{percent(row['of_endless'])} after {_ordinal(int(row['resets']))}"
        for row in records(proved)
    ]
    return text + f"Of the endless deals between {who} {listed(parts)} pile set aside."


def _gone_or_not(gone: pd.DataFrame) -> tuple[Record, Record]:
    """Return the shares of endless deals with some rank gone, and with none."""
    some = gone["ranks_gone"] > 0
    both = estimates(
        pd.DataFrame({"count": [int(gone.loc[m, "count"].sum()) for m in (some, ~some)]}),
        [
            wilson(int(gone.loc[m, "count"].sum()), int(gone.loc[m, "n"].sum()))
            for m in (some, ~some)
        ],
    )
    first, second = records(both)
    return first, second


def _need(some: Record, whole: Record) -> str:
    """Say whether a rank must be gone, and whether that is enough, as far as was seen."""
    necessary, enough = whole["count"] == 0, some["count"] == some["n"]
    if necessary and enough:
        return "A whole rank set aside decides it"
    if necessary:
        return "A whole rank set aside is necessary, but not enough"
    if enough:
        return "A whole rank set aside is enough, but not necessary"
    return "A whole rank set aside is neither necessary nor enough"


def _number(row: Record) -> str:
    if row["count"] == 0:
        return f"not one of {int(row['n']):,}"
    return percent(row["estimate"], row["half_width"])


def _ordinal(number: int) -> str:
    return {0: "no", 1: "the first", 2: "the second", 3: "the third", 4: "the fourth"}[number]


def _methods(found: dict[str, pd.DataFrame]) -> list[str]:
    text = [
        "An orphan is a card whose rank can never be reached again once no pile can be set aside"
        " any more (KG-12); a deal is endless by orphans when every player holds one.",
    ]
    if "gone" in found:
        games = int(found["gone"].groupby(["players", "policy"])["n"].sum().max())
        text.append(
            f"Ranks and pile sizes come from the event log: the first {games:,} games of these"
            " cells were played again with it (`simlib replay` shows any of them). A rank is cut"
            " off if a card of it is in play and can never be played again, and gone if all four"
            " cards were set aside."
        )
    return text


def _warnings(found: dict[str, pd.DataFrame]) -> list[str]:
    if "gone" not in found:
        return []
    cell = ["players", "policy"]
    replays = found["gone"].groupby(cell, sort=False)["n"].sum()
    hits = found["gone"].groupby(cell, sort=False)["count"].sum()
    whole = estimates(
        replays.reset_index()[cell],
        [wilson(int(h), int(n)) for h, n in zip(hits, replays, strict=True)],
    )
    return widths_missed(whole, "Replayed games", int(replays.max()))


def _alt_cards(cards: pd.DataFrame) -> str:
    parts = []
    for (policy, resets), group in groups(_drawn(cards), "policy", "resets"):
        low, high = records(group)[0], largest(group, "estimate")
        parts.append(
            f"`{policy}`, {_piles(int(resets))}: {percent(low['estimate'])} with"
            f" {low['cards_from']}–{low['cards_to']} cards, at most {percent(high['estimate'])}"
            f" with {high['cards_from']}–{high['cards_to']}"
        )
    return "Lines over the number of cards set aside; " + "; ".join(parts) + "."


def _piles(number: int) -> str:
    return f"{number} pile" + ("s" if number != 1 else "")


def _drawn(cards: pd.DataFrame, least: int = 100) -> pd.DataFrame:
    """Return the groups that are drawn: fewest players, some piles, enough deals."""
    few = cards["players"] == cards["players"].min()
    found: pd.DataFrame = cards.loc[few & (cards["resets"] > 0) & (cards["n"] >= least)]
    return found


def _alt_ranks(ranks: pd.DataFrame) -> str:
    group = _of(ranks, _cell(ranks))
    parts = [f"{row['rank']} {percent(row['estimate'])}" for row in records(group)]
    players, policy = _cell(ranks)
    return f"Bars by rank; {players} `{policy}` players: " + ", ".join(parts) + "."


def draw_cards(cards: pd.DataFrame) -> Figure:
    """Draw endlessness over the cards set aside, a panel a policy, a line a number of piles."""
    part = _drawn(cards)
    policies = list(dict.fromkeys(part["policy"])) or [""]
    fig, axes = style.panels(len(policies), height=2.7)
    for ax, policy in zip(axes, policies, strict=True):
        mine = part[part["policy"] == policy]
        for (resets,), group in groups(mine, "resets"):
            middle = (group["cards_from"] + group["cards_to"]) / 2
            place = int(resets) - 1
            ax.plot(middle, group["estimate"], label=_piles(int(resets)), **style.line(place))
            ax.fill_between(middle, group["low"], group["high"], **style.band(place))
        ax.set_title(f"{cards['players'].min()} players, {policy}")
        ax.set_ylim(0, 1)
        ax.set_xlabel("cards set aside")
        style.percent(ax.yaxis)
    return style.finish(fig)


def draw_ranks(ranks: pd.DataFrame) -> Figure:
    """Draw by rank how often it is cut off, and how often it is gone."""
    policies = list(dict.fromkeys(ranks["policy"]))
    fewest = ranks["players"].min()
    fig, axes = style.panels(len(policies), height=2.5)
    for ax, policy in zip(axes, policies, strict=True):
        group = ranks[(ranks["policy"] == policy) & (ranks["players"] == fewest)]
        ax.bar(group["rank"], group["estimate"], label="cut off", **style.bar(1))
        ax.plot(group["rank"], group["gone"], label="all four set aside", **style.line(0))
        ax.set_title(f"{fewest} players, {policy}")
        ax.set_ylim(0, 1)
        ax.tick_params(axis="x", labelsize=style.SIZE - 1.5)
        style.percent(ax.yaxis)
    return style.finish(fig)


ANALYSIS = Orphans()


def run(
    *,
    games: float = GAMES,
    threads: int | None = None,
    seed: int = 0,
    players: Sequence[int] = kg.PLAYERS,
    policies: Sequence[str] = kg.POLICIES,
    replays: float | None = None,
    replay_policies: Sequence[str] = REPLAYED,
    replay_players: Sequence[int] = REPLAYED_PLAYERS,
    progress: Say | None = None,
) -> Result:
    """Answer the question by playing, and playing again with the event log.

    Parameters
    ----------
    games, threads, seed, players, policies, progress
        As in :func:`analyses.endings.run`.
    replays : int, optional
        Games of each replayed cell; by default as many as `games`.
    replay_policies, replay_players : sequence
        Cells that are replayed, as far as they are among the others.
    """
    setups = kg.cells(players, policies, seed=seed)
    collected = collect(ANALYSIS, setups, games=games, threads=threads, progress=progress)
    workers = default_threads() if threads is None else count_argument(threads, "threads")
    count = count_argument(games if replays is None else replays, "replays")
    parts = []
    for setup in setups:
        if setup.policies[0].spec not in replay_policies or setup.players not in replay_players:
            continue
        if progress is not None:
            progress(f"orphans: {count:,} games again, {ANALYSIS.labels(setup)}")
        part = collect_replays(ANALYSIS.name, setup, reduce, games=count, threads=workers)
        parts.append(part.labelled(**ANALYSIS.labels(setup)))
    tables = dict(collected.table.parts)
    if parts:
        tables |= Table.total(parts).parts
    return ANALYSIS.result(Collected(Table(tables), collected.runs, collected.games))
