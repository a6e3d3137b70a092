"""Variants of a setup, named by key and value: what comparisons, sweeps and searches change.

A key is an argument (``players``, ``policies`` …), an option of the rules (``lead``, or
``rule.lead``), the policy at one seat (``policies.0``), or a parameter of policies
(``param.risk``: of every policy at the table that has it).
"""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from simlib import games
from simlib.errors import BadInput
from simlib.policy import Policy
from simlib.setup import Policies, Setup, prepare

__all__ = ["ARGUMENTS", "Base", "Grid", "cells_of", "read_changes", "read_grid"]

#: Keys that are arguments of :func:`simlib.simulate`.
ARGUMENTS = ("variety", "players", "unit", "preset", "policies", "seed", "play_seed")
RULE, SEAT, PARAM = "rule.", "policies.", "param."
#: A grid (every combination of the values of its keys) or a list of cells.
Grid = Mapping[str, Sequence[Any]] | Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Base:
    """What all variants have in common: the arguments of :func:`simlib.setup.prepare`.

    Attributes
    ----------
    game : str
    arguments : mapping
        Those of `ARGUMENTS` that are given.
    rules, over : mapping
        Options; `over` goes before `rules` (C-12).
    """

    game: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    rules: Mapping[str, Any] = field(default_factory=dict)
    over: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        game: str,
        *,
        variety: str | None = None,
        players: int | None = None,
        unit: str | None = None,
        rules: Mapping[str, Any] | None = None,
        over: Mapping[str, Any] | None = None,
        preset: str | None = None,
        policies: Policies = "random",
        seed: int = 0,
        play_seed: int | None = None,
    ) -> Base:
        """Gather the arguments of :func:`simlib.simulate`."""
        arguments = {
            "variety": variety, "players": players, "unit": unit, "preset": preset,
            "policies": policies, "seed": seed, "play_seed": play_seed,
        }  # fmt: skip
        return cls(game, arguments, dict(rules or {}), dict(over or {}))

    @classmethod
    def from_setup(cls, setup: Setup) -> Base:
        """Return the base that makes this very setup."""
        return cls.of(
            setup.game.name,
            variety=setup.table.variety,
            players=setup.players,
            unit=setup.table.unit,
            rules=setup.table.rules.changed(),
            policies=list(setup.policies),
            seed=setup.seed,
            play_seed=None if setup.play_seed == setup.seed else setup.play_seed,
        )

    def setup(self, changes: Mapping[str, Any] | None = None) -> Setup:
        """Prepare the base with some keys changed.

        Raises
        ------
        BadInput
            If a key or a value is not valid.
        """
        changes = dict(changes or {})
        arguments, over = dict(self.arguments), dict(self.over)
        for key, value in changes.items():
            if key in ARGUMENTS:
                arguments[key] = _read_argument(key, value)
            elif not key.startswith((SEAT, PARAM)):
                over[self._option(key, arguments)] = value
        if "players" in changes and "policies" not in changes:
            arguments["policies"] = _for_any_table(arguments["policies"])
        setup = prepare(self.game, rules=self.rules, over=over, **arguments)
        for key, value in changes.items():
            if key.startswith(SEAT):
                setup = _seat_policy(setup, key, value)
        for key, value in changes.items():
            if key.startswith(PARAM):
                setup = _with_parameter(setup, key.removeprefix(PARAM), value)
        return setup

    def _option(self, key: str, arguments: Mapping[str, Any]) -> str:
        name = key.removeprefix(RULE)
        described = games.get(self.game)
        varieties = described.varieties or (None,)
        variety = arguments.get("variety")
        model = described.rules_model(variety if variety in varieties else varieties[0])
        if name not in model.model_fields:
            raise BadInput(
                f"key {key!r}: give {', '.join(ARGUMENTS)}, {SEAT}SEAT, {PARAM}NAME, or an option"
                f" of {model.game}: {', '.join(model.model_fields)}"
            )
        return name

    def value(self, setup: Setup, key: str) -> Any:
        """Return what a key is in a setup, as a plain value to be shown and compared."""
        asked = setup.describe()
        if key == "policies":
            specs = asked["policies"]
            return specs[0] if len(set(specs)) == 1 else ",".join(specs)
        if key == "preset":  # a preset leaves no trace but its options
            return self.arguments.get("preset")
        if key in asked:
            return asked[key]
        if key.startswith(SEAT):
            return asked["policies"][int(key.removeprefix(SEAT))]
        if key.startswith(PARAM):
            name = key.removeprefix(PARAM)
            return next((p.params[name] for p in setup.policies if name in p.params), None)
        return _hashable(asked["rules"].get(key.removeprefix(RULE)))


def _hashable(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return str(value) if isinstance(value, Mapping) else value


def _read_argument(key: str, value: Any) -> Any:
    """Read a text as the type that an argument wants."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if key not in ("players", "seed", "play_seed"):
        return text
    try:
        return int(text)
    except ValueError:
        raise BadInput(f"{key} {value!r}: give a whole number") from None


def _for_any_table(policies: Any) -> Any:
    """Keep one policy for all seats where the number of seats changes."""
    if isinstance(policies, Sequence) and not isinstance(policies, str):
        if len({p.spec if isinstance(p, Policy) else p for p in policies}) == 1:
            return policies[0]
    return policies


def _seat_policy(setup: Setup, key: str, value: Any) -> Setup:
    from simlib.policy import parse

    text = key.removeprefix(SEAT)
    if not text.isdecimal() or int(text) >= setup.players:
        raise BadInput(f"key {key!r}: seats are 0 to {setup.players - 1} (C-2)")
    seats = list(setup.policies)
    seats[int(text)] = parse(value, setup.game.name, setup.game.policies)
    return setup.with_policies(seats)


def _with_parameter(setup: Setup, name: str, value: Any) -> Setup:
    if not any(name in policy.params for policy in setup.policies):
        known = sorted({key for policy in setup.policies for key in policy.params})
        raise BadInput(
            f"key {PARAM}{name}: no policy at the table has this parameter; there are:"
            f" {', '.join(known) or 'none'}"
        )
    return setup.with_policies(
        [p.with_params({name: value}) if name in p.params else p for p in setup.policies]
    )


# --- texts ---------------------------------------------------------------------------------


def read_changes(text: str, name: str = "--with") -> dict[str, str]:
    """Read ``"key=value key=value"``; a value with blanks stands in quotes.

    Raises
    ------
    BadInput
        If the text is not of this form, or a key comes twice.

    Examples
    --------
    >>> read_changes("rule.lead=run policies=eager")
    {'rule.lead': 'run', 'policies': 'eager'}
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadInput(f"{name} {text!r}: {str(error).lower()}") from None
    found: dict[str, str] = {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals or not key:
            raise BadInput(f"{name} {text!r}: give key=value, several with blanks between them")
        if key in found:
            raise BadInput(f"{name} {text!r}: {key!r} is given twice")
        found[key] = value
    if not found:
        raise BadInput(f"{name} {text!r}: give at least one key=value")
    return found


def read_grid(items: Iterable[str], name: str = "--grid") -> dict[str, list[Any]]:
    """Read texts such as ``key=a,b,c``, ``key=0..4`` or ``key=a,b|c,d``.

    Commas stand between values; where a value has commas of its own (one policy a seat) the
    values are told apart by ``|``. Brackets are left whole.

    Examples
    --------
    >>> read_grid(["ace_resets=0..2", "policies=eager,random|eager"])
    {'ace_resets': [0, 1, 2], 'policies': ['eager,random', 'eager']}
    """
    grid: dict[str, list[Any]] = {}
    for item in items:
        key, equals, text = item.partition("=")
        key = key.strip()
        if not equals or not key:
            raise BadInput(f"{name} {item!r}: give key=a,b,c")
        if key in grid:
            raise BadInput(f"{name} {key!r} is given twice")
        grid[key] = _values(text, f"{name} {item!r}")
    return grid


def _values(text: str, where: str) -> list[Any]:
    first, dots, last = text.strip().partition("..")
    if dots and first.lstrip("-").isdecimal() and last.lstrip("-").isdecimal():
        low, high = int(first), int(last)
        if low > high or high - low > 10_000:
            raise BadInput(f"{where}: give the smaller number first, at most 10000 values")
        return list(range(low, high + 1))
    parts = [part.strip() for part in _split(text, "|" if "|" in text else ",")]
    if not all(parts):
        raise BadInput(f"{where}: a value is empty")
    twice = next((part for part in parts if parts.count(part) > 1), None)
    if twice is not None:
        raise BadInput(f"{where}: the value {twice!r} is given twice")
    return list(parts)


def _split(text: str, mark: str) -> list[str]:
    """Split a text at marks outside brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == mark and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


# --- cells ---------------------------------------------------------------------------------


def cells_of(grid: Grid) -> tuple[list[str], list[dict[str, Any]]]:
    """Return the keys of a grid, and its cells: the last key changes fastest.

    Raises
    ------
    BadInput
        If it is neither a mapping of keys to values nor a list of mappings, or is empty.
    """
    if isinstance(grid, Mapping):
        keys = [str(key) for key in grid]
        columns = []
        for key, values in grid.items():
            if isinstance(values, str) or not isinstance(values, Iterable):
                raise BadInput(f"grid {key!r}: give a list of values, not {values!r}")
            columns.append(list(values))
            if not columns[-1]:
                raise BadInput(f"grid {key!r}: give at least one value")
        cells = [dict(zip(keys, values, strict=True)) for values in itertools.product(*columns)]
    elif isinstance(grid, Sequence) and not isinstance(grid, str):
        if not all(isinstance(cell, Mapping) for cell in grid):
            raise BadInput("grid: give keys with lists of values, or a list of cells")
        cells = [dict(cell) for cell in grid]
        keys = list(dict.fromkeys(key for cell in cells for key in cell))
    else:
        raise BadInput("grid: give keys with lists of values, or a list of cells")
    if not cells:
        raise BadInput("grid: there is no cell in it")
    return keys, cells


def with_seed(setup: Setup, seed: int) -> Setup:
    """Return the same table with fresh deals; a `play_seed` of its own stays apart."""
    moved = setup.play_seed != setup.seed
    return replace(setup, seed=seed, play_seed=setup.play_seed if moved else seed)
