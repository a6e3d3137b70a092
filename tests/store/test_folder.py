"""A run folder: what is in it, what comes back out of it, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from simlib import games
from simlib.errors import BadInput, PolicyFailure
from simlib.policy import Policy, policy
from simlib.run import Run
from simlib.simulate import simulate
from simlib.store import extend, load, read_table, resume, runs
from simlib.store import parquet as parquet_module
from simlib.store import writer as writer_module
from tests.store.helpers import (
    BLOCK,
    GAMES,
    asked,
    assert_same_figures,
    assert_same_rows,
    names,
    stored,
)


def test_rows_and_figures_come_back_equal(tmp_path: Path, memory: Run) -> None:
    run = stored(tmp_path / "run")
    assert_same_figures(run, memory)
    assert_same_rows(tmp_path / "run", memory)
    pd.testing.assert_frame_equal(run.games, memory.games)
    pd.testing.assert_frame_equal(read_table(tmp_path / "run", "deals"), memory.deals)
    assert len(load(tmp_path / "run")) == GAMES
    assert run.manifest == load(tmp_path / "run").manifest


def test_a_folder_holds_a_part_a_block(tmp_path: Path) -> None:
    stored(tmp_path)
    numbers = [f"{number:06d}" for number in range(5)]
    assert names(tmp_path) == sorted(
        [".lock", "manifest.json"]
        + [f"part-{n}.parquet" for n in numbers]
        + [f"deals-{n}.parquet" for n in numbers]
        + [f"sums-{n}.npz" for n in numbers]
    )


KINDS: list[dict[str, Any]] = [
    {"game": "king", "variety": "simple", "unit": "deal"},
    {"game": "king", "variety": "minsk", "unit": "deal"},
    {"game": "king", "variety": "simple", "unit": "match", "games": 130},
    {"game": "royal-corners", "unit": "deal"},
    {"game": "royal-corners", "unit": "match", "games": 130},
    {"game": "king-george-iii", "players": 5, "play_seed": 3, "rules": {"first": "rotate"}},
]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: "-".join(map(str, kind.values()))[:30])
def test_every_game_and_unit_comes_back_equal(
    kind: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "BLOCK", 60)
    kind = {"games": 200, "seed": 5, **kind}
    alone = simulate(**kind, keep="games")
    simulate(**kind, out=tmp_path)
    assert_same_rows(tmp_path, alone)
    merged = games.get(kind["game"]).merges_deals and kind["unit"] == "deal"
    assert bool(list(tmp_path.glob("deals-*"))) != merged


@pytest.mark.parametrize(("threads", "chunk"), [(1, None), (2, 7), (3, 499), (2, 100_000)])
def test_the_bytes_do_not_depend_on_threads_and_chunks(
    threads: int, chunk: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_module, "GROUP", 128)
    stored(tmp_path / "one", threads=1, chunk=64)
    stored(tmp_path / "two", threads=threads, chunk=chunk)
    for file in (tmp_path / "one").glob("*-*"):
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()


def test_some_columns_of_some_games(
    tmp_path: Path, memory: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_module, "GROUP", 64)
    stored(tmp_path)
    run = load(tmp_path)
    for first, stop in [(0, 1), (63, 65), (499, 501), (0, GAMES), (700, 2000), (2299, 9999)]:
        columns = ["turns", "index", "win_share_2", "ending"]
        inside = memory.games["index"].between(first, stop - 1)
        pd.testing.assert_frame_equal(
            run.read("games", columns=columns, first=first, stop=stop),
            memory.games.loc[inside, columns].reset_index(drop=True),
        )
        inside = memory.deals["index"].between(first, stop - 1)
        pd.testing.assert_frame_equal(
            run.read("deals", first=first, stop=stop),
            memory.deals[inside].reset_index(drop=True),
        )
    none = run.read("games", first=GAMES)
    assert len(none) == 0
    assert list(none.dtypes) == list(memory.games.dtypes)


def test_a_table_in_pieces(tmp_path: Path, memory: Run) -> None:
    stored(tmp_path)
    pieces = list(load(tmp_path).frames("games", columns=["index", "turns"]))
    assert [len(piece) for piece in pieces] == [BLOCK] * 4 + [GAMES - 4 * BLOCK]
    together = pd.concat(pieces, ignore_index=True)
    pd.testing.assert_frame_equal(together, memory.games[["index", "turns"]])


def test_reading_without_looking_at_checksums(tmp_path: Path, memory: Run) -> None:
    stored(tmp_path)
    run = load(tmp_path, verify=False)
    pd.testing.assert_frame_equal(run.read("deals"), memory.deals)


def test_bad_questions_are_answered_with_what_is_valid(tmp_path: Path) -> None:
    stored(tmp_path, games=10)
    run = load(tmp_path)
    with pytest.raises(BadInput, match="table 'rows': a run has games, deals"):
        run.read("rows")
    with pytest.raises(BadInput, match="column 'turn': the table of games has seed, index,"):
        run.read("games", columns=["turn"])


# --- sums alone ------------------------------------------------------------------------------


def test_a_summary_run_keeps_sums_alone(tmp_path: Path, memory: Run) -> None:
    stored(tmp_path, keep="summary")
    run = load(tmp_path)
    assert_same_figures(run, memory)
    assert not list(tmp_path.glob("*.parquet"))
    assert len(list(tmp_path.glob("sums-*.npz"))) == 5
    with pytest.raises(BadInput, match="holds sums alone"):
        run.read("games")
    with pytest.raises(BadInput, match="holds sums alone"):
        _ = run.deals


def test_a_summary_run_grows(tmp_path: Path, memory: Run) -> None:
    stored(tmp_path, keep="summary", games=700)
    extend(tmp_path, GAMES)
    assert_same_figures(load(tmp_path), memory)


# --- more games ------------------------------------------------------------------------------


@pytest.mark.parametrize("games", [1, 499, 500, 501, 2000, 2299])
def test_an_extended_run_is_the_longer_run(
    games: int, tmp_path: Path, memory: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parquet_module, "GROUP", 64)
    stored(tmp_path, games=games)
    run = extend(tmp_path, GAMES)
    assert len(run) == GAMES
    assert_same_rows(tmp_path, memory)
    assert run.manifest["games_asked"] == GAMES
    assert run.manifest["timings"]["sessions"] == 2


def test_extending_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_module, "GROUP", 64)
    stored(tmp_path / "one")
    stored(tmp_path / "two", games=777)
    extend(tmp_path / "two", GAMES)
    parts = [load(tmp_path / name).manifest["parts"] for name in ("one", "two")]
    for one, two in zip(*parts, strict=True):
        for table, note in one["files"].items():
            assert note["sha256"] == two["files"][table]["sha256"]
    assert "part-000001-b.parquet" in names(tmp_path / "two")
    assert "part-000001.parquet" not in names(tmp_path / "two")


def test_extending_plays_only_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from simlib.engine import Player

    stored(tmp_path, games=700)
    ranges: list[tuple[int, int]] = []
    play = Player.play

    def seen(self: Player, first: int, count: int) -> Any:
        ranges.append((first, first + count))
        return play(self, first, count)

    monkeypatch.setattr(Player, "play", seen)
    extend(tmp_path, 1200, threads=1)
    assert ranges[0] == (0, 16)  # the probe
    assert min(first for first, _ in ranges[1:]) == 700
    assert sum(stop - first for first, stop in ranges[1:]) == 500


def test_the_same_call_again_changes_nothing(tmp_path: Path, memory: Run) -> None:
    stored(tmp_path)
    before = {name: (tmp_path / name).read_bytes() for name in names(tmp_path) if name != ".lock"}
    run = stored(tmp_path)
    assert_same_figures(run, memory)
    assert before == {name: (tmp_path / name).read_bytes() for name in before}
    resume(tmp_path)
    assert before == {name: (tmp_path / name).read_bytes() for name in before}


def test_the_same_call_with_more_games_extends(tmp_path: Path, memory: Run) -> None:
    stored(tmp_path, games=1100)
    assert_same_figures(stored(tmp_path), memory)
    assert_same_rows(tmp_path, memory)


def test_fewer_games_are_refused(tmp_path: Path) -> None:
    stored(tmp_path, games=900)
    with pytest.raises(BadInput, match="holds a run of 900 games; 800 are fewer"):
        extend(tmp_path, 800)
    with pytest.raises(BadInput, match="holds a run of 900 games; 800 are fewer"):
        stored(tmp_path, games=800)


def test_a_slow_block_is_written_as_far_as_it_has_come(
    tmp_path: Path, memory: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "CHECKPOINT_S", 0.0)
    stored(tmp_path, chunk=70)
    assert_same_rows(tmp_path, memory)


# --- stopping by precision -------------------------------------------------------------------

WIDTHS = {"rate_out": 0.008}


@pytest.fixture(scope="module")
def precise() -> Run:
    return simulate(**asked(games=60_000, precision=WIDTHS))


def test_a_run_stopped_by_precision(
    tmp_path: Path, precise: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "BLOCK", 4000)
    run = stored(tmp_path, games=60_000, precision=WIDTHS)
    assert precise.met
    assert 10_000 < len(precise) < 60_000
    assert run.met
    assert_same_figures(run, precise)
    again = stored(tmp_path, games=60_000, precision=WIDTHS)
    assert again.met
    assert again.precision == WIDTHS
    assert_same_figures(again, precise)
    more = extend(tmp_path, len(precise) + 1000)
    assert len(more) == len(precise) + 1000
    assert more.precision is None


def test_a_damaged_part_does_not_move_the_stop(
    tmp_path: Path, precise: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "BLOCK", 4000)
    stored(tmp_path, games=60_000, precision=WIDTHS)
    (tmp_path / "part-000001.parquet").unlink()
    run = resume(tmp_path)
    assert run.notes == ("part-000001.parquet: missing",)
    assert run.met
    assert_same_figures(run, precise)
    (tmp_path / sorted(name for name in names(tmp_path) if name.startswith("part"))[-1]).unlink()
    assert_same_figures(resume(tmp_path), precise)


def test_another_precision_is_refused(tmp_path: Path) -> None:
    stored(tmp_path)
    with pytest.raises(BadInput, match="holds a run with precision none, not"):
        stored(tmp_path, precision=WIDTHS)


# --- refusals --------------------------------------------------------------------------------


def test_an_empty_folder_is_fine_and_parents_are_made(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    stored(tmp_path / "empty", games=5)
    stored(tmp_path / "a" / "b" / "c", games=5)
    assert len(load(tmp_path / "a" / "b" / "c")) == 5


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(BadInput, match=r"holds no run, but 'letter\.txt'"):
        stored(tmp_path, games=5)
    assert names(tmp_path) == ["letter.txt"]
    with pytest.raises(BadInput, match="is a file"):
        stored(tmp_path / "letter.txt", games=5)
    with pytest.raises(BadInput, match=r"no run: it has no manifest\.json"):
        load(tmp_path)
    with pytest.raises(BadInput, match="there is no such folder"):
        load(tmp_path / "nothing")


def test_somebody_elses_manifest_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text('{"name": "app", "icons": []}')
    for act in (stored, load, resume):
        with pytest.raises(BadInput, match="no manifest of a run"):
            act(tmp_path)
    assert names(tmp_path) == ["manifest.json"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"seed": 12}, "seed 11, not 12"),
        ({"play_seed": 12}, "play_seed 11, not 12"),
        ({"players": 4}, "players 3, not 4"),
        ({"game": "king", "players": None}, "game king-george-iii, not king"),
        ({"rules": {"wrap": True}}, "option wrap=False, not True"),
        ({"policies": "random,random,eager"}, "at seat 2 the policy random, not eager"),
        ({"keep": "summary"}, "keep=games, not summary"),
    ],
)
def test_another_run_is_refused(change: dict[str, Any], says: str, tmp_path: Path) -> None:
    stored(tmp_path, games=20)
    before = (tmp_path / "manifest.json").read_bytes()
    with pytest.raises(BadInput, match=says):
        stored(tmp_path, **{"games": 20, **change})
    assert (tmp_path / "manifest.json").read_bytes() == before
    assert len(load(tmp_path)) == 20


def _breaks(at: int) -> Policy:
    @policy("king-george-iii", name="breaks", params={"at": float(at)})
    def breaks(view, rng):  # type: ignore[no-untyped-def]
        """Answers what is no option once its hand is a certain one."""
        if view.hand % 10007 == view.params[0]:
            return 63
        options = view.options
        card = 0
        while not options & np.uint64(1):
            options >>= np.uint64(1)
            card += 1
        return card

    return breaks


def test_a_policy_that_breaks_leaves_the_games_before(tmp_path: Path) -> None:
    with pytest.raises(PolicyFailure) as failure:
        stored(tmp_path, policies=_breaks(3), games=GAMES, chunk=50, threads=1)
    run = load(tmp_path)
    assert not run.complete
    assert 0 < len(run) <= failure.value.game
    assert list(run.read("games")["index"]) == list(range(len(run)))
    with pytest.raises(PolicyFailure, match=f"game {failure.value.game}, "):
        resume(tmp_path, policies=_breaks(3))


def test_another_policy_of_the_same_name_is_refused(tmp_path: Path) -> None:
    stored(tmp_path, policies=_breaks(-1), games=20)
    with pytest.raises(BadInput, match=r"the policy breaks\(at=-1\), not breaks\(at=-2\)"):
        stored(tmp_path, policies=_breaks(-2), games=20)


# --- listing ---------------------------------------------------------------------------------


def test_runs_are_listed(tmp_path: Path) -> None:
    stored(tmp_path / "one", games=30)
    stored(tmp_path / "deep" / "two", games=40, keep="summary")
    (tmp_path / "letter.txt").write_text("dear")
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "manifest.json").write_text("{}")
    stored(tmp_path / "zero", games=30)
    (tmp_path / "zero" / "manifest.json").write_text("half a mani")
    stored(tmp_path / "bare", games=30)
    (tmp_path / "bare" / "manifest.json").unlink()
    found = {Path(entry["path"]).name: entry for entry in runs(tmp_path)}
    assert set(found) == {"one", "two", "zero", "bare"}
    assert found["bare"]["state"] == "damaged"
    assert "no manifest.json" in found["bare"]["problem"]
    assert found["one"]["state"] == "complete"
    assert found["one"]["games"] == 30
    assert found["one"]["policies"] == ["random"] * 3
    assert found["two"]["keep"] == "summary"
    assert found["zero"]["state"] == "damaged"
    assert "not JSON" in found["zero"]["problem"]
    assert runs(tmp_path / "one")[0]["path"] == str(tmp_path / "one")
    with pytest.raises(BadInput, match="there is no such folder"):
        runs(tmp_path / "nothing")
