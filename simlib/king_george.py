"""The public names of `simlib.games.king_george`."""

from simlib.games.king_george import *  # noqa: F403
from simlib.games.king_george import __all__ as __all__
