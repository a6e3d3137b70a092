"""What a kernel, a policy and a Python caller all ask: which cards fit (KG-3)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from simlib.cards import ACE_HIGH
from simlib.games.king_george.rules import KingGeorgeRules, fit_table
from simlib.games.options import resolve
from simlib.jit import helper

__all__ = ["fitting", "fitting_mask"]

U = np.uint64


@helper
def fitting_mask(fit: Any, hand: Any, top: int) -> Any:
    """Return the cards of a hand that fit on the card `top` (KG-3).

    Parameters
    ----------
    fit : uint64[13]
        For each rank of a top card, the mask of cards that fit on it.
    hand : uint64
        A mask.
    top : int
        Card number.

    Returns
    -------
    uint64
    """
    return hand & fit[top >> 2]


def fitting(
    hand: Iterable[str], top: str | None, *, wrap: bool = False, ace_fits: str = "neighbour"
) -> list[str]:
    """Return which cards of a hand may be put on the pile (KG-2, KG-3).

    Parameters
    ----------
    hand : iterable of str
        Card texts (C-1), for example ``["5S", "10H"]``.
    top : str or None
        The pile's top card; None where a new pile is started: then every card may be led.
    wrap, ace_fits
        Options of KG-3.

    Returns
    -------
    list of str
        Machine texts, ascending.

    Raises
    ------
    BadInput
        If a text is no card, a card is given twice, or an option is not valid.

    Examples
    --------
    >>> fitting(["5S", "4C", "9D", "AH"], "5H")
    ['4C', '5S']
    """
    rules = resolve(KingGeorgeRules, {}, rules={"wrap": wrap, "ace_fits": ace_fits})
    mask = ACE_HIGH.mask(hand)
    if top is None:
        return ACE_HIGH.cards(mask)
    assert isinstance(rules, KingGeorgeRules)
    fit = np.array(fit_table(rules), np.uint64)
    return ACE_HIGH.cards(int(fitting_mask(fit, U(mask), ACE_HIGH.number(top))))
