"""What the choices that King's source leaves open are worth, measured as house rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analyses import kings, style
from analyses.base import Say, note
from analyses.changes import frame_of, name_rows, points, rows_of
from analyses.results import FigureOut, Result, RunNote, TableOut
from analyses.tables import records
from simlib.compare import compare
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
    for variety, option, value, more in changes:
        if progress is not None:
            progress(f"king_house_rules: {variety}, {option}={value}")
        common = {"variety": variety, "policies": policy, "seed": seed, **more}
        changed = prepare(kings.GAME, **common, rules={option: value})
        default = prepare(kings.GAME, **common)
        found = compare(
            changed, default, games=count, metrics=METRICS, family=len(changes), threads=threads
        )
        notes += [note(default, count), note(changed, count)]
        rows += rows_of(found, option, value, {}, variety=variety)
    frame = frame_of(rows)
    frame.insert(4, "how", np.where(frame.pop("paired"), "paired", "independent"))
    return _result(frame, notes, count, len(changes), policy)


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
        answer=_answer(leader, frame, policy),
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


def _answer(leader: pd.DataFrame, frame: pd.DataFrame, policy: str) -> str:
    row = records(leader)[int(np.argmax(leader["difference"].abs().to_numpy()))]
    matter = int(leader["significant"].sum())
    any_matter = frame.groupby(["variety", "option", "value"])["significant"].any()
    return (
        f"Among `{policy}` players `{row['option']}={row['value']}` in {row['variety']} moves"
        f" seat 0's score most, by {row['difference']:+.2f} points a deal; the score of seat 0"
        f" changes significantly in {matter} of {len(leader)} choices, some figure in"
        f" {int(any_matter.sum())}."
    )


def _alt(leader: pd.DataFrame) -> str:
    parts = [
        f"{row['variety']} {row['option']}={row['value']} {row['difference']:+.2f}"
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
