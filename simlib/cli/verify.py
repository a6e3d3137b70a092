"""``simlib verify``: the referee reads records."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from simlib.cli.output import say
from simlib.errors import BadInput

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("verify", help="Let the referee read game records (C-10).")(_verify)


def _verify(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="JSON Lines, or - for standard input")
    ],
) -> int:
    from simlib.record import verify_lines

    good = bad = 0
    try:
        stream = sys.stdin.buffer if str(file) == "-" else file.open("rb")
        with stream:
            for verdict in verify_lines(stream):
                if verdict.fault is None:
                    good += 1
                else:
                    bad += 1
                    say(verdict.text())
    except BrokenPipeError:
        raise
    except OSError as error:
        raise BadInput(f"{file}: {error.strerror or error}") from None
    if good + bad == 0:
        raise BadInput(f"{file}: there is no line in it; give game records as JSON Lines")
    if bad:
        say(f"{bad} of {good + bad} games {'is' if bad == 1 else 'are'} bad")
        return 1
    say(f"ok {good} games")
    return 0
