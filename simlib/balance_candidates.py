"""The rule sets that a balance search tries: which options, which values, how far from the base."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any, Literal, get_args, get_origin

from simlib.errors import BadInput
from simlib.setup import Policies, Setup
from simlib.variants import Base

__all__ = ["Candidate", "candidates_of", "options_of"]

#: Options that only guard against games without an end, or name a seat: never varied.
GUARDS = ("max_turns", "max_playoffs", "max_deals", "first")
#: Whole numbers with more values than this are varied only when asked for.
MOST_VALUES = 32
#: Most candidates that race; the nearest ones.
MOST = 10_000


@dataclass(frozen=True)
class Candidate:
    """One rule set.

    Attributes
    ----------
    changes : dict
        Options that differ from the base.
    steps : int
        By how many values numbers were moved, for the order among equally many changes.
    setups : tuple of Setup
        One for each population of policies.
    """

    changes: dict[str, Any]
    steps: int
    setups: tuple[Setup, ...]

    @property
    def distance(self) -> tuple[int, int]:
        """Return how far it is from the base: options changed, then steps of numbers."""
        return len(self.changes), self.steps

    def words(self) -> str:
        """Return the changes as on the command line."""
        return " ".join(f"{k}={_word(v)}" for k, v in self.changes.items()) or "(no change)"


def options_of(
    base: Base, start: Setup, vary: Mapping[str, Sequence[Any]] | None
) -> dict[str, list[tuple[Any, int]]]:
    """Return for each option the values to try, each with its steps from the base's value."""
    model = type(start.table.rules)
    wanted: dict[str, Sequence[Any]] = {}
    if vary is None:
        for name, info in model.model_fields.items():
            every = _values(info)
            if name not in GUARDS and 1 < len(every) <= MOST_VALUES:
                wanted[name] = every
    else:
        wanted = {name.removeprefix("rule."): list(values) for name, values in vary.items()}
        for name in wanted:
            if name not in model.model_fields:
                known = ", ".join(model.model_fields)
                raise BadInput(f"vary {name!r}: {model.game} has the options {known}")
    now = start.table.rules.model_dump(mode="json")
    found = {}
    for name, values in wanted.items():
        at = now[name]
        if at is None and name == "hand_size":
            at = _cards_dealt(start)
        others = []
        for value in values:
            read = base.setup({name: value}).table.rules if vary is not None else None
            plain = read.model_dump(mode="json")[name] if read is not None else value
            if plain not in (at, now[name]):
                others.append((plain, _steps(plain, at)))
        found[name] = sorted(others, key=lambda one: one[1])
    return found


def _values(info: Any) -> list[Any]:
    """Return all values of an option; none where they cannot be listed."""
    kinds = get_args(info.annotation) if type(None) in get_args(info.annotation) else ()
    kind = next((k for k in kinds if k is not type(None)), info.annotation)
    if kind is bool:
        return [False, True]
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    if kind is int:
        low = next((m.ge for m in info.metadata if hasattr(m, "ge")), None)
        high = next((m.le for m in info.metadata if hasattr(m, "le")), None)
        if low is not None and high is not None:
            return list(range(low, high + 1)) if high - low < MOST_VALUES else []
    return []


def _cards_dealt(setup: Setup) -> int:
    """Return the hand size that an option left open comes to."""
    from simlib.record import record_of

    return len(record_of(setup, 0)["deals"][0]["hands"][0])


def _steps(value: Any, start: Any) -> int:
    numbers = isinstance(value, int) and isinstance(start, int)
    return abs(value - start) if numbers and not isinstance(value, bool) else 1


def candidates_of(
    base: Base,
    options: Mapping[str, Sequence[tuple[Any, int]]],
    populations: Sequence[Policies],
    most: int,
) -> Iterator[Candidate]:
    """Yield the base, then valid rule sets, nearest first, at most `MOST`."""
    found: list[tuple[int, int, dict[str, Any]]] = [(0, 0, {})]
    for changed in range(1, most + 1):
        for names in combinations(options, changed):
            for values in product(*(options[name] for name in names)):
                changes = {name: value for name, (value, _) in zip(names, values, strict=True)}
                found.append((changed, sum(steps for _, steps in values), changes))
    found.sort(key=lambda one: one[:2])
    kept = 0
    for _, steps, changes in found:
        if kept > MOST:
            return
        try:
            setups = tuple(base.setup({"policies": who, **changes}) for who in populations)
        except BadInput:
            if not changes:
                raise
            continue  # a hand that leaves no stock, a value that another option forbids
        kept += 1
        yield Candidate(changes, steps, setups)


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)
