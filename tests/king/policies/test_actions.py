"""What each policy does with concrete cards, as a person at the table would see it."""

from __future__ import annotations

import pytest

from simlib.games.king.view import CONTRACT, DISCARD, TRUMP

from .table import Table

DUCKERS = ("duck", "sensible", "counting")
CLEVER = ("sensible", "counting")
LOW_HAND = "2S 3S 4S 5S 6S 7S 2D 3D 4D 5D 2C 3C 4C"
HIGH_HAND = "AS KS QS JS AH KH QH JH AD KD QD AC KC"


def plays(name: str, hand: str, contract: str, *tricks: str) -> str:
    return Table(hand, contract=contract).plays(name, *tricks)


# duck: the highest card that loses, else the highest


def test_duck_leads_its_lowest_card() -> None:
    assert plays("duck", "KS 9H 8D JD AC TC 9C TD", "no-tricks", ".") == "8D"


@pytest.mark.parametrize("name", DUCKERS)
def test_duckers_go_as_high_as_still_loses(name: str) -> None:
    assert plays(name, "TS KS 7S 9H 8D 9D AC TC", "no-tricks", "JS .") == "TS"


@pytest.mark.parametrize("name", DUCKERS)
def test_duckers_win_high_if_they_must(name: str) -> None:
    assert plays(name, "TS KS QS 9H 8D 9D AC TC", "no-tricks", "9S 7S 8S .") == "KS"


def test_duck_throws_away_what_costs_most() -> None:
    hand = "QH AH 7D KD AC JC TH 9H"
    assert plays("duck", hand, "no-queens", "8S .") == "QH"
    assert plays("duck", hand, "no-hearts", "8S .") == "AH"
    assert plays("duck", hand, "no-tricks", "8S .") == "AH"
    assert plays("duck", hand, "no-jacks", "8S .") == "JC"


def test_duck_plays_a_hand() -> None:
    tricks = ["JS . AS 8S", "9D 7D TD .", "AC . KC 9C", "9S . QS 8H"]
    tricks += ["8C QC JC .", "AD JD . KD", "KH 9H . JH", "."]
    hand = "TS KS 7S QD 8D AH TC 7C"
    assert plays("duck", hand, "no-queens", *tricks) == "TS 8D TC 7S 7C QD AH KS"


def test_duck_chooses_what_costs() -> None:
    assert Table(LOW_HAND, variety="trade").bids("duck") == 0
    table = Table("7S 8S AD KD QD AC KC QC", variety="ordered", declares=True)
    assert table.names_contract("duck", CONTRACT, "no-tricks", "no-all", "all") == "no-all"
    table = Table("7S 8S AD KD QD AC KC QC", variety="ordered", contract="all", declares=True)
    assert table.names_trump("duck", TRUMP) == "none"


# grab: the lowest card that wins, else the lowest


def test_grab_leads_its_highest_card() -> None:
    assert plays("grab", "KS 9H 8D JD AC TC 9C TD", "tricks", ".") == "AC"


def test_grab_wins_as_cheaply_as_it_can() -> None:
    assert plays("grab", "TS KS 7S 9H 8D 9D AC TC", "tricks", "9S .") == "TS"
    assert plays("grab", "TS KS 7S 9H 8D 9D AC TC", "tricks", "AS .") == "7S"


def test_grab_throws_away_what_pays_least() -> None:
    hand = "QH AH 8D KD AC JC 7H 9H"
    assert plays("grab", hand, "queens", "8S .") == "7H"
    assert plays("grab", hand, "hearts", "8S .") == "8D"


def test_grab_plays_a_hand() -> None:
    tricks = [". 7S 8S KS", ". 8H 9H TH", ". 7D KD 9D", "JS QS . KH"]
    tricks += ["8C . 9C JC", "TD JD . AD", "AC QC KC .", "QH JH 7H ."]
    hand = "AS TS 9S QD 8D AH TC 7C"
    assert plays("grab", hand, "tricks", *tricks) == "AS AH QD 9S TC 8D 7C TS"


def test_grab_chooses_what_pays() -> None:
    assert Table(HIGH_HAND, variety="trade").bids("grab") == 1
    assert Table(HIGH_HAND, variety="trade").bids("grab", above=4) == 5
    table = Table("7S 8S 9S KD QD AC KC QC", variety="ordered", declares=True)
    assert table.names_contract("grab", CONTRACT, "no-tricks", "tricks", "all") == "all"
    table = Table("7S 8S 9S TS QD AC KC QC", variety="ordered", contract="all", declares=True)
    assert table.names_trump("grab", TRUMP) == "S"


# sensible: what scores in this contract


@pytest.mark.parametrize("name", CLEVER)
def test_a_queen_goes_under_the_king(name: str) -> None:
    assert plays(name, "QS JS 7S AD AC JC TD 9D", "no-queens", "9S KS .") == "QS"


@pytest.mark.parametrize("name", CLEVER)
def test_a_trick_without_a_queen_takes_a_dangerous_ace_away(name: str) -> None:
    assert plays(name, "QS KS AS 7D 8D 9D 7C 8C", "no-queens", "7S 8S 9S .") == "AS"
    assert plays(name, "8S KS AS 7D 8D 9D 7C 8C", "no-queens", "7S QS 9S .") == "8S"


@pytest.mark.parametrize("name", CLEVER)
def test_the_last_two_tricks_are_what_counts(name: str) -> None:
    hand = "AS TS 7D 8D 9D 7C 8C AC"
    assert plays(name, hand, "no-last-two", "7S 8S 9S .") == "AS"
    assert plays(name, hand, "last-two", "7S 8S 9S .") == "TS"
    assert plays("duck", hand, "last-two", "7S 8S 9S .") == "AS"


@pytest.mark.parametrize("name", CLEVER)
def test_the_king_of_hearts_costs_or_pays(name: str) -> None:
    hand = "AS TS 7D 8D 9D 7C 8C AC"
    assert plays(name, hand, "king", "JS KH 9S .") == "AS"
    assert plays(name, hand, "no-king", "JS KH 9S .") == "TS"


@pytest.mark.parametrize("name", CLEVER)
def test_winning_is_cheap_where_tricks_pay(name: str) -> None:
    assert plays(name, "AS TS 7D 8D 9D 7C 8C AC", "tricks", "7S 8S 9S .") == "TS"


@pytest.mark.parametrize("name", CLEVER)
def test_a_joker_is_put_on_a_trick_with_a_high_heart(name: str) -> None:
    hand = "X1 TH 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS"
    assert Table(hand, variety="jokers").plays(name, "3H JH .") == "X1"
    assert Table(hand, variety="jokers").plays(name, "3H 4H .") == "TH"
    assert Table(hand, variety="jokers").plays("duck", "3H 4H .") == "X1"


@pytest.mark.parametrize("name", CLEVER)
def test_the_ten_of_diamonds_is_taken_and_the_queen_of_spades_is_not(name: str) -> None:
    hand = "JD 2D 3S 4S 5S 6S 7S 2H 3H 4H 5H 6H 2C"
    assert Table(hand, variety="omnibus").plays(name, "5D TD 7D .") == "JD"
    assert Table(hand, variety="omnibus").plays(name, "5D QS 7D .") == "2D"
    hand = "QS KS AS 2H 3H 4H 5H 6H 2D 3D 4D 5D 6D"
    assert Table(hand, variety="omnibus").plays(name, "5C .") == "QS"


@pytest.mark.parametrize("name", CLEVER)
def test_the_contract_suits_the_hand(name: str) -> None:
    table = Table("7S 8S 9S 7D 8D 9D 7C 8C", variety="ordered", declares=True)
    assert table.names_contract(name, CONTRACT, "tricks", "no-tricks", "jacks") == "no-tricks"
    table = Table("AS KS QS JS TS AD KD AC", variety="ordered", declares=True)
    assert table.names_contract(name, CONTRACT, "no-tricks", "tricks", "no-jacks") == "tricks"


@pytest.mark.parametrize("name", CLEVER)
def test_a_middling_hand_is_not_spent_on_the_largest_contract(name: str) -> None:
    hand = "8S QS 8H QH 8D KD 9C KC"
    table = Table(hand, variety="ordered", declares=True)
    assert table.names_contract(name, CONTRACT, "no-tricks", "no-all") == "no-tricks"
    assert table.names_contract(name, CONTRACT, "no-tricks", "no-all", last=True) == "no-all"


@pytest.mark.parametrize("name", CLEVER)
def test_a_long_suit_is_trump_and_four_aces_need_none(name: str) -> None:
    table = {"variety": "ordered", "contract": "tricks", "declares": True}
    assert Table("7S 8S 9S TS JS QS 8C AD", **table).names_trump(name, TRUMP) == "S"
    assert Table("AS KS AH KH AD KD AC KC", **table).names_trump(name, TRUMP) == "none"


@pytest.mark.parametrize("name", CLEVER)
def test_what_is_dangerous_is_laid_away_and_winners_are_kept(name: str) -> None:
    hand = "7S 8S 9S TS 7H 8H 9H TH AC KD 7D 8D"
    table = Table(hand, variety="minsk", contract="no-tricks", declares=True)
    assert table.lays_away(name, DISCARD) == "AC KD"
    hand = "AS KS QS JS TS AH KH 9H AC KC 7D 8C"
    table = Table(hand, variety="minsk", contract="win-back", trump="S", declares=True)
    assert table.lays_away(name, DISCARD) == "7D 8C"


@pytest.mark.parametrize("name", CLEVER)
def test_bids_are_for_hands_that_will_take_little(name: str) -> None:
    assert Table(LOW_HAND, variety="trade").bids(name) == 1
    assert Table(LOW_HAND, variety="trade").bids(name, above=3) == 4
    assert Table(LOW_HAND, variety="trade").bids(name, above=9) == 0
    assert Table(HIGH_HAND, variety="trade").bids(name) == 0
    # the bid is a gift
    assert Table(HIGH_HAND, variety="trade", bid="gain").bids(name, above=2) == 13


@pytest.mark.parametrize("name", CLEVER)
def test_the_penalty_suit_is_the_one_it_will_not_take(name: str) -> None:
    hand = "AS KS QS JS 2H 3H 4H KD QD JD 9C KC AC"
    assert Table(hand, variety="trade").names_penalty(name) == "H"


# counting: what is known besides


def test_counting_leads_the_highest_card_left() -> None:
    def leads(name: str) -> str:
        table = Table("7S 8S TS KD 9C 7D 7H 8H", contract="tricks")
        # all spades above the ten fall; the ace of diamonds is still out
        table.plays("low", "AS . KS 9S", "JS . QS TD", "AH . 9H TH")
        return table.plays(name, ".")

    assert leads("sensible") == "KD"
    assert leads("counting") == "TS"


def test_counting_leads_no_suit_that_the_others_have_not() -> None:
    def leads(name: str) -> str:
        table = Table("7C TC KC 9D 7H 8S 9S JS", contract="no-tricks")
        # the seven of clubs is the last one: it would win
        table.plays("high", "AC . 9C QC", "8C . TD JC", "AS . KS QS")
        return table.plays(name, ".")

    assert leads("sensible") == "7C"
    assert leads("counting") == "9D"
