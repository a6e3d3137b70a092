"""``simlib compare``: what changes when rules, policies or players change."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from simlib.cli import options as o
from simlib.cli.output import say
from simlib.errors import BadInput
from simlib.setup import Setup

__all__ = ["register"]

HELP = """Compare variants with a base, on the same deals where the cards allow it.

The ordinary options say what the base is. Each --with names one variant by what it changes:

\b
  simlib compare king-george-iii --players 2 --with "lead=run" --with "policies=eager"

Keys of --with: options of the rules (lead, or rule.lead), players, variety, unit, preset,
policies, seed, play_seed, policies.K (the policy at seat K), param.NAME (a parameter of every
policy that has it). Several changes of one variant stand in one text with blanks between them:
--with "lead=run policies=eager". Differences are variant - base. A change of policies or param
changes every seat: who plays better at one table is seen with policies.K, or in a tournament.
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare", help=HELP)(_compare)


def _compare(
    game: o.GameName,
    changes: Annotated[
        list[str] | None,
        typer.Option("--with", metavar='"KEY=VALUE …"', help="one variant; may be repeated"),
    ] = None,
    variety: o.Variety = None,
    unit: o.Unit = None,
    players: o.Players = None,
    games: o.Games = "1e5",
    seed: o.Seed = "0",
    play_seed: o.PlaySeed = None,
    policies: o.PoliciesText = "random",
    rule: o.Rule = None,
    rules: o.RulesFile = None,
    preset: o.Preset = None,
    metric: o.Metrics = None,
    groups: Annotated[bool, typer.Option("--groups", help="also each contract (King)")] = False,
    family: Annotated[
        str,
        typer.Option(metavar="N|rows", help="how many intervals hold at once (Bonferroni)"),
    ] = "1",
    threads: o.Threads = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object, no progress")] = False,
) -> None:
    from simlib.cli.variants import base_from
    from simlib.compare import against
    from simlib.progress import line
    from simlib.setup import count_argument
    from simlib.variants import read_changes

    if not changes:
        raise BadInput('--with: name at least one variant, for example --with "lead=run"')
    base = base_from(
        game, variety=variety, unit=unit, players=players, seed=seed, play_seed=play_seed,
        policies=policies, rule=rule, rules=rules, preset=preset,
    )  # fmt: skip
    read = [read_changes(text) for text in changes]
    start = base.setup()
    found = against(
        start,
        [base.setup(one) for one in read],
        games=count_argument(o.whole(games, "--games"), "--games"),
        metrics=metric,
        groups=groups,
        family="rows"
        if family == "rows"
        else count_argument(o.whole(family, "--family"), "--family"),
        threads=o.whole(threads, "--threads"),
        progress=None if as_json else line(),
    )
    if as_json:
        comparisons = [
            {"with": one, **comparison.as_dict()}
            for one, comparison in zip(read, found, strict=True)
        ]
        asked = {"game": start.game.name, "base": start.describe(), "comparisons": comparisons}
        say(json.dumps(asked, allow_nan=False))
    else:
        _show(start, changes, found)


def _show(base: Setup, changes: Sequence[str], found: Sequence[Any]) -> None:
    from simlib.cli import show
    from simlib.run import table_in_common

    console = show.console()
    who, how = table_in_common([base])
    console.print(f"the base: {who}{how}; {base.rules_text() or 'default rules'}\n")
    for text, comparison in zip(changes, found, strict=True):
        console.print(f"{text}, less the base: {comparison.games:,} games of each")
        console.print(f"{comparison.how}; {100 * comparison.level:g} % intervals")
        columns = ["metric", "seat", "group", "variant", "base", "difference", "interval",
                   "worth", "detectable", "n"]  # fmt: skip
        rows = [
            (
                row["name"],
                "" if row["seat"] is None else str(row["seat"]),
                row["group"] or "",
                show.number(row["a"]),
                show.number(row["b"]),
                show.number(row["difference"]),
                show.interval(row["low"], row["high"]),
                show.number(row["variance_ratio"], 3),
                show.number(row["detectable"], 2),
                show.number(row["n"]),
            )
            for row in comparison.as_dict()["metrics"]
        ]
        console.print(show.table(columns, rows, left=3))
        console.print(
            "worth: independent games of each that one pair is worth; detectable: smallest"
            " difference shown with probability 0.8\n"
        )
