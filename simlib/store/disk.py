"""Every step on the disk, each one a function: tests stop the process between any two.

A file is written under a temporary name, synced, renamed, and its folder synced: it is there
whole, or not at all. A journal is appended to and synced line by line.
"""

from __future__ import annotations

import errno
import hashlib
import os
import time
from pathlib import Path

from simlib.errors import BadInput, RunFailure

__all__ = [
    "LOCK",
    "DiskPlace",
    "Lock",
    "append",
    "is_locked",
    "put",
    "reason",
    "remove",
    "room_failure",
    "sha256_of",
]

LOCK = ".lock"
#: How often, and after how many seconds, a lock is asked for again: `runs` may be looking.
LOCK_TRIES, LOCK_PAUSE = 5, 0.05


def put(folder: Path, name: str, data: bytes, token: str = "") -> None:
    """Write a file so that it is there whole, or not at all.

    Parameters
    ----------
    token : str
        Part of the temporary name, hexadecimal, where several may write the same file.
    """
    temporary = folder / (f".{name}.{token}.tmp" if token else f".{name}.tmp")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        try:
            write(descriptor, data)
            sync(descriptor)
        finally:
            os.close(descriptor)
        rename(temporary, folder / name)
    except OSError:
        temporary.unlink(missing_ok=True)  # it would take up the room that is missing
        raise
    sync_folder(folder)


def append(path: Path, line: bytes) -> None:
    """Add a line to a file and sync it."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
    try:
        write(descriptor, line)
        sync(descriptor)
    finally:
        os.close(descriptor)


def write(descriptor: int, data: bytes) -> None:
    """Write all of `data`."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def sync(descriptor: int) -> None:
    """Wait until a file is on the disk."""
    os.fsync(descriptor)


def rename(old: Path, new: Path) -> None:
    """Give a file its name, in place of one that had it."""
    os.replace(old, new)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove(path: Path) -> None:
    """Remove a file if it is there."""
    path.unlink(missing_ok=True)


def sha256_of(path: Path) -> str:
    """Return the checksum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def reason(error: OSError) -> str:
    """Return what an error says, without the file that it is about."""
    return error.strerror or str(error)


def room_failure(where: object, error: OSError, kept: str) -> RunFailure:
    """Return the error that says why a run could not go on writing, on one line.

    Parameters
    ----------
    where : Place
    error : OSError
    kept : str
        What there is all the same.
    """
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        why = "no room left on the disk"
    else:
        why = reason(error).lower()
    if error.filename is not None:
        why = f"{os.path.basename(os.fsdecode(error.filename))}: {why}"
    return RunFailure(f"{where}: {why}; {kept}; put it right, then: simlib resume {where}")


class Lock:
    """One process writes to a folder. The system lets go of the lock when a process dies.

    Parameters
    ----------
    folder : Path

    Raises
    ------
    BadInput
        If another process, or another run of this one, has it.
    """

    def __init__(self, folder: Path) -> None:
        import fcntl

        try:
            self._descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
        except OSError as error:
            raise BadInput(f"{folder}: cannot be written: {error.strerror}") from None
        for left in reversed(range(LOCK_TRIES)):
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError:
                if left == 0:
                    who = os.pread(self._descriptor, 32, 0).decode("ascii", "replace").strip()
                    os.close(self._descriptor)
                    by = f" (process {who})" if who else ""
                    raise BadInput(
                        f"{folder}: another process{by} is writing to this run; wait for it,"
                        " or give another folder"
                    ) from None
                time.sleep(LOCK_PAUSE)
        os.ftruncate(self._descriptor, 0)
        os.pwrite(self._descriptor, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Let others write."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def is_locked(folder: Path) -> bool:
    """Tell whether a process is writing to a folder."""
    import fcntl

    try:
        descriptor = os.open(folder / LOCK, os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


class DiskPlace:
    """A folder on a disk: each file is synced, each name is given by a rename.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def __str__(self) -> str:
        return str(self.path)

    def at(self, name: str) -> str:
        """Return what a file is called in messages."""
        return str(self.path / name)

    def absolute(self) -> str:
        """Return what other processes may call it."""
        return str(self.path.resolve())

    def exists(self) -> bool:
        """Tell whether there is such a folder."""
        return self.path.is_dir()

    def make(self) -> None:
        """Make the folder, and those above it."""
        self.path.mkdir(parents=True, exist_ok=True)

    def settle(self) -> None:
        """Wait until the folder's own name is on the disk."""
        sync_folder(self.path.resolve().parent)

    def names(self) -> list[str]:
        """Return the names of what is in it."""
        return os.listdir(self.path)

    def below(self) -> list[DiskPlace]:
        """Return the folders in it, in order of their names; not through links."""
        names = sorted(
            entry.name
            for entry in os.scandir(self.path)
            if entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")
        )
        return [DiskPlace(self.path / name) for name in names]

    def has(self, name: str) -> bool:
        """Tell whether there is such a file."""
        return (self.path / name).exists()

    def size(self, name: str) -> int:
        """Return the bytes of a file."""
        return (self.path / name).stat().st_size

    def sha256(self, name: str) -> str:
        """Return the checksum of a file."""
        return sha256_of(self.path / name)

    def read(self, name: str) -> bytes:
        """Return a file."""
        return (self.path / name).read_bytes()

    def open(self, name: str) -> Path:
        """Return what Arrow reads a part of a file from."""
        return self.path / name

    def put(self, name: str, data: bytes, token: str = "") -> None:
        """Write a file so that it is there whole, or not at all."""
        put(self.path, name, data, token)

    def append(self, name: str, line: bytes) -> None:
        """Add a line to a file and sync it."""
        append(self.path / name, line)

    def remove(self, name: str) -> None:
        """Remove a file if it is there."""
        remove(self.path / name)

    def lock(self) -> Lock:
        """Keep other processes from writing; the system lets go of it when this one dies."""
        return Lock(self.path)

    def writer(self) -> str | None:
        """Say who is writing, or None if nobody is."""
        return "a process is writing to it" if is_locked(self.path) else None
