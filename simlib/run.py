"""What a run leaves: figures, frames, and how it was made."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simlib.errors import BadInput
from simlib.frames import as_html, cached_frame
from simlib.setup import Setup
from simlib.sums import Figure, Folder, Sums

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Run", "games_needed", "table_in_common"]

Rows = list[tuple[int, Any, Any]]


class Run:
    """The result of :func:`simlib.simulate`.

    Attributes
    ----------
    setup : Setup
        What was played.
    sums : Sums
        Mergeable sufficient statistics.
    elapsed : float
        Seconds of play.
    precision : dict or None
        Half-widths that were asked for.
    met : bool
        Whether they were reached (True if none were asked for).
    path : Path, str or None
        The folder of a stored run, or its address.
    played : int
        Games played now: fewer than it has where some were stored already.
    """

    def __init__(
        self,
        *,
        setup: Setup,
        folder: Folder,
        sums: Sums,
        elapsed: float,
        rows: Rows | None = None,
        precision: dict[str, float] | None = None,
        met: bool = True,
        path: Path | str | None = None,
        played: int = 0,
    ) -> None:
        self.setup = setup
        self.sums = sums
        self.elapsed = elapsed
        self.precision = precision
        self.met = met
        self.path = path
        self.played = played
        self._folder = folder
        self._rows = rows

    def __len__(self) -> int:
        return self.sums.games

    @cached_property
    def figures(self) -> list[Figure]:
        """Return every figure: metric, seat, group, sufficient statistics."""
        return self._folder.figures(self.sums)

    @cached_frame
    def metrics(self) -> pd.DataFrame:
        """Return the tidy frame behind ``--json``.

        Columns: name, seat (null: all), group (null: all), estimate, se, low, high (95 %), n.
        """
        import pandas as pd

        frame = pd.DataFrame([figure.as_dict() for figure in self.figures])
        return frame.astype({"seat": "Int64", "group": "object"})

    def figure(self, name: str, seat: int | None = None, group: str | None = None) -> Figure:
        """Return one figure.

        Raises
        ------
        BadInput
            If the run has no such figure.
        """
        for figure in self.figures:
            if (figure.metric.name, figure.seat, figure.group) == (name, seat, group):
                return figure
        names = ", ".join(dict.fromkeys(f.metric.name for f in self.figures))
        raise BadInput(f"metric {name!r}, seat {seat}, group {group}: this run has {names}")

    @cached_frame
    def games(self) -> pd.DataFrame:
        """Return the table of games: one row a game (C-8).

        Raises
        ------
        BadInput
            If the rows were not kept.
        """
        return self._frame("games")

    @cached_frame
    def deals(self) -> pd.DataFrame:
        """Return the table of deals: one row a deal, playoffs and matches included (C-8).

        Raises
        ------
        BadInput
            If the rows were not kept.
        """
        return self._frame("deals")

    def _frame(self, table: str) -> pd.DataFrame:
        import pandas as pd

        from simlib.frames import deals_frame, games_frame

        if self.path is not None:
            from simlib.store import read_table

            return read_table(self.path, table)
        if self._rows is None:
            raise BadInput('the rows of this run were not kept: simulate(..., keep="games")')
        if table == "games":
            parts = [games_frame(self.setup, first, g, d) for first, g, d in self._rows]
        else:
            parts = [deals_frame(self.setup, d) for _, _, d in self._rows]
        return pd.concat(parts, ignore_index=True) if len(parts) > 1 else parts[0]

    @property
    def manifest(self) -> dict[str, Any]:
        """Return how the run was made: enough to play it again."""
        from simlib.manifest import describe

        return describe(self)

    def as_dict(self) -> dict[str, Any]:
        """Return the object that ``run --json`` prints."""
        asked = self.setup.describe()
        rate = self.sums.games / self.elapsed if self.elapsed > 0 else None
        result = {
            key: asked[key] for key in ("game", "variety", "players", "unit", "rules", "policies")
        }
        result |= {
            "seed": asked["seed"],
            **({} if asked["play_seed"] == asked["seed"] else {"play_seed": asked["play_seed"]}),
            "games": self.sums.games,
            "elapsed_s": round(self.elapsed, 6),
            "games_per_s": round(rate, 1) if rate is not None else None,
            "metrics": [figure.as_dict() for figure in self.figures],
        }
        if self.precision:
            result["precision"] = {"asked": self.precision, "met": self.met}
        return result

    def title(self) -> str:
        """Return one line that says what was played."""
        who, how = table_in_common([self.setup])
        return f"{who}: {self.sums.games:,} games{how}"

    def __repr__(self) -> str:
        return f"<Run: {self.title()}>"

    def _repr_html_(self) -> str:
        """Show the figures in Jupyter."""
        shown = self.metrics[self.metrics["group"].isna()].drop(columns="group")
        table = as_html(shown, 5)
        rules = self.setup.rules_text() or "default rules"
        return (
            f"<p><b>{html.escape(self.title())}</b><br>{html.escape(rules)};"
            f" {self.sums.games / max(self.elapsed, 1e-9):,.0f} games/s;"
            f" 95 % intervals</p>{table}"
        )


def table_in_common(setups: Sequence[Setup]) -> tuple[str, str]:
    """Return who plays what, and unit and seeds, as far as all these setups have it in common.

    Parameters
    ----------
    setups : sequence of Setup
        At least one.

    Returns
    -------
    tuple of str
        For example ``"King (minsk), 3 players, duck"`` and ``" (unit deal), seed 0"``.
    """
    first = setups[0]
    facts = [_facts(setup) for setup in setups]
    same = {key: value for key, value in facts[0].items() if all(f[key] == value for f in facts)}
    name = first.game.title + (f" ({same['variety']})" if same.get("variety") else "")
    who = [name]
    who += [f"{same['players']} players"] if "players" in same else []
    who += [same["policies"]] if "policies" in same else []
    how = f" (unit {same['unit']})" if "unit" in same else ""
    how += f", seed {same['seed']}" if "seed" in same else ""
    if any(setup.play_seed != setup.seed for setup in setups) and "play_seed" in same:
        how += f", play seed {same['play_seed']}"
    return ", ".join(who), how


def _facts(setup: Setup) -> dict[str, Any]:
    facts = {key: setup.describe()[key] for key in ("variety", "players", "unit")}
    policies = [policy.spec for policy in setup.policies]
    who = policies[0] if len(set(policies)) == 1 else ", ".join(policies)
    return {**facts, "policies": who, "seed": setup.seed, "play_seed": setup.play_seed}


def games_needed(figures: Iterable[Figure], games: int, precision: Mapping[str, float]) -> float:
    """Estimate how many games half-widths take: n × (half-width / asked)², the most of all.

    Parameters
    ----------
    figures : iterable of Figure
        Of `games` games.
    games : int
    precision : mapping
        Metric name to half-width.

    Returns
    -------
    float
        Infinite where a figure has no width yet. Not above `games` where every width is
        narrow enough, but too few values were seen to believe it.
    """
    needed = 0.0
    for figure in figures:
        if figure.metric.name in precision and figure.group is None:
            width = figure.sums.estimate().half_width
            ratio = math.inf if width is None else width / precision[figure.metric.name]
            needed = max(needed, games * ratio**2)
    return needed


def json_number(value: Any) -> Any:
    """Return numpy numbers as plain ones."""
    return value.item() if isinstance(value, np.generic) else value
