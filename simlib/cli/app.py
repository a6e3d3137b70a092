"""The commands, put together."""

from __future__ import annotations

import typer

from simlib.cli import (
    balance,
    compare,
    games,
    plan,
    replay,
    report,
    run,
    stored,
    sweep,
    tournament,
    verify,
)

__all__ = ["app"]

app = typer.Typer(
    name="simlib",
    help="A Monte Carlo laboratory for card games: King George III, Royal Corners and King.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

_PLAY = (run, compare, sweep, tournament, balance, plan)
for command in (games, *_PLAY, replay, verify, report, stored):
    command.register(app)
