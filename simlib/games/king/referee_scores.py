"""What a deal of King comes to: scores, ending, columns (K-3, K-6, K-10)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from simlib.games.king.referee_options import SCORE_CLAUSE, Setting, deck_of, show, values_of
from simlib.games.king.referee_table import Table
from simlib.games.refereeing import is_whole, refuse

__all__ = ["check_result", "deal_columns", "score", "shares", "slam"]

ENDINGS = ("played", "early", "void")
OMNIBUS_BONUS = 26


def score(table: Table) -> list[int]:
    """Return the scores of a deal, by seat."""
    setting = table.setting
    if table.ending == "void":
        return [0] * setting.players
    if setting.variety == "omnibus" and (taker := slam(table)) is not None:
        return [OMNIBUS_BONUS if seat == taker else 0 for seat in range(setting.players)]
    values = values_of(setting, table.contract, table.penalty)
    last_two = table.winners[-2:]
    scores = []
    for seat in range(setting.players):
        points = sum(values.cards.get(card, 0) for card in table.taken[seat])
        points += values.trick * table.winners.count(seat)
        points += values.last * last_two.count(seat)
        scores.append(points)
    if table.declarer is not None:
        # A scoring card laid away counts as taken by him (K-X); others score nothing.
        scores[table.declarer] += sum(values.cards.get(card, 0) for card in table.laid_away)
        if setting.variety == "trade":
            scores[table.declarer] += table.bid if setting.rules["bid"] == "gain" else -table.bid
    return scores


def slam(table: Table) -> int | None:
    """Return who took all fifteen cards of Omnibus (K-B), None if nobody did."""
    scoring = {card for card in deck_of(table.setting) if card[1] == "H"} | {"QS", "TD"}
    for seat, cards in enumerate(table.taken):
        if scoring <= set(cards):
            return seat
    return None


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
        clause = "K-D" if table.kept else SCORE_CLAUSE[setting.variety]
        reason = f"scores are {show(found)}, but the cards give {table.scores}"
        refuse(clause, reason, deal=number)


def _check_head(setting: Setting, table: Table, deal: Mapping[str, Any]) -> None:
    """Check the three keys that repeat what the events say (C-10)."""
    declared = setting.orders or setting.variety == "trade"
    listed = setting.clause if setting.orders else "K-7"
    wanted: tuple[tuple[str, int | str | None, str], ...] = (
        ("declarer", table.declarer, setting.clause if declared else "C-10"),
        ("contract", table.contract, listed if setting.contract_count else "C-10"),
        ("trump", table.trump, "K-O" if setting.orders else "C-10"),
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
        "contract": table.contract,
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
