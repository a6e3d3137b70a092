"""How a game describes its tables and its figures: columns and metrics.

A column is declared once; the row dtype of the kernel, the frame, the Parquet schema and the
data dictionary all follow from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

__all__ = ["Column", "Metric", "row_dtype"]


@dataclass(frozen=True)
class Column:
    """One column of a table of games or deals.

    Attributes
    ----------
    name : str
        Column name; a per-seat column is followed by ``_0``, ``_1`` … in frames.
    code : str
        numpy type code of the kernel's row.
    says : str
        What it means.
    unit : str
        Unit, empty for plain counts.
    seats : int
        0, or the number of seats of a per-seat column.
    labels : tuple of str
        Names of the codes of a categorical column; -1 means none.
    scale : int
        The frame shows the stored whole number divided by this.
    clause : str
        Clause of RULES.md.
    """

    name: str
    code: str
    says: str
    unit: str = ""
    seats: int = 0
    labels: tuple[str, ...] = ()
    scale: int = 1
    clause: str = ""


def row_dtype(columns: Sequence[Column]) -> np.dtype[np.void]:
    """Return the record dtype of these columns, aligned."""
    return np.dtype(
        [(c.name, c.code, (c.seats,)) if c.seats else (c.name, c.code) for c in columns],
        align=True,
    )


@dataclass(frozen=True)
class Metric:
    """One figure of a run, computed from a column.

    Attributes
    ----------
    name : str
        As in ``--json``, frames, reports and documentation.
    kind : {"rate", "mean"}
        A share of games with a Wilson interval, or a mean with a t interval.
    column : str
        Where its values stand.
    says : str
        What it counts and over what.
    seats : bool
        Whether it has one value a seat.
    equals : tuple of int
        For a rate: the codes that count.
    positive : bool
        For a rate: every value above zero counts.
    given : (column, codes), optional
        Only rows with these codes enter; n says how many.
    capped : (column, codes, option), optional
        Rows with these codes count as the value of that option.
    grouped : bool
        Whether it is also given for each group (King: each contract).
    level : {"game", "deal"}
        The table it is computed from. In matches a figure per deal is a ratio estimate
        over games.
    least, most : float or None
        Range of the values of a mean, in its own unit; None: no such end. Intervals end there.
    """

    name: str
    kind: Literal["rate", "mean"]
    column: str
    says: str
    seats: bool = False
    equals: tuple[int, ...] = ()
    positive: bool = False
    given: tuple[str, tuple[int, ...]] | None = None
    capped: tuple[str, tuple[int, ...], str] | None = None
    grouped: bool = False
    level: Literal["game", "deal"] = "game"
    least: float | None = 0.0
    most: float | None = None

    @property
    def range(self) -> tuple[float | None, float | None]:
        """Return the least and the largest value that the figure can have."""
        return (0.0, 1.0) if self.kind == "rate" else (self.least, self.most)

    @property
    def range_of_difference(self) -> tuple[float | None, float | None]:
        """Return the least and the largest difference of two such figures."""
        least, most = self.range
        if least is None or most is None:
            return None, None
        return least - most, most - least
