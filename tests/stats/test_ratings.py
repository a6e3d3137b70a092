"""Bradley-Terry with ties and Plackett-Luce: closed forms, and likelihoods maximised anew."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import minimize

from simlib import stats
from simlib.stats import Estimate, Ranking, Ratings
from tests.stats.helpers import covers, number

UNKNOWN = (None, None, None, None)


def points(found: Ratings) -> list[float]:
    return [number(rating.estimate) for rating in found.ratings]


def davidson_loss(
    figures: NDArray[np.float64], wins: NDArray[np.float64], ties: NDArray[np.float64]
) -> float:
    """Minus the log likelihood, written out pair by pair."""
    logs, nu = figures[:-1], figures[-1]
    loss = 0.0
    for i, j in itertools.combinations(range(len(logs)), 2):
        utilities = np.array([logs[i], logs[j], nu + (logs[i] + logs[j]) / 2])
        below = np.logaddexp.reduce(utilities)
        loss -= wins[i, j] * utilities[0] + wins[j, i] * utilities[1] + ties[i, j] * utilities[2]
        loss += below * (wins[i, j] + wins[j, i] + ties[i, j])
    return float(loss)


def luce_loss(logs: NDArray[np.float64], rankings: list[Ranking]) -> float:
    loss = 0.0
    for order, rest, weight in rankings:
        for place, winner in enumerate(order):
            present = [*order[place:], *rest]
            loss -= weight * (logs[winner] - np.logaddexp.reduce(logs[present]))
    return float(loss)


def sample_ranking(rng: np.random.Generator, strengths: NDArray[np.float64]) -> tuple[int, ...]:
    """Exponential arrival times give a Plackett-Luce order."""
    return tuple(np.argsort(rng.exponential(1 / strengths)).tolist())


class TestBradleyTerry:
    def test_two_policies_in_closed_form(self) -> None:
        found = stats.bradley_terry([[[0, 30], [10, 0]]])
        assert points(found) == pytest.approx([math.log(3) / 2, -math.log(3) / 2])
        assert found.tie is None

    def test_two_policies_with_ties_in_closed_form(self) -> None:
        found = stats.bradley_terry([[[0, 30], [10, 0]]], [[[0, 20], [20, 0]]])
        assert points(found)[0] - points(found)[1] == pytest.approx(math.log(3))
        assert found.tie is not None
        assert found.tie.estimate == pytest.approx(20 / math.sqrt(300))

    def test_equals_the_likelihood_maximised_anew(self) -> None:
        wins = np.array([[0, 8, 3, 9], [4, 0, 6, 2], [5, 7, 0, 1], [1, 3, 2, 0]], dtype=float)
        ties = np.array([[0, 2, 3, 0], [2, 0, 1, 4], [3, 1, 0, 2], [0, 4, 2, 0]], dtype=float)
        found = stats.bradley_terry([wins], [ties])
        best = minimize(davidson_loss, np.zeros(5), args=(wins, ties), tol=1e-10).x
        assert points(found) == pytest.approx((best[:-1] - best[:-1].mean()).tolist(), abs=1e-4)
        assert found.tie is not None
        assert found.tie.estimate == pytest.approx(math.exp(best[-1]), abs=1e-4)

    def test_expected_points_equal_those_won(self) -> None:
        wins = np.array([[0, 8, 3], [4, 0, 6], [5, 7, 0]], dtype=float)
        pi = np.exp(points(stats.bradley_terry([wins])))
        expected = [
            sum((wins[i, j] + wins[j, i]) * pi[i] / (pi[i] + pi[j]) for j in range(3) if j != i)
            for i in range(3)
        ]
        assert expected == pytest.approx(wins.sum(axis=1).tolist())

    def test_counts_repeat_patterns(self) -> None:
        a, b = [[0, 2], [0, 0]], [[0, 1], [1, 0]]
        merged = stats.bradley_terry([a, b], counts=[2, 3], resamples=50)
        listed = stats.bradley_terry([a, a, b, b, b], resamples=0)
        assert points(merged) == pytest.approx(points(listed))
        assert merged.ratings[0].n == listed.ratings[0].n == 5

    def test_a_policy_that_never_loses_has_no_rating(self) -> None:
        found = stats.bradley_terry([[[0, 5], [0, 0]]] * 4)
        assert found.ratings[0] == Estimate(*UNKNOWN, 4)
        helped = stats.bradley_terry([[[0, 5], [0, 0]]] * 4, prior=0.5)
        assert points(helped)[0] == pytest.approx(math.log(20.5 / 0.5) / 2)

    def test_policies_that_never_met_have_no_rating(self) -> None:
        wins = np.zeros((1, 4, 4))
        wins[0, 0, 1] = wins[0, 1, 0] = wins[0, 2, 3] = wins[0, 3, 2] = 3
        assert stats.bradley_terry(wins).ratings[0].estimate is None

    def test_ties_alone_do_not_determine_the_rate_of_ties(self) -> None:
        found = stats.bradley_terry(np.zeros((1, 2, 2)), [[[0, 9], [9, 0]]])
        assert found.ratings[0].estimate is None and found.tie is not None
        assert found.tie.estimate is None
        # a beat b, both tied with c: larger ν and larger gaps fit ever better
        chain = stats.bradley_terry(
            [[[0, 4, 0], [0, 0, 0], [0, 0, 0]]], [[[0, 0, 3], [0, 0, 3], [3, 3, 0]]]
        )
        assert chain.ratings[0].estimate is None

    def test_one_deal_has_no_interval(self) -> None:
        found = stats.bradley_terry([[[0, 30], [10, 0]]])
        assert found.ratings[0].se is None and found.ratings[0].n == 1

    def test_resamples_without_a_maximum_leave_no_interval(self) -> None:
        deals = [[[0, 1], [0, 0]]] * 5 + [[[0, 0], [1, 0]]]
        rating = stats.bradley_terry(deals).ratings[0]
        assert rating.estimate is not None and rating.low is None

    def test_the_seed_makes_it_reproducible(self) -> None:
        rng = np.random.default_rng(1)
        wins = rng.integers(0, 3, size=(60, 3, 3)) * (1 - np.eye(3, dtype=int))
        one, same, other = (stats.bradley_terry(wins, seed=s, resamples=80) for s in (1, 1, 2))
        assert one == same != other

    @pytest.mark.parametrize(
        ("wins", "ties"),
        [
            ([[0, 1], [1, 0]], None),
            ([[[0]]], None),
            ([[[1, 1], [1, 0]]], None),
            ([[[0, -1], [1, 0]]], None),
            ([[[0, 1], [1, 0]]], [[[0, 1], [2, 0]]]),
        ],
    )
    def test_bad_tables_are_refused(self, wins: list[object], ties: list[object] | None) -> None:
        with pytest.raises(ValueError):
            stats.bradley_terry(wins, ties)  # type: ignore[arg-type]

    def test_bad_counts_and_priors_are_refused(self) -> None:
        wins = [[[0, 1], [1, 0]]]
        with pytest.raises(ValueError, match="counts"):
            stats.bradley_terry(wins, counts=[1, 2])
        with pytest.raises(ValueError, match="prior"):
            stats.bradley_terry(wins, prior=-1)

    def test_resampled_deals_cover_though_their_games_hang_together(self) -> None:
        rng = np.random.default_rng(2)
        inside, spread = 0, []
        for _ in range(150):
            # Both arrangements of a deal end alike: two games, but one observation.
            first = rng.random(100) < 0.6
            a, b = int(first.sum()), int(100 - first.sum())
            found = stats.bradley_terry(
                [[[0, 2], [0, 0]], [[0, 0], [2, 0]]], counts=[a, b], resamples=200
            ).ratings[0]
            inside += covers(found, math.log(0.6 / 0.4) / 2)
            spread.append(number(found.se))
        assert 132 <= inside <= 149
        assert np.mean(spread) == pytest.approx(0.5 / math.sqrt(100 * 0.24), rel=0.1)


class TestPlackettLuce:
    def test_pairs_are_bradley_terry(self) -> None:
        wins = np.array([[0, 8, 3], [4, 0, 6], [5, 7, 0]], dtype=float)
        pairs = [Ranking((i, j), (), wins[i, j]) for i, j in itertools.permutations(range(3), 2)]
        found = stats.plackett_luce([pairs], 3)
        assert points(found) == pytest.approx(points(stats.bradley_terry([wins])), abs=1e-6)

    def test_winners_alone_in_closed_form(self) -> None:
        shares = [Ranking((i,), tuple({0, 1, 2} - {i}), w) for i, w in enumerate([5, 3, 2])]
        logs = np.log([5, 3, 2])
        found = stats.plackett_luce([shares], 3)
        assert points(found) == pytest.approx((logs - logs.mean()).tolist())
        assert found.tie is None

    def test_equals_the_likelihood_maximised_anew(self) -> None:
        rng = np.random.default_rng(3)
        strengths = np.array([4.0, 2.0, 1.0, 0.5])
        rankings = [Ranking(sample_ranking(rng, strengths)) for _ in range(40)]
        rankings += [Ranking((2, 0), (1, 1), 2.5), Ranking((3,), (0, 3, 2))]
        found = stats.plackett_luce([[ranking] for ranking in rankings], 4, resamples=0)
        best = minimize(luce_loss, np.zeros(4), args=(rankings,), tol=1e-10).x
        assert points(found) == pytest.approx((best - best.mean()).tolist(), abs=1e-4)

    def test_recovers_the_truth(self) -> None:
        rng = np.random.default_rng(4)
        strengths = np.array([5.0, 2.0, 1.0])
        patterns = list(itertools.permutations(range(3)))
        seen = [sample_ranking(rng, strengths) for _ in range(4000)]
        found = stats.plackett_luce(
            [[Ranking(order)] for order in patterns], 3, [seen.count(o) for o in patterns]
        )
        truth = np.log(strengths) - np.log(strengths).mean()
        for rating, value in zip(found.ratings, truth, strict=True):
            assert abs(number(stats.z_score(rating, float(value)))) < 4
            assert covers(rating, float(value))
            assert rating.n == 4000

    def test_a_policy_may_sit_twice(self) -> None:
        # Strength 2 against two seats of strength 1 each: wins half the games.
        rankings = [Ranking((0,), (1, 1), 50), Ranking((1,), (1, 0), 50)]
        found = points(stats.plackett_luce([rankings], 2))
        assert found[0] - found[1] == pytest.approx(math.log(2))

    def test_a_table_of_one_policy_says_nothing(self) -> None:
        rankings = [Ranking((0, 1)), Ranking((1, 0)), Ranking((0, 0), (0,), 99)]
        assert points(stats.plackett_luce([rankings], 2)) == pytest.approx([0.0, 0.0])

    def test_a_policy_that_is_always_last_has_no_rating(self) -> None:
        rankings = [Ranking((0, 1, 2)), Ranking((1, 0, 2))]
        assert stats.plackett_luce([rankings] * 3, 3).ratings[0] == Estimate(*UNKNOWN, 3)
        assert stats.plackett_luce([rankings] * 3, 3, prior=0.1).ratings[2].low is not None

    def test_bad_rankings_are_refused(self) -> None:
        with pytest.raises(ValueError, match="policies are 0 to 1"):
            stats.plackett_luce([[Ranking((0, 2))]], 2)
        with pytest.raises(ValueError, match="weight"):
            stats.plackett_luce([[Ranking((0, 1), (), -1.0)]], 2)
        with pytest.raises(ValueError, match="counts"):
            stats.plackett_luce([], 2)


class TestBreakTies:
    def test_orders_agree_with_the_groups_and_weigh_one(self) -> None:
        found = stats.break_ties([[3, 1], [0], [2, 4, 5]])
        assert len(found) == 12
        assert sum(ranking.weight for ranking in found) == pytest.approx(1.0)
        assert all(set(order[:2]) == {1, 3} and order[2] == 0 for order, _, _ in found)

    def test_no_tie(self) -> None:
        assert stats.break_ties([[1], [0]]) == [Ranking((1, 0))]


def test_elo_points() -> None:
    assert math.log(10) * stats.ELO == pytest.approx(400)
