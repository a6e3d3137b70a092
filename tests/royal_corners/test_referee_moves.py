"""At least three mutations a clause, each refused under that clause: RC-3 to RC-7 and RC-14.

A scene is played by a script that may hold one illegal act; all that follows from it is
consistent. ``relabel`` puts other options into the rules than those that were played.
"""

from __future__ import annotations

from typing import Any

import pytest

from simlib.games.royal_corners.referee import check

from .mutations import Change, altered, inserted, refused
from .table_player import random_record, relabel, scene

# RC-3 Build

NO_BUILD = [
    ("9H", "TD"),  # same colour
    ("9D", "TD"),  # same suit
    ("JS", "TH"),  # one higher
    ("8S", "TH"),  # two lower
    ("TS", "TH"),  # same rank
    ("KS", "AH"),  # round the corner
    ("KS", "QH"),  # a king on a pile
]


@pytest.mark.parametrize(("card", "last"), NO_BUILD)
@pytest.mark.parametrize("source", ["hand", "stock"])
def test_rc_3_build(card: str, last: str, source: str) -> None:
    corners = f"{last} 4D 4H 5C"
    if source == "hand":
        refused(scene([f"{card} 3H", "3D 2H"], corners, f"{card}>0"), "RC-3")
    else:
        refused(scene(["2D 3H", "3D 2H"], corners, f"*{card}>0", stock=card), "RC-3")


def test_rc_3_only_the_last_card_counts() -> None:
    hands = ["9S 8D 8S", "3D 2H 7S"]
    assert check(scene(hands, "TH 4D 4H 5C", "9S>0 8D>0", "7S>0")) is None
    refused(scene(["9S 9C 8S", "3D 2H 7S"], "TH 4D 4H 5C", "9S>0 9C>0"), "RC-3")


# RC-4 King

EMPTIED = "9S TH 2C 4D"  # 0>1 empties corner 0


def test_rc_4_only_a_king_starts_an_empty_corner() -> None:
    hands = ["KD 5D", "AD 3H"]
    rules: dict[str, Any] = {"vacated": "never"}
    assert check(scene(hands, EMPTIED, "0>1 KD>0", stock="QS", **rules)) is None
    assert check(scene(hands, EMPTIED, "0>1 *KC>0", stock="KC", **rules)) is None
    refused(scene(hands, EMPTIED, "0>1 5D>0", **rules), "RC-4")
    refused(scene(hands, EMPTIED, "0>1 *QS>0", stock="QS", **rules), "RC-4")
    refused(scene(hands, EMPTIED, "0>1 stop", "AD>0", **rules), "RC-4")


def test_rc_4_a_king_goes_wherever_a_corner_is_empty() -> None:
    for vacated in ("next_move", "turn", "next_turn", "always", "never"):
        script = ("0>1 8H>1 stop", "stop", "KD>0")
        record = scene(["KD 8H", "AH 3H"], EMPTIED, *script, vacated=vacated)
        assert check(record) is None


# RC-5 Move a pile


def test_rc_5_piles_that_do_not_join() -> None:
    hands = ["2S 3S", "2D 3H"]
    refused(scene(hands, "9D TH 2C 4D", "0>1"), "RC-5")  # same colour
    refused(scene(hands, "8S TH 2C 4D", "0>1"), "RC-5")  # two lower
    refused(scene(hands, "KS AH 2C 4D", "0>1"), "RC-5")  # round the corner
    refused(scene(hands, "9S TH 2C 4D", "0>0"), "RC-5")
    # The moved pile joins with its first card, not its last, the other with its last.
    refused(scene(["9C 3S", "2D 3H"], "TH JD QS 7D", "9C>0 0>1"), "RC-5")
    refused(scene(["7S 3S", "2D 3H"], "8H 8S 9D TC", "7S>0 1>0"), "RC-5")


def test_rc_5_no_pile_on_or_from_an_empty_corner() -> None:
    hands = ["2S 3S", "2D 3H"]
    for vacated in ("next_move", "always"):
        refused(scene(hands, EMPTIED, "0>1 2>0", vacated=vacated), "RC-5")
        refused(scene(hands, EMPTIED, "0>1 1>0", vacated=vacated), "RC-5")
        refused(scene(hands, EMPTIED, "0>1 0>3", vacated=vacated), "RC-5")


def test_rc_5_merge() -> None:
    hands = ["2S 3S", "2D 3H"]
    assert check(scene(hands, EMPTIED, "0>1", merge="down")) is None
    assert check(scene(hands, EMPTIED, "1>0", merge="up")) is None
    refused(scene(hands, EMPTIED, "1>0", merge="down"), "RC-5")
    refused(scene(hands, EMPTIED, "0>1", merge="up"), "RC-5")
    # Under `up` the joined pile ends in the moved pile's last card.
    built, hands = "8S>1 7D>1 1>0", ["8S 7D 3S", "6S 7H 3H"]
    assert check(scene(hands, "8C 9H 2C 4D", built, "6S>0", merge="up")) is None
    refused(scene(hands, "8C 9H 2C 4D", built, "7H>0", merge="up"), "RC-3")


# RC-6 Vacated corner: the same plays under the five readings

BY_THE_SAME = {"next_move", "turn", "next_turn", "always"}
SCRIPTS: dict[str, tuple[tuple[str, ...], set[str]]] = {
    "at once": (("0>1 5D>0",), BY_THE_SAME),
    "after a play": (("0>1 *8D>1 5D>0",), {"turn", "next_turn", "always"}),
    "after a pile": (("0>1 2>3 5D>0",), {"turn", "next_turn", "always"}),
    "the later of two": (("0>1 2>3 5D>2",), BY_THE_SAME),
    "both of two": (("0>1 2>3 5D>2 7H>0",), {"turn", "next_turn", "always"}),
    "next player": (("0>1 stop", "5H>0"), {"next_move", "next_turn", "always"}),
    "next player from stock": (("0>1 stop", "*8D>0"), {"next_move", "next_turn", "always"}),
    "next player later": (("0>1 stop", "*8D>1 5H>0"), {"next_turn", "always"}),
    "after a quiet turn": (("0>1 stop", "stop", "6D>0"), {"next_move", "always"}),
    "after quiet and a play": (("0>1 stop", "stop", "*8D>1 6D>0"), {"always"}),
    "after quiet and a pile": (("0>1 stop", "stop", "2>3 6D>0"), {"always"}),
}


@pytest.mark.parametrize("vacated", ["next_move", "turn", "next_turn", "always", "never"])
@pytest.mark.parametrize("name", SCRIPTS)
def test_rc_6_vacated(name: str, vacated: str) -> None:
    script, allowed = SCRIPTS[name]
    hands = ["5D 7H AS", "5H 7D AC", "6D 8H AD"]
    # 0>1 and 2>3 each empty a corner; 8D on the stock builds on corner 1 after that.
    record = scene(hands, "9S TH 3C 4D", *script, stock="8D JS", vacated=vacated)
    if vacated in allowed:
        assert check(record) is None
    else:
        refused(record, "RC-4" if vacated == "never" else "RC-6")


def test_rc_6_a_corner_emptied_again_has_its_right_again() -> None:
    hands = ["8H AS", "5H AC"]
    script = ("0>1 8H>0 0>1 stop", "5H>0")  # in turn 0 corner 0 is emptied, filled, emptied
    for vacated in ("next_move", "next_turn", "always"):
        assert check(scene(hands, "9S TH 3C 2C", *script, vacated=vacated)) is None
    refused(scene(hands, "9S TH 3C 2C", *script, vacated="turn"), "RC-6")


# RC-7 Stock in play


def test_rc_7_stock_in_play() -> None:
    hands, corners = ["9C 2S", "2D 3H"], "TH 4D 4H 5C"
    assert check(scene(hands, corners, "*9S>0 *8D>0", stock="9S 8D")) is None
    down = scene(hands, corners, "*9S>0", stock="9S 8D", stock_face="down")
    refused(down, "RC-7")
    refused(scene(hands, corners, "*9S>0", stock="8D 9S"), "RC-7")  # not the open card
    refused(scene(hands, corners, "*9C>0", stock="9S 8D"), "RC-7")  # a card of the hand
    refused(scene(hands, corners, "*9S>0 *9S>0", stock="9S 8D"), "RC-7")  # already played


def test_rc_7_nothing_is_played_from_an_empty_stock() -> None:
    record = random_record(3, 4, hand_size=12)
    card = record["deals"][0]["hands"][0][0]
    play = {"card": card, "from": "stock", "to": 0}
    refused(inserted(record, 0, 0, "play", **play), "RC-7")


def test_rc_7_a_card_from_hand_is_held() -> None:
    hands, corners = ["9C 2S", "2D 3H"], "TH 4D 4H 5C"
    for card in ("9S", "3H", "TH"):  # on the stock, in the other hand, on a corner
        refused(scene(hands, corners, f"{card}>0", stock="9S 8D"), "C-7")


# RC-14 King corners

KINGS: dict[str, Any] = {"king_corners": 4}


def test_rc_14_king_corners_start_empty() -> None:
    record = random_record(1, 3, **KINGS)
    filled: Change = lambda d: d["table"]["corners"][5].append(d["stock"].pop())  # noqa: E731
    refused(altered(record, filled), "RC-14")
    refused(altered(record, lambda d: d["table"]["corners"].pop()), "RC-14")
    refused(relabel(record, king_corners=0), "RC-14")
    refused(relabel(random_record(1, 3), king_corners=4), "RC-14")


def test_rc_14_kings_only() -> None:
    hands, corners = ["KS 5D QC", "QD 3H JH"], "9S TH 2C 4D"
    for vacated in ("next_move", "always", "never"):
        rules = KINGS | {"vacated": vacated}
        assert check(scene(hands, corners, "KS>5", "QD>5 0>1 stop", **rules)) is None
        refused(scene(hands, corners, "5D>4", **rules), "RC-14")
        refused(scene(hands, corners, "*QH>7", stock="QH", **rules), "RC-14")
        refused(scene(hands, corners, "KS>5", "QD>6", **rules), "RC-14")
    refused(scene(hands, corners, "KS>5"), "RC-14")  # there are none


def test_rc_14_an_emptied_king_corner_takes_kings_only() -> None:
    hands, corners = ["KS 5D KC", "QD 3H JH"], "QH TH 2C 4D"
    for vacated in ("next_move", "turn", "always"):
        rules = KINGS | {"merge": "up", "vacated": vacated}
        assert check(scene(hands, corners, "KS>4 4>0 KC>4", **rules)) is None
        refused(scene(hands, corners, "KS>4 4>0 5D>4", **rules), "RC-14")


def test_rc_14_king_pile() -> None:
    hands, corners = ["KD QS 5D", "QC 3H JH"], "KS TH 9C 4D"
    rules = KINGS | {"king_pile": True}
    assert check(scene(hands, corners, "0>4 5D>0", **rules)) is None
    refused(scene(hands, corners, "0>4 5D>0", **KINGS), "RC-14")
    refused(scene(hands, corners, "1>4", **rules), "RC-14")
    refused(scene(hands, corners, "0>4 4>5", **rules), "RC-14")
    refused(scene(hands, corners, "0>4"), "RC-14")
    refused(scene(hands, corners, "2>1 0>2", **rules), "RC-5")
