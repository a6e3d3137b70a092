"""What a player of Royal Corners sees, and the record the kernel works on."""

from __future__ import annotations

import numpy as np

from simlib.policy import PARAMS, register_view

__all__ = ["FIELDS", "OPTION_FIELDS", "STATE", "VIEW"]

#: Field, type code, and what it says. ``options`` is what may be answered, beside STOP.
FIELDS: tuple[tuple[str, str, str], ...] = (
    ("options", "u1:64", "for each source the corners it may go to, a mask (bit = corner);"
     " sources: 0-51 a card of the hand, 52 the open stock card, 53 + c the pile on corner c"),
    ("corner_cards", "u8:8", "cards on each corner, a mask (card = rank * 4 + suit, 0 = ace)"),
    ("hand", "u8", "own cards, a mask"),
    ("sources", "u8", "sources with at least one corner in options, a mask"),
    ("unseen", "u8", "cards in other hands or in the stock, the open card excepted, a mask"),
    ("params", f"f8:{PARAMS}", "parameters of the policy, in the order it declares them"),
    ("first_cards", "i1:8", "first card of the pile on each corner; -1: no pile"),
    ("last_cards", "i1:8", "last card of the pile on each corner; -1: no pile"),
    ("totals", "i4:4", "penalty points of the match so far, by place after this player"),
    ("target", "i4", "option: points that end a match (RC-11)"),
    ("counts", "i1:4", "cards in hand by place after this player, 0 = own; -1: no such player"),
    ("moves", "i2", "number of moves in options; STOP is one answer more"),
    ("any_corners", "u1", "empty corners that take any card as the next move, a mask (RC-6)"),
    ("lasting_corners", "u1", "those of any_corners that still do after a turn without a move"),
    ("open_card", "i1", "the stock's open card; -1: none, or face down (RC-7)"),
    ("stock_count", "i1", "cards in the stock, the open card included"),
    ("position", "i1", "own place in turn order, 0 = acted first in this deal"),
    ("idle", "i1", "turns in a row that passed without a move or a draw"),
    ("hand_plays", "i1", "cards played from hand in this turn so far"),
    ("stock_plays", "i1", "cards played from the stock in this turn so far"),
    ("pile_moves", "i1", "piles moved in this turn so far"),
    ("drawn", "i1", "cards drawn in this turn so far (draw=turn_start)"),
    ("players", "i1", "players in this deal, 2 to 4; those without cards are out"),
    ("decision", "i1", "always 0: a move, or stop (RC-12)"),
    ("may_stop", "i1", "always 1: STOP may be answered"),
    ("corners", "i1", "corners on the table: 4, or 8 with king corners (RC-14)"),
    ("match", "i1", "1 if the deal is part of a match"),
    ("merge", "i1", "option: 0 down, 1 up (RC-5)"),
    ("vacated", "i1", "option: 0 next_move, 1 turn, 2 next_turn, 3 always, 4 never (RC-6)"),
    ("stock_face", "i1", "option: 0 up, 1 down (RC-7)"),
    ("draw", "i1", "option: 0 after_play, 1 every_turn, 2 turn_start (RC-8)"),
    ("end", "i1", "option: 0 play_on, 1 first_out, 2 last_holder (RC-10)"),
    ("king_pile", "i1", "option (RC-14)"),
)  # fmt: skip

#: Fields that hold an option or what follows from it, by the name in the packed rules.
OPTION_FIELDS = (
    "corners",
    "match",
    "merge",
    "vacated",
    "stock_face",
    "draw",
    "end",
    "king_pile",
    "target",
)

VIEW = register_view("royal-corners", FIELDS)

#: Where a deal stands: enough to go on from any decision point.
STATE = np.dtype(
    [
        ("takes", "u8", (8,)),  # cards that fit on each corner (RC-3, RC-4, RC-6)
        ("joins", "u8", (8,)),  # first cards of piles that fit on each corner (RC-5, RC-14)
        ("moves", "u8", (8,)),  # sources that may go to each corner, at a decision (RC-12)
        ("cards", "u8", (8,)),  # cards on each corner
        ("first_cards", "i1", (8,)),
        ("last_cards", "i1", (8,)),
        ("hands", "u8", (4,)),
        ("deck", "u1", (52,)),  # the stock from head on
        ("head", "i8"),
        ("heads", "u8"),  # first cards of all piles
        ("fresh", "i8"),  # corners 0-3 emptied by the last move or in this turn, as bits (RC-6)
        ("old", "i8"),  # vacated=next_turn: corners emptied in the turn before
        ("player", "i8"),
        ("first", "i8"),
        ("phase", "i8"),
        ("turn_hand_plays", "i8"),
        ("turn_stock_plays", "i8"),
        ("turn_pile_moves", "i8"),
        ("turn_drawn", "i8"),
        ("stopped", "i8"),
        ("idle", "i8"),
        ("declined", "i8"),
        ("turns", "i8"),
        ("hand_plays", "i8"),
        ("stock_plays", "i8"),
        ("pile_moves", "i8"),
        ("draws", "i8"),
        ("decisions", "i8"),
        ("options", "i8"),
        ("outs", "i8"),
        ("out_order", "i8", (4,)),
        ("first_out_turn", "i8"),
        ("totals", "i8", (4,)),
        ("pending", "i8"),
    ],
    align=True,
)
