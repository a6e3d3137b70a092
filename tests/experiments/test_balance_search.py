"""The search for rule sets: candidates, racing on common deals, confirmation on fresh ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from analyses.balance import MEASURES
from simlib.balance_race import read_target
from simlib.balance_search import search
from simlib.errors import BadInput
from simlib.setup import prepare
from simlib.simulate import run_setup

GAME = "king-george-iii"
FEW: dict[str, list[Any]] = {
    "ace_resets": [0, 1, 2, 3],
    "recycle": ["turn", "shuffle", "none"],
    "wrap": [False, True],
}


class TestTargets:
    def test_texts(self) -> None:
        target = read_target(" rate_endless<0.01")
        assert (target.name, target.below, target.limit) == ("rate_endless", True, 0.01)
        assert str(read_target("turns_ended>=1e1")) == "turns_ended>10"
        for bad in ("rate", "rate<", "rate=1", "rate<x", "<1", "rate<1%"):
            with pytest.raises(BadInput, match="target"):
                read_target(bad)

    @pytest.mark.parametrize(
        ("targets", "words"),
        [
            ([], "at least one"),
            (["nothing<1"], "there are rate_endless"),
            (["rate_out>0.5", "rate_out>0.50"], "each once"),
        ],
    )
    def test_bad_targets(self, targets: list[str], words: str) -> None:
        with pytest.raises(BadInput, match=words):
            search(GAME, targets, games=1000)

    def test_bad_options(self) -> None:
        for vary in ({"leed": ["one"]}, {"lead": ["up"]}):
            with pytest.raises(BadInput):
                search(GAME, ["rate_out>0.5"], games=1000, vary=vary)
        with pytest.raises(BadInput, match="games"):
            search(GAME, ["rate_out>0.5"], games=10)


class TestSearch:
    def test_two_player_king_george_without_endless_games(self) -> None:
        """A rule set with under 1 % of endless games, confirmed on fresh deals."""
        found = search(GAME, ["rate_endless<0.01"], players=2, games=4000, vary=FEW)
        assert found.met and found.met[0].candidate.changes == {"recycle": "none"}
        assert {"ace_resets": 0} in [one.candidate.changes for one in found.met]
        base = found.found[0]
        assert base.candidate.changes == {} and not base.meets
        for one in found.met:
            fresh = one.confirmed["rate_endless<0.01", "random"]
            assert fresh.high is not None and fresh.high < 0.01
        # minimal: no rule set of the list only adds to another that suffices
        sets = [one.candidate.changes.items() for one in found.met]
        assert not any(a < b for a in sets for b in sets)

    def test_the_confirmation_is_a_run_of_its_own(self) -> None:
        found = search(
            GAME, ["rate_endless<0.01"], players=2, games=1000, confirm_games=3000, seed=4,
            vary={"ace_resets": [0, 3]},
        )  # fmt: skip
        assert found.confirm_seed == 5
        run = run_setup(prepare(GAME, players=2, seed=5), games=3000)
        mine = found.found[0].confirmed["rate_endless<0.01", "random"]
        assert mine == run.figure("rate_endless").sums.estimate(found.level)

    def test_nearest_first(self) -> None:
        found = search(
            GAME, ["rate_endless<0.25"], players=2, games=2000,
            vary={"hand_size": range(1, 14), "ace_resets": [1, 3]},
        )  # fmt: skip
        distances = [one.candidate.distance for one in found.met]
        assert distances == sorted(distances) and len(distances) > 1
        sizes = [one.candidate.changes.get("hand_size") for one in found.met]
        assert 13 not in sizes  # it is what two players are dealt anyway

    def test_rules_that_meet_the_targets_need_no_change(self) -> None:
        found = search(GAME, ["rate_endless<0.5"], players=4, games=1000, vary=FEW)
        assert [one.candidate.changes for one in found.met] == [{}]

    def test_targets_hold_under_every_population(self) -> None:
        found = search(
            GAME, ["rate_endless<0.2"], players=2, games=2000, policies=["eager", "random"],
            vary={"ace_resets": [1, 0, 3]},
        )  # fmt: skip
        assert found.populations == ("eager", "random")
        base = found.found[0].confirmed
        assert base["rate_endless<0.2", "eager"].high < 0.2  # type: ignore[operator]
        assert not found.found[0].meets
        assert [one.candidate.changes for one in found.met] == [{"ace_resets": 0}]

    def test_measures_are_targets_too(self) -> None:
        found = search(
            GAME, ["seat_spread<0.05", "completed>0.95", "branching_factor>2"], players=2,
            games=4000, vary={"ace_resets": [0, 3]}, measures=MEASURES,
        )  # fmt: skip
        assert found.met[0].candidate.changes == {"ace_resets": 0}

    def test_threads_change_nothing(self) -> None:
        one, two = (
            search(GAME, ["rate_out>0.9"], players=2, games=2000, vary=FEW, threads=n).as_dict()
            for n in (1, 2)
        )
        one.pop("elapsed_s"), two.pop("elapsed_s")
        assert one == two

    def test_it_shows_itself(self) -> None:
        found = search(GAME, ["rate_out>0.9"], players=2, games=1000, vary={"ace_resets": [0]})
        assert len(found.frame) == 2 and "<table" in found._repr_html_()
        assert "1 of 2 rule sets meet" in repr(found)
        json.dumps(found.as_dict(), allow_nan=False)


@pytest.mark.slow
def test_all_options(scaled: Callable[[int], int]) -> None:
    games = max(1000, scaled(64_000))
    targets = ["rate_endless<0.01", "rate_deadlock<0.05", "rate_truncated<0.01"]
    found = search(GAME, targets, players=2, games=games)
    assert found.considered > 600
    assert found.met[0].candidate.changes == {"ace_resets": 0}
