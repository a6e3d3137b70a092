"""The race of a balance search: targets, judging, successive halving on common deals."""

from __future__ import annotations

import itertools
import math
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from simlib.balance_candidates import Candidate
from simlib.errors import BadInput
from simlib.parallel import Progress
from simlib.setup import Setup
from simlib.stats import Estimate, bonferroni_level
from simlib.sums import Figure
from simlib.tally import Tally
from simlib.variants import with_seed

__all__ = [
    "FIRST_ROUND",
    "LEVEL",
    "Found",
    "Judge",
    "Measure",
    "Race",
    "Round",
    "Target",
    "read_target",
]

#: A figure of the games so far, with an interval of the given level.
Measure = Callable[[Tally, float], Estimate]
#: (target, population) -> estimate.
Estimates = dict[tuple[str, str], Estimate]
#: Games of each candidate in the first round.
FIRST_ROUND = 1000
#: A candidate drops out once a target is missed by an interval of this level.
SURE = 0.999
#: Before the last round at least this many times the number asked for stay.
POOL = 4
LEVEL = 0.95


@dataclass(frozen=True)
class Target:
    """One condition on a rule set.

    Attributes
    ----------
    name : str
        A metric (``rate_endless``; one with seats must hold at each) or a measure
        (``seat_spread``).
    below : bool
        Whether the figure must stay below `limit`, or above it.
    limit : float
    """

    name: str
    below: bool
    limit: float

    def __str__(self) -> str:
        return f"{self.name}{'<' if self.below else '>'}{self.limit:g}"

    def excess(self, value: float | None) -> float:
        """Return by how much a figure misses the limit, in units of the limit; 0: it does not."""
        if value is None:
            return math.inf
        miss = value - self.limit if self.below else self.limit - value
        return max(0.0, miss) / max(abs(self.limit), 1e-6)

    def met(self, found: Estimate) -> bool:
        """Tell whether the whole interval is on the right side."""
        edge = found.high if self.below else found.low
        return edge is not None and (edge < self.limit if self.below else edge > self.limit)

    def missed(self, found: Estimate) -> bool:
        """Tell whether the whole interval is on the wrong side."""
        edge = found.low if self.below else found.high
        return edge is not None and (edge >= self.limit if self.below else edge <= self.limit)


#: Figures that are shares though their names do not say so.
SHARES = ("win_share", "completed", "never_ending", "cut_off")

_TARGET = re.compile(r"^\s*([a-z_][a-z0-9_]*)\s*(<=?|>=?)\s*([-+0-9.eE]+)\s*%?\s*$")


def read_target(text: str) -> Target:
    """Read ``rate_endless<0.01``.

    Raises
    ------
    BadInput
        If the text is not of this form.
    """
    match = _TARGET.match(text)
    if match is None or text.strip().endswith("%"):
        raise BadInput(f"target {text!r}: give metric<number or metric>number (shares from 0 to 1)")
    try:
        limit = float(match[3])
    except ValueError:
        raise BadInput(f"target {text!r}: {match[3]!r} is not a number") from None
    return Target(match[1], match[2].startswith("<"), limit)


def _check_possible(target: Target) -> None:
    """Refuse a target on a share that every rule set meets, or none does."""
    is_share = target.name.startswith("rate_") or target.name in SHARES
    if is_share and not 0 <= target.limit <= 1:
        raise BadInput(f"target {target}: {target.name} runs from 0 to 1")


@dataclass(frozen=True)
class Found:
    """What came of one rule set.

    Attributes
    ----------
    candidate : Candidate
    games : int
        Fresh games, of each population.
    race, confirmed : dict
        (target, population) -> estimate; `race` with 95 % intervals, `confirmed` on fresh
        deals with intervals that hold at once for all that was confirmed.
    meets : bool
        Whether every interval on fresh deals meets its target.
    """

    candidate: Candidate
    games: int
    race: Estimates
    confirmed: Estimates
    meets: bool


@dataclass(frozen=True)
class Round:
    """One round of the race.

    Attributes
    ----------
    games : int
        Games that each candidate had played at its end.
    candidates : int
        How many played.
    missed : int
        How many clearly missed a target.
    alike : int
        How many played every game as a nearer one did.
    covered : int
        How many only add changes to a rule set that clearly meets all targets by itself.
    halved : int
        How many were dropped as the worse half.
    """

    games: int
    candidates: int
    missed: int
    alike: int
    covered: int
    halved: int


class Judge:
    """Knows the figures that the targets speak of."""

    def __init__(
        self, setup: Setup, targets: Sequence[Target], measures: Mapping[str, Measure]
    ) -> None:
        if not targets:
            raise BadInput("targets: give at least one, for example rate_endless<0.01")
        self.targets = targets
        self._measures = measures
        metrics = [metric.name for metric in setup.game.metrics(setup.table)]
        for target in targets:
            if target.name not in metrics and target.name not in measures:
                known = ", ".join([*metrics, *measures])
                raise BadInput(f"target {target}: there are {known}")
            _check_possible(target)
        if len(set(map(str, targets))) < len(targets):
            raise BadInput("targets: each once")

    def estimates(self, tallies: Sequence[Tally], level: float) -> Estimates:
        """Return every target's figure under every population."""
        found = {}
        for tally in tallies:
            figures = tally.figures()
            for target in self.targets:
                found[str(target), population(tally.setup)] = (
                    self._measures[target.name](tally, level)
                    if target.name in self._measures
                    else _worst(target, figures, level)
                )
        return found

    def excess(self, found: Estimates, *, hopeful: bool = False) -> float:
        """Return the largest excess over all targets and populations.

        Of the estimates, or of the better end of each interval.
        """
        return max(
            target.excess(_better(target, one) if hopeful else one.estimate)
            for target, one in self._pairs(found)
        )

    def missed(self, found: Estimates) -> bool:
        """Tell whether some target is clearly missed."""
        return any(target.missed(one) for target, one in self._pairs(found))

    def met(self, found: Estimates) -> bool:
        """Tell whether all targets are met."""
        return all(target.met(one) for target, one in self._pairs(found))

    def _pairs(self, found: Estimates) -> Iterator[tuple[Target, Estimate]]:
        for target in self.targets:
            for (text, _), one in found.items():
                if text == str(target):
                    yield target, one


def population(setup: Setup) -> str:
    """Name the policies at a table."""
    specs = [policy.spec for policy in setup.policies]
    return specs[0] if len(set(specs)) == 1 else ",".join(specs)


def _better(target: Target, found: Estimate) -> float | None:
    edge = found.low if target.below else found.high
    return found.estimate if edge is None else edge


def _worst(target: Target, figures: Sequence[Figure], level: float) -> Estimate:
    """Return a metric; of one that has seats, the seat that is farthest from the target."""
    found = [
        figure.estimate(level)
        for figure in figures
        if figure.metric.name == target.name and figure.group is None
    ]
    return max(found, key=lambda one: target.excess(one.high if target.below else one.low))


@dataclass
class _Racer:
    candidate: Candidate
    tallies: list[Tally] = field(default_factory=list)
    found: Estimates = field(default_factory=dict)
    missed: bool = False
    met: bool = False

    def mark(self) -> bytes:
        """Return what two racers share only if they played every game alike."""
        return b"".join(tally.fingerprint() for tally in self.tallies)


class Race:
    """Successive halving on common deals.

    Parameters
    ----------
    judge : Judge
    candidates : sequence of Candidate
        The base first.
    threads : int
    report : callable, optional
    """

    def __init__(
        self,
        judge: Judge,
        candidates: Sequence[Candidate],
        *,
        threads: int,
        report: Progress | None,
    ) -> None:
        self.judge = judge
        self.rounds: list[Round] = []
        self._threads = threads
        self._report = report
        self._begun = time.perf_counter()
        self._done = 0
        self._lock = threading.Lock()
        self._stopped = False
        self._base = _Racer(candidates[0])
        self._racers = [_Racer(one) for one in candidates[1:]]
        setups = candidates[0].setups
        for policy in [policy for setup in setups for policy in setup.policies]:
            policy.compiled()
        setups[0].game.simulate.build()

    def run(self, last: int, keep: int) -> None:
        """Play rounds until at most `keep` candidates have played `last` games."""
        games = min(FIRST_ROUND, last)
        while True:
            self._play([self._base, *self._racers], games)
            count = [len(self._racers)]
            for drop in (self._drop_missed, self._drop_alike, self._drop_covered):
                drop()
                count.append(len(self._racers))
            self._halve(keep, final=games >= last)
            count.append(len(self._racers))
            gone = [before - after for before, after in itertools.pairwise(count)]
            self.rounds.append(Round(games, count[0], *gone))
            if games >= last:
                return
            few = len(self._racers) <= keep
            games = last if few else min(2 * games, last)

    def confirm(self, seed: int, games: int) -> tuple[list[Found], float]:
        """Play the base and what is left on fresh deals.

        Returns
        -------
        list of Found
            The base, then what meets all targets, nearest first, then the rest.
        float
            Level of each interval, so that all hold at once with 95 %.
        """
        old = [self._base, *sorted(self._racers, key=lambda one: one.candidate.distance)]
        figures = len(self.judge.targets) * len(self._base.candidate.setups)
        level = bonferroni_level(len(old) * figures, level=LEVEL)
        again = [
            _Racer(
                Candidate(
                    one.candidate.changes,
                    one.candidate.steps,
                    tuple(with_seed(setup, seed) for setup in one.candidate.setups),
                )
            )
            for one in old
        ]
        self._play(again, games, level)
        found = [
            Found(before.candidate, games, before.found, now.found, self.judge.met(now.found))
            for before, now in zip(old, again, strict=True)
        ]
        # what only adds to a rule set that suffices was kept for lack of proof: here it is
        enough = [one.candidate.changes.items() for one in found if one.meets]
        needed = [
            one
            for one in found[1:]
            if not any(changes < one.candidate.changes.items() for changes in enough)
        ]
        return [found[0], *sorted(needed, key=lambda one: not one.meets)], level

    # --- who goes ------------------------------------------------------------------------

    def _drop_missed(self) -> None:
        self._racers = [one for one in self._racers if not one.missed]

    def _drop_alike(self) -> None:
        """Keep the nearest of rule sets that played every game alike."""
        seen = {self._base.mark()}
        kept = []
        for racer in sorted(self._racers, key=lambda one: one.candidate.distance):
            mark = racer.mark()
            if mark not in seen:
                seen.add(mark)
                kept.append(racer)
        self._racers = kept

    def _drop_covered(self) -> None:
        """Drop what only adds changes to a rule set that clearly meets all targets."""
        enough = [one.candidate.changes for one in (self._base, *self._racers) if one.met]
        self._racers = [
            one
            for one in self._racers
            if not any(changes.items() < one.candidate.changes.items() for changes in enough)
        ]

    def _halve(self, keep: int, *, final: bool) -> None:
        """Keep the better half: what may yet meet the targets, then what is near.

        Before the last round a figure counts by the better end of its interval, so that none
        is dropped for its bad luck in few games, and `POOL` times `keep` stay; in the last one
        by its estimate.
        """
        self._racers.sort(
            key=lambda one: (
                self.judge.excess(one.found, hopeful=not final),
                one.candidate.distance,
            )
        )
        half = -(-len(self._racers) // 2)
        self._racers = self._racers[: keep if final else max(POOL * keep, half)]

    # --- playing -------------------------------------------------------------------------

    def _play(self, racers: Sequence[_Racer], games: int, level: float = LEVEL) -> None:
        """Play all up to as many games, and look at their figures."""
        self._total = self._done + sum(
            games - (one.tallies[0].games if one.tallies else 0) for one in racers
        )
        with ThreadPoolExecutor(self._threads) as pool:
            try:
                for _ in pool.map(lambda one: self._play_one(one, games, level), racers):
                    pass
            except BaseException:
                self._stopped = True
                for one in racers:
                    for tally in one.tallies:
                        tally.stop()
                pool.shutdown(wait=True, cancel_futures=True)
                raise

    def _play_one(self, racer: _Racer, games: int, level: float) -> None:
        if self._stopped:
            return
        racer.tallies = racer.tallies or [Tally(setup) for setup in racer.candidate.setups]
        before = racer.tallies[0].games
        for tally in racer.tallies:
            tally.play(games)
        played = racer.tallies[0].games
        racer.found = self.judge.estimates(racer.tallies, level)
        sure = self.judge.estimates(racer.tallies, SURE)
        racer.missed, racer.met = self.judge.missed(sure), self.judge.met(sure)
        if racer.missed and racer is not self._base:
            racer.tallies = []  # thousands may race: the sums of what is out are let go
        with self._lock:
            self._done += played - before
            if self._report:
                seconds = time.perf_counter() - self._begun
                self._report(self._done, self._total, seconds, f"{len(self.rounds) + 1}. round")
