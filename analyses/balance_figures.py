"""Pictures of balance: the skill ladder, and the parts of the variance of a result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from analyses import style
from analyses.balance_skill import COMPONENTS
from analyses.tables import groups

__all__ = ["draw_ladder", "draw_luck"]


def draw_ladder(ladders: pd.DataFrame) -> Figure:
    """Draw each policy's difference to the foot of the ladder."""
    fig, ax = style.figure(height=3.4)
    rows = ladders[ladders["against"] == "random"]
    order = [str(p) for p in rows.groupby("policy")["estimate"].mean().sort_values().index]
    places = {policy: place for place, policy in enumerate(order)}
    for number, ((players,), part) in enumerate(groups(rows, "players")):
        part = part.assign(place=part["policy"].map(places)).sort_values("place")
        errors = [part["estimate"] - part["low"], part["high"] - part["estimate"]]
        ax.errorbar(
            part["place"],
            part["estimate"],
            yerr=errors,
            capsize=2,
            label=f"{players} players",
            **style.line(number),
        )
    ax.axhline(0.0, color=style.MUTED, linewidth=0.7)
    ax.set_xticks(range(len(order)), order, rotation=20, ha="right")
    ax.set(ylabel="win share above random")
    style.percent(ax.yaxis)
    return style.finish(fig)


def draw_luck(luck: pd.DataFrame) -> Figure:
    """Draw the parts of the variance as stacked bars."""
    cells = list(dict.fromkeys(zip(luck["players"], luck["population"], strict=True)))
    fig, ax = style.figure(height=0.8 + 0.42 * len(cells))
    shown = {"policy": "skill", "hand": "luck of the hand", "play": "chance in play"}
    left = np.zeros(len(cells))
    for number, name in enumerate([*shown, "rest"]):
        width = np.array([_part(luck, cell, name, list(shown)) for cell in cells])
        ax.barh(
            range(len(cells)), width, left=left, label=shown.get(name, name), **style.bar(number)
        )
        left = left + width
    labels = [f"{n} players: {_short(who)}" for n, who in cells]
    ax.set_yticks(range(len(cells)), labels)
    ax.invert_yaxis()
    ax.set(xlabel="share of the variance of a player's win share")
    style.percent(ax.xaxis)
    return style.finish(fig)


def _part(luck: pd.DataFrame, cell: tuple[Any, Any], name: str, shown: Sequence[str]) -> float:
    same = (luck["players"] == cell[0]) & (luck["population"] == cell[1])
    shares = luck[same].set_index("component")["share"].clip(lower=0.0)
    if name == "rest":
        return float(shares[[part for part in COMPONENTS if part not in shown]].sum())
    return float(shares[name])


def _short(population: str) -> str:
    parts = population.split(", ")
    return population if len(parts) < 3 else f"{parts[0]} … {parts[-1]}"
