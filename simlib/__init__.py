"""A Monte Carlo laboratory for card games: King George III, Royal Corners and King."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from simlib.errors import BadInput, PolicyFailure, RunFailure

if TYPE_CHECKING:
    from simlib.cards import count, highest, lowest, nth, pick
    from simlib.compare import compare
    from simlib.policy import STOP, Policy, policy
    from simlib.record import replay, verify
    from simlib.rng import below
    from simlib.rotation import play_rotations, rotations
    from simlib.run import Run
    from simlib.simulate import simulate
    from simlib.store import extend, load, resume
    from simlib.sweep import sweep
    from simlib.tournament import tournament

__version__ = "0.1.0"

#: Names that are loaded when they are first used, and where they live: numba alone takes a
#: quarter of a second, in which the command line could not answer Ctrl-C.
_LAZY = {
    "Policy": "simlib.policy",
    "Run": "simlib.run",
    "STOP": "simlib.policy",
    "below": "simlib.rng",
    "compare": "simlib.compare",
    "count": "simlib.cards",
    "extend": "simlib.store",
    "highest": "simlib.cards",
    "load": "simlib.store",
    "lowest": "simlib.cards",
    "nth": "simlib.cards",
    "pick": "simlib.cards",
    "play_rotations": "simlib.rotation",
    "policy": "simlib.policy",
    "replay": "simlib.record",
    "resume": "simlib.store",
    "rotations": "simlib.rotation",
    "simulate": "simlib.simulate",
    "sweep": "simlib.sweep",
    "tournament": "simlib.tournament",
    "verify": "simlib.record",
}

#: Modules of the games, loaded in the same way.
_GAMES = ("king", "king_george", "royal_corners")

__all__ = [
    "STOP",
    "BadInput",
    "Policy",
    "PolicyFailure",
    "Run",
    "RunFailure",
    "below",
    "compare",
    "count",
    "extend",
    "highest",
    "load",
    "lowest",
    "nth",
    "pick",
    "play_rotations",
    "policy",
    "replay",
    "resume",
    "rotations",
    "simulate",
    "sweep",
    "tournament",
    "verify",
]


def _lazy(name: str, home: str) -> property:
    def get(package: ModuleType) -> Any:
        return getattr(import_module(home), name)

    # Importing the module `simlib.simulate` would put it in the place of the function.
    return property(get, lambda package, module: None)


class _Package(ModuleType):
    """The package itself: names that are loaded when they are used."""

    def __getattr__(self, name: str) -> Any:
        if name in _GAMES:
            return import_module(f"simlib.{name}")
        raise AttributeError(f"module 'simlib' has no attribute {name!r}")

    def __dir__(self) -> list[str]:
        return sorted([*__all__, *_GAMES, "__doc__", "__version__"])


for _name, _home in _LAZY.items():
    setattr(_Package, _name, _lazy(_name, _home))
sys.modules[__name__].__class__ = _Package
