"""The analyses of Royal Corners and King: parts merge to the whole, figures draw."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pandas as pd
import pytest

from analyses.results import Result
from analyses.tables import Table
from simlib.setup import prepare
from simlib.simulate import run_setup

#: Module, arguments that keep its run small, and a table of it that is played.
CASES: list[tuple[str, dict[str, Any], dict[str, Any] | None]] = [
    ("corners_penalties", {"policies": ["random", "eager"]}, {"game": "royal-corners"}),
    ("corners_stalls", {"policies": ["random", "eager"]}, {"game": "royal-corners"}),
    (
        "corners_matches",
        {"policies": ["random"], "presets": ["seed"]},
        {"game": "royal-corners", "unit": "match"},
    ),
    ("corners_house_rules", {"players": [2], "policies": ["random"]}, None),
    ("king_contracts", {"varieties": ["simple", "trade"]}, {"game": "king"}),
    ("king_declarers", {"policies": ["random"]}, {"game": "king", "variety": "minsk"}),
    (
        "king_matches",
        {"varieties": ["simple", "domino"]},
        {"game": "king", "unit": "match", "variety": "domino"},
    ),
]


@pytest.mark.parametrize(("module", "small", "table"), CASES, ids=[case[0] for case in CASES])
def test_an_analysis_runs_and_draws(
    module: str, small: dict[str, Any], table: dict[str, Any] | None
) -> None:
    result = import_module(f"analyses.{module}").run(games=300, seed=3, **small)
    assert isinstance(result, Result)
    assert result.answer.endswith(".")
    assert "nan" not in result.answer
    keys = [shown.key for shown in (*result.tables, *result.figures)]
    assert len(result.tables) == len({shown.key for shown in result.tables}), keys
    assert all(len(shown.frame) for shown in result.tables)
    assert result.runs
    for figure in result.figures:
        assert figure.alt
        assert figure.draw() is not None


@pytest.mark.parametrize(
    ("module", "table"),
    [(name, table) for name, _, table in CASES if table],
    ids=[name for name, _, table in CASES if table],
)
def test_merged_parts_are_the_whole(module: str, table: dict[str, Any]) -> None:
    analysis = import_module(f"analyses.{module}").ANALYSIS
    game = table["game"]
    options = {key: value for key, value in table.items() if key != "game"}
    run = run_setup(prepare(game, seed=5, **options), games=200, keep="games")
    frame = run.games
    whole = analysis.reduce(frame)
    halves = [analysis.reduce(frame.iloc[:77]), analysis.reduce(frame.iloc[77:])]
    assert Table.total(halves) == Table.total([whole])


def test_k_7_leader_of_contract_1_loses_about_4_13() -> None:
    run = run_setup(prepare("king", rules={"contracts": ["no-tricks"]}), games=40_000)
    found = run.figure("score", seat=0).sums.estimate()
    assert found.low is not None
    assert found.high is not None
    assert found.low - 0.02 < -4.13 < found.high + 0.02


def test_penalties_go_by_position_not_by_seat() -> None:
    from analyses.corners_penalties import ANALYSIS

    frame = pd.DataFrame({"first": [0, 1], "penalty_0": [7, 2], "penalty_1": [3, 9]})
    counts = ANALYSIS.reduce(frame)["penalties"]["count"]
    assert counts.to_dict() == {(0, 7): 1, (0, 9): 1, (1, 2): 1, (1, 3): 1}
