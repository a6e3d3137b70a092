"""The slow engine of Royal Corners: matches, streams, records, and figures seen elsewhere."""

from __future__ import annotations

import json
from math import sqrt
from statistics import mean, stdev
from typing import Any

from .royal_corners import DEFAULTS, play
from .royal_corners_deal import PACK, STOP, Deal, Option
from .streams import Stream


def match_of_blocked_deals(hands: list[str], **changes: Any) -> dict[str, Any]:
    """Every deal is the same and nobody can move; ``hands`` are by place in the turn order."""
    held = [hand.split() for hand in hands]
    dealt = [card for round_ in zip(*held, strict=True) for card in round_]
    deck = [*dealt, "6S", "8C", "JS", "JC"]
    result = play(
        players=len(held),
        unit="match",
        rules={**DEFAULTS, "hand_size": len(held[0]), **changes},
        policies=["random"] * len(held),
        seed=3,
        index=1,
        deck=dict.fromkeys(range(200), deck),
    )
    deals = result["record"]["deals"]
    assert [deal["first"] for deal in deals] == [d % 2 for d in range(len(deals))]
    outcome: dict[str, Any] = result["record"]["outcome"]
    assert outcome["deals"] == len(result["deals_rows"])
    return outcome


def test_rc_11_a_match_ends_at_the_target() -> None:
    # 11 and 2 in turn: 11-2, 13-13, 24-15, 26-26, 37-28, 39-39, 50-41
    outcome = match_of_blocked_deals(["KH 9H", "9D 8D"])
    assert (outcome["ending"], outcome["deals"]) == ("complete", 7)
    assert (outcome["total_0"], outcome["total_1"]) == (50, 41)
    assert (outcome["loser_0"], outcome["loser_1"]) == (True, False)
    assert (outcome["win_share_0"], outcome["win_share_1"]) == (0.0, 1.0)
    assert outcome["censored"] is False


def test_rc_11_the_lowest_total_wins_even_beyond_the_target() -> None:
    outcome = match_of_blocked_deals(["KH 9H", "9D 8D"], target=2, max_deals=1)
    assert (outcome["ending"], outcome["total_1"]) == ("complete", 2)
    assert (outcome["loser_0"], outcome["loser_1"]) == (True, False)
    tie = match_of_blocked_deals(["QH 9H", "9D 8D"], target=2)
    assert (tie["win_share_0"], tie["loser_0"], tie["loser_1"]) == (0.5, False, False)


def test_rc_11_a_match_stopped_by_the_cap_has_no_winner() -> None:
    outcome = match_of_blocked_deals(["KH 9H", "9D 8D"], max_deals=6)
    assert (outcome["ending"], outcome["censored"], outcome["deals"]) == ("censored", True, 6)
    assert outcome["win_share_0"] == outcome["win_share_1"] == 0.0
    assert not outcome["loser_0"]
    assert not outcome["loser_1"]


def random_game(index: int, players: int = 2, **changes: Any) -> dict[str, Any]:
    return play(
        players=players,
        rules={**DEFAULTS, **changes},
        policies=["random"] * players,
        seed=17,
        index=index,
    )


def test_c_4_the_deck_depends_on_nothing_but_seed_game_and_deal() -> None:
    def deck(result: dict[str, Any], players: int) -> list[str]:
        deal = result["record"]["deals"][0]
        hands: list[list[str]] = deal["hands"]
        dealt = [hands[k % players][k // players] for k in range(7 * players)]
        stock: list[str] = deal["stock"]
        return dealt + [pile[0] for pile in deal["table"]["corners"][:4]] + stock

    decks = [deck(random_game(3, players), players) for players in (2, 3, 4)]
    decks.append(deck(random_game(3, king_corners=4, vacated="always"), 2))
    assert all(other == decks[0] for other in decks)
    assert sorted(decks[0]) == sorted(PACK)


def test_c_4_play_seed_changes_the_play_and_not_the_deal() -> None:
    rules = {**DEFAULTS, "draw": "every_turn"}
    games = [
        play(players=2, rules=rules, policies=["random"] * 2, seed=9, play_seed=p, index=0)
        for p in (None, 9, 10)
    ]
    records = [game["record"] for game in games]
    assert records[0] == records[1]
    assert records[2]["play_seed"] == 10
    assert records[2]["deals"][0]["hands"] == records[0]["deals"][0]["hands"]
    assert records[2]["deals"][0]["events"] != records[0]["deals"][0]["events"]


def test_c_4_seat_streams_start_afresh_at_every_deal() -> None:
    drawn: dict[tuple[tuple[int, ...], int], int] = {}  # by totals before the deal, and seat

    def draw_and_stop(options: list[Option], info: dict[str, Any]) -> Option:
        number = info["below"](2**32)
        drawn.setdefault((tuple(info["totals"]), info["seat"]), number)
        return STOP

    result = play(
        players=2,
        unit="match",
        rules=DEFAULTS,
        policies=["drawer"] * 2,
        seed=6,
        play_seed=7,
        index=2,
        deciders={"drawer": draw_and_stop},
    )
    totals = (0, 0)
    expected = {}
    for number, row in enumerate(result["deals_rows"]):
        for seat in (0, 1):
            expected[totals, seat] = Stream(7, 2, 16 + seat, number).below(2**32)
        totals = (totals[0] + row["penalty_0"], totals[1] + row["penalty_1"])
    assert len(drawn) > 2
    assert drawn.items() <= expected.items()


def test_c_4_the_deck_of_a_later_deal() -> None:
    record = play(
        players=2, unit="match", rules=DEFAULTS, policies=["random"] * 2, seed=6, index=2
    )["record"]
    for number, deal in enumerate(record["deals"]):
        deck = [rank + suit for rank in "23456789TJQKA" for suit in "SHDC"]
        Stream(6, 2, 1, number).shuffle(deck)
        first = deal["first"]
        assert first == number % 2
        assert deal["hands"][first] == deck[0:14:2]
        assert deal["hands"][1 - first] == deck[1:14:2]
        assert [pile[0] for pile in deal["table"]["corners"]] == deck[14:18]
        assert deal["stock"] == deck[18:]


def test_c_7_every_card_is_in_one_place_at_every_moment() -> None:
    def watch(deal: Deal) -> None:
        cards = [card for pile in (*deal.hands, *deal.corners, deal.stock) for card in pile]
        assert sorted(cards) == sorted(PACK)

    cases: list[tuple[int, str, dict[str, Any]]] = [
        (2, "deal", {"draw": "every_turn"}),
        (3, "deal", {"draw": "turn_start", "merge": "up", "vacated": "always"}),
        (4, "match", {"king_corners": 4, "king_pile": True, "end": "first_out"}),
        (2, "match", {"vacated": "next_turn", "first": "rotate"}),
    ]
    for index, (players, unit, changes) in enumerate(cases):
        play(
            players=players,
            unit=unit,
            rules={**DEFAULTS, **changes},
            policies=["random", "eager", "random", "eager"][:players],
            seed=2,
            index=index,
            watch=watch,
        )


def test_c_10_a_record_is_complete_and_plain_json() -> None:
    result = random_game(0, 3, draw="every_turn")
    record = result["record"]
    assert json.loads(json.dumps(record)) == record
    assert set(record["rules"]) == set(DEFAULTS)
    assert record["uses_chance"] == [True, True, True]
    row = result["deals_rows"][0]
    assert {key: record["outcome"][key] for key in row} == row
    deal = record["deals"][0]
    done = [event["do"] for event in deal["events"]]
    plays = [event["from"] for event in deal["events"] if event["do"] == "play"]
    assert row["turns"] == done.count("end")
    assert row["draws"] == done.count("draw")
    assert row["pile_moves"] == done.count("move")
    assert row["hand_plays"] == plays.count("hand")
    assert row["stock_plays"] == plays.count("stock")
    # every card but the corners was held or in the stock, and was played, or was left
    left = sum(row[f"cards_left_{seat}"] for seat in range(3)) + row["stock_left"]
    assert left == 48 - len(plays)


def test_eager_never_stops() -> None:
    for index in range(20):
        result = play(players=2, rules=DEFAULTS, policies=["eager"] * 2, seed=4, index=index)
        deal = result["record"]["deals"][0]
        assert "stop" not in [event["do"] for event in deal["events"]]
        assert deal["ending"] != "declined"


def assert_mean(values: list[float], seen: float) -> None:
    """Within four standard errors of a figure that was printed with one decimal."""
    error = stdev(values) / sqrt(len(values))
    assert abs(mean(values) - seen) < 4 * error + 0.05


def test_two_random_players_end_early_under_the_defaults() -> None:
    rows = [random_game(index)["deals_rows"][0] for index in range(1500)]
    assert_mean([row["turns"] for row in rows], 4.4)
    assert_mean([row["stock_left"] for row in rows], 31.9)


def test_two_random_players_use_the_stock_up_with_every_turn() -> None:
    rows = [random_game(index, draw="every_turn")["deals_rows"][0] for index in range(300)]
    assert_mean([row["turns"] for row in rows], 34.6)
    assert all(row["stock_left"] == 0 for row in rows)
