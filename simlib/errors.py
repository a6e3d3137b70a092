"""The errors that people see."""

from __future__ import annotations

__all__ = ["BadInput", "PolicyFailure", "RunFailure", "shorten"]


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


def shorten(text: str, most: int) -> str:
    """Return a text of at most `most` characters; what is too much is left out of its middle.

    Messages quote what people gave, which may be of any length, and end with what is valid.
    """
    if len(text) <= most:
        return text
    half = (most - 5) // 2
    return f"{text[:half]} ... {text[-half:]}"
