"""The same run on Dask workers: the same rows, also when one of them is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from simlib.errors import BadInput, PolicyFailure
from simlib.policy import load_file
from simlib.run import Run
from simlib.setup import prepare
from simlib.simulate import run_setup, simulate
from simlib.store import check, load, resume
from simlib.store import writer as writer_module
from simlib.store.opening import strays
from tests.store.helpers import GAME, GAMES, asked, assert_same_figures, assert_same_rows, stored
from tests.store.test_manifest import POLICY

distributed = pytest.importorskip("distributed")
from tests.store import shelf  # noqa: E402

shelf.register()

SETUP: dict[str, Any] = {"players": 3, "seed": 11}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Return a cluster of two processes on this machine."""
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options, processes=True) as found:
        yield found


@pytest.fixture
def client(cluster: Any) -> Iterator[Any]:
    with distributed.Client(cluster) as found:
        yield found


def run_on(client: Any, **more: Any) -> Run:
    return run_setup(prepare(GAME, **SETUP), **{"games": GAMES, **more}, client=client)


def test_figures_are_those_of_a_local_run(client: Any, memory: Run) -> None:
    assert_same_figures(run_on(client), memory)


def test_parts_are_written_by_the_workers(client: Any, tmp_path: Path, memory: Run) -> None:
    seen: list[int] = []
    run_on(client, out=tmp_path, progress=lambda done, *_: seen.append(done))
    run = assert_same_rows(tmp_path, memory)
    assert not strays(tmp_path, run._manifest.parts)
    assert seen[-1] == GAMES
    assert len(seen) >= 5


def test_the_bytes_are_those_of_a_local_run(client: Any, tmp_path: Path) -> None:
    run_on(client, out=tmp_path / "cluster")
    stored(tmp_path / "local")
    for file in (tmp_path / "local").glob("*-*"):
        assert file.read_bytes() == (tmp_path / "cluster" / file.name).read_bytes()


def test_parts_are_sent_back_where_the_folder_is_not_shared(
    client: Any, tmp_path: Path, memory: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from simlib.cluster import Crew

    tasks = Crew._block_tasks
    monkeypatch.setattr(
        Crew,
        "_block_tasks",
        lambda *a: (task._replace(folder="/nowhere") for task in tasks(*a)),
    )
    run_on(client, out=tmp_path)
    assert_same_rows(tmp_path, memory)


def test_parts_are_written_to_an_address_that_all_see(
    client: Any, tmp_path: Path, memory: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.run(shelf.register, shelf.Shelf)
    address = f"shelf://{tmp_path}/run"
    with monkeypatch.context() as patch:
        patch.setattr(shelf.Shelf, "pipe_file", only_small(shelf.Shelf.pipe_file))
        run_on(client, out=address)
    run = assert_same_rows(address, memory)
    assert not strays(address, run._manifest.parts)


def only_small(put: Callable[..., None]) -> Callable[..., None]:
    """Return a put that takes no rows: those are put by the workers."""

    def checked(store: Any, path: str, value: bytes, **options: Any) -> None:
        assert not path.endswith((".parquet", ".npz"))
        put(store, path, value, **options)

    return checked


@pytest.mark.parametrize("protocol", ["memory", "private"])
def test_parts_are_sent_back_where_the_address_is_not_shared(
    protocol: str, client: Any, tmp_path: Path, memory: Run
) -> None:
    address = f"{protocol}://{tmp_path}/run"
    run_on(client, out=address)
    assert_same_rows(address, memory)


def test_a_file_address_is_the_folder(client: Any, tmp_path: Path, memory: Run) -> None:
    run_on(client, out=f"file://{tmp_path}/run")
    assert_same_rows(tmp_path / "run", memory)


def test_a_run_begun_here_goes_on_there(client: Any, tmp_path: Path, memory: Run) -> None:
    stored(tmp_path, games=1234)
    (tmp_path / "deals-000001.parquet").unlink()
    run_on(client, out=tmp_path)
    assert_same_rows(tmp_path, memory)
    assert check(tmp_path, sample=50).ok


def test_sums_alone_and_precision(
    client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "BLOCK", 8000)
    widths = {"rate_out": 0.006}
    local = simulate(**asked(games=60_000, precision=widths))
    assert 10_000 < len(local) < 60_000
    for keep, out in (("summary", tmp_path / "a"), ("games", tmp_path / "b"), ("summary", None)):
        run = run_on(client, games=60_000, precision=widths, keep=keep, out=out)
        assert run.met
        assert_same_figures(run, local)


def test_a_users_policy_travels_as_text(client: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(POLICY)
    mine = load_file(f"{file}:cautious").with_params({"risk": 0.25})
    setup = prepare(GAME, **SETUP, policies=mine)
    run = run_setup(setup, games=600, client=client, out=tmp_path / "run")
    assert_same_figures(run, run_setup(setup, games=600))


def test_a_policy_that_breaks_is_named(client: Any, tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(
        "import simlib as sl\n\n@sl.policy('king-george-iii')\ndef bad(view, rng):\n"
        "    return 63 if view.hand % 10007 == 3 else sl.lowest(view.options)\n"
    )
    setup = prepare(GAME, **SETUP, policies=load_file(f"{file}:bad"))
    with pytest.raises(PolicyFailure, match="answered 63, which is not among its options"):
        run_setup(setup, games=GAMES, client=client, out=tmp_path / "run")
    load(tmp_path / "run")


def test_bad_questions(client: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simlib.cluster.CONNECT", "1s")
    with pytest.raises(BadInput, match="rows that are played on a cluster are stored"):
        run_on(client, keep="games")
    with pytest.raises(BadInput, match="cannot be reached"):
        run_on("tcp://127.0.0.1:1", out=tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_scheduler_is_named_by_its_address(cluster: Any, tmp_path: Path, memory: Run) -> None:
    run_on(cluster.scheduler_address, out=tmp_path)
    assert_same_rows(tmp_path, memory)


@pytest.mark.parametrize("protocol", ["file", "shelf"])
def test_a_worker_killed_in_the_middle(
    protocol: str, client: Any, tmp_path: Path, memory: Run
) -> None:
    client.run(shelf.register, shelf.Shelf)
    address = f"{protocol}://{tmp_path}/run"
    pids = client.run(os.getpid)
    killed: list[int] = []

    def kill_one(done: int, *_: object) -> None:
        if not killed:
            killed.append(next(iter(pids.values())))
            os.kill(killed[0], signal.SIGKILL)

    run_on(client, out=address, progress=kill_one)
    assert killed
    run = assert_same_rows(address, memory)
    assert not strays(address, run._manifest.parts)
    assert not resume(address).notes


def test_what_a_dead_worker_left_half_written_is_removed(
    client: Any, tmp_path: Path, memory: Run
) -> None:
    half = tmp_path / ".part-000001.parquet.0123456789abcdef.tmp"
    seen: list[int] = []

    def leave_it(done: int, *_: object) -> None:
        if not seen:
            half.write_bytes(b"PAR1")
        seen.append(done)

    run_on(client, out=tmp_path, progress=leave_it)
    assert seen
    assert not half.exists()
    assert_same_rows(tmp_path, memory)
