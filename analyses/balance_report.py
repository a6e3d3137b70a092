"""How balanced, long, deep and dramatic a game is: the metrics of ``analyses.balance``, played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from analyses import balance as metrics
from analyses import balance_records
from analyses.balance_figures import draw_ladder, draw_luck
from analyses.balance_skill import Luck, components, ladder, population
from analyses.base import (
    Analysis,
    Collected,
    Say,
    between,
    collect,
    interval,
    listed,
    note,
    number,
    percent,
)
from analyses.results import FigureOut, Result, RunNote, TableOut
from analyses.tables import Table, estimates, groups, histogram, largest, null, smallest
from analyses.tables import records as rows_of
from simlib import games as registry
from simlib.policy import Policy
from simlib.setup import Setup, count_argument, prepare
from simlib.stats import holm
from simlib.tally import SeatSums

__all__ = ["ANALYSIS", "Balance", "run"]

#: Games of each cell, deals of each rung and of the components.
GAMES, DEALS = 100_000, 4_000
#: Games a table from which the answer draws conclusions; the search's first round, too.
FEWEST = 1000
#: Win shares are kept in sixtieths (C-9).
SCALE = 60
#: Level of the test of equal seats.
LEVEL = 0.05
#: What may say how long a game was, the first that a table has.
LENGTHS = ("turns", "tricks_played", "deals")
CELL: list[Any] = ["players", "policy"]


class Balance(Analysis):
    """Endings, length, choices and seats of games between equal players."""

    name = "balance"
    title = "Balance"
    question = "Does the game end, how long is it, what is there to decide, and is it fair?"

    def reduce(self, frame: pd.DataFrame) -> Table:
        """Count endings and lengths, and sum the products of choices and of win shares."""
        long = next((name for name in LENGTHS if name in frame), None)
        lengths = frame.assign(length=frame[long] if long else 0)
        ended = ~frame["ending"].isin([*metrics.NEVER, *metrics.CUT])
        shares = sorted(
            (name for name in frame if str(name).startswith("win_share_")),
            key=lambda name: int(str(name).rpartition("_")[2]),
        )
        seats = np.rint(frame[shares].to_numpy(np.float64).T * SCALE).astype(np.int64)
        choices = frame[["options", "decisions"]].to_numpy(np.int64).T
        return Table(
            {
                "endings": histogram(frame, "ending"),
                "lengths": histogram(lengths[ended], "length"),
                "choices": _products(choices),
                "seats": _products(seats),
            }
        )

    def finish(self, table: Table) -> dict[str, pd.DataFrame]:
        """Return ``metrics`` (one row a cell and metric) and ``tests`` (equal seats)."""
        keys, found = [], []
        tests: list[dict[str, Any]] = []
        chances: list[float | None] = []
        for players, policy in _cells(table["endings"]):
            cell = {"players": players, "policy": policy}
            part = {name: _of(frame, players, policy) for name, frame in table.parts.items()}
            for metric, one in self._metrics(part).items():
                keys.append({**cell, "metric": metric})
                found.append(one)
            seats = _seat_sums(part["seats"])
            test = metrics.fairness(seats)
            chances.append(test.p)
            tests.append(
                {**cell, "chi_square": test.statistic, "df": test.df, "p": test.p, "n": test.n}
            )
        frame = pd.DataFrame(tests)
        frame["p_holm"] = [null(p) for p in holm(chances)]
        return {"metrics": estimates(pd.DataFrame(keys), found), "tests": frame}

    def _metrics(self, part: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
        counts = {str(key): int(n) for key, n in part["endings"]["count"].items()}
        lengths = part["lengths"]["count"]
        seats = _seat_sums(part["seats"])
        (n, o, d), (_, oo, od), (_, _, dd) = _matrix(part["choices"]).tolist()
        long = metrics.length(
            [int(str(value)) for value in lengths.index], [int(count) for count in lengths]
        )
        return {
            **metrics.completion(counts),
            **{f"length_{name}": one for name, one in long.items()},
            "branching_factor": metrics.branching_factor(n, o, d, oo, od, dd),
            "first_advantage": metrics.first_advantage(seats).within(-1, 1),
            "seat_spread": metrics.seat_spread(seats).within(None, 1),
        }

    def result(self, collected: Collected) -> Result:
        """Return the answer from equal players alone, without replays and without a ladder."""
        return _result(_Found(self.finish(collected.table), collected.runs, collected.games))


ANALYSIS = Balance()


def _products(columns: Any) -> pd.DataFrame:
    """Return the sums of products of 1 and some columns, as a table by row and column."""
    rows = np.vstack([np.ones((1, columns.shape[1]), np.int64), columns])
    places = range(len(rows))
    index = pd.MultiIndex.from_product([places, places], names=["row", "column"])
    return pd.DataFrame({"product": (rows @ rows.T).ravel()}, index=index)


def _matrix(part: pd.DataFrame) -> Any:
    return part["product"].unstack("column").to_numpy(np.int64)


def _seat_sums(part: pd.DataFrame) -> SeatSums:
    products = _matrix(part)
    return SeatSums(int(products[0, 0]), products, SCALE)


def _cells(part: pd.DataFrame) -> list[tuple[int, str]]:
    return [(int(players), str(policy)) for (players, policy), _ in groups(part, *CELL)]


def _of(part: pd.DataFrame, players: int, policy: str) -> pd.DataFrame:
    for key, rows in groups(part, *CELL):
        if key == (players, policy):
            return rows.droplevel(CELL)
    return part.iloc[:0].droplevel(CELL)


# --- playing -----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Found:
    """Everything that was measured."""

    frames: dict[str, pd.DataFrame]
    runs: Sequence[RunNote]
    games: int
    courses: pd.DataFrame | None = None
    ladders: pd.DataFrame | None = None
    luck: pd.DataFrame | None = None
    title: str = ""
    deals: int = 0


def run(
    *,
    game: str = "king-george-iii",
    games: float = GAMES,
    threads: int | None = None,
    seed: int = 0,
    players: Sequence[int] | None = None,
    policies: Sequence[str] | None = None,
    variety: str | None = None,
    unit: str | None = None,
    rules: Mapping[str, Any] | None = None,
    preset: str | None = None,
    records: float = balance_records.GAMES,
    deals: float = DEALS,
    processes: int | None = None,
    progress: Say | None = None,
) -> Result:
    """Measure the balance of a game.

    Parameters
    ----------
    game, variety, unit, rules, preset, seed
        What is played, as in :func:`simlib.simulate`; ``first`` is seat 0 in every game, so
        that seats are places in turn order.
    games : int
        Games of each cell of equal players.
    players, policies : sequence, optional
        Cells; by default every number of players, and every policy of the game on the ladder
        but only `random` and the strongest for figures of equal players.
    records : int
        Games of each cell that are replayed for the course of play; 0: none.
    deals : int
        Deals of each rung of the ladder, and of the variance components; 0: neither.
    threads, processes : int, optional
        Change the speed only.
    progress : callable, optional
        Called with a line on what is done now.
    """
    described = registry.get(game)
    many = list(players) if players is not None else list(described.players(variety)[0])
    rungs = count_argument(deals, "deals", least=0)
    replays = count_argument(records, "records", least=0)
    say = progress or (lambda text: None)
    chosen: dict[str, Any] = {
        "variety": variety,
        "unit": unit,
        "rules": rules,
        "preset": preset,
        "seed": seed,
    }

    def table(n: int, policy: str | Policy) -> Setup:
        return prepare(game, players=n, policies=policy, over={"first": "zero"}, **chosen)

    climbers = _climbers(table(many[0], next(iter(described.policies))), policies)
    ladders, orders = _ladders(many, climbers, table, rungs, say)
    cells = [
        table(n, policy)
        for n in many
        for policy in (policies or dict.fromkeys([orders[n][0].spec, orders[n][-1].spec]))
    ]
    collected = collect(ANALYSIS, cells, games=games, threads=threads, progress=progress)
    notes = list(collected.runs)
    courses = _courses(cells, replays, processes, say)
    notes += [note(cell, replays) for cell in cells] if replays else []
    luck = _luck(many, orders, table, rungs, say)
    found = _Found(
        ANALYSIS.finish(collected.table),
        notes,
        collected.games,
        courses,
        ladders,
        luck,
        described.title + (f" ({variety})" if variety else ""),
        rungs,
    )
    return _result(found)


def _climbers(setup: Setup, policies: Sequence[str] | None) -> list[Policy]:
    """Return the policies of the ladder; `random`, or else the first, is its foot."""
    known = setup.game.policies
    names = (
        list(dict.fromkeys(["random", *(policies or known)]))
        if "random" in known
        else list(policies or known)
    )
    return [known[name] if name in known else prepare(
        setup.game.name, variety=setup.table.variety, policies=name
    ).policies[0] for name in names]  # fmt: skip


def _ladders(
    players: Iterable[int], climbers: Sequence[Policy], table: Any, deals: int, say: Say
) -> tuple[pd.DataFrame | None, dict[int, list[Policy]]]:
    """Return the ladder of each number of players, and the policies from foot to top."""
    frames, orders = [], {}
    for n in players:
        orders[n] = list(climbers)
        if not deals or len(climbers) < 2:
            continue
        say(f"balance: ladder of {len(climbers)} policies, {n} players")
        foot = climbers[0].spec
        found = ladder(table(n, climbers[0]), climbers, deals=deals, floor=foot)
        specs = {policy.spec: policy for policy in climbers}
        order = [foot, *found.loc[found["against"] == "random", "policy"]]
        orders[n] = [specs[spec] for spec in order]
        found.insert(0, "players", n)
        frames.append(found)
    return (pd.concat(frames, ignore_index=True) if frames else None), orders


def _courses(
    cells: Sequence[Setup], games: int, processes: int | None, say: Say
) -> pd.DataFrame | None:
    frames = []
    for cell in cells if games else ():
        say(f"balance: {games:,} records, {cell.players} players, {cell.policies[0].spec}")
        found = balance_records.play_courses(cell, games=games, processes=processes)
        frames.append(found.frame(players=cell.players, policy=cell.policies[0].spec))
    return pd.concat(frames, ignore_index=True) if frames else None


def _luck(
    players: Iterable[int],
    orders: Mapping[int, Sequence[Policy]],
    table: Any,
    deals: int,
    say: Say,
) -> pd.DataFrame | None:
    frames = []
    for n in players if deals else ():
        say(f"balance: variance components, {n} players")
        top = orders[n][-1]
        tables = [population(orders[n], n), [top] * n]
        for who in tables if len(set(map(_spec, tables[0]))) > 1 else tables[1:]:
            found = components(table(n, top), who, deals=deals)
            frame = found.frame()
            frame.insert(0, "players", n)
            frame.insert(1, "population", _names(found))
            frames.append(frame)
    return pd.concat(frames, ignore_index=True) if frames else None


def _spec(policy: Policy) -> str:
    return policy.spec


def _names(luck: Luck) -> str:
    return ", ".join(dict.fromkeys(luck.policies))


# --- the result ----------------------------------------------------------------------------

#: Metrics of the first table in its order, and those that are shares.
FIRST_TABLE = (
    "completed",
    "never_ending",
    "cut_off",
    "length_mean",
    "length_median",
    "length_q90",
    "branching_factor",
    "first_advantage",
    "seat_spread",
)
SHARES = ("completed", "never_ending", "cut_off", "first_advantage", "seat_spread")
COURSE_SHARES = ("comeback", "decision_share", "won")


def _result(found: _Found) -> Result:
    figures, tables = [], list(_metric_tables(found))
    if found.courses is not None:
        tables += _course_tables(found.courses)
    if found.ladders is not None:
        ladders = found.ladders
        tables.append(_ladder_table(ladders, found.deals))
        figures.append(
            FigureOut(
                "skill-ladder",
                "Win share above that of `random` players at the same table, each policy at every"
                f" seat in turn, 95 % intervals; {found.deals:,} deals a point",
                "One line a number of players; policies from the weakest to the strongest.",
                partial(draw_ladder, ladders),
            )
        )
    if found.luck is not None:
        luck = found.luck
        tables.append(_luck_table(luck, found.deals))
        figures.append(
            FigureOut(
                "luck-and-skill",
                "Parts of the variance of a player's win share, by number of players and"
                f" population; {found.deals:,} deals, two replicates",
                "Stacked bars: skill, luck of the hand, chance in play, the seat and the rest.",
                partial(draw_luck, luck),
            )
        )
    return Result(
        name=Balance.name,
        title=Balance.title,
        question=Balance.question,
        answer=_answer(found),
        tables=tuple(tables),
        figures=tuple(figures),
        runs=tuple(found.runs),
        methods=(
            "Every metric is defined, with its formula, source and a worked example, in"
            " `analyses/balance.py` and `analyses/balance_course.py`. Figures of equal players"
            " are over all games of a cell; drama, lead changes and comebacks over replayed games"
            " with one winner.",
            "Luck and skill are unbiased variance components of the crossed design deal ×"
            " rotation × replicate (Searle, Casella and McCulloch 1992); they hold for the"
            " population of policies that is named.",
        ),
    )


def _metric_tables(found: _Found) -> Iterable[TableOut]:
    frame = found.frames["metrics"]
    wide = frame.pivot(index=CELL, columns="metric", values="estimate")[list(FIRST_TABLE)]
    wide = wide.reset_index().rename_axis(columns=None)
    wide = wide.merge(found.frames["tests"][[*CELL, "p_holm"]], on=CELL)
    wide["n"] = found.games
    yield TableOut(
        "balance",
        "Games between equal players: how they end, how long they are, what there is to decide,"
        " and what the seat is worth",
        wide,
        percent=SHARES,
        digits={"length_mean": 1, "branching_factor": 2, "p_holm": 3},
        notes=(
            "`first_advantage`: win share of who begins above the mean of all seats;"
            " `seat_spread`: best seat less worst seat; `p_holm`: test that all seats are equal,"
            " over the whole table.",
        ),
    )
    yield TableOut("balance-intervals", "The same with 95 % intervals", frame)


def _course_tables(courses: pd.DataFrame) -> list[TableOut]:
    wide = courses.pivot(index=CELL, columns="metric", values="estimate")
    names = list(dict.fromkeys(courses["metric"]))
    wide = wide[names].reset_index().rename_axis(columns=None)
    return [
        TableOut(
            "course",
            "The course of replayed games: how far behind the winner was, how often the lead"
            " changed, when it was settled, how often a player who was behind at half-time won",
            wide,
            percent=COURSE_SHARES,
            digits={"drama": 3, "deficit": 1, "lead_changes": 1, "settled": 2},
            notes=(
                "`won`: games with one winner, which the other figures are about;"
                " `decision_share`: acts with a choice, over all replayed games.",
            ),
        ),
        TableOut("course-intervals", "The same with 95 % intervals", courses),
    ]


def _ladder_table(ladders: pd.DataFrame, deals: int) -> TableOut:
    return TableOut(
        "skill-ladder",
        "Skill ladder: win share of a policy less the mean of the other policy's, which sits at"
        f" all other seats; {deals:,} deals, every seat in turn",
        ladders,
        percent=["estimate"],
        notes=("Policies stand in the order of their difference to `random`.", *_upsets(ladders)),
    )


def _upsets(ladders: pd.DataFrame) -> list[str]:
    """Say who stands above a policy and loses the direct race against it."""
    lost = ladders[(ladders["against"] == "next") & (ladders["high"] < 0)]
    words = [
        f"`{row['policy']}` to `{row['other']}` with {row['players']} players ({interval(row)})"
        for row in rows_of(lost)
    ]
    if not words:
        return []
    return [f"Who stands higher may still lose the direct race: {listed(words)}."]


def _luck_table(luck: pd.DataFrame, deals: int) -> TableOut:
    return TableOut(
        "luck-and-skill",
        f"Variance of a player's win share and its parts; {deals:,} deals",
        luck[(luck["estimate"] != 0) | (luck["se"] != 0)].reset_index(drop=True),
        percent=["share"],
        notes=(
            "An unbiased estimate of a part that is nearly zero may be negative. Parts that cannot"
            " be there are left out: those of skill where all play one policy, chance in play"
            " where neither cards nor policies use any.",
        ),
    )


def _answer(found: _Found) -> str:
    frame = found.frames["metrics"]
    least = smallest(frame[frame["metric"] == "completed"], "estimate")
    if found.games < FEWEST:
        return (
            f"{found.games:,} games a table are too few for a conclusion (from {FEWEST:,} on there"
            " is one here); the tables say with which error each figure is known."
        )
    first = f"Every one of {found.games:,} games a table comes to an end"
    if least["estimate"] < 1:
        first = (
            f"Of {found.games:,} games with {_table(least)} {interval(least)} come to an end, the"
            " fewest of all tables"
        )
    text = f"{first}. {_seats(found.frames)}"
    return text if found.luck is None else f"{text}{_skill(found.luck)}"


def _seats(frames: Mapping[str, pd.DataFrame]) -> str:
    """Say where the seats differ most, among the tables whose test shows that they do."""
    spread = frames["metrics"][frames["metrics"]["metric"] == "seat_spread"]
    tests = frames["tests"].set_index(CELL)["p_holm"]
    holds = tests.reindex(pd.MultiIndex.from_frame(spread[CELL])).to_numpy(np.float64) < LEVEL
    if holds.any():
        worst = largest(spread[holds], "estimate")
        return (
            f"The seats differ most with {_table(worst)}: between equal players the best seat's"
            f" win share lies {_gap(worst)} above the worst seat's."
        )
    worst = largest(spread, "estimate")
    return (
        "No table shows that the seats differ; the widest gap between the best and the worst"
        f" seat's win share is {_gap(worst)}, with {_table(worst)}."
    )


def _gap(row: Mapping[str, Any]) -> str:
    """Return a difference of shares with its interval in words."""
    reach = between(row["low"], row["high"], lambda end: number(100 * end, 1))
    return f"{number(100 * row['estimate'], 1)} percentage points ({reach})"


def _skill(luck: pd.DataFrame) -> str:
    """Say what skill, hand and chance decide, table by table."""
    words = []
    several = luck[luck["population"].str.contains(",")]
    for (players, who), part in groups(several, "players", "population"):
        rows = {str(row["component"]): row for row in rows_of(part)}
        total = float(rows["total"]["estimate"])
        shares = [
            percent(row["share"], row["half_width"] / total if total > 0 else None)
            for row in (rows["policy"], rows["hand"], rows["play"])
        ]
        words.append(
            f"{shares[0]} by skill, {shares[1]} by the hand and {shares[2]} by chance in play with"
            f" {players} players ({who})"
        )
    return f" The variance of a result is decided {'; '.join(words)}." if words else ""


def _table(row: Mapping[str, Any]) -> str:
    return f"{row['players']} × `{row['policy']}`"
