"""The play of a deal of King: leading, following, winning, ending (K-1, K-2, K-4 … K-6)."""

from __future__ import annotations

from typing import NamedTuple

from simlib.games.king.referee_options import JOKERS, RANKS
from simlib.games.king.referee_table import Events, Table

__all__ = ["Limits", "allowed", "play_tricks", "winner"]

JOKER_BEATERS = ("JH", "QH", "KH", "AH")

Trick = list[tuple[int, str]]


class Limits(NamedTuple):
    """The cards that may be played, and the clause that forbids the others."""

    cards: set[str]
    clause: str


# --- which cards ----------------------------------------------------------------------


def allowed(table: Table, seat: int, trick: Trick) -> Limits:
    """Return what this seat may play to this trick."""
    hand = table.hands[seat]
    if not trick:
        return _may_lead(table, seat, hand)
    suit = _suit_of_trick(trick)
    suited = _of_suit(hand, suit)
    if suited:
        return Limits(suited | _jokers_instead(table, hand, suit), "K-2")
    if suit is None:  # only jokers lie: nobody is void
        return Limits(hand, "K-J")
    if duty := hand & table.setting.duty(table.contract):
        return Limits(duty, "K-5")
    trumps = _of_suit(hand, table.trump)
    if trumps and table.setting.rule("must_trump"):
        return Limits(trumps, "K-2")
    return Limits(hand, "K-2")


def _may_lead(table: Table, seat: int, hand: set[str]) -> Limits:
    setting = table.setting
    suits = setting.held_back(table.contract)
    clause = "K-4" if suits else "K-2"
    others = {card for card in hand if card[1] not in suits}
    if setting.keeps_trumps(table.contract) and seat != table.declarer:
        others -= _of_suit(hand, table.trump)
        clause = clause if suits else "K-M"
    return Limits(others or hand, clause)


def _jokers_instead(table: Table, hand: set[str], suit: str | None) -> set[str]:
    """Return the jokers that may be played by a hand that could follow (K-J)."""
    jokers = hand & set(JOKERS)
    how = table.setting.rule("joker_play") if jokers else "void"
    return jokers if how == "any" or (how == "void_or_hearts" and suit == "H") else set()


def _of_suit(cards: set[str], suit: str | None) -> set[str]:
    return {card for card in cards if card[1] == suit}


def _suit_of_trick(trick: Trick) -> str | None:
    """Return the suit to follow: that of the first natural card, None before it."""
    return next((card[1] for _, card in trick if card not in JOKERS), None)


# --- who wins -------------------------------------------------------------------------


def winner(table: Table, trick: Trick) -> int:
    """Return the seat that takes a complete trick (K-2, K-J)."""
    suit = _suit_of_trick(trick)
    jokers = [seat for seat, card in trick if card in JOKERS]
    if jokers:
        beaten = any(card in JOKER_BEATERS for _, card in trick)
        if table.setting.rule("joker_loses") == "led":
            beaten = beaten and suit == "H"
        if not beaten:
            return jokers[0]
    trumped = any(card[1] == table.trump for _, card in trick)
    suit = table.trump if trumped else suit
    best = [(RANKS.index(card[0]), seat) for seat, card in trick if card[1] == suit]
    return max(best)[1]


# --- the tricks -----------------------------------------------------------------------


def play_tricks(table: Table, events: Events, stated: object) -> None:
    """Read the events from the first lead to the end of the deal.

    Parameters
    ----------
    table, events
        The deal; the table is filled.
    stated
        The ending that the record states: it says which clause is broken where the
        events stop too soon.
    """
    scoring = frozenset(table.values.cards)
    draws = table.setting.draws
    too_soon = "K-D" if draws and stated == "played" else "K-6"
    leader, clause = _opening_lead(table)
    while True:
        leader, clause = _play_trick(table, events, leader, clause, too_soon)
        if draws and len(table.holders()) <= 1:
            _keep(table, events)
            events.end("K-D")
            return
        if not table.holders():
            events.end("K-1")
            return
        if table.setting.stops_early(table.contract) and not _still_out(table, scoring):
            table.ending = "early"
            events.end("K-6")
            return


def _still_out(table: Table, scoring: frozenset[str]) -> bool:
    """Tell whether a scoring card is in a hand or in the reserve (K-6)."""
    return any(hand & scoring for hand in table.hands) or bool(scoring & set(table.stock))


def _opening_lead(table: Table) -> tuple[int, str]:
    """Return who leads first, and the clause that says so."""
    setting = table.setting
    if setting.rule("bidder_leads"):
        assert table.declarer is not None
        return table.declarer, "K-A"
    return table.first, setting.clause if setting.orders or setting.bids else "K-1"


def _play_trick(
    table: Table, events: Events, leader: int, lead_clause: str, too_soon: str
) -> tuple[int, str]:
    """Read one trick; return who leads the next one and the clause that says so."""
    players = table.setting.players
    order = [(leader + step) % players for step in range(players)]
    order = [seat for seat in order if table.hands[seat]]
    # Only where cards are drawn does a seat drop out; then "clockwise" is that clause's matter.
    turn_clause = "K-2" if len(order) == players else "K-D"
    trick: Trick = []
    for place, seat in enumerate(order):
        clause = turn_clause if place else lead_clause
        missing = None if place else too_soon
        trick.append((seat, _play(table, events, seat, trick, clause, missing)))
    takes = winner(table, trick)
    joker = any(card in JOKERS for _, card in trick)
    events.take("trick", takes, seat_clause="K-J" if joker else "K-2")
    table.taken[takes] += [card for _, card in trick]
    table.winners.append(takes)
    after = [(takes + step) % players for step in range(players)]
    following = next((seat for seat in after if table.hands[seat]), takes)
    return following, "K-1" if following == takes else "K-D"


def _play(
    table: Table,
    events: Events,
    seat: int,
    trick: Trick,
    seat_clause: str,
    missing: str | None,
) -> str:
    """Read one card played, and the cards drawn before it."""
    hand = table.hands[seat]
    drew = False
    led = _suit_of_trick(trick)
    if led is not None and table.setting.draws:
        drew = _draw(table, events, seat, led)
    card: str = events.take("play", seat, seat_clause=seat_clause, missing=missing)
    if card not in hand:
        events.refuse("C-7", f"{card} is played, but seat {seat} has no such card")
    limits = allowed(table, seat, trick)
    if card not in limits.cards:
        clause = _clause_of_card(table, card, limits, drew)
        words = " ".join(sorted(limits.cards))
        events.refuse(clause, f"{card} is played where seat {seat} may play {words}")
    table.decide(len(limits.cards), play=True)
    hand.discard(card)
    return card


def _clause_of_card(table: Table, card: str, limits: Limits, drew: bool) -> str:
    if card in JOKERS:
        return "K-J"
    if limits.clause == "K-4" and card[1] not in table.setting.held_back(table.contract):
        return "K-M"  # a trump that is the declarer's to lead
    # A card drawn of the suit led is played, whatever else is in the hand (K-D).
    return "K-D" if drew and limits.clause == "K-2" else limits.clause


def _draw(table: Table, events: Events, seat: int, led: str) -> bool:
    """Read the draws of a seat that cannot follow (K-D); tell whether it found the suit."""
    while not _of_suit(table.hands[seat], led) and table.stock:
        card = events.take("draw", seat)
        if card != table.stock[0]:
            events.refuse("K-D", f"{card} is drawn, but the next card is {table.stock[0]}")
        table.stock.pop(0)
        table.hands[seat].add(card)
        table.drawn += 1
        if card[1] == led:
            return True
    return False


def _keep(table: Table, events: Events) -> None:
    """Give the cards of the last one who has some to him (K-D)."""
    for holder in table.holders():
        cards = events.take("keep", holder)
        if set(cards) != table.hands[holder]:
            held = " ".join(sorted(table.hands[holder]))
            events.refuse("K-D", f"seat {holder} keeps {' '.join(cards)}, but has {held}")
        table.kept = list(cards)
        table.taken[holder] += cards
        table.hands[holder] = set()
        if table.setting.rule("kept_as") == "trick":
            table.winners.append(holder)
