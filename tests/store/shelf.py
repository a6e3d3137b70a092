"""An object store in a folder, as fsspec sees it: several processes share it.

An object is there once it is put whole; nothing can be added to it; a listing is remembered until
the cache is given up, as stores on the network do.
"""

from __future__ import annotations

import io
import os
import uuid
from typing import Any

import fsspec
from fsspec.implementations.local import LocalFileSystem

__all__ = ["Careless", "Private", "Shelf", "register"]


class Shelf(LocalFileSystem):
    """``shelf:///folder``."""

    protocol = "shelf"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.seen: dict[str, Any] = {}

    def pipe_file(self, path: str, value: bytes, mode: str = "overwrite", **options: Any) -> None:
        """Put an object: all of it, or nothing."""
        path = self._strip_protocol(path)
        beside = f"{path}.{uuid.uuid4().hex}.put"
        with open(beside, "wb") as file:
            file.write(value)
        os.replace(beside, path)

    def ls(self, path: str, detail: bool = False, **options: Any) -> Any:
        """List a folder, as it was when it was first listed."""
        path = self._strip_protocol(path)
        if path not in self.seen:
            found = super().ls(path, detail=True, **options)
            self.seen[path] = [entry for entry in found if not entry["name"].endswith(".put")]
        return self.seen[path] if detail else [entry["name"] for entry in self.seen[path]]

    def invalidate_cache(self, path: str | None = None) -> None:
        """Forget what was listed."""
        self.seen.clear()

    def _open(self, path: str, mode: str = "rb", **options: Any) -> Any:
        if "a" in mode or "+" in mode:
            raise io.UnsupportedOperation("an object cannot be changed")
        return super()._open(path, mode=mode, **options)


class Careless(Shelf):
    """A store in which "create, if it is not there" is "put": two processes are not kept apart."""

    protocol = "careless"

    def _open(self, path: str, mode: str = "rb", **options: Any) -> Any:
        return super()._open(path, mode=mode.replace("x", "w"), **options)


class Private(Shelf):
    """A store for which others lack the package."""

    protocol = "private"


def register(*kinds: type[Shelf]) -> None:
    """Let fsspec know them, in this process; all of them, if none is named."""
    for kind in kinds or (Shelf, Careless, Private):
        fsspec.register_implementation(kind.protocol, kind, clobber=True)
