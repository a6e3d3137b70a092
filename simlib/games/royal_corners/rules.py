"""The options of Royal Corners (RC-1 … RC-14)."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import field_validator

from simlib.errors import BadInput
from simlib.games.options import First, Rules, option

__all__ = [
    "CODES",
    "CORNERS",
    "DEFAULT_PLAYERS",
    "HAND_SIZE",
    "PACKED",
    "PLAYERS",
    "PRESETS",
    "RoyalCornersRules",
    "check_players",
    "pack",
]

#: Numbers of players, the default, and the hand size (RC-1).
PLAYERS = (2, 3, 4)
DEFAULT_PLAYERS = 4
HAND_SIZE = 7
DECK_SIZE = 52
#: Corners that are dealt to; king corners are numbered on from here (RC-14).
CORNERS = 4


class RoyalCornersRules(Rules):
    """Every option of Royal Corners; the defaults are the seed's rules."""

    game: ClassVar[str] = "royal-corners"

    hand_size: int | None = option(None, "RC-1", "cards dealt to each player; null: 7", ge=1, le=24)
    starter: Literal["dealer", "left"] = option(
        "dealer", "RC-2", "seat 0 of a deal is the dealer, or the player left of the dealer"
    )
    merge: Literal["down", "up"] = option(
        "down",
        "RC-5",
        "a moved pile's first card is one lower, or one higher, than the other's last",
    )
    vacated: Literal["next_move", "turn", "next_turn", "always", "never"] = option(
        "next_move",
        "RC-6",
        "how long a vacated corner takes any card: as the next move, for the rest of the turn,"
        " until the end of the next player's turn, always, never",
    )
    stock_face: Literal["up", "down"] = option(
        "up", "RC-7", "the stock's top card lies open and may be played, or not"
    )
    draw: Literal["after_play", "every_turn", "turn_start"] = option(
        "after_play",
        "RC-8",
        "a card is drawn at the end of a turn with a card played from hand, at the end of every"
        " turn, or at the start of every turn",
    )
    end: Literal["play_on", "first_out", "last_holder"] = option(
        "play_on",
        "RC-10",
        "the deal goes on while anybody can move, ends with the first player out, or when one"
        " player is left",
    )
    target: int = option(
        50, "RC-11", "a match ends when somebody has so many penalty points", ge=1, le=1_000_000
    )
    max_deals: int = option(
        200, "RC-11", "a match is censored after so many deals", ge=1, le=30_000
    )
    max_turns: int = option(
        1000, "RC-12", "a deal is truncated after so many turns", ge=1, le=1_000_000
    )
    king_corners: Literal[0, 4] = option(
        0, "RC-14", "further corners, empty at the start, for kings only"
    )
    king_pile: bool = option(
        False, "RC-14", "a pile on corners 0-3 that starts with a king may move to a king corner"
    )
    first: First = option("zero", "C-3", "seat 0 acts first, or seat g mod n in game g")

    @field_validator("king_corners", mode="before")
    @classmethod
    def _whole_number(cls, value: Any) -> Any:
        """Read a text as a number, and keep truth values from passing for 0 and 1."""
        if isinstance(value, bool):
            return "a truth value"
        return int(value) if isinstance(value, str) and value.isdecimal() else value


PRESETS: dict[str, dict[str, object]] = {
    "seed": {},
    "every-turn": {"draw": "every_turn"},
    "pagat": {
        "king_corners": 4,
        "king_pile": True,
        "vacated": "always",
        "stock_face": "down",
        "draw": "every_turn",
        "end": "first_out",
        "starter": "left",
    },
}

#: Text options as the kernel knows them: the position in this tuple.
CODES: dict[str, tuple[str, ...]] = {
    "starter": ("dealer", "left"),
    "merge": ("down", "up"),
    "vacated": ("next_move", "turn", "next_turn", "always", "never"),
    "stock_face": ("up", "down"),
    "draw": ("after_play", "every_turn", "turn_start"),
    "end": ("play_on", "first_out", "last_holder"),
    "first": ("zero", "rotate"),
}

#: The rules as one record for the kernel; ``match`` is the unit, ``corners`` how many there are.
PACKED = np.dtype(
    [("players", "i8"), ("match", "i8"), ("corners", "i8")]
    + [(name, "i8") for name in RoyalCornersRules.model_fields]
    + [("stepping", "i8"), ("trusted", "i8")],
    align=True,
)


def check_players(rules: RoyalCornersRules, players: int) -> None:
    """Refuse a hand size that leaves fewer than four cards for the corners (RC-1).

    Raises
    ------
    BadInput
        If hands and corners take more than the deck.
    """
    most = (DECK_SIZE - CORNERS) // players
    if rules.hand_size is not None and rules.hand_size > most:
        raise BadInput(
            f"option hand_size={rules.hand_size}: with {players} players valid: a whole number"
            f" from 1 to {most}, so that four cards are left for the corners (RC-1)"
        )


def pack(
    rules: RoyalCornersRules, players: int, *, match: bool = False, trusted: bool = False
) -> np.ndarray:
    """Return the rules as an array of one PACKED record.

    Parameters
    ----------
    rules : RoyalCornersRules
        Validated options.
    players : int
        2 to 4.
    match : bool
        Whether a game is a match (``unit=match``, RC-11).
    trusted : bool
        Whether all policies are ours, which never write into their view.
    """
    packed = np.zeros(1, PACKED)
    packed["players"] = players
    packed["match"] = match
    packed["trusted"] = trusted
    packed["corners"] = CORNERS + rules.king_corners
    for name, value in rules.model_dump().items():
        if name == "hand_size":
            packed[name] = HAND_SIZE if value is None else value
        else:
            packed[name] = CODES[name].index(value) if name in CODES else value
    return packed
