"""From events to records and to readable text, for King."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from simlib.cards import LANES, SUIT_SIGNS, SUITS, pretty
from simlib.games.king import events as ev
from simlib.games.king.contracts import Plan
from simlib.games.king.outcome import DEAL_COLUMNS, contract_labels
from simlib.games.king.rules import KingRules, make_plan
from simlib.games.recording import Entry, Piles, deal_round, row_values, split_deals
from simlib.games.spec import Table

__all__ = ["deals_record", "deck", "piles", "transcript"]

#: Events that hold a list of cards, which follow one by one.
LISTS = {ev.TALON: "talon", ev.DISCARD: "discard", ev.KEEP: "keep"}
SINGLE = {ev.PLAY: "play", ev.DRAW: "draw"}


# --- records (C-10) -------------------------------------------------------------------


def deck(table: Table) -> tuple[int, ...]:
    """Return the set of cards of a variety, as they lie in a new pack (C-4)."""
    return LANES.new_pack(make_plan(cast(KingRules, table.rules), table.players).deck)


def piles(table: Table, deck: Sequence[int], first: int) -> Piles:
    """Return hands, talon, reserve (``stock``) and what is set aside of a deck order (C-4a)."""
    return _piles(make_plan(cast(KingRules, table.rules), table.players), deck, first)


def deals_record(
    table: Table, order: Callable[[int], Sequence[int]], log: np.ndarray, rows: np.ndarray
) -> list[dict[str, Any]]:
    """Return the ``deals`` of a record: hands, stock, talon and events of each deal (C-10)."""
    rules = cast(KingRules, table.rules)
    plan = make_plan(rules, table.players)
    labels = contract_labels(rules)
    deals = []
    for d, entries in enumerate(split_deals(log, ev.DEAL)):
        values = row_values(rows[d], DEAL_COLUMNS, table.players)
        code = int(rows[d]["contract"])
        deals.append(
            {
                "deal": d,
                "first": values["first"],
                "seats": list(range(table.players)),
                "declarer": values["declarer"] if values["declarer"] >= 0 else None,
                "contract": labels[code] if code >= 0 else None,
                "trump": values["trump"],
                **_layout(_piles(plan, order(d), values["first"])),
                "events": _events(entries, plan),
                "ending": values["ending"],
                "scores": [values[f"score_{seat}"] for seat in range(table.players)],
            }
        )
    return deals


def _piles(plan: Plan, deck: Sequence[int], first: int) -> Piles:
    after = plan.talon_at + plan.talon
    order = [*deck[: plan.talon_at], *deck[after:]]
    rest = order[plan.players * plan.hand_size :]
    others = {
        "talon": list(deck[plan.talon_at : after]),
        "stock" if plan.reserve else "aside": rest,
    }
    return Piles(
        deal_round(order, plan.players, first, plan.hand_size),
        {name: cards for name, cards in others.items() if cards},
    )


def _layout(dealt: Piles) -> dict[str, Any]:
    """Return hands, stock and table of a deal, each in the order dealt (C-10)."""
    others = {name: _texts(cards) for name, cards in dealt.others.items()}
    return {
        "hands": [_texts(hand) for hand in dealt.hands],
        "stock": others.pop("stock", []),
        "table": others,
    }


def _events(entries: Sequence[Entry], plan: Plan) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    for code, seat, value in entries:
        if code == ev.CARD:
            events[-1]["cards"].append(LANES.text(value))
        elif code in LISTS:
            events.append({"seat": seat, "do": LISTS[code], "cards": []})
        elif code in SINGLE:
            events.append({"seat": seat, "do": SINGLE[code], "card": LANES.text(value)})
        elif code == ev.BID:
            events.append({"seat": seat, "do": "bid", "points": value})
        elif code == ev.TRICK:
            events.append({"seat": seat, "do": "trick"})
        else:
            events.append({"seat": seat, "do": "name", **_named(code, value, plan)})
    return events


def _named(code: int, value: int, plan: Plan) -> dict[str, str]:
    if code == ev.CONTRACT:
        return {"contract": plan.contracts[value].name}
    if code == ev.SUIT:
        return {"suit": SUITS[value]}
    return {"trump": "none" if value < 0 else SUITS[value]}


def _texts(cards: Sequence[int]) -> list[str]:
    return [LANES.text(card) for card in cards]


# --- readable text --------------------------------------------------------------------


def transcript(record: Mapping[str, Any]) -> list[str]:
    """Return a record as lines for people: the hands, what was named, a table of tricks."""
    lines: list[str] = []
    totals = [0] * record["players"]
    for deal in record["deals"]:
        lines.append(_title(deal))
        for seat, hand in zip(deal["seats"], deal["hands"], strict=True):
            lines.append(f"  seat {seat}: {_hand(hand)}")
        if deal["stock"]:
            lines.append(f"  reserve: {_cards(deal['stock'])}")
        if "aside" in deal["table"]:
            lines.append(f"  set aside: {_cards(deal['table']['aside'])}")
        lines.extend(_before(deal))
        lines.extend(_tricks(deal))
        totals = [a + b for a, b in zip(totals, deal["scores"], strict=True)]
        lines.append(f"  {_ending(deal)}; scores {_numbers(deal['scores'])}")
        if record["unit"] == "match":
            lines.append(f"  totals {_numbers(totals)}")
    lines.append(_winner(record))
    return lines


def _title(deal: Mapping[str, Any]) -> str:
    parts = [f"Deal {deal['deal']}: seat {deal['first']} is first"]
    if deal["contract"]:
        parts.append(f"contract {deal['contract']}")
    if deal["trump"]:
        parts.append(f"trump {SUIT_SIGNS[SUITS.index(deal['trump'])]}")
    if deal["declarer"] is not None:
        parts.append(f"declarer seat {deal['declarer']}")
    return ", ".join(parts)


def _before(deal: Mapping[str, Any]) -> list[str]:
    """Return what happened before the first lead."""
    lines = []
    for event in deal["events"]:
        do, seat = event["do"], event["seat"]
        if do == "bid":
            lines.append(
                f"  seat {seat} {'bids ' + str(event['points']) if event['points'] else 'passes'}"
            )
        elif do == "name":
            lines.append(f"  seat {seat} names {_what(event)}")
        elif do == "talon":
            lines.append(f"  seat {seat} takes the talon {_cards(event['cards'])}")
        elif do == "discard":
            lines.append(f"  seat {seat} lays away {_cards(event['cards'])}")
    return lines


def _what(event: Mapping[str, Any]) -> str:
    if "contract" in event:
        return str(event["contract"])
    if "suit" in event:
        return f"{SUIT_SIGNS[SUITS.index(event['suit'])]} as the penalty suit"
    return (
        "no trump"
        if event["trump"] == "none"
        else (f"{SUIT_SIGNS[SUITS.index(event['trump'])]} as trump")
    )


def _tricks(deal: Mapping[str, Any]) -> list[str]:
    """Return the table of tricks: a column a seat, the lead marked, who took it."""
    seats = deal["seats"]
    lines: list[str] = []
    cells: dict[int, str] = {}
    drawn = dict.fromkeys(seats, 0)
    number = 0
    dropped = False
    for event in deal["events"]:
        do, seat = event["do"], event["seat"]
        if do == "draw":
            drawn[seat] += 1
        elif do == "play":
            lead = "" if cells else ">"
            draws = f" (drew {drawn[seat]})" if drawn[seat] else ""
            cells[seat] = f"{lead}{pretty(event['card'])}{draws}"
            drawn[seat] = 0
        elif do == "trick":
            number += 1
            dropped |= len(cells) < len(seats)
            row = "".join(f"{cells.get(s, '-'):<13}" for s in seats)
            lines.append(f"  {number:5d}  {row}seat {seat}")
            cells = {}
        elif do == "keep":
            lines.append(f"  seat {seat} keeps {_cards(event['cards'])}")
    if lines:
        head = "".join(f"{f'seat {s}':<13}" for s in seats)
        lines.insert(0, f"  trick  {head}taken by")
        lines.append("  > leads the trick" + ("; - has no cards" if dropped else ""))
    return lines


def _ending(deal: Mapping[str, Any]) -> str:
    return {
        "played": "played to the end",
        "early": "stopped: nothing can score any more (K-6)",
        "void": "void: all passed (K-A)",
    }[deal["ending"]]


def _winner(record: Mapping[str, Any]) -> str:
    outcome = record["outcome"]
    shares = {seat: outcome[f"win_share_{seat}"] for seat in range(record["players"])}
    winners = [seat for seat, share in shares.items() if share > 0]
    if record["unit"] == "match":
        ended = {
            "complete": "every deal was played",
            "limit": "a limit was reached (K-11)",
            "censored": "stopped at max_deals (K-11)",
        }[outcome["ending"]]
        deals = "1 deal" if outcome["deals"] == 1 else f"{outcome['deals']} deals"
        prefix = f"The match ends after {deals}: {ended}. "
    else:
        prefix = ""
    if not winners:
        return f"{prefix}Nobody wins."
    if len(winners) == 1:
        return f"{prefix}Seat {winners[0]} wins."
    return f"{prefix}Seats {', '.join(map(str, winners))} share the win."


def _numbers(values: Sequence[int]) -> str:
    return "  ".join(f"{value:+d}" if value else "0" for value in values)


def _cards(cards: Sequence[str]) -> str:
    return " ".join(pretty(card) for card in cards)


def _hand(cards: Sequence[str]) -> str:
    return _cards(sorted(cards, key=LANES.number))
