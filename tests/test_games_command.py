"""``simlib games``: one game, its contracts, and options said once."""

from __future__ import annotations

import json
import shlex

import pytest

import simlib
from simlib.cli import execute
from simlib.games.king.contracts import VARIETIES


def lines(text: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    assert execute(shlex.split(text)) == 0
    return capsys.readouterr().out.splitlines()


def test_one_game(capsys: pytest.CaptureFixture[str]) -> None:
    found = lines("games royal-corners", capsys)
    assert found[0].startswith("royal-corners - ")
    assert not any(line.startswith("king") for line in found)
    assert found[-1] == "Clauses (KG-1 …) are explained in docs/rules.md."
    listed = json.loads("".join(lines("games king --variety minsk --json", capsys)))["games"]
    assert [one["name"] for one in listed] == ["king"]
    assert [one["name"] for one in listed[0]["varieties"]] == ["minsk"]


def test_an_option_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    found = lines("games king", capsys)
    for name in ("play_out", "max_deals", "contracts", "must_trump", "joker_play"):
        assert sum(line.startswith(f"    {name} = ") for line in found) == 1, name
    whole = found.index("  options of every variety:")
    assert found[whole + 1].startswith("    play_out = ")
    # where it differs it is said for each
    assert sum(line.startswith("    limit = ") for line in found) == 3


@pytest.mark.parametrize("name", [n for n, variety in VARIETIES.items() if variety.names])
def test_k_3_contracts_with_their_numbers(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads("".join(lines(f"games king --variety {name} --json", capsys)))["games"]
    rows = listed[0]["varieties"][0]["contracts"]
    assert [(row["number"], row["name"]) for row in rows] == list(
        enumerate(VARIETIES[name].names, start=1)
    )
    text = lines(f"games king --variety {name}", capsys)
    place = text.index("  contracts:")
    for row, line in zip(rows, text[place + 1 :], strict=False):
        assert line.split()[:2] == [str(row["number"]), row["name"]]
        assert row["scores"] in line


def test_without_contracts_there_is_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads("".join(lines("games king --variety omnibus --json", capsys)))["games"]
    (row,) = listed[0]["varieties"][0]["contracts"]
    assert row["number"] is None and "Q♠ −13" in row["scores"]


@pytest.mark.parametrize("name", [n for n, variety in VARIETIES.items() if variety.names])
def test_k_7_a_number_names_the_contract_of_its_place(name: str) -> None:
    names = VARIETIES[name].names
    for number, contract in enumerate(names, start=1):
        for given in (str(number), [number], f"{number},{names[0]}"):
            found = simlib.replay("king", variety=name, rules={"contracts": given})
            assert found["rules"]["contracts"][0] == contract
            assert found["deals"][0]["contract"] == contract
    for wrong in ("0", str(len(names) + 1), [True], [1.5]):
        with pytest.raises(simlib.BadInput, match="K-7"):
            simlib.replay("king", variety=name, rules={"contracts": wrong})


def test_in_a_house_a_number_is_named_in_the_error() -> None:
    custom = {"contracts": [{"name": "tricks", "trick": 1}, {"name": "queens", "ranks": {"Q": 3}}]}
    with pytest.raises(simlib.BadInput, match=r"number 2 is queens"):
        simlib.replay("king", variety="house", rules={"custom": custom, "contracts": ["2"]})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("games whist", "there are king-george-iii"),
        ("games king --variety foo", "king has simple"),
        ("games royal-corners --variety foo", "has no varieties"),
        ("games --variety minsk", "name the game too"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    text: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert execute(shlex.split(text)) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and says in err


def test_help_says_where_clauses_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert "explained in docs/rules.md" in lines("--help", capsys)[-1]
    run = " ".join(" ".join(lines("run --help", capsys)).split())
    assert "range and default: see `simlib games`" in run and "default: games" in run
