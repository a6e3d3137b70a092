"""How the players stand at each moment of a game, read from its record (C-10).

Everything comes from the record: cards in hand where hands are to be emptied, points taken so
far where tricks are taken, totals where deals are added up to a match. More is better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from simlib import games
from simlib.games.spec import Table

__all__ = ["acts", "standings"]

#: Events by which a player answers a decision point (C-5), also where he had no choice.
ACTS = ("play", "move", "stop", "name", "discard", "bid")


def standings(record: Mapping[str, Any]) -> list[list[int]]:
    """Return how each seat stands at the beginning and after each turn, trick or deal.

    Parameters
    ----------
    record : mapping
        A game record.

    Returns
    -------
    list of list of int
        One row a moment, one column a seat. In a match: totals before the first and after
        each deal. In a deal on its own: minus the cards in hand after each turn, or the points
        after each trick, the last row being the deal's scores; of King George III the first
        deal, not its playoffs.

    Examples
    --------
    >>> deal = {
    ...     "seats": [0, 1], "hands": [["5S", "9H"], ["6D", "KC"]], "scores": [0, -2],
    ...     "events": [
    ...         {"seat": 0, "do": "play", "card": "5S"}, {"seat": 0, "do": "end"},
    ...         {"seat": 1, "do": "play", "card": "6D"}, {"seat": 1, "do": "end"},
    ...     ],
    ... }
    >>> standings({"unit": "deal", "players": 2, "deals": [deal]})
    [[-2, -2], [-1, -2], [-1, -1]]
    """
    if record["unit"] == "match":
        return _totals(record)
    deal = record["deals"][0]
    if any(event["do"] == "end" for event in deal["events"]):
        return _hands(deal)
    return _points(record, deal)


def acts(record: Mapping[str, Any]) -> int:
    """Return how many decision points a game had, those with a single option included.

    Cards that must be played at once (a fitting card that was drawn) count as points with one
    option; an ace that is kept under ``ace_choice`` leaves no event and is not counted.
    """
    return sum(event["do"] in ACTS for deal in record["deals"] for event in deal["events"])


def _totals(record: Mapping[str, Any]) -> list[list[int]]:
    rows = [[0] * record["players"]]
    for deal in record["deals"]:
        row = list(rows[-1])
        for seat, score in zip(deal["seats"], deal["scores"], strict=True):
            row[seat] += score
        rows.append(row)
    return rows


def _hands(deal: Mapping[str, Any]) -> list[list[int]]:
    """Follow the cards in hand: what is played from it leaves, what is drawn comes."""
    places = {seat: place for place, seat in enumerate(deal["seats"])}
    now = [-len(hand) for hand in deal["hands"]]
    rows = [list(now)]
    for event in deal["events"]:
        place = places[event["seat"]]
        if event["do"] == "play" and event.get("from", "hand") == "hand":
            now[place] += 1
        elif event["do"] == "draw":
            now[place] -= 1
        elif event["do"] == "end":
            rows.append(list(now))
    return rows


def _points(record: Mapping[str, Any], deal: Mapping[str, Any]) -> list[list[int]]:
    """Follow the points of the tricks; the last two tricks are known at the end."""
    trick, last, cards = _values(record, deal)
    winners: list[int] = []
    rows = [[0] * len(deal["seats"])]
    taken = 0
    for event in deal["events"]:
        if event["do"] == "play":
            taken += cards.get(event["card"], 0)
        elif event["do"] == "trick":
            row = list(rows[-1])
            row[event["seat"]] += trick + taken
            winners.append(event["seat"])
            rows.append(row)
            taken = 0
    for moment in range(max(1, len(rows) - 2), len(rows)):
        for later in range(moment, len(rows)):
            rows[later][winners[moment - 1]] += last
    rows[-1] = list(deal["scores"])
    return rows


def _values(
    record: Mapping[str, Any], deal: Mapping[str, Any]
) -> tuple[int, int, Mapping[str, int]]:
    """Return the points of a trick, of each of the last two, and of cards, in a deal of King."""
    from simlib.cards import LANES, SUITS
    from simlib.games.king.rules import make_plan

    game = games.get(record["game"])
    rules = game.rules_model(record["variety"]).model_validate(record["rules"])
    table = Table(record["variety"], record["players"], record["unit"], rules)
    plan = make_plan(table.rules, table.players)  # type: ignore[arg-type]
    found = plan.contracts[0]
    if plan.names_suit:
        found = plan.contracts[SUITS.index(_named_suit(deal["events"]))]
    elif deal["contract"] is not None:
        found = next(one for one in plan.contracts if one.name == deal["contract"])
    cards = {LANES.text(card): points for card, points in found.cards.items()}
    return found.trick, found.last, cards


def _named_suit(events: Sequence[Mapping[str, Any]]) -> str:
    named = (event["suit"] for event in events if event["do"] == "name" and "suit" in event)
    return next(named, "S")
