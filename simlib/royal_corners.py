"""The public names of `simlib.games.royal_corners`."""

from simlib.games.royal_corners import *  # noqa: F403
from simlib.games.royal_corners import __all__ as __all__
