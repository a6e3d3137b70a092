"""The first games of a run as a digest: does this program still play them the same way?

A policy, a rule or a kernel may have changed between two versions; then a run cannot go on,
for half of its games would be of another game.
"""

from __future__ import annotations

import hashlib
from typing import Any

from simlib.engine import Player
from simlib.manifest import Manifest
from simlib.setup import Setup
from simlib.store.block import tables
from simlib.store.rows import Digest, fields, values

__all__ = ["PROBE", "probe", "same_games"]

#: How many games are played for it.
PROBE = 16


def probe(setup: Setup, games: int) -> dict[str, Any]:
    """Play the first games and return their digest, as it stands in a manifest.

    Raises
    ------
    PolicyFailure
        As in the run itself (C-5).
    """
    digests = {
        table: Digest(field.name for field in fields(setup, table))
        for table in tables(setup, "games")
    }
    for batch in Player(setup, deals=True).play(0, games):
        for table, digest in digests.items():
            digest.add(values(setup, table, batch))
    text = "".join(f"{table}:{digest.hexdigest()}\n" for table, digest in digests.items())
    return {"games": games, "content": hashlib.sha256(text.encode()).hexdigest()}


def same_games(setup: Setup, manifest: Manifest) -> bool:
    """Tell whether this program plays the first games of a run as they were played."""
    known = manifest.probe
    return known is None or probe(setup, known.games)["content"] == known.content
