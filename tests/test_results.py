"""Results go to other processes, and nobody changes one by working on its frames."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numba
import pandas as pd
import pytest

import simlib
from simlib import games
from simlib.policy import Policy, policy
from simlib.setup import prepare

GAME = "king-george-iii"


def again(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


@policy(GAME, params={"at": 2.0})
def mine(view, rng):  # type: ignore[no-untyped-def]
    return simlib.lowest(view.options) if view.players > view.params[0] else helped(view.options)


@numba.njit
def helped(mask):  # type: ignore[no-untyped-def]
    return simlib.highest(mask)


nothing = object()


def uncaught(view, rng):  # type: ignore[no-untyped-def]
    return 5 if nothing else 6


class TestPickle:
    @pytest.mark.parametrize("name", games.names())
    def test_a_game_is_the_registry_s(self, name: str) -> None:
        assert again(games.get(name)) is games.get(name)

    def test_a_run_with_its_rows(self) -> None:
        run = simlib.simulate(GAME, games=50, keep="games", policies="eager")
        back = again(run)
        pd.testing.assert_frame_equal(back.metrics, run.metrics)
        pd.testing.assert_frame_equal(back.games, run.games)
        assert back.as_dict() == run.as_dict()
        assert again(simlib.simulate("king", games=20, unit="match")).as_dict()["games"] == 20

    def test_a_stored_run_by_its_folder(self, tmp_path: Path) -> None:
        simlib.simulate(GAME, games=50, out=tmp_path / "run", policies=mine)
        back = again(simlib.load(tmp_path / "run"))
        pd.testing.assert_frame_equal(back.games, simlib.load(tmp_path / "run").games)

    def test_other_results(self) -> None:
        table = {"game": GAME, "players": 2}
        compared = simlib.compare(table, {**table, "policies": "eager"}, games=20)
        pd.testing.assert_frame_equal(again(compared).frame, compared.frame)
        swept = simlib.sweep(GAME, {"players": [2, 3]}, games=20)
        pd.testing.assert_frame_equal(again(swept).frame, swept.frame)
        found = simlib.tournament(GAME, ["random", "eager"], deals=20, players=2, resamples=10)
        pd.testing.assert_frame_equal(again(found).standings, found.standings)
        rotated = simlib.play_rotations(prepare(GAME, policies=["random", "eager"]), games=20)
        pd.testing.assert_frame_equal(again(rotated).frame, rotated.frame)

    def test_an_analysis_still_draws(self) -> None:
        from analyses import endings

        found = endings.run(games=20, players=[2], policies=["random"])
        back = again(found)
        assert back.answer == found.answer and back.figures[0].draw() is not None

    def test_a_policy_of_ours_by_name(self) -> None:
        own = games.get("king-george-iii").policies["eager"]
        back = again(own)
        assert back == own and back.function is own.function

    def test_a_policy_of_a_user_by_its_source(self) -> None:
        asked = mine.with_params({"at": 3})
        back = again(asked)
        assert (back.spec, back.uses_chance) == (asked.spec, asked.uses_chance)
        rows = [simlib.simulate(GAME, games=30, policies=p).metrics for p in (asked, back)]
        pd.testing.assert_frame_equal(*rows)

    def test_what_has_no_source_is_said(self) -> None:
        with pytest.raises(simlib.BadInput, match=r"'uncaught' cannot be pickled.*lacks nothing"):
            pickle.dumps(policy(GAME)(uncaught))

    def test_a_copy_of_a_setup_plays_the_same(self) -> None:
        setup = prepare(GAME, policies=mine)
        back = copy.deepcopy(setup)
        assert back.game is setup.game and isinstance(back.policies[0], Policy)
        assert back.describe() == setup.describe()


def spoil(frame: pd.DataFrame) -> None:
    number = next(name for name in frame if frame[name].dtype == "float64")
    frame[number] = 9.0
    frame.loc[0, frame.columns[0]] = frame.iloc[-1, 0]
    frame["more"] = 1


class TestFrames:
    @pytest.mark.parametrize("name", ["metrics", "games"])
    def test_of_a_run(self, name: str) -> None:
        run = simlib.simulate(GAME, games=50, keep="games")
        shown, before = run._repr_html_(), getattr(run, name).copy()
        spoil(getattr(run, name))
        pd.testing.assert_frame_equal(getattr(run, name), before)
        assert run._repr_html_() == shown

    def test_of_other_results(self) -> None:
        table = {"game": GAME, "players": 2}
        rotation = simlib.play_rotations(prepare(GAME, policies=["random", "eager"]), games=20)
        tournament = simlib.tournament(GAME, ["random", "eager"], deals=20, players=2)
        for found, name in (
            (simlib.compare(table, {**table, "policies": "eager"}, games=20), "frame"),
            (simlib.sweep(GAME, {"players": [2, 3]}, games=20), "frame"),
            (rotation, "frame"),
            (rotation, "differences"),
            (tournament, "standings"),
            (tournament, "pairs"),
        ):
            shown, before = found._repr_html_(), getattr(found, name).copy()
            spoil(getattr(found, name))
            pd.testing.assert_frame_equal(getattr(found, name), before)
            assert found._repr_html_() == shown

    def test_big_frames_are_not_copied_in_memory(self) -> None:
        import numpy as np

        run = simlib.simulate(GAME, games=50, keep="games")
        first, second = run.games["turns"].to_numpy(), run.games["turns"].to_numpy()
        assert np.shares_memory(first, second)


def test_what_is_not_known_stays_empty_in_jupyter() -> None:
    run = simlib.simulate("king", games=1)
    shown = run._repr_html_()
    assert "<td></td>" in shown
    assert not any(word in shown for word in ("NA", "nan", "NaN", "None"))
