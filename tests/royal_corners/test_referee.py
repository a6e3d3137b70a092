"""The referee of Royal Corners accepts what is right, notices any change and never raises."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simlib.games.refereeing import Fault
from simlib.games.royal_corners.referee import check

from .table_player import PRESETS, Record, random_record, scene

SINGLE_OPTIONS: list[dict[str, Any]] = [
    *({"hand_size": size} for size in (1, 3, 12)),
    *({"starter": value} for value in ("dealer", "left")),
    *({"merge": value} for value in ("down", "up")),
    *({"vacated": value} for value in ("next_move", "turn", "next_turn", "always", "never")),
    *({"stock_face": value} for value in ("up", "down")),
    *({"draw": value} for value in ("after_play", "every_turn", "turn_start")),
    *({"end": value} for value in ("play_on", "first_out", "last_holder")),
    *({"target": value} for value in (1, 30)),
    {"max_deals": 2},
    {"max_turns": 6},
    *({"king_corners": value} for value in (0, 4)),
    {"king_pile": True},
    *({"first": value} for value in ("zero", "rotate")),
]
CHOICES: dict[str, list[Any]] = {}
for single in SINGLE_OPTIONS:
    for option, choice in single.items():
        CHOICES.setdefault(option, []).append(choice)


def name(options: dict[str, Any]) -> str:
    return " ".join(f"{key}={value}" for key, value in options.items())


@pytest.mark.parametrize("options", SINGLE_OPTIONS, ids=name)
def test_each_option_value_is_accepted(options: dict[str, Any]) -> None:
    for players in (2, 3, 4):
        for draw in ("after_play", "every_turn"):
            rules = {"draw": draw} | options
            assert check(random_record(players, players, index=5, **rules)) is None
    assert check(random_record(9, 3, "match", index=4, **({"target": 20} | options))) is None


@pytest.mark.parametrize("preset", PRESETS)
def test_each_preset_is_accepted(preset: str) -> None:
    for seed in range(12):
        assert check(random_record(seed, 2 + seed % 3, **PRESETS[preset])) is None
    assert check(random_record(1, 4, "match", **PRESETS[preset])) is None


def test_random_combinations_are_accepted_and_reach_every_ending() -> None:
    rng = random.Random(20)
    endings = set()
    for seed in range(200):
        options = {key: rng.choice(values) for key, values in CHOICES.items()}
        options["max_turns"] = rng.choice([6, 1000])
        options["hand_size"] = rng.choice([None, 2, 3, 12])
        record = random_record(seed, rng.choice([2, 3, 4]), index=seed, **options)
        assert check(record) is None, options
        assert check(json.loads(json.dumps(record))) is None
        endings.add(record["deals"][0]["ending"])
    wanted = {"blocked", "declined", "all_out", "first_out", "last_holder", "truncated"}
    assert endings == wanted


# RULES, case 9


def test_rc_8_case_9_the_last_stock_card_is_taken_by_the_first_who_plays() -> None:
    low = [f"{rank}{suit}" for rank in "A2356789" for suit in "SHD"]  # 24 cards without 4, T-K
    hands = [" ".join(["9C", *low[:22]]), " ".join(["3C", *low[22:]])]
    record = scene(hands, "TH 4D QS KC", "*JD>2 9C>0", "3C>1", stock="JD 7C", size=23)
    events = record["deals"][0]["events"]
    drawn = [(event["seat"], event["card"]) for event in events if event["do"] == "draw"]
    assert drawn == [(0, "7C")]
    assert [event["seat"] for event in events if event["do"] == "play"] == [0, 0, 1]
    assert record["outcome"]["stock_left"] == 0
    assert check(record) is None


def test_rc_9_case_9_last_card_played_with_stock_left_is_out_without_a_draw() -> None:
    record = scene(["9S", "AS"], "TH 4D QS KC", "9S>0", draw="every_turn", end="first_out")
    assert [event["do"] for event in record["deals"][0]["events"][:3]] == ["play", "out", "end"]
    assert record["outcome"]["stock_left"] > 0
    assert check(record) is None


def test_rc_10_case_9_with_no_stock_and_no_move_the_turn_passes() -> None:
    record = random_record(3, 4, hand_size=12)
    assert record["deals"][0]["stock"] == []
    assert check(record) is None
    blocked = scene(["9S 2S", "9C 2C"], "4S 4C 8S 8C", stock_face="down")
    assert [event["do"] for event in blocked["deals"][0]["events"]] == ["end", "end"]
    assert blocked["deals"][0]["ending"] == "blocked"
    assert check(blocked) is None


# C-3, C-7, C-10: the frame of the record


def changed(record: Record, path: tuple[Any, ...], value: Any) -> Record:
    copied = copy.deepcopy(record)
    inner: Any = copied
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return copied


def test_c_3_first_seat_and_number_of_deals() -> None:
    record = random_record(1, 3, index=4, first="rotate")
    assert record["deals"][0]["first"] == 1
    for seat in (0, 2, True, None):
        fault = check(changed(record, ("deals", 0, "first"), seat))
        assert fault and fault.clause == "C-3"
    fault = check(changed(record, ("deals",), record["deals"] * 2))
    assert fault and fault.clause == "C-3"


def test_c_7_each_card_is_dealt_once() -> None:
    record = random_record(1, 3)
    stock = record["deals"][0]["stock"]
    for other in (
        stock[1:],
        [stock[1], *stock[1:]],
        [record["deals"][0]["hands"][0][0], *stock[1:]],
    ):
        fault = check(changed(record, ("deals", 0, "stock"), other))
        assert fault and fault.clause == "C-7"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("deals", 0, "deal"), 1),
        (("deals", 0, "deal"), False),
        (("deals", 0, "seats"), [0, 2, 1]),
        (("deals", 0, "seats"), [False, 1, 2]),
        (("deals", 0, "declarer"), 0),
        (("deals", 0, "contract"), "no-king"),
        (("deals", 0, "trump"), "S"),
        (("deals", 0, "scores", 0), 0.0),
        (("deals", 0, "table"), {}),
        (("deals", 0, "scores"), [0, 0]),
        (("deals", 0, "hands"), "7S"),
        (("deals", 0, "hands"), []),
        (("deals", 0, "events"), {}),
        (("deals", 0, "ending"), None),
        (("deals", 0, "events", 0, "seat"), "0"),
        (("deals", 0, "events", 0, "do"), "pass"),
        (("deals", 0, "events", 0, "why"), "just so"),
        (("rules", "king_corners"), False),
        (("rules", "king_pile"), 0),
        (("rules", "hand_size"), 0),
        (("rules", "lead"), "one"),
        (("players",), 5),
        (("unit",), "evening"),
        (("variety",), "simple"),
        (("uses_chance", 1), False),
    ],
)
def test_c_10_wrong_frames_are_refused(path: tuple[Any, ...], value: Any) -> None:
    fault = check(changed(random_record(1, 3), path, value))
    assert fault and fault.clause == "C-10"


def test_c_10_end_closes_every_turn() -> None:
    stopped = scene(["9D 2S", "2H 9H"], "TS 4C 8S 8C", "stop", stock_face="down")
    out = scene(["9S", "2D"], "TH 4D 5H 4C", "9S>0")
    for record, place in ((stopped, 1), (out, 2)):
        assert record["deals"][0]["events"].pop(place) == {"seat": 0, "do": "end"}
        fault = check(record)
        assert fault and fault.clause == "C-10"


def test_c_10_long_numbers_and_deep_lists_do_not_raise() -> None:
    record = random_record(1, 3)
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for path in (
        ("format",),
        ("deals", 0, "deal"),
        ("deals", 0, "scores", 0),
        ("outcome", "turns"),
    ):
        for value in (10**5000, deep):
            assert isinstance(check(changed(record, path, value)), Fault)


# Nothing in a record can be made wrong unnoticed


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from leaves(inner, (*path, place))
    else:
        yield path, value


def others(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value, None, "yes"]
    if isinstance(value, int | float):
        return [value + 1, value - 1, value + 0.5, str(value), None]
    if value is None:
        return [0, ""]
    return [value + "x", "", None, 3]


FREE = {"play_seed", "policies", "rules"}  # may change and still be a right record


@pytest.mark.parametrize(
    "record",
    [
        random_record(2, 2, draw="every_turn"),
        random_record(4, 3, index=2, **PRESETS["pagat"]),
        random_record(6, 4, "match", target=12, first="rotate"),
        random_record(6, 3, "match", max_deals=1),
    ],
    ids=["deal", "pagat", "match", "censored"],
)
def test_c_10_every_leaf_is_checked(record: Record) -> None:
    assert check(record) is None
    paths = [(path, value) for path, value in leaves(record) if path[0] not in FREE]
    rng = random.Random(1)
    for path, value in paths if len(paths) < 250 else rng.sample(paths, 250):
        for other in others(value):
            assert check(changed(record, path, other)) is not None, (path, other)


@pytest.mark.parametrize("unit", ["deal", "match"])
def test_c_10_no_key_may_be_missing(unit: str) -> None:
    record = random_record(5, 3, unit)
    holders: list[tuple[Any, ...]] = [(), ("rules",), ("outcome",), ("deals", 0)]
    holders += [("deals", 0, "table"), ("deals", 0, "events", 0), ("deals", 0, "events", 1)]
    for holder in holders:
        keys: Any = record
        for key in holder:
            keys = keys[key]
        for key in keys:
            copied = copy.deepcopy(record)
            inner: Any = copied
            for step in holder:
                inner = inner[step]
            del inner[key]
            fault = check(copied)
            assert fault, (holder, key)
            assert fault.clause == ("RC-13" if holder == ("outcome",) else "C-10")


def test_c_10_no_event_may_be_missing_or_double() -> None:
    for seed, draw in enumerate(("after_play", "every_turn", "turn_start")):
        record = random_record(seed, 3, hand_size=3, max_turns=12, draw=draw)
        for place in range(len(record["deals"][0]["events"])):
            for times in (0, 2):
                copied = copy.deepcopy(record)
                events = copied["deals"][0]["events"]
                events[place : place + 1] = [events[place]] * times
                assert check(copied) is not None


def test_c_10_unknown_columns_of_the_outcome_are_ignored() -> None:
    record = random_record(5, 3)
    record["outcome"]["order_of_going_out"] = [2, 1]
    assert check(record) is None


# check() never raises

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=12,
)
MATCH = random_record(3, 3, "match", target=15)
DEAL = random_record(3, 2, draw="every_turn", hand_size=3)


@given(JSON)
@settings(max_examples=150, deadline=None)
def test_fuzz_arbitrary_json_is_a_fault(value: Any) -> None:
    assert isinstance(check(value), Fault)


def nodes(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from nodes(inner, (*path, key))


NODES = {id(record): [path for path in nodes(record) if path] for record in (MATCH, DEAL)}


@given(st.sampled_from([MATCH, DEAL]), st.data())
@settings(max_examples=250, deadline=None)
def test_fuzz_damaged_records_never_raise(record: Record, data: st.DataObject) -> None:
    places = NODES[id(record)]
    path = places[data.draw(st.integers(0, len(places) - 1))]
    other = places[data.draw(st.integers(0, len(places) - 1))]
    if data.draw(st.booleans()):
        value = data.draw(JSON)
    else:
        value = copy.deepcopy(record)
        for key in other:
            value = value[key]
    fault = check(changed(record, path, value))
    assert fault is None or isinstance(fault, Fault)
