"""``simlib games``: what can be played."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from simlib import games as registry
from simlib.cli.output import say
from simlib.errors import BadInput
from simlib.games.spec import Game

__all__ = ["catalogue", "register"]

HELP = """Games, varieties, options, presets and policies; of King also its contracts.

\b
  simlib games king --variety minsk
"""


SEED = "the rules of the source text"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("games", help=HELP)(_games)


def catalogue(game: str | None = None, variety: str | None = None) -> list[dict[str, Any]]:
    """Return what can be played, as JSON values.

    Parameters
    ----------
    game, variety : str, optional
        Only this game; only this variety of it.

    Raises
    ------
    BadInput
        If there is no such game or variety.
    """
    if game is None and variety is not None:
        raise BadInput(f"--variety {variety!r}: name the game too, as in simlib games king")
    found = [registry.get(name) for name in (registry.names() if game is None else [game])]
    if variety is not None and variety not in found[0].varieties:
        has = ", ".join(found[0].varieties) or "no varieties"
        raise BadInput(f"--variety {variety!r}: {found[0].name} has {has}")
    return [_describe(one, variety) for one in found]


def _describe(game: Game, only: str | None) -> dict[str, Any]:
    varieties: tuple[str | None, ...] = game.varieties or (None,)
    return {
        "name": game.name,
        "title": game.title,
        "says": game.says,
        "units": list(game.units),
        "varieties": [
            {
                "name": variety,
                "players": list(game.players(variety)[0]),
                "default_players": game.players(variety)[1],
                "options": game.rules_model(variety).describe(),
                "presets": {name: dict(p) for name, p in game.presets(variety).items()},
                "contracts": _contracts(game, variety),
            }
            for variety in varieties
            if only in (None, variety)
        ],
        "policies": [
            {"name": p.name, "says": p.says, "uses_chance": p.uses_chance, "params": dict(p.params)}
            for p in game.policies.values()
        ],
    }


def _contracts(game: Game, variety: str | None) -> list[dict[str, Any]]:
    """Return a variety's contracts with their numbers, from the tables of its rules."""
    named = "contracts" in game.rules_model(variety).model_fields  # else there is nothing to name
    for table in game.tables():
        if table.head[0] == "contract" and f"`{variety}`" in table.title:
            rows = [[str(cell).replace("`", "") for cell in row] for row in table.rows]
            return [
                {
                    "number": number if named else None,
                    **dict(zip(("name", "scores", "times"), row, strict=False)),
                }
                for number, row in enumerate(rows, start=1)
            ]
    return []


def _games(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="only this game, with its contracts")
    ] = None,
    variety: Annotated[str | None, typer.Option(help="only this variety of King")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object")] = False,
) -> None:
    listed = catalogue(game, variety)
    if as_json:
        say(json.dumps({"games": listed}))
        return
    for one in listed:
        say(f"{one['name']} - {one['title']}: {one['says']}")
        say(f"  units: {', '.join(one['units'])}")
        for kind in one["varieties"]:
            name = f"  variety {kind['name']}: " if kind["name"] else "  "
            players = ", ".join(map(str, kind["players"]))
            say(f"{name}players {players} (default {kind['default_players']})")
        _say_once("options", one["varieties"], [_options(v) for v in one["varieties"]])
        _say_once("presets", one["varieties"], [_presets(v) for v in one["varieties"]])
        if game is not None:
            _say_once("contracts", one["varieties"], [_scores(v) for v in one["varieties"]])
            if any(row["number"] for kind in one["varieties"] for row in kind["contracts"]):
                say("  --rule contracts=A,B takes names of contracts, or their numbers")
        elif any(kind["contracts"] for kind in one["varieties"]):
            say(f"  contracts, with their numbers: simlib games {one['name']}")
        for policy in one["policies"]:
            say(f"  policy {policy['name']}: {policy['says']}")
            for key, value in policy["params"].items():
                say(f"    {policy['name']}({key}={value:g}): a parameter with its default")
        say("")
    say("Clauses (KG-1 …) are explained in docs/rules.md.")


def _options(variety: dict[str, Any]) -> list[str]:
    return [
        f"{option['name']} = {json.dumps(option['default'])}  [{option['valid']}]"
        f"  {option['says']} ({option['clause']})"
        for option in variety["options"]
    ]


def _presets(variety: dict[str, Any]) -> list[str]:
    return [
        f"{name}: {', '.join(f'{k}={json.dumps(v)}' for k, v in changed.items()) or SEED}"
        for name, changed in variety["presets"].items()
    ]


def _scores(variety: dict[str, Any]) -> list[str]:
    """Return a line a contract; a variety's contracts belong together, as one text."""
    width = max((len(one["name"]) for one in variety["contracts"]), default=0)
    lines = [
        f"{one['number'] or '':>2}  {one['name']:<{width}}  {one['scores']}"
        + (f"  ({one['times']})" if one["times"] not in ("", "once") else "")
        for one in variety["contracts"]
    ]
    return ["\n    ".join(lines)] if lines else []


def _say_once(
    what: str, varieties: Sequence[dict[str, Any]], texts: Sequence[Sequence[str]]
) -> None:
    """Say each text once, under the varieties that have it."""
    having: dict[str, list[str]] = {}
    for variety, lines in zip(varieties, texts, strict=True):
        for line in lines:
            having.setdefault(line, []).append(str(variety["name"]))
    together: dict[tuple[str, ...], list[str]] = {}
    for line, names in having.items():
        together.setdefault(tuple(names), []).append(line)
    for owners, shared in together.items():
        of = "" if len(varieties) == 1 else f" of {', '.join(owners)}"
        if 1 < len(varieties) == len(owners):
            of = " of every variety"
        say(f"  {what}{of}:")
        for line in shared:
            say(f"    {line}")
