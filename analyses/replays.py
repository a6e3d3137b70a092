"""Games of King George III played again with the event log, for what the rows do not say.

The games are those of the rows (C-4); :mod:`simlib.games.king_george.stranded` reads the log.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from analyses.base import identity
from analyses.tables import Table, histogram
from simlib.cards import ACE_HIGH
from simlib.engine import SEEDED, failure
from simlib.games.control import DONE, ERROR, LOGGED, STOPPED, new_control
from simlib.games.king_george import outcome, stranded
from simlib.parallel import chunks, in_threads
from simlib.setup import Setup

__all__ = ["RANKS", "collect_replays", "reduce", "replayed"]

RANKS = ACE_HIGH.ranks

#: Games in a chunk, and room for events at first (it grows).
CHUNK = 1 << 12
ROOM = CHUNK << 8
#: Cells whose tables are remembered.
REMEMBERED = 64

Reduce = Callable[[pd.DataFrame], Table]


def replayed(setup: Setup, first: int, count: int) -> pd.DataFrame:
    """Play games again with the event log and read it.

    Parameters
    ----------
    setup : Setup
        Of King George III.
    first, count : int
        The games ``first`` … ``first + count - 1``.

    Returns
    -------
    DataFrame
        One row a game: ``index``, ``ending``, ``proof``, and the columns of
        :data:`simlib.games.king_george.stranded.FIELDS` (``size_0 …``, ``when_0 …``).
    """
    return _Replayer(setup, lambda frame: Table({})).frame(first, count)


class _Replayer:
    """Plays games with the log, on one thread."""

    def __init__(self, setup: Setup, reduce: Reduce) -> None:
        self._setup, self._reduce = setup, reduce
        self._rules, self._policies = setup.packed(), setup.compiled()
        self._work = setup.game.scratch(self._rules, setup.params())
        self._kernel = setup.game.record
        self._control = new_control()
        self._log = np.zeros((CHUNK * 256, 3), np.int16)
        self._deals = np.zeros(0, setup.game.deal_dtype)

    def stop(self) -> None:
        """Ask the kernel to stop before its next game."""
        self._control[STOPPED] = 1

    def work(self, first: int, count: int) -> Table:
        """Play games and reduce their rows."""
        return self._reduce(self.frame(first, count))

    def frame(self, first: int, count: int) -> pd.DataFrame:
        """Play games; return a row for each."""
        games = np.zeros(count, self._setup.game.game_dtype)
        while True:
            self._control[1:] = 0
            try:
                self._kernel(
                    self._rules, self._policies, self._setup.seeds(), first, count, games,
                    self._deals, self._work, self._control, self._log, SEEDED,
                )  # fmt: skip
            except Exception as error:
                raise failure(self._setup, self._control, error) from error
            if self._control[ERROR]:
                raise failure(self._setup, self._control)
            logged = int(self._control[LOGGED])
            if logged <= len(self._log):
                break
            self._log = np.zeros((logged + logged // 4, 3), np.int16)
        done = int(self._control[DONE])
        rows = np.zeros(max(done, 1), stranded.ROW)
        stranded.read_log(self._rules, self._log, logged, rows)
        return _replay_frame(first, games[:done], rows[:done])


def _replay_frame(first: int, games: Any, rows: Any) -> pd.DataFrame:
    data: dict[str, Any] = {"index": np.arange(first, first + len(games))}
    for name, labels in (("ending", outcome.ENDINGS), ("proof", outcome.PROOFS)):
        codes = np.ascontiguousarray(games[name])
        data[name] = pd.Categorical.from_codes(codes, categories=pd.Index(list(labels)))
    for name, code, _ in stranded.FIELDS:
        values = rows[name]
        if ":" not in code:
            data[name] = np.ascontiguousarray(values)
            continue
        for k in range(stranded.MOST_RESETS):
            data[f"{name.removesuffix('s')}_{k}"] = np.ascontiguousarray(values[:, k])
    return pd.DataFrame(data, copy=False)


def reduce(frame: pd.DataFrame) -> Table:
    """Count replayed games by the cards and ranks in the piles set aside.

    Parameters
    ----------
    frame : DataFrame
        From :func:`replayed`: ``ending``, ``proof`` and the columns of
        :data:`simlib.games.king_george.stranded.FIELDS`.
    """
    aside = frame["aside"].to_numpy(np.uint64)
    live = frame["live"].to_numpy(np.uint64)
    stuck = (frame["proof"] == "orphans").to_numpy()
    gone, cut = _by_rank(aside), _by_rank(~aside & ~live)
    facts = frame.assign(
        orphans=stuck,
        cards=gone.sum(axis=1),
        ranks_gone=(gone == 4).sum(axis=1),
        largest=frame[[f"size_{k}" for k in range(stranded.MOST_RESETS)]].max(axis=1),
    )
    ranks = pd.DataFrame(
        {
            "gone": ((gone == 4) & stuck[:, None]).sum(axis=0),
            "cut_off": ((cut > 0) & stuck[:, None]).sum(axis=0),
            "cards": (cut * stuck[:, None]).sum(axis=0),
            "gone_all": (gone == 4).sum(axis=0),
            "endless": stuck.sum(),
            "games": len(frame),
        },
        index=pd.Index(list(RANKS), name="rank"),
    ).astype(np.int64)
    sizes = [
        histogram(
            facts[facts[f"size_{k}"] > 0].rename(columns={f"size_{k}": "size"}).assign(pile=k),
            "pile",
            "orphans",
            "size",
        )
        for k in range(stranded.MOST_RESETS)
    ]
    return Table(
        {
            "cards": histogram(facts, "resets", "orphans", "cards"),
            "gone": histogram(facts, "ranks_gone", "orphans"),
            "sizes": pd.concat([part for part in sizes if len(part)] or sizes[:1]),
            "ranks": ranks,
        }
    )


def _by_rank(masks: Any) -> Any:
    """Return how many cards of each rank a mask holds, int64[masks, 13]."""
    shifts = np.arange(0, 52, 4, dtype=np.uint64)
    nibbles = (masks[:, None] >> shifts) & np.uint64(15)
    return np.bitwise_count(nibbles).astype(np.int64)


def _level(part: pd.DataFrame, name: str) -> Any:
    return part.index.get_level_values(name)


_CACHE: OrderedDict[tuple[Any, ...], Table] = OrderedDict()


def collect_replays(name: str, setup: Setup, reduce: Reduce, *, games: int, threads: int) -> Table:
    """Play the games of one cell again and reduce them, chunk by chunk.

    Parameters
    ----------
    name : str
        Of the analysis, under which the table is remembered.
    setup : Setup
    reduce : callable
        Frame of :func:`replayed` -> table.
    games, threads : int
    """
    key = (name, identity(setup), games)
    if key not in _CACHE:
        setup.compiled()
        setup.game.record.build()
        stranded.read_log.build()
        size = max(1, min(CHUNK, -(-games // (2 * threads))))
        parts = in_threads(lambda: _Replayer(setup, reduce), chunks(games, size), threads)
        _CACHE[key] = Table.total(parts)
        while len(_CACHE) > REMEMBERED:
            _CACHE.popitem(last=False)
    return _CACHE[key]
