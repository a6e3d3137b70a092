"""What a game of King leaves behind (K-10): enums, columns, metrics."""

from __future__ import annotations

from typing import Any

import numpy as np

from simlib.games.columns import Column, Metric, row_dtype
from simlib.games.king.contracts import LABELS
from simlib.games.king.house import MOST_CONTRACTS
from simlib.games.king.rules import HouseRules, KingRules

__all__ = [
    "CONTRACTS",
    "DEAL",
    "DEAL_COLUMNS",
    "ENDINGS",
    "GAME",
    "GAME_COLUMNS",
    "contract_labels",
    "metrics",
]

SEATS = 4

#: Endings of a deal (K-6, K-A), then those of a match (K-7, K-11), in the order of their codes.
ENDINGS = ("played", "early", "void", "complete", "limit", "censored")
PLAYED, EARLY, VOID, COMPLETE, LIMIT, CENSORED = range(6)

#: Labels of the column ``contract``: those of the seeds, then the rows of a house variety.
CONTRACTS = (*LABELS, *(f"custom-{row}" for row in range(MOST_CONTRACTS)))
TRUMPS = ("S", "H", "D", "C")

_DECISIONS = Column("decisions", "i4", "points with more than one option", clause="K-8")
_OPTIONS = Column("options", "i4", "sum of the option counts over those points", clause="K-8")

DEAL_COLUMNS = (
    Column("index", "i8", "index of the game (C-4)"),
    Column("deal", "i4", "index of the deal in its game", clause="C-3"),
    Column("first", "i1", "seat that is first in this deal", "seat", clause="C-3"),
    Column("ending", "i1", "how the deal ended", labels=ENDINGS, clause="K-6"),
    Column("contract", "i1", "contract played; none where a variety has none", labels=CONTRACTS,
           clause="K-3"),
    Column("declarer", "i1", "who named contract or penalty suit; -1: nobody", "seat",
           clause="K-O"),
    Column("trump", "i1", "trump suit", labels=TRUMPS, clause="K-O"),
    Column("bid", "i1", "highest bid; 0: all passed; -1: no auction", "points", clause="K-A"),
    Column("score", "i2", "score of this seat", "points", SEATS, clause="K-3"),
    Column("tricks", "i1", "tricks taken by this seat", "tricks", SEATS, clause="K-10"),
    Column("taken", "i1", "scoring cards taken by this seat, or laid away by it", "cards", SEATS,
           clause="K-10"),
    Column("tricks_played", "i1", "tricks played", "tricks", clause="K-10"),
    Column("cards_drawn", "i1", "cards drawn from the reserve", "cards", clause="K-D"),
    Column("slam", "?", "one seat took everything that scores (tricks, else the last two, else"
           " the cards)", clause="K-10"),
    _DECISIONS,
    _OPTIONS,
)  # fmt: skip
GAME_COLUMNS = (
    Column("ending", "i1", "how the match, or the deal on its own, ended", labels=ENDINGS,
           clause="K-7"),
    Column("win_share", "u1", "share of the win (C-9)", "share", SEATS, scale=60, clause="K-10"),
    Column("censored", "?", "stopped by max_deals (C-8, K-11)"),
    Column("deals", "i4", "deals played", "deals", clause="K-10"),
    Column("total", "i4", "sum of the scores", "points", SEATS, clause="K-10"),
    _DECISIONS,
    _OPTIONS,
)  # fmt: skip

DEAL = row_dtype(DEAL_COLUMNS)
GAME = row_dtype(GAME_COLUMNS)


def contract_labels(rules: KingRules) -> tuple[str, ...]:
    """Return the labels of the column ``contract`` for these rules (K-3).

    The names of a house variety stand in place of ``custom-0`` ….
    """
    if not isinstance(rules, HouseRules) or rules.custom is None:
        return CONTRACTS
    names = tuple(row.name for row in rules.custom.contracts)
    return (*LABELS, *names, *CONTRACTS[len(LABELS) + len(names) :])


def _has(rules: KingRules, *what: str) -> bool:
    """Tell whether a variety has an auction, a reserve, early ends, contracts."""
    house = rules.custom if isinstance(rules, HouseRules) else None
    has = {
        "auction": rules.variety == "trade" or bool(house and house.choice == "auction"),
        "reserve": rules.variety == "domino" or bool(house and house.reserve),
    }
    return all(has[name] for name in what)


def metrics(rules: KingRules, unit: str) -> tuple[Metric, ...]:
    """Return the figures of a run in the order printed; the first is the headline.

    Parameters
    ----------
    rules : KingRules
        Figures of things that a variety does not have are left out.
    unit : {"deal", "match"}
        In matches the figures of deals are given per deal, beside those of the match.
    """
    per_deal = _per_deal(rules)
    return (*per_deal, *_per_match()) if unit == "match" else (*per_deal, _win_share("deal"))


def _mean(name: str, says: str, **more: Any) -> Metric:
    return Metric(name, "mean", name, says, level="deal", **more)


def _rate(name: str, says: str, code: int, *, grouped: bool = True) -> Metric:
    return Metric(
        f"rate_{name}", "rate", "ending", says, equals=(code,), grouped=grouped, level="deal"
    )


def _win_share(what: str) -> Metric:
    return Metric(
        "win_share",
        "mean",
        "win_share",
        f"share of the win of a {what} (C-9)",
        seats=True,
        most=1.0,
    )


def _per_deal(rules: KingRules) -> tuple[Metric, ...]:
    found = [
        _mean("score", "score per deal (K-10)", seats=True, grouped=True, least=None),
        _mean("tricks", "tricks taken per deal", seats=True, grouped=True),
        _mean("taken", "scoring cards taken per deal", seats=True, grouped=True),
        Metric("rate_slam", "rate", "slam", "deals in which one seat took everything that scores"
               " / all deals", positive=True, grouped=True, level="deal"),
        _rate("early", "deals stopped when nothing could score any more (K-6) / all deals", EARLY),
        _mean("tricks_played", "tricks played per deal", grouped=True),
    ]  # fmt: skip
    if _has(rules, "reserve"):
        found.append(_mean("cards_drawn", "cards drawn from the reserve per deal", grouped=True))
    if _has(rules, "auction"):
        found.append(_rate("void", "deals in which all passed / all deals", VOID, grouped=False))
        found.append(_mean("bid", "highest bid, 0 where all passed (K-A)"))
    found.append(_mean("decisions", "points with more than one option per deal", grouped=True))
    found.append(_mean("options", "sum of option counts there per deal", grouped=True))
    return tuple(found)


def _per_match() -> tuple[Metric, ...]:
    return (
        _win_share("match"),
        Metric("deals", "mean", "deals", "deals of a match (a censored one counts max_deals)"),
        Metric("total", "mean", "total", "sum of the scores of a match", seats=True, least=None),
        Metric("rate_complete", "rate", "ending", "matches with every deal played / all matches",
               equals=(COMPLETE,)),
        Metric("rate_limit", "rate", "ending", "matches ended by a limit (K-11) / all matches",
               equals=(LIMIT,)),
        Metric("rate_censored", "rate", "censored", "matches stopped at max_deals / all matches",
               positive=True),
    )  # fmt: skip


def empty_rows(count: int) -> np.ndarray:
    """Return `count` rows of the table of games, zeroed."""
    return np.zeros(count, GAME)
