"""The command line: one file a command; errors are one line and an exit code.

Exit codes: 0; 2 for bad input; 1 for a failure while running; 130 after Ctrl-C.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from simlib.errors import BadInput, RunFailure

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    code = execute(sys.argv[1:] if argv is None else list(argv))
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # the reader has gone (as in `simlib replay … | head`): nothing more to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def execute(argv: list[str]) -> int:
    """Run a command and return its exit code."""
    import click
    import typer

    from simlib.cli.app import app

    try:
        command = typer.main.get_command(app)
        result = command.main(args=argv, prog_name="simlib", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message())
        return 0
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "simlib"
        return _fail(f"{error.format_message()} (see {where} --help)", 2)
    except click.ClickException as error:
        return _fail(error.format_message(), 2)
    except BadInput as error:
        return _fail(str(error), 2)
    except RunFailure as error:
        return _fail(str(error), 1)
    except (KeyboardInterrupt, click.Abort):
        return _fail("stopped", 130)
    except BrokenPipeError:
        return 0
    except OSError as error:
        return _fail(f"{error.strerror or error}: {error.filename or 'output'}", 1)
    except MemoryError:
        return _fail("out of memory: play fewer games at once, or use --keep summary", 1)
    except Exception as error:
        if os.environ.get("SIMLIB_DEBUG"):
            raise
        return _fail(
            f"a fault of simlib itself: {type(error).__name__}: {error}"
            " (set SIMLIB_DEBUG=1 to see where)",
            1,
        )


def _fail(message: str, code: int) -> int:
    line = " ".join(str(message).split())
    try:
        print(f"simlib: {line}", file=sys.stderr)
    except OSError:
        pass
    return code
