"""What each policy does in a laid-out position, act by act."""

from __future__ import annotations

from typing import Any

import pytest

from simlib.games.royal_corners.faces import in_words
from simlib.games.royal_corners.policies import POLICIES
from simlib.policy import parse
from simlib.rng import new
from tests.royal_corners.stepper import Stepper

DEAD = "6S 8C JS JC"


def turn(name: str, game: Stepper) -> list[str]:
    """Let a policy play the turn of the seat that is to decide; return its acts."""
    policy = parse(name, "royal-corners", POLICIES)
    decide = policy.compiled()
    acts: list[str] = []
    seat, number = game.seat, game.turns
    while not game.ending and (game.seat, game.turns) == (seat, number):
        view = game.view
        view["params"] = policy.packed_params()
        answer = int(decide(view, new(1)))
        acts.append(in_words(answer, int(view["open_card"])))
        game.answer(answer)
    return acts


def table(
    hand: str, corners: Any, stock: str = "", other: str = "9H 9C 2S", **rules: Any
) -> Stepper:
    return Stepper([hand, other], corners, stock, **rules)


def test_eager_makes_the_only_move_and_goes_on_to_the_end() -> None:
    assert turn("eager", table("5H 4S 9D", DEAD)) == ["5H>0", "4S>0"]
    assert turn("eager", table("9D 2D", ["8H 7S", "6D 5C", "3C", "TC"])) != ["stop"]


def test_kings_first_opens_a_corner_for_its_king() -> None:
    corners = ["8H 7S", "6D 5C", "3C", "TC"]
    assert turn("kings-first", table("2D KS TD", corners))[:2] == ["1>0", "KS>1"]
    # without a king it leaves piles where they are
    assert turn("kings-first", table("2D JS TD", corners)) == ["2D>2", "stop"]


def test_kings_first_uses_king_corners_and_plays_its_highest_card() -> None:
    corners = ["6S", "8C", "JS", "", "", "", "", ""]
    acts = turn("kings-first", table("5H 7D KD", corners, king_corners=4))
    assert acts == ["KD>7", "7D>1", "5H>0"]


def test_kings_first_puts_down_an_open_king_that_it_would_draw() -> None:
    corners = ["6S", "8C", "JS", ""]
    assert turn("kings-first", table("5H 9D", corners, "KD 2H"))[:2] == ["5H>0", "*KD>3"]


def test_merge_first_moves_piles_and_fills_with_what_fits_least_elsewhere() -> None:
    corners = ["8H 7S", "6D 5C", "3C", "TC"]
    # black 9 goes on two red tens, both unseen; queen on two red kings; the king on nothing
    assert turn("merge-first", table("9S QS KD", corners))[:2] == ["1>0", "KD>1"]
    # 9D goes on black tens: 10C lies open and 10S is unseen, as for QD the kings; the higher goes
    assert turn("merge-first", table("9D QD", corners))[:2] == ["1>0", "QD>1"]
    # 9D goes on both black tens, 8S on 9H alone, since 9D is his own
    assert turn("merge-first", table("8S 9D", ["8H 7S", "6D 5C", "3C", "9H"]))[1] == "8S>1"


def test_holder_plays_what_covers_more_than_it_opens() -> None:
    # 5H opens a place for 4S and 4C and covers 6S, on which 5D would go too
    assert turn("holder", table("5H 9D", DEAD)) == ["stop"]
    # with both black fours in hand it opens nothing to the others
    assert turn("holder", table("5H 4S 4C", DEAD))[0] == "5H>0"
    # kings and empty corners at once
    assert turn("holder", table("KS 9D", ["6S", "8C", "JS", ""]))[0] == "KS>3"
    # somebody is about to go out
    assert turn("holder", table("5H 9D", DEAD, other="9H 9C")) == ["5H>0"]


def test_planner_finds_the_sequence_that_puts_down_most() -> None:
    acts = turn("planner", table("5H 5D 4C 3H KC", ["6S", "6C", "JS", "TC"]))
    assert acts == ["5D>0", "5H>1", "4C>0", "3H>0"]
    # a pile is moved so that the king can go down
    acts = turn("planner", table("KC QH TD", ["8H 7S", "6D 5C", "3C", "TC"]))
    assert acts == ["1>0", "KC>1", "QH>1"]
    # the queen waits, since on the corner that 6D leaves she would keep the king out
    acts = turn("planner", table("KC QH", ["8H 7S", "6D 5C", "3C", "TC"]))
    assert acts == ["1>0", "KC>1", "QH>1"]


def test_planner_sees_that_three_piles_will_move() -> None:
    hands = ["9S 9H 9D 9C TS", "2S 2H 2D 2C 4C"]
    game = Stepper(hands, "8D 8H 8S TH", "6H 2S", draw="every_turn")
    acts = turn("planner", game)
    assert len([act for act in acts if act[0] == "9"]) == 4


def test_planner_does_not_play_a_card_to_draw_a_king() -> None:
    assert turn("planner", table("5H 9D QD", DEAD, "KS 2H")) == ["stop"]
    assert turn("planner", table("5H 4S 9D QD", DEAD, "KS 2H")) == ["stop"]
    assert turn("planner", table("5H 4S 9D QD", DEAD, "2H KS")) == ["5H>0", "4S>0"]
    # unless that was its last card
    assert turn("planner", table("5H", DEAD, "KS 2H")) == ["5H>0"]


@pytest.mark.parametrize(
    ("name", "rules", "keeps"),
    [
        ("planner", {}, False),
        ("planner", {"draw": "every_turn"}, True),
        ("planner", {"draw": "turn_start"}, True),
        ("planner", {"draw": "every_turn", "king_corners": 4}, False),
        ("planner(keep_corners=0)", {"draw": "every_turn"}, False),
        ("planner(keep_corners=1)", {}, True),
    ],
)
def test_planner_keeps_vacated_corners_where_all_cards_will_be_drawn(
    name: str, rules: dict[str, Any], keeps: bool
) -> None:
    corners = ["8H 7S", "6D 5C", "3C", "TC"] + [""] * rules.get("king_corners", 0)
    # the queen would take the jack along; he fits least elsewhere: the other queen is his own
    acts = turn(name, table("QS JD AS", corners, **rules))
    assert acts[:2] == (["1>0", "JD>1"] if keeps else ["1>0", "QS>1"])
    assert ("JD>1" in acts[2:]) is not keeps


@pytest.mark.parametrize("name", list(POLICIES))
def test_each_plays_a_deal_to_its_end(name: str) -> None:
    game = Stepper(["5H 4S KD 2C", "5D 4C AH", "3S 9D QC"], DEAD, "TH 9S 8H", draw="every_turn")
    while not game.ending:
        turn(name, game)
    assert game.ending in ("blocked", "declined", "all_out")
