"""Opens a folder for writing: a new run, the same run once more, or more games of it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from simlib.errors import BadInput
from simlib.manifest import FILE_NAME, Manifest, Part, differences, head, now, sealed
from simlib.setup import Setup
from simlib.store import disk, journal
from simlib.store.block import damage
from simlib.store.place import Held, Place, place_of
from simlib.store.probe import PROBE, probe, same_games
from simlib.store.writer import Writer

__all__ = ["create", "is_part", "reopen", "strays", "tidy", "whole_parts"]

#: Names of parts, and of files that were not finished.
_PART = re.compile(FILE_NAME)
_UNFINISHED = re.compile(
    rf"\.({FILE_NAME}|manifest\.json|journal\.jsonl)(\.[0-9a-f]+)?\.tmp|\.shared-[0-9a-f]+"
)


def create(
    out: str | os.PathLike[str],
    setup: Setup,
    *,
    games: int,
    keep: str,
    precision: Mapping[str, float] | None,
    block: int,
) -> Writer:
    """Begin a run, or go on with the same one; see :meth:`Writer.create`."""
    place = place_of(out)
    _refuse_other_things(place)
    fields = head(setup)
    fields["probe"] = probe(setup, min(PROBE, games))
    try:
        place.make()
    except OSError as error:
        raise BadInput(f"{place}: cannot be made: {disk.reason(error)}") from None
    lock = place.lock()
    try:
        found = journal.find_run(place)
        if found is not None:
            _refuse_another_run(place, found.manifest, fields)
            _refuse_other_games(place, found.manifest, setup)
            _refuse_another_plan(place, found.manifest, games, keep, precision)
            return _go_on(place, setup, lock, found, games)
        _refuse_other_things(place)
        return _begin(place, setup, lock, fields, games, keep, precision, block)
    except OSError as error:
        lock.release()
        raise disk.room_failure(place, error, "nothing is lost") from None
    except BaseException:
        lock.release()
        raise


def reopen(
    place: Place, setup: Setup, *, games: int | None = None, drop_precision: bool = False
) -> Writer:
    """Open a run that is there: to play what is missing, or more games.

    Parameters
    ----------
    place : Place
    setup : Setup
        The run's own, or a BadInput.
    games : int, optional
        How many it is to have.
    drop_precision : bool
        No longer stop it by precision.

    Raises
    ------
    BadInput, RunFailure
        As :meth:`Writer.create`.
    """
    fields = head(setup)
    lock = place.lock()
    try:
        found = journal.read_run(place)
        _refuse_another_run(place, found.manifest, fields)
        _refuse_other_games(place, found.manifest, setup)
        if games is not None and games < _least(found.manifest):
            raise _fewer(place, found.manifest, games)
        return _go_on(place, setup, lock, found, games, drop_precision=drop_precision)
    except OSError as error:
        lock.release()
        raise disk.room_failure(place, error, "nothing is lost") from None
    except BaseException:
        lock.release()
        raise


def _begin(
    place: Place,
    setup: Setup,
    lock: Held,
    fields: dict[str, Any],
    games: int,
    keep: str,
    precision: Mapping[str, float] | None,
    block: int,
) -> Writer:
    tidy(place, [])
    manifest = sealed(
        {
            **fields,
            "state": "unfinished",
            "games_asked": games,
            "games": 0,
            "keep": keep,
            "block": block,
            "precision": {"asked": dict(precision), "met": None} if precision else None,
            "timings": {"started": now(), "finished": None, "seconds": 0.0, "sessions": 1},
            "parts": [],
            "sums": None,
        }
    )
    journal.write(place, manifest)
    place.settle()
    journal.start(place, manifest)
    return Writer(place, setup, lock, manifest, games=games, precision=precision or {})


def _go_on(
    place: Place,
    setup: Setup,
    lock: Held,
    found: journal.RunFolder,
    games: int | None,
    *,
    drop_precision: bool = False,
) -> Writer:
    old = found.manifest
    precision = None if drop_precision else old.precision
    asked = games if drop_precision and games else max(games or 0, old.games_asked)
    goal = asked
    stopped = precision is not None and bool(precision.met)
    if old.state == "complete" and not drop_precision and (stopped or asked <= old.games_asked):
        goal = old.games  # a run that was stopped by precision does not go on
    parts, problems = whole_parts(place, old)
    notes = (*found.notes, *problems)
    if old.state == "complete" and goal == old.games and not notes:
        place.remove(journal.JOURNAL)  # killed just before it went
        return Writer(place, setup, lock, old, games=goal, precision={}, idle=True)
    fields = old.model_dump(mode="json")
    fields["state"] = "unfinished"
    fields["games_asked"] = asked
    fields["games"] = sum(part.games for part in parts)
    fields["parts"] = [part.model_dump(mode="json") for part in parts]
    fields["sums"] = None
    if drop_precision:
        fields["precision"] = None
    fields["timings"] |= {"finished": None, "seconds": sum(part.seconds for part in parts)}
    fields["timings"]["sessions"] += 1
    manifest = sealed(fields)
    tidy(place, parts)
    journal.write(place, manifest)
    journal.start(place, manifest)
    stop_by = {} if precision is None or goal < asked else precision.asked
    return Writer(place, setup, lock, manifest, games=goal, precision=stop_by, notes=notes)


def whole_parts(place: Place, manifest: Manifest) -> tuple[list[Part], list[str]]:
    """Return the parts whose files are as they were written, and what is wrong with others."""
    whole, problems = [], []
    for part in manifest.parts:
        wrong = [text for note in part.files.values() if (text := damage(place, note))]
        if wrong:
            problems += wrong
        else:
            whole.append(part)
    return whole, problems


def is_part(name: str) -> bool:
    """Tell whether a file has the name of a part."""
    return _PART.fullmatch(name) is not None


def strays(where: str | os.PathLike[str] | Place, parts: Sequence[Part]) -> list[str]:
    """Return the files that a session left behind and that do not count."""
    counted = {note.name for part in parts for note in part.files.values()}
    return sorted(
        name
        for name in place_of(where).names()
        if (is_part(name) and name not in counted) or _UNFINISHED.fullmatch(name)
    )


def tidy(place: Place, parts: Sequence[Part]) -> None:
    """Remove what does not count."""
    for name in strays(place, parts):
        place.remove(name)


# --- refusals ------------------------------------------------------------------------------


def _refuse_other_things(place: Place) -> None:
    """Refuse a folder with something in it that is no run of ours.

    Raises
    ------
    BadInput
        If it is a file, or has other files in it.
    """
    try:
        names = place.names()
    except FileNotFoundError:
        return
    except NotADirectoryError:
        raise BadInput(f"{place}: is a file; give a folder") from None
    except OSError as error:
        raise BadInput(f"{place}: cannot be read: {disk.reason(error)}") from None
    if journal.MANIFEST in names or journal.JOURNAL in names:
        journal.read_run(place)
        return
    others = [name for name in names if name != disk.LOCK and not _UNFINISHED.fullmatch(name)]
    if others:
        raise BadInput(
            f"{place}: holds no run, but {sorted(others)[0]!r} and the like;"
            " give a new or an empty folder"
        )


def _refuse_another_run(place: Place, old: Manifest, fields: Mapping[str, Any]) -> None:
    differ = differences(old, fields)
    if differ:
        raise BadInput(f"{place}: holds another run: {differ[0]}; give another folder")


def _refuse_another_plan(
    place: Place, old: Manifest, games: int, keep: str, precision: Mapping[str, float] | None
) -> None:
    if old.keep != keep:
        raise BadInput(
            f"{place}: holds a run with keep={old.keep}, not {keep}; give another folder"
        )
    asked = dict(old.precision.asked) if old.precision else {}
    if asked != dict(precision or {}):
        raise BadInput(
            f"{place}: holds a run with precision {asked or 'none'}, not"
            f" {dict(precision or {}) or 'none'}; give another folder, or extend this one"
        )
    if games < old.games_asked:
        raise _fewer(place, old, games)


def _least(old: Manifest) -> int:
    """Return how many games a run cannot be cut below: those it has, or was to have."""
    return old.games if old.precision else max(old.games, old.games_asked)


def _fewer(place: Place, old: Manifest, games: int) -> BadInput:
    return BadInput(
        f"{place}: holds a run of {_least(old)} games; {games} are fewer; give at least as many,"
        " or another folder"
    )


def _refuse_other_games(place: Place, old: Manifest, setup: Setup) -> None:
    if not same_games(setup, old):
        version = old.packages.get("king-simlib", "?")
        raise BadInput(
            f"{place}: written by simlib {version}, whose games went another way; this one can"
            " read the run, but not go on with it"
        )
