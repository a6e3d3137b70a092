"""The errors that people see."""

from __future__ import annotations

__all__ = ["BadInput", "PolicyFailure", "RunFailure"]


class BadInput(ValueError):
    """Something the caller gave is wrong: what, where, and what would be valid.

    The command line prints it on one line and exits with 2.
    """


class RunFailure(RuntimeError):
    """A run had to stop. The command line prints it on one line and exits with 1."""


class PolicyFailure(RunFailure):
    """A policy answered outside its options, or raised (C-5).

    Attributes
    ----------
    game, seat : int
        Index of the game and the seat that was to decide.
    policy : str
        The policy's name.
    """

    def __init__(self, message: str, *, game: int, seat: int, policy: str) -> None:
        super().__init__(message)
        self.game = game
        self.seat = seat
        self.policy = policy
