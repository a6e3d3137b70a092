"""The command line: one file a command; errors are one line and an exit code.

Exit codes: 0; 2 for bad input; 1 for a failure while running; 130 after Ctrl-C.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from simlib.cli import interrupt, output
from simlib.errors import BadInput, RunFailure, shorten

__all__ = ["main"]

#: Longest message, in characters.
MESSAGE = 2000


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    interrupt.listen()
    output.ready()
    try:
        code = execute(sys.argv[1:] if argv is None else list(argv))
        sys.stdout.flush()
    except BrokenPipeError:
        code = _reader_gone()
    except KeyboardInterrupt:
        code = _fail("stopped", 130)
    except SystemExit as stop:  # SIGTERM, while a run was being stored
        code = stop.code if isinstance(stop.code, int) else 1
        if isinstance(stop.__context__, BrokenPipeError):  # the parser ate it
            code = _reader_gone()
    if code >= 128:
        interrupt.leave(code)
    sys.exit(code)


def _reader_gone() -> int:
    """End in peace, as in `simlib replay … | head`: there is nothing more to say."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def execute(argv: list[str]) -> int:
    """Run a command and return its exit code."""
    try:
        import typer

        from simlib.cli.app import app

        command = typer.main.get_command(app)
        result = command.main(args=argv, prog_name="simlib", standalone_mode=False)
        code = result if isinstance(result, int) else 0
        return _fail("stopped", 130) if code == 130 else code  # the parser ate Ctrl-C
    except KeyboardInterrupt:
        return _fail("stopped", 130)
    except BrokenPipeError:
        raise
    except Exception as error:
        return _fail("stopped", 130) if interrupt.asked() else _explain(error)


def _explain(error: Exception) -> int:
    """Say what an error is about, on one line, and return its exit code."""
    if isinstance(error, BadInput):
        return _fail(str(error), 2)
    if isinstance(error, RunFailure):
        return _fail(str(error), 1)
    if isinstance(error, OSError):
        return _fail(f"{error.strerror or error}: {error.filename or 'output'}", 1)
    if isinstance(error, MemoryError):
        return _fail("out of memory: play fewer games at once, or use --keep summary", 1)
    parsed = _of_the_parser(error)
    if parsed is not None:
        return parsed
    if os.environ.get("SIMLIB_DEBUG"):
        raise error
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
    line = shorten(" ".join(str(message).split()), MESSAGE)
    try:
        print(f"simlib: {line}", file=sys.stderr)
    except OSError:
        pass
    return code
