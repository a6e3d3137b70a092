"""A run that stops by its precision still covers the truth as often as it says.

Every figure is one of small games whose truth is known exactly, played by the kernel and stopped
by the rule of `simulate`, over and over with other seeds.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom, skew

from simlib.setup import prepare
from simlib.simulate import run_setup
from simlib.stats import MeanSums, StratifiedSums, looks
from simlib.stats.stopping import SKEW
from tests.experiments import known_truths as truth

GAME = "king-george-iii"
FULL = 2000
#: Runs of each figure in the ordinary suite.
FEW = 40
#: One card each, nobody runs on: the second is out too, or not; ties are played off.
ONE_CARD = {"policies": "one-card", "rules": {"hand_size": 1, "max_playoffs": 3}}
#: Five cards each, two turns: mostly nobody wins.
TWO_TURNS = {
    "policies": "longest-run",
    "rules": {
        "hand_size": 5, "lead": "run", "draw": "one", "after_out": "none", "max_turns": 2,
    },
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    metric: str
    seat: int | None
    setting: dict[str, Any]
    half_width: float
    truth: Fraction


CASES = {
    "a rate": Case("rate_playoff", None, ONE_CARD, 0.0056, truth.BOTH_OUT),
    "a rate near 0.005": Case("rate_censored", None, ONE_CARD, 0.00095, truth.FOUR_TIES),
    "a win share": Case("win_share", 0, ONE_CARD, 0.005, truth.share_of_the_first()),
    "a skew count": Case("draws", None, ONE_CARD, 0.045, truth.draws_of_the_second()),
    "a rare payoff": Case("win_share", 0, TWO_TURNS, 0.001, truth.out_at_once(5)),
}


def covered(case: Case, seeds: range) -> tuple[int, list[int]]:
    """Return how many runs covered the truth, and at which look each stopped."""
    hits, stops = 0, []
    number = {games: place for place, games in enumerate(looks(10**7), 1)}
    for seed in seeds:
        setup = prepare(GAME, players=2, seed=seed, **case.setting)
        run = run_setup(setup, games=10**7, precision={case.metric: case.half_width}, threads=1)
        found = run.figure(case.metric, case.seat).sums.estimate()
        assert run.met and found.half_width is not None
        assert found.half_width <= case.half_width
        assert found.low is not None and found.high is not None
        hits += found.low <= float(case.truth) <= found.high
        stops.append(number[len(run)])
    return hits, stops


def check(hits: int, runs: int) -> None:
    """Refuse a number of hits that 93 to 97 % could hardly give; at full size, exactly these."""
    if runs >= FULL:
        assert 0.93 <= hits / runs <= 0.97
    assert binom.cdf(hits, runs, 0.93) > 1e-4
    assert binom.sf(hits - 1, runs, 0.97) > 1e-4


@pytest.mark.parametrize("name", list(CASES))
def test_some_runs_cover(name: str) -> None:
    hits, stops = covered(CASES[name], range(FEW))
    check(hits, FEW)
    assert statistics.median(stops) >= 3


@pytest.mark.slow
@pytest.mark.parametrize("name", list(CASES))
def test_93_to_97_percent_of_runs_cover(name: str, scaled: Callable[[int], int]) -> None:
    runs = scaled(FULL)
    hits, stops = covered(CASES[name], range(1000, 1000 + runs))
    check(hits, runs)
    assert statistics.median(stops) >= 3


#: Payoffs on top of values that vary anyway: (values, chances). None of it is off the mode
#: only once in a while, so that the count of such values says nothing.
MIXED = {
    "one in a thousand beside a coin": ([0, 1, 200], [0.5, 0.499, 0.001]),
    "two in a thousand beside small change": ([0, 1, 100], [0.948, 0.05, 0.002]),
}


@pytest.mark.parametrize("name", list(MIXED))
def test_a_rare_payoff_beside_others_is_waited_for(name: str) -> None:
    """Without the guard on skewness 90 to 94 % of these intervals cover."""
    values, chances = MIXED[name]
    rng = np.random.default_rng(11)
    mean = float(np.dot(values, chances))
    spread = float(np.dot(np.square(values), chances)) - mean**2
    runs, hits = 1000, 0
    for _ in range(runs):
        counts: NDArray[np.int64] = np.zeros(len(values), np.int64)
        last = 0
        for look in looks(10**7):
            counts = counts + rng.multinomial(look - last, chances)
            last = look
            sums = MeanSums.from_histogram(values, counts)
            if sums.is_settled(1.96 * (spread / 24_000) ** 0.5):
                break
        found = sums.estimate()
        assert found.low is not None and found.high is not None
        hits += found.low <= mean <= found.high
    check(hits, runs)


class TestSkewness:
    def test_a_skew_mean_waits_for_more_values(self) -> None:
        # 10 000 values of skewness 11 are fewer than 100 · 11²; of skewness 9 they are enough
        sums = {skew: MeanSums(10_000, 5_000, 5_000, 5_000, 1, skew) for skew in (9.0, -9.0, 11.0)}
        assert sums[9.0].is_settled(1.0) and sums[-9.0].is_settled(1.0)
        assert not sums[11.0].is_settled(1.0)
        assert MeanSums(10_000, 5_000, 5_000, 5_000).is_settled(1.0)  # not known: not asked

    def test_a_rare_payoff_alone_is_bound_by_its_count(self) -> None:
        sums = MeanSums.from_histogram([0, 100], [19_800, 200])
        assert sums.skewness is not None and sums.n >= SKEW * sums.skewness**2
        assert sums.is_settled(100.0)

    def test_of_strata_the_skewness_of_the_mean_counts(self) -> None:
        plain = MeanSums.from_histogram([0, 1], [5_000, 5_000])
        rare = MeanSums.from_histogram([0, 1, 200], [5_000, 4_990, 10])
        assert StratifiedSums((plain, plain)).is_settled(1.0)
        assert not StratifiedSums((plain, rare)).is_settled(10.0)
        assert StratifiedSums((plain, rare), (0.9999, 0.0001)).is_settled(10.0)

    def test_runs_know_it(self) -> None:
        setup = prepare(GAME, players=2, seed=3)
        run = run_setup(setup, games=3000, keep="games")
        ended = run.games["ending"] == "out"
        draws = run.games.loc[ended, "longest_draw"].astype(float)
        sums = run.figure("longest_draw").sums
        assert isinstance(sums, MeanSums) and sums.skewness is not None
        assert sums.skewness == pytest.approx(float(skew(draws)), rel=1e-6)
