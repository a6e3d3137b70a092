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
import shutil
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import llvmlite.binding
import numba
from numba import config, njit, types
from numba.core.errors import NumbaExperimentalFeatureWarning

__all__ = ["Compiled", "function_type", "helper", "quiet"]

warnings.filterwarnings(
    "ignore", message="First-class function type", category=NumbaExperimentalFeatureWarning
)

F = TypeVar("F", bound=Callable[..., Any])
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
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
            dispatcher = njit(**self._options)(self.function)
            if self._keep and os.path.exists(self.function.__code__.co_filename):
                _enable_cache(dispatcher)
            with quiet():
                dispatcher.compile(self._signature())
            dispatcher.disable_compile()
            (compiled,) = dispatcher.overloads.values()
            self._entry = compiled.entry_point
            self._dispatcher = dispatcher
        return self._dispatcher

    def __call__(self, *args: Any) -> Any:
        """Call the machine code; the arguments must have the types of the signature.

        There is one signature, so nothing is looked up, and numba does not warn anew.
        """
        if self._entry is None:
            self.build()
        return self._entry(*args)


def _enable_cache(dispatcher: Any) -> None:
    folder = _cache_folder(dispatcher.py_func.__code__.co_filename)
    if folder is None:
        return
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        dispatcher.enable_caching()
    except RuntimeError:  # no place for this function: compile afresh every time
        pass
    finally:
        config.CACHE_DIR = before


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
