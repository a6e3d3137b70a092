"""King as tables: contracts, decks and varieties (K-1 … K-X), and the plan of one game.

A contract is a row of points and duties; a variety is a table of contracts, a deck, a way to
deal, to choose and to end a match. The kernel knows only a :class:`Plan`, packed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from simlib.cards import LANES, SUITS

__all__ = [
    "FOURTEEN",
    "LABELS",
    "VARIETIES",
    "Contract",
    "Plan",
    "Variety",
    "plan_variety",
]

Options = Mapping[str, Any]

#: The contracts of the base game, in the order printed (K-3).
FOURTEEN = (
    "no-tricks",
    "no-jacks",
    "no-queens",
    "no-hearts",
    "no-king",
    "no-last-two",
    "no-all",
    "tricks",
    "jacks",
    "queens",
    "hearts",
    "king",
    "last-two",
    "all",
)
WIN_BACK = "win-back"
#: Every contract of the seeds; a contract's code is its place here.
LABELS = (*FOURTEEN, WIN_BACK)

#: The contracts of Minsk, the thrice named one once (K-M), and of Atomic (K-X).
MINSK = ("no-tricks", "no-last-two", "no-queens", "no-jacks", "no-king", "no-hearts", WIN_BACK)
ATOMIC = (
    "no-tricks",
    "no-hearts",
    "no-jacks",
    "no-queens",
    "no-last-two",
    "no-king",
    "no-all",
    "all",
    "tricks",
)

HEARTS = 1
KING_OF_HEARTS = LANES.number("KH")
#: Parts of a contract: ``no-all`` and ``all`` have every one (K-3).
PARTS = ("tricks", "jacks", "queens", "hearts", "king", "last-two")
#: Contracts of K-4 and of K-5, without their sign.
HEARTS_HELD_BACK = ("hearts", "king", "all")
KING_DUTY = ("king", "all")


def rank_of(card: int) -> str:
    """Return the rank letter of a card; a joker has none."""
    return LANES.ranks[card % 16] if card not in LANES.jokers else ""


def suit_of(card: int) -> int:
    """Return the suit 0 … 3 (S H D C) of a card; a joker has none, -1."""
    return card // 16 if card not in LANES.jokers else -1


@dataclass(frozen=True)
class Contract:
    """One row of the table of contracts.

    Attributes
    ----------
    name : str
        As in the option ``contracts``; empty where a variety has no contracts.
    trick, last : int
        Points for each trick, and for each of the last two.
    cards : mapping of int to int
        Points of each card that scores.
    held_back : tuple of int
        Suits that may be led only by a player who has nothing else (K-4).
    duty : tuple of int
        Cards that a player void in the suit led must play (K-5).
    trump : bool
        Whether the declarer names a trump or none (K-O).
    declarer_leads_trumps : bool
        Whether only the declarer may lead trumps (K-M).
    slam : int
        Points for taking every scoring card, the others then having 0 (K-B); 0: no such rule.
    """

    name: str
    trick: int = 0
    last: int = 0
    cards: Mapping[int, int] = field(default_factory=dict)
    held_back: tuple[int, ...] = ()
    duty: tuple[int, ...] = ()
    trump: bool = False
    declarer_leads_trumps: bool = False
    slam: int = 0


@dataclass(frozen=True)
class Plan:
    """All that the kernel has to know of a game besides the match's own options.

    Attributes
    ----------
    players, hand_size : int
    deck : tuple of int
        Cards, ascending.
    talon : int
        Cards of the talon: 0 or 2 (K-M).
    talon_at : int
        Place in the deck order of the first of them.
    reserve : bool
        Whether what is not dealt is drawn from by who cannot follow (K-D); else it is out.
    contracts : tuple of Contract
        Distinct, in the order printed.
    codes : tuple of int
        The label of each in the table of deals, -1 where there is none.
    listed : tuple of int
        The list that is played, or that each player has to name (K-7), as places in `contracts`.
    choice : {"fixed", "declarer", "auction"}
        In turn, by a declarer, or by the highest bidder.
    declarer_step : int
        The declarer's place after ``first``.
    length : int or None
        Deals of a complete match.
    limit : int or None
        A total at or below it ends the match (K-11).
    limit_high : int or None
        A total at or above it ends the match.
    most_bid : int
        Highest bid (K-A).
    names_suit : bool
        Whether the highest bidder names a suit (contract i is suit i), not a contract.
    joker_suits : tuple of int
        Suits that a joker may be played on by a player who could follow (K-J).
    joker_bane : tuple of tuple of int
        For each suit of a trick, the cards that keep a joker from winning it.
    """

    players: int
    hand_size: int
    deck: tuple[int, ...]
    contracts: tuple[Contract, ...]
    codes: tuple[int, ...]
    listed: tuple[int, ...]
    talon: int = 0
    talon_at: int = 0
    reserve: bool = False
    choice: Literal["fixed", "declarer", "auction"] = "fixed"
    declarer_step: int = 0
    length: int | None = None
    limit: int | None = None
    limit_high: int | None = None
    most_bid: int = 13
    names_suit: bool = False
    joker_suits: tuple[int, ...] = ()
    joker_bane: tuple[tuple[int, ...], ...] = ((), (), (), ())


@dataclass(frozen=True)
class Variety:
    """One of the ten varieties.

    Attributes
    ----------
    name, clause : str
    players : tuple of int
        Numbers of players; the last is the default.
    choice : str
        As in :class:`Plan`.
    names : tuple of str
        Contracts that it knows, in the order printed; empty where it has none.
    units : mapping of str to int
        Points of each part of a contract, without sign.
    talon, reserve, declarer_step
        As in :class:`Plan`.
    """

    name: str
    clause: str
    players: tuple[int, ...]
    choice: Literal["fixed", "declarer", "auction"] = "fixed"
    names: tuple[str, ...] = ()
    units: Mapping[str, int] = field(default_factory=dict)
    talon: int = 0
    reserve: bool = False
    declarer_step: int = 0


def _units(*points: int) -> dict[str, int]:
    return dict(zip(PARTS, points, strict=True))


SIXTEEN = _units(2, 4, 4, 2, 16, 8)
TWENTY = _units(2, 5, 5, 2, 20, 10)
FORTY = _units(4, 10, 10, 5, 40, 20)

VARIETIES: dict[str, Variety] = {
    variety.name: variety
    for variety in (
        Variety("simple", "K-1", (4,), "fixed", FOURTEEN, SIXTEEN),
        Variety("threesome", "K-T", (3,), "fixed", FOURTEEN, TWENTY),
        Variety("ordered", "K-O", (4,), "declarer", FOURTEEN, SIXTEEN),
        Variety("minsk", "K-M", (3,), "declarer", MINSK, FORTY, talon=2),
        Variety("minsk-declarer", "K-M", (3,), "declarer", MINSK, FORTY, talon=2),
        Variety("domino", "K-D", (4,), "fixed", FOURTEEN, SIXTEEN, reserve=True),
        Variety("jokers", "K-J", (3, 4)),
        Variety("trade", "K-A", (3, 4), "auction"),
        Variety("omnibus", "K-B", (3, 4)),
        Variety("atomic", "K-X", (3,), "declarer", ATOMIC, FORTY, talon=2, declarer_step=1),
    )
}

DOMINO_HAND = 6
#: A heart from the jack up keeps a joker from winning (K-J).
BANE = tuple(LANES.number(rank + "H") for rank in "JQKA")


# --- decks ----------------------------------------------------------------------------


def deck_cards(lowest: str, without: tuple[str, ...] = (), jokers: int = 0) -> tuple[int, ...]:
    """Return the cards from `lowest` up, without some, with jokers, ascending."""
    ranks = LANES.ranks[LANES.ranks.index(lowest) :]
    cards = {LANES.number(rank + suit) for rank in ranks for suit in SUITS}
    cards -= {LANES.number(card) for card in without}
    return (*sorted(cards), *LANES.jokers[:jokers])


def _deck(name: str, players: int, options: Options) -> tuple[int, ...]:
    three = players == 3
    if name == "threesome":
        return deck_cards("7", ("AS", "AC") if options["removed"] == "aces" else ("7S", "7C"))
    if name == "domino":
        return deck_cards("7" if options["deck"] == 32 else "2")
    if name == "jokers":
        return deck_cards("2", ("2C", "3C") if three else ("2C",), options["jokers"])
    if name in ("trade", "omnibus"):
        return deck_cards("2", ("2C",) if three else ())
    return deck_cards("7")


# --- contracts ------------------------------------------------------------------------


def _contract(variety: Variety, name: str, options: Options) -> Contract:
    """Return a contract of a variety, by its name alone (K-3)."""
    trump_in = options.get("trump_in", "none")
    positive = not name.startswith("no-")
    trump = trump_in == "all" or (trump_in == "positive" and positive)
    if name == WIN_BACK:
        only_declarer = options["trump_lead"] == "declarer"
        return Contract(name, trick=8, trump=trump, declarer_leads_trumps=only_declarer)
    sign = 1 if positive else -1
    kind = name.removeprefix("no-")
    points = {part: sign * variety.units[part] * (kind in (part, "all")) for part in PARTS}
    boys = {"J": points["jacks"]}
    if options.get("kings_as_boys"):
        boys = dict.fromkeys("JK", sign * 5 * (kind in ("jacks", "all")))
    ranks = {"Q": points["queens"], **boys}
    cards = {}
    for card in deck_cards("2"):
        value = ranks.get(rank_of(card), 0)
        value += points["hearts"] if suit_of(card) == HEARTS else 0
        value += points["king"] if card == KING_OF_HEARTS else 0
        if value:
            cards[card] = value
    held_back = kind in HEARTS_HELD_BACK and not variety.reserve
    return Contract(
        name,
        trick=points["tricks"],
        last=points["last-two"],
        cards=cards,
        held_back=(HEARTS,) if held_back else (),
        duty=(KING_OF_HEARTS,) if kind in KING_DUTY else (),
        trump=trump,
    )


def _nameless(name: str) -> tuple[Contract, ...]:
    """Return what scores in the varieties without contracts (K-J, K-A, K-B)."""
    natural = deck_cards("2")
    hearts = [card for card in natural if suit_of(card) == HEARTS]
    if name == "jokers":
        cards = {card: -(card % 16 + 2) for card in hearts}
        return (Contract("", cards=cards | dict.fromkeys(LANES.jokers, -20)),)
    if name == "trade":
        return tuple(
            Contract("", cards={card: -1 for card in natural if suit_of(card) == suit})
            for suit in range(4)
        )
    omnibus = dict.fromkeys(hearts, -1) | {LANES.number("QS"): -13, LANES.number("TD"): 10}
    return (Contract("", cards=omnibus, slam=26),)


def _printed(variety: Variety, options: Options) -> tuple[str, ...]:
    """Return the variety's own list, repeats included (K-7)."""
    if variety.name == "atomic":
        dropped = () if options["eralash"] else ("no-all", "all")
        names = tuple(name for name in ATOMIC[:-1] if name not in dropped)
        return names + ATOMIC[-1:] * int(options["hvalenki"])
    if WIN_BACK in variety.names:
        return (*variety.names, WIN_BACK, WIN_BACK)
    return variety.names


# --- the plan -------------------------------------------------------------------------


def plan_variety(name: str, players: int, options: Options) -> Plan:
    """Return the plan of one of the ten varieties.

    Parameters
    ----------
    name : str
        A key of ``VARIETIES``.
    players : int
        One of the variety's numbers of players.
    options : mapping
        Every option, validated.
    """
    variety = VARIETIES[name]
    deck = _deck(name, players, options)
    hand = DOMINO_HAND if variety.reserve else (len(deck) - variety.talon) // players
    contracts = tuple(_contract(variety, n, options) for n in variety.names) or _nameless(name)
    names = options.get("contracts") or _printed(variety, options)
    plan = Plan(
        players=players,
        hand_size=hand,
        deck=deck,
        contracts=contracts,
        codes=tuple(LABELS.index(c.name) if c.name else -1 for c in contracts),
        listed=tuple(variety.names.index(n) for n in names) or tuple(range(len(contracts))),
        talon=variety.talon,
        talon_at=players * hand // 2,
        reserve=variety.reserve,
        choice=variety.choice,
        declarer_step=variety.declarer_step,
        limit=options.get("limit"),
    )
    finish = _FINISH.get(name, _by_list)
    return finish(plan, options)


def _by_list(plan: Plan, options: Options) -> Plan:
    """A match of all contracts: one deal each, or each player names each (K-7, K-O)."""
    times = plan.players if plan.choice == "declarer" else 1
    return replace(plan, length=times * len(plan.listed))


def _jokers(plan: Plan, options: Options) -> Plan:
    everywhere = {"void_or_hearts": (HEARTS,), "void": (), "any": tuple(range(4))}
    led_only = options["joker_loses"] == "led"
    return replace(
        plan,
        length=options["deals"] or plan.players,
        joker_suits=everywhere[options["joker_play"]],
        joker_bane=tuple(() if led_only and s != HEARTS else BANE for s in range(4)),
    )


def _trade(plan: Plan, options: Options) -> Plan:
    high = -options["limit"] if options["bid"] == "gain" else None
    return replace(plan, names_suit=True, limit_high=high)


def _open_ended(plan: Plan, options: Options) -> Plan:
    return plan


_FINISH: dict[str, Callable[[Plan, Options], Plan]] = {
    "jokers": _jokers,
    "trade": _trade,
    "omnibus": _open_ended,
}
