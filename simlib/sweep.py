"""Sweeps: the same question over a grid of options, players, policies and their parameters.

Cells with the same players, unit, seed and set of cards meet the same deals (C-4), so that what
differs between them is what they do, not the luck of the deal.
"""

from __future__ import annotations

import html
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simlib import games as registry
from simlib.errors import BadInput
from simlib.frames import as_html, cached_frame
from simlib.parallel import Progress, reporter
from simlib.run import Run, table_in_common
from simlib.setup import Policies, Setup, count_argument, names_argument, rules_in_common
from simlib.simulate import default_threads, run_setup
from simlib.variants import Base, Grid, cells_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

__all__ = ["Cell", "Sweep", "sweep"]

#: Rows that the page in Jupyter shows.
SHOWN = 40
#: Metrics that it shows unless some were asked for.
SHOWN_METRICS = 6


class _Stopped(Exception):
    """Raised inside a cell that shall not go on."""


@dataclass(frozen=True)
class Cell:
    """One cell of a sweep.

    Attributes
    ----------
    values : dict
        Key -> value, in the order of the sweep's keys.
    setup : Setup
    run : Run
        Its figures; rows are not kept.
    """

    values: dict[str, Any]
    setup: Setup
    run: Run


@dataclass(frozen=True)
class Sweep:
    """What came of a sweep.

    Attributes
    ----------
    keys : tuple of str
        What was varied.
    cells : tuple of Cell
        In the order of the grid, the last key changing fastest.
    metrics : tuple of str or None
        The metrics asked for; None: all.
    left_out : tuple of dict
        Cells that the rules refuse, with the reason (`skip_invalid`).
    elapsed : float
        Seconds of play.
    """

    keys: tuple[str, ...]
    cells: tuple[Cell, ...]
    metrics: tuple[str, ...] | None = None
    left_out: tuple[dict[str, Any], ...] = ()
    elapsed: float = 0.0

    def __len__(self) -> int:
        return len(self.cells)

    @cached_property
    def deals(self) -> tuple[int, ...]:
        """Return for each cell the number of its group: cells of one group met the same deals."""
        from simlib.pairing import cards_of

        groups: dict[Any, int] = {}
        found = []
        for cell in self.cells:
            setup = cell.setup
            key = (setup.players, setup.table.unit, setup.seed, cards_of(setup))
            found.append(groups.setdefault(key, len(groups)))
        return tuple(found)

    @cached_frame
    def frame(self) -> pd.DataFrame:
        """Return the tidy frame: one row a cell, metric, seat and group.

        Columns: the keys; ``name seat group estimate se low high half_width n`` as in
        ``Run.metrics`` (95 %); ``games`` of the cell; ``met``, whether the precision asked for
        was reached; ``deals``, the group of cells that met the same deals.
        """
        import pandas as pd

        rows = []
        for cell, deals in zip(self.cells, self.deals, strict=True):
            for figure in cell.run.figures:
                if self.metrics is not None and figure.metric.name not in self.metrics:
                    continue
                values = figure.as_dict()
                n = values.pop("n")
                low, high = values["low"], values["high"]
                half = None if low is None or high is None else (high - low) / 2
                more = {"n": n, "games": len(cell.run), "met": cell.run.met, "deals": deals}
                rows.append([*cell.values.values(), *values.values(), half, *more.values()])
        measured = ["estimate", "se", "low", "high", "half_width"]
        columns = [*self.keys, "name", "seat", "group", *measured, "n", "games", "met", "deals"]
        frame = pd.DataFrame(rows, columns=columns)
        kinds: dict[str, Any] = dict.fromkeys(measured, "float64")
        return frame.astype({"seat": "Int64", "group": "object", **kinds})

    def names(self) -> list[str]:
        """Return the metrics of the frame, in order."""
        every = dict.fromkeys(f.metric.name for cell in self.cells for f in cell.run.figures)
        return [name for name in every if self.metrics is None or name in self.metrics]

    def wide(
        self, metrics: Sequence[str] | None = None, *, seat: int | None = None
    ) -> pd.DataFrame:
        """Return one row a cell and one column a metric, without intervals.

        Parameters
        ----------
        metrics : sequence of str, optional
            By default those of the whole table.
        seat : int, optional
            The seat of metrics that have one.
        """
        import pandas as pd

        asked = names_argument(metrics)
        names = self.names() if asked is None else asked
        rows = []
        for cell in self.cells:
            figures = {
                figure.metric.name: figure.estimate().estimate
                for figure in cell.run.figures
                if figure.group is None and figure.seat in (None, seat)
            }
            rows.append({**cell.values, **{name: figures.get(name) for name in names}})
        return pd.DataFrame(rows, columns=[*self.keys, *names])

    def cell(self, **values: Any) -> Cell:
        """Return the one cell with these values; a key with dots goes into ``**{...}``.

        Raises
        ------
        BadInput
            If no cell, or more than one, has them.
        """
        found = [c for c in self.cells if all(c.values.get(k) == v for k, v in values.items())]
        if len(found) != 1:
            raise BadInput(
                f"cell {values}: {len(found)} cells have these values; keys: {self.keys}"
            )
        return found[0]

    # --- pictures ------------------------------------------------------------------------

    def heat_map(
        self, metric: str, x: str | None = None, y: str | None = None, **more: Any
    ) -> Figure:
        """Draw a metric over two keys, one panel for each combination of the others.

        Parameters
        ----------
        metric : str
        x, y : str, optional
            Keys; by default the last two.
        **more
            ``seat``, ``group``: of the metric; ``fixed``: mapping of keys to the one value
            that is shown.
        """
        from simlib.sweep_plots import heat_map

        return heat_map(self, metric, x, y, **more)

    def lines(
        self, metric: str, x: str | None = None, by: str | None = None, **more: Any
    ) -> Figure:
        """Draw a metric over one key with 95 % intervals, a line for each value of another.

        Parameters
        ----------
        metric : str
        x, by : str, optional
            Keys; by default the last one, and the one before.
        **more
            As in :meth:`heat_map`.
        """
        from simlib.sweep_plots import lines

        return lines(self, metric, x, by, **more)

    # --- texts ---------------------------------------------------------------------------

    def title(self) -> str:
        """Return one line that says what was swept."""
        who, how = table_in_common([cell.setup for cell in self.cells])
        counts = {len(cell.run) for cell in self.cells}
        over = " × ".join(self.keys) or "one cell"
        games = f"{sum(len(cell.run) for cell in self.cells):,} games in all"
        if len(counts) == 1:
            games = f"{min(counts):,} games a cell"
        return f"{who}: {len(self):,} cells ({over}), {games}{how}"

    def rules_text(self) -> str:
        """Return the rules of all cells that differ from the game's own, for people."""
        rules = rules_in_common([cell.setup for cell in self.cells])
        return f"in all cells: {rules}" if rules else "rules: default, but for the grid"

    def as_dict(self) -> dict[str, Any]:
        """Return everything as JSON values; what is not known is None."""
        setup = self.cells[0].setup
        cells = []
        for cell, deals in zip(self.cells, self.deals, strict=True):
            figures = [figure.as_dict() for figure in cell.run.figures]
            cells.append(
                {
                    "values": cell.values,
                    **{
                        key: value
                        for key, value in cell.setup.describe().items()
                        if key not in ("game",)
                    },
                    "games": len(cell.run),
                    "met": cell.run.met,
                    "deals": deals,
                    "metrics": [
                        f for f in figures if not self.metrics or f["name"] in self.metrics
                    ],
                }
            )
        return {
            "game": setup.game.name,
            "keys": list(self.keys),
            "elapsed_s": round(self.elapsed, 6),
            "cells": cells,
            "left_out": list(self.left_out),
        }

    def __repr__(self) -> str:
        return f"<Sweep: {self.title()}>"

    def _repr_html_(self) -> str:
        """Show the cells in Jupyter."""
        names = list(self.metrics or self.names()[:SHOWN_METRICS])
        table = self.wide(names).head(SHOWN)
        more = f"<p>… and {len(self) - SHOWN} cells more</p>" if len(self) > SHOWN else ""
        shown = as_html(table, 4)
        widest = _widest(self, names)
        return (
            f"<p><b>{html.escape(self.title())}</b><br>{html.escape(self.rules_text())};"
            f" estimates; the widest 95 % half-width:"
            f" {html.escape(widest)}; intervals in <code>.frame</code></p>{shown}{more}"
        )


def _widest(found: Sweep, names: Sequence[str]) -> str:
    rows = found.frame[found.frame["name"].isin(list(names))]
    widths = rows.groupby("name", sort=False)["half_width"].max()
    return ", ".join(f"{name} {width:.2g}" for name, width in widths.items() if width == width)


def sweep(
    game: str,
    grid: Grid,
    *,
    variety: str | None = None,
    players: int | None = None,
    unit: str | None = None,
    games: float = 100_000,
    seed: int = 0,
    play_seed: int | None = None,
    policies: Policies = "random",
    rules: Mapping[str, Any] | None = None,
    preset: str | None = None,
    precision: Mapping[str, float] | None = None,
    metrics: Sequence[str] | None = None,
    skip_invalid: bool = False,
    threads: int | None = None,
    progress: Progress | bool | None = None,
) -> Sweep:
    """Play every cell of a grid.

    Parameters
    ----------
    game, variety, players, unit, seed, play_seed, policies, rules, preset
        What all cells have in common, as in :func:`simlib.simulate`.
    grid : mapping or sequence of mappings
        Key to values, of which every combination is played, or a list of cells. Keys: options
        (``lead``), ``players``, ``policies`` and other arguments, ``policies.0`` (the policy
        at seat 0), ``param.risk`` (a parameter of every policy that has it).
    games : int
        Games a cell; with `precision`, at most.
    precision : mapping, optional
        Metric name to half-width of its 95 % interval, in each cell, by the stopping rule of
        :func:`simlib.simulate`.
    metrics : sequence of str, optional
        Only these metrics in frames; all by default.
    skip_invalid : bool
        Leave out cells that the rules refuse (listed in ``left_out``), instead of raising.
    threads : int, optional
        Cells played at once; changes the speed only.
    progress : callable or bool, optional
        Called after each chunk; True draws a line.

    Returns
    -------
    Sweep

    Raises
    ------
    BadInput
        If anything given is not valid; nothing has been played then.
    PolicyFailure
        If a policy answers outside its options or raises (C-5).

    Examples
    --------
    >>> found = sweep(
    ...     "king-george-iii", {"players": [2, 3], "ace_resets": [0, 3]}, games=500
    ... )
    >>> found.wide(["rate_endless"]).shape
    (4, 3)
    """
    base = Base.of(
        game, variety=variety, players=players, unit=unit, rules=rules, preset=preset,
        policies=policies, seed=seed, play_seed=play_seed,
    )  # fmt: skip
    return sweep_base(
        base, grid, games=games, precision=precision, metrics=metrics, skip_invalid=skip_invalid,
        threads=threads, progress=progress,
    )  # fmt: skip


def sweep_base(
    base: Base,
    grid: Grid,
    *,
    games: float = 100_000,
    precision: Mapping[str, float] | None = None,
    metrics: Sequence[str] | None = None,
    skip_invalid: bool = False,
    threads: int | None = None,
    progress: Progress | bool | None = None,
    before: Callable[[Sequence[Setup], Sequence[Mapping[str, Any]]], None] | None = None,
) -> Sweep:
    """Play every cell of a grid over a base; see :func:`sweep`.

    `before` is called with the setups and the values of all cells before one is played, and may
    refuse them.
    """
    count = count_argument(games, "games")
    workers = default_threads() if threads is None else count_argument(threads, "threads")
    keys, wanted = cells_of(grid)
    registry.get(base.game)
    setups, left_out = _setups(base, keys, wanted, skip_invalid=skip_invalid)
    metrics = names_argument(metrics)
    _check_names(setups, metrics, precision)
    values = [{key: base.value(setup, key) for key in keys} for setup in setups]
    for place, cell in enumerate(_kept(wanted, left_out)):
        if "preset" in cell:
            values[place]["preset"] = cell["preset"]
    if before is not None:
        before(setups, values)
    begun = time.perf_counter()
    runs = _play(setups, count, precision, workers, reporter(progress))
    return Sweep(
        keys=tuple(keys),
        cells=tuple(map(Cell, values, setups, runs)),
        metrics=None if metrics is None else tuple(metrics),
        left_out=tuple(left_out.values()),
        elapsed=time.perf_counter() - begun,
    )


def _kept(wanted: list[dict[str, Any]], left_out: Mapping[int, Any]) -> list[dict[str, Any]]:
    return [cell for place, cell in enumerate(wanted) if place not in left_out]


def _setups(
    base: Base, keys: list[str], wanted: list[dict[str, Any]], *, skip_invalid: bool
) -> tuple[list[Setup], dict[int, dict[str, Any]]]:
    """Prepare all cells before one is played."""
    setups, left_out = [], {}
    for place, cell in enumerate(wanted):
        try:
            setups.append(base.setup(cell))
        except BadInput as error:
            if not skip_invalid:
                named = ", ".join(f"{key}={cell[key]}" for key in keys if key in cell)
                raise BadInput(f"cell {named}: {error}") from None
            left_out[place] = {**cell, "reason": str(error)}
    if not setups:
        raise BadInput(f"grid: no cell is valid; the first: {left_out[0]['reason']}")
    return setups, left_out


def _check_names(
    setups: Sequence[Setup],
    metrics: Sequence[str] | None,
    precision: Mapping[str, float] | None,
) -> None:
    """Refuse metrics that some cell does not have, before anything is played."""
    known = [{m.name: None for m in s.game.metrics(s.table)} for s in setups]
    for what, names in (("metric", metrics), ("precision", precision)):
        for name in names or ():
            missing = next((have for have in known if name not in have), None)
            if missing is not None:
                raise BadInput(f"{what} {name!r}: a cell has the metrics {', '.join(missing)}")


def _play(
    setups: Sequence[Setup],
    games: int,
    precision: Mapping[str, float] | None,
    threads: int,
    report: Progress | None,
) -> list[Run]:
    """Play whole cells on threads, each cell on one."""
    _compile(setups)
    board = _Board(len(setups), None if precision else games, report)
    found: dict[int, Run] = {}
    with ThreadPoolExecutor(threads) as pool:
        pending = {
            pool.submit(
                run_setup,
                setup,
                games=games,
                precision=precision,
                threads=1,
                progress=board.cell(place),
            ): place
            for place, setup in enumerate(setups)
        }
        try:
            for future in as_completed(pending):
                found[pending[future]] = future.result()
                board.done(pending[future])
        except BaseException:
            board.stop()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return [found[place] for place in range(len(setups))]


def _compile(setups: Sequence[Setup]) -> None:
    """Compile every policy once, before threads meet."""
    for policy in {id(p._compiled): p for setup in setups for p in setup.policies}.values():
        policy.compiled()
    setups[0].game.simulate.build()


class _Board:
    """Adds up the progress of cells that are played at once, and stops them."""

    def __init__(self, cells: int, games: int | None, report: Progress | None) -> None:
        self._games = games  # of each cell; None where they end by precision
        self._left = cells
        self._done = [0] * cells
        self._expected = [0] * cells
        self._cells = cells
        self._report = report
        self._begun = time.perf_counter()
        self._lock = threading.Lock()
        self._stopped = False

    def stop(self) -> None:
        """Let every cell end after its chunk."""
        self._stopped = True

    def cell(self, place: int) -> Callable[[int, int, float, str], None]:
        """Return what one cell calls after each chunk."""

        def progress(done: int, total: int, seconds: float, note: str) -> None:
            if self._stopped:
                raise _Stopped
            with self._lock:
                self._done[place] = done
                self._expected[place] = total
                self._say()

        return progress

    def done(self, place: int) -> None:
        """Count a finished cell."""
        with self._lock:
            self._left -= 1
            self._say()

    def _say(self) -> None:
        if self._report is None:
            return
        played = sum(self._done)
        if self._games is not None:
            total = self._games * self._cells
        else:  # the cells to come are expected to be like those that have begun
            known = [games for games in self._expected if games]
            mean = sum(known) / max(len(known), 1)
            total = round(mean * self._cells)
        total = max(played + bool(self._left), total)
        note = f"{self._cells - self._left} of {self._cells} cells"
        self._report(played, total, time.perf_counter() - self._begun, note)
