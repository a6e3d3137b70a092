"""The kernel against the clauses of RC, with concrete cards."""

from __future__ import annotations

from typing import Any

import pytest

from simlib.cards import NEW_PACK
from simlib.games.recording import deck_order
from simlib.record import replay

from .stepper import Stepper

# Corners on which none of the cards used below fits, to fill the table up.
DEAD = "6S 8C JS JC"


def test_rc_1_dealt_one_by_one_then_corners_then_stock() -> None:
    for players, left in ((2, 34), (3, 27), (4, 20)):
        record = replay("royal-corners", index=5, players=players, rules={"first": "rotate"})
        deal = record["deals"][0]
        deck = [NEW_PACK[place] for place in deck_order(range(52), 0, 5, 0)]
        first = 5 % players
        assert deal["first"] == first
        assert deal["hands"][first] == deck[0 : 7 * players : players]
        assert deal["hands"][(first + 1) % players] == deck[1 : 7 * players : players]
        assert deal["table"]["corners"] == [[c] for c in deck[7 * players : 7 * players + 4]]
        assert len(deal["stock"]) == left


def test_rc_2_turns_go_round_from_first_and_over_players_who_are_out() -> None:
    game = Stepper(["9D 5D", "5H", "9H 5C 7D"], "6S 6C 6H 8C", "2H 3H", first=1)
    assert game.seat == 1
    game.do("5H>0")  # seat 1 is out
    assert game.seat == 2
    game.do("5C>2", "stop")
    assert game.seat == 0
    game.do("stop")
    assert game.seat == 2


def test_rc_3_one_lower_and_of_the_other_colour() -> None:
    game = Stepper(["5S 5H 5D 5C 7D 4H", "9D"], DEAD)
    assert game.moves == ["5H>0", "5D>0", "7D>1"]
    game.do("5H>0")
    assert game.moves == ["7D>1"]  # 4H is red like 5H; an ace takes nothing, a king goes nowhere
    low = Stepper(["KS KD 9D", "9H"], "AS AD TS JC")
    assert low.moves == ["9D>2"]


def test_rc_4_a_king_may_start_an_empty_corner() -> None:
    game = Stepper(["KS KD QH", "9H"], ["", "8S", "", "3D"])
    assert game.moves == ["KS>0", "KS>2", "KD>0", "KD>2"]
    game.do("KS>0")
    assert game.moves == ["QH>0", "KD>2"]


def test_rc_5_a_pile_goes_on_a_card_one_higher_than_its_first() -> None:
    corners = ["8H 7S", "6D 5C", "9S", "KC QH"]
    game = Stepper(["2D 3D", "9H"], corners)
    assert game.moves == ["0>2", "1>0"]
    game.do("1>0")
    assert int(game.state["first_cards"][0]) == 7 * 4 + 1
    assert int(game.state["last_cards"][0]) == 4 * 4 + 3
    assert game.pile_moves == 1


def test_rc_5_not_to_an_empty_corner_nor_on_itself() -> None:
    game = Stepper(["2D KC", "9H"], ["8H 7S", "6D 5C", "", "KD QC"], king_pile=True)
    assert game.moves == ["KC>2", "1>0"]
    same = Stepper(["KC", "9H"], ["5H 4S", "9C", "", ""], merge="up")
    assert same.moves == ["KC>2", "KC>3"]


def test_rc_5_merge_up_by_position() -> None:
    game = Stepper(["9C KC", "9H"], ["8H 7S", "6D 5C", "3S", "8D"], merge="up")
    assert game.moves == ["3>0"]  # 8D is one higher than 7S; 6D 5C does not go on 7S
    game.do("3>0")
    assert int(game.state["first_cards"][0]) == 7 * 4 + 1
    assert int(game.state["last_cards"][0]) == 7 * 4 + 2


def vacated(rule: str) -> Stepper:
    """Seat 0 has just moved pile 1 to pile 0; he and his neighbours hold dead cards."""
    corners = ["8H 7S", "6D", "2S", "2D"]
    hands = ["TC TS AH", "JC JS AS", "QC QS 9C"]
    return Stepper(hands, corners, "QH", vacated=rule, stock_face="down").do("1>0")


def test_rc_6_next_move_lasts_until_a_move_whoever_makes_it() -> None:
    game = vacated("next_move")
    assert game.moves == ["AH>1", "AH>2", "TS>1", "TC>1"]
    game.do("stop")  # no move, nor is the turn of another
    assert game.seat == 1
    assert game.moves == ["AS>1", "AS>3", "JS>1", "JC>1"]
    game.do("stop", "stop")
    assert (game.seat, game.moves) == (0, ["AH>1", "AH>2", "TS>1", "TC>1"])
    game.do("AH>2")  # another move: the right is gone
    assert game.seat == 1
    assert game.moves == ["AS>3"]


def test_rc_6_turn_and_next_turn() -> None:
    game = vacated("turn").do("AH>2")
    assert game.moves == ["TS>1", "TC>1"]  # still this turn
    game.do("stop")
    assert (game.seat, game.moves) == (1, ["AS>3"])
    longer = vacated("next_turn").do("stop")
    assert longer.moves == ["AS>1", "AS>3", "JS>1", "JC>1"]
    longer.do("AS>3")
    assert longer.moves == ["JS>1", "JC>1"]
    longer.do("stop")  # the turn of the next player is over, and seat 2 cannot move
    assert (longer.seat, longer.moves) == (0, ["AH>2"])


def test_rc_6_always_and_never() -> None:
    corners = ["8H", "", "2S", "2D"]
    game = Stepper(["TC", "9C"], corners, vacated="always")
    assert game.moves == ["TC>1"]
    assert vacated("never").moves == ["AH>2"]


def test_rc_7_the_open_stock_card_and_the_next_one() -> None:
    game = Stepper(["9D 9H", "9S"], DEAD, "5D 4C 2H")
    assert game.moves == ["*5D>0"]
    game.do("*5D>0")
    assert game.moves == ["*4C>0"]
    game.do("*4C>0")
    assert game.ending == "blocked"  # 2H fits nowhere, nobody played from his hand
    assert game.stock == ["2H"]
    assert Stepper(["5H 9D", "9S"], DEAD, "5D", stock_face="down").moves == ["5H>0"]


def test_rc_8_a_draw_after_a_card_from_hand_only() -> None:
    game = Stepper(["5H 9D", "9S"], DEAD, "2H 3H").do("5H>0")
    assert (game.hand(0), game.stock) == (["2H", "9D"], ["3H"])
    stock = Stepper(["9D", "9S"], DEAD, "5H 3H").do("*5H>0")
    assert (stock.hand(0), stock.draws) == (["9D"], 0)


def test_rc_8_a_draw_at_the_end_or_the_start_of_every_turn() -> None:
    every = Stepper(["9D", "9H"], DEAD, "2H 3H 4H", draw="every_turn")
    assert (every.hand(0), every.hand(1)) == (["2H", "4H", "9D"], ["3H", "9H"])
    assert (every.ending, every.turns) == ("blocked", 5)
    start = Stepper(["9D 9C", "9H"], DEAD, "5H 3H", draw="turn_start")
    assert start.moves == ["5H>0"]
    start.do("5H>0")
    assert (start.hand(0), start.hand(1), start.draws) == (["9D", "9C"], ["3H", "9H"], 2)


def test_rc_9_out_at_once_without_a_draw() -> None:
    for draw in ("after_play", "every_turn"):
        game = Stepper(["5H", "9D"], DEAD, "AC 2H", draw=draw).do("5H>0")
        assert game.hand(0) == []
        assert game.state["out_order"].tolist() == [0, -1, -1, -1]
        assert game.first_out_turn == 0
        assert game.ending == "blocked"


def test_rc_10_blocked_and_declined() -> None:
    assert Stepper(["9H", "9D"], DEAD, "2H").ending == "blocked"
    game = Stepper(["5H 9H", "9D"], DEAD, "2H").do("stop")
    assert game.ending == "declined"
    # one who could have moved, but before the last move, does not count
    game = Stepper(["5H 9H", "5D 9D"], DEAD, "2H").do("stop", "5D>0")
    assert game.ending == "blocked"


def test_rc_10_all_out_first_out_last_holder() -> None:
    hands = ["5H", "7D", "9D 9H"]
    assert Stepper(hands, DEAD, end="first_out").do("5H>0").ending == "first_out"
    assert Stepper(hands, DEAD, end="last_holder").do("5H>0", "7D>1").ending == "last_holder"
    assert Stepper(hands[:2], DEAD).do("5H>0", "7D>1").ending == "all_out"
    assert Stepper(hands[2:] * 2, DEAD, end="first_out").ending == "blocked"


def test_rc_12_the_order_of_the_options() -> None:
    corners = ["", "6S", "6C", "5D"]
    game = Stepper(["5H KS", "9D"], corners, "KH 2H")
    assert game.moves == ["5H>1", "5H>2", "KS>0", "*KH>0", "3>1", "3>2"]
    game.do("stop", "stop")
    assert (game.decisions, game.options) == (2, 7 + 4)  # seat 1 had three of these moves


def test_rc_12_truncated_unless_the_deal_ends_on_that_turn() -> None:
    rules: dict[str, Any] = {"draw": "every_turn", "max_turns": 2}
    assert Stepper(["9D", "9H"], DEAD, "2H 3H 4H", **rules).ending == "truncated"
    assert Stepper(["9D", "9H"], DEAD, "", **rules).ending == "blocked"


@pytest.mark.parametrize("answer", [-3, -2, 8 * 16, 8 * 17 + 1, 8 * 52, 8 * 53, 8 * 61, 4000])
def test_c_5_an_answer_that_is_no_option_is_refused(answer: int) -> None:
    game = Stepper(["5H 5S 9D", "9H"], DEAD, "2H")
    assert game.moves == ["5H>0"]
    game.answer(answer)
    assert game.ending == "refused"
    assert game.hand(0) == ["5S", "5H", "9D"]
    assert game.control[8] == answer


def test_rc_14_king_corners_take_kings_and_never_any_card() -> None:
    corners = ["8H 7S", "6D", "2S", "2D", "", "", "", ""]
    game = Stepper(["TC KD", "9C"], corners, king_corners=4, vacated="always").do("1>0")
    assert game.moves == ["TC>1", "KD>1", "KD>4", "KD>5", "KD>6", "KD>7"]
    game.do("KD>7")
    assert game.moves == ["TC>1"]


def test_rc_14_king_pile() -> None:
    corners = ["KS QH", "2C", "2S", "2D", "KD", "", "", ""]
    game = Stepper(["TC", "9C"], corners, king_corners=4, king_pile=True, vacated="turn")
    assert game.moves == ["0>5", "0>6", "0>7"]  # not from a king corner to another
    game.do("0>6")
    assert game.moves == ["TC>0"]
    assert Stepper(["9H", "9C"], corners, king_corners=4).ending == "blocked"


def test_case_9_a_stock_of_one_card() -> None:
    game = Stepper(["5H 9H", "4S 9D"], DEAD, "2H").do("5H>0")
    assert (game.hand(0), game.stock) == (["2H", "9H"], [])
    game.do("4S>0")
    assert (game.hand(1), game.draws, game.ending) == (["9D"], 1, "blocked")


def test_the_view_says_what_lies_open_and_nothing_hidden() -> None:
    game = Stepper(["5H KS 9D", "9H 9C"], ["6S", "8C", "JS TD", ""], "2H 3H", first=0)
    view = game.view
    assert view["open_card"] == 5  # 2H
    assert view["stock_count"] == 2
    assert view["counts"].tolist() == [3, 2, -1, -1]
    seen = {"5H", "KS", "9D", "6S", "8C", "JS", "TD", "2H"}
    assert bin(int(view["unseen"])).count("1") == 52 - len(seen)
    assert view["last_cards"].tolist() == [20, 31, 38, -1, -1, -1, -1, -1]
    assert view["first_cards"].tolist() == [20, 31, 40, -1, -1, -1, -1, -1]
    other = Stepper(["5H KS 9D", "AC AS"], ["6S", "8C", "JS TD", ""], "2H 9C", first=0)
    assert other.view_bytes() == game.view_bytes()
