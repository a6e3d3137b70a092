"""What the referee tests share: asking for a fault, and tables laid by hand."""

from __future__ import annotations

import copy
from typing import Any

from simlib.games.king.referee import check
from simlib.games.king.referee_setting import Setting
from simlib.games.king.referee_table import Table
from tests.king.tiny_player import TinyKing
from tests.king.tiny_tables import default_rules

Record = dict[str, Any]


def clause_of(record: object) -> str | None:
    """Return the clause that the referee finds broken, None if none is."""
    fault = check(record)
    return None if fault is None else fault.clause


def refuses(
    clause: str,
    table: type[TinyKing],
    variety: str,
    *,
    seeds: int = 25,
    least: int = 1,
    **game: Any,
) -> None:
    """Require that games at a wrong table are refused with this clause and no other.

    A game in which the wrong rule never mattered is right, so only `least` of the games
    have to be refused; one in which it merely offered other options, without their being
    chosen, is refused for its counts (K-8, K-9), which says nothing here.
    """
    found = [clause_of(table(variety, seed=seed, **game).record()) for seed in range(seeds)]
    refused = [one for one in found if one == clause or one not in (None, "K-8", "K-9")]
    assert len(refused) >= least
    assert set(refused) == {clause}, found


def accepts(variety: str, *, seeds: int = 4, **game: Any) -> None:
    """Require that right games are accepted."""
    for seed in range(seeds):
        fault = check(TinyKing(variety, seed=seed, **game).record())
        assert fault is None, (variety, seed, game, fault)


def put(record: Record, *way: Any) -> Record:
    """Return a copy of a record with the last of `way` put where the others lead."""
    *path, key, value = way
    other = copy.deepcopy(record)
    _follow(other, path)[key] = value
    return other


def drop(record: Record, *way: Any) -> Record:
    """Return a copy of a record without what is found along `way`, if anything is."""
    *path, key = way
    other = copy.deepcopy(record)
    place = _follow(other, path)
    if isinstance(place, list) or key in place:
        del place[key]
    return other


def insert_event(record: Record, at: int, event: Record) -> Record:
    """Return a copy of a record with one more event in its first deal."""
    events = record["deals"][0]["events"]
    return put(record, "deals", 0, "events", [*events[:at], event, *events[at:]])


def _follow(place: Any, path: list[Any]) -> Any:
    for key in path:
        place = place[key]
    return place


def contract_index(variety: str, contract: str) -> int:
    """Return an index whose deal of unit `deal` is this contract by default."""
    return TinyKing(variety).contract_list().index(contract)


def lay(
    variety: str,
    contract: str | None = None,
    hands: dict[int, str] | None = None,
    *,
    trump: str | None = None,
    players: int | None = None,
    **rules: Any,
) -> Table:
    """Lay a table in the middle of a deal, for one question to the referee."""
    players = players or TinyKing(variety).n
    setting = Setting(variety, players, "deal", default_rules(variety) | rules, 0)
    held = [set((hands or {}).get(seat, "").split()) for seat in range(players)]
    table = Table(setting, 0, 0, held, [], [])
    table.contract, table.trump = contract, trump
    table.taken = [[] for _ in range(players)]
    return table
