"""The registry of games. A new game is a folder here and one line below."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import cast

from simlib.errors import BadInput
from simlib.games.spec import Game

__all__ = ["GAMES", "get", "names"]

#: Name of a game -> the module that describes it, loaded when it is asked for.
GAMES = {
    "king-george-iii": "simlib.games.king_george.game",
    "royal-corners": "simlib.games.royal_corners.game",
    "king": "simlib.games.king.game",
}


def names() -> list[str]:
    """Return the names of all games."""
    return list(GAMES)


@cache
def _load(name: str) -> Game:
    return cast(Game, import_module(GAMES[name]).GAME)


def get(name: object) -> Game:
    """Return the description of a game.

    Raises
    ------
    BadInput
        If there is no such game.
    """
    if not isinstance(name, str) or name not in GAMES:
        raise BadInput(f"game {name!r}: there are {', '.join(GAMES)}")
    return _load(name)
