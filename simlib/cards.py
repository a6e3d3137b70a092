"""Cards, sets of cards as 64-bit masks, decks, and card texts (C-1).

A card is a number, the position of its bit in a mask; bit 63 is never used, so that a mask
is never negative. Two layouts exist: *rank-major* (``rank * 4 + suit``), where the cards that
fit on a card are a window of bits, and *suit lanes* (``suit * 16 + rank``), where a trick's
winner is the highest bit of a lane.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from simlib.errors import BadInput
from simlib.jit import helper

__all__ = [
    "ACE_HIGH",
    "ACE_LOW",
    "FULL_DECK",
    "LANES",
    "NEW_PACK",
    "Layout",
    "colour_for_html",
    "colour_for_terminal",
    "count",
    "highest",
    "lowest",
    "nth",
    "parse_card",
    "pick",
]

SUITS = "SHDC"
SUIT_SIGNS = "♠♥♦♣"
JOKERS = ("X1", "X2")
#: The cards of a new pack: every game shuffles its deck from this order, so that games with the
#: same set of cards meet the same deck orders (C-4).
NEW_PACK = (*(rank + suit for rank in "23456789TJQKA" for suit in SUITS), *JOKERS)
U = np.uint64
#: The 52 cards, a mask of a rank-major layout.
FULL_DECK = U((1 << 52) - 1)
#: Processors whose PDEP is slower than a loop.
SLOW_PDEP = ("znver1", "znver2", "bdver4")


# --- bits -----------------------------------------------------------------------------


@intrinsic  # type: ignore[untyped-decorator]
def _ctpop(typing: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def _cttz(typing: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], _false())

    return types.int64(types.uint64), codegen


@intrinsic  # type: ignore[untyped-decorator]
def _ctlz(typing: Any, mask: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], _false())

    return types.int64(types.uint64), codegen


def _false() -> Any:
    from llvmlite import ir

    return ir.Constant(ir.IntType(1), 0)


def _nth_by_steps(mask: Any, index: int) -> Any:
    for _ in range(index):
        mask &= mask - U(1)
    return _cttz(mask)


@intrinsic  # type: ignore[untyped-decorator]
def _nth(typing: Any, mask: Any, index: Any) -> Any:
    """Take the bit by the processor's instruction for it (PDEP), else step by step.

    Every pick of `random` comes here, and the loop's end cannot be predicted.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        _, cpu, features = context.codegen().magic_tuple()
        if "+bmi2" not in features.split(",") or cpu in SLOW_PDEP:
            return context.compile_internal(builder, _nth_by_steps, signature, args)
        from llvmlite import ir

        word = ir.IntType(64)
        deposit = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(word, [word, word]), "llvm.x86.bmi.pdep.64"
        )
        bit = builder.call(deposit, [builder.shl(word(1), args[1]), args[0]])
        return builder.cttz(bit, _false())

    return types.int64(types.uint64, types.int64), codegen


@helper
def count(mask: int) -> int:
    """Return how many cards a mask holds (int64)."""
    return _ctpop(U(mask))  # type: ignore[no-any-return]


@helper
def lowest(mask: int) -> int:
    """Return the lowest card of a mask (int64); 64 for an empty mask."""
    return _cttz(U(mask))  # type: ignore[no-any-return]


@helper
def highest(mask: int) -> int:
    """Return the highest card of a mask (int64); -1 for an empty mask."""
    return 63 - _ctlz(U(mask))  # type: ignore[no-any-return]


@helper
def nth(mask: int, index: int) -> int:
    """Return the card at this index of a mask, counted from the lowest (int64).

    `index` runs from 0 to ``count(mask) - 1``; beyond it the answer is 64.
    """
    return _nth(U(mask), np.int64(index))  # type: ignore[no-any-return]


def pick(mask: int) -> list[int]:
    """Return all cards of a mask, ascending: for reading, not for kernels."""
    return [card for card in range(64) if int(mask) >> card & 1]


# --- card texts (C-1) -----------------------------------------------------------------


@dataclass(frozen=True)
class Layout:
    """A numbering of the cards.

    Attributes
    ----------
    ranks : str
        Rank letters from low to high.
    rank_step, suit_step : int
        A card is ``rank * rank_step + suit * suit_step``.
    jokers : tuple of int
        Numbers of ``X1`` and ``X2``; empty where a game has none.
    """

    ranks: str
    rank_step: int
    suit_step: int
    jokers: tuple[int, ...] = ()
    numbers: dict[str, int] = field(init=False, repr=False)
    texts: dict[int, str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        numbers = {
            rank + suit: r * self.rank_step + s * self.suit_step
            for r, rank in enumerate(self.ranks)
            for s, suit in enumerate(SUITS)
        }
        numbers.update(zip(JOKERS, self.jokers, strict=False))
        object.__setattr__(self, "numbers", numbers)
        object.__setattr__(self, "texts", {number: text for text, number in numbers.items()})

    def number(self, card: str) -> int:
        """Return the number of a card text.

        Raises
        ------
        BadInput
            If the text is no card of this layout (C-1).
        """
        text = parse_card(card)
        if text not in self.numbers:
            raise BadInput(f"card {card!r}: this game has no such card (C-1)")
        return self.numbers[text]

    def mask(self, cards: Iterable[str]) -> int:
        """Return the mask of some card texts, each given once.

        Raises
        ------
        BadInput
            If a text is no card, or a card stands twice (C-1, C-7).
        """
        mask = 0
        for card in cards:
            bit = 1 << self.number(card)
            if mask & bit:
                raise BadInput(f"card {card!r} is given twice (C-7)")
            mask |= bit
        return mask

    def text(self, card: int) -> str:
        """Return the machine text of a card number, for example ``"TH"``."""
        return self.texts[int(card)]

    def cards(self, mask: int) -> list[str]:
        """Return the machine texts of a mask, ascending."""
        return [self.texts[card] for card in pick(mask)]

    def new_pack(self, cards: Iterable[int]) -> tuple[int, ...]:
        """Return some cards as they lie in a new pack, before any shuffle (C-4)."""
        return tuple(sorted(cards, key=lambda card: NEW_PACK.index(self.text(card))))


#: King George III: 2 is low, the ace high.
ACE_HIGH = Layout("23456789TJQKA", 4, 1)
#: Royal Corners: the ace is low, the king high.
ACE_LOW = Layout("A23456789TJQK", 4, 1)
#: King: a lane of 16 bits a suit; the jokers stand above the clubs.
LANES = Layout("23456789TJQKA", 1, 16, (61, 62))


def parse_card(text: object) -> str:
    """Return the machine text of what a person wrote for a card (C-1).

    Takes ``TH``, ``10H``, ``th``, ``10♥``; jokers ``X1``, ``X2``.

    Raises
    ------
    BadInput
        If the text is no card.
    """
    if isinstance(text, str):
        card = text.strip().upper()
        if card in JOKERS:
            return card
        if card.startswith("10"):
            card = "T" + card[2:]
        if len(card) == 2 and card[1] in SUIT_SIGNS:
            card = card[0] + SUITS[SUIT_SIGNS.index(card[1])]
        if len(card) == 2 and card[0] in "23456789TJQKA" and card[1] in SUITS:
            return card
    raise BadInput(
        f"card {text!r}: write rank and suit, for example 7S, TH, 10♥ or KD; jokers X1, X2 (C-1)"
    )


def pretty(card: str) -> str:
    """Return a machine card text as people write it: ``TH`` becomes ``10♥`` (C-1)."""
    if card in JOKERS:
        return "Joker" if card == "X1" else "Joker 2"
    rank = "10" if card[0] == "T" else card[0]
    return rank + SUIT_SIGNS[SUITS.index(card[1])]


_RED_CARD = re.compile(r"(?:10|[2-9JQKA])[♥♦]|Joker(?: 2)?")


def colour_for_terminal(text: str) -> str:
    """Return a transcript with red cards in red, for a terminal that knows colours."""
    return _RED_CARD.sub(lambda found: f"\x1b[31m{found[0]}\x1b[39m", text)


def colour_for_html(text: str) -> str:
    """Return a transcript, already escaped, with red cards in red, for a page or Jupyter."""
    return _RED_CARD.sub(lambda found: f'<span style="color:#c62828">{found[0]}</span>', text)
