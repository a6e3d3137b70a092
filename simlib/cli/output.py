"""Where the command line writes: results to standard output, all else to standard error.

What a user's policy file prints, at its top level or within a policy, must not stand among the
results: ``--json`` is one JSON object and nothing else. So while a command works `sys.stdout` is
standard error, and results go out through :func:`say` or :func:`results`. Compiled code prints
through `sys.stdout` too.
"""

from __future__ import annotations

import codecs
import errno
import functools
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any, TextIO, cast

from simlib.errors import RunFailure

__all__ = ["kept", "ready", "results", "say"]

_results: list[TextIO] = []

#: What stands for a character that the terminal's encoding does not have.
LETTERS = {
    "♠": "S", "♥": "H", "♦": "D", "♣": "C", "±": "+-", "−": "-", "–": "-", "…": "...", "×": "x",
}  # fmt: skip


def results() -> TextIO:
    """Return the stream that results are written to."""
    return _results[-1] if _results else sys.stdout


def say(text: object) -> None:
    """Print a line of results."""
    print(text, file=results())


def kept(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return a command that keeps standard output for its results."""

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> Any:
        stream = _Results(sys.stdout)
        _results.append(cast(TextIO, stream))
        try:
            with redirect_stdout(sys.stderr):
                found = command(*args, **kwargs)
            stream.flush()
            return found
        except BrokenPipeError as error:
            if stream.has_reader:  # then another pipe broke, and that is a failure
                raise RunFailure(f"{error.strerror}: {error.filename or 'output'}") from error
            raise
        finally:
            _results.pop()

    return run


class _Results:
    """A stream that knows whether its reader has gone."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.has_reader = True

    def write(self, text: str) -> int:
        with self._watched():
            return self._stream.write(text)

    def flush(self) -> None:
        with self._watched():
            self._stream.flush()

    @contextmanager
    def _watched(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            self.has_reader = False
            raise

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def ready() -> None:
    """Make the standard streams fit to be written to, whatever the caller made of them."""
    # a file opened later must not get the number of a standard stream that is closed
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(number)
    if cast(object, sys.stdin) is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if cast(object, sys.stdout) is None:
        sys.stdout = _Closed()
    if cast(object, sys.stderr) is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    codecs.register_error("simlib.letters", _letters)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="simlib.letters")


class _Closed(io.TextIOBase):
    """Standard output that the caller has closed: an error only once there is something to say."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard output")


def _letters(error: UnicodeError) -> tuple[bytes, int]:
    """Write what the encoding does not have in letters; bytes of a file's name as they are."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    found = b""
    for letter in error.object[error.start : error.end]:
        if "\udc80" <= letter <= "\udcff":
            found += bytes([ord(letter) - 0xDC00])
        else:
            found += LETTERS.get(letter, "?").encode("ascii")
    return found, error.end
