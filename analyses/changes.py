"""What the three analyses of house rules share: rows of differences, their order, their points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from analyses import style
from analyses.tables import records
from simlib.compare import Comparison
from simlib.setup import rule_text

__all__ = ["frame_of", "name_rows", "ordered", "points", "rows_of"]


def rows_of(
    comparison: Comparison, option: str, value: Any, more: Mapping[str, str], **cell: Any
) -> list[dict[str, Any]]:
    """Return one row a figure of a comparison of a changed rule (a) with the default (b).

    Parameters
    ----------
    comparison : Comparison
    option, value
        What was changed.
    more : mapping of str to str
        Further columns, and what they are called in the comparison's frame.
    **cell
        What else the row is about; these columns come first.
    """
    rows = []
    for row in records(comparison.frame):
        seat: str = "" if pd.isna(row["seat"]) else f"_{int(row['seat'])}"
        rows.append(
            {
                **cell,
                "option": option,
                "value": rule_text(value),
                "clause": comparison.a.table.rules.clause(option),
                "metric": f"{row['name']}{seat}",
                "changed": row["a"],
                "default": row["b"],
                "difference": row["difference"],
                "difference_low": row["low"],
                "difference_high": row["high"],
                **{name: row[column] for name, column in more.items()},
                "paired": comparison.paired,
                "n": row["n"],
            }
        )
    return rows


def frame_of(rows: Sequence[dict[str, Any]]) -> pd.DataFrame:
    """Return rows as a frame that says whose interval leaves zero out."""
    frame = pd.DataFrame(rows)
    frame["significant"] = (frame["difference_low"] > 0) | (frame["difference_high"] < 0)
    return frame


def ordered(frame: pd.DataFrame, metrics: Sequence[str], size: str) -> pd.DataFrame:
    """Order rows by metric, then by how much a change moves the first metric over all tables.

    Parameters
    ----------
    frame : DataFrame
    metrics : sequence of str
        The headline first; metrics with a seat stand after all others.
    size : str
        Column whose mean absolute value at the headline is the size of a change.
    """
    headline = frame[frame["metric"] == metrics[0]]
    sizes = headline.assign(size=headline[size].abs()).groupby(["option", "value"])["size"]
    joined = frame.join(sizes.mean().rename("order"), on=["option", "value"])
    places = {metric: place for place, metric in enumerate(metrics)}
    joined["place"] = [places.get(name, len(metrics)) for name in joined["metric"]]
    joined = joined.sort_values(
        ["place", "metric", "order", "option", "value", "players"],
        ascending=[True, True, False, True, True, True],
        kind="stable",
    )
    return joined.drop(columns=["place", "order"]).reset_index(drop=True)


def points(
    ax: Any, rows: pd.DataFrame, heights: Any, *, label: str, place: int, scale: float = 1.0
) -> None:
    """Draw differences with their intervals at some heights, as one series."""
    gap, low, high = (
        scale * rows[name] for name in ("difference", "difference_low", "difference_high")
    )
    ax.errorbar(gap, heights, xerr=[gap - low, high - gap], label=label, **style.points(place))


def name_rows(ax: Any, names: Sequence[str], unit: str) -> None:
    """Name the rows of such a drawing, from the top down, and mark where nothing changes."""
    ax.axvline(0, color=style.MUTED, linewidth=0.7)
    ax.set_yticks(range(len(names)), names)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlabel(unit)
