"""A game of King as a whole: how a match goes on and ends, and its row (K-7, K-10, K-11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from simlib.games.king.referee_options import show
from simlib.games.king.referee_scores import (
    deal_columns,
    scoring_cards,
    shares,
    slam,
    took_everything,
)
from simlib.games.king.referee_setting import Setting
from simlib.games.king.referee_table import Table
from simlib.games.refereeing import is_whole, refuse, same_number

__all__ = ["Match", "check_outcome"]

MATCH_ENDINGS = ("complete", "limit", "censored")


class Match:
    """The state of a match between its deals."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.totals = [0] * setting.players
        self.tables: list[Table] = []
        self._left = [setting.book for _ in range(setting.players)]

    def left(self, number: int) -> Counter[str] | None:
        """Return what the declarer of the next deal may name, where he may choose."""
        setting = self.setting
        if setting.bids:
            return Counter(set(setting.book))
        if not setting.orders or setting.unit == "deal":
            return None
        start = setting.index if setting.rules["first"] == "rotate" else 0
        return self._left[(start + number + setting.declarer_step) % setting.players]

    def add(self, table: Table) -> None:
        """Count a deal."""
        self.tables.append(table)
        self.totals = [a + b for a, b in zip(self.totals, table.scores, strict=True)]

    def ending(self) -> str | None:
        """Return how the match has ended, None if it goes on (K-7, K-11)."""
        if self._limit_reached():
            return "limit"
        if len(self.tables) == self.setting.length:
            return "complete"
        if len(self.tables) == self.setting.rule("max_deals"):
            return "censored"
        return None

    def _limit_reached(self) -> bool:
        low, high = self.setting.limits
        below = low is not None and min(self.totals) <= low
        return below or (high is not None and max(self.totals) >= high)

    def require_next(self, number: int) -> None:
        """Refuse a deal that comes after the end."""
        ending = self.ending()
        if ending is not None:
            clause = self.setting.length_clause if ending == "complete" else "K-11"
            refuse(clause, f"a deal after the end of the match ({ending})", deal=number)

    def require_end(self, stated: object) -> str:
        """Refuse a match that stops before its end; return its ending.

        The ending that the record states tells which clause it pretends to obey.
        """
        ending = self.ending()
        if ending is None:
            short = self.setting.length is not None and stated not in ("limit", "censored")
            clause = self.setting.length_clause if short else "K-11"
            refuse(clause, f"the match is not over after {len(self.tables)} deals")
        return ending


# --- the row of the table of games ----------------------------------------------------


def check_outcome(match: Match, record: Mapping[str, Any]) -> None:
    """Compare every known column of `outcome` with the deals (K-10).

    Others are passed over: the columns are those "at least", a program may have more of its own.
    """
    row = record["outcome"]
    columns: dict[str, Any] = {"seed": record["seed"], "index": record["index"]}
    if match.setting.unit == "deal":
        table = match.tables[0]
        ended = table.ending
        columns |= deal_columns(table)
        _check_bid(table, row)
        _check_slam(table, row)
        _check_taken(table, row)
    else:
        ended = match.require_end(_column(row, "ending"))
        _check_match_ending(row, ended)
        columns |= {"deals": len(match.tables), "ending": ended}
        columns |= {f"total_{seat}": total for seat, total in enumerate(match.totals)}
    _check_win(match, row, ended)
    for name, value in columns.items():
        _check_column(row, name, value)
    _check_counts(match, row)


def _column(row: Mapping[str, Any], name: str) -> Any:
    if name not in row:
        refuse("K-10", f"outcome lacks {name}")
    return row[name]


def _check_column(row: Mapping[str, Any], name: str, value: object, clause: str = "K-10") -> None:
    found = _column(row, name)
    same_kind = isinstance(found, str) or found is None or is_whole(found)
    if not same_kind or found != value:
        refuse(clause, f"outcome: {name} is {show(found)} instead of {show(value)}")


def _check_bid(table: Table, row: Mapping[str, Any]) -> None:
    """Check the column `bid`; without a bid it is -1 or null, after passes 0 too."""
    found = _column(row, "bid")
    valid: tuple[int | None, ...] = (table.bid,)
    if not table.setting.bids:
        valid = (-1, None)
    elif table.ending == "void":
        valid = (0, -1, None)
    if (found is not None and not is_whole(found)) or found not in valid:
        refuse("K-10", f"outcome: bid is {show(found)} instead of {valid[0]}")


def _check_slam(table: Table, row: Mapping[str, Any]) -> None:
    """Check `slam`: whether one seat took everything that scores.

    A program may know slams only where they have points of their own (K-B); elsewhere it says
    false.
    """
    found = _column(row, "slam")
    if table.ending != "void" and table.values.slam:
        _check_truth("slam", found, slam(table) is not None, "K-B")
    elif found != 0 or isinstance(found, float):
        _check_truth("slam", found, took_everything(table), "K-10")


def _check_taken(table: Table, row: Mapping[str, Any]) -> None:
    """Check the scoring cards of each seat, a column that a program may leave out."""
    for seat in range(table.setting.players):
        name = f"taken_{seat}"
        if name in row:
            _check_column(row, name, scoring_cards(table, seat))


def _check_truth(name: str, found: object, wanted: bool, clause: str) -> None:
    if not (isinstance(found, bool) or is_whole(found)) or found != wanted:
        refuse(clause, f"outcome: {name} is {show(found)} instead of {str(wanted).lower()}")


def _check_match_ending(row: Mapping[str, Any], ended: str) -> None:
    found = _column(row, "ending")
    if not isinstance(found, str) or found not in MATCH_ENDINGS:
        refuse("K-10", f"outcome: ending is {show(found)}; valid: {', '.join(MATCH_ENDINGS)}")
    _check_column(row, "ending", ended, "K-7" if ended == "complete" else "K-11")


def _check_win(match: Match, row: Mapping[str, Any], ended: str) -> None:
    """Check win shares (C-9) and `censored`; nobody wins a void deal or a capped match."""
    clause = "K-11" if ended == "censored" else "K-10"
    wins = shares(match.totals)
    if ended in ("void", "censored"):
        wins = [Fraction(0)] * match.setting.players
    for seat, share in enumerate(wins):
        found = _column(row, f"win_share_{seat}")
        if not same_number(found, float(share)):
            reason = f"outcome: win_share_{seat} is {show(found)} instead of {share}"
            refuse(clause, reason)
    _check_truth("censored", _column(row, "censored"), ended == "censored", clause)


def _check_counts(match: Match, row: Mapping[str, Any]) -> None:
    """Check the points with more than one option, and the options there (K-8, K-9)."""
    tables = match.tables
    clause = "K-8" if all(table.only_plays for table in tables) else "K-9"
    for name, value in (
        ("decisions", sum(table.decisions for table in tables)),
        ("options", sum(table.options for table in tables)),
    ):
        _column(row, name)
        _check_column(row, name, value, clause)
