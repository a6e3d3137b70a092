"""From events to records and to readable text, for King George III."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from simlib.cards import ACE_HIGH, FULL_DECK, pick, pretty
from simlib.games.king_george import events as ev
from simlib.games.king_george.outcome import DEAL_COLUMNS
from simlib.games.king_george.rules import HAND_SIZE, KingGeorgeRules, fit_table
from simlib.games.recording import Entry, Piles, deal_round, row_values, split_deals
from simlib.games.spec import Table

__all__ = ["deals_record", "piles", "transcript"]

NAMES = {
    ev.PLAY: "play",
    ev.DRAW: "draw",
    ev.SET_ASIDE: "set_aside",
    ev.STOP: "stop",
    ev.PASS: "pass",
    ev.OUT: "out",
    ev.END: "end",
}


def piles(table: Table, deck: Sequence[int], first: int) -> Piles:
    """Return hands and stock of a deck order (KG-1, C-4a)."""
    return _piles(cast(KingGeorgeRules, table.rules), deck, table.players, first)


def _piles(rules: KingGeorgeRules, deck: Sequence[int], players: int, first: int) -> Piles:
    """Deal to so many players, `first` being a place among them."""
    size = rules.hand_size or HAND_SIZE[players]
    rest = list(deck[players * size :])
    return Piles(deal_round(deck, players, first, size), {"stock": rest})


def deals_record(
    table: Table, order: Callable[[int], Sequence[int]], log: np.ndarray, rows: np.ndarray
) -> list[dict[str, Any]]:
    """Return the ``deals`` of a record: hands, stock and events of each deal (C-10)."""
    rules = cast(KingGeorgeRules, table.rules)
    deals = []
    for d, entries in enumerate(split_deals(log, ev.DEAL)):
        values = row_values(rows[d], DEAL_COLUMNS, table.players)
        seats = [s for s in range(table.players) if values[f"cards_left_{s}"] >= 0]
        dealt = _piles(rules, order(d), len(seats), seats.index(values["first"]))
        deal: dict[str, Any] = {
            "deal": d,
            "first": values["first"],
            "seats": seats,
            "declarer": None,
            "contract": None,
            "trump": None,
            "hands": [_texts(hand) for hand in dealt.hands],
            "stock": _texts(dealt.others["stock"]),
            "table": {},
            "events": _events(entries),
            "ending": values["ending"],
            "scores": [-values[f"cards_left_{s}"] for s in seats],
        }
        if values["proof"] is not None:
            deal["proof"] = values["proof"]
        if values["proof"] == "cycle":
            deal["cycle_of"] = values["cycle_of"]
        deals.append(deal)
    return deals


def _texts(cards: Sequence[int]) -> list[str]:
    return [ACE_HIGH.text(card) for card in cards]


def _events(entries: list[Entry]) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    for code, seat, value in entries:
        if code == ev.RECYCLE:
            events.append({"seat": seat, "do": "recycle", "stock": []})
        elif code == ev.CARD:
            events[-1]["stock"].append(ACE_HIGH.text(value))
        else:
            event: dict[str, Any] = {"seat": seat, "do": NAMES[code]}
            if code in (ev.PLAY, ev.DRAW):
                event["card"] = ACE_HIGH.text(value)
            events.append(event)
    return events


def transcript(record: Mapping[str, Any]) -> list[str]:
    """Return a record as lines for people: one line a turn."""
    lines = []
    for deal in record["deals"]:
        what = "Deal" if deal["deal"] == 0 else f"Playoff {deal['deal']}"
        lines.append(f"{what}: {len(deal['seats'])} players, seat {deal['first']} begins")
        hands = {seat: list(hand) for seat, hand in zip(deal["seats"], deal["hands"], strict=True)}
        for seat, hand in hands.items():
            lines.append(f"  seat {seat}: {_cards(hand)}")
        lines.append(f"  stock: {_count(len(deal['stock']))}")
        turns, pile, aside = _turns(deal, hands)
        lines.extend(turns)
        if any(event["do"] == "stop" for event in deal["events"]):
            lines.append("  stops: more cards would fit, and he keeps them (KG-4)")
        lines.append(f"  {_ending(deal)}")
        left = ", ".join(f"seat {s}: {len(hand)}" for s, hand in hands.items())
        lines.append(f"  cards left: {left}")
        for seat, hand in hands.items():
            if hand and deal["ending"] != "out":
                lines.append(f"    seat {seat} holds {_cards(hand)}")
        if deal.get("proof") == "orphans":
            lines.extend(_orphans(record["rules"], deal, hands, pile, aside))
    lines.append(_winner(record))
    return lines


def _turns(
    deal: Mapping[str, Any], hands: dict[int, list[str]]
) -> tuple[list[str], list[str], list[str]]:
    """Return a line a turn, the pile at the end, and what was set aside; play out `hands`."""
    lines = []
    turn = 0
    parts: list[str] = []
    pile: list[str] = []
    aside: list[str] = []
    for event in deal["events"]:
        do, seat = event["do"], event["seat"]
        if do == "play":
            hands[seat].remove(event["card"])
            pile.append(event["card"])
            parts.append(pretty(event["card"]))
        elif do == "draw":
            hands[seat].append(event["card"])
            parts.append(f"(draws {pretty(event['card'])})")
        elif do == "recycle":
            pile = pile[-1:]
            parts.append(f"[pile becomes the stock: {_count(len(event['stock']))}]")
        elif do == "set_aside":
            parts.append(f"[{_count(len(pile))} set aside]")
            aside += pile
            pile = []
        elif do == "end":
            top = f"  pile {len(pile)}, top {pretty(pile[-1])}" if pile else "  no pile"
            left = f"{len(hands[seat]):3d} in hand"
            lines.append(f"  {turn:4d}  seat {seat}  {left}{top:<18}  {' '.join(parts)}")
            parts = []
            turn += 1
        else:
            parts.append({"stop": "stops", "pass": "passes", "out": "IS OUT"}[do])
    return lines, pile, aside


def _orphans(
    rules: Mapping[str, Any],
    deal: Mapping[str, Any],
    hands: Mapping[int, list[str]],
    pile: list[str],
    aside: list[str],
) -> list[str]:
    """Say why no pile is set aside any more, and which cards are never played again (KG-12)."""
    model = KingGeorgeRules.model_validate(rules)
    fit = fit_table(model)
    in_play = int(FULL_DECK) & ~ACE_HIGH.mask(aside)
    live, grown = 0, 1 << ACE_HIGH.number(pile[-1])
    while grown != live:
        live = grown
        for card in pick(live):
            grown |= fit[card >> 2] & in_play
    ranks = sorted({card >> 2 for card in pick(live)})
    names = " ".join(pretty(ACE_HIGH.text(4 * rank))[:-1] for rank in ranks)
    lines = [
        f"    no pile can be set aside: {_why_no_reset(model, deal, pile)}",
        f"    ranks that can still be reached: {names}",
    ]
    for seat, hand in hands.items():
        orphans = [card for card in hand if not live >> ACE_HIGH.number(card) & 1]
        lines.append(f"    orphans of seat {seat}: {_cards(orphans)}")
    return lines


def _why_no_reset(rules: KingGeorgeRules, deal: Mapping[str, Any], pile: list[str]) -> str:
    """Say whether the resets are used up, or else that no ace is in reach (KG-8, KG-12)."""
    most = rules.ace_resets
    if most == 0:
        return "with ace_resets=0 every ace is an ordinary card (KG-8)"
    used = [event["seat"] for event in deal["events"] if event["do"] == "set_aside"]
    each = rules.ace_scope == "player"
    if min(map(used.count, deal["seats"])) >= most if each else len(used) >= most:
        aces = "the ace that does so has" if most == 1 else f"the {most} aces that do so have"
        return f"{aces} been played{' by each player' if each else ''}; others are ordinary (KG-8)"
    return f"from {pretty(pile[-1])} on the pile, rank by rank, no ace can be reached"


def _count(cards: int) -> str:
    return f"{cards} card" if cards == 1 else f"{cards} cards"


def _ending(deal: Mapping[str, Any]) -> str:
    if deal.get("proof") == "orphans":
        return (
            "ends ENDLESS (KG-12): no pile can be set aside any more, and every player holds a"
            " card whose rank can never be reached again"
        )
    if deal.get("proof") == "cycle":
        return f"ends ENDLESS (KG-12): everything stands as it stood at turn {deal['cycle_of']}"
    return {
        "out": "ends OUT (KG-9)",
        "deadlock": "ends in DEADLOCK (KG-11): nobody can play and no card can be drawn",
        "truncated": "TRUNCATED at max_turns (KG-12)",
    }[deal["ending"]]


def _winner(record: Mapping[str, Any]) -> str:
    outcome = record["outcome"]
    if outcome["winner"] >= 0:
        return f"Seat {outcome['winner']} wins."
    shares = {
        seat: outcome[f"win_share_{seat}"]
        for seat in range(record["players"])
        if outcome[f"win_share_{seat}"] > 0
    }
    if shares:
        return f"Seats {', '.join(map(str, shares))} share the win."
    return "Nobody wins."


def _cards(cards: list[str]) -> str:
    ordered = sorted(cards, key=ACE_HIGH.number)
    return " ".join(pretty(card) for card in ordered)
