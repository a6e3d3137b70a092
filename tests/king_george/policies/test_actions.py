"""What each policy does with concrete cards, as a person at the table would see it."""

from __future__ import annotations

from typing import Any

import pytest

from .table import Table

ALL = ("one-card", "eager", "longest-run", "ace-early", "ace-late", "no-orphans")


def acts(name: str, hand: str, pile: str = "", **options: Any) -> str:
    return Table.of(hand, pile, **options).turn(name)


# one-card


def test_one_card_puts_the_lowest_and_stops() -> None:
    assert acts("one-card", "4H 5C 5S 6D KD", "5H") == "4H stop"
    assert acts("one-card", "9C 2D 2S KH") == "2S"
    assert acts("one-card", "9C 2D 2S 3H", lead_run=True) == "2S stop"


def test_one_card_goes_on_where_it_must() -> None:
    assert acts("one-card", "4H 5C 5S 6D", "5H", must_run=True) == "4H 5S 5C 6D"


def test_one_card_sets_aside() -> None:
    assert acts("one-card", "AC KD 2S", "AH", resets=1) == "KD stop"
    assert acts("one-card", "AC 2D 3D", "KH", resets=1, ace_choice=True) == "AC aside"


# eager


def test_eager_prefers_equal_then_lower_then_the_rest() -> None:
    assert acts("eager", "5S 5C 4D 3D 6H 9C", "5H") == "5S 5C 4D 3D"
    assert acts("eager", "6H 7C 4D", "5H") == "4D"
    assert acts("eager", "6H 7C 8S 8D", "5H") == "6H 7C 8S 8D"


def test_eager_leads_its_highest_rank_in_suit_order() -> None:
    assert acts("eager", "KC KH QD 2S") == "KH"
    assert acts("eager", "KC KH QD 2S", lead_run=True) == "KH KC QD"
    assert acts("eager", "AC AH KD", resets=2) == "AH aside"


def test_eager_below_a_two() -> None:
    assert acts("eager", "3D AH KD", "2C", wrap=True) == "AH KD"
    assert acts("eager", "3D AH KD", "2C") == "3D"
    assert acts("eager", "3D AH KD", "2C", ace_any=True) == "3D AH KD"
    assert acts("eager", "2S AC 3H", "2D", wrap=True, resets=1) == "2S AC aside"


def test_eager_sets_aside_where_it_may_choose() -> None:
    assert acts("eager", "AC KD QD", "KH", resets=1, ace_choice=True) == "KD QD"
    assert acts("eager", "AC QD", "KH", resets=1, ace_choice=True) == "QD"
    assert acts("eager", "AC AD 4D", "KH", resets=1, ace_choice=True) == "AD aside"


# longest-run


def test_longest_run_turns_round_where_it_has_two_cards() -> None:
    assert acts("longest-run", "5S 4D 4C 3H 6S 7D", "5H") == "4D 3H 4C 5S 6S 7D"
    # only one 4: the way back is closed below it
    assert acts("longest-run", "5S 4D 3H 6S 7D 8D", "5H") == "4D 5S 6S 7D 8D"
    # no 5: there is no way back at all
    assert acts("longest-run", "4D 4C 6S 7D 8D", "5H") == "6S 7D 8D"
    # of equal runs the lower card first
    assert acts("longest-run", "4D 4C 3H 6S 7D 8D", "5H") == "4D 3H 4C"


def test_longest_run_leaves_cards_side_by_side() -> None:
    # one card either way: without 4D three cards stand side by side, without 6S none
    assert acts("longest-run", "4D 6S 8H 9H 7C 3C", "5H") == "6S 7C 8H 9H"
    assert acts("longest-run", "4D 6S 9H 2C", "5H") == "4D"
    assert acts("longest-run", "4D 3D 6S 7S JH", "5H") == "4D 3D"
    assert acts("longest-run", "QD KD 4S 9H 8C") == "4S"


def test_longest_run_counts_two_and_ace_as_neighbours_with_wrap() -> None:
    # 2S next to AH stays where they are neighbours
    assert acts("longest-run", "2S AH 9D") == "2S"
    assert acts("longest-run", "2S AH 9D", wrap=True) == "9D"


def test_longest_run_ends_with_an_ace_that_resets() -> None:
    assert acts("longest-run", "QD KD AS AH", "JH", resets=1) == "QD KD AS aside"
    assert acts("longest-run", "QD KD AS AH", "JH") == "QD KD AS AH"
    # away from the ace is longer
    assert acts("longest-run", "KH QD JD TD AS", "KS", resets=1) == "KH QD JD TD"


def test_longest_run_goes_round_the_circle() -> None:
    hand = "3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS"
    assert acts("longest-run", hand, "2H", wrap=True) == hand
    assert acts("longest-run", hand, "2H", wrap=True, resets=1) == hand + " aside"


def test_longest_run_jumps_with_aces_that_fit_everywhere() -> None:
    assert acts("longest-run", "4S 3S AS KS QS", "5H", ace_any=True) == "4S 3S AS KS QS"
    # with a jump the block of 5, 6 … K is emptied from both sides, without 4 twice
    hand = "3S 4S 6S 7S 8S 9S TS JS QS KS AS"
    want = "4S 3S AS KS QS JS TS 9S 8S 7S 6S"
    assert acts("longest-run", hand, "5H", ace_any=True) == want
    assert acts("longest-run", "4S AS KS 2D 3D", "9H", ace_any=True, wrap=True) == "AS 2D 3D 4S"


def test_longest_run_keeps_an_ace_to_run_on() -> None:
    hand = "AS KC QC JC TC"
    assert acts("longest-run", hand, "KH", resets=1) == "KC QC JC TC"
    assert acts("longest-run", hand, "KH", resets=1, ace_choice=True) == "AS kept KC QC JC TC"
    assert acts("longest-run", "AS 4D 9H", "KH", resets=1, ace_choice=True) == "AS aside"
    assert acts("longest-run", "AS", resets=1, ace_choice=True) == "AS aside"


def test_longest_run_leads_one_card() -> None:
    assert acts("longest-run", "AS KS QS 4D", resets=1) == "4D"
    assert acts("longest-run", "AS KS QS 4D", resets=1, lead_run=True) == "QS KS AS aside"


# ace-early, ace-late


def test_ace_early_spends_aces() -> None:
    hand = "AS KS QS JS 4D"
    assert acts("ace-early", hand, resets=1) == "AS aside"
    assert acts("ace-early", hand, resets=1, lead_run=True) == "JS QS KS AS aside"
    assert acts("ace-early", "KH QD JD TD AS", "KS", resets=1) == "QD KH AS aside"
    assert acts("ace-early", "AS KS 4D", "KH", resets=1, ace_choice=True) == "KS AS aside"


def test_ace_early_without_a_reset_is_longest_run() -> None:
    assert acts("ace-early", "KH QD JD AS", "KS") == acts("longest-run", "KH QD JD AS", "KS")


def test_ace_late_keeps_aces() -> None:
    assert acts("ace-late", "AS AD 4D", resets=1) == "4D"
    assert acts("ace-late", "QD KD AS 4H", "JH", resets=1) == "QD KD stop"
    assert acts("ace-late", "QD KD AS 4H", "JH", resets=1, must_run=True) == "QD KD AS aside"
    assert acts("ace-late", "AS AH 4H", "KH", resets=1) == "AS aside"


def test_ace_late_goes_out_with_an_ace() -> None:
    assert acts("ace-late", "QD KD AS", "JH", resets=1) == "QD KD AS aside"


def test_ace_late_lets_the_pile_lie() -> None:
    options: dict[str, Any] = {"resets": 1, "ace_choice": True}
    assert acts("ace-late", "AS AH 4H", "KH", **options) == "AS kept stop"
    assert acts("ace-late", "QD KD AS", "JH", **options) == "QD KD AS kept"


def test_ace_late_without_a_reset_is_longest_run() -> None:
    assert acts("ace-late", "QD KD AS 4H", "JH") == "QD KD AS"


# no-orphans

#: Without this pile 7S is cut off from 9 … A: no other 7, no 8 and no 6 is left.
PILE, ASIDE = "8S 8H 7H QS", "6S 6H 6D 6C 7D 7C 8D 8C"


def test_no_orphans_sets_no_pile_aside_that_would_cut_it_off() -> None:
    table: dict[str, Any] = {"pile": PILE, "aside": ASIDE, "resets": 1}
    assert acts("longest-run", "7S 9H KH AS", **table) == "KH AS aside"
    assert acts("no-orphans", "7S 9H KH AS", **table) == "KH stop"
    assert acts("no-orphans", "7S 9H KH AS", **table, must_run=True) == "KH AS aside"
    assert acts("no-orphans", "7S 9H KH AS", **{**table, "resets": 0}) == "KH AS"


def test_no_orphans_sets_aside_what_cuts_nothing_off() -> None:
    table: dict[str, Any] = {"pile": PILE, "aside": ASIDE, "resets": 1}
    # all its cards stay on the large island
    assert acts("no-orphans", "9H TH KH AS", **table) == "KH AS aside"
    # 3S is cut off already
    assert acts("no-orphans", "3S 9H KH AS", **table) == "KH AS aside"
    assert acts("no-orphans", "7S 3S KH AS", **table) == "KH stop"
    # with the wrap 3S belongs to the large island, 7S does not
    assert acts("no-orphans", "3S 9H KH AS", **table, wrap=True) == "KH AS aside"
    assert acts("no-orphans", "7S 3S KH AS", **table, wrap=True) == "KH stop"


def test_no_orphans_where_it_may_choose() -> None:
    table: dict[str, Any] = {"aside": ASIDE, "resets": 1, "ace_choice": True}
    assert acts("no-orphans", "7S 9H AS", PILE + " KS", **table) == "AS kept"
    assert acts("no-orphans", "9H AS", PILE + " KS", **table) == "AS aside"


@pytest.mark.parametrize("name", ALL)
def test_a_forced_ace_is_put_down(name: str) -> None:
    assert acts(name, "AS AD 3S 9H", "QS KS", resets=1) == "AS aside"
