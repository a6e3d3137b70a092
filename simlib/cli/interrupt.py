"""Ctrl-C: one line and exit code 130, at whatever moment it comes.

Python raises KeyboardInterrupt between any two steps of the main thread. Within a library's own
error handling it may become another error, and in code that Python calls by itself (`__del__`,
callbacks from C) it would be printed and forgotten. Here it is remembered, and raised again.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import NoReturn

__all__ = ["asked", "leave", "listen"]

_asked = False
#: Ctrl-C that was lost is repeated after this time, when that code has been left.
PAUSE_S = 0.01
_MAIN = (threading.main_thread().ident, signal.SIGINT)


def listen() -> None:
    """Take note of Ctrl-C from now on."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _note)
        sys.unraisablehook = _again


def asked() -> bool:
    """Tell whether Ctrl-C was pressed: whatever error there is comes of that."""
    return _asked


def leave(code: int) -> NoReturn:
    """End the process after Ctrl-C or SIGTERM, whose work has been put away by now.

    A compilation may be under way in another thread, and Python has ways of its own of ending
    after Ctrl-C: neither shall change the exit code.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            pass
    os._exit(code)


def _note(number: int, frame: object) -> None:
    global _asked
    _asked = True
    raise KeyboardInterrupt


def _again(unraisable: sys.UnraisableHookArgs) -> None:
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        again = threading.Timer(PAUSE_S, signal.pthread_kill, _MAIN)
        again.daemon = True
        again.start()
    elif not _asked:  # else it is the fault of an object that Ctrl-C left half made
        sys.__unraisablehook__(unraisable)
