"""The commands compare, sweep, tournament and balance: tables, JSON, bad input."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import simlib
from simlib.cli import execute

KG = "king-george-iii --players 2"
#: Too many games to be played in a test: refused before the first.
DRAWN = f"sweep {KG} --grid lead=one,run --games 1e12 --metric rate_out"
COMMANDS = {
    "compare": f'compare {KG} --games 200 --with lead=run --with "policies=eager wrap=true"',
    "sweep": f"sweep {KG} --games 200 --grid lead=one,run --grid ace_resets=0..1",
    "tournament": f"tournament {KG} --policies random,eager --deals 20 --resamples 10",
    "balance": f'balance {KG} --games 1000 --target "rate_endless<0.01" --vary ace_resets=0,3',
    "measures": f"balance {KG} --games 200 --records 20 --policies random",
}


def run(text: str) -> int:
    return execute(shlex.split(text))


class TestOutput:
    @pytest.mark.parametrize("name", list(COMMANDS))
    def test_a_table_by_default(self, name: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(COMMANDS[name]) == 0
        out, _ = capsys.readouterr()
        assert len(out.splitlines()) > 4 and "{" not in out

    @pytest.mark.parametrize("name", list(COMMANDS))
    def test_json_is_one_object_and_nothing_else(
        self, name: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run(f"{COMMANDS[name]} --json") == 0
        out, err = capsys.readouterr()
        assert isinstance(json.loads(out), dict) and err == ""

    def test_compare(self, capsys: pytest.CaptureFixture[str]) -> None:
        run(f"{COMMANDS['compare']} --metric rate_endless --json")
        found = json.loads(capsys.readouterr().out)
        assert [one["with"] for one in found["comparisons"]] == [
            {"lead": "run"}, {"policies": "eager", "wrap": "true"},
        ]  # fmt: skip
        row = found["comparisons"][1]["metrics"][0]
        assert found["comparisons"][1]["paired"] and row["name"] == "rate_endless"
        assert row["high"] < 0 and row["detectable"] > 0

    def test_compare_names_the_deals_of_each(self, capsys: pytest.CaptureFixture[str]) -> None:
        run("compare king-george-iii --with players=2 --games 100 --metric rate_out --json")
        found = json.loads(capsys.readouterr().out)["comparisons"][0]
        assert found["reason"].endswith("the variant (a) with seed 1, the base (b) with seed 0")

    def test_sweep_as_csv(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(f"{COMMANDS['sweep']} --format csv --metric rate_out") == 0
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        assert [(row["lead"], row["ace_resets"]) for row in rows] == [
            ("one", "0"), ("one", "1"), ("run", "0"), ("run", "1"),
        ]  # fmt: skip
        assert all(row["games"] == "200" for row in rows)

    def test_sweep_draws(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        heat, lines = tmp_path / "heat.svg", tmp_path / "lines.png"
        text = f"{COMMANDS['sweep']} --metric rate_out --heat-map {heat} --line-plot {lines}"
        assert run(text) == 0
        assert heat.read_text().startswith("<?xml") and lines.stat().st_size > 1000
        capsys.readouterr()

    def test_sweep_says_what_is_missing(self, capsys: pytest.CaptureFixture[str]) -> None:
        text = "sweep king-george-iii --grid players=4 --grid hand_size=12,13 --games 50"
        assert run(f"{text} --skip-invalid --precision rate_out=0.001 --format csv") == 0
        err = capsys.readouterr().err
        assert "1 cell was left out" in err and "1 of 1 cells did not reach" in err
        needed = int(re.search(r"it takes about ([\d,]+)", err)[1].replace(",", ""))  # type: ignore[index]
        assert 400_000 < needed < 1_100_000  # p (1 - p) 1.96² / 0.001²

    def test_sweep_says_who_plays(self, capsys: pytest.CaptureFixture[str]) -> None:
        run("sweep king --variety minsk --policies duck --rule trump_in=all --rule first=rotate"
            " --grid first=zero,rotate --games 90 --seed 3 --metric score --seat 1")  # fmt: skip
        lines = capsys.readouterr().out.splitlines()
        assert lines[0] == (
            "King (minsk), 3 players, duck: 2 cells (first), 90 games a cell (unit deal), seed 3"
        )
        assert lines[1] == "in all cells: trump_in=all"
        assert re.fullmatch(r"first +score \(seat 1\) +games", lines[2])

    def test_what_differs_between_cells_is_not_in_the_heading(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run(f"sweep {KG} --grid players=2,3 --grid policies=eager,random --grid seed=1,2"
            " --games 50 --metric win_share")  # fmt: skip
        lines = capsys.readouterr().out.splitlines()
        assert lines[0] == (
            "King George III: 8 cells (players × policies × seed), 50 games a cell (unit deal)"
        )
        assert "win_share (seat 0)" in lines[2]

    def test_compare_says_who_plays(self, capsys: pytest.CaptureFixture[str]) -> None:
        run(f"compare {KG} --rule lead=run --policies eager --seed 4 --play-seed 5 --games 100"
            " --with wrap=true --metric rate_out")  # fmt: skip
        assert capsys.readouterr().out.splitlines()[0] == (
            "the base: King George III, 2 players, eager (unit deal), seed 4, play seed 5; lead=run"
        )

    def test_tournament_says_what_is_played(self, capsys: pytest.CaptureFixture[str]) -> None:
        run("tournament king --variety domino --policies duck,low --deals 14 --resamples 5"
            " --rule kept_as=trick --seed 6")  # fmt: skip
        line = capsys.readouterr().out.splitlines()[0]
        assert line.startswith("King (domino), 4 players")
        assert line.endswith("seed 6; kept_as=trick")

    def test_an_interval_to_one_side_is_written_out(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run(f"sweep {KG} --grid lead=one --games 200 --metric rate_truncated --metric rate_out")
        row = capsys.readouterr().out.splitlines()[-2]
        assert re.fullmatch(r"one +0 \[0, 0\.0\d+\] +0\.\d+ ±0\.\d+ +200", row), row

    def test_tournament(self, capsys: pytest.CaptureFixture[str]) -> None:
        run(f"{COMMANDS['tournament']} --json")
        found = json.loads(capsys.readouterr().out)
        assert [row["policy"] for row in found["standings"]] == ["eager", "random"]
        assert found["pairs"][0]["difference"] < 0 and found["arrangements"] == 2

    def test_balance(self, capsys: pytest.CaptureFixture[str]) -> None:
        run(f"{COMMANDS['balance']} --json")
        found = json.loads(capsys.readouterr().out)
        assert [(one["changes"], one["meets"]) for one in found["rule_sets"]] == [
            ({}, False), ({"ace_resets": 0}, True),
        ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"compare {KG}", "--with"),
        (f"compare {KG} --with lead", "key=value"),
        (f"compare {KG} --with leed=run", "leed"),
        (f"compare {KG} --with lead=up", "KG-2"),
        (f"compare {KG} --with lead=run --metric nothing", "nothing"),
        (f"compare {KG} --with lead=run --family some", "--family"),
        (f"sweep {KG}", "--grid"),
        (f"sweep {KG} --grid lead", "key=a,b,c"),
        (f"sweep {KG} --grid lead=one,up", "KG-2"),
        (f"sweep {KG} --grid lead=one --format xml", "table, csv or json"),
        (f"sweep {KG} --grid lead=one --heat-map a.png", "--metric"),
        (f"sweep {KG} --grid lead=one --precision rate_out", "key=value"),
        (f"{DRAWN} --line-plot a.xyz", "a.xyz"),
        (f"sweep {KG} --grid lead=one,one", "'one' is given twice"),
        (f"sweep {KG} --grid lead=one --format csv --json", "give one of them"),
        (f"sweep {KG} --grid lead=one --x lead", "--heat-map and --line-plot"),
        (f"sweep {KG} --grid lead=one,run --seat 9", "seats are 0 to 1"),
        (f"sweep {KG} --grid players=7,8 --skip-invalid", "first: players 7: king-george-iii is"),
        (f"{DRAWN} --line-plot nowhere/a.png", "no folder nowhere"),
        (f"{DRAWN} --line-plot a.png --x foo", "the keys are lead"),
        (f"{DRAWN} --heat-map a.png", "as many"),
        (
            f"{DRAWN} --grid wrap=true,false --grid max_turns=100..130 --heat-map a.png"
            " --x lead --y wrap",
            "31 panels, one for each combination of max_turns: 24 are the most",
        ),
        (f"{DRAWN} --line-plot a.png --seat 0", "leave --seat out"),
        (f"sweep {KG} --grid lead=one --metric win_share --line-plot a.png", "give --seat K"),
        ("sweep whist --grid lead=one", "whist"),
        (f"tournament {KG} --policies random", "at least two"),
        (f"tournament {KG} --mode swiss", "round-robin or all-in"),
        (f"tournament {KG} --deals few", "--deals"),
        ("tournament whist", "whist"),
        (f"balance {KG} --target rate_endless", "metric<number"),
        (f"balance {KG} --target nothing<1", "there are"),
        (f"balance {KG} --target rate_endless<1 --vary lead", "key=a,b,c"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(
    text: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(text) == 2
    out, err = capsys.readouterr()
    assert out == "" and words in err
    assert len(err.splitlines()) == 1 and "Traceback" not in err


def test_help_says_how_variants_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("compare", "sweep"):
        assert run(f"{command} --help") == 0
        text = capsys.readouterr().out
        assert "param.NAME" in text and "policies.K" in text


def test_functions_stay_functions_when_their_modules_are_imported() -> None:
    code = (
        "import simlib.simulate, simlib.sweep, simlib.compare, simlib.tournament\n"
        "import simlib as sl\n"
        "assert all(callable(getattr(sl, n)) for n in sl.__all__ if n != 'STOP')\n"
        "assert sl.simulate is sl.simulate and sl.sweep is simlib.sweep\n"
        "from simlib.simulate import run_setup\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_the_experiments_are_public() -> None:
    names: Any = simlib.__all__
    assert {"compare", "sweep", "tournament"} <= set(names)
