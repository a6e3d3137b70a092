"""The deck order of a deal (C-4, C-4a)."""

from __future__ import annotations

from typing import Any

from simlib.jit import helper
from simlib.rng import DECK, shuffle, start

__all__ = ["order_deck"]


@helper
def order_deck(rng: Any, deck: Any, size: int, seed: Any, game: Any, deal: int, given: Any) -> None:
    """Bring a deck into the order of a deal: first the card that is dealt first.

    Parameters
    ----------
    rng : RNG record
        Is started anew for a shuffle.
    deck : array of whole numbers
        Its first `size` are the set of cards, as they lie in a new pack
        (`simlib.cards.NEW_PACK`).
    size : int
    seed, game, deal
        Which deal it is (C-4).
    given : int64[size], int64[0] or None
        The order of deal 0 instead of the seed's; None where only the seed deals.
    """
    if given is not None:
        if deal == 0 and given.shape[0] > 0:
            for i in range(size):
                deck[i] = given[i]
            return
    start(rng, seed, game, DECK, deal)
    shuffle(rng, deck, size)
