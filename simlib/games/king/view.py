"""What a player of King sees, and the records the kernel works on."""

from __future__ import annotations

import numpy as np

from simlib.games.king.house import MOST_CONTRACTS
from simlib.policy import PARAMS, register_view

__all__ = [
    "BID",
    "CONTRACT",
    "DISCARD",
    "FIELDS",
    "PLAY",
    "STATE",
    "SUIT",
    "TRUMP",
    "VIEW",
]

#: Kinds of decision (K-8, K-9); OVER marks a deal that ended in the auction.
PLAY, CONTRACT, TRUMP, DISCARD, BID, SUIT, OVER = range(7)

#: Written before every call.
_PLAY_FIELDS: tuple[tuple[str, str, str], ...] = (
    ("hand", "u8", "own cards, a mask (card = suit * 16 + rank, S H D C, rank 0 is the two; jokers"
     " 61, 62); empty where a contract is named before the deal"),
    ("options", "u8", "legal answers: cards (play, discard); contracts, bit i = contract i of the"
     " variety; trumps, bit 0 = none, 1-4 = S H D C; bids, bit 0 = pass, bit b = b; penalty suit,"
     " bits 0-3 = S H D C"),
    ("table", "u8", "cards on the table in this trick, a mask"),
    ("winning", "u8", "cards that would hold the trick as it stands, if played now, a mask"),
    ("gone", "u8", "cards of finished tricks, a mask"),
    ("unseen", "u8", "cards in other hands, in the reserve, laid away or set aside, a mask"),
    ("taken", "u8:4", "cards in the tricks of each player, by place after this one, 0 = own"),
    ("may_hold", "u8:4", "cards that each may hold, after what he played; 0 = own hand"),
    ("tricks", "i1:4", "tricks taken by each, by place after this player"),
    ("counts", "i1:4", "cards in hand of each, by place after this player; -1: no such player"),
    ("decision", "i1", "0 play, 1 contract, 2 trump, 3 discard, 4 bid, 5 penalty suit"),
    ("on_table", "i1", "cards on the table in this trick"),
    ("led", "i1", "suit of the trick; -1: none yet"),
    ("holder", "i1", "place after this player of who holds the trick; -1: no card is down"),
    ("trick", "i1", "tricks finished"),
    ("reserve", "i1", "cards in the reserve"),
    ("drawn", "i1", "cards drawn from the reserve so far"),
)  # fmt: skip

#: Alike from the first lead on: written before other decisions, and then once.
_DEAL_FIELDS: tuple[tuple[str, str, str], ...] = (
    ("talon", "u8", "the talon, once it was shown, a mask (K-M)"),
    ("away", "u8", "cards that this player has laid away, a mask"),
    ("totals", "i4:4", "scores of the match so far of each, by place after this player"),
    ("deal", "i4", "index of the deal in its game"),
    ("position", "i1", "own place in turn order, 0 = is first in this deal"),
    ("trump", "i1", "trump suit; -1: none"),
    ("declarer", "i1", "place after this player of declarer or highest bidder; -1: none"),
    ("bid", "i1", "highest bid so far; 0: none; -1: no auction"),
    ("bids", "i1:4", "last bid of each, by place after this player; 0 passed, -1 not asked yet"),
    ("left", f"u1:{MOST_CONTRACTS}", "how often this player has still to name each contract"),
)

#: One block a contract: what is worth what. All 0 (row: -1) before the contract is known.
_CONTRACT_FIELDS: tuple[tuple[str, str, str], ...] = (
    ("scoring", "u8", "cards that score in this contract, a mask"),
    ("held_back", "u8", "cards that may be led only by who has no others (K-4), a mask"),
    ("duty", "u8", "cards that a player void in the suit led must play (K-5), a mask"),
    ("values", "i2:64", "points of each card"),
    ("trick_value", "i2", "points of a trick"),
    ("last_value", "i2", "points of each of the last two tricks"),
    ("slam_value", "i2", "points for taking all scoring cards, the others then having 0; 0: none"),
    ("row", "i1", "which contract of the variety, from 0; -1: not known yet"),
    ("contract", "i1", "its label, a place in simlib.king.CONTRACTS; -1: none"),
    ("declarer_leads_trumps", "i1", "1 if only the declarer may lead trumps (K-M)"),
)

#: Alike in a whole run.
_CONSTANT_FIELDS: tuple[tuple[str, str, str], ...] = (
    ("deck", "u8", "all cards of the game, a mask"),
    ("jokers", "u8", "the jokers among them, a mask"),
    ("instead", "u8:4", "by suit: jokers that may be played instead of following"),
    ("bane", "u8:4", "by suit of the trick: cards that keep a joker from winning"),
    ("params", f"f8:{PARAMS}", "parameters of the policy, in the order it declares them"),
    ("choice_scoring", f"u8:{MOST_CONTRACTS}", "for each contract of the variety: scoring"),
    ("choice_values", f"i2:{MOST_CONTRACTS}x64", "for each contract: values"),
    ("choice_trick", f"i2:{MOST_CONTRACTS}", "for each contract: trick_value"),
    ("choice_last", f"i2:{MOST_CONTRACTS}", "for each contract: last_value"),
    ("choice_contract", f"i1:{MOST_CONTRACTS}", "for each contract: its label"),
    ("choice_trump", f"i1:{MOST_CONTRACTS}", "for each contract: 1 if a trump is named in it"),
    ("limit", "i4", "a total at or below it ends the match; the least number: no such limit"),
    ("limit_high", "i4", "a total at or above it ends the match; the largest: no such limit"),
    ("length", "i4", "deals of a complete match; -1: open"),
    ("match", "i1", "1 in a match, 0 in a deal on its own"),
    ("players", "i1", "players, 2 to 4"),
    ("hand_size", "i1", "cards dealt to each"),
    ("talon_size", "i1", "cards of the talon (K-M)"),
    ("draws", "i1", "1 if who cannot follow draws from the reserve (K-D)"),
    ("must_trump", "i1", "option (K-2)"),
    ("kept_trick", "i1", "option kept_as=trick (K-D)"),
    ("bid_gain", "i1", "option bid=gain (K-A)"),
    ("auction_open", "i1", "option auction=open (K-A)"),
    ("most_bid", "i1", "highest bid allowed (K-A)"),
    ("play_out", "i1", "option (K-6)"),
)

FIELDS: tuple[tuple[str, str, str], ...] = (
    *_PLAY_FIELDS,
    *_DEAL_FIELDS,
    *_CONTRACT_FIELDS,
    *_CONSTANT_FIELDS,
)

VIEW = register_view("king", FIELDS)


def _word(field: str) -> int:
    fields = VIEW.fields
    assert fields is not None
    offset = fields[field][1]
    assert offset % 8 == 0
    return offset // 8


#: The view as words: where the block of the contract and the constant fields begin.
CONTRACT_WORD = _word("scoring")
CONSTANT_WORD = _word("deck")
#: ``tricks`` and ``counts`` are one word.
TRICKS_WORD = _word("tricks")
VIEW_WORDS = VIEW.itemsize // 8

#: Where a game stands: enough to go on from any decision point.
STATE = np.dtype(
    [
        ("hands", "u8", (4,)),
        # doubled, so that the seats after any other stand in a row: seat s at s and s + players
        ("taken", "u8", (8,)),
        ("lacks", "u8", (8,)),  # cards that everybody knows this seat not to hold
        # the same with a byte for a seat
        ("tricks", "u8"),
        ("counts", "u8"),  # cards in hand
        ("bids", "i8", (4,)),
        ("scores", "i8", (4,)),  # of the finished deal
        ("totals", "i8", (4,)),
        ("left", "u1", (4, MOST_CONTRACTS)),  # how often each seat has still to name each
        ("deck", "u1", (64,)),  # in the order dealt
        ("order", "u1", (64,)),  # the same without the talon, which stands at its end
        ("talon", "u8"),  # shown
        ("away", "u8"),
        ("first_away", "i8"),
        ("in_play", "u8"),  # cards of the deck that are not set aside
        ("gone", "u8"),
        ("table", "u8"),
        ("beats", "u8"),  # natural cards that would be the best natural card of the trick
        ("lane", "u8"),  # all cards of the suit of the trick
        ("choices", "u8"),  # contracts that may be named
        ("waiting", "i8"),  # seats still in the auction, as bits
        ("head", "i8"),  # next card of the reserve in `order`
        ("tail", "i8"),
        ("first", "i8"),
        ("deal", "i8"),
        ("phase", "i8"),
        ("player", "i8"),
        ("steps", "i8"),  # seats passed in this trick
        ("best", "i8"),
        ("joker", "i8"),  # who played the first joker of the trick; -1
        ("contract", "i8"),
        ("trump", "i8"),
        ("declarer", "i8"),
        ("bid", "i8"),
        ("last", "i8"),
        ("before_last", "i8"),
        ("trick", "i8"),
        ("drawn", "i8"),
        ("decisions", "i8"),
        ("options", "i8"),
        ("pending", "i8"),
    ],
    align=True,
)
