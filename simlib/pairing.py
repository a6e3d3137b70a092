"""Which setups can meet the same deals, and their sums of products while they are played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from simlib.engine import Player
from simlib.errors import BadInput
from simlib.products import (
    At,
    Products,
    Strata,
    arm_estimate,
    columns_of,
    difference,
    gap,
    places,
    product_sums,
    worth,
)
from simlib.setup import Setup
from simlib.stats import LEVEL, Estimate, games_saved, minimum_detectable_difference
from simlib.values import Ints, KernelRows, Measure, Meter, Values

__all__ = ["Plan", "Row", "Sums", "Worker", "added", "apart", "cards_of", "obstacle"]

Key = tuple[str, int | None, str | None]


@dataclass(frozen=True)
class Row:
    """One figure of a comparison."""

    key: Key
    a: Estimate
    b: Estimate
    difference: Estimate
    ratio: float | None
    level: float

    def as_dict(self) -> dict[str, Any]:
        """Return the row of the frame."""
        name, seat, group = self.key
        found = self.difference
        return {
            "name": name, "seat": seat, "group": group,
            "a": self.a.estimate, "a_low": self.a.low, "a_high": self.a.high,
            "b": self.b.estimate, "b_low": self.b.low, "b_high": self.b.high,
            "difference": found.estimate, "se": found.se, "low": found.low, "high": found.high,
            "n": found.n,
            "variance_ratio": self.ratio,
            "games_saved": games_saved(found.n, self.ratio),
            # where no pair differs nothing is known of the spread of differences
            "detectable": minimum_detectable_difference(found.se or None, level=self.level),
        }  # fmt: skip


def obstacle(a: Setup, b: Setup) -> str | None:
    """Say why two setups cannot meet the same deals; None if they do (C-4)."""
    if a.table.unit != b.table.unit:
        return "the units differ (C-3)"
    if a.players != b.players:
        return "the numbers of players differ"
    if a.table != b.table and cards_of(a) != cards_of(b):
        return "the sets of cards differ (C-4)"
    return "the seeds differ" if a.seed != b.seed else None


def cards_of(setup: Setup) -> frozenset[str]:
    """Return the set of cards of a setup, read from the record of a game (C-10)."""
    policy = next(iter(setup.game.policies.values()))
    return _cards(_Hashed(setup.with_policies([policy] * setup.players)))


class _Hashed:
    """A setup as the key of a cache."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self._text = repr(sorted(setup.describe().items()))

    def __hash__(self) -> int:
        return hash(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Hashed) and self._text == other._text


@lru_cache(maxsize=256)
def _cards(key: _Hashed) -> frozenset[str]:
    from simlib.record import record_of

    deal = record_of(key.setup, 0)["deals"][0]
    return frozenset(_texts([deal["hands"], deal["stock"], deal["table"]]))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from _texts(list(value.values()))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _texts(part)


def apart(a: Setup, b: Setup) -> Setup:
    """Return `b` with seeds that share nothing with those of `a`."""
    seed = (a.seed + 1) % 2**64 if b.seed == a.seed else b.seed
    play_seed = seed if b.play_seed == b.seed else b.play_seed
    if play_seed == a.play_seed:
        play_seed = (play_seed + 1) % 2**64
    return replace(b, seed=seed, play_seed=play_seed)


class Plan:
    """Which setups are played, which of them on common deals, and which figures are kept."""

    def __init__(
        self, base: Setup, others: Sequence[Setup], metrics: list[str] | None, groups: bool
    ) -> None:
        self.setups = [base]
        self.pairs: list[tuple[int, int]] = []
        self.reasons: list[str | None] = []
        for other in others:
            if other.game.name != base.game.name:
                raise BadInput(f"compare: {other.game.name} is another game than {base.game.name}")
            why = obstacle(other, base)
            self.reasons.append(why)
            self.setups.append(other if why is None else apart(base, other))
            self.pairs.append((len(self.setups) - 1, 0))
        self.meters = [Meter(setup) for setup in self.setups]
        #: Setups whose values are multiplied with each other: pairs, or one alone.
        self.cells: list[tuple[int, ...]] = [
            pair if why is None else (pair[0],)
            for pair, why in zip(self.pairs, self.reasons, strict=True)
        ]
        if any(self.reasons):
            self.cells.append((0,))
        self.strata = [Strata([self.meters[i] for i in cell]) for cell in self.cells]
        self.cycle = int(np.lcm.reduce([strata.cycle for strata in self.strata]))
        known = [self._known(i, metrics, groups) for i in range(len(self.setups))]
        #: Figures of each comparison: those that both setups have.
        self.keys = [[key for key in known[a] if key in known[b]] for a, b in self.pairs]
        self.known = known
        wanted = [{key for keys in self.keys for key in keys} if 0 in cell else None
                  for cell in self.cells]  # fmt: skip
        self.cell_keys = [
            self.keys[i] if i < len(self.keys) else [k for k in known[0] if k in (only or ())]
            for i, only in enumerate(wanted)
        ]

    def _known(self, i: int, metrics: list[str] | None, groups: bool) -> dict[Key, Measure]:
        found = self.meters[i].measures(metrics, groups=groups)
        return {measure.key: measure for measure in found}

    def sums(self, values: Sequence[dict[Key, Values]], first: int, games: int) -> Sums:
        """Return the sums of products of some games, for each cell and figure."""
        found = []
        for cell, strata, keys in zip(self.cells, self.strata, self.cell_keys, strict=True):
            products = []
            for key in keys:
                columns = columns_of([values[i][key] for i in cell])
                of = strata.of(first, len(columns[0]))
                products.append(product_sums(columns, of, strata.count))
            found.append(products)
        return Sums(games, found)

    def rows(self, number: int, totals: list[list[Products]], level: float) -> list[Row]:
        """Turn the sums of one comparison into its rows, differences at this level."""
        keys = self.keys[number]
        if self.reasons[number] is None:
            rows = [
                self._paired_row(number, key, products, level)
                for key, products in zip(keys, totals[number], strict=True)
            ]
        else:
            base = dict(zip(self.cell_keys[-1], totals[-1], strict=True))
            rows = [
                self._independent_row(number, key, (products, base[key]), level)
                for key, products in zip(keys, totals[number], strict=True)
            ]
        # a match need not have a deal of every group
        return [
            row for row in rows if row.key[2] is None or {row.a.estimate, row.b.estimate} != {None}
        ]

    def reason(self, number: int) -> str:
        """Say why a comparison is paired, or why not."""
        why = self.reasons[number]
        if why is None:
            return "both met the same deals (C-4)"
        a, b = (self.setups[i] for i in self.pairs[number])
        return (
            f"{why}; each was played on deals of its own: the variant (a) with seed {a.seed},"
            f" the base (b) with seed {b.seed}"
        )

    def _places(self, setups: Sequence[int], key: Key) -> list[At]:
        """Return the columns of a figure of some setups in their sums of products."""
        columns = [self.meters[i].columns(self.known[i][key]) for i in setups]
        return places(columns, self.meters[setups[0]].per_deal(self.known[setups[0]][key]))

    def _arm(self, i: int, key: Key, products: Products, at: At) -> Estimate:
        measure, meter = self.known[i][key], self.meters[i]
        return arm_estimate(
            measure,
            products,
            at,
            scale=meter.scale(measure),
            deals=meter.per_deal(measure),
            level=LEVEL,
        )

    def _paired_row(self, number: int, key: Key, products: Products, level: float) -> Row:
        pair, strata = self.pairs[number], self.strata[number]
        at = self._places(pair, key)
        arms = [self._arm(i, key, strata.own(products, k), at[k]) for k, i in enumerate(pair)]
        measure = self.known[pair[0]][key]
        scale = self.meters[pair[0]].scale(measure)
        found = difference(measure, products, at[0], at[1], scale=scale, level=level)
        ratio = worth(products, at[0], at[1])
        return Row(key, arms[0], arms[1], found, ratio, level)

    def _independent_row(
        self, number: int, key: Key, arms: tuple[Products, Products], level: float
    ) -> Row:
        pair = self.pairs[number]
        found = [
            self._arm(i, key, products, self._places([i], key)[0])
            for i, products in zip(pair, arms, strict=True)
        ]
        measure = self.known[pair[0]][key]
        alike = all(len(products) == 1 for products in arms)  # one stratum each
        plain = alike and not self.meters[pair[0]].per_deal(measure)
        between = gap(measure, found[0], found[1], plain=plain, level=level)
        return Row(key, found[0], found[1], between, None, level)


@dataclass(frozen=True)
class Sums:
    """What one chunk left: games, and the sums of products of each cell and figure."""

    games: int
    sums: list[list[Products]]


def added(a: list[list[Products]], b: list[list[Products]]) -> list[list[Products]]:
    """Add the sums of two chunks."""
    return [[x + y for x, y in zip(p, q, strict=True)] for p, q in zip(a, b, strict=True)]


class Worker:
    """Plays the same range of games under every setup of a plan."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._players = [Player(setup) for setup in plan.setups]
        self._keys = [
            {key for c, cell in enumerate(plan.cells) if i in cell for key in plan.cell_keys[c]}
            for i in range(len(plan.setups))
        ]

    def stop(self) -> None:
        """Ask the kernel to stop before its next game."""
        for player in self._players:
            player.stop()

    def work(self, first: int, count: int) -> Sums:
        """Play some games and return their sums of products."""
        values = [self._values(i, first, count) for i in range(len(self._players))]
        return self._plan.sums(values, first, count)

    def _values(self, i: int, first: int, count: int) -> dict[Key, Values]:
        meter, known = self._plan.meters[i], self._plan.known[i]
        parts: list[dict[Key, Values]] = []
        for batch in self._players[i].play(first, count):
            rows = KernelRows(batch)
            parts.append({key: meter.values(known[key], rows) for key in self._keys[i]})
        if len(parts) == 1:
            return parts[0]
        return {key: _joined([part[key] for part in parts]) for key in self._keys[i]}


def _joined(parts: Sequence[Values]) -> Values:
    def whole(columns: Sequence[Ints | None]) -> Ints | None:
        there = [column for column in columns if column is not None]
        return np.concatenate(there) if there else None

    x = np.concatenate([part.x for part in parts])
    return Values(x, whole([part.y for part in parts]), whole([part.z for part in parts]))
