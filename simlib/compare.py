"""Compares setups: paired on common deals where the cards allow it, and says which.

Two rule sets or policies that meet the same deals (C-4) differ by what they do, not by the luck
of the deal: the difference has a smaller error than that of two independent runs. Options that
change the set of cards, and the number of players, do not allow it; then the first setup gets
a seed of its own, so that nothing is shared, and the intervals are those of independent runs.
"""

from __future__ import annotations

import html
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from simlib.errors import BadInput
from simlib.frames import as_html, copied
from simlib.pairing import Plan, Row, Worker, added, obstacle
from simlib.parallel import Progress, chunks, in_threads, reporter
from simlib.products import Products
from simlib.rotation import Rotation, play_rotations, rotations
from simlib.run import Run
from simlib.setup import (
    Policies,
    Setup,
    count_argument,
    level_argument,
    names_argument,
    prepare,
    rule_text,
)
from simlib.simulate import BLOCK, default_threads
from simlib.stats import LEVEL, bonferroni_level
from simlib.values import FrameRows, Rows

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Comparison", "Rotation", "against", "compare", "play_rotations", "rotations"]

#: Games in a chunk, for all setups together.
CHUNK = 1 << 17
#: Arguments of `prepare` that a mapping may hold.
ARGUMENTS = (
    "game", "variety", "players", "unit", "rules", "preset", "policies", "seed", "play_seed",
)  # fmt: skip


@copied("frame")
@dataclass(frozen=True)
class Comparison:
    """Two setups side by side, figure by figure.

    Attributes
    ----------
    a, b : Setup
        What was played, seeds included.
    games : int
        Games of each.
    paired : bool
        Whether both met the same deals.
    reason : str
        Why, or why not.
    level : float
        Level of the whole family of intervals.
    comparisons : int
        Number of intervals that hold at once at that level (Bonferroni); 1: each on its own.
    frame : DataFrame
        One row a figure: ``name seat group``; ``a a_low a_high b b_low b_high`` (95 % each);
        ``difference`` (a - b) with ``se low high``; ``n`` pairs, or games of the smaller
        sample; ``variance_ratio`` (how many independent games of each setup a pair is worth)
        and ``games_saved``, null where not paired; ``detectable``, the smallest true
        difference that this many games would have shown with probability 0.8.
    elapsed : float
        Seconds of play.
    """

    a: Setup
    b: Setup
    games: int
    paired: bool
    reason: str
    level: float
    comparisons: int
    frame: pd.DataFrame
    elapsed: float = 0.0

    def row(self, name: str, seat: int | None = None, group: str | None = None) -> pd.Series[Any]:
        """Return the row of one figure.

        Raises
        ------
        BadInput
            If there is no such figure.
        """
        frame = self.frame
        if not isinstance(name, str):
            raise BadInput(f"metric {name!r}: give its name, for example 'rate_out'")
        same = frame["name"] == name
        for column, value in (("seat", seat), ("group", group)):
            same &= frame[column].isna() if value is None else (frame[column] == value)
        if not same.any():
            known = ", ".join(dict.fromkeys(frame["name"]))
            raise BadInput(f"metric {name!r}, seat {seat}, group {group}: compared were {known}")
        return frame[same].iloc[0]

    @property
    def how(self) -> str:
        """Say in one line whether the comparison is paired, and why."""
        return f"{'paired' if self.paired else 'independent'}: {self.reason}"

    def labels(self) -> tuple[str, str]:
        """Return what tells the two setups apart, in words."""
        return unlike(self.a, self.b)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as JSON values; what is not known is None."""
        frame = self.frame.astype(object).where(self.frame.notna(), None)
        return {
            "game": self.a.game.name,
            "a": self.a.describe(),
            "b": self.b.describe(),
            "games": self.games,
            "paired": self.paired,
            "reason": self.reason,
            "level": self.level,
            "comparisons": self.comparisons,
            "elapsed_s": round(self.elapsed, 6),
            "metrics": [
                {key: plain(value) for key, value in row.items()}
                for row in frame.to_dict(orient="records")
            ],
        }

    def __repr__(self) -> str:
        a, b = self.labels()
        return f"<Comparison: {a} - {b}, {self.games:,} games, {self.how}>"

    def _repr_html_(self) -> str:
        """Show the differences in Jupyter."""
        a, b = (html.escape(text) for text in self.labels())
        shown = self.frame[self.frame["group"].isna()].drop(columns=["group", "games_saved"])
        table = as_html(shown, 5)
        many = f", for {self.comparisons} at once (Bonferroni)" if self.comparisons > 1 else ""
        return (
            f"<p><b>{html.escape(self.a.game.title)}: a = {a}; b = {b}</b><br>"
            f"{self.games:,} games of each, {html.escape(self.how)};"
            f" difference a - b with {100 * self.level:g} % intervals{many}</p>{table}"
        )


def compare(
    a: Setup | Run | Mapping[str, Any],
    b: Setup | Run | Mapping[str, Any],
    *,
    games: float = 100_000,
    game: str | None = None,
    variety: str | None = None,
    players: int | None = None,
    unit: str | None = None,
    rules: Mapping[str, Any] | None = None,
    preset: str | None = None,
    policies: Policies = "random",
    seed: int = 0,
    play_seed: int | None = None,
    metrics: Iterable[str] | None = None,
    groups: bool = False,
    level: float = LEVEL,
    family: int | Literal["rows"] = 1,
    threads: int | None = None,
    chunk: int | None = None,
    progress: Progress | bool | None = None,
) -> Comparison:
    """Play two setups and estimate the differences a - b, on the same deals where possible.

    Parameters
    ----------
    a, b : Setup, mapping or Run
        A mapping holds arguments of :func:`simlib.simulate` in which this one differs from
        the common ones below; its ``rules`` are added to the common rules. Of two runs with
        rows (``keep="games"``, or stored) the rows are compared and nothing is played.
    games : int
        Games of each, rounded up to whole cycles where contracts are played in turn.
    game, variety, players, unit, rules, preset, policies, seed, play_seed
        What the two have in common, as in :func:`simlib.simulate`.
    metrics : iterable of str, optional
        Only these metrics.
    groups : bool
        Whether each group (King: contract) is compared too.
    level : float
        Confidence level of the differences.
    family : int or "rows"
        How many intervals shall hold at once (Bonferroni): a number, or all rows of this
        comparison; 1: each on its own.
    threads, chunk : int, optional
        Change the speed only.
    progress : callable or bool, optional
        As in :func:`simlib.simulate`.

    Returns
    -------
    Comparison

    Raises
    ------
    BadInput
        If anything given is not valid, or two runs share a seed and cannot be paired.
    PolicyFailure
        If a policy answers outside its options or raises (C-5).

    Examples
    --------
    >>> found = compare({"rules": {"wrap": True}}, {}, game="king-george-iii", games=2000)
    >>> found.paired, bool(found.row("rate_endless")["difference"] < 0)
    (True, True)
    """
    if isinstance(a, Run) or isinstance(b, Run):
        if not (isinstance(a, Run) and isinstance(b, Run)):
            raise BadInput("compare: give two runs, or two setups")
        return _compare_runs(a, b, metrics, groups=groups, level=level, family=family)
    common = {
        "game": game, "variety": variety, "players": players, "unit": unit, "rules": rules,
        "preset": preset, "policies": policies, "seed": seed, "play_seed": play_seed,
    }  # fmt: skip
    return against(
        _setup(b, common),
        [_setup(a, common)],
        games=games,
        metrics=metrics,
        groups=groups,
        level=level,
        family=family,
        threads=threads,
        chunk=chunk,
        progress=progress,
    )[0]


def against(
    base: Setup,
    others: Sequence[Setup],
    *,
    games: float,
    metrics: Iterable[str] | None = None,
    groups: bool = False,
    level: float = LEVEL,
    family: int | Literal["rows"] = 1,
    threads: int | None = None,
    chunk: int | None = None,
    progress: Progress | bool | None = None,
) -> list[Comparison]:
    """Compare several setups with one, which is played only once for all that can be paired.

    Parameters
    ----------
    base : Setup
        The b of every comparison.
    others : sequence of Setup
        The a of each.
    games, metrics, groups, level, family, threads, chunk, progress
        As in :func:`compare`.

    Returns
    -------
    list of Comparison
        Differences other - base, in the order of `others`.
    """
    count = count_argument(games, "games")
    level = level_argument(level)
    threads = default_threads() if threads is None else count_argument(threads, "threads")
    if family != "rows":
        count_argument(family, "family")
    plan = Plan(base, others, names_argument(metrics), groups)
    size = max(1024, CHUNK // len(plan.setups)) if chunk is None else count_argument(chunk, "chunk")
    count = -(-count // plan.cycle) * plan.cycle
    report = reporter(progress)
    totals: list[list[Products]] | None = None
    done, begun = 0, time.perf_counter()
    for setup in plan.setups:
        setup.compiled()  # compile once, before threads meet
    base.game.simulate.build()
    for part in in_threads(
        lambda: Worker(plan), chunks(count, min(size, -(-count // threads))), threads
    ):
        totals = part.sums if totals is None else added(totals, part.sums)
        done += part.games
        if report:
            report(done, count, time.perf_counter() - begun, "")
    assert totals is not None
    elapsed = time.perf_counter() - begun
    return [
        _comparison(plan, i, count, totals, level=level, family=family, elapsed=elapsed)
        for i in range(len(others))
    ]


def _comparison(
    plan: Plan,
    number: int,
    games: int,
    totals: list[list[Products]],
    *,
    level: float,
    family: int | Literal["rows"],
    elapsed: float,
) -> Comparison:
    many = len(plan.keys[number]) if family == "rows" else count_argument(family, "family")
    each = bonferroni_level(max(many, 1), level=level)
    a, b = plan.pairs[number]
    return Comparison(
        a=plan.setups[a],
        b=plan.setups[b],
        games=games,
        paired=plan.reasons[number] is None,
        reason=plan.reason(number),
        level=level,
        comparisons=many,
        frame=_frame(plan.rows(number, totals, each)),
        elapsed=elapsed,
    )


# --- what is played --------------------------------------------------------------------


def _setup(given: Setup | Mapping[str, Any] | Run, common: Mapping[str, Any]) -> Setup:
    if isinstance(given, Setup):
        return given
    if not isinstance(given, Mapping):
        raise BadInput(f"compare {given!r}: give a setup, a run, or a mapping of arguments")
    for name in given:
        if name not in ARGUMENTS:
            raise BadInput(f"compare: no argument {name!r}; there are {', '.join(ARGUMENTS)}")
    merged = {**common, **given}
    if common["rules"] and given.get("rules"):
        merged["rules"] = {**common["rules"], **given["rules"]}
    if merged["game"] is None:
        raise BadInput("compare: name the game, for example game='king-george-iii'")
    return prepare(merged.pop("game"), **merged)


# --- runs that have been played ----------------------------------------------------------


def _compare_runs(
    a: Run,
    b: Run,
    metrics: Iterable[str] | None,
    *,
    groups: bool,
    level: float,
    family: int | Literal["rows"],
) -> Comparison:
    why = obstacle(a.setup, b.setup)
    if why not in (None, "the seeds differ") and a.setup.seed == b.setup.seed:
        raise BadInput(
            f"compare: {why}, but both runs have seed {a.setup.seed} and share part of their"
            " chance; play one with another seed"
        )
    if len(a) != len(b) and why is None:
        raise BadInput(f"compare: runs of {len(a)} and {len(b)} games; play as many of each")
    plan = Plan(b.setup, [a.setup], names_argument(metrics), groups)
    totals: list[list[Products]] | None = None
    for first in range(0, max(len(a), len(b)), BLOCK):
        values = [
            {key: plan.meters[i].values(plan.known[i][key], rows) for key in plan.keys[0]}
            for i, rows in enumerate(_run_rows(run, first) for run in (b, a))
        ]
        part = plan.sums(values, first, BLOCK)
        totals = part.sums if totals is None else added(totals, part.sums)
    assert totals is not None
    games = min(len(a), len(b))
    return _comparison(plan, 0, games, totals, level=level, family=family, elapsed=0.0)


def _run_rows(run: Run, first: int) -> Rows:
    """Return the rows of one block of a run; a stored one reads no more than that."""
    one_each = run.setup.game.merges_deals and run.setup.table.unit == "deal"
    if run.path is not None:
        from simlib.store import StoredRun, load

        stored = run if isinstance(run, StoredRun) else load(run.path)
        tables = [
            stored.read(table, first=first, stop=first + BLOCK) for table in ("games", "deals")
        ]
        return FrameRows(run.setup, tables[0], None if one_each else tables[1])
    games = run.games.iloc[first : first + BLOCK]
    if one_each:
        return FrameRows(run.setup, games, None)
    low, high = np.searchsorted(run.deals["index"].to_numpy(), [first, first + BLOCK])
    return FrameRows(run.setup, games, run.deals.iloc[low:high])


# --- words ---------------------------------------------------------------------------------


#: Columns that hold no floats.
_NO_FLOATS = ("name", "seat", "group", "n", "games_saved")


def _frame(rows: Sequence[Row]) -> pd.DataFrame:
    import pandas as pd

    frame = pd.DataFrame([row.as_dict() for row in rows])
    if frame.empty:
        return frame
    kinds: dict[str, Any] = dict.fromkeys(
        [str(name) for name in frame if name not in _NO_FLOATS],
        "float64",
    )
    return frame.astype({"seat": "Int64", "group": "object", "games_saved": "Int64", **kinds})


def unlike(a: Setup, b: Setup) -> tuple[str, str]:
    """Return in words what tells two setups apart."""
    mine, theirs = _facts(a), _facts(b)
    differ = [key for key in mine | theirs if mine.get(key) != theirs.get(key)]
    differ = [key for key in differ if key not in ("seed", "play_seed")] or differ
    if not differ:
        return "a", "the same as a"
    first, second = (
        ", ".join(f"{key}={facts[key]}" for key in differ if key in facts)
        for facts in (mine, theirs)
    )
    return first, second


def _facts(setup: Setup) -> dict[str, str]:
    asked = setup.describe()
    facts = {key: str(asked[key]) for key in ("variety", "players", "unit", "seed", "play_seed")}
    policies = asked["policies"]
    facts["policies"] = policies[0] if len(set(policies)) == 1 else ",".join(policies)
    return facts | {key: rule_text(value) for key, value in asked["rules"].items()}


def plain(value: Any) -> Any:
    """Return numpy numbers as plain ones."""
    return value.item() if isinstance(value, np.generic) else value
