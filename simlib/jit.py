"""How simlib compiles: helpers, kernels and policies, and the cache on disk.

Three kinds of function are jitted. A *helper* is small, called by kernels, policies and
people alike, and typed where it is used. A *kernel* and a built-in *policy* have one explicit
signature, are compiled on first use and kept in a cache on disk.

numba notices a change in a cached function's own file only, not in the helpers that were
inlined into it. So the cache lives in folders named by a fingerprint of the sources that can be
inlined, of numba and of the processor, and older folders are removed.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite.binding
import numba
from numba import config, njit, types
from numba.core.errors import NumbaExperimentalFeatureWarning

__all__ = ["Compiled", "function_type", "helper", "quiet", "undisturbed"]

warnings.filterwarnings(
    "ignore", message="First-class function type", category=NumbaExperimentalFeatureWarning
)

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
#: How long Ctrl-C may wait for an answer while something is compiled.
ANSWER_S = 0.1
#: Folders of other fingerprints are kept this long: another checkout may be using them.
PRUNE_AFTER_S = 14 * 24 * 3600


def helper(function: F) -> F:
    """Jit a small function that kernels, policies and people call."""
    return cast(F, njit(function, forceinline=True, **OPTIONS))


@contextmanager
def quiet() -> Iterator[None]:
    """Silence numba's notice that function types are experimental."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaExperimentalFeatureWarning)
        yield


def function_type(signature: Any) -> Any:
    """Return the type of a first-class function with this signature."""
    with quiet():
        return types.FunctionType(signature)


def undisturbed(work: Callable[[], T]) -> T:
    """Let numba work where Ctrl-C does not reach it, and return what `work` returns.

    Python raises KeyboardInterrupt in the main thread, wherever that is. In the middle of a
    compilation it is lost in a callback of LLVM, leaves an object half made, or ends in a crash.
    So another thread compiles and the main one waits: it can be interrupted at once, while the
    compilation goes on to its end and harms nobody.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, name="simlib-compile").start()
    while not wait((future,), ANSWER_S).done:
        pass  # a signal that comes just before a wait does not end it
    return future.result()


class Compiled:
    """A function with one explicit signature, compiled on first use.

    Parameters
    ----------
    function : callable
        The Python function.
    signature : callable
        Called without arguments at first use; returns the numba signature.
    keep : bool
        Whether the machine code is kept on disk. Code of users is not: its helpers may change
        without numba noticing.
    options : dict, optional
        Further options of :func:`numba.njit`.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        signature: Callable[[], Any],
        *,
        keep: bool = True,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.function = function
        self._signature = signature
        self._keep = keep
        self._options = {**OPTIONS, **(options or {})}
        self._dispatcher: Any = None
        self._entry: Any = None

    def build(self) -> Any:
        """Compile, or load from the cache, and return numba's dispatcher."""
        if self._dispatcher is None:
            undisturbed(self._compile)
        return self._dispatcher

    def _compile(self) -> None:
        source = self.function.__code__.co_filename
        folder = _cache_folder(source) if self._keep and os.path.exists(source) else None
        dispatcher = self._made(folder)
        dispatcher.disable_compile()
        (compiled,) = dispatcher.overloads.values()
        self._entry = compiled.entry_point
        self._dispatcher = dispatcher

    def _made(self, folder: Path | None) -> Any:
        """Return a dispatcher with its machine code, taken from this folder or kept there.

        A file there that was cut off or damaged raises whatever comes of unpickling it, and would
        do so in every later process. It is thrown away: it can be made again. Nor does a folder
        that cannot be read or written hinder anybody.
        """
        for place in (folder, folder, None):
            dispatcher = njit(**self._options)(self.function)
            if place is not None:
                _enable_cache(dispatcher, place)
            try:
                with quiet():
                    dispatcher.compile(self._signature())
                return dispatcher
            except Exception:
                if place is None:
                    raise
                _discard(self.function, place)
        raise AssertionError  # the last turn returns or raises

    def __call__(self, *args: Any) -> Any:
        """Call the machine code; the arguments must have the types of the signature.

        There is one signature, so nothing is looked up, and numba does not warn anew.
        """
        if self._entry is None:
            self.build()
        return self._entry(*args)


def _enable_cache(dispatcher: Any, folder: Path) -> None:
    """Let numba keep the machine code in this folder."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        dispatcher.enable_caching()
    except RuntimeError:  # no place for this function: compile afresh every time
        pass
    finally:
        config.CACHE_DIR = before


def _discard(function: Callable[..., Any], folder: Path) -> None:
    """Remove what numba keeps of this function; it names files ``module.function-line…``."""
    stem = Path(function.__code__.co_filename).stem
    name = re.sub("[<>]", "", f"{stem}.{function.__qualname__}-")
    for file in folder.rglob("*.nb[ic]"):
        if file.name.startswith(name):
            with suppress(OSError):
                file.unlink()


#: Sources with helpers that other files inline, relative to the package.
SHARED = ("cards.py", "jit.py", "policy.py", "rng.py", "games/*.py")


@cache
def _fingerprint(source: str) -> str:
    """Return a fingerprint of all that a function of this file can be made of.

    A game inlines helpers of its own folder and of the shared files only, so that a change in
    one game leaves the machine code of the others alone.
    """
    root = Path(__file__).parent
    path = Path(source)
    folder = path.parent
    own = sorted(folder.glob("*.py")) if folder.parent == root / "games" else [path]
    shared = [file for pattern in SHARED for file in sorted(root.glob(pattern))]
    digest = hashlib.sha256()
    for file in dict.fromkeys([*own, *shared]):
        digest.update(file.name.encode())
        digest.update(file.read_bytes())
    digest.update(f"{numba.__version__} {llvmlite.__version__} {sys.version}".encode())
    digest.update(llvmlite.binding.get_host_cpu_name().encode())
    digest.update(llvmlite.binding.get_host_cpu_features().flatten().encode())
    return digest.hexdigest()[:20]


@cache
def _cache_folder(source: str) -> Path | None:
    """Return the folder of this fingerprint, or None where nothing can be written."""
    for base in _bases():
        folder = base / _fingerprint(source)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            probe = folder / f".probe-{os.getpid()}"
            probe.touch()
            probe.unlink()
        except OSError:
            continue
        os.utime(folder)
        _prune(base, keep=folder.name)
        return folder
    return None


def _bases() -> Iterator[Path]:
    named = os.environ.get("SIMLIB_CACHE_DIR")
    if named:
        yield Path(named)
        return
    yield Path(__file__).parent / "__pycache__" / "kernels"
    from platformdirs import user_cache_dir

    yield Path(user_cache_dir("simlib", appauthor=False)) / "kernels"


def _prune(base: Path, keep: str) -> None:
    limit = time.time() - PRUNE_AFTER_S
    for old in base.iterdir():
        try:
            if old.name != keep and old.is_dir() and old.stat().st_mtime < limit:
                shutil.rmtree(old, ignore_errors=True)
        except OSError:
            continue
