"""From events to records and to readable text, for Royal Corners."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from simlib.cards import ACE_LOW, pretty
from simlib.games.recording import Entry, Piles, deal_round, row_values, split_deals
from simlib.games.royal_corners import events as ev
from simlib.games.royal_corners.outcome import DEAL_COLUMNS
from simlib.games.royal_corners.referee_table import Table as Corners
from simlib.games.royal_corners.rules import CORNERS, HAND_SIZE, RoyalCornersRules
from simlib.games.spec import Table

__all__ = ["deals_record", "piles", "transcript"]


def piles(table: Table, deck: Sequence[int], first: int) -> Piles:
    """Return hands, corners 0-3 and stock of a deck order (RC-1, C-4a)."""
    rules = cast(RoyalCornersRules, table.rules)
    size = HAND_SIZE if rules.hand_size is None else rules.hand_size
    rest = list(deck[table.players * size :])
    others = {"corners": rest[:CORNERS], "stock": rest[CORNERS:]}
    return Piles(
        deal_round(deck, table.players, first, size),
        {name: cards for name, cards in others.items() if cards},
    )


def deals_record(
    table: Table, order: Callable[[int], Sequence[int]], log: np.ndarray, rows: np.ndarray
) -> list[dict[str, Any]]:
    """Return the ``deals`` of a record: hands, corners, stock and events of each deal (C-10)."""
    rules = cast(RoyalCornersRules, table.rules)
    deals = []
    for d, entries in enumerate(split_deals(log, ev.DEAL)):
        values = row_values(rows[d], DEAL_COLUMNS, table.players)
        dealt = piles(table, order(d), values["first"])
        corners = [[card] for card in _texts(dealt.others["corners"])]
        deals.append(
            {
                "deal": d,
                "first": values["first"],
                "seats": list(range(table.players)),
                "declarer": None,
                "contract": None,
                "trump": None,
                "hands": [_texts(hand) for hand in dealt.hands],
                "stock": _texts(dealt.others.get("stock", [])),
                "table": {"corners": corners + [[] for _ in range(rules.king_corners)]},
                "events": [_event(entry) for entry in entries],
                "ending": values["ending"],
                "scores": [-values[f"penalty_{seat}"] for seat in range(table.players)],
            }
        )
    return deals


def _texts(cards: Sequence[int]) -> list[str]:
    return [ACE_LOW.text(card) for card in cards]


def _event(entry: Entry) -> dict[str, Any]:
    code, seat, value = entry
    if code in (ev.PLAY_HAND, ev.PLAY_STOCK):
        source = "hand" if code == ev.PLAY_HAND else "stock"
        card = ACE_LOW.text(value >> 3)
        return {"seat": seat, "do": "play", "card": card, "from": source, "to": value & 7}
    if code == ev.MOVE:
        return {"seat": seat, "do": "move", "from": value >> 3, "to": value & 7}
    if code == ev.DRAW:
        return {"seat": seat, "do": "draw", "card": ACE_LOW.text(value)}
    return {"seat": seat, "do": {ev.STOP: "stop", ev.OUT: "out", ev.END: "end"}[code]}


def transcript(record: Mapping[str, Any]) -> list[str]:
    """Return a record as lines for people: for each turn its acts, and the table after it."""
    lines = []
    totals = [0] * record["players"]
    match = record["unit"] == "match"
    for deal in record["deals"]:
        lines += _deal(record["rules"], deal, f"Deal {deal['deal']}" if match else "Deal")
        totals = [total - score for total, score in zip(totals, deal["scores"], strict=True)]
        if match:
            lines.append(f"  totals: {_by_seat(totals)}")
    lines.append(_winner(record))
    return lines


def _deal(rules: Mapping[str, Any], deal: Mapping[str, Any], title: str) -> list[str]:
    table = Corners(deal["hands"], deal["table"]["corners"], deal["stock"], rules)
    starter = "the dealer" if rules["starter"] == "dealer" else "left of the dealer"
    lines = [f"{title}: {len(deal['seats'])} players, seat {deal['first']}, {starter}, begins"]
    lines += [f"  seat {seat}: {_cards(hand)}" for seat, hand in enumerate(deal["hands"])]
    lines.append(f"        {_table(table)}")
    acts: list[str] = []
    for event in deal["events"]:
        if event["do"] == "end":
            lines.append(f"  {table.turn:4d}  seat {event['seat']}  {'  '.join(acts) or 'passes'}")
            table.turn += 1
            lines.append(f"        {_table(table)}")
            acts = []
        else:
            acts.append(_act(table, event))
    if any(event["do"] == "stop" for event in deal["events"]):
        lines.append("  stops: he could have moved on (RC-2)")
    lines.append(f"  {_ENDINGS[deal['ending']]}")
    lines.append(f"  penalties: {_by_seat([-score for score in deal['scores']])}")
    for seat in deal["seats"]:
        if table.hands[seat]:
            lines.append(f"    seat {seat} holds {_cards(table.hands[seat])}")
    return lines


def _act(table: Corners, event: Mapping[str, Any]) -> str:
    """Carry out an act and return it as people would note it."""
    do, seat = event["do"], event["seat"]
    if do == "play":
        table.play(seat, event["card"], event["from"], event["to"])
        source = "" if event["from"] == "hand" else "stock "
        return f"{source}{pretty(event['card'])} to {event['to']}"
    if do == "move":
        table.move(event["from"], event["to"])
        return f"pile {event['from']} to {event['to']}"
    if do == "draw":
        table.draw(seat)
        return f"(draws {pretty(event['card'])})"
    return {"stop": "stops", "out": "IS OUT"}[do]


def _table(table: Corners) -> str:
    """Draw the corners, the stock, and how many cards each player holds."""
    corners = "   ".join(
        f"{corner}: {_pile(pile, table.takes_any(corner))}"
        for corner, pile in enumerate(table.corners)
    )
    stock = f"stock {len(table.stock)}"
    if table.stock and table.rules["stock_face"] == "up":
        stock += f", open {pretty(table.stock[0])}"
    hands = " ".join(str(len(hand)) for hand in table.hands)
    return f"{corners}   |   {stock}   |   hands {hands}"


def _pile(pile: Sequence[str], takes_any: bool) -> str:
    if not pile:
        return "(any card)" if takes_any else "--"
    if len(pile) <= 2:
        return " ".join(map(pretty, pile))
    return f"{pretty(pile[0])} .. {pretty(pile[-1])} ({len(pile)})"


_ENDINGS = {
    "blocked": "ends BLOCKED (RC-10): nobody could move",
    "declined": "ends DECLINED (RC-10): nobody moved, though somebody could have",
    "all_out": "ends ALL OUT (RC-10)",
    "first_out": "ends FIRST OUT (RC-10)",
    "last_holder": "ends with the LAST HOLDER (RC-10)",
    "truncated": "TRUNCATED at max_turns (RC-12)",
}


def _by_seat(values: Sequence[int]) -> str:
    return ", ".join(f"seat {seat}: {value}" for seat, value in enumerate(values))


def _winner(record: Mapping[str, Any]) -> str:
    outcome = record["outcome"]
    seats = range(record["players"])
    winners = [seat for seat in seats if outcome[f"win_share_{seat}"] > 0]
    if not winners:
        return "Nobody wins: the match is stopped at max_deals (RC-11)."
    wins = f"Seat {winners[0]} wins."
    if len(winners) > 1:
        wins = f"Seats {', '.join(map(str, winners))} share the win."
    losers = [seat for seat in seats if record["unit"] == "match" and outcome[f"loser_{seat}"]]
    return f"{wins} Losers: {', '.join(f'seat {seat}' for seat in losers)}." if losers else wins


def _cards(cards: Any) -> str:
    return " ".join(pretty(card) for card in sorted(cards, key=ACE_LOW.number))
