"""The one signature that the kernels of all games have, and what its parts are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import from_dtype, types

from simlib.policy import policy_type

__all__ = ["array", "kernel_signature"]


def array(kind: Any, dims: int = 1) -> Any:
    """Return numba's type of a contiguous array of a numpy dtype or a numba type."""
    return types.Array(from_dtype(kind) if isinstance(kind, np.dtype) else kind, dims, "C")


def kernel_signature(
    game: str,
    *,
    seats: int,
    rules: np.dtype,
    rows: tuple[np.dtype, np.dtype],
    work: Sequence[Any],
    logged: bool,
) -> Any:
    """Return the numba signature of a game's ``play_games``.

    Its arguments are, in this order:

    - rules: array of one packed record;
    - policies: a first-class function a seat, padded;
    - seeds: uint64[2], ``seed`` and ``play_seed``;
    - first game and how many: int64. The games played are ``first … first + total - 1``;
    - games: array of the game's rows, at least `total`;
    - deals: array of rows. Empty where deals are not wanted; a game that finds no room sets
      ``control[FULL]``;
    - work: what one thread needs, see the game's ``scratch``;
    - control: int64, see ``simlib.games.control``;
    - log: int16[:, 3], or None where events are not wanted;
    - given: deck order of deal 0 instead of the seed's, int64[cards of the deck] (C-4a); int64[0]
      for the seed's; None where there is no log.

    It returns the number of games finished (int64).

    Parameters
    ----------
    game : str
        Its name.
    seats : int
        How many policies it takes.
    rules : dtype
        Its packed rules.
    rows : two dtypes
        Of the table of games, and of the table of deals.
    work : sequence of numba types
        Of the arrays that ``scratch`` returns.
    logged : bool
        Whether the kernel writes an event log, and may be given a deck.
    """
    game_row, deal_row = rows
    return types.int64(
        array(rules),
        types.UniTuple(policy_type(game), seats),
        array(types.uint64),
        types.int64,
        types.int64,
        array(game_row),
        array(deal_row),
        types.Tuple(tuple(work)),
        array(types.int64),
        array(types.int16, 2) if logged else types.none,
        array(types.int64) if logged else types.none,
    )
