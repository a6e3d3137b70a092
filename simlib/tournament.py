"""Tournaments: which policy plays better, on the same deals from every seat.

Every deal is played in all distinct seat arrangements, or as many as are asked for, so that
neither the seat nor the neighbours decide. A rating sums up who beat whom by one number each; it
stands beside the table of paired differences, never in its place.
"""

from __future__ import annotations

import html
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simlib.errors import BadInput
from simlib.frames import as_html, copied
from simlib.parallel import Progress, chunks, in_threads, reporter
from simlib.policy import Policy, parse
from simlib.setup import Setup, _split, count_argument, level_argument, prepare
from simlib.simulate import default_threads
from simlib.stats import ELO, LEVEL, Estimate, Ranking, Ratings, bradley_terry, plackett_luce
from simlib.tournament_play import Plan, Table, Worker, lineups, weight
from simlib.values import Meter

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Tournament", "tournament"]

#: Most bootstrap samples: each holds a number a block of deals, all at once.
RESAMPLES = 10_000
Floats = NDArray[np.float64]


@copied("standings", "pairs")
@dataclass(frozen=True)
class Tournament:
    """What came of a tournament.

    Attributes
    ----------
    setup : Setup
        The table.
    policies : tuple of str
    mode : str
        "round-robin" or "all-in".
    metrics : tuple of str
        Metrics of the differences; the last is ``win_share``.
    deals, games : int
        Deals, and games of all arrangements together.
    arrangements : int
        Seat arrangements of each deal, over all line-ups.
    complete : bool
        Whether these are all distinct arrangements.
    standings : DataFrame
        One row a policy, best first: ``policy``; ``win_share se low high`` for each seat it
        took; ``rating rating_se rating_low rating_high`` (log strength of mean zero) and
        ``elo``, the same in Elo points; null where the results do not determine them.
    pairs : DataFrame
        One row a metric and pair that met: ``name policy other``; ``difference se low high``
        (policy - other, mean over the same deals); ``wins losses ties nobody``: games in which
        the one had the larger win share for each of its seats, the other had, both the same,
        nobody won.
    model : str
        Model of the ratings.
    level : float
        Level of each interval.
    resamples : int
        Bootstrap samples of deals behind them.
    elapsed : float
        Seconds of play.
    """

    setup: Setup
    policies: tuple[str, ...]
    mode: str
    metrics: tuple[str, ...]
    deals: int
    games: int
    arrangements: int
    complete: bool
    standings: pd.DataFrame
    pairs: pd.DataFrame
    model: str
    level: float
    resamples: int
    elapsed: float

    def matrix(self, name: str | None = None, value: str = "difference") -> pd.DataFrame:
        """Return row policy minus column policy as a square table.

        Parameters
        ----------
        name : str, optional
            The metric; by default the score.
        value : {"difference", "se", "low", "high"}
        """
        import pandas as pd

        name = self.metrics[0] if name is None else name
        if name not in self.metrics:
            raise BadInput(f"metric {name!r}: this tournament has {', '.join(self.metrics)}")
        if value not in ("difference", "se", "low", "high"):
            raise BadInput(f"value {value!r}: difference, se, low or high")
        order = list(self.standings["policy"])
        table = pd.DataFrame(np.nan, index=order, columns=order)
        mirrored = {"low": "high", "high": "low"}.get(value, value)
        sign = 1.0 if value == "se" else -1.0
        for _, row in self.pairs[self.pairs["name"] == name].iterrows():
            table.loc[row["policy"], row["other"]] = row[value]
            table.loc[row["other"], row["policy"]] = sign * row[mirrored]
        return table

    @cached_property
    def circles(self) -> list[tuple[str, str, str]]:
        """Return three policies of which each clearly beats the next: a rating hides that."""
        low = self.matrix(value="low")
        names = [str(name) for name in low.index]
        ahead = low.to_numpy(np.float64) > 0
        return [
            (names[a], names[b], names[c])
            for a, b, c in permutations(range(len(names)), 3)
            if a == min(a, b, c) and ahead[a, b] and ahead[b, c] and ahead[c, a]
        ]

    def as_dict(self) -> dict[str, Any]:
        """Return everything as JSON values; what is not known is None."""
        asked = self.setup.describe()
        kept = ("game", "variety", "players", "unit", "rules", "seed", "play_seed")
        return {
            **{key: asked[key] for key in kept},
            "policies": list(self.policies),
            "mode": self.mode,
            "score": self.metrics[0],
            "deals": self.deals,
            "games": self.games,
            "arrangements": self.arrangements,
            "all_arrangements": self.complete,
            "level": self.level,
            "resamples": self.resamples,
            "rating_model": self.model,
            "elapsed_s": round(self.elapsed, 6),
            "standings": _records(self.standings),
            "pairs": _records(self.pairs),
            "circles": [list(circle) for circle in self.circles],
        }

    def title(self) -> str:
        """Return one line that says what was played."""
        seats = "all" if self.complete else "some"
        table = self.setup.table
        name = self.setup.game.title + (f" ({table.variety})" if table.variety else "")
        what = "deals" if table.unit == "deal" else "matches"
        return (
            f"{name}, {table.players} players, {self.mode}: {len(self.policies)} policies,"
            f" {self.deals:,} {what}, each in {self.arrangements} ({seats}) seat arrangements,"
            f" seed {self.setup.seed}; {self.setup.rules_text() or 'default rules'}"
        )

    def __repr__(self) -> str:
        return f"<Tournament: {self.title()}>"

    def _repr_html_(self) -> str:
        """Show standings and matrix in Jupyter."""

        def show(frame: pd.DataFrame, *, index: bool = False) -> str:
            return as_html(frame, 4, index=index)

        return (
            f"<p><b>{html.escape(self.title())}</b><br>{100 * self.level:g} % intervals by"
            f" resampling deals ({self.resamples} times); ratings: {html.escape(self.model)}</p>"
            f"{show(self.standings)}<p>{html.escape(self.metrics[0])}, row - column:</p>"
            f"{show(self.matrix(), index=True)}"
        )


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    values = frame.astype(object).where(frame.notna(), None)
    return [
        {str(k): v.item() if isinstance(v, np.generic) else v for k, v in row.items()}
        for row in values.to_dict(orient="records")
    ]


def tournament(
    game: str,
    policies: Sequence[str | Policy] | str | None = None,
    *,
    mode: str = "round-robin",
    deals: float = 2_000,
    arrangements: float = 24,
    score: str | None = None,
    variety: str | None = None,
    players: int | None = None,
    unit: str | None = None,
    seed: int = 0,
    play_seed: int | None = None,
    rules: Mapping[str, Any] | None = None,
    preset: str | None = None,
    resamples: int = 500,
    level: float = LEVEL,
    threads: int | None = None,
    progress: Progress | bool | None = None,
) -> Tournament:
    """Let policies play each other, every deal from all seats.

    Parameters
    ----------
    game, variety, players, unit, seed, play_seed, rules, preset
        The table, as in :func:`simlib.simulate`.
    policies : sequence, optional
        The different policies, or one text with commas; all the game's own by default.
    mode : {"round-robin", "all-in"}
        Every pair shares a table, each at half of its seats; or tables of all different
        policies, in every combination.
    deals : int
        Deals (or matches) for each line-up; all line-ups meet the same ones. Rounded up to whole
        cycles where contracts are played in turn.
    arrangements : int
        Most seat arrangements of a line-up. All distinct ones are played where there are no
        more; else whole sets of rotations, one at least.
    score : str, optional
        Metric of the differences: by default ``score`` where deals are scored, else
        ``win_share``, which always stands beside it.
    resamples : int
        Bootstrap samples of deals behind every interval.
    level : float
        Confidence level of each interval.
    threads, progress
        As in :func:`simlib.simulate`.

    Returns
    -------
    Tournament

    Raises
    ------
    BadInput
        If anything given is not valid.
    PolicyFailure
        If a policy answers outside its options or raises (C-5).

    Notes
    -----
    The difference of two policies in a deal is the mean, over all games in which both sit, of
    the one's score for each of its seats minus the other's. Standard errors and percentile
    intervals come from drawing deals with replacement (Efron and Tibshirani 1993, chapter 13).
    Ratings speak of games that somebody won (how many nobody won stands in ``pairs``): with two
    seats Bradley-Terry, a shared win being a tie; with more Plackett-Luce of who won, shared
    wins counting in parts.

    Examples
    --------
    >>> found = tournament(
    ...     "king-george-iii", ["random", "eager"], players=2, deals=200, resamples=50
    ... )
    >>> found.standings["policy"].tolist()
    ['eager', 'random']
    """
    setup = prepare(
        game, variety=variety, players=players, unit=unit, rules=rules, preset=preset, seed=seed,
        play_seed=play_seed, policies=next(iter(_builtin(game))),
    )  # fmt: skip
    return play_tournament(
        setup, read_policies(setup, policies), mode=mode, deals=deals, arrangements=arrangements,
        score=score, resamples=resamples, level=level, threads=threads, progress=progress,
    )  # fmt: skip


def _builtin(game: str) -> Mapping[str, Policy]:
    from simlib import games

    return games.get(game).policies


def read_policies(setup: Setup, given: Sequence[str | Policy] | str | None) -> list[Policy]:
    """Read the policies of a tournament, all by default; each may stand there once."""
    named = list(setup.game.policies.values()) if given is None else _split(given)
    found = [parse(one, setup.game.name, setup.game.policies) for one in named]
    specs = [policy.spec for policy in found]
    for spec in specs:
        if specs.count(spec) > 1:
            raise BadInput(f"tournament: policy {spec!r} is there twice")
    return found


def play_tournament(
    setup: Setup,
    policies: Sequence[Policy],
    *,
    mode: str = "round-robin",
    deals: float = 2_000,
    arrangements: float = 24,
    score: str | None = None,
    resamples: int = 500,
    level: float = LEVEL,
    threads: int | None = None,
    progress: Progress | bool | None = None,
) -> Tournament:
    """Play a tournament at a table that has been prepared; see :func:`tournament`."""
    cycle = Meter(setup).cycle
    count = -(-count_argument(deals, "deals") // cycle) * cycle
    most = count_argument(arrangements, "arrangements")
    workers = default_threads() if threads is None else count_argument(threads, "threads")
    count_argument(resamples, "resamples", least=2, most=RESAMPLES)
    level = level_argument(level)
    tables = lineups(len(policies), setup.players, mode, most)
    plan = Plan.of(setup, policies, tables, score or _score(setup), count)
    begun = time.perf_counter()
    table = play(plan, workers, reporter(progress))
    figures = _Figures(plan, table, resamples, level)
    return Tournament(
        setup=setup,
        policies=tuple(policy.spec for policy in policies),
        mode=mode,
        metrics=plan.metrics,
        deals=count,
        games=count * plan.games,
        arrangements=plan.games,
        complete=tables == lineups(len(policies), setup.players, mode, 10**9),
        standings=figures.standings(),
        pairs=figures.pairs(),
        model=figures.model,
        level=level,
        resamples=resamples,
        elapsed=time.perf_counter() - begun,
    )


def _score(setup: Setup) -> str:
    names = [m.name for m in setup.game.metrics(setup.table) if m.seats]
    return "score" if "score" in names and setup.table.unit == "deal" else "win_share"


def play(plan: Plan, threads: int, report: Progress | None) -> Table:
    """Play a plan and return its totals by block of deals."""
    for policy in plan.policies:
        policy.compiled()
    plan.setup.game.simulate.build()
    parts: list[Table] = []
    done, begun = 0, time.perf_counter()
    for part in in_threads(lambda: Worker(plan), chunks(plan.deals, plan.chunk(threads)), threads):
        parts.append(part)
        done += int(part.deals.sum()) * plan.games
        if report:
            report(done, plan.deals * plan.games, time.perf_counter() - begun, "")
    return Table.joined(parts)


class _Figures:
    """Turns totals by block into figures with intervals by resampling."""

    def __init__(self, plan: Plan, table: Table, resamples: int, level: float) -> None:
        self._plan, self._table, self._level = plan, table, level
        self._resamples = resamples
        self._scales = plan.scales()
        blocks = len(table.deals)
        rng = np.random.default_rng(0)
        self._draws = rng.multinomial(blocks, np.full(blocks, 1 / blocks), size=resamples)
        self.model = (
            "Bradley-Terry with ties" if plan.setup.players == 2 else "Plackett-Luce, winners only"
        )

    def standings(self) -> pd.DataFrame:
        """Return one row a policy."""
        import pandas as pd

        ratings = self._ratings()
        rows = []
        for place, policy in enumerate(self._plan.policies):
            seats = sum(
                lineup.members.count(place) * len(lineup.arrangements)
                for lineup in self._plan.lineups
            )
            share = self._mean(
                self._table.totals["win_share"][:, place], seats * self._scales["win_share"]
            ).within(0.0, 1.0, level=self._level)
            rating = ratings.ratings[place]
            rows.append({
                "policy": policy.spec,
                "win_share": share.estimate, "se": share.se, "low": share.low, "high": share.high,
                "rating": rating.estimate, "rating_se": rating.se,
                "rating_low": rating.low, "rating_high": rating.high,
                "elo": None if rating.estimate is None else rating.estimate * ELO,
                "games": self._plan.deals * sum(
                    len(one.arrangements) for one in self._plan.lineups if place in one.members
                ),
            })  # fmt: skip
        frame = pd.DataFrame(rows)
        numbers = dict.fromkeys([n for n in frame if n not in ("policy", "games")], "float64")
        return (
            frame.astype(numbers)
            .sort_values("win_share", ascending=False, kind="stable")
            .reset_index(drop=True)
        )

    def pairs(self) -> pd.DataFrame:
        """Return one row a metric and pair."""
        import pandas as pd

        specs = [policy.spec for policy in self._plan.policies]
        rows = []
        for name in self._plan.metrics:
            for place, (i, j) in enumerate(self._plan.pairs):
                games, product = weight(self._plan, (i, j))
                unit = games * product * self._scales[name]
                gap = self._mean(self._table.gaps[name][:, place], unit)
                if name == "win_share":
                    gap = gap.within(-1.0, 1.0, level=self._level)
                beats = self._table.beats[:, place].sum(axis=0).tolist()
                rows.append({
                    "name": name, "policy": specs[i], "other": specs[j],
                    "difference": gap.estimate, "se": gap.se, "low": gap.low, "high": gap.high,
                    **dict(zip(("wins", "losses", "ties", "nobody"), beats, strict=True)),
                    "deals": self._plan.deals,
                })  # fmt: skip
        frame = pd.DataFrame(rows)
        return frame.astype(dict.fromkeys(["difference", "se", "low", "high"], "float64"))

    def _mean(self, totals: NDArray[np.int64], unit: int) -> Estimate:
        """Return a mean over deals: totals of blocks over ``unit`` for each deal."""
        sums, deals = totals.astype(np.float64), self._table.deals.astype(np.float64)
        n = int(self._table.deals.sum())
        centre = int(totals.sum()) / (n * unit)
        if len(totals) < 2:
            return Estimate(centre, None, None, None, n)
        drawn: Floats = (self._draws @ sums) / ((self._draws @ deals) * unit)
        low, high = np.quantile(drawn, [(1 - self._level) / 2, (1 + self._level) / 2])
        return Estimate(centre, float(drawn.std(ddof=1)), float(low), float(high), n)

    def _ratings(self) -> Ratings:
        if self._plan.setup.players == 2:
            return self._bradley_terry()
        return self._plackett_luce()

    def _bradley_terry(self) -> Ratings:
        k, blocks = len(self._plan.policies), len(self._table.deals)
        wins, ties = np.zeros((blocks, k, k)), np.zeros((blocks, k, k))
        for place, (i, j) in enumerate(self._plan.pairs):
            wins[:, i, j] = self._table.beats[:, place, 0]
            wins[:, j, i] = self._table.beats[:, place, 1]
            ties[:, i, j] = ties[:, j, i] = self._table.beats[:, place, 2]
        return bradley_terry(wins, ties, resamples=self._resamples, seed=0, level=self._level)

    def _plackett_luce(self) -> Ratings:
        scale = self._scales["win_share"]
        patterns = []
        for shares in self._table.shares:
            rankings = []
            for lineup, won in zip(self._plan.lineups, shares, strict=True):
                for policy in np.flatnonzero(won):
                    rest = list(lineup.members)
                    rest.remove(int(policy))
                    rankings.append(
                        Ranking((int(policy),), tuple(rest), float(won[policy]) / scale)
                    )
            patterns.append(rankings)
        return plackett_luce(
            patterns,
            len(self._plan.policies),
            resamples=self._resamples,
            seed=0,
            level=self._level,
        )
