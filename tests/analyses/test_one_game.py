"""Of one game there is no interval: sentences say so, and never ``nan``."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

import pandas as pd
import pytest

from analyses.base import between, interval, number, percent, widths_missed
from analyses.results import Result
from analyses.tables import estimates
from simlib.stats import wilson

CASES: list[tuple[str, dict[str, Any]]] = [
    ("endings", {}),
    ("lengths", {}),
    ("orphans", {"replays": 1, "replay_policies": ["random"], "replay_players": [2]}),
    ("seats", {}),
    ("house_rules", {}),
    ("corners_stalls", {"presets": ["seed"]}),
    ("corners_matches", {"presets": ["seed"]}),
    ("corners_penalties", {"presets": ["seed"]}),
    ("corners_house_rules", {}),
    ("balance_report", {"records": 1, "deals": 20}),
]


def words(found: Result) -> list[str]:
    """Return every sentence and title of an analysis."""
    tables = [text for table in found.tables for text in (table.title, *table.notes)]
    figures = [text for figure in found.figures for text in (figure.title, figure.alt)]
    return [found.answer, *found.warnings, *tables, *figures]


@pytest.mark.parametrize(("module", "more"), CASES, ids=[name for name, _ in CASES])
@pytest.mark.parametrize("games", [1, 2])
def test_no_sentence_says_nan(module: str, more: dict[str, Any], games: int) -> None:
    run = import_module(f"analyses.{module}").run
    found = run(games=games, players=[2], policies=["random"], threads=1, **more)
    for text in words(found):
        assert not re.search(r"\b(nan|inf|None)\b", text), text


def row(hits: int, n: int) -> dict[str, Any]:
    return estimates(pd.DataFrame({"key": [0]}), [wilson(hits, n)]).iloc[0].to_dict()


def test_an_interval_in_words() -> None:
    assert interval(row(1, 1)) == "100\u00a0% (no interval)"
    assert interval(row(0, 0)) == "\u2013 (no interval)"
    assert interval(row(50, 100)) == "50\u00a0% (95\u00a0% interval 40 to 60\u00a0%)"
    assert between(1.25, 2.0, lambda end: number(end, 1)) == "95\u00a0% interval 1.2 to 2.0"
    assert number(float("nan")) == percent(float("nan")) == "\u2013"


def test_a_rate_without_an_interval_has_missed_its_width() -> None:
    frame = estimates(pd.DataFrame({"key": [0]}), [wilson(1, 1)])
    assert "1 of 1 rates" in widths_missed(frame, "endings", 1)[0]


def test_balance_draws_no_conclusion_from_few_games() -> None:
    run = import_module("analyses.balance_report").run
    asked = {"players": [2], "policies": ["random"], "records": 1, "deals": 20, "threads": 1}
    assert "too few for a conclusion" in run(games=999, **asked).answer
    found = run(games=1000, **asked).answer
    assert "games with 2 × `random`" in found and found.count("95\u00a0% interval") == 2
