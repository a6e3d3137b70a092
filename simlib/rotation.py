"""Seat rotation: the same deals with the policies moved round the table.

The unit is the deal averaged over its rotations: what a seat is worth cancels out, and the deals
that all rotations share make the differences between policies small in error.
"""

from __future__ import annotations

import html
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from simlib.engine import Player
from simlib.errors import BadInput
from simlib.frames import as_html, copied
from simlib.parallel import Progress, chunks, in_threads, reporter
from simlib.policy import Policy
from simlib.products import Products, Strata, product_sums
from simlib.setup import Setup, count_argument, level_argument, names_argument
from simlib.simulate import default_threads
from simlib.stats import Estimate, bonferroni_level
from simlib.stats.pairs import ratio_contrast
from simlib.values import Ints, KernelRows, Measure, Meter

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Rotation", "play_rotations", "rotations"]

LEVEL = 0.95
#: Games in a chunk, over all rotations together.
CHUNK = 1 << 17
T = TypeVar("T")


def rotations(policies: Sequence[T]) -> list[tuple[T, ...]]:
    """Return the different arrangements that come from moving everyone round the table.

    Parameters
    ----------
    policies : sequence
        Who sits at seat 0, 1, …

    Returns
    -------
    list of tuple
        As given first; then with everyone one seat on, and so on. Arrangements that come
        again are left out (each would come equally often), so that everyone sits at every
        seat equally often.

    Examples
    --------
    >>> rotations(["a", "b", "b"])
    [('a', 'b', 'b'), ('b', 'a', 'b'), ('b', 'b', 'a')]
    >>> rotations(["a", "b", "a", "b"])
    [('a', 'b', 'a', 'b'), ('b', 'a', 'b', 'a')]

    Raises
    ------
    BadInput
        If it is no sequence, or an empty one.
    """
    if not isinstance(policies, Sequence) or not policies:
        raise BadInput(f"rotations {policies!r}: give who sits at seat 0, 1, … as a list")
    found: list[tuple[T, ...]] = []
    for moved in range(len(policies)):
        arrangement = tuple(
            policies[(seat - moved) % len(policies)] for seat in range(len(policies))
        )
        if arrangement not in found:
            found.append(arrangement)
    return found


@copied("frame", "differences")
@dataclass(frozen=True)
class Rotation:
    """What came of the same deals with the policies rotated through all seats.

    Attributes
    ----------
    setup : Setup
        The table; its policies as they sat first.
    policies : tuple of str
        The different policies.
    deals : int
        Number of deals (or matches), each played in every rotation.
    rotations : int
        Number of rotations.
    level : float
        Level of the whole family of differences.
    comparisons : int
        Number of differences that hold at once at that level (Bonferroni).
    frame : DataFrame
        ``name policy estimate se low high n``: figures with a seat for each policy, averaged
        over rotations and the seats it sat at; figures of the whole table with a null policy.
        Units are deals.
    differences : DataFrame
        ``name policy other difference se low high n variance_ratio``: policy - other, paired
        by deal.
    elapsed : float
        Seconds of play.
    """

    setup: Setup
    policies: tuple[str, ...]
    deals: int
    rotations: int
    level: float
    comparisons: int
    frame: pd.DataFrame
    differences: pd.DataFrame
    elapsed: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return everything as JSON values; what is not known is None."""
        return {
            **self.setup.describe(),
            "deals": self.deals,
            "rotations": self.rotations,
            "level": self.level,
            "comparisons": self.comparisons,
            "elapsed_s": round(self.elapsed, 6),
            "metrics": _records(self.frame),
            "differences": _records(self.differences),
        }

    def __repr__(self) -> str:
        who = ", ".join(self.policies)
        return f"<Rotation: {who}; {self.deals:,} deals in {self.rotations} rotations>"

    def _repr_html_(self) -> str:
        """Show figures and differences in Jupyter."""
        tables = [as_html(frame, 5) for frame in (self.frame, self.differences)]
        return (
            f"<p><b>{html.escape(self.setup.game.title)}: {html.escape(', '.join(self.policies))}"
            f"</b><br>{self.deals:,} deals, each in {self.rotations} rotations of the seats;"
            f" {100 * self.level:g} % intervals over deals</p>{tables[0]}{tables[1]}"
        )


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    values = frame.astype(object).where(frame.notna(), None)
    return [
        {str(k): v.item() if isinstance(v, np.generic) else v for k, v in row.items()}
        for row in values.to_dict(orient="records")
    ]


def play_rotations(
    setup: Setup,
    *,
    games: float,
    metrics: Iterable[str] | None = None,
    level: float = LEVEL,
    family: int | Literal["rows"] = 1,
    threads: int | None = None,
    chunk: int | None = None,
    progress: Progress | bool | None = None,
) -> Rotation:
    """Play the same deals with the policies rotated through all seats.

    Parameters
    ----------
    setup : Setup
        With the policies as they sit first.
    games : int
        Number of deals (or matches); each is played once for every rotation.
    metrics : iterable of str, optional
        Only these metrics.
    level : float
        Confidence level.
    family : int or "rows"
        How many differences shall hold at once (Bonferroni): a number, or all of them.
    threads, chunk : int, optional
        Change the speed only.
    progress : callable or bool, optional
        As in :func:`simlib.simulate`.

    Returns
    -------
    Rotation

    Notes
    -----
    A policy's value in a deal is its total over rotations and seats over the number of times
    it was counted there; figures given an ending are ratios of totals over deals. Errors come
    from the spread between deals alone.
    """
    if not isinstance(setup, Setup):
        raise BadInput(f"play_rotations {setup!r}: give a setup, as simlib.setup.prepare makes it")
    count = count_argument(games, "games")
    level = level_argument(level)
    threads = default_threads() if threads is None else count_argument(threads, "threads")
    plan = _Plan(setup, metrics)
    count = -(-count // plan.strata.cycle) * plan.strata.cycle
    size = CHUNK // len(plan.setups) if chunk is None else count_argument(chunk, "chunk")
    report = reporter(progress)
    for policy in setup.policies:
        policy.compiled()
    setup.game.simulate.build()
    totals: list[Products] | None = None
    done, begun = 0, time.perf_counter()
    for games_done, sums in in_threads(
        lambda: _Worker(plan), chunks(count, min(size, -(-count // threads))), threads
    ):
        totals = sums if totals is None else [a + b for a, b in zip(totals, sums, strict=True)]
        done += games_done
        if report:
            report(done, count, time.perf_counter() - begun, "")
    assert totals is not None
    return plan.result(totals, count, level, family, time.perf_counter() - begun)


class _Plan:
    """The rotations of a table, and which columns of products belong to whom."""

    def __init__(self, setup: Setup, metrics: Iterable[str] | None) -> None:
        self.setup = setup
        self.setups = [setup.with_policies(seats) for seats in rotations(setup.policies)]
        self.meter = Meter(setup)
        self.strata = Strata([self.meter])
        self.specs = tuple(dict.fromkeys(policy.spec for policy in setup.policies))
        found = self.meter.measures(names_argument(metrics))
        #: Metrics with a seat, once each, and figures of the whole table.
        self.measures = [measure for measure in found if measure.seat in (None, 0)]

    def arms(self, measure: Measure) -> tuple[str | None, ...]:
        """Return whose columns a figure has: every policy's, or the table's."""
        return self.specs if measure.metric.seats else (None,)

    def result(
        self,
        totals: Sequence[Products],
        deals: int,
        level: float,
        family: int | Literal["rows"],
        elapsed: float,
    ) -> Rotation:
        """Turn the sums into figures and differences."""
        import pandas as pd

        pairs = list(combinations(range(len(self.specs)), 2))
        seated = sum(measure.metric.seats for measure in self.measures)
        many = len(pairs) * seated if family == "rows" else count_argument(family, "family")
        each = bonferroni_level(max(many, 1), level=level)
        rows, gaps = [], []
        for measure, products in zip(self.measures, totals, strict=True):
            scale = self.meter.scale(measure)
            for place, spec in enumerate(self.arms(measure)):
                one = self._figure(products, [(1, place)], scale, level)
                one = one.within(*measure.metric.range, level=level)
                rows.append({"name": measure.metric.name, "policy": spec, **one.as_dict()})
            for i, j in pairs if measure.metric.seats else ():
                both = self._figure(products, [(1, i), (-1, j)], scale, each)
                both = both.within(*measure.metric.range_of_difference, level=each)
                gaps.append(self._gap(measure, products, i, j, both))
        return Rotation(
            self.setup, self.specs, deals, len(self.setups), level, many,
            pd.DataFrame(rows, columns=[*_NAMES, *_FIGURE]),
            pd.DataFrame(gaps, columns=[*_GAP_NAMES, *_FIGURE[1:], "variance_ratio"]),
            elapsed,
        )  # fmt: skip

    def _figure(
        self, products: Products, terms: Sequence[tuple[int, int]], scale: int, level: float
    ) -> Estimate:
        return ratio_contrast(
            list(products),
            [(weight, 2 * place + 1, 2 * place + 2) for weight, place in terms],
            scale=scale,
            level=level,
        )

    def _gap(
        self, measure: Measure, products: Products, i: int, j: int, found: Estimate
    ) -> dict[str, Any]:
        alone = [self._figure(products, [(1, place)], 1, LEVEL).se for place in (i, j)]
        both = self._figure(products, [(1, i), (-1, j)], 1, LEVEL).se
        ratio = None
        if both and alone[0] is not None and alone[1] is not None:
            ratio = (alone[0] ** 2 + alone[1] ** 2) / both**2
        values = found.as_dict()
        values["difference"] = values.pop("estimate")
        return {
            "name": measure.metric.name,
            "policy": self.specs[i],
            "other": self.specs[j],
            **values,
            "variance_ratio": ratio,
        }


_NAMES = ("name", "policy")
_FIGURE = ("estimate", "se", "low", "high", "n")
_GAP_NAMES = ("name", "policy", "other", "difference")


class _Worker:
    """Plays the same range of games in every rotation."""

    def __init__(self, plan: _Plan) -> None:
        self._plan = plan
        self._players = [Player(setup) for setup in plan.setups]

    def stop(self) -> None:
        """Ask the kernel to stop before its next game."""
        for player in self._players:
            player.stop()

    def work(self, first: int, count: int) -> tuple[int, list[Products]]:
        """Play some games and return the sums of products of each figure."""
        plan = self._plan
        columns = [np.zeros((2 * len(plan.arms(m)), count), np.int64) for m in plan.measures]
        for setup, player in zip(plan.setups, self._players, strict=True):
            for batch in player.play(first, count):
                rows = KernelRows(batch)
                place = slice(batch.first - first, batch.first - first + len(batch.games))
                for measure, into in zip(plan.measures, columns, strict=True):
                    self._add(measure, setup.policies, rows, into[:, place])
        strata = plan.strata.of(first, count)
        return count, [product_sums(list(into), strata, plan.strata.count) for into in columns]

    def _add(
        self, measure: Measure, policies: Sequence[Policy], rows: KernelRows, into: Ints
    ) -> None:
        """Add one rotation to the totals of each deal."""
        plan = self._plan
        seats = range(len(policies)) if measure.metric.seats else (None,)
        for seat in seats:
            spec = None if seat is None else policies[seat].spec
            place = plan.arms(measure).index(spec)
            values = plan.meter.values(Measure(measure.metric, seat), rows)
            into[2 * place] += values.x
            into[2 * place + 1] += 1 if values.y is None else values.y
