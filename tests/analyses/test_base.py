"""How analyses play, share and fold their runs."""

from __future__ import annotations

import shlex
from importlib import import_module
from pathlib import Path
from typing import ClassVar, Literal

import pandas as pd
import pytest

from analyses import base, endings, king_george, lengths, orphans, seats
from analyses.base import Analysis, Collected, clear_cache, collect, command, frames_of, percent
from analyses.results import Result
from analyses.tables import Table, estimates, histogram
from simlib.errors import BadInput
from simlib.setup import prepare
from simlib.simulate import simulate
from simlib.stats import wilson
from simlib.store import load

GAMES = 400


class Players(Analysis):
    """A question about Royal Corners: an analysis of another game is another file."""

    name = "players"
    title = question = "How do deals end?"
    rows: ClassVar[Literal["games", "deals"]] = "deals"

    def reduce(self, frame: pd.DataFrame) -> Table:
        return Table({"endings": histogram(frame, "ending")})

    def finish(self, table: Table) -> dict[str, pd.DataFrame]:
        counts = table["endings"].reset_index()
        n = int(counts["count"].sum())
        found = [wilson(int(hits), n) for hits in counts["count"]]
        return {"rates": estimates(counts[["ending"]], found)}

    def result(self, collected: Collected) -> Result:
        rates = self.finish(collected.table)["rates"]
        return Result("players", self.title, self.question, f"{len(rates)} endings")


@pytest.fixture(autouse=True)
def _forget() -> None:
    clear_cache()


def test_a_run_in_memory_on_disk_or_played_gives_the_same(tmp_path: Path) -> None:
    setups = king_george.cells([2, 3], ["eager"], seed=5)
    played = endings.ANALYSIS.result(collect(endings.ANALYSIS, setups, games=GAMES))
    kept = [
        simulate(setup.game.name, players=setup.players, policies="eager", seed=5, games=GAMES,
                 keep="games")
        for setup in setups
    ]  # fmt: skip
    stored = [
        simulate(setup.game.name, players=setup.players, policies="eager", seed=5, games=GAMES,
                 out=tmp_path / str(setup.players))
        for setup in setups
    ]  # fmt: skip
    read = [load(tmp_path / "2"), load(tmp_path / "3")]
    for runs in (kept, stored, read):
        again = endings.ANALYSIS.over(runs)
        assert again.answer == played.answer
        for one, two in zip(again.tables, played.tables, strict=True):
            pd.testing.assert_frame_equal(one.frame, two.frame)
    with pytest.raises(BadInput, match="not kept"):
        endings.ANALYSIS.over([simulate("king-george-iii", games=5)])


@pytest.mark.parametrize("analysis", [endings.ANALYSIS, lengths.ANALYSIS, seats.ANALYSIS])
def test_threads_change_nothing(analysis: Analysis) -> None:
    setups = king_george.cells([3], ["random"])
    one = collect(analysis, setups, games=GAMES, threads=1).table
    clear_cache()
    assert collect(analysis, setups, games=GAMES, threads=2).table == one


def test_analyses_of_a_family_share_their_runs() -> None:
    setups = king_george.cells([2], ["random", "eager"])
    said: list[str] = []
    collect(endings.ANALYSIS, setups, games=GAMES, progress=said.append)
    assert said == [
        "endings: cell 1 of 2, 2 players, random",
        "endings: cell 2 of 2, 2 players, eager",
    ]
    for other in (lengths.ANALYSIS, seats.ANALYSIS, orphans.ANALYSIS, endings.ANALYSIS):
        collect(other, setups, games=GAMES, progress=said.append)
    assert len(said) == 2
    collect(seats.ANALYSIS, setups, games=GAMES + 1, progress=said.append)
    assert len(said) == 4


def test_a_family_names_its_members() -> None:
    members = [import_module(module).ANALYSIS for module in king_george.FAMILY]
    assert {one.name for one in members} == {"endings", "lengths", "orphans", "seats"}
    assert all(one.family == king_george.FAMILY and one.rows == "games" for one in members)


def test_another_seed_is_another_run() -> None:
    one, two = (
        collect(endings.ANALYSIS, king_george.cells([2], ["random"], seed=seed), games=GAMES)
        for seed in (1, 2)
    )
    assert one.table != two.table


def test_only_so_many_cells_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "REMEMBERED", 1)
    setups = king_george.cells([2], ["random", "eager"])
    collect(endings.ANALYSIS, setups, games=50)
    assert len(base._CACHE) == 1


@pytest.mark.parametrize("unit", ["deal", "match"])
def test_deals_of_another_game(unit: str) -> None:
    setup = prepare("royal-corners", players=2, unit=unit)
    collected = collect(Players(), [setup], games=60, threads=2)
    run = simulate("royal-corners", players=2, unit=unit, games=60, keep="games")
    counts = collected.table["endings"]["count"].droplevel([0, 1])
    wanted = run.deals["ending"].value_counts()
    assert counts.to_dict() == wanted[wanted > 0].to_dict()
    assert Players().over([run]).answer == Players().result(collected).answer
    sizes = [len(frame) for frame in frames_of(run, "deals", size=7)]
    assert sum(sizes) == len(run.deals)
    assert len(sizes) == 9


@pytest.mark.parametrize(
    "setup",
    [
        prepare("king-george-iii", players=3, policies="random,eager,ace-late", seed=3),
        prepare(
            "king-george-iii",
            players=2,
            rules={"wrap": True, "hand_size": 5, "recycle": "none"},
            play_seed=9,
        ),
        prepare("royal-corners", players=2, unit="match"),
        prepare("king", variety="minsk", rules={"contracts": ["no-king", "no-hearts"]}),
    ],
    ids=lambda setup: setup.game.name,
)
def test_the_command_plays_the_run_again(setup: object) -> None:
    import typer

    from simlib.cli.app import app
    from simlib.cli.options import setup_from

    words = shlex.split(command(setup, 12))  # type: ignore[arg-type]
    assert words[:2] == ["simlib", "run"]
    run = typer.main.get_command(app).commands["run"]  # type: ignore[attr-defined]
    given = run.make_context("run", words[2:], resilient_parsing=False).params
    assert given["games"] == "12"
    names = ("variety", "unit", "players", "seed", "play_seed", "policies", "rule", "rules")
    again = setup_from(given["game"], preset=None, **{name: given[name] for name in names})
    assert again.describe() == setup.describe()  # type: ignore[attr-defined]


def test_shares_in_words() -> None:
    assert percent(0.47871, 0.002) == "47.9\u00a0%"
    assert percent(0.47871, 0.0002) == "47.87\u00a0%"
    assert percent(0.5, 0.02) == "50\u00a0%"
    assert percent(0.00042) == "0.042\u00a0%"
    assert percent(0.99958) == "99.958\u00a0%"
    row = {"estimate": 0.5, "low": 0.498, "high": 0.502, "half_width": 0.002}
    assert base.interval(row) == "50.0\u00a0% (95\u00a0% interval 49.8 to 50.2\u00a0%)"


@pytest.mark.parametrize(
    ("share", "half_width", "words"),
    [
        (0.0, None, "0"),
        (1.0, 0.00001, "100"),
        (0.99996, 0.001, "> 99.9"),
        (0.0004, 0.002, "< 0.1"),
        (0.996, 0.05, "> 99"),
        (0.1, 0.02, "10"),
        (-0.003, 0.002, "\u22120.3"),
    ],
)
def test_only_none_and_all_read_0_and_100(
    share: float, half_width: float | None, words: str
) -> None:
    assert percent(share, half_width) == words + "\u00a0%"


def test_numbers_in_sentences_have_a_true_minus_and_no_signed_zero() -> None:
    assert base.number(-4.079, 2) == "\u22124.08"
    assert base.number(-0.001, 2) == "0.00"
    assert base.signed(1234.5, 1) == "+1,234.5"
    assert base.signed(-0.75, 2) == "\u22120.75"
    assert base.signed(0.001, 2) == base.signed(-0.001, 2) == "0.00"


def test_each_cell_may_have_its_own_number_of_games() -> None:
    setups = king_george.cells([2, 3], ["random"])
    collected = collect(endings.ANALYSIS, setups, games=[50, 70])
    rates = endings.ANALYSIS.finish(collected.table)["rates"]
    assert rates.groupby("players")["n"].first().to_dict() == {2: 50, 3: 70}
    assert collected.games == 70


def test_a_promised_width_that_was_missed_is_said() -> None:
    frame = pd.DataFrame({"half_width": [0.001, 0.002, 0.0021, float("nan")]})
    said = base.widths_missed(frame.iloc[:3], "Rates", 100_000)
    assert said == [
        "Rates: 1 of 3 rates are known less closely than ±0.2 percentage points (the widest"
        " ±0.21); `--games 111000` would give that."
    ]
    assert "2 of 4 rates" in base.widths_missed(frame, "Rates", 1)[0]
    assert base.widths_missed(frame.iloc[:2], "Rates", 100_000) == []
    width = wilson(base.GAMES // 2, base.GAMES).half_width
    assert width is not None and width <= base.HALF_WIDTH
