"""The value of every figure in every single game: what comparisons on common deals need.

A figure of a run is a ratio of totals over games, ``Σx / Σy``: x is what the game adds, y how
often (1; 0 where the game does not enter, such as a figure given an ending; the number of deals
in a match). Rows of a kernel and frames give the same values.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from simlib.engine import Batch
from simlib.errors import BadInput
from simlib.games.columns import Column, Metric
from simlib.setup import Setup

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FrameRows", "KernelRows", "Measure", "Meter", "Rows", "Values"]

Ints = NDArray[np.int64]
GAMES, DEALS = 0, 1


@dataclass(frozen=True)
class Measure:
    """One figure: a metric, at a seat or of the whole table, in a group or in all.

    Attributes
    ----------
    metric : Metric
    seat : int or None
    group : str or None
        Label of the game's group column (King: the contract).
    """

    metric: Metric
    seat: int | None = None
    group: str | None = None

    @property
    def key(self) -> tuple[str, int | None, str | None]:
        """Return name, seat and group, as in ``--json``."""
        return self.metric.name, self.seat, self.group


@dataclass(frozen=True)
class Values:
    """x and y of each game, and whether it enters.

    y is None where it is 1 in every game; z is 1 where y is not 0, None where that says y already.
    """

    x: Ints
    y: Ints | None
    z: Ints | None = None


class Rows(Protocol):
    """Rows of some consecutive games, wherever they come from."""

    def column(self, table: int, column: Column, seat: int | None) -> Ints:
        """Return a column in whole numbers: codes of labels, multiples of 1 / scale."""
        ...

    def starts(self) -> Ints:
        """Return where in the table of deals each game begins."""
        ...


class KernelRows:
    """Rows as a kernel wrote them."""

    def __init__(self, batch: Batch) -> None:
        self._tables = (batch.games, batch.deals)

    def column(self, table: int, column: Column, seat: int | None) -> Ints:
        """Return a column in whole numbers."""
        values = self._tables[table][column.name]
        return np.asarray(values if seat is None else values[:, seat], np.int64)

    def starts(self) -> Ints:
        """Return where in the table of deals each game begins."""
        return _starts(self._tables[DEALS]["index"])


class FrameRows:
    """Rows of the frames ``Run.games`` and ``Run.deals``, or parts of them.

    Parameters
    ----------
    setup : Setup
    games, deals : DataFrame
        Rows of the same games; `deals` may be None where each game has one deal, which then
        stands in the table of games.
    """

    def __init__(self, setup: Setup, games: pd.DataFrame, deals: pd.DataFrame | None) -> None:
        one_each = setup.game.merges_deals and setup.table.unit == "deal"
        self._tables = (games, games if one_each else deals)

    def column(self, table: int, column: Column, seat: int | None) -> Ints:
        """Return a column in whole numbers."""
        frame = self._tables[table]
        assert frame is not None
        series = frame[column.name if seat is None else f"{column.name}_{seat}"]
        if column.labels:
            return np.asarray(series.astype(_category(column)).cat.codes, np.int64)
        if column.scale != 1:
            return np.asarray(np.rint(series.to_numpy(np.float64) * column.scale), np.int64)
        return np.asarray(series, np.int64)

    def starts(self) -> Ints:
        """Return where in the table of deals each game begins."""
        frame = self._tables[DEALS]
        assert frame is not None
        return _starts(frame["index"].to_numpy())


def _category(column: Column) -> Any:
    import pandas as pd

    return pd.CategoricalDtype(pd.Index(list(column.labels)))


def _starts(index: Any) -> Ints:
    if len(index) == 0:
        return np.zeros(0, np.int64)
    return np.concatenate(([0], np.flatnonzero(np.diff(index)) + 1)).astype(np.int64)


class Meter:
    """Knows how rows of one setup become values.

    Parameters
    ----------
    setup : Setup
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        game, table = setup.game, setup.table
        self._merged = game.merges_deals and table.unit == "deal"
        self._columns: tuple[dict[str, Column], dict[str, Column]] = (
            {column.name: column for column in game.game_columns},
            {column.name: column for column in game.deal_columns},
        )
        self.codes = game.strata(table)

    @property
    def cycle(self) -> int:
        """Return after how many games the run comes round (contracts in turn)."""
        return 1 if self.codes is None else len(self.codes)

    def measures(
        self, names: Iterable[str] | None = None, *, groups: bool = False
    ) -> list[Measure]:
        """Return the figures of this setup, in the order of its metrics.

        Parameters
        ----------
        names : iterable of str, optional
            Only these metrics.
        groups : bool
            Whether figures of each group are wanted too.

        Raises
        ------
        BadInput
            If there is no such metric.
        """
        metrics = list(self.setup.game.metrics(self.setup.table))
        if names is not None:
            asked = list(names)
            known = [metric.name for metric in metrics]
            for name in asked:
                if name not in known:
                    raise BadInput(f"metric {name!r}: there are {', '.join(known)}")
            metrics = [metric for metric in metrics if metric.name in asked]
        found = [
            Measure(metric, seat)
            for metric in metrics
            for seat in (range(self.setup.players) if metric.seats else (None,))
        ]
        if groups:
            found += [
                Measure(one.metric, one.seat, label)
                for one in list(found)
                if one.metric.grouped
                for label in self._groups(one)
            ]
        return found

    def _groups(self, measure: Measure) -> list[str]:
        column = self._columns[DEALS].get(self.setup.game.group_column)
        if column is None:
            return []
        if self.per_deal(measure):
            return list(column.labels)
        codes = self.codes if self.setup.table.unit == "deal" else None
        return [column.labels[code] for code in sorted(set(codes or ()))]

    def scale(self, measure: Measure) -> int:
        """Return the denominator in whose multiples the values of a figure are kept."""
        name = measure.metric.column
        return self._columns[self._table(measure.metric)][name].scale

    def per_deal(self, measure: Measure) -> bool:
        """Tell whether a figure is per deal inside matches."""
        return measure.metric.level == "deal" and self.setup.table.unit == "match"

    def values(self, measure: Measure, rows: Rows) -> Values:
        """Return x and y of each game."""
        metric, table = measure.metric, self._table(measure.metric)
        columns = self._columns[table]
        x = rows.column(table, columns[metric.column], measure.seat)
        if metric.equals:
            x = np.isin(x, metric.equals).astype(np.int64)
        elif metric.positive:
            x = (x > 0).astype(np.int64)
        elif metric.capped:
            name, codes, option = metric.capped
            cap = int(getattr(self.setup.table.rules, option))
            capped = np.isin(rows.column(table, columns[name], None), codes)
            x = np.where(capped, cap, x)
        y = self._enters(measure, table, rows)
        if y is not None:
            x = x * y
        if not self.per_deal(measure):
            return Values(x, y)
        starts = rows.starts()
        if len(starts) == 0:
            return Values(x, x, None if y is None else x)
        if y is None:
            return Values(
                np.add.reduceat(x, starts), np.add.reduceat(np.ones(len(x), np.int64), starts)
            )
        times = np.add.reduceat(y, starts)
        return Values(np.add.reduceat(x, starts), times, (times > 0).astype(np.int64))

    def columns(self, measure: Measure) -> int:
        """Return how many of x, y and z a figure has."""
        given = measure.metric.given is not None or measure.group is not None
        if self.per_deal(measure):
            return 3 if given else 2
        return 2 if given else 1

    def _enters(self, measure: Measure, table: int, rows: Rows) -> Ints | None:
        """Return 1 for rows that enter a figure and 0 for others; None if all do."""
        found = None
        if measure.metric.given:
            name, codes = measure.metric.given
            found = np.isin(rows.column(table, self._columns[table][name], None), codes)
        if measure.group is not None:
            column = self._columns[DEALS][self.setup.game.group_column]
            code = column.labels.index(measure.group)
            same = rows.column(DEALS, column, None) == code
            found = same if found is None else found & same
        return None if found is None else found.astype(np.int64)

    def _table(self, metric: Metric) -> int:
        if metric.level == "deal":
            return DEALS
        return DEALS if self._merged and metric.column in self._columns[DEALS] else GAMES
