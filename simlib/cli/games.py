"""``simlib games``: what can be played."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from simlib import games as registry
from simlib.cli.output import say
from simlib.games.spec import Game

__all__ = ["catalogue", "register"]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("games", help="Games, varieties, options, presets and policies.")(_games)


def catalogue() -> list[dict[str, Any]]:
    """Return everything that can be played, as JSON values."""
    return [_describe(registry.get(name)) for name in registry.names()]


def _describe(game: Game) -> dict[str, Any]:
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
            }
            for variety in varieties
        ],
        "policies": [
            {"name": p.name, "says": p.says, "uses_chance": p.uses_chance, "params": dict(p.params)}
            for p in game.policies.values()
        ],
    }


def _games(
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object")] = False,
) -> None:
    listed = catalogue()
    if as_json:
        say(json.dumps({"games": listed}))
        return
    for game in listed:
        say(f"{game['name']} - {game['title']}: {game['says']}")
        say(f"  units: {', '.join(game['units'])}")
        for variety in game["varieties"]:
            name = f"  variety {variety['name']}: " if variety["name"] else "  "
            players = ", ".join(map(str, variety["players"]))
            say(f"{name}players {players} (default {variety['default_players']})")
            for option in variety["options"]:
                default = json.dumps(option["default"])
                say(
                    f"    {option['name']} = {default}  [{option['valid']}]"
                    f"  {option['says']} ({option['clause']})"
                )
            for preset, changed in variety["presets"].items():
                changes = ", ".join(f"{k}={json.dumps(v)}" for k, v in changed.items())
                say(f"    preset {preset}: {changes or 'the rules of the source text'}")
        for policy in game["policies"]:
            say(f"  policy {policy['name']}: {policy['says']}")
        say("")
