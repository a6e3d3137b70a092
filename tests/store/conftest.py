"""A block of a few hundred games, so that small runs have several parts."""

from __future__ import annotations

import pytest

from simlib.run import Run
from simlib.simulate import simulate
from simlib.store import writer
from tests.store.helpers import BLOCK, asked


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "BLOCK", BLOCK)


@pytest.fixture(scope="session")
def memory() -> Run:
    """Return the run that most tests store, played in memory."""
    return simulate(**asked(), keep="games")
