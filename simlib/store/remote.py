"""Runs at an address that fsspec knows: an object store, another machine, memory.

An object store shows an object once it is there whole, so that one put does what a disk needs
a second name, a sync and a rename for. It cannot add to an object: a file that grows is put
anew. Its lock is an object that only one process can create. A process that is killed leaves
the lock behind, and nobody but a person can tell that it is dead.
"""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from simlib.errors import BadInput
from simlib.manifest import now
from simlib.store.disk import LOCK, reason

__all__ = ["RemotePlace"]


class RemotePlace:
    """A folder at an address.

    Parameters
    ----------
    address : str
        ``s3://bucket/run`` and the like; fsspec's own settings say how one logs in.

    Raises
    ------
    BadInput
        If fsspec, or the package that it needs for this kind of address, is not installed.
    """

    def __init__(self, address: str) -> None:
        self.path = address.rstrip("/")
        self._files, self._root = _open(self.path)

    def __str__(self) -> str:
        return self.path

    def at(self, name: str) -> str:
        """Return what a file is called in messages."""
        return f"{self.path}/{name}"

    def absolute(self) -> str:
        """Return what other processes may call it."""
        return self.path

    def _key(self, name: str) -> str:
        return f"{self._root}/{name}"

    # --- the folder ------------------------------------------------------------------------

    def exists(self) -> bool:
        """Tell whether there is anything under this address."""
        try:
            self.names()
        except (FileNotFoundError, NotADirectoryError):
            return False
        return True

    def make(self) -> None:
        """Make the folder, where there is such a thing."""
        with _plain():
            self._files.makedirs(self._root, exist_ok=True)

    def settle(self) -> None:
        """Do nothing: what has been put is there to stay."""

    def names(self) -> list[str]:
        """Return the names of what is in it."""
        return [path.rpartition("/")[2] for path, _ in self._list()]

    def below(self) -> list[RemotePlace]:
        """Return the folders in it, in order of their names."""
        names = [path.rpartition("/")[2] for path, kind in self._list() if kind == "directory"]
        return [RemotePlace(self.at(name)) for name in sorted(names) if not name.startswith(".")]

    def _list(self) -> list[tuple[str, str]]:
        """Return (path, kind) of what is in it now, whatever was seen before."""
        with _plain():
            self._files.invalidate_cache(self._root)
            found = self._files.ls(self._root, detail=True)
        listed = [(entry["name"].rstrip("/"), entry["type"]) for entry in found]
        root = self._root.strip("/")
        if [(path.strip("/"), kind) for path, kind in listed] == [(root, "file")]:
            raise NotADirectoryError(errno.ENOTDIR, "not a folder", self.path)
        return [(path, kind) for path, kind in listed if path.strip("/") != root]

    # --- its files -------------------------------------------------------------------------

    def has(self, name: str) -> bool:
        """Tell whether there is such a file."""
        with _plain():
            self._files.invalidate_cache(self._root)
            return bool(self._files.exists(self._key(name)))

    def size(self, name: str) -> int:
        """Return the bytes of a file."""
        with _plain():
            self._files.invalidate_cache(self._root)
            return int(self._files.info(self._key(name))["size"])

    def sha256(self, name: str) -> str:
        """Return the checksum of a file."""
        return hashlib.sha256(self.read(name)).hexdigest()

    def read(self, name: str) -> bytes:
        """Return a file."""
        with _plain():
            return bytes(self._files.cat_file(self._key(name)))

    def open(self, name: str) -> Any:
        """Return what Arrow reads a part of a file from."""
        with _plain():
            return self._files.open(self._key(name), "rb")

    def put(self, name: str, data: bytes, token: str = "") -> None:
        """Write a file so that it is there whole, or not at all."""
        with _plain():
            self._files.pipe_file(self._key(name), data)

    def append(self, name: str, line: bytes) -> None:
        """Add a line to a file, by putting it anew."""
        self.put(name, self.read(name) + line)

    def remove(self, name: str) -> None:
        """Remove a file if it is there."""
        try:
            with _plain():
                self._files.rm_file(self._key(name))
        except FileNotFoundError:
            pass

    # --- one process writes ----------------------------------------------------------------

    def lock(self) -> RemoteLock:
        """Keep other processes from writing; see :class:`RemoteLock`."""
        return RemoteLock(self)

    def writer(self) -> str | None:
        """Say who is writing, or None if nobody is."""
        try:
            since = self.read(LOCK).decode("ascii", "replace").strip()
        except OSError:
            return None
        return f"a process is writing to it ({since}), or was killed while it did"

    def create(self, name: str, data: bytes) -> None:
        """Write a file that must not be there yet.

        Raises
        ------
        FileExistsError
            If it is there.
        OSError
            If it cannot be written, or only in place of another.
        """
        with _plain(), self._files.open(self._key(name), "xb") as file:
            file.write(data)


class RemoteLock:
    """One process writes to an address: the one that could create the object of the lock.

    Parameters
    ----------
    place : RemotePlace

    Raises
    ------
    BadInput
        If the object is there, nothing can be written, or a second process could create the
        object as well: then nothing would keep two of them apart.
    """

    def __init__(self, place: RemotePlace) -> None:
        self._place = place
        said = f"since {now()}\n".encode()
        try:
            place.create(LOCK, said)
        except FileExistsError:
            who = place.writer() or "a process was writing to it"
            raise BadInput(
                f"{place}: {who}; wait for it, or give another folder, or, if you know that it"
                f" is dead, remove {place.at(LOCK)}"
            ) from None
        except OSError as error:
            raise BadInput(f"{place}: cannot be written: {reason(error)}") from None
        try:
            place.create(LOCK, said)
        except FileExistsError:
            return  # as it should be
        except OSError:
            pass
        self.release()
        raise BadInput(
            f"{place}: nothing there keeps two processes from writing to one run (a file can"
            " always be created in place of another); give another folder"
        )

    def release(self) -> None:
        """Let others write."""
        try:
            self._place.remove(LOCK)
        except OSError:
            pass  # it is found, and named, when the run goes on


def _open(address: str) -> tuple[Any, str]:
    """Return the filesystem of an address, and the path in it."""
    protocol = address.partition("://")[0]
    try:
        import fsspec
    except ImportError:
        raise BadInput(
            f'{address}: an address needs fsspec: pip install "king-simlib[cluster]"; or give a'
            " folder"
        ) from None
    try:
        files, root = fsspec.url_to_fs(address)
    except ImportError as error:
        raise BadInput(f"{address}: {_line(error)}") from None
    except Exception as error:
        raise BadInput(f"{address}: {protocol}:// cannot be opened: {_line(error)}") from None
    return files, str(root).rstrip("/")


@contextmanager
def _plain() -> Iterator[None]:
    """Let whatever goes wrong be an OSError: each filesystem has errors of its own."""
    try:
        yield
    except OSError:
        raise
    except Exception as error:
        raise OSError(f"{type(error).__name__}: {_line(error)}") from error


def _line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
