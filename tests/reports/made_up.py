"""Results that no game was played for: what the builder is tried on."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from analyses import style
from analyses.results import FigureOut, Result, RunNote, TableOut
from reports.builder import Page, RulesTable
from reports.pages import PageSpec, rules_in_force

POLICIES = ("random", "one-card", "eager", "longest-run", "ace-early", "no-orphans")


def manifest(**changed: Any) -> dict[str, Any]:
    rules = {"hand_size": None, "lead": "one", "recycle": "turn", "ace_resets": 3}
    return {
        "game": "king-george-iii",
        "variety": None,
        "seed": 7,
        "games": 250_000,
        "stream_version": 2,
        "rules": rules | changed,
    }


def note(players: int, policy: str, **changed: Any) -> RunNote:
    rules = "".join(f" --rule {key}={value}" for key, value in changed.items())
    command = (
        f"simlib run king-george-iii --players {players} --policies {policy}"
        f" --games 250000 --seed 7{rules}"
    )
    return RunNote(command, manifest(**changed))


def endings_frame() -> pd.DataFrame:
    rows = []
    for players in (2, 3, 4, 5):
        for place, policy in enumerate(POLICIES):
            rate = 1 / players**1.5 + 0.01 * place
            half = 1.96 * math.sqrt(rate * (1 - rate) / 250_000)
            rows.append((players, policy, rate, rate - half, rate + half, half, 250_000))
    names = ["players", "policy", "estimate", "low", "high", "half_width", "n"]
    return pd.DataFrame(rows, columns=names)


def endings() -> Result:
    frame = endings_frame()

    def draw() -> Any:
        fig, ax = style.figure()
        for place, policy in enumerate(POLICIES):
            part = frame[frame["policy"] == policy]
            ax.plot(part["players"], part["estimate"], label=policy, **style.line(place))
            ax.fill_between(part["players"], part["low"], part["high"], **style.band(place))
        ax.set(xlabel="players", ylabel="share of games that never end", xticks=(2, 3, 4, 5))
        ax.set_ylim(0)
        style.percent(ax.yaxis)
        return style.finish(fig)

    def stacked() -> Any:
        fig, ax = style.figure(style.WIDE, 3.0)
        left = np.zeros(4)
        for name in ("out", "deadlock", "orphans", "cycle", "truncated"):
            values = np.array([0.45, 0.02, 0.5, 0.02, 0.01])[list(style.ENDINGS).index(name) % 5]
            ax.barh(range(4), values, left=left, label=name, **style.bar(style.ENDINGS[name]))
            left += values
        ax.set_yticks(range(4), ["2 players", "3 players", "4 players", "5 players"])
        ax.invert_yaxis()
        ax.grid(False)
        ax.set_xlabel("share of all games")
        ax.set_xlim(0, 1)
        style.percent(ax.xaxis)
        return style.finish(fig)

    worst = frame.loc[frame["estimate"].idxmax()]
    return Result(
        name="endings",
        title="How games end",
        question="How often does a game end with a player out, in a deadlock, or never?",
        answer=f"Two players who choose at random never come to an end in"
        f" {frame['estimate'].iloc[0]:.1%} of their games, and a deadlock in the strict sense is"
        f" rare. The largest share is {worst['estimate']:.1%}, with {worst['players']} players.",
        tables=[
            TableOut(
                key="endings",
                title="Games that never end, share of all games, by players and policy",
                frame=frame,
                percent=["estimate"],
                notes=[
                    "A game never ends when it is proved so (KG-12); `truncated` games are not"
                    " among them."
                ],
            )
        ],
        figures=[
            FigureOut(
                "endless",
                "Games that never end, share of all games with 95 % bands, by number of players;"
                " n = 250 000 games a point",
                "Six lines fall from about 40 % at two players to under 15 % at five.",
                draw,
            ),
            FigureOut(
                "stacked",
                "How games end, share of all games, by number of players; n = 250 000 a bar",
                "Four bars of 100 %: half of the games with two players never end.",
                stacked,
            ),
        ],
        runs=[note(players, policy) for players in (2, 3, 4, 5) for policy in POLICIES],
        methods=["Shares have Wilson intervals (E. B. Wilson, 1927).", "Seeds are shared."],
        warnings=["With `ace-late` and 5 players the half-width is 0.0021, above 0.002."],
    )


def lengths() -> Result:
    turns = np.arange(1, 121)
    frame = pd.DataFrame({"players": 2, "turn": turns, "estimate": 1 - np.exp(-turns / 20)})
    frame["low"], frame["high"] = frame["estimate"] - 0.002, frame["estimate"] + 0.002
    frame["n"] = 250_000
    quantiles = pd.DataFrame(
        {
            "players": [2, 3, 4],
            "quantile": ["median", "median", "median"],
            "turns": [math.inf, 31.0, 28.0],
            "turns_low": [None, 30.0, 28.0],
            "turns_high": [math.inf, 31.0, 28.0],
            "p_value": [1e-9, 0.0312, 0.5],
            "mean_difference": [-0.000001, -1234.5678, 0.25],
            "reached": [True, False, True],
            "n": pd.array([250_000, 1, None], dtype="Int64"),
        }
    )

    def draw() -> Any:
        fig, axes = style.panels(4)
        for place, ax in enumerate(axes):
            ax.plot(
                turns,
                frame["estimate"] / (place + 1),
                label="out",
                **style.line(0) | {"marker": ""},
            )
            ax.plot(
                turns,
                frame["estimate"] / (place + 3),
                label="endless & <proved>",
                **style.line(1) | {"marker": ""},
            )
            ax.set_title(f"{place + 2} players")
            ax.set_xlabel("turns")
            style.percent(ax.yaxis)
        axes[0].set_ylabel("share of deals")
        return style.finish(fig)

    return Result(
        name="lengths",
        title="How long games last",
        question="After how many turns is a game over?",
        answer="Half of the games that end are over by turn 31.",
        tables=[
            TableOut("incidence", "Games over by each turn", frame, percent=["estimate"]),
            TableOut("quantiles", "Length | turns", quantiles, digits={"turns": 0}),
        ],
        figures=[
            FigureOut(
                "incidence",
                "Deals over by each turn; n = 250 000 a panel",
                "Four panels in which two curves rise and flatten.",
                draw,
            )
        ],
        runs=[note(2, "random"), note(2, "random", ace_resets=0)],
        methods=["Seeds are shared.", "Lengths are not averaged: an endless game has none."],
    )


def light(name: str = "king-george-iii") -> Page:
    """Return a page with a single figure, for tests that are not about figures."""
    first, second = endings(), lengths()
    results = [replace(first, figures=first.figures[:1]), replace(second, figures=[])]
    return replace(page(name), results=results)


def page(name: str = "king-george-iii") -> Page:
    results = [endings(), lengths()]
    spec = PageSpec(analyses=(), preset="shuffled")
    rules: list[RulesTable] = rules_in_force("king-george-iii", spec, results)
    return Page(
        name=name,
        title="King George III",
        says="A shedding game for two to five players, with a pack of 52 cards",
        lead="Two players who choose at random never come to an end in 35.4 % of their games.",
        results=results,
        rules=rules,
        command=f"simlib report {name} --games 250000 --seed 7",
    )
