"""The source text of a policy, whole enough to be run elsewhere, and back to a policy.

A manifest has to play a run again on its own, and a worker of a cluster has none of the
caller's modules. So a user's policy travels as one text: its function, and whatever that
function uses of the caller's own: helpers, constants, imports, each found by following names.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import inspect
import linecache
import sys
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import FunctionType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from simlib.errors import BadInput
from simlib.policy import Policy, policy

__all__ = ["Source", "capture", "normal", "revive"]

#: Their functions are imported; those of other modules are the user's and are copied.
LIBRARIES = frozenset({"simlib", "numpy", "numba"}) | sys.stdlib_module_names
#: Arrays up to this many elements are written into the text.
MOST_ELEMENTS = 10_000
HEADER = "from __future__ import annotations\n"


class Source(NamedTuple):
    """The text of a policy, and the names that it uses but that could not be put into it."""

    text: str
    missing: tuple[str, ...]


def capture(policy: Policy) -> Source:
    """Return the source text of a policy.

    Returns
    -------
    Source
        For a built-in policy its function alone, since the package has the rest.
    """
    if policy.builtin:
        return Source(policy.source, ())
    found = _Capture()
    found.function(policy.function)
    return Source(HEADER + "\n" + "\n\n".join(found.pieces) + "\n", tuple(sorted(found.missing)))


class _Capture:
    """Follows the names of a function, and writes down what each of them is."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.missing: set[str] = set()
        self._known: dict[str, Any] = {}
        self._done: set[int] = set()

    def function(self, function: Callable[..., Any]) -> None:
        """Write down a function after everything that it uses."""
        if id(function) in self._done:
            return
        self._done.add(id(function))
        try:
            text = textwrap.dedent(inspect.getsource(function))
            tree = ast.parse(text)
        except (OSError, TypeError, SyntaxError):
            self.missing.add(f"the source of {function.__name__}")
            return
        if not isinstance(tree.body[0], ast.FunctionDef):
            self.missing.add(f"the source of {function.__name__} (write it with def)")
            return
        if self._clashes(function.__name__, function):
            return
        scope = _scope(function)
        for name in _names(tree.body[0]):
            if name in scope:
                self._value(name, scope[name])
            elif not hasattr(builtins, name):
                self.missing.add(name)
        self.pieces.append(text.strip())

    def _clashes(self, name: str, value: Any) -> bool:
        """Remember what a name stands for; tell whether it stands for something else too."""
        known = self._known.setdefault(name, value)
        plain = getattr(known, "py_func", known)
        if plain is value or plain is getattr(value, "py_func", value):
            return False
        if (text := _constant(known)) is not None and text == _constant(value):
            return False
        self.missing.add(f"{name} (it means two things)")
        return True

    def _value(self, name: str, value: Any) -> None:
        """Write down what makes `name` stand for `value`."""
        new = name not in self._known
        if self._clashes(name, value) or not new:
            return
        if isinstance(value, ModuleType):
            self._import(name, value.__name__)
        elif (constant := _constant(value)) is not None:
            needs, text = constant
            if needs:
                self._value(needs, sys.modules[needs])
            self.pieces.append(f"{name} = {text}")
        else:
            self._callable(name, value)

    def _import(self, name: str, module: str) -> None:
        if module.partition(".")[0] not in LIBRARIES:
            self.missing.add(f"{name} (the module {module})")
        elif name == module:
            self.pieces.append(f"import {module}")
        else:
            self.pieces.append(f"import {module} as {name}")

    def _callable(self, name: str, value: Any) -> None:
        plain = getattr(value, "py_func", value)  # numba's dispatchers wrap a function
        module, label = getattr(plain, "__module__", None), getattr(plain, "__name__", None)
        if isinstance(module, str) and isinstance(label, str):
            if module.partition(".")[0] in LIBRARIES:
                if getattr(sys.modules.get(module), label, None) is value:
                    renamed = "" if label == name else f" as {name}"
                    self.pieces.append(f"from {module} import {label}{renamed}")
                    return
            elif isinstance(plain, FunctionType):
                self.function(plain)
                if name != label:
                    self.pieces.append(f"{name} = {label}")
                return
        self.missing.add(name)


def _scope(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the names that a function finds outside itself."""
    scope = dict(getattr(function, "__globals__", {}))
    code, cells = function.__code__, function.__closure__ or ()
    for name, cell in zip(code.co_freevars, cells, strict=True):
        try:
            scope[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            continue
    return scope


def _names(node: ast.FunctionDef) -> list[str]:
    """Return the names that are read and not made inside, in the order of the text."""
    inside = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
    inside |= {part.name for part in ast.walk(node) if isinstance(part, ast.FunctionDef)}
    read: dict[str, None] = {}
    skipped = _annotations(node)
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and id(part) not in skipped:
            if isinstance(part.ctx, ast.Load):
                read.setdefault(part.id)
            else:
                inside.add(part.id)
    return [name for name in read if name not in inside]


def _annotations(node: ast.FunctionDef) -> set[int]:
    """Return the nodes of annotations: they are never evaluated (HEADER)."""
    roots = [arg.annotation for arg in ast.walk(node) if isinstance(arg, ast.arg)]
    roots += [part.annotation for part in ast.walk(node) if isinstance(part, ast.AnnAssign)]
    roots.append(node.returns)
    return {id(part) for root in roots if root is not None for part in ast.walk(root)}


def _constant(value: Any) -> tuple[str, str] | None:
    """Return (module needed, text) of a number, text, tuple or array; None for other things."""
    if value is None or isinstance(value, bool | int | str):
        return "", repr(value)
    if isinstance(value, np.generic):
        inner = _constant(value.item())
        return None if inner is None else ("numpy", f"numpy.{type(value).__name__}({inner[1]})")
    if isinstance(value, float):
        return "", repr(value) if np.isfinite(value) else f"float({str(value)!r})"
    if isinstance(value, tuple):
        inner_all = [_constant(item) for item in value]
        if any(item is None for item in inner_all):
            return None
        texts = [item for item in inner_all if item is not None]
        needs = "numpy" if any(need for need, _ in texts) else ""
        return needs, f"({', '.join(text for _, text in texts)}{',' * (len(texts) == 1)})"
    if isinstance(value, np.ndarray) and value.size <= MOST_ELEMENTS and value.dtype.kind in "biuf":
        return "numpy", f"numpy.array({value.tolist()!r}, numpy.{value.dtype.name})"
    return None


def normal(text: str) -> str:
    """Return a text without what changes nothing: comments, blank lines, layout."""
    try:
        return ast.dump(ast.parse(textwrap.dedent(text)))
    except SyntaxError:
        return text


def revive(
    text: str,
    *,
    game: str,
    function: str,
    name: str,
    says: str = "",
    params: Mapping[str, float] | None = None,
    uses_chance: bool | None = None,
    allocates: bool = False,
    origin: str = "",
) -> Policy:
    """Execute the text of a policy and return the policy.

    This runs what somebody else may have written: ask the person first.

    Parameters
    ----------
    text : str
        As :func:`capture` gives it.
    game, name, says, params, uses_chance, allocates, origin
        Of the policy.
    function : str
        Name of its function in the text.

    Raises
    ------
    BadInput
        If the text does not run, or has no such function.
    """
    label = f"<policy {name} {hashlib.sha256(text.encode()).hexdigest()[:12]}>"
    # inspect finds the text again, for the manifest of the run that is played with it
    linecache.cache[label] = (len(text), None, text.splitlines(keepends=True), label)
    scope: dict[str, Any] = {"__name__": f"simlib_policy_{abs(hash(label))}"}
    try:
        exec(compile(text, label, "exec"), scope)
    except (Exception, SystemExit) as error:
        raise BadInput(
            f"policy {name!r}: its source stops with {type(error).__name__}: {error}"
        ) from None
    found = scope.get(function)
    plain = found.function if isinstance(found, Policy) else getattr(found, "py_func", found)
    if not isinstance(plain, FunctionType):
        raise BadInput(f"policy {name!r}: its source has no function {function!r}")
    make = policy(
        game,
        name=name,
        says=says,
        params=params,
        uses_chance=uses_chance,
        allocates=allocates,
    )
    return replace(make(plain), origin=origin)
