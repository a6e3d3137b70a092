"""The referee of King George III against nonsense, damage, and single changed values."""

from __future__ import annotations

import copy
import functools
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simlib.games.king_george.referee import check
from simlib.games.refereeing import Fault
from tests.king_george.referee_player import DECK
from tests.king_george.referee_records import Record, search

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from([*DECK, "play", "draw", "end", "out", "random", "cycle", "endless"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["seat", "do", "card", "stock", "deal", "x"]), inner)
    ),
    max_leaves=8,
)


def short(record: Record) -> bool:
    return sum(len(deal["events"]) for deal in record["deals"]) < 260


@functools.cache
def records() -> tuple[Record, ...]:
    """Short right records: each ending, playoffs, recycling, between them every kind of event."""

    def ended(ending: str, proof: str | None = None) -> Callable[[Record], bool]:
        wanted = [ending, proof]
        return lambda record: (
            short(record) and [record["outcome"][key] for key in ("ending", "proof")] == wanted
        )

    def turned_over(record: Record) -> bool:
        return short(record) and record["outcome"]["recycles"] > 1

    shuffled = {"ace_choice": True, "recycle": "shuffle", "recycle_when": "emptied"}
    return (
        search(ended("endless", "orphans")),
        search(ended("endless", "cycle"), policies="first"),
        search(ended("deadlock"), rules={"recycle": "none"}),
        search(lambda record: short(record) and len(record["deals"]) > 1, 4),
        search(turned_over, 3, rules=shuffled),
        search(ended("truncated"), 5, rules={"hand_size": 2, "max_turns": 4, "draw": "one"}),
    )


def paths(value: Any, here: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value, containers too."""
    if here:
        yield here
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from paths(inner, (*here, key))
    elif isinstance(value, list):
        for key, inner in enumerate(value):
            yield from paths(inner, (*here, key))


def parent(record: Record, path: tuple[Any, ...]) -> Any:
    return functools.reduce(lambda place, key: place[key], path[:-1], record)


@given(JSON)
@settings(max_examples=150, deadline=None)
def test_any_json_value_is_refused(value: Any) -> None:
    assert isinstance(check(value), Fault)


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_damaged_records_never_raise(data: st.DataObject) -> None:
    record = copy.deepcopy(data.draw(st.sampled_from(records())))
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(list(paths(record))))
        place, key = parent(record, path), path[-1]
        kind = data.draw(st.sampled_from(["replace", "replace", "delete", "double", "exchange"]))
        if kind == "replace":
            place[key] = data.draw(JSON)
        elif kind == "delete":
            del place[key]
        elif isinstance(place, list) and kind == "double":
            place.insert(key, copy.deepcopy(place[key]))
        elif isinstance(place, list):
            other = data.draw(st.integers(0, len(place) - 1))
            place[key], place[other] = place[other], place[key]
    found = check(record)
    assert found is None or isinstance(found, Fault)


def test_absurd_values_never_raise() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for path in (("format",), ("variety",), ("rules", "wrap"), ("deals", 0, "trump")):
        for value in (deep, 10**5000, float("nan"), float("inf")):
            record = copy.deepcopy(records()[0])
            parent(record, path)[path[-1]] = value
            found = check(record)
            assert found is not None
            assert found.clause == "C-10"


def others(value: Any, dice: random.Random) -> list[Any]:
    """Values of the same kind that are not this one."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1, value - 1]
    if value is None:
        return [0, "cycle"]
    if value in DECK:
        return dice.sample([card for card in DECK if card != value], 2)
    words = ["play", "draw", "pass", "stop", "out", "end", "set_aside", "deadlock", "truncated"]
    return [word for word in dice.sample(words, 3) if word != value]


@pytest.mark.parametrize("number", range(6))
def test_no_single_value_can_be_wrong_unnoticed(number: int) -> None:
    """Of deals, outcome and head; not what only a replay can tell, nor options without effect."""
    record, dice = records()[number], random.Random(number)
    assert check(json.loads(json.dumps(record))) is None
    for path in paths(record):
        place, key = parent(record, path), path[-1]
        if path[0] in ("rules", "policies", "uses_chance", "play_seed"):
            continue
        if isinstance(place[key], dict | list):
            continue
        right = place[key]
        for wrong in others(right, dice):
            place[key] = wrong
            found = check(record)
            place[key] = right
            assert found is not None, (path, right, wrong)


@pytest.mark.parametrize("number", range(6))
def test_no_event_can_be_left_out_doubled_or_exchanged(number: int) -> None:
    record = records()[number]
    for entry in record["deals"]:
        right = entry["events"]
        for at in range(len(right)):
            wrong = [right[:at] + right[at + 1 :], right[: at + 1] + right[at:]]
            # Two cards of a run may well lie the other way round.
            if at and {right[at]["do"], right[at - 1]["do"]} != {"play"}:
                wrong.append([*right[: at - 1], right[at], right[at - 1], *right[at + 1 :]])
            for events in wrong:
                entry["events"] = events
                found = check(record)
                entry["events"] = right
                assert found is not None or events == right, (at, events[at - 1 : at + 2])
