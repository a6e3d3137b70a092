"""Records for the tests of the King George III referee: made, edited, looked for, judged."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

from simlib.games.king_george.referee import check
from tests.king_george.referee_player import Player

Record = dict[str, Any]


def game(hands: list[str], stock: str = "", script: str = "", **rules: Any) -> Record:
    """A game of given hands, scripted and then played on by `first`."""
    rules = {"hand_size": len(hands[0].split())} | rules
    player = Player(len(hands), rules, hands=hands, stock=stock, script=script, policies="first")
    return player.play()


def search(wanted: Callable[[Record], bool], players: int = 2, games: int = 400, **more: Any):
    """The first game that has what is wanted."""
    for seed in range(games):
        record = Player(players, seed=seed, **more).play()
        if wanted(record):
            return record
    raise AssertionError("no such game")


def fault(record: Record) -> str | None:
    """The clause named for a record, after a trip through JSON."""
    found = check(json.loads(json.dumps(record)))
    return None if found is None else found.clause


def told(record: Record, deal: int = 0) -> list[str]:
    """The events of a deal as short texts: `1 play 6S`."""
    texts = []
    for event in record["deals"][deal]["events"]:
        more = [event["card"]] if "card" in event else event.get("stock", [])
        texts.append(" ".join([str(event["seat"]), event["do"], *more]))
    return texts


def event_of(text: str) -> dict[str, Any]:
    seat, do, *cards = text.split()
    event: dict[str, Any] = {"seat": int(seat), "do": do}
    if do == "recycle":
        return event | {"stock": cards}
    return event | ({"card": cards[0]} if cards else {})


def swap(record: Record, old: str, new: str, deal: int = 0) -> Record:
    """The record with the first run of events `old` replaced by `new` (texts, commas)."""
    before = [text.strip() for text in old.split(",")]
    after = [text.strip() for text in new.split(",") if text.strip()]
    lines = told(record, deal)
    at = next(k for k in range(len(lines)) if lines[k : k + len(before)] == before)
    record = copy.deepcopy(record)
    record["deals"][deal]["events"][at : at + len(before)] = [event_of(text) for text in after]
    return record


def with_changes(record: Record, path: str, value: Any) -> Record:
    """The record with the value at `path` (keys and indices, dotted) replaced."""
    record = copy.deepcopy(record)
    *keys, last = [int(key) if key.isdigit() else key for key in path.split(".")]
    place: Any = record
    for key in keys:
        place = place[key]
    place[last] = value
    return record


def without(record: Record, path: str) -> Record:
    record = copy.deepcopy(record)
    *keys, last = path.split(".")
    place: Any = record
    for key in keys:
        place = place[int(key) if key.isdigit() else key]
    del place[last]
    return record


def find_fault(clause: str, play: Callable[[int], Record], others: str = "", games: int = 90):
    """Play until a record is refused with `clause`; meanwhile only it or `others` may be named."""
    for seed in range(games):
        found = fault(play(seed))
        if found == clause:
            return
        assert found is None or found in others.split(), found
    raise AssertionError(f"{clause} was never named")


def refused(record: Record, old: str, new: str, deal: int = 0) -> str | None:
    """The clause named when the events `old` are replaced by `new`."""
    return fault(swap(record, old, new, deal))


def lines(record: Record, count: int, deal: int = 0) -> str:
    return ", ".join(told(record, deal)[:count])
