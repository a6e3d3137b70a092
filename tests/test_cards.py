"""Cards, masks and texts (C-1)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simlib import BadInput, count, highest, lowest, nth, pick
from simlib.cards import (
    ACE_HIGH,
    ACE_LOW,
    LANES,
    colour_for_html,
    colour_for_terminal,
    parse_card,
    pretty,
)

MASKS = st.integers(0, 2**63 - 1)


@given(MASKS)
def test_bits_of_masks(mask: int) -> None:
    cards = pick(mask)
    bits = np.uint64(mask)
    assert count(bits) == len(cards) == mask.bit_count()
    assert lowest(bits) == (cards[0] if cards else 64)
    assert highest(bits) == (cards[-1] if cards else -1)
    assert [nth(bits, i) for i in range(len(cards))] == cards


@given(MASKS.filter(bool))
def test_jitted_and_plain_helpers_agree(mask: int) -> None:
    bits = np.uint64(mask)
    assert int(bits & (bits - np.uint64(1))) == mask & (mask - 1)
    assert count(bits & (bits - np.uint64(1))) == mask.bit_count() - 1


@pytest.mark.parametrize("layout", [ACE_HIGH, ACE_LOW, LANES], ids=["high", "low", "lanes"])
def test_c_1_texts_and_numbers(layout: object) -> None:
    assert isinstance(layout, type(ACE_HIGH))
    for text, number in layout.numbers.items():
        assert layout.text(number) == text
        assert layout.number(text.lower()) == number
        assert 0 <= number < 63


@pytest.mark.parametrize(
    ("text", "card"),
    [("10H", "TH"), ("th", "TH"), ("10♥", "TH"), ("a♠", "AS"), ("x1", "X1"), (" 7d ", "7D")],
)
def test_c_1_input(text: str, card: str) -> None:
    assert parse_card(text) == card


@pytest.mark.parametrize("text", ["", "1S", "11H", "KX", "X3", "♥", "10", None, 7, "ASS"])
def test_c_1_wrong_texts_are_refused(text: object) -> None:
    with pytest.raises(BadInput, match="C-1"):
        parse_card(text)


def test_c_7_a_card_twice_is_refused() -> None:
    with pytest.raises(BadInput, match="C-7"):
        ACE_HIGH.mask(["5S", "5♠"])


def test_c_1_output_for_people() -> None:
    assert [pretty(card) for card in ("TH", "AS", "X1", "X2")] == ["10♥", "A♠", "Joker", "Joker 2"]
    assert colour_for_terminal("10♥ A♠") == "\x1b[31m10♥\x1b[39m A♠"
    assert colour_for_html("Q♦").startswith("<span")
