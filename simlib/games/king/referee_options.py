"""King as its referee knows it: varieties, options, cards and points (C-12, K-3).

Nothing here looks at events. The tables are written from RULES.md alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simlib.games.refereeing import Option, is_whole

__all__ = [
    "ALL_CARDS",
    "DEAL_CLAUSE",
    "OPTIONAL_KEYS",
    "SCORE_CLAUSE",
    "SUITS",
    "VARIETIES",
    "VARIETY_CLAUSE",
    "Setting",
    "Values",
    "deck_of",
    "options_of",
    "players_of",
    "show",
    "sizes_of",
    "values_of",
]

SUITS = "SHDC"
RANKS = "23456789TJQKA"
JOKERS = ("X1", "X2")
ALL_CARDS = frozenset([rank + suit for rank in RANKS for suit in SUITS] + list(JOKERS))

VARIETIES = (
    "simple", "threesome", "ordered", "minsk", "minsk-declarer", "domino", "jokers",
    "trade", "omnibus", "atomic",
)  # fmt: skip
MINSKS = ("minsk", "minsk-declarer")
ORDERING = ("ordered", *MINSKS, "atomic")
WITH_TALON = (*MINSKS, "atomic")
WITHOUT_CONTRACTS = ("jokers", "trade", "omnibus")

FOURTEEN = (
    "no-tricks", "no-jacks", "no-queens", "no-hearts", "no-king", "no-last-two", "no-all",
    "tricks", "jacks", "queens", "hearts", "king", "last-two", "all",
)  # fmt: skip
MINSK_NINE = (
    "no-tricks", "no-last-two", "no-queens", "no-jacks", "no-king", "no-hearts",
    "win-back", "win-back", "win-back",
)  # fmt: skip
ATOMIC_SIX = ("no-tricks", "no-hearts", "no-jacks", "no-queens", "no-last-two", "no-king")
ERALASHES = ("no-all", "all")

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


def show(value: object) -> str:
    """Write a value of a record in a message, cut to one line."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


# --- options (C-12) ----------------------------------------------------------------


def _one_of(*values: str | int) -> Option:
    def allows(value: Any) -> bool:
        return (isinstance(value, str) or is_whole(value)) and value in values

    return Option(allows, " or ".join(str(value) for value in values))


def _flag() -> Option:
    return Option(lambda value: isinstance(value, bool), "true or false")


def _whole_from(low: int, *, or_null: bool = False) -> Option:
    def allows(value: Any) -> bool:
        return (or_null and value is None) or (is_whole(value) and value >= low)

    return Option(allows, f"{'null or ' if or_null else ''}a whole number from {low} up")


def _negative() -> Option:
    return Option(lambda value: is_whole(value) and value < 0, "a whole number below 0")


def _contract_list(variety: str) -> Option:
    names = frozenset(contract_names(variety))

    def allows(value: Any) -> bool:
        if value is None:
            return True
        return (
            isinstance(value, list)
            and bool(value)
            and all(isinstance(name, str) and name in names for name in value)
        )

    return Option(allows, f"null or a list of {', '.join(sorted(names))}")


OPTIONS: Mapping[str, Option] = {
    "play_out": _flag(),
    "first": _one_of("zero", "rotate"),
    "max_deals": _whole_from(1),
    "must_trump": _flag(),
    "removed": _one_of("aces", "sevens"),
    "trump_in": _one_of("positive", "all", "none"),
    "no_trump": _flag(),
    "order_when": _one_of("look", "blind"),
    "trump_lead": _one_of("free", "declarer"),
    "kept_as": _one_of("cards", "trick"),
    "deck": _one_of(32, 52),
    "limit": _negative(),
    "deals": _whole_from(1, or_null=True),
    "jokers": _one_of(1, 2),
    "joker_play": _one_of("void_or_hearts", "void", "any"),
    "joker_loses": _one_of("contains", "led"),
    "bid": _one_of("cost", "gain"),
    "auction": _one_of("round", "open"),
    "bidder_leads": _flag(),
    "eralash": _flag(),
    "hvalenki": _whole_from(0),
    "kings_as_boys": _flag(),
}

_EVERY = ("play_out", "first", "max_deals", "must_trump")
_ORDERS = ("trump_in", "no_trump", "order_when")

KEYS: Mapping[str, tuple[str, ...]] = {
    "simple": ("contracts", *_EVERY),
    "threesome": ("contracts", *_EVERY, "removed"),
    "ordered": ("contracts", *_EVERY, *_ORDERS),
    "minsk": ("contracts", *_EVERY, *_ORDERS, "trump_lead"),
    "minsk-declarer": ("contracts", *_EVERY, *_ORDERS, "trump_lead"),
    "domino": ("contracts", *_EVERY, "limit", "kept_as", "deck"),
    "jokers": (*_EVERY, "deals", "jokers", "joker_play", "joker_loses"),
    "trade": (*_EVERY, "limit", "bid", "auction", "bidder_leads"),
    "omnibus": (*_EVERY, "limit"),
    "atomic": ("contracts", *_EVERY, *_ORDERS, "eralash", "hvalenki", "kings_as_boys"),
}

# RULES.md leaves open whether these belong to the variety: a duty to trump where there
# is no trump, a cap where the match has a fixed length. A record may have them or not;
# a value that is given must be a right one and is obeyed.
OPTIONAL_KEYS: Mapping[str, tuple[str, ...]] = {
    "simple": ("must_trump", "max_deals"),
    "threesome": ("must_trump", "max_deals"),
    "ordered": ("max_deals",),
    "minsk": ("max_deals",),
    "minsk-declarer": ("max_deals",),
    "domino": ("must_trump", "max_deals"),
    "jokers": ("must_trump", "max_deals"),
    "trade": ("must_trump",),
    "omnibus": ("must_trump",),
    "atomic": ("max_deals",),
}
_IF_ABSENT: Mapping[str, Any] = {"must_trump": False, "max_deals": 1000}


def players_of(variety: str | None) -> tuple[int, ...]:
    """Return the numbers of players of a variety."""
    if variety in WITHOUT_CONTRACTS:
        return (3, 4)
    return (3,) if variety in ("threesome", *WITH_TALON) else (4,)


def options_of(variety: str, rules: object) -> dict[str, Option]:
    """Return the options that a record of this variety must have.

    Of `OPTIONAL_KEYS` those are named which `rules`, as found in the record, holds.
    """
    given = rules if isinstance(rules, dict) else {}
    absent = [key for key in OPTIONAL_KEYS[variety] if key not in given]
    known = {key: OPTIONS[key] for key in KEYS[variety] if key in OPTIONS and key not in absent}
    if "contracts" in KEYS[variety]:
        known["contracts"] = _contract_list(variety)
    if variety == "minsk-declarer":
        known["trump_lead"] = _one_of("declarer")
    return known


# --- the game that a record speaks of -----------------------------------------------


@dataclass(frozen=True)
class Setting:
    """What stays the same through a game: the head of a record."""

    variety: str
    players: int
    unit: str
    rules: Mapping[str, Any]
    index: int

    def rule(self, key: str) -> Any:
        """Return an option's value, the default for one that may be absent."""
        return self.rules.get(key, _IF_ABSENT.get(key))

    @property
    def clause(self) -> str:
        """Clause id of the variety."""
        return VARIETY_CLAUSE[self.variety]

    @property
    def orders(self) -> bool:
        """Whether a declarer names the contract."""
        return self.variety in ORDERING

    @property
    def has_talon(self) -> bool:
        """Whether two cards are dealt to a talon."""
        return self.variety in WITH_TALON

    @property
    def _listed(self) -> Sequence[str]:
        """The list of contracts (K-7), in Atomic without its hvalenki."""
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
        if self.variety in WITHOUT_CONTRACTS or (self.orders and self.unit == "match"):
            return None
        names = self._listed
        place = (self.index if self.unit == "deal" else number) % self.contract_count
        return names[place] if place < len(names) else "tricks"

    def names_trump(self, contract: str) -> bool:
        """Tell whether the declarer names a trump in this contract (K-O)."""
        when = self.rules.get("trump_in", "none")
        return bool(when == "all" or (when == "positive" and not contract.startswith("no-")))

    def stops_early(self, contract: str | None) -> bool:
        """Tell whether K-6 may end a deal of this contract before its last card."""
        scores_cards = self.variety in WITHOUT_CONTRACTS or contract in EARLY_CONTRACTS
        return scores_cards and not self.rules["play_out"]


def contract_names(variety: str) -> tuple[str, ...]:
    """Return the contracts that a variety knows."""
    if variety in MINSKS:
        return MINSK_NINE
    if variety == "atomic":
        return (*ATOMIC_SIX, *ERALASHES, "tricks")
    return () if variety in WITHOUT_CONTRACTS else FOURTEEN


# --- cards ---------------------------------------------------------------------------


def deck_of(setting: Setting) -> frozenset[str]:
    """Return the cards of this game (K-1 and the varieties)."""
    variety, rules = setting.variety, setting.rules
    long = variety in WITHOUT_CONTRACTS or (variety == "domino" and rules["deck"] == 52)
    ranks = RANKS if long else "789TJQKA"
    cards = {rank + suit for rank in ranks for suit in SUITS}
    if variety == "threesome":
        cards -= {"AS", "AC"} if rules["removed"] == "aces" else {"7S", "7C"}
    elif variety == "jokers":
        cards -= {"2C", "3C"} if setting.players == 3 else {"2C"}
        cards |= set(JOKERS[: rules["jokers"]])
    elif variety in WITHOUT_CONTRACTS and setting.players == 3:
        cards -= {"2C"}
    return frozenset(cards)


def sizes_of(setting: Setting) -> dict[str, int]:
    """Return how many cards go to a hand, the stock, the talon and aside (C-4a)."""
    count = len(deck_of(setting))
    talon = 2 if setting.has_talon else 0
    aside = 1 if setting.variety == "jokers" and setting.rules["jokers"] == 2 else 0
    hand = 6 if setting.variety == "domino" else (count - talon - aside) // setting.players
    stock = count - talon - aside - hand * setting.players
    return {"hand": hand, "stock": stock, "talon": talon, "aside": aside}


# --- points --------------------------------------------------------------------------


@dataclass(frozen=True)
class Values:
    """Points of a contract: for a trick, for each of the last two, and for cards."""

    trick: int
    last: int
    cards: Mapping[str, int]


# Points per unit, without sign: trick, jack, queen, heart, king of hearts, last two.
_PARTS = ("tricks", "jacks", "queens", "hearts", "king", "last-two")
_BASE = dict(zip(_PARTS, (2, 4, 4, 2, 16, 8), strict=True))
_THREESOME = dict(zip(_PARTS, (2, 5, 5, 2, 20, 10), strict=True))
_FORTY = dict(zip(_PARTS, (4, 10, 10, 5, 40, 20), strict=True))
_JOKER_GAME = {rank: -number for number, rank in enumerate(RANKS, start=2)}


def values_of(setting: Setting, contract: str | None, penalty: str | None = None) -> Values:
    """Return what scores in a deal (K-3 and the varieties).

    `penalty` is the suit named in Trade. The +26 of Omnibus and the bid of Trade are no
    points of a card and not in here.
    """
    deck = deck_of(setting)
    if setting.variety == "jokers":
        hearts = {card: _JOKER_GAME[card[0]] for card in deck if card[1] == "H"}
        return Values(0, 0, hearts | {card: -20 for card in deck if card in JOKERS})
    if setting.variety == "trade":
        return Values(0, 0, {card: -1 for card in deck if card[1] == penalty})
    if setting.variety == "omnibus":
        hearts = {card: -1 for card in deck if card[1] == "H"}
        return Values(0, 0, hearts | {"QS": -13, "TD": 10})
    assert contract is not None
    if contract == "win-back":
        return Values(8, 0, {})
    return _contract_values(setting, contract, deck)


def _contract_values(setting: Setting, contract: str, deck: frozenset[str]) -> Values:
    sign = -1 if contract.startswith("no-") else 1
    name = contract.removeprefix("no-")
    parts = _PARTS if name == "all" else (name,)
    units = {"threesome": _THREESOME}.get(setting.variety, _BASE)
    if setting.has_talon:
        units = _FORTY
    boys = {"J": units["jacks"]}
    if setting.rules.get("kings_as_boys"):
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
