"""Luck and skill: unbiased by complete enumeration, and on models whose truth is known."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from simlib import stats
from simlib.stats import Components

NAMES = [
    "seat", "policy", "seat_policy",
    "deal", "hand", "deal_policy", "deal_seat_policy", "play", "total",
]  # fmt: skip
RANDOM = ["deal", "hand", "deal_policy", "deal_seat_policy", "play"]


def estimates(found: Components) -> NDArray[np.float64]:
    return np.array([getattr(found, name).estimate for name in NAMES], dtype=np.float64)


def arrange(table: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn scores (deals, seats, policies, replicates) into rotations of equal order."""
    k = table.shape[1]
    seats = np.arange(k)
    rotations = [table[:, seats, (seats - turn) % k] for turn in range(k)]
    return np.array(np.stack(rotations, axis=1))


def whist(rng: np.random.Generator, deals: int, replicates: int) -> NDArray[np.float64]:
    """Four seats whose scores sum to zero in every game, with known components."""
    k = 4
    centre = np.eye(k) - 1 / k

    def zero_sum(*shape: int) -> NDArray[np.float64]:
        """Unit-variance effects that sum to zero over the seats (last axis)."""
        return np.asarray(rng.normal(size=(*shape, k)) @ centre * np.sqrt(k / (k - 1)))

    seat = np.array([1.0, -1.0, 1.0, -1.0])
    skill = np.array([3.0, 1.0, -1.0, -3.0])
    hands, games = 2.0 * zero_sum(deals), 4.0 * zero_sum(deals, k, replicates)
    scores = np.empty((deals, k, k, replicates))
    for turn in range(k):
        sitting = (np.arange(k) - turn) % k
        level = seat + skill[sitting] + hands
        scores[:, turn] = level[:, :, None] + games[:, turn].transpose(0, 2, 1)
    return scores


WHIST = {"seat": 1.0, "policy": 5.0, "hand": 4.0, "play": 16.0, "total": 26.0}


class TestUnbiased:
    def test_by_complete_enumeration(self) -> None:
        """All samples of two deals from two, with all coins of their eight games."""
        means = np.array([[[4.0, 1.0], [0.0, 2.0]], [[-3.0, 5.0], [1.0, -1.0]]])  # deal, s, p
        coins = np.array(list(itertools.product([-1.0, 1.0], repeat=8))).reshape(-1, 2, 2, 2)
        # What one seat gains by chance the other loses; more so in the second rotation.
        noise = coins[:, :, :, None, :] * np.array([1.0, -1.0])[:, None]
        noise = noise * np.array([1.0, 3.0])[:, None, None]
        results = []
        for pair in itertools.product([0, 1], repeat=2):
            base = arrange(means[list(pair)][..., None])
            results += [estimates(stats.variance_components(base + e)) for e in noise]
        found = dict(zip(NAMES, np.mean(results, axis=0), strict=True))

        def squares(table: NDArray[np.float64]) -> list[float]:
            row, column = table.mean(axis=1), table.mean(axis=0)
            g = table.mean()
            both = table - row[:, None] - column + g
            parts = (np.array([g]), row - g, column - g, both)
            return [float((part**2).mean()) for part in parts]

        centre = means.mean(axis=0)
        fixed = squares(centre)
        random = np.mean([squares(table - centre) for table in means], axis=0)
        assert [found[name] for name in NAMES[:3]] == pytest.approx(fixed[1:])
        assert [found[name] for name in RANDOM[:4]] == pytest.approx(random.tolist())
        assert found["play"] == pytest.approx((1 + 9) / 2)
        variance = means.var() + 5
        assert found["total"] == pytest.approx(variance)


class TestKnownModel:
    def test_zero_sum_scores(self) -> None:
        found = stats.variance_components(whist(np.random.default_rng(1), 3000, 3))
        for name in NAMES:
            part, truth = getattr(found, name), WHIST.get(name, 0.0)
            assert part.n == 3000
            assert part.estimate == pytest.approx(truth, abs=max(4.5 * part.se, 1e-9)), name
        shares = found.shares()
        assert shares["hand"] == pytest.approx(4 / 26, abs=0.01)
        assert sum(share or 0.0 for share in shares.values()) == pytest.approx(1.0)

    def test_no_deal_is_worth_more_for_all_where_scores_sum_to_zero(self) -> None:
        found = stats.variance_components(whist(np.random.default_rng(2), 50, 2))
        for name in ("deal", "deal_policy", "policy"):
            part = getattr(found, name)
            if name == "deal":
                assert part.estimate == pytest.approx(0.0, abs=1e-12)
            else:
                assert abs(part.estimate) > 1e-6

    def test_mean_of_many_and_coverage(self) -> None:
        rng = np.random.default_rng(3)
        runs = [stats.variance_components(whist(rng, 40, 2)) for _ in range(400)]
        for name in NAMES:
            parts = [getattr(run, name) for run in runs]
            values = np.array([part.estimate for part in parts])
            truth, error = WHIST.get(name, 0.0), values.std() / np.sqrt(len(values))
            assert values.mean() == pytest.approx(truth, abs=4 * error + 1e-9), name
            if name in ("policy", "hand", "play", "total"):
                assert np.mean([p.low <= truth <= p.high for p in parts]) > 0.88, name


class TestClassical:
    def test_one_policy_is_the_textbook_two_way_table(self) -> None:
        rng = np.random.default_rng(4)
        deals, seats, replicates = 12, 3, 4
        table = rng.normal(size=(deals, seats, 1)) + rng.normal(size=(deals, seats, replicates))
        found = stats.variance_components(table[:, None], [[0] * seats])
        cells, rows, columns = table.mean(axis=2), table.mean(axis=(1, 2)), table.mean(axis=(0, 2))
        inter = cells - rows[:, None] - columns + table.mean()
        ms_inter = replicates * (inter**2).sum() / ((deals - 1) * (seats - 1))
        within = table - cells[..., None]
        contrast = within - within.mean(axis=1, keepdims=True)
        ms_error = (contrast**2).sum() / (deals * (seats - 1) * (replicates - 1))
        expected = (ms_inter - ms_error) / replicates * (seats - 1) / seats
        assert found.hand.estimate == pytest.approx(expected)
        assert found.play.estimate == pytest.approx((within**2).sum() / (deals * seats * 3))
        for name in ("policy", "seat_policy", "deal_policy", "deal_seat_policy"):
            assert getattr(found, name).estimate == pytest.approx(0.0, abs=1e-12)

    def test_the_jackknife_leaves_out_one_deal_at_a_time(self) -> None:
        scores = whist(np.random.default_rng(5), 7, 2)
        found = stats.variance_components(scores)
        left_out = np.array(
            [estimates(stats.variance_components(np.delete(scores, d, axis=0))) for d in range(7)]
        )
        errors = np.sqrt(6 / 7 * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0))
        assert [getattr(found, n).se for n in NAMES] == pytest.approx(errors.tolist(), abs=1e-9)


class TestInput:
    def test_the_arrangement_says_who_sits_where(self) -> None:
        scores = whist(np.random.default_rng(6), 20, 2)
        plan = [[(seat - turn) % 4 for seat in range(4)] for turn in range(4)]
        mixed = [2, 0, 3, 1]
        found = stats.variance_components(scores[:, mixed], [plan[turn] for turn in mixed])
        assert estimates(found) == pytest.approx(estimates(stats.variance_components(scores)))

    def test_a_common_level_does_not_matter(self) -> None:
        scores = whist(np.random.default_rng(7), 20, 2)
        one, other = stats.variance_components(scores), stats.variance_components(scores + 1e6)
        assert estimates(one) == pytest.approx(estimates(other), abs=1e-6)

    def test_equal_scores_have_no_shares(self) -> None:
        found = stats.variance_components(np.full((5, 2, 2, 3), 7.0))
        assert found.total == stats.Estimate(0.0, 0.0, 0.0, 0.0, 5)
        assert set(found.shares().values()) == {None}

    def test_two_deals_have_no_errors(self) -> None:
        found = stats.variance_components(whist(np.random.default_rng(8), 2, 2))
        assert found.total.estimate is not None and found.total.se is None

    @pytest.mark.parametrize("shape", [(1, 2, 2, 2), (3, 2, 2, 1), (3, 2, 2), (3, 3, 2, 2)])
    def test_bad_shapes_are_refused(self, shape: tuple[int, ...]) -> None:
        with pytest.raises(ValueError):
            stats.variance_components(np.zeros(shape))

    def test_bad_arrangements_and_scores_are_refused(self) -> None:
        scores = np.zeros((3, 2, 2, 2))
        for plan in ([[0, 1], [0, 1]], [[0, 1]], [[0, 1], [2, 0]]):
            with pytest.raises(ValueError, match=r"arrangement|every policy"):
                stats.variance_components(scores, plan)
        scores[0, 0, 0, 0] = np.nan
        with pytest.raises(ValueError, match="finite"):
            stats.variance_components(scores)
