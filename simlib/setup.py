"""A configuration to be played: everything that was asked for, checked once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from simlib import games
from simlib.errors import BadInput
from simlib.games.options import resolve
from simlib.games.spec import Game, Table
from simlib.policy import PARAMS, Policy
from simlib.policy import parse as parse_policy

__all__ = [
    "Policies",
    "Setup",
    "count_argument",
    "level_argument",
    "names_argument",
    "prepare",
    "rule_text",
    "rules_in_common",
]

#: What may name the policies: one for all seats, or one a seat.
Policies = str | Policy | Sequence[str | Policy]


@dataclass(frozen=True)
class Setup:
    """A game with its table, the policy at each seat, and the seeds.

    Attributes
    ----------
    game : Game
    table : Table
        Variety, players, unit and rules.
    policies : tuple of Policy
        One a seat.
    seed, play_seed : int
        All chance comes from them and the game's index (C-4).
    """

    game: Game
    table: Table
    policies: tuple[Policy, ...]
    seed: int
    play_seed: int

    @property
    def players(self) -> int:
        """Return the number of seats."""
        return self.table.players

    def packed(self, *, prove: bool = True) -> np.ndarray:
        """Return the rules as the kernel reads them."""
        trusted = all(policy.builtin for policy in self.policies)
        return self.game.pack(self.table, prove=prove, trusted=trusted)

    def params(self) -> np.ndarray:
        """Return the parameters of the policies, float64[seats, 8]."""
        values = np.zeros((self.game.seats, PARAMS))
        for seat, policy in enumerate(self.policies):
            values[seat] = policy.packed_params()
        return values

    def compiled(self) -> tuple[Any, ...]:
        """Return the policies as the kernel calls them, padded to the game's most seats."""
        functions = [policy.compiled() for policy in self.policies]
        return tuple(functions + [functions[0]] * (self.game.seats - len(functions)))

    def seeds(self) -> np.ndarray:
        """Return both seeds, uint64[2]."""
        return np.array([self.seed, self.play_seed], np.uint64)

    def with_policies(self, policies: Sequence[Policy]) -> Setup:
        """Return the same table with other players."""
        return replace(self, policies=tuple(policies))

    def rules_text(self) -> str:
        """Return the rules that differ from the game's own, for people; a house's table is cut."""
        return rules_in_common([self])

    def describe(self) -> dict[str, Any]:
        """Return the fields that identify a run, as JSON values."""
        return {
            "game": self.game.name,
            "variety": self.table.variety,
            "players": self.players,
            "unit": self.table.unit,
            "rules": self.table.rules.model_dump(mode="json"),
            "policies": [policy.spec for policy in self.policies],
            "seed": self.seed,
            "play_seed": self.play_seed,
        }


def rule_text(value: Any) -> str:
    """Return the value of an option as ``--rule`` takes it; a table, which it does not, is cut."""
    if isinstance(value, Mapping):
        return "{…}"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ",".join(map(str, value))
    return "null" if value is None else str(value)


def rules_in_common(setups: Sequence[Setup]) -> str:
    """Return the options that all these setups change from their defaults in the same way."""
    changed = [setup.table.rules.changed() for setup in setups]
    return ", ".join(
        f"{key}={rule_text(value)}"
        for key, value in changed[0].items()
        if all(key in one and one[key] == value for one in changed)
    )


def prepare(
    game: str,
    *,
    variety: str | None = None,
    players: int | None = None,
    unit: str | None = None,
    rules: Mapping[str, Any] | None = None,
    preset: str | None = None,
    policies: Policies = "random",
    seed: int = 0,
    play_seed: int | None = None,
    over: Mapping[str, Any] | None = None,
) -> Setup:
    """Check everything and put it together.

    Parameters
    ----------
    game, variety, unit, preset : str
        Names; None takes the default.
    players : int, optional
        Number of seats; None takes the game's default, or the number of policies given.
    rules : mapping, optional
        Options by name.
    policies : str, Policy or a sequence of them
        One for all, or one a seat; a text may list them with commas.
    seed, play_seed : int
        ``play_seed`` is ``seed`` unless given.
    over : mapping, optional
        Options that go before `rules` (C-12).

    Raises
    ------
    BadInput
        If anything is not valid.
    """
    described = games.get(game)
    variety = _variety(described, variety)
    named = _split(policies)
    count = _players(described, variety, players, len(named))
    unit = _unit(described, unit)
    model = resolve(
        described.rules_model(variety),
        described.presets(variety),
        preset=preset,
        rules=rules,
        over=over,
    )
    table = Table(variety, count, unit, model)
    described.check(table)
    if len(named) not in (1, count):
        raise BadInput(
            f"policies: {len(named)} given for {count} players; give one for all, or one a seat"
        )
    found = [parse_policy(spec, game, described.policies) for spec in named]
    seats = tuple(found * count if len(found) == 1 else found)
    seed = seed_argument(seed, "seed")
    return Setup(
        described,
        table,
        seats,
        seed,
        seed if play_seed is None else seed_argument(play_seed, "play_seed"),
    )


def _variety(game: Game, variety: object) -> str | None:
    if not game.varieties:
        if variety is not None:
            raise BadInput(f"variety {variety!r}: {game.name} has no varieties")
        return None
    if variety is None:
        return game.varieties[0]
    if not isinstance(variety, str) or variety not in game.varieties:
        raise BadInput(f"variety {variety!r}: {game.name} has {', '.join(game.varieties)} (K)")
    return variety


def _unit(game: Game, unit: object) -> str:
    if unit is None:
        return game.units[0]
    if not isinstance(unit, str) or unit not in game.units:
        raise BadInput(f"unit {unit!r}: {game.name} has {', '.join(game.units)} (C-3)")
    return unit


def _players(game: Game, variety: str | None, players: object, policies: int) -> int:
    valid, default = game.players(variety)
    if players is None:
        return policies if policies > 1 and policies in valid else default
    if isinstance(players, bool) or not isinstance(players, int | np.integer):
        raise BadInput(f"players {players!r}: give a whole number")
    if players not in valid:
        where = f"{game.name} {variety}" if variety else game.name
        words = ", ".join(map(str, valid))
        raise BadInput(f"players {players}: {where} is played by {words}")
    return int(players)


def _split(policies: object) -> list[object]:
    """Split a text at commas outside brackets; leave other things as they are."""
    if isinstance(policies, str):
        parts, depth = [""], 0
        for letter in policies:
            depth += (letter == "(") - (letter == ")")
            if letter == "," and depth == 0:
                parts.append("")
            else:
                parts[-1] += letter
        return [part.strip() for part in parts]
    if isinstance(policies, Policy):
        return [policies]
    if isinstance(policies, Sequence) and policies:
        return list(policies)
    raise BadInput(f"policies {policies!r}: give a name, or one a seat")


def seed_argument(value: object, name: str, *, bits: int = 64) -> int:
    """Return a seed, or the index of a game, or refuse it."""
    if (
        isinstance(value, bool)
        or not isinstance(value, int | np.integer)
        or not (0 <= int(value) < 2**bits)
    ):
        raise BadInput(f"{name} {value!r}: give a whole number from 0 to 2^{bits} - 1 (C-4)")
    return int(value)


def count_argument(value: object, name: str, *, least: int = 1, most: int = 2**62) -> int:
    """Return a whole number of games, threads and the like, or refuse it.

    A float that is a whole number (``1e6``) is taken.
    """
    number = value
    if isinstance(number, float | np.floating) and float(number).is_integer():
        number = int(number)
    if isinstance(number, bool) or not isinstance(number, int | np.integer):
        raise BadInput(f"{name} {value!r}: give a whole number from {least}")
    if not least <= int(number) <= most:
        top = " to 2^62" if most == 2**62 else f" to {most}"
        raise BadInput(f"{name} {value!r}: give a whole number from {least}{top}")
    return int(number)


def level_argument(value: object, name: str = "level") -> float:
    """Return a confidence level, or refuse it."""
    number = isinstance(value, int | float | np.integer | np.floating)
    if not number or isinstance(value, bool) or not 0.0 < float(value) < 1.0:  # type: ignore[arg-type]
        raise BadInput(f"{name} {value!r}: give a number between 0 and 1, such as 0.95")
    return float(value)  # type: ignore[arg-type]


def names_argument(value: object, name: str = "metrics") -> list[str] | None:
    """Return names, of which one may be given alone, or refuse them; None stays None."""
    if value is None:
        return None
    if isinstance(value, str):
        return [value]
    if not isinstance(value, Iterable) or isinstance(value, bytes):
        raise BadInput(f"{name} {value!r}: give names, such as ['win_share']")
    return list(value)
