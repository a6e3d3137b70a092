"""The analyses of Royal Corners and King: parts merge to the whole, figures draw."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pandas as pd
import pytest
from matplotlib.transforms import Bbox

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


def test_nothing_runs_through_the_numbers_of_the_contract_grid() -> None:
    from analyses import style
    from analyses.king_contracts import draw_heat

    rows = [
        ("random", contract, position, level + 3 * position * (-1) ** position)
        for contract, level in (("no-tricks", -4.0), ("no-all", -24.0), ("all", 24.0))
        for position in range(4)
    ]
    frame = pd.DataFrame(rows, columns=["policy", "contract", "position", "estimate"])
    means = frame.groupby("contract")["estimate"].transform("mean")
    frame = frame.assign(gap=frame["estimate"] - means, clear=frame["contract"] != "all")
    with style.narrow(), style.house():
        figure = draw_heat(frame)
        figure.draw_without_rendering()
    (ax,) = figure.axes
    assert not any(line.get_visible() for line in [*ax.get_xgridlines(), *ax.get_ygridlines()])
    numbers = [text.get_window_extent() for text in ax.texts]
    marks, small = [], []
    for mark in ax.collections:
        x, y = mark.get_offset_transform().transform(mark.get_offsets())[0]
        half = mark.get_sizes()[0] ** 0.5 / 2 * figure.dpi / 72
        small.append(mark.get_sizes()[0] < 10)
        marks.append(Bbox.from_extents(x - half, y - half, x + half, y + half))
    assert len(numbers) == len(marks) == 12
    assert small == 8 * [False] + 4 * [True]  # a dot, not a fainter mark, within the error
    boxes = [*numbers, *marks]
    for place, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:place])
