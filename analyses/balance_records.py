"""What only the course of single games can tell: records are replayed and read."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analyses.balance import decision_share
from analyses.balance_course import course
from analyses.tables import estimates
from simlib.games.standings import acts, standings
from simlib.record import record_of
from simlib.setup import Setup, prepare
from simlib.stats import Estimate, mean, wilson

__all__ = ["GAMES", "Courses", "play_courses"]

#: Games that are replayed unless told otherwise.
GAMES = 20_000
#: Games of a task of one process.
CHUNK = 500
#: Fewer games than this are not worth a second process.
FEW = 5_000
#: Real numbers of single games are kept as multiples of 1 / SCALE, so that sums are exact.
SCALE = 1 << 20
COLUMNS = ("drama", "deficit", "lead_changes", "settled", "behind")


@dataclass
class Courses:
    """Sums over replayed games; they merge by addition.

    Attributes
    ----------
    games : int
        Games replayed.
    won : int
        Those with one winner; the course is theirs.
    sums, squares : int64 arrays
        Of drama, deficit, lead changes, settled (in 1 / `SCALE`), and behind at half-time.
    choices : int64 array, (3, 3)
        Sums of products of 1, decisions, points.
    deficits : dict
        Largest deficit of the winner -> number of games.
    """

    games: int = 0
    won: int = 0
    sums: NDArray[Any] = field(default_factory=lambda: np.zeros(len(COLUMNS), object))
    squares: NDArray[Any] = field(default_factory=lambda: np.zeros(len(COLUMNS), object))
    choices: NDArray[np.int64] = field(default_factory=lambda: np.zeros((3, 3), np.int64))
    deficits: dict[int, int] = field(default_factory=dict)

    def add(self, other: Courses) -> None:
        """Add in place."""
        self.games += other.games
        self.won += other.won
        self.sums = self.sums + other.sums
        self.squares = self.squares + other.squares
        self.choices = self.choices + other.choices
        for key, count in other.deficits.items():
            self.deficits[key] = self.deficits.get(key, 0) + count

    def count(self, record: dict[str, Any]) -> None:
        """Add one game."""
        self.games += 1
        outcome, players = record["outcome"], record["players"]
        row = np.array([1, outcome["decisions"], _points(record)], np.int64)
        self.choices += np.outer(row, row)
        winner = [s for s in range(players) if outcome[f"win_share_{s}"] == 1.0]
        if not winner:
            return
        found = course(standings(record), winner[0])
        values = [
            round(found.drama * SCALE),
            found.deficit,
            found.lead_changes,
            round(found.settled * SCALE),
            int(found.behind_at_half),
        ]
        self.won += 1
        self.sums = self.sums + np.array(values, object)
        self.squares = self.squares + np.array([value * value for value in values], object)
        self.deficits[found.deficit] = self.deficits.get(found.deficit, 0) + 1

    def estimates(self) -> dict[str, Estimate]:
        """Return ``drama deficit lead_changes settled comeback decision_share won``."""
        found = {}
        for place, name in enumerate(COLUMNS[:4]):
            scale = SCALE if name in ("drama", "settled") else 1
            one = mean(self.won, self.sums[place], self.squares[place], scale=scale)
            found[name] = one.within(0, None)
        found["comeback"] = wilson(self.sums[4], self.won)
        (n, d, p), (_, dd, dp), (_, _, pp) = self.choices.tolist()
        found["decision_share"] = decision_share(n, d, p, dd, dp, pp)
        found["won"] = wilson(self.won, self.games)
        return found

    def frame(self, **keys: Any) -> pd.DataFrame:
        """Return one row a metric: keys, ``metric``, ``estimate se low high half_width n``."""
        found = self.estimates()
        rows = pd.DataFrame([{**keys, "metric": name} for name in found])
        return estimates(rows, list(found.values()))


def _points(record: dict[str, Any]) -> int:
    """Return the decision points of the deals that the outcome's ``decisions`` speaks of."""
    if record["unit"] == "match":
        return acts(record)
    return acts({**record, "deals": record["deals"][:1]})


def play_courses(
    setup: Setup, *, games: int = GAMES, first: int = 0, processes: int | None = None
) -> Courses:
    """Replay games with their event log and add up how they went.

    Parameters
    ----------
    setup : Setup
    games, first : int
        How many games, from which index.
    processes : int, optional
        Changes the speed only: some 1500 games a second each. By default two where there are
        many games and the policies are the package's own (others cannot be sent), else one.

    Returns
    -------
    Courses
    """
    ours = all(policy.builtin for policy in setup.policies)
    wanted = (2 if games >= FEW else 1) if processes is None else processes
    total = Courses()
    for part in _parts(setup, first, games, wanted if ours else 1):
        total.add(part)
    return total


def _parts(setup: Setup, first: int, games: int, processes: int) -> Iterator[Courses]:
    starts = range(first, first + games, CHUNK)
    ranges = [(start, min(CHUNK, first + games - start)) for start in starts]
    if processes == 1:
        for start, count in ranges:
            yield _replay(setup, start, count)
        return
    record_of(setup, first)  # compiled, and in the cache, before others ask for it
    # threads may be running here: a fork of them could hang
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        asked = _arguments(setup)
        yield from pool.map(_replay_asked, [asked] * len(ranges), *zip(*ranges, strict=True))


def _arguments(setup: Setup) -> dict[str, Any]:
    asked = setup.describe()
    return {
        **{key: asked[key] for key in ("game", "variety", "players", "unit", "policies")},
        "rules": setup.table.rules.changed(),
        "seed": setup.seed,
        "play_seed": setup.play_seed,
    }


def _replay_asked(asked: dict[str, Any], first: int, count: int) -> Courses:
    return _replay(
        prepare(asked["game"], **{k: v for k, v in asked.items() if k != "game"}), first, count
    )


def _replay(setup: Setup, first: int, count: int) -> Courses:
    found = Courses()
    for index in range(first, first + count):
        found.count(record_of(setup, index))
    return found
