"""What numba makes of somebody's policy, and why it may not be played.

A policy of a user is compiled for trial first: numba would cut a float down without a word, and
what it says of a fault is a page long and names its own files.
"""

from __future__ import annotations

import dis
import inspect
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import njit, types
from numba.core.errors import NumbaWarning

from simlib.errors import BadInput
from simlib.jit import OPTIONS, undisturbed

__all__ = ["USER_OPTIONS", "check"]

#: Code of users is checked where ours is not: an index out of bounds and a division by zero
#: stop the run, as they do in plain Python.
USER_OPTIONS: dict[str, Any] = {"boundscheck": True, "error_model": "python"}

_CHANCE = (
    "takes chance from random or np.random, which no seed of a run reaches;"
    " take it from rng: sl.below(rng, n) (C-4)"
)
#: What the machine code calls, and what that means: such a policy could play the same game
#: differently another time. Helpers that it calls are seen as well.
_FORBIDDEN = {
    "numba_get_np_random_state": _CHANCE,
    "numba_get_py_random_state": _CHANCE,
    "_numba_hashsecret": "takes the hash of a text, which every process makes anew (C-4)",
    "PyObject_Call": "goes back to Python (objmode), where anything may happen (C-4)",
    "PyImport_Import": "goes back to Python (a callback), where anything may happen (C-4)",
    "numba.dynamic.globals": "calls a C library, where anything may happen (C-4)",
}

_OPCODES = {
    "STORE_GLOBAL": "it sets a global name; a policy keeps no state: it decides from view and rng",
    "DELETE_GLOBAL": "it deletes a global name; a policy keeps no state",
    "STORE_DEREF": "it sets a name of an outer function; a policy keeps no state",
    "IMPORT_NAME": "it imports inside the function; put imports at the top of the file",
}
_ALLOCATES = (
    "it makes an array or a list, for which it has to ask: @simlib.policy(..., allocates=True);"
    " whole numbers as masks need none"
)


def check(
    function: Callable[..., Any], args: tuple[Any, ...], label: str, *, allocates: bool
) -> None:
    """Refuse a policy that does not compile, returns no whole number or is not repeatable.

    Parameters
    ----------
    function : callable
        ``decide(view, rng)``.
    args : tuple
        The numba types of view and rng.
    label : str
        How messages name the policy.
    allocates : bool
        Whether it may make arrays.

    Raises
    ------
    BadInput
        In one line: which policy, which line of its source, and what to write instead.
    """
    for step in dis.get_instructions(function):
        if step.opname == "STORE_DEREF" and step.argval in function.__code__.co_freevars:
            raise BadInput(f"policy {label!r}: {_OPCODES['STORE_DEREF']}")
    trial = njit(**{**OPTIONS, **USER_OPTIONS, "_nrt": allocates})(function)
    try:
        undisturbed(lambda: _compile(trial, args))
    except Exception as error:  # numba lets any kind out: KeyError for a field, for instance
        why = _Why(function, args, error)
        raise BadInput(
            f"policy {label!r} does not compile{why.where()}: {why.reason(allocates)}"
        ) from None
    (made,) = trial.overloads.values()
    result = made.signature.return_type
    if not isinstance(result, types.Integer):
        kind = "a generator" if isinstance(result, types.Generator) else str(result)
        raise BadInput(
            f"policy {label!r} returns {kind}; a policy returns a whole number:"
            " an option of view.options, or STOP"
        )
    code = made.library.get_llvm_str()
    for symbol, meaning in _FORBIDDEN.items():
        if symbol in code:
            raise BadInput(f"policy {label!r} {meaning}")


def _compile(trial: Any, args: tuple[Any, ...]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaWarning)
        trial.compile(args)


class _Why:
    """Says in one line for people what numba says in a page."""

    def __init__(
        self, function: Callable[..., Any], args: tuple[Any, ...], error: Exception
    ) -> None:
        self.function = function
        self.args = args
        self.error = error
        self.text = str(error)
        for name, kind in zip(("view", "rng"), args, strict=True):
            self.text = self.text.replace(str(kind), name)

    def reason(self, allocates: bool) -> str:
        """Return what is wrong and, where it can be told, what to write."""
        if isinstance(self.error, KeyError):
            return self._field(str(self.error.args[0]))
        opcode = re.search(r"unsupported opcode \((\w+)\)", self.text)
        if opcode:
            name = opcode[1]
            return _OPCODES.get(name, f"numba compiles no such Python ({name})")
        if not allocates and (
            "NRT required" in self.text or "Only accept returning of array" in self.text
        ):
            return _ALLOCATES
        if "setitem(readonly array" in self.text:
            return "it sets a global array; a policy keeps no state: it decides from view and rng"
        helper = re.search(r"global name '(\w+)': Cannot .* <class 'function'>", self.text)
        if helper:
            return f"{helper[1]} is plain Python; a helper needs @numba.njit"
        lines = [line.strip() for line in self.text.splitlines() if line.strip()]
        lines = [line for line in lines if not line.startswith("Failed in")]
        if not lines:
            return type(self.error).__name__
        call = next((line[3:].strip() for line in lines if line.startswith(">>>")), "")
        if lines[0].startswith("No implementation of function") and call:
            call = call.replace("<unknown function>", "a call with ")
            return f"no such operation on these types: {call}"
        return lines[0]

    def _field(self, name: str) -> str:
        view, _ = self.args
        variable = list(inspect.signature(self.function).parameters)[1]
        if name in view.fields:  # a fault of another kind
            return f"KeyError: {name!r}"
        if _loaded(self.function, name)[0] == variable:
            return f"there is no {variable}.{name}; chance is taken with sl.below({variable}, n)"
        return f"there is no view.{name}; view has the fields {', '.join(view.fields)}"

    def where(self) -> str:
        """Return ", line N (its text)", or nothing where the line cannot be told."""
        number = self._line()
        if number is None:
            return ""
        try:
            source = Path(self.function.__code__.co_filename).read_text(encoding="utf-8")
            line = source.splitlines()[number - 1].strip()
        except (OSError, ValueError, IndexError):  # typed at a prompt
            return f", line {number}"
        return f", line {number} ({line})"

    def _line(self) -> int | None:
        code = self.function.__code__
        if isinstance(self.error, KeyError):
            return _loaded(self.function, str(self.error.args[0]))[1]
        name = re.escape(Path(code.co_filename).name)
        found = re.search(rf'{name}"?,? (?:line |\()(\d+)', self.text)
        if found:
            return int(found[1])
        place = getattr(self.error, "loc", None)
        return None if place is None or place.filename != code.co_filename else int(place.line)


def _loaded(function: Callable[..., Any], attribute: str) -> tuple[object, int | None]:
    """Return of which variable the code asks for this attribute, and in which line."""
    variable: object = None
    for step in dis.get_instructions(function):
        if step.opname.endswith("_ATTR") or step.opname == "LOAD_METHOD":
            if step.argval == attribute and step.positions is not None:
                return variable, step.positions.lineno
        variable = step.argval
    return None, None
