"""Lengths by hand: nobody leaves the risk set, endless is infinite."""

from __future__ import annotations

import math

import pandas as pd
import pytest
from statsmodels.stats.proportion import proportion_confint

from analyses.lengths import ANALYSIS
from tests.analyses.frames import CELL, TEN, games

LABELS = {**CELL, "cap": 2000}


@pytest.fixture(scope="module")
def found() -> dict[str, pd.DataFrame]:
    """Return the tidy frames of the ten games."""
    return ANALYSIS.finish(ANALYSIS.reduce(TEN).labelled(**LABELS))


def test_means_and_quantiles(found: dict[str, pd.DataFrame]) -> None:
    row = found["lengths"].iloc[0]
    # lengths: 9 12 12 30 31 40, three times infinity, and one of which is known only that it
    # is above 2000
    assert row["ended"] == 0.6
    assert row["endless"] == pytest.approx(0.3)
    assert row["median"] == 31
    assert row["p90"] == math.inf
    assert row["turns_ended"] == pytest.approx((9 + 12 + 12 + 30 + 31 + 40) / 6)
    assert row["n_ended"] == 6
    assert row["turns_restricted"] == pytest.approx((134 + 4 * 2000) / 10)
    assert (row["cap"], row["n"]) == (2000, 10)


def test_curves_are_shares_of_all_games(found: dict[str, pd.DataFrame]) -> None:
    curves = found["curves"].set_index(["ending", "turn"])
    for ending, turn, hits in (
        ("out", 8, 0), ("out", 9, 1), ("out", 12, 3), ("out", 29, 3), ("out", 30, 4),
        ("out", 31, 5), ("out", 2000, 5), ("deadlock", 39, 0), ("deadlock", 40, 1),
        ("endless", 2000, 3), ("truncated", 2000, 1),
    ):  # fmt: skip
        row = curves.loc[(ending, turn)]
        assert row["estimate"] == pytest.approx(hits / 10), (ending, turn)
        wanted = proportion_confint(hits, 10, method="wilson")
        assert (row["low"], row["high"]) == pytest.approx(wanted)
    last = curves.xs(2000, level="turn")["estimate"]
    assert last.sum() == pytest.approx(1.0)


def test_streaks_are_counted_in_deals_that_ended_out(found: dict[str, pd.DataFrame]) -> None:
    streaks = found["streaks"].set_index("metric")
    assert streaks.loc["longest_draw", "mean"] == pytest.approx((0 + 4 + 9 + 2 + 2) / 5)
    assert streaks.loc["longest_draw", "most"] == 9
    assert streaks.loc["longest_run", "mean"] == pytest.approx((5 + 3 + 3 + 3 + 8) / 5)
    assert streaks["n"].tolist() == [5, 5]


def test_the_last_reset(found: dict[str, pd.DataFrame]) -> None:
    resets = found["resets"].set_index("ending")
    assert resets.loc["out", "no_reset"] == pytest.approx(1 / 5)
    assert resets.loc["out", "median"] == 7  # 4 7 11 20
    assert resets.loc["orphans", "no_reset"] == 0
    assert resets.loc["orphans", "median"] == 13  # 13 20
    # turns after the turn of the last reset: 15 - 14 and 22 - 21
    assert resets.loc["orphans", "turns_after"] == 1
    assert resets.loc["orphans", "at_once"] == 1.0
    # 9 - 5, 12 - 8, 12 - 12, 30 - 21
    assert resets.loc["out", "turns_after"] == 4
    assert resets.loc["out", "at_once"] == pytest.approx(1 / 4)
    assert resets["n"].tolist() == [5, 2]


def test_merged_chunks_give_the_same_frames(found: dict[str, pd.DataFrame]) -> None:
    merged = ANALYSIS.reduce(TEN.iloc[:4]) + ANALYSIS.reduce(TEN.iloc[4:])
    again = ANALYSIS.finish(merged.labelled(**LABELS))
    for name, frame in found.items():
        pd.testing.assert_frame_equal(frame, again[name])


def test_a_cell_in_which_nothing_ended() -> None:
    frame = games({"ending": "endless", "proof": "cycle", "turns": 5})
    found = ANALYSIS.finish(ANALYSIS.reduce(pd.concat([frame, frame])).labelled(**LABELS))
    assert found["lengths"]["median"].tolist() == [math.inf]
    assert found["lengths"]["turns_ended"].isna().all()
    assert found["streaks"]["n"].tolist() == [0, 0]
    assert found["resets"]["n"].tolist() == [0, 0]
