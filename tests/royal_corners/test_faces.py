"""The public face ``simlib.royal_corners.moves`` on card texts."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import simlib
from simlib.cards import ACE_LOW
from simlib.games.royal_corners.faces import in_words, moves
from simlib.games.royal_corners.moves import corner_of, move, source_of
from tests.slow.royal_corners_deal import Option

from .views import positions


def texts(found: list[dict[str, Any]]) -> list[str]:
    return [
        f"{act['from']}>{act['to']}"
        if act["do"] == "move"
        else f"{'*' if act['from'] == 'stock' else ''}{act['card']}>{act['to']}"
        for act in found
    ]


def test_it_is_public_and_speaks_of_records() -> None:
    found = simlib.royal_corners.moves(["5♥", "10S"], [["6S"], ["8H", "7S"], ["9S"], ["QD"]])
    assert found == [
        {"do": "play", "card": "5H", "from": "hand", "to": 0},
        {"do": "move", "from": 1, "to": 2},
    ]


def test_rc_3_rc_4_rc_7_cards_from_hand_and_stock() -> None:
    corners = [["6S"], [], ["KC", "QH"], ["2D"]]
    found = moves(["5H", "KD", "AD"], corners, open_card="JS")
    assert texts(found) == ["5H>0", "KD>1", "*JS>2"]
    assert texts(moves(["5H"], corners, open_card="JS", rules={"stock_face": "down"})) == ["5H>0"]


def test_rc_5_piles_down_and_up() -> None:
    corners = [["8H", "7S"], ["6D", "5C"], ["9S"], ["8D"]]
    assert texts(moves([], corners)) == ["0>2", "1>0", "3>2"]
    assert texts(moves([], corners, rules={"merge": "up"})) == ["2>3", "3>0"]


def test_rc_6_corners_that_take_any_card() -> None:
    corners = [["6S"], [], [], ["2D"]]
    assert texts(moves(["9C"], corners)) == []
    assert texts(moves(["9C"], corners, any_corners=[2])) == ["9C>2"]
    assert texts(moves(["9C"], corners, rules={"vacated": "always"})) == ["9C>1", "9C>2"]


@pytest.mark.parametrize(
    ("hand", "hosts", "wanted"),
    [
        ("KD 2S", "", "KD"),  # a king fits on nothing
        ("JD QS", "KH KD QC", "JD"),  # one queen against two kings
        ("JD QS", "KH QC QH", "QS"),  # as many each: the higher card
        ("3H 3D", "4S 4C", "3D"),
        ("AS", "2H 2D", "AS"),
        ("9D 9S", "", "9S"),  # of one rank black first, as if it were 9C
        ("9D 9S 9C", "", "9C"),
        ("9D 9S", "TD", "9D"),
    ],
)
def test_what_fits_least(hand: str, hosts: str, wanted: str) -> None:
    cards, others = np.uint64(ACE_LOW.mask(hand.split())), np.uint64(ACE_LOW.mask(hosts.split()))
    fits_least = simlib.royal_corners.fits_least
    assert ACE_LOW.text(int(fits_least(cards, others))) == wanted
    assert ACE_LOW.text(int(fits_least.py_func(cards, others))) == wanted


def test_rc_14_king_corners() -> None:
    corners = [["KS", "QH"], [], [], ["2D"], ["KD"], [], [], []]
    found = moves(["KC", "9C"], corners, preset="pagat")
    wanted = ["9C>1", "9C>2", "KC>1", "KC>2", "KC>5", "KC>6", "KC>7", "0>5", "0>6", "0>7"]
    assert texts(found) == wanted


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((["5X"], [[], [], [], []]), "'5X'"),
        ((["5H", "5H"], [[], [], [], []]), "twice"),
        ((["5H"], [["5H"], [], [], []]), "twice"),
        ((["5H"], [[], [], []]), "RC-14"),
        ((None, [[], [], [], []]), "hand: None: give a list of card texts"),
        (("5H", [[], [], [], []]), "hand: '5H': give a list"),
        ((["5H"], None), "corners: None: give a list of piles"),
        ((["5H"], [["6S"], "7C", [], []]), "corners: '7C': give a list of"),
    ],
)
def test_wrong_tables_are_refused(arguments: Any, says: str) -> None:
    with pytest.raises(simlib.BadInput, match=says):
        moves(*arguments)


def test_wrong_rights_and_options_are_refused() -> None:
    corners: list[list[str]] = [["6S"], [], [], []]
    with pytest.raises(simlib.BadInput, match="any_corners: 2: give a list of corners"):
        moves(["5H"], corners, any_corners=2)  # type: ignore[arg-type]
    for corner in (0, 4, "1", 2.0, True):
        with pytest.raises(simlib.BadInput, match="RC-6"):
            moves(["5H"], corners, any_corners=[corner])  # type: ignore[list-item]
    with pytest.raises(simlib.BadInput, match="RC-6"):
        moves(["5H"], corners, any_corners=[1], rules={"vacated": "never"})
    with pytest.raises(simlib.BadInput, match="RC-5"):
        moves(["5H"], corners, rules={"merge": "sideways"})


def as_text(option: Option) -> str:
    if option[0] == "move":
        return f"{option[1]}>{option[2]}"
    return f"{'*' if option[2] == 'stock' else ''}{option[1]}>{option[3]}"


def test_rc_12_the_same_moves_as_the_slow_engine_in_the_same_order() -> None:
    for position in positions(random.Random("faces"), 1500):
        info = position.info
        found = moves(
            info["hand"],
            info["corners"],
            open_card=info["open_card"],
            any_corners=info["any_card"],
            rules=info["rules"],
        )
        assert texts(found) == [as_text(option) for option in position.options[:-1]]


def test_the_codec_and_its_words() -> None:
    for source in range(61):
        for corner in range(8):
            answer = move(source, corner)
            assert (source_of(answer), corner_of(answer)) == (source, corner)
    assert in_words(-1, -1) == "stop"
    assert in_words(move(17, 2), -1) == "5H>2"
    assert in_words(move(52, 2), 51) == "*KC>2"
    assert in_words(move(55, 0), -1) == "2>0"
    assert in_words(488, -1) == in_words(-7, -1) == "no move"
