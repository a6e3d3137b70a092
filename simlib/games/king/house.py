"""A house variety of King: rows of the table of contracts, from a file (K-3).

See ``examples/house_king.toml``. A house is validated here and becomes the same
:class:`~simlib.games.king.contracts.Plan` as the ten varieties, so that the kernel plays it
like any of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from simlib.cards import LANES, SUITS
from simlib.errors import BadInput
from simlib.games.king.contracts import BANE, Contract, Plan, deck_cards, rank_of, suit_of

__all__ = ["MOST_CONTRACTS", "House", "HouseContract", "plan_house", "read_house"]

#: Most different contracts of a variety, and most entries of a list of contracts.
MOST_CONTRACTS = 16
MOST_LISTED = 256
#: Scores of a deal are 16-bit numbers.
MOST_POINTS = 30_000
LOWEST = {32: "7", 36: "6", 52: "2"}

Points = Annotated[int, Field(ge=-1000, le=1000)]
Suit = Literal["S", "H", "D", "C"]
Rank = Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class HouseContract(_Table):
    """One row: what scores, and what binds play. A card's points are the sum of its parts."""

    name: str = Field(description="letters, digits and hyphens")
    trick: Points = Field(0, description="points for each trick")
    last_two: Points = Field(0, description="points for each of the last two tricks")
    ranks: dict[Rank, Points] = Field({}, description="points for each card of a rank")
    suits: dict[Suit, Points] = Field({}, description="points for each card of a suit")
    cards: dict[str, Points] = Field({}, description="points for single cards, jokers too")
    held_back: list[Suit] = Field([], description="suits led only by who has nothing else (K-4)")
    duty: list[str] = Field([], description="cards that a player void in the suit must play (K-5)")
    trump: bool = Field(False, description="whether the declarer names a trump (K-O)")
    declarer_leads_trumps: bool = Field(False, description="only he may lead trumps (K-M)")
    slam: int = Field(0, ge=0, le=1000, description="points for taking all scoring cards (K-B)")
    times: int = Field(1, ge=1, le=16, description="how often it stands in the list (K-7)")

    @field_validator("name")
    @classmethod
    def _name(cls, value: str) -> str:
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", value):
            raise ValueError("a name has small letters, digits and single hyphens")
        return value

    @field_validator("cards", "duty")
    @classmethod
    def _cards(cls, value: Any) -> Any:
        LANES.mask(value)
        return value


class House(_Table):
    """A variety of King of one's own."""

    players: int = Field(4, ge=2, le=4)
    deck: Literal[32, 36, 52] = Field(52, description="cards from 7, from 6, or all")
    without: list[str] = Field([], description="cards taken out")
    jokers: Literal[0, 1, 2] = Field(0, description="jokers added (K-J)")
    hand_size: int | None = Field(None, ge=1, le=26, description="null: all cards are dealt")
    talon: Literal[0, 2] = Field(0, description="cards that the declarer exchanges (K-M)")
    reserve: bool = Field(False, description="who cannot follow draws from the rest (K-D)")
    kept_as: Literal["cards", "trick"] = Field("cards", description="the last holder's cards (K-D)")
    choice: Literal["fixed", "declarer", "auction"] = Field(
        "fixed", description="in turn, by a declarer, by the highest bidder"
    )
    declarer: Literal["leader", "next"] = Field("leader", description="who declares (K-O, K-X)")
    order_when: Literal["look", "blind"] = Field("look", description="K-O")
    no_trump: bool = Field(True, description="whether none may be named (K-O)")
    must_trump: bool = Field(False, description="K-2")
    auction: Literal["round", "open"] = Field("round", description="K-A")
    bid: Literal["cost", "gain"] = Field("cost", description="K-A")
    most_bid: int = Field(13, ge=1, le=60, description="highest bid (K-A)")
    bidder_leads: bool = Field(False, description="K-A")
    joker_play: Literal["void_or_hearts", "void", "any"] = Field(
        "void_or_hearts", description="K-J"
    )
    joker_loses: Literal["contains", "led"] = Field("contains", description="K-J")
    deals: int | None = Field(
        None, ge=0, le=10_000, description="deals of a match; null: the whole list; 0: to a limit"
    )
    limit: int | None = Field(None, ge=-1_000_000, le=-1, description="total that ends it (K-11)")
    limit_high: int | None = Field(None, ge=1, le=1_000_000, description="total that ends it")
    contracts: list[HouseContract] = Field(min_length=1, max_length=MOST_CONTRACTS)

    @field_validator("without")
    @classmethod
    def _without(cls, value: list[str]) -> list[str]:
        for card in value:
            LANES.number(card)
        return value

    @model_validator(mode="after")
    def _fits(self) -> House:
        names = [row.name for row in self.contracts]
        if len(set(names)) < len(names):
            raise ValueError("two contracts have the same name")
        deck = self.cards()
        room = len(deck) - self.talon
        hand = room // self.players if self.hand_size is None else self.hand_size
        if hand < 1 or hand * self.players > room:
            raise ValueError(
                f"{self.players} players with {hand} cards each and a talon of {self.talon}"
                f" need more than the {len(deck)} cards of the deck"
            )
        if self.choice == "fixed" and (self.talon or self.bidder_leads):
            raise ValueError("a talon, or a bidder who leads, needs choice declarer or auction")
        if self.choice == "fixed" and any(
            row.trump or row.declarer_leads_trumps for row in self.contracts
        ):
            raise ValueError("a trump needs choice declarer or auction: somebody has to name it")
        if self.choice == "declarer" and self.deals is not None:
            raise ValueError("with choice declarer each player names each contract: no deals")
        open_ended = self.deals == 0 or (self.choice == "auction" and self.deals is None)
        if open_ended and self.limit is None and self.limit_high is None:
            raise ValueError("a match needs deals, limit or limit_high to end")
        if sum(row.times for row in self.contracts) > MOST_LISTED:
            raise ValueError(f"the list of contracts has more than {MOST_LISTED} entries")
        for row in self.contracts:
            _check_points(row, deck, hand, self.most_bid)
        return self

    def cards(self) -> tuple[int, ...]:
        """Return the deck, ascending."""
        return deck_cards(LOWEST[self.deck], tuple(self.without), self.jokers)


def _points(row: HouseContract, deck: tuple[int, ...]) -> dict[int, int]:
    """Return the points of each card of the deck that scores in a contract."""
    single = {LANES.number(card): points for card, points in row.cards.items()}
    ranks = {str(rank): points for rank, points in row.ranks.items()}
    suits = {SUITS.index(suit): points for suit, points in row.suits.items()}
    worth = {
        card: ranks.get(rank_of(card), 0) + suits.get(suit_of(card), 0) + single.get(card, 0)
        for card in deck
    }
    return {card: points for card, points in worth.items() if points}


def _check_points(row: HouseContract, deck: tuple[int, ...], hand: int, most_bid: int) -> None:
    points = _points(row, deck)
    if not (row.trick or row.last_two or points):
        raise ValueError(f"contract {row.name!r}: nothing scores")
    if row.slam and not points:
        raise ValueError(f"contract {row.name!r}: a slam takes all scoring cards; none scores")
    if row.slam and (row.trick or row.last_two):
        raise ValueError(f"contract {row.name!r}: with a slam only cards score, no tricks (K-B)")
    most = sum(map(abs, points.values())) + abs(row.trick) * 2 * hand + abs(row.last_two) * 2
    if most + most_bid > MOST_POINTS:
        raise ValueError(f"contract {row.name!r}: a deal may score at most {MOST_POINTS} points")


def read_house(value: Any) -> House:
    """Return a validated house variety.

    Parameters
    ----------
    value : House or mapping
        As in the table ``[custom]`` of a file.

    Raises
    ------
    BadInput
        If it is none; the message says where.
    """
    if isinstance(value, House):
        return value
    if not isinstance(value, Mapping):
        raise BadInput("a table [custom] in a file, see simlib/games/king/examples/house_king.toml")
    try:
        return House.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in ("custom", *first["loc"]))
        raise BadInput(f"{where}: {str(first['msg']).removeprefix('Value error, ')}") from None


def plan_house(house: House, names: tuple[str, ...] | None, first_code: int) -> Plan:
    """Return the plan of a house variety.

    Parameters
    ----------
    house : House
    names : tuple of str, optional
        The list played, if not the house's own (K-7).
    first_code : int
        Label of the first contract in the table of deals; the others follow.
    """
    deck = house.cards()
    rows = house.contracts
    own = [place for place, row in enumerate(rows) for _ in range(row.times)]
    by_name = {row.name: place for place, row in enumerate(rows)}
    listed = own if names is None else [by_name[name] for name in names]
    hand = house.hand_size
    if hand is None:
        hand = (len(deck) - house.talon) // house.players
    length = house.deals or None
    if house.deals is None and house.choice != "auction":
        length = len(listed) * (house.players if house.choice == "declarer" else 1)
    everywhere = {"void_or_hearts": (1,), "void": (), "any": (0, 1, 2, 3)}
    led_only = house.joker_loses == "led"
    return Plan(
        players=house.players,
        hand_size=hand,
        deck=deck,
        contracts=tuple(_row(row, deck) for row in rows),
        codes=tuple(first_code + place for place in range(len(rows))),
        listed=tuple(listed),
        talon=house.talon,
        talon_at=house.players * hand // 2,
        reserve=house.reserve,
        choice=house.choice,
        declarer_step=1 if house.declarer == "next" else 0,
        length=length,
        limit=house.limit,
        limit_high=house.limit_high,
        most_bid=house.most_bid,
        joker_suits=everywhere[house.joker_play],
        joker_bane=tuple(() if led_only and suit != 1 else BANE for suit in range(4)),
    )


def _row(row: HouseContract, deck: tuple[int, ...]) -> Contract:
    return Contract(
        row.name,
        trick=row.trick,
        last=row.last_two,
        cards=_points(row, deck),
        held_back=tuple(SUITS.index(suit) for suit in row.held_back),
        duty=tuple(LANES.number(card) for card in row.duty),
        trump=row.trump,
        declarer_leads_trumps=row.declarer_leads_trumps,
        slam=row.slam,
    )
