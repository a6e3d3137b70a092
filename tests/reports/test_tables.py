"""How numbers are shown."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from analyses.results import TableOut
from reports import tables
from tests.reports import made_up


def shown(frame: pd.DataFrame, **options: object) -> tables.Shown:
    return tables.show(TableOut("t", "T", frame, **options))  # type: ignore[arg-type]


def column(found: tables.Shown, label: str) -> list[str]:
    place = [head.label for head in found.heads].index(label)
    return [row.cells[place] for row in found.rows]


def test_rates_in_per_cent_with_their_interval() -> None:
    found = tables.show(made_up.endings().tables[0])
    assert [(head.label, head.unit) for head in found.heads] == [
        ("Players", ""),
        ("Policy", ""),
        ("Estimate", "%"),
        ("95 % interval", "%"),
        ("Half-width", "% points"),
        ("n", ""),
    ]
    assert [head.key for head in found.heads] == [True, True, False, False, False, False]
    assert found.rows[0].cells == ("2", "random", "35.36", "35.17 to 35.54", "0.19", "250,000")


def test_groups_begin_where_the_first_name_changes() -> None:
    found = tables.show(made_up.endings().tables[0])
    assert [place for place, row in enumerate(found.rows) if row.begins] == [6, 12, 18]


def test_infinite_missing_and_tiny_values() -> None:
    found = tables.show(made_up.lengths().tables[1])
    assert column(found, "Turns") == ["∞", "31", "28"]
    assert column(found, "Turns, 95 % interval") == ["–", "30 to 31", "28 to 28"]
    assert column(found, "p") == ["< 0.0001", "0.0312", "0.5000"]
    assert column(found, "Mean difference") == ["0.0000", "−1,234.5678", "0.2500"]
    assert column(found, "Reached") == ["yes", "no", "yes"]
    assert column(found, "n") == ["250,000", "1", "–"]
    assert found.gaps


def test_digits_that_were_asked_for() -> None:
    frame = pd.DataFrame({"a": ["x"], "turns": [12.3456], "share": [0.12345]})
    found = shown(frame, digits={"turns": 1, "share": 3}, percent=["share"])
    assert found.rows[0].cells == ("x", "12.3", "12.345")


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([12345.678], ["12,346"]),
        ([31.9, 4.4], ["31.90", "4.40"]),
        ([0.00031], ["0.0003100"]),
        ([-0.4], ["−0.4000"]),
        ([0.0], ["0"]),
    ],
)
def test_digits_that_nobody_asked_for(values: list[float], texts: list[str]) -> None:
    frame = pd.DataFrame({"a": ["x"] * len(values), "mean": values})
    assert column(shown(frame), "Mean") == texts


def test_the_standard_error_gives_way_to_the_interval() -> None:
    frame = pd.DataFrame({"k": ["a"], "estimate": [1.0], "se": [0.1], "low": [0.8], "high": [1.2]})
    assert [head.label for head in shown(frame).heads] == ["K", "Estimate", "95 % interval"]
    alone = frame.drop(columns=["low", "high"])
    assert [head.label for head in shown(alone).heads] == ["K", "Estimate", "Standard error"]


def test_a_quantile_above_every_length() -> None:
    frame = pd.DataFrame({"k": ["a"], "t": [math.inf], "t_low": [40.0], "t_high": [math.inf]})
    assert shown(frame).rows[0].cells == ("a", "∞", "40.00 to ∞")


def test_long_tables() -> None:
    frame = pd.DataFrame({"turn": range(1000), "estimate": [0.5] * 1000})
    found = shown(frame)
    assert found.folded
    assert found.total == 1000
    assert len(found.rows) == tables.MOST
    assert not shown(frame.head(tables.FOLD)).folded


def test_empty_frame() -> None:
    found = shown(pd.DataFrame({"policy": pd.Series([], dtype=str), "estimate": []}))
    assert found.rows == ()
    assert [head.label for head in found.heads] == ["Policy", "Estimate"]


def test_csv_too_large_for_a_page() -> None:
    assert tables.csv_link("a\n1\n") == "data:text/csv;charset=utf-8;base64,YQoxCg=="
    assert tables.csv_link("x" * (tables.EMBED + 1)) is None
