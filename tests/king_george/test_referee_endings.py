"""The referee of King George III on who wins, endings, the outcome and the shape of a record."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from simlib.games.king_george.referee import check
from tests.king_george.referee_player import Player
from tests.king_george.referee_records import (
    Record,
    fault,
    game,
    lines,
    refused,
    search,
    swap,
    told,
    with_changes,
    without,
)

# KG-10 to KG-12: who wins, deadlock, endless play


def test_kg_10_case_8_playoff() -> None:
    def two_of_three(record: Record) -> bool:
        return len(record["deals"]) > 1 and len(record["deals"][1]["seats"]) == 2

    record = search(two_of_three, 3)
    second = record["deals"][1]
    assert [len(hand) for hand in second["hands"]] == [13, 13]
    third = ({0, 1, 2} - set(second["seats"])).pop()
    assert record["deals"][0]["scores"][third] < 0
    assert record["outcome"][f"win_share_{third}"] == 0
    assert fault(record) is None
    other = next(seat for seat in second["seats"] if seat != second["first"])
    assert fault(with_changes(record, "deals.1.first", other)) == "KG-10"
    assert fault(with_changes(record, "deals.1.first", third)) == "KG-10"
    assert fault(with_changes(record, "deals.1.seats", [0, 1, 2])) == "KG-10"
    assert fault(with_changes(record, "deals.1.seats", second["seats"][::-1])) == "C-10"
    assert fault(with_changes(record, "deals", record["deals"][:1])) == "KG-10"
    twice = [*record["deals"], with_changes(second, "deal", len(record["deals"]))]
    assert fault(with_changes(record, "deals", twice)) == "KG-10"
    assert fault(with_changes(record, "rules.out_tie", "share")) == "KG-10"
    assert fault(with_changes(record, "rules.max_playoffs", 0)) == "KG-10"


def test_kg_10_first_of_each_playoff_is_clockwise_after_the_last() -> None:
    record = game(["5H", "6S", "7D", "7C"])
    assert len(record["deals"]) > 2
    firsts = [deal["first"] for deal in record["deals"]]
    assert firsts[:2] == [0, 1]
    assert fault(record) is None


def test_kg_10_shared_and_censored() -> None:
    shared = game(["5H", "6S", "9D"], out_tie="share")
    assert [shared["outcome"][f"win_share_{seat}"] for seat in range(3)] == [0.5, 0.5, 0]
    assert not shared["outcome"]["censored"]
    assert fault(shared) is None
    capped = game(["5H", "6S", "9D"], max_playoffs=0)
    assert capped["outcome"]["censored"]
    assert fault(capped) is None
    assert fault(with_changes(capped, "rules.out_tie", "share")) == "KG-14"


def test_kg_10_endless_playoff_is_shared() -> None:
    def endless_later(record: Record) -> bool:
        return record["outcome"]["final_ending"] == "endless" and len(record["deals"]) > 1

    record = search(endless_later, 2, 900)
    assert record["outcome"]["censored"]
    assert record["outcome"]["win_share_0"] == 0.5
    assert fault(record) is None
    assert fault(with_changes(record, "outcome.censored", False)) == "KG-14"


def deadlock(**rules: Any) -> Record:
    def wanted(record: Record) -> bool:
        return record["outcome"]["ending"] == "deadlock"

    return search(wanted, 2, rules={"recycle": "none"} | rules)


def test_kg_11_deadlock() -> None:
    record = deadlock()
    assert [text[2:] for text in told(record)[-4:]] == ["pass", "end", "pass", "end"]
    assert fault(record) is None
    early = with_changes(record, "deals.0.events", record["deals"][0]["events"][:-2])
    assert fault(early) == "KG-11"
    late = copy.deepcopy(record)
    late["deals"][0]["events"] += late["deals"][0]["events"][-4:-2]
    assert fault(late) == "KG-11"
    for other in ("out", "endless", "truncated"):
        assert fault(with_changes(record, "deals.0.ending", other)) == "KG-11"


def test_kg_11_ties() -> None:
    def tied(record: Record) -> bool:
        scores = record["deals"][0]["scores"]
        return record["outcome"]["ending"] == "deadlock" and scores[0] == scores[1]

    shared = search(tied, rules={"recycle": "none"}, games=2000)
    assert shared["outcome"]["win_share_0"] == 0.5
    assert fault(shared) is None
    assert fault(with_changes(shared, "rules.deadlock_tie", "playoff")) == "KG-11"
    again = search(tied, rules={"recycle": "none", "deadlock_tie": "playoff"}, games=2000)
    assert len(again["deals"]) > 1
    assert fault(again) is None
    assert fault(with_changes(again, "rules.deadlock_tie", "share")) == "KG-11"


def test_kg_12_orphans() -> None:
    record = search(lambda record: record["outcome"]["proof"] == "orphans")
    assert fault(record) is None
    assert min(record["outcome"]["orphans_0"], record["outcome"]["orphans_1"]) > 0
    assert fault(with_changes(record, "deals.0.proof", "cycle")) == "KG-12"
    assert fault(with_changes(record, "deals.0.cycle_of", 3)) == "KG-12"
    assert fault(without(record, "deals.0.proof")) == "KG-12"
    assert fault(with_changes(record, "deals.0.ending", "truncated")) == "KG-12"
    events = record["deals"][0]["events"]
    ends = [at for at, event in enumerate(events) if event["do"] == "end"]
    early = with_changes(record, "deals.0.events", events[: ends[-2] + 1])
    assert fault(early) == "KG-12"


def test_kg_12_nobody_may_be_out_for_a_proof() -> None:
    record = search(lambda record: record["outcome"]["ending"] == "out")
    claimed = with_changes(record, "deals.0.ending", "endless")
    claimed["deals"][0]["proof"] = "orphans"
    assert fault(claimed) == "KG-9"
    assert fault(with_changes(record, "deals.0.proof", None)) == "C-10"


def cycle() -> Record:
    return search(lambda record: record["outcome"]["proof"] == "cycle", policies="first")


def test_kg_12_cycle() -> None:
    record = cycle()
    turn = record["deals"][0]["cycle_of"]
    assert fault(record) is None
    for other in (turn - 2, turn + 1, -1, None, True, float(turn), str(turn)):
        assert fault(with_changes(record, "deals.0.cycle_of", other)) == "KG-12"
    assert fault(without(record, "deals.0.cycle_of")) == "KG-12"
    assert fault(with_changes(record, "deals.0.proof", "orphans")) == "KG-12"
    assert fault(with_changes(record, "deals.0.proof", ["cycle"])) == "KG-12"


def test_kg_12_cycle_needs_streams_unmoved() -> None:
    record = cycle()
    deal = record["deals"][0]
    number, deciders = -1, set()
    for before, event in zip(deal["events"], deal["events"][1:], strict=False):
        number += before["do"] == "end"
        if number + 1 >= deal["cycle_of"] and before["do"] == event["do"] == "play":
            deciders.add(event["seat"])
    assert deciders  # a run within the cycle: at each card of it there was a choice
    seat = deciders.pop()
    # `random` moves its stream at each decision: no cycle. Another that uses chance may not have.
    moved = with_changes(record, f"policies.{seat}", "random")
    assert fault(with_changes(moved, f"uses_chance.{seat}", True)) == "KG-12"
    assert fault(with_changes(record, f"uses_chance.{seat}", True)) is None


def test_kg_12_cycle_is_demanded_only_where_certain() -> None:
    class NoCycles(Player):
        def repeats(self, deal: Any) -> bool:
            return False

    def repeating(record: Record) -> bool:
        return record["outcome"]["ending"] == "truncated"

    players = (NoCycles(2, {"max_turns": 200}, policies="first", seed=seed) for seed in range(100))
    record = next(found for player in players if repeating(found := player.play()))
    assert fault(record) == "KG-12"
    unsure = with_changes(record, "uses_chance", [True, True])
    assert fault(unsure) is None
    assert fault(with_changes(unsure, "policies", ["random", "random"])) is None


def test_kg_12_max_turns() -> None:
    record = search(
        lambda record: record["outcome"]["ending"] == "truncated", rules={"max_turns": 9}
    )
    assert record["outcome"]["censored"]
    assert fault(record) is None
    assert fault(with_changes(record, "rules.max_turns", 10)) == "KG-12"
    assert fault(with_changes(record, "rules.max_turns", 8)) == "KG-12"
    assert fault(with_changes(record, "deals.0.ending", "deadlock")) == "KG-12"


def test_kg_12_out_on_the_last_turn_goes_first() -> None:
    record = game(["5H", "6S"])
    turns = record["outcome"]["turns"]
    assert turns == 2
    assert fault(game(["5H", "6S"], max_turns=2)) is None
    cut = game(["5H", "6S"], max_turns=1)
    assert (cut["outcome"]["ending"], cut["outcome"]["winner"]) == ("truncated", -1)
    assert cut["outcome"]["first_out"] == 0
    assert fault(cut) is None


def test_kg_12_fewest() -> None:
    def won(record: Record) -> bool:
        outcome = record["outcome"]
        return outcome["ending"] == "endless" and outcome["winner"] >= 0

    record = search(won, rules={"endless": "fewest"})
    assert fault(record) is None
    assert fault(with_changes(record, "rules.endless", "none")) == "KG-14"


# KG-13, KG-14, and the conventions


def test_kg_13_options_are_counted() -> None:
    record = game(["5H 6C 9C", "6S 7D 9H"], "", "5H stop")
    assert lines(record, 5) == "0 play 5H, 0 end, 1 play 6S, 1 stop, 1 end"
    assert fault(record) is None
    assert refused(record, "0 play 5H, 0 end", "0 play 5H, 0 stop, 0 end") == "KG-13"
    for key in ("decisions", "options"):
        more = record["outcome"][key] + 1
        assert fault(with_changes(record, f"outcome.{key}", more)) == "KG-14"


def test_kg_14_every_column() -> None:
    for record in (cycle(), deadlock(), game(["5H", "6S", "9D"])):
        for key, value in record["outcome"].items():
            assert fault(without(record, f"outcome.{key}")) == "KG-14"
            wrong = "?" if isinstance(value, str) or value is None else value + 1
            for other in (wrong, [value], {}, f"{value} ", None if value is not None else 0):
                assert fault(with_changes(record, f"outcome.{key}", other)) == "KG-14"


def test_kg_14_strange_columns_are_left_alone() -> None:
    record = Player(2).play()
    assert fault(with_changes(record, "outcome.cards_left_4", -1)) is None
    assert fault(with_changes(record, "outcome.first", 0)) is None
    assert fault(with_changes(record, "outcome.first", 1)) == "KG-14"


def test_c_1_cards() -> None:
    record = Player(2).play()
    for wrong in ("10H", "2h", "2", "X1", "", 5, None, ["2H"]):
        assert fault(with_changes(record, "deals.0.hands.0.0", wrong)) == "C-1"
        assert fault(with_changes(record, "deals.0.stock.0", wrong)) == "C-1"
        assert fault(with_changes(record, "deals.0.events.0.card", wrong)) == "C-1"


def test_c_2_seats_and_turns() -> None:
    record = Player(3).play()
    assert fault(with_changes(record, "deals.0.seats", [0, 1])) == "C-2"
    assert fault(with_changes(record, "deals.0.events.0.seat", 1)) == "C-2"
    assert fault(with_changes(record, "deals.0.events.0.seat", 3)) == "C-2"


def test_c_3_first() -> None:
    rotated = Player(3, {"first": "rotate"}, index=4).play()
    assert rotated["deals"][0]["first"] == 1
    assert fault(rotated) is None
    assert fault(with_changes(rotated, "index", 5)) == "C-3"
    assert fault(with_changes(Player(3).play(), "deals.0.first", 1)) == "C-3"


def test_c_7_every_card_once() -> None:
    record = Player(2).play()
    deal = record["deals"][0]
    assert fault(with_changes(record, "deals.0.hands.0.0", deal["stock"][0])) == "C-7"
    assert fault(with_changes(record, "deals.0.hands.0.0", deal["hands"][0][1])) == "C-7"
    assert fault(with_changes(record, "deals.0.stock", deal["stock"][1:])) == "C-7"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("format", "simlib-record/2"),
        ("game", "king"),
        ("variety", "simple"),
        ("players", 6),
        ("players", 2.0),
        ("unit", "match"),
        ("seed", -1),
        ("index", True),
        ("policies", ["random"]),
        ("uses_chance", [True, 1]),
        ("uses_chance", [True, False]),
        ("rules.wrap", 0),
        ("rules.hand_size", True),
        ("rules.ace_resets", 5),
        ("rules.ace_resets", 3.0),
        ("rules.max_turns", 0),
        ("rules.lead", None),
        ("rules.lead", []),
        ("rules.merge", "down"),
        ("deals", []),
        ("deals.0", []),
        ("deals.0.deal", 1),
        ("deals.0.deal", False),
        ("deals.0.first", False),
        ("deals.0.seats", "01"),
        ("deals.0.trump", "S"),
        ("deals.0.table", {"aside": []}),
        ("deals.0.hands", []),
        ("deals.0.stock", None),
        ("deals.0.events", {}),
        ("deals.0.events.0", None),
        ("deals.0.events.0", {"seat": 0, "do": "trick"}),
        ("deals.0.events.0", {"seat": 0, "do": ["play"]}),
        ("deals.0.events.0.seat", 0.0),
        ("deals.0.events.0.note", "!"),
        ("deals.0.ending", "blocked"),
        ("deals.0.ending", None),
        ("deals.0.scores", [0]),
        ("deals.0.scores", None),
        ("deals.0.note", ""),
        ("outcome", []),
    ],
)
def test_c_10_shape(path: str, value: Any) -> None:
    record = search(lambda record: record["outcome"]["ending"] == "out")
    clause = "C-3" if path == "deals.0.first" else "C-10"
    assert fault(with_changes(record, path, value)) == clause


def test_c_10_missing_keys_and_events() -> None:
    record = search(lambda record: record["outcome"]["ending"] == "out")
    for path in [*record, "rules.lead", *(f"deals.0.{key}" for key in record["deals"][0])]:
        assert fault(without(record, path)) == "C-10"
    events = record["deals"][0]["events"]
    for at, event in enumerate(events):
        short = with_changes(record, "deals.0.events", events[:at] + events[at + 1 :])
        assert fault(short) is not None
        if event["do"] == "end":
            assert fault(short) == "C-10"
        assert fault(with_changes(record, "deals.0.events", events[:at])) is not None


def test_c_10_scores() -> None:
    record = Player(3).play()
    assert fault(with_changes(record, "deals.0.scores.1", 3)) == "C-10"
    assert fault(with_changes(record, "deals.0.scores.1", -3.0)) == "C-10"


def test_a_fault_says_where() -> None:
    record = game(["5H 9C 2C JH", "5S 4C 3D 3H"], "", "5H 5S 4C 3D 3H")
    found = check(swap(record, "1 play 4C", "1 play 3D"))
    assert found is not None
    assert (found.clause, found.deal, found.event) == ("KG-3", 0, 3)
