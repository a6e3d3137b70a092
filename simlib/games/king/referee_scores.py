"""What a deal of King comes to: scores, ending, columns (K-3, K-6, K-10)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from simlib.games.king.referee_options import show
from simlib.games.king.referee_setting import Setting
from simlib.games.king.referee_table import Table
from simlib.games.refereeing import is_whole, refuse

__all__ = [
    "check_result",
    "deal_columns",
    "score",
    "scoring_cards",
    "shares",
    "slam",
    "took_everything",
]

ENDINGS = ("played", "early", "void")


def score(table: Table) -> list[int]:
    """Return the scores of a deal, by seat."""
    setting = table.setting
    if table.ending == "void":
        return [0] * setting.players
    values = table.values
    taker = slam(table) if values.slam else None
    if taker is not None:
        scores = [values.slam if seat == taker else 0 for seat in range(setting.players)]
    else:
        scores = [_points(table, seat) for seat in range(setting.players)]
    if setting.bids and table.declarer is not None:
        scores[table.declarer] += table.bid if setting.rule("bid") == "gain" else -table.bid
    return scores


def _points(table: Table, seat: int) -> int:
    """Return what the tricks and cards of a seat come to."""
    values = table.values
    points = sum(values.cards.get(card, 0) for card in _captured(table, seat))
    points += values.trick * table.winners.count(seat)
    return points + values.last * table.winners[-2:].count(seat)


def _captured(table: Table, seat: int) -> list[str]:
    """Return the cards that count for a seat: a scoring card laid away is taken by him (K-X)."""
    return table.taken[seat] + (table.laid_away if seat == table.declarer else [])


def scoring_cards(table: Table, seat: int) -> int:
    """Return how many cards that score count for a seat."""
    if table.ending == "void":
        return 0
    return sum(1 for card in _captured(table, seat) if table.values.cards.get(card))


def slam(table: Table) -> int | None:
    """Return who took every card in play that scores (K-B), None if nobody did."""
    scoring = set(table.values.cards) - set(table.aside)
    for seat in range(table.setting.players):
        if scoring and scoring <= set(_captured(table, seat)):
            return seat
    return None


def took_everything(table: Table) -> bool:
    """Tell whether one seat took all that scores: tricks, else the last two, else cards (K-10)."""
    if table.ending == "void":
        return False
    if table.values.trick:
        return len(set(table.winners)) == 1
    if table.values.last:
        return len(set(table.winners[-2:])) == 1
    return slam(table) is not None


def check_result(table: Table, deal: Mapping[str, Any]) -> None:
    """Compare ending, declarer, contract, trump and scores of a deal with its events."""
    setting, number = table.setting, table.number
    found = deal["ending"]
    if not isinstance(found, str) or found not in ENDINGS:
        refuse("C-10", f"ending is {show(found)}; valid: {', '.join(ENDINGS)}", deal=number)
    if found != table.ending:
        clause = "K-A" if "void" in (found, table.ending) else "K-6"
        refuse(clause, f"ending is {found}, but the deal was {table.ending}", deal=number)
    _check_head(setting, table, deal)
    table.scores = score(table)
    found = deal["scores"]
    if (
        not isinstance(found, list)
        or len(found) != setting.players
        or not all(is_whole(points) for points in found)
    ):
        refuse("C-10", "scores is not a list with one whole number a seat", deal=number)
    if found != table.scores:
        clause = "K-D" if table.kept else setting.score_clause
        reason = f"scores are {show(found)}, but the cards give {table.scores}"
        refuse(clause, reason, deal=number)


def _check_head(setting: Setting, table: Table, deal: Mapping[str, Any]) -> None:
    """Check the three keys that repeat what the events say (C-10)."""
    declared = setting.orders or setting.bids
    listed = setting.clause if declared else "K-7"
    wanted: tuple[tuple[str, int | str | None, str], ...] = (
        ("declarer", table.declarer, setting.clause if declared else "C-10"),
        ("contract", table.contract, listed if setting.contract_count else "C-10"),
        ("trump", table.trump, "K-O" if declared and not setting.names_suit else "C-10"),
    )
    for key, value, clause in wanted:
        found = deal[key]
        if not isinstance(found, str) and not is_whole(found) and found is not None:
            refuse("C-10", f"{key} is {show(found)}", deal=table.number)
        if found != value:
            reason = f"{key} is {show(found)}, but by the events {show(value)}"
            refuse(clause, reason, deal=table.number)


def shares(totals: list[int]) -> list[Fraction]:
    """Return the win shares when the highest total wins (C-9)."""
    best = max(totals)
    winners = totals.count(best)
    return [Fraction(1, winners) if total == best else Fraction(0) for total in totals]


def deal_columns(table: Table) -> dict[str, Any]:
    """Return the columns of a deal, as they stand in the table of deals (K-10).

    `bid`, `slam`, `decisions` and `options` are not in here: they have rules of their own.
    """
    columns: dict[str, Any] = {
        "deal": table.number,
        "first": table.first,
        "contract": table.setting.label(table.contract),
        "declarer": -1 if table.declarer is None else table.declarer,
        "trump": table.trump,
        "tricks_played": len(table.winners),
        "cards_drawn": table.drawn,
        "ending": table.ending,
    }
    for seat in range(table.setting.players):
        columns[f"score_{seat}"] = table.scores[seat]
        columns[f"tricks_{seat}"] = table.winners.count(seat)
    return columns
