"""Modules that are loaded when a figure first needs them, and checked whole numbers.

``scipy.special`` costs 0.2 s, ``scipy.stats`` 0.7 s: `import simlib` pays for neither.
They come through `importlib` because they carry no type information: what they return
is ``Any`` and every caller turns it into a plain number at once.
"""

from __future__ import annotations

import importlib
import math
import operator
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, SupportsIndex

import numpy as np

LEVEL = 0.95
"""Confidence level of every interval unless told otherwise."""


def scipy_special() -> Any:
    """Return ``scipy.special``, loaded on first use."""
    return importlib.import_module("scipy.special")


def scipy_stats() -> Any:
    """Return ``scipy.stats``, loaded on first use."""
    return importlib.import_module("scipy.stats")


def check_level(level: float) -> float:
    """Return `level`, or raise ``ValueError`` unless it lies strictly between 0 and 1."""
    if not 0.0 < level < 1.0:
        raise ValueError(f"level must lie between 0 and 1, not {level}")
    return level


def check_width(half_width: float) -> float:
    """Return `half_width`, or raise ``ValueError`` unless it is positive and finite."""
    if not (half_width > 0 and math.isfinite(half_width)):
        raise ValueError(f"half_width must be a positive number, not {half_width}")
    return half_width


@lru_cache(maxsize=64)
def normal_quantile(level: float) -> float:
    """Return z with P(-z <= N(0, 1) <= z) = `level`."""
    return float(-scipy_special().ndtri((1.0 - check_level(level)) / 2))


@lru_cache(maxsize=4096)
def t_quantile(level: float, df: float) -> float:
    """Return t with P(-t <= T <= t) = `level` for Student's T with `df` degrees."""
    return float(-scipy_special().stdtrit(df, (1.0 - check_level(level)) / 2))


def whole(value: SupportsIndex, name: str, least: int | None = None) -> int:
    """Return `value` as an exact Python integer.

    Raises
    ------
    TypeError
        If it is not an integer of any kind; a float is refused even if it is whole,
        since a sum that went through floats may have lost its last digits.
    ValueError
        If it is below `least`.
    """
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {value!r}") from None
    if least is not None and number < least:
        raise ValueError(f"{name} must be at least {least}, not {number}")
    return number


def wholes(values: Iterable[SupportsIndex], name: str, least: int | None = None) -> list[int]:
    """Return `values` as a list of exact Python integers, see `whole`."""
    plain = values.tolist() if isinstance(values, np.ndarray) else values
    return [whole(value, name, least) for value in plain]


def same_length(**columns: list[Any]) -> None:
    """Raise ``ValueError`` unless all `columns` have the same length."""
    if len({len(column) for column in columns.values()}) > 1:
        sizes = ", ".join(f"{name} {len(column)}" for name, column in columns.items())
        raise ValueError(f"columns must have the same length: {sizes}")
