"""Lengths of games that may never end: competing endings over turns, and mean lengths.

All functions read one tidy histogram in three columns: `turns`, `endings`, `counts`. An
endless game has infinite length: it stays at risk for ever, whatever its `turns` (the
turn at which the proof was seen) says. A truncated one is censored, at the cap that all
games have in common, and nowhere else (KG-12, RC-12).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, SupportsIndex

from simlib.stats._lazy import LEVEL, check_level, same_length, whole, wholes
from simlib.stats.estimates import Estimate, mean_from_histogram, wilson

ENDLESS = ("endless",)
TRUNCATED = ("truncated",)


class IncidencePoint(NamedTuple):
    """One point of a curve: the share of all games that ended so within `turn` turns."""

    turn: int
    ending: str
    share: Estimate


@dataclass(frozen=True, slots=True)
class Incidence:
    """Cumulative incidence of each ending over turns.

    Attributes
    ----------
    turns : tuple of int
        Where the curves are given, ascending; they are steps, constant in between.
    curves : dict of str to tuple of Estimate
        For each ending the share of all games that ended so by each of `turns`.
    endless : Estimate
        Share of games that provably never end: the plateau that stays at risk.
    truncated : Estimate
        Share of games of which only is known that they had not ended at the cap.
    n : int
        All games.
    """

    turns: tuple[int, ...]
    curves: dict[str, tuple[Estimate, ...]]
    endless: Estimate
    truncated: Estimate
    n: int

    def rows(self) -> Iterator[IncidencePoint]:
        """Yield the curves point by point, for a tidy frame."""
        for ending, curve in self.curves.items():
            for turn, share in zip(self.turns, curve, strict=True):
                yield IncidencePoint(turn, ending, share)


class _Lengths(NamedTuple):
    """The histogram sorted out: lengths by ending, and games without one."""

    ended: dict[str, dict[int, int]]
    endless: int
    truncated: int
    cap: int | None

    @property
    def n(self) -> int:
        return self.endless + self.truncated + self.n_ended

    @property
    def n_ended(self) -> int:
        return sum(sum(curve.values()) for curve in self.ended.values())


def _sort_out(
    turns: Iterable[SupportsIndex],
    endings: Iterable[str],
    counts: Iterable[SupportsIndex],
    cap: SupportsIndex | None,
    endless: str | Sequence[str],
    truncated: str | Sequence[str],
) -> _Lengths:
    """Check the histogram and sort it by what its rows say about length."""
    ts, names, cs = wholes(turns, "turns"), list(endings), wholes(counts, "counts", 0)
    same_length(turns=ts, endings=names, counts=cs)
    never, stopped = _names(endless), _names(truncated)
    rows = [row for row in zip(ts, names, cs, strict=True) if row[2]]
    limit = _common_cap([t for t, name, _ in rows if name in stopped], cap)
    # An ending that was never seen keeps its curve, at zero.
    ended: dict[str, dict[int, int]] = {name: {} for name in names}
    for name in never | stopped:
        ended.pop(name, None)
    for t, name, c in rows:
        if name not in ended:
            continue
        if t < 0 or (limit is not None and t > limit):
            raise ValueError(f"a game ended as {name!r} after {t} turns, cap {limit}")
        ended[name][t] = ended[name].get(t, 0) + c
    return _Lengths(
        ended,
        sum(c for _, name, c in rows if name in never),
        sum(c for _, name, c in rows if name in stopped),
        limit,
    )


def _names(endings: str | Sequence[str]) -> set[str]:
    return {endings} if isinstance(endings, str) else set(endings)


def _common_cap(stopped: Sequence[int], cap: SupportsIndex | None) -> int | None:
    """Return the cap; truncated games must all have reached it."""
    limit = whole(cap, "cap", 0) if cap is not None else (stopped[0] if stopped else None)
    for t in stopped:
        if t != limit:
            raise ValueError(f"a truncated game has {t} turns, the common cap is {limit}")
    return limit


def cumulative_incidence(
    turns: Iterable[SupportsIndex],
    endings: Iterable[str],
    counts: Iterable[SupportsIndex],
    *,
    cap: SupportsIndex | None = None,
    at: Iterable[SupportsIndex] | None = None,
    endless: str | Sequence[str] = ENDLESS,
    truncated: str | Sequence[str] = TRUNCATED,
    level: float = LEVEL,
) -> Incidence:
    """Estimate the cumulative incidence of competing endings over turns.

    Parameters
    ----------
    turns, endings, counts : iterable
        The histogram: after how many turns, how, and how many games ended.
    cap : int, optional
        The common cap on turns; by default that of the truncated games.
    at : iterable of int, optional
        Turns at which the curves are wanted, at most the cap, up to which alone anything
        is known; by default 0, every turn at which a game ended, and the cap.
    endless, truncated : str or sequence of str
        Endings of infinite length, and endings that say "not yet at the cap".
    level : float
        Confidence level of each band, point by point.

    Returns
    -------
    Incidence
        ``F_e(t) = games that ended as e within t turns / n`` with Wilson bands. Nobody
        leaves the risk set before the cap, therefore this is the Aalen-Johansen
        estimator and its shares are binomial. At the cap the shares of all endings, of
        `endless` and of `truncated` sum to one.

    Raises
    ------
    ValueError
        If a truncated game stopped elsewhere than at the cap, or a game ended beyond it.

    References
    ----------
    O. O. Aalen and S. Johansen (1978), An empirical transition matrix for non-homogeneous
    Markov chains based on censored observations. Scandinavian Journal of Statistics 5,
    141-150. E. B. Wilson (1927), JASA 22, 209-212.

    Examples
    --------
    >>> found = cumulative_incidence([3, 5, 2], ["out", "out", "endless"], [1, 1, 2])
    >>> [share.estimate for share in found.curves["out"]], found.endless.estimate
    ([0.0, 0.25, 0.5], 0.5)
    """
    lengths = _sort_out(turns, endings, counts, cap, endless, truncated)
    check_level(level)
    grid = _grid(lengths, at)
    n = lengths.n
    curves = {
        ending: tuple(wilson(hits, n, level=level) for hits in _steps(curve, grid))
        for ending, curve in lengths.ended.items()
    }
    plateau = wilson(lengths.endless, n, level=level)
    unknown = wilson(lengths.truncated, n, level=level)
    return Incidence(grid, curves, plateau, unknown, n)


def _grid(lengths: _Lengths, at: Iterable[SupportsIndex] | None) -> tuple[int, ...]:
    """Return the turns at which curves are given, ascending."""
    if at is not None:
        wanted = sorted(set(wholes(at, "at", 0)))
        if lengths.cap is not None and wanted and wanted[-1] > lengths.cap:
            raise ValueError(f"nothing is known at turn {wanted[-1]}: the cap is {lengths.cap}")
        return tuple(wanted)
    seen = {t for curve in lengths.ended.values() for t in curve} | {0}
    return tuple(sorted(seen if lengths.cap is None else seen | {lengths.cap}))


def _steps(curve: dict[int, int], grid: Sequence[int]) -> Iterator[int]:
    """Yield how many games had ended by each turn of `grid`."""
    events = sorted(curve.items())
    place = reached = 0
    for turn in grid:
        while place < len(events) and events[place][0] <= turn:
            reached += events[place][1]
            place += 1
        yield reached


def turns_ended(
    turns: Iterable[SupportsIndex],
    endings: Iterable[str],
    counts: Iterable[SupportsIndex],
    *,
    endless: str | Sequence[str] = ENDLESS,
    truncated: str | Sequence[str] = TRUNCATED,
    level: float = LEVEL,
) -> Estimate:
    """Estimate the mean length of the games that ended; `n` says how many did.

    Parameters
    ----------
    turns, endings, counts : iterable
        The histogram, as in `cumulative_incidence`.
    endless, truncated : str or sequence of str
        Endings that are none: such games are left out.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        ``E(T | T <= cap)`` with a t interval. It depends on the cap where games are
        truncated, and says nothing about those that never end: show it beside their share.
    """
    lengths = _sort_out(turns, endings, counts, None, endless, truncated)
    pairs = [pair for curve in lengths.ended.values() for pair in curve.items()]
    found = mean_from_histogram([t for t, _ in pairs], [c for _, c in pairs], level=level)
    return found.within(0, None)


def turns_restricted(
    turns: Iterable[SupportsIndex],
    endings: Iterable[str],
    counts: Iterable[SupportsIndex],
    *,
    cap: SupportsIndex,
    endless: str | Sequence[str] = ENDLESS,
    truncated: str | Sequence[str] = TRUNCATED,
    level: float = LEVEL,
) -> Estimate:
    """Estimate the restricted mean length E min(T, cap) over all games.

    Parameters
    ----------
    turns, endings, counts : iterable
        The histogram, as in `cumulative_incidence`.
    cap : int
        The common cap; endless and truncated games count as that long.
    endless, truncated : str or sequence of str
        Endings of infinite length, and endings that say "not yet at the cap".
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        With a t interval; `n` is the number of all games.

    References
    ----------
    P. Royston and M. K. B. Parmar (2013), Restricted mean survival time. BMC Medical
    Research Methodology 13, 152.
    """
    lengths = _sort_out(turns, endings, counts, cap, endless, truncated)
    pairs = [pair for curve in lengths.ended.values() for pair in curve.items()]
    limit = whole(cap, "cap", 0)
    pairs.append((limit, lengths.endless + lengths.truncated))
    found = mean_from_histogram([t for t, _ in pairs], [c for _, c in pairs], level=level)
    return found.within(0, limit, level=level)
