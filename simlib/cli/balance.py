"""``simlib balance``: how balanced a game is, and which rules would make it so."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simlib.cli import options as o
from simlib.cli.output import say

if TYPE_CHECKING:
    from analyses.results import Result
    from simlib.balance_search import SearchResult

__all__ = ["register"]

HELP = """Measure how balanced a game is, or search for rule sets that meet targets.

Without --target: how games end, length, choices, seats, skill ladder, luck and skill, drama.
With targets: rule sets that meet them, nearest to the rules it starts from first.

\b
  simlib balance king-george-iii --players 2 --target "rate_endless<0.01"

Targets are metrics of the game (see `simlib run`), or seat_spread, first_advantage, completed,
never_ending, cut_off, branching_factor; rates and shares run from 0 to 1. Candidates race on
common deals, and what is left is confirmed on fresh ones. Put targets in quotes: < and > mean
something to the shell.
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("balance", help=HELP)(_balance)


def _balance(
    game: o.GameName,
    target: Annotated[
        list[str] | None,
        typer.Option(metavar="METRIC<NUMBER", help="one condition; may be repeated"),
    ] = None,
    variety: o.Variety = None,
    unit: o.Unit = None,
    players: o.Players = None,
    games: Annotated[
        str, typer.Option(metavar="N", help="games of each candidate in the last round")
    ] = "64000",
    confirm: Annotated[
        str | None,
        typer.Option(metavar="N", help="fresh games of each; default: four times --games"),
    ] = None,
    seed: o.Seed = "0",
    policies: Annotated[
        list[str] | None,
        typer.Option(
            metavar="P[,P…]",
            help="who plays: one policy for all seats or one a seat; repeated: targets must hold"
            " under each; default: random",
        ),
    ] = None,
    rule: o.Rule = None,
    rules: o.RulesFile = None,
    preset: o.Preset = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=A,B,C", help="options to vary; default: all, hand sizes too"),
    ] = None,
    changes: Annotated[str, typer.Option(metavar="N", help="most options changed at once")] = "2",
    keep: Annotated[str, typer.Option(metavar="N", help="most rule sets that are confirmed")] = "8",
    records: Annotated[
        str,
        typer.Option(metavar="N", help="without targets: games replayed for the course of play"),
    ] = "2000",
    threads: o.Threads = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object, no progress")] = False,
) -> int:
    from analyses.balance import MEASURES
    from simlib.balance_search import search_base
    from simlib.cli.variants import base_from
    from simlib.progress import line
    from simlib.setup import count_argument
    from simlib.variants import read_grid

    if not target:
        measured = _measure(
            game, variety, unit, players, games, seed, policies, rule, rules, preset, records,
            threads, quiet=as_json,
        )  # fmt: skip
        _print_result(measured, as_json=as_json)
        return 0
    who = policies or ["random"]
    base = base_from(
        game, variety=variety, unit=unit, players=players, seed=seed, play_seed=None,
        policies=who[0], rule=rule, rules=rules, preset=preset,
    )  # fmt: skip
    found = search_base(
        base,
        target,
        populations=who,
        games=count_argument(o.whole(games, "--games"), "--games"),
        confirm_games=o.whole(confirm, "--confirm"),
        vary=read_grid(vary, "--vary") if vary else None,
        most_changes=count_argument(o.whole(changes, "--changes"), "--changes"),
        keep=count_argument(o.whole(keep, "--keep"), "--keep"),
        measures=MEASURES,
        threads=o.whole(threads, "--threads"),
        progress=None if as_json else line(),
    )
    if as_json:
        say(json.dumps(found.as_dict(), allow_nan=False))
    else:
        _show(found)
    return 0


def _measure(
    game: str,
    variety: str | None,
    unit: str | None,
    players: str | None,
    games: str,
    seed: str,
    policies: list[str] | None,
    rule: list[str] | None,
    rules: Path | None,
    preset: str | None,
    records: str,
    threads: str | None,
    *,
    quiet: bool,
) -> Result:
    from analyses import balance

    count = o.whole(players, "--players")
    return balance.run(
        game=game,
        variety=variety,
        unit=unit,
        players=None if count is None else [count],
        games=o.whole(games, "--games"),
        seed=o.whole(seed, "--seed") or 0,
        policies=policies,
        rules={**(o.read_rules(rules) or {}), **o.pairs(rule, "--rule")},
        preset=preset,
        records=o.whole(records, "--records"),
        threads=o.whole(threads, "--threads"),
        progress=None if quiet else lambda text: print(text, file=sys.stderr, flush=True),
    )


def _print_result(found: Result, *, as_json: bool) -> None:
    from simlib.cli import show

    if as_json:
        tables = {
            one.key: json.loads(one.frame.to_json(orient="records", double_precision=15))
            for one in found.tables
        }
        say(json.dumps({"answer": found.answer, "tables": tables}, allow_nan=False))
        return
    console = show.console()
    console.print(found.answer)
    for one in found.tables:
        if not one.key.endswith("-intervals"):
            console.print(f"\n{one.title}")
            rows = one.frame.to_dict(orient="records")
            console.print(
                show.table(list(one.frame.columns), [list(row.values()) for row in rows], left=2)
            )


def _show(found: SearchResult) -> None:
    from simlib.cli import show

    console = show.console()
    console.print(found.title())
    for number, lap in enumerate(found.rounds, 1):
        console.print(
            f"  round {number}: {lap.candidates:,} rule sets, {lap.games:,} games each;"
            f" {lap.missed} missed a target, {lap.alike} played like a nearer one,"
            f" {lap.covered} only added to one that suffices, {lap.halved} were the worse half"
        )
    console.print(
        f"fresh deals (seed {found.confirm_seed}), {found.found[0].games:,} games each; intervals"
        " hold all at once with 95 %"
    )
    columns = ["rules", "meets all"]
    many = len(found.populations) > 1
    for target in found.targets:
        columns += [f"{target} ({who})" if many else str(target) for who in found.populations]
    rows = []
    for place, one in enumerate(found.found):
        row = [one.candidate.words() + ("" if place else " [start]"), "yes" if one.meets else "no"]
        for target in found.targets:
            for who in found.populations:
                fresh = one.confirmed[str(target), who]
                row.append(f"{show.number(fresh.estimate)} {show.interval(fresh.low, fresh.high)}")
        rows.append(row)
    console.print(show.table(columns, rows, left=2))
