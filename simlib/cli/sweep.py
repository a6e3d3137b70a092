"""``simlib sweep``: a grid of options, players, policies and their parameters."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from simlib.cli import options as o
from simlib.cli.output import results, say
from simlib.errors import BadInput

if TYPE_CHECKING:
    from simlib.setup import Setup
    from simlib.sweep import Sweep

__all__ = ["register"]

#: Games of a cell unless told otherwise.
GAMES = 10**5

HELP = """Play every combination of a grid, each cell on the same deals where the cards allow it.

\b
  simlib sweep king-george-iii --players 2 --grid lead=one,run --grid ace_resets=0..4

Keys of --grid: options of the rules (lead, or rule.lead), players, variety, unit, preset,
policies, seed, play_seed, policies.K (the policy at seat K), param.NAME (a parameter of every
policy that has it). Commas stand between values, 0..4 is every whole number from 0 to 4; values
with commas of their own are told apart by |, as in --grid "policies=eager,random|eager".
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("sweep", help=HELP)(_sweep)


def _sweep(
    game: o.GameName,
    grid: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=A,B,C", help="one key of the grid; may be repeated"),
    ] = None,
    variety: o.Variety = None,
    unit: o.Unit = None,
    players: o.Players = None,
    games: Annotated[
        str | None,
        typer.Option(
            metavar="N",
            help="games of each cell; default: 1e5; with --precision the most that are played,"
            " by default 1e9",
        ),
    ] = None,
    seed: o.Seed = "0",
    play_seed: o.PlaySeed = None,
    policies: o.PoliciesText = "random",
    rule: o.Rule = None,
    rules: o.RulesFile = None,
    preset: o.Preset = None,
    precision: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METRIC=HALF_WIDTH",
            help="each cell stops once the 95 % interval is that narrow; may be repeated, then all"
            " must be; --games is the most that is played, by default 1e9",
        ),
    ] = None,
    metric: o.Metrics = None,
    skip_invalid: Annotated[
        bool, typer.Option("--skip-invalid", help="leave out cells that the rules refuse")
    ] = False,
    threads: o.Threads = None,
    form: Annotated[
        str | None,
        typer.Option("--format", metavar="table|csv|json", help="what is printed; default: table"),
    ] = None,
    heat_map: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="draw the first --metric over --x and --y (png, svg …)"),
    ] = None,
    line_plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="draw it over --x, a line for each --y")
    ] = None,
    x: Annotated[
        str | None, typer.Option("--x", metavar="KEY", help="default: the last key")
    ] = None,
    y: Annotated[
        str | None, typer.Option("--y", metavar="KEY", help="default: the one before")
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(
            metavar="K", help="seat of a drawn or tabled metric that has one; default in tables: 0"
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="the same as --format json")] = False,
) -> None:
    from simlib.cli.variants import base_from
    from simlib.progress import line
    from simlib.sweep import sweep_base
    from simlib.variants import read_grid

    if as_json and form not in (None, "json"):
        raise BadInput(f"--json and --format {form}: give one of them")
    form = "json" if as_json else form or "table"
    if form not in ("table", "csv", "json"):
        raise BadInput(f"--format {form!r}: table, csv or json")
    if not grid:
        raise BadInput("--grid: give at least one key, for example --grid lead=one,run")
    place = o.whole(seat, "--seat")
    pictures = [
        _Picture(path, draw, need, metric[0] if metric else None, x, y, place)
        for path, draw, need in ((heat_map, "heat_map", 2), (line_plot, "lines", 1))
        if path is not None
    ]
    if not pictures and (x or y):
        raise BadInput("--x and --y: they are for --heat-map and --line-plot")
    base = base_from(
        game, variety=variety, unit=unit, players=players, seed=seed, play_seed=play_seed,
        policies=policies, rule=rule, rules=rules, preset=preset,
    )  # fmt: skip
    widths = o.widths(precision)
    found = sweep_base(
        base,
        read_grid(grid),
        games=o.games_at_most(games, widths, GAMES),
        precision=widths,
        metrics=metric,
        skip_invalid=skip_invalid,
        threads=o.whole(threads, "--threads"),
        progress=line() if form == "table" else None,
        before=partial(_check, pictures, place),
    )
    _say_short(found, widths or {})
    for picture in pictures:
        picture.save(found)
    if form == "json":
        say(json.dumps(found.as_dict(), allow_nan=False))
    elif form == "csv":
        found.frame.to_csv(results(), index=False)
    else:
        _show(found, metric, place)


def _say_short(found: Sweep, precision: Mapping[str, float]) -> None:
    """Say on standard error what is missing: cells left out, precision not reached."""
    from simlib.cli.run import needed_text
    from simlib.run import games_needed

    if found.left_out:
        count = len(found.left_out)
        print(
            f"simlib: {count} {'cell was' if count == 1 else 'cells were'} left out; the first:"
            f" {found.left_out[0]['reason']}",
            file=sys.stderr,
        )
    runs = [cell.run for cell in found.cells if not cell.run.met]
    if runs:
        needed = max(games_needed(run.figures, len(run), precision) for run in runs)
        print(
            f"simlib: {len(runs)} of {len(found)} cells did not reach the precision asked for in"
            f" {len(runs[0]):,} games; {needed_text(needed, len(runs[0]))}",
            file=sys.stderr,
        )


def _check(
    pictures: Sequence[_Picture],
    seat: int | None,
    setups: Sequence[Setup],
    values: Sequence[Mapping[str, Any]],
) -> None:
    """Refuse what could not be drawn or shown, before a game is played."""
    seats = max(setup.players for setup in setups)
    if seat is not None and not 0 <= seat < seats:
        raise BadInput(f"--seat {seat}: seats are 0 to {seats - 1} (C-2)")
    for picture in pictures:
        picture.check(setups, values)


@dataclass(frozen=True)
class _Picture:
    """A picture asked for: where it goes, and the method that draws it over so many keys."""

    path: Path
    draw: str
    need: int
    metric: str | None
    x: str | None
    y: str | None
    seat: int | None

    def check(self, setups: Sequence[Setup], values: Sequence[Mapping[str, Any]]) -> None:
        from matplotlib.backend_bases import FigureCanvasBase

        from simlib.sweep_plots import axes_of, panel_keys

        if self.metric is None:
            raise BadInput("--heat-map and --line-plot draw the first --metric: name one")
        forms = sorted(FigureCanvasBase.get_supported_filetypes())
        if self.path.suffix.removeprefix(".").lower() not in forms:
            raise BadInput(f"{self.path}: give a file name that ends in one of: {', '.join(forms)}")
        if not self.path.parent.is_dir():
            raise BadInput(f"{self.path}: there is no folder {self.path.parent}")
        panel_keys(values, axes_of(list(values[0]), self.x, self.y, need=self.need))
        found = [m for s in setups for m in s.game.metrics(s.table) if m.name == self.metric]
        if self.seat is None and found and all(one.seats for one in found):
            raise BadInput(f"--metric {self.metric} has a value a seat: give --seat K")
        if self.seat is not None and found and not any(one.seats for one in found):
            raise BadInput(f"--metric {self.metric} has no seats: leave --seat out")

    def save(self, found: Sweep) -> None:
        figure = getattr(found, self.draw)(self.metric, self.x, self.y, seat=self.seat)
        figure.savefig(self.path)


def _show(found: Sweep, metrics: list[str] | None, seat: int | None) -> None:
    from simlib.cli import show
    from simlib.sweep import SHOWN_METRICS

    console = show.console()
    console.print(found.title())
    console.print(found.rules_text())
    names = list(metrics or found.names()[:SHOWN_METRICS])
    rows = []
    for cell in found.cells:
        figures = {
            (f.metric.name, f.seat): f.estimate() for f in cell.run.figures if f.group is None
        }
        row = [str(value) if not isinstance(value, bool) else show.number(value)
               for value in cell.values.values()]  # fmt: skip
        for name in names:
            one = figures.get((name, None)) or figures.get((name, seat or 0))
            row.append("-" if one is None else show.estimate(one.estimate, one.low, one.high))
        rows.append([*row, show.number(len(cell.run))])
    place = 0 if seat is None else seat
    heads = [f"{name} (seat {place})" if _has_seats(found, name) else name for name in names]
    console.print(show.table([*found.keys, *heads, "games"], rows, left=len(found.keys)))
    rest = [name for name in found.names() if name not in names]
    further = f"; further metrics (--metric): {', '.join(rest)}" if rest and not metrics else ""
    console.print(f"± half-widths of 95 % intervals, or [low, high]{further}")


def _has_seats(found: Sweep, name: str) -> bool:
    return any(f.seat is not None for f in found.cells[0].run.figures if f.metric.name == name)
