"""The slow engine of Royal Corners against the clauses, with decks laid out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from .royal_corners import DEFAULTS, play
from .royal_corners_deal import PACK, STOP, Option


class Script:
    """Answers with the acts given, then stops for ever; keeps the options it was offered."""

    def __init__(self, acts: list[Option]) -> None:
        self.acts = list(acts)
        self.offered: list[list[Option]] = []
        self.seen: list[dict[str, Any]] = []

    def __call__(self, options: list[Option], info: dict[str, Any]) -> Option:
        self.offered.append(options)
        self.seen.append(info)
        return self.acts.pop(0) if self.acts else STOP


class Played:
    """One deal from hands, corners and stock written out, with a script a seat."""

    def __init__(
        self,
        hands: list[str],
        corners: str,
        stock: str = "",
        acts: dict[int, list[Option]] | None = None,
        index: int = 0,
        **changes: Any,
    ) -> None:
        held = [hand.split() for hand in hands]
        players = len(held)
        rules = {**DEFAULTS, "hand_size": len(held[0]), **changes}
        first = index % players if rules["first"] == "rotate" else 0
        turn_order = held[first:] + held[:first]
        dealt = [card for round_ in zip(*turn_order, strict=True) for card in round_]
        self.scripts = [Script((acts or {}).get(seat, [])) for seat in range(players)]
        result = play(
            players=players,
            rules=rules,
            policies=[f"script{seat}" for seat in range(players)],
            seed=1,
            index=index,
            deck={0: dealt + corners.split() + stock.split()},
            deciders={f"script{seat}": script for seat, script in enumerate(self.scripts)},
        )
        self.record = result["record"]
        self.deal = self.record["deals"][0]
        self.row = result["deals_rows"][0]

    def offered(self, seat: int, time: int = 0) -> list[Option]:
        return self.scripts[seat].offered[time]

    def acts(self, *kinds: str) -> list[tuple[int, str]]:
        return [(e["seat"], e["do"]) for e in self.deal["events"] if e["do"] in kinds]


def hand(card: str, to: int) -> Option:
    return ("play", card, "hand", to)


def stock(card: str, to: int) -> Option:
    return ("play", card, "stock", to)


def move(start: int, to: int) -> Option:
    return ("move", start, to)


# ------------------------------------------------------------------------------- case 9 of RULES


def test_case_9_a_stock_of_one_card_goes_to_the_first_who_plays() -> None:
    game = Played(
        ["5H 9H", "4S 9D"],
        "6S 8C JS JC",
        "2H",
        {0: [hand("5H", 0)], 1: [hand("4S", 0)]},
    )
    assert game.deal["events"] == [
        {"seat": 0, "do": "play", "card": "5H", "from": "hand", "to": 0},
        {"seat": 0, "do": "draw", "card": "2H"},
        {"seat": 0, "do": "end"},
        {"seat": 1, "do": "play", "card": "4S", "from": "hand", "to": 0},
        {"seat": 1, "do": "end"},
        {"seat": 0, "do": "end"},
        {"seat": 1, "do": "end"},
    ]
    assert (game.row["draws"], game.row["stock_left"], game.row["ending"]) == (1, 0, "blocked")


def test_case_9_last_card_played_with_stock_left_is_out_without_a_draw() -> None:
    for draw in ("after_play", "every_turn"):
        game = Played(["5H", "9D"], "6S 8C JS JC", "2H", {0: [hand("5H", 0)]}, draw=draw)
        assert [e["do"] for e in game.deal["events"][:3]] == ["play", "out", "end"]
        assert (0, "draw") not in game.acts("draw")
    assert game.row["penalty_0"] == 0
    assert game.row["someone_out"] is True


def test_case_9_stock_empty_and_no_move_the_turn_passes() -> None:
    game = Played(["9H", "9D"], "6S 8C JS JC")
    assert game.acts("end", "stop", "draw") == [(0, "end"), (1, "end")]
    assert (game.row["ending"], game.row["turns"], game.row["decisions"]) == ("blocked", 2, 0)


# ------------------------------------------------------------------------------------ RC clauses


def test_rc_1_deals_one_by_one_from_first_then_corners_then_stock() -> None:
    for players, left in ((2, 34), (3, 27), (4, 20)):
        record = play(
            players=players,
            rules={**DEFAULTS, "first": "rotate", "king_corners": 4},
            policies=["random"] * players,
            seed=5,
            index=1,
            deck={0: PACK},
        )["record"]
        deal = record["deals"][0]
        assert deal["first"] == 1
        assert deal["hands"][1] == PACK[0 : 7 * players : players]
        assert deal["hands"][0] == PACK[players - 1 : 7 * players : players]
        assert deal["table"]["corners"] == [[c] for c in PACK[7 * players :][:4]] + [[]] * 4
        assert deal["stock"] == PACK[-left:]


def test_rc_2_first_acts_first_and_may_make_many_moves() -> None:
    game = Played(
        ["9D", "5H", "9H"],
        "6S 4S JS JC",
        "2H",
        {1: [hand("5H", 0)]},
        index=4,
        first="rotate",
    )
    assert game.deal["events"][0]["seat"] == 1
    many = Played(
        ["5H 4S 3D 9H", "9S 9C 9D TD"],
        "6S 2C JS KS",
        acts={0: [hand("5H", 0), hand("4S", 0), hand("3D", 0), move(1, 0)]},
    )
    assert many.acts("play", "move")[:4] == [(0, "play")] * 3 + [(0, "move")]
    assert (many.row["hand_plays"], many.row["pile_moves"]) == (3, 1)


def test_rc_3_one_lower_and_of_the_other_colour() -> None:
    game = Played(["5H 5S 7H AD KD", "9H 9D QS QC 2S"], "6S 2C AS 9C")
    assert game.offered(0) == [hand("AD", 1), hand("5H", 0), STOP]


def test_rc_4_a_king_starts_an_empty_corner_also_when_it_is_no_longer_fresh() -> None:
    for source in ("hand", "stock"):
        held, pile = ("KD 4S 9D", "3H KC") if source == "hand" else ("9C 4S 9D", "KD KC")
        game = Played(
            [held, "9H QS QC"],
            "6S 5H JS JC",
            pile,
            {0: [move(1, 0), hand("4S", 0), ("play", "KD", source, 1)]},
            vacated="never",
        )
        assert ("play", "KD", source, 1) in game.offered(0, 1)
        assert not any(option[:2] == ("play", "9D") for option in game.offered(0, 1))
        assert {"from": source, "to": 1, "seat": 0, "do": "play", "card": "KD"} in (
            game.deal["events"]
        )


def test_rc_5_a_pile_goes_on_a_corner_by_its_first_card() -> None:
    down = Played(["9H", "9D"], "6S 5H JS JC", acts={0: [move(1, 0)]})
    assert down.offered(0) == [move(1, 0), STOP]
    up = Played(["9H", "9D"], "6S 5H JS JC", acts={0: [move(0, 1)]}, merge="up")
    assert up.offered(0) == [move(0, 1), STOP]


def test_rc_5_up_the_joined_pile_ends_with_the_moved_one() -> None:
    game = Played(["5H 4S", "9H 9D"], "5D 6S JS JC", acts={0: [move(1, 0)]}, merge="up")
    assert game.offered(0) == [hand("4S", 0), hand("5H", 1), move(1, 0), STOP]
    assert hand("5H", 0) in game.offered(0, 1)
    assert game.scripts[0].seen[1]["corners"][0] == ["5D", "6S"]


def test_rc_5_no_pile_moves_to_an_empty_corner() -> None:
    game = Played(["9H 3C", "9D 8H"], "6S 5H JS JC", acts={0: [move(1, 0)]}, vacated="always")
    assert game.offered(0, 1) == [hand("3C", 1), hand("9H", 1), STOP]


def offers_after_vacating(**changes: Any) -> Played:
    """Seat 0 empties corner 1; nothing but that corner ever takes a card. Then all stop."""
    hands = ["9H 3C", "9D 8H", "9C 8D"]
    return Played(hands, "6S 5H JS JC", acts={0: [move(1, 0)]}, **changes)


@pytest.mark.parametrize(
    ("vacated", "asked", "ending"),
    [
        ("next_move", (3, 1, 1), "declined"),
        ("turn", (2, 0, 0), "blocked"),
        ("next_turn", (2, 1, 0), "declined"),
        ("always", (3, 1, 1), "declined"),
        ("never", (1, 0, 0), "blocked"),
    ],
)
def test_rc_6_how_long_a_vacated_corner_takes_any_card(
    vacated: str, asked: tuple[int, ...], ending: str
) -> None:
    game = offers_after_vacating(vacated=vacated)
    assert tuple(len(script.offered) for script in game.scripts) == asked
    assert game.row["ending"] == ending
    assert game.row["turns"] == 4  # the vacating turn, then three idle ones
    if game.scripts[1].offered:
        assert game.offered(1) == [hand("8H", 1), hand("9D", 1), STOP]


@pytest.mark.parametrize(
    ("vacated", "still"),
    [("next_move", False), ("turn", True), ("next_turn", True), ("always", True), ("never", False)],
)
def test_rc_6_another_move_ends_the_right_of_the_next_move(vacated: str, still: bool) -> None:
    acts = [move(1, 0), hand("4S", 0)]
    game = Played(["9H 4S 9D", "2S 2H 2C"], "6S 5H JS JC", acts={0: acts}, vacated=vacated)
    if still:
        assert game.offered(0, 2) == [hand("9H", 1), hand("9D", 1), STOP]
    else:
        assert len(game.scripts[0].offered) == 2


def test_rc_6_two_corners_emptied_in_one_turn() -> None:
    acts = [move(1, 0), move(2, 0)]
    offers = {}
    for vacated in ("next_move", "turn"):
        game = Played(["9H", "9D"], "6S 5H 4S JC", acts={0: acts}, vacated=vacated)
        offers[vacated] = game.offered(0, 2)
    assert offers["next_move"] == [hand("9H", 2), STOP]
    assert offers["turn"] == [hand("9H", 1), hand("9H", 2), STOP]


def test_rc_7_the_next_stock_card_is_open_at_once() -> None:
    acts = [stock("5H", 0), stock("4S", 0)]
    game = Played(["9H", "9D"], "6S 8C JS JC", "5H 4S 2H", {0: acts})
    assert game.offered(0) == [stock("5H", 0), STOP]
    assert game.offered(0, 1) == [stock("4S", 0), STOP]
    assert (game.row["stock_plays"], game.row["stock_left"]) == (2, 1)
    down = Played(["9H", "9D"], "6S 8C JS JC", "5H 4S 2H", stock_face="down")
    assert down.row["decisions"] == 0
    assert down.row["stock_left"] == 3


def test_rc_7_a_stock_card_may_go_on_a_vacated_corner() -> None:
    game = Played(["9H", "9D"], "6S 5H JS JC", "2H", {0: [move(1, 0)]})
    assert game.offered(0, 1) == [hand("9H", 1), stock("2H", 1), STOP]


def test_rc_8_only_cards_from_the_hand_bring_a_draw() -> None:
    corners, pile = "6S 8C JS JC", "5D 2H 2D"
    from_stock = Played(["9H 5H", "9D 9C"], corners, pile, {0: [stock("5D", 0)]})
    assert from_stock.row["draws"] == 0
    from_hand = Played(["9H 5H", "9D 9C"], corners, pile, {0: [hand("5H", 0)]})
    assert from_hand.acts("draw") == [(0, "draw")]
    by_pile = Played(["9H 2C", "9D 9C"], "6S 5H JS JC", "2H", {0: [move(1, 0)]})
    assert by_pile.row["draws"] == 0


def test_rc_8_every_turn_and_turn_start() -> None:
    every = Played(["9H", "9D"], "6S 8C JS JC", "2H 2D 2S", draw="every_turn")
    assert every.acts("draw", "end")[:5] == [
        (0, "draw"),
        (0, "end"),
        (1, "draw"),
        (1, "end"),
        (0, "draw"),
    ]
    assert (every.row["turns"], every.row["draws"]) == (5, 3)  # three draws, two idle turns
    start = Played(["9H", "9D"], "6S 8C JS JC", "5H 2D", {0: [hand("5H", 0)]}, draw="turn_start")
    assert start.acts("draw", "play", "end")[:3] == [(0, "draw"), (0, "play"), (0, "end")]
    assert start.row["draws"] == 2


def test_rc_8_stop_stands_before_the_draw() -> None:
    game = Played(["9H 5H", "9D 9C"], "6S 8C JS JC", "2H", draw="every_turn")
    assert [e["do"] for e in game.deal["events"][:3]] == ["stop", "draw", "end"]


def test_rc_9_the_others_go_on() -> None:
    acts = {0: [hand("5H", 0)], 1: [hand("4S", 0)], 2: [hand("3H", 0)]}
    game = Played(["5H", "4S", "3H"], "6S 8C JS JC", "2H", acts)
    assert game.acts("out") == [(0, "out"), (1, "out"), (2, "out")]
    assert (game.row["ending"], game.row["turns"]) == ("all_out", 3)


@pytest.mark.parametrize(
    ("end", "ending", "turns"),
    [("play_on", "all_out", 3), ("first_out", "first_out", 1), ("last_holder", "last_holder", 2)],
)
def test_rc_10_ends_by_going_out(end: str, ending: str, turns: int) -> None:
    acts = {0: [hand("5H", 0)], 1: [hand("4S", 0)], 2: [hand("3H", 0)]}
    game = Played(["5H", "4S", "3H"], "6S 8C JS JC", "KH", acts, end=end, stock_face="down")
    assert (game.row["ending"], game.row["turns"]) == (ending, turns)
    assert game.deal["events"][-1]["do"] == "end"


@pytest.mark.parametrize("end", ["play_on", "first_out", "last_holder"])
def test_rc_10_ends_by_stalling(end: str) -> None:
    blocked = Played(["9H", "9D"], "6S 8C JS JC", "2H", end=end)
    assert (blocked.row["ending"], blocked.row["turns"]) == ("blocked", 2)
    declined = Played(["5H", "9D"], "6S 8C JS JC", "2H", end=end)
    assert (declined.row["ending"], declined.row["turns"]) == ("declined", 2)


def test_rc_10_one_who_could_have_moved_is_enough_for_declined() -> None:
    game = Played(["9D", "5H"], "6S 8C JS JC")
    assert (game.row["ending"], game.row["turns"], game.row["decisions"]) == ("declined", 2, 1)


def test_rc_10_only_those_who_remain_must_have_been_idle() -> None:
    acts = {1: [hand("5H", 0)]}
    game = Played(["9H", "5H", "9D"], "6S 8C JS JC", "KH", acts, stock_face="down")
    assert game.acts("out", "end") == [(0, "end"), (1, "out"), (1, "end"), (2, "end"), (0, "end")]


def test_rc_11_a_king_costs_ten() -> None:
    game = Played(["KH 9H", "9D 8D"], "6S 8C JS JC")
    assert (game.row["penalty_0"], game.row["penalty_1"], game.row["kings_left_0"]) == (11, 2, 1)
    assert game.deal["scores"] == [-11, -2]
    outcome = game.record["outcome"]
    assert (outcome["win_share_0"], outcome["win_share_1"]) == (0.0, 1.0)


def test_rc_12_order_of_the_options() -> None:
    game = Played(
        ["KH 4S 4C", "9H 9D 9C"],
        "6S 5H 5D 3H",
        "4H 2C",
        {0: [move(1, 0), stock("4H", 1)]},
    )
    assert game.offered(0) == [
        hand("4S", 1),
        hand("4S", 2),
        hand("4C", 1),
        hand("4C", 2),
        move(1, 0),
        move(2, 0),
        STOP,
    ]
    assert game.offered(0, 1) == [
        hand("4S", 0),
        hand("4S", 1),
        hand("4S", 2),
        hand("4C", 0),
        hand("4C", 1),
        hand("4C", 2),
        hand("KH", 1),
        stock("4H", 1),
        STOP,
    ]
    assert stock("2C", 3) in game.offered(0, 2)
    asked = [options for script in game.scripts for options in script.offered]
    assert game.row["decisions"] == len(asked)
    assert game.row["options"] == sum(map(len, asked))


def test_rc_12_a_cap_on_turns_gives_way_to_an_ending() -> None:
    held, corners, pile = ["9H", "9D"], "6S 8C JS JC", "2H 2D"
    cut = Played(held, corners, pile, draw="every_turn", max_turns=3)
    assert (cut.row["ending"], cut.row["turns"]) == ("truncated", 3)
    assert cut.record["outcome"]["censored"] is True
    assert cut.record["outcome"]["win_share_0"] == 0.5  # two cards each: scored as it stands
    whole = Played(held, corners, pile, draw="every_turn", max_turns=4)
    assert (whole.row["ending"], whole.row["turns"]) == ("blocked", 4)
    assert whole.record["outcome"]["censored"] is False


def test_rc_14_king_corners_take_kings_and_what_follows() -> None:
    acts = [hand("KH", 6), hand("QS", 6)]
    game = Played(["KH QS 9H", "9D 8D 7D"], "6S 8C JS JC", acts={0: acts}, king_corners=4)
    assert game.offered(0) == [hand("KH", corner) for corner in (4, 5, 6, 7)] + [STOP]
    assert game.offered(0, 1) == [hand("QS", 6), STOP]
    always = Played(["9H 9C", "9D 8D"], "6S 8C JS JC", king_corners=4, vacated="always")
    assert always.row["decisions"] == 0


def test_rc_14_a_king_pile_may_move_to_a_king_corner() -> None:
    held, corners = ["9H 9C", "9D 8D"], "KS 8C JS JC"
    none = Played(held, corners, king_corners=4)
    assert none.row["decisions"] == 0
    acts = {0: [move(0, 5)]}
    game = Played(held, corners, acts=acts, king_corners=4, king_pile=True)
    assert game.offered(0) == [move(0, corner) for corner in (4, 5, 6, 7)] + [STOP]
    # It stays where it is now, and the corner that it has left takes any card (RC-6).
    assert game.offered(0, 1) == [hand("9H", 0), hand("9C", 0), STOP]


def test_rc_14_merge_up_takes_a_king_pile_off_its_corner() -> None:
    acts = {0: [hand("KH", 4), move(4, 0)]}
    game = Played(["KH 9C 9H", "9D 8D 7D"], "QS 8C JS JC", acts=acts, king_corners=4, merge="up")
    assert move(4, 0) in game.offered(0, 1)
    assert len(game.scripts[0].offered) == 2  # a king corner left empty takes no other card


def test_c_5_an_answer_that_is_no_option_stops_the_run() -> None:
    with pytest.raises(ValueError, match=r"game 0, seat 0, policy script0.*C-5"):
        Played(["5H", "9D"], "6S 8C JS JC", acts={0: [hand("5H", 3)]})
