"""Plays ranges of games by calling a kernel: rows in, errors out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from simlib.errors import PolicyFailure
from simlib.games.control import (
    DEALS,
    DONE,
    ERROR,
    FULL,
    GAME,
    LOGGED,
    SEAT,
    STOPPED,
    new_control,
)
from simlib.setup import Setup

__all__ = ["SEEDED", "Batch", "Player", "failure", "record_log"]

#: No deck order is given: every deal is the seed's (C-4).
SEEDED = np.zeros(0, np.int64)


class Batch(NamedTuple):
    """Rows of some consecutive games: their table of games and their table of deals.

    The arrays are reused: copy what has to last.
    """

    first: int
    games: np.ndarray
    deals: np.ndarray


class Player:
    """What one thread needs to play games of one setup.

    Parameters
    ----------
    setup : Setup
    deals : bool
        Whether rows of deals are wanted where a game can do without.
    prove : bool
        False plays endless deals on to the cap (KG-12), for tests and benchmarks.
    """

    def __init__(self, setup: Setup, *, deals: bool = False, prove: bool = True) -> None:
        self.setup = setup
        self.control = new_control()
        self._rules = setup.packed(prove=prove)
        self._policies = setup.compiled()
        self._seeds = setup.seeds()
        self._work = setup.game.scratch(self._rules, setup.params())
        self._kernel = setup.game.simulate
        self._one_each = setup.game.merges_deals and setup.table.unit == "deal"
        self._wants_deals = deals or self._one_each or setup.table.unit == "match"
        self._games = np.zeros(0, setup.game.game_dtype)
        self._deals = np.zeros(0, setup.game.deal_dtype)

    def stop(self) -> None:
        """Ask the kernel to stop before its next game."""
        self.control[STOPPED] = 1

    def play(self, first: int, count: int) -> Iterator[Batch]:
        """Play games ``first`` … ``first + count - 1`` and yield their rows in batches.

        Raises
        ------
        PolicyFailure
            If a policy answers outside its options or raises (C-5).
        """
        if len(self._games) < count:
            self._games = np.zeros(count, self.setup.game.game_dtype)
        room = count if self._one_each else 2 * count + 64
        if self._wants_deals and len(self._deals) < room:
            self._deals = np.zeros(room, self.setup.game.deal_dtype)
        while count > 0 and not self.control[STOPPED]:
            self.control[1:] = 0
            self._call(first, count)
            done, deals = int(self.control[DONE]), int(self.control[DEALS])
            if done:
                yield Batch(first, self._games[:done], self._deals[:deals])
            elif self.control[FULL]:  # one game alone has more deals than there is room
                self._deals = np.zeros(2 * len(self._deals), self._deals.dtype)
            first += done
            count -= done

    def _call(self, first: int, count: int) -> None:
        try:
            self._kernel(
                self._rules,
                self._policies,
                self._seeds,
                first,
                count,
                self._games,
                self._deals,
                self._work,
                self.control,
                None,
                None,
            )
        except Exception as error:
            raise failure(self.setup, self.control, error) from error
        if self.control[ERROR]:
            raise failure(self.setup, self.control)


def failure(setup: Setup, control: np.ndarray, error: Exception | None = None) -> PolicyFailure:
    """Return the error that names game, seat, policy, options and answer (C-5)."""
    game, seat = int(control[GAME]), int(control[SEAT])
    policy = setup.policies[seat].spec if seat < len(setup.policies) else "?"
    where = f"game {game}, seat {seat}, policy {policy!r}"
    if error is not None:
        text = f"{type(error).__name__}: {error}".split("\n")[0]
        message = f"{where}: the policy stopped with {text} (C-5)"
    else:
        answer, options = setup.game.explain(setup.table, control)
        message = f"{where} answered {answer}, which is not among its options: {options} (C-5)"
    return PolicyFailure(message, game=game, seat=seat, policy=policy)


def record_log(
    setup: Setup, game: int, given: Sequence[int] | None = None
) -> tuple[Any, np.ndarray, np.ndarray]:
    """Play one game with the event log; return its row, its deals' rows and the log.

    Parameters
    ----------
    setup : Setup
    game : int
        Index of the game.
    given : sequence of int, optional
        Deck order of its first deal instead of the seed's (C-4a).

    Raises
    ------
    PolicyFailure
        As :meth:`Player.play`.
    """
    rules = setup.packed()
    policies = setup.compiled()
    work = setup.game.scratch(rules, setup.params())
    kernel = setup.game.record
    games = np.zeros(1, setup.game.game_dtype)
    deals = np.zeros(64, setup.game.deal_dtype)
    log = np.zeros((4096, 3), np.int16)
    order = SEEDED if given is None else np.array(given, np.int64)
    while True:
        control = new_control()
        try:
            kernel(rules, policies, setup.seeds(), game, 1, games, deals, work, control, log, order)
        except Exception as error:
            raise failure(setup, control, error) from error
        if control[ERROR]:
            raise failure(setup, control)
        if control[FULL]:
            deals = np.zeros(4 * len(deals), deals.dtype)
        elif control[LOGGED] > len(log):
            log = np.zeros((int(control[LOGGED]), 3), np.int16)
        else:
            return games[0], deals[: control[DEALS]], log[: control[LOGGED]]
