"""Runs on disk: folders that last, grow, and can be checked by a stranger.

A run is a folder with ``manifest.json``, a journal while it is played, and one part a block of
games: ``part-000000.parquet`` (table of games), ``deals-000000.parquet`` (table of deals, where
a game's row does not have it all), and ``sums-000000.npz`` (sufficient statistics).
"""

from __future__ import annotations

from simlib.store.again import Rerun, policy_sources, rerun
from simlib.store.checks import Check, check
from simlib.store.stored import StoredRun, load, read_table
from simlib.store.tasks import extend, resume, runs
from simlib.store.writer import Writer

__all__ = [
    "Check",
    "Rerun",
    "StoredRun",
    "Writer",
    "check",
    "extend",
    "load",
    "policy_sources",
    "read_table",
    "rerun",
    "resume",
    "runs",
]
