"""Positions in King: differences within the deal, and only those that the test shows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from analyses import king_contracts, king_positions
from analyses.tables import Table
from simlib.games.king.contracts import LABELS
from simlib.setup import prepare
from simlib.stats import mean_from_histogram

FIRST, SECOND = 0, 6


def table(codes: np.ndarray, scores: np.ndarray) -> Table:
    parts = Table(king_positions.parts(codes, scores))
    return parts.labelled(variety="simple", policy="random")


def dealt(n: int, bias: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return n deals of two contracts; in the second the leader is worse by `bias` fifths."""
    rng = np.random.default_rng(seed)
    codes = np.tile([FIRST, SECOND], n // 2)
    scores = rng.integers(-20, 1, (n, 4))
    scores[:, 0] -= bias * ((codes == SECOND) & (rng.random(n) < 0.2))
    return codes, scores


def test_the_leader_is_compared_with_the_others_of_the_same_deal() -> None:
    codes, scores = dealt(400, 3)
    found = king_positions.tests(table(codes, scores)).set_index("contract")
    for code in (FIRST, SECOND):
        mine = scores[codes == code]
        gaps = 3 * mine[:, 0] - mine[:, 1:].sum(axis=1)
        values, times = np.unique(gaps, return_counts=True)
        wanted = mean_from_histogram(values.tolist(), times.tolist())
        row = found.loc[LABELS[code]]
        assert row["n"] == len(mine)
        assert row["df"] == 3
        assert wanted.estimate is not None and wanted.low is not None
        assert row["estimate"] == pytest.approx(wanted.estimate / 3)
        assert row["low"] == pytest.approx(wanted.low / 3)
    gap = king_positions.gaps(table(codes, scores))
    own = scores[codes == FIRST]
    assert gap["gap"].iloc[1] == pytest.approx(own[:, 1].mean() - own.mean())


def test_only_a_contract_whose_test_holds_is_clear() -> None:
    found = table(*dealt(60_000, 5))
    tests, gaps = king_positions.tests(found), king_positions.gaps(found)
    assert (tests["p_holm"] < king_positions.LEVEL).tolist() == [False, True]
    clear = gaps[king_positions.clear(gaps, tests)]
    assert set(clear["contract"]) == {LABELS[SECOND]}
    assert clear["position"].tolist()[0] == 0


def test_equal_positions_are_rarely_called_unequal() -> None:
    called = 0
    for seed in range(100):
        tests = king_positions.tests(table(*dealt(200, 0, seed)))
        called += int((tests["p_holm"] < king_positions.LEVEL).any())
    assert called <= 13  # 5 in 100; 14 or more has a chance below 1 in 1000


def test_the_answer_names_no_contract_where_nothing_was_shown() -> None:
    result = king_contracts.run(games=140, varieties=["simple"], policies=["random"], threads=1)
    frame = result.tables[1].frame
    assert not (frame["p_holm"] < king_positions.LEVEL).any()
    assert "no contract of `simple` shows that the position matters" in result.answer
    assert not result.tables[0].frame["clear"].any()
    assert result.figures[0].title.endswith("n = 10 deals a contract")


def test_the_answer_begins_with_the_king_of_hearts() -> None:
    result = king_contracts.run(games=1400, varieties=["simple"], threads=1)
    scores = result.tables[0].frame
    row = scores[(scores["policy"] == "sensible") & (scores["contract"] == "no-king")].iloc[0]
    worth = f"{row['estimate']:.2f}".replace("-", "\u2212")
    start = f"Among `sensible` players the king of hearts is worth {worth} points (95"
    assert result.answer.startswith(start)
    assert result.answer.split(". ")[0].endswith("in `king`, where it is +4.00")


def test_a_table_plays_so_many_deals_of_each_contract() -> None:
    wanted = {
        ("simple", "random"): 14 * king_contracts.DEALS_OF_SIMPLE["random"],
        ("simple", "sensible"): 14 * king_contracts.DEALS_OF_SIMPLE_ELSE,
        ("threesome", "random"): 14 * king_contracts.DEALS_A_CONTRACT,
        ("trade", "random"): king_contracts.DEALS_IN_ALL,
        ("omnibus", "random"): king_contracts.DEALS_IN_ALL,
    }
    for (variety, policy), deals in wanted.items():
        setup = prepare("king", variety=variety, policies=policy)
        assert king_contracts.deals(setup) == deals


def test_a_grid_without_a_clear_position_draws() -> None:
    rows = [("random", "no-all", place, -24.0, 0.0, False) for place in range(4)]
    names = ["policy", "contract", "position", "estimate", "gap", "clear"]
    assert king_contracts.draw_heat(pd.DataFrame(rows, columns=names)) is not None
