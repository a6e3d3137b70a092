"""Standard streams, names that people choose, doubled input: what holds for every command."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import simlib
from simlib.cli import execute

KG = "king-george-iii --players 2"
CHATTY = """
import simlib as sl

print("on loading")

@sl.policy("king-george-iii")
def a(view, rng):
    print("deciding", view.hand)
    return sl.lowest(view.options)
"""


def slow(*commands: str) -> list[Any]:
    """Return commands for a parametrized test, marked slow: another one stands for them."""
    return [pytest.param(command, marks=pytest.mark.slow) for command in commands]


def shell(line: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line in which `simlib` is the program."""
    program = f'simlib() {{ "{sys.executable}" -m simlib "$@"; }}; '
    return subprocess.run(
        ["bash", "-c", program + line],
        cwd=cwd, env={**os.environ, **environment}, capture_output=True, timeout=120,
    )  # fmt: skip


def refused(text: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command that has to be refused before it begins; return its one line."""
    assert execute(shlex.split(text)) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1
    return err


class TestStreams:
    @pytest.mark.parametrize(
        "command",
        [
            f"run {KG} --games 2 --json --policies chatty.py:a",
            *slow(
                f"replay {KG} --game 0 --json --policies chatty.py:a",
                f"sweep {KG} --games 2 --json --grid policies=chatty.py:a,eager",
            ),
        ],
    )
    def test_what_a_policy_prints_stands_not_among_the_results(
        self, command: str, tmp_path: Path
    ) -> None:
        (tmp_path / "chatty.py").write_text(CHATTY)
        done = shell(f"simlib {command}", tmp_path)
        assert isinstance(json.loads(done.stdout), dict)
        assert b"on loading" in done.stderr and b"deciding" in done.stderr

    @pytest.mark.parametrize(
        "command",
        [
            "games",
            f"replay {KG} --games 0-99 --json",
            *slow("run --help", f"sweep {KG} --games 2 --grid ace_resets=0..4 --format csv"),
        ],
    )
    def test_a_reader_that_goes_is_no_failure(self, command: str, tmp_path: Path) -> None:
        done = shell(f"simlib {command} | true; echo ${{PIPESTATUS[0]}}", tmp_path)
        assert (done.stdout, done.stderr) == (b"0\n", b"")

    @pytest.mark.parametrize("command", [f"run {KG} --games 2 --json", "games", "run --help"])
    def test_a_closed_standard_output_is_one_line(self, command: str, tmp_path: Path) -> None:
        done = shell(f"simlib {command} >&-", tmp_path)
        assert done.returncode == 1
        assert done.stderr == b"simlib: Bad file descriptor: standard output\n"

    def test_closed_streams_do_not_mix_with_files(self, tmp_path: Path) -> None:
        done = shell(f"simlib run {KG} --games 2 --out kept <&- 2>&-", tmp_path)
        assert (done.returncode, done.stderr) == (0, b"")
        assert len(simlib.load(tmp_path / "kept").games) == 2

    def test_suits_are_letters_where_the_encoding_has_no_symbols(self, tmp_path: Path) -> None:
        plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
        letters = shell(f"simlib replay {KG} --game 0", tmp_path, **plain)
        symbols = shell(f"simlib replay {KG} --game 0", tmp_path, PYTHONUTF8="1")
        want = symbols.stdout.decode()
        for symbol, letter in zip("♠♥♦♣", "SHDC", strict=True):
            assert symbol in want
            want = want.replace(symbol, letter)
        assert letters.stdout.decode("ascii") == want

    def test_a_name_of_odd_bytes_is_printed_as_it_is(self, tmp_path: Path) -> None:
        done = shell(f"simlib run {KG} --rules $'\\xff.toml'", tmp_path, PYTHONUTF8="1")
        assert done.returncode == 2 and b"--rules \xff.toml" in done.stderr


@pytest.mark.parametrize("name", ["[red]", "[bold]x[", ":a"])
def test_names_are_no_markup(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"{name}pr.py"
    path.write_text(CHATTY)
    monkeypatch.chdir(tmp_path)
    for command in ("run", "tournament --deals 2 --resamples 2", "sweep --grid lead=one,run"):
        policies = f"{path.name}:a" + (",random" if "tournament" in command else "")
        games = "" if "tournament" in command else "--games 2"
        verb, *rest = command.split()
        args = [verb, *shlex.split(KG), *rest, *games.split(), "--policies", policies]
        assert execute(args) == 0
        out = capsys.readouterr().out
        if "sweep" not in command:
            assert f"{path.name}:a" in out


class TestFiles:
    def test_a_file_nested_too_deep_is_refused(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        deep = tmp_path / "deep.toml"
        deep.write_text("a=" + "[" * 5000 + "]" * 5000)
        assert "nested too deep" in refused(f"run {KG} --rules {deep}", capsys)
        assert "nested too deep" in refused(f"replay {KG} --deals {deep}", capsys)

    def test_a_mark_of_the_encoding_is_passed_over(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "rules.toml").write_bytes(b"\xef\xbb\xbfwrap = true\n")
        command = f"replay {KG} --game 0 --json --rules {tmp_path}/rules.toml"
        assert execute(shlex.split(command)) == 0
        record = capsys.readouterr().out
        assert json.loads(record)["rules"]["wrap"] is True
        (tmp_path / "games.jsonl").write_text("\ufeff" + record, "utf-8")
        assert execute(["verify", str(tmp_path / "games.jsonl")]) == 0
        assert capsys.readouterr().out == "ok 1 games\n"

    def test_a_value_is_shown_as_it_was_written(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "rules.toml").write_text("wrap = 1\n")
        assert "option wrap=1: valid: true, false" in refused(
            f"run {KG} --rules {tmp_path}/rules.toml", capsys
        )


class TestVerify:
    def verify(self, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
        (tmp_path / "games.jsonl").write_text(line)
        assert execute(["verify", str(tmp_path / "games.jsonl")]) == 1
        return capsys.readouterr().out.splitlines()

    @pytest.mark.parametrize("key", ["index", "ending", "seat"])
    def test_c_10_a_key_given_twice(
        self, key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        text = simlib.replay("king-george-iii", index=0, players=2).to_json()
        place = text.index(f'"{key}": ')
        pair = text[place : text.index(", ", place) + 2]
        told = self.verify(text[:place] + pair + text[place:], tmp_path, capsys)
        assert told[0] == f"line 1: C-10: the key '{key}' is given twice in one object"
        assert told[1] == "1 of 1 games is bad"

    def test_a_value_of_any_length_is_cut(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for key, value in (("x" * 100_000, 0), ("seed", "y" * 100_000)):
            record = {**simlib.replay("royal-corners", index=0), key: value}
            told = self.verify(json.dumps(record), tmp_path, capsys)
            assert "C-10" in told[0] and len(told[0]) < 600


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f"run {KG} --preset seed --preset no-aces", "--preset is given twice"),
        (f"run {KG} --rules a.toml --rules b.toml", "--rules is given twice"),
        (f"sweep {KG} --grid lead=one,run --games 10 --games 20", "--games is given twice"),
        (f"run {KG} --policies 'eager(x=1,x=2)'", "'x' is given twice"),
        (f"run {KG} --out ''", "--out ''"),
        (f"run {KG} --rules ''", "--rules ''"),
        ("resume ''", "''"),
        ("report king --out ''", "--out ''"),
        (f"run {KG} --keep games", "--out DIR"),
        ("run king --rule contracts=", "contracts=''"),
        ("run king --variety house --rule custom=3", "a table [custom]"),
        (f"run {KG} --rule", "simlib run --help"),
        (f"run {KG} --policies {'x' * 100_000}", "no-orphans; or give path"),
        (f"run {KG} --games 1e30", "to 2^62"),
        (f"run {KG} --games 9223372036854775807", "to 2^62"),
        (f"run {KG} --games 1e1000", "too large"),
        (f"replay {KG} --game 18446744073709551616", "to 2^62 - 1"),
        (f"replay {KG} --game 9223372036854775808", "to 2^62 - 1"),
        (f"replay {KG} --games=-1-3", "'-1-3'"),
        (f"replay {KG} --games 0-", "'0-'"),
        (f"tournament {KG} --resamples 1e12", "to 10000"),
        ("report king --seed -1", "--seed -1"),
        ("report king --threads 0", "--threads 0"),
        (f"balance {KG} --target 'rate_endless<2'", "runs from 0 to 1"),
        (f"balance {KG} --target 'win_share>-1'", "runs from 0 to 1"),
    ],
)
def test_bad_input_is_one_line_and_exit_2_before_anything_is_played(
    text: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    err = refused(text, capsys)
    assert says in err and len(err) < 2100


def test_an_empty_path_is_no_run() -> None:
    with pytest.raises(simlib.BadInput, match="names no folder"):
        simlib.load("")
