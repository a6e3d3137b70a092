"""What the event log says about piles set aside and cards cut off: extra columns of a deal.

The table of deals says how many orphans each hand holds at the end (KG-14); it does not say
which ranks they are, nor what lay in the piles that went out of the game. The log does: this
module reads it as the kernel writes it, many games at a time, and leaves one row a first deal.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import from_dtype, types

from simlib.cards import FULL_DECK, count
from simlib.games.king_george import events as ev
from simlib.games.king_george.proofs import reachable
from simlib.games.king_george.rules import PACKED
from simlib.jit import Compiled

__all__ = ["FIELDS", "MOST_RESETS", "ROW", "read_log"]

U = np.uint64
ACES = U(0xF << 48)
#: There are four aces.
MOST_RESETS = 4

#: Field, type code, and what it says; all of the first deal, as it stood at its end.
FIELDS: tuple[tuple[str, str, str], ...] = (
    ("aside", "u8", "cards set aside by aces, a mask (card = rank * 4 + suit)"),
    ("live", "u8", "cards in play that can still be played; all while a pile may be set aside"),
    ("resets", "i8", "piles set aside (KG-8)"),
    ("turns", "i8", "turns played"),
    ("sizes", "i8:4", "cards of each pile set aside, its ace included; 0: there was none"),
    ("when", "i8:4", "turn in which each was set aside, from 0; -1: there was none"),
    ("closed", "i8", "1 if no pile can be set aside any more and one lies on the table (KG-12)"),
)

ROW = np.dtype(
    [
        (name, code.split(":")[0], (int(code.split(":")[1]),)) if ":" in code else (name, code)
        for name, code, _ in FIELDS
    ],
    align=True,
)


def _read_log(rules_array: Any, log: Any, logged: int, rows: Any) -> Any:
    """Fill one row a game from the log of consecutive games; return the number of games."""
    rules = rules_array[0]
    row = rows[0]
    games = 0
    first_deal = False
    pile: Any = U(0)
    top: Any = np.int64(-1)
    used: Any = np.int64(0)  # resets of each seat, four bits a seat
    for i in range(logged + 1):
        code = np.int64(log[i, 0]) if i < logged else np.int64(ev.DEAL)
        value = np.int64(log[i, 2]) if i < logged else np.int64(0)
        if code == ev.DEAL and first_deal:
            # --- the first deal of a game has ended: what can still be played (KG-12) --------
            in_play = FULL_DECK & ~row.aside
            row.live = in_play
            row.closed = 0
            if top >= 0:
                least = row.resets
                if rules.ace_scope:  # a player with resets left keeps the door open (KG-8)
                    for seat in range(rules.players):
                        least = min(least, (used >> (4 * seat)) & 15)
                found = reachable(rules, in_play, U(top) >> U(2))
                if (found & ACES) == U(0) or least >= rules.ace_resets:
                    row.live = found
                    row.closed = 1
            first_deal = False
        if i == logged:
            break
        if code == ev.DEAL:
            if value == 0:
                row = rows[games]
                games += 1
                first_deal = True
                row.aside = U(0)
                row.resets = 0
                row.turns = 0
                for k in range(4):
                    row.sizes[k] = 0
                    row.when[k] = -1
                pile = U(0)
                top = np.int64(-1)
                used = np.int64(0)
        elif not first_deal:
            continue
        elif code == ev.PLAY:
            pile |= U(1) << U(value)
            top = value
        elif code == ev.RECYCLE:
            pile = U(1) << U(top)
        elif code == ev.SET_ASIDE:
            row.sizes[row.resets] = count(pile)
            row.when[row.resets] = row.turns
            row.aside |= pile
            row.resets += 1
            pile = U(0)
            top = np.int64(-1)
            used += np.int64(1) << np.int64(4 * log[i, 1])
        elif code == ev.END:
            row.turns += 1
    return games


def _signature() -> Any:
    return types.int64(
        types.Array(from_dtype(PACKED), 1, "C"),
        types.Array(types.int16, 2, "C"),
        types.int64,
        types.Array(from_dtype(ROW), 1, "C"),
    )


#: (rules, log int16[:, 3], events in it, rows) -> games read.
read_log = Compiled(_read_log, _signature)
