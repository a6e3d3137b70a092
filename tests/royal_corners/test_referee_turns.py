"""At least three mutations a clause, each refused under that clause: RC-1, RC-2, RC-8 to RC-13.

A scene is played by a script that may hold one illegal act; all that follows from it is
consistent. ``relabel`` puts other options into the rules than those that were played.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest

import simlib
from simlib.games.royal_corners.referee import check

from .mutations import Change, altered, event_at, inserted, refused, without
from .table_player import Record, random_record, relabel, scene

# RC-1 Deal


def test_rc_1_hands_corners_and_sizes() -> None:
    record = random_record(1, 3)
    refused(altered(record, lambda d: d["stock"].insert(0, d["hands"][0].pop())), "RC-1")
    refused(altered(record, lambda d: d["hands"][1].append(d["stock"].pop())), "RC-1")
    refused(altered(record, lambda d: d["hands"][1].append(d["hands"][2].pop())), "RC-1")
    corners: Change = lambda d: d["table"]["corners"][2].append(d["stock"].pop(0))  # noqa: E731
    refused(altered(record, corners), "RC-1")
    empty: Change = lambda d: d["stock"].insert(0, d["table"]["corners"][3].pop())  # noqa: E731
    refused(altered(record, empty), "RC-1")
    fewer: Change = lambda d: d["stock"].extend(d["table"]["corners"].pop())  # noqa: E731
    refused(altered(record, fewer), "RC-1")


def test_rc_1_hand_size() -> None:
    assert check(random_record(1, 3, hand_size=16)) is None
    refused(relabel(random_record(1, 3, hand_size=6), hand_size=None), "RC-1")
    refused(relabel(random_record(1, 3), hand_size=8), "RC-1")
    refused(relabel(random_record(1, 3), hand_size=17), "RC-1")
    assert check(relabel(random_record(1, 3), hand_size=7)) is None


# RC-2 Turn


def test_rc_2_who_acts() -> None:
    hands = ["2S 9D", "2D 8D", "2C 7D"]
    corners = "TS 9S 8S 5C"
    assert check(scene(hands, corners, "9D>0", "8D>1", "7D>2")) is None
    wrong_start = scene(hands, corners, "8D>1", "7D>2", first=1)
    wrong_start["deals"][0]["first"] = 0
    refused(wrong_start, "RC-2")
    refused(scene(hands, corners, "9D>0", "7D>2", order=-1), "RC-2")
    refused(altered(random_record(1, 4), lambda d: d["events"][0].update(seat=2)), "RC-2")
    refused(scene(hands, corners, "stop", "8D>1", order=0), "RC-2")  # seat 0 plays again


def test_rc_2_no_move_after_stop() -> None:
    record = scene(["2S 9D", "2D 8D"], "TS 9S 8S 5C", "stop", "8D>1", "9D>0")
    play = {"card": "9D", "from": "hand", "to": 0}
    refused(inserted(record, 1, 0, "play", **play), "RC-2")


def test_rc_2_option_starter_changes_nothing() -> None:
    record = random_record(1, 4)
    assert check(relabel(record, starter="left")) is None


# RC-8 Draw

DRAW_HANDS, DRAW_CORNERS = ["9S 2S", "2D 3S"], "TH 4D 5H 6C"


def test_rc_8_after_play() -> None:
    record = scene(DRAW_HANDS, DRAW_CORNERS, "9S>0", "3S>1 stop", stock="QS QC")
    refused(without(record, "draw"), "RC-8")
    refused(
        altered(record, lambda d: d["events"][event_at(record, "draw")].update(card="QC")), "RC-8"
    )
    place = event_at(record, "draw") + 1
    refused(inserted(record, place, 0, "draw", card="QC"), "RC-8")
    # Neither a card from the stock nor a pile is a card from his hand.
    for corners, script in ((DRAW_CORNERS, "*9C>0"), ("TH 4D 5H 3C", "3>1")):
        played = scene(DRAW_HANDS, corners, script, stock="9C QS", draw="every_turn", max_turns=1)
        refused(relabel(played, draw="after_play"), "RC-8")
    passing = scene(["2S 2C", "2D 3D"], "TH 4D 5H 6C", stock="QS", draw="every_turn")
    refused(relabel(passing, draw="after_play"), "RC-8")


def test_rc_8_every_turn() -> None:
    record = scene(DRAW_HANDS, DRAW_CORNERS, "9S>0", "stop", stock="QS QC", draw="every_turn")
    assert check(record) is None
    refused(relabel(scene(DRAW_HANDS, DRAW_CORNERS, "stop"), draw="every_turn"), "RC-8")
    refused(without(record, "draw", 1), "RC-8")
    refused(relabel(record, draw="turn_start"), "RC-8")
    refused(
        altered(record, lambda d: d["events"][event_at(record, "draw", 1)].update(card="KS")),
        "RC-8",
    )


def test_rc_8_turn_start() -> None:
    record = scene(DRAW_HANDS, DRAW_CORNERS, "9S>0", "stop", stock="QS QC", draw="turn_start")
    assert check(record) is None
    assert record["deals"][0]["events"][0] == {"seat": 0, "do": "draw", "card": "QS"}
    refused(without(record, "draw"), "RC-8")
    refused(without(record, "draw", 1), "RC-8")
    refused(inserted(record, 1, 0, "draw", card="QC"), "RC-8")
    refused(relabel(record, draw="every_turn", stock_face="down"), "RC-12")  # no stop before it
    passing = scene(["2S 2C", "2D 3D"], "TH 4D 5H 6C", stock="QS", draw="turn_start")
    refused(relabel(passing, draw="after_play"), "RC-8")


def test_rc_8_the_draw_ends_the_turn() -> None:
    hands, corners = ["9S 2S", "2D 3C"], "TH 4D 5H 6C"
    record = scene(hands, corners, "9S>0", stock="QC 8H", stock_face="down", draw="every_turn")
    place = event_at(record, "draw", 0) + 1
    play = {"card": "2S", "from": "hand", "to": 0}
    refused(inserted(record, place, 0, "play", **play), "RC-8")
    # A card that only the draw brings asks for no stop.
    brought = scene(
        ["2S 2C", "7D 7S"], "TH 4D 5D 7C", stock="9C QS", stock_face="down", draw="every_turn"
    )
    assert [event["do"] for event in brought["deals"][0]["events"][:2]] == ["draw", "end"]
    assert check(brought) is None
    refused(inserted(brought, 1, 0, "stop"), "RC-12")


# RC-9 Out

OUT_HANDS, OUT_CORNERS = ["9S", "2D", "2S"], "TH 4D 5H 4C"


def test_rc_9_out() -> None:
    record = scene(OUT_HANDS, OUT_CORNERS, "9S>0", stock="QS QC")
    refused(without(record, "out"), "RC-9")
    refused(inserted(record, 1, 0, "draw", card="QS"), "RC-9")
    refused(inserted(record, 2, 0, "draw", card="QS"), "RC-9")
    refused(inserted(record, 1, 0, "stop"), "RC-9")
    refused(inserted(record, 2, 0, "out"), "RC-9")
    refused(inserted(record, 1, 0, "move", **{"from": 3, "to": 2}), "RC-9")
    refused(inserted(record, event_at(record, "end", 1), 1, "out"), "RC-9")


def test_rc_9_no_more_acts_of_who_is_out() -> None:
    refused(scene(OUT_HANDS, OUT_CORNERS, "9S>0 3>2"), "RC-9")
    refused(scene(OUT_HANDS, OUT_CORNERS, "9S>0 *8D>0", stock="8D"), "RC-9")
    record = scene(OUT_HANDS, OUT_CORNERS, "9S>0", stock="QS QC")
    last = len(record["deals"][0]["events"]) - 1
    refused(altered(record, lambda d: d["events"][last].update(seat=0)), "RC-9")


# RC-10 End


def test_rc_10_blocked_and_declined() -> None:
    blocked = scene(["2S 9S", "2C 9C"], "4S 4C 8S 8C", stock_face="down")
    declined = scene(["2S 9D", "2C 9C"], "TS 4C 8S 8C", stock_face="down")
    lapsed = scene(["9D 2S", "9C 2C"], "TS 4C 4S 8H", "9D>0", stock="KS", stock_face="down")
    for record, ending in ((blocked, "blocked"), (declined, "declined"), (lapsed, "blocked")):
        assert record["deals"][0]["ending"] == ending
        for other in {"blocked", "declined", "all_out", "first_out", "endless"} - {ending}:
            refused(altered(record, lambda d, other=other: d.update(ending=other)), "RC-10")  # type: ignore[misc]


def test_rc_10_neither_too_early_nor_too_late() -> None:
    record = scene(["9D 2S", "2H 9C", "3S 7D"], "TS 4C 8S 8C", "9D>0", stock_face="down")
    events = record["deals"][0]["events"]
    before = event_at(record, "end", record["outcome"]["turns"] - 2) + 1
    refused(altered(record, lambda d: d.update(events=events[:before])), "RC-10")
    after = [{"seat": record["outcome"]["turns"] % 3, "do": "end"}]
    refused(altered(record, lambda d: d.update(events=events + after)), "RC-10")
    refused(altered(record, lambda d: d.update(events=[])), "RC-10")


def test_rc_10_option_end() -> None:
    hands, corners = ["9S", "8D", "7C"], "TH 2D 2H 2C"
    script = ("9S>0", "8D>0", "7C>0")
    for end, ending in (
        ("play_on", "all_out"),
        ("first_out", "first_out"),
        ("last_holder", "last_holder"),
    ):
        record = scene(hands, corners, *script, end=end)
        assert record["deals"][0]["ending"] == ending
        assert check(record) is None
        for other in {"play_on", "first_out", "last_holder"} - {end}:
            refused(relabel(record, end=other), "RC-10")
    two = scene(hands[:2], corners, "9S>0", end="last_holder")
    assert check(two) is None
    refused(altered(two, lambda d: d.update(ending="first_out")), "RC-10")
    stalled = scene(["2S 9S", "2C 9C"], "4S 4C 8S 8C", stock_face="down", end="first_out")
    assert check(stalled) is None


# RC-11 Penalty and match


def test_rc_11_scores_and_winners_of_a_deal() -> None:
    record = scene(["KS 2S", "2D 3H"], "TH 4D 5H 6C")
    assert record["deals"][0]["scores"] == [-11, -2]
    for scores in ([11, 2], [-20, -2], [-2, -2], [-2, -11]):
        refused(altered(record, lambda d, new=scores: d.update(scores=new)), "RC-11")  # type: ignore[misc]
    for shares in ((1.0, 0.0), (0.5, 0.5), (0.0, 0.0), (0, True)):
        changed = copy.deepcopy(record)
        changed["outcome"] |= {"win_share_0": shares[0], "win_share_1": shares[1]}
        refused(changed, "RC-11")
    tied = scene(["2C 2S", "2D 3H"], "TH 4D 5H 6C")
    assert tied["outcome"]["win_share_0"] == 0.5
    assert check(tied) is None


def match(**options: Any) -> Record:
    record = random_record(6, 3, "match", target=40, **options)
    assert check(record) is None
    return record


def test_rc_11_where_a_match_ends() -> None:
    record = match()
    totals = [record["outcome"][f"total_{seat}"] for seat in range(3)]
    refused(relabel(record, target=max(totals) + 1), "RC-11")
    refused(relabel(record, target=1), "RC-11")
    assert check(relabel(record, target=max(totals))) is None
    shorter = copy.deepcopy(record)
    shorter["deals"].pop()
    refused(shorter, "RC-11")
    longer = copy.deepcopy(record)
    longer["deals"].append(random_record(6, 3)["deals"][0])
    refused(longer, "RC-11")
    capped = match(max_deals=1)
    assert capped["outcome"]["ending"] == "censored"
    refused(relabel(capped, max_deals=2), "RC-11")
    # Reaching the target in the last deal allowed completes the match.
    assert check(relabel(record, max_deals=len(record["deals"]))) is None
    refused(relabel(record, max_deals=len(record["deals"]) - 1), "RC-11")


def test_rc_11_winners_and_losers_of_a_match() -> None:
    record, capped = match(), match(max_deals=1)
    loser = max(range(3), key=lambda seat: record["outcome"][f"total_{seat}"])
    for row, column, value in (
        (record, f"loser_{loser}", False),
        (record, f"loser_{(loser + 1) % 3}", True),
        (record, f"win_share_{loser}", 1.0),
        (record, "ending", "censored"),
        (record, "ending", "limit"),
        (record, "censored", True),
        (capped, "win_share_0", 1.0),
        (capped, "loser_0", True),
        (capped, "ending", "complete"),
        (capped, "censored", False),
    ):
        changed = copy.deepcopy(row)
        changed["outcome"][column] = value
        refused(changed, "RC-11")


def test_rc_11_the_lowest_total_wins_even_at_the_target() -> None:
    rules: dict[str, Any] = {"target": 1, "max_deals": 3}
    record = random_record(2, 4, "match", **rules)
    totals = [record["outcome"][f"total_{seat}"] for seat in range(4)]
    assert min(totals) >= 1
    assert [record["outcome"][f"loser_{seat}"] for seat in range(4)] == [
        total > min(totals) for total in totals
    ]
    assert check(record) is None


# RC-12 Options of a decision, and the guard


def test_rc_12_stop_stands_where_a_move_was_possible() -> None:
    record = scene(["9D 2S", "2H 9C"], "TS 4C 8S 8C", "9D>0", stock="QS QD")
    moving = scene(["9D 2S", "2H 9C"], "TS 4C 8S 8C", "stop", stock_face="down")
    refused(without(moving, "stop"), "RC-12")
    refused(inserted(record, event_at(record, "draw"), 0, "stop"), "RC-12")
    refused(inserted(record, event_at(record, "end", 1), 1, "stop"), "RC-12")
    refused(inserted(moving, 1, 0, "stop"), "RC-12")
    drawing = scene(["9D 2S", "2H 9C"], "TS 4C 8S 8C", "stop", stock="QS", draw="every_turn")
    refused(without(drawing, "stop"), "RC-12")
    # What only the stock, a pile or an emptied corner allows is a move as well.
    for hands, corners, script, stock in (
        (["2S 2D", "3S 3D"], "TS 5C 8S 8C", "!", "9D"),
        (["2S 2D", "3S 3D"], "TS 9D 5S 5C", "!", "QS"),
        (["2S 2D", "3S 3D"], "TS 9D 5S 5C", "1>0 !", "QS"),
    ):
        refused(scene(hands, corners, script, stock=stock), "RC-12")


def test_rc_12_decisions_and_options() -> None:
    # 0>1, then 9D and 9H on either empty corner or the open stock card 8C there, or stop.
    record = scene(["9D 9H", "3S 3D"], "JS QH TD 5C", "0>1 stop", stock="8C", max_turns=1)
    # First point: 0>1, 2>0, stop. Second: 9D, 9H, 8C on corner 0, 2>1, stop.
    assert record["outcome"]["decisions"] == 2
    assert record["outcome"]["options"] == 3 + 5
    assert check(record) is None


def test_rc_12_max_turns() -> None:
    record = random_record(3, 4, draw="every_turn")
    turns = record["outcome"]["turns"]
    assert check(relabel(record, max_turns=turns)) is None  # RC-10 goes first on that turn
    refused(relabel(record, max_turns=turns - 1), "RC-12")
    refused(relabel(record, max_turns=1), "RC-12")
    refused(altered(record, lambda d: d.update(ending="truncated")), "RC-12")
    cut = random_record(3, 4, draw="every_turn", max_turns=5)
    assert cut["deals"][0]["ending"] == "truncated"
    assert cut["outcome"]["censored"] is True
    assert check(cut) is None
    refused(relabel(cut, max_turns=6), "RC-12")
    refused(altered(cut, lambda d: d.update(ending="blocked")), "RC-12")


# RC-13 Outcome


def test_rc_13_the_programs_own_columns_are_right_or_absent() -> None:
    for end in ("play_on", "last_holder"):
        played = (
            simlib.replay("royal-corners", index=index, rules={"end": end}) for index in range(2000)
        )
        record = next(one for one in played if one["outcome"]["someone_out"])
        assert check(dict(record)) is None
        for key in ("out_order_0", "out_order_3", "first_out_turn"):
            changed = copy.deepcopy(dict(record))
            for value in ([], {}, -2, 2**70, None, "x"):
                changed["outcome"][key] = value
                refused(changed, "RC-13")
            del changed["outcome"][key]
            assert check(changed) is None


@pytest.mark.parametrize("unit", ["deal", "match"])
def test_rc_13_every_column(unit: str) -> None:
    record = random_record(8, 3, unit, draw="every_turn", target=5)
    assert check(record) is None
    judged = {"win_share"} if unit == "deal" else {"win_share", "loser", "ending", "censored"}
    for column, value in record["outcome"].items():
        changed = copy.deepcopy(record)
        changed["outcome"][column] = not value if isinstance(value, bool) else "blocking"
        clause = "RC-11" if column.rstrip("_012") in judged else "RC-13"
        refused(changed, clause)
        if isinstance(value, int) and not isinstance(value, bool):
            changed["outcome"][column] = value + 1
            refused(changed, "RC-13")
        del changed["outcome"][column]
        refused(changed, "RC-13")
