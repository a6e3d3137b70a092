"""No interval reaches where its figure cannot be, and stopping is none the easier for it."""

from __future__ import annotations

import pytest

import simlib
from simlib import games
from simlib.setup import prepare


@pytest.mark.parametrize("name", ["king-george-iii", "royal-corners", "king"])
@pytest.mark.parametrize("count", [1, 2, 3, 12])
def test_few_games(name: str, count: int) -> None:
    for unit in games.get(name).units:
        frame = simlib.simulate(name, games=count, unit=unit, seed=1).metrics
        counts = frame[~frame["name"].isin(["score", "total"])]
        known = counts[counts["low"].notna()]
        assert (known["low"] >= 0).all()
        shares = known[known["name"].str.startswith(("rate_", "win_share"))]
        assert (shares["high"] <= 1).all()
        assert ((shares["high"] - shares["low"]) > 0).all()


def test_scores_may_be_negative() -> None:
    frame = simlib.simulate("king", variety="simple", games=20, seed=1).metrics
    assert (frame[frame["name"] == "score"]["low"] < 0).any()


def test_every_metric_keeps_its_values_in_its_range() -> None:
    for name in ("king-george-iii", "royal-corners", "king"):
        for unit in games.get(name).units:
            frame = simlib.simulate(name, games=200, unit=unit).figures
            for figure in frame:
                least, most = figure.metric.range
                value = figure.sums.estimate().estimate
                if value is not None:
                    assert least is None or value >= least, figure.metric.name
                    assert most is None or value <= most, figure.metric.name


def test_stopping_takes_the_uncut_interval() -> None:
    run = simlib.simulate("royal-corners", games=3, rules={"king_pile": True})
    figure = run.figure("win_share", seat=1)
    plain, cut = figure.sums.estimate(), figure.estimate()
    assert plain.high is not None and plain.high > 1 and cut.high == 1
    assert not figure.sums.is_settled(0.51)


def test_comparisons_sweeps_rotations_and_tournaments() -> None:
    game = "king-george-iii"
    table = {"game": game, "players": 2}
    other = {**table, "policies": "one-card"}
    compared = simlib.compare(table, other, games=2).frame
    shares = compared[compared["name"] == "win_share"]
    assert shares[["a_low", "b_low"]].min().min() >= 0 and shares["low"].min() >= -1
    assert shares[["a_high", "b_high"]].max().max() <= 1 and shares["high"].max() <= 1
    swept = simlib.sweep(game, {"players": [2, 3]}, games=2).frame
    assert swept["low"].min() >= 0
    setup = prepare(game, policies=["random", "one-card"])
    rotated = simlib.play_rotations(setup, games=2).frame
    assert rotated["low"].min() >= 0
    found = simlib.tournament(game, ["random", "one-card"], deals=4, players=2).standings
    assert found["low"].min() >= 0 and found["high"].max() <= 1
    assert (found["high"] - found["low"] > 0).all()
