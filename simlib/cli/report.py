"""``simlib report``: pages with tables, figures and intervals."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from simlib.cli import options as o
from simlib.cli.output import say
from simlib.setup import count_argument, seed_argument

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("report", help="Write report pages and an index.")(_report)


def _report(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME…]", help="games, or all (default)")
    ] = None,
    games: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="games a cell; default: each section its own number, and the pages say which"
            " rates are known less closely than 0.002",
        ),
    ] = None,
    seed: o.Seed = "0",
    threads: o.Threads = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="folder to write to")] = Path(
        "reports/out"
    ),
) -> None:
    from reports import build_reports

    begun = time.perf_counter()

    def note(text: str) -> None:
        print(f"[{time.perf_counter() - begun:6.1f} s] {text}", file=sys.stderr, flush=True)

    count, crew = o.whole(games, "--games"), o.whole(threads, "--threads")
    paths = build_reports(
        names or ["all"],
        games=None if count is None else count_argument(count, "--games"),
        out=out,
        threads=None if crew is None else count_argument(crew, "--threads"),
        seed=seed_argument(o.whole(seed, "--seed"), "--seed"),
        progress=note,
    )
    for path in paths:
        say(path)
