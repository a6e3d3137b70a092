"""What the choices that King's source leaves open are worth, measured as house rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analyses import kings, style
from analyses.base import Say, note, signed
from analyses.changes import frame_of, name_rows, points, rows_of
from analyses.results import FigureOut, Result, RunNote, TableOut
from analyses.tables import records
from simlib.compare import against
from simlib.setup import count_argument, prepare

__all__ = ["CHANGES", "run"]

#: Variety, option, the value that is not its default, and what else the tables need.
CHANGES: tuple[tuple[str, str, Any, dict[str, Any]], ...] = (
    ("threesome", "removed", "sevens", {}),
    ("ordered", "trump_in", "all", {}),
    ("ordered", "trump_in", "none", {}),
    ("ordered", "no_trump", False, {}),
    ("ordered", "must_trump", True, {}),
    ("minsk", "trump_lead", "declarer", {}),
    ("minsk", "trump_in", "all", {}),
    ("domino", "kept_as", "trick", {}),
    ("domino", "deck", 52, {}),
    ("jokers", "joker_play", "void", {}),
    ("jokers", "joker_play", "any", {}),
    ("jokers", "joker_loses", "led", {}),
    ("jokers", "jokers", 2, {"players": 3}),
    ("trade", "bid", "gain", {}),
    ("trade", "auction", "open", {}),
    ("trade", "bidder_leads", True, {}),
    ("atomic", "trump_in", "positive", {}),
    ("atomic", "kings_as_boys", True, {}),
)
METRICS = ("score", "win_share", "rate_slam", "tricks_played", "decisions")
DEALS = 40_000
POLICY = "sensible"


def run(
    *,
    games: float | None = None,
    threads: int | None = None,
    seed: int = 0,
    policy: str = POLICY,
    changes: Sequence[tuple[str, str, Any, dict[str, Any]]] = CHANGES,
    progress: Say | None = None,
) -> Result:
    """Compare each change with the variety's default rules.

    Parameters
    ----------
    games : int, optional
        Deals of each rule set.
    threads : int, optional
        Changes the speed only.
    seed : int
        All chance comes from it (C-4).
    policy : str
        Who plays at all seats.
    changes : sequence
        Variety, option, value, and further arguments of a table.
    progress : callable, optional
        Called with a line for each change.
    """
    count = count_argument(DEALS if games is None else games, "games")
    rows: list[dict[str, Any]] = []
    notes: list[RunNote] = []
    for (variety, more), same in _tables(changes).items():
        common = {"variety": variety, "policies": policy, "seed": seed, **dict(more)}
        default = prepare(kings.GAME, **common)
        changed = [prepare(kings.GAME, **common, rules={name: value}) for name, value in same]
        if progress is not None:
            words = ", ".join(f"{name}={value}" for name, value in same)
            progress(f"king_house_rules: {variety}, {words}")
        found = against(
            default, changed, games=count, metrics=METRICS, family=len(changes), threads=threads
        )
        notes += [note(setup, count) for setup in (default, *(one.a for one in found))]
        for (name, value), one in zip(same, found, strict=True):
            rows += rows_of(one, name, value, {}, variety=variety)
    frame = frame_of(rows)
    frame.insert(4, "how", np.where(frame.pop("paired"), "paired", "independent"))
    return _result(frame, notes, count, len(changes), policy)


def _tables(
    changes: Sequence[tuple[str, str, Any, dict[str, Any]]],
) -> dict[tuple[str, tuple[tuple[str, Any], ...]], list[tuple[str, Any]]]:
    """Return the changes by table, so that its default rules are played once for all."""
    found: dict[tuple[str, tuple[tuple[str, Any], ...]], list[tuple[str, Any]]] = {}
    for variety, option, value, more in changes:
        found.setdefault((variety, tuple(more.items())), []).append((option, value))
    return found


def _result(
    frame: pd.DataFrame, notes: list[RunNote], games: int, family: int, policy: str
) -> Result:
    leader = frame[frame["metric"] == "score_0"]
    digits = dict.fromkeys(("changed", "default"), 3)
    digits |= dict.fromkeys(("difference", "difference_low", "difference_high"), 3)
    return Result(
        name="house_rules",
        title="What house rules change",
        question="Do the choices that the source leaves open matter?",
        answer=_answer(leader, frame, policy, games),
        tables=(
            TableOut(
                "king-rules-leader",
                "Score a deal of seat 0: each choice against the default",
                leader.drop(columns="metric"),
                digits=digits,
                notes=(
                    f"Intervals hold for all {family} changes at once (Bonferroni, 95 %). Paired:"
                    " on the same deals. Independent: the cards are not the same.",
                ),
            ),
            TableOut(
                "king-rules-others",
                "Other figures: each choice against the default",
                frame[frame["metric"] != "score_0"],
                digits=digits,
            ),
        ),
        figures=(
            FigureOut(
                "king-house-rules",
                "Change of seat 0's mean score by each choice, with intervals that hold at once;"
                f" n = {games:,} deals of each rule set among `{policy}` players",
                _alt(leader),
                partial(draw, leader),
            ),
        ),
        runs=notes,
        methods=(
            "Where both rule sets use the same cards, the same deals are played under both and"
            " the difference is paired; elsewhere the samples are independent (C-4).",
        ),
    )


def _answer(leader: pd.DataFrame, frame: pd.DataFrame, policy: str, games: int) -> str:
    sure = leader[leader["significant"]]
    if sure.empty:
        return (
            f"Among `{policy}` players none of {len(leader)} choices changes seat 0's score by"
            f" more than the error of {games:,} deals."
        )
    row = records(sure)[int(np.argmax(sure["difference"].abs().to_numpy()))]
    reach = f"{signed(row['difference_low'], 2)} to {signed(row['difference_high'], 2)}"
    any_matter = frame.groupby(["variety", "option", "value"])["significant"].any()
    return (
        f"Among `{policy}` players `{row['option']}={row['value']}` in {row['variety']} moves"
        f" seat 0's score most, by {signed(row['difference'], 2)} points a deal ({reach}, for all"
        f" at once); it changes significantly in {len(sure)} of {len(leader)} choices, some figure"
        " in"
        f" {int(any_matter.sum())}."
    )


def _alt(leader: pd.DataFrame) -> str:
    parts = [
        f"{row['variety']} {row['option']}={row['value']} {signed(row['difference'], 2)}"
        for row in records(leader)
    ]
    return "Points with intervals, a row a choice: " + ", ".join(parts)


def draw(leader: pd.DataFrame) -> Figure:
    """Draw the change of seat 0's score by each choice."""
    fig, ax = style.figure(height=0.3 * len(leader) + 1.2)
    for place, how in enumerate(("paired", "independent")):
        rows = np.flatnonzero(leader["how"].to_numpy() == how)
        if not len(rows):
            continue
        part = leader.iloc[rows]
        points(ax, part, rows, label=how, place=place)
    names = [f"{r['variety']}: {r['option']}={r['value']}" for r in records(leader)]
    name_rows(ax, names, "points a deal")
    return style.finish(fig)
