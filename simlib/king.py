"""The public names of `simlib.games.king`."""

from simlib.games.king import *  # noqa: F403
from simlib.games.king import __all__ as __all__
