"""How long deals of King George III last, and the streaks inside them."""

from __future__ import annotations

import math
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
    between,
    collect,
    mean_count,
    number,
    percent,
    widths_missed,
)
from analyses.results import FigureOut, Result, TableOut
from analyses.tables import NONE, Table, estimates, groups, histogram, null
from simlib.setup import Setup
from simlib.stats import (
    Estimate,
    Incidence,
    cumulative_incidence,
    quantile,
    turns_ended,
    turns_restricted,
    wilson,
)

__all__ = ["ANALYSIS", "Lengths", "run"]

#: Endings that a deal can have, and the two of which the length is finite.
ENDED = ("out", "deadlock")
#: Turns at which the curves are tabled, as far as the cap.
GRID = (
    *range(41), *range(45, 101, 5), *range(110, 201, 10), *range(225, 501, 25),
    *range(550, 1001, 50), *range(1100, 2001, 100),
)  # fmt: skip
STREAKS = {"longest_draw": "draws", "longest_run": "runs"}


class Lengths(Analysis):
    """Cumulative incidence of each ending, lengths, streaks, the last reset."""

    name = "lengths"
    title = "How long deals last"
    question = "After how many turns does a deal end, if it ends; and what happens on the way?"
    family = kg.FAMILY

    def labels(self, setup: Setup) -> dict[str, Any]:
        """Return players, policy and the cap on turns, without which lengths say nothing."""
        return {**super().labels(setup), "cap": setup.table.rules.model_dump()["max_turns"]}

    def reduce(self, frame: pd.DataFrame) -> Table:
        """Count lengths, streaks and turns of the last reset by ending."""
        after = frame["turns"] - frame["last_reset"] - 1
        return Table(
            {
                "turns": histogram(frame, "ending", "turns"),
                "draws": histogram(frame, "ending", "longest_draw"),
                "runs": histogram(frame, "ending", "longest_run"),
                "resets": histogram(frame, "ending", "proof", "last_reset"),
                "after": histogram(
                    frame.assign(reset=frame["last_reset"] >= 0, after=after),
                    "ending",
                    "proof",
                    "reset",
                    "after",
                ),
            }
        )

    def finish(self, table: Table) -> dict[str, pd.DataFrame]:
        """Return ``lengths``, ``curves``, ``streaks`` and ``resets``."""
        return {
            "lengths": _lengths(table["turns"]),
            "curves": _curves(table["turns"]),
            "streaks": _streaks(table),
            "resets": _resets(table),
        }

    def result(self, collected: Collected) -> Result:
        """Return the answer with tables and figures."""
        found = self.finish(collected.table)
        lengths, curves = found["lengths"], found["curves"]
        n = f"n = {collected.games:,} deals a panel"
        shown = _shown(lengths)
        return Result(
            name=self.name,
            title=self.title,
            question=self.question,
            answer=_answer(lengths, found["resets"]),
            tables=(
                TableOut(
                    "lengths",
                    "Length of first deals in turns: median of all games, an endless one counting"
                    " as infinite; mean of those that ended; mean cut at the cap",
                    lengths,
                    percent=["ended", "endless"],
                    digits={"median": 0, "p90": 0, "turns_ended": 1, "turns_restricted": 1},
                    notes=(
                        "A median or 90th percentile of ∞ says that so many deals never end."
                        " `n_ended` is the number of deals behind `turns_ended`.",
                    ),
                ),
                TableOut(
                    "lengths-curves",
                    "Share of all deals that had ended so by a turn, with 95 % Wilson bands"
                    " (point by point), and the shares that never end or were cut off at the cap",
                    curves,
                    percent=["estimate"],
                ),
                TableOut(
                    "streaks",
                    "Most cards drawn, and most cards put down, by one player in one turn; first"
                    " deals that ended out",
                    found["streaks"],
                    digits={"mean": 2, "median": 0, "p99": 0, "most": 0},
                ),
                TableOut(
                    "last-reset",
                    "When the last pile was set aside, by how the deal ended; turns counted from 0",
                    found["resets"],
                    percent=["no_reset", "at_once"],
                    digits={"p25": 0, "median": 0, "p75": 0, "turns_after": 0},
                    notes=(
                        "`no_reset`: share of these deals in which no pile was set aside."
                        " `turns_after`: median number of turns from the last reset to the ending"
                        " or the proof. `at_once`: share with at most one turn between them; a"
                        " proof needs a pile on the table, that is one more turn.",
                    ),
                ),
            ),
            figures=(
                FigureOut(
                    "incidence",
                    f"Share of deals that had ended out, or in deadlock, by a turn; the hatched"
                    f" band at the top is the share that never ends; bands are 95 % intervals; {n}",
                    _alt(lengths),
                    partial(draw_incidence, curves, shown),
                ),
                FigureOut(
                    "streaks",
                    "Share of deals that ended out in which one player drew, or put down, at"
                    " least so many cards in one turn; 2 and 4 players",
                    _alt_streaks(found["streaks"]),
                    partial(draw_streaks, collected.table),
                ),
                FigureOut(
                    "last-reset",
                    "Turn of the last reset: cumulative share of the deals with a reset that ended"
                    " out, and of those that are endless by orphans",
                    _alt_resets(found["resets"], shown),
                    partial(draw_resets, collected.table, shown),
                ),
            ),
            runs=collected.runs,
            methods=(
                "An endless deal has infinite length and stays at risk for ever; only a"
                " `truncated` one is censored, at the cap that all games have in common."
                " Therefore the cumulative incidence of an ending is a binomial share at every"
                " turn (Aalen and Johansen 1978, Scandinavian Journal of Statistics 5), shown"
                " with Wilson bands, and the never-ending share is a plateau of its own.",
                "`turns_ended` is the mean length given that the deal ended out or in deadlock;"
                " `turns_restricted` is the mean of min(length, cap), endless deals counting as"
                " the cap (Royston and Parmar 2013). Quantiles have order-statistic intervals.",
                "Streaks are counted in deals that ended `out`, since a proof cuts the others"
                " short (KG-12).",
            ),
            warnings=widths_missed(
                curves[curves["ending"].isin(["endless", "truncated"])],
                "Lengths",
                collected.games,
            ),
        )


# --- tidy frames -------------------------------------------------------------------------


def _columns(counts: pd.Series[Any]) -> tuple[list[int], list[str], list[int]]:
    """Return turns, endings and counts of a histogram by (ending, turns)."""
    return (
        [int(turn) for turn in counts.index.get_level_values("turns")],
        [str(ending) for ending in counts.index.get_level_values("ending")],
        [int(count) for count in counts],
    )


def _by_table(part: pd.DataFrame) -> list[tuple[int, str, int, pd.Series[Any]]]:
    """Return players, policy, cap and counts of each cell."""
    found = []
    for players, policy, cell in kg.by_cell(part):
        cap = int(cell.index.get_level_values("cap")[0])
        found.append((players, policy, cap, cell.xs(cap, level="cap")["count"]))
    return found


def _lengths(part: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for players, policy, cap, counts in _by_table(part):
        turns, endings, seen = _columns(counts)
        ended = [ending in ENDED for ending in endings]
        n = sum(seen)
        lengths = [float(turn) if end else math.inf for turn, end in zip(turns, ended, strict=True)]
        mean = turns_ended(turns, endings, seen)
        cut = turns_restricted(turns, endings, seen, cap=cap)
        share = wilson(sum(c for c, end in zip(seen, ended, strict=True) if end), n)
        never = wilson(
            sum(c for c, ending in zip(seen, endings, strict=True) if ending == "endless"), n
        )
        row: dict[str, Any] = {"players": players, "policy": policy}
        row |= _named("ended", share) | _named("endless", never)
        row |= _named("median", quantile(lengths, seen, 0.5))
        row |= {"p90": null(quantile(lengths, seen, 0.9).estimate)}
        row |= _named("turns_ended", mean) | {"n_ended": mean.n}
        row |= _named("turns_restricted", cut) | {"cap": cap, "n": n}
        rows.append(row)
    return pd.DataFrame(rows)


def _named(name: str, found: Estimate) -> dict[str, float]:
    return {
        name: null(found.estimate),
        f"{name}_low": null(found.low),
        f"{name}_high": null(found.high),
    }


def incidence(counts: pd.Series[Any], cap: int) -> Incidence:
    """Return the curves of one cell, on the common grid."""
    grid = sorted({turn for turn in GRID if turn <= cap} | {cap})
    return cumulative_incidence(*_columns(counts), cap=cap, at=grid)


def _curves(part: pd.DataFrame) -> pd.DataFrame:
    keys, found = [], []
    for players, policy, cap, counts in _by_table(part):
        curve = incidence(counts, cap)
        cell = {"players": players, "policy": policy}
        for ending in ENDED:
            points = curve.curves.get(ending, tuple(wilson(0, curve.n) for _ in curve.turns))
            for turn, point in zip(curve.turns, points, strict=True):
                keys.append({**cell, "ending": ending, "turn": turn})
                found.append(point)
        for ending, point in (("endless", curve.endless), ("truncated", curve.truncated)):
            keys.append({**cell, "ending": ending, "turn": cap})
            found.append(point)
    return estimates(pd.DataFrame(keys), found)


def _streaks(table: Table) -> pd.DataFrame:
    rows = []
    for streak, part in STREAKS.items():
        for players, policy, _, counts in _by_table(table[part]):
            out = counts[counts.index.get_level_values("ending") == "out"]
            values = [int(value) for value in out.index.get_level_values(streak)]
            seen = [int(count) for count in out]
            mean = mean_count(values, seen)
            rows.append(
                {
                    "players": players,
                    "policy": policy,
                    "metric": streak,
                    **_named("mean", mean),
                    "median": null(quantile(values, seen, 0.5).estimate),
                    "p99": null(quantile(values, seen, 0.99).estimate),
                    "most": max(values, default=0),
                    "n": mean.n,
                }
            )
    return kg.ordered(pd.DataFrame(rows), "metric")


#: How a deal ended, for the last reset: (name, ending, proof).
ENDS = (("out", "out", NONE), ("orphans", "endless", "orphans"))


def _resets(table: Table) -> pd.DataFrame:
    rows = []
    after = {(n, policy): counts for n, policy, _, counts in _by_table(table["after"])}
    for players, policy, _, counts in _by_table(table["resets"]):
        for name, ending, proof in ENDS:
            part = _only(counts, ending, proof)
            when = [int(turn) for turn in part.index.get_level_values("last_reset")]
            seen = [int(count) for count in part]
            some = [(t, c) for t, c in zip(when, seen, strict=True) if t >= 0]
            turns, weights = [t for t, _ in some], [c for _, c in some]
            later = _only(after[players, policy], ending, proof)
            later = later[later.index.get_level_values("reset") == 1]
            gaps = [int(gap) for gap in later.index.get_level_values("after")]
            at_once = int(later[later.index.get_level_values("after") <= 1].sum())
            rows.append(
                {
                    "players": players,
                    "policy": policy,
                    "ending": name,
                    **_named("no_reset", wilson(sum(seen) - sum(weights), sum(seen))),
                    "p25": null(quantile(turns, weights, 0.25).estimate),
                    **_named("median", quantile(turns, weights, 0.5)),
                    "p75": null(quantile(turns, weights, 0.75).estimate),
                    "turns_after": null(quantile(gaps, list(map(int, later)), 0.5).estimate),
                    **_named("at_once", wilson(at_once, int(later.sum()))),
                    "n": sum(seen),
                }
            )
    return pd.DataFrame(rows)


def _only(counts: pd.Series[Any], ending: str, proof: str) -> pd.Series[Any]:
    index = counts.index
    same = (index.get_level_values("ending") == ending) & (index.get_level_values("proof") == proof)
    return counts[same]


# --- words and pictures --------------------------------------------------------------------


def _shown(lengths: pd.DataFrame) -> list[tuple[int, str]]:
    """Return the cells that figures show: the first policy, fewest and most players."""
    policies = list(dict.fromkeys(lengths["policy"]))
    first = "random" if "random" in policies else policies[0]
    second = next((p for p in ("longest-run", *policies) if p in policies and p != first), None)
    players = sorted(lengths["players"].unique())
    ends = [players[0]] if len(players) == 1 else [players[0], players[-1]]
    return [(int(n), policy) for policy in (first, second) if policy for n in ends]


def _turns(value: float) -> str:
    return "never" if math.isinf(value) else number(value)


def _answer(lengths: pd.DataFrame, resets: pd.DataFrame) -> str:
    cells = lengths[lengths["policy"] == _shown(lengths)[0][1]]
    few, many = cells.iloc[0], cells.iloc[-1]
    name = f"`{few['policy']}`"
    ends = (few["turns_ended_low"], few["turns_ended_high"])
    reach = between(*ends, lambda end: number(end, 1))
    text = (
        f"Deals between {kg.table_words(int(few['players']), few['policy'])} that end last"
        f" {number(few['turns_ended'])} turns on average ({reach});"
        f" {percent(few['endless'], _half(few, 'endless'))} never end"
    )
    if many["players"] != few["players"]:
        text += (
            f", and with {many['players']} {name} players {number(many['turns_ended'])} turns and"
            f" {percent(many['endless'], _half(many, 'endless'))}"
        )
    text += "."
    orphans = resets[(resets["ending"] == "orphans") & (resets["policy"] == few["policy"])]
    first = orphans.iloc[0]
    if first["n"] and not math.isnan(first["median"]):
        who = kg.table_words(int(first["players"]), few["policy"])
        text += (
            f" Half of the deals between {who} that become endless by orphans have had their last"
            f" reset by turn {_turns(first['median'])}, and in"
            f" {percent(first['at_once'], _half(first, 'at_once'))} of them the proof holds as"
            " soon as the next pile is begun."
        )
    return text


def _half(row: pd.Series[Any], name: str) -> float:
    return float(row[f"{name}_high"] - row[f"{name}_low"]) / 2


def _alt(lengths: pd.DataFrame) -> str:
    parts = []
    for players, policy in _shown(lengths):
        row = lengths[(lengths["players"] == players) & (lengths["policy"] == policy)].iloc[0]
        parts.append(
            f"{players} `{policy}` players: half of all deals have ended by turn"
            f" {_turns(row['median'])}, {percent(row['endless'])} never end"
        )
    return "Rising curves over turns on a log scale. " + "; ".join(parts) + "."


def _alt_streaks(streaks: pd.DataFrame) -> str:
    parts = [
        f"{str(name).replace('_', ' ')} at most {int(group['most'].max())} cards, medians"
        f" {number(group['median'].min())} to {number(group['median'].max())}"
        for (name,), group in groups(streaks, "metric")
    ]
    return "Falling curves on a log scale, one a policy; " + "; ".join(parts) + "."


def _alt_resets(resets: pd.DataFrame, shown: Sequence[tuple[int, str]]) -> str:
    parts = []
    for players, policy in shown:
        cell = resets[(resets["players"] == players) & (resets["policy"] == policy)]
        medians = cell.set_index("ending")["median"]
        parts.append(
            f"{players} `{policy}` players: half by turn {number(medians['out'])} in deals that"
            f" ended out, by turn {number(medians['orphans'])} in deals endless by orphans"
        )
    return "Two rising curves a panel; " + "; ".join(parts) + "."


def draw_incidence(curves: pd.DataFrame, shown: Sequence[tuple[int, str]]) -> Figure:
    """Draw the curves of some cells, with the never-ending share from the top."""
    fig, axes = style.panels(len(shown), height=2.4, columns=2)
    for ax, (players, policy) in zip(axes, shown, strict=True):
        cell = curves[(curves["players"] == players) & (curves["policy"] == policy)]
        never = float(cell.loc[cell["ending"] == "endless", "estimate"].iloc[0])
        cap = int(cell["turn"].max())
        for ending in ENDED:
            curve = cell[(cell["ending"] == ending) & (cell["turn"] > 0)]
            place = style.ENDINGS[ending]
            ax.fill_between(
                curve["turn"], curve["low"], curve["high"], step="post", **style.band(place)
            )
            ax.step(
                curve["turn"],
                curve["estimate"],
                where="post",
                label=ending,
                **{**style.line(place), "marker": None},
            )
        bar = style.bar(style.ENDINGS["endless"])
        ax.fill_between([1, cap], 1 - never, 1, label="never ends", alpha=0.9, **bar)
        ax.set_title(f"{players} players, {policy}")
        ax.set_xscale("log")
        ax.set_xlim(1, cap)
        ax.set_ylim(0, 1)
        ax.set_xlabel("turns (log scale)")
        style.percent(ax.yaxis)
        _plain_log(ax, cap)
    return style.finish(fig)


def _plain_log(ax: Any, cap: int) -> None:
    ticks = [tick for tick in (1, 3, 10, 30, 100, 300, 1000) if tick < cap] or [1]
    ax.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    ax.set_xticks([], minor=True)


def draw_streaks(table: Table) -> Figure:
    """Draw how often a draw, or a run, of at least a length occurs, a line a policy."""
    cells = [
        (streak, n)
        for streak in STREAKS
        for n in (2, 4)
        if n in table["draws"].index.get_level_values("players")
    ]
    fig, axes = style.panels(max(1, len(cells)), height=2.4, columns=2)
    for ax, (streak, players) in zip(axes, cells, strict=False):
        place = 0
        for n, policy, _, counts in _by_table(table[STREAKS[streak]]):
            if n != players:
                continue
            out = counts[counts.index.get_level_values("ending") == "out"]
            tail = out.groupby(level=streak).sum().sort_index()[::-1].cumsum()[::-1]
            look = {**kg.look(place), "marker": None}
            if len(tail):
                ax.step(tail.index, tail / tail.iloc[0], where="post", label=policy, **look)
            place += 1
        ax.set_yscale("log")
        ax.set_ylim(1e-5, 1.3)
        what = "drawn" if streak == "longest_draw" else "put down"
        ax.set_title(f"{players} players: {what} in one turn")
        ax.set_xlabel("cards, at least")
        style.percent(ax.yaxis)
    return style.finish(fig)


def draw_resets(table: Table, shown: Sequence[tuple[int, str]]) -> Figure:
    """Draw when the last reset came, in deals that ended and in deals that never end."""
    fig, axes = style.panels(len(shown), height=2.2, columns=2)
    counts = {(n, policy): found for n, policy, _, found in _by_table(table["resets"])}
    for ax, cell in zip(axes, shown, strict=True):
        for name, ending, proof in ENDS:
            part = _only(counts[cell], ending, proof)
            when = part.groupby(level="last_reset").sum().sort_index()
            when = when[when.index >= 0].cumsum()
            label = "ended out" if name == "out" else "endless by orphans"
            if len(when):
                ax.step(
                    when.index + 1,
                    when / when.iloc[-1],
                    where="post",
                    label=label,
                    **{**style.line(style.ENDINGS[name]), "marker": None},
                )
        ax.set_title(f"{cell[0]} players, {cell[1]}")
        ax.set_xscale("log")
        ax.set_xlim(1, 2000)
        ax.set_ylim(0, 1)
        ax.set_xlabel("turns up to and with the last reset (log scale)")
        style.percent(ax.yaxis)
        _plain_log(ax, 2000)
    return style.finish(fig)


ANALYSIS = Lengths()


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
