"""What the rules that Royal Corners' source leaves open are worth, on the same deals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analyses import changes, corners, style
from analyses.base import Say, note, number, signed
from analyses.results import FigureOut, Result, RunNote, TableOut
from analyses.tables import groups
from simlib.compare import against
from simlib.setup import count_argument, prepare

__all__ = ["CHANGES", "HEADLINE", "run"]

#: What decides the order: how much of the stock a deal leaves untouched says what game this is.
HEADLINE = "stock_left"
METRICS = (HEADLINE, "rate_someone_out", "rate_blocked", "rate_declined", "turns", "penalty")
CHANGES: tuple[tuple[str, Any], ...] = (
    ("draw", "every_turn"),
    ("draw", "turn_start"),
    ("vacated", "turn"),
    ("vacated", "next_turn"),
    ("vacated", "always"),
    ("vacated", "never"),
    ("stock_face", "down"),
    ("merge", "up"),
    ("king_corners", 4),
    ("end", "first_out"),
    ("end", "last_holder"),
    ("hand_size", 5),
)
PLAYERS = (2, 4)
POLICIES = ("random", "eager")
#: A column of the table beside those of every table of changes.
MORE = {"variance_ratio": "variance_ratio"}
#: Deals of each rule set at a table; differences are paired.
DEALS = 50_000


def run(
    *,
    games: float = DEALS,
    threads: int | None = None,
    seed: int = 0,
    players: Sequence[int] = PLAYERS,
    policies: Sequence[str] = POLICIES,
    progress: Say | None = None,
) -> Result:
    """Compare each change with the default rules on the same deals.

    Parameters
    ----------
    games : int
        Deals of each rule set at each table.
    threads : int, optional
        Changes the speed only.
    seed : int
        All chance comes from it (C-4).
    players, policies : sequence
        The tables: every number of players with every policy at all seats.
    progress : callable, optional
        Called with a line for each table.
    """
    count = count_argument(games, "games")
    tables = [(n, policy) for n in players for policy in policies]
    family = len(CHANGES) * len(tables)
    rows: list[dict[str, Any]] = []
    notes: list[RunNote] = []
    for n, policy in tables:
        if progress is not None:
            progress(f"corners_house_rules: {len(CHANGES)} changes, {n} players, {policy}")
        base = prepare(corners.GAME, players=n, policies=policy, seed=seed)
        others = [
            prepare(corners.GAME, players=n, policies=policy, rules={option: value}, seed=seed)
            for option, value in CHANGES
        ]
        found = against(
            base,
            others,
            games=count,
            metrics=METRICS,
            family=family,
            threads=threads,
        )
        notes += [note(setup, count) for setup in (base, *others)]
        for (option, value), comparison in zip(CHANGES, found, strict=True):
            rows += changes.rows_of(comparison, option, value, MORE, players=n, policy=policy)
    frame = changes.ordered(changes.frame_of(rows), METRICS, "difference")
    return _result(frame, notes, count, family)


def _result(frame: pd.DataFrame, notes: list[RunNote], games: int, family: int) -> Result:
    headline = frame[frame["metric"] == HEADLINE].drop(columns="metric")
    others = frame[frame["metric"] != HEADLINE]
    digits = dict.fromkeys(("changed", "default", "variance_ratio"), 3)
    digits |= dict.fromkeys(("difference", "difference_low", "difference_high"), 3)
    n = f"n = {games:,} deals, the same for all rules of a table"
    unpaired = frame.loc[~frame["paired"].astype(bool), "option"].drop_duplicates().tolist()
    return Result(
        name="house_rules",
        title="What house rules change",
        question="What are the draw rule, the vacated corner and the open stock worth?",
        answer=_answer(headline, others),
        tables=(
            TableOut(
                "house-rules",
                "Cards left in the stock: each rule against the default on the same deals, ordered"
                " by effect",
                headline,
                digits=digits,
                notes=(
                    f"Intervals of differences hold for all {family} of a metric at once"
                    " (Bonferroni, 95 %).",
                ),
            ),
            TableOut(
                "house-rules-others",
                "Other figures: each rule against the default on the same deals",
                others,
                digits=digits,
            ),
        ),
        figures=(
            FigureOut(
                "corner-house-rules",
                f"Change of the cards left in the stock by each rule, with intervals that hold for"
                f" all {family} at once; {n}",
                _alt(headline),
                partial(draw, headline),
            ),
        ),
        runs=notes,
        methods=(
            "The same deals are played under both rules (C-4); differences are paired, with t"
            " intervals at the Bonferroni level of one metric's family.",
        ),
        warnings=[f"Not paired, because the cards differ: {', '.join(unpaired)}."]
        if unpaired
        else [],
    )


def _answer(headline: pd.DataFrame, others: pd.DataFrame) -> str:
    changes = _means(headline)
    option, value, change = changes[0]
    default = headline["default"].mean()
    text = (
        f"`{option}={value}` changes most what game this is: over the tables it moves the cards"
        f" left in the stock by {signed(change, 1)} on average, from {number(default, 1)}."
    )
    for name, words in (("vacated", "the vacated corner"), ("stock_face", "the open stock card")):
        part = [one for one in changes if one[0] == name]
        if part:
            option, value, change = max(part, key=lambda one: abs(one[2]))
            text += f" Of {words} `{option}={value}` moves it by {signed(change, 2)}."
    out = others[(others["metric"] == "rate_someone_out") & others["significant"]]
    return text + (
        f" Whether somebody goes out changes significantly in {len(out)} of"
        f" {int((others['metric'] == 'rate_someone_out').sum())} comparisons."
    )


def _means(headline: pd.DataFrame) -> list[tuple[str, str, float]]:
    """Return (option, value, mean change over the tables), largest first."""
    return [
        (str(key[0]), str(key[1]), float(part["difference"].mean()))
        for key, part in groups(headline, "option", "value")
    ]


def _alt(headline: pd.DataFrame) -> str:
    parts = [f"{option}={value} {signed(change, 2)}" for option, value, change in _means(headline)]
    return "Points with intervals, a series a table; mean change in cards: " + ", ".join(parts)


def draw(headline: pd.DataFrame) -> Figure:
    """Draw the change of the headline by each rule, a series a table."""
    names = list(dict.fromkeys(zip(headline["option"], headline["value"], strict=True)))
    fig, ax = style.figure(height=0.34 * len(names) + 1.2)
    tables = headline.groupby(["players", "policy"], sort=False)
    for place, ((players, policy), part) in enumerate(tables):
        one = part.set_index(["option", "value"]).reindex(names)
        heights = np.arange(len(names)) + 0.16 * (place - 1.5)
        changes.points(ax, one, heights, label=f"{players} players, {policy}", place=place)
    rows = [f"{option}={value}" for option, value in names]
    changes.name_rows(ax, rows, "change of the cards left in the stock")
    return style.finish(fig)
