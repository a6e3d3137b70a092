"""Writes what a player of King sees (C-6). Nothing here is read back by the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib.cards import count
from simlib.games.king.kernel_seats import bytes_from
from simlib.games.king.kernel_tricks import suit_of_lane, takes_trick, winning
from simlib.games.king.rules import MOST_CONTRACTS, NEVER
from simlib.games.king.view import CONSTANT_WORD, CONTRACT_WORD, TRICKS_WORD, VIEW, VIEW_WORDS
from simlib.jit import helper

__all__ = ["contract_blocks", "show_constants", "show_contract", "show_deal", "show_play",
    "show_start",
           "view_templates"]  # fmt: skip

U = np.uint64
#: One byte for each of four seats.
ALL_SEATS = U(0xFFFFFFFF)


@helper
def show_play(
    rules: Any,
    state: Any,
    view: Any,
    words: Any,
    p: Any,
    hand: Any,
    options: Any,
    decision: int,
    table: Any,
    lane: Any,
    beats: Any,
    best: int,
    joker: int,
    gone: Any,
    trick: int,
    tricks: Any,
    counts: Any,
    row: Any,
) -> None:
    """Write what changes from card to card.

    Parameters
    ----------
    gone : uint64
        Cards of finished tricks.
    tricks, counts : uint64
        A byte a seat.
    row : uint64
        Mask of one byte a player.
    """
    unseen = rules.deck_mask & ~(gone | table | hand)
    if state.away and p == U(state.declarer):
        unseen &= ~state.away
    suit = suit_of_lane(lane)
    bane = rules.bane[suit]
    view.hand = hand
    view.options = options
    view.table = table
    view.winning = winning(table, beats, bane, joker, rules.jokers)
    view.gone = gone
    view.unseen = unseen
    after = p + U(1)
    # all are read before any is written: the compiler cannot know that nothing overlaps
    taken0 = state.taken[p]
    taken1 = state.taken[after]
    taken2 = state.taken[after + U(1)]
    taken3 = state.taken[after + U(2)]
    lacks1 = state.lacks[after]
    lacks2 = state.lacks[after + U(1)]
    lacks3 = state.lacks[after + U(2)]
    view.taken[0] = taken0
    view.taken[1] = taken1
    view.taken[2] = taken2
    view.taken[3] = taken3
    view.may_hold[0] = hand
    view.may_hold[1] = unseen & ~lacks1
    view.may_hold[2] = unseen & ~lacks2
    view.may_hold[3] = unseen & ~lacks3
    words[p, TRICKS_WORD] = bytes_from(tricks, p, row) | (
        (bytes_from(counts, p, row) | (~row & ALL_SEATS)) << U(32)
    )
    if row != ALL_SEATS:
        for k in range(rules.players, 4):
            view.taken[k] = U(0)
            view.may_hold[k] = U(0)
    holder = takes_trick(table, bane, best, joker)
    after_me = holder - np.int64(p)
    after_me = after_me + rules.players if after_me < 0 else after_me
    view.decision = decision
    view.on_table = count(table)
    view.led = suit if lane else -1
    view.holder = after_me if holder >= 0 else -1
    view.trick = trick
    if rules.reserve:
        view.reserve = state.tail - state.head
        view.drawn = state.drawn


@helper
def show_deal(rules: Any, state: Any, view: Any, p: int) -> None:
    """Write what is alike from the first lead on."""
    n = rules.players
    view.talon = state.talon
    view.away = state.away if p == state.declarer else U(0)
    view.deal = state.deal
    position = p - state.first
    view.position = position + n if position < 0 else position
    view.trump = state.trump
    declarer = state.declarer
    if declarer >= 0:
        declarer -= p
        if declarer < 0:
            declarer += n
    view.declarer = declarer
    view.bid = state.bid
    for i in range(MOST_CONTRACTS):
        view.left[i] = state.left[p, i]
    q = p
    for k in range(n):
        view.totals[k] = state.totals[q]
        view.bids[k] = state.bids[q]
        q += 1
        if q == n:
            q = 0
    for k in range(n, 4):
        view.totals[k] = 0
        view.bids[k] = -1
    view.reserve = state.tail - state.head
    view.drawn = state.drawn


@helper
def show_start(rules: Any, state: Any, views: Any, words: Any, blocks: Any) -> None:
    """Write for every seat what is alike from the first lead on, as far as it is new.

    In deals on their own that nobody chose for, only the contract and the place change.
    """
    n = rules.players
    plain = rules.match == 0 and rules.choice == 0
    for seat in range(n):
        view = views[seat]
        position = seat - state.first
        if position < 0:
            position += n
        stale = view.row != state.contract
        if stale:
            show_contract(words, blocks, seat, state.contract)
        if stale or not plain or view.position != position:
            show_deal(rules, state, view, seat)


@helper
def show_contract(words: Any, blocks: Any, p: int, row: int) -> None:
    """Write the block of a contract; row -1 is the empty one."""
    for i in range(CONSTANT_WORD - CONTRACT_WORD):
        words[p, CONTRACT_WORD + i] = blocks[row + 1, i]


@helper
def show_constants(words: Any, templates: Any, p: int) -> None:
    """Write what is alike in a whole run: a policy of a user may have written over it."""
    for i in range(CONSTANT_WORD, VIEW_WORDS):
        words[p, i] = templates[p, i]


def contract_blocks(rules: np.ndarray) -> np.ndarray:
    """Return the block of the view for no contract, and for each one, as words."""
    views = np.zeros(MOST_CONTRACTS + 1, VIEW)
    views["row"] = np.arange(-1, MOST_CONTRACTS)
    views["contract"] = -1
    for field, packed in (
        ("scoring", "scoring"),
        ("held_back", "held_back"),
        ("duty", "duty"),
        ("values", "value"),
        ("trick_value", "trick"),
        ("last_value", "last"),
        ("slam_value", "slam"),
        ("contract", "code"),
        ("declarer_leads_trumps", "declarer_leads_trumps"),
    ):
        views[field][1:] = rules[packed][0]
    words = views.view(np.uint64).reshape(len(views), VIEW_WORDS)
    return np.ascontiguousarray(words[:, CONTRACT_WORD:CONSTANT_WORD])


def view_templates(rules: np.ndarray, params: np.ndarray) -> np.ndarray:
    """Return a view for each seat with the constant fields written."""
    views = np.zeros(4, VIEW)
    row = rules[0]
    views["deck"] = row["deck_mask"]
    views["jokers"] = row["jokers"]
    views["instead"] = row["instead"][:4]
    views["bane"] = row["bane"][:4]
    views["params"] = params[:4]
    for field, packed in (
        ("choice_scoring", "scoring"),
        ("choice_values", "value"),
        ("choice_trick", "trick"),
        ("choice_last", "last"),
        ("choice_contract", "code"),
        ("choice_trump", "trump"),
        ("match", "match"),
        ("players", "players"),
        ("hand_size", "hand_size"),
        ("talon_size", "talon"),
        ("draws", "reserve"),
        ("must_trump", "must_trump"),
        ("kept_trick", "kept_as"),
        ("bid_gain", "bid"),
        ("auction_open", "auction"),
        ("most_bid", "most_bid"),
        ("play_out", "play_out"),
    ):
        views[field] = row[packed]
    views["limit"] = np.iinfo(np.int32).min if row["limit"] == -NEVER else row["limit"]
    high = row["limit_high"]
    views["limit_high"] = np.iinfo(np.int32).max if high == NEVER else high
    views["length"] = -1 if row["length"] == NEVER else row["length"]
    return views
