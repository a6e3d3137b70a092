"""How a deal of King begins: the cards dealt, the auction, the orders (K-1, K-O … K-X)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from simlib.games.king.referee_options import ALL_CARDS, SUITS, show
from simlib.games.king.referee_setting import Setting
from simlib.games.king.referee_table import Events, Table
from simlib.games.refereeing import check_cards, check_keys, is_whole, refuse

__all__ = ["DEAL_KEYS", "auction", "lay_table", "orders"]

DEAL_KEYS = (
    "deal", "first", "seats", "declarer", "contract", "trump", "hands", "stock", "table",
    "events", "ending", "scores",
)  # fmt: skip

# --- the cards dealt -----------------------------------------------------------------


def lay_table(setting: Setting, number: int, raw: object) -> tuple[Table, Mapping[str, Any]]:
    """Read everything of a deal that stands before its events.

    Returns
    -------
    Table
        The table before the first act.
    Mapping
        The deal as found in the record, its keys checked.

    Raises
    ------
    Refusal
        With C-3, C-7, C-10 or the clause of the variety's deal.
    """
    deal = check_keys(raw, DEAL_KEYS, f"deal {number}", deal=number)
    if not is_whole(deal["deal"]) or deal["deal"] != number:
        refuse("C-10", f"deal is {show(deal['deal'])}, not {number}", deal=number)
    first = _check_first(setting, number, deal["first"])
    _check_seats(setting, number, deal["seats"])
    hands, stock, talon, aside = _check_cards_dealt(setting, number, deal)
    if not isinstance(deal["events"], list):
        refuse("C-10", "events is not a list", deal=number)
    table = Table(setting, number, first, [set(hand) for hand in hands], list(stock), list(talon))
    table.taken = [[] for _ in range(setting.players)]
    table.aside = list(aside)
    return table, deal


def _check_first(setting: Setting, number: int, found: Any) -> int:
    start = setting.index if setting.rules["first"] == "rotate" else 0
    first = (start + number) % setting.players
    if not is_whole(found):
        refuse("C-10", f"first is {show(found)}, not a seat", deal=number)
    if found != first:
        refuse("C-3", f"first is {show(found)}, but deal {number} starts at {first}", deal=number)
    return first


def _check_seats(setting: Setting, number: int, found: Any) -> None:
    if (
        not isinstance(found, list)
        or not all(is_whole(seat) for seat in found)
        or found != list(range(setting.players))
    ):
        refuse("C-10", f"seats is {show(found)}, not every seat in order", deal=number)


def _check_cards_dealt(
    setting: Setting, number: int, deal: Mapping[str, Any]
) -> tuple[list[list[str]], list[str], list[str], list[str]]:
    """Check that hands, stock, talon and the cards aside are the deck (C-7)."""
    hands = deal["hands"]
    if not isinstance(hands, list) or len(hands) != setting.players:
        refuse("C-10", "hands is not a list with one hand a seat", deal=number)
    talon, aside = _read_middle(setting, number, deal["table"])
    places: list[tuple[str, Any, str]] = [
        *((f"hand {seat}", hand, "hand") for seat, hand in enumerate(hands)),
        ("stock", deal["stock"], "stock"),
        ("talon", talon, "talon"),
        ("aside", aside, "aside"),
    ]
    clause, sizes, deck = setting.deal_clause, setting.sizes, setting.deck
    dealt: list[str] = []
    for where, cards, kind in places:
        check_cards(cards, ALL_CARDS, where, deal=number)
        for card in cards:
            if card not in deck:
                refuse(clause, f"{where}: {card} is not in this deck", deal=number)
        if len(cards) != sizes[kind]:
            reason = f"{where} has {len(cards)} cards instead of {sizes[kind]}"
            refuse(clause, reason, deal=number)
        dealt += cards
    # The sizes add up to the deck, so a card that is missing means another is there twice.
    if len(set(dealt)) != len(dealt):
        twice = next(card for card, count in Counter(dealt).items() if count > 1)
        refuse("C-7", f"{twice} is dealt twice", deal=number)
    return hands, deal["stock"], talon, aside


def _read_middle(setting: Setting, number: int, raw: object) -> tuple[Any, Any]:
    """Return talon and aside as found in `table`; empty where the variety has none."""
    sizes = setting.sizes
    wanted = [key for key in ("talon", "aside") if sizes[key]]
    table = check_keys(raw, wanted, "table", deal=number)
    aside = table.get("aside", [])
    # C-10 names `aside` without its shape: one card, alone or in a list.
    return table.get("talon", []), [aside] if isinstance(aside, str) else aside


# --- the auction ----------------------------------------------------------------------


def auction(table: Table, events: Events) -> None:
    """Read the bids (K-A); all pass: the deal is void."""
    if table.setting.rule("auction") == "round":
        for turn in range(table.setting.players):
            _bid(table, events, table.seat(turn))
    else:
        _open_auction(table, events)
    if table.declarer is None:
        table.ending = "void"


def _open_auction(table: Table, events: Events) -> None:
    players = table.setting.players
    passed: set[int] = set()
    turn = 0
    while len(passed) < players:
        seat = table.seat(turn)
        turn += 1
        if seat in passed:
            continue
        # The last one left is asked only while there is no bid, and then once.
        if len(passed) == players - 1 and table.declarer is not None:
            return
        if not _bid(table, events, seat):
            passed.add(seat)


def _bid(table: Table, events: Events, seat: int) -> bool:
    """Read one bid; tell whether it was a number."""
    points = events.take("bid", seat)
    most = table.setting.most_bid
    if points != 0 and not table.bid < points <= most:
        words = f"pass or {table.bid + 1} to {most}" if table.bid < most else "pass"
        events.refuse("K-A", f"a bid of {show(points)} where {words} is allowed")
    table.decide(1 + most - table.bid)
    if points == 0:
        return False
    table.bid, table.declarer = points, seat
    return True


# --- contract, trump, talon -----------------------------------------------------------


def orders(table: Table, events: Events, left: Counter[str] | None, stated: object) -> None:
    """Read or set the contract or penalty suit, then trump and talon where there are any.

    Parameters
    ----------
    table, events
        The deal.
    left
        The contracts that may be named, where the declarer may choose; in a match that is
        ordered the one named is taken out.
    stated
        The contract that the deal says it had. Where nobody names one, a wrong one is
        found here, before every card played in it looks wrong.
    """
    setting = table.setting
    table.contract = setting.imposed(table.number)
    if setting.orders:
        table.declarer = table.seat(setting.declarer_step)
    if table.declarer is None:
        if isinstance(stated, str) and stated != table.contract and table.contract:
            reason = f"contract is {show(stated)}, but it is the turn of {table.contract}"
            refuse("K-7", reason, deal=table.number)
        return
    if setting.names_suit:
        table.decide(len(SUITS))
        table.penalty = events.take("suit", table.declarer)
        return
    _name_contract(table, events, table.declarer, left)
    _name_trump(table, events, table.declarer)
    if setting.has_talon:
        _change_cards(table, events, table.declarer)


def _name_contract(table: Table, events: Events, declarer: int, left: Counter[str] | None) -> None:
    setting = table.setting
    named = events.take("contract", declarer)
    if table.contract is not None:
        if named != table.contract:
            reason = f"{show(named)} is named, but game {setting.index} is {table.contract}"
            events.refuse("K-7", reason)
    else:
        assert left is not None
        if not left[named]:
            events.refuse(setting.clause, f"{show(named)} is not left for seat {declarer}")
        table.decide(sum(count > 0 for count in left.values()))
        left[named] -= 1
        table.contract = named


def _name_trump(table: Table, events: Events, declarer: int) -> None:
    assert table.contract is not None
    if not table.setting.names_trump(table.contract):
        return
    may_decline = table.setting.rule("no_trump")
    trump = events.take("trump", declarer)
    if trump == "none" and not may_decline:
        events.refuse("K-O", "no trump is named, which no_trump=false forbids")
    table.decide(len(SUITS) + (1 if may_decline else 0))
    table.trump = None if trump == "none" else trump


def _change_cards(table: Table, events: Events, declarer: int) -> None:
    """Read the talon and the two cards laid away (K-M, K-X)."""
    clause = table.setting.talon_clause
    shown = events.take("talon", declarer)
    if shown != table.talon:
        events.refuse(clause, f"the talon is {' '.join(table.talon)}")
    hand = table.hands[declarer]
    hand.update(shown)
    away = events.take("discard", declarer)
    if len(away) != 2:
        events.refuse(clause, f"{len(away)} cards are laid away instead of two")
    for card in away:
        if card not in hand:
            events.refuse("C-7", f"{card} is laid away, but seat {declarer} has no such card")
    scoring = table.setting.values(table.contract).cards
    free = {card for card in hand if card not in scoring}
    _lay_away(table, events, away[0], free or hand)
    _lay_away(table, events, away[1], hand if len(free) < 2 else free - {away[0]})


def _lay_away(table: Table, events: Events, card: str, allowed: set[str]) -> None:
    assert table.declarer is not None
    if card not in allowed:
        events.refuse(table.setting.talon_clause, f"{card} scores and may not be laid away")
    table.decide(len(allowed))
    table.hands[table.declarer].discard(card)
    table.laid_away.append(card)
