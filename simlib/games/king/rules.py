"""The options of King, a model for each variety (K-1 … K-X, C-12), and their packing."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import field_validator, model_validator

from simlib.cards import LANES
from simlib.errors import BadInput
from simlib.games.king.contracts import LABELS, VARIETIES, Plan, plan_variety
from simlib.games.king.house import MOST_CONTRACTS, MOST_LISTED, House, plan_house, read_house
from simlib.games.options import First, Rules, option

__all__ = [
    "HOUSE",
    "NAMES",
    "PACKED",
    "PRESETS",
    "KingRules",
    "check_players",
    "make_plan",
    "pack",
    "players_of",
    "rules_model",
]

#: The variety whose table comes from a file.
HOUSE = "house"
#: Every variety; the first is the default.
NAMES = (*VARIETIES, HOUSE)

PRESETS: dict[str, dict[str, object]] = {"seed": {}}


# --- the options of each variety ------------------------------------------------------


class KingRules(Rules):
    """What every variety has."""

    game: ClassVar[str] = "king"
    variety: ClassVar[str] = ""

    play_out: bool = option(
        False, "K-6", "a deal is played to its last card, even when nothing can score any more"
    )
    max_deals: int = option(
        1000, "K-11", "a match is censored after so many deals", ge=1, le=1_000_000
    )
    first: First = option("zero", "C-3", "seat 0 is first in deal 0, or seat g mod n in game g")


class _WithContracts(KingRules):
    contracts: tuple[str, ...] | None = option(
        None,
        "K-7",
        "the contracts played in turn, or to be named by each player; null: the variety's own",
    )

    @field_validator("contracts", mode="before")
    @classmethod
    def _named(cls, value: Any) -> Any:
        """Read the number of a contract in the variety's table as its name."""
        if cls.variety not in VARIETIES or not isinstance(value, list | tuple):
            return value  # in a house a number may be a name
        names = VARIETIES[cls.variety].names
        numbers = {str(number): name for number, name in enumerate(names, start=1)}
        return [one if isinstance(one, bool) else numbers.get(str(one), one) for one in value]

    @field_validator("contracts")
    @classmethod
    def _known(cls, value: tuple[str, ...] | None) -> tuple[str, ...] | None:
        if cls.variety in VARIETIES:
            check_contracts(value, VARIETIES[cls.variety].names)
        return value


class _WithTrumps(_WithContracts):
    must_trump: bool = option(
        False, "K-2", "a follower void in the suit led must play a trump if he has one"
    )
    trump_in: Literal["positive", "all", "none"] = option(
        "positive", "K-O", "the contracts in which the declarer names a trump"
    )
    no_trump: bool = option(True, "K-O", "the declarer may name no trump")
    order_when: Literal["look", "blind"] = option(
        "look", "K-O", "the contract is named after the declarer has seen his cards, or before"
    )


class SimpleRules(_WithContracts):
    """The base game for four (K-1 … K-7)."""

    variety: ClassVar[str] = "simple"


class ThreesomeRules(_WithContracts):
    """The base game for three (K-T)."""

    variety: ClassVar[str] = "threesome"

    removed: Literal["aces", "sevens"] = option(
        "aces", "K-T", "taken out of the 32 cards: the black aces, or the black sevens"
    )


class OrderedRules(_WithTrumps):
    """Each player names each contract once (K-O)."""

    variety: ClassVar[str] = "ordered"


class MinskRules(_WithTrumps):
    """Nine contracts a player, with a talon (K-M)."""

    variety: ClassVar[str] = "minsk"

    trump_lead: Literal["free", "declarer"] = option(
        "free", "K-M", "in win-back everybody may lead trumps, or only the declarer"
    )


class MinskDeclarerRules(_WithTrumps):
    """Minsk in which only the declarer may lead trumps (K-M)."""

    variety: ClassVar[str] = "minsk-declarer"

    trump_lead: Literal["declarer"] = option(
        "declarer", "K-M", "in win-back only the declarer may lead trumps"
    )


class DominoRules(_WithContracts):
    """Six cards and a reserve to draw from (K-D)."""

    variety: ClassVar[str] = "domino"

    kept_as: Literal["cards", "trick"] = option(
        "cards", "K-D", "the cards of the last holder count as cards only, or also as a trick"
    )
    deck: Literal[32, 52] = option(32, "K-D", "cards of the deck")
    limit: int = option(-31, "K-11", "a total at or below it ends the match", ge=-1_000_000, le=-1)

    _whole = field_validator("deck", mode="before")(lambda value: _number(value))


class JokersRules(KingRules):
    """Hearts and jokers cost (K-J)."""

    variety: ClassVar[str] = "jokers"

    jokers: Literal[1, 2] = option(1, "K-J", "jokers in the deck; two with three players only")
    joker_play: Literal["void_or_hearts", "void", "any"] = option(
        "void_or_hearts",
        "K-J",
        "a joker is played when void or instead of a heart, only when void, or at any time",
    )
    joker_loses: Literal["contains", "led"] = option(
        "contains",
        "K-J",
        "a heart from the jack up beats a joker in any trick, or if hearts is led",
    )
    deals: int | None = option(
        None, "K-J", "deals of a match; null: each seat deals once", ge=1, le=1_000_000
    )

    _whole = field_validator("jokers", mode="before")(lambda value: _number(value))


class TradeRules(KingRules):
    """The highest bidder names the penalty suit (K-A)."""

    variety: ClassVar[str] = "trade"

    bid: Literal["cost", "gain"] = option(
        "cost", "K-A", "the highest bidder loses, or gains, what he bid"
    )
    auction: Literal["round", "open"] = option(
        "round", "K-A", "one bid each, or on and on until one bidder is left"
    )
    bidder_leads: bool = option(False, "K-A", "the highest bidder leads, not `first`")
    limit: int = option(-77, "K-11", "a total at or below it ends the match", ge=-1_000_000, le=-1)


class OmnibusRules(KingRules):
    """Hearts, the queen of spades and the ten of diamonds (K-B)."""

    variety: ClassVar[str] = "omnibus"

    limit: int = option(-100, "K-11", "a total at or below it ends the match", ge=-1_000_000, le=-1)


class AtomicRules(_WithTrumps):
    """Fourteen contracts a player that sum to nothing, with a talon (K-X)."""

    variety: ClassVar[str] = "atomic"

    trump_in: Literal["positive", "all", "none"] = option(
        "none", "K-X", "the contracts in which the declarer names a trump"
    )
    eralash: bool = option(True, "K-X", "no-all and all are played")
    hvalenki: int = option(6, "K-X", "how often each player names tricks", ge=0, le=MOST_LISTED - 8)
    kings_as_boys: bool = option(False, "K-X", "jacks and kings score 5 each in place of jacks")


class HouseRules(_WithContracts):
    """A variety of one's own, from a file."""

    variety: ClassVar[str] = HOUSE

    custom: House | None = option(
        None, "K-3", "the table of the variety: players, deck, contracts with their points"
    )

    @field_validator("custom", mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        return None if value is None else read_house(value)

    @model_validator(mode="after")
    def _needed(self) -> HouseRules:
        if self.custom is None:
            raise ValueError(
                "the variety house needs the option custom: a table as in"
                " simlib/games/king/examples/house_king.toml (K-3)"
            )
        check_contracts(self.contracts, tuple(row.name for row in self.custom.contracts))
        if self.contracts is not None and self.custom.choice == "auction":
            raise ValueError("contracts: with choice auction the bidder names any of them (K-A)")
        return self


def check_contracts(value: tuple[str, ...] | None, names: tuple[str, ...]) -> None:
    """Refuse a list of contracts that is empty, too long, or has an unknown name (K-7)."""
    if value is None:
        return
    unknown = [name for name in value if name not in names]
    if unknown or not value:
        what = f"no contract {unknown[0]!r}" if unknown else "an empty list"
        if unknown and unknown[0].isdecimal() and 1 <= int(unknown[0]) <= len(names):
            what += f" (number {int(unknown[0])} is {names[int(unknown[0]) - 1]})"
        raise ValueError(f"{what}; this variety has {', '.join(names)}")
    if len(value) > MOST_LISTED:
        raise ValueError(f"{len(value)} contracts; at most {MOST_LISTED}")


def _number(value: Any) -> Any:
    """Read a text as a number, and keep truth values from passing for 0 and 1."""
    if isinstance(value, bool):
        return "a truth value"
    return int(value) if isinstance(value, str) and value.isdecimal() else value


_MODELS: dict[str, type[KingRules]] = {
    model.variety: model
    for model in (
        SimpleRules,
        ThreesomeRules,
        OrderedRules,
        MinskRules,
        MinskDeclarerRules,
        DominoRules,
        JokersRules,
        TradeRules,
        OmnibusRules,
        AtomicRules,
        HouseRules,
    )
}


def rules_model(variety: str | None) -> type[KingRules]:
    """Return the options' model of a variety; None means the first.

    Raises
    ------
    BadInput
        If there is no such variety.
    """
    name = NAMES[0] if variety is None else variety
    if name not in _MODELS:
        raise BadInput(f"variety {variety!r}: king has {', '.join(NAMES)}")
    return _MODELS[name]


def players_of(variety: str | None) -> tuple[tuple[int, ...], int]:
    """Return the numbers of players of a variety, and the default."""
    rules_model(variety)
    if variety == HOUSE:
        return (2, 3, 4), 4
    numbers = VARIETIES[variety or NAMES[0]].players
    return numbers, numbers[-1]


def check_players(rules: KingRules, players: int) -> None:
    """Refuse what does not go with the number of players.

    Raises
    ------
    BadInput
        Two jokers and four players (K-J); another number than a house is made for.
    """
    if isinstance(rules, JokersRules) and rules.jokers == 2 and players != 3:
        raise BadInput(f"option jokers=2: with {players} players valid: 1 (K-J)")
    if isinstance(rules, HouseRules):
        assert rules.custom is not None
        if rules.custom.players != players:
            raise BadInput(
                f"players {players}: this house variety is for {rules.custom.players} (custom)"
            )


# --- the packed record ----------------------------------------------------------------

#: Text options as the kernel knows them: the position in this tuple.
CODES: dict[str, tuple[str, ...]] = {
    "order_when": ("look", "blind"),
    "kept_as": ("cards", "trick"),
    "bid": ("cost", "gain"),
    "auction": ("round", "open"),
    "choice": ("fixed", "declarer", "auction"),
    "first": ("zero", "rotate"),
}
#: Options that the kernel reads as they are; 0 where a variety has none of the name.
_PLAIN = (
    "first",
    "max_deals",
    "play_out",
    "must_trump",
    "no_trump",
    "order_when",
    "kept_as",
    "bid",
    "auction",
    "bidder_leads",
)

#: The rules as one record for the kernel. Arrays of MOST_CONTRACTS hold a value a contract.
PACKED = np.dtype(
    [
        ("deck", "u1", (64,)),
        ("deck_mask", "u8"),
        ("jokers", "u8"),  # the jokers of the deck
        ("instead", "u8", (5,)),  # by suit: jokers that may be played instead of following
        ("bane", "u8", (5,)),  # by suit of the trick: cards that keep a joker from winning
        ("scoring", "u8", (MOST_CONTRACTS,)),
        ("held_back", "u8", (MOST_CONTRACTS,)),
        ("duty", "u8", (MOST_CONTRACTS,)),
        ("value", "i2", (MOST_CONTRACTS, 64)),
        ("trick", "i8", (MOST_CONTRACTS,)),
        ("last", "i8", (MOST_CONTRACTS,)),
        ("trump", "i8", (MOST_CONTRACTS,)),
        ("declarer_leads_trumps", "i8", (MOST_CONTRACTS,)),
        ("early", "i8", (MOST_CONTRACTS,)),
        ("slam", "i8", (MOST_CONTRACTS,)),
        ("code", "i8", (MOST_CONTRACTS,)),
        ("contracts", "i8"),
        ("listed", "u1", (MOST_LISTED,)),
        ("list_length", "i8"),
        ("deck_size", "i8"),
        ("players", "i8"),
        ("hand_size", "i8"),
        ("talon", "i8"),
        ("talon_at", "i8"),
        ("reserve", "i8"),
        ("choice", "i8"),
        ("declarer_step", "i8"),
        ("names_suit", "i8"),
        ("most_bid", "i8"),
        ("length", "i8"),
        ("limit", "i8"),
        ("limit_high", "i8"),
        ("match", "i8"),
        ("stepping", "i8"),
        ("trusted", "i8"),
    ]
    + [(name, "i8") for name in _PLAIN],
    align=True,
)

#: No limit, no length.
NEVER = 1 << 40
LANE = 0x1FFF


def make_plan(rules: KingRules, players: int) -> Plan:
    """Return the plan of a game: what is played with these options."""
    if isinstance(rules, HouseRules):
        assert rules.custom is not None
        return plan_house(rules.custom, rules.contracts, len(LABELS))
    return plan_variety(rules.variety, players, rules.model_dump())


def pack(
    rules: KingRules, players: int, *, match: bool = False, trusted: bool = False
) -> np.ndarray:
    """Return the rules as an array of one PACKED record.

    Parameters
    ----------
    rules : KingRules
        Validated options of one variety.
    players : int
        A number of players of the variety.
    match : bool
        Whether a game is a match (``unit=match``).
    trusted : bool
        Whether all policies are ours, which never write into their view.
    """
    plan = make_plan(rules, players)
    packed = np.zeros(1, PACKED)
    packed["match"] = match
    packed["trusted"] = trusted
    options = rules.model_dump()
    options |= options.pop("custom", None) or {}
    for name in _PLAIN:
        value = options.get(name, 0)
        packed[name] = CODES[name].index(value) if value and name in CODES else value
    _pack_table(packed[0], plan)
    _pack_contracts(packed[0], plan, early=not rules.play_out)
    return packed


def _mask(cards: Any) -> int:
    return sum(1 << card for card in cards)


def _pack_table(row: Any, plan: Plan) -> None:
    row["deck"][: len(plan.deck)] = LANES.new_pack(plan.deck)
    row["deck_mask"] = _mask(plan.deck)
    jokers = _mask(card for card in plan.deck if card > 60)
    row["jokers"] = jokers
    for suit in plan.joker_suits:
        row["instead"][suit] = jokers
    if jokers:
        row["bane"][:4] = [_mask(cards) for cards in plan.joker_bane]
        # while only jokers lie: a card that would win the trick that it sets the suit of
        row["bane"][4] = _mask(
            card for suit, cards in enumerate(plan.joker_bane) for card in cards
            if card // 16 == suit
        )  # fmt: skip
    row["listed"][: len(plan.listed)] = plan.listed
    row["list_length"] = len(plan.listed)
    row["deck_size"] = len(plan.deck)
    row["choice"] = CODES["choice"].index(plan.choice)
    row["length"] = NEVER if plan.length is None else plan.length
    row["limit"] = -NEVER if plan.limit is None else plan.limit
    row["limit_high"] = NEVER if plan.limit_high is None else plan.limit_high
    for name in ("players", "hand_size", "talon", "talon_at", "reserve", "declarer_step",
                 "names_suit", "most_bid"):  # fmt: skip
        row[name] = getattr(plan, name)


def _pack_contracts(row: Any, plan: Plan, *, early: bool) -> None:
    row["contracts"] = len(plan.contracts)
    for i, contract in enumerate(plan.contracts):
        cards = {card: points for card, points in contract.cards.items() if card in plan.deck}
        row["scoring"][i] = _mask(cards)
        for card, points in cards.items():
            row["value"][i, card] = points
        row["held_back"][i] = sum(LANE << 16 * suit for suit in contract.held_back)
        row["duty"][i] = _mask(contract.duty)
        row["early"][i] = early and not contract.trick and not contract.last
        row["code"][i] = plan.codes[i]
        for name in ("trick", "last", "trump", "declarer_leads_trumps", "slam"):
            row[name][i] = getattr(contract, name)
