"""Options that several commands share, and how their texts are read."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated, Any

import typer

from simlib.errors import BadInput
from simlib.setup import Setup, count_argument, prepare
from simlib.tomlfile import read_toml

__all__ = [
    "GameName",
    "Games",
    "GamesAtMost",
    "Metrics",
    "Out",
    "PlaySeed",
    "Players",
    "PoliciesText",
    "Precision",
    "Preset",
    "Rule",
    "RulesFile",
    "Seed",
    "Threads",
    "Unit",
    "Variety",
    "games_at_most",
    "pairs",
    "read_rules",
    "setup_from",
    "whole",
    "widths",
]

GameName = Annotated[str, typer.Argument(metavar="GAME", help="see `simlib games`")]
Variety = Annotated[str | None, typer.Option(help="variety of King")]
Unit = Annotated[str | None, typer.Option(help="what one game is: deal or match (C-3)")]
Players = Annotated[
    str | None,
    typer.Option(metavar="N", help="number of players; range and default: see `simlib games`"),
]
#: Games of a run, or of a cell, that is stopped by precision, unless --games says otherwise.
AT_MOST = 10**9
GamesAtMost = Annotated[
    str | None,
    typer.Option(
        "--games",
        metavar="N",
        help="number of games, for example 1e6, which is the default; with --precision the most"
        " that are played, by default 1e9",
    ),
]
Games = Annotated[str, typer.Option(metavar="N", help="number of games, for example 1e6")]
Seed = Annotated[str, typer.Option(metavar="S", help="seed (C-4)")]
PlaySeed = Annotated[
    str | None, typer.Option(metavar="S", help="seed of chance in play; default: the seed (C-4)")
]
PoliciesText = Annotated[
    str,
    typer.Option(
        metavar="P[,P…]", help="one policy for all seats or one a seat; also file.py:name"
    ),
]
Rule = Annotated[
    list[str] | None, typer.Option(metavar="KEY=VALUE", help="one option; may be repeated")
]
RulesFile = Annotated[
    Path | None, typer.Option("--rules", metavar="FILE.toml", help="options from a file")
]
Preset = Annotated[str | None, typer.Option(help="a named set of options")]
Precision = Annotated[
    list[str] | None,
    typer.Option(
        metavar="METRIC=HALF_WIDTH",
        help="stop once the 95 % interval is that narrow; may be repeated, then all must be;"
        " --games is the most that is played, by default 1e9",
    ),
]
Metrics = Annotated[
    list[str] | None,
    typer.Option("--metric", metavar="NAME", help="only this metric; may be repeated"),
]
Threads = Annotated[str | None, typer.Option(metavar="N", help="default: all processors")]
Out = Annotated[
    str | None, typer.Option(metavar="DIR", help="folder to write to, or s3://… and the like")
]

MOST_DIGITS = 100


def whole(text: str | None, name: str) -> int | None:
    """Read a whole number; ``1e6`` and ``1_000_000`` are taken.

    Whether it is too large is said where it is used.
    """
    if text is None:
        return None
    try:
        number = Decimal(text.strip())
        known = number.is_finite() and number == number.to_integral_value()
    except InvalidOperation:
        known = False
    if not known:
        raise BadInput(f"{name} {text!r}: give a whole number, for example 1000 or 1e6")
    if number.adjusted() > MOST_DIGITS:
        raise BadInput(f"{name} {text!r}: the number is too large")
    return int(number)


def games_at_most(text: str | None, precision: object, default: int) -> int:
    """Return --games: the default, or far more where the precision says when to stop."""
    if text is None:
        return AT_MOST if precision else default
    return count_argument(whole(text, "--games"), "--games")


def pairs(items: Sequence[str] | None, name: str) -> dict[str, str]:
    """Read ``key=value`` texts; each key once."""
    found: dict[str, str] = {}
    for item in items or ():
        key, equals, value = item.partition("=")
        if not equals or not key.strip():
            raise BadInput(f"{name} {item!r}: give key=value")
        if key.strip() in found:
            raise BadInput(f"{name} {key.strip()!r} is given twice")
        found[key.strip()] = value.strip()
    return found


def read_rules(path: Path | None) -> dict[str, Any] | None:
    """Read options from a TOML file."""
    return None if path is None else read_toml(path, f"--rules {path}")


def setup_from(
    game: str,
    *,
    variety: str | None,
    unit: str | None,
    players: str | None,
    seed: str,
    play_seed: str | None,
    policies: str,
    rule: Sequence[str] | None,
    rules: Path | None,
    preset: str | None,
) -> Setup:
    """Put the options of a command together (C-12)."""
    first_seed = whole(seed, "--seed")
    return prepare(
        game,
        variety=variety,
        unit=unit,
        players=whole(players, "--players"),
        rules=read_rules(rules),
        over=pairs(rule, "--rule"),
        preset=preset,
        policies=policies,
        seed=0 if first_seed is None else first_seed,
        play_seed=whole(play_seed, "--play-seed"),
    )


def widths(precision: Sequence[str] | None) -> dict[str, float] | None:
    """Read the half-widths asked for."""
    if not precision:
        return None
    found = {}
    for name, text in pairs(precision, "--precision").items():
        try:
            found[name] = float(text)
        except ValueError:
            raise BadInput(f"--precision {name}={text!r}: give a half-width above 0") from None
    return found
