"""Streams of chance (C-4): one xoshiro256++ state per (seed, game, purpose, number).

A stream is started from its key by splitmix64, so that any game, and any deal of it, can be
played again alone. Bounded draws are unbiased.

References
----------
D. Blackman, S. Vigna (2021), "Scrambled linear pseudorandom number generators", ACM TOMS 47.
D. Lemire (2019), "Fast random integer generation in an interval", ACM TOMACS 29.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import from_dtype

from simlib.jit import helper

__all__ = ["DECK", "RNG", "SEAT", "STREAM_VERSION", "TABLE", "below", "new", "shuffle", "start"]

#: Part of every manifest: another layout of the streams has another number.
STREAM_VERSION = 2

#: Purposes of a stream. Seat ``s`` decides with purpose ``SEAT + s``.
DECK, TABLE, SEAT = 1, 2, 16

U = np.uint64
GOLDEN = U(0x9E3779B97F4A7C15)
M1 = U(0xBF58476D1CE4E5B9)
M2 = U(0x94D049BB133111EB)
LOW32 = U(0xFFFFFFFF)

#: The state of one stream: four words of xoshiro256++.
RNG = np.dtype([("s0", "u8"), ("s1", "u8"), ("s2", "u8"), ("s3", "u8")], align=True)
RNG_TYPE = from_dtype(RNG)


@helper
def finish(z: Any) -> Any:
    """Return the output function of splitmix64 (uint64)."""
    z = (z ^ (z >> U(30))) * M1
    z = (z ^ (z >> U(27))) * M2
    return z ^ (z >> U(31))


@helper
def mix(x: Any) -> Any:
    """Return one step of splitmix64 from `x` (uint64)."""
    return finish(x + GOLDEN)


@helper
def start(rng: Any, seed: Any, game: Any, purpose: Any, number: Any) -> None:
    """Put a stream at its beginning.

    Parameters
    ----------
    rng : record of dtype RNG
        Overwritten.
    seed, game : uint64
        The pair that all chance comes from (C-4).
    purpose : int
        ``DECK``, ``TABLE`` or ``SEAT + seat``.
    number : int
        Index of the deal in the game.
    """
    x = mix(U(seed))
    x = mix(x ^ U(game))
    x = mix(x ^ ((U(purpose) << U(32)) | U(number)))
    rng.s0 = finish(x + GOLDEN)
    rng.s1 = finish(x + GOLDEN + GOLDEN)
    rng.s2 = finish(x + GOLDEN + GOLDEN + GOLDEN)
    rng.s3 = finish(x + GOLDEN + GOLDEN + GOLDEN + GOLDEN)


@helper
def rotl(x: Any, k: Any) -> Any:
    """Return `x` rotated left by `k` bits (uint64)."""
    return (x << U(k)) | (x >> U(64 - k))


@helper
def word(rng: Any) -> Any:
    """Return the next 64 random bits of a stream (uint64)."""
    s0 = rng.s0
    s1 = rng.s1
    s2 = rng.s2
    s3 = rng.s3
    result = rotl(s0 + s3, 23) + s0
    t = s1 << U(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    rng.s0 = s0
    rng.s1 = s1
    rng.s2 = s2
    rng.s3 = rotl(s3, 45)
    return result


@helper
def below(rng: Any, bound: int) -> int:
    """Return a whole number from 0 to ``bound - 1``, all equally likely (int64).

    Parameters
    ----------
    rng : record of dtype RNG
        The stream; it moves on.
    bound : int
        From 1 to 2**32 - 1.
    """
    n = U(bound)
    m = (word(rng) >> U(32)) * n
    low = m & LOW32
    if low < n:
        threshold = (U(0x100000000) - n) % n
        while low < threshold:
            m = (word(rng) >> U(32)) * n
            low = m & LOW32
    return np.int64(m >> U(32))


@helper
def shuffle(rng: Any, cards: Any, size: int) -> None:
    """Shuffle the first `size` entries of an array in place (Fisher-Yates).

    A shuffle of one card uses no chance.
    """
    for i in range(size - 1, 0, -1):
        j = below(rng, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


def new(seed: int, game: int = 0, purpose: int = SEAT, number: int = 0) -> Any:
    """Return a stream for trying a policy by hand (a record of dtype RNG)."""
    rng = np.zeros(1, RNG).view(np.recarray)[0]
    start(rng, U(seed), U(game), purpose, number)
    return rng
