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
    try:
        code = execute(sys.argv[1:] if argv is None else list(argv))
        sys.stdout.flush()
    except BrokenPipeError:
        code = 0
        # the reader has gone (as in `simlib replay … | head`): nothing more to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(code)


def execute(argv: list[str]) -> int:
    """Run a command and return its exit code."""
    import typer

    from simlib.cli.app import app

    try:
        command = typer.main.get_command(app)
        result = command.main(args=argv, prog_name="simlib", standalone_mode=False)
        code = result if isinstance(result, int) else 0
        return _fail("stopped", 130) if code == 130 else code  # the parser ate Ctrl-C
    except BadInput as error:
        return _fail(str(error), 2)
    except RunFailure as error:
        return _fail(str(error), 1)
    except KeyboardInterrupt:
        return _fail("stopped", 130)
    except BrokenPipeError:
        raise
    except OSError as error:
        return _fail(f"{error.strerror or error}: {error.filename or 'output'}", 1)
    except MemoryError:
        return _fail("out of memory: play fewer games at once, or use --keep summary", 1)
    except Exception as error:
        parsed = _of_the_parser(error)
        if parsed is not None:
            return parsed
        if os.environ.get("SIMLIB_DEBUG"):
            raise
        return _fail(
            f"a fault of simlib itself: {type(error).__name__}: {error}"
            " (set SIMLIB_DEBUG=1 to see where)",
            1,
        )


def _of_the_parser(error: Exception) -> int | None:
    """Treat what the option parser raises; None for anything else.

    typer brings its own copy of click in some versions and uses click in others, so that the
    classes are told by their names.
    """
    kinds = {kind.__name__ for kind in type(error).__mro__}
    if "NoArgsIsHelpError" in kinds:
        print(error)
        return 0
    if "Abort" in kinds:
        return _fail("stopped", 130)
    if "ClickException" not in kinds:
        return None
    context = getattr(error, "ctx", None)
    where = context.command_path if context is not None else "simlib"
    message = getattr(error, "format_message", lambda: str(error))()
    return _fail(f"{message} (see {where} --help)", 2)


def _fail(message: str, code: int) -> int:
    line = " ".join(str(message).split())
    try:
        print(f"simlib: {line}", file=sys.stderr)
    except OSError:
        pass
    return code
