"""A Monte Carlo laboratory for card games: King George III, Royal Corners and King."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from simlib.cards import count, highest, lowest, nth, pick
from simlib.errors import BadInput, PolicyFailure, RunFailure
from simlib.policy import STOP, Policy, policy
from simlib.rng import below

if TYPE_CHECKING:
    from simlib.record import replay, verify
    from simlib.run import Run
    from simlib.simulate import simulate

__version__ = "0.1.0"

#: Names that are loaded when they are first used.
_LAZY = {
    "simulate": "simlib.simulate",
    "replay": "simlib.record",
    "verify": "simlib.record",
    "Run": "simlib.run",
}
_FOLDERS = {
    "king_george": "simlib.games.king_george",
    "royal_corners": "simlib.games.royal_corners",
    "king": "simlib.games.king",
}

__all__ = [
    "STOP",
    "BadInput",
    "Policy",
    "PolicyFailure",
    "Run",
    "RunFailure",
    "below",
    "count",
    "highest",
    "lowest",
    "nth",
    "pick",
    "policy",
    "replay",
    "simulate",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    if name in _FOLDERS:
        return import_module(_FOLDERS[name])
    raise AttributeError(f"module 'simlib' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_LAZY, *_FOLDERS])
