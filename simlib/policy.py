"""Policies: one function ``decide(view, rng) -> move`` (C-5, C-6).

``view`` is a record of what the player at that seat sees; its fields are documented with each
game. ``rng`` is the seat's own stream. The answer is the number of an option: a bit of
``view.options``, or ``STOP`` where ``view.may_stop`` says so.
"""

from __future__ import annotations

import dis
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.core import cgutils
from numba.extending import intrinsic

from simlib.errors import BadInput
from simlib.jit import Compiled, function_type
from simlib.policy_code import USER_OPTIONS, check
from simlib.rng import RNG_TYPE

__all__ = ["PARAMS", "PAUSE", "STOP", "Policy", "load_file", "parse", "policy"]

#: Number of parameters that a policy may have.
PARAMS = 8
#: The answer "I end my run / my turn here".
STOP = -1
#: An answer that only our own stepping policy may give: leave the deal where it is.
PAUSE = -2

_VIEWS: dict[str, np.dtype[np.void]] = {}


def register_view(game: str, fields: Sequence[tuple[str, str, str]]) -> np.dtype[np.void]:
    """Make a game's view dtype from (field, code or code:shape, meaning) and remember it.

    The record is padded to whole words, so that a kernel can rewrite it word by word.
    """
    described = []
    for name, code, _ in fields:
        base, _, shape = code.partition(":")
        sizes = tuple(int(size) for size in shape.split("x")) if shape else ()
        described.append((name, base, sizes) if sizes else (name, base))
    dtype = np.dtype(described, align=True)
    _VIEWS[game] = dtype
    return dtype


def view_dtype(game: str) -> np.dtype[np.void]:
    """Return the view dtype of a game."""
    if game not in _VIEWS:
        from simlib.games import get

        get(game)
    return _VIEWS[game]


def signature(game: str) -> Any:
    """Return the numba signature of a policy of this game."""
    return types.int64(from_dtype(view_dtype(game)), RNG_TYPE)


def policy_type(game: str) -> Any:
    """Return the type by which a kernel calls policies of this game."""
    return function_type(signature(game))


@intrinsic  # type: ignore[untyped-decorator]
def lay_out(typing: Any, policies: Any) -> Any:
    """Lay a tuple of policies out in memory and return where; once a kernel, not once a call.

    numba picks an element of a tuple by jumping to code of its own for each index: a jump that
    the processor cannot predict when seats alternate.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.gep(
            cgutils.alloca_once_value(builder, args[0]), [ir.IntType(32)(0), ir.IntType(32)(0)]
        )

    return types.CPointer(policies.dtype)(policies), codegen


@intrinsic  # type: ignore[untyped-decorator]
def at_seat(typing: Any, laid_out: Any, seat: Any) -> Any:
    """Return the policy at a seat, from what ``lay_out`` returned."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(builder.gep(args[0], [args[1]]))

    return laid_out.dtype(laid_out, types.int64), codegen


@dataclass(frozen=True)
class Policy:
    """A scripted way of playing.

    Attributes
    ----------
    name : str
        As in ``--policies``.
    game : str
        The game it plays.
    function : callable
        ``decide(view, rng)`` in plain Python.
    says : str
        One sentence on what a person who plays like this does.
    uses_chance : bool
        Whether it ever uses its stream (C-10).
    params : mapping of str to float
        Parameters and their values; they reach the function as ``view.params``.
    builtin : bool
        Ours: compiled without bounds checks and kept in the cache on disk.
    allocates : bool
        Whether it makes arrays of its own (scratch memory of a search), which has to be asked
        for: policies are compiled without numba's memory manager.
    """

    name: str
    game: str
    function: Callable[[Any, Any], int]
    says: str = ""
    uses_chance: bool = False
    params: Mapping[str, float] = field(default_factory=dict)
    builtin: bool = False
    allocates: bool = False
    origin: str = ""
    _defaults: Mapping[str, float] = field(default_factory=dict, repr=False, compare=False)
    _compiled: list[Compiled] = field(default_factory=list, repr=False, compare=False)

    def __call__(self, view: Any, rng: Any) -> int:
        """Decide in plain Python."""
        return int(self.function(view, rng))

    @property
    def spec(self) -> str:
        """Return the text that names this policy with its parameters.

        Of our own policies the name alone says that all have their default values; a user may
        change defaults from one run to the next.
        """
        base = self.origin or self.name
        shown = {k: v for k, v in self.params.items() if not self.builtin or v != self._defaults[k]}
        if not shown:
            return base
        return f"{base}({','.join(f'{key}={value:g}' for key, value in shown.items())})"

    @property
    def source(self) -> str:
        """Return the source text, for manifests."""
        try:
            return inspect.getsource(self.function)
        except (OSError, TypeError):
            return ""

    def with_params(self, values: Mapping[str, float]) -> Policy:
        """Return the same policy with other parameters; nothing is compiled again.

        Raises
        ------
        BadInput
            If it has no such parameter or the value is no number.
        """
        if not isinstance(values, Mapping):
            raise BadInput(f"policy {self.name!r}: parameters {values!r}: give names with values")
        merged = dict(self.params)
        for key, value in values.items():
            if key not in merged:
                known = ", ".join(merged) or "none"
                raise BadInput(f"policy {self.name!r}: no parameter {key!r}; it has: {known}")
            merged[key] = _number(value, f"policy {self.name!r}: parameter {key}")
        return replace(self, params=merged)

    def compiled(self) -> Any:
        """Return the machine code as a first-class function.

        Raises
        ------
        BadInput
            If it does not compile, returns something that is not a whole number, or could play
            the same game differently another time: chance that is not from `rng`, calls of C
            or back into Python.
        """
        if not self._compiled:
            options = {} if self.builtin else dict(USER_OPTIONS)
            if not self.builtin:
                kinds = signature(self.game).args
                check(self.function, kinds, self.origin or self.name, allocates=self.allocates)
            if self.allocates:
                options["_nrt"] = True
            self._compiled.append(
                Compiled(
                    self.function,
                    lambda: signature(self.game),
                    keep=self.builtin,
                    options=options,
                )
            )
        return self._compiled[0].build()

    def __reduce__(self) -> Any:
        """Pickle one of ours by its name, and a user's by its source text.

        Raises
        ------
        BadInput
            If the text does not hold all that the function uses.
        """
        from simlib import games, sources

        known = games.get(self.game).policies.get(self.name)
        if known is not None and known.function is self.function:
            return _named, (self.game, self.name, dict(self.params), self.origin)
        text, missing = sources.capture(self)
        if missing or self.builtin:
            lacks = ", ".join(missing) or "what is not in its own function"
            raise BadInput(
                f"policy {self.origin or self.name!r} cannot be pickled: its source lacks {lacks}"
            )
        return _from_source, (
            text,
            {
                "game": self.game,
                "function": self.function.__name__,
                "name": self.name,
                "says": self.says,
                "params": dict(self.params),
                "uses_chance": self.uses_chance,
                "allocates": self.allocates,
                "origin": self.origin,
            },
        )

    def packed_params(self) -> np.ndarray:
        """Return the parameters as float64[8]."""
        packed = np.zeros(PARAMS)
        packed[: len(self.params)] = list(self.params.values())
        return packed


def _named(game: str, name: str, params: Mapping[str, float], origin: str) -> Policy:
    from simlib import games

    found = games.get(game).policies[name]
    return replace(found.with_params(params) if params else found, origin=origin)


def _from_source(text: str, described: Mapping[str, Any]) -> Policy:
    from simlib import sources

    return sources.revive(text, **described)


def policy(
    game: str,
    *,
    name: str | None = None,
    says: str | None = None,
    params: Mapping[str, float] | None = None,
    uses_chance: bool | None = None,
    builtin: bool = False,
    allocates: bool = False,
) -> Callable[[Callable[[Any, Any], int]], Policy]:
    """Make a function a policy of a game.

    Parameters
    ----------
    game : str
        ``"king-george-iii"``, ``"royal-corners"`` or ``"king"``.
    name : str, optional
        Its name; the function's, if not given.
    says : str, optional
        What a person who plays like this does; the docstring's first line, if not given.
    params : mapping, optional
        Parameters with default values, at most 8; ``view.params`` holds them in this order.
    uses_chance : bool, optional
        Whether it uses its stream; found from the code, if not given.
    builtin : bool
        For the policies of this package.
    allocates : bool
        Set it where the function makes arrays (``np.empty``) to search in.

    Raises
    ------
    BadInput
        If the function does not take exactly ``(view, rng)`` or has too many parameters, or
        anything given is not valid.
    """

    _check_described(game, name, says, params)

    def wrap(function: Callable[[Any, Any], int]) -> Policy:
        if not inspect.isfunction(function):
            raise BadInput(f"policy {function!r}: give a plain function decide(view, rng)")
        names = list(inspect.signature(function).parameters)
        label = name or function.__name__
        if len(names) != 2:
            raise BadInput(
                f"policy {label!r} takes ({', '.join(names)}); a policy takes (view, rng)"
            )
        if params and len(params) > PARAMS:
            raise BadInput(f"policy {label!r} has {len(params)} parameters; at most {PARAMS}")
        values = {
            key: _number(value, f"policy {label!r}: parameter {key}")
            for key, value in (params or {}).items()
        }
        chance = _mentions(function, names[1]) if uses_chance is None else uses_chance
        text = says or (inspect.getdoc(function) or "").split("\n")[0]
        return Policy(
            name=label,
            game=game,
            function=function,
            says=text,
            uses_chance=chance,
            params=values,
            _defaults=values,
            builtin=builtin,
            allocates=allocates,
        )

    return wrap


def _check_described(game: object, name: object, says: object, params: object) -> None:
    from simlib.games import GAMES

    if not isinstance(game, str) or game not in {*GAMES, *_VIEWS}:
        known = ", ".join(GAMES)
        raise BadInput(f"policy for {game!r}: write @simlib.policy(game), game one of {known}")
    for what, text in (("name", name), ("says", says)):
        if text is not None and not isinstance(text, str):
            raise BadInput(f"policy {what} {text!r}: give a text")
    if params is None:
        return
    if not isinstance(params, Mapping):
        raise BadInput(f"policy params {params!r}: give names with default values")
    for key in params:
        if not isinstance(key, str) or not key.isidentifier():
            raise BadInput(f"policy parameter {key!r}: a name has letters, digits and _")


def _mentions(function: Callable[..., Any], variable: str) -> bool:
    """Tell whether the code ever reads this variable."""
    return any(
        step.argval == variable or (isinstance(step.argval, tuple) and variable in step.argval)
        for step in dis.get_instructions(function)
        if step.opname.startswith(("LOAD_FAST", "LOAD_DEREF", "STORE_FAST_LOAD"))
    )


def _number(value: object, where: str) -> float:
    try:
        number = float(str(value))
    except ValueError:
        number = float("nan")
    if not np.isfinite(number):
        raise BadInput(f"{where}={value!r} is not a number")
    return number


_SPEC = re.compile(r"^(?P<base>[^()]+?)\s*(\((?P<params>[^()]*)\))?$")


def parse(spec: object, game: str, builtin: Mapping[str, Policy]) -> Policy:
    """Return the policy that a text names.

    Parameters
    ----------
    spec : str or Policy
        ``name``, ``name(risk=0.5)``, ``path/to/file.py:name``, or a policy itself.
    game : str
        The game it has to play.
    builtin : mapping
        The game's own policies by name.

    Raises
    ------
    BadInput
        If there is no such policy, or it plays another game.
    """
    if isinstance(spec, Policy):
        found = spec
    elif isinstance(spec, str) and (match := _SPEC.match(spec.strip())):
        base = match["base"].strip()
        if ".py" in base:
            found = load_file(base)
        elif base in builtin:
            found = builtin[base]
        else:
            raise BadInput(
                f"policy {base!r}: {game} has {', '.join(builtin)}; or give path/to/file.py:name"
            )
        if match["params"]:
            found = found.with_params(_read_params(match["params"], base))
    else:
        raise BadInput(f"policy {spec!r}: give a name, name(key=value) or path/to/file.py:name")
    if found.game != game:
        raise BadInput(f"policy {found.name!r} plays {found.game}, not {game}")
    return found


def _read_params(text: str, base: str) -> dict[str, float]:
    values: dict[str, float] = {}
    for part in text.split(","):
        key, equals, value = part.partition("=")
        if not equals:
            raise BadInput(f"policy {base!r}: parameter {part.strip()!r} is not key=value")
        if key.strip() in values:
            raise BadInput(f"policy {base!r}: parameter {key.strip()!r} is given twice")
        values[key.strip()] = _number(value.strip(), f"policy {base!r}: parameter {key.strip()}")
    return values


def load_file(spec: str) -> Policy:
    """Load a policy from ``path/to/file.py:name``.

    Raises
    ------
    BadInput
        If the file cannot be read or run, or holds no such policy.
    """
    path_text, colon, name = spec.rpartition(":")
    if not colon or not path_text.endswith(".py"):
        raise BadInput(f"policy {spec!r}: give path/to/file.py:name")
    path = Path(path_text)
    if not path.is_file():
        raise BadInput(f"policy {spec!r}: there is no file {path_text!r}")
    unique = f"simlib_policy_file_{abs(hash(str(path.resolve())))}"
    loader = importlib.util.spec_from_file_location(unique, path)
    assert loader is not None and loader.loader is not None
    module = importlib.util.module_from_spec(loader)
    sys.modules[unique] = module
    try:
        loader.loader.exec_module(module)
    except BadInput:
        raise
    except (Exception, SystemExit) as error:
        raise BadInput(
            f"policy {spec!r}: the file stops with {type(error).__name__}: {error}"
        ) from None
    found = {key: value for key, value in vars(module).items() if isinstance(value, Policy)}
    found.update({value.name: value for value in found.values()})
    if name not in found:
        known = ", ".join(sorted(set(found))) or "none (decorate one with @simlib.policy)"
        raise BadInput(f"policy {spec!r}: the file has no policy {name!r}; it has: {known}")
    return replace(found[name], origin=spec)
