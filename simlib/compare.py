"""Compares setups: paired on common deals where the cards allow it, and says which.

Two rule sets or policies that meet the same deals (C-4) differ by what they do, not by the luck
of the deal: the difference has a smaller error than that of two independent runs. Options that
change the set of cards, and the number of players, do not allow it; then the second setup gets
a seed of its own, so that nothing is shared, and the intervals are those of independent runs.
"""

from __future__ import annotations

import html
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from simlib.engine import Player
from simlib.errors import BadInput
from simlib.parallel import chunks, in_threads
from simlib.products import (
    Products,
    Strata,
    arm_estimate,
    columns_of,
    difference,
    gap,
    places,
    product_sums,
    worth,
)
from simlib.rotation import Rotation, play_rotations, rotations
from simlib.run import Run
from simlib.setup import Policies, Setup, count_argument, prepare
from simlib.simulate import Progress, default_threads, reporter
from simlib.stats import bonferroni_level, games_saved, minimum_detectable_difference
from simlib.stats._lazy import LEVEL
from simlib.values import FrameRows, KernelRows, Measure, Meter, Rows, Values

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Comparison", "Rotation", "against", "compare", "play_rotations", "rotations"]
