"""The referee of King: reads one game record and finds the first broken clause (C-10).

It knows nothing of the kernel. It plays the events of a record by RULES.md, parts C and
K, in plain Python, and compares scores, endings and outcome with what it finds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simlib.games.king.referee_deal import auction, lay_table, orders
from simlib.games.king.referee_house import HOUSE, HOUSE_PLAYERS, HouseSetting, house_options
from simlib.games.king.referee_match import Match, check_outcome
from simlib.games.king.referee_options import VARIETIES, options_of, players_of
from simlib.games.king.referee_scores import check_result
from simlib.games.king.referee_setting import Setting
from simlib.games.king.referee_table import Events, Table
from simlib.games.king.referee_tricks import play_tricks
from simlib.games.refereeing import Fault, Option, Refusal, check_envelope, refuse

__all__ = ["check"]


def check(record: object) -> Fault | None:
    """Read a game record of King and return its first fault.

    Parameters
    ----------
    record : object
        Anything that JSON can hold.

    Returns
    -------
    Fault or None
        The broken clause of RULES.md (C-11) with the place in the record; None if
        everything that the record says is right. Never raises.
    """
    try:
        _read(record)
    except Refusal as refusal:
        return refusal.fault
    except (ValueError, RecursionError):
        # Python writes no whole number of thousands of digits and no list nested as deep
        # as its stack; whatever holds one is no record, and cannot be quoted either.
        return Fault("C-10", "the record holds a value too large or too deep to be written")
    return None


def _read(record: object) -> None:
    head, setting = _read_head(record)
    match = Match(setting)
    for number, raw in enumerate(head["deals"]):
        if setting.unit == "match":
            match.require_next(number)
        match.add(_read_deal(match, number, raw))
    check_outcome(match, head)


def _read_head(record: object) -> tuple[Mapping[str, Any], Setting]:
    found_rules = record.get("rules") if isinstance(record, dict) else None

    def options(variety: str | None) -> dict[str, Option]:
        assert variety is not None
        if variety == HOUSE:
            return house_options(found_rules)
        return options_of(variety, found_rules)

    head = check_envelope(
        record,
        game="king",
        varieties=(*VARIETIES, HOUSE),
        units=("deal", "match"),
        players=lambda variety: HOUSE_PLAYERS if variety == HOUSE else players_of(variety),
        options=options,
    )
    rules = head["rules"]
    if rules.get("jokers") == 2 and head["players"] != 3:
        refuse("C-10", "rules: jokers is 2; valid with 4 players: 1")
    if head["variety"] == HOUSE and rules["custom"]["players"] != head["players"]:
        refuse("C-10", f"rules: custom is a table for {rules['custom']['players']} players")
    if head["unit"] == "deal" and len(head["deals"]) != 1:
        refuse("C-3", f"{len(head['deals'])} deals in a game of unit deal")
    kind = HouseSetting if head["variety"] == HOUSE else Setting
    return head, kind(head["variety"], head["players"], head["unit"], rules, head["index"])


def _read_deal(match: Match, number: int, raw: object) -> Table:
    """Read one deal from the cards dealt to the scores."""
    setting = match.setting
    table, deal = lay_table(setting, number, raw)
    events = Events(setting, number, deal["events"])
    if setting.bids:
        auction(table, events)
    if table.ending == "void":
        events.end("K-A")
    else:
        orders(table, events, match.left(number), deal["contract"])
        play_tricks(table, events, deal["ending"])
    check_result(table, deal)
    return table
