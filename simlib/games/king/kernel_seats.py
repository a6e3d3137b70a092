"""Seats in a row: doubled arrays, a byte a seat in one word, and the policy at a seat.

With `n` players, seat ``s`` of a doubled array stands at ``s`` and at ``s + n``, so that the
seats from any one on stand in a row; in a word, each is a byte.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from simlib.jit import helper

__all__ = ["both_places", "bytes_from", "lay_out", "learn", "pick", "seat_byte", "take"]

U = np.uint64


@helper
def both_places(n: int) -> Any:
    """Return a word with 1 in both bytes of seat 0 (uint64); shift it by 8 bits a seat."""
    return U(1) | (U(1) << (U(n) << U(3)))


@helper
def seat_byte(word: Any, seat: int) -> int:
    """Return the byte of a seat (int64)."""
    return np.int64((word >> (U(seat) << U(3))) & U(0xFF))


@helper
def bytes_from(word: Any, seat: Any, row: Any) -> Any:
    """Return the bytes of all seats from `seat` on (uint64); `row` masks one byte a player."""
    return (word >> (U(seat) << U(3))) & row


@helper
def take(state: Any, n: Any, seat: Any, cards: Any) -> None:
    """Give a seat the cards of a trick."""
    cards |= state.taken[seat]
    state.taken[seat] = cards
    state.taken[seat + n] = cards


@helper
def learn(state: Any, n: Any, seat: Any, cards: Any) -> None:
    """Note that everybody knows a seat not to hold some cards (C-6)."""
    cards |= state.lacks[seat]
    state.lacks[seat] = cards
    state.lacks[seat + n] = cards


@intrinsic  # type: ignore[untyped-decorator]
def lay_out(typing: Any, policies: Any) -> Any:
    """Put a tuple of functions on the stack once; return where (for `pick`).

    Indexing a tuple compiles to a jump by seat, which the processor mispredicts.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        slot = cgutils.alloca_once_value(builder, args[0])
        return builder.bitcast(slot, cgutils.voidptr_t)

    return types.voidptr(policies), codegen


@intrinsic  # type: ignore[untyped-decorator]
def pick(typing: Any, place: Any, policies: Any, seat: Any) -> Any:
    """Return the function of a seat from the tuple that was laid out."""
    kind = policies.dtype

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        start = builder.bitcast(args[0], context.get_value_type(kind).as_pointer())
        return builder.load(builder.gep(start, [args[2]]))

    return kind(types.voidptr, policies, types.uint64), codegen
