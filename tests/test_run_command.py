"""``simlib run``: its tables, how it stops by precision, what it says of a folder."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

import simlib
from simlib.cli import execute
from simlib.cli.options import games_at_most
from simlib.cli.run import needed_text

KG = "king-george-iii --players 2"


def run(text: str, capsys: pytest.CaptureFixture[str]) -> tuple[list[str], str]:
    """Run a command; return its lines, and what it said on standard error."""
    assert execute(shlex.split(text)) == 0
    out, err = capsys.readouterr()
    return out.splitlines(), err


class TestTable:
    def test_all_deals_first_then_a_row_a_contract(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        lines, _ = run("run king --games 140", capsys)
        assert lines[0] == "King (simple), 4 players, random: 140 games (unit deal), seed 0"
        head = next(n for n, text in enumerate(lines) if text.startswith("contract "))
        assert re.findall(r"\w+(?: \(seat \d\))?", lines[head]) == [
            "contract", *(f"score (seat {seat})" for seat in range(4)), "rate_slam", "n",
        ]  # fmt: skip
        names = [text.split()[0] for text in lines[head + 1 : head + 15]]
        assert names[0] == "no-tricks" and names[13] == "all" and len(set(names)) == 14
        assert not any(name in text for text in lines[:head] for name in names if "-" in name)
        assert len(lines) < 45
        figure = simlib.simulate("king", games=140).figure("score", seat=2, group="no-all")
        assert f"{figure.estimate().estimate:.4g} ±" in lines[head + 7]

    def test_groups_lists_every_figure(self, capsys: pytest.CaptureFixture[str]) -> None:
        lines, _ = run("run king --games 140 --groups", capsys)
        found = simlib.simulate("king", games=140)
        assert len(lines) == 3 + len(found.figures)
        assert lines[2].split()[:3] == ["metric", "seat", "group"]

    def test_only_the_metrics_asked_for(self, capsys: pytest.CaptureFixture[str]) -> None:
        text = "run king --games 140 --metric tricks --metric rate_early"
        lines, _ = run(text, capsys)
        assert [line.split()[0] for line in lines[3:8]] == ["tricks"] * 4 + ["rate_early"]
        assert "tricks (seat 3)" in lines[9] and "score" not in "".join(lines)
        found = json.loads("".join(run(f"{text} --json", capsys)[0]))
        assert {one["name"] for one in found["metrics"]} == {"tricks", "rate_early"}
        every = json.loads("".join(run("run king --games 140 --json", capsys)[0]))
        assert len(every["metrics"]) == len(simlib.simulate("king", games=140).figures)

    def test_an_unknown_metric_before_anything_is_played(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert execute(shlex.split(f"run {KG} --games 1e12 --metric fun")) == 2
        assert "--metric 'fun': this run has the metrics rate_endless" in capsys.readouterr().err

    @pytest.mark.parametrize("more", ["", "--groups"])
    def test_one_contract_is_listed_once(
        self, more: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        lines, _ = run(f"run king --games 140 --rule contracts=no-king {more}", capsys)
        assert sum(line.startswith("rate_slam") for line in lines) == 1
        assert lines[1].startswith("contracts=no-king;") and "group" not in lines[2]

    def test_figures_of_some_games_only_say_so(self, capsys: pytest.CaptureFixture[str]) -> None:
        lines, _ = run(f"run {KG} --games 300", capsys)
        rows = {line.split()[0]: line for line in lines[3:]}
        assert "games ended out " in rows["draws"] and "games ended out " in rows["orphans"]
        assert "games ended out or deadlock" in rows["turns_ended"]
        for name in ("rate_out", "win_share", "turns_restricted"):
            assert "ended" not in rows[name].removeprefix(name)
        lines, _ = run("run royal-corners --games 20", capsys)
        assert lines[2].split()[:3] == ["metric", "seat", "estimate"]


class TestPrecision:
    def test_the_cap_is_far_off_unless_games_are_given(self) -> None:
        assert games_at_most(None, None, 10**6) == 10**6
        assert games_at_most(None, {"rate_out": 0.1}, 10**6) == 10**9
        assert games_at_most("5e3", {"rate_out": 0.1}, 10**6) == 5000

    def test_a_cap_says_how_many_games_it_takes(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, err = run(f"run {KG} --games 2000 --precision rate_endless=0.001", capsys)
        assert (
            "not reached in 2,000 games; it takes about 960,000:" in err
        )  # 2000 (0.0219 / 0.001)²

    @pytest.mark.parametrize("needed", [float("inf"), 100.0])
    def test_what_cannot_be_told_is_not_guessed(self, needed: float) -> None:
        assert needed_text(needed, 500).startswith("how many it takes cannot be told")
        assert needed_text(501.0, 500) == "it takes about 510: give them with --games"

    @pytest.mark.parametrize("command", ["run", "sweep"])
    def test_the_help_says_what_the_cap_is(
        self, command: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        text = " ".join(" ".join(run(f"{command} --help", capsys)[0]).split())
        precision = text[text.index("--precision") :]
        assert "may be repeated, then all" in precision and "by default 1e9" in precision

    def test_progress_expects_the_games_that_the_precision_takes(self) -> None:
        told: list[tuple[int, int]] = []
        found = simlib.simulate(
            "king-george-iii", players=2, games=10**9, precision={"rate_endless": 0.004},
            progress=lambda done, total, seconds, note: told.append((done, total)),
        )  # fmt: skip
        assert found.met and told[-1] == (len(found), len(found))
        assert all(done < total for done, total in told[:-1])
        later = [total for done, total in told if done > 10_000]
        assert later and set(later) <= {len(found), len(found) + 1}


class TestFolder:
    def test_it_says_what_was_written(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder = tmp_path / "kept"
        command = f"run {KG} --metric rate_out --out {folder}"
        _, err = run(f"{command} --games 200 --json", capsys)
        size = sum(file.stat().st_size for file in folder.glob("*-0*"))
        assert err == f"simlib: {folder}: 200 games in 1 part, {size:,} bytes (games)\n"
        _, err = run(f"{command} --games 200", capsys)
        assert err == (
            f"simlib: {folder}: 200 games in 1 part were there already; nothing was played\n"
        )
        _, err = run(f"{command} --games 300", capsys)
        assert ": 300 games in 1 part, 100 of them new, " in err
        assert execute(["check", str(folder)]) == 0
        out = capsys.readouterr().out
        assert "300 games in 1 part, 3 files" in out
