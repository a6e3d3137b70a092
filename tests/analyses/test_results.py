"""Every analysis of King George III: a result that a page can show."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib import import_module

import pandas as pd
import pytest

from analyses import style
from analyses.results import Result

MODULES = ("endings", "lengths", "orphans", "seats", "house_rules")
GAMES = 400


@pytest.fixture(scope="module", params=MODULES)
def result(request: pytest.FixtureRequest) -> Result:
    """Return a small result of each analysis."""
    run: Callable[..., Result] = import_module(f"analyses.{request.param}").run
    return run(games=GAMES, threads=2, seed=1, players=[2, 3], policies=["random", "longest-run"])


def test_it_answers_from_its_numbers(result: Result) -> None:
    assert re.search(r"\d", result.answer)
    assert "nan" not in result.answer.lower()
    assert result.title and result.question.endswith("?")
    assert all(text.endswith(".") for text in result.methods)
    assert all(text.endswith(".") for text in result.warnings)


def test_its_tables_are_tidy(result: Result) -> None:
    for table in result.tables:
        assert len(table.frame) > 0
        assert not table.frame.columns.duplicated().any()
        assert set(table.percent) <= {*table.frame.columns}
        text = table.frame.to_csv(index=False)
        assert len(text.splitlines()) == len(table.frame) + 1
        if {"low", "estimate", "high"} <= set(table.frame):
            known = table.frame.dropna(subset=["low", "high"])
            assert (known["low"] <= known["estimate"] + 1e-12).all()
            assert (known["estimate"] <= known["high"] + 1e-12).all()


def test_its_figures_draw(result: Result) -> None:
    for figure in result.figures:
        assert figure.alt and figure.title
        assert "nan" not in figure.alt.lower()
        drawn = figure.draw()
        drawn.canvas.draw()
        assert drawn.axes
        with style.narrow():
            figure.draw().canvas.draw()


def test_its_runs_can_be_played_again(result: Result) -> None:
    assert result.runs
    for note in result.runs:
        assert note.command.startswith("simlib run king-george-iii")
        assert f"--games {GAMES}" in note.command
        json.dumps(note.manifest, allow_nan=False)
        assert note.manifest["seed"] == 1
        assert note.manifest["games"] == GAMES


def test_the_same_asked_again_is_the_same(result: Result) -> None:
    run = import_module(f"analyses.{result.name}").run
    again = run(games=GAMES, threads=1, seed=1, players=[2, 3], policies=["random", "longest-run"])
    assert again.answer == result.answer
    for one, two in zip(again.tables, result.tables, strict=True):
        pd.testing.assert_frame_equal(one.frame, two.frame)
