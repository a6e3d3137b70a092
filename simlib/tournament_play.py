"""Who sits where in a tournament, and what is kept of its games: whole numbers by block of deals.

Every deal is played in all arrangements of all line-ups. Deals are gathered in at most `BLOCKS`
blocks of consecutive deals; resampling draws blocks, which are as independent as deals are, so
that memory does not grow with their number.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simlib.engine import Player
from simlib.errors import BadInput
from simlib.rotation import rotations
from simlib.setup import Setup
from simlib.values import KernelRows, Meter

__all__ = ["Lineup", "Plan", "Table", "Worker", "arrangements", "lineups"]

#: Most blocks of deals that are kept apart.
BLOCKS = 2000
#: Deals in a chunk, about.
CHUNK = 1024
#: Permutations of a table are listed up to this number of seats.
MOST_SEATS = 7
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Lineup:
    """Which policies are at a table, by number, and every arrangement that is played.

    Attributes
    ----------
    members : tuple of int
        One a seat, ascending.
    arrangements : tuple of tuple of int
        Policy at seat 0, 1, ….
    """

    members: tuple[int, ...]
    arrangements: tuple[tuple[int, ...], ...]


def arrangements(members: Sequence[int], most: int) -> tuple[tuple[int, ...], ...]:
    """Return the different ways to seat a line-up, at most about `most` of them.

    Parameters
    ----------
    members : sequence of int
        Policies, with repeats.
    most : int
        Where there are more ways, whole sets of rotations are taken, spread evenly over the
        orders round the table; one set at least, so that everyone sits everywhere equally
        often.

    Examples
    --------
    >>> arrangements([0, 1, 1], 6)
    ((0, 1, 1), (1, 0, 1), (1, 1, 0))
    >>> len(arrangements([0, 1, 2, 3], 24)), len(arrangements([0, 1, 2, 3], 8))
    (24, 8)
    """
    if len(members) > MOST_SEATS:
        raise BadInput(f"tournament: at most {MOST_SEATS} seats, not {len(members)}")
    seen: set[tuple[int, ...]] = set()
    rings: list[list[tuple[int, ...]]] = []
    for order in itertools.permutations(sorted(members)):
        if order not in seen:
            ring = rotations(order)
            seen.update(ring)
            rings.append(ring)
    whole = sum(map(len, rings))
    if whole > most:
        count = max(1, most // max(map(len, rings)))
        rings = [rings[i * len(rings) // count] for i in range(count)]
    return tuple(sorted(order for ring in rings for order in ring))


def lineups(policies: int, seats: int, mode: str, most: int) -> tuple[Lineup, ...]:
    """Return the line-ups of a tournament.

    Parameters
    ----------
    policies, seats : int
    mode : {"round-robin", "all-in"}
        Every pair of policies shares a table, each at half of its seats (with an odd number of
        seats once with one more of the first, once of the second); or every table has as many
        different policies as seats, in every combination.
    most : int
        Arrangements of a line-up, see :func:`arrangements`.

    Raises
    ------
    BadInput
        If there are too few policies.

    Examples
    --------
    >>> [lineup.members for lineup in lineups(2, 3, "round-robin", 6)]
    [(0, 0, 1), (0, 1, 1)]
    """
    if policies < 2:
        raise BadInput("tournament: give at least two different policies")
    if mode == "all-in":
        if policies < seats:
            raise BadInput(
                f"tournament: all-in needs {seats} different policies for {seats} seats, not"
                f" {policies}; play mode round-robin"
            )
        tables = list(itertools.combinations(range(policies), seats))
    elif mode == "round-robin":
        tables = []
        for i, j in itertools.combinations(range(policies), 2):
            for first in sorted({seats // 2, -(-seats // 2)}, reverse=True):
                tables.append((i,) * first + (j,) * (seats - first))
    else:
        raise BadInput(f"mode {mode!r}: round-robin or all-in")
    return tuple(Lineup(members, arrangements(members, most)) for members in tables)


@dataclass(frozen=True)
class Plan:
    """A tournament as it is played.

    Attributes
    ----------
    setup : Setup
        The table.
    policies : tuple of Policy
    lineups : tuple of Lineup
    metrics : tuple of str
        Metrics with a value a seat, counted in every game; the last is ``win_share``.
    deals : int
    block : int
        Deals of a block.
    """

    setup: Setup
    policies: tuple[Any, ...]
    lineups: tuple[Lineup, ...]
    metrics: tuple[str, ...]
    deals: int
    block: int

    @classmethod
    def of(
        cls, setup: Setup, policies: Sequence[Any], tables: Sequence[Lineup], score: str, deals: int
    ) -> Plan:
        """Check the metrics and put a plan together."""
        meter = Meter(setup)
        metrics = tuple(dict.fromkeys((score, "win_share")))
        for measure in meter.measures(metrics):
            metric = measure.metric
            if not metric.seats or metric.given or meter.per_deal(measure):
                raise BadInput(
                    f"score {metric.name!r}: give a metric with a value a seat that counts in"
                    " every game, for example win_share"
                )
        block = -(-deals // BLOCKS)
        return cls(setup, tuple(policies), tuple(tables), metrics, deals, block)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Return the pairs of policies that meet."""
        met = {
            (i, j)
            for lineup in self.lineups
            for i, j in itertools.combinations(sorted(set(lineup.members)), 2)
        }
        return sorted(met)

    @property
    def games(self) -> int:
        """Return the number of games of each deal."""
        return sum(len(lineup.arrangements) for lineup in self.lineups)

    def chunk(self, threads: int) -> int:
        """Return how many deals a thread plays at once: whole blocks."""
        wanted = min(CHUNK, -(-self.deals // threads))
        return max(1, wanted // self.block) * self.block

    def scales(self) -> dict[str, int]:
        """Return the denominator of the values of each metric."""
        meter = Meter(self.setup)
        return {name: meter.scale(meter.measures([name])[0]) for name in self.metrics}


@dataclass
class Table:
    """Totals by block of deals; all whole numbers.

    Attributes
    ----------
    deals : (blocks,)
        Deals of each block.
    totals : {metric: (blocks, policies)}
        Sum of the metric over all seats and games.
    gaps : {metric: (blocks, pairs)}
        Sum over the games of both of ``n_j Σ_i x - n_i Σ_j x``, with n_i seats of i.
    shares : (blocks, line-ups, policies)
        Win shares in sixtieths of each policy in each line-up.
    beats : (blocks, pairs, 4)
        Games in which the first had the larger win share for each of its seats; the second
        had; both the same; nobody won.
    """

    deals: Ints
    totals: dict[str, Ints]
    gaps: dict[str, Ints]
    shares: Ints
    beats: Ints

    @classmethod
    def empty(cls, plan: Plan, blocks: int) -> Table:
        """Return totals of no deal."""
        k, pairs = len(plan.policies), len(plan.pairs)
        return cls(
            np.zeros(blocks, np.int64),
            {name: np.zeros((blocks, k), np.int64) for name in plan.metrics},
            {name: np.zeros((blocks, pairs), np.int64) for name in plan.metrics},
            np.zeros((blocks, len(plan.lineups), k), np.int64),
            np.zeros((blocks, pairs, 4), np.int64),
        )

    @staticmethod
    def joined(parts: Sequence[Table]) -> Table:
        """Put blocks that follow each other together."""
        first = parts[0]
        return Table(
            np.concatenate([part.deals for part in parts]),
            {n: np.concatenate([part.totals[n] for part in parts]) for n in first.totals},
            {n: np.concatenate([part.gaps[n] for part in parts]) for n in first.gaps},
            np.concatenate([part.shares for part in parts]),
            np.concatenate([part.beats for part in parts]),
        )


class Worker:
    """Plays a range of deals in every arrangement of every line-up."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._meter = Meter(plan.setup)
        self._measures = {name: self._meter.measures([name]) for name in plan.metrics}
        self._places = {pair: place for place, pair in enumerate(plan.pairs)}
        self._player: Player | None = None
        self._stopped = False

    def stop(self) -> None:
        """Ask the kernel to stop before its next game."""
        self._stopped = True
        player = self._player
        if player is not None:
            player.stop()

    def work(self, first: int, count: int) -> Table:
        """Play some deals; `first` begins a block."""
        plan = self._plan
        table = Table.empty(plan, -(-count // plan.block))
        of = np.arange(count) // plan.block
        np.add.at(table.deals, of, 1)
        for number, lineup in enumerate(plan.lineups):
            for order in lineup.arrangements:
                if self._stopped:
                    return table
                values = self._play(order, first, count)
                self._add(table, number, order, values, of)
        return table

    def _play(self, order: Sequence[int], first: int, count: int) -> dict[str, Ints]:
        """Return each metric of each seat and deal."""
        plan = self._plan
        setup = plan.setup.with_policies([plan.policies[i] for i in order])
        self._player = Player(setup)
        found = {n: np.zeros((len(order), count), np.int64) for n in plan.metrics}
        for batch in self._player.play(first, count):
            rows = KernelRows(batch)
            place = slice(batch.first - first, batch.first - first + len(batch.games))
            for name, measures in self._measures.items():
                for seat, measure in enumerate(measures):
                    found[name][seat, place] = self._meter.values(measure, rows).x
        return found

    def _add(
        self, table: Table, number: int, order: Sequence[int], values: dict[str, Ints], of: Ints
    ) -> None:
        seats = np.array(order)
        counts = {int(i): int((seats == i).sum()) for i in np.unique(seats)}
        for name, x in values.items():
            sums = {i: x[seats == i].sum(axis=0) for i in counts}
            for i, total in sums.items():
                np.add.at(table.totals[name][:, i], of, total)
            for i, j in itertools.combinations(counts, 2):
                gap = counts[j] * sums[i] - counts[i] * sums[j]
                place = self._places[i, j]
                np.add.at(table.gaps[name][:, place], of, gap)
                if name == "win_share":
                    nobody = x.sum(axis=0) == 0
                    same = (gap == 0) & ~nobody
                    for column, won in enumerate((gap > 0, gap < 0, same, nobody)):
                        np.add.at(table.beats[:, place, column], of, won)
            if name == "win_share":
                for i, total in sums.items():
                    np.add.at(table.shares[:, number, i], of, total)


def weight(plan: Plan, pair: tuple[int, int]) -> tuple[int, int]:
    """Return (games of a deal in which a pair meets, common denominator ``n_i n_j``).

    Raises
    ------
    ValueError
        If the product differs between line-ups: their gaps could not be added.
    """
    games, products = 0, set()
    for lineup in plan.lineups:
        n_i, n_j = (lineup.members.count(i) for i in pair)
        if n_i and n_j:
            games += len(lineup.arrangements)
            products.add(n_i * n_j)
    if len(products) != 1:
        raise ValueError(f"line-ups of {pair} are of different kinds: {products}")
    return games, math.prod(products)
