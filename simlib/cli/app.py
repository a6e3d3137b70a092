"""The commands, put together."""

from __future__ import annotations

import typer

from simlib.cli import games, replay, report, run, verify

__all__ = ["app"]

app = typer.Typer(
    name="simlib",
    help="A Monte Carlo laboratory for card games: King George III, Royal Corners and King.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

for command in (games, run, replay, verify, report):
    command.register(app)
