"""King for people: the rules of a trick and of a deal, asked with card texts (K-2 … K-6, K-J).

The kernel plays by the same jitted functions.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from simlib.cards import LANES, SUITS
from simlib.errors import BadInput
from simlib.games.king import rules as king
from simlib.games.king.kernel_scores import deal_scores
from simlib.games.king.kernel_tricks import (
    LANE,
    NATURAL,
    beaten_by,
    lane_of,
    may_play,
    suit_of_lane,
    takes_trick,
)
from simlib.games.king.view import STATE
from simlib.games.options import resolve

__all__ = ["legal_cards", "score_deal", "trick_winner"]

U = np.uint64
NOTHING = U(0)
Cards = str | Iterable[str]


def _split(cards: Cards) -> list[str]:
    """Take cards as a sequence of texts, or as one text with blanks between."""
    if isinstance(cards, str):
        return cards.split()
    if isinstance(cards, Iterable):
        return list(cards)
    raise BadInput(f"cards {cards!r}: give card texts (C-1)")


class _Table:
    """A variety with its options, packed as for the kernel."""

    def __init__(self, variety: str, players: int | None, rules: Mapping[str, Any] | None) -> None:
        model = king.rules_model(variety)
        options = resolve(model, king.PRESETS, rules=rules)
        assert isinstance(options, king.KingRules)
        if isinstance(options, king.HouseRules):
            assert options.custom is not None
            numbers: tuple[int, ...] = (options.custom.players,)
        else:
            numbers = king.players_of(variety)[0]
        self.players = numbers[-1] if players is None else players
        if self.players not in numbers:
            words = ", ".join(map(str, numbers))
            raise BadInput(f"players {players!r}: king {variety} is played by {words}")
        king.check_players(options, self.players)
        self.variety = variety
        self.plan = king.make_plan(options, self.players)
        self.packed = king.pack(options, self.players)[0]

    def row(self, contract: str | None, penalty: str | None = None) -> int:
        """Return the row of a contract, or of Trade's penalty suit."""
        if self.plan.names_suit:
            return _suit(penalty, "penalty")
        names = [row.name for row in self.plan.contracts]
        if contract is None and len(names) == 1:
            return 0
        if contract not in names:
            valid = ", ".join(names) if names != [""] else "none"
            raise BadInput(f"contract {contract!r}: king {self.variety} has {valid} (K-3)")
        return names.index(contract)

    def number(self, card: str) -> int:
        """Return a card's number, if the deck has it."""
        number = LANES.number(card)
        if number not in self.plan.deck:
            raise BadInput(f"card {card!r}: not in the deck of king {self.variety} (K-1)")
        return number

    def mask(self, cards: Cards) -> Any:
        """Return a set of cards of the deck."""
        texts = _split(cards)
        for card in texts:
            self.number(card)
        return U(LANES.mask(texts))


@lru_cache(maxsize=64)
def _build(variety: str, players: int | None, rules: str) -> _Table:
    return _Table(variety, players, json.loads(rules))


def _table(variety: object, players: int | None, rules: Mapping[str, Any] | None) -> _Table:
    """Return a table, checked and packed once."""
    if not isinstance(variety, str):
        raise BadInput(f"variety {variety!r}: king has {', '.join(king.NAMES)}")
    try:
        text = json.dumps(rules, default=lambda value: value.model_dump())
    except (TypeError, AttributeError):
        raise BadInput(f"rules {rules!r}: give a mapping of option names to values") from None
    return _build(variety, players, text)


def _suit(suit: object, what: str) -> int:
    if not isinstance(suit, str) or len(suit) != 1 or suit.upper() not in SUITS:
        raise BadInput(f"{what} {suit!r}: valid: S, H, D, C")
    return SUITS.index(suit.upper())


def _trump(trump: str | None) -> Any:
    return NOTHING if trump is None else LANE << U(16 * _suit(trump, "trump"))


def _lead(cards: Sequence[int]) -> Any:
    """Return the lane of the suit of a trick: that of its first natural card (K-J)."""
    for card in cards:
        if (1 << card) & int(NATURAL):
            return U(lane_of(card))
    return NOTHING


def legal_cards(
    hand: Cards,
    table: Cards = (),
    *,
    contract: str | None = None,
    trump: str | None = None,
    declares: bool = False,
    variety: str = "simple",
    players: int | None = None,
    rules: Mapping[str, Any] | None = None,
) -> list[str]:
    """Return the cards that a hand may play (K-2, K-4, K-5, K-J, K-M).

    Parameters
    ----------
    hand : cards
        Texts such as ``["7H", "8C"]`` or ``"7H 8C"``.
    table : cards, optional
        The trick so far, the lead first; empty for the leader.
    contract : str, optional
        Name of the contract; None: none of its duties.
    trump : {"S", "H", "D", "C"}, optional
    declares : bool
        Whether the hand is the declarer's (matters with ``trump_lead=declarer``).
    variety, players, rules
        As in :func:`simlib.simulate`.

    Returns
    -------
    list of str
        In the order of the options: by suit, S H D C, then by rank. In Domino what may be
        played when the reserve is empty.

    Raises
    ------
    BadInput
        If something is not valid, for example a card that is not in the deck.

    Examples
    --------
    >>> legal_cards("7H 8C", contract="no-hearts")
    ['8C']
    """
    game = _table(variety, players, rules)
    packed = game.packed
    cards = game.mask(hand)
    down = [game.number(card) for card in _split(table)]
    if not cards:
        raise BadInput("hand: no card (K-2)")
    if cards & game.mask(_split(table)):
        raise BadInput("a card is in the hand and on the table (C-7)")
    lane = _lead(down)
    trumps = _trump(trump)
    barred = duty = NOTHING
    if contract is not None:
        row = game.row(contract)
        duty = packed["duty"][row]
        barred = packed["held_back"][row]
        if packed["declarer_leads_trumps"][row] and not declares:
            barred = barred | trumps
    ruff = trumps if packed["must_trump"] else NOTHING
    instead = packed["instead"][suit_of_lane(lane)]
    found = may_play(cards, lane, instead, NOTHING if down else barred, duty, ruff)
    return LANES.cards(int(found))


def trick_winner(
    table: Cards,
    *,
    trump: str | None = None,
    variety: str = "simple",
    players: int | None = None,
    rules: Mapping[str, Any] | None = None,
) -> int:
    """Return which card of a trick takes it (K-2, K-J).

    Parameters
    ----------
    table : cards
        The lead first.
    trump : {"S", "H", "D", "C"}, optional
    variety, players, rules
        As in :func:`simlib.simulate`; they matter for jokers.

    Returns
    -------
    int
        Place in the trick, 0 = led.

    Raises
    ------
    BadInput
        If something is not valid.

    Examples
    --------
    >>> trick_winner("9S AS KS 7D")
    1
    """
    game = _table(variety, players, rules)
    cards = game.mask(table)
    down = [game.number(card) for card in _split(table)]
    if not down:
        raise BadInput("table: no card (K-2)")
    trumps = _trump(trump)
    beats, best, joker = NATURAL, -1, -1
    for place, card in enumerate(down):
        if (1 << card) & int(beats):
            best = place
            beats = beaten_by(card, trumps)
        elif not (1 << card) & int(NATURAL) and joker < 0:
            joker = place
    bane = game.packed["bane"][suit_of_lane(_lead(down))]
    return int(takes_trick(cards, bane, best, joker))


def score_deal(
    tricks: Iterable[tuple[int, Cards]],
    *,
    contract: str | None = None,
    declarer: int | None = None,
    bid: int = 0,
    penalty: str | None = None,
    laid_away: Cards = (),
    kept: tuple[int, Cards] | None = None,
    aside: Cards = (),
    variety: str = "simple",
    players: int | None = None,
    rules: Mapping[str, Any] | None = None,
) -> list[int]:
    """Return the scores of a deal (K-3 and the varieties).

    Parameters
    ----------
    tricks : iterable of (seat, cards)
        Who took each trick, in order, and its cards; a deal that ended early has fewer.
    contract : str, optional
        Its name, in varieties that have contracts.
    declarer : int, optional
        Who laid cards away, or made the highest bid.
    bid : int
        The highest bid (K-A).
    penalty : {"S", "H", "D", "C"}, optional
        The penalty suit (K-A).
    laid_away : cards
        What the declarer laid away (K-M, K-X).
    kept : (seat, cards), optional
        What the last holder kept (K-D).
    aside : cards
        The card set aside with two jokers (K-J).
    variety, players, rules
        As in :func:`simlib.simulate`.

    Returns
    -------
    list of int
        One a seat.

    Raises
    ------
    BadInput
        If something is not valid.

    Examples
    --------
    >>> score_deal([(2, "9S AS KS 7D")], contract="no-tricks")
    [0, 0, -2, 0]
    """
    game = _table(variety, players, rules)
    state = np.zeros(1, STATE)[0]
    state["last"] = state["before_last"] = state["declarer"] = -1
    state["contract"] = game.row(contract, penalty)
    state["in_play"] = U(game.packed["deck_mask"]) & ~game.mask(aside)
    seen, tricks_of = 0, [0] * game.players
    piles = [(_seat(seat, game), game.mask(cards), True) for seat, cards in tricks]
    if kept is not None:
        as_trick = bool(game.packed["kept_as"])
        piles.append((_seat(kept[0], game), game.mask(kept[1]), as_trick))
    for seat, cards, counts in piles:
        if seen & int(cards):
            raise BadInput("a card is in two tricks (C-7)")
        seen |= int(cards)
        state["taken"][seat] |= cards
        if counts:
            tricks_of[seat] += 1
            state["trick"] += 1
            state["before_last"] = state["last"]
            state["last"] = seat
    state["tricks"] = sum(number << 8 * seat for seat, number in enumerate(tricks_of))
    if not state["trick"]:
        raise BadInput("tricks: none was taken; a void deal scores 0 for all (K-A)")
    auction = game.plan.choice == "auction"
    if declarer is not None:
        state["declarer"] = _seat(declarer, game)
    elif auction or _split(laid_away):
        raise BadInput("declarer: needed for a bid and for cards laid away (K-A, K-M)")
    state["away"] = game.mask(laid_away)
    if seen & int(state["away"]):
        raise BadInput("a card that was laid away is in a trick (C-7)")
    state["bid"] = bid
    deal_scores(game.packed, state, auction)
    return [int(score) for score in state["scores"][: game.players]]


def _seat(seat: object, game: _Table) -> int:
    if isinstance(seat, bool) or not isinstance(seat, int | np.integer):
        raise BadInput(f"seat {seat!r}: give a whole number")
    if not 0 <= seat < game.players:
        raise BadInput(f"seat {seat}: valid: 0 to {game.players - 1}")
    return int(seat)
