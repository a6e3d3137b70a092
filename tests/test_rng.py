"""Streams of chance (C-4): against the plain-Python ones, and against uniformity (rung 5)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import simlib
from simlib import rng
from simlib.games.recording import deck_order
from simlib.stats import shuffle_test, uniform_test
from tests.slow.streams import Stream

WORDS = st.integers(0, 2**64 - 1)


@given(WORDS, st.integers(0, 2**62), st.sampled_from([1, 2, 16, 20]), st.integers(0, 1000))
@settings(max_examples=50)
def test_c_4_streams_equal_the_plain_ones(seed: int, game: int, purpose: int, number: int) -> None:
    fast = rng.new(seed, game, purpose, number)
    slow = Stream(seed, game, purpose, number)
    for bound in (2, 3, 52, 1, 2**31 + 7, 2**32 - 1):
        assert rng.below(fast, bound) == slow.below(bound)


def test_c_4_a_shuffle_of_one_card_uses_no_chance() -> None:
    stream = rng.new(1)
    before = stream.copy()
    rng.shuffle(stream, np.zeros(1, np.int64), 1)
    assert stream == before


def test_bounded_draws_are_uniform() -> None:
    stream = rng.new(5)
    counts = np.bincount([rng.below(stream, 52) for _ in range(52_000)], minlength=52)
    assert uniform_test(counts).p > 1e-6


def _table(biased: bool) -> np.ndarray:
    table = np.zeros((8, 8), np.int64)
    for game in range(8000):
        if biased:  # every place swaps with any: the classic mistake
            stream = rng.new(3, game)
            deck = list(range(8))
            for i in range(8):
                j = rng.below(stream, 8)
                deck[i], deck[j] = deck[j], deck[i]
        else:
            deck = deck_order(range(8), 3, game, 0)
        for place, card in enumerate(deck):
            table[card, place] += 1
    return table


@pytest.mark.parametrize("biased", [False, True])
def test_a_shuffle_is_uniform_and_a_biased_one_is_found(biased: bool) -> None:
    p = shuffle_test(_table(biased)).p
    assert (p < 1e-6) if biased else (p > 1e-4)


def test_c_4_the_deck_depends_on_seed_game_deal_and_cards_alone() -> None:
    deck = deck_order(range(52), 7, 42, 0)
    assert sorted(deck) == list(range(52))
    assert deck == deck_order(range(52), 7, 42, 0)
    others = [deck_order(range(52), 8, 42, 0), deck_order(range(52), 7, 43, 0)]
    others.append(deck_order(range(52), 7, 42, 1))
    assert all(other != deck for other in others)


@pytest.mark.parametrize(
    ("other", "asked"),
    [
        ("royal-corners", {"players": 4}),
        ("king", {"variety": "omnibus", "players": 4}),
        ("king", {"variety": "domino", "rules": {"deck": 52}}),
    ],
)
def test_c_4_games_with_the_same_cards_meet_the_same_decks(other: str, asked: Any) -> None:
    """Rebuilt from the record, as C-4a deals them."""
    for index in (0, 5):
        assert deck_of("king-george-iii", index, players=4) == deck_of(other, index, **asked)


def deck_of(game: str, index: int, **asked: Any) -> list[str]:
    deal = simlib.replay(game, seed=3, index=index, **asked)["deals"][0]
    hands = [deal["hands"][(deal["first"] + k) % 4] for k in range(4)]
    dealt = [hand[card] for card in range(len(hands[0])) for hand in hands]
    corners = [card for corner in deal["table"].get("corners", []) for card in corner]
    return [*dealt, *corners, *deal["stock"]]
