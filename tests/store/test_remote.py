"""Runs at an address of fsspec: the same rows, killed or not; and what does not hold there."""

from __future__ import annotations

import errno
import importlib.util
import json
import random
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from simlib.cli import execute
from simlib.errors import BadInput, RunFailure
from simlib.run import Run
from simlib.store import check, extend, load, rerun, resume, runs
from simlib.store.opening import strays
from simlib.store.place import place_of
from tests.store.child import MOMENTS
from tests.store.helpers import (
    BLOCK,
    GAMES,
    assert_same_figures,
    assert_same_rows,
    names,
    stored,
)
from tests.store.test_kill import child, run_child

fsspec = pytest.importorskip("fsspec")
from tests.store import shelf  # noqa: E402

shelf.register()


@pytest.fixture(params=["memory", "shelf"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return an address at which there is nothing yet."""
    yield f"{request.param}://{tmp_path}/run"
    if request.param == "memory":
        files = fsspec.filesystem("memory")
        files.rm("/", recursive=True)


def test_rows_figures_and_bytes_are_those_of_a_folder(
    address: str, tmp_path: Path, memory: Run
) -> None:
    run = stored(address)
    assert run.path == address
    assert_same_figures(run, memory)
    pd.testing.assert_frame_equal(run.games, memory.games)
    assert_same_rows(address, memory)
    stored(tmp_path / "folder")
    place = place_of(address)
    assert sorted(place.names()) == sorted(set(names(tmp_path / "folder")) - {".lock"})
    for file in (tmp_path / "folder").glob("*-*"):
        assert place.read(file.name) == file.read_bytes()
    run = load(address, verify=False)
    columns = run.read("deals", columns=["index"], first=700, stop=703)["index"]
    assert sorted(set(columns)) == [700, 701, 702]


def test_it_goes_on_grows_and_is_checked(address: str, memory: Run) -> None:
    stored(address, games=777)
    assert_same_figures(extend(address, GAMES), memory)
    assert_same_rows(address, memory)
    assert check(address, sample=50).lines()[0].startswith(f"{address}: ok: {GAMES} games")
    assert rerun(address).equal
    assert rerun(f"{address}/manifest.json").equal
    again = stored(address)
    assert_same_figures(again, memory)
    with pytest.raises(BadInput, match="holds another run: seed 11, not 12"):
        stored(address, seed=12)


def test_damage_is_found_named_and_repaired(address: str, memory: Run) -> None:
    stored(address)
    place = place_of(address)
    place.remove("part-000001.parquet")
    data = place.read("deals-000003.parquet")
    place.put("deals-000003.parquet", data[:-1] + bytes([data[-1] ^ 1]))
    place.put("sums-000004.npz", place.read("sums-000004.npz")[:-5])
    found = check(address)
    assert not found.ok
    assert [problem.split(":")[0] for problem in found.problems] == [
        "part-000001.parquet",
        "deals-000003.parquet",
        "sums-000004.npz",
    ]
    with pytest.raises(RunFailure, match="damaged"):
        load(address).read("deals")
    assert len(resume(address).notes) == 3
    assert_same_rows(address, memory)
    place.put("manifest.json", place.read("manifest.json")[:-100])
    with pytest.raises(BadInput, match="damaged"):
        load(address)


def test_runs_are_listed(address: str) -> None:
    stored(address, games=30)
    stored(f"{address}-2", games=40, keep="summary")
    above = address.removesuffix("/run")
    assert [(run["path"], run["games"]) for run in runs(above)] == [
        (address, 30),
        (f"{address}-2", 40),
    ]
    assert runs(address)[0]["state"] == "complete"
    with pytest.raises(BadInput, match="there is no such folder"):
        runs(f"{address}-3")


def test_other_things_are_left_alone(address: str) -> None:
    place = place_of(address)
    place.make()
    place.put("letter.txt", b"dear")
    with pytest.raises(BadInput, match=r"holds no run, but 'letter\.txt'"):
        stored(address, games=5)
    with pytest.raises(BadInput, match="is a file"):
        stored(f"{address}/letter.txt", games=5)
    with pytest.raises(BadInput, match=r"no run: it has no manifest\.json"):
        load(address)
    with pytest.raises(BadInput, match="there is no such folder"):
        load(f"{address}-2")
    assert place.names() == ["letter.txt"]


def test_the_command_line_takes_an_address(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["king-george-iii", "--games", "60", "--seed", "11", "--out", address]
    assert execute(["run", *words]) == 0
    assert execute(["extend", address, "--games", "90"]) == 0
    assert execute(["resume", address]) == 0
    capsys.readouterr()
    assert execute(["check", address, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 90
    assert execute(["runs", address]) == 0
    assert capsys.readouterr().out.startswith(f"{address}: complete: king-george-iii")
    assert execute(["rerun", f"{address}/manifest.json"]) == 0
    assert capsys.readouterr().out == "equal: rows and sums of 90 games\n"


# --- one process at a time, killed or not ----------------------------------------------------


def test_a_second_process_is_refused(tmp_path: Path, memory: Run) -> None:
    address = f"shelf://{tmp_path}/run"
    process = child(address, 0, "before", "games", 30)
    assert process.stdout is not None
    process.stdout.readline()
    try:
        for act in (stored, resume):
            with pytest.raises(BadInput, match="a process is writing to it"):
                act(address)
        assert runs(address)[0]["state"] == "running"
        assert "running: a process is writing to it" in check(address).notes[0]
        load(address)  # reading is free
    finally:
        process.kill()
        process.communicate()
    says = rf"or was killed while it did; .* remove {address}/\.lock"
    with pytest.raises(BadInput, match=says):
        resume(address)
    place_of(address).remove(".lock")
    stored(address)
    assert_same_rows(address, memory)
    assert ".lock" not in place_of(address).names()


def test_a_store_without_a_lock_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="nothing there keeps two processes from writing"):
        stored(f"careless://{tmp_path}/run", games=5)
    assert names(tmp_path / "run") == []


def finish(address: str, memory: Run) -> None:
    place = place_of(address)
    place.remove(".lock")
    try:
        run = load(address)
    except BadInput:
        pass  # killed before there was a manifest
    else:
        report = check(address, sample=50, seed=1)
        assert report.ok, report.problems
        if len(run):
            index = run.read("games", columns=["index"])["index"]
            assert list(index) == list(range(len(run)))
    stored(address)
    run = assert_same_rows(address, memory)
    assert not strays(address, run._manifest.parts)
    assert not place.has("journal.jsonl")


@pytest.mark.parametrize(
    ("step", "moment"),
    [
        (14, "before"),
        pytest.param(1, "after", marks=pytest.mark.slow),
        pytest.param(30, "after", marks=pytest.mark.slow),
    ],
)
def test_a_process_killed_at_a_step(step: int, moment: str, tmp_path: Path, memory: Run) -> None:
    address = f"shelf://{tmp_path}/run"
    assert run_child(address, step, moment) == -signal.SIGKILL
    finish(address, memory)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(20))
def test_a_process_killed_at_random_steps(
    number: int, tmp_path: Path, memory: Run, scaled: Callable[[int], int]
) -> None:
    if number >= max(2, scaled(20)):
        return  # a share of them in CI
    draw = random.Random(number)
    address = f"shelf://{tmp_path}/run"
    code = run_child(address, draw.randint(1, 45), draw.choice(MOMENTS))
    assert code in (-signal.SIGKILL, 0)
    finish(address, memory)


# --- what goes wrong -------------------------------------------------------------------------


@pytest.mark.parametrize("at", [1, 2, 3, 6, 9, 14])
@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), KeyError("token")]
)
def test_every_put_may_fail(
    at: int, error: Exception, tmp_path: Path, memory: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, put, count = f"shelf://{tmp_path}/run", shelf.Shelf.pipe_file, 0

    def fails(*arguments: Any, **options: Any) -> None:
        nonlocal count
        count += 1
        if count >= at:
            raise error
        put(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(shelf.Shelf, "pipe_file", fails)
        says = "no room left" if isinstance(error, OSError) else "keyerror: 'token'"
        with pytest.raises(RunFailure, match=says) as failure:
            stored(address)
    assert "\n" not in str(failure.value)
    assert ".lock" not in place_of(address).names()
    if at > 2:
        assert len(load(address)) % BLOCK == 0
    stored(address)
    assert_same_rows(address, memory)


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("nosuch://bucket/run", "Protocol not known: nosuch"),
        ("s3://bucket/run", "s3fs"),
    ],
)
def test_what_cannot_be_opened_is_said_on_one_line(
    address: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if says == "s3fs" and importlib.util.find_spec("s3fs"):
        pytest.skip("s3fs is installed here")
    assert execute(["run", "king-george-iii", "--games", "10", "--out", address]) == 2
    for words in (["resume", address], ["check", address], ["runs", address], ["rerun", address]):
        assert execute(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = captured.err.splitlines()
    assert len(lines) == 5
    for line in lines:
        assert line.startswith(f"simlib: {address}")
        assert says in line


def test_without_fsspec_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(BadInput, match=r'needs fsspec: pip install "king-simlib\[cluster\]"'):
        stored("memory://nothing/run", games=5)


def test_an_address_is_text() -> None:
    with pytest.raises(BadInput, match="give an address as text"):
        stored(Path("s3://bucket/run"), games=5)


def test_a_file_address_is_the_folder_itself(tmp_path: Path, memory: Run) -> None:
    stored(f"file://{tmp_path}/run")
    assert ".lock" in names(tmp_path / "run")
    assert_same_rows(tmp_path / "run", memory)
