"""``simlib run``: play many games and print the figures."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from simlib.cli import options as o
from simlib.cli.output import say
from simlib.errors import BadInput
from simlib.run import Run

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("run", help="Play many games and print the figures with their intervals.")(_run)


def _run(
    game: o.GameName,
    variety: o.Variety = None,
    unit: o.Unit = None,
    players: o.Players = None,
    games: o.Games = "1e6",
    seed: o.Seed = "0",
    play_seed: o.PlaySeed = None,
    policies: o.PoliciesText = "random",
    rule: o.Rule = None,
    rules: o.RulesFile = None,
    preset: o.Preset = None,
    precision: o.Precision = None,
    threads: o.Threads = None,
    out: o.Out = None,
    keep: Annotated[
        str | None, typer.Option(metavar="games|summary", help="what is stored in --out")
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="tcp://HOST:PORT", help="play it on a Dask cluster"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object, no progress")] = False,
) -> None:
    from simlib.progress import line
    from simlib.setup import count_argument
    from simlib.simulate import run_setup

    if keep == "games" and out is None:
        raise BadInput("--keep games: rows are written to a folder; give --out DIR")
    count = count_argument(o.whole(games, "--games"), "--games")
    widths = o.widths(precision)
    setup = o.setup_from(
        game,
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
    if widths and not as_json and sys.stderr.isatty():
        from simlib.plan import plan

        found = plan(setup, games=count, precision=widths, threads=o.whole(threads, "--threads"))
        print(found.text(), file=sys.stderr)
    run = run_setup(
        setup,
        games=count,
        threads=o.whole(threads, "--threads"),
        keep=keep,
        precision=widths,
        out=out,
        progress=None if as_json else line(),
        client=scheduler,
    )
    if widths and not run.met:
        print(
            f"simlib: the precision asked for was not reached in {len(run):,} games",
            file=sys.stderr,
        )
    if as_json:
        say(json.dumps(run.as_dict(), allow_nan=False))
    else:
        show(run)


def show(run: Run) -> None:
    """Print the figures of a run as a table."""
    from simlib.cli import show

    console = show.console()
    console.print(run.title())
    rules = run.setup.rules_text() or "default rules"
    console.print(f"{rules}; {run.sums.games / max(run.elapsed, 1e-9):,.0f} games/s")
    rows = []
    for figure in run.figures:
        values = figure.as_dict()
        low, high = values["low"], values["high"]
        half = None if low is None or high is None else (high - low) / 2
        rows.append(
            (
                values["name"],
                "" if values["seat"] is None else str(values["seat"]),
                values["group"] or "",
                show.number(values["estimate"], 5),
                show.number(half, 2),
                show.number(low, 5),
                show.number(high, 5),
                f"{values['n']:,}",
            )
        )
    columns = ["metric", "seat", "group", "estimate", "± 95 %", "low", "high", "n"]
    console.print(show.table(columns, rows, left=3))
