"""How the referee's tests put one fault into a right record, and what they expect."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from simlib.games.royal_corners.referee import check

from .table_player import Record

Change = Callable[[dict[str, Any]], object]


def refused(record: Record, clause: str) -> None:
    fault = check(record)
    assert fault is not None
    assert fault.clause == clause, fault


def altered(record: Record, change: Change) -> Record:
    """Return a copy of the record with its first deal changed, and require it was right."""
    assert check(record) is None
    copied = copy.deepcopy(record)
    change(copied["deals"][0])
    return copied


def event_at(record: Record, do: str, nth: int = 0) -> int:
    events = record["deals"][0]["events"]
    return [place for place, event in enumerate(events) if event["do"] == do][nth]


def without(record: Record, do: str, nth: int = 0) -> Record:
    place = event_at(record, do, nth)
    return altered(record, lambda deal: deal["events"].pop(place))


def inserted(record: Record, place: int, seat: int, do: str, **keys: Any) -> Record:
    event = {"seat": seat, "do": do, **keys}
    return altered(record, lambda deal: deal["events"].insert(place, event))
