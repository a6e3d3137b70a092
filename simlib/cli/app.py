"""The commands, put together."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperCommand

from simlib.cli import (
    balance,
    compare,
    games,
    output,
    plan,
    replay,
    report,
    run,
    stored,
    sweep,
    tournament,
    verify,
)
from simlib.errors import BadInput

__all__ = ["app"]


class Command(TyperCommand):
    """A command that takes an option of one value once, and names itself in every error."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments.

        The parser alone would let the last of two values win, and an empty path be this folder.
        """
        try:
            values, _, given = self.make_parser(ctx).parse_args(list(args))
        except Exception as error:
            if getattr(error, "ctx", ctx) is None:  # else the message sends to `simlib --help`
                error.ctx = ctx  # type: ignore[attr-defined]
            raise
        for one in given:
            repeats = getattr(one, "multiple", True) or getattr(one, "is_flag", False)
            if not repeats and given.count(one) > 1:
                raise BadInput(f"{one.opts[0]} is given twice; give it once")
            value = values.get(one.name)
            if "" in (value if isinstance(value, list | tuple) else [value]):
                raise BadInput(f"{one.opts[0]} '': give a value, or leave it out")
        return super().parse_args(ctx, args)


app = typer.Typer(
    name="simlib",
    help="A Monte Carlo laboratory for card games: King George III, Royal Corners and King.",
    epilog="Clauses of the rules (C-3, KG-8, …) are explained in docs/rules.md.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

_PLAY = (run, compare, sweep, tournament, balance, plan)
for command in (games, *_PLAY, replay, verify, report, stored):
    command.register(app)

for registered in app.registered_commands:
    registered.cls = Command
    if registered.callback is not None:
        registered.callback = output.kept(registered.callback)
