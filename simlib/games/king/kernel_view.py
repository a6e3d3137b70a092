"""Writes what a player of King sees (C-6). Nothing here is read back by the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib.cards import count
from simlib.games.king.kernel_tricks import winning
from simlib.games.king.rules import MOST_CONTRACTS, NEVER
from simlib.games.king.view import CONSTANT_WORD, CONTRACT_WORD, VIEW, VIEW_WORDS
from simlib.jit import helper

__all__ = ["contract_blocks", "show_constants", "show_contract", "show_deal", "show_play",
           "view_templates"]  # fmt: skip

U = np.uint64


@helper
def show_play(
    rules: Any,
    state: Any,
    view: Any,
    p: int,
    hand: Any,
    options: Any,
    decision: int,
    table: Any,
    lane: Any,
    beats: Any,
    suit: int,
    best: int,
    joker: int,
) -> None:
    """Write what changes from card to card."""
    n = rules.players
    unseen = rules.deck_mask & ~(hand | state.gone | table)
    if p == state.declarer:
        unseen &= ~state.away
    view.hand = hand
    view.options = options
    view.table = table
    view.winning = winning(table, beats, rules.bane[suit], joker, rules.jokers)
    view.gone = state.gone
    view.unseen = unseen
    view.decision = decision
    view.on_table = count(table)
    view.led = suit if lane else -1
    holder = best
    if joker >= 0 and (table & rules.bane[suit]) == U(0):
        holder = joker
    if holder >= 0:
        holder -= p
        if holder < 0:
            holder += n
    view.holder = holder
    view.trick = state.trick
    view.reserve = state.tail - state.head
    view.drawn = state.drawn
    view.taken[0] = state.taken[p]
    view.may_hold[0] = hand
    view.tricks[0] = state.tricks[p]
    view.counts[0] = count(hand)
    q = p
    for k in range(1, n):
        q += 1
        if q == n:
            q = 0
        view.taken[k] = state.taken[q]
        view.may_hold[k] = unseen & ~state.lacks[q]
        view.tricks[k] = state.tricks[q]
        view.counts[k] = count(state.hands[q])


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
        view.taken[k] = U(0)
        view.may_hold[k] = U(0)
        view.tricks[k] = 0
        view.counts[k] = -1


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
