"""Damage is found and named, and only what is damaged is played again; never wrong numbers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simlib.errors import BadInput, RunFailure
from simlib.manifest import sealed
from simlib.run import Run
from simlib.store import check, extend, load, rerun, resume, runs
from simlib.store import parquet as parquet_module
from tests.store.helpers import BLOCK, GAMES, assert_same_figures, assert_same_rows, stored


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def remove(path: Path) -> None:
    path.unlink()


def replace(path: Path) -> None:
    """Put another part's file there: whole, but of other games."""
    path.write_bytes((path.parent / path.name.replace("2", "1")).read_bytes())


DAMAGES = [truncate, empty, flip, remove, replace]
FILES = ["part-000002.parquet", "deals-000002.parquet", "sums-000002.npz"]


def read_all(folder: Path) -> None:
    """Read every file of a run."""
    run = load(folder)
    assert len(run.read("games")) <= len(run.read("deals"))
    assert run.sums.games == len(run)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Return the ranges of games that are played while a test runs."""
    from simlib.engine import Player

    ranges: list[tuple[int, int]] = []
    play = Player.play

    def seen(self: Player, first: int, count: int) -> Any:
        ranges.append((first, first + count))
        return play(self, first, count)

    monkeypatch.setattr(Player, "play", seen)
    return ranges


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("damage", DAMAGES, ids=lambda act: act.__name__)
def test_a_damaged_part_is_found_named_and_played_again(
    damage: Callable[[Path], None],
    file: str,
    tmp_path: Path,
    memory: Run,
    played: list[tuple[int, int]],
) -> None:
    stored(tmp_path)
    damage(tmp_path / file)
    report = check(tmp_path, sample=0)
    assert not report.ok
    assert any(file in problem for problem in report.problems), report.problems
    with pytest.raises(RunFailure, match=file):
        read_all(tmp_path)
    played.clear()
    run = resume(tmp_path)
    assert any(file in note for note in run.notes)
    games = {game for first, stop in played[1:] for game in range(first, stop)}
    assert games == set(range(2 * BLOCK, 3 * BLOCK))
    assert_same_rows(tmp_path, memory)
    assert check(tmp_path, sample=100).ok


def test_a_flipped_byte_anywhere_is_found(tmp_path: Path) -> None:
    stored(tmp_path, games=100)
    for path in [*tmp_path.glob("*.parquet"), *tmp_path.glob("*.npz")]:
        whole = path.read_bytes()
        for place in range(0, len(whole), max(1, len(whole) // 40)):
            data = bytearray(whole)
            data[place] ^= 0x10
            path.write_bytes(data)
            with pytest.raises(RunFailure, match=path.name):
                read_all(tmp_path)
        path.write_bytes(whole)
    assert check(tmp_path, sample=10).ok


def test_damage_is_seen_by_the_same_call_and_by_extend(tmp_path: Path, memory: Run) -> None:
    stored(tmp_path, games=1200)
    flip(tmp_path / "part-000002.parquet")  # the part that is to grow
    remove(tmp_path / "sums-000000.npz")
    extend(tmp_path, GAMES)
    assert_same_rows(tmp_path, memory)
    truncate(tmp_path / "deals-000001.parquet")
    assert_same_figures(stored(tmp_path), memory)
    assert_same_rows(tmp_path, memory)


def test_files_that_do_not_count_are_not_counted_and_go(tmp_path: Path, memory: Run) -> None:
    stored(tmp_path)
    stray = tmp_path / "part-000009.parquet"
    stray.write_bytes((tmp_path / "part-000001.parquet").read_bytes())
    (tmp_path / ".part-000003.parquet.tmp").write_bytes(b"half")
    (tmp_path / "notes.txt").write_text("mine")
    assert_same_rows(tmp_path, memory)
    report = check(tmp_path, sample=10)
    assert report.ok
    assert "2 files that do not count" in report.notes[0]
    extend(tmp_path, GAMES + 1)
    assert not stray.exists()
    assert (tmp_path / "notes.txt").exists()


# --- the manifest ----------------------------------------------------------------------------


def change(path: Path, **fields: Any) -> None:
    """Change fields of a manifest, and its checksum with them."""
    manifest = json.loads(path.read_text())
    path.write_text(sealed({**manifest, **fields}).model_dump_json())


@pytest.mark.parametrize("length", [0, 1, 200, 3000])
def test_half_a_manifest_is_refused(length: int, tmp_path: Path) -> None:
    stored(tmp_path, games=10)
    path = tmp_path / "manifest.json"
    path.write_bytes(path.read_bytes()[:length])
    before = path.read_bytes()
    for act in (load, resume, check, stored):
        with pytest.raises(BadInput, match=r"manifest\.json: damaged, or no manifest"):
            act(tmp_path)
    assert path.read_bytes() == before
    assert runs(tmp_path)[0]["state"] == "damaged"


def test_a_changed_manifest_is_refused(tmp_path: Path) -> None:
    stored(tmp_path, games=10)
    path = tmp_path / "manifest.json"
    text = path.read_text()
    for old, new in [('"seed": 11', '"seed": 12'), ('"n": 10', '"n": 11'), ("random", "eager")]:
        assert old in text
        path.write_text(text.replace(old, new, 1))
        for act in (load, resume, check, rerun):
            with pytest.raises(BadInput, match="damaged or changed: its checksum"):
                act(tmp_path)


def test_a_manifest_of_another_version_is_refused(tmp_path: Path) -> None:
    stored(tmp_path, games=10)
    path = tmp_path / "manifest.json"
    path.write_text(path.read_text().replace("simlib-run/1", "simlib-run/2"))
    for act in (load, resume, check, rerun, stored):
        with pytest.raises(BadInput, match="another version, 'simlib-run/2'; this simlib reads"):
            act(tmp_path)


def test_streams_of_another_version_are_read_but_not_played(tmp_path: Path) -> None:
    stored(tmp_path, games=10)
    change(tmp_path / "manifest.json", stream_version=0)
    assert len(load(tmp_path).read("games")) == 10
    for act in (resume, rerun, check):
        with pytest.raises(BadInput, match="streams are of version 0"):
            act(tmp_path)
    with pytest.raises(BadInput, match="stream_version 0, not 2"):
        stored(tmp_path, games=10)


def test_games_that_go_another_way_are_not_mixed(tmp_path: Path) -> None:
    stored(tmp_path, games=10)
    change(tmp_path / "manifest.json", probe={"games": 10, "content": "0" * 64})
    for act in (resume, stored, lambda path: extend(path, 20)):
        with pytest.raises(BadInput, match="whose games went another way"):
            act(tmp_path)
    assert not rerun(tmp_path).equal


def test_a_manifest_cannot_name_files_elsewhere(tmp_path: Path) -> None:
    stored(tmp_path, games=10)
    path = tmp_path / "manifest.json"
    fields = json.loads(path.read_text())
    fields["parts"][0]["files"]["games"]["name"] = "../part-000000.parquet"
    with pytest.raises(ValueError, match="should match pattern"):
        sealed(fields)


def test_an_unfinished_runs_manifest_is_taken_from_the_journal(tmp_path: Path, memory: Run) -> None:
    stored(tmp_path, games=1400)
    unfinished(tmp_path)
    (tmp_path / "manifest.json").write_bytes(b'{"form')
    run = load(tmp_path)
    assert len(run) == 1400
    assert "taken from the journal" in run.notes[0]
    extend(tmp_path, GAMES)
    assert_same_rows(tmp_path, memory)


def unfinished(folder: Path) -> None:
    """Make a run as if it had been killed just before its last manifest."""
    from simlib.store import journal
    from simlib.store.place import place_of

    place = place_of(folder)
    whole = journal.read_run(place).manifest
    fields = whole.model_dump(mode="json") | {"state": "unfinished", "parts": [], "sums": None}
    head = sealed(fields | {"games": 0})
    journal.write(place, head)
    journal.start(place, head)
    for part in whole.parts:
        journal.enter(place, part)


@pytest.mark.parametrize("cut", [2, 50, 400])
def test_half_a_line_of_the_journal_does_not_count(cut: int, tmp_path: Path, memory: Run) -> None:
    stored(tmp_path)
    unfinished(tmp_path)
    path = tmp_path / "journal.jsonl"
    path.write_bytes(path.read_bytes()[:-cut])
    assert len(load(tmp_path)) == 4 * BLOCK
    resume(tmp_path)
    assert_same_rows(tmp_path, memory)


def test_a_damaged_line_of_the_journal_costs_its_part_alone(
    tmp_path: Path, memory: Run, played: list[tuple[int, int]]
) -> None:
    stored(tmp_path)
    unfinished(tmp_path)
    path = tmp_path / "journal.jsonl"
    lines = path.read_bytes().split(b"\n")
    lines[2] = lines[2].replace(b"1", b"7", 1)
    path.write_bytes(b"\n".join(lines))
    played.clear()
    resume(tmp_path)
    games = {game for first, stop in played[1:] for game in range(first, stop)}
    assert games == set(range(BLOCK, 2 * BLOCK))
    assert_same_rows(tmp_path, memory)


# --- rows that are not what is played --------------------------------------------------------


def test_rows_that_differ_from_the_game_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Write wrong rows with right checksums: only playing again shows it."""
    from simlib.store import block
    from simlib.store.rows import values as right

    def wrong(setup: Any, table: str, batch: Any) -> Any:
        data = right(setup, table, batch)
        if table == "games":
            data["turns"] = data["turns"] + 1
        return data

    monkeypatch.setattr(block, "values", wrong)
    stored(tmp_path, games=300)
    monkeypatch.undo()
    report = check(tmp_path, sample=20)
    assert len(report.problems) == 1
    assert "turns is another when it is played again" in report.problems[0]
    again = rerun(tmp_path)
    assert not again.equal
    assert "the rows of the table of games differ" in again.text()


def test_a_check_plays_a_summary_part_again(tmp_path: Path) -> None:
    stored(tmp_path, keep="summary", games=1200)
    report = check(tmp_path, seed=3)
    assert report.ok
    assert report.played in (BLOCK, 200)


def test_a_check_reads_many_row_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_module, "GROUP", 32)
    stored(tmp_path)
    report = check(tmp_path, sample=400)
    assert report.ok
    assert report.played == 400
    assert report.lines()[0].endswith("400 games played again")


def test_a_folder_in_the_place_of_a_part_is_named(tmp_path: Path) -> None:
    stored(tmp_path)
    (tmp_path / FILES[0]).unlink()
    (tmp_path / FILES[0]).mkdir()
    with pytest.raises(RunFailure, match=r"part-000002\.parquet: is a directory; nothing is lost"):
        resume(tmp_path)
