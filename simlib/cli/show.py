"""Tables for people, the same in every command."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["console", "estimate", "interval", "number", "percent", "table"]


def console() -> Any:
    """Return a console that cuts nothing off where the output is no terminal.

    Names that users chose are printed as they stand: no markup, no emoji.
    """
    from rich.console import Console

    from simlib.cli.output import results

    found = Console(file=results(), highlight=False, markup=False, emoji=False)
    if not found.is_terminal:
        found.width = 160  # a pipe has no width of its own
    return found


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, left: int = 1) -> Any:
    """Return a table; the first `left` columns are texts, the others stand to the right.

    Parameters
    ----------
    columns : sequence of str
        Their headings.
    rows : iterable of sequences
    left : int
    """
    from rich.table import Table
    from rich.text import Text

    found = Table(box=None, pad_edge=False)
    for place, name in enumerate(columns):
        found.add_column(
            name, justify="left" if place < left else "right", no_wrap=True, overflow="fold"
        )
    for row in rows:
        found.add_row(*(Text(cell if isinstance(cell, str) else number(cell)) for cell in row))
    return found


def number(value: Any, digits: int = 4) -> str:
    """Return a number as people read it; a dash for what is not known."""
    if value is None or value != value:
        return "-"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.{digits}g}"


def estimate(value: Any, low: Any, high: Any) -> str:
    """Return an estimate with its half-width, or with its interval where that lies to one side.

    A rate near 0 or 1 has such an interval: the half-width alone would reach past the end.
    """
    if None in (value, low, high) or value != value:
        return number(value)
    above, below = high - value, value - low
    if max(above, below) > 1.25 * min(above, below):
        return f"{number(value)} {interval(low, high)}"
    return f"{number(value)} ±{number((high - low) / 2, 2)}"


def percent(value: Any) -> str:
    """Return a share in per cent."""
    return "-" if value is None or value != value else f"{100 * value:.2f} %"


def interval(low: Any, high: Any) -> str:
    """Return an interval in brackets; a dash for one that is not known."""
    if number(low) == number(high) == "-":
        return "-"
    return f"[{number(low)}, {number(high)}]"
