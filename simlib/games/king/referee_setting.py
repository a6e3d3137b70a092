"""One game of King as its referee sees it: who does what, cards and points (K-1, K-3, K-7).

Nothing here looks at events. All that a variety does differently is asked here, so that the
rest of the referee names no variety; a house variety answers the same questions from its
own table (``referee_house.py``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simlib.games.king.referee_options import (
    ATOMIC_SIX,
    ERALASHES,
    IF_ABSENT,
    JOKERS,
    ORDERING,
    RANKS,
    SUITS,
    WITH_TALON,
    WITHOUT_CONTRACTS,
    contract_names,
)

__all__ = ["Setting", "Values"]

HEARTS_HELD_BACK = ("no-hearts", "no-king", "no-all", "hearts", "king", "all")
KING_DUTY = ("no-king", "no-all", "king", "all")
EARLY_CONTRACTS = (
    "no-jacks", "no-queens", "no-hearts", "no-king", "jacks", "queens", "hearts", "king",
)  # fmt: skip

# The clause that speaks of a variety's own acts, of its deal, and of its points (C-11).
VARIETY_CLAUSE = {
    "simple": "K-1",
    "threesome": "K-T",
    "ordered": "K-O",
    "minsk": "K-M",
    "minsk-declarer": "K-M",
    "domino": "K-D",
    "jokers": "K-J",
    "trade": "K-A",
    "omnibus": "K-B",
    "atomic": "K-X",
}
DEAL_CLAUSE = VARIETY_CLAUSE | {"ordered": "K-1"}
SCORE_CLAUSE = VARIETY_CLAUSE | {"simple": "K-3", "ordered": "K-3", "domino": "K-3"}

OMNIBUS_BONUS = 26


@dataclass(frozen=True)
class Values:
    """Points of a contract: for a trick, for each of the last two, and for cards.

    `slam` are the points for taking all of these cards, the others then having 0 (K-B);
    0 where there is no such rule.
    """

    trick: int
    last: int
    cards: Mapping[str, int]
    slam: int = 0


@dataclass(frozen=True)
class Setting:
    """What stays the same through a game: the head of a record."""

    variety: str
    players: int
    unit: str
    rules: Mapping[str, Any]
    index: int

    def rule(self, key: str) -> Any:
        """Return an option's value; the default, or None, for one that may be absent."""
        return self.rules.get(key, IF_ABSENT.get(key))

    # --- clauses to cite (C-11) -------------------------------------------------------

    @property
    def clause(self) -> str:
        """Clause of the variety: its own acts, and who does them."""
        return VARIETY_CLAUSE[self.variety]

    @property
    def deal_clause(self) -> str:
        """Clause of the deck and of the deal."""
        return DEAL_CLAUSE[self.variety]

    @property
    def score_clause(self) -> str:
        """Clause of the points."""
        return SCORE_CLAUSE[self.variety]

    @property
    def length_clause(self) -> str:
        """Clause of the length of a match."""
        return "K-J" if self.variety == "jokers" else "K-7"

    @property
    def talon_clause(self) -> str:
        """Clause of the talon and of what is laid away."""
        return self.clause if self.has_talon else "K-M"

    # --- who chooses ------------------------------------------------------------------

    @property
    def orders(self) -> bool:
        """Whether a declarer names the contract."""
        return self.variety in ORDERING

    @property
    def declarer_step(self) -> int:
        """The declarer's place after the first seat."""
        return 1 if self.variety == "atomic" else 0

    @property
    def bids(self) -> bool:
        """Whether the highest bidder chooses (K-A)."""
        return self.variety == "trade"

    @property
    def names_suit(self) -> bool:
        """Whether the highest bidder names a penalty suit, not a contract."""
        return self.variety == "trade"

    @property
    def most_bid(self) -> int:
        """The highest bid."""
        return 13

    @property
    def has_talon(self) -> bool:
        """Whether two cards are dealt to a talon."""
        return self.variety in WITH_TALON

    def names_trump(self, contract: str) -> bool:
        """Tell whether the declarer names a trump in this contract (K-O)."""
        when = self.rule("trump_in")
        return bool(when == "all" or (when == "positive" and not contract.startswith("no-")))

    # --- contracts and the match (K-7, K-11) ------------------------------------------

    @property
    def _listed(self) -> Sequence[str]:
        """The list of contracts, in Atomic without its hvalenki."""
        given = self.rules.get("contracts")
        if given is not None:
            return tuple(given)
        if self.variety == "atomic":
            return (*ATOMIC_SIX, *(ERALASHES if self.rules["eralash"] else ()))
        return contract_names(self.variety)

    @property
    def _hvalenki(self) -> int:
        """How many `tricks` follow the list; a number of any size, so never written out."""
        own = self.variety == "atomic" and self.rules["contracts"] is None
        return int(self.rules["hvalenki"]) if own else 0

    @property
    def contract_count(self) -> int:
        """Length of the list played, or named by each player; 0 without contracts."""
        return len(self._listed) + self._hvalenki

    @property
    def book(self) -> Counter[str]:
        """How often each player has to name each contract in a match."""
        book = Counter(self._listed)
        if self._hvalenki:
            book["tricks"] += self._hvalenki
        return book

    def imposed(self, number: int) -> str | None:
        """Return the contract of a deal that nobody chooses (K-7), else None."""
        chosen = self.bids or (self.orders and self.unit == "match")
        if chosen or not self.contract_count:
            return None
        names = self._listed
        place = (self.index if self.unit == "deal" else number) % self.contract_count
        return names[place] if place < len(names) else "tricks"

    def label(self, contract: str | None) -> str | None:
        """Return a contract as the column `contract` of the tables has it (K-10)."""
        return contract

    @property
    def length(self) -> int | None:
        """How many deals make a match complete; None if no number does."""
        if self.variety == "jokers":
            deals = self.rules["deals"]
            return self.players if deals is None else int(deals)
        names = self.contract_count
        return (names * self.players if self.orders else names) or None

    @property
    def limits(self) -> tuple[int | None, int | None]:
        """The totals that end a match: at or below the first, at or above the second."""
        low = self.rule("limit")
        return low, -low if self.rule("bid") == "gain" else None

    # --- play -------------------------------------------------------------------------

    @property
    def draws(self) -> bool:
        """Whether who cannot follow draws from the cards not dealt (K-D)."""
        return self.variety == "domino"

    def held_back(self, contract: str | None) -> str:
        """Return the suits that only a player may lead who has nothing else (K-4)."""
        return "H" if contract in HEARTS_HELD_BACK and not self.draws else ""

    def duty(self, contract: str | None) -> frozenset[str]:
        """Return the cards that a player void in the suit led must play (K-5)."""
        return frozenset({"KH"} if contract in KING_DUTY else ())

    def keeps_trumps(self, contract: str | None) -> bool:
        """Tell whether only the declarer may lead trumps (K-M)."""
        return contract == "win-back" and self.rule("trump_lead") == "declarer"

    def stops_early(self, contract: str | None) -> bool:
        """Tell whether K-6 may end a deal of this contract before its last card."""
        scores_cards = self.variety in WITHOUT_CONTRACTS or contract in EARLY_CONTRACTS
        return scores_cards and not self.rule("play_out")

    # --- cards (C-4a) -----------------------------------------------------------------

    @property
    def deck(self) -> frozenset[str]:
        """The cards of this game (K-1 and the varieties)."""
        long = self.variety in WITHOUT_CONTRACTS or self.rule("deck") == 52
        cards = {rank + suit for rank in (RANKS if long else "789TJQKA") for suit in SUITS}
        if self.variety == "threesome":
            cards -= {"AS", "AC"} if self.rules["removed"] == "aces" else {"7S", "7C"}
        elif self.variety == "jokers":
            cards -= {"2C", "3C"} if self.players == 3 else {"2C"}
            cards |= set(JOKERS[: self.rules["jokers"]])
        elif self.variety in WITHOUT_CONTRACTS and self.players == 3:
            cards -= {"2C"}
        return frozenset(cards)

    @property
    def sizes(self) -> dict[str, int]:
        """How many cards go to a hand, the stock, the talon and aside."""
        count = len(self.deck)
        talon = 2 if self.has_talon else 0
        aside = 1 if self.variety == "jokers" and self.rules["jokers"] == 2 else 0
        hand = 6 if self.draws else (count - talon - aside) // self.players
        stock = count - talon - aside - hand * self.players
        return {"hand": hand, "stock": stock, "talon": talon, "aside": aside}

    # --- points -----------------------------------------------------------------------

    def values(self, contract: str | None, penalty: str | None = None) -> Values:
        """Return what scores in a deal (K-3 and the varieties).

        `penalty` is the suit named in Trade. A bid is no point of a card and not in here.
        """
        deck = self.deck
        if self.variety == "jokers":
            hearts = {card: _JOKER_GAME[card[0]] for card in deck if card[1] == "H"}
            return Values(0, 0, hearts | {card: -20 for card in deck if card in JOKERS})
        if self.variety == "trade":
            return Values(0, 0, {card: -1 for card in deck if card[1] == penalty})
        if self.variety == "omnibus":
            hearts = {card: -1 for card in deck if card[1] == "H"}
            return Values(0, 0, hearts | {"QS": -13, "TD": 10}, OMNIBUS_BONUS)
        assert contract is not None
        if contract == "win-back":
            return Values(8, 0, {})
        return _contract_values(self, contract, deck)


# Points per unit, without sign: trick, jack, queen, heart, king of hearts, last two.
_PARTS = ("tricks", "jacks", "queens", "hearts", "king", "last-two")
_BASE = dict(zip(_PARTS, (2, 4, 4, 2, 16, 8), strict=True))
_THREESOME = dict(zip(_PARTS, (2, 5, 5, 2, 20, 10), strict=True))
_FORTY = dict(zip(_PARTS, (4, 10, 10, 5, 40, 20), strict=True))
_JOKER_GAME = {rank: -number for number, rank in enumerate(RANKS, start=2)}


def _contract_values(setting: Setting, contract: str, deck: frozenset[str]) -> Values:
    sign = -1 if contract.startswith("no-") else 1
    name = contract.removeprefix("no-")
    parts = _PARTS if name == "all" else (name,)
    units = {"threesome": _THREESOME}.get(setting.variety, _BASE)
    if setting.has_talon:
        units = _FORTY
    boys = {"J": units["jacks"]}
    if setting.rule("kings_as_boys"):
        boys = {"J": 5, "K": 5}
    cards: Counter[str] = Counter()
    for card in deck:
        rank, suit = card[0], card[1]
        if "jacks" in parts and rank in boys:
            cards[card] += sign * boys[rank]
        if "queens" in parts and rank == "Q":
            cards[card] += sign * units["queens"]
        if "hearts" in parts and suit == "H":
            cards[card] += sign * units["hearts"]
        if "king" in parts and card == "KH":
            cards[card] += sign * units["king"]
    trick = sign * units["tricks"] if "tricks" in parts else 0
    last = sign * units["last-two"] if "last-two" in parts else 0
    return Values(trick, last, dict(cards))
