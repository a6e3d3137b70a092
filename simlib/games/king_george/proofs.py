"""The two proofs that a deal never ends (KG-12): orphans and cycles."""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib.cards import FULL_DECK
from simlib.jit import helper

__all__ = [
    "adjacent_ranks",
    "find_hash",
    "reachable",
    "reachable_from",
    "same_as_snapshot",
    "state_hash",
    "take_snapshot",
]

U = np.uint64
#: One bit a rank, at the lowest suit.
RANKS = U(0x1111111111111)
ACE_RANK = U(0xF << 48)
MULTIPLIER = U(0x9E3779B97F4A7C15)


@helper
def whole_ranks(cards: Any) -> Any:
    """Return the mask of all suits of every rank of which `cards` holds a card (uint64)."""
    ranks = (cards | (cards >> U(1)) | (cards >> U(2)) | (cards >> U(3))) & RANKS
    return ranks * U(15)


@helper
def adjacent_ranks(ranks: Any, wrap: int) -> Any:
    """Return these whole ranks and the ranks one above or below them (uint64, KG-3)."""
    wide = ranks | (ranks << U(4)) | (ranks >> U(4))
    if wrap:
        wide |= (ranks >> U(48)) | (ranks << U(48))
    return wide & FULL_DECK


@helper
def reachable_from(in_play: Any, top_rank: Any, wrap: int, ace_any: int) -> Any:
    """Return the cards in play that can ever be played again (uint64, KG-12).

    Parameters
    ----------
    in_play : uint64
        Cards in hands, stock and pile.
    top_rank : uint64
        Rank of the pile's top card.
    wrap, ace_any : int
        The options ``wrap`` and ``ace_fits=any`` (KG-3).
    """
    live = (U(15) << (top_rank << U(2))) & in_play
    if ace_any:  # from any rank an ace can be reached, from an ace its neighbours
        live |= ACE_RANK & in_play
    while True:
        wider = adjacent_ranks(whole_ranks(live), wrap) & in_play
        if wider == live:
            return live
        live = wider


@helper
def reachable(rules: Any, in_play: Any, top_rank: Any) -> Any:
    """Return ``reachable_from`` under these rules (a record of dtype PACKED)."""
    return reachable_from(in_play, top_rank, rules.wrap, rules.ace_fits)


@helper
def take_snapshot(
    state: Any,
    snapshot: Any,
    streams: Any,
    aside: Any,
    head: int,
    edge: int,
    tail: int,
    player: int,
    passed: int,
) -> None:
    """Remember the complete state of a deal at the start of a turn."""
    for p in range(5):
        snapshot.hands[p] = state.hands[p]
        snapshot.used[p] = state.used[p]
    for i in range(64):
        snapshot.ring[i] = state.ring[i]
    for i in range(6):
        snapshot.streams[4 * i] = streams[i].s0
        snapshot.streams[4 * i + 1] = streams[i].s1
        snapshot.streams[4 * i + 2] = streams[i].s2
        snapshot.streams[4 * i + 3] = streams[i].s3
    snapshot.aside = aside
    snapshot.head = head
    snapshot.edge = edge
    snapshot.tail = tail
    snapshot.player = player
    snapshot.passed = passed


@helper
def same_as_snapshot(
    state: Any,
    snapshot: Any,
    streams: Any,
    aside: Any,
    head: int,
    edge: int,
    tail: int,
    player: int,
    passed: int,
) -> bool:
    """Tell whether the complete state equals the one remembered, streams included."""
    if (
        snapshot.turn < 0
        or player != snapshot.player
        or state.hands[player] != snapshot.hands[player]
        or tail - head != snapshot.tail - snapshot.head
        or edge - head != snapshot.edge - snapshot.head
        or passed != snapshot.passed
        or aside != snapshot.aside
    ):
        return False
    same = True
    for p in range(state.players):
        same &= state.hands[p] == snapshot.hands[p]
        same &= state.used[p] == snapshot.used[p]
    if not same:
        return False
    for i in range(tail - head):
        if state.ring[(head + i) & 63] != snapshot.ring[(snapshot.head + i) & 63]:
            return False
    for i in range(6):
        same &= snapshot.streams[4 * i] == streams[i].s0
        same &= snapshot.streams[4 * i + 1] == streams[i].s1
        same &= snapshot.streams[4 * i + 2] == streams[i].s2
        same &= snapshot.streams[4 * i + 3] == streams[i].s3
    return same


@helper
def stir(code: Any, word: Any) -> Any:
    """Mix a word into a hash (uint64)."""
    code = (code ^ word) * MULTIPLIER
    return code ^ (code >> U(29))


@helper
def digest(stream: Any, salt: Any) -> Any:
    """Return a hash of a stream's position (uint64): a polynomial, another for each salt."""
    factor = MULTIPLIER + (salt << U(1))
    square = factor * factor
    return stream.s0 + stream.s1 * factor + stream.s2 * square + stream.s3 * (square * factor)


@helper
def state_hash(
    state: Any,
    streams: Any,
    aside: Any,
    head: int,
    edge: int,
    tail: int,
    player: int,
    passed: int,
) -> Any:
    """Return a hash of the complete state; equal states have equal hashes (uint64)."""
    salt = U(state.salt)
    code = stir(salt, digest(streams[0], salt))
    for p in range(state.players):
        code = stir(code, state.hands[U(p)] | (U(state.used[U(p)]) << U(56)))
        code = stir(code, digest(streams[1 + state.seats[U(p)]], salt))
    word = U(0)
    for i in range(head, tail):
        word = (word << U(8)) | U(state.ring[i & 63])
        if (i - head) & 7 == 7:
            code = stir(code, word)
            word = U(0)
    code = stir(code, word)
    code = stir(code, aside)
    code = stir(code, U((edge - head) * 64 + tail - head))
    return stir(code, U(player * 4096 + passed))


@helper
def find_hash(codes: Any, turns: Any, code: Any, turn: int) -> int:
    """Return the turn at which this hash was seen before, or enter it and return -1.

    `codes` and `turns` are one open hash table; its size is a power of two, at least twice
    the number of turns; free places have turn -1.
    """
    mask = codes.shape[0] - 1
    place = np.int64(code >> U(20)) & mask
    while turns[place] >= 0:
        if codes[place] == code:
            return turns[place]
        place = (place + 1) & mask
    codes[place] = code
    turns[place] = turn
    return -1
