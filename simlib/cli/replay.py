"""``simlib replay``: one game as readable text, or records as JSON Lines."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from simlib.cards import colour_for_terminal
from simlib.cli import options as o
from simlib.errors import BadInput

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("replay", help="Play a game again: as text, or as records (C-10).")(_replay)


def _replay(
    name: o.GameName,
    variety: o.Variety = None,
    unit: o.Unit = None,
    players: o.Players = None,
    seed: o.Seed = "0",
    play_seed: o.PlaySeed = None,
    policies: o.PoliciesText = "random",
    rule: o.Rule = None,
    rules: o.RulesFile = None,
    preset: o.Preset = None,
    game: Annotated[
        str | None, typer.Option("--game", metavar="I", help="index of one game")
    ] = None,
    games: Annotated[
        str | None, typer.Option("--games", metavar="I-J", help="indices I to J, both included")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON Lines, one game a line")] = False,
) -> None:
    from simlib.record import record_of

    first, last = _indices(game, games)
    setup = o.setup_from(
        name,
        variety=variety,
        unit=unit,
        players=players,
        seed=seed,
        play_seed=play_seed,
        policies=policies,
        rule=rule,
        rules=rules,
        preset=preset,
    )
    coloured = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    for index in range(first, last + 1):
        record = record_of(setup, index)
        if as_json:
            print(record.to_json())
        else:
            print(f"Game {index} of seed {setup.seed}: {setup.game.title}")
            print(colour_for_terminal(record.text()) if coloured else record.text())


def _indices(game: str | None, games: str | None) -> tuple[int, int]:
    if (game is None) == (games is None):
        raise BadInput("give --game I for one game, or --games I-J for several")
    if game is not None:
        index = o.whole(game, "--game")
        if index is None or index < 0:
            raise BadInput(f"--game {game!r}: give a whole number from 0")
        return index, index
    first, dash, last = str(games).partition("-")
    if not dash:
        raise BadInput(f"--games {games!r}: give the first and the last index, for example 0-99")
    low, high = o.whole(first, "--games"), o.whole(last, "--games")
    if low is None or high is None or not 0 <= low <= high:
        raise BadInput(f"--games {games!r}: give I-J with I not above J, for example 0-99")
    return low, high
