"""``simlib run``: play many games and print the figures."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from simlib.cli import options as o
from simlib.cli.output import say
from simlib.errors import BadInput
from simlib.run import Run, games_needed
from simlib.setup import Setup
from simlib.sums import Figure

__all__ = ["register", "show"]

#: Games of a run unless told otherwise.
GAMES = 10**6


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("run", help="Play many games and print the figures with their intervals.")(_run)


def _run(
    game: o.GameName,
    variety: o.Variety = None,
    unit: o.Unit = None,
    players: o.Players = None,
    games: o.GamesAtMost = None,
    seed: o.Seed = "0",
    play_seed: o.PlaySeed = None,
    policies: o.PoliciesText = "random",
    rule: o.Rule = None,
    rules: o.RulesFile = None,
    preset: o.Preset = None,
    precision: o.Precision = None,
    metric: o.Metrics = None,
    groups: Annotated[
        bool, typer.Option("--groups", help="every figure of each contract too (King)")
    ] = False,
    threads: o.Threads = None,
    out: o.Out = None,
    keep: Annotated[
        str | None,
        typer.Option(
            metavar="games|summary",
            help="what --out stores: every row, or sums alone; default: games",
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="tcp://HOST:PORT", help="play it on a Dask cluster"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object, no progress")] = False,
) -> None:
    from simlib.progress import line
    from simlib.simulate import run_setup

    if keep == "games" and out is None:
        raise BadInput("--keep games: rows are written to a folder; give --out DIR")
    widths = o.widths(precision)
    count = o.games_at_most(games, widths, GAMES)
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
    _check_names(setup, metric)
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
        needed = needed_text(games_needed(run.figures, len(run), widths), len(run))
        print(
            f"simlib: the precision asked for was not reached in {len(run):,} games; {needed}",
            file=sys.stderr,
        )
    if out is not None:
        print(f"simlib: {_stored(run)}", file=sys.stderr)
    if as_json:
        found_all = run.as_dict()
        if metric:
            found_all["metrics"] = [m for m in found_all["metrics"] if m["name"] in metric]
        say(json.dumps(found_all, allow_nan=False))
    else:
        show(run, metric, groups=groups)


def _check_names(setup: Setup, names: Sequence[str] | None) -> None:
    """Refuse metrics that the run will not have, before a game is played."""
    known = [metric.name for metric in setup.game.metrics(setup.table)]
    for name in names or ():
        if name not in known:
            raise BadInput(f"--metric {name!r}: this run has the metrics {', '.join(known)}")


def needed_text(needed: float, games: int) -> str:
    """Say how many games a precision would have taken, as far as that can be told."""
    if not games < needed < math.inf:
        return "how many it takes cannot be told yet: give more with --games"
    digits = 10 ** max(math.floor(math.log10(needed)) - 1, 0)  # an estimate: two digits are known
    return f"it takes about {math.ceil(needed / digits) * digits:,}: give them with --games"


def _stored(run: Run) -> str:
    """Say what was written to the folder of a run."""
    manifest = run.manifest
    parts = manifest["parts"]
    size = sum(file["bytes"] for part in parts for file in part["files"].values())
    has = f"{len(run):,} games in {len(parts)} {'part' if len(parts) == 1 else 'parts'}"
    if run.played == 0:
        return f"{run.path}: {has} were there already; nothing was played"
    before = len(run) - run.played
    new = f", {run.played:,} of them new" if before > 0 else ""
    return f"{run.path}: {has}{new}, {size:,} bytes ({manifest['keep']})"


# --- tables ----------------------------------------------------------------------------------


def show(run: Run, metrics: Sequence[str] | None = None, *, groups: bool = False) -> None:
    """Print the figures of a run: those over all games, then a row a group.

    Parameters
    ----------
    run : Run
    metrics : sequence of str, optional
        Only these.
    groups : bool
        Whether every figure of every group is printed, each with its interval.
    """
    from simlib.cli import show

    console = show.console()
    console.print(run.title())
    rules = run.setup.rules_text() or "default rules"
    console.print(f"{rules}; {run.sums.games / max(run.elapsed, 1e-9):,.0f} games/s")
    figures = [f for f in run.figures if not metrics or f.metric.name in metrics]
    grouped = [f for f in figures if f.group is not None]
    if _says_nothing_new(figures, grouped):
        grouped = []
    listed = [f for f in figures if f.group is None] + (grouped if groups else [])
    parts = [
        ("metric", [f.metric.name for f in listed]),
        ("seat", ["" if f.seat is None else str(f.seat) for f in listed]),
        ("group", [f.group or "" for f in listed]),
        ("over", [_subset(run.setup, f) for f in listed]),
    ]
    texts = [(head, column) for head, column in parts if any(column)]
    columns = [*(head for head, _ in texts), "estimate", "± 95 %", "low", "high", "n"]
    words = zip(*(column for _, column in texts), strict=True)
    rows = [[*word, *_numbers(figure)] for word, figure in zip(words, listed, strict=True)]
    console.print(show.table(columns, rows, left=len(texts)))
    if grouped and not groups:
        _show_groups(run, grouped, all_of_them=bool(metrics))


def _numbers(figure: Figure) -> list[str]:
    from simlib.cli import show

    found = figure.estimate()
    low, high = found.low, found.high
    half = None if low is None or high is None else (high - low) / 2
    return [
        show.number(found.estimate, 5),
        show.number(half, 2),
        show.number(low, 5),
        show.number(high, 5),
        f"{found.n:,}",
    ]


def _says_nothing_new(figures: Sequence[Figure], grouped: Sequence[Figure]) -> bool:
    """Tell whether a single group is all there is: its figures are those over all games."""
    whole = {(f.metric.name, f.seat): f.estimate() for f in figures if f.group is None}
    return len({f.group for f in grouped}) == 1 and all(
        whole[f.metric.name, f.seat] == f.estimate() for f in grouped
    )


def _subset(setup: Setup, figure: Figure) -> str:
    """Say which games a figure is over, if not over all of them."""
    if figure.metric.given is None:
        return ""
    name, codes = figure.metric.given
    column = next(c for c in setup.game.game_columns if c.name == name)
    labels = " or ".join(column.labels[code] for code in codes)
    return f"games ended {labels}" if name == "ending" else f"games with {name} {labels}"


def _show_groups(run: Run, grouped: Sequence[Figure], *, all_of_them: bool) -> None:
    """Print a row a group: the headline a seat and the first rate, or all that were asked for."""
    from simlib.cli import show

    names = list(dict.fromkeys(f.metric.name for f in grouped))
    if not all_of_them:
        rates = [f.metric.name for f in grouped if f.metric.kind == "rate"]
        names = list(dict.fromkeys([names[0], *rates[:1]]))
    shown = [f for f in grouped if f.metric.name in names]
    labels = list(dict.fromkeys(f.group for f in shown))
    heads = list(dict.fromkeys((f.metric.name, f.seat) for f in shown))
    found = {(f.group, f.metric.name, f.seat): f.estimate() for f in shown}
    rows = []
    for label in labels:
        cells = [found[label, name, seat] for name, seat in heads]
        texts = [show.estimate(one.estimate, one.low, one.high) for one in cells]
        rows.append([str(label), *texts, f"{cells[0].n:,}"])
    titles = [name if seat is None else f"{name} (seat {seat})" for name, seat in heads]
    column = run.setup.game.group_column
    console = show.console()
    console.print("")
    console.print(show.table([column, *titles, "n"], rows))
    console.print(
        f"± half-widths of 95 % intervals, or [low, high]; other figures a {column}: --metric, or"
        " all of them: --groups"
    )
