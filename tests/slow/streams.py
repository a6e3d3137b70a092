"""The streams of chance (C-4), version 2, in plain Python integers, for the slow engines.

Deliberately written without numpy or numba, so that wrap-around is visible: every step that
can leave 64 bits is masked. Nothing here is shared with the library.
"""

from __future__ import annotations

from typing import TypeVar

Item = TypeVar("Item")

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15

DECK = 1
"""Purpose of the stream that orders the deck of a deal."""
TABLE = 2
"""Purpose of the stream of the table (a reshuffle during play)."""


def seat_purpose(seat: int) -> int:
    """Purpose of the stream of one seat's decisions."""
    return 16 + seat


def finish(z: int) -> int:
    """Return the output step of splitmix64."""
    z &= MASK
    z ^= z >> 30
    z = (z * 0xBF58476D1CE4E5B9) & MASK
    z ^= z >> 27
    z = (z * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def mix(x: int) -> int:
    """Return one whole splitmix64 step from ``x``."""
    return finish(x + GOLDEN)


def rotl(x: int, k: int) -> int:
    """Rotate 64 bits to the left."""
    return ((x << k) | (x >> (64 - k))) & MASK


class Stream:
    """One xoshiro256++ stream.

    Parameters
    ----------
    seed : int
        ``seed`` for decks, ``play_seed`` for the table and the seats (C-4).
    game : int
        Index of the game.
    purpose : int
        `DECK`, `TABLE` or `seat_purpose` of a seat.
    number : int
        Index of the deal in its game; playoffs count on.
    """

    def __init__(self, seed: int, game: int, purpose: int, number: int) -> None:
        x = mix(seed & MASK)
        x = mix(x ^ (game & MASK))
        x = mix(x ^ (((purpose << 32) | number) & MASK))
        self.s0, self.s1, self.s2, self.s3 = (finish(x + (i + 1) * GOLDEN) for i in range(4))

    @property
    def position(self) -> tuple[int, int, int, int]:
        """Where the stream stands: equal positions have equal futures."""
        return (self.s0, self.s1, self.s2, self.s3)

    def next(self) -> int:
        """Return the next 64 bits."""
        result = (rotl((self.s0 + self.s3) & MASK, 23) + self.s0) & MASK
        t = (self.s1 << 17) & MASK
        self.s2 ^= self.s0
        self.s3 ^= self.s1
        self.s1 ^= self.s2
        self.s0 ^= self.s3
        self.s2 ^= t
        self.s3 = rotl(self.s3, 45)
        return result

    def below(self, n: int) -> int:
        """Return an unbiased whole number in ``0 … n-1`` (Lemire, 32 bits, with rejection)."""
        if not 1 <= n <= 1 << 32:
            raise ValueError(f"below({n}): n must be in 1 … 2**32")
        m = (self.next() >> 32) * n
        low = m & 0xFFFFFFFF
        if low < n:
            threshold = ((1 << 32) - n) % n
            while low < threshold:
                m = (self.next() >> 32) * n
                low = m & 0xFFFFFFFF
        return m >> 32

    def shuffle(self, items: list[Item]) -> None:
        """Shuffle in place (Fisher–Yates from the end); a list of one uses nothing."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
