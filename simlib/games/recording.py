"""From the kernel's event log to the deals of a game record (C-10), for all games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from simlib import rng as streams
from simlib.games.columns import Column
from simlib.games.dealing import order_deck

__all__ = ["Entry", "Piles", "deal_round", "deck_order", "row_values", "split_deals"]

#: One row of the log: (code, seat, value).
Entry = tuple[int, int, int]


class Piles(NamedTuple):
    """A deck order laid out as a deal (C-4a).

    Attributes
    ----------
    hands : list of list of int
        What each player holds, by seat, in the order dealt.
    others : dict of str to list of int
        What lies elsewhere, named as in a record (C-10): ``corners``, ``talon``, ``stock``,
        ``aside``; only piles that have cards.
    """

    hands: list[list[int]]
    others: dict[str, list[int]]


@cache
def _stream() -> Any:
    return np.zeros(1, streams.RNG)


def deck_order(cards: Sequence[int], seed: int, game: int, deal: int) -> list[int]:
    """Return the deck order of a deal: first the card that is dealt first (C-4, C-4a).

    Parameters
    ----------
    cards : sequence of int
        The set of cards, as they lie in a new pack.
    seed, game, deal : int
        Seed, index of the game, index of the deal in it.
    """
    deck = np.array(cards, np.int64)
    order_deck(_stream()[0], deck, len(deck), np.uint64(seed), np.uint64(game), deal, None)
    return [int(card) for card in deck]


def deal_round(deck: Sequence[int], players: int, first: int, size: int) -> list[list[int]]:
    """Deal card k to the ``k mod n``-th player in turn order from `first` (C-4a)."""
    hands: list[list[int]] = [[] for _ in range(players)]
    for k in range(players * size):
        hands[(first + k) % players].append(deck[k])
    return hands


def split_deals(log: np.ndarray, deal_code: int) -> list[list[Entry]]:
    """Split a log at the rows with which a deal begins; those rows are left out."""
    deals: list[list[Entry]] = []
    for code, seat, value in log.tolist():
        if code == deal_code:
            deals.append([])
        else:
            deals[-1].append((code, seat, value))
    return deals


def row_values(row: Any, columns: Iterable[Column], players: int) -> dict[str, Any]:
    """Return a row as JSON values: labels as text, shares as floats, one key a seat."""
    values: dict[str, Any] = {}
    for column in columns:
        raw = row[column.name]
        if column.seats:
            for seat in range(players):
                values[f"{column.name}_{seat}"] = _value(raw[seat], column)
        else:
            values[column.name] = _value(raw, column)
    return values


def _value(raw: Any, column: Column) -> Any:
    if column.labels:
        return column.labels[int(raw)] if raw >= 0 else None
    if column.code == "?":
        return bool(raw)
    if column.scale != 1:
        return int(raw) / column.scale
    return int(raw)
