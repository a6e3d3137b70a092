"""Tiny decks counted through: the kernel meets the exact mean, variance and distribution.

For each contract the same tiny game is also counted with one rule left out or one number changed,
and the simulation has to refuse that.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

import simlib
from tests.king.exact import TinyGame, moments, tiny, worst_z
from tests.king.kernel_rows import play

GAMES = 300_000
LIMIT = 4.5

NINE = "7H JH QH KH 8S QS AS TD JD"  # three each for three players
TWO_SUITS = "7H JH QH KH AH 8S JS QS AS"
LOOSE = "4H 8H JH KH 5S 9S AS 6D QD"  # no rank twice: low and high have no ties
EIGHT = "7H KH AH JS QS KS TS 9D"
SEVEN = "7H KH AH JS QS KS 9D"
SIX = "7H QH KH JS AS TD"
JACKS = "7H JH KH JS AS JD"
QUEENS = "7H QH KH QS AS QD"
THREE_JOKERS = "KH JH 8S AS TD X1"
JOKERS = "7H KH 8S QS AS TD X1 X2"
TWO = ("random", "random")

HELD = {"held_back": ["H"]}
DUTY = {"duty": ["KH"]}
NO_TRICKS = {"name": "no-tricks", "trick": -2}
NO_JACKS = {"name": "no-jacks", "ranks": {"J": -4}}
NO_QUEENS = {"name": "no-queens", "ranks": {"Q": -4}}
NO_HEARTS = {"name": "no-hearts", "suits": {"H": -2}, **HELD}
NO_KING = {"name": "no-king", "cards": {"KH": -16}, **HELD, **DUTY}
NO_LAST_TWO = {"name": "no-last-two", "last_two": -8}
EVERYTHING = {
    "trick": 2, "last_two": 8, "ranks": {"J": 4, "Q": 4}, "suits": {"H": 2}, "cards": {"KH": 16},
}  # fmt: skip
ALL = {"name": "all", **EVERYTHING, **HELD, **DUTY}
WIN_BACK = {"name": "win-back", "trick": 8, "trump": True}
LADY = {"name": "lady", "suits": {"H": -1}, "cards": {"QS": -5, "TD": 4}, "slam": 9}
JOKER = {"name": "jokers", "suits": {"H": -3}, "cards": {"X1": -20, "X2": -20}}
BLACK = {"name": "black", "suits": {"S": -3, "H": -2}}
DECLARED = {"choice": "declarer"}
AUCTION = {"choice": "auction", "most_bid": 2, "limit": -9}
GAIN = {**AUCTION, "most_bid": 3, "bid": "gain"}


class Case(NamedTuple):
    """A tiny game, and the same with something wrong."""

    name: str
    table: dict[str, Any]
    wrong: dict[str, Any]
    policies: tuple[str, ...] = ("random", "random", "random")


def without(row: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != key}


CASES = [
    Case(
        "no-tricks",
        tiny(EIGHT, NO_TRICKS, players=2),
        tiny(EIGHT, {**NO_TRICKS, **HELD}, players=2),
        TWO,
    ),
    Case("no-jacks", tiny(JACKS, NO_JACKS), tiny(JACKS, {**NO_JACKS, "cards": {"7H": -1}})),
    Case("no-queens", tiny(QUEENS, NO_QUEENS), tiny(QUEENS, {**NO_QUEENS, **HELD})),
    Case("no-hearts", tiny(NINE, NO_HEARTS), tiny(NINE, without(NO_HEARTS, "held_back"))),
    Case("no-king", tiny(NINE, NO_KING), tiny(NINE, without(NO_KING, "held_back"))),
    Case(
        "no-last-two",
        tiny(EIGHT, NO_LAST_TWO, players=2),
        tiny(EIGHT, {**NO_LAST_TWO, **HELD}, players=2),
        TWO,
    ),
    Case(
        "all",
        tiny(TWO_SUITS, ALL),
        tiny(TWO_SUITS, without(ALL, "duty")),
    ),
    Case(
        "all-with-a-trump",
        tiny(SIX, {**ALL, "trump": True}, **DECLARED),
        tiny(SIX, {**ALL, "trump": True}, must_trump=True, **DECLARED),
    ),
    Case(
        "all-forced-before-trump",
        tiny(SIX, {**ALL, "trump": True}, must_trump=True, **DECLARED),
        tiny(SIX, {**without(ALL, "duty"), "trump": True}, must_trump=True, **DECLARED),
    ),
    Case(
        "a-trump-or-none",
        tiny(SIX, WIN_BACK, **DECLARED),
        tiny(SIX, WIN_BACK, no_trump=False, **DECLARED),
    ),
    Case(
        "declarer-leads-trumps",
        tiny(EIGHT, {**WIN_BACK, "declarer_leads_trumps": True}, players=2, **DECLARED),
        tiny(EIGHT, WIN_BACK, players=2, **DECLARED),
        TWO,
    ),
    Case(
        "next-declares",
        tiny(SIX, NO_HEARTS, players=2, talon=2, declarer="next", **DECLARED),
        tiny(SIX, NO_HEARTS, players=2, talon=2, declarer="leader", **DECLARED),
        TWO,
    ),
    Case(
        "talon",
        tiny(SIX, {**NO_KING, "trump": True}, players=2, talon=2, **DECLARED),
        tiny(SIX, {**NO_KING, "ranks": {"T": -1}, "trump": True}, players=2, talon=2, **DECLARED),
        TWO,
    ),
    Case(
        "talon-with-nothing-free",
        tiny(SIX, BLACK, players=2, talon=2, **DECLARED),
        tiny(SIX, {**BLACK, "suits": {"S": -3, "D": -1}}, players=2, talon=2, **DECLARED),
        TWO,
    ),
    Case(
        "domino",
        tiny(SEVEN, NO_KING, hand_size=2, reserve=True),
        tiny(SEVEN, NO_KING, hand_size=2, reserve=False),
    ),
    Case(
        "domino-kept-as-trick",
        tiny(SEVEN, NO_LAST_TWO, hand_size=2, reserve=True, kept_as="trick"),
        tiny(SEVEN, NO_LAST_TWO, hand_size=2, reserve=True, kept_as="cards"),
    ),
    Case(
        "jokers",
        tiny(JOKERS, JOKER, players=2),
        tiny(JOKERS, JOKER, players=2, joker_play="void"),
        TWO,
    ),
    Case(
        "jokers-beaten-when-led",
        tiny(THREE_JOKERS, JOKER, joker_play="any", joker_loses="led"),
        tiny(THREE_JOKERS, JOKER, joker_play="any", joker_loses="contains"),
    ),
    Case(
        "auction",
        tiny(SIX, NO_TRICKS, NO_HEARTS, **AUCTION),
        tiny(SIX, NO_TRICKS, NO_HEARTS, bidder_leads=True, **AUCTION),
    ),
    Case(
        "auction-open",
        tiny(SIX, WIN_BACK, auction="open", **GAIN),
        tiny(SIX, WIN_BACK, auction="round", **GAIN),
    ),
    Case("slam", tiny(SIX, LADY), tiny(SIX, without(LADY, "slam"))),
    Case(
        "four-players",
        tiny(EIGHT, ALL, players=4),
        tiny(EIGHT, without(ALL, "held_back"), players=4),
        ("random",) * 4,
    ),
    Case(
        "lowest-cards",
        tiny(LOOSE, ALL),
        tiny(LOOSE, without(ALL, "held_back")),
        ("low", "low", "low"),
    ),
    Case(
        "highest-cards",
        tiny(LOOSE, {**WIN_BACK, "duty": ["8H"]}, **DECLARED),
        tiny(LOOSE, WIN_BACK, **DECLARED),
        ("high", "high", "high"),
    ),
    Case(
        "low-and-high-against-chance",
        tiny(LOOSE, NO_KING),
        tiny(LOOSE, without(NO_KING, "duty")),
        ("low", "random", "high"),
    ),
]


#: Played with every `make test`: ban, forced king, trump, auction and others; the rest are slow.
QUICK = CASES[::3]


@pytest.mark.parametrize(
    "case",
    [pytest.param(c, id=c.name, marks=() if c in QUICK else pytest.mark.slow) for c in CASES],
)
def test_a_tiny_game_meets_its_exact_distribution(case: Case) -> None:
    played = play("house", {"custom": case.table}, case.policies, total=GAMES, seed=11)
    found = played.deals["score"][:, : len(case.policies)]
    exact = TinyGame(case.table, case.policies).distribution()
    assert len(exact) > 1
    assert worst_z(exact, found) < LIMIT
    wrong = TinyGame(case.wrong, case.policies).distribution()
    assert worst_z(wrong, found) > 2 * LIMIT


def test_a_sample_that_lost_some_games_is_refused() -> None:
    table = tiny(SIX, ALL)
    found = play("house", {"custom": table}, ["random"] * 3, total=GAMES, seed=11).deals["score"]
    exact = TinyGame(table).distribution()
    assert worst_z(exact, found[:, :3]) < LIMIT
    lost = (found[:, 0] == found[:, 0].max()) & (np.arange(GAMES) % 20 == 0)
    assert worst_z(exact, found[~lost, :3]) > LIMIT
    assert worst_z(exact, found[:, [1, 0, 2]]) > LIMIT  # the leader's place matters


def test_the_figures_of_a_run_meet_the_exact_means() -> None:
    table = tiny(SIX, {**ALL, "trump": True}, must_trump=True, **DECLARED)
    exact = TinyGame(table).distribution()
    run = simlib.simulate(
        "king", variety="house", players=3, games=50_000, rules={"custom": table}, seed=5
    )
    figures = run.metrics
    scores = figures[(figures["name"] == "score") & figures["group"].isna()]
    assert len(scores) == 3
    for seat, estimate, error in zip(scores["seat"], scores["estimate"], scores["se"], strict=True):
        mean, variance, fourth = map(float, moments(exact, int(seat)))
        assert abs(estimate - mean) < LIMIT * error
        spread = ((fourth - variance**2) / 50_000) ** 0.5
        assert abs(error**2 * 50_000 - variance) < LIMIT * spread


def test_the_exact_answers_keep_the_fixed_sums() -> None:
    for row, total in ((NO_TRICKS, -4), (NO_HEARTS, -6), (NO_LAST_TWO, -16), (NO_KING, -16)):
        exact = TinyGame(tiny(SIX, row)).distribution()
        assert {sum(scores) for scores in exact} == {total}


def test_two_cards_each_by_hand() -> None:
    """Two players and A K 3 2 of spades: six deals, worked out on paper.

    The leader takes both tricks with A K, and half the time with A 3 (A on K, or 3 on 2); none
    with 3 2, and half the time with K 2; one with A 2, with K 3, and otherwise.
    """
    table = tiny("2S 3S KS AS", {"name": "tricks", "trick": 1}, players=2)
    quarter = Fraction(1, 4)
    chances = {(2, 0): quarter, (1, 1): 2 * quarter, (0, 2): quarter}
    assert TinyGame(table).distribution() == chances
    assert moments(chances, 0) == (1, Fraction(1, 2), Fraction(1, 2))
