"""Sums from raw values, and what several tests ask of an estimate."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from simlib.stats import Estimate


def sums(values: list[int]) -> tuple[int, int, int]:
    """Number of values, their sum, and the sum of their squares."""
    return len(values), sum(values), sum(v * v for v in values)


def pair_sums(x: list[int], y: list[int]) -> tuple[int, int, int, int, int, int]:
    """Number of pairs, and the sums of x, y, x², xy and y²."""
    n, sx, sxx = sums(x)
    _, sy, syy = sums(y)
    return n, sx, sy, sxx, sum(a * b for a, b in zip(x, y, strict=True)), syy


def covers(found: Estimate, truth: float) -> bool:
    """Whether the interval holds the truth; it must have both ends."""
    assert found.low is not None
    assert found.high is not None
    return found.low <= truth <= found.high


def share_covered(found: Iterable[Estimate], truth: float) -> float:
    """Share of intervals that hold the truth."""
    inside = [covers(estimate, truth) for estimate in found]
    return sum(inside) / len(inside)


def assert_interval(found: Estimate, low: float | None, high: float | None) -> None:
    """Check both ends, to the last few digits."""
    assert found.low == pytest.approx(low, rel=1e-9, abs=1e-12)
    assert found.high == pytest.approx(high, rel=1e-9, abs=1e-12)


def number(value: float | None) -> float:
    """Return a figure that must be there."""
    assert value is not None
    return value
