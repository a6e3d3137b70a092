"""What a game of Royal Corners leaves behind (RC-13): enums, columns, metrics."""

from __future__ import annotations

from simlib.games.columns import Column, Metric, row_dtype

__all__ = ["DEAL", "DEAL_COLUMNS", "ENDINGS", "GAME", "GAME_COLUMNS", "metrics"]

SEATS = 4

#: Endings of a deal (RC-10, RC-12), then those of a match (RC-11), in the order of their codes.
ENDINGS = (
    "blocked",
    "declined",
    "all_out",
    "first_out",
    "last_holder",
    "truncated",
    "complete",
    "censored",
)
BLOCKED, DECLINED, ALL_OUT, FIRST_OUT, LAST_HOLDER, TRUNCATED, COMPLETE, CENSORED = range(8)

_DECISIONS = Column("decisions", "i4", "points with more than one option", clause="RC-12")
_OPTIONS = Column("options", "i4", "sum of the option counts over those points", clause="RC-12")

DEAL_COLUMNS = (
    Column("index", "i8", "index of the game (C-4)"),
    Column("deal", "i4", "index of the deal in its game", clause="C-3"),
    Column("first", "i1", "seat that acts first", "seat", clause="C-3"),
    Column("ending", "i1", "how the deal ended", labels=ENDINGS, clause="RC-10"),
    _DECISIONS,
    _OPTIONS,
    Column(
        "penalty", "i1", "penalty points: 10 a king in hand, 1 any other card", "points", SEATS,
        clause="RC-11",
    ),
    Column("cards_left", "i1", "cards left in this seat's hand", "cards", SEATS, clause="RC-13"),
    Column("kings_left", "i1", "kings among them", "cards", SEATS, clause="RC-13"),
    Column("out_order", "i1", "0: first out, 1: next, …; -1: still in", "", SEATS, clause="RC-9"),
    Column("turns", "i4", "turns played", "turns"),
    Column("hand_plays", "i2", "cards put down from hands", "cards"),
    Column("stock_plays", "i2", "open stock cards put down (RC-7)", "cards"),
    Column("pile_moves", "i2", "piles moved (RC-5, RC-14)", "piles"),
    Column("draws", "i2", "cards drawn from the stock (RC-8)", "cards"),
    Column("stock_left", "i1", "cards left in the stock", "cards"),
    Column("someone_out", "?", "somebody went out (RC-9)"),
    Column("first_out_turn", "i4", "turn in which the first player went out; -1: nobody", "turn"),
)  # fmt: skip
GAME_COLUMNS = (
    Column("ending", "i1", "how the match, or the deal on its own, ended", labels=ENDINGS,
           clause="RC-11"),
    Column("win_share", "u1", "share of the win (C-9)", "share", SEATS, scale=60, clause="RC-11"),
    Column("censored", "?", "stopped by a cap (C-8, RC-11, RC-12)"),
    Column("deals", "i4", "deals played", "deals", clause="RC-11"),
    Column("total", "i4", "penalty points of all deals", "points", SEATS, clause="RC-11"),
    Column("loser", "u1", "1: reached the target without the lowest total", "", SEATS,
           clause="RC-11"),
    _DECISIONS,
    _OPTIONS,
)  # fmt: skip

DEAL = row_dtype(DEAL_COLUMNS)
GAME = row_dtype(GAME_COLUMNS)

_COUNTS = (
    ("turns", "turns"),
    ("hand_plays", "cards played from hands"),
    ("stock_plays", "open stock cards played"),
    ("pile_moves", "piles moved"),
    ("draws", "cards drawn"),
    ("stock_left", "cards left in the stock"),
)
_RATES = (
    (BLOCKED, "play stalled and nobody could have moved"),
    (DECLINED, "play stalled although somebody could have moved"),
    (ALL_OUT, "everybody went out"),
    (FIRST_OUT, "stopped when the first player went out (end=first_out)"),
    (LAST_HOLDER, "stopped when one player was left (end=last_holder)"),
    (TRUNCATED, "stopped at max_turns (RC-12)"),
)


def metrics(unit: str) -> tuple[Metric, ...]:
    """Return the figures of a run in the order printed; the first is the headline.

    Parameters
    ----------
    unit : {"deal", "match"}
        In matches the figures of deals are given per deal, beside those of the match.
    """
    return (*_PER_DEAL, *_PER_MATCH) if unit == "match" else (*_PER_DEAL, _WIN_SHARE)


def _mean(name: str, says: str, *, seats: bool = False) -> Metric:
    return Metric(name, "mean", name, says, seats=seats, level="deal")


_WIN_SHARE = Metric(
    "win_share", "mean", "win_share", "share of the win (C-9)", seats=True, most=1.0
)
_PER_DEAL = (
    Metric("rate_someone_out", "rate", "someone_out", "somebody went out (RC-9) / all deals",
           positive=True, level="deal"),
    *(Metric(f"rate_{ENDINGS[code]}", "rate", "ending", f"{says} / all deals", equals=(code,),
             level="deal") for code, says in _RATES),
    _mean("penalty", "penalty points per deal (RC-11)", seats=True),
    _mean("cards_left", "cards left in hand per deal", seats=True),
    _mean("kings_left", "kings left in hand per deal", seats=True),
    *(_mean(name, f"{says} per deal") for name, says in _COUNTS),
    _mean("decisions", "points with more than one option per deal"),
    _mean("options", "sum of option counts there per deal"),
)  # fmt: skip
_PER_MATCH = (
    _WIN_SHARE,
    Metric("loser", "rate", "loser", "reached the target and did not win (RC-11)", seats=True,
           positive=True),
    Metric("deals", "mean", "deals", "deals of a match (a censored one counts max_deals)"),
    Metric("total", "mean", "total", "penalty points at the end of a match", seats=True),
    Metric("rate_complete", "rate", "ending", "matches that reached the target / all matches",
           equals=(COMPLETE,)),
    Metric("rate_censored", "rate", "censored", "matches stopped at max_deals / all matches",
           positive=True),
)  # fmt: skip
