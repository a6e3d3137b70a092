"""``simlib tournament``: which policy plays better."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from simlib.cli import options as o
from simlib.cli.output import say

if TYPE_CHECKING:
    from simlib.tournament import Tournament

__all__ = ["register"]

HELP = """Let policies play each other, every deal in all seat arrangements up to a number.

\b
  simlib tournament king-george-iii --players 2 --policies random,eager,no-orphans

round-robin: every pair of policies shares a table, each at half of its seats. all-in: tables of
all different policies, in every combination. Ratings stand beside the matrix of differences on
the same deals, never in its place; intervals come from resampling deals.
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("tournament", help=HELP)(_tournament)


def _tournament(
    game: o.GameName,
    policies: Annotated[
        str | None,
        typer.Option(metavar="P,P[,P…]", help="default: all the game's own; also file.py:name"),
    ] = None,
    mode: Annotated[str, typer.Option(metavar="round-robin|all-in")] = "round-robin",
    deals: Annotated[
        str, typer.Option(metavar="N", help="deals (or matches) of each line-up")
    ] = "2000",
    arrangements: Annotated[
        str, typer.Option(metavar="N", help="most seat arrangements of a line-up")
    ] = "24",
    score: Annotated[
        str | None, typer.Option(metavar="METRIC", help="what differences are of")
    ] = None,
    variety: o.Variety = None,
    unit: o.Unit = None,
    players: o.Players = None,
    seed: o.Seed = "0",
    play_seed: o.PlaySeed = None,
    rule: o.Rule = None,
    rules: o.RulesFile = None,
    preset: o.Preset = None,
    resamples: Annotated[str, typer.Option(metavar="N", help="bootstrap samples of deals")] = "500",
    threads: o.Threads = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object, no progress")] = False,
) -> None:
    from simlib.cli.variants import base_from
    from simlib.games import get
    from simlib.progress import line
    from simlib.setup import count_argument
    from simlib.tournament import RESAMPLES, play_tournament, read_policies

    base = base_from(
        game, variety=variety, unit=unit, players=players, seed=seed, play_seed=play_seed,
        policies=next(iter(get(game).policies)), rule=rule, rules=rules, preset=preset,
    )  # fmt: skip
    setup = base.setup()
    found = play_tournament(
        setup,
        read_policies(setup, policies),
        mode=mode,
        deals=count_argument(o.whole(deals, "--deals"), "--deals"),
        arrangements=count_argument(o.whole(arrangements, "--arrangements"), "--arrangements"),
        score=score,
        resamples=count_argument(
            o.whole(resamples, "--resamples"), "--resamples", least=2, most=RESAMPLES
        ),
        threads=o.whole(threads, "--threads"),
        progress=None if as_json else line(),
    )
    if as_json:
        say(json.dumps(found.as_dict(), allow_nan=False))
    else:
        _show(found)


def _show(found: Tournament) -> None:
    from simlib.cli import show

    console = show.console()
    console.print(found.title())
    console.print(
        f"win share for each seat taken and ratings ({found.model}), {100 * found.level:g} %"
        " intervals by resampling deals"
    )
    rows = [
        (
            row["policy"],
            show.number(row["win_share"]),
            show.interval(row["low"], row["high"]),
            show.number(row["rating"]),
            show.interval(row["rating_low"], row["rating_high"]),
            show.number(row["elo"], 3),
            show.number(int(row["games"])),
        )
        for row in found.standings.to_dict(orient="records")
    ]
    columns = ["policy", "win share", "interval", "rating", "interval", "Elo", "games"]
    console.print(show.table(columns, rows))
    matrix = found.matrix()
    half = (found.matrix(value="high") - found.matrix(value="low")) / 2
    console.print(f"\n{found.metrics[0]}, row - column, on the same deals")
    cells = [
        [name, *("" if one == other else
                 f"{show.number(matrix.loc[name, other])} ±{show.number(half.loc[name, other], 2)}"
                 for one, other in ((name, column) for column in matrix.columns))]
        for name in matrix.index
    ]  # fmt: skip
    console.print(show.table(["", *map(str, matrix.columns)], cells))
    for circle in found.circles:
        console.print(f"a circle: {' beats '.join([*circle, circle[0]])}")
