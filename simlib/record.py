"""Game records (C-10): one game played again with its events, and records read back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numpy as np

from simlib import games
from simlib.cards import colour_for_html
from simlib.deals import players_in, read_deals
from simlib.engine import Player, record_log
from simlib.errors import BadInput, shorten
from simlib.games.columns import Column
from simlib.games.recording import deck_order, row_values
from simlib.games.refereeing import FORMAT, Fault, Refusal
from simlib.setup import Policies, Setup, prepare, seed_argument

__all__ = [
    "Verdict",
    "check_record",
    "find_games",
    "record_of",
    "replay",
    "verify",
    "verify_lines",
]

#: Longest reason that is printed, in characters: a record may hold a value of any length.
REASON = 400
#: Games that a search plays at once: few, so that Ctrl-C is answered between them.
SEARCHED = 1000

P = ParamSpec("P")
R = TypeVar("R")


def _index_is_no_game(function: Callable[P, R]) -> Callable[P, R]:
    """Explain what Python takes for a game given twice: ``--game`` is `index` here."""

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> R:
        if args and "game" in kwargs:
            raise BadInput(
                f"replay: game={kwargs['game']!r}: the game's name comes first, and the number of"
                " a game is its index, as in replay('king', index=3)"
            )
        return function(*args, **kwargs)

    return checked


@_index_is_no_game
def replay(
    game: str,
    *,
    index: int = 0,
    variety: str | None = None,
    players: int | None = None,
    unit: str | None = None,
    seed: int = 0,
    play_seed: int | None = None,
    policies: Policies = "random",
    rules: Mapping[str, Any] | None = None,
    preset: str | None = None,
    deals: str | Path | Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
) -> Record:
    """Play one game again, or a deal of one's own, and return its record.

    Parameters
    ----------
    index : int
        Index of the game in its run; with `deals`, which of them is played.
    game, variety, players, unit, seed, play_seed, policies, rules, preset
        As in :func:`simlib.simulate`.
    deals : path, mapping or sequence of mappings, optional
        Cards instead of those that the seed deals: ``{"hands": ["7S 8S …", …]}``, one text a
        seat, with ``stock``, ``corners``, ``talon`` or ``aside`` where the rules deal them; what
        is left out is filled from the seed. Only the first deal of a match or before playoffs is
        given; the others, and chance in play, are the seed's. `players` is then the number of
        hands. A TOML file holds such a table under each ``[[deals]]``.

    Returns
    -------
    Record
        A dict (C-10) that shows itself as readable text.

    Raises
    ------
    BadInput, PolicyFailure
        As :func:`simlib.simulate`.
    """
    own = None if deals is None else read_deals(deals)
    setup = prepare(
        game,
        variety=variety,
        players=players_in(own, game, variety) if own and players is None else players,
        unit=unit,
        rules=rules,
        preset=preset,
        policies=policies,
        seed=seed,
        play_seed=play_seed,
    )
    index = seed_argument(index, "index", bits=62)
    if own is None:
        return record_of(setup, index)
    if not 0 <= index < len(own):
        raise BadInput(f"index {index}: there are deals 0 to {len(own) - 1}")
    return record_of(setup, index, own[index].deck(setup, index))


class Record(dict[str, Any]):
    """A game record; a dict that knows how to be read by people."""

    def text(self) -> str:
        """Return the game as readable lines."""
        return "\n".join(games.get(self["game"]).transcript(self))

    def to_json(self) -> str:
        """Return the record as one line of JSON."""
        return json.dumps(self, separators=(", ", ": "))

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{colour_for_html(html.escape(self.text()))}</pre>"


def record_of(setup: Setup, index: int, given: Sequence[int] | None = None) -> Record:
    """Play game `index` of a setup with its event log and return the record (C-10).

    `given` is the deck order of its first deal, instead of the seed's (C-4a).
    """
    index = seed_argument(index, "game", bits=62)
    row, deals, log = record_log(setup, index, given)
    table = setup.table
    cards = setup.game.deck(table)

    def order(deal: int) -> Sequence[int]:
        if given is not None and deal == 0:
            return given
        return deck_order(cards, setup.seed, index, deal)

    asked = setup.describe()
    return Record(
        {
            "format": FORMAT,
            "game": asked["game"],
            "variety": asked["variety"],
            "players": asked["players"],
            "unit": asked["unit"],
            "rules": asked["rules"],
            "seed": setup.seed,
            "play_seed": setup.play_seed,
            "index": index,
            "policies": asked["policies"],
            "uses_chance": [policy.uses_chance for policy in setup.policies],
            "deals": setup.game.deals_record(table, order, log, deals),
            "outcome": _outcome(setup, index, row, deals),
        }
    )


def find_games(
    setup: Setup, wanted: Mapping[str, str], *, first: int = 0, stop: int
) -> Iterator[int]:
    """Play games without their events and yield the indices of those that are looked for.

    Parameters
    ----------
    setup : Setup
    wanted : mapping
        Column with labels, such as ``ending``, to the label that a game must have there. They
        are those of the game: of the match in matches, of the first deal in King George III.
    first, stop : int
        Games ``first`` … ``stop - 1`` are searched.

    Raises
    ------
    BadInput
        If there is no such column or label.
    PolicyFailure
        If a policy answers outside its options or raises (C-5).
    """
    first = seed_argument(first, "game", bits=62)
    in_deals = setup.game.merges_deals and setup.table.unit == "deal"
    columns = {
        column.name: column
        for column in (setup.game.deal_columns if in_deals else setup.game.game_columns)
        if column.labels
    }
    codes = {name: _code(setup, columns.get(name), name, label) for name, label in wanted.items()}
    player = Player(setup)
    while first < stop:
        count = min(SEARCHED, stop - first)
        for batch in player.play(first, count):
            rows = batch.deals if in_deals else batch.games
            found = np.ones(len(rows), np.bool_)
            for name, code in codes.items():
                found &= rows[name] == code
            for place in np.flatnonzero(found):
                yield batch.first + int(place)
        first += count


def _code(setup: Setup, column: Column | None, name: str, label: str) -> int:
    if column is None:
        raise BadInput(f"{name} {label!r}: games of {setup.game.name} have no {name}")
    if label not in column.labels:
        raise BadInput(
            f"{name} {label!r}: {setup.game.name} has {', '.join(filter(None, column.labels))}"
        )
    return column.labels.index(label)


def _outcome(setup: Setup, index: int, row: Any, deals: Any) -> dict[str, Any]:
    from simlib.frames import sources

    values: dict[str, Any] = {"seed": setup.seed, "index": index}
    for column, rows in sources(setup.game.game_columns, setup, [row], deals):
        values.update(row_values(rows[0], [column], setup.players))
    return values


@dataclass(frozen=True)
class Verdict:
    """What the referee says of one record."""

    line: int
    index: int | None
    fault: Fault | None

    def text(self) -> str:
        """Return one line for people."""
        if self.fault is None:
            return f"line {self.line}: game {self.index} ok"
        where = [f"line {self.line}"]
        if self.index is not None:
            where.append(f"game {self.index}")
        if self.fault.deal is not None:
            where.append(f"deal {self.fault.deal}")
        if self.fault.event is not None:
            where.append(f"event {self.fault.event}")
        return f"{', '.join(where)}: {self.fault.clause}: {shorten(self.fault.reason, REASON)}"


def check_record(record: object) -> Fault | None:
    """Let the referee of the record's game read it; return the first fault, or None."""
    name = record.get("game") if isinstance(record, dict) else None
    if not isinstance(record, dict):
        return Fault("C-10", "the record is not a JSON object")
    if not isinstance(name, str) or name not in games.names():
        return Fault("C-10", f"game is {name!r}; valid: {', '.join(games.names())}")
    return games.get(name).referee(record)


def verify_lines(lines: Iterable[bytes | str]) -> Iterator[Verdict]:
    """Check records in JSON Lines.

    Yields
    ------
    Verdict
        One a line; a line that is empty, or no JSON, is a bad record (C-10).
    """
    for number, raw in enumerate(lines, start=1):
        try:
            text = raw.decode("utf-8") if isinstance(raw, bytes) else raw
            if number == 1:  # some editors begin a file with a mark of the encoding
                text = text.removeprefix("\ufeff")
            if not text.strip():
                raise Refusal(Fault("C-10", "the line is empty"))
            record = json.loads(
                text, parse_constant=_refuse_constant, object_pairs_hook=_each_key_once
            )
        except Refusal as refusal:
            yield Verdict(number, None, refusal.fault)
            continue
        except (ValueError, RecursionError) as error:
            reason = f"the line is no JSON: {error}".split("\n")[0]
            yield Verdict(number, None, Fault("C-10", reason))
            continue
        index = record.get("index") if isinstance(record, dict) else None
        if isinstance(index, bool) or not isinstance(index, int):
            index = None
        yield Verdict(number, index, check_record(record))


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Refusal(Fault("C-10", f"the key {twice!r} is given twice in one object"))
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


def verify(records: Iterable[Mapping[str, Any]] | Mapping[str, Any]) -> list[Verdict]:
    """Let the referee read records; return a verdict a record.

    Parameters
    ----------
    records : a record, or several
        Dicts as :func:`replay` returns them or JSON gives them.
    """
    if isinstance(records, Mapping):
        records = [records]
    if not isinstance(records, Iterable) or isinstance(records, str | bytes):
        raise BadInput(f"verify {records!r}: give a record, or several, as replay returns them")
    verdicts = []
    for number, record in enumerate(records, start=1):
        index = record.get("index") if isinstance(record, Mapping) else None
        verdicts.append(
            Verdict(number, index if isinstance(index, int) else None, check_record(record))
        )
    return verdicts
