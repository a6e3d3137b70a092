"""Small stored runs, and what they must be equal to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from simlib.run import Run
from simlib.simulate import simulate
from simlib.store import StoredRun, load

GAME = "king-george-iii"
BLOCK = 500
GAMES = 2300  # four whole blocks and a part of one


def asked(**more: Any) -> dict[str, Any]:
    """Return the arguments of the run that most tests store."""
    return {"game": GAME, "players": 3, "games": GAMES, "seed": 11, **more}


def stored(out: Path | str, **more: Any) -> Run:
    """Play the run into a folder."""
    return simulate(**asked(**more), out=out)


def assert_same_rows(path: Path | str, memory: Run) -> StoredRun:
    """Assert that a stored run is complete and equal to one in memory, rows and figures."""
    run = load(path)
    assert run.complete
    pd.testing.assert_frame_equal(run.read("games"), memory.games)
    pd.testing.assert_frame_equal(run.read("deals"), memory.deals)
    assert_same_figures(run, memory)
    return run


def assert_same_figures(run: Run, memory: Run) -> None:
    """Assert that sums and figures are equal to the bit."""
    assert run.sums == memory.sums
    pd.testing.assert_frame_equal(run.metrics, memory.metrics, check_exact=True)


def names(path: Path) -> list[str]:
    """Return the files of a folder."""
    return sorted(file.name for file in path.iterdir())
