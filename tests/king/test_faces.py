"""The rules of a trick and of a deal, asked with card texts, clause by clause."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import simlib
from simlib.errors import BadInput
from simlib.games.king import legal_cards, score_deal, trick_winner
from simlib.games.king.kernel_tricks import may_play
from tests.king.kernel_rows import GAMES, singles
from tests.king.reading import Reader

# --- K-2: following ------------------------------------------------------------------------


def test_k_2_follow_suit_if_you_can() -> None:
    assert legal_cards("7S 9S AH", "KS") == ["7S", "9S"]
    assert legal_cards("7S 9S AH", "KD") == ["7S", "9S", "AH"]


def test_k_2_must_trump_binds_the_void_only() -> None:
    ordered: dict[str, Any] = {"variety": "ordered", "trump": "D"}
    duty: dict[str, Any] = {**ordered, "rules": {"must_trump": True}}
    assert legal_cards("7D AC 8H", "KS", **ordered) == ["8H", "7D", "AC"]
    assert legal_cards("7D AC 8H", "KS", **duty) == ["7D"]
    assert legal_cards("8S 7D AC", "KS", **duty) == ["8S"]
    assert legal_cards("AC 8H", "KS", **duty) == ["8H", "AC"]


def test_k_2_case_3_highest_of_the_suit_wins() -> None:
    assert trick_winner("9S AS KS 7D") == 1


def test_k_2_highest_trump_wins() -> None:
    assert trick_winner("9S AS 7D 8D", variety="ordered", trump="D") == 3
    assert trick_winner("9S AS KS TS", variety="ordered", trump="D") == 1
    assert trick_winner("AD 7S", variety="ordered", trump="D") == 0


def test_the_jitted_helper_and_the_plain_one_agree() -> None:
    chance = random.Random(1)
    for _ in range(300):
        words = [np.uint64(chance.getrandbits(62) & chance.getrandbits(62)) for _ in range(6)]
        words[0] |= np.uint64(1)
        if chance.random() < 0.4:
            words[1] = np.uint64(0)
        assert int(may_play(*words)) == int(may_play.py_func(*words))  # type: ignore[attr-defined]


# --- K-4, K-5: hearts, and their king -------------------------------------------------------


def test_k_4_case_1_hearts_are_led_from_nothing_but_hearts() -> None:
    assert legal_cards("7H 8C", contract="no-hearts") == ["8C"]
    assert legal_cards("7H AH", contract="no-hearts") == ["7H", "AH"]
    for contract in ("no-hearts", "no-king", "no-all", "hearts", "king", "all"):
        assert legal_cards("7H 8C", contract=contract) == ["8C"]
    for contract in ("no-tricks", "no-jacks", "no-queens", "no-last-two", "tricks", "last-two"):
        assert legal_cards("7H 8C", contract=contract) == ["7H", "8C"]


def test_k_4_not_in_domino_nor_without_contracts() -> None:
    assert legal_cards("7H 8C", contract="no-hearts", variety="domino") == ["7H", "8C"]
    for variety in ("jokers", "trade", "omnibus"):
        assert legal_cards("7H 8C", variety=variety) == ["7H", "8C"]


def test_k_4_discards_are_not_restricted() -> None:
    assert legal_cards("7H 8C", "KS", contract="no-hearts") == ["7H", "8C"]


def test_k_5_case_2_the_king_of_hearts_must_go() -> None:
    assert legal_cards("9H 8D", "7S", contract="no-king") == ["9H", "8D"]
    assert legal_cards("KH AD 8S", "7C", contract="no-king") == ["KH"]
    assert legal_cards("KH AD 8S", "7C", contract="no-hearts") == ["8S", "KH", "AD"]
    assert legal_cards("KH 7H", "9H", contract="no-king") == ["7H", "KH"]
    assert legal_cards("KH AD", "7C", contract="no-king", variety="domino") == ["KH"]


def test_k_5_before_the_duty_to_trump() -> None:
    found = legal_cards(
        "KH 7D", "8C", contract="king", trump="D", variety="ordered", rules={"must_trump": True}
    )
    assert found == ["KH"]


def test_k_m_only_the_declarer_leads_trumps() -> None:
    table: dict[str, Any] = {"contract": "win-back", "trump": "D"}
    assert legal_cards("7D 8C", variety="minsk", **table) == ["7D", "8C"]
    assert legal_cards("7D 8C", variety="minsk-declarer", **table) == ["8C"]
    assert legal_cards("7D 8D", variety="minsk-declarer", **table) == ["7D", "8D"]
    assert legal_cards("7D 8C", variety="minsk-declarer", declares=True, **table) == ["7D", "8C"]
    assert legal_cards("7D 8C", variety="minsk-declarer", contract="win-back") == ["7D", "8C"]
    assert legal_cards("7D 8S", "9D", variety="minsk-declarer", **table) == ["7D"]


# --- K-J: jokers ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("play", "on_hearts", "on_spades"),
    [
        ("void_or_hearts", ["2H", "X1"], ["2S"]),
        ("void", ["2H"], ["2S"]),
        ("any", ["2H", "X1"], ["2S", "X1"]),
    ],
)
def test_k_j_when_a_joker_is_played(play: str, on_hearts: list[str], on_spades: list[str]) -> None:
    rules = {"joker_play": play}
    assert legal_cards("2S 2H X1", "9H", variety="jokers", rules=rules) == on_hearts
    assert legal_cards("2S 2H X1", "9S", variety="jokers", rules=rules) == on_spades
    assert legal_cards("2S X1", "9D", variety="jokers", rules=rules) == ["2S", "X1"]
    assert legal_cards("2S X1", variety="jokers", rules=rules) == ["2S", "X1"]


def test_k_j_after_a_joker_was_led_any_card_until_a_suit_is_set() -> None:
    assert legal_cards("2S 2H", "X1", variety="jokers") == ["2S", "2H"]
    assert legal_cards("2S 2H", "X1 9H", variety="jokers") == ["2H"]


@pytest.mark.parametrize("heart", ["JH", "QH", "KH", "AH"])
def test_k_j_a_high_heart_keeps_the_joker_from_winning(heart: str) -> None:
    table: dict[str, Any] = {"variety": "jokers"}
    led: dict[str, Any] = {"variety": "jokers", "rules": {"joker_loses": "led"}}
    assert trick_winner("5C X1 TH 3C", **table) == 1
    assert trick_winner(f"5C X1 {heart} 3C", **table) == 0
    assert trick_winner(f"5C X1 {heart} 3C", **led) == 1
    assert trick_winner(f"X1 5H {heart} 3C", **led) == 2
    assert trick_winner(f"X1 {heart} 5H 3C", **table) == 1


def test_k_j_of_two_jokers_the_first_counts() -> None:
    three: dict[str, Any] = {"variety": "jokers", "players": 3, "rules": {"jokers": 2}}
    assert trick_winner("X2 X1 9S", **three) == 0
    assert trick_winner("9S X2 X1", **three) == 1
    assert trick_winner("X2 X1 QH", **three) == 2


# --- scores --------------------------------------------------------------------------------


def test_k_3_units() -> None:
    tricks = [(0, "JS QS AH KH"), (2, "7S 8S 9S TS"), (1, "7C JC QC 9C")]
    found = {
        "no-tricks": [-2, -2, -2, 0],
        "no-jacks": [-4, -4, 0, 0],
        "queens": [4, 4, 0, 0],
        "no-hearts": [-4, 0, 0, 0],
        "king": [16, 0, 0, 0],
        "no-last-two": [0, -8, -8, 0],
        "no-all": [-2 - 4 - 4 - 4 - 16, -2 - 4 - 4 - 8, -2 - 8, 0],
    }
    for contract, scores in found.items():
        assert score_deal(tricks, contract=contract) == scores


def test_case_4_both_last_tricks_to_one_player() -> None:
    for variety, contract, players, points in (
        ("simple", "no-last-two", 4, -16),
        ("threesome", "no-last-two", 3, -20),
        ("minsk", "no-last-two", 3, -40),
    ):
        cards = ["8S 9S TS KS", "8H 9H TH KH", "8D 9D TD KD"]
        tricks = [
            (seat, card.split()[:players]) for seat, card in zip((0, 1, 1), cards, strict=True)
        ]
        scores = score_deal(tricks, contract=contract, variety=variety)
        assert scores == [0, points, *[0] * (players - 2)]


def test_k_b_case_5_omnibus() -> None:
    hearts = [f"{rank}H" for rank in "23456789TJQKA"]

    def one(*cards: str) -> list[int]:
        return score_deal([(1, cards)], variety="omnibus")

    assert one("2H", "3H", "4H", "QS") == [0, -16, 0, 0]
    assert one(*hearts, "QS") == [0, -26, 0, 0]
    assert one(*hearts, "QS", "TD") == [0, 26, 0, 0]
    assert one("TD") == [0, 10, 0, 0]
    rest = [(0, hearts[:6]), (0, [*hearts[6:], "QS", "TD"]), (2, "2S 3S 4S 5S")]
    assert score_deal(rest, variety="omnibus") == [26, 0, 0, 0]


def test_k_a_the_bid_costs_or_gains() -> None:
    tricks = [(0, "2H 3H 9S TS"), (3, "AH KS QS JS")]
    trade: dict[str, Any] = {"variety": "trade", "declarer": 3, "bid": 5, "penalty": "H"}
    assert score_deal(tricks, **trade) == [-2, 0, 0, -6]
    assert score_deal(tricks, **trade, rules={"bid": "gain"}) == [-2, 0, 0, 4]


def test_k_x_a_scoring_card_laid_away_counts_as_taken() -> None:
    found = score_deal(
        [(0, "7S 8S 9S")],
        contract="no-queens",
        variety="atomic",
        declarer=1,
        laid_away="QS 7D",
    )
    assert found == [0, -10, 0]


def test_k_x_kings_as_boys() -> None:
    tricks = [(2, "KH JS 7C")]
    kings: dict[str, Any] = {"variety": "atomic", "rules": {"kings_as_boys": True}}
    assert score_deal(tricks, contract="no-jacks", **kings) == [0, 0, -10]
    # trick 4, both of the last two tricks once 20, heart 5, king 40 + 5, jack 5
    assert score_deal(tricks, contract="all", **kings) == [0, 0, 4 + 20 + 5 + 40 + 5 + 5]


def test_k_d_kept_cards_count_as_taken_and_as_a_trick_by_option() -> None:
    tricks = [(0, "7S 8S 9S TS"), (1, "7C 8C 9C TC")]
    domino: dict[str, Any] = {"variety": "domino", "kept": (2, "QH")}
    assert score_deal(tricks, contract="no-hearts", **domino) == [0, 0, -2, 0]
    assert score_deal(tricks, contract="no-last-two", **domino) == [-8, -8, 0, 0]
    trick: dict[str, Any] = {**domino, "rules": {"kept_as": "trick"}}
    assert score_deal(tricks, contract="no-last-two", **trick) == [0, -8, -8, 0]
    assert score_deal(tricks, contract="tricks", **trick) == [2, 2, 2, 0]


# --- what is refused -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "arguments"),
    [
        ("2S", {"hand": "2S"}),
        ("1S", {"hand": "1S"}),
        ("hand", {"hand": ""}),
        ("twice", {"hand": "7S 7S"}),
        ("on the table", {"hand": "7S", "table": "7S"}),
        ("no-trick", {"hand": "7S", "contract": "no-trick"}),
        ("none", {"hand": "7S", "variety": "jokers", "contract": "no-tricks"}),
        ("variety", {"hand": "7S", "variety": "bridge"}),
        ("players", {"hand": "7S", "players": 3}),
        ("trump", {"hand": "7S", "trump": "X"}),
        ("cards", {"hand": 7}),
    ],
)
def test_bad_input_is_named(words: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=words):
        legal_cards(**arguments)


def test_scores_of_what_cannot_be() -> None:
    for tricks, more in (
        ([], {}),
        ([(4, "7S")], {}),
        ([(0, "7S"), (1, "7S")], {}),
        ([(0, "7S")], {"laid_away": "8S"}),
        ([(True, "7S")], {}),
    ):
        with pytest.raises(BadInput):
            score_deal(tricks, contract="no-tricks", **more)  # type: ignore[arg-type]


# --- against whole games -------------------------------------------------------------------


@pytest.mark.parametrize(("variety", "players"), GAMES)
def test_faces_agree_with_records(variety: str, players: int) -> None:
    chance = random.Random(f"faces {variety} {players}")
    for options in singles(variety, players):
        rules = {k: list(v) if isinstance(v, tuple) else v for k, v in options.items()}
        record = simlib.replay(
            "king",
            variety=variety,
            players=players,
            index=chance.randrange(1000),
            seed=chance.randrange(1000),
            rules=rules,
        )
        table = {"variety": variety, "players": players, "rules": rules}
        Reader(record["deals"][0], table).read()
