"""``simlib replay``: one game, or a deal of one's own, as readable text or as records."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from simlib.cards import colour_for_terminal
from simlib.cli import options as o
from simlib.cli.output import results, say
from simlib.errors import BadInput, RunFailure
from simlib.setup import Setup, count_argument

__all__ = ["register"]

#: Games that a search looks at unless told otherwise.
SEARCH = 10**6


def register(app: typer.Typer) -> None:
    """Add the command."""
    says = "Play a game again, or a deal of your own: as text, or as records (C-10)."
    app.command("replay", help=says)(_replay)


def _replay(
    name: o.GameName,
    variety: o.Variety = None,
    unit: o.Unit = None,
    players: o.Players = None,
    seed: o.Seed = "0",
    play_seed: o.PlaySeed = None,
    policies: o.PoliciesText = "random",
    rule: o.Rule = None,
    rules: o.RulesFile = None,
    preset: o.Preset = None,
    game: Annotated[
        str | None, typer.Option("--game", metavar="I", help="index of one game")
    ] = None,
    games: Annotated[
        str | None, typer.Option("--games", metavar="I-J", help="indices I to J, both included")
    ] = None,
    deals: Annotated[
        Path | None,
        typer.Option(
            "--deals",
            metavar="FILE.toml",
            help="play the cards of this file: under each [[deals]] hands = ["
            '"7S 8S …", …], one text a seat, and stock, corners, talon or aside where the rules'
            " deal them; what is left out is filled from the seed. Deal I is game I; later deals"
            " of a match, playoffs, and chance in play are the seed's",
        ),
    ] = None,
    ending: Annotated[
        str | None,
        typer.Option(
            metavar="LABEL",
            help="look for a game that ends so (endless, deadlock, early …) among a million from"
            " game 0 or from --game I on, or among --games I-J",
        ),
    ] = None,
    proof: Annotated[
        str | None,
        typer.Option(
            metavar="orphans|cycle", help="look for a game proved endless so (King George III)"
        ),
    ] = None,
    first: Annotated[
        str, typer.Option("--first", metavar="N", help="how many games --ending, --proof find")
    ] = "1",
    as_json: Annotated[bool, typer.Option("--json", help="JSON Lines, one game a line")] = False,
) -> None:
    from simlib.deals import players_in, read_deals
    from simlib.record import record_of

    wanted = {key: text for key, text in (("ending", ending), ("proof", proof)) if text is not None}
    most = count_argument(o.whole(first, "--first"), "--first")
    if wanted and deals is not None:
        raise BadInput("--ending and --proof search the games of a seed: leave --deals out")
    if most > 1 and not wanted:
        raise BadInput("--first: it counts what --ending or --proof find; give one of them")
    own = None if deals is None else read_deals(deals)
    low, high = (
        _searched(game, games)
        if wanted
        else _indices(game, games, None if own is None else len(own))
    )
    if own is not None and players is None:
        seats = players_in(own, name, variety)
        players = None if seats is None else str(seats)
    setup = o.setup_from(
        name,
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
    indices: Iterable[int] = range(low, high + 1)
    # every deal is checked before the first is played
    decks = {} if own is None else {i: own[i].deck(setup, i) for i in range(low, high + 1)}
    if wanted:
        indices = _found(setup, wanted, low, high, most)
    coloured = results().isatty() and not os.environ.get("NO_COLOR")
    for index in indices:
        record = record_of(setup, index, decks.get(index))
        if as_json:
            say(record.to_json())
        else:
            say(_title(setup, index, None if own is None else own[index].title))
            say(colour_for_terminal(record.text()) if coloured else record.text())


def _title(setup: Setup, index: int, own: str | None) -> str:
    if own is None:
        return f"Game {index} of seed {setup.seed}: {setup.game.title}"
    return f"{own}: {setup.game.title}; all else is game {index} of seed {setup.seed}"


def _searched(game: str | None, games: str | None) -> tuple[int, int]:
    """Return the first and the last game that a search looks at."""
    if games is not None:
        return _indices(game, games, None)
    low = 0 if game is None else _indices(game, None, None)[0]
    return low, low + SEARCH - 1


def _found(
    setup: Setup, wanted: Mapping[str, str], low: int, high: int, most: int
) -> Iterator[int]:
    """Yield the first games of a kind; say where one was looked for in vain."""
    from simlib.record import find_games

    count = 0
    for index in islice(find_games(setup, wanted, first=low, stop=high + 1), most):
        count += 1
        yield index
    if count < most:
        kind = " and ".join(f"{key} {label}" for key, label in wanted.items())
        where = f"among games {low} to {high} of seed {setup.seed}"
        if count == 0:
            raise RunFailure(f"no game with {kind} {where}; --games I-J looks elsewhere")
        print(f"simlib: {count} with {kind}, not {most}, {where}", file=sys.stderr)


def _indices(game: str | None, games: str | None, deals: int | None) -> tuple[int, int]:
    """Return the first and the last index; all deals of a file unless some are named."""
    if deals is not None and game is None and games is None:
        return 0, deals - 1
    if (game is None) == (games is None):
        raise BadInput(
            "give --game I for one game, --games I-J for several, or --ending LABEL to look for one"
        )
    if game is not None:
        index = o.whole(game, "--game")
        if index is None or index < 0:
            raise BadInput(f"--game {game!r}: give a whole number from 0")
        low = high = index
    else:
        both = re.fullmatch(r"([^-]+)-([^-]+)", str(games))
        if both is None:
            raise BadInput(
                f"--games {games!r}: give the first and the last index, for example 0-99"
            )
        start, end = o.whole(both[1], "--games"), o.whole(both[2], "--games")
        if start is None or end is None or not 0 <= start <= end:
            raise BadInput(f"--games {games!r}: give I-J with I not above J, for example 0-99")
        low, high = start, end
    if deals is not None and high >= deals:
        raise BadInput(f"game {high}: the file has deals 0 to {deals - 1}")
    return low, high
