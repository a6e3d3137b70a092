"""What a game of King George III leaves behind (KG-14): enums, columns, metrics."""

from __future__ import annotations

import numpy as np

from simlib.games.columns import Column, Metric, row_dtype

__all__ = ["DEAL", "DEAL_COLUMNS", "ENDINGS", "GAME", "GAME_COLUMNS", "METRICS", "PROOFS"]

SEATS = 5

#: Endings of a deal, in the order of their codes.
ENDINGS = ("out", "deadlock", "endless", "truncated")
OUT, DEADLOCK, ENDLESS, TRUNCATED = range(4)
#: How an endless deal was proved (KG-12).
PROOFS = ("orphans", "cycle")
ORPHANS, CYCLE = range(2)

_COUNTS = (
    Column("ending", "i1", "how the deal ended", labels=ENDINGS, clause="KG-14"),
    Column("proof", "i1", "how endlessness was proved", labels=PROOFS, clause="KG-12"),
    Column("decisions", "i4", "points with more than one option", clause="KG-13"),
    Column("options", "i4", "sum of the option counts over those points", clause="KG-13"),
    Column("turns", "i4", "turns played (before the first turn at which a proof held)", "turns"),
    Column("plays", "i4", "cards put down", "cards"),
    Column("draws", "i4", "cards drawn from the stock", "cards"),
    Column("recycles", "i4", "times the pile became the stock (KG-6)"),
    Column("resets", "i1", "piles set aside by an ace (KG-8)"),
    Column("passes", "i4", "turns passed (KG-7)", "turns"),
    Column("longest_draw", "i1", "most cards drawn in one turn", "cards"),
    Column("longest_run", "i1", "most cards put down in one turn, lead included", "cards"),
    Column("last_reset", "i4", "turn of the last reset, from 0; -1: none", "turn"),
    Column("first_out", "i1", "seat that was out first; -1: nobody", "seat"),
    Column(
        "cards_left", "i1", "cards left in this seat's hand; -1: not in the deal", "cards", SEATS
    ),
    Column(
        "orphans",
        "i1",
        "cards in this hand that can never be played again; 0 while a pile can still be set aside",
        "cards",
        SEATS,
    ),
    Column("cycle_of", "i4", "earlier turn with the same complete state (KG-12); -1: none", "turn"),
)

DEAL_COLUMNS = (
    Column("index", "i8", "index of the game (C-4)"),
    Column("deal", "i4", "index of the deal in its game: 0, then the playoffs", clause="C-3"),
    Column("first", "i1", "seat that acts first", "seat", clause="C-3"),
    *_COUNTS,
)
GAME_COLUMNS = (
    *_COUNTS,
    Column("final_ending", "i1", "how the last deal ended", labels=ENDINGS, clause="KG-14"),
    Column("playoffs", "i4", "deals after the first (KG-10)", "deals"),
    Column("winner", "i1", "seat that won alone; -1: none or shared", "seat"),
    Column("win_share", "u1", "share of the win (C-9)", "share", SEATS, scale=60),
    Column("censored", "?", "the winner is not known (C-8, KG-14)"),
)

DEAL = row_dtype(DEAL_COLUMNS)
GAME = row_dtype(GAME_COLUMNS)

_OUT = ("ending", (OUT,))


def _rate(name: str, column: str, codes: tuple[int, ...], says: str) -> Metric:
    return Metric(f"rate_{name}", "rate", column, says, equals=codes)


#: The figures of a run, in the order printed. The first is the headline of house rules.
METRICS = (
    _rate("endless", "ending", (ENDLESS,), "first deals proved endless / all games (KG-12)"),
    _rate("out", "ending", (OUT,), "first deals that ended with a player out / all games"),
    _rate("deadlock", "ending", (DEADLOCK,), "first deals ending in deadlock / all games (KG-11)"),
    _rate("orphans", "proof", (ORPHANS,), "first deals endless by orphans / all games (KG-12)"),
    _rate("cycle", "proof", (CYCLE,), "first deals endless by a cycle / all games (KG-12)"),
    _rate("truncated", "ending", (TRUNCATED,), "first deals stopped at max_turns / all games"),
    Metric("rate_playoff", "rate", "playoffs", "games with a playoff / all games", positive=True),
    Metric("rate_censored", "rate", "censored", "games whose winner is not known", positive=True),
    Metric(
        "win_share", "mean", "win_share", "share of the win per game (C-9)", seats=True, most=1.0
    ),
    Metric(
        "turns_ended",
        "mean",
        "turns",
        "turns of first deals that ended (out or deadlock)",
        given=("ending", (OUT, DEADLOCK)),
    ),
    Metric(
        "turns_restricted",
        "mean",
        "turns",
        "min(length, max_turns) of all first deals, an endless one counting max_turns",
        capped=("ending", (ENDLESS,), "max_turns"),
    ),
    *(
        Metric(name, "mean", name, f"{name}, given that the first deal ended out", given=_OUT)
        for name in (
            "plays",
            "draws",
            "recycles",
            "resets",
            "passes",
            "longest_draw",
            "longest_run",
        )
    ),
    Metric("cards_left", "mean", "cards_left", "cards left, given out", seats=True, given=_OUT),
    Metric("orphans", "mean", "orphans", "orphans in hand, given out", seats=True, given=_OUT),
    Metric(
        "decisions", "mean", "decisions", "points with more than one option, given out", given=_OUT
    ),
    Metric("options", "mean", "options", "sum of option counts there, given out", given=_OUT),
)


def empty_rows(count: int) -> np.ndarray:
    """Return `count` rows of the table of games, zeroed."""
    return np.zeros(count, GAME)
