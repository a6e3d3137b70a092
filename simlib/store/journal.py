"""What is known of a run folder: its manifest, and the journal of what came after it.

A line of the journal carries a checksum of its own. The first holds the manifest that the
session began with; each further one a part that is on the disk. A line that was not written
to its end does not count, and neither does its part.
"""

from __future__ import annotations

import hashlib
import json
import os
from typing import Any, NamedTuple

from pydantic import ValidationError

from simlib.errors import BadInput
from simlib.manifest import Manifest, Part, parse, sealed, text_of
from simlib.store.disk import reason
from simlib.store.place import Place, place_of

__all__ = ["JOURNAL", "MANIFEST", "RunFolder", "enter", "find_run", "read_run", "start", "write"]

MANIFEST = "manifest.json"
JOURNAL = "journal.jsonl"


class RunFolder(NamedTuple):
    """A manifest with the parts of the journal in it.

    Attributes
    ----------
    manifest : Manifest
    notes : tuple of str
        What was wrong and could be put right.
    """

    manifest: Manifest
    notes: tuple[str, ...]


def write(place: Place, manifest: Manifest) -> None:
    """Write the manifest of a run."""
    place.put(MANIFEST, text_of(manifest).encode())


def start(place: Place, manifest: Manifest) -> None:
    """Begin the journal of a session."""
    place.put(JOURNAL, _line({"manifest": manifest.model_dump(mode="json")}))


def enter(place: Place, part: Part) -> None:
    """Enter a part that is on the disk."""
    place.append(JOURNAL, _line({"part": part.model_dump(mode="json")}))


def _line(fields: dict[str, Any]) -> bytes:
    text = json.dumps(fields, separators=(",", ":"))
    check = hashlib.sha256(text.encode()).hexdigest()[:16]
    return f"{check} {text}\n".encode()


def _read(place: Place, name: str) -> bytes | None:
    try:
        return place.read(name)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise BadInput(f"{place.at(name)}: cannot be read: {reason(error)}") from None


def _whole_lines(data: bytes) -> list[dict[str, Any]]:
    """Return the lines that were written to their ends."""
    found = []
    for line in data.split(b"\n"):
        check, _, text = line.partition(b" ")
        if text and hashlib.sha256(text).hexdigest()[:16].encode() == check:
            found.append(json.loads(text))
    return found


def read_run(where: str | os.PathLike[str] | Place) -> RunFolder:
    """Read what is known of a run.

    Parameters
    ----------
    where : Place, path or address

    Raises
    ------
    BadInput
        If the folder holds no run, one of another version, or one whose manifest is damaged
        and cannot be put together from the journal.
    """
    place = place_of(where)
    found = find_run(place)
    if found is None:
        what = "it has no manifest.json" if place.exists() else "there is no such folder"
        raise BadInput(f"{place}: no run: {what}")
    return found


def find_run(place: Place) -> RunFolder | None:
    """Read what is known of a run, or return None where there is no trace of one.

    Raises
    ------
    BadInput
        As :func:`read_run`, but for a folder without manifest and journal.
    """
    where = place.at(MANIFEST)
    lines = _whole_lines(_read(place, JOURNAL) or b"")
    data = _read(place, MANIFEST)
    if data is None and not lines:
        return None
    notes: tuple[str, ...] = ()
    try:
        if data is None:
            raise BadInput(f"{where}: missing")
        manifest = parse(data, where)
    except BadInput as error:
        if not lines or "manifest" not in lines[0] or "another version" in str(error):
            raise
        manifest = parse(lines[0]["manifest"], place.at(JOURNAL))
        notes = (f"{error}; taken from the journal",)
    return RunFolder(_with_parts(manifest, lines), notes)


def _with_parts(manifest: Manifest, lines: list[dict[str, Any]]) -> Manifest:
    """Return a manifest with the parts that the journal has entered after it."""
    parts = {part.block: part for part in manifest.parts}
    for line in lines:
        if "part" in line:
            try:
                part = Part.model_validate(line["part"])
            except ValidationError:  # of another version: the block is played again
                continue
            parts[part.block] = part
    if list(parts.values()) == manifest.parts:
        return manifest
    ordered = [parts[block] for block in sorted(parts)]
    fields = manifest.model_dump(mode="json")
    fields["parts"] = [part.model_dump(mode="json") for part in ordered]
    fields["games"] = sum(part.games for part in ordered)
    fields["timings"]["seconds"] = sum(part.seconds for part in ordered)
    return sealed(fields)
