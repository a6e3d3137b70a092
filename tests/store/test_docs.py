"""What docs/runs.md says: the bytes a game of its table are those that runs take."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from simlib.cli import execute
from simlib.cli.app import app
from simlib.store import load
from simlib.store import writer as writer_module

PAGE = (Path(__file__).parents[2] / "docs" / "runs.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `([^`]*)` \| ([\d.]+) \| ([\d.]+|in one) \| ([\d.]+) \|$", PAGE, re.M)
#: Small runs compress a little less.
GAMES, TOLERANCE = 20_000, 0.1


def test_the_table_has_every_game() -> None:
    assert {row[0].split()[0] for row in ROWS} == {"king-george-iii", "royal-corners", "king"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_bytes_a_game(
    row: tuple[str, str, str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(writer_module, "BLOCK", 1 << 20)
    arguments, games, deals, together = row
    out = tmp_path / "run"
    words = [*shlex.split(arguments), "--games", str(GAMES), "--out", str(out)]
    assert execute(["run", *words]) == 0
    parts = load(out).manifest["parts"]
    found = {
        table: sum(part["files"][table]["bytes"] for part in parts) / GAMES
        for table in parts[0]["files"]
    }
    assert found["games"] == pytest.approx(float(games), rel=TOLERANCE)
    assert ("deals" in found) == (deals != "in one")
    if "deals" in found:
        assert found["deals"] == pytest.approx(float(deals), rel=TOLERANCE)
    other = 0.0 if deals == "in one" else float(deals)
    assert float(together) == pytest.approx(float(games) + other, abs=0.11)


def test_every_command_of_the_page_is_there() -> None:
    known = {command.name for command in app.registered_commands}
    named = re.findall(r"`simlib ([a-z]+)", PAGE)
    assert len(named) >= 7
    assert set(named) <= known
