"""What each house rule of King George III changes, on the same deals."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, Literal, get_args, get_origin

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analyses import changes, style
from analyses import king_george as kg
from analyses.base import GAMES, Say, listed, note, number, percent, signed, widths_missed
from analyses.results import FigureOut, Result, RunNote, TableOut
from analyses.tables import Record, groups, largest, records, smallest
from simlib import games as registry
from simlib.compare import against
from simlib.games.options import Rules
from simlib.setup import Setup, count_argument, prepare

__all__ = ["HEADLINE", "METRICS", "other_values", "run"]

#: The metric by which rules are ordered.
HEADLINE = "rate_endless"
METRICS = (
    HEADLINE,
    "rate_out",
    "rate_deadlock",
    "rate_cycle",
    "rate_truncated",
    "rate_playoff",
    "turns_restricted",
    "win_share",
)
PLAYERS = (2, 4)
POLICIES = ("random", "longest-run")
#: Options with no short list of values: those that are tried.
CHOSEN: dict[str, tuple[Any, ...]] = {
    "hand_size": (3, 5, 10),
    "max_playoffs": (0,),
    "max_turns": (200,),
}
#: Columns of the table beside those of every table of changes.
MORE = {
    "changed_low": "a_low",
    "changed_high": "a_high",
    "variance_ratio": "variance_ratio",
    "detectable": "detectable",
}
CELL = ["players", "policy", "option", "value"]


def other_values(model: type[Rules]) -> list[tuple[str, Any]]:
    """Return every option with each value that is not its default.

    Parameters
    ----------
    model : type of Rules
        Options that are truth values, lists of names, or numbers of a range of at most ten;
        of the others the values in :data:`CHOSEN`.
    """
    found: list[tuple[str, Any]] = []
    for name, info in model.model_fields.items():
        if name in CHOSEN:
            values: Iterable[Any] = CHOSEN[name]
        elif info.annotation is bool:
            values = (False, True)
        elif get_origin(info.annotation) is Literal:
            values = get_args(info.annotation)
        else:
            low = next((m.ge for m in info.metadata if hasattr(m, "ge")), 0)
            high = next((m.le for m in info.metadata if hasattr(m, "le")), -1)
            values = range(low, high + 1) if high - low <= 10 else ()
        found += [(name, value) for value in values if value != info.default]
    return found


def run(
    *,
    games: float = GAMES,
    threads: int | None = None,
    seed: int = 0,
    players: Sequence[int] = PLAYERS,
    policies: Sequence[str] = POLICIES,
    progress: Say | None = None,
) -> Result:
    """Compare each option's other values with the default, on the same deals.

    Parameters
    ----------
    games : int
        Games of each rule set in each cell.
    threads : int, optional
        Changes the speed only.
    seed : int
        All chance comes from it (C-4).
    players, policies : sequence
        The cells: every number of players with every policy at all seats.
    progress : callable, optional
        Called with a line for each cell.
    """
    count = count_argument(games, "games")
    values = other_values(registry.get(kg.GAME).rules_model(None))
    cells = [(n, policy) for n in players for policy in policies]
    family = len(values) * len(cells)
    rows, notes = [], []
    for n, policy in cells:
        if progress is not None:
            progress(f"house_rules: {len(values)} changes, {n} players, {policy}")
        base, others = _setups(n, policy, values, seed)
        begun = time.perf_counter()
        found = against(
            base,
            others,
            games=count,
            metrics=METRICS,
            family=family,
            threads=threads,
        )
        seconds = time.perf_counter() - begun
        notes += _notes(base, others, count, seconds)
        for (option, value), comparison in zip(values, found, strict=True):
            rows += changes.rows_of(comparison, option, value, MORE, players=n, policy=policy)
    frame = _finish(changes.frame_of(rows))
    return _result(frame, notes, count, family)


def _setups(
    players: int, policy: str, values: Sequence[tuple[str, Any]], seed: int
) -> tuple[Setup, list[Setup]]:
    def setup(rules: dict[str, Any]) -> Setup:
        return prepare(kg.GAME, players=players, policies=policy, rules=rules, seed=seed)

    return setup({}), [setup({option: value}) for option, value in values]


def _notes(base: Setup, others: Sequence[Setup], games: int, seconds: float) -> list[RunNote]:
    share = {"timings": {"seconds": seconds / (1 + len(others))}}
    return [note(setup, games, **share) for setup in (base, *others)]


def _finish(frame: pd.DataFrame) -> pd.DataFrame:
    """Add effects, and order by the headline's mean absolute effect."""
    rates = frame["metric"].str.startswith("rate_")
    share = frame["default"].where(rates)
    spread = (share * (1 - share)) ** 0.5
    frame["effect"] = frame["difference"] / spread.where(spread > 0)
    return changes.ordered(frame, METRICS, "effect")


# --- words and pictures --------------------------------------------------------------------


def _result(frame: pd.DataFrame, notes: list[RunNote], games: int, family: int) -> Result:
    headline = _headline(frame)
    others = frame[frame["metric"] != HEADLINE]
    widest = float((headline["difference_high"] - headline["difference_low"]).max()) / 2
    n = f"n = {games:,} deals, the same for all rules of a panel"
    return Result(
        name="house_rules",
        title="What house rules change",
        question="Which option changes most how often the game never ends?",
        answer=_answer(frame, family),
        tables=(
            TableOut(
                "house-rules",
                f"`{HEADLINE}` with one option changed, its difference from the default rules on"
                " the same deals, ordered by the size of the effect",
                headline,
                percent=["changed", "difference", "default", "detectable"],
                digits={"effect": 2, "variance_ratio": 2},
                notes=(
                    f"Intervals of differences hold for all {family} at once (Bonferroni, 95 %;"
                    f" the widest half-width is {number(100 * widest, 2)} percentage points); those"
                    " of rates each on its own. `effect` is the difference over the"
                    f" standard deviation of `{HEADLINE}` under the default rules."
                    " `variance_ratio` says how many independent games of each rule set one"
                    " shared deal was worth; `detectable` is the smallest true difference that"
                    " this many games would have shown with probability 0.8.",
                ),
            ),
            TableOut(
                "house-rules-others",
                "The same for the other figures",
                others,
                percent=(),
                notes=("Shares from 0 to 1; `turns_restricted` in turns.",),
            ),
        ),
        figures=(
            FigureOut(
                "house-rules",
                f"Change of `{HEADLINE}` by one changed option, percentage points, with intervals"
                f" that hold for all {family} at once; {n}",
                _alt(frame),
                partial(draw, frame),
            ),
        ),
        runs=notes,
        methods=(
            "Each option's other values are compared with the default on the same deals (common"
            " random numbers, C-4): the difference of a deal's two values has a mean and a"
            " variance of its own (Law 2015, section 11.2). Differences of rates have Agresti and"
            " Min's interval (2005, Statistics in Medicine 24), other figures t intervals, at the"
            " Bonferroni level of one metric's family: all options, values and tables.",
            "Of `hand_size`, `max_playoffs` and `max_turns`, which have no short list of values, "
            + ", ".join(f"`{name}` {listed(list(map(str, v)))}" for name, v in CHOSEN.items())
            + " were tried. Options that matter only together with others show nothing here.",
        ),
        warnings=_warnings(frame),
    )


def _headline(frame: pd.DataFrame) -> pd.DataFrame:
    columns = [
        "option", "value", "clause", "players", "policy", "changed", "changed_low", "changed_high",
        "default", "difference", "difference_low", "difference_high", "effect", "significant",
        "variance_ratio", "detectable", "n",
    ]  # fmt: skip
    return frame.loc[frame["metric"] == HEADLINE, columns].reset_index(drop=True)


def _points(value: float) -> str:
    return signed(100 * value, 1)


def _answer(frame: pd.DataFrame, family: int) -> str:
    headline = frame[frame["metric"] == HEADLINE]
    policy = str(headline["policy"].iloc[0])
    players = int(headline["players"].min())
    cell = headline[(headline["policy"] == policy) & (headline["players"] == players)]
    sure = cell[cell["significant"]]
    down = sure[sure["difference"] < 0].sort_values("difference")
    up = sure[sure["difference"] > 0].sort_values("difference")
    default = float(cell["default"].iloc[0])
    dead = frame[frame["metric"] == "rate_deadlock"].set_index(CELL)["difference"]
    parts = [_change(row, dead) for row in records(down.head(3))]
    text = (
        f"Between {kg.table_words(players, policy)}, of whose deals {percent(default)} never end,"
        f" {listed(parts) or 'no change is shown to'} help{' most' if parts else ''}"
    )
    if len(up):
        text += f"; {_change(records(up)[-1])} makes it worst"
    none = int((~headline["significant"]).sum())
    return (
        f"{text} (changes in percentage points). {none} of {family} comparisons show no"
        " difference in how often a deal never ends."
    )


def _change(row: Record, deadlock: pd.Series[Any] | None = None) -> str:
    """Name a change; where it makes deadlocks of endless deals, say so."""
    text = _points(row["difference"])
    if deadlock is not None:
        other = float(deadlock[tuple(row[name] for name in CELL)])
        if other > abs(row["difference"]) / 4:
            text += f", but deadlocks {_points(other)}"
    return f"`{row['option']}={row['value']}` ({text})"


def _alt(frame: pd.DataFrame) -> str:
    headline = frame[frame["metric"] == HEADLINE]
    parts = []
    for (players, policy), cell in groups(headline, "players", "policy"):
        low, high = smallest(cell, "difference"), largest(cell, "difference")
        parts.append(f"{players} `{policy}` players: from {_change(low)} to {_change(high)}")
    return "Points with intervals, a row an option value; " + "; ".join(parts) + "."


def _warnings(frame: pd.DataFrame) -> list[str]:
    rates = frame[frame["metric"].str.startswith("rate_")]
    width = ((rates["changed_high"] - rates["changed_low"]) / 2).rename("half_width")
    found = widths_missed(width.to_frame(), "House rules", int(frame["n"].max()))
    cut = frame[(frame["metric"] == "rate_truncated") & (frame["changed"] > 0)]
    cut = cut[cut["option"] != "max_turns"]
    if len(cut):
        worst = largest(cut, "changed")
        found.append(
            f"In {len(cut)} of {len(frame[frame['metric'] == 'rate_truncated'])} cells some deals"
            f" reached `max_turns` with neither proof, at most {percent(worst['changed'])}"
            f" (`{worst['option']}={worst['value']}`, {worst['players']} × `{worst['policy']}`)."
        )
    unpaired = frame[~frame["paired"]]
    if len(unpaired):
        names = ", ".join(dict.fromkeys(f"`{o}`" for o in unpaired["option"]))
        found.append(f"Not paired, since the deals are not the same: {names}.")
    return found


def draw(frame: pd.DataFrame) -> Figure:
    """Draw the differences of the headline, a panel a number of players, a series a policy."""
    headline = frame[frame["metric"] == HEADLINE]
    names = list(dict.fromkeys(headline["option"] + " = " + headline["value"]))
    players = sorted(headline["players"].unique())
    fig, axes = style.panels(len(players), height=0.2 * len(names) + 0.8, columns=2, share=False)
    policies = list(dict.fromkeys(headline["policy"]))
    for ax, n in zip(axes, players, strict=True):
        for place, policy in enumerate(policies):
            cell = headline[(headline["players"] == n) & (headline["policy"] == policy)]
            shown = cell.set_index(cell["option"] + " = " + cell["value"]).reindex(names)
            height = np.arange(len(names)) + 0.24 * (place - (len(policies) - 1) / 2)
            changes.points(ax, shown, height, label=policy, place=place, scale=100)
        changes.name_rows(ax, names, "percentage points")
        ax.set_title(f"{n} players")
    return style.finish(fig)
