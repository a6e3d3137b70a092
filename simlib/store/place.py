"""Where the files of a run are: a folder on a disk, or any address that fsspec can open.

The rest of the store names files and lets the place keep them. A place promises that a file
which is put is there whole or not at all, and that one process at a time has its lock.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from simlib.errors import BadInput
from simlib.store.disk import DiskPlace

__all__ = ["Held", "Place", "file_at", "place_of"]

#: Addresses of the disk itself: there a folder can be synced and locked.
DISK = ("file", "local")


class Held(Protocol):
    """A lock that is held."""

    def release(self) -> None:
        """Let others write."""
        ...


@runtime_checkable
class Place(Protocol):
    """A folder of files; what goes wrong is an OSError."""

    @property
    def path(self) -> Path | str:
        """Return what opens it again: a path, or an address."""
        ...

    def at(self, name: str) -> str:
        """Return what a file is called in messages."""
        ...

    def absolute(self) -> str:
        """Return what other processes may call it."""
        ...

    def exists(self) -> bool:
        """Tell whether there is such a folder."""
        ...

    def make(self) -> None:
        """Make the folder, and those above it."""
        ...

    def settle(self) -> None:
        """Wait until the folder itself is where it will last."""
        ...

    def names(self) -> list[str]:
        """Return the names of what is in it."""
        ...

    def below(self) -> Sequence[Place]:
        """Return the folders in it, in order of their names."""
        ...

    def has(self, name: str) -> bool:
        """Tell whether there is such a file."""
        ...

    def size(self, name: str) -> int:
        """Return the bytes of a file."""
        ...

    def sha256(self, name: str) -> str:
        """Return the checksum of a file."""
        ...

    def read(self, name: str) -> bytes:
        """Return a file."""
        ...

    def open(self, name: str) -> Any:
        """Return what Arrow reads a part of a file from."""
        ...

    def put(self, name: str, data: bytes, token: str = "") -> None:
        """Write a file so that it is there whole, or not at all.

        Parameters
        ----------
        name : str
        data : bytes
        token : str
            Hexadecimal, and another one for each of several who may write the same file.
        """
        ...

    def append(self, name: str, line: bytes) -> None:
        """Add a line to a file; if it is cut short, the lines before it stay."""
        ...

    def remove(self, name: str) -> None:
        """Remove a file if it is there."""
        ...

    def lock(self) -> Held:
        """Keep other processes from writing.

        Raises
        ------
        BadInput
            If one of them is, or nothing can be written.
        """
        ...

    def writer(self) -> str | None:
        """Say who is writing, or None if nobody is."""
        ...


def place_of(where: str | os.PathLike[str] | Place) -> Place:
    """Return the place that a path or an address names.

    Raises
    ------
    BadInput
        If it is empty, or an address that cannot be opened.
    """
    if isinstance(where, Place):
        return where
    text = os.fspath(where) if isinstance(where, str | os.PathLike) else None
    if not isinstance(text, str):
        raise BadInput(f"folder {where!r}: give its path, or its address, as text")
    if not text:
        raise BadInput("'' names no folder: give the path of one, . for this one")
    protocol, mark, rest = text.partition("://")
    if mark and protocol not in DISK:
        from simlib.store.remote import RemotePlace

        return RemotePlace(text)
    if isinstance(where, Path) and re.match(r"[a-z][a-z0-9+.]+:/(?!/)", text):
        raise BadInput(f"{text}: give an address as text: a Path loses one of its two slashes")
    return DiskPlace(Path(rest if mark else text))


def file_at(where: str | os.PathLike[str]) -> tuple[Place, str]:
    """Return the place and the name of a file."""
    text = os.fspath(where)
    if "://" not in text:
        return DiskPlace(Path(text).parent), Path(text).name
    folder, _, name = text.rpartition("/")
    return place_of(folder), name
