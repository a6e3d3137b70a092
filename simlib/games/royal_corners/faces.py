"""What a kernel, a policy and a Python caller all ask: which moves there are (RC-12)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np
from numba import types

from simlib.cards import ACE_LOW
from simlib.errors import BadInput
from simlib.games.options import resolve
from simlib.games.royal_corners.moves import (
    MOVES,
    PILE,
    STOCK,
    corner_of,
    source_of,
    write_moves,
)
from simlib.games.royal_corners.rules import CODES, CORNERS, PRESETS, RoyalCornersRules
from simlib.jit import Compiled

__all__ = ["in_words", "list_moves", "moves"]

U = np.uint64


def _signature() -> Any:
    bytes_ = types.Array(types.int8, 1, "C")
    return types.int64(
        types.uint64,
        *(types.int64,) * 5,
        bytes_,
        bytes_,
        types.Array(types.uint64, 2, "C"),
        types.Array(types.uint8, 1, "C"),
        types.Array(types.int64, 1, "C"),
    )


_listing = Compiled(write_moves, _signature)


def list_moves(
    rules: RoyalCornersRules,
    hand: int,
    open_card: int,
    first_cards: Sequence[int],
    last_cards: Sequence[int],
    any_corners: int,
) -> list[int]:
    """Return all moves of a position as ``source * 8 + corner``, in the order of RC-12.

    Parameters
    ----------
    rules : RoyalCornersRules
        For ``merge``, ``king_corners``, ``king_pile``.
    hand : int
        A mask.
    open_card : int
        The stock's open card; -1: none, or face down.
    first_cards, last_cards : sequence of int
        Of the pile on each corner; -1: empty.
    any_corners : int
        Empty corners 0-3 that take any card, as bits (RC-6).
    """
    firsts, lasts = np.full(8, -1, np.int8), np.full(8, -1, np.int8)
    firsts[: len(first_cards)] = first_cards
    lasts[: len(last_cards)] = last_cards
    found = np.zeros(MOVES, np.int64)
    number = _listing(
        U(hand),
        open_card,
        CORNERS + rules.king_corners,
        CODES["merge"].index(rules.merge),
        int(rules.king_pile),
        any_corners,
        firsts,
        lasts,
        np.zeros((3, 8), np.uint64),
        np.zeros(64, np.uint8),
        found,
    )
    return [int(answer) for answer in found[:number]]


def in_words(answer: int, open_card: int) -> str:
    """Return a move as text: ``5H>2`` (hand), ``*5H>2`` (stock), ``1>2`` (pile), ``stop``."""
    if answer == -1:
        return "stop"
    source, corner = int(source_of(answer)), int(corner_of(answer))
    if not 0 <= answer < MOVES:
        return "no move"
    if source < STOCK:
        return f"{ACE_LOW.text(source)}>{corner}"
    if source == STOCK:
        return f"*{ACE_LOW.text(open_card)}>{corner}" if open_card >= 0 else f"stock>{corner}"
    return f"{source - PILE}>{corner}"


def moves(
    hand: Iterable[str],
    corners: Sequence[Sequence[str]],
    *,
    open_card: str | None = None,
    any_corners: Iterable[int] = (),
    rules: Mapping[str, Any] | None = None,
    preset: str | None = None,
) -> list[dict[str, Any]]:
    """Return every move of a position, in the order of RC-12 (without ``stop``).

    Parameters
    ----------
    hand : iterable of str
        Card texts (C-1) of the player to move.
    corners : sequence of sequences of str
        The pile on each corner, first card first; 4, or 8 with ``king_corners=4``.
    open_card : str, optional
        The stock's open card (RC-7).
    any_corners : iterable of int
        Empty corners that take any card as the next move (RC-6), for example the one that the
        last move emptied. With ``vacated=always`` every empty corner 0-3 does.
    rules, preset
        Options (C-12).

    Returns
    -------
    list of dict
        As in a record (C-10): ``{"do": "play", "card": "5H", "from": "hand", "to": 2}``,
        ``{"do": "move", "from": 1, "to": 2}``.

    Raises
    ------
    BadInput
        If a text is no card, a card is given twice, the corners are not as many as the options
        say, a corner named in `any_corners` is not empty, or an option is not valid.

    Examples
    --------
    >>> moves(["5H", "KS"], [["6S"], ["8H", "7S"], [], ["QD"]])
    [{'do': 'play', 'card': '5H', 'from': 'hand', 'to': 0}, \
{'do': 'play', 'card': 'KS', 'from': 'hand', 'to': 2}]
    """
    model = cast(RoyalCornersRules, resolve(RoyalCornersRules, PRESETS, preset=preset, rules=rules))
    held = _listed(hand, "hand", "card texts")
    piles = [_listed(pile, "corners", "piles of card texts")
             for pile in _listed(corners, "corners", "piles of card texts")]  # fmt: skip
    shown = [open_card] if open_card is not None else []
    ACE_LOW.mask([*held, *shown, *(card for pile in piles for card in pile)])
    _check_corners(model, piles)
    open_number = ACE_LOW.number(open_card) if open_card is not None else -1
    found = list_moves(
        model,
        ACE_LOW.mask(held),
        -1 if model.stock_face == "down" else open_number,
        [ACE_LOW.number(pile[0]) if pile else -1 for pile in piles],
        [ACE_LOW.number(pile[-1]) if pile else -1 for pile in piles],
        _any_corners(model, piles, any_corners),
    )
    return [_as_event(answer, open_number) for answer in found]


def _listed(given: Any, name: str, what: str) -> list[Any]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise BadInput(f"{name}: {given!r}: give a list of {what}")
    return list(given)


def _check_corners(rules: RoyalCornersRules, piles: Sequence[Sequence[str]]) -> None:
    wanted = CORNERS + rules.king_corners
    if len(piles) != wanted:
        raise BadInput(f"corners: {len(piles)} piles given, the table has {wanted} (RC-14)")


def _any_corners(
    rules: RoyalCornersRules, piles: Sequence[Sequence[str]], named: Iterable[int]
) -> int:
    empty = [corner for corner in range(CORNERS) if not piles[corner]]
    if rules.vacated == "always":
        return sum(1 << corner for corner in empty)
    rights = set()
    for corner in _listed(named, "any_corners", "corners"):
        whole = isinstance(corner, int | np.integer) and not isinstance(corner, bool)
        if not whole or corner not in empty or rules.vacated == "never":
            valid = ", ".join(map(str, empty)) if rules.vacated != "never" else ""
            raise BadInput(f"any_corners: {corner!r}: valid: {valid or 'none'} (RC-6)")
        rights.add(int(corner))
    return sum(1 << corner for corner in rights)


def _as_event(answer: int, open_card: int) -> dict[str, Any]:
    source, corner = int(source_of(answer)), int(corner_of(answer))
    if source >= PILE:
        return {"do": "move", "from": source - PILE, "to": corner}
    if source == STOCK:
        return {"do": "play", "card": ACE_LOW.text(open_card), "from": "stock", "to": corner}
    return {"do": "play", "card": ACE_LOW.text(source), "from": "hand", "to": corner}
