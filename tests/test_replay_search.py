"""``simlib replay --ending``: looks for a game of a kind."""

from __future__ import annotations

import json
import re
import shlex

import pytest

import simlib
from simlib.cli import execute
from simlib.record import find_games
from simlib.setup import prepare

KG = "king-george-iii --players 2"
#: A label of each game that a few hundred games hold, and where it stands.
KINDS = [
    ("king-george-iii", {"players": 3}, "ending", "deadlock"),
    ("king-george-iii", {"players": 2}, "proof", "orphans"),
    ("royal-corners", {"players": 2, "policies": "eager"}, "ending", "blocked"),
    ("royal-corners", {"players": 2, "unit": "match"}, "ending", "complete"),
    ("king", {}, "ending", "early"),
    ("king", {"variety": "domino", "unit": "match"}, "ending", "limit"),
]


@pytest.mark.parametrize(("game", "more", "column", "label"), KINDS)
def test_it_finds_what_the_rows_of_a_run_say(
    game: str, more: dict[str, object], column: str, label: str
) -> None:
    rows = simlib.simulate(game, **more, games=300, keep="games", seed=5).games  # type: ignore[arg-type]
    want = rows.loc[rows[column] == label, "index"].tolist()
    setup = prepare(game, **more, seed=5)  # type: ignore[arg-type]
    assert want and list(find_games(setup, {column: label}, stop=300)) == want
    assert list(find_games(setup, {column: label}, first=want[0] + 1, stop=300)) == want[1:]
    record = simlib.replay(game, **more, index=want[0], seed=5)  # type: ignore[arg-type]
    assert record["outcome"][column] == label


def indices(text: str, capsys: pytest.CaptureFixture[str]) -> list[int]:
    assert execute(shlex.split(text)) == 0
    return [json.loads(line)["index"] for line in capsys.readouterr().out.splitlines()]


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    rows = simlib.simulate("king-george-iii", players=2, games=200, keep="games", seed=7).games
    endless = rows.loc[rows["ending"] == "endless", "index"].tolist()
    command = f"replay {KG} --seed 7 --json --ending endless"
    assert indices(command, capsys) == endless[:1]
    assert indices(f"{command} --first 3", capsys) == endless[:3]
    assert indices(f"{command} --proof orphans --game {endless[1] + 1}", capsys) == endless[2:3]
    assert (
        indices(f"{command} --first 2 --games 100-150", capsys)
        == [index for index in endless if 100 <= index <= 150][:2]
    )
    assert execute(shlex.split(command.replace(" --json", ""))) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"Game {endless[0]} of seed 7: King George III\n")
    assert "ends ENDLESS" in out


def test_nothing_found_is_one_line_and_exit_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert execute(shlex.split(f"replay {KG} --ending truncated --games 3-40")) == 1
    out, err = capsys.readouterr()
    assert out == "" and err == (
        "simlib: no game with ending truncated among games 3 to 40 of seed 0;"
        " --games I-J looks elsewhere\n"
    )


def test_fewer_than_asked_for_are_printed_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    command = f"replay {KG} --ending endless --games 0-5 --first 6 --json"
    assert execute(shlex.split(command)) == 0
    out, err = capsys.readouterr()
    count = len(out.splitlines())
    assert 0 < count < 6
    assert re.match(rf"simlib: {count} with ending endless, not 6, among games 0 to 5", err)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"replay {KG} --ending nice", "ending 'nice': king-george-iii has out, deadlock"),
        ("replay king --proof orphans", "games of king have no proof"),
        (f"replay {KG} --ending out --first 0", "--first"),
        (f"replay {KG} --game 3 --first 2", "give one of them"),
        (f"replay {KG} --ending out --deals a.toml", "leave --deals out"),
        (f"replay {KG} --ending out --game 1 --games 2-3", "--game I"),
        (f"replay {KG}", "--ending LABEL"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    text: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(shlex.split(text)) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and says in err


def test_replay_in_python_calls_it_index() -> None:
    with pytest.raises(simlib.BadInput, match="is its index"):
        simlib.replay("king", game=3)  # type: ignore[call-arg]
    assert simlib.replay(game="king", index=2)["index"] == 2
