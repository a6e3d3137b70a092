"""A house variety of King as its referee knows it: the table that a record carries (K-3).

A record of the variety ``house`` holds its whole table, every key given, as its option
``custom`` (C-10). Only the shape of the table is left to the model that reads house files;
what it means is worked out here.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from simlib.cards import parse_card
from simlib.errors import BadInput
from simlib.games.king.house import read_house
from simlib.games.king.referee_options import EVERY, JOKERS, OPTIONS, RANKS, SUITS, contract_list
from simlib.games.king.referee_setting import Setting, Values
from simlib.games.refereeing import Option, refuse

__all__ = ["HOUSE", "HOUSE_PLAYERS", "HouseSetting", "house_options"]

HOUSE = "house"
HOUSE_PLAYERS = (2, 3, 4)

_LOWEST = {32: "7", 36: "6", 52: "2"}
#: Options of every variety that a house has in its own table.
_IN_TABLE = ("must_trump",)


def house_options(rules: object) -> dict[str, Option]:
    """Return the options that a record of a house variety must have (C-10).

    Parameters
    ----------
    rules : object
        As found in the record; a table in it is checked here, so that the fault can say
        where it is wrong.
    """
    known = {key: OPTIONS[key] for key in EVERY if key not in _IN_TABLE}
    custom = rules.get("custom") if isinstance(rules, dict) else None
    names = _check_table(custom) if custom is not None else []
    known["contracts"] = contract_list(names)
    if isinstance(custom, dict) and custom["choice"] == "auction":
        known["contracts"] = Option(lambda value: value is None, "null: the bidder names any (K-A)")
    known["custom"] = Option(lambda value: value is not None, "the table of a house variety")
    return known


def _check_table(custom: object) -> list[str]:
    """Require a whole table and return the names of its contracts."""
    if not isinstance(custom, dict):
        refuse("C-10", "rules: custom is not a JSON object")
    try:
        whole = read_house(custom).model_dump()
    except BadInput as error:
        refuse("C-10", f"rules: {error}")
    _require_every_key(whole, custom, "custom")
    for number, row in enumerate(whole["contracts"]):
        _require_every_key(row, custom["contracts"][number], f"custom.contracts.{number}")
    # To Python 1, 1.0 and true are equal; in a record they are not.
    if json.dumps(whole, sort_keys=True) != json.dumps(custom, sort_keys=True):
        refuse("C-10", "rules: custom has 1.0 or true in place of a whole number")
    return [row["name"] for row in custom["contracts"]]


def _require_every_key(whole: Mapping[str, Any], found: Mapping[str, Any], where: str) -> None:
    missing = [key for key in whole if key not in found]
    if missing:
        refuse("C-10", f"rules: {where} lacks {', '.join(missing)}")


class HouseSetting(Setting):
    """A game of a house variety."""

    @property
    def _table(self) -> Mapping[str, Any]:
        table: Mapping[str, Any] = self.rules["custom"]
        return table

    def _row(self, contract: str | None) -> Mapping[str, Any]:
        """Return the row of a contract."""
        rows: list[Mapping[str, Any]] = self._table["contracts"]
        return next(row for row in rows if row["name"] == contract)

    def rule(self, key: str) -> Any:
        """Return an option's value, from the table or beside it."""
        return self._table[key] if key in self._table and key != "contracts" else self.rules[key]

    # --- clauses to cite --------------------------------------------------------------

    @property
    def clause(self) -> str:
        """Clause of who chooses."""
        return {"fixed": "K-1", "declarer": "K-O", "auction": "K-A"}[self.rule("choice")]

    @property
    def deal_clause(self) -> str:
        """Clause of the deal."""
        return "K-1"

    @property
    def score_clause(self) -> str:
        """Clause of the points."""
        return "K-3"

    @property
    def length_clause(self) -> str:
        """Clause of the length of a match."""
        return "K-7"

    @property
    def talon_clause(self) -> str:
        """Clause of the talon."""
        return "K-M"

    # --- who chooses ------------------------------------------------------------------

    @property
    def orders(self) -> bool:
        """Whether a declarer names the contract."""
        return bool(self.rule("choice") == "declarer")

    @property
    def declarer_step(self) -> int:
        """The declarer's place after the first seat."""
        return 1 if self.rule("declarer") == "next" else 0

    @property
    def bids(self) -> bool:
        """Whether the highest bidder chooses."""
        return bool(self.rule("choice") == "auction")

    @property
    def names_suit(self) -> bool:
        """Never: the highest bidder names a contract."""
        return False

    @property
    def most_bid(self) -> int:
        """The highest bid."""
        return int(self.rule("most_bid"))

    @property
    def has_talon(self) -> bool:
        """Whether two cards are dealt to a talon."""
        return bool(self.rule("talon"))

    def names_trump(self, contract: str) -> bool:
        """Tell whether a trump is named in this contract."""
        return bool(self._row(contract)["trump"])

    # --- contracts and the match ------------------------------------------------------

    @property
    def _listed(self) -> list[str]:
        given = self.rules["contracts"]
        if given is not None:
            return list(given)
        return [row["name"] for row in self._table["contracts"] for _ in range(row["times"])]

    @property
    def contract_count(self) -> int:
        """Length of the list played, or named by each player."""
        return len(self._listed)

    @property
    def book(self) -> Counter[str]:
        """How often each player has to name each contract in a match."""
        return Counter(self._listed)

    def imposed(self, number: int) -> str | None:
        """Return the contract of a deal that nobody chooses, else None."""
        if self.bids or (self.orders and self.unit == "match"):
            return None
        return self._listed[(self.index if self.unit == "deal" else number) % len(self._listed)]

    def label(self, contract: str | None) -> str | None:
        """Return a contract as the column `contract` has it: ``custom-0`` is the first row."""
        names = [row["name"] for row in self._table["contracts"]]
        return None if contract is None else f"custom-{names.index(contract)}"

    @property
    def length(self) -> int | None:
        """How many deals make a match complete; None if no number does."""
        deals: int | None = self.rule("deals")
        if deals is not None:
            return deals or None
        if self.bids:
            return None
        return len(self._listed) * (self.players if self.orders else 1)

    @property
    def limits(self) -> tuple[int | None, int | None]:
        """The totals that end a match: at or below the first, at or above the second."""
        return self.rule("limit"), self.rule("limit_high")

    # --- play -------------------------------------------------------------------------

    @property
    def draws(self) -> bool:
        """Whether who cannot follow draws from the cards not dealt."""
        return bool(self.rule("reserve"))

    def held_back(self, contract: str | None) -> str:
        """Return the suits that only a player may lead who has nothing else."""
        return "".join(self._row(contract)["held_back"])

    def duty(self, contract: str | None) -> frozenset[str]:
        """Return the cards that a player void in the suit led must play."""
        return frozenset(map(parse_card, self._row(contract)["duty"]))

    def keeps_trumps(self, contract: str | None) -> bool:
        """Tell whether only the declarer may lead trumps."""
        return bool(self._row(contract)["declarer_leads_trumps"])

    def stops_early(self, contract: str | None) -> bool:
        """Tell whether only cards score, so that K-6 may end a deal."""
        row = self._row(contract)
        return not (row["trick"] or row["last_two"] or self.rule("play_out"))

    # --- cards and points -------------------------------------------------------------

    @property
    def deck(self) -> frozenset[str]:
        """The cards of this game."""
        ranks = RANKS[RANKS.index(_LOWEST[self.rule("deck")]) :]
        cards = {rank + suit for rank in ranks for suit in SUITS}
        cards -= set(map(parse_card, self.rule("without")))
        return frozenset(cards | set(JOKERS[: self.rule("jokers")]))

    @property
    def sizes(self) -> dict[str, int]:
        """How many cards go to a hand, the stock, the talon and aside."""
        talon = int(self.rule("talon"))
        room = len(self.deck) - talon
        hand = self.rule("hand_size")
        if hand is None:
            hand = room // self.players
        rest = room - hand * self.players
        stock = rest if self.draws else 0
        return {"hand": hand, "stock": stock, "talon": talon, "aside": rest - stock}

    def values(self, contract: str | None, penalty: str | None = None) -> Values:
        """Return what scores: a card's points are the sum of its rank's, suit's and own."""
        row = self._row(contract)
        own = {parse_card(card): points for card, points in row["cards"].items()}
        cards = {}
        for card in self.deck:
            points = int(own.get(card, 0))
            if card not in JOKERS:
                points += row["ranks"].get(card[0], 0) + row["suits"].get(card[1], 0)
            if points:
                cards[card] = points
        return Values(row["trick"], row["last_two"], cards, row["slam"])
