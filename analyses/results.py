"""What an analysis hands over: an answer, tables, figures, and the runs behind them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from simlib.frames import copied

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["FigureOut", "Result", "RunNote", "TableOut"]


@copied("frame")
@dataclass(frozen=True)
class TableOut:
    """A tidy frame to be shown and saved as CSV.

    Attributes
    ----------
    key : str
        File name without ending, unique within its report.
    title : str
        What the table shows, with units.
    frame : DataFrame
        Numbers unrounded; the CSV holds them so. Columns ``estimate``, ``low``, ``high``,
        ``half_width``, ``n`` are understood by the page; rates are shares from 0 to 1.
    percent : sequence of str
        Columns that the page shows in per cent.
    digits : mapping of column to number of decimals
        For the other number columns of the page.
    notes : sequence of str
        Sentences below the table.
    """

    key: str
    title: str
    frame: pd.DataFrame
    percent: Sequence[str] = ()
    digits: dict[str, int] = field(default_factory=dict)
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class FigureOut:
    """A figure that draws itself when it is asked for.

    Attributes
    ----------
    key : str
        File name without ending, unique within its report.
    title : str
        Caption, saying what is on the axes, units and n.
    alt : str
        Alternative text: what a person would see and read off; numbers come from the frames.
    draw : callable
        Returns a matplotlib figure, drawn in the house style (``analyses.style``).
    """

    key: str
    title: str
    alt: str
    draw: Callable[[], Figure]


@dataclass(frozen=True)
class RunNote:
    """One run behind an analysis: the command that plays it again, and its manifest."""

    command: str
    manifest: dict[str, Any]


@dataclass(frozen=True)
class Result:
    """One finished analysis.

    Attributes
    ----------
    name : str
        Name of the analysis ("endings").
    title, question : str
        For people.
    answer : str
        The answer in one or two sentences; every number comes from the frames.
    tables, figures, runs : sequences
    methods : sequence of str
        How the figures were computed; sentences with their sources.
    warnings : sequence of str
        Where a promised precision was not reached, a cap was hit, a sample is smaller.
    """

    name: str
    title: str
    question: str
    answer: str
    tables: Sequence[TableOut] = ()
    figures: Sequence[FigureOut] = ()
    runs: Sequence[RunNote] = ()
    methods: Sequence[str] = ()
    warnings: Sequence[str] = ()
