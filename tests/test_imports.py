"""What an import costs: nothing is compiled before it is used."""

from __future__ import annotations

import subprocess
import sys

WATCHED = """
import numba.core.compiler as compiler
def refuse(*args, **options):
    raise SystemExit(f"compiled: {args[2].__module__}.{args[2].__qualname__}")
compiler.compile_extra = refuse
"""


def _imported(more: str) -> subprocess.CompletedProcess[str]:
    code = WATCHED + "import simlib\nfrom simlib import games\n" + more
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)


def test_importing_every_game_compiles_nothing() -> None:
    done = _imported("for name in games.names(): games.get(name).policies")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_compilation_would_be_seen() -> None:
    done = _imported("simlib.lowest(1)")
    assert done.returncode == 1
    assert done.stderr == "compiled: simlib.cards.lowest\n"
