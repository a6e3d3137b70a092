"""Rates of endings, by hand and against statsmodels."""

from __future__ import annotations

import pytest
from statsmodels.stats.proportion import proportion_confint

from analyses.endings import ANALYSIS, caps_hit
from analyses.tables import records
from tests.analyses.frames import CELL, TEN

COUNTS = {
    "rate_out": 5,
    "rate_deadlock": 1,
    "rate_endless": 3,
    "rate_orphans": 2,
    "rate_cycle": 1,
    "rate_truncated": 1,
}


def test_rates_are_shares_of_all_games() -> None:
    found = ANALYSIS.finish(ANALYSIS.reduce(TEN).labelled(**CELL))["rates"]
    assert dict(zip(found["metric"], found["count"], strict=True)) == COUNTS
    for row in records(found):
        low, high = proportion_confint(row["count"], 10, method="wilson")
        assert row["estimate"] == row["count"] / 10
        assert (row["low"], row["high"]) == pytest.approx((low, high))
        assert row["half_width"] == pytest.approx((high - low) / 2)
        assert row["n"] == 10


def test_merged_chunks_give_the_same_rates() -> None:
    parts = [ANALYSIS.reduce(TEN.iloc[a:b]) for a, b in ((0, 1), (1, 7), (7, 10))]
    merged = (parts[2] + parts[0]) + parts[1]
    whole = ANALYSIS.finish(ANALYSIS.reduce(TEN).labelled(**CELL))["rates"]
    assert ANALYSIS.finish(merged.labelled(**CELL))["rates"].equals(whole)


def test_deals_cut_off_are_named() -> None:
    found = ANALYSIS.finish(ANALYSIS.reduce(TEN).labelled(**CELL))["rates"]
    assert "2 × `random`" in caps_hit(found)[0]
    assert caps_hit(found[found["metric"] != "rate_truncated"]) == []
