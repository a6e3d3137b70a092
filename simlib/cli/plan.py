"""``simlib plan``: what a run would take, from a short trial."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from simlib.cli import options as o
from simlib.cli.output import say

__all__ = ["register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("plan", help="Estimate games, time and bytes of a run from a short trial.")(_plan)


def _plan(
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
    threads: o.Threads = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object")] = False,
) -> None:
    from simlib.plan import plan

    widths = o.widths(precision)
    count = o.games_at_most(games, widths, 10**6)
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
    found = plan(
        setup,
        games=count,
        precision=widths,
        threads=o.whole(threads, "--threads"),
    )
    say(json.dumps(found.as_dict()) if as_json else found.text())
