"""The referee of Royal Corners: the rules again, in plain Python, from the record alone.

Written from RULES.md and sharing no code with the kernel. ``check`` reads one record
(C-10) and names the first fault (C-11).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simlib.games.refereeing import (
    Fault,
    Option,
    Refusal,
    check_envelope,
    is_whole,
    refuse,
    same_number,
)
from simlib.games.royal_corners.referee_deal import Played, read_deal
from simlib.games.royal_corners.referee_table import DECK, ORDINARY

__all__ = ["check"]


def _one_of(*values: str) -> Option:
    return Option(lambda value: isinstance(value, str) and value in values, ", ".join(values))


_COUNT = Option(lambda value: is_whole(value) and value >= 1, "a whole number from 1")

OPTIONS = {
    "hand_size": Option(
        lambda value: value is None or (is_whole(value) and value >= 1),
        "null or a whole number from 1",
    ),
    "starter": _one_of("dealer", "left"),
    "merge": _one_of("down", "up"),
    "vacated": _one_of("next_move", "turn", "next_turn", "always", "never"),
    "stock_face": _one_of("up", "down"),
    "draw": _one_of("after_play", "every_turn", "turn_start"),
    "end": _one_of("play_on", "first_out", "last_holder"),
    "target": _COUNT,
    "max_deals": _COUNT,
    "max_turns": _COUNT,
    "king_corners": Option(lambda value: is_whole(value) and value in (0, 4), "0, 4"),
    "king_pile": Option(lambda value: isinstance(value, bool), "false, true"),
    "first": _one_of("zero", "rotate"),
}


def check(record: object) -> Fault | None:
    """Read one game record of Royal Corners and look for a fault.

    Every act, ending, score and column of ``outcome`` is recomputed from the deals and
    the events (RC-1 to RC-14, C-3, C-7, C-9, C-10).

    Parameters
    ----------
    record : object
        Anything that JSON can hold; nothing makes this function raise.

    Returns
    -------
    Fault or None
        The first fault found, under the most specific clause (C-11); None if the record
        is right.
    """
    try:
        _check(record)
    except Refusal as refusal:
        return refusal.fault
    except (RecursionError, ValueError):
        # Nested too deeply, or a number with too many digits, to be shown in a reason.
        return Fault("C-10", "the record holds a value that is too deep or too long to read")
    return None


def _check(record: object) -> None:
    head = check_envelope(
        record,
        game="royal-corners",
        varieties=(None,),
        units=("deal", "match"),
        players=lambda _variety: (2, 3, 4),
        options=lambda _variety: OPTIONS,
    )
    _check_hand_size(head)
    if head["unit"] == "deal":
        _check_deal(head)
    else:
        _check_match(head)


def _check_hand_size(head: Mapping[str, Any]) -> None:
    size = head["rules"]["hand_size"]
    most = (len(DECK) - ORDINARY) // head["players"]
    if size is not None and size > most:
        refuse("RC-1", f"hand_size {size} leaves too few cards for the corners; at most {most}")


def _read(head: Mapping[str, Any], number: int) -> Played:
    players, rules = head["players"], head["rules"]
    start = head["index"] if rules["first"] == "rotate" else 0
    return read_deal(
        head["deals"][number],
        number=number,
        first=(start + number) % players,
        players=players,
        rules=rules,
    )


def _check_deal(head: Mapping[str, Any]) -> None:
    """Check a game that is one deal, and its row with the deal's columns (RC-13)."""
    if len(head["deals"]) != 1:
        refuse("C-3", f"a game of unit deal has one deal, not {len(head['deals'])}")
    played = _read(head, 0)
    row = _Row(head)
    row.whole("deal", 0)
    row.whole("first", head["deals"][0]["first"])
    row.text("ending", played.ending)
    row.whole("decisions", played.decisions)
    row.whole("options", played.options)
    row.whole_of_seats("penalty", played.penalty)
    row.whole_of_seats("cards_left", played.cards_left)
    row.whole_of_seats("kings_left", played.kings_left)
    for key in ("turns", "hand_plays", "stock_plays", "pile_moves", "draws", "stock_left"):
        row.whole(key, getattr(played, key))
    row.flag("someone_out", played.someone_out)
    order = [
        played.outs.index(seat) if seat in played.outs else -1 for seat in range(head["players"])
    ]
    row.whole_of_seats("out_order", order, optional=True)
    row.whole("first_out_turn", played.first_out_turn, optional=True)
    row.flag("censored", played.ending == "truncated")  # stopped by a cap (C-8)
    row.shares(_lowest(played.penalty))


def _check_match(head: Mapping[str, Any]) -> None:
    """Check a match deal by deal, where it ends, and its row (RC-11, RC-13)."""
    target, max_deals = head["rules"]["target"], head["rules"]["max_deals"]
    totals = [0] * head["players"]
    decisions = options = 0
    ending = ""
    for number in range(len(head["deals"])):
        if ending:
            refuse("RC-11", f"the match goes on after it ended as {ending}", deal=number)
        played = _read(head, number)
        totals = [old + new for old, new in zip(totals, played.penalty, strict=True)]
        decisions += played.decisions
        options += played.options
        if max(totals) >= target:
            ending = "complete"
        elif number + 1 == max_deals:
            ending = "censored"
    if not ending:
        refuse("RC-11", f"the match stops at totals {totals} with target {target}")
    winners = _lowest(totals) if ending == "complete" else [False] * len(totals)
    row = _Row(head)
    row.text("ending", ending, "RC-11")
    row.flag("censored", ending == "censored", "RC-11")
    row.whole("deals", len(head["deals"]))
    row.whole("decisions", decisions)
    row.whole("options", options)
    row.whole_of_seats("total", totals)
    row.shares(winners)
    for seat, total in enumerate(totals):
        row.flag(f"loser_{seat}", total >= target and not winners[seat], "RC-11")


def _lowest(penalties: Sequence[int]) -> list[bool]:
    """Tell for each seat whether it wins: nobody has less (RC-11, C-9)."""
    return [points == min(penalties) for points in penalties]


class _Row:
    """The row ``outcome``, compared column by column; what is not asked for is ignored.

    The columns of RC-13 are those "at least": a program may have more of its own, and need not
    have those that are optional here.

    A column that is missing or merely counted wrong breaks RC-13; one that names the
    wrong winner, loser or ending of a match breaks RC-11.
    """

    def __init__(self, head: Mapping[str, Any]) -> None:
        self.row: Mapping[str, Any] = head["outcome"]
        self.whole("seed", head["seed"])
        self.whole("index", head["index"])

    def _get(self, key: str) -> Any:
        if key not in self.row:
            refuse("RC-13", f"outcome lacks {key}")
        return self.row[key]

    def whole(self, key: str, wanted: int, *, optional: bool = False) -> None:
        """Require a whole number; an optional one only if it is there."""
        if optional and key not in self.row:
            return
        found = self._get(key)
        if not is_whole(found) or found != wanted:
            refuse("RC-13", f"outcome: {key} is {found!r}, not {wanted}")

    def whole_of_seats(self, name: str, wanted: Sequence[int], *, optional: bool = False) -> None:
        """Require one whole number a seat."""
        for seat, number in enumerate(wanted):
            self.whole(f"{name}_{seat}", number, optional=optional)

    def text(self, key: str, wanted: str, clause: str = "RC-13") -> None:
        """Require a text."""
        found = self._get(key)
        if found != wanted:
            refuse(clause, f"outcome: {key} is {found!r}, not {wanted!r}")

    def flag(self, key: str, wanted: bool, clause: str = "RC-13") -> None:
        """Require true or false; 1 and 0 say the same."""
        found = self._get(key)
        if not isinstance(found, int) or found != wanted:
            refuse(clause, f"outcome: {key} is {found!r}, not {wanted}")

    def shares(self, winners: Sequence[bool]) -> None:
        """Require the winners' shares of the win: 1/k for each of k (C-9, RC-11)."""
        for seat, wins in enumerate(winners):
            key, wanted = f"win_share_{seat}", 1 / sum(winners) if wins else 0.0
            found = self._get(key)
            if not same_number(found, wanted):
                refuse("RC-11", f"outcome: {key} is {found!r}, not {wanted:g}")
