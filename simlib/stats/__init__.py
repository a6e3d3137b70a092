"""Estimates and intervals: a thin typed layer on scipy that imports nothing of ours.

Every function works from sufficient statistics (counts, sums, histograms), in exact
integers where there are sums. What is not known is ``None``, never NaN. At import only
numpy is loaded; scipy comes with the first figure that needs it.
"""

from simlib.stats._lazy import LEVEL
from simlib.stats.comparisons import (
    bonferroni_level,
    difference_moments,
    games_saved,
    holm,
    independent_difference,
    minimum_detectable_difference,
    paired_difference,
    rate_difference,
    variance_ratio,
    z_score,
)
from simlib.stats.components import Components, variance_components
from simlib.stats.estimates import (
    Estimate,
    Moments,
    histogram_moments,
    mean,
    mean_from_histogram,
    quantile,
    ratio,
    wilson,
)
from simlib.stats.hypotheses import ChiSquare, seats_test, shuffle_test, uniform_test
from simlib.stats.lengths import (
    Incidence,
    IncidencePoint,
    cumulative_incidence,
    turns_ended,
    turns_restricted,
)
from simlib.stats.ratings import (
    ELO,
    Ranking,
    Ratings,
    bradley_terry,
    break_ties,
    plackett_luce,
)
from simlib.stats.stopping import (
    MeanSums,
    MetricSums,
    RateSums,
    RatioSums,
    StratifiedRateSums,
    StratifiedSums,
    looks,
    may_stop,
)
from simlib.stats.strata import stratified, stratified_rate

__all__ = [
    "ELO",
    "LEVEL",
    "ChiSquare",
    "Components",
    "Estimate",
    "Incidence",
    "IncidencePoint",
    "MeanSums",
    "MetricSums",
    "Moments",
    "Ranking",
    "RateSums",
    "Ratings",
    "RatioSums",
    "StratifiedRateSums",
    "StratifiedSums",
    "bonferroni_level",
    "bradley_terry",
    "break_ties",
    "cumulative_incidence",
    "difference_moments",
    "games_saved",
    "histogram_moments",
    "holm",
    "independent_difference",
    "looks",
    "may_stop",
    "mean",
    "mean_from_histogram",
    "minimum_detectable_difference",
    "paired_difference",
    "plackett_luce",
    "quantile",
    "rate_difference",
    "ratio",
    "seats_test",
    "shuffle_test",
    "stratified",
    "stratified_rate",
    "turns_ended",
    "turns_restricted",
    "uniform_test",
    "variance_components",
    "variance_ratio",
    "wilson",
    "z_score",
]
