"""Win shares, the test of equal seats, and what is counted beside them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.weightstats import DescrStatsW

from analyses.seats import ANALYSIS
from tests.analyses.frames import CELL, TEN, games

THREE = pd.concat([TEN] * 40, ignore_index=True)


@pytest.fixture(scope="module")
def found() -> dict[str, pd.DataFrame]:
    """Return the tidy frames of two cells."""
    other = pd.concat([games({"win_share_0": 1.0}, {"win_share_1": 1.0})] * 50)
    table = ANALYSIS.reduce(THREE).labelled(**CELL)
    return ANALYSIS.finish(table + ANALYSIS.reduce(other).labelled(players=2, policy="eager"))


def test_win_shares_are_means_over_all_games(found: dict[str, pd.DataFrame]) -> None:
    shares = found["shares"]
    assert shares["policy"].tolist() == ["random", "random", "eager", "eager"]
    assert shares["estimate"].tolist() == pytest.approx([0.35, 0.25, 0.5, 0.5])
    for seat in (0, 1):
        wanted = DescrStatsW(THREE[f"win_share_{seat}"])
        row = shares.iloc[seat]
        assert (row["low"], row["high"]) == pytest.approx(wanted.tconfint_mean())
        assert row["se"] == pytest.approx(wanted.std_mean)
        assert row["n"] == 400


def test_the_test_asks_whether_seats_equal_each_other(found: dict[str, pd.DataFrame]) -> None:
    tests = found["tests"]
    gap = (THREE["win_share_0"] - THREE["win_share_1"]).to_numpy()
    wald = 400 * gap.mean() ** 2 / gap.var(ddof=1)
    row = tests.iloc[0]
    assert row["chi_square"] == pytest.approx(wald)
    assert row["p"] == pytest.approx(scipy_stats.chi2.sf(wald, 1))
    assert (row["best_seat"], row["worst_seat"], row["df"]) == (0, 1, 1)
    assert row["spread"] == pytest.approx(0.1)
    assert tests["p"].iloc[1] == 1.0
    wanted = multipletests(tests["p"], method="holm")[1]
    np.testing.assert_allclose(tests["p_holm"], wanted)


def test_playoffs_and_games_without_a_winner(found: dict[str, pd.DataFrame]) -> None:
    rates = found["rates"].set_index(["policy", "metric"])["estimate"]
    assert rates["random", "rate_playoff"] == pytest.approx(0.1)
    assert rates["random", "rate_no_winner"] == pytest.approx(0.4)
    assert rates["random", "rate_shared"] == pytest.approx(0.1)
    assert rates["random", "rate_censored"] == pytest.approx(0.1)
    assert rates["eager", "rate_playoff"] == 0.0


def test_merged_chunks_are_the_whole() -> None:
    whole = ANALYSIS.reduce(TEN)
    assert ANALYSIS.reduce(TEN.iloc[:3]) + ANALYSIS.reduce(TEN.iloc[3:]) == whole + ANALYSIS.reduce(
        TEN.iloc[:0]
    )
