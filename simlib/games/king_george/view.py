"""What a player of King George III sees, and the records the kernel works on."""

from __future__ import annotations

import numpy as np

from simlib.policy import PARAMS, register_view

__all__ = ["ACE", "FIELDS", "FOLLOW", "LEAD", "OPTION_FIELDS", "RUN", "SNAPSHOT", "STATE", "VIEW"]

#: Kinds of decision (KG-13).
LEAD, FOLLOW, RUN, ACE = range(4)

#: Field, type code, and what it says. ``options`` is what may be answered.
FIELDS: tuple[tuple[str, str, str], ...] = (
    ("hand", "u8", "own cards, a mask (card = rank * 4 + suit, rank 0 is the two)"),
    ("options", "u8", "legal answers: cards; at an ace choice bit 0 = set aside, bit 1 = keep"),
    ("pile", "u8", "cards of the pile on the table, a mask"),
    ("aside", "u8", "cards set aside by aces, a mask"),
    ("unseen", "u8", "cards in the stock or in other hands, a mask"),
    ("fit_table", "u8:13", "for each rank of a top card, the mask of cards that fit on it"),
    ("params", f"f8:{PARAMS}", "parameters of the policy, in the order it declares them"),
    ("decision", "i1", "0 lead, 1 follow, 2 run on, 3 ace choice"),
    ("may_stop", "i1", "1 if STOP may be answered"),
    ("top", "i1", "card on top of the pile; -1: no pile"),
    ("ace", "i1", "the ace just put down, at an ace choice; else -1"),
    ("players", "i1", "players in this deal, 2 to 5"),
    ("position", "i1", "own place in turn order, 0 = acted first in this deal"),
    ("stock_count", "i1", "cards in the stock"),
    ("pile_count", "i1", "cards on the pile"),
    ("passes", "i1", "turns in a row passed without a card played"),
    ("lap", "i1", "turns left after somebody is out, this one included; -1: nobody is out"),
    ("run", "i1", "cards put down in this turn so far"),
    ("drawn", "i1", "cards drawn in this turn so far"),
    ("resets_left", "i1", "aces of this player that would still set a pile aside"),
    ("counts", "i1:5", "cards in hand by place after this player, 0 = own; -1: no such player"),
    ("resets_used", "i1:5", "piles set aside by each, by place after this player"),
    ("ace_resets", "i1", "option (KG-8)"),
    ("lead_run", "i1", "option lead=run (KG-2)"),
    ("wrap", "i1", "option (KG-3)"),
    ("ace_any", "i1", "option ace_fits=any (KG-3)"),
    ("must_run", "i1", "option (KG-4)"),
    ("draw_one", "i1", "option draw=one (KG-5)"),
    ("recycle", "i1", "option: 0 turn, 1 shuffle, 2 none (KG-6)"),
    ("emptied", "i1", "option recycle_when=emptied (KG-6)"),
    ("ace_choice", "i1", "option (KG-8)"),
    ("ace_player", "i1", "option ace_scope=player (KG-8)"),
    ("after_out", "i1", "option: 0 lap, 1 round, 2 none (KG-9)"),
)

#: Fields that hold an option, and its name.
OPTION_FIELDS = {
    "ace_resets": "ace_resets",
    "lead_run": "lead",
    "wrap": "wrap",
    "ace_any": "ace_fits",
    "must_run": "must_run",
    "draw_one": "draw",
    "recycle": "recycle",
    "emptied": "recycle_when",
    "ace_choice": "ace_choice",
    "ace_player": "ace_scope",
    "after_out": "after_out",
}

VIEW = register_view("king-george-iii", FIELDS)

#: Where a deal stands: enough to go on from any decision point.
STATE = np.dtype(
    [
        ("hands", "u8", (5,)),
        ("ring", "u1", (64,)),  # stock from head to edge, pile from edge to tail
        ("aside", "u8"),
        ("pile", "u8"),
        ("seats", "i8", (5,)),
        ("used", "i8", (5,)),
        ("players", "i8"),
        ("first", "i8"),
        ("head", "i8"),
        ("edge", "i8"),
        ("tail", "i8"),
        ("player", "i8"),
        ("phase", "i8"),
        ("card", "i8"),
        ("run", "i8"),
        ("drawn", "i8"),
        ("lap", "i8"),
        ("passed", "i8"),
        ("out", "i8"),
        ("turns", "i8"),
        ("plays", "i8"),
        ("draws", "i8"),
        ("recycles", "i8"),
        ("resets", "i8"),
        ("passes", "i8"),
        ("longest_draw", "i8"),
        ("longest_run", "i8"),
        ("last_reset", "i8"),
        ("first_out", "i8"),
        ("decisions", "i8"),
        ("options", "i8"),
        ("pending", "i8"),
        ("calm", "i8"),  # turns since chance was used last
        ("salt", "i8"),
        ("cycle_of", "i8"),
        ("spare", "u1", (64,)),
        # cards and resets by player, twice in a row, so that those after any one stand in a row;
        # both follow from the above, and are written at the start of a call of play_on
        ("held", "u1", (10,)),
        ("spent", "u1", (10,)),
    ],
    align=True,
)

#: A deal at the start of an earlier turn, for the proof by cycle (KG-12).
SNAPSHOT = np.dtype(
    [
        ("hands", "u8", (5,)),
        ("used", "i8", (5,)),
        ("ring", "u1", (64,)),
        ("streams", "u8", (24,)),
        ("aside", "u8"),
        ("head", "i8"),
        ("edge", "i8"),
        ("tail", "i8"),
        ("player", "i8"),
        ("passed", "i8"),
        ("turn", "i8"),
    ],
    align=True,
)
