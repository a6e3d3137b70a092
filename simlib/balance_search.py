"""Searches the options of a game for rule sets that meet targets, nearest to the seed's first.

Candidates race on common deals (C-4): in each round all that are left play the same deals, more
of them than in the round before; those that clearly miss a target drop out, and of the others
the better half stays (successive halving). What is left is played again on fresh deals, since
the best of many looks better than it is.
"""

from __future__ import annotations

import html
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from simlib.balance_candidates import Candidate, candidates_of, options_of
from simlib.balance_race import (
    FIRST_ROUND,
    Found,
    Judge,
    Measure,
    Race,
    Round,
    Target,
    population,
    read_target,
)
from simlib.errors import BadInput
from simlib.frames import as_html
from simlib.parallel import Progress, reporter
from simlib.setup import Policies, Setup, count_argument
from simlib.simulate import default_threads
from simlib.variants import Base

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Candidate", "Found", "Measure", "SearchResult", "Target", "read_target", "search"]


@dataclass(frozen=True)
class SearchResult:
    """What a search found.

    Attributes
    ----------
    base : Setup
        The rules the search started from.
    targets : tuple of Target
    populations : tuple of str
        Policies under which every target has to hold.
    found : tuple of Found
        The base first, then the rule sets that met every target on fresh deals, nearest
        first, then those that did not.
    rounds : tuple of Round
    considered : int
        Rule sets that raced.
    confirm_seed : int
        Seed of the fresh deals.
    level : float
        Level of each interval of the confirmation.
    elapsed : float
        Seconds.
    """

    base: Setup
    targets: tuple[Target, ...]
    populations: tuple[str, ...]
    found: tuple[Found, ...]
    rounds: tuple[Round, ...]
    considered: int
    confirm_seed: int
    level: float
    elapsed: float

    @property
    def met(self) -> tuple[Found, ...]:
        """Return the rule sets that meet every target on fresh deals, nearest first."""
        return tuple(one for one in self.found if one.meets)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """Return one row a rule set, target and population.

        Columns: ``place`` (0: the base), ``rules``, ``changes`` (how many), ``target``,
        ``policies``, ``estimate low high games`` on fresh deals, ``race_estimate race_low
        race_high``, ``met`` (this target), ``meets`` (all of them).
        """
        import pandas as pd

        rows = []
        for place, one in enumerate(self.found):
            for target in self.targets:
                for who in self.populations:
                    race = one.race[str(target), who]
                    fresh = one.confirmed[str(target), who]
                    rows.append({
                        "place": place, "rules": one.candidate.words(),
                        "changes": len(one.candidate.changes), "target": str(target),
                        "policies": who, "estimate": fresh.estimate, "low": fresh.low,
                        "high": fresh.high, "games": one.games, "race_estimate": race.estimate,
                        "race_low": race.low, "race_high": race.high,
                        "met": target.met(fresh), "meets": one.meets,
                    })  # fmt: skip
        return pd.DataFrame(rows)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as JSON values; what is not known is None."""
        asked = self.base.describe()
        return {
            **{key: asked[key] for key in ("game", "variety", "players", "unit", "rules")},
            "policies": list(self.populations),
            "seed": asked["seed"],
            "confirm_seed": self.confirm_seed,
            "targets": [str(target) for target in self.targets],
            "level": self.level,
            "considered": self.considered,
            "rounds": [vars(one) for one in self.rounds],
            "elapsed_s": round(self.elapsed, 6),
            "rule_sets": [
                {
                    "changes": one.candidate.changes,
                    "games": one.games,
                    "meets": one.meets,
                    "targets": [
                        {
                            "target": str(target),
                            "policies": who,
                            **one.confirmed[str(target), who].as_dict(),
                            "race": one.race[str(target), who].as_dict(),
                            "met": target.met(one.confirmed[str(target), who]),
                        }
                        for target in self.targets
                        for who in self.populations
                    ],
                }
                for one in self.found
            ],
        }

    def title(self) -> str:
        """Return one line that says what was searched and found."""
        wanted = ", ".join(map(str, self.targets))
        return (
            f"{self.base.game.title}, {self.base.players} players: {len(self.met)} of"
            f" {self.considered:,} rule sets meet {wanted} on fresh deals"
        )

    def __repr__(self) -> str:
        return f"<SearchResult: {self.title()}>"

    def _repr_html_(self) -> str:
        """Show the rule sets in Jupyter."""
        shown = self.frame.drop(columns=["race_estimate", "race_low", "race_high"])
        table = as_html(shown, 4)
        return (
            f"<p><b>{html.escape(self.title())}</b><br>intervals of"
            f" {100 * self.level:.2f} % each, so that all hold at once with 95 %</p>{table}"
        )


def search(
    game: str,
    targets: Sequence[str | Target],
    *,
    variety: str | None = None,
    players: int | None = None,
    unit: str | None = None,
    rules: Mapping[str, Any] | None = None,
    preset: str | None = None,
    policies: Sequence[Policies] = ("random",),
    seed: int = 0,
    games: float = 64_000,
    confirm_games: float | None = None,
    vary: Mapping[str, Sequence[Any]] | None = None,
    most_changes: int = 2,
    keep: int = 8,
    measures: Mapping[str, Measure] | None = None,
    threads: int | None = None,
    progress: Progress | bool | None = None,
) -> SearchResult:
    """Search for rule sets that meet all targets.

    Parameters
    ----------
    game, variety, players, unit, rules, preset, seed
        Where the search starts, as in :func:`simlib.simulate`.
    targets : sequence of str or Target
        ``"rate_endless<0.01"``: any metric of the game, or one of `measures`.
    policies : sequence
        Populations: each is one policy for all seats, or one a seat. Targets must hold
        under every one.
    games : int
        Games of each candidate in the last round.
    confirm_games : int, optional
        Games of each rule set on fresh deals; by default four times `games`.
    vary : mapping, optional
        Option -> values to try. By default all values of every option except guards
        (``max_turns`` …), and of hand sizes.
    most_changes : int
        Most options changed at once.
    keep : int
        Rule sets that reach the last round and are confirmed.
    measures : mapping, optional
        Further figures by name, see ``analyses.balance.MEASURES``.
    threads, progress
        As in :func:`simlib.simulate`.

    Returns
    -------
    SearchResult

    Raises
    ------
    BadInput
        If anything given is not valid.

    References
    ----------
    O. Maron and A. W. Moore (1994), Hoeffding races. NIPS 6, 59-66. Z. Karnin, T. Koren and
    O. Somekh (2013), Almost optimal exploration in multi-armed bandits. ICML 30 (successive
    halving).
    """
    base = Base.of(
        game, variety=variety, players=players, unit=unit, rules=rules, preset=preset,
        policies=policies[0] if policies else "random", seed=seed,
    )  # fmt: skip
    return search_base(
        base, targets, populations=policies, games=games, confirm_games=confirm_games, vary=vary,
        most_changes=most_changes, keep=keep, measures=measures, threads=threads,
        progress=progress,
    )  # fmt: skip


def search_base(
    base: Base,
    targets: Sequence[str | Target],
    *,
    populations: Sequence[Policies] | None = None,
    games: float = 64_000,
    confirm_games: float | None = None,
    vary: Mapping[str, Sequence[Any]] | None = None,
    most_changes: int = 2,
    keep: int = 8,
    measures: Mapping[str, Measure] | None = None,
    threads: int | None = None,
    progress: Progress | bool | None = None,
) -> SearchResult:
    """Search from a base; see :func:`search`."""
    begun = time.perf_counter()
    last = count_argument(games, "games", least=FIRST_ROUND)
    fresh = 4 * last if confirm_games is None else count_argument(confirm_games, "confirm_games")
    count_argument(most_changes, "most_changes")
    count_argument(keep, "keep")
    workers = default_threads() if threads is None else count_argument(threads, "threads")
    wanted = tuple(read_target(t) if isinstance(t, str) else t for t in targets)
    who = list(populations) if populations else [base.arguments["policies"]]
    start = base.setup()
    judge = Judge(start, wanted, dict(measures or {}))
    options = options_of(base, start, vary)
    candidates = list(candidates_of(base, options, who, most_changes))
    if len({population(setup) for setup in candidates[0].setups}) < len(who):
        raise BadInput("policies: each population once")
    race = Race(judge, candidates, threads=workers, report=reporter(progress))
    race.run(last, keep)
    confirm_seed = (start.seed + 1) % 2**64
    found, level = race.confirm(confirm_seed, fresh)
    return SearchResult(
        base=start,
        targets=wanted,
        populations=tuple(population(setup) for setup in candidates[0].setups),
        found=tuple(found),
        rounds=tuple(race.rounds),
        considered=len(candidates),
        confirm_seed=confirm_seed,
        level=level,
        elapsed=time.perf_counter() - begun,
    )
