"""Folds rows into small tables that merge by addition, and turns those into figures.

Everything is whole numbers: merged tables are equal to the bit whatever the order, for any
number of threads, chunks or machines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numba import types

from simlib.engine import Batch
from simlib.games.columns import Column, Metric
from simlib.jit import Compiled
from simlib.setup import Setup
from simlib.stats import (
    LEVEL,
    Estimate,
    MeanSums,
    MetricSums,
    RateSums,
    RatioSums,
    StratifiedRateSums,
    StratifiedSums,
)
from simlib.stats.stopping import skewness

__all__ = ["Figure", "Folder", "Sums"]

#: Bins of a histogram: it only finds the most frequent value, so that outer values may be cut.
BINS = 512
#: Smallest value of the histogram, by type code of the column.
BASE = {"i1": -128, "u1": 0, "?": 0, "i2": -256, "i4": 0, "i8": 0}
LOW = 0xFFFFFFFF

#: Fields of a specification row.
KIND, OFFSET, WIDTH, CODES, GIVEN, GIVEN_CODES, CAPPED, CAPPED_CODES, CAP, BASE_AT, FIELDS = range(
    11
)
VALUE, EQUALS, POSITIVE = range(3)


def _read(i1: Any, i2: Any, i4: Any, i8: Any, row: int, offset: int, width: int) -> Any:
    if width == 1:
        return np.int64(i1[row + offset])
    if width == 2:
        return np.int64(i2[(row + offset) >> 1])
    if width == 4:
        return np.int64(i4[(row + offset) >> 2])
    return np.int64(i8[(row + offset) >> 3])


def _make_fold() -> Any:
    from simlib.jit import helper

    read = helper(_read)

    def fold(
        i1: Any, i2: Any, i4: Any, i8: Any, size: int, rows: int, specs: Any, groups: Any,
        sums: Any, bins: Any,
    ) -> None:  # fmt: skip
        """Add rows to ``sums[group, metric] = (n, total, squares high, squares low)``."""
        for m in range(specs.shape[0]):
            kind = specs[m, KIND]
            for r in range(rows):
                row = r * size
                if specs[m, GIVEN] >= 0:
                    code = np.int64(i1[row + specs[m, GIVEN]]) + 1
                    if not (specs[m, GIVEN_CODES] >> code) & 1:
                        continue
                value = read(i1, i2, i4, i8, row, specs[m, OFFSET], specs[m, WIDTH])
                if kind == EQUALS:
                    value = (specs[m, CODES] >> (value + 1)) & 1
                elif kind == POSITIVE:
                    value = 1 if value > 0 else 0
                elif specs[m, CAPPED] >= 0:
                    code = np.int64(i1[row + specs[m, CAPPED]]) + 1
                    if (specs[m, CAPPED_CODES] >> code) & 1:
                        value = specs[m, CAP]
                g = groups[r] if groups.shape[0] > 0 else 0
                sums[g, m, 0] += 1
                sums[g, m, 1] += value
                if kind == VALUE:
                    square = value * value
                    sums[g, m, 2] += square >> 32
                    sums[g, m, 3] += square & LOW
                    place = min(max(value - specs[m, BASE_AT], 0), BINS - 1)
                    bins[g, m, place] += 1

    return fold


def _make_fold_ratio() -> Any:
    from simlib.jit import helper

    read = helper(_read)

    def fold_ratio(
        i1: Any, i2: Any, i4: Any, i8: Any, size: int, rows: int, index_at: int, specs: Any,
        groups: Any, sums: Any, bins: Any, now: Any,
    ) -> None:  # fmt: skip
        """Add the deals of whole matches: per game x and d, then sums of both and products.

        A match without a deal of a group (d = 0) is none of the n behind that group's figures.
        """
        cells = sums.shape[0]
        metrics = specs.shape[0]
        for r in range(rows + 1):
            ended = r == rows
            if not ended and r > 0:
                ended = i8[(r * size + index_at) >> 3] != i8[((r - 1) * size + index_at) >> 3]
            if ended and r > 0:
                for g in range(cells):
                    for m in range(metrics):
                        x = now[g, m, 0]
                        d = now[g, m, 1]
                        if d == 0:
                            continue
                        sums[g, m, 0] += 1
                        sums[g, m, 1] += x
                        sums[g, m, 2] += d
                        sums[g, m, 3] += x * x
                        sums[g, m, 4] += x * d
                        sums[g, m, 5] += d * d
                        bins[g, m, min(max(x + BINS // 2, 0), BINS - 1)] += 1
                        now[g, m, 0] = 0
                        now[g, m, 1] = 0
            if r == rows:
                break
            row = r * size
            for m in range(metrics):
                if specs[m, GIVEN] >= 0:
                    code = np.int64(i1[row + specs[m, GIVEN]]) + 1
                    if not (specs[m, GIVEN_CODES] >> code) & 1:
                        continue
                value = read(i1, i2, i4, i8, row, specs[m, OFFSET], specs[m, WIDTH])
                if specs[m, KIND] == EQUALS:
                    value = (specs[m, CODES] >> (value + 1)) & 1
                elif specs[m, KIND] == POSITIVE:
                    value = 1 if value > 0 else 0
                now[0, m, 0] += value
                now[0, m, 1] += 1
                if groups.shape[0] > 0 and groups[r] >= 0:
                    now[1 + groups[r], m, 0] += value
                    now[1 + groups[r], m, 1] += 1

    return fold_ratio


def _array(kind: Any, dims: int = 1) -> Any:
    return types.Array(kind, dims, "C")


_BYTES = (_array(types.int8), _array(types.int16), _array(types.int32), _array(types.int64))
_I8 = types.int64
_fold = Compiled(
    _make_fold(),
    lambda: types.void(
        *_BYTES, _I8, _I8, _array(_I8, 2), _array(_I8), _array(_I8, 3), _array(_I8, 3)
    ),
)
_fold_ratio = Compiled(
    _make_fold_ratio(),
    lambda: types.void(*_BYTES, *[_I8] * 3, _array(_I8, 2), _array(_I8), *[_array(_I8, 3)] * 3),
)


@dataclass(frozen=True)
class Figure:
    """One figure of a run: a metric, for a seat or all, for a group or all."""

    metric: Metric
    seat: int | None
    group: str | None
    sums: MetricSums

    def estimate(self, level: float = LEVEL) -> Estimate:
        """Return the figure, its interval cut to what the metric can be.

        Stopping by precision takes the uncut one, ``sums.estimate()``: a cut would count as
        knowing more.
        """
        return self.sums.estimate(level).within(*self.metric.range, level=level)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields of ``--json``."""
        estimate = self.estimate()
        return {
            "name": self.metric.name,
            "seat": self.seat,
            "group": self.group,
            "estimate": estimate.estimate,
            "se": estimate.se,
            "low": estimate.low,
            "high": estimate.high,
            "n": estimate.n,
        }


@dataclass(frozen=True)
class _Cell:
    """One metric at one seat, and where its specification stands."""

    metric: Metric
    seat: int | None
    table: int  # 0 games, 1 deals
    place: int


class Sums:
    """The sufficient statistics of a run; ``a + b`` is the run of both.

    Attributes
    ----------
    games : int
        Games counted.
    plain : list of two pairs of int64 arrays
        For each table: ``sums[group, metric, 4]`` and ``bins[group, metric, BINS]``.
    ratio : pair of int64 arrays
        For matches: ``sums[1 + group, metric, 6]`` and its bins.
    """

    def __init__(self, games: int, arrays: Sequence[np.ndarray]) -> None:
        self.games = games
        self.arrays = list(arrays)

    def __add__(self, other: Sums) -> Sums:
        return Sums(
            self.games + other.games,
            [a + b for a, b in zip(self.arrays, other.arrays, strict=True)],
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Sums)
            and self.games == other.games
            and all(map(np.array_equal, self.arrays, other.arrays))
        )

    __hash__ = None  # type: ignore[assignment]

    def add(self, other: Sums) -> None:
        """Add in place."""
        self.games += other.games
        for mine, theirs in zip(self.arrays, other.arrays, strict=True):
            mine += theirs


class Folder:
    """Knows how rows of one setup become sums, and sums become figures."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        game, table = setup.game, setup.table
        self._merged = game.merges_deals and table.unit == "deal"
        self._codes = game.strata(table)
        self._labels = self._group_labels()
        self._dtypes = (game.game_dtype, game.deal_dtype)
        self._columns: tuple[dict[str, Column], dict[str, Column]] = (
            {c.name: c for c in game.game_columns},
            {c.name: c for c in game.deal_columns},
        )
        self._cells: list[_Cell] = []
        self._ratios: list[_Cell] = []
        specs: list[list[list[int]]] = [[], []]
        ratios: list[list[int]] = []
        for metric in game.metrics(table):
            for seat in range(setup.players) if metric.seats else (None,):
                where = self._table_of(metric)
                spec = self._spec(metric, seat, where)
                if metric.level == "deal" and table.unit == "match":
                    self._ratios.append(_Cell(metric, seat, 1, len(ratios)))
                    ratios.append(spec)
                else:
                    self._cells.append(_Cell(metric, seat, where, len(specs[where])))
                    specs[where].append(spec)
        self._order = [
            (metric, seat)
            for metric in game.metrics(table)
            for seat in (range(setup.players) if metric.seats else (None,))
        ]
        self._specs = [np.array(rows, np.int64).reshape(-1, FIELDS) for rows in specs]
        self._ratio_specs = np.array(ratios, np.int64).reshape(-1, FIELDS)
        self._groups = len(self._labels) if self._codes is not None else 1

    def _group_labels(self) -> tuple[str, ...]:
        name = self.setup.game.group_column
        for column in self.setup.game.deal_columns:
            if column.name == name:
                return column.labels
        return ()

    def _table_of(self, metric: Metric) -> int:
        if metric.level == "deal":
            return 1
        if self._merged and metric.column in self._columns[1]:
            return 1
        return 0

    def _spec(self, metric: Metric, seat: int | None, where: int) -> list[int]:
        dtype, columns = self._dtypes[where], self._columns[where]

        def offset(name: str) -> int:
            fields = dtype.fields
            assert fields is not None
            return int(fields[name][1])

        column = columns[metric.column]
        width = np.dtype(column.code).itemsize
        spec = [0] * FIELDS
        spec[KIND] = EQUALS if metric.equals else POSITIVE if metric.positive else VALUE
        spec[OFFSET] = offset(metric.column) + (seat or 0) * width
        spec[WIDTH] = width
        spec[CODES] = sum(1 << (code + 1) for code in metric.equals)
        spec[GIVEN] = spec[CAPPED] = -1
        spec[BASE_AT] = BASE[column.code]
        if metric.given:
            spec[GIVEN] = offset(metric.given[0])
            spec[GIVEN_CODES] = sum(1 << (code + 1) for code in metric.given[1])
        if metric.capped:
            spec[CAPPED] = offset(metric.capped[0])
            spec[CAPPED_CODES] = sum(1 << (code + 1) for code in metric.capped[1])
            spec[CAP] = int(getattr(self.setup.table.rules, metric.capped[2]))
        return spec

    @property
    def cycle(self) -> int:
        """Return after how many games the run comes round (contracts in turn)."""
        return 1 if self._codes is None else len(self._codes)

    def build(self) -> None:
        """Compile what folding needs, so that no run is timed with it."""
        _fold.build()
        if len(self._ratio_specs):
            _fold_ratio.build()

    def new(self) -> Sums:
        """Return sums of no game."""
        arrays = []
        for specs in self._specs:
            arrays.append(np.zeros((self._groups, len(specs), 4), np.int64))
            arrays.append(np.zeros((self._groups, len(specs), BINS), np.int64))
        cells = 1 + len(self._labels)
        arrays.append(np.zeros((cells, len(self._ratio_specs), 6), np.int64))
        arrays.append(np.zeros((cells, len(self._ratio_specs), BINS), np.int64))
        return Sums(0, arrays)

    def fold(self, batch: Batch, into: Sums) -> None:
        """Add the rows of some whole games."""
        into.games += len(batch.games)
        groups = np.zeros(0, np.int64)
        if self._labels and len(batch.deals):
            groups = batch.deals[self.setup.game.group_column].astype(np.int64)
        for where, rows in enumerate((batch.games, batch.deals)):
            specs = self._specs[where]
            if len(specs):
                in_strata = groups if self._codes is not None else groups[:0]
                sums, bins = into.arrays[2 * where : 2 * where + 2]
                _fold(*_views(rows), rows.dtype.itemsize, len(rows), specs, in_strata, sums, bins)
        if len(self._ratio_specs):
            rows = batch.deals
            fields = rows.dtype.fields
            assert fields is not None
            sums, bins = into.arrays[4:6]
            _fold_ratio(
                *_views(rows),
                rows.dtype.itemsize,
                len(rows),
                int(fields["index"][1]),
                self._ratio_specs,
                groups,
                sums,
                bins,
                np.zeros((sums.shape[0], sums.shape[1], 2), np.int64),
            )

    # --- from sums to figures ------------------------------------------------------------

    @cached_property
    def _weights(self) -> dict[int, float]:
        codes = self._codes or ()
        return {code: list(codes).count(code) / len(codes) for code in sorted(set(codes))}

    def figures(self, sums: Sums) -> list[Figure]:
        """Return every figure of the run, in the order of its metrics."""
        cells = {(cell.metric.name, cell.seat): cell for cell in self._cells}
        ratios = {(cell.metric.name, cell.seat): cell for cell in self._ratios}
        found = []
        for metric, seat in self._order:
            key = (metric.name, seat)
            if key in cells:
                found.append(Figure(metric, seat, None, self._overall(cells[key], sums)))
            else:
                found.append(Figure(metric, seat, None, self._ratio(ratios[key], 0, sums)))
        for metric, seat in self._order:
            if not metric.grouped:
                continue
            key = (metric.name, seat)
            for g, label in enumerate(self._labels):
                if key in cells and self._codes is not None and g in self._weights:
                    one = self._one(cells[key], g, sums)
                    found.append(Figure(metric, seat, label, one))
                elif key in ratios and sums.arrays[4][1 + g, ratios[key].place, 2] > 0:
                    cell = ratios[key]
                    found.append(Figure(metric, seat, label, self._ratio(cell, 1 + g, sums)))
        return found

    def _scale(self, cell: _Cell) -> int:
        return self._columns[cell.table][cell.metric.column].scale

    def _one(self, cell: _Cell, group: int, sums: Sums) -> RateSums | MeanSums:
        counts, bins = sums.arrays[2 * cell.table : 2 * cell.table + 2]
        n, total, high, low = (int(value) for value in counts[group, cell.place])
        if cell.metric.kind == "rate":
            return RateSums(total, n)
        seen = bins[group, cell.place]
        places = np.flatnonzero(seen)
        # outer values are cut: of a long tail this is less than its skewness
        skew = skewness(places.tolist(), seen[places].tolist())
        off = n - int(seen.max())
        return MeanSums(n, total, (high << 32) + low, off, self._scale(cell), skew)

    def _overall(self, cell: _Cell, sums: Sums) -> MetricSums:
        if self._codes is None:
            return self._one(cell, 0, sums)
        parts = {g: self._one(cell, g, sums) for g in self._weights}
        if cell.metric.kind == "rate":
            rates = {g: part for g, part in parts.items() if isinstance(part, RateSums) and part.n}
            if len(rates) == 1:
                return next(iter(rates.values()))
            shares = tuple(self._weights[g] for g in rates)
            return StratifiedRateSums(tuple(rates.values()), shares)
        means = {g: part for g, part in parts.items() if isinstance(part, MeanSums) and part.n}
        if len(means) == 1:
            return next(iter(means.values()))
        weights = tuple(self._weights[g] for g in means)
        return StratifiedSums(tuple(means.values()), weights)

    def _ratio(self, cell: _Cell, group: int, sums: Sums) -> RatioSums:
        counts, bins = sums.arrays[4:6]
        n, x, d, xx, xd, dd = (int(value) for value in counts[group, cell.place])
        off = n - int(bins[group, cell.place].max())
        return RatioSums(n, x, d, xx, xd, dd, off, self._scale(cell))


def _views(rows: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return one buffer as arrays of 1, 2, 4 and 8 bytes."""
    flat = rows.view(np.int8).reshape(-1)
    whole = len(flat) // 8 * 8
    return (
        flat,
        flat[: len(flat) // 2 * 2].view(np.int16),
        flat[: len(flat) // 4 * 4].view(np.int32),
        flat[:whole].view(np.int64),
    )
